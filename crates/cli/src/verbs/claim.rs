//! What a proof is said to show, on the command line.

use super::Session;
use crate::fail::{Failure, refuse};
use clap::ArgMatches;
use yomikiri_check::{BigRational, fraction, subjects};
use yomikiri_core::{Text, text};
use yomikiri_view::report::{Cell, Tone};

/// The word for a claim about whatever position the certificate is about.
pub const ANY: &str = "any";

/// What is said to be proved.
pub struct Claim {
    /// The bound or value.
    pub bound: Option<BigRational>,
    /// The word for what it is about.
    pub about: Option<String>,
}

impl Claim {
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
}

/// Whether it was accepted, in a word.
pub fn verdict(good: bool) -> Cell {
    if good {
        Cell::from(text("accepted", "合格")).tone(Tone::Good)
    } else {
        Cell::from(text("rejected", "不合格")).tone(Tone::Bad)
    }
}
