//! Many places, one after the other: their positions, and their moves taken back. A row is the places that differ only in
//! where player 2's pieces stand. Everything that depends on one player alone is worked out once for all rows, so that a move
//! taken back is a difference of two numbers or a look into a list.

use super::{Group, Material, Set, Space, Tier, deposit};
use crate::geister::board::{Board, Colour, Position, SQUARES, Side, squares};
use rustc_hash::FxHashMap;
use yomikiri_core::combin::binomial;

/// Places of a row whose moves are taken back together: what is looked up for one fits the first cache for all of them.
const TOGETHER: usize = 64;

/// A step of player 1's taken back, in every position with the same pieces of player 1.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The first place of the row it leads to, among those with the same player to move.
    row: u64,
    /// The square it came from, counted among those player 1 leaves.
    open: u8,
    /// The rank of player 2's pieces changes by the difference of two of their shifts.
    plus: u8,
    minus: u8,
}

/// What both players' steps do to the places of one material.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// Places of a row.
    length: u64,
    /// Player 2's pieces: their colours and how many of each, and how many in all.
    colours: Vec<(usize, usize)>,
    pieces: usize,
    /// Squares that player 1 leaves.
    left: usize,
    /// By the rank of player 1's pieces: where their steps begin, and where the last ones end.
    begin: Vec<u32>,
    steps: Vec<Step>,
    /// Where player 2's pieces stand, counted among the squares that are left: by their rank, one after the other, …
    picks: Vec<u8>,
    /// … and as a set.
    sets: Vec<Set>,
    /// By the rank of player 2's pieces: how much larger it gets if all from a square on go up by one, for every square,
    /// and how much smaller if they go down.
    shifts: Vec<u32>,
    /// By the rank and the piece: what is left when it is lifted, numbered.
    lifted: Vec<u32>,
    /// By what is left and a square: the rank when the piece is put there.
    put: Vec<u32>,
    /// By who is to move: whether there may have been one more of its pieces, which was taken.
    grows: [bool; 2],
}

/// The groups of each player.
fn split(tier: &Tier) -> (&[Group], &[Group]) {
    tier.groups.split_at(tier.groups.iter().take_while(|group| group.player == 0).count())
}

/// Bytes that the rows of a material take on a board: lists by where either player's pieces stand.
pub fn memory(board: &Board, material: &Material) -> u64 {
    let mut left = board.squares() as u64;
    let [(ours, own, _), (length, pieces, free)] = material.0.map(|counts| {
        let (mut ways, before) = (1u64, left);
        for count in counts.map(u64::from) {
            ways = ways.saturating_mul(binomial(left, count));
            left = left.saturating_sub(count);
        }
        (ways, before - left, before)
    });
    // Four steps a piece at most; what is left when a piece is lifted is left by every way to put it back.
    let steps = ours.saturating_mul(4 + 4 * own * size_of::<Step>() as u64);
    let lifted = length.saturating_mul(pieces) / (free + 1 - pieces).max(1);
    let each = 2 * 4 * (free + 1) + size_of::<Set>() as u64 + 5 * pieces;
    steps.saturating_add(length.saturating_mul(each)).saturating_add(lifted.saturating_mul(4 * free + 64))
}

impl Rows {
    pub(super) fn new(space: &Space, tier: &Tier) -> Rows {
        let (ours, theirs) = split(tier);
        let count = |groups: &[Group]| groups.iter().map(|group| group.count).sum::<usize>();
        let ways = |groups: &[Group]| groups.iter().map(|group| group.ways).product::<u64>();
        let (length, left) = (ways(theirs), space.board.squares() - count(ours));
        let (places, pieces) = (length as usize, count(theirs));
        let mut rows = Rows {
            length,
            colours: theirs.iter().map(|group| (group.colour, group.count)).collect(),
            pieces,
            left,
            begin: vec![0],
            steps: Vec::new(),
            picks: Vec::with_capacity(places * pieces),
            sets: Vec::with_capacity(places),
            shifts: Vec::with_capacity(places * 2 * (left + 1)),
            lifted: Vec::with_capacity(places * pieces),
            put: Vec::with_capacity(places * pieces * left / (left + 1 - pieces)),
            grows: [0, 1].map(|player| space.grows(tier.material, player)),
        };
        for rank in 0..ways(ours) {
            rows.leave(space, ours, rank);
        }
        rows.settle(space, theirs);
        rows.steps.shrink_to_fit();
        rows
    }

