//! What a player sees in the last round, and the last round as that player models it: the others hold and
//! play any of the cards not seen, all equally likely.

use super::rules::{Card, Cards, LAST_ROUND, SEATS, TURNS, Table, kept, payoffs, scored, sum};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;
use yomikiri_core::{Canonical, Game, Refusal, Text, Turn, text};

/// What a player sees when a card is to be chosen; totals are the player's own, then the others'.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct View {
    /// The turn: 13 to 15 in the last round.
    pub turn: u8,
    /// The hand: in the last round 5, 4 or 3 cards.
    pub hand: Cards,
    /// The cards not seen, the others' hands and the card set aside: in the last round 11, 9 or 7.
    pub unknown: Cards,
    /// Kept in the rounds before.
    pub scores: [u8; SEATS],
    /// Won in this round.
    pub round: [u8; SEATS],
}

/// Totals with those of one seat first and the others after it in order.
pub fn from_seat(totals: [u8; SEATS], seat: usize) -> [u8; SEATS] {
    std::array::from_fn(|i| totals[(seat + i) % SEATS])
}

/// Cards in the hand in a turn of the last round.
pub fn hand_size(turn: u8) -> usize {
    usize::from(18 - turn)
}

/// Cards not seen in a turn of the last round.
fn unknown_size(turn: u8) -> usize {
    usize::from(2 * (18 - turn) + 1)
}

impl View {
    /// What a seat sees.
    pub fn of(table: &Table, seat: usize) -> View {
        View {
            turn: table.turn,
            hand: table.hands[seat],
            unknown: table.unknown(seat),
            scores: from_seat(table.scores, seat),
            round: from_seat(table.round, seat),
        }
    }

    /// What the player sees after a turn of the last round: the own card, then the others'. When it is over, `scores`
    /// has the round added.
    #[must_use]
    pub fn after(&self, played: [Card; SEATS]) -> View {
        let [mine, first, second] = played;
        let (round, over) = (scored(self.round, played), self.turn >= TURNS);
        View {
            turn: self.turn + 1,
            hand: self.hand.without(mine),
            unknown: self.unknown.without(first).without(second),
            scores: if over { sum(self.scores, kept(round)) } else { self.scores },
            round: if over { [0; SEATS] } else { round },
        }
    }

    /// Whether there is play that leads to it, as far as the totals can tell: cards are checked one by one,
    /// totals against all ways four rounds can go with at most two turns won by aces and two by kings (an
    /// ace in the middle needs another below it, a king another above).
    ///
    /// # Errors
    /// The part at fault is refused by its name.
    pub fn check(&self) -> Result<(), Refusal> {
        if !(LAST_ROUND..=TURNS).contains(&self.turn) {
            return Err(Refusal::new("turn", self.turn, Text::same("13, 14, 15")));
        }
        let sizes =
            [("hand", self.hand, hand_size(self.turn)), ("unknown", self.unknown, unknown_size(self.turn))];
        for (field, cards, size) in sizes {
            if cards.len() != size {
                let n = cards.len();
                let got = Text::of(format!("{n} different cards"), format!("異なるカード{n}枚"));
                let (turn, each) = (
                    self.turn,
                    text(
                        "5, 4, 3 (hand) and 11, 9, 7 (unknown) cards in turns 13, 14, 15",
                        "ターン13・14・15で手札5・4・3枚、不明11・9・7枚",
                    ),
                );
                let accepts = Text::of(
                    format!("{size} cards in turn {turn}: {}", each.en),
                    format!("ターン{turn}では{size}枚（{}）", each.ja),
                );
                return Err(Refusal::of(field, got, accepts));
            }
        }
        if let Some(card) = self.hand.iter().find(|&card| self.unknown.has(card)) {
            let got = Text::of(format!("{card}, which is in the hand"), format!("手札にもある {card}"));
            return Err(Refusal::of(
                "unknown",
                got,
                text("cards that are not in the hand", "手札にないカード"),
            ));
        }
        self.check_round()?;
        if !reachable(self.scores) {
            return Err(Refusal::new(
                "scores",
                format!("{:?}", self.scores),
                text(
                    "totals [me, opponent 1, opponent 2] that four rounds can lead to, e.g. [8, 11, 5]",
                    "4ラウンドで到達できる点数 [自分, 相手1, 相手2]、例：[8, 11, 5]",
                ),
            ));
        }
        Ok(())
    }

    /// Whether the points won in this round are those of cards that have been played.
    fn check_round(&self) -> Result<(), Refusal> {
        let played = Cards::ALL.minus(self.hand).minus(self.unknown);
        // A card that wins has one below and one above it on the table.
        let won = |card: Card| played.below(card) > 0 && played.below(card) + 1 < played.len();
        let mut medians = [0u8; 14];
        for card in played.iter().filter(|&card| won(card)) {
            medians[usize::from(card.points())] += 1;
        }
        let can = |a: usize, b: usize| a < 14 && b < 14 && medians[a] > 0 && medians[b] > u8::from(a == b);
        let mut points = self.round.map(usize::from);
        points.sort_unstable();
        let good = match (self.turn, points) {
            (13, p) => p == [0, 0, 0],
            (14, [0, 0, p]) => p > 0 && p < 14 && medians[p] > 0,
            (15, [0, 0, p]) => (1..p).any(|a| can(a, p - a)),
            (15, [0, a, b]) => can(a, b),
            _ => false,
        };
        if good {
            return Ok(());
        }
        let accepts = match self.turn {
            13 => Text::same("[0, 0, 0]"),
            14 => text(
                "the points of one card that has been played, for one player, e.g. [0, 7, 0]",
                "既に出たカード1枚の点を1人に、例：[0, 7, 0]",
            ),
            _ => text(
                "the points of two cards that have been played, for one or two players, e.g. [0, 7, 3]",
                "既に出たカード2枚の点を1人または2人に、例：[0, 7, 3]",
            ),
        };
        Err(Refusal::new("round", format!("{:?}", self.round), accepts))
    }
}

