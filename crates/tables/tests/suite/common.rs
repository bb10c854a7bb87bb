//! Small tables for tests.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use yomikiri_core::{OpenTables, Run};
use yomikiri_games::params::Settings;
use yomikiri_games::tables::{Checked, Extent, Tables};
use yomikiri_shelf::GAMES;
use yomikiri_tables::{Builder, Fault, Manifest, Opened, Wishes};

/// The games and settings that are small enough to go through whole.
pub const SMALL: [(&str, &[(&str, &str)]); 10] = [
    ("memory", &[("ranks", "4")]),
    ("memory", &[("ranks", "3"), ("objective", "cards")]),
    ("memory", &[("ranks", "5"), ("copies", "2")]),
    ("memory", &[("ranks", "2"), ("copies", "6")]),
    ("memory", &[("ranks", "2"), ("players", "3"), ("pass", "must")]),
    ("memory", &[("ranks", "3"), ("copies", "2"), ("players", "4"), ("objective", "pairs")]),
    ("geister", &[("width", "3"), ("height", "3")]),
    ("geister", &[("width", "3"), ("height", "3"), ("mirror", "on")]),
    ("geister", &[("width", "3"), ("height", "4"), ("analysis", "rrb-three")]),
    ("geister", &[("width", "4"), ("height", "3"), ("analysis", "2v2-basic"), ("b", "3")]),
];

/// A game's tables.
pub fn tables(game: &str) -> &'static dyn Tables {
    yomikiri_shelf::find(game).unwrap().tables().unwrap()
}

pub fn settings(game: &str, given: &[(&str, &str)]) -> Settings {
    Settings::new(tables(game).params(), given.iter().copied()).unwrap()
}

pub fn build_with(
    folder: &Path,
    game: &'static str,
    given: &[(&str, &str)],
    wishes: Wishes,
    run: &Run<'_>,
) -> Result<Manifest, Fault> {
    let (tables, settings) = (tables(game), settings(game, given));
    let plan = tables.plan(&settings, run)?;
    let mut builder = Builder::begin(folder, game, &settings, &plan, wishes, run)?;
    tables.build(&settings, &plan, &mut builder, run)?;
    builder.finish()
}

pub fn build(folder: &Path, game: &'static str, given: &[(&str, &str)]) -> Manifest {
    build_with(folder, game, given, Wishes::default(), &Run::default()).unwrap()
}

pub fn open(folder: &Path) -> Result<Opened, Fault> {
    Opened::new(folder, GAMES, &Run::default())
}

/// Tables in folders, to be asked alone.
pub fn alone(folders: &[&Path]) -> Result<OpenTables, Fault> {
    let mut tables = OpenTables::alone();
    for folder in folders {
        tables.add(open(folder)?.table()?)?;
    }
    Ok(tables)
}

/// What a check finds, or the damages of the files.
pub fn verify(folder: &Path, extent: Extent) -> Result<Checked, Vec<String>> {
    let opened = open(folder).map_err(|fault| vec![said(&fault)])?;
    let run = Run { threads: 2, ..Run::default() };
    let arrays = opened.arrays(&run).unwrap();
    let arrays = arrays
        .map_err(|all| all.iter().map(|d| format!("{}: {}", d.file, d.why.en)).collect::<Vec<String>>())?;
    Ok(opened.tables().check(&opened.settings, &opened.plan, &arrays, extent, &run).unwrap())
}

/// What a fault says.
pub fn said(fault: &Fault) -> String {
    match fault {
        Fault::NotATable { path, why } => {
            assert!(!why.ja.is_empty());
            format!("{path}: {}", why.en)
        }
        Fault::Refused(refusal) => refusal.to_string(),
        Fault::Output { path, why } => format!("{path}: {why}"),
        Fault::Game(error) => error.to_string(),
    }
}

/// Every file of a folder with its bytes, by name.
pub fn content(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    all.sort();
    all
}

/// Writes the manifest again with a change.
pub fn change_manifest(folder: &Path, change: impl FnOnce(&mut Value)) {
    let path = folder.join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut manifest);
    fs::write(path, manifest.to_string()).unwrap();
}

/// Changes bytes of an array and corrects its digest in the manifest.
pub fn forge(folder: &Path, file: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let path = folder.join(file);
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    let digest = blake3::hash(&bytes).to_hex().to_string();
    fs::write(path, bytes).unwrap();
    change_manifest(folder, |manifest| {
        let tiers = manifest["tiers"].as_array_mut().unwrap();
        let tier = tiers.iter_mut().find(|tier| tier["file"] == file).unwrap();
        tier["blake3"] = digest.into();
        seal(manifest);
    });
}

/// Gives a manifest the digest that whoever wrote it would have given it.
pub fn seal(manifest: &mut Value) {
    manifest.as_object_mut().unwrap().remove("blake3");
    manifest["blake3"] = blake3::hash(manifest.to_string().as_bytes()).to_hex().to_string().into();
}

/// A copy of a folder that a test may damage.
pub fn copy(from: &Path, to: PathBuf) -> PathBuf {
    fs::create_dir(&to).unwrap();
    for (name, bytes) in content(from) {
        fs::write(to.join(name), bytes).unwrap();
    }
    to
}