    /// The steps taken back from where player 1's pieces stand.
    fn leave(&mut self, space: &Space, groups: &[Group], rank: u64) {
        let mut side = Side::default();
        let (mut rest, mut occupied) = (rank, 0);
        for group in groups {
            let weight = group.weight / self.length;
            let set = deposit(&group.picks[(rest / weight) as usize][..group.count], occupied);
            rest %= weight;
            side.0[group.colour] = set;
            occupied |= set;
        }
        let below = |square: u32, occupied: Set| square - (occupied & ((1 << square) - 1)).count_ones();
        for to in squares(occupied) {
            for from in squares(space.board.near(to) & space.board.all & !occupied) {
                let before = side.step(to, from);
                let (mut row, mut passed) = (0, 0);
                for group in groups {
                    let set = before.0[group.colour];
                    row = row * group.ways + space.rank(set, passed);
                    passed |= set;
                }
                // Those between the two squares have one fewer below them, or one more.
                let (open, closed) = (below(from, occupied), below(to, passed));
                let down = self.left as u32 + 1;
                let (plus, minus) =
                    if open < closed { (down + closed + 1, down + open + 1) } else { (closed, open) };
                self.steps.push(Step {
                    row: row * self.length,
                    open: open as u8,
                    plus: plus as u8,
                    minus: minus as u8,
                });
            }
        }
        self.begin.push(self.steps.len() as u32);
    }

    /// What becomes of the ranks of player 2's pieces.
    fn settle(&mut self, space: &Space, groups: &[Group]) {
        let mut numbers: FxHashMap<[Set; 3], u32> = FxHashMap::default();
        let choose = |order: usize, square: usize| space.choose[order][square];
        for rank in 0..self.length {
            let mut side = Side::default();
            let (mut rest, mut occupied) = (rank, 0);
            let mut by_square = [[0; 2]; SQUARES];
            for group in groups {
                let pick = &group.picks[(rest / group.weight) as usize][..group.count];
                rest %= group.weight;
                let set = deposit(pick, occupied);
                for ((order, square), at) in pick.iter().enumerate().zip(squares(set)) {
                    let (square, weight) = (usize::from(*square), group.weight as u32);
                    let here = choose(order, square);
                    // Nothing that stands on the first square goes down.
                    by_square[at as usize] = [
                        (choose(order, square + 1) - here) * weight,
                        (here - choose(order, square.saturating_sub(1))) * weight,
                    ];
                }
                side.0[group.colour] = set;
                occupied |= set;
            }
            for way in 0..2 {
                let all: u32 = by_square.iter().map(|change| change[way]).sum();
                self.shifts.push(all);
                self.shifts.extend(by_square[..self.left].iter().scan(all, |above, change| {
                    *above -= change[way];
                    Some(*above)
                }));
            }
            self.sets.push(occupied);
            for group in groups {
                for square in squares(side.0[group.colour]) {
                    let number = numbers.len() as u32;
                    let number = *numbers.entry(side.without(1 << square).0).or_insert(number);
                    let at = number as usize * self.left;
                    self.put.resize(self.put.len().max(at + self.left), 0);
                    self.put[at + square as usize] = rank as u32;
                    self.lifted.push(number);
                    self.picks.push(square as u8);
                }
            }
        }
    }
}

/// Goes from place to place; quick where most of them ascend in small steps.
pub struct Walk<'a> {
    space: &'a Space,
    /// The row it is in; none before the first place.
    row: Option<Row<'a>>,
}

/// A place whose moves are to be taken back.
struct Here<T> {
    /// Which it is in its row, what stands there of player 2, counted among the squares left, and where its shifts begin.
    rank: u32,
    set: Set,
    shifts: usize,
    with: T,
}

