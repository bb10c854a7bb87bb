//! Games with too many positions to keep them all: what is asked about is searched, and what was proved on the way is
//! remembered for the next question.

use crate::analyse::{Analyse, LINE, followed};
use crate::approach::{AllSeen, Approach};
use crate::describe::Describe;
use std::sync::{Arc, Mutex, PoisonError};
use yomikiri_core::{Error, Rational, Refusal, Run, Text, Turn, text};
use yomikiri_proof::{Fault, Lines, Proved};
use yomikiri_solve::minimax::{Contest, NullWindow};
use yomikiri_view::analysis::{Analysis, Score};
use yomikiri_view::scene::Viewer;

/// The word by which `--method` asks for it.
pub const WORD: &str = "search";
/// The share of the memory that a search may fill.
const SHARE: u64 = 2;
/// Positions looked at for one question, after which it is given up.
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

/// How games are solved that can be searched: as all others are, but for those that are too large.
pub struct Searchable<G> {
    /// Whether a game has more positions than are kept, so that positions are searched when they are asked about, and
    /// nothing is proved of all of them.
    pub large: fn(&G) -> bool,
}

impl<G: Describe + Contest + 'static> Searchable<G> {
    /// Whether a search is asked for, by its name or by the size of the game.
    fn searches(&self, game: &G, run: &Run<'_>) -> bool {
        run.method.map_or_else(|| (self.large)(game), |method| method == WORD)
    }
}

impl<G: Describe + Contest + 'static> Approach<G> for Searchable<G> {
    fn solver(
        &self,
        name: &str,
        game: &G,
        s: &G::State,
        run: &Run<'_>,
    ) -> Result<Box<dyn Analyse<G>>, Error> {
        if !self.searches(game, run) {
            return AllSeen.solver(name, game, s, run).map_err(|error| match error {
                Error::Refused(mut refusal) if refusal.field == "method" => {
                    let Text { en, ja } = refusal.accepts;
                    refusal.accepts = Text::of(format!("{en}, {WORD}"), format!("{ja}, {WORD}"));
                    Error::Refused(refusal)
                }
                error => error,
            });
        }
        let search = run.cached(&format!("{name} by {WORD}"), || {
            let memory = run.memory / SHARE;
            Ok((Mutex::new(NullWindow::new(MOST, &Run { memory, ..*run })), memory))
        })?;
        Ok(Box::new(Searched(search)))
    }

    fn kind(&self) -> &'static str {
        Approach::<G>::kind(&AllSeen)
    }

    fn proof(&self, name: &str, game: &G, run: &Run<'_>) -> Result<Vec<u8>, Error> {
        if self.searches(game, run) {
            let got =
                text("search, which proves nothing of all positions", "search（全局面の証明にはなりません）");
            let accepts = text(
                "a smaller board, or induction as far as memory goes",
                "より小さな盤、またはメモリの許す限りの induction",
            );
            return Err(Refusal::of("method", got, accepts).into());
        }
        AllSeen.proof(name, game, run)
    }

    fn check(&self, game: &G, lines: &mut dyn Lines, run: &Run<'_>) -> Result<Proved, Fault> {
        AllSeen.check(game, lines, run)
    }
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
