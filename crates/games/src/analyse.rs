//! Where values come from: anything that can analyse the positions of a game, above all every solution.

use crate::describe::Describe;
use rustc_hash::FxHashSet;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Run, Text, Turn, text};
use yomikiri_solve::Solution;
use yomikiri_view::analysis::{Analysis, Measure, Played, Score, first};
use yomikiri_view::report::Certainty;
use yomikiri_view::scene::Viewer;

/// Steps of a line of play that are told.
pub const LINE: usize = 24;

/// A solved game, as far as its positions are asked about.
pub trait Analyse<G: Describe>: Send + Sync {
    /// What a position and every move in it is worth, by what a viewer knows.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, not covered by the table that was given.
    fn analyse(
        &self,
        game: &G,
        s: &G::State,
        viewer: Viewer,
        run: &Run<'_>,
    ) -> Result<Analysis<G::Action>, Error>;

    /// Adds to an analysis what takes longer and a picture has no room for: tables, the line of play, fractions. With
    /// `exact`, fractions are added however long they take.
    ///
    /// # Errors
    /// As [`Analyse::analyse`].
    fn detail(
        &self,
        game: &G,
        s: &G::State,
        analysis: &mut Analysis<G::Action>,
        exact: bool,
        run: &Run<'_>,
    ) -> Result<(), Error> {
        let _ = (game, s, analysis, exact, run);
        Ok(())
    }

    /// An analysis with its details for programs: with all that is told them, and whatever only people read left out
    /// where that takes time.
    ///
    /// # Errors
    /// As [`Analyse::analyse`].
    fn told(&self, game: &G, s: &G::State, run: &Run<'_>) -> Result<Analysis<G::Action>, Error> {
        let mut analysis = self.analyse(game, s, None, run)?;
        self.detail(game, s, &mut analysis, false, run)?;
        Ok(analysis)
    }

    /// A best move, where that is quicker to tell than all values.
    ///
    /// # Errors
    /// As [`Analyse::analyse`].
    fn best(&self, game: &G, s: &G::State, run: &Run<'_>) -> Result<Option<G::Action>, Error> {
        let viewer = if let Turn::Player(p) = game.turn(s) { Some(p) } else { None };
        Ok(self.analyse(game, s, viewer, run)?.pick())
    }

    /// What the machine plays where it is to move: a best move, unless its strategy mixes or does something else.
    ///
    /// # Errors
    /// As [`Analyse::analyse`].
    fn machine(
        &self,
        game: &G,
        s: &G::State,
        random: &mut Random,
        run: &Run<'_>,
    ) -> Result<Option<G::Action>, Error> {
        let _ = random;
        self.best(game, s, run)
    }

    /// What the machine plays at a strength that only this game has
    /// ([`Family::strengths`](crate::family::Family::strengths)); none where it knows no such strength.
    ///
    /// # Errors
    /// As [`Analyse::analyse`].
    fn plays(
        &self,
        strength: &str,
        game: &G,
        s: &G::State,
        random: &mut Random,
        run: &Run<'_>,
    ) -> Result<Option<G::Action>, Error> {
        let _ = (strength, game, s, random, run);
        Ok(None)
    }

    /// Whether a move is surely as good as any, where that is quicker to tell than all values.
    ///
    /// # Errors
    /// As [`Analyse::analyse`].
    fn good(&self, game: &G, s: &G::State, a: G::Action, run: &Run<'_>) -> Result<bool, Error> {
        let _ = (game, s, a, run);
        Ok(false)
    }

    /// How the game was solved, in words, with the number of positions.
    fn how(&self) -> Text {
        Text::default()
    }

    /// The word for the method by which it was solved, where there was a choice.
    fn method(&self) -> Option<&'static str> {
        None
    }

    /// How many positions were solved, where they were counted.
    fn positions(&self) -> Option<u64> {
        None
    }

    /// Moves to the end of the game if both sides play their best, the winner quickly and the loser slowly, where that
    /// is known.
    fn plies(&self, game: &G, s: &G::State) -> Option<u32> {
        let _ = (game, s);
        None
    }
}

/// A score as the middle of bounds, where they are apart.
fn bounded(measure: &Measure, score: Score, width: f64) -> Score {
    if width == 0.0 {
        return score;
    }
    // The share of games won is half as far apart as payoffs from −1 to 1.
    let half = if *measure == Measure::WinRate { width / 4.0 } else { width / 2.0 };
    let interval = Some((score.x - half, score.x + half));
    Score { certainty: Certainty::Bound, interval, exact: None, sub: Text::default(), ..score }
}

/// The moves of a state that stand for all alike, with their scores as `measured` says them, in the game's order; `None` if
/// the solution does not cover the state.
fn scores<G: Describe, S: Solution<G> + ?Sized>(
    game: &G,
    solution: &S,
    s: &G::State,
    measured: impl Fn(&S::Number, Option<u32>) -> Score,
) -> Option<Vec<(G::Action, Score)>> {
    let moves = solution.moves(game, s).into_iter().filter(|m| game.alike(s, m.0) == m.0);
    let one = |(a, value): (G::Action, Option<S::Number>)| {
        let plies = solution.distance(game, &game.apply(s, a)).map(|n| n.saturating_add(1));
        Some((a, measured(&value?, plies)))
    };
    moves.map(one).collect()
}

