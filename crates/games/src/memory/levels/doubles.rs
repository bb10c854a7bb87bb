//! Values as doubles. The loops are written so that the compiler makes vectors of them: no branch depends on a value, and
//! what is counted is kept in words as wide as a value.

use super::TOLERANCE;
use super::arithmetic::{Arithmetic, Counts3, Decision, EACH, Term, Turned, read_cells, write_cells};
use std::io::{self, Read, Write};

/// Doubles.
pub struct Doubles;

/// From −1 to 1 is twice as far as between win rates.
const NEAR: f64 = 2.0 * TOLERANCE;

#[inline]
fn weight(ways: usize, total: usize) -> f64 {
    ways as f64 / total as f64
}

/// The sum of `K` weighted rows in registers. Not fused: the same bits on every platform.
#[inline]
fn sum_of<const K: usize>(weights: [f64; K], rows: [&[f64]; K], out: &mut [f64]) {
    let n = out.len();
    let rows = rows.map(|row| &row[..n]);
    for (i, out) in out.iter_mut().enumerate() {
        let mut sum = 0.0;
        for (w, row) in weights.iter().zip(&rows) {
            sum += w * row[i];
        }
        *out = sum;
    }
}

/// As many terms as there are types of second cards, at most.
#[inline]
fn mixed<const K: usize>(terms: &[Term<'_, f64>], total: usize, out: &mut [f64]) {
    let at = |k: usize| &terms[k];
    sum_of::<K>(
        std::array::from_fn(|k| weight(at(k).ways as usize, total)),
        std::array::from_fn(|k| at(k).row),
        out,
    );
}

/// `M`, `D`, `S`: whether the turned card can be matched, a known one of another rank shown, the known partner taken.
#[inline]
fn best_second<const M: bool, const D: bool, const S: bool>(
    turned: &Turned<'_, f64>,
    unknown: &[f64],
    choice: &mut [Counts3],
    sum: &mut [f64],
) {
    let n = sum.len();
    let [matched, different, same] =
        [turned.matched, turned.different, turned.same].map(|term| &term.map_or(unknown, |t| t.row)[..n]);
    let (unknown, choice) = (&unknown[..n], &mut choice[..n]);
    let of_match = turned.matched.map_or(0.0, |m| weight(m.ways as usize, turned.rest));
    let of_card = weight(turned.weight.0, turned.weight.1);
    for i in 0..n {
        let mirror = n - 1 - i;
        let mut best = -unknown[mirror];
        if M {
            best += of_match * matched[i];
        }
        // In the order unknown, different, same: the later one wins ties.
        let mut which = EACH[2];
        if D {
            let v = -different[mirror];
            which = if v >= best - NEAR { EACH[1] } else { which };
            best = if v > best { v } else { best };
        }
        if S {
            let v = same[i];
            which = if v >= best - NEAR { EACH[0] } else { which };
            best = if v > best { v } else { best };
        }
        sum[i] += of_card * best;
        choice[i] = which;
    }
}

/// `T`: whether there is a pair to take.
#[inline]
fn best_first<const T: bool>(take: &[f64], decision: Decision<'_, f64>) -> Counts3 {
    let Decision { turn, can_pass, out, turns, .. } = decision;
    let n = out.len();
    let (take, turn, turns) = (&take[..n], &turn[..n], &mut turns[..n]);
    for i in 0..n {
        out[i] = if T && take[i] > turn[i] { take[i] } else { turn[i] };
    }
    if can_pass {
        // Who is ahead may pass: the other, behind, does not pass back. At equality both end the game.
        let (behind, ahead) = out.split_at_mut(n / 2);
        let (level, ahead) = ahead.split_at_mut(n % 2);
        for v in level {
            *v = if 0.0 > *v { 0.0 } else { *v };
        }
        let half = ahead.len();
        let behind = &behind[..half];
        for i in 0..half {
            let pass = -behind[half - 1 - i];
            ahead[i] = if pass > ahead[i] { pass } else { ahead[i] };
        }
    }
    let mut counts = 0;
    for i in 0..n {
        let near = out[i] - NEAR;
        let turning: u64 = if turn[i] >= near { !0 } else { 0 };
        let taking: u64 = if T && take[i] >= near { !0 } else { 0 };
        turns[i] = turning & !taking;
        counts += (EACH[0] & taking) | (EACH[1] & turns[i]) | (EACH[2] & !(taking | turning));
    }
    counts
}

impl Arithmetic for Doubles {
    type Cell = f64;
    type Shown = f64;
    const NAME: &'static str = "f64";
    fn cells(&self, _: usize) -> usize {
        1
    }
    fn whole(&self, n: usize, _: usize, out: &mut [f64]) {
        out[0] = n as f64;
    }
    fn mix(&self, terms: &[Term<'_, f64>], total: usize, out: &mut [f64], _: usize) {
        match terms.len() {
            0 => out.fill(0.0),
            1 => mixed::<1>(terms, total, out),
            2 => mixed::<2>(terms, total, out),
            3 => mixed::<3>(terms, total, out),
            4 => mixed::<4>(terms, total, out),
            5 => mixed::<5>(terms, total, out),
            _ => {
                mixed::<5>(terms, total, out);
                terms[5..].iter().for_each(|term| self.add(term, total, out, 1));
            }
        }
    }
    fn add(&self, term: &Term<'_, f64>, total: usize, sum: &mut [f64], _: usize) {
        let w = weight(term.ways as usize, total);
        for (sum, v) in sum.iter_mut().zip(term.row) {
            *sum += w * v;
        }
    }
    fn turn(&self, turned: &Turned<'_, f64>, choice: &mut [Counts3], sum: &mut [f64], _: usize) {
        let none;
        let unknown = match turned.unknown {
            Some(row) => row,
            // Worse than anything else, once it is negated.
            None => {
                none = vec![f64::INFINITY; sum.len()];
                &none
            }
        };
        let there = (turned.matched.is_some(), turned.different.is_some(), turned.same.is_some());
        match there {
            (false, false, false) => best_second::<false, false, false>(turned, unknown, choice, sum),
            (false, false, true) => best_second::<false, false, true>(turned, unknown, choice, sum),
            (false, true, false) => best_second::<false, true, false>(turned, unknown, choice, sum),
            (false, true, true) => best_second::<false, true, true>(turned, unknown, choice, sum),
            (true, false, false) => best_second::<true, false, false>(turned, unknown, choice, sum),
            (true, false, true) => best_second::<true, false, true>(turned, unknown, choice, sum),
            (true, true, false) => best_second::<true, true, false>(turned, unknown, choice, sum),
            (true, true, true) => best_second::<true, true, true>(turned, unknown, choice, sum),
        }
    }
    fn raise(&self, best: &mut [f64], row: &[f64], _: usize) {
        for (best, &v) in best.iter_mut().zip(row) {
            *best = if v > *best { v } else { *best };
        }
    }
    fn decide(&self, decision: Decision<'_, f64>, _: usize) -> Counts3 {
        match decision.take {
            Some(take) => best_first::<true>(take, decision),
            None => best_first::<false>(decision.turn, decision),
        }
    }
    fn negate(&self, value: &mut [f64]) {
        value[0] = -value[0];
    }
    fn shown(&self, value: &[f64], _: usize) -> f64 {
        value[0]
    }
    fn of_double(x: f64) -> Option<f64> {
        Some(x)
    }
    fn write(cells: &[f64], to: &mut dyn Write) -> io::Result<()> {
        write_cells(cells, f64::to_le_bytes, to)
    }
    fn read(cells: &mut [f64], from: &mut dyn Read) -> io::Result<()> {
        read_cells(cells, f64::from_le_bytes, from)
    }
}
