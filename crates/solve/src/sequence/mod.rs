//! Games of two players with opposite interests and hidden information, solved exactly: both players' strategies as
//! fractions, and with them the value, proved from both sides.
//!
//! 1. The tree is put into sequence form: plans instead of strategies, payoffs linear in both.
//! 2. An interior-point method in doubles comes to the middle of all optimal plans. What is ever played is
//!    told from what never is; nothing else of the doubles is believed.
//! 3. What is ever played must all be equally good: linear equations, solved in fractions.
//! 4. The best responses to both plans are computed in fractions. What player 0's plan guarantees is at most
//!    the value, what player 1's plan concedes at least. Where the two are equal, that is the value, and this is its
//!    proof; where they are not, they are exact bounds.

mod factor;
mod form;
mod interior;
mod response;

use crate::modular::{self, Elimination, Equations, Ratios};
use crate::tree::{Info, NONE, Shape, Tree, Who, weighed};
use form::{Form, Side};
use interior::Interior;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};
use response::{Response, is_plan, rounded};
use rustc_hash::FxHashMap;
use yomikiri_core::text::grouped;
use yomikiri_core::{Error, Hidden, Rational, Run, Text, text};

/// Gaps at which the doubles are asked what is ever played, in units of the largest payoff.
const GAPS: [f64; 4] = [1e-9, 1e-11, 1e-13, 1e-15];
/// Denominators that are tried where an optimal plan is free to choose: simple ones first.
const SIMPLE: [i64; 5] = [1, 2, 12, 1 << 20, 1 << 40];

/// A solved game with hidden information.
pub struct Equilibrium<G: Hidden> {
    tree: Tree<G>,
    plans: Plans,
}

/// The plans of both players in a tree.
struct Plans {
    plans: [Ratios; 2],
    /// The best response of each player to the other's plan.
    responses: [Response; 2],
}

impl<G: Hidden> Equilibrium<G> {
    /// Solves a game from its start.
    ///
    /// # Errors
    /// [`Error::Rules`] with the state that shows it if the game breaks the contract of [`Hidden`] or is not zero-sum;
    /// [`Error::NoSolver`] if it has not two players, or chances with no common denominator of 63 bits;
    /// [`Error::TooManyStates`], [`Error::Memory`], [`Error::Cancelled`].
    pub fn solve(game: &G, run: &Run<'_>) -> Result<Equilibrium<G>, Error> {
        if G::PLAYERS != 2 || !G::ZERO_SUM {
            return Err(Error::NoSolver { game: players(G::PLAYERS), instead: INSTEAD });
        }
        let tree = Tree::new(game, run)?;
        let plans = Plans::of(&tree, run)?;
        Ok(Equilibrium { tree, plans })
    }

    /// What player 0 gets on average if both play their best: at least the first, at most the second. Where they are
    /// equal the value is known.
    pub fn bounds(&self) -> (&Rational, &Rational) {
        (&self.plans.responses[1].value, &self.plans.responses[0].value)
    }

    /// The exact value for player 0, where it is known.
    pub fn value(&self) -> Option<&Rational> {
        let (low, high) = self.bounds();
        (low == high).then_some(low)
    }

    /// The tree that was solved.
    pub fn tree(&self) -> &Tree<G> {
        &self.tree
    }

    /// What a player that knows this does: its actions and their probabilities. Where it would not come by its own
    /// strategy it answers the other's best. `None` if it cannot come to know it.
    pub fn policy(&self, player: u8, info: &G::Info) -> Option<Vec<(G::Action, Rational)>> {
        let info = self.tree.find(player, info)?;
        let weights = self.plans.weights(player, sequences(&self.tree, player, info));
        let total: BigInt = weights.iter().sum();
        let actions = self.tree.actions()[info.slots()].iter().copied();
        Some(actions.zip(weights.into_iter().map(|w| Rational::new(w, total.clone()))).collect())
    }

