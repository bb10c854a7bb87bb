//! Where positions stand: levels of equal unknown cards, blocks of equal remaining pairs within them, and
//! runs of positions that differ in one count within those.

use super::arithmetic::Arithmetic;
use super::{Keep, PAD};
use crate::memory::rules::{MAX_PATTERNS, Memory, Objective, Pattern};
use rayon::prelude::*;
use yomikiri_core::combin::{Binomials, binomial};

/// Where a rank goes when something happens to it: the kind it becomes (`None` when all its cards are
/// gone) and the pairs taken, free ones included.
pub(super) type Change = (Option<usize>, usize);

/// A pattern that is stored, and what can happen to a rank in it.
pub(super) struct Kind {
    pub(super) pattern: Pattern,
    /// One unknown card becomes known; the pairs go to the other player.
    pub(super) reveal: Change,
    /// A known card is matched by a turned one.
    pub(super) same: Option<Change>,
    /// Two unknown cards turn out to match.
    pub(super) matched: Option<Change>,
    /// A known pair is taken although it is not free.
    pub(super) take: Option<Change>,
}

/// The combinatorics of a game: which kinds there are and where positions stand in their block.
pub struct Shape {
    pub(super) ranks: usize,
    pub(super) copies: usize,
    pub(super) objective: Objective,
    pub(super) kinds: Vec<Kind>,
    /// What each pattern of the game comes to when its free pairs are taken.
    pub(super) settled: Vec<Change>,
    /// By remaining pairs: entries of a row, one for every second difference.
    pub(super) widths: Vec<usize>,
    /// Kinds that choose the run of a position; the next one counts within it, the last two follow.
    pub(super) prefix: usize,
    /// By kind of the prefix: what is left of it when all its known pairs are taken, as far as that is in the prefix.
    folded: Vec<usize>,
    binomials: Binomials,
    /// C(sum + i, i + 1) for the first prefix counts adding up to `sum`, at `i · (ranks + 1) + sum`: the
    /// rank of a prefix is a sum of these.
    steps: Vec<u32>,
}

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
    /// The shape of a game.
    pub fn new(game: &Memory) -> Shape {
        let stored: Vec<Pattern> =
            game.patterns().iter().copied().filter(|p| p.unknown > 0 && !p.free_pair()).collect();
        let settle = |unknown: u8, known: u8, taken: usize| -> Change {
            let mut p = Pattern { unknown, known };
            let mut pairs = taken;
            while p.free_pair() {
                p.known -= 2;
                pairs += 1;
            }
            (stored.iter().position(|&q| q == p), pairs)
        };
        let kinds: Vec<Kind> = stored
            .iter()
            .map(|&pattern| {
                let Pattern { unknown, known } = pattern;
                Kind {
                    pattern,
                    reveal: settle(unknown - 1, known + 1, 0),
                    same: (known >= 1).then(|| settle(unknown - 1, known - 1, 1)),
                    matched: (unknown >= 2).then(|| settle(unknown - 2, known, 1)),
                    take: (known >= 2).then(|| settle(unknown, known - 2, 1)),
                }
            })
            .collect();
        let settled = game.patterns().iter().map(|p| settle(p.unknown, p.known, 0)).collect();
        let prefix = kinds.len().saturating_sub(3);
        let fold = |mut kind: usize| {
            while let Some((Some(to), _)) = kinds[kind].take
                && to < prefix
            {
                kind = to;
            }
            kind
        };
        let folded = (0..prefix).map(fold).collect();
        let binomials = Binomials::new(game.ranks() + prefix + 1);
        let steps = (0..prefix)
            .flat_map(|i| (0..=game.ranks()).map(move |sum| (i, sum)))
            .map(|(i, sum)| u32::try_from(binomials.get(sum + i, i + 1)).unwrap_or(u32::MAX))
            .collect();
        Shape {
            ranks: game.ranks(),
            copies: game.copies(),
            objective: game.objective(),
            widths: (0..=game.total_pairs())
                .map(|pairs| match game.objective() {
                    Objective::Win => (game.widest(pairs) + 1) as usize,
                    // The value of the cards still to come does not depend on those already won.
                    Objective::Cards => 1,
                })
                .collect(),
            binomials,
            steps,
            prefix,
            folded,
            settled,
            kinds,
        }
    }

    pub(super) fn cards(&self) -> usize {
        self.ranks * self.copies
    }

    fn total_pairs(&self) -> usize {
        self.cards() / 2
    }

    /// The range of remaining pairs a level can have.
    pub(super) fn pairs_at(&self, unknown: usize) -> std::ops::RangeInclusive<usize> {
        unknown.div_ceil(2)..=unknown.min(self.total_pairs())
    }

    /// The counts of the two last kinds, (2,0) and (1,1), that fill up a position, if any do.
    fn fill(&self, unknown: i64, pairs: i64, ranks: i64) -> Option<(i64, i64)> {
        let (twos, ones) = (unknown - pairs, 2 * pairs - unknown);
        (twos >= 0 && ones >= 0 && twos + ones <= ranks).then_some((twos, ones))
    }

    /// Calls `run(prefix, low, high)` for every run of a block, in order.
    fn runs(&self, unknown: usize, pairs: usize, run: &mut dyn FnMut(&[u8; MAX_PATTERNS], usize, usize)) {
        let mut prefix = [0; MAX_PATTERNS];
        self.runs_from(0, unknown as i64, pairs as i64, self.ranks as i64, &mut prefix, run);
    }

    fn runs_from(
        &self,
        depth: usize,
        unknown: i64,
        pairs: i64,
        ranks: i64,
        prefix: &mut [u8; MAX_PATTERNS],
        run: &mut dyn FnMut(&[u8; MAX_PATTERNS], usize, usize),
    ) {
        if depth == self.prefix {
            if let Some((low, high)) = self.run_range(unknown, pairs, ranks) {
                run(prefix, low, high);
            }
            return;
        }
        let p = self.kinds[depth].pattern;
        let (u, q) = (i64::from(p.unknown), p.pairs() as i64);
        let mut x = 0;
        while unknown - u * x >= 0 && pairs - q * x >= 0 && ranks - x >= 0 {
            prefix[depth] = x as u8;
            self.runs_from(depth + 1, unknown - u * x, pairs - q * x, ranks - x, prefix, run);
            x += 1;
        }
        prefix[depth] = 0;
    }

    /// The counts the kind after the prefix can have: an interval, because all conditions are linear.
    fn run_range(&self, unknown: i64, pairs: i64, ranks: i64) -> Option<(usize, usize)> {
        let Some(kind) = self.kinds.len().checked_sub(3).map(|at| &self.kinds[at]) else {
            return self.fill(unknown, pairs, ranks).map(|_| (0, 0));
        };
        let (u, q) = (i64::from(kind.pattern.unknown), kind.pattern.pairs() as i64);
        // twos = unknown − pairs − (u − q)·t ≥ 0, ones = 2·pairs − unknown − (2q − u)·t ≥ 0,
        // t + twos + ones = pairs − (q − 1)·t ≤ ranks; here u = q = 2.
        debug_assert!(u == 2 && q == 2);
        if unknown < pairs {
            return None;
        }
        let low = (pairs - ranks).max(0);
        let high = (2 * pairs - unknown).div_euclid(2);
        (low <= high).then_some((low as usize, high as usize))
    }

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
    ) -> Level<N> {
        let (blocks, margin) = (self.blocks(unknown), self.margin(unknown));
        let end = blocks.last().map_or(margin, |last| last.start + last.len * last.stride());
        values.resize((end + margin) * cells, N::default());
        sums.resize(if self.sums() { values.len() } else { 0 }, N::default());
        Level { blocks, cells, margin, values, sums }
    }

    /// Whether sums are kept: where pairs count, rows are single values.
    pub(super) fn sums(&self) -> bool {
        self.objective == Objective::Win
    }

    /// Whether turning a card of this kind leaves but the last kind to be added to the sums of what is behind it.
    pub(super) fn begun(&self, kind: &Kind) -> bool {
        kind.reveal.0.is_none_or(|to| to + 1 == self.kinds.len())
    }

    /// Values before the first row of a level and behind the last: rows that follow a position with one or two ranks fewer
    /// than none of a kind are next to those there are.
    fn margin(&self, unknown: usize) -> usize {
        let widest = self.pairs_at(unknown).map(|pairs| self.widths[pairs]).max().unwrap_or(0);
        2 * (widest + PAD) + super::arithmetic::MOST_LANES
    }

    #[inline]
    pub(super) fn prefix_rank(&self, counts: &[u8; MAX_PATTERNS]) -> usize {
        let mut rank = 0;
        let mut at = 0;
        for &x in &counts[..self.prefix] {
            at += usize::from(x);
            rank += self.steps[at];
            at += self.ranks + 1;
        }
        rank as usize
    }

    /// The row of a position in its block, if it is there.
    #[inline]
    pub(super) fn place(&self, block: &Block, x: &[u8; MAX_PATTERNS]) -> Option<usize> {
        let base = *block.bases.get(self.prefix_rank(x))?;
        (base != NO_RUN).then_some((base + self.within(x)) as usize)
    }

    /// The place of a difference in a row, if it has one there.
    #[inline]
    pub(super) fn column(&self, width: usize, d: i64) -> Option<usize> {
        match self.objective {
            Objective::Cards => Some(0),
            Objective::Win => {
                let shifted = d + width as i64 - 1;
                let there = shifted % 2 == 0 && (0..2 * width as i64).contains(&shifted);
                there.then_some((shifted / 2) as usize)
            }
        }
    }

    /// Unknown cards, remaining pairs and ranks of a position.
    pub(super) fn totals(&self, x: &[u8; MAX_PATTERNS]) -> (usize, usize, usize) {
        let mut totals = (0, 0, 0);
        for (kind, &n) in self.kinds.iter().zip(x) {
            totals.0 += usize::from(kind.pattern.unknown) * usize::from(n);
            totals.1 += kind.pattern.pairs() * usize::from(n);
            totals.2 += usize::from(n);
        }
        totals
    }

    /// The count that runs through, from one position of a run to the next.
    #[inline]
    pub(super) fn within(&self, x: &[u8; MAX_PATTERNS]) -> i64 {
        if self.kinds.len() > 2 { i64::from(x[self.prefix]) } else { 0 }
    }

    /// Ranks of which a card is known.
    pub(super) fn known_ranks(&self, x: &[u8; MAX_PATTERNS]) -> usize {
        let known = self.kinds.iter().zip(x).filter(|(kind, _)| kind.pattern.known > 0);
        known.map(|(_, &n)| usize::from(n)).sum()
    }

    /// A number that prefixes have in common if taking known pairs leads from one to the other.
    pub(super) fn together(&self, prefix: &[u8; MAX_PATTERNS]) -> usize {
        let mut folded = [0; MAX_PATTERNS];
        for (&to, &n) in self.folded.iter().zip(prefix) {
            folded[to] += n;
        }
        self.prefix_rank(&folded)
    }

    /// How the count of a kind changes from one position of a run to the next.
    #[inline]
    pub(super) fn step(&self, kind: usize) -> isize {
        // As in `run_range`: twos stay as they are, and there are two ones less.
        match kind {
            _ if self.kinds.len() < 3 => 0,
            _ if kind == self.prefix => 1,
            _ if kind == self.kinds.len() - 1 => -2,
            _ => 0,
        }
    }

    /// Fills in the two last kinds of a position whose first kinds are given.
    pub(super) fn complete(&self, x: &mut [u8; MAX_PATTERNS], unknown: usize, pairs: usize) {
        let free = self.kinds.len() - 2;
        let (mut u, mut q) = (unknown as i64, pairs as i64);
        for (kind, &n) in self.kinds[..free].iter().zip(x.iter()) {
            u -= i64::from(kind.pattern.unknown) * i64::from(n);
            q -= kind.pattern.pairs() as i64 * i64::from(n);
        }
        x[free] = (u - q) as u8;
        x[free + 1] = (2 * q - u) as u8;
    }

    /// The rows of a block.
    pub(super) fn rows(&self, unknown: usize, pairs: usize) -> u64 {
        let mut len = 0;
        self.runs(unknown, pairs, &mut |_, low, high| len += (high - low + 1) as u64);
        len
    }

    /// Positions and values of a level: how many rows there are, and entries with and without padding.
    pub(super) fn census(&self, unknown: usize) -> (u64, u64, u64) {
        let (mut rows, mut values, mut padded) = (0, 0, 0);
        for pairs in self.pairs_at(unknown) {
            let len = self.rows(unknown, pairs);
            let width = self.widths[pairs] as u64;
            rows += len;
            values += len * width;
            padded += len * (width + PAD as u64);
        }
        (rows, values, padded)
    }

    /// Rows of all levels.
    pub(super) fn all_rows(&self) -> u64 {
        let kinds = self.kinds.len() as u64;
        binomial(self.ranks as u64 + kinds, kinds)
    }

    /// Bytes that will certainly be needed where it would take a while to count the rows one by one, else 0.
    pub(super) fn at_least(&self, keep: Keep) -> u64 {
        if self.all_rows() < 200_000_000 { 0 } else { self.least(keep) }
    }

    /// Bytes that will certainly be needed. Rows have on average at least an eighth as many entries as there are pairs.
    pub fn least(&self, keep: Keep) -> u64 {
        let rows = u128::from(self.all_rows());
        let width = match self.objective {
            Objective::Win => 1 + self.total_pairs() as u128 / 8,
            Objective::Cards => 1,
        };
        let levels = match keep {
            Keep::All => 1,
            Keep::Window => self.cards() as u128 + 1,
        };
        u64::try_from(8 * rows * width / levels).unwrap_or(u64::MAX)
    }

    /// The values to compute, and the bytes needed to keep all levels or only three.
    pub fn need<A: Arithmetic>(&self, arithmetic: &A, keep: Keep) -> (u64, u64) {
        let places = self.binomials.get(self.ranks + self.prefix, self.prefix);
        let levels: Vec<(u64, u64)> = (0..=self.cards())
            .into_par_iter()
            .map(|u| {
                let (_, values, padded) = self.census(u);
                let blocks = self.pairs_at(u).count() as u64;
                let runs = blocks * places * (8 + std::mem::size_of::<RunOf>() as u64);
                let padded = padded + 2 * self.margin(u) as u64;
                (values, padded * (arithmetic.cells(u) * std::mem::size_of::<A::Cell>()) as u64 + runs)
            })
            .collect();
        let values = levels.iter().map(|l| l.0).sum();
        let bytes = match keep {
            Keep::All => levels.iter().map(|l| l.1).sum(),
            Keep::Window => levels.windows(3).map(|w| w.iter().map(|l| l.1).sum()).max().unwrap_or(1 << 20),
        };
        (values, bytes)
    }
}
