//! Rows: what a sweep leaves behind besides its answer, one row for each of many numbered items. A game
//! makes rows and folds over them; where they are kept, so that a run can be stopped at any moment, and
//! what file they end in is the business of whoever implements [`Keeper`].

use crate::error::Error;
use crate::text::Text;
use std::ops::Range;

/// The type of all cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellType {
    /// Whole numbers.
    Int,
    /// Doubles.
    Float,
    /// Words.
    Text,
}

/// A column of a sweep's rows.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name: the head of the column in a file.
    pub name: &'static str,
    /// What it holds.
    pub kind: CellType,
    /// What that means.
    pub help: Text,
}

/// One entry of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A whole number.
    Int(i64),
    /// A double.
    Float(f64),
    /// Words.
    Text(String),
}

/// A cell for every column, in their order.
pub type Row = Vec<Cell>;

impl Cell {
    /// A whole number.
    ///
    /// # Panics
    /// If the cell holds something else: a mistake in the game, because rows are checked against their
    /// columns when they are made and when they are read.
    pub fn int(&self) -> i64 {
        match self {
            Cell::Int(n) => *n,
            other => panic!("{other:?} is not a whole number"),
        }
    }

    /// A double.
    ///
    /// # Panics
    /// As [`Cell::int`].
    pub fn float(&self) -> f64 {
        match self {
            Cell::Float(x) => *x,
            other => panic!("{other:?} is not a double"),
        }
    }

    /// Words.
    ///
    /// # Panics
    /// As [`Cell::int`].
    pub fn text(&self) -> &str {
        match self {
            Cell::Text(words) => words,
            other => panic!("{other:?} is not text"),
        }
    }

    /// As it stands in a file of text: doubles with the fewest digits that give them back.
    pub fn plain(self) -> String {
        match self {
            Cell::Int(n) => n.to_string(),
            Cell::Float(x) => format!("{x:?}"),
            Cell::Text(words) => words,
        }
    }

    fn kind(&self) -> CellType {
        match self {
            Cell::Int(_) => CellType::Int,
            Cell::Float(_) => CellType::Float,
            Cell::Text(_) => CellType::Text,
        }
    }
}

impl From<i64> for Cell {
    fn from(n: i64) -> Cell {
        Cell::Int(n)
    }
}

impl From<u64> for Cell {
    /// A count. Counts do not reach the half of the numbers that would not fit.
    fn from(n: u64) -> Cell {
        Cell::Int(i64::try_from(n).unwrap_or(i64::MAX))
    }
}

impl From<f64> for Cell {
    fn from(x: f64) -> Cell {
        Cell::Float(x)
    }
}

impl From<String> for Cell {
    fn from(words: String) -> Cell {
        Cell::Text(words)
    }
}

/// Some rows that follow one another, packed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// How many rows.
    pub rows: u32,
    /// Their cells one after another: whole numbers as zigzag varints, doubles as their eight bytes, text
    /// as its length and its bytes.
    pub bytes: Vec<u8>,
}

impl Block {
    /// Adds a row.
    ///
    /// # Panics
    /// If it does not have the columns' cells: a mistake in the game.
    pub fn push(&mut self, columns: &[Column], row: &[Cell]) {
        assert!(
            row.len() == columns.len() && row.iter().zip(columns).all(|(cell, c)| cell.kind() == c.kind),
            "a row without the declared columns: {row:?}"
        );
        for cell in row {
            match cell {
                Cell::Int(n) => varint(((n << 1) ^ (n >> 63)) as u64, &mut self.bytes),
                Cell::Float(x) => self.bytes.extend(x.to_bits().to_le_bytes()),
                Cell::Text(words) => {
                    varint(words.len() as u64, &mut self.bytes);
                    self.bytes.extend(words.as_bytes());
                }
            }
        }
        self.rows += 1;
    }

    /// The rows; `None` if the bytes are not those of so many rows of these columns.
    pub fn unpack(&self, columns: &[Column]) -> Option<Vec<Row>> {
        let mut rest = self.bytes.as_slice();
        let mut rows = Vec::new();
        for _ in 0..self.rows {
            let mut row = Vec::with_capacity(columns.len());
            for column in columns {
                row.push(match column.kind {
                    CellType::Int => {
                        let n = unvarint(&mut rest)?;
                        Cell::Int((n >> 1) as i64 ^ -((n & 1) as i64))
                    }
                    CellType::Float => {
                        let (bits, more) = rest.split_first_chunk::<8>()?;
                        rest = more;
                        Cell::Float(f64::from_bits(u64::from_le_bytes(*bits)))
                    }
                    CellType::Text => {
                        let length = usize::try_from(unvarint(&mut rest)?).ok()?;
                        let (words, more) = rest.split_at_checked(length)?;
                        rest = more;
                        Cell::Text(std::str::from_utf8(words).ok()?.to_owned())
                    }
                });
            }
            rows.push(row);
        }
        rest.is_empty().then_some(rows)
    }
}

