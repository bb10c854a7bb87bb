//! Saichugen as the faces ask and play it.

use serde_json::{Map, Value, json};
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Run};
use yomikiri_games::Entry;
use yomikiri_games::erased::Erased;
use yomikiri_games::family::Family;
use yomikiri_games::params::Settings;
use yomikiri_games::play::Play;
use yomikiri_games::saichugen::kernel::Kernel;
use yomikiri_games::saichugen::notation::read;
use yomikiri_games::saichugen::rules::{Card, Cards};
use yomikiri_games::saichugen::{Deals, SAICHUGEN};
use yomikiri_view::report::Certainty;
use yomikiri_view::scene::Scene;

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

/// What `show` and the page say of a position.
fn asked(position: &str, viewer: Option<u8>) -> (Value, Scene) {
    let settings = Settings::new(SAICHUGEN.params(), []).unwrap();
    let shown = SAICHUGEN.show(&settings, Some(position), &Run::default()).unwrap();
    (shown.json, SAICHUGEN.scene(&settings, Some(position), viewer, &Run::default()).unwrap())
}

#[test]
fn law_others_do_not_see_the_hand() {
    // Two views that differ only in who holds which of the cards not played.
    let one = "D3_C5_S5_HT_CK/CA_H2_S2_C4_S6_D7_H8_S9_DT_SJ_HQ/8,11,5";
    let other = "CA_H2_S2_C4_CK/D3_C5_S5_HT_S6_D7_H8_S9_DT_SJ_HQ/8,11,5";
    let seen = |position: &str, viewer| serde_json::to_string(&asked(position, viewer).1).unwrap();
    for viewer in [Some(1), Some(2)] {
        assert_eq!(seen(one, viewer), seen(other, viewer));
    }
    let mine = seen(one, Some(0));
    assert_ne!(mine, seen(other, Some(0)));
    assert!(mine.contains(r#"{"id":"D3","t":"card","show":"up","face":"D3"}"#), "{mine}");
    // Who asks without a seat has the position, and so the hand.
    assert_eq!(mine, seen(one, None));
}

#[test]
fn law_requests_and_pictures_say_the_same() {
    for (position, fields) in [
        ("D3_CT_ST/HA_H3_S4_C8_D9_DJ_CQ/16,19,11/9,2,0", request()),
        (SAICHUGEN.about().example, serde_json::from_str(SAICHUGEN.about().question).unwrap()),
    ] {
        let (requested, (shown, scene)) = (answer(fields).unwrap(), asked(position, Some(0)));
        let named = answer(json!({"position": position})).unwrap();
        assert_eq!(shown["values"], requested["values"]);
        assert_eq!((&shown["fraction"], &named["value"]), (&requested["value"], &requested["value"]));
        assert_eq!((&shown["best"], &named["best"]), (&requested["best"], &requested["best"]));
        let best = scene.moves.iter().filter(|m| m.rank == Some(1)).map(|m| m.id.as_str());
        assert_eq!(requested["best"], json!(best.collect::<Vec<_>>()));
    }
}

#[test]
fn law_rounds_one_to_four_are_sampled_and_say_so() {
    // The whole game from its first turn, as every face would tell it.
    let whole = Erased(&Deals);
    let (settings, run) = (Settings::new(whole.params(), []).unwrap(), Run::default());
    let shown = whole.show(&settings, None, &run).unwrap().json;
    assert_eq!(shown["kind"], "sampled", "{shown}");
    assert!(shown.get("fraction").is_none(), "{shown}");
    let scene = whole.scene(&settings, None, Some(0), &run).unwrap();
    assert_eq!(scene.moves.len(), 17);
    for m in &scene.moves {
        let value = m.value.as_ref().unwrap();
        assert_eq!(value.cert, Certainty::Sampled);
        let (low, high) = value.interval.unwrap();
        assert!(low < value.x && value.x < high, "{value:?}");
    }
    assert_eq!(scene.value.as_ref().unwrap().cert, Certainty::Sampled);
    assert!(whole.scene(&settings, None, Some(1), &run).unwrap().moves.is_empty(), "seat 1 is to move");
    // Asked again, the same samples.
    assert_eq!(whole.show(&settings, None, &run).unwrap().json, shown);
}

/// Random games played card by card at the table itself come to the same, within what both may be wrong by.
#[test]
fn law_samples_agree_with_games_at_the_table() {
    const GAMES: u32 = 4_000;
    let (mut random, mut outside, mut asked) = (Random::new(5), 0, 0);
    for (seed, turn) in [(1, 12), (2, 9), (3, 4)] {
        let settings = Settings::new(Erased(&Deals).params(), []).unwrap();
        let game = Deals.game(&settings, seed).unwrap();
        let mut s = game.start();
        let players = Deals.solver(&settings, &game, &s, &Run::default()).unwrap();
        while s.table.turn < turn {
            let a = players.machine(&game, &s, &mut random, &Run::default()).unwrap().unwrap();
            s = game.apply(&s, a);
        }
        let analysis = players.analyse(&game, &s, Some(0), &Run::default()).unwrap();
        for m in &analysis.moves {
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..GAMES {
                let mut table = s.table.clone();
                let mut unseen: Vec<Card> = table.unknown(0).iter().collect();
                random.shuffle(&mut unseen);
                let held = table.hands[1].len();
                let hand = |cards: &[Card]| cards.iter().fold(Cards::NONE, |hand, card| hand.with(*card));
                table.hands[1] = hand(&unseen[..held]);
                table.hands[2] = hand(&unseen[held..2 * held]);
                let mut own = Some(m.action);
                while !table.over() {
                    let mut any = |seat: usize| {
                        let hand = table.hands[seat];
                        hand.nth(random.below(hand.len() as u64) as usize).unwrap()
                    };
                    let cards = [own.take().unwrap_or_else(|| any(0)), any(1), any(2)];
                    table.play(cards);
                }
                let paid = f64::from(table.payoffs()[0]);
                sum += paid;
                squares += paid * paid;
            }
            let mean = sum / f64::from(GAMES);
            let half = 1.96 * ((squares / f64::from(GAMES) - mean * mean) / f64::from(GAMES)).sqrt();
            let (low, high) = m.score.interval.unwrap();
            let both = half.hypot((high - low) / 2.0);
            assert!((m.score.x - mean).abs() <= 2.2 * both, "{mean} ± {half}: {:?}", m.score);
            outside += usize::from((m.score.x - mean).abs() > both);
            asked += 1;
        }
    }
    assert!(asked == 6 + 9 + 14 && outside <= 5, "{outside} of {asked} intervals of 95 % miss");
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
            if decisions % 3 != 1 {
                play.input(&play.moves(&Run::default()).unwrap()[0].input.clone()).unwrap();
                continue;
            }
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
        let record = play.record(&Run::default()).unwrap();
        assert_eq!(record["moves"].as_array().unwrap().len(), 45);
        assert_eq!(record["payoffs"][usize::from(person)], json!(play.score(person)));
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
    assert!(moves.is_sorted_by(|a, b| a.value.value >= b.value.value), "best first");
    for (card, n) in values.cards() {
        let shown = moves.iter().find(|m| m.input == card.to_string()).unwrap();
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
    // In rounds 1 to 4 values are estimates, by which nobody is judged.
    let mut play = table(&[], None, 1);
    let moves = play.moves(&Run::default()).unwrap();
    assert!(moves.iter().all(|m| !m.value.exact && m.value.text.en.contains('±')), "{moves:?}");
    assert!(moves.iter().any(|m| m.best), "{moves:?}");
    play.input(&moves[16].input).unwrap();
    assert!(play.mistakes(0, &Run::default()).unwrap().is_empty());
    assert!(play.flawless().en.contains("rounds 1 to 4 are not judged"), "{:?}", play.flawless());
}
