//! Values as doubles. The loops are written so that the compiler makes vectors of them: no branch depends on a value, and
//! what is counted is kept in words as wide as a value.

use super::TOLERANCE;
use super::arithmetic::{Arithmetic, Counts3, Decision, EACH, Likely, Term, Turned, read_cells, write_cells};
use std::io::{self, Read, Write};

/// Doubles.
pub struct Doubles;

/// From −1 to 1 is twice as far as between win rates.
const NEAR: f64 = 2.0 * TOLERANCE;

/// Values that are computed at once.
const LANES: usize = 4;

type Rows<'a> = Term<'a, f64>;

/// What is known of the best second card of one place, seen from the other player: its value, and which it is.
#[inline(always)]
fn lower(best: &mut f64, which: &mut Counts3, to: f64, each: Counts3) {
    *which = if to <= *best + NEAR { each } else { *which };
    *best = if to < *best { to } else { *best };
}

/// The rows most games consist of: `K` second cards to be added, to what was begun (`B`) or to nothing, whether the first can
/// be matched (`M`) and its partner is known (`S`), some known card of another rank, and whether choices are counted (`C`).
/// Everything of a place stays in registers, and all is seen from the other player, as most of the rows are. Not fused: the
/// same bits on every platform.
#[inline(never)]
fn best_second<const B: bool, const K: usize, const M: bool, const S: bool, const C: bool>(
    turned: &Turned<'_, f64, f64>,
    different: &Rows<'_>,
    choice: &mut [Counts3],
    sum: &mut [f64],
) {
    let Turned { width, likely: [firsts, likely], .. } = *turned;
    let span = width.next_multiple_of(LANES);
    let seconds: &[Rows<'_>; K] = turned.seconds.first_chunk().expect("as many as were counted");
    let begun = turned.begun.as_ref().unwrap_or(different);
    let matched = turned.matched.first().unwrap_or(different);
    let same = turned.same.as_ref().unwrap_or(different);
    let mut likely_first = turned.first;
    let mut likely_match = matched.likely;
    let mut likely_seconds = [Likely::NONE; K];
    let mut of_seconds = [begun.stream(0); K];
    for k in 0..K {
        (likely_seconds[k], of_seconds[k]) = (seconds[k].likely, seconds[k].stream(0));
    }
    let (mut of_begun, mut of_different) = (begun.stream(0), different.stream(0));
    // What brings something to the same player is read from its end.
    let before = span - width;
    let mut of_matched = if M { matched.stream(before) } else { of_different };
    let mut of_same = if S { same.stream(before) } else { of_different };
    for (at, sum) in sum.chunks_exact_mut(span).enumerate() {
        let (mut weights, mut rows): ([f64; K], [&[f64]; K]) = ([0.0; K], [&[]; K]);
        for k in 0..K {
            (weights[k], rows[k]) = (likely_seconds[k].next(likely), of_seconds[k].next(span));
        }
        let begun = if B { of_begun.next(span) } else { rows[0] };
        let of_match = if M { likely_match.next(likely) } else { 0.0 };
        let of_card = likely_first.next(firsts);
        let different = of_different.next(span);
        let matched = if M { of_matched.next(span) } else { different };
        let same = if S { of_same.next(span) } else { different };
        let choice = if C { &mut choice[at * span..][..span] } else { &mut *choice };
        let each = Each { weights, rows, begun, different, matched, same, of_match, of_card };
        each.best::<B, M, S, C>(choice, sum);
    }
}

/// What follows one position, and how likely it is.
struct Each<'a, const K: usize> {
    weights: [f64; K],
    rows: [&'a [f64]; K],
    begun: &'a [f64],
    different: &'a [f64],
    matched: &'a [f64],
    same: &'a [f64],
    of_match: f64,
    of_card: f64,
}

impl<const K: usize> Each<'_, K> {
    #[inline(always)]
    fn best<const B: bool, const M: bool, const S: bool, const C: bool>(
        self,
        choice: &mut [Counts3],
        sum: &mut [f64],
    ) {
        let Each { weights, rows, begun, different, matched, same, of_match, of_card } = self;
        let n = sum.len();
        let rows = rows.map(|row| &row[..n]);
        let (begun, different, matched, same) = (&begun[..n], &different[..n], &matched[..n], &same[..n]);
        for i in 0..n {
            let mirror = n - 1 - i;
            let mut best = begun[i];
            for k in 0..K {
                let weighted = weights[k] * rows[k][i];
                best = if !B && k == 0 { weighted } else { best + weighted };
            }
            if M {
                best -= of_match * matched[mirror];
            }
            // In the order unknown, different, same: the later one wins ties.
            let mut which = EACH[2];
            lower(&mut best, &mut which, different[i], EACH[1]);
            if S {
                lower(&mut best, &mut which, -same[mirror], EACH[0]);
            }
            sum[i] += of_card * best;
            if C {
                choice[i] = which;
            }
        }
    }
}

