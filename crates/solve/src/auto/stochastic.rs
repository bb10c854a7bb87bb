//! Cycles and chance together: component by component, the exact value of a game that may go round in circles.
//!
//! Endless play is worth 0. Both players have best strategies that depend on the state alone, so a component is solved by
//! improving strategies: doubles guess them, then everything is done in fractions. Player 1 answers player 0's strategy
//! best, player 0 changes wherever something is better, until nothing is. A strategy is also improved by staying for ever,
//! without giving anything away, where the game would be lost: that is found as a set of states the player can keep to.
//! When neither way is left, the values are those of the game: from a state worth more than 0 player 0 comes to an
//! end however player 1 plays without loss, and the same holds for player 1 below 0.

use super::Solved;
use super::induction::value;
use crate::fractions::{Fractions, rounded};
use crate::graph::{Components, Net};
use crate::modular::{self, Elimination, Equations, Ratios};
use crate::on_threads;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use yomikiri_core::{Error, Number, Rational, Run, Turn, text};

/// Single states between two looks at the cancel flag and at the memory.
const LOOK: u64 = 1 << 12;
/// Bits of a denominator up to which values are told as fractions.
const EXACT: u64 = 768;
/// Bits after the point where they are bounded instead.
const ROUNDED: u64 = 192;
/// Sweeps of the guess at most.
const SWEEPS: usize = 20_000;
/// The guess is good enough when nothing changes by more.
const CLOSE: f64 = 1e-13;

/// Where an action or outcome leads: within the component, or to a state whose value is known.
#[derive(Clone, Debug)]
enum Target {
    Inside(u32),
    Known(Rational),
}

impl Target {
    /// The value that is known.
    fn known(&self) -> Option<&Rational> {
        match self {
            Target::Known(value) => Some(value),
            Target::Inside(_) => None,
        }
    }
}

/// A component taken out of the graph.
struct Local {
    turns: Vec<Turn>,
    targets: Vec<Vec<Target>>,
    /// The weights of chance.
    weights: Vec<Vec<u32>>,
    /// The action each player takes in each of its states.
    chosen: Vec<usize>,
    /// The values of all states, over one denominator: to compare them no common one must be found.
    values: Ratios,
}

/// Solves a graph for one or two players. Where fractions outgrow [`EXACT`] bits, what follows is bounded from both sides
/// instead: a game is worth no less where what it leads to is worth no less, so that every component is solved twice, with
/// what is known of the others rounded down and rounded up.
pub fn solve(graph: &Net, components: &Components, run: &Run<'_>) -> Result<Solved, Error> {
    match run.threads {
        0 | 1 => by_components(graph, components, run),
        _ => on_threads(run, || by_components(graph, components, run))?,
    }
}

fn by_components(graph: &Net, components: &Components, run: &Run<'_>) -> Result<Solved, Error> {
    let fixed = graph.bytes() + 16 * graph.len() as u64;
    run.fits(fixed)?;
    run.observer.begin(&text("improving strategies", "戦略の改善"), graph.len() as u64);
    let mut fractions = Fractions::default();
    let mut lows = vec![0u32; graph.len()];
    let mut highs: Option<Vec<u32>> = None;
    let mut places = vec![u32::MAX; graph.len()];
    let mut done = 0u64;
    for component in 0..components.len() {
        let states = components.get(component);
        if done.is_multiple_of(LOOK) || states.len() > 1 {
            run.check()?;
            run.fits(fixed + fractions.bytes())?;
            run.observer.done(done);
        }
        done += states.len() as u64;
        let mut found = match states {
            &[state] if !graph.successors(state).contains(&state) => [Some(&lows), highs.as_ref()]
                .into_iter()
                .flatten()
                .map(|values| {
                    let number = value(graph, state, values, &mut fractions);
                    Settled::One(number, fractions.bits(number))
                })
                .collect(),
            _ => {
                (0..).zip(states).for_each(|(at, &state)| places[state as usize] = at);
                let side = |values: &[u32]| {
                    let known = |state: u32| fractions.get(values[state as usize]);
                    Local::new(graph, states, &places, known).solve(run).map(Settled::Many)
                };
                let found = both(&lows, highs.as_deref(), side, run)?;
                states.iter().for_each(|&state| places[state as usize] = u32::MAX);
                found
            }
        };
        if highs.is_none() && found[0].is_long() {
            // From here on low and high ends go ways of their own.
            highs = Some(lows.clone());
            found.push(found[0].clone());
        }
        let rounds = highs.is_some();
        for (values, (found, up)) in
            [Some(&mut lows), highs.as_mut()].into_iter().flatten().zip(found.into_iter().zip([false, true]))
        {
            let numbers = found.numbers(rounds.then_some(up), &mut fractions);
            states.iter().zip(numbers).for_each(|(&state, number)| values[state as usize] = number);
        }
    }
    run.observer.end();
    let mut width: f64 = 0.0;
    if let Some(highs) = highs {
        for (low, high) in lows.iter_mut().zip(highs).filter(|(low, high)| **low != *high) {
            width = width.max((fractions.get(high) - fractions.get(*low)).approx());
            *low = fractions.average([(1, *low), (1, high)].into_iter());
        }
    }
    // Doubles round, too.
    Ok(Solved { width: width * 1.01, ..Solved::new(lows, fractions) })
}

