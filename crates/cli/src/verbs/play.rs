//! `play`: a game at the terminal against the optimal player, with hints, undo and an honest record.

use super::table::Named;
use super::{Session, of};
use crate::fail::{Failure, YES, refuse};
use crate::lang::pick;
use crate::lines::{Lines, Next};
use crate::render::{self, Look};
use clap::ArgMatches;
use std::collections::VecDeque;
use std::io::{self, BufReader, IsTerminal, Write};
use std::sync::atomic::AtomicBool;
use yomikiri_core::{Error, Lang, Run, Text, text};
use yomikiri_games::Entry;
use yomikiri_games::play::{Move, Play};
use yomikiri_games::strength::{PERFECT, Strength};
use yomikiri_view::report::{Block, Cell, Table, Tone};

/// Plays a game.
pub fn play(
    session: &Session<'_>,
    game: &'static dyn Entry,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let accepts = |players: usize| match players {
        1 => text("1: this game has one player", "1（1人用のゲームです）"),
        _ => Text::same((1..=players).map(|n| n.to_string()).collect::<Vec<_>>().join(", ")),
    };
    let most = game.about().players;
    let seat = match matches.get_one::<String>("seat") {
        None => 0,
        Some(word) => (0..most)
            .find(|seat| (seat + 1).to_string() == *word)
            .ok_or_else(|| refuse("--seat", word.as_str(), accepts(usize::from(most))))?,
    };
    let tables = Named::open(session, game, matches)?;
    let (run, settings) = (tables.run(session), tables.settings(game, matches)?);
    let position = matches.get_one::<String>("position").map(String::as_str);
    let mut play = game.play(&settings, position, &run).map_err(of(game))?;
    let players = play.players();
    if usize::from(seat) >= players {
        return Err(refuse("--seat", (seat + 1).to_string().as_str(), accepts(players)).into());
    }
    play.sit(seat);
    let strength = strength(play.as_ref(), matches)?;
    let mut person = Person::at_stdin(session.run.cancel);
    let mut type_in = || person.line();
    let look = session.look;
    let table = AtTable { seat, strength, look: &look, run: &run, game };
    let ended = if session.globals.json {
        // The table goes where it can be seen while the record alone is data.
        let ended = table.play(play.as_mut(), &mut type_in, &mut io::stderr())?;
        // Whoever has interrupted the game still gets its record.
        let calm = Run { cancel: &AtomicBool::new(false), ..run };
        session.json(&play.record(&calm).map_err(of(game))?, out)?;
        ended
    } else {
        table.play(play.as_mut(), &mut type_in, out)?
    };
    match ended {
        Ended::Done => Ok(YES),
        Ended::Interrupted => Err(Failure::Interrupted),
    }
}

/// How well the machine is to play, if that is said.
fn strength(play: &dyn Play, matches: &ArgMatches) -> Result<Option<Strength>, Failure> {
    let Ok(Some(word)) = matches.try_get_one::<String>("strength") else { return Ok(None) };
    let strengths = play.strengths();
    let accepts = match strengths.is_empty() {
        true => text("nothing: the machine plays in one way only", "なし（機械の打ち方は1通りです）"),
        false => Text::same(strengths.iter().map(|known| known.id).collect::<Vec<_>>().join(", ")),
    };
    let known = strengths.into_iter().find(|known| known.id == word);
    Ok(Some(known.ok_or_else(|| refuse("--strength", word.as_str(), accepts))?))
}

/// What a person does when asked.
pub enum Typed {
    /// Types a line.
    Line(String),
    /// Has a script that types a line.
    Script(String),
    /// Has no more to say.
    End,
    /// Interrupts.
    Interrupted,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// To the end, or as the person wished.
    Done,
    /// By a signal.
    Interrupted,
}

/// The person at standard input.
pub(super) struct Person<'a> {
    lines: Lines,
    waiting: VecDeque<String>,
    cancel: &'a AtomicBool,
}

