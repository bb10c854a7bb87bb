//! The inner loop of the table: one state of the cards, for all score vectors at once.
//!
//! A value is `W` numbers in order of play, the mover's first: shares of the win, pairs still to come, or both. What the
//! players want is a type, so that every kind of game has a loop of its own without a question in it.

use super::rules::Tie;
use super::scores::Layer;
use super::worth::TOLERANCE;

/// What a player compares.
pub trait Want<const K: usize, const W: usize>: Send + Sync {
    /// Where the pairs still to come begin, if they are kept.
    const PAIRS: Option<usize>;
    /// Whether values have shares of the win.
    const WINS: bool;
    /// What a player wants as much of as possible; 0 is the mover.
    fn value(v: &[f64; W], player: usize) -> f64;
}

/// Shares of the win alone.
pub struct Wins;
/// Shares of the win, and pairs to decide between equals.
pub struct WinsThenPairs;
/// Own pairs.
pub struct Pairs;
/// Own pairs less the mean of the others'.
pub struct Margin;

impl<const K: usize> Want<K, K> for Wins {
    const PAIRS: Option<usize> = None;
    const WINS: bool = true;
    #[inline]
    fn value(v: &[f64; K], player: usize) -> f64 {
        v[player]
    }
}

impl<const K: usize, const W: usize> Want<K, W> for WinsThenPairs {
    const PAIRS: Option<usize> = Some(K);
    const WINS: bool = true;
    #[inline]
    fn value(v: &[f64; W], player: usize) -> f64 {
        v[player]
    }
}

impl<const K: usize> Want<K, K> for Pairs {
    const PAIRS: Option<usize> = Some(0);
    const WINS: bool = false;
    #[inline]
    fn value(v: &[f64; K], player: usize) -> f64 {
        v[player]
    }
}

