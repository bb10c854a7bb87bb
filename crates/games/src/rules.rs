//! The rules of a registered game, whichever it is, asked one state at a time: for programs that walk through games
//! themselves.

use std::any::Any;
use std::sync::Arc;
use yomikiri_core::{Text, Turn};

/// A state of some game.
pub type AnyState = Arc<dyn Any + Send + Sync>;

/// Something that can be done in a state: by the player to move, or by chance.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What would be typed for it.
    pub id: String,
    /// What it is.
    pub label: Text,
    /// How likely it is, for chance; 1 for a player.
    pub weight: u32,
}

/// The rules of a game with its parameters fixed. Of a state of another game they say nothing.
pub trait Rules: Send + Sync {
    /// How many players there are.
    fn players(&self) -> usize;
    /// Whether what one player gains the others lose.
    fn zero_sum(&self) -> bool;
    /// Whether players do not see everything, so that [`Rules::info`] says what they know.
    fn hidden(&self) -> bool;
    /// Where the game starts.
    fn start(&self) -> AnyState;
    /// Who acts.
    fn turn(&self, at: &AnyState) -> Option<Turn>;
    /// What can be done, in the game's order.
    fn choices(&self, at: &AnyState) -> Option<Vec<Choice>>;
    /// The state after the choice with a number; none if there is no such choice.
    fn apply(&self, at: &AnyState, choice: usize) -> Option<AnyState>;
    /// What each player gets, where the game is over.
    fn utility(&self, at: &AnyState) -> Option<Vec<i32>>;
    /// What a player who is to move knows, where not everybody sees everything.
    fn info(&self, at: &AnyState, player: u8) -> Option<String>;
    /// The state by which it is told from all others.
    fn key(&self, at: &AnyState) -> Option<String>;
    /// The state as it is written, if it can be.
    fn notation(&self, at: &AnyState) -> Option<String>;
    /// The state in lines of text.
    fn text(&self, at: &AnyState) -> Option<Text>;
}
