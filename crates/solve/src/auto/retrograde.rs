//! Retrograde analysis of a graph with cycles and without chance, for results of any whole numbers.
//!
//! Play that never ends is worth 0. So a player gets more than 0 only by reaching an end, and `v` or more exactly from
//! where it can force the game into the ends that are worth at least `v` to it: its *attractor*. The attractor of a
//! smaller `v` contains that of a larger one, so one pass finds them all: the ends are taken from the most extreme
//! result to the mildest, and moves are taken back from each before the next is begun. A state whose mover is the
//! winner falls with its first such successor, a state of the other player with its last. This is done for what player
//! 0 wins and for what it loses; both players together cannot miss a state that is not worth 0, since a player who
//! cannot force more than 0 can be kept from it for ever. Every edge is taken back once.

use super::{NO_DISTANCE, Solved};
use crate::fractions::Fractions;
use crate::graph::Net;
use yomikiri_core::{Error, Run, Turn, text};

/// States between two looks at the cancel flag.
const LOOK: u64 = 1 << 14;

/// The edges of a graph by where they lead.
pub(super) struct Backwards {
    ends: Vec<u64>,
    sources: Vec<u32>,
}

impl Backwards {
    pub(super) fn of(graph: &Net, run: &Run<'_>) -> Result<Backwards, Error> {
        let states = graph.len();
        // Counted one further on, so that filling leaves each end where it belongs.
        let mut ends = vec![0u64; states + 1];
        for state in 0..states as u32 {
            graph.successors(state).iter().for_each(|&t| ends[t as usize + 1] += 1);
        }
        run.check()?;
        (1..=states).for_each(|i| ends[i] += ends[i - 1]);
        let mut sources = vec![0; graph.edges() as usize];
        for state in 0..states as u32 {
            for &t in graph.successors(state) {
                let at = &mut ends[t as usize];
                sources[*at as usize] = state;
                *at += 1;
            }
        }
        Ok(Backwards { ends, sources })
    }

    /// The states with an edge to a state, once for every edge.
    pub(super) fn before(&self, state: u32) -> &[u32] {
        let begin = if state == 0 { 0 } else { self.ends[state as usize - 1] };
        &self.sources[begin as usize..self.ends[state as usize] as usize]
    }
}

/// Solves a graph without chance for one or two players.
pub fn solve(graph: &Net, run: &Run<'_>) -> Result<Solved, Error> {
    let states = graph.len() as u64;
    // Edges backwards with their ends; value, distance, count and queue; ends of the game with their results.
    run.fits(graph.bytes() + 4 * graph.edges() + (8 + 16 + 8) * states)?;
    run.observer.begin(&text("taking moves back", "後退解析"), states);
    let backwards = Backwards::of(graph, run)?;
    let mut fractions = Fractions::default();
    let zero = fractions.int(0);
    let mut values = vec![zero; graph.len()];
    let mut distances = vec![NO_DISTANCE; graph.len()];
    let mut left: Vec<u32> = (0..states as u32).map(|s| graph.successors(s).len() as u32).collect();
    let mut finals: Vec<(i32, u32)> =
        (0..states as u32).filter_map(|s| Some((*graph.payoffs(s).first()?, s))).collect();
    // The most extreme first, so that every state meets the best that its player can force before anything milder.
    finals.sort_unstable_by_key(|&(payoff, s)| (std::cmp::Reverse(payoff.unsigned_abs()), payoff, s));
    let mut queue: Vec<u32> = Vec::new();
    let mut decided = 0u64;
    for level in finals.chunk_by(|a, b| a.0 == b.0) {
        let payoff = level[0].0;
        queue.clear();
        queue.extend(level.iter().map(|end| end.1));
        queue.iter().for_each(|&end| distances[end as usize] = 0);
        if payoff == 0 {
            continue;
        }
        let value = fractions.int(payoff);
        queue.iter().for_each(|&end| values[end as usize] = value);
        let winner = Turn::Player(u8::from(payoff < 0));
        let mut at = 0;
        while let Some(&state) = queue.get(at) {
            at += 1;
            decided += 1;
            if decided.is_multiple_of(LOOK) {
                run.check()?;
                run.observer.done(decided);
            }
            for &before in backwards.before(state) {
                if values[before as usize] != zero {
                    continue;
                }
                if graph.turn(before) != winner {
                    left[before as usize] -= 1;
                    if left[before as usize] > 0 {
                        continue;
                    }
                }
                values[before as usize] = value;
                distances[before as usize] = distances[state as usize] + 1;
                queue.push(before);
            }
        }
    }
    run.observer.end();
    Ok(Solved { distances, ..Solved::new(values, fractions) })
}
