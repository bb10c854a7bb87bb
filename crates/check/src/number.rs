//! Whole numbers, always exact: `i128` while it lasts, big numbers where it does not.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use std::fmt;

/// A whole number of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whole {
    /// Nearly all of them.
    Small(i64),
    /// The others.
    Big(Box<BigInt>),
}

impl Whole {
    /// The same number without a bound on its size.
    pub fn big(&self) -> BigInt {
        match self {
            Whole::Small(n) => BigInt::from(*n),
            Whole::Big(n) => n.as_ref().clone(),
        }
    }

    /// The number in the smallest form it fits.
    pub fn new(n: BigInt) -> Whole {
        n.to_i64().map_or_else(|| Whole::Big(Box::new(n)), Whole::Small)
    }

    /// Whether it is above 0.
    pub fn is_positive(&self) -> bool {
        match self {
            Whole::Small(n) => *n > 0,
            Whole::Big(n) => n.is_positive(),
        }
    }

    /// Whether it is below 0.
    pub fn is_negative(&self) -> bool {
        match self {
            Whole::Small(n) => *n < 0,
            Whole::Big(n) => n.is_negative(),
        }
    }

    /// Whether it is at most another in absolute value.
    pub fn within(&self, most: &Whole) -> bool {
        match (self, most) {
            (Whole::Small(n), Whole::Small(most)) => n.unsigned_abs() <= most.unsigned_abs(),
            _ => self.big().abs() <= most.big().abs(),
        }
    }

    /// What is left when another is taken away.
    pub fn minus(&self, other: &Whole) -> Whole {
        match (self, other) {
            (Whole::Small(a), Whole::Small(b)) if a.checked_sub(*b).is_some() => Whole::Small(a - b),
            _ => Whole::new(self.big() - other.big()),
        }
    }

    /// The sum of both.
    pub fn plus(&self, other: &Whole) -> Whole {
        match (self, other) {
            (Whole::Small(a), Whole::Small(b)) if a.checked_add(*b).is_some() => Whole::Small(a + b),
            _ => Whole::new(self.big() + other.big()),
        }
    }
}

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Whole::Small(n) => n.fmt(f),
            Whole::Big(n) => n.fmt(f),
        }
    }
}

/// A result does not fit: the same is to be computed again with big numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

/// What the conditions are computed in: `i128`, which says when it is too small, and [`BigInt`], which never is.
pub trait Number: Clone + Ord + fmt::Display + Sized {
    /// A number of a file.
    fn of(whole: &Whole) -> Result<Self, Overflow>;
    /// A number of ours.
    fn small(n: i64) -> Self;
    /// The sum.
    fn plus(&self, other: &Self) -> Result<Self, Overflow>;
    /// The difference.
    fn minus(&self, other: &Self) -> Result<Self, Overflow>;
    /// The product.
    fn times(&self, other: &Self) -> Result<Self, Overflow>;
    /// The quotient of a number that is a multiple of a positive one.
    fn over(&self, divisor: &Self) -> Self;
    /// The greatest common divisor of positive numbers.
    fn gcd(&self, other: &Self) -> Self;
    /// Roughly how many bits it takes, if that is without limit.
    fn bits(&self) -> u64;

    /// The least common multiple of positive numbers.
    fn multiple(&self, other: &Self) -> Result<Self, Overflow> {
        if self == other { Ok(self.clone()) } else { self.over(&self.gcd(other)).times(other) }
    }
}

impl Number for i128 {
    fn of(whole: &Whole) -> Result<i128, Overflow> {
        match whole {
            Whole::Small(n) => Ok(i128::from(*n)),
            Whole::Big(n) => n.to_i128().ok_or(Overflow),
        }
    }
    fn small(n: i64) -> i128 {
        i128::from(n)
    }
    fn plus(&self, other: &i128) -> Result<i128, Overflow> {
        self.checked_add(*other).ok_or(Overflow)
    }
    fn minus(&self, other: &i128) -> Result<i128, Overflow> {
        self.checked_sub(*other).ok_or(Overflow)
    }
    fn times(&self, other: &i128) -> Result<i128, Overflow> {
        self.checked_mul(*other).ok_or(Overflow)
    }
    fn over(&self, divisor: &i128) -> i128 {
        match (i64::try_from(*self), i64::try_from(*divisor)) {
            // Dividing 64 bits is many times faster; the divisor is positive, so this cannot overflow.
            (Ok(n), Ok(d)) => i128::from(n / d),
            _ => self / divisor,
        }
    }
    fn gcd(&self, other: &i128) -> i128 {
        match (i64::try_from(*self), i64::try_from(*other)) {
            (Ok(a), Ok(b)) => i128::from(Integer::gcd(&a, &b)),
            _ => Integer::gcd(self, other),
        }
    }
    fn bits(&self) -> u64 {
        0
    }
}

