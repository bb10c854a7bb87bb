//! Two players who see each other's hands and add their payoffs. Payoffs add up to 0, so what the two get is what
//! the third loses. They take the third for the paper's random player: unknown cards are equally likely to be played.

use super::payoffs::Payoffs;
use super::player::{Knowledge, Player, SeatKind};
use super::rules::{Card, Cards, LAST_ROUND, SEATS, TURNS, Table, scored};
use super::sample::{Orders, finish};
use super::view::from_seat;
use yomikiri_core::random::Random;
use yomikiri_core::text;

/// What counts in a sample of rounds 1 to 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// What the game would pay after round 4 and what it pays at its end, together.
    Both,
    /// What it pays at its end.
    End,
    /// What it would pay after round 4.
    Entering,
}

/// How partners choose their cards in rounds 1 to 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Samples of every pair of cards, or of every card.
    pub samples: u32,
    /// Whether pairs are tried, or each one's cards with the partner going on at random.
    pub pairs: bool,
    /// What counts.
    pub goal: Goal,
}

/// The way of [`KIND`].
pub const WAY: Way = Way { samples: 50, pairs: true, goal: Goal::Both };

/// What the two see; totals are theirs, then the third player's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pooled {
    /// The turn.
    pub turn: u8,
    /// Their hands.
    pub hands: [Cards; 2],
    /// The third player's hand and the card set aside.
    pub unknown: Cards,
    /// Kept in the rounds before.
    pub scores: [u8; SEATS],
    /// Won in this round.
    pub round: [u8; SEATS],
}

impl Pooled {
    /// What all but one seat see together: first the seat after that one.
    pub fn against(table: &Table, third: usize) -> Pooled {
        let first = (third + 1) % SEATS;
        let hands = [first, (third + 2) % SEATS].map(|seat| table.hands[seat]);
        Pooled {
            turn: table.turn,
            hands,
            unknown: table.unknown(first).minus(hands[1]),
            scores: from_seat(table.scores, first),
            round: from_seat(table.round, first),
        }
    }

    fn after(&self, played: [Card; SEATS]) -> Pooled {
        Pooled {
            turn: self.turn + 1,
            hands: [self.hands[0].without(played[0]), self.hands[1].without(played[1])],
            unknown: self.unknown.without(played[2]),
            round: scored(self.round, played),
            ..*self
        }
    }

    /// In the last round: for every pair of cards, lowest first, what the two expect together, times
    /// [`Pooled::denominator`].
    pub fn expectations(&self) -> Vec<([Card; 2], i32)> {
        let [first, second, third] = self.scores;
        let paid = Payoffs::new([third, first, second]);
        self.pairs().map(|pair| (pair, self.expectation(pair, &paid))).collect()
    }

    /// What expectations are to be divided by: the ways the third player can play.
    pub fn denominator(&self) -> i32 {
        let left = TURNS + 1 - self.turn.min(TURNS);
        (0..usize::from(left)).map(|turn| (self.unknown.len() - turn) as i32).product()
    }

    /// What the two expect together if they play the best pair.
    pub fn value(&self) -> f64 {
        let best = self.expectations().iter().map(|pair| pair.1).max().unwrap_or(0);
        f64::from(best) / f64::from(self.denominator())
    }

    /// All pairs of cards, lowest first.
    fn pairs(&self) -> impl Iterator<Item = [Card; 2]> {
        let second = self.hands[1];
        self.hands[0].iter().flat_map(move |a| second.iter().map(move |b| [a, b]))
    }

    fn expectation(&self, [first, second]: [Card; 2], paid: &Payoffs) -> i32 {
        self.unknown.iter().map(|third| self.after([first, second, third]).best(paid)).sum()
    }

    fn best(&self, paid: &Payoffs) -> i32 {
        if self.turn > TURNS {
            let [first, second, third] = self.round;
            // What the third player does not get.
            return -i32::from(paid.get([third, first, second]));
        }
        self.pairs().map(|pair| self.expectation(pair, paid)).max().unwrap_or(0)
    }

