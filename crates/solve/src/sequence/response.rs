//! Exact best responses in sequence form: what a plan guarantees, as a fraction. Whatever found the plan, this proves it.

use super::form::Form;
use crate::modular::Ratios;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use yomikiri_core::Rational;

/// A best response to a plan of the other player.
pub struct Response {
    /// What player 0 gets on average if one player follows its plan and the other responds best.
    pub value: Rational,
    /// What every sequence brings the responding player if it goes on best, over [`Response::denom`].
    pub worth: Vec<BigInt>,
    pub denom: BigInt,
}

impl Response {
    /// The best response of a player.
    pub fn of(form: &Form, player: usize, plan: &Ratios) -> Response {
        let mut worth = vec![BigInt::zero(); form.sides[player].sequences];
        for &(i, j, payoff) in &form.payoffs {
            let (mine, theirs) = if player == 0 { (i, j) } else { (j, i) };
            let weight = &plan.numers[theirs as usize];
            if !weight.is_zero() {
                worth[mine as usize] += weight * if player == 0 { payoff } else { -payoff };
            }
        }
        // From the last branches to the first: what comes later is known.
        for branch in form.sides[player].branches.iter().rev() {
            let next = &worth[branch.next.start as usize..branch.next.end as usize];
            if let Some(best) = next.iter().max().cloned() {
                worth[branch.parent as usize] += best;
            }
        }
        let denom = &plan.denom * form.scale;
        let value = Rational::new(worth[0].clone(), denom.clone());
        Response { value: if player == 0 { value } else { -value }, worth, denom }
    }
}

/// Whether fractions are a plan: nothing below 0, and every branch shares out what leads to it.
pub fn is_plan(form: &Form, player: usize, plan: &Ratios) -> bool {
    let of = |sequence: u32| &plan.numers[sequence as usize];
    plan.denom.is_positive()
        && *of(0) == plan.denom
        && !plan.numers.iter().any(BigInt::is_negative)
        && form.sides[player].branches.iter().all(|b| b.next.clone().map(of).sum::<BigInt>() == *of(b.parent))
}

/// The plan nearest to one in doubles in which every probability is a multiple of 2⁻ⁿ.
pub fn rounded(form: &Form, player: usize, plan: &[f64], bits: u32) -> Ratios {
    let side = &form.sides[player];
    let one = 1u64 << bits;
    // Each sequence as a whole number over a power of two of its own.
    let mut numers = vec![(BigInt::zero(), 0u32); side.sequences];
    numers[0].0 = BigInt::one();
    for branch in &side.branches {
        let parent = numers[branch.parent as usize].clone();
        let next = branch.next.start as usize..branch.next.end as usize;
        let sum: f64 = plan[next.clone()].iter().map(|x| x.max(0.0)).sum();
        let share = |x: f64| if sum > 0.0 { (x.max(0.0) / sum * one as f64).round() as u64 } else { 0 };
        let mut shares: Vec<u64> = plan[next.clone()].iter().map(|&x| share(x)).collect();
        // What rounding left over goes to the likeliest.
        let likeliest = (0..shares.len()).rev().max_by_key(|&a| shares[a]).unwrap_or(0);
        let others: u64 = shares.iter().sum::<u64>() - shares[likeliest];
        shares[likeliest] = one.saturating_sub(others);
        for (j, share) in next.zip(shares) {
            numers[j] = (&parent.0 * share, parent.1 + bits);
        }
    }
    let most = numers.iter().map(|n| n.1).max().unwrap_or(0);
    Ratios {
        numers: numers.into_iter().map(|(n, bits)| n << (most - bits)).collect(),
        denom: BigInt::one() << most,
    }
}
