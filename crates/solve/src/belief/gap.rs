//! Where the bounds of both players are apart, and which beliefs would bring them closer.
//!
//! From the start on, play goes where a player's certain strategy leads and where the other bound fears it might
//! go, first to what is likely and far apart. Two things tell the belief at which a player would like to arrive after a
//! move. A facet of the opponent's set is where that set bends: if no belief like it is kept there, it is wanted. And a
//! linear program finds the belief at which the player's own guarantees gain most with one look ahead.

use super::bound::after;
use super::bound::layout::Fan;
use super::convex::Convex;
use super::grid::{self, Belief, Envelope, Over};
use super::hull::{self, Meeting, Plane, Vector, dot, real};
use super::kink::{Kink, KnownAtoms, kink, prepare};
use super::{Bound, ENDED};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::hash::Hash;
use yomikiri_core::{Error, Run};

/// How far to look.
#[derive(Clone, Copy, Debug)]
pub struct GapSearch {
    /// How many situations to look at, at most.
    pub situations: usize,
    /// How many beliefs to want, about.
    pub beliefs: usize,
    /// What is so unlikely, or so narrow, that the product of both is less than this is left alone; in payoffs.
    pub least: f64,
    /// How many linear programs to ask for beliefs that gain at once, at most.
    pub programs: usize,
    /// A belief is wanted if it gains so much there; in payoffs.
    pub gain: f64,
    /// Beliefs that gain are told in whole weights of this sum.
    pub fine: i64,
    /// What counts as equally good; in payoffs.
    pub tight: f64,
    /// Beliefs are told in whole weights of this sum.
    pub sum: i64,
    /// A belief that is no farther than this, in every share, from one that is there is taken to be that one.
    pub near: f64,
}

/// For each player, the positions and the beliefs about that player to be kept there.
pub type WantedBeliefs = [Vec<(u32, Belief)>; 2];

/// A position with a belief about each player, as the number of a set of that player.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Situation {
    /// How likely it is, times how far the bounds are apart.
    weight: f64,
    /// How likely it is.
    reach: f64,
    at: u32,
    sets: [usize; 2],
}

impl Eq for Situation {}

impl PartialOrd for Situation {
    fn partial_cmp(&self, other: &Situation) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Situation {
    fn cmp(&self, other: &Situation) -> Ordering {
        let rest = |s: &Situation| (s.at, s.sets);
        self.weight.total_cmp(&other.weight).then(rest(other).cmp(&rest(self)))
    }
}

/// Looks for the beliefs that would help most from a position on. The bounds are those of player 0 and of
/// player 1.
///
/// # Errors
/// [`Error::Cancelled`].
pub fn search<P: Copy + Eq + Hash + Send + Sync>(
    bounds: [&Bound<P>; 2],
    start: u32,
    how: &GapSearch,
    run: &Run<'_>,
) -> Result<WantedBeliefs, Error> {
    let mut work = Work {
        bounds,
        how,
        open: BinaryHeap::new(),
        seen: FxHashSet::default(),
        wanted: Default::default(),
        known: Default::default(),
        programs: how.programs,
    };
    work.begin(start);
    for situation in 0..how.situations {
        let wanted: usize = work.wanted.iter().map(FxHashSet::len).sum();
        let Some(next) = work.open.pop().filter(|_| wanted < how.beliefs) else { break };
        if situation % 64 == 0 {
            run.check()?;
        }
        work.look(&next);
    }
    Ok(work.wanted.map(|wanted| {
        let mut all: Vec<(u32, Belief)> = wanted.into_iter().collect();
        all.sort_unstable();
        all
    }))
}

struct Work<'a, P> {
    bounds: [&'a Bound<P>; 2],
    how: &'a GapSearch,
    open: BinaryHeap<Situation>,
    seen: FxHashSet<(u32, [usize; 2])>,
    wanted: [FxHashSet<(u32, Belief)>; 2],
    /// What linear programs were asked before.
    known: [KnownAtoms; 2],
    /// How many more may be asked.
    programs: usize,
}

/// The belief with about the given shares, in whole weights.
fn rounded(shares: &[f64; 3], sum: i64) -> Option<Belief> {
    let whole: f64 = shares.iter().sum();
    let mut weights = shares.map(|s| (s / whole * sum as f64).round() as i64);
    // What rounding adds or takes is made up for by the largest.
    let largest = (0..3).max_by_key(|&i| (weights[i], i)).unwrap_or(0);
    weights[largest] += sum - grid::sum(&weights);
    grid::reduced(&weights)
}

/// The place of the belief nearest to the given one, if it is near enough.
fn nearest(beliefs: &[Belief], wanted: &Belief, near: f64) -> Option<usize> {
    let wanted = grid::shares(wanted);
    let distance = |b: &Belief| {
        let b = grid::shares(b);
        (0..3).map(|i| (b[i] - wanted[i]).abs()).fold(0.0, f64::max)
    };
    let all = beliefs.iter().map(distance).enumerate();
    all.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, d)| *d <= near + 1e-12).map(|(place, _)| place)
}

