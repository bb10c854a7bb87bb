//! What a game is. Rules implement [`Game`] and then only the capabilities their solver asks for.

use std::fmt::Debug;
use std::hash::Hash;

/// Who acts in a state.
///
/// ```
/// use yomikiri_core::Turn;
///
/// fn label(turn: Turn) -> String {
///     match turn {
///         Turn::Player(p) => format!("player {p} moves"),
///         Turn::Chance => "the dice roll".to_owned(),
///         Turn::Terminal => "the game is over".to_owned(),
///     }
/// }
/// assert_eq!(label(Turn::Player(1)), "player 1 moves");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The player with this number chooses.
    Player(u8),
    /// Chance chooses, with the weights of [`Game::chance`].
    Chance,
    /// The game is over; [`Game::utility`] tells the result.
    Terminal,
}

/// The rules of a game, with its parameters fixed.
///
/// Most games have two players with opposite interests and no chance, so that is what a game has unless it says
/// otherwise.
///
/// ```
/// use yomikiri_core::{Game, Turn};
///
/// /// One heap; a player takes one or two stones, and whoever takes the last one wins.
/// struct Heap(u32);
///
/// impl Game for Heap {
///     type State = (u32, u8); // stones left, who is to move
///     type Action = u32; // stones to take
///
///     fn start(&self) -> (u32, u8) {
///         (self.0, 0)
///     }
///     fn turn(&self, &(stones, player): &(u32, u8)) -> Turn {
///         if stones == 0 { Turn::Terminal } else { Turn::Player(player) }
///     }
///     fn actions(&self, &(stones, _): &(u32, u8), out: &mut Vec<u32>) {
///         out.extend(1..=stones.min(2));
///     }
///     fn apply(&self, &(stones, player): &(u32, u8), taken: u32) -> (u32, u8) {
///         (stones - taken, 1 - player)
///     }
///     fn utility(&self, &(_, player): &(u32, u8), of: u8) -> i32 {
///         // The player who would be to move did not take the last stone.
///         if of == player { -1 } else { 1 }
///     }
/// }
///
/// let heap = Heap(2);
/// assert_eq!(Heap::PLAYERS, 2);
/// assert_eq!(heap.turn(&heap.start()), Turn::Player(0));
/// let end = heap.apply(&heap.start(), 2);
/// assert_eq!((heap.turn(&end), heap.utility(&end, 0)), (Turn::Terminal, 1));
/// ```
pub trait Game: Send + Sync {
    /// Everything the rules need to go on.
    type State: Clone + Eq + Hash + Debug + Send + Sync;
    /// A choice of a player or of chance.
    type Action: Copy + Ord + Debug + Send + Sync;
    /// How many players there are, numbered from 0.
    const PLAYERS: usize = 2;
    /// Whether the utilities of the players add up to 0 in every end, as those of two players do unless they say
    /// otherwise. Solvers hold a game to it.
    const ZERO_SUM: bool = Self::PLAYERS == 2;

    /// The position the game starts from.
    fn start(&self) -> Self::State;
    /// Who acts.
    fn turn(&self, s: &Self::State) -> Turn;
    /// Appends the legal actions of the player to move, ascending: ties are decided by this order.
    fn actions(&self, s: &Self::State, out: &mut Vec<Self::Action>);
    /// Appends what chance may do with integer weights above 0, so that probabilities are exact. Games without
    /// chance leave it out.
    fn chance(&self, _: &Self::State, _: &mut Vec<(Self::Action, u32)>) {}
    /// The state after an action.
    fn apply(&self, s: &Self::State, a: Self::Action) -> Self::State;
    /// The result of a terminal state for a player.
    fn utility(&self, s: &Self::State, player: u8) -> i32;
}

/// States that are the same for a solver share a key. The key of a player's state does not name the
/// player: values are stored for whoever is to move.
pub trait Canonical: Game {
    /// A small value that tables are addressed with.
    type Key: Copy + Eq + Hash + Ord + Debug + Send + Sync;
    /// The key of a state in which a player is to move; `None` for states in the middle of a move,
    /// which are looked through.
    fn key(&self, s: &Self::State) -> Option<Self::Key>;
    /// Appends images of a state under the symmetries of the game; all have the key of the state.
    fn symmetric(&self, s: &Self::State, out: &mut Vec<Self::State>);
}

/// A perfect index in tiers. Every indexed state leads, possibly through states that have no index,
/// only to terminal states and to indexed states of lower tiers.
pub trait Indexed: Game {
    /// The number of tiers.
    fn tiers(&self) -> u32;
    /// The number of states in a tier.
    fn len(&self, tier: u32) -> u64;
    /// Where a state is; `None` for states that are looked through: terminal, chance, or in the
    /// middle of a move.
    fn index(&self, s: &Self::State) -> Option<(u32, u64)>;
    /// The state at a place, with player 0 to move; `None` outside the range.
    fn state(&self, at: (u32, u64)) -> Option<Self::State>;
}

/// A perfect index and moves taken back, for two-player games with cycles in which the players take turns.
/// Unlike [`Indexed`] there are no tiers: any state may lead to any other.
pub trait Retro: Game {
    /// The number of places.
    fn places(&self) -> u64;
    /// The place of a state; states that are mirror images may share one.
    fn place(&self, s: &Self::State) -> u64;
    /// The state at a place; `None` past the end and in the gaps an index may have.
    fn at(&self, place: u64) -> Option<Self::State>;
    /// The same for many places one after the other, most of them ascending: what neighbours share need not be found out
    /// again.
    fn walk(&self) -> impl FnMut(u64) -> Option<Self::State> {
        |place| self.at(place)
    }
    /// Who is to move, or would be if the game were not over.
    fn mover(&self, s: &Self::State) -> u8;
    /// How many different places the actions of a state lead to.
    fn degree(&self, s: &Self::State) -> u32;
    /// Appends the places whose states have an action that leads to the place of `s`, which is given with
    /// it, each once. Places of terminal states may be among them.
    fn predecessors(&self, place: u64, s: &Self::State, out: &mut Vec<u64>);
    /// The same for many places one after the other, most of them ascending: calls `each` with what comes with a place, who
    /// is to move there, and a place before it, in any order. A game may know what neighbours share; places before that are
    /// near each other had better come together.
    fn backward<T: Copy>(&self, places: impl Iterator<Item = (u64, T)>, mut each: impl FnMut(T, u8, u64)) {
        let (mut walk, mut before) = (self.walk(), Vec::new());
        for (place, with) in places {
            let Some(s) = walk(place) else { continue };
            self.predecessors(place, &s, &mut before);
            let mover = self.mover(&s);
            before.drain(..).for_each(|before| each(with, mover, before));
        }
    }
    /// What a state shows by itself. A game may know it quicker than in three questions.
    fn look(&self, s: &Self::State) -> Look {
        match self.turn(s) {
            Turn::Terminal => Look::Over(self.utility(s, 0)),
            _ => Look::Open(self.degree(s)),
        }
    }
}

/// What a state of a game with cycles shows by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// The game is over: what player 0 gets.
    Over(i32),
    /// How many different places its actions lead to. If there is none, nobody wins.
    Open(u32),
}

/// A game in which players do not see everything. Moves made at the same time are moves one after the other that
/// the later player does not see.
pub trait Hidden: Game {
    /// What a player knows when it is to move: everything it has seen and done, so that it forgets nothing.
    type Info: Clone + Eq + Hash + Debug + Send + Sync;
    /// What the player, who is to move, knows; states with the same answer have the same actions.
    fn info(&self, s: &Self::State, player: u8) -> Self::Info;
}
