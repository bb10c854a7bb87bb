//! The paper's tables and figures, recomputed under both models of rounds 1 to 4 and set beside its figures from
//! 1,000 games.

use super::endings;
use super::published::GOLDEN;
use super::tournament::{
    COLS, Clustered, ROWS, Tally, centre, figure_4, gap_cell, gap_name, gap_table, shown, to_json, tournament,
};
use crate::golden::{
    Beside, Computed, Erratum, PublishedCell, PublishedCells, Status, Tally as Verdicts, accepted, compare,
};
use crate::reproduction::{Effort, Evidence, Lazy, Part, Piece, Question, Standing};
use crate::stats::{Z, normal_tails};
use serde_json::{Value, json};
use std::cell::LazyCell;
use yomikiri_core::random::Random;
use yomikiri_core::rows::Unkept;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::saichugen::player::{House, Model, Ties};
use yomikiri_games::saichugen::rules::SEATS;
use yomikiri_games::saichugen::seats::Lineup;
use yomikiri_view::report::{
    Block, Cell, Certainty, Draw, Heat, List, Plot, Record, Series, Table, Tone, Verdict, grouped,
};

/// The games of the paper.
const PAPER_GAMES: u64 = 1000;
/// Observations of the paper below which its means and shares are not compared: they are far from normal.
const ENOUGH: f64 = 20.0;
/// The usual loss, and a win.
const PAYOFFS: (f64, f64) = (-1.0, 2.0);
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

impl Played {
    /// How often a cell of table 3 would come up in as many games as the paper's.
    fn scaled(&self, i: usize, j: usize) -> f64 {
        self.tally.gaps[i][j].payoff.len() as f64 * PAPER_GAMES as f64 / self.tally.games as f64
    }
}

/// Three searchers.
pub(super) fn searchers() -> Lineup {
    Lineup::parse("search,search,search").expect("known players")
}

/// Plays games of three searchers and keeps what a bootstrap needs.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn played(house: House, games: u64, run: &Run<'_>) -> Result<Played, Error> {
    run.fits(games.saturating_mul(6) + (1 << 20))?;
    let mut played = Played { house, tally: Tally::default(), cells: Vec::with_capacity(games as usize) };
    let run = Run { rows: &Unkept, ..*run };
    let fold = |scores, payoffs| {
        played.tally.add(scores, payoffs);
        played.cells.push(std::array::from_fn(|seat| {
            let (i, j) = gap_cell(scores, seat);
            (i * COLS + j) as u16
        }));
    };
    tournament(searchers(), house, games, &run, fold, Vec::new)?;
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
///
/// # Errors
/// If the run is cancelled.
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

fn number(paper: &PublishedCells, table: &'static str, cell: &str) -> f64 {
    paper.get(table, cell).map_or(0.0, |c| c.published)
}

/// How often the paper met a cell of table 3.
fn observations(paper: &PublishedCells, i: usize, j: usize) -> f64 {
    number(paper, "table3", &format!("{} n", name(i, j)))
}

/// The cells of table 3, by row and column.
fn grid() -> impl Iterator<Item = (usize, usize)> {
    (0..ROWS).flat_map(|i| (0..COLS).map(move |j| (i, j)))
}

/// The counts of table 3, by row and column.
fn counts(paper: &PublishedCells) -> Vec<f64> {
    grid().map(|(i, j)| observations(paper, i, j)).collect()
}

fn name(i: usize, j: usize) -> String {
    format!("{} {}", gap_name(i), gap_name(j))
}

/// How likely a mean over the paper's games is to lie at least as far from ours as the paper's; of what its rounded
/// figure may stand for, the nearest counts. What we have seen to be always the same may still be otherwise once more:
/// the error is at least what one observation off by the whole `range` makes.
fn likely(ours: &Clustered, games: u64, (published, precision): (f64, f64), range: f64) -> f64 {
    let half = precision / 2.0;
    let (mean, error) = (ours.mean(), ours.error().max(range / ours.len() as f64));
    let nearest = mean.clamp(published - half, published + half);
    let theirs = error * (games as f64 / PAPER_GAMES as f64).sqrt();
    if nearest == mean { 1.0 } else { normal_tails((nearest - mean) / error.hypot(theirs)) }
}

