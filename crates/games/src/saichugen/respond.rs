//! The best response to two players of the paper in the last round.
//!
//! The others are known to search, so what they played tells what they can hold: every way to deal the unknown
//! cards is a world, equally likely when rounds 1 to 4 were played at random; worlds in which an opponent would
//! have played otherwise are gone, and where an opponent chooses between equally good cards the world splits.
//! Weights are whole numbers, so everything is exact.

use super::kernel::Kernel;
use super::player::{Knowledge, Player, SeatKind, Ties, choose, taken};
use super::rules::{Card, Cards, LAST_ROUND, SEATS, TURNS, payoffs, subsets};
use super::view::{View, from_seat, hand_size};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Run, text};

/// A way the unknown cards can lie: the hands of the two opponents, and its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct World {
    hands: [Cards; 2],
    weight: i64,
}

/// A whole number divisible by the number of equally good cards, whatever it is: one for each turn of the round. All
/// of them three times and 2,772 worlds make less than 10^15.
fn shares(turn: u8) -> i64 {
    [60, 12, 6][usize::from(turn - LAST_ROUND)]
}

/// What a card, or a position, is worth: to a player who goes on as well as possible, and to one who goes on as the
/// paper's player does, with the same rule for ties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// With the best response.
    pub best: i64,
    /// With search.
    pub search: i64,
}

/// Expectations of the cards of a hand, exact: sums over worlds, and what these weigh together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectations {
    /// For every card, lowest first, the sums.
    pub cards: Vec<(Card, Sums)>,
    /// What they are to be divided by.
    pub weight: i64,
}

impl Expectations {
    /// The cards that are as good as any for the best response, lowest first.
    pub fn best_cards(&self) -> Cards {
        let best = self.cards.iter().map(|c| c.1.best).max();
        self.cards.iter().filter(|c| Some(c.1.best) == best).map(|c| c.0).collect()
    }
}

/// What a position is worth against two who search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Against {
    /// To the best response.
    pub best: f64,
    /// To the paper's player.
    pub search: f64,
}

/// Works out best responses; it holds the kernel the opponents search with.
pub struct Responder<'a> {
    kernel: Kernel,
    ties: Ties,
    run: Run<'a>,
}

