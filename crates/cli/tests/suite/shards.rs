//! A run dealt out to several machines and put together again, as a shell sees it.

use crate::{program, run};
use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;
use yomikiri_core::random::Random;
use yomikiri_testkit::program::{err, signal};

/// A sweep of 1,200 rows.
const SWEEP: &str = "study accordion lookahead --deals 200 --from 8 --to 13 --limit 100000";
const ROWS: usize = 1200;

fn done(folder: &Path, line: &str) -> Output {
    let output = run(folder, line);
    assert!(output.status.success(), "{line}: {}", err(&output));
    output
}

/// Runs a shard to its end through some kills at random moments; how many came in time.
fn killed(folder: &Path, line: &str, random: &mut Random) -> u32 {
    let mut kills = 0;
    for _ in 0..3 {
        let mut child = program(folder, line).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(random.below(120)));
        if child.try_wait().unwrap().is_none() {
            signal(&child, "-KILL");
            kills += 1;
        }
        child.wait_with_output().unwrap();
    }
    done(folder, line);
    kills
}

#[test]
fn law_shards_killed_at_any_moment_come_to_the_bytes_of_one_machine() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let said = done(at, &format!("{SWEEP} --seed 5 --out one.csv")).stdout;
    let json = done(at, &format!("{SWEEP} --seed 5 --json --out one.parquet")).stdout;
    let [csv, parquet] = ["one.csv", "one.parquet"].map(|file| fs::read(at.join(file)).unwrap());
    assert_eq!(csv.iter().filter(|b| **b == b'\n').count(), ROWS + 1);
    let mut random = Random::new(3);
    let mut kills = 0;
    for of in [1, 3, 7] {
        // The last shard first, and each with another number of threads: neither shows.
        let files: Vec<String> = (0..of).rev().map(|i| format!("{i}.of{of}.shard")).collect();
        for (i, file) in (0..of).rev().zip(&files) {
            let threads = 1 + i % 2;
            let line = format!("{SWEEP} --seed 5 --threads {threads} --shard {i}/{of} --out {file}");
            kills += killed(at, &line, &mut random);
        }
        let files = files.join(" ");
        let merged = done(at, &format!("merge {files} --out all{of}.csv"));
        assert_eq!(merged.stdout, said);
        assert!(fs::read(at.join(format!("all{of}.csv"))).unwrap() == csv, "{of} shards");
        assert!(err(&merged).contains("1,200 rows"), "{}", err(&merged));
        let merged = done(at, &format!("merge {files} --json --out all{of}.parquet"));
        assert_eq!(merged.stdout, json);
        assert!(fs::read(at.join(format!("all{of}.parquet"))).unwrap() == parquet, "{of} shards");
        // The answer alone.
        assert_eq!(done(at, &format!("merge {files} --json")).stdout, json);
    }
    assert!(kills > 5, "{kills} kills");
    let left = fs::read_dir(at).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = left.filter(|name| name.contains(".part") || name.contains(".writing")).collect();
    assert_eq!(left, Vec::<String>::new());
}

const SMALL: &str = "study accordion lookahead --deals 5 --from 8 --to 9 --limit 1000";

