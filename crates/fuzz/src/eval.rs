//! Requests of `eval`: lines of JSON for every game.

use crate::Target;
use crate::bounded::within;
use crate::input::{Input, text};
use serde_json::Value;
use std::sync::LazyLock;
use yomikiri_core::cache::Lru;
use yomikiri_core::{Lang, Run};
use yomikiri_games::eval::Answers;
use yomikiri_shelf::GAMES;

/// The target.
pub const TARGET: Target = Target {
    name: "eval",
    about: "lines of JSON for every game: an answer a line, each JSON with the id of its line, the same when asked again",
    run,
    seeds,
};

static CACHE: LazyLock<Lru> = LazyLock::new(|| Lru::new(256 << 20));

/// Fields and values of requests.
const WORDS: [&str; 64] = [
    "\"id\":",
    "\"position\":\"",
    "\"settings\":{",
    "\"seed\":",
    "\"counts\":[",
    "\"diff\":",
    "\"prev_pass\":",
    "\"copies\":",
    "\"objective\":\"",
    "cards\"",
    "win\"",
    "\"ranks\":",
    "true",
    "false",
    "null",
    "\"analysis\":\"",
    "2v2-basic\"",
    "open\"",
    "2v2-extended\"",
    "bbr-belief\"",
    "\"turn\":",
    "\"board\":\"",
    ".pp./..../..../.PP.\"",
    "\"a\":",
    "\"b\":",
    "\"hand\":[",
    "\"unknown\":[",
    "\"scores\":[",
    "\"round\":[",
    "\"D3\",",
    "\"row\":\"",
    "\"count\":",
    "\"distances\":\"",
    "\"piles\":",
    "\"grace\":",
    "\"hand_a\":[",
    "\"hand_b\":[",
    "\"deck\":[",
    "\"points\":[",
    "\"leader\":\"",
    "\"tp\":",
    "\"rule\":\"",
    "reaches\"",
    "target\"",
    "\"q\":",
    "-1",
    "1e300",
    "0.5",
    "9223372036854775808",
    "18446744073709551615",
    "\"1/2\"",
    "\"\"",
    "[]",
    "{}",
    "],",
    "\",",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"神\"",
    "\"exact\":",
    "\"moves\":",
    "\"start\":",
    "\"heap\":",
    "}\n{",
];

fn run(bytes: &[u8]) {
    let mut input = Input(bytes);
    let game = *input.pick(GAMES);
    let how = input.byte();
    let typed = text(input.0, &WORDS);
    let lines: Vec<Option<&[u8]>> = typed.split('\n').take(4).map(|line| Some(line.as_bytes())).collect();
    within(60, |cancel| {
        let evaluator = game.evaluator(how & 1 == 1);
        let run = Run { cancel, cache: &*CACHE, memory: 64 << 20, ..Run::default() };
        let lang = if how & 2 == 2 { Lang::Ja } else { Lang::En };
        let answers = Answers { game: game.about().id, evaluator: &*evaluator, run, lang };
        let ask = || answers.batch(&lines).ok().map(|(pieces, refused)| (pieces.concat(), refused));
        let Some((said, refused)) = ask() else { return };
        assert_eq!(said.lines().count(), lines.len(), "{typed:?}: {said}");
        let mut errors = 0;
        for (line, answer) in typed.split('\n').zip(said.lines()) {
            let answer: Value = match serde_json::from_str(answer) {
                Ok(answer) => answer,
                // JSON allows numbers of any size as an id, and they are handed back as they were written.
                Err(e) if e.to_string().contains("number out of range") => {
                    errors += u64::from(answer.contains(",\"error\":"));
                    continue;
                }
                Err(e) => panic!("{line:?}: {e}: {answer}"),
            };
            assert!(answer.is_object(), "{line:?}: {answer}");
            errors += u64::from(answer.get("error").is_some());
            if let Ok(Value::Object(asked)) = serde_json::from_str::<Value>(line)
                && let (Some(Value::String(asked)), Some(told)) = (asked.get("id"), answer.get("id"))
            {
                assert_eq!(told, asked, "{line:?}: {answer}");
            }
        }
        assert_eq!(errors, refused, "{typed:?}: {said}");
        if let Some(again) = ask() {
            assert_eq!((said, refused), again, "{typed:?}");
        }
    });
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (number, game) in GAMES.iter().enumerate() {
        for how in 0..2 {
            let mut bytes = vec![number as u8, how];
            bytes.extend_from_slice(game.about().question.as_bytes());
            seeds.push(bytes.clone());
            let position = format!("{{\"id\":\"x\",\"position\":{:?}}}", game.about().example);
            seeds.push([&[number as u8, how], position.as_bytes()].concat());
        }
    }
    for (number, line) in [
        (0u8, r#"{"counts":[2,0,0,0,0,0,0,0,0],"diff":0,"prev_pass":false,"copies":4,"objective":"cards"}"#),
        (1, r#"{"analysis":"2v2-basic","turn":1,"board":".pp./..../..../.PP.","a":2,"b":2}"#),
        (1, r#"{"analysis":"open","turn":2,"board":".br./..../..../.RB."}"#),
        (
            2,
            r#"{"turn":15,"hand":["D3","C5","S5"],"unknown":["CA","H2","S2","C4","S6","D7","H8"],"scores":[8,11,5],"round":[3,0,4]}"#,
        ),
        (3, r#"{"row":"S7 S4 S0 D3","count":true,"distances":"1,3","piles":1,"grace":true}"#),
        (
            4,
            r#"{"hand_a":[1,4,6],"hand_b":[2,3,5],"deck":[7,8],"points":[0,0,0,3,0,0,"1/2",0],"leader":"B","tp":3,"rule":"reaches","objective":"target"}"#,
        ),
        (4, r#"{"hand_a":[1,4],"hand_b":[2,3],"q":4}"#),
    ] {
        seeds.push([&[number, 0], line.as_bytes()].concat());
    }
    seeds
}
