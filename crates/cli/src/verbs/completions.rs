//! `completions`: scripts for shells, from the same description as everything else.

use super::Session;
use crate::args::{NAME, command};
use crate::fail::{Failure, YES, refuse};
use clap::{ArgMatches, ValueEnum};
use clap_complete::Shell;
use std::io::Write;
use yomikiri_core::Text;

/// Writes the script of a shell.
pub fn completions(session: &Session<'_>, matches: &ArgMatches, out: &mut dyn Write) -> Result<u8, Failure> {
    let given = matches.get_one::<String>("shell").map_or("", String::as_str);
    let Ok(shell) = Shell::from_str(given, false) else {
        let known: Vec<String> = Shell::value_variants().iter().map(Shell::to_string).collect();
        return Err(refuse("SHELL", given, Text::same(known.join(", "))).into());
    };
    // The generator panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(
        shell,
        &mut command(session.games, session.papers, session.look.lang),
        NAME,
        &mut script,
    );
    out.write_all(&script)?;
    Ok(YES)
}
