//! Many games between three seats, and what the paper counted of them: expected payoffs by rank entering the last
//! round, and by the gaps to the others.

use super::published::GOLDEN;
use crate::golden::PublishedCells;
use crate::paper::Study;
use crate::stats::{Interval, Z};
use crate::sweep::{Sweep, sweep_live, whole};
use serde_json::{Value, json};
use std::cell::RefCell;
use yomikiri_core::rows::{self, Column};
use yomikiri_core::run::Estimate;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::params::{Param, Settings};
use yomikiri_games::saichugen::player::{House, MODEL, TIES};
use yomikiri_games::saichugen::rules::SEATS;
use yomikiri_games::saichugen::seats::{Lineup, Party, SEATING, ranks};
use yomikiri_view::report::{Block, Cell, Draw, List, Outcome, Plot, Record, Series, Table, grouped};

/// Games handed to a thread at a time: about half a second.
const BLOCK: u32 = 500;

static COLUMNS: [Column; 7] = [
    whole("game", text("number of the game under the seed", "ゲームの番号")),
    whole("score1", text("kept by seat 1 entering the last round", "最終ラウンド開始時の席1の点数")),
    whole("score2", text("the same for seat 2", "席2の点数")),
    whole("score3", text("the same for seat 3", "席3の点数")),
    whole("payoff1", text("payoff of seat 1", "席1の得点")),
    whole("payoff2", text("payoff of seat 2", "席2の得点")),
    whole("payoff3", text("payoff of seat 3", "席3の得点")),
];

/// The study.
pub const STUDY: Study = Study {
    name: "tournament",
    summary: text(
        "games between three seats: payoffs by rank entering the last round, and by the gaps (tables 3–5)",
        "3席の対戦：最終ラウンド開始時の順位・点差ごとの得点（表3～5）",
    ),
    params: &[
        SEATING,
        Param::int(
            "games",
            1,
            100_000_000,
            "10000",
            text("games to play (the paper: 1000)", "ゲーム数（論文は 1000）"),
        ),
        MODEL,
        TIES,
    ],
    rows: &COLUMNS,
    run: study,
};

/// A mean over observations that come in games: its standard error is clustered by game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clustered {
    n: i64,
    y: i64,
    nn: i64,
    yn: i64,
    yy: i64,
}

impl Clustered {
    /// Adds the observations of a game: how many, and their sum.
    pub fn add(&mut self, n: i64, y: i64) {
        self.n += n;
        self.y += y;
        self.nn += n * n;
        self.yn += y * n;
        self.yy += y * y;
    }

    /// Observations.
    pub fn len(&self) -> u64 {
        self.n as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Their mean; not a number if there are none.
    pub fn mean(&self) -> f64 {
        self.y as f64 / self.n as f64
    }

    /// The standard error of the mean, clustered by game.
    pub fn error(&self) -> f64 {
        let m = self.mean();
        let squares = self.yy as f64 - 2.0 * m * self.yn as f64 + m * m * self.nn as f64;
        squares.max(0.0).sqrt() / self.n as f64
    }

    /// The interval for the mean.
    pub fn interval(&self) -> Interval {
        let half = Z * self.error();
        (self.mean() - half, self.mean() + half)
    }

    /// The sum of the observations.
    pub fn sum(&self) -> i64 {
        self.y
    }

    fn json(&self) -> Value {
        json!({"n": self.n, "mean": self.mean(), "error": self.error()})
    }
}

/// Rows (the lower opponent) and columns (the higher) of the grids: gaps from −40 in steps of 5; the last column
/// is everything from 40 on. Gaps beyond the ends are in the end rows and columns.
pub const ROWS: usize = 16;
/// See [`ROWS`].
pub const COLS: usize = 17;

/// The number of a gap's bin among so many.
fn bin(gap: i32, bins: usize) -> usize {
    ((gap + 40).div_euclid(5).max(0) as usize).min(bins - 1)
}

/// The cell of the grids for a player with so many points among three.
pub fn gap_cell(scores: [u8; SEATS], seat: usize) -> (usize, usize) {
    let gap = |far: usize| i32::from(scores[(seat + far) % SEATS]) - i32::from(scores[seat]);
    let (a, b) = (gap(1), gap(2));
    (bin(a.min(b), ROWS), bin(a.max(b), COLS))
}

/// The first gap of a bin.
fn gap(bin: usize) -> i32 {
    bin as i32 * 5 - 40
}

/// The name of a bin.
pub fn gap_name(bin: usize) -> String {
    if bin + 1 == COLS { "40~".into() } else { format!("{}~{}", gap(bin), gap(bin) + 5) }
}

/// Payoffs, from −2 to 2.
const PAYOFFS: usize = 5;

/// A cell of the grids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    /// The payoffs.
    pub payoff: Clustered,
    /// The share of each payoff, from −2 to 2.
    pub shares: [Clustered; PAYOFFS],
}

