//! Folders that are not what they should be: refused with a reason, never trusted, never a panic.

use crate::common::{alone, build, build_with, change_manifest, content, copy, open, said, verify};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Run};
use yomikiri_games::memory::answer::table_for;
use yomikiri_games::memory::levels::Doubles;
use yomikiri_games::memory::rules::{Memory, Objective};
use yomikiri_games::tables::Extent;
use yomikiri_tables::{Manifest, Wishes};

const GIVEN: &[(&str, &str)] = &[("ranks", "3")];

/// A small table and a place for copies of it.
fn small() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("whole");
    build(&folder, "memory", GIVEN);
    (dir, folder)
}

/// What the value of the start says when it is asked for from a table.
fn ask(folder: &Path) -> Result<f64, String> {
    let opened = alone(&[folder]).map_err(|f| said(&f))?;
    let run = Run { tables: &opened, memory: 0, ..Run::default() };
    let game = Memory::new(3, 4, Objective::Win).unwrap();
    let s = yomikiri_core::Game::start(&game);
    let table = table_for(&game, &s, |_| Doubles, &run).map_err(|e| e.to_string())?;
    let value = table.lookup(&s.counts, s.diff);
    table.sound().map_err(|e| e.to_string())?;
    value.ok_or_else(|| "no value".to_owned())
}

#[test]
fn law_damaged_files_are_found_by_name_and_never_answer() {
    let (dir, whole) = small();
    let value = ask(&whole).unwrap();
    let last = "unknown-0012.npy";
    type Change = fn(&Path, &str);
    let changes: [(&str, Change); 9] = [
        ("truncated", |folder, file| rewrite(folder, file, |bytes| bytes.truncate(bytes.len() - 1))),
        ("emptied", |folder, file| rewrite(folder, file, Vec::clear)),
        ("extended", |folder, file| rewrite(folder, file, |bytes| bytes.push(0))),
        ("flipped", |folder, file| rewrite(folder, file, |bytes| *bytes.last_mut().unwrap() ^= 1)),
        ("header", |folder, file| rewrite(folder, file, |bytes| bytes[20] ^= 1)),
        ("spaces", |folder, file| rewrite(folder, file, |bytes| bytes[126] = b'\t')),
        ("missing", |folder, file| fs::remove_file(folder.join(file)).unwrap()),
        ("a folder", |folder, file| {
            fs::remove_file(folder.join(file)).unwrap();
            fs::create_dir(folder.join(file)).unwrap();
        }),
        ("another's", |folder, file| {
            let other: Vec<u8> = fs::read(folder.join("unknown-0001.npy")).unwrap();
            fs::write(folder.join(file), other).unwrap();
        }),
    ];
    for (name, change) in changes {
        let folder = copy(&whole, dir.path().join(name));
        change(&folder, last);
        let found = verify(&folder, Extent::All).unwrap_err();
        assert!(found.len() == 1 && found[0].starts_with(last), "{name}: {found:?}");
        let refused = ask(&folder).unwrap_err();
        assert!(refused.contains(last), "{name}: {refused}");
    }
    // Every single flipped byte is found.
    let bytes = fs::read(whole.join(last)).unwrap().len();
    let folder = copy(&whole, dir.path().join("bytes"));
    for at in 0..bytes {
        rewrite(&folder, last, |bytes| bytes[at] ^= 0x10);
        assert!(verify(&folder, Extent::Sample(1)).is_err(), "byte {at}");
        rewrite(&folder, last, |bytes| bytes[at] ^= 0x10);
    }
    assert_eq!(ask(&folder), Ok(value), "as it was");
}

