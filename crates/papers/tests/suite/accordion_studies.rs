//! Accordion's sweeps: against slow twins, against the paper, for any number of threads, and within limits.

use std::collections::HashSet;
use yomikiri_core::cards::Card;
use yomikiri_core::{Error, Run};
use yomikiri_games::accordion::rules::deal;
use yomikiri_games::params::Settings;
use yomikiri_papers::accordion::lookahead::{self, Look, besides, lookahead_table, report};
use yomikiri_papers::accordion::solvable::{self, solvable};
use yomikiri_papers::golden::{Beside, Status};
use yomikiri_view::report::Verdict;

fn matching(a: Card, b: Card) -> bool {
    a.suit() == b.suit() || a.rank() == b.rank()
}

/// A move on plain cards: `x` goes onto `y`.
fn after(row: &[Card], x: usize, y: usize) -> Vec<Card> {
    let mut next = row.to_vec();
    next[y] = next.remove(x);
    next
}

/// The paper's method on plain cards: success and states.
fn slow(cards: &[Card], r: usize) -> (bool, u64) {
    let mut row = cards.to_vec();
    'greedy: while row.len() > r {
        for y in 0..row.len() {
            for x in [y + 1, y + 3] {
                if x < row.len() && matching(row[x], row[y]) {
                    row = after(&row, x, y);
                    continue 'greedy;
                }
            }
        }
        return (false, 1);
    }
    let mut seen = HashSet::from([row.clone()]);
    let found = row.len() == 1 || deeper(&row, &mut seen);
    (found, seen.len() as u64)
}

fn deeper(row: &[Card], seen: &mut HashSet<Vec<Card>>) -> bool {
    let mut new = Vec::new();
    for distance in [1, 3] {
        for x in distance..row.len() {
            if matching(row[x], row[x - distance]) {
                let next = after(row, x, x - distance);
                if seen.insert(next.clone()) {
                    if next.len() == 1 {
                        return true;
                    }
                    new.push(next);
                }
            }
        }
    }
    new.iter().any(|next| deeper(next, seen))
}

fn look(deals: u64, rs: impl IntoIterator<Item = usize>, limit: u64) -> Look {
    Look { deals, rs: rs.into_iter().collect(), limit }
}

#[test]
fn law_lookahead_is_the_papers_method_on_plain_cards() {
    let run = Run { seed: 5, threads: 2, ..Run::default() };
    let rs = [1, 2, 3, 7, 10, 13, 16];
    let lines = lookahead_table(&look(200, rs, 1 << 22), &run).unwrap();
    for line in lines {
        let (mut successes, mut failures) = (Vec::new(), Vec::new());
        for number in 0..200 {
            let (success, states) = slow(&deal(4, 13, 52, 5, number), line.r);
            if success { &mut successes } else { &mut failures }.push(states);
        }
        assert_eq!(
            (line.successes.len(), line.failures.len()),
            (successes.len() as u64, failures.len() as u64)
        );
        for (ours, mut slow) in [(line.successes, successes), (line.failures, failures)] {
            slow.sort_unstable();
            assert_eq!(
                (ours.min(), ours.max()),
                (slow.first().copied(), slow.last().copied()),
                "R={}",
                line.r
            );
            let sum: u64 = slow.iter().sum();
            if !slow.is_empty() {
                assert!((ours.mean() - sum as f64 / slow.len() as f64).abs() < 1e-6, "R={}", line.r);
            }
        }
    }
}

#[test]
fn law_lookahead_says_the_same_for_any_threads() {
    let look = look(60, [5, 20, 30], 30_000);
    let shown = |threads: usize| {
        let run = Run { threads, ..Run::default() };
        report(&look, &besides(lookahead_table(&look, &run).unwrap()), run.seed).json.to_string()
    };
    let one = shown(1);
    assert_eq!(one, shown(2));
    assert_eq!(one, shown(5));
}

#[test]
fn law_deals_over_the_limit_make_bounds_that_hold() {
    let run = Run { threads: 2, ..Run::default() };
    let whole = &lookahead_table(&look(60, [22], 1 << 24), &run).unwrap()[0];
    assert_eq!(whole.stopped, 0);
    let mut last = u64::MAX;
    for limit in [1, 100, 5_000, 50_000] {
        let cut = &lookahead_table(&look(60, [22], limit), &run).unwrap()[0];
        assert!(cut.stopped < last && cut.deals() == 60, "{limit}");
        last = cut.stopped;
        let (low, high) = cut.success();
        let truth = whole.success().0;
        assert!(low <= truth && truth <= high, "{limit}: {low} {truth} {high}");
        assert!(cut.success_interval().0 <= whole.success_interval().0);
        assert!(cut.success_interval().1 >= whole.success_interval().1);
        assert!(cut.successes.max().unwrap_or(0) <= limit && cut.failures.max().unwrap_or(0) <= limit);
    }
}

