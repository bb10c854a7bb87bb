//! All endings with one scoring card at once: for every way to deal 2h cards, whoever leads and whichever card of
//! the holder scores, whether the holder takes it. One word holds the answers for all places of the
//! scoring card, so that even hands of twelve take seconds. This is brute force, the judge of every closed form.

use rayon::prelude::*;
use yomikiri_core::{Error, Run, text};
use yomikiri_solve::on_threads;

/// A deal without a deck: bit `k` says that the holder of the scoring card (the paper's A) has the card of
/// strength `k`.
pub type Owners = u32;

/// Most cards a hand may have here.
const MAX_HAND: usize = 12;

/// What the holder of the scoring card wants with it; the other wants the opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To take it: it is worth points.
    Take,
    /// To be rid of it: it costs points, as in Hearts.
    Shed,
}

/// The answers for hands of one size, by the bits of the deal: bit `q` says that A gets the wish for card `q`. The first is
/// for A leading, the second for B.
pub struct Size {
    /// Cards in a hand.
    pub hand: usize,
    /// What the holder wants.
    pub wish: Wish,
    gets: Vec<[u32; 2]>,
}

impl Size {
    /// Whether A, who holds card `q`, gets the wish: takes it, or is rid of it.
    pub fn holder_gets(&self, owners: Owners, q: usize, leader: u8) -> bool {
        self.gets[owners as usize][usize::from(leader)] >> q & 1 == 1
    }
}

/// Bytes the answers for hands of a size take, with the size below.
fn memory(hand: usize) -> u64 {
    10 << (2 * hand)
}

/// Every deal of hands of a size, ascending.
pub fn deals(hand: usize) -> impl Iterator<Item = Owners> {
    let end = 1u64 << (2 * hand);
    let mut next = (1u64 << hand) - 1;
    std::iter::from_fn(move || {
        if hand == 0 || next >= end {
            return None;
        }
        let now = next;
        let low = now & now.wrapping_neg();
        let up = now + low;
        next = up | (((now ^ up) >> 2) / low);
        Some(now as Owners)
    })
}

/// Takes two places out of a word: what was above moves down.
#[inline]
pub(super) fn without(word: u32, low: u32, high: u32) -> u32 {
    let below = word & ((1 << low) - 1);
    let middle = word >> (low + 1) & ((1 << (high - low - 1)) - 1);
    let above = (u64::from(word) >> (high + 1)) as u32;
    below | middle << low | above << (high - 1)
}

/// Puts two empty places into a word: the inverse of [`without`].
#[inline]
fn spread(word: u32, low: u32, high: u32) -> u32 {
    let below = word & ((1 << low) - 1);
    let middle = word >> low & ((1 << (high - low - 1)) - 1);
    let above = word >> (high - 1);
    below | middle << (low + 1) | (u64::from(above) << (high + 1)) as u32
}

/// The answers for one deal from those for hands one card smaller.
fn deal(owners: Owners, lower: &Size) -> [u32; 2] {
    let cards = 2 * (lower.hand as u32 + 1);
    let a_cards = (0..cards).filter(|k| owners >> k & 1 == 1);
    let b_cards: Vec<u32> = (0..cards).filter(|k| owners >> k & 1 == 0).collect();
    let mut a_leads = 0;
    let mut replies = [0u32; MAX_HAND];
    for a in a_cards {
        let mut all = u32::MAX;
        for (&b, reply) in b_cards.iter().zip(&mut replies) {
            let (low, high, leader) = if a > b { (b, a, 0) } else { (a, b, 1) };
            let next = lower.gets[without(owners, low, high) as usize][leader];
            // If the card played is the scoring one, it is decided now.
            let now = if (a > b) == (lower.wish == Wish::Take) { 1 << a } else { 0 };
            let gets = spread(next, low, high) | now;
            all &= gets;
            *reply |= gets;
        }
        a_leads |= all;
    }
    let b_leads = replies[..b_cards.len()].iter().fold(u32::MAX, |all, r| all & r);
    [a_leads & owners, b_leads & owners]
}

/// What `work` makes of the deals, so many at a time, on all threads; in order.
pub(super) fn in_parts<T: Send>(
    all: &[Owners],
    size: usize,
    run: &Run<'_>,
    work: impl Fn(&[Owners]) -> T + Sync,
) -> Result<Vec<T>, Error> {
    let part = |part| run.check().map(|()| work(part));
    on_threads(run, || all.par_chunks(size).map(part).collect())?
}

/// The answers for hands one card larger.
///
/// # Errors
/// If they do not fit into the memory of the run, or it is cancelled.
pub fn larger(lower: &Size, run: &Run<'_>) -> Result<Size, Error> {
    let hand = lower.hand + 1;
    run.fits(memory(hand))?;
    run.check()?;
    let all: Vec<Owners> = deals(hand).collect();
    run.observer.begin(&text("endings", "終盤の全局面"), all.len() as u64);
    let answers = in_parts(&all, 1 << 12, run, |part| {
        part.iter().map(|&owners| deal(owners, lower)).collect::<Vec<_>>()
    })?;
    let mut gets = vec![[0; 2]; 1 << (2 * hand)];
    for (&owners, answer) in all.iter().zip(answers.into_iter().flatten()) {
        gets[owners as usize] = answer;
    }
    run.observer.end();
    Ok(Size { hand, wish: lower.wish, gets })
}

/// No cards at all: where the answers begin.
pub fn nothing(wish: Wish) -> Size {
    Size { hand: 0, wish, gets: vec![[0; 2]] }
}

/// A deal as people read it: weakest card first, Q the scoring card.
pub(super) fn spelled(owners: Owners, hand: usize, q: Option<usize>) -> String {
    (0..2 * hand)
        .map(|k| match (q == Some(k), owners >> k & 1) {
            (true, _) => 'Q',
            (_, 1) => 'A',
            _ => 'B',
        })
        .collect()
}
