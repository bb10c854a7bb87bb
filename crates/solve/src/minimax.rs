//! Two players, perfect information, no chance: is the value at least so much? A null-window search
//! answers that with a table of proven bounds, and a handful of such questions close in on the value.
//! Beside it stand two slow and obvious twins: plain recursion, with a hash map and without.

use rustc_hash::FxHashMap;
use std::hash::Hash;
use yomikiri_core::{Error, Game, Run, Turn};

/// What a game without chance adds to be searched. Values are whole numbers for player 0: player 0 maximises them and
/// player 1 minimises them. The value of a state is what is banked in it plus what is still to come.
pub trait Contest: Game {
    /// States of the same place have the same value still to come, except that it may depend on who is to move.
    type Place: Copy + Eq + Hash + Send + Sync;

    /// The place of a state in which a player is to move; `None` in the middle of a move, where nothing is
    /// remembered.
    fn place(&self, s: &Self::State) -> Option<Self::Place>;
    /// What player 0 has safe in any state.
    fn banked(&self, s: &Self::State) -> i32 {
        let _ = s;
        0
    }
    /// The value of a state in which the game is over.
    fn result(&self, s: &Self::State) -> i32 {
        self.utility(s, 0)
    }
    /// Proven bounds of what is still to come, ends included.
    fn bounds(&self, s: &Self::State) -> (i32, i32);
    /// Appends the actions worth looking at, the likeliest best first. Others may be left out only if one
    /// that stays is at least as good.
    fn candidates(&self, s: &Self::State, out: &mut Vec<Self::Action>);
    /// Whether being to move is never an advantage: at one place, player 0 to move never has more to come than
    /// with player 1 to move. Then bounds proven for one serve the other.
    fn moving_is_no_gift(&self) -> bool {
        false
    }
    /// A guess of the value; a good one saves work, a bad one does no harm.
    fn guess(&self, s: &Self::State) -> i32 {
        let (low, high) = self.bounds(s);
        self.banked(s) + low + (high - low) / 2
    }
}

/// Proven bounds of a place with player 0 and with player 1 to move.
#[derive(Clone, Copy, Debug)]
struct Known {
    low: [i32; 2],
    high: [i32; 2],
}

/// The search, which remembers what it proved from one question to the next. All questions must be about one game.
///
/// ```
/// use yomikiri_core::{Game, Run, Turn};
/// use yomikiri_solve::minimax::{Contest, NullWindow, plain};
///
/// /// Players take the first or the last number of a row in turn; the value is what player 0 gets more than player 1.
/// struct Row(Vec<i32>);
///
/// impl Game for Row {
///     type State = (usize, usize, i32); // what is left, and the balance so far
///     type Action = bool; // the last one?
///     fn start(&self) -> Self::State { (0, self.0.len(), 0) }
///     fn turn(&self, s: &Self::State) -> Turn {
///         if s.0 == s.1 { Turn::Terminal } else { Turn::Player(((self.0.len() - s.1 + s.0) % 2) as u8) }
///     }
///     fn actions(&self, _: &Self::State, out: &mut Vec<bool>) { out.extend([false, true]) }
///     fn apply(&self, s: &Self::State, last: bool) -> Self::State {
///         let taken = if last { self.0[s.1 - 1] } else { self.0[s.0] };
///         let gain = if self.turn(s) == Turn::Player(0) { taken } else { -taken };
///         if last { (s.0, s.1 - 1, s.2 + gain) } else { (s.0 + 1, s.1, s.2 + gain) }
///     }
///     fn utility(&self, s: &Self::State, player: u8) -> i32 { if player == 0 { s.2 } else { -s.2 } }
/// }
///
/// impl Contest for Row {
///     type Place = (usize, usize);
///     fn place(&self, s: &Self::State) -> Option<Self::Place> { Some((s.0, s.1)) }
///     fn banked(&self, s: &Self::State) -> i32 { s.2 }
///     fn result(&self, s: &Self::State) -> i32 { s.2 }
///     fn bounds(&self, s: &Self::State) -> (i32, i32) {
///         let all: i32 = self.0[s.0..s.1].iter().sum();
///         (-all, all)
///     }
///     fn candidates(&self, s: &Self::State, out: &mut Vec<bool>) { self.actions(s, out) }
/// }
///
/// let row = Row(vec![3, 9, 1, 2]);
/// let run = Run::default();
/// let mut search = NullWindow::new(1_000_000, &run);
/// assert_eq!(search.value(&row, &row.start(), &run)?, 7);
/// assert!(!search.reaches(&row, &row.start(), 8, &run)?);
/// assert_eq!(plain(&row, &row.start()), 7);
/// # Ok::<(), yomikiri_core::Error>(())
/// ```
pub struct NullWindow<G: Contest> {
    table: FxHashMap<G::Place, Known>,
    /// Lists of actions to be used again.
    spare: Vec<Vec<G::Action>>,
    nodes: u64,
    /// Places the table may hold, and nodes the search may visit.
    most: (u64, u64),
}

