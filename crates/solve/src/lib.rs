//! Solver families, one module each. They know games only through the traits of the core.

pub mod auto;
pub mod belief;
mod fractions;
pub mod fullwidth;
pub mod graph;
pub mod induction;
pub mod layers;
pub mod memo;
pub mod minimax;
pub mod reach;
pub mod regret;
pub mod restrict;
pub mod retrograde;
pub mod search;
pub mod solution;

pub use auto::Auto;
pub use solution::{Solution, Solver};

use yomikiri_core::{Error, Run};

/// Runs `work` on as many threads as the run asks for, so that nothing depends on a global pool.
pub fn on_threads<R: Send>(run: &Run<'_>, work: impl FnOnce() -> R + Send) -> Result<R, Error> {
    if run.threads <= 1 && rayon::current_thread_index().is_some() {
        // Already one of several threads at work: a pool of its own would cost more than small work.
        return Ok(work());
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(run.threads.max(1))
        .build()
        .map_err(|e| Error::Threads(e.to_string()))?;
    Ok(pool.install(work))
}