/// A figure of the paper, and what ours is compared and shown as.
struct Figure<'a> {
    paper: &'a PublishedCell,
    /// Whether the paper has observed enough for a comparison.
    enough: bool,
    /// The least and the largest observation.
    ends: (f64, f64),
    ours: &'a dyn Fn(&Played) -> Clustered,
    shown: fn(&Clustered) -> Cell,
    /// The difference is shown so many times as large, with so many decimals.
    gap: (f64, usize),
}

impl Figure<'_> {
    /// Ours under one model, beside the paper's.
    fn beside(&self, model: &Played) -> (Clustered, Beside) {
        let ours = (self.ours)(model);
        let PublishedCell { published, precision, status, .. } = *self.paper;
        let like =
            |theirs: f64| likely(&ours, model.tally.games, (theirs, precision), self.ends.1 - self.ends.0);
        let p = (self.enough && !ours.is_empty()).then(|| like(published)).filter(|p| p.is_finite());
        let accepted = p.and_then(|_| accepted(published, ours.mean(), self.ends, like));
        (ours, Beside { paper: published, status, p, firm: true, accepted })
    }

    /// Ends a row: ours under each model, and what the first model says of the paper's figure. Only the first model is
    /// claimed to be the paper's. For programs there is an object a model, each with `mean` called by its key.
    fn ends(
        &self,
        mut row: Record,
        (mean, data): (&str, Value),
        models: &[Played],
        tally: &mut Verdicts,
    ) -> (Record, Vec<Value>) {
        let mut json = Vec::new();
        for model in models {
            let (house, (ours, beside)) = (model.house.words(), self.beside(model));
            let mut one = data.clone();
            one["house"] = json!(house.en);
            one["paper"] = json!(beside.paper);
            one[mean] = json!(ours.mean());
            one["error"] = json!(ours.error());
            one["p"] = json!(beside.p);
            one["accepted"] = json!(beside.accepted);
            one["verdict"] = json!(beside.verdict().word().en);
            json.push(one);
            let p = beside.p.filter(|_| beside.status != Status::Erratum).unwrap_or(f64::NAN);
            let head = Text::of(format!("{}>", house.en), format!("{}>", house.ja));
            row = row.show(head, (self.shown)(&ours)).show(text("p>", "p>"), beside.likelihood().value(p));
        }
        let (ours, beside) = self.beside(&models[0]);
        let (gap, decimals) = (self.gap.0 * (ours.mean() - beside.paper), self.gap.1);
        let shown =
            if gap.is_finite() { format!("{gap:+.decimals$}").replace('-', "−") } else { "–".into() };
        let verdict = beside.verdict();
        tally.take(verdict);
        let row = row
            .show(text("difference>", "差>"), Cell::from(shown).value(gap))
            .show(text("would differ", "不一致となる値"), beside.would_differ(self.gap.0, self.gap.1))
            .certainty(Certainty::Sampled)
            .show(text("verdict", "判定"), verdict);
        (row, json)
    }
}

fn mean_cell(mean: &Clustered) -> Cell {
    Cell::from(shown(mean)).value(mean.mean())
}

/// The beginning of a row of gaps.
fn gap_row(i: usize, j: usize, n: f64, paper: Cell) -> Record {
    Record::new()
        .show(text("lower", "下位"), gap_name(i))
        .show(text("higher", "上位"), gap_name(j))
        .show(text("paper n>", "論文 n>"), format!("{n:.0}"))
        .show(text("paper>", "論文>"), paper)
}

fn table_5(paper: &PublishedCells, models: &[Played]) -> Piece {
    let mut list = List::new(text(
        "Table 5: expected payoff by rank entering the last round, with 95 % intervals",
        "表5：最終ラウンド開始時の順位と得点の期待値（95 % 区間）",
    ));
    let (mut piece, mut json) = (Piece::default(), Vec::new());
    for rank in 0..SEATS {
        let Some(published) = paper.get("table5", &format!("rank {}", rank + 1)) else { continue };
        let figure = Figure {
            paper: published,
            enough: true,
            ends: PAYOFFS,
            ours: &|model| model.tally.ranks[rank],
            shown: mean_cell,
            gap: (1.0, 3),
        };
        let shown = Cell::from(format!("{:+.2}", published.published)).value(published.published);
        let row = Record::new()
            .show(text("rank>", "順位>"), (rank + 1).to_string())
            .show(text("paper>", "論文>"), shown);
        let (row, told) = figure.ends(row, ("mean", json!({"rank": rank + 1})), models, &mut piece.tally);
        list.push(row);
        json.extend(told);
    }
    piece.block(Block::Table(list.table));
    piece.with("table5", json)
}