struct Row<'a> {
    rows: &'a Rows,
    /// Its first place.
    first: u64,
    /// Who is to move, and player 1's pieces.
    stem: Position,
    /// The first place of the positions before: of all rows if player 1 moved, else of the row that differs in who is to
    /// move only.
    before: u64,
    steps: &'a [Step],
    /// Squares without player 1's pieces: as a set, in order, and which of them a square is.
    free: Set,
    left: [u8; SQUARES],
    index: [u8; SQUARES],
    board: &'a Board,
}

impl<'a> Walk<'a> {
    /// A walk that has not begun.
    pub fn new(space: &'a Space) -> Walk<'a> {
        Walk { space, row: None }
    }

    /// The position at a place, as [`Space::at`] has it.
    #[inline]
    pub fn at(&mut self, place: u64) -> Option<Position> {
        // Of mirror images only one has a place, which takes more than a row to tell.
        if self.space.mirror {
            return self.space.at(place);
        }
        let row = self.row(place)?;
        Some(row.position((place - row.first) as usize))
    }

    /// Whether a place is in the row the walk is in.
    #[inline]
    fn stays(&self, place: u64) -> bool {
        self.row.as_ref().is_some_and(|row| place.wrapping_sub(row.first) < row.rows.length)
    }

    #[inline]
    fn row(&mut self, place: u64) -> Option<&Row<'a>> {
        if !self.stays(place) {
            self.row = Some(Row::of(self.space, place)?);
        }
        self.row.as_ref()
    }
}

impl Space {
    /// Takes back the quiet moves that may have led to the positions at these places: calls `each` with what comes with a
    /// place, who is to move there, and the place of a position before. Where there may have been a move that took a piece,
    /// `untake` appends the places before it. Not with the mirror.
    #[inline]
    pub fn unmoves<T: Copy>(
        &self,
        places: impl Iterator<Item = (u64, T)>,
        untake: impl Fn(&Position, &mut Vec<u64>),
        mut each: impl FnMut(T, u8, u64),
    ) {
        let mut walk = Walk::new(self);
        let (mut here, mut more) = (Vec::with_capacity(TOGETHER), Vec::new());
        for (place, with) in places {
            if here.len() == TOGETHER || !walk.stays(place) {
                if let Some(row) = &walk.row {
                    row.unmoves(&here, &mut each);
                }
                here.clear();
            }
            let Some(row) = walk.row(place) else { continue };
            let rank = (place - row.first) as usize;
            here.push(row.here(rank, with));
            if row.rows.grows[usize::from(row.stem.turn)] {
                untake(&row.position(rank), &mut more);
                more.drain(..).for_each(|before| each(with, row.stem.turn, before));
            }
        }
        if let Some(row) = &walk.row {
            row.unmoves(&here, &mut each);
        }
    }

    /// Whether there are positions with one more of a player's known pieces of which there is one.
    fn grows(&self, material: Material, player: usize) -> bool {
        [Colour::Blue, Colour::Red].into_iter().any(|colour| {
            let mut more = material;
            more.0[player][colour as usize] += 1;
            material.0[player][colour as usize] == 1 && self.materials().any(|other| other == more)
        })
    }
}

