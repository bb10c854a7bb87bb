//! Sweeps as a shell sees them: killed at any moment, on a disk that fills up, and by signals that ask.

use crate::{BINARY, program, run};
use std::fs;
use std::path::Path;
use std::time::Duration;
use yomikiri_core::random::Random;
use yomikiri_testkit::program::{cramped, err, signal};

/// A sweep of a few thousand rows that takes a second or two.
const SWEEP: &str = "study accordion lookahead --deals 400 --from 8 --to 17 --limit 1000000";
const ROWS: usize = 4000;

/// The whole thing without interruption: the file's bytes and what was said.
fn whole(line: &str, file: &str) -> (Vec<u8>, Vec<u8>) {
    let dir = tempfile::tempdir().unwrap();
    let output = run(dir.path(), line);
    assert!(output.status.success(), "{}", err(&output));
    (fs::read(dir.path().join(file)).unwrap(), output.stdout)
}

#[test]
fn law_killed_at_any_moment_it_goes_on_to_the_same_bytes() {
    for (seed, ending) in [(1, "csv"), (2, "parquet")] {
        let file = format!("rows.{ending}");
        let (bytes, said) = whole(&format!("{SWEEP} --threads 1 --out {file}"), &file);
        let dir = tempfile::tempdir().unwrap();
        let mut random = Random::new(seed);
        let (mut kills, mut resumed) = (0, 0);
        let last = loop {
            let mut child =
                program(dir.path(), &format!("{SWEEP} --threads 2 --out {file}")).spawn().unwrap();
            // From before the first row to well into the work; now and then it is left alone for longer.
            let patience = random.below(if kills % 8 == 7 { 1500 } else { 150 });
            std::thread::sleep(Duration::from_millis(patience));
            let ended = child.try_wait().unwrap();
            if ended.is_none() {
                kills += 1;
                signal(&child, "-KILL");
            }
            let output = child.wait_with_output().unwrap();
            resumed += u32::from(err(&output).contains("resumed at"));
            if output.status.success() {
                break output;
            }
            if output.status.code() == Some(2) && kills > 0 {
                // The last kill came after the file was whole and in its place: it is not replaced unasked.
                let path = dir.path().join(&file);
                assert!(fs::read(&path).unwrap() == bytes, "{ending}: {}", err(&output));
                fs::remove_file(path).unwrap();
                continue;
            }
            assert_eq!(output.status.code(), None, "killed, not failed: {}", err(&output));
            assert!(kills < 300, "it does not come forward");
        };
        assert!(kills >= 3 && resumed >= 2, "{kills} kills, {resumed} times resumed");
        assert_eq!(last.stdout, said);
        assert!(
            fs::read(dir.path().join(&file)).unwrap() == bytes,
            "{ending}: other bytes after {kills} kills"
        );
        let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(left, [file.as_str()], "nothing else is left");
    }
}

#[test]
fn law_without_a_file_a_killed_sweep_goes_on_from_the_cache() {
    let dir = tempfile::tempdir().unwrap();
    let said = run(dir.path(), &format!("{SWEEP} --no-cache --json")).stdout;
    let mut child = program(dir.path(), &format!("{SWEEP} --json")).spawn().unwrap();
    let kept = dir.path().join("cache");
    while child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
        // Enough for some blocks.
        if size(&kept) > 4000 {
            signal(&child, "-KILL");
        }
    }
    let both = run(dir.path(), &format!("{SWEEP} --resume --fresh"));
    assert_eq!(both.status.code(), Some(2), "{}", err(&both));
    let output = run(dir.path(), &format!("{SWEEP} --json --resume"));
    assert!(err(&output).contains("resumed at"), "{}", err(&output));
    assert_eq!(output.stdout, said);
    assert_eq!(size(&kept), 0, "the journal is gone with the answer");
}

/// Bytes of all files below a folder.
fn size(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let of = |entry: fs::DirEntry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => size(&entry.path()),
        Ok(meta) => meta.len(),
        Err(_) => 0,
    };
    entries.flatten().map(of).sum()
}

#[test]
fn law_signals_that_ask_are_told_how_to_go_on() {
    for kind in ["-INT", "-TERM"] {
        let dir = tempfile::tempdir().unwrap();
        let line =
            "study accordion lookahead --deals 100000 --from 12 --to 30 --limit 1000000 --out rows.csv";
        let child = program(dir.path(), line).spawn().unwrap();
        let part = dir.path().join("rows.csv.part");
        while fs::metadata(&part).map_or(0, |meta| meta.len()) < 2000 {
            std::thread::sleep(Duration::from_millis(5));
        }
        signal(&child, kind);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", err(&output));
        for part in ["rows are kept in rows.csv.part", "run the same command again"] {
            assert!(err(&output).contains(part), "{}", err(&output));
        }
        assert!(part.exists() && !dir.path().join("rows.csv").exists());
    }
}

