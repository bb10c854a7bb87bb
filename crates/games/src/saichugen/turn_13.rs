//! Turn 13, the decision that takes long: every set of four unknown cards that are gone before turn 15 is worked through
//! once and shared by its splits into a pair for turn 13 and a pair for turn 14.
//!
//! Lanes are the ways two turns can have gone (who has won with which of the four, or with which own cards), so that the same
//! few sums are made for all of them at once. What is found lies in one list of cells, two numbers in each, and is added up
//! by own card, first pair and next own card without asking who has won: where to look is a matter of tables.

use super::deal::{Deal, KIND_PAIRS, OWN, OWN_PAIRS, PAIRS, UNKNOWN, kind_pair, pair, ways};
use super::lanes::{Around, Weights, bests, larger, others, plus};
use super::payoffs::{Payoffs, STEP};

/// Two unknown cards have won: both for the first opponent, both for the second, the lower for the first and the higher for
/// the second, the other way round.
const OWNERS: usize = 4;
/// Lanes for two such pairs of cards.
const LANES: usize = 2 * OWNERS;
/// Lanes that are added to make cells of two pairs: the winner of turn 13 wins turn 14, too, or the other opponent does.
const SAME: [usize; LANES] = [0, 1, 0, 1, 4, 5, 4, 5];
const APART: [usize; LANES] = [2, 3, 3, 2, 6, 7, 7, 6];
/// An unknown card and an own one have won: by own card, the unknown one for the first or the second opponent. Or two own
/// ones, by pair.
const WIDE: usize = 16;

/// Own cards of turns 13 and 14.
const CHOICES: usize = OWN * (OWN - 1);

/// They, in order.
const CHOSEN: [[usize; 2]; CHOICES] = {
    let mut all = [[0; 2]; CHOICES];
    let mut k = 0;
    while k < CHOICES {
        let (own, next) = (k / (OWN - 1), k % (OWN - 1));
        all[k] = [own, if next < own { next } else { next + 1 }];
        k += 1;
    }
    all
};

/// The place among [`CHOSEN`].
const fn choice(own: usize, next: usize) -> usize {
    own * (OWN - 1) + if next < own { next } else { next - 1 }
}

/// The same cards the other way round.
const TURNED: [usize; CHOICES] = {
    let mut all = [0; CHOICES];
    let mut k = 0;
    while k < CHOICES {
        all[k] = choice(CHOSEN[k][1], CHOSEN[k][0]);
        k += 1;
    }
    all
};

/// What wins when an own card meets a pair: the lower, the own card, the higher.
const OUTCOMES: usize = 3;
const OWN_WINS: usize = 1;

/// What a cell's numbers are raised by, so that none is negative: half of the least that two hands of turn 15 come to.
const RAISED: i16 = 4 * PAIRS[0] as i16;
/// Pairs of turn 14 for each of turn 13.
const SECOND_PAIRS: i32 = PAIRS[1] / 2;

/// Cells: for each two of the four that have won, by pair of own cards gone, first what it is worth if the lower won in turn 13 and then if
/// the higher did; for each of the four, by the other own card and the one that won, first if the own card won in turn 13 and
/// then if the unknown one did; for own cards, by pair.
const BOTH: usize = 2 * OWN_PAIRS;
const MIXED: usize = 2 * TURN;
const TURN: usize = OWN * WIDE / 2;
const MIXED_FROM: usize = 6 * BOTH;
const MINE_FROM: usize = MIXED_FROM + 4 * MIXED;
/// A power of two, so that places need no check.
const CELLS: usize = 512;
const _: () = assert!(MINE_FROM + WIDE <= CELLS);

/// Where in its part a cell lies: by outcomes of turns 13 and 14 and own cards.
const WHERE: [[u8; CHOICES]; OUTCOMES * OUTCOMES] = {
    let mut all = [[0; CHOICES]; OUTCOMES * OUTCOMES];
    let mut k = 0;
    while k < OUTCOMES * OUTCOMES * CHOICES {
        let (outcomes, [own, next]) = (k / CHOICES, CHOSEN[k % CHOICES]);
        let gone = pair(own, next);
        let place = match (outcomes / OUTCOMES == OWN_WINS, outcomes % OUTCOMES == OWN_WINS) {
            (false, false) => 4 * gone,
            (true, false) => next * WIDE / 2 + own,
            (false, true) => own * WIDE / 2 + next,
            (true, true) => gone,
        };
        all[outcomes][k % CHOICES] = place as u8;
        k += 1;
    }
    all
};

/// Own cards that are gone, by lane: less than anything.
const GONE: i16 = i16::MIN;

