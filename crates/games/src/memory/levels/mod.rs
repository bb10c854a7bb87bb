//! Memory's own solver: all positions level by level in the number of unknown cards, as dense rows.
//!
//! What makes it fast, next to the generic induction that tests compare it with:
//! - Known pairs that cost nothing to take (see [`super::rules::Pattern::free_pair`]) are taken at once, so only ranks
//!   with at least as many unknown as known cards are counted.
//! - The pass flag is not stored. Let W be the best value without passing. Where two ranks have known
//!   cards, V(d) = max(W(d), −W(−d)) for d > 0 and V(0) = max(W(0), 0): the other player, passed to
//!   while behind, does not pass back, and at equality may end the game in a draw.
//! - A level is cut into blocks of equal unknown cards U and remaining pairs R. All rows of a block have
//!   the same length, and depend only on blocks (U−1, ·), (U−2, ·) and, where a known pair is taken, (U, R−1): only
//!   three levels need to be kept, and those parts of a level between which no pair is taken are computed in parallel.
//! - Values do not depend on how many ranks are gone, so one pass gives every smaller game too.
//!
//! Values are zero-sum: +1 is a win for the player to move. Exact values at U unknown cards are integers
//! over U!, because a turned card divides by U; so no fraction is ever reduced on the way.

mod arithmetic;
mod doubles;
mod level;
mod limbs;
mod outside;
mod plan;
mod row;
mod shape;
mod work;

pub use arithmetic::Arithmetic;
pub use doubles::Doubles;
pub use limbs::Factorials;
pub use outside::{Laid, Layout};
pub use shape::Shape;

use super::rules::{Counts, MAX_PATTERNS, Memory, Objective, Phase, State};
use level::{Block, Level};
use outside::Outside;
use plan::Plans;
use rayon::prelude::*;
use std::io::{self, Read, Write};
use work::{Item, Work};
use yomikiri_core::clock::Instant;
use yomikiri_core::{Error, Number, Run, Text, text};
use yomikiri_solve::on_threads;
use yomikiri_solve::solution::{Solution, Stored};

/// Values as people read them, win rates or pairs, that are closer than this are equal.
pub const TOLERANCE: f64 = 1e-12;
/// Places above a row for positions that are already won.
const PAD: usize = 2;
/// Cells of a level that one thread computes before others are awake.
const SMALL: usize = 4096;
/// Parts of a level for every thread: whoever is done first takes the next.
const PARTS: usize = 4;

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
    /// By unknown cards.
    levels: Vec<Level<A::Cell>>,
    /// Room for values and sums that a level took which is no longer needed, and how much the largest level takes where
    /// levels are let go.
    room: [Vec<A::Cell>; 2],
    largest: u64,
    /// Where the values are if they are not here.
    outside: Option<Outside>,
    /// Value of the starting position with so many ranks; empty where its parity does not occur in the table.
    roots: Vec<Vec<A::Cell>>,
    /// How the best moves are distributed, where that was asked for.
    pub tally: Option<Tally>,
    /// Values computed.
    pub values: u64,
    /// Seconds it took, those before an interruption included.
    pub seconds: f64,
}

impl<A: Arithmetic> Levels<A> {
    fn block(&self, unknown: usize, pairs: usize) -> Option<(&Level<A::Cell>, &Block)> {
        let level = self.levels.get(unknown)?;
        Some((level, level.blocks.get(pairs.checked_sub(unknown.div_ceil(2))?)?))
    }

    /// Computes a level whose lower levels are there.
    fn fill_level(
        &self,
        unknown: usize,
        room: [Vec<A::Cell>; 2],
        run: &Run<'_>,
    ) -> Result<(Level<A::Cell>, Tally), Error> {
        let mut level = self.shape.level(unknown, self.arithmetic.cells(unknown), room, self.largest);
        let (blocks, values, sums) = level.parts();
        let work = Work::new(self, unknown, blocks, run);
        let plans = Plans::new(&work);
        let alone = values.len() < SMALL || rayon::current_num_threads() < 2;
        let parts = if alone { 1 } else { PARTS * rayon::current_num_threads() };
        let mut items = work.items(values, sums, parts);
        let compute = |items: &mut [Item<'_, A::Cell>]| {
            let mut tally = Tally::default();
            plans.compute(items, &mut plans.scratch(), &mut tally);
            tally
        };
        let tally = if alone {
            compute(&mut items)
        } else {
            let parts: Vec<_> = items.chunk_by_mut(Item::together).collect();
            let parts = parts.into_par_iter().with_max_len(1);
            parts.map(compute).reduce(Tally::default, |a, b| a.add(&b))
        };
        run.check()?;
        level.let_runs_go();
        Ok((level, tally))
    }

