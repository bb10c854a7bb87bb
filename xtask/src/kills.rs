//! `cargo xtask kills`: the release program killed at random moments, again and again, whatever it does; each time it goes
//! on from what it has kept, and in the end there must be the same bytes as after a run that nobody disturbed.

use crate::random::Random;
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use yomikiri_testkit::program;
use yomikiri_testkit::server::Server;

/// Seconds between checkpoints, so that there are some to go on from.
const CHECKPOINT: &str = "0.05";
/// After so many kills a run is left alone, so that its result can be compared; where it takes minutes, after all of them.
const CHAIN: u64 = 6;

/// Something that is killed.
struct Case {
    what: &'static str,
    /// The command; rows of studies on a server are a case of their own.
    line: &'static str,
    /// How much of all kills it gets.
    share: u64,
    /// The latest moment of a kill, where the whole run takes longer, in milliseconds.
    latest: u64,
}

const ALWAYS: u64 = u64::MAX;

const CASES: [Case; 12] = [
    Case { what: "solve, with its cache", line: "solve memory --ranks 36", share: 12, latest: ALWAYS },
    Case {
        what: "table build, Memory",
        line: "table build memory --ranks 30 --out table --resume",
        share: 14,
        latest: ALWAYS,
    },
    Case {
        what: "table build, Mini-Geister",
        line: "table build geister --out table --resume",
        share: 14,
        latest: ALWAYS,
    },
    Case {
        what: "table build with checkpoints",
        line: "table build geister --analysis 2v2-basic --width 5 --height 4 --a 4 --b 4 --mirror off --out table --resume",
        share: 4,
        latest: ALWAYS,
    },
    Case {
        what: "sweep, CSV",
        line: "study accordion lookahead --deals 400 --from 8 --to 17 --limit 1000000 --out rows.csv",
        share: 16,
        latest: ALWAYS,
    },
    Case {
        what: "sweep, Parquet",
        line: "study accordion lookahead --deals 400 --from 8 --to 17 --limit 1000000 --out rows.parquet",
        share: 16,
        latest: ALWAYS,
    },
    Case {
        what: "sweep, in the cache",
        line: "study accordion lookahead --deals 400 --from 8 --to 17 --limit 1000000 --resume",
        share: 8,
        latest: ALWAYS,
    },
    Case {
        what: "reproduce --full, some parts",
        line: "reproduce memory --full --only table-2,table-3,figure-2,table-4,two-cards",
        share: 6,
        latest: ALWAYS,
    },
    Case { what: "serve, with a study running", line: "", share: 10, latest: ALWAYS },
    Case {
        what: "certify, coarse grid",
        line: "certify geister --first two --grid coarse --side upper --format plain",
        share: 4,
        latest: ALWAYS,
    },
    Case {
        what: "certify, fine grid",
        line: "certify geister --first two --grid fine --side upper --format plain",
        share: 2,
        latest: 12_000,
    },
    Case {
        what: "certify, adaptive grid",
        line: "certify geister --first two --grid adaptive --side lower --format plain",
        share: 2,
        latest: 12_000,
    },
];

/// What came of the kills of a case.
#[derive(Default)]
struct Tally {
    kills: u64,
    /// Runs that said they go on from something.
    resumes: u64,
    /// Runs that came to their end and were compared.
    compared: u64,
    /// Bytes that were not those of the undisturbed run.
    differing: u64,
}

/// What a run leaves: the files of its folder but for the cache, and what it said.
#[derive(PartialEq)]
struct Left {
    files: BTreeMap<PathBuf, Vec<u8>>,
    said: Value,
}

impl Left {
    /// Bytes that another has not, or has otherwise.
    fn differing(&self, other: &Left) -> u64 {
        let said = if self.said == other.said { 0 } else { self.said.to_string().len() as u64 };
        let names: std::collections::BTreeSet<&PathBuf> =
            self.files.keys().chain(other.files.keys()).collect();
        let none = Vec::new();
        said + names
            .into_iter()
            .map(|name| {
                let (a, b) = (self.files.get(name).unwrap_or(&none), other.files.get(name).unwrap_or(&none));
                let same = a.iter().zip(b).filter(|(a, b)| a == b).count();
                (a.len().max(b.len()) - same) as u64
            })
            .sum::<u64>()
    }
}

