//! The verbs, each over any game. They write data to the writer they are given and never print.

mod cache;
mod certify;
mod check;
mod claim;
mod completions;
mod eval;
mod games;
mod lanes;
mod man;
mod merge;
mod play;
mod puzzle;
mod reproduce;
mod rules;
mod serve;
mod show;
mod solve;
mod study;
mod table;

use crate::args::{Games, Globals};
use crate::fail::{Failure, NO, YES, refuse};
use crate::render::{self, Look};
use crate::store::Files;
use clap::ArgMatches;
use serde_json::Value;
use std::io::{self, IsTerminal, Write};
use yomikiri_core::{Error, Run, Text};
use yomikiri_games::Entry;
use yomikiri_papers::Papers;
use yomikiri_view::report::Outcome;

/// What every verb has at hand.
pub struct Session<'a> {
    /// The games there are.
    pub games: &'static Games,
    /// The papers on them.
    pub papers: Papers,
    /// The flags that every verb takes.
    pub globals: &'a Globals,
    /// How to draw.
    pub look: Look,
    /// The means of the run.
    pub run: Run<'a>,
    /// The cache directory, if there can be one, whether it is used in this run or not.
    pub files: Option<&'a Files>,
}

/// Does what the command line asks for; the exit code.
pub fn dispatch(session: &Session<'_>, matches: &ArgMatches, out: &mut dyn Write) -> Result<u8, Failure> {
    let Some((verb, matches)) = matches.subcommand() else { return Ok(YES) };
    match verb {
        "games" => games::games(session, out),
        "reproduce" => reproduce::reproduce(session, matches, out),
        "serve" => serve::serve(session, matches, out),
        "check" => check::check(session, matches, out),
        "merge" => merge::merge(session, matches, out),
        "table" => table::table(session, matches, out),
        "cache" => cache::cache(session, matches, out),
        "completions" => completions::completions(session, matches, out),
        "man" => man::man(session, matches, out),
        _ => {
            let (id, matches) = matches.subcommand().unwrap_or(("", matches));
            let game = session.find(id)?;
            let method = matches.try_get_one::<String>("method").ok().flatten().map(String::as_str);
            let session = &Session { run: Run { method, ..session.run }, ..*session };
            match verb {
                "rules" => rules::rules(session, game, out),
                "solve" => solve::solve(session, game, matches, out),
                "show" => show::show(session, game, matches, out),
                "eval" => eval::eval(session, game, matches, out),
                "play" => play::play(session, game, matches, out),
                "puzzle" => puzzle::puzzle(session, game, matches, out),
                "certify" => certify::certify(session, game, matches, out),
                _ => study::study(session, game, matches, out),
            }
        }
    }
}

impl Session<'_> {
    /// The game called by a word.
    pub fn find(&self, id: &str) -> Result<&'static dyn Entry, Failure> {
        let found = self.games.iter().copied().find(|game| game.about().id == id);
        found.ok_or_else(|| {
            let ids: Vec<&str> = self.games.iter().map(|game| game.about().id).collect();
            refuse(self.pick("game", "ゲーム"), id, Text::same(ids.join(", "))).into()
        })
    }

    /// One of two fixed wordings.
    pub fn pick(&self, en: &'static str, ja: &'static str) -> &'static str {
        crate::lang::pick(self.look.lang, en, ja)
    }

    /// Shows what came out, for people or for programs; the exit code.
    pub fn show(&self, outcome: &Outcome, out: &mut dyn Write) -> Result<u8, Failure> {
        if self.globals.json {
            self.json(&outcome.json, out)?;
        } else {
            out.write_all(render::report(&outcome.blocks, &self.look).as_bytes())?;
        }
        Ok(if outcome.good { YES } else { NO })
    }

    /// Tells the user why one thing of several failed.
    pub fn complain(&self, failure: &Failure) {
        crate::complain(failure, self.look.lang, self.globals.color);
    }

    /// JSON on one line; on several where a person looks at it.
    pub fn json(&self, value: &Value, out: &mut dyn Write) -> io::Result<()> {
        if io::stdout().is_terminal() { writeln!(out, "{value:#}") } else { writeln!(out, "{value}") }
    }
}

