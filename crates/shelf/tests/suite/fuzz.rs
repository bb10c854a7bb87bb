//! Whatever is typed, pasted or sent gets an answer or a refusal that names the field, in both languages: positions in
//! every game's notation, parameters, moves, and requests in JSON. Runs are cancelled before they begin, so that
//! what is tested is the reading, not the solving.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value};
use std::sync::atomic::AtomicBool;
use yomikiri_core::{Error, Run};
use yomikiri_games::Entry;
use yomikiri_games::params::Settings;
use yomikiri_shelf::GAMES;

static STOPPED: AtomicBool = AtomicBool::new(true);

fn stopped() -> Run<'static> {
    Run { cancel: &STOPPED, memory: 64 << 20, ..Run::default() }
}

/// Positions and requests that are accepted, as seeds of what is not.
const SEEDS: [(&str, &[&str], &[&str]); 5] = [
    (
        "memory",
        &["9x40,2x31,22,11,d1", "31,22,2x20,d-2,pass", "13x40"],
        &[r#"{"counts":[2,0,0,0,0,0,0,0,0],"diff":0,"prev_pass":false,"copies":4,"objective":"cards"}"#],
    ),
    (
        "geister",
        &[
            "2v2-basic_1_.pp./..../..../.PP.",
            "bbr-belief_2_p..p/..../P..P/..P._1:1:1_1:1",
            "open_1_.br./..../..../.RB.",
        ],
        &[
            r#"{"analysis":"2v2-basic","turn":1,"board":".pp./..../..../.PP.","a":2,"b":2}"#,
            r#"{"analysis":"open","turn":2,"board":".br./..../..../.RB."}"#,
        ],
    ),
    (
        "saichugen",
        &["D3_C5_S5_HT_CK/CA_H2_S2_C4_S6_D7_H8_S9_DT_SJ_HQ/8,11,5/0,0,0"],
        &[
            r#"{"turn":15,"hand":["D3","C5","S5"],"unknown":["CA","H2","S2","C4","S6","D7","H8"],"scores":[8,11,5],"round":[3,0,4]}"#,
        ],
    ),
    (
        "accordion",
        &["S7_S4_S0_D3_S3_C9_S9_SA", "S10 DT,H0"],
        &[r#"{"row":"S7 S4 S0 D3","count":true,"distances":"1,3","piles":1,"grace":true}"#],
    ),
    (
        "sixtysix",
        &["A:1,4,6_B:2,3,5_D:7,8_Q:4=3,7=1/2_L:B", "A:1,4,9_B:2,3,5_D:7,8,12,6_Q:all=1_W:3,1_R:4"],
        &[
            r#"{"hand_a":[1,4,6],"hand_b":[2,3,5],"deck":[7,8],"points":[0,0,0,3,0,0,"1/2",0],"leader":"B","tp":3,"rule":"reaches","objective":"target"}"#,
            r#"{"hand_a":[1,4],"hand_b":[2,3],"q":4}"#,
        ],
    ),
];

/// What mistakes are made of, besides the letters of the seeds.
const ODD: [&str; 24] = [
    "",
    " ",
    "-",
    "−1",
    "0",
    "00",
    "1e9",
    "99999999999999999999999",
    "-99999999999999999999",
    "/",
    "//",
    "_",
    ",",
    "=",
    "x",
    ":",
    "1/0",
    "NaN",
    "\u{0}",
    "\u{1b}[2J",
    "神",
    "🂡",
    "💥\u{301}",
    "..",
];

/// Text changed in places: letters replaced, left out, doubled, moved; odd things put in; cut off.
fn changed(seed: &str, changes: &[(u8, Index, Index)]) -> String {
    let mut text: Vec<String> = seed.chars().map(String::from).collect();
    for (how, at, other) in changes {
        if text.is_empty() {
            text.push(ODD[other.index(ODD.len())].to_owned());
        }
        let (at, from) = (at.index(text.len()), other.index(text.len()));
        match how % 7 {
            0 => text[at] = text[from].clone(),
            1 => _ = text.remove(at),
            2 => text.insert(at, text[from].clone()),
            3 => text.swap(at, from),
            4 => text.insert(at, ODD[other.index(ODD.len())].to_owned()),
            5 => text[at] = ODD[other.index(ODD.len())].to_owned(),
            _ => text.truncate(at),
        }
    }
    text.concat()
}

/// A value changed in places, or another in its stead.
fn shaken(value: &Value, changes: &[(u8, Index, Index)]) -> Value {
    let odd = |index: &Index| {
        let values = [
            Value::Null,
            Value::Bool(true),
            (-1).into(),
            0.into(),
            u64::MAX.into(),
            i64::MIN.into(),
            1e300.into(),
            0.5.into(),
            "".into(),
            "x".into(),
            "1/0".into(),
            Value::Array(vec![]),
            Value::Array(vec![Value::Null; 3]),
            Value::Array(vec![1.into(); 70]),
            Value::Object(Map::new()),
        ];
        values[index.index(values.len())].clone()
    };
    let mut value = value.clone();
    for (how, at, other) in changes {
        match &mut value {
            Value::Object(map) if !map.is_empty() => {
                let key = map.keys().nth(at.index(map.len())).cloned().unwrap_or_default();
                match how % 5 {
                    0 => _ = map.remove(&key),
                    1 => _ = map.insert(key, odd(other)),
                    2 => _ = map.insert(changed(&key, &[(*how / 5, *at, *other)]), odd(other)),
                    _ => {
                        let inner = map.get(&key).cloned().unwrap_or_default();
                        map.insert(key, shaken(&inner, &[(how / 5, *other, *at)]));
                    }
                }
            }
            Value::Array(list) if !list.is_empty() => {
                let place = at.index(list.len());
                match how % 4 {
                    0 => _ = list.remove(place),
                    1 => list[place] = odd(other),
                    2 => list.insert(place, list[other.index(list.len())].clone()),
                    _ => list[place] = shaken(&list[place].clone(), &[(how / 4, *other, *at)]),
                }
            }
            Value::String(text) => *text = changed(text, &[(*how, *at, *other)]),
            other_value => *other_value = odd(other),
        }
    }
    value
}

/// An error says what is wrong, in both languages.
fn said(error: &Error) {
    if let Error::Refused(refusal) = error {
        assert!(!refusal.field.is_empty(), "{refusal:?}");
        for text in [&refusal.got, &refusal.accepts] {
            assert!(!text.en.is_empty() && !text.ja.is_empty(), "{refusal:?}");
        }
        assert!(refusal.say(yomikiri_core::Lang::En).chars().count() < 2000, "{refusal:?}");
    }
}

fn read(game: &dyn Entry, settings: &Settings, position: &str) {
    let run = stopped();
    for viewer in [None, Some(0), Some(9)] {
        let _ = game.scene(settings, Some(position), viewer, &run).inspect_err(said);
    }
    let _ = game.show(settings, Some(position), &run).inspect_err(said);
    let _ = game.play(settings, Some(position), &run).map(drop).inspect_err(said);
}

fn changes() -> impl Strategy<Value = Vec<(u8, Index, Index)>> {
    proptest::collection::vec((any::<u8>(), any::<Index>(), any::<Index>()), 1..6)
}

fn seeds(game: &dyn Entry) -> (Vec<&'static str>, Vec<&'static str>) {
    let about = game.about();
    match SEEDS.iter().find(|s| s.0 == about.id) {
        Some((_, positions, requests)) => (positions.to_vec(), requests.to_vec()),
        None => (vec![about.example], vec![about.question]),
    }
}

#[test]
fn law_the_seeds_are_accepted() {
    for game in GAMES {
        let (positions, requests) = seeds(*game);
        let settings = Settings::new(game.params(), []).unwrap();
        let run = stopped();
        for position in positions {
            match game.show(&settings, Some(position), &run) {
                Ok(_) | Err(Error::Cancelled | Error::Memory { .. }) => {}
                Err(other) => panic!("{position}: {other}"),
            }
        }
        for request in requests {
            let request = serde_json::from_str(request).unwrap();
            let evaluator = game.evaluator(false);
            let prepared = evaluator.prepare(std::slice::from_ref(&request), &run);
            match prepared.and_then(|()| evaluator.answer(&request, &run).map(drop)) {
                Ok(()) | Err(Error::Cancelled) => {}
                Err(other) => panic!("{request:?}: {other}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn law_any_position_is_read_or_refused(which in any::<Index>(), seed in any::<Index>(), changes in changes()) {
        let game = GAMES[which.index(GAMES.len())];
        let seeds = seeds(game).0;
        let settings = Settings::new(game.params(), []).unwrap();
        read(game, &settings, &changed(seeds[seed.index(seeds.len())], &changes));
    }

    #[test]
    fn law_any_text_is_read_or_refused(text in "\\PC{0,60}") {
        for game in GAMES {
            let settings = Settings::new(game.params(), []).unwrap();
            read(*game, &settings, &text);
        }
    }

    #[test]
    fn law_any_request_is_answered_or_refused(which in any::<Index>(), seed in any::<Index>(), exact in any::<bool>(), changes in changes()) {
        let game = GAMES[which.index(GAMES.len())];
        let seeds = seeds(game).1;
        let request = serde_json::from_str(seeds[seed.index(seeds.len())]).unwrap();
        if let Value::Object(request) = shaken(&request, &changes) {
            let (evaluator, run) = (game.evaluator(exact), stopped());
            let _ = evaluator.prepare(std::slice::from_ref(&request), &run).inspect_err(said);
            if let Ok(answer) = evaluator.answer(&request, &run).inspect_err(said) {
                serde_json::from_str::<Map<String, Value>>(&answer).expect("an answer is a JSON object");
            }
        }
    }

    #[test]
    fn law_any_setting_is_taken_or_refused(which in any::<Index>(), param in any::<Index>(), changes in changes()) {
        let game = GAMES[which.index(GAMES.len())];
        let params = game.params();
        if !params.is_empty() {
            let param = &params[param.index(params.len())];
            let given = changed(param.default, &changes);
            match Settings::new(params, [(param.name, given.as_str())]) {
                Ok(settings) => assert!(settings.given(param.name)),
                Err(refusal) => {
                    assert_eq!(&refusal.field, param.name);
                    said(&refusal.into());
                }
            }
        }
    }
}

#[test]
fn regression_an_id_with_half_a_character_is_refused_and_not_handed_back() {
    for (id, whole) in
        [(r#""\ud800""#, false), (r#"["\udc00"]"#, false), (r#""\ud83d\ude00""#, true), ("1e999", true)]
    {
        let line = format!(r#"{{"id":{id},"position":"1"}}"#);
        let (handed_back, request) = yomikiri_games::eval::question(Some(line.as_bytes()));
        assert_eq!(handed_back.as_deref(), whole.then_some(id), "{line}");
        assert_eq!(request.err().map(|refusal| refusal.field), (!whole).then(|| "id".to_owned()), "{line}");
    }
}
