//! The paper's experiment: greedy play until R cards are left, then everything is looked at. How often that
//! succeeds and how many states it takes, for every R, beside the paper's tables 1 to 3 and figures 3 to 5.

use super::published::GOLDEN;
use crate::golden::{Beside, PublishedCells, Status, accepted};
use crate::paper::Study;
use crate::stats::{Interval, Sample, Z, clopper_pearson, same_probability};
use crate::sweep::{Sweep, sweep_live, whole, words};
use serde_json::{Value, json};
use std::cell::RefCell;
use yomikiri_core::rows::{self, Column};
use yomikiri_core::run::{Estimate, Silent};
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_games::accordion::method::lookahead;
use yomikiri_games::accordion::rules::{Rules, deal};
use yomikiri_games::accordion::sliced::{Machine, Sliced};
use yomikiri_games::params::{Param, Settings};
use yomikiri_solve::search::{Exact, LEAST_MEMORY, Limit, Limits};
use yomikiri_view::report::{
    Block, Cell, Certainty, Draw, List, Outcome, Plot, Record, Scale, Series, Table, Tone, grouped,
};

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

static COLUMNS: [Column; 4] = [
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

/// The study.
pub const STUDY: Study = Study {
    name: "lookahead",
    summary: text(
        "the paper's experiment: greedy play until R cards are left, then everything (tables 1–3, figures 3–5)",
        "論文の実験：残り R 枚まで力まかせ法、その後は全探索（表1～3、図3～5）",
    ),
    params: &[
        Param::int(
            "deals",
            1,
            1_000_000,
            "1000",
            text(
                "random deals for every R (the paper: 10000)",
                "各 R でのランダムな配列の数（論文は 10000）",
            ),
        ),
        Param::int(
            "from",
            1,
            52,
            "1",
            text("the first R: cards left when looking ahead starts", "最初の R：先読みを始める残り枚数"),
        ),
        Param::int("to", 1, 52, "52", text("the last R", "最後の R")),
        Param::int(
            "limit",
            1,
            1_000_000_000,
            "20000000",
            text(
                "states after which a deal is given up and counted apart",
                "1配列あたりの状態数の上限（超えた配列は別に数える）",
            ),
        ),
    ],
    rows: &COLUMNS,
    run: study,
};

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

/// A verdict in a table; what the paper does not have needs none.
fn verdict_cell(beside: Option<&Beside>) -> Cell {
    beside.map_or("".into(), |beside| beside.verdict().into())
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

fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let (from, to) = (settings.int("from") as usize, settings.int("to") as usize);
    if from > to {
        let accepts = Text::of(
            format!("a whole number from 1 to {to}, as `to` is"),
            format!("1～{to}（to の値）の整数"),
        );
        return Err(Refusal::new("from", from, accepts).into());
    }
    let look = Look {
        deals: settings.int("deals") as u64,
        rs: (from..=to).collect(),
        limit: settings.int("limit") as u64,
    };
    Ok(report(&look, &besides(lookahead_table(&look, run)?), run.seed))
}

/// What was sampled and how it is compared.
pub(super) fn preface(limit: u64, both: &[(Line, PaperLine)]) -> Text {
    let stopped: u64 = both.iter().map(|b| b.0.stopped).sum();
    let (limit, differs) = (grouped(limit), Beside::DIFFERS);
    let (few, many) = (both.iter().map(|b| b.0.deals()).min(), both.iter().map(|b| b.0.deals()).max());
    let (few, many) = (grouped(few.unwrap_or(0)), grouped(many.unwrap_or(0)));
    let deals = if few == many {
        Text::same(few)
    } else {
        Text::of(format!("{few} to {many}"), format!("{few}～{many}"))
    };
    let ending = if stopped == 0 {
        Text::of(
            format!("No deal needed more than {limit} states."),
            format!("状態数が {limit} を超えた配列はない。"),
        )
    } else {
        let stopped = grouped(stopped);
        Text::of(
            format!(
                "{stopped} searches were given up after {limit} states: successes are then bounds, states are of the others, and a figure only differs if it does whatever became of them."
            ),
            format!(
                "{stopped} 件の探索を {limit} 状態で打ち切った。その R の成功数は上下界、状態数は残りの配列のもの。打ち切った配列がどちらであっても不一致となる場合だけ不一致とする。"
            ),
        )
    };
    Text::of(
        format!(
            "{} deals for every R, sampled; intervals are for 95 %. p: how often two samples of the same kind differ \
             as much as ours and the paper's (10,000 deals); below {differs} a number of successes or a median is said to \
             differ (!). Which figures of the paper that would be is said beside it: a figure that could have been told from \
             ours and is not is consistent, and where ours could tell nothing it is not tested. Nor are extremes and means: single deals weigh too much in \
             them, and their p is a hint. {}",
            deals.en, ending.en
        ),
        format!(
            "各 R で {} 配列の標本。区間は 95 %。p：同種の2標本が論文（1万配列）との差以上に異なる確率。成功数と中央値は {differs} 未満を不一致（!）とする。論文の値がどうであれば不一致となるかを添える。差を示せたのに差がなければ「矛盾なし」、標本が小さく何も言えなければ「判定不能」。最小・最大・平均は少数の配列に左右されるため判定せず、平均の p は参考に留める。{}",
            deals.ja, ending.ja
        ),
    )
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

    /// Its table: the states that were generated.
    pub(super) fn table(self, both: &[(Line, PaperLine)]) -> Table {
        let title = match self {
            Side::Success => {
                text("Table 2: states generated in case of success", "表2：成功の場合に生成された状態数")
            }
            Side::Failure => {
                text("Table 3: states generated in case of failure", "表3：失敗の場合に生成された状態数")
            }
        };
        states_table(title, &both.iter().map(|b| self.of(b)).collect::<Vec<_>>())
    }

    /// Its figure.
    pub(super) fn plot(self, both: &[(Line, PaperLine)]) -> Plot {
        let title = match self {
            Side::Success => text("Figure 4: states in case of success", "図4：成功の場合の状態数"),
            Side::Failure => text("Figure 5: states in case of failure", "図5：失敗の場合の状態数"),
        };
        states_plot(title, &both.iter().map(|b| self.of(b)).collect::<Vec<_>>())
    }
}

/// Tables 1 to 3 and figures 3 to 5.
pub fn report(look: &Look, both: &[(Line, PaperLine)], seed: u64) -> Outcome {
    let mut blocks = vec![
        Block::Paragraph(preface(look.limit, both)),
        Block::Table(success_table(both)),
        Block::Plot(success_plot(both)),
    ];
    for side in [Side::Success, Side::Failure] {
        blocks.push(Block::Table(side.table(both)));
        blocks.push(Block::Plot(side.plot(both)));
    }
    let (means, compared) = super::means::table(both);
    blocks.extend(means);
    let differing = both
        .iter()
        .flat_map(|(_, p)| {
            p.success.iter().chain(p.successes.iter().flatten()).chain(p.failures.iter().flatten())
        })
        .filter(|beside| beside.status == Status::Match && beside.differs())
        .count();
    let stopped: u64 = both.iter().map(|b| b.0.stopped).sum();
    let json = json!({"game": "accordion", "study": "lookahead", "seed": seed, "kind": "sampled",
        "deals": look.deals, "limit": look.limit, "stopped": stopped, "differing": differing, "means": compared,
        "lines": both.iter().map(line_json).collect::<Vec<_>>()});
    Outcome { blocks, json, good: differing == 0 }
}

/// What came of one R, for programs.
pub(super) fn line_json((line, paper): &(Line, PaperLine)) -> Value {
    let (low, high) = line.success_interval();
    let beside = |b: &Option<Beside>| {
        b.as_ref().map(|b| json!({"paper": b.paper, "p": b.p, "accepted": b.accepted, "status": b.status.word().en, "verdict": b.verdict().word().en}))
    };
    let states = |sample: &Sample, paper: &[Option<Beside>; 4]| {
        json!({"deals": sample.len(), "min": sample.min(), "median": sample.median(),
            "median_95": sample.median_interval(), "mean": sample.mean(), "mean_error": sample.mean_error(),
            "max": sample.max(),
            "paper": {"min": beside(&paper[0]), "median": beside(&paper[1]), "mean": beside(&paper[2]),
                "max": beside(&paper[3])}})
    };
    json!({"r": line.r, "deals": line.deals(), "success": line.successes.len(), "stopped": line.stopped,
        "stuck": line.stuck, "success_95": [low, high], "paper": beside(&paper.success),
        "success_states": states(&line.successes, &paper.successes),
        "failure_states": states(&line.failures, &paper.failures)})
}

/// The likelihood of a comparison in a table.
fn likelihood(beside: Option<&Beside>) -> Cell {
    match beside {
        None => "".into(),
        Some(beside) if beside.status == Status::Open => Cell::from(beside.status.word()).tone(Tone::Warn),
        Some(beside) => beside.likelihood(),
    }
}

/// The figures of the paper that would be said to differ, in a table.
fn would_differ(beside: Option<&Beside>) -> Cell {
    beside.map_or("".into(), |beside| beside.would_differ(1.0, 0))
}

/// A difference with its sign.
fn signed(gap: f64) -> Cell {
    let digits = grouped(gap.abs().round() as u64);
    let words = match gap.round() {
        0.0 => digits,
        gap if gap < 0.0 => format!("−{digits}"),
        _ => format!("+{digits}"),
    };
    Cell::from(words).value(gap)
}

/// Table 1: how often each R succeeds.
pub(super) fn success_table(both: &[(Line, PaperLine)]) -> Table {
    let mut list = List::new(text("Table 1: successes by R, of 10,000", "表1：R と成功数（1万個あたり）"));
    for (line, paper) in both {
        let (few, many) = line.success();
        let (low, high) = line.success_interval();
        let scaled = |share: f64| format!("{:.1}", share * PAPER_DEALS as f64);
        let whole = line.stopped == 0;
        let ours = if whole { scaled(few) } else { format!("{}–{}", scaled(few), scaled(many)) };
        let ours = Cell::from(ours).value(if whole { few * PAPER_DEALS as f64 } else { f64::NAN });
        let success = paper.success.as_ref();
        let gap =
            success.filter(|_| whole).map_or("–".into(), |b| signed(few * PAPER_DEALS as f64 - b.paper));
        let stopped = Cell::from(grouped(line.stopped)).warn(!whole);
        list.push(
            Record::new()
                .show(text("R>", "R>"), line.r.to_string())
                .show(text("deals>", "配列数>"), grouped(line.deals()))
                .show(text("paper>", "論文>"), success.map_or("–".into(), |b| grouped(b.paper as u64)))
                .show(text("ours>", "計算>"), ours)
                .show(text("interval>", "区間>"), format!("{}–{}", scaled(low), scaled(high)))
                .show(text("difference>", "差>"), gap)
                .show(text("p>", "p>"), likelihood(success))
                .show(text("would differ", "不一致となる値"), would_differ(success))
                .show(text("stuck before R>", "R 前に行き詰まり>"), grouped(line.stuck))
                .show(text("given up>", "打ち切り>"), stopped)
                .certainty(if whole { Certainty::Sampled } else { Certainty::Bound })
                .show(text("verdict", "判定"), verdict_cell(success)),
        );
    }
    list.table
}

/// Figure 3: the same as a plot.
pub(super) fn success_plot(both: &[(Line, PaperLine)]) -> Plot {
    let paper = both.iter().filter_map(|(line, p)| Some((line.r as f64, p.success.as_ref()?.paper / 100.0)));
    let ours = both.iter().map(|(line, _)| {
        let (low, high) = line.success_interval();
        (line.r as f64, line.success().0 * 100.0, (low * 100.0, high * 100.0))
    });
    let mut plot = Plot::new(
        text("Figure 3: success by R", "図3：R と成功可能性"),
        text("R, cards left when the search begins", "R（先読みを始める残り枚数）"),
        text("success, %", "成功（%）"),
    );
    plot.note = text(
        "Sampled; whiskers are 95 % intervals. The paper's 10,000 deals are not published: these are others.",
        "標本。ひげは 95 % 区間。論文の1万配列は公表されておらず、別の配列による。",
    );
    plot.series = vec![
        Series::with_intervals(text("computed", "計算"), Draw::Line, ours),
        Series::new(text("published", "論文"), Draw::Diamonds, paper),
    ];
    plot
}

fn states_table(title: Text, side: &[(usize, &Sample, &[Option<Beside>; 4])]) -> Table {
    let mut list = List::new(title);
    for (r, sample, paper) in side {
        let theirs = |at: usize| paper[at].as_ref().map_or("–".into(), |b| grouped(b.paper as u64));
        let count = |n: Option<u64>| n.map_or("–".to_owned(), grouped);
        let number = |x: f64| if x.is_finite() { grouped(x.round() as u64) } else { "–".to_owned() };
        let ours = || text("ours>", "計算>");
        let p = |at: usize| likelihood(paper[at].as_ref());
        let interval = sample.median_interval();
        let interval = interval.map_or("–".to_owned(), |(a, b)| format!("{}–{}", grouped(a), grouped(b)));
        let gap = match (sample.median(), &paper[1]) {
            (Some(ours), Some(b)) => signed(ours - b.paper),
            _ => "–".into(),
        };
        list.push(
            Record::new()
                .show(text("R>", "R>"), r.to_string())
                .show(text("min: paper>", "最小：論文>"), theirs(0))
                .show(ours(), count(sample.min()))
                .show(text("median: paper>", "中央値：論文>"), theirs(1))
                .show(ours(), number(sample.median().unwrap_or(f64::NAN)))
                .show(text("interval>", "区間>"), interval)
                .show(text("p>", "p>"), p(1))
                .show(text("would differ", "不一致となる値"), would_differ(paper[1].as_ref()))
                .show(text("mean: paper>", "平均：論文>"), theirs(2))
                .show(ours(), number(sample.mean()))
                .show(text("±>", "±>"), number(Z * sample.mean_error()))
                .show(text("p>", "p>"), p(2))
                .show(text("max: paper>", "最大：論文>"), theirs(3))
                .show(ours(), count(sample.max()))
                .show(text("median: difference>", "中央値の差>"), gap)
                .certainty(Certainty::Sampled)
                .show(text("verdict", "判定"), verdict_cell(paper[1].as_ref())),
        );
    }
    list.table
}

fn states_plot(title: Text, side: &[(usize, &Sample, &[Option<Beside>; 4])]) -> Plot {
    let ours = |of: fn(&Sample) -> Option<f64>| {
        side.iter().filter_map(move |(r, sample, _)| Some((*r as f64, of(sample)?)))
    };
    let median = side.iter().filter_map(|(r, sample, _)| {
        let (low, high) = sample.median_interval()?;
        Some((*r as f64, sample.median()?, (low as f64, high as f64)))
    });
    let paper =
        |at: usize| side.iter().filter_map(move |(r, _, paper)| Some((*r as f64, paper[at].as_ref()?.paper)));
    let mut plot = Plot::new(
        title,
        text("R, cards left when the search begins", "R（先読みを始める残り枚数）"),
        text("states", "状態数"),
    );
    plot.y.scale = Scale::Log;
    plot.note = text(
        "Sampled, logarithmic scale; whiskers are 95 % intervals of the median. Diamonds are the paper's minimum, median, mean and maximum of 10,000 deals: extremes of more deals lie further out.",
        "標本、対数目盛。ひげは中央値の 95 % 区間。菱形は論文（1万配列）の最小・中央値・平均・最大。配列が多いほど最小・最大は外側になる。",
    );
    plot.series = vec![
        Series::new(text("min", "最小"), Draw::Line, ours(|s| s.min().map(|n| n as f64))),
        Series::with_intervals(text("median", "中央値"), Draw::Line, median),
        Series::new(text("mean", "平均"), Draw::Line, ours(|s| Some(s.mean()))),
        Series::new(text("max", "最大"), Draw::Line, ours(|s| s.max().map(|n| n as f64))),
        Series::new(text("published", "論文"), Draw::Diamonds, (0..4).flat_map(paper)),
    ];
    plot
}
