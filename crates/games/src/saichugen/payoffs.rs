//! What the game pays for the totals of the last round: a table for given scores, filled from a fixed one of who wins, with what
//! middle.

use super::rules::{MOST, SEATS, payoffs, sum};
use std::sync::OnceLock;

/// Totals of a player in a round go up to here, exclusive.
const SIDE: usize = MOST + 1;

pub(super) fn place(round: [u8; SEATS]) -> usize {
    (usize::from(round[0]) * SIDE + usize::from(round[1])) * SIDE + usize::from(round[2])
}

/// Winner patterns of a round (three bits) and its middle, for every place.
fn codes() -> &'static [u8] {
    static CODES: OnceLock<Vec<u8>> = OnceLock::new();
    CODES.get_or_init(|| {
        let mut codes = vec![0; SIDE * SIDE * SIDE];
        for round in rounds() {
            codes[place(round)] = code(round);
        }
        codes
    })
}

/// All totals a round can have.
pub fn rounds() -> impl Iterator<Item = [u8; SEATS]> {
    let most = MOST as u8;
    (0..=most).flat_map(move |a| (0..=most - a).flat_map(move |b| (0..=most - a - b).map(move |c| [a, b, c])))
}

/// The middle of a round's totals is at most 19: another is as large, and all three add up to 39.
const MIDDLES: usize = MOST / 2 + 1;

fn code(round: [u8; SEATS]) -> u8 {
    let won = super::rules::winners(round);
    let pattern = usize::from(won[0]) | usize::from(won[1]) << 1 | usize::from(won[2]) << 2;
    (pattern * MIDDLES + usize::from(super::rules::middle(round))) as u8
}

/// What the game pays the first player for the totals of the last round, given the scores.
#[derive(Clone, Debug)]
pub struct Payoffs {
    pub(super) scores: [u8; SEATS],
    table: Vec<i8>,
}

impl Payoffs {
    /// The table for scores.
    pub fn new(scores: [u8; SEATS]) -> Payoffs {
        let mut payoffs = Payoffs { scores, table: vec![0; SIDE * SIDE * SIDE] };
        payoffs.set(scores);
        payoffs
    }

    pub(super) fn set(&mut self, scores: [u8; SEATS]) {
        self.scores = scores;
        let mut small = [0i8; 8 * MIDDLES];
        for pattern in 1..8 {
            for middle in 0..MIDDLES {
                let keeps =
                    std::array::from_fn(|seat| if pattern >> seat & 1 == 1 { middle as u8 } else { 0 });
                small[pattern * MIDDLES + middle] = payoffs(sum(scores, keeps))[0];
            }
        }
        let codes = codes();
        for a in 0..SIDE {
            for b in 0..SIDE - a {
                let from = (a * SIDE + b) * SIDE;
                let line = from..from + SIDE - a - b;
                for (payoff, &code) in self.table[line.clone()].iter_mut().zip(&codes[line]) {
                    *payoff = small[usize::from(code)];
                }
            }
        }
    }

    /// What the first player gets if the last round ends with these totals, which add up to at most 39.
    pub fn get(&self, round: [u8; SEATS]) -> i8 {
        self.table[place(round)]
    }

    pub(super) fn at(&self, place: usize) -> i16 {
        i16::from(self.table[place])
    }
}

/// How far a place moves when the player, the first or the second opponent wins a point.
pub(super) const STEP: [usize; SEATS] = [SIDE * SIDE, SIDE, 1];
