//! Solved games as arrays of numbers that outlive the program: what a game says about its table, how it is built tier
//! by tier, how it is asked, and how it is checked.
//!
//! Games do no I/O: they see arrays as bytes, and `crates/tables` makes files of them.

use crate::params::{Param, Settings};
use rayon::prelude::*;
use serde_json::{Map, Value};
use std::any::Any;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use yomikiri_core::random::Random;
use yomikiri_core::{ByteSource, Error, Refusal, Run, Text, text};
use yomikiri_solve::on_threads;

/// What the numbers of an array are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Doubles.
    Double,
    /// Whole numbers of two bytes, without a sign.
    Short,
}

impl Number {
    /// All kinds of numbers.
    pub const ALL: [Number; 2] = [Number::Double, Number::Short];

    /// What numpy calls them, little-endian.
    pub fn descr(self) -> &'static str {
        match self {
            Number::Double => "<f8",
            Number::Short => "<u2",
        }
    }

    /// Bytes a number takes.
    pub fn bytes(self) -> u64 {
        match self {
            Number::Double => 8,
            Number::Short => 2,
        }
    }
}

/// One array of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Tier {
    /// Its name: letters, digits and hyphens.
    pub name: String,
    /// What its numbers are.
    pub number: Number,
    /// How many there are.
    pub count: u64,
    /// Where what stands in it, for programs.
    pub about: Map<String, Value>,
}

/// What a table will be, known before anything is solved. The tiers are in the order they are built in.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The arrays.
    pub tiers: Vec<Tier>,
    /// How positions are numbered, for programs.
    pub index: Value,
    /// The same in words.
    pub words: Text,
    /// What the values are values of.
    pub objective: Text,
    /// How exact they are.
    pub exactness: Text,
    /// Bytes of memory that building it takes.
    pub memory: u64,
}

impl Plan {
    /// Numbers in all arrays together.
    pub fn values(&self) -> u64 {
        self.tiers.iter().fold(0, |sum, tier| sum.saturating_add(tier.count))
    }
}

/// The bytes of an array, little-endian.
pub type Bytes = Arc<dyn ByteSource>;

/// An array that is there.
pub trait Array: Send + Sync {
    /// Its bytes, as many as the plan says; refused if they are not the ones that were written.
    ///
    /// # Errors
    /// Bytes that are not the ones that were written are refused.
    fn bytes(&self) -> Result<Bytes, Error>;
}

/// Where a table is built.
pub trait Sink: Send {
    /// An array that is finished, now or by a run that was stopped.
    ///
    /// # Errors
    /// What reading fails with.
    fn kept(&mut self, tier: usize) -> Result<Option<Bytes>, Error>;
    /// Writes an array, all of it or nothing.
    ///
    /// # Errors
    /// What writing fails with.
    fn write(
        &mut self,
        tier: usize,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error>;
}

/// Which positions of a table are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Every one.
    All,
    /// So many, drawn by the seed of the run.
    Sample(u64),
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// Positions that were looked at.
    pub positions: u64,
    /// What else there is to say of how they were checked.
    pub how: Text,
    /// The first of them whose value does not follow from the rules.
    pub wrong: Option<Wrong>,
}

/// A value that does not follow from the rules and the values of the positions after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrong {
    /// The array it is in.
    pub tier: usize,
    /// Its place in the array.
    pub place: u64,
    /// The position, as people write it.
    pub position: String,
    /// What the table says.
    pub table: String,
    /// What follows from the rules.
    pub rules: String,
}

