//! CFR+ for any game with hidden information: every player plays against the others and then plays more often what it
//! regrets not having played. The average play approaches an equilibrium for two players of opposite interests; for more players
//! nothing is promised, so what is reached is measured by exact best responses.
//!
//! A pass over the tree is cut by levels and by information, and every sum is added up by one thread in one order:
//! the same bits come out for any number of threads.

mod play;
mod response;

pub use play::Share;

use crate::on_threads;
use crate::tree::{self, Shape, Tree};
use rayon::prelude::*;
use yomikiri_core::{Error, Hidden, Run, Text};

/// Nodes or pieces of information below which a second thread costs more than it helps.
const WORTH: usize = 2048;

/// Regret that is not above this, for information that is certain to come up, is none: else rounding would choose
/// between equally good actions.
pub const ROUNDING: f64 = 1e-12;

/// What every player does, for all it may know: the probability of each action.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategyProfile<N = f64>(pub(crate) Vec<N>);

/// How good a profile is: what the players get, and what each could get by leaving it.
#[derive(Clone, Debug, PartialEq)]
pub struct Exploitability<N = f64> {
    /// What each player gets.
    pub values: Vec<N>,
    /// What each player would get by a best response to the others.
    pub responses: Vec<N>,
}

impl<N: Share> Exploitability<N> {
    /// What each player could gain by a best response.
    pub fn gains(&self) -> Vec<N> {
        self.responses
            .iter()
            .zip(&self.values)
            .map(|(response, value)| response.plus(&value.negate()))
            .collect()
    }

    /// The largest gain of a player: 0 in an equilibrium.
    pub fn gain(&self) -> N {
        let larger = |a: N, b: N| if b.compare(&a).is_gt() { b } else { a };
        self.gains().into_iter().fold(N::from_int(0), larger)
    }
}

/// The state of CFR+ after some rounds.
pub struct Regret<G: Hidden> {
    tree: Tree<G>,
    learnt: Learnt,
}

/// What the players of a tree have learnt.
struct Learnt {
    /// For every action: how much better it would have been, never below 0.
    regret: Vec<f64>,
    /// For every action: how often it was played, later rounds counting more.
    played: Vec<f64>,
    now: StrategyProfile,
    rounds: u64,
}

impl<G: Hidden> Regret<G> {
    /// Lays out the game.
    ///
    /// # Errors
    /// The same as [`Tree::new`].
    pub fn new(game: &G, run: &Run<'_>) -> Result<Regret<G>, Error> {
        let tree = Tree::new(game, run)?;
        let learnt = Learnt::new(&tree);
        Ok(Regret { tree, learnt })
    }

    /// The tree it works on.
    pub fn tree(&self) -> &Tree<G> {
        &self.tree
    }

    /// Rounds played so far.
    pub fn rounds(&self) -> u64 {
        self.learnt.rounds
    }

    /// Plays more rounds.
    ///
    /// # Errors
    /// [`Error::Cancelled`], [`Error::Threads`].
    pub fn play(&mut self, rounds: u64, run: &Run<'_>) -> Result<(), Error> {
        self.learnt.play(&self.tree, rounds, run)
    }

    /// Plays until nobody could gain more than so much, but no more than `most` rounds; the profile and its worth.
    ///
    /// # Errors
    /// The same as [`Regret::play`].
    pub fn approach(
        &mut self,
        gain: f64,
        most: u64,
        run: &Run<'_>,
    ) -> Result<(StrategyProfile, Exploitability), Error> {
        self.learnt.approach(&self.tree, gain, most, run)
    }

    /// The average play so far: what approaches an equilibrium.
    pub fn average(&self) -> StrategyProfile {
        self.learnt.average(&self.tree)
    }
}

