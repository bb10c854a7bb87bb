//! Induction over the layers of a contest: forward to find every position there is, move by move, then
//! backward to value them. Where the number of positions is polynomial this is the whole solution.

use crate::minimax::Contest;
use crate::on_threads;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use yomikiri_core::{Error, Run, Turn, text};

/// A place with the player to move.
type Spot<G> = (<G as Contest>::Place, u8);

/// All positions that can be reached from a state, in layers of equally many moves, with what is still to
/// come in each.
pub struct Layers<G: Contest> {
    layers: Vec<Layer<G>>,
}

struct Layer<G: Contest> {
    at: FxHashMap<Spot<G>, u32>,
    states: Vec<G::State>,
    come: Vec<i32>,
}

/// Positions worked on between two looks at the cancel flag.
const CHUNK: usize = 1 << 14;

/// Appends what a move leads to: positions with a place, and ends.
fn successors<G: Contest>(game: &G, s: &G::State, out: &mut Vec<G::State>) {
    let mut actions = Vec::new();
    game.actions(s, &mut actions);
    for a in actions {
        let next = game.apply(s, a);
        if matches!(game.turn(&next), Turn::Player(_)) && game.place(&next).is_none() {
            successors(game, &next, out);
        } else {
            out.push(next);
        }
    }
}

impl<G: Contest> Layers<G> {
    /// Finds all positions and values them. The state must have a place.
    ///
    /// # Errors
    /// [`Error::Memory`] when there are too many positions, [`Error::Cancelled`].
    ///
    /// # Panics
    /// If the rules break their promise and a player to move has no action.
    pub fn solve(game: &G, start: &G::State, run: &Run<'_>) -> Result<Layers<G>, Error> {
        let mut solved = Layers::expand(game, start, run)?;
        run.observer.begin(&text("induction over tricks", "トリックごとの帰納"), solved.positions());
        let mut done = 0;
        on_threads(run, || {
            let mut after: Option<Layer<G>> = None;
            let mut back = Vec::with_capacity(solved.layers.len());
            while let Some(mut layer) = solved.layers.pop() {
                let mut come = Vec::with_capacity(layer.states.len());
                for part in layer.states.chunks(CHUNK) {
                    run.check()?;
                    come.par_extend(part.par_iter().map(|s| best(game, s, after.as_ref()) - game.banked(s)));
                    done += part.len() as u64;
                    run.observer.done(done);
                }
                layer.come = come;
                back.extend(after.replace(layer));
            }
            back.extend(after);
            back.reverse();
            solved.layers = back;
            Ok::<(), Error>(())
        })??;
        run.observer.end();
        Ok(solved)
    }

    /// Finds all positions, without their values.
    ///
    /// # Errors
    /// The same as [`Layers::solve`].
    pub fn expand(game: &G, start: &G::State, run: &Run<'_>) -> Result<Layers<G>, Error> {
        let bytes =
            (std::mem::size_of::<Spot<G>>() as u64 + 5) * 3 + std::mem::size_of::<G::State>() as u64 + 4;
        run.observer.begin(&text("finding positions", "局面の列挙"), 0);
        let spot = |s: &G::State| match game.turn(s) {
            Turn::Player(p) => game.place(s).map(|place| (place, p)),
            _ => None,
        };
        let mut layers: Vec<Layer<G>> = Vec::new();
        let mut next: Vec<G::State> = vec![start.clone()];
        let mut count = 0u64;
        on_threads(run, || {
            loop {
                let mut layer = Layer { at: FxHashMap::default(), states: Vec::new(), come: Vec::new() };
                let expand = std::mem::take(&mut next);
                let add = |layer: &mut Layer<G>, found: Vec<G::State>| {
                    for s in found {
                        if let Some(spot) = spot(&s)
                            && let std::collections::hash_map::Entry::Vacant(free) = layer.at.entry(spot)
                        {
                            free.insert(layer.states.len() as u32);
                            layer.states.push(s);
                        }
                    }
                };
                if layers.is_empty() {
                    add(&mut layer, expand);
                } else {
                    let before = layers.last().map_or(&[][..], |l| &l.states[..]);
                    for part in before.chunks(CHUNK) {
                        run.check()?;
                        let found: Vec<G::State> = part
                            .par_iter()
                            .flat_map_iter(|s| {
                                let mut out = Vec::new();
                                successors(game, s, &mut out);
                                out
                            })
                            .collect();
                        add(&mut layer, found);
                        run.fits((count + layer.states.len() as u64) * bytes)?;
                    }
                }
                if layer.states.is_empty() {
                    return Ok::<(), Error>(());
                }
                count += layer.states.len() as u64;
                run.observer.done(count);
                layers.push(layer);
            }
        })??;
        run.observer.end();
        Ok(Layers { layers })
    }

    /// Positions found, each with the player to move.
    pub fn positions(&self) -> u64 {
        self.layers.iter().map(|l| l.states.len() as u64).sum()
    }

    /// The value of a state after so many moves from the start, in its middle too; `None` if it is not
    /// among the positions found.
    pub fn value(&self, game: &G, s: &G::State, moves: usize) -> Option<i32> {
        let Turn::Player(p) = game.turn(s) else { return Some(game.result(s)) };
        let Some(place) = game.place(s) else {
            let mut actions = Vec::new();
            game.actions(s, &mut actions);
            let values: Option<Vec<i32>> =
                actions.into_iter().map(|a| self.value(game, &game.apply(s, a), moves)).collect();
            return if p == 0 { values?.into_iter().max() } else { values?.into_iter().min() };
        };
        let layer = self.layers.get(moves)?;
        let at = *layer.at.get(&(place, p))?;
        Some(game.banked(s) + layer.come.get(at as usize)?)
    }
}

/// The best value the player to move can reach, from the layer after this one.
fn best<G: Contest>(game: &G, s: &G::State, after: Option<&Layer<G>>) -> i32 {
    let Turn::Player(p) = game.turn(s) else { return game.result(s) };
    let mut actions = Vec::new();
    game.actions(s, &mut actions);
    let values = actions.into_iter().map(|a| {
        let next = game.apply(s, a);
        match game.turn(&next) {
            Turn::Player(mover) => match game.place(&next) {
                None => best(game, &next, after),
                Some(place) => {
                    let layer = after.expect("a layer follows");
                    game.banked(&next) + layer.come[layer.at[&(place, mover)] as usize]
                }
            },
            _ => game.result(&next),
        }
    });
    if p == 0 { values.max() } else { values.min() }.expect("a player to move has an action")
}
