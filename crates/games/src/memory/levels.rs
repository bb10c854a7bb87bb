//! Memory's own solver: all positions level by level in the number of unknown cards, as dense rows.
//!
//! What makes it fast, next to the generic induction that tests compare it with:
//! - Known pairs that cost nothing to take (see [`Pattern::free_pair`]) are taken at once, so only ranks
//!   with at least as many unknown as known cards are counted.
//! - The pass flag is not stored. Let W be the best value without passing. Where two ranks have known
//!   cards, V(d) = max(W(d), −W(−d)) for d > 0 and V(0) = max(W(0), 0): the other player, passed to
//!   while behind, does not pass back, and at equality may end the game in a draw.
//! - A level is cut into blocks of equal unknown cards U and remaining pairs R. All rows of a block have
//!   the same length, and depend only on blocks (U−1, ·), (U−2, ·) and (U, R−1): a block is computed in
//!   parallel, and only three levels need to be kept.
//! - Values do not depend on how many ranks are gone, so one pass gives every smaller game too.
//!
//! Values are zero-sum: +1 is a win for the player to move. Exact values at U unknown cards are integers
//! over U!, because a turned card divides by U; so no fraction is ever reduced on the way.

use super::rules::{Counts, MAX_PATTERNS, Memory, Objective, Pattern, Phase, State};
use num_bigint::BigInt;
use rayon::prelude::*;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};
use yomikiri_core::combin::Binomials;
use yomikiri_core::{Error, Number, Rational, Run, Text, text};
use yomikiri_solve::look::{Solution, Stored};
use yomikiri_solve::on_threads;

/// Values within this of the best count as equally good.
pub const TOLERANCE: f64 = 1e-12;
/// Places above a row for positions that are already won.
const PAD: usize = 2;
/// Rows a thread computes at a time.
const CHUNK: usize = 32;
/// Time between checkpoints.
const CHECKPOINT: Duration = Duration::from_secs(60);

/// How values are represented and averaged at each level.
pub trait Arithmetic: Send + Sync {
    /// A value.
    type N: Clone + PartialOrd + Send + Sync + Default;
    /// A probability.
    type W: Copy + Send;
    /// What the values are to the outside.
    type Shown: Number;
    /// The value 1 at a level.
    fn unit(&self, unknown: usize) -> Self::N;
    /// The probability `ways / total`.
    fn weight(ways: usize, total: usize) -> Self::W;
    /// Adds a weighted value.
    fn add(sum: &mut Self::N, weight: Self::W, x: &Self::N);
    /// Adds `n` units.
    fn bonus(sum: &mut Self::N, n: usize, unit: &Self::N);
    /// The value for the other player.
    fn negate(x: &Self::N) -> Self::N;
    /// Whether `x` is as good as `best`.
    fn as_good(x: &Self::N, best: &Self::N) -> bool;
    /// The value of a level as others see it.
    fn shown(&self, x: &Self::N, unknown: usize) -> Self::Shown;
    /// Bytes a value takes at a level.
    fn bytes(&self, unknown: usize) -> u64;
    /// Writes values for the store.
    fn write(values: &[Self::N], to: &mut dyn Write) -> io::Result<()>;
    /// Reads values back.
    fn read(values: &mut [Self::N], from: &mut dyn Read) -> io::Result<()>;
    /// Part of the name under which results are stored.
    const NAME: &'static str;
}

/// Doubles.
pub struct Doubles;

