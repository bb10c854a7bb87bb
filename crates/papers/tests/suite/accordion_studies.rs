//! Accordion's sweeps: against slow twins, against the paper, for any number of threads, and within limits.

use super::sweep::Memory;
use std::collections::HashSet;
use yomikiri_core::cards::Card;
use yomikiri_core::{Error, Run};
use yomikiri_games::accordion::rules::deal;
use yomikiri_games::params::Settings;
use yomikiri_papers::accordion::experiment::{Look, Side, besides, lookahead_table};
use yomikiri_papers::accordion::lookahead::{self, report};
use yomikiri_papers::accordion::means::{Means, compared};
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

/// Every row has a winning line that a person could play: on plain cards, with moves written as `X>Y`.
#[test]
fn law_solutions_in_the_rows_win_the_deals_they_are_of() {
    let memory = Memory::default();
    let settings = Settings::new(solvable::STUDY.params, [("deals", "40"), ("solutions", "yes")]).unwrap();
    let run = Run { seed: 7, rows: &memory, ..Run::default() };
    (solvable::STUDY.run)(&settings, &run).unwrap();
    let blocks = memory.blocks.into_inner().unwrap();
    let rows: Vec<_> = blocks.iter().flat_map(|block| block.unpack(solvable::STUDY.rows).unwrap()).collect();
    assert_eq!(rows.len(), 40);
    for line in rows {
        let mut row = deal(4, 13, 52, 7, line[0].int() as u64);
        let mut moves = 0;
        for step in line[7].text().split(' ') {
            let place = |name: &str| row.iter().position(|card| card.to_string() == name).unwrap();
            let (x, y) = step.split_once('>').unwrap();
            let (x, y) = (place(x), place(y));
            assert!([1, 3].contains(&(x - y)) && matching(row[x], row[y]), "deal {}: {step}", line[0].int());
            row = after(&row, x, y);
            moves += 1;
        }
        assert_eq!((row.len(), moves), (1, 51));
    }
}

#[test]
fn law_groups_by_first_moves_are_all_deals_once() {
    let found = solvable(400, false, &Run::default()).unwrap();
    let groups = found.groups.0.values();
    assert_eq!(groups.clone().map(|g| g.states.len()).sum::<usize>(), 400);
    assert_eq!(groups.clone().map(|g| g.greedy).sum::<u64>(), found.greedy);
    assert_eq!(groups.clone().map(|g| g.not_won).sum::<u64>(), 0);
    assert_eq!(groups.flat_map(|g| &g.states).max().copied(), found.states.max());
    let of_deal_0 = |moves: u64| found.groups.0[&moves].states.contains(&found.hardest[0].states);
    let hardest = deal(4, 13, 52, 1, found.hardest[0].deal);
    let near = |x: usize, y: usize| x < 52 && matching(hardest[x], hardest[y]);
    let moves = (0..52).map(|y| u64::from(near(y + 1, y)) + u64::from(near(y + 3, y))).sum();
    assert_eq!(Run::default().seed, 1, "deals of the seed");
    assert!(of_deal_0(moves), "{moves}");
}

#[test]
fn law_means_are_compared_as_two_samples_and_not_where_deals_are_missing() {
    let run = Run { threads: 2, ..Run::default() };
    let both = besides(lookahead_table(&look(2_000, [12], 1 << 22), &run).unwrap());
    let [printed, rest] = compared(Side::Failure, &both[0]).unwrap();
    let sample = &both[0].0.failures;
    assert_eq!((printed.paper, printed.ours), (163.0, sample.mean()));
    // The paper has 9,560 failures, the largest of 5,491 states.
    assert!((rest.paper - (9_560.0 * 163.0 - 5_491.0) / 9_559.0).abs() < 1e-9);
    let all = sample.mean() * sample.len() as f64 - sample.max().unwrap() as f64;
    assert!((rest.ours - all / (sample.len() - 1) as f64).abs() < 1e-6);
    // Both samples have errors: the interval is wider than that of our mean, and narrower for more deals.
    let half = |m: &Means| (m.expected.1 - m.expected.0) / 2.0;
    assert!(half(&printed) > 1.96 * sample.mean_error() && half(&rest) < half(&printed));
    assert_eq!(printed.inside(), printed.expected.0 <= 163.5 && printed.expected.1 >= 162.5);
    let cut = besides(lookahead_table(&look(2_000, [12], 1_000), &run).unwrap());
    assert!(cut[0].0.stopped > 0 && compared(Side::Failure, &cut[0]).is_none());
}

/// Deals that were given up may have been either: what differs then differs whatever they were.
#[test]
fn law_a_few_deals_given_up_leave_a_verdict() {
    let run = Run { threads: 2, ..Run::default() };
    let verdicts = |limit: u64| {
        let both = besides(lookahead_table(&look(4_000, [12], limit), &run).unwrap());
        let paper = &both[0].1;
        let medians = [&paper.successes[1], &paper.failures[1]].map(|b| b.as_ref().unwrap().verdict());
        (both[0].0.stopped, paper.success.as_ref().unwrap().clone(), medians)
    };
    let (none, whole, medians) = verdicts(1 << 22);
    assert_eq!((none, whole.verdict(), medians), (0, Verdict::Consistent, [Verdict::Consistent; 2]));
    let (few, cut, medians) = verdicts(2_000);
    assert!(few > 0 && few < 100, "{few}");
    assert_eq!((cut.verdict(), medians), (Verdict::Consistent, [Verdict::Consistent; 2]));
    let (a, b) = (whole.accepted.unwrap(), cut.accepted.unwrap());
    assert!(b.0 <= a.0 && b.1 >= a.1 && cut.p >= whole.p, "never surer with deals missing: {a:?} {b:?}");
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
