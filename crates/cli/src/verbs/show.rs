//! `show`: a position with the value of every move.

use super::table::Named;
use super::{Session, of};
use crate::fail::Failure;
use clap::ArgMatches;
use std::io::Write;
use yomikiri_games::Entry;

/// Shows a position.
pub fn show(
    session: &Session<'_>,
    game: &'static dyn Entry,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let tables = Named::open(session, game, matches)?;
    let settings = tables.settings(game, matches)?;
    let position = matches.get_one::<String>("position").map(String::as_str);
    let outcome = game.show(&settings, position, &tables.run(session)).map_err(of(game))?;
    session.show(&outcome, out)
}
