//! Beliefs, and the best lotteries over them: the concave envelope of a function on finitely many beliefs, with
//! those that carry it.

use std::cmp::Ordering;

/// A belief: whole weights over the types, of any positive sum; unused components are 0.
pub type Belief = [i64; 3];

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// The sum of a belief's weights.
#[inline]
pub fn sum(belief: &Belief) -> i64 {
    belief[0] + belief[1] + belief[2]
}

/// The same belief in the smallest whole weights; none if nothing has weight.
pub fn reduced(belief: &Belief) -> Option<Belief> {
    let common = gcd(gcd(belief[0], belief[1]), belief[2]);
    (common > 0).then(|| belief.map(|w| w / common))
}

/// Whether these are weights over so many types.
pub fn fits(belief: &Belief, types: usize) -> bool {
    belief.iter().all(|w| *w >= 0) && belief[types..].iter().all(|w| *w == 0) && sum(belief) > 0
}

/// The belief that is certain of a type.
pub fn certain(kind: usize) -> Belief {
    let mut belief = [0; 3];
    belief[kind] = 1;
    belief
}

/// The order of beliefs: by the share of the first type, then of the second.
pub fn order(a: &Belief, b: &Belief) -> Ordering {
    let (of_a, of_b) = (sum(a), sum(b));
    (a[0] * of_b).cmp(&(b[0] * of_a)).then((a[1] * of_b).cmp(&(b[1] * of_a)))
}

/// Puts beliefs into their order, each once.
pub fn arrange(beliefs: &mut Vec<Belief>) {
    beliefs.sort_unstable_by(order);
    beliefs.dedup();
}

/// The place of a belief, in smallest weights, in an arranged list.
pub fn find(beliefs: &[Belief], belief: &Belief) -> Option<usize> {
    beliefs.binary_search_by(|b| order(b, belief)).ok()
}

/// These beliefs (whole weights of any positive sum) over so many types, in every order of the types, with the
/// certain ones.
pub fn spread(types: usize, beliefs: &[Belief]) -> Vec<Belief> {
    let orders: &[[usize; 3]] = match types {
        1 => &[[0, 1, 2]],
        2 => &[[0, 1, 2], [1, 0, 2]],
        _ => &[[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]],
    };
    let fitting = beliefs.iter().filter(|b| b[types..].iter().all(|w| *w == 0)).filter_map(reduced);
    let mut all: Vec<Belief> = (0..types).map(certain).collect();
    all.extend(fitting.flat_map(|b| orders.iter().map(move |order| order.map(|i| b[i]))));
    arrange(&mut all);
    all
}

/// All beliefs over so many types with whole weights of a sum, each in its smallest weights.
pub fn all(types: usize, sum: i64) -> impl Iterator<Item = Belief> {
    let weights = (0..=sum).flat_map(move |a| (0..=sum - a).map(move |b| [a, b, sum - a - b]));
    weights.filter(move |b| fits(b, types)).filter_map(|b| reduced(&b))
}

/// The shares of a belief.
#[inline]
pub fn shares(belief: &Belief) -> [f64; 3] {
    let whole = sum(belief) as f64;
    belief.map(|w| w as f64 / whole)
}

/// A lottery over beliefs whose mean is a given one: places in a list with whole weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lottery {
    /// Places; those with weight 0 do not count.
    pub at: [u16; 3],
    /// Weights.
    pub weight: [i128; 3],
    /// Their sum.
    pub sum: i128,
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

/// An arranged list of beliefs that has the certain ones, made ready for many envelopes.
pub struct Over<'a> {
    types: usize,
    beliefs: &'a [Belief],
    shares: Vec<[f64; 3]>,
    ends: [u16; 3],
}

