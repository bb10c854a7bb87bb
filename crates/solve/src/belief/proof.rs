//! A bound as a finite proof: every guarantee it needs, with the lotteries that give it. Nothing of the
//! solver has to be believed by whoever checks it.

use super::bound::{Bound, before};
use super::grid::{self, Belief};
use super::hull::Vector;
use super::mix::{Column, Target, mix, mix_of_all};
use super::{ENDED, PublicMove};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use yomikiri_core::{Error, Run, text};

/// What a lottery leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leads {
    /// A move, and the guarantee that is used after it.
    Entry {
        /// The number of the move.
        number: u32,
        /// The number of the entry.
        entry: u32,
    },
    /// A move of the holder that ends the game for this type of the holder.
    End {
        /// The number of the move.
        number: u32,
        /// The type of the holder.
        own: u8,
    },
    /// Giving in: the smallest payoff, with this type of the holder; after a move of the opponent.
    Least {
        /// The number of the move, if the opponent has moved.
        number: Option<u32>,
        /// The type of the holder, as it was before the move.
        own: u8,
    },
}

/// A part of a lottery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// Where it leads.
    pub leads: Leads,
    /// Its weight as a fraction.
    pub weight: (i128, i128),
}

/// A guarantee with its reason. If the holder is to move, its uses are one lottery; else one lottery for
/// each move of the opponent after which the game may go on.
#[derive(Clone, Debug)]
pub struct Guarantee {
    /// The number of the position in the graph.
    pub at: u32,
    /// The belief about the holder, in smallest weights.
    pub belief: Belief,
    /// The guarantees in lattice steps.
    pub vector: Vector,
    /// What the holder does or answers, with which weights.
    pub uses: Vec<Use>,
}

/// A finite proof; the first entry is what is proved.
pub struct Proof {
    /// What is proved, then everything it rests on.
    pub entries: Vec<Guarantee>,
}

/// A guarantee among those found: the set and its number there.
type Known = (u32, u32);

struct Extraction<'b, P> {
    bound: &'b Bound<P>,
    ids: FxHashMap<Known, u32>,
    order: Vec<(Known, u32, usize)>,
    /// By set: which of the found are used.
    used: Vec<Vec<u32>>,
    /// Guarantees asked for that are not corners: the start.
    extra: Option<(Vector, u32)>,
}

fn positive(v: &Vector) -> bool {
    v.iter().any(|c| *c > 0)
}

impl<P: Copy + Eq + Hash + Send + Sync> Bound<P> {
    /// The proof that the holder, starting at a position with a belief of the grid, gets so many lattice
    /// steps against every type.
    ///
    /// # Errors
    /// [`Error::Proof`] if no lottery gives what the bound says, [`Error::Cancelled`].
    pub fn prove(&self, at: u32, belief: usize, level: i32, run: &Run<'_>) -> Result<Proof, Error> {
        let mut vector = [0; 3];
        vector[..self.dimensions(at)].fill(level);
        let mut work = Extraction {
            bound: self,
            ids: FxHashMap::default(),
            order: Vec::new(),
            used: vec![Vec::new(); self.sets.len()],
            extra: Some((vector, u32::MAX)),
        };
        let start = self.set(at, belief) as u32;
        work.id((start, u32::MAX), at, belief);
        let mut entries: Vec<Option<Guarantee>> = Vec::new();
        let mut pending = vec![0u32];
        run.observer.begin(&text("certificate", "証明書"), 0);
        let mut done = 0;
        while let Some(id) = pending.pop() {
            done += 1;
            if done % 512 == 0 {
                run.check()?;
                run.observer.done(done);
            }
            let (known, node, place) = work.order[id as usize];
            let known_before = work.order.len() as u32;
            let entry = work.entry(known, node, place)?;
            pending.extend((known_before..work.order.len() as u32).rev());
            if entries.len() < work.order.len() {
                entries.resize(work.order.len(), None);
            }
            entries[id as usize] = Some(entry);
        }
        run.observer.end();
        Ok(Proof { entries: entries.into_iter().flatten().collect() })
    }
}

