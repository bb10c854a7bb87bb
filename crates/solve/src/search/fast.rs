//! The fast search: depth first, the most promising child first, with a small cap on states; when it is reached the
//! search starts again from the beginning with a little noise in its judgement, and after every few tries the cap
//! doubles. States met in a try are remembered by fingerprint only, so it may find a way but never prove that there
//! is none. The same seed gives the same search.

use super::Guided;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Run};

/// How a fast search spends its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restarts {
    /// States of the first tries.
    pub cap: u64,
    /// Tries after which the cap doubles.
    pub tries: u32,
    /// Promise is raised by a random amount below this from the second try on.
    pub noise: u32,
    /// States generated in all tries together before it gives up.
    pub budget: u64,
}

impl Default for Restarts {
    fn default() -> Restarts {
        Restarts { cap: 1500, tries: 4, noise: 16, budget: 20_000_000 }
    }
}

/// What a fast search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried<M> {
    /// A way to the goal, if one was found.
    pub moves: Option<Vec<M>>,
    /// States generated in all tries, hopeless ones and the starts among them.
    pub states: u64,
    /// Tries begun.
    pub tries: u32,
    /// Whether the last try ended because there was nothing left to look at: there is almost certainly no way.
    pub exhausted: bool,
}

/// How a try ended.
enum End {
    Solved,
    Capped,
    Exhausted,
}

/// The fast engine; what it holds is used again from search to search.
pub struct Fast<P: Guided> {
    seen: Prints,
    /// Moves still to be made, with the number of moves before them and their promise.
    pending: Vec<(i32, u16, P::Move)>,
    /// The states on the way to the current one, with the moves of each that are done.
    way: Vec<(P::State, P::Done)>,
    moves: Vec<P::Move>,
    listed: Vec<P::Move>,
}

impl<P: Guided> Default for Fast<P> {
    fn default() -> Self {
        Fast { seen: Prints::default(), pending: vec![], way: vec![], moves: vec![], listed: vec![] }
    }
}

/// States generated between two looks at the cancel flag.
const LOOK: u64 = 1 << 14;

impl<P: Guided> Fast<P> {
    /// Searches for a way from a state to the goal.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn solve(
        &mut self,
        puzzle: &P,
        start: &P::State,
        plan: &Restarts,
        seed: u64,
        run: &Run<'_>,
    ) -> Result<Tried<P::Move>, Error> {
        let mut tried = Tried { moves: None, states: 0, tries: 0, exhausted: false };
        if puzzle.solved(start) {
            return Ok(Tried { moves: Some(Vec::new()), states: 1, tries: 1, exhausted: false });
        }
        let mut cap = plan.cap.max(1);
        // Tables grow four times at once, and both are there while they do.
        let most = (run.memory / (8 * 2 * 5)).max(SMALL as u64 / 2);
        while tried.states < plan.budget {
            let cap_now = cap.min(plan.budget - tried.states).min(most);
            let noise = if tried.tries == 0 { 0 } else { plan.noise };
            let mut random = Random::stream(seed, u64::from(tried.tries));
            tried.tries += 1;
            let (end, states) = self.attempt(puzzle, start, cap_now, noise, &mut random, run)?;
            tried.states += states;
            match end {
                End::Solved => {
                    tried.moves = Some(std::mem::take(&mut self.moves));
                    return Ok(tried);
                }
                End::Exhausted => {
                    tried.exhausted = true;
                    return Ok(tried);
                }
                End::Capped => {}
            }
            if tried.tries.is_multiple_of(plan.tries.max(1)) {
                cap = cap.saturating_mul(2);
            }
        }
        Ok(tried)
    }

    fn attempt(
        &mut self,
        puzzle: &P,
        start: &P::State,
        cap: u64,
        noise: u32,
        random: &mut Random,
        run: &Run<'_>,
    ) -> Result<(End, u64), Error> {
        run.check()?;
        self.pending.clear();
        self.way.clear();
        self.moves.clear();
        self.seen.clear();
        let mut states = 1_u64;
        self.way.push((*start, P::Done::default()));
        let mut look = LOOK;
        loop {
            if states >= look {
                run.check()?;
                look = states + LOOK;
            }
            let depth = self.way.len() - 1;
            let (now, mut done) = self.way[depth];
            self.listed.clear();
            puzzle.moves(&now, &done, &mut self.listed);
            let first = self.pending.len();
            for &m in &self.listed {
                let child = puzzle.apply(&now, m);
                let print = puzzle.fingerprint(&child).max(1);
                if !self.seen.insert(print) {
                    puzzle.add(&mut done, m);
                    continue;
                }
                states += 1;
                if puzzle.solved(&child) {
                    self.moves.push(m);
                    return Ok((End::Solved, states));
                }
                if let Some(promise) = puzzle.promise(&now, &child) {
                    let extra = if noise > 0 { ((random.bits() >> 32) * u64::from(noise)) >> 32 } else { 0 };
                    self.pending.push((promise + extra as i32, depth as u16, m));
                } else {
                    puzzle.add(&mut done, m);
                }
            }
            self.way[depth].1 = done;
            // The best last, to be taken first; stable, so that equals are taken in a fixed order.
            self.pending[first..].sort_by_key(|p| p.0);
            if states >= cap {
                return Ok((End::Capped, states));
            }
            let Some((_, depth, m)) = self.pending.pop() else { return Ok((End::Exhausted, states)) };
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

/// Fingerprints met: open addressing in a table of a power of two; 0 is free.
#[derive(Default)]
struct Prints {
    table: Vec<u64>,
    held: usize,
}

/// Fingerprints of a small table, which stays in fast memory.
const SMALL: usize = 1 << 12;

impl Prints {
    fn clear(&mut self) {
        if self.table.len() == SMALL {
            self.table.fill(0);
        } else {
            self.table = vec![0; SMALL];
        }
        self.held = 0;
    }

    /// Remembers one; true if it is new.
    #[inline]
    fn insert(&mut self, print: u64) -> bool {
        let mask = self.table.len() - 1;
        let mut at = print as usize & mask;
        loop {
            match self.table[at] {
                0 => break,
                there if there == print => return false,
                _ => at = (at + 1) & mask,
            }
        }
        self.table[at] = print;
        self.held += 1;
        if self.held * 2 > self.table.len() {
            self.grow();
        }
        true
    }

    #[cold]
    fn grow(&mut self) {
        let old = std::mem::take(&mut self.table);
        self.table = vec![0; old.len() * 4];
        self.held = 0;
        for print in old.into_iter().filter(|&p| p != 0) {
            self.insert(print);
        }
    }
}
