//! Linear programs in exact fractions, solved slowly and obviously: the twin of everything that mixes strategies.

use num_rational::Ratio;

pub type Q = Ratio<i128>;

/// A linear program in equations over variables that are not negative.
#[derive(Default)]
pub struct Program {
    variables: usize,
    rows: Vec<(Vec<(usize, i128)>, Q)>,
}

impl Program {
    /// One more variable.
    pub fn variable(&mut self) -> usize {
        self.variables += 1;
        self.variables - 1
    }

    /// One more equation.
    pub fn equal(&mut self, row: &[(usize, i128)], to: Q) {
        self.rows.push((row.to_vec(), to));
    }

    /// The simplex method by the smallest index, in two phases.
    pub fn maximise(&self, goal: &[(usize, Q)]) -> Q {
        let (n, m) = (self.variables, self.rows.len());
        let width = n + m + 1;
        let mut t: Vec<Vec<Q>> = Vec::new();
        for (r, (row, to)) in self.rows.iter().enumerate() {
            let mut line = vec![Q::from(0); width];
            let sign = if *to < Q::from(0) { -1 } else { 1 };
            for &(v, c) in row {
                line[v] += Q::from(c * sign);
            }
            line[n + r] = Q::from(1);
            line[width - 1] = *to * sign;
            t.push(line);
        }
        let mut basis: Vec<usize> = (n..n + m).collect();
        let mut first = vec![Q::from(0); width];
        first[n..n + m].fill(Q::from(-1));
        climb(&mut t, &mut basis, &first, n + m);
        for r in 0..m {
            // What is left of the first phase stands at 0 and may go.
            if basis[r] >= n
                && let Some(v) = (0..n).find(|&v| t[r][v] != Q::from(0))
            {
                pivot(&mut t, &mut basis, r, v);
            }
        }
        let mut cost = vec![Q::from(0); width];
        for &(v, c) in goal {
            cost[v] += c;
        }
        climb(&mut t, &mut basis, &cost, n)
    }
}

fn pivot(t: &mut [Vec<Q>], basis: &mut [usize], row: usize, column: usize) {
    let by = t[row][column];
    t[row].iter_mut().for_each(|c| *c /= by);
    let line = t[row].clone();
    for (r, other) in t.iter_mut().enumerate() {
        if r != row && other[column] != Q::from(0) {
            let factor = other[column];
            other.iter_mut().zip(&line).for_each(|(c, l)| *c -= factor * l);
        }
    }
    basis[row] = column;
}

fn climb(t: &mut [Vec<Q>], basis: &mut [usize], cost: &[Q], columns: usize) -> Q {
    let last = cost.len() - 1;
    loop {
        let gain = |t: &[Vec<Q>], v: usize| {
            basis.iter().enumerate().fold(cost[v], |sum, (r, &b)| sum - cost[b] * t[r][v])
        };
        let Some(enter) = (0..columns).find(|&v| gain(t, v) > Q::from(0)) else {
            return basis.iter().enumerate().map(|(r, &b)| cost[b] * t[r][last]).sum();
        };
        let ratios = (0..t.len()).filter(|&r| t[r][enter] > Q::from(0));
        let leave = ratios.min_by_key(|&r| (t[r][last] / t[r][enter], basis[r])).expect("bounded");
        pivot(t, basis, leave, enter);
    }
}
