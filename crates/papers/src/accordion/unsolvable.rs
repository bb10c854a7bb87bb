//! The search for deals that cannot be won although there are moves. A random deal almost never is one, so each climb
//! starts from the paper's row without any move and swaps cards at random: a change is kept if the deal still cannot
//! be won, which the exact engine proves, and at least about as many rows can be reached from it.

use super::published::figure_2_corrected;
use crate::paper::Study;
use rayon::prelude::*;
use serde_json::json;
use std::sync::atomic::{AtomicU64, Ordering};
use yomikiri_core::cards::Card;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::accordion::notation::line;
use yomikiri_games::accordion::rules::{Row, Rules};
use yomikiri_games::accordion::sliced::{Machine, Sliced};
use yomikiri_games::params::{Param, Settings};
use yomikiri_solve::on_threads;
use yomikiri_solve::search::{Exact, Fast, LEAST_MEMORY, Limits, Restarts, Solvability};
use yomikiri_view::report::{Block, Cell, Certainty, List, Outcome, Record, Tone, grouped};

/// The study.
pub const STUDY: Study = Study {
    name: "unsolvable",
    summary: text(
        "search for deals that cannot be won although there are moves, each proved by the exact engine",
        "手はあるのに成功不可能な配札を探す（すべて厳密探索で証明）",
    ),
    params: &[
        Param::int(
            "climbs",
            1,
            1000,
            "4",
            text("climbs, each with swaps of its own", "山登りの回数（それぞれ別の乱数）"),
        ),
        Param::int("steps", 1, 1_000_000, "1500", text("changes tried in each", "それぞれで試す変更の数")),
        Param::int(
            "limit",
            100,
            1_000_000_000,
            "300000",
            text("rows a deal's proof may take", "証明に使う状態数の上限"),
        ),
    ],
    rows: &[],
    run: study,
};

/// Bytes a stored row takes at most: whole rows, and a table of places that may just have been doubled.
const ROW_BYTES: u64 = 56;
/// Rows the fast engine may generate to find that a deal can be won.
const FAST: u64 = 20_000;
/// A change is kept if it leaves more than this share of the rows, in percent: climbs must be able to go down a little.
const KEEP: u64 = 70;

/// A deal that cannot be won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The cards.
    pub cards: Vec<Card>,
    /// Rows that can be reached, itself among them: all were looked at.
    pub states: u64,
    /// Legal first moves.
    pub first_moves: usize,
    /// The fewest cards a game can come to.
    pub fewest: usize,
}

/// The fewest cards that can be reached: no row of fewer is among the successors.
fn fewest(
    machine: &Machine,
    row: &Sliced,
    piles: usize,
    run: &Run<'_>,
    limits: Limits,
) -> Result<usize, Error> {
    // With one more pile allowed each time, until the game can be won.
    let mut low = piles;
    while low < row.len() {
        low += 1;
        let eased = Machine::new(&Rules::new(machine.distances(), low as u8, false)?);
        if let Solvability::Solved(_) = Exact::new(limits)?.solve(&eased, row, run)?.solvability {
            return Ok(low);
        }
    }
    Ok(row.len())
}

/// Climbs once; the deal with the most rows that can be reached.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn climb(number: u64, steps: u64, limit: u64, run: &Run<'_>) -> Result<Lost, Error> {
    let rules = Rules::default();
    let machine = Machine::new(&rules);
    let limits = Limits { memory: LEAST_MEMORY + limit.saturating_mul(ROW_BYTES), states: limit };
    run.fits(limits.memory)?;
    let mut exact = Exact::new(limits)?;
    let mut fast = Fast::default();
    let plan = Restarts { budget: FAST, ..Restarts::default() };
    let mut random = Random::stream(run.seed, number);
    let mut now = figure_2_corrected();
    let mut states = 1;
    let mut best = (states, now.clone());
    for _ in 0..steps {
        run.check()?;
        let mut next = now.clone();
        for _ in 0..1 + random.below(3) {
            let (i, j) = (random.below(52) as usize, random.below(52) as usize);
            next.swap(i, j);
        }
        let row = Sliced::of(&Row { cards: next.clone(), grace: false });
        // Most changes make a deal that can be won, which is seen soon.
        if fast.solve(&machine, &row, &plan, run.seed, run)?.moves.is_some() {
            continue;
        }
        let found = exact.solve(&machine, &row, run)?;
        if found.solvability != Solvability::Unsolvable || found.states * 100 < states * KEEP {
            continue;
        }
        (now, states) = (next, found.states);
        if states > best.0 {
            best = (states, now.clone());
        }
    }
    let row = Row { cards: best.1, grace: false };
    let sliced = Sliced::of(&row);
    let fewest = fewest(&machine, &sliced, rules.piles(), run, limits)?;
    let first_moves = rules.steps(&row).len();
    Ok(Lost { cards: row.cards, states: best.0, first_moves, fewest })
}

/// Climbs many times, each on its own; the deals by rows that can be reached, most first.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn climbs(count: u64, steps: u64, limit: u64, run: &Run<'_>) -> Result<Vec<Lost>, Error> {
    let each = Run { threads: 1, memory: run.memory / run.threads.max(1) as u64, ..*run };
    run.observer.begin(&text("climbing", "山登り"), count);
    let done = AtomicU64::new(0);
    let work = || {
        (0..count)
            .into_par_iter()
            .map(|number| {
                let lost = climb(number, steps, limit, &each)?;
                run.observer.done(1 + done.fetch_add(1, Ordering::Relaxed));
                Ok(lost)
            })
            .collect::<Result<Vec<Lost>, Error>>()
    };
    let mut all = on_threads(run, work)??;
    run.observer.end();
    // Stable: equals stay in the order of their climbs.
    all.sort_by_key(|lost| std::cmp::Reverse(lost.states));
    Ok(all)
}

fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let number = |name: &str| settings.int(name) as u64;
    let found = climbs(number("climbs"), number("steps"), number("limit"), run)?;
    let mut list =
        List::new(text("Deals that cannot be won, each proved", "成功不可能な配札（すべて証明済み）"));
    for lost in &found {
        let (states, row) = (Cell::from(grouped(lost.states)).tone(Tone::Strong), line(&lost.cards));
        list.push(
            Record::new()
                .field(
                    "reachable",
                    text("rows that can be reached>", "到達可能な状態数>"),
                    states,
                    lost.states,
                )
                .count("first_moves", text("first moves>", "最初の手>"), lost.first_moves as u64)
                .count("fewest", text("fewest cards left>", "残りの最少枚数>"), lost.fewest as u64)
                .field("row", text("deal", "配札"), row.as_str(), row.as_str())
                .data("kind", "exact"),
        );
    }
    let most = grouped(found.first().map_or(1, |lost| lost.states));
    let Text { en, ja } = Certainty::Exact.word();
    let note = Text::of(
        format!(
            "The paper's row of figure 2, corrected, has no move at all; these have moves and up to {most} rows that can be reached, none of one card  [{en}]."
        ),
        format!(
            "論文の図2（訂正後）には手が全くないが、これらには手があり、到達できる最大{most}状態のどれも1枚にならない  [{ja}]。"
        ),
    );
    let good = found.iter().any(|lost| lost.first_moves > 0);
    let json = json!({"game": "accordion", "study": "unsolvable", "seed": run.seed, "deals": list.json});
    Ok(Outcome { blocks: vec![Block::Table(list.table), Block::Paragraph(note)], json, good })
}
