//! The game that settings ask for.

use super::rules::{Memory, Objective};
use crate::params::Settings;
use yomikiri_core::Error;

/// The game the settings ask for.
pub fn game(settings: &Settings) -> Result<Memory, Error> {
    game_with(settings, settings.int("ranks") as usize)
}

/// The same with another number of ranks.
pub fn game_with(settings: &Settings, ranks: usize) -> Result<Memory, Error> {
    let copies = settings.word("copies").parse().unwrap_or(4);
    let objective = if settings.word("objective") == "win" { Objective::Win } else { Objective::Cards };
    Ok(Memory::new(ranks, copies, objective)?)
}
