//! What Accordion answers to good and bad input, and how it is played.

use serde_json::{Map, Value, json};
use std::collections::HashSet;
use yomikiri_core::cards::Card;
use yomikiri_core::{Error, Run};
use yomikiri_games::Entry;
use yomikiri_games::accordion::ACCORDION;
use yomikiri_games::accordion::method::{Engines, Winnable};
use yomikiri_games::accordion::notation::{cards, line};
use yomikiri_games::accordion::rules::{Accordion, Rules, deal, small_deck};
use yomikiri_games::params::Settings;
use yomikiri_testkit::contract::Contract;

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
fn law_play_hints_are_true_and_moves_can_be_taken_back() {
    let settings = Settings::new(ACCORDION.params(), []).unwrap();
    let mut play = ACCORDION.play(&settings, Some("S7 S4 S0 D3 S3 C9 S9 SA"), &Run::default()).unwrap();
    assert_eq!(play.players(), 1);
    let rules = Rules::default();
    let mut engines = Engines::new(&rules);
    let row = rules.row(cards("S7 S4 S0 D3 S3 C9 S9 SA").unwrap());
    let whole = engines.solve(&row, &Run::default()).unwrap();
    let Winnable::Yes(ref line) = whole.winnable else { panic!("{whole:?}") };
    let first = line.first().copied();
    let moves = play.moves(&Run::default()).unwrap();
    assert_eq!(moves.len(), rules.steps(&row).len());
    for m in &moves {
        let step = rules
            .steps(&row)
            .into_iter()
            .find(|&s| yomikiri_games::accordion::notation::name(&row, s) == m.input);
        let after = engines.solve(&rules.after(&row, step.unwrap()), &Run::default()).unwrap();
        let can = matches!(after.winnable, Winnable::Yes(_));
        assert_eq!((m.best, m.value.value), (can, Some(f64::from(u8::from(can)))));
        let rest = if can { "can be won" } else { "cannot be won" };
        // The first move of the solution is told with what the whole row took.
        let states = if step == first { whole.states } else { after.states };
        assert_eq!(m.value.text.en, format!("{rest} {states} rows"));
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
    assert_eq!(play.result().unwrap().en, "success: one pile is left");
    assert_eq!(play.score(0), Some(1.0));
}

#[test]
fn law_show_says_what_requests_and_pictures_say() {
    let settings = Settings::new(ACCORDION.params(), []).unwrap();
    let run = Run::default();
    for row in ["S7 S4 S0 D3 S3 C9 S9 SA", "S7 S4 S0 D3 S3 C9", "S7 H8 S9", "S7"] {
        let shown = ACCORDION.show(&settings, Some(row), &run).unwrap();
        let asked = eval(json!({"row": row})).unwrap();
        let position = eval(json!({"position": row})).unwrap();
        let can = asked["solvable"].as_bool().unwrap();
        // What cannot be won is answered by no, to the exit code as well.
        assert_eq!((shown.good, &shown.json["value"]), (can, &json!(f64::from(u8::from(can)))));
        for field in ["solvable", "states", "first_moves", "greedy_end"] {
            assert_eq!(shown.json[field], asked[field], "{row}: {field}");
        }
        for field in ["value", "kind", "best", "moves"] {
            assert_eq!(shown.json[field], position[field], "{row}: {field}");
        }
        if can {
            assert_eq!(shown.json["line"], asked["moves"]);
        }
        let scene = ACCORDION.scene(&settings, Some(row), None, &run).unwrap();
        let best: Vec<&str> =
            scene.moves.iter().filter(|m| m.rank == Some(1)).map(|m| m.id.as_str()).collect();
        assert_eq!(json!(best), shown.json["best"], "{row}");
        assert_eq!(scene.turn, None, "whoever plays alone takes no turns");
    }
}

#[test]
fn contract_long_rows_obey_the_laws_of_rules_keys_and_names() {
    for (distances, piles, grace, start) in
        [(&[1, 3][..], 1, false, 52), (&[1, 3], 1, true, 18), (&[2, 4, 1], 3, false, 30)]
    {
        let rules = Rules::new(distances, piles, grace).unwrap();
        let game = Accordion::new(rules, deal(4, 13, start, 1, 0)).unwrap();
        let mut contract = Contract::default();
        contract.rules(&game);
        contract.keys(&game);
        contract.names(&game);
        assert!(contract.failures.is_empty(), "{:#?}", contract.failures);
    }
}
