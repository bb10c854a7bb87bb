//! Lotteries found exactly: weights with which some columns average to a belief and reach at least a vector.
//! Floating point numbers choose few columns; fractions of whole numbers decide.

use super::grid::sum;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{CheckedMul, CheckedSub, Signed, ToPrimitive};

/// Something to mix: whole weights of a belief, whole guarantees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The belief, in whole weights of any sum.
    pub belief: [i64; 3],
    /// The guarantees.
    pub vector: [i64; 3],
}

/// What a lottery must come to: the belief exactly, at least the vector.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Whole weights of any sum.
    pub belief: [i64; 3],
    /// The numerators of the least guarantees.
    pub vector: [i64; 3],
    /// Their denominator.
    pub over: i64,
    /// How many types the holder has, and the opponent.
    pub types: [usize; 2],
}

/// Columns with weights that are fractions over a common denominator.
pub type Weights = Mixed<i128>;

/// Columns with numerators, and the denominator.
pub type Mixed<N> = (Vec<(usize, N)>, N);

/// A lottery that meets the target, if floating point numbers point to the columns that allow one.
pub fn mix(columns: &[Column], target: &Target) -> Option<Weights> {
    let chosen: Vec<usize> =
        if columns.len() <= 8 { (0..columns.len()).collect() } else { promising(columns, target)? };
    over(columns, &chosen, target)
}

/// A lottery that meets the target, if the columns allow one: where the promising columns do not, all are tried.
pub fn mix_of_all(columns: &[Column], target: &Target) -> Option<Weights> {
    let all = || (0..columns.len()).collect::<Vec<usize>>();
    mix(columns, target).or_else(|| over(columns, &all(), target))
}

fn over(columns: &[Column], chosen: &[usize], target: &Target) -> Option<Weights> {
    let (mut weights, _) = exact(columns, chosen, target)?;
    // What was found says how the columns' weights add up to the target's; a column's part of the whole is its
    // own sum as often.
    for (c, w) in &mut weights {
        *w = w.checked_mul(i128::from(sum(&columns[*c].belief)))?;
    }
    let whole = weights.iter().try_fold(0i128, |whole, (_, w)| whole.checked_add(*w))?;
    Some((weights, whole))
}

fn rows(target: &Target) -> usize {
    target.types[0] + target.types[1]
}

/// The entry of a column in a row: first the belief's weights, then the guarantees as often as the weights say.
fn entry(c: &Column, target: &Target, row: usize) -> i64 {
    if row < target.types[0] {
        c.belief[row]
    } else {
        c.vector[row - target.types[0]] * target.over * sum(&c.belief)
    }
}

