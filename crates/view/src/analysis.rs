//! The one answer to "what is this worth?": the value of a position and of every move in it, best first. What is shown
//! of it, in words, pictures or JSON, is derived from here, so that no two faces can call different moves best.

use crate::report::{Block, Cell, Certainty};
use crate::scene::{self, Scale, Tick, Tone, signed};
use std::cmp::Ordering;
use yomikiri_core::text::counted;
use yomikiri_core::{Error, Number, Rational, Text, text};

/// What a position or a move is worth to the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// How good it is, as people read it: where its bar ends on the ruler.
    pub x: f64,
    /// Where its bar ends if not there: on a ruler that is always the same player's, or that is longer for a quick win.
    pub bar: Option<f64>,
    /// The same as a fraction, where it is known: then this decides what is better, to the last digit.
    pub exact: Option<Rational>,
    /// Which of equal values is preferred: a win in few moves to one in many.
    pub order: i64,
    /// The value as it is read.
    pub text: Text,
    /// The same with all its digits, where there is room for them and there are more.
    pub long: Text,
    /// In a few letters, for where the move is drawn.
    pub short: Text,
    /// Beside it: a fraction, a distance.
    pub sub: Text,
    /// What kind of number it is.
    pub certainty: Certainty,
    /// The interval of a bound or an estimate.
    pub interval: Option<(f64, f64)>,
    /// Yes or no beside it.
    pub mark: Option<Tick>,
}

impl Score {
    /// A number that is exact, with its text.
    pub fn new(x: f64, text: Text) -> Score {
        Score {
            x,
            bar: None,
            exact: None,
            order: 0,
            text,
            long: Text::default(),
            short: Text::default(),
            sub: Text::default(),
            certainty: Certainty::Exact,
            interval: None,
            mark: None,
        }
    }

    /// The same with the fraction that it is, beside the number where that is short enough to be read. For scores that
    /// are ranked by their numbers: whether fractions are at hand does not change which moves are best.
    pub fn fraction(self, exact: Rational) -> Score {
        Score { sub: short_fraction(&exact), exact: Some(exact), ..self }
    }

    /// The value with all its digits.
    pub fn whole(&self) -> &Text {
        if self.long.is_empty() { &self.text } else { &self.long }
    }

    /// Which of two is better; doubles closer than `tolerance` are equal, whatever their last bits.
    fn compare(&self, other: &Score, tolerance: f64) -> Ordering {
        let value = match (&self.exact, &other.exact) {
            (Some(a), Some(b)) => compare(a, b, tolerance),
            _ => compare(&self.x, &other.x, tolerance),
        };
        value.then(self.order.cmp(&other.order))
    }
}

/// Which of two values is better: exact ones to the last digit; doubles closer than `tolerance` are equal, whatever their
/// last bits. Who has no time for an [`Analysis`] decides ties by this.
pub fn compare<N: Number>(a: &N, b: &N, tolerance: f64) -> Ordering {
    if N::EXACT {
        return a.compare(b);
    }
    let (a, b) = (a.approx(), b.approx());
    if (a - b).abs() <= tolerance { Ordering::Equal } else { a.total_cmp(&b) }
}

/// What the values of a game measure, and so how they are written.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// Won, drawn or lost: payoffs of 1, 0 and −1, and nothing left to chance.
    Result,
    /// The same with chance: the share of games won, a draw counting half.
    WinRate,
    /// Points, or any other number.
    Points {
        /// What is counted: "points", "boxes".
        name: Text,
    },
}

/// Digits of a fraction that are still read rather than skipped.
const READABLE: usize = 18;

