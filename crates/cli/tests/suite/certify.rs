//! Proofs as a shell sees them: files that are in the way, killed at any moment, on a disk that fills up.

use crate::{BINARY, program, run};
use Moment::{After, Kept, Writes};
use std::fs;
use std::path::Path;
use std::process::{Child, Output};
use std::time::Duration;
use yomikiri_testkit::program::{cramped, err, signal};

/// Both proofs of the theorem, which take seconds.
const PROVE: &str = "certify geister --first two";
/// What they are called.
const FILES: [&str; 2] = ["two-first-lower.jsonl.zst", "two-first-upper.jsonl.zst"];

/// And without compression.
const PLAIN: [&str; 2] = ["two-first-lower.jsonl", "two-first-upper.jsonl"];

/// Everything in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut all: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    all.sort();
    all
}

#[test]
fn law_what_is_in_the_way_is_refused_before_any_work() {
    let (line, plain) = (format!("{PROVE} --out out"), "two-first-upper.jsonl");
    // The second of the two: the first would be proved and written before it is met.
    for (line, file) in [(&line, FILES[1]), (&format!("{line} --side upper --format plain"), plain)] {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("out");
        let nothing_done = |output: &Output| {
            assert_eq!(output.status.code(), Some(2), "{}", err(output));
            assert_eq!(names(&out), [file], "{}", err(output));
            assert_eq!(names(&dir.path().join("cache")), Vec::<String>::new(), "it has worked");
        };
        fs::create_dir(&out).unwrap();
        fs::write(out.join(file), "mine").unwrap();
        let refused = run(dir.path(), line);
        nothing_done(&refused);
        for part in ["--out", file, "exists", "--force"] {
            assert!(err(&refused).contains(part), "{}", err(&refused));
        }
        let japanese = err(&run(dir.path(), &format!("{line} --lang ja")));
        assert!(japanese.contains(file) && japanese.contains("既にあります"), "{japanese}");
        // A folder is not replaced, whoever insists.
        fs::remove_file(out.join(file)).unwrap();
        fs::create_dir(out.join(file)).unwrap();
        let refused = run(dir.path(), &format!("{line} --force"));
        nothing_done(&refused);
        assert!(err(&refused).contains(file) && err(&refused).contains("folder"), "{}", err(&refused));
    }
}

#[test]
fn law_an_empty_claim_is_no_claim() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = program(dir.path(), PROVE);
    let refused = command.args(["--bound", ""]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", err(&refused));
    assert!(err(&refused).contains("bound"), "{}", err(&refused));
}

#[test]
fn law_two_runs_do_not_write_the_same_file() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = program(dir.path(), PROVE).spawn().unwrap();
    until(&mut first, || names(dir.path()).iter().any(|name| name.ends_with(".writing")));
    let refused = run(dir.path(), &format!("{PROVE} --force"));
    first.kill().unwrap();
    assert_eq!(first.wait().unwrap().code(), None, "it has met nobody");
    assert_eq!(refused.status.code(), Some(2), "{}", err(&refused));
    assert!(err(&refused).contains("which another run is writing"), "{}", err(&refused));
}

/// Waits until something is so, or the program has ended.
fn until(child: &mut Child, so: impl Fn() -> bool) {
    while child.try_wait().unwrap().is_none() && !so() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Whole files in a cache, with their sizes.
fn kept(cache: &Path) -> Vec<(String, u64)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(cache).into_iter().flatten().flatten() {
        let name = entry.file_name().into_string().unwrap();
        match entry.metadata() {
            Ok(meta) if meta.is_dir() => all.extend(kept(&entry.path())),
            Ok(meta) if !name.starts_with(".writing-") => all.push((name, meta.len())),
            _ => {}
        }
    }
    all.sort();
    all
}

/// When a run is stopped.
enum Moment {
    /// After so many milliseconds, whatever it does then.
    After(u64),
    /// When it has put something else into the cache.
    Kept,
    /// When it has begun to write a proof.
    Writes(&'static str),
}

mod full {
    use super::*;

