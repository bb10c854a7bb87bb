//! The board as bits: squares from a1 along the ranks, and positions as sets of squares.

use yomikiri_core::{Refusal, Text};

/// The shortest and the longest side of a board.
pub const SIDES: (u8, u8) = (3, 6);
/// Squares of the largest board.
pub const SQUARES: usize = 36;

/// A set of squares.
pub type Set = u64;

/// What is known of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// May leave by an exit; losing the last one loses.
    Blue,
    /// Taking the last one loses.
    Red,
    /// Not known.
    Purple,
}

impl Colour {
    /// All of them, in the order sets of pieces are stored.
    pub const ALL: [Colour; 3] = [Colour::Blue, Colour::Red, Colour::Purple];

    /// The letter for it: upper case for player 1, lower case for player 2.
    pub fn letter(self, player: u8) -> char {
        let upper = match self {
            Colour::Blue => 'B',
            Colour::Red => 'R',
            Colour::Purple => 'P',
        };
        if player == 0 { upper } else { upper.to_ascii_lowercase() }
    }
}

/// The pieces of a player by colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Side(pub [Set; 3]);

impl Side {
    /// All pieces.
    #[inline]
    pub fn all(&self) -> Set {
        self.0[0] | self.0[1] | self.0[2]
    }
    /// The pieces of a colour.
    #[inline]
    pub fn of(&self, colour: Colour) -> Set {
        self.0[colour as usize]
    }
    /// The colour of the piece on a square.
    #[inline]
    pub fn at(&self, square: u32) -> Option<Colour> {
        Colour::ALL.into_iter().find(|c| self.of(*c) >> square & 1 == 1)
    }
    /// The same pieces after one has gone from a square to another.
    #[inline]
    pub fn step(mut self, from: u32, to: u32) -> Side {
        let (from, to) = (1 << from, 1 << to);
        for set in &mut self.0 {
            // Only the set that has the piece changes.
            let has = u64::from(*set & from != 0);
            *set ^= (from | to) * has;
        }
        self
    }
    /// The same pieces without those of a set.
    #[inline]
    pub fn without(mut self, gone: Set) -> Side {
        self.0.iter_mut().for_each(|set| *set &= !gone);
        self
    }
    /// The same pieces and one more.
    #[inline]
    pub fn with(mut self, colour: Colour, square: u32) -> Side {
        self.0[colour as usize] |= 1 << square;
        self
    }
}

/// Who is to move and where everything stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// 0 for player 1, 1 for player 2.
    pub turn: u8,
    /// The pieces of both.
    pub sides: [Side; 2],
}

impl Position {
    /// The squares with a piece.
    #[inline]
    pub fn occupied(&self) -> Set {
        self.sides[0].all() | self.sides[1].all()
    }
}

/// The squares of a set, ascending.
#[inline]
pub fn squares(mut set: Set) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            square
        })
    })
}

/// How many squares four sets have together, each counted as often as it is in one: in one go, since not every processor
/// counts bits by itself.
#[inline]
pub fn together(sets: [Set; 4]) -> u32 {
    const PAIRS: u64 = u64::MAX / 0x3;
    const FOURS: u64 = u64::MAX / 0x5;
    const BYTES: u64 = u64::MAX / 0x11;
    let [a, b, c, d] = sets.map(|set| set - (set >> 1 & PAIRS));
    let fours = |x: u64, y: u64| (x & FOURS) + (x >> 2 & FOURS) + (y & FOURS) + (y >> 2 & FOURS);
    let (x, y) = (fours(a, b), fours(c, d));
    let bytes = (x & BYTES) + (x >> 4 & BYTES) + (y & BYTES) + (y >> 4 & BYTES);
    (bytes.wrapping_mul(u64::MAX / 0xff) >> 56) as u32
}

/// A board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The number of files.
    pub width: u8,
    /// The number of ranks.
    pub height: u8,
    /// All squares.
    pub all: Set,
    /// Where the blue pieces of each player leave: the far corners.
    pub exits: [Set; 2],
    near: [Set; SQUARES],
    first_file: Set,
    last_file: Set,
}

impl Board {
    /// A board, if its sides are within the limits.
    ///
    /// # Errors
    /// What is not accepted is refused by the name of the field.
    pub fn new(width: u8, height: u8) -> Result<Board, Refusal> {
        for (field, side) in [("width", width), ("height", height)] {
            if !(SIDES.0..=SIDES.1).contains(&side) {
                let accepts =
                    Text::of(format!("{} to {}", SIDES.0, SIDES.1), format!("{}～{}", SIDES.0, SIDES.1));
                return Err(Refusal::new(field, side, accepts));
            }
        }
        let n = u32::from(width) * u32::from(height);
        let all = (1 << n) - 1;
        let first_file = (0..height).fold(0, |set, rank| set | 1 << (rank * width));
        let last_file = first_file << (width - 1);
        let corners = |rank: u8| 1 << (rank * width) | 1 << (rank * width + width - 1);
        let exits = [corners(height - 1), corners(0)];
        let mut board = Board { width, height, all, exits, near: [0; SQUARES], first_file, last_file };
        for square in 0..n {
            board.near[square as usize] = board.spread(1 << square);
        }
        Ok(board)
    }

    /// The number of squares.
    pub fn squares(&self) -> usize {
        self.all.count_ones() as usize
    }

    /// The squares next to a square.
    #[inline]
    pub fn near(&self, square: u32) -> Set {
        self.near[square as usize]
    }

    /// Each square of a set moved by one step: up, down, left, right.
    #[inline]
    pub fn steps(&self, set: Set) -> [Set; 4] {
        let width = u32::from(self.width);
        [set << width & self.all, set >> width, (set & !self.first_file) >> 1, (set & !self.last_file) << 1]
    }

    /// The squares next to those of a set.
    #[inline]
    pub fn spread(&self, set: Set) -> Set {
        self.steps(set).into_iter().fold(0, |a, b| a | b)
    }

    /// A set in the mirror.
    #[inline]
    pub fn mirror(&self, set: Set) -> Set {
        let last = u32::from(self.width) - 1;
        (0..=last).fold(0, |mirror, file| mirror | (set >> file & self.first_file) << (last - file))
    }

    /// A position in the mirror.
    pub fn mirror_of(&self, p: &Position) -> Position {
        Position { turn: p.turn, sides: p.sides.map(|side| Side(side.0.map(|set| self.mirror(set)))) }
    }

    /// The name of a square, a1 in the corner at player 1's left hand.
    pub fn name(&self, square: u32) -> String {
        let width = u32::from(self.width);
        format!("{}{}", char::from(b'a' + (square % width) as u8), square / width + 1)
    }

    /// The square of a name.
    pub fn square(&self, name: &str) -> Option<u32> {
        let mut chars = name.chars();
        let (file, rank) = (chars.next()?.to_ascii_lowercase(), chars.next()?.to_digit(10)?);
        let file = (file as u32).checked_sub('a' as u32)?;
        let on_board = file < u32::from(self.width)
            && (1..=u32::from(self.height)).contains(&rank)
            && chars.next().is_none();
        on_board.then(|| (rank - 1) * u32::from(self.width) + file)
    }
}