impl Measure {
    /// What decides which of some values is best, without a word of text: for who does not show them.
    pub fn bare<N: Number>(&self, value: &N, plies: Option<u32>) -> Score {
        let raw = value.approx();
        let (x, exact, order) = match self {
            Measure::Result => {
                // A quick win and a slow loss.
                let order = i64::from(plies.unwrap_or(0)) * if raw > 0.0 { -1 } else { 1 };
                (raw, value.exact(), if raw == 0.0 { 0 } else { order })
            }
            Measure::WinRate => {
                let rate = value.exact().map(|r| (r + Rational::from_int(1)) / Rational::from_int(2));
                (rate.as_ref().map_or((1.0 + raw) / 2.0, Number::approx), rate, 0)
            }
            Measure::Points { .. } => (raw, value.exact(), 0),
        };
        Score { exact, order, ..Score::new(x, Text::default()) }
    }

    /// How a value of the player to move is written; `plies` is the distance to the end, where it is known.
    pub fn score<N: Number>(&self, value: &N, plies: Option<u32>) -> Score {
        let bare = self.bare(value, plies);
        let x = bare.x;
        match self {
            Measure::Result => {
                let (text, short) = match x {
                    x if x > 0.0 => (text("win", "勝ち"), text("W", "勝")),
                    x if x < 0.0 => (text("loss", "負け"), text("L", "負")),
                    _ => (text("draw", "引き分け"), text("D", "分")),
                };
                let sub = match plies {
                    Some(0) => Text::default(),
                    Some(n) if x != 0.0 => {
                        let moves = counted(n.into(), "move", "moves");
                        Text::of(format!("in {moves}"), format!("あと{n}手"))
                    }
                    _ => Text::default(),
                };
                Score { text, short, sub, ..bare }
            }
            Measure::WinRate => {
                let sub = bare.exact.as_ref().map(short_fraction).unwrap_or_default();
                Score { text: Text::same(format!("{x:.5}")), sub, ..bare }
            }
            Measure::Points { .. } => {
                let whole = bare.exact.as_ref().filter(|r| r.is_integer()).map(ToString::to_string);
                let written = signed(whole.clone().unwrap_or_else(|| format!("{x:.5}")));
                let sub =
                    bare.exact.as_ref().filter(|_| whole.is_none()).map(short_fraction).unwrap_or_default();
                Score { short: Text::same(written.clone()), text: Text::same(written), sub, ..bare }
            }
        }
    }

    /// What the ruler measures.
    pub fn name(&self) -> Text {
        match self {
            Measure::Result => text("Result", "結果"),
            Measure::WinRate => text("Win rate", "勝率"),
            Measure::Points { name } => name.clone(),
        }
    }

    /// Whose value it is.
    pub fn of(&self) -> Text {
        match self {
            Measure::Result => text("The player to move", "手番側"),
            Measure::WinRate => text("The player to move wins with", "手番側の勝率"),
            Measure::Points { .. } => text("Ahead in the end, the player to move", "手番側の最終的な差"),
        }
    }

    /// Whose value it is where nobody is to move.
    pub fn of_first(&self) -> Text {
        match self {
            Measure::Result => text("The first player", "先手"),
            Measure::WinRate => text("The first player wins with", "先手の勝率"),
            Measure::Points { .. } => text("Ahead in the end, the first player", "先手の最終的な差"),
        }
    }

    /// What the number means, where that has to be said.
    pub fn note(&self) -> Text {
        match self {
            Measure::WinRate => text("win + ½ draw", "勝ち＋½引き分け"),
            _ => Text::default(),
        }
    }

    /// A value that is neither good nor bad.
    pub fn middle(&self) -> f64 {
        if *self == Measure::WinRate { 0.5 } else { 0.0 }
    }

    /// The ruler for some values.
    pub fn scale(&self, values: impl IntoIterator<Item = f64>) -> Scale {
        match self {
            Measure::Result => Scale {
                min: -1.0,
                mid: 0.0,
                max: 1.0,
                name: self.name(),
                ticks: vec![
                    (-1.0, text("loss", "負け")),
                    (0.0, text("draw", "引き分け")),
                    (1.0, text("win", "勝ち")),
                ],
            },
            _ => Scale::around(values, self.middle(), self.name()),
        }
    }
}

