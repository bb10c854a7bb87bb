//! What `solve` says about three against two with hidden colours.

use super::Grid;
use super::ask::{self, ID, QUESTION};
use super::both::{Between, Both, FIRST, View, belief_words, fraction, memory, ratio};
use super::plan::{Mind, Plan};
use super::{duel, story};
use crate::geister::board::Board;
use crate::geister::drawing;
use crate::params::Settings;
use num_traits::Zero;
use serde_json::{Value, json};
use std::sync::Arc;
use yomikiri_core::clock::Instant;
use yomikiri_core::error::bytes;
use yomikiri_core::number::{Rational, approx};
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_solve::belief::{Belief, ENDED};
use yomikiri_view::report::{Block, Cell, Certainty, Outcome, Table, Tone, grouped};

/// The bounds as parameters call them.
const SIDE: [&str; 2] = ["lower", "upper"];

/// A move of a strategy at the start, or the answer to one of the other side's.
struct Answer {
    /// The move it answers.
    to: Option<String>,
    /// The move; giving in if there is none.
    name: Option<String>,
    weight: Rational,
    /// How likely it is by the number of the own red piece; nothing where that is never red.
    by: Vec<Option<Rational>>,
}

/// A proved bound at a start.
struct Found {
    value: Rational,
    belief: Belief,
    plan: Plan,
    answers: Vec<Answer>,
}

/// The first lottery of a strategy, or the answers to the other side's first moves.
fn answers(plan: &Plan, view: &View) -> Vec<Answer> {
    let rules = &plan.both.open.rules;
    let mut all: Vec<Answer> = Vec::new();
    let mut add = |to: Option<&str>, name: Option<String>, weight: Rational, by: Vec<Option<Rational>>| {
        let same = |a: &&mut Answer| a.to.as_deref() == to && a.name == name;
        match all.iter_mut().find(same) {
            Some(a) => {
                a.weight += weight;
                for (sum, more) in a.by.iter_mut().zip(by) {
                    if let (Some(sum), Some(more)) = (sum, more) {
                        *sum += more;
                    }
                }
            }
            None => all.push(Answer { to: to.map(str::to_owned), name, weight, by }),
        }
    };
    let pieces = view.public.sides[plan.holder].count_ones() as usize;
    let steps = rules.steps(&view.public);
    // A lottery of the holder, seen from the start: there with a weight, and with types as they were.
    let mut lottery = |to: Option<&str>, entry: u32, there: &View, weight: &Rational, types: &[u8; 3]| {
        let steps = rules.steps(&there.public);
        for part in plan.lottery(entry, None) {
            let name = part.number.map(|n| there.name(&rules.board, steps[n as usize]));
            let by = (0..pieces).map(|i| {
                let kind = usize::from(types[i]);
                let own = plan.belief(entry, kind);
                (!own.is_zero()).then(|| weight * part.with(kind) / own)
            });
            add(to, name, weight * &part.weight, by.collect());
        }
    };
    if usize::from(view.public.turn) == plan.holder {
        lottery(None, 0, view, &ratio(1, 1), &[0, 1, 2]);
        return all;
    }
    let mut lost = Vec::new();
    for (number, m) in plan.moves(0).into_iter().enumerate() {
        let Some(next) = m.next.filter(|n| !n.types[plan.holder][..pieces].contains(&ENDED)) else {
            continue;
        };
        let there = view.after(rules, steps[number]);
        let name = view.name(&rules.board, steps[number]);
        for part in plan.lottery(0, Some(number as u32)) {
            match part.mind {
                Some(Mind::Entry(child)) => {
                    lottery(Some(&name), child, &there, &part.weight, &next.types[plan.holder]);
                }
                _ => lost.push((name.clone(), part)),
            }
        }
    }
    for (to, part) in lost {
        let by = (0..pieces).map(|i| {
            let own = plan.belief(0, i);
            (!own.is_zero()).then(|| part.with(i) / own)
        });
        add(Some(&to), None, part.weight.clone(), by.collect());
    }
    all.sort_by(|a, b| a.to.cmp(&b.to));
    all
}

