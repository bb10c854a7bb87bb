//! The exact expectation of every card in the last round, fast.
//!
//! Equal to the full-width search (`yomikiri_solve::fullwidth`) on every position, in whole numbers over a
//! common denominator, by three observations:
//!
//! - What a round pays depends on the three totals of the round only: a table of payoffs for given scores.
//! - In turn 15 the expectation of an own card is linear in the payoffs after each unknown card wins. With
//!   the seven unknowns in order, the `i`-th wins against a card with `k` unknowns below it in `2i` of the 42
//!   ordered pairs if `i < k`, else in `2(6 - i)`, half of them for either opponent; the own card wins in
//!   `2k(7 - k)`. These weights do not depend on the totals, the payoffs do not depend on what is left.
//! - In turn 13 the cards removed before turn 15 matter as a set, not who played which when: every set of four
//!   unknowns is worked through once, and shared by all splits into a pair for turn 13 and one for turn 14.
//!
//! Unknown cards of one rank with no own card between them are one kind of card.

use super::rules::{Card, MOST, SEATS, payoffs, sum};
use super::view::View;
use std::sync::OnceLock;

/// Ordered pairs of opponents' cards in turns 15, 14 and 13.
const PAIRS: [i32; 3] = [42, 72, 110];
/// Own cards, and lanes for them.
pub const OWN: usize = 5;
const LANES: usize = 8;
/// Unknown cards in turn 13.
pub const UNKNOWN: usize = 11;
/// Totals of a player in a round go up to here, exclusive.
const SIDE: usize = MOST + 1;

/// What is worked out of a view: for every card of the hand, lowest first, the expectation times the
/// denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Values {
    totals: [i32; OWN],
    cards: [Option<Card>; OWN],
    denominator: i32,
}

impl Values {
    /// 332,640 in turn 13, 3,024 in turn 14, 42 in turn 15.
    pub fn denominator(&self) -> i32 {
        self.denominator
    }

    /// The cards of the hand, lowest first, with their expectations times the denominator.
    pub fn cards(&self) -> impl Iterator<Item = (Card, i32)> + Clone {
        self.cards.iter().zip(self.totals).filter_map(|(card, total)| Some(((*card)?, total)))
    }

    /// The expectation of the best card, times the denominator.
    pub fn best(&self) -> i32 {
        self.cards().map(|c| c.1).max().unwrap_or(0)
    }

    /// The cards that are as good as any, lowest first.
    pub fn best_cards(&self) -> impl Iterator<Item = Card> + Clone {
        let best = self.best();
        self.cards().filter(move |c| c.1 == best).map(|c| c.0)
    }

    /// The expectation of the best card.
    pub fn value(&self) -> f64 {
        f64::from(self.best()) / f64::from(self.denominator)
    }
}

/// A fraction as people write it: in lowest terms, a whole number alone.
pub fn fraction(total: i32, denominator: i32) -> String {
    let divisor = num_integer::gcd(total, denominator);
    match denominator / divisor {
        1 => (total / divisor).to_string(),
        below => format!("{}/{below}", total / divisor),
    }
}

fn place(round: [u8; SEATS]) -> usize {
    (usize::from(round[0]) * SIDE + usize::from(round[1])) * SIDE + usize::from(round[2])
}

/// Winner patterns of a round (three bits) and its middle, for every place.
fn codes() -> &'static [u8] {
    static CODES: OnceLock<Vec<u8>> = OnceLock::new();
    CODES.get_or_init(|| {
        let mut codes = vec![0; SIDE * SIDE * SIDE];
        for round in rounds() {
            codes[place(round)] = code(round);
        }
        codes
    })
}

/// All totals a round can have.
pub fn rounds() -> impl Iterator<Item = [u8; SEATS]> {
    let most = MOST as u8;
    (0..=most).flat_map(move |a| (0..=most - a).flat_map(move |b| (0..=most - a - b).map(move |c| [a, b, c])))
}

/// The middle of a round's totals is at most 19: another is as large, and all three add up to 39.
const MIDDLES: usize = MOST / 2 + 1;

