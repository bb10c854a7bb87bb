//! Three pieces against two with all colours hidden: what each side can be sure of, and proofs of it.

pub mod ask;
pub mod both;
mod bounds;
pub mod duel;
pub mod plan;
mod proved;
pub mod rules;
pub mod story;
pub mod summary;

use super::board::Board;
use super::start;
use crate::erased::Erased;
use rules::{Hidden, Public};
use std::sync::Arc;
use yomikiri_core::{Error, Refusal, Run, text};
use yomikiri_solve::belief::{Belief, Bound, Closing, GapSearch, Options, PublicGraph, close};

/// What is asked about it, and what is played.
pub static BOUNDS: Erased<bounds::Bounds> = Erased(&bounds::Bounds);

/// How finely a side's beliefs about itself are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// Seconds: halves and thirds for three pieces, halves for two.
    Coarse,
    /// Minutes: thirds and most tenths for three pieces, all fractions with denominators from five to eight for two.
    Fine,
    /// Minutes more: from the fine one on, beliefs are added by position where the bounds are apart.
    Adaptive,
}

/// How the adaptive grid grows. What is hoped for has a common small sum, so that it is met again after several moves; what
/// gains at once is told finely, in a multiple of it.
const CLOSING: Closing = Closing {
    rounds: 16,
    start: [24, 120],
    search: GapSearch {
        situations: 20_000,
        beliefs: 3000,
        least: 5e-5,
        programs: 30_000,
        gain: 1e-4,
        fine: 27_720,
        tight: 9e-4,
        sum: 840,
        near: 0.02,
    },
    nearest: 5e-3,
    least: 1.0,
    enough: 0.0,
};

/// Beliefs with whole weights that add up to a number.
pub fn beliefs(types: usize, sum: i64) -> Vec<Belief> {
    let mut all = Vec::new();
    for a in 0..=sum {
        for b in 0..=sum - a {
            let c = sum - a - b;
            if types == 3 || (types == 2 && c == 0) {
                all.push([a, b, c]);
            }
        }
    }
    all
}

/// The tenths that a proof with all of them rests on most, in every order, and thirds. The tenths left out came up
/// in fewer than one entry in a thousand; without them the bound is the same and is found in two thirds of the time.
const TENTHS: [Belief; 11] = [
    [0, 5, 5],
    [0, 4, 6],
    [0, 3, 7],
    [1, 4, 5],
    [1, 3, 6],
    [2, 4, 4],
    [2, 3, 5],
    [2, 2, 6],
    [3, 3, 4],
    [1, 1, 1],
    [0, 1, 2],
];

impl Grid {
    /// What is asked of the solver for the guarantees of a side with so many pieces.
    pub fn options(self, types: usize) -> Options {
        let of = |sums: &[i64]| sums.iter().flat_map(|&sum| beliefs(types, sum)).collect();
        let (beliefs, lattice, step, least): (Vec<Belief>, i32, i32, f64) = match (self, types) {
            (Grid::Coarse, 3) => (of(&[2, 3]), 60, 1, 0.0),
            (Grid::Coarse, _) => (of(&[2]), 6, 1, 0.0),
            (Grid::Fine, 3) => (TENTHS.to_vec(), 2520, 42, 1.0),
            (Grid::Fine, _) => (of(&[5, 6, 7, 8]), 10_080, 1, 0.5),
            // A finer lattice, for many small gains; only large ones are kept before beliefs are added.
            (Grid::Adaptive, 3) => (TENTHS.to_vec(), 27_720, 462, 11.0),
            (Grid::Adaptive, _) => (of(&[5, 6, 7, 8]), 27_720, 1, 3.0),
        };
        Options { beliefs, lattice, step, least, rounds: 1 }
    }

    /// The word for it.
    pub fn id(self) -> &'static str {
        match self {
            Grid::Coarse => "coarse",
            Grid::Fine => "fine",
            Grid::Adaptive => "adaptive",
        }
    }
}

/// Who plays whom. The first side is player 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// Blue, blue, red against blue, red: the paper's open case.
    BbrBr,
    /// Red, red, blue against blue, red.
    RrbBr,
    /// Blue, blue, red against red, red, blue.
    BbrRrb,
    /// Blue, red against blue, red.
    BrBr,
}

impl Match {
    /// All of them.
    pub const ALL: [Match; 4] = [Match::BbrBr, Match::RrbBr, Match::BbrRrb, Match::BrBr];