impl Arithmetic for Doubles {
    type N = f64;
    type W = f64;
    type Shown = f64;
    const NAME: &'static str = "f64";
    fn unit(&self, _: usize) -> f64 {
        1.0
    }
    #[inline]
    fn weight(ways: usize, total: usize) -> f64 {
        ways as f64 / total as f64
    }
    #[inline]
    fn add(sum: &mut f64, weight: f64, x: &f64) {
        // Not fused: the same bits on every platform.
        *sum += weight * x;
    }
    #[inline]
    fn bonus(sum: &mut f64, n: usize, _: &f64) {
        *sum += n as f64;
    }
    #[inline]
    fn negate(x: &f64) -> f64 {
        -x
    }
    #[inline]
    fn as_good(x: &f64, best: &f64) -> bool {
        *x >= best - 2.0 * TOLERANCE
    }
    fn shown(&self, x: &f64, _: usize) -> f64 {
        *x
    }
    fn bytes(&self, _: usize) -> u64 {
        8
    }
    fn write(values: &[f64], to: &mut dyn Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(8 * values.len().min(1 << 16));
        for part in values.chunks(1 << 16) {
            bytes.clear();
            part.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
            to.write_all(&bytes)?;
        }
        Ok(())
    }
    fn read(values: &mut [f64], from: &mut dyn Read) -> io::Result<()> {
        let mut bytes = vec![0; 8 * values.len().min(1 << 16)];
        for part in values.chunks_mut(1 << 16) {
            let bytes = &mut bytes[..8 * part.len()];
            from.read_exact(bytes)?;
            for (x, raw) in part.iter_mut().zip(bytes.as_chunks::<8>().0) {
                *x = f64::from_le_bytes(*raw);
            }
        }
        Ok(())
    }
}

/// Exact integers over the factorial of the number of unknown cards.
pub struct Factorials(Vec<BigInt>);

impl Factorials {
    /// The scales of a game with so many cards.
    pub fn new(cards: usize) -> Factorials {
        let mut table = vec![BigInt::from(1)];
        for u in 1..=cards {
            table.push(&table[u - 1] * BigInt::from(u));
        }
        Factorials(table)
    }
}

impl Arithmetic for Factorials {
    type N = BigInt;
    type W = usize;
    type Shown = Rational;
    const NAME: &'static str = "exact";
    fn unit(&self, unknown: usize) -> BigInt {
        self.0[unknown].clone()
    }
    fn weight(ways: usize, _: usize) -> usize {
        ways
    }
    fn add(sum: &mut BigInt, weight: usize, x: &BigInt) {
        *sum += x * BigInt::from(weight);
    }
    fn bonus(sum: &mut BigInt, n: usize, unit: &BigInt) {
        *sum += unit * BigInt::from(n);
    }
    fn negate(x: &BigInt) -> BigInt {
        -x
    }
    fn as_good(x: &BigInt, best: &BigInt) -> bool {
        x >= best
    }
    fn shown(&self, x: &BigInt, unknown: usize) -> Rational {
        Rational::new(x.clone(), self.0[unknown].clone())
    }
    fn bytes(&self, unknown: usize) -> u64 {
        // The digits, and the header of their vector with its allocation.
        self.0[unknown].bits() / 8 + 56
    }
    fn write(values: &[BigInt], to: &mut dyn Write) -> io::Result<()> {
        for x in values {
            let bytes = x.to_signed_bytes_le();
            to.write_all(&(bytes.len() as u32).to_le_bytes())?;
            to.write_all(&bytes)?;
        }
        Ok(())
    }
    fn read(values: &mut [BigInt], from: &mut dyn Read) -> io::Result<()> {
        for x in values {
            let mut len = [0; 4];
            from.read_exact(&mut len)?;
            let len = u32::from_le_bytes(len) as usize;
            if len > 1 << 16 {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a number is too long"));
            }
            let mut bytes = vec![0; len];
            from.read_exact(&mut bytes)?;
            *x = BigInt::from_signed_bytes_le(&bytes);
        }
        Ok(())
    }
}

/// Where a rank goes when something happens to it: the kind it becomes (`None` when all its cards are
/// gone) and the pairs taken, free ones included.
type Change = (Option<usize>, usize);

/// A pattern that is stored, and what can happen to a rank in it.
struct Kind {
    pattern: Pattern,
    /// One unknown card becomes known; the pairs go to the other player.
    reveal: Change,
    /// A known card is matched by a turned one.
    same: Option<Change>,
    /// Two unknown cards turn out to match.
    matched: Option<Change>,
    /// A known pair is taken although it is not free.
    take: Option<Change>,
}

