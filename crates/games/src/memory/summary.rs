//! What `solve` says about Memory.

use super::answer::shown;
use super::asked::game;
use super::levels::{Doubles, Factorials, Keep, Levels, MOST, Tally, store_name};
use super::rules::{MAX_PATTERNS, Memory, Objective};
use crate::params::Settings;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use yomikiri_core::{Error, Rational, Run, Text, text};
use yomikiri_view::report::{Block, Cell, Certainty, Draw, Outcome, Plot, Series, Table, Tone, grouped};

/// Cards up to which the value of the start is also computed as a fraction: well under a second.
pub const EXACT_CARDS: usize = 60;

/// What remains of a solved game when its table is gone; kept in the store.
#[derive(Serialize, Deserialize)]
struct Kept {
    roots: Vec<Option<f64>>,
    first: [u64; 3],
    second: Vec<[u64; 3]>,
    values: u64,
    seconds: f64,
}

fn kept(game: &Memory, run: &Run<'_>) -> Result<(Kept, bool), Error> {
    let name = store_name(game, "f64", "summary");
    if let Some(stored) = run.store.load(&name)
        && let Ok(kept) = serde_json::from_reader::<_, Kept>(std::io::BufReader::new(stored))
        && kept.roots.len() == game.ranks() + 1
        && kept.second.len() == MAX_PATTERNS
        && kept.first.iter().chain(kept.second.as_flattened()).all(|n| *n <= MOST)
    {
        return Ok((kept, true));
    }
    let levels = Levels::count(game, Doubles, run)?;
    let Tally { first, second } = levels.tally.clone().unwrap_or_default();
    let kept = Kept {
        roots: (0..=game.ranks()).map(|n| levels.root(n).map(|v| shown(game.objective(), &v))).collect(),
        first,
        second: second.to_vec(),
        values: levels.values,
        seconds: levels.seconds,
    };
    run.store.save(&name, &mut |to| serde_json::to_writer(to, &kept).map_err(std::io::Error::other))?;
    Ok((kept, false))
}

/// A number with its kind, as a cell.
fn exact_cell(text: String) -> Cell {
    Cell::from(Text::of(
        format!("{text}  [{}]", Certainty::Exact.word().en),
        format!("{text}  [{}]", Certainty::Exact.word().ja),
    ))
}

/// What a value is called.
fn value_name(objective: Objective) -> Text {
    match objective {
        Objective::Win => text("win rate (draws half)", "勝率（引き分け½）"),
        Objective::Cards => text("expected pair difference", "ペア数の差の期待値"),
    }
}

/// A value with its sign where it has one.
fn decimal(objective: Objective, value: f64) -> String {
    match objective {
        Objective::Win => format!("{value:.12}"),
        Objective::Cards => format!("{value:+.12}"),
    }
}

