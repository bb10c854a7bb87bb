//! Accordion's paper and what goes beyond it: examples, small decks, unsolvable deals, advice.

use serde_json::{Map, Value, json};
use std::collections::HashSet;
use yomikiri_core::cards::Card;
use yomikiri_core::{Error, Run};
use yomikiri_games::Entry;
use yomikiri_games::accordion::ACCORDION;
use yomikiri_games::accordion::method::{Engine, Engines, Winnable};
use yomikiri_games::accordion::notation::{cards, line};
use yomikiri_games::accordion::rules::{Row, Rules, Step, deal, small_deck};
use yomikiri_papers::accordion::advice::{Policy, measure};
use yomikiri_papers::accordion::published::{FIGURE_1, figure_2_corrected};
use yomikiri_papers::accordion::small::{Counted, decks, sampled, whole};
use yomikiri_papers::accordion::unsolvable::{climb, climbs};
use yomikiri_solve::search::{Limit, Restarts};

fn eval(request: Value) -> Result<Map<String, Value>, Error> {
    let request = request.as_object().cloned().unwrap_or_default();
    let run = Run::default();
    let answer = ACCORDION.evaluator(false).answer(&request, &run)?;
    Ok(serde_json::from_str(&answer).unwrap())
}

/// Reads a winning line back by cards alone: every card goes onto one next to it or third to its left that shares suit
/// or rank, and one card is left.
fn wins(row: &str, moves: &[Value]) -> bool {
    let mut row: Vec<String> = row.split_whitespace().map(str::to_owned).collect();
    for m in moves {
        let (x, y) = m.as_str().and_then(|m| m.split_once('>')).expect("two cards");
        let place = |card: &str| row.iter().position(|c| c == card).expect("a card of the row");
        let (at, to) = (place(x), place(y));
        let fits = x.as_bytes()[0] == y.as_bytes()[0] || x.as_bytes()[1] == y.as_bytes()[1];
        if !fits || !(at == to + 1 || at == to + 3) {
            return false;
        }
        row[to] = row.remove(at);
    }
    row.len() == 1
}

#[test]
fn paper_figure_1_can_be_won_in_51_moves() {
    let answer = eval(json!({"row": FIGURE_1})).unwrap();
    let moves = answer["moves"].as_array().unwrap();
    assert!(moves.len() == 51 && wins(FIGURE_1, moves));
    assert_eq!(answer["solvable"], json!(true));
    let keys: HashSet<&str> = answer.keys().map(String::as_str).collect();
    assert_eq!(keys, HashSet::from(["solvable", "moves", "states", "first_moves", "greedy_end"]));
}

#[test]
fn paper_figure_2_corrected_is_a_deck_without_a_move() {
    let row = figure_2_corrected();
    assert_eq!(row.iter().collect::<HashSet<_>>().len(), 52);
    assert!(line(&row).starts_with("SA D3 H2 C4 S5 D7 H6 C8 S9 DJ H0 CQ SK DA"));
    assert_eq!([row[18], row[31], row[44]].map(|c| c.to_string()), ["H7", "C7", "S7"]);
    let answer = eval(json!({"row": line(&row), "count": true})).unwrap();
    assert_eq!(
        json!(answer),
        json!({"solvable": false, "moves": null, "states": 1, "first_moves": 0, "greedy_end": 52, "reachable": 1})
    );
}

/// Every deal of a deck, one by one, by plain recursion: the twin of the count by renamings.
fn every_deal(suits: u8, ranks: u8) -> (u64, u64) {
    fn can(rules: &Rules, row: &Row) -> bool {
        rules.won(row) || rules.steps(row).into_iter().any(|step| can(rules, &rules.after(row, step)))
    }
    fn lay(rules: &Rules, laid: &mut Vec<Card>, rest: &[Card], count: &mut (u64, u64)) {
        if rest.is_empty() {
            count.0 += u64::from(can(rules, &rules.row(laid.clone())));
            count.1 += 1;
        }
        for i in 0..rest.len() {
            let mut less = rest.to_vec();
            laid.push(less.remove(i));
            lay(rules, laid, &less, count);
            laid.pop();
        }
    }
    let mut count = (0, 0);
    lay(&Rules::default(), &mut Vec::new(), &small_deck(suits, ranks), &mut count);
    count
}

