//! What `solve` says: every analysis, and what follows for the starts.

use super::analysis::{Kind, Solved, distance, value};
use super::asked::asked;
use super::board::{Board, Position};
use super::kind::materials;
use super::notation::{self, fraction, ratio, verdict_text};
use super::tables::Tables;
use crate::params::Settings;
use serde_json::{Value, json};
use std::sync::Arc;
use yomikiri_core::clock::Instant;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_solve::retrograde::GameValue;
use yomikiri_view::report::{Block, Cell, Certainty, Outcome, Table, Tone, grouped};

/// Whether a value means that the target is reached: in finitely many moves, or by endless play where the
/// target is at most its payoff 0.
pub fn reached(kind: Kind, verdict: GameValue) -> bool {
    match value(verdict) {
        1 => true,
        0 => kind.target().0 <= 0,
        _ => false,
    }
}

/// How many positions have each value, and the longest distance.
pub struct Tally {
    /// Positions at −1, 0, +1.
    pub values: [u64; 3],
    /// Positions at +1 by who is to move.
    pub won: [u64; 2],
    /// Positions at +1 by distance, from 1.
    pub by_distance: Vec<u64>,
    /// The longest distance of all.
    pub longest: u16,
}

/// Counts the positions of a table, mirror images apart.
pub fn tally(solved: &Solved) -> Tally {
    let mut tally = Tally { values: [0; 3], won: [0; 2], by_distance: Vec::new(), longest: 0 };
    let board = &solved.rules.board;
    for place in 0..solved.table.places() {
        let Some(p) = solved.rules.space.at(place) else { continue };
        let verdict = solved.table.get(place);
        let times = if solved.rules.space.mirror && board.mirror_of(&p) != p { 2 } else { 1 };
        tally.values[(value(verdict) + 1) as usize] += times;
        let Some(moves) = distance(verdict) else { continue };
        tally.longest = tally.longest.max(moves);
        if value(verdict) == 1 {
            tally.won[usize::from(p.turn)] += times;
            let at = usize::from(moves);
            if tally.by_distance.len() < at {
                tally.by_distance.resize(at, 0);
            }
            tally.by_distance[at - 1] += times;
        }
    }
    tally
}

/// The verdicts of a start position: player 1 to move, player 2 to move.
pub fn both(solved: &Solved, start: &Position) -> [GameValue; 2] {
    [0, 1].map(|turn| solved.verdict(&Position { turn, ..*start }))
}

/// A conclusion about a start, with what it rests on.
pub struct Conclusion {
    /// What is concluded.
    pub statement: Text,
    /// Why.
    pub evidence: Text,
    /// Whether the tables say so.
    pub holds: bool,
}

/// What the first of two guarantees and what the second one does, hence the value between them.
struct Bounds {
    game: Text,
    /// The side whose payoff is meant, its analysis and target.
    side: (Text, Kind),
    other: (Text, Kind),
}

