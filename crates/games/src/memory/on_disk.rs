//! Memory as a table on disk: one array a level of unknown cards, and a check of it that knows only the rules.
//!
//! The index is that of [`super::levels`], but nothing of it is used in the check: there positions are numbered by
//! [`Fillings`], values come from the rules through [`solution`], and no solver is asked.

use super::asked;
use super::levels::{Layout, Levels, TOLERANCE};
use super::opened::{Opened, described};
use super::party;
use super::rules::{Counts, MAX_PATTERNS, Memory, Objective, Pattern, Phase, State};
use crate::params::{Param, Settings};
use crate::tables::{self, Array, Bytes, Checked, Extent, Number, Plan, Sink, Tables, Tier, Wrong};
use serde_json::{Value, json};
use std::any::Any;
use std::sync::Arc;
use yomikiri_core::combin::Fillings;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Refusal, Run, Text, Turn, text};
use yomikiri_solve::solution::{self, Solution, Stored};

/// Memory's tables.
pub struct OnDisk;

/// Positions with free pairs, which are not in the table, that are drawn at most.
const UNSTORED: u64 = 20_000;

impl Tables for OnDisk {
    fn params(&self) -> &'static [Param] {
        &super::PARAMS
    }

    fn plan(&self, settings: &Settings, run: &Run<'_>) -> Result<Plan, Error> {
        if let Some(many) = many(settings)? {
            return many.plan(settings, run);
        }
        let game = asked::game(settings)?;
        let layout = Layout::new(&game)?;
        let tiers = layout.levels.iter().enumerate().map(|(i, blocks)| {
            let column = |of: &dyn Fn(&super::levels::Laid) -> u64| -> Value {
                blocks.iter().map(|block| Value::from(of(block))).collect()
            };
            let about = [
                ("unknown", json!(i + 1)),
                ("pairs", column(&|b| b.pairs as u64)),
                ("rows", column(&|b| b.rows)),
                ("width", column(&|b| b.width as u64)),
                ("offset", column(&|b| b.offset)),
            ];
            Tier {
                name: format!("unknown-{:04}", i + 1),
                number: Number::Double,
                count: blocks.iter().map(|b| b.rows * b.width as u64).sum(),
                about: about.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
            }
        });
        Ok(Plan {
            tiers: tiers.collect(),
            index: json!({
                "kind": "memory-levels",
                "ranks": game.ranks(),
                "copies": game.copies(),
                "patterns": layout.patterns,
                "settled": "while known >= unknown + 2, a known pair of the rank is taken by the player to move",
                "tier": "sum of unknown",
                "block": "sum of (unknown + known) / 2",
                "row": "lexicographic among the counts by patterns with this tier and block that add up to at most ranks",
                "column": match game.objective() {
                    Objective::Win => "(difference + width - 1) / 2",
                    Objective::Cards => "0: without the pairs already won",
                },
                "place": "offset of the block + row * width + column",
            }),
            words: text(
                "A position: for each rank its unknown and known cards, and the pair difference d for the player to move, who has not just been passed to. First every rank with two known cards more than unknown ones gives pairs to the player to move, until none does; d grows with them. What is left is counted by pattern. The unknown cards choose the file, the remaining pairs the block; within the block the counts are in lexicographic order, a row each, and d chooses the place in the row. Where |d| is more than the remaining pairs the game is decided and has no place.",
                "局面は、各ランクの未知・既知の枚数と、手番側のペア差 d（直前にパスされていない）。まず既知が未知より2枚以上多いランクから手番側がペアを取り切り、d を増やす。残りをパターンごとに数える。未知カードの枚数がファイル、残りペア数がブロックを決め、ブロック内は枚数の辞書順に1行ずつ、行内は d の順。|d| が残りペア数を超える局面は決着済みで場所がない。",
            ),
            objective: match game.objective() {
                Objective::Win => text(
                    "for the player to move: +1 a win, 0 a draw, -1 a loss, on average under best play; the win rate is (1 + value) / 2",
                    "手番側の値：勝ち+1、引き分け0、負け−1の、最善手での期待値。勝率は (1+値)/2",
                ),
                Objective::Cards => text(
                    "for the player to move: pairs still to be won minus those of the other, on average under best play",
                    "手番側の値：これから取るペア数の差の、最善手での期待値",
                ),
            },
            exactness: text(
                "exact up to the rounding of doubles: within 1e-12 of what follows from the rules and the values after it",
                "厳密（倍精度の丸めを除く）：後続局面の値から規則で導いた値との差は 1e-12 以内",
            ),
            memory: layout.memory,
        })
    }

    fn build(&self, settings: &Settings, plan: &Plan, to: &mut dyn Sink, run: &Run<'_>) -> Result<(), Error> {
        if let Some(many) = many(settings)? {
            return many.build(settings, plan, to, run);
        }
        Levels::write_all(&asked::game(settings)?, to, run)
    }

    fn open(
        &self,
        settings: &Settings,
        plan: &Plan,
        arrays: Vec<Arc<dyn Array>>,
    ) -> Result<Arc<dyn Any + Send + Sync>, Error> {
        if let Some(many) = many(settings)? {
            return many.open(settings, plan, arrays);
        }
        let game = asked::game(settings)?;
        let table = Arc::new(Levels::outside(&game, arrays));
        Ok(Arc::new(Opened::new(described(&game), game, table)))
    }

    fn check(
        &self,
        settings: &Settings,
        plan: &Plan,
        arrays: &[Bytes],
        extent: Extent,
        run: &Run<'_>,
    ) -> Result<Checked, Error> {
        if let Some(many) = many(settings)? {
            return many.check(settings, plan, arrays, extent, run);
        }
        let game = asked::game(settings)?;
        Plain::new(&game, arrays, run)?.check(extent, run)
    }
}

