//! The board: four by four squares, who stands where, and every move there is. Written from the rules alone.

/// Squares are 4·row + file; row 0 is rank 4, at the top.
pub type Square = u8;

/// A piece that has been taken stands here.
pub const GONE: Square = u8::MAX;

/// Whose turn it is. P1 has three pieces, or two once one has been taken; P2 always has two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Starts at the bottom and leaves at the top corners.
    One,
    /// Starts at the top and leaves at the bottom corners.
    Two,
}

impl Player {
    /// The other one.
    pub fn other(self) -> Player {
        match self {
            Player::One => Player::Two,
            Player::Two => Player::One,
        }
    }

    /// The corners where this player's pieces may leave.
    fn exits(self) -> [Square; 2] {
        match self {
            Player::One => [0, 3],
            Player::Two => [12, 15],
        }
    }
}

/// What is public of a position: the squares of both sides in ascending order, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Who is to move.
    pub turn: Player,
    /// P1's squares; the third is [`GONE`] if only two are left.
    pub a: [Square; 3],
    /// P2's squares.
    pub b: [Square; 2],
}

/// A move. Pieces are numbered as in [`Place::a`] and [`Place::b`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// To an empty square.
    Quiet {
        /// Which piece.
        piece: usize,
        /// To where.
        to: Square,
    },
    /// Takes a piece of the other side.
    Take {
        /// Which piece.
        piece: usize,
        /// To where.
        to: Square,
        /// Which piece of the other side.
        taken: usize,
    },
    /// Leaves the board from an exit.
    Leave {
        /// Which piece.
        piece: usize,
    },
}

impl Place {
    /// How many pieces P1 has.
    pub fn count(&self) -> usize {
        if self.a[2] == GONE { 2 } else { 3 }
    }

    /// P1's squares that are on the board.
    pub fn ones(&self) -> &[Square] {
        &self.a[..self.count()]
    }

    /// The squares of a player.
    fn of(&self, player: Player) -> &[Square] {
        match player {
            Player::One => self.ones(),
            Player::Two => &self.b,
        }
    }

    /// Every move of the side to move, leaving included, whatever the colours.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        let (own, others) = (self.of(self.turn), self.of(self.turn.other()));
        let exits = self.turn.exits();
        own.iter().enumerate().flat_map(move |(piece, from)| {
            let steps = neighbours(*from).filter(|to| !own.contains(to)).map(move |to| {
                match others.iter().position(|other| *other == to) {
                    None => Move::Quiet { piece, to },
                    Some(taken) => Move::Take { piece, to, taken },
                }
            });
            let leaves = exits.contains(from).then_some(Move::Leave { piece });
            steps.chain(leaves)
        })
    }

    /// The square a piece of the side to move stands on.
    pub fn from(&self, piece: usize) -> Square {
        self.of(self.turn)[piece]
    }

    /// The move of the side to move from one square to another, or off the board (`to` = −2), if there is one.
    pub fn find(&self, from: i8, to: i8) -> Option<Move> {
        self.moves().find(|step| {
            let (piece, goal) = match *step {
                Move::Quiet { piece, to } | Move::Take { piece, to, .. } => (piece, to as i8),
                Move::Leave { piece } => (piece, -2),
            };
            from == self.from(piece) as i8 && to == goal
        })
    }

    /// The position after a move, its pieces still numbered as before; none if the game is over whatever the
    /// colours. P2 taking one of three does not end it, unless that one is red.
    pub fn after(&self, step: Move) -> Option<Place> {
        let mut after = Place { turn: self.turn.other(), ..*self };
        match (self.turn, step) {
            (Player::One, Move::Quiet { piece, to }) => after.a[piece] = to,
            (Player::Two, Move::Quiet { piece, to }) => after.b[piece] = to,
            (Player::Two, Move::Take { piece, to, taken }) if self.count() == 3 => {
                after.b[piece] = to;
                after.a[taken] = GONE;
            }
            _ => return None,
        }
        Some(after)
    }
}

/// The squares one step up, down, left and right.
fn neighbours(square: Square) -> impl Iterator<Item = Square> {
    let (row, file) = (square / 4, square % 4);
    [
        (row > 0).then(|| square - 4),
        (row < 3).then(|| square + 4),
        (file > 0).then(|| square - 1),
        (file < 3).then(|| square + 1),
    ]
    .into_iter()
    .flatten()
}

/// The same square seen in a mirror: left and right change places.
pub fn mirror(square: Square) -> Square {
    4 * (square / 4) + 3 - square % 4
}

/// Where the pieces of one position are found in the lists of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// For each of P1's pieces its number in the other position; none for one that is gone.
    pub a: [Option<usize>; 3],
    /// For each of P2's pieces its number in the other position.
    pub b: [usize; 2],
}

/// Finds the pieces of `here` (in any order, perhaps one gone) in `entry`, as it stands or mirrored; nothing
/// if the two are not the same position.
pub fn view(here: &Place, entry: &Place, mirrored: bool) -> Option<View> {
    let seen = |square| if mirrored { mirror(square) } else { square };
    let standing = here.a.iter().filter(|square| **square != GONE).count();
    if here.turn != entry.turn || standing != entry.count() {
        return None;
    }
    let mut view = View { a: [None; 3], b: [0; 2] };
    // Squares of one side are distinct and equally many: finding each of them makes this one to one.
    for (found, square) in view.a.iter_mut().zip(here.a) {
        if square != GONE {
            *found = Some(entry.ones().iter().position(|other| *other == seen(square))?);
        }
    }
    for (found, square) in view.b.iter_mut().zip(here.b) {
        *found = entry.b.iter().position(|other| *other == seen(square))?;
    }
    Some(view)
}

