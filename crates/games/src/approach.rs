//! How a game is solved and proved: by one of two ways, for games in which everybody sees everything and for others.

use crate::analyse::{Analyse, Valued};
use crate::describe::Describe;
use std::sync::Arc;
use yomikiri_core::{Error, Run};
use yomikiri_proof::{Fault, Lines, Proved, values};
use yomikiri_solve::Auto;

/// A way to solve games of some kind and to prove what they are worth.
pub trait Approach<G: Describe>: Sync {
    /// What answers for a position; what was solved is kept under a name.
    ///
    /// # Errors
    /// What the solver fails with.
    fn solver(&self, name: &str, game: &G, s: &G::State, run: &Run<'_>)
    -> Result<Box<dyn Analyse<G>>, Error>;

    /// The word for what its proofs are made of.
    fn kind(&self) -> &'static str;

    /// The lines of a proof.
    ///
    /// # Errors
    /// What the solver fails with.
    fn proof(&self, name: &str, game: &G, run: &Run<'_>) -> Result<Vec<u8>, Error>;

    /// Checks the lines of a proof by the rules alone.
    ///
    /// # Errors
    /// Why it is not accepted.
    fn check(&self, game: &G, lines: &mut dyn Lines, run: &Run<'_>) -> Result<Proved, Fault>;

    /// Whether it is for games whose players do not see everything.
    fn hidden(&self) -> bool {
        false
    }

    /// What a player who is to move knows, in such a game.
    fn info(&self, game: &G, s: &G::State, player: u8) -> Option<String> {
        let _ = (game, s, player);
        None
    }
}

/// The name of what was solved by a method, if one was asked for.
pub(crate) fn by_method(name: &str, run: &Run<'_>) -> String {
    run.method.map_or_else(|| name.to_owned(), |method| format!("{name} by {method}"))
}

/// Everybody sees everything: what [`yomikiri_solve::auto`] picks.
pub struct AllSeen;

impl AllSeen {
    fn solved<G: Describe + 'static>(
        name: &str,
        game: &G,
        from: Option<&G::State>,
        run: &Run<'_>,
    ) -> Result<Arc<Auto<G>>, Error> {
        run.cached(&by_method(name, run), || {
            let solved = match from {
                Some(s) => Auto::solve_from(game, s, run)?,
                None => Auto::solve_keeping(game, &game.start(), Some(name), run)?,
            };
            let bytes = solved.bytes();
            Ok((solved, bytes))
        })
    }
}

impl<G: Describe + 'static> Approach<G> for AllSeen {
    fn solver(
        &self,
        name: &str,
        game: &G,
        s: &G::State,
        run: &Run<'_>,
    ) -> Result<Box<dyn Analyse<G>>, Error> {
        let whole = AllSeen::solved(name, game, None, run)?;
        if whole.covers(s) {
            return Ok(Box::new(Valued(whole)));
        }
        // A legal position that play from the start does not reach.
        Ok(Box::new(Valued(AllSeen::solved(&format!("{name} {s:?}"), game, Some(s), run)?)))
    }

    fn kind(&self) -> &'static str {
        "values"
    }

    fn proof(&self, name: &str, game: &G, run: &Run<'_>) -> Result<Vec<u8>, Error> {
        AllSeen::solved(name, game, None, run)?.proof(game, run)
    }

    fn check(&self, game: &G, lines: &mut dyn Lines, run: &Run<'_>) -> Result<Proved, Fault> {
        values::check(game, lines, run)
    }
}
