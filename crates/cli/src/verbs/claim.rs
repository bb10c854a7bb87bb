//! What a proof is said to show, on the command line.

use super::Session;
use crate::fail::{Failure, refuse};
use clap::ArgMatches;
use yomikiri_api::{ANY, Claim};
use yomikiri_check::{fraction, subjects};
use yomikiri_core::{Text, text};

/// What the command line claims.
pub fn read(session: &Session<'_>, matches: &ArgMatches) -> Result<Claim, Failure> {
    let word = |id: &str| matches.get_one::<String>(id).map(String::as_str);
    let bound = match word("bound") {
        None => None,
        Some(given) => Some(fraction(given).ok_or_else(|| {
            refuse("--bound", given, text("a fraction such as 1/3, -2/5 or 1", "分数、例：1/3、-2/5、1"))
        })?),
    };
    let games = session.games.iter().filter(|game| game.provable()).map(|game| game.about().id);
    let subjects: Vec<&str> = subjects().chain(games).chain([ANY]).collect();
    let about = match word("about") {
        Some(given) if !subjects.contains(&given) => {
            return Err(refuse("--about", given, Text::same(subjects.join(", "))).into());
        }
        word => word.map(str::to_owned),
    };
    Ok(Claim { bound, about })
}