impl<'a> Row<'a> {
    /// The row of a place.
    fn of(space: &'a Space, place: u64) -> Option<Row<'a>> {
        let tier = space.tier_at(place)?;
        let rows = tier.rows.get_or_init(|| Rows::new(space, tier));
        let within = place - tier.offset;
        let turn = u8::from(within >= tier.half);
        let number = (within - u64::from(turn) * tier.half) / rows.length;
        let mut stem = Position { turn, sides: [Side::default(); 2] };
        let (mut rest, mut occupied) = (number, 0);
        for group in split(tier).0 {
            let weight = group.weight / rows.length;
            let set = deposit(&group.picks[(rest / weight) as usize][..group.count], occupied);
            rest %= weight;
            stem.sides[0].0[group.colour] = set;
            occupied |= set;
        }
        let free = space.board.all & !occupied;
        let (mut left, mut index) = ([0; SQUARES], [0; SQUARES]);
        for (i, square) in squares(free).enumerate() {
            (left[i], index[square as usize]) = (square as u8, i as u8);
        }
        let steps = rows.begin[number as usize] as usize..rows.begin[number as usize + 1] as usize;
        let row = number * rows.length;
        let first = tier.offset + u64::from(turn) * tier.half + row;
        let before = if turn == 1 { tier.offset } else { tier.offset + tier.half + row };
        Some(Row {
            rows,
            first,
            stem,
            before,
            steps: &rows.steps[steps],
            free,
            left,
            index,
            board: &space.board,
        })
    }

    /// The position that is so many-th in the row.
    #[inline]
    fn position(&self, rank: usize) -> Position {
        let mut picks = &self.rows.picks[rank * self.rows.pieces..(rank + 1) * self.rows.pieces];
        let mut p = self.stem;
        for &(colour, count) in &self.rows.colours {
            let (these, others) = picks.split_at(count);
            p.sides[1].0[colour] = self.set(these);
            picks = others;
        }
        p
    }

    /// The squares of some of player 2's pieces.
    #[inline]
    fn set(&self, picks: &[u8]) -> Set {
        picks.iter().fold(0, |set, pick| set | 1 << self.left[usize::from(*pick)])
    }

    #[inline]
    fn here<T>(&self, rank: usize, with: T) -> Here<T> {
        let shifts = rank * 2 * (self.rows.left + 1);
        Here { rank: rank as u32, set: self.rows.sets[rank], shifts, with }
    }

    /// Takes quiet moves back at some places of the row. All that lead to another row are together, so that they are found
    /// and made where memory is near.
    #[inline]
    fn unmoves<T: Copy>(&self, here: &[Here<T>], each: &mut impl FnMut(T, u8, u64)) {
        let rows = self.rows;
        if self.stem.turn == 1 {
            for step in self.steps {
                let row = self.before + step.row;
                let (plus, minus) = (usize::from(step.plus), usize::from(step.minus));
                for here in here {
                    if here.set >> step.open & 1 == 0 {
                        let (plus, minus) =
                            (rows.shifts[here.shifts + plus], rows.shifts[here.shifts + minus]);
                        each(here.with, 1, row + u64::from(here.rank.wrapping_add(plus).wrapping_sub(minus)));
                    }
                }
            }
            return;
        }
        for here in here {
            let pieces = here.rank as usize * rows.pieces..(here.rank as usize + 1) * rows.pieces;
            let picks = &rows.picks[pieces.clone()];
            let empty = self.free & !self.set(picks);
            for (pick, lifted) in picks.iter().zip(&rows.lifted[pieces]) {
                let put = &rows.put[*lifted as usize * rows.left..(*lifted as usize + 1) * rows.left];
                for from in squares(self.board.near(u32::from(self.left[usize::from(*pick)])) & empty) {
                    each(here.with, 0, self.before + u64::from(put[usize::from(self.index[from as usize])]));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_the_lists_of_rows_take_no_more_than_is_said() {
        let board = Board::new(5, 4).unwrap();
        for counts in
            [[[0, 0, 2], [0, 0, 2]], [[1, 0, 0], [0, 0, 4]], [[1, 1, 0], [1, 2, 1]], [[0, 0, 4], [2, 0, 1]]]
        {
            let material = Material(counts);
            let space = Space::new(&board, &[material], false);
            let rows = Rows::new(&space, &space.tiers[0]);
            let lists = 4 * (rows.begin.capacity() + rows.shifts.capacity() + rows.lifted.capacity())
                + 4 * rows.put.capacity()
                + rows.picks.capacity()
                + size_of::<Set>() * rows.sets.capacity()
                + size_of::<Step>() * rows.steps.capacity();
            let said = memory(&board, &material);
            assert!(lists as u64 <= said && said <= 2 * lists as u64 + 4096, "{lists} of {said}: {counts:?}");
        }
    }
}
