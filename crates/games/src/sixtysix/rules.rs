//! The rules of Generalised 66: one suit, both hands and the order of the deck known, the stronger card
//! takes the trick, its owner draws first and leads next.

use yomikiri_core::random::Random;
use yomikiri_core::{Canonical, Game, Refusal, Text, Turn, text};

/// Cards as bits: bit `r - 1` is card `r`, and larger is stronger.
pub type Cards = u128;
/// The largest number a card may have where hands are sets of bits.
pub const MAX_CARD: usize = 128;
/// Points, over their common unit, stay below this in sum, so that no arithmetic on them overflows.
pub const MAX_POINTS: i64 = 1 << 30;

/// What the players want.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Objective {
    /// As many points more than the other as possible.
    Difference,
    /// To have, before the other, more points than this: a limit for either player. Nobody may get there.
    Race([i32; 2]),
}

/// Who holds what before a trick. Cards may have any numbers, each once; only their order matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    /// The hands of A and of B, ascending.
    pub hands: [Vec<u32>; 2],
    /// The deck, next card first.
    pub deck: Vec<u32>,
    /// Who leads: 0 is A, 1 is B.
    pub leader: u8,
}

impl Deal {
    /// Checks that hands are of one size, the deck even, and no card stands twice.
    ///
    /// # Errors
    /// What is wrong with the cards is refused by the name of the field.
    pub fn new(hands: [Vec<u32>; 2], deck: Vec<u32>, leader: u8) -> Result<Deal, Refusal> {
        let [mut a, mut b] = hands;
        a.sort_unstable();
        b.sort_unstable();
        if a.is_empty() {
            return Err(Refusal::new("hand_a", "[]", text("at least one card", "1枚以上のカード")));
        }
        if a.len() != b.len() {
            return Err(Refusal::of(
                "hand_b",
                Text::of(format!("{} cards", b.len()), format!("{}枚", b.len())),
                Text::of(
                    format!("as many cards as hand_a: {}", a.len()),
                    format!("hand_a と同じ枚数：{}", a.len()),
                ),
            ));
        }
        if !deck.len().is_multiple_of(2) {
            return Err(Refusal::of(
                "deck",
                Text::of(format!("{} cards", deck.len()), format!("{}枚", deck.len())),
                text("an even number of cards, because two are drawn at a time", "偶数枚（2枚ずつ引く）"),
            ));
        }
        let mut all: Vec<(u32, &str)> = Vec::with_capacity(2 * a.len() + deck.len());
        for (name, cards) in [("hand_a", &a), ("hand_b", &b), ("deck", &deck)] {
            all.extend(cards.iter().map(|&c| (c, name)));
        }
        // Stable: of two equal cards the later field is at fault.
        all.sort_by_key(|c| c.0);
        if let Some(&(card, _)) = all.iter().find(|c| c.0 == 0) {
            return Err(Refusal::new(all[0].1, card, text("cards numbered from 1", "1以上のカード番号")));
        }
        if let Some(twice) = all.windows(2).find(|w| w[0].0 == w[1].0) {
            return Err(Refusal::of(
                twice[1].1,
                Text::of(format!("{} twice", twice[0].0), format!("{}が2回", twice[0].0)),
                text("every card once", "各カード1回"),
            ));
        }
        Ok(Deal { hands: [a, b], deck, leader })
    }

    /// Cards in a hand.
    pub fn hand(&self) -> usize {
        self.hands[0].len()
    }

    /// Cards in all.
    pub fn cards(&self) -> usize {
        2 * self.hand() + self.deck.len()
    }

    /// All cards, ascending.
    pub fn ascending(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.hands.iter().flatten().chain(&self.deck).copied().collect();
        all.sort_unstable();
        all
    }
}

