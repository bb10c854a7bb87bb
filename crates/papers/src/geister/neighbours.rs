//! The neighbours of the open case: other material and other boards, and what every position is worth.

use crate::paper::Study;
use num_rational::Ratio;
use serde_json::json;
use std::collections::BTreeMap;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::geister::belief::{Grid, Match, Open};
use yomikiri_games::geister::board::{Board, SIDES};
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::report::{Block, Cell, Certainty, List, Outcome, Record, Tone, grouped};

pub const STUDY: Study = Study {
    name: "hidden",
    summary: text(
        "bounds with both sides' colours hidden, for other material and boards, and for every position",
        "両者の色が見えない場合の上下界：他の駒構成・盤面、全局面の値",
    ),
    params: &[
        Param {
            name: "match",
            domain: Domain::Choice(&[
                ("bbr-br", text("blue, blue, red against blue, red", "青青赤 対 青赤")),
                ("rrb-br", text("red, red, blue against blue, red", "赤赤青 対 青赤")),
                ("bbr-rrb", text("blue, blue, red against red, red, blue", "青青赤 対 赤赤青")),
                ("br-br", text("blue, red against blue, red", "青赤 対 青赤")),
            ]),
            default: "br-br",
            help: text("the pieces of both", "双方の駒"),
        },
        side("width", text("files of the board", "盤の横のマス数")),
        side("height", text("ranks of the board", "盤の縦のマス数")),
        Param {
            name: "grid",
            domain: Domain::Choice(&[
                (
                    "coarse",
                    text(
                        "halves and thirds for three pieces, halves for two",
                        "3駒は1/2と1/3刻み、2駒は1/2刻み",
                    ),
                ),
                (
                    "fine",
                    text("tenths for three pieces, up to eighths for two", "3駒は1/10刻み、2駒は分母8まで"),
                ),
            ]),
            default: "coarse",
            help: text("how finely a side's belief is cut", "信念の細かさ"),
        },
    ],
    rows: &[],
    run: study,
};

const fn side(name: &'static str, help: Text) -> Param {
    Param::int(name, SIDES.0 as i64, SIDES.1 as i64, "4", help)
}

/// Pairs of bounds that are shown; all are in the JSON.
const SHOWN: usize = 20;

fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let board = Board::new(settings.int("width") as u8, settings.int("height") as u8)?;
    let game = Match::ALL.into_iter().find(|m| m.id() == settings.word("match")).unwrap_or(Match::BrBr);
    let grid = if settings.word("grid") == "fine" { Grid::Fine } else { Grid::Coarse };
    let open = Open::of(&board, game, run)?;
    let mut bounds: [Vec<Ratio<i64>>; 2] = [Vec::new(), Vec::new()];
    for (holder, values) in bounds.iter_mut().enumerate() {
        let bound = open.bound(holder, grid, run)?;
        let sign = if holder == 0 { 1 } else { -1 };
        let value = |at| Ratio::new(sign * i64::from(bound.best(at).1), i64::from(bound.lattice()));
        *values = (0..open.graph.positions.len() as u32).map(value).collect();
    }
    let [lower, upper] = bounds;
    let decimal = |r: &Ratio<i64>| *r.numer() as f64 / *r.denom() as f64;
    let certainty = |exact: bool| if exact { Certainty::Exact } else { Certainty::Bound };
    let kind = || text("kind", "種別");
    let mut starts =
        List::new(text("value of the start for player 1", "初期局面の値（プレイヤー1から見て）"));
    for (turn, start) in open.starts.iter().enumerate() {
        let at = open.graph.find(start).unwrap_or_default() as usize;
        let (low, high) = (lower[at], upper[at]);
        let player = Text::of(format!("player {}", turn + 1), format!("プレイヤー{}", turn + 1));
        let word = Cell::from(certainty(low == high).word());
        starts.push(
            Record::new()
                .field("first", text("first to move", "先手"), player, turn + 1)
                .field("lower", text("lower>", "下界>"), low.to_string(), low.to_string())
                .field("upper", text("upper>", "上界>"), high.to_string(), high.to_string())
                .show(text("decimal>", "小数>"), format!("{:.6} – {:.6}", decimal(&low), decimal(&high)))
                .show(kind(), if low == high { word.tone(Tone::Good) } else { word }),
        );
    }
    // Every position in which nobody has lost a piece yet, with laws of the players' own choice.
    let full: Vec<usize> = (0..lower.len())
        .filter(|&at| {
            let sides = open.graph.positions[at].sides;
            [0, 1].iter().all(|&s| sides[s].count_ones() as usize == game.pieces()[s])
        })
        .collect();
    let mut counts: BTreeMap<(Ratio<i64>, Ratio<i64>), u64> = BTreeMap::new();
    for &at in &full {
        *counts.entry((lower[at], upper[at])).or_default() += 1;
    }
    let solved: u64 = counts.iter().filter(|((l, u), _)| l == u).map(|(_, n)| n).sum();
    let crossed = full.iter().filter(|&&at| lower[at] > upper[at]).count();
    let mut all = List::new(text(
        "every position of this material, mirror images once",
        "同じ駒数の全局面（左右対称形は1つに数える）",
    ));
    let mut most: Vec<_> = counts.iter().collect();
    most.sort_by_key(|(bounds, n)| (std::cmp::Reverse(**n), **bounds));
    for ((low, high), n) in &most {
        all.push(
            Record::new()
                .field("lower", text("lower>", "下界>"), low.to_string(), low.to_string())
                .field("upper", text("upper>", "上界>"), high.to_string(), high.to_string())
                .show(kind(), certainty(low == high).word())
                .count("positions", text("positions>", "局面数>"), **n),
        );
    }
    all.table.rows.truncate(SHOWN);
    let (positions, exact) = (grouped(full.len() as u64), grouped(solved));
    let (shown, pairs) = (most.len().min(SHOWN), most.len());
    let summary = Text::of(
        format!(
            "{positions} positions, {exact} with an exact value; the table shows the {shown} most frequent of {pairs} pairs of bounds."
        ),
        format!(
            "{positions} 局面のうち {exact} 局面は厳密値が定まりました。表は上下界の組 {pairs} 通りのうち多い順に {shown} 通りです。"
        ),
    );
    let json = json!({"match": game.id(), "width": board.width, "height": board.height, "grid": grid.id(),
        "starts": starts.json, "positions": full.len(), "exact": solved, "counts": all.json});
    let blocks = vec![Block::Table(starts.table), Block::Table(all.table), Block::Paragraph(summary)];
    Ok(Outcome { blocks, json, good: crossed == 0 })
}
