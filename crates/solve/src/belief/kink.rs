//! Where a look ahead gains most: of all beliefs a player could leave the opponent with at a position, not only those that are
//! kept there, the one that is worth most beyond what it costs to arrive at it.
//!
//! What is guaranteed after each of the opponent's moves is convex in belief and guarantee together, so this is a linear
//! program: a belief and a guarantee that lie, for every move, among the mixtures of what is kept after it. Columns are
//! many but have few entries, so the simplex method keeps the inverse of its basis. It works in floating point numbers and
//! only proposes a belief.

use super::bound::Bound;
use super::bound::choices::Choices;
use super::hull::Hull;
use super::{ENDED, grid};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::Arc;

/// What can be mixed at a position of the holder: shares of a belief, and guarantees above the least payoff, over the most.
type Atoms = Vec<([f64; 3], [f64; 3])>;

/// What was asked about before.
pub type KnownAtoms = FxHashMap<u32, Arc<Atoms>>;

/// The best belief to leave.
#[derive(Clone, Copy, Debug)]
pub struct Kink {
    /// How much it is worth beyond its cost, over the largest payoff.
    pub gain: f64,
    /// Its shares.
    pub belief: [f64; 3],
}

/// Reduced costs, entries and differences up to this are taken to be rounding.
const TINY: f64 = 1e-9;
/// Steps of the simplex method at most.
const STEPS: usize = 3000;

#[derive(Clone, Copy, Debug)]
enum Variable {
    /// The share of a type in the belief.
    Share(usize),
    /// The weight, after a move, of one of the atoms there.
    Weight(usize, usize),
    /// The guarantee against a type of the opponent, above the least payoff.
    Guarantee(usize),
    /// What a move leaves beyond the guarantee, by its row.
    Spare(usize),
}

/// A move of the opponent: rows of the program and what is there.
struct Move {
    /// For each type there: the weights have its share. The first row if there is none.
    share: [usize; 3],
    /// For each type of the opponent: the guarantee is no more than what is there.
    least: [usize; 3],
    own: [u8; 3],
    other: [u8; 3],
    /// By own and other type: what is paid if the game ends, above the least payoff.
    paid: [[f64; 3]; 3],
    atoms: Arc<Atoms>,
}

struct Program {
    types: usize,
    dimensions: usize,
    cost: [f64; 3],
    direction: [f64; 3],
    moves: Vec<Move>,
    rows: usize,
}

fn atoms<P: Copy + Eq + Hash + Send + Sync>(bound: &Bound<P>, at: u32) -> Atoms {
    let size = f64::from(bound.options.lattice * bound.graph.most);
    let mut choices = Choices::default();
    let beliefs = bound.choices(at, &mut choices, &mut Hull::default());
    let corners = beliefs.iter().enumerate().flat_map(|(place, belief)| {
        let shares = grid::shares(belief);
        choices.of(place).iter().map(move |v| (shares, v.map(|c| f64::from(c) / size + 1.0)))
    });
    corners.collect()
}

/// Makes sure that what programs at some positions ask for is known.
pub fn prepare<P: Copy + Eq + Hash + Send + Sync>(
    bound: &Bound<P>,
    at: impl Iterator<Item = u32>,
    known: &mut KnownAtoms,
) {
    let nexts = at.flat_map(|at| bound.graph.moves_of(at)).filter_map(|m| Some(m.next?.position));
    let mut new: Vec<u32> = nexts.filter(|next| !known.contains_key(next)).collect();
    new.sort_unstable();
    new.dedup();
    known.par_extend(new.into_par_iter().map(|next| (next, Arc::new(atoms(bound, next)))));
}

