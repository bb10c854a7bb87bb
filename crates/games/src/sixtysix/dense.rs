//! The end of the game, deck empty: the exact difference for every pair of hands with the same number of
//! cards, smallest hands first. A table of all of them is faster than any search from nine cards a hand on,
//! and it answers for every card at once.

use super::levels::{Steps, THREADS_FROM, Trick, Width, turned};
use super::rules::{Sixtysix, State, cards_of};
use std::sync::atomic::{AtomicU64, Ordering};
use yomikiri_core::{Error, Game, Run, text};
use yomikiri_solve::on_threads;

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

/// The differences still to come with hands of one size, each as one of the players sees it: rows are its own hands.
struct Level<T> {
    /// If A leads, for B.
    a_leads: Vec<T>,
    /// If B leads, for A.
    b_leads: Vec<T>,
}

fn choose(n: usize, k: usize) -> u64 {
    yomikiri_core::combin::binomial(n as u64, k as u64)
}

/// What all cards are worth in the hands, so that no sum on the way is larger than twice as much.
fn all_points(game: &Sixtysix, s: &State) -> i32 {
    cards_of(s.hands[0] | s.hands[1]).map(|card| game.points(card).abs()).sum()
}

/// Whether two bytes a value do.
fn narrow(game: &Sixtysix, s: &State) -> bool {
    all_points(game, s) <= i32::from(i16::MAX / 2)
}

/// Bytes the tables take: two neighbouring levels, one of whose tables is also kept as the other player sees it.
pub fn memory(game: &Sixtysix, s: &State) -> u64 {
    let hand = s.hands[0].count_ones() as usize;
    let level = |k: usize| choose(hand, k).saturating_mul(choose(hand, k));
    let tables = |k: usize| {
        let [before, here] = [level(k - 1), level(k)];
        let sum = |a: u64, b: u64| before.saturating_mul(a).saturating_add(here.saturating_mul(b));
        sum(3, 1).max(sum(2, 2))
    };
    let width = if narrow(game, s) { 2 } else { 4 };
    (1..hand.max(1)).map(|k| tables(k).saturating_mul(width)).max().unwrap_or(16)
}

impl Endgame {
    /// Solves what is left once the deck is empty: the position must be before a trick, with no card to draw.
    ///
    /// # Errors
    /// Cancelled, or the table does not fit into the memory of the run.
    pub fn solve(game: &Sixtysix, s: &State, run: &Run<'_>) -> Result<Endgame, Error> {
        debug_assert!(game.undrawn(s.drawn) == 0 && s.led.is_none());
        run.fits(memory(game, s))?;
        if narrow(game, s) { Endgame::by::<i16>(game, s, run) } else { Endgame::by::<i32>(game, s, run) }
    }

    fn by<T: Width>(game: &Sixtysix, s: &State, run: &Run<'_>) -> Result<Endgame, Error> {
        let hands: [Vec<u8>; 2] = s.hands.map(|hand| cards_of(hand).collect());
        let h = hands[0].len();
        // Both leads of every pair.
        let total: u64 = 2 * (1..h).map(|k| choose(h, k).saturating_mul(choose(h, k))).sum::<u64>();
        run.observer.begin(&text("hands by size", "手札の枚数順"), total);
        let points = |p: usize| hands[p].iter().map(|&c| T::of(game.points(c))).collect::<Vec<T>>();
        let points = [points(0), points(1)];
        // For each of a player's cards, the other's weaker ones, as bits.
        let weaker = |p: usize| -> Vec<u32> {
            let of = |x: u8| hands[1 - p].iter().enumerate().filter(move |(_, y)| **y < x);
            hands[p].iter().map(|&x| of(x).fold(0, |set, (at, _)| set | 1 << at)).collect()
        };
        let weaker = [weaker(0), weaker(1)];
        let trick = |follower: usize| Trick {
            points: [&points[follower], &points[1 - follower]],
            weaker: &weaker[1 - follower],
        };
        let valued = AtomicU64::new(0);
        let done = |pairs: u64| run.observer.done(valued.fetch_add(pairs, Ordering::Relaxed) + pairs);
        let work = || {
            let mut lower = Level { a_leads: vec![T::default()], b_leads: vec![T::default()] };
            for k in 1..h {
                let (steps, width) = (Steps::new(h, k), choose(h, k - 1) as usize);
                let mine = turned(&lower.a_leads, width, h);
                let b_leads = trick(0).answered(&steps, [&mine, &lower.b_leads], run, &done)?;
                drop(mine);
                let mine = turned(&lower.b_leads, width, h);
                lower.b_leads = Vec::new();
                let a_leads = trick(1).answered(&steps, [&mine, &lower.a_leads], run, &done)?;
                lower = Level { a_leads, b_leads };
            }
            Ok::<_, Error>(lower)
        };
        let lower = if h < THREADS_FROM { work()? } else { on_threads(run, work)?? };
        run.observer.end();
        // What is left once a card was played, by the card: all others, the strongest first.
        let trick = (0..h)
            .map(|i| {
                (0..h)
                    .map(|j| {
                        let [mine, other] = [h - 1 - i, h - 1 - j];
                        let sum = game.points(hands[0][i]) + game.points(hands[1][j]);
                        match hands[0][i] > hands[1][j] {
                            true => sum - lower.a_leads[other * h + mine].whole(),
                            false => lower.b_leads[mine * h + other].whole() - sum,
                        }
                    })
                    .collect()
            })
            .collect();
        let [a, b] = hands;
        Ok(Endgame { a, b, trick, positions: 1 + total / 2 })
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