/// Bytes the table takes for one place, growth included.
pub fn bytes<G: Contest>() -> u64 {
    // A hash map holds between 8/7 and 16/7 of its entries in slots, and both copies while it grows.
    (std::mem::size_of::<(G::Place, Known)>() as u64 + 1) * 3
}

/// Nodes between two looks at the cancel flag.
const LOOK: u64 = 1 << 12;
/// Places the table may always hold.
const LEAST: u64 = 1 << 10;

impl<G: Contest> NullWindow<G> {
    /// A search that visits at most so many nodes in all and whose table stays within the memory of the run: when it
    /// is full it is emptied.
    pub fn new(nodes: u64, run: &Run<'_>) -> Self {
        let most = ((run.memory / bytes::<G>()).max(LEAST), nodes);
        NullWindow { table: FxHashMap::default(), spare: Vec::new(), nodes: 0, most }
    }

    /// Nodes visited so far: positions whose actions were looked at, every time they were.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Allows so many nodes from now on, however many have been visited.
    pub fn allow(&mut self, nodes: u64) {
        self.most.1 = self.nodes.saturating_add(nodes);
    }

    /// Places remembered.
    pub fn places(&self) -> u64 {
        self.table.len() as u64
    }

    /// The value of a state for player 0.
    ///
    /// # Errors
    /// [`Error::Refused`] when as many nodes as allowed were visited, [`Error::Cancelled`].
    pub fn value(&mut self, game: &G, s: &G::State, run: &Run<'_>) -> Result<i32, Error> {
        if game.turn(s) == Turn::Terminal {
            return Ok(game.result(s));
        }
        let (mut low, mut high) = (i32::MIN, i32::MAX);
        let mut guess = game.guess(s);
        while low < high {
            // Is it at least this much? Every answer moves one of the bounds past the question.
            let ask = if guess == low { guess + 1 } else { guess };
            guess = self.at_least(game, s, ask, run)?;
            if guess < ask {
                high = guess;
            } else {
                low = guess;
            }
        }
        Ok(low)
    }

    /// Whether the value is at least `ask`.
    ///
    /// # Errors
    /// The same as [`NullWindow::value`].
    pub fn reaches(&mut self, game: &G, s: &G::State, ask: i32, run: &Run<'_>) -> Result<bool, Error> {
        Ok(self.at_least(game, s, ask, run)? >= ask)
    }

    /// A bound on the side of `ask` where the value is: if it is at least `ask`, so is the value, which is
    /// no less than it; if it is less, the value is no more than it.
    fn at_least(&mut self, game: &G, s: &G::State, ask: i32, run: &Run<'_>) -> Result<i32, Error> {
        let Turn::Player(mover) = game.turn(s) else { return Ok(game.result(s)) };
        let side = usize::from(mover);
        let banked = game.banked(s);
        let place = game.place(s);
        if let Some(place) = place {
            let known = match self.table.get(&place) {
                Some(known) => *known,
                None => {
                    let (low, high) = game.bounds(s);
                    let known = Known { low: [low; 2], high: [high; 2] };
                    // Positions that the bounds decide are worked out again rather than kept.
                    if banked + low >= ask || banked + high < ask {
                        return Ok(banked + if banked + low >= ask { low } else { high });
                    }
                    if self.table.len() as u64 >= self.most.0 {
                        // Full: what was proved can be proved again, and what matters soon will be.
                        self.table.clear();
                    }
                    self.table.insert(place, known);
                    known
                }
            };
            if banked + known.low[side] >= ask {
                return Ok(banked + known.low[side]);
            }
            if banked + known.high[side] < ask {
                return Ok(banked + known.high[side]);
            }
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK) {
            run.check()?;
            run.observer.done(self.nodes);
        }
        if self.nodes > self.most.1 {
            return Err(too_many(self.most.1));
        }
        let mut actions = self.spare.pop().unwrap_or_default();
        actions.clear();
        game.candidates(s, &mut actions);
        let mut best = if mover == 0 { i32::MIN } else { i32::MAX };
        for &a in &actions {
            let value = self.at_least(game, &game.apply(s, a), ask, run)?;
            if mover == 0 {
                best = best.max(value);
                if best >= ask {
                    break;
                }
            } else {
                best = best.min(value);
                if best < ask {
                    break;
                }
            }
        }
        self.spare.push(actions);
        if let Some(known) = place.and_then(|place| self.table.get_mut(&place)) {
            let come = best - banked;
            let both = game.moving_is_no_gift();
            if best >= ask {
                // What player 0 gets moving first, player 0 also gets moving second.
                for i in if both && side == 0 { 0..2 } else { side..side + 1 } {
                    known.low[i] = known.low[i].max(come);
                }
            } else {
                for i in if both && side == 1 { 0..2 } else { side..side + 1 } {
                    known.high[i] = known.high[i].min(come);
                }
            }
        }
        Ok(best)
    }
}

