//! `cargo xtask fuzz`: the targets of `crates/fuzz` under libFuzzer, on stable Rust. The fuzzer is built outside the
//! workspace, into `target/fuzz`, with counters of coverage in everything that is ours or a library's.

use crate::{root, target, works};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What makes rustc count which edges are taken and tell which numbers are compared: what `cargo fuzz` asks of a nightly
/// compiler, without its sanitizers. There is no `unsafe` of ours for them to look at.
const FLAGS: [&str; 8] = [
    "--cfg",
    "fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cdebug-assertions",
];
/// How the fuzzer is bounded: an input that takes longer or more is a finding.
const BOUNDS: [&str; 4] = ["-max_len=4095", "-timeout=30", "-rss_limit_mb=2048", "-malloc_limit_mb=512"];
/// Seconds a target, where nobody says how many.
const SECONDS: u64 = 60;
/// Files of a target that are kept in the project.
const KEPT: usize = 60;

/// Where the corpus of the project is.
fn corpus() -> PathBuf {
    root().join("fuzz/corpus")
}

/// The targets: each has a folder of inputs.
fn targets() -> Result<Vec<String>> {
    let folder = corpus();
    let found = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let mut names: Vec<String> =
        found.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    Ok(names)
}

/// Does what the words after `fuzz` ask for.
pub fn run(words: &[String]) -> Result<()> {
    let all = targets()?;
    let (mut chosen, mut seconds, mut keep) = (Vec::new(), None, false);
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        match word {
            "--list" => return list(&all),
            "--keep" => keep = true,
            "--seconds" => {
                let given = words.next().unwrap_or_default();
                seconds = Some(given.parse::<u64>().ok().filter(|n| *n > 0).with_context(|| {
                    format!("--seconds: got \"{given}\"; accepted: a whole number from 1")
                })?);
            }
            name if all.iter().any(|target| target == name) => chosen.push(name.to_owned()),
            other => bail!("fuzz: {other}; accepted: --list, --seconds N, --keep, {}", all.join(", ")),
        }
    }
    if chosen.is_empty() && seconds.is_none() && !keep {
        return list(&all);
    }
    let chosen = if chosen.is_empty() { all } else { chosen };
    let fuzzer = build()?;
    let mut found = Vec::new();
    for name in &chosen {
        if keep {
            kept(&fuzzer, name)?;
        } else if !tried(&fuzzer, name, seconds.unwrap_or(SECONDS))? {
            found.push(name.as_str());
        }
    }
    ensure!(found.is_empty(), "the fuzzer has found something: {}", found.join(", "));
    Ok(())
}

fn list(all: &[String]) -> Result<()> {
    println!(
        "cargo xtask fuzz TARGET... --seconds N; without a target all of them. What they try: docs/testing.md"
    );
    all.iter().for_each(|name| println!("  {name}"));
    Ok(())
}

/// Builds the fuzzer.
fn build() -> Result<PathBuf> {
    let host = works("rustc", &["-vV"]).context("rustc does not start")?;
    let host =
        host.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?.to_owned();
    let place = target().join("fuzz");
    eprintln!("\n== the fuzzer, in {}", place.display());
    let done = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        // With a target named, build scripts are built without the counters.
        .args(["build", "--release", "--target", &host])
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"))
        .env("CARGO_TARGET_DIR", &place)
        .current_dir(root().join("fuzz"))
        .status()
        .context("cargo does not start")?;
    ensure!(done.success(), "the fuzzer cannot be built; it needs a C++ compiler for libFuzzer");
    Ok(place.join(host).join("release").join(format!("fuzz{}", std::env::consts::EXE_SUFFIX)))
}

/// The fuzzer for a target, in a folder where nothing of anybody lies.
fn fuzzer(program: &Path, name: &str) -> Result<Command> {
    let folder = target().join("fuzz/run");
    fs::create_dir_all(&folder)?;
    let mut command = Command::new(program);
    command.env("YOMIKIRI_FUZZ", name).env_remove("YOMIKIRI_CACHE").current_dir(folder).stdin(Stdio::null());
    // Many small files that nobody is to keep.
    if Path::new("/dev/shm").is_dir() {
        command.env("TMPDIR", "/dev/shm");
    }
    command.args(BOUNDS);
    Ok(command)
}

/// Runs a target; whether nothing was found. What it learns is kept in `target/fuzz/corpus`, what it finds in
/// `target/fuzz/found`.
fn tried(program: &Path, name: &str, seconds: u64) -> Result<bool> {
    let learnt = target().join("fuzz/corpus").join(name);
    let found = target().join("fuzz/found");
    fs::create_dir_all(&learnt)?;
    fs::create_dir_all(&found)?;
    let before = artefacts(&found, name)?;
    eprintln!("\n== {name}, {seconds} s");
    let status = fuzzer(program, name)?
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/{name}-", found.display()))
        // What the program says to people is not for those who read the fuzzer's lines.
        .args(["-close_fd_mask=3", "-print_final_stats=1"])
        .args([&learnt, &corpus().join(name)])
        .status()
        .context("the fuzzer does not start")?;
    if status.success() {
        return Ok(true);
    }
    for file in artefacts(&found, name)?.into_iter().filter(|file| !before.contains(file)) {
        // Once more, to be heard.
        eprintln!("\n!! {name}: {}", file.display());
        let _ = fuzzer(program, name)?.arg(&file).status();
    }
    Ok(false)
}

fn artefacts(folder: &Path, name: &str) -> Result<Vec<PathBuf>> {
    let begins = |path: &PathBuf| {
        path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(&format!("{name}-")))
    };
    Ok(fs::read_dir(folder)?.flatten().map(|entry| entry.path()).filter(begins).collect())
}

/// Puts the fewest inputs that reach what is reached into the corpus of the project.
fn kept(program: &Path, name: &str) -> Result<()> {
    let fewest = target().join("fuzz/fewest").join(name);
    let _ = fs::remove_dir_all(&fewest);
    fs::create_dir_all(&fewest)?;
    let learnt = target().join("fuzz/corpus").join(name);
    fs::create_dir_all(&learnt)?;
    let place = corpus().join(name);
    let done = fuzzer(program, name)?
        .args(["-merge=1", "-close_fd_mask=3"])
        .args([&fewest, &place, &learnt])
        .stderr(Stdio::null())
        .status()?;
    ensure!(done.success(), "{name}: the corpus cannot be merged");
    let mut files: Vec<(u64, PathBuf)> = fs::read_dir(&fewest)?
        .flatten()
        .filter_map(|entry| Some((entry.metadata().ok()?.len(), entry.path())))
        .collect();
    files.sort();
    let reach = files.len();
    // Short ones and long ones alike.
    let step = reach.div_ceil(KEPT).max(1);
    let chosen: Vec<&PathBuf> = files.iter().rev().step_by(step).map(|(_, path)| path).collect();
    for old in fs::read_dir(&place)?.flatten() {
        fs::remove_file(old.path())?;
    }
    for path in &chosen {
        fs::copy(path, place.join(path.file_name().unwrap_or_default()))?;
    }
    eprintln!("{name}: {} of {reach} inputs are kept", chosen.len());
    Ok(())
}
