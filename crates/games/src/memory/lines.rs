//! Seven lines that a person can keep in mind: which of them speaks in a position, and what it says. This is the one place
//! that decides it; what following it costs is a matter of the solved table.

use super::rules::{Action, Memory, Objective, Pattern, Phase, State};
use yomikiri_core::{Game, Text, text};
use yomikiri_solve::restrict::Policy;

/// When a second unknown card is turned: lines 6 and 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Second {
    /// Odd pairs left and known cards, and no rank is (3,1) or, if `early`, all but four ranks are unseen.
    Odd {
        /// Whether unseen ranks matter.
        early: bool,
    },
    /// More cases, and one for line 3: better, and harder to keep in mind.
    Refined,
    /// By the cards that the turned rank has left, and by how many ranks have four.
    Sharp,
}

/// A list that some lines can be left out of, to see what they are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SevenLines {
    /// Line 1: answer a pass with a pass while leading.
    pub answers: bool,
    /// Line 3: pass.
    pub passes: bool,
    /// Line 3 asks that the lead be smaller than the pairs left.
    pub bounded: bool,
    /// Line 4: a pair of a (2,2) rank is left where no rank is unseen.
    pub leaves: bool,
    /// Lines 6 and 7.
    pub second: Second,
}

/// All seven lines, as they were found first.
pub const SEVEN: SevenLines = SevenLines {
    answers: true,
    passes: true,
    bounded: true,
    leaves: true,
    second: Second::Odd { early: true },
};

/// The same with more cases: line 3 also where three ranks are unseen and eight or more seen, all of two cards; line 7 where
/// one rank is unseen and at most one is (3,1), or no rank has four cards left, or with at most three known cards and n − 5
/// unseen ranks, or with four known cards, n − 4 unseen ranks and a turned rank of four cards.
pub const REFINED: SevenLines = SevenLines { second: Second::Refined, ..SEVEN };

/// Seven lines with others in the place of the last two, found by climbing over lists: they lose less than half as much.
pub const SHARP: SevenLines = SevenLines { second: Second::Sharp, ..SEVEN };

/// The lines in words.
static LINES: [Text; 7] = [
    text(
        "The other player has just passed and you lead: pass; you have won.",
        "相手が直前にパスし、自分がリードしているなら、パスする（勝ち）。",
    ),
    text(
        "Take a known pair of a rank with at most one unknown card.",
        "未知が1枚以下のランクの既知ペアは取る。",
    ),
    text(
        "Pass if exactly one rank is unseen, all seen ranks (three or more) have two cards left, you are not behind, and you lead by less than the pairs left.",
        "未見のランクがちょうど1つで、見たランク（3つ以上）がすべて残り2枚、負けておらず、リードが残りペア数より小さいなら、パスする。",
    ),
    text(
        "Take a known pair of a rank with two unknown cards, unless no rank is unseen: then leave it and turn an unknown card.",
        "未知が2枚のランクの既知ペアは取る。ただし未見のランクがなければ残して、未知の札をめくる。",
    ),
    text(
        "Else turn an unknown card. Take its partner if that is known.",
        "それ以外は未知の札をめくる。対が既知なら取る。",
    ),
    text(
        "Partner not known: add pairs left and known cards, as before you turned it. Even: show a known card of another rank.",
        "対が既知でなければ、めくる前の残りペア数と既知枚数を足す。偶数なら、別のランクの既知の札を見せる。",
    ),
    text(
        "Odd: turn a second unknown card if no rank is (3,1), or if at least n − 4 ranks are unseen; else show a known card. With none to show, turn an unknown one.",
        "奇数なら、(3,1)のランクがないか、未見のランクが n − 4 以上あるとき、もう1枚未知の札をめくる。それ以外は既知の札を見せる。見せる札がなければ未知の札をめくる。",
    ),
];

/// Lines 6 and 7 of the sharper list.
static SHARP_LINES: [Text; 2] = [
    text(
        "Partner not known: add pairs left and known cards, as before you turned it. Even, and two or more ranks are unseen: show a known card of another rank.",
        "対が既知でなければ、めくる前の残りペア数と既知枚数を足す。偶数で、未見のランクが2つ以上なら、別のランクの既知の札を見せる。",
    ),
    text(
        "Else look at the rank you turned. Two cards left: turn a second unknown card if no rank has four left. Four left: turn one if at most three ranks have four left, or if at least n − 4 ranks are unseen. Otherwise show a known card. With none to show, turn an unknown one.",
        "それ以外は、めくったランクを見る。残り2枚なら、残り4枚のランクがないとき、もう1枚未知の札をめくる。残り4枚なら、残り4枚のランクが3つ以下か、未見のランクが n − 4 以上のとき、もう1枚めくる。どれでもなければ既知の札を見せる。見せる札がなければ未知の札をめくる。",
    ),
];

