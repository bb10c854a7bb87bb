//! The paper's tables and figures, recomputed under both models of rounds 1 to 4 and set beside its figures from
//! 1,000 games.

use super::rules::SEATS;
use super::seats::{House, Lineup, Model, Ties};
use super::tournament::{
    COLS, Clustered, ROWS, Tally, centre, figure_4, gap_cell, gap_name, house_text, shown, to_json,
    tournament,
};
use crate::entry::Effort;
use crate::golden::{Computed, Golden, PublishedCell, Status, compare};
use crate::report::{Block, Cell, Certainty, Outcome, Table, Tone, grouped};
use crate::stats::{Z, normal_tails};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use yomikiri_core::random::Random;
use yomikiri_core::rows::Unkept;
use yomikiri_core::{Error, Run, Text, text};

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
struct Paper(BTreeMap<(&'static str, String), PublishedCell>);

impl Paper {
    fn read() -> Paper {
        let mut cells = BTreeMap::new();
        for golden in &GOLDEN {
            cells.extend(golden.read().cells.into_iter().map(|c| ((golden.id, c.cell.clone()), c)));
        }
        Paper(cells)
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
    counts: bool,
}

impl Beside {
    fn new(ours: &Clustered, games: u64, paper: Option<&PublishedCell>, enough: bool, range: f64) -> Beside {
        let p = paper
            .filter(|_| enough && !ours.is_empty())
            .map(|paper| likely(ours, games, paper, range))
            .filter(|p| p.is_finite());
        Beside { p, counts: paper.is_some_and(|paper| paper.status == Status::Match) }
    }

    fn differs(&self) -> bool {
        self.counts && self.p.is_some_and(|p| p < DIFFERS)
    }

    fn cell(&self) -> Cell {
        match self.p {
            _ if !self.counts => Cell::from(text("slip", "誤記")).tone(Tone::Warn),
            None => "".into(),
            Some(p) if p < DIFFERS => Cell::from(format!("{p:.0e} !")).tone(Tone::Bad),
            Some(p) => Cell::from(format!("{p:.3}")).tone(Tone::Dim),
        }
    }
}

/// What is counted of comparisons under the model that is inferred.
#[derive(Default)]
struct Score {
    compared: usize,
    differing: usize,
}

impl Score {
    fn take(&mut self, model: usize, beside: &Beside) {
        // Only the first model is claimed to be the paper's.
        if model == 0 && beside.counts && beside.p.is_some() {
            self.compared += 1;
            self.differing += usize::from(beside.differs());
        }
    }
}

fn heads(first: Vec<Text>, models: &[Played], more: &[(&str, &str)]) -> Vec<Text> {
    let mut heads = first;
    for model in models {
        let words = house_text(model.house);
        for (i, (en, ja)) in more.iter().enumerate() {
            heads.push(if i == 0 {
                Text::of(format!("{}>", words.en), format!("{}>", words.ja))
            } else {
                Text::of(format!("{en}>"), format!("{ja}>"))
            });
        }
    }
    heads
}

fn table_5(paper: &Paper, models: &[Played], score: &mut Score) -> (Table, Value) {
    let first = vec![text("rank>", "順位>"), text("paper>", "論文>")];
    let mut table = Table::new(
        text(
            "Table 5: expected payoff by rank entering the last round, with 95 % intervals",
            "表5：最終ラウンド開始時の順位と得点の期待値（95 % 区間）",
        ),
        &heads(first, models, &[("", ""), ("p", "p")]),
    );
    let mut out = Vec::new();
    for rank in 0..SEATS {
        let published = paper.get("table5", &format!("rank {}", rank + 1));
        let figure = published.map_or("–".into(), |c| format!("{:+.2}", c.published));
        let mut cells = vec![Cell::from((rank + 1).to_string()), figure.into()];
        for (m, model) in models.iter().enumerate() {
            let ours = &model.tally.ranks[rank];
            let beside = Beside::new(ours, model.tally.games, published, true, RANGE);
            score.take(m, &beside);
            cells.extend([shown(ours).into(), beside.cell()]);
            out.push(json!({"rank": rank + 1, "house": house_text(model.house).en, "mean": ours.mean(),
                "error": ours.error(), "paper": published.map(|c| c.published), "p": beside.p}));
        }
        table.row(cells);
    }
    (table, json!(out))
}

/// Counts of table 3 as they would be in the paper's games.
fn table_3(paper: &Paper, models: &[Played], title: Text) -> Table {
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

/// The payoffs of table 4 in the order of its columns: the name, and the place among ours.
const COLUMNS_4: [(&str, usize); 2] = [("+2", 4), ("-1", 1)];

fn table_4(paper: &Paper, models: &[Played], score: &mut Score) -> (Vec<Block>, Value) {
    let first = || {
        vec![
            text("lower", "下位"),
            text("higher", "上位"),
            text("paper n>", "論文 n>"),
            text("paper>", "論文>"),
        ]
    };
    let mut means = Table::new(
        text("Table 4: mean payoff by gaps near the centre", "表4：中心部の点差と平均得点"),
        &heads(first(), models, &[("", ""), ("p", "p")]),
    );
    let mut shares = COLUMNS_4.map(|(payoff, _)| {
        let title = if payoff == "+2" {
            text("Figure 5: share of games won with +2", "図5：+2 で勝った割合")
        } else {
            text("Figure 6: share of games lost with −1", "図6：−1 で負けた割合")
        };
        Table::new(title, &heads(first(), models, &[("", ""), ("p", "p")]))
    });
    let mut out = Vec::new();
    for (i, j) in centre() {
        let name = name(i, j);
        let n = paper.number("table3", &format!("{name} n"));
        let enough = n >= ENOUGH;
        let Some(published) = paper.get("table4", &format!("{name} mean")) else { continue };
        let lead = || [Cell::from(gap_name(i)), gap_name(j).into(), format!("{n:.0}").into()];
        let mut cells: Vec<Cell> = lead().to_vec();
        cells.push(format!("{:+.1}", published.published).into());
        for (m, model) in models.iter().enumerate() {
            let ours = &model.tally.gaps[i][j].payoff;
            let beside = Beside::new(ours, model.tally.games, Some(published), enough, RANGE);
            score.take(m, &beside);
            cells.extend([shown(ours).into(), beside.cell()]);
            let real = |x: f64| Some(x).filter(|x| x.is_finite());
            out.push(json!({"cell": name, "house": house_text(model.house).en, "paper_n": n,
                "paper": published.published, "mean": real(ours.mean()), "error": real(ours.error()), "p": beside.p}));
        }
        means.row(cells);
        for ((payoff, k), table) in COLUMNS_4.iter().zip(&mut shares) {
            let count = paper.get("table4", &format!("{name} {payoff}"));
            // The paper prints counts: their share is exact.
            let share =
                count.map(|c| PublishedCell { published: c.published / n, precision: 1e-9, ..c.clone() });
            let mut cells: Vec<Cell> = lead().to_vec();
            cells.push(share.as_ref().map_or("–".into(), |s| format!("{:.1} %", 100.0 * s.published).into()));
            for (m, model) in models.iter().enumerate() {
                let ours = &model.tally.gaps[i][j].shares[*k];
                let beside = Beside::new(ours, model.tally.games, share.as_ref(), enough, 1.0);
                score.take(m, &beside);
                let shown = if ours.is_empty() {
                    "–".to_owned()
                } else {
                    format!("{:.1} ± {:.1} %", 100.0 * ours.mean(), 100.0 * Z * ours.error())
                };
                cells.extend([shown.into(), beside.cell()]);
            }
            table.row(cells);
        }
    }
    let mut blocks = vec![Block::Table(means)];
    blocks.extend(shares.into_iter().map(Block::Table));
    (blocks, json!(out))
}

/// Means of table 3 outside table 4 with enough observations.
fn other_means(paper: &Paper, models: &[Played], score: &mut Score) -> Table {
    let first = vec![
        text("lower", "下位"),
        text("higher", "上位"),
        text("paper n>", "論文 n>"),
        text("paper>", "論文>"),
    ];
    let mut table = Table::new(
        Text::of(
            format!("Table 3: mean payoffs outside table 4, of {ENOUGH} observations or more"),
            format!("表3：表4にない平均得点（{ENOUGH}回以上）"),
        ),
        &heads(first, models, &[("", ""), ("p", "p")]),
    );
    let central: Vec<(usize, usize)> = centre().collect();
    for (i, j) in (0..ROWS).flat_map(|i| (0..COLS).map(move |j| (i, j))).filter(|c| !central.contains(c)) {
        let n = paper.number("table3", &format!("{} n", name(i, j)));
        let published = paper.get("table3", &format!("{} mean", name(i, j)));
        let Some(published) = published.filter(|_| n >= ENOUGH) else { continue };
        let figure = format!("{:+.1}", published.published);
        let mut cells =
            vec![Cell::from(gap_name(i)), gap_name(j).into(), format!("{n:.0}").into(), figure.into()];
        for (m, model) in models.iter().enumerate() {
            let ours = &model.tally.gaps[i][j].payoff;
            let beside = Beside::new(ours, model.tally.games, Some(published), true, RANGE);
            score.take(m, &beside);
            cells.extend([shown(ours).into(), beside.cell()]);
        }
        table.row(cells);
    }
    table
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

/// Recomputes the paper's tables and figures.
pub fn reproduce(effort: Effort, run: &Run<'_>) -> Result<Outcome, Error> {
    let paper = Paper::read();
    let models = houses(effort)
        .into_iter()
        .map(|house| played(house, games(effort), run))
        .collect::<Result<Vec<_>, _>>()?;
    let counts = paper.table_3();
    let fits = models
        .iter()
        .map(|model| Ok((house_text(model.house), fit(model, &counts, run)?)))
        .collect::<Result<Vec<(Text, Fit)>, Error>>()?;
    let mut score = Score::default();
    let two = &models[..2];
    let (ranks, ranks_json) = table_5(&paper, &models, &mut score);
    let (centre, centre_json) = table_4(&paper, two, &mut score);
    let others = other_means(&paper, two, &mut score);
    score.compared += 1;
    score.differing += usize::from(fits[0].1.p < DIFFERS);
    let mut computed = vec![Computed::count("lines of the search in turn 13", lines())];
    if let Some(points) = turning_point(&models[0].tally) {
        computed.push(Computed {
            certainty: Certainty::Sampled,
            ..Computed::count("figure 4: points from which the payoff falls", points as u64)
        });
    }
    let figures = compare(&GOLDEN[0], &computed);
    let (compared, differing) = (score.compared + figures.compared, score.differing + figures.differing);
    let n = grouped(games(effort));
    let mut blocks = vec![
        Block::Heading(text(
            "Saichugen: S. Soeda and T. Tanaka, Analysis of Saichugen Endgames",
            "最中限：副田俊介・田中哲朗「最中限の終盤の分析」",
        )),
        Block::Paragraph(Text::of(
            format!(
                "{n} games of three searchers for each model, sampled; intervals are for 95 %, errors clustered by game. p: how often \
                 the paper's 1,000 games would differ from the model as much; below {DIFFERS} a figure is said to differ (!)."
            ),
            format!(
                "各モデルで探索プレイヤー3人の対戦 {n} ゲームの標本。区間は 95 %、標準誤差はゲーム単位。p：論文の 1,000 ゲームがモデルからこれ以上ずれる確率。{DIFFERS} 未満を不一致（!）とする。"
            ),
        )),
        Block::Table(figures.table),
        Block::Table(ranks),
        Block::Table(fits_table(&fits)),
        Block::Paragraph(inference(&fits)),
        Block::Table(table_3(
            &paper,
            two,
            text(
                "Table 3: observations in 1,000 games: paper / same index / independent",
                "表3：1000ゲームでの頻度：論文／同じ位置／独立",
            ),
        )),
    ];
    blocks.extend(centre);
    blocks.push(Block::Table(others));
    blocks.push(Block::Plot(figure_4(two.iter().map(|m| (house_text(m.house), &m.tally)).collect())));
    blocks.push(Block::Paragraph(Text::of(
        format!(
            "Saichugen: {compared} published figures compared under the first model, {differing} differ. Two rows of table 3's means are shifted in print and one repeats its neighbour: those are taken from table 4."
        ),
        format!(
            "最中限：公表された数値{compared}個を最初のモデルと照合、不一致{differing}個。表3の平均は2行が1列ずれ、1行は隣の行と同じ並びのため、表4を用いる。"
        ),
    )));
    let fits_json: Vec<Value> = fits
        .iter()
        .map(|(words, fit)| {
            json!({"house": words.en, "chi_square": fit.chi, "bootstrap_95": fit.limit, "p": fit.p, "cells": fit.cells})
        })
        .collect();
    let lineup = searchers();
    let tournaments: Vec<Value> =
        models.iter().map(|m| to_json(&lineup, m.house, &m.tally, run.seed)).collect();
    Ok(Outcome {
        blocks,
        json: json!({"game": "saichugen", "paper": "saichugen-soeda-tanaka", "tables": [figures.json],
            "table5": ranks_json, "table3": fits_json, "table4": centre_json, "tournaments": tournaments,
            "inference": "shared random index in rounds 1-4", "compared": compared, "differing": differing}),
        good: differing == 0,
    })
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
        assert_eq!(Paper::read().table_3().iter().sum::<f64>(), 3000.0);
    }

    #[test]
    fn paper_table_4_agrees_with_the_counts_of_table_3() {
        let paper = Paper::read();
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
