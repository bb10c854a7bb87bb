//! What `solve` says about Memory for `K` players.

use super::advice::{conventions, measured, score};
use super::rules::{Aim, Party};
use super::table::{Extent, Keep, Table};
use super::worth::Look;
use crate::params::Settings;
use serde_json::{Value, json};
use yomikiri_core::{Error, Game, Rational, Run, Text, text};
use yomikiri_view::report::{Block, Cell, Certainty, Draw, Outcome, Plot, Series, Tone, grouped};

/// Positions up to which the values are also computed as fractions: well under a second.
const QUICK: u64 = 1500;

fn certain(text: String) -> Cell {
    let kind = Certainty::Exact.word();
    Cell::from(Text::of(format!("{text}  [{}]", kind.en), format!("{text}  [{}]", kind.ja)))
}

/// Solves the game of the settings; the heading says which it is.
///
/// # Errors
/// What solving fails with.
pub fn solve<const K: usize>(
    settings: &Settings,
    game: &Party<K>,
    names: &[Text],
    heading: Text,
    run: &Run<'_>,
) -> Result<Outcome, Error> {
    let (terms, copies, start) = (game.terms(), game.cards().copies(), game.start());
    let table = Table::<K>::solve(copies, terms, Extent::of(game, &start), Keep::Near, run)?;
    let missing = || Error::Bug("the table does not reach the start".into());
    let values = (&table).worth(game, &start).ok_or_else(missing)?.values(terms.aim, 0);
    let fractions: Option<Vec<Rational>> = match table.positions() <= QUICK {
        true => Some(game.exactly(&start).ok_or_else(missing)?.values(terms.aim, 0)),
        false => None,
    };
    let mut facts = vec![(text("values", "値"), Cell::from(measured(terms.aim)))];
    for (p, x) in values.iter().enumerate() {
        let fraction = fractions.as_ref().map(|all| format!(" = {}", all[p])).unwrap_or_default();
        let cell = certain(format!("{}{fraction}", score(terms.aim, *x).long.en));
        facts.push((names[p].clone(), cell.tone(Tone::Strong)));
    }
    let tally = table.tally;
    facts.extend([
        (text("rules", "取り決め"), conventions(terms).into()),
        (text("positions", "局面数"), certain(grouped(table.positions()))),
        (text("passing is strictly best", "パスだけが最善"), certain(grouped(tally.passes))),
        (
            text("a free known pair is better left", "無条件に取れるペアを残す方がよい"),
            certain(format!("{} (≤ {:.6})", grouped(tally.left), tally.worst)),
        ),
        (
            text("time", "計算時間"),
            Cell::from(Text::of(format!("{:.3} s", table.seconds), format!("{:.3} 秒", table.seconds)))
                .tone(Tone::Dim),
        ),
        (
            text("what counts", "数え方"),
            match terms.aim {
                Aim::Win => text(
                    "states of the cards with all scores, nobody having just passed",
                    "札の状態と全員のペア数の組（直前パスなし）",
                ),
                _ => text(
                    "states of the cards, nobody having just passed: scores change nothing",
                    "札の状態（直前パスなし）。ペア数は手に影響しない",
                ),
            }
            .into(),
        ),
    ]);
    let mut blocks = vec![Block::Heading(heading), Block::Facts(facts)];
    // From three ranks on: smaller games are of another kind.
    let many: Vec<(usize, &Vec<f64>)> = table.roots.iter().enumerate().skip(3).collect();
    if many.len() >= 5 {
        let mut plot = Plot::new(
            text("every player by number of ranks, from 3", "ランク数と各プレイヤーの値（3以上）"),
            text("ranks", "ランク数"),
            match terms.aim {
                Aim::Pairs => text("share of all pairs", "全ペアに占める割合"),
                other => measured(other),
            },
        );
        let share = |n: usize, x: f64| if terms.aim == Aim::Pairs { x / (n * copies / 2) as f64 } else { x };
        plot.series = (0..K)
            .map(|p| {
                let points: Vec<(f64, f64)> =
                    many.iter().map(|(n, values)| (*n as f64, share(*n, values[p]))).collect();
                Series::new(names[p].clone(), Draw::Line, points)
            })
            .collect();
        plot.reference = Some(if terms.aim == Aim::Pairs { 1.0 / K as f64 } else { 0.0 });
        blocks.push(Block::Plot(plot));
    }
    let by_ranks: Value = table
        .roots
        .iter()
        .enumerate()
        .skip(1)
        .map(|(n, values)| json!({"ranks": n, "values": values}))
        .collect();
    Ok(Outcome {
        blocks,
        json: json!({
            "game": "memory", "players": K, "ranks": game.cards().ranks(), "copies": copies,
            "objective": settings.word("objective"), "pass": settings.word("pass"), "tie": settings.word("tie"),
            "value": values.first(), "values": values,
            "fractions": fractions.map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>()),
            "kind": "exact", "positions": table.positions(), "pass_best": tally.passes,
            "free_pair_left": {"positions": tally.left, "worst": tally.worst},
            "by_ranks": by_ranks, "seconds": table.seconds,
        }),
        good: true,
    })
}