impl<'a> Person<'a> {
    pub fn at_stdin(cancel: &'a AtomicBool) -> Person<'a> {
        Person { lines: Lines::new(BufReader::new(io::stdin())), waiting: VecDeque::new(), cancel }
    }

    pub fn line(&mut self) -> io::Result<Typed> {
        loop {
            if let Some(line) = self.waiting.pop_front() {
                return Ok(if io::stdin().is_terminal() { Typed::Line(line) } else { Typed::Script(line) });
            }
            match self.lines.wait(self.cancel)? {
                Next::Lines(chunk) => {
                    // A line too long to keep is no move either.
                    let lines =
                        chunk.lines().map(|line| String::from_utf8_lossy(line.unwrap_or(b"?")).into_owned());
                    self.waiting.extend(lines);
                }
                Next::End => return Ok(Typed::End),
                Next::Interrupted => return Ok(Typed::Interrupted),
            }
        }
    }
}

/// Where a person sits, and with what means.
struct AtTable<'a> {
    seat: u8,
    /// How well the machine plays, if that was said.
    strength: Option<Strength>,
    look: &'a Look,
    run: &'a Run<'a>,
    game: &'static dyn Entry,
}

impl AtTable<'_> {
    /// Plays to the end, or until the person leaves; then shows the record.
    fn play(
        &self,
        play: &mut dyn Play,
        person: &mut dyn FnMut() -> io::Result<Typed>,
        out: &mut dyn Write,
    ) -> Result<Ended, Failure> {
        let ended = match at_table(play, self, person, out) {
            // Interrupted while it was working something out.
            Err(Failure::Game(_, Error::Cancelled)) => Ended::Interrupted,
            other => other?,
        };
        writeln!(out)?;
        if play.turn().is_none() {
            // How it stands at the end.
            let table = render::report(&[Block::Drawing(play.table())], self.look);
            out.write_all(table.as_bytes())?;
        }
        // Whoever has interrupted the game still gets its record.
        let calm = Run { cancel: &AtomicBool::new(false), ..*self.run };
        let record = closing(play, self.seat, &calm).map_err(of(self.game))?;
        out.write_all(render::report(&record, self.look).as_bytes())?;
        out.flush()?;
        Ok(ended)
    }
}

fn at_table(
    play: &mut dyn Play,
    table: &AtTable<'_>,
    person: &mut dyn FnMut() -> io::Result<Typed>,
    out: &mut dyn Write,
) -> Result<Ended, Failure> {
    let AtTable { seat, look, run, game, .. } = *table;
    let say = |en, ja| pick(look.lang, en, ja);
    let dim = |words: &str| look.paint(words, Tone::Dim);
    let players = play.players();
    let alone = players == 1;
    let rules = render::report(&[super::rules::told(play.rules())], look);
    writeln!(out, "{rules}")?;
    if players == 2 {
        // In some deals the other leads.
        let first = play.turn().map_or(seat == 0, |turn| turn == seat);
        let place = if first {
            say("you move first", "あなたは先手です")
        } else {
            say("you move second", "あなたは後手です")
        };
        writeln!(out, "{place}")?;
    } else if !alone {
        writeln!(out, "{} {}", say("you are in seat", "あなたの席："), seat + 1)?;
    }
    if let Some(strength) = &table.strength {
        let told = [&strength.name, &strength.note].map(|t| t.get(look.lang));
        writeln!(out, "{}{}{}{}", say("opponent: ", "相手："), told[0], say("; ", "。"), told[1])?;
    }
    writeln!(out, "{}", dim(say(COMMANDS_EN, COMMANDS_JA)))?;
    let mut ended = Ended::Done;
    let mut draw = true;
    while let Some(turn) = play.turn() {
        if turn != seat {
            let said =
                play.answer(table.strength.as_ref().map_or(PERFECT, |s| s.id), run).map_err(of(game))?;
            if said.is_empty() {
                break;
            }
            let who = match players {
                2 => say("opponent: ", "相手：").to_owned(),
                _ => format!("{} {}{}", say("seat", "席"), turn + 1, say(": ", "：")),
            };
            writeln!(out, "{}{}", dim(&who), said.get(look.lang))?;
            draw = true;
            continue;
        }
        if std::mem::take(&mut draw) {
            writeln!(out)?;
            let table = render::report(&[Block::Drawing(play.table())], look);
            out.write_all(table.as_bytes())?;
        }
        let turn = if alone { "" } else { say("your turn. ", "あなたの番です。 ") };
        write!(out, "{turn}{} > ", play.prompt().get(look.lang))?;
        out.flush()?;
        let line = match answer(person(), look.lang, out)? {
            Ok(line) => line,
            Err(how) => {
                ended = how;
                break;
            }
        };
        match line.trim() {
            "" => {}
            "quit" | "exit" | "q" => break,
            "help" | "?" => writeln!(out, "{}", say(HELP_EN, HELP_JA))?,
            "moves" => out.write_all(moves(play.moves(run).map_err(of(game))?, look).as_bytes())?,
            "hint" => out.write_all(hint(play.moves(run).map_err(of(game))?, look).as_bytes())?,
            "undo" => {
                if play.undo(seat) {
                    draw = true;
                } else {
                    writeln!(out, "{}", say("there is nothing to take back", "取り消せる手がありません"))?;
                }
            }
            typed => match play.input(typed) {
                Ok(said) => {
                    writeln!(out, "{}{}", dim(say("you: ", "あなた：")), said.get(look.lang))?;
                    draw = true;
                    // Judged move by move, so that the record is there at once.
                    play.mistakes(seat, run).map_err(of(game))?;
                }
                Err(refusal) => {
                    let said = crate::fail::printable(&refusal.say(look.lang));
                    writeln!(out, "{}", look.paint(&said, Tone::Warn))?;
                }
            },
        }
    }
    Ok(ended)
}

