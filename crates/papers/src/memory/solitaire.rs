//! Solitaire Memory: the least expected number of moves with two and four cards a rank, in fractions, and what a pair costs in
//! the limit of many ranks.

use crate::golden::{Computed, Golden};
use serde_json::json;
use std::f64::consts::LN_2;
use yomikiri_core::{Error, Game, Number, Rational, Run, Text, text};
use yomikiri_games::params::{Param, Settings};
use yomikiri_shelf::solitaire::{Misses, Solitaire, Tally};
use yomikiri_view::report::{Block, Cell, Certainty, Draw, List, Outcome, Plot, Record, Series, grouped};
use yomikiri_view::scene::signed;

/// Steps in which the limit is integrated: the error is far below the last digit shown.
const STEPS: u32 = 1 << 12;

/// Moves a pair with very many ranks of 2 or 4 cards, by the fluid limit of the simple play: with t the share of the cards
/// that have been turned, q is the chance that a card which is turned first has no known partner. A miss turns two cards, and
/// everything else one, so that misses come at the rate q/(1 + q). Twice that, summed over t, is what a pair costs beyond
/// its own move: two cards a pair.
///
/// With two cards q = 1 − t, which gives 3 − 2 ln 2. With four, there is no known partner if none of the other three cards has
/// been turned, or two of them have and left as a pair. Two given cards have left so if the later one came first in its
/// move, with its partner known: of all cards that are turned, 1/(1 + q) come first. So the chance B of it grows by
/// B' = 2t/(1 + q), and q = (1 − t)³ + 3(1 − t)B. It is no proof: that chances become shares is taken for granted.
pub fn limit(copies: usize) -> f64 {
    let q = |t: f64, b: f64| match copies {
        2 => 1.0 - t,
        _ => (1.0 - t).powi(3) + 3.0 * (1.0 - t) * b,
    };
    let slopes = |t: f64, b: f64| {
        let q = q(t, b);
        (2.0 * t / (1.0 + q), q / (1.0 + q))
    };
    // Runge and Kutta's method of fourth order, for B and for the sum of misses at once.
    let step = 1.0 / f64::from(STEPS);
    let (mut b, mut misses) = (0.0, 0.0);
    for i in 0..STEPS {
        let t = f64::from(i) * step;
        let first = slopes(t, b);
        let second = slopes(t + step / 2.0, b + step / 2.0 * first.0);
        let third = slopes(t + step / 2.0, b + step / 2.0 * second.0);
        let fourth = slopes(t + step, b + step * third.0);
        b += step / 6.0 * (first.0 + 2.0 * second.0 + 2.0 * third.0 + fourth.0);
        misses += step / 6.0 * (first.1 + 2.0 * second.1 + 2.0 * third.1 + fourth.1);
    }
    1.0 + 2.0 * misses
}

/// What Velleman and Warrington's expansion gives for two cards a rank, up to what vanishes.
pub fn expansion(ranks: usize) -> f64 {
    (3.0 - 2.0 * LN_2) * ranks as f64 + 7.0 / 8.0 - 2.0 * LN_2
}

/// The least expected moves with 1, 2, … ranks, and how moves compare in all their positions.
///
/// # Errors
/// As solving fails.
pub fn moves(ranks: usize, copies: usize, run: &Run<'_>) -> Result<(Vec<Rational>, Tally), Error> {
    let game = Solitaire::new(ranks, copies)?;
    let solved = Misses::solve(game.cards(), run)?;
    let (mut counts, gone) = (game.cards().start().counts, game.cards().patterns().len() - 1);
    let mut all = Vec::new();
    for n in 1..=ranks {
        (counts[0], counts[gone]) = (n as u8, (ranks - n) as u8);
        all.push(solved.expected(game.cards(), &counts));
    }
    Ok((all, solved.tally))
}

/// The cells of a golden table, computed: `4 cards, 12 ranks`, `4 cards, limit`.
///
/// # Errors
/// As solving fails.
pub fn computed(golden: &Golden, run: &Run<'_>) -> Result<Vec<Computed>, Error> {
    let asked = |cell: &str| -> Option<(usize, Option<usize>)> {
        let (copies, what) = cell.split_once(" cards, ")?;
        let ranks = if what == "limit" { None } else { Some(what.strip_suffix(" ranks")?.parse().ok()?) };
        Some((copies.parse().ok()?, ranks))
    };
    let cells: Vec<(String, (usize, Option<usize>))> =
        golden.read().cells.into_iter().filter_map(|c| asked(&c.cell).map(|a| (c.cell, a))).collect();
    let mut all = Vec::new();
    for copies in [2, 4] {
        let own = || cells.iter().filter(|c| c.1.0 == copies);
        let most = own().filter_map(|c| c.1.1).max().unwrap_or(1);
        let (solved, _) = moves(most, copies, run)?;
        for (cell, (_, ranks)) in own() {
            all.push(match ranks.and_then(|n| solved.get(n.checked_sub(1)?)) {
                Some(moves) => Computed::exact(cell, moves.approx(), moves.to_string()),
                None => Computed::exact(cell, limit(copies), format!("{:.12}", limit(copies))),
            });
        }
    }
    Ok(all)
}