    /// The word for it.
    pub fn id(self) -> &'static str {
        match self {
            Match::BbrBr => "bbr-br",
            Match::RrbBr => "rrb-br",
            Match::BbrRrb => "bbr-rrb",
            Match::BrBr => "br-br",
        }
    }

    /// How many pieces each side has.
    pub fn pieces(self) -> [usize; 2] {
        match self {
            Match::BbrBr | Match::RrbBr => [3, 2],
            Match::BbrRrb => [3, 3],
            Match::BrBr => [2, 2],
        }
    }

    fn mostly_red(self) -> [bool; 2] {
        [self == Match::RrbBr, self == Match::BbrRrb]
    }
}

/// A game with hidden colours, with every position that can come up.
pub struct Open {
    /// The rules.
    pub rules: Hidden,
    /// The positions and moves.
    pub graph: Arc<PublicGraph<Public>>,
    /// The starts: player 1 moves first, player 2 moves first.
    pub starts: [Public; 2],
    /// Who plays whom.
    pub game: Match,
}

impl Open {
    /// Blue, blue, red against blue, red on a board.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    pub fn new(board: &Board, run: &Run<'_>) -> Result<Open, Error> {
        Open::of(board, Match::BbrBr, run)
    }

    /// Any of the matches on a board; refused where the board is too low for the pieces to start apart.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    pub fn of(board: &Board, game: Match, run: &Run<'_>) -> Result<Open, Error> {
        let rules = Hidden { board: board.clone(), mostly_red: game.mostly_red() };
        let set = |player: usize| -> u64 {
            let home = start::home(board, player as u8, game.pieces()[player]);
            home.iter().fold(0, |set, square| set | 1 << square)
        };
        let sides = [set(0), set(1)];
        if sides[0] & sides[1] != 0 {
            return Err(Refusal::new("height", board.height, text("4 or more", "4 以上")).into());
        }
        let starts = [0, 1].map(|turn| rules.canonical(Public { turn, sides }).0);
        let graph = Arc::new(PublicGraph::explore(&rules, &starts, run)?);
        Ok(Open { rules, graph, starts, game })
    }

    /// What both sides can be sure of.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    pub fn bounds(&self, grid: Grid, run: &Run<'_>) -> Result<[Bound<Public>; 2], Error> {
        self.bounds_within(grid, 0.0, run)
    }

    /// The same; the adaptive grid stops when the bounds of its start are nearer than a gap.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    pub fn bounds_within(&self, grid: Grid, gap: f64, run: &Run<'_>) -> Result<[Bound<Public>; 2], Error> {
        let mut both = [self.bound(0, grid, run)?, self.bound(1, grid, run)?];
        if grid == Grid::Adaptive {
            // The start that leaves a gap: player 1 moves first.
            let start = self.graph.find(&self.starts[0]).unwrap_or_default();
            let how = Closing { enough: gap, ..CLOSING };
            close(&mut both, start, &how, Some(&self.name(grid, "both")), run)?;
        }
        Ok(both)
    }

    /// What both sides can be sure of, as closely as it gets, for the sake of one start (0: player 1 moves first). Where
    /// the coarse grid already leaves no gap there is nothing to bring together, and it is all that is needed. It stops when
    /// the bounds are nearer than a gap.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    pub fn closest(&self, first: usize, gap: f64, run: &Run<'_>) -> Result<[Bound<Public>; 2], Error> {
        let coarse = [self.bound(0, Grid::Coarse, run)?, self.bound(1, Grid::Coarse, run)?];
        let at = self.graph.find(&self.starts[first]).unwrap_or_default();
        let [lower, upper] = [0, 1].map(|holder: usize| {
            let bound = &coarse[holder];
            (i64::from(bound.best(at).1), i64::from(bound.lattice()))
        });
        // The second is sure of what it keeps the first to, with the sign turned.
        if lower.0 * upper.1 + upper.0 * lower.1 == 0 {
            return Ok(coarse);
        }
        drop(coarse);
        self.bounds_within(Grid::Adaptive, gap, run)
    }

    /// What a side (0: the three) can be sure of everywhere, with the beliefs that all positions have. Kept in the
    /// run's store, so that it is computed once.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    pub fn bound(&self, holder: usize, grid: Grid, run: &Run<'_>) -> Result<Bound<Public>, Error> {
        let types = self.game.pieces()[holder];
        let mut bound = Bound::new(self.graph.clone(), holder, &grid.options(types), run)?;
        bound.solve(Some(&self.name(grid, &holder.to_string())), run)?;
        Ok(bound)
    }

    fn name(&self, grid: Grid, whose: &str) -> String {
        let Board { width, height, .. } = &self.rules.board;
        format!("geister/belief-{}-{width}x{height}-{}-{whose}", self.game.id(), grid.id())
    }
}
