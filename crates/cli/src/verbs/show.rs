//! `show`: a position with the value of every move.

use super::table::with_table;
use super::{Session, of};
use crate::fail::Failure;
use clap::ArgMatches;
use std::io::Write;
use yomikiri_core::cache::Lru;
use yomikiri_games::Entry;

/// Shows a position.
pub fn show(
    session: &Session<'_>,
    game: &'static dyn Entry,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let cache = Lru::new(session.run.memory);
    let (run, settings) = with_table(session, game, matches, &cache, true)?;
    let position = matches.get_one::<String>("position").map(String::as_str);
    let outcome = game.show(&settings, position, &run).map_err(of(game))?;
    session.show(&outcome, out)
}
