//! Which positions a game tree has: everything that can be reached from the start, tier by tier, so that
//! only the tiers in use are kept in memory.

use crate::solution::actions;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use yomikiri_core::{Canonical, Error, Run, Turn, text};

/// Appends the keyed states a move leads to, looking through states without a key.
fn successors<G: Canonical>(game: &G, s: &G::State, out: &mut Vec<G::State>) {
    for a in actions(game, s) {
        let t = game.apply(s, a);
        match game.turn(&t) {
            Turn::Terminal => {}
            Turn::Player(_) if game.key(&t).is_some() => out.push(t),
            _ => successors(game, &t, out),
        }
    }
}

/// How far an expansion has come: between two tiers it is all there is to know.
pub struct Expanded<K> {
    /// Positions of the tiers that are done.
    pub count: u64,
    /// Positions found in the tiers that are not.
    pub open: BTreeMap<u64, FxHashSet<K>>,
}

/// Keeps the progress of an expansion; called after every tier and when the run is cancelled.
pub type Keep<'a, K> = &'a mut dyn FnMut(&Expanded<K>, bool) -> Result<(), Error>;

impl<K: std::hash::Hash + Eq> Expanded<K> {
    /// The beginning: only the start is known.
    pub fn new<G: Canonical<Key = K>>(game: &G, tier: impl Fn(&G::State) -> u64) -> Expanded<K> {
        let start = game.start();
        let mut open: BTreeMap<u64, FxHashSet<K>> = BTreeMap::new();
        if let Some(key) = game.key(&start) {
            open.entry(tier(&start)).or_default().insert(key);
        }
        Expanded { count: 0, open }
    }
}

/// Visits every non-terminal position that has a key once, from the highest tier down, and counts them,
/// those counted before included. `tier` must not rise along a move. The state visited is the one its key
/// stands for by `state`.
///
/// # Errors
/// [`Error::Memory`] when a tier and the ones below it do not fit, [`Error::Cancelled`] after `keep` was told, and
/// what `keep` fails with.
pub fn reachable<G: Canonical>(
    game: &G,
    tier: impl Fn(&G::State) -> u64,
    state: impl Fn(G::Key) -> G::State + Sync,
    mut progress: Expanded<G::Key>,
    keep: Keep<'_, G::Key>,
    run: &Run<'_>,
    mut visit: impl FnMut(&G::State),
) -> Result<u64, Error> {
    run.observer.begin(&text("expanding the game tree", "ゲーム木の展開"), 0);
    while let Some((now, keys)) = progress.open.pop_last() {
        let mut seen = keys.clone();
        match expand(game, &tier, &state, now, &mut seen, &mut progress.open, run) {
            Ok(()) => {}
            Err(stopped) => {
                // What was found below stays found; the tier itself is expanded again.
                progress.open.insert(now, keys);
                keep(&progress, true)?;
                return Err(stopped);
            }
        }
        let bytes = (progress.open.values().map(FxHashSet::capacity).sum::<usize>() + seen.capacity()) as u64
            * (std::mem::size_of::<G::Key>() as u64 + 1);
        run.fits(bytes)?;
        progress.count += seen.len() as u64;
        run.observer.done(progress.count);
        for key in seen {
            visit(&state(key));
        }
        keep(&progress, false)?;
    }
    run.observer.end();
    Ok(progress.count)
}

/// Expands a tier: `seen` grows by the moves within it (a pass), `open` by those to lower ones.
fn expand<G: Canonical>(
    game: &G,
    tier: &impl Fn(&G::State) -> u64,
    state: &(impl Fn(G::Key) -> G::State + Sync),
    now: u64,
    seen: &mut FxHashSet<G::Key>,
    open: &mut BTreeMap<u64, FxHashSet<G::Key>>,
    run: &Run<'_>,
) -> Result<(), Error> {
    let mut fresh: Vec<G::Key> = seen.iter().copied().collect();
    while !fresh.is_empty() {
        let mut added = Vec::new();
        for part in fresh.chunks(1 << 14) {
            run.check()?;
            let found: Vec<G::State> = part
                .par_iter()
                .flat_map_iter(|&key| {
                    let mut out = Vec::new();
                    successors(game, &state(key), &mut out);
                    out
                })
                .collect();
            for t in found {
                let Some(key) = game.key(&t) else { continue };
                let at = tier(&t);
                if at == now {
                    if seen.insert(key) {
                        added.push(key);
                    }
                } else {
                    open.entry(at).or_default().insert(key);
                }
            }
        }
        fresh = added;
    }
    Ok(())
}