    /// What each action of a player that knows this brings it on average, if it goes on best and the other keeps to its
    /// strategy. `None` if it cannot come to know it, or the other's strategy never lets it come to that.
    pub fn worth(&self, player: u8, info: &G::Info) -> Option<Vec<(G::Action, Rational)>> {
        let info = self.tree.find(player, info)?;
        let other = 1 - usize::from(player);
        let mut reach = Rational::zero();
        for &node in self.tree.nodes_of(info) {
            reach += self.plans.chance_and(&self.tree, other, node);
        }
        if reach.is_zero() {
            return None;
        }
        let response = &self.plans.responses[usize::from(player)];
        let one = |j: usize| Rational::new(response.worth[j].clone(), response.denom.clone()) / &reach;
        let actions = &self.tree.actions()[info.slots()];
        Some(actions.iter().copied().zip(sequences(&self.tree, player, info).map(one)).collect())
    }

    /// Lines that prove the bounds: how both players weigh their actions, for everything they may know, in the order in
    /// which a breadth-first walk through the tree comes to it.
    ///
    /// # Errors
    /// [`Error::Memory`], [`Error::Cancelled`].
    pub fn proof(&self, run: &Run<'_>) -> Result<Vec<u8>, Error> {
        self.plans.proof(&self.tree, self.bytes(), run)
    }

    /// What the game was found to be and how it was solved, in a sentence.
    pub fn why(&self) -> Text {
        let (nodes, infos) = (grouped(self.tree.nodes() as u64), grouped(self.tree.informations() as u64));
        let known = self.value().is_some();
        Text::of(
            format!(
                "two players, hidden information, {nodes} positions, {infos} pieces of information: {}",
                match known {
                    true => "solved in sequence form; both strategies are proved by exact best responses",
                    false => "bounded in sequence form by exact best responses to both strategies",
                }
            ),
            format!(
                "2人、非公開情報あり、{nodes}局面、{infos}情報集合：{}",
                match known {
                    true => "シーケンス形式で解き、両者の戦略を厳密な最適応答で証明しました",
                    false => "シーケンス形式で、両者の戦略への厳密な最適応答により上下から挟みました",
                }
            ),
        )
    }

    /// Bytes of memory the solution takes.
    pub fn bytes(&self) -> u64 {
        self.tree.bytes() + self.plans.bytes()
    }
}

impl Plans {
    fn of(tree: &Shape, run: &Run<'_>) -> Result<Plans, Error> {
        let Ok(form) = Form::of(tree) else {
            return Err(Error::NoSolver {
                game: text("chances this fine", "これほど細かい確率"),
                instead: INSTEAD,
            });
        };
        let mut interior = Interior::new(&form, run)?;
        let mut best: [Option<Guarantee>; 2] = [None, None];
        for gap in GAPS {
            let reached = interior.approach(gap, run)?;
            for player in [0, 1] {
                let found = match on_face(&form, &interior, player, run)? {
                    Some(exact) => exact,
                    None => {
                        let near = rounded(&form, player, &interior.sides[player].plan, BITS);
                        Guarantee::of(&form, player, near)
                    }
                };
                found.keep(player, &mut best);
            }
            let [Some(low), Some(high)] = &best else { continue };
            if low.response.value == high.response.value || !reached {
                break;
            }
        }
        let [Some(low), Some(high)] = best else {
            return Err(Error::Bug("a linear program without plans".to_owned()));
        };
        Ok(Plans { plans: [low.plan, high.plan], responses: [high.response, low.response] })
    }

    /// The probability of a node as far as chance and one player decide.
    fn chance_and(&self, tree: &Shape, player: usize, node: u32) -> Rational {
        let mut chance = Rational::one();
        let mut plan = None;
        let mut at = tree.node(node as usize);
        while at.parent != NONE {
            let above = tree.node(at.parent as usize);
            match above.who {
                Who::Player(p) if usize::from(p) == player && plan.is_none() => {
                    plan = Some(sequence(tree, p, at.slot as usize));
                }
                Who::Chance => {
                    let children = above.first as usize..(above.first + above.children) as usize;
                    let total: u64 = children.map(|c| u64::from(tree.node(c).weight)).sum();
                    chance *= Rational::new(at.weight.into(), total.into());
                }
                _ => {}
            }
            at = above;
        }
        let plans = &self.plans[player];
        chance * Rational::new(plans.numers[plan.unwrap_or(0)].clone(), plans.denom.clone())
    }

