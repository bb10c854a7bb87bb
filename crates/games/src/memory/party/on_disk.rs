//! Tables on disk of games for `K` players: one array a layer of equal pairs left, and a check of it that knows only the
//! rules.
//!
//! Nothing of the solver's numbering is used in the check: there the states of the cards are listed one by one and looked
//! up by halving, and values come from the rules, as those of the slow twin do ([`Look`]).

use super::super::opened::Opened;
use super::super::rules::{Counts, MAX_PATTERNS, Memory, Phase};
use super::asked;
use super::opened::{Held, described};
use super::outside::{Layout, numbers, whole};
use super::rules::{Aim, Party, State};
use super::stored::FIRST;
use super::table::Table;
use super::worth::{Look, Worth};
use crate::params::{Param, Settings};
use crate::tables::{self, Array, Bytes, Checked, Number, Plan, Sink, Tables, Tier, Wrong};
use serde_json::{Value, json};
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;
use yomikiri_core::combin::binomial;
use yomikiri_core::{Error, Run, Text, text};

/// How far a value may be from what follows from the rules: sums are made in another order there.
const CLOSE: f64 = 1e-12;

struct OnDisk<const K: usize>;

/// What keeps tables for so many players.
pub fn tables(players: i64) -> &'static dyn Tables {
    match players {
        2 => &OnDisk::<2>,
        3 => &OnDisk::<3>,
        4 => &OnDisk::<4>,
        _ => &OnDisk::<5>,
    }
}

impl<const K: usize> Tables for OnDisk<K> {
    fn params(&self) -> &'static [Param] {
        &super::PARAMS
    }

    fn plan(&self, settings: &Settings, run: &Run<'_>) -> Result<Plan, Error> {
        let (ranks, copies, terms) = asked::of(settings)?;
        let Layout { numbers: width, layers, memory } = Table::<K>::layout(ranks, copies, terms, run)?;
        let cards = Memory::new(ranks, copies, super::super::rules::Objective::Cards)?;
        let tiers = layers.iter().map(|layer| {
            let offsets = layer.rows.iter().scan(0, |next, rows| {
                let offset = *next;
                *next += rows * layer.scores * width as u64;
                Some(offset)
            });
            let about = [
                ("pairs", json!(layer.pairs)),
                ("scores", json!(layer.scores)),
                ("unknown", (0..layer.rows.len()).map(Value::from).collect()),
                ("rows", layer.rows.iter().copied().map(Value::from).collect()),
                ("offset", offsets.map(Value::from).collect()),
            ];
            Tier {
                name: format!("pairs-{:04}", layer.pairs),
                number: Number::Double,
                count: layer.values().saturating_mul(width as u64),
                about: about.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
            }
        });
        let patterns: Value = cards.patterns()[..cards.patterns().len() - 1]
            .iter()
            .map(|p| json!([p.unknown, p.known]))
            .collect();
        let [objective, pass, tie] = terms.words();
        Ok(Plan {
            tiers: tiers.collect(),
            index: json!({
                "kind": "memory-players",
                "players": K,
                "ranks": ranks,
                "copies": copies,
                "objective": objective,
                "pass": pass,
                "tie": tie,
                "patterns": patterns,
                "numbers": width,
                "tier": "sum of (unknown + known) / 2",
                "block": "sum of unknown",
                "row": "lexicographic among the counts by patterns with this tier and block that add up to at most ranks",
                "column": match terms.wins() {
                    true => "lexicographic among the pairs of all players in order of play that add up to the pairs that are gone",
                    false => "0: pairs already won change nothing",
                },
                "place": "offset of the block + (row * scores + column) * numbers",
                "value": numbers(terms),
            }),
            words: text(
                "A position: for each rank its unknown and known cards, and the pairs of all players in order of play, the player to move first; nobody has just passed, and every pair that is gone is in a score. Ranks are counted by pattern. The remaining pairs choose the file, the unknown cards the block; within the block the counts are in lexicographic order, a row each, and the scores choose the place in the row, where a number for each player follows another, in order of play. Where pairs are played for, scores change nothing, and a row has one place.",
                "局面は、各ランクの未知・既知の枚数と、手番順の全員のペア数（手番が先頭）。直前にパスした人はなく、取られたペアはすべて誰かのもの。ランクをパターンごとに数える。残りペア数がファイル、未知カードの枚数がブロックを決め、ブロック内は枚数の辞書順に1行ずつ、行内はペア数の辞書順で、手番順に各プレイヤーの数が並ぶ。ペアを争う設定ではペア数は手に影響せず、行の場所は1つ。",
            ),
            objective: match terms.aim {
                Aim::Win => text(
                    "for every player in order of play: the share of the win under best play, ties by the rule that is named; where that asks for them, then pairs still to come",
                    "手番順の各プレイヤーの値：最善手での勝ちの分け前（同値の手は示した規則）。規則に要るときは、続けてこれから取るペア数",
                ),
                _ => text(
                    "for every player in order of play: pairs still to come under best play, ties by the rule that is named",
                    "手番順の各プレイヤーの値：最善手での、これから取るペア数（同値の手は示した規則）",
                ),
            },
            exactness: text(
                "exact up to the rounding of doubles: within 1e-12 of what follows from the rules and the values after it, moves within 1e-11 being equal",
                "厳密（倍精度の丸めを除く）：後続局面の値から規則で導いた値との差は 1e-12 以内、1e-11 以内の手は同値",
            ),
            memory,
        })
    }

    fn build(&self, settings: &Settings, _: &Plan, to: &mut dyn Sink, run: &Run<'_>) -> Result<(), Error> {
        let (ranks, copies, terms) = asked::of(settings)?;
        Table::<K>::write_all(ranks, copies, terms, to, run)
    }

    fn open(
        &self,
        settings: &Settings,
        _: &Plan,
        arrays: Vec<Arc<dyn Array>>,
    ) -> Result<Arc<dyn Any + Send + Sync>, Error> {
        let (ranks, copies, terms) = asked::of(settings)?;
        let table = Arc::new(Table::<K>::outside(ranks, copies, terms, arrays)?);
        let held = Held { players: K, copies, terms, extent: whole(ranks, copies, terms) };
        Ok(Arc::new(Opened::new(described(K, ranks, copies, terms), held, table)))
    }

    fn check(
        &self,
        settings: &Settings,
        plan: &Plan,
        arrays: &[Bytes],
        extent: tables::Extent,
        run: &Run<'_>,
    ) -> Result<Checked, Error> {
        let (ranks, copies, terms) = asked::of(settings)?;
        let game = Party::<K>::new(ranks, copies, terms)?;
        Plain::new(&game, arrays, run)?.check(plan, extent, run)
    }
}

