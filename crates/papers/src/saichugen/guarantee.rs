//! What a soft player gets at least, whatever the two others do, even if they see each other's hands and are against it
//! together: the least over all they can do, hand by hand. Their two hands leave few ways the player's own can lie, so the whole
//! tree is gone through.

use super::soft::Softness;
use yomikiri_games::saichugen::kernel::Kernel;
use yomikiri_games::saichugen::rules::{Card, Cards, SEATS, TURNS, kept, payoffs, scored, subsets, sum};
use yomikiri_games::saichugen::view::{View, hand_size};

/// A hand the player may have, and how likely it is together with what it has played.
type World = (Cards, f64);

/// Works out what a soft player gets at least.
pub struct Guarantor {
    softness: Softness,
    kernel: Kernel,
}

/// What the two others see; totals are the player's, then theirs.
#[derive(Clone, Copy)]
struct Opposed {
    turn: u8,
    hands: [Cards; 2],
    unknown: Cards,
    scores: [u8; SEATS],
    round: [u8; SEATS],
}

impl Guarantor {
    /// For a player of some softness.
    pub fn new(softness: Softness) -> Guarantor {
        Guarantor { softness, kernel: Kernel::new() }
    }

    /// What the player gets on average over the hands it may have, when the others, who have these, do their worst. The view is
    /// the player's with any of its hands.
    pub fn least(&mut self, view: &View, others: [Cards; 2]) -> f64 {
        let unknown = view.hand.and(view.unknown).minus(others[0]).minus(others[1]);
        let hands = subsets(unknown, hand_size(view.turn));
        let share = 1.0 / hands.len() as f64;
        let worlds: Vec<World> = hands.into_iter().map(|hand| (hand, share)).collect();
        let View { turn, scores, round, .. } = *view;
        self.from(&Opposed { turn, hands: others, unknown, scores, round }, &worlds)
    }

    fn from(&mut self, at: &Opposed, worlds: &[World]) -> f64 {
        // The player's hands by the card it plays, which no cards of the others change.
        let mut played: Vec<(Card, Vec<World>)> = at.unknown.iter().map(|card| (card, Vec::new())).collect();
        let all = at.unknown.and(at.hands[0]).and(at.hands[1]);
        for &(hand, weight) in worlds {
            let (turn, unknown) = (at.turn, all.minus(hand));
            let view = View { turn, hand, unknown, scores: at.scores, round: at.round };
            let shares = self.softness.shares(&view, &mut self.kernel);
            for (card, share) in hand.iter().zip(shares).filter(|played| played.1 > 0.0) {
                let worlds = &mut played[at.unknown.below(card)].1;
                worlds.push((hand.without(card), weight * share));
            }
        }
        let mut least = f64::INFINITY;
        for first in at.hands[0].iter() {
            for second in at.hands[1].iter() {
                let mut here = 0.0;
                for (own, worlds) in played.iter().filter(|played| !played.1.is_empty()) {
                    let round = scored(at.round, [*own, first, second]);
                    here += if at.turn == TURNS {
                        let paid = f64::from(payoffs(sum(at.scores, kept(round)))[0]);
                        paid * worlds.iter().map(|world| world.1).sum::<f64>()
                    } else {
                        let hands = [at.hands[0].without(first), at.hands[1].without(second)];
                        let (turn, unknown) = (at.turn + 1, at.unknown.without(*own));
                        self.from(&Opposed { turn, hands, unknown, round, ..*at }, worlds)
                    };
                }
                least = least.min(here);
            }
        }
        least
    }
}