/// The refusal of a search that took too long.
fn too_many(nodes: u64) -> Error {
    yomikiri_core::Refusal::of(
        "position",
        yomikiri_core::Text::of(
            format!("undecided after {nodes} positions"),
            format!("{nodes}局面を調べても未決着"),
        ),
        yomikiri_core::text(
            "a smaller game, or a position nearer to its end",
            "より小さなゲーム、または終わりに近い局面",
        ),
    )
    .into()
}

/// The value of a state for player 0 by looking at everything: the twin of [`NullWindow`] in its plainest form.
///
/// # Panics
/// If the rules break their promise and a player to move has no action.
pub fn plain<G: Contest>(game: &G, s: &G::State) -> i32 {
    let Turn::Player(mover) = game.turn(s) else { return game.result(s) };
    let mut actions = Vec::new();
    game.actions(s, &mut actions);
    let values = actions.into_iter().map(|a| plain(game, &game.apply(s, a)));
    if mover == 0 { values.max() } else { values.min() }.expect("a player to move has an action")
}

/// Plain minimax that remembers the exact value of every place with either player to move.
pub struct Minimax<'a, G: Contest> {
    game: &'a G,
    values: FxHashMap<(G::Place, u8), i32>,
    nodes: u64,
    most: u64,
    limit: u64,
}

impl<'a, G: Contest> Minimax<'a, G> {
    /// An empty table that may grow to the memory of the run.
    pub fn new(game: &'a G, run: &Run<'_>) -> Self {
        let entry = (std::mem::size_of::<((G::Place, u8), i32)>() as u64 + 1) * 3;
        Minimax { game, values: FxHashMap::default(), nodes: 0, most: run.memory / entry, limit: run.memory }
    }

    /// Nodes visited: positions whose actions were looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Places remembered, each once for every player who may be to move.
    pub fn places(&self) -> u64 {
        self.values.len() as u64
    }

    /// The value of a state for player 0.
    ///
    /// # Errors
    /// [`Error::Memory`] when the table is full, [`Error::Cancelled`].
    ///
    /// # Panics
    /// If the rules break their promise and a player to move has no action.
    pub fn value(&mut self, s: &G::State, run: &Run<'_>) -> Result<i32, Error> {
        let Turn::Player(mover) = self.game.turn(s) else { return Ok(self.game.result(s)) };
        let banked = self.game.banked(s);
        let place = self.game.place(s);
        if let Some(come) = place.and_then(|place| self.values.get(&(place, mover))) {
            return Ok(banked + come);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK) {
            run.check()?;
        }
        let mut actions = Vec::new();
        self.game.actions(s, &mut actions);
        let mut best: Option<i32> = None;
        for a in actions {
            let value = self.value(&self.game.apply(s, a), run)?;
            best = Some(match best {
                None => value,
                Some(b) if mover == 0 => b.max(value),
                Some(b) => b.min(value),
            });
        }
        let best = best.expect("a player to move has an action");
        if let Some(place) = place {
            if self.values.len() as u64 >= self.most {
                return Err(Error::Memory { need: self.limit + 1, limit: self.limit });
            }
            self.values.insert((place, mover), best - banked);
        }
        Ok(best)
    }
}
