//! What `solve` and `show` say about Memory.

use super::answer::{Answer, answer, best, ranks_needed, shown, table_for, to_json};
use super::asked::{game, game_with};
use super::levels::{Doubles, Factorials, Keep, Levels, TOLERANCE, Tally, store_name};
use super::notation::{label, read, word};
use super::on_disk;
use super::rules::{Action, MAX_PATTERNS, Memory, Objective, State};
use crate::params::Settings;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use yomikiri_core::{Error, Game, Notation, Rational, Run, Text, Turn, text};
use yomikiri_solve::solution::best_line;
use yomikiri_view::report::{Block, Cell, Certainty, Draw, Outcome, Plot, Series, Table, Tone, grouped};

/// Cards up to which the value of the start is also computed as a fraction: well under a second.
const EXACT_CARDS: usize = 60;

/// Steps of the line of best play that are shown.
const LINE: usize = 24;

/// The position the settings and a text ask for, with its game: unless the number of ranks is given, it
/// grows with what the text lists.
pub fn position(settings: &Settings, text: Option<&str>) -> Result<(Memory, State), Error> {
    let plain = game(settings)?;
    let Some(text) = text else {
        let start = plain.start();
        return Ok((plain, start));
    };
    let written = read(text, plain.patterns())?;
    let ranks = if settings.given("ranks") { plain.ranks() } else { plain.ranks().max(written.listed) };
    let game = game_with(settings, ranks)?;
    let s = game.settle(&written)?;
    Ok((game, s))
}

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
    {
        return Ok((kept, true));
    }
    let levels = Levels::solve(game, Doubles, Keep::Window, run)?;
    let Tally { first, second } = levels.tally.clone();
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
pub fn value_name(objective: Objective) -> Text {
    match objective {
        Objective::Win => text("win rate (draws half)", "勝率（引き分け½）"),
        Objective::Cards => text("expected pair difference", "ペア数の差の期待値"),
    }
}

/// A value with its sign where it has one.
pub fn decimal(objective: Objective, value: f64) -> String {
    match objective {
        Objective::Win => format!("{value:.12}"),
        Objective::Cards => format!("{value:+.12}"),
    }
}

/// Solves the game of the settings.
pub fn solve(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
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
        vec![Block::Heading(heading(&game)), Block::Facts(facts), Block::Table(first), Block::Table(second)];
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
            "objective": settings.word("objective"), "value": value,
            "fraction": fraction.map(|f| f.to_string()), "kind": "exact", "positions": total,
            "first": {"take": kept.first[0], "flip": kept.first[1], "pass": kept.first[2]},
            "second": seconds, "by_ranks": by_ranks, "seconds": kept.seconds, "cached": before,
        }),
        good: true,
    })
}

fn heading(game: &Memory) -> Text {
    Text::of(
        format!("Memory, {} ranks × {} cards", game.ranks(), game.copies()),
        format!("神経衰弱 {}ランク×{}枚", game.ranks(), game.copies()),
    )
}

