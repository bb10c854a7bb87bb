//! The rules of any family's game as they are asked from outside.

use crate::describe::Describe;
use crate::family::Family;
use crate::rules::{AnyState, Choice, Rules};
use std::sync::Arc;
use yomikiri_core::{Game, Text, Turn};

/// The rules of a family's game.
pub(crate) struct Of<F: Family> {
    pub family: &'static F,
    pub game: F::Game,
    pub start: <F::Game as Game>::State,
}

impl<F: Family> Of<F> {
    fn actions(&self, s: &<F::Game as Game>::State) -> Vec<(<F::Game as Game>::Action, u32)> {
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        match self.game.turn(s) {
            Turn::Player(_) => self.game.actions(s, &mut actions),
            Turn::Chance => self.game.chance(s, &mut outcomes),
            Turn::Terminal => {}
        }
        outcomes.extend(actions.into_iter().map(|a| (a, 1)));
        outcomes
    }
}

/// A state, if it is one of this game.
fn own<F: Family>(at: &AnyState) -> Option<&<F::Game as Game>::State>
where
    <F::Game as Game>::State: 'static,
{
    at.downcast_ref()
}

impl<F: Family> Rules for Of<F> {
    fn players(&self) -> usize {
        F::Game::PLAYERS
    }
    fn zero_sum(&self) -> bool {
        F::Game::ZERO_SUM
    }
    fn hidden(&self) -> bool {
        self.family.approach().is_some_and(|approach| approach.hidden())
    }
    fn start(&self) -> AnyState {
        Arc::new(self.start.clone())
    }
    fn turn(&self, at: &AnyState) -> Option<Turn> {
        Some(self.game.turn(own::<F>(at)?))
    }
    fn choices(&self, at: &AnyState) -> Option<Vec<Choice>> {
        let s = own::<F>(at)?;
        let one = |(a, weight)| {
            let called = self.game.action(s, a);
            Choice { id: called.id, label: self.game.words(s, a), weight }
        };
        Some(self.actions(s).into_iter().map(one).collect())
    }
    fn apply(&self, at: &AnyState, choice: usize) -> Option<AnyState> {
        let s = own::<F>(at)?;
        let (action, _) = *self.actions(s).get(choice)?;
        Some(Arc::new(self.game.apply(s, action)))
    }
    fn utility(&self, at: &AnyState) -> Option<Vec<i32>> {
        let s = own::<F>(at)?;
        let over = self.game.turn(s) == Turn::Terminal;
        over.then(|| (0..F::Game::PLAYERS).map(|p| self.game.utility(s, p as u8)).collect())
    }
    fn info(&self, at: &AnyState, player: u8) -> Option<String> {
        self.family.approach()?.info(&self.game, own::<F>(at)?, player)
    }
    fn key(&self, at: &AnyState) -> Option<String> {
        Some(format!("{:?}", own::<F>(at)?))
    }
    fn notation(&self, at: &AnyState) -> Option<String> {
        self.game.print(own::<F>(at)?)
    }
    fn text(&self, at: &AnyState) -> Option<Text> {
        Some(self.game.draw(own::<F>(at)?, None))
    }
}
