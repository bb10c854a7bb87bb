//! What `solve` and `show` say about a row.

use super::answer::{limit_text, names, to_json};
use super::method::{Answer, Engine, Engines, Winnable, greedy_end};
use super::notation::{dealt, game, line, lines, name, rules};
use super::rules::{Accordion, Row, Rules};
use super::sliced::Sliced;
use crate::params::Settings;
use crate::play::Tabletop;
use serde_json::{Map, Value, json};
use yomikiri_core::{Error, Game, Run, Text, text};
use yomikiri_view::report::{Block, Cell, Certainty, Outcome, Table, Tone, grouped};

/// The answer in words, with what kind of answer it is.
fn verdict(answer: &Answer) -> Cell {
    let exact = Certainty::Exact.word();
    match &answer.winnable {
        Winnable::Yes(steps) => {
            let n = steps.len();
            Cell::from(Text::of(
                format!("can be won, in {n} moves  [{}]", exact.en),
                format!("成功可能（{n}手）  [{}]", exact.ja),
            ))
            .tone(Tone::Good)
        }
        Winnable::No => {
            let n = grouped(answer.states);
            Cell::from(Text::of(
                format!("cannot be won: all {n} rows that can be reached were looked at  [{}]", exact.en),
                format!("成功不可能：到達可能な全{n}状態を調べた  [{}]", exact.ja),
            ))
            .tone(Tone::Bad)
        }
        Winnable::Unknown(limit) => {
            let limit = limit_text(*limit);
            Cell::from(Text::of(
                format!("not known: the limit of {} was hit", limit.en),
                format!("不明：上限（{}）に達した", limit.ja),
            ))
            .tone(Tone::Warn)
        }
    }
}

fn engine(answer: &Answer) -> Text {
    let states = grouped(answer.states);
    match answer.engine {
        Engine::Fast => Text::of(
            format!(
                "fast, {states} rows generated in {} {}, solution replayed",
                answer.tries,
                if answer.tries == 1 { "try" } else { "tries" }
            ),
            format!("fast（{}回の試行で{states}状態を生成、解は再生して確認）", answer.tries),
        ),
        Engine::Exact => {
            Text::of(format!("exact, {states} rows generated"), format!("exact（{states}状態を生成）"))
        }
    }
}

pub(super) fn variant(rules: &Rules) -> Text {
    let far: Vec<String> = rules.distances().iter().map(u8::to_string).collect();
    let far = far.join(", ");
    let piles = rules.piles();
    let grace = if rules.grace() {
        text(", one saving grace", "、セービンググレース1回")
    } else {
        text("", "")
    };
    let end = if piles == 1 {
        text("one pile", "1山")
    } else {
        Text::of(format!("{piles} piles"), format!("{piles}山"))
    };
    Text::of(
        format!("distances {far}; to be reached: {}{}", end.en, grace.en),
        format!("距離 {far}、目標 {}{}", end.ja, grace.ja),
    )
}

/// Facts on a row and its answer.
fn facts(rules: &Rules, row: &Row, answer: &Answer) -> Vec<(Text, Cell)> {
    let machine = super::sliced::Machine::new(rules);
    vec![
        (text("rules", "ルール"), variant(rules).into()),
        (text("answer", "判定"), verdict(answer)),
        (text("engine", "方法"), Cell::from(engine(answer)).tone(Tone::Dim)),
        (text("legal first moves", "最初の合法手"), rules.steps(row).len().to_string().into()),
        (
            text("cards left by the paper's greedy play", "力まかせ法で残る枚数"),
            greedy_end(&machine, &Sliced::of(row)).to_string().into(),
        ),
    ]
}

fn object(rules: &Rules, row: &Row, answer: &Answer) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("game".into(), json!("accordion"));
    out.insert("row".into(), json!(line(&row.cards)));
    out.extend(to_json(rules, row, answer));
    out.insert("engine".into(), json!(answer.engine.word()));
    out
}

fn heading(cards: usize) -> Block {
    Block::Heading(Text::of(
        format!("Accordion, a row of {cards} cards"),
        format!("アコーディオン　{cards}枚"),
    ))
}