fn code(round: [u8; SEATS]) -> u8 {
    let won = super::rules::winners(round);
    let pattern = usize::from(won[0]) | usize::from(won[1]) << 1 | usize::from(won[2]) << 2;
    (pattern * MIDDLES + usize::from(super::rules::middle(round))) as u8
}

/// What the game pays the first player for the totals of the last round, given the scores.
#[derive(Clone, Debug)]
pub struct Payoffs {
    scores: [u8; SEATS],
    table: Vec<i8>,
}

impl Payoffs {
    /// The table for scores.
    pub fn new(scores: [u8; SEATS]) -> Payoffs {
        let mut payoffs = Payoffs { scores, table: vec![0; SIDE * SIDE * SIDE] };
        payoffs.set(scores);
        payoffs
    }

    fn set(&mut self, scores: [u8; SEATS]) {
        self.scores = scores;
        let mut small = [0i8; 8 * MIDDLES];
        for pattern in 1..8 {
            for middle in 0..MIDDLES {
                let keeps =
                    std::array::from_fn(|seat| if pattern >> seat & 1 == 1 { middle as u8 } else { 0 });
                small[pattern * MIDDLES + middle] = payoffs(sum(scores, keeps))[0];
            }
        }
        let codes = codes();
        for a in 0..SIDE {
            for b in 0..SIDE - a {
                let from = (a * SIDE + b) * SIDE;
                let line = from..from + SIDE - a - b;
                for (payoff, &code) in self.table[line.clone()].iter_mut().zip(&codes[line]) {
                    *payoff = small[usize::from(code)];
                }
            }
        }
    }

    /// What the first player gets if the last round ends with these totals, which add up to at most 39.
    pub fn get(&self, round: [u8; SEATS]) -> i8 {
        self.table[place(round)]
    }

    fn at(&self, place: usize) -> i16 {
        i16::from(self.table[place])
    }
}

/// How far a place moves when the player, the first or the second opponent wins a point.
const STEP: [usize; SEATS] = [SIDE * SIDE, SIDE, 1];

/// Sorted kinds of unknown cards as turn 13 and 14 need them.
#[derive(Clone, Copy, Default)]
struct Kind {
    /// Its points.
    points: usize,
    /// How many cards.
    count: u8,
    /// Own cards below it.
    own_below: usize,
}

/// The payoffs around one triple of totals: what each kind winning for either opponent pays together, and what
/// each own card winning pays.
#[derive(Clone, Copy, Default)]
struct Around {
    theirs: [i16; UNKNOWN],
    mine: [i16; LANES],
}

/// Weights of turn 15 for one choice of cards left: for every kind and for the own cards.
struct Weights {
    theirs: [[i16; LANES]; UNKNOWN],
    mine: [i16; LANES],
}

/// Works out views; holds tables so that nothing is allocated for a decision.
pub struct Kernel {
    payoffs: Vec<Payoffs>,
    /// The table to be replaced next.
    next: usize,
    arena: Arena,
}

impl Default for Kernel {
    fn default() -> Self {
        Kernel::new()
    }
}

/// Tables kept: those of the three players of a game.
const KEPT: usize = 3;

impl Kernel {
    /// A kernel with tables of its own, about 300 KB.
    pub fn new() -> Kernel {
        Kernel { payoffs: Vec::new(), next: 0, arena: Arena::new() }
    }

    /// The table of payoffs for scores, kept from the last time if there.
    fn payoffs(&mut self, scores: [u8; SEATS]) -> usize {
        if let Some(at) = self.payoffs.iter().position(|p| p.scores == scores) {
            return at;
        }
        if self.payoffs.len() < KEPT {
            self.payoffs.push(Payoffs::new(scores));
            return self.payoffs.len() - 1;
        }
        let at = self.next;
        self.next = (at + 1) % KEPT;
        self.payoffs[at].set(scores);
        at
    }

    /// The expectation of every card of the hand. The view is to be one that [`View::check`] accepts.
    pub fn values(&mut self, view: &View) -> Values {
        let at = self.payoffs(view.scores);
        let payoffs = &self.payoffs[at];
        let mut cards = [None; OWN];
        for (slot, card) in cards.iter_mut().zip(view.hand.iter()) {
            *slot = Some(card);
        }
        let deal = Deal::new(view);
        let (totals, denominator) = match view.turn {
            13 => (self.arena.turn_13(payoffs, &deal, place(view.round)), PAIRS[0] * PAIRS[1] * PAIRS[2]),
            14 => (turn_14(payoffs, &deal, place(view.round)), PAIRS[0] * PAIRS[1]),
            _ => (turn_15(payoffs, &deal, place(view.round)), PAIRS[0]),
        };
        Values { totals, cards, denominator }
    }
}

