//! Boards of squares as small games have them: typed as rows of signs, drawn as a zone of tokens.

use yomikiri_core::{Refusal, Text};
use yomikiri_view::scene::{Board, Item, Shape, Squares, Token, Zone, square};

/// The size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Files.
    pub cols: u8,
    /// Ranks.
    pub rows: u8,
}

impl Grid {
    /// How many squares there are.
    pub fn squares(self) -> u8 {
        self.cols * self.rows
    }

    /// A bit for every square.
    pub fn all(self) -> u64 {
        if self.squares() == 64 { u64::MAX } else { (1 << self.squares()) - 1 }
    }

    /// A bit for every square of a column.
    pub fn column(self, col: u8) -> u64 {
        (0..self.rows).fold(0, |all, row| all | 1 << (row * self.cols + col))
    }

    /// A set of squares on the board turned upside down.
    pub fn half_turned(self, set: u64) -> u64 {
        set.reverse_bits() >> (64 - u32::from(self.squares()))
    }

    /// A set of squares with left and right exchanged.
    pub fn mirrored(self, set: u64) -> u64 {
        (0..self.cols).fold(0, |all, col| all | (set >> col & self.column(0)) << (self.cols - 1 - col))
    }

    /// The name of a square. Squares are numbered from a1 to the right and upwards.
    pub fn name(self, at: u8) -> String {
        square(at % self.cols, at / self.cols)
    }

    /// The same as a place of the zone `board`.
    pub fn place(self, at: u8) -> String {
        format!("board/{}", self.name(at))
    }

    /// The square so far to the right and upwards, if it is there.
    pub fn step(self, at: u8, right: i8, up: i8) -> Option<u8> {
        let col = (at % self.cols).checked_add_signed(right).filter(|col| *col < self.cols)?;
        let row = (at / self.cols).checked_add_signed(up).filter(|row| *row < self.rows)?;
        Some(row * self.cols + col)
    }

    /// The squares of a board that is typed as rows of signs from the top, joined by `/`: each as the place of its sign
    /// among those that are accepted, in capitals or not unless both are there.
    ///
    /// # Errors
    /// Rows of another number or length and other signs are refused.
    pub fn read(self, given: &str, signs: &str) -> Result<Vec<u8>, Refusal> {
        let place = |same: &dyn Fn(char) -> bool| signs.chars().position(same).map(|at| at as u8);
        let known = |c: char| place(&|s| s == c).or_else(|| place(&|s| s.eq_ignore_ascii_case(&c)));
        let row = |row: &str| row.chars().map(known).collect::<Option<Vec<u8>>>();
        let rows: Option<Vec<Vec<u8>>> = given.trim().split('/').map(row).collect();
        let fits = |rows: &Vec<Vec<u8>>| {
            rows.len() == usize::from(self.rows) && rows.iter().all(|row| row.len() == usize::from(self.cols))
        };
        let rows = rows.filter(fits).ok_or_else(|| {
            let (Grid { cols, rows }, list) =
                (self, signs.chars().map(String::from).collect::<Vec<_>>().join(" "));
            let accepts = Text::of(
                format!("{rows} rows from the top joined by /, each of {cols} signs: {list}"),
                format!("上から / で区切った{rows}段、各段{cols}文字：{list}"),
            );
            refused(given, accepts)
        })?;
        Ok(rows.into_iter().rev().flatten().collect())
    }

    /// A board as it is typed.
    pub fn write(self, sign: impl Fn(u8) -> char) -> String {
        let row = |row: u8| (0..self.cols).map(|col| sign(row * self.cols + col)).collect::<String>();
        (0..self.rows).rev().map(row).collect::<Vec<_>>().join("/")
    }

    /// What stands on the squares, each thing with the name of its square.
    pub fn items(self, token: impl Fn(u8) -> Option<Token>) -> Vec<Item> {
        let item = |at: u8| Some(Item::token(self.name(at), token(at)?).at(self.name(at)));
        (0..self.squares()).filter_map(item).collect()
    }

    /// A plain board with what stands on its squares.
    pub fn board(self, token: impl Fn(u8) -> Option<Token>) -> Board {
        self.zone(Squares::new(self.cols, self.rows), token)
    }

    /// The same on squares that look different.
    pub fn zone(self, squares: Squares, token: impl Fn(u8) -> Option<Token>) -> Board {
        let zone = Zone::new("board", Shape::Board(squares), Text::default(), self.items(token));
        Board::new(vec![zone])
    }
}

/// A position that is not accepted.
pub fn refused(given: &str, accepts: Text) -> Refusal {
    Refusal::new("board", format!("\"{given}\""), accepts)
}

/// A position that ends in `_` and the player to move, 1 or 2: the rest of it, and the player from 0.
///
/// # Errors
/// A position without a player is refused.
pub fn mover(given: &str) -> Result<(&str, u8), Refusal> {
    let split = given.trim().rsplit_once('_');
    let player = |(rest, player)| match player {
        "1" => Some((rest, 0)),
        "2" => Some((rest, 1)),
        _ => None,
    };
    split.and_then(player).ok_or_else(|| {
        let accepts = Text::of(
            "a position that ends in _1 or _2, the player to move",
            "末尾に _1 か _2（手番）を付けた局面",
        );
        Refusal::new("mover", format!("\"{given}\""), accepts)
    })
}

/// The squares of a set of bits, ascending.
pub fn bits(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let at = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(at)
    })
}

/// Which of some sets a square is in.
pub fn owner(sets: &[u64], at: u8) -> Option<usize> {
    sets.iter().position(|set| set >> at & 1 == 1)
}

/// The squares that were read as a sign, as a set.
pub fn set(squares: &[u8], sign: u8) -> u64 {
    (0u8..).zip(squares).filter(|(_, s)| **s == sign).fold(0, |set, (at, _)| set | 1 << at)
}