/// The combinatorics of a game: which kinds there are and where positions stand in their block.
pub struct Shape {
    ranks: usize,
    copies: usize,
    objective: Objective,
    kinds: Vec<Kind>,
    /// By remaining pairs: entries of a row, one for every second difference.
    widths: Vec<usize>,
    /// Kinds that choose the run of a position; the next one counts within it, the last two follow.
    prefix: usize,
    binomials: Binomials,
}

/// Positions that differ only in the kind after the prefix.
struct RunOf {
    prefix: [u8; MAX_PATTERNS],
    low: usize,
    start: usize,
}

/// All positions with the same unknown cards and remaining pairs.
struct Block<N> {
    /// By the rank of the prefix: place of the run minus its lowest count.
    bases: Vec<i64>,
    runs: Vec<RunOf>,
    /// Positions.
    len: usize,
    /// Entries of a row: differences from 1 − width to width − 1, every second one.
    width: usize,
    values: Vec<N>,
}

impl<N> Block<N> {
    fn stride(&self) -> usize {
        self.width + PAD
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
        let prefix = kinds.len().saturating_sub(3);
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
            binomials: Binomials::new(game.ranks() + prefix + 1),
            prefix,
            kinds,
        }
    }

    fn cards(&self) -> usize {
        self.ranks * self.copies
    }

    fn total_pairs(&self) -> usize {
        self.cards() / 2
    }

    /// The range of remaining pairs a level can have.
    fn pairs_at(&self, unknown: usize) -> std::ops::RangeInclusive<usize> {
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

    fn block<N>(&self, unknown: usize, pairs: usize) -> Block<N> {
        let places = self.binomials.get(self.ranks + self.prefix, self.prefix) as usize;
        let mut block = Block {
            bases: vec![0; places],
            runs: Vec::new(),
            len: 0,
            width: self.widths[pairs],
            values: Vec::new(),
        };
        self.runs(unknown, pairs, &mut |prefix, low, high| {
            block.bases[self.prefix_rank(prefix)] = block.len as i64 - low as i64;
            block.runs.push(RunOf { prefix: *prefix, low, start: block.len });
            block.len += high - low + 1;
        });
        block
    }

    #[inline]
    fn prefix_rank(&self, counts: &[u8; MAX_PATTERNS]) -> usize {
        let mut rank = 0;
        let mut sum = 0;
        for (i, &x) in counts[..self.prefix].iter().enumerate() {
            sum += usize::from(x);
            rank += self.binomials.get(sum + i, i + 1);
        }
        rank as usize
    }

    /// The row of a position in its block.
    #[inline]
    fn place<N>(&self, block: &Block<N>, x: &[u8; MAX_PATTERNS]) -> usize {
        let within = if self.kinds.len() > 2 { i64::from(x[self.prefix]) } else { 0 };
        (block.bases[self.prefix_rank(x)] + within) as usize
    }

    /// Unknown cards, remaining pairs and ranks of a position.
    fn totals(&self, x: &[u8; MAX_PATTERNS]) -> (usize, usize, usize) {
        let mut totals = (0, 0, 0);
        for (kind, &n) in self.kinds.iter().zip(x) {
            totals.0 += usize::from(kind.pattern.unknown) * usize::from(n);
            totals.1 += kind.pattern.pairs() * usize::from(n);
            totals.2 += usize::from(n);
        }
        totals
    }

    /// Fills in the two last kinds of a position whose first kinds are given.
    fn complete(&self, x: &mut [u8; MAX_PATTERNS], unknown: usize, pairs: usize) {
        let free = self.kinds.len() - 2;
        let (mut u, mut q) = (unknown as i64, pairs as i64);
        for (kind, &n) in self.kinds[..free].iter().zip(x.iter()) {
            u -= i64::from(kind.pattern.unknown) * i64::from(n);
            q -= kind.pattern.pairs() as i64 * i64::from(n);
        }
        x[free] = (u - q) as u8;
        x[free + 1] = (2 * q - u) as u8;
    }

    /// Positions and values of a level: how many rows there are, and entries with and without padding.
    fn census(&self, unknown: usize) -> (u64, u64, u64) {
        let (mut rows, mut values, mut padded) = (0, 0, 0);
        for pairs in self.pairs_at(unknown) {
            let mut len = 0;
            self.runs(unknown, pairs, &mut |_, low, high| len += (high - low + 1) as u64);
            let width = self.widths[pairs] as u64;
            rows += len;
            values += len * width;
            padded += len * (width + PAD as u64);
        }
        (rows, values, padded)
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
                (values, padded * arithmetic.bytes(u) + runs)
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

/// What of the table stays after the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Every level: any position can be asked about afterwards.
    All,
    /// Only the levels in use: the values of the starting positions of all sizes remain.
    Window,
}

/// How the best moves are distributed; ties go to take before flip before pass, and to same before
/// different before unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Positions where taking a known pair that is not free, turning a card, and passing is best.
    pub first: [u64; 3],
    /// By kind of the turned card, where turning is best: same, different, unknown.
    pub second: [[u64; 3]; MAX_PATTERNS],
}