/// The value of a position and of every move.
pub fn show(settings: &Settings, text_: Option<&str>, run: &Run<'_>) -> Result<Outcome, Error> {
    let (game, s) = position(settings, text_)?;
    let table = table_for(&game, &s, |_| Doubles, run)?;
    let missing = || Error::Bug("the table does not reach the position".into());
    let found = answer(&game, &table, &s);
    table.sound()?;
    let found = found.ok_or_else(missing)?;
    // A table on disk is asked instead of solving anything.
    let solves = !on_disk::alone(run);
    let exact: Option<Answer<Rational>> = if solves && ranks_needed(&game, &s) * game.copies() <= EXACT_CARDS
    {
        answer(&game, &table_for(&game, &s, Factorials::new, run)?, &s)
    } else {
        None
    };
    let fraction = |pick: &dyn Fn(&Answer<Rational>) -> Option<Rational>| -> Cell {
        let shown = exact.as_ref().and_then(pick).map(|f| f.to_string()).unwrap_or_default();
        // Longer fractions are for --json and eval --exact.
        let short = if shown.len() > 40 { format!("{}…", &shown[..38]) } else { shown };
        Cell::from(short).tone(Tone::Dim)
    };
    let notation = game.print(&s).unwrap_or_default();
    let value = decimal(game.objective(), found.value);
    let mut facts = vec![
        (text("position", "局面"), Cell::from(notation.as_str())),
        (value_name(game.objective()), exact_cell(value).tone(Tone::Strong)),
    ];
    if exact.is_some() {
        facts.push((text("as a fraction", "分数"), fraction(&|e| Some(e.value.clone()))));
    }
    facts.push((
        text("pairs left / difference", "残りペア／差"),
        Cell::from(format!("{} / {:+}", game.remaining(&s.counts), s.diff)),
    ));
    if s.passed {
        facts.push((text("the other has", "相手は"), text("just passed", "直前にパスした").into()));
    }
    let mut blocks = vec![Block::Heading(heading(&game)), Block::Facts(facts)];
    if game.turn(&s) == Turn::Terminal {
        blocks.push(Block::Paragraph(text(
            "The result can no longer change: there are no moves to choose from.",
            "結果はもう変わらないため、選ぶ手はありません。",
        )));
    }
    let list = |title: Text, values: &[(Action, f64)], exact: &dyn Fn(Action) -> Cell| {
        let mut table = Table::new(
            title,
            &[
                text("", ""),
                text("move", "手"),
                text("value>", "値>"),
                text("loss>", "損失>"),
                text("fraction", "分数"),
                text("", ""),
            ],
        );
        let good = best(values);
        let top = values.iter().map(|v| v.1).fold(f64::NEG_INFINITY, f64::max);
        let mut ordered = values.to_vec();
        ordered.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        // Equal moves in the game's order, whatever the last bits say.
        ordered.sort_by_key(|v| !good.contains(&v.0));
        for (a, value) in ordered {
            let is_best = good.contains(&a);
            let tone = if is_best { Tone::Strong } else { Tone::Plain };
            table.row([
                Cell::from(if is_best { "*" } else { "" }).tone(tone),
                Cell::from(label(&game, a)).tone(tone),
                Cell::from(decimal(game.objective(), value)).tone(tone),
                Cell::from(if is_best { "–".to_owned() } else { format!("{:.6}", top - value) }),
                exact(a),
                Cell::from(Certainty::Exact.word()).tone(Tone::Dim),
            ]);
        }
        Block::Table(table)
    };
    if !found.moves.is_empty() {
        blocks.push(list(
            text("first card, best first", "1枚目の候補手（最善順）"),
            &found.moves,
            &|a| fraction(&|e| e.moves.iter().find(|m| m.0 == a).map(|m| m.1.clone())),
        ));
    }
    let total: u32 = found.second.iter().map(|c| c.1).sum();
    for (pattern, weight, values) in &found.second {
        let title = Text::of(
            format!(
                "second card if a ({},{}) rank turns up, chance {weight}/{total}",
                pattern.unknown, pattern.known
            ),
            format!("({},{})が出たとき（確率{weight}/{total}）の2枚目", pattern.unknown, pattern.known),
        );
        blocks.push(list(title, values, &|a| {
            fraction(&|e| {
                let second = e.second.iter().find(|c| c.0 == *pattern)?;
                second.2.iter().find(|m| m.0 == a).map(|m| m.1.clone())
            })
        }));
    }
    let line = best_line(&game, &table, &s, LINE, 2.0 * TOLERANCE);
    table.sound()?;
    if !line.is_empty() {
        let mut table = Table::new(
            text("best play; chance does the likeliest", "最善手順（偶然は最も起こりやすいもの）"),
            &[
                text("", ""),
                text("player", "手番"),
                text("move", "手"),
                text("position before", "直前の局面"),
            ],
        );
        for (i, step) in line.iter().enumerate() {
            let who = match step.chance {
                Some((weight, total)) => {
                    Text::of(format!("chance {weight}/{total}"), format!("偶然 {weight}/{total}"))
                }
                None => Text::same((step.before.mover + 1).to_string()),
            };
            table.row([
                Cell::from((i + 1).to_string()).tone(Tone::Dim),
                who.into(),
                label(&game, step.action).into(),
                Cell::from(game.print(&step.before).unwrap_or_default()).tone(Tone::Dim),
            ]);
        }
        if line.len() == LINE {
            table.row(["…", "", "", ""].map(Cell::from));
        }
        blocks.push(Block::Table(table));
    }
    let mut json: Value = serde_json::from_str(&to_json(&game, &found)).unwrap_or_default();
    json["position"] = notation.into();
    json["kind"] = "exact".into();
    json["line"] = line.iter().map(|step| word(&game, step.action)).collect();
    if let Some(exact) = &exact {
        json["exact"] = serde_json::from_str(&to_json(&game, exact)).unwrap_or_default();
    }
    Ok(Outcome { blocks, json, good: true })
}
