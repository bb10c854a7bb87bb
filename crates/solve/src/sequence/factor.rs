//! A sparse symmetric matrix as L·D·Lᵀ, for matrices of which every leading part can be inverted in any order: positive
//! and negative definite blocks with anything between them.

use crate::modular::WORK;
use yomikiri_core::{Error, Run};

/// Which entries a matrix has, in an order that keeps its factor small.
pub struct Pattern {
    /// Where each row stands in the order of work.
    place: Vec<u32>,
    /// The row at each place.
    order: Vec<u32>,
    /// The parent of each place in the elimination tree, or [`NONE`].
    parent: Vec<u32>,
    /// Where each column of the factor begins.
    begins: Vec<usize>,
}

const NONE: u32 = u32::MAX;

/// The least pivot.
const LEAST: f64 = 1e-10;

impl Pattern {
    /// Chooses an order for a matrix of `size` rows with the given entries off the diagonal, each once.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn new(size: usize, entries: &[(u32, u32)], run: &Run<'_>) -> Result<Pattern, Error> {
        let order = minimum_degree(size, entries, run)?;
        let mut place = vec![0; size];
        (0..).zip(&order).for_each(|(at, &row)| place[row as usize] = at);
        // Rows of the lower triangle by place.
        let rows = Rows::of(size, entries.iter().map(|&(a, b)| lower(place[a as usize], place[b as usize])));
        let (mut parent, mut mark) = (vec![NONE; size], vec![NONE; size]);
        let mut counts = vec![0usize; size];
        for k in 0..size {
            mark[k] = k as u32;
            for &(column, _) in rows.get(k) {
                let mut i = column as usize;
                while mark[i] != k as u32 {
                    if parent[i] == NONE {
                        parent[i] = k as u32;
                    }
                    counts[i] += 1;
                    mark[i] = k as u32;
                    i = parent[i] as usize;
                }
            }
        }
        let mut begins = vec![0; size + 1];
        (0..size).for_each(|i| begins[i + 1] = begins[i] + counts[i]);
        Ok(Pattern { place, order, parent, begins })
    }

    /// Entries of the factor below its diagonal.
    pub fn entries(&self) -> usize {
        self.begins[self.order.len()]
    }
}

/// An entry below the diagonal: the later place is the row.
fn lower(a: u32, b: u32) -> (u32, u32) {
    (a.max(b), a.min(b))
}

/// Entries by rows: their columns and where they stood in the list.
struct Rows {
    begins: Vec<usize>,
    entries: Vec<(u32, u32)>,
}

impl Rows {
    fn of(size: usize, list: impl Iterator<Item = (u32, u32)> + Clone) -> Rows {
        let mut begins = vec![0; size + 1];
        list.clone().for_each(|(row, _)| begins[row as usize + 1] += 1);
        (0..size).for_each(|i| begins[i + 1] += begins[i]);
        let mut at = begins.clone();
        let mut entries = vec![(0, 0); begins[size]];
        for (number, (row, column)) in (0..).zip(list) {
            entries[at[row as usize]] = (column, number);
            at[row as usize] += 1;
        }
        Rows { begins, entries }
    }

    fn get(&self, row: usize) -> &[(u32, u32)] {
        &self.entries[self.begins[row]..self.begins[row + 1]]
    }
}

/// The factor of a matrix of some pattern.
pub struct Factor {
    rows: Rows,
    columns: Vec<u32>,
    values: Vec<f64>,
    filled: Vec<usize>,
    diagonal: Vec<f64>,
}

impl Factor {
    /// Room for the factors of a pattern.
    pub fn new(pattern: &Pattern, entries: &[(u32, u32)]) -> Factor {
        let size = pattern.order.len();
        let at = |row: u32| pattern.place[row as usize];
        Factor {
            rows: Rows::of(size, entries.iter().map(|&(a, b)| lower(at(a), at(b)))),
            columns: vec![0; pattern.entries()],
            values: vec![0.0; pattern.entries()],
            filled: vec![0; size],
            diagonal: vec![0.0; size],
        }
    }

