//! Players who mix: the paper's player, but for worse cards being played, too, the less often the more they lose. Softness is a
//! number a turn; 0 is the paper's player itself, much is play at random.
//!
//! And the exact best response to two of them, hand by hand: all ways the unknown cards can lie, what the others would do with each of
//! their hands, and what their cards tell. Nothing has to be stored, because what these players do follows from what they see.

use yomikiri_core::{Error, Run};
use yomikiri_games::saichugen::deal::UNKNOWN;
use yomikiri_games::saichugen::kernel::Kernel;
use yomikiri_games::saichugen::payoffs::Payoffs;
use yomikiri_games::saichugen::rules::{Card, Cards, LAST_ROUND, ROUND, TURNS};
use yomikiri_games::saichugen::view::{View, from_seat, hand_size};

/// Most cards of a hand.
const HAND: usize = 5;
/// How fast worse cards become rare.
const STEEP: i32 = 4;

/// How soft players are in turns 13, 14 and 15.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softness(pub [f64; ROUND as usize]);

impl Softness {
    /// With which probability each card of the hand is played, lowest first: as (softness / (softness + loss))⁴. At softness 0 the lowest of the best.
    pub fn shares(&self, view: &View, kernel: &mut Kernel) -> [f64; HAND] {
        let softness = self.0[usize::from(view.turn - LAST_ROUND)];
        let values = kernel.values(view);
        let best = values.best();
        let mut shares = [0.0; HAND];
        if softness == 0.0 {
            let lowest = values.cards().position(|(_, total)| total == best).unwrap_or(0);
            shares[lowest] = 1.0;
            return shares;
        }
        let mut all = 0.0;
        for (share, (_, total)) in shares.iter_mut().zip(values.cards()) {
            let loss = f64::from(best - total) / f64::from(values.denominator());
            *share = (softness / (softness + loss)).powi(STEEP);
            all += *share;
        }
        shares.map(|share| share / all)
    }
}

/// What a hand gets against two soft players.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worth {
    /// As the third of them.
    pub value: f64,
    /// With the best response.
    pub response: f64,
}

/// A way the unknown cards can lie: the hands of the two others as sets of places among the cards unknown at first, and how likely
/// it is together with what was played.
#[derive(Clone, Copy)]
struct World {
    hands: [u16; 2],
    weight: f64,
}

/// What the others do with each hand they may have, in one public state.
struct Mixtures {
    shares: [Vec<[f64; HAND]>; 2],
    /// For which public state a mixture was worked out.
    of: [Vec<u32>; 2],
    state: u32,
}

impl Mixtures {
    fn new() -> Mixtures {
        let sets = 1 << UNKNOWN;
        Mixtures {
            shares: [(); 2].map(|()| vec![[0.0; HAND]; sets]),
            of: [(); 2].map(|()| vec![0; sets]),
            state: 0,
        }
    }
}

/// Works out best responses to two soft players.
pub struct SoftResponder<'a> {
    softness: Softness,
    kernel: Kernel,
    run: Run<'a>,
    /// The cards unknown at first, lowest first.
    cards: Vec<Card>,
    /// By turns before the last.
    mixtures: [Mixtures; ROUND as usize],
}

fn places(set: u16) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let place = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (place < 16).then_some(place)
    })
}

impl<'a> SoftResponder<'a> {
    /// Against players of some softness.
    pub fn new(softness: Softness, run: &Run<'a>) -> SoftResponder<'a> {
        SoftResponder {
            softness,
            kernel: Kernel::new(),
            run: *run,
            cards: Vec::new(),
            mixtures: std::array::from_fn(|_| Mixtures::new()),
        }
    }

    /// What a hand gets from a turn of the last round on, all deals being equally likely before it.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub fn worth(&mut self, view: &View) -> Result<Worth, Error> {
        self.cards = view.unknown.iter().collect();
        let size = hand_size(view.turn);
        let hands: Vec<u16> =
            (0..1u16 << self.cards.len()).filter(|set| set.count_ones() as usize == size).collect();
        let mut worlds = Vec::new();
        for &first in &hands {
            for &second in hands.iter().filter(|&&second| second & first == 0) {
                worlds.push(World { hands: [first, second], weight: 1.0 });
            }
        }
        let all = worlds.len() as f64;
        let payoffs = Payoffs::new(view.scores);
        let worth = self.from(view, &worlds, &payoffs)?;
        Ok(Worth { value: worth.value / all, response: worth.response / all })
    }