/// The cards of a view in the kernel's own terms.
struct Deal {
    own: usize,
    /// Points of the own cards, lowest first.
    mine: [usize; LANES],
    kinds: [Kind; UNKNOWN],
    /// How many kinds.
    len: usize,
}

impl Deal {
    fn new(view: &View) -> Deal {
        let mut deal = Deal { own: 0, mine: [0; LANES], kinds: [Kind::default(); UNKNOWN], len: 0 };
        for card in view.hand.iter().take(OWN) {
            deal.mine[deal.own] = usize::from(card.points());
            deal.own += 1;
        }
        for card in view.unknown.iter().take(UNKNOWN) {
            let (points, own_below) = (usize::from(card.points()), view.hand.below(card));
            match deal.kinds[..deal.len].last_mut() {
                Some(last) if last.points == points && last.own_below == own_below => last.count += 1,
                _ => {
                    deal.kinds[deal.len] = Kind { points, count: 1, own_below };
                    deal.len += 1;
                }
            }
        }
        deal
    }

    fn counts(&self) -> [u8; UNKNOWN] {
        self.kinds.map(|kind| kind.count)
    }

    /// The weights of turn 15 when seven cards are left, so many of each kind.
    #[inline]
    fn weights(&self, left: &[u8; UNKNOWN], weights: &mut Weights) {
        // Unknowns below each own card.
        let mut k = [0i16; LANES];
        for (kind, &n) in self.kinds[..self.len].iter().zip(left) {
            for (own, k) in k.iter_mut().enumerate() {
                *k += if own >= kind.own_below { i16::from(n) } else { 0 };
            }
        }
        let mut first = 0i16;
        for (j, kind) in self.kinds[..self.len].iter().enumerate() {
            let n = i16::from(left[j]);
            // The sum of the places of these cards, counted from below and from above.
            let from_below = n * first + n * (n - 1) / 2;
            let from_above = 6 * n - from_below;
            first += n;
            for (own, weight) in weights.theirs[j].iter_mut().enumerate() {
                // An own card with the kind below it is the highest when both opponents are below.
                *weight = if own >= kind.own_below { from_below } else { from_above };
            }
        }
        weights.mine = k.map(|k| 2 * k * (7 - k));
    }

    /// The payoffs around totals.
    #[inline]
    fn around(&self, payoffs: &Payoffs, place: usize) -> Around {
        let mut around = Around::default();
        for (kind, theirs) in self.kinds[..self.len].iter().zip(&mut around.theirs) {
            *theirs = payoffs.at(place + kind.points * STEP[1]) + payoffs.at(place + kind.points * STEP[2]);
        }
        for (points, mine) in self.mine[..self.own].iter().zip(&mut around.mine) {
            *mine = payoffs.at(place + points * STEP[0]);
        }
        around
    }

    /// 42 times the expectations of all own cards in turn 15.
    #[inline]
    fn last(&self, weights: &Weights, around: &Around) -> [i16; LANES] {
        let mut totals: [i16; LANES] = std::array::from_fn(|own| weights.mine[own] * around.mine[own]);
        for (weights, payoff) in weights.theirs[..self.len].iter().zip(&around.theirs) {
            for (total, weight) in totals.iter_mut().zip(weights) {
                *total += weight * payoff;
            }
        }
        totals
    }

    /// What wins when an own card meets two kinds, the first not above the second.
    #[inline]
    fn winner(&self, own: usize, low: usize, high: usize) -> Option<usize> {
        match (own >= self.kinds[low].own_below, own >= self.kinds[high].own_below) {
            (true, false) => None,
            (true, true) => Some(high),
            _ => Some(low),
        }
    }
}