fn proved(both: &Arc<Both>, view: &View, holder: usize, run: &Run<'_>) -> Result<Found, Error> {
    let at = both.find(view)?;
    let (value, belief) = both.best(at, holder);
    let plan = Plan::new(both, at, holder, run)?;
    let answers = answers(&plan, view);
    Ok(Found { value, belief, plan, answers })
}

/// What a bound is, as a cell.
pub fn kind(exact: bool) -> Cell {
    let (certainty, tone) =
        if exact { (Certainty::Exact, Tone::Good) } else { (Certainty::Bound, Tone::Plain) };
    Cell::from(certainty.word()).tone(tone)
}

/// The same for programs.
pub fn kind_id(exact: bool) -> &'static str {
    if exact { "exact" } else { "bound" }
}

/// A fraction for programs.
pub fn number(x: &Rational) -> Value {
    json!({"fraction": x.to_string(), "value": approx(x)})
}

/// The value that follows from bounds, in words.
pub fn value_words(b: &Between) -> Text {
    if b.exact() {
        let value = fraction(&b.lower);
        return Text::of(format!("the value is exactly {value}"), format!("値はちょうど{value}"));
    }
    let (low, high) = (fraction(&b.lower), fraction(&b.upper));
    let [below, above] = b.decimals();
    Text::of(
        format!("the value is between {low} and {high}, that is within [{below}, {above}]"),
        format!("値は{low}以上{high}以下、すなわち [{below}, {above}]"),
    )
}

/// Denominators of simple fractions, at most.
const SIMPLE: u32 = 60;
/// Simple fractions that are told, at most; all are in the JSON.
const FRACTIONS: usize = 12;

/// The fractions with denominators up to `SIMPLE` that lie between the bounds, those with the smallest first.
pub fn simple(b: &Between) -> Vec<Rational> {
    let mut all: Vec<Rational> = Vec::new();
    for over in 1..=SIMPLE {
        let (mut p, last) = ((&b.lower * ratio(over, 1)).ceil(), &b.upper * ratio(over, 1));
        while p <= last {
            let x = &p / ratio(over, 1);
            if *x.denom() == over.into() {
                all.push(x);
            }
            p += ratio(1, 1);
        }
    }
    all
}

fn simple_words(all: &[Rational]) -> Text {
    let listed: Vec<String> = all.iter().take(FRACTIONS).map(fraction).collect();
    let (list, more) = (listed.join(", "), all.len().saturating_sub(FRACTIONS));
    if more == 0 {
        return Text::of(
            if all.is_empty() { "none".to_owned() } else { list.clone() },
            if all.is_empty() { "なし".to_owned() } else { list },
        );
    }
    Text::of(format!("{list} and {more} more"), format!("{list} ほか{more}個"))
}

/// The certificate of a bound.
struct Certificate {
    /// The parameters it is made with.
    parameters: String,
    /// The file it is written to.
    file: String,
    /// What it is about, as its checker calls it.
    about: String,
    /// What it proves.
    bound: String,
}

impl Certificate {
    fn new(grid: Grid, first: usize, holder: usize, value: &Rational) -> Certificate {
        let (first, side, grid) = (FIRST[first].0, SIDE[holder], grid.id());
        Certificate {
            parameters: format!("first={first} side={side} grid={grid}"),
            file: format!("{first}-first-{side}.jsonl.zst"),
            about: format!("{first}-first"),
            bound: value.to_string(),
        }
    }

    /// A table of some.
    fn table(all: &[Certificate]) -> Table {
        let heads = [
            text("file", "ファイル"),
            text("made with", "作成時のパラメータ"),
            text("about", "対象"),
            text("bound", "限界値"),
        ];
        let mut table = Table::new(text("certificates, and what they prove", "証明書と証明する内容"), &heads);
        for Certificate { parameters, file, about, bound } in all {
            table.row([file, parameters, about, bound].map(|word| Cell::from(word.as_str())));
        }
        table
    }
}

/// A probability as people read it: a fraction if it is short, else about how much.
fn likely(p: &Rational) -> String {
    let exact = fraction(p);
    match approx(p) {
        _ if exact.len() <= 15 => exact,
        little if little < 1e-6 => "< 0.000001".into(),
        about => format!("≈ {about:.6}"),
    }
}

