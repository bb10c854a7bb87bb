//! Exact values: whole numbers over the factorial of the number of unknown cards, in as many words of 64 bits as the level
//! needs. Two's complement, lowest word first. No fraction is reduced on the way, and nothing is allocated.

use super::arithmetic::{Arithmetic, Counts3, Decision, EACH, Term, Turned, read_cells, write_cells};
use num_bigint::BigInt;
use std::cmp::Ordering;
use std::io::{self, Read, Write};
use yomikiri_core::Rational;
use yomikiri_core::number::fraction;

/// Integers over factorials.
pub struct Factorials {
    scales: Vec<BigInt>,
    words: Vec<usize>,
}

impl Factorials {
    /// The scales of a game with so many cards.
    pub fn new(cards: usize) -> Factorials {
        let mut scales = vec![BigInt::from(1)];
        for u in 1..=cards {
            scales.push(&scales[u - 1] * BigInt::from(u));
        }
        // The sign, a bit for what is worse than any value, and as many pairs as there can be.
        let more = 2 + u64::from((cards / 2).max(1).ilog2()) + 1;
        let words = scales.iter().map(|s| (s.bits() + more).div_ceil(64) as usize).collect();
        Factorials { scales, words }
    }
}

/// How many words a number has: known to the compiler, or not.
trait Width: Copy {
    fn words(self) -> usize;
}

#[derive(Clone, Copy)]
struct Fixed<const L: usize>;

impl<const L: usize> Width for Fixed<L> {
    #[inline(always)]
    fn words(self) -> usize {
        L
    }
}

impl Width for usize {
    #[inline(always)]
    fn words(self) -> usize {
        self
    }
}

/// `x`, which may be a word shorter than it should be, at word `i`.
#[inline(always)]
fn word(x: &[u64], i: usize) -> u64 {
    match x.get(i) {
        Some(&word) => word,
        None => sign(x),
    }
}

#[inline(always)]
fn sign(x: &[u64]) -> u64 {
    x.last().map_or(0, |&top| (top as i64 >> 63) as u64)
}

/// Adds `w · x`.
#[inline(always)]
fn add<W: Width>(width: W, sum: &mut [u64], w: u64, x: &[u64]) {
    let sum = &mut sum[..width.words()];
    let mut carry = 0;
    for (i, sum) in sum.iter_mut().enumerate() {
        let at = u128::from(w) * u128::from(word(x, i)) + u128::from(*sum) + u128::from(carry);
        *sum = at as u64;
        carry = (at >> 64) as u64;
    }
}

/// The value for the other player, in place.
#[inline(always)]
fn negate<W: Width>(width: W, value: &mut [u64]) {
    let mut carry = true;
    for word in &mut value[..width.words()] {
        (*word, carry) = (!*word).overflowing_add(u64::from(carry));
    }
}

/// Writes `x` or `−x`.
#[inline(always)]
fn set<W: Width>(width: W, out: &mut [u64], x: &[u64], negative: bool) {
    let out = &mut out[..width.words()];
    let (flip, mut carry) = if negative { (!0, true) } else { (0, false) };
    for (i, out) in out.iter_mut().enumerate() {
        let (word, over) = (word(x, i) ^ flip).overflowing_add(u64::from(carry));
        *out = word;
        carry = over;
    }
}

#[inline(always)]
fn compare<W: Width>(width: W, a: &[u64], b: &[u64]) -> Ordering {
    let n = width.words();
    let (a, b) = (&a[..n], &b[..n]);
    let top = (a[n - 1] as i64).cmp(&(b[n - 1] as i64));
    top.then_with(|| a[..n - 1].iter().rev().cmp(b[..n - 1].iter().rev()))
}

/// The place of value `i` in a row.
#[inline(always)]
fn at(row: &[u64], words: usize, i: usize) -> &[u64] {
    &row[i * words..(i + 1) * words]
}