fn rewrite(folder: &Path, file: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let path = folder.join(file);
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

#[test]
fn law_swapped_files_are_found() {
    let (dir, whole) = small();
    let folder = copy(&whole, dir.path().join("swapped"));
    let (a, b) = (folder.join("unknown-0003.npy"), folder.join("unknown-0004.npy"));
    let (first, second) = (fs::read(&a).unwrap(), fs::read(&b).unwrap());
    fs::write(a, second).unwrap();
    fs::write(b, first).unwrap();
    let found = verify(&folder, Extent::All).unwrap_err();
    assert_eq!(found.len(), 2, "{found:?}");
}

#[cfg(unix)]
#[test]
fn law_links_and_pipes_are_not_followed() {
    let (dir, whole) = small();
    let folder = copy(&whole, dir.path().join("link"));
    let file = folder.join("unknown-0002.npy");
    fs::rename(&file, dir.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(dir.path().join("elsewhere"), &file).unwrap();
    let found = verify(&folder, Extent::All).unwrap_err();
    assert!(found[0].contains("symbolic link"), "{found:?}");
    fs::remove_file(&file).unwrap();
    // Opening a pipe that nobody writes to would wait for ever.
    assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
    let found = verify(&folder, Extent::All).unwrap_err();
    assert!(found[0].contains("not a file"), "{found:?}");
    let folder = copy(&whole, dir.path().join("manifest"));
    fs::remove_file(folder.join("manifest.json")).unwrap();
    assert!(
        std::process::Command::new("mkfifo").arg(folder.join("manifest.json")).status().unwrap().success()
    );
    assert!(said(&open(&folder).err().unwrap()).contains("not a file"));
    // A link to the folder itself is a way to it like any other.
    std::os::unix::fs::symlink(&whole, dir.path().join("way")).unwrap();
    assert!(ask(&dir.path().join("way")).is_ok());
}

#[test]
fn law_what_is_not_a_table_is_refused() {
    let (dir, whole) = small();
    for (path, why) in [
        (dir.path().join("nothing"), "cannot be read"),
        (whole.join("manifest.json"), "not a folder"),
        (dir.path().to_owned(), "missing"),
    ] {
        let refused = said(&open(&path).err().unwrap());
        assert!(refused.contains(why), "{refused}");
    }
}

#[test]
fn law_every_change_of_a_manifest_is_refused_by_its_place() {
    let (dir, whole) = small();
    type Change = fn(&mut Value);
    let changes: [(&str, Change); 35] = [
        ("format", |m| m["format"] = json!("numpy")),
        ("format", |m| m["format"] = json!(1)),
        ("version", |m| m["version"] = json!(2)),
        ("version", |m| m["version"] = json!("1")),
        ("version", |m| m["version"] = json!(-1)),
        ("game", |m| m["game"] = json!("chess")),
        ("game", |m| m["game"] = json!("accordion")),
        ("copies", |m| m["game"] = json!("geister")),
        ("game", |m| m["game"] = json!(null)),
        ("program", |m| m["program"] = json!(["yomikiri"])),
        ("parameters", |m| m["parameters"] = json!([])),
        ("parameters.ranks", |m| m["parameters"]["ranks"] = json!(3)),
        ("ranks", |m| m["parameters"]["ranks"] = json!("0")),
        ("ranks", |m| m["parameters"]["ranks"] = json!("3000000000000000000000")),
        ("index.rule", |m| m["parameters"]["ranks"] = json!("4")),
        ("files", |m| m["parameters"]["files"] = json!("4")),
        ("index.rule", |m| m["index"]["rule"]["patterns"][0][0] = json!(3)),
        ("tiers", |m| m["tiers"] = json!({})),
        ("tiers[0]", |m| m["tiers"][0] = json!([])),
        ("tiers[0].file", |m| m["tiers"][0]["file"] = json!("../unknown-0001.npy")),
        ("tiers[0].file", |m| m["tiers"][0]["file"] = json!("/etc/passwd")),
        ("tiers[0].file", |m| m["tiers"][0]["file"] = json!("other.npy")),
        ("tiers[0].numbers", |m| m["tiers"][0]["numbers"] = json!("<f4")),
        ("tiers[0].numbers", |m| m["tiers"][0]["numbers"] = json!("<u2")),
        ("values", |m| m["tiers"][0]["count"] = json!(u64::MAX)),
        ("tiers[0].count", |m| m["tiers"][0]["count"] = json!(1.5)),
        ("tiers[0].about", |m| m["tiers"][0]["about"]["rows"][0] = json!(7)),
        ("tiers[0].blake3", |m| m["tiers"][0]["blake3"] = json!("é".repeat(32))),
        ("tiers[0].blake3", |m| m["tiers"][0]["blake3"] = json!("ff")),
        ("bytes", |m| m["bytes"] = json!(1)),
        // What nothing else tells.
        ("blake3", |m| m["objective"]["en"] = json!("anything")),
        ("blake3", |m| m["exactness"]["ja"] = json!("anything")),
        ("blake3", |m| m["index"]["words"]["en"] = json!("anything")),
        ("blake3", |m| m["program"] = json!("yomikiri 9")),
        ("blake3", |m| m["blake3"] = json!(7)),
    ];
    for (i, (place, change)) in changes.into_iter().enumerate() {
        let folder = copy(&whole, dir.path().join(i.to_string()));
        change_manifest(&folder, change);
        let refused = said(&open(&folder).err().expect(place));
        assert!(refused.contains("manifest.json") && refused.contains(place), "{place}: {refused}");
    }
    for key in ["format", "version", "program", "game", "parameters", "index", "values", "bytes", "tiers"] {
        let folder = copy(&whole, dir.path().join(key));
        change_manifest(&folder, |m| drop(m.as_object_mut().unwrap().remove(key)));
        let refused = said(&open(&folder).err().expect(key));
        assert!(refused.contains(&format!("{key} is missing")), "{refused}");
    }
    for key in ["file", "numbers", "count", "bytes", "blake3", "about"] {
        let folder = copy(&whole, dir.path().join(format!("tier-{key}")));
        change_manifest(&folder, |m| drop(m["tiers"][1].as_object_mut().unwrap().remove(key)));
        let refused = said(&open(&folder).err().expect(key));
        assert!(refused.contains(&format!("tiers[1].{key} is missing")), "{refused}");
    }
    // A tier more, a tier less, and consistent sums.
    for more in [true, false] {
        let folder = copy(&whole, dir.path().join(format!("more-{more}")));
        change_manifest(&folder, |m| {
            let tiers = m["tiers"].as_array_mut().unwrap();
            if more {
                tiers.push(tiers[0].clone())
            } else {
                drop(tiers.pop())
            }
            let sum = |key: &str| tiers.iter().map(|t| t[key].as_u64().unwrap()).sum::<u64>();
            let (values, bytes) = (sum("count"), sum("bytes"));
            (m["values"], m["bytes"]) = (values.into(), bytes.into());
        });
        assert!(said(&open(&folder).err().unwrap()).contains("tiers: "), "more: {more}");
    }
    for text in ["", "null", "[]", "{", "\"yomikiri table\"", "\u{feff}{}", "{\"format\":\"yomikiri table\"}"]
    {
        let folder = copy(&whole, dir.path().join("text"));
        fs::write(folder.join("manifest.json"), text).unwrap();
        assert!(open(&folder).is_err(), "{text}");
        fs::write(folder.join("manifest.json"), [0xff, 0xfe]).unwrap();
        assert!(open(&folder).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
    // Words for people may change, and another program may have built it.
    let folder = copy(&whole, dir.path().join("words"));
    change_manifest(&folder, |m| {
        m["program"] = json!("yomikiri 9");
        m["index"]["words"] = json!("otherwise");
        crate::common::seal(m);
    });
    assert_eq!(ask(&folder), ask(&whole));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn law_no_text_makes_the_reader_of_manifests_fail(text in ".{0,200}") {
        let _ = Manifest::read(&text);
    }

    #[test]
    fn law_a_damaged_manifest_is_refused_or_the_same(seed in any::<u64>()) {
        thread_local!(static TEXT: (tempfile::TempDir, Vec<u8>) = {
            let (dir, folder) = small();
            let text = fs::read(folder.join("manifest.json")).unwrap();
            (dir, text)
        });
        TEXT.with(|(dir, whole)| {
            let mut random = Random::new(seed);
            let mut bytes = whole.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len() as u64) as usize;
                match random.below(3) {
                    0 => bytes[at] = random.below(256) as u8,
                    1 if bytes.len() > 1 => drop(bytes.remove(at)),
                    _ => bytes.truncate(at.max(1)),
                }
            }
            let right = Manifest::read(std::str::from_utf8(whole).unwrap()).unwrap();
            if let Ok(text) = std::str::from_utf8(&bytes) && let Ok(read) = Manifest::read(text) {
                let path = dir.path().join("whole");
                fs::write(path.join("manifest.json"), text).unwrap();
                if let Ok(opened) = open(&path) {
                    // What decides the meaning is as it was; a digest may have become another digest.
                    assert_eq!(opened.manifest.game, right.game);
                    assert_eq!(&opened.manifest.parameters, &right.parameters);
                    assert_eq!(opened.manifest.values(), right.values());
                    assert_eq!(read.bytes(), right.bytes());
                }
            }
        });
    }
}

#[test]
fn law_folders_are_only_replaced_when_that_is_wished_and_nothing_else_is_lost() {
    let (dir, whole) = small();
    let before = content(&whole);
    let build = |folder: &Path, force: bool| {
        let wishes = Wishes { force, resume: false };
        build_with(folder, "memory", &[("ranks", "2")], wishes, &Run::default()).map_err(|f| said(&f))
    };
    let refused = build(&whole, false).unwrap_err();
    assert!(refused.contains("which exists") && refused.contains("--force"), "{refused}");
    assert!(content(&whole) == before);
    // More than a table: someone's letters are in it.
    fs::write(whole.join("letter.txt"), "dear").unwrap();
    let refused = build(&whole, true).unwrap_err();
    assert!(refused.contains("more than a table"), "{refused}");
    assert_eq!(fs::read(whole.join("letter.txt")).unwrap(), b"dear");
    fs::remove_file(whole.join("letter.txt")).unwrap();
    build(&whole, true).unwrap();
    assert_eq!(open(&whole).unwrap().manifest.parameters["ranks"], "2");
    let names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["whole"], "nothing is left beside it");
    // A file, a link, and names that are none.
    let file = dir.path().join("file");
    fs::write(&file, "x").unwrap();
    assert!(build(&file, true).is_err() && fs::read(&file).unwrap() == b"x");
    for name in ["..", "/", "."] {
        assert!(build(Path::new(name), true).unwrap_err().contains("--out"), "{name}");
    }
    // Somebody else's folder with the name we would use.
    let folder = dir.path().join("new");
    fs::create_dir(dir.path().join("new.part")).unwrap();
    fs::write(dir.path().join("new.part/mine"), "x").unwrap();
    assert!(build(&folder, true).is_err());
    assert_eq!(fs::read(dir.path().join("new.part/mine")).unwrap(), b"x");
}

/// Stops a run after so many steps are told.
struct Patience(std::sync::atomic::AtomicI64, std::sync::atomic::AtomicBool);

impl yomikiri_core::Observer for Patience {
    fn begin(&self, _: &yomikiri_core::Text, _: u64) {}
    fn done(&self, _: u64) {
        use std::sync::atomic::Ordering;
        if self.0.fetch_sub(1, Ordering::Relaxed) <= 0 {
            self.1.store(true, Ordering::Relaxed);
        }
    }
    fn end(&self) {}
    fn note(&self, _: &yomikiri_core::Text) {}
}

#[test]
fn law_a_build_that_is_stopped_goes_on_to_the_same_bytes() {
    for (game, given) in [("memory", &[("ranks", "5")][..]), ("geister", &[("width", "3"), ("height", "4")])]
    {
        let dir = tempfile::tempdir().unwrap();
        let whole = dir.path().join("whole");
        build(&whole, game, given);
        let folder = dir.path().join("stopped");
        let part = dir.path().join("stopped.part");
        let mut stops = 0;
        for patience in (5..).step_by(7) {
            let watch = Patience(patience.into(), false.into());
            let run = Run { observer: &watch, cancel: &watch.1, threads: 1 + stops % 2, ..Run::default() };
            let wishes = Wishes { force: false, resume: stops > 0 };
            match build_with(&folder, game, given, wishes, &run) {
                Ok(_) => break,
                Err(yomikiri_tables::Fault::Game(Error::Cancelled)) => stops += 1,
                Err(fault) => panic!("{}", said(&fault)),
            }
            assert!(!folder.exists() && part.exists());
            if stops == 1 {
                // Without a word on what to do with it, it is left alone.
                let refused = build_with(&folder, game, given, Wishes::default(), &Run::default());
                assert!(said(&refused.err().unwrap()).contains("--resume"));
                // Another table is not mixed into it.
                let other = [("ranks", "4")];
                let other = if game == "memory" { &other[..] } else { &[("width", "3"), ("height", "3")] };
                let wishes = Wishes { force: false, resume: true };
                let refused = build_with(&folder, game, other, wishes, &Run::default());
                assert!(said(&refused.err().unwrap()).contains("another command"), "{game}");
            }
            if stops == 3 {
                // A file that was damaged meanwhile is made again; a torn line of the journal does no harm.
                if let Some((name, _)) = content(&part).iter().find(|(name, _)| name.ends_with(".npy")) {
                    rewrite(&part, name, |bytes| *bytes.last_mut().unwrap() ^= 1);
                }
                rewrite(&part, "progress.jsonl", |bytes| bytes.extend_from_slice(b"{\"tier\": 3, \"bla"));
            }
        }
        assert!(stops >= 4, "{stops} stops");
        assert!(content(&folder) == content(&whole), "{game}");
        let names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names.len(), 2, "{names:?}");
    }
}

