//! What both sides can be sure of, together: bounds on the value at any position and any beliefs.

use super::rules::{Hidden, Public};
use super::{Grid, Open, ask};
use crate::geister::analysis::Step;
use crate::geister::board::{Board, Position, Set, Side, squares};
use crate::geister::notation;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::sync::Arc;
use yomikiri_core::number::{Rational, approx};
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_solve::belief::{self, Belief, Bound, ENDED, Proof, PublicMove};

/// A position as the tables have it: one of two mirror images, and whether it is not the one on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// The position as the tables have it.
    pub public: Public,
    /// Whether left and right are exchanged on the table.
    pub mirrored: bool,
}

impl View {
    /// The view of a position on the table.
    pub fn of(rules: &Hidden, on_table: Public) -> View {
        let (public, mirrored) = rules.canonical(on_table);
        View { public, mirrored }
    }

    /// Between squares on the table and squares in the tables: the same way there and back.
    pub fn square(&self, board: &Board, square: u32) -> u32 {
        if self.mirrored { board.mirror(1 << square).trailing_zeros() } else { square }
    }

    /// The squares on the table of a side's pieces, by the numbers the tables give them.
    pub fn squares(&self, board: &Board, side: usize) -> Vec<u32> {
        squares(self.public.sides[side]).map(|s| self.square(board, s)).collect()
    }

    /// For each number the tables give a side's pieces the number on the table.
    pub fn order(&self, board: &Board, side: usize) -> Vec<usize> {
        let on_table = self.squares(board, side);
        on_table.iter().map(|s| on_table.iter().filter(|t| *t < s).count()).collect()
    }

    /// A belief in the order of the table, in the order of the tables.
    pub fn belief(&self, board: &Board, side: usize, on_table: &Belief) -> Belief {
        let mut belief = [0; 3];
        for (number, place) in self.order(board, side).into_iter().enumerate() {
            belief[number] = on_table[place];
        }
        belief
    }

    /// The pieces on the table, the red one of a side shown where it is given by its number in the tables.
    pub fn position(&self, board: &Board, red: [Option<u8>; 2]) -> Position {
        let sides = [0, 1].map(|side| {
            let mut shown = [0 as Set; 3];
            for (number, square) in self.squares(board, side).into_iter().enumerate() {
                let colour = match red[side] {
                    None => 2,
                    Some(red) => usize::from(usize::from(red) == number),
                };
                shown[colour] |= 1 << square;
            }
            Side(shown)
        });
        Position { turn: self.public.turn, sides }
    }

    /// A move of the tables on the table; leaving goes from a square to itself.
    pub fn step(&self, board: &Board, (from, to): (u32, Option<u32>)) -> Step {
        Step::new(self.square(board, from), self.square(board, to.unwrap_or(from)))
    }

    /// The number that the tables give a move on the table.
    pub fn number(&self, rules: &Hidden, step: Step) -> Option<usize> {
        rules.steps(&self.public).into_iter().position(|at| self.step(&rules.board, at) == step)
    }

    /// The name of a move of the tables.
    pub fn name(&self, board: &Board, at: (u32, Option<u32>)) -> String {
        notation::step(board, self.step(board, at))
    }

    /// What is on the table after a move.
    pub fn after(&self, rules: &Hidden, (from, to): (u32, Option<u32>)) -> View {
        let Some(to) = to else { return *self };
        let me = usize::from(self.public.turn);
        let mut sides = self.public.sides;
        sides[me] ^= 1 << from | 1 << to;
        sides[1 - me] &= !(1 << to);
        let (public, turned) = rules.canonical(Public { turn: 1 - self.public.turn, sides });
        View { public, mirrored: self.mirrored != turned }
    }
}

/// A fraction.
pub fn ratio(num: impl Into<BigInt>, den: impl Into<BigInt>) -> Rational {
    Rational::new(num.into(), den.into())
}

/// A fraction as people write it.
pub fn fraction(x: &Rational) -> String {
    x.to_string().replace('-', "−")
}

/// A fraction as a decimal, its last digit rounded so.
fn decimal(x: &Rational, round: fn(&Rational) -> Rational) -> String {
    let scaled = x * BigInt::from(1_000_000);
    format!("{:.6}", approx(&round(&scaled)) / 1e6).replace('-', "−")
}

/// Bounds on a value for the three.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Between {
    /// At least this.
    pub lower: Rational,
    /// At most this.
    pub upper: Rational,
}