/// What keeps the tables of the games that the solver for two players does not know.
fn many(settings: &Settings) -> Result<Option<&'static dyn Tables>, Refusal> {
    if settings.text("memory-model") != "perfect" {
        let accepts = text("perfect: others have no table on disk", "perfect（他の記憶の表はありません）");
        return Err(Refusal::new("memory-model", settings.text("memory-model"), accepts));
    }
    Ok(party::asked::asked(settings).then(|| party::on_disk::tables(settings.int("players"))))
}

/// A table as its description says, read in the plainest way.
struct Plain<'a> {
    game: &'a Memory,
    /// Numbers of the counted patterns.
    counted: Vec<usize>,
    fillings: Fillings,
    /// By unknown cards, from 1: the first value of each block, by pairs.
    offsets: Vec<Vec<u64>>,
    arrays: &'a [Bytes],
}

/// A place in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    tier: usize,
    place: u64,
}

impl<'a> Plain<'a> {
    fn new(game: &'a Memory, arrays: &'a [Bytes], run: &Run<'_>) -> Result<Plain<'a>, Error> {
        let patterns = game.patterns();
        let counted: Vec<usize> =
            (0..patterns.len()).filter(|&i| patterns[i].unknown > 0 && !patterns[i].free_pair()).collect();
        let weights: Vec<(usize, usize)> =
            counted.iter().map(|&i| (usize::from(patterns[i].unknown), patterns[i].pairs())).collect();
        let (cards, pairs) = (game.ranks() * game.copies(), game.total_pairs());
        let cells = (cards + 1) as u64 * (pairs + 1) as u64 * (game.ranks() + 1) as u64;
        run.fits(8 * cells * (weights.len() as u64 + 1))?;
        let fillings = Fillings::new(&weights, (cards, pairs), game.ranks());
        let mut offsets = Vec::new();
        for unknown in 1..=cards {
            let mut next = 0;
            let block = |pairs| {
                let offset = next;
                next += fillings.len((unknown, pairs)) * width(game, pairs);
                offset
            };
            offsets.push((0..=pairs).map(block).collect());
        }
        Ok(Plain { game, counted, fillings, offsets, arrays })
    }

    /// The place of a position whose free pairs are taken.
    fn place(&self, x: &[usize], d: i64) -> Place {
        let patterns = self.game.patterns();
        let sum = |of: &dyn Fn(Pattern) -> usize| -> usize {
            self.counted.iter().zip(x).map(|(&i, &n)| of(patterns[i]) * n).sum()
        };
        let (unknown, pairs) = (sum(&|p| usize::from(p.unknown)), sum(&|p| p.pairs()));
        let width = width(self.game, pairs);
        let column = match self.game.objective() {
            Objective::Win => (d + width as i64 - 1) / 2,
            Objective::Cards => 0,
        };
        let place = self.offsets[unknown - 1][pairs] + self.fillings.rank(x) * width + column as u64;
        Place { tier: unknown - 1, place }
    }

    /// The value at a place.
    fn at(&self, place: Place) -> Option<f64> {
        let mut raw = [0; 8];
        self.arrays.get(place.tier)?.read(8 * place.place, &mut raw).then(|| f64::from_le_bytes(raw))
    }

    /// The position at a place.
    fn position(&self, at: Place) -> Option<State> {
        let blocks = &self.offsets[at.tier];
        // Blocks without rows begin where the next one does.
        let pairs = blocks.partition_point(|offset| *offset <= at.place) - 1;
        let within = at.place - blocks[pairs];
        let width = width(self.game, pairs);
        let x = self.fillings.unrank((at.tier + 1, pairs), within / width)?;
        let mut counts = [0; MAX_PATTERNS];
        for (&i, &n) in self.counted.iter().zip(&x) {
            counts[i] = n as u8;
        }
        counts[self.game.patterns().len() - 1] = (self.game.ranks() - x.iter().sum::<usize>()) as u8;
        let diff = match self.game.objective() {
            Objective::Win => 2 * (within % width) as i64 - (width as i64 - 1),
            // The difference does not matter; this one is legal.
            Objective::Cards => ((self.game.total_pairs() - pairs) % 2) as i64,
        };
        Some(self.game.position(counts, diff as i16, false))
    }

    /// The counted position a position comes to when its free pairs are taken, and the difference then.
    fn settled(&self, counts: &Counts, diff: i16) -> (Vec<usize>, i64) {
        let mut x = vec![0; self.counted.len()];
        let mut d = i64::from(diff);
        for (&(mut p), &n) in self.game.patterns().iter().zip(counts) {
            let n = usize::from(n);
            while p.free_pair() {
                p.known -= 2;
                d += n as i64;
            }
            if p.unknown > 0 {
                let is = |&i: &usize| self.game.patterns()[i] == p;
                if let Some(at) = self.counted.iter().position(is) {
                    x[at] += n;
                }
            }
        }
        (x, d)
    }

    /// The value of a position at the start of a turn, for the player to move, and its place if it has one.
    fn value_of(&self, counts: &Counts, diff: i16) -> Option<(f64, Option<Place>)> {
        let (x, d) = self.settled(counts, diff);
        let patterns = self.game.patterns();
        let left: usize = self.counted.iter().zip(&x).map(|(&i, &n)| patterns[i].pairs() * n).sum();
        let win = self.game.objective() == Objective::Win;
        if left == 0 || (win && d.unsigned_abs() > left as u64) {
            return Some((if win { d.signum() } else { d } as f64, None));
        }
        let place = self.place(&x, d);
        let value = self.at(place)?;
        Some((if win { value } else { value + d as f64 }, Some(place)))
    }

    /// What is wrong with the value of a position.
    fn wrong(&self, s: &State) -> Option<Wrong> {
        let found = self.value_of(&s.counts, s.diff);
        let rules = solution::best(self.game, self, s, s.mover);
        // A value that is missing or not a number agrees with no other.
        if let (Some((table, _)), Some(rules)) = (found, rules)
            && (table - rules).abs() <= TOLERANCE
        {
            return None;
        }
        let (table, place) = found.unzip();
        let place = place.flatten().unwrap_or(Place { tier: 0, place: 0 });
        let shown = |value: Option<f64>| value.map_or_else(|| "–".into(), |value| value.to_string());
        Some(Wrong {
            tier: place.tier,
            place: place.place,
            position: self.game.print(s).unwrap_or_default(),
            table: shown(table),
            rules: shown(rules),
        })
    }

    fn check(&self, extent: Extent, run: &Run<'_>) -> Result<Checked, Error> {
        let lengths: Vec<u64> = self.arrays.iter().map(|array| array.len() / 8).collect();
        let stored: u64 = lengths.iter().sum();
        let (positions, number) = tables::chosen(extent, stored, run.seed);
        let unstored = positions.min(UNSTORED);
        let begins: Vec<u64> = lengths
            .iter()
            .scan(0, |next, length| {
                let begin = *next;
                *next += length;
                Some(begin)
            })
            .collect();
        let place = |number: u64| {
            // Empty tiers begin where the next one does.
            let tier = begins.partition_point(|begin| *begin <= number) - 1;
            Place { tier, place: number - begins[tier] }
        };
        let nth = |i: u64| self.position(place(number(i)));
        let first = tables::first_wrong(positions, &|i| self.wrong(&nth(i)?), run)?;
        let drawn = |i: u64| {
            let mut random = Random::stream(run.seed, 2 * i + 1);
            let s = self.position(place(random.below(stored)))?;
            self.wrong(&self.unsettle(&s, &mut random)?)
        };
        let wrong = match first {
            Some(wrong) => Some(wrong),
            None => tables::first_wrong(unstored, &drawn, run)?,
        };
        let how = Text::of(
            format!(
                "each value derived from those after it by the rules, within {TOLERANCE:e}; so were up to {unstored} drawn positions with free pairs, which are not in the table"
            ),
            format!(
                "各値を後続局面の値から規則で導き、差が {TOLERANCE:e} 以内。表にない「無条件に取れるペアのある局面」も最大 {unstored} 個抽出して検査"
            ),
        );
        Ok(Checked { positions, how, wrong })
    }

    /// A position that comes to this one when its free pairs are taken, with at least one; `None` if the draw gives none.
    fn unsettle(&self, s: &State, random: &mut Random) -> Option<State> {
        let patterns = self.game.patterns();
        let (mut counts, mut diff) = (s.counts, i64::from(s.diff));
        for (i, &pattern) in patterns.iter().enumerate() {
            let (mut p, mut pairs) = (pattern, 0);
            while p.free_pair() {
                p.known -= 2;
                pairs += 1;
            }
            let from = patterns.iter().position(|q| *q == p)?;
            if pairs > 0 && counts[from] > 0 {
                let n = random.below(u64::from(counts[from]).min(3) + 1) as u8;
                counts[from] -= n;
                counts[i] += n;
                diff -= pairs * i64::from(n);
            }
        }
        let before = self.game.legal(counts, diff, false).ok()?;
        let some = before.counts != s.counts && matches!(self.game.turn(&before), Turn::Player(_));
        some.then_some(before)
    }
}

/// Values in a row.
fn width(game: &Memory, pairs: usize) -> u64 {
    match game.objective() {
        Objective::Win => (game.widest(pairs) + 1) as u64,
        Objective::Cards => 1,
    }
}

impl Solution<Memory> for Plain<'_> {
    type Number = f64;

    fn stored(&self, _: &Memory, s: &State) -> Stored<f64> {
        if s.phase != Phase::First || s.passed {
            return Stored::LookThrough;
        }
        self.value_of(&s.counts, s.diff).map_or(Stored::Missing, |found| Stored::Value(found.0))
    }
}
