//! Three pieces against two with all colours hidden: what each side can be sure of, and proofs of it.

pub mod ask;
pub mod both;
pub mod certificate;
pub mod certify;
pub mod plan;
pub mod rules;
pub mod summary;
pub mod table;

use super::board::Board;
use super::start;
use rules::{Hidden, Public};
use std::sync::Arc;
use yomikiri_core::{Error, Run};
use yomikiri_solve::belief::{self, Belief, Bound, Graph, Options};

/// How finely a side's beliefs about itself are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// Seconds: thirds for three pieces, halves for two.
    Coarse,
    /// Minutes: tenths for three pieces, all fractions with denominators up to eight for two.
    Fine,
}

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

impl Grid {
    /// What is asked of the solver for the guarantees of a side.
    pub fn options(self, holder: usize) -> Options {
        let (types, sums, lattice, step, least): (usize, &[i64], i32, i32, f64) = match (self, holder) {
            (Grid::Coarse, 0) => (3, &[3], 60, 1, 0.0),
            (Grid::Coarse, _) => (2, &[2], 6, 1, 0.0),
            (Grid::Fine, 0) => (3, &[10], 2520, 42, 1.0),
            (Grid::Fine, _) => (2, &[5, 6, 7, 8], 5040, 1, 1.0),
        };
        let beliefs = sums.iter().flat_map(|&sum| beliefs(types, sum)).collect();
        Options { beliefs, lattice, step, least, rounds: 1 }
    }

    /// How many beliefs a side has with all its pieces, and with two left.
    pub fn sizes(self, holder: usize) -> [usize; 2] {
        let options = self.options(holder);
        if holder == 1 {
            let two = belief::Grid::new(2, options.beliefs).beliefs.len();
            return [two, two];
        }
        let three = belief::Grid::new(3, options.beliefs);
        let pairs = three.beliefs.iter().flat_map(|b| [[b[0], b[1], 0], [b[1], b[2], 0], [b[0], b[2], 0]]);
        let left = belief::Grid::new(2, pairs.filter(|b| b.iter().sum::<i64>() > 0));
        [three.beliefs.len(), left.beliefs.len()]
    }

    /// The word for it.
    pub fn id(self) -> &'static str {
        match self {
            Grid::Coarse => "coarse",
            Grid::Fine => "fine",
        }
    }
}

/// The game of three against two, with every position that can come up.
pub struct Open {
    /// The rules.
    pub rules: Hidden,
    /// The positions and moves.
    pub graph: Arc<Graph<Public>>,
    /// The starts: the three move first, the two move first.
    pub starts: [Public; 2],
}

impl Open {
    /// Blue, blue, red against blue, red on a board.
    pub fn new(board: &Board, run: &Run<'_>) -> Result<Open, Error> {
        let rules = Hidden { board: board.clone(), mostly_red: [false; 2] };
        let set =
            |player: u8, pieces: usize| start::home(board, player, pieces).iter().fold(0, |s, q| s | 1 << q);
        let sides = [set(0, 3), set(1, 2)];
        let starts = [0, 1].map(|turn| rules.canonical(Public { turn, sides }).0);
        let graph = Arc::new(Graph::explore(&rules, &starts, run)?);
        Ok(Open { rules, graph, starts })
    }

    /// What a side (0: the three) can be sure of everywhere. Kept in the run's store, so that it is computed once.
    pub fn bound(&self, holder: usize, grid: Grid, run: &Run<'_>) -> Result<Bound<Public>, Error> {
        let mut bound = Bound::new(self.graph.clone(), holder, &grid.options(holder), run)?;
        let board = &self.rules.board;
        let name = format!("geister/belief-{}x{}-{}-{holder}", board.width, board.height, grid.id());
        bound.solve(Some(&name), run)?;
        Ok(bound)
    }
}
