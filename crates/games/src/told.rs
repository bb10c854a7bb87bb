//! An analysis in words and as JSON: what `show`, `solve` and `eval` say of any game.

use crate::describe::Describe;
use serde_json::{Map, Value, json};
use yomikiri_core::{Text, Turn, text};
use yomikiri_view::analysis::{Analysis, Rated, Score};
use yomikiri_view::report::{Block, Cell, Outcome, Table, Tone};
use yomikiri_view::scene::Tick;

/// Letters of a fraction that are shown; longer ones are for programs.
const LONGEST: usize = 40;

/// A value in words, with what kind of number it is.
pub fn value_cell(score: &Score) -> Cell {
    let beside = |t: &str| if t.is_empty() { String::new() } else { format!(", {t}") };
    let kind = score.certainty.word();
    Cell::from(Text::of(
        format!("{}{}  [{}]", score.whole().en, beside(&score.sub.en), kind.en),
        format!("{}{}  [{}]", score.whole().ja, beside(&score.sub.ja).replace(", ", "、"), kind.ja),
    ))
    .tone(match score.mark {
        Some(Tick::Ok) => Tone::Good,
        Some(Tick::No) => Tone::Bad,
        None => Tone::Strong,
    })
}

/// A fraction as far as a line has room.
fn fraction(score: &Score) -> Cell {
    let written =
        score.exact.as_ref().filter(|r| !r.is_integer()).map(ToString::to_string).unwrap_or_default();
    let cut = if written.len() > LONGEST { format!("{}…", &written[..LONGEST - 2]) } else { written };
    Cell::from(cut).tone(Tone::Dim)
}

/// The facts on a position that every game has.
pub fn facts<G: Describe>(game: &G, s: &G::State, analysis: &Analysis<G::Action>) -> Vec<(Text, Cell)> {
    let mut facts = Vec::new();
    if let Some(notation) = game.print(s) {
        facts.push((text("position", "局面"), Cell::from(notation)));
    }
    if let Turn::Player(p) = game.turn(s)
        && G::PLAYERS > 1
    {
        let name = game.players().get(usize::from(p)).cloned().unwrap_or_default();
        facts.push((text("to move", "手番"), name.into()));
    }
    let Some(value) = &analysis.value else {
        facts.push((analysis.of.clone(), Cell::from(analysis.trust.clone()).tone(Tone::Dim)));
        facts.extend(analysis.facts.iter().cloned());
        return facts;
    };
    facts.push((analysis.of.clone(), value_cell(value)));
    let whole = fraction(value);
    if !whole.text.is_empty() && value.sub != whole.text {
        facts.push((text("as a fraction", "分数"), whole));
    }
    facts.extend(analysis.facts.iter().cloned());
    facts
}

/// The moves of a position in a table, best first.
pub fn moves<G: Describe>(game: &G, s: &G::State, analysis: &Analysis<G::Action>) -> Option<Block> {
    let name = |a: G::Action| (game.action(s, a).id, game.words(s, a));
    ranking(text("moves, best first", "候補手（最善順）"), &analysis.moves, name)
}

/// Ranked moves in a table, each with what is typed for it and what it is.
pub fn ranking<A: Copy>(
    title: Text,
    moves: &[Rated<A>],
    name: impl Fn(A) -> (String, Text),
) -> Option<Block> {
    let fractions = moves.iter().any(|m| m.score.exact.as_ref().is_some_and(|r| !r.is_integer()));
    let mut heads = vec![
        text("", ""),
        text("type", "入力"),
        text("move", "手"),
        text("value>", "値>"),
        text("", ""),
        text("loss>", "損失>"),
    ];
    if fractions {
        heads.push(text("fraction", "分数"));
    }
    heads.push(text("", ""));
    let notes = moves.iter().any(|m| !m.note.is_empty());
    heads.extend(notes.then(|| text("", "")));
    let mut table = Table::new(title, &heads);
    for m in moves {
        let (id, label) = name(m.action);
        let (mark, tone) = if m.rank == 1 { ("*", Tone::Strong) } else { ("", Tone::Plain) };
        let loss = if m.loss > 0.0 { number(m.loss) } else { "–".to_owned() };
        // A fraction has a column of its own.
        let sub = if fractions && m.score.exact.is_some() { Text::default() } else { m.score.sub.clone() };
        let mut cells = vec![
            Cell::from(mark).tone(tone),
            Cell::from(id).tone(tone),
            Cell::from(label).tone(tone),
            Cell::from(m.score.whole().clone()).tone(tone).value(m.score.x),
            Cell::from(sub).tone(Tone::Dim),
            Cell::from(loss),
        ];
        if fractions {
            cells.push(fraction(&m.score));
        }
        cells.push(m.score.certainty.into());
        cells.extend(notes.then(|| Cell::from(m.note.clone()).tone(Tone::Dim)));
        table.row(cells);
    }
    (!table.rows.is_empty()).then_some(Block::Table(table))
}

