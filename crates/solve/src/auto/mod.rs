//! A game solved exactly by whatever suits it. [`Auto`] expands the game into a [graph](crate::graph), looks at what it
//! has found and picks a family:
//!
//! | game | method | answer |
//! |---|---|---|
//! | one or two players, no cycles | [`Method::Induction`] | exact fractions |
//! | one or two players, cycles, no chance | [`Method::Retrograde`] | whole numbers; endless play is worth 0 |
//! | one or two players, cycles and chance | [`Method::Stochastic`] | exact fractions; endless play is worth 0 |
//! | three or more players, or not zero-sum, no cycles | [`Method::Induction`] | exact fractions, one a player |
//!
//! Everything else is refused by name ([`Error::NoSolver`]).
//!
//! All of this takes the rules at their word that everybody sees everything. A game that hides something from its
//! players implements [`Hidden`](yomikiri_core::Hidden), and its exact value is another one: `Auto` would solve the
//! game in which all cards lie open. [`sequence`](crate::sequence) and [`nash`](crate::nash) are for those games.
//!
//! [`Run::method`] names another family that is exact for the game, too: a game without cycles is also solved by retrograde
//! analysis if chance has no part in it, and every game with one value by strategy improvement.

mod certificate;
mod induction;
mod retrograde;
mod stochastic;

use crate::fractions::Fractions;
use crate::graph::{Graph, Numbering, forget, held};
use crate::solution::{Solution, Stored};
use yomikiri_core::error::bytes;
use yomikiri_core::text::grouped;
use yomikiri_core::{Error, Game, Rational, Refusal, Run, Text, Turn, text};

/// What a game is, as far as a solver cares; found by expanding it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features {
    /// How many players there are.
    pub players: usize,
    /// Whether chance acts somewhere.
    pub chance: bool,
    /// Whether a state can come twice in one game.
    pub cycles: bool,
    /// Whether what one player gains the others lose.
    pub zero_sum: bool,
    /// States that can be reached, those included in which chance acts or the game is over.
    pub states: u64,
    /// Actions and outcomes of chance in all of them.
    pub edges: u64,
}

impl Features {
    /// Whether one number tells what a state is worth to everybody: to one player, or to two with opposite interests.
    fn one_value(&self) -> bool {
        self.players == 1 || self.players == 2 && self.zero_sum
    }

    /// The methods that are exact for the game, the quickest first.
    pub fn methods(&self) -> &'static [Method] {
        use Method::{Induction, Retrograde, Stochastic};
        match (self.cycles, self.chance, self.one_value()) {
            (false, false, true) => &[Induction, Retrograde, Stochastic],
            (false, true, true) => &[Induction, Stochastic],
            (true, false, true) => &[Retrograde, Stochastic],
            (true, true, true) => &[Stochastic],
            (false, _, false) => &[Induction],
            (true, _, false) => &[],
        }
    }

    /// The method that is asked for, or the quickest.
    fn method(&self, run: &Run<'_>) -> Result<Method, Error> {
        let methods = self.methods();
        let first = *methods.first().ok_or_else(|| no_solver(self))?;
        run.method.map_or(Ok(first), |asked| Ok(among(methods, asked)?))
    }

    fn players(&self) -> Text {
        match self.players {
            1 => text("one player", "1人"),
            2 if !self.zero_sum => text("two players, not zero-sum", "2人（非ゼロ和）"),
            2 => text("two players", "2人"),
            n => Text::of(format!("{n} players"), format!("{n}人")),
        }
    }

    /// The game in words, such as "two players, no chance, no cycles, 5,478 positions".
    pub fn text(&self) -> Text {
        let players = self.players();
        let chance = if self.chance { ("chance", "偶然あり") } else { ("no chance", "偶然なし") };
        let cycles = if self.cycles { ("cycles", "循環あり") } else { ("no cycles", "循環なし") };
        let states = grouped(self.states);
        let (one, many) = ("position", "positions");
        Text::of(
            format!(
                "{}, {}, {}, {states} {}",
                players.en,
                chance.0,
                cycles.0,
                if self.states == 1 { one } else { many }
            ),
            format!("{}、{}、{}、{states}局面", players.ja, chance.1, cycles.1),
        )
    }
}

