//! Which positions a game tree has: everything that can be reached from the start, tier by tier, so that
//! only the tiers in use are kept in memory.

use crate::look::actions;
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

/// Visits every non-terminal position that has a key once, from the highest tier down, and counts them.
/// `tier` must not rise along a move. The state visited is the one its key stands for by `state`.
pub fn reachable<G: Canonical>(
    game: &G,
    tier: impl Fn(&G::State) -> u64,
    state: impl Fn(G::Key) -> G::State + Sync,
    run: &Run<'_>,
    mut visit: impl FnMut(&G::State),
) -> Result<u64, Error> {
    run.observer.begin(&text("expanding the game tree", "ゲーム木の展開"), 0);
    let mut open: BTreeMap<u64, FxHashSet<G::Key>> = BTreeMap::new();
    let start = game.start();
    if let Some(key) = game.key(&start) {
        open.entry(tier(&start)).or_default().insert(key);
    }
    let mut count = 0;
    while let Some((now, keys)) = open.pop_last() {
        // Moves within the tier (a pass) may add to it while it is being expanded.
        let mut seen = keys.clone();
        let mut fresh: Vec<G::Key> = keys.into_iter().collect();
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
        let bytes = (open.values().map(FxHashSet::capacity).sum::<usize>() + seen.capacity()) as u64
            * (std::mem::size_of::<G::Key>() as u64 + 1);
        run.fits(bytes)?;
        count += seen.len() as u64;
        run.observer.done(count);
        for key in seen {
            visit(&state(key));
        }
    }
    run.observer.end();
    Ok(count)
}