/// The line of play in a table.
pub fn line<G: Describe>(game: &G, analysis: &Analysis<G::Action>) -> Option<Block> {
    let heads = [
        text(">", ">"),
        if G::PLAYERS > 1 { text("player", "手番") } else { Text::default() },
        text("move", "手"),
        text("", ""),
        text("position before", "直前の局面"),
    ];
    let title = match analysis.line.iter().any(|step| step.chance.is_some()) {
        true => text("best play; chance does the likeliest", "最善手順（偶然は最も起こりやすいもの）"),
        false => text("best play", "最善手順"),
    };
    let mut table = Table::new(title, &heads);
    let names = game.players();
    for (i, step) in analysis.line.iter().enumerate() {
        let who = match (step.chance, step.player) {
            (Some((weight, total)), _) => {
                Text::of(format!("chance {weight}/{total}"), format!("偶然 {weight}/{total}"))
            }
            (None, Some(p)) if G::PLAYERS > 1 => names.get(usize::from(p)).cloned().unwrap_or_default(),
            _ => Text::default(),
        };
        table.row([
            Cell::from((i + 1).to_string()).tone(Tone::Dim),
            who.into(),
            step.id.clone().into(),
            step.label.clone().into(),
            Cell::from(step.before.clone()).tone(Tone::Dim),
        ]);
    }
    if analysis.cut {
        table.row(["…", "", "", "", ""].map(Cell::from));
    }
    (!table.rows.is_empty()).then_some(Block::Table(table))
}

/// What `show` says of a position.
pub fn outcome<G: Describe>(
    game: &G,
    s: &G::State,
    heading: Text,
    id: &str,
    analysis: &Analysis<G::Action>,
) -> Outcome {
    let drawing = game.draw(s, game.looks_on(s));
    let mut blocks = vec![Block::Heading(heading)];
    if !drawing.is_empty() {
        blocks.push(Block::Drawing(drawing));
    }
    blocks.push(Block::Facts(facts(game, s, analysis)));
    if game.turn(s) == Turn::Terminal {
        let result = game.result(s);
        blocks.push(Block::Paragraph(Text::of(
            format!("The game is over: {}.", result.en),
            format!("終局：{}。", result.ja),
        )));
    }
    blocks.extend(moves(game, s, analysis));
    blocks.extend(analysis.details.iter().cloned());
    if !game.draws_lines() {
        blocks.extend(line(game, analysis));
    }
    let mut json = json(game, s, analysis, false);
    let mut first = Map::new();
    first.insert("game".into(), id.into());
    if let Some(notation) = game.print(s) {
        first.insert("position".into(), notation.into());
    }
    first.append(&mut json);
    first.insert("line".into(), analysis.line.iter().map(|step| step.id.clone()).collect());
    Outcome { blocks, json: Value::Object(first), good: analysis.good }
}

/// A value for programs: the fraction as a string if that is asked for and known, else the number.
fn value_json(score: &Score, exact: bool) -> Value {
    match &score.exact {
        Some(exact_value) if exact => exact_value.to_string().into(),
        // Adding 0 drops the sign of −0.
        _ => (score.x + 0.0).into(),
    }
}

/// An analysis for programs: what `eval` answers, and part of what `show` does.
pub fn json<G: Describe>(
    game: &G,
    s: &G::State,
    analysis: &Analysis<G::Action>,
    exact: bool,
) -> Map<String, Value> {
    let mut out = Map::new();
    let value = analysis.value.as_ref();
    out.insert("value".into(), value.map_or(Value::Null, |value| value_json(value, exact)));
    if let Some(value) = value {
        out.insert("kind".into(), json!(value.certainty));
    }
    if let Some((low, high)) = value.and_then(|value| value.interval) {
        out.insert("interval".into(), json!([low, high]));
    }
    if let Some(fraction) = value.and_then(|value| value.exact.as_ref()) {
        out.insert("fraction".into(), fraction.to_string().into());
    }
    let id = |a: G::Action| game.action(s, a).id;
    out.insert("best".into(), analysis.best().map(|m| id(m.action)).collect());
    let moves: Map<String, Value> =
        analysis.moves.iter().map(|m| (id(m.action), value_json(&m.score, exact))).collect();
    out.insert("moves".into(), Value::Object(moves));
    for (field, value) in &analysis.json {
        out.insert(field.clone(), value.clone());
    }
    out
}

/// A number with up to six decimals, none of them idle zeros.
pub fn number(n: f64) -> String {
    let text = format!("{n:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