/// What the lines speak of.
struct Seen {
    unseen: usize,
    seen: usize,
    /// Whether all seen ranks have two cards left.
    twos: bool,
    /// Ranks of one known and three unknown cards.
    singles: usize,
    /// Ranks with four cards left.
    fours: usize,
    pairs: usize,
    known: usize,
}

fn seen(game: &Memory, s: &State) -> Seen {
    let count = |of: &dyn Fn(Pattern) -> bool| -> usize {
        let all = game.patterns().iter().zip(s.counts);
        all.filter(|(p, _)| of(**p)).map(|(_, n)| usize::from(n)).sum()
    };
    let (pairs, unknown) = (game.remaining(&s.counts), game.unknown(&s.counts));
    Seen {
        unseen: count(&|p| p.known == 0 && p.unknown > 0),
        seen: count(&|p| p.known > 0),
        twos: count(&|p| p.known > 0 && p.pairs() > 1) == 0,
        singles: count(&|p| p == Pattern { unknown: 3, known: 1 }),
        fours: count(&|p| p.pairs() > 1),
        pairs,
        known: 2 * pairs - unknown,
    }
}

impl SevenLines {
    /// The lines in words.
    pub fn lines(self) -> [&'static Text; 7] {
        let mut all = LINES.each_ref();
        if self.second == Second::Sharp {
            all[5..].copy_from_slice(&SHARP_LINES.each_ref());
        }
        all
    }

    /// Whether the lines are about this game: four cards a rank, played for the win.
    pub fn about(game: &Memory) -> bool {
        game.copies() == 4 && game.objective() == Objective::Win
    }

    /// Which line speaks, counted from 1, and what it says to do; none where nothing is to be done.
    pub fn says(self, game: &Memory, s: &State) -> Option<(usize, Action)> {
        let mut actions = Vec::new();
        game.actions(s, &mut actions);
        self.among(game, s, &actions)
    }

    fn among(self, game: &Memory, s: &State, actions: &[Action]) -> Option<(usize, Action)> {
        let (line, wanted) = match s.phase {
            Phase::Second(_) => self.second(game, s, actions),
            _ => self.first(game, s, actions),
        };
        // What is not there to be done is replaced by what is: no card to show, or none to turn.
        let there = actions.contains(&wanted);
        let other =
            || actions.first().map(|a| (if matches!(s.phase, Phase::Second(_)) { 7 } else { line }, *a));
        if there { Some((line, wanted)) } else { other() }
    }

    fn first(self, game: &Memory, s: &State, actions: &[Action]) -> (usize, Action) {
        let now = seen(game, s);
        let take = |unknown: u8| {
            let fits = |a: &&Action| matches!(a, Action::Take(t) if game.taken(*t).unknown <= unknown);
            actions.iter().find(fits).copied()
        };
        let may = |a: Action| actions.contains(&a);
        if self.answers && s.passed && s.diff > 0 && may(Action::Pass) {
            return (1, Action::Pass);
        }
        if let Some(a) = take(1) {
            return (2, a);
        }
        let ahead = usize::try_from(s.diff).is_ok_and(|lead| !self.bounded || lead < now.pairs);
        let one = now.unseen == 1 && now.seen >= 3 && now.twos;
        let three = self.second == Second::Refined && now.unseen == 3 && now.seen >= 8 && now.fours == 0;
        if self.passes && (one || three) && ahead && may(Action::Pass) {
            return (3, Action::Pass);
        }
        match take(2) {
            Some(a) if now.unseen > 0 || !self.leaves => (4, a),
            Some(_) => (4, Action::Flip),
            None => (5, Action::Flip),
        }
    }

    fn second(self, game: &Memory, s: &State, actions: &[Action]) -> (usize, Action) {
        if actions.first() == Some(&Action::Same) {
            return (5, Action::Same);
        }
        let now = seen(game, s);
        let four = matches!(s.phase, Phase::Second(i) if game.patterns()[usize::from(i)].pairs() > 1);
        let even = (now.pairs + now.known).is_multiple_of(2);
        if even && (now.unseen >= 2 || self.second != Second::Sharp) {
            return (6, Action::Different);
        }
        let but = |ranks: usize| now.unseen + ranks >= game.ranks();
        let gamble = match self.second {
            Second::Odd { early } => now.singles == 0 || early && but(4),
            Second::Refined => {
                now.unseen == 1 && now.singles <= 1
                    || now.fours == 0
                    || now.known <= 3 && but(5)
                    || now.known == 4 && but(4) && four
            }
            Second::Sharp if four => now.fours <= 3 || but(4),
            Second::Sharp => now.fours == 0,
        };
        (7, if gamble { Action::Unknown } else { Action::Different })
    }
}

impl Policy<Memory> for SevenLines {
    fn restrict(&self, game: &Memory, s: &State, actions: &mut Vec<Action>) {
        if let Some((_, chosen)) = self.among(game, s, actions) {
            actions.clear();
            actions.push(chosen);
        }
    }
}
