//! The exact search: depth first, in the puzzle's order of moves, each state once. States count when they are
//! generated: 1 for the start, and every new state among the children of a state whose turn it is, all of them
//! before the search goes deeper. It ends with the first child that is a goal.
//!
//! What takes the time in a large search is waiting for memory: is this child in the table? So the children of a state
//! are made when it is met, long before its turn comes: the lines of the table that will be asked are then fetched side by
//! side with those of its siblings' children, while other work is done.

use super::seen::{EMPTY_BYTES, Full, Seen};
use super::{MAX_WORDS, Packed, Puzzle};
use yomikiri_core::{Error, Run};

/// Bytes below which no exact search starts.
pub const LEAST_MEMORY: u64 = EMPTY_BYTES;
/// States expanded between two looks at the cancel flag.
const LOOK: u64 = 1 << 12;

/// How far an exact search may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes the states met may take.
    pub memory: u64,
    /// States that may be met.
    pub states: u64,
}

impl Limits {
    /// As many states as fit into so many bytes.
    pub fn memory(memory: u64) -> Limits {
        Limits { memory, states: u64::MAX }
    }
}

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many states.
    States(u64),
    /// So many bytes.
    Memory(u64),
}

/// What a search found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solvability<M> {
    /// A way to the goal.
    Solved(Vec<M>),
    /// Every state that can be reached was met, and none is a goal.
    Unsolvable,
    /// The search ended before it could tell.
    Stopped(Limit),
}

/// What a search found out, and what that took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<M> {
    /// Whether there is a way to the goal.
    pub solvability: Solvability<M>,
    /// States generated, the start among them.
    pub states: u64,
    /// Bytes they took.
    pub bytes: u64,
}

/// A move, and where it leads.
struct Child<M> {
    m: M,
    state: Packed,
    hash: u64,
    goal: bool,
}

/// A state whose turn has not come.
struct Waiting<P: Puzzle> {
    state: P::State,
    /// Moves of it that will be done when its turn comes.
    done: P::Done,
    /// How it was met, and the number of moves before that; the start was not met.
    by: Option<P::Move>,
    depth: u16,
    /// Where its children begin; they end where those of the states before it in the queue begin.
    first: usize,
}

/// The exact engine; what it holds is used again from search to search.
pub struct Exact<P: Puzzle> {
    seen: Seen,
    limits: Limits,
    /// States still to be looked at, the next one last.
    waiting: Vec<Waiting<P>>,
    /// Their children, those of the next one last.
    children: Vec<Child<P::Move>>,
    /// The moves to the current state.
    moves: Vec<P::Move>,
    /// Moves of the current state that lead to new ones.
    new: Vec<P::Move>,
    listed: Vec<P::Move>,
}

impl<P: Puzzle> Exact<P> {
    /// An engine within limits.
    ///
    /// # Errors
    /// [`Error::Memory`] if the memory is not even enough to begin.
    pub fn new(limits: Limits) -> Result<Exact<P>, Error> {
        if limits.memory < LEAST_MEMORY {
            return Err(Error::Memory { need: LEAST_MEMORY, limit: limits.memory });
        }
        let seen = Seen::new(limits.memory);
        Ok(Exact {
            seen,
            limits,
            waiting: vec![],
            children: vec![],
            moves: vec![],
            new: vec![],
            listed: vec![],
        })
    }

    /// How far it may go.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Searches for a way from a state to the goal.
    ///
    /// # Errors
    /// [`Error::Cancelled`]; a limit that was reached is not an error but an answer.
    pub fn solve(&mut self, puzzle: &P, start: &P::State, run: &Run<'_>) -> Result<Found<P::Move>, Error> {
        self.search(puzzle, start, true, run)
    }