impl<P: Copy + Eq + Hash + Send + Sync> Work<'_, P> {
    fn belief(&self, at: u32, player: usize, set: usize) -> &Belief {
        let bound = self.bounds[player];
        &bound.beliefs(at)[set - bound.set(at, 0)]
    }

    /// What a player is sure of, in payoffs, if the other's types are these.
    fn sure(&self, player: usize, set: usize, other: &Belief) -> f64 {
        let (bound, direction) = (self.bounds[player], grid::shares(other));
        let values = bound.sets[set].corners().iter().map(|v| dot(&direction, &real(v)));
        values.fold(f64::NEG_INFINITY, f64::max) / f64::from(bound.options.lattice)
    }

    fn push(&mut self, at: u32, reach: f64, sets: [usize; 2]) {
        let sure =
            |player: usize| self.sure(player, sets[player], self.belief(at, 1 - player, sets[1 - player]));
        let weight = reach * -(sure(0) + sure(1));
        if weight >= self.how.least && self.seen.insert((at, sets)) {
            self.open.push(Situation { weight, reach, at, sets });
        }
    }

    /// At the start each player chooses a belief: the best one, or the one the other bound fears most. The gap is at
    /// least as wide where both choose what the other fears.
    fn begin(&mut self, start: u32) {
        let mut choices: [Vec<usize>; 2] = Default::default();
        for player in 0..2 {
            let (bound, other) = (self.bounds[player], self.bounds[1 - player]);
            choices[player].push(bound.set(start, bound.best(start).0));
            // The other's types for which everything the player can choose is worth least.
            let sets = bound.set(start, 0)..bound.set(start, bound.beliefs(start).len());
            let all: Vec<Vector> =
                bound.sets[sets.clone()].iter().flat_map(|s| s.corners().iter().copied()).collect();
            let level = |p: &Plane| p.offset / p.normal.iter().sum::<f64>();
            let choice = Convex::new(bound.dimensions(start), &all);
            let tight = choice.planes().min_by(|a, b| level(a).total_cmp(&level(b)));
            let Some(tight) = &tight else { continue };
            if self.programs > 0 {
                let chosen = if bound.holds_turn(start) {
                    between(bound, start, tight)
                } else {
                    let whole: f64 = tight.normal.iter().sum();
                    let direction = tight.normal.map(|n| n / whole);
                    prepare(bound, std::iter::once(start), &mut self.known[player]);
                    kink(bound, start, [0.0; 3], direction, &self.known[player]).map(|k| k.belief)
                };
                let chosen = chosen.and_then(|shares| rounded(&shares, self.how.fine));
                let new = chosen.filter(|b| grid::find(bound.beliefs(start), b).is_none());
                self.wanted[player].extend(new.map(|belief| (start, belief)));
            }
            let Some(feared) = rounded(&tight.normal, self.how.sum) else { continue };
            match nearest(other.beliefs(start), &feared, self.how.near) {
                Some(place) => choices[1 - player].push(other.set(start, place)),
                None => {
                    self.wanted[1 - player].insert((start, feared));
                }
            }
        }
        for &a in &choices[0] {
            for &b in &choices[1] {
                self.push(start, 1.0, [a, b]);
            }
        }
    }

    /// Wants the beliefs that gain at once after the moves of a position, given what the mover's types are worth there
    /// and the shares of the other's.
    fn gains(&mut self, at: u32, mover: usize, prices: &[f64; 3], other: &[f64; 3]) {
        let own = self.bounds[mover];
        let size = f64::from(own.options.lattice * own.graph.most);
        let (types, dimensions) = (own.types(at), own.dimensions(at));
        let mut asked: Vec<(u32, [f64; 3], [f64; 3])> = Vec::new();
        for m in own.graph.moves_of(at) {
            let Some(n) = m.next.filter(|_| self.programs > 0) else { continue };
            let ended = |j: &usize| n.types[1 - mover][*j] == ENDED;
            let mut direction = [0.0; 3];
            for j in (0..dimensions).filter(|j| !ended(j)) {
                direction[usize::from(n.types[1 - mover][j])] += other[j];
            }
            let mut cost = [0.0; 3];
            for i in (0..types).filter(|&i| n.types[mover][i] != ENDED) {
                let paid = (0..dimensions).filter(ended).map(|j| other[j] * own.gain(m, i, j) as f64);
                cost[usize::from(n.types[mover][i])] = (prices[i] - paid.sum::<f64>()) / size;
            }
            self.programs -= 1;
            asked.push((n.position, cost, direction));
        }
        let known = &mut self.known[mover];
        prepare(own, asked.iter().map(|asked| asked.0), known);
        let ask = |&(at, cost, direction): &(u32, [f64; 3], [f64; 3])| kink(own, at, cost, direction, known);
        let found: Vec<Option<Kink>> = asked.par_iter().map(ask).collect();
        for ((position, ..), found) in asked.into_iter().zip(found) {
            let Some(Kink { gain, belief }) = found else { continue };
            let worth = gain * f64::from(own.graph.most) > self.how.gain;
            let Some(belief) = rounded(&belief, self.how.fine).filter(|_| worth) else { continue };
            if grid::find(own.beliefs(position), &belief).is_none() {
                self.wanted[mover].insert((position, belief));
            }
        }
    }

    fn look(&mut self, s: &Situation) {
        let mover = usize::from(self.bounds[0].graph.nodes[s.at as usize].mover);
        let (own, other) = (self.bounds[mover], self.bounds[1 - mover]);
        let moves = own.graph.moves_of(s.at);
        let place = s.sets[1 - mover] - other.set(s.at, 0);
        let (mine, yours) =
            (*self.belief(s.at, mover, s.sets[mover]), *self.belief(s.at, 1 - mover, s.sets[1 - mover]));
        let (mut next, prices) = plays(own, s.at, &mine, &grid::shares(&yours));
        self.gains(s.at, mover, &prices, &grid::shares(&yours));
        let enough = self.sure(mover, s.sets[mover], &yours);
        for (number, hoped, part) in replies(other, s.at, place, &grid::shares(&mine), enough, self.how.tight)
        {
            let Some(n) = moves[number].next else { continue };
            let there = rounded(&hoped, self.how.sum).and_then(|b| after(&b, &n.types[mover]));
            let Some(there) = there else { continue };
            match nearest(own.beliefs(n.position), &there, self.how.near) {
                Some(place) => next.push((number, own.set(n.position, place), part)),
                None if s.weight * part >= self.how.least => {
                    self.wanted[mover].insert((n.position, there));
                }
                None => {}
            }
        }
        for (number, set, part) in next {
            let (Some(n), Some(theirs)) = (moves[number].next, other.set_after(s.at, number, place)) else {
                continue;
            };
            // The game goes on with those of the other's types that the move does not end.
            let alive = (0..3).filter(|&j| n.types[1 - mover][j] != ENDED).map(|j| yours[j]).sum::<i64>();
            let mut sets = [set; 2];
            sets[1 - mover] = theirs;
            self.push(n.position, s.reach * part * alive as f64 / grid::sum(&yours) as f64, sets);
        }
    }
}

