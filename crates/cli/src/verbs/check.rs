//! `check`: whether a certificate proves what it claims, by a checker that shares nothing with the solvers.

use super::{Session, claim, of};
use crate::fail::{Failure, printable};
use clap::ArgMatches;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use yomikiri_api::Unchecked;
use yomikiri_check::Limits;
use yomikiri_core::{Run, Text, text};
use yomikiri_view::report::{Block, Cell};

/// Memory of a check where nobody says how much: some sixty times what the program takes to check the upper bound of
/// `certify geister --first two`, 1.9 MB of text (17 MB resident, measured).
const MEMORY: u64 = 1 << 30;

/// Checks a file, and whether what it proves implies a claim.
pub fn check(session: &Session<'_>, matches: &ArgMatches, out: &mut dyn Write) -> Result<u8, Failure> {
    let claim = claim::read(session, matches)?;
    let standard = || session.pick("standard input", "標準入力").to_owned();
    let path = matches.get_one::<PathBuf>("file").filter(|path| path.as_path() != Path::new("-"));
    let (name, input): (String, Box<dyn Read + Send>) = match path {
        None => (standard(), Box::new(io::stdin())),
        Some(path) => {
            let name = path.display().to_string();
            let file = File::open(path).map_err(|e| Failure::Read(name.clone(), e))?;
            (name, Box::new(file))
        }
    };
    let Run { memory, threads, .. } = session.run;
    let memory = if session.globals.memory_given { memory } else { memory.min(MEMORY) };
    let limits = Limits { memory, threads, ..Limits::default() };
    let mut outcome = match yomikiri_api::check(session.games, input, &limits, &claim, &session.run) {
        Ok(outcome) => outcome,
        Err(Unchecked::Stopped) => return Err(Failure::Interrupted),
        Err(Unchecked::Memory(why)) => {
            let said = Text::of(
                format!("{}; --memory sets the limit", why.en),
                format!("{}（上限は --memory で変えられます）", why.ja),
            );
            return Err(Failure::Unreadable(name, said));
        }
        Err(Unchecked::Unreadable(why)) => return Err(Failure::Unreadable(name, why)),
        Err(Unchecked::Failed(game, error)) => return Err(of(game)(error)),
    };
    if let Some(Block::Facts(facts)) = outcome.blocks.first_mut() {
        facts.insert(0, (text("file", "ファイル"), Cell::from(printable(&name))));
    }
    if let Some(fields) = outcome.json.as_object_mut() {
        fields.insert("file".into(), name.into());
    }
    session.show(&outcome, out)
}
