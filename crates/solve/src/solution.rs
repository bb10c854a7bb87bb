//! Values of any state from a solution that stores some of them: states that are not stored (chance, or in
//! the middle of a move) are looked through down to the ones that are.

use std::sync::Arc;
use yomikiri_core::{Error, Game, Number, Run, Text, Turn};

/// What a table knows of a state in which a player is to move.
pub enum Stored<N> {
    /// The value for the player to move.
    Value(N),
    /// Not stored, but everything behind it is.
    LookThrough,
    /// Nothing is known of it, nor of what is behind it.
    Missing,
}

/// A way to solve games.
pub trait Solver<G: Game> {
    /// The solved game.
    type Solution: Solution<G>;
    /// Solves the game within the means of the run.
    ///
    /// # Errors
    /// If the run is cancelled or its memory does not suffice, and what else the solver names.
    fn solve(&self, game: &G, run: &Run<'_>) -> Result<Self::Solution, Error>;
}

/// A solved game. A solver says what is stored; values of all other states and of moves follow.
///
/// ```
/// use yomikiri_core::{Game, Turn};
/// use yomikiri_solve::Solution;
/// use yomikiri_solve::solution::{Stored, first_best};
///
/// /// Players add 1 or 2 in turn; who says 10 wins.
/// struct Ten;
///
/// impl Game for Ten {
///     type State = (u8, u8);
///     type Action = u8;
///     fn start(&self) -> (u8, u8) { (0, 0) }
///     fn turn(&self, s: &(u8, u8)) -> Turn { if s.0 == 10 { Turn::Terminal } else { Turn::Player(s.1) } }
///     fn actions(&self, s: &(u8, u8), out: &mut Vec<u8>) { out.extend(1..=(10 - s.0).min(2)) }
///     fn apply(&self, s: &(u8, u8), a: u8) -> (u8, u8) { (s.0 + a, 1 - s.1) }
///     fn utility(&self, s: &(u8, u8), player: u8) -> i32 { if player == s.1 { -1 } else { 1 } }
/// }
///
/// /// The rule one finds by thinking: leave a distance that three divides.
/// struct Rule;
///
/// impl Solution<Ten> for Rule {
///     type Number = f64;
///     fn stored(&self, _: &Ten, s: &(u8, u8)) -> Stored<f64> {
///         Stored::Value(if (10 - s.0) % 3 == 0 { -1.0 } else { 1.0 })
///     }
/// }
///
/// assert_eq!(Rule.value(&Ten, &(0, 0)), Some(1.0));
/// assert_eq!(Rule.moves(&Ten, &(0, 0)), [(1, Some(1.0)), (2, Some(-1.0))]);
/// assert_eq!(first_best(&Rule.moves(&Ten, &(0, 0)), 0.0), Some(1));
/// ```
pub trait Solution<G: Game>: Sync {
    /// What values are made of.
    type Number: Number;

    /// What is known of a state in which a player is to move.
    fn stored(&self, game: &G, s: &G::State) -> Stored<Self::Number>;

    /// How far apart the bounds are whose middles the values are; 0 where values are what they are.
    fn width(&self) -> f64 {
        0.0
    }

    /// How close values count as equal: 0 for exact ones, the error of the computation for doubles.
    fn tolerance(&self) -> f64 {
        0.0
    }

    /// Moves to the end if both sides play their best, the winner quickly and the loser slowly; `None` where the
    /// solution does not know.
    fn distance(&self, _: &G, _: &G::State) -> Option<u32> {
        None
    }

    /// How it was found, in words.
    fn how(&self) -> Text {
        Text::default()
    }

    /// The word for the method that has found it, where there was a choice.
    fn method(&self) -> Option<&'static str> {
        None
    }

    /// How many positions it was found from, where they were counted.
    fn positions(&self) -> Option<u64> {
        None
    }

    /// The value for the player to move (for player 0 where chance is to move or the game is over);
    /// `None` if the solution does not cover the state.
    fn value(&self, game: &G, s: &G::State) -> Option<Self::Number> {
        let me = if let Turn::Player(p) = game.turn(s) { p } else { 0 };
        value_for(game, self, s, me)
    }

    /// Every legal action with its value for the player to move, in the game's order.
    fn moves(&self, game: &G, s: &G::State) -> Vec<(G::Action, Option<Self::Number>)> {
        let Turn::Player(p) = game.turn(s) else { return Vec::new() };
        let mut actions = Vec::new();
        game.actions(s, &mut actions);
        actions.into_iter().map(|a| (a, value_for(game, self, &game.apply(s, a), p))).collect()
    }
}

impl<G: Game, S: Solution<G> + Send + ?Sized> Solution<G> for Arc<S> {
    type Number = S::Number;

