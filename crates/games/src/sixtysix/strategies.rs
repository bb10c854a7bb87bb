//! The strategies of section 4 for one scoring card and an empty deck, as players one can seat: the holder of
//! the card (the paper's A) and the other (the paper's B).

use super::rules::{Cards, Sixtysix, State, bit, cards_of};
use yomikiri_core::{Game, Refusal, Turn, text};
use yomikiri_solve::restrict::Policy;

/// How the holder's reply is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// As printed: a card *stronger than* the one where v(k) is largest.
    Printed,
    /// As it must be: a card *at least as strong*.
    Corrected,
}

/// The card the holder of `q` plays by the strategy: leading, or in reply to a card.
pub fn holder(own: Cards, other: Cards, q: u8, led: Option<u8>, reply: Reply) -> u8 {
    let rest = own & !bit(q);
    let Some(led) = led else {
        // The weakest card; the scoring card only if there is no other.
        return cards_of(rest).next().unwrap_or(q);
    };
    if led < q {
        return q;
    }
    // The first card where v(k) is largest, among those with a(k) ≤ the other's cards weaker than q.
    let weaker = (other | bit(led)) & (bit(q) - 1);
    let limit = weaker.count_ones() as i32;
    let (mut a, mut v, mut best) = (0, 0, None::<(i32, u8)>);
    for card in cards_of(rest | other | bit(led)) {
        if rest & bit(card) != 0 {
            a += 1;
            v += 1;
        } else {
            v -= 1;
        }
        if a <= limit && best.is_none_or(|b| v > b.0) {
            best = Some((v, card));
        }
    }
    let from = best.map_or(0, |b| b.1);
    let fits = |card: u8| if reply == Reply::Printed { card > from } else { card >= from };
    // "The strongest card" cannot mean q, which would be lost.
    let strongest = cards_of(rest).last().unwrap_or(q);
    cards_of(rest).filter(|&card| card < led && fits(card)).last().unwrap_or(strongest)
}

/// The card the player without `q` plays by the strategy: leading, or in reply to a card.
pub fn other(own: Cards, q: u8, led: Option<u8>) -> u8 {
    let below = own & (bit(q) - 1);
    let above = own & !(bit(q) - 1);
    let first = |set: Cards| cards_of(set).next();
    let last = |set: Cards| cards_of(set).last();
    match led {
        // Stronger cards than q, weakest first; without one there is nothing to choose from.
        None => first(above).or(first(own)),
        // The scoring card itself is taken if it can be.
        Some(led) if led == q => last(above).or(last(own)),
        Some(led) => last(below & (bit(led) - 1)).or(last(below)).or(first(own)),
    }
    .unwrap_or(q)
}

/// A player bound to the strategy for the side it is on.
pub struct Strategy {
    /// The scoring card.
    pub q: u8,
    /// How the holder's reply is read.
    pub reply: Reply,
}

impl Strategy {
    /// The strategies for a game, if it has one scoring card and no deck.
    ///
    /// # Errors
    /// Any other game is refused.
    pub fn of(game: &Sixtysix, s: &State, reply: Reply) -> Result<Strategy, Refusal> {
        let scoring: Vec<u8> = cards_of(s.hands[0] | s.hands[1]).filter(|&c| game.points(c) != 0).collect();
        match scoring[..] {
            [q] if game.points(q) > 0 && game.undrawn(s.drawn) == 0 => Ok(Strategy { q, reply }),
            _ => Err(Refusal::new(
                "opponent",
                "strategy",
                text(
                    "strategy only with one scoring card and no deck left; otherwise best",
                    "strategy は得点札1枚・山札なしの局面のみ。それ以外は best",
                ),
            )),
        }
    }

    /// The card the player to move plays; `None` when the scoring card is gone, where every card is as good.
    pub fn card(&self, game: &Sixtysix, s: &State) -> Option<u8> {
        let Turn::Player(p) = game.turn(s) else { return None };
        let (own, enemy) = (s.hands[usize::from(p)], s.hands[usize::from(1 - p)]);
        let on_table = s.led.is_some_and(|led| led == self.q);
        if own & bit(self.q) != 0 {
            return Some(holder(own, enemy, self.q, s.led, self.reply));
        }
        (enemy & bit(self.q) != 0 || on_table).then(|| other(own, self.q, s.led))
    }
}

impl Policy<Sixtysix> for Strategy {
    fn restrict(&self, game: &Sixtysix, s: &State, actions: &mut Vec<u8>) {
        if let Some(card) = self.card(game, s) {
            actions.retain(|&a| a == card);
        }
    }
}
