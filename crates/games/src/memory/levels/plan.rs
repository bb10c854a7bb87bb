//! What may follow the positions of a level, looked up once for every block.

use super::arithmetic::{Arithmetic, Likely, Term};
use super::level::{Block, NO_RUN};
use super::shape::{Change, Kind};
use super::work::Work;
use crate::memory::rules::{MAX_PATTERNS, Objective};

/// What a change does to the counts of the prefix, by its number among all there are; and to the count that runs through.
#[derive(Clone, Copy)]
pub(super) struct Moved {
    pub(super) prefix: usize,
    pub(super) running: i64,
}

/// The rows behind a change. For the positions of a run they lie one after the other.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a, C> {
    pub(super) values: &'a [C],
    /// The sums at the same places, if they are there.
    pub(super) sums: &'a [C],
    pub(super) bases: &'a [i64],
    pub(super) moved: Moved,
    /// Cells from one row to the next, and the first that is asked for in the first row of all.
    pub(super) stride: usize,
    pub(super) start: usize,
    /// Cells of a value.
    pub(super) cells: u32,
    /// The pairs won on the way by whoever moves next, as a value, where they count.
    pub(super) won: &'a [C],
}

impl<'a, C> Rows<'a, C> {
    /// From the position on whose count that runs through is `within`; none if there are no such positions.
    #[inline(always)]
    pub(super) fn from(&self, ranks: &[usize], within: i64, likely: Likely) -> Option<Term<'a, C>> {
        let base = self.bases[ranks[self.moved.prefix]];
        if base == NO_RUN {
            return None;
        }
        let start = (self.start as i64 + (base + self.moved.running + within) * self.stride as i64) as usize;
        Some(Term { rows: self.values, start, step: self.stride as u32, cells: self.cells, likely })
    }

    /// The pairs won on the way, where they count.
    #[inline(always)]
    pub(super) fn won(&self, likely: Likely) -> Option<Term<'a, C>> {
        won(self.won, likely)
    }
}

/// Pairs as a term, where they count.
#[inline(always)]
pub(super) fn won<C>(won: &[C], likely: Likely) -> Option<Term<'_, C>> {
    (!won.is_empty()).then_some(Term { rows: won, start: 0, step: 0, cells: won.len() as u32, likely })
}

/// The rows behind a known pair of some kind that is taken: they are in the same level, in the block before.
pub(super) struct Take<'a, C> {
    pub(super) kind: usize,
    pub(super) moved: Moved,
    pub(super) stride: usize,
    pub(super) skip: usize,
    pub(super) won: &'a [C],
}

/// What may follow a first card of one kind.
pub(super) struct After<'a, C> {
    /// A second unknown card, by its kind.
    pub(super) second: Vec<Option<Rows<'a, C>>>,
    pub(super) reveal: Option<Rows<'a, C>>,
    pub(super) same: Option<Rows<'a, C>>,
    pub(super) matched: Option<Rows<'a, C>>,
    /// Whether all second cards but those of the last kind are in the sums behind the first.
    pub(super) begun: bool,
}

/// A block, and what may follow its positions.
pub(super) struct Plan<'a, C> {
    pub(super) pairs: usize,
    pub(super) width: usize,
    pub(super) stride: usize,
    pub(super) after: Vec<After<'a, C>>,
    pub(super) takes: Vec<Take<'a, C>>,
}

/// The same, with what may follow.
pub(super) struct Plans<'a, A: Arithmetic> {
    pub(super) work: &'a Work<'a, A>,
    pub(super) plans: Vec<Plan<'a, A::Cell>>,
    /// The ways in which changes move the counts of the prefix.
    pub(super) moves: Vec<[i8; MAX_PATTERNS]>,
}