/// Counts of table 3 as they would be in the paper's games.
fn table_3(paper: &PublishedCells, models: &[Played]) -> Table {
    let counts = counts(paper);
    let title = text(
        "Table 3: observations in 1,000 games: paper / same index / independent",
        "表3：1000ゲームでの頻度：論文／同じ位置／独立",
    );
    gap_table(title, |i, j| {
        let count = counts[i * COLS + j];
        let shows = count > 0.0 || models.iter().any(|m| m.scaled(i, j) >= 0.5);
        let ours: Vec<String> = models.iter().map(|m| format!("{:.0}", m.scaled(i, j))).collect();
        shows.then(|| format!("{count:.0}/{}", ours.join("/")))
    })
}

fn fits_list(fits: &[(Text, Fit)]) -> List {
    let mut list = List::new(text(
        "Table 3: the paper's counts against samples of 1,000 games of each model (parametric bootstrap)",
        "表3：論文の頻度と、各モデルの1000ゲームの標本（パラメトリックブートストラップ）",
    ));
    for (words, fit) in fits {
        let verdict = if fit.chi > fit.limit {
            Cell::from(text("not of this model", "このモデルでは説明できない")).tone(Tone::Warn)
        } else {
            Cell::from(text("compatible", "矛盾しない")).tone(Tone::Good)
        };
        let p = if fit.p == 0.0 { format!("< 1/{SAMPLES}") } else { format!("{:.3}", fit.p) };
        list.push(
            Record::new()
                .words("house", text("model", "モデル"), words.clone())
                .field("chi_square", text("χ²>", "χ²>"), format!("{:.0}", fit.chi), fit.chi)
                .field(
                    "bootstrap_95",
                    text("95 % point>", "95 % 点>"),
                    format!("{:.0}", fit.limit),
                    fit.limit,
                )
                .field("p", text("p>", "p>"), p, fit.p)
                .count("cells", text("cells>", "セル>"), fit.cells as u64)
                .show(text("the paper's table", "論文の表"), verdict),
        );
    }
    list
}

fn table_4(paper: &PublishedCells, models: &[Played]) -> Piece {
    let mut means =
        List::new(text("Table 4: mean payoff by gaps near the centre", "表4：中心部の点差と平均得点"));
    let (mut piece, mut json) = (Piece::of(heats_4(paper, &models[0])), Vec::new());
    for (i, j) in centre() {
        let n = observations(paper, i, j);
        let Some(published) = paper.get("table4", &format!("{} mean", name(i, j))) else { continue };
        let (row, told) = payoff_row(published, (i, j), n, models, &mut piece.tally);
        means.push(row);
        json.extend(told);
    }
    piece.block(Block::Table(means.table));
    piece.with("table4", json)
}

/// A row of mean payoffs by gaps, for people and for programs.
fn payoff_row(
    paper: &PublishedCell,
    (i, j): (usize, usize),
    n: f64,
    models: &[Played],
    tally: &mut Verdicts,
) -> (Record, Vec<Value>) {
    let figure = Figure {
        paper,
        enough: n >= ENOUGH,
        ends: PAYOFFS,
        ours: &|model| model.tally.gaps[i][j].payoff,
        shown: mean_cell,
        gap: (1.0, 2),
    };
    let row = gap_row(i, j, n, Cell::from(format!("{:+.1}", paper.published)).value(paper.published));
    figure.ends(row, ("mean", json!({"cell": name(i, j), "paper_n": n})), models, tally)
}

/// Figures 5 and 6: the share of games that end with a payoff, by gaps near the centre.
struct Shares {
    title: Text,
    y: Text,
    /// The payoff as table 4 names it, and its place among ours.
    payoff: &'static str,
    at: usize,
}

static FIGURE_5: Shares = Shares {
    title: text("Figure 5: share of games won with +2", "図5：+2 で勝った割合"),
    y: text("won with +2, %", "+2 で勝った割合（%）"),
    payoff: "+2",
    at: 4,
};

static FIGURE_6: Shares = Shares {
    title: text("Figure 6: share of games lost with −1", "図6：−1 で負けた割合"),
    y: text("lost with −1, %", "−1 で負けた割合（%）"),
    payoff: "-1",
    at: 1,
};

