//! Full-width search: a player's exact expectation against a model of the others. The game is told as the
//! player sees it, with one player and everything the others may hold and do as chance; nothing is kept,
//! pruned or guessed. Slow and obvious: the twin of kernels that are neither.

use yomikiri_core::{Error, Game, Number, Run, Turn};

/// States between looks at the cancel flag.
const LOOK: u64 = 1 << 12;

/// A search through everything that may follow.
pub struct FullWidth<'a, G> {
    game: &'a G,
    nodes: u64,
}

impl<'a, G: Game> FullWidth<'a, G> {
    /// A search in a game of one player that has looked at nothing yet.
    pub fn new(game: &'a G) -> Self {
        FullWidth { game, nodes: 0 }
    }

    /// States looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The expectation of a state if the player does the best from here on.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    ///
    /// # Panics
    /// If the rules break their promise and a player to move has no action.
    pub fn value<N: Number>(&mut self, s: &G::State, run: &Run<'_>) -> Result<N, Error> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK) {
            run.check()?;
        }
        match self.game.turn(s) {
            Turn::Terminal => Ok(N::from_int(self.game.utility(s, 0))),
            Turn::Player(_) => {
                let mut best: Option<N> = None;
                for (_, value) in self.moves::<N>(s, run)? {
                    if best.as_ref().is_none_or(|b| value.compare(b).is_gt()) {
                        best = Some(value);
                    }
                }
                Ok(best.expect("a player to move has an action"))
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.game.chance(s, &mut outcomes);
                let (mut sum, mut total) = (N::from_int(0), 0);
                // Results of the game are whole numbers: they are added up as such.
                let mut ended: i64 = 0;
                for (a, weight) in outcomes {
                    let next = self.game.apply(s, a);
                    total += u64::from(weight);
                    if self.game.turn(&next) == Turn::Terminal {
                        self.nodes += 1;
                        ended += i64::from(weight) * i64::from(self.game.utility(&next, 0));
                    } else {
                        sum.add_weighted(weight, &self.value::<N>(&next, run)?);
                    }
                }
                let sign = if ended < 0 { -1 } else { 1 };
                let mut left = ended.unsigned_abs();
                while left > 0 {
                    let part = left.min(u64::from(u32::MAX));
                    sum.add_weighted(part as u32, &N::from_int(sign));
                    left -= part;
                }
                sum.divide(total);
                Ok(sum)
            }
        }
    }

    /// The expectation of every action of the player, in the game's order.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    ///
    /// # Panics
    /// If the rules break their promise and a player to move has no action.
    pub fn moves<N: Number>(&mut self, s: &G::State, run: &Run<'_>) -> Result<Vec<(G::Action, N)>, Error> {
        let mut actions = Vec::new();
        self.game.actions(s, &mut actions);
        actions.into_iter().map(|a| Ok((a, self.value(&self.game.apply(s, a), run)?))).collect()
    }
}
