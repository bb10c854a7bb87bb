//! Exact solvers for games. A game is its rules, a [`Game`](yomikiri_core::Game); [`Auto`] expands it, looks at what it
//! is and solves it. This is a whole program (`examples/nim.rs`):
//!
#![doc = concat!("```\n", include_str!("../examples/nim.rs"), "```")]
//!
//! Behind it stand families of solvers, one module each. They know games only through the traits of the core, and a game
//! too large to be expanded may bring what one of them asks for:
//!
//! | module | for games with | asks for |
//! |---|---|---|
//! | [`auto`] | everything seen, few enough states to be kept | [`Game`](yomikiri_core::Game) |
//! | [`induction`] | choice and chance, a perfect index in tiers | [`Indexed`](yomikiri_core::Indexed) |
//! | [`retrograde`] | cycles, a perfect index and moves taken back | [`Retro`](yomikiri_core::Retro) |
//! | [`memo`] | choice and chance, small: the twin in tests | [`Canonical`](yomikiri_core::Canonical) |
//! | [`minimax`], [`layers`] | two players, no chance, points banked on the way | [`Contest`](minimax::Contest) |
//! | [`search`] | one player, no chance: can the goal be reached? | [`Puzzle`](search::Puzzle) |
//! | [`fullwidth`] | one player against a model of the others | [`Game`](yomikiri_core::Game) |
//! | [`sequence`] | hidden information, two opposed players: exact | [`Hidden`](yomikiri_core::Hidden) |
//! | [`nash`] | hidden information, any players: strategies measured exactly | [`Hidden`](yomikiri_core::Hidden) |
//! | [`regret`] | hidden information, approached from both sides | [`Hidden`](yomikiri_core::Hidden) |
//! | [`belief`] | public moves and hidden types, bounds with proofs | [`Rules`](belief::Rules) |
//!
//! [`graph`] is what [`Auto`] works on, [`restrict`] binds players to a strategy, [`reach`] counts positions, and
//! [`solution`] is what all solved games have in common. Every solver takes a [`Run`]: threads, memory, a flag that
//! stops it, and somebody who is told how it goes on. None depends on a global, and the number of threads never changes
//! a result.

pub mod auto;
pub mod belief;
mod broken;
mod fractions;
pub mod fullwidth;
pub mod graph;
pub mod induction;
pub mod layers;
pub mod memo;
pub mod minimax;
mod modular;
pub mod nash;
pub mod onesided;
pub mod reach;
pub mod regret;
pub mod restrict;
pub mod retrograde;
pub mod search;
pub mod sequence;
pub mod solution;
pub mod tree;

pub use auto::Auto;
pub use solution::{Solution, Solver};

use rayon::prelude::*;
use yomikiri_core::{Error, Run};

/// Runs `work` on as many threads as the run asks for, so that nothing depends on a global pool.
///
/// # Errors
/// [`Error::Threads`] if the system gives none.
pub fn on_threads<R: Send>(run: &Run<'_>, work: impl FnOnce() -> R + Send) -> Result<R, Error> {
    let (mut work, mut done) = (Some(work), None);
    pooled(run, &mut || done = work.take().map(|work| work()))?;
    done.ok_or_else(|| Error::Bug("work that was never done".into()))
}

/// The same for all kinds of work, so that a pool is compiled once.
fn pooled(run: &Run<'_>, work: &mut (dyn FnMut() + Send)) -> Result<(), Error> {
    if cfg!(target_family = "wasm") || run.threads <= 1 && rayon::current_thread_index().is_some() {
        // Already one of several threads at work: a pool of its own would cost more than small work. In a browser there is
        // only this one, and rayon does on it whatever comes.
        work();
        return Ok(());
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(run.threads.max(1))
        .build()
        .map_err(|e| Error::Threads(e.to_string()))?;
    pool.install(work);
    Ok(())
}

/// Does the parts of some work, by their numbers, on the threads of the pool.
fn each(parts: usize, work: &(dyn Fn(usize) + Sync)) {
    match parts {
        1 => work(0),
        _ => (0..parts).into_par_iter().for_each(work),
    }
}