/// A share and half its interval, in per cent.
fn per_cent(share: &Clustered) -> (f64, f64) {
    (100.0 * share.mean(), 100.0 * Z * share.error())
}

fn share_cell(share: &Clustered) -> Cell {
    let (mean, half) = per_cent(share);
    if share.is_empty() { "–".into() } else { Cell::from(format!("{mean:.1} ± {half:.1} %")).value(mean) }
}

fn shares(figure: &Shares, paper: &PublishedCells, models: &[Played]) -> Piece {
    let mut piece = Piece::default();
    let mut list = List::new(figure.title.clone());
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
        let (name, n) = (name(i, j), observations(paper, i, j));
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
        let percent = 100.0 * share.published;
        published_points.push((x, percent));
        for (m, model) in models.iter().enumerate() {
            let (mean, half) = per_cent(&model.tally.gaps[i][j].shares[figure.at]);
            let place = x + 0.22 * (m as f64 + 1.0) / models.len() as f64;
            points[m].push((place, mean, ((mean - half).max(0.0), (mean + half).min(100.0))));
        }
        let compared = Figure {
            paper: &share,
            enough: n >= ENOUGH,
            ends: (0.0, 1.0),
            ours: &|model| model.tally.gaps[i][j].shares[figure.at],
            shown: share_cell,
            gap: (100.0, 1),
        };
        let row = gap_row(i, j, n, Cell::from(format!("{percent:.1} %")).value(percent));
        let data = ("share", json!({"cell": name, "paper_n": n}));
        let (row, told) = compared.ends(row, data, models, &mut piece.tally);
        list.push(row);
        json.extend(told);
        x += 1.0;
    }
    for (model, points) in models.iter().zip(points) {
        plot.series.push(Series::with_intervals(model.house.words(), Draw::Dots, points));
    }
    plot.series.push(Series::new(text("published", "論文"), Draw::Diamonds, published_points));
    piece.block(Block::Plot(plot));
    piece.block(Block::Table(list.table));
    piece.with("shares", json)
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
    let counts = counts(paper);
    let printed = |n: f64| Some((n, format!("{n:.0}"))).filter(|_| n >= 0.5);
    let note =
        text("Observations in 1,000 games; every game has three.", "1,000 ゲームでの観測数（1ゲームに3つ）");
    let published = text("Table 3, published counts", "表3：論文の頻度");
    let computed = text("Table 3, computed with a shared index", "表3：計算（同じ位置のモデル）");
    [
        Block::Heat(heat(published, note.clone(), None, |i, j| printed(counts[i * COLS + j]))),
        Block::Heat(heat(computed, note, None, |i, j| printed(model.scaled(i, j)))),
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
    let mut list = List::new(Text::of(
        format!("Table 3: mean payoffs outside table 4, of {ENOUGH} observations or more"),
        format!("表3：表4にない平均得点（{ENOUGH}回以上）"),
    ));
    let central: Vec<(usize, usize)> = centre().collect();
    for (i, j) in grid().filter(|cell| !central.contains(cell)) {
        let n = observations(paper, i, j);
        let published = paper.get("table3", &format!("{} mean", name(i, j)));
        let Some(published) = published.filter(|_| n >= ENOUGH) else { continue };
        if published.status == Status::Erratum {
            let ours = shown(&models[0].tally.gaps[i][j].payoff);
            piece.errata.push(Erratum::of(published, &text("Table 3", "表3"), &ours));
        }
        list.push(payoff_row(published, (i, j), n, models, &mut piece.tally).0);
    }
    piece.block(Block::Table(list.table));
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
pub fn lines() -> u64 {
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
pub(super) struct Results {
    effort: Effort,
    paper: LazyCell<PublishedCells>,
    models: Lazy<Vec<Played>>,
}

impl Results {
    pub fn new(effort: Effort) -> Results {
        Results { effort, paper: LazyCell::new(|| PublishedCells::read(&GOLDEN)), models: Lazy::default() }
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

pub(super) static PARTS: [Part<Results>; 9] = [
    Part {
        id: "figures-1-2",
        title: text("Figures 1 and 2: how a turn and a round are scored", "図1、2：ターンとラウンドの得点"),
        run: |_, _| Ok(Piece::of(super::figures::blocks()?)),
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
            let two = shared.two(run)?;
            let mut plot = figure_4(two.iter().map(|m| (m.house.words(), &m.tally)).collect());
            plot.note = Text::of(
                format!("{} The paper's points are only in its picture, not in its text.", plot.note.en),
                format!("{}論文の点は図のみで、本文に数値はない。", plot.note.ja),
            );
            let lineup = searchers();
            let all: Vec<Value> = two.iter().map(|m| to_json(&lineup, m.house, &m.tally, run.seed)).collect();
            Ok(Piece::of([Block::Plot(plot)]).with("tournaments", all))
        },
    },
    Part {
        id: "table-3", title: text("Table 3: how often each gap occurs", "表3：点差の頻度"), run: part_3
    },
    Part {
        id: "table-4",
        title: text("Table 4: payoff by gaps", "表4：点差と得点"),
        run: |shared, run| Ok(table_4(&shared.paper, shared.two(run)?)),
    },
    Part {
        id: "figure-5",
        title: text("Figure 5: games won with +2", "図5：+2 の勝ち"),
        run: |shared, run| Ok(shares(&FIGURE_5, &shared.paper, shared.two(run)?)),
    },
    Part {
        id: "figure-6",
        title: text("Figure 6: games lost with −1", "図6：−1 の負け"),
        run: |shared, run| Ok(shares(&FIGURE_6, &shared.paper, shared.two(run)?)),
    },
    Part {
        id: "table-5",
        title: text("Table 5: payoff by rank", "表5：順位と得点"),
        run: |shared, run| Ok(table_5(&shared.paper, shared.models(run)?)),
    },
    Part {
        id: "last-turns",
        title: text(
            "Beyond the paper: the last turns between three who look for their best",
            "論文の先へ：3人とも最善を探すときの最後のターン",
        ),
        run: |shared, run| endings::part(shared.effort, run),
    },
];

pub(super) static QUESTIONS: [Question; 7] = [
    Question {
        asked: text(
            "What should one do against opponents who are not random?",
            "相手がランダムでない場合はどう打つべきか。",
        ),
        known: text(
            "The best response to two searchers gains +0.372 ± 0.052 a game over the paper’s player (study saichugen opponents; sampled positions, each worked out exactly).",
            "探索プレイヤー2人への最適応答は論文のプレイヤーより1ゲームあたり +0.372 ± 0.052 得をする（study saichugen opponents。標本の局面、各局面は厳密）。",
        ),
        standing: Standing::Answered,
        evidence: Evidence::Study("opponents"),
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
        standing: Standing::Answered,
        evidence: Evidence::Study("second"),
    },
    Question {
        asked: text("How much is the hand worth beside the points?", "点差に比べて手札の価値はどれほどか。"),
        known: text(
            "The hand explains 6.8 % ± 0.2 of the variance of the value, 11.3 % ± 0.9 where both gaps are at most 5 (study saichugen hands).",
            "手札で説明できるのは値の分散の 6.8 % ± 0.2、点差がともに5以下なら 11.3 % ± 0.9（study saichugen hands）。",
        ),
        standing: Standing::Answered,
        evidence: Evidence::Study("hands"),
    },
    Question {
        asked: text("Does it pay for two to collude?", "2人の結託は得か。"),
        known: text(
            "Yes: together they win +0.81 ± 0.07 a game in the last round alone, +1.48 ± 0.04 from the start; +1.29 ± 0.05 if each chooses a card alone (study saichugen collusion).",
            "得になる。2人の合計で、最終ラウンドだけなら +0.81 ± 0.07、最初からなら +1.48 ± 0.04。カードを各自で選ぶなら +1.29 ± 0.05（study saichugen collusion）。",
        ),
        standing: Standing::Answered,
        evidence: Evidence::Study("collusion"),
    },
    Question {
        asked: text("What is an equilibrium of the last turn?", "最終ターンの均衡は何か。"),
        known: text(
            "All of 1,000 endings are solved so that nobody gains 10⁻⁴; the paper’s player leaves 0.108 ± 0.005 to one of the seats (study saichugen last-turn).",
            "1,000終局すべてで、誰も 10⁻⁴ を超えては得をできない解を得た。論文のプレイヤーは1席に 0.108 ± 0.005 を残す（study saichugen last-turn）。",
        ),
        standing: Standing::Answered,
        evidence: Evidence::Study("last-turn"),
    },
    Question {
        asked: text("And of the last two turns?", "最後の2ターンではどうか。"),
        known: text(
            "They fit as they are: in 15 endings play was found in which nobody gains more than 0.0062, 0.0024 on average, where the paper’s player leaves 0.26 ± 0.06 (study saichugen last-turns).",
            "そのまま解ける：15終局で、誰も 0.0062（平均 0.0024）を超えては得をできない打ち方を得た。論文のプレイヤーは 0.26 ± 0.06 を残す（study saichugen last-turns）。",
        ),
        standing: Standing::Partly,
        evidence: Evidence::Study("last-turns"),
    },
    Question {
        asked: text("And of the whole last round?", "最終ラウンド全体ではどうか。"),
        known: text(
            "Bounds only: in one ending, players who mix their cards leave 0.23 ± 0.03, 0.25 ± 0.03 and 0.12 ± 0.02 to the best response of the seats, where the paper’s players leave 0.59 ± 0.17, 0.51 ± 0.09 and 0.21 ± 0.08 (12 sampled hands a seat, each exact), and what a seat can guarantee itself lies between far bounds. All hands by CFR+ would take 100 GB an ending; were no cards left over in the end, random play would be an equilibrium (study saichugen last-round).",
            "上下界のみ：1つの終盤で、手を混ぜる打ち方が各席の最適応答に残す利得は 0.23 ± 0.03、0.25 ± 0.03、0.12 ± 0.02、論文のプレイヤーは 0.59 ± 0.17、0.51 ± 0.09、0.21 ± 0.08（各席12手札の標本、各手札は厳密）。各席が保証できる値の上下界はまだ離れている。全手札を CFR+ で解くと1終局に 100 GB 要る。最後に手札が残らなければ、無作為プレイが均衡になる（study saichugen last-round）。",
        ),
        standing: Standing::Partly,
        evidence: Evidence::Study("last-round"),
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
    let (n, differs) = (grouped(games(shared.effort)), Beside::DIFFERS);
    let mut piece = Piece::of([Block::Paragraph(Text::of(
        format!(
            "{n} games of three searchers for each model, sampled; intervals are for 95 %, errors clustered by game. p: how often \
             the paper's 1,000 games would differ from the model as much; below {differs} a figure is said to differ (!). Figures are \
             held against the first model. One that could have been told from ours (which ones would differ stands beside it) and is \
             not is consistent; those of fewer than {ENOUGH} games are not tested."
        ),
        format!(
            "各モデルで探索プレイヤー3人の対戦 {n} ゲームの標本。区間は 95 %、標準誤差はゲーム単位。p：論文の 1,000 ゲームがモデルからこれ以上ずれる確率。{differs} 未満を不一致（!）とする。判定は最初のモデルによる。差を示せたのに差がなければ「矛盾なし」（不一致となる値を添える）、{ENOUGH} ゲーム未満の値は「判定不能」。"
        ),
    ))]);
    piece.compared(compare(&GOLDEN[0], &computed));
    Ok(piece)
}

fn part_3(shared: &Results, run: &Run<'_>) -> Result<Piece, Error> {
    let (models, two) = (shared.models(run)?, shared.two(run)?);
    let counts = counts(&shared.paper);
    let fits = models
        .iter()
        .map(|model| Ok((model.house.words(), fit(model, &counts, run)?)))
        .collect::<Result<Vec<(Text, Fit)>, Error>>()?;
    let list = fits_list(&fits);
    let mut piece = Piece::of(heats_3(&shared.paper, &two[0]));
    let apart = |fit: &Fit| fit.p < Beside::DIFFERS;
    piece.tally.take(match &fits[..] {
        [(_, first), ..] if apart(first) => Verdict::Differs,
        // It could have shown a difference: it shows one for another model.
        [_, others @ ..] if others.iter().any(|(_, fit)| apart(fit)) => Verdict::Consistent,
        _ => Verdict::Untested,
    });
    piece.block(Block::Table(list.table));
    piece.block(Block::Paragraph(inference(&fits)));
    piece.block(Block::Table(table_3(&shared.paper, two)));
    other_means(&shared.paper, two, &mut piece);
    piece.block(Block::Paragraph(text(
        "Two rows of table 3's means are shifted in print and one repeats its neighbour: those are taken from table 4.",
        "表3の平均は2行が1列ずれ、1行は隣の行と同じ並びのため、表4を用いる。",
    )));
    Ok(piece.with("table3", list.json).with("inference", "shared random index in rounds 1-4"))
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
