//! Many exact fractions, most of them small and many of them equal: each stands once in a table and is named by its
//! number there.

use crate::graph::{Numbering, tag};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use yomikiri_core::{Number, Rational};

/// A fraction in lowest terms with a denominator above 0. Those whose terms fit machine integers are always small, so
/// that equal fractions look alike.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fraction {
    Small(i64, i64),
    Big(Box<Rational>),
}

impl Hash for Fraction {
    /// Ratios hash themselves by division, in case their terms are not lowest, which takes long for huge ones.
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Fraction::Small(numer, denom) => (numer, denom).hash(state),
            Fraction::Big(x) => (x.numer(), x.denom()).hash(state),
        }
    }
}

impl Fraction {
    fn of(x: Rational) -> Fraction {
        match (x.numer().to_i64(), x.denom().to_i64()) {
            (Some(numer), Some(denom)) => Fraction::Small(numer, denom),
            _ => Fraction::Big(Box::new(x)),
        }
    }

    fn to_rational(&self) -> Rational {
        match self {
            // The terms are lowest already.
            Fraction::Small(numer, denom) => Rational::new_raw(BigInt::from(*numer), BigInt::from(*denom)),
            Fraction::Big(x) => (**x).clone(),
        }
    }

    fn compare(&self, other: &Fraction) -> Ordering {
        match (self, other) {
            (Fraction::Small(a, b), Fraction::Small(c, d)) => {
                (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
            }
            // Ratios compare themselves by recursion, which is too deep for huge ones.
            _ => {
                let (a, b) = (self.to_rational(), other.to_rational());
                (a.numer() * b.denom()).cmp(&(b.numer() * a.denom()))
            }
        }
    }
}

/// The table.
#[derive(Clone, Debug, Default)]
pub struct Fractions {
    all: Numbering<Fraction>,
    /// Bytes the digits of big ones take.
    digits: u64,
}

impl Fractions {
    fn keep(&mut self, x: Fraction) -> u32 {
        let tag = tag(&x);
        let (before, big) = (self.all.len(), if let Fraction::Big(x) = &x { bytes(x) } else { 0 });
        let number = self.all.number(x, tag);
        if self.all.len() > before {
            self.digits += big;
        }
        number
    }

    /// The number of a whole number.
    pub fn int(&mut self, n: i32) -> u32 {
        self.keep(Fraction::Small(i64::from(n), 1))
    }

    /// The number of any fraction.
    pub fn add(&mut self, x: Rational) -> u32 {
        self.keep(Fraction::of(x))
    }

    /// The fraction with a number.
    pub fn get(&self, number: u32) -> Rational {
        self.all.members()[number as usize].to_rational()
    }

    /// Bits of a fraction's denominator.
    pub fn bits(&self, number: u32) -> u64 {
        match &self.all.members()[number as usize] {
            Fraction::Small(_, denom) => u64::from(64 - denom.leading_zeros()),
            Fraction::Big(x) => x.denom().bits(),
        }
    }

    /// The number of a fraction with so many bits after the point, the next one above or below; that of the fraction
    /// itself if it is no longer than that.
    pub fn rounded(&mut self, number: u32, bits: u64, up: bool) -> u32 {
        if self.bits(number) <= bits {
            return number;
        }
        let x = self.get(number);
        self.add(rounded(x.numer(), x.denom(), bits, up))
    }

    /// The sign of a fraction: -1, 0 or 1.
    pub fn sign(&self, number: u32) -> i32 {
        match &self.all.members()[number as usize] {
            Fraction::Small(numer, _) => numer.signum() as i32,
            Fraction::Big(x) => {
                if x.numer() < &BigInt::ZERO {
                    -1
                } else {
                    1
                }
            }
        }
    }

    /// How two fractions compare.
    pub fn compare(&self, a: u32, b: u32) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        let all = self.all.members();
        all[a as usize].compare(&all[b as usize])
    }

    /// The average of fractions with weights above 0, of which there must be one.
    pub fn average(&mut self, weighted: impl Iterator<Item = (u32, u32)> + Clone) -> u32 {
        let small = self.small_average(weighted.clone());
        let average = small.unwrap_or_else(|| {
            let mut sum = Rational::from_int(0);
            let mut total = 0;
            for (weight, number) in weighted {
                sum.add_weighted(weight, &self.get(number));
                total += u64::from(weight);
            }
            sum.divide(total);
            Fraction::of(sum)
        });
        self.keep(average)
    }

    /// The same in machine integers; `None` where they do not suffice.
    fn small_average(&self, weighted: impl Iterator<Item = (u32, u32)>) -> Option<Fraction> {
        let (mut numer, mut denom, mut total) = (0i128, 1i64, 0i128);
        for (weight, number) in weighted {
            let Fraction::Small(n, d) = self.all.members()[number as usize] else { return None };
            let mut part = i128::from(n) * i128::from(weight);
            if d != denom {
                let common = denom.gcd(&d);
                let (widen, factor) = (d / common, denom / common);
                denom = denom.checked_mul(widen)?;
                numer = numer.checked_mul(i128::from(widen))?;
                part = part.checked_mul(i128::from(factor))?;
            }
            numer = numer.checked_add(part)?;
            total += i128::from(weight);
        }
        let denom = i128::from(denom).checked_mul(total)?;
        let common = numer.gcd(&denom);
        let (numer, denom) = (numer / common, denom / common);
        Some(Fraction::Small(i64::try_from(numer).ok()?, i64::try_from(denom).ok()?))
    }

