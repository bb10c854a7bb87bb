//! Accordion's paper and what goes beyond it: examples, small decks, unsolvable deals, advice, and the answers of
//! every face to good and bad input.

use serde_json::{Map, Value, json};
use std::collections::HashSet;
use yomikiri_core::cards::Card;
use yomikiri_core::{Error, Run};
use yomikiri_games::accordion::ACCORDION;
use yomikiri_games::accordion::advice::{Policy, measure};
use yomikiri_games::accordion::method::{Engine, Engines, Winnable};
use yomikiri_games::accordion::notation::{cards, line};
use yomikiri_games::accordion::reproduce::{FIGURE_1, figure_2_corrected};
use yomikiri_games::accordion::rules::{Row, Rules, Step, deal, small_deck};
use yomikiri_games::accordion::small::{Counted, decks, sampled, whole};
use yomikiri_games::accordion::unsolvable::{climb, climbs};
use yomikiri_games::params::Settings;
use yomikiri_games::{Entry, GAMES};
use yomikiri_solve::search::{Limit, Restarts};

/// The deal that took the fast search of a prototype longest.
const HARD: &str = "S9 D6 D5 D0 C4 S4 CA D7 SK D8 D4 H5 C7 HA D2 S3 CK S6 HK H8 C5 HQ C6 S7 CJ SJ H3 DQ H6 S5 D3 DJ \
    C0 S0 SA C9 C2 H7 H9 DA H0 CQ H2 C8 DK S8 S2 HJ C3 SQ H4 D9";

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

#[test]
fn law_a_hard_deal_is_won() {
    let answer = eval(json!({"row": HARD})).unwrap();
    assert!(wins(HARD, answer["moves"].as_array().unwrap()));
}

#[test]
fn law_short_rows_are_answered_by_the_book() {
    let one = eval(json!({"row": "S7", "count": true})).unwrap();
    assert_eq!(
        json!([one["solvable"], one["moves"], one["reachable"], one["greedy_end"]]),
        json!([true, [], 1, 1])
    );
    let two = eval(json!({"row": "S7 ST", "count": true})).unwrap();
    assert_eq!(json!([two["moves"], two["states"], two["reachable"]]), json!([["S0>S7"], 2, 2]));
    let never = eval(json!({"row": "S7 H8 S9", "count": true})).unwrap();
    assert_eq!(json!([never["solvable"], never["moves"], never["first_moves"]]), json!([false, null, 0]));
    // S4 goes onto H4, or S5 onto S7 as third to its left.
    let rows = eval(json!({"row": "S7 H4 D4 S5", "count": true})).unwrap();
    assert_eq!(json!([rows["first_moves"], rows["reachable"]]), json!([2, 4]));
}

#[test]
fn law_variants_of_a_request_are_played_by_their_rules() {
    let row = "S7 H8 D9";
    let solvable = |request: Value| eval(request).unwrap()["solvable"].clone();
    assert_eq!(solvable(json!({"row": row})), json!(false));
    assert_eq!(solvable(json!({"row": row, "piles": 3})), json!(true));
    assert_eq!(solvable(json!({"row": row, "piles": 2, "grace": true})), json!(true));
    assert_eq!(solvable(json!({"row": row, "grace": true})), json!(false));
    assert_eq!(solvable(json!({"row": "S7 H8 S9", "distances": [2], "piles": 2})), json!(true));
    assert_eq!(solvable(json!({"row": "S7 H8 S9", "distances": "1,3", "piles": 2})), json!(false));
}

#[test]
fn law_bad_requests_are_refused_by_field() {
    let all = line(&small_deck(4, 13));
    for (request, field) in [
        (json!({}), "row"),
        (json!({"row": null}), "row"),
        (json!({"row": ""}), "row"),
        (json!({"row": "S7 S7"}), "row"),
        (json!({"row": "S7 10"}), "row"),
        (json!({"row": format!("{all} S7")}), "row"),
        (json!({"row": ["S7"]}), "row"),
        (json!({"row": "S7", "count": 1}), "count"),
        (json!({"row": "S7", "distances": [0]}), "distances"),
        (json!({"row": "S7", "distances": {}}), "distances"),
        (json!({"row": "S7", "piles": 0}), "piles"),
        (json!({"row": "S7", "grace": "yes"}), "grace"),
        (json!({"row": "S7", "rows": 1}), "rows"),
    ] {
        match eval(request.clone()) {
            Err(Error::Refused(refusal)) => assert_eq!(refusal.field, field, "{request}"),
            other => panic!("{request}: {other:?}"),
        }
    }
}

