//! Other boards and more pieces: what is left of the paper's result when the game grows.

use crate::golden::{Comparison, Computed, Golden, compare};
use crate::paper::Study;
use serde_json::json;
use yomikiri_core::clock::Instant;
use yomikiri_core::error::bytes;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::geister::analysis::{Kind, Solved, distance, value};
use yomikiri_games::geister::board::{Board, SIDES};
use yomikiri_games::geister::notation::{signed, verdict_text};
use yomikiri_games::geister::space::Material;
use yomikiri_games::geister::summary::both;
use yomikiri_games::geister::tables::Tables;
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_solve::retrograde;
use yomikiri_view::report::{Block, Cell, List, Outcome, Record, Tone};

/// Start distances on other boards.
pub const GOLDEN: Golden = Golden { id: "boards", data: include_str!("golden/boards.toml") };

pub const STUDY: Study = Study {
    name: "boards",
    summary: text(
        "other boards and more pieces under the basic and the extended rule",
        "他の盤面と駒数（基本規則と拡張規則）",
    ),
    params: &[Param {
        name: "size",
        domain: Domain::Choice(&[
            ("small", text("two against two on every board, seconds", "2駒対2駒の全盤面（数秒）")),
            (
                "large",
                text(
                    "also 5x5 3v3, 6x6 3v3 and 5x5 4v4, a minute",
                    "さらに5×5の3駒対3駒・4駒対4駒、6×6の3駒対3駒（約1分）",
                ),
            ),
            (
                "largest",
                text("also 6x6 4v4: 12 GiB, half an hour or more", "さらに6×6の4駒対4駒（12 GiB、30分以上）"),
            ),
        ]),
        default: "small",
        help: text("how far to go", "どこまで調べるか"),
    }],
    rows: &[],
    run: study,
};

/// A board with what came out of it.
pub struct Found {
    name: String,
    kind: Kind,
    pieces: (u8, u8),
    positions: u64,
    memory: u64,
    seconds: f64,
    start: [retrograde::GameValue; 2],
    longest: u16,
}

/// The figures of a board with two pieces each that the golden table has.
fn computed(found: &Found) -> impl Iterator<Item = Computed> {
    let two = found.pieces == (2, 2);
    found.start.into_iter().enumerate().filter(move |_| two).map(|(turn, verdict)| {
        let cell = format!("{} {}, player {} to move", found.name, found.kind.id(), turn + 1);
        Computed::count(cell, u64::from(distance(verdict).unwrap_or(0)))
    })
}

/// The boards beside what an independent program found.
pub fn compared(found: &[Found]) -> Comparison {
    compare(&GOLDEN, &found.iter().flat_map(computed).collect::<Vec<_>>())
}

fn look(tables: &Tables, kind: Kind, pieces: (u8, u8), run: &Run<'_>) -> Result<Option<Found>, Error> {
    let Board { width, height, .. } = *tables.board();
    let materials = match kind {
        Kind::Basic => vec![Material([[0, 0, pieces.0], [0, 0, pieces.1]])],
        _ => kind.materials(),
    };
    let memory = tables.memory(kind, &materials);
    let name = format!("{width}x{height}");
    if memory > 1 << 26 {
        run.observer.note(&Text::of(
            format!("{name} {}v{}: {} of memory", pieces.0, pieces.1, bytes(memory)),
            format!("{name} {}駒対{}駒：メモリ {}", pieces.0, pieces.1, bytes(memory)),
        ));
    }
    run.fits(memory)?;
    let started = Instant::now();
    let solved = tables.get(kind, &materials, run)?;
    let seconds = started.elapsed().as_secs_f64();
    let Some(p) = solved.rules.starts().first().copied() else { return Ok(None) };
    Ok(Some(Found {
        name,
        kind,
        pieces,
        positions: solved.rules.all_positions(),
        memory,
        seconds,
        start: both(&solved, &p),
        longest: longest(&solved),
    }))
}

