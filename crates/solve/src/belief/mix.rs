//! Lotteries found exactly: weights with which some columns average to a belief and reach at least a vector.
//! Floating point numbers choose few columns; fractions of whole numbers decide.

/// Something to mix: whole weights of a belief, whole guarantees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The belief, over the same sum for all columns.
    pub belief: [i64; 3],
    /// The guarantees.
    pub vector: [i64; 3],
}

/// What a lottery must come to: the belief exactly, at least the vector.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Weights over the same sum as those of the columns.
    pub belief: [i64; 3],
    /// The numerators of the least guarantees.
    pub vector: [i64; 3],
    /// Their denominator.
    pub over: i64,
    /// How many types the holder has, and the opponent.
    pub types: [usize; 2],
}

/// Columns with weights that are fractions over a common denominator.
pub type Weights = (Vec<(usize, i128)>, i128);

/// A lottery that meets the target, if the columns allow one.
pub fn mix(columns: &[Column], target: &Target) -> Option<Weights> {
    let chosen: Vec<usize> =
        if columns.len() <= 8 { (0..columns.len()).collect() } else { promising(columns, target)? };
    exact(columns, &chosen, target)
}

fn rows(target: &Target) -> usize {
    target.types[0] + target.types[1]
}

/// The entry of a column in a row: first the belief's weights, then the guarantees.
fn entry(c: &Column, target: &Target, row: usize) -> i64 {
    if row < target.types[0] { c.belief[row] } else { c.vector[row - target.types[0]] * target.over }
}

fn wanted(target: &Target, row: usize) -> i64 {
    if row < target.types[0] { target.belief[row] } else { target.vector[row - target.types[0]] }
}

/// The columns that a floating point simplex finds useful: those of its last basis, and those that could
/// replace them at no cost.
fn promising(columns: &[Column], target: &Target) -> Option<Vec<usize>> {
    let m = rows(target);
    let n = columns.len();
    let slacks = target.types[1];
    let width = n + slacks + 1;
    let mut t = vec![0.0f64; (m + 1) * width];
    let scale: Vec<f64> = (0..m)
        .map(|r| columns.iter().map(|c| entry(c, target, r).abs()).max().unwrap_or(1).max(1) as f64)
        .collect();
    for r in 0..m {
        let sign = if wanted(target, r) < 0 { -1.0 } else { 1.0 } / scale[r];
        for (j, c) in columns.iter().enumerate() {
            t[r * width + j] = sign * entry(c, target, r) as f64;
        }
        if r >= target.types[0] {
            t[r * width + n + r - target.types[0]] = -sign * scale[r];
        }
        t[r * width + width - 1] = sign * wanted(target, r) as f64;
    }
    // The cost row: the sum of what is not yet met, to be brought to nothing.
    for r in 0..m {
        for j in 0..width {
            t[m * width + j] -= t[r * width + j];
        }
    }
    let mut basis: Vec<usize> = (0..m).map(|r| width + r).collect();
    for turn in 0..200 {
        let cost = &t[m * width..m * width + width - 1];
        // The steepest first; after a while the first one, which cannot go in circles.
        let enter = if turn < 60 {
            (0..width - 1).min_by(|&a, &b| cost[a].total_cmp(&cost[b])).filter(|&j| cost[j] < -1e-10)
        } else {
            (0..width - 1).find(|&j| cost[j] < -1e-10)
        };
        let Some(enter) = enter else { break };
        let mut leave: Option<(usize, f64)> = None;
        for r in 0..m {
            let a = t[r * width + enter];
            if a > 1e-10 {
                let ratio = t[r * width + width - 1] / a;
                if leave.is_none_or(|(_, best)| ratio < best - 1e-13) {
                    leave = Some((r, ratio));
                }
            }
        }
        let Some((leave, _)) = leave else { break };
        let pivot = t[leave * width + enter];
        for j in 0..width {
            t[leave * width + j] /= pivot;
        }
        for r in 0..=m {
            if r != leave {
                let factor = t[r * width + enter];
                if factor != 0.0 {
                    for j in 0..width {
                        t[r * width + j] -= factor * t[leave * width + j];
                    }
                }
            }
        }
        basis[leave] = enter;
    }
    if t[m * width + width - 1].abs() > 1e-6 {
        return None;
    }
    let mut chosen: Vec<usize> = basis.iter().copied().filter(|&j| j < n).collect();
    // Where nothing is to spare the last digits may have misled: neighbours are taken along.
    let mut near: Vec<(f64, usize)> = (0..n)
        .filter(|j| !chosen.contains(j))
        .map(|j| (t[m * width + j], j))
        .filter(|(cost, _)| *cost < 1e-7)
        .collect();
    near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    chosen.extend(near.iter().take(24).map(|(_, j)| *j));
    Some(chosen)
}

/// The simplex method on whole numbers (all entries over one common denominator, the last pivot), by the
/// smallest index; none if a number outgrows 128 bits.
fn exact(columns: &[Column], chosen: &[usize], target: &Target) -> Option<Weights> {
    let m = rows(target);
    let slacks = target.types[1];
    let n = chosen.len();
    let width = n + slacks + 1;
    let mut t = vec![0i128; (m + 1) * width];
    for r in 0..m {
        let sign = if wanted(target, r) < 0 { -1 } else { 1 };
        for (j, &c) in chosen.iter().enumerate() {
            t[r * width + j] = i128::from(sign * entry(&columns[c], target, r));
        }
        if r >= target.types[0] {
            t[r * width + n + r - target.types[0]] = i128::from(-sign);
        }
        t[r * width + width - 1] = i128::from(sign * wanted(target, r));
    }
    for r in 0..m {
        for j in 0..width {
            t[m * width + j] -= t[r * width + j];
        }
    }
    let mut basis: Vec<usize> = (0..m).map(|r| width + r).collect();
    let mut over: i128 = 1;
    while t[m * width + width - 1] != 0 {
        let enter = (0..width - 1).find(|&j| t[m * width + j] < 0)?;
        let mut leave: Option<usize> = None;
        for r in 0..m {
            let a = t[r * width + enter];
            if a <= 0 {
                continue;
            }
            let better = match leave {
                None => true,
                Some(l) => {
                    let (x, y) = (
                        t[r * width + width - 1].checked_mul(t[l * width + enter])?,
                        t[l * width + width - 1].checked_mul(a)?,
                    );
                    x < y || (x == y && basis[r] < basis[l])
                }
            };
            if better {
                leave = Some(r);
            }
        }
        let leave = leave?;
        let pivot = t[leave * width + enter];
        for r in 0..=m {
            if r == leave {
                continue;
            }
            let factor = t[r * width + enter];
            for j in 0..width {
                let a = t[r * width + j].checked_mul(pivot)?;
                let b = factor.checked_mul(t[leave * width + j])?;
                t[r * width + j] = a.checked_sub(b)? / over;
            }
        }
        over = pivot;
        basis[leave] = enter;
    }
    let mut weights: Vec<(usize, i128)> = Vec::new();
    for r in 0..m {
        let value = t[r * width + width - 1];
        if value != 0 && basis[r] < n {
            weights.push((chosen[basis[r]], value));
        }
    }
    weights.sort_unstable();
    Some((weights, over))
}
