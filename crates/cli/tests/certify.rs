//! Proofs as a shell sees them: files that are in the way.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// Both proofs of the theorem, which take seconds.
const PROVE: &str = "certify geister --first two";
/// What they are called.
const FILES: [&str; 2] = ["two-first-lower.jsonl.zst", "two-first-upper.jsonl.zst"];

fn program(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
    for name in ["LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "YOMIKIRI_CACHE_LIMIT"] {
        command.env_remove(name);
    }
    command.env("YOMIKIRI_CACHE", folder.join("cache")).current_dir(folder).args(line.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(folder: &Path, line: &str) -> Output {
    program(folder, line).output().unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

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
