//! `merge`: what several machines have made with `--shard`, as if one had made it.

use super::{Session, of, reproduce};
use crate::fail::{Failure, refuse};
use crate::rows::describe;
use crate::rows::merge::{Merged, Shards};
use clap::ArgMatches;
use std::io::Write;
use std::path::PathBuf;
use yomikiri_core::run::Estimate;
use yomikiri_core::text::counted;
use yomikiri_core::{Error, Observer, Refusal, Run, Text, text};
use yomikiri_games::params::Settings;
use yomikiri_view::report::grouped;

/// Puts shards together.
pub fn merge(session: &Session<'_>, matches: &ArgMatches, out: &mut dyn Write) -> Result<u8, Failure> {
    let files: Vec<PathBuf> = matches.get_many("file").into_iter().flatten().cloned().collect();
    let shards = Shards::open(&files, &session.run)?;
    let seed = shards.said("seed").and_then(|seed| seed.parse().ok()).unwrap_or(0);
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
    if shards.said("reproduce").is_some() {
        return reproduce::merge(session, matches, &shards, out);
    }
    study(session, matches, &shards, out)
}

fn study(
    session: &Session<'_>,
    matches: &ArgMatches,
    shards: &Shards,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    if matches.get_one::<PathBuf>("html").is_some() {
        let accepts = text(
            "shards of a reproduction; --out writes the rows of a study",
            "再現のシャード。実験の行は --out で書きます",
        );
        return Err(Refusal::of("--html", text("shards of a study", "実験のシャード"), accepts).into());
    }
    let other = || shards.foreign("");
    let (id, name) = shards.said("study").and_then(|named| named.split_once(' ')).ok_or_else(other)?;
    let game = session.find(id).map_err(|_| other())?;
    let study = session.papers.studies(id).iter().find(|study| study.name == name && !study.rows.is_empty());
    let study = study.ok_or_else(other)?;
    let given = study.params.iter().filter_map(|param| {
        let value = unescaped(shards.said(param.name)?)?;
        // Nothing was given where nothing is the default.
        (!(value.is_empty() && param.default.is_empty())).then_some((param.name, value))
    });
    let given: Vec<(&str, String)> = given.collect();
    let given = given.iter().map(|(name, value)| (*name, value.as_str()));
    let settings = Settings::new(study.params, given).map_err(|_| other())?;
    let ours = describe(game, study, &settings, session.run.seed);
    if ours != shards.what() {
        return Err(shards.foreign(&ours).into());
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
        let (all, of) = (counted(n, "row", "rows"), counted(shards as u64, "shard", "shards"));
        session.run.observer.note(&Text::of(
            format!("{all} of {of} written to {file}"),
            format!("{shards} 個のシャードの {} 行を {file} に書きました", grouped(n)),
        ));
    }
    session.show(&outcome, out)
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
    use crate::args::{Globals, command};
    use crate::fake::{ONLY, PAPERS};
    use crate::render::tests::plain;
    use crate::rows::shard::ShardFile;
    use yomikiri_core::Lang;

    #[test]
    fn law_shards_of_another_program_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.shard");
        let ours = format!("version={}\n", env!("CARGO_PKG_VERSION"));
        let rest = "study=fake draws\nkind=plain\nsize=5\nseed=1\ncolumns=item Int, drawn Text\n";
        for (what, said) in [
            (format!("version=0.0.9\n{rest}"), "version=0.0.9"),
            (format!("{ours}{}", rest.replace("drawn Text", "drawn Int")), "drawn Int"),
            (format!("{ours}{}", rest.replace("fake draws", "fake dreams")), "not known here"),
            (format!("{ours}{}", rest.replace("fake draws", "ghost draws")), "not known here"),
            (format!("{ours}{}", rest.replace("size=5", "size=five")), "not known here"),
            (format!("{ours}reproduce=full\nparts=fake one\nseed=1\n"), "another program"),
            // Right but for its rows.
            (format!("{ours}{rest}"), "500 rows"),
        ] {
            let _ = std::fs::remove_file(&path);
            let mut file = ShardFile::open(&path, &format!("{what}shard=0/1\n"), false, false).unwrap();
            file.finish().unwrap();
            let line = ["yomikiri", "merge", path.to_str().unwrap()];
            let matches = command(ONLY, PAPERS, Lang::En).try_get_matches_from(line).unwrap();
            let globals = Globals::read(&matches).unwrap();
            let look = plain(Lang::En);
            let run = Run::default();
            let session = Session { games: ONLY, papers: PAPERS, globals: &globals, look, run, files: None };
            let (_, matches) = matches.subcommand().unwrap();
            let refused = merge(&session, matches, &mut Vec::new()).unwrap_err();
            let words = refused.say(Lang::En).unwrap();
            assert!(words.contains(said), "{what}: {words}");
        }
    }

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
