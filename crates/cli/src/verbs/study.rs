//! `study`: the named experiments of a game.

use super::{Session, of};
use crate::args::settings;
use crate::fail::{Failure, printable};
use crate::rows::shard::{Shard, ShardFile, Sharded, span};
use crate::rows::{Rows, Wishes, describe};
use clap::ArgMatches;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use yomikiri_core::text::counted;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::Entry;
use yomikiri_games::params::Settings;
use yomikiri_papers::Study;
use yomikiri_view::report::{Block, Cell, Outcome, Table, Tone, grouped};

/// Runs a study, or lists them if none is named.
pub fn study(
    session: &Session<'_>,
    game: &'static dyn Entry,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let studies = session.papers.studies(game.about().id);
    let named = matches.subcommand();
    let found = named.and_then(|(name, m)| Some((studies.iter().find(|s| s.name == name)?, m)));
    let Some((study, matches)) = found else { return session.show(&list(studies), out) };
    let settings = settings(game.about().id, study.params, matches)?;
    if study.rows.is_empty() {
        let outcome = (study.run)(&settings, &session.run).map_err(of(game))?;
        return session.show(&outcome, out);
    }
    let wishes = Wishes {
        out: matches.get_one::<PathBuf>("out").cloned(),
        fresh: matches.get_flag("fresh"),
        force: matches.get_flag("force"),
    };
    if let Some(given) = matches.get_one::<String>("shard") {
        let shard = Shard::read(given)?;
        return share(session, game, study, &settings, shard, wishes, out);
    }
    let cache = session.files.filter(|_| session.globals.cache);
    let rows = Rows::new(cache, &session.run, game, study, &settings, wishes).map_err(of(game))?;
    let run = Run { rows: &rows, ..session.run };
    let ran = (study.run)(&settings, &run);
    if let (Err(Error::Cancelled), Some(kept)) = (&ran, rows.kept()) {
        run.observer.note(&kept);
    }
    let outcome = ran.map_err(of(game))?;
    if let Some((n, file)) = rows.finish().map_err(of(game))? {
        run.observer.note(&Text::of(
            format!("{} written to {file}", counted(n, "row", "rows")),
            format!("{} 行を {file} に書きました", grouped(n)),
        ));
    }
    let code = session.show(&outcome, out)?;
    // Only when the answer is out may what it was made of go.
    out.flush()?;
    rows.remove();
    Ok(code)
}

/// Makes the rows of a share of a study, for `merge`.
fn share(
    session: &Session<'_>,
    game: &'static dyn Entry,
    study: &Study,
    settings: &Settings,
    shard: Shard,
    wishes: Wishes,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let path = wishes.out.unwrap_or_default();
    let what = shard.describe(&describe(game, study, settings, session.run.seed));
    let file = ShardFile::open(&path, &what, wishes.fresh, wishes.force).map_err(of(game))?;
    let rows = Sharded::new(file, shard, study.rows, session.run.observer);
    let run = Run { rows: &rows, ..session.run };
    let error = match (study.run)(settings, &run) {
        // The sweep of a share ends without an answer.
        Err(Error::Cancelled) => Error::Cancelled,
        Err(error) => return Err(of(game)(error)),
        Ok(_) => Error::Bug("a study made an answer of a share of its rows".into()),
    };
    let Some(share) = rows.finish().map_err(of(game))? else {
        rows.kept().inspect(|kept| run.observer.note(kept));
        return Err(of(game)(error));
    };
    let id = game.about().id;
    let mut facts = vec![
        (text("shard", "シャード"), Cell::from(shard.to_string()).tone(Tone::Strong)),
        (text("study", "実験"), format!("{id} {}", study.name).into()),
        (text("items", "項目"), span(&share.items, share.of).into()),
        (text("file", "ファイル"), printable(&path.display().to_string()).into()),
    ];
    if share.earlier {
        facts.push((text("made", "作成"), text("by an earlier run", "以前の実行").into()));
    }
    let json = json!({"study": format!("{id} {}", study.name), "shard": shard.number, "of": shard.of,
        "first": share.items.start, "rows": share.items.end - share.items.start, "items": share.of,
        "file": path.display().to_string(), "earlier": share.earlier});
    session.show(&Outcome { blocks: vec![Block::Facts(facts)], json, good: true }, out)
}

