//! The fast search: level by level, and of each level only the most promising states are kept, one at the beginning and
//! the more the nearer the goal is, where one wrong move is enough. When no way is found the search starts again from
//! the beginning, keeps a little more and judges with a little noise. States kept in a try are remembered by
//! fingerprint only, so it may find a way but never prove that there is none. The same seed gives the same search.

use super::Guided;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Run};

/// How a fast search spends its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restarts {
    /// States the first try keeps of the last level when there are `way` moves to be made, and fewer by the square when
    /// there are fewer: the longer the way, the more wrong moves there are on it.
    pub width: u32,
    /// Moves for which that is meant.
    pub way: u32,
    /// Percent fewer for each move that is still to be made, but never less than one.
    pub narrower: u32,
    /// Percent by which each try keeps more than the one before.
    pub wider: u32,
    /// Tries after which each keeps twice as much as the one before, fewer in the same way: there may be no way to the
    /// goal, and then everything is to be kept soon.
    pub tries: u32,
    /// Promise is raised by a random amount below this from the second try on.
    pub noise: u32,
    /// States generated in all tries together before it gives up.
    pub budget: u64,
}

impl Default for Restarts {
    fn default() -> Restarts {
        Restarts { width: 30, way: 51, narrower: 12, wider: 20, tries: 16, noise: 30, budget: 20_000_000 }
    }
}

impl Restarts {
    /// States that the try after so many others keeps of the levels with 0, 1, 2 ... moves still to be made of a way.
    /// Products of plain numbers, one after another, are the same on every machine.
    fn widths(&self, tries: u32, way: u32) -> impl Iterator<Item = usize> {
        let part = |percent: u32| f64::from(percent) / 100.0;
        let (wider, narrower) =
            (part(self.wider.saturating_add(100)), part(100_u32.saturating_sub(self.narrower)));
        let long = f64::from(way) / f64::from(self.way.max(1));
        let (first, slow) = (f64::from(self.width) * long * long, f64::from(self.tries) * long * long);
        let times = |number: u32| if f64::from(number) < slow { wider } else { 2.0 };
        let last = (1..=tries).fold(first.max(1.0), |width, number| width * times(number));
        std::iter::successors(Some(last), move |width| Some(width * narrower))
            .take(way as usize + 1)
            .map(|width| (width + 0.5).max(1.0) as usize)
    }
}

/// What a fast search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried<M> {
    /// A way to the goal, if one was found.
    pub moves: Option<Vec<M>>,
    /// States generated in all tries: the starts, and all children of states that were kept, hopeless ones among them.
    pub states: u64,
    /// Tries begun.
    pub tries: u32,
    /// Whether the last try kept everything and found no way: there is almost certainly none.
    pub exhausted: bool,
}

/// How a try ended.
enum End {
    Solved,
    Failed,
    Exhausted,
}

/// A state of the level, with its promise and where it stands among all that were kept.
struct Kept<S> {
    state: S,
    promise: i32,
    node: u32,
}

/// A child of a state of the level.
struct Child<M> {
    parent: u32,
    promise: i32,
    m: M,
}

/// The fast engine; what it holds is used again from search to search.
pub struct Fast<P: Guided> {
    seen: Prints,
    level: Vec<Kept<P::State>>,
    next: Vec<Kept<P::State>>,
    children: Vec<Child<P::Move>>,
    /// The children's promises with noise, and their places in the list.
    keys: Vec<u64>,
    /// Of every state kept in the try the state before it and the move between them.
    nodes: Vec<(u32, P::Move)>,
    widths: Vec<usize>,
}

impl<P: Guided> Default for Fast<P> {
    fn default() -> Self {
        Fast {
            seen: Prints::default(),
            level: vec![],
            next: vec![],
            children: vec![],
            keys: vec![],
            nodes: vec![],
            widths: vec![],
        }
    }
}

/// States expanded between two looks at the cancel flag.
const LOOK: usize = 1 << 12;
/// The node before the first.
const ROOT: u32 = u32::MAX;

/// A promise and a place in one number: the larger the better, and of equals the first.
#[inline]
fn key(promise: i32, place: usize) -> u64 {
    u64::from(promise.cast_unsigned() ^ 1 << 31) << 32 | u64::from(!(place as u32))
}

