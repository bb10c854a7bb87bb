//! The exact search: depth first, in the puzzle's order of moves, each state once. States count when they are
//! generated: 1 for the start, and every new state among the children of a state whose turn it is, all of them
//! before the search goes deeper. It ends with the first child that is a goal.

use super::seen::{EMPTY_BYTES, Full, Seen, Warmed};
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

/// The exact engine; what it holds is used again from search to search.
pub struct Exact<P: Puzzle> {
    seen: Seen,
    limits: Limits,
    /// Moves still to be made, with the number of moves before them.
    pending: Vec<(u16, P::Move)>,
    /// The states on the way to the current one, with the moves of each that are done.
    way: Vec<(P::State, P::Done)>,
    moves: Vec<P::Move>,
    listed: Vec<P::Move>,
    children: Vec<(Packed, Warmed)>,
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
            pending: vec![],
            way: vec![],
            moves: vec![],
            listed: vec![],
            children: vec![],
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
        self.pending.clear();
        self.way.clear();
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
        if self.seen.insert(&root, self.seen.warm(&root), words).is_err() {
            return Ok(Solvability::Stopped(Limit::Memory(self.limits.memory)));
        }
        if stop && puzzle.solved(start) {
            return Ok(Solvability::Solved(Vec::new()));
        }
        self.way.push((*start, P::Done::default()));
        let mut expanded = 0_u64;
        loop {
            if expanded.is_multiple_of(LOOK) {
                run.check()?;
            }
            expanded += 1;
            let depth = self.way.len() - 1;
            let (now, mut done) = self.way[depth];
            self.listed.clear();
            puzzle.moves(&now, &done, &mut self.listed);
            let first = self.pending.len();
            self.children.clear();
            for &m in &self.listed {
                let child = puzzle.pack(&puzzle.apply(&now, m));
                let warmed = self.seen.warm(&child);
                self.children.push((child, warmed));
            }
            for (&m, (child, warmed)) in self.listed.iter().zip(&self.children) {
                if self.seen.len() >= self.limits.states {
                    return Ok(Solvability::Stopped(Limit::States(self.limits.states)));
                }
                match self.seen.insert(child, *warmed, words) {
                    Err(Full) => return Ok(Solvability::Stopped(Limit::Memory(self.limits.memory))),
                    Ok(false) => {
                        // Of states with as many moves behind them, only children of this one are not done yet.
                        puzzle.add(&mut done, m);
                        continue;
                    }
                    Ok(true) => {}
                }
                if stop && puzzle.solved(&puzzle.apply(&now, m)) {
                    self.moves.push(m);
                    return Ok(Solvability::Solved(std::mem::take(&mut self.moves)));
                }
                self.pending.push((depth as u16, m));
            }
            self.way[depth].1 = done;
            // The first of them is to be taken first.
            self.pending[first..].reverse();
            let Some((depth, m)) = self.pending.pop() else { return Ok(Solvability::Unsolvable) };
            let depth = usize::from(depth);
            self.way.truncate(depth + 1);
            self.moves.truncate(depth);
            let (from, done) = &mut self.way[depth];
            let next = (puzzle.apply(from, m), puzzle.after(done, m));
            puzzle.add(done, m);
            self.way.push(next);
            self.moves.push(m);
        }
    }
}
