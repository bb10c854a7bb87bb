//! One row after another: what follows a position is looked up once for all positions that differ in one count, then its
//! values are put together.

use super::arithmetic::{Arithmetic, Counts3, Decision, Term, Turned, apart, counted};
use super::shape::{Change, Kind, Shape};
use super::{Levels, Tally};
use crate::memory::rules::{MAX_PATTERNS, Objective};

/// The rows behind a change. For the positions of a run they lie one after the other.
#[derive(Clone, Copy)]
struct Rows<'a, C> {
    values: &'a [C],
    /// Where the rows of each run would begin, were the count that runs through 0.
    bases: &'a [i64],
    /// How the change moves the counts of the prefix, among all the ways there are; and the count that runs through.
    moved: usize,
    running: i64,
    /// Values from one row to the next, and to the first that is asked for.
    stride: usize,
    skip: usize,
    /// The pairs won on the way by whoever moves next, as a value, where they count.
    won: &'a [C],
    /// Cells of a value.
    cells: u32,
    /// The value that is asked for first, for a count of 0 that runs through: often before the block.
    first: i64,
}

impl<'a, C> Rows<'a, C> {
    /// `width` values for the position whose count that runs through is `within`.
    #[inline]
    fn of(&self, within: i64, width: usize) -> &'a [C] {
        let cells = self.cells as usize;
        let start = (self.first + within * self.stride as i64) as usize * cells;
        &self.values[start..start + width * cells]
    }
}

/// What may follow a first card of one kind.
struct After<'a, C> {
    /// A second unknown card, by its kind.
    second: Vec<Option<Rows<'a, C>>>,
    reveal: Option<Rows<'a, C>>,
    same: Option<Rows<'a, C>>,
    matched: Option<Rows<'a, C>>,
    take: Option<Rows<'a, C>>,
}

/// Whole numbers of pairs as values: of this level, and one and two below. None where they do not count.
pub(super) struct Bonus<C>([Vec<Vec<C>>; 3]);

/// At most so many pairs are taken by one turn.
const MOST_TAKEN: usize = 8;

impl<C: Copy + Default> Bonus<C> {
    pub(super) fn new<A: Arithmetic<Cell = C>>(levels: &Levels<A>, unknown: usize) -> Self {
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

/// What is needed to compute rows of a block.
pub(super) struct Scratch<'a, A: Arithmetic> {
    unknown: usize,
    width: usize,
    cells: usize,
    /// By kind of the first card.
    after: Vec<After<'a, A::Cell>>,
    /// The ways in which changes move the counts of the prefix, and the run each leads to, if it leads to any.
    moves: Vec<([i8; MAX_PATTERNS], Option<usize>)>,
    terms: Vec<Term<'a, A::Cell>>,
    /// What a second unknown card brings the other player.
    other: Vec<A::Cell>,
    first: Vec<A::Cell>,
    second: Vec<A::Cell>,
    total: Vec<A::Cell>,
    choice: Vec<Counts3>,
    turns: Vec<u64>,
}

/// The rows behind `changes` of single ranks in a block, `below` levels below; none where there is no such block.
fn rows<'a, A: Arithmetic>(
    levels: &'a Levels<A>,
    bonus: &'a Bonus<A::Cell>,
    moves: &mut Vec<([i8; MAX_PATTERNS], Option<usize>)>,
    (unknown, pairs, width): (usize, usize, usize),
    changes: &[(usize, Change)],
    below: usize,
) -> Option<Rows<'a, A::Cell>> {
    let shape = &levels.shape;
    let mut moved = [0; MAX_PATTERNS];
    let mut taken = 0;
    for &(from, (to, pairs)) in changes {
        moved[from] -= 1;
        if let Some(to) = to {
            moved[to] += 1;
        }
        taken += pairs;
    }
    let block = levels.block(unknown.checked_sub(below)?, pairs.checked_sub(taken)?)?;
    // d' = d + taken for the same player and −d + taken for the other: the same span of entries.
    let skip = match shape.objective {
        Objective::Win => (block.width + taken).checked_sub(width)? / 2,
        Objective::Cards => 0,
    };
    let running = if shape.kinds.len() > 2 { i64::from(moved[shape.prefix]) } else { 0 };
    moved[shape.prefix..].fill(0);
    let at = moves.iter().position(|(other, _)| *other == moved).unwrap_or(moves.len());
    if at == moves.len() {
        moves.push((moved, None));
    }
    Some(Rows {
        values: &block.values,
        bases: &block.bases,
        moved: at,
        running,
        stride: block.stride(),
        skip,
        won: bonus.0[below].get(taken).map_or(&[], Vec::as_slice),
        cells: block.cells as u32,
        first: 0,
    })
}

