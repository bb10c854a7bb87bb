//! Where a value is in the arrays of a table, one a layer of equal pairs left.

use crate::memory::arrays::Arrays;
use yomikiri_core::Error;

/// The layers that have an array: all but the one without pairs, where nothing is left to be decided.
pub(super) const FIRST: usize = 1;

/// Values in arrays.
pub(super) struct Outside {
    arrays: Arrays,
    /// By layer and unknown cards: the rows before.
    before: Vec<Vec<u64>>,
}

impl Outside {
    pub(super) fn new(arrays: Arrays, before: Vec<Vec<u64>>) -> Outside {
        Outside { arrays, before }
    }

    /// The place of a row in its layer.
    pub(super) fn row(&self, pairs: usize, unknown: usize, rank: u64) -> Option<u64> {
        Some(self.before.get(pairs.checked_sub(FIRST)?)?.get(unknown)? + rank)
    }

    /// Reads a value.
    pub(super) fn read(&self, pairs: usize, place: u64, value: &mut [f64]) -> Option<()> {
        self.arrays.read(pairs.checked_sub(FIRST)?, place * value.len() as u64, value)
    }

    /// Fails if a part that was asked for is damaged.
    pub(super) fn sound(&self) -> Result<(), Error> {
        self.arrays.sound()
    }
}