/// For mixed lanes: the own card of the lane is gone.
const MIXED_GONE: [[i16; WIDE]; OWN] = {
    let mut gone = [[i16::MAX; WIDE]; OWN];
    let mut own = 0;
    while own < OWN {
        gone[own][2 * own] = GONE;
        gone[own][2 * own + 1] = GONE;
        own += 1;
    }
    gone
};

/// For lanes of pairs of own cards: both are gone.
const MINE_GONE: [[i16; WIDE]; OWN] = {
    let mut gone = [[i16::MAX; WIDE]; OWN];
    let mut k = 0;
    while k < CHOICES {
        let [own, next] = CHOSEN[k];
        gone[own][pair(own, next)] = GONE;
        k += 1;
    }
    gone
};

#[inline(always)]
fn without(e: &mut [[i16; WIDE]; OWN], gone: &[[i16; WIDE]; OWN]) {
    for (e, gone) in e.iter_mut().zip(gone) {
        for (x, most) in e.iter_mut().zip(gone) {
            *x = (*x).min(*most);
        }
    }
}

#[inline(always)]
fn write<const N: usize>(cells: &mut [u16], row: &[i16; N]) {
    for (cell, x) in cells.iter_mut().zip(row) {
        *cell = *x as u16;
    }
}

/// Places of two of the four, lower first: they are numbered in the order of `kind_pair`.
const TWO: [[usize; 2]; 6] = [[0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [2, 3]];
const fn two(p: usize, q: usize) -> usize {
    let (p, q) = if p < q { (p, q) } else { (q, p) };
    q * (q - 1) / 2 + p
}

/// The four in two pairs.
const SPLITS: [[[usize; 2]; 2]; 3] = [[[0, 1], [2, 3]], [[0, 2], [1, 3]], [[0, 3], [1, 2]]];

/// Where the cells of turn 13 and those of the turns the other way round begin, by split and outcomes of its pairs.
const FROM: [[[u16; 2]; OUTCOMES * OUTCOMES]; 3] = {
    let mut all = [[[0; 2]; OUTCOMES * OUTCOMES]; 3];
    let mut k = 0;
    while k < 3 * OUTCOMES * OUTCOMES {
        let (split, outcomes) = (k / (OUTCOMES * OUTCOMES), k % (OUTCOMES * OUTCOMES));
        let (first, second) = (outcomes / OUTCOMES, outcomes % OUTCOMES);
        // The winner's place in its pair is half of the outcome.
        let (p, q) = (SPLITS[split][0][first / 2], SPLITS[split][1][second / 2]);
        let from = match (first == OWN_WINS, second == OWN_WINS) {
            (false, false) => {
                let from = two(p, q) / 2 * 2 * BOTH + two(p, q) % 2 * 2;
                if p < q { [from, from + 1] } else { [from + 1, from] }
            }
            (true, false) => [MIXED_FROM + q * MIXED, MIXED_FROM + q * MIXED + TURN],
            (false, true) => [MIXED_FROM + p * MIXED + TURN, MIXED_FROM + p * MIXED],
            (true, true) => [MINE_FROM, MINE_FROM],
        };
        all[split][outcomes] = [from[0] as u16, from[1] as u16];
        k += 1;
    }
    all
};

/// Where a cell of turn 13 lies, and that of the turns the other way round: by split, outcomes of its pairs and own cards.
const AT: [[[[u16; 2]; CHOICES]; OUTCOMES * OUTCOMES]; 3] = {
    let mut all = [[[[0; 2]; CHOICES]; OUTCOMES * OUTCOMES]; 3];
    let mut k = 0;
    while k < 3 * OUTCOMES * OUTCOMES * CHOICES {
        let (split, outcomes, choice) =
            (k / (OUTCOMES * OUTCOMES * CHOICES), k / CHOICES % (OUTCOMES * OUTCOMES), k % CHOICES);
        let (from, place) = (FROM[split][outcomes], WHERE[outcomes][choice] as u16);
        all[split][outcomes][choice] = [from[0] + place, from[1] + place];
        k += 1;
    }
    all
};

/// A pair of kinds.
#[derive(Clone, Copy)]
struct Pair {
    /// Its outcome against the first of the own cards of a choice, times the number of outcomes, and against the second.
    outcomes: [[u8; CHOICES]; 2],
    /// By choice of own cards for turns 13 and 14, when this is the pair of turn 13: for the first and for the second opponent having won; if the own
    /// card has won, parts of one sum.
    sums: [u32; CHOICES],
}

/// What turn 13 works with.
pub(super) struct Arena {
    /// In the lower half of the lanes, and in the upper half.
    both: Vec<[Around<LANES>; 2]>,
    mixed: Vec<Around<WIDE>>,
    mine: Around<WIDE>,
    /// What the last cards are worth at most, by lane of `mixed` and of `mine`. Read, not written into the code, which would take
    /// the lanes apart.
    gone: [[[i16; WIDE]; OWN]; 2],
    pairs: Vec<Pair>,
    /// Two numbers each.
    cells: [u16; 2 * CELLS],
}

impl Arena {
    pub(super) fn new() -> Arena {
        let pair = Pair { outcomes: [[0; CHOICES]; 2], sums: [0; CHOICES] };
        Arena {
            both: vec![[Around::NOTHING; 2]; KIND_PAIRS],
            mixed: vec![Around::NOTHING; UNKNOWN],
            mine: Around::NOTHING,
            gone: [MIXED_GONE, MINE_GONE],
            pairs: vec![pair; KIND_PAIRS],
            cells: [0; 2 * CELLS],
        }
    }

    /// 332,640 times the expectations of the five own cards.
    pub(super) fn totals(&mut self, payoffs: &Payoffs, deal: &Deal, place: usize) -> [i32; OWN] {
        self.prepare(payoffs, deal, place);
        let ends = deal.ends();
        let counts = deal.counts();
        let mut left = counts;
        for a in 0..deal.len {
            left[a] -= 1;
            for b in a..deal.len {
                if left[b] == 0 {
                    continue;
                }
                left[b] -= 1;
                for c in b..deal.len {
                    if left[c] == 0 {
                        continue;
                    }
                    left[c] -= 1;
                    for d in c..deal.len {
                        if left[d] > 0 {
                            left[d] -= 1;
                            self.cells(&ends, [a, b, c, d], &left);
                            left[d] += 1;
                            self.split(&counts, [a, b, c, d]);
                        }
                    }
                    left[c] += 1;
                }
                left[b] += 1;
            }
            left[a] += 1;
        }
        self.chosen(deal)
    }

    /// The payoffs around all totals that two turns can lead to, and the outcomes of all pairs.
    fn prepare(&mut self, payoffs: &Payoffs, deal: &Deal, place: usize) {
        let far = |seat: usize, kind: usize| deal.kinds[kind].points * STEP[seat];
        for high in 0..deal.len {
            for low in 0..=high {
                let around = &mut self.both[kind_pair(low, high)];
                let totals = [
                    far(1, low) + far(1, high),
                    far(2, low) + far(2, high),
                    far(1, low) + far(2, high),
                    far(2, low) + far(1, high),
                ];
                for (lane, far) in totals.into_iter().enumerate() {
                    around[0].set(lane, payoffs, deal, place + far);
                    around[1].set(OWNERS + lane, payoffs, deal, place + far);
                }
                let below = [low, high].map(|kind| deal.kinds[kind].own_below);
                let outcome = |own: usize| u8::from(own >= below[0]) + u8::from(own >= below[1]);
                self.pairs[kind_pair(low, high)] = Pair {
                    outcomes: [
                        CHOSEN.map(|[own, _]| OUTCOMES as u8 * outcome(own)),
                        CHOSEN.map(|[_, next]| outcome(next)),
                    ],
                    sums: [0; CHOICES],
                };
            }
            for own in 0..OWN {
                for seat in [1, 2] {
                    let place = place + far(seat, high) + deal.mine[own] * STEP[0];
                    self.mixed[high].set(2 * own + seat - 1, payoffs, deal, place);
                }
            }
        }
        for a in 0..OWN {
            for b in a + 1..OWN {
                self.mine.set(pair(a, b), payoffs, deal, place + (deal.mine[a] + deal.mine[b]) * STEP[0]);
            }
        }
    }

    /// What turn 15 is worth when four cards are gone and so many of each kind are left, for all ways two turns can have gone.
    fn cells(&mut self, ends: &[usize; OWN + 1], four: [usize; 4], left: &[u8; UNKNOWN]) {
        let weights = Weights::new(ends, left);
        for (two, cells) in TWO.chunks_exact(2).zip(self.cells.chunks_exact_mut(4 * BOTH)) {
            let [lower, upper] = [0, 1].map(|i| &self.both[kind_pair(four[two[i][0]], four[two[i][1]])][i]);
            let e = weights.last(
                ends,
                |j| plus(&lower.theirs[j], &upper.theirs[j]),
                |own| plus(&lower.mine[own], &upper.mine[own]),
            );
            for (best, cells) in bests(&e).iter().zip(cells.chunks_exact_mut(LANES)) {
                let both: [i16; LANES] = std::array::from_fn(|i| best[SAME[i]] + best[APART[i]] + RAISED);
                write(cells, &both);
            }
        }
        for (kind, cells) in four.into_iter().zip(self.cells[2 * MIXED_FROM..].chunks_exact_mut(2 * MIXED)) {
            let around = &self.mixed[kind];
            let mut e = weights.last(ends, |j| around.theirs[j], |own| around.mine[own]);
            without(&mut e, &self.gone[0]);
            let (own_first, own_second) = cells.split_at_mut(2 * TURN);
            let rows = own_first.chunks_exact_mut(WIDE).zip(own_second.chunks_exact_mut(WIDE));
            for (best, (first, second)) in others(&e).iter().zip(rows) {
                write(first, &best.map(|x| x + RAISED));
                write(second, &best.map(|x| 2 * x + RAISED));
            }
        }
        let mut e = weights.last(ends, |j| self.mine.theirs[j], |own| self.mine.mine[own]);
        without(&mut e, &self.gone[1]);
        let [a, b, c, d, f] = &e;
        let best = larger(&larger(&larger(a, b), &larger(c, d)), f);
        let twice: [i16; 2 * WIDE] = std::array::from_fn(|i| best[i / 2] + RAISED);
        write(&mut self.cells[2 * MINE_FROM..][..2 * WIDE], &twice);
    }

    /// Adds the cells, for every split of the four into the pairs of turns 13 and 14.
    fn split(&mut self, counts: &[u8; UNKNOWN], four: [usize; 4]) {
        for (n, split) in SPLITS.iter().enumerate() {
            let kinds = split.map(|two| two.map(|i| four[i]));
            let again = |other: &[[usize; 2]; 2]| {
                let other = other.map(|two| two.map(|i| four[i]));
                other == kinds || other == [kinds[1], kinds[0]]
            };
            if SPLITS[..n].iter().any(again) {
                continue;
            }
            let [first, second] = kinds.map(|[low, high]| kind_pair(low, high));
            let ways = [ways_after(counts, kinds[0], kinds[1]), ways_after(counts, kinds[1], kinds[0])];
            let outcomes: [u8; CHOICES] =
                std::array::from_fn(|k| self.pairs[first].outcomes[0][k] + self.pairs[second].outcomes[1][k]);
            let cells = &self.cells;
            let places = |k: usize| {
                AT[n][usize::from(outcomes[k])][k].map(|at| {
                    let at = 2 * (usize::from(at) % CELLS);
                    u32::from(cells[at]) | u32::from(cells[at + 1]) << 16
                })
            };
            match self.pairs.get_disjoint_mut([first, second]) {
                Ok([first, second]) => {
                    for (k, turned) in TURNED.into_iter().enumerate() {
                        let [here, there] = places(k);
                        first.sums[k] += ways[0] * here;
                        second.sums[turned] += ways[1] * there;
                    }
                }
                // One kind four times.
                Err(_) => (0..CHOICES).for_each(|k| self.pairs[first].sums[k] += ways[0] * places(k)[0]),
            }
        }
    }

    /// The best next card after every first pair, and what all own cards come to.
    fn chosen(&self, deal: &Deal) -> [i32; OWN] {
        let counts = deal.counts();
        let raised = i32::from(RAISED) * SECOND_PAIRS;
        let mut totals = [0; OWN];
        for high in 0..deal.len {
            for low in 0..=high {
                let ways = ways(&counts, low, high);
                if ways == 0 {
                    continue;
                }
                let sums = self.pairs[kind_pair(low, high)]
                    .sums
                    .map(|sum| [sum as u16, (sum >> 16) as u16].map(i32::from));
                for (own, sums) in sums.chunks_exact(OWN - 1).enumerate() {
                    let best = |of: fn(&[i32; 2]) -> i32| sums.iter().map(of).max().unwrap_or(0);
                    let total = match deal.winner(own, low, high) {
                        None => 2 * best(|sum| sum[0] + sum[1]) - 4 * raised,
                        Some(_) => best(|sum| sum[0]) + best(|sum| sum[1]) - 2 * raised,
                    };
                    totals[own] += ways * total;
                }
            }
        }
        totals
    }
}

/// Pairs of cards of two kinds when cards of two others, which may be the same, are gone.
#[inline]
fn ways_after(counts: &[u8; UNKNOWN], gone: [usize; 2], [low, high]: [usize; 2]) -> u32 {
    let left =
        |kind: usize| u32::from(counts[kind]) - u32::from(gone[0] == kind) - u32::from(gone[1] == kind);
    if low == high { left(low) * (left(low) - 1) / 2 } else { left(low) * left(high) }
}
