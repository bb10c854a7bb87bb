//! A game expanded once into a graph of numbers: every state that can be reached, who acts in it, where it leads, how
//! likely and for what result. Solvers that need no more than that work on the arrays alone and never ask the rules
//! again, and the rules are checked on the way: a game that breaks the contract of [`Game`] is refused with the state
//! that shows it.

mod components;
mod kept;
mod numbering;

pub use components::Components;
pub(crate) use kept::forget;
pub(crate) use numbering::{Numbering, tag};

use crate::broken::{NO_ACTION, NO_OUTCOME, OUTCOME_OF_WEIGHT_0, no_such_player, not_zero_sum};
use crate::{each, on_threads};
use numbering::Budget;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};
use yomikiri_core::text::grouped;
use yomikiri_core::{Error, Game, Run, Text, Turn, text};

/// The codes of states in which no player acts.
const CHANCE: u8 = 254;
const TERMINAL: u8 = 255;
/// States whose successors are worked out at a time.
const CHUNK: usize = 1 << 9;
/// States whose edges are counted from one place: far fewer than 32 bits can count have that many edges.
const BLOCK: usize = 1 << 6;
/// Edges whose ends are looked for together: few enough that what was read is still at hand.
const GLANCES: usize = 32;
/// Chunks a thread gets at a time, so that an uneven one costs little.
const TASKS: usize = 4;

/// All states of a game that can be reached, numbered in the order in which a breadth-first walk meets them, which
/// depends on nothing but the rules.
///
/// A state takes its own size, 9 bytes, and 9 for the index in which it is found again (while the graph grows up to 22); an
/// edge takes 4, and 8 if chance takes it.
///
/// ```
/// use yomikiri_core::{Game, Run, Turn};
/// use yomikiri_solve::graph::Graph;
///
/// /// One player walks up to two steps at a time until step 4.
/// struct Stairs;
///
/// impl Game for Stairs {
///     type State = u8;
///     type Action = u8;
///     const PLAYERS: usize = 1;
///     fn start(&self) -> u8 { 0 }
///     fn turn(&self, s: &u8) -> Turn { if *s == 4 { Turn::Terminal } else { Turn::Player(0) } }
///     fn actions(&self, s: &u8, out: &mut Vec<u8>) { out.extend(1..=(4 - s).min(2)) }
///     fn apply(&self, s: &u8, a: u8) -> u8 { s + a }
///     fn utility(&self, _: &u8, _: u8) -> i32 { 1 }
/// }
///
/// let graph = Graph::expand(&Stairs, &[Stairs.start()], &Run::default())?;
/// assert_eq!((graph.len(), graph.edges()), (5, 7));
/// assert_eq!(graph.successors(0), [1, 2]);
/// assert_eq!(graph.payoffs(4), [1]);
/// assert!(!graph.components(&Run::default())?.cycles());
/// # Ok::<(), yomikiri_core::Error>(())
/// ```
pub struct Graph<G: Game> {
    states: Numbering<G::State>,
    net: Net,
}

impl<G: Game> std::ops::Deref for Graph<G> {
    type Target = Net;
    fn deref(&self) -> &Net {
        &self.net
    }
}

/// A graph without its states: who acts in each, and where it leads. Solvers work on this alone, and so are the same code
/// for all games.
#[derive(Debug, Default)]
pub struct Net {
    players: usize,
    /// Bytes that the states take beside it.
    beside: u64,
    /// Who acts: a player's number, [`CHANCE`] or [`TERMINAL`].
    turns: Vec<u8>,
    /// Where the edges of each state end, counted from where those of its block begin.
    ends: Vec<u32>,
    /// Where the edges of each block of states begin.
    blocks: Vec<u64>,
    targets: Vec<u32>,
    /// For chance its number among the chance states, for the end of a game its row of payoffs.
    details: Vec<u32>,
    /// Where the weights of each chance state begin.
    begins: Vec<u64>,
    weights: Vec<u32>,
    /// Rows of results, one number a player; equal rows stand once.
    payoffs: Vec<i32>,
}

