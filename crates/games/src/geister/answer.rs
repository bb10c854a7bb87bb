//! The value of a position and of every move in it, as JSON.

use super::analysis::{Act, Kind, Solved, Test, distance, value};
use super::board::{Board, Position};
use super::kind::materials;
use super::notation;
use super::on_disk;
use super::space::Material;
use super::tables::Tables;
use crate::about::Evaluator;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use yomikiri_core::{Error, Game, Refusal, Run, Text, text};
use yomikiri_solve::retrograde::GameValue;
use yomikiri_view::analysis::compare;

/// The fields of a request.
const FIELDS: [&str; 5] = ["analysis", "turn", "board", "a", "b"];
/// Pieces a side may have under the basic rule.
pub const PIECES: (i64, i64) = (2, 4);

/// A move with what it leads to.
pub struct MoveValue {
    /// The move.
    pub act: Act,
    /// As people write it.
    pub name: String,
    /// What the position is worth if it is played.
    pub verdict: GameValue,
    /// The test by which it ends the analysis.
    pub ends: Option<Test>,
    /// The test by which the other player then ends it.
    pub allows: Option<Test>,
}

/// The moves of a position: those that decide the analysis first, then the others in order.
pub fn moves(solved: &Solved, p: &Position) -> Vec<MoveValue> {
    let rules = &solved.rules;
    let one = |(act, ends): (Act, Option<Test>)| {
        let name = notation::act(&rules.board, act);
        let Act::Quiet(step) = act else {
            let verdict = GameValue::Won { by: p.turn, plies: 0 };
            return MoveValue { act, name, verdict, ends, allows: None };
        };
        let after = rules.apply(p, step);
        MoveValue { act, name, verdict: solved.verdict(&after).before(), ends, allows: rules.test(&after) }
    };
    rules.acts(p).into_iter().map(one).collect()
}

/// The answer for a position as the text of a JSON object, with its keys in the order people read them.
pub fn to_text(solved: &Solved, p: &Position) -> String {
    let moves = moves(solved, p);
    let worth = |v: GameValue| {
        let distance = distance(v).map_or_else(|| "null".to_owned(), |d| d.to_string());
        format!("\"value\":{},\"distance\":{distance}", value(v))
    };
    let list: Vec<String> = moves
        .iter()
        .map(|m| {
            let test = |key: &str, test: Option<Test>| {
                test.map_or_else(String::new, |t| format!(",\"{key}\":\"{}\"", t.id()))
            };
            let (ends, allows) = (test("ends", m.ends), test("allows", m.allows));
            format!("{{\"move\":\"{}\",{}{ends}{allows}}}", m.name, worth(m.verdict))
        })
        .collect();
    // As an analysis ranks them, which there is no time for here.
    let rank = |m: &MoveValue| f64::from(m.verdict.rank(p.turn));
    let top = moves.iter().map(rank).fold(f64::NEG_INFINITY, f64::max);
    let best = moves.iter().filter(|m| compare(&rank(m), &top, 0.0).is_eq());
    let best: Vec<String> = best.map(|m| format!("\"{}\"", m.name)).collect();
    format!("{{{},\"moves\":[{}],\"best\":[{}]}}", worth(solved.verdict(p)), list.join(","), best.join(","))
}

/// A request that has been read.
pub struct Request {
    /// The analysis.
    pub kind: Kind,
    /// The board.
    pub board: Board,
    /// What its positions have.
    pub materials: Vec<Material>,
    /// The position.
    pub position: Position,
}

