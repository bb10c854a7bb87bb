//! What one player, the holder, can be sure to get: for every position and every belief about the holder's
//! type a convex set of vectors, one guarantee for each type of the opponent.
//!
//! Floating point numbers only propose corners. A corner is kept if whole-number arithmetic confirms it, and
//! is rounded down to a lattice, so every set holds nothing but true guarantees.

use super::grid::{Belief, Envelope, Grid};
use super::hull::{self, Convex, Hull, Plane, Vector, dot, real};
use super::{ENDED, Graph, Move};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;
use yomikiri_core::{Error, Run, text};

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

/// What the work has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Guarantees that hold within a number of moves.
    Up,
    /// Guarantees that hold because endless play is worth 0.
    Down,
}

/// A half-space in whole numbers: `scale · normal · point` is at most `most`.
#[derive(Clone, Copy, Debug)]
struct Half {
    normal: [i64; 3],
    scale: i64,
    most: i128,
}

impl Half {
    fn of(plane: &Plane) -> Half {
        Half { normal: plane.normal.map(|n| n as i64), scale: 1, most: plane.offset as i128 }
    }

    fn axis(component: usize, most: i64, scale: i64) -> Half {
        let mut normal = [0; 3];
        normal[component] = 1;
        Half { normal, scale, most: i128::from(most) }
    }

    fn holds(&self, v: &Vector) -> bool {
        let sum: i64 = (0..3).map(|i| self.normal[i] * i64::from(v[i])).sum();
        i128::from(sum) * i128::from(self.scale) <= self.most
    }

    /// The component it bounds, if it bounds only one.
    fn single(&self) -> Option<usize> {
        let n = &self.normal;
        (0..3).find(|&i| n[i] != 0 && n[(i + 1) % 3] == 0 && n[(i + 2) % 3] == 0)
    }

    fn plane(&self) -> Plane {
        Plane { normal: self.normal.map(|n| n as f64), offset: self.most as f64 / self.scale as f64 }
    }
}

/// Half-spaces, of those that bound a single component only the tightest.
#[derive(Clone, Debug, Default)]
struct Halves {
    axes: [Option<Half>; 3],
    rest: Vec<Half>,
}

impl Halves {
    fn push(&mut self, half: Half) {
        let Some(i) = half.single() else {
            self.rest.push(half);
            return;
        };
        let size = |h: &Half| i128::from(h.scale) * i128::from(h.normal[i]);
        match &self.axes[i] {
            Some(old) if old.most * size(&half) <= half.most * size(old) => {}
            _ => self.axes[i] = Some(half),
        }
    }

    fn extend(&mut self, halves: impl IntoIterator<Item = Half>) {
        halves.into_iter().for_each(|h| self.push(h));
    }

    fn iter(&self) -> impl Iterator<Item = &Half> {
        self.axes.iter().flatten().chain(&self.rest)
    }

    fn hold(&self, v: &Vector) -> bool {
        self.iter().all(|h| h.holds(v))
    }
}

/// A guarantee that was found, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub vector: Vector,
    pub stamp: u32,
}

/// The guarantees of a player.
pub struct Bound<'g, P> {
    pub(super) graph: &'g Graph<P>,
    /// Whose guarantees these are.
    pub holder: usize,
    pub(super) options: Options,
    pub(super) grids: Vec<Grid>,
    /// The place of a position's first set.
    pub(super) first: Vec<u32>,
    pub(super) sets: Vec<Convex>,
    /// Everything ever found for a set.
    pub(super) found: Vec<Vec<Found>>,
    /// Beliefs after a move, by the types of the holder there: the place in the grid there, by place here.
    after: FxHashMap<(u8, [u8; 3]), Vec<u16>>,
    stamp: u32,
}

/// The belief after types that ended the game are ruled out, as weights over the types there.
pub(super) fn after(belief: &Belief, types: &[u8; 3]) -> Belief {
    let mut next = [0; 3];
    for (weight, &to) in belief.iter().zip(types) {
        if to != ENDED {
            next[usize::from(to)] += weight;
        }
    }
    next
}

const NOWHERE: u16 = u16::MAX;

