//! The numbers values are made of: `f64` for speed, big rationals where every digit counts.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// A whole number of any size.
pub type Integer = BigInt;

/// An exact fraction of any size.
///
/// ```
/// use yomikiri_core::{Number, Rational};
///
/// // Three faces of a die with four pay 1, and the last one costs 2.
/// let mut value = Rational::from_int(0);
/// value.add_weighted(3, &Rational::from_int(1));
/// value.add_weighted(1, &Rational::from_int(-2));
/// value.divide(4);
/// assert_eq!(value.to_string(), "1/4");
/// assert_eq!(value.approx(), 0.25);
/// ```
pub type Rational = Ratio<BigInt>;

/// A value that induction can average, compare and turn around.
///
/// ```
/// use yomikiri_core::{Number, Rational};
///
/// fn mean<N: Number>(results: &[i32]) -> N {
///     let mut sum = N::from_int(0);
///     results.iter().for_each(|&x| sum.add_weighted(1, &N::from_int(x)));
///     sum.divide(results.len() as u64);
///     sum
/// }
/// assert_eq!(mean::<Rational>(&[1, 0, 0]).to_string(), "1/3");
/// assert_eq!(mean::<f64>(&[1, 0, 0]), 1.0 / 3.0);
/// ```
pub trait Number: Clone + Send + Sync + 'static {
    /// Whether arithmetic is exact.
    const EXACT: bool;
    /// The number of a utility.
    fn from_int(n: i32) -> Self;
    /// The value seen from the other player of a zero-sum game.
    fn negate(&self) -> Self;
    /// Adds `weight` times `x`.
    fn add_weighted(&mut self, weight: u32, x: &Self);
    /// Divides by a total of weights, which is never 0.
    fn divide(&mut self, total: u64);
    /// The nearest double.
    fn approx(&self) -> f64;
    /// Which of two is greater; numbers that cannot be compared are equal.
    fn compare(&self, other: &Self) -> Ordering;
    /// The number as a fraction, if it is one.
    fn exact(&self) -> Option<Rational>;
    /// Bytes one stored value takes, for memory estimates.
    fn bytes() -> u64;
}

impl Number for f64 {
    const EXACT: bool = false;
    fn from_int(n: i32) -> f64 {
        f64::from(n)
    }
    fn negate(&self) -> f64 {
        -self
    }
    fn add_weighted(&mut self, weight: u32, x: &f64) {
        *self += f64::from(weight) * x;
    }
    fn divide(&mut self, total: u64) {
        *self /= total as f64;
    }
    fn approx(&self) -> f64 {
        *self
    }
    fn compare(&self, other: &f64) -> Ordering {
        self.partial_cmp(other).unwrap_or(Ordering::Equal)
    }
    fn exact(&self) -> Option<Rational> {
        None
    }
    fn bytes() -> u64 {
        8
    }
}

impl Number for Rational {
    const EXACT: bool = true;
    fn from_int(n: i32) -> Rational {
        Ratio::from_integer(BigInt::from(n))
    }
    fn negate(&self) -> Rational {
        -self
    }
    fn add_weighted(&mut self, weight: u32, x: &Rational) {
        *self += x * BigInt::from(weight);
    }
    fn divide(&mut self, total: u64) {
        *self /= BigInt::from(total);
    }
    fn approx(&self) -> f64 {
        approx(self)
    }
    // By cross multiplication: the library's way goes as deep as the fractions are long.
    fn compare(&self, other: &Rational) -> Ordering {
        (self.numer() * other.denom()).cmp(&(other.numer() * self.denom()))
    }
    fn exact(&self) -> Option<Rational> {
        Some(self.clone())
    }
    fn bytes() -> u64 {
        // Two vectors of digits with their headers; the digits of larger games come on top.
        160
    }
}

/// The double nearest to a fraction (within one unit in the last place), also where numerator or
/// denominator alone would overflow one.
pub fn approx(x: &Rational) -> f64 {
    if x.is_zero() {
        return 0.0;
    }
    // Scale so that the quotient has at least 64 significant bits, then divide as integers.
    let shift = x.denom().bits() as i64 - x.numer().bits() as i64 + 66;
    let (numer, denom) = if shift >= 0 {
        (x.numer().abs() << shift as usize, x.denom().clone())
    } else {
        (x.numer().abs(), x.denom() << (-shift) as usize)
    };
    let quotient = (numer / denom).to_f64().unwrap_or(f64::INFINITY);
    let mut result = quotient;
    let mut left = shift;
    // In steps, so that no intermediate power of two leaves the range of a double.
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        result *= 2f64.powi(-step as i32);
        left -= step;
    }
    if x.is_negative() { -result } else { result }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(p: i64, q: i64) -> Rational {
        Ratio::new(BigInt::from(p), BigInt::from(q))
    }

    #[test]
    fn law_approx_is_the_division_of_doubles() {
        for p in -40..40 {
            for q in 1..40 {
                let exact = p as f64 / q as f64;
                assert!((approx(&ratio(p, q)) - exact).abs() <= f64::EPSILON * exact.abs());
            }
        }
    }

    #[test]
    fn law_approx_survives_huge_terms() {
        let huge = num_traits::pow(BigInt::from(10), 2000);
        let x = Ratio::new(&huge + BigInt::from(1), huge * BigInt::from(3));
        assert!((approx(&x) - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn law_fractions_compare_as_they_subtract() {
        for (p, q) in (-9..9).flat_map(|p| (1..9).map(move |q| (p, q))) {
            for (r, s) in (-9..9).flat_map(|r| (1..9).map(move |s| (r, s))) {
                let (a, b) = (ratio(p, q), ratio(r, s));
                assert_eq!(Number::compare(&a, &b), (p * s).cmp(&(r * q)), "{a} {b}");
            }
        }
        // Fibonacci's quotients are where the library's way goes deepest.
        let (mut a, mut b) = (BigInt::from(1), BigInt::from(1));
        for _ in 0..60_000 {
            (a, b) = (b.clone(), a + b);
        }
        let (x, y) = (Ratio::new_raw(a.clone(), b.clone()), Ratio::new_raw(b.clone() - &a, a));
        assert_eq!(Number::compare(&x, &x), Ordering::Equal);
        assert_ne!(Number::compare(&x, &y), Ordering::Equal);
    }

    #[test]
    fn law_rational_average_is_exact() {
        let mut x = Rational::from_int(0);
        x.add_weighted(2, &ratio(1, 3));
        x.add_weighted(1, &ratio(1, 7));
        x.divide(3);
        assert_eq!(x, ratio(17, 63));
    }
}
