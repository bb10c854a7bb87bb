//! Memory as people play it: cards in their places instead of counts of ranks.
//!
//! Cards are dealt when they are turned: chance then names the rank, as likely as it is among the cards
//! nobody has seen. In law this is the same as a hidden shuffle, but the state holds nothing that the
//! players do not know, so neither a hint nor a record can give anything away.
//!
//! No rule is written here. A table is projected to the counted position that [`Memory`] knows; what is
//! allowed, what follows and when the game is decided comes from there, and so do the values. This module
//! only says which cards lie where.

use super::rules::{self, MAX_PATTERNS, Memory, Pattern, Phase};
use yomikiri_core::cards::RANKS;
use yomikiri_core::{Game, Turn};
use yomikiri_solve::solution::actions;

/// What is known of a place on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Card {
    /// A card nobody has seen.
    Unknown,
    /// A card of this rank that both players have seen, or that is face up just now.
    Known(u8),
    /// Empty: a player took the card.
    Gone {
        /// The rank of the card.
        rank: u8,
        /// Who took it.
        by: u8,
    },
}

/// The part of a turn. Places count from 0; people see them from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The first card is to be chosen.
    First,
    /// The unknown card at this place is being turned.
    Turning(u16),
    /// The card at this place is face up; the second card is to be chosen.
    Second(u16),
    /// With the card at the first place face up, the unknown card at the second is being turned.
    Pairing(u16, u16),
    /// Both players have passed.
    Over,
}

impl Stage {
    /// The place of the card that is face up.
    pub(super) fn face_up(self) -> Option<u16> {
        match self {
            Stage::Second(first) | Stage::Pairing(first, _) => Some(first),
            Stage::First | Stage::Turning(_) | Stage::Over => None,
        }
    }
}

/// The cards on the table and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// What lies where.
    pub cards: Vec<Card>,
    /// The player to move.
    pub mover: u8,
    /// Whether the other player has just passed.
    pub passed: bool,
    /// Where in the turn we are.
    pub stage: Stage,
}

impl Layout {
    /// Pairs a player has taken.
    pub fn pairs(&self, player: u8) -> usize {
        self.cards.iter().filter(|card| matches!(card, Card::Gone { by, .. } if *by == player)).count() / 2
    }

    /// The rank of the card that is face up.
    pub(super) fn face_up(&self) -> Option<u8> {
        match self.cards.get(usize::from(self.stage.face_up()?)) {
            Some(Card::Known(rank)) => Some(*rank),
            _ => None,
        }
    }

    /// The places of cards other than the one that is face up.
    pub(super) fn others(&self) -> impl Iterator<Item = (u16, Card)> + '_ {
        let face_up = self.stage.face_up();
        (0..).zip(self.cards.iter().copied()).filter(move |(place, _)| Some(*place) != face_up)
    }

    /// The player to move takes cards of a rank.
    fn take(&mut self, places: &[u16], rank: u8, by: u8) {
        for &place in places {
            self.cards[usize::from(place)] = Card::Gone { rank, by };
        }
    }
}

/// What a person or chance does with cards. The order is that of [`rules::Action`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// Takes a known pair of this rank.
    Take(u8),
    /// First card: turns the unknown card at this place.
    Turn(u16),
    /// Shows two known cards of different ranks.
    Pass,
    /// Second card: the known card of the same rank at this place; the pair is taken.
    Same(u16),
    /// Second card: the known card of another rank at this place.
    Different(u16),
    /// Second card: the unknown card at this place.
    Unknown(u16),
    /// Chance: the card being turned is of this rank.
    Turned(u8),
}

/// Memory with cards on a table.
#[derive(Debug)]
pub struct CardTable {
    memory: Memory,
}

impl CardTable {
    /// The table of a game.
    pub fn new(memory: Memory) -> CardTable {
        CardTable { memory }
    }

    /// The game whose cards lie here.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// What matters of a table: the position of [`Memory`] it is.
    pub fn position(&self, s: &Layout) -> rules::State {
        let patterns = self.patterns(s);
        let place = |p: Pattern| self.memory.place(p.unknown, p.known);
        let mut counts = [0; MAX_PATTERNS];
        for &p in &patterns {
            counts[usize::from(place(p))] += 1;
        }
        let turned = s.face_up().map(|rank| place(patterns[usize::from(rank)]));
        let phase = match (s.stage, turned) {
            (Stage::Second(_), Some(pattern)) => Phase::Second(pattern),
            (Stage::Pairing(..), Some(pattern)) => Phase::Pair(pattern),
            (Stage::Turning(_), _) => Phase::Flip,
            (Stage::Over, _) => Phase::Over,
            _ => Phase::First,
        };
        let diff = s.pairs(s.mover) as i16 - s.pairs(1 - s.mover) as i16;
        rules::State { counts, diff, passed: s.passed, mover: s.mover, phase }
    }

