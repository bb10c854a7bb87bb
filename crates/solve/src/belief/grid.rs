//! Beliefs on a finite grid, and the best lotteries over them: the concave envelope of a function on the
//! grid, with the beliefs that carry it.

use rustc_hash::FxHashMap;

/// A belief: whole weights over the types, with a common sum; unused components are 0.
pub type Belief = [i64; 3];

/// A finite set of beliefs over one, two or three types that holds all certain ones.
#[derive(Clone, Debug)]
pub struct Grid {
    /// The number of types.
    pub types: usize,
    /// The sum of the weights.
    pub sum: i64,
    /// The beliefs, ascending.
    pub beliefs: Vec<Belief>,
    place: FxHashMap<Belief, u16>,
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

impl Grid {
    /// The grid of these beliefs (with any positive sums), their permutations and the certain ones.
    pub fn new(types: usize, beliefs: impl IntoIterator<Item = Belief>) -> Grid {
        let orders: &[[usize; 3]] = match types {
            1 => &[[0, 1, 2]],
            2 => &[[0, 1, 2], [1, 0, 2]],
            _ => &[[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]],
        };
        let mut all: Vec<Belief> = beliefs.into_iter().collect();
        all.push([1, 0, 0]);
        let sum = all.iter().fold(1, |sum, b| {
            let own = b.iter().sum::<i64>() / gcd(gcd(b[0], b[1]), b[2]);
            sum / gcd(sum, own) * own
        });
        let mut beliefs: Vec<Belief> = Vec::new();
        for b in all {
            let own: i64 = b.iter().sum();
            for order in orders {
                beliefs.push(order.map(|i| b[i] * sum / own));
            }
        }
        beliefs.sort_unstable();
        beliefs.dedup();
        let place = beliefs.iter().enumerate().map(|(i, b)| (*b, i as u16)).collect();
        Grid { types, sum, beliefs, place }
    }

    /// The place of a belief given by whole weights, if the grid has it.
    pub fn find(&self, weights: &Belief) -> Option<usize> {
        let own: i64 = weights.iter().sum();
        let scaled = weights.map(|w| w * self.sum);
        if own <= 0 || scaled.iter().any(|w| w % own != 0) {
            return None;
        }
        self.place.get(&scaled.map(|w| w / own)).map(|&at| usize::from(at))
    }

    /// The same beliefs with weights that many times as large, so that other beliefs are whole too.
    pub(super) fn scaled(&self, by: i64) -> Grid {
        let beliefs = self.beliefs.iter().map(|b| b.map(|w| w * by)).collect();
        Grid { types: self.types, sum: self.sum * by, beliefs, place: FxHashMap::default() }
    }

    /// The place of the belief that is certain of a type.
    pub fn certain(&self, kind: usize) -> usize {
        let mut b = [0; 3];
        b[kind] = self.sum;
        usize::from(self.place[&b])
    }
}

/// A lottery over beliefs of the grid whose mean is a given one: places with whole weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lottery {
    /// Places in the grid; those with weight 0 do not count.
    pub at: [u16; 3],
    /// Weights.
    pub weight: [i64; 3],
    /// Their sum.
    pub sum: i64,
}

/// A piece of an envelope over which it is linear.
#[derive(Clone, Copy, Debug)]
struct Piece {
    at: [u16; 3],
    /// The value at the certain beliefs of the plane through the three points.
    slope: [f64; 3],
}

impl Piece {
    #[inline]
    fn value(&self, b: &[f64; 3]) -> f64 {
        self.slope[0] * b[0] + self.slope[1] * b[1] + self.slope[2] * b[2]
    }
}

/// The concave envelope of a function on a grid.
#[derive(Default)]
pub struct Envelope {
    pieces: Vec<Piece>,
    edges: Vec<(u16, u16)>,
}

/// The determinant of three beliefs.
fn area(a: &Belief, b: &Belief, c: &Belief) -> i64 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

impl Envelope {
    /// Spans the envelope of `f` over the grid; `slack` is what counts as nothing.
    pub fn span(&mut self, grid: &Grid, f: &[f64], slack: f64) {
        self.pieces.clear();
        match grid.types {
            1 => self.pieces.push(Piece { at: [0, 0, 0], slope: [f[0] / grid.sum as f64, 0.0, 0.0] }),
            2 => self.span_line(grid, f, slack),
            _ => self.span_triangle(grid, f, slack),
        }
    }

    fn span_line(&mut self, grid: &Grid, f: &[f64], slack: f64) {
        // Beliefs ascend in the first weight.
        let x = |i: u16| grid.beliefs[usize::from(i)][0] as f64;
        let mut chain: Vec<u16> = Vec::with_capacity(f.len());
        for i in 0..f.len() as u16 {
            while let [.., a, b] = chain[..] {
                let rise = (f[usize::from(i)] - f[usize::from(a)]) * (x(b) - x(a)) / (x(i) - x(a));
                if f[usize::from(b)] > f[usize::from(a)] + rise + slack {
                    break;
                }
                chain.pop();
            }
            chain.push(i);
        }
        for w in chain.windows(2) {
            let (a, b) = (w[0], w[1]);
            let slope = (f[usize::from(b)] - f[usize::from(a)]) / (x(b) - x(a));
            let sum = grid.sum as f64;
            let at = |x0: f64| (f[usize::from(a)] + slope * (x0 - x(a))) / sum;
            self.pieces.push(Piece { at: [a, b, a], slope: [at(sum), at(0.0), 0.0] });
        }
    }

