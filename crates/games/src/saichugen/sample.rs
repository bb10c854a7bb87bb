//! Flat Monte Carlo for rounds 1 to 4: deal the unknown cards at random, play a card, let everybody go on at random, and
//! see what it pays; the card that pays most over many samples is played. All cards are tried on the same samples, so
//! that they are compared and not the luck of each. What counts is what the game would pay after round 4 and what it
//! pays at its end, together: random play in the last round alone drowns most of what rounds 1 to 4 have decided.

use super::kernel::Kernel;
use super::player::{Knowledge, Player, SeatKind, choose};
use super::rules::{Card, Cards, LAST_ROUND, ROUND, SEATS, TURNS, kept, payoffs, scored, sum};
use super::view::View;
use yomikiri_core::random::Random;
use yomikiri_core::text;

/// Samples of every card in a decision.
const SAMPLES: u32 = 200;

/// For every seat an order in which its cards will be played; the last may hold more cards than it plays.
pub(super) struct Orders([Vec<Card>; SEATS]);

impl Orders {
    pub(super) fn new(cards: [Cards; SEATS]) -> Orders {
        Orders(cards.map(|cards| cards.iter().collect()))
    }

    pub(super) fn shuffle(&mut self, random: &mut Random) {
        for order in &mut self.0 {
            random.shuffle(order);
        }
    }

    /// Brings a card to the front; the order of the rest stays random.
    pub(super) fn begin(&mut self, seat: usize, card: Card) {
        let order = &mut self.0[seat];
        if let Some(at) = order.iter().position(|&other| other == card) {
            order.swap(0, at);
        }
    }
}

/// What it pays if everybody plays its cards in order from a turn of rounds 1 to 4 on: what the game would pay if it
/// ended with round 4, and what it pays at its end.
pub(super) fn finish(
    turn: u8,
    mut scores: [u8; SEATS],
    mut round: [u8; SEATS],
    Orders(orders): &Orders,
) -> [[i8; SEATS]; 2] {
    let mut entering = [0; SEATS];
    for (n, turn) in (turn..=TURNS).enumerate() {
        round = scored(round, [orders[0][n], orders[1][n], orders[2][n]]);
        if turn.is_multiple_of(ROUND) {
            scores = sum(scores, kept(round));
            round = [0; SEATS];
        }
        if turn + 1 == LAST_ROUND {
            entering = payoffs(scores);
        }
    }
    [entering, payoffs(scores)]
}

/// What each card of a hand earned over so many samples, lowest first.
fn sampled(view: &View, samples: u32, random: &mut Random) -> Vec<(Card, i32)> {
    let View { turn, hand, unknown, scores, round } = *view;
    let mut sums: Vec<(Card, i32)> = hand.iter().map(|card| (card, 0)).collect();
    let mut mine: Vec<Card> = hand.iter().collect();
    let mut theirs: Vec<Card> = unknown.iter().collect();
    let half = theirs.len() / 2;
    let mut orders = Orders([mine.clone(), theirs[..half].to_vec(), theirs[half..].to_vec()]);
    for _ in 0..samples {
        random.shuffle(&mut mine);
        random.shuffle(&mut theirs);
        orders.0[0].copy_from_slice(&mine);
        orders.0[1].copy_from_slice(&theirs[..half]);
        orders.0[2].copy_from_slice(&theirs[half..]);
        for (card, total) in &mut sums {
            orders.begin(0, *card);
            *total += finish(turn, scores, round, &orders).map(|paid| i32::from(paid[0])).iter().sum::<i32>();
        }
    }
    sums
}

/// The player.
pub const KIND: SeatKind = SeatKind {
    name: "sample",
    help: text(
        "flat Monte Carlo in rounds 1 to 4, 200 samples a card, then as search",
        "1～4ラウンドは各カード200回のモンテカルロ法、5ラウンドは search と同じ",
    ),
    team: false,
    make: || Box::new(Sampler(Kernel::new())),
};

struct Sampler(Kernel);

impl Player for Sampler {
    fn choose(&mut self, known: &Knowledge<'_>, random: &mut Random) -> Option<Card> {
        if known.view.turn >= LAST_ROUND {
            return choose(self.0.values(&known.view).best_cards().collect(), known.house.ties, random);
        }
        let sums = sampled(&known.view, SAMPLES, random);
        sums.into_iter().reduce(|best, card| if card.1 > best.1 { card } else { best }).map(|best| best.0)
    }
}
