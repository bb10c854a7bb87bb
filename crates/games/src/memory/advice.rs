//! What a table of cards is worth: the values of the counted position, said of cards. Which moves are best is decided by
//! their values in doubles; fractions, where they are short or asked for, stand beside them and change nothing.

use super::answer::{Answer, answer, ranks_needed, shown, table_for, told, told_second};
use super::levels::{Doubles, Factorials, Levels, TOLERANCE};
use super::lines::{SHARP, SevenLines};
use super::notation::{label, word};
use super::opened;
use super::rules::{self, Memory, Objective, State};
use super::summary::EXACT_CARDS;
use super::table::{Act, CardTable, Layout};
use crate::analyse::{self, Analyse};
use crate::describe::Describe;
use crate::told::{Told, ranking};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Number, Rational, Run, Text, Turn, text};
use yomikiri_solve::solution::{Solution, Stored, value_for};
use yomikiri_view::analysis::{Analysis, Score, compare, ranked};
use yomikiri_view::report::{Block, Cell};
use yomikiri_view::scene::{Line, LineStep, Viewer, signed};

/// Cards up to which the values of every picture are also told as fractions.
const QUICK_CARDS: usize = 24;
/// The strength that plays as most people do.
pub const NORMAL: &str = "normal";
/// Ranks of a row that are named.
const NAMED: usize = 6;

/// A solution of [`Memory`] that speaks about cards. Values are those of the counted position, so what
/// chance is going to do plays no part in them.
pub struct Advice<S>(pub S);

impl<S: Solution<Memory>> Solution<CardTable> for Advice<S> {
    type Number = S::Number;

    fn stored(&self, game: &CardTable, s: &Layout) -> Stored<S::Number> {
        // Never looked through on the table, where every place would be a branch.
        self.value(game, s).map_or(Stored::Missing, Stored::Value)
    }

    fn tolerance(&self) -> f64 {
        self.0.tolerance()
    }

    fn value(&self, game: &CardTable, s: &Layout) -> Option<S::Number> {
        self.0.value(game.memory(), &game.position(s))
    }

    /// One act for all that are alike with its value, in the game's order: there may be hundreds of unknown cards, and
    /// they are all worth the same.
    fn moves(&self, game: &CardTable, s: &Layout) -> Vec<(Act, Option<S::Number>)> {
        on_cards(game, s, self.0.moves(game.memory(), &game.position(s)))
    }
}

/// The acts that stand for counted decisions, with what is known of them, in the game's order.
fn on_cards<T>(game: &CardTable, s: &Layout, counted: Vec<(rules::Action, T)>) -> Vec<(Act, T)> {
    let act = |(action, known)| Some((game.acts(s, action).next()?, known));
    let mut acts: Vec<(Act, T)> = counted.into_iter().filter_map(act).collect();
    acts.sort_by_key(|m| m.0);
    acts
}

/// A value as people read it.
fn score(objective: Objective, x: f64) -> Score {
    let digits = |n: usize| match objective {
        Objective::Win => format!("{x:.n$}"),
        Objective::Cards => signed(format!("{x:.n$}")),
    };
    Score { long: Text::same(digits(12)), ..Score::new(x, Text::same(digits(5))) }
}

/// The answer of the position that was asked about last: its value, its tables and its line are asked for one by one.
struct Last<N>(Mutex<Option<(State, Arc<Answer<N>>)>>);

impl<N: Number> Last<N> {
    fn new() -> Last<N> {
        Last(Mutex::new(None))
    }

    fn answer<S: Solution<Memory, Number = N>>(
        &self,
        game: &Memory,
        solution: &S,
        s: &State,
    ) -> Result<Arc<Answer<N>>, Error> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, answer)) = last.as_ref().filter(|(position, _)| position == s) {
            return Ok(answer.clone());
        }
        let answer = Arc::new(answer(game, solution, s).ok_or_else(missing)?);
        *last = Some((s.clone(), answer.clone()));
        Ok(answer)
    }
}

/// The tables that answer for a position and all that can follow.
pub struct Solved {
    levels: Arc<Levels<Doubles>>,
    /// The same in fractions, where they are short.
    exact: Option<Arc<Levels<Factorials>>>,
    last: Last<f64>,
    last_exact: Last<Rational>,
}

