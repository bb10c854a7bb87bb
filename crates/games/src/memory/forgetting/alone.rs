//! One player who remembers everything against one who remembers nothing and turns two cards at random.
//!
//! Only one player decides, and a position comes back in one way alone: that player passes, and the other turns two cards
//! that are known already. So what passing for ever is worth follows at once, and everything is exact.

use super::super::rules::{Action, Counts, Memory, Objective, Phase, State};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use yomikiri_core::combin::binomial;
use yomikiri_core::{Error, Game, Number, Rational, Run};

/// Bytes of a value in a map.
const ENTRY: u64 = 48;

/// The values of the player who remembers, as far as they were asked for.
pub struct Alone<'a, N> {
    cards: Memory,
    /// By cards and lead, that player being to move.
    known: FxHashMap<(Counts, i16), N>,
    /// The same, the other being to move.
    waits: FxHashMap<(Counts, i16), N>,
    /// Raised to stop: what comes out then is worth nothing.
    cancel: Option<&'a AtomicBool>,
}

/// What the other does to the cards, with its weight: takes a pair, or shows what was not known; or nothing changes.
struct Draw {
    weight: u32,
    cards: Counts,
    pair: bool,
}

impl<'a, N: Number> Alone<'a, N> {
    /// Nothing asked yet.
    pub fn new(cards: &Memory) -> Alone<'a, N> {
        Alone { cards: cards.clone(), known: FxHashMap::default(), waits: FxHashMap::default(), cancel: None }
    }

    /// The same for a run, which it stops with.
    ///
    /// # Errors
    /// If what may have to be kept does not fit into the memory of the run.
    pub fn within(cards: &Memory, run: &Run<'a>) -> Result<Alone<'a, N>, Error> {
        let kinds = cards.patterns().len() as u64 - 1;
        let leads = if cards.objective() == Objective::Win { cards.total_pairs() as u64 + 1 } else { 1 };
        let states = binomial(cards.ranks() as u64 + kinds, kinds).saturating_mul(leads);
        // Two maps, with room to grow.
        run.fits(states.saturating_mul(2 * ENTRY))?;
        Ok(Alone { cancel: Some(run.cancel), ..Alone::new(cards) })
    }

    /// The same for whoever asks on after the run.
    pub fn settled(self) -> Alone<'static, N> {
        Alone { cards: self.cards, known: self.known, waits: self.waits, cancel: None }
    }

    fn stopped(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    fn moved(&self, x: &Counts, from: usize, unknown: u8, known: u8) -> Counts {
        let mut x = *x;
        x[from] -= 1;
        x[usize::from(self.cards.place(unknown, known))] += 1;
        x
    }

    /// What two cards drawn at random come to, in order: weights are those of ordered pairs of cards.
    fn draws(&self, x: &Counts) -> Vec<Draw> {
        let patterns = self.cards.patterns();
        let mut draws = Vec::new();
        for (i, p) in patterns.iter().enumerate().filter(|(i, _)| x[*i] > 0) {
            // The first card is unknown or known.
            for (first, of) in [(true, p.unknown), (false, p.known)].into_iter().filter(|f| f.1 > 0) {
                let one = u32::from(x[i]) * u32::from(of);
                let rest = (p.unknown - u8::from(first), p.known - u8::from(!first));
                // The second is of the same rank.
                for (second, of) in [(true, rest.0), (false, rest.1)].into_iter().filter(|s| s.1 > 0) {
                    let left = (rest.0 - u8::from(second), rest.1 - u8::from(!second));
                    let cards = self.moved(x, i, left.0, left.1);
                    draws.push(Draw { weight: one * u32::from(of), cards, pair: true });
                }
                // Or of another, and what was unknown of either is known then.
                let shown = if first { self.moved(x, i, p.unknown - 1, p.known + 1) } else { *x };
                for (j, q) in patterns.iter().enumerate() {
                    let ranks = u32::from(x[j]) - u32::from(i == j);
                    for (second, of) in [(true, q.unknown), (false, q.known)] {
                        if ranks > 0 && of > 0 {
                            let weight = one * ranks * u32::from(of);
                            let cards = if second {
                                self.moved(&shown, j, q.unknown - 1, q.known + 1)
                            } else {
                                shown
                            };
                            draws.push(Draw { weight, cards, pair: false });
                        }
                    }
                }
            }
        }
        draws
    }

    fn over(&self, x: &Counts, lead: i16) -> Option<N> {
        let left = self.cards.remaining(x);
        let win = self.cards.objective() == Objective::Win;
        let decided = left == 0 || win && usize::from(lead.unsigned_abs()) > left;
        decided.then(|| N::from_int(if win { lead.signum() } else { lead }.into()))
    }

    /// What the turn of the other is worth, apart from what leaves everything as it is; and how likely that is.
    fn other(&mut self, x: &Counts, lead: i16) -> (N, u32, u64) {
        let draws = self.draws(x);
        let all: u64 = draws.iter().map(|d| u64::from(d.weight)).sum();
        let (mut sum, mut stays) = (N::from_int(0), 0);
        for draw in draws {
            if !draw.pair && draw.cards == *x {
                stays += draw.weight;
            } else {
                let value = match draw.pair {
                    true => self.waiting(&draw.cards, lead - 1),
                    false => self.value(&draw.cards, lead),
                };
                sum.add_weighted(draw.weight, &value);
            }
        }
        (sum, stays, all)
    }

    /// What a position is worth in which the other is to move.
    pub fn waiting(&mut self, x: &Counts, lead: i16) -> N {
        if let Some(value) = self.over(x, lead) {
            return value;
        }
        if let Some(value) = self.waits.get(&(*x, lead)) {
            return value.clone();
        }
        let (mut sum, stays, all) = self.other(x, lead);
        if stays > 0 {
            let value = self.value(x, lead);
            sum.add_weighted(stays, &value);
        }
        sum.divide(all);
        self.waits.insert((*x, lead), sum.clone());
        sum
    }

    /// What a position is worth in which the player who remembers is to move.
    pub fn value(&mut self, x: &Counts, lead: i16) -> N {
        if let Some(value) = self.over(x, lead) {
            return value;
        }
        if let Some(value) = self.known.get(&(*x, lead)) {
            return value.clone();
        }
        if self.stopped() {
            return N::from_int(0);
        }
        let s = self.cards.position(*x, 0, false);
        let (mut actions, mut best): (Vec<Action>, Option<N>) = (Vec::new(), None);
        // The rules of the cards, with whatever the lead is.
        let rules = State { diff: 0, ..s };
        self.cards.actions(&rules, &mut actions);
        let consider = |value: N, best: &mut Option<N>| {
            if best.as_ref().is_none_or(|best| value.compare(best).is_gt()) {
                *best = Some(value);
            }
        };
        for a in actions {
            match a {
                Action::Pass => {
                    let (mut sum, stays, all) = self.other(x, lead);
                    // Passing again and again, until something happens.
                    if all > u64::from(stays) {
                        sum.divide(all - u64::from(stays));
                        consider(sum, &mut best);
                    }
                }
                _ => {
                    let value = self.after(&self.cards.apply(&rules, a), lead);
                    consider(value, &mut best);
                }
            }
        }
        let best = best.unwrap_or_else(|| N::from_int(0));
        self.known.insert((*x, lead), best.clone());
        best
    }

    /// What a position in the middle of the turn is worth, or one right after it.
    pub(super) fn after(&mut self, s: &State, lead: i16) -> N {
        match s.phase {
            Phase::First if s.mover == 1 => self.waiting(&s.counts, lead),
            Phase::First => self.value(&s.counts, lead + s.diff),
            Phase::Over => N::from_int(0),
            Phase::Flip | Phase::Pair(_) => {
                let mut outcomes = Vec::new();
                self.cards.chance(s, &mut outcomes);
                let mut sum = N::from_int(0);
                for &(a, weight) in &outcomes {
                    let value = self.after(&self.cards.apply(s, a), lead);
                    sum.add_weighted(weight, &value);
                }
                sum.divide(outcomes.iter().map(|o| u64::from(o.1)).sum());
                sum
            }
            Phase::Second(_) => {
                let mut actions = Vec::new();
                self.cards.actions(s, &mut actions);
                let values = actions.into_iter().map(|a| self.after(&self.cards.apply(s, a), lead));
                let all: Vec<N> = values.collect();
                let best = all.into_iter().reduce(|a, b| if b.compare(&a).is_gt() { b } else { a });
                best.unwrap_or_else(|| N::from_int(0))
            }
        }
    }

    /// What the start is worth to the player who remembers, moving first and moving second.
    pub fn start(&mut self) -> (N, N) {
        let x = self.cards.start().counts;
        (self.value(&x, 0), self.waiting(&x, 0))
    }

    /// Positions looked at.
    pub fn positions(&self) -> u64 {
        self.known.len() as u64
    }

    /// Bytes the values take.
    pub fn bytes(&self) -> u64 {
        (self.known.capacity() + self.waits.capacity()) as u64 * ENTRY
    }
}

/// The same as fractions.
pub fn exactly(cards: &Memory) -> (Rational, Rational) {
    Alone::new(cards).start()
}
