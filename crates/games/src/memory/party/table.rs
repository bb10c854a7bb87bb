//! The values of all positions of a game of `K` players, by vector induction.
//!
//! - States of the cards are cut into blocks of equal remaining pairs R and unknown cards U. Turning cards lowers U,
//!   taking a pair lowers R; so a block stands on (R, U−1), (R, U−2) and (R−1, U), (R−1, U−1), (R−1, U−2), and is
//!   computed in parallel. In the order R, then U, only about one layer of equal R is in use at a time.
//! - Every state of the cards has a row with all score vectors that have the sum of the pairs taken. Where pairs are
//!   played for, scores change nothing that players do, and a row has one place.
//! - All patterns are kept: with three players or more a free known pair may be worth more on the table than taken.
//! - Passes are not stored: what comes after them follows from the row.

use super::super::rules::{Counts, MAX_PATTERNS, Memory, Objective};
use super::kernel::{self, Cards, First, Margin, Pairs, Scratch, Tally, Want, Wins, WinsThenPairs};
use super::rules::{Aim, Party, Passes, State, Terms, Tie};
use super::scores::{Layer, place, ways};
use super::stored::Outside;
use super::worth::{Look, Worth};
use rayon::prelude::*;
use std::sync::atomic::Ordering;
use yomikiri_core::clock::Instant;
use yomikiri_core::combin::Fillings;
use yomikiri_core::{Error, Refusal, Run, text};
use yomikiri_solve::on_threads;

/// What stays after the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Everything: any position of the game can be asked about.
    All,
    /// What the moves of positions with the most unknown cards and pairs lead to.
    Near,
}

/// Which positions a table is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Ranks on the table.
    pub ranks: usize,
    /// Unknown cards and pairs on the table, at most.
    pub top: (usize, usize),
    /// Pairs on the table and in scores together. Where scores do not matter it is 0.
    pub total: usize,
}

impl Extent {
    /// What a position and all that can follow need.
    pub fn of<const K: usize>(game: &Party<K>, s: &State<K>) -> Extent {
        let cards = game.cards();
        let gone = usize::from(s.counts[cards.patterns().len() - 1]);
        let top = (cards.unknown(&s.counts), cards.remaining(&s.counts));
        let lowest = s.scores.iter().min().copied().unwrap_or(0);
        let ahead: usize = s.scores.iter().map(|&n| usize::from(n - lowest)).sum();
        Extent {
            ranks: (cards.ranks() - gone).max(1),
            top,
            total: if game.terms().wins() { top.1 + ahead } else { 0 },
        }
    }

    /// Enough for both. Totals that differ by a multiple of the players can share a table.
    pub fn and(self, other: Extent) -> Extent {
        Extent {
            ranks: self.ranks.max(other.ranks),
            top: (self.top.0.max(other.top.0), self.top.1.max(other.top.1)),
            total: self.total.max(other.total),
        }
    }
}

