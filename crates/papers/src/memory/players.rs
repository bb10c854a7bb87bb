//! Memory for more than two players, and with other rules of passes: the values of an independent program beside ours, and
//! how much it matters which of equal moves is made.

use crate::golden::{Computed, Golden};
use serde_json::json;
use yomikiri_core::{Error, Game, Number, Rational, Refusal, Run, Text, text};
use yomikiri_games::memory::party::asked::terms;
use yomikiri_games::memory::party::rules::{Aim, Party, Terms};
use yomikiri_games::memory::party::table::{Extent, Keep, Table};
use yomikiri_games::memory::party::worth::Look;
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::report::{Block, Certainty, Draw, List, Outcome, Plot, Record, Series};

/// What is asked of a cell: `k=3 n=13 must p1`.
struct Asked {
    players: usize,
    ranks: usize,
    pass: String,
    player: usize,
}

impl Asked {
    fn read(cell: &str) -> Option<Asked> {
        let mut words = cell.split(' ');
        let mut number = |prefix: &str| words.next()?.strip_prefix(prefix)?.parse().ok();
        let (players, ranks) = (number("k=")?, number("n=")?);
        let pass = words.next()?.to_owned();
        let player: usize = words.next()?.strip_prefix('p')?.parse().ok()?;
        Some(Asked { players, ranks, pass, player: player.checked_sub(1)? })
    }
}

fn solve<const K: usize>(ranks: usize, terms: Terms, run: &Run<'_>) -> Result<Vec<f64>, Error> {
    let game = Party::<K>::new(ranks, 4, terms)?;
    let table = Table::<K>::solve(4, terms, Extent::of(&game, &game.start()), Keep::Near, run)?;
    let worth = (&table).worth(&game, &game.start());
    worth.map(|worth| worth.values(terms.aim, 0)).ok_or_else(missing)
}

fn fractions<const K: usize>(ranks: usize, terms: Terms) -> Result<Vec<Rational>, Error> {
    let game = Party::<K>::new(ranks, 4, terms)?;
    Ok(game.exactly(&game.start()).ok_or_else(missing)?.values(terms.aim, 0))
}

fn missing() -> Error {
    Error::Bug("the start has no value".into())
}

/// The values of all players at the start, in order of play.
///
/// # Errors
/// As solving fails; another number of players is refused.
pub fn values(players: usize, ranks: usize, terms: Terms, run: &Run<'_>) -> Result<Vec<f64>, Error> {
    match players {
        2 => solve::<2>(ranks, terms, run),
        3 => solve::<3>(ranks, terms, run),
        4 => solve::<4>(ranks, terms, run),
        5 => solve::<5>(ranks, terms, run),
        _ => Err(Refusal::new("players", players, Text::same("2–5")).into()),
    }
}

/// The same as fractions.
///
/// # Errors
/// Another number of players is refused.
pub fn exact_values(players: usize, ranks: usize, terms: Terms) -> Result<Vec<Rational>, Error> {
    match players {
        2 => fractions::<2>(ranks, terms),
        3 => fractions::<3>(ranks, terms),
        4 => fractions::<4>(ranks, terms),
        5 => fractions::<5>(ranks, terms),
        _ => Err(Refusal::new("players", players, Text::same("2–5")).into()),
    }
}

/// The cells of a golden table with at most so many ranks, computed. Cells published as fractions are computed so, where
/// that is quick: of a win up to `exact` ranks, of pairs always.
///
/// # Errors
/// As solving fails.
pub fn computed(
    golden: &Golden,
    aim: Aim,
    most: usize,
    exact: usize,
    run: &Run<'_>,
) -> Result<Vec<Computed>, Error> {
    let objective = if aim == Aim::Win { "win" } else { "pairs" };
    let mut cells = Vec::new();
    let (mut before, mut doubles, mut whole) = (String::new(), Vec::new(), Vec::new());
    for cell in golden.read().cells {
        let Some(asked) = Asked::read(&cell.cell) else { continue };
        let fraction = !cell.exact.is_empty();
        if asked.ranks > most || fraction && aim == Aim::Win && asked.ranks > exact {
            continue;
        }
        let terms = terms(objective, &asked.pass, "lex")?;
        let game = format!("{} {} {}", asked.players, asked.ranks, asked.pass);
        if before != game {
            doubles = values(asked.players, asked.ranks, terms, run)?;
            whole.clear();
            before = game;
        }
        if fraction && whole.is_empty() {
            whole = exact_values(asked.players, asked.ranks, terms)?;
        }
        let (Some(x), exact) = (doubles.get(asked.player), whole.get(asked.player)) else { continue };
        let shown = match exact {
            // Both ways of computing it must agree.
            Some(exact) if (exact.approx() - x).abs() < 1e-11 => exact.to_string(),
            _ => format!("{x:.12}"),
        };
        cells.push(Computed::exact(cell.cell, *x, shown));
    }
    Ok(cells)
}

/// The parameters of the study of ties.
pub static TIES: [Param; 3] = [
    Param::int("ranks", 2, 16, "8", text("the largest number of ranks", "ランク数の上限")),
    Param::int("players", 2, 5, "3", text("how many play", "人数")),
    Param {
        name: "pass",
        domain: Domain::Choice(&[
            ("end", text("everybody passing ends the game", "全員が続けてパスすると終局")),
            ("must", text("the last who could pass must move", "最後の1人はパスできない")),
            ("none", text("no passes", "パスなし")),
        ]),
        default: "must",
        help: text("what passes do", "パスの取り決め"),
    },
];

/// How much it matters which of equal moves is made.
///
/// # Errors
/// As solving fails.
pub fn ties(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let (most, players) = (settings.int("ranks") as usize, settings.int("players") as usize);
    let mut list = List::new(text(
        "shares of the win by the rule that chooses among equal moves",
        "同値の手の選び方ごとの勝ちの分け前",
    ));
    let mut points = Vec::new();
    for ranks in 2..=most {
        let by = |tie| values(players, ranks, terms("win", settings.word("pass"), tie)?, run);
        let (order, lex) = (by("order")?, by("lex")?);
        let spread = order.iter().zip(&lex).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        points.push((ranks as f64, spread));
        let told = |all: &[f64]| all.iter().map(|x| format!("{x:.6}")).collect::<Vec<_>>().join(" ");
        list.push(
            Record::new()
                .count("ranks", text("ranks>", "ランク>"), ranks as u64)
                .field("order", text("the order of moves", "並び順"), told(&order), json!(order))
                .field("lex", text("more own pairs", "自分のペア数"), told(&lex), json!(lex))
                .field("spread", text("largest difference>", "最大の差>"), format!("{spread:.6}"), spread)
                .certainty(Certainty::Exact),
        );
    }
    let mut plot = Plot::new(
        text("how much the tie rule matters", "同値の手の選び方の影響"),
        text("ranks", "ランク数"),
        text("largest difference of a share", "分け前の最大の差"),
    );
    plot.series = vec![Series::new(text("order against own pairs", "並び順とペア数"), Draw::Line, points)];
    let json = json!({"players": players, "pass": settings.word("pass"), "ranks": list.json});
    Ok(Outcome { blocks: vec![Block::Table(list.table), Block::Plot(plot)], json, good: true })
}
