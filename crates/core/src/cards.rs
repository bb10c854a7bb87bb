//! Playing cards: `S7`, `HA`, `D0` (ten), `CK`.

use crate::error::Refusal;
use crate::text::text;
use std::fmt;

/// The four suits, in the order spades, hearts, diamonds, clubs.
pub const SUITS: [char; 4] = ['S', 'H', 'D', 'C'];
/// The suits as they are drawn.
const SIGNS: [char; 4] = ['♠', '♥', '♦', '♣'];
/// The thirteen ranks from ace to king; ten is `0`, so that a card is always two letters.
pub const RANKS: [char; 13] = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '0', 'J', 'Q', 'K'];

/// One of 52 cards.
///
/// ```
/// use yomikiri_core::cards::Card;
///
/// let card = Card::parse("d10")?;
/// assert_eq!((card.suit(), card.rank(), card.to_string().as_str()), (2, 9, "D0"));
/// # Ok::<(), yomikiri_core::Refusal>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The card of a suit (0 to 3) and a rank (0, the ace, to 12, the king); `None` outside.
    pub fn new(suit: u8, rank: u8) -> Option<Card> {
        (suit < 4 && rank < 13).then_some(Card(suit * 13 + rank))
    }
    /// The suit, 0 to 3 as in [`SUITS`].
    pub fn suit(self) -> u8 {
        self.0 / 13
    }
    /// The rank, 0 to 12 as in [`RANKS`].
    pub fn rank(self) -> u8 {
        self.0 % 13
    }
    /// Reads `S7`, `sk`, `♠7`; a ten is `D0`, `DT` or `D10`.
    ///
    /// # Errors
    /// Any other text is refused as the field `card`.
    pub fn parse(text_: &str) -> Result<Card, Refusal> {
        let refuse = || {
            Refusal::new(
                "card",
                format!("\"{text_}\""),
                text(
                    "cards like S7 or D10: a suit S H D C, then a rank A 2–10 (or 0, T) J Q K",
                    "S7 や D10 のようなカード：スート S H D C に続けてランク A 2–10（または 0、T）J Q K",
                ),
            )
        };
        let upper = text_.to_ascii_uppercase();
        let mut letters = upper.chars();
        let suit = letters
            .next()
            .and_then(|c| SUITS.iter().position(|&s| s == c).or_else(|| SIGNS.iter().position(|&s| s == c)));
        let suit = suit.ok_or_else(refuse)?;
        let rank = match letters.as_str() {
            "10" | "T" => 9,
            one => RANKS.iter().position(|&r| one.chars().eq([r])).ok_or_else(refuse)?,
        };
        Card::new(suit as u8, rank as u8).ok_or_else(refuse)
    }
}

impl Card {
    /// As it is drawn for people: `♠7`, `♥10`.
    pub fn drawn(self) -> String {
        let (sign, rank) = (SIGNS[self.suit() as usize], RANKS[self.rank() as usize]);
        if rank == '0' { format!("{sign}10") } else { format!("{sign}{rank}") }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", SUITS[self.suit() as usize], RANKS[self.rank() as usize])
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// All 52 cards in order.
pub fn deck() -> Vec<Card> {
    (0..52).map(Card).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_cards_round_trip() {
        for card in deck() {
            assert_eq!(Card::parse(&card.to_string()), Ok(card));
            assert_eq!(Card::new(card.suit(), card.rank()), Some(card));
        }
        for ten in ["d10", "D0", "DT", "dt", "♦10", "♦T"] {
            assert_eq!(Card::parse(ten).unwrap().to_string(), "D0");
        }
        for card in deck() {
            assert_eq!(Card::parse(&card.drawn()), Ok(card));
        }
    }

    #[test]
    fn law_other_text_is_refused() {
        for bad in ["", "S", "7S", "S1", "SS", "S77", "X7", "♤7", "7♠", "S10x"] {
            assert!(Card::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(Card::new(4, 0), None);
    }
}