    /// How a player weighs sequences that go on from the same information, in lowest terms.
    fn weights(&self, player: u8, sequences: std::ops::Range<usize>) -> Vec<BigInt> {
        let (plan, response) = (&self.plans[usize::from(player)], &self.responses[usize::from(player)]);
        let common = sequences.clone().fold(BigInt::zero(), |gcd, j| gcd.gcd(&plan.numers[j]));
        if !common.is_zero() {
            return sequences.map(|j| &plan.numers[j] / &common).collect();
        }
        let best = sequences.clone().rev().max_by_key(|&j| &response.worth[j]);
        sequences.map(|j| BigInt::from(u8::from(Some(j) == best))).collect()
    }

    /// Lines that prove the bounds, for everything the players may know.
    fn proof(&self, tree: &Shape, beside: u64, run: &Run<'_>) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        for (at, (player, slots)) in tree.in_order().into_iter().enumerate() {
            if at % 1024 == 0 {
                run.check()?;
                run.fits(beside + out.capacity() as u64)?;
            }
            let sequences = sequence(tree, player, slots.start)..sequence(tree, player, slots.end);
            out.extend(weighed(self.weights(player, sequences)).into_bytes());
        }
        Ok(out)
    }

    fn bytes(&self) -> u64 {
        let of = |numbers: &[BigInt]| numbers.iter().map(|n| 32 + n.bits() / 8).sum::<u64>();
        let plans: u64 = self.plans.iter().map(|p| of(&p.numers)).sum();
        plans + self.responses.iter().map(|r| of(&r.worth)).sum::<u64>()
    }
}

fn sequence(tree: &Shape, player: u8, slot: usize) -> usize {
    slot - tree.slots_of(player.into()).start + 1
}

fn sequences(tree: &Shape, player: u8, info: &Info) -> std::ops::Range<usize> {
    sequence(tree, player, info.slots().start)..sequence(tree, player, info.slots().end)
}

/// Bits of a probability that is rounded.
const BITS: u32 = 30;

const INSTEAD: Text = text(
    "two players whose payoffs add up to 0, and chances that are fractions of small numbers",
    "利得の和が 0 の2人ゲームで、確率が小さな整数の比であるもの",
);

fn players(n: usize) -> Text {
    Text::of(format!("a game of {n} players"), format!("{n}人のゲーム"))
}

/// A plan with what it guarantees.
struct Guarantee {
    plan: Ratios,
    /// The best response of the other player.
    response: Response,
}

impl Guarantee {
    fn of(form: &Form, player: usize, plan: Ratios) -> Guarantee {
        let response = Response::of(form, 1 - player, &plan);
        Guarantee { plan, response }
    }

    /// Keeps it if it is better than what the player had.
    fn keep(self, player: usize, best: &mut [Option<Guarantee>; 2]) {
        let value = &self.response.value;
        let better = match &best[player] {
            None => true,
            Some(old) if player == 0 => *value > old.response.value,
            Some(old) => *value < old.response.value,
        };
        if better {
            best[player] = Some(self);
        }
    }
}

/// The optimal plans of a player as equations: what is ever played by the other must be equally good for it.
struct Face {
    equations: Equations,
    /// The unknowns: sequences that are played, then values of the other's branches.
    played: FxHashMap<u32, u32>,
    /// What the doubles say of every unknown.
    about: Vec<f64>,
    /// The unknown that is the value of the game, times the scale of the form.
    value: u32,
}