/// The values of a component's states, for player 0.
#[derive(Clone)]
enum Settled {
    /// Of a single state, by its number.
    One(u32, u64),
    Many(Ratios),
}

impl Settled {
    /// Whether there are fractions too long to be told.
    fn is_long(&self) -> bool {
        match self {
            Settled::One(_, bits) => *bits > EXACT,
            Settled::Many(found) => {
                let long = |numer: &BigInt| (&found.denom / numer.gcd(&found.denom)).bits() > EXACT;
                found.denom.bits() > EXACT && found.numers.iter().any(long)
            }
        }
    }

    /// The numbers of the values, rounded up or down if that is said.
    fn numbers(self, up: Option<bool>, fractions: &mut Fractions) -> Vec<u32> {
        match (self, up) {
            (Settled::One(number, _), None) => vec![number],
            (Settled::One(number, _), Some(up)) => vec![fractions.rounded(number, ROUNDED, up)],
            (Settled::Many(Ratios { numers, denom }), up) => {
                let one = |numer: BigInt| match up {
                    Some(up) if denom.bits() > ROUNDED => rounded(&numer, &denom, ROUNDED, up),
                    _ => Rational::new(numer, denom.clone()),
                };
                numers.into_iter().map(|numer| fractions.add(one(numer))).collect()
            }
        }
    }
}

/// What comes of low ends and, if there are any, of high ends: beside each other where there is more than one thread.
fn both<T: Send>(
    lows: &[u32],
    highs: Option<&[u32]>,
    side: impl Fn(&[u32]) -> Result<T, Error> + Sync,
    run: &Run<'_>,
) -> Result<Vec<T>, Error> {
    let Some(highs) = highs else { return Ok(vec![side(lows)?]) };
    let (low, high) = match run.threads {
        0 | 1 => (side(lows), side(highs)),
        _ => rayon::join(|| side(lows), || side(highs)),
    };
    Ok(vec![low?, high?])
}

impl Local {
    fn new(graph: &Net, states: &[u32], places: &[u32], known: impl Fn(u32) -> Rational) -> Local {
        let target = |&t: &u32| match places[t as usize] {
            u32::MAX => Target::Known(known(t)),
            at => Target::Inside(at),
        };
        // An end of the game leads nowhere and is never in here.
        Local {
            turns: states.iter().map(|&s| graph.turn(s)).collect(),
            targets: states.iter().map(|&s| graph.successors(s).iter().map(target).collect()).collect(),
            weights: states.iter().map(|&s| graph.weights(s).to_vec()).collect(),
            chosen: vec![0; states.len()],
            values: Ratios { numers: vec![BigInt::zero(); states.len()], denom: BigInt::one() },
        }
    }

    /// The values of all states.
    fn solve(mut self, run: &Run<'_>) -> Result<Ratios, Error> {
        self.guess(run)?;
        self.improve(run)?;
        Ok(self.values)
    }