impl Solved {
    /// The tables for a position.
    ///
    /// # Errors
    /// If the table in doubles cannot be had.
    pub fn new(game: &Memory, s: &State, run: &Run<'_>) -> Result<Solved, Error> {
        let levels = table_for(game, s, |_| Doubles, run)?;
        let exact = fractions(game, s, QUICK_CARDS, run)?;
        Ok(Solved { levels, exact, last: Last::new(), last_exact: Last::new() })
    }

    fn answer(&self, game: &CardTable, s: &Layout) -> Result<Arc<Answer<f64>>, Error> {
        let found = self.last.answer(game.memory(), &self.levels, &game.position(s));
        self.levels.sound()?;
        found
    }

    /// What everybody is told of a position, its scores as `score` has them.
    fn rated(
        &self,
        game: &CardTable,
        s: &Layout,
        score: impl Fn(Objective, f64) -> Score,
        fraction: impl Fn(Score, Rational) -> Score,
    ) -> Result<Analysis<Act>, Error> {
        let (memory, position) = (game.memory(), game.position(s));
        let found = self.answer(game, s)?;
        let value = score(memory.objective(), found.value);
        let moves = on_cards(game, s, found.moves.clone());
        let moves = moves.into_iter().map(|(a, x)| (a, score(memory.objective(), x))).collect();
        let mut analysis = Analysis::new(&game.measure(), Some(value), moves, TOLERANCE);
        analysis.json.insert("second".into(), told_second(memory, &found));
        let other = if memory.objective() == Objective::Win { 1.0 - found.value } else { -found.value };
        analysis.json.insert("values".into(), [found.value + 0.0, other + 0.0].as_slice().into());
        if let Some(exact) = &self.exact {
            let exact = self.last_exact.answer(memory, exact, &position)?;
            add_fractions(game, s, &mut analysis, &exact, fraction);
        }
        add_line(game, s, &mut analysis);
        Ok(analysis)
    }

    /// The moves with their scores, in the game's order.
    fn scores(&self, game: &CardTable, s: &Layout, found: &Answer<f64>) -> Vec<(Act, Score)> {
        let moves = on_cards(game, s, found.moves.clone());
        moves.into_iter().map(|(a, x)| (a, score(game.memory().objective(), x))).collect()
    }

    /// What the next unknown card brings, by rank.
    fn turned_up(&self, game: &CardTable, s: &Layout) -> Option<Line> {
        let (memory, position) = (game.memory(), game.position(s));
        let Turn::Player(mover) = memory.turn(&position) else { return None };
        let turns = |a: &rules::Action| matches!(a, rules::Action::Flip | rules::Action::Unknown);
        let turning = game.legal(&position).into_iter().find(turns)?;
        let lying = game.apply(s, game.acts(s, turning).next()?);
        let counted = memory.apply(&position, turning);
        let mut outcomes = Vec::new();
        memory.chance(&counted, &mut outcomes);
        let total: u32 = outcomes.iter().map(|o| o.1).sum();
        let objective = memory.objective();
        // Ranks that come to the same share a row.
        let mut rows: Vec<(f64, u32, Vec<u8>)> = Vec::new();
        for (action, weight) in outcomes {
            let value = value_for(memory, &self.levels, &memory.apply(&counted, action), mover)?;
            let value = shown(objective, &value);
            let ranks = game.acts(&lying, action).filter_map(|a| match a {
                Act::Turned(rank) => Some(rank),
                _ => None,
            });
            match rows.iter_mut().find(|row| compare(&row.0, &value, TOLERANCE).is_eq()) {
                Some(row) => {
                    row.1 += weight;
                    row.2.extend(ranks);
                }
                None => rows.push((value, weight, ranks.collect())),
            }
        }
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let steps = rows.into_iter().map(|(value, weight, mut ranks)| {
            ranks.sort_unstable();
            let more = if ranks.len() > NAMED { " …" } else { "" };
            let ranks = ranks.iter().take(NAMED).map(|&rank| game.label(rank)).collect::<Vec<_>>().join(" ");
            LineStep {
                text: Text::of(
                    format!("{ranks}{more} ({weight} of {total})"),
                    format!("{ranks}{more}（{total}枚中{weight}枚）"),
                ),
                sub: score(objective, value).text,
                seat: None,
            }
        });
        Some(Line {
            title: text("What turns up, and best play after it", "めくれたカードとその後の最善の値"),
            note: Text::default(),
            list: true,
            steps: steps.collect(),
        })
    }
}

fn missing() -> Error {
    Error::Bug("the table does not reach the position".into())
}

