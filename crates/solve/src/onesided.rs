//! Games of two opposed players one of whom sees everything. What the other cannot tell apart, its deals, goes through the
//! tree side by side; what both know from some point on is a number. Strategies by CFR+, and bounds of the value by exact best
//! responses to them: what the blind player's strategy guarantees, and what the other's concedes.
//!
//! ```
//! use yomikiri_core::Run;
//! use yomikiri_solve::onesided::{Solving, Tree, over};
//!
//! // One hides a coin under one of two cups, the other guesses.
//! let run = Run::default();
//! let mut tree = Tree::new(&run);
//! let cups = tree.blind(vec![vec![over(1), over(-1)], vec![over(-1), over(1)]])?;
//! let hides = tree.seeing(vec![cups])?;
//! let bounds = Solving::new(&tree, &[(hides[0], 1.0)], &run)?.approach(0.001, 1000, &|_| false, &run)?;
//! assert!(bounds.low <= 0.0 && bounds.high >= 0.0 && bounds.width() < 0.001);
//! # Ok::<(), yomikiri_core::Error>(())
//! ```

use std::ops::Range;
use yomikiri_core::{Error, Run};

/// Where a deal goes on: a place in the tree, or a payoff.
pub type Spot = u32;

/// Payoffs stand before all places.
const PAYOFFS: u32 = 128;
/// What no payoff is beyond.
const MOST: i32 = 63;
/// Rounds between two measurements.
const MEASURE: usize = 50;
/// Wider than sums of doubles can be wrong: payoffs up to 63 weighed by probabilities, some hundred operations deep, are off by
/// less than 10⁻¹¹.
const ROUNDING: f64 = 1e-9;

/// A payoff for the blind player.
pub fn over(payoff: i32) -> Spot {
    debug_assert!(payoff.abs() <= MOST);
    (payoff.clamp(-MOST, MOST) + PAYOFFS as i32 / 2) as Spot
}

/// The payoff, if it is one.
fn payoff(spot: Spot) -> Option<i32> {
    (spot < PAYOFFS).then(|| spot as i32 - PAYOFFS as i32 / 2)
}

/// Where a player acts: for the blind one all deals it cannot tell apart, for the other any.
struct Node {
    blind: bool,
    spots: Range<usize>,
}

/// A game of this kind, laid out from its ends.
pub struct Tree {
    nodes: Vec<Node>,
    /// Where the links of each place begin, and the end.
    links_at: Vec<u32>,
    /// Where each place leads, by action.
    links: Vec<Spot>,
    most: usize,
    memory: u64,
}

/// Bytes for a link: itself, and probability, regret and sum.
const LINK: u64 = 4 + 3 * 8;
/// Bytes for a place: its links, chance to come there, value, probability.
const PLACE: u64 = 4 + 3 * 8;

impl Tree {
    /// An empty tree that may grow to what fits into the memory of the run when it is solved.
    pub fn new(run: &Run<'_>) -> Tree {
        // A list that grows holds twice what is in it, and the old one while it is copied.
        let most = (run.memory / (3 * LINK + PLACE)).min(u64::from(u32::MAX / 2)) as usize;
        Tree { nodes: Vec::new(), links_at: vec![0], links: Vec::new(), most, memory: run.memory }
    }

    /// Places where somebody has a choice that matters.
    pub fn places(&self) -> usize {
        self.links_at.len() - 1
    }

    /// Bytes that solving it takes.
    pub fn bytes(&self) -> u64 {
        self.links.len() as u64 * LINK + self.places() as u64 * PLACE
    }

    fn place(&mut self, links: impl IntoIterator<Item = Spot>) -> Result<Spot, Error> {
        self.links.extend(links);
        self.links_at.push(self.links.len() as u32);
        if self.links.len() > self.most {
            return Err(Error::TooManyStates { found: self.places() as u64, limit: self.memory });
        }
        Ok(self.places() as u32 - 1 + PAYOFFS)
    }

