//! The game as people set it up and play it: points in their own units, points held, a target, both hands and
//! the deck open on the table; and the notation for all of it.
//!
//! Notation: parts separated by `_` (or blanks), in any order: `A:1,4,6_B:2,3,5_D:7,8_Q:4=3,7=1/2_L:B_W:3,2_T:9`.
//! `A` and `B` are the hands, `D` the deck, next card first; `Q` says what cards are worth (`Q:7` that only card 7
//! scores, `Q:all=1` that all are worth as much); `L` who leads; `W` the points A and B hold already; `T` the
//! target to exceed or `R` the target to reach, without which the players play for points.

use super::points::{self, Points};
use super::rules::{Deal, MAX_CARD, MAX_POINTS, Objective, Sixtysix, State, bit, cards_of};
use num_traits::ToPrimitive;
use std::collections::BTreeMap;
use yomikiri_core::{Game, Number, Rational, Refusal, Turn, text};

/// A game with everything that is said about it in words.
#[derive(Clone, Debug)]
pub struct Table {
    game: Sixtysix,
    points: Points,
    held: [Rational; 2],
    target: Option<(Rational, bool)>,
}

/// What a position says, before the rules have looked at it.
struct Written {
    hands: [Vec<u32>; 2],
    deck: Vec<u32>,
    leader: u8,
    worth: Option<CardPoints>,
    held: [Rational; 2],
    target: Option<(Rational, bool)>,
}

/// What cards are worth.
enum CardPoints {
    All(Rational),
    Cards(BTreeMap<u32, Rational>),
}

fn refuse(part: &str) -> Refusal {
    Refusal::new(
        "position",
        format!("\"{part}\""),
        text(
            "hands, deck, points, leader, points held, target: e.g. A:1,4,6_B:2,3,5_D:7,8_Q:4=3,7=1/2_L:B_W:3,2_T:9",
            "手札、山札、得点、先手、既得点、目標：例 A:1,4,6_B:2,3,5_D:7,8_Q:4=3,7=1/2_L:B_W:3,2_T:9",
        ),
    )
}

fn read(given: &str) -> Result<Written, Refusal> {
    let zero = || Rational::from_int(0);
    let mut written = Written {
        hands: [Vec::new(), Vec::new()],
        deck: Vec::new(),
        leader: 0,
        worth: None,
        held: [zero(), zero()],
        target: None,
    };
    let mut seen = Vec::new();
    for part in given.split(['_', ' ']).filter(|p| !p.is_empty()) {
        let (name, value) = part.split_once(':').ok_or_else(|| refuse(part))?;
        let number = |n: &str| points::read(n).ok_or_else(|| refuse(part));
        let cards = || -> Result<Vec<u32>, Refusal> {
            let items = value.split(',').filter(|c| !c.is_empty());
            let card = |c: &str| c.parse::<u32>().ok().filter(|n| (1..=MAX_CARD as u32).contains(n));
            items.map(|c| card(c).ok_or_else(|| refuse(part))).collect()
        };
        let name = name.to_ascii_uppercase();
        match name.as_str() {
            "A" => written.hands[0] = cards()?,
            "B" => written.hands[1] = cards()?,
            "D" => written.deck = cards()?,
            "L" => match value {
                "A" | "a" => written.leader = 0,
                "B" | "b" => written.leader = 1,
                _ => return Err(refuse(part)),
            },
            "Q" => {
                let mut worth = BTreeMap::new();
                if let Some(all) = value.strip_prefix("all=") {
                    written.worth = Some(CardPoints::All(number(all)?));
                } else {
                    for item in value.split(',').filter(|i| !i.is_empty()) {
                        let (card, n) = item.split_once('=').unwrap_or((item, "1"));
                        let card = card.parse::<u32>().map_err(|_| refuse(part))?;
                        if worth.insert(card, number(n)?).is_some() {
                            return Err(refuse(part));
                        }
                    }
                    written.worth = Some(CardPoints::Cards(worth));
                }
            }
            "W" => {
                let (a, b) = value.split_once(',').ok_or_else(|| refuse(part))?;
                written.held = [number(a)?, number(b)?];
            }
            "T" | "R" => written.target = Some((number(value)?, name == "R")),
            _ => return Err(refuse(part)),
        }
        let place = if name == "R" { "T".to_owned() } else { name };
        if seen.contains(&place) {
            return Err(refuse(part));
        }
        seen.push(place);
    }
    if seen.is_empty() {
        return Err(refuse(given));
    }
    Ok(written)
}