impl Tally {
    fn add(mut self, other: &Tally) -> Tally {
        for (a, b) in self.first.iter_mut().zip(&other.first) {
            *a += b;
        }
        for (a, b) in self.second.as_flattened_mut().iter_mut().zip(other.second.as_flattened()) {
            *a += b;
        }
        self
    }
}

/// A solved game.
pub struct Levels<A: Arithmetic> {
    arithmetic: A,
    shape: Shape,
    /// By unknown cards, then by remaining pairs from the lowest possible.
    levels: Vec<Vec<Block<A::N>>>,
    /// Value of the starting position with so many ranks, where its parity occurs in the table.
    roots: Vec<Option<A::N>>,
    /// How the best moves are distributed.
    pub tally: Tally,
    /// Values computed.
    pub values: u64,
}

struct Scratch<N> {
    best: Vec<N>,
    sum: Vec<N>,
    other: Vec<N>,
    total: Vec<N>,
    choice: Vec<u8>,
}

impl<N: Clone + Default> Scratch<N> {
    fn new(width: usize, kinds: usize) -> Scratch<N> {
        let row = vec![N::default(); width];
        Scratch {
            best: row.clone(),
            sum: row.clone(),
            other: row.clone(),
            total: row,
            choice: vec![0; width * kinds],
        }
    }
}

/// Improves a row of best values by another option, and notes where that option is as good as the best.
#[inline]
fn consider<A: Arithmetic>(
    values: impl Iterator<Item = A::N>,
    best: &mut [A::N],
    choice: &mut [u8],
    which: u8,
    first: bool,
) {
    for ((v, best), choice) in values.zip(best).zip(choice) {
        if first || A::as_good(&v, best) {
            *choice = which;
        }
        if first || v > *best {
            *best = v;
        }
    }
}

/// A row of a successor, cut so that its entries line up with those of the position that asks.
struct Aligned<'a, N> {
    row: &'a [N],
    /// Pairs taken on the way, by whoever moves next.
    pairs: usize,
}

impl<A: Arithmetic> Levels<A> {
    fn block(&self, unknown: usize, pairs: usize) -> &Block<A::N> {
        &self.levels[unknown][pairs - unknown.div_ceil(2)]
    }

