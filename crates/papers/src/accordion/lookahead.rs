//! The paper's experiment as a study: how often looking ahead succeeds and how many states it takes, for every R, beside
//! the paper's tables 1 to 3 and figures 3 to 5.

use super::experiment::{COLUMNS, Line, Look, PAPER_DEALS, PaperLine, Side, besides, lookahead_table};
use super::means;
use crate::golden::{Beside, Status};
use crate::paper::Study;
use crate::stats::{Sample, Z};
use serde_json::{Value, json};
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_games::params::{Param, Settings};
use yomikiri_view::report::{
    Block, Cell, Certainty, Draw, List, Outcome, Plot, Record, Scale, Series, Table, Tone, grouped,
};

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

/// A verdict in a table; what the paper does not have needs none.
fn verdict_cell(beside: Option<&Beside>) -> Cell {
    beside.map_or("".into(), |beside| beside.verdict().into())
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

impl Side {
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
    let (means, compared) = means::table(both);
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
