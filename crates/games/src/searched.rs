//! Games with too many positions to keep them all: what is asked about is searched, and what was proved on the way is
//! remembered for the next question.

use crate::analyse::{Analyse, LINE, followed};
use crate::approach::{AllSeen, Approach};
use crate::describe::Describe;
use std::sync::{Arc, Mutex, PoisonError};
use yomikiri_core::{Error, Rational, Run, Text, Turn, text};
use yomikiri_solve::minimax::{Contest, NullWindow};
use yomikiri_view::analysis::{Analysis, Score};
use yomikiri_view::scene::Viewer;

/// The word by which `--method` asks for it.
pub const WORD: &str = "search";
/// The share of the memory that a search may fill.
const SHARE: u64 = 2;
/// Positions looked at for one question, after which it is given up: a quarter of an hour and more.
const MOST: u64 = 1 << 32;

/// A search that answers for any position of a game.
pub struct Searched<G: Contest>(Arc<Mutex<NullWindow<G>>>);

impl<G: Describe + Contest + 'static> Searched<G> {
    fn value(&self, game: &G, s: &G::State, run: &Run<'_>) -> Result<i32, Error> {
        // A search that was interrupted has proved what it remembers.
        let mut search = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        search.allow(MOST);
        search.value(game, s, run)
    }

    /// The moves that stand for all alike, each with its value for whoever is to move.
    fn moves(&self, game: &G, s: &G::State, run: &Run<'_>) -> Result<Vec<(G::Action, i32)>, Error> {
        let Turn::Player(player) = game.turn(s) else { return Ok(Vec::new()) };
        let mut actions = Vec::new();
        game.actions(s, &mut actions);
        actions.retain(|&a| game.alike(s, a) == a);
        let one = |a| self.value(game, &game.apply(s, a), run).map(|value| (a, for_player(value, player)));
        actions.into_iter().map(one).collect()
    }
}

fn for_player(value: i32, player: u8) -> i32 {
    if player == 0 { value } else { -value }
}

fn rational(value: i32) -> Rational {
    Rational::from_integer(value.into())
}

/// What answers for a position: a search where the game is `large` or one is asked for, otherwise what all other games
/// are solved by.
///
/// # Errors
/// As [`Approach::solver`].
pub fn solver<G: Describe + Contest + 'static>(
    name: &str,
    game: &G,
    s: &G::State,
    large: bool,
    run: &Run<'_>,
) -> Result<Box<dyn Analyse<G>>, Error> {
    match run.method {
        Some(WORD) => {}
        None if large => {}
        _ => {
            return AllSeen.solver(name, game, s, run).map_err(|error| match error {
                Error::Refused(mut refusal) if refusal.field == "method" => {
                    let Text { en, ja } = refusal.accepts;
                    refusal.accepts = Text::of(format!("{en}, {WORD}"), format!("{ja}, {WORD}"));
                    Error::Refused(refusal)
                }
                error => error,
            });
        }
    }
    let search = run.cached(&format!("{name} by {WORD}"), || {
        let memory = run.memory / SHARE;
        Ok((Mutex::new(NullWindow::new(MOST, &Run { memory, ..*run })), memory))
    })?;
    Ok(Box::new(Searched(search)))
}

impl<G: Describe + Contest + 'static> Analyse<G> for Searched<G> {
    fn analyse(
        &self,
        game: &G,
        s: &G::State,
        _: Viewer,
        run: &Run<'_>,
    ) -> Result<Analysis<G::Action>, Error> {
        run.observer.begin(&text("searching", "探索"), 0);
        let measure = game.measure();
        let player = if let Turn::Player(player) = game.turn(s) { player } else { 0 };
        let value = for_player(self.value(game, s, run)?, player);
        let scored = |(a, value)| -> (G::Action, Score) { (a, measure.score(&rational(value), None)) };
        let moves = self.moves(game, s, run)?.into_iter().map(scored).collect();
        let value = measure.score(&rational(value), None);
        let mut analysis = Analysis::new(&measure, Some(value), moves, 0.0);
        let best = |now: &G::State| -> Result<_, Error> {
            let moves = self.moves(game, now, run)?;
            let most = moves.iter().map(|m| m.1).max();
            Ok(moves.into_iter().find(|m| Some(m.1) == most).map(|m| m.0))
        };
        analysis.line = followed(game, s, best)?;
        analysis.cut = analysis.line.len() == LINE;
        analysis.trust = text(
            "Exact: every position that can change the value was looked at.",
            "厳密：値を変えうる局面をすべて調べた。",
        );
        run.observer.end();
        Ok(analysis)
    }

    fn how(&self) -> Text {
        text(
            "two players, no chance, no cycles, more positions than are kept: solved by search",
            "2人、偶然なし、循環なし、局面が多く保持しきれない：探索で解きました",
        )
    }

    fn method(&self) -> Option<&'static str> {
        Some(WORD)
    }
}