impl<const K: usize> Want<K, K> for Margin {
    const PAIRS: Option<usize> = Some(0);
    const WINS: bool = false;
    #[inline]
    fn value(v: &[f64; K], player: usize) -> f64 {
        let others: f64 = v.iter().enumerate().filter(|(p, _)| *p != player).map(|(_, x)| x).sum();
        v[player] - others / (K - 1) as f64
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
    /// Which of equal moves is made.
    pub tie: Tie,
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
    /// The best without a pass, and how many moves share in it.
    moved: Vec<f64>,
    equals: Vec<u32>,
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
fn better<const K: usize, const W: usize, G: Want<K, W>>(new: &[f64; W], best: &[f64; W], tie: Tie) -> bool {
    let (x, y) = (G::value(new, 0), G::value(best, 0));
    x > y + TOLERANCE || x >= y - TOLERANCE && preferred::<K, W, G>(new, best, tie)
}

/// Whether the tie rule prefers a later move that is worth as much to its player.
#[inline]
fn preferred<const K: usize, const W: usize, G: Want<K, W>>(
    new: &[f64; W],
    best: &[f64; W],
    tie: Tie,
) -> bool {
    let more = |x: f64, y: f64| x > y + TOLERANCE;
    match tie {
        Tie::Order | Tie::Mix => false,
        Tie::Last => true,
        Tie::Lex => {
            let pairs = G::PAIRS.unwrap_or(0);
            more(new[pairs], best[pairs])
        }
        Tie::Friendly | Tie::Hostile => {
            let values = |p: usize| match tie {
                Tie::Friendly => (G::value(new, p), G::value(best, p)),
                _ => (G::value(best, p), G::value(new, p)),
            };
            let decides = (1..K).map(values).find(|&(x, y)| more(x, y) || more(y, x));
            decides.is_some_and(|(x, y)| x > y)
        }
    }
}

/// What is made of several moves: the one that is chosen, or, by a mix, all of the best in equal shares.
struct Choice<const W: usize> {
    best: [f64; W],
    sum: [f64; W],
    equals: u32,
}

impl<const W: usize> Choice<W> {
    /// Nothing to choose from yet.
    const NONE: Choice<W> = Choice { best: [0.0; W], sum: [0.0; W], equals: 0 };

    #[inline]
    fn consider<const K: usize, G: Want<K, W>>(&mut self, new: [f64; W], tie: Tie) {
        if self.equals == 0 || better::<K, W, G>(&new, &self.best, tie) {
            *self = Choice { best: new, sum: new, equals: 1 };
        } else if tie == Tie::Mix && G::value(&new, 0) >= G::value(&self.best, 0) - TOLERANCE {
            add(&mut self.sum, 1.0, &new);
            self.equals += 1;
        }
    }

    /// What the player gets on average.
    #[inline]
    fn made(&self) -> [f64; W] {
        if self.equals < 2 { self.sum } else { self.sum.map(|x| x / f64::from(self.equals)) }
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
        let mut choice = Choice::NONE;
        if let Some(row) = first.same {
            choice.consider::<K, G>(gained::<K, W, G>(at(row, richer)), cards.tie);
        }
        if let Some(row) = first.different {
            choice.consider::<K, G>(back::<K, W>(&at(row, rotated)), cards.tie);
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
            choice.consider::<K, G>(sum.map(|x| x / (cards.unknown - 1.0)), cards.tie);
        }
        add(&mut turned, first.weight, &choice.made());
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
    let Scratch { moved, equals, now, later } = scratch;
    equals.clear();
    let mut tally = Tally { positions: layer.len as u64, ..Tally::default() };
    for rows in [&mut *moved, &mut *now, &mut *later] {
        rows.resize(layer.len * W, 0.0);
    }
    // The best that a free pair brings, for the tally.
    let mut free = Vec::new();
    for i in 0..layer.len {
        let (rotated, richer) = (layer.rotated[i] as usize, layer.richer[i] as usize);
        let (mut choice, mut taken): (Choice<W>, Option<f64>) = (Choice::NONE, None);
        for (row, is_free) in &cards.takes {
            let v = gained::<K, W, G>(at(row, richer));
            if *is_free {
                taken = Some(taken.map_or(G::value(&v, 0), |x: f64| x.max(G::value(&v, 0))));
            }
            choice.consider::<K, G>(v, cards.tie);
        }
        if !cards.firsts.is_empty() {
            choice.consider::<K, G>(turn::<K, W, G>(cards, rotated, richer), cards.tie);
        }
        free.extend(taken);
        moved[i * W..i * W + W].copy_from_slice(&choice.made());
        equals.push(choice.equals);
    }
    if cards.passable {
        // The last who may pass ends the game, or has to move.
        if cards.ends {
            for (i, &equals) in equals.iter().enumerate() {
                let over = over::<K, W, G>(layer, i);
                or_pass::<K, W, G>(cards.tie, (&at(moved, i), equals), over, &mut later[i * W..i * W + W]);
            }
        } else {
            later.copy_from_slice(moved);
        }
        for _ in 1..K {
            for (i, &equals) in equals.iter().enumerate() {
                let passed = back::<K, W>(&at(later, layer.rotated[i] as usize));
                or_pass::<K, W, G>(cards.tie, (&at(moved, i), equals), passed, &mut now[i * W..i * W + W]);
            }
            std::mem::swap(now, later);
        }
        // Where nobody has passed yet, what comes after a pass is in `now`.
        let better = |i: usize| {
            let passed = back::<K, W>(&at(now, layer.rotated[i] as usize));
            G::value(&passed, 0) > G::value(&at(moved, i), 0) + TOLERANCE
        };
        tally.passes = (0..layer.len).filter(|&i| better(i)).count() as u64;
        out.copy_from_slice(later);
    } else {
        out.copy_from_slice(moved);
    }
    for (i, taken) in free.into_iter().enumerate() {
        let loss = G::value(&at(out, i), 0) - taken;
        if loss > TOLERANCE {
            tally.left += 1;
            tally.worst = tally.worst.max(loss);
        }
    }
    tally
}

/// What the players have if the game ends here.
fn over<const K: usize, const W: usize, G: Want<K, W>>(layer: &Layer, i: usize) -> [f64; W] {
    let mut over = [0.0; W];
    if G::WINS {
        over[..K].copy_from_slice(&layer.ends[i * K..(i + 1) * K]);
    }
    over
}

/// What a player gets who may move, by so many moves that are equally good, or pass.
#[inline]
fn or_pass<const K: usize, const W: usize, G: Want<K, W>>(
    tie: Tie,
    (moved, equals): (&[f64; W], u32),
    passed: [f64; W],
    out: &mut [f64],
) {
    let mut choice = Choice { best: *moved, sum: moved.map(|x| x * f64::from(equals)), equals };
    choice.consider::<K, G>(passed, tie);
    out.copy_from_slice(&choice.made());
}
