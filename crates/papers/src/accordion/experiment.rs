//! The paper's experiment: greedy play until R cards are left, then everything is looked at. What came of it for every R,
//! and what the paper has beside it.

use super::published::GOLDEN;
use crate::golden::{Beside, PublishedCells, accepted};
use crate::stats::{Interval, Sample, clopper_pearson, same_probability};
use crate::sweep::{Sweep, sweep_live, whole, words};
use std::cell::RefCell;
use yomikiri_core::rows::{self, Column};
use yomikiri_core::run::{Estimate, Silent};
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_games::accordion::method::lookahead;
use yomikiri_games::accordion::rules::{Rules, deal};
use yomikiri_games::accordion::sliced::{Machine, Sliced};
use yomikiri_solve::search::{Exact, LEAST_MEMORY, Limit, Limits};

/// The deals of the paper.
pub(super) const PAPER_DEALS: u64 = 10_000;
/// Deals on either side below which medians and means are not compared.
pub(super) const ENOUGH: u64 = 30;
/// States looked at for one deal, if nothing else is asked for.
pub(super) const LIMIT: u64 = 20_000_000;

const SUCCESS: &str = "success";
const FAILURE: &str = "failure";
const STUCK: &str = "stuck";
const STOPPED: &str = "limit";

pub(super) static COLUMNS: [Column; 4] = [
    whole("r", text("cards left when looking ahead starts", "先読みを始める残り枚数")),
    whole("deal", text("number of the deal under the seed", "配列の番号")),
    words(
        "outcome",
        text(
            "success; failure; stuck: greedy play ended before R; limit: given up",
            "success：成功、failure：失敗、stuck：R 枚になる前に行き詰まり、limit：上限に達した",
        ),
    ),
    whole("states", text("states generated", "生成した状態数")),
];

/// What to try.
#[derive(Clone, Debug)]
pub struct Look {
    /// Deals for every R; deals 0, 1, … under the seed of the run, the same for every R.
    pub deals: u64,
    /// The cards left when looking ahead starts, in the order they are tried; each from 1 to 52.
    pub rs: Vec<usize>,
    /// States after which a deal is given up.
    pub limit: u64,
}

/// What came of one R.
#[derive(Clone, Debug)]
pub struct Line {
    /// Cards left when looking ahead starts.
    pub r: usize,
    /// Deals that were given up: they may be successes or failures, of more states than the limit.
    pub stopped: u64,
    /// Failures in which greedy play was stuck before R cards were left; they are in `failures`, too.
    pub stuck: u64,
    /// The states of deals that succeed.
    pub successes: Sample,
    /// The states of deals that fail.
    pub failures: Sample,
}

impl Line {
    /// Deals tried.
    pub fn deals(&self) -> u64 {
        self.successes.len() + self.failures.len() + self.stopped
    }

    /// The share of successes, if no deal was given up; else the share if all those had failed and if all had
    /// succeeded.
    pub fn success(&self) -> Interval {
        let share = |k: u64| k as f64 / self.deals() as f64;
        (share(self.successes.len()), share(self.successes.len() + self.stopped))
    }

    /// The interval for the probability of success; deals that were given up may go either way.
    pub fn success_interval(&self) -> Interval {
        success_interval(self.successes.len(), self.stopped, self.deals())
    }
}

/// The interval for the probability of success after `k` of `n`, where `stopped` more may be successes.
fn success_interval(k: u64, stopped: u64, n: u64) -> Interval {
    (clopper_pearson(k, n).0, clopper_pearson(k + stopped, n).1)
}

/// The share of successes that the paper has for an R.
pub(super) fn published_success(paper: &PublishedCells, r: usize) -> Option<f64> {
    let cell = paper.get("table1", &format!("R={r}"))?;
    Some(cell.published / PAPER_DEALS as f64)
}

/// The line that is being filled.
#[derive(Default)]
struct Open {
    r: usize,
    stopped: u64,
    stuck: u64,
    successes: Vec<u64>,
    failures: Vec<u64>,
}

