//! Positions where the best move is not what most people would play: the paper's figures 2, 3 and 4 show
//! such positions as pictures; here they are found by search.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use yomikiri_core::{Error, Indexed, Run};
use yomikiri_games::memory::answer::{Answer, answer, best};
use yomikiri_games::memory::levels::{Doubles, Levels};
use yomikiri_games::memory::rules::{Action, Memory, State};

/// An unusual kind of best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// Passing is the only best move (figure 2).
    Pass,
    /// After some first card, a known card of another rank is the only best second card (figure 3).
    Different,
    /// Turning an unknown card is the only best move although a known pair lies there (figure 4).
    Leave,
}

/// A position found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The position.
    pub notation: String,
    /// Its value.
    pub value: f64,
    /// What the usual move is worth: turning for `Pass`, the second unknown card for `Different`, taking
    /// for `Leave`.
    pub usual: f64,
}

/// Whether the oddity occurs, and what the usual move is worth.
fn occurs(oddity: Oddity, found: &Answer<f64>) -> Option<f64> {
    let only = |a: Action| best(&found.moves) == [a];
    let value = |list: &[(Action, f64)], wanted: &dyn Fn(Action) -> bool| {
        list.iter().filter(|m| wanted(m.0)).map(|m| m.1).reduce(f64::max)
    };
    match oddity {
        Oddity::Pass if only(Action::Pass) => value(&found.moves, &|a| a == Action::Flip),
        Oddity::Leave if only(Action::Flip) => value(&found.moves, &|a| matches!(a, Action::Take(_))),
        Oddity::Different if only(Action::Flip) => found
            .second
            .iter()
            .find(|c| best(&c.2) == [Action::Different])
            .and_then(|c| value(&c.2, &|a| a == Action::Unknown)),
        _ => None,
    }
}

/// Whether a position shows the oddity.
pub(super) fn shows(game: &Memory, table: &Levels<Doubles>, s: &State, oddity: Oddity) -> bool {
    answer(game, table, s).is_some_and(|found| occurs(oddity, &found).is_some())
}

/// The smallest positions with difference 0 that show an oddity: fewest pairs, then fewest unknown cards.
///
/// # Errors
/// If the run is cancelled.
pub fn find(
    game: &Memory,
    table: &Levels<Doubles>,
    oddity: Oddity,
    most: usize,
    run: &Run<'_>,
) -> Result<Vec<Found>, Error> {
    let mut places: BinaryHeap<Reverse<(usize, usize, u32)>> = BinaryHeap::new();
    for tier in 0..game.tiers() {
        if let Some(s) = game.state((tier, 0)) {
            places.push(Reverse((game.remaining(&s.counts), game.unknown(&s.counts), tier)));
        }
    }
    let mut list = Vec::new();
    while let Some(Reverse((_, _, tier))) = places.pop() {
        run.check()?;
        for at in 0..game.len(tier) {
            let Some(s) = game.state((tier, at)) else { continue };
            if s.diff != 0 {
                continue;
            }
            let Some(answer) = answer(game, table, &s) else { continue };
            if let Some(usual) = occurs(oddity, &answer) {
                let notation = game.print(&s).unwrap_or_default();
                list.push(Found { notation, value: answer.value, usual });
                if list.len() == most {
                    return Ok(list);
                }
            }
        }
    }
    Ok(list)
}
