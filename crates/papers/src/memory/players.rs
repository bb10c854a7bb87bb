//! Memory for more than two players, and with other rules of passes: the values of an independent program beside ours, and
//! how much it matters which of equal moves is made.

use crate::golden::{Computed, Golden};
use serde_json::json;
use yomikiri_core::{Error, Game, Number, Rational, Refusal, Run, Text, text};
use yomikiri_games::memory::party::asked::terms;
use yomikiri_games::memory::party::rules::{Aim, Party, Terms, Tie};
use yomikiri_games::memory::party::table::{Extent, Keep, Table};
use yomikiri_games::memory::party::worth::Look;
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::report::{Block, Certainty, Draw, List, Outcome, Plot, Record, Series};

/// A game that a cell names, and what else it says: `k=3 n=13 must p1`.
pub(super) struct Counted {
    pub players: usize,
    pub ranks: usize,
    pub words: Vec<String>,
}

impl Counted {
    pub fn read(cell: &str) -> Option<Counted> {
        let mut words = cell.split(' ');
        let mut number = |prefix: &str| words.next()?.strip_prefix(prefix)?.parse().ok();
        let (players, ranks) = (number("k=")?, number("n=")?);
        Some(Counted { players, ranks, words: words.map(str::to_owned).collect() })
    }
}

/// What is asked of a cell of values.
struct Asked {
    players: usize,
    ranks: usize,
    pass: String,
    player: usize,
}

impl Asked {
    fn read(cell: &str) -> Option<Asked> {
        let Counted { players, ranks, words } = Counted::read(cell)?;
        let [pass, player] = words.as_slice() else { return None };
        let player: usize = player.strip_prefix('p')?.parse().ok()?;
        Some(Asked { players, ranks, pass: pass.clone(), player: player.checked_sub(1)? })
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

pub(super) fn missing() -> Error {
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

/// The values of all players by every rule for equal moves, and how far apart those of a player are at most.
///
/// # Errors
/// As solving fails.
pub fn spread(
    players: usize,
    ranks: usize,
    objective: &str,
    pass: &str,
    run: &Run<'_>,
) -> Result<(Vec<Vec<f64>>, f64), Error> {
    let by = |(word, _): &(&str, Tie)| values(players, ranks, terms(objective, pass, word)?, run);
    let all = Tie::ALL.iter().map(by).collect::<Result<Vec<_>, Error>>()?;
    let apart = |p: usize| {
        let values = all.iter().filter_map(|values| values.get(p));
        let ends = values.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(*x), high.max(*x)));
        ends.1 - ends.0
    };
    let most = (0..players).map(apart).fold(0.0, f64::max);
    Ok((all, most))
}

/// The cells of a golden table of spreads with at most so many ranks, computed: `k=3 n=8 must`.
///
/// # Errors
/// As solving fails.
pub fn spreads(golden: &Golden, most: usize, run: &Run<'_>) -> Result<Vec<Computed>, Error> {
    let mut all = Vec::new();
    for cell in golden.read().cells {
        let Some(Counted { players, ranks, words }) = Counted::read(&cell.cell) else { continue };
        let [pass] = words.as_slice() else { continue };
        if ranks <= most {
            let (_, x) = spread(players, ranks, "win", pass, run)?;
            all.push(Computed::exact(cell.cell, x, format!("{x:.6}")));
        }
    }
    Ok(all)
}

/// The rules of passes.
const PASSES: &[(&str, Text)] = &[
    ("end", text("everybody passing ends the game", "全員が続けてパスすると終局")),
    ("must", text("the last who could pass must move", "最後の1人はパスできない")),
    ("none", text("no passes", "パスなし")),
];

/// The rules of passes as a parameter.
pub(super) const fn pass(default: &'static str) -> Param {
    Param {
        name: "pass",
        domain: Domain::Choice(PASSES),
        default,
        help: text("what passes do", "パスの取り決め"),
    }
}

/// The parameters of the study of ties.
pub static TIES: [Param; 4] = [
    Param::int("ranks", 2, 16, "6", text("the largest number of ranks", "ランク数の上限")),
    Param::int("players", 2, 5, "3", text("how many play", "人数")),
    pass("must"),
    Param {
        name: "objective",
        domain: Domain::Choice(&[
            ("win", text("win rate; equals share a win", "勝率（同数なら等分）")),
            ("pairs", text("own expected pairs", "自分のペア数の期待値")),
            ("margin", text("expected pairs more than the mean of the others", "他の平均とのペア差の期待値")),
        ]),
        default: "win",
        help: text("what the players maximise", "最大化する量"),
    },
];

/// How much it matters which of equal moves is made.
///
/// # Errors
/// As solving fails.
pub fn ties(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let (most, players) = (settings.int("ranks") as usize, settings.int("players") as usize);
    let (objective, pass) = (settings.word("objective"), settings.word("pass"));
    let mut list = List::new(text(
        "the values of all players by the rule that chooses among equal moves",
        "同値の手の選び方ごとの全員の値",
    ));
    let (mut points, mut json) = (Vec::new(), Vec::new());
    for ranks in 2..=most {
        let (all, spread) = spread(players, ranks, objective, pass, run)?;
        points.push((ranks as f64, spread));
        let told = |all: &[f64]| all.iter().map(|x| format!("{x:.6}")).collect::<Vec<_>>().join(" ");
        for ((word, _), values) in Tie::ALL.iter().zip(&all) {
            list.push(
                Record::new()
                    .count("ranks", text("ranks>", "ランク>"), ranks as u64)
                    .field("tie", text("rule", "規則"), *word, *word)
                    .field(
                        "values",
                        text("values in order of play", "手番順の値"),
                        told(values),
                        json!(values),
                    )
                    .certainty(Certainty::Exact),
            );
        }
        json.push(json!({"ranks": ranks, "spread": spread}));
    }
    let mut spreads = List::new(text("how far apart a player's values are at most", "1人の値の開きの最大"));
    for (ranks, spread) in &points {
        spreads.push(
            Record::new()
                .count("ranks", text("ranks>", "ランク>"), *ranks as u64)
                .field("spread", text("largest spread>", "最大の開き>"), format!("{spread:.6}"), *spread)
                .certainty(Certainty::Exact),
        );
    }
    let mut plot = Plot::new(
        text("how much the tie rule matters", "同値の手の選び方の影響"),
        text("ranks", "ランク数"),
        text("largest spread of a player's value", "1人の値の最大の開き"),
    );
    plot.series = vec![Series::new(text("over six rules", "6通りの規則"), Draw::Line, points)];
    let json = json!({"players": players, "pass": pass, "objective": objective, "values": list.json, "spreads": json});
    let blocks = vec![Block::Table(spreads.table), Block::Plot(plot), Block::Table(list.table)];
    Ok(Outcome { blocks, json, good: true })
}