/// The longest distance of a table.
fn longest(solved: &Solved) -> u16 {
    let all = (0..solved.table.places()).filter_map(|place| distance(solved.table.get(place)));
    all.max().unwrap_or(0)
}

/// Goes through the boards.
pub fn all(size: &str, run: &Run<'_>) -> Result<Vec<Found>, Error> {
    let mut found = Vec::new();
    for height in SIDES.0..=SIDES.1 {
        for width in SIDES.0..=SIDES.1 {
            let tables = Tables::new(Board::new(width, height)?, false);
            for kind in [Kind::Basic, Kind::Extended] {
                found.extend(look(&tables, kind, (2, 2), run)?);
            }
        }
    }
    let larger: &[(u8, u8)] = match size {
        "small" => &[],
        "large" => &[(5, 3), (6, 3), (5, 4)],
        _ => &[(5, 3), (6, 3), (5, 4), (6, 4)],
    };
    for &(side, pieces) in larger {
        let tables = Tables::new(Board::new(side, side)?, false);
        found.extend(look(&tables, Kind::Basic, (pieces, pieces), run)?);
    }
    Ok(found)
}

/// The boards, for people and for programs.
pub fn list(found: &[Found]) -> List {
    let mut list = List::new(text(
        "boards: value (distance) at the start, exact; beyond two against two the basic rule claims no payoff",
        "盤面ごとの初期配置の値（手数、厳密）。2駒対2駒より多い駒数では利得を主張しない",
    ));
    for f in found {
        let mark = |v| {
            let tone = if value(v) == 1 { Tone::Good } else { Tone::Plain };
            Cell::from(verdict_text(v)).tone(tone)
        };
        let (name, id, (a, b)) = (f.name.as_str(), f.kind.id(), f.pieces);
        let seconds = Cell::from(format!("{:.2}", f.seconds)).tone(Tone::Dim);
        list.push(
            Record::new()
                .field("board", text("board", "盤面"), Cell::from(name).tone(Tone::Strong), name)
                .field("pieces", text("pieces", "駒数"), format!("{a}v{b}"), [a, b])
                .field("analysis", text("rule", "規則"), id, id)
                .count("positions", text("positions>", "局面数>"), f.positions)
                .show(text("player 1 to move>", "手番1>"), mark(f.start[0]))
                .show(text("player 2 to move>", "手番2>"), mark(f.start[1]))
                .count("longest", text("longest>", "最長>"), f.longest.into())
                .field("memory", text("memory>", "メモリ>"), bytes(f.memory), f.memory)
                .show(text("seconds>", "秒>"), seconds)
                .data("kind", "exact")
                .data("value", f.start.map(value))
                .data("distance", f.start.map(|v| json!(distance(v)))),
        );
    }
    list
}

fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let found = all(settings.word("size"), run)?;
    let tally = compared(&found).tally;
    let words: Vec<String> = found
        .iter()
        .filter(|f| f.kind == Kind::Basic && f.pieces == (2, 2) && value(f.start[1]) != 1)
        .map(|f| format!("{} ({})", f.name, signed(value(f.start[1]))))
        .collect();
    let (words, compared, differing) = (words.join(", "), tally.compared(), tally.differing);
    let list = list(&found);
    let blocks = vec![
        Block::Table(list.table),
        Block::Paragraph(Text::of(
            format!(
                "Boards on which the second player does not reach payoff 0 in finitely many moves under the basic rule: {words}."
            ),
            format!("基本規則で後手が有限手で平均利得0を達成できない盤面：{words}。"),
        )),
        Block::Paragraph(Text::of(
            format!("{compared} figures compared with an independent program, {differing} differ."),
            format!("独立したプログラムの値{compared}個と照合、不一致{differing}個。"),
        )),
    ];
    let json = json!({"game": "geister", "study": "boards", "boards": list.json,
        "table_bytes_a_position": 2, "bytes_a_position_while_solving": retrograde::memory(1),
        "compared": compared, "differing": differing});
    Ok(Outcome { blocks, json, good: differing == 0 })
}
