//! The rules of one deal, everything on the table: two hands, the talon, tricks, marriages, closing, and what it is worth.

use yomikiri_core::cards::Card;

/// Cards as a set: bit 6 · suit + rank, ranks from the weakest: 9, J, Q, K, 10, A.
pub type Cards = u32;
/// One of these 24 cards.
pub type One = u8;

/// What cards are worth in a trick, from the nine to the ace.
const WORTH: [u8; 6] = [0, 2, 3, 4, 10, 11];
/// The ranks among all thirteen, from the nine to the ace.
const RANKS: [u8; 6] = [8, 10, 11, 12, 9, 0];
const QUEEN: u8 = 2;
const KING: u8 = 3;
/// Points that win.
pub const ENOUGH: u8 = 66;
/// Points from which a loser pays one game point only.
const HALF: u8 = 33;

/// The card of a number.
pub fn card(one: One) -> Option<Card> {
    Card::new(one / 6, *RANKS.get(usize::from(one % 6))?)
}

/// The number of a card, if it is one of the nine and above.
pub fn number(card: Card) -> Option<One> {
    let rank = RANKS.iter().position(|rank| *rank == card.rank())?;
    Some(6 * card.suit() + rank as u8)
}

/// The cards of a set, in order.
pub fn each(cards: Cards) -> impl Iterator<Item = One> {
    (0..24).filter(move |one| cards & (1 << one) != 0)
}

/// A set of cards.
pub fn set(cards: &[One]) -> Cards {
    cards.iter().fold(0, |set, one| set | 1 << one)
}

/// The cards of a suit.
const fn suit(suit: u8) -> Cards {
    0b11_1111 << (6 * suit)
}

/// What cards are worth together.
pub fn worth(cards: Cards) -> u8 {
    each(cards).map(|one| WORTH[usize::from(one % 6)]).sum()
}

/// Which of the two games is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Schnapsen: 20 cards, hands of five.
    Schnapsen,
    /// Sixty-six: 24 cards, hands of six.
    SixtySix,
}

impl Kind {
    /// Cards of a full hand.
    pub fn hand(self) -> usize {
        if self == Kind::Schnapsen { 5 } else { 6 }
    }
    /// All cards.
    pub fn deck(self) -> Cards {
        let one = if self == Kind::Schnapsen { 0b11_1110 } else { 0b11_1111 };
        (0..4).map(|suit| one << (6 * suit)).sum()
    }
    /// The weakest card of a suit, which may be exchanged if it is a trump.
    fn weakest(self, suit: u8) -> One {
        6 * suit + u8::from(self == Kind::Schnapsen)
    }
}

/// What a player does; a deal is an act of chance, where a hand is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// The weakest trump for the card that was turned up.
    Exchange,
    /// No more cards are drawn.
    Close,
    /// A card is led, with its marriage if there is one, or answers.
    Play(One),
    /// A hand of a player that was not known, and the cards face down in the order in which they are drawn.
    Deal(Cards, [One; 3]),
}

/// Who closed, and what the other had then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Closed {
    /// The player.
    pub by: u8,
    /// Game points if it wins.
    pub wins: u8,
    /// Game points of the other if it does not.
    pub loses: u8,
}

/// Why a deal is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// Somebody has 66.
    Enough,
    /// Nobody has, and this player took the last trick.
    LastTrick,
    /// Whoever closed did not reach 66.
    Failed,
    /// All cards are played, and nobody has 66.
    Nobody,
}

/// The end of a deal: who won, game points, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// The winner; nobody's worth is 0.
    pub winner: u8,
    /// Game points.
    pub worth: u8,
    /// Why.
    pub why: Why,
}