/// Says which game an error is about.
fn of(game: &dyn Entry) -> impl Fn(Error) -> Failure + use<> {
    let id = game.about().id;
    move |error| Failure::Game(id, error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::command;
    use crate::fake::{ONLY, PAPERS};
    use crate::render::tests::plain;
    use std::sync::atomic::AtomicBool;
    use yomikiri_core::Lang;

    /// What a command line over the fake game prints, and its exit code.
    fn done(line: &str, cancel: bool) -> (String, u8) {
        over(PAPERS, line, cancel)
    }

    /// The same with some papers.
    fn over(papers: Papers, line: &str, cancel: bool) -> (String, u8) {
        let games: &'static Games = ONLY;
        let matches = command(games, papers, Lang::En).try_get_matches_from(line.split(' ')).unwrap();
        let globals = Globals::read(&matches).unwrap();
        let cancel = AtomicBool::new(cancel);
        let run = Run { cancel: &cancel, ..Run::default() };
        let session = Session { games, papers, globals: &globals, look: plain(Lang::En), run, files: None };
        let mut out = Vec::new();
        let code = dispatch(&session, &matches, &mut out).unwrap_or_else(|failure| failure.code());
        (String::from_utf8(out).unwrap(), code)
    }

    #[test]
    fn law_a_game_needs_no_paper() {
        for (line, said, code) in [
            ("yomikiri solve fake", "5\n", 0),
            ("yomikiri study fake", "This game has no studies.\n", 0),
            ("yomikiri study fake --json", "[]\n", 0),
            ("yomikiri reproduce", "", 0),
            ("yomikiri reproduce fake", "", 2),
            ("yomikiri games --json", "[{\"example\":\"5\"", 0),
            ("yomikiri games", "id    name  summary  paper\n", 0),
            ("yomikiri completions bash", "_yomikiri()", 0),
        ] {
            let (text, got) = over(Papers(&[]), line, false);
            assert!(text.starts_with(said) && got == code, "{line}: {got} {text}");
        }
        assert!(over(Papers(&[]), "yomikiri games --json", false).0.contains("\"paper\":null"));
    }

    #[test]
    fn law_every_verb_works_for_any_game() {
        for (line, said, code) in [
            ("yomikiri solve fake", "5\n", 0),
            ("yomikiri solve fake --size 4", "4\n", 1),
            ("yomikiri solve fake --size 4 --json", "{\"size\":4}\n", 1),
            ("yomikiri solve fake --size 10", "", 2),
            ("yomikiri show fake --size 3", "3\n", 0),
            ("yomikiri show fake 3", "", 2),
            ("yomikiri study fake count --size 4", "4\n", 1),
            ("yomikiri study fake --json", "[{\"name\":\"count\",", 0),
            ("yomikiri reproduce", "Fake: none\n\nfirst\nyomikiri reproduce fake --only one  (0.00 s)\n", 0),
            (
                "yomikiri reproduce fake --quick --json",
                "{\"compared\":0,\"consistent\":0,\"differing\":0,\"effort\":\"quick\",\"erratum\":0,\"game\":\"fake\"",
                0,
            ),
            ("yomikiri reproduce fake --full", "Fake: none\n\nfirst\n", 1),
            (
                "yomikiri reproduce fake --only two --full",
                "Fake: none\n\nyomikiri reproduce fake --only two --full",
                1,
            ),
            ("yomikiri reproduce --only one --full", "Fake: none\n\nfirst\n", 0),
            ("yomikiri reproduce fake --only one,three", "", 2),
            ("yomikiri reproduce fake --only one --only three", "", 2),
            ("yomikiri games", "id    name  summary  paper\n", 0),
            ("yomikiri cache", "", 2),
        ] {
            let (text, got) = done(line, false);
            assert!(text.starts_with(said) && got == code, "{line}: {got} {text}");
        }
        assert_eq!(done("yomikiri solve fake", true), (String::new(), crate::fail::INTERRUPTED));
    }
}