impl<'a, A: Arithmetic> Scratch<'a, A> {
    /// For a block of so many unknown cards and remaining pairs, whose rows are so wide.
    pub(super) fn new(
        levels: &'a Levels<A>,
        bonus: &'a Bonus<A::Cell>,
        place @ (unknown, _, width): (usize, usize, usize),
    ) -> Self {
        let kinds = &levels.shape.kinds;
        let cells = levels.arithmetic.cells(unknown);
        let row = vec![A::Cell::default(); width * cells];
        let mut moves = Vec::new();
        let mut behind =
            |changes: &[(usize, Change)], below| rows(levels, bonus, &mut moves, place, changes, below);
        let mut after = Vec::new();
        for (p, kind) in kinds.iter().enumerate() {
            let mut one = |change: Option<Change>, below| behind(&[(p, change?)], below);
            let [reveal, same] = [Some(kind.reveal), kind.same].map(|change| one(change, 1));
            let (matched, take) = (one(kind.matched, 2), one(kind.take, 0));
            // The second change applies to what the first one left.
            let two = |(j, second): (usize, &Kind)| behind(&[(p, kind.reveal), (j, second.reveal)], 2);
            after.push(After {
                second: kinds.iter().enumerate().map(two).collect(),
                reveal,
                same,
                matched,
                take,
            });
        }
        Scratch {
            unknown,
            width,
            cells,
            after,
            moves,
            terms: Vec::with_capacity(2 * kinds.len()),
            other: row.clone(),
            first: row.clone(),
            second: row.clone(),
            total: row,
            choice: vec![0; width * kinds.len()],
            turns: vec![0; width],
        }
    }

