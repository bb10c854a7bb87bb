//! A table as arrays outside of the program's memory, one a layer of equal pairs left: written as it is solved, and looked
//! up where it is.
//!
//! An array holds the values of a layer: block after block of equal unknown cards, row after row, one value for every
//! score vector.

use super::rules::{Aim, Terms};
use super::stored::{FIRST, Outside};
use super::table::{Extent, Keep, Table};
use crate::memory::arrays::Arrays;
use crate::tables::{Array, Bytes, Sink};
use std::io::{self, Write};
use std::sync::Arc;
use yomikiri_core::{Error, Run, text};
use yomikiri_solve::on_threads;

/// A layer as an array has it.
pub struct Laid {
    /// Remaining pairs.
    pub pairs: usize,
    /// Score vectors: the values of a row.
    pub scores: u64,
    /// By unknown cards from 0: rows.
    pub rows: Vec<u64>,
}

impl Laid {
    /// Values of the layer.
    pub fn values(&self) -> u64 {
        self.rows.iter().sum::<u64>().saturating_mul(self.scores)
    }
}

/// What the arrays of a game hold, one a layer.
pub struct Layout {
    /// Numbers a value has.
    pub numbers: usize,
    /// By remaining pairs, from 1.
    pub layers: Vec<Laid>,
    /// Bytes of memory that solving takes.
    pub memory: u64,
}

/// All positions of a game with so many ranks.
pub(super) fn whole(ranks: usize, copies: usize, terms: Terms) -> Extent {
    let pairs = ranks * copies / 2;
    Extent { ranks, top: (ranks * copies, pairs), total: if terms.wins() { pairs } else { 0 } }
}

impl<const K: usize> Table<K> {
    fn laid(&self) -> Vec<Laid> {
        let rows = |pairs| self.unknowns(pairs).map(|u| self.fillings.len((u, pairs))).collect();
        let layer = |pairs| Laid { pairs, scores: self.row(pairs), rows: rows(pairs) };
        (FIRST..=self.extent.top.1).map(layer).collect()
    }

    /// The layout of a game; refused where it is too large to be even counted, or ever solved.
    ///
    /// # Errors
    /// The refusal.
    pub fn layout(ranks: usize, copies: usize, terms: Terms, run: &Run<'_>) -> Result<Layout, Error> {
        let table = Table::<K>::empty(copies, terms, whole(ranks, copies, terms), run)?;
        table.refuse_endless(table.positions())?;
        let memory = table.need(Keep::Near).1;
        Ok(Layout { numbers: table.width, layers: table.laid(), memory })
    }

    /// A solved game whose values are in arrays, one a layer from 1.
    ///
    /// # Errors
    /// What is no game is refused.
    pub fn outside(
        ranks: usize,
        copies: usize,
        terms: Terms,
        arrays: Vec<Arc<dyn Array>>,
    ) -> Result<Table<K>, Error> {
        // Whoever opens it has planned it, within the means of a run.
        let run = Run { memory: u64::MAX, ..Run::default() };
        let mut table = Table::empty(copies, terms, whole(ranks, copies, terms), &run)?;
        let before = |layer: Laid| {
            let before = |next: &mut u64, rows: u64| {
                *next += rows;
                Some(*next - rows)
            };
            layer.rows.into_iter().scan(0, before).collect()
        };
        // A little more than a sum of rounded values can come to.
        let arrays = Arrays::new(arrays, table.extent.top.1 as f64 + 1e-6);
        table.outside = Some(Outside::new(arrays, table.laid().into_iter().map(before).collect()));
        Ok(table)
    }

    /// Solves a game layer by layer and writes each; in memory there are two at a time. Goes on behind the layers that are
    /// there already.
    ///
    /// # Errors
    /// Cancelled, does not fit, or the place it is written to fails.
    pub fn write_all(
        ranks: usize,
        copies: usize,
        terms: Terms,
        to: &mut dyn Sink,
        run: &Run<'_>,
    ) -> Result<(), Error> {
        let mut table = Table::<K>::empty(copies, terms, whole(ranks, copies, terms), run)?;
        let (positions, bytes) = table.need(Keep::Near);
        run.fits(bytes)?;
        table.refuse_endless(positions)?;
        let top = table.extent.top.1;
        let mut last = None;
        while table.blocks.len() <= top {
            let pairs = table.blocks.len();
            if pairs >= FIRST {
                let Some(kept) = to.kept(pairs - FIRST)? else { break };
                last = Some(kept);
            }
            table.blocks.push(Vec::new());
        }
        if table.blocks.len() > top {
            return Ok(());
        }
        let mut done = 0;
        if let (Some(bytes), Some(pairs)) = (last, table.blocks.len().checked_sub(1)) {
            // The layer before the first that is missing is what it is computed from.
            table.blocks[pairs] = table.read_layer(pairs, &bytes)?;
            done = (0..=pairs).map(|p| table.unknowns(p).map(|u| table.size(p, u)).sum::<u64>()).sum();
        } else {
            table.blocks.clear();
        }
        run.observer.begin(&text("pairs left on the table", "残りペア数ごとの計算"), positions);
        run.observer.done(done);
        on_threads(run, || {
            for pairs in table.blocks.len()..=top {
                table.fill_layer(pairs, Keep::Near, &mut done, run)?;
                if let Some(array) = pairs.checked_sub(FIRST)
                    && to.kept(array)?.is_none()
                {
                    to.write(array, &mut |out| write_layer(&table.blocks[pairs], out))?;
                }
            }
            Ok::<(), Error>(())
        })??;
        run.observer.end();
        Ok(())
    }

    /// A layer from its array.
    fn read_layer(&self, pairs: usize, bytes: &Bytes) -> Result<Vec<Vec<f64>>, Error> {
        let mut next = 0;
        let mut part = vec![0; 1 << 16];
        let mut block = |unknown: usize| {
            let mut left = self.size(pairs, unknown) as usize * self.width * 8;
            let mut block = Vec::with_capacity(left / 8);
            while left > 0 {
                let part = &mut part[..left.min(1 << 16)];
                if !bytes.read(next, part) {
                    let short = || Error::Table("an array is too short".into());
                    return Err(bytes.sound().err().unwrap_or_else(short));
                }
                block.extend(part.as_chunks::<8>().0.iter().map(|raw| f64::from_le_bytes(*raw)));
                (next, left) = (next + part.len() as u64, left - part.len());
            }
            Ok(block)
        };
        self.unknowns(pairs).map(&mut block).collect()
    }

    /// Fails if a part of the table that was asked for is damaged; what was answered before is not.
    ///
    /// # Errors
    /// The damage, by the array it is in.
    pub fn sound(&self) -> Result<(), Error> {
        self.outside.as_ref().map_or(Ok(()), Outside::sound)
    }

    /// Why a value is not there.
    pub fn missing(&self) -> Error {
        let bug = || Error::Bug("the table does not reach the position".into());
        self.sound().err().unwrap_or_else(bug)
    }
}

fn write_layer(layer: &[Vec<f64>], out: &mut dyn Write) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(1 << 16);
    for part in layer.iter().flat_map(|block| block.chunks(1 << 13)) {
        bytes.clear();
        bytes.extend(part.iter().flat_map(|x| x.to_le_bytes()));
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// What the numbers of a value are, in words.
pub(super) fn numbers(terms: Terms) -> &'static str {
    match (terms.aim, terms.pairs()) {
        (Aim::Win, true) => "shares of the win, then pairs still to come",
        (Aim::Win, false) => "shares of the win",
        _ => "pairs still to come",
    }
}