/// Pairs of cards of two kinds.
fn ways(counts: &[u8; UNKNOWN], low: usize, high: usize) -> i32 {
    let (a, b) = (i32::from(counts[low]), i32::from(counts[high]));
    if low == high { a * (a - 1) / 2 } else { a * b }
}

fn turn_15(payoffs: &Payoffs, deal: &Deal, place: usize) -> [i32; OWN] {
    let mut weights = Weights { theirs: [[0; LANES]; UNKNOWN], mine: [0; LANES] };
    deal.weights(&deal.counts(), &mut weights);
    let totals = deal.last(&weights, &deal.around(payoffs, place));
    std::array::from_fn(|own| i32::from(totals[own]))
}

fn turn_14(payoffs: &Payoffs, deal: &Deal, place: usize) -> [i32; OWN] {
    let counts = deal.counts();
    // After each kind has won for either opponent, and after each own card has won.
    let mut theirs = [[Around::default(); 2]; UNKNOWN];
    for (kind, theirs) in deal.kinds[..deal.len].iter().zip(&mut theirs) {
        *theirs = [1, 2].map(|seat| deal.around(payoffs, place + kind.points * STEP[seat]));
    }
    let mine: [Around; OWN] = std::array::from_fn(|own| {
        if own < deal.own {
            deal.around(payoffs, place + deal.mine[own] * STEP[0])
        } else {
            Around::default()
        }
    });
    let best_without = |totals: [i16; LANES], own: usize| {
        (0..deal.own).filter(|&other| other != own).map(|other| i32::from(totals[other])).max().unwrap_or(0)
    };
    let mut totals = [0; OWN];
    let mut weights = Weights { theirs: [[0; LANES]; UNKNOWN], mine: [0; LANES] };
    for low in 0..deal.len {
        for high in low..deal.len {
            let ways = ways(&counts, low, high);
            if ways == 0 {
                continue;
            }
            let mut left = counts;
            left[low] -= 1;
            left[high] -= 1;
            deal.weights(&left, &mut weights);
            for own in 0..deal.own {
                totals[own] += ways
                    * match deal.winner(own, low, high) {
                        None => 2 * best_without(deal.last(&weights, &mine[own]), own),
                        Some(kind) => theirs[kind]
                            .iter()
                            .map(|around| best_without(deal.last(&weights, around), own))
                            .sum::<i32>(),
                    };
            }
        }
    }
    totals
}

/// Pairs of own cards.
pub const OWN_PAIRS: usize = OWN * (OWN - 1) / 2;

/// Where a pair of own cards stands among all.
pub const fn pair(a: usize, b: usize) -> usize {
    let (a, b) = if a < b { (a, b) } else { (b, a) };
    a * (2 * OWN - a - 1) / 2 + b - a - 1
}

/// Pairs of kinds.
pub const KIND_PAIRS: usize = UNKNOWN * (UNKNOWN + 1) / 2;

/// Where a pair of kinds, the first not above the second, stands among all.
pub const fn kind_pair(low: usize, high: usize) -> usize {
    high * (high + 1) / 2 + low
}

/// Two unknown kinds out of four have won, and for whom: both for the first opponent, both for the second, the
/// lower for the first or for the second.
const OWNERS: usize = 4;

/// What turn 13 works with.
struct Arena {
    /// Around the totals after two kinds have won.
    both: Vec<[Around; OWNERS]>,
    /// After a kind has won for either opponent, and an own card.
    mixed: Vec<[[Around; 2]; OWN]>,
    /// After two own cards have won.
    mine: [Around; OWN_PAIRS],
    /// For an own card and a pair of kinds in turn 13, and for whom it ended: the sums for every own card of turn 14.
    sums: Vec<[[[i32; LANES]; SEATS]; OWN]>,
}

/// What turn 15 is worth after two own cards are gone, by pair; a place that was not needed is not filled.
type Best = [i16; OWN_PAIRS];

/// The best of the three cards left, for every pair of cards gone.
#[inline]
pub fn bests(e: [i16; LANES]) -> Best {
    let [a, b, c, d, f, ..] = e;
    let (ab, cd, df, cf) = (a.max(b), c.max(d), d.max(f), c.max(f));
    let (ac, bc) = (a.max(c), b.max(c));
    // In the order of `pair`: 01 02 03 04 12 13 14 23 24 34.
    [
        cd.max(f),
        b.max(df),
        b.max(cf),
        b.max(cd),
        a.max(df),
        a.max(cf),
        a.max(cd),
        ab.max(f),
        ab.max(d),
        ac.max(bc),
    ]
}

