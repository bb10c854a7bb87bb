//! Rows of which it is known whether they can be won.

use super::method::{Answer, Engines};
use super::rules::{Row, Rules};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use yomikiri_core::{Error, Run};
use yomikiri_solve::search::Restarts;

/// Rows the fast engine generates for a hint before the exact one is asked.
const BUDGET: u64 = 3_000_000;
/// Bytes the exact engine may use for a hint, so that nobody waits long: some ten million rows.
const MEMORY: u64 = 1 << 28;

/// How much work one question may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// So much that nobody at the table waits long.
    Hint,
    /// All the run has.
    All,
}

/// Rows whose answers are remembered, and the bytes one takes at most.
const REMEMBERED: (usize, u64) = (20_000, 400);

/// Whether rows can be won, worked out when asked and remembered for everybody who plays by the same rules
/// under the same seed.
pub struct Rows {
    known: Arc<Mutex<HashMap<Row, Answer>>>,
    engines: Mutex<Engines>,
    memory: u64,
}

impl Rows {
    /// For some rules.
    ///
    /// # Errors
    /// What the cache of the run fails with.
    pub fn new(rules: &Rules, means: Means, run: &Run<'_>) -> Result<Rows, Error> {
        let (memory, engines) = match means {
            Means::Hint => {
                let plan = Restarts { budget: BUDGET, ..Restarts::default() };
                (run.memory.min(MEMORY), Engines::new(rules).with_plan(plan))
            }
            Means::All => (run.memory, Engines::new(rules)),
        };
        let name = format!("accordion/rows-{means:?}-{memory}-{}-{rules:?}", run.seed);
        let known = run.cached(&name, || Ok((Mutex::default(), REMEMBERED.0 as u64 * REMEMBERED.1)))?;
        Ok(Rows { known, engines: Mutex::new(engines), memory })
    }

    /// Whether a row can be won.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit.
    pub fn answer(&self, row: &Row, run: &Run<'_>) -> Result<Answer, Error> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = known().get(row) {
            return Ok(answer.clone());
        }
        let run = Run { memory: self.memory, ..*run };
        let answer = self.engines.lock().unwrap_or_else(PoisonError::into_inner).solve(row, &run)?;
        let mut known = known();
        // Beginning anew is simple, and what is needed soon comes back.
        if known.len() >= REMEMBERED.0 {
            known.clear();
        }
        known.insert(row.clone(), answer.clone());
        Ok(answer)
    }
}
