//! The inner loop of the table: one state of the cards, for all score vectors at once.
//!
//! A value is `W` numbers in order of play, the mover's first: shares of the win, pairs still to come, or both. What the
//! players want is a type, so that every kind of game has a loop of its own without a question in it.

use super::scores::Layer;
use super::worth::TOLERANCE;

/// What a player compares.
pub trait Want<const K: usize, const W: usize>: Send + Sync {
    /// Where the pairs still to come begin, if they are kept.
    const PAIRS: Option<usize>;
    /// Whether values have shares of the win.
    const WINS: bool;
    /// Whether more pairs decide between equals.
    const LEX: bool;
    /// What the mover wants as much of as possible.
    fn value(v: &[f64; W]) -> f64;
}

/// Shares of the win alone.
pub struct Wins;
/// Shares of the win, then pairs.
pub struct WinsThenPairs;
/// Own pairs.
pub struct Pairs;
/// Own pairs less the mean of the others', and then own pairs if `LEX`.
pub struct Margin<const LEX: bool>;

impl<const K: usize> Want<K, K> for Wins {
    const PAIRS: Option<usize> = None;
    const WINS: bool = true;
    const LEX: bool = false;
    #[inline]
    fn value(v: &[f64; K]) -> f64 {
        v[0]
    }
}

impl<const K: usize, const W: usize> Want<K, W> for WinsThenPairs {
    const PAIRS: Option<usize> = Some(K);
    const WINS: bool = true;
    const LEX: bool = true;
    #[inline]
    fn value(v: &[f64; W]) -> f64 {
        v[0]
    }
}

impl<const K: usize> Want<K, K> for Pairs {
    const PAIRS: Option<usize> = Some(0);
    const WINS: bool = false;
    const LEX: bool = false;
    #[inline]
    fn value(v: &[f64; K]) -> f64 {
        v[0]
    }
}

impl<const K: usize, const LEX: bool> Want<K, K> for Margin<LEX> {
    const PAIRS: Option<usize> = Some(0);
    const WINS: bool = false;
    const LEX: bool = LEX;
    #[inline]
    fn value(v: &[f64; K]) -> f64 {
        v[0] - v[1..].iter().sum::<f64>() / (K - 1) as f64
    }
}

/// The rows that one rank of the first card leads to.
#[derive(Default)]
pub struct First<'a> {
    /// Unknown cards of such ranks.
    pub weight: f64,
    /// After its known partner.
    pub same: Option<&'a [f64]>,
    /// After a known card of another rank.
    pub different: Option<&'a [f64]>,
    /// After another unknown card that does not match, with the number of such cards.
    pub unknown: Vec<(f64, &'a [f64])>,
    /// After one that does.
    pub matched: Option<(f64, &'a [f64])>,
}

/// A state of the cards, by the rows that its moves lead to.
pub struct Cards<'a> {
    /// Unknown cards.
    pub unknown: f64,
    /// What may be turned.
    pub firsts: Vec<First<'a>>,
    /// After taking a known pair, and whether that pair is free.
    pub takes: Vec<(&'a [f64], bool)>,
    /// Whether there are two known cards to pass with.
    pub passable: bool,
    /// Whether everybody passing ends the game; otherwise the last one may not.
    pub ends: bool,
}

/// How best moves are distributed, over all positions in which nobody has just passed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Positions.
    pub positions: u64,
    /// Where passing is better than anything else.
    pub passes: u64,
    /// Where a free known pair is better left lying.
    pub left: u64,
    /// The most that taking the best free pair loses.
    pub worst: f64,
}

impl Tally {
    /// Both together.
    pub fn and(self, other: Tally) -> Tally {
        Tally {
            positions: self.positions + other.positions,
            passes: self.passes + other.passes,
            left: self.left + other.left,
            worst: self.worst.max(other.worst),
        }
    }
}

/// Room for the values of a state while passes are looked at.
#[derive(Default)]
pub struct Scratch {
    /// The best without a pass.
    moved: Vec<f64>,
    /// After so many passes as is being looked at, and after one more.
    now: Vec<f64>,
    later: Vec<f64>,
}

#[inline]
fn at<const W: usize>(row: &[f64], place: usize) -> [f64; W] {
    let mut v = [0.0; W];
    v.copy_from_slice(&row[place * W..place * W + W]);
    v
}

/// The value of the next player's turn as the one before sees it.
#[inline]
fn back<const K: usize, const W: usize>(v: &[f64; W]) -> [f64; W] {
    let mut own = *v;
    for part in 0..W / K {
        let at = part * K;
        own[at] = v[at + K - 1];
        own[at + 1..at + K].copy_from_slice(&v[at..at + K - 1]);
    }
    own
}

/// After a pair of the mover's own.
#[inline]
fn gained<const K: usize, const W: usize, G: Want<K, W>>(mut v: [f64; W]) -> [f64; W] {
    if let Some(pairs) = G::PAIRS {
        v[pairs] += 1.0;
    }
    v
}

/// Whether a later move is preferred to the best one so far.
#[inline]
fn better<const K: usize, const W: usize, G: Want<K, W>>(new: &[f64; W], best: &[f64; W]) -> bool {
    let (x, y) = (G::value(new), G::value(best));
    if !G::LEX {
        return x > y + TOLERANCE;
    }
    let pairs = G::PAIRS.unwrap_or(0);
    x > y + TOLERANCE || x >= y - TOLERANCE && new[pairs] > best[pairs] + TOLERANCE
}

