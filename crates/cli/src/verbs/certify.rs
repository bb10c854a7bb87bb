//! `certify`: proofs of bounds, written as files that `check` and other checkers read.

use super::{Session, of};
use crate::args::settings;
use crate::fail::{Failure, refuse};
use clap::ArgMatches;
use serde_json::json;
use std::fs::{self, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_games::Entry;
use yomikiri_games::params::Settings;
use yomikiri_papers::paper::Save;
use yomikiri_tables::files::Draft;
use yomikiri_view::report::{Block, Cell, Outcome, grouped};

/// How a file is written.
#[derive(Clone, Copy)]
enum Format {
    Plain,
    Xz,
    Zstd,
}

impl Format {
    fn read(word: &str) -> Option<Format> {
        Some(match word {
            "plain" => Format::Plain,
            "xz" => Format::Xz,
            "zstd" => Format::Zstd,
            _ => return None,
        })
    }

    fn ending(self) -> &'static str {
        match self {
            Format::Plain => "",
            Format::Xz => ".xz",
            Format::Zstd => ".zst",
        }
    }
}

/// Finds proofs and writes them to a folder.
pub fn certify(
    session: &Session<'_>,
    game: &'static dyn Entry,
    matches: &ArgMatches,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let certifier = session.papers.of(game.about().id).and_then(|paper| paper.certifier);
    if certifier.is_none() && !game.provable() {
        return Err(
            refuse("game", game.about().id, text("a game with certificates", "証明書のあるゲーム")).into()
        );
    }
    let settings = settings(game.about().id, certifier.map_or(game.params(), |c| c.params), matches)?;
    let word = matches.get_one::<String>("format").map_or("zstd", String::as_str);
    let format = Format::read(word).ok_or_else(|| refuse("--format", word, Text::same("plain, xz, zstd")))?;
    let folder = matches.get_one::<PathBuf>("out").cloned().unwrap_or_else(|| PathBuf::from("."));
    let force = matches.get_flag("force");
    // Before minutes of work: whether the files can be written at all.
    fs::create_dir_all(&folder).map_err(|why| of(game)(output(&folder, why)))?;
    let names = certifier.map_or_else(|| vec![name(game, &settings)], |c| (c.files)(&settings));
    let mut files = Vec::new();
    for name in &names {
        let path = folder.join(format!("{name}{}", format.ending()));
        files.push(Coming::prepare(path, force).map_err(of(game))?);
    }
    let mut save = |name: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>| {
        // Another name is a mistake in the game.
        let at = names.iter().position(|n| n == name).unwrap_or_else(|| panic!("{name} was not announced"));
        let file = &mut files[at];
        file.fill(format, write).map_err(|why| output(&file.path, why))?;
        Ok(file.path.display().to_string())
    };
    let outcome = match certifier {
        Some(certifier) => (certifier.run)(&settings, &session.run, &mut save),
        None => from_rules(game, &settings, &names[0], &session.run, &mut save),
    }
    .map_err(of(game))?;
    // All or none: whoever is stopped between two proofs may run the same command again.
    for file in files.iter_mut().filter(|file| file.whole) {
        file.place().map_err(|why| of(game)(output(&file.path, why)))?;
        let path = file.path.display();
        session.run.observer.note(&Text::of(
            format!("{path} written; `yomikiri check {path}` accepts or rejects it"),
            format!("{path} を書きました（yomikiri check {path} で検査できます）"),
        ));
    }
    session.show(&outcome, out)
}

/// The name of the file with the proof of a game: what it is called, and what is not as usual.
fn name(game: &dyn Entry, settings: &Settings) -> String {
    let usual = |name: &str| game.params().iter().find(|p| p.name == name).map_or("", |p| p.default);
    let mut out = game.about().id.to_owned();
    for (name, value) in settings.pairs().filter(|(name, value)| value != usual(name)) {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let value: String = value.chars().map(plain).take(60).collect();
        out.push_str(&format!("-{name}-{value}"));
    }
    out + ".jsonl"
}

