//! Sparse linear equations with whole numbers, solved exactly: first modulo a prime, then to as many of its digits as
//! the fractions need.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use yomikiri_core::{Error, Run};

/// The prime 2⁶¹ − 1.
const PRIME: u64 = (1 << 61) - 1;

fn reduce(x: u128) -> u64 {
    let x = (x & u128::from(PRIME)) + (x >> 61);
    let x = (x as u64 & PRIME) + (x >> 61) as u64;
    if x >= PRIME { x - PRIME } else { x }
}

fn times(a: u64, b: u64) -> u64 {
    reduce(u128::from(a) * u128::from(b))
}

fn minus(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

fn of(x: i128) -> u64 {
    x.rem_euclid(i128::from(PRIME)) as u64
}

/// 1/x by Fermat's little theorem; x is not 0.
fn inverse(x: u64) -> u64 {
    let (mut power, mut base, mut left) = (1, x, PRIME - 2);
    while left > 0 {
        if left & 1 == 1 {
            power = times(power, base);
        }
        base = times(base, base);
        left >>= 1;
    }
    power
}

/// Equations: the entries of each row, by columns, and the right side.
pub struct Equations {
    pub rows: Vec<Vec<(u32, i64)>>,
    pub right: Vec<BigInt>,
    pub unknowns: usize,
}

/// Equations brought into steps modulo the prime.
pub struct Elimination {
    /// The row and the column of each pivot, in order.
    pivots: Vec<(u32, u32)>,
    /// What is left of the row of each pivot: other columns and their entries, divided by the pivot.
    uppers: Vec<Vec<(u32, u64)>>,
    /// 1/pivot.
    inverses: Vec<u64>,
    /// For each pivot the rows from which so many times its own was taken.
    lowers: Vec<Vec<(u32, u64)>>,
    /// Unknowns that the equations leave free.
    pub free: Vec<u32>,
}

impl Elimination {
    /// Eliminates; rows with few entries are used first, and in them columns with few.
    ///
    /// # Errors
    /// [`Error::Cancelled`]; [`Error::Memory`] if there is more and more to be kept.
    pub fn of(equations: &Equations, run: &Run<'_>) -> Result<Elimination, Error> {
        let mut rows: Vec<Vec<(u32, u64)>> = equations
            .rows
            .iter()
            .map(|row| {
                let entries = row.iter().map(|&(column, x)| (column, of(x.into())));
                let mut row: Vec<_> = entries.filter(|e| e.1 != 0).collect();
                row.sort_unstable();
                row
            })
            .collect();
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); equations.unknowns];
        let mut counts = vec![0usize; equations.unknowns];
        for (r, row) in (0..).zip(&rows) {
            for &(column, _) in row {
                columns[column as usize].push(r);
                counts[column as usize] += 1;
            }
        }
        let mut queue: std::collections::BTreeSet<(usize, u32)> =
            rows.iter().zip(0..).filter(|(row, _)| !row.is_empty()).map(|(row, r)| (row.len(), r)).collect();
        let mut done = Elimination {
            pivots: Vec::new(),
            uppers: Vec::new(),
            inverses: Vec::new(),
            lowers: Vec::new(),
            free: Vec::new(),
        };
        let (mut fixed, mut held) = (vec![false; equations.unknowns], 0u64);
        let mut merged = Vec::new();
        // Rows may be short or very long: what was done is counted, not how many there were.
        let mut work = WORK;
        while let Some((_, r)) = queue.pop_first() {
            let row = std::mem::take(&mut rows[r as usize]);
            row.iter().for_each(|e| counts[e.0 as usize] -= 1);
            let Some(&(column, pivot)) = row.iter().min_by_key(|e| (counts[e.0 as usize], e.0)) else {
                continue;
            };
            let inverse = inverse(pivot);
            let upper: Vec<(u32, u64)> =
                row.iter().filter(|e| e.0 != column).map(|e| (e.0, times(e.1, inverse))).collect();
            fixed[column as usize] = true;
            let mut lower = Vec::new();
            for other in std::mem::take(&mut columns[column as usize]) {
                if work >= WORK {
                    run.check()?;
                    run.fits(held * 16)?;
                    work = 0;
                }
                let below = &rows[other as usize];
                work += below.len() + upper.len() + 1;
                let Ok(at) = below.binary_search_by_key(&column, |e| e.0) else { continue };
                let factor = below[at].1;
                queue.remove(&(below.len(), other));
                lower.push((other, factor));
                // below − factor · (row / pivot)
                merged.clear();
                let (mut a, mut b) = (0, 0);
                loop {
                    match (below.get(a), upper.get(b)) {
                        (Some(x), Some(y)) if x.0 == y.0 => {
                            let value = minus(x.1, times(factor, y.1));
                            if value == 0 {
                                counts[x.0 as usize] -= 1;
                            } else {
                                merged.push((x.0, value));
                            }
                            (a, b) = (a + 1, b + 1);
                        }
                        (Some(x), y) if y.is_none_or(|y| x.0 < y.0) => {
                            if x.0 == column {
                                counts[x.0 as usize] -= 1;
                            } else {
                                merged.push(*x);
                            }
                            a += 1;
                        }
                        (_, Some(y)) => {
                            merged.push((y.0, minus(0, times(factor, y.1))));
                            columns[y.0 as usize].push(other);
                            counts[y.0 as usize] += 1;
                            b += 1;
                        }
                        _ => break,
                    }
                }
                rows[other as usize].clone_from(&merged);
                if !merged.is_empty() {
                    queue.insert((merged.len(), other));
                }
            }
            held += (upper.len() + lower.len()) as u64 + 4;
            done.pivots.push((r, column));
            done.uppers.push(upper);
            done.inverses.push(inverse);
            done.lowers.push(lower);
        }
        done.free = (0..).zip(&fixed).filter(|f| !f.1).map(|f| f.0).collect();
        // Free columns are moved to the right side before anything is solved.
        done.uppers.iter_mut().for_each(|upper| upper.retain(|e| fixed[e.0 as usize]));
        Ok(done)
    }

    /// The unknowns modulo the prime, free ones 0.
    fn solve(&self, right: &mut [u64], unknowns: &mut [u64]) {
        for ((&(row, _), lower), &inverse) in self.pivots.iter().zip(&self.lowers).zip(&self.inverses) {
            let scaled = times(right[row as usize], inverse);
            right[row as usize] = scaled;
            for &(other, factor) in lower {
                right[other as usize] = minus(right[other as usize], times(factor, scaled));
            }
        }
        for (&(row, column), upper) in self.pivots.iter().zip(&self.uppers).rev() {
            let sum = upper.iter().fold(0u128, |sum, &(c, x)| {
                u128::from(reduce(sum)) + u128::from(x) * u128::from(unknowns[c as usize])
            });
            unknowns[column as usize] = minus(right[row as usize], reduce(sum));
        }
    }
}

