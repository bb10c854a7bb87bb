//! The memory of computations, shared by those that run: whoever comes alone gets much, whoever comes late gets less, and
//! all together never more than there is.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Of what is left, whoever comes gets one part in so many.
const PART: u64 = 3;

/// The memory there is for computations.
pub struct Grants {
    /// What everybody gets.
    least: u64,
    /// What is left of the rest.
    left: Mutex<u64>,
}

/// Some of it, until it is dropped.
pub struct Grant {
    of: Arc<Grants>,
    /// How much came from what was left.
    more: u64,
}

impl Grants {
    /// So many bytes, for at most so many computations at once.
    pub fn new(bytes: u64, most: usize) -> Arc<Grants> {
        let least = bytes / 4 / (most as u64).max(1);
        Arc::new(Grants { least, left: Mutex::new(bytes / 4 * 3) })
    }

    fn left(&self) -> MutexGuard<'_, u64> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Memory for one computation.
    pub fn grant(self: &Arc<Grants>) -> Grant {
        let mut left = self.left();
        let more = *left / PART;
        *left -= more;
        Grant { of: Arc::clone(self), more }
    }
}

impl Grant {
    /// How much it is.
    pub fn bytes(&self) -> u64 {
        self.of.least + self.more
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        *self.of.left() += self.more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_all_together_never_have_more_than_there_is() {
        for (bytes, most) in [(1 << 20, 1), (1 << 20, 8), (1 << 30, 66), (100, 7), (0, 3)] {
            let grants = Grants::new(bytes, most);
            let mut held: Vec<Grant> = Vec::new();
            for _ in 0..most {
                held.push(grants.grant());
                assert!(held.iter().map(Grant::bytes).sum::<u64>() <= bytes);
            }
            assert!(held.windows(2).all(|pair| pair[0].bytes() >= pair[1].bytes()));
            // Who comes when all have gone has as much as the first.
            let first = held[0].bytes();
            held.clear();
            assert_eq!(grants.grant().bytes(), first);
            assert!(first + 2 >= bytes / 4);
        }
    }
}
