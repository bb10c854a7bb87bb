//! Other boards and more pieces: what is left of the paper's result when the game grows.

use crate::golden::{Computed, Golden, compare};
use serde_json::{Value, json};
use std::time::Instant;
use yomikiri_core::error::bytes;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::geister::analysis::{Kind, Solved, distance, value};
use yomikiri_games::geister::board::{Board, SIDES};
use yomikiri_games::geister::notation::{signed, verdict_text};
use yomikiri_games::geister::space::Material;
use yomikiri_games::geister::summary::both;
use yomikiri_games::geister::tables::Tables;
use yomikiri_games::params::{Kind as Takes, Param, Settings};
use yomikiri_solve::retrograde;
use yomikiri_view::report::{Block, Cell, Outcome, Table, Tone, grouped};

/// Start distances on other boards.
pub static GOLDEN: Golden = Golden { id: "boards", data: include_str!("golden/boards.toml") };

/// The parameters of the study.
pub static PARAMS: [Param; 1] = [Param {
    name: "size",
    kind: Takes::Choice(&[
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
}];

/// A board with what came out of it.
pub struct Found {
    name: String,
    kind: Kind,
    pieces: (u8, u8),
    positions: u64,
    memory: u64,
    seconds: f64,
    start: [yomikiri_solve::retrograde::GameValue; 2],
    longest: u16,
}

impl Found {
    /// The figures the golden table has for it.
    pub fn computed(&self) -> Vec<Computed> {
        let one = |turn: usize| {
            let cell = format!("{} {}, player {} to move", self.name, self.kind.id(), turn + 1);
            Computed::count(&cell, u64::from(distance(self.start[turn]).unwrap_or(0)))
        };
        if self.pieces == (2, 2) { vec![one(0), one(1)] } else { Vec::new() }
    }
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

/// The boards as a table.
pub fn table(found: &[Found]) -> Table {
    let mut table = Table::new(
        text(
            "boards: value (distance) at the start, exact; beyond two against two the basic rule claims no payoff",
            "盤面ごとの初期配置の値（手数、厳密）。2駒対2駒より多い駒数では利得を主張しない",
        ),
        &[
            text("board", "盤面"),
            text("pieces", "駒数"),
            text("rule", "規則"),
            text("positions>", "局面数>"),
            text("player 1 to move>", "手番1>"),
            text("player 2 to move>", "手番2>"),
            text("longest>", "最長>"),
            text("memory>", "メモリ>"),
            text("seconds>", "秒>"),
        ],
    );
    for f in found {
        let mark = |v| {
            let tone = if value(v) == 1 { Tone::Good } else { Tone::Plain };
            Cell::from(verdict_text(v)).tone(tone)
        };
        table.row([
            Cell::from(f.name.as_str()).tone(Tone::Strong),
            format!("{}v{}", f.pieces.0, f.pieces.1).into(),
            f.kind.id().into(),
            grouped(f.positions).into(),
            mark(f.start[0]),
            mark(f.start[1]),
            f.longest.to_string().into(),
            bytes(f.memory).into(),
            Cell::from(format!("{:.2}", f.seconds)).tone(Tone::Dim),
        ]);
    }
    table
}

fn json_of(f: &Found) -> Value {
    json!({"board": f.name, "pieces": [f.pieces.0, f.pieces.1], "analysis": f.kind.id(), "kind": "exact",
        "positions": f.positions, "value": f.start.map(value), "distance": f.start.map(distance),
        "longest": f.longest, "memory": f.memory})
}

/// The study.
pub fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let found = all(settings.word("size"), run)?;
    let computed: Vec<Computed> = found.iter().flat_map(Found::computed).collect();
    let compared = compare(&GOLDEN, &computed);
    let words: Vec<String> = found
        .iter()
        .filter(|f| f.kind == Kind::Basic && f.pieces == (2, 2) && value(f.start[1]) != 1)
        .map(|f| format!("{} ({})", f.name, signed(value(f.start[1]))))
        .collect();
    let words = words.join(", ");
    let blocks = vec![
        Block::Table(table(&found)),
        Block::Paragraph(Text::of(
            format!(
                "Boards on which the second player does not reach payoff 0 in finitely many moves under the basic rule: {words}."
            ),
            format!("基本規則で後手が有限手で平均利得0を達成できない盤面：{words}。"),
        )),
        Block::Paragraph(Text::of(
            format!(
                "{} figures compared with an independent program, {} differ.",
                compared.tally.compared(),
                compared.tally.differing
            ),
            format!(
                "独立したプログラムの値{}個と照合、不一致{}個。",
                compared.tally.compared(),
                compared.tally.differing
            ),
        )),
    ];
    let json = json!({"game": "geister", "study": "boards", "boards": found.iter().map(json_of).collect::<Vec<_>>(),
        "table_bytes_a_position": 2, "bytes_a_position_while_solving": retrograde::memory(1),
        "compared": compared.tally.compared(), "differing": compared.tally.differing});
    Ok(Outcome { blocks, json, good: compared.tally.differing == 0 })
}
