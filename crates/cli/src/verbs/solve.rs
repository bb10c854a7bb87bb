//! `solve`: a game's solution in a report.

use super::{Session, of};
use crate::args::settings;
use crate::fail::Failure;
use clap::ArgMatches;
use std::io::Write;
use yomikiri_games::Entry;

/// Solves a game.
pub fn solve(
    session: &Session<'_>,
    game: &'static dyn Entry,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let settings = settings(game.about().id, game.params(), matches)?;
    let outcome = game.solve(&settings, &session.run).map_err(of(game))?;
    session.show(&outcome, out)
}
