//! The paper's tables and figures, recomputed under both models of rounds 1 to 4 and set beside its figures from
//! 1,000 games.

use super::tournament::{
    COLS, Clustered, ROWS, Tally, centre, figure_4, gap_cell, gap_name, shown, to_json, tournament,
};
use crate::golden::{Computed, Erratum, Golden, PublishedCell, Status, Tally as Verdicts, compare};
use crate::reproduction::{Effort, Lazy, Part, Piece, Question};
use crate::stats::{Z, normal_tails};
use serde_json::{Value, json};
use std::cell::LazyCell;
use std::collections::BTreeMap;
use yomikiri_core::random::Random;
use yomikiri_core::rows::Unkept;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::saichugen::player::{House, Model, Ties};
use yomikiri_games::saichugen::rules::SEATS;
use yomikiri_games::saichugen::seats::Lineup;
use yomikiri_view::report::{
    Block, Cell, Certainty, Draw, Heat, Plot, Series, Table, Tone, Verdict, grouped,
};

/// The published tables.
pub static GOLDEN: [Golden; 4] = [
    Golden { id: "figures", data: include_str!("golden/figures.toml") },
    Golden { id: "table3", data: include_str!("golden/table3.toml") },
    Golden { id: "table4", data: include_str!("golden/table4.toml") },
    Golden { id: "table5", data: include_str!("golden/table5.toml") },
];

/// The games of the paper.
pub const PAPER_GAMES: u64 = 1000;
/// A figure of the paper differs from ours if agreement as poor would be rarer than this: there are some 150
/// figures, so a few are off by what is 1 in 100.
pub const DIFFERS: f64 = 0.001;
/// Observations of the paper below which its means and shares are not compared: they are far from normal.
const ENOUGH: f64 = 20.0;
/// From a win to the usual loss.
const RANGE: f64 = 3.0;
/// Samples of the parametric bootstrap.
const SAMPLES: usize = 400;
/// Cells of table 3 that are expected less often than this in the paper's games are taken together.
const FEW: f64 = 3.0;
/// Random numbers of the bootstrap, apart from those of games.
const STREAM: u64 = (1 << 62) + 1;

/// A tournament of three searchers under one house rule.
pub struct Played {
    /// What was agreed on.
    pub house: House,
    /// What was counted.
    pub tally: Tally,
    /// The cells of table 3 of every game.
    cells: Vec<[u16; SEATS]>,
}

/// Three searchers.
pub fn searchers() -> Lineup {
    Lineup::parse("search,search,search").expect("known players")
}

/// Plays games of three searchers and keeps what a bootstrap needs.
pub fn played(house: House, games: u64, run: &Run<'_>) -> Result<Played, Error> {
    run.fits(games.saturating_mul(6) + (1 << 20))?;
    let mut played = Played { house, tally: Tally::default(), cells: Vec::with_capacity(games as usize) };
    let run = Run { rows: &Unkept, ..*run };
    tournament(searchers(), house, games, &run, |scores, payoffs| {
        played.tally.add(scores, payoffs);
        played.cells.push(std::array::from_fn(|seat| {
            let (i, j) = gap_cell(scores, seat);
            (i * COLS + j) as u16
        }));
    })?;
    Ok(played)
}

/// How a table of counts from the paper's games fits a model.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The sum of squared differences over their variances, as if observations were independent.
    pub chi: f64,
    /// The value that one in twenty samples of the model exceeds.
    pub limit: f64,
    /// The share of samples at least as far off.
    pub p: f64,
    /// Cells compared, the rest as one.
    pub cells: usize,
}

/// Sets the paper's counts against a model: as many games are drawn again and again from those played, and set
/// against as many drawn for the model, so that the size of our own sample is allowed for.
pub fn fit(played: &Played, paper: &[f64], run: &Run<'_>) -> Result<Fit, Error> {
    let games = played.cells.len();
    let per_paper = PAPER_GAMES as f64 / games as f64;
    let mut counts = vec![0u64; ROWS * COLS];
    for &cell in played.cells.iter().flatten() {
        counts[usize::from(cell)] += 1;
    }
    // Which cells stand for themselves; the others are all in group 0.
    let mut group = vec![0usize; ROWS * COLS];
    let mut groups = 1;
    for (group, &count) in group.iter_mut().zip(&counts) {
        if count as f64 * per_paper >= FEW {
            *group = groups;
            groups += 1;
        }
    }
    // Both are samples: the variance of their difference is taken from both together.
    let chi = |model: &[f64], sample: &[f64]| -> f64 {
        let pairs = model.iter().zip(sample).filter(|(e, o)| **e + **o > 0.0);
        pairs.map(|(&e, &o)| (o - e).powi(2) / (o * per_paper + e)).sum()
    };
    let gather = |numbers: &mut dyn Iterator<Item = (usize, f64)>| {
        let mut sums = vec![0.0; groups];
        for (cell, n) in numbers {
            sums[group[cell]] += n;
        }
        sums
    };
    let model = gather(&mut counts.iter().map(|&n| n as f64 * per_paper).enumerate());
    let observed = chi(&model, &gather(&mut paper.iter().copied().enumerate()));
    let mut far = Vec::with_capacity(SAMPLES);
    for sample in 0..SAMPLES {
        run.check()?;
        let mut random = Random::stream(run.seed, STREAM + sample as u64);
        let mut draw = |n: usize, weight: f64| {
            let mut sums = vec![0.0; groups];
            for _ in 0..n {
                for &cell in &played.cells[random.below(games as u64) as usize] {
                    sums[group[usize::from(cell)]] += weight;
                }
            }
            sums
        };
        let (model, sample) = (draw(games, per_paper), draw(PAPER_GAMES as usize, 1.0));
        far.push(chi(&model, &sample));
    }
    far.sort_by(f64::total_cmp);
    let beyond = far.iter().filter(|&&x| x >= observed).count();
    let limit = far[(SAMPLES * 95).div_ceil(100) - 1];
    Ok(Fit { chi: observed, limit, p: beyond as f64 / SAMPLES as f64, cells: groups })
}