impl Arena {
    fn new() -> Arena {
        Arena {
            both: vec![Default::default(); KIND_PAIRS],
            mixed: vec![Default::default(); UNKNOWN],
            mine: Default::default(),
            sums: vec![Default::default(); KIND_PAIRS],
        }
    }

    /// 332,640 times the expectations of the five own cards.
    fn turn_13(&mut self, payoffs: &Payoffs, deal: &Deal, place: usize) -> [i32; OWN] {
        self.prepare(payoffs, deal, place);
        let counts = deal.counts();
        let mut four = Four::new();
        for a in 0..deal.len {
            let mut after_a = counts;
            after_a[a] -= 1;
            for b in a..deal.len {
                if after_a[b] == 0 {
                    continue;
                }
                let mut after_b = after_a;
                after_b[b] -= 1;
                for c in b..deal.len {
                    if after_b[c] == 0 {
                        continue;
                    }
                    let mut after_c = after_b;
                    after_c[c] -= 1;
                    for d in c..deal.len {
                        if after_c[d] == 0 {
                            continue;
                        }
                        let mut left = after_c;
                        left[d] -= 1;
                        four.set(deal, [a, b, c, d], &left);
                        self.split(deal, &counts, &mut four);
                    }
                }
            }
        }
        let mut totals = [0; OWN];
        for high in 0..deal.len {
            for low in 0..=high {
                let ways = ways(&counts, low, high);
                if ways == 0 {
                    continue;
                }
                let sums = &self.sums[kind_pair(low, high)];
                for own in 0..OWN {
                    let best = |seat: usize| {
                        let next = (0..OWN).filter(|&next| next != own);
                        next.map(|next| sums[own][seat][next]).max().unwrap_or(0)
                    };
                    totals[own] += ways
                        * match deal.winner(own, low, high) {
                            None => 2 * best(0),
                            Some(_) => best(1) + best(2),
                        };
                }
            }
        }
        totals
    }

    /// The payoffs around all totals that two turns can lead to.
    fn prepare(&mut self, payoffs: &Payoffs, deal: &Deal, place: usize) {
        let points = |kind: usize| deal.kinds[kind].points;
        for high in 0..deal.len {
            for low in 0..=high {
                let (x, y) = (points(low), points(high));
                self.sums[kind_pair(low, high)] = Default::default();
                self.both[kind_pair(low, high)] = [
                    (x + y) * STEP[1],
                    (x + y) * STEP[2],
                    x * STEP[1] + y * STEP[2],
                    x * STEP[2] + y * STEP[1],
                ]
                .map(|far| deal.around(payoffs, place + far));
            }
            for own in 0..OWN {
                self.mixed[high][own] = [1, 2].map(|seat| {
                    deal.around(payoffs, place + points(high) * STEP[seat] + deal.mine[own] * STEP[0])
                });
            }
        }
        for a in 0..OWN {
            for b in a + 1..OWN {
                self.mine[pair(a, b)] = deal.around(payoffs, place + (deal.mine[a] + deal.mine[b]) * STEP[0]);
            }
        }
    }

