//! Two bounds brought together: look where they are apart, keep the beliefs that are wanted there, go on.

use super::gap::{GapSearch, WantedBeliefs, search};
use super::{Bound, grid};
use std::hash::Hash;
use std::io;
use yomikiri_core::run::Silent;
use yomikiri_core::{Error, Run, text};

/// How to go about it.
#[derive(Clone, Copy, Debug)]
pub struct Closing {
    /// How often beliefs are added, at most.
    pub rounds: u32,
    /// First each player gets all beliefs with whole weights of this sum at the start: there it chooses freely.
    pub start: [i64; 2],
    /// How to look; how near beliefs may be is what it begins with.
    pub search: GapSearch,
    /// When nothing more is wanted beliefs may be nearer by half, down to this.
    pub nearest: f64,
    /// From then on a corner is worth keeping if it is farther out than this many lattice steps.
    pub least: f64,
    /// The bounds are close enough when they are nearer than this, in payoffs.
    pub enough: f64,
}

/// Brings the bounds of player 0 and of player 1 closer together at a position. Both are solved already. With a
/// name, the work is kept in the run's store from time to time and taken up from there.
///
/// # Errors
/// [`Error::Memory`] when beliefs are added, [`Error::Cancelled`], [`Error::Threads`].
pub fn close<P: Copy + Eq + Hash + Send + Sync>(
    bounds: &mut [Bound<P>; 2],
    start: u32,
    how: &Closing,
    name: Option<&str>,
    run: &Run<'_>,
) -> Result<(), Error> {
    for bound in bounds.iter_mut() {
        bound.look_closer(how.least);
    }
    if let Some(mut kept) = name.and_then(|name| run.store.load(name)) {
        let mut from = io::BufReader::new(&mut kept);
        let [low, high] = &*bounds;
        if let (Some(low), Some(high)) = (low.kept(&mut from, run), high.kept(&mut from, run)) {
            *bounds = [low, high];
            run.observer.note(&text("resumed from a checkpoint", "チェックポイントから再開"));
        }
    }
    let keep = |bounds: &[Bound<P>; 2]| {
        if let Some(name) = name {
            // A store that cannot take it is no reason to stop.
            let _ = run.store.save(name, &mut |out| bounds.iter().try_for_each(|b| b.write(out)));
        }
    };
    // The looks of a round are short: only the rounds are told.
    let quiet = Run { observer: &Silent, ..*run };
    run.observer.begin(&text("bringing the bounds together", "上下界を近づける"), u64::from(how.rounds));
    let mut checkpoints = run.checkpoints();
    let done = crate::on_threads(run, || {
        loop {
            // Each has its own: what one thread leaves waiting in the one, another finds in the other.
            let [low, high] = &mut *bounds;
            let (low, high) = rayon::join(|| low.go_on(None, &quiet), || high.go_on(None, &quiet));
            low.and(high)?;
            let round = bounds[0].rounds;
            run.observer.done(u64::from(round));
            if checkpoints.due() {
                checkpoints.keep(|| keep(bounds));
            }
            if round >= how.rounds || apart(bounds, start) < how.enough {
                return Ok(());
            }
            let wanted = match round {
                0 => [0, 1].map(|player| {
                    let all = grid::all(bounds[player].types(start), how.start[player]);
                    all.map(|belief| (start, belief)).collect()
                }),
                _ => wanted(bounds, start, how, run)?,
            };
            if wanted.iter().all(Vec::is_empty) {
                return Ok(());
            }
            for (bound, wanted) in bounds.iter_mut().zip(wanted) {
                bound.add(wanted, run)?;
            }
        }
    })?;
    keep(bounds);
    if done.is_ok() {
        run.observer.end();
    }
    done
}

/// How far the bounds are apart at a position, in payoffs.
fn apart<P: Copy + Eq + Hash + Send + Sync>(bounds: &[Bound<P>; 2], start: u32) -> f64 {
    -bounds.iter().map(|bound| f64::from(bound.best(start).1) / f64::from(bound.lattice())).sum::<f64>()
}

/// What is wanted next, the farthest from what is there first.
fn wanted<P: Copy + Eq + Hash + Send + Sync>(
    bounds: &[Bound<P>; 2],
    start: u32,
    how: &Closing,
    run: &Run<'_>,
) -> Result<WantedBeliefs, Error> {
    let mut search_for = how.search;
    loop {
        let wanted = search([&bounds[0], &bounds[1]], start, &search_for, run)?;
        search_for.near /= 2.0;
        if wanted.iter().any(|w| !w.is_empty()) || search_for.near < how.nearest {
            return Ok(wanted);
        }
    }
}