    /// Looks up what follows the positions of a run, of which `x` is one.
    pub(super) fn enter(&mut self, shape: &Shape, x: &[u8; MAX_PATTERNS]) {
        for (moved, to) in &mut self.moves {
            let mut prefix = [0; MAX_PATTERNS];
            let mut there = true;
            for i in 0..shape.prefix {
                let count = x[i].checked_add_signed(moved[i]);
                there &= count.is_some();
                prefix[i] = count.unwrap_or(0);
            }
            *to = there.then(|| shape.prefix_rank(&prefix));
        }
        let moves = &self.moves;
        let look = |rows: &mut Rows<'a, A::Cell>| {
            // A change that is not there is not asked for.
            let base = moves[rows.moved].1.and_then(|run| rows.bases.get(run)).copied().unwrap_or(0);
            rows.first = (base + rows.running) * rows.stride as i64 + rows.skip as i64;
        };
        for After { second, reveal, same, matched, take } in &mut self.after {
            [reveal, same, matched, take].into_iter().flatten().for_each(look);
            second.iter_mut().flatten().for_each(look);
        }
    }

    /// Computes the row of one position of the run that was entered.
    pub(super) fn compute(
        &mut self,
        levels: &Levels<A>,
        x: &[u8; MAX_PATTERNS],
        out: &mut [A::Cell],
        tally: &mut Tally,
    ) {
        let (arithmetic, kinds) = (&levels.arithmetic, &levels.shape.kinds);
        let Scratch {
            unknown, width, cells, after, terms, other, first, second, total, choice, turns, ..
        } = self;
        let (unknown, width, cells) = (*unknown, *width, *cells);
        let within = if kinds.len() > 2 { i64::from(x[levels.shape.prefix]) } else { 0 };
        let known = |(kind, &n): (&Kind, &u8)| if kind.pattern.known > 0 { usize::from(n) } else { 0 };
        let known_ranks: usize = kinds.iter().zip(x).map(known).sum();
        let term = |rows: &Rows<'a, A::Cell>, ways: usize| Term {
            ways: ways as u32,
            row: rows.of(within, width),
            cells: rows.cells,
        };
        // The pairs won on the way, where they count.
        let won = |rows: &Rows<'a, A::Cell>, ways: usize| {
            let row = rows.won;
            (!row.is_empty()).then_some(Term { ways: ways as u32, row, cells: row.len() as u32 })
        };
        total.fill(A::Cell::default());
        for (p, kind) in kinds.iter().enumerate().filter(|&(p, _)| x[p] > 0) {
            let after = &after[p];
            let rest = unknown - 1;
            if rest > 0 {
                terms.clear();
                for (j, second) in kinds.iter().enumerate() {
                    let ranks = usize::from(x[j]) - usize::from(j == p);
                    let Some(rows) = after.second[j].as_ref().filter(|_| ranks > 0) else { continue };
                    let ways = ranks * usize::from(second.pattern.unknown);
                    terms.push(term(rows, ways));
                    terms.extend(won(rows, ways));
                }
                arithmetic.mix(terms, rest, other, cells);
            }
            let mut matched = None;
            if let Some(rows) = after.matched.as_ref().filter(|_| rest > 0) {
                let ways = usize::from(kind.pattern.unknown) - 1;
                match won(rows, ways) {
                    None => matched = Some(term(rows, ways)),
                    Some(won) => {
                        // A single value: seen from this side, added to, and seen from the other again.
                        arithmetic.negate(other);
                        arithmetic.add(&term(rows, ways), rest, other, cells);
                        arithmetic.add(&won, rest, other, cells);
                        arithmetic.negate(other);
                    }
                }
            }
            let with_pairs = |rows: &Rows<'a, A::Cell>, into: &mut [A::Cell]| {
                won(rows, 1).map(|won| arithmetic.mix(&[term(rows, 1), won], 1, into, cells))
            };
            let show = known_ranks > usize::from(kind.pattern.known > 0);
            let different =
                after.reveal.as_ref().filter(|_| show).map(|rows| match with_pairs(rows, first) {
                    Some(()) => Term { ways: 1, row: &first[..], cells: cells as u32 },
                    None => term(rows, 1),
                });
            let same = after.same.as_ref().map(|rows| match with_pairs(rows, second) {
                Some(()) => Term { ways: 1, row: &second[..], cells: cells as u32 },
                None => term(rows, 1),
            });
            let turned = Turned {
                unknown: (rest > 0).then_some(&other[..]),
                matched,
                rest,
                different,
                same,
                weight: (usize::from(x[p]) * usize::from(kind.pattern.unknown), unknown),
            };
            arithmetic.turn(&turned, &mut choice[p * width..(p + 1) * width], total, cells);
        }
        // Known pairs that are not free.
        let mut take = false;
        for (_, after) in after.iter().enumerate().filter(|&(p, _)| x[p] > 0) {
            let Some(rows) = &after.take else { continue };
            let row = match won(rows, 1) {
                None => rows.of(within, width),
                Some(won) => {
                    arithmetic.mix(&[term(rows, 1), won], 1, second, cells);
                    &second[..]
                }
            };
            if take {
                arithmetic.raise(first, row, cells);
            } else {
                first.copy_from_slice(row);
            }
            take = true;
        }
        let decision = Decision {
            take: take.then_some(&first[..]),
            turn: &total[..],
            can_pass: known_ranks >= 2,
            out,
            turns: &mut turns[..],
        };
        let counts = apart(arithmetic.decide(decision, cells));
        tally.first.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
        for (p, sums) in tally.second.iter_mut().enumerate().take(kinds.len()).filter(|&(p, _)| x[p] > 0) {
            let counts = apart(counted(&choice[p * width..(p + 1) * width], turns));
            sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
        }
    }
}