/// Reads a request.
///
/// # Errors
/// What is not accepted is refused by the name of the field.
pub fn read(request: &Map<String, Value>) -> Result<Request, Refusal> {
    if let Some(field) = request.keys().find(|k| !FIELDS.contains(&k.as_str())) {
        return Err(Refusal::of(
            field.as_str(),
            text("an unknown field", "未知のフィールド"),
            Text::same(FIELDS.join(", ")),
        ));
    }
    let nothing = || text("nothing", "なし");
    let word = |field: &str, accepts: Text| match request.get(field) {
        Some(Value::String(word)) => Ok(word.as_str()),
        Some(other) => Err(Refusal::new(field, other, accepts)),
        None => Err(Refusal::of(field, nothing(), accepts)),
    };
    let kind = notation::kind(word("analysis", notation::names())?)?;
    let turn = match request.get("turn") {
        Some(Value::Number(n)) => notation::turn(&n.to_string())?,
        Some(other) => return Err(Refusal::new("turn", other, text("1 or 2", "1 か 2"))),
        None => return Err(Refusal::of("turn", nothing(), text("1 or 2", "1 か 2"))),
    };
    let (board, sides) = notation::board(word("board", text("the board as text", "盤面の文字列"))?)?;
    let pieces = |field: &str| match request.get(field) {
        None => Ok(2),
        Some(n) => n.as_i64().filter(|n| (PIECES.0..=PIECES.1).contains(n)).ok_or_else(|| {
            let (min, max) = PIECES;
            Refusal::new(
                field,
                n,
                Text::of(format!("a whole number from {min} to {max}"), format!("{min}～{max}の整数")),
            )
        }),
    };
    let materials = materials(kind, pieces("a")?, pieces("b")?)?;
    notation::check(kind, &sides, &materials)?;
    Ok(Request { kind, board, materials, position: Position { turn, sides } })
}

/// Answers requests from tables that are built once.
#[derive(Default)]
pub struct Requests {
    boards: Mutex<BTreeMap<(u8, u8), Arc<Tables>>>,
}

impl Requests {
    fn tables(&self, board: &Board) -> Arc<Tables> {
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        let tables = boards.entry((board.width, board.height));
        tables.or_insert_with(|| Arc::new(Tables::new(board.clone(), false))).clone()
    }

    fn solved(&self, request: &Request, run: &Run<'_>) -> Result<Arc<Solved>, Error> {
        let mut tables = self.tables(&request.board);
        // Of the open game only what the position can lead to: all of it is 25 times as much.
        let materials = match request.kind {
            Kind::Open => reached(&request.materials, &Material::of(&request.position)),
            _ => request.materials.clone(),
        };
        if let Some(solved) = tables.find(request.kind, &materials) {
            return Ok(solved);
        }
        if let Some(solved) = on_disk::find(&request.board, request.kind, &materials, run)? {
            return Ok(solved);
        }
        let need = tables.memory(request.kind, &materials);
        run.fits(need)?;
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        let held: u64 = boards.values().map(|tables| tables.held()).sum();
        if held + need > run.memory {
            // Tables of earlier requests make room; those in use go when they no longer are.
            boards.clear();
        }
        drop(boards);
        tables = self.tables(&request.board);
        tables.get(request.kind, &materials, run)
    }
}

/// The materials a position of an open game can lead to: its own, and those with fewer pieces.
pub fn reached(all: &[Material], own: &Material) -> Vec<Material> {
    let within = |m: &Material| m.0.iter().flatten().zip(own.0.iter().flatten()).all(|(x, y)| x <= y);
    all.iter().filter(|m| within(m)).copied().collect()
}

impl Evaluator for Requests {
    fn prepare(&self, requests: &[Map<String, Value>], run: &Run<'_>) -> Result<(), Error> {
        for request in requests {
            let Ok(request) = read(request) else { continue };
            // Other errors are said again when it is answered.
            if let Err(Error::Cancelled) = self.solved(&request, run) {
                return Err(Error::Cancelled);
            }
        }
        Ok(())
    }

    fn answer(&self, request: &Map<String, Value>, run: &Run<'_>) -> Result<String, Error> {
        let request = read(request)?;
        let solved = self.solved(&request, run)?;
        Ok(to_text(&solved, &request.position))
    }
}