/// Maximises direction · guarantee − cost · belief at a position where the opponent moves, all over the largest payoff.
pub fn kink<P: Copy + Eq + Hash + Send + Sync>(
    bound: &Bound<P>,
    at: u32,
    cost: [f64; 3],
    direction: [f64; 3],
    known: &KnownAtoms,
) -> Option<Kink> {
    let (types, dimensions) = (bound.types(at), bound.dimensions(at));
    let size = f64::from(bound.options.lattice * bound.graph.most);
    // The first row: shares add up to 1.
    let mut rows = 1;
    let mut row = || {
        rows += 1;
        rows - 1
    };
    let mut moves = Vec::new();
    for m in bound.graph.moves_of(at) {
        let (mut own, mut other, mut atoms_there) = ([ENDED; 3], [ENDED; 3], Arc::default());
        if let Some(n) = m.next {
            own = n.types[bound.holder];
            other = n.types[1 - bound.holder];
            atoms_there = known.get(&n.position).cloned().unwrap_or_default();
        }
        let mut paid = [[0.0; 3]; 3];
        for (i, paid) in paid.iter_mut().enumerate().take(types) {
            for (j, paid) in paid.iter_mut().enumerate().take(dimensions) {
                *paid = bound.gain(m, i, j) as f64 / size + 1.0;
            }
        }
        let (mut share, mut least) = ([0; 3], [0; 3]);
        let there = |kind: u8| own[..types].contains(&kind);
        (0..3).filter(|&kind| there(kind)).for_each(|kind| share[usize::from(kind)] = row());
        (0..dimensions).for_each(|j| least[j] = row());
        moves.push(Move { share, least, own, other, paid, atoms: atoms_there });
    }
    let program = Program { types, dimensions, cost, direction, moves, rows };
    let (value, belief) = program.solve()?;
    Some(Kink { gain: value - direction.iter().sum::<f64>(), belief })
}

impl Program {
    /// The entries of a column by row; returns what it is worth.
    fn column(&self, of: Variable, out: &mut Vec<(usize, f64)>) -> f64 {
        out.clear();
        match of {
            Variable::Share(i) => {
                out.push((0, 1.0));
                for m in &self.moves {
                    let alive = m.own[i] != ENDED;
                    if alive {
                        out.push((m.share[usize::from(m.own[i])], -1.0));
                    }
                    for j in (0..self.dimensions).filter(|&j| !alive || m.other[j] == ENDED) {
                        out.push((m.least[j], m.paid[i][j]));
                    }
                }
                -self.cost[i]
            }
            Variable::Weight(m, k) => {
                let m = &self.moves[m];
                let (shares, guarantees) = &m.atoms[k];
                out.extend((0..3).filter(|&i| m.share[i] > 0).map(|i| (m.share[i], shares[i])));
                for j in (0..self.dimensions).filter(|&j| m.other[j] != ENDED) {
                    out.push((m.least[j], guarantees[usize::from(m.other[j])]));
                }
                0.0
            }
            Variable::Guarantee(j) => {
                out.extend(self.moves.iter().map(|m| (m.least[j], -1.0)));
                self.direction[j]
            }
            Variable::Spare(row) => {
                out.push((row, -1.0));
                0.0
            }
        }
    }

    /// A basis to begin with: the first type for certain, which is kept everywhere, and no guarantee.
    fn begin(&self) -> Option<Vec<Variable>> {
        let mut basis = vec![Variable::Share(0); self.rows];
        for (number, m) in self.moves.iter().enumerate() {
            for i in (0..3).filter(|&i| m.share[i] > 0) {
                let certain = m.atoms.iter().position(|(shares, _)| shares[i] == 1.0)?;
                basis[m.share[i]] = Variable::Weight(number, certain);
            }
            for &row in &m.least[..self.dimensions] {
                basis[row] = Variable::Spare(row);
            }
        }
        Some(basis)
    }

