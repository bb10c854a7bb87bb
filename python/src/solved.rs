//! A game that was walked through, solved: by what suits it, and asked by numbers of states and of what is known.

use crate::expand::Expanded;
use crate::run::{Options, work};
use num_traits::Zero;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;
use yomikiri_core::{Error, Game, Rational, Run, Text, Turn, text};
use yomikiri_games::given::{Arrays, CHANCE, Given, Names, OVER};
use yomikiri_games::hidden::Strategies;
use yomikiri_solve::Auto;
use yomikiri_solve::graph::Graph;
use yomikiri_solve::tree::Tree;
use yomikiri_view::analysis::Measure;

/// The most players of a game.
pub const MOST: usize = 8;

/// Does something with a game whose number of players, and whether they are opposed, the compiler knows.
macro_rules! for_players {
    ($players:expr, $opposed:expr, $given:ident, $body:expr) => {
        match ($players, $opposed) {
            (1, _) => {
                type $given = Given<1, false>;
                $body
            }
            (2, true) => {
                type $given = Given<2, true>;
                $body
            }
            (2, false) => {
                type $given = Given<2, false>;
                $body
            }
            (3, _) => {
                type $given = Given<3, false>;
                $body
            }
            (4, _) => {
                type $given = Given<4, false>;
                $body
            }
            (5, _) => {
                type $given = Given<5, false>;
                $body
            }
            (6, _) => {
                type $given = Given<6, false>;
                $body
            }
            (7, _) => {
                type $given = Given<7, false>;
                $body
            }
            _ => {
                type $given = Given<8, false>;
                $body
            }
        }
    };
}
pub(crate) use for_players;

/// A game of some arrays, for programs alone.
fn nameless<const PLAYERS: usize, const ZERO_SUM: bool>(
    arrays: &Arc<Arrays>,
    payoffs: &Arc<[i32]>,
    hidden: bool,
) -> Given<PLAYERS, ZERO_SUM> {
    let measure = Measure::Points { name: text("", "") };
    let (arrays, payoffs) = (Arc::clone(arrays), Arc::clone(payoffs));
    Given { arrays, payoffs, names: Arc::new(Names::default()), hidden, measure }
}

/// What is asked of a solved game.
trait Answers: Send + Sync {
    fn method(&self) -> &'static str;
    fn how(&self) -> String;
    /// States or nodes that were solved.
    fn positions(&self) -> u64;
    /// What a player gets from the start on: at least and at most.
    fn bounds(&self, player: u8) -> Option<(Rational, Rational)>;
    /// Whether nobody gains by leaving what was found.
    fn settled(&self) -> bool;
    /// What each player could gain by leaving its strategy, where the game has no one value.
    fn gains(&self) -> Option<Vec<Rational>>;
    /// What a state is worth to a player, where everything is seen.
    fn value(&self, state: u32, player: u8) -> Option<Rational>;
    /// Moves to the end.
    fn distance(&self, state: u32) -> Option<u32>;
    /// What a player who knows this does, and what it brings.
    fn policy(&self, player: u8, info: u32) -> Option<Vec<Share>>;
    fn worth(&self, player: u8, info: u32) -> Option<Vec<Share>>;
}

/// An action's number, and what it brings or how likely it is.
type Share = (u32, Rational);

struct Open<const PLAYERS: usize, const ZERO_SUM: bool> {
    game: Given<PLAYERS, ZERO_SUM>,
    solved: Auto<Given<PLAYERS, ZERO_SUM>>,
}

impl<const PLAYERS: usize, const ZERO_SUM: bool> Answers for Open<PLAYERS, ZERO_SUM> {
    fn method(&self) -> &'static str {
        self.solved.method().word()
    }
    fn how(&self) -> String {
        self.solved.why().en.into_owned()
    }
    fn positions(&self) -> u64 {
        self.solved.features().states
    }
    fn bounds(&self, player: u8) -> Option<(Rational, Rational)> {
        let value = self.value(0, player)?;
        if self.settled() {
            return Some((value.clone(), value));
        }
        // The middle of bounds that are at most so far apart; the double is above half of that.
        let half = Rational::from_float(self.solved.width())?;
        Some((&value - &half, value + half))
    }
    fn settled(&self) -> bool {
        self.solved.width() == 0.0
    }
    fn gains(&self) -> Option<Vec<Rational>> {
        None
    }
    fn value(&self, state: u32, player: u8) -> Option<Rational> {
        self.solved.value_of(&self.game, &state, player)
    }
    fn distance(&self, state: u32) -> Option<u32> {
        self.solved.distance(&self.game, &state)
    }
    fn policy(&self, _: u8, _: u32) -> Option<Vec<Share>> {
        None
    }
    fn worth(&self, _: u8, _: u32) -> Option<Vec<Share>> {
        None
    }
}

struct PartSeen<const PLAYERS: usize, const ZERO_SUM: bool>(Strategies<Given<PLAYERS, ZERO_SUM>>);

