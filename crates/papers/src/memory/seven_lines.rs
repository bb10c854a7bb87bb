//! Seven lines that a person can keep in mind, and what playing by them wins against the best opponent there is; and the
//! positions in which passing alone is best, in closed form.

use super::experiments::{rate, solved};
use super::policies::{Follow, Normal};
use super::rules_of_thumb::{self, against_best};
use serde_json::json;
use yomikiri_core::{Error, Game, Indexed, Run, Text, Turn, text};
use yomikiri_games::memory::answer::{answer, top};
use yomikiri_games::memory::levels::{Doubles, Levels, TOLERANCE};
use yomikiri_games::memory::rules::{Action, Memory, Pattern, Phase, State};
use yomikiri_games::params::Settings;
use yomikiri_solve::restrict::Policy;
use yomikiri_view::report::{Block, Cell, List, Outcome, Record, Tone};

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
    /// Line 7: a second unknown card also where all but four ranks are unseen.
    pub early: bool,
    /// Lines 3 and 7 with more cases: better, and harder to keep in mind.
    pub refined: bool,
}

/// All seven lines.
pub const SEVEN: SevenLines =
    SevenLines { answers: true, passes: true, bounded: true, leaves: true, early: true, refined: false };

/// The same with more cases: line 3 also where three ranks are unseen and eight or more seen, all of two cards; line 7 where
/// one rank is unseen and at most one is (3,1), or no rank has four cards left, or with at most three known cards and n − 5
/// unseen ranks, or with four known cards, n − 4 unseen ranks and a turned rank of four cards.
pub const REFINED: SevenLines = SevenLines { refined: true, ..SEVEN };

/// The lines in words.
pub static LINES: [Text; 7] = [
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
    fn first(self, game: &Memory, s: &State, actions: &[Action]) -> Action {
        let now = seen(game, s);
        let take = |unknown: u8| {
            let fits = |a: &&Action| matches!(a, Action::Take(t) if game.taken(*t).unknown <= unknown);
            actions.iter().find(fits).copied()
        };
        let may = |a: Action| actions.contains(&a);
        if self.answers && s.passed && s.diff > 0 && may(Action::Pass) {
            return Action::Pass;
        }
        if let Some(a) = take(1) {
            return a;
        }
        let ahead = usize::try_from(s.diff).is_ok_and(|lead| !self.bounded || lead < now.pairs);
        let one = now.unseen == 1 && now.seen >= 3 && now.twos;
        let three = self.refined && now.unseen == 3 && now.seen >= 8 && now.fours == 0;
        if self.passes && (one || three) && ahead && may(Action::Pass) {
            return Action::Pass;
        }
        match take(2) {
            Some(a) if now.unseen > 0 || !self.leaves => a,
            _ => Action::Flip,
        }
    }

    fn second(self, game: &Memory, s: &State, actions: &[Action]) -> Action {
        if actions[0] == Action::Same {
            return Action::Same;
        }
        let now = seen(game, s);
        let early = self.early && now.unseen + 4 >= game.ranks();
        let odd = (now.pairs + now.known) % 2 == 1;
        let four = matches!(s.phase, Phase::Second(i) if game.patterns()[usize::from(i)].pairs() > 1);
        let gamble = match self.refined {
            false => now.singles == 0 || early,
            true => {
                now.unseen == 1 && now.singles <= 1
                    || now.fours == 0
                    || now.known <= 3 && now.unseen + 5 >= game.ranks()
                    || now.known == 4 && now.unseen + 4 >= game.ranks() && four
            }
        };
        if odd && gamble { Action::Unknown } else { Action::Different }
    }
}

impl Policy<Memory> for SevenLines {
    fn restrict(&self, game: &Memory, s: &State, actions: &mut Vec<Action>) {
        let wanted = match s.phase {
            Phase::Second(_) => self.second(game, s, actions),
            _ => self.first(game, s, actions),
        };
        // What is not there to be done is replaced by what is: no card to show, or none to turn.
        let chosen = actions.iter().copied().find(|&a| a == wanted).unwrap_or(actions[0]);
        actions.clear();
        actions.push(chosen);
    }
}

