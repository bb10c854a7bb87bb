//! Ways of playing Memory that are not optimal play: how most people play, what the paper's search looks
//! at, and a solved table followed to the letter.

use yomikiri_games::memory::answer::best;
use yomikiri_games::memory::rules::{Action, Memory, Phase, State};
use yomikiri_solve::restrict::Policy;
use yomikiri_solve::solution::Solution;

/// Keeps only the first action of which `wanted` is true, if there is one.
fn only(actions: &mut Vec<Action>, wanted: impl Fn(Action) -> bool) {
    if let Some(&a) = actions.iter().find(|&&a| wanted(a)) {
        actions.clear();
        actions.push(a);
    }
}

/// How most people play: take a known pair; else turn an unknown card and take its match if that is
/// known; else turn another unknown card.
pub struct Normal;

impl Policy<Memory> for Normal {
    fn restrict(&self, _: &Memory, s: &State, actions: &mut Vec<Action>) {
        match s.phase {
            Phase::First if matches!(actions[0], Action::Take(_)) => actions.truncate(1),
            Phase::First => only(actions, |a| a == Action::Flip),
            _ if actions[0] == Action::Same => actions.truncate(1),
            _ => only(actions, |a| a == Action::Unknown),
        }
    }
}

/// What the paper's search expands. A known pair that costs nothing is taken without a look at other
/// moves where a pass stays possible without it, which is where three ranks have known cards. A pass
/// needs two ranks with known cards and a difference of at least 0; an answer to a pass ends the game
/// and so adds no position.
pub struct PaperSearch;

impl Policy<Memory> for PaperSearch {
    fn restrict(&self, game: &Memory, s: &State, actions: &mut Vec<Action>) {
        if s.phase != Phase::First {
            return;
        }
        let free = |a: Action| matches!(a, Action::Take(take) if game.taken(take).free_pair());
        if game.known_ranks(&s.counts) >= 3 && actions.iter().any(|&a| free(a)) {
            only(actions, free);
        } else if s.diff < 0 {
            actions.retain(|&a| a != Action::Pass);
        }
    }
}

/// The paper's search, and never a second unknown card after a first one of a (3,1) rank.
pub(super) struct NoSecondUnknown;

impl Policy<Memory> for NoSecondUnknown {
    fn restrict(&self, game: &Memory, s: &State, actions: &mut Vec<Action>) {
        PaperSearch.restrict(game, s, actions);
        if let Phase::Second(i) = s.phase
            && game.place(3, 1) == i
        {
            actions.retain(|&a| a != Action::Unknown);
        }
    }
}

/// Plays the first best move of a solved table.
pub struct Follow<'a, S>(pub &'a S);

impl<S: Solution<Memory> + Send> Policy<Memory> for Follow<'_, S> {
    fn restrict(&self, game: &Memory, s: &State, actions: &mut Vec<Action>) {
        let values: Vec<_> = self.0.moves(game, s).into_iter().filter_map(|(a, v)| Some((a, v?))).collect();
        if let Some(&a) = best(&values).first() {
            actions.clear();
            actions.push(a);
        }
    }
}
