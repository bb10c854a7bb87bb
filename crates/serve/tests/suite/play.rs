//! Games at the table over HTTP.

use crate::support::fake::MADE;
use crate::support::{Served, limits, server, with};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

fn table(server: &Served, game: &str, wish: &Value) -> Value {
    let answer = server.post(&format!("/api/play/{game}"), wish);
    let json = answer.json();
    match answer.status {
        200 => json,
        202 => server.finished(json["id"].as_str().unwrap())["result"].clone(),
        other => panic!("{other}: {json}"),
    }
}

#[test]
fn law_a_list_of_moves_tells_the_whole_game() {
    let server = server(limits());
    let wish = json!({"seat": 1, "moves": [], "hints": "all", "machine": true, "seed": 1});
    let first = table(&server, "stones", &wish);
    assert_eq!((&first["moves"], &first["turn"], &first["seat"]), (&json!(["*"]), &json!(1), &json!(1)));
    assert_eq!(first["said"], json!([{"seat": 0, "move": "1", "text": {"en": "took 1", "ja": "1個取った"}}]));
    let wish = json!({"seat": 1, "moves": ["*", "2"], "hints": "all", "machine": true, "seed": 1});
    let second = table(&server, "stones", &wish);
    assert_eq!((&second["moves"], &second["scene"]["notation"]), (&json!(["*", "2", "*"]), &json!("5")));
    assert_eq!(second["said"].as_array().unwrap().len(), 3);
    // Another server, which has never seen the game, says the same.
    let other = self::server(limits());
    let wish = json!({"seat": 1, "moves": ["*", "2", "*"], "hints": "all", "machine": true, "seed": 1});
    assert_eq!(table(&other, "stones", &wish), second);
    // To the end, with the record of mistakes.
    let end = json!({"seat": 1, "moves": ["*", "2", "*", "1", "*", "1", "*"], "hints": "none", "machine": true, "seed": 1});
    let end = table(&server, "stones", &end);
    assert_eq!((&end["over"], &end["turn"], &end["score"]), (&json!(true), &Value::Null, &json!(-1.0)));
    assert_eq!(end["result"]["en"], "seat 1 wins");
}

#[test]
fn law_the_next_move_does_not_play_the_game_again() {
    let server = server(limits());
    let mut moves: Vec<String> = Vec::new();
    for n in 0..40 {
        moves.push("1".into());
        let before = MADE.load(Ordering::SeqCst);
        let wish = json!({"settings": {"size": 99}, "moves": moves, "hints": "none", "seed": 77});
        let table = table(&server, "stones", &wish);
        assert_eq!(table["scene"]["notation"], (98 - n).to_string());
        // Other tests of this file make a few moves of their own, but nobody makes all of these again.
        assert!(MADE.load(Ordering::SeqCst) - before < 30);
    }
}

/// One move that reads like two must not be taken for a game in which the two were made.
#[test]
fn regression_moves_with_line_breaks_are_no_other_game() {
    let server = server(limits());
    let wish = |moves: Value| json!({"seat": null, "moves": moves, "hints": "none", "seed": 5});
    table(&server, "stones", &wish(json!(["1", "2"])));
    for moves in [json!(["1\n2"]), json!(["1\"\n\"2"])] {
        let answer = server.post("/api/play/stones", &wish(moves));
        assert_eq!(answer.status, 400, "{}", answer.json());
    }
}

#[test]
fn law_hints_tell_no_more_than_they_should() {
    let server = server(limits());
    let ask = |hints: &str| {
        table(&server, "stones", &json!({"moves": ["1", "1"], "hints": hints, "position": "8"}))
    };
    let all = ask("all");
    assert_eq!(all["mistakes"].as_array().unwrap().len(), 1, "{}", all["mistakes"]);
    assert!(all["scene"]["moves"][0]["value"].is_object() && all["scene"]["scale"].is_object());
    let best = ask("best");
    let ranks: Vec<&Value> = best["scene"]["moves"].as_array().unwrap().iter().map(|m| &m["rank"]).collect();
    assert!(ranks.contains(&&json!(1)) && !best["scene"].to_string().contains("value"), "{}", best["scene"]);
    let none = ask("none");
    assert_eq!(none["mistakes"], json!([]));
    for word in ["value", "rank", "pick", "scale", "trust", "line", "short"] {
        assert!(!none["scene"].to_string().contains(&format!("\"{word}\"")), "{word}");
    }
}

/// Every ghost in whatever is said of a game: its square, where it looks, and its colour.
fn ghosts(value: &Value, found: &mut Vec<(String, String, String)>) {
    match value {
        Value::Object(map) => {
            if map.get("shape") == Some(&json!("ghost")) {
                let word = |name: &str| map[name].as_str().unwrap().to_owned();
                found.push((word("at"), word("looks"), word("colour")));
            }
            map.values().for_each(|v| ghosts(v, found));
        }
        Value::Array(list) => list.iter().for_each(|v| ghosts(v, found)),
        _ => {}
    }
}

#[test]
fn law_hidden_colours_are_in_no_answer() {
    let server = with(yomikiri_shelf::GAMES, yomikiri_papers::PAPERS, limits());
    let mut seen = 0;
    for seed in 0..16 {
        let mut moves: Vec<String> = Vec::new();
        for step in 0..12 {
            let hints = ["none", "best", "all"][step % 3];
            let wish = json!({"seed": seed, "seat": 0, "moves": moves, "hints": hints, "machine": true});
            let table = table(&server, "geister", &wish);
            if table["over"] == true {
                break;
            }
            let mut board = Vec::new();
            ghosts(&table["scene"]["zones"], &mut board);
            let legal = table["scene"]["moves"].as_array().unwrap();
            let from = legal[0]["from"].as_str().unwrap().replace("board/", "");
            let own = board.iter().find(|ghost| ghost.0 == from).unwrap().1.clone();
            assert!(board.iter().any(|ghost| ghost.1 == own && ghost.2 != "purple"), "one's own are known");
            // The legend shows one of each colour.
            let mut rest = table.clone();
            rest["scene"]["legend"].take();
            let mut all = Vec::new();
            ghosts(&rest, &mut all);
            let others: Vec<_> = all.iter().filter(|ghost| ghost.1 != own).collect();
            assert!(others.iter().all(|ghost| ghost.2 == "purple"), "{others:?}");
            seen += others.len();
            moves =
                table["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap().to_owned()).collect();
            moves.push(legal[step % legal.len()]["id"].as_str().unwrap().to_owned());
        }
    }
    assert!(seen > 50, "{seen}");
}