#[test]
fn law_settings_are_refused_by_name() {
    let params = ACCORDION.params();
    for (name, value) in [
        ("row", "S7 S7"),
        ("distances", "1,1"),
        ("distances", "0"),
        ("start", "53"),
        ("suits", "5"),
        ("ranks", "0"),
    ] {
        assert_eq!(Settings::new(params, [(name, value)]).unwrap_err().field, name, "{value}");
    }
    let run = Run::default();
    let asked = |given: &[(&'static str, &'static str)]| {
        ACCORDION.solve(&Settings::new(params, given.iter().copied()).unwrap(), &run)
    };
    assert!(matches!(asked(&[("row", "")]), Err(Error::Refused(r)) if r.field == "row"));
    assert!(
        matches!(asked(&[("suits", "2"), ("ranks", "4"), ("start", "9")]), Err(Error::Refused(r)) if r.field == "start")
    );
    let little = Run { memory: 1000, ..Run::default() };
    let settings = Settings::new(params, [("row", "S7 H8")]).unwrap();
    assert!(matches!(ACCORDION.solve(&settings, &little), Err(Error::Memory { limit: 1000, .. })));
}

#[test]
fn law_late_binding_lays_out_part_of_the_deck() {
    let whole = deal(4, 13, 52, 5, 0);
    assert_eq!(deal(4, 13, 18, 5, 0), whole[..18]);
    let small: HashSet<Card> = deal(2, 6, 12, 5, 0).into_iter().collect();
    assert_eq!(small, small_deck(2, 6).into_iter().collect());
    let settings = Settings::new(ACCORDION.params(), [("start", "18"), ("deals", "3")]).unwrap();
    let outcome = ACCORDION.solve(&settings, &Run::default()).unwrap();
    for deal in outcome.json["deals"].as_array().unwrap() {
        assert_eq!(deal["row"].as_str().unwrap().split(' ').count(), 18);
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
fn law_play_hints_are_true_and_moves_can_be_taken_back() {
    let settings = Settings::new(ACCORDION.params(), []).unwrap();
    let mut play = ACCORDION.play(&settings, Some("S7 S4 S0 D3 S3 C9 S9 SA"), &Run::default()).unwrap();
    assert_eq!(play.players(), 1);
    let rules = Rules::default();
    let mut engines = Engines::new(&rules);
    let row = rules.row(cards("S7 S4 S0 D3 S3 C9 S9 SA").unwrap());
    let moves = play.moves(&Run::default()).unwrap();
    assert_eq!(moves.len(), rules.steps(&row).len());
    for m in &moves {
        let step = rules
            .steps(&row)
            .into_iter()
            .find(|&s| yomikiri_games::accordion::notation::name(&row, s) == m.input);
        let after = rules.after(&row, step.unwrap());
        let can = matches!(engines.solve(&after, &Run::default()).unwrap().winnable, Winnable::Yes(_));
        assert_eq!((m.best, m.value.value), (can, f64::from(u8::from(can))));
        assert_eq!(m.value.text.en, if can { "still winnable: yes" } else { "still winnable: no" });
    }
    // A move that loses is a mistake, and is forgotten when it is taken back.
    play.input("sa>s3").unwrap();
    assert_eq!(play.mistakes(0, &Run::default()).unwrap().len(), 1);
    assert!(play.undo(0) && play.mistakes(0, &Run::default()).unwrap().is_empty());
    assert!(play.input("S7>S4").is_err() && play.input("S4>CA").is_err());
    // Tens are understood in every way, and a card with one way to go alone.
    play.input("S10>S4").unwrap();
    assert!(play.undo(0));
    play.input("S0").unwrap();
    while play.turn().is_some() {
        play.best(&Run::default()).unwrap();
    }
    assert_eq!(play.result().unwrap().en, "success");
    assert_eq!(play.score(0), Some(1.0));
}

#[test]
fn law_accordion_is_registered() {
    assert!(GAMES.iter().any(|game| game.about().id == "accordion"));
}