    /// The variable that promises most at the given prices of the rows.
    fn enter(&self, y: &[f64], column: &mut Vec<(usize, f64)>) -> Option<Variable> {
        let mut best = (TINY, None);
        let mut offer = |of: Variable, worth: f64| {
            if worth > best.0 {
                best = (worth, Some(of));
            }
        };
        let few = (0..self.types).map(Variable::Share).chain((0..self.dimensions).map(Variable::Guarantee));
        for of in few {
            let worth = self.column(of, column);
            offer(of, worth - column.iter().map(|(row, x)| y[*row] * x).sum::<f64>());
        }
        for (number, m) in self.moves.iter().enumerate() {
            let (mut share, mut least) = ([0.0; 3], [0.0; 3]);
            for i in (0..3).filter(|&i| m.share[i] > 0) {
                share[i] = y[m.share[i]];
            }
            for j in 0..self.dimensions {
                offer(Variable::Spare(m.least[j]), y[m.least[j]]);
                if m.other[j] != ENDED {
                    least[usize::from(m.other[j])] = y[m.least[j]];
                }
            }
            for (k, (s, g)) in m.atoms.iter().enumerate() {
                let belief = share[0] * s[0] + share[1] * s[1] + share[2] * s[2];
                let guarantee = least[0] * g[0] + least[1] * g[1] + least[2] * g[2];
                offer(Variable::Weight(number, k), -(belief + guarantee));
            }
        }
        best.1
    }

    /// The best value and the shares with which it is reached.
    fn solve(&self) -> Option<(f64, [f64; 3])> {
        let n = self.rows;
        let mut basis = self.begin()?;
        let mut column = Vec::new();
        let mut matrix = vec![0.0; n * n];
        let mut worth = vec![0.0; n];
        for (c, of) in basis.iter().enumerate() {
            worth[c] = self.column(*of, &mut column);
            column.iter().for_each(|&(row, x)| matrix[row * n + c] = x);
        }
        let mut inverse = inverted(matrix, n)?;
        // Only the first row asks for something. A small shake, so that few are equal.
        let mut x: Vec<f64> =
            (0..n).map(|r| inverse[r * n] + TINY * (1.0 + (r * 7919 % 101) as f64 / 101.0)).collect();
        let (mut y, mut turned) = (vec![0.0; n], vec![0.0; n]);
        for _ in 0..STEPS {
            y.fill(0.0);
            for r in (0..n).filter(|&r| worth[r] != 0.0) {
                y.iter_mut().zip(&inverse[r * n..]).for_each(|(y, i)| *y += worth[r] * i);
            }
            let Some(enter) = self.enter(&y, &mut column) else { break };
            let more = self.column(enter, &mut column);
            for (r, t) in turned.iter_mut().enumerate() {
                *t = column.iter().map(|&(row, x)| inverse[r * n + row] * x).sum();
            }
            let ratio = |r: &usize| x[*r].max(0.0) / turned[*r];
            let leave = (0..n).filter(|&r| turned[r] > TINY).min_by(|a, b| ratio(a).total_cmp(&ratio(b)))?;
            let far = ratio(&leave);
            x.iter_mut().zip(&turned).for_each(|(x, t)| *x -= far * t);
            x[leave] = far;
            let pivot = turned[leave];
            let row: Vec<f64> = inverse[leave * n..(leave + 1) * n].iter().map(|i| i / pivot).collect();
            for r in (0..n).filter(|&r| turned[r] != 0.0) {
                let by = turned[r];
                inverse[r * n..(r + 1) * n].iter_mut().zip(&row).for_each(|(i, p)| *i -= by * p);
            }
            inverse[leave * n..(leave + 1) * n].copy_from_slice(&row);
            (basis[leave], worth[leave]) = (enter, more);
        }
        // Without the shake.
        let (mut value, mut belief) = (0.0, [0.0; 3]);
        for r in 0..n {
            let x = inverse[r * n].max(0.0);
            value += worth[r] * x;
            if let Variable::Share(i) = basis[r] {
                belief[i] = x;
            }
        }
        Some((value, belief))
    }
}