/// What looking at some states found, in their order.
struct Found<G: Game> {
    /// Who acts, and how many edges there are.
    turns: Vec<(u8, u32)>,
    next: Vec<(G::State, u32)>,
    weights: Vec<u32>,
    payoffs: Vec<i32>,
    actions: Vec<G::Action>,
    outcomes: Vec<(G::Action, u32)>,
}

impl<G: Game> Default for Found<G> {
    fn default() -> Self {
        Found {
            turns: Vec::new(),
            next: Vec::new(),
            weights: Vec::new(),
            payoffs: Vec::new(),
            actions: Vec::new(),
            outcomes: Vec::new(),
        }
    }
}

impl<G: Game> Found<G> {
    /// Looks at states, instead of what was found before; fails at the first that breaks the rules.
    fn look(&mut self, game: &G, states: &[G::State]) -> Result<(), Error> {
        self.turns.clear();
        self.next.clear();
        self.weights.clear();
        self.payoffs.clear();
        for s in states {
            let before = self.next.len();
            let turn = match game.turn(s) {
                Turn::Player(player) => {
                    if usize::from(player) >= G::PLAYERS {
                        return Err(no_such_player(s, player, G::PLAYERS));
                    }
                    self.actions.clear();
                    game.actions(s, &mut self.actions);
                    for &a in &self.actions {
                        let next = game.apply(s, a);
                        let tag = tag(&next);
                        self.next.push((next, tag));
                    }
                    player
                }
                Turn::Chance => {
                    self.outcomes.clear();
                    game.chance(s, &mut self.outcomes);
                    for &(a, weight) in &self.outcomes {
                        if weight == 0 {
                            return Err(Error::rules(s, OUTCOME_OF_WEIGHT_0));
                        }
                        let next = game.apply(s, a);
                        let tag = tag(&next);
                        self.next.push((next, tag));
                        self.weights.push(weight);
                    }
                    CHANCE
                }
                Turn::Terminal => {
                    let row = self.payoffs.len();
                    self.payoffs.extend((0..G::PLAYERS).map(|player| game.utility(s, player as u8)));
                    let row = &self.payoffs[row..];
                    if G::ZERO_SUM && row.iter().map(|&x| i64::from(x)).sum::<i64>() != 0 {
                        return Err(not_zero_sum(s, row));
                    }
                    TERMINAL
                }
            };
            let edges = self.next.len() - before;
            if edges == 0 && turn != TERMINAL {
                return Err(Error::rules(s, if turn == CHANCE { NO_OUTCOME } else { NO_ACTION }));
            }
            self.turns.push((turn, edges as u32));
        }
        Ok(())
    }

    fn bytes(&self, held: usize) -> u64 {
        (self.turns.capacity() * 8
            + self.next.capacity() * (size_of::<(G::State, u32)>() + held)
            + (self.weights.capacity() + self.payoffs.capacity()) * 4) as u64
    }
}

/// Bytes a state is taken to hold outside itself, where it holds anything there: how much cannot be asked.
const HELD: usize = 64;

impl<G: Game> Graph<G> {
    /// Expands everything that can be reached from the given states.
    ///
    /// # Errors
    /// [`Error::Rules`] with the first state that breaks the contract of [`Game`]; [`Error::TooManyStates`] before the
    /// graph would take more memory than the run may use; [`Error::Cancelled`].
    pub fn expand(game: &G, starts: &[G::State], run: &Run<'_>) -> Result<Graph<G>, Error> {
        Graph::expand_keeping(game, starts, None, run)
    }