impl<P: Copy + Eq + Hash + Send + Sync> Extraction<'_, P> {
    fn id(&mut self, known: Known, at: u32, belief: usize) -> u32 {
        if let Some(&id) = self.ids.get(&known) {
            return id;
        }
        let id = self.order.len() as u32;
        self.ids.insert(known, id);
        self.order.push((known, at, belief));
        if known.1 != u32::MAX {
            self.used[known.0 as usize].push(known.1);
        }
        id
    }

    fn vector(&self, known: Known) -> (Vector, u32) {
        match self.extra {
            Some(extra) if known.1 == u32::MAX => extra,
            _ => {
                let f = &self.bound.found[known.0 as usize][known.1 as usize];
                (f.vector, f.stamp)
            }
        }
    }

    /// Whether a guarantee may rest on another: endless play must not go round among positive ones.
    fn may(&self, own: &(Vector, u32), other: Known) -> bool {
        let (vector, stamp) = self.vector(other);
        !positive(&own.0) || !positive(&vector) || stamp < own.1
    }

    fn entry(&mut self, known: Known, at: u32, place: usize) -> Result<Guarantee, Error> {
        let own = self.vector(known);
        let belief = self.bound.beliefs(at)[place];
        let uses = if self.bound.holds_turn(at) {
            self.choose(at, &belief, &own)
        } else {
            self.answer(at, place, &own)
        };
        match uses {
            Some(uses) => Ok(Guarantee { at, belief, vector: own.0, uses }),
            None => Err(Error::Proof(format!("no lottery found for {:?} at {at} {belief:?}", own.0))),
        }
    }

    /// One lottery of the holder over moves and what follows.
    fn choose(&mut self, at: u32, belief: &Belief, own: &(Vector, u32)) -> Option<Vec<Use>> {
        enum From {
            Known(Known, u32, usize),
            End(u8),
            Least(u8),
        }
        let bound = self.bound;
        let (types, dimensions) = (bound.types(at), bound.dimensions(at));
        let other = 1 - bound.holder;
        let mut columns: Vec<Column> = Vec::new();
        let mut from: Vec<(u32, From)> = Vec::new();
        let mut fresh: Vec<bool> = Vec::new();
        let moves: Vec<PublicMove<u32>> = bound.graph.moves_of(at).to_vec();
        let least = -i64::from(bound.graph.most * bound.options.lattice);
        for (number, m) in moves.iter().enumerate() {
            let ends = |i: usize| m.next.is_none_or(|n| n.types[bound.holder][i] == ENDED);
            for i in (0..types).filter(|&i| ends(i)) {
                let mut vector = [0; 3];
                for (j, v) in vector.iter_mut().enumerate().take(dimensions) {
                    *v = bound.gain(m, i, j);
                }
                // What is no better than giving in may as well be that.
                if vector[..dimensions].iter().any(|v| *v > least) {
                    columns.push(Column { belief: grid::certain(i), vector });
                    from.push((number as u32, From::End(i as u8)));
                    fresh.push(false);
                }
            }
            let Some(next) = m.next else { continue };
            for (to, there) in bound.beliefs(next.position).iter().enumerate() {
                let weights = before(there, &next.types[bound.holder]);
                let set = bound.set(next.position, to) as u32;
                for k in 0..bound.found[set as usize].len() as u32 {
                    if !self.may(own, (set, k)) {
                        continue;
                    }
                    let corner = bound.found[set as usize][k as usize].vector;
                    let mut vector = [0; 3];
                    for (j, v) in vector.iter_mut().enumerate().take(dimensions) {
                        let there = next.types[other][j];
                        *v = if there == ENDED {
                            let sum: i64 = (0..types).map(|i| weights[i] * bound.gain(m, i, j)).sum();
                            sum.div_euclid(grid::sum(&weights))
                        } else {
                            i64::from(corner[usize::from(there)])
                        };
                    }
                    columns.push(Column { belief: weights, vector });
                    from.push((number as u32, From::Known((set, k), next.position, to)));
                    fresh.push(!self.ids.contains_key(&(set, k)));
                }
            }
        }
        for i in 0..types {
            let mut vector = [0; 3];
            vector[..dimensions].fill(least);
            columns.push(Column { belief: grid::certain(i), vector });
            from.push((0, From::Least(i as u8)));
            fresh.push(false);
        }
        let target =
            Target { belief: *belief, vector: own.0.map(i64::from), over: 1, types: [types, dimensions] };
        let (weights, over) = lottery(&columns, &fresh, &target)?;
        let mut uses = Vec::new();
        for (c, w) in weights {
            let leads = match &from[c] {
                (number, From::Known(known, position, to)) => {
                    let entry = self.id(*known, *position, *to);
                    Leads::Entry { number: *number, entry }
                }
                (number, From::End(own)) => Leads::End { number: *number, own: *own },
                (_, From::Least(own)) => Leads::Least { number: None, own: *own },
            };
            uses.push(Use { leads, weight: reduced(w, over) });
        }
        Some(uses)
    }

    /// A lottery for every move of the opponent.
    fn answer(&mut self, at: u32, place: usize, own: &(Vector, u32)) -> Option<Vec<Use>> {
        let bound = self.bound;
        let types = bound.types(at);
        let weights = &bound.beliefs(at)[place];
        let dimensions = bound.dimensions(at);
        let other = 1 - bound.holder;
        let moves: Vec<PublicMove<u32>> = bound.graph.moves_of(at).to_vec();
        let mut uses = Vec::new();
        for (number, m) in moves.iter().enumerate() {
            let (Some(next), Some(set)) = (m.next, bound.set_after(at, number, place)) else { continue };
            let to = set - bound.set(next.position, 0);
            let size = bound.dimensions(next.position);
            let ends = |i: usize| next.types[bound.holder][i] == ENDED;
            let mass: i64 = (0..types).filter(|&i| !ends(i)).map(|i| weights[i]).sum();
            // What the guarantee there must be at least: numerators over the mass.
            let least = -i64::from(bound.graph.most * bound.options.lattice);
            let mut need = [0; 3];
            need[..size].fill(least * mass);
            for j in 0..dimensions {
                let to = next.types[other][j];
                if to != ENDED {
                    let paid: i64 =
                        (0..types).filter(|&i| ends(i)).map(|i| weights[i] * bound.gain(m, i, j)).sum();
                    let rest = i64::from(own.0[j]) * grid::sum(weights) - paid;
                    need[usize::from(to)] = need[usize::from(to)].max(rest);
                }
            }
            let set = set as u32;
            let mut columns = Vec::new();
            let mut from: Vec<Option<u32>> = Vec::new();
            let mut fresh = Vec::new();
            for k in 0..bound.found[set as usize].len() as u32 {
                if self.may(own, (set, k)) {
                    let vector = bound.found[set as usize][k as usize].vector.map(i64::from);
                    columns.push(Column { belief: [1, 0, 0], vector });
                    from.push(Some(k));
                    fresh.push(!self.ids.contains_key(&(set, k)));
                }
            }
            let mut low = [0; 3];
            low[..size].fill(least);
            columns.push(Column { belief: [1, 0, 0], vector: low });
            from.push(None);
            fresh.push(false);
            let target = Target { belief: [1, 0, 0], vector: need, over: mass, types: [1, size] };
            let (mixed, over) = lottery(&columns, &fresh, &target)?;
            for (c, w) in mixed {
                match from[c] {
                    Some(k) => {
                        let entry = self.id((set, k), next.position, to);
                        let leads = Leads::Entry { number: number as u32, entry };
                        uses.push(Use { leads, weight: reduced(w, over) });
                    }
                    None => {
                        // Giving in, with the belief there spread over the types.
                        let belief = &bound.beliefs(next.position)[to];
                        for (i, &b) in belief.iter().enumerate().filter(|(_, b)| **b > 0) {
                            let own = next.types[bound.holder].iter().position(|t| usize::from(*t) == i);
                            let leads = Leads::Least { number: Some(number as u32), own: own? as u8 };
                            let weight = reduced(w * i128::from(b), over * i128::from(grid::sum(belief)));
                            uses.push(Use { leads, weight });
                        }
                    }
                }
            }
        }
        Some(uses)
    }
}

fn reduced(num: i128, den: i128) -> (i128, i128) {
    let (mut a, mut b) = (num, den);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (num / a, den / a)
}

/// A lottery with little that is new: one column that is used already, then the weakest one column, then a
/// mixture of used ones, then any.
fn lottery(columns: &[Column], fresh: &[bool], target: &Target) -> Option<(Vec<(usize, i128)>, i128)> {
    let enough = |c: &Column| {
        c.belief == target.belief && (0..3).all(|j| c.vector[j] * target.over >= target.vector[j])
    };
    let sum = |c: &Column| c.vector.iter().sum::<i64>();
    let single =
        (0..columns.len()).filter(|&i| enough(&columns[i])).min_by_key(|&i| (fresh[i], sum(&columns[i]), i));
    if let Some(i) = single {
        return Some((vec![(i, 1)], 1));
    }
    let old: Vec<usize> = (0..columns.len()).filter(|&i| !fresh[i]).collect();
    let few: Vec<Column> = old.iter().map(|&i| columns[i]).collect();
    if let Some((weights, over)) = mix(&few, target) {
        return Some((weights.into_iter().map(|(i, w)| (old[i], w)).collect(), over));
    }
    mix_of_all(columns, target)
}
