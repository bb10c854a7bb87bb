//! How many moves are lost: every pair costs a move whenever it is taken, so that only the misses depend on how one plays.
//!
//! - A pair of a rank with at least two more known than unknown cards changes nothing while it lies there, so that
//!   (0,4), (1,3) and (0,2) are looked up as what is left without it.
//! - With U unknown cards a value is a whole number over U!, because turning a card divides by U: the table needs only
//!   additions and comparisons of whole numbers.

use super::{Solitaire, Table};
use num_bigint::BigInt;
use yomikiri_core::combin::Fillings;
use yomikiri_core::text::grouped;
use yomikiri_core::{Error, Number, Rational, Run, Text, text};
use yomikiri_games::memory::rules::{Counts, MAX_PATTERNS, Memory, Pattern, Phase};
use yomikiri_solve::Solution;
use yomikiri_solve::solution::Stored;

/// A number of misses times the factorial of the unknown cards.
type Whole = BigInt;
/// Ranks by the patterns that are kept.
type Kept = [usize; MAX_PATTERNS];

/// The expected misses of every state of the cards.
pub struct Misses {
    patterns: Vec<Pattern>,
    /// The patterns' places, by unknown and known cards; none for those that count as gone.
    places: Vec<Vec<Option<usize>>>,
    fillings: Fillings,
    cards: usize,
    /// The factorials of all numbers of unknown cards.
    scales: Vec<Whole>,
    /// By unknown cards, then by pairs.
    values: Vec<Vec<Vec<Whole>>>,
    /// How the moves compare.
    pub tally: Tally,
}

/// How the moves compare, over all states of the cards with an unknown card and no pair that is free to take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// States.
    pub states: u64,
    /// Where the simple play is not among the best: turn a card, take its partner if that is known, else turn another.
    pub not_simple: u64,
    /// States with a known pair of a rank that has as many unknown cards.
    pub pairs: u64,
    /// Where taking such a pair is better than leaving it, as good, and worse.
    pub taking: [u64; 3],
}

impl Misses {
    /// Solves all states of the cards.
    ///
    /// # Errors
    /// If the memory of the run does not suffice, or it is cancelled.
    pub fn solve(cards: &Memory, run: &Run<'_>) -> Result<Misses, Error> {
        let (ranks, all) = (cards.ranks(), cards.ranks() * cards.copies());
        let patterns: Vec<Pattern> =
            cards.patterns().iter().copied().filter(|p| p.unknown > 0 && !p.free_pair()).collect();
        let mut places = vec![vec![None; cards.copies() + 1]; cards.copies() + 1];
        for p in cards.patterns() {
            let mut left = *p;
            while left.free_pair() {
                left.known -= 2;
            }
            let place = patterns.iter().position(|q| *q == left);
            places[usize::from(p.unknown)][usize::from(p.known)] = place;
        }
        let top = (all, cards.total_pairs());
        run.fits(
            (top.0 as u64 + 1) * (top.1 as u64 + 1) * (ranks as u64 + 1) * 8 * (patterns.len() as u64 + 1),
        )?;
        let weights: Vec<(usize, usize)> = patterns.iter().map(|p| (p.unknown.into(), p.pairs())).collect();
        let fillings = Fillings::new(&weights, top, ranks);
        let (values, tally) = (Vec::with_capacity(all + 1), Tally::default());
        let mut scales = vec![Whole::from(1)];
        (1..=all).for_each(|u| scales.push(&scales[u - 1] * u));
        let mut table = Misses { patterns, places, fillings, cards: all, scales, values, tally };
        run.fits(table.bytes())?;
        run.observer.begin(&text("unknown cards", "未知の札の枚数ごとの計算"), all as u64);
        for unknown in 0..=all {
            table.values.push(Vec::with_capacity(top.1 + 1));
            for pairs in 0..=top.1 {
                run.check()?;
                let block = table.block(unknown, pairs);
                table.values[unknown].push(block);
            }
            run.observer.done(unknown as u64);
        }
        run.observer.end();
        Ok(table)
    }

    /// The values with so many unknown cards and pairs.
    fn block(&mut self, unknown: usize, pairs: usize) -> Vec<Whole> {
        let len = self.fillings.len((unknown, pairs));
        let mut block = Vec::with_capacity(len as usize);
        for at in 0..len {
            let mut x: Kept = [0; MAX_PATTERNS];
            if let Some(counts) = self.fillings.unrank((unknown, pairs), at) {
                x[..counts.len()].copy_from_slice(&counts);
            }
            block.push(if unknown == 0 { Whole::default() } else { self.least(&x, unknown) });
        }
        block
    }