    fn span_triangle(&mut self, grid: &Grid, f: &[f64], slack: f64) {
        let b = |i: u16| &grid.beliefs[usize::from(i)];
        let piece = |at: [u16; 3]| -> Option<Piece> {
            let whole = area(b(at[0]), b(at[1]), b(at[2]));
            if whole == 0 {
                return None;
            }
            let mut slope = [0.0; 3];
            for (k, s) in slope.iter_mut().enumerate() {
                let mut e = [0; 3];
                e[k] = 1;
                let w = [
                    area(&e, b(at[1]), b(at[2])),
                    area(b(at[0]), &e, b(at[2])),
                    area(b(at[0]), b(at[1]), &e),
                ];
                *s = (0..3).map(|i| w[i] as f64 * f[usize::from(at[i])]).sum::<f64>() / whole as f64;
            }
            Some(Piece { at, slope })
        };
        let ends = [0, 1, 2].map(|k| grid.certain(k) as u16);
        self.pieces.extend(piece(ends));
        for i in 0..f.len() as u16 {
            if ends.contains(&i) {
                continue;
            }
            let at = b(i).map(|w| w as f64);
            let edges = &mut self.edges;
            edges.clear();
            self.pieces.retain(|p| {
                let seen = f[usize::from(i)] > p.value(&at) + slack;
                if seen {
                    for (u, v) in [(p.at[0], p.at[1]), (p.at[1], p.at[2]), (p.at[0], p.at[2])] {
                        let edge = (u.min(v), u.max(v));
                        match edges.iter().position(|e| *e == edge) {
                            Some(at) => {
                                edges.swap_remove(at);
                            }
                            None => edges.push(edge),
                        }
                    }
                }
                !seen
            });
            // A point on an edge makes no piece with it.
            self.pieces.extend(edges.iter().filter_map(|&(u, v)| piece([i, u, v])));
        }
    }

    /// The value of the envelope at a belief.
    pub fn value(&self, belief: &Belief) -> f64 {
        let at = belief.map(|w| w as f64);
        self.pieces.iter().map(|p| p.value(&at)).fold(f64::INFINITY, f64::min)
    }

    /// A lottery over the grid whose mean is the belief, and that is worth the envelope's value but for
    /// the slack.
    pub fn lottery(&self, grid: &Grid, belief: &Belief, slack: f64) -> Option<Lottery> {
        let at = belief.map(|w| w as f64);
        let enough = self.value(belief) + slack;
        self.pieces.iter().filter(|p| p.value(&at) <= enough).find_map(|p| over(grid, p.at, belief))
    }
}

/// The lottery over the corners of a piece whose mean is the belief; none if the belief is elsewhere.
fn over(grid: &Grid, at: [u16; 3], belief: &Belief) -> Option<Lottery> {
    let b = at.map(|i| &grid.beliefs[usize::from(i)]);
    let (weight, sum) = match grid.types {
        1 => ([1, 0, 0], 1),
        2 => ([b[1][0] - belief[0], belief[0] - b[0][0], 0], b[1][0] - b[0][0]),
        _ => {
            let whole = area(b[0], b[1], b[2]);
            let w = [area(belief, b[1], b[2]), area(b[0], belief, b[2]), area(b[0], b[1], belief)];
            (w.map(|w| w * whole.signum()), whole.abs())
        }
    };
    (weight.iter().all(|w| *w >= 0) && sum > 0).then_some(Lottery { at, weight, sum })
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_core::random::Random;

    #[test]
    fn law_an_envelope_is_the_best_lottery() {
        let mut random = Random::new(4);
        for types in 1..=3usize {
            let all = (0..=4).flat_map(|a| (0..=4 - a).map(move |b| [a, b, 4 - a - b]));
            let grid =
                Grid::new(types, all.filter(|b| b[types..].iter().all(|w| *w == 0)).collect::<Vec<_>>());
            for _ in 0..60 {
                let f: Vec<f64> = grid.beliefs.iter().map(|_| random.below(9) as f64).collect();
                let mut envelope = Envelope::default();
                envelope.span(&grid, &f, 1e-9);
                for belief in &grid.beliefs {
                    // Every lottery over three beliefs, the slow way.
                    let mut best = f64::NEG_INFINITY;
                    let n = grid.beliefs.len() as u16;
                    for a in 0..n {
                        for b in 0..n {
                            for c in 0..if types == 3 { n } else { 1 } {
                                if let Some(l) = over(&grid, [a, b, if types == 3 { c } else { a }], belief) {
                                    let value: f64 =
                                        (0..3).map(|k| l.weight[k] as f64 * f[usize::from(l.at[k])]).sum();
                                    best = best.max(value / l.sum as f64);
                                }
                            }
                        }
                    }
                    best = best.max(f[grid.find(belief).unwrap()]);
                    assert!((envelope.value(belief) - best).abs() < 1e-6, "{belief:?} {f:?}");
                    let lottery = envelope.lottery(&grid, belief, 1e-6).unwrap();
                    let mean = |i: usize| -> i64 {
                        (0..3).map(|k| lottery.weight[k] * grid.beliefs[usize::from(lottery.at[k])][i]).sum()
                    };
                    assert!((0..3).all(|i| mean(i) == belief[i] * lottery.sum));
                }
            }
        }
    }

    #[test]
    fn law_a_grid_is_closed_under_permutation_and_knows_its_beliefs() {
        let grid = Grid::new(3, [[1, 1, 1], [1, 4, 5]]);
        assert_eq!((grid.sum, grid.beliefs.len()), (30, 3 + 1 + 6));
        assert_eq!(grid.find(&[10, 8, 2]), grid.find(&[5, 4, 1]));
        assert!(grid.find(&[5, 4, 1]).is_some());
        assert_eq!(grid.find(&[1, 1, 2]), None);
        assert_eq!(grid.find(&[0, 0, 0]), None);
        assert!((0..3).all(|k| grid.beliefs[grid.certain(k)][k] == 30));
    }
}