    /// The blind player acts: for every action, where each deal goes on. What matters in no deal, and actions that are nowhere
    /// better than another one, are left out.
    ///
    /// # Errors
    /// [`Error::TooManyStates`].
    pub fn blind(&mut self, mut actions: Vec<Vec<Spot>>) -> Result<Vec<Spot>, Error> {
        let worse =
            |a: Spot, b: Spot| a == b || matches!((payoff(a), payoff(b)), (Some(a), Some(b)) if a <= b);
        let mut at = 0;
        while at < actions.len() {
            let all = |b: &Vec<Spot>| actions[at].iter().zip(b).all(|(a, b)| worse(*a, *b));
            if actions.len() > 1 && actions.iter().enumerate().any(|(n, b)| n != at && all(b)) {
                actions.remove(at);
            } else {
                at += 1;
            }
        }
        let [first, rest @ ..] = &actions[..] else { return Ok(Vec::new()) };
        if rest.is_empty() {
            return Ok(actions.swap_remove(0));
        }
        let begin = self.places();
        let mut spots = first.clone();
        for (deal, spot) in spots.iter_mut().enumerate() {
            if payoff(*spot).is_none() || rest.iter().any(|action| action[deal] != *spot) {
                *spot = self.place(actions.iter().map(|action| action[deal]))?;
            }
        }
        self.nodes.push(Node { blind: true, spots: begin..self.places() });
        Ok(spots)
    }

    /// The other acts, or chance tells something: for every deal, where its actions lead.
    ///
    /// # Errors
    /// [`Error::TooManyStates`].
    pub fn seeing(&mut self, deals: Vec<Vec<Spot>>) -> Result<Vec<Spot>, Error> {
        let begin = self.places();
        let mut spots = Vec::with_capacity(deals.len());
        for mut links in deals {
            // Of payoffs it takes the least.
            let least = links.iter().copied().filter(|spot| *spot < PAYOFFS).min();
            links.retain(|spot| *spot >= PAYOFFS);
            links.extend(least);
            links.sort_unstable();
            links.dedup();
            spots.push(if links.len() == 1 { links[0] } else { self.place(links)? });
        }
        if self.places() > begin {
            self.nodes.push(Node { blind: false, spots: begin..self.places() });
        }
        Ok(spots)
    }

    fn links(&self, place: usize) -> Range<usize> {
        self.links_at[place] as usize..self.links_at[place + 1] as usize
    }
}

/// What the blind player gets: at least and at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// What its strategy guarantees.
    pub low: f64,
    /// What the other's concedes.
    pub high: f64,
    /// Rounds that were played.
    pub rounds: usize,
}

impl Bounds {
    /// How far apart they are.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// Both players' strategies in a tree, from round to round.
pub struct Solving<'a> {
    tree: &'a Tree,
    roots: &'a [(Spot, f64)],
    /// By link; the blind player's stand at the first place of each of its nodes.
    now: Vec<f64>,
    regrets: Vec<f64>,
    sums: Vec<f64>,
    /// By place, payoffs first: how likely the other lets it come there, how likely the blind player does, what it brings.
    reach: Vec<f64>,
    lets: Vec<f64>,
    values: Vec<f64>,
    rounds: usize,
}

const AT: usize = PAYOFFS as usize;