/// Entries after which it is time to look whether anybody still waits.
pub const WORK: usize = 1 << 22;

/// Ratios with one denominator.
#[derive(Clone)]
pub struct Ratios {
    pub numers: Vec<BigInt>,
    pub denom: BigInt,
}

/// Digits to the base of the prime beyond which nobody would want the fractions.
const MOST_DIGITS: usize = 1 << 12;

/// Solves equations whose free unknowns are given, as whole numbers over a denominator. `None` if entries are too large
/// for machine integers, or the fractions do not end.
///
/// # Errors
/// [`Error::Cancelled`].
pub fn solve(
    equations: &Equations,
    elimination: &Elimination,
    given: (&[i64], i64),
    run: &Run<'_>,
) -> Result<Option<Ratios>, Error> {
    let (given, denom) = given;
    let mut fixed = vec![None; equations.unknowns];
    elimination.free.iter().zip(given).for_each(|(&column, &x)| fixed[column as usize] = Some(x));
    // What the equations are to give once the free unknowns are moved over, all times the denominator.
    let moved = |(row, right): (&Vec<(u32, i64)>, &BigInt)| {
        let known = row.iter().filter_map(|&(c, x)| Some((x, fixed[c as usize]?)));
        known.fold(right * denom, |sum, (x, given)| sum - BigInt::from(x) * given)
    };
    let mut left = Residual::Long(equations.rows.iter().zip(&equations.right).map(moved).collect());
    let used: Vec<(usize, Vec<(u32, i64)>)> = elimination
        .pivots
        .iter()
        .map(|&(row, _)| {
            let entries = equations.rows[row as usize].iter().filter(|e| fixed[e.0 as usize].is_none());
            (row as usize, entries.copied().collect())
        })
        .collect();
    let mut digits: Vec<Vec<i64>> = Vec::new();
    let mut unknowns = vec![0u64; equations.unknowns];
    let mut next = 4;
    while digits.len() < MOST_DIGITS {
        run.check()?;
        left.shorten();
        elimination.solve(&mut left.modulo(), &mut unknowns);
        // Digits around 0, so that small negative numbers are short.
        let digit: Vec<i64> = unknowns
            .iter()
            .map(|&x| if x > PRIME / 2 { x as i64 - PRIME as i64 } else { x as i64 })
            .collect();
        let Some(ended) = left.step(&used, &digit) else { return Ok(None) };
        digits.push(digit);
        if ended || digits.len() == next {
            next *= 2;
            if let Some(mut found) = fractions(&digits, ended, run)? {
                for (&column, &x) in elimination.free.iter().zip(given) {
                    found.numers[column as usize] = BigInt::from(x) * &found.denom;
                }
                found.denom *= denom;
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

/// What is left of the right sides when the digits so far are taken away, divided by as many primes.
enum Residual {
    /// At first they may be of any size,
    Long(Vec<BigInt>),
    /// soon they are not larger than the rows.
    Short(Vec<i128>),
}

impl Residual {
    /// Machine integers, if they suffice.
    fn shorten(&mut self) {
        if let Residual::Long(left) = self
            && left.iter().all(|x| x.bits() < 100)
            && let Some(short) = left.iter().map(ToPrimitive::to_i128).collect()
        {
            *self = Residual::Short(short);
        }
    }

    fn modulo(&self) -> Vec<u64> {
        match self {
            Residual::Long(left) => {
                left.iter().map(|x| x.mod_floor(&PRIME.into()).to_u64().unwrap_or(0)).collect()
            }
            Residual::Short(left) => left.iter().map(|&x| of(x)).collect(),
        }
    }

    /// Takes a digit away; whether nothing is left, or nothing if it became too large on the way.
    fn step(&mut self, rows: &[(usize, Vec<(u32, i64)>)], digit: &[i64]) -> Option<bool> {
        let mut ended = true;
        for (row, entries) in rows {
            match self {
                Residual::Long(left) => {
                    let taken = entries.iter().map(|&(c, x)| i128::from(x) * i128::from(digit[c as usize]));
                    let sum = taken.fold(left[*row].clone(), |sum, x| sum - x);
                    ended &= sum.is_zero();
                    left[*row] = sum / PRIME;
                }
                Residual::Short(left) => {
                    let mut sum = left[*row];
                    for &(c, x) in entries {
                        sum = sum.checked_sub(i128::from(x) * i128::from(digit[c as usize]))?;
                    }
                    left[*row] = sum / i128::from(PRIME);
                    ended &= sum == 0;
                }
            }
        }
        Some(ended)
    }
}

/// The fractions whose digits these are, if they are short enough to be sure; with `whole` they are whole numbers.
fn fractions(digits: &[Vec<i64>], whole: bool, run: &Run<'_>) -> Result<Option<Ratios>, Error> {
    let unknowns = digits.first().map_or(0, Vec::len);
    let modulus = (0..digits.len()).fold(BigInt::one(), |m, _| m * PRIME);
    let number = |column: usize| {
        let mut number = BigInt::zero();
        for digit in digits.iter().rev() {
            number *= PRIME;
            number += digit[column];
        }
        number
    };
    if whole {
        return Ok(Some(Ratios { numers: (0..unknowns).map(number).collect(), denom: BigInt::one() }));
    }
    let half = &modulus >> 1;
    let centred = |x: BigInt| {
        let x = x.mod_floor(&modulus);
        if x > half { x - &modulus } else { x }
    };
    // Two digits are kept in reserve: fractions that fit by accident would hardly be that short.
    let bound = (&modulus >> 124u32).sqrt();
    let mut denom = BigInt::one();
    let mut numers: Vec<BigInt> = Vec::with_capacity(unknowns);
    for column in 0..unknowns {
        if column % 64 == 0 {
            run.check()?;
        }
        let numer = centred(number(column) * &denom);
        if numer.abs() <= bound {
            numers.push(numer);
            continue;
        }
        let Some((numer, factor)) = fraction(numer, &modulus, &bound) else { return Ok(None) };
        denom *= &factor;
        if denom > bound {
            return Ok(None);
        }
        numers.iter_mut().for_each(|x| *x *= &factor);
        numers.push(numer);
    }
    Ok(Some(Ratios { numers, denom }))
}

/// The fraction with short terms that a number modulo another stands for.
fn fraction(x: BigInt, modulus: &BigInt, bound: &BigInt) -> Option<(BigInt, BigInt)> {
    let (mut r, mut s) = ((modulus.clone(), x.mod_floor(modulus)), (BigInt::zero(), BigInt::one()));
    while r.1.abs() > *bound {
        let quotient = &r.0 / &r.1;
        let rest = &r.0 - &quotient * &r.1;
        r = (r.1, rest);
        let next = &s.0 - quotient * &s.1;
        s = (s.1, next);
    }
    let (numer, denom) = if s.1.is_negative() { (-r.1, -s.1) } else { (r.1, s.1) };
    (denom <= *bound && !denom.is_zero()).then_some((numer, denom))
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_core::random::Random;

    #[test]
    fn law_the_prime_is_reduced_by_as_by_division() {
        let mut random = Random::new(1);
        for _ in 0..1000 {
            let (a, b) = (random.bits() % PRIME, random.bits() % PRIME);
            let product = u128::from(a) * u128::from(b);
            assert_eq!(u128::from(times(a, b)), product % u128::from(PRIME));
            if a > 0 {
                assert_eq!(times(a, inverse(a)), 1);
            }
        }
        assert_eq!(
            (of(-1), reduce(u128::from(PRIME)), reduce(u128::MAX)),
            (PRIME - 1, 0, (u128::MAX % u128::from(PRIME)) as u64)
        );
    }

    /// Random consistent equations, more or fewer than unknowns: what comes out fulfils all of them, to the last digit.
    #[test]
    fn law_fractions_fulfil_the_equations() {
        let mut random = Random::new(7);
        let mut free = 0;
        for round in 0..60 {
            let unknowns = 1 + random.below(25) as usize;
            let truth: Vec<i64> = (0..unknowns).map(|_| random.below(2001) as i64 - 1000).collect();
            let count = random.below(30) as usize;
            let mut equations = Equations { rows: Vec::new(), right: Vec::new(), unknowns };
            for _ in 0..count {
                let mut row: Vec<(u32, i64)> = Vec::new();
                for c in 0..unknowns as u32 {
                    if random.below(3) == 0 {
                        row.push((c, random.below(2_000_000) as i64 - 1_000_000));
                    }
                }
                // The truth over a denominator that the equations share.
                equations.right.push(row.iter().map(|&(c, x)| BigInt::from(x * truth[c as usize])).sum());
                row.iter_mut().for_each(|e| e.1 *= 1 + round % 3);
                equations.rows.push(row);
            }
            let run = Run::default();
            let elimination = Elimination::of(&equations, &run).unwrap();
            free += elimination.free.len();
            let given: Vec<i64> = elimination.free.iter().map(|_| random.below(7) as i64).collect();
            let found = solve(&equations, &elimination, (&given, 5), &run).unwrap().unwrap();
            for (row, right) in equations.rows.iter().zip(&equations.right) {
                let sum: BigInt = row.iter().map(|&(c, x)| &found.numers[c as usize] * x).sum();
                assert_eq!(sum, &found.denom * right);
            }
            for (&column, &x) in elimination.free.iter().zip(&given) {
                assert_eq!(&found.numers[column as usize] * 5, &found.denom * x);
            }
        }
        assert!(free > 20);
    }
}
