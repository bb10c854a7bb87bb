//! Tables on disk: manifests and arrays that are not what was written. Digests are set right again, so that what they
//! guard is reached.

use crate::Target;
use crate::bounded::within;
use crate::input::{failed, text};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use yomikiri_core::{OpenTables, Run};
use yomikiri_games::params::Settings;
use yomikiri_games::tables::Extent;
use yomikiri_shelf::GAMES;
use yomikiri_tables::{Builder, Fault, MANIFEST as NAME, Manifest as Read, Opened, Wishes, npy};

/// Manifests.
pub const MANIFEST: Target = Target {
    name: "manifest",
    about: "manifests beside true arrays, sealed anew: read alike twice; a table that opens is true by the rules; reasons in both languages",
    run: manifest,
    seeds: || vec![[&[0], files()[0].1.as_slice()].concat(), [&[1], files()[0].1.as_slice()].concat()],
};

/// Arrays.
pub const ARRAY: Target = Target {
    name: "npy",
    about: "headers of .npy files read and written alike; arrays with the digests they should have, asked and checked by the rules",
    run: array,
    seeds: || files()[1..].iter().map(|(_, bytes)| bytes.clone()).collect(),
};

/// Milliseconds that a small table never takes.
const LONG: u64 = 20_000;

/// Words of manifests.
const WORDS: [&str; 40] = [
    "\"format\": \"yomikiri table\"",
    "\"version\": 1",
    "\"program\": ",
    "\"game\": \"memory\"",
    "\"game\": \"geister\"",
    "\"game\": \"nim\"",
    "\"parameters\": {",
    "\"ranks\":\"2\"",
    "\"ranks\":\"20\"",
    "\"copies\":\"2\"",
    "\"objective\":",
    "\"cards\"",
    "\"exactness\": ",
    "\"index\": {\"rule\":",
    "\"values\": ",
    "\"bytes\": ",
    "\"tiers\": [",
    "{\"file\": \"",
    ".npy\"",
    "../",
    "\"numbers\": \"<f8\"",
    "\"numbers\": \"<u2\"",
    "\"count\": ",
    "\"blake3\": \"",
    "\"about\": {",
    "18446744073709551615",
    "-1",
    "1.5",
    "null",
    "[]",
    "{}",
    "\"\"",
    "\"words\":",
    "\"unknown\":",
    "\"pairs\":",
    "true",
    ", ",
    "}",
    "]",
    "\"神\"",
];

/// The files of a small table, the manifest first.
pub fn files() -> &'static [(String, Vec<u8>)] {
    static FILES: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("table");
        let run = Run::default();
        let tables = yomikiri_shelf::find("memory").expect("memory").tables().expect("tables");
        let settings = Settings::new(tables.params(), [("ranks", "2"), ("copies", "2")]).expect("settings");
        let plan = tables.plan(&settings, &run).expect("a plan");
        let mut builder = Builder::begin(&place, "memory", &settings, &plan, Wishes::default(), &run)
            .unwrap_or_else(|_| panic!("a place"));
        tables.build(&settings, &plan, &mut builder, &run).expect("a table");
        builder.finish().unwrap_or_else(|_| panic!("a table"));
        let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(&place)
            .expect("a folder")
            .filter_map(|entry| {
                let entry = entry.ok()?;
                Some((entry.file_name().into_string().ok()?, fs::read(entry.path()).ok()?))
            })
            .collect();
        files.sort_by_key(|(name, _)| (name != NAME, name.clone()));
        files
    });
    &FILES
}

/// The manifest with its seal set right; none if it is no JSON.
fn sealed(text: &str) -> Option<String> {
    let mut all: Value = serde_json::from_str(text).ok()?;
    all.as_object_mut()?.remove("blake3");
    let digest = blake3::hash(all.to_string().as_bytes()).to_hex().to_string();
    all["blake3"] = digest.into();
    Some(all.to_string())
}

