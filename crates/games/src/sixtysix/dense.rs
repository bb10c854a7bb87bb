//! The end of the game, deck empty: the exact difference for every pair of hands with the same number of
//! cards, smallest hands first. A table of all of them is faster than any search from nine cards a hand on,
//! and it answers for every card at once.

use super::rules::{Sixtysix, State, cards_of};
use yomikiri_core::{Error, Game, Run, text};

/// Most cards a hand may have here; beyond, not even the time would do.
pub const MAX_HAND: usize = 20;

/// All differences still to come at hands one card smaller than those of the deal, and the matrix of the
/// next trick.
pub struct Endgame {
    /// A's cards, ascending.
    a: Vec<u8>,
    /// B's cards, ascending.
    b: Vec<u8>,
    /// The difference still to come if A plays the card of the row and B that of the column.
    trick: Vec<Vec<i32>>,
    /// Pairs of hands whose value was computed.
    pub positions: u64,
}

/// The differences of all pairs of hands of one size: rows are hands of A, columns of B.
struct Level {
    columns: usize,
    /// With A leading, and with B leading.
    leads: [Vec<i32>; 2],
}

fn choose(n: usize, k: usize) -> u64 {
    yomikiri_core::combin::binomial(n as u64, k as u64)
}

/// Bytes the tables for hands of so many cards take: the two largest neighbouring levels.
pub fn memory(hand: usize) -> u64 {
    let level = |k: usize| choose(hand, k).saturating_mul(choose(hand, k)).saturating_mul(8);
    (1..hand.max(1)).map(|k| level(k).saturating_add(level(k - 1))).max().unwrap_or(16)
}

/// Every hand of `k` cards of `n` as bits, in the order of their ranks, with the rank of each after any one card
/// has been played: `k` ranks a hand, ascending by card.
fn hands(n: usize, k: usize) -> (Vec<u32>, Vec<u32>) {
    let rank = |hand: u32| {
        let mut rank = 0;
        let mut rest = hand;
        let mut i = 0;
        while rest != 0 {
            i += 1;
            rank += choose(rest.trailing_zeros() as usize, i) as u32;
            rest &= rest - 1;
        }
        rank
    };
    let count = choose(n, k) as usize;
    let (mut sets, mut after) = (Vec::with_capacity(count), Vec::with_capacity(count * k));
    let mut hand: u64 = (1 << k) - 1;
    while hand < 1 << n {
        sets.push(hand as u32);
        let mut rest = hand as u32;
        while rest != 0 {
            let card = rest & rest.wrapping_neg();
            after.push(rank(hand as u32 & !card));
            rest &= rest - 1;
        }
        // The next set of the same size.
        let low = hand & hand.wrapping_neg();
        let up = hand + low;
        hand = up | (((hand ^ up) >> 2) / low);
    }
    (sets, after)
}

impl Endgame {
    /// Solves what is left once the deck is empty: the position must be before a trick, with no card to draw.
    ///
    /// # Errors
    /// Cancelled, or the table does not fit into the memory of the run.
    pub fn solve(game: &Sixtysix, s: &State, run: &Run<'_>) -> Result<Endgame, Error> {
        debug_assert!(game.undrawn(s.drawn) == 0 && s.led.is_none());
        let a: Vec<u8> = cards_of(s.hands[0]).collect();
        let b: Vec<u8> = cards_of(s.hands[1]).collect();
        let h = a.len();
        run.fits(memory(h))?;
        let total: u64 = (1..h).map(|k| choose(h, k).saturating_mul(choose(h, k))).sum();
        run.observer.begin(&text("hands by size", "手札の枚数順"), total);
        let points = |cards: &[u8]| -> Vec<i32> { cards.iter().map(|&c| game.points(c)).collect() };
        let (pa, pb) = (points(&a), points(&b));
        // B's cards weaker than each of A's, as bits.
        let weaker: Vec<u32> = a
            .iter()
            .map(|&x| b.iter().enumerate().filter(|(_, y)| **y < x).fold(0, |set, (j, _)| set | 1 << j))
            .collect();
        let mut lower = Level { columns: 1, leads: [vec![0], vec![0]] };
        let mut done = 1;
        for k in 1..h {
            lower = level(k, &lower, (&pa, &pb), &weaker, run, &mut done)?;
        }
        run.observer.end();
        let (_, rows) = hands(h, h);
        let all = (1u32 << h) - 1;
        let trick = (0..h)
            .map(|i| {
                (0..h)
                    .map(|j| {
                        let wins = weaker[i] & all & (1 << j) != 0;
                        let at = rows[i] as usize * lower.columns + rows[j] as usize;
                        let sum = pa[i] + pb[j];
                        if wins { sum + lower.leads[0][at] } else { lower.leads[1][at] - sum }
                    })
                    .collect()
            })
            .collect();
        Ok(Endgame { a, b, trick, positions: done })
    }

