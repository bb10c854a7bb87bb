//! What `solve` and `show` say about a deal.

use super::answer::{Answer, shared, to_json, winner};
use super::points::Points;
use super::rules::shuffled;
use super::table::{Advice, Table, player};
use crate::params::Settings;
use crate::play::Tabletop;
use serde_json::Value;
use std::time::Instant;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Notation, Number, Rational, Refusal, Run, Text, text};
use yomikiri_solve::solution::best_line;
use yomikiri_view::report::{Block, Cell, Certainty, Outcome, Table as Rows, Tone, grouped};

/// Cards in all up to which a line of best play is shown too: it costs another search.
const LINE_CARDS: usize = 20;

/// The deal the settings and the seed ask for.
pub fn dealt(settings: &Settings, run: &Run<'_>) -> Result<Table, Refusal> {
    let hand = settings.int("hand") as usize;
    let deck = settings.int("deck") as usize;
    if !deck.is_multiple_of(2) {
        return Err(Refusal::new("deck", deck, text("an even number of cards", "偶数枚")));
    }
    let cards = 2 * hand + deck;
    if cards > super::rules::MAX_CARD {
        return Err(Refusal::new(
            "deck",
            deck,
            Text::of(
                format!("at most {} cards with the hands", super::rules::MAX_CARD),
                format!("手札と合わせて{}枚まで", super::rules::MAX_CARD),
            ),
        ));
    }
    let mut random = Random::stream(run.seed, 66);
    let deal = shuffled(hand, deck, u8::from(settings.word("leader") == "B"), &mut random);
    let mut worth = vec![0; cards];
    let one = random.below(cards as u64) as usize;
    match settings.word("points") {
        _ if settings.word("objective") == "tricks" => worth.fill(1),
        "signed" => worth.iter_mut().for_each(|p| *p = random.below(21) as i32 - 10),
        "one" => worth[one] = 1,
        "hearts" => worth[one] = -1,
        _ => worth.iter_mut().for_each(|p| *p = random.below(11) as i32),
    }
    let total: i32 = worth.iter().sum();
    let target = (settings.word("objective") == "target").then(|| {
        let half = Rational::new(total.into(), 2.into());
        let target = settings.int("target") as i32;
        let target = if settings.given("target") { Rational::from_int(target) } else { half };
        (target, settings.word("rule") == "reaches")
    });
    let zero = || Rational::from_int(0);
    let worth: Vec<Rational> = worth.into_iter().map(Rational::from_int).collect();
    Table::new(deal, Points::new(&worth)?, [zero(), zero()], target)
}