/// The way a game was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// From the ends of the game backwards, every state after all that follow it.
    Induction,
    /// Moves taken back from the ends of the game, the most extreme results first; what is never met is endless.
    Retrograde,
    /// Strategies improved until nothing is better, where chance and cycles come together.
    Stochastic,
}

/// The method of that name among some.
fn among(methods: &[Method], asked: &str) -> Result<Method, Refusal> {
    methods.iter().copied().find(|method| method.word() == asked).ok_or_else(|| {
        let words: Vec<&str> = methods.iter().map(|method| method.word()).collect();
        Refusal::new("method", asked, Text::same(words.join(", ")))
    })
}

impl Method {
    const ALL: [Method; 3] = [Method::Induction, Method::Retrograde, Method::Stochastic];

    /// The name in programs and requests.
    pub fn word(self) -> &'static str {
        match self {
            Method::Induction => "induction",
            Method::Retrograde => "retrograde",
            Method::Stochastic => "stochastic",
        }
    }

    /// The name in words.
    pub fn text(self) -> Text {
        match self {
            Method::Induction => text("induction", "後ろ向き帰納法"),
            Method::Retrograde => text("retrograde analysis", "後退解析"),
            Method::Stochastic => text("strategy improvement in fractions", "分数による戦略改善"),
        }
    }
}

/// What a method has found of every state of a graph.
struct Solved {
    /// For one or two players the number of the value for player 0; for more the number of a row of values.
    values: Vec<u32>,
    fractions: Fractions,
    /// Values of all players by rows; only for three and more players.
    rows: Numbering<Box<[u32]>>,
    /// Plies to the end by state, or [`NO_DISTANCE`]; empty where there are none.
    distances: Vec<u32>,
    /// How far apart the bounds are whose middles the values are; 0 where all are exact.
    width: f64,
}

/// States from which on it takes so long to solve a game that it is said before.
const TOLD: u64 = 500_000;

/// The mark of a state without a distance.
const NO_DISTANCE: u32 = u32::MAX;

/// A solved game: every state that can be reached, with its exact value.
///
/// ```
/// use yomikiri_core::{Game, Number, Rational, Run, Turn};
/// use yomikiri_solve::{Auto, Solution};
///
/// /// A coin is tossed until the player stops or it shows tails; one for every heads, nothing after tails.
/// struct Coin;
///
/// impl Game for Coin {
///     type State = (u8, bool, bool); // heads so far, in the air, over
///     type Action = bool;
///     const PLAYERS: usize = 1;
///     fn start(&self) -> Self::State { (1, false, false) }
///     fn turn(&self, s: &Self::State) -> Turn {
///         if s.2 || s.0 == 5 { Turn::Terminal } else if s.1 { Turn::Chance } else { Turn::Player(0) }
///     }
///     fn actions(&self, _: &Self::State, out: &mut Vec<bool>) { out.extend([false, true]) }
///     fn chance(&self, _: &Self::State, out: &mut Vec<(bool, u32)>) { out.extend([(false, 1), (true, 3)]) }
///     fn apply(&self, &(heads, thrown, _): &Self::State, yes: bool) -> Self::State {
///         match (thrown, yes) {
///             (true, true) => (heads + 1, false, false),
///             (true, false) => (0, false, true),
///             (false, toss) => (heads, toss, !toss),
///         }
///     }
///     fn utility(&self, s: &Self::State, _: u8) -> i32 { s.0.into() }
/// }
///
/// let solved = Auto::solve(&Coin, &Run::default())?;
/// assert_eq!(solved.why().en, "one player, chance, no cycles, 14 positions: solved by induction");
/// let mut value = Rational::from_int(27);
/// value.divide(16);
/// assert_eq!(solved.value(&Coin, &Coin.start()), Some(value));
/// # Ok::<(), yomikiri_core::Error>(())
/// ```
pub struct Auto<G: Game> {
    states: Numbering<G::State>,
    solved: Solved,
    method: Method,
    features: Features,
}