/// A square as people write it: a4 is 0, d1 is 15.
pub fn name(square: Square) -> String {
    format!("{}{}", char::from(b'a' + square % 4), 4 - square / 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn place(turn: Player, a: &[Square], b: [Square; 2]) -> Place {
        Place { turn, a: [a[0], a[1], a.get(2).copied().unwrap_or(GONE)], b }
    }

    /// Every position with the squares in order.
    fn all() -> impl Iterator<Item = Place> {
        let squares = || (0..16).chain([GONE]);
        let three =
            (0..16).flat_map(move |x| (x + 1..16).flat_map(move |y| squares().map(move |z| [x, y, z])));
        three.filter(|a| a[2] > a[1]).flat_map(|a| {
            (0..16).flat_map(move |x| (x + 1..16).map(move |y| [x, y])).flat_map(move |b| {
                let apart = b.iter().all(|square| !a.contains(square));
                let turns = [Player::One, Player::Two].map(|turn| Place { turn, a, b });
                turns.into_iter().filter(move |_| apart)
            })
        })
    }

    #[test]
    fn law_the_positions_are_as_many_as_the_rules_say() {
        let (mut two, mut three) = (0, 0);
        for place in all() {
            *if place.count() == 3 { &mut three } else { &mut two } += 1;
        }
        // 2·C(16,2)·C(14,2) and 2·C(16,3)·C(13,2).
        assert_eq!((two, three), (21_840, 87_360));
    }

    #[test]
    fn law_there_is_always_a_move_that_colours_do_not_forbid() {
        for place in all() {
            assert!(place.moves().any(|step| !matches!(step, Move::Leave { .. })), "{place:?}");
        }
    }

    #[test]
    fn law_moves_are_steps_of_one_onto_squares_not_ones_own() {
        for place in all() {
            let mut seen = BTreeSet::new();
            for step in place.moves() {
                let (piece, to) = match step {
                    Move::Quiet { piece, to } => (piece, to),
                    Move::Take { piece, to, taken } => {
                        assert_eq!(place.of(place.turn.other())[taken], to);
                        (piece, to)
                    }
                    Move::Leave { piece } => {
                        assert!(place.turn.exits().contains(&place.from(piece)));
                        continue;
                    }
                };
                let from = place.from(piece);
                let apart = (from / 4).abs_diff(to / 4) + (from % 4).abs_diff(to % 4);
                assert!(apart == 1 && !place.of(place.turn).contains(&to), "{place:?} {step:?}");
                assert!(seen.insert((from, to)), "each once");
                assert_eq!(
                    place.after(step).is_none(),
                    matches!(step, Move::Take { .. }) && (place.turn == Player::One || place.count() == 2)
                );
            }
            // Counted from the other end: squares next to a piece that are not its own.
            let expected = (0..16).flat_map(|from| (0..16).map(move |to| (from, to))).filter(|(from, to)| {
                place.of(place.turn).contains(from)
                    && !place.of(place.turn).contains(to)
                    && (from / 4).abs_diff(to / 4) + (from % 4).abs_diff(to % 4) == 1
            });
            assert_eq!(seen.len(), expected.count());
        }
    }

    #[test]
    fn law_a_view_finds_the_same_pieces_mirrored_or_not() {
        let here = Place { turn: Player::Two, a: [9, 5, 14], b: [2, 1] };
        let straight = place(Player::Two, &[5, 9, 14], [1, 2]);
        assert_eq!(view(&here, &straight, false), Some(View { a: [Some(1), Some(0), Some(2)], b: [1, 0] }));
        assert_eq!(view(&here, &straight, true), None);
        let mirrored = place(Player::Two, &[6, 10, 13], [1, 2]);
        assert_eq!(view(&here, &mirrored, true), Some(View { a: [Some(1), Some(0), Some(2)], b: [0, 1] }));
        let one_gone = Place { turn: Player::One, a: [9, GONE, 13], b: [1, 5] };
        let entry = place(Player::One, &[9, 13], [1, 5]);
        assert_eq!(view(&one_gone, &entry, false), Some(View { a: [Some(0), None, Some(1)], b: [0, 1] }));
        assert_eq!(view(&one_gone, &place(Player::Two, &[9, 13], [1, 5]), false), None, "the other's turn");
        assert_eq!(view(&one_gone, &place(Player::One, &[5, 9, 13], [1, 2]), false), None, "three pieces");
        let symmetric = place(Player::One, &[8, 11], [5, 6]);
        assert_eq!(
            view(&symmetric, &symmetric, false),
            Some(View { a: [Some(0), Some(1), None], b: [0, 1] })
        );
        assert_eq!(view(&symmetric, &symmetric, true), Some(View { a: [Some(1), Some(0), None], b: [1, 0] }));
    }

    #[test]
    fn law_the_mirror_undoes_itself() {
        for square in 0..16 {
            assert_eq!(mirror(mirror(square)), square);
        }
        assert_eq!((mirror(0), mirror(9), mirror(15)), (3, 10, 12));
        assert_eq!((name(0), name(9), name(15)), ("a4".into(), "b2".into(), "d1".into()));
    }
}