/// A fraction, if it is short enough to be read.
fn short_fraction(x: &Rational) -> Text {
    let written = x.to_string();
    if written.len() > READABLE { Text::default() } else { Text::same(written.replace('-', "−")) }
}

/// A move with what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Rated<A> {
    /// The move.
    pub action: A,
    /// What it is worth to the player who makes it.
    pub score: Score,
    /// 1 for the best and all that are as good.
    pub rank: u32,
    /// How much less it is worth than the best, in the values people read; 0 where it is worth as much.
    pub loss: f64,
    /// More on it: what it is answered with.
    pub note: Text,
}

/// A step of a line of play.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// What is typed for it.
    pub id: String,
    /// What it is.
    pub label: Text,
    /// Who makes it; chance if nobody does.
    pub player: Option<u8>,
    /// For chance: the weight of this outcome and of all of them.
    pub chance: Option<(u32, u32)>,
    /// The position before it, as it is typed, or the part of a long one where the move is made; empty in the middle
    /// of a move.
    pub before: String,
}

/// What a position and every move in it is worth.
#[derive(Clone, Debug)]
pub struct Analysis<A> {
    /// What the position is worth to the player to move; to player 0 where nobody is. None where nobody knows it.
    pub value: Option<Score>,
    /// The moves whose values are known, best first. Of moves that are alike one stands for all.
    pub moves: Vec<Rated<A>>,
    /// How it goes on if everybody plays the first of the best moves and chance does the likeliest.
    pub line: Vec<Played>,
    /// Whether it goes on after the line.
    pub cut: bool,
    /// Whose value it is, in words.
    pub of: Text,
    /// What the value means, where that has to be said.
    pub note: Text,
    /// The ruler for the values.
    pub scale: Scale,
    /// How the values were computed.
    pub trust: Text,
    /// What else there is to say, for people.
    pub facts: Vec<(Text, Cell)>,
    /// Tables beyond the moves, for people.
    pub details: Vec<Block>,
    /// A list beside the moves in a picture, in place of the line of play.
    pub aside: Option<scene::Line>,
    /// Whether the answer is yes, where the value answers a question: what an exit code says.
    pub good: bool,
    /// Fields of the game's own, for programs.
    pub json: serde_json::Map<String, serde_json::Value>,
}

impl<A: Copy + PartialEq> Analysis<A> {
    /// Ranks moves that are given in the game's order. Values closer than `tolerance` are equal; exact ones only if
    /// they are. This is the one place that decides which moves are best.
    pub fn new(
        measure: &Measure,
        value: Option<Score>,
        moves: Vec<(A, Score)>,
        tolerance: f64,
    ) -> Analysis<A> {
        let moves = ranked(moves, tolerance);
        Analysis {
            scale: measure.scale(moves.iter().map(|m| m.score.x)),
            value: value.or_else(|| moves.first().map(|m| m.score.clone())),
            moves,
            line: Vec::new(),
            cut: false,
            of: measure.of(),
            note: measure.note(),
            trust: Text::default(),
            facts: Vec::new(),
            details: Vec::new(),
            aside: None,
            good: true,
            json: serde_json::Map::new(),
        }
    }

    /// A position of which no value is known, and why: nothing is claimed of it or of any move.
    pub fn unknown(measure: &Measure, why: Text) -> Analysis<A> {
        Analysis { trust: why, ..Analysis::new(measure, None, Vec::new(), 0.0) }
    }

    /// The value of a position that must have one.
    ///
    /// # Errors
    /// A bug of whoever asked, where nobody knows the value.
    pub fn known(&self) -> Result<&Score, Error> {
        self.value.as_ref().ok_or_else(|| Error::Bug("the position has no value".into()))
    }