impl<G: Game> Auto<G> {
    /// Solves a game from its start.
    ///
    /// # Errors
    /// [`Error::NoSolver`] if no family is exact for such a game; [`Error::Rules`] if the game breaks the contract of
    /// [`Game`]; [`Error::TooManyStates`] or [`Error::Memory`] before more memory is used than the run has;
    /// [`Error::Cancelled`].
    pub fn solve(game: &G, run: &Run<'_>) -> Result<Auto<G>, Error> {
        Auto::solve_from(game, &game.start(), run)
    }

    /// Solves a game from a given state on.
    ///
    /// # Errors
    /// The same as [`Auto::solve`].
    pub fn solve_from(game: &G, start: &G::State, run: &Run<'_>) -> Result<Auto<G>, Error> {
        Auto::solve_keeping(game, start, None, run)
    }

    /// The same for a game with a name, under which its positions are kept in the run's store as long as it is not
    /// solved: a run that is stopped need not find them again.
    ///
    /// # Errors
    /// The same as [`Auto::solve`].
    pub fn solve_keeping(
        game: &G,
        start: &G::State,
        name: Option<&str>,
        run: &Run<'_>,
    ) -> Result<Auto<G>, Error> {
        // A word that suits no game is refused before the work.
        run.method.map_or(Ok(()), |asked| among(&Method::ALL, asked).map(drop))?;
        let graph = Graph::expand_keeping(game, std::slice::from_ref(start), name, run)?;
        let solved = Auto::<G>::of(&graph, run);
        if let Some(name) = name {
            match &solved {
                Ok(_) => forget(name, run),
                Err(Error::Cancelled) => graph.keep(name, run),
                Err(_) => (),
            }
        }
        let (solved, method, features) = solved?;
        Ok(Auto { states: graph.into_states(), solved, method, features })
    }

    /// What a graph is worth, by what it is.
    fn of(graph: &Graph<G>, run: &Run<'_>) -> Result<(Solved, Method, Features), Error> {
        let components = graph.components(run)?;
        let features = Features {
            players: G::PLAYERS,
            chance: graph.has_chance(),
            cycles: components.cycles(),
            zero_sum: G::ZERO_SUM,
            states: graph.len() as u64,
            edges: graph.edges(),
        };
        let method = features.method(run)?;
        if features.states >= TOLD {
            let (game, by, taken) = (features.text(), method.text(), bytes(graph.bytes()));
            run.observer.note(&Text::of(
                format!("{}, {taken} of memory so far: {} begins", game.en, by.en),
                format!("{}、メモリ {taken}：{}を始めます", game.ja, by.ja),
            ));
        }
        let solved = match method {
            Method::Induction if features.one_value() => induction::zero_sum(graph, components.order(), run)?,
            Method::Induction => induction::many_players(graph, components.order(), run)?,
            Method::Retrograde => {
                drop(components);
                retrograde::solve(graph, run)?
            }
            Method::Stochastic => stochastic::solve(graph, &components, run)?,
        };
        Ok((solved, method, features))
    }

    /// How it was solved.
    pub fn method(&self) -> Method {
        self.method
    }

    /// What the game was found to be and how it was solved, in a sentence.
    pub fn why(&self) -> Text {
        let (game, method) = (self.features.text(), self.method.text());
        let mut why = Text::of(
            format!("{}: solved by {}", game.en, method.en),
            format!("{}：{}で解きました", game.ja, method.ja),
        );
        if !self.features.one_value() {
            why.en.to_mut().push_str(
                "; every player takes the most for itself, and of equal actions the first in the game's order",
            );
            why.ja.to_mut().push_str("（各プレイヤーは自分の利得を最大にし、同じなら先に並ぶ手を選びます）");
        }
        if self.solved.width > 0.0 {
            let width = self.solved.width;
            why.en.to_mut().push_str(&format!("; where fractions grew too long, within {width:.1e}"));
            why.ja.to_mut().push_str(&format!("（分数が長くなりすぎる所は幅 {width:.1e} の区間）"));
        }
        if self.method != Method::Induction {
            why.en.to_mut().push_str("; endless play is worth 0");
            why.ja.to_mut().push_str("（終わらない対局は 0）");
        }
        why
    }

    /// How far apart bounds are at most, where fractions have outgrown their limit and values are the middles of bounds;
    /// 0 where all values are exact.
    pub fn width(&self) -> f64 {
        self.solved.width
    }