fn list(studies: &[Study]) -> Outcome {
    let heads = [text("study", "実験"), text("parameters", "パラメータ"), text("summary", "内容")];
    let mut table = Table::new(text("", ""), &heads);
    let mut all = Vec::new();
    for study in studies {
        let params: Vec<&str> = study.params.iter().map(|p| p.name).collect();
        let columns: Vec<&str> = study.rows.iter().map(|c| c.name).collect();
        let out = if columns.is_empty() { None } else { Some(&"out") };
        table.row([
            Cell::from(study.name).tone(Tone::Strong),
            params.iter().chain(out).map(|p| format!("--{p}")).collect::<Vec<_>>().join(" ").into(),
            study.summary.clone().into(),
        ]);
        all.push(json!({"name": study.name, "summary": study.summary, "params": params, "rows": columns}));
    }
    let block = if all.is_empty() {
        Block::Paragraph(text("This game has no studies.", "このゲームに実験はありません。"))
    } else {
        Block::Table(table)
    };
    Outcome { blocks: vec![block], json: Value::Array(all), good: true }
}

#[cfg(test)]
mod tests {
    use crate::args::{Games, Globals, command};
    use crate::fail::{ERROR, INTERRUPTED, YES};
    use crate::fake::{ONLY, PAPERS};
    use crate::render::tests::plain;
    use crate::store::{DEFAULT_LIMIT, Files};
    use crate::verbs::{Session, dispatch};
    use std::fs;
    use std::io::{self, Write};
    use std::path::Path;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use yomikiri_core::{Lang, Observer, Run, Text};

    /// Hears everything, and asks to stop after so many steps.
    struct Ear {
        notes: Mutex<Vec<String>>,
        stop_at: AtomicU64,
        stop: AtomicBool,
    }