    /// Lays out a position of this game: first the known cards, ranks in order, then the unknown ones, then
    /// the gaps. The position may be in the middle of a turn; the lowest unknown card is then the one
    /// turned.
    pub fn deal(&self, position: &rules::State) -> Layout {
        let mut ranks: Vec<Pattern> = self
            .memory
            .patterns()
            .iter()
            .zip(position.counts)
            .flat_map(|(&p, n)| std::iter::repeat_n(p, usize::from(n)))
            .collect();
        // Ranks people see get the first names, ranks that are gone the last.
        ranks.sort_by_key(|p| (p.known == 0, p.unknown == 0));
        let copies = self.memory.copies();
        let mut cards = Vec::with_capacity(ranks.len() * copies);
        for (rank, p) in ranks.iter().enumerate() {
            cards.extend(std::iter::repeat_n(Card::Known(rank as u8), usize::from(p.known)));
        }
        let unknown = cards.len();
        cards.extend(std::iter::repeat_n(Card::Unknown, self.memory.unknown(&position.counts)));
        let gone: Vec<u8> = ranks
            .iter()
            .enumerate()
            .flat_map(|(rank, p)| std::iter::repeat_n(rank as u8, copies / 2 - p.pairs()))
            .collect();
        let mine = (gone.len() as i64 + i64::from(position.diff)) / 2;
        for (taken, rank) in gone.into_iter().enumerate() {
            let by = if (taken as i64) < mine { position.mover } else { 1 - position.mover };
            cards.extend([Card::Gone { rank, by }; 2]);
        }
        let lowest = unknown as u16;
        let mut turn = |pattern: u8| {
            let pattern = self.memory.patterns()[usize::from(pattern)];
            if let Some(rank) = ranks.iter().position(|&p| p == pattern) {
                cards[unknown] = Card::Known(rank as u8);
            }
        };
        let stage = match position.phase {
            Phase::First => Stage::First,
            Phase::Over => Stage::Over,
            Phase::Flip => Stage::Turning(lowest),
            Phase::Second(pattern) => {
                turn(pattern);
                Stage::Second(lowest)
            }
            Phase::Pair(pattern) => {
                turn(pattern);
                Stage::Pairing(lowest, lowest + 1)
            }
        };
        Layout { cards, mover: position.mover, passed: position.passed, stage }
    }

    /// The pattern of every rank. As in the rules, a card that is face up is not yet counted as known.
    pub(super) fn patterns(&self, s: &Layout) -> Vec<Pattern> {
        let all = Pattern { unknown: self.memory.copies() as u8, known: 0 };
        let mut ranks = vec![all; self.memory.ranks()];
        for (_, card) in s.others() {
            match card {
                Card::Unknown => {}
                Card::Known(rank) => {
                    ranks[usize::from(rank)].unknown -= 1;
                    ranks[usize::from(rank)].known += 1;
                }
                Card::Gone { rank, .. } => ranks[usize::from(rank)].unknown -= 1,
            }
        }
        ranks
    }

    /// The cards of every rank that nobody has seen.
    pub fn unseen(&self, s: &Layout) -> Vec<u8> {
        let mut unseen: Vec<u8> = self.patterns(s).iter().map(|p| p.unknown).collect();
        if let Some(rank) = s.face_up() {
            unseen[usize::from(rank)] -= 1;
        }
        unseen
    }

    /// The counted actions that are legal, of whoever is to act.
    pub(super) fn legal(&self, position: &rules::State) -> Vec<rules::Action> {
        actions(&self.memory, position)
    }

