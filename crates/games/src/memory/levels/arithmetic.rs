//! What values are computed in: doubles, or integers over the factorial of the number of unknown cards.

use super::TOLERANCE;
use num_bigint::BigInt;
use std::io::{self, Read, Write};
use yomikiri_core::{Number, Rational};

/// How values are represented and averaged at each level.
pub trait Arithmetic: Send + Sync {
    /// A value.
    type N: Clone + PartialOrd + Send + Sync + Default;
    /// A probability.
    type W: Copy + Send;
    /// What the values are to the outside.
    type Shown: Number;
    /// The value 1 at a level.
    fn unit(&self, unknown: usize) -> Self::N;
    /// The probability `ways / total`.
    fn weight(ways: usize, total: usize) -> Self::W;
    /// Adds a weighted value.
    fn add(sum: &mut Self::N, weight: Self::W, x: &Self::N);
    /// Adds `n` units.
    fn bonus(sum: &mut Self::N, n: usize, unit: &Self::N);
    /// The value for the other player.
    fn negate(x: &Self::N) -> Self::N;
    /// Whether `x` is as good as `best`.
    fn as_good(x: &Self::N, best: &Self::N) -> bool;
    /// The value of a level as others see it.
    fn shown(&self, x: &Self::N, unknown: usize) -> Self::Shown;
    /// Bytes a value takes at a level.
    fn bytes(&self, unknown: usize) -> u64;
    /// Writes values for the store.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    fn write(values: &[Self::N], to: &mut dyn Write) -> io::Result<()>;
    /// Reads values back.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    fn read(values: &mut [Self::N], from: &mut dyn Read) -> io::Result<()>;
    /// The value that a double of a table on disk stands for; none where such tables cannot hold these values.
    fn of_double(x: f64) -> Option<Self::N>;
    /// Part of the name under which results are stored.
    const NAME: &'static str;
}

/// Doubles.
pub struct Doubles;

impl Arithmetic for Doubles {
    type N = f64;
    type W = f64;
    type Shown = f64;
    const NAME: &'static str = "f64";
    fn unit(&self, _: usize) -> f64 {
        1.0
    }
    #[inline]
    fn weight(ways: usize, total: usize) -> f64 {
        ways as f64 / total as f64
    }
    #[inline]
    fn add(sum: &mut f64, weight: f64, x: &f64) {
        // Not fused: the same bits on every platform.
        *sum += weight * x;
    }
    #[inline]
    fn bonus(sum: &mut f64, n: usize, _: &f64) {
        *sum += n as f64;
    }
    #[inline]
    fn negate(x: &f64) -> f64 {
        -x
    }
    #[inline]
    fn as_good(x: &f64, best: &f64) -> bool {
        // From −1 to 1 is twice as far as between win rates.
        *x >= best - 2.0 * TOLERANCE
    }
    fn shown(&self, x: &f64, _: usize) -> f64 {
        *x
    }
    fn bytes(&self, _: usize) -> u64 {
        8
    }
    fn of_double(x: f64) -> Option<f64> {
        Some(x)
    }
    fn write(values: &[f64], to: &mut dyn Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(8 * values.len().min(1 << 16));
        for part in values.chunks(1 << 16) {
            bytes.clear();
            part.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
            to.write_all(&bytes)?;
        }
        Ok(())
    }
    fn read(values: &mut [f64], from: &mut dyn Read) -> io::Result<()> {
        let mut bytes = vec![0; 8 * values.len().min(1 << 16)];
        for part in values.chunks_mut(1 << 16) {
            let bytes = &mut bytes[..8 * part.len()];
            from.read_exact(bytes)?;
            for (x, raw) in part.iter_mut().zip(bytes.as_chunks::<8>().0) {
                *x = f64::from_le_bytes(*raw);
            }
        }
        Ok(())
    }
}

/// Exact integers over the factorial of the number of unknown cards.
pub struct Factorials(Vec<BigInt>);

impl Factorials {
    /// The scales of a game with so many cards.
    pub fn new(cards: usize) -> Factorials {
        let mut table = vec![BigInt::from(1)];
        for u in 1..=cards {
            table.push(&table[u - 1] * BigInt::from(u));
        }
        Factorials(table)
    }
}

impl Arithmetic for Factorials {
    type N = BigInt;
    type W = usize;
    type Shown = Rational;
    const NAME: &'static str = "exact";
    fn unit(&self, unknown: usize) -> BigInt {
        self.0[unknown].clone()
    }
    fn weight(ways: usize, _: usize) -> usize {
        ways
    }
    fn add(sum: &mut BigInt, weight: usize, x: &BigInt) {
        *sum += x * BigInt::from(weight);
    }
    fn bonus(sum: &mut BigInt, n: usize, unit: &BigInt) {
        *sum += unit * BigInt::from(n);
    }
    fn negate(x: &BigInt) -> BigInt {
        -x
    }
    fn as_good(x: &BigInt, best: &BigInt) -> bool {
        x >= best
    }
    fn shown(&self, x: &BigInt, unknown: usize) -> Rational {
        Rational::new(x.clone(), self.0[unknown].clone())
    }
    fn bytes(&self, unknown: usize) -> u64 {
        // The digits, and the header of their vector with its allocation.
        self.0[unknown].bits() / 8 + 56
    }
    fn of_double(_: f64) -> Option<BigInt> {
        None
    }
    fn write(values: &[BigInt], to: &mut dyn Write) -> io::Result<()> {
        for x in values {
            let bytes = x.to_signed_bytes_le();
            to.write_all(&(bytes.len() as u32).to_le_bytes())?;
            to.write_all(&bytes)?;
        }
        Ok(())
    }
    fn read(values: &mut [BigInt], from: &mut dyn Read) -> io::Result<()> {
        for x in values {
            let mut len = [0; 4];
            from.read_exact(&mut len)?;
            let len = u32::from_le_bytes(len) as usize;
            if len > 1 << 16 {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a number is too long"));
            }
            let mut bytes = vec![0; len];
            from.read_exact(&mut bytes)?;
            *x = BigInt::from_signed_bytes_le(&bytes);
        }
        Ok(())
    }
}