/// Kills as often as wished, all cases or the one with a number, and says what came of it.
///
/// # Errors
/// A run that fails, and bytes that differ.
pub fn kills(binary: &Path, scratch: &Path, count: u64, seed: u64, only: u64) -> Result<()> {
    let number = usize::try_from(only)?;
    ensure!(number <= CASES.len(), "--case: {only}; accepted: 1 to {}, or 0 for all", CASES.len());
    let cases = if number == 0 { &CASES[..] } else { &CASES[number - 1..number] };
    let all: u64 = cases.iter().map(|case| case.share).sum();
    let mut random = Random(seed);
    let mut tallies = Vec::new();
    let begun = Instant::now();
    for case in cases {
        let wanted = (count * case.share).div_ceil(all);
        let folder = scratch.join("kills");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        let tally = if case.line.is_empty() {
            served(binary, &folder, wanted, &mut random)
        } else {
            killed(binary, &folder, case, wanted, &mut random)
        };
        let tally = tally.with_context(|| case.what)?;
        eprintln!(
            "{}: {} kills, {} resumes, {} compared, {} bytes differ, {} s so far",
            case.what,
            tally.kills,
            tally.resumes,
            tally.compared,
            tally.differing,
            begun.elapsed().as_secs()
        );
        tallies.push(tally);
    }
    println!("{:<30} {:>6} {:>8} {:>9} {:>16}", "what", "kills", "resumes", "compared", "differing bytes");
    let mut sum = Tally::default();
    for (case, tally) in cases.iter().zip(&tallies) {
        println!(
            "{:<30} {:>6} {:>8} {:>9} {:>16}",
            case.what, tally.kills, tally.resumes, tally.compared, tally.differing
        );
        sum.kills += tally.kills;
        sum.resumes += tally.resumes;
        sum.compared += tally.compared;
        sum.differing += tally.differing;
    }
    println!("{:<30} {:>6} {:>8} {:>9} {:>16}", "all", sum.kills, sum.resumes, sum.compared, sum.differing);
    ensure!(sum.differing == 0, "{} bytes differ", sum.differing);
    ensure!(sum.resumes > 0, "nothing was ever resumed");
    Ok(())
}

/// Some milliseconds below a limit; every fourth time soon after the start.
fn moment(random: &mut Random, limit: u64) -> Duration {
    let limit = if random.below(4) == 0 { limit.min(200) } else { limit };
    Duration::from_millis(random.below(limit.max(1)))
}

/// A command killed so often, and compared whenever it came to its end.
fn killed(binary: &Path, folder: &Path, case: &Case, wanted: u64, random: &mut Random) -> Result<Tally> {
    let whole = folder.join("whole");
    fs::create_dir(&whole)?;
    let begun = Instant::now();
    let line = |threads: u64| format!("{} --json --threads {threads}", case.line);
    let output = program::line(binary, &whole, &line(1)).output()?;
    ensure!(output.status.success(), "{}", program::err(&output));
    let expected = Left { files: files(&whole)?, said: said(&output.stdout)? };
    // A little more than it takes, so that kills come near the end, too.
    let limit = (begun.elapsed().as_millis() as u64 * 11 / 10).min(case.latest);

    let mut tally = Tally::default();
    while tally.kills < wanted || tally.compared == 0 {
        let at = folder.join("killed");
        let _ = fs::remove_dir_all(&at);
        fs::create_dir(&at)?;
        let mut chain = 0;
        loop {
            let mut command = program::line(binary, &at, &line(1 + random.below(2)));
            let mut child = command.env("YOMIKIRI_CHECKPOINT", CHECKPOINT).spawn()?;
            if (chain < CHAIN || case.latest != ALWAYS) && tally.kills < wanted {
                std::thread::sleep(moment(random, limit));
                if child.try_wait()?.is_none() {
                    tally.kills += 1;
                    chain += 1;
                    child.kill()?;
                }
            }
            let output = child.wait_with_output()?;
            let told = program::err(&output);
            tally.resumes += u64::from(told.contains("resumed") || told.contains("done in an earlier run"));
            match output.status.code() {
                None => continue,
                Some(0) => {
                    let left = Left { files: files(&at)?, said: said(&output.stdout)? };
                    tally.differing += left.differing(&expected);
                    tally.compared += 1;
                    break;
                }
                // The last kill came when a file was whole and in its place already: it is not replaced unasked.
                Some(2) if chain > 0 => {
                    let there = files(&at)?;
                    let mut whole = 0;
                    for (name, bytes) in &expected.files {
                        if let Some(found) = there.get(name) {
                            ensure!(found == bytes, "{}: {}", name.display(), program::err(&output));
                            whole += 1;
                        }
                    }
                    ensure!(whole > 0, "{}", program::err(&output));
                    tally.compared += 1;
                    break;
                }
                code => bail!("exit status {code:?}: {}", program::err(&output)),
            }
        }
    }
    Ok(tally)
}

