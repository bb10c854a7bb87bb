//! The hypothesis that practically every deal can be won: as many random deals as one likes, each won (the moves
//! replayed), proved to be lost, or listed as unknown.

use super::experiment::published_success;
use super::first_moves::Groups;
use super::published::GOLDEN;
use crate::golden::PublishedCells;
use crate::paper::Study;
use crate::stats::{Interval, Sample, clopper_pearson};
use crate::sweep::{Sweep, sweep_live, whole, words};
use serde_json::json;
use std::cell::RefCell;
use yomikiri_core::rows::Column;
use yomikiri_core::run::{Estimate, Silent};
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::accordion::method::{Engine, Engines, Winnable, greedy_end};
use yomikiri_games::accordion::notation::line;
use yomikiri_games::accordion::rules::{Rules, deal};
use yomikiri_games::accordion::sliced::Sliced;
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::report::{Block, Cell, Certainty, List, Outcome, Record, Tone, grouped};

/// Bytes the exact search of one deal may use when the fast one has found nothing. Fixed, because whether a deal
/// is unknown must not depend on the machine.
const EXACT_BYTES: u64 = 256 << 20;
/// Bytes kept of a deal: the rows generated, in a list of all and in one that grows.
const KEPT: u64 = 32;
/// The hardest deals that are kept.
const HARDEST: usize = 10;
/// Deals without a solution that are listed; all are counted.
const LISTED: usize = 100;

const WON: &str = "won";
const LOST: &str = "lost";
const UNKNOWN: &str = "unknown";

static COLUMNS: [Column; 8] = [
    whole("deal", text("number of the deal under the seed", "配列の番号")),
    words(
        "verdict",
        text("won, lost (proved) or unknown", "won（成功）、lost（不可能と証明）、unknown（不明）"),
    ),
    words("engine", text("the engine that told: fast or exact", "判定したエンジン：fast か exact")),
    whole("states", text("rows that engine generated", "そのエンジンが生成した列の数")),
    whole("tries", text("tries of the fast engine", "fast の試行回数")),
    whole("first_moves", text("legal moves at the start", "初期状態の合法手数")),
    whole("greedy_end", text("cards left by the paper's greedy play", "論文の力まかせ法で残る枚数")),
    words("moves", text("the moves, if asked for", "手順（指定した場合）")),
];

/// The study.
pub const STUDY: Study = Study {
    name: "solvable",
    summary: text(
        "the hypothesis that practically every deal can be won, on as many deals as one likes",
        "仮説「ほぼすべての配列は成功可能」を、任意の数の配列で検証する",
    ),
    params: &[
        Param::int("deals", 1, 100_000_000, "10000", text("random deals", "ランダムな配列の数")),
        Param {
            name: "solutions",
            domain: Domain::Choice(&[
                ("no", text("leave them out", "含めない")),
                (
                    "yes",
                    text("write the moves of each, about 300 bytes a deal", "手順も書く（1件約300バイト）"),
                ),
            ]),
            default: "no",
            help: text("solutions in the rows", "行に解を含めるか"),
        },
    ],
    rows: &COLUMNS,
    run: study,
};

/// A deal that was hard, or that was not won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hard {
    /// Its number.
    pub deal: u64,
    /// Rows generated.
    pub states: u64,
    /// Tries of the fast engine.
    pub tries: u64,
    /// Whether it was won: `won`, `lost` or `unknown`.
    pub verdict: &'static str,
}

/// What a sweep over deals found.
#[derive(Clone, Debug, Default)]
pub struct Solvable {
    /// Deals that can be won.
    pub won: u64,
    /// Deals that provably cannot.
    pub lost: u64,
    /// Deals about which nothing is known.
    pub unknown: u64,
    /// Deals the exact engine was asked about.
    pub exact: u64,
    /// Deals the paper's greedy play wins.
    pub greedy: u64,
    /// Tries of the fast engine in all.
    pub tries: u64,
    /// Rows generated for each deal.
    pub states: Sample,
    /// The deals by number of first moves.
    pub groups: Groups,
    /// The hardest deals, hardest first.
    pub hardest: Vec<Hard>,
    /// The first of those that were not won.
    pub not_won: Vec<Hard>,
}

impl Solvable {
    /// Deals looked at.
    pub fn deals(&self) -> u64 {
        self.won + self.lost + self.unknown
    }