    /// The row behind `changes` of single ranks of `x`. `width` is that of the asking row.
    #[inline]
    fn row(
        &self,
        x: &[u8; MAX_PATTERNS],
        changes: [(usize, Change); 2],
        used: usize,
        (unknown, pairs, width): (usize, usize, usize),
    ) -> Aligned<'_, A::N> {
        let mut y = *x;
        let mut taken = 0;
        for &(from, (to, t)) in &changes[..used] {
            y[from] -= 1;
            if let Some(to) = to {
                y[to] += 1;
            }
            taken += t;
        }
        let block = self.block(unknown, pairs - taken);
        let at = self.shape.place(block, &y);
        // d' = d + taken for the same player and −d + taken for the other: the same span of entries.
        let skip = match self.shape.objective {
            Objective::Win => (block.width + taken - width) / 2,
            Objective::Cards => 0,
        };
        let start = at * block.stride() + skip;
        Aligned { row: &block.values[start..start + width], pairs: taken }
    }

    fn kinds(&self) -> usize {
        self.shape.kinds.len()
    }

    /// Computes the row of one position from the levels below.
    fn compute(
        &self,
        x: &[u8; MAX_PATTERNS],
        (unknown, pairs, width): (usize, usize, usize),
        out: &mut [A::N],
        scratch: &mut Scratch<A::N>,
        units: [&A::N; 3],
        tally: &mut Tally,
    ) {
        let cards = self.shape.objective == Objective::Cards;
        let known_ranks: usize = self
            .shape
            .kinds
            .iter()
            .zip(x)
            .map(|(k, &n)| if k.pattern.known > 0 { usize::from(n) } else { 0 })
            .sum();
        let Scratch { best, sum, other, total, choice } = scratch;
        let (best, sum, other, total) =
            (&mut best[..width], &mut sum[..width], &mut other[..width], &mut total[..width]);
        total.fill(A::N::default());
        let place = |level: usize| (level, pairs, width);
        let gained = |v: &A::N, pairs: usize, unit: &A::N| {
            let mut v = v.clone();
            if cards {
                A::bonus(&mut v, pairs, unit);
            }
            v
        };
        for (p, kind) in self.shape.kinds.iter().enumerate() {
            if x[p] == 0 {
                continue;
            }
            let choice = &mut choice[p * width..(p + 1) * width];
            // The second unknown card.
            let mut options = 0u8;
            if unknown >= 2 {
                let rest = unknown - 1;
                other.fill(A::N::default());
                for (j, second) in self.shape.kinds.iter().enumerate() {
                    let ranks = usize::from(x[j]) - usize::from(j == p);
                    if ranks == 0 {
                        continue;
                    }
                    let weight = A::weight(ranks * usize::from(second.pattern.unknown), rest);
                    // The second change applies to what the first one left.
                    let next = self.row(x, [(p, kind.reveal), (j, second.reveal)], 2, place(unknown - 2));
                    for (sum, v) in other.iter_mut().zip(next.row) {
                        A::add(sum, weight, v);
                    }
                    if cards {
                        A::add(&mut other[0], weight, &gained(&A::N::default(), next.pairs, units[2]));
                    }
                }
                for (sum, v) in sum.iter_mut().zip(other.iter().rev()) {
                    *sum = A::negate(v);
                }
                if let Some(change) = kind.matched {
                    let weight = A::weight(usize::from(kind.pattern.unknown) - 1, rest);
                    let next = self.row(x, [(p, change); 2], 1, place(unknown - 2));
                    for (sum, v) in sum.iter_mut().zip(next.row) {
                        A::add(sum, weight, v);
                    }
                    if cards {
                        A::add(&mut sum[0], weight, &gained(&A::N::default(), next.pairs, units[2]));
                    }
                }
                best.clone_from_slice(sum);
                choice.fill(2);
                options = 1;
            }
            // In the order unknown, different, same: the later one wins ties.
            if known_ranks > usize::from(kind.pattern.known > 0) {
                let next = self.row(x, [(p, kind.reveal); 2], 1, place(unknown - 1));
                let values = next.row.iter().rev().map(|v| A::negate(&gained(v, next.pairs, units[1])));
                consider::<A>(values, best, choice, 1, options == 0);
                options += 1;
            }
            if let Some(change) = kind.same {
                let next = self.row(x, [(p, change); 2], 1, place(unknown - 1));
                let values = next.row.iter().map(|v| gained(v, next.pairs, units[1]));
                consider::<A>(values, best, choice, 0, options == 0);
            }
            let weight = A::weight(usize::from(x[p]) * usize::from(kind.pattern.unknown), unknown);
            for (total, best) in total.iter_mut().zip(best.iter()) {
                A::add(total, weight, best);
            }
        }
        // Known pairs that are not free.
        let mut take = false;
        for (p, kind) in self.shape.kinds.iter().enumerate() {
            let (Some(change), true) = (kind.take, x[p] > 0) else { continue };
            let next = self.row(x, [(p, change); 2], 1, place(unknown));
            for (best, v) in best.iter_mut().zip(next.row) {
                let v = gained(v, next.pairs, units[0]);
                if !take || v > *best {
                    *best = v;
                }
            }
            take = true;
        }
        let can_pass = known_ranks >= 2;
        let zero = A::N::default();
        for i in 0..width {
            out[i] = if take && best[i] > total[i] { best[i].clone() } else { total[i].clone() };
        }
        for i in (0..width).rev() {
            let mirror = width - 1 - i;
            let pass = if !can_pass || i < mirror {
                None
            } else if i == mirror {
                Some(zero.clone())
            } else {
                Some(A::negate(&out[mirror]))
            };
            let top = match &pass {
                Some(pass) if *pass > out[i] => pass.clone(),
                _ => out[i].clone(),
            };
            if take && A::as_good(&best[i], &top) {
                tally.first[0] += 1;
            } else if A::as_good(&total[i], &top) {
                tally.first[1] += 1;
                for p in 0..self.kinds() {
                    if x[p] > 0 {
                        tally.second[p][usize::from(choice[p * width + i])] += 1;
                    }
                }
            } else {
                tally.first[2] += 1;
            }
            out[i] = top;
        }
    }

    /// Computes a block whose lower blocks are there.
    fn fill_block(&self, unknown: usize, pairs: usize, run: &Run<'_>) -> Result<(Block<A::N>, Tally), Error> {
        let mut block: Block<A::N> = self.shape.block(unknown, pairs);
        let stride = block.stride();
        let width = block.width;
        let here = self.arithmetic.unit(unknown);
        let below = self.arithmetic.unit(unknown.saturating_sub(1));
        let lower = self.arithmetic.unit(unknown.saturating_sub(2));
        let units = [&here, &below, &lower];
        let mut values = vec![A::N::default(); block.len * stride];
        let chunk = |scratch: &mut Scratch<A::N>, at: usize, rows: &mut [A::N]| {
            let mut tally = Tally::default();
            let mut position = at * CHUNK;
            let mut run_at = block.runs.partition_point(|r| r.start <= position) - 1;
            for row in rows.chunks_mut(stride) {
                while block.runs.get(run_at + 1).is_some_and(|next| next.start <= position) {
                    run_at += 1;
                }
                let run = &block.runs[run_at];
                let mut x = run.prefix;
                if self.kinds() > 2 {
                    x[self.shape.prefix] = (run.low + position - run.start) as u8;
                }
                self.shape.complete(&mut x, unknown, pairs);
                let (row, pad) = row.split_at_mut(width);
                if pairs > 0 {
                    self.compute(&x, (unknown, pairs, width), row, scratch, units, &mut tally);
                }
                pad.fill(here.clone());
                position += 1;
            }
            tally
        };
        let scratch = || Scratch::new(width, self.kinds());
        let tally = if block.len <= CHUNK {
            if block.len == 0 { Tally::default() } else { chunk(&mut scratch(), 0, &mut values) }
        } else {
            values
                .par_chunks_mut(stride * CHUNK)
                .enumerate()
                .map_init(scratch, |scratch, (at, rows)| {
                    if run.cancel.load(std::sync::atomic::Ordering::Relaxed) {
                        return Tally::default();
                    }
                    chunk(scratch, at, rows)
                })
                .reduce(Tally::default, |a, b| a.add(&b))
        };
        run.check()?;
        block.values = values;
        Ok((block, tally))
    }

    /// Solves a game, going on from a checkpoint if the run's store has one under `name`.
    pub fn solve(game: &Memory, arithmetic: A, keep: Keep, run: &Run<'_>) -> Result<Levels<A>, Error> {
        let shape = Shape::new(game);
        let (values, bytes) = shape.need(&arithmetic, keep);
        run.fits(bytes)?;
        let name = store_name(game, A::NAME, if keep == Keep::All { "table" } else { "checkpoint" });
        let mut levels = Levels {
            roots: vec![None; shape.ranks + 1],
            arithmetic,
            levels: Vec::with_capacity(shape.cards() + 1),
            tally: Tally::default(),
            values,
            shape,
        };
        if let Some(mut stored) = run.store.load(&name) {
            match levels.restore(&mut stored) {
                Ok(()) if levels.levels.len() <= levels.shape.cards() => run.observer.note(&Text::of(
                    format!("resumed at {} of {} unknown cards", levels.levels.len(), levels.shape.cards()),
                    format!("未知カード{}枚（全{}枚）から再開", levels.levels.len(), levels.shape.cards()),
                )),
                Ok(()) => return Ok(levels),
                Err(_) => {
                    // Not ours or not whole: begin anew.
                    run.store.remove(&name);
                    levels.levels.clear();
                    levels.tally = Tally::default();
                    levels.roots.fill(None);
                }
            }
        }
        let done: u64 = (0..levels.levels.len()).map(|u| levels.shape.census(u).1).sum();
        run.observer.begin(&text("levels of unknown cards", "未知カード枚数ごとの計算"), values);
        run.observer.done(done);
        let result = on_threads(run, || levels.sweep(keep, &name, done, run))?;
        run.observer.end();
        result?;
        match keep {
            Keep::All => run.store.save(&name, &mut |to| levels.save(to))?,
            Keep::Window => run.store.remove(&name),
        }
        Ok(levels)
    }

    fn sweep(&mut self, keep: Keep, name: &str, mut done: u64, run: &Run<'_>) -> Result<(), Error> {
        let mut saved = Instant::now();
        for unknown in self.levels.len()..=self.shape.cards() {
            if keep == Keep::Window && saved.elapsed() > CHECKPOINT {
                run.store.save(name, &mut |to| self.save(to))?;
                saved = Instant::now();
            }
            self.levels.push(Vec::new());
            let before = self.tally.clone();
            for pairs in self.shape.pairs_at(unknown) {
                match self.fill_block(unknown, pairs, run) {
                    Ok((block, tally)) => {
                        done += (block.len * block.width) as u64;
                        self.levels[unknown].push(block);
                        self.tally = std::mem::take(&mut self.tally).add(&tally);
                    }
                    Err(stopped) => {
                        // Back to the last whole level, and keep that.
                        self.levels.pop();
                        self.tally = before;
                        if keep == Keep::Window {
                            run.store.save(name, &mut |to| self.save(to))?;
                        }
                        return Err(stopped);
                    }
                }
                run.observer.done(done);
            }
            if unknown.is_multiple_of(self.shape.copies) {
                let ranks = unknown / self.shape.copies;
                let mut counts = [0; MAX_PATTERNS];
                counts[0] = ranks as u8;
                self.roots[ranks] = self.entry(&counts, 0).cloned();
            }
            if keep == Keep::Window && unknown >= 2 {
                self.levels[unknown - 2] = Vec::new();
            }
        }
        Ok(())
    }

    /// The entry at stored kinds `x` and difference `d`, if the table has it.
    fn entry(&self, x: &[u8; MAX_PATTERNS], d: i64) -> Option<&A::N> {
        let (unknown, pairs, ranks) = self.shape.totals(x);
        if ranks > self.shape.ranks {
            return None;
        }
        let block = self.levels.get(unknown)?.get(pairs.checked_sub(unknown.div_ceil(2))?)?;
        let entry = match self.shape.objective {
            Objective::Cards => 0,
            Objective::Win => {
                let shifted = d + block.width as i64 - 1;
                if shifted % 2 != 0 || shifted < 0 || shifted >= 2 * block.width as i64 {
                    return None;
                }
                (shifted / 2) as usize
            }
        };
        block.values.get(self.shape.place(block, x) * block.stride() + entry)
    }

    /// The value of the starting position with so many ranks, if its parity occurs in the table.
    pub fn root(&self, ranks: usize) -> Option<A::Shown> {
        let root = self.roots.get(ranks)?.as_ref()?;
        Some(self.arithmetic.shown(root, ranks * self.shape.copies))
    }

    /// The value of a position in which nobody has just passed, for the player to move.
    pub fn lookup(&self, game: &Memory, counts: &Counts, diff: i16) -> Option<A::Shown> {
        let mut x = [0; MAX_PATTERNS];
        let mut d = i64::from(diff);
        let mut left = 0;
        for (p, &n) in game.patterns().iter().zip(counts) {
            let mut p = *p;
            while p.free_pair() {
                p.known -= 2;
                d += i64::from(n);
            }
            left += p.pairs() * usize::from(n);
            if n > 0 && p.unknown > 0 {
                let kind = self.shape.kinds.iter().position(|k| k.pattern == p)?;
                x[kind] += n;
            }
        }
        if self.shape.objective == Objective::Win && d.unsigned_abs() > left as u64 {
            return Some(A::Shown::from_int(d.signum() as i32));
        }
        if left == 0 {
            let result = if self.shape.objective == Objective::Win { d.signum() } else { d };
            return Some(A::Shown::from_int(result as i32));
        }
        let (unknown, ..) = self.shape.totals(&x);
        let mut shown = self.arithmetic.shown(self.entry(&x, d)?, unknown);
        if self.shape.objective == Objective::Cards {
            shown.add_weighted(1, &A::Shown::from_int(d as i32));
        }
        Some(shown)
    }

    fn save(&self, to: &mut dyn Write) -> io::Result<()> {
        let number = |to: &mut dyn Write, n: u64| to.write_all(&n.to_le_bytes());
        number(to, self.levels.len() as u64)?;
        for n in self.tally.first.iter().chain(self.tally.second.as_flattened()) {
            number(to, *n)?;
        }
        for level in &self.levels {
            number(to, level.len() as u64)?;
            for block in level {
                number(to, block.values.len() as u64)?;
                A::write(&block.values, to)?;
            }
        }
        for root in &self.roots {
            number(to, u64::from(root.is_some()))?;
            A::write(root.as_slice(), to)?;
        }
        Ok(())
    }

    fn restore(&mut self, from: &mut dyn Read) -> io::Result<()> {
        fn number(from: &mut dyn Read) -> io::Result<u64> {
            let mut bytes = [0; 8];
            from.read_exact(&mut bytes)?;
            Ok(u64::from_le_bytes(bytes))
        }
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "not a table of this game");
        let levels = number(from)? as usize;
        if levels > self.shape.cards() + 1 {
            return Err(wrong());
        }
        for n in self.tally.first.iter_mut().chain(self.tally.second.as_flattened_mut()) {
            *n = number(from)?;
        }
        for unknown in 0..levels {
            let blocks = number(from)? as usize;
            let mut level = Vec::new();
            if blocks > 0 {
                if blocks != self.shape.pairs_at(unknown).count() {
                    return Err(wrong());
                }
                for pairs in self.shape.pairs_at(unknown) {
                    let mut block: Block<A::N> = self.shape.block(unknown, pairs);
                    if number(from)? != (block.len * block.stride()) as u64 {
                        return Err(wrong());
                    }
                    block.values = vec![A::N::default(); block.len * block.stride()];
                    A::read(&mut block.values, from)?;
                    level.push(block);
                }
            }
            self.levels.push(level);
        }
        for root in &mut self.roots {
            if number(from)? == 1 {
                A::read(std::slice::from_mut(root.insert(A::N::default())), from)?;
            }
        }
        Ok(())
    }
}

/// The name under which results of a game are stored.
pub fn store_name(game: &Memory, arithmetic: &str, what: &str) -> String {
    let objective = match game.objective() {
        Objective::Win => "win",
        Objective::Cards => "cards",
    };
    format!(
        "memory/ranks={},copies={},objective={objective}/{arithmetic}-{what}",
        game.ranks(),
        game.copies()
    )
}

impl<A: Arithmetic> Solution<Memory> for Levels<A> {
    type Number = A::Shown;

    fn stored(&self, game: &Memory, s: &State) -> Stored<A::Shown> {
        if s.phase != Phase::First || s.passed {
            return Stored::LookThrough;
        }
        self.lookup(game, &s.counts, s.diff).map_or(Stored::Missing, Stored::Value)
    }
}
