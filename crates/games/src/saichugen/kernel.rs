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

use super::deal::{Deal, OWN, PAIRS, ways};
use super::lanes::{Around, Weights, others};
use super::payoffs::{Payoffs, STEP, place};
use super::rules::{Card, SEATS};
use super::turn_13::Arena;
use super::view::View;

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