    /// The best move: the first of those that are as good as any.
    pub fn pick(&self) -> Option<A> {
        self.moves.first().map(|m| m.action)
    }

    /// The best moves.
    pub fn best(&self) -> impl Iterator<Item = &Rated<A>> {
        self.moves.iter().take_while(|m| m.rank == 1)
    }

    /// What is known of a move.
    pub fn of_move(&self, a: A) -> Option<&Rated<A>> {
        self.moves.iter().find(|m| m.action == a)
    }
}

/// Puts moves into order, best first, and ranks them: equals share a rank and stay in the order they came in.
pub fn ranked<A>(moves: Vec<(A, Score)>, tolerance: f64) -> Vec<Rated<A>> {
    let (actions, scores): (Vec<A>, Vec<Score>) = moves.into_iter().unzip();
    let mut actions: Vec<Option<A>> = actions.into_iter().map(Some).collect();
    let placed = places(scores, tolerance).into_iter();
    let rated = |place: Place| {
        let Place { at, score, rank, loss } = place;
        Some(Rated { action: actions[at].take()?, score, rank, loss, note: Text::default() })
    };
    placed.filter_map(rated).collect()
}

/// The best of some scores.
fn top(scores: &[Score]) -> Option<&Score> {
    scores.iter().reduce(|a, b| if b.compare(a, 0.0).is_gt() { b } else { a })
}

/// Which of some scores [`ranked`] would put first.
pub fn first(scores: &[Score], tolerance: f64) -> Option<usize> {
    let top = top(scores)?;
    scores.iter().position(|score| score.compare(top, tolerance).is_ge())
}

/// Where a score stands among others: its number among those that were given, its rank, and what it loses.
struct Place {
    at: usize,
    score: Score,
    rank: u32,
    loss: f64,
}

/// The places of scores, best first. It knows no actions, so that it is compiled once and not for every game.
fn places(scores: Vec<Score>, tolerance: f64) -> Vec<Place> {
    let Some(top) = top(&scores).cloned() else { return Vec::new() };
    let best = |score: &Score| score.compare(&top, tolerance).is_ge();
    let mut scores: Vec<(usize, Score)> = scores.into_iter().enumerate().collect();
    // Equal moves in the game's order, whatever the last bits say.
    scores.sort_by(|a, b| {
        best(&b.1)
            .cmp(&best(&a.1))
            .then_with(|| if best(&a.1) && best(&b.1) { Ordering::Equal } else { b.1.compare(&a.1, 0.0) })
    });
    let mut out: Vec<Place> = Vec::with_capacity(scores.len());
    for (now, (at, score)) in scores.into_iter().enumerate() {
        let equal = |before: &Place| {
            (best(&before.score) && best(&score)) || before.score.compare(&score, 0.0).is_eq()
        };
        let rank = match out.last() {
            Some(before) if equal(before) => before.rank,
            _ => now as u32 + 1,
        };
        let as_much = match (&score.exact, &top.exact) {
            (Some(a), Some(b)) => a == b,
            _ => top.x - score.x <= tolerance,
        };
        let loss = if as_much { 0.0 } else { top.x - score.x };
        out.push(Place { at, score, rank, loss });
    }
    out
}

