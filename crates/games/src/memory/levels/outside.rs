//! Levels as arrays outside of the program's memory: written as they are solved, and looked up where they are.
//!
//! An array holds the values of a level, block after block, row after row, without padding.

use super::level::{Block, Level};
use super::shape::Shape;
use super::{Doubles, Keep, Levels, PAD};
use crate::memory::arrays::Arrays;
use crate::memory::rules::{MAX_PATTERNS, Memory};
use crate::tables::{Array, Bytes, Sink};
use rayon::prelude::*;
use std::io::{self, Write};
use std::sync::{Arc, OnceLock};
use yomikiri_core::error::bytes;
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_solve::on_threads;

/// The levels that have an array: all but the one without unknown cards, where nothing is left to win.
const FIRST: usize = 1;

/// A block as an array has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Laid {
    /// Remaining pairs.
    pub pairs: usize,
    /// Rows.
    pub rows: u64,
    /// Values in a row.
    pub width: usize,
    /// The first value.
    pub offset: u64,
}

/// What the arrays of a game hold, one a level.
pub struct Layout {
    /// The counted patterns, (unknown, known), in the order of the index.
    pub patterns: Vec<(u8, u8)>,
    /// By unknown cards, from 1: the blocks.
    pub levels: Vec<Vec<Laid>>,
    /// Bytes of memory that solving takes.
    pub memory: u64,
}

impl Layout {
    /// The layout of a game; refused where it is too large to be even counted.
    ///
    /// # Errors
    /// Games too large to be even counted are refused.
    pub fn new(game: &Memory) -> Result<Layout, Error> {
        let shape = Shape::new(game);
        let least = shape.at_least(Keep::All);
        // Counting them one by one would take too long.
        if shape.all_rows() >= 10_000_000_000 {
            let got = Text::of(
                format!("{}: a table of more than {}", game.ranks(), bytes(least)),
                format!("{}（{} を超える表）", game.ranks(), bytes(least)),
            );
            return Err(Refusal::of("ranks", got, text("fewer ranks", "より少ないランク数")).into());
        }
        let memory = shape.need(&Doubles, Keep::Window).1;
        let levels = (FIRST..=shape.cards()).into_par_iter().map(|unknown| laid(&shape, unknown)).collect();
        let patterns = shape.kinds.iter().map(|k| (k.pattern.unknown, k.pattern.known)).collect();
        Ok(Layout { patterns, levels, memory })
    }
}

fn laid(shape: &Shape, unknown: usize) -> Vec<Laid> {
    let mut offset = 0;
    let block = |pairs| {
        let (rows, width) = (shape.rows(unknown, pairs), shape.widths[pairs]);
        let laid = Laid { pairs, rows, width, offset };
        offset += rows * width as u64;
        laid
    };
    shape.pairs_at(unknown).map(block).collect()
}

/// A level: its blocks without values, and where theirs begin in its array.
type Begun = Vec<(Block, usize)>;

/// Values in arrays, one a level from 1.
pub(super) struct Outside {
    arrays: Arrays,
    /// Each is laid out when it is needed.
    levels: Vec<OnceLock<Begun>>,
}

impl Outside {
    fn level(&self, shape: &Shape, unknown: usize) -> Option<&Begun> {
        let lay_out = || {
            let mut offset = 0;
            let begun = shape.blocks(unknown).into_iter().map(|mut block| {
                // Only those who compute a block go through its runs.
                block.runs = Vec::new();
                let begin = offset;
                offset += block.len * block.width;
                (block, begin)
            });
            begun.collect()
        };
        Some(self.levels.get(unknown.checked_sub(FIRST)?)?.get_or_init(lay_out))
    }

    /// The value at stored kinds `x` and difference `d`, if the table has it.
    pub(super) fn value(
        &self,
        shape: &Shape,
        x: &[u8; MAX_PATTERNS],
        (unknown, pairs): (usize, usize),
        d: i64,
    ) -> Option<f64> {
        let (block, begin) = self.level(shape, unknown)?.get(pairs.checked_sub(unknown.div_ceil(2))?)?;
        let place = begin + shape.place(block, x)? * block.width + shape.column(block.width, d)?;
        let mut value = [0.0];
        self.arrays.read(unknown - FIRST, place as u64, &mut value)?;
        Some(value[0])
    }
}

