//! A game in which players are bound to part of their moves: to a fixed strategy (then solving the game
//! measures that strategy, or finds the best response to it), or to the moves a paper's search expands.

use yomikiri_core::{Canonical, Game, Turn};

/// What a player keeps of the legal actions. At least one must stay.
pub trait Policy<G: Game>: Send + Sync {
    /// Removes the actions this player does not consider; their order is kept.
    fn restrict(&self, game: &G, s: &G::State, actions: &mut Vec<G::Action>);
}

/// The policy of a player who is not bound.
pub struct Free;

impl<G: Game> Policy<G> for Free {
    fn restrict(&self, _: &G, _: &G::State, _: &mut Vec<G::Action>) {}
}

/// A two-player game with a policy for each player.
pub struct Restricted<'a, G: Game> {
    game: &'a G,
    policies: [&'a dyn Policy<G>; 2],
    alike: bool,
}

impl<'a, G: Game> Restricted<'a, G> {
    /// The first policy binds player 0, the second player 1.
    pub fn new(game: &'a G, first: &'a dyn Policy<G>, second: &'a dyn Policy<G>) -> Self {
        Restricted { game, policies: [first, second], alike: false }
    }

    /// Both players are bound alike.
    pub fn both(game: &'a G, policy: &'a dyn Policy<G>) -> Self {
        Restricted { game, policies: [policy, policy], alike: true }
    }
}

impl<G: Game> Game for Restricted<'_, G> {
    type State = G::State;
    type Action = G::Action;
    const PLAYERS: usize = G::PLAYERS;

    fn start(&self) -> G::State {
        self.game.start()
    }
    fn turn(&self, s: &G::State) -> Turn {
        self.game.turn(s)
    }
    fn actions(&self, s: &G::State, out: &mut Vec<G::Action>) {
        let Turn::Player(p) = self.game.turn(s) else { return };
        let mut actions = Vec::new();
        self.game.actions(s, &mut actions);
        self.policies[usize::from(p)].restrict(self.game, s, &mut actions);
        out.append(&mut actions);
    }
    fn chance(&self, s: &G::State, out: &mut Vec<(G::Action, u32)>) {
        self.game.chance(s, out);
    }
    fn apply(&self, s: &G::State, a: G::Action) -> G::State {
        self.game.apply(s, a)
    }
    fn utility(&self, s: &G::State, player: u8) -> i32 {
        self.game.utility(s, player)
    }
}

impl<G: Canonical> Canonical for Restricted<'_, G> {
    /// Where the players differ, the key says who is to move.
    type Key = (u8, G::Key);

    fn key(&self, s: &G::State) -> Option<Self::Key> {
        let Turn::Player(p) = self.game.turn(s) else { return None };
        Some((if self.alike { 0 } else { p }, self.game.key(s)?))
    }
    fn symmetric(&self, _: &G::State, _: &mut Vec<G::State>) {}
}
