//! Memory's own solver: all positions level by level in the number of unknown cards, as dense rows.
//!
//! What makes it fast, next to the generic induction that tests compare it with:
//! - Known pairs that cost nothing to take (see [`super::rules::Pattern::free_pair`]) are taken at once, so only ranks
//!   with at least as many unknown as known cards are counted.
//! - The pass flag is not stored. Let W be the best value without passing. Where two ranks have known
//!   cards, V(d) = max(W(d), −W(−d)) for d > 0 and V(0) = max(W(0), 0): the other player, passed to
//!   while behind, does not pass back, and at equality may end the game in a draw.
//! - A level is cut into blocks of equal unknown cards U and remaining pairs R. All rows of a block have
//!   the same length, and depend only on blocks (U−1, ·), (U−2, ·) and (U, R−1): a block is computed in
//!   parallel, and only three levels need to be kept.
//! - Values do not depend on how many ranks are gone, so one pass gives every smaller game too.
//!
//! Values are zero-sum: +1 is a win for the player to move. Exact values at U unknown cards are integers
//! over U!, because a turned card divides by U; so no fraction is ever reduced on the way.

mod arithmetic;
mod outside;
mod shape;

pub use arithmetic::{Arithmetic, Doubles, Factorials};
pub use outside::{Laid, Layout};
pub use shape::Shape;

use super::rules::{Counts, MAX_PATTERNS, Memory, Objective, Phase, State};
use outside::Outside;
use rayon::prelude::*;
use shape::{Block, Change};
use std::io::{self, Read, Write};
use yomikiri_core::clock::Instant;
use yomikiri_core::{Error, Number, Run, Text, text};
use yomikiri_solve::on_threads;
use yomikiri_solve::solution::{Solution, Stored};

/// Values as people read them, win rates or pairs, that are closer than this are equal.
pub const TOLERANCE: f64 = 1e-12;
/// Places above a row for positions that are already won.
const PAD: usize = 2;
/// Rows a thread computes at a time.
const CHUNK: usize = 32;

/// What of the table stays after the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Every level: any position can be asked about afterwards.
    All,
    /// Only the levels in use: the values of the starting positions of all sizes remain.
    Window,
}

/// How the best moves are distributed; ties go to take before flip before pass, and to same before
/// different before unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Positions where taking a known pair that is not free, turning a card, and passing is best.
    pub first: [u64; 3],
    /// By kind of the turned card, where turning is best: same, different, unknown.
    pub second: [[u64; 3]; MAX_PATTERNS],
}

/// No game has so many positions: counts up to this can be added up.
pub(super) const MOST: u64 = 1 << 48;

impl Tally {
    fn add(mut self, other: &Tally) -> Tally {
        for (a, b) in self.first.iter_mut().zip(&other.first) {
            *a += b;
        }
        for (a, b) in self.second.as_flattened_mut().iter_mut().zip(other.second.as_flattened()) {
            *a += b;
        }
        self
    }
}

/// A solved game.
pub struct Levels<A: Arithmetic> {
    arithmetic: A,
    shape: Shape,
    /// By unknown cards, then by remaining pairs from the lowest possible.
    levels: Vec<Vec<Block<A::N>>>,
    /// Where the values are if they are not here.
    outside: Option<Outside>,
    /// Value of the starting position with so many ranks, where its parity occurs in the table.
    roots: Vec<Option<A::N>>,
    /// How the best moves are distributed.
    pub tally: Tally,
    /// Values computed.
    pub values: u64,
    /// Seconds it took, those before an interruption included.
    pub seconds: f64,
}

struct Scratch<N> {
    best: Vec<N>,
    sum: Vec<N>,
    other: Vec<N>,
    total: Vec<N>,
    choice: Vec<u8>,
}

