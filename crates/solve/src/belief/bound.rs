//! What one player, the holder, can be sure to get: for every position and every belief about the holder's
//! type a convex set of vectors, one guarantee for each type of the opponent.
//!
//! Floating point numbers only propose corners. A corner is kept if whole-number arithmetic confirms it, and
//! is rounded down to a lattice, so every set holds nothing but true guarantees.

pub(super) mod choices;
pub(super) mod layout;
mod lotteries;

use super::convex::{self, Convex, Tidying};
use super::finds::Finds;
use super::grid::{self, Belief, Envelope, Over};
use super::halves::{Half, Halves};
use super::hull::{self, Meeting, Plane, Vector, dot, real};
use super::{ENDED, PublicGraph, PublicMove};
use choices::{Choices, Print};
use layout::{Fan, NOWHERE};
use lotteries::Lotteries;
use std::hash::Hash;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use yomikiri_core::{Error, Refusal, Run, Text, text};

/// How finely to work.
#[derive(Clone, Debug)]
pub struct Options {
    /// The beliefs of the holder about its own type, by number of types: smaller numbers of types also get
    /// what follows from the larger when a type is ruled out.
    pub beliefs: Vec<Belief>,
    /// Guarantees are multiples of one over this.
    pub lattice: i32,
    /// While endless play is looked at: multiples of this many lattice steps.
    pub step: i32,
    /// A corner is worth keeping if it is farther out than this many lattice steps.
    pub least: f64,
    /// How often to look at endless play and then at play with an end.
    pub rounds: u32,
}

/// Where the work stands.
#[derive(Debug, Default)]
pub(super) struct Work {
    pub tier: u32,
    /// Even: guarantees that hold within a number of moves; odd: because endless play is worth 0.
    pub phase: u32,
    /// Sweeps so far: the holder's positions, the opponent's, and so on.
    pub half: u32,
    /// Sweeps in a row without a change.
    pub quiet: u32,
    /// Sets to be looked at again; empty before the phase has begun.
    pub dirty: Vec<AtomicBool>,
    /// Only what is to be looked at again and what follows from it, and only upwards: beliefs were added.
    pub again: bool,
    /// In odd phases: what was known before.
    pub base: Vec<Convex>,
    /// By position of the holder: what it could choose from when it was last looked at in this phase. The same choices bring
    /// nothing new.
    pub chosen: Vec<Print>,
}

/// What a look at a position comes to: the sets that have changed, and what there was to choose from.
pub(super) type Look = (Vec<Changed>, Print);

/// A set that has changed.
pub(super) struct Changed {
    pub belief: usize,
    pub set: Convex,
    /// What is to be remembered of it.
    pub new: Vec<Vector>,
}

/// Room for a look at a position, so that the next one need not ask for it again.
#[derive(Default)]
pub(super) struct Room {
    halves: Halves,
    planes: Vec<Plane>,
    corners: Vec<[f64; 3]>,
    new: Vec<Vector>,
    points: Vec<Vector>,
    meeting: Meeting,
    tidying: Tidying,
    choices: Choices,
    lotteries: Lotteries,
}

/// The guarantees of a player.
pub struct Bound<P> {
    pub(super) graph: Arc<PublicGraph<P>>,
    /// Whose guarantees these are.
    pub holder: usize,
    pub(super) options: Options,
    /// Beliefs at some positions beyond those that all have, in the order in which they were added.
    pub(super) extra: Vec<(u32, Belief)>,
    /// How often beliefs were added.
    pub(super) rounds: u32,
    /// The place of a position's first set, and the number of all.
    pub(super) first: Vec<u32>,
    /// Beliefs, in smallest weights and in their order: those that positions have without others, and those with others.
    pub(super) lists: Vec<Vec<Belief>>,
    /// By position: the list of its beliefs.
    pub(super) list: Vec<u32>,
    pub(super) fans: Vec<Fan>,
    pub(super) sets: Vec<Convex>,
    /// Everything ever found for a set.
    pub(super) found: Finds,
    pub(super) stamp: u32,
    pub(super) work: Work,
}