/// The game: a deal, what cards are worth, and what the players want.
#[derive(Clone, Debug)]
pub struct Sixtysix {
    deal: Deal,
    /// Worth by card number.
    points: Vec<i32>,
    objective: Objective,
    /// Bits of the cards not yet drawn, by the number of cards drawn.
    undrawn: Vec<Cards>,
    /// Sum of the points of all cards.
    total: i32,
    /// Cards by points, most first.
    by_points: Vec<u8>,
    /// Whether no card costs points.
    harmless: bool,
    /// Whether cards have numbers up to 64, so that two hands fit a key as bits.
    narrow: bool,
}

/// A position, possibly with a card on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// The hands of A and of B.
    pub hands: [Cards; 2],
    /// Cards drawn from the deck so far.
    pub drawn: u8,
    /// Who leads this trick.
    pub leader: u8,
    /// The card led, if it lies there.
    pub led: Option<u8>,
    /// Points won since the deal.
    pub won: [i32; 2],
}

/// The bit of a card.
#[inline]
pub fn bit(card: u8) -> Cards {
    1 << (card - 1)
}

/// The cards of a set, ascending.
pub fn cards_of(mut set: Cards) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let card = set.trailing_zeros() as u8 + 1;
        set &= set - 1;
        Some(card)
    })
}

impl Sixtysix {
    /// The game on a deal; `points[r - 1]` is the worth of card `r`, cards beyond the list are worth nothing.
    ///
    /// # Errors
    /// Cards and points out of range are refused by the name of the field.
    pub fn new(deal: Deal, points: &[i32], objective: Objective) -> Result<Sixtysix, Refusal> {
        for (name, cards) in [("hand_a", &deal.hands[0]), ("hand_b", &deal.hands[1]), ("deck", &deal.deck)] {
            if let Some(card) = cards.iter().find(|&&c| c as usize > MAX_CARD) {
                return Err(Refusal::new(
                    name,
                    card,
                    Text::of(
                        format!("cards up to {MAX_CARD} where every position is searched"),
                        format!("探索では番号{MAX_CARD}以下のカード"),
                    ),
                ));
            }
        }
        let all = deal.ascending();
        let largest = all.last().copied().unwrap_or(0) as usize;
        let mut worth = vec![0; largest + 1];
        for &card in &all {
            worth[card as usize] = points.get(card as usize - 1).copied().unwrap_or(0);
        }
        let sum: i64 = worth.iter().map(|&p| i64::from(p).abs()).sum();
        if sum >= MAX_POINTS {
            return Err(too_fine());
        }
        let mut undrawn = vec![0; deal.deck.len() + 1];
        for (i, &card) in deal.deck.iter().enumerate().rev() {
            undrawn[i] = undrawn[i + 1] | bit(card as u8);
        }
        let mut by_points: Vec<u8> = all.iter().map(|&c| c as u8).collect();
        by_points.sort_by_key(|&c| std::cmp::Reverse(worth[usize::from(c)]));
        Ok(Sixtysix {
            total: worth.iter().sum(),
            harmless: worth.iter().all(|&p| p >= 0),
            narrow: largest <= 64,
            by_points,
            points: worth,
            objective,
            undrawn,
            deal,
        })
    }

    /// The deal.
    pub fn deal(&self) -> &Deal {
        &self.deal
    }
    /// What a card is worth.
    #[inline]
    pub fn points(&self, card: u8) -> i32 {
        self.points[usize::from(card)]
    }
    /// What the players want.
    pub fn objective(&self) -> Objective {
        self.objective
    }
    /// The points of all cards of the deal.
    pub fn total(&self) -> i32 {
        self.total
    }
    /// Whether no card costs points.
    pub fn harmless(&self) -> bool {
        self.harmless
    }
    /// The cards by points, most first.
    pub fn by_points(&self) -> &[u8] {
        &self.by_points
    }
    /// Whether two hands fit a key as bits.
    pub fn narrow(&self) -> bool {
        self.narrow
    }
    /// The cards not yet drawn.
    #[inline]
    pub fn undrawn(&self, drawn: u8) -> Cards {
        self.undrawn[usize::from(drawn)]
    }
    /// The same deal and points with another objective.
    pub fn with(&self, objective: Objective) -> Sixtysix {
        Sixtysix { objective, ..self.clone() }
    }
    /// The points of a set of cards.
    pub fn worth(&self, set: Cards) -> i32 {
        cards_of(set).map(|c| self.points(c)).sum()
    }