#[inline(always)]
fn sum<W: Width>(width: W, terms: [&Term<'_, u64>; 2], out: &mut [u64]) {
    for (i, out) in out.chunks_exact_mut(width.words()).enumerate() {
        set(width, out, terms[0].value(0, i), false);
        add(width, out, 1, terms[1].value(0, i));
    }
}

/// Room for two numbers: on the stack where they are short.
struct Room([u64; 8], Vec<u64>);

impl Room {
    #[inline(always)]
    fn new(words: usize) -> Room {
        Room([0; 8], if words <= 4 { Vec::new() } else { vec![0; 2 * words] })
    }

    #[inline(always)]
    fn two(&mut self, words: usize) -> (&mut [u64], &mut [u64]) {
        let room = if words <= 4 { &mut self.0[..2 * words] } else { &mut self.1[..] };
        room.split_at_mut(words)
    }
}

#[inline(always)]
fn mix<W: Width>(width: W, terms: &[Term<'_, u64>], likely: &[u64], values: usize, out: &mut [u64]) {
    for (place, out) in out.chunks_exact_mut(width.words()).enumerate() {
        let (position, i) = (place / values, place % values);
        out.fill(0);
        terms.iter().for_each(|t| add(width, out, t.likely.of(likely, position), t.value(position, i)));
    }
}

#[inline(always)]
fn turn<W: Width>(
    width: W,
    turned: &Turned<'_, u64, u64>,
    mut choice: Option<&mut [Counts3]>,
    sum: &mut [u64],
) {
    let n = width.words();
    let [firsts, likely] = turned.likely;
    let mut room = Room::new(n);
    let (best, v) = room.two(n);
    for (place, sum) in sum.chunks_exact_mut(n).enumerate() {
        let (position, i) = (place / turned.width, place % turned.width);
        let mirror = turned.width - 1 - i;
        best.fill(0);
        if turned.last {
            // Worse than anything else.
            best[n - 1] = 3 << 62;
        } else {
            if let Some(begun) = &turned.begun {
                set(width, best, begun.value(position, mirror), false);
            }
            for t in turned.seconds {
                add(width, best, t.likely.of(likely, position), t.value(position, mirror));
            }
            negate(width, best);
        }
        turned
            .matched
            .iter()
            .for_each(|m| add(width, best, m.likely.of(likely, position), m.value(position, i)));
        // In the order unknown, different, same: the later one wins ties.
        let mut which = EACH[2];
        if let Some(d) = &turned.different {
            set(width, v, d.value(position, mirror), true);
            if compare(width, v, best).is_ge() {
                which = EACH[1];
                best.copy_from_slice(v);
            }
        }
        if let Some(s) = &turned.same {
            set(width, v, s.value(position, i), false);
            if compare(width, v, best).is_ge() {
                which = EACH[0];
                best.copy_from_slice(v);
            }
        }
        add(width, sum, turned.first.of(firsts, position), best);
        if let Some(choice) = choice.as_mut() {
            choice[place] = which;
        }
    }
}

#[inline(always)]
fn raise<W: Width>(width: W, best: &mut [u64], row: &[u64]) {
    let n = width.words();
    for (best, v) in best.chunks_exact_mut(n).zip(row.chunks_exact(n)) {
        if compare(width, v, best).is_gt() {
            best.copy_from_slice(v);
        }
    }
}

#[inline(always)]
fn decide<W: Width>(width: W, decision: Decision<'_, u64>) -> Counts3 {
    let Decision { take, turn, can_pass, out, mut turns } = decision;
    let n = width.words();
    let values = out.len() / n;
    out.copy_from_slice(&turn[..out.len()]);
    if let Some(take) = take {
        raise(width, out, take);
    }
    let mut room = Room::new(n);
    let pass = room.two(n).0;
    let mut counts = 0;
    for i in (0..values).rev() {
        let mirror = values - 1 - i;
        if can_pass && i >= mirror {
            if i == mirror {
                pass.fill(0);
            } else {
                set(width, pass, at(out, n, mirror), true);
            }
            raise(width, &mut out[i * n..(i + 1) * n], pass);
        }
        let best = at(out, n, i);
        let Some(turns) = turns.as_mut() else { continue };
        let taking = take.is_some_and(|take| compare(width, at(take, n, i), best).is_ge());
        let turning = compare(width, at(turn, n, i), best).is_ge();
        turns[i] = if turning && !taking { !0 } else { 0 };
        counts += if taking { EACH[0] } else { EACH[if turning { 1 } else { 2 }] };
    }
    counts
}

/// Calls a function with the width as a constant where numbers are short.
macro_rules! of_width {
    ($words:expr, $f:ident, $($rest:expr),*) => {
        match $words {
            1 => $f(Fixed::<1>, $($rest),*),
            2 => $f(Fixed::<2>, $($rest),*),
            3 => $f(Fixed::<3>, $($rest),*),
            4 => $f(Fixed::<4>, $($rest),*),
            words => $f(words, $($rest),*),
        }
    };
}

impl Arithmetic for Factorials {
    type Cell = u64;
    type Weight = u64;
    type Shown = Rational;
    const NAME: &'static str = "exact-words";
    const LANES: usize = 1;
    fn cells(&self, unknown: usize) -> usize {
        self.words[unknown]
    }
    fn whole(&self, n: usize, unknown: usize, out: &mut [u64]) {
        let value = &self.scales[unknown] * BigInt::from(n);
        let digits = value.iter_u64_digits().chain(std::iter::repeat(0));
        out.iter_mut().zip(digits).for_each(|(out, digit)| *out = digit);
    }
    fn weight(&self, ways: usize, _: usize) -> u64 {
        ways as u64
    }
    fn add(&self, terms: [&Term<'_, u64>; 2], out: &mut [u64], cells: usize) {
        of_width!(cells, sum, terms, out);
    }
    fn turn(
        &self,
        turned: &Turned<'_, u64, u64>,
        choice: Option<&mut [Counts3]>,
        sum: &mut [u64],
        cells: usize,
    ) {
        of_width!(cells, turn, turned, choice, sum);
    }
    fn mix(&self, terms: &[Term<'_, u64>], likely: &[u64], width: usize, out: &mut [u64], cells: usize) {
        of_width!(cells, mix, terms, likely, width, out);
    }
    fn raise(&self, best: &mut [u64], row: &[u64], cells: usize) {
        of_width!(cells, raise, best, row);
    }
    fn decide(&self, decision: Decision<'_, u64>, cells: usize) -> Counts3 {
        of_width!(cells, decide, decision)
    }
    fn shown(&self, value: &[u64], unknown: usize) -> Rational {
        let bytes: Vec<u8> = value.iter().flat_map(|word| word.to_le_bytes()).collect();
        fraction(BigInt::from_signed_bytes_le(&bytes), &self.scales[unknown])
    }
    fn of_double(_: f64) -> Option<Rational> {
        None
    }
    fn write(cells: &[u64], to: &mut dyn Write) -> io::Result<()> {
        write_cells(cells, u64::to_le_bytes, to)
    }
    fn read(cells: &mut [u64], from: &mut dyn Read) -> io::Result<()> {
        read_cells(cells, u64::from_le_bytes, from)
    }
}
