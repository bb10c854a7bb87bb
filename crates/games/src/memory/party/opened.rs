//! Tables for `K` players that a run has opened.

use super::super::opened::{self, Opened};
use super::rules::{Party, Terms};
use super::table::{Extent, Table};
use std::sync::Arc;
use yomikiri_core::{Error, Run, Text};

/// Which positions a table is of.
pub(super) struct Held {
    pub(super) players: usize,
    pub(super) copies: usize,
    pub(super) terms: Terms,
    pub(super) extent: Extent,
}

/// The table of the run that holds an extent: none if there is none, refused if the run has tables of Memory and is to ask
/// nothing else.
///
/// # Errors
/// The refusal, which says what the tables are tables of.
pub fn find<const K: usize>(
    game: &Party<K>,
    extent: Extent,
    run: &Run<'_>,
) -> Result<Option<Arc<Table<K>>>, Error> {
    let (asked_copies, asked_terms) = (game.cards().copies(), game.terms());
    let holds = |held: &Held| {
        let has = held.extent;
        let holds = (held.players, held.copies, held.terms) == (K, asked_copies, asked_terms)
            && extent.and(has) == has
            // Totals that differ by a multiple of the players can share a table.
            && (has.total - extent.total).is_multiple_of(K);
        holds.then_some(has.ranks as u64)
    };
    let asked = || {
        let asked = described(K, extent.ranks, asked_copies, asked_terms);
        if !asked_terms.wins() {
            return asked;
        }
        let (total, more) = (extent.total, extent.total + K);
        Text::of(
            format!(
                "{} with {total} pairs on the table and in scores together, or {more}, and so on",
                asked.en
            ),
            format!("{}（場と得点のペアが合計{total}組、または{more}組など）", asked.ja),
        )
    };
    let found = Opened::find(run, holds, asked)?;
    Ok(found.and_then(|table| table.table.clone().downcast().ok()))
}

/// Refuses fractions where a run answers from tables alone.
///
/// # Errors
/// The refusal.
pub fn doubles_only(run: &Run<'_>) -> Result<(), Error> {
    match run.tables.of::<Opened>().next() {
        Some((_, table)) if opened::alone(run) => Err(opened::doubles_only(table)),
        _ => Ok(()),
    }
}

pub(super) fn described(players: usize, ranks: usize, copies: usize, terms: Terms) -> Text {
    let [objective, pass, tie] = terms.words();
    Text::same(format!(
        "players={players},ranks={ranks},copies={copies},objective={objective},pass={pass},tie={tie}"
    ))
}