/// The conclusions about the start positions of a board, from the tables that are there.
///
/// # Errors
/// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
pub fn conclusions(tables: &Tables, run: &Run<'_>) -> Result<Vec<Conclusion>, Error> {
    let two = || text("two pieces each", "2駒対2駒");
    let list = [
        Bounds {
            game: two(),
            side: (text("player 1", "プレイヤー1"), Kind::Extended),
            other: (text("player 2", "プレイヤー2"), Kind::Extended),
        },
        Bounds {
            game: text("red-red-blue against two", "赤赤青 対 2駒"),
            side: (text("red-red-blue", "赤赤青側"), Kind::RrbThree),
            other: (text("the two pieces", "2駒側"), Kind::RrbTwo),
        },
        Bounds {
            game: text("red-blue-blue against two", "赤青青 対 2駒"),
            side: (text("red-blue-blue", "赤青青側"), Kind::BbrThreeThird),
            other: (text("the two pieces", "2駒側"), Kind::BbrTwoHalf),
        },
    ];
    let mut all = Vec::new();
    for Bounds { game, side, other } in list {
        let (own, enemy) = (tables.solve(side.1, run)?, tables.solve(other.1, run)?);
        let starts = (own.rules.starts(), enemy.rules.starts());
        let (Some(first), Some(second)) = (starts.0.first(), starts.1.first()) else { continue };
        for turn in [0u8, 1] {
            // The other side owns its own table, in which it is player 1: the turn is the other way round.
            let v = both(&own, first)[usize::from(turn)];
            let w = both(&enemy, second)[usize::from(1 - turn)];
            let (low, high) = (side.1.target(), other.1.target());
            let high = (-high.0, high.1);
            let holds = [reached(side.1, v), reached(other.1, w)];
            let mover = if turn == 0 { &side.0 } else { &other.0 };
            let [low, high, own] = [low, high, other.1.target()].map(fraction);
            let value = match holds {
                [true, true] if low == high => Text::of(
                    format!("the value is {low}: a Nash equilibrium"),
                    format!("値は{low}（ナッシュ均衡）"),
                ),
                [true, true] => Text::of(
                    format!("the value is between {low} and {high}"),
                    format!("値は{low}以上{high}以下"),
                ),
                [true, false] => Text::of(format!("the value is at least {low}"), format!("値は{low}以上")),
                [false, true] => Text::of(format!("the value is at most {high}"), format!("値は{high}以下")),
                [false, false] => text("nothing follows", "結論なし"),
            };
            let (a, v, b, w) = (side.1.id(), verdict_text(v), other.1.id(), verdict_text(w));
            all.push(Conclusion {
                statement: Text::of(
                    format!("{}, {} to move: {}", game.en, mover.en, value.en),
                    format!("{}、手番{}：{}", game.ja, mover.ja, value.ja),
                ),
                evidence: Text::of(
                    format!(
                        "{a} is {v}: at least {low} for {}; {b} is {w}: at least {own} for {}",
                        side.0.en, other.0.en
                    ),
                    format!("{a}が{v}：{}は{low}以上。{b}が{w}：{}は{own}以上", side.0.ja, other.0.ja),
                ),
                holds: holds == [true, true],
            });
        }
    }
    Ok(all)
}

/// The word for an exact figure.
fn exact() -> Text {
    Certainty::Exact.word()
}

/// The target of a table; none where the basic rule is used with other numbers of pieces than its argument is for.
fn target_of(solved: &Solved) -> Option<(i32, i32)> {
    let kind = solved.rules.kind;
    let argued = kind != Kind::Basic || solved.rules.space.materials().eq(kind.materials());
    argued.then(|| kind.target())
}

fn suite_table(solved: &[Arc<Solved>]) -> (Table, Vec<Value>) {
    let mut table = Table::new(
        Text::of(
            format!("every analysis; value (distance) at the start; all figures {}", exact().en),
            format!("全ての解析と初期配置の値（手数）。全て{}", exact().ja),
        ),
        &[
            text("analysis", "解析"),
            text("target>", "目標>"),
            text("positions>", "局面数>"),
            text("+1>", "+1>"),
            text("0>", "0>"),
            text("−1>", "−1>"),
            text("longest>", "最長>"),
            text("start", "初期配置"),
            text("player 1 to move>", "手番1>"),
            text("player 2 to move>", "手番2>"),
        ],
    );
    let mut all = Vec::new();
    for solved in solved {
        let (kind, counts, positions) = (solved.rules.kind, tally(solved), solved.rules.starts());
        let target = target_of(solved).map_or_else(|| "–".to_owned(), fraction);
        let [lost, neither, won] = counts.values.map(grouped);
        let figures = [target, grouped(solved.rules.all_positions()), won, neither, lost];
        let (mut starts, mut rows) = (Vec::new(), Vec::new());
        for p in &positions {
            let (verdicts, board) = (both(solved, p), notation::board_text(&solved.rules.board, &p.sides));
            starts.push(
                json!({"board": board, "value": verdicts.map(value), "distance": verdicts.map(distance)}),
            );
            let mark = |v: GameValue| {
                Cell::from(verdict_text(v)).tone(if reached(kind, v) { Tone::Good } else { Tone::Plain })
            };
            rows.push([Cell::from(board).tone(Tone::Dim), mark(verdicts[0]), mark(verdicts[1])]);
        }
        // All colours known has a start for every colouring: too many for a table, and in the JSON.
        if rows.len() > 3 {
            let places = rows.len();
            let words = Text::of(format!("{places} colourings"), format!("配色{places}通り"));
            rows = vec![[Cell::from(words).tone(Tone::Dim), "".into(), "".into()]];
        }
        for (i, row) in rows.into_iter().enumerate() {
            let once = |s: &str| Cell::from(if i == 0 { s } else { "" });
            let mut cells = vec![once(kind.id()).tone(Tone::Strong)];
            cells.extend(figures.iter().map(|figure| once(figure)));
            cells.push(once(&counts.longest.to_string()));
            cells.extend(row);
            table.row(cells);
        }
        all.push(json!({"analysis": kind.id(), "target": target_of(solved).map(ratio), "kind": "exact",
            "positions": solved.rules.all_positions(), "won": counts.values[2], "neither": counts.values[1],
            "lost": counts.values[0], "longest": counts.longest, "by_distance": counts.by_distance,
            "starts": starts}));
    }
    (table, all)
}