/// The belief after types that ended the game are ruled out, over the types there; none if nothing is left.
pub(super) fn after(belief: &Belief, types: &[u8; 3]) -> Option<Belief> {
    let mut next = [0; 3];
    for (weight, &to) in belief.iter().zip(types) {
        if to != ENDED {
            next[usize::from(to)] += weight;
        }
    }
    grid::reduced(&next)
}

/// The belief here that becomes the given one after a move that keeps the types apart.
pub(super) fn before(belief: &Belief, types: &[u8; 3]) -> Belief {
    types.map(|to| if to == ENDED { 0 } else { belief[usize::from(to)] })
}

/// The beliefs that every position has, by the number of types there: smaller numbers of types also get what
/// follows from the larger when a type is ruled out.
pub fn common(beliefs: &[Belief], most_types: usize) -> Vec<Vec<Belief>> {
    let mut all = vec![Vec::new(); most_types + 1];
    let mut beliefs = beliefs.to_vec();
    for types in (1..=most_types).rev() {
        all[types] = grid::spread(types, &beliefs);
        for b in &all[types] {
            beliefs.extend([[b[0], b[1], 0], [b[1], b[2], 0], [b[0], b[2], 0]]);
        }
    }
    all
}

impl<P: Copy + Eq + Hash + Send + Sync> Bound<P> {
    /// The bound of which nothing is known yet but the smallest payoff.
    ///
    /// # Errors
    /// [`Error::Refused`] if the lattice is too fine for exact arithmetic, [`Error::Memory`].
    pub fn new(
        graph: Arc<PublicGraph<P>>,
        holder: usize,
        options: &Options,
        run: &Run<'_>,
    ) -> Result<Bound<P>, Error> {
        let size = i64::from(graph.most) * i64::from(options.lattice);
        if options.lattice < 1 || options.step < 1 || size > i64::from(hull::LARGEST) {
            let most = hull::LARGEST / graph.most.max(1);
            let accepts = Text::of(format!("1 to {most}"), format!("1～{most}"));
            return Err(Refusal::new("lattice", options.lattice, accepts).into());
        }
        let mut bound = Bound {
            graph,
            holder,
            options: options.clone(),
            extra: Vec::new(),
            rounds: 0,
            first: Vec::new(),
            lists: Vec::new(),
            list: Vec::new(),
            fans: Vec::new(),
            sets: Vec::new(),
            found: Finds::default(),
            stamp: 0,
            work: Work::default(),
        };
        bound.lay_out(run)?;
        bound.work = Work::default();
        Ok(bound)
    }