/// Every file below a folder but for the cache.
fn files(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        for entry in fs::read_dir(folder.join(&below))? {
            let entry = entry?;
            let name = below.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                if name != Path::new("cache") {
                    folders.push(name);
                }
            } else {
                all.insert(name, fs::read(entry.path())?);
            }
        }
    }
    Ok(all)
}

/// What a run said, without how long it took and where it was found.
fn said(stdout: &[u8]) -> Result<Value> {
    let text = std::str::from_utf8(stdout)?;
    let mut value: Value = serde_json::from_str(text).with_context(|| text.to_owned())?;
    forget(&mut value);
    Ok(value)
}

fn forget(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| !matches!(key.as_str(), "seconds" | "cached"));
            map.values_mut().for_each(forget);
        }
        Value::Array(all) => all.iter_mut().for_each(forget),
        _ => {}
    }
}

/// A server killed so often while a study runs on it; its rows, its result and other answers are compared.
fn served(binary: &Path, folder: &Path, wanted: u64, random: &mut Random) -> Result<Tally> {
    let wish = json!({
        "kind": "study", "game": "accordion", "study": "lookahead", "seed": 2,
        "settings": {"deals": 400, "from": 8, "to": 17, "limit": 1_000_000},
    })
    .to_string();
    let start = |folder: &Path| {
        let mut command = program::line(binary, folder, "serve --port 0 --json --quiet");
        Server::start(command.env("YOMIKIRI_CHECKPOINT", CHECKPOINT))
    };
    let begin = |server: &Server| -> Result<String> {
        let job = server.ask("POST", "/api/jobs", "", &wish)?;
        ensure!(job.status == 201, "{}", String::from_utf8_lossy(&job.body));
        Ok(format!("/api/jobs/{}", job.json()["id"].as_str().context("no id")?))
    };
    // Everything there is to be had of it, when it is done.
    let finish = |server: &Server, place: &str| -> Result<(Left, bool)> {
        loop {
            let job = server.ask("GET", &format!("{place}?wait=1000"), "", "")?.json();
            match job["state"].as_str() {
                Some("done") => {
                    let resumed = job["notes"].to_string().contains("resumed");
                    let mut said = json!([job["result"]["json"], job["rows"]]);
                    forget(&mut said);
                    let mut files = BTreeMap::new();
                    for target in [
                        &format!("{place}/rows.csv"),
                        "/api/show/memory?position=2x22",
                        "/api/show/geister?position=2v2-basic_1_.pp./..../..../.PP.",
                        "/api/show/sixtysix?hand=2",
                    ] {
                        let name = target.rsplit('/').next().unwrap_or(target);
                        files.insert(PathBuf::from(name), server.ask("GET", target, "", "")?.body);
                    }
                    return Ok((Left { files, said }, resumed));
                }
                Some("waiting" | "running") => {}
                _ => bail!("{job}"),
            }
        }
    };
    let begun = Instant::now();
    let whole = folder.join("whole");
    fs::create_dir(&whole)?;
    let server = start(&whole)?;
    let (expected, _) = finish(&server, &begin(&server)?)?;
    drop(server);
    let limit = begun.elapsed().as_millis() as u64;

    let mut tally = Tally::default();
    while tally.kills < wanted || tally.compared == 0 {
        let at = folder.join("killed");
        let _ = fs::remove_dir_all(&at);
        fs::create_dir(&at)?;
        for _ in 0..CHAIN.min(wanted - tally.kills) {
            let mut server = start(&at)?;
            let _ = begin(&server)?;
            std::thread::sleep(moment(random, limit));
            server.child.kill()?;
            server.child.wait()?;
            tally.kills += 1;
        }
        let server = start(&at)?;
        let (left, resumed) = finish(&server, &begin(&server)?)?;
        tally.resumes += u64::from(resumed);
        tally.differing += left.differing(&expected);
        tally.compared += 1;
    }
    Ok(tally)
}