/// The value of a ranked move as a scene has it; `middle` is neither good nor bad.
pub fn drawn(score: &Score, rank: u32, loss: f64, middle: f64) -> scene::Value {
    let Score { x, bar, text: words, sub, certainty, interval, mark, .. } = score.clone();
    let x = bar.unwrap_or(x);
    let sub = match (sub.is_empty(), rank) {
        (false, _) => sub,
        // Yes or no says enough.
        (true, _) if mark.is_some() => Text::default(),
        (true, 1) => text("best", "最善"),
        (true, _) if loss == 0.0 => Text::default(),
        (true, _) if loss.fract() == 0.0 => Text::same(signed(-loss)),
        (true, _) => Text::same(signed(format!("{:.5}", -loss))),
    };
    scene::Value { x, text: words, sub, tone: Tone::of(x, middle), cert: certainty, interval, mark }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(x: f64, order: i64) -> Score {
        Score { order, ..Score::new(x, Text::default()) }
    }

    fn ranks(moves: &[(f64, i64)], tolerance: f64) -> Vec<(usize, u32)> {
        let moves = moves.iter().enumerate().map(|(i, &(x, order))| (i, score(x, order))).collect();
        let moves: Vec<(usize, Score)> = moves;
        let scores: Vec<Score> = moves.iter().map(|m| m.1.clone()).collect();
        let ranked: Vec<_> = ranked(moves, tolerance).into_iter().map(|m| (m.action, m.rank)).collect();
        assert_eq!(first(&scores, tolerance), ranked.first().map(|m| m.0));
        ranked
    }

    #[test]
    fn law_equals_share_a_rank_and_stay_in_order() {
        assert_eq!(ranks(&[(0.0, 0), (1.0, 0), (0.0, 0), (1.0, 0)], 0.0), [(1, 1), (3, 1), (0, 3), (2, 3)]);
        // Closer than the tolerance: the game's order, whatever the last bits say.
        assert_eq!(ranks(&[(1.0, 0), (1.0 + 1e-13, 0), (0.5, 0)], 1e-12), [(0, 1), (1, 1), (2, 3)]);
        assert_eq!(ranks(&[(1.0, 0), (1.0 + 1e-13, 0)], 0.0), [(1, 1), (0, 2)]);
        assert_eq!(ranks(&[], 0.0), []);
    }

    #[test]
    fn law_the_quicker_win_comes_first_and_costs_nothing() {
        let moves = vec![('a', score(1.0, -5)), ('b', score(1.0, -3)), ('c', score(-1.0, 8))];
        let all = ranked(moves, 0.0);
        let told: Vec<_> = all.iter().map(|m| (m.action, m.rank, m.loss)).collect();
        assert_eq!(told, [('b', 1, 0.0), ('a', 2, 0.0), ('c', 3, 2.0)]);
    }

    #[test]
    fn law_fractions_decide_where_doubles_cannot() {
        let third = Rational::new(1.into(), 3.into());
        let tiny = Rational::new(1.into(), num_traits_pow());
        let exact = |r: Rational| Score { exact: Some(r.clone()), ..Score::new(r.approx(), Text::default()) };
        let all = ranked(vec![('a', exact(third.clone())), ('b', exact(third + tiny))], 1e-9);
        assert_eq!(all.iter().map(|m| (m.action, m.rank)).collect::<Vec<_>>(), [('b', 1), ('a', 2)]);
        assert_eq!(all[0].score.x, all[1].score.x);
    }

    fn num_traits_pow() -> yomikiri_core::number::Integer {
        let mut n = yomikiri_core::number::Integer::from(1);
        for _ in 0..60 {
            n *= 10;
        }
        n
    }

    #[test]
    fn law_measures_write_values_as_people_read_them() {
        let of = |m: &Measure, n: i64, d: i64, plies| m.score(&Rational::new(n.into(), d.into()), plies);
        let win = of(&Measure::Result, 1, 1, Some(3));
        assert_eq!((win.text.en.as_ref(), win.sub.en.as_ref(), win.order), ("win", "in 3 moves", -3));
        assert!(of(&Measure::Result, -1, 1, Some(8)).order > of(&Measure::Result, -1, 1, Some(2)).order);
        let rate = of(&Measure::WinRate, -1, 35, None);
        assert_eq!((rate.text.en.as_ref(), rate.sub.en.as_ref()), ("0.48571", "17/35"));
        let points = Measure::Points { name: Text::same("points") };
        assert_eq!(of(&points, -3, 1, None).text.en, "−3");
        assert_eq!(of(&points, 1, 3, None).sub.en, "1/3");
    }
}