impl Levels<Doubles> {
    /// A solved game whose values are in arrays, one a level from 1.
    pub fn outside(game: &Memory, arrays: Vec<Arc<dyn Array>>) -> Levels<Doubles> {
        let mut levels = Levels::empty(Shape::new(game), Doubles, 0);
        levels.outside = Some(Outside {
            levels: arrays.iter().map(|_| OnceLock::new()).collect(),
            // A little more than a sum of rounded values can come to.
            arrays: Arrays::new(arrays, game.total_pairs() as f64 + 1e-6),
        });
        levels
    }

    /// Solves a game level by level and writes each; in memory there are three at a time. Goes on behind the levels that
    /// are there already.
    ///
    /// # Errors
    /// Cancelled, does not fit, or the place it is written to fails.
    pub fn write_all(game: &Memory, to: &mut dyn Sink, run: &Run<'_>) -> Result<(), Error> {
        let shape = Shape::new(game);
        run.fits(shape.at_least(Keep::Window))?;
        let (values, bytes, largest) = shape.needs(&Doubles, Keep::Window);
        run.fits(bytes)?;
        let mut levels = Levels::empty(shape, Doubles, values);
        levels.largest = largest;
        let cards = levels.shape.cards();
        // The two before the first that is missing are what it is computed from.
        let mut before = [None, None];
        while levels.levels.len() <= cards {
            let unknown = levels.levels.len();
            if unknown >= FIRST {
                let Some(kept) = to.kept(unknown - FIRST)? else { break };
                before = [before[1].take(), Some((unknown, kept))];
            }
            levels.levels.push(Level::gone());
        }
        if levels.levels.len() > cards {
            return Ok(());
        }
        for (unknown, kept) in before.into_iter().flatten() {
            levels.levels[unknown] = levels.read_level(unknown, &kept)?;
        }
        let mut done = (0..levels.levels.len()).map(|u| levels.shape.census(u).1).sum();
        run.observer.begin(&text("levels of unknown cards", "未知カード枚数ごとの計算"), values);
        run.observer.done(done);
        let result = on_threads(run, || {
            if levels.levels.len() <= 2 {
                // The level without unknown cards has no array.
                levels.levels[0] = levels.fill_level(0, [Vec::new(), Vec::new()], run)?.0;
            }
            while levels.levels.len() <= cards {
                let unknown = levels.levels.len();
                levels.next_level(&mut done, run)?;
                if to.kept(unknown - FIRST)?.is_none() {
                    let level = &levels.levels[unknown];
                    to.write(unknown - FIRST, &mut |out| write_level(level, out))?;
                }
                levels.let_go(unknown, Keep::Window);
            }
            Ok(())
        })?;
        run.observer.end();
        result
    }

    /// A level from its array.
    fn read_level(&self, unknown: usize, bytes: &Bytes) -> Result<Level<f64>, Error> {
        let short = || Error::Table("an array is too short".into());
        let mut level = self.shape.level(unknown, 1, [Vec::new(), Vec::new()], 0);
        level.let_sums_go();
        let mut next = 0;
        for at in 0..level.blocks.len() {
            let (width, stride) = (level.blocks[at].width, level.blocks[at].stride());
            let mut raw = vec![0; 8 * width];
            for row in level.of_mut(at).chunks_exact_mut(stride) {
                if !bytes.read(next, &mut raw) {
                    return Err(bytes.sound().err().unwrap_or_else(short));
                }
                next += raw.len() as u64;
                let read = raw.as_chunks::<8>().0.iter().map(|raw| f64::from_le_bytes(*raw));
                row.iter_mut().zip(read.chain([1.0; PAD])).for_each(|(to, value)| *to = value);
            }
        }
        level.let_runs_go();
        Ok(level)
    }
}

fn write_level(level: &Level<f64>, out: &mut dyn Write) -> io::Result<()> {
    let mut bytes = Vec::new();
    for block in &level.blocks {
        for row in level.of(block).chunks(block.stride()) {
            bytes.extend(row[..block.width].iter().flat_map(|x| x.to_le_bytes()));
            if bytes.len() >= 1 << 16 {
                out.write_all(&bytes)?;
                bytes.clear();
            }
        }
    }
    out.write_all(&bytes)
}

impl<A: super::Arithmetic> Levels<A> {
    /// Fails if a part of the table that was asked for is damaged; what was answered before is not.
    ///
    /// # Errors
    /// The damage, by the array it is in.
    pub fn sound(&self) -> Result<(), Error> {
        self.outside.as_ref().map_or(Ok(()), |outside| outside.arrays.sound())
    }
}