/// Ranks by pattern, without those that are gone.
type Lying = [usize; MAX_PATTERNS];
type Filler = fn(&Cards<'_>, &Layer, &mut [f64], &mut Scratch) -> Tally;

/// A solved game.
pub struct Table<const K: usize> {
    pub(super) cards: Memory,
    pub(super) terms: Terms,
    pub(super) extent: Extent,
    pub(super) fillings: Fillings,
    /// Numbers a value has.
    pub(super) width: usize,
    /// By remaining pairs, then by unknown cards.
    pub(super) blocks: Vec<Vec<Vec<f64>>>,
    /// Where the values are if they are not here.
    pub(super) outside: Option<Outside>,
    /// The values of the starts of every number of ranks, where scores do not matter; in order of play.
    pub roots: Vec<Vec<f64>>,
    /// How best moves are distributed.
    pub tally: Tally,
    /// Seconds it took.
    pub seconds: f64,
}

fn filler<const K: usize, const W: usize, G: Want<K, W>>() -> (usize, Filler) {
    (W, kernel::fill::<K, W, G>)
}

/// The numbers a value has, and what computes them. Both parts of a value need a constant of their own.
fn kind<const K: usize>(terms: Terms) -> (usize, Filler) {
    match (terms.aim, terms.tie) {
        (Aim::Win, Tie::Lex) => match K {
            2 => filler::<2, 4, WinsThenPairs>(),
            3 => filler::<3, 6, WinsThenPairs>(),
            4 => filler::<4, 8, WinsThenPairs>(),
            _ => filler::<5, 10, WinsThenPairs>(),
        },
        (Aim::Win, _) => filler::<K, K, Wins>(),
        (Aim::Pairs, _) => filler::<K, K, Pairs>(),
        (Aim::Margin, _) => filler::<K, K, Margin>(),
    }
}

impl<const K: usize> Table<K> {
    /// Solves all positions of an extent.
    ///
    /// # Errors
    /// Cancelled, or does not fit into the memory of the run, which is found out before anything is computed.
    pub fn solve(
        copies: usize,
        terms: Terms,
        extent: Extent,
        keep: Keep,
        run: &Run<'_>,
    ) -> Result<Table<K>, Error> {
        let mut table = Table::empty(copies, terms, extent, run)?;
        let (positions, bytes) = table.need(keep);
        run.fits(bytes)?;
        table.refuse_endless(positions)?;
        run.observer.begin(&text("pairs left on the table", "残りペア数ごとの計算"), positions);
        let start = Instant::now();
        on_threads(run, || table.sweep(keep, run))??;
        table.seconds = start.elapsed().as_secs_f64();
        run.observer.end();
        Ok(table)
    }

    /// Nothing computed yet.
    ///
    /// # Errors
    /// If what numbers the states of the cards does not fit.
    pub(super) fn empty(
        copies: usize,
        terms: Terms,
        extent: Extent,
        run: &Run<'_>,
    ) -> Result<Table<K>, Error> {
        let cards = Memory::new(extent.ranks, copies, Objective::Cards)?;
        let kinds = cards.patterns().len() - 1;
        let (top_unknown, top_pairs) = extent.top;
        let cells = (top_unknown as u64 + 1) * (top_pairs as u64 + 1) * (extent.ranks as u64 + 1);
        run.fits(cells * 8 * (kinds as u64 + 1))?;
        let weights: Vec<(usize, usize)> =
            cards.patterns()[..kinds].iter().map(|p| (usize::from(p.unknown), p.pairs())).collect();
        Ok(Table {
            fillings: Fillings::new(&weights, extent.top, extent.ranks),
            width: kind::<K>(terms).0,
            cards,
            terms,
            extent,
            blocks: Vec::new(),
            outside: None,
            roots: Vec::new(),
            tally: Tally::default(),
            seconds: 0.0,
        })
    }

    /// Refuses more than can be computed before anybody stops waiting, whatever the memory.
    pub(super) fn refuse_endless(&self, positions: u64) -> Result<(), Refusal> {
        if positions > u64::from(u32::MAX) << 8 {
            let accepts = text("fewer ranks or players", "より少ないランク数か人数");
            return Err(Refusal::new("ranks", self.extent.ranks, accepts));
        }
        Ok(())
    }

    /// Score vectors with so many pairs left.
    pub(super) fn row(&self, pairs: usize) -> u64 {
        if self.terms.wins() { ways(self.extent.total - pairs, K) } else { 1 }
    }

    pub(super) fn size(&self, pairs: usize, unknown: usize) -> u64 {
        self.fillings.len((unknown, pairs)).saturating_mul(self.row(pairs))
    }

    pub(super) fn unknowns(&self, pairs: usize) -> std::ops::RangeInclusive<usize> {
        0..=(2 * pairs).min(self.extent.top.0)
    }

    /// Positions, and the bytes they take at most at a time.
    pub(super) fn need(&self, keep: Keep) -> (u64, u64) {
        let (mut positions, mut peak, mut before) = (0u64, 0u64, 0u64);
        for pairs in 0..=self.extent.top.1 {
            // What the layer before still has, and what this one has so far.
            let (mut old, mut new) = (before, 0u64);
            for unknown in self.unknowns(pairs) {
                new = new.saturating_add(self.size(pairs, unknown));
                peak = peak.max(old.saturating_add(new));
                if let (Some(pairs), Some(unknown)) = (pairs.checked_sub(1), unknown.checked_sub(2)) {
                    old = old.saturating_sub(self.size(pairs, unknown));
                }
            }
            positions = positions.saturating_add(new);
            before = new;
        }
        // Blocks that were let go are not all used again at once: measured, a third comes on top.
        let kept = if keep == Keep::All { positions } else { peak.saturating_add(peak / 3) };
        let layer = if self.terms.wins() { Layer::bytes::<K>(self.extent.total) } else { 0 };
        (positions, kept.saturating_mul(8 * self.width as u64).saturating_add(layer))
    }

    /// Positions solved, nobody having just passed in them; where scores do not matter, states of the cards.
    pub fn positions(&self) -> u64 {
        self.need(Keep::All).0
    }

    /// Bytes its values take.
    pub fn bytes(&self) -> u64 {
        self.blocks.iter().flatten().map(|block| block.len() as u64 * 8).sum()
    }

    fn layer(&self, pairs: usize) -> Layer {
        if self.terms.wins() { Layer::new::<K>(self.extent.total - pairs) } else { Layer::one() }
    }

    fn sweep(&mut self, keep: Keep, run: &Run<'_>) -> Result<(), Error> {
        let mut done = 0;
        for pairs in 0..=self.extent.top.1 {
            self.fill_layer(pairs, keep, &mut done, run)?;
            if !self.terms.wins() {
                self.note_root(pairs);
            }
        }
        Ok(())
    }

    /// Computes all blocks of so many pairs; the layer before is there.
    pub(super) fn fill_layer(
        &mut self,
        pairs: usize,
        keep: Keep,
        done: &mut u64,
        run: &Run<'_>,
    ) -> Result<(), Error> {
        let (top_unknown, top_pairs) = self.extent.top;
        let layer = self.layer(pairs);
        self.blocks.push(Vec::new());
        for unknown in self.unknowns(pairs) {
            let (block, tally) = self.block(pairs, unknown, &layer, run)?;
            self.blocks[pairs].push(block);
            self.tally = self.tally.and(tally);
            *done += self.size(pairs, unknown);
            run.observer.done(*done);
            // In the last two layers the moves of the largest positions look there.
            let needed = keep == Keep::All || pairs == top_pairs && unknown + 2 > top_unknown;
            if let (false, Some(pairs), Some(unknown)) =
                (needed, pairs.checked_sub(1), unknown.checked_sub(2))
                && let Some(block) = self.blocks[pairs].get_mut(unknown)
            {
                *block = Vec::new();
            }
        }
        if keep == Keep::Near && pairs < top_pairs && pairs > 0 {
            self.blocks[pairs - 1] = Vec::new();
        }
        Ok(())
    }

    /// Notes the value of the start whose pairs are these.
    fn note_root(&mut self, pairs: usize) {
        let (half, copies) = (self.cards.copies() / 2, self.cards.copies());
        let (ranks, mut counts) = (pairs / half, [0; MAX_PATTERNS]);
        if pairs.is_multiple_of(half) && ranks == self.roots.len() {
            counts[0] = ranks;
            let row = self.values(&counts, (ranks * copies, pairs), 0);
            let values = row.map(|row| self.worth(&row, 0, [0; K]).values(self.terms.aim, 0));
            self.roots.extend(values);
        }
    }

    /// Computes the rows of a block.
    fn block(
        &self,
        pairs: usize,
        unknown: usize,
        layer: &Layer,
        run: &Run<'_>,
    ) -> Result<(Vec<f64>, Tally), Error> {
        let len = self.fillings.len((unknown, pairs)) as usize;
        let stride = layer.len * self.width;
        let mut values = vec![0.0; len * stride];
        if pairs == 0 {
            // Nothing is left: what was won stays, and no pair is to come.
            for (row, ends) in values.chunks_mut(self.width).zip(layer.ends.chunks(K)) {
                row[..K].copy_from_slice(ends);
            }
            return Ok((values, Tally::default()));
        }
        let fill = kind::<K>(self.terms).1;
        let tally = values
            .par_chunks_mut(stride)
            .enumerate()
            .map_init(Scratch::default, |scratch, (at, row)| {
                if run.cancel.load(Ordering::Relaxed) {
                    return Tally::default();
                }
                let Some(counts) = self.fillings.unrank((unknown, pairs), at as u64) else {
                    return Tally::default();
                };
                let mut x = [0; MAX_PATTERNS];
                x[..counts.len()].copy_from_slice(&counts);
                fill(&self.lead(&x, unknown, pairs), layer, row, scratch)
            })
            .reduce(Tally::default, Tally::and);
        run.check()?;
        Ok((values, tally))
    }

    /// The row of a state of the cards, if it is kept.
    fn kept(&self, x: &Lying, unknown: usize, pairs: usize) -> Option<&[f64]> {
        let block = self.blocks.get(pairs)?.get(unknown)?;
        let stride = self.row(pairs) as usize * self.width;
        let at = self.fillings.rank(&x[..self.cards.patterns().len() - 1]) as usize * stride;
        block.get(at..at + stride)
    }

    /// A value: of a state of the cards and the scores at a place of its row, wherever it is.
    fn values(&self, x: &Lying, (unknown, pairs): (usize, usize), place: usize) -> Option<Vec<f64>> {
        let Some(outside) = &self.outside else {
            let row = self.kept(x, unknown, pairs)?;
            return row.get(place * self.width..(place + 1) * self.width).map(<[f64]>::to_vec);
        };
        let mut value = vec![0.0; self.width];
        let rank = self.fillings.rank(&x[..self.cards.patterns().len() - 1]);
        let row = outside.row(pairs, unknown, rank)?;
        outside.read(pairs, row * self.row(pairs) + place as u64, &mut value)?;
        Some(value)
    }

    /// The rows that the moves at a state of the cards lead to.
    fn lead(&self, x: &Lying, unknown: usize, pairs: usize) -> Cards<'_> {
        let kinds = self.cards.patterns().len() - 1;
        // The state with one rank in another pattern; a rank that is gone is in none.
        let moved = |x: &Lying, from: usize, unknown: u8, known: u8| {
            let mut next = *x;
            next[from] -= 1;
            let to = usize::from(self.cards.place(unknown, known));
            if to < kinds {
                next[to] += 1;
            }
            next
        };
        // Every row that is asked for has been computed: it has fewer unknown cards or pairs.
        let row = |x: &Lying, unknown: usize, pairs: usize| self.kept(x, unknown, pairs).unwrap_or_default();
        let patterns = &self.cards.patterns()[..kinds];
        let known_ranks: usize = patterns.iter().zip(x).filter(|(p, _)| p.known > 0).map(|(_, n)| n).sum();
        let mut firsts = Vec::with_capacity(kinds);
        for (i, p) in patterns.iter().enumerate().filter(|(i, p)| x[*i] > 0 && p.unknown > 0) {
            let shown = moved(x, i, p.unknown - 1, p.known + 1);
            let mut first = First { weight: (x[i] * usize::from(p.unknown)) as f64, ..First::default() };
            if p.known > 0 {
                first.same = Some(row(&moved(x, i, p.unknown - 1, p.known - 1), unknown - 1, pairs - 1));
            }
            if known_ranks > usize::from(p.known > 0) {
                first.different = Some(row(&shown, unknown - 1, pairs));
            }
            for (j, q) in patterns.iter().enumerate() {
                let ranks = x[j] - usize::from(i == j);
                if ranks > 0 && q.unknown > 0 {
                    let both = moved(&shown, j, q.unknown - 1, q.known + 1);
                    let weight = (ranks * usize::from(q.unknown)) as f64;
                    first.unknown.push((weight, row(&both, unknown - 2, pairs)));
                }
            }
            if p.unknown > 1 {
                let matched = moved(x, i, p.unknown - 2, p.known);
                first.matched = Some((f64::from(p.unknown - 1), row(&matched, unknown - 2, pairs - 1)));
            }
            firsts.push(first);
        }
        let takes = self.cards.takes().map(|i| (usize::from(i), patterns[usize::from(i)]));
        let takes = takes
            .filter(|(i, _)| x[*i] > 0)
            .map(|(i, p)| (row(&moved(x, i, p.unknown, p.known - 2), unknown, pairs - 1), p.free_pair()));
        let mut takes: Vec<(&[f64], bool)> = takes.collect();
        // The order that decides ties: free pairs before others.
        takes.sort_by_key(|take| !take.1);
        Cards {
            unknown: unknown as f64,
            firsts,
            takes,
            passable: known_ranks >= 2 && self.terms.passes != Passes::Never,
            ends: self.terms.passes == Passes::End,
            tie: self.terms.tie,
        }
    }

    /// A value of a row, by seat, for positions in which these scores are already there.
    fn worth(&self, row: &[f64], mover: usize, scores: [u16; K]) -> Worth<f64> {
        let (wins, pairs) = row.split_at(if self.terms.wins() { K } else { 0 });
        let by_seat = |part: &[f64]| {
            let mut part = part.to_vec();
            if !part.is_empty() {
                part.rotate_right(mover);
            }
            part
        };
        let mut worth = Worth { wins: by_seat(wins), pairs: by_seat(pairs) };
        worth.pairs.iter_mut().zip(scores).for_each(|(x, n)| *x += f64::from(n));
        worth
    }

    /// What a position in which nobody has just passed is worth, if the table has it. Only differences of scores
    /// matter for a win.
    pub fn lookup(&self, counts: &Counts, s: &State<K>) -> Option<Worth<f64>> {
        let kinds = self.cards.patterns().len() - 1;
        let mut x = [0; MAX_PATTERNS];
        x[..kinds].iter_mut().zip(counts).for_each(|(to, &from)| *to = usize::from(from));
        let (unknown, pairs) = (self.cards.unknown(counts), self.cards.remaining(counts));
        let fits = unknown <= self.extent.top.0 && pairs <= self.extent.top.1;
        if !fits || x[..kinds].iter().sum::<usize>() > self.extent.ranks {
            return None;
        }
        let at = if self.terms.wins() {
            let scores = s.in_order();
            let taken: i64 = scores.iter().map(|&n| i64::from(n)).sum();
            let missing = self.extent.total as i64 - pairs as i64 - taken;
            let each = (missing % K as i64 == 0).then_some(missing / K as i64)?;
            let mut even = [0u16; K];
            for (to, from) in even.iter_mut().zip(scores) {
                *to = u16::try_from(i64::from(from) + each).ok()?;
            }
            place(&even) as usize
        } else {
            0
        };
        let value = self.values(&x, (unknown, pairs), at)?;
        Some(self.worth(&value, s.mover.into(), s.scores))
    }
}

impl<const K: usize> Look<K, f64> for &Table<K> {
    fn look(&mut self, game: &Party<K>, s: &State<K>) -> Option<Worth<f64>> {
        if s.passes > 0 { self.expand(game, s) } else { self.lookup(&s.counts, s) }
    }
}