#[test]
fn law_the_memory_that_is_promised_is_enough() {
    // From all 52 cards, with limits around the sizes at which tables double.
    for limit in [1_000, 1_400, 86_016, 86_100, 172_100] {
        let run = Run { memory: 100 << 20, ..Run::default() };
        let lines = lookahead_table(&look(6, [52], limit), &run).unwrap();
        assert_eq!(lines[0].deals(), 6);
    }
    let small = Run { memory: 10 << 20, ..Run::default() };
    assert!(matches!(lookahead_table(&look(6, [52], 1 << 20), &small), Err(Error::Memory { .. })));
    let refused = lookahead_table(&look(6, [53], 100), &small).unwrap_err();
    assert!(matches!(refused, Error::Refused(refusal) if refusal.field == "R"));
}

#[test]
fn paper_tables_1_to_3_are_compatible_up_to_r_15() {
    let run = Run { threads: 2, ..Run::default() };
    for (line, beside) in besides(lookahead_table(&look(4_000, 1..=15, 1 << 22), &run).unwrap()) {
        let differing = |b: &Beside| b.status == Status::Match && b.differs();
        let success = beside.success.unwrap();
        assert!(!differing(&success), "R={}: {success:?}", line.r);
        // R = 1 has 0 successes in the paper, which cannot be.
        assert_eq!(success.status == Status::Erratum, line.r == 1);
        for cell in beside.successes.iter().chain(&beside.failures).flatten() {
            assert!(!differing(cell), "R={}: {cell:?}", line.r);
        }
    }
}

#[test]
fn paper_small_r_is_tested_by_as_many_deals_as_the_papers_and_not_by_few() {
    let run = Run { threads: 2, ..Run::default() };
    let verdicts = |deals: u64| -> Vec<Verdict> {
        let both = besides(lookahead_table(&look(deals, 2..=10, 1 << 22), &run).unwrap());
        both.into_iter().map(|(_, beside)| beside.success.unwrap().verdict()).collect()
    };
    assert_eq!(verdicts(10_000), [Verdict::Consistent; 9]);
    assert_eq!(verdicts(200)[..5], [Verdict::Untested; 5]);
}

#[test]
fn law_random_deals_are_won_and_the_answer_is_the_same_for_any_threads() {
    let found = |threads: usize| solvable(300, true, &Run { threads, ..Run::default() }).unwrap();
    let one = found(1);
    assert_eq!((one.won, one.lost, one.unknown), (300, 0, 0));
    assert!(one.unsolvable().0 == 0.0 && (one.unsolvable().1 - 0.0122).abs() < 1e-3);
    assert_eq!(one.hardest.len(), 10);
    assert!(one.hardest.is_sorted_by(|a, b| a.states >= b.states));
    assert_eq!(one.hardest[0].states, one.states.max().unwrap());
    for threads in [2, 5] {
        assert_eq!(format!("{:?}", found(threads)), format!("{one:?}"));
    }
}

#[test]
fn law_the_studies_refuse_what_they_cannot_do() {
    let run = Run::default();
    let ask = |flags: &[(&str, &str)]| {
        let study = lookahead::STUDY;
        Settings::new(study.params, flags.iter().copied())
            .map_err(Error::Refused)
            .and_then(|settings| (study.run)(&settings, &run))
    };
    for (flags, field) in [
        (vec![("from", "0")], "from"),
        (vec![("to", "53")], "to"),
        (vec![("from", "9"), ("to", "8")], "from"),
        (vec![("deals", "0")], "deals"),
        (vec![("limit", "0")], "limit"),
    ] {
        let error = ask(&flags).unwrap_err();
        assert!(matches!(&error, Error::Refused(r) if r.field == field), "{flags:?}: {error}");
    }
    let tight = Run { memory: 1 << 20, ..Run::default() };
    let settings = Settings::new(solvable::STUDY.params, []).unwrap();
    assert!(matches!((solvable::STUDY.run)(&settings, &tight), Err(Error::Memory { .. })));
}
