//! A proof as a strategy: what the side that holds it does, how likely by its colours, and what the other
//! side may think of it.

use super::ask;
use super::both::{Both, View, ratio};
use super::rules::Public;
use crate::geister::board::Board;
use num_traits::Zero;
use std::sync::Arc;
use yomikiri_core::number::{Rational, approx};
use yomikiri_core::{Error, Run};
use yomikiri_solve::belief::{ENDED, Guarantee, Leads, Proof, PublicMove};

/// Where a strategy stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mind {
    /// At an entry of its proof.
    Entry(u32),
    /// Nothing more is promised: it is known to have this type.
    Free(u8),
}

/// A part of a lottery.
#[derive(Clone, Debug)]
pub struct Part {
    /// The move, if the lottery is over the holder's own.
    pub number: Option<u32>,
    /// Where the strategy stands afterwards, with types as they are there; nothing if the game has ended.
    pub mind: Option<Mind>,
    /// Its weight.
    pub weight: Rational,
    /// What the part says of the type, in types before the move.
    pub belief: [Rational; 3],
}

impl Part {
    /// How likely it is with each type, but for a factor that all parts of a lottery share.
    pub fn with(&self, kind: usize) -> Rational {
        &self.weight * &self.belief[kind]
    }
}

/// The strategy of a side from a position on.
pub struct Plan {
    /// What both sides can be sure of.
    pub both: Arc<Both>,
    /// Whose strategy it is.
    pub holder: usize,
    /// The proof.
    pub proof: Proof,
}

/// Bytes an entry of a proof takes, about.
const ENTRY_BYTES: u64 = 400;

fn certain(kind: u8) -> [Rational; 3] {
    [0, 1, 2].map(|i| ratio(i32::from(i == kind), 1))
}

