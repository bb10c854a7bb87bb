//! What a kind of numbers must be able to do for the levels: whole rows at a time, because the inner loop over score
//! differences is where the time goes.
//!
//! A value takes one or more *cells*, as many as its level needs. A row is its values one after the other.

use std::io::{self, Read, Write};
use yomikiri_core::Number;

/// A row that is added with a weight: `ways` out of as many as the caller says.
#[derive(Clone, Copy)]
pub struct Term<'a, C> {
    /// Values.
    pub row: &'a [C],
    /// Ways this can happen.
    pub ways: u32,
    /// Cells a value of the row takes.
    pub cells: u32,
}

/// What may follow after a first card was turned that is not known. All rows belong to the same differences.
pub struct Turned<'a, C> {
    /// What a second unknown card brings the *other* player, differences the other way round; no row where none is left.
    pub unknown: Option<&'a [C]>,
    /// The second unknown card happens to be its partner: added to the above, out of `rest`.
    pub matched: Option<Term<'a, C>>,
    /// Unknown cards once the first is turned.
    pub rest: usize,
    /// What showing a known card of another rank brings the *other* player, differences the other way round.
    pub different: Option<Term<'a, C>>,
    /// What taking the known partner brings.
    pub same: Option<Term<'a, C>>,
    /// How many of the unknown cards are such a first card, and how many there are.
    pub weight: (usize, usize),
}

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
    /// Turning a card.
    pub turn: &'a [C],
    /// Whether the player may pass.
    pub can_pass: bool,
    /// The best values.
    pub out: &'a mut [C],
    /// All bits set where turning is counted as best.
    pub turns: &'a mut [u64],
}

/// Numbers that values are computed in, row by row.
pub trait Arithmetic: Send + Sync {
    /// What values are kept in.
    type Cell: Copy + Default + Send + Sync;
    /// What the values are to the outside.
    type Shown: Number;
    /// Part of the name under which results are stored.
    const NAME: &'static str;
    /// Cells a value takes at a level.
    fn cells(&self, unknown: usize) -> usize;
    /// Writes the value `n` at a level.
    fn whole(&self, n: usize, unknown: usize, out: &mut [Self::Cell]);
    /// The sum of weighted rows, from left to right.
    fn mix(&self, terms: &[Term<'_, Self::Cell>], total: usize, out: &mut [Self::Cell], cells: usize);
    /// Adds one more weighted row.
    fn add(&self, term: &Term<'_, Self::Cell>, total: usize, sum: &mut [Self::Cell], cells: usize);
    /// The best second card for a first one: which it is goes to `choice`, its weighted value is added to `sum`.
    fn turn(
        &self,
        turned: &Turned<'_, Self::Cell>,
        choice: &mut [Counts3],
        sum: &mut [Self::Cell],
        cells: usize,
    );
    /// The larger of two values, place by place.
    fn raise(&self, best: &mut [Self::Cell], row: &[Self::Cell], cells: usize);
    /// The best first card; the counts are those of take, turn and pass.
    fn decide(&self, decision: Decision<'_, Self::Cell>, cells: usize) -> Counts3;
    /// The value for the other player, in place.
    fn negate(&self, value: &mut [Self::Cell]);
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