#[test]
fn law_a_disk_that_fills_up_loses_no_finished_row() {
    let line = format!("{SWEEP} --out rows.csv");
    let (bytes, said) = whole(&line, "rows.csv");
    assert_eq!(bytes.iter().filter(|&&b| b == b'\n').count(), ROWS + 1);
    // While the journal grows, and when the output is written.
    for (room, named) in
        [(8 << 10, "rows.csv.part cannot be written"), (bytes.len() - 2048, "rows.csv cannot be written")]
    {
        let dir = tempfile::tempdir().unwrap();
        let full = cramped(BINARY, dir.path(), &line, room).output().unwrap();
        assert_eq!(full.status.code(), Some(2), "{}", err(&full));
        assert!(err(&full).contains(named) && err(&full).contains("rows are kept"), "{}", err(&full));
        assert!(!dir.path().join("rows.csv").exists() && !dir.path().join("rows.csv.writing").exists());
        // With room again it goes on.
        let output = run(dir.path(), &line);
        assert!(output.status.success() && err(&output).contains("resumed at"), "{}", err(&output));
        assert!(fs::read(dir.path().join("rows.csv")).unwrap() == bytes && output.stdout == said);
    }
    // In the cache it costs only the resuming.
    let dir = tempfile::tempdir().unwrap();
    let full = cramped(BINARY, dir.path(), SWEEP, 8 << 10).output().unwrap();
    assert!(full.status.success() && full.stdout == said, "{}", err(&full));
}

#[test]
fn law_what_is_in_the_way_is_neither_written_over_nor_waited_for() {
    let small = "study accordion lookahead --deals 5 --from 8 --to 9 --limit 1000";
    for ending in ["csv", "parquet"] {
        let line = format!("{small} --out w.{ending}");
        let (bytes, _) = whole(&line, &format!("w.{ending}"));
        for beside in ["writing", "part"] {
            let (there, target) = (format!("w.{ending}.{beside}"), format!("w.{ending}"));
            let tried = |set: &dyn Fn(&Path)| {
                let dir = tempfile::tempdir().unwrap();
                fs::write(dir.path().join("victim"), "mine").unwrap();
                set(dir.path());
                let output = run(dir.path(), &line);
                assert_eq!(output.status.code(), Some(2), "{there}: {}", err(&output));
                assert!(err(&output).contains(&target), "{}", err(&output));
                assert_eq!(fs::read(dir.path().join("victim")).unwrap(), b"mine");
                dir
            };
            // A link to a file of somebody, and to one that is not there.
            tried(&|dir| std::os::unix::fs::symlink(dir.join("victim"), dir.join(&there)).unwrap());
            let dir =
                tried(&|dir| std::os::unix::fs::symlink(dir.join("nothing"), dir.join(&there)).unwrap());
            assert!(!dir.path().join("nothing").exists());
            // A pipe that nobody reads.
            tried(&|dir| {
                assert!(
                    std::process::Command::new("mkfifo").arg(dir.join(&there)).status().unwrap().success()
                );
            });
            // A file that is not the beginning of ours.
            let dir = tried(&|dir| fs::write(dir.join(&there), "mine, too").unwrap());
            assert_eq!(fs::read(dir.path().join(&there)).unwrap(), b"mine, too");
        }
        // The beginning of ours is what a run that was killed has left.
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(format!("w.{ending}.writing")), &bytes[..bytes.len() / 2]).unwrap();
        let output = run(dir.path(), &line);
        assert!(output.status.success(), "{}", err(&output));
        assert!(fs::read(dir.path().join(format!("w.{ending}"))).unwrap() == bytes);
    }
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("d.csv")).unwrap();
    let said = err(&run(dir.path(), &format!("{small} --out d.csv --force")));
    assert!(said.contains("which is a folder") && !said.contains("--force"), "{said}");
}

#[test]
fn law_the_cache_ends_at_links_and_pipes() {
    let dir = tempfile::tempdir().unwrap();
    let cache = dir.path().join("cache");
    let answer = |line: &str| run(dir.path(), line);
    let value = || {
        let solved = answer("solve memory --ranks 8 --json");
        assert!(solved.status.success(), "{}", err(&solved));
        serde_json::from_slice::<serde_json::Value>(&solved.stdout).unwrap()["fraction"].clone()
    };
    let solved = value();
    // A pipe where something is kept: it is solved again, and nobody waits.
    let mut kept = Vec::new();
    let mut folders = vec![cache.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path())
            } else {
                kept.push(entry.path())
            }
        }
    }
    assert!(!kept.is_empty(), "nothing is kept");
    for file in &kept {
        fs::remove_file(file).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(file).status().unwrap().success());
    }
    assert_eq!(value(), solved);
    // A link out of the cache is not followed when it is cleared.
    let outside = dir.path().join("outside");
    fs::create_dir_all(&outside).unwrap();
    let version =
        fs::read_dir(&cache).unwrap().flatten().find(|e| e.file_name().to_string_lossy().starts_with('v'));
    let mine = outside.join("mine.bin");
    fs::write(&mine, "yomikiri, but mine").unwrap();
    std::os::unix::fs::symlink(&outside, cache.join("v9")).unwrap();
    std::os::unix::fs::symlink(&outside, version.unwrap().path().join("more")).unwrap();
    assert!(answer("cache clear").status.success());
    assert!(mine.exists(), "it cleared what is not in the cache");
}
