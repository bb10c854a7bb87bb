//! The `eval` interface: a view of the last round in, the exact expectation of every card out.

use super::kernel::{Kernel, Values, fraction};
use super::notation::cards;
use super::rules::{CARD, Cards, SEATS};
use super::view::View;
use crate::about::Evaluator;
use serde_json::{Map, Value};
use std::sync::Mutex;
use yomikiri_core::{Error, Refusal, Run, Text, text};

const FIELDS: [&str; 6] = ["turn", "hand", "unknown", "scores", "round", "id"];

fn given<'a>(request: &'a Map<String, Value>, field: &str, accepts: &Text) -> Result<&'a Value, Refusal> {
    request
        .get(field)
        .filter(|value| !value.is_null())
        .ok_or_else(|| Refusal::of(field, text("nothing", "なし"), accepts.clone()))
}

fn list(request: &Map<String, Value>, field: &'static str) -> Result<Cards, Refusal> {
    let accepts = Text::of(format!("a list of cards: {}", CARD.en), format!("カードのリスト：{}", CARD.ja));
    let value = given(request, field, &accepts)?;
    let refuse = || Refusal::new(field, value, accepts.clone());
    let words: Option<Vec<&str>> = value.as_array().ok_or_else(refuse)?.iter().map(Value::as_str).collect();
    cards(field, words.ok_or_else(refuse)?)
}

fn points(request: &Map<String, Value>, field: &'static str) -> Result<[u8; SEATS], Refusal> {
    let accepts =
        text("three whole numbers: [me, opponent 1, opponent 2]", "3つの整数のリスト：[自分, 相手1, 相手2]");
    let value = given(request, field, &accepts)?;
    let number = |n: &Value| n.as_u64().and_then(|n| u8::try_from(n).ok());
    let numbers: Option<Vec<u8>> = value.as_array().and_then(|list| list.iter().map(number).collect());
    numbers.and_then(|n| n.try_into().ok()).ok_or_else(|| Refusal::new(field, value, accepts))
}

/// Reads a request.
///
/// # Errors
/// What is not accepted is refused by the name of the field.
pub fn read(request: &Map<String, Value>) -> Result<View, Refusal> {
    if let Some(field) = request.keys().find(|k| !FIELDS.contains(&k.as_str())) {
        let got = text("an unknown field", "未知のフィールド");
        return Err(Refusal::of(field.as_str(), got, Text::same(FIELDS.join(", "))));
    }
    let turns = Text::same("13, 14, 15");
    let turn = given(request, "turn", &turns)?;
    let turn =
        turn.as_u64().and_then(|n| u8::try_from(n).ok()).ok_or_else(|| Refusal::new("turn", turn, turns))?;
    let round = if turn == 13 && request.get("round").is_none_or(Value::is_null) {
        [0; SEATS]
    } else {
        points(request, "round")?
    };
    let view = View {
        turn,
        hand: list(request, "hand")?,
        unknown: list(request, "unknown")?,
        scores: points(request, "scores")?,
        round,
    };
    view.check()?;
    Ok(view)
}

/// The answer as the text of a JSON object, cards lowest first.
pub fn write(values: &Values) -> String {
    let of = |total: i32| fraction(total, values.denominator());
    let cards: Vec<String> = values.cards().map(|(card, n)| format!("\"{card}\":\"{}\"", of(n))).collect();
    let best: Vec<String> = values.best_cards().map(|card| format!("\"{card}\"")).collect();
    format!(
        "{{\"values\":{{{}}},\"best\":[{}],\"value\":\"{}\"}}",
        cards.join(","),
        best.join(","),
        of(values.best())
    )
}

/// Answers requests; kernels that are not at work wait for the next.
#[derive(Default)]
pub struct Requests(Mutex<Vec<Kernel>>);

impl Evaluator for Requests {
    fn answer(&self, request: &Map<String, Value>, _: &Run<'_>) -> Result<String, Error> {
        let view = read(request)?;
        let waiting = self.0.lock().ok().and_then(|mut kernels| kernels.pop());
        let mut kernel = waiting.unwrap_or_default();
        let answer = write(&kernel.values(&view));
        if let Ok(mut kernels) = self.0.lock() {
            kernels.push(kernel);
        }
        Ok(answer)
    }
}