    #[test]
    fn law_killed_at_any_moment_it_goes_on_to_the_same_bytes_and_a_full_disk_tears_nothing() {
        // Before anything is kept, in the middle of a bound, as soon as it is found, and while its proof is written; for two
        // proofs one after the other. Minutes: the chore `kills` does the same with finer grids.
        killed(
            PROVE,
            PLAIN,
            &[
                (After(30), false),
                (After(700), false),
                (Kept, false),
                (Writes(PLAIN[0]), false),
                (After(2500), true),
                (After(800), false),
                (Kept, false),
                (Writes(PLAIN[1]), false),
            ],
        );
    }
}

/// Stops a run again and again, by a kill or by a signal that asks; then lets it come to its end, and fills the disk.
fn killed<const N: usize>(prove: &str, files: [&str; N], moments: &[(Moment, bool)]) {
    let line = format!("{prove} --format plain");
    let whole = tempfile::tempdir().unwrap();
    let said = run(whole.path(), &format!("{line} --no-cache"));
    assert!(said.status.success(), "{}", err(&said));
    let bytes = files.map(|file| fs::read(whole.path().join(file)).unwrap());

    let dir = tempfile::tempdir().unwrap();
    let (at, cache) = (dir.path(), dir.path().join("cache"));
    let (mut stopped, mut resumed) = (0, 0);
    for &(ref moment, asks) in moments {
        let before = kept(&cache);
        let mut child = program(at, &line).spawn().unwrap();
        match moment {
            After(time) => std::thread::sleep(Duration::from_millis(*time)),
            Kept => until(&mut child, || kept(&cache) != before),
            Writes(file) => {
                let part = at.join(format!("{file}.writing"));
                until(&mut child, || fs::metadata(&part).is_ok_and(|meta| meta.len() > 0));
            }
        }
        if asks {
            signal(&child, "-TERM");
        } else {
            child.kill().unwrap();
        }
        let output = child.wait_with_output().unwrap();
        resumed += u32::from(err(&output).contains("resumed"));
        match output.status.code() {
            None => stopped += 1,
            Some(130) if asks => stopped += 1,
            // The last kill came too late, or one came between the two: what is there is whole.
            Some(0 | 2) => {
                for (file, bytes) in files.iter().zip(&bytes).filter(|(file, _)| at.join(file).exists()) {
                    assert!(fs::read(at.join(file)).unwrap() == *bytes, "{file}: {}", err(&output));
                    fs::remove_file(at.join(file)).unwrap();
                }
            }
            code => panic!("{code:?}: {}", err(&output)),
        }
        if asks {
            assert!(err(&output).contains("run the same command again"), "{}", err(&output));
            assert!(files.iter().all(|file| !at.join(file).exists()), "one proof without the other");
        }
    }
    let enough = moments.len() as u32 / 2;
    assert!(stopped > enough && resumed >= enough - 1, "{stopped} times stopped, {resumed} resumed");
    let last = run(at, &line);
    assert!(last.status.success() && err(&last).contains("resumed"), "{}", err(&last));
    assert_eq!(last.stdout, said.stdout);
    for (file, bytes) in files.iter().zip(&bytes) {
        assert!(fs::read(at.join(file)).unwrap() == *bytes, "{file}: other bytes after {stopped} stops");
    }
    assert_eq!(names(at), [&["cache"][..], &files[..]].concat(), "nothing else is left");

    // All is known now. No file may be larger than this: the system refuses to write on, as a full disk does.
    for format in ["plain", "xz", "zstd"] {
        let line = format!("{prove} --format {format} --out full");
        let full = cramped(BINARY, at, &line, 50 << 10).output().unwrap();
        assert_eq!(full.status.code(), Some(2), "{format}: {}", err(&full));
        assert!(err(&full).contains("cannot be written") && err(&full).contains(files[0]), "{}", err(&full));
        assert_eq!(names(&at.join("full")), Vec::<String>::new(), "{format}: something torn is left");
    }
}
