//! Exact best responses: what a player gets at most against the others' profile, and how.

use super::{Exploitability, StrategyProfile};
use crate::tree::{Tree, Who};
use yomikiri_core::Hidden;

impl<G: Hidden> Tree<G> {
    /// What every player gets under a profile, and what it would get by a best response.
    pub fn worth(&self, profile: &StrategyProfile) -> Exploitability {
        let players = 0..G::PLAYERS;
        Exploitability {
            values: players.clone().map(|p| self.values(p, profile)[0]).collect(),
            responses: players.map(|p| self.best_response(p, profile).0).collect(),
        }
    }

    /// What a player gets by a best response to the others' part of a profile, and the profile with that response
    /// in it. Of equally good actions the first is taken.
    pub fn best_response(&self, player: usize, profile: &StrategyProfile) -> (f64, StrategyProfile) {
        let reach = self.reach_of_others(player, profile);
        // How many own moves lie before each node; nodes of a level, hence their parents, come in order.
        let mut stage = vec![0u32; self.nodes()];
        for at in 1..self.nodes() {
            let parent = self.node(at).parent as usize;
            stage[at] = stage[parent] + u32::from(self.node(parent).who == Who::Player(player as u8));
        }
        let last = stage.iter().copied().max().unwrap_or(0);
        let mut by_stage = vec![Vec::new(); last as usize + 1];
        for (at, &s) in stage.iter().enumerate().rev() {
            by_stage[s as usize].push(at);
        }
        let mut response = profile.clone();
        let mut values = vec![0.0; self.nodes()];
        // Behind a move of the player all is decided when that of later stages is: it forgets nothing.
        for (s, nodes) in by_stage.iter().enumerate().rev() {
            for info in self.infos_of(player).iter().filter(|info| info.stage as usize == s) {
                let slots = info.slots();
                let worth = |a: usize| -> f64 {
                    let of = |&node: &u32| reach[node as usize] * values[self.first_child(node) + a];
                    self.nodes_of(info).iter().map(of).sum()
                };
                let worths: Vec<f64> = (0..slots.len()).map(worth).collect();
                let best = (1..worths.len()).fold(0, |b, a| if worths[a] > worths[b] { a } else { b });
                for (a, slot) in slots.enumerate() {
                    response.0[slot] = f64::from(u8::from(a == best));
                }
                for &node in self.nodes_of(info) {
                    values[node as usize] = values[self.first_child(node) + best];
                }
            }
            for &at in nodes {
                let node = self.node(at);
                match node.who {
                    Who::Player(p) if usize::from(p) == player => {}
                    Who::Over(u) => values[at] = self.utility(u, player),
                    _ => {
                        let first = node.first as usize;
                        let children = first..first + node.children as usize;
                        values[at] = children.map(|c| self.probability(c, profile) * values[c]).sum();
                    }
                }
            }
        }
        (values[0], response)
    }
}
