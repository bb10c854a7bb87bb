//! Memory between players who forget as people play it: cards in their places. A card that is forgotten lies there as
//! one that nobody has seen, and which one it is is settled when it is turned again: in law that is the same.
//!
//! What is done with cards is the business of [`CardTable`]; here stands only what the model of memory adds.

use super::super::rules::{self, Memory, Pattern};
use super::super::table::{self, Card, CardTable, Layout, Stage};
use super::model::{Model, some_forgotten};
use super::rules::At;
use yomikiri_core::{Game, Turn};

/// The table of a game.
#[derive(Debug)]
pub struct Cards {
    table: CardTable,
    model: Model,
}

/// The cards on the table, and which known ones may be forgotten just now.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lying {
    /// The cards and the player to move.
    pub layout: Layout,
    /// The places of known cards of which it is not settled yet whether they are forgotten, ascending.
    pub doubtful: Vec<u16>,
}

/// What is done with cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// As among players who remember.
    Plain(table::Act),
    /// Passes by showing the known cards at these places, where that decides what is remembered.
    Shows(u16, u16),
    /// Chance: whoever remembers nothing turns the card at this place.
    Draws(u16),
    /// Chance: the known card at this place is forgotten.
    Forgets(u16),
    /// Chance: it is not.
    Keeps(u16),
}

impl Cards {
    /// The table of a game.
    pub fn new(memory: Memory, model: Model) -> Cards {
        Cards { table: CardTable::new(memory), model }
    }

    /// The game of the cards.
    pub fn memory(&self) -> &Memory {
        self.table.memory()
    }

    /// What is remembered.
    pub fn model(&self) -> Model {
        self.model
    }

    pub(super) fn table(&self) -> &CardTable {
        &self.table
    }

    /// What matters of a table: the position of the game of counts, or none in the middle of forgetting or of a turn at
    /// random.
    pub fn position(&self, s: &Lying) -> Option<At> {
        let random = self.model == Model::Asymmetric && s.layout.mover == 1;
        let settled = !(self.forgets(s) || random && s.layout.stage != Stage::First);
        settled.then(|| At::settled(self.table.position(&s.layout)))
    }

    /// What may be left of the known cards, with its chance: the counts after forgetting.
    pub(super) fn left(&self, s: &Lying) -> Vec<(f64, rules::Counts)> {
        let counts = self.table.position(&s.layout).counts;
        let Model::Forget { of, out_of } = self.model else {
            return self.model.left(self.memory(), &counts, [0, 0]);
        };
        let mut doubtful = vec![0; self.memory().ranks()];
        for place in &s.doubtful {
            if let Card::Known(rank) = s.layout.cards[usize::from(*place)] {
                doubtful[usize::from(rank)] += 1;
            }
        }
        let ranks = self.table.patterns(&s.layout).into_iter().zip(doubtful);
        let ranks: Vec<(Pattern, u8, u8)> = ranks.map(|(p, doubtful)| (p, doubtful, 1)).collect();
        some_forgotten(self.memory(), &ranks, f64::from(of) / f64::from(out_of))
    }

    /// The places of cards that are known and not face up.
    pub(super) fn known(s: &Layout) -> Vec<u16> {
        s.others().filter(|(_, card)| matches!(card, Card::Known(_))).map(|(place, _)| place).collect()
    }

    /// Whether chance is about to make players forget.
    pub(super) fn forgets(&self, s: &Lying) -> bool {
        match self.model {
            Model::Forget { .. } => !s.doubtful.is_empty(),
            Model::Slots(most) => {
                s.layout.stage == Stage::First
                    && Cards::known(&s.layout).len() > most
                    && self.table.turn(&s.layout) != Turn::Terminal
            }
            _ => false,
        }
    }

    /// Lays out a position at the start of a turn.
    pub fn deal(&self, position: &rules::State) -> Lying {
        Lying { layout: self.table.deal(position), doubtful: Vec::new() }
    }

    /// A turn has ended that showed these cards.
    fn handed_over(&self, mut layout: Layout, shown: &[u16]) -> Lying {
        let mut doubtful = Vec::new();
        if self.table.turn(&layout) != Turn::Terminal {
            match self.model {
                Model::Forget { .. } => doubtful = Cards::known(&layout),
                Model::LastTurn => {
                    let gone: Vec<u16> =
                        Cards::known(&layout).into_iter().filter(|place| !shown.contains(place)).collect();
                    gone.into_iter().for_each(|place| layout.cards[usize::from(place)] = Card::Unknown);
                }
                // Nobody ends this game by passing.
                Model::Asymmetric => layout.passed = false,
                Model::Perfect | Model::Slots(_) => {}
            }
        }
        self.settled(Lying { layout, doubtful })
    }