/// The line that a person has typed, or how it ended instead; what a script has typed is written, because nobody has seen it.
pub(super) fn answer(
    typed: io::Result<Typed>,
    lang: Lang,
    out: &mut dyn Write,
) -> Result<Result<String, Ended>, Failure> {
    let failed = |e| Failure::Read(pick(lang, "standard input", "標準入力").to_owned(), e);
    let ended = match typed.map_err(failed)? {
        Typed::Line(line) => return Ok(Ok(line)),
        Typed::Script(line) => {
            writeln!(out, "{}", crate::fail::printable(&line))?;
            return Ok(Ok(line));
        }
        Typed::End => Ended::Done,
        Typed::Interrupted => Ended::Interrupted,
    };
    writeln!(out)?;
    Ok(Err(ended))
}

const COMMANDS_EN: &str = "commands: hint, moves, undo, help, quit; anything else is a move";
const COMMANDS_JA: &str = "コマンド：hint、moves、undo、help、quit。それ以外は手として読みます";
const HELP_EN: &str = "\
hint   your moves with their values, best first
moves  your moves without their values
undo   take back your last move and what followed
help   this list
quit   stop and show the record
Anything else is a move.";
const HELP_JA: &str = "\
hint   手とその値を良い順に表示
moves  手を値なしで表示
undo   自分の直前の手と、その後を取り消す
help   この一覧
quit   やめて記録を表示
それ以外は手として読みます。";

/// Moves without their values.
pub(super) fn moves(mut moves: Vec<Move>, look: &Look) -> String {
    // In the game's order, so that nothing is told.
    moves.sort_by_key(|m| m.order);
    let mut table = Table::new(text("", ""), &[text("type", "入力"), text("move", "手")]);
    for m in moves {
        table.row([m.input.into(), m.label.into()]);
    }
    render::report(&[Block::Table(table)], look)
}

/// Moves with their values.
pub(super) fn hint(mut moves: Vec<Move>, look: &Look) -> String {
    // Stable, so that equals stay in the game's order.
    moves.sort_by(|a, b| b.value.value.partial_cmp(&a.value.value).unwrap_or(std::cmp::Ordering::Equal));
    let heads = [text("", ""), text("type", "入力"), text("value>", "値>"), text("move", "手")];
    let mut table = Table::new(text("", ""), &heads);
    for m in moves {
        let (mark, tone) =
            if m.best { (text("best", "最善"), Tone::Strong) } else { (text("", ""), Tone::Plain) };
        let label = match m.note.is_empty() {
            true => m.label,
            false => {
                Text::of(format!("{}: {}", m.label.en, m.note.en), format!("{}：{}", m.label.ja, m.note.ja))
            }
        };
        let cells = [Cell::from(mark), m.input.into(), m.value.text.into(), label.into()];
        table.row(cells.map(|cell| cell.tone(tone)));
    }
    render::report(&[Block::Table(table)], look)
}