/// Solves one analysis, or all of them, and says what came out.
///
/// # Errors
/// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
pub fn solve(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let asked = asked(settings, None)?;
    let started = Instant::now();
    let Board { width, height, .. } = *asked.tables.board();
    let mut solved = Vec::new();
    match asked.kind {
        Some(kind) => {
            let materials = materials(kind, asked.pieces.0, asked.pieces.1)?;
            run.fits(asked.tables.memory(kind, &materials))?;
            solved.push(asked.tables.get(kind, &materials, run)?);
        }
        None => {
            materials(Kind::Extended, asked.pieces.0, asked.pieces.1)?;
            let need = Kind::ALL.map(|kind| asked.tables.memory(kind, &kind.materials()));
            run.fits(need.iter().sum())?;
            for kind in Kind::ALL {
                solved.push(asked.tables.solve(kind, run)?);
            }
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let (table, list) = suite_table(&solved);
    let mut blocks = vec![Block::Heading(Text::of(
        format!("Mini-Geister on {width}x{height}"),
        format!("ミニガイスター {width}×{height}"),
    ))];
    blocks.push(Block::Table(table));
    if let Some(kind) = asked.kind {
        let question = match target_of(&solved[0]) {
            Some(_) => kind.question(),
            None => text(
                "more hidden pieces under the basic rule: who gets to an exit, or to where each enemy piece can be taken; no payoff is claimed",
                "駒数を増やした基本規則：脱出、または相手の駒を全て取れる形に先に達するか（利得は主張しない）",
            ),
        };
        blocks.insert(1, Block::Paragraph(question));
        blocks.push(Block::Table(distances(&solved[0])));
    }
    let mut json = json!({"game": "geister", "width": width, "height": height, "analyses": list});
    if asked.kind.is_none() {
        let conclusions = conclusions(&asked.tables, run)?;
        blocks.push(Block::Table(conclusions_table(&conclusions)));
        json["conclusions"] = conclusions_json(&conclusions);
    }
    let positions: u64 = solved.iter().map(|s| s.table.places()).sum();
    blocks.push(Block::Facts(vec![
        (text("positions solved", "解いた局面数"), grouped(positions).into()),
        (
            text("time", "計算時間"),
            Cell::from(Text::of(format!("{seconds:.3} s"), format!("{seconds:.3} 秒"))).tone(Tone::Dim),
        ),
    ]));
    Ok(Outcome { blocks, json, good: true })
}

fn distances(solved: &Solved) -> Table {
    let mut table = Table::new(
        text("positions at +1 by distance", "値+1の局面数（手数別）"),
        &[text("distance>", "手数>"), text("positions>", "局面数>")],
    );
    for (i, count) in tally(solved).by_distance.iter().enumerate() {
        table.row([(i + 1).to_string().into(), grouped(*count).into()]);
    }
    table
}

/// The conclusions as a table.
pub fn conclusions_table(all: &[Conclusion]) -> Table {
    let mut table = Table::new(
        text("what follows for the start positions", "初期配置についての結論"),
        &[text("conclusion", "結論"), text("evidence", "根拠")],
    );
    for c in all {
        let tone = if c.holds { Tone::Good } else { Tone::Warn };
        table.row([
            Cell::from(c.statement.clone()).tone(tone),
            Cell::from(c.evidence.clone()).tone(Tone::Dim),
        ]);
    }
    table
}

/// The conclusions for programs.
pub fn conclusions_json(all: &[Conclusion]) -> Value {
    let one =
        |c: &Conclusion| json!({"statement": c.statement.en, "evidence": c.evidence.en, "holds": c.holds});
    all.iter().map(one).collect()
}
