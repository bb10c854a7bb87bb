//! The rules, written plainly: a row of open cards, and moves that shorten it. The packed rows of the engines are
//! tested against them, and every solution is replayed by them before it is shown.

use yomikiri_core::cards::{Card, deck};
use yomikiri_core::random::Random;
use yomikiri_core::{Canonical, Game, Refusal, Text, Turn, text};

/// Most cards a row can have.
pub const MAX_CARDS: usize = 52;
/// Most distances a variant can have.
pub const MAX_DISTANCES: usize = 8;

/// What is allowed, the cards aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    distances: Vec<u8>,
    piles: u8,
    grace: bool,
}

impl Default for Rules {
    /// The next card or the third to the left, one pile at the end, no saving grace.
    fn default() -> Rules {
        Rules { distances: vec![1, 3], piles: 1, grace: false }
    }
}

/// A row of cards, and whether the saving grace may still be used.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// The cards from left to right.
    pub cards: Vec<Card>,
    /// Whether one card may still go onto the first pile.
    pub grace: bool,
}

/// A move: the card at place `x` goes onto the one at place `y`, both from 0 on the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// Where the card that moves lies.
    pub x: u8,
    /// Where the card that is covered lies.
    pub y: u8,
}

/// Whether two cards share suit or rank.
pub fn matching(a: Card, b: Card) -> bool {
    a.suit() == b.suit() || a.rank() == b.rank()
}

impl Rules {
    /// Rules with distances in the order they are tried, piles allowed at the end, and perhaps a saving grace.
    ///
    /// # Errors
    /// What the game does not allow is refused by the name of the field.
    pub fn new(distances: &[u8], piles: u8, grace: bool) -> Result<Rules, Refusal> {
        let accepts = || {
            Text::of(
                format!("1 to {MAX_DISTANCES} different distances from 1 to {}, e.g. 1,3", MAX_CARDS - 1),
                format!("1～{}の異なる距離を1～{MAX_DISTANCES}個、例：1,3", MAX_CARDS - 1),
            )
        };
        let listed = || distances.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        let twice = (1..distances.len()).any(|i| distances[..i].contains(&distances[i]));
        let outside = distances.iter().any(|&d| !(1..MAX_CARDS).contains(&usize::from(d)));
        if distances.is_empty() || distances.len() > MAX_DISTANCES || twice || outside {
            return Err(Refusal::new("distances", format!("\"{}\"", listed()), accepts()));
        }
        if !(1..=MAX_CARDS).contains(&usize::from(piles)) {
            let accepts =
                Text::of(format!("a whole number from 1 to {MAX_CARDS}"), format!("1～{MAX_CARDS}の整数"));
            return Err(Refusal::new("piles", piles, accepts));
        }
        Ok(Rules { distances: distances.to_vec(), piles, grace })
    }

    /// How far to the left a card may go, in the order moves are tried.
    pub fn distances(&self) -> &[u8] {
        &self.distances
    }

    /// Piles allowed at the end.
    pub fn piles(&self) -> usize {
        usize::from(self.piles)
    }

    /// Whether any card may go onto the first pile once.
    pub fn grace(&self) -> bool {
        self.grace
    }

    /// The row of these cards at the start of a game.
    pub fn row(&self, cards: Vec<Card>) -> Row {
        Row { cards, grace: self.grace }
    }

    /// Whether so few piles are left that the game is won.
    pub fn won(&self, row: &Row) -> bool {
        row.cards.len() <= self.piles()
    }

    /// Whether a move is one by the ordinary rule.
    fn ordinary(&self, row: &Row, step: Step) -> bool {
        let (x, y) = (usize::from(step.x), usize::from(step.y));
        x < row.cards.len()
            && y < x
            && self.distances.iter().any(|&d| usize::from(d) == x - y)
            && matching(row.cards[x], row.cards[y])
    }

    /// Whether a move needs the saving grace: it goes to the first pile and no ordinary move does the same.
    pub fn by_grace(&self, row: &Row, step: Step) -> bool {
        row.grace
            && step.y == 0
            && step.x > 0
            && usize::from(step.x) < row.cards.len()
            && !self.ordinary(row, step)
    }

    /// Whether a move is legal.
    pub fn legal(&self, row: &Row, step: Step) -> bool {
        !self.won(row) && (self.ordinary(row, step) || self.by_grace(row, step))
    }

    /// The legal moves in the order an exact search tries them: distance by distance, each from the left, then the
    /// saving grace from the left.
    pub fn steps(&self, row: &Row) -> Vec<Step> {
        let mut steps = Vec::new();
        if self.won(row) {
            return steps;
        }
        for &d in &self.distances {
            for x in usize::from(d)..row.cards.len() {
                let step = Step { x: x as u8, y: x as u8 - d };
                if self.ordinary(row, step) {
                    steps.push(step);
                }
            }
        }
        let graces = (1..row.cards.len()).map(|x| Step { x: x as u8, y: 0 });
        steps.extend(graces.filter(|&step| self.by_grace(row, step)));
        steps
    }

    /// The row after a legal move.
    pub fn after(&self, row: &Row, step: Step) -> Row {
        let grace = row.grace && !self.by_grace(row, step);
        let mut cards = row.cards.clone();
        let x = cards.remove(usize::from(step.x));
        cards[usize::from(step.y)] = x;
        Row { cards, grace }
    }

