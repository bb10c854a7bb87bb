//! What the null-window search needs to know of the game: keys that leaders share, bounds, which cards are
//! worth trying and in which order. Every rule here is compared with the plain recursion by a test.

use super::rules::{Cards, Objective, Sixtysix, State, bit, cards_of};
use yomikiri_core::Turn;
use yomikiri_solve::minimax::Contest;

/// The hands, and in a race the points A has won; how far the deck is drawn follows from the hands, because the
/// two cards drawn last are always in them.
pub type Place = (u128, i32);

impl Sixtysix {
    /// Both hands as one number.
    #[inline]
    pub fn packed(&self, hands: &[Cards; 2]) -> u128 {
        if self.narrow() {
            return hands[0] << 64 | hands[1];
        }
        // Only small hands get here: eight bits a card.
        hands.iter().flat_map(|&h| cards_of(h)).fold(0, |key, card| key << 8 | u128::from(card))
    }

    /// Whether positions can be packed: few cards, or few in hand.
    pub fn packs(&self) -> bool {
        self.narrow() || self.deal().hand() <= 8
    }

    /// Most tricks A can win of those left once the deck is empty: A's cards matched with weaker ones of B.
    fn most_tricks(a: Cards, b: Cards) -> (u32, u32) {
        // From the top: cards that meet nothing stronger of the other side left to beat them.
        let tricks = a.count_ones();
        let (mut short_a, mut short_b) = (0i32, 0i32);
        let (mut over_a, mut over_b) = (0i32, 0i32);
        let mut all = a | b;
        while all != 0 {
            let top = 1 << (127 - all.leading_zeros());
            all &= !top;
            if a & top != 0 {
                over_a += 1;
                // Cards of A for which B has nothing stronger.
                short_b = short_b.max(over_a - over_b);
            } else {
                over_b += 1;
                short_a = short_a.max(over_b - over_a);
            }
        }
        (tricks - short_a as u32, tricks - short_b as u32)
    }

    /// The most points a player can get in so many tricks: the best cards of either hand.
    fn richest(&self, hands: &[Cards; 2], tricks: u32) -> i32 {
        let mut left = [tricks; 2];
        let mut sum = 0;
        for &card in self.by_points() {
            for (hand, left) in hands.iter().zip(&mut left) {
                if *left > 0 && hand & bit(card) != 0 {
                    *left -= 1;
                    sum += self.points(card);
                }
            }
        }
        sum
    }

    /// Bounds of the points A still wins from a position between tricks.
    fn to_come(&self, s: &State) -> (i32, i32) {
        let undrawn = self.undrawn(s.drawn);
        let rest = self.worth(s.hands[0] | s.hands[1] | undrawn);
        if !self.harmless() {
            let gain: i32 = cards_of(s.hands[0] | s.hands[1] | undrawn).map(|c| self.points(c).max(0)).sum();
            return (rest - gain, gain);
        }
        if undrawn == 0 {
            let (a, b) = Sixtysix::most_tricks(s.hands[0], s.hands[1]);
            return (rest - self.richest(&s.hands, b), self.richest(&s.hands, a));
        }
        // A card stronger than everything the other side has or can draw takes its trick, and at least the
        // cheapest card with it.
        let sure = |own: Cards, others: Cards| {
            let top = 128 - (others | undrawn).leading_zeros();
            let winners = if top >= 128 { 0 } else { own >> top << top };
            self.worth(winners)
        };
        (sure(s.hands[0], s.hands[1]), rest - sure(s.hands[1], s.hands[0]))
    }
}

impl Contest for Sixtysix {
    type Place = Place;

    fn place(&self, s: &State) -> Option<Place> {
        if s.led.is_some() {
            return None;
        }
        let won = if self.objective() == Objective::Difference { 0 } else { s.won[0] };
        Some((self.packed(&s.hands), won))
    }

    /// The points of A; the difference follows, because all cards are played. In a race nothing is safe.
    fn banked(&self, s: &State) -> i32 {
        if self.objective() == Objective::Difference { s.won[0] } else { 0 }
    }

    fn result(&self, s: &State) -> i32 {
        use yomikiri_core::Game;
        if self.objective() == Objective::Difference { s.won[0] } else { self.utility(s, 0) }
    }

    fn bounds(&self, s: &State) -> (i32, i32) {
        match self.objective() {
            Objective::Difference => self.to_come(s),
            Objective::Race(limits) => {
                let rest = cards_of(s.hands[0] | s.hands[1] | self.undrawn(s.drawn));
                let gain: i32 = rest.map(|c| self.points(c).max(0)).sum();
                let can = |p: usize| i64::from(s.won[p]) + i64::from(gain) > i64::from(limits[p]);
                (if can(1) { -1 } else { 0 }, if can(0) { 1 } else { 0 })
            }
        }
    }

    fn candidates(&self, s: &State, out: &mut Vec<u8>) {
        use yomikiri_core::Game;
        let Turn::Player(mover) = self.turn(s) else { return };
        let own = s.hands[usize::from(mover)];
        let between = s.hands[usize::from(1 - mover)] | self.undrawn(s.drawn);
        match s.led {
            None => self.leads(own, between, out),
            Some(led) => self.replies(own, between, led, out),
        }
    }

    /// The outcome of a trick does not depend on who led, and the second player knows more.
    fn moving_is_no_gift(&self) -> bool {
        true
    }

    fn guess(&self, s: &State) -> i32 {
        match self.objective() {
            Objective::Race(_) => 0,
            // With a card on the table the hands are uneven, and bounds speak of whole tricks.
            Objective::Difference if s.led.is_some() => {
                s.won[0] + self.worth(s.hands[0] | s.hands[1] | self.undrawn(s.drawn)) / 2
            }
            Objective::Difference => {
                let (low, high) = self.to_come(s);
                s.won[0] + low + (high - low) / 2
            }
        }
    }
}

impl Sixtysix {
    /// One card of every run of neighbours with equal points: they are the same card but for the name.
    fn leads(&self, own: Cards, between: Cards, out: &mut Vec<u8>) {
        let from = out.len();
        for card in cards_of(own) {
            let same = out[from..]
                .iter()
                .any(|&other| self.points(other) == self.points(card) && between & gap(other, card) == 0);
            if !same {
                out.push(card);
            }
        }
        // Cheap and weak cards first.
        out[from..].sort_by_key(|&c| (self.points(c), c));
    }

    /// From every run of neighbours one card: to lose the trick the one with the lowest points, to win it the
    /// one with the highest.
    fn replies(&self, own: Cards, between: Cards, led: u8, out: &mut Vec<u8>) {
        let from = out.len();
        let mut before: Option<u8> = None;
        for card in cards_of(own) {
            let run = before.is_some_and(|b| (b > led) == (card > led) && between & gap(b, card) == 0);
            before = Some(card);
            if run {
                let held = out.last_mut().expect("a run has begun");
                let better = if card > led {
                    self.points(card) > self.points(*held)
                } else {
                    self.points(card) < self.points(*held)
                };
                if better {
                    *held = card;
                }
            } else {
                out.push(card);
            }
        }
        // Win with the weakest that wins, lose with the weakest there is.
        let lead = self.points(led);
        out[from..].sort_by_key(|&c| {
            let gain = lead + self.points(c);
            (if c > led { -gain } else { gain }, c)
        });
    }
}

/// The bits strictly between two cards, the first weaker.
#[inline]
fn gap(weaker: u8, stronger: u8) -> Cards {
    (bit(stronger) - 1) & !(bit(weaker) | (bit(weaker) - 1))
}