fn lottery_table(board: &Board, view: &View, holder: usize, p: &Found) -> Table {
    let whose = FIRST[holder].1.clone();
    let own = usize::from(view.public.turn) == holder;
    let title = if own {
        Text::of(
            format!("how the strategy of {} begins; how likely each move is by its red piece", whose.en),
            format!("{}の戦略の初手と確率（赤駒の位置別）", whose.ja),
        )
    } else {
        Text::of(
            format!("how the strategy of {} answers; how likely each move is by its red piece", whose.en),
            format!("{}の戦略の応手と確率（赤駒の位置別）", whose.ja),
        )
    };
    let squares = view.squares(board, holder);
    let mut order: Vec<usize> = (0..squares.len()).filter(|&i| p.belief[i] > 0).collect();
    order.sort_by_key(|&i| squares[i]);
    let mut heads = if own { Vec::new() } else { vec![text("after", "相手の手")] };
    heads.extend([text("move", "着手"), text("in all>", "全体>")]);
    heads.extend(order.iter().map(|&i| {
        let name = board.name(squares[i]);
        Text::of(format!("red on {name}>"), format!("赤が{name}>"))
    }));
    let mut table = Table::new(title, &heads);
    for a in &p.answers {
        let name = a.name.clone().map_or_else(|| Cell::from(text("gives in", "断念")), Cell::from);
        let mut row: Vec<Cell> = a.to.iter().map(|to| Cell::from(to.as_str()).tone(Tone::Dim)).collect();
        row.extend([name.tone(Tone::Strong), likely(&a.weight).into()]);
        row.extend(
            order.iter().map(|&i| a.by[i].as_ref().map_or_else(|| Cell::from("–"), |p| likely(p).into())),
        );
        table.row(row);
    }
    table
}

fn proved_json(board: &Board, view: &View, holder: usize, p: &Found, certificate: &Certificate) -> Value {
    let squares = view.squares(board, holder);
    let sum: i64 = p.belief.iter().sum();
    let belief: Vec<Value> = squares
        .iter()
        .zip(p.belief)
        .map(|(s, w)| json!({"square": board.name(*s), "red": ratio(w, sum).to_string()}))
        .collect();
    let lottery: Vec<Value> = p
        .answers
        .iter()
        .map(|a| {
            let by: serde_json::Map<String, Value> = squares
                .iter()
                .zip(&a.by)
                .filter_map(|(s, p)| Some((board.name(*s), json!(p.as_ref()?.to_string()))))
                .collect();
            json!({"after": a.to, "move": a.name, "weight": a.weight.to_string(), "by_red": by})
        })
        .collect();
    let mut json = number(&p.value);
    json["belief"] = json!(belief);
    json["entries"] = json!(p.plan.proof.entries.len());
    json["lottery"] = json!(lottery);
    if board.width == 4 && board.height == 4 {
        let Certificate { parameters, file, about, bound } = certificate;
        json["certify"] = json!(parameters);
        json["check"] = json!({"file": file, "about": about, "bound": bound});
    }
    json
}