/// The states of the cards that stand together, in lexicographic order, and where the first of them begins.
#[derive(Default)]
struct Block {
    states: Vec<Counts>,
    begin: u64,
}

/// A table as its description says, read in the plainest way.
struct Plain<'a, const K: usize> {
    game: &'a Party<K>,
    /// By pairs left and unknown cards.
    blocks: BTreeMap<(usize, usize), Block>,
    /// By pairs left: the score vectors of a row, in lexicographic order.
    scores: Vec<Vec<[u16; K]>>,
    numbers: usize,
    arrays: &'a [Bytes],
}

/// All ways to go on with some counts, those with fewer ranks in an earlier pattern first.
fn list(counts: &mut Counts, at: usize, kinds: usize, left: u8, each: &mut dyn FnMut(&Counts)) {
    if at == kinds {
        each(counts);
        return;
    }
    for n in 0..=left {
        counts[at] = n;
        list(counts, at + 1, kinds, left - n, each);
    }
    counts[at] = 0;
}

/// All ways to share so many pairs, from a player on.
fn share<const K: usize>(scores: &mut [u16; K], at: usize, left: u16, all: &mut Vec<[u16; K]>) {
    if at + 1 == K {
        scores[at] = left;
        all.push(*scores);
        return;
    }
    for n in 0..=left {
        scores[at] = n;
        share(scores, at + 1, left - n, all);
    }
}

