//! Saichugen as the faces ask and play it.

use serde_json::{Map, Value, json};
use yomikiri_core::{Error, Run};
use yomikiri_games::Entry;
use yomikiri_games::params::Settings;
use yomikiri_games::play::Play;
use yomikiri_games::saichugen::SAICHUGEN;
use yomikiri_games::saichugen::kernel::Kernel;
use yomikiri_games::saichugen::notation::read;

fn answer(request: Value) -> Result<Value, Error> {
    let request: Map<String, Value> = request.as_object().cloned().unwrap();
    let answer = SAICHUGEN.evaluator(true).answer(&request, &Run::default())?;
    Ok(serde_json::from_str(&answer).unwrap())
}

fn request() -> Value {
    json!({"turn": 15, "hand": ["D3", "CT", "ST"], "unknown": ["HA", "H3", "S4", "C8", "D9", "DJ", "CQ"],
        "scores": [16, 19, 11], "round": [9, 2, 0]})
}

#[test]
fn law_eval_answers_in_exact_fractions() {
    // Counted by a program of its own.
    let answer = answer(request()).unwrap();
    assert_eq!(answer["values"], json!({"D3": "15/14", "CT": "11/14", "ST": "11/14"}));
    assert_eq!(answer["best"], json!(["D3"]));
    assert_eq!(answer["value"], json!("15/14"));
}

#[test]
fn law_eval_refuses_by_field() {
    for (field, value) in [
        ("turn", json!(12)),
        ("turn", json!(16)),
        ("turn", json!("15")),
        ("turn", json!(-1)),
        ("turn", Value::Null),
        ("hand", json!(["D3", "CT"])),
        ("hand", json!(["D3", "CT", "CT"])),
        ("hand", json!(["D3", "CT", "X9"])),
        ("hand", json!("D3")),
        ("hand", json!([1, 2, 3])),
        ("unknown", json!(["HA", "H3", "S4", "C8", "D9", "DJ", "ST"])),
        ("unknown", json!(["HA", "H3", "S4", "C8", "D9", "DJ", "DJ"])),
        ("unknown", json!([])),
        ("scores", json!([16, 19])),
        ("scores", json!([16, 19, -1])),
        ("scores", json!([16, 19, 1e9])),
        ("scores", json!([51, 0, 0])),
        ("round", json!([9, 2, 1])),
        ("round", json!([0, 0, 0])),
        ("round", json!([27, 0, 0])),
        ("round", Value::Null),
        ("what", json!(1)),
    ] {
        let mut request = request();
        request[field] = value.clone();
        match answer(request) {
            Err(Error::Refused(refusal)) => assert_eq!(refusal.field, field, "{value}: {refusal}"),
            other => panic!("{field} {value}: {other:?}"),
        }
    }
    // A turn that does not go with the cards is seen by the cards.
    let mut wrong = request();
    wrong["turn"] = json!(14);
    assert!(matches!(answer(wrong), Err(Error::Refused(r)) if r.field == "hand"));
}

fn table(given: &[(&str, &str)], position: Option<&str>, seed: u64) -> Box<dyn Play> {
    let settings = Settings::new(SAICHUGEN.params(), given.iter().copied()).unwrap();
    SAICHUGEN.play(&settings, position, &Run { seed, ..Run::default() }).unwrap()
}

/// Everything a face can see.
fn seen(play: &dyn Play) -> String {
    format!(
        "{:?} {:?} {}",
        play.turn(),
        play.moves(&Run::default()).unwrap(),
        play.record(&Run::default()).unwrap()
    )
}

#[test]
fn law_a_person_can_sit_anywhere_and_take_back() {
    for person in 0..3u8 {
        let mut play = table(&[("seats", "search,random,search")], None, 7);
        let mut decisions = 0;
        while let Some(turn) = play.turn() {
            if turn != person {
                play.best(&Run::default()).unwrap();
                continue;
            }
            decisions += 1;
            let before = seen(play.as_ref());
            let card = play.moves(&Run::default()).unwrap()[0].input.clone();
            let said = play.input(&card.to_lowercase()).unwrap();
            assert!(play.undo(person));
            assert_eq!(seen(play.as_ref()), before);
            assert_eq!(play.input(&card), Ok(said));
            let bad = play.input("S99").unwrap_err();
            assert_eq!(bad.field, "move");
        }
        assert_eq!(decisions, 15);
        assert!(play.result().is_some() && play.moves(&Run::default()).unwrap().is_empty());
        let total: f64 = (0..3).map(|seat| play.score(seat).unwrap()).sum();
        assert_eq!(total, 0.0);
        assert!(play.input("S7").is_err());
        assert_eq!(play.record(&Run::default()).unwrap()["moves"].as_array().unwrap().len(), 45);
        while play.undo(person) {}
        // The others before the person have put down their cards again.
        let mut fresh = table(&[("seats", "search,random,search")], None, 7);
        while fresh.turn() != Some(person) {
            fresh.best(&Run::default()).unwrap();
        }
        assert_eq!(seen(play.as_ref()), seen(fresh.as_ref()));
    }
}

#[test]
fn law_hints_are_exact_in_the_last_round_and_mistakes_are_counted() {
    let position = "D3_C5_S5_HT_CK/CA_H2_S2_C4_S6_D7_H8_S9_DT_SJ_HQ/8,11,5/0,0,0";
    let values = Kernel::new().values(&read(position).unwrap());
    let mut play = table(&[], Some(position), 3);
    let moves = play.moves(&Run::default()).unwrap();
    for ((card, n), shown) in values.cards().zip(&moves) {
        assert_eq!(shown.input, card.to_string());
        assert_eq!(shown.value.value.unwrap(), f64::from(n) / f64::from(values.denominator()));
        assert_eq!(shown.best, n == values.best());
    }
    let worst = moves.iter().min_by(|a, b| a.value.value.partial_cmp(&b.value.value).unwrap()).unwrap();
    let lost = values.value() - worst.value.value.unwrap();
    assert!(lost > 0.0);
    play.input(&worst.input).unwrap();
    assert!((play.mistakes(0, &Run::default()).unwrap()[0].lost - lost).abs() < 1e-12);
    assert!(play.mistakes(1, &Run::default()).unwrap().is_empty());
    while play.turn().is_some() {
        play.best(&Run::default()).unwrap();
    }
    // In rounds 1 to 4 nothing is claimed.
    assert!(
        table(&[], None, 1).moves(&Run::default()).unwrap().iter().all(|m| !m.best && m.value.text.en == "–")
    );
}
