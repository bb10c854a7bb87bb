//! What happens in a tree when everybody follows a profile, in doubles or in fractions.

use super::{StrategyProfile, WORTH, normalise};
use crate::tree::{NONE, Shape, Tree, Who};
use rayon::prelude::*;
use yomikiri_core::{Hidden, Number, Rational};

/// A number that is a probability or what somebody gets: a double, or a fraction where every digit counts.
pub trait Share: Number {
    /// The sum.
    fn plus(&self, other: &Self) -> Self;
    /// The product.
    fn times(&self, other: &Self) -> Self;
    /// The probability of an outcome of chance, from its double, its weight and the weights of all.
    fn of_chance(double: f64, weight: u32, total: impl Fn() -> u64) -> Self;
}

impl Share for f64 {
    fn plus(&self, other: &f64) -> f64 {
        self + other
    }
    fn times(&self, other: &f64) -> f64 {
        self * other
    }
    fn of_chance(double: f64, _: u32, _: impl Fn() -> u64) -> f64 {
        double
    }
}

impl Share for Rational {
    fn plus(&self, other: &Rational) -> Rational {
        self + other
    }
    fn times(&self, other: &Rational) -> Rational {
        self * other
    }
    fn of_chance(_: f64, weight: u32, total: impl Fn() -> u64) -> Rational {
        Rational::new(weight.into(), total().into())
    }
}

impl<G: Hidden> Tree<G> {
    /// What a player that knows this does under a profile: actions and their probabilities; `None` if it cannot
    /// come to know it.
    pub fn strategy<'a, N: Share>(
        &'a self,
        profile: &'a StrategyProfile<N>,
        player: u8,
        info: &G::Info,
    ) -> Option<impl Iterator<Item = (G::Action, N)> + 'a> {
        let info = self.find(player, info)?;
        Some(info.slots().map(|slot| (self.actions()[slot], profile.0[slot].clone())))
    }

    /// A profile from weights: how a player that knows this weighs an action. Where all weights are 0, every action is
    /// equally likely.
    pub fn profile(&self, weight: impl Fn(u8, &G::Info, G::Action) -> f64) -> StrategyProfile {
        let mut weights = vec![0.0; self.slots()];
        for (player, name, info) in self.named() {
            let slots = info.slots();
            for slot in slots.clone() {
                weights[slot] = weight(player, name, self.actions()[slot]).max(0.0);
            }
            normalise(&mut weights[slots]);
        }
        StrategyProfile(weights)
    }

    /// A profile from probabilities in fractions, which must add up to 1 for everything a player may know.
    pub fn exact_profile(
        &self,
        share: impl Fn(u8, &G::Info, G::Action) -> Rational,
    ) -> StrategyProfile<Rational> {
        let mut shares = vec![Rational::from_int(0); self.slots()];
        for (player, name, info) in self.named() {
            for slot in info.slots() {
                shares[slot] = share(player, name, self.actions()[slot]);
            }
        }
        StrategyProfile(shares)
    }
}

impl Shape {
    /// The profile in which every action is as likely as any other of the same player at the same moment.
    pub fn uniform(&self) -> StrategyProfile {
        let mut weights = vec![1.0; self.slots()];
        for info in self.infos() {
            normalise(&mut weights[info.slots()]);
        }
        StrategyProfile(weights)
    }

    /// The value of every node for a player if all follow a profile.
    pub(super) fn values<N: Share>(&self, player: usize, profile: &StrategyProfile<N>) -> Vec<N> {
        let mut values = vec![N::from_int(0); self.nodes()];
        for level in self.levels().windows(2).rev() {
            let (done, below) = values.split_at_mut(level[1]);
            let here = done[level[0]..].par_iter_mut().enumerate().with_min_len(WORTH);
            here.for_each(|(i, value)| {
                let node = self.node(level[0] + i);
                if let Who::Over(at) = node.who {
                    *value = N::from_int(self.payoffs(at)[player]);
                    return;
                }
                let first = node.first as usize;
                let children = first..first + node.children as usize;
                let sum =
                    |sum: N, c: usize| sum.plus(&self.probability(c, profile).times(&below[c - level[1]]));
                *value = children.fold(N::from_int(0), sum);
            });
        }
        values
    }

    /// With which probability a node is chosen at its parent.
    pub(super) fn probability<N: Share>(&self, child: usize, profile: &StrategyProfile<N>) -> N {
        let child = self.node(child);
        if child.slot != NONE {
            return profile.0[child.slot as usize].clone();
        }
        N::of_chance(child.chance, child.weight, || {
            let above = self.node(child.parent as usize);
            let all = above.first as usize..(above.first + above.children) as usize;
            all.map(|c| u64::from(self.node(c).weight)).sum()
        })
    }

    /// The probability of every node if a player does everything to come there, the others following a profile.
    pub(crate) fn reach_of_others<N: Share>(&self, player: usize, profile: &StrategyProfile<N>) -> Vec<N> {
        let mut reach = vec![N::from_int(1); self.nodes()];
        for level in self.levels().windows(2).skip(1) {
            let (above, here) = reach.split_at_mut(level[0]);
            let here = here[..level[1] - level[0]].par_iter_mut().enumerate().with_min_len(WORTH);
            here.for_each(|(i, reach)| {
                let at = level[0] + i;
                let parent = self.node(at).parent as usize;
                let mine = self.node(parent).who == Who::Player(player as u8);
                *reach = match mine {
                    true => above[parent].clone(),
                    false => above[parent].times(&self.probability(at, profile)),
                };
            });
        }
        reach
    }

    /// For every slot of a player: the product of its own probabilities on the way there and of the action.
    pub(super) fn own_reach(&self, player: usize, profile: &[f64]) -> Vec<f64> {
        let slots = self.slots_of(player);
        let mut reach = vec![0.0; slots.len()];
        for info in self.infos_of(player) {
            let before = if info.before == NONE { 1.0 } else { reach[info.before as usize - slots.start] };
            for slot in info.slots() {
                reach[slot - slots.start] = before * profile[slot];
            }
        }
        reach
    }
}