/// Any number of second cards, anything to match or show, or nothing.
fn best_of_any(turned: &Turned<'_, f64, f64>, mut choice: Option<&mut [Counts3]>, sum: &mut [f64]) {
    let Turned { width, likely: [firsts, likely], .. } = *turned;
    let span = width.next_multiple_of(LANES);
    for (place, sum) in sum.iter_mut().enumerate().filter(|(place, _)| place % span < width) {
        let (at, i) = (place / span, place % span);
        let mirror = width - 1 - i;
        let weighted = |i, term: &Rows<'_>| term.likely.of(likely, at) * term.value(at, i)[0];
        let begun = turned.begun.map_or(0.0, |term| term.value(at, i)[0]);
        let unknown = turned.seconds.iter().fold(begun, |sum, term| sum + weighted(i, term));
        let unknown = if turned.last { f64::INFINITY } else { unknown };
        let mut best = turned.matched.iter().fold(unknown, |sum, term| sum - weighted(mirror, term));
        let mut which = EACH[2];
        if let Some(different) = turned.different {
            lower(&mut best, &mut which, different.value(at, i)[0], EACH[1]);
        }
        if let Some(same) = turned.same {
            lower(&mut best, &mut which, -same.value(at, mirror)[0], EACH[0]);
        }
        *sum += turned.first.of(firsts, at) * best;
        if let Some(choice) = choice.as_mut() {
            choice[place] = which;
        }
    }
}

