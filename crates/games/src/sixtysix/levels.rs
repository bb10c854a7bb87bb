//! The values of all pairs of hands of one size from those one card smaller.
//!
//! The outcome of a trick is decided by which card is stronger. So the follower's best answer to a card is the better of two
//! maxima: over its stronger cards and over its weaker ones. These are kept as rows over all hands of the leader, which
//! costs k instead of k² steps a pair of hands; and hands are numbered so that those that lose the same card mostly lie side
//! by side before and after, so that most steps are the same for whole rows.

use rayon::prelude::*;
use std::ops::{Add, Neg, Range, Sub};
use yomikiri_core::{Error, Run, combin::binomial};

/// Whole numbers wide enough for the points of a deal.
pub(super) trait Width: Copy + Ord + Default + Send + Sync
where
    Self: Add<Output = Self> + Sub<Output = Self> + Neg<Output = Self>,
{
    /// The largest.
    const MOST: Self;
    /// So many points, which fit.
    fn of(points: i32) -> Self;
    /// The number.
    fn whole(self) -> i32;
}

impl Width for i16 {
    const MOST: i16 = i16::MAX;
    fn of(points: i32) -> i16 {
        points as i16
    }
    fn whole(self) -> i32 {
        i32::from(self)
    }
}
impl Width for i32 {
    const MOST: i32 = i32::MAX;
    fn of(points: i32) -> i32 {
        points
    }
    fn whole(self) -> i32 {
        self
    }
}

/// Cards, from the weakest, whose steps are looked up one by one: hands that lose one of them do not lie side by side.
const LOW: usize = 6;
/// Rows done between two looks at the cancel flag, and side by side when a table is turned.
const ROWS: usize = 32;
/// Hands from which on a pool of threads costs less than it saves.
pub(super) const THREADS_FROM: usize = 10;

/// What becomes of every hand of `k` cards of `n` when a card is played: the same for both players.
pub(super) struct Steps {
    hands: Vec<u32>,
    k: usize,
    /// Hands of one card fewer.
    below: usize,
    /// For every hand the numbers of the hands that are left, by its cards.
    after: Vec<u32>,
    /// For every card from [`LOW`] on: the first of hands side by side, the first of those left, how many.
    runs: Vec<Vec<(usize, usize, usize)>>,
    /// Hands with the same cards from [`LOW`] on: the first, the first of those with one low card fewer, how many low cards.
    blocks: Vec<(usize, usize, usize)>,
    /// By number of low cards: for every set of so many the cards and the number of the set left.
    sets: Vec<Vec<[u8; 2]>>,
}

/// The number of a hand among those of its size, in the order of their bits.
fn number(hand: u32) -> usize {
    let (mut number, mut rest, mut size) = (0, hand, 0);
    while rest != 0 {
        size += 1;
        number += binomial(u64::from(rest.trailing_zeros()), size) as usize;
        rest &= rest - 1;
    }
    number
}

/// All sets of `k` of `n` in the order of their bits.
fn sets(n: usize, k: usize) -> Vec<u32> {
    let mut all = Vec::with_capacity(binomial(n as u64, k as u64) as usize);
    let mut set: u64 = (1 << k) - 1;
    while set < 1 << n {
        all.push(set as u32);
        if set == 0 {
            break;
        }
        let low = set & set.wrapping_neg();
        let up = set + low;
        set = up | (((set ^ up) >> 2) / low);
    }
    all
}

/// The cards of a hand.
fn cards(hand: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |card| hand >> card & 1 == 1)
}