impl<'a> Responder<'a> {
    /// Against opponents with a rule for ties.
    pub fn new(ties: Ties, run: &Run<'a>) -> Responder<'a> {
        Responder { kernel: Kernel::new(), ties, run: *run }
    }

    /// What every card of the hand gives. `history` are the turns of this round so far: the player's card, the first
    /// and the second opponent's.
    ///
    /// # Errors
    /// Only if the run is cancelled.
    pub fn expectations(&mut self, view: &View, history: &[[Card; SEATS]]) -> Result<Expectations, Error> {
        let worlds = self.worlds(view, history)?;
        // The own choice of this turn is not yet shared out.
        let weight = whole(&worlds, view.turn) / shares(view.turn);
        Ok(Expectations { cards: self.cards(view, &worlds)?, weight })
    }

    /// What the position is worth.
    ///
    /// # Errors
    /// Only if the run is cancelled.
    pub fn value(&mut self, view: &View, history: &[[Card; SEATS]]) -> Result<Against, Error> {
        let worlds = self.worlds(view, history)?;
        let (sums, weight) = (self.go_on(view, &worlds)?, whole(&worlds, view.turn) as f64);
        Ok(Against { best: sums.best as f64 / weight, search: sums.search as f64 / weight })
    }

    /// The worlds that agree with the history of the round.
    fn worlds(&mut self, view: &View, history: &[[Card; SEATS]]) -> Result<Vec<World>, Error> {
        let size = hand_size(view.turn);
        let mut worlds = Vec::new();
        for first in subsets(view.unknown, size) {
            for second in subsets(view.unknown.minus(first), size) {
                worlds.push(World { hands: [first, second], weight: 1 });
            }
        }
        // The round from its beginning: what was held, and what was seen then.
        let mut then = *view;
        then.turn -= history.len() as u8;
        then.round = [0; SEATS];
        for played in history {
            then.hand = then.hand.with(played[0]);
            then.unknown = then.unknown.with(played[1]).with(played[2]);
        }
        for (n, played) in history.iter().enumerate() {
            let later = &history[n..];
            let mut choices = [FxHashMap::default(), FxHashMap::default()];
            let mut left = Vec::with_capacity(worlds.len());
            for world in worlds {
                let mut weight = world.weight;
                for (opponent, choices) in choices.iter_mut().enumerate() {
                    let held = later.iter().map(|turn| turn[opponent + 1]);
                    let hand = held.fold(world.hands[opponent], Cards::with);
                    weight *= match choices.get(&hand) {
                        Some(&share) => share,
                        None => {
                            let taken = self.choice(&then, opponent, hand)?;
                            let card = played[opponent + 1];
                            let share =
                                if taken.has(card) { shares(then.turn) / taken.len() as i64 } else { 0 };
                            choices.insert(hand, share);
                            share
                        }
                    };
                }
                if weight > 0 {
                    left.push(World { weight, ..world });
                }
            }
            worlds = left;
            then = then.after(*played);
        }
        // Nobody who searches came here: then nothing is known.
        if worlds.is_empty() && !history.is_empty() {
            return self.worlds(view, &[]);
        }
        Ok(worlds)
    }

    /// What an opponent with a hand does: the cards it may play, all equally likely.
    fn choice(&mut self, view: &View, opponent: usize, hand: Cards) -> Result<Cards, Error> {
        if view.turn == LAST_ROUND {
            self.run.check()?;
        }
        let seen = View {
            hand,
            unknown: view.hand.and(view.unknown).minus(hand),
            scores: from_seat(view.scores, opponent + 1),
            round: from_seat(view.round, opponent + 1),
            ..*view
        };
        Ok(taken(self.ties, self.kernel.values(&seen).best_cards().collect()))
    }

    /// The sums over worlds for every card.
    fn cards(&mut self, view: &View, worlds: &[World]) -> Result<Vec<(Card, Sums)>, Error> {
        let mut choices = [FxHashMap::default(), FxHashMap::default()];
        for world in worlds {
            for (opponent, choices) in choices.iter_mut().enumerate() {
                let hand = world.hands[opponent];
                if let Entry::Vacant(place) = choices.entry(hand) {
                    place.insert(self.choice(view, opponent, hand)?);
                }
            }
        }
        // Worlds by what is seen of them in this turn; which own card is played makes no difference.
        let mut seen: BTreeMap<[Card; 2], Vec<World>> = BTreeMap::new();
        for world in worlds {
            let taken: [Cards; 2] = [0, 1].map(|opponent| choices[opponent][&world.hands[opponent]]);
            let share = |cards: Cards| shares(view.turn) / cards.len() as i64;
            let weight = world.weight * share(taken[0]) * share(taken[1]);
            for first in taken[0].iter() {
                for second in taken[1].iter() {
                    let hands = [world.hands[0].without(first), world.hands[1].without(second)];
                    seen.entry([first, second]).or_default().push(World { hands, weight });
                }
            }
        }
        let mut sums = Vec::new();
        for card in view.hand.iter() {
            let mut sum = Sums::default();
            for (&[first, second], worlds) in &seen {
                let one = self.go_on(&view.after([card, first, second]), worlds)?;
                sum = Sums { best: sum.best + one.best, search: sum.search + one.search };
            }
            sums.push((card, sum));
        }
        Ok(sums)
    }

    /// The sums over worlds from here to the end.
    fn go_on(&mut self, view: &View, worlds: &[World]) -> Result<Sums, Error> {
        if view.turn > TURNS {
            let payoff = payoffs(view.scores)[0];
            let all = worlds.iter().map(|w| w.weight).sum::<i64>() * i64::from(payoff);
            return Ok(Sums { best: all, search: all });
        }
        let cards = self.cards(view, worlds)?;
        let taken = taken(self.ties, self.kernel.values(view).best_cards().collect());
        let searched: i64 = cards.iter().filter(|c| taken.has(c.0)).map(|c| c.1.search).sum();
        let shares = shares(view.turn);
        Ok(Sums {
            best: shares * cards.iter().map(|c| c.1.best).max().unwrap_or(0),
            search: shares / taken.len() as i64 * searched,
        })
    }
}

/// What worlds weigh together when all three players have shared out all turns from this one on.
fn whole(worlds: &[World], turn: u8) -> i64 {
    let shared = (turn..=TURNS).map(|turn| shares(turn).pow(SEATS as u32)).product::<i64>();
    worlds.iter().map(|w| w.weight).sum::<i64>() * shared
}

/// The player.
pub const KIND: SeatKind = SeatKind {
    name: "respond",
    help: text(
        "in the last round the best response to two who search, with exact Bayesian updating (about half a second a game)",
        "最終ラウンドで、探索する2人に対する最適応答（厳密なベイズ更新、1ゲーム約0.5秒）",
    ),
    team: false,
    make: || Box::new(Responding(Responder::new(Ties::default(), &Run::default()))),
};

struct Responding(Responder<'static>);

impl Player for Responding {
    fn choose(&mut self, known: &Knowledge<'_>, random: &mut Random) -> Option<Card> {
        if known.view.turn < LAST_ROUND {
            return None;
        }
        self.0.ties = known.house.ties;
        let before = known.history.get(usize::from(LAST_ROUND) - 1..)?;
        let history: Vec<[Card; SEATS]> =
            before.iter().map(|turn| std::array::from_fn(|i| turn[(known.seat + i) % SEATS])).collect();
        let best = self.0.expectations(&known.view, &history).ok()?.best_cards();
        choose(best, known.house.ties, random)
    }
}