/// Actions without the numbers of their edges.
fn shares(all: Vec<((u32, u32), Rational)>) -> Vec<Share> {
    all.into_iter().map(|((action, _), share)| (action, share)).collect()
}

impl<const PLAYERS: usize, const ZERO_SUM: bool> Answers for PartSeen<PLAYERS, ZERO_SUM> {
    fn method(&self) -> &'static str {
        self.0.method()
    }
    fn how(&self) -> String {
        self.0.why().en.into_owned()
    }
    fn positions(&self) -> u64 {
        self.0.tree().nodes() as u64
    }
    fn bounds(&self, player: u8) -> Option<(Rational, Rational)> {
        if let Some(profile) = self.0.profile() {
            let value = profile.payoffs().values.get(usize::from(player))?;
            return Some((value.clone(), value.clone()));
        }
        let (low, high) = self.0.bounds();
        Some(if player == 0 { (low, high) } else { (-high, -low) })
    }
    fn settled(&self) -> bool {
        self.0.settled()
    }
    fn gains(&self) -> Option<Vec<Rational>> {
        self.0.profile().map(|profile| profile.payoffs().gains())
    }
    fn value(&self, _: u32, _: u8) -> Option<Rational> {
        None
    }
    fn distance(&self, _: u32) -> Option<u32> {
        None
    }
    fn policy(&self, player: u8, info: u32) -> Option<Vec<Share>> {
        self.0.policy(player, &info).map(shares)
    }
    fn worth(&self, player: u8, info: u32) -> Option<Vec<Share>> {
        self.0.worth(player, &info).map(shares)
    }
}

/// A solved game. Payoffs are those of the rows it was given, so values are on their scale.
#[pyclass(frozen)]
pub struct Solved(Box<dyn Answers>);

#[pymethods]
impl Solved {
    #[getter]
    fn method(&self) -> &'static str {
        self.0.method()
    }
    #[getter]
    fn how(&self) -> String {
        self.0.how()
    }
    #[getter]
    fn positions(&self) -> u64 {
        self.0.positions()
    }
    #[getter]
    fn settled(&self) -> bool {
        self.0.settled()
    }
    fn bounds(&self, player: u8) -> Option<(Rational, Rational)> {
        self.0.bounds(player)
    }
    fn gains(&self) -> Option<Vec<Rational>> {
        self.0.gains()
    }
    fn value(&self, state: u32, player: u8) -> Option<Rational> {
        self.0.value(state, player)
    }
    fn distance(&self, state: u32) -> Option<u32> {
        self.0.distance(state)
    }
    fn policy(&self, player: u8, info: u32) -> Option<Vec<Share>> {
        self.0.policy(player, info)
    }
    fn worth(&self, player: u8, info: u32) -> Option<Vec<Share>> {
        self.0.worth(player, info)
    }
}

/// The same states as a walk of one player, for whom nothing is hidden and nothing is at stake.
struct Walked(Arc<Arrays>);

impl Game for Walked {
    type State = u32;
    type Action = u32;
    const PLAYERS: usize = 1;

    fn start(&self) -> u32 {
        0
    }
    fn turn(&self, s: &u32) -> Turn {
        match self.0.turns[*s as usize] {
            OVER => Turn::Terminal,
            _ => Turn::Player(0),
        }
    }
    fn actions(&self, s: &u32, out: &mut Vec<u32>) {
        out.extend(0..self.0.edges(*s).len() as u32);
    }
    fn apply(&self, s: &u32, a: u32) -> u32 {
        self.0.targets[self.0.edges(*s).start + a as usize]
    }
    fn utility(&self, _: &u32, _: u8) -> i32 {
        0
    }
}

impl Walked {
    fn graph(&self, run: &Run<'_>) -> Result<Graph<Walked>, Error> {
        Graph::expand(self, &[0], run)
    }
}

/// Refuses what cannot be done where a state comes twice.
fn circles(game: Text) -> Error {
    let instead = text(
        "a state must not come twice in one game: count the moves in it",
        "1局で同じ状態が2度現れてはなりません（状態に手数を含めてください）",
    );
    Error::NoSolver { game, instead }
}

/// Refuses games in which players do not see everything and a state comes twice: they have no tree.
fn ends(arrays: &Arc<Arrays>, run: &Run<'_>) -> Result<(), Error> {
    let whole = Walked(Arc::clone(arrays)).graph(run)?;
    match whole.components(run)?.cycles() {
        false => Ok(()),
        true => Err(circles(text("hidden information with cycles", "循環のある非公開情報ゲーム"))),
    }
}

/// Whether a state can come twice in one game.
#[pyfunction]
pub fn cycles(py: Python<'_>, expanded: &Expanded, options: Options) -> PyResult<bool> {
    let arrays = Arc::clone(&expanded.arrays);
    work(py, &options, move |run| {
        Walked(arrays).graph(run)?.components(run).map(|components| components.cycles())
    })
}

