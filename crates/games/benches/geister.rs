//! How fast Geister's tables are built, against a plain retrograde analysis with a hash map in the same run, and how
//! much memory the largest takes; how fast the bounds of three against two are found and proved. Counts and bounds are
//! asserted, so that a fast wrong analysis does not pass for a fast one. Run it with `cargo xtask bench`; `cargo xtask
//! bench geister certificates` leaves the tables out, and `coarse` after it the bounds that take minutes. `cargo xtask bench
//! geister certificates equal` only brings the bounds as near as programs before could bring them, so that their work can be
//! compared: `yomikiri certify geister --first three --grid adaptive --no-cache` of those is the other side.

use num_rational::Ratio;
use rustc_hash::FxHashMap;
use std::time::Instant;
use yomikiri_core::{Game, Run, Turn};
use yomikiri_games::geister::analysis::{Kind, Rules, Solved, value};
use yomikiri_games::geister::belief::{Grid, Open};
use yomikiri_games::geister::board::{Board, Position};
use yomikiri_games::geister::space::Material;
use yomikiri_games::geister::tables::Tables;
use yomikiri_solve::retrograde;
use yomikiri_testkit::bench::{head, line};

fn run(threads: usize) -> Run<'static> {
    Run { threads, memory: 16 << 30, ..Run::default() }
}

fn board(width: u8, height: u8) -> Board {
    Board::new(width, height).expect("a legal board")
}

/// The most memory this process has had, in bytes, where the system tells.
fn most_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib * 1024)
}

/// Seconds of processor time this process has had, where the system tells.
fn processor_time() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program ends with the last bracket; the twelfth number after it counts hundredths of seconds.
    let ticks = stat.rsplit(')').next()?.split_whitespace().nth(11)?.parse::<u32>().ok()?;
    Some(f64::from(ticks) / 100.0)
}

/// The whole suite from a cold start; seconds and positions.
fn suite(threads: usize) -> (f64, u64) {
    let started = Instant::now();
    let tables = Tables::new(board(4, 4), false);
    let mut positions = 0;
    for kind in Kind::ALL {
        positions += tables.solve(kind, &run(threads)).expect("it fits").table.places();
    }
    (started.elapsed().as_secs_f64(), positions)
}

/// The same analysis the plain way: a hash map from positions to successors, predecessors and values, and a queue.
fn plain(rules: &Rules) -> FxHashMap<Position, i8> {
    let mut before: FxHashMap<Position, Vec<Position>> = FxHashMap::default();
    let mut left: FxHashMap<Position, usize> = FxHashMap::default();
    let mut values: FxHashMap<Position, i8> = FxHashMap::default();
    let mut queue = Vec::new();
    for place in 0..rules.space.places() {
        let Some(p) = rules.space.at(place) else { continue };
        if rules.turn(&p) == Turn::Terminal {
            let won = rules.utility(&p, 0);
            values.insert(p, won as i8);
            if won != 0 {
                queue.push(p);
            }
            continue;
        }
        let mut actions = Vec::new();
        rules.actions(&p, &mut actions);
        left.insert(p, actions.len());
        for a in actions {
            before.entry(rules.apply(&p, a)).or_default().push(p);
        }
    }
    let mut at = 0;
    while at < queue.len() {
        let p = queue[at];
        at += 1;
        let won = values[&p];
        for q in before.get(&p).into_iter().flatten() {
            if values.contains_key(q) {
                continue;
            }
            let mover = if q.turn == 0 { 1 } else { -1 };
            let left = left.get_mut(q).expect("it has moves");
            *left -= 1;
            if won == mover || *left == 0 {
                values.insert(*q, won);
                queue.push(*q);
            }
        }
    }
    values
}

fn counts(solved: &Solved) -> [u64; 3] {
    let mut counts = [0; 3];
    (0..solved.table.places()).for_each(|p| counts[(value(solved.table.get(p)) + 1) as usize] += 1);
    counts
}

