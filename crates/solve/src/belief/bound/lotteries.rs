//! What the holder's lotteries over its choices make of the sets at a position: for a direction of the opponent's beliefs, the
//! concave envelope over what it can choose. Every edge or facet of a set is asked about until none gains.

use super::Bound;
use super::choices::Choices;
use super::layout::Fan;
use crate::belief::convex::{self, Convex};
use crate::belief::grid::{self, Envelope, Over};
use crate::belief::hull::{Hull, Plane, Vector, dot, real};
use rustc_hash::FxHashSet;
use std::hash::Hash;

/// A set while lotteries add to it. Until it has grown it is what was known.
#[derive(Default)]
pub(in crate::belief) struct Growing {
    dimensions: usize,
    grown: bool,
    /// In space, the set; and whether points are added to it one by one.
    hull: Hull,
    open: bool,
    corners: Vec<Vector>,
    /// The corners, also of what was known.
    real: Vec<[f64; 3]>,
    /// What was added.
    pub new: Vec<Vector>,
    /// Whether it has changed since its half-spaces were asked about.
    pending: bool,
}

impl Growing {
    fn begin(&mut self, dimensions: usize, own: &Convex) {
        self.dimensions = dimensions;
        self.grown = false;
        self.open = false;
        self.new.clear();
        self.real.clear();
        self.real.extend(own.corners().iter().map(real));
        self.pending = true;
    }

    /// Adds points that are new, all at once.
    fn add_all(&mut self, own: &Convex) {
        self.grown = true;
        self.corners.clear();
        self.corners.extend(own.corners().iter().chain(&self.new));
        if self.dimensions == 3 {
            self.hull.over(&self.corners);
        }
        self.read();
    }

    /// Adds a point.
    fn add(&mut self, own: &Convex, v: Vector) {
        if !self.grown {
            self.corners.clear();
            self.corners.extend(own.corners());
        }
        if self.dimensions == 3 {
            if !self.open {
                self.hull.over(&self.corners);
                self.open = true;
            }
            self.hull.add(real(&v));
        } else {
            self.corners.push(v);
        }
        self.grown = true;
        self.new.push(v);
        self.pending = true;
        self.read();
    }

    fn read(&mut self) {
        if self.dimensions == 3 {
            self.corners.clear();
            self.corners.extend(self.hull.corners());
        } else {
            convex::corners(self.dimensions, &mut self.corners, &mut self.hull);
        }
        self.real.clear();
        self.real.extend(self.corners.iter().map(real));
    }

    /// The corners, once it has grown.
    pub fn corners(&self) -> &[Vector] {
        &self.corners
    }

    fn misses(&self, own: &Convex, v: &Vector, least: f64) -> bool {
        match (self.grown, self.dimensions) {
            (false, _) => own.misses(v, least),
            (true, 3) => self.hull.misses(v, least),
            _ => {
                let v = real(v);
                convex::flat_planes(self.dimensions, &self.corners).any(|p| p.misses(&v, least))
            }
        }
    }

    fn planes(&self, own: &Convex, each: impl FnMut(Plane)) {
        match (self.grown, self.dimensions) {
            (false, _) => own.planes().for_each(each),
            (true, 3) => self.hull.planes().for_each(each),
            _ => convex::flat_planes(self.dimensions, &self.corners).for_each(each),
        }
    }
}

/// Room for lotteries, and what they have made of the sets.
#[derive(Default)]
pub(in crate::belief) struct Lotteries {
    sets: Vec<Growing>,
    count: usize,
    asked: FxHashSet<[u64; 3]>,
    ask: Vec<[f64; 3]>,
    envelope: Envelope,
    /// The corners of the choices.
    real: Vec<[f64; 3]>,
    values: Vec<f64>,
    best: Vec<usize>,
    offsets: Vec<f64>,
    shares: Vec<[f64; 3]>,
    pending: Vec<usize>,
}

impl Lotteries {
    /// The sets that have grown, by their number.
    pub fn grown(&self) -> impl Iterator<Item = (usize, &Growing)> {
        self.sets[..self.count].iter().enumerate().filter(|(_, set)| set.grown)
    }