impl<N: Clone + Default> Scratch<N> {
    fn new(width: usize, kinds: usize) -> Scratch<N> {
        let row = vec![N::default(); width];
        Scratch {
            best: row.clone(),
            sum: row.clone(),
            other: row.clone(),
            total: row,
            choice: vec![0; width * kinds],
        }
    }
}

/// Improves a row of best values by another option, and notes where that option is as good as the best.
#[inline]
fn consider<A: Arithmetic>(
    values: impl Iterator<Item = A::N>,
    best: &mut [A::N],
    choice: &mut [u8],
    which: u8,
    first: bool,
) {
    for ((v, best), choice) in values.zip(best).zip(choice) {
        if first || A::as_good(&v, best) {
            *choice = which;
        }
        if first || v > *best {
            *best = v;
        }
    }
}

/// A row of a successor, cut so that its entries line up with those of the position that asks.
struct Aligned<'a, N> {
    row: &'a [N],
    /// Pairs taken on the way, by whoever moves next.
    pairs: usize,
}

impl<A: Arithmetic> Levels<A> {
    fn block(&self, unknown: usize, pairs: usize) -> &Block<A::N> {
        &self.levels[unknown][pairs - unknown.div_ceil(2)]
    }

    /// The row behind `changes` of single ranks of `x`. `width` is that of the asking row.
    #[inline]
    fn row(
        &self,
        x: &[u8; MAX_PATTERNS],
        changes: [(usize, Change); 2],
        used: usize,
        (unknown, pairs, width): (usize, usize, usize),
    ) -> Aligned<'_, A::N> {
        let mut y = *x;
        let mut taken = 0;
        for &(from, (to, t)) in &changes[..used] {
            y[from] -= 1;
            if let Some(to) = to {
                y[to] += 1;
            }
            taken += t;
        }
        let block = self.block(unknown, pairs - taken);
        let at = self.shape.place(block, &y);
        // d' = d + taken for the same player and −d + taken for the other: the same span of entries.
        let skip = match self.shape.objective {
            Objective::Win => (block.width + taken - width) / 2,
            Objective::Cards => 0,
        };
        let start = at * block.stride() + skip;
        Aligned { row: &block.values[start..start + width], pairs: taken }
    }

    fn kinds(&self) -> usize {
        self.shape.kinds.len()
    }

    /// Computes the row of one position from the levels below.
    fn compute(
        &self,
        x: &[u8; MAX_PATTERNS],
        (unknown, pairs, width): (usize, usize, usize),
        out: &mut [A::N],
        scratch: &mut Scratch<A::N>,
        units: [&A::N; 3],
        tally: &mut Tally,
    ) {
        let cards = self.shape.objective == Objective::Cards;
        let known_ranks: usize = self
            .shape
            .kinds
            .iter()
            .zip(x)
            .map(|(k, &n)| if k.pattern.known > 0 { usize::from(n) } else { 0 })
            .sum();
        let Scratch { best, sum, other, total, choice } = scratch;
        let (best, sum, other, total) =
            (&mut best[..width], &mut sum[..width], &mut other[..width], &mut total[..width]);
        total.fill(A::N::default());
        let place = |level: usize| (level, pairs, width);
        let gained = |v: &A::N, pairs: usize, unit: &A::N| {
            let mut v = v.clone();
            if cards {
                A::bonus(&mut v, pairs, unit);
            }
            v
        };
        for (p, kind) in self.shape.kinds.iter().enumerate() {
            if x[p] == 0 {
                continue;
            }
            let choice = &mut choice[p * width..(p + 1) * width];
            // The second unknown card.
            let mut options = 0u8;
            if unknown >= 2 {
                let rest = unknown - 1;
                other.fill(A::N::default());
                for (j, second) in self.shape.kinds.iter().enumerate() {
                    let ranks = usize::from(x[j]) - usize::from(j == p);
                    if ranks == 0 {
                        continue;
                    }
                    let weight = A::weight(ranks * usize::from(second.pattern.unknown), rest);
                    // The second change applies to what the first one left.
                    let next = self.row(x, [(p, kind.reveal), (j, second.reveal)], 2, place(unknown - 2));
                    for (sum, v) in other.iter_mut().zip(next.row) {
                        A::add(sum, weight, v);
                    }
                    if cards {
                        A::add(&mut other[0], weight, &gained(&A::N::default(), next.pairs, units[2]));
                    }
                }
                for (sum, v) in sum.iter_mut().zip(other.iter().rev()) {
                    *sum = A::negate(v);
                }
                if let Some(change) = kind.matched {
                    let weight = A::weight(usize::from(kind.pattern.unknown) - 1, rest);
                    let next = self.row(x, [(p, change); 2], 1, place(unknown - 2));
                    for (sum, v) in sum.iter_mut().zip(next.row) {
                        A::add(sum, weight, v);
                    }
                    if cards {
                        A::add(&mut sum[0], weight, &gained(&A::N::default(), next.pairs, units[2]));
                    }
                }
                best.clone_from_slice(sum);
                choice.fill(2);
                options = 1;
            }
            // In the order unknown, different, same: the later one wins ties.
            if known_ranks > usize::from(kind.pattern.known > 0) {
                let next = self.row(x, [(p, kind.reveal); 2], 1, place(unknown - 1));
                let values = next.row.iter().rev().map(|v| A::negate(&gained(v, next.pairs, units[1])));
                consider::<A>(values, best, choice, 1, options == 0);
                options += 1;
            }
            if let Some(change) = kind.same {
                let next = self.row(x, [(p, change); 2], 1, place(unknown - 1));
                let values = next.row.iter().map(|v| gained(v, next.pairs, units[1]));
                consider::<A>(values, best, choice, 0, options == 0);
            }
            let weight = A::weight(usize::from(x[p]) * usize::from(kind.pattern.unknown), unknown);
            for (total, best) in total.iter_mut().zip(best.iter()) {
                A::add(total, weight, best);
            }
        }
        // Known pairs that are not free.
        let mut take = false;
        for (p, kind) in self.shape.kinds.iter().enumerate() {
            let (Some(change), true) = (kind.take, x[p] > 0) else { continue };
            let next = self.row(x, [(p, change); 2], 1, place(unknown));
            for (best, v) in best.iter_mut().zip(next.row) {
                let v = gained(v, next.pairs, units[0]);
                if !take || v > *best {
                    *best = v;
                }
            }
            take = true;
        }
        let can_pass = known_ranks >= 2;
        let zero = A::N::default();
        for i in 0..width {
            out[i] = if take && best[i] > total[i] { best[i].clone() } else { total[i].clone() };
        }
        for i in (0..width).rev() {
            let mirror = width - 1 - i;
            let pass = if !can_pass || i < mirror {
                None
            } else if i == mirror {
                Some(zero.clone())
            } else {
                Some(A::negate(&out[mirror]))
            };
            let top = match &pass {
                Some(pass) if *pass > out[i] => pass.clone(),
                _ => out[i].clone(),
            };
            if take && A::as_good(&best[i], &top) {
                tally.first[0] += 1;
            } else if A::as_good(&total[i], &top) {
                tally.first[1] += 1;
                for p in 0..self.kinds() {
                    if x[p] > 0 {
                        tally.second[p][usize::from(choice[p * width + i])] += 1;
                    }
                }
            } else {
                tally.first[2] += 1;
            }
            out[i] = top;
        }
    }

    /// Computes a block whose lower blocks are there.
    fn fill_block(&self, unknown: usize, pairs: usize, run: &Run<'_>) -> Result<(Block<A::N>, Tally), Error> {
        let mut block: Block<A::N> = self.shape.block(unknown, pairs);
        let stride = block.stride();
        let width = block.width;
        let here = self.arithmetic.unit(unknown);
        let below = self.arithmetic.unit(unknown.saturating_sub(1));
        let lower = self.arithmetic.unit(unknown.saturating_sub(2));
        let units = [&here, &below, &lower];
        let mut values = vec![A::N::default(); block.len * stride];
        let chunk = |scratch: &mut Scratch<A::N>, at: usize, rows: &mut [A::N]| {
            let mut tally = Tally::default();
            let mut run_at = block.runs.partition_point(|r| r.start <= at * CHUNK) - 1;
            for (position, row) in (at * CHUNK..).zip(rows.chunks_mut(stride)) {
                while block.runs.get(run_at + 1).is_some_and(|next| next.start <= position) {
                    run_at += 1;
                }
                let run = &block.runs[run_at];
                let mut x = run.prefix;
                if self.kinds() > 2 {
                    x[self.shape.prefix] = (run.low + position - run.start) as u8;
                }
                self.shape.complete(&mut x, unknown, pairs);
                let (row, pad) = row.split_at_mut(width);
                if pairs > 0 {
                    self.compute(&x, (unknown, pairs, width), row, scratch, units, &mut tally);
                }
                pad.fill(here.clone());
            }
            tally
        };
        let scratch = || Scratch::new(width, self.kinds());
        let tally = if block.len <= CHUNK {
            if block.len == 0 { Tally::default() } else { chunk(&mut scratch(), 0, &mut values) }
        } else {
            values
                .par_chunks_mut(stride * CHUNK)
                .enumerate()
                .map_init(scratch, |scratch, (at, rows)| {
                    if run.cancel.load(std::sync::atomic::Ordering::Relaxed) {
                        return Tally::default();
                    }
                    chunk(scratch, at, rows)
                })
                .reduce(Tally::default, |a, b| a.add(&b))
        };
        run.check()?;
        block.values = values;
        Ok((block, tally))
    }

    /// The bytes its values take.
    pub fn bytes(&self) -> u64 {
        self.shape.need(&self.arithmetic, Keep::All).1
    }

    /// Solves a game, going on from a checkpoint if the run's store has one under `name`.
    ///
    /// # Errors
    /// Cancelled, does not fit into the memory of the run, or its store fails.
    pub fn solve(game: &Memory, arithmetic: A, keep: Keep, run: &Run<'_>) -> Result<Levels<A>, Error> {
        let shape = Shape::new(game);
        run.fits(shape.at_least(keep))?;
        let (values, bytes) = shape.need(&arithmetic, keep);
        run.fits(bytes)?;
        let name = store_name(game, A::NAME, if keep == Keep::All { "table" } else { "checkpoint" });
        let mut levels = Levels::empty(shape, arithmetic, values);
        if let Some(mut stored) = run.store.load(&name) {
            match levels.restore(keep, &mut stored) {
                Ok(()) if levels.levels.len() <= levels.shape.cards() => run.observer.note(&Text::of(
                    format!("resumed at {} of {} unknown cards", levels.levels.len(), levels.shape.cards()),
                    format!("未知カード{}枚（全{}枚）から再開", levels.levels.len(), levels.shape.cards()),
                )),
                Ok(()) => return Ok(levels),
                Err(_) => {
                    // Not ours or not whole: begin anew.
                    run.store.remove(&name);
                    levels.levels.clear();
                    levels.seconds = 0.0;
                    levels.tally = Tally::default();
                    levels.roots.fill(None);
                }
            }
        }
        let done: u64 = (0..levels.levels.len()).map(|u| levels.shape.census(u).1).sum();
        run.observer.begin(&text("levels of unknown cards", "未知カード枚数ごとの計算"), values);
        run.observer.done(done);
        let result = on_threads(run, || levels.sweep(keep, &name, done, run))?;
        run.observer.end();
        result?;
        match keep {
            Keep::All => run.store.save(&name, &mut |to| levels.save(to))?,
            Keep::Window => run.store.remove(&name),
        }
        Ok(levels)
    }

    /// Nothing computed yet.
    fn empty(shape: Shape, arithmetic: A, values: u64) -> Levels<A> {
        Levels {
            roots: vec![None; shape.ranks + 1],
            arithmetic,
            levels: Vec::with_capacity(shape.cards() + 1),
            outside: None,
            tally: Tally::default(),
            values,
            seconds: 0.0,
            shape,
        }
    }

    /// Computes the next level; if that is stopped, everything is as it was before.
    fn fill_level(&mut self, done: &mut u64, run: &Run<'_>) -> Result<(), Error> {
        let unknown = self.levels.len();
        self.levels.push(Vec::new());
        let before = self.tally.clone();
        for pairs in self.shape.pairs_at(unknown) {
            match self.fill_block(unknown, pairs, run) {
                Ok((block, tally)) => {
                    *done += (block.len * block.width) as u64;
                    self.levels[unknown].push(block);
                    self.tally = std::mem::take(&mut self.tally).add(&tally);
                }
                Err(stopped) => {
                    self.levels.pop();
                    self.tally = before;
                    return Err(stopped);
                }
            }
            run.observer.done(*done);
        }
        Ok(())
    }

    fn sweep(&mut self, keep: Keep, name: &str, mut done: u64, run: &Run<'_>) -> Result<(), Error> {
        let mut checkpoints = run.checkpoints();
        let (start, before) = (Instant::now(), self.seconds);
        for unknown in self.levels.len()..=self.shape.cards() {
            self.seconds = before + start.elapsed().as_secs_f64();
            if keep == Keep::Window && checkpoints.due() {
                checkpoints.keep(|| run.store.save(name, &mut |to| self.save(to)))?;
            }
            if let Err(stopped) = self.fill_level(&mut done, run) {
                // The last whole level is kept.
                if keep == Keep::Window {
                    run.store.save(name, &mut |to| self.save(to))?;
                }
                return Err(stopped);
            }
            if unknown.is_multiple_of(self.shape.copies) {
                let ranks = unknown / self.shape.copies;
                let mut counts = [0; MAX_PATTERNS];
                counts[0] = ranks as u8;
                self.roots[ranks] = self.entry(&counts, self.shape.totals(&counts), 0);
            }
            if keep == Keep::Window && unknown >= 2 {
                self.levels[unknown - 2] = Vec::new();
            }
        }
        self.seconds = before + start.elapsed().as_secs_f64();
        Ok(())
    }

    /// The entry at stored kinds `x` and difference `d`, if the table has it.
    fn entry(
        &self,
        x: &[u8; MAX_PATTERNS],
        (unknown, pairs, ranks): (usize, usize, usize),
        d: i64,
    ) -> Option<A::N> {
        if ranks > self.shape.ranks {
            return None;
        }
        if let Some(outside) = &self.outside {
            return A::of_double(outside.value(&self.shape, x, (unknown, pairs), d)?);
        }
        let block = self.levels.get(unknown)?.get(pairs.checked_sub(unknown.div_ceil(2))?)?;
        let column = self.shape.column(block.width, d)?;
        block.values.get(self.shape.place(block, x) * block.stride() + column).cloned()
    }

    /// The value of the starting position with so many ranks, if its parity occurs in the table.
    pub fn root(&self, ranks: usize) -> Option<A::Shown> {
        let root = self.roots.get(ranks)?.as_ref()?;
        Some(self.arithmetic.shown(root, ranks * self.shape.copies))
    }

    /// The value of a position in which nobody has just passed, for the player to move. The ranks may be
    /// those of another game with as many copies.
    pub fn lookup(&self, counts: &Counts, diff: i16) -> Option<A::Shown> {
        let mut x = [0; MAX_PATTERNS];
        let mut d = i64::from(diff);
        for (&(kind, pairs), &n) in self.shape.settled.iter().zip(counts) {
            d += pairs as i64 * i64::from(n);
            if let Some(kind) = kind {
                x[kind] += n;
            }
        }
        let totals = self.shape.totals(&x);
        let (unknown, left, _) = totals;
        let win = self.shape.objective == Objective::Win;
        if win && d.unsigned_abs() > left as u64 {
            return Some(A::Shown::from_int(d.signum() as i32));
        }
        if left == 0 {
            return Some(A::Shown::from_int(if win { d.signum() } else { d } as i32));
        }
        let mut shown = self.arithmetic.shown(&self.entry(&x, totals, d)?, unknown);
        if !win {
            shown.add_weighted(1, &A::Shown::from_int(d as i32));
        }
        Some(shown)
    }

    fn save(&self, to: &mut dyn Write) -> io::Result<()> {
        let number = |to: &mut dyn Write, n: u64| to.write_all(&n.to_le_bytes());
        number(to, self.levels.len() as u64)?;
        number(to, self.seconds.to_bits())?;
        for n in self.tally.first.iter().chain(self.tally.second.as_flattened()) {
            number(to, *n)?;
        }
        for level in &self.levels {
            number(to, level.len() as u64)?;
            for block in level {
                number(to, block.values.len() as u64)?;
                A::write(&block.values, to)?;
            }
        }
        for root in &self.roots {
            number(to, u64::from(root.is_some()))?;
            A::write(root.as_slice(), to)?;
        }
        Ok(())
    }

    fn restore(&mut self, keep: Keep, from: &mut dyn Read) -> io::Result<()> {
        fn number(from: &mut dyn Read) -> io::Result<u64> {
            let mut bytes = [0; 8];
            from.read_exact(&mut bytes)?;
            Ok(u64::from_le_bytes(bytes))
        }
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "not a table of this game");
        let levels = number(from)? as usize;
        if levels > self.shape.cards() + 1 {
            return Err(wrong());
        }
        self.seconds = f64::from_bits(number(from)?);
        for n in self.tally.first.iter_mut().chain(self.tally.second.as_flattened_mut()) {
            *n = Some(number(from)?).filter(|n| *n <= MOST).ok_or_else(wrong)?;
        }
        if !self.seconds.is_finite() {
            return Err(wrong());
        }
        for unknown in 0..levels {
            let blocks = number(from)? as usize;
            let mut level = Vec::new();
            // Only what the next level does not ask for may have been let go.
            let gone = keep == Keep::Window && unknown + 2 < levels;
            if blocks > 0 || !gone {
                if blocks != self.shape.pairs_at(unknown).count() {
                    return Err(wrong());
                }
                for pairs in self.shape.pairs_at(unknown) {
                    let mut block: Block<A::N> = self.shape.block(unknown, pairs);
                    if number(from)? != (block.len * block.stride()) as u64 {
                        return Err(wrong());
                    }
                    block.values = vec![A::N::default(); block.len * block.stride()];
                    A::read(&mut block.values, from)?;
                    level.push(block);
                }
            }
            self.levels.push(level);
        }
        for root in &mut self.roots {
            if number(from)? == 1 {
                A::read(std::slice::from_mut(root.insert(A::N::default())), from)?;
            }
        }
        Ok(())
    }
}

/// The name under which results of a game are stored.
pub fn store_name(game: &Memory, arithmetic: &str, what: &str) -> String {
    let objective = match game.objective() {
        Objective::Win => "win",
        Objective::Cards => "cards",
    };
    format!(
        "memory/ranks={},copies={},objective={objective}/{arithmetic}-{what}",
        game.ranks(),
        game.copies()
    )
}

impl<A: Arithmetic> Solution<Memory> for Levels<A> {
    type Number = A::Shown;

    fn tolerance(&self) -> f64 {
        TOLERANCE
    }

    fn stored(&self, _: &Memory, s: &State) -> Stored<A::Shown> {
        if s.phase != Phase::First || s.passed {
            return Stored::LookThrough;
        }
        self.lookup(&s.counts, s.diff).map_or(Stored::Missing, Stored::Value)
    }
}
