//! What a kind of numbers must be able to do for the levels: whole rows at a time, because the inner loop over score
//! differences is where the time goes.
//!
//! A value takes one or more *cells*, as many as its level needs. A row is its values one after the other.

use std::io::{self, Read, Write};
use yomikiri_core::Number;

/// What follows each of some positions: a row for each, and how likely it is.
#[derive(Clone, Copy)]
pub struct Term<'a, C> {
    /// Where the rows are.
    pub rows: &'a [C],
    /// Where that of the first position begins.
    pub start: usize,
    /// Cells from one row to the next.
    pub step: u32,
    /// Cells a value of a row takes.
    pub cells: u32,
    /// Where it says how likely it is.
    pub likely: Likely,
}

impl<'a, C> Term<'a, C> {
    /// The row of the first position, `cells` long.
    #[inline(always)]
    pub fn row(&self, cells: usize) -> &'a [C] {
        &self.rows[self.start..self.start + cells]
    }

    /// Its rows from some cells before them on.
    #[inline(always)]
    pub fn stream(&self, before: usize) -> Stream<'a, C> {
        Stream { rows: self.rows, start: self.start - before, step: self.step as usize }
    }

    /// Value `i` of the row of a position.
    #[inline(always)]
    pub fn value(&self, position: usize, i: usize) -> &'a [C] {
        let (start, cells) = (self.start + position * self.step as usize, self.cells as usize);
        &self.rows[start + i * cells..start + (i + 1) * cells]
    }
}

/// The rows of positions, one after the other.
#[derive(Clone, Copy)]
pub struct Stream<'a, C> {
    rows: &'a [C],
    start: usize,
    step: usize,
}

impl<'a, C> Stream<'a, C> {
    /// The row of the next position, `cells` long.
    #[inline(always)]
    pub fn next(&mut self, cells: usize) -> &'a [C] {
        let row = &self.rows[self.start..self.start + cells];
        self.start += self.step;
        row
    }
}

/// Where it says how likely something is: in the first position, and how far it is from there to the next.
#[derive(Clone, Copy)]
pub struct Likely {
    /// In the first.
    pub start: u32,
    /// To the next.
    pub step: i32,
}

impl Likely {
    /// Nobody asks how likely it is.
    pub const NONE: Likely = Likely { start: 0, step: 0 };

    /// How likely it is in a position, by a table of what is likely.
    #[inline(always)]
    pub fn of<W: Copy>(self, table: &[W], position: usize) -> W {
        table[(self.start as usize).wrapping_add_signed(self.step as isize * position as isize)]
    }

    /// How likely it is in the next position, by a table of what is likely.
    #[inline(always)]
    pub fn next<W: Copy>(&mut self, table: &[W]) -> W {
        let likely = table[self.start as usize];
        self.start = self.start.wrapping_add_signed(self.step);
        likely
    }
}

/// What may follow after a first card was turned that is not known, in some positions one after the other. All rows belong
/// to the same differences. What is not likely at all in one of them may have any row there.
pub struct Turned<'a, C, W> {
    /// What second unknown cards bring the *other* player, differences the other way round, as far as that was added up.
    pub begun: Option<Term<'a, C>>,
    /// The same for those that are still to be added, one after the other.
    pub seconds: &'a [Term<'a, C>],
    /// No unknown card is left to be the second.
    pub last: bool,
    /// The second unknown card happens to be its partner: what that brings, one term after the other.
    pub matched: &'a [Term<'a, C>],
    /// What showing a known card of another rank brings the *other* player, differences the other way round.
    pub different: Option<Term<'a, C>>,
    /// What taking the known partner brings.
    pub same: Option<Term<'a, C>>,
    /// Where it says how likely such a first card is.
    pub first: Likely,
    /// How likely first and second cards are.
    pub likely: [&'a [W]; 2],
    /// Values of a row.
    pub width: usize,
}

/// No kind of numbers computes more values at once.
pub const MOST_LANES: usize = 4;

/// How often each of three things is best in a row: counts of 16 bits, side by side. No row is longer.
pub type Counts3 = u64;
/// What each of the three counts as, in the order in which ties are decided.
pub const EACH: [Counts3; 3] = [1, 1 << 16, 1 << 32];

/// Takes counts apart.
pub fn apart(counts: Counts3) -> [u64; 3] {
    [counts & 0xffff, counts >> 16 & 0xffff, counts >> 32]
}

/// The end of a row: its options, and where the results go.
pub struct Decision<'a, C> {
    /// Taking a known pair that is not free, where there is one.
    pub take: Option<&'a [C]>,
    /// Turning a card, as [`Arithmetic::turn`] left it.
    pub turn: &'a [C],
    /// Whether the player may pass.
    pub can_pass: bool,
    /// The best values.
    pub out: &'a mut [C],
    /// Where all bits are set if turning is counted as best, in the order of the choices that [`Arithmetic::turn`] wrote down;
    /// none where nothing is counted.
    pub turns: Option<&'a mut [u64]>,
}