/// What two rounds can leave everybody with, and for each the turns won by aces and by kings.
type Ways = FxHashMap<[u8; SEATS], Vec<(u8, u8)>>;

/// Turns of a game that aces can win, and kings: each needs two of the four.
const EXTREMES: u8 = 2;

fn add(ways: &mut Ways, totals: [u8; SEATS], extremes: (u8, u8)) {
    let known = ways.entry(totals).or_default();
    if extremes.0 <= EXTREMES && extremes.1 <= EXTREMES && !known.contains(&extremes) {
        known.push(extremes);
    }
}

fn two_rounds() -> &'static Ways {
    static TWO: OnceLock<Ways> = OnceLock::new();
    TWO.get_or_init(|| {
        let mut one = Ways::default();
        for wins in 0..13u32.pow(3) {
            let points = [wins / 169, wins / 13 % 13, wins % 13].map(|p| p as u8 + 1);
            let count = |p: u8| points.iter().filter(|&&q| q == p).count() as u8;
            for owners in 0..27usize {
                let mut totals = [0; SEATS];
                for (points, owner) in points.iter().zip([owners / 9, owners / 3 % 3, owners % 3]) {
                    totals[owner] += points;
                }
                add(&mut one, kept(totals), (count(1), count(13)));
            }
        }
        let mut two = Ways::default();
        for (a, first) in &one {
            for (b, second) in &one {
                for x in first {
                    for y in second {
                        add(&mut two, sum(*a, *b), (x.0 + y.0, x.1 + y.1));
                    }
                }
            }
        }
        two.retain(|_, ways| !ways.is_empty());
        two
    })
}

/// Whether four rounds can leave everybody with these totals.
pub fn reachable(scores: [u8; SEATS]) -> bool {
    let two = two_rounds();
    two.iter().any(|(a, first)| {
        let rest: Option<Vec<u8>> = scores.iter().zip(a).map(|(s, x)| s.checked_sub(*x)).collect();
        let Some(second) = rest.and_then(|r| two.get(&[r[0], r[1], r[2]])) else { return false };
        first.iter().any(|x| second.iter().any(|y| x.0 + y.0 <= EXTREMES && x.1 + y.1 <= EXTREMES))
    })
}

/// The last round for one player: the others are chance, with all cards not seen equally likely.
#[derive(Clone, Debug)]
pub struct LastRound {
    start: View,
}

/// A state: the player is to choose, or has chosen and the others show their cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    /// What the player sees; turn 16 is the end, when `scores` has the round added.
    pub view: View,
    /// The card the player has put down.
    pub mine: Option<Card>,
}

/// What happens in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// The player puts down a card.
    Mine(Card),
    /// The others have put down these.
    Theirs(Card, Card),
}

impl LastRound {
    /// The last round from a view.
    ///
    /// # Errors
    /// A view that is none of the last round is refused by the part at fault.
    pub fn new(start: View) -> Result<LastRound, Refusal> {
        start.check()?;
        Ok(LastRound { start })
    }
}

impl Game for LastRound {
    type State = Seen;
    type Action = Step;
    const PLAYERS: usize = 1;

    fn start(&self) -> Seen {
        Seen { view: self.start, mine: None }
    }

    fn turn(&self, s: &Seen) -> Turn {
        match s.mine {
            _ if s.view.turn > TURNS => Turn::Terminal,
            None => Turn::Player(0),
            Some(_) => Turn::Chance,
        }
    }

    fn actions(&self, s: &Seen, out: &mut Vec<Step>) {
        if s.view.turn <= TURNS && s.mine.is_none() {
            out.extend(s.view.hand.iter().map(Step::Mine));
        }
    }

    fn chance(&self, s: &Seen, out: &mut Vec<(Step, u32)>) {
        for a in s.view.unknown.iter() {
            let others = s.view.unknown.without(a).iter();
            out.extend(others.map(|b| (Step::Theirs(a, b), 1)));
        }
    }

    fn apply(&self, s: &Seen, step: Step) -> Seen {
        match (step, s.mine) {
            (Step::Mine(card), _) => Seen { view: s.view, mine: Some(card) },
            (Step::Theirs(..), None) => *s,
            (Step::Theirs(a, b), Some(mine)) => Seen { view: s.view.after([mine, a, b]), mine: None },
        }
    }

    fn utility(&self, s: &Seen, _: u8) -> i32 {
        i32::from(payoffs(s.view.scores)[0])
    }
}

impl Canonical for LastRound {
    type Key = View;

    fn key(&self, s: &Seen) -> Option<View> {
        (s.mine.is_none() && s.view.turn <= TURNS).then(|| {
            // The others are alike: who of them comes first does not matter.
            let mut view = s.view;
            if (view.scores[2], view.round[2]) < (view.scores[1], view.round[1]) {
                view.scores.swap(1, 2);
                view.round.swap(1, 2);
            }
            view
        })
    }

    fn symmetric(&self, s: &Seen, out: &mut Vec<Seen>) {
        let mut image = *s;
        image.view.scores.swap(1, 2);
        image.view.round.swap(1, 2);
        out.push(image);
    }
}