impl<'a, A: Arithmetic> Plans<'a, A> {
    pub(super) fn new(work: &'a Work<'a, A>) -> Self {
        let mut plans = Plans { work, plans: Vec::new(), moves: Vec::new() };
        for (block, pairs) in work.blocks.iter().zip(work.levels.shape.pairs_at(work.unknown)) {
            let kinds = work.levels.shape.kinds.iter().enumerate();
            let place = (pairs, block.width);
            let after = kinds.clone().map(|(p, kind)| plans.after(place, p, kind)).collect();
            let takes = kinds.filter_map(|(p, kind)| plans.take(place, p, kind.take?)).collect();
            plans.plans.push(Plan { pairs, width: block.width, stride: block.stride(), after, takes });
        }
        plans
    }

    fn after(&mut self, place: (usize, usize), p: usize, kind: &Kind) -> After<'a, A::Cell> {
        let kinds = &self.work.levels.shape.kinds;
        // The second change applies to what the first one left.
        let second = kinds
            .iter()
            .enumerate()
            .map(|(j, second)| self.rows(place, &[(p, kind.reveal), (j, second.reveal)], 2))
            .collect();
        let mut one = |change: Option<Change>, below| self.rows(place, &[(p, change?)], below);
        let (reveal, same, matched) = (one(Some(kind.reveal), 1), one(kind.same, 1), one(kind.matched, 2));
        After { second, reveal, same, matched, begun: self.work.levels.shape.begun(kind) }
    }

    fn take(
        &mut self,
        (pairs, width): (usize, usize),
        kind: usize,
        change: Change,
    ) -> Option<Take<'a, A::Cell>> {
        let (moved, taken) = self.moved(&[(kind, change)]);
        let lowest = *self.work.levels.shape.pairs_at(self.work.unknown).start();
        let block = self.work.blocks.get(pairs.checked_sub(taken)?.checked_sub(lowest)?)?;
        let skip = self.skip(block, taken, width)?;
        Some(Take { kind, moved, stride: block.stride(), skip, won: self.won(0, taken) })
    }

    /// The rows behind `changes` of single ranks, `below` levels below; none where there is no such block.
    fn rows(
        &mut self,
        (pairs, width): (usize, usize),
        changes: &[(usize, Change)],
        below: usize,
    ) -> Option<Rows<'a, A::Cell>> {
        let (moved, taken) = self.moved(changes);
        let (level, block) =
            self.work.levels.block(self.work.unknown.checked_sub(below)?, pairs.checked_sub(taken)?)?;
        let skip = self.skip(block, taken, width)?;
        Some(Rows {
            values: &level.values,
            sums: &level.sums,
            bases: &block.bases,
            moved,
            stride: block.stride() * level.cells,
            start: (block.start + skip) * level.cells,
            cells: level.cells as u32,
            won: self.won(below, taken),
        })
    }

    /// What changes do to the counts, and the pairs they take.
    fn moved(&mut self, changes: &[(usize, Change)]) -> (Moved, usize) {
        let shape = &self.work.levels.shape;
        let (mut moved, mut taken) = ([0; MAX_PATTERNS], 0);
        for &(from, (to, pairs)) in changes {
            moved[from] -= 1;
            if let Some(to) = to {
                moved[to] += 1;
            }
            taken += pairs;
        }
        let running = if shape.kinds.len() > 2 { i64::from(moved[shape.prefix]) } else { 0 };
        moved[shape.prefix..].fill(0);
        let prefix = self.moves.iter().position(|other| *other == moved).unwrap_or(self.moves.len());
        if prefix == self.moves.len() {
            self.moves.push(moved);
        }
        (Moved { prefix, running }, taken)
    }

    /// Values before the first that is asked for in a row of a block, if that has them.
    fn skip(&self, block: &Block, taken: usize, width: usize) -> Option<usize> {
        // d' = d + taken for the same player and −d + taken for the other: the same span of entries.
        match self.work.levels.shape.objective {
            Objective::Win => Some((block.width + taken).checked_sub(width)? / 2),
            Objective::Cards => Some(0),
        }
    }

    fn won(&self, below: usize, taken: usize) -> &'a [A::Cell] {
        self.work.bonus.0[below].get(taken).map_or(&[], Vec::as_slice)
    }
}
