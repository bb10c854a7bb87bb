//! Memory as people play it: cards in their places instead of counts of ranks.
//!
//! Cards are dealt when they are turned: chance then names the rank, as likely as it is among the cards
//! nobody has seen. In law this is the same as a hidden shuffle, but the state holds nothing that the
//! players do not know, so neither a hint nor a record can give anything away.
//!
//! No rule is written here. A table is projected to the counted position that [`Memory`] knows; what is
//! allowed, what follows and when the game is decided comes from there, and so do the values. This module
//! only says which cards lie where.

use super::levels::{Doubles, Factorials, Levels};
use super::rules::{self, MAX_PATTERNS, Memory, Objective, Pattern, Phase};
use super::scene;
use crate::play::{Adviser, Past, Shown, Tabletop};
use std::sync::Arc;
use yomikiri_core::cards::RANKS;
use yomikiri_core::{Error, Game, Number, Run, Text, Turn, text};
use yomikiri_solve::solution::{Solution, Stored, actions};
use yomikiri_view::scene::{Scene, Viewer};

/// Cards in a row where the ranks are those of a deck.
const DECK_ROW: usize = 13;
/// Columns a wider table may take.
const COLUMNS: usize = 100;
/// Other ranks a label names before it says that there are more.
const NAMED: usize = 4;

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
    fn face_up(&self) -> Option<u8> {
        match self.cards.get(usize::from(self.stage.face_up()?)) {
            Some(Card::Known(rank)) => Some(*rank),
            _ => None,
        }
    }

    /// The places of cards other than the one that is face up.
    fn others(&self) -> impl Iterator<Item = (u16, Card)> + '_ {
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
    fn unseen(&self, s: &Layout) -> Vec<u8> {
        let mut unseen: Vec<u8> = self.patterns(s).iter().map(|p| p.unknown).collect();
        if let Some(rank) = s.face_up() {
            unseen[usize::from(rank)] -= 1;
        }
        unseen
    }

    /// The counted actions that are legal, of whoever is to act.
    fn legal(&self, position: &rules::State) -> Vec<rules::Action> {
        actions(&self.memory, position)
    }

    /// The acts with cards that one counted action stands for, ascending.
    fn acts<'a>(&self, s: &'a Layout, action: rules::Action) -> Box<dyn Iterator<Item = Act> + 'a> {
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

    /// The acts of the player to move, those that are alike together, ascending.
    pub(super) fn alternatives(&self, s: &Layout) -> Vec<Vec<Act>> {
        self.legal(&self.position(s)).into_iter().map(|action| self.acts(s, action).collect()).collect()
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

    /// The rank with a name, in either case.
    fn rank(&self, label: &str) -> Option<u8> {
        (0..self.memory.ranks()).map(|r| r as u8).find(|&r| self.label(r).eq_ignore_ascii_case(label))
    }

    /// The cards by number, in rows.
    fn grid(&self, s: &Layout) -> String {
        let digits = s.cards.len().to_string().len();
        let name = (0..self.memory.ranks()).map(|r| self.label(r as u8).len()).max().unwrap_or(1);
        // A mark for the card that is face up, the number, a colon, the rank, and a blank.
        let cell = digits + name + 3;
        let row = if self.memory.ranks() <= 13 { DECK_ROW } else { (COLUMNS + 1) / cell };
        let show = |place: usize, card: &Card| {
            let mark = if s.stage.face_up() == Some(place as u16) { '>' } else { ' ' };
            match card {
                Card::Unknown => format!("{mark}{:>digits$}:{:<name$}", place + 1, "?"),
                Card::Known(rank) => format!("{mark}{:>digits$}:{:<name$}", place + 1, self.label(*rank)),
                Card::Gone { .. } => format!("{mark}{:>digits$} {:<name$}", "–", ""),
            }
        };
        let cells: Vec<String> = s.cards.iter().enumerate().map(|(place, card)| show(place, card)).collect();
        let rows: Vec<String> = cells.chunks(row).map(|row| row.join(" ").trim_end().to_string()).collect();
        rows.join("\n")
    }

    /// The unknown cards, by rank where that fits a line.
    fn unknown_cards(&self, s: &Layout) -> String {
        let unseen = self.unseen(s);
        if self.memory.ranks() > 13 {
            return unseen.iter().map(|&n| u32::from(n)).sum::<u32>().to_string();
        }
        let ranks = (0..).zip(&unseen).filter(|(_, n)| **n > 0);
        let by_rank: Vec<String> = ranks.map(|(rank, n)| format!("{}×{n}", self.label(rank))).collect();
        if by_rank.is_empty() { "–".into() } else { by_rank.join(" ") }
    }

    /// Whose turn it is, in words.
    pub(super) fn turn_line(&self, s: &Layout) -> Text {
        let mover = player(s.mover);
        if self.turn(s) == Turn::Terminal {
            return text("the game is over", "終局");
        }
        if let (Some(place), Some(rank)) = (s.stage.face_up(), s.face_up()) {
            let (number, label) = (place + 1, self.label(rank));
            return Text::of(
                format!("{} to choose the second card (card {number} is {})", mover.en, a(&label)),
                format!("{}が2枚目を選ぶ番（{number}番は{label}）", mover.ja),
            );
        }
        if s.passed {
            let other = player(1 - s.mover);
            return Text::of(
                format!("{} to move; {} has just passed", mover.en, other.en),
                format!("{}の番（直前に{}がパス）", mover.ja, other.ja),
            );
        }
        Text::of(format!("{} to move", mover.en), format!("{}の番", mover.ja))
    }

    /// The card a number typed by a person means at this stage.
    fn chosen(&self, s: &Layout, number: &str) -> Option<Act> {
        let place = number.parse::<u16>().ok()?.checked_sub(1)?;
        match (s.stage, *s.cards.get(usize::from(place))?) {
            (Stage::First, Card::Unknown) => Some(Act::Turn(place)),
            // A card whose partner is known: the pair.
            (Stage::First, Card::Known(rank)) => Some(Act::Take(rank)),
            (Stage::Second(_), Card::Unknown) => Some(Act::Unknown(place)),
            (Stage::Second(_), Card::Known(rank)) if Some(rank) == s.face_up() => Some(Act::Same(place)),
            (Stage::Second(_), Card::Known(_)) => Some(Act::Different(place)),
            _ => None,
        }
    }

    /// The first legal act of a kind.
    fn first_of(&self, s: &Layout, kind: impl Fn(&rules::Action) -> bool) -> Option<Act> {
        let legal = self.legal(&self.position(s));
        legal.into_iter().filter(kind).filter_map(|action| self.acts(s, action).next()).min()
    }

    /// Other ranks whose pair is worth the same as this one's.
    fn alike_ranks(&self, s: &Layout, rank: u8) -> String {
        let patterns = self.patterns(s);
        let others: Vec<String> = (0..)
            .zip(&patterns)
            .filter(|(other, p)| *other != rank && **p == patterns[usize::from(rank)])
            .map(|(other, _)| self.label(other))
            .collect();
        let more = if others.len() > NAMED { " …" } else { "" };
        format!("{}{more}", others[..others.len().min(NAMED)].join(" "))
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

/// A solution of [`Memory`] that speaks about cards. Values are those of the counted position, so what
/// chance is going to do plays no part in them.
pub struct Advice<S>(pub S);

impl<S: Solution<Memory>> Solution<CardTable> for Advice<S> {
    type Number = S::Number;

    fn stored(&self, game: &CardTable, s: &Layout) -> Stored<S::Number> {
        // Never looked through on the table, where every place would be a branch.
        self.value(game, s).map_or(Stored::Missing, Stored::Value)
    }

    fn value(&self, game: &CardTable, s: &Layout) -> Option<S::Number> {
        self.0.value(&game.memory, &game.position(s))
    }

    /// One act for all that are alike (see [`Tabletop::alike`]) with its value, in the game's order: there
    /// may be hundreds of unknown cards, and they are all worth the same.
    fn moves(&self, game: &CardTable, s: &Layout) -> Vec<(Act, Option<S::Number>)> {
        let moves = self.0.moves(&game.memory, &game.position(s));
        let mut moves: Vec<_> = moves
            .into_iter()
            .filter_map(|(action, value)| Some((game.acts(s, action).next()?, value)))
            .collect();
        moves.sort_by_key(|m| m.0);
        moves
    }
}

impl<S: Solution<Memory, Number = f64> + Send> Adviser<CardTable> for Advice<S> {
    type Number = f64;

    fn values(&self, game: &CardTable, s: &Layout, _: &Run<'_>) -> Result<Vec<(Act, Option<f64>)>, Error> {
        Ok(Solution::moves(self, game, s))
    }

    fn board(&self, game: &CardTable, s: &Layout, past: &Past<CardTable>, _: Viewer) -> Scene {
        scene::board(game, s, past)
    }

    fn ends(&self, _: &CardTable, s: &Layout, a: Act) -> (Option<String>, Option<String>) {
        scene::ends(s, a)
    }

    fn scene(&self, game: &CardTable, s: &Layout, board: Scene, _: &Run<'_>) -> Result<Scene, Error> {
        Ok(scene::rated(game, s, board, self))
    }
}

/// Advice with the same values as fractions, where these are short.
pub struct Fractions {
    /// In doubles.
    pub advice: Advice<Arc<Levels<Doubles>>>,
    /// In fractions.
    pub exact: Advice<Arc<Levels<Factorials>>>,
}

impl Adviser<CardTable> for Fractions {
    type Number = f64;

    fn values(&self, game: &CardTable, s: &Layout, run: &Run<'_>) -> Result<Vec<(Act, Option<f64>)>, Error> {
        self.advice.values(game, s, run)
    }

    fn board(&self, game: &CardTable, s: &Layout, past: &Past<CardTable>, viewer: Viewer) -> Scene {
        self.advice.board(game, s, past, viewer)
    }

    fn ends(&self, game: &CardTable, s: &Layout, a: Act) -> (Option<String>, Option<String>) {
        self.advice.ends(game, s, a)
    }

    fn scene(&self, game: &CardTable, s: &Layout, board: Scene, run: &Run<'_>) -> Result<Scene, Error> {
        let mut scene = self.advice.scene(game, s, board, run)?;
        scene::with_fractions(game, s, &mut scene, &self.exact);
        Ok(scene)
    }
}

impl Tabletop for CardTable {
    fn draw(&self, s: &Layout) -> Text {
        let (grid, unknown, turn) = (self.grid(s), self.unknown_cards(s), self.turn_line(s));
        let (first, second) = (s.pairs(0), s.pairs(1));
        Text::of(
            format!("{grid}\nunknown: {unknown}\npairs: first {first}, second {second}; {}", turn.en),
            format!("{grid}\n未知：{unknown}\nペア：先手 {first}、後手 {second}。{}", turn.ja),
        )
    }

    fn ask(&self, s: &Layout) -> Text {
        let accepts = self.accepts(s);
        match s.stage {
            Stage::Second(_) => {
                Text::of(format!("second card? ({})", accepts.en), format!("2枚目は？（{}）", accepts.ja))
            }
            _ if self.turn(s) == Turn::Terminal => text("", ""),
            _ => Text::of(format!("first card? ({})", accepts.en), format!("1枚目は？（{}）", accepts.ja)),
        }
    }

    fn accepts(&self, s: &Layout) -> Text {
        let legal = self.legal(&self.position(s));
        let words = [
            (rules::Action::Flip, text("the number of an unknown card", "未知のカードの番号")),
            (rules::Action::Same, text("same", "同じ")),
            (rules::Action::Different, text("different", "別")),
            (rules::Action::Unknown, text("unknown", "未知")),
            (rules::Action::Pass, text("pass", "パス")),
        ];
        let mut words: Vec<Text> =
            words.into_iter().filter(|(action, _)| legal.contains(action)).map(|(_, word)| word).collect();
        if matches!(s.stage, Stage::Second(_)) {
            words.insert(0, text("the number of another card", "他のカードの番号"));
        }
        // One example stands for all pairs.
        if let Some(Act::Take(rank)) = self.first_of(s, |a| matches!(a, rules::Action::Take(_))) {
            let label = self.label(rank);
            let at = usize::from(legal.contains(&rules::Action::Flip));
            words.insert(at, Text::of(format!("take {label}"), format!("取る {label}")));
        }
        Text::of(
            words.iter().map(|t| t.en.as_ref()).collect::<Vec<_>>().join(", "),
            words.iter().map(|t| t.ja.as_ref()).collect::<Vec<_>>().join("、"),
        )
    }

    fn alike(&self, s: &Layout, a: Act) -> Act {
        self.counted(s, a).and_then(|action| self.acts(s, action).next()).unwrap_or(a)
    }

    fn name(&self, s: &Layout, a: Act) -> (String, Text) {
        let number = |place: u16| (place + 1).to_string();
        match a {
            Act::Take(rank) => {
                let (label, alike) = (self.label(rank), self.alike_ranks(s, rank));
                let what = if alike.is_empty() {
                    Text::of(format!("take the known pair of {label}"), format!("{label}の既知のペアを取る"))
                } else {
                    Text::of(
                        format!("take the known pair of {label} (alike: {alike})"),
                        format!("{label}の既知のペアを取る（同等：{alike}）"),
                    )
                };
                (format!("take {label}"), what)
            }
            Act::Turn(place) => (number(place), text("turn an unknown card", "未知のカードをめくる")),
            Act::Pass => ("pass".into(), text("pass", "パス")),
            Act::Same(place) => {
                let label = s.face_up().map(|rank| self.label(rank)).unwrap_or_default();
                let what = Text::of(
                    format!("take the pair with the known {label}"),
                    format!("既知の{label}とのペアを取る"),
                );
                (number(place), what)
            }
            Act::Different(place) => {
                (number(place), text("choose a known card of another rank", "別のランクの既知のカードを選ぶ"))
            }
            Act::Unknown(place) => {
                (number(place), text("turn another unknown card", "未知のカードをもう1枚めくる"))
            }
            Act::Turned(rank) => (self.label(rank), Text::same(self.label(rank))),
        }
    }

    fn happened(&self, before: &Layout, act: Act, after: &Layout) -> Text {
        let takes = |rank: u8| {
            let label = self.label(rank);
            Text::of(format!("takes the pair of {label}"), format!("{label}のペアを取る"))
        };
        match act {
            // What matters comes with the rank.
            Act::Turn(_) | Act::Unknown(_) => Text::same(""),
            Act::Take(rank) => takes(rank),
            Act::Same(_) => before.face_up().map_or(Text::same(""), takes),
            Act::Different(place) => {
                let (number, card) = (place + 1, before.cards.get(usize::from(place)));
                let label = if let Some(Card::Known(rank)) = card { self.label(*rank) } else { "?".into() };
                Text::of(
                    format!("chooses card {number}, a known {label}"),
                    format!("既知の{number}番（{label}）を選ぶ"),
                )
            }
            Act::Pass if after.stage == Stage::Over => {
                text("passes too, and the game is over", "続けてパスし、終局")
            }
            Act::Pass => text("passes", "パス"),
            Act::Turned(rank) => {
                let label = self.label(rank);
                let (place, second) = match before.stage {
                    Stage::Pairing(_, place) => (place, true),
                    Stage::Turning(place) => (place, false),
                    _ => return Text::same(label),
                };
                let number = place + 1;
                let shown =
                    Text::of(format!("card {number} is {}", a(&label)), format!("{number}番は{label}"));
                match (second, before.face_up() == Some(rank)) {
                    (false, _) => shown,
                    (true, true) => Text::of(
                        format!("{}: {}", shown.en, takes(rank).en),
                        format!("{}、{}", shown.ja, takes(rank).ja),
                    ),
                    (true, false) => {
                        Text::of(format!("{}, no pair", shown.en), format!("{}、ペアにならず", shown.ja))
                    }
                }
            }
        }
    }

    fn outcome(&self, s: &Layout) -> Text {
        let pairs = [s.pairs(0), s.pairs(1)];
        if pairs[0] == pairs[1] {
            return Text::of(
                format!("a draw, {0} to {0}", pairs[0]),
                format!("引き分け（{0}対{0}）", pairs[0]),
            );
        }
        let winner = usize::from(pairs[1] > pairs[0]);
        let (more, fewer, name) = (pairs[winner], pairs[1 - winner], player(winner as u8));
        Text::of(
            format!("{} wins {more} to {fewer}", name.en),
            format!("{}の勝ち（{more}対{fewer}）", name.ja),
        )
    }

    fn shown<N: Number>(&self, value: &N) -> Shown {
        let value = value.approx();
        match self.memory.objective() {
            Objective::Win => {
                let rate = (1.0 + value) / 2.0;
                Shown { text: Text::same(format!("{rate:.5}")), value: rate }
            }
            Objective::Cards => {
                // Rounded before printing, and 0 added, so that nothing reads −0.00000.
                let rounded = (value * 1e5).round() / 1e5 + 0.0;
                Shown { text: Text::same(format!("{rounded:+.5}")), value }
            }
        }
    }

    fn understand(&self, s: &Layout, text: &str) -> Option<Act> {
        let text = narrow(text);
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["take" | "取る", label] => self.rank(label).map(Act::Take),
            ["pass" | "パス"] => Some(Act::Pass),
            ["same" | "同じ"] => self.first_of(s, |a| *a == rules::Action::Same),
            ["different" | "別"] => self.first_of(s, |a| *a == rules::Action::Different),
            ["unknown" | "未知"] => {
                self.first_of(s, |a| matches!(a, rules::Action::Flip | rules::Action::Unknown))
            }
            [number] => self.chosen(s, number),
            _ => None,
        }
    }
}

/// A player as people call them.
fn player(seat: u8) -> Text {
    if seat == 0 { text("the first player", "先手") } else { text("the second player", "後手") }
}

/// The name of a rank with its article.
fn a(label: &str) -> String {
    let vowel = label.starts_with(['A', '8']) || label == "11" || label == "18";
    format!("{} {label}", if vowel { "an" } else { "a" })
}

/// Lower case, and full-width letters and digits as plain ones: what a Japanese keyboard types counts too.
fn narrow(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '！'..='～' => char::from_u32(c as u32 - '！' as u32 + '!' as u32).unwrap_or(c),
            other => other,
        })
        .collect::<String>()
        .to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::super::levels::{Doubles, Keep, Levels, TOLERANCE};
    use super::*;
    use crate::contract::Contract;
    use crate::play::{Match, Play};
    use std::collections::{BTreeMap, HashMap};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use yomikiri_core::Run;
    use yomikiri_core::random::Random;
    use yomikiri_solve::solution::value_for;

    /// One solution for many games.
    #[derive(Clone)]
    struct Shared(Arc<Levels<Doubles>>);

    impl Solution<Memory> for Shared {
        type Number = f64;
        fn stored(&self, game: &Memory, s: &rules::State) -> Stored<f64> {
            self.0.stored(game, s)
        }
    }

    fn memory(ranks: usize, copies: usize, objective: Objective) -> Memory {
        Memory::new(ranks, copies, objective).unwrap()
    }

    fn table(ranks: usize, copies: usize, objective: Objective) -> CardTable {
        CardTable::new(memory(ranks, copies, objective))
    }

    fn solved(game: &Memory) -> Shared {
        Shared(Arc::new(Levels::solve(game, Doubles, Keep::All, &Run::default()).unwrap()))
    }

    /// A match as the entry starts it.
    fn sit_down(
        game: (usize, usize, Objective),
        solution: &Shared,
        seed: u64,
    ) -> Match<CardTable, Advice<Shared>> {
        let table = table(game.0, game.1, game.2);
        let start = table.start();
        Match::new(table, Advice(solution.clone()), start, seed, 2.0 * TOLERANCE)
    }

    const SMALL: [(usize, usize, Objective); 10] = [
        (1, 2, Objective::Win),
        (4, 2, Objective::Win),
        (4, 2, Objective::Cards),
        (1, 4, Objective::Win),
        (3, 4, Objective::Win),
        (3, 4, Objective::Cards),
        (1, 6, Objective::Cards),
        (2, 6, Objective::Win),
        (3, 6, Objective::Win),
        (2, 6, Objective::Cards),
    ];

    /// What whoever is to act may do; chance with its weights.
    fn options(game: &CardTable, s: &Layout) -> Vec<(Act, u32)> {
        let mut options = Vec::new();
        match game.turn(s) {
            Turn::Player(_) => {
                let mut actions = Vec::new();
                game.actions(s, &mut actions);
                options.extend(actions.into_iter().map(|a| (a, 1)));
            }
            Turn::Chance => game.chance(s, &mut options),
            Turn::Terminal => {}
        }
        options
    }

    /// Looks at every state of random games.
    fn playouts(game: &CardTable, games: u64, mut look: impl FnMut(&Layout)) {
        for seed in 0..games {
            let mut random = Random::new(seed);
            let mut s = game.start();
            loop {
                look(&s);
                let Some(a) = random.draw(&options(game, &s)) else { break };
                s = game.apply(&s, a);
            }
        }
    }

    #[test]
    fn law_cards_follow_the_counted_rules() {
        for (ranks, copies, objective) in SMALL {
            let game = table(ranks, copies, objective);
            let memory = game.memory();
            assert_eq!(game.position(&game.start()), memory.start());
            playouts(&game, 60, |s| {
                let position = game.position(s);
                assert_eq!(game.turn(s), memory.turn(&position));
                for player in 0..2 {
                    assert_eq!(game.utility(s, player), memory.utility(&position, player));
                }
                let mut counted = Vec::new();
                for (a, _) in options(&game, s) {
                    let action = game.counted(s, a).unwrap();
                    assert_eq!(
                        game.position(&game.apply(s, a)),
                        memory.apply(&position, action),
                        "{s:?} {a:?}"
                    );
                    counted.push(action);
                }
                counted.sort();
                counted.dedup();
                let mut legal = game.legal(&position);
                legal.sort();
                assert_eq!(counted, legal, "{s:?}");
            });
        }
    }

    #[test]
    fn law_chance_with_cards_is_the_counted_chance() {
        for (ranks, copies, objective) in SMALL {
            let game = table(ranks, copies, objective);
            playouts(&game, 60, |s| {
                let mut cards = Vec::new();
                game.chance(s, &mut cards);
                let mut summed: BTreeMap<rules::Action, u32> = BTreeMap::new();
                for (a, weight) in cards {
                    *summed.entry(game.counted(s, a).unwrap()).or_default() += weight;
                }
                let mut counted = Vec::new();
                game.memory().chance(&game.position(s), &mut counted);
                assert_eq!(summed, counted.into_iter().collect());
                // As many unseen cards as there are places for them.
                let places = s.cards.iter().filter(|card| **card == Card::Unknown).count();
                let unseen: usize = game.unseen(s).iter().map(|&n| usize::from(n)).sum();
                assert_eq!(places, unseen);
            });
        }
    }

    #[test]
    fn law_acts_that_are_not_legal_change_nothing() {
        let game = table(2, 4, Objective::Win);
        let every: Vec<Act> = (0..10u16)
            .flat_map(|p| {
                let rank = p as u8;
                let cards = [Act::Turn(p), Act::Same(p), Act::Different(p), Act::Unknown(p)];
                cards.into_iter().chain([Act::Take(rank), Act::Turned(rank), Act::Pass])
            })
            .collect();
        playouts(&game, 60, |s| {
            let options: Vec<Act> = options(&game, s).into_iter().map(|o| o.0).collect();
            for &a in &every {
                assert_eq!(game.apply(s, a) == *s, !options.contains(&a), "{s:?} {a:?}");
            }
        });
    }

    #[test]
    fn law_the_table_is_a_game() {
        for (ranks, copies, objective) in SMALL {
            let mut contract = Contract::default();
            contract.rules(&table(ranks, copies, objective));
            assert!(contract.failures.is_empty(), "{:?}", contract.failures);
        }
    }

    #[test]
    fn law_table_values_equal_counted_values() {
        for (ranks, copies, objective) in SMALL {
            let game = table(ranks, copies, objective);
            let inner = solved(game.memory());
            let advice = Advice(inner.clone());
            playouts(&game, 20, |s| {
                let position = game.position(s);
                assert_eq!(advice.value(&game, s), inner.value(game.memory(), &position));
                let moves = advice.moves(&game, s);
                assert!(moves.is_sorted_by(|a, b| a.0 < b.0));
                for (action, value) in inner.moves(game.memory(), &position) {
                    let found = moves.iter().find(|(a, _)| game.counted(s, *a) == Some(action));
                    assert_eq!(found.map(|m| m.1), Some(value));
                }
            });
        }
    }

    #[test]
    fn law_alike_actions_have_equal_values() {
        for (ranks, copies, objective) in SMALL {
            let game = table(ranks, copies, objective);
            let advice = Advice(solved(game.memory()));
            playouts(&game, 20, |s| {
                let Turn::Player(p) = game.turn(s) else { return };
                let moves = advice.moves(&game, s);
                for (a, _) in options(&game, s) {
                    let alike = game.alike(s, a);
                    assert!(alike <= a && game.alike(s, alike) == alike);
                    // The value of the very card, through what chance may do with it.
                    let own = value_for(&game, &advice, &game.apply(s, a), p).unwrap();
                    let listed = moves.iter().find(|m| m.0 == alike).and_then(|m| m.1).unwrap();
                    assert!((own - listed).abs() < 1e-12, "{s:?} {a:?}: {own} is not {listed}");
                }
                assert!(moves.iter().all(|m| game.alike(s, m.0) == m.0));
            });
        }
    }

    /// The value for player 0 by plain recursion over cards, without any counting.
    fn by_cards(game: &CardTable, s: &Layout, seen: &mut HashMap<Layout, f64>) -> f64 {
        if let Some(&value) = seen.get(s) {
            return value;
        }
        let mut values = Vec::new();
        for (a, weight) in options(game, s) {
            values.push((by_cards(game, &game.apply(s, a), seen), f64::from(weight)));
        }
        let value = match game.turn(s) {
            Turn::Terminal => f64::from(game.utility(s, 0)),
            Turn::Player(0) => values.iter().map(|v| v.0).fold(f64::NEG_INFINITY, f64::max),
            Turn::Player(_) => values.iter().map(|v| v.0).fold(f64::INFINITY, f64::min),
            Turn::Chance => {
                values.iter().map(|v| v.0 * v.1).sum::<f64>() / values.iter().map(|v| v.1).sum::<f64>()
            }
        };
        seen.insert(s.clone(), value);
        value
    }

    #[test]
    fn law_solving_the_cards_themselves_gives_the_counted_value() {
        for (ranks, copies, objective, win_rate) in [
            (2, 2, Objective::Win, Some(1.0 / 3.0)),
            (3, 2, Objective::Win, Some(7.0 / 15.0)),
            (3, 2, Objective::Cards, None),
            (1, 4, Objective::Win, Some(1.0)),
            (1, 4, Objective::Cards, None),
        ] {
            let game = table(ranks, copies, objective);
            let value = by_cards(&game, &game.start(), &mut HashMap::new());
            let counted = Advice(solved(game.memory())).value(&game, &game.start()).unwrap();
            assert!((value - counted).abs() < 1e-12, "{ranks}×{copies}: {value} is not {counted}");
            if let Some(rate) = win_rate {
                assert!((game.shown(&value).value - rate).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn law_advice_asks_about_counts_and_not_about_places() {
        /// Knows nothing, and counts how often it is asked.
        struct Asked(AtomicUsize);
        impl Solution<Memory> for Asked {
            type Number = f64;
            fn stored(&self, _: &Memory, _: &rules::State) -> Stored<f64> {
                self.0.fetch_add(1, Ordering::Relaxed);
                Stored::Value(0.0)
            }
        }
        let game = table(100, 4, Objective::Win);
        let advice = Advice(Asked(AtomicUsize::new(0)));
        let mut random = Random::new(1);
        let mut s = game.start();
        for _ in 0..60 {
            let asked = advice.0.0.load(Ordering::Relaxed);
            let moves = advice.moves(&game, &s);
            assert!(moves.len() < 12);
            assert!(advice.0.0.load(Ordering::Relaxed) - asked < 500);
            let Some(a) = random.draw(&options(&game, &s)) else { break };
            s = game.apply(&s, a);
        }
    }

    #[test]
    fn law_deal_and_position_are_inverse() {
        for (ranks, copies, objective) in SMALL {
            let game = table(ranks, copies, objective);
            playouts(&game, 100, |s| {
                let position = game.position(s);
                let dealt = game.deal(&position);
                assert_eq!(dealt.cards.len(), ranks * copies);
                assert_eq!(game.position(&dealt), position);
            });
        }
    }

    #[test]
    fn law_play_goes_on_from_a_dealt_position() {
        let game = table(3, 4, Objective::Win);
        let place = |unknown, known| usize::from(game.memory().place(unknown, known));
        let mut counts = [0; MAX_PATTERNS];
        for pattern in [place(2, 2), place(1, 1), place(4, 0)] {
            counts[pattern] = 1;
        }
        let start = game.deal(&game.memory().legal(counts, 1, true).unwrap());
        assert_eq!((start.pairs(0), start.pairs(1)), (1, 0));
        let ranks: Vec<Card> = start.cards[..3].to_vec();
        assert_eq!(ranks, [Card::Known(0), Card::Known(0), Card::Known(1)]);
        let solution = solved(game.memory());
        let mut play = Match::new(game, Advice(solution), start, 1, 2.0 * TOLERANCE);
        assert!(play.table().en.ends_with("the second player has just passed"));
        // Ahead after a pass, passing wins at once.
        assert_eq!(play.best(&Run::default()).unwrap().en, "passes too, and the game is over");
        assert_eq!(play.result().unwrap().en, "the first player wins 1 to 0");
        assert_eq!(play.score(0), Some(1.0));
    }

    #[test]
    fn law_best_play_scores_the_exact_value() {
        let what = (3, 4, Objective::Win);
        let solution = solved(&memory(3, 4, Objective::Win));
        let scores: Vec<f64> = (0..2000)
            .map(|seed| {
                let mut play = sit_down(what, &solution, seed);
                while play.turn().is_some() {
                    play.best(&Run::default()).unwrap();
                }
                assert!(
                    play.mistakes(0, &Run::default()).unwrap().is_empty()
                        && play.mistakes(1, &Run::default()).unwrap().is_empty()
                );
                play.score(0).unwrap()
            })
            .collect();
        let games = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / games;
        let variance = scores.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (games - 1.0);
        let exact = 2899.0 / 5775.0;
        assert!((mean - exact).abs() < 5.0 * (variance / games).sqrt(), "{mean} is too far from {exact}");
    }

    /// Everything a face can see.
    fn seen(play: &dyn Play) -> String {
        let mistakes =
            [play.mistakes(0, &Run::default()).unwrap(), play.mistakes(1, &Run::default()).unwrap()];
        format!(
            "{:?} {:?} {:?} {mistakes:?} {}",
            play.table(),
            play.turn(),
            play.moves(&Run::default()).unwrap(),
            play.record(&Run::default()).unwrap()
        )
    }

    #[test]
    fn law_undo_restores_cards_and_mistakes() {
        for (ranks, copies, objective) in SMALL {
            let what = (ranks, copies, objective);
            let solution = solved(&memory(ranks, copies, objective));
            for seed in 0..5 {
                let mut random = Random::new(seed);
                let mut play = sit_down(what, &solution, seed);
                while let Some(seat) = play.turn() {
                    let before = seen(&play);
                    let moves = play.moves(&Run::default()).unwrap();
                    let input = moves[random.below(moves.len() as u64) as usize].input.clone();
                    play.input(&input).unwrap();
                    let after = seen(&play);
                    assert!(play.undo(seat));
                    assert_eq!(seen(&play), before);
                    play.input(&input).unwrap();
                    assert_eq!(seen(&play), after);
                }
                while play.undo(0) {}
                assert_eq!(seen(&play), seen(&sit_down(what, &solution, seed)));
            }
        }
    }

    #[test]
    fn law_the_same_seed_gives_the_same_record() {
        let what = (3, 4, Objective::Cards);
        let solution = solved(&memory(3, 4, Objective::Cards));
        let record = |seed| {
            let mut play = sit_down(what, &solution, seed);
            while play.turn().is_some() {
                play.best(&Run::default()).unwrap();
            }
            play.record(&Run::default()).unwrap().to_string()
        };
        assert_eq!(record(11), record(11));
        assert_ne!(record(11), record(12));
    }

    #[test]
    fn law_a_mistake_is_recorded_whichever_card_it_was_made_with() {
        // One card of two is known; to turn it up is a pair, and any other second card a mistake.
        let game = table(2, 2, Objective::Cards);
        let place = |unknown, known| usize::from(game.memory().place(unknown, known));
        let mut counts = [0; MAX_PATTERNS];
        counts[place(1, 1)] = 2;
        let start = game.deal(&game.memory().legal(counts, 0, false).unwrap());
        let solution = solved(game.memory());
        for (second, lost) in [("same", None), ("different", Some(4.0)), ("unknown", Some(4.0))] {
            let start = start.clone();
            let game = table(2, 2, Objective::Cards);
            let mut play = Match::new(game, Advice(solution.clone()), start, 5, 2.0 * TOLERANCE);
            // Not the lowest unknown card.
            play.input("4").unwrap();
            play.input(second).unwrap();
            let mistakes = play.mistakes(0, &Run::default()).unwrap();
            assert_eq!(mistakes.first().map(|m| m.lost), lost, "{second}");
            assert!(mistakes.iter().all(|m| m.decision == 2));
            assert!(play.mistakes(1, &Run::default()).unwrap().is_empty());
        }
    }

    #[test]
    fn law_a_game_typed_by_hand_ends_with_a_result() {
        for words in [["unknown", "same", "different", "pass"], ["未知", "同じ", "別", "パス"]] {
            for seed in 0..10 {
                let solution = solved(&memory(3, 4, Objective::Win));
                let mut play: Box<dyn Play> = Box::new(sit_down((3, 4, Objective::Win), &solution, seed));
                let mut typed = 0;
                while play.turn().is_some() {
                    let pair = ["A", "2", "3"].iter().find(|r| play.input(&format!("take {r}")).is_ok());
                    let order = if typed % 2 == 0 { [1, 2, 0, 3] } else { [1, 0, 2, 3] };
                    let word = order.into_iter().find(|&i| pair.is_none() && play.input(words[i]).is_ok());
                    assert!(pair.is_some() || word.is_some(), "{:?}", play.table());
                    typed += 1;
                }
                assert!(play.result().is_some());
                assert_eq!(play.score(0).unwrap() + play.score(1).unwrap(), 1.0);
                assert!(play.moves(&Run::default()).unwrap().is_empty());
            }
        }
    }

    #[test]
    fn law_what_can_be_typed_is_understood() {
        let game = table(13, 4, Objective::Win);
        let mut counts = [0; MAX_PATTERNS];
        let place = |unknown, known| usize::from(game.memory().place(unknown, known));
        counts[place(2, 2)] = 2;
        counts[place(3, 1)] = 1;
        counts[place(4, 0)] = 10;
        let s = game.deal(&game.memory().legal(counts, 0, false).unwrap());
        let first = [
            ("6", Act::Turn(5)),
            ("１０", Act::Turn(9)),
            ("unknown", Act::Turn(5)),
            ("take 3", Act::Take(2)),
            ("TAKE q", Act::Take(11)),
            ("取る　２", Act::Take(1)),
            ("2", Act::Take(1)),
            ("4", Act::Take(2)),
            ("PASS", Act::Pass),
            ("パス", Act::Pass),
        ];
        for (typed, act) in first {
            assert_eq!(game.understand(&s, typed), Some(act), "{typed}");
        }
        // Card 20 is turned and shows the 2 whose known cards are 2 and 3.
        let s = game.apply(&game.apply(&s, Act::Turn(19)), Act::Turned(1));
        let second = [
            ("2", Act::Same(1)),
            ("3", Act::Same(2)),
            ("same", Act::Same(1)),
            ("5", Act::Different(4)),
            ("different", Act::Different(0)),
            ("unknown", Act::Unknown(5)),
            ("52", Act::Unknown(51)),
        ];
        let mut actions = Vec::new();
        game.actions(&s, &mut actions);
        for (typed, act) in second {
            assert_eq!(game.understand(&s, typed), Some(act), "{typed}");
            assert!(actions.contains(&act));
        }
        // Every name is understood as the action it names.
        for a in actions {
            assert_eq!(game.understand(&s, &game.name(&s, a).0), Some(a));
        }
    }

    #[test]
    fn law_wrong_input_is_refused_and_changes_nothing() {
        let what = (3, 4, Objective::Win);
        let solution = solved(&memory(3, 4, Objective::Win));
        let mut play = sit_down(what, &solution, 1);
        let refused = |play: &mut dyn Play, bad: &[&str], accepts: &str| {
            let before = seen(play);
            for bad in bad {
                let refusal = play.input(bad).unwrap_err();
                assert_eq!(refusal.field, "move");
                assert_eq!(refusal.accepts.en, accepts, "{bad}");
                assert_eq!(seen(play), before);
            }
        };
        let never = ["", "0", "13", "-1", "99999999", "take", "take K", "take 3 3", "x", "1 2", "\u{0}"];
        refused(&mut play, &never, "the number of an unknown card");
        refused(&mut play, &["pass", "same", "different", "take A"], "the number of an unknown card");
        play.input("5").unwrap();
        refused(&mut play, &never, "the number of another card, unknown");
        // The card that is face up is not another card.
        refused(&mut play, &["5", "same", "pass"], "the number of another card, unknown");
    }

    #[test]
    fn golden_the_table_as_people_see_it() {
        let game = table(13, 4, Objective::Win);
        let place = |unknown, known| usize::from(game.memory().place(unknown, known));
        let mut counts = [0; MAX_PATTERNS];
        counts[place(4, 0)] = 9;
        counts[place(3, 1)] = 2;
        counts[place(2, 2)] = 1;
        counts[place(1, 1)] = 1;
        let s = game.deal(&game.memory().legal(counts, 1, false).unwrap());
        assert_eq!(game.ask(&s).en, "first card? (the number of an unknown card, take 3, pass)");
        let s = game.apply(&game.apply(&s, Act::Turn(16)), Act::Turned(9));
        let drawn = game.draw(&s);
        assert_eq!(drawn.en, GOLDEN_EN);
        assert_eq!(drawn.ja.lines().last(), Some("ペア：先手 1、後手 0。先手が2枚目を選ぶ番（17番は10）"));
        assert_eq!(game.ask(&s).en, "second card? (the number of another card, different, unknown)");
    }

    const GOLDEN_EN: &str = "\
\x20 1:A    2:2    3:3    4:3    5:4    6:?    7:?    8:?    9:?   10:?   11:?   12:?   13:?
 14:?   15:?   16:?  >17:10  18:?   19:?   20:?   21:?   22:?   23:?   24:?   25:?   26:?
 27:?   28:?   29:?   30:?   31:?   32:?   33:?   34:?   35:?   36:?   37:?   38:?   39:?
 40:?   41:?   42:?   43:?   44:?   45:?   46:?   47:?   48:?   49:?   50:?    –      –
unknown: A×3 2×3 3×2 4×1 5×4 6×4 7×4 8×4 9×4 10×3 J×4 Q×4 K×4
pairs: first 1, second 0; the first player to choose the second card (card 17 is a 10)";

    #[test]
    fn law_every_table_fits_its_columns() {
        for (ranks, copies) in [(1, 2), (3, 4), (13, 6), (14, 2), (20, 4), (100, 4), (200, 6)] {
            let game = table(ranks, copies, Objective::Win);
            playouts(&game, 1, |s| {
                let drawn = game.draw(s);
                let widest = drawn.en.lines().map(|line| line.chars().count()).max().unwrap_or(0);
                assert!(widest <= COLUMNS, "{widest}:\n{drawn:?}");
            });
        }
    }
}