#[test]
fn law_a_shard_that_is_missing_double_foreign_or_damaged_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    for i in 0..3 {
        done(at, &format!("{SMALL} --shard {i}/3 --out {i}.shard"));
    }
    done(at, &format!("{SMALL} --out whole.csv"));
    done(at, &format!("{SMALL} --seed 2 --shard 1/3 --out seed.shard"));
    done(at, &format!("{} --shard 1/3 --out deals.shard", SMALL.replace("--deals 5", "--deals 6")));
    done(at, &format!("{SMALL} --shard 1/4 --out fourth.shard"));
    done(at, "study accordion solvable --deals 30 --shard 1/3 --out study.shard");
    fs::copy(at.join("1.shard"), at.join("copy.shard")).unwrap();
    fs::create_dir(at.join("folder.shard")).unwrap();
    let good = fs::read(at.join("1.shard")).unwrap();
    fs::write(at.join("cut.shard"), &good[..good.len() - 40]).unwrap();
    fs::write(at.join("torn.shard"), &good[..30]).unwrap();
    fs::write(at.join("empty.shard"), "").unwrap();
    for (files, named, ja) in [
        ("0.shard 2.shard", "missing: 1/3", "不足：1/3"),
        ("1.shard", "missing: 0/3, 2/3", "不足：0/3, 2/3"),
        (
            "0.shard 1.shard 2.shard copy.shard",
            "shard 1/3 twice: 1.shard and copy.shard",
            "シャード 1/3 が2つ",
        ),
        ("0.shard 0.shard 2.shard", "shard 0/3 twice", "シャード 0/3 が2つ"),
        (
            "0.shard seed.shard 2.shard",
            "seed.shard, a shard of another run (seed=2; 0.shard: seed=1)",
            "別の実行",
        ),
        ("0.shard deals.shard 2.shard", "(deals=6; 0.shard: deals=5)", "別の実行"),
        ("0.shard fourth.shard 2.shard", "(shard=1/4; 0.shard: shard=0/3)", "別の実行"),
        ("0.shard study.shard 2.shard", "study=accordion solvable", "別の実行"),
        ("0.shard whole.csv 2.shard", "whole.csv: it is no shard", "シャードではありません"),
        ("0.shard nothing.shard", "nothing.shard: cannot be read", "読めません"),
        ("0.shard folder.shard", "folder.shard: cannot be read", "読めません"),
        ("0.shard empty.shard", "empty.shard: it is no shard", "シャードではありません"),
        ("0.shard torn.shard", "torn.shard: its beginning is damaged", "先頭が壊れて"),
        ("0.shard cut.shard 2.shard", "cut.shard: it is not whole", "完全ではありません"),
    ] {
        let output = run(at, &format!("merge {files} --out merged.csv"));
        assert_eq!(output.status.code(), Some(2), "{files}");
        assert!(err(&output).contains(named), "{files}: {}", err(&output));
        let output = run(at, &format!("merge {files} --lang ja"));
        assert!(err(&output).contains(ja), "{files}: {}", err(&output));
        assert!(!at.join("merged.csv").exists());
    }
    // Damage anywhere.
    for byte in (0..good.len()).step_by(9).chain([good.len() - 1]) {
        let mut bad = good.clone();
        bad[byte] ^= 0x20;
        fs::write(at.join("bad.shard"), &bad).unwrap();
        let output = run(at, "merge 0.shard bad.shard 2.shard");
        assert_eq!(output.status.code(), Some(2), "{byte}");
        assert!(err(&output).contains("bad.shard"), "{byte}: {}", err(&output));
    }
    // What is in the way, and what does not belong together.
    for (line, named) in [
        ("merge 0.shard 1.shard 2.shard --out whole.csv", "which exists"),
        ("merge 0.shard 1.shard 2.shard --out merged.txt", ".csv or .parquet"),
        ("merge 0.shard 1.shard 2.shard --seed 2", "--seed"),
        ("merge 0.shard 1.shard 2.shard --html pages", "--html"),
        ("merge", "FILE"),
    ] {
        let output = run(at, line);
        assert!(output.status.code() == Some(2) && err(&output).contains(named), "{line}: {}", err(&output));
    }
    for (flags, named) in [
        ("--shard 3/3 --out x.shard", "--shard"),
        ("--shard 1 --out x.shard", "i/n"),
        ("--shard 0/3 --out x.csv", ".shard"),
        ("--shard 0/3", "--out"),
        ("--shard 1/3 --out 0.shard", "which exists"),
    ] {
        let output = run(at, &format!("{SMALL} {flags}"));
        assert!(output.status.code() == Some(2) && err(&output).contains(named), "{flags}: {}", err(&output));
    }
    // All is as it was, and the right ones still come together.
    let said = done(at, "merge 2.shard 0.shard 1.shard --out whole.csv --force").stdout;
    assert_eq!(said, done(at, &format!("{SMALL} --force --out whole.csv")).stdout);
    // A shard that is there is not made again.
    let again = done(at, &format!("{SMALL} --shard 1/3 --out 1.shard --json"));
    assert!(String::from_utf8(again.stdout).unwrap().contains("\"earlier\":true"));
    assert_eq!(fs::read(at.join("1.shard")).unwrap(), good);
    // More shards than items: some are empty.
    for i in 0..13 {
        done(at, &format!("{SMALL} --shard {i}/13 --out many{i}.shard"));
    }
    let files: Vec<String> = (0..13).map(|i| format!("many{i}.shard")).collect();
    assert_eq!(done(at, &format!("merge {}", files.join(" "))).stdout, said);
}

#[test]
fn law_parts_of_a_reproduction_come_together() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let line =
        "reproduce memory sixtysix --only figure-1,figure-2,figure-3,two-cards,zwick-paterson --seed 4";
    let whole = run(at, &format!("{line} --json"));
    for of in [1, 2, 5] {
        let files: Vec<String> = (0..of).map(|i| format!("{i}.of{of}.shard")).collect();
        for (i, file) in files.iter().enumerate() {
            done(at, &format!("{line} --shard {i}/{of} --out {file}"));
        }
        let merged = run(at, &format!("merge {} --json", files.join(" ")));
        assert_eq!((merged.status.code(), &merged.stdout), (whole.status.code(), &whole.stdout), "{of}");
    }
    let again = done(at, &format!("{line} --shard 0/5 --out 0.of5.shard --json"));
    assert!(String::from_utf8(again.stdout).unwrap().contains("\"earlier\":true"));
    for (line, named) in [
        ("merge 0.of2.shard 1.of5.shard", "shard=1/5"),
        ("merge 0.of2.shard", "missing: 1/2"),
        ("merge 0.of1.shard --out rows.csv", "--out"),
        ("reproduce accordion --shard 0/2", "--out"),
        ("reproduce accordion --shard 0/2 --out x.shard --html pages", "--html"),
    ] {
        let output = run(at, line);
        assert!(output.status.code() == Some(2) && err(&output).contains(named), "{line}: {}", err(&output));
    }
    done(at, "merge 0.of1.shard --html pages");
    assert!(at.join("pages/index.html").exists());
}
