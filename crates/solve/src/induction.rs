//! Backward induction over the tiers of an [`Indexed`] game with choice and chance: every tier is
//! computed from lower ones, all its states in parallel, in doubles or exact rationals.

use crate::on_threads;
use crate::solution::{self, Solution, Solver, Stored};
use rayon::prelude::*;
use std::marker::PhantomData;
use yomikiri_core::{Error, Game, Indexed, Number, Run, Turn, text};

/// States computed between two looks at the cancel flag.
const CHUNK: u64 = 1 << 16;

/// The solver; `N` is what it computes in.
pub struct Induction<N>(PhantomData<N>);

impl<N> Induction<N> {
    /// The solver that computes in `N`.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Induction(PhantomData)
    }
}

/// The values of all indexed states.
pub struct Tiers<N> {
    values: Vec<Vec<N>>,
}

impl<N: Number> Tiers<N> {
    /// How many states have a value.
    pub fn positions(&self) -> u64 {
        self.values.iter().map(|tier| tier.len() as u64).sum()
    }

    /// The values of a tier in the order of the index.
    pub fn tier(&self, tier: u32) -> &[N] {
        &self.values[tier as usize]
    }
}

impl<G: Indexed, N: Number> Solution<G> for Tiers<N> {
    type Number = N;
    fn stored(&self, game: &G, s: &G::State) -> Stored<N> {
        match game.index(s) {
            None => Stored::LookThrough,
            Some((tier, at)) => match self.values.get(tier as usize).and_then(|t| t.get(at as usize)) {
                Some(value) => Stored::Value(value.clone()),
                None => Stored::Missing,
            },
        }
    }
}

/// Bytes a solution takes.
pub fn memory<G: Indexed, N: Number>(game: &G) -> u64 {
    (0..game.tiers()).map(|t| game.len(t).saturating_mul(N::bytes())).fold(0, u64::saturating_add)
}

impl<G: Indexed, N: Number> Solver<G> for Induction<N> {
    type Solution = Tiers<N>;

    fn solve(&self, game: &G, run: &Run<'_>) -> Result<Tiers<N>, Error> {
        run.fits(memory::<G, N>(game))?;
        let total: u64 = (0..game.tiers()).map(|t| game.len(t)).sum();
        run.observer.begin(&text("backward induction", "後ろ向き帰納"), total);
        let mut solved = Tiers { values: Vec::with_capacity(game.tiers() as usize) };
        let mut done = 0;
        let result = on_threads(run, || {
            for tier in 0..game.tiers() {
                let len = game.len(tier);
                let mut values = Vec::with_capacity(len as usize);
                for from in (0..len).step_by(CHUNK as usize) {
                    run.check()?;
                    let to = (from + CHUNK).min(len);
                    values
                        .par_extend((from..to).into_par_iter().map(|at| position(game, &solved, (tier, at))));
                    done += to - from;
                    run.observer.done(done);
                }
                solved.values.push(values);
            }
            Ok(())
        })?;
        run.observer.end();
        result.map(|()| solved)
    }
}

/// The value of one place from the tiers below it.
///
/// # Panics
/// If the index breaks its contract: a place without a state, a state without a move, or a successor
/// that is not in a lower tier. The contract suite checks all three for every game.
fn position<G: Indexed, N: Number>(game: &G, lower: &Tiers<N>, at: (u32, u64)) -> N {
    let s = game.state(at).expect("every place below len() has a state");
    match game.turn(&s) {
        Turn::Player(p) => solution::best(game, lower, &s, p).expect("successors are in lower tiers"),
        Turn::Chance | Turn::Terminal => {
            solution::value_for(game, lower, &s, 0).expect("successors are in lower tiers")
        }
    }
}

/// A check of the contract of [`Indexed`] that the solver relies on: the first indexed successor of `s`
/// that is not in a lower tier, if there is one.
pub fn successor_not_lower<G: Indexed>(game: &G, s: &G::State) -> Option<G::State> {
    fn walk<G: Game + Indexed>(game: &G, s: &G::State, below: u32) -> Option<G::State> {
        solution::actions(game, s).into_iter().find_map(|a| {
            let t = game.apply(s, a);
            match game.index(&t) {
                Some((tier, _)) => (tier >= below).then_some(t),
                None => walk(game, &t, below),
            }
        })
    }
    let (tier, _) = game.index(s)?;
    walk(game, s, tier)
}
