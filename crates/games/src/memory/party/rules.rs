//! The rules of Memory for `K` players with perfect memory, on what matters of a position: the counts of ranks, the pairs
//! of every player, and how many have just passed.
//!
//! What is on the table changes by the rules for two ([`Memory`]); here stands only what the others add: whose turn comes
//! next, when a pass is allowed, and what an end is worth.

use super::super::rules::{self, Action, Counts, MAX_PATTERNS, Memory, Objective, Phase};
use yomikiri_core::{Game, Refusal, Text, Turn, text};

/// Fewest and most players.
pub const PLAYERS: (usize, usize) = (2, 5);
/// Shares of a win are whole numbers of this: it can be divided among 1 to 5 winners.
pub(super) const SHARES: i32 = 60;

/// What a player wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aim {
    /// To have most pairs in the end; players who have equally many share the win.
    Win,
    /// As many pairs as possible.
    Pairs,
    /// As many pairs more than the mean of the others as possible.
    Margin,
}

/// When passes are allowed, and what comes of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Passes {
    /// Everybody passing in a row ends the game; the cards left belong to nobody.
    End,
    /// Whoever comes after passes of all the others must move.
    Must,
    /// Nobody may pass.
    Never,
}

/// Which of moves that are equally good for their player is made: it decides what the others get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tie {
    /// The first in the order of moves.
    Order,
    /// The last in the order of moves.
    Last,
    /// The one that brings its player more pairs, then the first.
    Lex,
    /// The best for the next player, then for the one after, then the first.
    Friendly,
    /// The worst for the next player, then for the one after, then the first.
    Hostile,
    /// All of them, with equal chances.
    Mix,
}

impl Tie {
    /// All rules with their words.
    pub const ALL: [(&'static str, Tie); 6] = [
        ("lex", Tie::Lex),
        ("order", Tie::Order),
        ("last", Tie::Last),
        ("friendly", Tie::Friendly),
        ("hostile", Tie::Hostile),
        ("mix", Tie::Mix),
    ];

    /// In words.
    pub fn told(self) -> Text {
        match self {
            Tie::Order => text("equal moves: the first in order", "同値の手：並び順の最初"),
            Tie::Last => text("equal moves: the last in order", "同値の手：並び順の最後"),
            Tie::Lex => text(
                "equal moves: more own pairs, then the first in order",
                "同値の手：自分のペアが多い方、次に並び順",
            ),
            Tie::Friendly => text(
                "equal moves: the best for the next player, then for the one after",
                "同値の手：次の人、その次の人の順に有利な手",
            ),
            Tie::Hostile => text(
                "equal moves: the worst for the next player, then for the one after",
                "同値の手：次の人、その次の人の順に不利な手",
            ),
            Tie::Mix => text("equal moves: each with the same chance", "同値の手：どれも等しい確率"),
        }
    }
}

/// What is played for and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Terms {
    /// What the players want.
    pub aim: Aim,
    /// When passes are allowed.
    pub passes: Passes,
    /// What decides between equal moves.
    pub tie: Tie,
}

impl Terms {
    /// Whether values are win shares; otherwise they are pairs.
    pub fn wins(self) -> bool {
        self.aim == Aim::Win
    }

    /// Whether expected pairs are needed to decide.
    pub fn pairs(self) -> bool {
        self.aim != Aim::Win || self.tie == Tie::Lex
    }

    /// In a few words that name a stored thing.
    pub fn word(self) -> String {
        format!("{:?}-{:?}-{:?}", self.aim, self.passes, self.tie).to_lowercase()
    }

    /// The words of the parameters for these terms: objective, pass, tie.
    pub(super) fn words(self) -> [&'static str; 3] {
        let objective = match self.aim {
            Aim::Win => "win",
            Aim::Pairs => "pairs",
            Aim::Margin => "margin",
        };
        let pass = match self.passes {
            Passes::End => "end",
            Passes::Must => "must",
            Passes::Never => "none",
        };
        let tie = Tie::ALL.iter().find(|(_, tie)| *tie == self.tie).map_or("", |(word, _)| *word);
        [objective, pass, tie]
    }
}

/// The game with its parameters.
#[derive(Debug)]
pub struct Party<const K: usize> {
    /// The cards, and what turning and taking does to them. Played for pairs, so that nothing is decided early.
    cards: Memory,
    terms: Terms,
}

/// A position, possibly in the middle of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State<const K: usize> {
    /// Ranks by pattern.
    pub counts: Counts,
    /// Pairs of every player, by seat.
    pub scores: [u16; K],
    /// How many players before have just passed.
    pub passes: u8,
    /// The player to move.
    pub mover: u8,
    /// Where in the turn we are.
    pub phase: Phase,
}

impl<const K: usize> State<K> {
    /// The pairs in order of play, those of the player to move first.
    pub fn in_order(&self) -> [u16; K] {
        let mut scores = self.scores;
        scores.rotate_left(usize::from(self.mover));
        scores
    }
}

impl<const K: usize> Party<K> {
    /// The game with so many ranks of `copies` cards.
    ///
    /// # Errors
    /// Numbers out of range are refused by the name of the field.
    pub fn new(ranks: usize, copies: usize, terms: Terms) -> Result<Party<K>, Refusal> {
        Ok(Party { cards: Memory::new(ranks, copies, Objective::Cards)?, terms })
    }

