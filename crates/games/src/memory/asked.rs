//! The game and the position that settings ask for.

use super::notation::read;
use super::rules::{Memory, Objective, State};
use crate::params::Settings;
use yomikiri_core::{Game, Refusal};

/// The game the settings ask for.
///
/// # Errors
/// Settings that go together with no game are refused by name.
pub fn game(settings: &Settings) -> Result<Memory, Refusal> {
    game_with(settings, settings.int("ranks") as usize)
}

/// The same with another number of ranks.
fn game_with(settings: &Settings, ranks: usize) -> Result<Memory, Refusal> {
    let copies = settings.word("copies").parse().unwrap_or(4);
    let objective = if settings.word("objective") == "win" { Objective::Win } else { Objective::Cards };
    Memory::new(ranks, copies, objective)
}

/// The position the settings and a text ask for, with its game: unless the number of ranks is given, it grows with what
/// the text lists.
///
/// # Errors
/// What is not a legal position is refused with the part at fault.
pub fn position(settings: &Settings, text: Option<&str>) -> Result<(Memory, State), Refusal> {
    let plain = game(settings)?;
    let Some(text) = text else {
        let start = plain.start();
        return Ok((plain, start));
    };
    let written = read(text, plain.patterns())?;
    let ranks = if settings.given("ranks") { plain.ranks() } else { plain.ranks().max(written.listed) };
    let game = game_with(settings, ranks)?;
    let s = game.settle(&written)?;
    Ok((game, s))
}
