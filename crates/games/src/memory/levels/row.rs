//! One row after another: what follows a position is looked up once for all positions that differ in one count, then their
//! values are put together.

use super::arithmetic::{Arithmetic, Counts3, Decision, Likely, Term, Turned, apart, counted};
use super::shape::{Block, Change, Kind, NO_RUN, Shape};
use super::{Levels, Tally};
use crate::memory::rules::{MAX_PATTERNS, Objective};
use yomikiri_core::Run;

/// Positions that are computed at a time: there is room for the sums of so many.
const MOST_POSITIONS: usize = 32;
/// At most so many pairs are taken by one turn.
const MOST_TAKEN: usize = 8;
/// Kinds with a known pair that is not free: (2,2), (3,2), (3,3) and (4,2) with six cards a rank.
const MOST_TAKES: usize = 4;

/// What a change does to the counts of the prefix, by its number among all there are; and to the count that runs through.
#[derive(Clone, Copy)]
struct Moved {
    prefix: usize,
    running: i64,
}

/// The rows behind a change. For the positions of a run they lie one after the other.
#[derive(Clone, Copy)]
struct Rows<'a, C> {
    values: &'a [C],
    /// The sums at the same places, if they are there.
    sums: &'a [C],
    bases: &'a [i64],
    moved: Moved,
    /// Cells from one row to the next, and the first that is asked for in the first row of all.
    stride: usize,
    start: usize,
    /// Cells of a value.
    cells: u32,
    /// The pairs won on the way by whoever moves next, as a value, where they count.
    won: &'a [C],
}

impl<'a, C> Rows<'a, C> {
    /// From the position on whose count that runs through is `within`; none if there are no such positions.
    #[inline(always)]
    fn from(&self, ranks: &[usize], within: i64, likely: Likely) -> Option<Term<'a, C>> {
        let base = self.bases[ranks[self.moved.prefix]];
        if base == NO_RUN {
            return None;
        }
        let start = (self.start as i64 + (base + self.moved.running + within) * self.stride as i64) as usize;
        Some(Term { rows: self.values, start, step: self.stride as u32, cells: self.cells, likely })
    }

    /// The pairs won on the way, where they count.
    #[inline(always)]
    fn won(&self, likely: Likely) -> Option<Term<'a, C>> {
        won(self.won, likely)
    }
}

/// Pairs as a term, where they count.
#[inline(always)]
fn won<C>(won: &[C], likely: Likely) -> Option<Term<'_, C>> {
    (!won.is_empty()).then_some(Term { rows: won, start: 0, step: 0, cells: won.len() as u32, likely })
}

/// The rows behind a known pair of some kind that is taken: they are in the same level, in the block before.
struct Take<'a, C> {
    kind: usize,
    moved: Moved,
    stride: usize,
    skip: usize,
    won: &'a [C],
}

/// What may follow a first card of one kind.
struct After<'a, C> {
    /// A second unknown card, by its kind.
    second: Vec<Option<Rows<'a, C>>>,
    reveal: Option<Rows<'a, C>>,
    same: Option<Rows<'a, C>>,
    matched: Option<Rows<'a, C>>,
    /// Whether all second cards but those of the last kind are in the sums behind the first.
    begun: bool,
}

/// A block, and what may follow its positions.
struct Plan<'a, C> {
    pairs: usize,
    width: usize,
    stride: usize,
    after: Vec<After<'a, C>>,
    takes: Vec<Take<'a, C>>,
}

/// Whole numbers of pairs as values: of this level, and one and two below. None where they do not count.
struct Bonus<C>([Vec<Vec<C>>; 3]);

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
    part: usize,
    block: usize,
    run: usize,
    rank: usize,
    rows: &'v mut [C],
    /// What is summed up for the next level.
    sums: &'v mut [C],
}

impl<C> Item<'_, C> {
    /// Whether they must be computed one after the other.
    pub(super) fn together(&self, other: &Self) -> bool {
        self.part == other.part
    }
}

/// What is known of a level before its values are computed.
pub(super) struct Work<'a, A: Arithmetic> {
    levels: &'a Levels<A>,
    run: &'a Run<'a>,
    unknown: usize,
    cells: usize,
    blocks: &'a [Block],
    counting: bool,
    /// How likely so many ways are among all unknown cards, and once one of them is turned: the first so many places, as
    /// many as a rank has cards, stand for fewer than none.
    likely: [Vec<A::Weight>; 2],
    /// By kind: unknown cards of a rank, and how many more there are in the next position of a run.
    of_kinds: Vec<(u32, i32)>,
    /// The value of what is already won.
    unit: Vec<A::Cell>,
    bonus: Bonus<A::Cell>,
}