/// An exact plan on the face that the doubles point to, if one is found there that is what it should be.
fn on_face(
    form: &Form,
    interior: &Interior<'_>,
    player: usize,
    run: &Run<'_>,
) -> Result<Option<Guarantee>, Error> {
    let face = Face::of(form, interior, player);
    let elimination = Elimination::of(&face.equations, run)?;
    for denom in SIMPLE {
        let free = elimination.free.iter();
        let given: Vec<i64> = free.map(|&u| (face.about[u as usize] * denom as f64).round() as i64).collect();
        let found = modular::solve(&face.equations, &elimination, (&given, denom), run)?;
        if let Some(found) = found {
            let claim = Rational::new(found.numers[face.value as usize].clone(), &found.denom * form.scale);
            let mut numers = vec![BigInt::zero(); form.sides[player].sequences];
            for (&sequence, &unknown) in &face.played {
                numers[sequence as usize].clone_from(&found.numers[unknown as usize]);
            }
            let plan = Ratios { numers, denom: found.denom };
            if is_plan(form, player, &plan) {
                let guarantee = Guarantee::of(form, player, plan);
                if guarantee.response.value == claim {
                    return Ok(Some(guarantee));
                }
            }
        }
        if given.is_empty() {
            break;
        }
    }
    Ok(None)
}

impl Face {
    fn of(form: &Form, interior: &Interior<'_>, player: usize) -> Face {
        let (own, other) = (&form.sides[player], &form.sides[1 - player]);
        let (mine, theirs) = (&interior.sides[player], &interior.sides[1 - player]);
        let mut about = Vec::new();
        let mut unknown = |x: f64| {
            about.push(x);
            about.len() as u32 - 1
        };
        let played = support(own, &mine.plan, &mine.slack);
        let played: FxHashMap<u32, u32> =
            played.into_iter().map(|j| (j, unknown(mine.plan[j as usize]))).collect();
        let answers = support(other, &theirs.plan, &theirs.slack);
        let row: FxHashMap<u32, usize> = answers.iter().copied().zip(0..).collect();
        let mut rows: Vec<Vec<(u32, i64)>> = vec![Vec::new(); answers.len()];
        for &(i, j, payoff) in &form.payoffs {
            let (x, y) = if player == 0 { (i, j) } else { (j, i) };
            if let (Some(&unknown), Some(&row)) = (played.get(&x), row.get(&y)) {
                rows[row].push((unknown, payoff));
            }
        }
        // The values of the other's branches, with which all its answers agree.
        let unit = interior.unit();
        let value = unknown(theirs.bounds[0] * unit);
        rows[row[&0]].push((value, -1));
        for (at, branch) in (1..).zip(&other.branches) {
            let Some(&parent) = row.get(&branch.parent) else { continue };
            let bound = unknown(theirs.bounds[at] * unit);
            rows[parent].push((bound, 1));
            for j in branch.next.clone() {
                if let Some(&row) = row.get(&j) {
                    rows[row].push((bound, -1));
                }
            }
        }
        let mut right = vec![BigInt::zero(); rows.len()];
        rows.push(vec![(played[&0], 1)]);
        right.push(BigInt::one());
        for branch in &own.branches {
            let Some(&parent) = played.get(&branch.parent) else { continue };
            let next = branch.next.clone().filter_map(|j| Some((*played.get(&j)?, 1)));
            rows.push(std::iter::once((parent, -1)).chain(next).collect());
            right.push(BigInt::zero());
        }
        let unknowns = about.len();
        Face { equations: Equations { rows, right, unknowns }, played, about, value }
    }
}

/// The sequences that some optimal plan uses, by the doubles: those whose weight is larger than their slack. Parents
/// come first.
fn support(side: &Side, plan: &[f64], slack: &[f64]) -> Vec<u32> {
    let mut used = vec![false; side.sequences];
    used[0] = true;
    let mut all = vec![0];
    for branch in
        side.branches.iter().filter(|b| plan[b.parent as usize] > slack[b.parent as usize] || b.parent == 0)
    {
        if !used[branch.parent as usize] {
            continue;
        }
        for j in branch.next.clone().filter(|&j| plan[j as usize] > slack[j as usize]) {
            used[j as usize] = true;
            all.push(j);
        }
    }
    all
}
