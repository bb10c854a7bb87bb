//! The game itself, with true colours: legal moves and what they lead to. It knows nothing of analyses,
//! tables or tests, so that strategies can be tried against it.

use super::analysis::Step;
use super::board::{Board, Colour, Position, squares};

/// What a move leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The game goes on.
    Goes(Position),
    /// This player has won.
    Won(u8),
}

/// The legal moves of the player to move, ascending; leaving by an exit is a step from a square to itself. A
/// red piece may leave, and loses: its owner need not have looked at it.
pub fn legal(board: &Board, p: &Position) -> Vec<Step> {
    let me = usize::from(p.turn);
    let own = p.sides[me].all();
    let mut all = Vec::new();
    for from in squares(own) {
        let leave = 1 << from & board.exits[me];
        let targets = (board.near(from) & !own) | leave;
        all.extend(squares(targets).map(|to| Step::new(from, to)));
    }
    all
}

/// The legal moves that make sense for whoever knows its colours: leaving with a red piece loses at once.
pub fn sensible(board: &Board, p: &Position) -> Vec<Step> {
    let own = p.sides[usize::from(p.turn)];
    let mut steps = legal(board, p);
    steps.retain(|step| step.from != step.to || own.at(u32::from(step.from)) == Some(Colour::Blue));
    steps
}

/// The colour of the piece a move takes, if it takes one.
pub fn taken(p: &Position, step: Step) -> Option<Colour> {
    p.sides[usize::from(1 - p.turn)].at(u32::from(step.to))
}

/// What a legal move leads to; all colours of the position are true ones.
pub fn play(p: &Position, step: Step) -> Next {
    let (me, other) = (p.turn, 1 - p.turn);
    let (from, to) = (u32::from(step.from), u32::from(step.to));
    let own = p.sides[usize::from(me)];
    if from == to {
        return Next::Won(if own.at(from) == Some(Colour::Blue) { me } else { other });
    }
    let enemy = p.sides[usize::from(other)].without(1 << to);
    // Who takes the last red piece loses, who takes the last blue piece wins.
    match taken(p, step) {
        Some(Colour::Red) if enemy.of(Colour::Red) == 0 => return Next::Won(other),
        Some(Colour::Blue) if enemy.of(Colour::Blue) == 0 => return Next::Won(me),
        _ => {}
    }
    let mut sides = [enemy; 2];
    sides[usize::from(me)] = own.step(from, to);
    Next::Goes(Position { turn: other, sides })
}
