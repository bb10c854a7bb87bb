//! The `eval` interface: one row a line, whether it can be won and how.

use super::method::{Answer, Engines, Winnable, greedy_end};
use super::notation::{cards, distances, name};
use super::rules::{Row, Rules};
use super::sliced::{Machine, Sliced};
use crate::about::Evaluator;
use serde_json::{Map, Value, json};
use yomikiri_core::text::counted;
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_solve::search::{Exact, Limit, Limits};

const FIELDS: [&str; 6] = ["row", "count", "distances", "piles", "grace", "id"];
/// The fields of an answer, in the order they are written.
const ORDER: [&str; 7] = ["solvable", "moves", "states", "first_moves", "greedy_end", "reachable", "limit"];
/// Rows up to which reachable rows are counted for a request.
const MAX_COUNT: u64 = 100_000_000;

/// A request that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The rules.
    pub rules: Rules,
    /// The row.
    pub row: Row,
    /// Whether reachable rows are to be counted.
    pub count: bool,
}

/// Reads a request.
///
/// # Errors
/// What is not accepted is refused by the name of the field.
pub fn read(request: &Map<String, Value>) -> Result<Request, Refusal> {
    if let Some(field) = request.keys().find(|k| !FIELDS.contains(&k.as_str())) {
        let got = text("an unknown field", "未知のフィールド");
        return Err(Refusal::of(field.as_str(), got, Text::same(FIELDS.join(", "))));
    }
    let given = |field: &str| request.get(field).filter(|v| !v.is_null());
    let truth = |field: &'static str| match given(field) {
        None => Ok(false),
        Some(value) => value.as_bool().ok_or_else(|| Refusal::new(field, value, Text::same("true, false"))),
    };
    let far = match given("distances") {
        None => vec![1, 3],
        Some(Value::String(list)) => distances(list)?,
        Some(Value::Array(list)) => {
            distances(&list.iter().take(100).map(Value::to_string).collect::<Vec<_>>().join(","))?
        }
        Some(other) => {
            return Err(Refusal::new("distances", other, text("a list, e.g. [1,3]", "リスト、例：[1,3]")));
        }
    };
    let piles =
        match given("piles") {
            None => 1,
            Some(value) => value.as_u64().filter(|n| (1..=52).contains(n)).ok_or_else(|| {
                Refusal::new("piles", value, text("a whole number from 1 to 52", "1～52の整数"))
            })? as u8,
        };
    let rules = Rules::new(&far, piles, truth("grace")?)?;
    let row = match request.get("row") {
        None | Some(Value::Null) => {
            return Err(Refusal::of("row", text("nothing", "なし"), super::notation::ROW));
        }
        Some(Value::String(row)) => rules.row(cards(row)?),
        Some(other) => return Err(Refusal::new("row", other, super::notation::ROW)),
    };
    Ok(Request { rules, row, count: truth("count")? })
}

/// A limit in words.
pub fn limit_text(limit: Limit) -> Text {
    match limit {
        Limit::States(n) => {
            Text::of(counted(n, "row", "rows"), format!("{}状態", yomikiri_core::text::grouped(n)))
        }
        Limit::Memory(n) => {
            let n = yomikiri_core::error::bytes(n);
            Text::of(format!("{n} of memory"), format!("メモリ{n}"))
        }
    }
}

/// The names of a winning line's moves.
pub fn names(rules: &Rules, row: &Row, answer: &Answer) -> Option<Vec<String>> {
    let Winnable::Yes(steps) = &answer.winnable else { return None };
    let rows = rules.replay(row, steps).ok()?;
    Some(rows.iter().zip(steps).map(|(row, &step)| name(row, step)).collect())
}

/// What is said of a row whatever is asked: whether it can be won, a winning line, what that took.
pub fn to_json(rules: &Rules, row: &Row, answer: &Answer) -> Map<String, Value> {
    let machine = Machine::new(rules);
    let mut out = Map::new();
    let solvable = match answer.winnable {
        Winnable::Yes(_) => Some(true),
        Winnable::No => Some(false),
        Winnable::Unknown(_) => None,
    };
    out.insert("solvable".into(), json!(solvable));
    out.insert("moves".into(), json!(names(rules, row, answer)));
    out.insert("states".into(), json!(answer.states));
    out.insert("first_moves".into(), json!(rules.steps(row).len()));
    out.insert("greedy_end".into(), json!(greedy_end(&machine, &Sliced::of(row))));
    if let Winnable::Unknown(limit) = answer.winnable {
        out.insert("limit".into(), json!(limit_text(limit).en));
    }
    out
}

/// Works out a request.
///
/// # Errors
/// What the computation fails with: cancelled, does not fit.
pub fn answer(request: &Request, run: &Run<'_>) -> Result<Map<String, Value>, Error> {
    let mut engines = Engines::new(&request.rules);
    let answer = engines.solve(&request.row, run)?;
    let mut out = to_json(&request.rules, &request.row, &answer);
    if request.count {
        let limits = Limits { memory: run.memory, states: MAX_COUNT };
        let counted = Exact::new(limits)?.reachable(engines.machine(), &Sliced::of(&request.row), run)?;
        out.insert("reachable".into(), json!(counted.ok()));
        if let Err(limit) = counted {
            out.insert("limit".into(), json!(limit_text(limit).en));
        }
    }
    Ok(out)
}

/// Answers requests, each on its own.
pub struct Requests;

impl Evaluator for Requests {
    fn answer(&self, request: &Map<String, Value>, run: &Run<'_>) -> Result<String, Error> {
        let answer = answer(&read(request)?, run)?;
        let parts = ORDER.iter().filter_map(|field| Some(format!("\"{field}\":{}", answer.get(*field)?)));
        Ok(format!("{{{}}}", parts.collect::<Vec<_>>().join(",")))
    }
}