/// Both bounds at both starts, with the strategies that prove them.
///
/// # Errors
/// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
pub fn solve(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let grid = ask::grid(settings)?;
    let board = Board::new(settings.int("width") as u8, settings.int("height") as u8)?;
    let started = Instant::now();
    let both = Both::new(&board, grid, run)?;
    let Board { width, height, .. } = board;
    let mut table = Table::new(
        text("bounds on the value for the three pieces", "3駒側の値の上下界"),
        &[
            text("first to move", "先手"),
            text("bound", "種別"),
            text("value>", "値>"),
            text("decimal>", "小数>"),
            text("kind", "確度"),
            text("whose strategy, and its colours at the start", "戦略と最初の色"),
            text("entries>", "証明の項数>"),
        ],
    );
    let (mut follows, mut lotteries, mut certificates) = (Vec::new(), Vec::new(), Vec::new());
    let (mut starts, mut stories) = (Vec::new(), Vec::new());
    for (turn, (id, first)) in FIRST.iter().enumerate() {
        let view = View::of(&both.open.rules, both.open.starts[turn]);
        let found = [proved(&both, &view, 0, run)?, proved(&both, &view, 1, run)?];
        let between = Between { lower: found[0].value.clone(), upper: found[1].value.clone() };
        let (value, decimals) = (value_words(&between), between.decimals());
        follows.push((
            Text::of(format!("{} move first", first.en), format!("先手{}", first.ja)),
            Cell::from(value).tone(if between.exact() { Tone::Good } else { Tone::Plain }),
        ));
        let mut json = json!({"first": id, "kind": kind_id(between.exact())});
        if !between.exact() {
            let all = simple(&between);
            follows.push((
                Text::of(
                    format!("fractions left with denominators up to {SIMPLE}"),
                    format!("残る分数（分母{SIMPLE}以下）"),
                ),
                Cell::from(simple_words(&all)),
            ));
            json["fractions"] = json!(all.iter().map(Rational::to_string).collect::<Vec<_>>());
        }
        for (holder, p) in found.iter().enumerate() {
            let words = belief_words(&board, &view, holder, &p.belief);
            let whose = &FIRST[holder].1;
            let at_least = if holder == 0 { text("at least", "以上") } else { text("at most", "以下") };
            table.row([
                Cell::from(if holder == 0 { first.clone() } else { Text::same("") }),
                at_least.into(),
                Cell::from(fraction(&p.value)).tone(Tone::Strong),
                decimals[holder].as_str().into(),
                kind(between.exact()),
                Text::of(format!("{}: {}", whose.en, words.en), format!("{}：{}", whose.ja, words.ja)).into(),
                grouped(p.plan.proof.entries.len() as u64).into(),
            ]);
            lotteries.push(Block::Table({
                let mut t = lottery_table(&board, &view, holder, p);
                t.title = Text::of(
                    format!("{} move first: {}", first.en, t.title.en),
                    format!("先手{}：{}", first.ja, t.title.ja),
                );
                t
            }));
            let certificate = Certificate::new(grid, turn, holder, &p.value);
            json[SIDE[holder]] = proved_json(&board, &view, holder, p, &certificate);
            certificates.push(certificate);
        }
        if turn == 0 {
            let course = duel::course([&found[0].plan, &found[1].plan], view, run)?;
            let (blocks, told) = story::told(&both, &course);
            stories = blocks;
            json["course"] = told;
        }
        starts.push(json);
    }
    let seconds = started.elapsed().as_secs_f64();
    let start = View::of(&both.open.rules, both.open.starts[0]);
    let mut blocks = vec![
        Block::Heading(Text::of(
            format!("Mini-Geister on {width}x{height}: blue, blue, red against blue, red"),
            format!("ミニガイスター {width}×{height}　青青赤 対 青赤"),
        )),
        Block::Paragraph(QUESTION),
        Block::Drawing(drawing::board(&board, &start.position(&board, [None; 2]), 0)),
        Block::Table(table),
        Block::Facts(follows),
    ];
    blocks.extend(lotteries);
    blocks.extend(stories);
    if (width, height) == (4, 4) {
        blocks.push(Block::Table(Certificate::table(&certificates)));
    }
    let need = memory(&board, grid);
    blocks.push(Block::Facts(vec![
        (text("grid of beliefs", "信念の刻み"), grid.id().into()),
        (text("positions", "局面数"), grouped(both.open.graph.positions.len() as u64).into()),
        (text("memory, at most about", "メモリの目安"), bytes(need).into()),
        (
            text("time", "計算時間"),
            Cell::from(Text::of(format!("{seconds:.1} s"), format!("{seconds:.1} 秒"))).tone(Tone::Dim),
        ),
    ]));
    if grid == Grid::Coarse {
        blocks.push(Block::Paragraph(text(
            "The grid fine brings the bounds closer, adaptive closest; they take minutes.",
            "刻み fine でより狭く、adaptive で最も狭い上下界が得られます（数分）。",
        )));
    }
    let json = json!({"game": "geister", "analysis": ID, "width": width, "height": height, "grid": grid.id(),
        "positions": both.open.graph.positions.len(), "memory": need, "starts": starts});
    Ok(Outcome { blocks, json, good: true })
}