    /// Bytes the table takes.
    pub fn bytes(&self) -> u64 {
        self.all.bytes(0) + self.digits
    }
}

/// A quotient with so many bits after the point, the next one above or below.
pub fn rounded(numer: &BigInt, denom: &BigInt, bits: u64, up: bool) -> Rational {
    let scaled = numer << bits;
    let whole = if up { scaled.div_ceil(denom) } else { scaled.div_floor(denom) };
    // In lowest terms, for only twos can be left out.
    let twos = whole.trailing_zeros().map_or(bits, |twos| twos.min(bits));
    Rational::new_raw(whole >> twos, BigInt::from(1) << (bits - twos))
}

/// Bytes a big fraction takes outside the table.
fn bytes(x: &Rational) -> u64 {
    size_of::<Rational>() as u64 + (x.numer().bits() + x.denom().bits()).div_ceil(8) + 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_core::random::Random;

    #[test]
    fn law_rounded_quotients_are_next_to_the_quotient_and_in_lowest_terms() {
        let mut random = Random::new(9);
        for _ in 0..2000 {
            let numer = BigInt::from(random.bits() as i64 >> random.below(63))
                * (random.bits() as i64 >> random.below(63));
            let (denom, bits) = (BigInt::from(1 + (random.bits() >> random.below(63))), random.below(90));
            let exact = Rational::new(numer.clone(), denom.clone());
            let unit = Rational::new(1.into(), BigInt::from(1) << bits);
            let [low, high] = [false, true].map(|up| rounded(&numer, &denom, bits, up));
            assert!(low <= exact && exact <= high && &high - &low <= unit, "{exact}: {low} {high}");
            for x in [low, high] {
                assert_eq!(Rational::new(x.numer().clone(), x.denom().clone()).denom(), x.denom());
                assert!((x / &unit).is_integer());
            }
        }
    }

    /// Averages of averages, until they are far larger than machine integers, against plain rationals.
    #[test]
    fn law_averages_are_those_of_rationals() {
        let (mut random, mut table) = (Random::new(5), Fractions::default());
        let mut known: Vec<(u32, Rational)> =
            [0, 1, -1, 7, i32::MAX, i32::MIN].map(|n| (table.int(n), Rational::from_int(n))).to_vec();
        let (mut small, mut big) = (0, 0);
        for _ in 0..3000 {
            let chosen: Vec<(u32, usize)> = (0..1 + random.below(4))
                .map(|_| {
                    let weight = 1 + (random.bits() >> (32 + random.below(32))) as u32 % (u32::MAX - 1);
                    (weight, random.below(known.len() as u64) as usize)
                })
                .collect();
            let number = table.average(chosen.iter().map(|&(weight, i)| (weight, known[i].0)));
            let total: u64 = chosen.iter().map(|c| u64::from(c.0)).sum();
            let mut sum = Rational::from_int(0);
            chosen.iter().for_each(|&(weight, i)| sum.add_weighted(weight, &known[i].1));
            sum.divide(total);
            assert_eq!(table.get(number), sum);
            assert_eq!(table.sign(number), sum.cmp(&Rational::from_int(0)) as i32);
            let other = &known[random.below(known.len() as u64) as usize];
            assert_eq!(table.compare(number, other.0), sum.cmp(&other.1));
            assert_eq!(number == other.0, sum == other.1, "equal fractions have one number");
            if sum.denom().to_i64().is_some() {
                small += 1;
            } else {
                big += 1;
            }
            if sum.denom().bits() > 300 {
                continue;
            }
            if known.len() < 60 {
                known.push((number, sum));
            } else {
                // Some old, some new, so that sizes differ.
                known[6 + random.below(54) as usize] = (number, sum);
            }
        }
        assert!(small > 100 && big > 100, "{small} {big}");
    }

    #[test]
    fn law_terms_at_the_edge_of_machine_integers_stay_exact() {
        let mut table = Fractions::default();
        let big = |n: i64, d: i64| Rational::new(BigInt::from(n), BigInt::from(d));
        for x in [big(i64::MIN, 1), big(i64::MAX, 2), big(1, i64::MAX), big(i64::MIN, i64::MAX)] {
            let number = table.keep(Fraction::of(x.clone()));
            let half = table.average([(1, number), (1, number), (2, number)].into_iter());
            assert_eq!(half, number);
            let zero = table.int(0);
            let less = table.average([(1, number), (u32::MAX, zero)].into_iter());
            assert_eq!(table.get(less), x / BigInt::from(1u64 << 32));
        }
        // Denominators without a common factor, each of which fits and whose product does not.
        for (a, b) in [(i64::MAX, i64::MAX - 1), (1 << 40, (1 << 40) - 1), (1 << 62, 3)] {
            let numbers = [a, b].map(|denom| table.keep(Fraction::of(big(1, denom))));
            let mean = table.average(numbers.map(|number| (1, number)).into_iter());
            assert_eq!(table.get(mean), (big(1, a) + big(1, b)) / BigInt::from(2));
        }
    }
}
