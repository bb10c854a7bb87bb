//! The slow and obvious way: recursion over any [`Canonical`] game that remembers what it has seen in a
//! hash map. Tests compare every fast solver with it, and small questions need nothing else.

use crate::solution::{Solution, Solver, Stored};
use rustc_hash::FxHashMap;
use std::marker::PhantomData;
use yomikiri_core::{Canonical, Error, Number, Run, Turn, text};

/// The solver; `N` is what it computes in. It visits what can be reached from the start.
///
/// ```
/// use yomikiri_core::{Canonical, Game, Rational, Run, Turn};
/// use yomikiri_solve::{Solution, Solver, memo::Memo};
///
/// /// Take one or two stones; who takes the last one wins.
/// struct Heap(u32);
///
/// impl Game for Heap {
///     type State = (u32, u8);
///     type Action = u32;
///     fn start(&self) -> (u32, u8) { (self.0, 0) }
///     fn turn(&self, s: &(u32, u8)) -> Turn { if s.0 == 0 { Turn::Terminal } else { Turn::Player(s.1) } }
///     fn actions(&self, s: &(u32, u8), out: &mut Vec<u32>) { out.extend(1..=s.0.min(2)) }
///     fn apply(&self, s: &(u32, u8), a: u32) -> (u32, u8) { (s.0 - a, 1 - s.1) }
///     fn utility(&self, s: &(u32, u8), player: u8) -> i32 { if player == s.1 { -1 } else { 1 } }
/// }
///
/// impl Canonical for Heap {
///     type Key = u32; // the same for both players
///     fn key(&self, s: &(u32, u8)) -> Option<u32> { Some(s.0) }
///     fn symmetric(&self, _: &(u32, u8), _: &mut Vec<(u32, u8)>) {}
/// }
///
/// let heap = Heap(100);
/// let solved = Memo::<Rational>::new().solve(&heap, &Run::default())?;
/// assert_eq!(solved.positions(), 100);
/// assert_eq!(solved.value(&heap, &(99, 1)).unwrap().to_string(), "-1");
/// # Ok::<(), yomikiri_core::Error>(())
/// ```
pub struct Memo<N>(PhantomData<N>);

impl<N> Memo<N> {
    /// The solver that computes in `N`.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Memo(PhantomData)
    }
}

/// The values found, by key.
pub struct Memoised<K, N> {
    values: FxHashMap<K, N>,
}

impl<K: Copy + Ord + std::hash::Hash, N: Number> Memoised<K, N> {
    /// How many positions were visited.
    pub fn positions(&self) -> u64 {
        self.values.len() as u64
    }

    /// The keys visited, in ascending order.
    pub fn keys(&self) -> Vec<K> {
        let mut keys: Vec<K> = self.values.keys().copied().collect();
        keys.sort_unstable();
        keys
    }
}

impl<G: Canonical, N: Number> Solution<G> for Memoised<G::Key, N> {
    type Number = N;
    fn stored(&self, game: &G, s: &G::State) -> Stored<N> {
        match game.key(s) {
            None => Stored::LookThrough,
            Some(key) => self.values.get(&key).map_or(Stored::Missing, |v| Stored::Value(v.clone())),
        }
    }
}

impl<G: Canonical, N: Number> Solver<G> for Memo<N> {
    type Solution = Memoised<G::Key, N>;

    fn solve(&self, game: &G, run: &Run<'_>) -> Result<Self::Solution, Error> {
        solve_from(game, &[game.start()], run)
    }
}

/// Solves everything that can be reached from the given states.
///
/// # Errors
/// [`Error::Memory`] when the table has grown too large, [`Error::Cancelled`].
///
/// # Panics
/// If the rules break their promise and a player to move has no action.
pub fn solve_from<G: Canonical, N: Number>(
    game: &G,
    starts: &[G::State],
    run: &Run<'_>,
) -> Result<Memoised<G::Key, N>, Error> {
    run.observer.begin(&text("memoised recursion", "メモ化再帰"), 0);
    // A hash map holds between 8/7 and 16/7 of its entries in slots, and both copies while it grows.
    let entry = (std::mem::size_of::<G::Key>() as u64 + N::bytes() + 1) * 3;
    let mut search = Search { game, run, values: FxHashMap::default(), most: run.memory / entry, entry };
    for s in starts {
        search.value_for(s, 0)?;
    }
    run.observer.end();
    Ok(Memoised { values: search.values })
}

struct Search<'a, G: Canonical, N> {
    game: &'a G,
    run: &'a Run<'a>,
    values: FxHashMap<G::Key, N>,
    most: u64,
    entry: u64,
}

impl<G: Canonical, N: Number> Search<'_, G, N> {
    fn value_for(&mut self, s: &G::State, me: u8) -> Result<N, Error> {
        match self.game.turn(s) {
            Turn::Terminal => Ok(N::from_int(self.game.utility(s, me))),
            Turn::Player(p) => {
                let value = match self.game.key(s) {
                    None => self.best(s, p)?,
                    Some(key) => match self.values.get(&key) {
                        Some(value) => value.clone(),
                        None => {
                            let value = self.best(s, p)?;
                            self.keep(key, value.clone())?;
                            value
                        }
                    },
                };
                Ok(if p == me { value } else { value.negate() })
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.game.chance(s, &mut outcomes);
                let mut sum = N::from_int(0);
                let mut total = 0;
                for (a, weight) in outcomes {
                    let value = self.value_for(&self.game.apply(s, a), me)?;
                    sum.add_weighted(weight, &value);
                    total += u64::from(weight);
                }
                sum.divide(total);
                Ok(sum)
            }
        }
    }

    fn best(&mut self, s: &G::State, p: u8) -> Result<N, Error> {
        let mut actions = Vec::new();
        self.game.actions(s, &mut actions);
        let mut best: Option<N> = None;
        for a in actions {
            let value = self.value_for(&self.game.apply(s, a), p)?;
            if best.as_ref().is_none_or(|b| value.compare(b).is_gt()) {
                best = Some(value);
            }
        }
        Ok(best.expect("a player to move has an action"))
    }

    fn keep(&mut self, key: G::Key, value: N) -> Result<(), Error> {
        let n = self.values.len() as u64 + 1;
        if n.is_multiple_of(1 << 12) {
            self.run.check()?;
            self.run.observer.done(n);
        }
        if n > self.most {
            return Err(Error::Memory { need: (n + 1) * self.entry, limit: self.run.memory });
        }
        self.values.insert(key, value);
        Ok(())
    }
}