impl<'g, P: Copy + Eq + Hash + Send + Sync> Bound<'g, P> {
    /// Nothing is known yet but the smallest payoff.
    pub fn new(graph: &'g Graph<P>, holder: usize, options: &Options, run: &Run<'_>) -> Result<Bound<'g, P>, Error> {
        let most_types = graph.nodes.iter().map(|n| usize::from(n.types[holder])).max().unwrap_or(1);
        let mut grids = vec![Grid::new(1, []); most_types + 1];
        let mut beliefs: Vec<Belief> = options.beliefs.clone();
        for types in (1..=most_types).rev() {
            let fitting = beliefs.iter().filter(|b| b[types..].iter().all(|w| *w == 0) && b.iter().sum::<i64>() > 0);
            grids[types] = Grid::new(types, fitting.copied().collect::<Vec<_>>());
            // What is left when one type is ruled out.
            for b in &grids[types].beliefs {
                beliefs.push([b[0], b[1], 0]);
                beliefs.push([b[1], b[2], 0]);
                beliefs.push([b[0], b[2], 0]);
            }
        }
        let mut first = Vec::with_capacity(graph.nodes.len());
        let mut count = 0u64;
        for node in &graph.nodes {
            first.push(count as u32);
            count += grids[usize::from(node.types[holder])].beliefs.len() as u64;
        }
        run.fits(count * 400)?;
        let least = -graph.most * options.lattice;
        let (mut sets, mut found) = (Vec::with_capacity(count as usize), Vec::with_capacity(count as usize));
        for node in &graph.nodes {
            let dimensions = usize::from(node.types[1 - holder]);
            let mut low = [0; 3];
            low[..dimensions].fill(least);
            for _ in 0..grids[usize::from(node.types[holder])].beliefs.len() {
                sets.push(Convex::new(dimensions, &[low]));
                found.push(Vec::new());
            }
        }
        let mut after_moves = FxHashMap::default();
        for (node, at) in graph.nodes.iter().zip(0..) {
            for m in graph.moves_of(at) {
                let Some(next) = m.next else { continue };
                let here = &grids[usize::from(node.types[holder])];
                let there = &grids[usize::from(graph.nodes[next.position as usize].types[holder])];
                after_moves.entry((node.types[holder], next.types[holder])).or_insert_with(|| {
                    let place = |b: &Belief| there.find(&after(b, &next.types[holder])).map_or(NOWHERE, |p| p as u16);
                    here.beliefs.iter().map(place).collect::<Vec<u16>>()
                });
            }
        }
        Ok(Bound { graph, holder, options: options.clone(), grids, first, sets, found, after: after_moves, stamp: 0 })
    }

    pub(super) fn grid(&self, at: u32) -> &Grid {
        &self.grids[usize::from(self.graph.nodes[at as usize].types[self.holder])]
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
    pub(super) fn gain(&self, m: &Move<u32>, own: usize, other: usize) -> i64 {
        let pay = if self.holder == 0 { m.pay[own][other] } else { -m.pay[other][own] };
        i64::from(pay) * i64::from(self.options.lattice)
    }

    /// Where the belief at a place of the grid leads to with a move.
    fn belief_after(&self, at: u32, m: &Move<u32>) -> Option<&[u16]> {
        let next = m.next?;
        let key = (self.graph.nodes[at as usize].types[self.holder], next.types[self.holder]);
        self.after.get(&key).map(|v| &v[..])
    }

    /// The place of a belief of the grid after a move, if the game may go on.
    pub(super) fn place_after(&self, at: u32, m: &Move<u32>, belief: usize) -> Option<usize> {
        let to = self.belief_after(at, m)?[belief];
        (to != NOWHERE).then_some(usize::from(to))
    }

    /// Solves, tier by tier.
    pub fn solve(&mut self, run: &Run<'_>) -> Result<(), Error> {
        crate::on_threads(run, || {
            for tier in 0..self.graph.tiers.len() {
                self.up(tier, run)?;
                for _ in 0..self.options.rounds {
                    self.down(tier, run)?;
                    self.up(tier, run)?;
                }
            }
            Ok(())
        })?
    }

    /// Repeats `update` over the sets whose successors have changed until nothing changes.
    fn sweep(
        &mut self,
        tier: usize,
        run: &Run<'_>,
        update: impl Fn(&Self, u32, &[usize]) -> Vec<(usize, Convex, Vec<Vector>)> + Sync,
    ) -> Result<(), Error> {
        let nodes = &self.graph.tiers[tier];
        let mut inside = vec![false; self.graph.nodes.len()];
        nodes.iter().for_each(|&n| inside[n as usize] = true);
        let mut dirty = vec![false; self.sets.len()];
        for &n in nodes {
            let sets = self.set(n, 0);
            dirty[sets..sets + self.grid(n).beliefs.len()].fill(true);
        }
        let halves: [Vec<u32>; 2] =
            [true, false].map(|own| nodes.iter().copied().filter(|&n| self.holds_turn(n) == own).collect());
        let mut quiet = 0;
        let mut round = 0;
        while quiet < 2 {
            let half = &halves[round % 2];
            round += 1;
            run.check()?;
            let work: Vec<(u32, Vec<usize>)> = half
                .iter()
                .filter_map(|&n| {
                    let sets = self.set(n, 0);
                    let which: Vec<usize> =
                        (0..self.grid(n).beliefs.len()).filter(|b| dirty[sets + b]).collect();
                    (!which.is_empty()).then_some((n, which))
                })
                .collect();
            let results: Vec<Vec<(usize, Convex, Vec<Vector>)>> = work
                .par_iter()
                .map(|(n, which)| {
                    if run.check().is_err() { Vec::new() } else { update(self, *n, which) }
                })
                .collect();
            run.check()?;
            self.stamp += 1;
            let mut changed = 0;
            for ((n, which), results) in work.iter().zip(results) {
                let sets = self.set(*n, 0);
                which.iter().for_each(|b| dirty[sets + b] = false);
                if results.is_empty() {
                    continue;
                }
                changed += results.len();
                let mut touched = vec![false; self.grid(*n).beliefs.len()];
                for (b, convex, new) in results {
                    touched[b] = true;
                    let stamp = self.stamp;
                    self.found[sets + b].extend(new.into_iter().map(|vector| Found { vector, stamp }));
                    self.sets[sets + b] = convex;
                }
                for &(before, number) in &self.graph.back[*n as usize] {
                    if !inside[before as usize] {
                        continue;
                    }
                    let from = self.set(before, 0);
                    let m = &self.graph.moves_of(before)[number as usize];
                    if self.holds_turn(before) {
                        dirty[from..from + self.grid(before).beliefs.len()].fill(true);
                    } else if let Some(after) = self.belief_after(before, m) {
                        for (b, &to) in after.iter().enumerate() {
                            if to != NOWHERE && touched[usize::from(to)] {
                                dirty[from + b] = true;
                            }
                        }
                    }
                }
            }
            quiet = if changed == 0 { quiet + 1 } else { 0 };
            if std::env::var_os("BELIEF_LOG").is_some() {
                let corners: usize = self.sets.iter().map(|s| s.corners.len()).sum();
                eprintln!(
                    "tier {tier} round {round} work {} sets {} changed {changed} corners {corners}",
                    work.len(),
                    work.iter().map(|w| w.1.len()).sum::<usize>()
                );
            }
        }
        Ok(())
    }

    fn up(&mut self, tier: usize, run: &Run<'_>) -> Result<(), Error> {
        let _ = text("", "");
        self.sweep(tier, run, |this, n, which| {
            let dimensions = this.dimensions(n);
            let least = this.options.least;
            let mut out = Vec::new();
            if this.holds_turn(n) {
                let sets = this.set(n, 0);
                let own: Vec<Convex> = (0..this.grid(n).beliefs.len()).map(|b| this.sets[sets + b].clone()).collect();
                for (b, convex, new) in this.lotteries(n, own) {
                    let fresh: Vec<Vector> = new.into_iter().filter(|v| convex.corners.contains(v)).collect();
                    if !fresh.is_empty() {
                        out.push((b, convex, fresh));
                    }
                }
            } else {
                for &b in which {
                    let set = &this.sets[this.set(n, b)];
                    let halves = this.answers(n, b);
                    let mut new = whole(dimensions, &halves, this.floor(), 1);
                    new.retain(|v| set.misses(v, least));
                    if new.is_empty() {
                        continue;
                    }
                    let mut points = set.corners.clone();
                    points.extend(&new);
                    let convex = Convex::new(dimensions, &points);
                    new.retain(|v| convex.corners.contains(v));
                    if !new.is_empty() {
                        out.push((b, convex, new));
                    }
                }
            }
            out
        })
    }

    fn down(&mut self, tier: usize, run: &Run<'_>) -> Result<(), Error> {
        let nodes = self.graph.tiers[tier].clone();
        let mut base: FxHashMap<usize, Convex> = FxHashMap::default();
        for &n in &nodes {
            for b in 0..self.grid(n).beliefs.len() {
                let (at, dimensions) = (self.set(n, b), self.dimensions(n));
                let mut points = self.sets[at].corners.clone();
                points.push([0; 3]);
                let optimistic = Convex::new(dimensions, &points);
                base.insert(at, std::mem::replace(&mut self.sets[at], optimistic));
            }
        }
        let result = self.sweep(tier, run, |this, n, which| {
            let dimensions = this.dimensions(n);
            let step = this.options.step;
            let zero = (0..dimensions).map(|c| Half::axis(c, 0, 1));
            let mut out = Vec::new();
            let mut shrink = |b: usize, mut halves: Halves| {
                let at = this.set(n, b);
                let set = &this.sets[at];
                if set.corners.iter().all(|v| halves.hold(v)) {
                    return;
                }
                halves.extend(set.planes.iter().map(Half::of));
                halves.extend(zero.clone());
                let mut points = base[&at].corners.clone();
                // A corner that still holds stays as it is: rounding it again would only lose.
                points.extend(set.corners.iter().filter(|v| halves.hold(v)));
                points.extend(whole(dimensions, &halves, this.floor(), step));
                let convex = Convex::new(dimensions, &points);
                if convex.corners != set.corners {
                    out.push((b, convex, Vec::new()));
                }
            };
            if this.holds_turn(n) {
                let sets = this.set(n, 0);
                let own: Vec<Convex> =
                    (0..this.grid(n).beliefs.len()).map(|b| base[&(sets + b)].clone()).collect();
                for (b, convex, _) in this.lotteries(n, own) {
                    let mut halves = Halves::default();
                    halves.extend(convex.planes.iter().map(Half::of));
                    shrink(b, halves);
                }
            } else {
                for &b in which {
                    shrink(b, this.answers(n, b));
                }
            }
            out
        });
        if result.is_err() {
            for (at, convex) in base {
                self.sets[at] = convex;
            }
            return result;
        }
        self.stamp += 1;
        for (at, convex) in base {
            let stamp = self.stamp;
            let new = self.sets[at].corners.iter().filter(|v| !convex.corners.contains(v));
            self.found[at].extend(new.map(|&vector| Found { vector, stamp }));
        }
        Ok(())
    }

    /// Below everything that is ever paid.
    fn floor(&self) -> f64 {
        -1.5 * f64::from(self.graph.most * self.options.lattice)
    }

    /// What the opponent's moves leave of the guarantees at a belief.
    fn answers(&self, at: u32, belief: usize) -> Halves {
        let (grid, dimensions) = (self.grid(at), self.dimensions(at));
        let weights = &grid.beliefs[belief];
        let mut halves = Halves::default();
        let other = 1 - self.holder;
        for m in self.graph.moves_of(at) {
            // What is paid to the holder's types that end the game, against each type of the opponent.
            let paid = |j: usize, ended: &dyn Fn(usize) -> bool| -> i64 {
                (0..grid.types).filter(|&i| ended(i)).map(|i| weights[i] * self.gain(m, i, j)).sum()
            };
            let to = self.belief_after(at, m).map_or(NOWHERE, |after| after[belief]);
            let Some(next) = m.next.filter(|_| to != NOWHERE) else {
                for j in 0..dimensions {
                    halves.push(Half::axis(j, paid(j, &|_| true), grid.sum));
                }
                continue;
            };
            let ends = |i: usize| next.types[self.holder][i] == ENDED;
            let mass: i64 = (0..grid.types).filter(|&i| !ends(i)).map(|i| weights[i]).sum();
            for j in 0..dimensions {
                if next.types[other][j] == ENDED {
                    halves.push(Half::axis(j, paid(j, &|_| true), grid.sum));
                }
            }
            for plane in &self.sets[self.set(next.position, usize::from(to))].planes {
                let mut normal = [0; 3];
                let mut most = i128::from(mass) * plane.offset as i128;
                for (j, n) in normal.iter_mut().enumerate().take(dimensions) {
                    let there = next.types[other][j];
                    if there != ENDED {
                        *n = plane.normal[usize::from(there)] as i64;
                        most += i128::from(*n) * i128::from(paid(j, &ends));
                    }
                }
                if mass == grid.sum {
                    halves.push(Half { normal, scale: 1, most: plane.offset as i128 });
                } else {
                    halves.push(Half { normal, scale: grid.sum, most });
                }
            }
        }
        halves
    }

    /// The vectors the holder can go to at once, by the belief it leaves: for each belief of the grid the
    /// set of them.
    fn choices(&self, at: u32) -> Vec<Convex> {
        let (grid, dimensions) = (self.grid(at), self.dimensions(at));
        let other = 1 - self.holder;
        let mut points: Vec<Vec<Vector>> = vec![Vec::new(); grid.beliefs.len()];
        for m in self.graph.moves_of(at) {
            let ends = |i: usize| m.next.is_none_or(|n| n.types[self.holder][i] == ENDED);
            for i in (0..grid.types).filter(|&i| ends(i)) {
                let mut v = [0; 3];
                for (j, v) in v.iter_mut().enumerate().take(dimensions) {
                    *v = self.gain(m, i, j) as i32;
                }
                points[grid.certain(i)].push(v);
            }
            let (Some(next), Some(after)) = (m.next, self.belief_after(at, m)) else { continue };
            for (b, &to) in after.iter().enumerate() {
                let weights = &grid.beliefs[b];
                if to == NOWHERE || (0..grid.types).any(|i| weights[i] > 0 && ends(i)) {
                    continue;
                }
                for corner in &self.sets[self.set(next.position, usize::from(to))].corners {
                    let mut v = [0; 3];
                    for (j, v) in v.iter_mut().enumerate().take(dimensions) {
                        let there = next.types[other][j];
                        *v = if there == ENDED {
                            let sum: i64 = (0..grid.types).map(|i| weights[i] * self.gain(m, i, j)).sum();
                            sum.div_euclid(grid.sum) as i32
                        } else {
                            corner[usize::from(there)]
                        };
                    }
                    points[b].push(v);
                }
            }
        }
        let lowest = -self.graph.most * self.options.lattice;
        let mut low = [0; 3];
        low[..dimensions].fill(lowest);
        points
            .into_iter()
            .map(|mut points| {
                points.push(low);
                points.sort_unstable();
                points.dedup();
                Convex::new(dimensions, &points)
            })
            .collect()
    }

    /// What lotteries over the holder's moves add to sets that are known: the larger sets and what is new.
    fn lotteries(&self, at: u32, own: Vec<Convex>) -> Vec<(usize, Convex, Vec<Vector>)> {
        let (grid, dimensions) = (self.grid(at), self.dimensions(at));
        let least = self.options.least;
        let choices = self.choices(at);
        let mut new: Vec<Vec<Vector>> = vec![Vec::new(); own.len()];
        let mut sets = own;
        for (b, choice) in choices.iter().enumerate() {
            let fresh: Vec<Vector> =
                choice.corners.iter().copied().filter(|v| sets[b].misses(v, least)).collect();
            if !fresh.is_empty() {
                let mut points = sets[b].corners.clone();
                points.extend(&fresh);
                sets[b] = Convex::new(dimensions, &points);
                new[b] = fresh;
            }
        }
        let mut hulls: Vec<Option<Hull>> = vec![None; sets.len()];
        let mut asked: FxHashSet<[u64; 3]> = FxHashSet::default();
        let mut ask: Vec<[f64; 3]> = Vec::new();
        let mut pending: Vec<usize> = (0..sets.len()).collect();
        let mut envelope = Envelope::default();
        let mut values = vec![0.0; sets.len()];
        let mut best = vec![0usize; sets.len()];
        let mut offsets = vec![0.0f64; sets.len()];
        while !pending.is_empty() {
            for &b in &pending {
                for p in &sets[b].planes {
                    // Division is exact to the last bit: one direction, one key.
                    let size = p.normal[0] + p.normal[1] + p.normal[2];
                    let direction = p.normal.map(|n| n / size);
                    if asked.insert(direction.map(f64::to_bits)) {
                        ask.push(direction);
                    }
                }
            }
            pending.clear();
            for d in ask.drain(..) {
                // Of equally good corners the one that is better elsewhere.
                let lean = d.map(|c| c + 1e-7);
                for (u, choice) in choices.iter().enumerate() {
                    let mut top = f64::NEG_INFINITY;
                    for (i, v) in choice.corners.iter().enumerate() {
                        let value = dot(&lean, &real(v));
                        if value > top {
                            (top, best[u]) = (value, i);
                        }
                    }
                    values[u] = top;
                }
                for (b, set) in sets.iter().enumerate() {
                    offsets[b] = set.corners.iter().map(|v| dot(&lean, &real(v))).fold(f64::NEG_INFINITY, f64::max);
                }
                envelope.span(grid, &values, 1e-6);
                for b in 0..sets.len() {
                    if envelope.value(&grid.beliefs[b]) <= offsets[b] + least.max(1e-3) {
                        continue;
                    }
                    let Some(lottery) = envelope.lottery(grid, &grid.beliefs[b], 1e-5) else { continue };
                    let mut v = [0; 3];
                    for (j, v) in v.iter_mut().enumerate().take(dimensions) {
                        let sum: i64 = (0..3)
                            .filter(|&k| lottery.weight[k] > 0)
                            .map(|k| {
                                let u = usize::from(lottery.at[k]);
                                lottery.weight[k] * i64::from(choices[u].corners[best[u]][j])
                            })
                            .sum();
                        *v = sum.div_euclid(lottery.sum) as i32;
                    }
                    if sets[b].misses(&v, least) {
                        if dimensions == 3 {
                            let hull = hulls[b].get_or_insert_with(|| Hull::over(&sets[b].corners));
                            hull.add(real(&v), 0.0);
                            sets[b].read(hull);
                        } else {
                            let mut points = sets[b].corners.clone();
                            points.push(v);
                            sets[b] = Convex::new(dimensions, &points);
                        }
                        new[b].push(v);
                        if !pending.contains(&b) {
                            pending.push(b);
                        }
                    }
                }
            }
        }
        sets.into_iter().zip(new).enumerate().map(|(b, (set, new))| (b, set, new)).collect()
    }

    /// The best belief to start with at a position and what it guarantees against every type, in lattice
    /// steps; the highest belief in the grid's order among equals.
    pub fn best(&self, at: u32) -> (usize, i32) {
        let value = |b: usize| self.level(self.set(at, b));
        (0..self.grid(at).beliefs.len()).map(|b| (b, value(b))).max_by_key(|&(b, v)| (v, b)).unwrap_or((0, 0))
    }

    /// The largest whole `t` for which (t, …, t) is in a set.
    fn level(&self, set: usize) -> i32 {
        let planes = self.sets[set].planes.iter();
        planes.map(|p| (p.offset / p.normal.iter().sum::<f64>() + 1e-9).floor() as i32).min().unwrap_or(i32::MIN)
    }

    /// The beliefs about the holder at a position.
    pub fn beliefs(&self, at: u32) -> &Grid {
        self.grid(at)
    }

    /// The guarantees at a position and a belief of the grid: the corners.
    pub fn corners(&self, at: u32, belief: usize) -> &[Vector] {
        &self.sets[self.set(at, belief)].corners
    }
}

/// The corners of what lies in all half-spaces, rounded down to multiples of a step, each confirmed.
fn whole(dimensions: usize, halves: &Halves, floor: f64, step: i32) -> Vec<Vector> {
    let planes: Vec<Plane> = halves.iter().map(Half::plane).collect();
    let mut corners = Vec::new();
    hull::meet(dimensions, &planes, floor, &mut corners);
    let mut out: Vec<Vector> = Vec::with_capacity(corners.len());
    for c in corners {
        for nudge in [1e-5, -1e-5] {
            let mut v = [0; 3];
            for (j, v) in v.iter_mut().enumerate().take(dimensions) {
                *v = ((c[j] + nudge) / f64::from(step)).floor() as i32 * step;
            }
            if halves.hold(&v) {
                if !out.contains(&v) {
                    out.push(v);
                }
                break;
            }
        }
    }
    out
}