impl<'a, const K: usize> Plain<'a, K> {
    fn new(game: &'a Party<K>, arrays: &'a [Bytes], run: &Run<'_>) -> Result<Plain<'a, K>, Error> {
        let cards = game.cards();
        let (ranks, kinds) = (cards.ranks(), cards.patterns().len() - 1);
        let total = cards.total_pairs();
        let states = binomial((ranks + kinds) as u64, kinds as u64);
        let vectors = if game.terms().wins() { binomial((total + K) as u64, K as u64) } else { 1 };
        // A list may have grown to twice its length.
        run.fits(2 * (states.saturating_mul(MAX_PATTERNS as u64) + vectors.saturating_mul(2 * K as u64)))?;
        let scores = (0..=total).map(|pairs| {
            let mut all = Vec::new();
            match game.terms().wins() {
                true => share(&mut [0; K], 0, (total - pairs) as u16, &mut all),
                false => all.push([0; K]),
            }
            all
        });
        let scores: Vec<Vec<[u16; K]>> = scores.collect();
        let mut blocks: BTreeMap<(usize, usize), Block> = BTreeMap::new();
        list(&mut [0; MAX_PATTERNS], 0, kinds, ranks as u8, &mut |x| {
            blocks.entry((cards.remaining(x), cards.unknown(x))).or_default().states.push(*x);
        });
        let mut next = (0, 0);
        for ((pairs, _), block) in &mut blocks {
            if *pairs != next.0 {
                next = (*pairs, 0);
            }
            block.begin = next.1;
            next.1 += (block.states.len() * scores[*pairs].len()) as u64;
        }
        let numbers = if game.terms().wins() && game.terms().pairs() { 2 * K } else { K };
        Ok(Plain { game, blocks, scores, numbers, arrays })
    }

    /// The array and the place among its values of a position with these scores in order of play.
    fn place(&self, counts: &Counts, scores: [u16; K]) -> Option<(usize, u64)> {
        let cards = self.game.cards();
        let mut x = *counts;
        x[cards.patterns().len() - 1] = 0;
        let pairs = cards.remaining(&x);
        let block = self.blocks.get(&(pairs, cards.unknown(&x)))?;
        let row = block.states.binary_search(&x).ok()?;
        let scores = if self.game.terms().wins() { scores } else { [0; K] };
        let column = self.scores[pairs].binary_search(&scores).ok()?;
        let place = block.begin + (row * self.scores[pairs].len() + column) as u64;
        Some((pairs.checked_sub(FIRST)?, place))
    }

    /// The position at a place.
    fn position(&self, array: usize, place: u64) -> Option<State<K>> {
        let pairs = array + FIRST;
        let layer = self.blocks.range((pairs, 0)..(pairs + 1, 0));
        let (_, block) = layer.take_while(|(_, block)| block.begin <= place).last()?;
        let within = (place - block.begin) as usize;
        let mut counts = *block.states.get(within / self.scores[pairs].len())?;
        let lying: u8 = counts.iter().sum();
        let cards = self.game.cards();
        counts[cards.patterns().len() - 1] = cards.ranks() as u8 - lying;
        let scores = self.scores[pairs][within % self.scores[pairs].len()];
        Some(State { counts, scores, passes: 0, mover: 0, phase: Phase::First })
    }

    /// What the table says of a position, by seat.
    fn value_of(&self, s: &State<K>) -> Option<Worth<f64>> {
        let (array, place) = self.place(&s.counts, s.in_order())?;
        let mut raw = vec![0; 8 * self.numbers];
        let from = place * raw.len() as u64;
        let mut all: Vec<f64> = match self.arrays.get(array)?.read(from, &mut raw) {
            true => raw.as_chunks::<8>().0.iter().map(|raw| f64::from_le_bytes(*raw)).collect(),
            false => return None,
        };
        all.chunks_mut(K).for_each(|part| part.rotate_right(s.mover.into()));
        let (wins, pairs) = all.split_at(if self.game.terms().wins() { K } else { 0 });
        let mut worth = Worth { wins: wins.to_vec(), pairs: pairs.to_vec() };
        worth.pairs.iter_mut().zip(s.scores).for_each(|(pairs, n)| *pairs += f64::from(n));
        Some(worth)
    }

    /// What is wrong with the value at a place.
    fn wrong(&self, array: usize, place: u64) -> Option<Wrong> {
        let s = self.position(array, place)?;
        let (table, rules) = (self.value_of(&s), (&*self).expand(self.game, &s));
        let numbers = |worth: &Worth<f64>| worth.wins.iter().chain(&worth.pairs).copied().collect::<Vec<_>>();
        let (table, rules) = (table.map(|w| numbers(&w)), rules.map(|w| numbers(&w)));
        let apart = match (&table, &rules) {
            // What is not a number agrees with no other.
            (Some(table), Some(rules)) => {
                table.iter().zip(rules).position(|(a, b)| (a - b).abs().total_cmp(&CLOSE).is_gt())?
            }
            _ => 0,
        };
        let shown = |numbers: Option<Vec<f64>>| {
            let all = numbers.map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
            all.unwrap_or_else(|| "–".into())
        };
        Some(Wrong {
            tier: array,
            place: place * self.numbers as u64 + apart as u64,
            position: self.game.print(&s).unwrap_or_default(),
            table: shown(table),
            rules: shown(rules),
        })
    }

    fn check(&self, plan: &Plan, extent: tables::Extent, run: &Run<'_>) -> Result<Checked, Error> {
        let lengths: Vec<u64> = plan.tiers.iter().map(|tier| tier.count / self.numbers as u64).collect();
        let (positions, number) = tables::chosen(extent, lengths.iter().sum(), run.seed);
        let place = |mut number: u64| {
            let mut array = 0;
            while let Some(length) = lengths.get(array).filter(|length| **length <= number) {
                number -= length;
                array += 1;
            }
            (array, number)
        };
        let wrong = |i: u64| {
            let (array, place) = place(number(i));
            self.wrong(array, place)
        };
        let wrong = tables::first_wrong(positions, &wrong, run)?;
        let how = Text::of(
            format!("each value of every player derived from those after it by the rules, within {CLOSE:e}"),
            format!("全プレイヤーの各値を後続局面の値から規則で導き、差が {CLOSE:e} 以内"),
        );
        Ok(Checked { positions, how, wrong })
    }
}

impl<const K: usize> Look<K, f64> for &Plain<'_, K> {
    fn look(&mut self, game: &Party<K>, s: &State<K>) -> Option<Worth<f64>> {
        if s.passes > 0 { self.expand(game, s) } else { self.value_of(s) }
    }
}
