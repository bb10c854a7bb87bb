//! An analysis in words and as JSON: what `show`, `solve` and `eval` say of any game.

use crate::describe::Describe;
use serde_json::{Map, Value, json};
use yomikiri_core::{Text, Turn, text};
use yomikiri_view::analysis::{Analysis, Played, Rated, Score};
use yomikiri_view::report::{Block, Cell, Outcome, Table, Tone};
use yomikiri_view::scene::Tick;

/// Letters of a fraction that are shown; longer ones are for programs.
const LONGEST: usize = 40;
/// The same in a column of a table.
const CELL: usize = 18;

/// An object for programs. Collecting one would compile a sort for every kind of iterator.
pub fn keyed(entries: impl Iterator<Item = (String, Value)>) -> Map<String, Value> {
    let mut out = Map::new();
    entries.for_each(|(key, value)| drop(out.insert(key, value)));
    out
}

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

/// A fraction as far as there is room.
fn fraction(score: &Score, room: usize) -> Cell {
    let written =
        score.exact.as_ref().filter(|r| !r.is_integer()).map(ToString::to_string).unwrap_or_default();
    let cut = if written.len() > room { format!("{}…", &written[..room - 2]) } else { written };
    // One sign for people, the one of all other numbers; programs get theirs.
    Cell::from(cut.replace('-', "−")).tone(Tone::Dim)
}

/// A move as it is told, whatever the game.
pub struct Told<'a> {
    /// What is typed for it.
    id: String,
    /// What it is; empty for programs.
    label: Text,
    rank: u32,
    loss: f64,
    note: &'a Text,
    score: &'a Score,
}

impl<'a> Told<'a> {
    /// A ranked move by its names.
    pub fn new<A>(rated: &'a Rated<A>, id: String, label: Text) -> Told<'a> {
        let Rated { score, rank, loss, note, .. } = rated;
        Told { id, label, rank: *rank, loss: *loss, note, score }
    }
}

/// What is told of an analysis beside its moves, whatever the game.
struct Rest<'a> {
    value: Option<&'a Score>,
    of: &'a Text,
    trust: &'a Text,
    facts: &'a [(Text, Cell)],
    line: &'a [Played],
    cut: bool,
    json: &'a Map<String, Value>,
}

impl<'a> Rest<'a> {
    fn of<A>(analysis: &'a Analysis<A>) -> Rest<'a> {
        let Analysis { value, of, trust, facts, line, cut, json, .. } = analysis;
        Rest { value: value.as_ref(), of, trust, facts, line, cut: *cut, json }
    }
}

/// The facts on a position that every game has.
pub fn facts<G: Describe>(game: &G, s: &G::State, analysis: &Analysis<G::Action>) -> Vec<(Text, Cell)> {
    let mover = match game.turn(s) {
        Turn::Player(p) if G::PLAYERS > 1 => {
            Some(game.players().get(usize::from(p)).cloned().unwrap_or_default())
        }
        _ => None,
    };
    all_facts(game.print(s), mover, &Rest::of(analysis))
}

fn all_facts(notation: Option<String>, mover: Option<Text>, analysis: &Rest<'_>) -> Vec<(Text, Cell)> {
    let mut facts = Vec::new();
    facts.extend(notation.map(|notation| (text("position", "局面"), Cell::from(notation))));
    facts.extend(mover.map(|name| (text("to move", "手番"), name.into())));
    match analysis.value {
        None => facts.push((analysis.of.clone(), Cell::from(analysis.trust.clone()).tone(Tone::Dim))),
        Some(value) => {
            facts.push((analysis.of.clone(), value_cell(value)));
            let whole = fraction(value, LONGEST);
            if !whole.text.is_empty() && value.sub != whole.text {
                facts.push((text("as a fraction", "分数"), whole));
            }
        }
    }
    facts.extend(analysis.facts.iter().cloned());
    facts
}

/// The moves of a position in a table, best first.
pub fn moves<G: Describe>(game: &G, s: &G::State, analysis: &Analysis<G::Action>) -> Option<Block> {
    let told = |m| -> Told<'_> {
        let rated: &Rated<G::Action> = m;
        Told::new(rated, game.action(s, rated.action).id, game.words(s, rated.action))
    };
    ranking(
        text("moves, best first", "候補手（最善順）"),
        &analysis.moves.iter().map(told).collect::<Vec<_>>(),
    )
}

