//! What play looks like when both strategies meet, in tables and pictures.

use super::both::{Both, FIRST, View};
use super::duel::{Course, Ending, Law, PLIES};
use crate::geister::board::{Board, Position};
use crate::geister::drawing::{End, Line};
use crate::geister::{notation, scene};
use serde_json::{Value, json};
use yomikiri_core::{Text, text};
use yomikiri_view::report::{Block, Cell, Table, Tone};

/// Moves beside the likeliest that are named.
const OTHERS: usize = 3;

/// A share as people read it.
fn percent(x: f64) -> String {
    match x * 100.0 {
        little if little > 0.0 && little < 0.05 => "< 0.1 %".into(),
        x => format!("{x:.1} %"),
    }
}

/// An ending in words, by who makes the last move.
fn ending(by: u8, ending: Ending) -> (&'static str, Text) {
    match (by, ending) {
        (0, Ending::Leaves) => ("three-leave", text("a blue piece of the three leaves", "3駒側の青が脱出")),
        (0, Ending::TakesBlue) => {
            ("three-take-blue", text("the three take the blue piece", "3駒側が青を取る"))
        }
        (0, Ending::TakesRed) => ("three-take-red", text("the three take the red piece", "3駒側が赤を取る")),
        (_, Ending::Leaves) => ("two-leave", text("the blue piece of the two leaves", "2駒側の青が脱出")),
        (_, Ending::TakesBlue) => {
            ("two-take-blue", text("the two take the last blue piece", "2駒側が最後の青を取る"))
        }
        (_, Ending::TakesRed) => ("two-take-red", text("the two take the red piece", "2駒側が赤を取る")),
    }
}

/// Whether an ending wins for the three.
fn wins(by: u8, ending: Ending) -> bool {
    (by == 0) != (ending == Ending::TakesRed)
}

/// How likely each piece of a side is its red one, by squares as on the table.
fn reds(board: &Board, view: &View, side: usize, law: &Law) -> Vec<(String, f64)> {
    let mut all: Vec<(u32, f64)> = view.squares(board, side).into_iter().zip(*law).collect();
    all.sort_by_key(|one| one.0);
    all.into_iter().map(|(square, p)| (board.name(square), p)).collect()
}

fn red_words(board: &Board, view: &View, side: usize, law: &Law) -> String {
    let all = reds(board, view, side, law).into_iter();
    all.map(|(square, p)| format!("{square} {:.0}", p * 100.0)).collect::<Vec<_>>().join("  ")
}

fn red_json(board: &Board, view: &View, laws: &[Law; 2]) -> Value {
    let side = |side: usize| {
        let all = reds(board, view, side, &laws[side]).into_iter();
        all.map(|(square, p)| (square, json!(p))).collect::<serde_json::Map<String, Value>>()
    };
    json!({"three": side(0), "two": side(1)})
}

