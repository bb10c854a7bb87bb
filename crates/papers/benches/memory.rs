//! How fast Memory is solved. Every line is a ratio against something measured in the same run, because
//! machines are noisy; the counts are asserted, so that a fast wrong solver does not pass for a fast one.
//! Run it with `cargo xtask bench`.

use serde_json::{Map, Value, json};
use std::time::Instant;
use yomikiri_core::cache::Lru;
use yomikiri_core::{Number, Run};
use yomikiri_games::Entry;
use yomikiri_games::memory::MEMORY;
use yomikiri_games::memory::answer::shown;
use yomikiri_games::memory::levels::{Doubles, Factorials, Keep, Levels};

use yomikiri_games::memory::rules::{Memory, Objective};
use yomikiri_games::params::Settings;
use yomikiri_papers::memory::policies::PaperSearch;
use yomikiri_solve::Solver;
use yomikiri_solve::induction::Induction;
use yomikiri_solve::memo::Memo;
use yomikiri_solve::restrict::Restricted;
use yomikiri_testkit::bench::{head, line};

fn game(ranks: usize) -> Memory {
    Memory::new(ranks, 4, Objective::Win).expect("a legal size")
}

fn run(threads: usize) -> Run<'static> {
    Run { threads, memory: 8 << 30, ..Run::default() }
}

/// The fastest of some tries, in seconds.
fn time<R>(tries: usize, mut work: impl FnMut() -> R) -> (f64, R) {
    let mut best = f64::INFINITY;
    let mut result = None;
    for _ in 0..tries {
        let start = Instant::now();
        result = Some(work());
        best = best.min(start.elapsed().as_secs_f64());
    }
    (best, result.expect("at least one try"))
}

/// The largest memory this process has held, in MiB, where the system tells.
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024.0)
}

fn main() {
    // `cargo bench` passes flags of its own; the only word of ours asks for the memory of one solve.
    if std::env::args().any(|a| a == "peak-35") {
        let solved = Levels::solve(&game(35), Doubles, Keep::Window, &run(1)).expect("it fits");
        assert!(
            (solved.root(35).map_or(0.0, |v| shown(Objective::Win, &v)) - 0.499701975678301).abs() < 1e-14
        );
        println!("{}", peak().unwrap_or(f64::NAN));
        return;
    }

    head("Memory, four cards a rank");
    let g = game(13);
    let (dense, table) = time(20, || Levels::solve(&g, Doubles, Keep::All, &run(1)).expect("it fits"));
    assert_eq!(table.values, 75_012, "as many as there are positions, and the end");
    line("n = 13, whole table, dense levels, one thread", &format!("{:.2} ms", dense * 1e3), "", None);
    let bound = Restricted::both(&g, &PaperSearch);
    let (hashed, memo) = time(2, || Memo::<f64>::new().solve(&bound, &run(1)).expect("it fits"));
    assert_eq!(memo.positions(), 362_931);
    let ratio = hashed / dense;
    line(
        "  against the hash map on the paper's 362,931 positions",
        &format!("{:.0} ms, {ratio:.0} times", hashed * 1e3),
        "at least 15 times",
        Some(ratio >= 15.0),
    );
    let (all, memo) = time(1, || Memo::<f64>::new().solve(&g, &run(1)).expect("it fits"));
    assert_eq!(memo.positions(), 3_225_297);
    line(
        "  against the hash map on all positions",
        &format!("{:.0} ms, {:.0} times", all * 1e3, all / dense),
        "",
        None,
    );
    let (generic, tiers) = time(1, || Induction::<f64>::new().solve(&g, &run(1)).expect("it fits"));
    assert_eq!(tiers.positions(), 1_615_939);
    line(
        "  against the generic induction on all positions",
        &format!("{:.0} ms, {:.0} times", generic * 1e3, generic / dense),
        "",
        None,
    );
    let (exact, table) = time(3, || {
        Levels::solve(&g, Factorials::new(52), Keep::Window, &run(1))
            .expect("it fits")
            .root(13)
            .expect("a root")
    });
    assert!((shown(Objective::Win, &table).approx() - 0.498950806126760).abs() < 1e-14);
    line(
        "n = 13 in exact fractions",
        &format!("{:.0} ms, {:.1} × doubles", exact * 1e3, exact / dense),
        "",
        None,
    );

    let settings = Settings::new(MEMORY.params(), []).expect("defaults are accepted");
    let scene = |run: &Run<'_>| MEMORY.scene(&settings, None, None, run).expect("the start has a picture");
    let (afresh, one) = time(5, || scene(&run(1)));
    let cache = Lru::new(1 << 30);
    let kept = Run { cache: &cache, ..run(1) };
    scene(&kept);
    let (quick, other) = time(200, || scene(&kept));
    assert_eq!(one, other);
    line(
        "the scene of n = 13, its table on the cache",
        &format!("{:.0} µs, {:.0} times", quick * 1e6, afresh / quick),
        "against solving it",
        None,
    );

    let (large, solved) =
        time(3, || Levels::solve(&game(35), Doubles, Keep::Window, &run(1)).expect("it fits"));
    assert_eq!(solved.values, 14_805_750);
    line(
        "n = 35 and all smaller, one thread",
        &format!("{large:.2} s, {:.0} ns a value", large * 1e9 / solved.values as f64),
        "about 1.2 s",
        None,
    );
    let child = std::env::current_exe()
        .and_then(|exe| std::process::Command::new(exe).arg("peak-35").output())
        .ok()
        .and_then(|out| String::from_utf8_lossy(&out.stdout).trim().parse::<f64>().ok());
    match child {
        Some(mib) if mib.is_finite() => line(
            "  its memory, whole process",
            &format!("{mib:.1} MiB"),
            "under 64 MB",
            Some(mib * 1.048576 < 64.0),
        ),
        _ => line("  its memory, whole process", "not told here", "under 64 MB", None),
    }
    let fifty = |threads| {
        time(2, || Levels::solve(&game(50), Doubles, Keep::Window, &run(threads)).expect("it fits"))
    };
    let (one, a) = fifty(1);
    let (two, b) = fifty(2);
    assert_eq!(a.root(50).map(f64::to_bits), b.root(50).map(f64::to_bits), "the same bits");
    line(
        "n = 50, two threads against one",
        &format!("{one:.2} s / {two:.2} s = {:.2}", one / two),
        "at least 1.6 times",
        Some(one / two >= 1.6),
    );

    // Requests, without reading and writing them: what `eval` spends on an answer.
    let evaluator = MEMORY.evaluator(false);
    let requests: Vec<Map<String, Value>> = (0..20_000u64)
        .filter_map(|i| {
            let (a, b, c, d) = (i % 5, i / 5 % 5, i / 25 % 3, i / 75 % 4);
            let diff = (13 - a - b - c) % 2;
            json!({"counts": [a, b, c, 0, 0, d, 13 - a - b - c - d, 0, 0], "diff": diff}).as_object().cloned()
        })
        .collect();
    evaluator.prepare(&requests, &run(1)).expect("it fits");
    let (answers, ok) = time(3, || requests.iter().filter(|r| evaluator.answer(r, &run(1)).is_ok()).count());
    line(
        "answers for eval, one thread",
        &format!("{:.2} µs each ({ok} of {})", answers * 1e6 / requests.len() as f64, requests.len()),
        "",
        None,
    );
}