    fn stored(&self, game: &G, s: &G::State) -> Stored<S::Number> {
        (**self).stored(game, s)
    }
    fn tolerance(&self) -> f64 {
        (**self).tolerance()
    }
    fn width(&self) -> f64 {
        (**self).width()
    }
    fn distance(&self, game: &G, s: &G::State) -> Option<u32> {
        (**self).distance(game, s)
    }
    fn how(&self) -> Text {
        (**self).how()
    }
    fn method(&self) -> Option<&'static str> {
        (**self).method()
    }
    fn positions(&self) -> Option<u64> {
        (**self).positions()
    }
    fn value(&self, game: &G, s: &G::State) -> Option<S::Number> {
        (**self).value(game, s)
    }
    fn moves(&self, game: &G, s: &G::State) -> Vec<(G::Action, Option<S::Number>)> {
        (**self).moves(game, s)
    }
}

/// Everything that can happen in a state, whoever acts: a player or chance.
pub fn actions<G: Game>(game: &G, s: &G::State) -> Vec<G::Action> {
    let mut actions = Vec::new();
    match game.turn(s) {
        Turn::Terminal => {}
        Turn::Player(_) => game.actions(s, &mut actions),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chance(s, &mut outcomes);
            actions.extend(outcomes.into_iter().map(|o| o.0));
        }
    }
    actions
}

/// The value of a state for player `me`; `None` where the table does not reach.
pub fn value_for<G: Game, T: Solution<G> + ?Sized>(
    game: &G,
    table: &T,
    s: &G::State,
    me: u8,
) -> Option<T::Number> {
    match game.turn(s) {
        Turn::Terminal => Some(T::Number::from_int(game.utility(s, me))),
        Turn::Player(p) => {
            let value = match table.stored(game, s) {
                Stored::Value(value) => value,
                Stored::Missing => return None,
                Stored::LookThrough => best(game, table, s, p)?,
            };
            Some(if p == me { value } else { value.negate() })
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chance(s, &mut outcomes);
            let mut sum = T::Number::from_int(0);
            let mut total = 0;
            for (a, weight) in outcomes {
                sum.add_weighted(weight, &value_for(game, table, &game.apply(s, a), me)?);
                total += u64::from(weight);
            }
            sum.divide(total);
            Some(sum)
        }
    }
}

/// The best value player `p`, who is to move, can reach.
pub fn best<G: Game, T: Solution<G> + ?Sized>(game: &G, table: &T, s: &G::State, p: u8) -> Option<T::Number> {
    let mut actions = Vec::new();
    game.actions(s, &mut actions);
    let mut best: Option<T::Number> = None;
    for a in actions {
        let value = value_for(game, table, &game.apply(s, a), p)?;
        if best.as_ref().is_none_or(|b| value.compare(b).is_gt()) {
            best = Some(value);
        }
    }
    best
}

/// One action in a line of play.
#[derive(Clone, Debug)]
pub struct Ply<G: Game> {
    /// The state before it.
    pub before: G::State,
    /// What was done, by a player or by chance.
    pub action: G::Action,
    /// For chance: the weight of this outcome and of all of them.
    pub chance: Option<(u32, u32)>,
}

/// A line of best play from a state, at most `most` steps: players take the first of their best moves
/// (values within `tolerance` count as equal), chance does the likeliest thing, the first among equals.
pub fn best_line<G: Game, T: Solution<G>>(
    game: &G,
    table: &T,
    s: &G::State,
    most: usize,
    tolerance: f64,
) -> Vec<Ply<G>> {
    let mut line = Vec::new();
    let mut now = s.clone();
    while line.len() < most {
        let (action, chance) = match game.turn(&now) {
            Turn::Terminal => break,
            Turn::Player(_) => match first_best(&table.moves(game, &now), tolerance) {
                Some(action) => (action, None),
                None => break,
            },
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.chance(&now, &mut outcomes);
                let total = outcomes.iter().map(|o| o.1).sum();
                let Some(&(action, weight)) = outcomes.iter().rev().max_by_key(|o| o.1) else { break };
                (action, Some((weight, total)))
            }
        };
        let next = game.apply(&now, action);
        line.push(Ply { before: std::mem::replace(&mut now, next), action, chance });
    }
    line
}

/// The first action whose value is within `tolerance` of the best.
pub fn first_best<A: Copy, N: Number>(moves: &[(A, Option<N>)], tolerance: f64) -> Option<A> {
    let values: Vec<(A, f64)> = moves.iter().filter_map(|(a, v)| Some((*a, v.as_ref()?.approx()))).collect();
    let best = values.iter().map(|v| v.1).fold(f64::NEG_INFINITY, f64::max);
    values.iter().find(|v| v.1 >= best - tolerance).map(|v| v.0)
}
