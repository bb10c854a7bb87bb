//! How fast tables on disk are built, opened, asked and checked, against solving in the same run. Answers are compared, so
//! that a fast wrong table does not pass for a fast one. Run it with `cargo xtask bench`.

use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::Instant;
use yomikiri_core::{OpenTables, Run};
use yomikiri_games::Entry;
use yomikiri_games::params::Settings;
use yomikiri_games::tables::Extent;
use yomikiri_shelf::{GAMES, find};
use yomikiri_tables::{Builder, Opened, Wishes};
use yomikiri_testkit::bench::line;

fn run(threads: usize) -> Run<'static> {
    Run { threads, memory: 8 << 30, ..Run::default() }
}

fn game(id: &str) -> &'static dyn Entry {
    find(id).expect("a game")
}

/// Builds a table; the seconds.
fn build(id: &'static str, given: &[(&str, &str)], folder: &Path, run: &Run<'_>) -> f64 {
    let start = Instant::now();
    let tables = game(id).tables().expect("it has tables");
    let settings = Settings::new(tables.params(), given.iter().copied()).expect("legal settings");
    let plan = tables.plan(&settings, run).expect("a plan");
    let begun = Builder::begin(folder, id, &settings, &plan, Wishes::default(), run);
    let mut builder = begun.unwrap_or_else(|_| panic!("it begins"));
    tables.build(&settings, &plan, &mut builder, run).expect("it is built");
    builder.finish().unwrap_or_else(|_| panic!("it is finished"));
    start.elapsed().as_secs_f64()
}

/// The answers to some requests: seconds to the first one, seconds for one when all have been asked before (the
/// best of some tries), and the text.
fn asked(id: &str, requests: &[Map<String, Value>], run: &Run<'_>) -> (f64, f64, String) {
    let start = Instant::now();
    let evaluator = game(id).evaluator(false);
    evaluator.prepare(requests, run).expect("it fits");
    evaluator.answer(&requests[0], run).expect("an answer");
    let first = start.elapsed().as_secs_f64();
    let all = || -> String {
        requests.iter().map(|r| evaluator.answer(r, run).expect("an answer") + "\n").collect()
    };
    let text = all();
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        assert!(all() == text);
        best = best.min(start.elapsed().as_secs_f64());
    }
    (first, best / requests.len() as f64, text)
}

fn compare(id: &'static str, given: &[(&str, &str)], requests: &[Map<String, Value>], what: &str) {
    let dir = tempfile::tempdir().expect("a folder");
    let folder = dir.path().join("table");
    let built = build(id, given, &folder, &run(2));
    line(&format!("{what}: built and synced, two threads"), &format!("{built:.2} s"), "", None);
    let start = Instant::now();
    let opened = Opened::new(&folder, GAMES, &run(1)).unwrap_or_else(|_| panic!("it opens"));
    let mut tables = OpenTables::alone();
    tables.add(opened.table().unwrap_or_else(|_| panic!("it opens"))).expect("it is the first");
    // With this little memory nothing can be solved.
    let disk = Run { tables: &tables, memory: 0, ..run(1) };
    let open = start.elapsed().as_secs_f64();
    let (first, each, answers) = asked(id, requests, &disk);
    let (solve, solved, expected) = asked(id, requests, &run(1));
    assert!(answers == expected, "the same answers");
    line("  opened", &format!("{:.1} ms", open * 1e3), "", None);
    let ratio = solve / (open + first);
    line(
        "  the first answer, digests of its files checked",
        &format!("{:.1} ms", (open + first) * 1e3),
        "",
        None,
    );
    line("  against solving, one thread", &format!("{:.2} s, {ratio:.0} times", solve), "", None);
    line(
        &format!("  an answer from the table ({} asked)", requests.len()),
        &format!("{:.2} µs", each * 1e6),
        "below 20 µs",
        Some(each < 20e-6),
    );
    line(
        "  against an answer from memory",
        &format!("{:.2} µs, {:.2} times", solved * 1e6, each / solved),
        "at most 2 times",
        Some(each < 2.0 * solved),
    );
    let arrays = opened.arrays(&run(2)).expect("not cancelled").unwrap_or_else(|_| panic!("it is whole"));
    let start = Instant::now();
    let n = 200_000;
    let checked = opened.tables().check(&opened.settings, &opened.plan, &arrays, Extent::Sample(n), &run(2));
    let checked = checked.expect("it is checked");
    assert!(checked.wrong.is_none(), "it is right");
    let rate = checked.positions as f64 / start.elapsed().as_secs_f64();
    line("  checked by the rules, two threads", &format!("{:.0} thousand/s", rate / 1e3), "", None);
}

fn main() {
    println!("Tables on disk{:>75}  target", "measured");
    let object = |value: Value| value.as_object().cloned();
    let memory: Vec<Map<String, Value>> = (0..20_000u64)
        .filter_map(|i| {
            let (a, b, c, d) = (i % 11, i / 11 % 9, i / 99 % 5, i / 495 % 4);
            let diff = (35 - a - b - c) % 2;
            object(json!({"counts": [a, b, c, 0, 0, d, 35 - a - b - c - d, 0, 0], "diff": diff}))
        })
        .collect();
    compare("memory", &[("ranks", "35")], &memory, "Memory, n = 35");
    let squares: Vec<usize> = (0..12).collect();
    let geister: Vec<Map<String, Value>> = squares
        .iter()
        .flat_map(|&i| squares.iter().map(move |&j| (i, j)))
        .filter(|(i, j)| i < j)
        .flat_map(|(i, j)| [1, 2].map(|turn| (i, j, turn)))
        .filter_map(|(i, j, turn)| {
            let mut board = ['.'; 16];
            (board[i], board[j], board[12], board[15]) = ('p', 'p', 'P', 'P');
            let ranks: Vec<String> = board.chunks(4).map(|rank| rank.iter().collect()).collect();
            object(json!({"analysis": "2v2-extended", "turn": turn, "board": ranks.join("/")}))
        })
        .collect();
    compare("geister", &[], &geister, "Mini-Geister, the 4x4 suite");
}
