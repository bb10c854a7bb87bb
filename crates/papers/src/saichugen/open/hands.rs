//! What the hand is worth: how much of the variance of a position's value is left when the gaps to both opponents are
//! given. Payoffs depend on gaps only, so what is left is the cards.

use super::{searchers, table_at};
use crate::paper::Study;
use crate::stats::Z;
use crate::sweep::{Sweep, real, sweep, whole};
use serde_json::json;
use std::collections::BTreeMap;
use yomikiri_core::rows::Column;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::params::{Param, Settings};
use yomikiri_games::saichugen::kernel::Kernel;
use yomikiri_games::saichugen::player::{House, MODEL};
use yomikiri_games::saichugen::rules::LAST_ROUND;
use yomikiri_games::saichugen::seats::Party;
use yomikiri_games::saichugen::view::View;
use yomikiri_view::report::{Block, Cell, List, Outcome, Record, Tone};

/// Gaps up to here are small.
const SMALL: i64 = 5;
/// Parts of the sample that are left out in turn for the interval.
const PARTS: usize = 50;

static COLUMNS: [Column; 4] = [
    whole("game", text("number of the game under the seed", "ゲームの番号")),
    whole("lower", text("gap to the lower opponent (opponent − me)", "下位の相手との点差（相手－自分）")),
    whole("higher", text("gap to the higher opponent", "上位の相手との点差")),
    real("value", text("exact expectation of the best card", "最善のカードの厳密な期待値")),
];

/// The study.
pub const STUDY: Study = Study {
    name: "hands",
    summary: text(
        "what the hand is worth: the share of the variance of the value that the score gaps leave",
        "手札の価値：点差を決めたときに残る期待値の分散の割合",
    ),
    params: &[
        Param::int(
            "positions",
            1000,
            100_000_000,
            "20000",
            text("positions before turn 13", "ターン13の局面の数"),
        ),
        MODEL,
    ],
    rows: &COLUMNS,
    run: study,
};

/// Sums of values of one pair of gaps: how many, their sum, and that of their squares.
#[derive(Clone, Copy, Debug, Default)]
struct Sums(f64, f64, f64);

impl Sums {
    fn add(&mut self, n: f64, x: f64, xx: f64) {
        *self = Sums(self.0 + n, self.1 + x, self.2 + xx);
    }
    fn squares(&self) -> f64 {
        if self.0 > 0.0 { (self.2 - self.1 * self.1 / self.0).max(0.0) } else { 0.0 }
    }
}

/// Values by gaps, and by part of the sample.
#[derive(Clone, Debug, Default)]
pub struct Split {
    groups: BTreeMap<(i64, i64), Vec<Sums>>,
    n: u64,
}

/// How the variance splits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The variance of all values.
    pub total: f64,
    /// The variance at given gaps.
    pub within: f64,
    /// Its share.
    pub share: f64,
    /// The standard error of the share, by leaving out parts.
    pub error: f64,
}

impl Split {
    /// Adds a position.
    pub fn add(&mut self, gaps: (i64, i64), value: f64) {
        let parts = self.groups.entry(gaps).or_insert_with(|| vec![Sums::default(); PARTS]);
        parts[(self.n % PARTS as u64) as usize].add(1.0, value, value * value);
        self.n += 1;
    }

    /// The share of the variance within groups, a part of the sample left out or not.
    fn share_without(&self, out: Option<usize>) -> (f64, f64) {
        let (mut all, mut within, mut groups) = (Sums::default(), 0.0, 0.0);
        for parts in self.groups.values() {
            let mut group = Sums::default();
            for (_, part) in parts.iter().enumerate().filter(|(i, _)| Some(*i) != out) {
                group.add(part.0, part.1, part.2);
            }
            if group.0 > 0.0 {
                all.add(group.0, group.1, group.2);
                within += group.squares();
                groups += 1.0;
            }
        }
        // Each group's own mean costs one.
        (all.squares() / (all.0 - 1.0), within / (all.0 - groups))
    }

