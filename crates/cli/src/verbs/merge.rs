//! `merge`: what several machines have made with `--shard`, as if one had made it.

use super::{Session, of, reproduce};
use crate::fail::{Failure, refuse};
use crate::rows::describe;
use crate::rows::merge::{Merged, Shards};
use clap::ArgMatches;
use std::io::Write;
use std::path::PathBuf;
use yomikiri_core::run::Estimate;
use yomikiri_core::{Error, Observer, Refusal, Run, Text, text};
use yomikiri_games::params::Settings;
use yomikiri_view::report::grouped;

/// Puts shards together.
pub fn merge(session: &Session<'_>, matches: &ArgMatches, out: &mut dyn Write) -> Result<u8, Failure> {
    let files: Vec<PathBuf> = matches.get_many("file").into_iter().flatten().cloned().collect();
    let shards = Shards::open(&files, &session.run)?;
    let described = Described::read(shards.what());
    let seed = described.get("seed").and_then(|seed| seed.parse().ok()).unwrap_or(0);
    if let Some(given) = matches.get_one::<String>("seed")
        && session.globals.seed != seed
    {
        let accepts = Text::of(
            format!("{seed}, the seed of the shards, or nothing"),
            format!("シャードの乱数の種 {seed}、または指定なし"),
        );
        return Err(refuse("--seed", given, accepts).into());
    }
    let session = &Session { run: Run { seed, ..session.run }, ..*session };
    if described.get("reproduce").is_some() {
        return reproduce::merge(session, matches, &shards, &described, out);
    }
    study(session, matches, &shards, &described, out)
}

fn study(
    session: &Session<'_>,
    matches: &ArgMatches,
    shards: &Shards,
    described: &Described,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    if matches.get_one::<PathBuf>("html").is_some() {
        let accepts = text(
            "shards of a reproduction; --out writes the rows of a study",
            "再現のシャード。実験の行は --out で書きます",
        );
        return Err(Refusal::of("--html", text("shards of a study", "実験のシャード"), accepts).into());
    }
    let other = || described.of_another_program(shards.what(), "");
    let (id, name) = described.get("study").and_then(|named| named.split_once(' ')).ok_or_else(other)?;
    let game = session.find(id).map_err(|_| other())?;
    let study = session.papers.studies(id).iter().find(|study| study.name == name && !study.rows.is_empty());
    let study = study.ok_or_else(other)?;
    let given = study.params.iter().filter_map(|param| {
        let value = unescaped(described.get(param.name)?)?;
        // Nothing was given where nothing is the default.
        (!(value.is_empty() && param.default.is_empty())).then_some((param.name, value))
    });
    let given: Vec<(&str, String)> = given.collect();
    let given = given.iter().map(|(name, value)| (*name, value.as_str()));
    let settings = Settings::new(study.params, given).map_err(|_| other())?;
    let ours = describe(game, study, &settings, session.run.seed);
    if ours != shards.what() {
        return Err(described.of_another_program(shards.what(), &ours).into());
    }
    let file = matches.get_one::<PathBuf>("out").cloned();
    let merged = Merged::new(shards, study.rows, file, matches.get_flag("force"))?;
    let quiet = Unresumed(session.run.observer);
    let run = Run { rows: &merged, observer: &quiet, ..session.run };
    let outcome = (study.run)(&settings, &run).map_err(|error| match error {
        Error::Cancelled => Failure::Interrupted,
        error => of(game)(error),
    })?;
    let shards = shards.count();
    if let Some((n, file)) = merged.finish().map_err(of(game))? {
        let n = grouped(n);
        session.run.observer.note(&Text::of(
            format!("{n} rows of {shards} shards written to {file}"),
            format!("{shards} 個のシャードの {n} 行を {file} に書きました"),
        ));
    }
    session.show(&outcome, out)
}

/// What a description says, one thing a line.
pub struct Described(Vec<(String, String)>);

impl Described {
    fn read(what: &str) -> Described {
        let lines = what.lines().filter_map(|line| line.split_once('='));
        Described(lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    /// The value of something.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Refuses shards that this program would not have made.
    pub fn of_another_program(&self, theirs: &str, ours: &str) -> Refusal {
        let version = self.get("version").unwrap_or("?");
        let (there, here) = (crate::rows::lacking(theirs, ours), crate::rows::lacking(ours, theirs));
        let got = match ours.is_empty() {
            true => Text::of(
                format!("shards of version {version}, of a study that is not known here"),
                format!("版 {version} の、ここにはない実験のシャード"),
            ),
            false => Text::of(
                format!("shards of another program ({there}; here: {here})"),
                format!("別のプログラムのシャード（{there}、ここでは：{here}）"),
            ),
        };
        let version = env!("CARGO_PKG_VERSION");
        Refusal::of(
            "FILE",
            crate::fail::printable_text(&got),
            Text::of(format!("shards of version {version}"), format!("版 {version} のシャード")),
        )
    }
}

/// The text that `escape_debug` has made something of; none if it has not.
fn unescaped(escaped: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = escaped.chars();
    while let Some(c) = rest.next() {
        out.push(match c {
            '\\' => match rest.next()? {
                't' => '\t',
                'r' => '\r',
                'n' => '\n',
                '0' => '\0',
                c @ ('\\' | '\'' | '"') => c,
                'u' => {
                    let (digits, after) = rest.as_str().strip_prefix('{')?.split_once('}')?;
                    rest = after.chars();
                    char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
                }
                _ => return None,
            },
            c => c,
        });
    }
    Some(out)
}

/// Tells nobody that a run was resumed: all its rows come from elsewhere.
struct Unresumed<'a>(&'a dyn Observer);

impl Observer for Unresumed<'_> {
    fn begin(&self, what: &Text, steps: u64) {
        self.0.begin(what, steps);
    }
    fn done(&self, steps: u64) {
        self.0.done(steps);
    }
    fn end(&self) {
        self.0.end();
    }
    fn note(&self, _: &Text) {}
    fn live(&self, estimates: &[Estimate]) {
        self.0.live(estimates);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_what_was_escaped_comes_back() {
        for text in ["", "plain", "a\nb\tc\r", "\"'\\", "四\u{301}\u{0}\u{7f}\u{200b}", "x=y/z"] {
            assert_eq!(unescaped(&text.escape_debug().to_string()).as_deref(), Some(text));
        }
        for text in ["\\", "\\x", "\\u", "\\u{", "\\u{110000}", "\\u{zz}"] {
            assert_eq!(unescaped(text), None, "{text}");
        }
    }
}