#[test]
fn law_a_build_that_was_killed_before_the_last_rename_is_finished() {
    let (dir, whole) = small();
    let before = content(&whole);
    // All there is at that moment: the arrays and the manifest, under the other name.
    fs::rename(&whole, dir.path().join("whole.part")).unwrap();
    let wishes = Wishes { force: false, resume: true };
    let watch = Patience(1000.into(), false.into());
    let run = Run { observer: &watch, ..Run::default() };
    build_with(&whole, "memory", GIVEN, wishes, &run).unwrap();
    assert!(content(&whole) == before);
}

#[test]
fn law_a_disk_that_is_too_small_is_refused_with_the_figures() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("m");
    let (tables, settings) = (crate::common::tables("memory"), crate::common::settings("memory", GIVEN));
    let run = Run::default();
    let mut plan = tables.plan(&settings, &run).unwrap();
    // Half an exbibyte: no disk has that.
    plan.tiers[0].count = 1 << 56;
    let begun = yomikiri_tables::Builder::begin(&folder, "memory", &settings, &plan, Wishes::default(), &run);
    let refused = said(&begun.err().unwrap());
    assert!(refused.contains("a disk with") && refused.contains("512.0 PiB free"), "{refused}");
    assert!(fs::read_dir(dir.path()).unwrap().next().is_none(), "nothing was made");
}

#[test]
fn law_two_builds_of_one_table_do_not_meet() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("m");
    let (tables, settings) = (crate::common::tables("memory"), crate::common::settings("memory", GIVEN));
    let run = Run::default();
    let plan = tables.plan(&settings, &run).unwrap();
    let begin =
        |wishes: Wishes| yomikiri_tables::Builder::begin(&folder, "memory", &settings, &plan, wishes, &run);
    let first = begin(Wishes::default()).unwrap();
    for (force, resume) in [(false, false), (true, false), (false, true), (true, true)] {
        let refused = said(&begin(Wishes { force, resume }).err().unwrap());
        assert!(refused.contains("another run builds"), "{refused}");
    }
    drop(first);
    assert!(begin(Wishes { force: false, resume: true }).is_ok());
}