    /// The interval for the probability that a deal cannot be won; unknown ones may go either way.
    pub fn unsolvable(&self) -> Interval {
        let n = self.deals();
        (clopper_pearson(self.lost, n).0, clopper_pearson(self.lost + self.unknown, n).1)
    }

    /// What it comes to so far.
    fn live(&self, paper: &PublishedCells) -> Vec<Estimate> {
        let n = self.deals();
        if n == 0 {
            return Vec::new();
        }
        let share = |name, k: u64, (low, high): Interval, published| {
            let value = k as f64 / n as f64;
            let text = Text::same(format!("{value:.6} [{low:.6}, {high:.6}]"));
            Estimate { name, value, low, high, text, published }
        };
        vec![
            share(text("a deal cannot be won", "成功不可能"), self.lost, self.unsolvable(), None),
            share(
                text("greedy play wins", "力まかせ法で成功"),
                self.greedy,
                clopper_pearson(self.greedy, n),
                // Looking ahead from two cards on is greedy play; the figure for one card is an erratum.
                published_success(paper, 2),
            ),
        ]
    }
}

/// Tries to win deals 0, 1, … under the seed of the run.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn solvable(deals: u64, solutions: bool, run: &Run<'_>) -> Result<Solvable, Error> {
    // Fewer threads where there is not memory for all; what comes out is the same.
    let kept = deals * KEPT;
    let threads = run.threads.min((run.memory.saturating_sub(kept) / EXACT_BYTES) as usize).max(1);
    run.fits(kept + EXACT_BYTES)?;
    let rules = Rules::default();
    let one = Run { threads: 1, memory: EXACT_BYTES, observer: &Silent, ..*run };
    let many = Run { threads, ..*run };
    let item = |engines: &mut Engines, number: u64| {
        let row = rules.row(deal(4, 13, 52, run.seed, number));
        let start = Sliced::of(&row);
        let answer = engines.solve(&row, &one)?;
        let (verdict, steps) = match answer.winnable {
            Winnable::Yes(steps) => (WON, steps),
            Winnable::No => (LOST, Vec::new()),
            Winnable::Unknown(_) => (UNKNOWN, Vec::new()),
        };
        let mut moves = Vec::new();
        if solutions {
            let mut now = row.clone();
            for step in steps {
                let card = |at: u8| now.cards[usize::from(at)];
                moves.push(format!("{}>{}", card(step.x), card(step.y)));
                now = rules.after(&now, step);
            }
        }
        Ok(vec![
            number.into(),
            verdict.to_owned().into(),
            answer.engine.word().to_owned().into(),
            answer.states.into(),
            u64::from(answer.tries).into(),
            u64::from(engines.machine().mobility(&start)).into(),
            (greedy_end(engines.machine(), &start) as u64).into(),
            moves.join(" ").into(),
        ])
    };
    let paper = PublishedCells::read(&GOLDEN);
    let found = RefCell::new(Solvable::default());
    let mut states = Vec::with_capacity(deals as usize);
    let what = text("deals", "配列");
    let sheet = Sweep { what, columns: &COLUMNS, items: deals, block: 500 };
    sweep_live(
        &many,
        &sheet,
        || Engines::new(&rules),
        item,
        |number, row| {
            let mut found = found.borrow_mut();
            let verdict = [WON, LOST].into_iter().find(|word| *word == row[1].text()).unwrap_or(UNKNOWN);
            found.won += u64::from(verdict == WON);
            found.lost += u64::from(verdict == LOST);
            found.unknown += u64::from(verdict == UNKNOWN);
            found.exact += u64::from(row[2].text() == Engine::Exact.word());
            let hard =
                Hard { deal: number, states: row[3].int() as u64, tries: row[4].int() as u64, verdict };
            found.tries += hard.tries;
            found.greedy += u64::from(row[6].int() == 1);
            states.push(hard.states);
            let (first_moves, left) = (row[5].int() as u64, row[6].int() as u64);
            found.groups.add(first_moves, hard.states, left, verdict == WON);
            if verdict != WON && found.not_won.len() < LISTED {
                found.not_won.push(hard.clone());
            }
            // Of deals that are equally hard the first stay.
            let place = found.hardest.partition_point(|h| h.states >= hard.states);
            if place < HARDEST {
                found.hardest.insert(place, hard);
                found.hardest.truncate(HARDEST);
            }
        },
        || found.borrow().live(&paper),
    )?;
    let mut found = found.into_inner();
    found.states = Sample::new(states);
    Ok(found)
}

fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let deals = settings.int("deals") as u64;
    let mut found = solvable(deals, settings.word("solutions") == "yes", run)?;
    let (grouped_blocks, groups) = std::mem::take(&mut found.groups).shown(deals);
    let (low, high) = found.unsolvable();
    let count = |n: u64| Cell::from(grouped(n));
    let quantile = |share: f64| grouped(found.states.quantile(share).unwrap_or(0));
    let greedy = clopper_pearson(found.greedy, deals);
    let small = |p: f64| if p == 0.0 { "0".to_owned() } else { format!("{p:.3e}") };
    let (least, most) = (small(low), small(high));
    let percent = |p: f64| format!("{:.4} %", p * 100.0);
    let all = found.won == deals;
    let facts = vec![
        (text("deals", "配列"), count(deals)),
        (text("won", "成功"), count(found.won).tone(if all { Tone::Good } else { Tone::Plain })),
        (text("proved to be lost", "不可能と証明"), count(found.lost)),
        (text("unknown", "不明"), count(found.unknown).warn(found.unknown > 0)),
        (
            text("P(a deal cannot be won)", "成功不可能な確率"),
            Cell::from(Text::of(
                format!("{least} to {most} (95 %, Clopper–Pearson)"),
                format!("{least}～{most}（95 %、Clopper–Pearson）"),
            ))
            .tone(Tone::Strong),
        ),
        (
            text(
                "rows generated: median, 90 %, 99 %, 99.9 %, max",
                "生成した列：中央値、90 %、99 %、99.9 %、最大",
            ),
            [0.5, 0.9, 0.99, 0.999, 1.0].map(quantile).join(", ").into(),
        ),
        (
            text("rows generated: mean", "生成した列：平均"),
            grouped(found.states.mean().round() as u64).into(),
        ),
        (
            text("tries a deal: mean", "試行回数の平均"),
            format!("{:.2}", found.tries as f64 / deals as f64).into(),
        ),
        (text("deals that needed the exact engine", "exact が必要だった配列"), count(found.exact)),
        (
            text("won by the paper's greedy play", "論文の力まかせ法で成功"),
            format!("{} ({} – {})", grouped(found.greedy), percent(greedy.0), percent(greedy.1)).into(),
        ),
        (text("kind", "種別"), Certainty::Sampled.word().into()),
    ];
    let list = |title: Text, deals: &[Hard]| {
        let mut list = List::new(title);
        for hard in deals {
            let cards = line(&deal(4, 13, 52, run.seed, hard.deal));
            list.push(
                Record::new()
                    .count("deal", text("deal>", "配列>"), hard.deal)
                    .field("verdict", text("verdict", "判定"), hard.verdict, hard.verdict)
                    .count("states", text("rows generated>", "生成した列>"), hard.states)
                    .count("tries", text("tries>", "試行>"), hard.tries)
                    .field("row", text("cards", "カード"), cards.as_str(), cards.as_str()),
            );
        }
        list
    };
    let hardest = list(text("The hardest deals", "最も難しい配列"), &found.hardest);
    let not_won = list(text("Deals that were not won", "成功しなかった配列"), &found.not_won);
    let mut blocks = vec![Block::Facts(facts), Block::Table(hardest.table)];
    if !found.not_won.is_empty() {
        blocks.push(Block::Table(not_won.table));
    }
    blocks.extend(grouped_blocks);
    let json = json!({
        "game": "accordion", "study": "solvable", "seed": run.seed, "kind": "sampled",
        "deals": deals, "won": found.won, "lost": found.lost, "unknown": found.unknown,
        "unsolvable_95": [low, high], "exact": found.exact, "tries": found.tries,
        "states": {"median": found.states.median(), "mean": found.states.mean(), "max": found.states.max(),
            "p90": found.states.quantile(0.9), "p99": found.states.quantile(0.99),
            "p999": found.states.quantile(0.999)},
        "greedy": {"won": found.greedy, "interval_95": [greedy.0, greedy.1]},
        "first_moves": groups, "hardest": hardest.json, "not_won": not_won.json,
    });
    Ok(Outcome { blocks, json, good: all })
}