#[inline]
fn consider<const K: usize, const W: usize, G: Want<K, W>>(best: &mut Option<[f64; W]>, new: [f64; W]) {
    if best.as_ref().is_none_or(|best| better::<K, W, G>(&new, best)) {
        *best = Some(new);
    }
}

#[inline]
fn add<const W: usize>(sum: &mut [f64; W], weight: f64, v: &[f64; W]) {
    for (sum, x) in sum.iter_mut().zip(v) {
        *sum += weight * x;
    }
}

/// What turning a card is worth.
#[inline]
fn turn<const K: usize, const W: usize, G: Want<K, W>>(
    cards: &Cards<'_>,
    rotated: usize,
    richer: usize,
) -> [f64; W] {
    let mut turned = [0.0; W];
    for first in &cards.firsts {
        let mut best = None;
        if let Some(row) = first.same {
            consider::<K, W, G>(&mut best, gained::<K, W, G>(at(row, richer)));
        }
        if let Some(row) = first.different {
            consider::<K, W, G>(&mut best, back::<K, W>(&at(row, rotated)));
        }
        if !first.unknown.is_empty() || first.matched.is_some() {
            let mut others = [0.0; W];
            for (weight, row) in &first.unknown {
                add(&mut others, *weight, &at(row, rotated));
            }
            let mut sum = back::<K, W>(&others);
            if let Some((weight, row)) = first.matched {
                add(&mut sum, weight, &gained::<K, W, G>(at(row, richer)));
            }
            consider::<K, W, G>(&mut best, sum.map(|x| x / (cards.unknown - 1.0)));
        }
        if let Some(best) = best {
            add(&mut turned, first.weight, &best);
        }
    }
    turned.map(|x| x / cards.unknown)
}

/// The values of a state of the cards for all score vectors of a layer, nobody having just passed.
pub fn fill<const K: usize, const W: usize, G: Want<K, W>>(
    cards: &Cards<'_>,
    layer: &Layer,
    out: &mut [f64],
    scratch: &mut Scratch,
) -> Tally {
    let Scratch { moved, now, later } = scratch;
    let mut tally = Tally { positions: layer.len as u64, ..Tally::default() };
    for rows in [&mut *moved, &mut *now, &mut *later] {
        rows.resize(layer.len * W, 0.0);
    }
    // The best that a free pair brings, for the tally.
    let mut free = Vec::new();
    for i in 0..layer.len {
        let (rotated, richer) = (layer.rotated[i] as usize, layer.richer[i] as usize);
        let (mut best, mut taken): (Option<[f64; W]>, Option<f64>) = (None, None);
        for (row, is_free) in &cards.takes {
            let v = gained::<K, W, G>(at(row, richer));
            if *is_free {
                taken = Some(taken.map_or(G::value(&v), |x: f64| x.max(G::value(&v))));
            }
            consider::<K, W, G>(&mut best, v);
        }
        if !cards.firsts.is_empty() {
            consider::<K, W, G>(&mut best, turn::<K, W, G>(cards, rotated, richer));
        }
        free.extend(taken);
        moved[i * W..i * W + W].copy_from_slice(&best.unwrap_or([0.0; W]));
    }
    if cards.passable {
        // The last who may pass ends the game, or has to move.
        if cards.ends {
            end::<K, W, G>(layer, moved, later);
        } else {
            later.copy_from_slice(moved);
        }
        for _ in 1..K {
            for i in 0..layer.len {
                let (best, passed) = (at::<W>(moved, i), back::<K, W>(&at(later, layer.rotated[i] as usize)));
                let kept = if better::<K, W, G>(&passed, &best) { passed } else { best };
                now[i * W..i * W + W].copy_from_slice(&kept);
            }
            std::mem::swap(now, later);
        }
        // Where nobody has passed yet, what comes after a pass is in `now`.
        let better = |i: usize| {
            let passed = back::<K, W>(&at(now, layer.rotated[i] as usize));
            G::value(&passed) > G::value(&at(moved, i)) + TOLERANCE
        };
        tally.passes = (0..layer.len).filter(|&i| better(i)).count() as u64;
        out.copy_from_slice(later);
    } else {
        out.copy_from_slice(moved);
    }
    for (i, taken) in free.into_iter().enumerate() {
        let loss = G::value(&at(out, i)) - taken;
        if loss > TOLERANCE {
            tally.left += 1;
            tally.worst = tally.worst.max(loss);
        }
    }
    tally
}

/// What whoever may end the game by the last pass gets: the better of that and of moving.
fn end<const K: usize, const W: usize, G: Want<K, W>>(layer: &Layer, moved: &[f64], out: &mut [f64]) {
    for i in 0..layer.len {
        let mut over = [0.0; W];
        if G::WINS {
            over[..K].copy_from_slice(&layer.ends[i * K..(i + 1) * K]);
        }
        let best = at::<W>(moved, i);
        let kept = if better::<K, W, G>(&over, &best) { over } else { best };
        out[i * W..i * W + W].copy_from_slice(&kept);
    }
}
