//! Exact best responses: what a player gets at most against the others' profile, and how.

use super::{Exploitability, Share, StrategyProfile};
use crate::tree::{Shape, Who};

impl Shape {
    /// What every player gets under a profile, and what it would get by a best response.
    pub fn worth<N: Share>(&self, profile: &StrategyProfile<N>) -> Exploitability<N> {
        let players = 0..self.players();
        Exploitability {
            values: players.clone().map(|p| self.values(p, profile).swap_remove(0)).collect(),
            responses: players.map(|p| self.best_response(p, profile).0).collect(),
        }
    }

    /// What a player gets by a best response to the others' part of a profile, and the profile with that response
    /// in it. Of equally good actions the first is taken.
    pub fn best_response<N: Share>(
        &self,
        player: usize,
        profile: &StrategyProfile<N>,
    ) -> (N, StrategyProfile<N>) {
        let (value, response, _) = self.answered(player, profile);
        (value, response)
    }

    /// The best response, and what each of the player's actions brings if it goes on best, times the probability that the
    /// others let it come to that.
    pub(crate) fn answered<N: Share>(
        &self,
        player: usize,
        profile: &StrategyProfile<N>,
    ) -> (N, StrategyProfile<N>, Vec<N>) {
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
        let mut values = vec![N::from_int(0); self.nodes()];
        let own = self.slots_of(player);
        let mut brings = vec![N::from_int(0); own.len()];
        // Behind a move of the player all is decided when that of later stages is: it forgets nothing.
        for (s, nodes) in by_stage.iter().enumerate().rev() {
            for info in self.infos_of(player).iter().filter(|info| info.stage as usize == s) {
                let slots = info.slots();
                let worth = |a: usize| -> N {
                    let of = |&node: &u32| reach[node as usize].times(&values[self.first_child(node) + a]);
                    self.nodes_of(info).iter().map(of).fold(N::from_int(0), |sum, x| sum.plus(&x))
                };
                let worths: Vec<N> = (0..slots.len()).map(worth).collect();
                let better = |a: usize, b: usize| worths[a].compare(&worths[b]).is_gt();
                let best = (1..worths.len()).fold(0, |b, a| if better(a, b) { a } else { b });
                for (a, slot) in slots.clone().enumerate() {
                    response.0[slot] = N::from_int(i32::from(a == best));
                }
                for &node in self.nodes_of(info) {
                    values[node as usize] = values[self.first_child(node) + best].clone();
                }
                for (slot, worth) in slots.zip(worths) {
                    brings[slot - own.start] = worth;
                }
            }
            for &at in nodes {
                let node = self.node(at);
                match node.who {
                    Who::Player(p) if usize::from(p) == player => {}
                    Who::Over(u) => values[at] = N::from_int(self.payoffs(u)[player]),
                    _ => {
                        let first = node.first as usize;
                        let children = first..first + node.children as usize;
                        let each = children.map(|c| self.probability(c, profile).times(&values[c]));
                        values[at] = each.fold(N::from_int(0), |sum, x| sum.plus(&x));
                    }
                }
            }
        }
        (values.swap_remove(0), response, brings)
    }
}