impl Table {
    /// A game with its points, what is held before it, and its target if there is one.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    pub fn new(
        deal: Deal,
        points: Points,
        held: [Rational; 2],
        target: Option<(Rational, bool)>,
    ) -> Result<Table, Refusal> {
        let objective = match &target {
            None => Objective::Difference,
            Some((target, reaches)) => {
                Objective::Race([0, 1].map(|p| points.limit(target, &held[p], *reaches)))
            }
        };
        let game = Sixtysix::new(deal, &points.whole, objective)?;
        Ok(Table { game, points, held, target })
    }

    /// The game a text describes, from the position it describes.
    ///
    /// # Errors
    /// What is no game is refused with the part at fault.
    pub fn read(given: &str) -> Result<Table, Refusal> {
        let written = read(given)?;
        let deal = Deal::new(written.hands, written.deck, written.leader)
            // Fields of a request are parts of a notation here.
            .map_err(|r| Refusal { field: format!("position, {}", r.field), ..r })?;
        let all = deal.ascending();
        let largest = all.last().copied().unwrap_or(0) as usize;
        let mut worth = vec![Rational::from_int(0); largest];
        match written.worth {
            None => all.iter().for_each(|&c| worth[c as usize - 1] = Rational::from_int(1)),
            Some(CardPoints::All(n)) => all.iter().for_each(|&c| worth[c as usize - 1] = n.clone()),
            Some(CardPoints::Cards(cards)) => {
                for (card, n) in cards {
                    if !all.contains(&card) {
                        return Err(refuse(&format!("Q:{card}")));
                    }
                    worth[card as usize - 1] = n;
                }
            }
        }
        Table::new(deal, Points::new(&worth)?, written.held, written.target)
    }

    /// The rules below.
    pub fn game(&self) -> &Sixtysix {
        &self.game
    }
    /// The points and their unit.
    pub fn points(&self) -> &Points {
        &self.points
    }
    /// The target, and whether reaching it is enough.
    pub fn target(&self) -> Option<&(Rational, bool)> {
        self.target.as_ref()
    }
    /// The points a player has in all.
    pub fn score(&self, s: &State, player: usize) -> Rational {
        &self.held[player] + self.points.real(s.won[player])
    }
    /// What a card is worth.
    pub fn worth(&self, card: u8) -> Rational {
        self.points.real(self.game.points(card))
    }

    /// The same with another player to lead.
    ///
    /// # Errors
    /// What the rules do not allow is refused.
    pub fn with_leader(&self, leader: u8) -> Result<Table, Refusal> {
        let deal = Deal { leader, ..self.game.deal().clone() };
        Table::new(deal, self.points.clone(), self.held.clone(), self.target.clone())
    }

    /// The same with other points that the players have.
    ///
    /// # Errors
    /// What the rules do not allow is refused.
    pub fn with_held(&self, held: [i32; 2]) -> Result<Table, Refusal> {
        let held = held.map(Rational::from_int);
        Table::new(self.game.deal().clone(), self.points.clone(), held, self.target.clone())
    }

    /// The same with two cards that have changed places; what they are worth goes with them.
    ///
    /// # Errors
    /// What the rules do not allow is refused.
    pub fn with_swapped(&self, x: u32, y: u32) -> Result<Table, Refusal> {
        let deal = self.game.deal();
        let swapped = |cards: &[u32]| -> Vec<u32> {
            let other = |&c: &u32| {
                if c == x {
                    y
                } else if c == y {
                    x
                } else {
                    c
                }
            };
            cards.iter().map(other).collect()
        };
        let hands = [swapped(&deal.hands[0]), swapped(&deal.hands[1])];
        let deal = Deal::new(hands, swapped(&deal.deck), deal.leader)?;
        Table::new(deal, self.points.clone(), self.held.clone(), self.target.clone())
    }

    /// The same with a card that is worth something else.
    ///
    /// # Errors
    /// Points that have no common unit with the others are refused.
    pub fn with_worth(&self, card: u32, worth: Rational) -> Result<Table, Refusal> {
        let deal = self.game.deal().clone();
        let largest = deal.ascending().last().copied().unwrap_or(0);
        let all: Vec<Rational> =
            (1..=largest).map(|c| if c == card { worth.clone() } else { self.worth(c as u8) }).collect();
        Table::new(deal, Points::new(&all)?, self.held.clone(), self.target.clone())
    }

    fn worth_part(&self, s: &State) -> String {
        let cards: Vec<u8> = cards_of(s.hands[0] | s.hands[1] | self.game.undrawn(s.drawn)).collect();
        let first = cards.first().map(|&c| self.worth(c));
        if let Some(first) = first.filter(|f| cards.len() > 1 && cards.iter().all(|&c| self.worth(c) == *f)) {
            return format!("Q:all={first}");
        }
        let one = Rational::from_int(1);
        let scoring = cards.iter().filter(|&&c| self.game.points(c) != 0);
        let items: Vec<String> = scoring
            .map(|&c| if self.worth(c) == one { c.to_string() } else { format!("{c}={}", self.worth(c)) })
            .collect();
        format!("Q:{}", items.join(","))
    }
}