    /// Who has passed the limit of a race; A if both had before the first trick.
    pub fn passed(&self, s: &State) -> Option<u8> {
        match self.objective {
            Objective::Difference => None,
            Objective::Race(limits) => {
                if s.won[0] > limits[0] {
                    Some(0)
                } else if s.won[1] > limits[1] {
                    Some(1)
                } else {
                    None
                }
            }
        }
    }
}

/// The refusal of points that whole numbers of ours cannot hold.
pub fn too_fine() -> Refusal {
    Refusal::of(
        "points",
        text("too large or too fine", "大きすぎるか細かすぎる値"),
        text(
            "points whose sum over their common denominator is below 2^30",
            "共通分母で合計が 2^30 未満の得点",
        ),
    )
}

impl Game for Sixtysix {
    type State = State;
    /// The number of a card.
    type Action = u8;

    fn start(&self) -> State {
        let set = |cards: &[u32]| cards.iter().fold(0, |set, &c| set | bit(c as u8));
        State {
            hands: [set(&self.deal.hands[0]), set(&self.deal.hands[1])],
            drawn: 0,
            leader: self.deal.leader,
            led: None,
            won: [0, 0],
        }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.led {
            Some(_) => Turn::Player(1 - s.leader),
            None if s.hands[0] == 0 || self.passed(s).is_some() => Turn::Terminal,
            None => Turn::Player(s.leader),
        }
    }

    fn actions(&self, s: &State, out: &mut Vec<u8>) {
        if let Turn::Player(p) = self.turn(s) {
            out.extend(cards_of(s.hands[usize::from(p)]));
        }
    }

    #[inline]
    fn apply(&self, s: &State, card: u8) -> State {
        let mut next = *s;
        let Some(led) = s.led else {
            next.hands[usize::from(s.leader)] &= !bit(card);
            next.led = Some(card);
            return next;
        };
        let follower = 1 - s.leader;
        next.hands[usize::from(follower)] &= !bit(card);
        let winner = if card > led { follower } else { s.leader };
        next.won[usize::from(winner)] += self.points(led) + self.points(card);
        next.led = None;
        next.leader = winner;
        let drawn = usize::from(s.drawn);
        if let Some(&[first, second]) = self.deal.deck.get(drawn..drawn + 2) {
            next.hands[usize::from(winner)] |= bit(first as u8);
            next.hands[usize::from(1 - winner)] |= bit(second as u8);
            next.drawn += 2;
        }
        next
    }

    fn utility(&self, s: &State, player: u8) -> i32 {
        let value = match self.objective {
            Objective::Difference => s.won[0] - s.won[1],
            Objective::Race(_) => match self.passed(s) {
                Some(0) => 1,
                Some(_) => -1,
                None => 0,
            },
        };
        if player == 0 { value } else { -value }
    }
}

impl Canonical for Sixtysix {
    /// Positions between tricks are told apart by everything: the twin in tests shares nothing.
    type Key = State;

    fn key(&self, s: &State) -> Option<State> {
        s.led.is_none().then_some(*s)
    }
    fn symmetric(&self, _: &State, _: &mut Vec<State>) {}
}

/// A deal in random order, the same for the same random numbers.
pub fn shuffled(hand: usize, deck: usize, leader: u8, random: &mut Random) -> Deal {
    let mut cards: Vec<u32> = (1..=(2 * hand + deck) as u32).collect();
    random.shuffle(&mut cards);
    let mut hands = [cards[..hand].to_vec(), cards[hand..2 * hand].to_vec()];
    hands.iter_mut().for_each(|h| h.sort_unstable());
    Deal { hands, deck: cards[2 * hand..].to_vec(), leader }
}