#[test]
fn law_small_decks_are_counted_as_one_by_one() {
    let run = Run::default();
    for (suits, ranks) in [(1, 4), (2, 2), (2, 3), (3, 2), (2, 4)] {
        let counted = whole(suits, ranks, &run).unwrap();
        assert_eq!((counted.won, counted.all), every_deal(suits, ranks), "{suits} x {ranks}");
    }
}

#[test]
fn golden_small_decks() {
    let run = Run { threads: 2, ..Run::default() };
    let counts: Vec<(u8, u8, u64, u64)> = decks(4, 10)
        .into_iter()
        .map(|(s, r)| whole(s, r, &run).unwrap())
        .map(|c| (c.suits, c.ranks, c.won, c.all))
        .collect();
    assert_eq!(
        counts,
        [
            (2, 2, 24, 24),
            (2, 3, 708, 720),
            (2, 4, 40_320, 40_320),
            (3, 3, 362_880, 362_880),
            (2, 5, 3_628_560, 3_628_800)
        ]
    );
}

#[test]
fn law_suits_and_ranks_play_the_same_part() {
    let run = Run::default();
    let pair = |c: Counted| (c.won, c.all);
    for (s, r) in [(2, 3), (2, 4)] {
        assert_eq!(pair(whole(s, r, &run).unwrap()), pair(whole(r, s, &run).unwrap()));
    }
}

#[test]
fn law_studies_say_the_same_for_any_number_of_threads() {
    let one = Run { seed: 3, ..Run::default() };
    let two = Run { threads: 2, ..one };
    assert_eq!(whole(2, 4, &one).unwrap(), whole(2, 4, &two).unwrap());
    assert_eq!(sampled(2, 6, 450, &one).unwrap(), sampled(2, 6, 450, &two).unwrap());
    assert_eq!(measure(30, 1, &one).unwrap(), measure(30, 1, &two).unwrap());
    assert_eq!(climbs(3, 20, 3_000, &one).unwrap(), climbs(3, 20, 3_000, &two).unwrap());
}

#[test]
fn law_deals_found_by_climbing_have_moves_and_cannot_be_won() {
    let run = Run::default();
    let rules = Rules::default();
    let lost = climb(1, 100, 20_000, &run).unwrap();
    let row = rules.row(lost.cards.clone());
    assert_eq!(lost.cards.iter().collect::<HashSet<_>>().len(), 52);
    let mut engines = Engines::new(&rules);
    let answer = engines.solve(&row, &run).unwrap();
    assert_eq!((answer.winnable, answer.engine, answer.states), (Winnable::No, Engine::Exact, lost.states));
    assert_eq!(engines.reachable(&row, &run).unwrap(), Ok(lost.states));
    assert!(lost.first_moves > 0 && lost.first_moves == rules.steps(&row).len());
    // The fewest cards, by going through all rows plainly.
    let (mut seen, mut next) = (HashSet::from([row.clone()]), vec![row]);
    let mut fewest = 52;
    while let Some(row) = next.pop() {
        fewest = fewest.min(row.cards.len());
        for step in rules.steps(&row) {
            let after = rules.after(&row, step);
            if seen.insert(after.clone()) {
                next.push(after);
            }
        }
    }
    assert_eq!((seen.len() as u64, fewest), (lost.states, lost.fewest));
}

#[test]
fn golden_a_deal_with_14_first_moves_that_cannot_be_won() {
    let row = "D2 D0 H3 D3 S6 S7 S5 C6 H8 DQ H4 DK HJ DA H0 C2 SQ D5 H7 C9 S8 C4 S2 C0 S3 CQ HA C3 H6 D4 S9 CA \
        H5 CJ CK D6 S0 D9 SK C7 HK SJ H2 C5 S4 HQ SA C8 D7 DJ H9 D8";
    let rules = Rules::default();
    let row = rules.row(cards(row).unwrap());
    assert_eq!((row.cards.len(), rules.steps(&row).len()), (52, 14));
    let run = Run::default();
    let plan = Restarts { budget: 100_000, ..Restarts::default() };
    let answer = Engines::new(&rules).with_plan(plan).solve(&row, &run).unwrap();
    assert_eq!((answer.winnable, answer.engine, answer.states), (Winnable::No, Engine::Exact, 2_300_786));
    // Two piles can be reached.
    let eased = Rules::new(&[1, 3], 2, false).unwrap();
    let answer = Engines::new(&eased).solve(&row, &run).unwrap();
    assert!(matches!(answer.winnable, Winnable::Yes(steps) if steps.len() == 50));
}