fn main() {
    let asked = |word: &str| std::env::args().any(|given| given == word);
    head("Mini-Geister");
    if !asked("certificates") {
        tables(asked("small"));
    }
    if !asked("tables") {
        if !asked("coarse") {
            // Before the others: what is told of memory is the most so far.
            equal_work();
        }
        if !asked("equal") {
            certificates(asked("coarse"));
        }
    }
}

/// 151 million positions.
fn largest() {
    let four = [Material([[0, 0, 4], [0, 0, 4]])];
    let tables = Tables::new(board(5, 5), false);
    let started = Instant::now();
    let solved = tables.get(Kind::Basic, &four, &run(2)).expect("it fits");
    let seconds = started.elapsed().as_secs_f64();
    let places = solved.table.places();
    assert_eq!(places, 151_420_500);
    line("5x5, four against four, two threads", &format!("{seconds:.1} s"), "", None);
    if let Some(bytes) = most_memory() {
        let a_place = bytes as f64 / places as f64;
        let measured = format!("{} MiB, {a_place:.2} B a position", bytes >> 20);
        line("its memory", &measured, "1 GiB, 3 B a position", Some(bytes <= 1 << 30 && a_place <= 3.0));
    }
}

fn tables(small: bool) {
    if !small {
        // First: the process has had no memory yet.
        largest();
    }
    let best = |threads: usize| {
        let all = (0..3).map(|_| suite(threads));
        all.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
    };
    let (one, two) = (best(1), best(2));
    line("the 4x4 suite, two threads", &format!("{:.2} s", two.0), "at most 2.5 s", Some(two.0 <= 2.5));
    let rate = one.1 as f64 / one.0 / 1e6;
    line(
        "the 4x4 suite, one thread",
        &format!("{rate:.2} M positions/s"),
        "at least 4 M/s",
        Some(rate >= 4.0),
    );
    let gain = one.0 / two.0;
    line(
        "the 4x4 suite, two threads against one",
        &format!("{gain:.2} x"),
        "at least 1.6 x",
        Some(gain >= 1.6),
    );

    let three = [Material([[0, 0, 3], [0, 0, 3]])];
    let times = [1, 2].map(|threads| {
        let started = Instant::now();
        let solved =
            Tables::new(board(5, 5), false).get(Kind::Basic, &three, &run(threads)).expect("it fits");
        (started.elapsed().as_secs_f64(), solved.table.places())
    });
    let rate = times[0].1 as f64 / times[0].0 / 1e6;
    line(
        "5x5, three against three, one thread",
        &format!("{rate:.2} M positions/s"),
        "at least 4 M/s",
        Some(rate >= 4.0),
    );
    let gain = times[0].0 / times[1].0;
    line(
        "5x5, three against three, two threads against one",
        &format!("{gain:.2} x"),
        "at least 1.6 x",
        Some(gain >= 1.6),
    );

    let tables = Tables::new(board(4, 4), false);
    let rules = tables.rules(Kind::OpenWin, &Kind::OpenWin.materials(), &run(1)).expect("it fits");
    let started = Instant::now();
    let table = retrograde::solve(&rules, "bench", &run(1)).expect("it fits");
    let ours = started.elapsed().as_secs_f64();
    let solved = Solved::new(rules, table);
    let started = Instant::now();
    let twin = plain(&solved.rules);
    let theirs = started.elapsed().as_secs_f64();
    let of = |wanted: i8| twin.values().filter(|v| **v == wanted).count() as u64;
    let [lost, _, won] = counts(&solved);
    assert_eq!((of(1), of(-1)), (won, lost));
    line("open-win against a hash map and a queue, one thread", &format!("{:.1} x", theirs / ours), "", None);
    let started = Instant::now();
    let wrong = retrograde::verify(&solved.rules, &solved.table, &run(1)).expect("it runs");
    assert_eq!(wrong, None);
    let rate = solved.table.places() as f64 / started.elapsed().as_secs_f64() / 1e6;
    line("verifying it, one thread", &format!("{rate:.2} M positions/s"), "", None);
}

