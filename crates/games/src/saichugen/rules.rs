//! The rules of Saichugen: cards, what a turn, a round and the game give, and why, in words.

use std::fmt;
use yomikiri_core::cards::{Card as Plain, RANKS, SUITS};
use yomikiri_core::{Refusal, Text, text};

/// Players.
pub const SEATS: usize = 3;
/// Cards a player is dealt; one more card is set aside.
pub const HAND: usize = 17;
/// Turns of a game; two cards are left in every hand.
pub const TURNS: u8 = 15;
/// Turns of a round.
pub const ROUND: u8 = 3;
/// The first turn of the last round.
pub const LAST_ROUND: u8 = 13;
/// The most points the three totals of a round add up to.
pub const MOST: usize = 39;

/// A card, by its place in the order of the game: by rank, then spades over hearts over diamonds over clubs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

/// What a card looks like.
pub const CARD: Text =
    text("a suit S H D C and a rank A 2–9 T J Q K, e.g. S7", "スート S H D C とランク A 2–9 T J Q K、例：S7");

impl Card {
    /// The card at a place of the order, 0 (ace of clubs) to 51 (king of spades); `None` outside.
    pub fn new(place: u8) -> Option<Card> {
        (place < 52).then_some(Card(place))
    }

    /// Its place in the order.
    pub fn place(self) -> u8 {
        self.0
    }

    /// What it is worth to the winner of a turn: 1 for an ace to 13 for a king.
    pub fn points(self) -> u8 {
        self.0 / 4 + 1
    }

    /// Reads `S7`, `hk`; a ten is `DT`, `D10` or `D0`.
    ///
    /// # Errors
    /// What is no card is refused.
    pub fn parse(given: &str) -> Result<Card, Refusal> {
        let plain = Plain::parse(given).map_err(|refusal| Refusal { accepts: CARD, ..refusal })?;
        Ok(Card(plain.rank() * 4 + 3 - plain.suit()))
    }

    /// As it is drawn for people: `♠7`, `♥10`.
    pub fn drawn(self) -> String {
        let suit = ['♣', '♦', '♥', '♠'][usize::from(self.0 % 4)];
        match self.points() {
            10 => format!("{suit}10"),
            points => format!("{suit}{}", RANKS[usize::from(points) - 1]),
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suit = SUITS[usize::from(3 - self.0 % 4)];
        match self.points() {
            10 => write!(f, "{suit}T"),
            points => write!(f, "{suit}{}", RANKS[usize::from(points) - 1]),
        }
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of cards.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cards(u64);

impl Cards {
    /// No cards.
    pub const NONE: Cards = Cards(0);
    /// The whole deck.
    pub const ALL: Cards = Cards((1 << 52) - 1);

    /// How many.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }
    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// Whether a card is among them.
    pub fn has(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }
    /// With a card more.
    #[must_use]
    pub fn with(self, card: Card) -> Cards {
        Cards(self.0 | 1 << card.0)
    }
    /// Without a card.
    #[must_use]
    pub fn without(self, card: Card) -> Cards {
        Cards(self.0 & !(1 << card.0))
    }
    /// Those that are in either set.
    #[must_use]
    pub fn and(self, other: Cards) -> Cards {
        Cards(self.0 | other.0)
    }
    /// Those that are not in the other set.
    #[must_use]
    pub fn minus(self, other: Cards) -> Cards {
        Cards(self.0 & !other.0)
    }
    /// Whether the sets have a card in common.
    pub fn meets(self, other: Cards) -> bool {
        self.0 & other.0 != 0
    }
    /// How many of them are below a card.
    pub fn below(self, card: Card) -> usize {
        (self.0 & ((1 << card.0) - 1)).count_ones() as usize
    }
    /// The card with so many of the others below it.
    pub fn nth(self, n: usize) -> Option<Card> {
        self.iter().nth(n)
    }
    /// As they are drawn for people, lowest first.
    pub fn drawn(self) -> String {
        self.iter().map(Card::drawn).collect::<Vec<_>>().join(" ")
    }
    /// The cards, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let place = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (place < 52).then_some(Card(place as u8))
        })
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Cards {
        cards.into_iter().fold(Cards::NONE, Cards::with)
    }
}

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, card) in self.iter().enumerate() {
            write!(f, "{}{card}", if i > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Who wins a turn: the seat that played the card in the middle.
pub fn turn_winner(played: [Card; SEATS]) -> usize {
    let [a, b, c] = played;
    if (a < b) == (b < c) {
        1
    } else if (b < a) == (a < c) {
        0
    } else {
        2
    }
}

/// The totals of a round after a turn: whoever wins it gets the points of the own card.
pub fn scored(mut round: [u8; SEATS], played: [Card; SEATS]) -> [u8; SEATS] {
    let winner = turn_winner(played);
    round[winner] += played[winner].points();
    round
}

/// The middle of three totals.
pub fn middle(totals: [u8; SEATS]) -> u8 {
    let [a, b, c] = totals;
    a.max(b).min(a.min(b).max(c))
}

/// Who wins a round or the game: everybody whose total is the middle one.
pub fn winners(totals: [u8; SEATS]) -> [bool; SEATS] {
    let middle = middle(totals);
    totals.map(|total| total == middle)
}

/// What everybody keeps of a round: the winners their total, the others nothing.
pub fn kept(totals: [u8; SEATS]) -> [u8; SEATS] {
    let middle = middle(totals);
    totals.map(|total| if total == middle { total } else { 0 })
}

/// What the game pays with these kept totals.
pub fn payoffs(totals: [u8; SEATS]) -> [i8; SEATS] {
    let won = winners(totals);
    let (win, lose) = match won.iter().filter(|&&w| w).count() {
        1 => (2, -1),
        2 => (1, -2),
        _ => (0, 0),
    };
    won.map(|w| if w { win } else { lose })
}

/// Totals as they are added up over rounds.
pub fn sum(a: [u8; SEATS], b: [u8; SEATS]) -> [u8; SEATS] {
    std::array::from_fn(|seat| a[seat] + b[seat])
}

/// Everything on the table, hands included.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    /// The turn to be played, 1 to 15; 16 when the game is over.
    pub turn: u8,
    /// What everybody holds.
    pub hands: [Cards; SEATS],
    /// What everybody has kept of the rounds before.
    pub scores: [u8; SEATS],
    /// What everybody has won in this round.
    pub round: [u8; SEATS],
    /// The cards that have been played.
    pub gone: Cards,
    /// The cards of the turns before, by seat, as far as they are known.
    pub history: Vec<[Card; SEATS]>,
}

impl Table {
    /// The table after a deal: 17 cards each, the last card of the deck set aside.
    pub fn deal(deck: &[Card; 52]) -> Table {
        let hands = std::array::from_fn(|seat| deck[seat * HAND..][..HAND].iter().copied().collect());
        Table { turn: 1, hands, scores: [0; 3], round: [0; 3], gone: Cards::NONE, history: Vec::new() }
    }

    /// Whether all turns are played.
    pub fn over(&self) -> bool {
        self.turn > TURNS
    }

    /// Plays a turn; everybody must hold the card.
    pub fn play(&mut self, played: [Card; SEATS]) {
        for (hand, card) in self.hands.iter_mut().zip(played) {
            debug_assert!(hand.has(card));
            *hand = hand.without(card);
            self.gone = self.gone.with(card);
        }
        self.round = scored(self.round, played);
        self.history.push(played);
        if self.turn.is_multiple_of(ROUND) {
            self.scores = sum(self.scores, kept(self.round));
            self.round = [0; 3];
        }
        self.turn += 1;
    }

    /// What a seat has not seen: the hands of the others and the card set aside.
    pub fn unknown(&self, seat: usize) -> Cards {
        Cards::ALL.minus(self.hands[seat]).minus(self.gone)
    }

    /// What the game pays, when it is over.
    pub fn payoffs(&self) -> [i8; SEATS] {
        payoffs(self.scores)
    }
}

/// Names for the three players, for explanations.
pub type Names<'a> = [&'a Text; SEATS];