    /// The difference still to come with this player leading.
    pub fn difference(&self, leader: u8) -> i32 {
        let values = self.leads(leader).into_iter().map(|l| l.1);
        if leader == 0 { values.max() } else { values.min() }.unwrap_or(0)
    }

    /// The difference still to come for every card this player may lead.
    pub fn leads(&self, leader: u8) -> Vec<(u8, i32)> {
        if leader == 0 {
            let least = |row: &Vec<i32>| row.iter().copied().min().unwrap_or(0);
            self.a.iter().zip(&self.trick).map(|(&card, row)| (card, least(row))).collect()
        } else {
            let most = |j: usize| self.trick.iter().map(|row| row[j]).max().unwrap_or(0);
            self.b.iter().enumerate().map(|(j, &card)| (card, most(j))).collect()
        }
    }
}

/// The level of hands of `k` cards from the one below.
fn level(
    k: usize,
    lower: &Level,
    (pa, pb): (&[i32], &[i32]),
    weaker: &[u32],
    run: &Run<'_>,
    done: &mut u64,
) -> Result<Level, Error> {
    let h = pa.len();
    let (sets, after) = hands(h, k);
    let columns = sets.len();
    // The points of B's cards, hand by hand.
    let worth: Vec<i32> =
        sets.iter().flat_map(|&set| (0..h).filter(move |j| set >> j & 1 == 1).map(|j| pb[j])).collect();
    let mut leads = [Vec::with_capacity(columns * columns), Vec::with_capacity(columns * columns)];
    let mut best = vec![0; k];
    for (row, &set_a) in sets.iter().enumerate() {
        if row.is_multiple_of(16) {
            run.check()?;
            run.observer.done(*done);
        }
        *done += columns as u64;
        // What A may play: its points, what it beats, and the rows that follow with A and with B leading.
        let plays: Vec<(i32, u32, &[i32], &[i32])> = (0..h)
            .filter(|i| set_a >> i & 1 == 1)
            .zip(&after[row * k..(row + 1) * k])
            .map(|(i, &at)| {
                let from = at as usize * lower.columns;
                let to = from + lower.columns;
                (pa[i], weaker[i], &lower.leads[0][from..to], &lower.leads[1][from..to])
            })
            .collect();
        for (column, &set_b) in sets.iter().enumerate() {
            let next = &after[column * k..(column + 1) * k];
            let gains = &worth[column * k..(column + 1) * k];
            // A leads: the best of the worst replies. B leads: the worst of the best replies.
            let mut a_leads = i32::MIN;
            best.fill(i32::MIN);
            for &(points, beats, won, lost) in &plays {
                let weak = (set_b & beats).count_ones() as usize;
                let mut worst = i32::MAX;
                let (best_weak, best_strong) = best.split_at_mut(weak);
                for ((&at, &gain), best) in next[..weak].iter().zip(&gains[..weak]).zip(best_weak) {
                    let value = won[at as usize] + gain + points;
                    worst = worst.min(value);
                    *best = (*best).max(value);
                }
                for ((&at, &gain), best) in next[weak..].iter().zip(&gains[weak..]).zip(best_strong) {
                    let value = lost[at as usize] - gain - points;
                    worst = worst.min(value);
                    *best = (*best).max(value);
                }
                a_leads = a_leads.max(worst);
            }
            leads[0].push(a_leads);
            leads[1].push(best.iter().copied().min().unwrap_or(0));
        }
    }
    Ok(Level { columns, leads })
}

/// The difference still to come from a position with the deck empty, by the table.
///
/// # Errors
/// As [`Endgame::solve`].
pub fn difference(game: &Sixtysix, s: &State, run: &Run<'_>) -> Result<i32, Error> {
    if game.turn(s) == yomikiri_core::Turn::Terminal {
        return Ok(0);
    }
    Ok(Endgame::solve(game, s, run)?.difference(s.leader))
}
