//! `show`: a position with the value of every move.

use super::{Session, of};
use crate::args::settings;
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
    let settings = settings(game.about().id, game.params(), matches)?;
    let position = matches.get_one::<String>("position").map(String::as_str);
    let outcome = game.show(&settings, position, &session.run).map_err(of(game))?;
    session.show(&outcome, out)
}
