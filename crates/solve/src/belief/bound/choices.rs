//! What the holder can choose from at a position: every guarantee it can go to with one move, by the belief it leaves.

use super::Bound;
use super::layout::Fan;
use crate::belief::ENDED;
use crate::belief::convex;
use crate::belief::grid::{self, Belief};
use crate::belief::hull::{Hull, Vector};
use std::hash::Hash;

/// A guarantee the holder can go to with one move.
#[derive(Clone, Copy, Debug)]
pub(in crate::belief) struct Chance {
    /// The number of the move.
    pub number: usize,
    /// The place, among the choices, of the belief it leaves.
    pub left: u16,
    /// The set after the move; none if the game has ended.
    pub set: Option<usize>,
    /// What is guaranteed.
    pub vector: Vector,
}

/// The guarantees that go with each belief the holder can leave at once: the corners of their set.
#[derive(Default)]
pub(in crate::belief) struct Choices {
    /// Where the corners of each belief begin, and where the last ones end.
    begin: Vec<u32>,
    corners: Vec<Vector>,
    /// Everything that can be gone to, as it is found and by belief.
    found: Vec<(u16, Vector)>,
    sorted: Vec<Vector>,
    points: Vec<Vector>,
}

/// A print of some choices: different ones have different prints, but for a chance too small to come up.
pub(in crate::belief) type Print = [u64; 2];

impl Choices {
    /// A print of all corners; that of nothing is another.
    pub(in crate::belief) fn print(&self) -> Print {
        let mut print = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344];
        let mut mix = |a: u64, b: u64| {
            let fold = |x: u64, y: u64| {
                let product = u128::from(x) * u128::from(y);
                product as u64 ^ (product >> 64) as u64
            };
            print[0] = fold(print[0] ^ a, 0x9e37_79b9_7f4a_7c15 ^ b);
            print[1] = fold(print[1] ^ b.rotate_left(32), 0xc2b2_ae3d_27d4_eb4f ^ a).wrapping_add(1);
        };
        self.begin.iter().for_each(|&begin| mix(u64::from(begin), 1));
        for v in &self.corners {
            let [x, y, z] = v.map(|c| u64::from(c as u32));
            mix(x << 32 | y, z << 32 | 2);
        }
        [print[0] | 1, print[1]]
    }

    /// All corners, belief by belief.
    pub(in crate::belief) fn all(&self) -> &[Vector] {
        &self.corners
    }

    /// Where the corners that go with a belief lie among all.
    pub(in crate::belief) fn span(&self, place: usize) -> std::ops::Range<usize> {
        self.begin[place] as usize..self.begin[place + 1] as usize
    }

    /// The corners that go with a belief.
    pub(in crate::belief) fn of(&self, place: usize) -> &[Vector] {
        &self.corners[self.span(place)]
    }
}

impl<P: Copy + Eq + Hash + Send + Sync> Bound<P> {
    /// Every guarantee the holder can go to at once.
    pub(in crate::belief) fn each_chance(&self, at: u32, mut each: impl FnMut(Chance)) {
        let (types, dimensions) = (self.types(at), self.dimensions(at));
        let other = 1 - self.holder;
        let Fan::Choices { beliefs, places } = &self.fans[at as usize] else { return };
        let mut places = places.iter();
        for (number, m) in self.graph.moves_of(at).iter().enumerate() {
            for i in (0..types).filter(|&i| m.next.is_none_or(|n| n.types[self.holder][i] == ENDED)) {
                let mut v = [0; 3];
                for (j, v) in v.iter_mut().enumerate().take(dimensions) {
                    *v = self.gain(m, i, j) as i32;
                }
                let place = grid::find(beliefs, &grid::certain(i)).unwrap_or_default();
                each(Chance { number, left: place as u16, set: None, vector: v });
            }
            let (Some(next), Some(places)) = (m.next, m.next.and_then(|_| places.next())) else { continue };
            let sets = self.set(next.position, 0);
            for (set, &place) in (sets..).zip(&**places) {
                let weights = &beliefs[usize::from(place)];
                for corner in self.sets[set].corners() {
                    let mut v = [0; 3];
                    for (j, v) in v.iter_mut().enumerate().take(dimensions) {
                        let there = next.types[other][j];
                        *v = if there == ENDED {
                            let sum: i64 = (0..types).map(|i| weights[i] * self.gain(m, i, j)).sum();
                            sum.div_euclid(grid::sum(weights)) as i32
                        } else {
                            corner[usize::from(there)]
                        };
                    }
                    each(Chance { number, left: place, set: Some(set), vector: v });
                }
            }
        }
    }

    /// The beliefs the holder can leave at once, and for each the guarantees that go with it.
    pub(in crate::belief) fn choices(&self, at: u32, into: &mut Choices, hull: &mut Hull) -> &[Belief] {
        let Choices { begin, corners, found, sorted, points } = into;
        begin.clear();
        corners.clear();
        let Fan::Choices { beliefs, .. } = &self.fans[at as usize] else { return &[] };
        let dimensions = self.dimensions(at);
        let mut low = [0; 3];
        low[..dimensions].fill(-self.graph.most * self.options.lattice);
        found.clear();
        found.extend((0..beliefs.len() as u16).map(|place| (place, low)));
        self.each_chance(at, |chance| found.push((chance.left, chance.vector)));
        // Counted two further on, so that filling leaves each beginning where it belongs.
        let mut from = vec![0u32; beliefs.len() + 2];
        found.iter().for_each(|(place, _)| from[usize::from(*place) + 2] += 1);
        (2..from.len()).for_each(|i| from[i] += from[i - 1]);
        sorted.clear();
        sorted.resize(found.len(), [0; 3]);
        for (place, vector) in found.iter() {
            let next = &mut from[usize::from(*place) + 1];
            sorted[*next as usize] = *vector;
            *next += 1;
        }
        for span in from[..=beliefs.len()].windows(2) {
            begin.push(corners.len() as u32);
            points.clear();
            points.extend(&sorted[span[0] as usize..span[1] as usize]);
            if dimensions == 3 {
                points.sort_unstable();
                points.dedup();
            }
            convex::corners(dimensions, points, hull);
            corners.extend(points.iter());
        }
        begin.push(corners.len() as u32);
        beliefs
    }
}
