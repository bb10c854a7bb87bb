//! A bound as a finite proof: every guarantee it needs, with the lotteries that give it. Nothing of the
//! solver has to be believed by whoever checks it.

use super::ENDED;
use super::bound::{Bound, after, before};
use super::grid::{self, Belief};
use super::hull::Vector;
use super::mix::{Column, Target, Weights, mix, mix_of_all};
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

/// The place of a guarantee among those found, or of what is to be proved.
type Known = u32;

/// What is to be proved: it need not be a corner.
const GOAL: Known = u32::MAX;

/// Not yet an entry.
const FRESH: u32 = u32::MAX;

struct Extraction<'b, P> {
    bound: &'b Bound<P>,
    /// What was found and when, set by set: all that was found for one is looked at together.
    begin: Vec<u32>,
    found: Vec<(Vector, u32)>,
    /// By the place of a guarantee that was found: its entry.
    ids: Vec<u32>,
    /// By entry: the guarantee, its position and the place of its belief.
    order: Vec<(Known, u32, u32)>,
    goal: Vector,
}

/// What there is to mix: columns, whether they are new to the proof, and where each comes from.
struct Columns<T> {
    columns: Vec<Column>,
    fresh: Vec<bool>,
    from: Vec<T>,
}

impl<T> Columns<T> {
    fn new() -> Columns<T> {
        Columns { columns: Vec::new(), fresh: Vec::new(), from: Vec::new() }
    }

    fn push(&mut self, column: Column, fresh: bool, from: T) {
        self.columns.push(column);
        self.fresh.push(fresh);
        self.from.push(from);
    }
}

/// The weakest column that is enough by itself, rather one that is used already; the first among equals.
struct Single<T>(Option<(bool, i64, T)>);

impl<T> Single<T> {
    fn offer(&mut self, vector: &[i64; 3], target: &Target, fresh: bool, from: T) {
        if (0..3).any(|j| vector[j] * target.over < target.vector[j]) {
            return;
        }
        let sum = vector.iter().sum();
        if self.0.as_ref().is_none_or(|best| (fresh, sum) < (best.0, best.1)) {
            self.0 = Some((fresh, sum, from));
        }
    }
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
        let mut goal = [0; 3];
        goal[..self.dimensions(at)].fill(level);
        let (begin, found) = self.found.sorted();
        let (ids, order) = (vec![FRESH; found.len()], vec![(GOAL, at, belief as u32)]);
        let mut work = Extraction { bound: self, begin, found, ids, order, goal };
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
            let entry = work.entry(known, node, place as usize)?;
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

/// Where a column of the holder's choices comes from.
#[derive(Clone, Copy)]
enum Source {
    /// A move, what was found after it, the position there and the place of the belief.
    Known(u32, Known, u32, u32),
    End(u32, u8),
    Least(u8),
}

impl<P: Copy + Eq + Hash + Send + Sync> Extraction<'_, P> {
    fn id(&mut self, known: Known, at: u32, belief: u32) -> u32 {
        let id = &mut self.ids[known as usize];
        if *id == FRESH {
            *id = self.order.len() as u32;
            self.order.push((known, at, belief));
        }
        *id
    }

