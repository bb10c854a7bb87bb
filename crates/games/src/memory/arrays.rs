//! Doubles in arrays that lie outside of the program's memory, looked up where they are.

use crate::tables::{Array, Bytes};
use std::sync::{Arc, OnceLock};
use yomikiri_core::{Error, Refusal, text};

/// Arrays of doubles, each looked at when it is needed.
pub(super) struct Arrays {
    arrays: Vec<Arc<dyn Array>>,
    /// `None` if it is damaged.
    bytes: Vec<OnceLock<Option<Bytes>>>,
    damage: OnceLock<Refusal>,
    /// No value is larger.
    most: f64,
}

impl Arrays {
    /// Arrays none of whose values is larger than `most`.
    pub(super) fn new(arrays: Vec<Arc<dyn Array>>, most: f64) -> Arrays {
        Arrays {
            bytes: arrays.iter().map(|_| OnceLock::new()).collect(),
            arrays,
            damage: OnceLock::new(),
            most,
        }
    }

    /// The values from a place of an array on; none if they cannot be read, or are no values of the game.
    pub(super) fn read(&self, array: usize, place: u64, values: &mut [f64]) -> Option<()> {
        let open = || self.arrays[array].bytes().map_err(|error| self.damaged(error)).ok();
        let bytes = self.bytes.get(array)?.get_or_init(open).as_ref()?;
        for (at, value) in (place..).zip(values) {
            let mut raw = [0; 8];
            if !bytes.read(8 * at, &mut raw) {
                self.damaged(bytes.sound().err()?);
                return None;
            }
            *value = f64::from_le_bytes(raw);
            if value.is_nan() || value.abs() > self.most {
                let _ = self.damage.set(Refusal::new(
                    "table",
                    format!("{value} in array {}, place {at}", array + 1),
                    text("a table whose values are values of the game", "値がゲームの値である表"),
                ));
                return None;
            }
        }
        Some(())
    }

    /// Remembers why a value is not there.
    fn damaged(&self, error: Error) {
        let refusal = match error {
            Error::Refused(refusal) => refusal,
            other => Refusal::new("table", other, text("a table that can be read", "読める表")),
        };
        let _ = self.damage.set(refusal);
    }

    /// Fails if a part that was asked for is damaged; what was answered before is not.
    ///
    /// # Errors
    /// The damage, by the array it is in.
    pub(super) fn sound(&self) -> Result<(), Error> {
        self.damage.get().map_or(Ok(()), |refusal| Err(refusal.clone().into()))
    }
}