    /// The same for a game with a name: from so many states on that it takes a while, what was found is kept in the run's
    /// store now and then and when the run is stopped, and the next expansion of that name goes on from there.
    ///
    /// # Errors
    /// The same as [`Graph::expand`].
    pub fn expand_keeping(
        game: &G,
        starts: &[G::State],
        name: Option<&str>,
        run: &Run<'_>,
    ) -> Result<Graph<G>, Error> {
        if !(1..=usize::from(CHANCE)).contains(&G::PLAYERS) {
            let wrong = Text::of(
                format!("the game has {} players; accepted: 1 to {CHANCE}", G::PLAYERS),
                format!("プレイヤーが {} 人です（1～{CHANCE} 人まで）", G::PLAYERS),
            );
            return Err(Error::rules(&starts.first(), wrong));
        }
        run.observer.begin(&text("finding positions", "局面の列挙"), 0);
        let graph = if run.threads <= 1 {
            Expansion::all(game, starts, name, run)
        } else {
            on_threads(run, || Expansion::all(game, starts, name, run))?
        };
        run.observer.end();
        graph
    }

    /// The states by their numbers.
    pub fn states(&self) -> &[G::State] {
        self.states.members()
    }

    /// The number of a state; `None` if it was not reached.
    pub fn find(&self, s: &G::State) -> Option<u32> {
        self.states.find(s)
    }

    /// The states and their index alone.
    pub(crate) fn into_states(self) -> Numbering<G::State> {
        self.states
    }
}

impl Net {
    /// Adds states: who acts in each and how many of so many edges it has, the weights of chance, and rows of payoffs.
    fn add(
        &mut self,
        turns: &[(u8, u32)],
        edges: usize,
        weights: &[u32],
        payoffs: &[i32],
        rows: &mut FxHashMap<Box<[i32]>, u32>,
        budget: &mut Budget,
    ) -> Result<(), Full> {
        let chances = turns.iter().filter(|t| t.0 == CHANCE).count();
        let ok = budget.room(&mut self.turns, turns.len(), 0)
            && budget.room(&mut self.ends, turns.len(), 0)
            && budget.room(&mut self.blocks, turns.len() / BLOCK + 1, 0)
            && budget.room(&mut self.details, turns.len(), 0)
            && budget.room(&mut self.begins, chances, 0)
            && budget.room(&mut self.targets, edges, 0)
            && budget.room(&mut self.weights, weights.len(), 0);
        if !ok {
            return Err(Full);
        }
        let mut payoffs = payoffs.chunks_exact(self.players);
        let mut begin = self.weights.len() as u64;
        let mut end = self.ends.len().checked_sub(1).map_or(0, |last| self.end(last));
        for &(turn, edges) in turns {
            let detail = match turn {
                TERMINAL => {
                    let row = payoffs.next().unwrap_or_default();
                    match rows.get(row) {
                        Some(&known) => known,
                        None => {
                            // The row itself, and its copy in the index with some room to grow.
                            if !budget.room(&mut self.payoffs, row.len(), 0) {
                                return Err(Full);
                            }
                            budget.used += (row.len() * 4 + 96) as u64;
                            let new = (self.payoffs.len() / self.players) as u32;
                            self.payoffs.extend_from_slice(row);
                            rows.insert(row.into(), new);
                            new
                        }
                    }
                }
                CHANCE => {
                    self.begins.push(begin);
                    begin += u64::from(edges);
                    (self.begins.len() - 1) as u32
                }
                _ => 0,
            };
            if self.ends.len().is_multiple_of(BLOCK) {
                self.blocks.push(end);
            }
            end += u64::from(edges);
            self.turns.push(turn);
            self.ends.push((end - self.blocks[self.ends.len() / BLOCK]) as u32);
            self.details.push(detail);
        }
        self.weights.extend_from_slice(weights);
        Ok(())
    }

    /// Lets go of room that nothing grows into any more.
    fn fit(&mut self) {
        self.turns.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.blocks.shrink_to_fit();
        self.targets.shrink_to_fit();
        self.details.shrink_to_fit();
        self.begins.shrink_to_fit();
        self.weights.shrink_to_fit();
        self.payoffs.shrink_to_fit();
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.players
    }

