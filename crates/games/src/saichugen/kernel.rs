//! The exact expectation of every card in the last round, fast.
//!
//! Equal to the full-width search (`yomikiri_solve::fullwidth`) on every position, in whole numbers over a
//! common denominator, by three observations:
//!
//! - What a round pays depends on the three totals of the round only: a table of payoffs for given scores.
//! - In turn 15 the expectation of an own card is linear in the payoffs after each unknown card wins, with weights that do not
//!   depend on the totals (`lanes`).
//! - In turn 13 the cards removed before turn 15 matter as a set, not who played which when (`turn_13`).
//!
//! Unknown cards of one rank with no own card between them are one kind of card.

use super::lanes::{Around, Weights, others};
use super::rules::{Card, MOST, SEATS, payoffs, sum};
use super::turn_13::Arena;
use super::view::View;
use std::sync::OnceLock;

/// Ordered pairs of opponents' cards in turns 15, 14 and 13.
pub(super) const PAIRS: [i32; 3] = [42, 72, 110];
/// Own cards in turn 13.
pub const OWN: usize = 5;
/// Unknown cards in turn 13.
pub const UNKNOWN: usize = 11;
/// Totals of a player in a round go up to here, exclusive.
const SIDE: usize = MOST + 1;

/// What is worked out of a view: for every card of the hand, lowest first, the expectation times the
/// denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Values {
    totals: [i32; OWN],
    cards: [Option<Card>; OWN],
    denominator: i32,
}

impl Values {
    /// 332,640 in turn 13, 3,024 in turn 14, 42 in turn 15.
    pub fn denominator(&self) -> i32 {
        self.denominator
    }

    /// The cards of the hand, lowest first, with their expectations times the denominator.
    pub fn cards(&self) -> impl Iterator<Item = (Card, i32)> + Clone {
        self.cards.iter().zip(self.totals).filter_map(|(card, total)| Some(((*card)?, total)))
    }

    /// The expectation of the best card, times the denominator.
    pub fn best(&self) -> i32 {
        self.cards().map(|c| c.1).max().unwrap_or(0)
    }

    /// The cards that are as good as any, lowest first.
    pub fn best_cards(&self) -> impl Iterator<Item = Card> + Clone {
        let best = self.best();
        self.cards().filter(move |c| c.1 == best).map(|c| c.0)
    }

    /// The expectation of the best card.
    pub fn value(&self) -> f64 {
        f64::from(self.best()) / f64::from(self.denominator)
    }
}

/// A fraction as people write it: in lowest terms, a whole number alone.
pub fn fraction(total: i32, denominator: i32) -> String {
    let divisor = num_integer::gcd(total, denominator);
    match denominator / divisor {
        1 => (total / divisor).to_string(),
        below => format!("{}/{below}", total / divisor),
    }
}

fn place(round: [u8; SEATS]) -> usize {
    (usize::from(round[0]) * SIDE + usize::from(round[1])) * SIDE + usize::from(round[2])
}

/// Winner patterns of a round (three bits) and its middle, for every place.
fn codes() -> &'static [u8] {
    static CODES: OnceLock<Vec<u8>> = OnceLock::new();
    CODES.get_or_init(|| {
        let mut codes = vec![0; SIDE * SIDE * SIDE];
        for round in rounds() {
            codes[place(round)] = code(round);
        }
        codes
    })
}

/// All totals a round can have.
pub fn rounds() -> impl Iterator<Item = [u8; SEATS]> {
    let most = MOST as u8;
    (0..=most).flat_map(move |a| (0..=most - a).flat_map(move |b| (0..=most - a - b).map(move |c| [a, b, c])))
}

/// The middle of a round's totals is at most 19: another is as large, and all three add up to 39.
const MIDDLES: usize = MOST / 2 + 1;

fn code(round: [u8; SEATS]) -> u8 {
    let won = super::rules::winners(round);
    let pattern = usize::from(won[0]) | usize::from(won[1]) << 1 | usize::from(won[2]) << 2;
    (pattern * MIDDLES + usize::from(super::rules::middle(round))) as u8
}

/// What the game pays the first player for the totals of the last round, given the scores.
#[derive(Clone, Debug)]
pub struct Payoffs {
    scores: [u8; SEATS],
    table: Vec<i8>,
}

impl Payoffs {
    /// The table for scores.
    pub fn new(scores: [u8; SEATS]) -> Payoffs {
        let mut payoffs = Payoffs { scores, table: vec![0; SIDE * SIDE * SIDE] };
        payoffs.set(scores);
        payoffs
    }

    fn set(&mut self, scores: [u8; SEATS]) {
        self.scores = scores;
        let mut small = [0i8; 8 * MIDDLES];
        for pattern in 1..8 {
            for middle in 0..MIDDLES {
                let keeps =
                    std::array::from_fn(|seat| if pattern >> seat & 1 == 1 { middle as u8 } else { 0 });
                small[pattern * MIDDLES + middle] = payoffs(sum(scores, keeps))[0];
            }
        }
        let codes = codes();
        for a in 0..SIDE {
            for b in 0..SIDE - a {
                let from = (a * SIDE + b) * SIDE;
                let line = from..from + SIDE - a - b;
                for (payoff, &code) in self.table[line.clone()].iter_mut().zip(&codes[line]) {
                    *payoff = small[usize::from(code)];
                }
            }
        }
    }