/// Who has the middle total, in both languages, and how many they are.
fn middle_names(names: Names<'_>, totals: [u8; SEATS]) -> (String, String, usize) {
    let won: Vec<&Text> = names.into_iter().zip(winners(totals)).filter(|n| n.1).map(|n| n.0).collect();
    let list = |pick: fn(&Text) -> &str| won.iter().map(|n| pick(n)).collect::<Vec<_>>().join(", ");
    (list(|n| &n.en), list(|n| &n.ja), won.len())
}

/// Totals as they are written: `8, 11, 5`.
pub fn joined(totals: [u8; SEATS]) -> String {
    totals.map(|t| t.to_string()).join(", ")
}

/// What a turn gave and why.
pub fn explain_turn(names: Names<'_>, played: [Card; SEATS]) -> Text {
    let mut order = [0, 1, 2];
    order.sort_by_key(|&seat| played[seat]);
    let winner = order[1];
    let [low, mid, high] = order.map(|seat| played[seat].drawn());
    let points = played[winner].points();
    let name = names[winner];
    Text::of(
        format!("{low} < {mid} < {high}: {mid} is in the middle, {} wins {points}", name.en),
        format!("{low} < {mid} < {high}：中位は {mid}、{}が{points}点", name.ja),
    )
}

/// What a round gave and why.
pub fn explain_round(names: Names<'_>, totals: [u8; SEATS]) -> Text {
    let (m, list) = (middle(totals), joined(totals));
    let (en, ja, count) = middle_names(names, totals);
    let verb = if count == 1 { "wins the round and keeps" } else { "win the round and keep" };
    Text::of(
        format!("totals {list}: the middle is {m}; {en} {verb} {m}, the others keep 0"),
        format!("合計 {list}：中位は{m}。{ja}がラウンドに勝ち{m}点を得る（他は0点）"),
    )
}

/// What the game gave and why.
pub fn explain_game(names: Names<'_>, totals: [u8; SEATS]) -> Text {
    let (m, list) = (middle(totals), joined(totals));
    let (en, ja, count) = middle_names(names, totals);
    match count {
        3 => Text::of(
            format!("totals {list}: all equal, three winners, everybody gets 0"),
            format!("合計 {list}：3人とも同点で全員0点"),
        ),
        2 => Text::of(
            format!("totals {list}: the middle is {m}; two winners, {en}, get +1 each, the other −2"),
            format!("合計 {list}：中位は{m}。勝者は{ja}の2人で各+1、敗者は−2"),
        ),
        _ => Text::of(
            format!("totals {list}: the middle is {m}; {en} alone wins +2, the others get −1"),
            format!("合計 {list}：中位は{m}。{ja}が単独で勝ち+2、他は−1"),
        ),
    }
}

/// All sets of so many of some cards, in a fixed order.
pub fn subsets(cards: Cards, size: usize) -> Vec<Cards> {
    let mut all = vec![Cards::NONE];
    // Sets are built from the highest card down, so that every set is met once.
    for _ in 0..size {
        let mut larger = Vec::new();
        for set in all {
            for card in cards.iter().take_while(|&card| set.iter().next().is_none_or(|low| card < low)) {
                larger.push(set.with(card));
            }
        }
        all = larger;
    }
    all
}
