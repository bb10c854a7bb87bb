//! The cards of a view as the kernel takes them: kinds of unknown cards, and numbers for pairs.

use super::view::View;

/// Ordered pairs of opponents' cards in turns 15, 14 and 13.
pub(super) const PAIRS: [i32; 3] = [42, 72, 110];
/// Own cards in turn 13.
pub const OWN: usize = 5;
/// Unknown cards in turn 13.
pub const UNKNOWN: usize = 11;

/// Sorted kinds of unknown cards as turn 13 and 14 need them.
#[derive(Clone, Copy, Default)]
pub(super) struct Kind {
    /// Its points.
    pub points: usize,
    /// How many cards.
    count: u8,
    /// Own cards below it.
    pub own_below: usize,
}

/// The cards of a view in the kernel's own terms.
pub(super) struct Deal {
    pub own: usize,
    /// Points of the own cards, lowest first.
    pub mine: [usize; OWN],
    pub kinds: [Kind; UNKNOWN],
    /// How many kinds.
    pub len: usize,
}

impl Deal {
    pub fn new(view: &View) -> Deal {
        let mut deal = Deal { own: 0, mine: [0; OWN], kinds: [Kind::default(); UNKNOWN], len: 0 };
        for card in view.hand.iter().take(OWN) {
            deal.mine[deal.own] = usize::from(card.points());
            deal.own += 1;
        }
        for card in view.unknown.iter().take(UNKNOWN) {
            let (points, own_below) = (usize::from(card.points()), view.hand.below(card));
            match deal.kinds[..deal.len].last_mut() {
                Some(last) if last.points == points && last.own_below == own_below => last.count += 1,
                _ => {
                    deal.kinds[deal.len] = Kind { points, count: 1, own_below };
                    deal.len += 1;
                }
            }
        }
        deal
    }

    pub fn counts(&self) -> [u8; UNKNOWN] {
        self.kinds.map(|kind| kind.count)
    }

    /// How many kinds are below each own card, and how many there are.
    pub fn ends(&self) -> [usize; OWN + 1] {
        let kinds = &self.kinds[..self.len];
        std::array::from_fn(|own| kinds.iter().take_while(|kind| kind.own_below <= own).count())
    }

    /// What wins when an own card meets two kinds, the first not above the second.
    #[inline]
    pub fn winner(&self, own: usize, low: usize, high: usize) -> Option<usize> {
        match (own >= self.kinds[low].own_below, own >= self.kinds[high].own_below) {
            (true, false) => None,
            (true, true) => Some(high),
            _ => Some(low),
        }
    }
}

/// Pairs of cards of two kinds.
pub(super) fn ways(counts: &[u8; UNKNOWN], low: usize, high: usize) -> i32 {
    let (a, b) = (i32::from(counts[low]), i32::from(counts[high]));
    if low == high { a * (a - 1) / 2 } else { a * b }
}

/// Pairs of own cards.
pub const OWN_PAIRS: usize = OWN * (OWN - 1) / 2;

/// Where a pair of own cards stands among all.
pub const fn pair(a: usize, b: usize) -> usize {
    let (a, b) = if a < b { (a, b) } else { (b, a) };
    a * (2 * OWN - a - 1) / 2 + b - a - 1
}

/// Pairs of kinds.
pub const KIND_PAIRS: usize = UNKNOWN * (UNKNOWN + 1) / 2;

/// Where a pair of kinds, the first not above the second, stands among all.
pub const fn kind_pair(low: usize, high: usize) -> usize {
    high * (high + 1) / 2 + low
}