    /// The half-spaces of a set, given what was known.
    pub fn planes(&self, set: usize, own: &Convex, each: impl FnMut(Plane)) {
        self.sets[set].planes(own, each);
    }
}

impl<P: Copy + Eq + Hash + Send + Sync> Bound<P> {
    /// What lotteries over the holder's choices add to sets that are known.
    pub(in crate::belief) fn lotteries(
        &self,
        at: u32,
        own: &[Convex],
        choices: &Choices,
        room: &mut Lotteries,
    ) {
        let Lotteries { sets, count, asked, ask, envelope, real: corners, .. } = room;
        let Lotteries { values, best, offsets, shares, pending, .. } = room;
        *count = 0;
        let Fan::Choices { beliefs: left, .. } = &self.fans[at as usize] else { return };
        *count = own.len();
        let (dimensions, least) = (self.dimensions(at), self.options.least);
        let over = Over::new(self.types(at), left);
        let here = self.beliefs(at);
        sets.resize_with(sets.len().max(own.len()), Growing::default);
        let sets = &mut sets[..own.len()];
        for ((set, own), belief) in sets.iter_mut().zip(own).zip(here) {
            set.begin(dimensions, own);
            let Some(place) = grid::find(left, belief) else { continue };
            let Growing { new, .. } = set;
            new.extend(choices.of(place).iter().filter(|v| own.misses(v, least)));
            if !new.is_empty() {
                set.add_all(own);
            }
        }
        corners.clear();
        corners.extend(choices.all().iter().map(real));
        shares.clear();
        shares.extend(here.iter().map(grid::shares));
        asked.clear();
        ask.clear();
        pending.clear();
        pending.extend(0..sets.len());
        values.clear();
        values.resize(left.len(), 0.0);
        offsets.clear();
        offsets.resize(sets.len(), 0.0);
        best.clear();
        best.resize(left.len(), 0);
        while !pending.is_empty() {
            for b in pending.drain(..) {
                sets[b].pending = false;
                sets[b].planes(&own[b], |p| {
                    // Division is right to the last bit: one direction, one key. There is only one 0.
                    let size = p.normal[0] + p.normal[1] + p.normal[2];
                    let direction = p.normal.map(|n| n / size + 0.0);
                    if asked.insert(direction.map(f64::to_bits)) {
                        ask.push(direction);
                    }
                });
            }
            for d in ask.drain(..) {
                // Of equally good corners the one that is better elsewhere.
                let lean = d.map(|c| c + 1e-7);
                for ((u, value), best) in values.iter_mut().enumerate().zip(best.iter_mut()) {
                    let mut top = f64::NEG_INFINITY;
                    let span = choices.span(u);
                    for (i, v) in corners[span].iter().enumerate() {
                        let value = dot(&lean, v);
                        if value > top {
                            (top, *best) = (value, i);
                        }
                    }
                    *value = top;
                }
                for (offset, set) in offsets.iter_mut().zip(&*sets) {
                    let mut top = f64::NEG_INFINITY;
                    for v in &set.real {
                        let value = dot(&lean, v);
                        if value > top {
                            top = value;
                        }
                    }
                    *offset = top;
                }
                envelope.span(&over, values, 1e-6);
                for b in 0..sets.len() {
                    if !envelope.above(&shares[b], offsets[b] + least.max(1e-3)) {
                        continue;
                    }
                    let Some(lottery) = envelope.lottery(&over, &here[b], 1e-5) else { continue };
                    let mut v = [0; 3];
                    for (j, v) in v.iter_mut().enumerate().take(dimensions) {
                        let sum: i128 = (0..3)
                            .filter(|&k| lottery.weight[k] > 0)
                            .map(|k| {
                                let u = usize::from(lottery.at[k]);
                                lottery.weight[k] * i128::from(choices.of(u)[best[u]][j])
                            })
                            .sum();
                        *v = sum.div_euclid(lottery.sum) as i32;
                    }
                    if sets[b].misses(&own[b], &v, least) {
                        if !sets[b].pending {
                            pending.push(b);
                        }
                        sets[b].add(&own[b], v);
                    }
                }
            }
        }
    }
}