#[test]
fn law_advice_plays_legal_moves_and_the_paper_s_greedy_is_one_of_them() {
    use yomikiri_core::random::Random;
    use yomikiri_games::accordion::method::greedy_end;
    use yomikiri_games::accordion::sliced::{Machine, Sliced};
    let rules = Rules::default();
    let machine = Machine::new(&rules);
    for number in 0..4 {
        let start = rules.row(deal(4, 13, 30, 2, number));
        for (policy, from, to) in Policy::ALL {
            for plies in from..=to.min(2) {
                let mut random = Random::new(number);
                let mut row = start.clone();
                while let Some(step) = policy.choose(&machine, &Sliced::of(&row), plies, &mut random) {
                    assert!(rules.legal(&row, step), "{policy:?} {row:?} {step:?}");
                    row = rules.after(&row, step);
                }
                assert!(rules.steps(&row).is_empty(), "{policy:?} stopped before the end");
                let mut random = Random::new(number);
                let left = policy.play(&machine, &Sliced::of(&start), plies, &mut random);
                assert_eq!(left, row.cards.len());
                if policy == Policy::Greedy {
                    assert_eq!(left, greedy_end(&machine, &Sliced::of(&start)));
                }
            }
        }
    }
}

#[test]
fn law_looking_ahead_takes_the_best_row_by_definition() {
    use yomikiri_core::random::Random;
    use yomikiri_games::accordion::sliced::{Machine, Sliced};
    let rules = Rules::default();
    let machine = Machine::new(&rules);
    // The twin: the score of a row by the plain rules, and the best of all rows after two moves.
    let score = |row: &Row| -> i64 {
        let count =
            |same: &dyn Fn(&Card) -> u8, of: u8| row.cards.iter().filter(|&c| same(c) == of).count() as i64;
        let suits: i64 = (0..4).map(|s| count(&|c| c.suit(), s).pow(2)).sum();
        let ranks: i64 = (0..13).map(|r| count(&|c| c.rank(), r).pow(2)).sum();
        10 * rules.steps(row).len() as i64 + 8 * suits + 20 * ranks
    };
    let value = |row: &Row| {
        if rules.won(row) {
            i64::MAX
        } else if rules.steps(row).is_empty() {
            i64::MIN / 2 - row.cards.len() as i64
        } else {
            score(row)
        }
    };
    let after = |row: &Row, step: Step| rules.after(row, step);
    for number in 0..30 {
        let row = rules.row(deal(4, 13, 6 + number as usize, 8, number));
        let steps = rules.steps(&row);
        let mut random = Random::new(1);
        let one = Policy::Both.choose(&machine, &Sliced::of(&row), 1, &mut random);
        let best = steps.iter().map(|&s| value(&after(&row, s))).max();
        assert_eq!(one.map(|s| value(&after(&row, s))), best);
        let two = |s: Step| {
            let next = after(&row, s);
            let later = rules.steps(&next).into_iter().map(|t| value(&after(&next, t))).max();
            if rules.won(&next) { i64::MAX } else { later.unwrap_or_else(|| value(&next)) }
        };
        let chosen = Policy::Both.choose(&machine, &Sliced::of(&row), 2, &mut random);
        assert_eq!(chosen.map(two), steps.iter().map(|&s| two(s)).max());
    }
}

#[test]
fn law_the_limit_that_was_hit_is_named() {
    // Too many rows for the memory, and no way to be found.
    let run = Run { memory: 200_000, ..Run::default() };
    let lost = climb(0, 60, 20_000, &Run::default()).unwrap();
    let rules = Rules::default();
    let row = rules.row(lost.cards);
    assert!(lost.states > 5_000, "{}", lost.states);
    let plan = Restarts { budget: 10_000, ..Restarts::default() };
    let answer = Engines::new(&rules).with_plan(plan).solve(&row, &run).unwrap();
    assert_eq!(answer.winnable, Winnable::Unknown(Limit::Memory(200_000)));
}
