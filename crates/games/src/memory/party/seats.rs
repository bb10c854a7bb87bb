//! Memory for `K` players as people play it: cards in their places. What lies where is the business of [`CardTable`];
//! whose turn it is and what is allowed that of [`Party`].

use super::super::rules::{self, Phase};
use super::super::table::{Act, Card, CardTable, Layout, Stage};
use super::rules::{Party, State, Terms};
use yomikiri_core::{Game, Refusal, Turn};
use yomikiri_solve::solution::actions;

/// Whoever has a pair that is in no score.
const NOBODY: u8 = u8::MAX;

/// Memory for `K` players with cards on a table.
#[derive(Debug)]
pub struct Seats<const K: usize> {
    party: Party<K>,
    table: CardTable,
}

/// The cards on the table, whose turn it is, and how many have just passed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seated {
    /// The cards and the player to move.
    pub layout: Layout,
    /// How many players before have just passed.
    pub passes: u8,
}

impl<const K: usize> Seats<K> {
    /// The table of a game.
    ///
    /// # Errors
    /// Numbers out of range are refused by the name of the field.
    pub fn new(ranks: usize, copies: usize, terms: Terms) -> Result<Seats<K>, Refusal> {
        let cards = super::notation::cards(ranks, copies)?;
        Ok(Seats { party: Party::new(ranks, copies, terms)?, table: CardTable::new(cards) })
    }

    /// The counted game.
    pub fn party(&self) -> &Party<K> {
        &self.party
    }

    /// The cards as if two played for pairs and the first were to move: what is done with cards is the same.
    pub(super) fn plain(s: &Seated) -> Layout {
        Layout { mover: 0, passed: false, ..s.layout.clone() }
    }

    /// What knows where cards lie.
    pub(super) fn table(&self) -> &CardTable {
        &self.table
    }

    /// What matters of a table.
    pub fn position(&self, s: &Seated) -> State<K> {
        let rules::State { counts, phase, .. } = self.table.position(&Self::plain(s));
        let scores = std::array::from_fn(|p| s.layout.pairs(p as u8) as u16);
        State { counts, scores, passes: s.passes, mover: s.layout.mover, phase }
    }

    /// Lays out a position of this game.
    pub fn deal(&self, position: &State<K>) -> Seated {
        let mut layout = self.table.deal(&Party::between_two(position));
        // Pairs that are gone go to the players in turn, as many as each has.
        let mut owners = (0..K as u8)
            .flat_map(|p| std::iter::repeat_n(p, 2 * usize::from(position.scores[usize::from(p)])));
        for card in &mut layout.cards {
            if let Card::Gone { by, .. } = card {
                *by = owners.next().unwrap_or(NOBODY);
            }
        }
        layout.mover = position.mover;
        layout.passed = position.passes > 0;
        Seated { layout, passes: position.passes }
    }

    /// The counted actions that are legal, of whoever is to act.
    pub(super) fn legal(&self, s: &Seated) -> Vec<rules::Action> {
        actions(&self.party, &self.position(s))
    }

    /// The counted action an act with cards is; `None` if it is not legal here.
    pub(super) fn counted(&self, s: &Seated, a: Act) -> Option<rules::Action> {
        let plain = Self::plain(s);
        self.legal(s).into_iter().find(|&action| self.table.acts(&plain, action).any(|act| act == a))
    }

    /// The acts that stand for counted moves, with what is known of them, in the game's order.
    pub(super) fn on_cards<T>(&self, s: &Seated, counted: Vec<(rules::Action, T)>) -> Vec<(Act, T)> {
        let plain = Self::plain(s);
        let act = |(action, known)| Some((self.table.acts(&plain, action).next()?, known));
        let mut acts: Vec<(Act, T)> = counted.into_iter().filter_map(act).collect();
        acts.sort_by_key(|m| m.0);
        acts
    }
}

impl<const K: usize> Game for Seats<K> {
    type State = Seated;
    type Action = Act;
    const PLAYERS: usize = K;
    const ZERO_SUM: bool = false;

    fn start(&self) -> Seated {
        self.deal(&self.party.start())
    }

    fn turn(&self, s: &Seated) -> Turn {
        self.party.turn(&self.position(s))
    }

    fn actions(&self, s: &Seated, out: &mut Vec<Act>) {
        if matches!(self.turn(s), Turn::Player(_)) {
            let (from, plain) = (out.len(), Self::plain(s));
            for action in self.legal(s) {
                out.extend(self.table.acts(&plain, action));
            }
            // Takes come by pattern, and are to be by rank.
            out[from..].sort_unstable();
        }
    }

    fn chance(&self, s: &Seated, out: &mut Vec<(Act, u32)>) {
        self.table.chance(&Self::plain(s), out);
    }

    fn apply(&self, s: &Seated, a: Act) -> Seated {
        let Some(action) = self.counted(s, a) else {
            // Not an action of this state: it stays as it is.
            return s.clone();
        };
        let after = self.party.apply(&self.position(s), action);
        let mut layout = self.table.apply(&Self::plain(s), a);
        for (card, before) in layout.cards.iter_mut().zip(&s.layout.cards) {
            if let (Card::Gone { by, .. }, Card::Unknown | Card::Known(_)) = (card, before) {
                *by = s.layout.mover;
            }
        }
        if after.phase == Phase::Over {
            layout.stage = Stage::Over;
        }
        layout.mover = after.mover;
        layout.passed = after.passes > 0;
        Seated { layout, passes: after.passes }
    }

    fn utility(&self, s: &Seated, player: u8) -> i32 {
        self.party.utility(&self.position(s), player)
    }
}