    impl Observer for Ear {
        fn begin(&self, _: &Text, _: u64) {}
        fn done(&self, steps: u64) {
            self.stop.fetch_or(steps >= self.stop_at.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        fn end(&self) {}
        fn note(&self, what: &Text) {
            self.notes.lock().unwrap().push(what.en.clone().into_owned());
        }
    }

    struct Did {
        code: u8,
        said: String,
        heard: String,
    }

    /// Runs `study fake draws` in a folder with a cache of its own, stopped after some rows.
    fn draws(folder: &Path, flags: &str, stop_at: u64) -> Did {
        let mut said = Vec::new();
        let did = draws_to(folder, flags, stop_at, &mut said);
        Did { said: String::from_utf8(said).unwrap(), ..did }
    }

    fn draws_to(folder: &Path, flags: &str, stop_at: u64, out: &mut dyn Write) -> Did {
        let games: &'static Games = ONLY;
        let flags = flags.replace("OUT", folder.join("out").to_str().unwrap());
        let line = format!("yomikiri study fake draws {flags}");
        let matches = command(games, PAPERS, Lang::En).try_get_matches_from(line.split_whitespace()).unwrap();
        let globals = Globals::read(&matches).unwrap();
        let (notes, stop) = (Mutex::new(Vec::new()), AtomicBool::new(false));
        let ear = Ear { notes, stop_at: AtomicU64::new(stop_at), stop };
        let (seed, threads) = (globals.seed, globals.threads);
        let run = Run { cancel: &ear.stop, observer: &ear, seed, threads, ..Run::default() };
        let files = Files::new(folder.join("cache"), DEFAULT_LIMIT);
        let session = Session {
            games,
            papers: PAPERS,
            globals: &globals,
            look: plain(Lang::En),
            run,
            files: Some(&files),
        };
        let done = dispatch(&session, &matches, out);
        let mut heard = ear.notes.lock().unwrap().join("\n");
        let code = done.unwrap_or_else(|failure| {
            heard.push_str(&failure.say(Lang::En).unwrap_or_default());
            failure.code()
        });
        Did { code, said: String::new(), heard }
    }

    const NEVER: u64 = u64::MAX;

    #[test]
    fn law_rows_are_the_same_bytes_for_any_threads_and_any_interruptions() {
        for ending in ["csv", "parquet"] {
            let whole = tempfile::tempdir().unwrap();
            let did = draws(whole.path(), &format!("--out OUT.{ending} --threads 1"), NEVER);
            assert!(did.code == YES && did.heard.starts_with("500 rows written to"), "{}", did.heard);
            let file = format!("out.{ending}");
            let bytes = fs::read(whole.path().join(&file)).unwrap();
            assert_eq!(fs::read_dir(whole.path()).unwrap().count(), 1, "nothing else is left");

            let parts = tempfile::tempdir().unwrap();
            let flags = format!("--out OUT.{ending} --threads 3");
            for stop_at in [1, 100, 101, 350, 497] {
                let did = draws(parts.path(), &flags, stop_at);
                assert_eq!((did.code, did.said.as_str()), (INTERRUPTED, ""), "{stop_at}");
                assert!(
                    did.heard.contains("rows are kept in") && did.heard.contains(".part"),
                    "{}",
                    did.heard
                );
                assert!(!parts.path().join(&file).exists());
            }
            let last = draws(parts.path(), &flags, NEVER);
            assert_eq!((last.code, last.said), (YES, did.said.clone()));
            assert!(last.heard.contains("resumed at"), "{}", last.heard);
            assert_eq!(fs::read(parts.path().join(&file)).unwrap(), bytes);
            assert_eq!(fs::read_dir(parts.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn law_without_a_file_rows_are_kept_in_the_cache_until_the_answer_is_out() {
        let dir = tempfile::tempdir().unwrap();
        let kept = || Files::new(dir.path().join("cache"), DEFAULT_LIMIT).list();
        assert_eq!(draws(dir.path(), "", 200).code, INTERRUPTED);
        assert_eq!(kept().len(), 1);
        // Other parameters are another sweep; both can wait.
        assert_eq!(draws(dir.path(), "--size 6", 200).code, INTERRUPTED);
        assert_eq!(kept().len(), 2);
        let other = draws(dir.path(), "--seed 2", NEVER);
        assert_eq!((other.code, other.heard.as_str()), (YES, ""));
        let resumed = draws(dir.path(), "", NEVER);
        assert!(resumed.heard.contains("resumed at"), "{}", resumed.heard);
        let whole = draws(dir.path(), "--no-cache", NEVER);
        assert_eq!((resumed.code, resumed.said), (YES, whole.said));
        assert_eq!(kept().len(), 1);
        assert!(!draws(dir.path(), "--size 6 --fresh", NEVER).heard.contains("resumed"));
        assert_eq!(kept().len(), 0);
        assert_eq!(draws(dir.path(), "--no-cache", 200).code, INTERRUPTED);
        assert_eq!(kept().len(), 0);
    }

    #[test]
    fn law_rows_of_another_run_are_neither_mixed_nor_lost() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(draws(dir.path(), "--out OUT.csv", 200).code, INTERRUPTED);
        let part = dir.path().join("out.csv.part");
        let kept = fs::read(&part).unwrap();
        for (flags, named) in [
            ("--size 6", "size=5; now: size=6"),
            ("--seed 9", "seed=1; now: seed=9"),
            ("--kind odd", "kind=odd"),
        ] {
            let did = draws(dir.path(), &format!("--out OUT.csv {flags}"), NEVER);
            assert_eq!(did.code, ERROR);
            assert!(did.heard.contains(named) && did.heard.contains("--fresh"), "{}", did.heard);
            assert_eq!(fs::read(&part).unwrap(), kept);
        }
        let did = draws(dir.path(), "--out OUT.csv --size 6 --fresh", NEVER);
        assert!(did.code == YES && did.heard.starts_with("600 rows written to"), "{}", did.heard);
        assert_eq!(fs::read_to_string(dir.path().join("out.csv")).unwrap().lines().count(), 601);
        // Some other file by the name of the journal.
        fs::write(&part, "mine").unwrap();
        fs::remove_file(dir.path().join("out.csv")).unwrap();
        let did = draws(dir.path(), "--out OUT.csv", NEVER);
        assert!(did.code == ERROR && did.heard.contains("no journal"), "{}", did.heard);
        assert_eq!(draws(dir.path(), "--out OUT.csv --fresh", NEVER).code, ERROR);
        assert_eq!(fs::read(&part).unwrap(), b"mine");
    }

    #[test]
    fn law_a_finished_file_is_replaced_only_by_force() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("out.csv");
        fs::write(&file, "mine").unwrap();
        for flags in ["", "--fresh"] {
            let did = draws(dir.path(), &format!("--out OUT.csv {flags}"), NEVER);
            assert!(did.code == ERROR && did.heard.contains("--force"), "{}", did.heard);
            assert_eq!(fs::read(&file).unwrap(), b"mine");
            assert!(!dir.path().join("out.csv.part").exists());
        }
        // Stopped with force, the old file is still there, and going on needs the same force.
        assert_eq!(draws(dir.path(), "--out OUT.csv --force", 200).code, INTERRUPTED);
        assert_eq!(fs::read(&file).unwrap(), b"mine");
        assert_eq!(draws(dir.path(), "--out OUT.csv", NEVER).code, ERROR);
        assert!(draws(dir.path(), "--out OUT.csv --force", NEVER).heard.contains("resumed"));
        assert!(fs::read_to_string(&file).unwrap().starts_with("item,drawn\n0,"));
    }

    /// Takes nothing: the state after a failure here is that after a kill at the last moment.
    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn law_an_answer_that_was_not_heard_can_be_had_again() {
        let dir = tempfile::tempdir().unwrap();
        let (file, part) = (dir.path().join("out.csv"), dir.path().join("out.csv.part"));
        assert_eq!(draws_to(dir.path(), "--out OUT.csv", NEVER, &mut Full).code, ERROR);
        let bytes = fs::read(&file).unwrap();
        assert!(part.exists());
        // A file that is not what this run wrote is left alone.
        fs::write(&file, "mine").unwrap();
        assert_eq!(draws(dir.path(), "--out OUT.csv", NEVER).code, ERROR);
        assert_eq!(fs::read(&file).unwrap(), b"mine");
        fs::write(&file, &bytes).unwrap();
        let again = draws(dir.path(), "--out OUT.csv", NEVER);
        assert!(again.code == YES && again.heard.contains("resumed at 500 of 500"), "{}", again.heard);
        assert!(!again.said.is_empty() && fs::read(&file).unwrap() == bytes && !part.exists());
        // The same if it was killed before the file was in its place.
        draws_to(dir.path(), "--out OUT.csv --force", NEVER, &mut Full);
        fs::remove_file(&file).unwrap();
        assert_eq!(draws(dir.path(), "--out OUT.csv", NEVER).code, YES);
        assert!(fs::read(&file).unwrap() == bytes && !part.exists());
    }

    #[test]
    fn law_files_that_cannot_be_written_are_named() {
        let dir = tempfile::tempdir().unwrap();
        for (flags, named) in [
            ("--out OUT.txt", ".csv or .parquet"),
            ("--out OUT", ".csv or .parquet"),
            ("--out OUT/no/such.csv", "such.csv.part cannot be written"),
        ] {
            let did = draws(dir.path(), flags, NEVER);
            assert!(did.code == ERROR && did.heard.contains(named), "{flags}: {}", did.heard);
        }
        fs::create_dir(dir.path().join("out.csv")).unwrap();
        let did = draws(dir.path(), "--out OUT.csv --force", NEVER);
        assert!(did.code == ERROR && did.heard.contains("out.csv"), "{}", did.heard);
        // Something in the way of the last step: all rows stay.
        fs::create_dir(dir.path().join("out.parquet.writing")).unwrap();
        let did = draws(dir.path(), "--out OUT.parquet", NEVER);
        assert!(did.code == ERROR && did.heard.contains("500 rows are kept"), "{}", did.heard);
        fs::remove_dir(dir.path().join("out.parquet.writing")).unwrap();
        let did = draws(dir.path(), "--out OUT.parquet", NEVER);
        assert!(did.code == YES && did.heard.contains("resumed at 500 of 500"), "{}", did.heard);
    }

    #[test]
    fn law_damage_costs_time_and_no_row() {
        let dir = tempfile::tempdir().unwrap();
        draws(dir.path(), "--out OUT.csv", NEVER);
        let whole = fs::read(dir.path().join("out.csv")).unwrap();
        fs::remove_file(dir.path().join("out.csv")).unwrap();
        draws(dir.path(), "--out OUT.csv", 300);
        let part = dir.path().join("out.csv.part");
        let mut bytes = fs::read(&part).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&part, &bytes).unwrap();
        let did = draws(dir.path(), "--out OUT.csv", NEVER);
        assert!(did.code == YES && did.heard.contains("damaged after"), "{}", did.heard);
        assert_eq!(fs::read(dir.path().join("out.csv")).unwrap(), whole);
    }

    #[test]
    fn law_only_studies_with_rows_take_a_file() {
        let mut root = command(ONLY, PAPERS, Lang::En);
        let line = "yomikiri study fake count --out x.csv".split(' ');
        assert!(root.try_get_matches_from_mut(line).is_err());
        let help = root.try_get_matches_from_mut("yomikiri study fake draws --help".split(' ')).unwrap_err();
        let help = help.to_string();
        for part in ["--out <FILE>", "--force", "--fresh", "item", "what was drawn"] {
            assert!(help.contains(part), "{part}: {help}");
        }
    }
}