/// The mean of two beliefs of a player at which it is sure of the same against both types of the other: where a facet of all
/// it can choose passes between a corner of the one and a corner of the other.
fn between<P: Copy + Eq + Hash + Send + Sync>(bound: &Bound<P>, at: u32, facet: &Plane) -> Option<[f64; 3]> {
    let beliefs = bound.beliefs(at);
    let corners = (0..beliefs.len()).flat_map(|b| bound.corners(at, b).iter().map(move |v| (b, real(v))));
    let on: Vec<(usize, [f64; 3])> = corners.filter(|(_, v)| dot(&facet.normal, v) >= facet.offset).collect();
    let lead = |v: &[f64; 3]| v[0] - v[1];
    // With three types of the other a facet has three ends, which two beliefs do not tell.
    let flat = |v: &[f64; 3]| v[2] == 0.0;
    let nearest = |sign: f64| {
        let side = on.iter().filter(|(_, v)| flat(v) && lead(v) * sign >= 0.0);
        side.min_by(|a, b| lead(&a.1).abs().total_cmp(&lead(&b.1).abs()))
    };
    let ((a, u), (b, v)) = (nearest(1.0)?, nearest(-1.0)?);
    let whole = lead(u) - lead(v);
    let part = if whole > 0.0 { lead(u) / whole } else { 0.0 };
    let (a, b) = (grid::shares(&beliefs[*a]), grid::shares(&beliefs[*b]));
    Some([0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * part))
}