impl Between {
    /// A value that is known.
    fn exactly(value: Rational) -> Between {
        Between { lower: value.clone(), upper: value }
    }

    /// Whether they meet.
    pub fn exact(&self) -> bool {
        self.lower == self.upper
    }

    /// Both as decimals, never closer than they are.
    pub fn decimals(&self) -> [String; 2] {
        if self.exact() {
            return [&self.lower, &self.upper].map(|x| decimal(x, Rational::round));
        }
        // A lower bound stays one, and so does an upper bound.
        [decimal(&self.lower, Rational::floor), decimal(&self.upper, Rational::ceil)]
    }
}

/// What a move leads to that is made whatever the mover's colours are, by weights.
pub struct Split {
    /// How often it ends the game at once: won and lost for player 1.
    pub ended: [i64; 2],
    /// The beliefs about both sides if the game goes on.
    pub alive: [Belief; 2],
}

impl Split {
    /// By the beliefs before the move.
    pub fn new(m: &PublicMove<Public>, beliefs: &[Belief; 2]) -> Split {
        let ends = |side: usize, kind: usize| m.next.is_none_or(|n| n.types[side][kind] == ENDED);
        let (mut ended, mut alive) = ([0; 2], [[0; 3]; 2]);
        for i in 0..3 {
            for j in 0..3 {
                let weight = beliefs[0][i] * beliefs[1][j];
                if ends(0, i) || ends(1, j) {
                    ended[0] += weight * i64::from(m.pay[i][j] > 0);
                    ended[1] += weight * i64::from(m.pay[i][j] < 0);
                }
            }
        }
        for side in 0..2 {
            for kind in (0..3).filter(|&k| !ends(side, k)) {
                let there = m.next.map_or(0, |next| usize::from(next.types[side][kind]));
                alive[side][there] += beliefs[side][kind];
            }
        }
        Split { ended, alive }
    }
}

/// How many beliefs a side has before a piece is taken, and with two pieces each.
pub fn sizes(grid: Grid, holder: usize) -> [usize; 2] {
    // The three are side 0.
    let types = 3 - holder;
    let all = belief::common(&grid.options(types).beliefs, types);
    [all[types].len(), all[2].len()]
}

/// The starts as parameters call them, and in words.
pub const FIRST: [(&str, Text); 2] =
    [("three", text("the three pieces", "3駒側")), ("two", text("the two pieces", "2駒側"))];

/// What is needed at most, in bytes, before anything is computed.
pub fn memory(board: &Board, grid: Grid) -> u64 {
    let squares = board.squares() as u64;
    let ways = |pieces: u64, among: u64| (0..pieces).fold(1, |n, i| n * (among - i) / (i + 1));
    // Both turns; of two mirror images one.
    let [three, two] = [3, 2].map(|own| ways(own, squares) * ways(2, squares - own));
    let sets: u64 = [0, 1]
        .map(|holder| {
            let [of_three, of_two] = sizes(grid, holder);
            three * of_three as u64 + two * of_two as u64
        })
        .iter()
        .sum();
    // Measured; while beliefs are added, what was known stands beside what is laid out anew.
    let set = if grid == Grid::Adaptive { 340 } else { 240 };
    (three + two) * 1024 + sets * set
}

/// The guarantees of both sides.
pub struct Both {
    /// The game.
    pub open: Open,
    /// How fine they are.
    pub grid: Grid,
    /// What the three and what the two can be sure of.
    pub sure: [Bound<Public>; 2],
}