/// The result, and what it would have taken.
fn closing(play: &dyn Play, seat: u8, run: &Run<'_>) -> Result<Vec<Block>, Error> {
    let result = play.result().unwrap_or(text("stopped before the end", "途中で終了"));
    let mut facts = vec![(text("result", "結果"), Cell::from(result).tone(Tone::Strong))];
    if let Some(score) = play.score(seat) {
        facts.push((text("your score", "あなたの得点"), number(score).into()));
    }
    let mistakes = play.mistakes(seat, run)?;
    let lost: f64 = mistakes.iter().map(|m| m.lost).sum();
    if mistakes.is_empty() {
        let none = Cell::from(play.flawless()).tone(Tone::Good);
        facts.push((text("mistakes", "ミス"), none));
        return Ok(vec![Block::Facts(facts)]);
    }
    facts.push((text("mistakes", "ミス"), mistakes.len().to_string().into()));
    facts.push((text("value lost", "失った値の合計"), Cell::from(number(lost)).tone(Tone::Warn)));
    let heads = [
        text("decision>", "手番>"),
        text("lost>", "損>"),
        text("played", "指した手"),
        text("best", "最善手"),
    ];
    let mut table = Table::new(text("Mistakes", "ミスの記録"), &heads);
    for m in mistakes {
        table.row([m.decision.to_string().into(), number(m.lost).into(), m.played.into(), m.best.into()]);
    }
    Ok(vec![Block::Facts(facts), Block::Table(table)])
}

/// A number with up to six decimals, none of them idle zeros.
pub(super) fn number(n: f64) -> String {
    let text = format!("{n:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FAKE, Nim};
    use crate::render::tests::plain;

    /// What is said at the table when these lines are typed.
    fn played(stones: u32, seat: u8, typed: &str, lang: Lang) -> String {
        let mut play = Nim::new(stones);
        let mut lines = typed.lines();
        let mut person = || Ok(lines.next().map_or(Typed::End, |line| Typed::Script(line.to_owned())));
        let mut out = Vec::new();
        let table = AtTable { seat, strength: None, look: &plain(lang), run: &Run::default(), game: &FAKE };
        assert_eq!(table.play(&mut play, &mut person, &mut out).unwrap(), Ended::Done);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn law_a_game_begins_with_its_rules() {
        for (lang, rules, place) in
            [(Lang::En, "Moves  take stones", "you move first"), (Lang::Ja, "石を取る", "あなたは先手です")]
        {
            let said = played(5, 0, "quit\n", lang);
            let first = said.lines().next().unwrap_or_default();
            assert!(first.contains(rules) && said.find(rules) < said.find(place), "{said}");
        }
    }

    #[test]
    fn law_a_flawless_game_says_so() {
        let said = played(5, 0, "2\n2\n", Lang::En);
        assert!(said.contains("stones: 5") && said.contains("opponent: took"), "{said}");
        assert!(said.contains("result      seat 1 took the last stone\n"), "{said}");
        assert!(said.contains("none: every move was best"), "{said}");
    }

    #[test]
    fn law_mistakes_are_recorded_and_undo_takes_them_back() {
        let said = played(5, 0, "1\nquit\n", Lang::En);
        assert!(said.contains("stopped before the end"), "{said}");
        assert!(said.contains("value lost  2\n") && said.contains("take 1"), "{said}");
        let said = played(5, 0, "1\nundo\n2\n2\n", Lang::En);
        assert!(said.contains("every move was best"), "{said}");
        let said = played(5, 0, "undo\n", Lang::Ja);
        assert!(said.contains("取り消せる手がありません"), "{said}");
    }

    #[test]
    fn law_hints_come_best_first() {
        let said = played(5, 0, "hint\nmoves\nhelp\n\n9\n\u{1b}[2J\n", Lang::En);
        let hints = said.find("best  2").unwrap();
        assert!(hints < said.find("      1").unwrap(), "{said}");
        assert!(said.contains("move: got \"9\"; accepted: 1, 2"), "{said}");
        assert!(!said.contains('\u{1b}'), "typed escapes are not obeyed");
    }

    #[test]
    fn law_the_second_seat_waits() {
        let said = played(3, 1, "1\n", Lang::Ja);
        assert!(said.contains("あなたは後手です"), "{said}");
        assert!(said.find("相手：").unwrap() < said.find("あなたの番です").unwrap(), "{said}");
    }

    #[test]
    fn law_an_interruption_still_shows_the_record() {
        let mut out = Vec::new();
        let table =
            AtTable { seat: 0, strength: None, look: &plain(Lang::En), run: &Run::default(), game: &FAKE };
        let ended = table.play(&mut Nim::new(5), &mut || Ok(Typed::Interrupted), &mut out).unwrap();
        assert_eq!(ended, Ended::Interrupted);
        assert!(String::from_utf8(out).unwrap().contains("stopped before the end"));
    }

    #[test]
    fn law_numbers_have_no_idle_zeros() {
        assert_eq!([number(0.5), number(2.0), number(0.0), number(100.0)], ["0.5", "2", "0", "100"]);
    }
}