fn varint(mut n: u64, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

fn unvarint(rest: &mut &[u8]) -> Option<u64> {
    let mut n = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, more) = rest.split_first()?;
        *rest = more;
        let part = u64::from(byte & 0x7f);
        // The last of ten bytes has room for one bit.
        if part << shift >> shift != part {
            return None;
        }
        n |= part << shift;
        if byte < 0x80 {
            return Some(n);
        }
    }
    None
}

/// Keeps the rows of sweeps.
pub trait Keeper: Sync {
    /// Begins a sweep of so many rows, or goes on with one that was stopped.
    ///
    /// # Errors
    /// If the place where rows are kept cannot be read, or holds rows of another sweep.
    fn open(&self, columns: &'static [Column], rows: u64) -> Result<Box<dyn Journal + '_>, Error>;
    /// The items whose rows are wanted, where others make the rest; none: all of them, and the answer. A part of a sweep has
    /// no answer, so it ends as if it were cancelled when the last of its rows is kept.
    fn share(&self, _items: u64) -> Option<Range<u64>> {
        None
    }
}

/// The rows of one sweep, in order: first those of earlier runs are read, then new ones appended.
pub trait Journal {
    /// The next block an earlier run has kept; `None` when there are no more.
    ///
    /// # Errors
    /// If what was kept cannot be read.
    fn next(&mut self) -> Result<Option<Block>, Error>;
    /// Keeps the block that follows all blocks so far, all of it or nothing, whenever the run is killed.
    ///
    /// # Errors
    /// If it cannot be written.
    fn append(&mut self, block: &Block) -> Result<(), Error>;
}

/// Keeps no rows: a sweep that is stopped begins again.
pub struct Unkept;

impl Keeper for Unkept {
    fn open(&self, _: &'static [Column], _: u64) -> Result<Box<dyn Journal + '_>, Error> {
        Ok(Box::new(Unkept))
    }
}

impl Journal for Unkept {
    fn next(&mut self) -> Result<Option<Block>, Error> {
        Ok(None)
    }
    fn append(&mut self, _: &Block) -> Result<(), Error> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::text::text;

    const NO_HELP: Text = text("", "");
    const COLUMNS: [Column; 3] = [
        Column { name: "n", kind: CellType::Int, help: NO_HELP },
        Column { name: "x", kind: CellType::Float, help: NO_HELP },
        Column { name: "word", kind: CellType::Text, help: NO_HELP },
    ];

    fn block() -> (Block, Vec<Row>) {
        let mut block = Block::default();
        let mut rows = Vec::new();
        let mut random = Random::new(3);
        let edges = [0, 1, -1, 63, 64, -64, -65, i64::MAX, i64::MIN];
        for i in 0..100 {
            let n = edges.get(i).copied().unwrap_or((random.bits() >> random.below(64)) as i64);
            let x = if i == 3 { -0.0 } else { f64::from_bits(random.bits() >> 2) };
            let row = vec![Cell::Int(n), Cell::Float(x), Cell::Text("四,\"\n".repeat(i % 5))];
            block.push(&COLUMNS, &row);
            rows.push(row);
        }
        (block, rows)
    }

    #[test]
    fn law_rows_come_back_as_they_were() {
        let (block, rows) = block();
        assert_eq!(block.rows, 100);
        assert_eq!(block.unpack(&COLUMNS), Some(rows));
        assert_eq!(Block::default().unpack(&COLUMNS), Some(Vec::new()));
    }

    #[test]
    fn law_other_bytes_are_no_rows() {
        let (block, _) = block();
        for cut in 0..block.bytes.len() {
            let torn = Block { rows: block.rows, bytes: block.bytes[..cut].to_vec() };
            assert_eq!(torn.unpack(&COLUMNS), None, "{cut}");
        }
        let fewer = Block { rows: block.rows - 1, ..block.clone() };
        assert_eq!(fewer.unpack(&COLUMNS), None);
        let more = Block { rows: u32::MAX, ..block };
        assert_eq!(more.unpack(&COLUMNS), None);
        // Numbers and lengths of more than 64 bits.
        assert_eq!(Block { rows: 1, bytes: vec![0xff; 11] }.unpack(&COLUMNS[..1]), None);
        assert_eq!(Block { rows: 1, bytes: vec![0xff; 11] }.unpack(&COLUMNS[2..]), None);
        // No bytes at all for text that is not UTF-8.
        assert_eq!(Block { rows: 1, bytes: vec![1, 0xff] }.unpack(&COLUMNS[2..]), None);
    }

    #[test]
    #[should_panic(expected = "without the declared columns")]
    fn law_a_row_of_other_columns_is_a_mistake() {
        Block::default().push(&COLUMNS, &[Cell::Int(1), Cell::Int(2), Cell::Int(3)]);
    }
}