    /// The acts with cards that one counted action stands for, ascending.
    pub(super) fn acts<'a>(
        &self,
        s: &'a Layout,
        action: rules::Action,
    ) -> Box<dyn Iterator<Item = Act> + 'a> {
        let up = s.face_up();
        let unknown = s.others().filter(|(_, card)| *card == Card::Unknown).map(|(place, _)| place);
        let known = s.others().filter_map(|(place, card)| match card {
            Card::Known(rank) => Some((place, Some(rank))),
            _ => None,
        });
        let ranks = |pattern: Pattern| {
            (0..).zip(self.patterns(s)).filter(move |(_, p)| *p == pattern).map(|(rank, _)| rank)
        };
        match action {
            rules::Action::Take(take) => Box::new(ranks(self.memory.taken(take)).map(Act::Take)),
            rules::Action::Flip => Box::new(unknown.map(Act::Turn)),
            rules::Action::Pass => Box::new(std::iter::once(Act::Pass)),
            rules::Action::Same => {
                Box::new(known.filter(move |(_, rank)| *rank == up).map(|(place, _)| Act::Same(place)))
            }
            rules::Action::Different => {
                Box::new(known.filter(move |(_, rank)| *rank != up).map(|(place, _)| Act::Different(place)))
            }
            rules::Action::Unknown => Box::new(unknown.map(Act::Unknown)),
            rules::Action::Turned(pattern) => {
                let pattern = self.memory.patterns()[usize::from(pattern)];
                Box::new(ranks(pattern).filter(move |rank| Some(*rank) != up).map(Act::Turned))
            }
            rules::Action::Match => Box::new(up.into_iter().map(Act::Turned)),
        }
    }

    /// The counted action an act with cards is; `None` if it is not legal here.
    pub fn counted(&self, s: &Layout, a: Act) -> Option<rules::Action> {
        self.legal(&self.position(s)).into_iter().find(|&action| self.acts(s, action).any(|act| act == a))
    }

    /// The lowest known places of a rank.
    pub(super) fn known_places(s: &Layout, rank: u8) -> impl Iterator<Item = u16> + '_ {
        s.others().filter(move |(_, card)| *card == Card::Known(rank)).map(|(place, _)| place)
    }

    /// The name of a rank.
    pub(super) fn label(&self, rank: u8) -> String {
        if self.memory.ranks() > 13 {
            return (u16::from(rank) + 1).to_string();
        }
        match RANKS[usize::from(rank)] {
            '0' => "10".into(),
            letter => letter.into(),
        }
    }
}

impl Game for CardTable {
    type State = Layout;
    type Action = Act;
    const PLAYERS: usize = 2;

    fn start(&self) -> Layout {
        self.deal(&self.memory.start())
    }

    fn turn(&self, s: &Layout) -> Turn {
        self.memory.turn(&self.position(s))
    }

    fn actions(&self, s: &Layout, out: &mut Vec<Act>) {
        let position = self.position(s);
        if matches!(self.memory.turn(&position), Turn::Player(_)) {
            let from = out.len();
            for action in self.legal(&position) {
                out.extend(self.acts(s, action));
            }
            // Takes come by pattern, and are to be by rank.
            out[from..].sort_unstable();
        }
    }

    fn chance(&self, s: &Layout, out: &mut Vec<(Act, u32)>) {
        if matches!(s.stage, Stage::Turning(_) | Stage::Pairing(..)) {
            let unseen = (0..).zip(self.unseen(s)).filter(|(_, n)| *n > 0);
            out.extend(unseen.map(|(rank, n)| (Act::Turned(rank), u32::from(n))));
        }
    }

    fn apply(&self, s: &Layout, a: Act) -> Layout {
        let Some(action) = self.counted(s, a) else {
            // Not an action of this state: it stays as it is.
            return s.clone();
        };
        let after = self.memory.apply(&self.position(s), action);
        let mut next = Layout { mover: after.mover, passed: after.passed, ..s.clone() };
        match (s.stage, a) {
            (Stage::First, Act::Take(rank)) => {
                let places: Vec<u16> = CardTable::known_places(s, rank).take(2).collect();
                next.take(&places, rank, s.mover);
            }
            (Stage::Second(first), Act::Same(second)) => {
                if let Some(rank) = s.face_up() {
                    next.take(&[first, second], rank, s.mover);
                }
            }
            (Stage::Turning(place), Act::Turned(rank)) => next.cards[usize::from(place)] = Card::Known(rank),
            (Stage::Pairing(first, second), Act::Turned(rank)) => {
                next.cards[usize::from(second)] = Card::Known(rank);
                if action == rules::Action::Match {
                    next.take(&[first, second], rank, s.mover);
                }
            }
            _ => {}
        }
        next.stage = match (after.phase, s.stage, a) {
            (Phase::Flip, _, Act::Turn(place)) => Stage::Turning(place),
            (Phase::Second(_), Stage::Turning(place), _) => Stage::Second(place),
            (Phase::Pair(_), Stage::Second(first), Act::Unknown(second)) => Stage::Pairing(first, second),
            (Phase::Over, ..) => Stage::Over,
            _ => Stage::First,
        };
        next
    }

    fn utility(&self, s: &Layout, player: u8) -> i32 {
        self.memory.utility(&self.position(s), player)
    }
}