fn wanted(target: &Target, row: usize) -> i64 {
    if row < target.types[0] {
        target.belief[row]
    } else {
        target.vector[row - target.types[0]] * sum(&target.belief)
    }
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
    let (met, cost) = t.split_at_mut(m * width);
    for row in met.chunks_exact(width) {
        cost.iter_mut().zip(row).for_each(|(c, x)| *c -= x);
    }
    let mut basis: Vec<usize> = (0..m).map(|r| width + r).collect();
    for turn in 0..200 {
        let cost = &t[m * width..m * width + width - 1];
        // The steepest first; after a while the first one, which cannot go in circles.
        let enter = if turn < 60 {
            let mut steepest = (-1e-10, None);
            for (j, &cost) in cost.iter().enumerate() {
                if cost < steepest.0 {
                    steepest = (cost, Some(j));
                }
            }
            steepest.1
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
        let (above, rest) = t.split_at_mut(leave * width);
        let (row, below) = rest.split_at_mut(width);
        row.iter_mut().for_each(|x| *x /= pivot);
        for other in above.chunks_exact_mut(width).chain(below.chunks_exact_mut(width)) {
            let factor = other[enter];
            if factor != 0.0 {
                other.iter_mut().zip(&*row).for_each(|(x, y)| *x -= factor * y);
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

/// Whole numbers to pivot with.
trait Whole: Clone + Signed + CheckedMul + CheckedSub + PartialOrd + From<i64> {}
impl Whole for i128 {}
impl Whole for BigInt {}

/// The simplex method on whole numbers (all entries over one common denominator, the last pivot), by the
/// smallest index. The outer `None`: a number has outgrown its type; the inner: there is no lottery.
fn simplex<N: Whole>(columns: &[Column], chosen: &[usize], target: &Target) -> Option<Option<Mixed<N>>> {
    let m = rows(target);
    let slacks = target.types[1];
    let n = chosen.len();
    let width = n + slacks + 1;
    let mut t = vec![N::zero(); (m + 1) * width];
    for r in 0..m {
        let sign = if wanted(target, r) < 0 { -1 } else { 1 };
        for (j, &c) in chosen.iter().enumerate() {
            t[r * width + j] = N::from(sign * entry(&columns[c], target, r));
        }
        if r >= target.types[0] {
            t[r * width + n + r - target.types[0]] = N::from(-sign);
        }
        t[r * width + width - 1] = N::from(sign * wanted(target, r));
    }
    for r in 0..m {
        for j in 0..width {
            t[m * width + j] = t[m * width + j].checked_sub(&t[r * width + j])?;
        }
    }
    let mut basis: Vec<usize> = (0..m).map(|r| width + r).collect();
    let mut over = N::one();
    while !t[m * width + width - 1].is_zero() {
        let Some(enter) = (0..width - 1).find(|&j| t[m * width + j].is_negative()) else { return Some(None) };
        let mut leave: Option<usize> = None;
        for r in (0..m).filter(|&r| t[r * width + enter].is_positive()) {
            let better = match leave {
                None => true,
                Some(l) => {
                    let x = t[r * width + width - 1].checked_mul(&t[l * width + enter])?;
                    let y = t[l * width + width - 1].checked_mul(&t[r * width + enter])?;
                    x < y || (x == y && basis[r] < basis[l])
                }
            };
            if better {
                leave = Some(r);
            }
        }
        let Some(leave) = leave else { return Some(None) };
        let pivot = t[leave * width + enter].clone();
        for r in (0..=m).filter(|&r| r != leave) {
            let factor = t[r * width + enter].clone();
            for j in 0..width {
                let a = t[r * width + j].checked_mul(&pivot)?;
                let b = factor.checked_mul(&t[leave * width + j])?;
                t[r * width + j] = a.checked_sub(&b)? / over.clone();
            }
        }
        over = pivot;
        basis[leave] = enter;
    }
    let used = (0..m).filter(|&r| basis[r] < n && !t[r * width + width - 1].is_zero());
    let mut weights: Vec<(usize, N)> =
        used.map(|r| (chosen[basis[r]], t[r * width + width - 1].clone())).collect();
    weights.sort_unstable_by_key(|w| w.0);
    Some(Some((weights, over)))
}

/// The lottery over the chosen columns; with large numbers where 128 bits are not enough.
fn exact(columns: &[Column], chosen: &[usize], target: &Target) -> Option<Weights> {
    if let Some(found) = simplex::<i128>(columns, chosen, target) {
        return found;
    }
    let (weights, over) = simplex::<BigInt>(columns, chosen, target)??;
    let common = weights.iter().fold(over.clone(), |g, (_, w)| g.gcd(w));
    let small = |n: &BigInt| (n / &common).to_i128();
    let weights = weights.iter().map(|(c, w)| Some((*c, small(w)?))).collect::<Option<_>>()?;
    Some((weights, small(&over)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_core::random::Random;

    #[test]
    fn law_a_lottery_is_found_if_there_is_one_and_meets_its_target() {
        let mut random = Random::new(9);
        let (mut found, mut none) = (0, 0);
        for round in 0..400 {
            let types = [[1, 2], [2, 2], [2, 3], [3, 2], [3, 3]][round % 5];
            let count = 3 + random.below(30) as usize;
            let mut columns: Vec<Column> = Vec::new();
            for _ in 0..count {
                let mut belief = [0; 3];
                for _ in 0..12 {
                    belief[random.below(types[0] as u64) as usize] += 1;
                }
                // Weights of one sum here; of many below.
                let mut vector = [0; 3];
                vector.iter_mut().take(types[1]).for_each(|v| *v = random.below(2001) as i64 - 1000);
                columns.push(Column { belief, vector });
            }
            // A target that some mixture meets, then one a little beyond all of them.
            let weights: Vec<i64> = columns.iter().map(|_| random.below(4) as i64).collect();
            let total: i64 = weights.iter().sum::<i64>().max(1);
            let sum =
                |f: &dyn Fn(&Column) -> i64| columns.iter().zip(&weights).map(|(c, w)| f(c) * w).sum::<i64>();
            if weights.iter().all(|w| *w == 0) {
                continue;
            }
            let scaled: Vec<Column> =
                columns.iter().map(|c| Column { belief: c.belief.map(|b| b * total), ..*c }).collect();
            let target = Target {
                belief: [0, 1, 2].map(|i| sum(&|c| c.belief[i])),
                vector: [0, 1, 2].map(|i| sum(&|c| c.vector[i])),
                over: total,
                types,
            };
            let (mixed, over) = mix(&scaled, &target).expect("a mixture meets it");
            // The same beliefs in other weights: the same is met.
            let other: Vec<Column> = scaled
                .iter()
                .zip(1..)
                .map(|(c, i)| Column { belief: c.belief.map(|b| b * (1 + i % 5)), ..*c })
                .collect();
            let (again, whole) = mix(&other, &Target { belief: target.belief.map(|b| b * 7), ..target })
                .expect("a mixture meets it in other weights too");
            for i in 0..types[1] {
                let mean: i128 = again.iter().map(|(c, w)| i128::from(other[*c].vector[i]) * w).sum();
                assert!(mean * i128::from(total) >= i128::from(target.vector[i]) * whole);
            }
            for i in 0..types[0] {
                let mean: i128 = again.iter().map(|(c, w)| i128::from(scaled[*c].belief[i]) * w).sum();
                assert_eq!(mean, i128::from(target.belief[i]) * whole);
            }
            assert_eq!(mixed.iter().map(|m| m.1).sum::<i128>(), over);
            for i in 0..3 {
                let mean = |f: &dyn Fn(&Column) -> i64| -> i128 {
                    mixed.iter().map(|(c, w)| i128::from(f(&scaled[*c])) * w).sum()
                };
                assert_eq!(mean(&|c| c.belief[i]), i128::from(target.belief[i]) * over);
                if i < types[1] {
                    assert!(
                        mean(&|c| c.vector[i]) * i128::from(total) >= i128::from(target.vector[i]) * over
                    );
                }
            }
            found += 1;
            let best = columns.iter().map(|c| c.vector[0]).max().unwrap_or(0);
            let mut beyond = target;
            beyond.vector[0] = best * total + 1;
            none += usize::from(mix(&scaled, &beyond).is_none());
        }
        assert!(found > 300 && found == none, "{found} {none}");
    }
}
