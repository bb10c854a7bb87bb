//! The game, the position and the table that somebody asks for.

use super::notation::{Told, cards};
use super::opened;
use super::rules::{Aim, Party, Passes, State, Terms, Tie};
use super::seats::{Seated, Seats};
use super::table::{Extent, Keep, Table};
use crate::params::Settings;
use std::sync::Arc;
use yomikiri_core::{Error, Game, Refusal, Run, Text};

/// What the words of the parameters mean. `cards` is what `margin` was called when there were two players only.
pub fn terms(objective: &str, pass: &str, tie: &str) -> Result<Terms, Refusal> {
    Ok(Terms {
        aim: match objective {
            "win" => Aim::Win,
            "pairs" => Aim::Pairs,
            "margin" | "cards" => Aim::Margin,
            other => return Err(refuse("objective", other, "win, pairs, margin, cards")),
        },
        passes: match pass {
            "end" => Passes::End,
            "must" => Passes::Must,
            "none" => Passes::Never,
            other => return Err(refuse("pass", other, "end, must, none")),
        },
        tie: match Tie::ALL.iter().find(|(word, _)| *word == tie) {
            Some((_, tie)) => *tie,
            None => return Err(refuse("tie", tie, &Tie::ALL.map(|(word, _)| word).join(", "))),
        },
    })
}

fn refuse(field: &'static str, got: &str, accepts: &str) -> Refusal {
    Refusal::new(field, format!("\"{got}\""), Text::same(accepts.to_owned()))
}

/// Whether settings ask for what the solver for two players does not know.
pub fn asked(settings: &Settings) -> bool {
    settings.int("players") != 2 || settings.word("pass") != "end" || settings.word("objective") == "pairs"
}

/// Ranks, cards a rank and terms that settings ask for.
pub(super) fn of(settings: &Settings) -> Result<(usize, usize, Terms), Refusal> {
    let copies = settings.word("copies").parse().unwrap_or(4);
    let terms = terms(settings.word("objective"), settings.word("pass"), settings.word("tie"))?;
    Ok((settings.int("ranks") as usize, copies, terms))
}

/// The game the settings ask for.
///
/// # Errors
/// Settings that go together with no game are refused by name.
pub fn game<const K: usize>(settings: &Settings) -> Result<Seats<K>, Refusal> {
    let (ranks, copies, terms) = of(settings)?;
    Seats::new(ranks, copies, terms)
}

/// The position the settings and a text ask for, with its game: unless the number of ranks is given, it grows with what
/// the text lists.
///
/// # Errors
/// What is not a legal position is refused with the part at fault.
pub fn position<const K: usize>(
    settings: &Settings,
    text: Option<&str>,
) -> Result<(Seats<K>, Seated), Refusal> {
    let Some(text) = text else {
        let game = game(settings)?;
        let start = game.start();
        return Ok((game, start));
    };
    let (ranks, copies, terms) = of(settings)?;
    let told = Told::read(text, &cards(ranks, copies)?)?;
    let ranks = if settings.given("ranks") { ranks } else { ranks.max(told.listed()) };
    let game = Seats::new(ranks, copies, terms)?;
    let s = game.party().settle(&told)?;
    let seated = game.deal(&s);
    Ok((game, seated))
}

/// The table for an extent, from those of the run, from the cache or solved now. With `all`, every position that can follow must be in it;
/// otherwise those that a move leads to are enough where more does not fit.
///
/// # Errors
/// What solving fails with.
pub fn table<const K: usize>(
    game: &Party<K>,
    extent: Extent,
    all: bool,
    run: &Run<'_>,
) -> Result<Arc<Table<K>>, Error> {
    if let Some(opened) = opened::find(game, extent, run)? {
        return Ok(opened);
    }
    let (copies, terms) = (game.cards().copies(), game.terms());
    let solved = |keep: Keep| {
        let Extent { ranks, top, total } = extent;
        let name = format!("memory for {K} {} {copies}x{ranks} {top:?} {total} {keep:?}", terms.word());
        run.cached(&name, || {
            let table = Table::solve(copies, terms, extent, keep, run)?;
            let bytes = table.bytes();
            Ok((table, bytes))
        })
    };
    match solved(Keep::All) {
        Err(Error::Memory { .. }) if !all => solved(Keep::Near),
        other => other,
    }
}

/// The table for a position, as [`table`].
///
/// # Errors
/// What solving fails with.
pub fn table_for<const K: usize>(
    game: &Party<K>,
    s: &State<K>,
    all: bool,
    run: &Run<'_>,
) -> Result<Arc<Table<K>>, Error> {
    table(game, Extent::of(game, s), all, run)
}