    /// The sums over worlds from here to the end.
    fn from(&mut self, view: &View, worlds: &[World], payoffs: &Payoffs) -> Result<Worth, Error> {
        let depth = usize::from(TURNS - view.turn);
        let mixtures = &mut self.mixtures[depth];
        mixtures.state += 1;
        for world in worlds {
            for (other, &hand) in world.hands.iter().enumerate() {
                let at = usize::from(hand);
                if mixtures.of[other][at] != mixtures.state {
                    mixtures.of[other][at] = mixtures.state;
                    let held: Cards = places(hand).map(|place| self.cards[place]).collect();
                    let seen = View {
                        hand: held,
                        unknown: view.hand.and(view.unknown).minus(held),
                        scores: from_seat(view.scores, other + 1),
                        round: from_seat(view.round, other + 1),
                        ..*view
                    };
                    mixtures.shares[other][at] = self.softness.shares(&seen, &mut self.kernel);
                }
            }
        }
        let worths = if depth == 0 {
            self.last(view, worlds, payoffs)
        } else {
            self.run.check()?;
            self.earlier(view, worlds, payoffs)?
        };
        let own = self.softness.shares(view, &mut self.kernel);
        let here = &worths[..view.hand.len()];
        Ok(Worth {
            value: here.iter().zip(own).map(|(worth, share)| worth.value * share).sum(),
            response: here.iter().map(|worth| worth.response).fold(f64::NEG_INFINITY, f64::max),
        })
    }

    /// What each own card gives before the last turn.
    fn earlier(&mut self, view: &View, worlds: &[World], payoffs: &Payoffs) -> Result<[Worth; HAND], Error> {
        let mixtures = &self.mixtures[usize::from(TURNS - view.turn)];
        // Worlds by what is seen of them in this turn, which no own card changes.
        let mut seen = vec![Vec::new(); UNKNOWN * UNKNOWN];
        for world in worlds {
            let [first, second] = [0, 1].map(|other| mixtures.shares[other][usize::from(world.hands[other])]);
            for (x, share_x) in places(world.hands[0]).zip(first).filter(|x| x.1 > 0.0) {
                for (y, share_y) in places(world.hands[1]).zip(second).filter(|y| y.1 > 0.0) {
                    let hands = [world.hands[0] & !(1 << x), world.hands[1] & !(1 << y)];
                    seen[x * UNKNOWN + y].push(World { hands, weight: world.weight * share_x * share_y });
                }
            }
        }
        let mut worths = [Worth::default(); HAND];
        for (own, worth) in view.hand.iter().zip(&mut worths) {
            for (played, worlds) in seen.iter().enumerate().filter(|seen| !seen.1.is_empty()) {
                let [x, y] = [played / UNKNOWN, played % UNKNOWN].map(|place| self.cards[place]);
                let then = self.from(&view.after([own, x, y]), worlds, payoffs)?;
                *worth = Worth { value: worth.value + then.value, response: worth.response + then.response };
            }
        }
        Ok(worths)
    }

    /// What each own card gives in the last turn.
    fn last(&self, view: &View, worlds: &[World], payoffs: &Payoffs) -> [Worth; HAND] {
        let mixtures = &self.mixtures[0];
        // How often each two cards are played together.
        let mut pairs = [[0.0; UNKNOWN]; UNKNOWN];
        for world in worlds {
            let [first, second] =
                [0, 1].map(|other| &mixtures.shares[other][usize::from(world.hands[other])]);
            for (x, share) in places(world.hands[0]).zip(first) {
                let weight = world.weight * share;
                for (y, share) in places(world.hands[1]).zip(second) {
                    pairs[x][y] += weight * share;
                }
            }
        }
        let paid = |seat: usize, card: Card| {
            let mut round = view.round;
            round[seat] += card.points();
            f64::from(payoffs.get(round))
        };
        let theirs: Vec<[f64; 2]> = self.cards.iter().map(|&card| [paid(1, card), paid(2, card)]).collect();
        let mut worths = [Worth::default(); HAND];
        for (own, worth) in view.hand.iter().zip(&mut worths) {
            let mine = paid(0, own);
            let mut sum = 0.0;
            for (x, pairs) in pairs.iter().enumerate().take(self.cards.len()) {
                for (y, weight) in pairs.iter().enumerate().take(self.cards.len()) {
                    let (below_x, below_y) = (self.cards[x] < own, self.cards[y] < own);
                    let gets = match (below_x, below_y) {
                        (true, false) | (false, true) => mine,
                        (true, true) => theirs[x.max(y)][usize::from(y > x)],
                        (false, false) => theirs[x.min(y)][usize::from(y < x)],
                    };
                    sum += weight * gets;
                }
            }
            *worth = Worth { value: sum, response: sum };
        }
        worths
    }
}