/// Points entering the last round that are told apart; four rounds give at most 50.
const POINTS: usize = 64;

/// What is counted of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Payoffs by rank entering the last round.
    pub ranks: [Clustered; SEATS],
    /// Payoffs by seat.
    pub seats: [Clustered; SEATS],
    /// How often each seat enters with each rank.
    pub entered: [[u64; SEATS]; SEATS],
    /// Payoffs by points entering the last round.
    pub points: Vec<Clustered>,
    /// Payoffs by gaps.
    pub gaps: Vec<[Gaps; COLS]>,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally {
            games: 0,
            ranks: Default::default(),
            seats: Default::default(),
            entered: Default::default(),
            points: vec![Clustered::default(); POINTS],
            gaps: vec![[Gaps::default(); COLS]; ROWS],
        }
    }
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, scores: [u8; SEATS], payoffs: [i8; SEATS]) {
        self.games += 1;
        let ranks = ranks(scores);
        let payoff = payoffs.map(i64::from);
        let cells: [(usize, usize); SEATS] = std::array::from_fn(|seat| gap_cell(scores, seat));
        for seat in 0..SEATS {
            self.seats[seat].add(1, payoff[seat]);
            self.entered[seat][ranks[seat] - 1] += 1;
            // Observations of one game are added together, by the first of them.
            let together = |same: &dyn Fn(usize) -> bool| {
                let all = (0..SEATS).filter(|&other| same(other));
                let first = all.clone().next() == Some(seat);
                first.then(|| (all.clone().count() as i64, all.map(|other| payoff[other]).sum::<i64>()))
            };
            if let Some((n, y)) = together(&|other| ranks[other] == ranks[seat]) {
                self.ranks[ranks[seat] - 1].add(n, y);
            }
            if let Some((n, y)) = together(&|other| scores[other] == scores[seat]) {
                self.points[usize::from(scores[seat]).min(POINTS - 1)].add(n, y);
            }
            let cell = &mut self.gaps[cells[seat].0][cells[seat].1];
            if let Some((n, y)) = together(&|other| cells[other] == cells[seat]) {
                cell.payoff.add(n, y);
                let here = |k: usize| {
                    (0..SEATS).filter(|&o| cells[o] == cells[seat] && payoff[o] + 2 == k as i64).count()
                        as i64
                };
                for (k, share) in cell.shares.iter_mut().enumerate() {
                    share.add(n, here(k));
                }
            }
        }
    }

    /// The mean payoffs so far: by rank as in the paper's table, where its players sit at the table, else of every seat.
    fn live(&self, paper: Option<&PublishedCells>) -> Vec<Estimate> {
        let estimate = |name: Text, mean: &Clustered, published| {
            let (value, (low, high)) = (mean.mean(), mean.interval());
            Estimate { name, value, low, high, text: Text::same(shown(mean)), published }
        };
        let seat = |(at, mean): (usize, &Clustered)| {
            let name = Text::of(format!("mean payoff of seat {}", at + 1), format!("席{}の平均得点", at + 1));
            estimate(name, mean, None)
        };
        let rank = |paper: &PublishedCells, at: usize, mean: &Clustered| {
            let at = at + 1;
            let name = Text::of(
                format!("mean payoff of rank {at} entering the last round"),
                format!("最終ラウンド開始時に{at}位の平均得点"),
            );
            estimate(name, mean, paper.get("table5", &format!("rank {at}")).map(|cell| cell.published))
        };
        // The interval is that of the normal law, which few games do not follow.
        if self.games < 30 {
            return Vec::new();
        }
        match paper {
            Some(paper) => self.ranks.iter().enumerate().map(|(at, mean)| rank(paper, at, mean)).collect(),
            None => self.seats.iter().enumerate().map(seat).collect(),
        }
    }
}

