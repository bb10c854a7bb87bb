//! Turn 15 for many totals at once: lanes are totals that the turns before can lead to, and every step is the same for all lanes.
//!
//! With the unknown cards in order, the `i`-th of seven wins against a card with `k` of them below it in `2i` of the 42 ordered
//! pairs if `i < k`, else in `2(6 - i)`, half of them for either opponent; the own card wins in `2k(7 - k)`. So the expectation
//! of an own card is a sum over the kinds, the same for all own cards but for which of the two weights a kind has.

use super::deal::{Deal, OWN, OWN_PAIRS, UNKNOWN};
use super::payoffs::{Payoffs, STEP};

/// The payoffs around as many totals as there are lanes: what each kind winning for either opponent pays together, and
/// what each own card winning pays.
#[derive(Clone, Copy)]
pub(super) struct Around<const N: usize> {
    pub theirs: [[i16; N]; UNKNOWN],
    pub mine: [[i16; N]; OWN],
}

impl<const N: usize> Around<N> {
    pub const NOTHING: Self = Around { theirs: [[0; N]; UNKNOWN], mine: [[0; N]; OWN] };

    /// Fills a lane.
    pub fn set(&mut self, lane: usize, payoffs: &Payoffs, deal: &Deal, place: usize) {
        for (kind, theirs) in deal.kinds[..deal.len].iter().zip(&mut self.theirs) {
            theirs[lane] =
                payoffs.at(place + kind.points * STEP[1]) + payoffs.at(place + kind.points * STEP[2]);
        }
        for (points, mine) in deal.mine.iter().zip(&mut self.mine) {
            mine[lane] = payoffs.at(place + points * STEP[0]);
        }
    }
}

/// Weights of turn 15: of each kind for own cards below it, how much more it counts for those above, and of the own cards.
pub(super) struct Weights {
    below: [i16; UNKNOWN],
    more: [i16; UNKNOWN],
    mine: [i16; OWN],
}

impl Weights {
    #[inline]
    pub fn new(ends: &[usize; OWN + 1], left: &[u8; UNKNOWN]) -> Weights {
        let mut weights = Weights { below: [0; UNKNOWN], more: [0; UNKNOWN], mine: [0; OWN] };
        let (mut first, mut firsts) = (0, [0; UNKNOWN + 1]);
        for j in 0..ends[OWN] {
            let n = i16::from(left[j]);
            // The sum of the places of these cards, counted from below and from above.
            let from_below = n * first + n * (n - 1) / 2;
            weights.below[j] = 6 * n - from_below;
            weights.more[j] = 2 * from_below - 6 * n;
            first += n;
            firsts[j + 1] = first;
        }
        weights.mine = std::array::from_fn(|own| 2 * firsts[ends[own]] * (7 - firsts[ends[own]]));
        weights
    }

    /// 42 times the expectations of the own cards in turn 15, given the payoffs after each kind and each own card has won.
    #[inline(always)]
    pub fn last<const N: usize>(
        &self,
        ends: &[usize; OWN + 1],
        theirs: impl Fn(usize) -> [i16; N],
        mine: impl Fn(usize) -> [i16; N],
    ) -> [[i16; N]; OWN] {
        let mut totals = [[0; N]; OWN];
        // As if all kinds were above the own card, and how much more those below it give.
        let (mut sum, mut more) = ([0; N], [0; N]);
        let mut j = 0;
        for own in 0..OWN {
            while j < ends[own] {
                let row = theirs(j);
                add(&mut sum, self.below[j], &row);
                add(&mut more, self.more[j], &row);
                j += 1;
            }
            totals[own] = more;
            add(&mut totals[own], self.mine[own], &mine(own));
        }
        while j < ends[OWN] {
            add(&mut sum, self.below[j], &theirs(j));
            j += 1;
        }
        for total in &mut totals {
            add(total, 1, &sum);
        }
        totals
    }
}

#[inline(always)]
fn add<const N: usize>(sums: &mut [i16; N], weight: i16, row: &[i16; N]) {
    for (sum, x) in sums.iter_mut().zip(row) {
        *sum += weight * x;
    }
}

#[inline(always)]
pub(super) fn plus<const N: usize>(a: &[i16; N], b: &[i16; N]) -> [i16; N] {
    std::array::from_fn(|i| a[i] + b[i])
}

#[inline(always)]
pub(super) fn larger<const N: usize>(a: &[i16; N], b: &[i16; N]) -> [i16; N] {
    std::array::from_fn(|i| a[i].max(b[i]))
}

/// The best of the three own cards left, for every pair of cards gone.
#[inline(always)]
pub fn bests<const N: usize>([a, b, c, d, f]: &[[i16; N]; OWN]) -> [[i16; N]; OWN_PAIRS] {
    let (ab, cd, df, cf) = (larger(a, b), larger(c, d), larger(d, f), larger(c, f));
    let (ac, bc) = (larger(a, c), larger(b, c));
    // In the order of `pair`: 01 02 03 04 12 13 14 23 24 34.
    [
        larger(&cd, f),
        larger(b, &df),
        larger(b, &cf),
        larger(b, &cd),
        larger(a, &df),
        larger(a, &cf),
        larger(a, &cd),
        larger(&ab, f),
        larger(&ab, d),
        larger(&ac, &bc),
    ]
}

/// The largest of all own cards but one, for each.
#[inline(always)]
pub fn others<const N: usize>(e: &[[i16; N]; OWN]) -> [[i16; N]; OWN] {
    let [a, b, c, d, f] = e;
    let (ab, df) = (larger(a, b), larger(d, f));
    let (abc, cdf) = (larger(&ab, c), larger(c, &df));
    [larger(b, &cdf), larger(a, &cdf), larger(&ab, &df), larger(&abc, f), larger(&abc, d)]
}