    /// Factors a matrix: its diagonal, and its other entries in the order in which they were given. Row by row, each
    /// by the columns before it that it meets.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn compute(
        &mut self,
        pattern: &Pattern,
        diagonal: &[f64],
        entries: &[f64],
        run: &Run<'_>,
    ) -> Result<(), Error> {
        let mut done = 0;
        let size = pattern.order.len();
        let (mut work, mut mark) = (vec![0.0; size], vec![NONE; size]);
        let (mut stack, mut path): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        self.filled.copy_from_slice(&pattern.begins[..size]);
        for k in 0..size {
            mark[k] = k as u32;
            stack.clear();
            for &(column, number) in self.rows.get(k) {
                work[column as usize] += entries[number as usize];
                path.clear();
                let mut i = column;
                while mark[i as usize] != k as u32 {
                    path.push(i);
                    mark[i as usize] = k as u32;
                    i = pattern.parent[i as usize];
                }
                stack.extend(path.iter().rev());
            }
            let mut d = diagonal[pattern.order[k] as usize];
            // Paths were pushed from their ends, so the last pushed come first.
            for &i in stack.iter().rev() {
                let i = i as usize;
                let y = std::mem::take(&mut work[i]);
                let range = pattern.begins[i]..self.filled[i];
                done += range.len();
                for (&row, &value) in self.columns[range.clone()].iter().zip(&self.values[range]) {
                    work[row as usize] -= value * y;
                }
                let value = y / self.diagonal[i];
                d -= value * y;
                self.columns[self.filled[i]] = k as u32;
                self.values[self.filled[i]] = value;
                self.filled[i] += 1;
            }
            // In exact arithmetic no pivot changes its sign; what rounding has done to one is undone.
            let sign = diagonal[pattern.order[k] as usize].signum();
            self.diagonal[k] = if d * sign > LEAST { d } else { sign * LEAST };
            if done >= WORK {
                run.check()?;
                done = 0;
            }
        }
        Ok(())
    }

    /// Solves for a right side, in place.
    pub fn solve(&self, pattern: &Pattern, b: &mut [f64]) {
        let size = pattern.order.len();
        let mut x: Vec<f64> = pattern.order.iter().map(|&row| b[row as usize]).collect();
        let column = |i: usize| {
            let range = pattern.begins[i]..pattern.begins[i + 1];
            self.columns[range.clone()].iter().zip(&self.values[range])
        };
        for i in 0..size {
            let known = x[i];
            column(i).for_each(|(&row, &value)| x[row as usize] -= value * known);
        }
        x.iter_mut().zip(&self.diagonal).for_each(|(x, d)| *x /= d);
        for i in (0..size).rev() {
            let sum: f64 = column(i).map(|(&row, &value)| value * x[row as usize]).sum();
            x[i] -= sum;
        }
        pattern.order.iter().zip(x).for_each(|(&row, x)| b[row as usize] = x);
    }
}