fn listed(cards: impl IntoIterator<Item = u32>) -> String {
    cards.into_iter().map(|c| c.to_string()).collect::<Vec<_>>().join(",")
}

fn set(cards: &[u32]) -> u128 {
    cards.iter().fold(0, |set, &c| set | bit(c as u8))
}

impl Table {
    /// Reads a position of this very game: the deck must be what is left of its deck, and points and target its own.
    ///
    /// # Errors
    /// Any other position is refused.
    pub fn reached(&self, given: &str) -> Result<State, Refusal> {
        let there = Table::read(given)?;
        let s = there.game.start();
        let (deck, mine) = (&there.game.deal().deck, &self.game.deal().deck);
        let wrong = || refuse(given);
        if !mine.ends_with(deck) || there.target != self.target {
            return Err(wrong());
        }
        let drawn = mine.len() - deck.len();
        let known = set(&self.game.deal().ascending());
        let hands = s.hands[0] | s.hands[1];
        let size = self.game.deal().hand();
        let full = there.game.deal().hand() == size || (deck.is_empty() && there.game.deal().hand() < size);
        if hands & !known != 0 || hands & self.game.undrawn(drawn as u8) != 0 || !full {
            return Err(wrong());
        }
        let cards = hands | there.game.undrawn(0);
        if cards_of(cards).any(|c| there.worth(c) != self.worth(c)) {
            return Err(wrong());
        }
        let won = |p: usize| {
            let units = (&there.held[p] - &self.held[p]) / &self.points.unit;
            let whole = units.is_integer().then(|| units.to_integer().to_i32()).flatten();
            whole.filter(|n| i64::from(*n).abs() < MAX_POINTS).ok_or_else(wrong)
        };
        let won = [won(0)?, won(1)?];
        Ok(State { hands: s.hands, drawn: drawn as u8, leader: s.leader, led: None, won })
    }

    /// Writes a position; `None` in the middle of a trick and after the last.
    pub fn notation(&self, s: &State) -> Option<String> {
        if s.led.is_some() || s.hands[0] == 0 {
            return None;
        }
        let mut parts = vec![
            format!("A:{}", listed(cards_of(s.hands[0]).map(u32::from))),
            format!("B:{}", listed(cards_of(s.hands[1]).map(u32::from))),
        ];
        let deck = &self.game.deal().deck[usize::from(s.drawn)..];
        if !deck.is_empty() {
            parts.push(format!("D:{}", listed(deck.iter().copied())));
        }
        parts.push(self.worth_part(s));
        if s.leader == 1 {
            parts.push("L:B".into());
        }
        let held = [self.score(s, 0), self.score(s, 1)];
        if held.iter().any(|h| *h != Rational::from_int(0)) {
            parts.push(format!("W:{},{}", held[0], held[1]));
        }
        if let Some((target, reaches)) = &self.target {
            parts.push(format!("{}:{target}", if *reaches { "R" } else { "T" }));
        }
        Some(parts.join("_"))
    }
}

impl Game for Table {
    type State = State;
    type Action = u8;

    fn start(&self) -> State {
        self.game.start()
    }
    fn turn(&self, s: &State) -> Turn {
        self.game.turn(s)
    }
    fn actions(&self, s: &State, out: &mut Vec<u8>) {
        self.game.actions(s, out);
    }
    fn apply(&self, s: &State, a: u8) -> State {
        self.game.apply(s, a)
    }
    fn utility(&self, s: &State, player: u8) -> i32 {
        self.game.utility(s, player)
    }
}

/// A player as people call them.
pub fn player(seat: u8) -> &'static str {
    if seat == 0 { "A" } else { "B" }
}