/// Ranked moves in a table, each with what is typed for it and what it is.
pub fn ranking(title: Text, moves: &[Told<'_>]) -> Option<Block> {
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
        let (mark, tone) = if m.rank == 1 { ("*", Tone::Strong) } else { ("", Tone::Plain) };
        let loss = if m.loss > 0.0 { number(m.loss) } else { "–".to_owned() };
        // A fraction has a column of its own.
        let sub = if fractions && m.score.exact.is_some() { Text::default() } else { m.score.sub.clone() };
        let mut cells = vec![
            Cell::from(mark).tone(tone),
            Cell::from(m.id.clone()).tone(tone),
            Cell::from(m.label.clone()).tone(tone),
            Cell::from(m.score.whole().clone()).tone(tone).value(m.score.x),
            Cell::from(sub).tone(Tone::Dim),
            Cell::from(loss),
        ];
        if fractions {
            cells.push(fraction(m.score, CELL));
        }
        cells.push(m.score.certainty.into());
        cells.extend(notes.then(|| Cell::from(m.note.clone()).tone(Tone::Dim)));
        table.row(cells);
    }
    (!table.rows.is_empty()).then_some(Block::Table(table))
}

/// The line of play in a table; `names` are the players', none for whoever plays alone.
fn line(names: &[Text], analysis: &Rest<'_>) -> Option<Block> {
    let heads = [
        text(">", ">"),
        if names.is_empty() { Text::default() } else { text("player", "手番") },
        text("move", "手"),
        text("", ""),
        text("position before", "直前の局面"),
    ];
    let title = match analysis.line.iter().any(|step| step.chance.is_some()) {
        true => text("best play; chance does the likeliest", "最善手順（偶然は最も起こりやすいもの）"),
        false => text("best play", "最善手順"),
    };
    let mut table = Table::new(title, &heads);
    for (i, step) in analysis.line.iter().enumerate() {
        let who = match (step.chance, step.player) {
            (Some((weight, total)), _) => {
                Text::of(format!("chance {weight}/{total}"), format!("偶然 {weight}/{total}"))
            }
            (None, Some(p)) => names.get(usize::from(p)).cloned().unwrap_or_default(),
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
    let names = match (game.draws_lines(), G::PLAYERS) {
        (true, _) => None,
        (_, 1) => Some(Vec::new()),
        _ => Some(game.players()),
    };
    let mut blocks = vec![Block::Facts(facts(game, s, analysis))];
    blocks.extend((game.turn(s) == Turn::Terminal).then(|| over(&game.result(s))));
    blocks.extend(moves(game, s, analysis));
    blocks.extend(analysis.details.iter().cloned());
    let drawing = game.draw(s, game.looks_on(s));
    let blocks = framed(heading, drawing, blocks, names.as_deref(), &Rest::of(analysis));
    Outcome { blocks, json: shown(game, s, id, analysis), good: analysis.good }
}

/// The same for programs.
pub fn shown<G: Describe>(game: &G, s: &G::State, id: &str, analysis: &Analysis<G::Action>) -> Value {
    with_position(json(game, s, analysis, false), id, game.print(s), &analysis.line)
}

fn over(result: &Text) -> Block {
    Block::Paragraph(Text::of(format!("The game is over: {}.", result.en), format!("終局：{}。", result.ja)))
}

/// What is said of a position between its picture and the line of play.
fn framed(
    heading: Text,
    drawing: Text,
    mut said: Vec<Block>,
    names: Option<&[Text]>,
    analysis: &Rest<'_>,
) -> Vec<Block> {
    let mut blocks = vec![Block::Heading(heading)];
    blocks.extend((!drawing.is_empty()).then_some(Block::Drawing(drawing)));
    blocks.append(&mut said);
    blocks.extend(names.and_then(|names| line(names, analysis)));
    blocks
}

fn with_position(mut json: Map<String, Value>, id: &str, notation: Option<String>, line: &[Played]) -> Value {
    let mut first = Map::new();
    first.insert("game".into(), id.into());
    if let Some(notation) = notation {
        first.insert("position".into(), notation.into());
    }
    first.append(&mut json);
    first.insert("line".into(), line.iter().map(|step| step.id.clone()).collect());
    Value::Object(first)
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
    let mut moves = Vec::with_capacity(analysis.moves.len());
    for m in &analysis.moves {
        moves.push(Told::new(m, game.action(s, m.action).id, Text::default()));
    }
    object(&moves, &Rest::of(analysis), exact)
}

fn object(moves: &[Told<'_>], analysis: &Rest<'_>, exact: bool) -> Map<String, Value> {
    let mut out = Map::new();
    let value = analysis.value;
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
    let best = moves.iter().take_while(|m| m.rank == 1);
    out.insert("best".into(), best.map(|m| m.id.clone()).collect());
    let all = keyed(moves.iter().map(|m| (m.id.clone(), value_json(m.score, exact))));
    out.insert("moves".into(), Value::Object(all));
    for (field, value) in analysis.json {
        out.insert(field.clone(), value.clone());
    }
    out
}

/// A number with up to six decimals, none of them idle zeros.
pub fn number(n: f64) -> String {
    let text = format!("{n:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
