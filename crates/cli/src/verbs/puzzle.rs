//! `puzzle`: the only best move is to be found; the solver knows it.

use super::play::{Ended, Person, answer, hint, moves, number};
use super::{Session, of};
use crate::args;
use crate::fail::{Failure, NO, YES, refuse};
use crate::render;
use clap::ArgMatches;
use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};
use yomikiri_core::cache::Lru;
use yomikiri_core::{Run, Text, text};
use yomikiri_games::Entry;
use yomikiri_games::params::Settings;
use yomikiri_games::puzzle::{self, Puzzle};
use yomikiri_view::report::{Block, Cell, Tone};

/// Seconds of a day.
const DAY: u64 = 86_400;

/// Sets a puzzle, and judges the answer.
pub fn puzzle(
    session: &Session<'_>,
    game: &'static dyn Entry,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let which = which(matches)?;
    let typed = |name: &str| matches.get_one::<String>(name).is_some();
    let settings = if game.params().iter().any(|param| typed(param.name)) {
        args::settings(game.about().id, game.params(), matches)?
    } else {
        puzzle::settings(game).map_err(|refusal| of(game)(refusal.into()))?
    };
    // Many games are played in search of one: what is solved for the first serves the others.
    let cache = Lru::new(session.run.memory / 4);
    let run = Run { cache: &cache, ..session.run };
    let found = puzzle::puzzle(game, &settings, which, &run).map_err(of(game))?;
    if session.globals.json {
        session.json(&found.json(game, &settings, which), out)?;
        return Ok(YES);
    }
    ask(session, game, &settings, which, &found, out)
}

/// The number of the puzzle that is asked for; that of today if nothing is.
fn which(matches: &ArgMatches) -> Result<u64, Failure> {
    if let Some(given) = matches.get_one::<String>("number") {
        let accepts = || text("a whole number from 0 to 4294967295", "0～4294967295の整数");
        let read = given.parse::<u32>().map(u64::from);
        return read.map_err(|_| refuse("--number", given.as_str(), accepts()).into());
    }
    match matches.get_one::<String>("date") {
        Some(date) => {
            puzzle::of_day(date).map_err(|refusal| refuse("--date", date.as_str(), refusal.accepts).into())
        }
        None => Ok(today()),
    }
}

/// The number of the day.
#[expect(clippy::disallowed_methods, reason = "the day, and no duration")]
fn today() -> u64 {
    // A clock before 1970 is wrong, and has a puzzle all the same.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / DAY)
}

/// Shows it, hears the answer, and says what every move is worth.
fn ask(
    session: &Session<'_>,
    game: &'static dyn Entry,
    settings: &Settings,
    which: u64,
    found: &Puzzle,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let look = &session.look;
    let mut play = found.begin(game, settings, &session.run).map_err(of(game))?;
    let name = &game.about().name;
    let level = found.level().word();
    let head = Text::of(
        format!("{}, puzzle {which} ({})", name.en, level.en),
        format!("{}　問題{which}（{}）", name.ja, level.ja),
    );
    let blocks = [Block::Heading(head), Block::Drawing(play.table()), Block::Paragraph(found.task())];
    out.write_all(render::report(&blocks, look).as_bytes())?;
    out.write_all(moves(found.choices.clone(), look).as_bytes())?;
    let mut person = Person::at_stdin(session.run.cancel);
    loop {
        write!(out, "{} > ", play.prompt().get(look.lang))?;
        out.flush()?;
        let line = match answer(person.line(), look.lang, out)? {
            Ok(line) => line,
            Err(Ended::Done) => return Ok(YES),
            Err(Ended::Interrupted) => return Err(Failure::Interrupted),
        };
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if let Err(refusal) = play.input(line) {
            let said = crate::fail::printable(&refusal.say(look.lang));
            writeln!(out, "{}", look.paint(&said, Tone::Warn))?;
            continue;
        }
        // The move is judged as in any game.
        let seat = found.seat.unwrap_or(0);
        let at = found.moves.len();
        let mistakes = play.mistakes(seat, &session.run).map_err(of(game))?;
        let mistake = mistakes.into_iter().find(|mistake| mistake.at == at);
        let verdict = match &mistake {
            None => Cell::from(text("right", "正解")).tone(Tone::Good),
            Some(mistake) => Cell::from(Text::of(
                format!("no: that gives away {}", number(mistake.lost)),
                format!("残念：{} の損です", number(mistake.lost)),
            ))
            .tone(Tone::Bad),
        };
        let mut facts = vec![(text("your answer", "解答"), verdict)];
        if let Some(best) = found.choices.first() {
            facts.push((text("best", "最善手"), Cell::from(best.label.clone()).tone(Tone::Strong)));
        }
        facts.push((text("the next best gives away", "次善手の損"), number(found.price).into()));
        out.write_all(render::report(&[Block::Facts(facts)], look).as_bytes())?;
        out.write_all(hint(found.choices.clone(), look).as_bytes())?;
        return Ok(if mistake.is_none() { YES } else { NO });
    }
}