/// The sum of `K` weighted rows.
fn mixed<const K: usize>(terms: &[Rows<'_>; K], likely: &[f64], width: usize, out: &mut [f64]) {
    let mut of_terms = terms.map(|term| term.stream(0));
    let mut likely_terms = terms.map(|term| term.likely);
    for out in out.chunks_exact_mut(width) {
        let (mut weights, mut rows): ([f64; K], [&[f64]; K]) = ([0.0; K], [&[]; K]);
        for k in 0..K {
            (weights[k], rows[k]) = (likely_terms[k].next(likely), of_terms[k].next(width));
        }
        for i in 0..width {
            let mut sum = weights[0] * rows[0][i];
            for k in 1..K {
                sum += weights[k] * rows[k][i];
            }
            out[i] = sum;
        }
    }
}

/// Finds the loop for `K` second cards.
#[inline]
fn turn_of<const B: bool, const K: usize>(
    turned: &Turned<'_, f64, f64>,
    different: &Rows<'_>,
    choice: Option<&mut [Counts3]>,
    sum: &mut [f64],
) {
    match (turned.matched.is_empty(), turned.same.is_some(), choice) {
        (false, false, None) => best_second::<B, K, true, false, false>(turned, different, &mut [], sum),
        (false, true, None) => best_second::<B, K, true, true, false>(turned, different, &mut [], sum),
        (false, false, Some(choice)) => {
            best_second::<B, K, true, false, true>(turned, different, choice, sum)
        }
        (false, true, Some(choice)) => best_second::<B, K, true, true, true>(turned, different, choice, sum),
        (true, true, None) if B => best_second::<B, K, false, true, false>(turned, different, &mut [], sum),
        (true, true, Some(choice)) if B => {
            best_second::<B, K, false, true, true>(turned, different, choice, sum);
        }
        (true, _, choice) => best_of_any(turned, choice, sum),
    }
}

/// `T`: whether there is a pair to take.
#[inline]
fn best_first<const T: bool>(take: &[f64], decision: Decision<'_, f64>) -> Counts3 {
    let Decision { turn, can_pass, out, turns, .. } = decision;
    let n = out.len();
    let (take, turn) = (&take[..n], &turn[..n]);
    // What turning brings was added up for the other player; nothing is not less than nothing.
    let turn = |i: usize| 0.0 - turn[n - 1 - i];
    for i in 0..n {
        out[i] = if T && take[i] > turn(i) { take[i] } else { turn(i) };
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
    let Some(turns) = turns else { return counts };
    let turns = &mut turns[..n];
    for i in 0..n {
        let near = out[i] - NEAR;
        let turning: u64 = if turn(i) >= near { !0 } else { 0 };
        let taking: u64 = if T && take[i] >= near { !0 } else { 0 };
        let turned = turning & !taking;
        // The choices were made for the other player.
        turns[n - 1 - i] = turned;
        counts += (EACH[0] & taking) | (EACH[1] & turned) | (EACH[2] & !(taking | turning));
    }
    counts
}

impl Arithmetic for Doubles {
    type Cell = f64;
    type Weight = f64;
    type Shown = f64;
    const NAME: &'static str = "f64";
    const LANES: usize = LANES;
    fn cells(&self, _: usize) -> usize {
        1
    }
    fn whole(&self, n: usize, _: usize, out: &mut [f64]) {
        out[0] = n as f64;
    }
    fn weight(&self, ways: usize, total: usize) -> f64 {
        ways as f64 / total as f64
    }
    fn add(&self, terms: [&Rows<'_>; 2], out: &mut [f64], _: usize) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = terms[0].value(0, i)[0] + terms[1].value(0, i)[0];
        }
    }
    fn turn(&self, turned: &Turned<'_, f64, f64>, choice: Option<&mut [Counts3]>, sum: &mut [f64], _: usize) {
        // One row for what is matched: where the pairs count, there are more.
        let Some(different) = turned.different.as_ref().filter(|_| turned.matched.len() < 2) else {
            return best_of_any(turned, choice, sum);
        };
        match (turned.begun.is_some(), turned.seconds.len()) {
            (true, 1) => turn_of::<true, 1>(turned, different, choice, sum),
            (false, 2) => turn_of::<false, 2>(turned, different, choice, sum),
            (false, 3) => turn_of::<false, 3>(turned, different, choice, sum),
            (false, 4) => turn_of::<false, 4>(turned, different, choice, sum),
            (false, 5) => turn_of::<false, 5>(turned, different, choice, sum),
            _ => best_of_any(turned, choice, sum),
        }
    }
    fn mix(&self, terms: &[Rows<'_>], likely: &[f64], width: usize, out: &mut [f64], _: usize) {
        match terms {
            [a] => mixed(&[*a], likely, width, out),
            [a, b] => mixed(&[*a, *b], likely, width, out),
            [a, b, c] => mixed(&[*a, *b, *c], likely, width, out),
            [a, b, c, d] => mixed(&[*a, *b, *c, *d], likely, width, out),
            _ => {
                for (place, out) in out.iter_mut().enumerate() {
                    let weighted = |t: &Rows<'_>| {
                        t.likely.of(likely, place / width) * t.value(place / width, place % width)[0]
                    };
                    *out = terms.iter().fold(0.0, |sum, term| sum + weighted(term));
                }
            }
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