fn manifest(bytes: &[u8]) {
    let (how, bytes) = bytes.split_first().unwrap_or((&0, &[]));
    let mut typed = text(bytes, &WORDS);
    if how & 1 == 1
        && let Some(right) = sealed(&typed)
    {
        typed = right;
    }
    let read = Read::read(&typed);
    assert_eq!(read, Read::read(&typed));
    match &read {
        Err(why) => assert!(!why.en.is_empty() && !why.ja.is_empty()),
        Ok(manifest) => assert!(manifest.files.iter().all(|file| !file.tier.name.contains(['/', '.']))),
    }
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in &files()[1..] {
        fs::write(folder.path().join(name), bytes).expect("a file");
    }
    fs::write(folder.path().join(NAME), &typed).expect("a file");
    let opened = open(folder.path(), 60);
    if let Ok(read) = &read
        && opened.is_some()
    {
        // What opens is a table of this size of some game: the arrays beside it are those of one.
        let true_one = Read::read(std::str::from_utf8(&files()[0].1).expect("text")).expect("a manifest");
        assert_eq!(
            (&read.game, &read.parameters, &read.index),
            (&true_one.game, &true_one.parameters, &true_one.index)
        );
    }
    if opened == Some(true) {
        let (_, wrong) = looked_at(folder.path());
        assert_eq!(wrong, Some(false), "true arrays are said to be wrong");
    }
}

/// Opens a folder: none if it is no table, otherwise whether its files are what its manifest says.
fn open(folder: &Path, milliseconds: u64) -> Option<bool> {
    within(milliseconds, |cancel| {
        let run = Run { cancel, memory: 64 << 20, ..Run::default() };
        match Opened::new(folder, GAMES, &run) {
            Ok(opened) => Some(opened.arrays(&run).ok()?.is_ok()),
            Err(Fault::NotATable { path, why }) => {
                assert!(!path.is_empty() && !why.en.is_empty() && !why.ja.is_empty());
                None
            }
            Err(Fault::Game(error)) => {
                failed(&error);
                None
            }
            Err(_) => None,
        }
    })
}

/// Asks a table and checks it by the rules: whether it could be asked, and whether a value was wrong.
fn looked_at(folder: &Path) -> (bool, Option<bool>) {
    within(LONG, |cancel| {
        let run = Run { cancel, memory: 64 << 20, ..Run::default() };
        let Ok(opened) = Opened::new(folder, GAMES, &run) else { return (false, None) };
        let asked = opened.table().ok().map(|table| {
            let mut tables = OpenTables::alone();
            tables.add(table).expect("one table");
            let run = Run { tables: &tables, ..run };
            let settings = opened.settings.pairs().collect::<Vec<_>>();
            let given = settings.iter().map(|(name, value)| (*name, value.as_str()));
            let given = given.filter(|(name, _)| opened.game.params().iter().any(|p| p.name == *name));
            if let Ok(settings) = Settings::new(opened.game.params(), given)
                && let Ok(outcome) = opened.game.show(&settings, None, &run)
            {
                let _ = outcome.json.to_string();
            }
        });
        let Ok(Ok(arrays)) = opened.arrays(&run) else { return (asked.is_some(), None) };
        let checked = opened.tables().check(&opened.settings, &opened.plan, &arrays, Extent::All, &run);
        (asked.is_some(), checked.ok().map(|checked| checked.wrong.is_some()))
    })
}

fn array(bytes: &[u8]) {
    match npy::read(bytes) {
        Err(why) => assert!(!why.en.is_empty() && !why.ja.is_empty()),
        Ok(header) => {
            assert!(header.begin.is_multiple_of(64) && header.begin <= bytes.len());
            let written = npy::write(header.number, header.count);
            let again = npy::read(&written).expect("what is written is read");
            assert_eq!((again.number, again.count), (header.number, header.count));
            assert_eq!(again.begin, written.len());
        }
    }
    // The same bytes as a file of a table: the one they are most like.
    let like = |other: &[u8]| {
        other.iter().zip(bytes).filter(|(a, b)| a == b).count() as i64
            - other.len().abs_diff(bytes.len()) as i64
    };
    let (name, right) = files()[1..].iter().max_by_key(|(_, other)| like(other)).expect("a file");
    let folder = tempfile::tempdir().expect("a folder");
    let mut manifest: Value = serde_json::from_slice(&files()[0].1).expect("JSON");
    for tier in manifest["tiers"].as_array_mut().expect("tiers") {
        if tier["file"] == name.as_str() {
            tier["blake3"] = blake3::hash(bytes).to_hex().to_string().into();
        }
    }
    fs::write(folder.path().join(NAME), sealed(&manifest.to_string()).expect("JSON")).expect("a file");
    for (other, kept) in &files()[1..] {
        fs::write(folder.path().join(other), if other == name { bytes } else { kept }).expect("a file");
    }
    let whole = open(folder.path(), LONG);
    assert!(whole.is_some(), "the manifest is right");
    let (asked, wrong) = looked_at(folder.path());
    assert!(asked == (bytes.len() == right.len()), "a file of another length is found at once");
    if bytes == right {
        assert_eq!(wrong, Some(false));
    }
}