/// The tables and pictures of it, and the same for programs.
pub fn told(both: &Both, course: &Course) -> (Vec<Block>, Value) {
    let rules = &both.open.rules;
    let board = &rules.board;
    let mut ends = Table::new(
        text(
            "the three move first: how games between both strategies end",
            "先手3駒側：双方の戦略で戦ったときの終わり方",
        ),
        &[text("how", "終わり方"), text("winner", "勝者"), text("how often>", "割合>")],
    );
    let mut endings = Vec::new();
    for ((by, how), weight) in &course.endings {
        let (id, words) = ending(*by, *how);
        let winner = FIRST[usize::from(!wins(*by, *how))].1.clone();
        ends.row([Cell::from(words), winner.into(), percent(*weight).into()]);
        endings.push(json!({"how": id, "three_win": wins(*by, *how), "weight": weight}));
    }
    let open = Text::of(format!("undecided after {PLIES} moves"), format!("{PLIES}手で決着せず"));
    ends.row([Cell::from(open), "–".into(), percent(course.undecided).into()]);
    let facts = Block::Facts(vec![
        (
            text("payoff of the three, on average", "3駒側の平均利得"),
            Cell::from(format!("{:.4}", course.payoff)),
        ),
        (
            text("moves of both until it ends, on average", "決着までの平均手数"),
            Cell::from(format!("{:.1}", course.plies)),
        ),
    ]);
    let mut line = Table::new(
        text(
            "the likeliest line; shares in %, red pieces as an onlooker who knows both strategies would guess",
            "最も起こりやすい手順（割合は%。赤駒は双方の戦略を知る観戦者の推定）",
        ),
        &[
            text("move>", "手>"),
            text("side", "手番"),
            text("likeliest", "最多の手"),
            text("others", "その他の手"),
            text("red of the three", "3駒側の赤"),
            text("red of the two", "2駒側の赤"),
        ],
    );
    let mut steps: Vec<(Position, Option<String>)> = Vec::new();
    let mut stops = Vec::new();
    for (number, stop) in (1..).zip(&course.line) {
        let all = rules.steps(&stop.view.public);
        let name = |n: usize| stop.view.name(board, all[n]);
        let written = |n: usize, weight: f64| {
            let label = scene::label(&name(n));
            Text::of(
                format!("{} {:.0}", label.en, weight * 100.0),
                format!("{} {:.0}", label.ja, weight * 100.0),
            )
        };
        let mut moves = stop.moves.iter().map(|m| written(m.number, m.weight));
        let first = moves.next().unwrap_or_default();
        let others: Vec<Text> = moves.take(OTHERS).collect();
        let join = |of: fn(&Text) -> &str| others.iter().map(of).collect::<Vec<_>>().join(", ");
        let turn = usize::from(stop.view.public.turn);
        line.row([
            Cell::from(number.to_string()),
            FIRST[turn].1.clone().into(),
            Cell::from(first).tone(Tone::Strong),
            Cell::from(Text::of(join(|t| &t.en), join(|t| &t.ja))).tone(Tone::Dim),
            red_words(board, &stop.view, 0, &stop.laws[0]).into(),
            red_words(board, &stop.view, 1, &stop.laws[1]).into(),
        ]);
        let position = stop.view.position(board, [None; 2]);
        steps.push((position, stop.moves.first().map(|m| name(m.number))));
        let moves = stop.moves.iter().map(|m| json!({"move": name(m.number), "weight": m.weight}));
        stops.push(json!({"board": notation::board_text(board, &position.sides), "turn": turn + 1,
            "reach": stop.reach, "moves": moves.collect::<Vec<_>>(), "red": red_json(board, &stop.view, &stop.laws)}));
    }
    let played = Line { steps, end: End::Again };
    let mut picture = scene::line(board, &played, [false; 2]);
    picture.say = Text::default();
    let picture = Block::Scene {
        caption: text("the likeliest line, move by move", "最も起こりやすい手順"),
        scenes: vec![picture],
        plain: played.draw(board),
    };
    let mut dwell = Table::new(
        text(
            "where play dwells: the positions met most often, mirror images once",
            "長く留まる局面（左右対称形は1つに数える）",
        ),
        &[
            text("board", "盤面"),
            text("side", "手番"),
            text("times a game>", "1局あたり回数>"),
            text("red of the three, %", "3駒側の赤（%）"),
            text("red of the two, %", "2駒側の赤（%）"),
        ],
    );
    let mut dwellings = Vec::new();
    for d in &course.dwellings {
        let view = View { public: d.public, mirrored: false };
        let written = notation::board_text(board, &view.position(board, [None; 2]).sides);
        let turn = usize::from(d.public.turn);
        dwell.row([
            Cell::from(written.as_str()),
            FIRST[turn].1.clone().into(),
            format!("{:.3}", d.visits).into(),
            red_words(board, &view, 0, &d.laws[0]).into(),
            red_words(board, &view, 1, &d.laws[1]).into(),
        ]);
        dwellings.push(json!({"board": written, "turn": turn + 1, "visits": d.visits,
            "red": red_json(board, &view, &d.laws)}));
    }
    let json = json!({"endings": endings, "undecided": course.undecided, "payoff": course.payoff,
        "moves": course.plies, "line": stops, "dwellings": dwellings});
    let blocks = vec![Block::Table(ends), facts, Block::Table(line), picture, Block::Table(dwell)];
    (blocks, json)
}
