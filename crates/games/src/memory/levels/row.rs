//! One row after another: what follows a position is looked up once for all positions that differ in one count, then their
//! values are put together.

use super::Tally;
use super::arithmetic::{Arithmetic, Counts3, Decision, Likely, Term, Turned, apart, counted};
use super::plan::{Plan, Plans, Rows, Take, won};
use super::shape::Shape;
use super::work::{Item, Work};
use crate::memory::rules::{MAX_PATTERNS, Objective};

/// Positions that are computed at a time: there is room for the sums of so many.
const MOST_POSITIONS: usize = 32;
/// Kinds with a known pair that is not free: (2,2), (3,2), (3,3) and (4,2) with six cards a rank.
const MOST_TAKES: usize = 4;

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

impl<'a, A: Arithmetic> Plans<'a, A> {
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