    /// The pair to play: in the last round the first of the best, before it the one that does best when everybody
    /// goes on at random, over some samples. The samples follow from what the two see, so that both come to the
    /// same pair.
    pub fn choose(&self, way: Way) -> [Card; 2] {
        if self.turn >= LAST_ROUND {
            return first_best(&self.expectations());
        }
        if way.pairs {
            return first_best(&self.sampled(way, self.pairs().map(|pair| (pair, pair.map(Some)))));
        }
        let own = |partner: usize| {
            let cards = self.hands[partner].iter().map(|card| {
                let mut tried = [None; 2];
                tried[partner] = Some(card);
                (card, tried)
            });
            first_best(&self.sampled(way, cards))
        };
        [own(0), own(1)]
    }

    /// What the two get together over some samples if they begin with these cards, where any are given.
    fn sampled<C: Copy>(
        &self,
        way: Way,
        choices: impl Iterator<Item = (C, [Option<Card>; 2])>,
    ) -> Vec<(C, i32)> {
        let seen = self.hands.iter().chain([&self.unknown]).flat_map(|cards| cards.iter());
        let number = seen.fold(0u64, |n, card| n.wrapping_mul(53).wrapping_add(u64::from(card.place()) + 1));
        let mut random = Random::stream(number, u64::from(self.turn));
        let mut orders = Orders::new([self.hands[0], self.hands[1], self.unknown]);
        let choices: Vec<(C, [Option<Card>; 2])> = choices.collect();
        let mut sums = vec![0; choices.len()];
        for _ in 0..way.samples {
            orders.shuffle(&mut random);
            for ((_, begin), total) in choices.iter().zip(&mut sums) {
                for (partner, card) in begin.iter().enumerate() {
                    card.iter().for_each(|&card| orders.begin(partner, card));
                }
                let [entering, end] = finish(self.turn, self.scores, self.round, &orders);
                *total -= i32::from(match way.goal {
                    Goal::Both => entering[2] + end[2],
                    Goal::End => end[2],
                    Goal::Entering => entering[2],
                });
            }
        }
        choices.into_iter().map(|choice| choice.0).zip(sums).collect()
    }
}

/// The first of those with the largest number.
fn first_best<C: Copy>(choices: &[(C, i32)]) -> C {
    let best = choices.iter().copied().reduce(|best, one| if one.1 > best.1 { one } else { best });
    best.expect("hands are not empty").0
}

/// Partners from the first turn on.
pub const KIND: SeatKind = SeatKind {
    name: "team",
    help: text(
        "two who see each other's hands and add their payoffs: 50 samples a pair of cards, in the last round exact",
        "手札を見せ合い得点の和を最大にする2人：組ごとに50回のモンテカルロ法、最終ラウンドは厳密",
    ),
    team: true,
    make: || partner(WAY),
};

/// Partners in the last round only.
pub const LATE: SeatKind = SeatKind {
    name: "late-team",
    help: text("as team, but in the last round only", "最終ラウンドだけ組む2人"),
    team: true,
    make: || Box::new(Partner { from: LAST_ROUND, way: WAY }),
};

/// A partner from the first turn on who chooses in some way.
pub fn partner(way: Way) -> Box<dyn Player> {
    Box::new(Partner { from: 1, way })
}

struct Partner {
    from: u8,
    way: Way,
}

impl Player for Partner {
    fn choose(&mut self, known: &Knowledge<'_>, _: &mut Random) -> Option<Card> {
        if known.view.turn < self.from {
            return None;
        }
        // The one of the others whose hand is not open; if all are, the one before.
        let open = |far: usize| known.open[(known.seat + far) % SEATS];
        let (far, hand) = match (open(1), open(2)) {
            (Some(hand), _) => (1, hand),
            (None, Some(hand)) => (2, hand),
            (None, None) => return None,
        };
        // Both partners look at it from the seat after the third player's.
        let mine = usize::from(far == 2);
        let mut hands = [known.view.hand, hand];
        hands.rotate_right(mine);
        let turned = |totals: [u8; SEATS]| from_seat(totals, if mine == 0 { 0 } else { 2 });
        let pooled = Pooled {
            turn: known.view.turn,
            hands,
            unknown: known.view.unknown.minus(hand),
            scores: turned(known.view.scores),
            round: turned(known.view.round),
        };
        Some(pooled.choose(self.way)[mine])
    }
}
