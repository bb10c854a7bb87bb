//! What `solve` says about rows.

use super::analysis::{facts, score};
use super::answer::{names, to_json};
use super::method::{Answer, Engines, Winnable};
use super::notation::{dealt, line, lines, rules, variant};
use super::rules::{Accordion, Row, Rules};
use crate::params::Settings;
use crate::told::value_cell;
use serde_json::{Map, Value, json};
use yomikiri_core::{Error, Game, Run, Text, text};
use yomikiri_view::report::{Block, Cell, Outcome, Table, Tone, grouped};

fn object(rules: &Rules, row: &Row, answer: &Answer) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("game".into(), json!("accordion"));
    out.insert("row".into(), json!(line(&row.cards)));
    out.extend(to_json(rules, row, answer));
    out.insert("engine".into(), json!(answer.engine.word()));
    out
}

/// Solves one row and says what came out.
///
/// # Errors
/// What the computation fails with: cancelled, does not fit.
pub fn one(accordion: &Accordion, run: &Run<'_>) -> Result<Outcome, Error> {
    let (rules, row) = (accordion.rules(), accordion.start());
    let answer = Engines::new(rules).solve(&row, run)?;
    let cards = row.cards.len();
    let mut told = vec![
        (text("rules", "ルール"), variant(rules).into()),
        (text("answer", "判定"), value_cell(&score(&answer))),
    ];
    told.extend(facts(rules, &row, &answer));
    let mut blocks = vec![
        Block::Heading(Text::of(
            format!("Accordion, a row of {cards} cards"),
            format!("アコーディオン　{cards}枚"),
        )),
        Block::Drawing(Text::same(lines(&row.cards))),
        Block::Facts(told),
    ];
    if let Some(moves) = names(rules, &row, &answer).filter(|moves| !moves.is_empty()) {
        let moves: Vec<String> = moves.chunks(10).map(|ten| ten.join("  ")).collect();
        blocks.push(Block::Paragraph(text(
            "A winning line (X>Y: card X goes onto card Y):",
            "成功手順（X>Y：X を Y に重ねる）：",
        )));
        blocks.push(Block::Drawing(Text::same(moves.join("\n"))));
    }
    let good = matches!(answer.winnable, Winnable::Yes(_));
    Ok(Outcome { blocks, json: Value::Object(object(rules, &row, &answer)), good })
}

/// Solves the first deals of the seed.
///
/// # Errors
/// Settings that go with no deal are refused; otherwise what the computation fails with.
pub fn many(settings: &Settings, deals: u64, run: &Run<'_>) -> Result<Outcome, Error> {
    let rules = rules(settings)?;
    let heads = [
        text("deal>", "配札>"),
        text("answer", "判定"),
        text("engine", "方法"),
        text("rows generated>", "生成状態数>"),
        text("row", "並び"),
    ];
    let mut table = Table::new(text("Deals of the seed", "シードの配札"), &heads);
    let mut engines = Engines::new(&rules);
    let mut all = Vec::new();
    run.observer.begin(&text("solving deals", "配札を解いています"), deals);
    for number in 0..deals {
        let row = rules.row(dealt(settings, number, run.seed)?);
        let answer = engines.solve(&row, run)?;
        table.row([
            number.to_string().into(),
            value_cell(&score(&answer)),
            answer.engine.word().into(),
            grouped(answer.states).into(),
            Cell::from(line(&row.cards)).tone(Tone::Dim),
        ]);
        all.push((object(&rules, &row, &answer), matches!(answer.winnable, Winnable::Yes(_))));
        run.observer.done(number + 1);
    }
    run.observer.end();
    let won = all.iter().filter(|a| a.1).count();
    let blocks = vec![
        Block::Table(table),
        Block::Paragraph(Text::of(
            format!("{won} of {deals} deals can be won."),
            format!("{deals}個のうち{won}個が成功可能。"),
        )),
    ];
    let rows: Vec<Value> = all.into_iter().map(|a| Value::Object(a.0)).collect();
    let json = json!({"game": "accordion", "seed": run.seed, "deals": rows, "won": won});
    Ok(Outcome { blocks, json, good: won as u64 == deals })
}
