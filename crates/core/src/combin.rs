//! Ranking and unranking of the combinations games are indexed by.

/// Pascal's triangle up to a row, for ranking by sums of binomials.
#[derive(Clone, Debug)]
pub struct Binomials {
    rows: Vec<Vec<u64>>,
}

impl Binomials {
    /// All C(n, k) with n ≤ `max`; entries beyond 64 bits saturate.
    pub fn new(max: usize) -> Binomials {
        let mut rows: Vec<Vec<u64>> = Vec::with_capacity(max + 1);
        for n in 0..=max {
            let mut row = vec![1; n + 1];
            for k in 1..n {
                row[k] = rows[n - 1][k - 1].saturating_add(rows[n - 1][k]);
            }
            rows.push(row);
        }
        Binomials { rows }
    }

    /// C(n, k), 0 where k > n.
    #[inline]
    pub fn get(&self, n: usize, k: usize) -> u64 {
        self.rows[n].get(k).copied().unwrap_or(0)
    }
}

/// C(n, k) exactly; saturates beyond 64 bits.
pub fn binomial(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    let k = k.min(n - k);
    let mut result: u128 = 1;
    for i in 0..k {
        result = result * u128::from(n - i) / u128::from(i + 1);
        if result > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    result as u64
}

/// Vectors of counts `x` with `Σ x·weight = total` in two weights at once and `Σ x ≤ most`: a perfect
/// rank and unrank from a table of how many ways the rest can be filled.
#[derive(Clone, Debug)]
pub struct Fillings {
    weights: Vec<(usize, usize)>,
    size: (usize, usize, usize),
    /// `ways[j]` at `(a, b, r)`: fillings of `a`, `b` by the weights from `j` on with at most `r` items.
    ways: Vec<Vec<u64>>,
}

impl Fillings {
    /// Tables for totals up to `max` with at most `most` items.
    pub fn new(weights: &[(usize, usize)], max: (usize, usize), most: usize) -> Fillings {
        let size = (max.0 + 1, max.1 + 1, most + 1);
        let cells = size.0 * size.1 * size.2;
        let mut ways = vec![vec![0u64; cells]; weights.len() + 1];
        // Without weights left only the totals (0, 0) are filled, by nothing.
        ways[weights.len()][..size.2].fill(1);
        let place = |a: usize, b: usize, r: usize| (a * size.1 + b) * size.2 + r;
        for j in (0..weights.len()).rev() {
            let (wa, wb) = weights[j];
            for a in 0..size.0 {
                for b in 0..size.1 {
                    for r in 0..size.2 {
                        // Either none of this kind, or one of it and then the same question again.
                        let mut n = ways[j + 1][place(a, b, r)];
                        if a >= wa && b >= wb && r >= 1 {
                            n += ways[j][place(a - wa, b - wb, r - 1)];
                        }
                        ways[j][place(a, b, r)] = n;
                    }
                }
            }
        }
        Fillings { weights: weights.to_vec(), size, ways }
    }

    fn ways(&self, j: usize, a: usize, b: usize, r: usize) -> u64 {
        self.ways[j][(a * self.size.1 + b) * self.size.2 + r]
    }

    /// How many vectors fill the totals.
    pub fn len(&self, total: (usize, usize)) -> u64 {
        if total.0 >= self.size.0 || total.1 >= self.size.1 {
            return 0;
        }
        self.ways(0, total.0, total.1, self.size.2 - 1)
    }

    /// The place of a vector among those with its totals.
    pub fn rank(&self, counts: &[usize]) -> u64 {
        let (mut a, mut b) = (0, 0);
        for (&x, &(wa, wb)) in counts.iter().zip(&self.weights) {
            a += x * wa;
            b += x * wb;
        }
        let mut r = self.size.2 - 1;
        let mut rank = 0;
        for (j, &x) in counts.iter().enumerate() {
            let (wa, wb) = self.weights[j];
            rank += self.ways(j, a, b, r);
            (a, b, r) = (a - x * wa, b - x * wb, r - x);
            rank -= self.ways(j, a, b, r);
        }
        rank
    }

    /// The vector at a place, `None` past the end.
    pub fn unrank(&self, total: (usize, usize), rank: u64) -> Option<Vec<usize>> {
        if rank >= self.len(total) {
            return None;
        }
        let (mut a, mut b, mut r) = (total.0, total.1, self.size.2 - 1);
        let mut left = rank;
        let mut counts = Vec::with_capacity(self.weights.len());
        for (j, &(wa, wb)) in self.weights.iter().enumerate() {
            let all = self.ways(j, a, b, r);
            let mut x = 0;
            while a >= wa && b >= wb && r >= 1 && left >= all - self.ways(j, a - wa, b - wb, r - 1) {
                (a, b, r) = (a - wa, b - wb, r - 1);
                x += 1;
            }
            left -= all - self.ways(j, a, b, r);
            counts.push(x);
        }
        Some(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_binomials_agree() {
        let table = Binomials::new(70);
        for n in 0..=60 {
            for k in 0..=70 {
                assert_eq!(table.get(n, k), binomial(n as u64, k as u64), "C({n}, {k})");
            }
        }
        assert_eq!(binomial(21, 8), 203_490);
        assert_eq!(binomial(200, 100), u64::MAX);
    }

    #[test]
    fn law_fillings_rank_and_unrank_are_inverse() {
        let weights = [(4, 2), (3, 2), (2, 2), (2, 1), (1, 1)];
        let fillings = Fillings::new(&weights, (20, 10), 5);
        let mut all = 0;
        for a in 0..=20 {
            for b in 0..=10 {
                for rank in 0..fillings.len((a, b)) {
                    let counts = fillings.unrank((a, b), rank).unwrap();
                    assert!(counts.iter().sum::<usize>() <= 5);
                    assert_eq!(counts.iter().zip(&weights).map(|(x, w)| x * w.0).sum::<usize>(), a);
                    assert_eq!(counts.iter().zip(&weights).map(|(x, w)| x * w.1).sum::<usize>(), b);
                    assert_eq!(fillings.rank(&counts), rank);
                    all += 1;
                }
                assert_eq!(fillings.unrank((a, b), fillings.len((a, b))), None);
            }
        }
        assert_eq!(all, binomial(10, 5), "every vector with sum at most 5 is counted once");
    }
}
