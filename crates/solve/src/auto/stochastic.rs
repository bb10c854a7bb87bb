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
use crate::fractions::Fractions;
use crate::graph::{Components, Graph, Numbering};
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use yomikiri_core::{Error, Game, Number, Rational, Run, Turn, text};

/// Single states between two looks at the cancel flag and at the memory.
const LOOK: u64 = 1 << 12;
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

/// A component taken out of the graph.
struct Local {
    turns: Vec<Turn>,
    targets: Vec<Vec<Target>>,
    /// The probabilities of chance.
    chances: Vec<Vec<Rational>>,
    /// The action each player takes in each of its states.
    chosen: Vec<usize>,
    values: Vec<Rational>,
}

/// Solves a graph for one or two players.
pub fn solve<G: Game>(graph: &Graph<G>, components: &Components, run: &Run<'_>) -> Result<Solved, Error> {
    let fixed = graph.bytes() + 12 * graph.len() as u64;
    run.fits(fixed)?;
    run.observer.begin(&text("improving strategies", "戦略の改善"), graph.len() as u64);
    let mut fractions = Fractions::default();
    let mut values = vec![0u32; graph.len()];
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
        if let &[state] = states
            && !graph.successors(state).contains(&state)
        {
            values[state as usize] = value(graph, state, &values, &mut fractions);
            continue;
        }
        (0..).zip(states).for_each(|(at, &state)| places[state as usize] = at);
        let mut local = Local::new(graph, states, &places, |state| fractions.get(values[state as usize]));
        local.guess(run)?;
        local.improve(run)?;
        for (&state, value) in states.iter().zip(local.values) {
            values[state as usize] = fractions.add(value);
            places[state as usize] = u32::MAX;
        }
    }
    run.observer.end();
    Ok(Solved { values, fractions, rows: Numbering::default(), distances: Vec::new() })
}

impl Local {
    fn new<G: Game>(
        graph: &Graph<G>,
        states: &[u32],
        places: &[u32],
        known: impl Fn(u32) -> Rational,
    ) -> Local {
        let target = |&t: &u32| match places[t as usize] {
            u32::MAX => Target::Known(known(t)),
            at => Target::Inside(at),
        };
        let mut local = Local {
            turns: states.iter().map(|&s| graph.turn(s)).collect(),
            targets: states.iter().map(|&s| graph.successors(s).iter().map(target).collect()).collect(),
            chances: Vec::with_capacity(states.len()),
            chosen: vec![0; states.len()],
            values: vec![Rational::zero(); states.len()],
        };
        for (at, &state) in states.iter().enumerate() {
            let weights = graph.weights(state);
            let total: u64 = weights.iter().map(|&w| u64::from(w)).sum();
            local.chances.push(weights.iter().map(|&w| Rational::new(w.into(), total.into())).collect());
            if let Some(&payoff) = graph.payoffs(state).first() {
                local.values[at] = Rational::from_int(payoff);
            }
        }
        local
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
        let chances: Vec<Vec<f64>> =
            self.chances.iter().map(|c| c.iter().map(Number::approx).collect()).collect();
        let mut values: Vec<f64> = self.values.iter().map(Number::approx).collect();
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
                self.evaluate();
                if !self.change(1) && !self.stay(1) {
                    break;
                }
            }
            if !self.change(0) && !self.stay(0) {
                return Ok(());
            }
        }
    }

    fn value<'a>(&'a self, target: &'a Target) -> &'a Rational {
        match target {
            Target::Inside(at) => &self.values[*at as usize],
            Target::Known(value) => value,
        }
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
                let value = self.value(&self.targets[at][a]);
                if Number::compare(value, self.value(&self.targets[at][best])) == better {
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
        let lost = |x: &Rational| if player == 0 { x.is_negative() } else { x.is_positive() };
        let mut kept: Vec<bool> = (0..self.turns.len())
            .map(|at| self.turns[at] != Turn::Terminal && lost(&self.values[at]))
            .collect();
        let inside = |t: &Target, kept: &[bool]| matches!(t, Target::Inside(at) if kept[*at as usize]);
        loop {
            let mut fell = false;
            for at in 0..kept.len() {
                let targets = &self.targets[at];
                let tight = |t: &&Target| self.value(t) == &self.values[at];
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
        for at in (0..kept.len()).filter(|&at| kept[at] && self.turns[at] == Turn::Player(player)) {
            let stays = |t: &Target| inside(t, &kept) && self.value(t) == &self.values[at];
            if let Some(a) = self.targets[at].iter().position(stays) {
                self.chosen[at] = a;
            }
        }
        kept.contains(&true)
    }

    /// The values if both keep to their strategies: one state after the other is taken out, and what leads to it leads on
    /// to where it leads.
    fn evaluate(&mut self) {
        let size = self.turns.len();
        let mut rows: Vec<BTreeMap<u32, Rational>> = vec![BTreeMap::new(); size];
        let mut sums = self.values.clone();
        for at in 0..size {
            if self.turns[at] == Turn::Terminal {
                continue;
            }
            sums[at] = Rational::zero();
            let one = Rational::one();
            let chosen = match self.turns[at] {
                Turn::Chance => self.targets[at].iter().zip(&self.chances[at]).collect(),
                _ => vec![(&self.targets[at][self.chosen[at]], &one)],
            };
            for (target, share) in chosen {
                match target {
                    Target::Inside(t) => *rows[at].entry(*t).or_insert_with(Rational::zero) += share,
                    Target::Known(value) => sums[at] += share * value,
                }
            }
        }
        let mut before: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); size];
        for (at, row) in (0..).zip(&rows) {
            row.keys().for_each(|&t| {
                before[t as usize].insert(at);
            });
        }
        let cost = |at: u32, rows: &[BTreeMap<u32, Rational>], before: &[BTreeSet<u32>]| {
            (rows[at as usize].len() * before[at as usize].len(), at)
        };
        let mut queue: BTreeSet<(usize, u32)> = (0..size as u32).map(|at| cost(at, &rows, &before)).collect();
        let mut order = Vec::with_capacity(size);
        while let Some((_, at)) = queue.pop_first() {
            order.push(at);
            let i = at as usize;
            before[i].remove(&at);
            let again = rows[i].remove(&at).unwrap_or_else(Rational::zero);
            if again.is_one() {
                // Nothing leads out of here: play is endless.
                sums[i] = Rational::zero();
            } else if !again.is_zero() {
                let rest = Rational::one() - again;
                rows[i].values_mut().for_each(|x| *x /= &rest);
                sums[i] /= &rest;
            }
            let touched: BTreeSet<u32> = before[i].iter().chain(rows[i].keys()).copied().collect();
            touched.iter().for_each(|&t| {
                queue.remove(&cost(t, &rows, &before));
            });
            let row = std::mem::take(&mut rows[i]);
            for &from in &std::mem::take(&mut before[i]) {
                let Some(share) = rows[from as usize].remove(&at) else { continue };
                let gained = &share * &sums[i];
                sums[from as usize] += gained;
                for (&t, x) in &row {
                    *rows[from as usize].entry(t).or_insert_with(Rational::zero) += &share * x;
                    before[t as usize].insert(from);
                }
            }
            row.keys().for_each(|&t| {
                before[t as usize].remove(&at);
            });
            rows[i] = row;
            touched.iter().for_each(|&t| {
                queue.insert(cost(t, &rows, &before));
            });
        }
        for &at in order.iter().rev() {
            let on: Rational = rows[at as usize].iter().map(|(&t, x)| x * &sums[t as usize]).sum();
            sums[at as usize] += on;
        }
        self.values = sums;
    }
}