    /// Strategies that look best in doubles.
    fn guess(&mut self, run: &Run<'_>) -> Result<(), Error> {
        let known: Vec<Vec<f64>> = self
            .targets
            .iter()
            .map(|targets| {
                let of = |t: &Target| if let Target::Known(x) = t { x.approx() } else { 0.0 };
                targets.iter().map(of).collect()
            })
            .collect();
        let chances: Vec<Vec<f64>> = self
            .weights
            .iter()
            .map(|weights| {
                let total: f64 = weights.iter().map(|&w| f64::from(w)).sum();
                weights.iter().map(|&w| f64::from(w) / total).collect()
            })
            .collect();
        let mut values = vec![0.0; self.turns.len()];
        let of = |at: usize, a: usize, values: &[f64]| match self.targets[at][a] {
            Target::Inside(t) => values[t as usize],
            Target::Known(_) => known[at][a],
        };
        let best = |at: usize, player: u8, values: &[f64]| {
            let mut best = (0, of(at, 0, values));
            for a in 1..self.targets[at].len() {
                let value = of(at, a, values);
                if (player == 0 && value > best.1 + CLOSE) || (player != 0 && value < best.1 - CLOSE) {
                    best = (a, value);
                }
            }
            best
        };
        for sweep in 0..SWEEPS {
            if sweep % 64 == 0 {
                run.check()?;
            }
            let mut change: f64 = 0.0;
            for at in 0..values.len() {
                let value = match self.turns[at] {
                    Turn::Terminal => continue,
                    Turn::Chance => (0..chances[at].len()).map(|a| chances[at][a] * of(at, a, &values)).sum(),
                    Turn::Player(player) => best(at, player, &values).1,
                };
                change = change.max((value - values[at]).abs());
                values[at] = value;
            }
            if change < CLOSE {
                break;
            }
        }
        let chosen = (0..values.len()).map(|at| match self.turns[at] {
            Turn::Player(player) => best(at, player, &values).0,
            _ => 0,
        });
        self.chosen = chosen.collect();
        Ok(())
    }

    /// Improves the strategies until they are best.
    fn improve(&mut self, run: &Run<'_>) -> Result<(), Error> {
        loop {
            // Player 1 answers as well as it can.
            loop {
                run.check()?;
                self.evaluate(run)?;
                if !self.change(1) && !self.stay(1) {
                    break;
                }
            }
            if !self.change(0) && !self.stay(0) {
                return Ok(());
            }
        }
    }