    /// Adds what four removed cards give, for every split into the pairs of turns 13 and 14.
    fn split(&mut self, deal: &Deal, counts: &[u8; UNKNOWN], four: &mut Four) {
        let k = four.kinds;
        // Places of the pairs of turn 13 among the four, and of turn 14.
        let splits = [
            ([0, 1], [2, 3]),
            ([2, 3], [0, 1]),
            ([0, 2], [1, 3]),
            ([1, 3], [0, 2]),
            ([0, 3], [1, 2]),
            ([1, 2], [0, 3]),
        ];
        for (n, (first, second)) in splits.into_iter().enumerate() {
            let kinds = first.map(|i| k[i]);
            if splits[..n].iter().any(|(other, _)| other.map(|i| k[i]) == kinds) {
                continue;
            }
            let mut left = *counts;
            left[kinds[0]] -= 1;
            left[kinds[1]] -= 1;
            let ways = ways(&left, k[second[0]], k[second[1]]);
            let sums = &mut self.sums[kind_pair(kinds[0], kinds[1])];
            for (own, sum) in sums.iter_mut().enumerate() {
                let won = four.winner(own, first);
                for next in (0..OWN).filter(|&next| next != own) {
                    let then = four.winner(next, second);
                    let gone = pair(own, next);
                    match (won, then) {
                        (None, None) => {
                            sum[0][next] += ways * 2 * four.mine(deal, &self.mine, gone);
                        }
                        (None, Some(q)) => {
                            let [x, y] = four.mixed(deal, &self.mixed, q, own);
                            sum[0][next] += ways * i32::from(x[gone] + y[gone]);
                        }
                        (Some(p), None) => {
                            let [x, y] = four.mixed(deal, &self.mixed, p, next);
                            sum[1][next] += ways * 2 * i32::from(x[gone]);
                            sum[2][next] += ways * 2 * i32::from(y[gone]);
                        }
                        (Some(p), Some(q)) => {
                            let [first, second, up, down] = four
                                .both(deal, &self.both, p.min(q), p.max(q))
                                .each_ref()
                                .map(|best| best[gone]);
                            // `up`: the lower for the first opponent.
                            let (p_first, p_second) = if p < q { (up, down) } else { (down, up) };
                            sum[1][next] += ways * i32::from(first + p_first);
                            sum[2][next] += ways * i32::from(second + p_second);
                        }
                    }
                }
            }
        }
    }
}

/// Four unknown cards that are gone after turn 14, and what turn 15 is worth then: filled when asked for.
struct Four {
    kinds: [usize; 4],
    weights: Weights,
    /// For each of the four, whether each own card is above it.
    above: [[bool; OWN]; 4],
    both: [Option<[Best; OWNERS]>; 6],
    mixed: [[Option<[Best; 2]>; OWN]; 4],
}

impl Four {
    fn new() -> Four {
        Four {
            kinds: [0; 4],
            weights: Weights { theirs: [[0; LANES]; UNKNOWN], mine: [0; LANES] },
            above: [[false; OWN]; 4],
            both: [None; 6],
            mixed: [[None; OWN]; 4],
        }
    }

    fn set(&mut self, deal: &Deal, kinds: [usize; 4], left: &[u8; UNKNOWN]) {
        self.kinds = kinds;
        deal.weights(left, &mut self.weights);
        self.above = kinds.map(|kind| std::array::from_fn(|own| own >= deal.kinds[kind].own_below));
        self.both = [None; 6];
        self.mixed = [[None; OWN]; 4];
    }

    /// Which of two of the four wins against an own card; none if that card does.
    #[inline]
    fn winner(&self, own: usize, [low, high]: [usize; 2]) -> Option<usize> {
        match (self.above[low][own], self.above[high][own]) {
            (true, false) => None,
            (true, true) => Some(high),
            _ => Some(low),
        }
    }

    #[inline]
    fn mine(&self, deal: &Deal, mine: &[Around; OWN_PAIRS], gone: usize) -> i32 {
        i32::from(bests(deal.last(&self.weights, &mine[gone]))[gone])
    }

    /// After one of the four has won for the first and for the second opponent, and an own card has won.
    #[inline]
    fn mixed(&mut self, deal: &Deal, mixed: &[[[Around; 2]; OWN]], q: usize, own: usize) -> &[Best; 2] {
        let around = &mixed[self.kinds[q]][own];
        let weights = &self.weights;
        self.mixed[q][own]
            .get_or_insert_with(|| around.each_ref().map(|around| bests(deal.last(weights, around))))
    }

    /// After two of the four have won.
    #[inline]
    fn both(&mut self, deal: &Deal, both: &[[Around; OWNERS]], p: usize, q: usize) -> &[Best; OWNERS] {
        let around = &both[kind_pair(self.kinds[p], self.kinds[q])];
        let weights = &self.weights;
        self.both[q * (q - 1) / 2 + p]
            .get_or_insert_with(|| around.each_ref().map(|around| bests(deal.last(weights, around))))
    }
}