    /// The bytes its values take.
    pub fn bytes(&self) -> u64 {
        self.shape.need(&self.arithmetic, Keep::All).1
    }

    /// Solves a game, going on from a checkpoint if the run's store has one.
    ///
    /// # Errors
    /// Cancelled, does not fit into the memory of the run, or its store fails.
    pub fn solve(game: &Memory, arithmetic: A, keep: Keep, run: &Run<'_>) -> Result<Levels<A>, Error> {
        let name = store_name(game, A::NAME, if keep == Keep::All { "table" } else { "values" });
        Levels::found(game, arithmetic, (keep, false), &name, run)
    }

    /// The same, and counts which moves are best on the way, which takes longer; no table stays.
    ///
    /// # Errors
    /// Cancelled, does not fit into the memory of the run, or its store fails.
    pub fn count(game: &Memory, arithmetic: A, run: &Run<'_>) -> Result<Levels<A>, Error> {
        let name = store_name(game, A::NAME, "checkpoint");
        Levels::found(game, arithmetic, (Keep::Window, true), &name, run)
    }

    fn found(
        game: &Memory,
        arithmetic: A,
        (keep, counting): (Keep, bool),
        name: &str,
        run: &Run<'_>,
    ) -> Result<Levels<A>, Error> {
        let shape = Shape::new(game);
        run.fits(shape.at_least(keep))?;
        let (values, bytes, largest) = shape.needs(&arithmetic, keep);
        run.fits(bytes)?;
        let mut levels = Levels::empty(shape, arithmetic, values);
        levels.largest = if keep == Keep::Window { largest } else { 0 };
        levels.tally = counting.then(Tally::default);
        if let Some(mut stored) = run.store.load(name) {
            match levels.restore(keep, &mut stored) {
                Ok(()) if levels.levels.len() <= levels.shape.cards() => run.observer.note(&Text::of(
                    format!("resumed at {} of {} unknown cards", levels.levels.len(), levels.shape.cards()),
                    format!("未知カード{}枚（全{}枚）から再開", levels.levels.len(), levels.shape.cards()),
                )),
                Ok(()) => return Ok(levels),
                Err(_) => {
                    // Not ours or not whole: begin anew.
                    run.store.remove(name);
                    levels.levels.clear();
                    levels.seconds = 0.0;
                    levels.tally = counting.then(Tally::default);
                    levels.roots.fill(Vec::new());
                }
            }
        }
        let done: u64 = (0..levels.levels.len()).map(|u| levels.shape.census(u).1).sum();
        run.observer.begin(&text("levels of unknown cards", "未知カード枚数ごとの計算"), values);
        run.observer.done(done);
        let result = on_threads(run, || levels.sweep(keep, name, done, run))?;
        run.observer.end();
        result?;
        match keep {
            Keep::All => run.store.save(name, &mut |to| levels.save(to))?,
            Keep::Window => run.store.remove(name),
        }
        Ok(levels)
    }

    /// Nothing computed yet.
    fn empty(shape: Shape, arithmetic: A, values: u64) -> Levels<A> {
        Levels {
            roots: vec![Vec::new(); shape.ranks + 1],
            arithmetic,
            levels: Vec::with_capacity(shape.cards() + 1),
            room: [Vec::new(), Vec::new()],
            largest: 0,
            outside: None,
            tally: None,
            values,
            seconds: 0.0,
            shape,
        }
    }

    /// Computes the next level; if that is stopped, everything is as it was before.
    fn next_level(&mut self, done: &mut u64, run: &Run<'_>) -> Result<(), Error> {
        let unknown = self.levels.len();
        let room = std::mem::take(&mut self.room);
        let (level, tally) = self.fill_level(unknown, room, run)?;
        *done += level.blocks.iter().map(|block| (block.len * block.width) as u64).sum::<u64>();
        self.levels.push(level);
        self.tally = self.tally.take().map(|all| all.add(&tally));
        run.observer.done(*done);
        Ok(())
    }

    /// Lets go of what no level above this one needs.
    fn let_go(&mut self, unknown: usize, keep: Keep) {
        if let Some(level) = unknown.checked_sub(1).and_then(|below| self.levels.get_mut(below)) {
            self.room[1] = level.let_sums_go();
        }
        if keep == Keep::Window
            && let Some(level) = unknown.checked_sub(2).and_then(|below| self.levels.get_mut(below))
        {
            self.room[0] = std::mem::replace(level, Level::gone()).values;
        }
    }