/// Plays a tournament; every game is shown to `fold` in order: its scores entering the last round and its payoffs.
/// `live` says what the games so far come to, for whoever watches.
pub(super) fn tournament(
    lineup: Lineup,
    house: House,
    games: u64,
    run: &Run<'_>,
    mut fold: impl FnMut([u8; SEATS], [i8; SEATS]),
    live: impl Fn() -> Vec<Estimate>,
) -> Result<(), Error> {
    let sheet = Sweep { what: text("games played", "対局"), columns: &COLUMNS, items: games, block: BLOCK };
    let item = |party: &mut Party, number: u64| {
        let played = party.game(run.seed, number);
        let payoffs = played.table.payoffs();
        let mut row = vec![number.into()];
        row.extend(played.entering.map(|score| rows::Cell::from(i64::from(score))));
        row.extend(payoffs.map(|payoff| rows::Cell::from(i64::from(payoff))));
        Ok(row)
    };
    sweep_live(
        run,
        &sheet,
        || Party::new(lineup, house),
        item,
        |_, row| {
            let number = |i: usize| row[i].int();
            fold(
                [1, 2, 3].map(|i| number(i).clamp(0, 255) as u8),
                [4, 5, 6].map(|i| number(i).clamp(-2, 2) as i8),
            );
        },
        live,
    )
}

fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let lineup = Lineup::parse(settings.text("seats"))?;
    let house = House::of(settings.word("ties"), settings.word("model"));
    let games = settings.int("games") as u64;
    let tally = RefCell::new(Tally::default());
    let add = |scores, payoffs| tally.borrow_mut().add(scores, payoffs);
    // The paper's three players; in another lineup its figures are somebody else's.
    let paper = (lineup.name() == SEATING.default).then(|| PublishedCells::read(&GOLDEN));
    tournament(lineup, house, games, run, add, || tally.borrow().live(paper.as_ref()))?;
    Ok(report(&lineup, house, &tally.into_inner(), run.seed))
}

/// A mean with its interval.
pub(super) fn shown(mean: &Clustered) -> String {
    if mean.is_empty() { "–".into() } else { format!("{:+.3} ± {:.3}", mean.mean(), Z * mean.error()) }
}

/// A table by gaps, with the rows and columns that have something to show.
pub(super) fn gap_table(title: Text, cell: impl Fn(usize, usize) -> Option<String>) -> Table {
    let columns: Vec<usize> = (0..COLS).filter(|&j| (0..ROWS).any(|i| cell(i, j).is_some())).collect();
    let mut heads = vec![text("lower \\ higher", "下位 \\ 上位")];
    heads.extend(columns.iter().map(|&j| Text::same(format!("{}>", gap_name(j)))));
    let mut table = Table::new(title, &heads);
    for i in (0..ROWS).filter(|&i| columns.iter().any(|&j| cell(i, j).is_some())) {
        let cells = columns.iter().map(|&j| Cell::from(cell(i, j).unwrap_or_default()));
        table.row([Cell::from(gap_name(i))].into_iter().chain(cells));
    }
    table
}

/// The bins of table 4: rows from −25, columns from −10.
const CENTRE: ([usize; 6], [usize; 4]) = ([3, 4, 5, 6, 7, 8], [6, 7, 8, 9]);

/// The cells of table 4: those of its rows and columns in which the lower gap is not above the higher.
pub fn centre() -> impl Iterator<Item = (usize, usize)> {
    CENTRE.0.into_iter().flat_map(|i| CENTRE.1.into_iter().filter(move |&j| i <= j).map(move |j| (i, j)))
}

/// Table 4: how often each payoff near the centre.
fn table_4(tally: &Tally) -> Table {
    let mut list = List::new(text(
        "Table 4: payoffs by gaps, near the centre (shares; figures 5 and 6 are the columns +2 and −1)",
        "表4：点差と得点（中心部、割合。図5・図6は +2 と −1 の列）",
    ));
    for (i, j) in centre() {
        let cell = &tally.gaps[i][j];
        let mut row = Record::new()
            .show(text("lower", "下位"), gap_name(i))
            .show(text("higher", "上位"), gap_name(j))
            .show(text("n>", "頻度>"), grouped(cell.payoff.len()));
        for (share, head) in cell.shares.iter().zip(["−2>", "−1>", "0>", "+1>", "+2>"]) {
            let shown =
                if share.is_empty() { "–".into() } else { format!("{:.1} %", 100.0 * share.mean()) };
            row = row.show(text(head, head), shown);
        }
        list.push(row.show(text("mean>", "平均>"), shown(&cell.payoff)));
    }
    list.table
}

