//! The numbers values are made of: `f64` for speed, big rationals where every digit counts.

use num_bigint::BigInt;
use num_integer::Integer as _;
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

/// A fraction in lowest terms whose terms fit into machine words, as nearly all do that people ever read: its arithmetic
/// needs no memory. Where a sum does not fit, nothing is said of it, and big integers do it.
#[derive(Clone, Copy)]
struct Words {
    numer: i128,
    denom: i128,
}

impl Words {
    fn of(x: &Rational) -> Option<Words> {
        Some(Words { numer: x.numer().to_i128()?, denom: x.denom().to_i128()? })
    }

    fn rational(self) -> Rational {
        Ratio::new_raw(BigInt::from(self.numer), BigInt::from(self.denom))
    }

    fn times(self, weight: u32) -> Option<Words> {
        let shared = common(self.denom, i128::from(weight));
        Some(Words {
            numer: self.numer.checked_mul(i128::from(weight) / shared)?,
            denom: self.denom / shared,
        })
    }

    fn plus(self, other: Words) -> Option<Words> {
        // What can be cancelled in the sum divides what the denominators share (Knuth, 4.5.1).
        let shared = common(self.denom, other.denom);
        let (ours, theirs) = (self.denom / shared, other.denom / shared);
        let numer = self.numer.checked_mul(theirs)?.checked_add(other.numer.checked_mul(ours)?)?;
        let cancelled = common(numer, shared);
        Some(Words { numer: numer / cancelled, denom: ours.checked_mul(other.denom)? / cancelled })
    }

    fn over(self, total: u64) -> Option<Words> {
        if total == 0 {
            // Not a fraction: big integers say so.
            return None;
        }
        let shared = common(self.numer, i128::from(total));
        Some(Words { numer: self.numer / shared, denom: self.denom.checked_mul(i128::from(total) / shared)? })
    }

    fn compare(self, other: Words) -> Option<Ordering> {
        Some(self.numer.checked_mul(other.denom)?.cmp(&other.numer.checked_mul(self.denom)?))
    }
}

/// The greatest common divisor of two of which the second is never below 0, and not both 0; of short numbers in short words.
fn common(a: i128, b: i128) -> i128 {
    match (u64::try_from(a.unsigned_abs()), u64::try_from(b.unsigned_abs())) {
        (Ok(a), Ok(b)) => i128::from(a.gcd(&b)),
        _ => a.unsigned_abs().gcd(&b.unsigned_abs()) as i128,
    }
}

/// A fraction of any numbers, in lowest terms; `denom` is positive.
#[must_use]
pub fn fraction(numer: BigInt, denom: &BigInt) -> Rational {
    match (numer.to_i128(), denom.to_i128()) {
        (Some(n), Some(d)) => {
            let shared = common(n, d);
            Words { numer: n / shared, denom: d / shared }.rational()
        }
        _ => Ratio::new(numer, denom.clone()),
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
        let words = || Words::of(self)?.plus(Words::of(x)?.times(weight)?);
        match words() {
            Some(sum) => *self = sum.rational(),
            None => *self += x * BigInt::from(weight),
        }
    }
    fn divide(&mut self, total: u64) {
        match Words::of(self).and_then(|words| words.over(total)) {
            Some(quotient) => *self = quotient.rational(),
            None => *self /= BigInt::from(total),
        }
    }
    fn approx(&self) -> f64 {
        approx(self)
    }
    // By cross multiplication: the library's way goes as deep as the fractions are long.
    fn compare(&self, other: &Rational) -> Ordering {
        let words = || Words::of(self)?.compare(Words::of(other)?);
        words().unwrap_or_else(|| (self.numer() * other.denom()).cmp(&(other.numer() * self.denom())))
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
    fn law_machine_words_say_what_big_integers_say() {
        // Terms of one bit to two hundred: inside the words, at their border and beyond.
        let mut state = 1u64;
        let mut next = |bits: u32| -> BigInt {
            let words: Vec<u32> = (0..bits.div_ceil(32))
                .map(|_| {
                    state =
                        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state >> 32) as u32
                })
                .collect();
            BigInt::from_slice(num_bigint::Sign::Plus, &words) >> (words.len() as u32 * 32 - bits)
        };
        for bits in [1, 2, 5, 31, 60, 62, 64, 100, 126, 127, 128, 200] {
            for (sign, weight, total) in
                [(1, 1u32, 1u64), (-1, 3, 6), (1, u32::MAX, u64::MAX), (-1, 0, 2), (1, 44, 60)]
            {
                let [a, b, c, d]: [BigInt; 4] =
                    [next(bits), next(bits) + 1, next(bits) * sign, next(bits) + 1];
                let (x, y) = (Ratio::new(a.clone(), b.clone()), Ratio::new(c, d));
                let mut sum = x.clone();
                sum.add_weighted(weight, &y);
                assert_eq!(sum, &x + &y * BigInt::from(weight), "{x} + {weight} · {y}");
                let mut quotient = y.clone();
                quotient.divide(total);
                assert_eq!(quotient, &y / BigInt::from(total), "{y} / {total}");
                assert_eq!(Number::compare(&x, &y), (x.numer() * y.denom()).cmp(&(y.numer() * x.denom())));
                assert_eq!(fraction(a.clone() * 6, &(&b * 4)), Ratio::new(a * 6, b * 4));
            }
        }
    }

    #[test]
    #[should_panic(expected = "denominator == 0")]
    fn law_nothing_is_divided_by_nothing() {
        Rational::from_int(1).divide(0);
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