    /// Whoever cannot pass need not know that the other has.
    fn settled(&self, mut s: Lying) -> Lying {
        if s.layout.passed && !self.forgets(&s) && self.table.turn(&s.layout) != Turn::Terminal {
            let position = self.table.position(&s.layout);
            s.layout.passed = self.memory().known_ranks(&position.counts) >= 2;
        }
        s
    }

    /// What the player who remembers nothing does by turning the card at a place.
    fn drawn(&self, s: &Layout, place: u16) -> Option<table::Act> {
        let card = *s.cards.get(usize::from(place))?;
        match (s.stage, card) {
            (Stage::First, Card::Unknown) => Some(table::Act::Turn(place)),
            (Stage::Second(_), Card::Unknown) => Some(table::Act::Unknown(place)),
            (Stage::Second(_), Card::Known(rank)) if Some(rank) == s.face_up() => {
                Some(table::Act::Same(place))
            }
            (Stage::Second(_), Card::Known(_)) => Some(table::Act::Different(place)),
            _ => None,
        }
    }

    fn plain(&self, s: &Lying, a: table::Act) -> Lying {
        let layout = self.table.apply(&s.layout, a);
        if layout.mover == s.layout.mover {
            return Lying { layout, doubtful: Vec::new() };
        }
        let shown: Vec<u16> = match (s.layout.stage, a) {
            (Stage::Second(first), table::Act::Different(second)) => vec![first, second],
            (Stage::Pairing(first, second), _) => vec![first, second],
            _ => Vec::new(),
        };
        self.handed_over(layout, &shown)
    }
}

impl Game for Cards {
    type State = Lying;
    type Action = Act;
    const PLAYERS: usize = 2;

    fn start(&self) -> Lying {
        Lying { layout: self.table.start(), doubtful: Vec::new() }
    }

    fn turn(&self, s: &Lying) -> Turn {
        let turn = self.table.turn(&s.layout);
        let random = self.model == Model::Asymmetric && s.layout.mover == 1;
        if turn != Turn::Terminal && (random || self.forgets(s)) { Turn::Chance } else { turn }
    }

    fn actions(&self, s: &Lying, out: &mut Vec<Act>) {
        let Turn::Player(_) = self.turn(s) else { return };
        let mut plain = Vec::new();
        self.table.actions(&s.layout, &mut plain);
        for a in plain {
            if a != table::Act::Pass || self.model != Model::LastTurn {
                out.push(Act::Plain(a));
                continue;
            }
            let known = Cards::known(&s.layout);
            for (at, &first) in known.iter().enumerate() {
                let rank = |place: u16| s.layout.cards[usize::from(place)];
                let others = known[at + 1..].iter().filter(|second| rank(**second) != rank(first));
                out.extend(others.map(|&second| Act::Shows(first, second)));
            }
        }
        out.sort_unstable();
    }

    fn chance(&self, s: &Lying, out: &mut Vec<(Act, u32)>) {
        if self.turn(s) != Turn::Chance {
            return;
        }
        match (self.model, s.layout.stage) {
            (Model::Forget { of, out_of }, _) if self.forgets(s) => {
                let place = s.doubtful[0];
                let outcomes = [(Act::Forgets(place), of), (Act::Keeps(place), out_of - of)];
                out.extend(outcomes.into_iter().filter(|outcome| outcome.1 > 0));
            }
            (Model::Slots(_), _) if self.forgets(s) => {
                out.extend(Cards::known(&s.layout).into_iter().map(|place| (Act::Forgets(place), 1)));
            }
            (_, Stage::First | Stage::Second(_)) => {
                let lying = s.layout.others().filter(|(_, card)| !matches!(card, Card::Gone { .. }));
                out.extend(lying.map(|(place, _)| (Act::Draws(place), 1)));
            }
            _ => {
                let mut plain = Vec::new();
                self.table.chance(&s.layout, &mut plain);
                out.extend(plain.into_iter().map(|(a, weight)| (Act::Plain(a), weight)));
            }
        }
    }

    fn apply(&self, s: &Lying, a: Act) -> Lying {
        match a {
            Act::Plain(a) => self.plain(s, a),
            Act::Shows(first, second) => {
                let layout = self.table.apply(&s.layout, table::Act::Pass);
                self.handed_over(layout, &[first, second])
            }
            Act::Draws(place) => match self.drawn(&s.layout, place) {
                Some(a) => self.plain(s, a),
                // A card that is known already.
                None => {
                    let layout = Layout { stage: Stage::Second(place), ..s.layout.clone() };
                    Lying { layout, doubtful: Vec::new() }
                }
            },
            Act::Forgets(place) | Act::Keeps(place) => {
                let mut next = s.clone();
                next.doubtful.retain(|other| *other != place);
                if a == Act::Forgets(place) {
                    next.layout.cards[usize::from(place)] = Card::Unknown;
                }
                self.settled(next)
            }
        }
    }

    fn utility(&self, s: &Lying, player: u8) -> i32 {
        self.table.utility(&s.layout, player)
    }
}