impl Open {
    /// What it comes to so far, and what the paper has.
    fn live(&self, paper: &PublishedCells) -> Vec<Estimate> {
        let (k, r) = (self.successes.len() as u64, self.r);
        let n = k + self.failures.len() as u64 + self.stopped;
        if n == 0 {
            return Vec::new();
        }
        let (low, high) = success_interval(k, self.stopped, n);
        let value = k as f64 / n as f64;
        let name = Text::of(format!("success, R = {r}"), format!("成功率（R = {r}）"));
        let text = Text::same(format!("{value:.4} [{low:.4}, {high:.4}]"));
        let published = published_success(paper, r);
        vec![Estimate { name, value, low, high, text, published }]
    }
}

/// Bytes the search of one deal may need: so many states of at most `r` cards, and the table of their places.
fn bytes(look: &Look) -> u64 {
    let r = look.rs.iter().copied().max().unwrap_or(1) as u64;
    // Six bits a card and eight for the length; places are twelve in 64 bytes, just doubled when 7/8 were full.
    let words = (6 * r + 8).div_ceil(64);
    LEAST_MEMORY + look.limit.saturating_mul(words * 8 + 13)
}

/// Tries every R on the same deals.
///
/// # Errors
/// If an R is not from 1 to 52, the memory of the run is too small, or it is cancelled.
pub fn lookahead_table(look: &Look, run: &Run<'_>) -> Result<Vec<Line>, Error> {
    if let Some(bad) = look.rs.iter().find(|r| !(1..=52).contains(*r)) {
        return Err(Refusal::new("R", bad, text("a whole number from 1 to 52", "1～52の整数")).into());
    }
    let items = look.deals * look.rs.len() as u64;
    let (each, kept) = (bytes(look), items * 16);
    run.fits(each + kept)?;
    // Fewer threads where there is not memory for all; what comes out is the same.
    let threads = run.threads.min(((run.memory - kept) / each) as usize).max(1);
    let many = Run { threads, ..*run };
    let one = Run { threads: 1, observer: &Silent, ..*run };
    let machine = Machine::new(&Rules::default());
    let limits = Limits { memory: each, states: look.limit };

    let worker = || Exact::new(limits);
    let item = |exact: &mut Result<Exact<Machine>, Error>, number: u64| {
        // The memory was checked to be enough.
        let exact = match exact {
            Ok(exact) => exact,
            Err(_) => return Err(Error::Memory { need: each, limit: run.memory }),
        };
        let (r, number) = (look.rs[(number / look.deals) as usize], number % look.deals);
        let row = Sliced::of(&Rules::default().row(deal(4, 13, 52, run.seed, number)));
        let found = lookahead(&machine, exact, &row, r, &one)?;
        if let Some(Limit::Memory(limit)) = found.limit {
            return Err(Error::Memory { need: limit + 1, limit });
        }
        let outcome = match found.success {
            Some(true) => SUCCESS,
            Some(false) if found.stuck => STUCK,
            Some(false) => FAILURE,
            None => STOPPED,
        };
        Ok(vec![(r as u64).into(), number.into(), outcome.to_owned().into(), found.states.into()])
    };

    let mut lines = Vec::new();
    let paper = PublishedCells::read(&GOLDEN);
    let open = RefCell::new(Open { r: look.rs.first().copied().unwrap_or(0), ..Open::default() });
    let sheet = Sweep { what: text("looking ahead", "先読み"), columns: &COLUMNS, items, block: 25 };
    let fold = |number: u64, row: &[rows::Cell]| {
        let mut open = open.borrow_mut();
        open.r = row[0].int() as usize;
        let states = row[3].int() as u64;
        match row[2].text() {
            SUCCESS => open.successes.push(states),
            STOPPED => open.stopped += 1,
            other => {
                open.stuck += u64::from(other == STUCK);
                open.failures.push(states);
            }
        }
        if (number + 1).is_multiple_of(look.deals) {
            let Open { r, stopped, stuck, successes, failures } = std::mem::take(&mut *open);
            let (successes, failures) = (Sample::new(successes), Sample::new(failures));
            lines.push(Line { r, stopped, stuck, successes, failures });
        }
    };
    sweep_live(&many, &sheet, worker, item, fold, || open.borrow().live(&paper))?;
    Ok(lines)
}

/// The paper's figures for one R, beside a line of ours.
#[derive(Clone, Debug, Default)]
pub struct PaperLine {
    /// Successes of 10,000.
    pub success: Option<Beside>,
    /// Minimum, median, mean and maximum of the states in case of success.
    pub successes: [Option<Beside>; 4],
    /// The same in case of failure.
    pub failures: [Option<Beside>; 4],
}