/// Solves a game and writes down what proves the value to whoever has the rules.
fn from_rules(
    game: &dyn Entry,
    settings: &Settings,
    name: &str,
    run: &Run<'_>,
    save: &mut Save<'_>,
) -> Result<Outcome, Error> {
    let proof = game.proof(settings, run)?;
    let lines = proof.iter().filter(|b| **b == b'\n').count() as u64;
    let file = save(name, &mut |out| out.write_all(&proof))?;
    let facts = vec![
        (text("file", "ファイル"), Cell::from(crate::fail::printable(&file))),
        (text("lines", "行数"), grouped(lines).into()),
    ];
    Ok(Outcome {
        blocks: vec![Block::Facts(facts)],
        json: json!({"game": game.about().id, "files": [file], "lines": lines}),
        good: true,
    })
}

fn output(path: &Path, why: io::Error) -> Error {
    Error::Output { file: path.display().to_string(), why, kept: 0 }
}

/// A file to come: it is written beside its place, which another run cannot do at the same time, and goes when it was
/// not put there.
struct Coming {
    path: PathBuf,
    beside: PathBuf,
    draft: Draft,
    /// It has all it is to have.
    whole: bool,
    placed: bool,
}

impl Coming {
    /// Sees whether the place is free and can be written to.
    fn prepare(path: PathBuf, force: bool) -> Result<Coming, Error> {
        let got = format!("\"{}\"", path.display());
        let refused = |en: &str, ja: &str, accepts| {
            Error::Refused(Refusal::of(
                "--out",
                Text::of(format!("{got}, {en}"), format!("{got}（{ja}）")),
                accepts,
            ))
        };
        if path.is_dir() {
            let accepts = text("another folder to write to", "別の書き出し先フォルダ");
            return Err(refused("which is a folder", "フォルダです", accepts));
        }
        if path.symlink_metadata().is_ok() && !force {
            let accepts = text("another folder, or --force", "別のフォルダ、または --force");
            return Err(refused("which exists", "既にあります", accepts));
        }
        let mut beside = path.clone().into_os_string();
        beside.push(".writing");
        let beside = PathBuf::from(beside);
        // One that was killed may have left something there.
        let mut draft = Draft::open(&beside).map_err(|why| output(&beside, why))?;
        // Some file systems know no locks.
        if let Err(TryLockError::WouldBlock) = draft.file().try_lock() {
            let accepts = text(
                "another folder, or the same when that run has ended",
                "別のフォルダ、またはその実行が終わってから同じフォルダ",
            );
            return Err(refused("which another run is writing", "別の実行が書き込み中です", accepts));
        }
        if force {
            draft.empty().map_err(|why| output(&beside, why))?;
        }
        Ok(Coming { path, beside, draft, whole: false, placed: false })
    }

    /// Writes all of it, beside its place.
    fn fill(
        &mut self,
        format: Format,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        encode(&mut self.draft, format, write)?;
        self.draft.finish()?;
        self.whole = true;
        Ok(())
    }

    /// Puts it where it belongs.
    fn place(&mut self) -> io::Result<()> {
        fs::rename(&self.beside, &self.path)?;
        self.placed = true;
        Ok(())
    }
}

impl Drop for Coming {
    fn drop(&mut self) {
        // What was there before and is not known to be ours stays.
        if !self.placed && self.draft.ours() {
            let _ = fs::remove_file(&self.beside);
        }
    }
}

fn encode(
    draft: &mut Draft,
    format: Format,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = BufWriter::new(draft);
    match format {
        Format::Plain => write(&mut file)?,
        Format::Xz => {
            let mut xz = lzma_rust2::XzWriter::new(&mut file, lzma_rust2::XzOptions::with_preset(6))?;
            write(&mut xz)?;
            xz.finish()?;
        }
        Format::Zstd => {
            let mut plain = Vec::new();
            write(&mut plain)?;
            // Not straight into the file: it panics where something cannot be written.
            let level = ruzstd::encoding::CompressionLevel::Fastest;
            file.write_all(&ruzstd::encoding::compress_to_vec(&plain[..], level))?;
        }
    }
    file.flush()
}