/// Solves one row and says what came out.
fn one(accordion: &Accordion, run: &Run<'_>) -> Result<Outcome, Error> {
    let (rules, row) = (accordion.rules(), accordion.start());
    let answer = Engines::new(rules).solve(&row, run)?;
    let mut blocks = vec![
        heading(row.cards.len()),
        Block::Drawing(Text::same(lines(&row.cards))),
        Block::Facts(facts(rules, &row, &answer)),
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

/// Solves the row that was given, or deals of the seed.
pub fn solve(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let deals = settings.int("deals") as u64;
    if settings.given("row") || deals == 1 {
        return one(&game(settings, None, run)?, run);
    }
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
        let row = rules.row(dealt(settings, number, run)?);
        let answer = engines.solve(&row, run)?;
        table.row([
            number.to_string().into(),
            verdict(&answer),
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

/// A row with every first move, whether the rest can still be won, and a solution step by step.
pub fn show(settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Outcome, Error> {
    let accordion = game(settings, position, run)?;
    let (rules, row) = (accordion.rules(), accordion.start());
    let mut engines = Engines::new(rules);
    let answer = engines.solve(&row, run)?;
    let mut json = object(rules, &row, &answer);
    let mut blocks = vec![
        heading(row.cards.len()),
        Block::Drawing(accordion.draw(&row)),
        Block::Facts(facts(rules, &row, &answer)),
    ];
    let steps = rules.steps(&row);
    if !steps.is_empty() {
        let heads = [
            text("move", "手"),
            text("", ""),
            text("the rest", "その後"),
            text("rows generated>", "生成状態数>"),
        ];
        let mut table = Table::new(text("Every first move", "すべての最初の手"), &heads);
        let mut moves = Vec::new();
        run.observer.begin(&text("trying every move", "すべての手を調べています"), steps.len() as u64);
        for (number, &step) in steps.iter().enumerate() {
            let after = engines.solve(&rules.after(&row, step), run)?;
            let (word, tone, won) = match after.winnable {
                Winnable::Yes(_) => (text("can be won", "成功可能"), Tone::Good, Some(true)),
                Winnable::No => (text("cannot be won", "成功不可能"), Tone::Bad, Some(false)),
                Winnable::Unknown(_) => (text("not known", "不明"), Tone::Warn, None),
            };
            let label = accordion.name(&row, step).1;
            table.row([
                name(&row, step).into(),
                Cell::from(label).tone(Tone::Dim),
                Cell::from(word).tone(tone),
                grouped(after.states).into(),
            ]);
            moves.push(json!({"move": name(&row, step), "solvable": won, "states": after.states}));
            run.observer.done(number as u64 + 1);
        }
        run.observer.end();
        json.insert("first".into(), Value::Array(moves));
        blocks.push(Block::Table(table));
    }
    if let Winnable::Yes(steps) = &answer.winnable
        && let Ok(rows) = rules.replay(&row, steps)
        && !steps.is_empty()
    {
        let heads = [
            text("step>", "手数>"),
            text("move", "手"),
            text("", ""),
            text("left>", "残り>"),
            text("around the place", "その付近"),
        ];
        let mut table = Table::new(text("A winning line, step by step", "成功手順"), &heads);
        let mut path = Vec::new();
        for (i, &step) in steps.iter().enumerate() {
            let after = &rows[i + 1];
            table.row([
                (i + 1).to_string().into(),
                name(&rows[i], step).into(),
                Cell::from(accordion.name(&rows[i], step).1).tone(Tone::Dim),
                after.cards.len().to_string().into(),
                around(after, usize::from(step.y)).into(),
            ]);
            path.push(json!({"move": name(&rows[i], step), "row": line(&after.cards)}));
        }
        json.insert("steps".into(), Value::Array(path));
        blocks.push(Block::Table(table));
    }
    let good = matches!(answer.winnable, Winnable::Yes(_));
    Ok(Outcome { blocks, json: Value::Object(json), good })
}

/// The cards near a place, which is in brackets.
fn around(row: &Row, place: usize) -> String {
    let (from, to) = (place.saturating_sub(4), (place + 5).min(row.cards.len()));
    let mut words: Vec<String> = row.cards[from..to].iter().map(ToString::to_string).collect();
    words[place - from] = format!("[{}]", words[place - from]);
    let (before, behind) = (if from > 0 { "… " } else { "" }, if to < row.cards.len() { " …" } else { "" });
    format!("{before}{}{behind}", words.join(" "))
}