impl Plan {
    /// The best strategy known for a side at a place.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    pub fn new(both: &Arc<Both>, at: u32, holder: usize, run: &Run<'_>) -> Result<Plan, Error> {
        Ok(Plan { both: both.clone(), holder, proof: both.prove(at, holder, run)? })
    }

    /// The same from the cache, if it is there.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    pub fn shared(both: &Arc<Both>, at: u32, holder: usize, run: &Run<'_>) -> Result<Arc<Plan>, Error> {
        let Board { width, height, .. } = both.open.rules.board;
        let name = format!("geister/plan-{width}x{height}-{}-{at}-{holder}", both.grid.id());
        run.cached(&name, || {
            let plan = Plan::new(both, at, holder, run)?;
            let bytes = ENTRY_BYTES * plan.proof.entries.len() as u64;
            Ok((plan, bytes))
        })
    }

    /// An entry of the proof.
    pub fn entry(&self, entry: u32) -> &Guarantee {
        &self.proof.entries[entry as usize]
    }

    /// The moves at an entry.
    pub fn moves(&self, entry: u32) -> Vec<PublicMove<Public>> {
        self.both.open.rules.all(&self.public(entry))
    }

    /// The position of an entry.
    pub fn public(&self, entry: u32) -> Public {
        self.both.open.graph.positions[self.entry(entry).at as usize]
    }

    /// How likely a type is at an entry.
    pub fn belief(&self, entry: u32, kind: usize) -> Rational {
        let e = self.entry(entry);
        ratio(e.belief[kind], e.belief.iter().sum::<i64>())
    }

    /// What an entry promises against a type of the other side.
    pub fn promise(&self, entry: u32, other: usize) -> Rational {
        ratio(self.entry(entry).vector[other], self.both.sure[self.holder].lattice())
    }

    /// The lottery at an entry: over the holder's moves, or over what follows a move of the other side.
    pub fn lottery(&self, entry: u32, moved: Option<u32>) -> Vec<Part> {
        let moves = self.moves(entry);
        let types = |number: u32| moves[number as usize].next.map_or([ENDED; 3], |n| n.types[self.holder]);
        let mut parts = Vec::new();
        for u in &self.entry(entry).uses {
            let number = match u.leads {
                Leads::Entry { number, .. } | Leads::End { number, .. } => Some(number),
                Leads::Least { number, .. } => number,
            };
            if moved.is_some() && moved != number {
                continue;
            }
            let (mind, belief) = match u.leads {
                Leads::Entry { number, entry: child } => {
                    let there = types(number).map(|t| match t {
                        ENDED => Rational::zero(),
                        kind => self.belief(child, usize::from(kind)),
                    });
                    (Some(Mind::Entry(child)), there)
                }
                Leads::End { own, .. } => (None, certain(own)),
                // Before its own move it still has to make one.
                Leads::Least { number: None, own } => (Some(Mind::Free(own)), certain(own)),
                Leads::Least { number: Some(number), own } => {
                    (Some(Mind::Free(types(number)[usize::from(own)])), certain(own))
                }
            };
            let weight = ratio(u.weight.0, u.weight.1);
            parts.push(Part { number: number.filter(|_| moved.is_none()), mind, weight, belief });
        }
        parts
    }

    /// The move of a side of which nothing more is promised: the one after which it can be sure of most
    /// when its own type is known and nothing of the other's. Its red piece does not leave.
    pub fn free(&self, view: &View, kind: u8) -> u32 {
        let rules = &self.both.open.rules;
        let (moves, steps) = (rules.all(&view.public), rules.steps(&view.public));
        let mut beliefs = [[0; 3]; 2];
        beliefs[self.holder][usize::from(kind)] = 1;
        let others = view.public.sides[1 - self.holder].count_ones() as usize;
        beliefs[1 - self.holder] = ask::even(others);
        let mut best: Option<(Rational, u32)> = None;
        for (number, m) in moves.iter().enumerate() {
            if !legal(view, steps[number], kind) {
                continue;
            }
            let b = self.both.after(m, &beliefs);
            let worth = if self.holder == 0 { b.lower } else { -b.upper };
            if best.as_ref().is_none_or(|(top, _)| worth > *top) {
                best = Some((worth, number as u32));
            }
        }
        best.map_or(0, |b| b.1)
    }

    /// What the other side thinks after a move of the holder: minds with weights that add up to 1.
    pub fn seen(&self, view: &View, minds: &[(Mind, f64)], number: u32) -> Vec<(Mind, f64)> {
        let next = next_types(self, view, number);
        let mut after = Vec::new();
        for &(mind, w) in minds {
            let free = |after: &mut Vec<(Mind, f64)>, kind: u8, w: f64| {
                if self.free(view, kind) == number && next[usize::from(kind)] != ENDED {
                    add(after, Mind::Free(next[usize::from(kind)]), w);
                }
            };
            match mind {
                Mind::Free(kind) => free(&mut after, kind, w),
                Mind::Entry(entry) => {
                    for part in self.lottery(entry, None) {
                        let w = w * approx(&part.weight);
                        match (part.number, part.mind) {
                            (Some(n), Some(mind)) if n == number => add(&mut after, mind, w),
                            (None, Some(Mind::Free(kind))) => free(&mut after, kind, w),
                            _ => {}
                        }
                    }
                }
            }
        }
        whole(after)
    }

    /// The same after a move of the other side with which the game has gone on.
    pub fn answered(&self, view: &View, minds: &[(Mind, f64)], number: u32) -> Vec<(Mind, f64)> {
        let next = next_types(self, view, number);
        let mut after = Vec::new();
        for &(mind, w) in minds {
            match mind {
                Mind::Free(kind) if next[usize::from(kind)] == ENDED => {}
                Mind::Free(kind) => add(&mut after, Mind::Free(next[usize::from(kind)]), w),
                Mind::Entry(entry) => {
                    let alive: f64 =
                        (0..3).filter(|&k| next[k] != ENDED).map(|k| approx(&self.belief(entry, k))).sum();
                    for part in self.lottery(entry, Some(number)) {
                        if let Some(mind) = part.mind {
                            add(&mut after, mind, w * alive * approx(&part.weight));
                        }
                    }
                }
            }
        }
        whole(after)
    }

    /// What the other side, being of a type, gets at most on average with a move, if it knows the strategy
    /// but neither its colours nor its lotteries.
    pub fn at_most(&self, minds: &[(Mind, f64)], m: &PublicMove<Public>, number: u32, other: usize) -> f64 {
        let sign = if self.holder == 0 { -1.0 } else { 1.0 };
        let pay = |own: usize| {
            let (i, j) = if self.holder == 0 { (own, other) } else { (other, own) };
            sign * f64::from(m.pay[i][j])
        };
        let ends = |own: usize| {
            m.next.is_none_or(|n| {
                n.types[self.holder][own] == ENDED || n.types[1 - self.holder][other] == ENDED
            })
        };
        let mut sum = 0.0;
        for &(mind, w) in minds {
            sum += w * match mind {
                Mind::Free(kind) if ends(usize::from(kind)) => pay(usize::from(kind)),
                Mind::Free(_) => 1.0,
                Mind::Entry(entry) => {
                    let belief = [0, 1, 2].map(|k| approx(&self.belief(entry, k)));
                    let paid: f64 =
                        (0..3).filter(|&k| belief[k] > 0.0 && ends(k)).map(|k| belief[k] * pay(k)).sum();
                    let alive: f64 = (0..3).filter(|&k| !ends(k)).map(|k| belief[k]).sum();
                    let rest = m.next.filter(|_| alive > 0.0).map_or(0.0, |next| {
                        let there = usize::from(next.types[1 - self.holder][other]);
                        let parts = self.lottery(entry, Some(number)).into_iter();
                        let most = |part: Part| match part.mind {
                            Some(Mind::Entry(child)) => -approx(&(self.promise(child, there) * part.weight)),
                            _ => approx(&part.weight),
                        };
                        parts.map(most).sum()
                    });
                    paid + alive * rest
                }
            };
        }
        sum
    }
}

/// Whether a move is one of the real game for a mover of a type: a red piece does not leave.
pub fn legal(view: &View, (from, to): (u32, Option<u32>), kind: u8) -> bool {
    let own = view.public.sides[usize::from(view.public.turn)];
    to.is_some() || (own & ((1 << from) - 1)).count_ones() != u32::from(kind)
}

fn next_types(plan: &Plan, view: &View, number: u32) -> [u8; 3] {
    plan.both.open.rules.all(&view.public)[number as usize].next.map_or([ENDED; 3], |n| n.types[plan.holder])
}

fn add(minds: &mut Vec<(Mind, f64)>, mind: Mind, weight: f64) {
    match minds.iter_mut().find(|m| m.0 == mind) {
        Some(found) => found.1 += weight,
        None => minds.push((mind, weight)),
    }
}

fn whole(mut minds: Vec<(Mind, f64)>) -> Vec<(Mind, f64)> {
    let sum: f64 = minds.iter().map(|m| m.1).sum();
    minds.iter_mut().for_each(|m| m.1 /= sum);
    minds
}
