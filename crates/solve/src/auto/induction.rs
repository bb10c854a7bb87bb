//! Backward induction over a graph without cycles.

use super::{NO_DISTANCE, Solved};
use crate::fractions::Fractions;
use crate::graph::{Net, Numbering, tag};
use std::cmp::Ordering;
use yomikiri_core::{Error, Run, Turn, text};

/// States between two looks at the cancel flag and at the memory.
const LOOK: usize = 1 << 12;

/// Tells how far it has come, and stops if it was cancelled or has become too large.
fn look(done: usize, bytes: u64, run: &Run<'_>) -> Result<(), Error> {
    if done.is_multiple_of(LOOK) {
        run.check()?;
        run.fits(bytes)?;
        run.observer.done(done as u64);
    }
    Ok(())
}

/// The value of a state for player 0 where those of its successors are known: player 0 takes the most, player 1 the
/// least.
pub fn value(graph: &Net, state: u32, values: &[u32], fractions: &mut Fractions) -> u32 {
    let next = graph.successors(state);
    match graph.turn(state) {
        Turn::Terminal => fractions.int(graph.payoffs(state)[0]),
        Turn::Chance => {
            let weighted = graph.weights(state).iter().zip(next);
            fractions.average(weighted.map(|(&weight, &t)| (weight, values[t as usize])))
        }
        Turn::Player(p) => {
            let better = if p == 0 { Ordering::Greater } else { Ordering::Less };
            let mut best = values[next[0] as usize];
            for &t in &next[1..] {
                if fractions.compare(values[t as usize], best) == better {
                    best = values[t as usize];
                }
            }
            best
        }
    }
}

/// One or two players: player 0 takes the most, player 1 the least. Every state of `order` comes after its successors.
pub fn zero_sum(graph: &Net, order: &[u32], run: &Run<'_>) -> Result<Solved, Error> {
    let fixed = graph.bytes() + 12 * graph.len() as u64;
    run.fits(fixed)?;
    run.observer.begin(&text("backward induction", "後ろ向き帰納"), order.len() as u64);
    let mut fractions = Fractions::default();
    let (mut values, mut distances) = (vec![0; graph.len()], vec![NO_DISTANCE; graph.len()]);
    for (done, &state) in order.iter().enumerate() {
        look(done, fixed + fractions.bytes(), run)?;
        let next = graph.successors(state);
        let value = value(graph, state, &values, &mut fractions);
        let distance = match graph.turn(state) {
            Turn::Terminal => 0,
            Turn::Chance => NO_DISTANCE,
            Turn::Player(p) => {
                // Who gains by the result, and whether that is the player to move.
                let sign = fractions.sign(value);
                let hurries = (sign > 0) == (p == 0);
                let after = next.iter().filter(|t| values[**t as usize] == value);
                let after = after.map(|t| distances[*t as usize]);
                if sign == 0 || after.clone().any(|d| d == NO_DISTANCE) {
                    NO_DISTANCE
                } else {
                    if hurries { after.min() } else { after.max() }.map_or(NO_DISTANCE, |d| d + 1)
                }
            }
        };
        values[state as usize] = value;
        distances[state as usize] = distance;
    }
    run.observer.end();
    Ok(Solved { distances, ..Solved::new(values, fractions) })
}

/// Any number of players: whoever is to move takes what is most for itself, and the first of equal actions.
pub fn many_players(graph: &Net, order: &[u32], run: &Run<'_>) -> Result<Solved, Error> {
    let fixed = graph.bytes() + 8 * graph.len() as u64;
    let row_bytes = graph.players() * 4 + 16;
    run.fits(fixed)?;
    run.observer.begin(&text("backward induction", "後ろ向き帰納"), order.len() as u64);
    let (mut fractions, mut rows) = (Fractions::default(), Numbering::<Box<[u32]>>::default());
    let mut values = vec![0u32; graph.len()];
    for (done, &state) in order.iter().enumerate() {
        look(done, fixed + fractions.bytes() + rows.bytes(row_bytes), run)?;
        let next = graph.successors(state);
        let row: Box<[u32]> = match graph.turn(state) {
            Turn::Terminal => graph.payoffs(state).iter().map(|&x| fractions.int(x)).collect(),
            Turn::Chance => (0..graph.players())
                .map(|player| {
                    let of = |t: &u32| rows.members()[values[*t as usize] as usize][player];
                    let weighted = graph.weights(state).iter().zip(next);
                    fractions.average(weighted.map(|(&weight, t)| (weight, of(t))))
                })
                .collect(),
            Turn::Player(p) => {
                let of = |t: u32| rows.members()[values[t as usize] as usize][usize::from(p)];
                let mut best = next[0];
                for &t in &next[1..] {
                    if fractions.compare(of(t), of(best)) == Ordering::Greater {
                        best = t;
                    }
                }
                values[state as usize] = values[best as usize];
                continue;
            }
        };
        let tag = tag(&row);
        values[state as usize] = rows.number(row, tag);
    }
    run.observer.end();
    Ok(Solved { rows, ..Solved::new(values, fractions) })
}