    fn vector(&self, known: Known) -> (Vector, u32) {
        if known == GOAL {
            return (self.goal, u32::MAX);
        }
        self.found[known as usize]
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

    /// Calls with every guarantee found for a set on which another may rest: endless play must not go round among
    /// positive ones.
    fn each(&self, own: &(Vector, u32), set: usize, mut call: impl FnMut(Known, bool, &Vector)) {
        let (first, end) = (self.begin[set] as usize, self.begin[set + 1] as usize);
        let any = !positive(&own.0);
        for ((vector, stamp), known) in self.found[first..end].iter().zip(first..) {
            if any || *stamp < own.1 || !positive(vector) {
                call(known as Known, self.ids[known] == FRESH, vector);
            }
        }
    }

    /// One lottery of the holder over moves and what follows.
    fn choose(&mut self, at: u32, belief: &Belief, own: &(Vector, u32)) -> Option<Vec<Use>> {
        let bound = self.bound;
        let types = [bound.types(at), bound.dimensions(at)];
        let target = Target { belief: *belief, vector: own.0.map(i64::from), over: 1, types };
        let mut single = Single(None);
        // Where it is enough to keep the belief, nothing else is looked at.
        self.each_choice(at, own, Some(belief), |column, fresh, from| {
            if column.belief == target.belief {
                single.offer(&column.vector, &target, fresh, from);
            }
        });
        if let Some((_, _, from)) = single.0 {
            return Some(vec![Use { leads: self.leads(from), weight: (1, 1) }]);
        }
        let mut all = Columns::new();
        self.each_choice(at, own, None, |column, fresh, from| all.push(column, fresh, from));
        let (weights, over) = mixture(&all.columns, &all.fresh, &target)?;
        let uses = weights
            .into_iter()
            .map(|(c, w)| Use { leads: self.leads(all.from[c]), weight: reduced(w, over) });
        Some(uses.collect())
    }

    fn leads(&mut self, from: Source) -> Leads {
        match from {
            Source::Known(number, known, position, to) => {
                Leads::Entry { number, entry: self.id(known, position, to) }
            }
            Source::End(number, own) => Leads::End { number, own },
            Source::Least(own) => Leads::Least { number: None, own },
        }
    }

    /// Calls with all that the holder can go to; where a belief is to be kept, of what follows only that with this belief.
    fn each_choice(
        &self,
        at: u32,
        own: &(Vector, u32),
        kept: Option<&Belief>,
        mut call: impl FnMut(Column, bool, Source),
    ) {
        let bound = self.bound;
        let (types, dimensions) = (bound.types(at), bound.dimensions(at));
        let other = 1 - bound.holder;
        let least = -i64::from(bound.graph.most * bound.options.lattice);
        for (m, number) in bound.graph.moves_of(at).iter().zip(0..) {
            let ends = |i: usize| m.next.is_none_or(|n| n.types[bound.holder][i] == ENDED);
            for i in (0..types).filter(|&i| ends(i)) {
                let mut vector = [0; 3];
                for (j, v) in vector.iter_mut().enumerate().take(dimensions) {
                    *v = bound.gain(m, i, j);
                }
                // What is no better than giving in may as well be that.
                if vector[..dimensions].iter().any(|v| *v > least) {
                    call(Column { belief: grid::certain(i), vector }, false, Source::End(number, i as u8));
                }
            }
            let Some(next) = m.next else { continue };
            let there = bound.beliefs(next.position);
            let some = match kept {
                None => 0..there.len(),
                Some(belief) => {
                    let place = after(belief, &next.types[bound.holder]).and_then(|b| grid::find(there, &b));
                    place.map_or(0..0, |place| place..place + 1)
                }
            };
            for to in some {
                let weights = before(&there[to], &next.types[bound.holder]);
                // Against types of the opponent for which the game ends.
                let mut paid = [0; 3];
                for j in (0..dimensions).filter(|&j| next.types[other][j] == ENDED) {
                    let sum: i64 = (0..types).map(|i| weights[i] * bound.gain(m, i, j)).sum();
                    paid[j] = sum.div_euclid(grid::sum(&weights));
                }
                self.each(own, bound.set(next.position, to), |known, fresh, corner| {
                    let mut vector = paid;
                    for (j, v) in vector.iter_mut().enumerate().take(dimensions) {
                        let there = next.types[other][j];
                        if there != ENDED {
                            *v = i64::from(corner[usize::from(there)]);
                        }
                    }
                    let from = Source::Known(number, known, next.position, to as u32);
                    call(Column { belief: weights, vector }, fresh, from);
                });
            }
        }
        for i in 0..types {
            let mut vector = [0; 3];
            vector[..dimensions].fill(least);
            call(Column { belief: grid::certain(i), vector }, false, Source::Least(i as u8));
        }
    }

    /// A lottery for every move of the opponent.
    fn answer(&mut self, at: u32, place: usize, own: &(Vector, u32)) -> Option<Vec<Use>> {
        const CERTAIN: Belief = [1, 0, 0];
        let bound = self.bound;
        let types = bound.types(at);
        let weights = &bound.beliefs(at)[place];
        let dimensions = bound.dimensions(at);
        let other = 1 - bound.holder;
        let least = -i64::from(bound.graph.most * bound.options.lattice);
        let mut uses = Vec::new();
        for (m, number) in bound.graph.moves_of(at).iter().zip(0..) {
            let (Some(next), Some(set)) = (m.next, bound.set_after(at, number as usize, place)) else {
                continue;
            };
            let to = set - bound.set(next.position, 0);
            let size = bound.dimensions(next.position);
            let ends = |i: usize| next.types[bound.holder][i] == ENDED;
            let mass: i64 = (0..types).filter(|&i| !ends(i)).map(|i| weights[i]).sum();
            // What the guarantee there must be at least: numerators over the mass.
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
            let target = Target { belief: CERTAIN, vector: need, over: mass, types: [1, size] };
            let mut low = [0; 3];
            low[..size].fill(least);
            let mut single = Single(None);
            self.each(own, set, |known, fresh, vector| {
                single.offer(&vector.map(i64::from), &target, fresh, Some(known));
            });
            single.offer(&low, &target, false, None);
            let mixed = match single.0 {
                Some((_, _, known)) => vec![(known, 1, 1)],
                None => {
                    let mut all = Columns::new();
                    self.each(own, set, |known, fresh, vector| {
                        let column = Column { belief: CERTAIN, vector: vector.map(i64::from) };
                        all.push(column, fresh, Some(known));
                    });
                    all.push(Column { belief: CERTAIN, vector: low }, false, None);
                    let (mixed, over) = mixture(&all.columns, &all.fresh, &target)?;
                    mixed.into_iter().map(|(c, w)| (all.from[c], w, over)).collect()
                }
            };
            for (known, w, over) in mixed {
                if let Some(known) = known {
                    let entry = self.id(known, next.position, to as u32);
                    uses.push(Use { leads: Leads::Entry { number, entry }, weight: reduced(w, over) });
                    continue;
                }
                // Giving in, with the belief there spread over the types.
                let belief = &bound.beliefs(next.position)[to];
                for (i, &b) in belief.iter().enumerate().filter(|(_, b)| **b > 0) {
                    let own = next.types[bound.holder].iter().position(|t| usize::from(*t) == i);
                    let leads = Leads::Least { number: Some(number), own: own? as u8 };
                    let weight = reduced(w * i128::from(b), over * i128::from(grid::sum(belief)));
                    uses.push(Use { leads, weight });
                }
            }
        }
        uses.shrink_to_fit();
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

/// A lottery with little that is new, where no column is enough by itself: a mixture of used ones, then any.
fn mixture(columns: &[Column], fresh: &[bool], target: &Target) -> Option<Weights> {
    let old: Vec<usize> = (0..columns.len()).filter(|&i| !fresh[i]).collect();
    let few: Vec<Column> = old.iter().map(|&i| columns[i]).collect();
    if let Some((weights, over)) = mix(&few, target) {
        return Some((weights.into_iter().map(|(i, w)| (old[i], w)).collect(), over));
    }
    mix_of_all(columns, target)
}