    /// How many states there are.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// How many edges there are: actions and outcomes of chance in all states.
    pub fn edges(&self) -> u64 {
        self.targets.len() as u64
    }

    /// Whether chance acts in some state.
    pub fn has_chance(&self) -> bool {
        !self.begins.is_empty()
    }

    /// Who acts in a state.
    pub fn turn(&self, state: u32) -> Turn {
        match self.turns[state as usize] {
            TERMINAL => Turn::Terminal,
            CHANCE => Turn::Chance,
            player => Turn::Player(player),
        }
    }

    /// Where the edges of a state end.
    fn end(&self, state: usize) -> u64 {
        self.blocks[state / BLOCK] + u64::from(self.ends[state])
    }

    /// The states that the actions of a state lead to, in the game's order; one may be there more than once.
    pub fn successors(&self, state: u32) -> &[u32] {
        let state = state as usize;
        let begin = if state == 0 { 0 } else { self.end(state - 1) };
        &self.targets[begin as usize..self.end(state) as usize]
    }

    /// The weights of the successors of a chance state; empty for other states.
    pub fn weights(&self, state: u32) -> &[u32] {
        if self.turns[state as usize] != CHANCE {
            return &[];
        }
        let begin = self.begins[self.details[state as usize] as usize] as usize;
        &self.weights[begin..begin + self.successors(state).len()]
    }

    /// The results of a state in which the game is over, one a player; empty for other states.
    pub fn payoffs(&self, state: u32) -> &[i32] {
        if self.turns[state as usize] != TERMINAL {
            return &[];
        }
        let begin = self.details[state as usize] as usize * self.players;
        &self.payoffs[begin..begin + self.players]
    }

    /// Bytes of memory the graph takes, its states with it. What those hold outside themselves is estimated.
    pub fn bytes(&self) -> u64 {
        self.beside
            + self.turns.capacity() as u64
            + (self.blocks.capacity() + self.begins.capacity()) as u64 * 8
            + (self.ends.capacity()
                + self.targets.capacity()
                + self.details.capacity()
                + self.weights.capacity()
                + self.payoffs.capacity()) as u64
                * 4
    }

    /// The strongly connected components, by which cycles are seen.
    ///
    /// # Errors
    /// [`Error::Memory`] if they do not fit beside the graph, [`Error::Cancelled`].
    pub fn components(&self, run: &Run<'_>) -> Result<Components, Error> {
        run.fits(self.bytes() + Components::memory(self.len() as u64))?;
        Components::of(self, run)
    }
}

/// Bytes a state is taken to hold outside itself.
pub(crate) fn held<G: Game>() -> usize {
    if std::mem::needs_drop::<G::State>() { HELD } else { 0 }
}

/// A graph that is being built.
struct Expansion<G: Game> {
    graph: Graph<G>,
    /// The rows of payoffs met so far.
    rows: FxHashMap<Box<[i32]>, u32>,
    budget: Budget,
    /// Where what was found is, if it is known at a glance.
    glances: Vec<u64>,
}

/// What one part of a step finds, and how looking for it went.
type Task<G> = Mutex<(Found<G>, Result<(), Error>)>;

/// The memory is used up.
struct Full;

/// What does not fit, and how far it came.
fn full(found: usize, run: &Run<'_>) -> Error {
    Error::TooManyStates { found: found as u64, limit: run.memory }
}

impl<G: Game> Expansion<G> {
    /// Expands a game, from where it was when it was last kept under its name.
    fn all(game: &G, starts: &[G::State], name: Option<&str>, run: &Run<'_>) -> Result<Graph<G>, Error> {
        let mut all = Expansion::new(starts, run)?;
        if let Some(kept) = name.and_then(|name| Expansion::new(starts, run).ok()?.resume(name, game, run)) {
            let states = grouped(kept.graph.len() as u64);
            run.observer.note(&Text::of(
                format!("resumed after {states} positions"),
                format!("{states}局面から再開"),
            ));
            all = kept;
        }
        let done = all.finish(game, name, run);
        if let (Err(Error::Cancelled), Some(name)) = (&done, name) {
            all.graph.keep(name, run);
        }
        done.map(|()| all.graph)
    }