    /// Goes through everything that can be reached, past goals too: the count of states, the start among them,
    /// unless a limit comes first.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn reachable(
        &mut self,
        puzzle: &P,
        start: &P::State,
        run: &Run<'_>,
    ) -> Result<Result<u64, Limit>, Error> {
        let found = self.search(puzzle, start, false, run)?;
        Ok(match found.solvability {
            Solvability::Stopped(limit) => Err(limit),
            _ => Ok(found.states),
        })
    }

    fn search(
        &mut self,
        puzzle: &P,
        start: &P::State,
        stop: bool,
        run: &Run<'_>,
    ) -> Result<Found<P::Move>, Error> {
        self.seen.clear();
        self.waiting.clear();
        self.children.clear();
        self.moves.clear();
        let solvability = self.go(puzzle, start, stop, run)?;
        Ok(Found { solvability, states: self.seen.len(), bytes: self.seen.bytes() })
    }

    fn go(
        &mut self,
        puzzle: &P,
        start: &P::State,
        stop: bool,
        run: &Run<'_>,
    ) -> Result<Solvability<P::Move>, Error> {
        let words = |first: u64| puzzle.words(first).clamp(1, MAX_WORDS);
        if self.limits.states == 0 {
            return Ok(Solvability::Stopped(Limit::States(0)));
        }
        let root = puzzle.pack(start);
        if self.seen.insert(&root, Seen::hash(&root), words).is_err() {
            return Ok(Solvability::Stopped(Limit::Memory(self.limits.memory)));
        }
        if stop && puzzle.solved(start) {
            return Ok(Solvability::Solved(Vec::new()));
        }
        self.waiting.push(Waiting { state: *start, done: P::Done::default(), by: None, depth: 0, first: 0 });
        self.list(puzzle, 0);
        let mut expanded = 0_u64;
        while let Some(now) = self.waiting.pop() {
            if expanded.is_multiple_of(LOOK) {
                run.check()?;
            }
            expanded += 1;
            self.moves.truncate(usize::from(now.depth));
            self.moves.extend(now.by);
            let mut done = now.done;
            let children = &self.children[now.first..];
            children.iter().for_each(|child| self.seen.suspect(child.hash));
            self.new.clear();
            for child in children {
                if self.seen.len() >= self.limits.states {
                    return Ok(Solvability::Stopped(Limit::States(self.limits.states)));
                }
                match self.seen.insert(&child.state, child.hash, words) {
                    Err(Full) => return Ok(Solvability::Stopped(Limit::Memory(self.limits.memory))),
                    // Of states with as many moves behind them, only children of this one are not done yet.
                    Ok(false) => puzzle.add(&mut done, child.m),
                    Ok(true) if stop && child.goal => {
                        self.moves.push(child.m);
                        return Ok(Solvability::Solved(std::mem::take(&mut self.moves)));
                    }
                    Ok(true) => self.new.push(child.m),
                }
            }
            self.children.truncate(now.first);
            let (first, depth) = (self.waiting.len(), self.moves.len() as u16);
            for &m in &self.new {
                // When its turn comes, the turns of those before it are over.
                let (state, after) = (puzzle.apply(&now.state, m), puzzle.after(&done, m));
                puzzle.add(&mut done, m);
                self.waiting.push(Waiting { state, done: after, by: Some(m), depth, first: 0 });
            }
            // The first of them is to be taken first.
            self.waiting[first..].reverse();
            self.list(puzzle, first);
        }
        Ok(Solvability::Unsolvable)
    }

    /// Makes the children of those that wait, from a place in the queue on, and begins to look for them.
    #[inline]
    fn list(&mut self, puzzle: &P, from: usize) {
        let begin = self.children.len();
        for waiting in &mut self.waiting[from..] {
            waiting.first = self.children.len();
            self.listed.clear();
            puzzle.moves(&waiting.state, &waiting.done, &mut self.listed);
            self.children.extend(self.listed.iter().map(|&m| {
                let after = puzzle.apply(&waiting.state, m);
                let state = puzzle.pack(&after);
                Child { m, state, hash: Seen::hash(&state), goal: puzzle.solved(&after) }
            }));
        }
        // All at once, and those that are needed first at first.
        self.children[begin..].iter().rev().for_each(|child| self.seen.touch(child.hash));
    }
}
