//! How fast Accordion is solved: deals a second by the fast engine, states a second by the exact one with the bytes
//! each takes, and both against plain recursion with a hash set in the same run. Answers are compared, so that a
//! fast wrong engine does not pass for a fast one. Run it with `cargo xtask bench`.

use std::collections::HashSet;
use std::time::Instant;
use yomikiri_core::Run;
use yomikiri_games::accordion::rules::{Row, Rules, deal};
use yomikiri_games::accordion::sliced::{Machine, Sliced};
use yomikiri_solve::search::{Exact, Fast, Limits, Restarts, Solvability};
use yomikiri_testkit::bench::{head, line};

/// Plain recursion over the rules with a set of rows: whether the row can be won, and the rows met.
fn plain(rules: &Rules, row: &Row, seen: &mut HashSet<Row>) -> bool {
    let mut children = Vec::new();
    for step in rules.steps(row) {
        let child = rules.after(row, step);
        if seen.insert(child.clone()) {
            if rules.won(&child) {
                return true;
            }
            children.push(child);
        }
    }
    children.iter().any(|child| plain(rules, child, seen))
}

fn main() {
    head("Accordion");
    let run = Run::default();
    let rules = Rules::default();
    let machine = Machine::new(&rules);
    let rows = |from: u64, count: u64| -> Vec<Row> {
        (from..from + count).map(|i| rules.row(deal(4, 13, 52, 1, i))).collect()
    };

    let deals = rows(0, 6000);
    let mut fast = Fast::default();
    let started = Instant::now();
    let mut states = Vec::new();
    for row in &deals {
        let tried =
            fast.solve(&machine, &Sliced::of(row), &Restarts::default(), 1, &run).expect("not cancelled");
        assert!(rules.wins(row, &tried.moves.expect("random deals can be won")));
        states.push(tried.states);
    }
    let seconds = started.elapsed().as_secs_f64();
    states.sort_unstable();
    let total: u64 = states.iter().sum();
    let rate = deals.len() as f64 / seconds;
    let fast_rate = rate;
    line(
        "fast: random deals of 52 cards, one thread",
        &format!("{rate:.0} deals/s"),
        "at least 1,500 deals/s",
        Some(rate >= 1500.0),
    );
    line("fast: generated rows", &format!("{:.1} M/s", total as f64 / seconds / 1e6), "", None);
    line(
        "fast: rows a deal, median / 99 % / most",
        &format!(
            "{} / {} / {}",
            states[states.len() / 2],
            states[states.len() * 99 / 100],
            states[states.len() - 1]
        ),
        "",
        None,
    );

    let deals = rows(0, 200);
    let mut exact = Exact::new(Limits::memory(run.memory)).expect("enough memory");
    let started = Instant::now();
    let (mut states, mut most) = (0, (0, 0));
    for row in &deals {
        let found = exact.solve(&machine, &Sliced::of(row), &run).expect("not cancelled");
        states += found.states;
        most = most.max((found.states, found.bytes));
    }
    let seconds = started.elapsed().as_secs_f64();
    let rate = states as f64 / seconds / 1e6;
    let bytes = most.1 as f64 / most.0 as f64;
    line(
        "exact: whole rows stored, 200 deals of 52 cards",
        &format!("{rate:.1} M states/s, {} deals/s", (200.0 / seconds) as u64),
        "at least 4 M states/s",
        Some(rate >= 4.0),
    );
    line(
        &format!("exact: bytes a row in the largest ({} rows)", most.0),
        &format!("{bytes:.1} bytes"),
        "at most 48 bytes",
        Some(bytes <= 48.0),
    );

    let ratio = fast_rate * seconds / deals.len() as f64;
    line(
        "fast against exact, deals in the same time",
        &format!("{ratio:.0} times"),
        "at least 20 times",
        Some(ratio >= 20.0),
    );

    // A search that is not over soon: everything that can be reached from 52 cards, as far as the limit lets it.
    let limits = Limits { memory: 1 << 30, states: 10_000_000 };
    let mut wide = Exact::new(limits).expect("enough memory");
    let started = Instant::now();
    let reached = wide.reachable(&machine, &Sliced::of(&deals[0]), &run).expect("not cancelled");
    let seconds = started.elapsed().as_secs_f64();
    let met = reached.unwrap_or(limits.states);
    line("exact: ten million rows", &format!("{:.1} M states/s", met as f64 / seconds / 1e6), "", None);

    let few: Vec<Row> = (0..40).map(|i| rules.row(deal(4, 13, 20, 2, i))).collect();
    let started = Instant::now();
    let slow: Vec<(bool, u64)> = few
        .iter()
        .map(|row| {
            let mut seen = HashSet::from([row.clone()]);
            (plain(&rules, row, &mut seen), seen.len() as u64)
        })
        .collect();
    let slow_seconds = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let found: Vec<(bool, u64)> = few
        .iter()
        .map(|row| {
            let found = exact.solve(&machine, &Sliced::of(row), &run).expect("not cancelled");
            (matches!(found.solvability, Solvability::Solved(_)), found.states)
        })
        .collect();
    let seconds = started.elapsed().as_secs_f64();
    assert_eq!(found, slow, "exact and plain recursion agree, counts too");
    line(
        "exact against plain recursion with a hash set, 20 cards",
        &format!("{:.1} times faster", slow_seconds / seconds),
        "at least 3 times",
        Some(slow_seconds / seconds >= 3.0),
    );
}