/// The names of the columns of tables 2 and 3.
const COLUMNS_2: [&str; 4] = ["min", "median", "mean", "max"];

/// Lines with what the paper has for them. Its deals are not published: they are compared as samples of the same kind.
pub fn besides(lines: Vec<Line>) -> Vec<(Line, PaperLine)> {
    let paper = PublishedCells::read(&GOLDEN);
    let both = |line: Line| {
        let beside = beside(&paper, &line);
        (line, beside)
    };
    lines.into_iter().map(both).collect()
}

/// What the paper has for an R, compared with ours. Extremes of samples are not compared.
fn beside(paper: &PublishedCells, line: &Line) -> PaperLine {
    let r = line.r;
    let success = paper.get("table1", &format!("R={r}"));
    let theirs = success.map(|cell| cell.published as u64);
    let success = success.map(|cell| {
        let (k, n) = (line.successes.len(), line.deals());
        // Deals that were given up may be either: of what they may come to, the nearest to the paper's counts.
        let like = |theirs: f64| {
            let nearest = (theirs * n as f64 / PAPER_DEALS as f64).round() as u64;
            let k = nearest.clamp(k, k + line.stopped);
            same_probability((theirs.round() as u64, PAPER_DEALS), (k, n))
        };
        let ours = line.success().0 * PAPER_DEALS as f64;
        Beside {
            paper: cell.published,
            status: cell.status,
            p: Some(like(cell.published)),
            firm: true,
            accepted: accepted(cell.published, ours, (0.0, PAPER_DEALS as f64), like),
        }
    });
    let states = |table: &'static str, n: Option<u64>, ours: &Sample| {
        // Deals that were given up have more states than all others; how many of them belong here is not known.
        let longer = ours.with_larger(line.stopped);
        COLUMNS_2.map(|column| {
            let cell = paper.get(table, &format!("R={r} {column}"))?;
            let n = n.filter(|&n| n.min(ours.len()) >= ENOUGH);
            // The paper rounds: of what its figure may stand for, the nearest to ours counts.
            let half = cell.precision / 2.0;
            let (low, high) = (cell.published - half, cell.published + half);
            let like = |theirs: f64, n: u64| {
                let within = ours.median() <= Some(theirs) && Some(theirs) <= longer.median();
                if within { 1.0 } else { ours.same_median(theirs, n).max(longer.same_median(theirs, n)) }
            };
            let p = n.and_then(|n| match column {
                "median" => Some(like(ours.median()?.clamp(low, high), n)),
                "mean" if line.stopped == 0 => {
                    Some(ours.same_mean(ours.mean().clamp(low, high), n)).filter(|p| p.is_finite())
                }
                _ => None,
            });
            let accepted = n.filter(|_| column == "median").and_then(|n| {
                let ends = (ours.min()? as f64 - 1.0, longer.max()? as f64 + 1.0);
                accepted(cell.published, ours.median()?, ends, |theirs| like(theirs, n))
            });
            Some(Beside { paper: cell.published, status: cell.status, p, firm: column == "median", accepted })
        })
    };
    PaperLine {
        success,
        successes: states("table2", theirs, &line.successes),
        failures: states("table3", theirs.map(|k| PAPER_DEALS - k), &line.failures),
    }
}

/// Which deals tables 2 and 3 are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Those that succeed: table 2 and figure 4.
    Success,
    /// Those that fail: table 3 and figure 5.
    Failure,
}

impl Side {
    /// R, our states of those deals, and the paper's figures beside them.
    pub fn of(self, (line, paper): &(Line, PaperLine)) -> (usize, &Sample, &[Option<Beside>; 4]) {
        match self {
            Side::Success => (line.r, &line.successes, &paper.successes),
            Side::Failure => (line.r, &line.failures, &paper.failures),
        }
    }

    /// How many such deals the paper has.
    pub(super) fn published(self, paper: &PaperLine) -> Option<u64> {
        let successes = paper.success.as_ref()?.paper as u64;
        Some(if self == Side::Success { successes } else { PAPER_DEALS - successes })
    }

    /// What becomes of them.
    pub(super) fn word(self) -> Text {
        match self {
            Side::Success => text("succeed", "成功"),
            Side::Failure => text("fail", "失敗"),
        }
    }
}
