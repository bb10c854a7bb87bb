//! A level before its values are computed: how likely cards are, and its rows in parts for threads.

use super::Levels;
use super::arithmetic::Arithmetic;
use super::level::Block;
use super::shape::Kind;
use crate::memory::rules::Objective;
use yomikiri_core::Run;

/// At most so many pairs are taken by one turn.
const MOST_TAKEN: usize = 8;

/// Whole numbers of pairs as values: of this level, and one and two below. None where they do not count.
pub(super) struct Bonus<C>(pub(super) [Vec<Vec<C>>; 3]);

impl<C: Copy + Default> Bonus<C> {
    fn new<A: Arithmetic<Cell = C>>(levels: &Levels<A>, unknown: usize) -> Self {
        let values = |below: usize| -> Vec<Vec<C>> {
            if levels.shape.objective == Objective::Win {
                return Vec::new();
            }
            let unknown = unknown.saturating_sub(below);
            let value = |n| {
                let mut value = vec![C::default(); levels.arithmetic.cells(unknown)];
                levels.arithmetic.whole(n, unknown, &mut value);
                value
            };
            (0..=MOST_TAKEN).map(value).collect()
        };
        Bonus([0, 1, 2].map(values))
    }
}

/// The rows of a run, to be computed.
pub(super) struct Item<'v, C> {
    /// Taking pairs leads from a run to one of the same part.
    pub(super) part: usize,
    pub(super) block: usize,
    pub(super) run: usize,
    pub(super) rank: usize,
    pub(super) rows: &'v mut [C],
    /// What is summed up for the next level.
    pub(super) sums: &'v mut [C],
}

impl<C> Item<'_, C> {
    /// Whether they must be computed one after the other.
    pub(super) fn together(&self, other: &Self) -> bool {
        self.part == other.part
    }
}

/// What is known of a level before its values are computed.
pub(super) struct Work<'a, A: Arithmetic> {
    pub(super) levels: &'a Levels<A>,
    pub(super) run: &'a Run<'a>,
    pub(super) unknown: usize,
    pub(super) cells: usize,
    pub(super) blocks: &'a [Block],
    pub(super) counting: bool,
    /// How likely so many ways are among all unknown cards, and once one of them is turned: the first so many places, as
    /// many as a rank has cards, stand for fewer than none.
    pub(super) likely: [Vec<A::Weight>; 2],
    /// By kind: unknown cards of a rank, and how many more there are in the next position of a run.
    pub(super) of_kinds: Vec<(u32, i32)>,
    /// The value of what is already won.
    pub(super) unit: Vec<A::Cell>,
    pub(super) bonus: Bonus<A::Cell>,
}

impl<'a, A: Arithmetic> Work<'a, A> {
    pub(super) fn new(levels: &'a Levels<A>, unknown: usize, blocks: &'a [Block], run: &'a Run<'a>) -> Self {
        let arithmetic = &levels.arithmetic;
        let cells = arithmetic.cells(unknown);
        let mut unit = vec![A::Cell::default(); cells];
        arithmetic.whole(1, unknown, &mut unit);
        let likely = |all: usize| {
            let none = std::iter::repeat_n(0, levels.shape.copies);
            none.chain(0..=unknown).map(|ways| arithmetic.weight(ways, all.max(1))).collect()
        };
        let of_kind = |(kind, of): (usize, &Kind)| {
            let unknown = i32::from(of.pattern.unknown);
            (unknown as u32, levels.shape.step(kind) as i32 * unknown)
        };
        Work {
            of_kinds: levels.shape.kinds.iter().enumerate().map(of_kind).collect(),
            likely: [likely(unknown), likely(unknown.saturating_sub(1))],
            bonus: Bonus::new(levels, unknown),
            counting: levels.tally.is_some(),
            levels,
            run,
            unknown,
            cells,
            blocks,
            unit,
        }
    }

    /// All runs in some parts, each of which is computed by itself: one block after the other, so that what follows is read
    /// as it lies in memory.
    pub(super) fn items<'v>(
        &self,
        mut values: &'v mut [A::Cell],
        mut sums: &'v mut [A::Cell],
        parts: usize,
    ) -> Vec<Item<'v, A::Cell>> {
        let shape = &self.levels.shape;
        let part = self.parts(values.len().div_ceil(parts));
        let mut items = Vec::with_capacity(self.blocks.iter().map(|block| block.runs.len()).sum());
        for (at, block) in self.blocks.iter().enumerate() {
            let ends = block.runs.iter().skip(1).map(|run| run.start).chain([block.len]);
            for (run, (of, end)) in block.runs.iter().zip(ends).enumerate() {
                let rows = (end - of.start) * block.stride() * self.cells;
                let sums = sums.split_off_mut(..rows).unwrap_or_default();
                let rows = values.split_off_mut(..rows).unwrap_or_default();
                let part = part.get(shape.together(&of.prefix)).copied().unwrap_or(0);
                items.push(Item { part, block: at, run, rank: shape.prefix_rank(&of.prefix), rows, sums });
            }
        }
        if parts > 1 {
            items.sort_by_key(|item| item.part);
        }
        items
    }

    /// By what runs between which pairs are taken have in common: the part they belong to, each of about so many cells.
    fn parts(&self, cells: usize) -> Vec<usize> {
        let shape = &self.levels.shape;
        let mut many = vec![0; shape.nowhere()];
        for block in self.blocks {
            let ends = block.runs.iter().skip(1).map(|run| run.start).chain([block.len]);
            for (run, end) in block.runs.iter().zip(ends) {
                many[shape.together(&run.prefix)] += (end - run.start) * block.stride() * self.cells;
            }
        }
        let mut before = 0;
        let part = |many| {
            before += many;
            (before - many) / cells.max(1)
        };
        many.into_iter().map(part).collect()
    }
}