impl Number for BigInt {
    fn of(whole: &Whole) -> Result<BigInt, Overflow> {
        Ok(whole.big())
    }
    fn small(n: i64) -> BigInt {
        BigInt::from(n)
    }
    fn plus(&self, other: &BigInt) -> Result<BigInt, Overflow> {
        Ok(self + other)
    }
    fn minus(&self, other: &BigInt) -> Result<BigInt, Overflow> {
        Ok(self - other)
    }
    fn times(&self, other: &BigInt) -> Result<BigInt, Overflow> {
        Ok(self * other)
    }
    fn over(&self, divisor: &BigInt) -> BigInt {
        self / divisor
    }
    fn gcd(&self, other: &BigInt) -> BigInt {
        // One step of Euclid first: the numbers may be of very different length.
        let rest = self % other;
        if rest.is_zero() { other.clone() } else { Integer::gcd(other, &rest) }
    }
    fn bits(&self) -> u64 {
        BigInt::bits(self)
    }
}

/// A fraction in lowest terms, as people write it.
pub fn fraction<N: Number>(numerator: &N, denominator: &N) -> Result<String, Overflow> {
    let zero = N::small(0);
    let size = if *numerator < zero { zero.minus(numerator)? } else { numerator.clone() };
    if size == zero {
        return Ok("0".into());
    }
    let common = size.gcd(denominator);
    let below = denominator.over(&common);
    let above = numerator.over(&common);
    Ok(if below == N::small(1) { above.to_string() } else { format!("{above}/{below}") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn law_i128_says_when_it_is_too_small() {
        let most = i128::MAX;
        assert_eq!(most.plus(&1), Err(Overflow));
        assert_eq!(most.times(&2), Err(Overflow));
        assert_eq!(i128::MIN.minus(&1), Err(Overflow));
        assert_eq!(most.multiple(&(most - 1)), Err(Overflow));
        assert_eq!(i128::of(&Whole::new(BigInt::from(most) + 1)), Err(Overflow));
        assert_eq!(i128::of(&Whole::new(BigInt::from(most))), Ok(most));
    }

    proptest! {
        #[test]
        fn law_both_numbers_agree(a in any::<i64>(), b in 1..i64::MAX) {
            let (x, y) = (i128::small(a), i128::small(b));
            let (big_x, big_y) = (BigInt::small(a), BigInt::small(b));
            prop_assert_eq!(x.times(&y).unwrap().to_string(), (&big_x * &big_y).to_string());
            prop_assert_eq!(fraction(&x, &y), fraction(&big_x, &big_y));
            let common = i128::small(a.saturating_abs().max(1)).multiple(&y).unwrap();
            let big = BigInt::small(a.saturating_abs().max(1)).multiple(&big_y).unwrap();
            prop_assert_eq!(common.to_string(), big.to_string());
            let (p, q) = (Whole::Small(a), Whole::Small(b));
            prop_assert_eq!(p.minus(&q).big(), &big_x - &big_y);
            prop_assert_eq!(p.plus(&q).big(), &big_x + &big_y);
            prop_assert_eq!(p.within(&q), big_x.abs() <= big_y);
        }
    }

    #[test]
    fn law_fractions_are_shown_in_lowest_terms() {
        assert_eq!(fraction(&-4i128, &6), Ok("-2/3".into()));
        assert_eq!(fraction(&0i128, &6), Ok("0".into()));
        assert_eq!(fraction(&12i128, &6), Ok("2".into()));
    }
}