    /// What the game was found to be.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// Bytes of memory the solution takes. What states hold outside themselves is estimated.
    pub fn bytes(&self) -> u64 {
        self.states.bytes(held::<G>()) + self.solved.bytes()
    }

    /// Whether a state is among those that were reached.
    pub fn covers(&self, s: &G::State) -> bool {
        self.states.find(s).is_some()
    }

    /// The exact value of a state for a player, on the scale of [`Game::utility`]; `None` if the state was not reached
    /// or there is no such player.
    pub fn value_of(&self, _: &G, s: &G::State, player: u8) -> Option<Rational> {
        if usize::from(player) >= G::PLAYERS {
            return None;
        }
        let value = self.solved.values[self.states.find(s)? as usize];
        Some(match (self.features.one_value(), player) {
            (true, 0) => self.solved.fractions.get(value),
            (true, _) => -self.solved.fractions.get(value),
            _ => {
                let row = &self.solved.rows.members()[value as usize];
                self.solved.fractions.get(row[usize::from(player)])
            }
        })
    }

    /// Actions to the end of the game under best play: whoever wins more than 0 hurries, and the other delays, both
    /// without giving anything away. `None` where nobody wins, where the result depends on chance, for states that
    /// were not reached, and for three and more players.
    pub fn distance(&self, _: &G, s: &G::State) -> Option<u32> {
        let state = self.states.find(s)?;
        self.solved.distances.get(state as usize).copied().filter(|d| *d != NO_DISTANCE)
    }
}

impl Solved {
    /// Exact values for player 0, and nothing else.
    fn new(values: Vec<u32>, fractions: Fractions) -> Solved {
        let (rows, distances) = (Numbering::default(), Vec::new());
        Solved { values, fractions, rows, distances, width: 0.0 }
    }

    fn bytes(&self) -> u64 {
        (self.values.capacity() + self.distances.capacity()) as u64 * 4
            + self.fractions.bytes()
            + self.rows.bytes(0)
    }
}

impl<G: Game> Solution<G> for Auto<G> {
    type Number = Rational;

    fn stored(&self, game: &G, s: &G::State) -> Stored<Rational> {
        let me = if let Turn::Player(p) = game.turn(s) { p } else { 0 };
        self.value_of(game, s, me).map_or(Stored::Missing, Stored::Value)
    }

    fn value(&self, game: &G, s: &G::State) -> Option<Rational> {
        let me = if let Turn::Player(p) = game.turn(s) { p } else { 0 };
        self.value_of(game, s, me)
    }

    /// Unlike in other solutions a value for the player to move is not the negative of another player's: there may be
    /// one player, or three.
    fn moves(&self, game: &G, s: &G::State) -> Vec<(G::Action, Option<Rational>)> {
        let Turn::Player(p) = game.turn(s) else { return Vec::new() };
        let mut actions = Vec::new();
        game.actions(s, &mut actions);
        actions.into_iter().map(|a| (a, self.value_of(game, &game.apply(s, a), p))).collect()
    }

    fn distance(&self, game: &G, s: &G::State) -> Option<u32> {
        Auto::distance(self, game, s)
    }

    fn method(&self) -> Option<&'static str> {
        Some(self.method.word())
    }

    fn tolerance(&self) -> f64 {
        self.solved.width
    }

    fn width(&self) -> f64 {
        self.solved.width
    }

    fn how(&self) -> Text {
        self.why()
    }

    fn positions(&self) -> Option<u64> {
        Some(self.features.states)
    }
}

/// The refusal of a game that no family solves.
fn no_solver(features: &Features) -> Error {
    let game = features.text();
    Error::NoSolver {
        game: Text::of(format!("a game like this ({})", game.en), format!("このようなゲーム（{}）", game.ja)),
        instead: text(
            "games of one player, of two whose payoffs add up to 0, and all games without cycles: a game that ends \
             after a set number of moves, counted in its state, has no cycles",
            "1人のゲーム、利得の和が 0 の2人ゲーム、および循環のないすべてのゲームが解けます。\
             状態に手数を含めて決まった手数で終わるようにすれば循環はなくなります",
        ),
    }
}