/// How it goes on from a state: everybody plays the first of the best moves, and chance does the likeliest.
pub fn line<G: Describe, S: Solution<G> + ?Sized>(game: &G, solution: &S, s: &G::State) -> Vec<Played> {
    line_for(game, solution, s, true)
}

/// The same for programs: moves by what is typed for them alone.
pub fn typed_line<G: Describe, S: Solution<G> + ?Sized>(game: &G, solution: &S, s: &G::State) -> Vec<Played> {
    line_for(game, solution, s, false)
}

fn line_for<G: Describe, S: Solution<G> + ?Sized>(
    game: &G,
    solution: &S,
    s: &G::State,
    in_words: bool,
) -> Vec<Played> {
    let (measure, width) = (game.measure(), solution.width());
    let bare = |value: &S::Number, plies| bounded(&measure, measure.bare(value, plies), width);
    let best = |now: &G::State| -> Result<_, std::convert::Infallible> {
        let moves = scores(game, solution, now, bare);
        let (mut actions, scores): (Vec<_>, Vec<_>) = moves.unwrap_or_default().into_iter().unzip();
        Ok(first(&scores, solution.tolerance()).map(|at| actions.swap_remove(at)))
    };
    let Ok(line) = walked(game, s, in_words, best);
    line
}

/// How it goes on if players do what `best` says, as far as it says anything.
pub(crate) fn followed<G: Describe, E>(
    game: &G,
    s: &G::State,
    best: impl FnMut(&G::State) -> Result<Option<G::Action>, E>,
) -> Result<Vec<Played>, E> {
    walked(game, s, true, best)
}

fn walked<G: Describe, E>(
    game: &G,
    s: &G::State,
    in_words: bool,
    mut best: impl FnMut(&G::State) -> Result<Option<G::Action>, E>,
) -> Result<Vec<Played>, E> {
    let mut line: Vec<Played> = Vec::new();
    let mut now = s.clone();
    let mut seen = FxHashSet::default();
    // A position that comes again would come for ever.
    while line.len() < LINE && seen.insert(now.clone()) {
        let (action, player, chance) = match game.turn(&now) {
            Turn::Terminal => break,
            Turn::Player(p) => {
                let Some(best) = best(&now)? else { break };
                (best, Some(p), None)
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.chance(&now, &mut outcomes);
                let total = outcomes.iter().map(|o| o.1).sum();
                let Some(&(action, weight)) = outcomes.iter().rev().max_by_key(|o| o.1) else { break };
                (action, None, Some((weight, total)))
            }
        };
        let id = game.action(&now, action).id;
        let (label, before) = match in_words {
            true => (game.words(&now, action), game.print(&now).unwrap_or_default()),
            false => Default::default(),
        };
        line.push(Played { id, label, player, chance, before });
        now = game.apply(&now, action);
    }
    Ok(line)
}

/// Any solution of a game, asked for its values.
pub struct Valued<S>(pub S);

impl<G: Describe, S: Solution<G> + Send> Analyse<G> for Valued<S> {
    fn analyse(&self, game: &G, s: &G::State, _: Viewer, _: &Run<'_>) -> Result<Analysis<G::Action>, Error> {
        let missing = || Error::Bug(format!("the solution does not reach {s:?}"));
        let measure = game.measure();
        let value = self.0.value(game, s).ok_or_else(missing)?;
        let value = bounded(&measure, measure.score(&value, self.0.distance(game, s)), self.0.width());
        let width = self.0.width();
        let written = |value: &S::Number, plies| bounded(&measure, measure.score(value, plies), width);
        let moves = scores(game, &self.0, s, written).ok_or_else(missing)?;
        let mut analysis = Analysis::new(&measure, Some(value), moves, self.0.tolerance());
        if G::PLAYERS > 1 && !matches!(game.turn(s), Turn::Player(_)) {
            analysis.of = measure.of_first();
        }
        analysis.line = line(game, &self.0, s);
        analysis.cut = analysis.line.len() == LINE;
        analysis.trust = match self.0.width() > 0.0 {
            true => text(
                "Bounds: fractions grew too long, so that values were rounded down and up.",
                "上下界：分数が長くなりすぎるため、下と上に丸めた。",
            ),
            false => {
                text("Exact: every position that can follow was looked at.", "厳密：後に続く全局面を調べた。")
            }
        };
        Ok(analysis)
    }

    fn how(&self) -> Text {
        self.0.how()
    }

    fn method(&self) -> Option<&'static str> {
        self.0.method()
    }

    fn positions(&self) -> Option<u64> {
        self.0.positions()
    }

    fn plies(&self, game: &G, s: &G::State) -> Option<u32> {
        self.0.distance(game, s)
    }
}