/// The table a text describes, or the deal of the settings.
pub fn table(settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Table, Refusal> {
    position.map_or_else(|| dealt(settings, run), Table::read)
}

fn exact(text: impl std::fmt::Display) -> Cell {
    let word = Certainty::Exact.word();
    Text::of(format!("{text}  [{}]", word.en), format!("{text}  [{}]", word.ja)).into()
}

/// A number with its sign, and as a decimal beside it where it is a fraction.
fn signed(x: &Rational) -> String {
    let sign = if *x > Rational::from_int(0) { "+" } else { "" };
    if x.is_integer() { format!("{sign}{x}") } else { format!("{sign}{x} ≈ {:.6}", x.approx()) }
}

fn won(value: i32) -> Text {
    match value {
        1 => text("A wins", "Aの勝ち"),
        -1 => text("B wins", "Bの勝ち"),
        _ => text("nobody gets there", "勝者なし"),
    }
}

/// Solves a deal and says what came out.
pub fn report(table: &Table, run: &Run<'_>) -> Result<Outcome, Error> {
    let started = Instant::now();
    let s = table.start();
    let answer = shared(table, run)?;
    let seconds = started.elapsed().as_secs_f64();
    let notation = table.print(&s).unwrap_or_default();
    let deal = table.game().deal();
    let mut facts = vec![(text("position", "局面"), Cell::from(notation.as_str()))];
    if let Some((value, _)) = &answer.race {
        facts.push((text("winner", "勝者"), {
            let (word, kind) = (won(*value), Certainty::Exact.word());
            Cell::from(Text::of(format!("{}  [{}]", word.en, kind.en), format!("{}  [{}]", word.ja, kind.ja)))
                .tone(Tone::Strong)
        }));
    }
    if let Some((difference, _)) = &answer.difference {
        facts.push((
            text("A's minus B's points still to come", "今後の得点差（A−B）"),
            exact(signed(difference)).tone(Tone::Strong),
        ));
    }
    let method = answer.method.map_or("–", |m| m.word());
    facts.push((text("method", "方法"), method.into()));
    facts.push((text("positions looked at", "調べた局面数"), grouped(answer.positions).into()));
    facts.push((
        text("time", "計算時間"),
        Cell::from(Text::of(format!("{seconds:.3} s"), format!("{seconds:.3} 秒"))).tone(Tone::Dim),
    ));
    let mut blocks = vec![
        Block::Heading(Text::of(
            format!("Generalised 66, hands of {}, {} cards in the deck", deal.hand(), deal.deck.len()),
            format!("一般化66　手札{}枚、山札{}枚", deal.hand(), deal.deck.len()),
        )),
        Block::Drawing(table.draw(&s)),
        Block::Facts(facts),
    ];
    blocks.extend(leads(table, &answer));
    let line = line(table, run);
    if !line.is_empty() {
        let mut rows = Rows::new(
            text("best play", "最善手順"),
            &[text("", ""), text("player", "手番"), text("card", "札"), text("", "")],
        );
        for (i, (who, card, said)) in line.iter().enumerate() {
            rows.row([
                Cell::from((i + 1).to_string()).tone(Tone::Dim),
                player(*who).into(),
                card.to_string().into(),
                said.clone().into(),
            ]);
        }
        blocks.push(Block::Table(rows));
    }
    let mut json: Value = serde_json::from_str(&to_json(&answer, false)).unwrap_or_default();
    json["exact"] = serde_json::from_str(&to_json(&answer, true)).unwrap_or_default();
    json["game"] = "sixtysix".into();
    json["position"] = notation.into();
    json["kind"] = "exact".into();
    json["positions"] = answer.positions.into();
    json["seconds"] = seconds.into();
    json["line"] = line.iter().map(|l| l.1).collect();
    Ok(Outcome { blocks, json, good: true })
}

fn leads(table: &Table, answer: &Answer) -> Option<Block> {
    let leader = table.game().deal().leader;
    let (_, moves) = answer.difference.as_ref().filter(|d| !d.1.is_empty())?;
    let race = answer.race.as_ref().map(|r| &r.1);
    let mut rows = Rows::new(
        Text::of(format!("what {} may lead", player(leader)), format!("{}のリード", player(leader))),
        &[
            text("", ""),
            text("card>", "札>"),
            text("worth>", "得点>"),
            text("difference>", "得点差>"),
            text("winner", "勝者"),
            text("kind", "種別"),
        ],
    );
    // What the leader plays for: the race if there is one, else points.
    let sign = if leader == 0 { 1 } else { -1 };
    let value = |card: u32, difference: &Rational| match race {
        Some(race) => race.iter().find(|r| r.0 == card).map_or(0.0, |r| f64::from(sign * r.1)),
        None => f64::from(sign) * difference.approx(),
    };
    let best = moves.iter().map(|m| value(m.0, &m.1)).fold(f64::NEG_INFINITY, f64::max);
    for (card, difference) in moves {
        let is_best = value(*card, difference) >= best;
        let tone = if is_best { Tone::Strong } else { Tone::Plain };
        let who = race.and_then(|r| r.iter().find(|r| r.0 == *card)).map_or("–", |r| winner(r.1));
        rows.row([
            Cell::from(if is_best { "*" } else { "" }).tone(tone),
            Cell::from(card.to_string()).tone(tone),
            table.worth(*card as u8).to_string().into(),
            Cell::from(signed(difference)).tone(tone),
            who.into(),
            Cell::from(Certainty::Exact.word()).tone(Tone::Dim),
        ]);
    }
    Some(Block::Table(rows))
}

/// A line of best play, where it is quick to find.
fn line(table: &Table, run: &Run<'_>) -> Vec<(u8, u8, Text)> {
    let s = table.start();
    if table.game().deal().cards() > LINE_CARDS {
        return Vec::new();
    }
    let Ok(advice) = Advice::new(table, &s, run) else { return Vec::new() };
    best_line(table, &advice, &s, 2 * LINE_CARDS, 0.0)
        .into_iter()
        .map(|step| {
            let after = table.apply(&step.before, step.action);
            let who = if step.before.led.is_some() { 1 - step.before.leader } else { step.before.leader };
            (who, step.action, table.happened(&step.before, step.action, &after))
        })
        .collect()
}

/// Solves the deal of the settings.
pub fn solve(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let mut outcome = report(&dealt(settings, run)?, run)?;
    outcome.json["seed"] = run.seed.into();
    Ok(outcome)
}

/// The value of a position and of every lead.
pub fn show(settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Outcome, Error> {
    report(&table(settings, position, run)?, run)
}
