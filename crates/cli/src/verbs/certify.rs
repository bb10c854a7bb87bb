//! `certify`: proofs of bounds, written as files that `check` and other checkers read.

use super::{Session, of};
use crate::args::settings;
use crate::fail::{Failure, refuse};
use clap::ArgMatches;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use yomikiri_core::{Error, Refusal, Text, text};
use yomikiri_games::Entry;

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
    let Some(certifier) = game.certifier() else {
        return Err(
            refuse("game", game.about().id, text("a game with certificates", "証明書のあるゲーム")).into()
        );
    };
    let settings = settings(game.about().id, certifier.params, matches)?;
    let word = matches.get_one::<String>("format").map_or("zstd", String::as_str);
    let format = Format::read(word).ok_or_else(|| refuse("--format", word, Text::same("plain, xz, zstd")))?;
    let folder = matches.get_one::<PathBuf>("out").cloned().unwrap_or_else(|| PathBuf::from("."));
    let force = matches.get_flag("force");
    // Before minutes of work: whether the folder can be written to at all.
    fs::create_dir_all(&folder)
        .and_then(|()| tempfile_in(&folder).map(|(path, _)| drop(fs::remove_file(path))))
        .map_err(|why| of(game)(output(&folder, why)))?;
    let mut written = Vec::new();
    let outcome = (certifier.run)(&settings, &session.run, &mut |name, write| {
        let path = folder.join(format!("{name}{}", format.ending()));
        if path.exists() && !force {
            return Err(Error::Refused(Refusal::of(
                "out",
                Text::of(format!("{} exists", path.display()), format!("{} が既にあります", path.display())),
                text("another folder, or --force", "別のフォルダ、または --force"),
            )));
        }
        store(&folder, &path, format, write).map_err(|why| output(&path, why))?;
        written.push(path.display().to_string());
        Ok(path.display().to_string())
    })
    .map_err(of(game))?;
    for path in written {
        session.run.observer.note(&Text::of(format!("{path} written"), format!("{path} を書きました")));
    }
    session.show(&outcome, out)
}

fn output(path: &Path, why: io::Error) -> Error {
    Error::Output { file: path.display().to_string(), why, kept: 0 }
}

fn tempfile_in(folder: &Path) -> io::Result<(PathBuf, File)> {
    let path = folder.join(format!(".yomikiri-{}.part", std::process::id()));
    let file = File::create(&path)?;
    Ok((path, file))
}

/// Writes under another name, and renames what is whole.
fn store(
    folder: &Path,
    path: &Path,
    format: Format,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let (part, file) = tempfile_in(folder)?;
    let done =
        encode(file, format, write).and_then(|file| file.sync_all()).and_then(|()| fs::rename(&part, path));
    if done.is_err() {
        let _ = fs::remove_file(&part);
    }
    done
}

fn encode(
    file: File,
    format: Format,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> io::Result<File> {
    let mut file = BufWriter::new(file);
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
            ruzstd::encoding::compress(&plain[..], &mut file, ruzstd::encoding::CompressionLevel::Fastest);
        }
    }
    file.into_inner().map_err(io::IntoInnerError::into_error)
}