/// Figure 4: payoffs by points entering the last round.
pub(super) fn figure_4(series: Vec<(Text, &Tally)>) -> Plot {
    let points = |tally: &Tally| {
        let line = tally.points.iter().enumerate().filter(|(_, c)| c.len() >= 30);
        line.map(|(points, c)| (points as f64, c.mean(), c.interval())).collect::<Vec<_>>()
    };
    let mut plot = Plot::new(
        text(
            "Figure 4: expected payoff by points entering the last round",
            "図4：最終ラウンド開始時の点数と得点の平均",
        ),
        text("points", "点数"),
        text("payoff", "得点"),
    );
    plot.note = text(
        "Sampled; whiskers are 95 % intervals. Points seen fewer than 30 times are left out.",
        "標本。ひげは 95 % 区間。観測が 30 回未満の点数は省く。",
    );
    plot.series = series
        .into_iter()
        .map(|(name, tally)| Series::with_intervals(name, Draw::Line, points(tally)))
        .collect();
    plot.reference = Some(0.0);
    plot
}

fn report(lineup: &Lineup, house: House, tally: &Tally, seed: u64) -> Outcome {
    let words = house.words();
    let mut by_rank = List::new(text(
        "Table 5: expected payoff by rank entering the last round (equals share the better rank)",
        "表5：最終ラウンド開始時の順位と得点の期待値（同点は上の順位）",
    ));
    for (rank, mean) in tally.ranks.iter().enumerate() {
        let error = if mean.is_empty() { "–".into() } else { format!("{:.4}", mean.error()) };
        by_rank.push(
            Record::new()
                .show(text("rank>", "順位>"), (rank + 1).to_string())
                .show(text("observations>", "観測数>"), grouped(mean.len()))
                .show(text("payoff>", "得点>"), shown(mean))
                .show(text("error>", "標準誤差>"), error),
        );
    }
    let mut by_seat = List::new(text("By seat", "席ごと"));
    for seat in 0..SEATS {
        let share =
            |rank: usize| format!("{:.1} %", 100.0 * tally.entered[seat][rank] as f64 / tally.games as f64);
        by_seat.push(
            Record::new()
                .show(text("seat>", "席>"), (seat + 1).to_string())
                .show(text("player", "プレイヤー"), lineup.0[seat].name)
                .show(text("payoff>", "得点>"), shown(&tally.seats[seat]))
                .show(text("enters first>", "1位で突入>"), share(0))
                .show(text("second>", "2位>"), share(1))
                .show(text("third>", "3位>"), share(2)),
        );
    }
    let by_gaps = gap_table(
        text(
            "Table 3: observations by gap (opponent − me) and mean payoff",
            "表3：点差（相手－自分）と頻度（平均得点）",
        ),
        |i, j| {
            let payoff = &tally.gaps[i][j].payoff;
            (!payoff.is_empty()).then(|| format!("{} ({:.1})", grouped(payoff.len()), payoff.mean()))
        },
    );
    let (games, players) = (grouped(tally.games), lineup.name());
    let note = Text::of(
        format!(
            "{games} games, {players}; rounds 1–4 and ties: {}. Sampled; intervals are for 95 %, standard errors are clustered by game.",
            words.en
        ),
        format!(
            "{games} ゲーム、{players}。1～4ラウンドと同点：{}。標本推定。区間は 95 %、標準誤差はゲーム単位のクラスタ。",
            words.ja
        ),
    );
    let blocks = vec![
        Block::Paragraph(note),
        Block::Table(by_rank.table),
        Block::Table(by_seat.table),
        Block::Table(by_gaps),
        Block::Table(table_4(tally)),
        Block::Plot(figure_4(vec![(words, tally)])),
    ];
    Outcome { blocks, json: to_json(lineup, house, tally, seed), good: true }
}

/// A tournament for programs.
pub(super) fn to_json(lineup: &Lineup, house: House, tally: &Tally, seed: u64) -> Value {
    let gaps: Vec<Value> = (0..ROWS)
        .flat_map(|i| (0..COLS).map(move |j| (i, j)))
        .filter(|&(i, j)| !tally.gaps[i][j].payoff.is_empty())
        .map(|(i, j)| {
            let cell = &tally.gaps[i][j];
            json!({"lower": gap_name(i), "higher": gap_name(j), "payoff": cell.payoff.json(),
                "counts": cell.shares.map(|c| c.sum())})
        })
        .collect();
    let points: Vec<Value> = tally
        .points
        .iter()
        .enumerate()
        .filter(|(_, c)| !c.is_empty())
        .map(|(points, c)| json!({"points": points, "payoff": c.json()}))
        .collect();
    json!({"game": "saichugen", "study": "tournament", "kind": "sampled", "seed": seed, "games": tally.games,
        "seats": lineup.0.map(|k| k.name), "house": house.words().en,
        "ranks": tally.ranks.map(|c| c.json()), "by_seat": tally.seats.map(|c| c.json()),
        "entered": tally.entered, "points": points, "gaps": gaps})
}
