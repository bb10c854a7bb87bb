//! What `eval`, `show` and the notation answer, and what they refuse.

use serde_json::{Map, Value, json};
use yomikiri_core::{Error, Run};
use yomikiri_games::Entry;
use yomikiri_games::geister::GEISTER;
use yomikiri_games::params::Settings;

fn ask(request: &Value, run: &Run<'_>) -> Result<Value, Error> {
    let request: Map<String, Value> = request.as_object().unwrap().clone();
    let evaluator = GEISTER.evaluator(false);
    evaluator.prepare(std::slice::from_ref(&request), run)?;
    Ok(serde_json::from_str(&evaluator.answer(&request, run)?).unwrap())
}

fn refused(request: &Value, field: &str) {
    match ask(request, &Run::default()) {
        Err(Error::Refused(refusal)) => assert_eq!(refusal.field, field, "{request}: {refusal}"),
        other => panic!("{request}: {other:?}"),
    }
}

#[test]
fn paper_start_is_answered_as_the_schema_says() {
    let start =
        ask(&json!({"analysis": "2v2-basic", "turn": 1, "board": ".pp./..../..../.PP."}), &Run::default())
            .unwrap();
    assert_eq!(start["value"], 1);
    assert_eq!(start["distance"], 13);
    assert_eq!(start["best"], json!(["b1a1", "b1b2", "c1d1", "c1c2"]));
    assert_eq!(start["moves"][0], json!({"move": "b1a1", "value": 1, "distance": 13}));
    let draw = json!({"analysis": "rrb-three", "turn": 2, "board": ".pp./..../.R../.PP."});
    let draw = ask(&draw, &Run::default()).unwrap();
    assert_eq!((&draw["value"], &draw["distance"]), (&json!(0), &Value::Null));
}

#[test]
fn law_deciding_moves_name_their_test() {
    let names = |analysis: &str, turn: u8, board: &str| -> Vec<(String, String)> {
        let request = json!({"analysis": analysis, "turn": turn, "board": board});
        let answer = ask(&request, &Run::default()).unwrap();
        assert_eq!(answer["distance"], 1, "{answer}");
        let moves = answer["moves"].as_array().unwrap().clone();
        let ended = moves.iter().filter(|m| m["ends"].is_string());
        ended.map(|m| (m["move"].as_str().unwrap().into(), m["ends"].as_str().unwrap().into())).collect()
    };
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(names("2v2-basic", 1, "P..p/..../..p./...P"), [pair("a4exit", "exit")]);
    assert_eq!(
        names("2v2-basic", 1, "..../.pP./.Pp./...."),
        [("b2c2"), ("b2b3"), ("c3c2"), ("c3b3")].map(|m| pair(m, "take-any"))
    );
    assert_eq!(
        names("open", 1, "..../.bR./.B.r/...."),
        [pair("b2b3", "take-blue"), pair("c3b3", "take-blue")]
    );
    assert_eq!(
        names("2v2-basic", 2, "..../.P../.P../p..p"),
        [pair("a1exit", "exit"), pair("d1exit", "exit")]
    );
    assert_eq!(names("2v2-extended", 1, "..../.pP./.Pp./....")[0], pair("guess", "guess"));
    // A move that lets the other player decide says so.
    let walks = json!({"analysis": "2v2-basic", "turn": 2, "board": "P.../..../.p.P/..p."});
    let walks = ask(&walks, &Run::default()).unwrap();
    let moves = walks["moves"].as_array().unwrap();
    assert!(moves.iter().all(|m| m["allows"] == "exit" && m["distance"] == 2), "{walks}");
    assert_eq!(walks["value"], 1);
}

#[test]
fn law_bad_requests_are_refused_by_field() {
    let good = json!({"analysis": "2v2-basic", "turn": 1, "board": ".pp./..../..../.PP."});
    let with = |field: &str, value: Value| {
        let mut request = good.clone();
        request[field] = value;
        request
    };
    let without = |field: &str| {
        let mut request = good.clone();
        request.as_object_mut().unwrap().remove(field);
        request
    };
    for field in ["analysis", "turn", "board"] {
        refused(&without(field), field);
        for value in [json!(null), json!([]), json!({"a": 1}), json!(true), json!(-1), json!(1e300)] {
            refused(&with(field, value), field);
        }
    }
    for turn in [json!(0), json!(3), json!("1"), json!(1.5)] {
        refused(&with("turn", turn), "turn");
    }
    for board in [
        "",
        "/",
        ".pp./..../.PP.",     // three ranks are a board, but of another size: see below
        ".pp./..../..../.PP", // ranks of different lengths
        ".pp./..../..../.PP./..../..../....",
        "..pp.../......./......./..PP...",
        ".pp./..../..../....", // too few pieces
        ".pp./.p../..../.PP.", // too many
        ".bp./..../..../.PP.", // colours the analysis does not have
        ".qq./..../..../.PP.",
        ".pp./..../..../.ＰＰ",
        "💥",
    ] {
        match board {
            ".pp./..../.PP." => assert!(ask(&with("board", json!(board)), &Run::default()).is_ok()),
            _ => refused(&with("board", json!(board)), "board"),
        }
    }
    refused(&with("board", json!(".".repeat(100_000))), "board");
    refused(&with("color", json!(1)), "color");
    refused(&with("a", json!(5)), "a");
    refused(&with("a", json!(3)), "board");
    refused(&json!({"analysis": "open", "turn": 1, "board": ".br./..../..../.BR.", "b": 3}), "b");
    let three = json!({"analysis": "2v2-basic", "turn": 1, "board": ".pp./.p../..../.PP.", "b": 3});
    assert!(ask(&three, &Run::default()).is_ok());
}