    /// Adds beliefs (whole weights over the types there) at positions of the graph, so that the next look starts from
    /// what is known and goes on from there.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn add(
        &mut self,
        beliefs: impl IntoIterator<Item = (u32, Belief)>,
        run: &Run<'_>,
    ) -> Result<(), Error> {
        let fitting = beliefs.into_iter().filter(|(at, b)| grid::fits(b, self.types(*at)));
        let fitting: Vec<(u32, Belief)> =
            fitting.filter_map(|(at, b)| Some((at, grid::reduced(&b)?))).collect();
        self.extra.extend(fitting);
        self.rounds += 1;
        self.lay_out(run)?;
        self.work = Work { again: true, dirty: std::mem::take(&mut self.work.dirty), ..Work::default() };
        Ok(())
    }

    /// Has the next look go through everything once more, upwards, and keep smaller gains.
    pub(super) fn look_closer(&mut self, least: f64) {
        self.options.least = least;
        let dirty = self.sets.iter().map(|_| AtomicBool::new(true)).collect();
        self.work = Work { again: true, dirty, ..Work::default() };
    }

    /// The beliefs about the holder at a position, in smallest weights and in their order.
    pub fn beliefs(&self, at: u32) -> &[Belief] {
        &self.lists[self.list[at as usize] as usize]
    }

    /// The number of the holder's types at a position.
    pub(super) fn types(&self, at: u32) -> usize {
        usize::from(self.graph.nodes[at as usize].types[self.holder])
    }

    pub(super) fn dimensions(&self, at: u32) -> usize {
        usize::from(self.graph.nodes[at as usize].types[1 - self.holder])
    }

    pub(super) fn holds_turn(&self, at: u32) -> bool {
        usize::from(self.graph.nodes[at as usize].mover) == self.holder
    }

    pub(super) fn set(&self, at: u32, belief: usize) -> usize {
        self.first[at as usize] as usize + belief
    }

    /// What the holder gets when types `own` and `other` end the game.
    #[inline]
    pub(super) fn gain(&self, m: &PublicMove<u32>, own: usize, other: usize) -> i64 {
        let pay = if self.holder == 0 { m.pay[own][other] } else { -m.pay[other][own] };
        i64::from(pay) * i64::from(self.options.lattice)
    }

    /// The set after a move of the opponent, by the belief's place here; none if the game cannot go on.
    pub(super) fn set_after(&self, at: u32, number: usize, belief: usize) -> Option<usize> {
        let Fan::Answers(places) = &self.fans[at as usize] else { return None };
        let place = *places[number].get(belief).filter(|place| **place != NOWHERE)?;
        let next = self.graph.moves_of(at)[number].next?;
        Some(self.set(next.position, usize::from(place)))
    }

    /// Solves, tier by tier. With a name, the work is kept in the run's store from time to time, and taken up
    /// from there.
    ///
    /// # Errors
    /// [`Error::Cancelled`], [`Error::Threads`].
    pub fn solve(&mut self, name: Option<&str>, run: &Run<'_>) -> Result<(), Error> {
        if let Some(mut kept) = name.and_then(|name| run.store.load(name))
            && let Some(kept) = self.kept(&mut io::BufReader::new(&mut kept), run)
        {
            *self = kept;
            run.observer.note(&text("resumed from a checkpoint", "チェックポイントから再開"));
        }
        crate::on_threads(run, || self.go_on(name, run))?
    }

    /// What a look upwards adds at a position.
    pub(super) fn grow(&self, n: u32, room: &mut Room) -> Look {
        let dimensions = self.dimensions(n);
        let least = self.options.least;
        let (mut out, mut print) = (Vec::new(), Print::default());
        if self.holds_turn(n) {
            self.choices(n, &mut room.choices, &mut room.tidying.hull);
            print = room.choices.print();
            if print == self.work.chosen[n as usize] {
                return (out, print);
            }
            let sets = self.set(n, 0);
            let own = &self.sets[sets..sets + self.beliefs(n).len()];
            let Room { lotteries, choices, tidying, .. } = room;
            self.lotteries(n, own, choices, lotteries);
            for (belief, grown) in lotteries.grown() {
                let new: Vec<Vector> =
                    grown.new.iter().copied().filter(|v| grown.corners().contains(v)).collect();
                if !new.is_empty() {
                    let set = Convex::tidy_of(dimensions, grown.corners(), tidying);
                    out.push(Changed { belief, set, new });
                }
            }
        } else {
            for belief in self.dirty(n) {
                let set = &self.sets[self.set(n, belief)];
                self.answers(n, belief, &mut room.halves);
                self.whole(dimensions, 1, room);
                room.new.retain(|v| set.misses(v, least));
                if room.new.is_empty() {
                    continue;
                }
                room.points.clear();
                room.points.extend(set.corners().iter().chain(&room.new));
                let Room { points, tidying, new, .. } = room;
                convex::corners(dimensions, points, &mut tidying.hull);
                new.retain(|v| points.contains(v));
                if !new.is_empty() {
                    let set = Convex::tidy_of(dimensions, points, tidying);
                    out.push(Changed { belief, set, new: new.clone() });
                }
            }
        }
        (out, print)
    }

    /// What a look downwards leaves at a position.
    pub(super) fn shrink(&self, n: u32, room: &mut Room) -> Look {
        let dimensions = self.dimensions(n);
        let base = &self.work.base;
        let (mut out, mut print) = (Vec::new(), Print::default());
        // What is to hold is in the room.
        let mut cut = |belief: usize, room: &mut Room| {
            let at = self.set(n, belief);
            let set = &self.sets[at];
            if set.corners().iter().all(|v| room.halves.hold(v)) {
                return;
            }
            room.halves.extend(set.planes().map(|plane| Half::of(&plane)));
            room.halves.extend((0..dimensions).map(|c| Half::axis(c, 0, 1)));
            self.whole(dimensions, self.options.step, room);
            room.points.clear();
            room.points.extend(base[at].corners());
            // A corner that still holds stays as it is: rounding it again would only lose.
            room.points.extend(set.corners().iter().filter(|v| room.halves.hold(v)));
            room.points.extend(&room.new);
            let cut = Convex::tidy(dimensions, &room.points, &mut room.tidying);
            if cut.corners() != set.corners() {
                out.push(Changed { belief, set: cut, new: Vec::new() });
            }
        };
        if self.holds_turn(n) {
            self.choices(n, &mut room.choices, &mut room.tidying.hull);
            print = room.choices.print();
            if print == self.work.chosen[n as usize] {
                return (out, print);
            }
            let sets = self.set(n, 0);
            let own = &base[sets..sets + self.beliefs(n).len()];
            self.lotteries(n, own, &room.choices, &mut room.lotteries);
            for (b, own) in own.iter().enumerate() {
                let halves = &mut room.halves;
                halves.clear();
                room.lotteries.planes(b, own, |plane| halves.push(Half::of(&plane)));
                cut(b, room);
            }
        } else {
            for b in self.dirty(n) {
                self.answers(n, b, &mut room.halves);
                cut(b, room);
            }
        }
        (out, print)
    }

    /// Below everything that is ever paid.
    pub(super) fn floor(&self) -> f64 {
        -1.5 * f64::from(self.graph.most * self.options.lattice)
    }

    /// What the opponent's moves leave of the guarantees at a belief.
    fn answers(&self, at: u32, belief: usize, halves: &mut Halves) {
        halves.clear();
        self.each_answer(at, belief, |_, half| halves.push(half));
    }

    /// What each of the opponent's moves leaves of the guarantees at a belief, by the number of the move.
    pub(super) fn each_answer(&self, at: u32, belief: usize, mut push: impl FnMut(usize, Half)) {
        let (types, dimensions) = (self.types(at), self.dimensions(at));
        let weights = &self.beliefs(at)[belief];
        let whole = grid::sum(weights);
        let other = 1 - self.holder;
        for (number, m) in self.graph.moves_of(at).iter().enumerate() {
            // What is paid to the holder's types that end the game, against each type of the opponent.
            let paid = |j: usize, ended: &dyn Fn(usize) -> bool| -> i64 {
                (0..types).filter(|&i| ended(i)).map(|i| weights[i] * self.gain(m, i, j)).sum()
            };
            let (Some(next), Some(to)) = (m.next, self.set_after(at, number, belief)) else {
                for j in 0..dimensions {
                    push(number, Half::axis(j, paid(j, &|_| true), whole));
                }
                continue;
            };
            let ends = |i: usize| next.types[self.holder][i] == ENDED;
            let mass: i64 = (0..types).filter(|&i| !ends(i)).map(|i| weights[i]).sum();
            let kinds = &next.types[other][..dimensions];
            let mut lost = [0; 3];
            for (j, lost) in lost.iter_mut().enumerate().take(dimensions) {
                if kinds[j] == ENDED {
                    push(number, Half::axis(j, paid(j, &|_| true), whole));
                } else if mass != whole {
                    *lost = paid(j, &ends);
                }
            }
            for plane in self.sets[to].planes() {
                // Whole, and small enough: see `hull`.
                let offset = plane.offset as i64;
                let mut normal = [0; 3];
                for (n, &there) in normal.iter_mut().zip(kinds).filter(|(_, there)| **there != ENDED) {
                    *n = plane.normal[usize::from(there)] as i64;
                }
                if mass == whole {
                    push(number, Half { normal, scale: 1, most: i128::from(offset) });
                } else {
                    let paid = normal.iter().zip(&lost).map(|(n, l)| i128::from(*n) * i128::from(*l));
                    let most = i128::from(mass) * i128::from(offset) + paid.sum::<i128>();
                    push(number, Half { normal, scale: whole, most });
                }
            }
        }
    }

    /// The best belief to start with at a position and what it guarantees against every type, in lattice
    /// steps; the highest belief in their order among equals.
    pub fn best(&self, at: u32) -> (usize, i32) {
        let value = |b: usize| self.level(self.set(at, b));
        (0..self.beliefs(at).len()).map(|b| (b, value(b))).max_by_key(|&(b, v)| (v, b)).unwrap_or((0, 0))
    }

    /// The largest whole `t` for which (t, …, t) is in a set.
    fn level(&self, set: usize) -> i32 {
        let planes = self.sets[set].planes();
        planes
            .map(|p| (p.offset / p.normal.iter().sum::<f64>() + 1e-9).floor() as i32)
            .min()
            .unwrap_or(i32::MIN)
    }

    /// What the holder is sure of at a position when the beliefs about both sides are these (whole weights):
    /// a fraction, in payoffs.
    pub fn sure(&self, at: u32, own: &Belief, other: &Belief) -> Option<(i128, i128)> {
        let (types, dimensions) = (self.types(at), self.dimensions(at));
        if !grid::fits(own, types) || !grid::fits(other, dimensions) {
            return None;
        }
        let (own, other) = (grid::reduced(own)?, grid::reduced(other)?);
        let other_sum = grid::sum(&other);
        let direction = other.map(|w| w as f64 / other_sum as f64);
        let here = self.beliefs(at);
        let best: Vec<&Vector> = (0..here.len())
            .map(|b| {
                let corners = self.sets[self.set(at, b)].corners();
                let value = |v: &Vector| dot(&direction, &real(v));
                corners.iter().max_by(|a, b| value(a).total_cmp(&value(b)))
            })
            .collect::<Option<_>>()?;
        let values: Vec<f64> = best.iter().map(|v| dot(&direction, &real(v))).collect();
        let mut envelope = Envelope::default();
        let over = Over::new(types, here);
        envelope.span(&over, &values, 1e-6);
        let lottery = envelope.lottery(&over, &own, 1e-5)?;
        let mut sum = 0;
        for k in (0..3).filter(|&k| lottery.weight[k] > 0) {
            let v = best[usize::from(lottery.at[k])];
            let value: i64 = (0..3).map(|j| other[j] * i64::from(v[j])).sum();
            sum += lottery.weight[k] * i128::from(value);
        }
        Some((sum, lottery.sum * i128::from(other_sum) * i128::from(self.options.lattice)))
    }

    /// Guarantees are multiples of one over this.
    pub fn lattice(&self) -> i32 {
        self.options.lattice
    }

    /// The guarantees at a position and a belief of the grid: the corners.
    pub fn corners(&self, at: u32, belief: usize) -> &[Vector] {
        self.sets[self.set(at, belief)].corners()
    }

    /// The corners of what lies in all half-spaces of the room, rounded down to multiples of a step, each confirmed: they are
    /// new there.
    fn whole(&self, dimensions: usize, step: i32, room: &mut Room) {
        let Room { halves, planes, corners, meeting, new, .. } = room;
        planes.clear();
        planes.extend(halves.iter().map(Half::plane));
        hull::meet(dimensions, planes, self.floor(), meeting, corners);
        new.clear();
        for c in corners.iter() {
            for nudge in [1e-5, -1e-5] {
                let mut v = [0; 3];
                for (j, v) in v.iter_mut().enumerate().take(dimensions) {
                    *v = ((c[j] + nudge) / f64::from(step)).floor() as i32 * step;
                }
                if halves.hold(&v) {
                    if !new.contains(&v) {
                        new.push(v);
                    }
                    break;
                }
            }
        }
    }
}
