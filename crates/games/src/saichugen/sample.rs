//! Flat Monte Carlo for rounds 1 to 4: deal the unknown cards at random, play a card, let everybody go on at random, and
//! see what it pays; the card that pays most over many samples is played. All cards are tried on the same samples, so
//! that they are compared and not the luck of each. What counts is what the game would pay after round 4 and what it
//! pays at its end, together: random play in the last round alone drowns most of what rounds 1 to 4 have decided.

use super::kernel::Kernel;
use super::player::{Knowledge, Player, SeatKind, choose};
use super::rules::{Card, Cards, LAST_ROUND, ROUND, SEATS, TURNS, kept, payoffs, scored, sum};
use super::view::View;
use std::ops::Range;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Run, text};

/// Samples of every card in a decision of the player.
const SAMPLES: u32 = 200;
/// Samples of every card whose value is shown.
pub(super) const ESTIMATES: u32 = 10_000;

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

/// Plays each card of a hand, by its place from the lowest, over so many samples, the same for all cards; tells what it
/// came to.
fn played(
    view: &View,
    samples: u32,
    random: &mut Random,
    run: &Run<'_>,
    mut tell: impl FnMut(usize, [[i8; SEATS]; 2]),
) -> Result<(), Error> {
    let View { turn, hand, unknown, scores, round } = *view;
    let mut mine: Vec<Card> = hand.iter().collect();
    let mut theirs: Vec<Card> = unknown.iter().collect();
    let half = theirs.len() / 2;
    let mut orders = Orders([mine.clone(), theirs[..half].to_vec(), theirs[half..].to_vec()]);
    for _ in 0..samples {
        run.check()?;
        random.shuffle(&mut mine);
        random.shuffle(&mut theirs);
        orders.0[0].copy_from_slice(&mine);
        orders.0[1].copy_from_slice(&theirs[..half]);
        orders.0[2].copy_from_slice(&theirs[half..]);
        for (place, card) in hand.iter().enumerate() {
            orders.begin(0, card);
            tell(place, finish(turn, scores, round, &orders));
        }
    }
    Ok(())
}

/// What cards of rounds 1 to 4 are worth, by samples.
pub(super) struct Sampled {
    /// Each card, what it is worth on average, and how far that may be from the truth (95 %).
    pub cards: Vec<(Card, f64, f64)>,
    /// What the best card is worth, and how far that may be from the truth (95 %). Which card is best is told by one half of
    /// the samples, what it is worth by the other: the luckiest of many cards would look better than it is.
    pub value: (f64, f64),
    /// By how much cards may differ for no other reason than luck: the widest interval (95 %) of the difference between the
    /// best card and another on the same samples.
    pub noise: f64,
}

/// The mean of some numbers, and half the width of its interval (95 %).
fn interval(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut n, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for x in numbers {
        n += 1.0;
        sum += x;
        squares += x * x;
    }
    let mean = sum / n;
    (mean, 1.96 * ((squares / n - mean * mean).max(0.0) / n).sqrt())
}

/// What each card of a hand pays on average if everybody goes on at random.
pub(super) fn estimated(view: &View, random: &mut Random, run: &Run<'_>) -> Result<Sampled, Error> {
    let hand: Vec<Card> = view.hand.iter().collect();
    let mut paid: Vec<Vec<i8>> = vec![Vec::with_capacity(ESTIMATES as usize); hand.len()];
    played(view, ESTIMATES, random, run, |place, [_, end]| paid[place].push(end[0]))?;
    let mean = |paid: &[i8]| interval(paid.iter().map(|x| f64::from(*x)));
    let best = |samples: Range<usize>| {
        let of = |place: usize| mean(&paid[place][samples.clone()]).0;
        (0..hand.len()).max_by(|&a, &b| of(a).total_cmp(&of(b))).unwrap_or_default()
    };
    let (all, first) = (ESTIMATES as usize, ESTIMATES as usize / 2);
    let leader = &paid[best(0..all)];
    let apart = |other: &Vec<i8>| interval(leader.iter().zip(other).map(|(a, b)| f64::from(a - b))).1;
    let noise = paid.iter().map(apart).fold(0.0, f64::max);
    let value = mean(&paid[best(0..first)][first..]);
    let cards = hand.iter().zip(&paid).map(|(card, paid)| {
        let (mean, half) = mean(paid);
        (*card, mean, half)
    });
    Ok(Sampled { cards: cards.collect(), value, noise })
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
        let mut sums: Vec<(Card, i32)> = known.view.hand.iter().map(|card| (card, 0)).collect();
        let add = |place: usize, ends: [[i8; SEATS]; 2]| {
            sums[place].1 += ends.map(|paid| i32::from(paid[0])).iter().sum::<i32>();
        };
        played(&known.view, SAMPLES, random, &Run::default(), add).ok()?;
        sums.into_iter().reduce(|best, card| if card.1 > best.1 { card } else { best }).map(|best| best.0)
    }
}