#[test]
fn law_a_table_that_does_not_fit_is_refused_before_it_is_built() {
    let request = json!({"analysis": "2v2-basic", "turn": 1, "a": 4, "b": 4,
        "board": "..pp../..pp../....../....../..PP../..PP.."});
    let run = Run { memory: 1 << 30, ..Run::default() };
    assert!(matches!(ask(&request, &run), Err(Error::Memory { .. })));
}

#[test]
fn law_tables_of_earlier_requests_make_room() {
    let evaluator = GEISTER.evaluator(false);
    let run = Run { memory: 350_000, ..Run::default() };
    for round in 0..2 {
        for analysis in ["2v2-basic", "rrb-two", "2v2-extended"] {
            for board in [".pp./..../..../.PP.", ".pp./..../.PP.", ".p.p./...../.P.P."] {
                let request = json!({"analysis": analysis, "turn": 1, "board": board});
                let request = request.as_object().unwrap().clone();
                let answer = evaluator.answer(&request, &run);
                // Each alone fits; two pieces against three do not stand on these boards.
                match analysis {
                    "rrb-two" => assert!(matches!(answer, Err(Error::Refused(_)))),
                    _ => assert!(answer.is_ok(), "round {round}: {request:?}: {answer:?}"),
                }
            }
        }
    }
}

#[test]
fn law_show_reads_what_it_prints() {
    let game = &GEISTER;
    let settings = Settings::new(game.params(), []).unwrap();
    let run = Run::default();
    for position in [
        "2v2-basic_1_.pp./..../..../.PP.",
        "2v2-extended_2_.pp./..../..../.PP.",
        "rrb-two_2_.pp./.p../..../.PP.",
        "open_1_.br./..../..../.BR.",
    ] {
        let shown = game.show(&settings, Some(position), &run).unwrap();
        assert_eq!(shown.json["position"], position);
        assert!(shown.json["moves"].as_array().is_some_and(|m| !m.is_empty()));
        // Parts may be left out or come in another order.
        let (kind, rest) = position.split_once('_').unwrap();
        let settings = Settings::new(game.params(), [("analysis", kind)]).unwrap();
        let again = game.show(&settings, Some(&rest.replace('_', " ")), &run).unwrap();
        assert_eq!(again.json, shown.json);
    }
    let open = Settings::new(game.params(), [("analysis", "open")]).unwrap();
    let clash = game.show(&open, Some("2v2-basic_1_.pp./..../..../.PP."), &run);
    assert!(matches!(clash, Err(Error::Refused(r)) if r.field == "analysis"));
}

#[test]
fn law_colours_of_player_2_are_seen_by_player_2_alone() {
    let entry = &GEISTER;
    let settings = Settings::new(entry.params(), []).unwrap();
    let seen = |position: &str, viewer| {
        let scene = entry.scene(&settings, Some(position), viewer, &Run::default()).unwrap();
        assert_eq!(scene.faults(), Vec::<String>::new());
        serde_json::to_string(&scene).unwrap()
    };
    let both = ["2v2-basic_2_.br./..../..../.PP.", "2v2-basic_2_.rb./..../..../.PP."];
    for viewer in [None, Some(0)] {
        let [one, other] = both.map(|p| seen(p, viewer));
        assert_eq!(one, other);
        assert_eq!(one, seen("2v2-basic_2_.pp./..../..../.PP.", viewer));
        assert!(!one.contains("\"blue\"") && !one.contains("\"red\""));
    }
    let [one, other] = both.map(|p| seen(p, Some(1)));
    assert_ne!(one, other);
    assert!(one.contains("\"secret\":true"));
}

#[test]
fn law_a_position_is_answered_as_its_board_is() {
    // Values are player 1's, whoever is to move and however it is asked.
    for (analysis, turn, board) in [
        ("2v2-basic", 1, ".pp./..../..../.PP."),
        ("2v2-basic", 2, "P.../..../.p.P/..p."),
        ("rrb-three", 2, ".pp./..../.R../.PP."),
        ("2v2-extended", 1, "..../.pP./.Pp./...."),
        ("open", 2, "R.../..../B..r/b..."),
    ] {
        let by_board = json!({"analysis": analysis, "turn": turn, "board": board});
        let by_board = ask(&by_board, &Run::default()).unwrap();
        let position = format!("{analysis}_{turn}_{board}");
        let by_position = ask(&json!({"position": position}), &Run::default()).unwrap();
        for field in ["value", "distance", "moves", "best"] {
            assert_eq!(by_position[field], by_board[field], "{position}: {field}");
        }
    }
    let belief =
        ask(&json!({"position": "bbr-belief_1_p.p/..P/P.P", "width": 3, "height": 3}), &Run::default());
    let belief = belief.unwrap();
    assert!(belief["lower"]["value"].as_f64() <= belief["upper"]["value"].as_f64(), "{belief}");
}
