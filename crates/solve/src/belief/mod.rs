//! Bounds for two-player zero-sum games in which every move is public and the only hidden things are the
//! players' types, chosen once: each side keeps its own belief (what the other must think of it) on a finite
//! grid and treats the other side exactly. Endless play is worth 0.

mod bound;
mod closing;
mod convex;
mod finds;
mod gap;
mod grid;
mod halves;
mod hull;
mod keep;
mod kink;
mod mix;
mod proof;
mod sweep;

pub use bound::{Bound, Options, common};
pub use closing::{Closing, close};
pub use gap::{GapSearch, WantedBeliefs, search};
pub use grid::Belief;
pub use hull::Vector;
pub use proof::{Guarantee, Leads, Proof, Use};

use rustc_hash::FxHashMap;
use std::hash::Hash;
use yomikiri_core::{Error, Run};

/// Types of a player at most.
pub const TYPES: usize = 3;

/// In [`Next::types`]: the game has ended for this type.
pub const ENDED: u8 = u8::MAX;

/// Payoffs to player 0 by type of player 0 and of player 1.
pub type Payoffs = [[i32; TYPES]; TYPES];

/// Where a move leads when the game goes on.
#[derive(Clone, Copy, Debug)]
pub struct Next<P> {
    /// The public position.
    pub position: P,
    /// For each player: the type there by the type here, or [`ENDED`].
    pub types: [[u8; TYPES]; 2],
}

/// A public move. The game goes on if neither player's type ends it, and is paid out otherwise.
#[derive(Clone, Copy, Debug)]
pub struct PublicMove<P> {
    /// How the game goes on, if it can.
    pub next: Option<Next<P>>,
    /// What is paid to player 0 where it ends.
    pub pay: Payoffs,
}

/// A game with public moves and hidden types.
pub trait Rules: Sync {
    /// What both players see.
    type Position: Copy + Eq + Hash + Send + Sync;
    /// Who is to move, 0 or 1.
    fn mover(&self, p: &Self::Position) -> usize;
    /// How many types each player may have here: 1 to [`TYPES`].
    fn types(&self, p: &Self::Position) -> [usize; 2];
    /// The tier of a position: a move never leads to a higher one.
    fn tier(&self, p: &Self::Position) -> u32;
    /// The moves, at least one; the same for every type of the mover, whose types they keep apart.
    fn moves(&self, p: &Self::Position, out: &mut Vec<PublicMove<Self::Position>>);
    /// The largest absolute payoff.
    fn most(&self) -> i32;
}

/// A position in the graph.
#[derive(Clone, Copy, Debug)]
struct Node {
    mover: u8,
    types: [u8; 2],
    first: u32,
    moves: u32,
}

/// All positions that can be reached, with their moves.
pub struct PublicGraph<P> {
    /// The positions, in the order they were found.
    pub positions: Vec<P>,
    place: FxHashMap<P, u32>,
    nodes: Vec<Node>,
    moves: Vec<PublicMove<u32>>,
    /// The positions of each tier, lowest first.
    tiers: Vec<Vec<u32>>,
    /// For each position the moves that lead to it: the position and the number of the move there.
    back: Vec<Vec<(u32, u32)>>,
    most: i32,
}

impl<P: Copy + Eq + Hash + Send + Sync> PublicGraph<P> {
    /// Explores the game from some positions.
    ///
    /// # Errors
    /// [`Error::Memory`] when there are too many positions, [`Error::Cancelled`].
    pub fn explore<R: Rules<Position = P>>(
        rules: &R,
        starts: &[P],
        run: &Run<'_>,
    ) -> Result<PublicGraph<P>, Error> {
        let mut graph = PublicGraph {
            positions: Vec::new(),
            place: FxHashMap::default(),
            nodes: Vec::new(),
            moves: Vec::new(),
            tiers: Vec::new(),
            back: Vec::new(),
            most: rules.most(),
        };
        for p in starts {
            graph.meet(*p);
        }
        let (mut at, mut moves) = (0, Vec::new());
        while at < graph.positions.len() {
            if at % 4096 == 0 {
                run.check()?;
                // A position takes its own place and some moves.
                run.fits(graph.positions.len() as u64 * 1024)?;
            }
            let p = graph.positions[at];
            moves.clear();
            rules.moves(&p, &mut moves);
            let first = graph.moves.len() as u32;
            for (number, m) in moves.iter().enumerate() {
                let next = m.next.map(|n| Next { position: graph.meet(n.position), types: n.types });
                if let Some(n) = next {
                    graph.back[n.position as usize].push((at as u32, number as u32));
                }
                graph.moves.push(PublicMove { next, pay: m.pay });
            }
            let types = rules.types(&p).map(|t| t as u8);
            graph.nodes.push(Node { mover: rules.mover(&p) as u8, types, first, moves: moves.len() as u32 });
            at += 1;
        }
        let mut tiers: Vec<(u32, u32)> =
            graph.positions.iter().enumerate().map(|(i, p)| (rules.tier(p), i as u32)).collect();
        tiers.sort_unstable();
        for part in tiers.chunk_by(|a, b| a.0 == b.0) {
            graph.tiers.push(part.iter().map(|(_, i)| *i).collect());
        }
        Ok(graph)
    }

    fn meet(&mut self, p: P) -> u32 {
        let new = self.positions.len() as u32;
        *self.place.entry(p).or_insert_with(|| {
            self.positions.push(p);
            self.back.push(Vec::new());
            new
        })
    }

    /// The place of a position, if it was reached.
    pub fn find(&self, p: &P) -> Option<u32> {
        self.place.get(p).copied()
    }

    fn moves_of(&self, at: u32) -> &[PublicMove<u32>] {
        let node = &self.nodes[at as usize];
        &self.moves[node.first as usize..(node.first + node.moves) as usize]
    }
}