    /// What the first player gets if the last round ends with these totals, which add up to at most 39.
    pub fn get(&self, round: [u8; SEATS]) -> i8 {
        self.table[place(round)]
    }

    pub(super) fn at(&self, place: usize) -> i16 {
        i16::from(self.table[place])
    }
}

/// How far a place moves when the player, the first or the second opponent wins a point.
pub(super) const STEP: [usize; SEATS] = [SIDE * SIDE, SIDE, 1];

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

/// Works out views; holds tables so that nothing is allocated for a decision.
pub struct Kernel {
    payoffs: Vec<Payoffs>,
    /// The table to be replaced next.
    next: usize,
    arena: Arena,
}

impl Default for Kernel {
    fn default() -> Self {
        Kernel::new()
    }
}

/// Tables kept: those of the three players of a game.
const KEPT: usize = 3;

impl Kernel {
    /// A kernel with tables of its own, about 300 KB.
    pub fn new() -> Kernel {
        Kernel { payoffs: Vec::new(), next: 0, arena: Arena::new() }
    }

    /// The table of payoffs for scores, kept from the last time if there.
    fn payoffs(&mut self, scores: [u8; SEATS]) -> usize {
        if let Some(at) = self.payoffs.iter().position(|p| p.scores == scores) {
            return at;
        }
        if self.payoffs.len() < KEPT {
            self.payoffs.push(Payoffs::new(scores));
            return self.payoffs.len() - 1;
        }
        let at = self.next;
        self.next = (at + 1) % KEPT;
        self.payoffs[at].set(scores);
        at
    }

    /// The expectation of every card of the hand. The view is to be one that [`View::check`] accepts.
    pub fn values(&mut self, view: &View) -> Values {
        let at = self.payoffs(view.scores);
        let payoffs = &self.payoffs[at];
        let mut cards = [None; OWN];
        for (slot, card) in cards.iter_mut().zip(view.hand.iter()) {
            *slot = Some(card);
        }
        let deal = Deal::new(view);
        let (totals, denominator) = match view.turn {
            13 => (self.arena.totals(payoffs, &deal, place(view.round)), PAIRS[0] * PAIRS[1] * PAIRS[2]),
            14 => (turn_14(payoffs, &deal, place(view.round)), PAIRS[0] * PAIRS[1]),
            _ => (turn_15(payoffs, &deal, place(view.round)), PAIRS[0]),
        };
        Values { totals, cards, denominator }
    }
}

/// The cards of a view in the kernel's own terms.
pub(super) struct Deal {
    own: usize,
    /// Points of the own cards, lowest first.
    pub mine: [usize; OWN],
    pub kinds: [Kind; UNKNOWN],
    /// How many kinds.
    pub len: usize,
}

impl Deal {
    fn new(view: &View) -> Deal {
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

    pub(super) fn counts(&self) -> [u8; UNKNOWN] {
        self.kinds.map(|kind| kind.count)
    }

    /// How many kinds are below each own card, and how many there are.
    pub(super) fn ends(&self) -> [usize; OWN + 1] {
        let kinds = &self.kinds[..self.len];
        std::array::from_fn(|own| kinds.iter().take_while(|kind| kind.own_below <= own).count())
    }

    /// What wins when an own card meets two kinds, the first not above the second.
    #[inline]
    pub(super) fn winner(&self, own: usize, low: usize, high: usize) -> Option<usize> {
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

fn turn_15(payoffs: &Payoffs, deal: &Deal, place: usize) -> [i32; OWN] {
    let mut around = Around::<1>::NOTHING;
    around.set(0, payoffs, deal, place);
    let ends = deal.ends();
    let e = Weights::new(&ends, &deal.counts()).last(&ends, |j| around.theirs[j], |own| around.mine[own]);
    e.map(|[total]| i32::from(total))
}

/// Lanes of turn 14: every kind has won for the first or the second opponent, or an own card.
const LANES: usize = 24;
/// Unknown cards in turn 14.
const UNKNOWN_14: usize = 9;

fn turn_14(payoffs: &Payoffs, deal: &Deal, place: usize) -> [i32; OWN] {
    let (counts, ends) = (deal.counts(), deal.ends());
    let mut around = Around::<LANES>::NOTHING;
    for (j, kind) in deal.kinds[..deal.len].iter().enumerate() {
        for seat in [1, 2] {
            around.set(2 * j + seat - 1, payoffs, deal, place + kind.points * STEP[seat]);
        }
    }
    let mine = 2 * UNKNOWN_14;
    for own in 0..deal.own {
        around.set(mine + own, payoffs, deal, place + deal.mine[own] * STEP[0]);
    }
    let mut totals = [0; OWN];
    for high in 0..deal.len {
        for low in 0..=high {
            let ways = ways(&counts, low, high);
            if ways == 0 {
                continue;
            }
            let mut left = counts;
            left[low] -= 1;
            left[high] -= 1;
            let mut e = Weights::new(&ends, &left).last(&ends, |j| around.theirs[j], |own| around.mine[own]);
            e[deal.own..].fill([i16::MIN; LANES]);
            for (own, best) in others(&e).iter().enumerate().take(deal.own) {
                totals[own] += ways
                    * match deal.winner(own, low, high) {
                        None => 2 * i32::from(best[mine + own]),
                        Some(kind) => i32::from(best[2 * kind]) + i32::from(best[2 * kind + 1]),
                    };
            }
        }
    }
    totals
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
