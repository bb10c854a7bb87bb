//! Tables of Memory that a run has opened, whichever game they are of.

use super::levels::{Arithmetic, Levels};
use super::rules::{Memory, Objective};
use crate::tables;
use std::any::Any;
use std::sync::Arc;
use yomikiri_core::{Error, Run, Text, text};

type Shared = Arc<dyn Any + Send + Sync>;

/// A table of Memory that was opened.
pub(super) struct Opened {
    of: Text,
    /// Which positions it is of: a [`Memory`] for two players, and what others say for theirs.
    held: Shared,
    /// Levels of some arithmetic, or a table for some players.
    pub(super) table: Shared,
}

impl Opened {
    pub(super) fn new(of: Text, held: impl Any + Send + Sync, table: Shared) -> Opened {
        Opened { of, held: Arc::new(held), table }
    }

    /// The smallest table of the run that holds what is asked for, of those that say what they hold in this way, as
    /// [`tables::holding`].
    pub(super) fn find<'a, H: 'static>(
        run: &Run<'a>,
        holds: impl Fn(&H) -> Option<u64>,
        asked: impl FnOnce() -> Text,
    ) -> Result<Option<&'a Opened>, Error> {
        let holds = |table: &Opened| holds(table.held.downcast_ref()?);
        tables::holding(run, holds, |table| table.of.clone(), asked)
    }
}

/// The smallest table of the run that holds a game up to these ranks: none if there is none, refused if the run has
/// tables of Memory and is to ask nothing else.
///
/// # Errors
/// The refusal, which says what the tables are tables of.
pub fn find<A: Arithmetic + 'static>(
    game: &Memory,
    ranks: usize,
    run: &Run<'_>,
) -> Result<Option<Arc<Levels<A>>>, Error> {
    let odd = (game.copies() / 2) % 2 == 1;
    let holds = |has: &Memory| {
        let holds = (game.copies(), game.objective()) == (has.copies(), has.objective())
            && ranks <= has.ranks()
            // With an odd number of pairs a rank, differences have the parity of the number of ranks.
            && (!odd || ranks % 2 == has.ranks() % 2);
        holds.then_some(has.ranks() as u64)
    };
    let asked = || described_with(game, ranks);
    let Some(table) = Opened::find(run, holds, asked)? else { return Ok(None) };
    match table.table.clone().downcast() {
        Ok(levels) => Ok(Some(levels)),
        Err(_) if !alone(run) => Ok(None),
        Err(_) => Err(doubles_only(table)),
    }
}

/// The refusal of fractions by a table.
pub(super) fn doubles_only(table: &Opened) -> Error {
    let doubles =
        Text::of(format!("a table of doubles, {}", table.of.en), format!("倍精度の表（{}）", table.of.ja));
    tables::not_held(&[doubles], &text("fractions", "分数"))
}

/// Refuses what no table can hold where a run answers from tables alone.
///
/// # Errors
/// The refusal, which says what the tables are tables of.
pub(super) fn nothing_but_tables(run: &Run<'_>, asked: impl FnOnce() -> Text) -> Result<(), Error> {
    Opened::find(run, |(): &()| None, asked).map(|_| ())
}

/// Whether the run answers from tables alone.
pub fn alone(run: &Run<'_>) -> bool {
    run.tables.only::<Opened>()
}

pub(super) fn described(game: &Memory) -> Text {
    described_with(game, game.ranks())
}

fn described_with(game: &Memory, ranks: usize) -> Text {
    let objective = if game.objective() == Objective::Win { "win" } else { "cards" };
    Text::same(format!("ranks={ranks},copies={},objective={objective}", game.copies()))
}