/// The inverse of a square matrix, by elimination.
fn inverted(mut a: Vec<f64>, n: usize) -> Option<Vec<f64>> {
    let mut inverse = vec![0.0; n * n];
    (0..n).for_each(|i| inverse[i * n + i] = 1.0);
    for c in 0..n {
        let pivot = (c..n).max_by(|&x, &y| a[x * n + c].abs().total_cmp(&a[y * n + c].abs()))?;
        if a[pivot * n + c].abs() < TINY {
            return None;
        }
        for m in [&mut a, &mut inverse] {
            (0..n).for_each(|k| m.swap(pivot * n + k, c * n + k));
        }
        let by = a[c * n + c];
        for m in [&mut a, &mut inverse] {
            m[c * n..(c + 1) * n].iter_mut().for_each(|x| *x /= by);
        }
        for r in (0..n).filter(|&r| r != c) {
            let by = a[r * n + c];
            if by != 0.0 {
                for m in [&mut a, &mut inverse] {
                    (0..n).for_each(|k| m[r * n + k] -= by * m[c * n + k]);
                }
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::{Next, Options, PublicGraph, PublicMove, Rules};
    use std::sync::Arc;
    use yomikiri_core::Run;
    use yomikiri_core::random::Random;

    /// The second player moves at 0 and leads to one of some positions, where the first has one move, which is paid by its own
    /// type: what it is sure of at 0 is the least of some linear functions of the belief.
    struct Least(Vec<[i32; 3]>);

    impl Rules for Least {
        type Position = u32;
        fn mover(&self, p: &u32) -> usize {
            usize::from(*p == 0)
        }
        fn types(&self, _: &u32) -> [usize; 2] {
            [3, 1]
        }
        fn tier(&self, _: &u32) -> u32 {
            0
        }
        fn most(&self) -> i32 {
            10
        }
        fn moves(&self, p: &u32, out: &mut Vec<PublicMove<u32>>) {
            let keep = [[0, 1, 2], [0, ENDED, ENDED]];
            match *p {
                0 => out.extend((1..=self.0.len() as u32).map(|position| PublicMove {
                    next: Some(Next { position, types: keep }),
                    pay: [[0; 3]; 3],
                })),
                p => out.push(PublicMove { next: None, pay: self.0[p as usize - 1].map(|pay| [pay, 0, 0]) }),
            }
        }
    }

    fn found(rules: &Least, cost: [f64; 3]) -> Kink {
        let run = Run::default();
        let graph = Arc::new(PublicGraph::explore(rules, &[0], &run).unwrap());
        let options = Options { beliefs: vec![[1, 1, 0]], lattice: 10, step: 1, least: 0.0, rounds: 1 };
        let mut bound = Bound::new(graph, 0, &options, &run).unwrap();
        bound.solve(None, &run).unwrap();
        let mut known = KnownAtoms::default();
        prepare(&bound, [0].into_iter(), &mut known);
        kink(&bound, 0, cost, [1.0, 0.0, 0.0], &known).unwrap()
    }

    #[test]
    fn law_the_best_belief_lies_where_what_is_guaranteed_bends() {
        // 4p and 3(1 − p) are equal at 3/7, which is nowhere kept.
        let kink = found(&Least(vec![[4, 0, 0], [0, 3, 0]]), [0.0, 0.0, 1.0]);
        assert!((kink.gain * 10.0 - 12.0 / 7.0).abs() < 1e-6, "{kink:?}");
        assert!((kink.belief[0] - 3.0 / 7.0).abs() < 1e-6 && kink.belief[2] < 1e-6, "{kink:?}");
    }

    #[test]
    fn law_no_belief_gains_more() {
        let mut random = Random::new(5);
        for _ in 0..60 {
            let mut number = || random.below(21) as i32 - 10;
            let rules = Least((0..4).map(|_| [number(), number(), number()]).collect());
            let cost = [number(), number(), number()].map(|c| f64::from(c) / 20.0);
            let kink = found(&rules, cost);
            let worth = |p: &[f64; 3]| {
                let sure =
                    rules.0.iter().map(|pay| (0..3).map(|i| p[i] * f64::from(pay[i]) / 10.0).sum::<f64>());
                sure.fold(f64::INFINITY, f64::min) - (0..3).map(|i| cost[i] * p[i]).sum::<f64>()
            };
            assert!((worth(&kink.belief) - kink.gain).abs() < 1e-6, "{kink:?}");
            for a in 0..=40 {
                for b in 0..=40 - a {
                    let p = [a, b, 40 - a - b].map(|w| f64::from(w) / 40.0);
                    assert!(worth(&p) <= kink.gain + 1e-6, "{p:?} {kink:?}");
                }
            }
        }
    }
}