/// Numbers that values are computed in, row by row.
pub trait Arithmetic: Send + Sync {
    /// What values are kept in.
    type Cell: Copy + Default + Send + Sync;
    /// How likely something is.
    type Weight: Copy + Send + Sync;
    /// What the values are to the outside.
    type Shown: Number;
    /// Part of the name under which results are stored.
    const NAME: &'static str;
    /// Values that are computed at once: what [`Arithmetic::turn`] adds up has room for as many more as make whole rows of
    /// them, and before and behind all rows there are so many values at least.
    const LANES: usize;
    /// Cells a value takes at a level.
    fn cells(&self, unknown: usize) -> usize;
    /// Writes the value `n` at a level.
    fn whole(&self, n: usize, unknown: usize, out: &mut [Self::Cell]);
    /// So many ways out of all.
    fn weight(&self, ways: usize, total: usize) -> Self::Weight;
    /// The sum of two rows.
    fn add(&self, terms: [&Term<'_, Self::Cell>; 2], out: &mut [Self::Cell], cells: usize);
    /// Adds up what is likely, for some positions one after the other, in rows of so many values and no more.
    fn mix(
        &self,
        terms: &[Term<'_, Self::Cell>],
        likely: &[Self::Weight],
        width: usize,
        out: &mut [Self::Cell],
        cells: usize,
    );
    /// A row with the pairs won on the way, where they count: then it is a single value, and there is `room` for it.
    #[inline(always)]
    fn with_pairs<'b>(
        &self,
        row: Term<'b, Self::Cell>,
        won: Option<Term<'b, Self::Cell>>,
        room: &'b mut [Self::Cell],
        cells: usize,
    ) -> Term<'b, Self::Cell> {
        let Some(won) = won else { return row };
        self.add([&row, &won], &mut room[..cells], cells);
        Term { rows: room, start: 0, step: 0, cells: cells as u32, likely: Likely::NONE }
    }
    /// The best second card for a first one: which it is goes to `choice` if it is asked for, its weighted value is added to
    /// `sum`, for all positions one after the other. The sums are for [`Arithmetic::decide`] alone.
    fn turn(
        &self,
        turned: &Turned<'_, Self::Cell, Self::Weight>,
        choice: Option<&mut [Counts3]>,
        sum: &mut [Self::Cell],
        cells: usize,
    );
    /// The larger of two values, place by place.
    fn raise(&self, best: &mut [Self::Cell], row: &[Self::Cell], cells: usize);
    /// The best first card; the counts are those of take, turn and pass, if anything is counted.
    fn decide(&self, decision: Decision<'_, Self::Cell>, cells: usize) -> Counts3;
    /// The value of a level as others see it.
    fn shown(&self, value: &[Self::Cell], unknown: usize) -> Self::Shown;
    /// Writes cells for the store.
    ///
    /// # Errors
    /// Those of the writer.
    fn write(cells: &[Self::Cell], to: &mut dyn Write) -> io::Result<()>;
    /// Reads cells back.
    ///
    /// # Errors
    /// Those of the reader.
    fn read(cells: &mut [Self::Cell], from: &mut dyn Read) -> io::Result<()>;
    /// The value that a double of a table on disk stands for; none where such tables cannot hold these values.
    fn of_double(x: f64) -> Option<Self::Shown>;
}

/// Adds the chosen options up where turning is counted.
pub fn counted(choice: &[Counts3], turns: &[u64]) -> Counts3 {
    choice.iter().zip(turns).map(|(choice, turns)| choice & turns).sum()
}

/// Cells of eight bytes, written in blocks.
pub(super) fn write_cells<C: Copy>(
    cells: &[C],
    raw: impl Fn(C) -> [u8; 8],
    to: &mut dyn Write,
) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(8 * cells.len().min(1 << 16));
    for part in cells.chunks(1 << 16) {
        bytes.clear();
        part.iter().for_each(|&x| bytes.extend_from_slice(&raw(x)));
        to.write_all(&bytes)?;
    }
    Ok(())
}

/// Cells of eight bytes, read in blocks.
pub(super) fn read_cells<C>(
    cells: &mut [C],
    of: impl Fn([u8; 8]) -> C,
    from: &mut dyn Read,
) -> io::Result<()> {
    let mut bytes = vec![0; 8 * cells.len().min(1 << 16)];
    for part in cells.chunks_mut(1 << 16) {
        let bytes = &mut bytes[..8 * part.len()];
        from.read_exact(bytes)?;
        for (x, raw) in part.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *x = of(*raw);
        }
    }
    Ok(())
}
