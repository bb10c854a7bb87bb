//! Lotteries: weights that add up to 1 over entries, so that beliefs average to a given one; what they give.
//!
//! Everything is brought to common denominators once and then computed in whole numbers.

use crate::board::{self, Place, View};
use crate::number::{Number, Overflow, Whole, fraction};
use crate::parse::{Certificate, Entry};
use crate::reason::{Reason, Step};

/// The most bits a common denominator may have; it bounds the work that a line can cause.
pub const BITS: u64 = 4096;

/// Why a step of a check did not go through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The entry is wrong.
    Wrong(Reason),
    /// The numbers have grown too large: to be done again with big ones.
    Overflow,
}

impl From<Overflow> for Stop {
    fn from(_: Overflow) -> Stop {
        Stop::Overflow
    }
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Stop {
        Stop::Wrong(reason)
    }
}

/// A belief: weights of the types, and what they add up to.
#[derive(Clone, Debug)]
pub struct Law<N> {
    /// A weight for each type.
    pub weights: [N; 3],
    /// Their sum, above 0.
    pub total: N,
}

impl<N: Number> Law<N> {
    /// The belief of an entry.
    pub fn of(entry: &Entry) -> Result<Law<N>, Overflow> {
        Ok(Law { weights: numbers(&entry.law)?, total: N::of(&entry.total)? })
    }

    /// Certainty that this piece is red.
    pub fn certain(red: usize) -> Law<N> {
        let weights = std::array::from_fn(|piece| N::small((piece == red).into()));
        Law { weights, total: N::small(1) }
    }
}

/// Numbers of a file to compute with.
pub fn numbers<N: Number>(wholes: &[Whole; 3]) -> Result<[N; 3], Overflow> {
    Ok([N::of(&wholes[0])?, N::of(&wholes[1])?, N::of(&wholes[2])?])
}

/// A possible outcome of a lottery, in the numbering of the entry that draws it.
#[derive(Clone, Debug)]
pub struct Item<N> {
    /// Its weight is this …
    pub numerator: N,
    /// … over this.
    pub denominator: N,
    /// The belief after it.
    pub law: Law<N>,
    /// What it gives against each type, over the unit of the file.
    pub vector: [N; 3],
}

/// What a lottery gives: `vector` over `scale`, and over the unit of the file.
#[derive(Clone, Debug)]
pub struct Mean<N> {
    /// One number for each type of the other side.
    pub vector: [N; 3],
    /// The common denominator of the weights.
    pub scale: N,
}

/// Draws a lottery: its weights must add up to 1 and its beliefs average to `law`.
pub fn mean<N: Number>(items: &[Item<N>], law: &Law<N>, step: Option<Step>) -> Result<Mean<N>, Stop> {
    let one = N::small(1);
    // Weights become c / scale, and the weights of types d / (scale · base).
    let mut scale = one.clone();
    let mut base = one.clone();
    for item in items {
        scale = scale.multiple(&item.denominator)?;
        base = base.multiple(&item.law.total)?;
        if scale.bits() > BITS || base.bits() > BITS {
            return Err(Reason::Digits { limit: BITS }.into());
        }
    }
    let zero = || [N::small(0), N::small(0), N::small(0)];
    let (mut sum, mut beliefs, mut vector) = (N::small(0), zero(), zero());
    for item in items {
        let c = item.numerator.times(&scale.over(&item.denominator))?;
        let d = c.times(&base.over(&item.law.total))?;
        sum = sum.plus(&c)?;
        for (belief, weight) in beliefs.iter_mut().zip(&item.law.weights) {
            *belief = belief.plus(&d.times(weight)?)?;
        }
        for (part, given) in vector.iter_mut().zip(&item.vector) {
            *part = part.plus(&c.times(given)?)?;
        }
    }
    if sum != scale {
        return Err(Reason::Weights { step, sum: fraction(&sum, &scale)? }.into());
    }
    let both = scale.times(&base)?;
    for (piece, (got, wanted)) in beliefs.iter().zip(&law.weights).enumerate() {
        if got.times(&law.total)? != wanted.times(&both)? {
            let (got, wanted) = (fraction(got, &both)?, fraction(wanted, &law.total)?);
            return Err(Reason::Average { step, piece, got, wanted }.into());
        }
    }
    Ok(Mean { vector, scale })
}

/// Tries a lottery as its children stand and, if that fails and some child is its own mirror image, mirrored.
/// Both are true readings of such a child, so either will do; the fault told is that of the first.
pub fn either_way<T>(mut lottery: impl FnMut(bool, &mut bool) -> Result<T, Stop>) -> Result<T, Stop> {
    let mut symmetric = false;
    match lottery(false, &mut symmetric) {
        Err(Stop::Wrong(fault)) if symmetric => match lottery(true, &mut symmetric) {
            Err(Stop::Wrong(_)) => Err(Stop::Wrong(fault)),
            other => other,
        },
        other => other,
    }
}

/// The entry a use names and how the pieces of the position after the move are found in it.
pub fn child<'a>(
    certificate: &'a Certificate,
    after: &Place,
    number: usize,
    item: usize,
    mirrored_first: bool,
    symmetric: &mut bool,
) -> Result<(&'a Entry, View), Reason> {
    let entry = certificate.entries.get(number).ok_or(Reason::NoChild { item })?;
    let straight = board::view(after, &entry.place, false);
    let mirrored = board::view(after, &entry.place, true);
    *symmetric |= straight.is_some() && mirrored.is_some();
    let found = if mirrored_first { mirrored.or(straight) } else { straight.or(mirrored) };
    found.map(|view| (entry, view)).ok_or(Reason::Elsewhere { item, child: number as u64 })
}