impl Steps {
    pub fn new(n: usize, k: usize) -> Steps {
        let hands = sets(n, k);
        let after: Vec<u32> = hands
            .iter()
            .flat_map(|hand| cards(*hand).map(move |card| number(hand & !(1 << card)) as u32))
            .collect();
        let mut runs: Vec<Vec<(usize, usize, usize)>> = vec![Vec::new(); n];
        for (at, hand) in hands.iter().enumerate() {
            for (card, left) in cards(*hand).zip(&after[at * k..]).filter(|(card, _)| *card >= LOW) {
                let left = *left as usize;
                match runs[card].last_mut() {
                    Some((to, from, len)) if (*to + *len, *from + *len) == (at, left) => *len += 1,
                    _ => runs[card].push((at, left, 1)),
                }
            }
        }
        let low = LOW.min(n);
        let mut blocks = Vec::new();
        for (at, hand) in hands.iter().enumerate() {
            let held = hand & ((1 << low) - 1);
            let m = held.count_ones() as usize;
            // The first of its block has the weakest cards.
            if m > 0 && held == (1 << m) - 1 {
                blocks.push((at, number(hand & !(1 << (m - 1))), m));
            }
        }
        let left = |set: u32| cards(set).map(move |card| [card as u8, number(set & !(1 << card)) as u8]);
        let sets = (0..=low).map(|m| sets(low, m).into_iter().flat_map(left).collect()).collect();
        Steps { below: binomial(n as u64, k as u64 - 1) as usize, hands, k, after, runs, blocks, sets }
    }

    /// Hands of this size.
    pub fn hands(&self) -> usize {
        self.hands.len()
    }
}

/// A player who answers, and the one who leads.
pub(super) struct Trick<'a, T> {
    /// What the follower's and the leader's cards are worth.
    pub points: [&'a [T]; 2],
    /// For every card of the leader the weaker cards of the follower.
    pub weaker: &'a [u32],
}

/// Rows over all hands of the leader that are one card smaller, reused from hand to hand.
struct Rows<T> {
    /// The most by answering with a card that wins, the n-th of the hand or a stronger one.
    won: Vec<T>,
    /// The most by answering with a card that loses.
    lost: Vec<T>,
    /// The most, for each of the low cards that may be led.
    low: Vec<T>,
}

impl<T: Width> Trick<'_, T> {
    /// What the follower still gets with every pair of hands, rows its own, from what it gets with one card fewer: where it
    /// leads, and where the other does.
    pub fn answered(
        &self,
        steps: &Steps,
        lower: [&[T]; 2],
        run: &Run<'_>,
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<T>, Error> {
        let columns = steps.hands();
        let mut values = vec![T::default(); columns * columns];
        let rows = || Rows {
            won: vec![T::default(); steps.k * steps.below],
            lost: vec![T::default(); steps.below],
            low: vec![T::default(); LOW * steps.below],
        };
        let part = |rows: &mut Rows<T>, (at, values): (usize, &mut [T])| {
            run.check()?;
            for (n, into) in values.chunks_exact_mut(columns).enumerate() {
                self.row(steps, at * ROWS + n, lower, rows, into);
            }
            done((values.len()) as u64);
            Ok::<(), Error>(())
        };
        if self.weaker.len() < THREADS_FROM {
            let mut rows = rows();
            values.chunks_mut(columns * ROWS).enumerate().try_for_each(|chunk| part(&mut rows, chunk))?;
        } else {
            let chunks = values.par_chunks_mut(columns * ROWS).enumerate();
            chunks.try_for_each_init(rows, part)?;
        }
        Ok(values)
    }

    /// The values of one hand of the follower with all hands of the leader.
    fn row(&self, steps: &Steps, at: usize, [mine, others]: [&[T]; 2], rows: &mut Rows<T>, into: &mut [T]) {
        let (hand, width) = (steps.hands[at], steps.below);
        let after = &steps.after[at * steps.k..(at + 1) * steps.k];
        let plays: Vec<(T, Range<usize>)> = cards(hand)
            .zip(after)
            .map(|(card, left)| (self.points[0][card], *left as usize * width..(*left as usize + 1) * width))
            .collect();
        for (n, (points, left)) in plays.iter().enumerate().rev() {
            let (row, stronger) = rows.won[n * width..].split_at_mut(width);
            let values = row.iter_mut().zip(&mine[left.clone()]);
            match n + 1 < plays.len() {
                true => values
                    .zip(stronger)
                    .for_each(|((most, value), so_far)| *most = (*value + *points).max(*so_far)),
                false => values.for_each(|(most, value)| *most = *value + *points),
            }
        }
        let mut weaker = 0;
        for (led, worth) in self.points[1].iter().enumerate() {
            for (n, (points, left)) in
                plays.iter().enumerate().take((hand & self.weaker[led]).count_ones() as usize).skip(weaker)
            {
                let values = rows.lost.iter_mut().zip(&others[left.clone()]);
                match n {
                    0 => values.for_each(|(most, value)| *most = *value - *points),
                    _ => values.for_each(|(most, value)| *most = (*value - *points).max(*most)),
                }
                weaker = n + 1;
            }
            let won = (weaker < plays.len()).then(|| &rows.won[weaker * width..(weaker + 1) * width]);
            let lost = (weaker > 0).then_some(&rows.lost[..]);
            if led < LOW {
                let low = &mut rows.low[led * width..(led + 1) * width];
                most(low, won, lost, *worth, |to, value| *to = value);
                continue;
            }
            if led == LOW {
                low(steps, &rows.low, into);
            }
            for &(to, from, len) in &steps.runs[led] {
                most(
                    &mut into[to..to + len],
                    won.map(|row| &row[from..from + len]),
                    lost.map(|row| &row[from..from + len]),
                    *worth,
                    |to, value| *to = (*to).min(value),
                );
            }
        }
        if self.points[1].len() <= LOW {
            low(steps, &rows.low, into);
        }
    }
}