/// The table in fractions for a position that needs so many cards at most; none where it cannot be had.
fn fractions(
    game: &Memory,
    s: &State,
    cards: usize,
    run: &Run<'_>,
) -> Result<Option<Arc<Levels<Factorials>>>, Error> {
    // A table on disk has no fractions, and nothing is solved beside one that stands alone.
    if opened::alone(run) || ranks_needed(game, s) * game.copies() > cards {
        return Ok(None);
    }
    match table_for(game, s, Factorials::new, run) {
        // They are an extra: without them the decimals are there.
        Err(Error::Refused(_) | Error::Memory { .. }) => Ok(None),
        found => found.map(Some),
    }
}

/// Writes fractions beside the values of an analysis.
fn add_fractions(
    game: &CardTable,
    s: &Layout,
    analysis: &mut Analysis<Act>,
    found: &Answer<Rational>,
    fraction: impl Fn(Score, Rational) -> Score,
) {
    analysis.value = analysis.value.take().map(|value| fraction(value, found.value.clone()));
    for (a, value) in on_cards(game, s, found.moves.clone()) {
        if let Some(m) = analysis.moves.iter_mut().find(|m| m.action == a) {
            m.score = fraction(m.score.clone(), value);
        }
    }
}

/// A value for programs, which read no text, and with the fraction that it is.
fn bare(_: Objective, x: f64) -> Score {
    Score::new(x, Text::default())
}

fn bare_fraction(score: Score, exact: Rational) -> Score {
    Score { exact: Some(exact), ..score }
}

/// The decisions on the second card in a table for each pattern that the first can turn out to have.
fn second_cards(
    game: &Memory,
    s: &State,
    found: &Answer<f64>,
    exact: Option<&Answer<Rational>>,
) -> Vec<Block> {
    let total: u32 = found.second.iter().map(|c| c.1).sum();
    let table = |(pattern, weight, values): &(rules::Pattern, u32, Vec<(rules::Action, f64)>)| {
        let scores = values.iter().map(|&(a, x)| (a, score(game.objective(), x))).collect();
        let mut moves = ranked(scores, TOLERANCE);
        let exact = exact.and_then(|exact| exact.second.iter().find(|c| c.0 == *pattern));
        for (a, value) in exact.into_iter().flat_map(|c| &c.2) {
            if let Some(m) = moves.iter_mut().find(|m| m.action == *a) {
                m.score = m.score.clone().fraction(value.clone());
            }
        }
        let (unknown, known) = (pattern.unknown, pattern.known);
        let turned = State { phase: rules::Phase::Second(game.place(unknown, known)), ..s.clone() };
        if let Some((line, a, _)) = said(game, &turned)
            && let Some(m) = moves.iter_mut().find(|m| m.action == a)
        {
            m.note = Text::of(format!("line {line}"), format!("指針{line}"));
        }
        let title = Text::of(
            format!("second card if a ({unknown},{known}) rank turns up, chance {weight}/{total}"),
            format!("({unknown},{known})が出たとき（確率{weight}/{total}）の2枚目"),
        );
        ranking(
            title,
            &moves
                .iter()
                .map(|m| Told::new(m, word(game, m.action), label(game, m.action)))
                .collect::<Vec<_>>(),
        )
    };
    found.second.iter().filter_map(table).collect()
}

/// What a list to keep in mind says in a position: the line, the decision, and the line in words.
fn said(game: &Memory, s: &State) -> Option<(usize, rules::Action, Text)> {
    let (line, a) = SHARP.says(game, s).filter(|_| SevenLines::about(game))?;
    let words = SHARP.lines()[line - 1];
    let words = Text::of(format!("Line {line}: {}", words.en), format!("指針{line}：{}", words.ja));
    Some((line, a, words))
}

/// Writes the line that speaks beside the move that it says, with what that costs for programs.
fn add_line(game: &CardTable, s: &Layout, analysis: &mut Analysis<Act>) {
    let (memory, position) = (game.memory(), game.position(s));
    let Some((line, a, words)) = said(memory, &position) else { return };
    let act = on_cards(game, s, vec![(a, ())]).first().map(|m| m.0);
    let Some(m) = analysis.moves.iter_mut().find(|m| Some(m.action) == act) else { return };
    m.note = words;
    let told = json!({"line": line, "text": m.note, "move": word(memory, a), "loss": m.loss});
    analysis.json.insert("advice".into(), told);
}