    fn new(starts: &[G::State], run: &Run<'_>) -> Result<Self, Error> {
        let mut new = Expansion {
            graph: Graph { states: Numbering::default(), net: Net { players: G::PLAYERS, ..Net::default() } },
            rows: FxHashMap::default(),
            budget: Budget { limit: run.memory, used: 0 },
            glances: Vec::new(),
        };
        if !new.budget.numbers(&mut new.graph.states, starts.len(), held::<G>()) {
            return Err(full(0, run));
        }
        for s in starts {
            new.graph.states.number(s.clone(), tag(s));
        }
        Ok(new)
    }

    fn finish(&mut self, game: &G, name: Option<&str>, run: &Run<'_>) -> Result<(), Error> {
        let mut checkpoints = run.checkpoints();
        let tasks = run.threads.max(1) * TASKS;
        let mut tasks: Vec<Task<G>> = (0..tasks).map(|_| Mutex::new((Found::default(), Ok(())))).collect();
        loop {
            run.check()?;
            if let Some(name) = name.filter(|_| checkpoints.due()) {
                checkpoints.keep(|| self.graph.keep(name, run));
            }
            let done = self.graph.turns.len();
            run.observer.done(done as u64);
            let open = &self.graph.states.members()[done..];
            if open.is_empty() {
                break;
            }
            // One thread looks at few states at a time, so that what it finds is still in its cache.
            let parts = if run.threads > 1 && open.len() >= 2 * CHUNK { tasks.len() } else { 1 };
            let chunks: Vec<&[G::State]> = open.chunks(CHUNK).take(parts).collect();
            let looked = chunks.len();
            each(looked, &|part| {
                let mut task = tasks[part].lock().unwrap_or_else(PoisonError::into_inner);
                task.1 = task.0.look(game, chunks[part]);
            });
            let mut found: Vec<_> =
                tasks.iter_mut().map(|task| task.get_mut().unwrap_or_else(PoisonError::into_inner)).collect();
            let spare: u64 = found.iter().map(|task| task.0.bytes(held::<G>())).sum();
            self.budget.limit = run.memory.saturating_sub(spare);
            for (found, looked) in &mut found[..looked] {
                std::mem::replace(looked, Ok(()))?;
                self.add(found).map_err(|Full| full(self.graph.states.len(), run))?;
            }
        }
        let Graph { states, net } = &mut self.graph;
        states.fit(self.budget.limit.saturating_sub(self.budget.used));
        net.beside = states.bytes(held::<G>());
        net.fit();
        Ok(())
    }

    /// Adds what was found of the next states to the graph.
    fn add(&mut self, found: &mut Found<G>) -> Result<(), Full> {
        let Expansion { graph: Graph { states, net }, rows, budget, glances } = self;
        net.add(&found.turns, found.next.len(), &found.weights, &found.payoffs, rows, budget)?;
        // Most edges lead to states that are known: room is made for what is new as it comes.
        let mut next = found.next.drain(..);
        while !next.as_slice().is_empty() {
            let some = next.as_slice().len().min(GLANCES);
            states.glance(&next.as_slice()[..some], glances);
            for ((s, tag), glance) in next.by_ref().take(some).zip(&*glances) {
                if *glance > 0 {
                    net.targets.push(*glance as u32 - 1);
                    continue;
                }
                if !budget.numbers(states, 1, held::<G>()) {
                    return Err(Full);
                }
                net.targets.push(states.number(s, tag));
            }
        }
        Ok(())
    }
}
