//! `reproduce`: the published tables, computed again.

use super::{Session, of};
use crate::fail::{ERROR, Failure, INTERRUPTED, YES};
use clap::ArgMatches;
use std::io::Write;
use yomikiri_games::report::Block;
use yomikiri_games::{Effort, Entry};

/// Reproduces the tables of the named games, or of all. A game that fails does not keep the others back.
pub fn reproduce(session: &Session<'_>, matches: &ArgMatches, out: &mut dyn Write) -> Result<u8, Failure> {
    let effort = if matches.get_flag("full") { Effort::Full } else { Effort::Quick };
    let mut chosen: Vec<&'static dyn Entry> = Vec::new();
    for id in matches.get_many::<String>("game").into_iter().flatten() {
        chosen.push(session.find(id)?);
    }
    if chosen.is_empty() {
        chosen = session.games.to_vec();
    }
    let several = chosen.len() > 1;
    let mut code = YES;
    for game in chosen {
        match game.reproduce(effort, &session.run).map_err(of(game)) {
            Ok(mut outcome) => {
                if several {
                    outcome.blocks.insert(0, Block::Heading(game.about().name.clone()));
                }
                code = code.max(session.show(&outcome, out)?);
                // What is done is shown while the next is computed.
                out.flush()?;
            }
            Err(failure) if failure.code() == INTERRUPTED => return Err(failure),
            Err(failure) => {
                session.complain(&failure);
                code = ERROR;
            }
        }
    }
    Ok(code)
}