/// Solves the game of the settings; the heading says which it is.
///
/// # Errors
/// Settings that go with no game are refused; otherwise what solving fails with.
pub fn solve(settings: &Settings, heading: Text, run: &Run<'_>) -> Result<Outcome, Error> {
    let game = game(settings)?;
    let (kept, before) = kept(&game, run)?;
    let value = kept.roots[game.ranks()].unwrap_or(f64::NAN);
    let fraction: Option<Rational> = if game.ranks() * game.copies() <= EXACT_CARDS {
        let table = Levels::solve(&game, Factorials::new(game.ranks() * game.copies()), Keep::Window, run)?;
        table.root(game.ranks()).map(|v| shown(game.objective(), &v))
    } else {
        None
    };
    let mut facts =
        vec![(value_name(game.objective()), exact_cell(decimal(game.objective(), value)).tone(Tone::Strong))];
    if let Some(fraction) = &fraction {
        facts.push((text("as a fraction", "分数"), exact_cell(fraction.to_string())));
    }
    let total: u64 = kept.first.iter().sum();
    facts.push((text("positions", "局面数"), exact_cell(grouped(total))));
    facts.push((
        text("what counts", "数え方"),
        text(
            "undecided, nobody has just passed, no free known pair (others follow from these)",
            "未決着・直前パスなし・無条件に取れるペアなし（他の局面はこれらから定まる）",
        )
        .into(),
    ));
    facts.push((
        text("time", "計算時間"),
        Cell::from(Text::of(
            format!("{:.3} s{}", kept.seconds, if before { " (solved before, from the cache)" } else { "" }),
            format!("{:.3} 秒{}", kept.seconds, if before { "（保存済みの結果）" } else { "" }),
        ))
        .tone(Tone::Dim),
    ));
    facts.push((
        text("exactness", "精度"),
        if fraction.is_some() {
            text(
                "the value was also computed in exact fractions; counts are exact, ties within 1e-12",
                "値は分数でも厳密計算。局面数は厳密、1e-12以内は同値",
            )
        } else {
            text(
                "computed in double precision, all digits shown are certain; counts exact, ties within 1e-12",
                "倍精度計算（表示桁は確定）。局面数は厳密、1e-12以内は同値",
            )
        }
        .into(),
    ));

    let share = |n: u64, of: u64| {
        if of == 0 { "–".to_owned() } else { format!("{:.2} %", 100.0 * n as f64 / of as f64) }
    };
    let mut first = Table::new(
        text("best first card", "1枚目の最善手"),
        &[text("move", "手"), text("positions>", "局面数>"), text("share>", "割合>")],
    );
    let names = [
        text("take a known pair", "既知ペアを取る"),
        text("turn an unknown card", "未知カードをめくる"),
        text("pass", "パス"),
    ];
    for (name, n) in names.iter().zip(kept.first) {
        first.row([name.clone().into(), grouped(n).into(), share(n, total).into()]);
    }
    let mut second = Table::new(
        text(
            "best second card, by the rank of the first (unknown, known)",
            "1枚目のランク（未知,既知）ごとの2枚目の最善手",
        ),
        &[
            text("first card", "1枚目"),
            text("same>", "既知（同）>"),
            text("different>", "既知（異）>"),
            text("unknown>", "未知>"),
        ],
    );
    let kinds: Vec<_> = game.patterns().iter().filter(|p| p.unknown > 0 && !p.free_pair()).collect();
    for (p, counts) in kinds.iter().zip(&kept.second) {
        second.row(
            std::iter::once(Cell::from(format!("({},{})", p.unknown, p.known)))
                .chain(counts.iter().map(|&n| grouped(n).into())),
        );
    }
    let mut blocks =
        vec![Block::Heading(heading), Block::Facts(facts), Block::Table(first), Block::Table(second)];
    let points: Vec<(f64, f64)> =
        kept.roots.iter().enumerate().skip(3).filter_map(|(n, v)| Some((n as f64, (*v)?))).collect();
    if points.len() >= 5 {
        let mut plot = Plot::new(
            text("the first player by number of ranks, from 3", "ランク数と先手の値（3以上）"),
            text("ranks", "ランク数"),
            value_name(game.objective()),
        );
        plot.series = vec![Series::new(text("first player", "先手"), Draw::Line, points)];
        plot.reference = Some(if game.objective() == Objective::Win { 0.5 } else { 0.0 });
        blocks.push(Block::Plot(plot));
    }
    let seconds: Value = kinds
        .iter()
        .zip(&kept.second)
        .map(|(p, n)| json!({"pattern": [p.unknown, p.known], "same": n[0], "different": n[1], "unknown": n[2]}))
        .collect();
    // With an odd number of pairs a rank, one pass gives every second size.
    let by_ranks: Value = kept
        .roots
        .iter()
        .enumerate()
        .skip(1)
        .filter_map(|(n, value)| Some(json!({"ranks": n, "value": (*value)?})))
        .collect();
    Ok(Outcome {
        blocks,
        json: json!({
            "game": "memory", "ranks": game.ranks(), "copies": game.copies(),
            "objective": settings.word("objective"), "players": 2, "value": value,
            "values": [value, if game.objective() == Objective::Win { 1.0 - value } else { -value }],
            "fraction": fraction.map(|f| f.to_string()), "kind": "exact", "positions": total,
            "first": {"take": kept.first[0], "flip": kept.first[1], "pass": kept.first[2]},
            "second": seconds, "by_ranks": by_ranks, "seconds": kept.seconds, "cached": before,
        }),
        good: true,
    })
}