/// A move, something after it, and the part of the mover's types that goes there.
type Part<T> = (usize, T, f64);

/// The lottery with which the holder gets most in a direction: moves, and the sets after them. With it what each of the
/// holder's types is worth there, in lattice steps.
fn plays<P: Copy + Eq + Hash + Send + Sync>(
    bound: &Bound<P>,
    at: u32,
    belief: &Belief,
    direction: &[f64; 3],
) -> (Vec<Part<usize>>, [f64; 3]) {
    let Fan::Choices { beliefs, .. } = &bound.fans[at as usize] else { return (Vec::new(), [0.0; 3]) };
    let mut values = vec![bound.floor(); beliefs.len()];
    let mut best = vec![None; beliefs.len()];
    bound.each_chance(at, |chance| {
        let (left, value) = (usize::from(chance.left), dot(direction, &real(&chance.vector)));
        if value > values[left] {
            (values[left], best[left]) = (value, Some((chance.number, chance.set)));
        }
    });
    let mut envelope = Envelope::default();
    let over = Over::new(bound.types(at), beliefs);
    envelope.span(&over, &values, 1e-6);
    let prices = envelope.prices(&grid::shares(belief));
    let Some(lottery) = envelope.lottery(&over, belief, 1e-5) else { return (Vec::new(), prices) };
    let parts = (0..3).filter(|&k| lottery.weight[k] > 0).filter_map(|k| {
        let (number, set) = best[usize::from(lottery.at[k])]?;
        Some((number, set?, lottery.weight[k] as f64 / lottery.sum as f64))
    });
    (parts.collect(), prices)
}

/// How the opponent, its types as given, would go on best as far as the holder knows: moves, the shares of its
/// types after them, and the largest part that could go there. Then how it would without these moves, which may
/// only lead round in circles, and so on down to what it is sure of anyway.
fn replies<P: Copy + Eq + Hash + Send + Sync>(
    bound: &Bound<P>,
    at: u32,
    place: usize,
    shares: &[f64; 3],
    enough: f64,
    tight: f64,
) -> Vec<Part<[f64; 3]>> {
    let lattice = f64::from(bound.options.lattice);
    let (enough, tight) = (-enough * lattice, tight * lattice);
    let mut planes: Vec<(usize, Plane)> = Vec::new();
    bound.each_answer(at, place, |number, half| {
        let plane = half.plane();
        let size: f64 = plane.normal.iter().sum();
        planes.push((number, Plane { normal: plane.normal.map(|n| n / size), offset: plane.offset / size }));
    });
    let dimensions = bound.dimensions(at);
    let most = lattice * f64::from(bound.graph.most);
    let top = |i: usize| Plane { normal: [0, 1, 2].map(|k| f64::from(u8::from(k == i))), offset: most };
    let mut hoped: Vec<Part<[f64; 3]>> = Vec::new();
    let (mut corners, mut room) = (Vec::new(), Meeting::default());
    while !planes.is_empty() {
        let all: Vec<Plane> = planes.iter().map(|p| p.1).chain((0..dimensions).map(top)).collect();
        hull::meet(dimensions, &all, bound.floor(), &mut room, &mut corners);
        let value = |c: &[f64; 3]| dot(shares, c);
        let Some(best) = corners.iter().max_by(|a, b| value(a).total_cmp(&value(b))) else { break };
        if value(best) >= enough - tight {
            break;
        }
        let before = planes.len();
        let mut moves: Vec<usize> = Vec::new();
        for (number, p) in planes.iter().filter(|(_, p)| p.offset - dot(&p.normal, best) < tight) {
            let parts = (0..3).filter(|&i| p.normal[i] > 1e-9).map(|i| shares[i] / p.normal[i]);
            hoped.push((*number, p.normal, parts.fold(1.0, f64::min)));
            moves.push(*number);
        }
        planes.retain(|(number, _)| !moves.contains(number));
        if planes.len() == before {
            break;
        }
    }
    hoped
}
