//! What happens in a tree when everybody follows a profile, in doubles.

use super::{StrategyProfile, WORTH, normalise};
use crate::tree::{NONE, Tree, Who};
use rayon::prelude::*;
use yomikiri_core::Hidden;

impl<G: Hidden> Tree<G> {
    /// What a player that knows this does under a profile: actions and their probabilities; `None` if it cannot
    /// come to know it.
    pub fn strategy<'a>(
        &'a self,
        profile: &'a StrategyProfile,
        player: u8,
        info: &G::Info,
    ) -> Option<impl Iterator<Item = (G::Action, f64)> + 'a> {
        let info = self.find(player, info)?;
        Some(info.slots().map(|slot| (self.actions()[slot], profile.0[slot])))
    }

    /// The profile in which every action is as likely as any other of the same player at the same moment.
    pub fn uniform(&self) -> StrategyProfile {
        self.profile(|_, _, _| 1.0)
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

    /// The value of every node for a player if all follow a profile.
    pub(super) fn values(&self, player: usize, profile: &StrategyProfile) -> Vec<f64> {
        let mut values = vec![0.0; self.nodes()];
        for level in self.levels().windows(2).rev() {
            let (done, below) = values.split_at_mut(level[1]);
            let here = done[level[0]..].par_iter_mut().enumerate().with_min_len(WORTH);
            here.for_each(|(i, value)| {
                let node = self.node(level[0] + i);
                if let Who::Over(at) = node.who {
                    *value = self.utility(at, player);
                    return;
                }
                let first = node.first as usize;
                let children = first..first + node.children as usize;
                let sum = |sum, c: usize| sum + self.probability(c, profile) * below[c - level[1]];
                *value = children.fold(0.0, sum);
            });
        }
        values
    }

    /// With which probability a node is chosen at its parent.
    pub(super) fn probability(&self, child: usize, profile: &StrategyProfile) -> f64 {
        let child = self.node(child);
        if child.slot == NONE { child.chance } else { profile.0[child.slot as usize] }
    }

    /// The probability of every node if a player does everything to come there, the others following a profile.
    pub(super) fn reach_of_others(&self, player: usize, profile: &StrategyProfile) -> Vec<f64> {
        let mut reach = vec![1.0; self.nodes()];
        for level in self.levels().windows(2).skip(1) {
            let (above, here) = reach.split_at_mut(level[0]);
            let here = here[..level[1] - level[0]].par_iter_mut().enumerate().with_min_len(WORTH);
            here.for_each(|(i, reach)| {
                let at = level[0] + i;
                let parent = self.node(at).parent as usize;
                let mine = self.node(parent).who == Who::Player(player as u8);
                *reach = above[parent] * if mine { 1.0 } else { self.probability(at, profile) };
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