    fn sweep(&mut self, keep: Keep, name: &str, mut done: u64, run: &Run<'_>) -> Result<(), Error> {
        let mut checkpoints = run.checkpoints();
        let (start, before) = (Instant::now(), self.seconds);
        for unknown in self.levels.len()..=self.shape.cards() {
            self.seconds = before + start.elapsed().as_secs_f64();
            if keep == Keep::Window && checkpoints.due() {
                checkpoints.keep(|| run.store.save(name, &mut |to| self.save(to)))?;
            }
            if let Err(stopped) = self.next_level(&mut done, run) {
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
                self.roots[ranks] = self
                    .cells(&counts, self.shape.totals(&counts), 0)
                    .map_or_else(Vec::new, <[A::Cell]>::to_vec);
            }
            self.let_go(unknown, keep);
        }
        self.levels.iter_mut().for_each(|level| drop(level.let_sums_go()));
        self.room = [Vec::new(), Vec::new()];
        self.seconds = before + start.elapsed().as_secs_f64();
        Ok(())
    }

    /// The entry at stored kinds `x` and difference `d`, if it is in memory.
    fn cells(
        &self,
        x: &[u8; MAX_PATTERNS],
        (unknown, pairs, ranks): (usize, usize, usize),
        d: i64,
    ) -> Option<&[A::Cell]> {
        if ranks > self.shape.ranks {
            return None;
        }
        let (level, block) = self.block(unknown, pairs)?;
        let at = self.shape.place(block, x)? * block.stride() + self.shape.column(block.width, d)?;
        level.of(block).get(at * level.cells..(at + 1) * level.cells)
    }

    /// The value at stored kinds `x` and difference `d`, if the table has it.
    fn entry(
        &self,
        x: &[u8; MAX_PATTERNS],
        totals @ (unknown, pairs, ranks): (usize, usize, usize),
        d: i64,
    ) -> Option<A::Shown> {
        match &self.outside {
            Some(_) if ranks > self.shape.ranks => None,
            Some(outside) => A::of_double(outside.value(&self.shape, x, (unknown, pairs), d)?),
            None => Some(self.arithmetic.shown(self.cells(x, totals, d)?, unknown)),
        }
    }

    /// The value of the starting position with so many ranks, if its parity occurs in the table.
    pub fn root(&self, ranks: usize) -> Option<A::Shown> {
        let root = self.roots.get(ranks).filter(|root| !root.is_empty())?;
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
        let left = totals.1;
        let win = self.shape.objective == Objective::Win;
        if win && d.unsigned_abs() > left as u64 {
            return Some(A::Shown::from_int(d.signum() as i32));
        }
        if left == 0 {
            return Some(A::Shown::from_int(if win { d.signum() } else { d } as i32));
        }
        let mut shown = self.entry(&x, totals, d)?;
        if !win {
            shown.add_weighted(1, &A::Shown::from_int(d as i32));
        }
        Some(shown)
    }

    fn save(&self, to: &mut dyn Write) -> io::Result<()> {
        let number = |to: &mut dyn Write, n: u64| to.write_all(&n.to_le_bytes());
        number(to, self.levels.len() as u64)?;
        number(to, self.seconds.to_bits())?;
        let tally = self.tally.clone().unwrap_or_default();
        for n in tally.first.iter().chain(tally.second.as_flattened()) {
            number(to, *n)?;
        }
        for level in &self.levels {
            number(to, level.blocks.len() as u64)?;
            for values in level.blocks.iter().map(|block| level.of(block)) {
                number(to, values.len() as u64)?;
                A::write(values, to)?;
            }
        }
        for root in &self.roots {
            number(to, u64::from(!root.is_empty()))?;
            A::write(root, to)?;
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
        let mut tally = Tally::default();
        for n in tally.first.iter_mut().chain(tally.second.as_flattened_mut()) {
            *n = Some(number(from)?).filter(|n| *n <= MOST).ok_or_else(wrong)?;
        }
        self.tally = self.tally.take().map(|_| tally);
        if !self.seconds.is_finite() {
            return Err(wrong());
        }
        for unknown in 0..levels {
            let blocks = number(from)? as usize;
            let mut level = Level::gone();
            // Only what the next level does not ask for may have been let go.
            let gone = keep == Keep::Window && unknown + 2 < levels;
            if blocks > 0 || !gone {
                if blocks != self.shape.pairs_at(unknown).count() {
                    return Err(wrong());
                }
                let room = [Vec::new(), Vec::new()];
                level = self.shape.level(unknown, self.arithmetic.cells(unknown), room, 0);
                level.let_sums_go();
                for block in 0..blocks {
                    let values = level.of_mut(block);
                    if number(from)? != values.len() as u64 {
                        return Err(wrong());
                    }
                    A::read(values, from)?;
                }
                level.let_runs_go();
            }
            self.levels.push(level);
        }
        for (ranks, root) in self.roots.iter_mut().enumerate() {
            if number(from)? == 1 {
                root.resize(self.arithmetic.cells(ranks * self.shape.copies), A::Cell::default());
                A::read(root, from)?;
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