    /// The fewest misses of a state with unknown cards.
    fn least(&mut self, x: &Kept, unknown: usize) -> Whole {
        let known: usize = self.patterns.iter().zip(x).filter(|(p, _)| p.known > 0).map(|(_, n)| n).sum();
        let (one, two) = (&self.scales[unknown - 1], &self.scales[unknown.saturating_sub(2)]);
        // The best way to go on after turning a card, and the simple one.
        let (mut turned, mut simple) = (Whole::default(), true);
        for (i, p) in self.patterns.iter().enumerate().filter(|(i, p)| x[*i] > 0 && p.unknown > 0) {
            let shown = self.moved(x, i, p.unknown - 1, p.known + 1);
            let same =
                (p.known > 0).then(|| self.after(&self.moved(x, i, p.unknown - 1, p.known - 1)).clone());
            let different = (known > usize::from(p.known > 0)).then(|| self.after(&shown) + one);
            let another = (unknown > 1).then(|| {
                let mut sum = Whole::default();
                for (j, q) in self.patterns.iter().enumerate() {
                    let ranks = x[j] - usize::from(i == j);
                    if ranks > 0 {
                        let both = self.moved(&shown, j, q.unknown - 1, q.known + 1);
                        sum += (self.after(&both) + two) * (ranks * usize::from(q.unknown));
                    }
                }
                if p.unknown > 1 {
                    let matched = self.after(&self.moved(x, i, p.unknown - 2, p.known));
                    sum += matched * (usize::from(p.unknown) - 1);
                }
                sum
            });
            let usual = if same.is_some() { same.clone() } else { another.clone() };
            let best = [same, different, another].into_iter().flatten().min();
            simple &= best == usual;
            turned += best.unwrap_or_default() * (x[i] * usize::from(p.unknown));
        }
        let takes = self.patterns.iter().enumerate().filter(|(i, p)| x[*i] > 0 && p.known > 1);
        let taken = takes.map(|(i, p)| self.after(&self.moved(x, i, p.unknown, p.known - 2)).clone()).min();
        self.tally.states += 1;
        if let Some(taken) = taken {
            self.tally.pairs += 1;
            self.tally.taking[(taken.cmp(&turned) as i8 + 1) as usize] += 1;
            simple &= turned <= taken;
            turned = turned.min(taken);
        }
        self.tally.not_simple += u64::from(!simple);
        turned
    }

    /// The state with one rank in another pattern.
    fn moved(&self, x: &Kept, from: usize, unknown: u8, known: u8) -> Kept {
        let mut next = *x;
        next[from] -= 1;
        if let Some(to) = self.places[usize::from(unknown)][usize::from(known)] {
            next[to] += 1;
        }
        next
    }

    /// The value of a state that comes before, over the factorial of its unknown cards.
    fn after(&self, x: &Kept) -> &Whole {
        let (mut unknown, mut pairs) = (0, 0);
        for (p, n) in self.patterns.iter().zip(x) {
            unknown += usize::from(p.unknown) * n;
            pairs += p.pairs() * n;
        }
        &self.values[unknown][pairs][self.fillings.rank(&x[..self.patterns.len()]) as usize]
    }

    /// The expected misses from a state of the cards on.
    fn misses(&self, cards: &Memory, counts: &Counts) -> Rational {
        let mut x: Kept = [0; MAX_PATTERNS];
        for (p, n) in cards.patterns().iter().zip(counts) {
            if let Some(to) = self.places[usize::from(p.unknown)][usize::from(p.known)] {
                x[to] += usize::from(*n);
            }
        }
        Rational::new(self.after(&x).clone(), self.scales[cards.unknown(counts)].clone())
    }

    /// The least expected number of moves from a state of the cards on.
    pub fn expected(&self, cards: &Memory, counts: &Counts) -> Rational {
        self.misses(cards, counts) + Rational::from_int(cards.remaining(counts) as i32)
    }

    fn states(&self) -> u64 {
        self.by_unknown().map(|(_, states)| states).sum()
    }

    fn by_unknown(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        let states = |unknown| (0..=self.cards).map(|pairs| self.fillings.len((unknown, pairs))).sum();
        (0..=self.cards).map(move |unknown| (unknown, states(unknown)))
    }

    /// Bytes of memory it takes.
    pub fn bytes(&self) -> u64 {
        self.by_unknown().map(|(unknown, states)| states * (self.scales[unknown].bits() / 8 + 56)).sum()
    }
}

impl Solution<Solitaire> for Misses {
    type Number = Rational;

    fn stored(&self, game: &Solitaire, s: &Table) -> Stored<Rational> {
        if s.phase != Phase::First {
            return Stored::LookThrough;
        }
        let moves = self.expected(&game.cards, &s.counts) + Rational::from_int(s.moves.into());
        Stored::Value(moves.negate())
    }
    fn positions(&self) -> Option<u64> {
        Some(self.states())
    }
    fn how(&self) -> Text {
        let states = grouped(self.states());
        Text::of(
            format!(
                "one player, chance, {states} states of the cards, on which alone the misses to come depend: solved by induction in whole numbers"
            ),
            format!(
                "1人、偶然あり、札の状態{states}個（外れの回数はこれだけで決まる）：整数による後ろ向き帰納法で解きました"
            ),
        )
    }
}