/// The gap at which programs before ended: 5567/13860 to 5683/13860.
const GAP_BEFORE: f64 = 116.0 / 13_860.0;

/// Both bounds with the three first, as near as those before, and their proofs.
fn equal_work() {
    let started = Instant::now();
    let open = Open::new(&board(4, 4), &run(1)).expect("it fits");
    let at = open.graph.find(&open.starts[0]).expect("the start");
    let bounds = open.bounds_within(Grid::Adaptive, GAP_BEFORE, &run(1)).expect("it fits");
    let told = bounds.each_ref().map(|bound| f64::from(bound.best(at).1) / f64::from(bound.lattice()));
    assert!(-told[0] - told[1] < GAP_BEFORE, "{told:?}");
    for bound in bounds {
        let (belief, level) = bound.best(at);
        bound.prove(at, belief, level, &run(1)).expect("a proof");
    }
    let seconds = started.elapsed().as_secs_f64();
    let what = format!("three first, {:.6} to {:.6}, both proofs, one thread", told[0], -told[1]);
    line(&what, &format!("{seconds:.1} s"), "", None);
    if let (Some(seconds), Some(bytes)) = (processor_time(), most_memory()) {
        // Before: 406 s and 3.9 GiB.
        line("its processor time", &format!("{seconds:.1} s"), "", None);
        line("its memory", &format!("{} MiB", bytes >> 20), "at most 2 GiB", Some(bytes <= 2 << 30));
    }
}

/// The four bounds of docs/geister-open-problem.md, each found and proved from nothing; or the two that take seconds.
fn certificates(coarse_only: bool) {
    let open = Open::new(&board(4, 4), &run(2)).expect("it fits");
    let wanted = [
        (1, 0, Grid::Coarse, Ratio::new(1, 3), 10.0),
        (1, 1, Grid::Coarse, Ratio::new(1, 3), 10.0),
        (0, 0, Grid::Fine, Ratio::new(2, 5), 80.0),
        (0, 1, Grid::Fine, Ratio::new(593, 1440), 480.0),
    ];
    if !coarse_only {
        let started = Instant::now();
        let bounds = open.bounds(Grid::Adaptive, &run(2)).expect("it fits");
        let at = open.graph.find(&open.starts[0]).expect("the start");
        let told =
            [0, 1].map(|player| f64::from(bounds[player].best(at).1) / f64::from(bounds[player].lattice()));
        let what =
            format!("three first, {:.6} to {:.6} by the adaptive grid, two threads", told[0], -told[1]);
        line(&what, &format!("{:.1} s", started.elapsed().as_secs_f64()), "", None);
    }
    for (turn, holder, grid, known, most) in wanted {
        if coarse_only && grid != Grid::Coarse {
            continue;
        }
        let started = Instant::now();
        let bound = open.bound(holder, grid, &run(2)).expect("it fits");
        let at = open.graph.find(&open.starts[turn]).expect("the start");
        let (belief, level) = bound.best(at);
        let proof = bound.prove(at, belief, level, &run(2)).expect("a proof");
        let seconds = started.elapsed().as_secs_f64();
        let sign = if holder == 0 { 1 } else { -1 };
        let value = Ratio::new(sign * i64::from(level), i64::from(bound.lattice()));
        assert!(if holder == 0 { value >= known } else { value <= known }, "{value} is weaker than {known}");
        let what = format!(
            "{} first, {} {value}, {} entries, two threads",
            ["three", "two"][turn],
            ["at least", "at most"][holder],
            proof.entries.len()
        );
        line(&what, &format!("{seconds:.1} s"), &format!("at most {most} s"), Some(seconds <= most));
    }
}