/// Everything on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    /// The hands.
    pub hands: [Cards; 2],
    /// The talon, next card first; the last one is turned up. Beyond its length there are zeros.
    pub talon: [One; 12],
    /// Cards of the talon.
    pub left: u8,
    /// The suit of trumps.
    pub trump: u8,
    /// Who leads, or led.
    pub leader: u8,
    /// The card that was led.
    pub led: Option<One>,
    /// Points, marriages included that count only when a trick is won.
    pub points: [u8; 2],
    /// Who has won a trick.
    pub tricks: [bool; 2],
    /// Whether the talon was closed.
    pub closed: Option<Closed>,
    /// How it ended.
    pub end: Option<End>,
}

impl Table {
    /// The talon, next card first.
    pub fn talon(&self) -> &[One] {
        &self.talon[..usize::from(self.left)]
    }
    /// The card that is turned up.
    pub fn up(&self) -> Option<One> {
        self.talon().last().copied()
    }
    /// Who is to act.
    pub fn mover(&self) -> u8 {
        if self.led.is_some() { 1 - self.leader } else { self.leader }
    }
    /// Points that count.
    pub fn counted(&self, player: u8) -> u8 {
        let p = usize::from(player);
        if self.tricks[p] { self.points[p] } else { 0 }
    }
    /// Whether suit must be followed.
    pub fn strict(&self) -> bool {
        self.closed.is_some() || self.left == 0
    }
    /// Game points that a player pays who loses now.
    fn pays(&self, player: u8) -> u8 {
        match (self.tricks[usize::from(player)], self.counted(player)) {
            (false, _) => 3,
            (true, points) if points < HALF => 2,
            _ => 1,
        }
    }
    /// The marriage that is declared by leading a card: its points.
    pub fn marriage(&self, kind: Kind, one: One) -> Option<u8> {
        let rank = one % 6;
        let mate = if rank == KING { one - 1 } else { one + 1 };
        let both = matches!(rank, QUEEN | KING) && self.hands[usize::from(self.leader)] & (1 << mate) != 0;
        // In Sixty-six not once suit must be followed.
        let allowed = kind == Kind::Schnapsen || !self.strict();
        (self.led.is_none() && both && allowed).then_some(if one / 6 == self.trump { 40 } else { 20 })
    }
    /// The card that the leader may put in the place of the one turned up.
    pub fn exchange(&self, kind: Kind) -> Option<One> {
        let weakest = kind.weakest(self.trump);
        let leader = usize::from(self.leader);
        let may = self.led.is_none() && !self.strict() && self.hands[leader] & (1 << weakest) != 0;
        // In Sixty-six only whoever has won a trick.
        (may && (kind == Kind::Schnapsen || self.tricks[leader])).then_some(weakest)
    }
    /// What the player to act may do.
    pub fn acts(&self, kind: Kind, out: &mut Vec<Act>) {
        let hand = self.hands[usize::from(self.mover())];
        if self.led.is_none() {
            out.extend(self.exchange(kind).map(|_| Act::Exchange));
            if !self.strict() {
                out.push(Act::Close);
            }
        }
        out.extend(each(self.answers(hand)).map(Act::Play));
    }
    /// The cards of a hand that may be played.
    fn answers(&self, hand: Cards) -> Cards {
        let Some(led) = self.led.filter(|_| self.strict()) else { return hand };
        let follow = hand & suit(led / 6);
        let higher = follow & !((1 << led) - 1);
        let trumps = hand & suit(self.trump);
        [higher, follow, trumps].into_iter().find(|cards| *cards != 0).unwrap_or(hand)
    }
    /// The table after something was done; cards that are drawn must be known.
    pub fn after(&self, kind: Kind, act: Act) -> Table {
        let mut next = self.played(kind, act);
        if next.led.is_none() && self.led.is_some() && next.end.is_none() && !next.strict() {
            let (first, second) = (next.talon[0], next.talon[1]);
            next.talon.rotate_left(2);
            next.talon[10..].fill(0);
            next.left -= 2;
            next.hands[usize::from(next.leader)] |= 1 << first;
            next.hands[usize::from(1 - next.leader)] |= 1 << second;
        }
        next
    }
    /// The table after something was done, before cards are drawn.
    pub fn played(&self, kind: Kind, act: Act) -> Table {
        let mut next = *self;
        let leader = usize::from(self.leader);
        match act {
            Act::Exchange => {
                let weakest = kind.weakest(self.trump);
                let last = usize::from(self.left).saturating_sub(1);
                next.hands[leader] ^= 1 << weakest | 1 << self.talon[last];
                next.talon[last] = weakest;
            }
            Act::Close => {
                let other = 1 - self.leader;
                let loses = if self.tricks[usize::from(other)] { 2 } else { 3 };
                next.closed = Some(Closed { by: self.leader, wins: self.pays(other), loses });
            }
            Act::Play(one) => match self.led {
                None => {
                    next.points[leader] += self.marriage(kind, one).unwrap_or(0);
                    next.hands[leader] &= !(1 << one);
                    next.led = Some(one);
                    if next.counted(self.leader) >= ENOUGH {
                        next.end = Some(next.won(self.leader, Why::Enough));
                    }
                }
                Some(led) => {
                    next.hands[1 - leader] &= !(1 << one);
                    next.led = None;
                    next.take(kind, led, one);
                }
            },
            Act::Deal(..) => {}
        }
        next
    }
    /// Whether an answer takes the trick.
    pub fn beats(&self, led: One, answer: One) -> bool {
        if answer / 6 == led / 6 { answer > led } else { answer / 6 == self.trump }
    }
    /// A trick is taken.
    fn take(&mut self, kind: Kind, led: One, answer: One) {
        let winner = if self.beats(led, answer) { 1 - self.leader } else { self.leader };
        let w = usize::from(winner);
        let last = self.hands[w] == 0 && self.closed.is_none();
        self.leader = winner;
        self.tricks[w] = true;
        self.points[w] += worth(1 << led | 1 << answer) + if last && kind == Kind::SixtySix { 10 } else { 0 };
        self.settle(kind);
    }
    /// The end when all cards are played and nobody has 66.
    fn emptied(&self, kind: Kind) -> End {
        match (self.closed, kind) {
            (Some(closed), _) => self.won(1 - closed.by, Why::Failed),
            (None, Kind::Schnapsen) => self.won(self.leader, Why::LastTrick),
            (None, Kind::SixtySix) => End { winner: self.leader, worth: 0, why: Why::Nobody },
        }
    }
    /// What a player has won.
    fn won(&self, winner: u8, why: Why) -> End {
        let worth = match self.closed {
            Some(closed) if closed.by == winner => closed.wins,
            Some(closed) => closed.loses,
            None => self.pays(1 - winner),
        };
        End { winner, worth, why }
    }
    /// Finds out whether a table that was typed is over.
    pub fn settle(&mut self, kind: Kind) {
        let enough = (0..2).find(|p| self.counted(*p) >= ENOUGH);
        self.end = match (enough, self.hands == [0, 0] && self.led.is_none()) {
            (Some(p), _) => Some(self.won(p, Why::Enough)),
            (None, true) => Some(self.emptied(kind)),
            _ => None,
        };
    }
    /// What a player gets from here to the end with the best play of both, everything seen.
    pub fn value(&self, kind: Kind, low: i32, high: i32) -> i32 {
        if self.end.is_some() {
            return self.utility(0);
        }
        let mut acts = Vec::new();
        self.acts(kind, &mut acts);
        let first = self.mover() == 0;
        let (mut low, mut high) = (low, high);
        for act in acts {
            let value = self.after(kind, act).value(kind, low, high);
            if first {
                low = low.max(value)
            } else {
                high = high.min(value)
            }
            if low >= high {
                break;
            }
        }
        if first { low } else { high }
    }
    /// Game points for a player at the end.
    pub fn utility(&self, player: u8) -> i32 {
        self.end
            .map_or(0, |end| if end.winner == player { i32::from(end.worth) } else { -i32::from(end.worth) })
    }
}