/// The paper's figures by table and cell.
struct PublishedCells(BTreeMap<(&'static str, String), PublishedCell>);

impl PublishedCells {
    fn read() -> PublishedCells {
        let mut cells = BTreeMap::new();
        for golden in &GOLDEN {
            cells.extend(golden.read().cells.into_iter().map(|c| ((golden.id, c.cell.clone()), c)));
        }
        PublishedCells(cells)
    }

    fn get(&self, table: &'static str, cell: &str) -> Option<&PublishedCell> {
        self.0.get(&(table, cell.to_owned()))
    }

    fn number(&self, table: &'static str, cell: &str) -> f64 {
        self.get(table, cell).map_or(0.0, |c| c.published)
    }

    /// The counts of table 3, by row and column.
    fn table_3(&self) -> Vec<f64> {
        let cells = (0..ROWS).flat_map(|i| (0..COLS).map(move |j| (i, j)));
        cells.map(|(i, j)| self.number("table3", &format!("{} n", name(i, j)))).collect()
    }
}

fn name(i: usize, j: usize) -> String {
    format!("{} {}", gap_name(i), gap_name(j))
}

/// How likely a mean over the paper's games is to lie at least as far from ours as the paper's; of what its rounded
/// figure may stand for, the nearest counts. What we have seen to be always the same may still be otherwise once more:
/// the error is at least what one observation off by the whole `range` makes.
fn likely(ours: &Clustered, games: u64, paper: &PublishedCell, range: f64) -> f64 {
    let half = paper.precision / 2.0;
    let (mean, error) = (ours.mean(), ours.error().max(range / ours.len() as f64));
    let nearest = mean.clamp(paper.published - half, paper.published + half);
    let theirs = error * (games as f64 / PAPER_GAMES as f64).sqrt();
    if nearest == mean { 1.0 } else { normal_tails((nearest - mean) / error.hypot(theirs)) }
}

/// A figure of the paper beside ours under one model.
struct Beside {
    p: Option<f64>,
    status: Option<Status>,
    /// Ours less the paper's.
    gap: Option<f64>,
}

impl Beside {
    fn new(ours: &Clustered, games: u64, paper: Option<&PublishedCell>, enough: bool, range: f64) -> Beside {
        let p = paper
            .filter(|_| enough && !ours.is_empty())
            .map(|paper| likely(ours, games, paper, range))
            .filter(|p| p.is_finite());
        let gap = paper.map(|paper| ours.mean() - paper.published).filter(|gap| gap.is_finite());
        Beside { p, status: paper.map(|paper| paper.status), gap }
    }

    /// What the paper's figure comes to; none where too little was observed to tell.
    fn verdict(&self) -> Option<Verdict> {
        match self.status? {
            Status::Erratum => Some(Verdict::Erratum),
            Status::Open => Some(Verdict::Open),
            Status::Match => self.p.map(|p| if p < DIFFERS { Verdict::Differs } else { Verdict::Match }),
        }
    }

    fn cell(&self) -> Cell {
        match (self.p, self.status) {
            (_, Some(Status::Erratum)) => Cell::from(text("slip", "誤記")).tone(Tone::Warn),
            (None, _) => "".into(),
            (Some(p), _) if p < DIFFERS => Cell::from(format!("{p:.0e} !")).tone(Tone::Bad).value(p),
            (Some(p), _) => Cell::from(format!("{p:.3}")).tone(Tone::Dim).value(p),
        }
    }

    /// The last cells of a row: the difference, the kind of number and the verdict.
    fn ending(&self, factor: f64, decimals: usize) -> [Cell; 3] {
        let gap = self.gap.map_or("–".into(), |gap| {
            Cell::from(format!("{:+.decimals$}", factor * gap).replace('-', "−")).value(factor * gap)
        });
        [gap, Certainty::Sampled.into(), self.verdict().map_or_else(not_compared, Cell::from)]
    }
}

fn not_compared() -> Cell {
    Cell::from(text("too few", "観測不足")).tone(Tone::Dim)
}

fn heads(first: Vec<Text>, models: &[Played]) -> Vec<Text> {
    let mut heads = first;
    for model in models {
        let words = model.house.words();
        heads.push(Text::of(format!("{}>", words.en), format!("{}>", words.ja)));
        heads.push(text("p>", "p>"));
    }
    heads.extend([text("difference>", "差>"), text("kind", "種別"), text("verdict", "判定")]);
    heads
}

/// A row: what leads it, ours under each model, and what the first model says of the paper's figure. Only the first
/// model is claimed to be the paper's.
fn row(
    lead: Vec<Cell>,
    besides: &[(Cell, Beside)],
    factor: f64,
    decimals: usize,
    tally: &mut Verdicts,
) -> Vec<Cell> {
    let mut cells = lead;
    for (ours, beside) in besides {
        cells.extend([ours.clone(), beside.cell()]);
    }
    if let Some((_, first)) = besides.first() {
        cells.extend(first.ending(factor, decimals));
        if let Some(verdict) = first.verdict() {
            tally.take(verdict);
        }
    }
    cells
}

fn table_5(paper: &PublishedCells, models: &[Played], tally: &mut Verdicts) -> (Table, Value) {
    let first = vec![text("rank>", "順位>"), text("paper>", "論文>")];
    let mut table = Table::new(
        text(
            "Table 5: expected payoff by rank entering the last round, with 95 % intervals",
            "表5：最終ラウンド開始時の順位と得点の期待値（95 % 区間）",
        ),
        &heads(first, models),
    );
    let mut out = Vec::new();
    for rank in 0..SEATS {
        let published = paper.get("table5", &format!("rank {}", rank + 1));
        let figure =
            published.map_or("–".into(), |c| Cell::from(format!("{:+.2}", c.published)).value(c.published));
        let mut besides = Vec::new();
        for model in models {
            let ours = &model.tally.ranks[rank];
            let beside = Beside::new(ours, model.tally.games, published, true, RANGE);
            out.push(json!({"rank": rank + 1, "house": model.house.words().en, "mean": ours.mean(),
                "error": ours.error(), "paper": published.map(|c| c.published), "p": beside.p}));
            besides.push((Cell::from(shown(ours)).value(ours.mean()), beside));
        }
        table.row(row(vec![Cell::from((rank + 1).to_string()), figure], &besides, 1.0, 3, tally));
    }
    (table, json!(out))
}

/// Counts of table 3 as they would be in the paper's games.
fn table_3(paper: &PublishedCells, models: &[Played], title: Text) -> Table {
    let counts = paper.table_3();
    let scaled = |model: &Played, i: usize, j: usize| {
        model.tally.gaps[i][j].payoff.len() as f64 * PAPER_GAMES as f64 / model.tally.games as f64
    };
    let shows =
        |i: usize, j: usize| counts[i * COLS + j] > 0.0 || models.iter().any(|m| scaled(m, i, j) >= 0.5);
    let columns: Vec<usize> = (0..COLS).filter(|&j| (0..ROWS).any(|i| shows(i, j))).collect();
    let mut heads = vec![text("lower \\ higher", "下位 \\ 上位")];
    heads.extend(columns.iter().map(|&j| Text::same(format!("{}>", gap_name(j)))));
    let mut table = Table::new(title, &heads);
    for i in (0..ROWS).filter(|&i| columns.iter().any(|&j| shows(i, j))) {
        let cell = |&j: &usize| {
            if !shows(i, j) {
                return Cell::from("");
            }
            let ours: Vec<String> = models.iter().map(|m| format!("{:.0}", scaled(m, i, j))).collect();
            format!("{:.0}/{}", counts[i * COLS + j], ours.join("/")).into()
        };
        table.row([Cell::from(gap_name(i))].into_iter().chain(columns.iter().map(cell)));
    }
    table
}

fn fits_table(fits: &[(Text, Fit)]) -> Table {
    let mut table = Table::new(
        text(
            "Table 3: the paper's counts against samples of 1,000 games of each model (parametric bootstrap)",
            "表3：論文の頻度と、各モデルの1000ゲームの標本（パラメトリックブートストラップ）",
        ),
        &[
            text("model", "モデル"),
            text("χ²>", "χ²>"),
            text("95 % point>", "95 % 点>"),
            text("p>", "p>"),
            text("cells>", "セル>"),
            text("the paper's table", "論文の表"),
        ],
    );
    for (words, fit) in fits {
        let verdict = if fit.chi > fit.limit {
            Cell::from(text("not of this model", "このモデルでは説明できない")).tone(Tone::Warn)
        } else {
            Cell::from(text("compatible", "矛盾しない")).tone(Tone::Good)
        };
        let p = if fit.p == 0.0 { format!("< 1/{SAMPLES}") } else { format!("{:.3}", fit.p) };
        table.row([
            words.clone().into(),
            format!("{:.0}", fit.chi).into(),
            format!("{:.0}", fit.limit).into(),
            p.into(),
            fit.cells.to_string().into(),
            verdict,
        ]);
    }
    table
}

/// The columns that lead a row of gaps.
fn gap_heads() -> Vec<Text> {
    vec![text("lower", "下位"), text("higher", "上位"), text("paper n>", "論文 n>"), text("paper>", "論文>")]
}

fn table_4(paper: &PublishedCells, models: &[Played], tally: &mut Verdicts) -> (Table, Value) {
    let mut means = Table::new(
        text("Table 4: mean payoff by gaps near the centre", "表4：中心部の点差と平均得点"),
        &heads(gap_heads(), models),
    );
    let mut out = Vec::new();
    for (i, j) in centre() {
        let name = name(i, j);
        let n = paper.number("table3", &format!("{name} n"));
        let Some(published) = paper.get("table4", &format!("{name} mean")) else { continue };
        let mut besides = Vec::new();
        for model in models {
            let ours = &model.tally.gaps[i][j].payoff;
            let beside = Beside::new(ours, model.tally.games, Some(published), n >= ENOUGH, RANGE);
            let real = |x: f64| Some(x).filter(|x| x.is_finite());
            out.push(json!({"cell": name, "house": model.house.words().en, "paper_n": n,
                "paper": published.published, "mean": real(ours.mean()), "error": real(ours.error()), "p": beside.p}));
            besides.push((Cell::from(shown(ours)).value(ours.mean()), beside));
        }
        let lead = vec![
            Cell::from(gap_name(i)),
            gap_name(j).into(),
            format!("{n:.0}").into(),
            Cell::from(format!("{:+.1}", published.published)).value(published.published),
        ];
        means.row(row(lead, &besides, 1.0, 2, tally));
    }
    (means, json!(out))
}

/// Figures 5 and 6: the share of games that end with a payoff, by gaps near the centre.
struct Shares {
    title: Text,
    y: Text,
    /// The payoff as table 4 names it, and its place among ours.
    payoff: &'static str,
    at: usize,
}

fn figure_5() -> Shares {
    Shares {
        title: text("Figure 5: share of games won with +2", "図5：+2 で勝った割合"),
        y: text("won with +2, %", "+2 で勝った割合（%）"),
        payoff: "+2",
        at: 4,
    }
}

fn figure_6() -> Shares {
    Shares {
        title: text("Figure 6: share of games lost with −1", "図6：−1 で負けた割合"),
        y: text("lost with −1, %", "−1 で負けた割合（%）"),
        payoff: "-1",
        at: 1,
    }
}

fn shares(figure: &Shares, paper: &PublishedCells, models: &[Played]) -> Piece {
    let mut piece = Piece::default();
    let mut table = Table::new(figure.title.clone(), &heads(gap_heads(), models));
    let mut plot = Plot::new(
        figure.title.clone(),
        text(
            "gap to the lower opponent (within it: gap to the higher one, rising)",
            "下位との点差（その中は上位との点差の昇順）",
        ),
        figure.y.clone(),
    );
    plot.note = text(
        "Sampled; whiskers are 95 % intervals. The paper's shares are its counts in table 4; hollow diamonds of few games move much.",
        "標本。ひげは 95 % 区間。論文の割合は表4の頻度から。少数のゲームの菱形は大きくばらつく。",
    );
    let mut published_points = Vec::new();
    let mut points = vec![Vec::new(); models.len()];
    let (mut x, mut begun, mut group, mut json) = (0.0, 0.0, None, Vec::new());
    for (i, j) in centre() {
        let name = name(i, j);
        let n = paper.number("table3", &format!("{name} n"));
        let Some(count) = paper.get("table4", &format!("{name} {}", figure.payoff)) else { continue };
        if group != Some(i) {
            // A gap between groups.
            x += if group.is_none() { 0.0 } else { 1.0 };
            group = Some(i);
            plot.x.names.push((x, Text::same(gap_name(i))));
            begun = x;
        }
        // A name stands under the middle of its group.
        if let Some(name) = plot.x.names.last_mut() {
            name.0 = ((begun + x) / 2.0).floor();
        }
        // The paper prints counts: their share is exact.
        let share = PublishedCell { published: count.published / n, precision: 1e-9, ..count.clone() };
        published_points.push((x, 100.0 * share.published));
        let mut besides = Vec::new();
        for (m, model) in models.iter().enumerate() {
            let ours = &model.tally.gaps[i][j].shares[figure.at];
            let beside = Beside::new(ours, model.tally.games, Some(&share), n >= ENOUGH, 1.0);
            let (mean, half) = (100.0 * ours.mean(), 100.0 * Z * ours.error());
            let shown = if ours.is_empty() {
                Cell::from("–")
            } else {
                let place = x + 0.22 * (m as f64 + 1.0) / models.len() as f64;
                points[m].push((place, mean, ((mean - half).max(0.0), (mean + half).min(100.0))));
                Cell::from(format!("{mean:.1} ± {half:.1} %")).value(mean)
            };
            let real = |x: f64| Some(x).filter(|x| x.is_finite());
            json.push(json!({"cell": name, "house": model.house.words().en, "paper_n": n,
                "paper": share.published, "share": real(ours.mean()), "error": real(ours.error()), "p": beside.p}));
            besides.push((shown, beside));
        }
        let lead = vec![
            Cell::from(gap_name(i)),
            gap_name(j).into(),
            format!("{n:.0}").into(),
            Cell::from(format!("{:.1} %", 100.0 * share.published)).value(100.0 * share.published),
        ];
        table.row(row(lead, &besides, 100.0, 1, &mut piece.tally));
        x += 1.0;
    }
    for (model, points) in models.iter().zip(points) {
        plot.series.push(Series::with_intervals(model.house.words(), Draw::Dots, points));
    }
    plot.series.push(Series::new(text("published", "論文"), Draw::Diamonds, published_points));
    piece.block(Block::Plot(plot));
    piece.block(Block::Table(table));
    piece.data("shares", json);
    piece
}

/// A table of gaps in colours: what is printed for every cell that is not empty.
fn heat(
    title: Text,
    note: Text,
    middle: Option<f64>,
    cells: impl Fn(usize, usize) -> Option<(f64, String)>,
) -> Heat {
    let at = |i: usize, j: usize| cells(i, j).filter(|c| c.0.is_finite());
    let columns: Vec<usize> = (0..COLS).filter(|&j| (0..ROWS).any(|i| at(i, j).is_some())).collect();
    let rows: Vec<usize> = (0..ROWS).filter(|&i| columns.iter().any(|&j| at(i, j).is_some())).collect();
    let named = |gaps: &[usize]| gaps.iter().map(|&g| Text::same(gap_name(g))).collect();
    Heat {
        title,
        note,
        x: text("gap to the higher opponent", "上位との点差"),
        y: text("gap to the lower opponent", "下位との点差"),
        columns: named(&columns),
        rows: named(&rows),
        cells: rows
            .iter()
            .map(|&i| columns.iter().map(|&j| at(i, j).map(|(v, t)| (v, Text::same(t)))).collect())
            .collect(),
        middle,
    }
}

/// Table 3 in colours: how often in 1,000 games.
fn heats_3(paper: &PublishedCells, model: &Played) -> [Block; 2] {
    let counts = paper.table_3();
    let printed = |n: f64| Some((n, format!("{n:.0}"))).filter(|_| n >= 0.5);
    let note =
        text("Observations in 1,000 games; every game has three.", "1,000 ゲームでの観測数（1ゲームに3つ）");
    [
        Block::Heat(heat(
            text("Table 3, published counts", "表3：論文の頻度"),
            note.clone(),
            None,
            |i, j| printed(counts[i * COLS + j]),
        )),
        Block::Heat(heat(
            text("Table 3, computed with a shared index", "表3：計算（同じ位置のモデル）"),
            note,
            None,
            |i, j| {
                printed(
                    model.tally.gaps[i][j].payoff.len() as f64 * PAPER_GAMES as f64
                        / model.tally.games as f64,
                )
            },
        )),
    ]
}

/// Table 4 in colours: mean payoffs.
fn heats_4(paper: &PublishedCells, model: &Played) -> [Block; 2] {
    let central: Vec<(usize, usize)> = centre().collect();
    let printed = |mean: f64| {
        let words = format!("{mean:+.1}").replace('-', "−");
        // What rounds to nothing has no sign.
        (mean, if ["+0.0", "−0.0"].contains(&words.as_str()) { "0.0".to_owned() } else { words })
    };
    let here = |i: usize, j: usize| central.contains(&(i, j));
    [
        Block::Heat(heat(
            text("Table 4, published mean payoffs", "表4：論文の平均得点"),
            text("", ""),
            Some(0.0),
            |i, j| {
                let cell = paper.get("table4", &format!("{} mean", name(i, j)))?;
                here(i, j).then(|| printed(cell.published))
            },
        )),
        Block::Heat(heat(
            text("Table 4, computed with a shared index", "表4：計算（同じ位置のモデル）"),
            text("Sampled; the intervals are in the table below.", "標本。区間は下の表にある。"),
            Some(0.0),
            |i, j| {
                let ours = &model.tally.gaps[i][j].payoff;
                (here(i, j) && !ours.is_empty()).then(|| printed(ours.mean()))
            },
        )),
    ]
}

/// Means of table 3 outside table 4 with enough observations.
fn other_means(paper: &PublishedCells, models: &[Played], piece: &mut Piece) {
    let mut table = Table::new(
        Text::of(
            format!("Table 3: mean payoffs outside table 4, of {ENOUGH} observations or more"),
            format!("表3：表4にない平均得点（{ENOUGH}回以上）"),
        ),
        &heads(gap_heads(), models),
    );
    let central: Vec<(usize, usize)> = centre().collect();
    for (i, j) in (0..ROWS).flat_map(|i| (0..COLS).map(move |j| (i, j))).filter(|c| !central.contains(c)) {
        let n = paper.number("table3", &format!("{} n", name(i, j)));
        let published = paper.get("table3", &format!("{} mean", name(i, j)));
        let Some(published) = published.filter(|_| n >= ENOUGH) else { continue };
        let lead = vec![
            Cell::from(gap_name(i)),
            gap_name(j).into(),
            format!("{n:.0}").into(),
            Cell::from(format!("{:+.1}", published.published)).value(published.published),
        ];
        let mut besides = Vec::new();
        for model in models {
            let ours = &model.tally.gaps[i][j].payoff;
            let beside = Beside::new(ours, model.tally.games, Some(published), true, RANGE);
            besides.push((Cell::from(shown(ours)).value(ours.mean()), beside));
        }
        if published.status == Status::Erratum {
            let place = text("Table 3", "表3");
            piece.errata.push(Erratum::of(published, &place, &besides[0].0.text.en));
        }
        table.row(row(lead, &besides, 1.0, 2, &mut piece.tally));
    }
    piece.block(Block::Table(table));
}

/// The last points entering the last round that are worth at least what all lower ones are worth on average: with more
/// points the expected payoff falls. Points seen less than once in 50 games are left out.
fn turning_point(tally: &Tally) -> Option<usize> {
    let (mut lower, mut last) = (Clustered::default(), None);
    for (points, here) in tally.points.iter().enumerate().filter(|(_, c)| c.len() >= tally.games / 50) {
        if !lower.is_empty() && here.mean() >= lower.mean() {
            last = Some(points);
        }
        lower.add(here.len() as i64, here.sum());
    }
    last
}

/// The lines of the search in turn 13, counted.
fn lines() -> u64 {
    let falling = |from: u64, n: u64| (0..n).map(|i| from - i).product::<u64>();
    falling(5, 3) * falling(11, 6)
}

fn games(effort: Effort) -> u64 {
    match effort {
        Effort::Quick => 3000,
        Effort::Full => 200_000,
    }
}

/// The house rules that are tried: the one the paper's tables fit first, then the obvious one; the full run adds other
/// tie rules.
fn houses(effort: Effort) -> Vec<House> {
    let house = |model, ties| House { ties, model };
    let mut houses = vec![house(Model::SameIndex, Ties::Lowest), house(Model::Independent, Ties::Lowest)];
    if effort == Effort::Full {
        houses.push(house(Model::Independent, Ties::Random));
        houses.push(house(Model::SameIndex, Ties::Highest));
    }
    houses
}

/// What the parts share: the tournaments.
pub struct Results {
    effort: Effort,
    paper: LazyCell<PublishedCells>,
    models: Lazy<Vec<Played>>,
}

impl Results {
    /// Nothing played yet.
    pub fn new(effort: Effort) -> Results {
        Results { effort, paper: LazyCell::new(PublishedCells::read), models: Lazy::default() }
    }

    /// A tournament for every house rule; the first is the one the paper's tables fit.
    fn models(&self, run: &Run<'_>) -> Result<&[Played], Error> {
        let play =
            || houses(self.effort).into_iter().map(|house| played(house, games(self.effort), run)).collect();
        self.models.get(play).map(Vec::as_slice)
    }

    /// The two house rules that tables and figures are shown for.
    fn two(&self, run: &Run<'_>) -> Result<&[Played], Error> {
        Ok(&self.models(run)?[..2])
    }
}

/// The parts.
pub static PARTS: [Part<Results>; 8] = [
    Part {
        id: "figures-1-2",
        title: text("Figures 1 and 2: how a turn and a round are scored", "図1、2：ターンとラウンドの得点"),
        run: |_, _| Ok(Piece { blocks: super::figures::blocks()?.into(), ..Piece::default() }),
    },
    Part {
        id: "statements",
        title: text("Sections 4.1 and 5.1: what the text says", "4.1、5.1節：本文の主張"),
        run: statements,
    },
    Part {
        id: "figure-4",
        title: text("Figure 4: payoff by points", "図4：点数と得点"),
        run: |shared, run| {
            let mut piece = Piece::default();
            let two = shared.two(run)?;
            let mut plot = figure_4(two.iter().map(|m| (m.house.words(), &m.tally)).collect());
            plot.note = Text::of(
                format!("{} The paper's points are only in its picture, not in its text.", plot.note.en),
                format!("{}論文の点は図のみで、本文に数値はない。", plot.note.ja),
            );
            piece.block(Block::Plot(plot));
            let lineup = searchers();
            let all: Vec<Value> = two.iter().map(|m| to_json(&lineup, m.house, &m.tally, run.seed)).collect();
            piece.data("tournaments", all);
            Ok(piece)
        },
    },
    Part {
        id: "table-3", title: text("Table 3: how often each gap occurs", "表3：点差の頻度"), run: part_3
    },
    Part {
        id: "table-4",
        title: text("Table 4: payoff by gaps", "表4：点差と得点"),
        run: |shared, run| {
            let two = shared.two(run)?;
            let mut piece = Piece::default();
            let (table, json) = table_4(&shared.paper, two, &mut piece.tally);
            piece.blocks.extend(heats_4(&shared.paper, &two[0]));
            piece.block(Block::Table(table));
            piece.data("table4", json);
            Ok(piece)
        },
    },
    Part {
        id: "figure-5",
        title: text("Figure 5: games won with +2", "図5：+2 の勝ち"),
        run: |shared, run| Ok(shares(&figure_5(), &shared.paper, shared.two(run)?)),
    },
    Part {
        id: "figure-6",
        title: text("Figure 6: games lost with −1", "図6：−1 の負け"),
        run: |shared, run| Ok(shares(&figure_6(), &shared.paper, shared.two(run)?)),
    },
    Part {
        id: "table-5",
        title: text("Table 5: payoff by rank", "表5：順位と得点"),
        run: |shared, run| {
            let mut piece = Piece::default();
            let (table, json) = table_5(&shared.paper, shared.models(run)?, &mut piece.tally);
            piece.block(Block::Table(table));
            piece.data("table5", json);
            Ok(piece)
        },
    },
];

/// The questions the paper leaves open.
pub static QUESTIONS: [Question; 5] = [
    Question {
        asked: text(
            "What should one do against opponents who are not random?",
            "相手がランダムでない場合はどう打つべきか。",
        ),
        known: text(
            "The best response to two searchers gains +0.372 ± 0.052 a game over the paper’s player (study saichugen opponents; sampled positions, each worked out exactly).",
            "探索プレイヤー2人への最適応答は論文のプレイヤーより1ゲームあたり +0.372 ± 0.052 得をする（study saichugen opponents。標本の局面、各局面は厳密）。",
        ),
    },
    Question {
        asked: text(
            "How does one come to be second before the last round?",
            "最終ラウンドを2位で迎えるにはどうするか。",
        ),
        known: text(
            "Sampling continuations in rounds 1 to 4 gives second place in 63.6 % (62.1–65.1) of games instead of 35.0 %, and +0.444 ± 0.046 a game (study saichugen second).",
            "1～4ラウンドを標本探索で打つと2位は 35.0 % から 63.6 %（62.1～65.1）になり、1ゲームあたり +0.444 ± 0.046（study saichugen second）。",
        ),
    },
    Question {
        asked: text("How much is the hand worth beside the points?", "点差に比べて手札の価値はどれほどか。"),
        known: text(
            "The hand explains 6.8 % ± 0.2 of the variance of the value, 11.3 % ± 0.9 where both gaps are at most 5 (study saichugen hands).",
            "手札で説明できるのは値の分散の 6.8 % ± 0.2、点差がともに5以下なら 11.3 % ± 0.9（study saichugen hands）。",
        ),
    },
    Question {
        asked: text("Does it pay for two to collude?", "2人の結託は得か。"),
        known: text(
            "Yes: together they win +0.81 ± 0.07 a game in the last round alone, +1.48 ± 0.04 from the start (study saichugen collusion).",
            "得になる。2人の合計で、最終ラウンドだけなら +0.81 ± 0.07、最初からなら +1.48 ± 0.04（study saichugen collusion）。",
        ),
    },
    Question {
        asked: text("What is an equilibrium of the last turn?", "最終ターンの均衡は何か。"),
        known: text(
            "299 of 300 endings are solved so that nobody gains 10⁻⁴; the paper’s player leaves 0.099 ± 0.014 (study saichugen last-turn).",
            "300終局中299で、誰も 10⁻⁴ 以上は得をできない解を得た。論文のプレイヤーは 0.099 ± 0.014 を残す（study saichugen last-turn）。",
        ),
    },
];

fn statements(shared: &Results, run: &Run<'_>) -> Result<Piece, Error> {
    let models = shared.models(run)?;
    let mut computed = vec![Computed::count("lines of the search in turn 13", lines())];
    if let Some(points) = turning_point(&models[0].tally) {
        computed.push(Computed {
            certainty: Certainty::Sampled,
            ..Computed::count("figure 4: points from which the payoff falls", points as u64)
        });
    }
    let mut piece = Piece::default();
    let n = grouped(games(shared.effort));
    piece.block(Block::Paragraph(Text::of(
        format!(
            "{n} games of three searchers for each model, sampled; intervals are for 95 %, errors clustered by game. p: how often \
             the paper's 1,000 games would differ from the model as much; below {DIFFERS} a figure is said to differ (!). Figures are \
             held against the first model; those of fewer than {ENOUGH} games are not compared."
        ),
        format!(
            "各モデルで探索プレイヤー3人の対戦 {n} ゲームの標本。区間は 95 %、標準誤差はゲーム単位。p：論文の 1,000 ゲームがモデルからこれ以上ずれる確率。{DIFFERS} 未満を不一致（!）とする。判定は最初のモデルによる。{ENOUGH} ゲーム未満の値は比較しない。"
        ),
    )));
    piece.compared(compare(&GOLDEN[0], &computed));
    Ok(piece)
}

fn part_3(shared: &Results, run: &Run<'_>) -> Result<Piece, Error> {
    let (models, two) = (shared.models(run)?, shared.two(run)?);
    let counts = shared.paper.table_3();
    let fits = models
        .iter()
        .map(|model| Ok((model.house.words(), fit(model, &counts, run)?)))
        .collect::<Result<Vec<(Text, Fit)>, Error>>()?;
    let mut piece = Piece::default();
    piece.blocks.extend(heats_3(&shared.paper, &two[0]));
    piece.tally.take(if fits[0].1.p < DIFFERS { Verdict::Differs } else { Verdict::Match });
    piece.block(Block::Table(fits_table(&fits)));
    piece.block(Block::Paragraph(inference(&fits)));
    piece.block(Block::Table(table_3(
        &shared.paper,
        two,
        text(
            "Table 3: observations in 1,000 games: paper / same index / independent",
            "表3：1000ゲームでの頻度：論文／同じ位置／独立",
        ),
    )));
    other_means(&shared.paper, two, &mut piece);
    piece.block(Block::Paragraph(text(
        "Two rows of table 3's means are shifted in print and one repeats its neighbour: those are taken from table 4.",
        "表3の平均は2行が1列ずれ、1行は隣の行と同じ並びのため、表4を用いる。",
    )));
    let fits_json: Vec<Value> = fits
        .iter()
        .map(|(words, fit)| {
            json!({"house": words.en, "chi_square": fit.chi, "bootstrap_95": fit.limit, "p": fit.p, "cells": fit.cells})
        })
        .collect();
    piece.data("table3", fits_json);
    piece.data("inference", "shared random index in rounds 1-4");
    Ok(piece)
}

/// What the fits say about how the paper's program drew its random cards.
fn inference(fits: &[(Text, Fit)]) -> Text {
    let fits_first = fits[0].1.chi <= fits[0].1.limit;
    let fits_second = fits[1].1.chi <= fits[1].1.limit;
    match (fits_first, fits_second) {
        (true, false) => text(
            "An inference, not something the paper says: its counts are not those of players who draw their cards independently in rounds 1 to 4, but they are those of three players who draw the same place in their sorted hands, as programs do that start from the same random seed.",
            "推論（論文には書かれていない）：論文の頻度は、1～4ラウンドで各自が独立に無作為なカードを出すモデルとは合わないが、3人が昇順の手札の同じ位置を選ぶモデル（同じ乱数の種で始まるプログラムのような振る舞い）とは合う。",
        ),
        (true, true) => text(
            "With this seed and sample both models are compatible with the paper's counts; a larger sample tells them apart.",
            "この標本では両方のモデルが論文の頻度と矛盾しない。標本を大きくすると区別できる。",
        ),
        _ => text(
            "The paper's counts are not those of the model with a shared index in this sample.",
            "この標本では、論文の頻度は同じ位置を選ぶモデルとも合わない。",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paper_table_3_counts_three_observations_a_game() {
        assert_eq!(PublishedCells::read().table_3().iter().sum::<f64>(), 3000.0);
    }

    #[test]
    fn paper_table_4_agrees_with_the_counts_of_table_3() {
        let paper = PublishedCells::read();
        for (i, j) in centre() {
            let name = name(i, j);
            let Some(mean) = paper.get("table4", &format!("{name} mean")) else {
                assert_eq!(paper.number("table3", &format!("{name} n")), 0.0, "{name}");
                continue;
            };
            let payoffs = [("-2", -2.0), ("-1", -1.0), ("+1", 1.0), ("+2", 2.0)];
            let count = |payoff| paper.number("table4", &format!("{name} {payoff}"));
            let n = paper.number("table3", &format!("{name} n"));
            let listed: f64 = payoffs.iter().map(|p| count(p.0)).sum();
            // Payoffs of 0 are left out of table 4.
            assert!(listed <= n && n - listed <= 4.0, "{name}");
            let total: f64 = payoffs.iter().map(|p| p.1 * count(p.0)).sum();
            assert!((total / n - mean.published).abs() <= 0.05 + 1e-9, "{name}: {}", total / n);
        }
    }

    #[test]
    fn paper_the_search_has_19_958_400_lines() {
        assert_eq!(lines(), 19_958_400);
    }
}
