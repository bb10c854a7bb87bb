//! The game as both players see it: pieces without colours, and which piece is the odd one as a side's type.

use crate::geister::board::{Board, Set, squares};
use yomikiri_solve::belief::{ENDED, Next, Payoffs, PublicMove, Rules};

/// Where the pieces of both sides stand; of two mirror images the smaller one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Public {
    /// Who is to move.
    pub turn: u8,
    /// The squares of each side.
    pub sides: [Set; 2],
}

/// The rules on a board. A side of two has one red piece; of a side of three one piece is odd: the red one
/// if most are blue, the blue one if most are red. A side's type is the number of its odd piece (of two: the
/// red one), counted by ascending squares.
pub struct Hidden {
    /// The board.
    pub board: Board,
    /// Whether most of a side's three pieces are red.
    pub mostly_red: [bool; 2],
}

/// What taking a piece comes to, for the taker.
enum Taken {
    Ends(i32),
    Goes,
}

impl Hidden {
    /// The smaller of a position and its mirror image, and whether it is the image.
    pub fn canonical(&self, p: Public) -> (Public, bool) {
        let mirror = Public { turn: p.turn, sides: p.sides.map(|s| self.board.mirror(s)) };
        if mirror < p { (mirror, true) } else { (p, false) }
    }

    /// The number of a piece among those of its side.
    fn number(set: Set, square: u32) -> u8 {
        (set & ((1 << square) - 1)).count_ones() as u8
    }

    /// Whether the piece with a number is red if the side has this type.
    fn red(&self, side: usize, pieces: u32, kind: usize, number: usize) -> bool {
        (kind == number) != (pieces == 3 && self.mostly_red[side])
    }

    fn taken(&self, side: usize, pieces: u32, kind: usize, number: usize) -> Taken {
        let red = self.red(side, pieces, kind, number);
        let alike = (0..pieces as usize).filter(|&n| self.red(side, pieces, kind, n) == red).count();
        match (red, alike) {
            (true, 1) => Taken::Ends(-1),
            (false, 1) => Taken::Ends(1),
            _ => Taken::Goes,
        }
    }

    /// Follows the types of a side to where its pieces stand afterwards; `to` says where each square's
    /// piece has gone, if it is still there.
    fn follow(&self, side: usize, before: Set, after: Set, to: impl Fn(u32) -> Option<u32>) -> [u8; 3] {
        let pieces = before.count_ones();
        let left = after.count_ones();
        let mut types = [ENDED; 3];
        for (kind, slot) in types.iter_mut().enumerate().take(pieces as usize) {
            // The odd piece afterwards: its number by the new squares.
            for (number, square) in squares(before).enumerate() {
                let Some(new) = to(square) else { continue };
                let odd = self.red(side, pieces, kind, number) != (left == 3 && self.mostly_red[side]);
                if odd {
                    *slot = Self::number(after, new);
                }
            }
        }
        types
    }

    /// The moves of a position.
    pub fn all(&self, p: &Public) -> Vec<PublicMove<Public>> {
        let mut moves = Vec::new();
        self.moves(p, &mut moves);
        moves
    }

    /// From where to where the moves of a position go, in their order; leaving goes nowhere.
    pub fn steps(&self, p: &Public) -> Vec<(u32, Option<u32>)> {
        let me = usize::from(p.turn);
        let mut steps = Vec::new();
        for from in squares(p.sides[me]) {
            if self.board.exits[me] >> from & 1 == 1 {
                steps.push((from, None));
            }
            steps.extend(squares(self.board.near(from) & !p.sides[me]).map(|to| (from, Some(to))));
        }
        steps
    }
}

impl Rules for Hidden {
    type Position = Public;

    fn mover(&self, p: &Public) -> usize {
        usize::from(p.turn)
    }

    fn types(&self, p: &Public) -> [usize; 2] {
        p.sides.map(|s| s.count_ones() as usize)
    }

    fn tier(&self, p: &Public) -> u32 {
        p.sides.iter().map(|s| s.count_ones()).sum()
    }

    fn most(&self) -> i32 {
        1
    }

    fn moves(&self, p: &Public, out: &mut Vec<PublicMove<Public>>) {
        let (me, you) = (usize::from(p.turn), usize::from(1 - p.turn));
        let sign = if me == 0 { 1 } else { -1 };
        let pay = |value: &dyn Fn(usize, usize) -> i32| -> Payoffs {
            // By own and other type of the mover, turned to player 0's view.
            let mut pay = [[0; 3]; 3];
            for (i, row) in pay.iter_mut().enumerate() {
                for (j, cell) in row.iter_mut().enumerate() {
                    *cell = sign * if me == 0 { value(i, j) } else { value(j, i) };
                }
            }
            pay
        };
        let (mine, yours) = (p.sides[me], p.sides[you]);
        let (count, others) = (mine.count_ones(), yours.count_ones());
        for (number, from) in squares(mine).enumerate() {
            if self.board.exits[me] >> from & 1 == 1 {
                let blue = |i: usize| if self.red(me, count, i, number) { -1 } else { 1 };
                out.push(PublicMove { next: None, pay: pay(&|i, _| blue(i)) });
            }
            for to in squares(self.board.near(from) & !mine) {
                let take = yours >> to & 1 == 1;
                let mut sides = p.sides;
                sides[me] = mine ^ (1 << from | 1 << to);
                sides[you] = yours & !(1 << to);
                let gone = usize::from(Self::number(yours, to));
                let ends = |j: usize| match self.taken(you, others, j, gone) {
                    _ if !take => None,
                    Taken::Ends(value) => Some(value),
                    Taken::Goes => None,
                };
                let payoffs = pay(&|_, j| if j < others as usize { ends(j).unwrap_or(0) } else { 0 });
                if (0..others as usize).all(|j| ends(j).is_some()) {
                    out.push(PublicMove { next: None, pay: payoffs });
                    continue;
                }
                let (position, flipped) = self.canonical(Public { turn: 1 - p.turn, sides });
                let seen = |s: u32| if flipped { self.board.mirror(1 << s).trailing_zeros() } else { s };
                let mut types = [[ENDED; 3]; 2];
                types[me] =
                    self.follow(me, mine, position.sides[me], |s| Some(seen(if s == from { to } else { s })));
                types[you] = self.follow(you, yours, position.sides[you], |s| (s != to).then(|| seen(s)));
                for (j, slot) in types[you].iter_mut().enumerate().take(others as usize) {
                    if ends(j).is_some() {
                        *slot = ENDED;
                    }
                }
                out.push(PublicMove { next: Some(Next { position, types }), pay: payoffs });
            }
        }
    }
}