    /// The cards alone.
    pub fn cards(&self) -> &Memory {
        &self.cards
    }
    /// What is played for and how.
    pub fn terms(&self) -> Terms {
        self.terms
    }

    /// A position anyone may ask about, or what is wrong with it. The counts must add up to the ranks; scores are in order
    /// of play. Pairs that are gone and in no score belong to nobody.
    ///
    /// # Errors
    /// What is wrong with it, by the name of the field.
    pub fn legal(&self, counts: Counts, scores: [u16; K], passes: usize) -> Result<State<K>, Refusal> {
        let known = self.cards.known_ranks(&counts);
        // The number of ranks is looked at there, and the difference is right whatever the parity.
        let gone = self.cards.total_pairs().saturating_sub(self.cards.remaining(&counts));
        self.cards.legal(counts, (gone % 2) as i64, false)?;
        let taken: usize = scores.iter().map(|&n| usize::from(n)).sum();
        if taken > gone {
            let got = scores.map(|n| n.to_string()).join(", ");
            return Err(Refusal::new(
                "scores",
                got,
                Text::of(
                    format!(
                        "{K} whole numbers from 0, in order of play, {gone} in all at most: so many pairs are gone"
                    ),
                    format!("手番順の0以上の整数{K}個、合計{gone}以下（取られたペアは{gone}組）"),
                ),
            ));
        }
        let most = match self.terms.passes {
            _ if known < 2 => 0,
            Passes::Never => 0,
            Passes::End | Passes::Must => K - 1,
        };
        if passes > most {
            let accepts = match (self.terms.passes, known < 2) {
                (Passes::Never, _) => text("0: nobody may pass", "0（パスはできない）"),
                (_, true) => text(
                    "0: a pass shows known cards of two ranks, and there are none",
                    "0（パスには2つのランクの既知カードが要る）",
                ),
                _ => Text::same(format!("0–{most}")),
            };
            return Err(Refusal::new("passes", passes, accepts));
        }
        Ok(State { counts, scores, passes: passes as u8, mover: 0, phase: Phase::First })
    }

    /// The same cards between two, whose rules say what a turn does to them.
    pub(super) fn between_two(s: &State<K>) -> rules::State {
        rules::State { counts: s.counts, diff: 0, passed: false, mover: 0, phase: s.phase }
    }

    fn may_pass(&self, s: &State<K>) -> bool {
        match self.terms.passes {
            Passes::End => true,
            Passes::Must => usize::from(s.passes) + 1 < K,
            Passes::Never => false,
        }
    }

    /// The players with most pairs.
    pub fn leaders(scores: &[u16; K]) -> impl Iterator<Item = usize> + '_ {
        let most = scores.iter().max();
        (0..K).filter(move |&p| Some(&scores[p]) == most)
    }
}

impl<const K: usize> Game for Party<K> {
    type State = State<K>;
    type Action = Action;
    const PLAYERS: usize = K;
    /// The cards left after everybody has passed belong to nobody.
    const ZERO_SUM: bool = false;

    fn start(&self) -> State<K> {
        let mut counts = [0; MAX_PATTERNS];
        counts[0] = self.cards.ranks() as u8;
        State { counts, scores: [0; K], passes: 0, mover: 0, phase: Phase::First }
    }

    fn turn(&self, s: &State<K>) -> Turn {
        match self.cards.turn(&Self::between_two(s)) {
            Turn::Player(_) => Turn::Player(s.mover),
            other => other,
        }
    }

    fn actions(&self, s: &State<K>, out: &mut Vec<Action>) {
        let from = out.len();
        self.cards.actions(&Self::between_two(s), out);
        if !self.may_pass(s) && out[from..].last() == Some(&Action::Pass) {
            out.pop();
        }
    }

    fn chance(&self, s: &State<K>, out: &mut Vec<(Action, u32)>) {
        self.cards.chance(&Self::between_two(s), out);
    }

    fn apply(&self, s: &State<K>, a: Action) -> State<K> {
        let pass = s.phase == Phase::First && a == Action::Pass;
        if pass && usize::from(s.passes) + 1 == K {
            return State { passes: s.passes + 1, phase: Phase::Over, ..s.clone() };
        }
        let after = self.cards.apply(&Self::between_two(s), a);
        let mut next = State { counts: after.counts, phase: after.phase, ..s.clone() };
        if after.mover != 0 {
            next.mover = (s.mover + 1) % K as u8;
            next.passes = if pass { s.passes + 1 } else { 0 };
        } else if after.diff != 0 {
            next.scores[usize::from(s.mover)] += 1;
            next.passes = 0;
        }
        next
    }

    /// Whole numbers that order ends as the players do: shares of a win in sixtieths, pairs, or the margin times the
    /// number of the others.
    fn utility(&self, s: &State<K>, player: u8) -> i32 {
        let own = i32::from(s.scores[usize::from(player)]);
        match self.terms.aim {
            Aim::Win => {
                let winners = Self::leaders(&s.scores).count() as i32;
                if Self::leaders(&s.scores).any(|p| p == usize::from(player)) { SHARES / winners } else { 0 }
            }
            Aim::Pairs => own,
            Aim::Margin => {
                let all: i32 = s.scores.iter().map(|&n| i32::from(n)).sum();
                (K as i32 - 1) * own - (all - own)
            }
        }
    }
}
