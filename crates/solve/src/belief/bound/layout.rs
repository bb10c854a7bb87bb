//! Which beliefs each position has, and what it leads to by belief.

use super::{Bound, after, before, common};
use crate::belief::convex::Convex;
use crate::belief::grid::{self, Belief};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use yomikiri_core::{Error, Run};

/// What a position leads to, by belief. Most positions have the same beliefs, so that they share what they lead to.
#[derive(Clone, Debug)]
pub enum Fan {
    /// The opponent moves: for each move, the place of the belief after it by the belief here; nothing if the game ends.
    Answers(Vec<Arc<[u16]>>),
    /// The holder moves: it leaves one of these beliefs, as they are told here.
    Choices {
        /// The beliefs.
        beliefs: Arc<[Belief]>,
        /// For each move with a position after it, in order: the places of the beliefs of that position.
        places: Vec<Arc<[u16]>>,
    },
}

/// In [`Fan::Answers`]: the game cannot go on after the move.
pub const NOWHERE: u16 = u16::MAX;

/// Positions whose fans are made at once, before what they share is found.
const AT_ONCE: usize = 1 << 11;

/// Lists that are kept once each.
#[derive(Default)]
struct Shared {
    places: FxHashSet<Arc<[u16]>>,
    beliefs: FxHashSet<Arc<[Belief]>>,
}

fn once<T: ?Sized + Eq + Hash>(of: &mut FxHashSet<Arc<T>>, list: &mut Arc<T>) {
    match of.get(list) {
        Some(known) => *list = known.clone(),
        None => {
            of.insert(list.clone());
        }
    }
}

impl Shared {
    fn fan(&mut self, mut fan: Fan) -> Fan {
        match &mut fan {
            Fan::Answers(places) => places.iter_mut().for_each(|list| once(&mut self.places, list)),
            Fan::Choices { beliefs, places } => {
                once(&mut self.beliefs, beliefs);
                places.iter_mut().for_each(|list| once(&mut self.places, list));
            }
        }
        fan
    }
}

impl<P: Copy + Eq + Hash + Send + Sync> Bound<P> {
    /// Gives every position its beliefs: the common ones and those that were added there. What is known of a
    /// belief that was there before stays; of the others nothing is known but the smallest payoff.
    pub(in crate::belief) fn lay_out(&mut self, run: &Run<'_>) -> Result<(), Error> {
        let holder = self.holder;
        let most_types = self.graph.nodes.iter().map(|n| usize::from(n.types[holder])).max().unwrap_or(1);
        let mut added: FxHashMap<u32, Vec<Belief>> = FxHashMap::default();
        for &(at, belief) in &self.extra {
            added.entry(at).or_default().push(belief);
            if !self.holds_turn(at) {
                // The opponent's moves keep the belief, or rule out a type: it must be there after them too.
                for next in self.graph.moves_of(at).iter().filter_map(|m| m.next) {
                    let belief = after(&belief, &next.types[holder]);
                    added.entry(next.position).or_default().extend(belief);
                }
            }
        }
        let mut lists = common(&self.options.beliefs, most_types);
        let (mut first, mut list) = (Vec::with_capacity(self.graph.nodes.len() + 1), Vec::new());
        let mut count = 0;
        for (node, at) in self.graph.nodes.iter().zip(0..) {
            first.push(count as u32);
            let types = usize::from(node.types[holder]);
            let own = match added.remove(&at) {
                None => types,
                Some(mut own) => {
                    own.extend(&lists[types]);
                    grid::arrange(&mut own);
                    own.shrink_to_fit();
                    lists.push(own);
                    lists.len() - 1
                }
            };
            list.push(own as u32);
            count += lists[own].len();
        }
        first.push(count as u32);
        // What a set takes in the end, roughly, with what is remembered of it.
        run.fits(count as u64 * TAKES + self.graph.nodes.len() as u64 * 1024)?;
        let least = -self.graph.most * self.options.lattice;
        let mut sets = Vec::with_capacity(count);
        let mut from: Vec<Option<usize>> = Vec::with_capacity(count);
        let mut grown = vec![false; self.graph.nodes.len()];
        for at in 0..self.graph.nodes.len() {
            let dimensions = self.dimensions(at as u32);
            let mut low = [0; 3];
            low[..dimensions].fill(least);
            let mut old = match self.first.get(at) {
                Some(first) => (*first as usize..).zip(&self.lists[self.list[at] as usize]),
                None => (0..).zip(&[]),
            }
            .peekable();
            for belief in &lists[list[at] as usize] {
                let known = old.next_if(|(_, known)| *known == belief).map(|(set, _)| set);
                sets.push(match known {
                    Some(set) => std::mem::take(&mut self.sets[set]),
                    None => Convex::new(dimensions, &[low]),
                });
                from.push(known);
                grown[at] |= known.is_none();
            }
        }
        self.found.arrange(from.iter().copied());
        self.work.dirty = from.iter().map(|set| AtomicBool::new(set.is_none())).collect();
        (self.first, self.lists, self.list, self.sets) = (first, lists, list, sets);
        // What a position leads to changes with its own beliefs and with those after its moves.
        let mut stale = grown.clone();
        for at in (0..grown.len()).filter(|&at| grown[at]) {
            self.graph.back[at].iter().for_each(|(before, _)| stale[*before as usize] = true);
        }
        let stale: Vec<u32> = (0..grown.len() as u32).filter(|&at| stale[at as usize]).collect();
        self.fans.resize(grown.len(), Fan::Answers(Vec::new()));
        let mut shared = Shared::default();
        for some in stale.chunks(AT_ONCE) {
            let fans: Vec<Fan> = some.par_iter().map(|&at| self.fan(at)).collect();
            for (&at, fan) in some.iter().zip(fans) {
                self.fans[at as usize] = shared.fan(fan);
            }
        }
        Ok(())
    }

    fn fan(&self, at: u32) -> Fan {
        let moves = self.graph.moves_of(at).iter();
        let nexts = moves.map(|m| m.next.map(|n| (n.position, n.types[self.holder])));
        if !self.holds_turn(at) {
            let place = |position: u32, belief: &Belief| {
                grid::find(self.beliefs(position), belief).map(|place| place as u16)
            };
            let there = |next: Option<(u32, [u8; 3])>| -> Arc<[u16]> {
                let Some((to, types)) = next else { return Arc::default() };
                let here = self.beliefs(at).iter();
                here.map(|b| after(b, &types).and_then(|b| place(to, &b)).unwrap_or(NOWHERE)).collect()
            };
            return Fan::Answers(nexts.map(there).collect());
        }
        let mut beliefs: Vec<Belief> = (0..self.types(at)).map(grid::certain).collect();
        let nexts: Vec<(u32, [u8; 3])> = nexts.flatten().collect();
        for (to, types) in &nexts {
            beliefs.extend(self.beliefs(*to).iter().map(|b| before(b, types)));
        }
        grid::arrange(&mut beliefs);
        let place = |b: &Belief| grid::find(&beliefs, b).unwrap_or_default() as u16;
        let places = nexts
            .iter()
            .map(|(to, types)| self.beliefs(*to).iter().map(|b| place(&before(b, types))).collect())
            .collect();
        Fan::Choices { beliefs: beliefs.into(), places }
    }
}

/// Bytes a set takes in the end, roughly, with what is remembered of it.
const TAKES: u64 = 200;