/// Solves a game whose rows of payoffs are these whole numbers.
#[pyfunction]
pub fn solve_expanded(
    py: Python<'_>,
    expanded: &Expanded,
    payoffs: Vec<i32>,
    opposed: bool,
    options: Options,
) -> PyResult<Solved> {
    let (arrays, payoffs) = (Arc::clone(&expanded.arrays), Arc::<[i32]>::from(payoffs));
    let (hidden, players) = (expanded.is_hidden(), expanded.players());
    work(py, &options, move |run| {
        if hidden {
            ends(&arrays, run)?;
        }
        for_players!(players, opposed, Players, {
            let game: Players = nameless(&arrays, &payoffs, hidden);
            Ok(Solved(match hidden {
                true => Box::new(PartSeen(Strategies::solve(&game, run)?)),
                false => Box::new(Open { solved: Auto::solve(&game, run)?, game }),
            }))
        })
    })
}

/// A best response: what it brings, and what it does in every state or for everything that may be known, by the number of
/// the edge; none where it is not asked or cannot come.
type Response = (Rational, Vec<Option<u32>>);

/// The best response of a player to the others, who do what these probabilities say: for every state, or for everything
/// that may be known, one for each edge.
#[pyfunction]
pub fn respond(
    py: Python<'_>,
    expanded: &Expanded,
    payoffs: Vec<i32>,
    player: u8,
    shares: Vec<Vec<Rational>>,
    options: Options,
) -> PyResult<Response> {
    let (arrays, payoffs) = (Arc::clone(&expanded.arrays), Arc::<[i32]>::from(payoffs));
    let (hidden, players) = (expanded.is_hidden(), expanded.players());
    if usize::from(player) >= players {
        return Err(PyValueError::new_err(format!("player: got {player}; accepted: 0 to {}", players - 1)));
    }
    work(py, &options, move |run| match hidden {
        false => open_response(&arrays, (&payoffs, players), player, &shares, run),
        true => {
            ends(&arrays, run)?;
            let infos = shares.len();
            for_players!(players, false, Players, {
                let game: Players = nameless(&arrays, &payoffs, true);
                let tree = Tree::new(&game, run)?;
                let profile = tree.exact_profile(|p, info, (_, edge)| match p == player {
                    true => Rational::zero(),
                    false => shares[*info as usize][edge as usize].clone(),
                });
                let (value, response) = tree.best_response(player.into(), &profile);
                let mut chosen = vec![None; infos];
                for (info, choice) in chosen.iter_mut().enumerate() {
                    let mut all = tree.strategy(&response, player, &(info as u32)).into_iter().flatten();
                    *choice = all.find(|(_, share)| !share.is_zero()).map(|((_, edge), _)| edge);
                }
                Ok((value, chosen))
            })
        }
    })
}

/// The best response where everybody sees everything and no state comes twice.
fn open_response(
    arrays: &Arc<Arrays>,
    (payoffs, players): (&[i32], usize),
    player: u8,
    shares: &[Vec<Rational>],
    run: &Run<'_>,
) -> Result<Response, Error> {
    let graph = Walked(Arc::clone(arrays)).graph(run)?;
    let components = graph.components(run)?;
    if components.cycles() {
        return Err(circles(text("a best response in a game with cycles", "循環のあるゲームでの最適応答")));
    }
    let mut values = vec![Rational::zero(); arrays.turns.len()];
    let mut chosen = vec![None; arrays.turns.len()];
    for (done, &number) in components.order().iter().enumerate() {
        if done % 1024 == 0 {
            run.check()?;
        }
        let state = graph.states()[number as usize];
        let edges = arrays.edges(state);
        let after = |edge: usize| &values[arrays.targets[edges.start + edge] as usize];
        let value = match arrays.turns[state as usize] {
            OVER => {
                let row = arrays.details[state as usize] as usize * players;
                Rational::from_integer(payoffs[row + usize::from(player)].into())
            }
            CHANCE => {
                let total: u64 = arrays.weights[edges.clone()].iter().map(|&w| u64::from(w)).sum();
                let one =
                    |(edge, &weight): (usize, &u32)| after(edge) * Rational::from_integer(weight.into());
                let sum: Rational = arrays.weights[edges.clone()].iter().enumerate().map(one).sum();
                sum / Rational::from_integer(total.into())
            }
            mover if mover == player => {
                let better = |a: usize, b: usize| if after(b) > after(a) { b } else { a };
                let best = (1..edges.len()).fold(0, better);
                chosen[state as usize] = Some(best as u32);
                after(best).clone()
            }
            _ => {
                let one = |(edge, share): (usize, &Rational)| after(edge) * share;
                shares[state as usize].iter().enumerate().map(one).sum()
            }
        };
        values[state as usize] = value;
    }
    Ok((values.swap_remove(0), chosen))
}

/// Who acts, as the interpreter says it.
pub fn turn_code(turn: Turn) -> i64 {
    match turn {
        Turn::Player(player) => player.into(),
        Turn::Chance => crate::expand::TURN_CHANCE,
        Turn::Terminal => crate::expand::TURN_END,
    }
}