    /// The rows of a game from the first to the last; the number of the first move that is not legal if one is not.
    ///
    /// # Errors
    /// The number of the first move that is not legal.
    pub fn replay(&self, row: &Row, steps: &[Step]) -> Result<Vec<Row>, usize> {
        let mut rows = vec![row.clone()];
        for (number, &step) in steps.iter().enumerate() {
            let now = &rows[number];
            if !self.legal(now, step) {
                return Err(number);
            }
            let next = self.after(now, step);
            rows.push(next);
        }
        Ok(rows)
    }

    /// Whether these moves win the game from a row, each of them legal.
    pub fn wins(&self, row: &Row, steps: &[Step]) -> bool {
        self.replay(row, steps).is_ok_and(|rows| rows.last().is_some_and(|last| self.won(last)))
    }
}

/// The cards of the first suits (of S, H, D, C) and the first ranks (from the ace).
pub fn small_deck(suits: u8, ranks: u8) -> Vec<Card> {
    deck().into_iter().filter(|c| c.suit() < suits && c.rank() < ranks).collect()
}

/// Deal number `number` of a seed: the deck shuffled, and the first `start` cards of it laid out.
pub fn deal(suits: u8, ranks: u8, start: usize, seed: u64, number: u64) -> Vec<Card> {
    let mut cards = small_deck(suits, ranks);
    Random::stream(seed, number).shuffle(&mut cards);
    cards.truncate(start.max(1));
    cards
}

/// A game: rules and the row it starts from.
#[derive(Clone, Debug)]
pub struct Accordion {
    rules: Rules,
    start: Row,
}

impl Accordion {
    /// A game with the given row. Rows have 1 to 52 cards, none twice.
    ///
    /// # Errors
    /// What the game does not allow is refused by the name of the field.
    pub fn new(rules: Rules, cards: Vec<Card>) -> Result<Accordion, Refusal> {
        check(&cards)?;
        let start = rules.row(cards);
        Ok(Accordion { rules, start })
    }

    /// A game that goes on from a row.
    ///
    /// # Errors
    /// Cards that are no row are refused.
    pub fn from_row(rules: Rules, start: Row) -> Result<Accordion, Refusal> {
        check(&start.cards)?;
        Ok(Accordion { rules, start })
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}

/// Whether cards are a row: at least one, none twice.
///
/// # Errors
/// Cards that are no row are refused.
pub fn check(cards: &[Card]) -> Result<(), Refusal> {
    let accepts = || {
        text(
            "1 to 52 different cards from left to right, e.g. S7 S4 S0 D3",
            "1～52枚の異なるカードを左から順に、例：S7 S4 S0 D3",
        )
    };
    if cards.is_empty() {
        return Err(Refusal::of("row", text("no cards", "カードなし"), accepts()));
    }
    for (i, card) in cards.iter().enumerate() {
        if cards[..i].contains(card) {
            let twice = Text::of(format!("{card} twice"), format!("{card} が2枚"));
            return Err(Refusal::of("row", twice, accepts()));
        }
    }
    Ok(())
}

impl Game for Accordion {
    type State = Row;
    type Action = Step;
    const PLAYERS: usize = 1;

    fn start(&self) -> Row {
        self.start.clone()
    }

    fn turn(&self, s: &Row) -> Turn {
        if self.rules.steps(s).is_empty() { Turn::Terminal } else { Turn::Player(0) }
    }

    fn actions(&self, s: &Row, out: &mut Vec<Step>) {
        let mut steps = self.rules.steps(s);
        steps.sort_unstable();
        out.extend(steps);
    }

    fn apply(&self, s: &Row, a: Step) -> Row {
        self.rules.after(s, a)
    }

    /// 1 for a game won, 0 for one that is stuck.
    fn utility(&self, s: &Row, _: u8) -> i32 {
        i32::from(self.rules.won(s))
    }
}

impl Canonical for Accordion {
    /// The row in six bits a card, with suits and ranks numbered in the order they appear.
    type Key = [u64; 6];

    fn key(&self, s: &Row) -> Option<[u64; 6]> {
        let (mut suits, mut ranks) = (Vec::new(), Vec::new());
        let number = |seen: &mut Vec<u8>, what: u8| match seen.iter().position(|&w| w == what) {
            Some(at) => at as u64,
            None => {
                seen.push(what);
                seen.len() as u64 - 1
            }
        };
        let mut key = [0; 6];
        key[0] = s.cards.len() as u64 | u64::from(s.grace) << 6;
        for (i, card) in s.cards.iter().enumerate() {
            let code = number(&mut suits, card.suit()) << 4 | number(&mut ranks, card.rank());
            // Ten cards a word, after the length.
            key[(i + 2) / 10] |= code << (6 * ((i + 2) % 10));
        }
        Some(key)
    }

    fn symmetric(&self, s: &Row, out: &mut Vec<Row>) {
        // Suits and ranks can be renamed at will; these renamings together reach all of them.
        let renamed = |suit: fn(u8) -> u8, rank: fn(u8) -> u8| {
            let card = |c: &Card| Card::new(suit(c.suit()), rank(c.rank()));
            let cards = s.cards.iter().map(card).collect::<Option<Vec<_>>>()?;
            Some(Row { cards, grace: s.grace })
        };
        out.extend(renamed(|suit| (suit + 1) % 4, |rank| (rank + 1) % 13));
        out.extend(renamed(|suit| if suit < 2 { 1 - suit } else { suit }, |rank| 12 - rank));
        out.extend(renamed(|suit| suit, |rank| if rank < 2 { 1 - rank } else { rank }));
    }
}
