//! What `solve` and `show` say: a deal brought to the last round by the model, and the expectation of every card.

use super::kernel::{Kernel, Values, fraction};
use super::notation::{print, read};
use super::player::House;
use super::rules::{Cards, LAST_ROUND, SEATS};
use super::seats::{Lineup, Party, ranks};
use super::view::View;
use crate::params::Settings;
use serde_json::{Value, json};
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_view::report::{Block, Cell, Certainty, Outcome, Table, Tone};

/// Cards as they are drawn, in one frame.
pub fn framed(cards: Cards) -> String {
    if cards.is_empty() {
        return String::new();
    }
    let line = |left: &str, between: &str, right: &str, cell: &dyn Fn(String) -> String| {
        let cells: Vec<String> = cards.iter().map(|card| cell(card.drawn())).collect();
        format!("{left}{}{right}", cells.join(between))
    };
    let bar = |_: String| "───".to_owned();
    [line("╭", "┬", "╮", &bar), line("│", "│", "│", &|name| format!("{name:<3}")), line("╰", "┴", "╯", &bar)]
        .join("\n")
}

/// The table a deal of the settings leads to before the last round.
pub fn entering(settings: &Settings, run: &Run<'_>) -> Result<super::rules::Table, Error> {
    let lineup = Lineup::parse(settings.text("seats"))?;
    let house = House::of(settings.word("ties"), settings.word("model"));
    Ok(Party::new(lineup, house).until(LAST_ROUND, run.seed, settings.int("deal") as u64).table)
}

fn values_table(values: &Values) -> Table {
    let mut table = Table::new(
        text("Expectation of every card", "各カードの期待値"),
        &[text("", ""), text("card", "カード"), text("exact>", "厳密値>"), text("value>", "値>")],
    );
    let best = values.best();
    for (card, n) in values.cards() {
        let (mark, tone) =
            if n == best { (text("best", "最善"), Tone::Strong) } else { (text("", ""), Tone::Plain) };
        let value = f64::from(n) / f64::from(values.denominator());
        let cells = [
            Cell::from(mark),
            format!("{card} {}", card.drawn()).into(),
            fraction(n, values.denominator()).into(),
            format!("{value:+.6}").into(),
        ];
        table.row(cells.map(|cell| cell.tone(tone)));
    }
    table
}

fn totals(totals: [u8; SEATS]) -> String {
    totals.map(|t| t.to_string()).join(", ")
}

fn view_blocks(view: &View, values: &Values) -> Vec<Block> {
    let exact = Certainty::Exact.word();
    let value = fraction(values.best(), values.denominator());
    vec![
        Block::Drawing(Text::same(framed(view.hand))),
        Block::Facts(vec![
            (text("turn", "ターン"), view.turn.to_string().into()),
            (text("cards not seen", "不明なカード"), view.unknown.to_string().into()),
            (text("kept: me, opponents", "点数：自分、相手"), totals(view.scores).into()),
            (text("this round", "このラウンド"), totals(view.round).into()),
            (
                text("value", "値"),
                Cell::from(Text::of(
                    format!(
                        "{value} = {:+.6}  [{}, against players who play at random]",
                        values.value(),
                        exact.en
                    ),
                    format!("{value} = {:+.6}  [{}、相手は無作為]", values.value(), exact.ja),
                ))
                .tone(Tone::Good),
            ),
        ]),
        Block::Table(values_table(values)),
    ]
}

fn object(view: &View, values: &Values) -> Value {
    let of = |n: i32| fraction(n, values.denominator());
    let cards: serde_json::Map<String, Value> =
        values.cards().map(|(card, n)| (card.to_string(), json!(of(n)))).collect();
    let best: Vec<String> = values.best_cards().map(|c| c.to_string()).collect();
    json!({"position": print(view), "turn": view.turn, "values": cards, "best": best,
        "value": of(values.best()), "approx": values.value()})
}

/// A deal at the beginning of its last round, for all three seats.
pub fn solve(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let table = entering(settings, run)?;
    let house = House::of(settings.word("ties"), settings.word("model"));
    let words = house.words();
    let (deal, ranks) = (settings.int("deal"), ranks(table.scores));
    let mut blocks = vec![
        Block::Heading(Text::of(
            format!("Saichugen, deal {deal} at the beginning of the last round"),
            format!("最中限　配札{deal}の最終ラウンド開始時"),
        )),
        Block::Paragraph(Text::of(
            format!(
                "Rounds 1–4 by the model ({}); {}. Every player's expectation is exact if the two others play at random.",
                words.en,
                settings.text("seats")
            ),
            format!(
                "1～4ラウンドはモデル（{}）による。{}。期待値は、他の2人が無作為に出す場合の厳密値。",
                words.ja,
                settings.text("seats")
            ),
        )),
    ];
    let mut kernel = Kernel::new();
    let mut seats = Vec::new();
    for (seat, rank) in ranks.iter().enumerate() {
        let view = View::of(&table, seat);
        let values = kernel.values(&view);
        blocks.push(Block::Heading(Text::of(
            format!("Seat {}, rank {rank}", seat + 1),
            format!("席{}（{rank}位）", seat + 1),
        )));
        blocks.extend(view_blocks(&view, &values));
        seats.push(object(&view, &values));
    }
    let json = json!({"game": "saichugen", "kind": "exact", "seed": run.seed, "deal": deal,
        "scores": table.scores, "ranks": ranks, "seats": seats});
    Ok(Outcome { blocks, json, good: true })
}

/// One decision of the last round; of seat 1 in the deal of the settings if none is given.
pub fn show(settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Outcome, Error> {
    let view = match position {
        Some(given) => read(given)?,
        None => View::of(&entering(settings, run)?, 0),
    };
    let values = Kernel::new().values(&view);
    let mut blocks = vec![Block::Heading(Text::of(
        format!("Saichugen, turn {}", view.turn),
        format!("最中限　ターン{}", view.turn),
    ))];
    blocks.extend(view_blocks(&view, &values));
    let mut json = object(&view, &values);
    json["game"] = json!("saichugen");
    json["kind"] = json!("exact");
    Ok(Outcome { blocks, json, good: true })
}