/// The better of winning and losing a trick in which a card of so much worth was led.
#[inline(always)]
fn most<T: Width>(into: &mut [T], won: Option<&[T]>, lost: Option<&[T]>, worth: T, put: impl Fn(&mut T, T)) {
    match (won, lost) {
        (Some(won), Some(lost)) => {
            let both = into.iter_mut().zip(won).zip(lost);
            both.for_each(|((to, won), lost)| put(to, (*won + worth).max(*lost - worth)));
        }
        (Some(won), None) => into.iter_mut().zip(won).for_each(|(to, won)| put(to, *won + worth)),
        (None, Some(lost)) => into.iter_mut().zip(lost).for_each(|(to, lost)| put(to, *lost - worth)),
        (None, None) => {}
    }
}

/// The least over the low cards that may be led, for every hand; nothing so far where a hand has none.
fn low<T: Width>(steps: &Steps, rows: &[T], into: &mut [T]) {
    into.fill(T::MOST);
    for &(to, from, m) in &steps.blocks {
        let sets = &steps.sets[m];
        let rows = |card: u8| &rows[usize::from(card) * steps.below + from..];
        match m {
            1 => block::<T, 1>(sets, rows, &mut into[to..]),
            2 => block::<T, 2>(sets, rows, &mut into[to..]),
            3 => block::<T, 3>(sets, rows, &mut into[to..]),
            4 => block::<T, 4>(sets, rows, &mut into[to..]),
            5 => block::<T, 5>(sets, rows, &mut into[to..]),
            _ => block::<T, 6>(sets, rows, &mut into[to..]),
        }
    }
}

#[inline(always)]
fn block<'a, T: Width + 'a, const M: usize>(sets: &[[u8; 2]], rows: impl Fn(u8) -> &'a [T], into: &mut [T]) {
    for (to, set) in into.iter_mut().zip(sets.chunks_exact(M)) {
        *to = set.iter().fold(T::MOST, |least, &[card, left]| least.min(rows(card)[usize::from(left)]));
    }
}

/// The same values as the other player sees them: rows are its hands, and what one gets the other does not.
pub(super) fn turned<T: Width>(values: &[T], columns: usize, hand: usize) -> Vec<T> {
    let mut turned = vec![T::default(); values.len()];
    let part = |(at, into): (usize, &mut [T])| {
        let first = at * ROWS;
        for from in (0..columns).step_by(ROWS) {
            let to = (from + ROWS).min(columns);
            for (n, row) in into.chunks_exact_mut(columns).enumerate() {
                for (place, value) in
                    row[from..to].iter_mut().zip(values[from * columns + first + n..].iter().step_by(columns))
                {
                    *place = -*value;
                }
            }
        }
    };
    if hand >= THREADS_FROM {
        turned.par_chunks_mut(columns * ROWS).enumerate().for_each(part);
    } else {
        turned.chunks_mut(columns * ROWS).enumerate().for_each(part);
    }
    turned
}