/// Brings the largest keys to the front, in order: as many as are wanted, but one at least. How many there are then.
#[inline]
fn pick(keys: &mut [u64], wanted: usize) -> usize {
    let wanted = wanted.clamp(1, keys.len());
    if wanted < keys.len() {
        keys.select_nth_unstable_by(wanted - 1, |a, b| b.cmp(a));
    }
    keys[..wanted].sort_unstable_by(|a, b| b.cmp(a));
    wanted
}

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
        // What stands for a state generated, at most: lists grow twice at once, tables four times, and both are there
        // while they do.
        let bytes = 3 * (size_of::<Kept<P::State>>() * 2 + size_of::<Child<P::Move>>() + 16) + 8 * 2 * 5;
        let most = (run.memory / bytes as u64).clamp(SMALL as u64 / 2, u64::from(u32::MAX / 2));
        while tried.states < plan.budget {
            let cap = (plan.budget - tried.states).min(most);
            let noise = if tried.tries == 0 { 0 } else { plan.noise };
            let mut random = Random::stream(seed, u64::from(tried.tries));
            self.widths.clear();
            self.widths.extend(plan.widths(tried.tries, puzzle.left(start)));
            tried.tries += 1;
            let (end, states) = self.attempt(puzzle, start, cap, noise, &mut random, run)?;
            tried.states += states;
            match end {
                End::Solved => {
                    tried.moves = Some(self.way());
                    return Ok(tried);
                }
                End::Exhausted => {
                    tried.exhausted = true;
                    return Ok(tried);
                }
                End::Failed => {}
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
        self.seen.clear();
        self.nodes.clear();
        self.level.clear();
        self.level.push(Kept { state: *start, promise: puzzle.promise(start), node: ROOT });
        let (mut states, mut whole) = (1_u64, true);
        while let Some(first) = self.level.first() {
            let left = puzzle.left(&first.state) as usize;
            let width = self.widths.get(left).or(self.widths.last()).map_or(1, |&width| width);
            self.children.clear();
            self.keys.clear();
            for (parent, now) in self.level.iter().enumerate() {
                if parent % LOOK == LOOK - 1 {
                    run.check()?;
                }
                puzzle.children(&now.state, now.promise, |m, promise| {
                    states += 1;
                    if let Some(promise) = promise {
                        let extra =
                            if noise > 0 { ((random.bits() >> 32) * u64::from(noise)) >> 32 } else { 0 };
                        self.keys.push(key(promise.saturating_add(extra as i32), self.children.len()));
                        self.children.push(Child { parent: parent as u32, promise, m });
                    }
                });
                if states >= cap {
                    return Ok((End::Failed, states));
                }
            }
            self.next.clear();
            let mut rest = self.keys.as_mut_slice();
            // As many of the best as there is room for are picked out at a time: some turn out to be met or hopeless.
            while !rest.is_empty() && (whole || self.next.len() < width) {
                let picked = pick(rest, width - self.next.len());
                let (best, others) = rest.split_at_mut(picked);
                for key in best {
                    let Child { parent, promise, m } = self.children[!(*key as u32) as usize];
                    let Kept { state, node, .. } = &self.level[parent as usize];
                    let (node, state) = (*node, puzzle.apply(state, m));
                    if puzzle.solved(&state) {
                        self.nodes.push((node, m));
                        return Ok((End::Solved, states));
                    }
                    if !self.seen.insert(puzzle.fingerprint(&state).max(1)) || puzzle.hopeless(&state) {
                        continue;
                    }
                    if self.next.len() == width {
                        whole = false;
                        break;
                    }
                    self.nodes.push((node, m));
                    self.next.push(Kept { state, promise, node: self.nodes.len() as u32 - 1 });
                }
                rest = others;
            }
            std::mem::swap(&mut self.level, &mut self.next);
        }
        Ok((if whole { End::Exhausted } else { End::Failed }, states))
    }

    /// The moves to the state that was kept last.
    fn way(&self) -> Vec<P::Move> {
        let mut way = Vec::new();
        let mut at = self.nodes.len().wrapping_sub(1) as u32;
        while let Some(&(before, m)) = self.nodes.get(at as usize) {
            way.push(m);
            at = before;
        }
        way.reverse();
        way
    }
}

/// Fingerprints met: open addressing in a table of a power of two; 0 is free.
#[derive(Default)]
struct Prints {
    table: Vec<u64>,
    held: usize,
}

/// Fingerprints of a small table, which stays in fast memory.
const SMALL: usize = 1 << 10;

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