    /// What a target is worth, as a quotient.
    fn value<'a>(&'a self, target: &'a Target) -> (&'a BigInt, &'a BigInt) {
        match target {
            Target::Inside(at) => (&self.values.numers[*at as usize], &self.values.denom),
            Target::Known(value) => (value.numer(), value.denom()),
        }
    }

    /// How the worths of two targets compare.
    fn compare(&self, a: &Target, b: &Target) -> Ordering {
        let ((a, over), (b, under)) = (self.value(a), self.value(b));
        if over == under { a.cmp(b) } else { (a * under).cmp(&(b * over)) }
    }

    /// Lets a player take a better action wherever there is one; whether there was.
    fn change(&mut self, player: u8) -> bool {
        let better = if player == 0 { Ordering::Greater } else { Ordering::Less };
        let mut changed = false;
        for at in 0..self.turns.len() {
            if self.turns[at] != Turn::Player(player) {
                continue;
            }
            let mut best = self.chosen[at];
            for a in 0..self.targets[at].len() {
                if self.compare(&self.targets[at][a], &self.targets[at][best]) == better {
                    best = a;
                }
            }
            changed |= best != self.chosen[at];
            self.chosen[at] = best;
        }
        changed
    }

    /// Lets a player stay for ever, where it would lose and can do so without giving anything away; whether it can
    /// anywhere. Against player 1 the strategy of player 0 stands; player 0 stays against all that player 1 would do.
    fn stay(&mut self, player: u8) -> bool {
        let lost = |x: &BigInt| if player == 0 { x.is_negative() } else { x.is_positive() };
        let mut kept: Vec<bool> = self.values.numers.iter().map(lost).collect();
        let same = |t: &Target, at: usize| self.compare(t, &Target::Inside(at as u32)) == Ordering::Equal;
        let inside = |t: &Target, kept: &[bool]| matches!(t, Target::Inside(at) if kept[*at as usize]);
        loop {
            let mut fell = false;
            for at in 0..kept.len() {
                let targets = &self.targets[at];
                let tight = |t: &&Target| same(t, at);
                let stays = kept[at]
                    && match self.turns[at] {
                        Turn::Player(p) if p == player => {
                            targets.iter().filter(tight).any(|t| inside(t, &kept))
                        }
                        Turn::Player(0) => inside(&targets[self.chosen[at]], &kept),
                        Turn::Player(_) => targets.iter().filter(tight).all(|t| inside(t, &kept)),
                        _ => targets.iter().all(|t| inside(t, &kept)),
                    };
                fell |= kept[at] && !stays;
                kept[at] = stays;
            }
            if !fell {
                break;
            }
        }
        let mut chosen = self.chosen.clone();
        for at in (0..kept.len()).filter(|&at| kept[at] && self.turns[at] == Turn::Player(player)) {
            let stays = |t: &Target| inside(t, &kept) && same(t, at);
            if let Some(a) = self.targets[at].iter().position(stays) {
                chosen[at] = a;
            }
        }
        self.chosen = chosen;
        kept.contains(&true)
    }

    /// Where a state leads if both keep to their strategies, and how likely.
    fn leads(&self, at: usize) -> Vec<(&Target, u32)> {
        match self.turns[at] {
            Turn::Terminal => Vec::new(),
            Turn::Chance => self.targets[at].iter().zip(self.weights[at].iter().copied()).collect(),
            Turn::Player(_) => vec![(&self.targets[at][self.chosen[at]], 1)],
        }
    }

    /// The values if both keep to their strategies: 0 where play is endless, and equations where it ends.
    fn evaluate(&mut self, run: &Run<'_>) -> Result<(), Error> {
        let size = self.turns.len();
        let mut ends: Vec<bool> = (0..size)
            .map(|at| {
                self.turns[at] == Turn::Terminal || self.leads(at).iter().any(|(t, _)| t.known().is_some())
            })
            .collect();
        // Backwards from where it ends.
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); size];
        for at in 0..size {
            for (target, _) in self.leads(at) {
                if let Target::Inside(t) = target {
                    before[*t as usize].push(at as u32);
                }
            }
        }
        let mut open: Vec<u32> = (0..size as u32).filter(|&at| ends[at as usize]).collect();
        while let Some(at) = open.pop() {
            for &from in &before[at as usize] {
                if !std::mem::replace(&mut ends[from as usize], true) {
                    open.push(from);
                }
            }
        }
        // Most denominators are the same.
        let common = |denom: BigInt, x: &Rational| match (&denom % x.denom()).is_zero() {
            true => denom,
            false => denom.lcm(x.denom()),
        };
        let known = (0..size).flat_map(|at| self.leads(at)).filter_map(|(target, _)| target.known());
        let denom = known.fold(BigInt::one(), common);
        let unknown: Vec<usize> =
            (0..size).filter(|&at| ends[at] && self.turns[at] != Turn::Terminal).collect();
        let mut place = vec![u32::MAX; size];
        (0..).zip(&unknown).for_each(|(number, &at)| place[at] = number);
        let mut equations = Equations { rows: Vec::new(), right: Vec::new(), unknowns: unknown.len() };
        for &at in &unknown {
            let leads = self.leads(at);
            let total: i64 = leads.iter().map(|l| i64::from(l.1)).sum();
            let mut row = BTreeMap::from([(place[at], total)]);
            let mut right = BigInt::zero();
            for (target, weight) in leads {
                match target {
                    Target::Known(x) => right += x.numer() * (&denom / x.denom()) * weight,
                    Target::Inside(t) if ends[*t as usize] => {
                        *row.entry(place[*t as usize]).or_insert(0) -= i64::from(weight);
                    }
                    Target::Inside(_) => {}
                }
            }
            equations.rows.push(row.into_iter().filter(|e| e.1 != 0).collect());
            equations.right.push(right);
        }
        let elimination = Elimination::of(&equations, run)?;
        let given = vec![0; elimination.free.len()];
        let found = modular::solve(&equations, &elimination, (&given, 1), run)?;
        let Some(found) = found.filter(|_| given.is_empty()) else {
            return Err(Error::Bug("equations that a prime does not solve".to_owned()));
        };
        let known = |number: u32| found.numers.get(number as usize).cloned().unwrap_or_default();
        self.values = Ratios { numers: place.into_iter().map(known).collect(), denom: denom * &found.denom };
        Ok(())
    }
}
