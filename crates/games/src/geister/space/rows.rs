//! Moves taken back at many places, one after the other. A row is the places that differ only in where player 2's pieces
//! stand. Everything about a move that depends on one player alone is worked out once for all rows, so that a move taken
//! back is a difference of two numbers or a look into a list.

use super::{Group, Set, Space, Tier, deposit};
use crate::geister::board::{SQUARES, Side, squares};
use rustc_hash::FxHashMap;

/// A step of player 1's taken back, in every position with the same pieces of player 1.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The first place of the row it leads to, among those with the same player to move.
    row: u64,
    from: u8,
    to: u8,
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
    /// Player 2's pieces.
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
}

/// The groups of each player.
fn split(tier: &Tier) -> (&[Group], &[Group]) {
    tier.groups.split_at(tier.groups.iter().take_while(|group| group.player == 0).count())
}

impl Rows {
    pub(super) fn new(space: &Space, tier: &Tier) -> Rows {
        let (ours, theirs) = split(tier);
        let count = |groups: &[Group]| groups.iter().map(|group| group.count).sum::<usize>();
        let mut rows = Rows {
            length: theirs.iter().map(|group| group.ways).product(),
            pieces: count(theirs),
            left: space.board.squares() - count(ours),
            begin: vec![0],
            steps: Vec::new(),
            picks: Vec::new(),
            sets: Vec::new(),
            shifts: Vec::new(),
            lifted: Vec::new(),
            put: Vec::new(),
        };
        for rank in 0..ours.iter().map(|group| group.ways).product() {
            rows.leave(space, ours, rank);
        }
        rows.settle(space, theirs);
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
                    from: from as u8,
                    to: to as u8,
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

/// Takes quiet moves back at place after place; quick where most of them ascend in small steps. Not with the mirror.
pub struct Unmoves<'a> {
    space: &'a Space,
    /// The row it is in; none before the first place.
    row: Option<Row<'a>>,
}

struct Row<'a> {
    rows: &'a Rows,
    /// Its first place.
    first: u64,
    /// Who is to move.
    turn: u8,
    /// The first place of the positions before: of all rows if player 1 moved, else of the row that differs in who is to
    /// move only.
    before: u64,
    steps: &'a [Step],
    /// Squares without player 1's pieces: as a set, in order, and which of them a square is.
    free: Set,
    left: [u8; SQUARES],
    index: [u8; SQUARES],
}

impl<'a> Unmoves<'a> {
    /// None has been taken back.
    pub fn new(space: &'a Space) -> Unmoves<'a> {
        Unmoves { space, row: None }
    }

    /// Takes back the quiet moves that may have led to the position at a place: calls `each` with the square a piece came
    /// from, the square it is on, and the place of the position before. Who is to move at the place; `None` past the end.
    #[inline]
    pub fn each(&mut self, place: u64, mut each: impl FnMut(u32, u32, u64)) -> Option<u8> {
        let row = match &self.row {
            Some(row) if place.wrapping_sub(row.first) < row.rows.length => row,
            _ => self.row.insert(Row::of(self.space, place)?),
        };
        let (rows, rank) = (row.rows, (place - row.first) as usize);
        if row.turn == 1 {
            let set = rows.sets[rank];
            let width = 2 * (rows.left + 1);
            let shifts = &rows.shifts[rank * width..(rank + 1) * width];
            let same = row.before + rank as u64;
            for step in row.steps {
                if set >> step.open & 1 == 0 {
                    let (plus, minus) = (shifts[usize::from(step.plus)], shifts[usize::from(step.minus)]);
                    let before = (same + step.row + u64::from(plus)).wrapping_sub(u64::from(minus));
                    each(u32::from(step.from), u32::from(step.to), before);
                }
            }
        } else {
            let pieces = rank * rows.pieces..(rank + 1) * rows.pieces;
            let picks = &rows.picks[pieces.clone()];
            let taken = picks.iter().fold(0, |set, pick| set | 1 << row.left[usize::from(*pick)]);
            let empty = row.free & !taken;
            for (pick, lifted) in picks.iter().zip(&rows.lifted[pieces]) {
                let to = u32::from(row.left[usize::from(*pick)]);
                let put = &rows.put[*lifted as usize * rows.left..(*lifted as usize + 1) * rows.left];
                for from in squares(self.space.board.near(to) & empty) {
                    let rank = put[usize::from(row.index[from as usize])];
                    each(from, to, row.before + u64::from(rank));
                }
            }
        }
        Some(row.turn)
    }
}

impl<'a> Row<'a> {
    fn of(space: &'a Space, place: u64) -> Option<Row<'a>> {
        let tier = space.tier_at(place)?;
        let rows = tier.rows.get_or_init(|| Rows::new(space, tier));
        let within = place - tier.offset;
        let turn = u8::from(within >= tier.half);
        let stem = (within - u64::from(turn) * tier.half) / rows.length;
        let (mut rest, mut occupied) = (stem, 0);
        for group in split(tier).0 {
            let weight = group.weight / rows.length;
            occupied |= deposit(&group.picks[(rest / weight) as usize][..group.count], occupied);
            rest %= weight;
        }
        let free = space.board.all & !occupied;
        let (mut left, mut index) = ([0; SQUARES], [0; SQUARES]);
        for (i, square) in squares(free).enumerate() {
            (left[i], index[square as usize]) = (square as u8, i as u8);
        }
        let steps = &rows.steps[rows.begin[stem as usize] as usize..rows.begin[stem as usize + 1] as usize];
        let row = stem * rows.length;
        let first = tier.offset + u64::from(turn) * tier.half + row;
        let before = if turn == 1 { tier.offset } else { tier.offset + tier.half + row };
        Some(Row { rows, first, turn, before, steps, free, left, index })
    }
}