impl Both {
    /// Computes them, or finds them in the run's store.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    pub fn new(board: &Board, grid: Grid, run: &Run<'_>) -> Result<Arc<Both>, Error> {
        run.fits(memory(board, grid))?;
        if grid != Grid::Coarse {
            run.observer.note(&text(
                "this grid takes minutes; it is kept, and can be stopped and taken up again",
                "この刻みは数分かかります。途中経過は保存され、中断しても続きから再開できます",
            ));
        }
        let Board { width, height, .. } = board;
        run.cached(&format!("geister/both-{width}x{height}-{}", grid.id()), || {
            let open = Open::new(board, run)?;
            let sure = open.bounds(grid, run)?;
            Ok((Both { open, grid, sure }, memory(board, grid)))
        })
    }

    /// The place of a position in the tables.
    ///
    /// # Errors
    /// What is not accepted is refused by the name of the field.
    pub fn find(&self, view: &View) -> Result<u32, Refusal> {
        self.open.graph.find(&view.public).ok_or_else(|| {
            let board = &self.open.rules.board;
            let written = notation::board_text(board, &view.position(board, [None; 2]).sides);
            Refusal::new(
                "board",
                written,
                text("a position that can come up from the start", "初期配置から到達できる局面"),
            )
        })
    }

    /// Bounds at a place, with the beliefs about both sides.
    fn between(&self, at: u32, beliefs: &[Belief; 2]) -> Between {
        let sure = |holder: usize| {
            let found = self.sure[holder].sure(at, &beliefs[holder], &beliefs[1 - holder]);
            // Nothing is ever less than a loss.
            found.map_or_else(|| ratio(-1, 1), |(num, den)| ratio(num, den))
        };
        Between { lower: sure(0), upper: -sure(1) }
    }

    /// Bounds after a move that is made whatever the mover's colours are.
    pub fn after(&self, m: &PublicMove<Public>, beliefs: &[Belief; 2]) -> Between {
        let Split { ended: [won, lost], alive } = Split::new(m, beliefs);
        let all: i64 = beliefs.iter().map(|b| b.iter().sum::<i64>()).product();
        let paid = ratio(won - lost, all);
        let rest: i64 = alive.iter().map(|b| b.iter().sum::<i64>()).product();
        let place = m.next.and_then(|next| self.open.graph.find(&next.position)).filter(|_| rest > 0);
        let Some(at) = place else { return Between::exactly(paid) };
        let there = self.between(at, &alive);
        let whole = |x: Rational| &paid + x * ratio(rest, all);
        Between { lower: whole(there.lower), upper: whole(there.upper) }
    }

    /// Bounds at a position with the beliefs about both sides, and after every move.
    ///
    /// # Errors
    /// What is not accepted is refused by the name of the field.
    pub fn at(&self, view: &View, beliefs: &[Belief; 2]) -> Result<(Between, Vec<Between>), Refusal> {
        let at = self.find(view)?;
        let moves = self.open.rules.all(&view.public);
        let after: Vec<Between> = moves.iter().map(|m| self.after(m, beliefs)).collect();
        let mut here = self.between(at, beliefs);
        // The mover can always play without a look at its colours.
        for b in &after {
            if view.public.turn == 0 {
                here.lower = here.lower.max(b.lower.clone());
            } else {
                here.upper = here.upper.min(b.upper.clone());
            }
        }
        Ok((here, after))
    }

    /// The best a side can be sure of at a place, for the three, and the belief to start with.
    pub fn best(&self, at: u32, holder: usize) -> (Rational, Belief) {
        let (belief, level) = self.sure[holder].best(at);
        let sign = if holder == 0 { 1 } else { -1 };
        (ratio(sign * level, self.sure[holder].lattice()), self.sure[holder].beliefs(at)[belief])
    }

    /// The proof of it.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    pub fn prove(&self, at: u32, holder: usize, run: &Run<'_>) -> Result<Proof, Error> {
        let (belief, level) = self.sure[holder].best(at);
        self.sure[holder].prove(at, belief, level, run)
    }

    /// What is written, as the tables have it; beliefs that are left out are even.
    pub fn beliefs(&self, view: &View, given: &[Option<Belief>; 2]) -> [Belief; 2] {
        [0, 1].map(|side| {
            let pieces = view.public.sides[side].count_ones() as usize;
            view.belief(&self.open.rules.board, side, &given[side].unwrap_or_else(|| ask::even(pieces)))
        })
    }
}

/// A belief in words: which squares the red piece may be on.
pub fn belief_words(board: &Board, view: &View, side: usize, belief: &Belief) -> Text {
    let sum: i64 = belief.iter().sum();
    let mut likely: Vec<(u32, Rational)> = view
        .squares(board, side)
        .into_iter()
        .zip(belief)
        .map(|(square, weight)| (square, ratio(*weight, sum)))
        .filter(|(_, p)| !p.is_zero())
        .collect();
    likely.sort();
    let list = |mark: &str| {
        let one =
            |(square, p): &(u32, Rational)| format!("{}{mark}{}", board.name(*square), fraction(&p.abs()));
        likely.iter().map(one).collect::<Vec<_>>()
    };
    Text::of(format!("red on {}", list(" with ").join(", ")), format!("赤が{}", list("：").join("、")))
}