/// An order of elimination in which rows with few neighbours go first. What an eliminated row leaves behind, a clique
/// of its neighbours, is kept as one element.
fn minimum_degree(size: usize, entries: &[(u32, u32)], run: &Run<'_>) -> Result<Vec<u32>, Error> {
    let mut near: Vec<Vec<u32>> = vec![Vec::new(); size];
    for &(a, b) in entries {
        near[a as usize].push(b);
        near[b as usize].push(a);
    }
    let mut elements: Vec<Vec<u32>> = vec![Vec::new(); size];
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); size];
    let mut degree: Vec<usize> = near.iter().map(Vec::len).collect();
    let mut buckets: Vec<std::collections::BTreeSet<u32>> = vec![Default::default(); size + 1];
    (0..size).for_each(|i| {
        buckets[degree[i]].insert(i as u32);
    });
    let (mut gone, mut mark, mut overlap) = (vec![false; size], vec![NONE; size], vec![0usize; size]);
    let mut order = Vec::with_capacity(size);
    let (mut least, mut done) = (0, 0);
    while order.len() < size {
        if done >= WORK {
            run.check()?;
            done = 0;
        }
        while buckets[least].is_empty() {
            least += 1;
        }
        let Some(pivot) = buckets[least].pop_first() else { break };
        let p = pivot as usize;
        order.push(pivot);
        gone[p] = true;
        mark[p] = pivot;
        let mut clique = Vec::new();
        let absorbed = std::mem::take(&mut elements[p]);
        let mut add = |row: u32, mark: &mut Vec<u32>| {
            if mark[row as usize] != pivot && !gone[row as usize] {
                mark[row as usize] = pivot;
                clique.push(row);
            }
        };
        std::mem::take(&mut near[p]).into_iter().for_each(|row| add(row, &mut mark));
        for &e in &absorbed {
            std::mem::take(&mut members[e as usize]).into_iter().for_each(|row| add(row, &mut mark));
        }
        // How much of other elements lies in the clique.
        for &row in &clique {
            for &e in &elements[row as usize] {
                overlap[e as usize] += 1;
            }
        }
        for &row in &clique {
            let r = row as usize;
            done += near[r].len() + elements[r].len() + 1;
            near[r].retain(|&other| mark[other as usize] != pivot && !gone[other as usize]);
            elements[r].retain(|&e| !members[e as usize].is_empty());
            let mut estimate = near[r].len() + clique.len() - 1;
            for &e in &elements[r] {
                estimate += members[e as usize].len().saturating_sub(overlap[e as usize]);
            }
            elements[r].push(pivot);
            let estimate = estimate.min(size - order.len());
            if estimate != degree[r] {
                buckets[degree[r]].remove(&row);
                buckets[estimate].insert(row);
                degree[r] = estimate;
                least = least.min(estimate);
            }
        }
        for &row in &clique {
            for &e in &elements[row as usize] {
                overlap[e as usize] = 0;
            }
        }
        members[p] = clique;
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_core::random::Random;

    /// Random matrices with positive and negative blocks: what is solved for solves the equations.
    #[test]
    fn law_solutions_solve_the_equations() {
        let mut random = Random::new(11);
        for size in [1, 2, 5, 20, 60] {
            let mut entries = Vec::new();
            let half = size / 2;
            for a in 0..half {
                for b in half..size {
                    if random.below(4) == 0 {
                        entries.push((a as u32, b as u32));
                    }
                }
            }
            let values: Vec<f64> = entries.iter().map(|_| random.below(19) as f64 - 9.0).collect();
            let diagonal: Vec<f64> =
                (0..size).map(|i| (1 + random.below(9)) as f64 * if i < half { 1.0 } else { -1.0 }).collect();
            let wanted: Vec<f64> = (0..size).map(|_| random.below(100) as f64).collect();
            let mut b: Vec<f64> = (0..size).map(|i| diagonal[i] * wanted[i]).collect();
            for (&(r, c), v) in entries.iter().zip(&values) {
                b[r as usize] += v * wanted[c as usize];
                b[c as usize] += v * wanted[r as usize];
            }
            let run = Run::default();
            let pattern = Pattern::new(size, &entries, &run).unwrap();
            let mut factor = Factor::new(&pattern, &entries);
            factor.compute(&pattern, &diagonal, &values, &run).unwrap();
            factor.solve(&pattern, &mut b);
            for (found, wanted) in b.iter().zip(&wanted) {
                assert!((found - wanted).abs() < 1e-8, "{found} {wanted}");
            }
        }
    }

    /// A chain needs no more entries than it has, whatever the order of its rows.
    #[test]
    fn law_a_tree_has_no_fill() {
        let mut random = Random::new(3);
        let entries: Vec<(u32, u32)> = (1..500u32).map(|i| (random.below(u64::from(i)) as u32, i)).collect();
        assert_eq!(Pattern::new(500, &entries, &Run::default()).unwrap().entries(), 499);
    }
}