    /// How the variance splits; `None` if there are too few positions to tell.
    pub fn share(&self) -> Option<Share> {
        if self.n < 4 * self.groups.len() as u64 || self.n < 2 * PARTS as u64 {
            return None;
        }
        let (total, within) = self.share_without(None);
        let each: Vec<f64> = (0..PARTS)
            .map(|out| {
                let (total, within) = self.share_without(Some(out));
                within / total
            })
            .collect();
        let mean = each.iter().sum::<f64>() / PARTS as f64;
        let spread: f64 = each.iter().map(|x| (x - mean) * (x - mean)).sum();
        let error = (spread * (PARTS - 1) as f64 / PARTS as f64).sqrt();
        Some(Share { total, within, share: within / total, error })
    }
}

/// The split over all positions, and over those with small gaps.
fn hands(positions: u64, house: House, run: &Run<'_>) -> Result<[Split; 2], Error> {
    // Gaps are at most a few thousand pairs, whatever the number of positions.
    let workers = || (searchers(house), Kernel::new());
    let item = |(seats, kernel): &mut (Party, Kernel), game: u64| {
        let view = View::of(&table_at(seats, LAST_ROUND, run.seed, game), 0);
        let [me, a, b] = view.scores.map(i64::from);
        let (lower, higher) = (a.min(b) - me, a.max(b) - me);
        Ok(vec![game.into(), lower.into(), higher.into(), kernel.values(&view).value().into()])
    };
    let mut splits = [Split::default(), Split::default()];
    let what = text("positions", "局面");
    let sheet = Sweep { what, columns: &COLUMNS, items: positions, block: 1000 };
    sweep(run, &sheet, workers, item, |_, row| {
        let gaps = (row[1].int(), row[2].int());
        splits[0].add(gaps, row[3].float());
        if gaps.0.abs() <= SMALL && gaps.1.abs() <= SMALL {
            splits[1].add(gaps, row[3].float());
        }
    })?;
    Ok(splits)
}

fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let house = House::of("lowest", settings.word("model"));
    let positions = settings.int("positions") as u64;
    let splits = hands(positions, house, run)?;
    let mut list = List::new(text("The variance of the value", "期待値の分散"));
    let names = [
        text("all", "すべて"),
        Text::of(format!("both gaps at most {SMALL}"), format!("点差がどちらも{SMALL}以下")),
    ];
    for (split, name) in splits.iter().zip(names) {
        let share = split.share();
        let shown = |f: &dyn Fn(Share) -> String| share.map_or("–".into(), f);
        let total = shown(&|s| format!("{:.4}", s.total));
        let within = shown(&|s| format!("{:.4}", s.within));
        let percent = shown(&|s| format!("{:.2} % ± {:.2}", 100.0 * s.share, 100.0 * Z * s.error));
        let percent = Cell::from(percent).tone(Tone::Strong);
        list.push(
            Record::new()
                .show(text("positions", "局面"), name)
                .count("positions", text("n>", "数>"), split.n)
                .count("groups", text("pairs of gaps>", "点差の組>"), split.groups.len() as u64)
                .field("total", text("variance>", "分散>"), total, share.map(|s| s.total))
                .field("within", text("at given gaps>", "点差を決めた分散>"), within, share.map(|s| s.within))
                .field("share", text("share of the hand>", "手札の割合>"), percent, share.map(|s| s.share))
                .data("error", share.map(|s| s.error)),
        );
    }
    let note = Block::Paragraph(text(
        "The value is the exact expectation of the paper's player before turn 13. Sampled; the intervals (95 %) come from leaving out fiftieths of the sample in turn.",
        "値はターン13での論文のプレイヤーの厳密な期待値。標本推定、95 % 区間は標本の50分の1ずつを除くジャックナイフ法。",
    ));
    let json = json!({"game": "saichugen", "study": "hands", "seed": run.seed, "kind": "sampled",
        "positions": positions, "all": list.json[0], "small_gaps": list.json[1]});
    Ok(Outcome { blocks: vec![note, Block::Table(list.table)], json, good: true })
}
