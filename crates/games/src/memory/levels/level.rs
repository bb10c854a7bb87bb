//! A level in memory: where the rows of its positions are.

use super::arithmetic::{Arithmetic, MOST_LANES};
use super::shape::Shape;
use super::{Keep, PAD};
use crate::memory::rules::{MAX_PATTERNS, Objective};
use rayon::prelude::*;

/// Positions that differ only in the kind after the prefix.
pub(super) struct RunOf {
    pub(super) prefix: [u8; MAX_PATTERNS],
    pub(super) low: usize,
    pub(super) start: usize,
}

/// All positions with the same unknown cards and remaining pairs: where they stand in their level.
pub(super) struct Block {
    /// By the rank of the prefix: place of the run minus its lowest count; [`NO_RUN`] if there is none, as behind the last.
    pub(super) bases: Vec<i64>,
    pub(super) runs: Vec<RunOf>,
    /// Positions.
    pub(super) len: usize,
    /// Entries of a row: differences from 1 − width to width − 1, every second one.
    pub(super) width: usize,
    /// The first value among those of the level.
    pub(super) start: usize,
}

/// No position of a block has this prefix.
pub(super) const NO_RUN: i64 = i64::MIN;

impl Block {
    pub(super) fn stride(&self) -> usize {
        self.width + PAD
    }
}

/// All positions with the same unknown cards.
pub(super) struct Level<N> {
    /// By remaining pairs from the lowest possible; none if the level is not here.
    pub(super) blocks: Vec<Block>,
    /// Cells of a value.
    pub(super) cells: usize,
    /// Values before the first row and behind the last: what is asked for and not likely at all may be there.
    margin: usize,
    /// Row after row, block after block.
    pub(super) values: Vec<N>,
    /// At the same places: what turning a card of any kind but the last brings the other player, added up; empty where that
    /// is not needed.
    pub(super) sums: Vec<N>,
}

impl<N> Level<N> {
    /// A level that is not here.
    pub(super) fn gone() -> Level<N> {
        Level { blocks: Vec::new(), cells: 0, margin: 0, values: Vec::new(), sums: Vec::new() }
    }

    /// The cells of a block, row after row.
    pub(super) fn of(&self, block: &Block) -> &[N] {
        &self.values[self.cells_of(block)]
    }

    pub(super) fn of_mut(&mut self, block: usize) -> &mut [N] {
        let cells = self.cells_of(&self.blocks[block]);
        &mut self.values[cells]
    }

    fn cells_of(&self, block: &Block) -> std::ops::Range<usize> {
        let start = block.start * self.cells;
        start..start + block.len * block.stride() * self.cells
    }

    /// Only those who compute a level go through its runs.
    pub(super) fn let_runs_go(&mut self) {
        self.blocks.iter_mut().for_each(|block| block.runs = Vec::new());
    }

    /// Only the next level asks for sums; those who read a level do without.
    pub(super) fn let_sums_go(&mut self) -> Vec<N> {
        std::mem::take(&mut self.sums)
    }

    /// The blocks, and the values and sums of all of them.
    pub(super) fn parts(&mut self) -> (&[Block], &mut [N], &mut [N]) {
        let margin = self.margin * self.cells;
        let rows = margin..self.values.len() - margin;
        (&self.blocks, &mut self.values[rows.clone()], self.sums.get_mut(rows).unwrap_or_default())
    }
}

impl Shape {
    /// The rank of a prefix that cannot be.
    pub(super) fn nowhere(&self) -> usize {
        self.binomials.get(self.ranks + self.prefix, self.prefix) as usize
    }

    /// The blocks of a level; their values begin behind a margin.
    pub(super) fn blocks(&self, unknown: usize) -> Vec<Block> {
        let places = self.nowhere();
        let mut start = self.margin(unknown);
        let block = |pairs| {
            let (bases, runs) = (vec![NO_RUN; places + 1], Vec::new());
            let mut block = Block { bases, runs, len: 0, width: self.widths[pairs], start };
            self.runs(unknown, pairs, &mut |prefix, low, high| {
                block.bases[self.prefix_rank(prefix)] = block.len as i64 - low as i64;
                block.runs.push(RunOf { prefix: *prefix, low, start: block.len });
                block.len += high - low + 1;
            });
            start += block.len * block.stride();
            block
        };
        self.pairs_at(unknown).map(block).collect()
    }

    /// A level whose values are still to come, with room that may have been used before.
    pub(super) fn level<N: Copy + Default>(
        &self,
        unknown: usize,
        cells: usize,
        [mut values, mut sums]: [Vec<N>; 2],
        largest: u64,
    ) -> Level<N> {
        let (blocks, margin) = (self.blocks(unknown), self.margin(unknown));
        let end = blocks.last().map_or(margin, |last| last.start + last.len * last.stride());
        let many = (end + margin) * cells;
        // Room that is used again and again is made once, as large as it ever has to be.
        let with = |room: &mut Vec<N>, many| {
            if room.capacity() < many {
                *room = Vec::with_capacity(many.max(largest as usize));
            }
            room.resize(many, N::default());
        };
        with(&mut values, many);
        with(&mut sums, if self.sums() { many } else { 0 });
        Level { blocks, cells, margin, values, sums }
    }

    /// Whether sums are kept: where pairs count, rows are single values.
    pub(super) fn sums(&self) -> bool {
        self.objective == Objective::Win
    }

    /// Values before the first row of a level and behind the last: rows that follow a position with one or two ranks fewer
    /// than none of a kind are next to those there are.
    fn margin(&self, unknown: usize) -> usize {
        let widest = self.pairs_at(unknown).map(|pairs| self.widths[pairs]).max().unwrap_or(0);
        2 * (widest + PAD) + MOST_LANES
    }

    /// The row of a position in its block, if it is there.
    #[inline]
    pub(super) fn place(&self, block: &Block, x: &[u8; MAX_PATTERNS]) -> Option<usize> {
        let base = *block.bases.get(self.prefix_rank(x))?;
        (base != NO_RUN).then_some((base + self.within(x)) as usize)
    }

    /// The values to compute, and the bytes needed to keep all levels or only three.
    pub fn need<A: Arithmetic>(&self, arithmetic: &A, keep: Keep) -> (u64, u64) {
        let (values, bytes, _) = self.needs(arithmetic, keep);
        (values, bytes)
    }

    /// The same, and the cells of the largest level.
    pub(super) fn needs<A: Arithmetic>(&self, arithmetic: &A, keep: Keep) -> (u64, u64, u64) {
        let places = self.nowhere() as u64;
        let cell = std::mem::size_of::<A::Cell>() as u64;
        // Values, cells, and bytes besides.
        let levels: Vec<(u64, u64, u64)> = (0..=self.cards())
            .into_par_iter()
            .map(|u| {
                let (_, values, padded) = self.census(u);
                let blocks = self.pairs_at(u).count() as u64;
                let runs = blocks * places * (8 + std::mem::size_of::<RunOf>() as u64);
                let padded = padded + 2 * self.margin(u) as u64;
                (values, padded * arithmetic.cells(u) as u64, runs)
            })
            .collect();
        let values = levels.iter().map(|l| l.0).sum();
        let most = levels.iter().map(|l| l.1).max().unwrap_or(0);
        let sums = if self.sums() { 2 * most * cell } else { 0 };
        let of = |levels: &[(u64, u64, u64)]| levels.iter().map(|l| l.1 * cell + l.2).sum::<u64>();
        let bytes = match keep {
            Keep::All => of(&levels),
            Keep::Window => levels.windows(3).map(of).max().unwrap_or(1 << 20),
        };
        (values, bytes + sums, most)
    }
}