/// A game whose solution can be kept as a table.
pub trait Tables: Sync {
    /// The parameters a table is built with.
    fn params(&self) -> &'static [Param];
    /// What the table with these settings will be.
    ///
    /// # Errors
    /// Settings that no table can be built with are refused by the name of one of them.
    fn plan(&self, settings: &Settings, run: &Run<'_>) -> Result<Plan, Error>;
    /// Solves the game and writes the arrays that are not there yet.
    ///
    /// # Errors
    /// Cancelled, does not fit, or the place it is written to fails.
    fn build(&self, settings: &Settings, plan: &Plan, to: &mut dyn Sink, run: &Run<'_>) -> Result<(), Error>;
    /// The solution that some arrays hold, for [`OpenTable::solution`](yomikiri_core::OpenTable): the game finds it among
    /// the tables of a run by its type.
    ///
    /// # Errors
    /// Arrays that are not what the plan says are refused.
    fn open(
        &self,
        settings: &Settings,
        plan: &Plan,
        arrays: Vec<Arc<dyn Array>>,
    ) -> Result<Arc<dyn Any + Send + Sync>, Error>;
    /// Derives values again from those of the positions after them, by the forward rules.
    ///
    /// # Errors
    /// Cancelled; a value that is wrong is no error but what the check finds.
    fn check(
        &self,
        settings: &Settings,
        plan: &Plan,
        arrays: &[Bytes],
        extent: Extent,
        run: &Run<'_>,
    ) -> Result<Checked, Error>;
}

/// Positions looked at together.
const BATCH: u64 = 1 << 12;

/// The first thing that is wrong among so many positions, whatever the number of threads.
///
/// # Errors
/// Cancelled, or there are no such threads.
pub fn first_wrong(
    count: u64,
    wrong: &(dyn Fn(u64) -> Option<Wrong> + Sync),
    run: &Run<'_>,
) -> Result<Option<Wrong>, Error> {
    run.observer.begin(&text("deriving values again", "値の再計算"), count);
    let (done, first) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
    let found: Result<Vec<Option<Wrong>>, Error> = on_threads(run, || {
        (0..count.div_ceil(BATCH))
            .into_par_iter()
            .map(|batch| {
                run.check()?;
                if batch > first.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let (from, to) = (batch * BATCH, count.min((batch + 1) * BATCH));
                let found = (from..to).find_map(wrong);
                if found.is_some() {
                    first.fetch_min(batch, Ordering::Relaxed);
                }
                run.observer.done(done.fetch_add(to - from, Ordering::Relaxed) + to - from);
                Ok(found)
            })
            .collect()
    })?;
    run.observer.end();
    Ok(found?.into_iter().flatten().next())
}

/// Which positions a check looks at, by number: all of them, or some drawn by the seed of the run; and how many.
pub fn chosen(extent: Extent, stored: u64, seed: u64) -> (u64, impl Fn(u64) -> u64 + Sync) {
    let count = match extent {
        Extent::All => stored,
        Extent::Sample(n) => n.min(stored),
    };
    (count, move |i| match extent {
        Extent::All => i,
        Extent::Sample(_) => Random::stream(seed, 2 * i).below(stored),
    })
}

/// The smallest table of a run that holds what is asked for: `holds` says how large one that does is. None if there is
/// none, and refused if the run has such tables and is to ask nothing else.
///
/// # Errors
/// The refusal, which says what the tables are tables of.
pub fn holding<'a, T: Any>(
    run: &Run<'a>,
    holds: impl Fn(&T) -> Option<u64>,
    described: impl Fn(&T) -> Text,
    asked: impl FnOnce() -> Text,
) -> Result<Option<&'a T>, Error> {
    let sized = run.tables.of().filter_map(|(_, table)| Some((holds(table)?, table)));
    if let Some((_, table)) = sized.min_by_key(|sized| sized.0) {
        return Ok(Some(table));
    }
    if !run.tables.only::<T>() {
        return Ok(None);
    }
    let has = run.tables.of::<T>().map(|(table, solution)| {
        let of = described(solution);
        Text::of(format!("{}, a table of {}", table.name, of.en), format!("{}（{}の表）", table.name, of.ja))
    });
    Err(not_held(&has.collect::<Vec<_>>(), &asked()))
}

/// Refuses a question that tables cannot answer: what they are, and what would.
pub fn not_held(tables: &[Text], asked: &Text) -> Error {
    let join =
        |pick: fn(&Text) -> &str, between: &str| tables.iter().map(pick).collect::<Vec<_>>().join(between);
    let got = Text::of(join(|t| &t.en, "; "), join(|t| &t.ja, "、"));
    let accepts = Text::of(format!("a table of {}", asked.en), format!("{}の表", asked.ja));
    Error::Refused(Refusal::of("table", got, accepts))
}