/// The parameters of the study.
pub static PARAMS: [Param; 1] =
    [Param::int("ranks", 2, 40, "12", text("the largest number of ranks", "ランク数の上限"))];

/// Digits of a fraction that still fit into a table.
const READABLE: usize = 40;

/// Moves a pair by ranks, beside the limits.
///
/// # Errors
/// As solving fails.
pub fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let ranks = settings.int("ranks") as usize;
    let (two, few) = moves(ranks, 2, run)?;
    let (four, many) = moves(ranks, 4, run)?;
    let mut list = List::new(text("least expected moves", "手数の期待値の最小"));
    let fraction = |x: &Rational| Some(x.to_string()).filter(|x| x.len() <= READABLE).unwrap_or_default();
    for (n, (two, four)) in (1..).zip(two.iter().zip(&four)) {
        let decimals = |x: &Rational| format!("{:.6}", x.approx());
        list.push(
            Record::new()
                .count("ranks", text("ranks>", "ランク>"), n)
                .field("two", text("2 cards>", "2枚>"), decimals(two), two.approx())
                .field("two_fraction", text("as a fraction", "分数"), fraction(two), two.to_string())
                .field("four", text("4 cards>", "4枚>"), decimals(four), four.approx())
                .field("four_fraction", text("as a fraction", "分数"), fraction(four), four.to_string())
                .certainty(Certainty::Exact),
        );
    }
    let slope = |all: &[Rational], pairs: f64| match all {
        [.., before, last] => (last.approx() - before.approx()) / pairs,
        _ => f64::NAN,
    };
    let gap = two.last().map_or(f64::NAN, |last| last.approx() - expansion(ranks));
    let simple = few.not_simple + many.not_simple;
    let good = simple == 0 && many.taking[0] == 0;
    let limits = [limit(2), limit(4)];
    let facts = vec![
        (
            text("limit of moves a pair, 2 cards", "1ペアあたりの手数の極限、2枚"),
            Cell::from(Text::of(
                format!(
                    "{:.12}; 3 − 2 ln 2 = {:.12}; last step {:.6}",
                    limits[0],
                    3.0 - 2.0 * LN_2,
                    slope(&two, 1.0)
                ),
                format!(
                    "{:.12}。3 − 2 ln 2 = {:.12}。最後の増分 {:.6}",
                    limits[0],
                    3.0 - 2.0 * LN_2,
                    slope(&two, 1.0)
                ),
            )),
        ),
        (
            text("limit of moves a pair, 4 cards", "1ペアあたりの手数の極限、4枚"),
            Cell::from(Text::of(
                format!("{:.12} (fluid limit, not proved); last step {:.6}", limits[1], slope(&four, 2.0)),
                format!("{:.12}（流体極限、証明なし）。最後の増分 {:.6}", limits[1], slope(&four, 2.0)),
            )),
        ),
        (
            text(
                "2 cards: (3 − 2 ln 2)n + 7/8 − 2 ln 2 differs by",
                "2枚：(3 − 2 ln 2)n + 7/8 − 2 ln 2 との差",
            ),
            Cell::from(signed(format!("{gap:.6}"))),
        ),
        (
            text("the simple play is among the best", "単純な打ち方が最善"),
            Cell::from(Text::of(
                format!(
                    "in {} of {} states of the cards",
                    grouped(few.states + many.states - simple),
                    grouped(few.states + many.states)
                ),
                format!(
                    "札の状態{}個中{}個",
                    grouped(few.states + many.states),
                    grouped(few.states + many.states - simple)
                ),
            ))
            .good(simple == 0),
        ),
        (
            text(
                "taking a (2,2) pair is better / equal / worse than leaving it",
                "(2,2)のペアを取る方が 良い／同じ／悪い",
            ),
            Cell::from(many.taking.map(grouped).join(" / ")).good(many.taking[0] == 0),
        ),
    ];
    let mut plot = Plot::new(
        text("moves a pair", "1ペアあたりの手数"),
        text("ranks", "ランク数"),
        text("least expected moves a pair", "1ペアあたりの手数の期待値の最小"),
    );
    let points = |all: &[Rational], pairs: usize| -> Vec<(f64, f64)> {
        let each = |(n, x): (usize, &Rational)| (n as f64, x.approx() / (n * pairs) as f64);
        (1..).zip(all).skip(1).map(each).collect()
    };
    let level = |x: f64| [(2.0, x), (ranks as f64, x)];
    plot.series = vec![
        Series::new(text("2 cards a rank", "同ランク2枚"), Draw::Line, points(&two, 1)),
        Series::new(text("its limit", "その極限"), Draw::Line, level(limits[0])),
        Series::new(text("4 cards a rank", "同ランク4枚"), Draw::Line, points(&four, 2)),
        Series::new(text("its limit", "その極限"), Draw::Line, level(limits[1])),
    ];
    let json = json!({
        "game": "memory-solitaire", "ranks": list.json,
        "limits": {"two": limits[0], "four": limits[1]}, "expansion_gap": gap,
        "states": few.states + many.states, "simple_not_best": simple,
        "taking": {"better": many.taking[0], "equal": many.taking[1], "worse": many.taking[2]},
    });
    Ok(Outcome { blocks: vec![Block::Table(list.table), Block::Facts(facts), Block::Plot(plot)], json, good })
}
