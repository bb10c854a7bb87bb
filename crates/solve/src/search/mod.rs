//! One player, no chance, no hidden cards: can the goal be reached? Two engines answer. [`Exact`] goes through
//! every state once in a fixed order and keeps each of them whole, so that its "no" is a proof; [`Fast`] follows
//! a game's sense of promise, gives up soon and starts again a little differently, and finds a way to the goal
//! in a fraction of the time if there is one. Neither knows a game.

mod exact;
mod fast;
mod seen;

pub use exact::{Exact, Found, LEAST_MEMORY, Limit, Limits, Solvability};
pub use fast::{Fast, Restarts, Tried};

/// Words the packed form of a state has at most.
pub const MAX_WORDS: usize = 8;

/// A state as the words it is stored as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed {
    words: [u64; MAX_WORDS],
    len: usize,
}

impl Packed {
    /// The first `len` words; at least one, at most [`MAX_WORDS`].
    pub fn new(words: [u64; MAX_WORDS], len: usize) -> Packed {
        Packed { words, len: len.clamp(1, MAX_WORDS) }
    }

    /// As many words as the state needs.
    pub fn words(&self) -> &[u64] {
        &self.words[..self.len]
    }
}

/// A one-player game without chance in which no state comes twice in one game, as the engines ask for it.
///
/// ```
/// use yomikiri_core::Run;
/// use yomikiri_solve::search::{Exact, Limits, Packed, Puzzle, Solvability};
///
/// /// Coins of 5 and 7 must add up to a sum exactly; the state is what is still to pay.
/// struct Coins;
///
/// impl Puzzle for Coins {
///     type State = u64;
///     type Move = u64;
///     type Done = ();
///     fn solved(&self, left: &u64) -> bool { *left == 0 }
///     fn moves(&self, left: &u64, _: &(), out: &mut Vec<u64>) {
///         out.extend([5, 7].into_iter().filter(|coin| coin <= left));
///     }
///     fn apply(&self, left: &u64, coin: u64) -> u64 { left - coin }
///     fn pack(&self, left: &u64) -> Packed { Packed::new([*left, 0, 0, 0, 0, 0, 0, 0], 1) }
///     fn words(&self, _: u64) -> usize { 1 }
/// }
///
/// let mut engine = Exact::<Coins>::new(Limits::memory(1 << 20))?;
/// let found = engine.solve(&Coins, &24, &Run::default())?;
/// assert_eq!(found.solvability, Solvability::Solved(vec![5, 5, 7, 7]));
/// // 23 is the largest sum that cannot be paid: a proof, because every state was met.
/// assert_eq!(engine.solve(&Coins, &23, &Run::default())?.solvability, Solvability::Unsolvable);
/// # Ok::<(), yomikiri_core::Error>(())
/// ```
pub trait Puzzle: Sync {
    /// Everything the rules need to go on, small enough to copy.
    type State: Copy + Send + Sync;
    /// A choice of the player.
    type Move: Copy + Send + Sync + std::fmt::Debug;
    /// A set of moves of one state that need not be tried, because all they lead to has been met. A puzzle that
    /// keeps no such sets uses `()`.
    type Done: Copy + Default + Send + Sync;

    /// Whether the goal is reached.
    fn solved(&self, s: &Self::State) -> bool;
    /// Appends the moves of a state that are not done, in the order an exact search tries them.
    fn moves(&self, s: &Self::State, done: &Self::Done, out: &mut Vec<Self::Move>);
    /// The state after a move.
    fn apply(&self, s: &Self::State, m: Self::Move) -> Self::State;
    /// The state in words: two states have the same words if and only if they are the same.
    fn pack(&self, s: &Self::State) -> Packed;
    /// How many words a packed state has, seen from its first.
    fn words(&self, first: u64) -> usize;

    /// Adds a move to a set. Sets may only be kept by puzzles in which different moves of a state lead to different
    /// states, and all ways from one state to another have the same number of moves.
    fn add(&self, _: &mut Self::Done, _: Self::Move) {}
    /// The set after a move, named as the new state names its moves: of the moves in the set those that could as
    /// well be made after this one, with the same state in the end. What they lead to from there was met when the
    /// two were made the other way round.
    fn after(&self, _: &Self::Done, _: Self::Move) -> Self::Done {
        Self::Done::default()
    }
}

/// What a puzzle adds to be searched by promise.
pub trait Guided: Puzzle {
    /// 64 bits of a state: the same for equal states, and almost never for others.
    fn fingerprint(&self, s: &Self::State) -> u64;
    /// How much hope there is in a state, compared with others after as many moves; more is better, and the goal is
    /// best of all.
    fn promise(&self, s: &Self::State) -> i32;
    /// Calls with every move of a state and the promise of the state it leads to, where the state's own promise is
    /// given; `None` if it is seen at once that the goal can certainly not be reached from there.
    fn children(&self, s: &Self::State, promise: i32, visit: impl FnMut(Self::Move, Option<i32>));
    /// Whether the goal can certainly not be reached from a state, asked only of states that look like the best.
    fn hopeless(&self, s: &Self::State) -> bool;
    /// About how many moves it still takes to the goal; never more than from the state before.
    fn left(&self, s: &Self::State) -> u32;
}
