//! Where positions stand: levels of equal unknown cards, blocks of equal remaining pairs within them, and
//! runs of positions that differ in one count within those.

use super::{Keep, PAD};
use crate::memory::rules::{MAX_PATTERNS, Memory, Objective, Pattern};
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
    pub(super) binomials: Binomials,
    /// C(sum + i, i + 1) for the first prefix counts adding up to `sum`, at `i · (ranks + 1) + sum`: the
    /// rank of a prefix is a sum of these.
    steps: Vec<u32>,
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
    pub(super) fn runs(
        &self,
        unknown: usize,
        pairs: usize,
        run: &mut dyn FnMut(&[u8; MAX_PATTERNS], usize, usize),
    ) {
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

    /// Whether turning a card of this kind leaves but the last kind to be added to the sums of what is behind it.
    pub(super) fn begun(&self, kind: &Kind) -> bool {
        kind.reveal.0.is_none_or(|to| to + 1 == self.kinds.len())
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
}
