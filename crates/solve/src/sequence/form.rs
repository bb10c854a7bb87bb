//! The sequence form of a game of two players: what a player does is one number for each of its sequences of actions,
//! the product of its own probabilities along it. What the players get is then linear in both.

use crate::tree::{NONE, Shape, Who};
use num_integer::Integer;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What a player may know when it is to move, as the sequence form needs it.
pub struct Branch {
    /// The sequence with which the player comes here.
    pub parent: u32,
    /// Its sequences that go on from here, one an action.
    pub next: Range<u32>,
}

/// The sequences of a player. Sequence 0 is the empty one; the others are its slots in the tree, in their order.
pub struct Side {
    pub sequences: usize,
    /// Parents first.
    pub branches: Vec<Branch>,
}

/// A game of two players with opposite interests in sequence form.
pub struct Form {
    pub sides: [Side; 2],
    /// What player 0 gets times [`Form::scale`] where two sequences meet in an end, chance weighed in; sorted.
    pub payoffs: Vec<(u32, u32, i64)>,
    pub scale: i64,
}

/// Chances or payoffs that are too fine for machine integers.
pub struct TooFine;

impl Form {
    /// The sequence form of a tree, if its chances have a common denominator of 63 bits.
    pub fn of(tree: &Shape) -> Result<Form, TooFine> {
        let sides = [0, 1].map(|player| {
            let slots = tree.slots_of(player);
            let sequence = |slot: u32| if slot == NONE { 0 } else { slot - slots.start as u32 + 1 };
            let branch = |info: &crate::tree::Info| Branch {
                parent: sequence(info.before),
                next: sequence(info.slots().start as u32)..sequence(info.slots().end as u32),
            };
            Side { sequences: slots.len() + 1, branches: tree.infos_of(player).iter().map(branch).collect() }
        });
        let Some(ends) = ends(tree) else { return Err(TooFine) };
        let mut scale = 1i64;
        for end in &ends {
            let Some(common) = (scale / scale.gcd(&end.chance.1)).checked_mul(end.chance.1) else {
                return Err(TooFine);
            };
            scale = common;
        }
        let mut sums: FxHashMap<(u32, u32), i128> = FxHashMap::default();
        for end in &ends {
            let weight = i128::from(end.chance.0) * i128::from(scale / end.chance.1);
            *sums.entry((end.sequences[0], end.sequences[1])).or_default() +=
                weight * i128::from(tree.payoffs(end.payoffs)[0]);
        }
        let mut payoffs = Vec::with_capacity(sums.len());
        for ((i, j), sum) in sums {
            match i64::try_from(sum) {
                Ok(0) => {}
                Ok(sum) => payoffs.push((i, j, sum)),
                Err(_) => return Err(TooFine),
            }
        }
        payoffs.sort_unstable();
        Ok(Form { sides, payoffs, scale })
    }
}

/// The end of a game: with which sequences it is reached, how likely chance makes it, and where its results are.
struct End {
    sequences: [u32; 2],
    chance: (i64, i64),
    payoffs: u32,
}

/// All ends of a tree; `None` where a chance does not fit.
fn ends(tree: &Shape) -> Option<Vec<End>> {
    let starts = [0, 1].map(|player| tree.slots_of(player).start as u32);
    let mut here: Vec<([u32; 2], (i64, i64))> = Vec::with_capacity(tree.nodes());
    let mut ends = Vec::new();
    for at in 0..tree.nodes() {
        let node = tree.node(at);
        let (mut sequences, mut chance) = ([0, 0], (1i64, 1i64));
        if let Some(parent) = here.get(node.parent as usize) {
            (sequences, chance) = *parent;
            let above = tree.node(node.parent as usize);
            match above.who {
                Who::Player(p) => {
                    let p = usize::from(p);
                    sequences[p] = node.slot - starts[p] + 1;
                }
                Who::Chance => {
                    let children = above.first as usize..(above.first + above.children) as usize;
                    let total: i64 = children.map(|c| i64::from(tree.node(c).weight)).sum();
                    chance = times(chance, (i64::from(node.weight), total))?;
                }
                Who::Over(_) => {}
            }
        }
        if let Who::Over(payoffs) = node.who {
            ends.push(End { sequences, chance, payoffs });
        }
        here.push((sequences, chance));
    }
    Some(ends)
}

/// The product of two fractions in lowest terms.
fn times(a: (i64, i64), b: (i64, i64)) -> Option<(i64, i64)> {
    let (p, q) = (a.0.gcd(&b.1), b.0.gcd(&a.1));
    let (numer, denom) = ((a.0 / p).checked_mul(b.0 / q)?, (a.1 / q).checked_mul(b.1 / p)?);
    let common = numer.gcd(&denom);
    Some((numer / common, denom / common))
}