/// The same, with what may follow.
pub(super) struct Plans<'a, A: Arithmetic> {
    work: &'a Work<'a, A>,
    plans: Vec<Plan<'a, A::Cell>>,
    /// The ways in which changes move the counts of the prefix.
    moves: Vec<[i8; MAX_PATTERNS]>,
}

/// Room for the computations of a thread.
pub(super) struct Scratch<'a, A: Arithmetic> {
    /// The run each move leads to from the prefix that was entered.
    ranks: Vec<usize>,
    /// In every second block, by prefix: which of the runs was the last that had it.
    last: [Vec<usize>; 2],
    seconds: Vec<Term<'a, A::Cell>>,
    matched: Vec<Term<'a, A::Cell>>,
    /// Rows of values.
    spare: [Vec<A::Cell>; 2],
    /// What turning brings, in one position after the other.
    total: Vec<A::Cell>,
    /// By kind of the first card and position, and whether turning is best in one: empty where nothing is counted.
    choice: Vec<Counts3>,
    turns: Vec<u64>,
}

/// Positions of a run, one after the other, that are computed at once.
#[derive(Clone, Copy)]
struct Piece<'x> {
    x: &'x [u8; MAX_PATTERNS],
    positions: usize,
    known_ranks: usize,
}

impl<A: Arithmetic> Scratch<'_, A> {
    /// Looks up where the moves lead to from a prefix.
    fn enter(&mut self, moves: &[[i8; MAX_PATTERNS]], shape: &Shape, from: &[u8; MAX_PATTERNS]) {
        self.ranks.clear();
        self.ranks.extend(moves.iter().map(|moved| {
            let mut prefix = [0; MAX_PATTERNS];
            for i in 0..shape.prefix {
                let Some(count) = from[i].checked_add_signed(moved[i]) else { return shape.nowhere() };
                prefix[i] = count;
            }
            shape.prefix_rank(&prefix)
        }));
    }
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

    pub(super) fn scratch(&self) -> Scratch<'a, A> {
        let Work { levels, cells, counting, .. } = self.work;
        let widest = self.plans.iter().map(|plan| plan.width).max().unwrap_or(0);
        let span = widest.next_multiple_of(A::LANES);
        let row = vec![A::Cell::default(); widest * cells];
        let counted = if *counting { span } else { 0 };
        Scratch {
            last: [0, 1].map(|_| vec![0; levels.shape.nowhere() + 1]),
            ranks: Vec::with_capacity(self.moves.len()),
            seconds: Vec::with_capacity(2 * levels.shape.kinds.len()),
            matched: Vec::with_capacity(2),
            spare: [row.clone(), row],
            total: vec![A::Cell::default(); span * cells * MOST_POSITIONS],
            choice: vec![0; counted * levels.shape.kinds.len() * MOST_POSITIONS],
            turns: vec![0; counted],
        }
    }

    /// Computes runs that must be computed one after the other.
    pub(super) fn compute(
        &self,
        items: &mut [Item<'_, A::Cell>],
        scratch: &mut Scratch<'a, A>,
        tally: &mut Tally,
    ) {
        let Work { levels, blocks, unknown, cells, unit, run, .. } = self.work;
        let shape = &levels.shape;
        for at in 0..items.len() {
            if run.cancel.load(std::sync::atomic::Ordering::Relaxed) {
                return;
            }
            let (before, rest) = items.split_at_mut(at);
            let Some(Item { block, run, rank, rows, sums, .. }) = rest.first_mut() else { return };
            let (plan, of) = (&self.plans[*block], &blocks[*block].runs[*run]);
            let (stride, width) = (plan.stride * cells, plan.width * cells);
            for row in rows.chunks_exact_mut(stride) {
                row[width..].chunks_mut(*cells).for_each(|pad| pad.copy_from_slice(unit));
            }
            if plan.pairs == 0 {
                continue;
            }
            scratch.enter(&self.moves, shape, &of.prefix);
            scratch.last[*block % 2][*rank] = at;
            let mut x = of.prefix;
            let (mut rest, mut sums) = (&mut rows[..], &mut sums[..]);
            let mut within = of.low;
            while !rest.is_empty() {
                if shape.kinds.len() > 2 {
                    x[shape.prefix] = within as u8;
                }
                shape.complete(&mut x, *unknown, plan.pairs);
                let known_ranks = shape.known_ranks(&x);
                // Those of which all are known at two ranks at least have the same moves.
                let positions = match shape.objective {
                    Objective::Win if shape.kinds.len() > 2 => {
                        (rest.len() / stride).min(known_ranks.max(2) - 1).min(MOST_POSITIONS)
                    }
                    _ => 1,
                };
                let (out, behind) = rest.split_at_mut(positions * stride);
                let piece = Piece { x: &x, positions, known_ranks };
                self.turn(plan, piece, scratch);
                let out = out.chunks_exact_mut(stride).map(|row| &mut row[..width]);
                self.decide(plan, piece, (before, *block), scratch, out, tally);
                if let Some(sums) = sums.split_off_mut(..positions * stride) {
                    self.sum(plan, piece, scratch, sums);
                }
                (rest, within) = (behind, within + positions);
            }
        }
    }

    /// Where it says how likely a card of some kind is, all but some.
    #[inline(always)]
    fn likely(&self, x: &[u8; MAX_PATTERNS], kind: usize, but: u32) -> Likely {
        let (unknown, step) = self.work.of_kinds[kind];
        let start = self.work.levels.shape.copies as u32 + u32::from(x[kind]) * unknown - but;
        Likely { start, step }
    }

    /// Whether there is a card of some kind in one of the positions.
    #[inline(always)]
    fn there(&self, piece: Piece<'_>, kind: usize) -> bool {
        piece.x[kind] > 0 || (piece.positions > 1 && self.work.of_kinds[kind].1 > 0)
    }

    /// What turning an unknown card first brings.
    fn turn(&self, plan: &Plan<'a, A::Cell>, piece: Piece<'_>, scratch: &mut Scratch<'a, A>) {
        let Work { levels, unknown, cells, likely, counting, .. } = self.work;
        let (shape, arithmetic, cells) = (&levels.shape, &levels.arithmetic, *cells);
        let Piece { x, positions, known_ranks } = piece;
        let Scratch { ranks, seconds, matched, spare, total, choice, .. } = scratch;
        let span = plan.width.next_multiple_of(A::LANES);
        let within = shape.within(x);
        let total = &mut total[..positions * span * cells];
        total.fill(A::Cell::default());
        for (p, (kind, after)) in shape.kinds.iter().zip(&plan.after).enumerate() {
            if !self.there(piece, p) {
                continue;
            }
            let of_kind = u32::from(kind.pattern.unknown);
            let mut begun = None;
            seconds.clear();
            matched.clear();
            if *unknown > 1 {
                let mut from = 0;
                if let Some(reveal) =
                    after.reveal.as_ref().filter(|rows| after.begun && !rows.sums.is_empty())
                {
                    begun = reveal.from(ranks, within, Likely::NONE);
                    begun = begun.map(|term| Term { rows: reveal.sums, ..term });
                    from = shape.kinds.len() - 1;
                }
                for (j, rows) in after.second.iter().enumerate().skip(from) {
                    let likely = self.likely(x, j, if j == p { of_kind } else { 0 });
                    let Some(rows) = rows.as_ref().filter(|_| positions > 1 || x[j] > u8::from(j == p))
                    else {
                        continue;
                    };
                    let Some(term) = rows.from(ranks, within, likely) else { continue };
                    seconds.push(term);
                    if let Some(won) = rows.won(likely) {
                        seconds.push(won);
                    }
                }
                if let (true, Some(begun)) = (seconds.is_empty(), begun) {
                    // Nothing is to be added: a row that is not likely at all.
                    seconds.push(begun);
                }
                if let Some(rows) = &after.matched {
                    let likely = Likely { start: shape.copies as u32 + of_kind - 1, step: 0 };
                    if let Some(term) = rows.from(ranks, within, likely) {
                        matched.push(term);
                    }
                    if let Some(won) = rows.won(likely) {
                        matched.push(won);
                    }
                }
            }
            let [first, second] = &mut *spare;
            let with_pairs = |rows: &Option<Rows<'a, A::Cell>>, room| {
                let rows = rows.as_ref()?;
                let term = rows.from(ranks, within, Likely::NONE)?;
                Some(arithmetic.with_pairs(term, rows.won(Likely::NONE), room, cells))
            };
            let show = known_ranks > usize::from(kind.pattern.known > 0);
            let turned = Turned {
                begun,
                seconds,
                last: *unknown == 1,
                matched,
                different: if show { with_pairs(&after.reveal, first) } else { None },
                same: with_pairs(&after.same, second),
                first: self.likely(x, p, 0),
                likely: [&likely[0], &likely[1]],
                width: plan.width,
            };
            let choice = counting.then(|| &mut choice[p * span * MOST_POSITIONS..][..span * MOST_POSITIONS]);
            arithmetic.turn(&turned, choice, total, cells);
        }
    }

    /// What turning any card but one of the last kind brings the other player, for the positions of the next level.
    fn sum(
        &self,
        plan: &Plan<'a, A::Cell>,
        piece: Piece<'_>,
        scratch: &mut Scratch<'a, A>,
        sums: &mut [A::Cell],
    ) {
        let Work { levels, cells, likely, .. } = self.work;
        let (shape, arithmetic) = (&levels.shape, &levels.arithmetic);
        let Scratch { ranks, seconds, .. } = scratch;
        seconds.clear();
        for (kind, after) in plan.after.iter().enumerate().take(shape.kinds.len() - 1) {
            if let Some(rows) = after.reveal.as_ref().filter(|_| self.there(piece, kind))
                && let Some(term) = rows.from(ranks, shape.within(piece.x), self.likely(piece.x, kind, 0))
            {
                seconds.push(term);
            }
        }
        arithmetic.mix(seconds, &likely[0], plan.stride, sums, *cells);
    }

    /// The rows behind a known pair that is taken, among runs that are computed: from the first position on, or where the
    /// row would be if there were a pair in the first position.
    fn taken<'x>(
        &self,
        take: &Take<'a, A::Cell>,
        x: &[u8; MAX_PATTERNS],
        (before, block): (&'x [Item<'_, A::Cell>], usize),
        (rank, last): (usize, &[Vec<usize>; 2]),
    ) -> Option<Term<'x, A::Cell>> {
        let Work { levels, blocks, cells, .. } = self.work;
        let item = before.get(last[(block + 1) % 2][rank])?;
        if item.block + 1 != block || item.rank != rank {
            return None;
        }
        let low = blocks[item.block].runs[item.run].low as i64;
        let row = levels.shape.within(x) + take.moved.running - low;
        let start = (take.skip as i64 + row * take.stride as i64) as usize;
        Some(Term {
            rows: &*item.rows,
            start: start.wrapping_mul(*cells),
            step: (take.stride * cells) as u32,
            cells: *cells as u32,
            likely: Likely::NONE,
        })
    }

    /// The best first card in each of the positions.
    fn decide<'o>(
        &self,
        plan: &Plan<'a, A::Cell>,
        piece: Piece<'_>,
        items: (&[Item<'_, A::Cell>], usize),
        scratch: &mut Scratch<'a, A>,
        out: impl Iterator<Item = &'o mut [A::Cell]>,
        tally: &mut Tally,
    ) where
        A::Cell: 'o,
    {
        let Work { levels, cells, counting, .. } = self.work;
        let (shape, arithmetic, cells) = (&levels.shape, &levels.arithmetic, *cells);
        let Scratch { ranks, last, spare: [first, second], total, choice, turns, .. } = scratch;
        let (width, span) = (plan.width, plan.width.next_multiple_of(A::LANES));
        let mut taken = [None; MOST_TAKES];
        for (term, take) in taken.iter_mut().zip(&plan.takes) {
            *term = self.taken(take, piece.x, items, (ranks[take.moved.prefix], last));
        }
        for (position, (out, turn)) in out.zip(total.chunks_exact(span * cells)).enumerate() {
            let there = |kind: usize| isize::from(piece.x[kind]) + position as isize * shape.step(kind) > 0;
            // Known pairs that are not free.
            let rows = |at: usize| {
                let (term, take) = (taken[at]?, plan.takes.get(at).filter(|take| there(take.kind))?);
                let start = term.start.wrapping_add(position * term.step as usize);
                Some((Term { start, ..term }, won(take.won, Likely::NONE)))
            };
            let take = if let 0 | 1 = plan.takes.len() {
                rows(0).map(|(term, won)| arithmetic.with_pairs(term, won, second, cells).row(width * cells))
            } else {
                let first = &mut first[..width * cells];
                let mut any = false;
                for (term, won) in (0..plan.takes.len()).filter_map(rows) {
                    let row = arithmetic.with_pairs(term, won, second, cells).row(width * cells);
                    match any {
                        true => arithmetic.raise(first, row, cells),
                        false => first.copy_from_slice(row),
                    }
                    any = true;
                }
                any.then_some(&*first)
            };
            let decision = Decision {
                take,
                turn,
                can_pass: piece.known_ranks >= 2 + position,
                out,
                turns: turns.get_mut(..width),
            };
            let counts = arithmetic.decide(decision, cells);
            if !*counting {
                continue;
            }
            tally.first.iter_mut().zip(apart(counts)).for_each(|(sum, n)| *sum += n);
            let of_kinds =
                tally.second.iter_mut().zip(choice.chunks_exact(span * MOST_POSITIONS)).enumerate();
            for (_, (sums, choice)) in of_kinds.filter(|&(p, _)| there(p)) {
                let counts = apart(counted(&choice[position * span..][..width], turns));
                sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
            }
        }
    }
}