impl<'a> Solving<'a> {
    /// Begins with even chances. Weights of the deals add up to 1.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn new(tree: &'a Tree, roots: &'a [(Spot, f64)], run: &Run<'_>) -> Result<Solving<'a>, Error> {
        run.fits(tree.bytes())?;
        let (links, places) = (tree.links.len(), tree.places() + AT);
        let mut values = vec![0.0; places];
        for (payoff, value) in values[..AT].iter_mut().enumerate() {
            *value = payoff as f64 - f64::from(PAYOFFS / 2);
        }
        let mut now = vec![0.0; links];
        for place in 0..tree.places() {
            let range = tree.links(place);
            let even = 1.0 / range.len() as f64;
            now[range].fill(even);
        }
        let [regrets, sums] = [(); 2].map(|()| vec![0.0; links]);
        let [reach, lets] = [(); 2].map(|()| vec![0.0; places]);
        Ok(Solving { tree, roots, now, regrets, sums, reach, lets, values, rounds: 0 })
    }

    /// How likely the seeing player lets it come to each place with these chances of its actions; with a weight they are added
    /// to its sums.
    fn reach(&mut self, average: bool, weight: Option<f64>) {
        let Solving { tree, roots, now, sums, reach, .. } = self;
        reach.fill(0.0);
        for (spot, chance) in roots.iter() {
            reach[*spot as usize] += chance;
        }
        for node in tree.nodes.iter().rev() {
            for place in node.spots.clone().rev() {
                let (here, range) = (reach[AT + place], tree.links(place));
                if node.blind {
                    tree.links[range].iter().for_each(|link| reach[*link as usize] += here);
                    continue;
                }
                let all: f64 = if average { sums[range.clone()].iter().sum() } else { 0.0 };
                for link in range.clone() {
                    let share = match (average, all > 0.0) {
                        (false, _) => now[link],
                        (true, true) => sums[link] / all,
                        (true, false) => 1.0 / range.len() as f64,
                    };
                    reach[tree.links[link] as usize] += here * share;
                    if let Some(weight) = weight {
                        sums[link] += weight * here * share;
                    }
                }
            }
        }
    }

    /// The same for the blind player, whose strategy of now is added to its sums.
    fn lets(&mut self, weight: f64) {
        let Solving { tree, roots, now, sums, lets, .. } = self;
        for (spot, _) in roots.iter() {
            lets[*spot as usize] = 1.0;
        }
        for node in tree.nodes.iter().rev() {
            let own = tree.links(node.spots.start);
            for place in node.spots.clone() {
                let here = lets[AT + place];
                for (n, link) in tree.links(place).enumerate() {
                    lets[tree.links[link] as usize] =
                        if node.blind { here * now[own.start + n] } else { here };
                }
            }
            if node.blind {
                let here = weight * lets[AT + node.spots.start];
                own.for_each(|link| sums[link] += here * now[link]);
            }
        }
    }

    /// What each of the blind player's actions brings at a node, by how likely the deals come there.
    fn brings(&self, node: &Node, into: &mut Vec<f64>) {
        into.clear();
        into.resize(self.tree.links(node.spots.start).len(), 0.0);
        for place in node.spots.clone() {
            let here = self.reach[AT + place];
            for (sum, link) in into.iter_mut().zip(&self.tree.links[self.tree.links(place)]) {
                *sum += here * self.values[*link as usize];
            }
        }
    }

    /// The values of the places of a node with some chances of the blind player's actions.
    fn mixed(&mut self, node: &Node, chances: &[f64]) {
        for place in node.spots.clone() {
            let links = &self.tree.links[self.tree.links(place)];
            let value =
                links.iter().zip(chances).map(|(link, chance)| chance * self.values[*link as usize]).sum();
            self.values[AT + place] = value;
        }
    }

    /// The blind player regrets.
    fn blind_learns(&mut self) {
        let (tree, mut brings) = (self.tree, Vec::new());
        for node in &tree.nodes {
            if !node.blind {
                self.seen_now(node);
                continue;
            }
            let own = tree.links(node.spots.start);
            self.brings(node, &mut brings);
            let chances = self.now[own.clone()].to_vec();
            self.mixed(node, &chances);
            let mean: f64 = chances.iter().zip(&brings).map(|(chance, worth)| chance * worth).sum();
            for (link, worth) in own.clone().zip(&brings) {
                self.regrets[link] = (self.regrets[link] + worth - mean).max(0.0);
            }
            matched(&self.regrets[own.clone()], &mut self.now[own]);
        }
    }

    fn seen_now(&mut self, node: &Node) {
        for place in node.spots.clone() {
            let range = self.tree.links(place);
            let each = self.tree.links[range.clone()].iter().zip(&self.now[range]);
            self.values[AT + place] = each.map(|(link, chance)| chance * self.values[*link as usize]).sum();
        }
    }

    /// The seeing player regrets, deal by deal.
    fn seeing_learns(&mut self) {
        let tree = self.tree;
        for node in &tree.nodes {
            if node.blind {
                let chances = self.now[tree.links(node.spots.start)].to_vec();
                self.mixed(node, &chances);
                continue;
            }
            self.seen_now(node);
            for place in node.spots.clone() {
                let (range, value, lets) =
                    (tree.links(place), self.values[AT + place], self.lets[AT + place]);
                for link in range.clone() {
                    let gain = lets * (value - self.values[tree.links[link] as usize]);
                    self.regrets[link] = (self.regrets[link] + gain).max(0.0);
                }
                matched(&self.regrets[range.clone()], &mut self.now[range]);
            }
        }
    }

    fn worth(&self) -> f64 {
        self.roots.iter().map(|(spot, chance)| chance * self.values[*spot as usize]).sum()
    }

    /// What the average strategy of the blind player guarantees, whatever the other does in each deal.
    fn low(&mut self) -> f64 {
        let tree = self.tree;
        for node in &tree.nodes {
            if node.blind {
                let own = tree.links(node.spots.start);
                let mut chances = vec![0.0; own.len()];
                matched(&self.sums[own], &mut chances);
                self.mixed(node, &chances);
                continue;
            }
            for place in node.spots.clone() {
                let links = tree.links[tree.links(place)].iter().map(|link| self.values[*link as usize]);
                self.values[AT + place] = links.fold(f64::INFINITY, f64::min);
            }
        }
        self.worth()
    }

    /// What the average strategy of the seeing player concedes to the best response of the blind one.
    fn high(&mut self) -> f64 {
        self.reach(true, None);
        let (tree, mut brings) = (self.tree, Vec::new());
        for node in &tree.nodes {
            if node.blind {
                self.brings(node, &mut brings);
                let best = (1..brings.len()).fold(0, |b, a| if brings[a] > brings[b] { a } else { b });
                for place in node.spots.clone() {
                    self.values[AT + place] =
                        self.values[tree.links[tree.links(place).start + best] as usize];
                }
                continue;
            }
            for place in node.spots.clone() {
                let range = tree.links(place);
                let mut chances = vec![0.0; range.len()];
                matched(&self.sums[range.clone()], &mut chances);
                let each = tree.links[range].iter().zip(&chances);
                self.values[AT + place] =
                    each.map(|(link, chance)| chance * self.values[*link as usize]).sum();
            }
        }
        self.worth()
    }

    /// Plays until the bounds are so close, or `enough` says that they will do, or so many rounds were played.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn approach(
        &mut self,
        width: f64,
        most: usize,
        enough: &dyn Fn(&Bounds) -> bool,
        run: &Run<'_>,
    ) -> Result<Bounds, Error> {
        if let Some(value) = self.settled() {
            return Ok(Bounds { low: value, high: value, rounds: 0 });
        }
        let mut bounds = Bounds { low: f64::NEG_INFINITY, high: f64::INFINITY, rounds: self.rounds };
        loop {
            for _ in 0..MEASURE {
                run.check()?;
                self.rounds += 1;
                let weight = (self.rounds as f64).powi(2);
                self.reach(false, Some(weight));
                self.blind_learns();
                self.lets(weight);
                self.seeing_learns();
            }
            bounds = Bounds {
                low: bounds.low.max(self.low() - ROUNDING),
                high: bounds.high.min(self.high() + ROUNDING),
                rounds: self.rounds,
            };
            run.observer.done(self.rounds as u64);
            if bounds.width() <= width || self.rounds >= most || enough(&bounds) {
                return Ok(bounds);
            }
        }
    }

    /// The value, where no choice matters.
    fn settled(&self) -> Option<f64> {
        let all = self.roots.iter().all(|(spot, _)| payoff(*spot).is_some());
        all.then(|| self.worth())
    }
}

/// Chances in proportion to regrets, even ones where there are none.
fn matched(regrets: &[f64], into: &mut [f64]) {
    let all: f64 = regrets.iter().sum();
    let even = 1.0 / into.len() as f64;
    into.iter_mut()
        .zip(regrets)
        .for_each(|(chance, regret)| *chance = if all > 0.0 { regret / all } else { even });
}