/// The average play on a tree after as many rounds as it takes until nobody could gain more than so much, but no more than
/// `most`, and how many it took.
///
/// # Errors
/// The same as [`Regret::play`].
pub(crate) fn approached(
    tree: &Shape,
    gain: f64,
    most: u64,
    run: &Run<'_>,
) -> Result<(StrategyProfile, u64), Error> {
    let mut learnt = Learnt::new(tree);
    let (average, _) = learnt.approach(tree, gain, most, run)?;
    Ok((average, learnt.rounds))
}

impl Learnt {
    fn new(tree: &Shape) -> Learnt {
        let slots = tree.slots();
        Learnt { regret: vec![0.0; slots], played: vec![0.0; slots], now: tree.uniform(), rounds: 0 }
    }

    fn play(&mut self, tree: &Shape, rounds: u64, run: &Run<'_>) -> Result<(), Error> {
        let what = format!("CFR+, {} nodes", tree.nodes());
        run.observer.begin(&Text::of(what, format!("CFR+、{} 節点", tree.nodes())), rounds);
        on_threads(run, || {
            for round in 0..rounds {
                run.check()?;
                run.observer.done(round);
                self.round(tree);
            }
            Ok::<(), Error>(())
        })??;
        run.observer.end();
        Ok(())
    }

    fn approach(
        &mut self,
        tree: &Shape,
        gain: f64,
        most: u64,
        run: &Run<'_>,
    ) -> Result<(StrategyProfile, Exploitability), Error> {
        loop {
            let more = (self.rounds.max(16) / 2).min(most - self.rounds.min(most));
            self.play(tree, more, run)?;
            let average = self.average(tree);
            let worth = tree.worth(&average);
            if worth.gain() <= gain || self.rounds >= most {
                return Ok((average, worth));
            }
        }
    }

    fn average(&self, tree: &Shape) -> StrategyProfile {
        let mut average = self.played.clone();
        for info in tree.infos() {
            normalise(&mut average[info.slots()]);
        }
        StrategyProfile(average)
    }

    /// One round: every player in turn regrets against what the others do now, and changes.
    fn round(&mut self, tree: &Shape) {
        self.rounds += 1;
        for player in 0..tree.players() {
            let values = tree.values(player, &self.now);
            let reach = tree.reach_of_others(player, &self.now);
            let mine = tree.infos_of(player);
            // The actions of a player lie in one piece, so they can be handed out.
            let slots = tree.slots_of(player);
            let mut pieces = cut(&mut self.regret[slots.clone()], mine);
            pieces.par_iter_mut().zip(mine).with_min_len(WORTH).for_each(|(regret, info)| {
                let mut all = 0.0;
                for &node in tree.nodes_of(info) {
                    let (here, first) = (values[node as usize], tree.first_child(node));
                    let weight = reach[node as usize];
                    all += weight;
                    for (a, r) in regret.iter_mut().enumerate() {
                        *r += weight * (values[first + a] - here);
                    }
                }
                for r in regret.iter_mut() {
                    *r = if *r > ROUNDING * all { *r } else { 0.0 };
                }
            });
            for info in mine {
                let range = info.slots();
                self.now.0[range.clone()].copy_from_slice(&self.regret[range.clone()]);
                normalise(&mut self.now.0[range]);
            }
            // What is played counts with the probability that the player lets it come to it.
            let own = tree.own_reach(player, &self.now.0);
            let weight = self.rounds as f64;
            for slot in slots.clone() {
                self.played[slot] += weight * own[slot - slots.start];
            }
        }
    }
}

/// The parts of a slice that belong to each piece of information of a player.
fn cut<'a>(mut all: &'a mut [f64], infos: &[tree::Info]) -> Vec<&'a mut [f64]> {
    let mut parts = Vec::with_capacity(infos.len());
    for info in infos {
        let (part, rest) = all.split_at_mut(info.slots().len());
        parts.push(part);
        all = rest;
    }
    parts
}

/// Scales weights to probabilities; where all are 0, every action is equally likely.
fn normalise(weights: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    let n = weights.len() as f64;
    for w in weights {
        *w = if sum > 0.0 { *w / sum } else { 1.0 / n };
    }
}
