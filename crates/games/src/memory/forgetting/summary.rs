//! What `solve` says about players who forget.

use super::super::rules::{Memory, Objective};
use super::alone::{Alone, exactly};
use super::classes::Forgetful;
use super::model::{Model, whole};
use super::rules::Forgetting;
use serde_json::{Value, json};
use yomikiri_core::{Error, Game, Number, Rational, Run, Text, text};
use yomikiri_solve::Auto;
use yomikiri_view::report::{Block, Cell, Certainty, Outcome, Tone, grouped};

/// Cards up to which values are also told as fractions: well under a second.
const EXACT_CARDS: usize = 8;

fn value_name(objective: Objective) -> Text {
    match objective {
        Objective::Win => text("win rate of the first player (draws half)", "先手の勝率（引き分け½）"),
        Objective::Cards => text("pairs more for the first player", "先手のペア差"),
    }
}

/// A payoff from −1 to 1 as a win rate; pairs as they are.
fn shown<N: Number>(objective: Objective, value: &N) -> N {
    super::super::answer::shown(objective, value)
}

/// The value of the start as a fraction, by the general solver; none where chances have no whole weights for it.
///
/// # Errors
/// As solving fails.
pub fn fraction(cards: &Memory, model: Model, run: &Run<'_>) -> Result<Option<Rational>, Error> {
    if !whole(model) {
        return Ok(None);
    }
    let objective = cards.objective();
    let game = Forgetting::new(Memory::new(cards.ranks(), cards.copies(), objective)?, model);
    let solved = Auto::solve(&game, run)?;
    Ok(solved.value_of(&game, &game.start(), 0).map(|value| shown(objective, &value)))
}

/// Solves the game of a model; the heading says which it is.
///
/// # Errors
/// As solving fails.
pub fn solve(cards: &Memory, model: Model, heading: Text, run: &Run<'_>) -> Result<Outcome, Error> {
    if model == Model::Asymmetric {
        return Ok(alone(cards, heading));
    }
    let objective = cards.objective();
    let solved = Forgetful::solve(cards.ranks(), cards.copies(), objective, model, run)?;
    let missing = || Error::Bug("the start has no value".into());
    let found = solved.start().ok_or_else(missing)?;
    let small = cards.ranks() * cards.copies() <= EXACT_CARDS;
    let fraction = if small { fraction(cards, model, run)? } else { None };
    let value = found.middle();
    let other = if objective == Objective::Win { 1.0 - value } else { -value };
    let kind = if fraction.is_some() { Certainty::Exact } else { Certainty::Bound };
    let mut facts = vec![
        (
            value_name(objective),
            Cell::from(Text::of(
                format!("{value:.12}  [{}]", kind.word().en),
                format!("{value:.12}  [{}]", kind.word().ja),
            ))
            .tone(Tone::Strong),
        ),
        (
            text("between", "範囲"),
            Cell::from(Text::of(
                format!("{:.15} and {:.15}", found.low, found.high),
                format!("{:.15} から {:.15}", found.low, found.high),
            )),
        ),
    ];
    facts.extend(fraction.as_ref().map(|f| (text("as a fraction", "分数"), Cell::from(f.to_string()))));
    facts.extend([
        (text("positions", "局面数"), Cell::from(grouped(solved.positions))),
        (text("passing is strictly best", "パスだけが最善"), Cell::from(grouped(solved.passes))),
        (text("sweeps of a class at most", "1組の反復回数の最大"), Cell::from(grouped(solved.sweeps as u64))),
    ]);
    let json = json!({
        "game": "memory", "players": 2, "ranks": cards.ranks(), "copies": cards.copies(),
        "memory_model": model.to_string(), "value": value, "values": [value, other],
        "interval": [found.low, found.high], "fraction": fraction.map(|f| f.to_string()), "kind": kind,
        "positions": solved.positions, "pass_best": solved.passes, "sweeps": solved.sweeps,
    });
    Ok(Outcome { blocks: vec![Block::Heading(heading), Block::Facts(facts)], json, good: true })
}

/// One remembers everything, the other nothing.
fn alone(cards: &Memory, heading: Text) -> Outcome {
    let objective = cards.objective();
    let mut solver = Alone::<f64>::new(cards);
    let (first, second) = solver.start();
    let (first, second) = (shown(objective, &first), shown(objective, &second));
    let fractions = (cards.ranks() * cards.copies() <= EXACT_CARDS).then(|| exactly(cards));
    let fractions =
        fractions.map(|(a, b)| [shown(objective, &a), shown(objective, &b)].map(|f| f.to_string()));
    let told = |x: f64, at: usize| {
        let fraction = fractions.as_ref().map(|f| format!(" = {}", f[at])).unwrap_or_default();
        Cell::from(format!("{x:.12}{fraction}")).tone(Tone::Strong)
    };
    let facts = vec![
        (text("who remembers, moving first", "記憶する側が先手"), told(first, 0)),
        (text("who remembers, moving second", "記憶する側が後手"), told(second, 1)),
        (text("positions", "局面数"), Cell::from(grouped(solver.positions()))),
    ];
    let other = if objective == Objective::Win { 1.0 - first } else { -first };
    let json: Value = json!({
        "game": "memory", "players": 2, "ranks": cards.ranks(), "copies": cards.copies(),
        "memory_model": "asymmetric", "value": first, "values": [first, other], "moving_second": second,
        "fractions": fractions, "kind": "exact", "positions": solver.positions(),
    });
    Outcome { blocks: vec![Block::Heading(heading), Block::Facts(facts)], json, good: true }
}