impl Analyse<CardTable> for Solved {
    fn analyse(&self, game: &CardTable, s: &Layout, _: Viewer, _: &Run<'_>) -> Result<Analysis<Act>, Error> {
        let (memory, position) = (game.memory(), game.position(s));
        let mut analysis = self.rated(game, s, score, Score::fraction)?;
        if memory.objective() == Objective::Cards {
            analysis.of = text("Pairs more for the player to move", "手番側のペア差");
            analysis.note = text("on average", "期待値");
        }
        analysis.facts.push((
            text("pairs left / difference", "残りペア／差"),
            Cell::from(format!("{} / {:+}", memory.remaining(&position.counts), position.diff)),
        ));
        if position.passed {
            let passed = text("just passed", "直前にパスした");
            analysis.facts.push((text("the other has", "相手は"), passed.into()));
        }
        analysis.aside = self.turned_up(game, s);
        self.levels.sound()?;
        analysis.trust = text(
            "Exact: every position that can follow is in the table, by backward induction.",
            "厳密：後に続く全局面を後ろ向き帰納で求めた表による。",
        );
        Ok(analysis)
    }

    fn detail(
        &self,
        game: &CardTable,
        s: &Layout,
        analysis: &mut Analysis<Act>,
        exact: bool,
        run: &Run<'_>,
    ) -> Result<(), Error> {
        let (memory, position) = (game.memory(), game.position(s));
        let levels = match exact {
            true => Some(table_for(memory, &position, Factorials::new, run)?),
            false => fractions(memory, &position, EXACT_CARDS, run)?,
        };
        let exact = levels.map(|levels| self.last_exact.answer(memory, &levels, &position)).transpose()?;
        if let Some(exact) = &exact {
            add_fractions(game, s, analysis, exact, Score::fraction);
            analysis.json.insert("exact".into(), Value::Object(told(memory, exact)));
        }
        analysis.details = second_cards(memory, &position, &*self.answer(game, s)?, exact.as_deref());
        analysis.line = analyse::line(game, &Advice(self.levels.clone()), s);
        analysis.cut = analysis.line.len() == analyse::LINE;
        self.levels.sound()
    }

    fn told(&self, game: &CardTable, s: &Layout, run: &Run<'_>) -> Result<Analysis<Act>, Error> {
        let (memory, position) = (game.memory(), game.position(s));
        let mut analysis = self.rated(game, s, bare, bare_fraction)?;
        if let Some(levels) = fractions(memory, &position, EXACT_CARDS, run)? {
            let exact = self.last_exact.answer(memory, &levels, &position)?;
            add_fractions(game, s, &mut analysis, &exact, bare_fraction);
            analysis.json.insert("exact".into(), Value::Object(told(memory, &exact)));
        }
        analysis.line = analyse::typed_line(game, &Advice(self.levels.clone()), s);
        self.levels.sound()?;
        Ok(analysis)
    }

    fn best(&self, game: &CardTable, s: &Layout, _: &Run<'_>) -> Result<Option<Act>, Error> {
        let found = self.answer(game, s)?;
        Ok(ranked(self.scores(game, s, &found), TOLERANCE).first().map(|m| m.action))
    }

    /// As most people play: a known pair, or an unknown card and its partner if that is known, or another unknown card.
    fn plays(
        &self,
        strength: &str,
        game: &CardTable,
        s: &Layout,
        random: &mut Random,
        _: &Run<'_>,
    ) -> Result<Option<Act>, Error> {
        if strength != NORMAL {
            return Ok(None);
        }
        let mut acts = Vec::new();
        game.actions(s, &mut acts);
        let liked = |a: &Act| match a {
            Act::Take(_) | Act::Same(_) => 0,
            Act::Turn(_) | Act::Unknown(_) => 1,
            _ => 2,
        };
        let first = acts.iter().map(liked).min();
        let acts: Vec<(Act, u32)> =
            acts.into_iter().filter(|a| Some(liked(a)) == first).map(|a| (a, 1)).collect();
        Ok(random.draw(&acts))
    }

    fn good(&self, game: &CardTable, s: &Layout, a: Act, _: &Run<'_>) -> Result<bool, Error> {
        let (found, alike) = (self.answer(game, s)?, game.alike(s, a));
        let moves = ranked(self.scores(game, s, &found), TOLERANCE);
        Ok(moves.iter().any(|m| m.action == alike && m.rank == 1))
    }
}