/// The lists that are measured: all lines, and some of them left out.
pub fn lists() -> [(&'static str, Text, SevenLines); 6] {
    [
        ("seven lines", text("all seven lines", "7行すべて"), SEVEN),
        (
            "never passing",
            text("without lines 1 and 3", "1と3なし"),
            SevenLines { answers: false, passes: false, ..SEVEN },
        ),
        (
            "never leaving",
            text("never leaving a pair", "ペアを残さない"),
            SevenLines { leaves: false, ..SEVEN },
        ),
        (
            "not early",
            text("without “n − 4 unseen”", "「未見 n − 4」なし"),
            SevenLines { early: false, ..SEVEN },
        ),
        (
            "any lead",
            text("without line 1 and the bound on the lead", "1とリードの上限なし"),
            SevenLines { answers: false, bounded: false, ..SEVEN },
        ),
        ("refined", text("with more cases in lines 3 and 7", "3と7の場合分けを増やす"), REFINED),
    ]
}

/// The positions in which passing is better than anything else and nobody has just passed, free pairs being taken first:
/// every one as it is written.
///
/// # Errors
/// If the run is cancelled.
pub fn passes(game: &Memory, table: &Levels<Doubles>, run: &Run<'_>) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    for tier in 0..game.tiers() {
        run.check()?;
        for at in 0..game.len(tier) {
            let Some(s) = game.state((tier, at)) else { continue };
            let free = |(p, &n): (&Pattern, &u8)| n > 0 && p.free_pair();
            if game.turn(&s) == Turn::Terminal || game.patterns().iter().zip(&s.counts).any(free) {
                continue;
            }
            // Only players who are not behind pass, and only where there are two ranks to show.
            if s.diff < 0 || game.known_ranks(&s.counts) < 2 {
                continue;
            }
            let Some(answer) = answer(game, table, &s) else { continue };
            let (passes, others): (Vec<_>, Vec<_>) =
                answer.moves.into_iter().partition(|m| m.0 == Action::Pass);
            if let (Some(pass), Some(other)) = (top(&passes), top(&others))
                && *pass > other + TOLERANCE
            {
                found.extend(game.print(&s));
            }
        }
    }
    Ok(found)
}

/// The closed form of those positions for 13 ranks, as it was found: a family each, and the rest one by one.
pub fn closed_form(game: &Memory, s: &State) -> bool {
    let (n, d) = (|u: u8, k: u8| i32::from(s.counts[usize::from(game.place(u, k))]), i32::from(s.diff));
    let pairs = game.remaining(&s.counts) as i32;
    let kinds = [n(4, 0), n(3, 1), n(2, 2), n(2, 0), n(1, 1)];
    let up_to = |most: i32| (0..=most).contains(&d) && (d - pairs) % 2 == 0;
    if n(1, 3) + n(0, 4) + n(0, 2) > 0 {
        return false;
    }
    match kinds {
        [0, 0, 0, 1, m] if m >= 3 => up_to(pairs - 2) && (m, d) != (3, 2),
        [1, 0, 0, 0, m] if m >= 6 => up_to(pairs - 2),
        [1, 0, 0, 0, m] => matches!((m, d), (5, 3 | 5) | (4, 2) | (3, 1)),
        [0, 0, 0, 3, m] if m >= 7 => up_to(pairs - 4),
        [0, 1, 0, 1, 1] => matches!(d, 0 | 2),
        [1, 0, 0, 1, 2] => d == 5,
        [1, 0, 0, 1, 3] => d == 6,
        [1, 1, 0, 0, 1] => d == 3,
        [1, 1, 0, 0, m] => (7..=11).contains(&m) && d == m,
        [2, 0, 0, 1, 2] => matches!(d, 1 | 3 | 5),
        [9, 0, 0, 2, 2] => matches!(d, 0 | 2 | 4),
        [11, 0, 0, 0, 2] => matches!(d, 0 | 2),
        _ => false,
    }
}

/// Measures the lists.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let (game, table) = solved(settings.int("ranks") as usize, run)?;
    let best = (1.0 + table.root(game.ranks()).unwrap_or(f64::NAN)) / 2.0;
    let mut lines = List::new(text("a rule set to keep in mind", "覚えやすい指針"));
    for (i, line) in LINES.iter().enumerate() {
        lines.push(Record::new().show(text("", ""), Cell::from((i + 1).to_string()).tone(Tone::Dim)).words(
            "line",
            text("line", "指針"),
            line.clone(),
        ));
    }
    let mut costs = List::new(text(
        "what a way of playing wins against the best opponent there is",
        "最強の相手に対する勝率",
    ));
    let mut ways = vec![("optimal", text("optimally", "最適戦略"), (best, 1.0 - best))];
    for (id, name, list) in lists() {
        ways.push((id, name, against_best(&game, &list, run)?));
    }
    ways.push(("normal", text("normally", "通常戦略"), against_best(&game, &Normal, run)?));
    for (id, name, rates) in ways {
        costs.push(rules_of_thumb::costs(best, id, name, rates));
    }
    let follow = Follow(&table);
    let even = (rate(&game, &SEVEN, &follow, run)?, 1.0 - rate(&game, &follow, &SEVEN, run)?);
    let passing = passes(&game, &table, run)?;
    let outside =
        passing.iter().filter(|text| !game.parse(text).is_ok_and(|s| closed_form(&game, &s))).count();
    let facts = vec![
        (
            text("against the equilibrium player", "均衡戦略の相手に"),
            Cell::from(format!("{:.6} / {:.6}", even.0, even.1)),
        ),
        (
            text("positions where passing alone is best", "パスだけが最善の局面"),
            Cell::from(Text::of(
                format!("{}, {outside} of them outside the closed form", passing.len()),
                format!("{}（うち閉じた形の外 {outside}）", passing.len()),
            )),
        ),
    ];
    let json = json!({
        "game": "memory", "ranks": game.ranks(), "lines": lines.json, "against_best": costs.json,
        "against_equilibrium": {"first": even.0, "second": even.1},
        "passing_alone_is_best": {"positions": passing, "outside_the_closed_form": outside},
    });
    let blocks = vec![Block::Table(lines.table), Block::Table(costs.table), Block::Facts(facts)];
    Ok(Outcome { blocks, json, good: true })
}