impl<'a> Over<'a> {
    /// Over so many types.
    pub fn new(types: usize, beliefs: &'a [Belief]) -> Over<'a> {
        let ends = [0, 1, 2].map(|k| find(beliefs, &certain(k)).unwrap_or_default() as u16);
        Over { types, beliefs, shares: beliefs.iter().map(shares).collect(), ends }
    }
}

/// The concave envelope of a function on some beliefs.
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

/// The plane that has the values at the three points.
fn slope(x: [&[f64; 3]; 3], f: [f64; 3]) -> [f64; 3] {
    let cross = |a: &[f64; 3], b: &[f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let (n0, n1, n2) = (cross(x[1], x[2]), cross(x[2], x[0]), cross(x[0], x[1]));
    let whole = x[0][0] * n0[0] + x[0][1] * n0[1] + x[0][2] * n0[2];
    [0, 1, 2].map(|k| (f[0] * n0[k] + f[1] * n1[k] + f[2] * n2[k]) / whole)
}

impl Envelope {
    /// Spans the envelope of `f` over an arranged list of beliefs that has the certain ones; differences up to `slack`
    /// are taken to be rounding.
    pub fn span(&mut self, over: &Over<'_>, f: &[f64], slack: f64) {
        self.pieces.clear();
        match over.types {
            1 => self.pieces.push(Piece { at: [0, 0, 0], slope: [f[0], 0.0, 0.0] }),
            2 => self.span_line(over, f, slack),
            _ => self.span_triangle(over, f, slack),
        }
    }

    fn span_line(&mut self, over: &Over<'_>, f: &[f64], slack: f64) {
        // Beliefs ascend in the first share.
        let x = |i: u16| over.shares[usize::from(i)][0];
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
            let at = |x0: f64| f[usize::from(a)] + slope * (x0 - x(a));
            self.pieces.push(Piece { at: [a, b, a], slope: [at(1.0), at(0.0), 0.0] });
        }
    }

    fn span_triangle(&mut self, over: &Over<'_>, f: &[f64], slack: f64) {
        let b = |i: u16| &over.beliefs[usize::from(i)];
        let shares = &over.shares;
        let piece = |at: [u16; 3]| -> Option<Piece> {
            if area(b(at[0]), b(at[1]), b(at[2])) == 0 {
                return None;
            }
            let slope = slope(at.map(|i| &shares[usize::from(i)]), at.map(|i| f[usize::from(i)]));
            Some(Piece { at, slope })
        };
        let ends = over.ends;
        self.pieces.extend(piece(ends));
        for i in 0..f.len() as u16 {
            if ends.contains(&i) {
                continue;
            }
            let (at, height) = (shares[usize::from(i)], f[usize::from(i)]);
            let sees = |p: &Piece| height > p.value(&at) + slack;
            // Most are below all pieces.
            if !self.pieces.iter().any(sees) {
                continue;
            }
            let edges = &mut self.edges;
            edges.clear();
            self.pieces.retain(|p| {
                let seen = sees(p);
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

    /// The value of the envelope at the shares of a belief.
    pub fn value(&self, at: &[f64; 3]) -> f64 {
        self.pieces.iter().map(|p| p.value(at)).fold(f64::INFINITY, f64::min)
    }

    /// Whether the envelope is above a value at the shares of a belief: quicker than the value where it is not.
    pub fn above(&self, at: &[f64; 3], least: f64) -> bool {
        !self.pieces.iter().any(|p| p.value(at) <= least)
    }

    /// What a plane that touches the envelope at the shares of a belief says of the certain ones: the price of a type.
    pub fn prices(&self, at: &[f64; 3]) -> [f64; 3] {
        let least = self.pieces.iter().min_by(|a, b| a.value(at).total_cmp(&b.value(at)));
        least.map_or([0.0; 3], |piece| piece.slope)
    }

    /// A lottery over the beliefs it was spanned over whose mean is the given one, and that is worth the
    /// envelope's value but for the slack.
    pub fn lottery(&self, list: &Over<'_>, belief: &Belief, slack: f64) -> Option<Lottery> {
        let at = shares(belief);
        let enough = self.value(&at) + slack;
        self.pieces
            .iter()
            .filter(|p| p.value(&at) <= enough)
            .find_map(|p| over(list.types, p.at.map(|i| &list.beliefs[usize::from(i)]), p.at, belief))
    }
}

/// The lottery over the corners of a piece whose mean is the belief; none if the belief is elsewhere.
fn over(types: usize, b: [&Belief; 3], at: [u16; 3], belief: &Belief) -> Option<Lottery> {
    // First how the corners' weights add up to the belief's, then how much of the whole each corner has.
    let (part, whole) = match types {
        1 => ([1, 0, 0], 1),
        2 => {
            let det = |a: &Belief, b: &Belief| a[0] * b[1] - a[1] * b[0];
            ([det(belief, b[1]), det(b[0], belief), 0], det(b[0], b[1]))
        }
        _ => {
            let parts = [area(belief, b[1], b[2]), area(b[0], belief, b[2]), area(b[0], b[1], belief)];
            (parts, area(b[0], b[1], b[2]))
        }
    };
    if whole == 0 || part.iter().any(|p| p * whole.signum() < 0) {
        return None;
    }
    let weight = [0, 1, 2].map(|k| i128::from(part[k].abs()) * i128::from(sum(b[k])));
    Some(Lottery { at, weight, sum: weight.iter().sum() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_core::random::Random;

    #[test]
    fn law_an_envelope_is_the_best_lottery() {
        let mut random = Random::new(4);
        for types in 1..=3usize {
            // Quarters and, with weights of another sum, thirds.
            let of = |n: i64| (0..=n).flat_map(move |a| (0..=n - a).map(move |b| [a, b, n - a - b]));
            let beliefs = spread(types, &of(4).chain(of(3)).collect::<Vec<_>>());
            for _ in 0..60 {
                let f: Vec<f64> = beliefs.iter().map(|_| random.below(9) as f64).collect();
                let mut envelope = Envelope::default();
                let list = Over::new(types, &beliefs);
                envelope.span(&list, &f, 1e-9);
                for (place, belief) in beliefs.iter().enumerate() {
                    // Every lottery over three beliefs, the slow way.
                    let mut best = f64::NEG_INFINITY;
                    let n = beliefs.len() as u16;
                    for a in 0..n {
                        for b in 0..n {
                            for c in 0..if types == 3 { n } else { 1 } {
                                let at = [a, b, if types == 3 { c } else { a }];
                                let corners = at.map(|i| &beliefs[usize::from(i)]);
                                if let Some(l) = over(types, corners, at, belief) {
                                    let value: f64 =
                                        (0..3).map(|k| l.weight[k] as f64 * f[usize::from(l.at[k])]).sum();
                                    best = best.max(value / l.sum as f64);
                                }
                            }
                        }
                    }
                    best = best.max(f[place]);
                    assert!((envelope.value(&shares(belief)) - best).abs() < 1e-6, "{belief:?} {f:?}");
                    let lottery = envelope.lottery(&list, belief, 1e-6).unwrap();
                    // The mean of the shares, as fractions over the product of all sums.
                    for i in 0..3 {
                        let product: i128 =
                            lottery.at.iter().map(|&u| i128::from(sum(&beliefs[usize::from(u)]))).product();
                        let mean: i128 = (0..3)
                            .map(|k| {
                                let b = &beliefs[usize::from(lottery.at[k])];
                                lottery.weight[k] * i128::from(b[i]) * (product / i128::from(sum(b)))
                            })
                            .sum();
                        let wanted = i128::from(belief[i]) * lottery.sum * product;
                        assert_eq!(mean * i128::from(sum(belief)), wanted, "{belief:?} {lottery:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn law_beliefs_come_in_every_order_of_the_types_and_are_found() {
        let beliefs = spread(3, &[[1, 1, 1], [2, 8, 10]]);
        assert_eq!(beliefs.len(), 3 + 1 + 6);
        assert!(beliefs.iter().all(|b| find(&beliefs, b).is_some()));
        assert!(find(&beliefs, &[5, 4, 1]).is_some() && find(&beliefs, &[1, 1, 2]).is_none());
        assert_eq!(reduced(&[10, 8, 2]), Some([5, 4, 1]));
        assert_eq!(reduced(&[0, 0, 0]), None);
        assert_eq!(spread(2, &[[1, 2, 0], [1, 1, 1]]), [[0, 1, 0], [1, 2, 0], [2, 1, 0], [1, 0, 0]]);
    }
}
