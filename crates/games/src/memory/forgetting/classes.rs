//! Two players who forget: class by class.
//!
//! Known cards become unknown again, so that positions come back; but a pair that is taken never does. Positions with the
//! same ranks of four, of two, … cards are a class. In a class both players' turns are iterated from below and from above at
//! once: every strategy ends the game or leaves the class with probability 1, so the two meet, and the value is between.

use super::super::rules::{Counts, MAX_PATTERNS, Memory, Objective, Phase};
use super::model::Model;
use super::rules::{Act, At, Forgetting};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use yomikiri_core::combin::binomial;
use yomikiri_core::{Error, Game, Run, Turn, text};
use yomikiri_solve::on_threads;

/// Both ends are close enough.
const CLOSE: f64 = 1e-13;
/// Sweeps of a class at most; what is left then is the width of the result.
const SWEEPS: usize = 20_000;
/// Expected passes that move no more than this from sweep to sweep are found.
const CLOSE_PASSES: f64 = 1e-11;
/// A pass is strictly best if it is better by more.
const TOLERANCE: f64 = 1e-11;

/// Ranks on the table by the pairs they have left.
type Key = [u8; 4];

/// A state of another class: the class is solved.
#[derive(Clone, Copy)]
struct Lower {
    class: usize,
    at: usize,
}

/// A first card that is turned.
struct Turned {
    weight: f64,
    same: Option<Lower>,
    different: Vec<usize>,
    unknown: Vec<(f64, usize)>,
    matched: Option<(f64, Lower)>,
}

/// The moves of a state.
struct Plan {
    unknown: f64,
    takes: Vec<Lower>,
    turns: Vec<Turned>,
    pass: Vec<usize>,
}

/// A lower and an upper end.
type Ends = [f64; 2];

#[derive(Default)]
struct Class {
    pairs: usize,
    /// The largest lead that is not decided; every second one down to its negative has a place.
    widest: i64,
    index: FxHashMap<Counts, usize>,
    /// By state and lead: nobody has just passed, and the other has.
    values: [Vec<Ends>; 2],
}

impl Class {
    fn leads(&self) -> usize {
        (self.widest + 1).max(0) as usize
    }
}

/// A solved game.
pub struct Forgetful {
    cards: Memory,
    objective: Objective,
    model: Model,
    /// Pairs in the whole game, those included that somebody begins with.
    total: usize,
    classes: Vec<Class>,
    /// The places of the classes.
    places: BTreeMap<Key, usize>,
    /// Positions where passing is better than anything else, nobody having just passed.
    pub passes: u64,
    /// Positions, nobody having just passed.
    pub positions: u64,
    /// Sweeps of the class that took most.
    pub sweeps: usize,
}

/// The two ends of what a player to move gets, in the value's own measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enclosed {
    /// No less.
    pub low: f64,
    /// No more.
    pub high: f64,
}

impl Enclosed {
    /// The middle.
    pub fn middle(self) -> f64 {
        (self.low + self.high) / 2.0
    }
}

/// What comes after the turn has changed: states of the class with their chances.
#[derive(Default)]
struct Afters {
    index: FxHashMap<Counts, usize>,
    left: Vec<Vec<(f64, usize)>>,
}

impl Forgetful {
    /// Solves a game with so many ranks.
    ///
    /// # Errors
    /// If it does not fit into the memory of the run, or is cancelled.
    pub fn solve(
        ranks: usize,
        copies: usize,
        objective: Objective,
        model: Model,
        run: &Run<'_>,
    ) -> Result<Forgetful, Error> {
        Forgetful::with_handicap(ranks, copies, objective, model, 0, run)
    }

    /// The same where somebody begins with some pairs: leads then are odd where they would be even. Together both are
    /// all leads there can be.
    ///
    /// # Errors
    /// As [`Forgetful::solve`].
    pub fn with_handicap(
        ranks: usize,
        copies: usize,
        objective: Objective,
        model: Model,
        pairs: usize,
        run: &Run<'_>,
    ) -> Result<Forgetful, Error> {
        let cards = Memory::new(ranks, copies, objective)?;
        let total = cards.total_pairs() + pairs;
        let mut game = Forgetful {
            cards,
            objective,
            model,
            total,
            classes: Vec::new(),
            places: BTreeMap::new(),
            passes: 0,
            positions: 0,
            sweeps: 0,
        };
        // No more states than there are, nor than classes with ways to know so few cards: found out before they are listed.
        let kinds = game.cards.patterns().len() as u64 - 1;
        let seen = game.cards.patterns().iter().filter(|p| p.known > 0).count() as u64;
        let (n, groups) = (ranks as u64, copies as u64 / 2);
        let known = match model {
            Model::Slots(most) => most as u64,
            Model::LastTurn => 2,
            _ => u64::MAX >> 1,
        };
        let few = binomial(n + groups, groups).saturating_mul(binomial(known.saturating_add(seen), seen));
        run.fits(few.min(binomial(n + kinds, kinds)).saturating_mul(16))?;
        let (keys, places) = game.keys();
        let states: Vec<Vec<Counts>> = keys.iter().map(|key| game.states(key)).collect();
        let sizes =
            keys.iter().zip(&states).map(|(key, states)| (game.leads(pairs_of(key)), states.len() as u64));
        let (values, largest) = sizes.fold((0, 0), |(sum, most), (leads, n)| (sum + n * leads, most.max(n)));
        // Two flags with two ends, a place in a map for every state, and how likely each state of a class follows each.
        let states_in_all: u64 = states.iter().map(|s| s.len() as u64).sum();
        let forgets = if matches!(model, Model::Forget { .. }) { largest * largest * 16 } else { 0 };
        run.fits(values * 64 + states_in_all * 64 + forgets)?;
        run.observer.begin(&text("classes of equal ranks", "同じランク構成の組"), values);
        let mut done = 0;
        for (key, states) in keys.iter().zip(states) {
            let n = states.len() as u64 * game.leads(pairs_of(key));
            on_threads(run, || game.class(key, states, &places, run))??;
            done += n;
            run.observer.done(done);
        }
        run.observer.end();
        game.places = places;
        Ok(game)
    }

    /// The classes, those with fewer pairs first, and their places.
    fn keys(&self) -> (Vec<Key>, BTreeMap<Key, usize>) {
        let mut keys: Vec<Key> = Vec::new();
        fill(self.cards.ranks(), self.cards.copies() / 2, [0; 4], &mut keys);
        keys.sort_by_key(|key| (pairs_of(key), *key));
        let places = keys.iter().enumerate().map(|(at, key)| (*key, at)).collect();
        (keys, places)
    }

    fn leads(&self, pairs: usize) -> u64 {
        if self.objective == Objective::Cards { 1 } else { (self.widest(pairs) + 1).max(0) as u64 }
    }

    /// The largest lead that is not decided.
    fn widest(&self, pairs: usize) -> i64 {
        match self.objective {
            Objective::Win => pairs as i64 - (self.total % 2) as i64,
            Objective::Cards => 0,
        }
    }

    /// The states of a class that a turn may begin with.
    fn states(&self, key: &Key) -> Vec<Counts> {
        let patterns = self.cards.patterns();
        let mut all = vec![[0; MAX_PATTERNS]];
        for pairs in (1..key.len()).rev() {
            // Those of whom nothing is known come last and take the rest, so that little is tried in vain.
            let group: Vec<usize> =
                (0..patterns.len()).rev().filter(|&i| patterns[i].pairs() == pairs).collect();
            let mut next = Vec::new();
            for x in all {
                spread(&x, &group, key[pairs], &|x| self.model.fits(patterns, x), &mut next);
            }
            all = next;
        }
        all
    }

    /// Solves a class; those with fewer pairs are solved.
    fn class(
        &mut self,
        key: &Key,
        states: Vec<Counts>,
        places: &BTreeMap<Key, usize>,
        run: &Run<'_>,
    ) -> Result<(), Error> {
        let pairs = pairs_of(key);
        let mut class = Class { pairs, widest: self.widest(pairs), ..Class::default() };
        class.index = states.iter().enumerate().map(|(at, x)| (*x, at)).collect();
        if pairs == 0 {
            class.values = [vec![[0.0; 2]], vec![[0.0; 2]]];
            self.classes.push(class);
            return Ok(());
        }
        let mut afters = Afters::default();
        let plans: Vec<Plan> =
            states.iter().map(|x| self.plan(x, key, places, &class, &mut afters)).collect();
        let leads = class.leads();
        let far = if self.objective == Objective::Win { 1.0 } else { pairs as f64 };
        class.values = [(); 2].map(|()| vec![[-far, far]; states.len() * leads]);
        let mut sweeps = 0;
        loop {
            run.check()?;
            sweeps += 1;
            let ahead = [0, 1].map(|flag| averaged(&afters.left, &class.values[flag], leads));
            let (game, here) = (&*self, &class);
            let row = |plan| (0..leads).map(|lead| game.turn(plan, here, &ahead, lead).0).collect::<Vec<_>>();
            let next: Vec<[Ends; 2]> = plans.par_iter().flat_map_iter(row).collect();
            let mut width: f64 = 0.0;
            for (at, [now, passed]) in next.into_iter().enumerate() {
                for (flag, ends) in [now, passed].into_iter().enumerate() {
                    class.values[flag][at] = ends;
                    width = width.max(ends[1] - ends[0]);
                }
            }
            if width < CLOSE || sweeps == SWEEPS {
                break;
            }
        }
        let ahead = [0, 1].map(|flag| averaged(&afters.left, &class.values[flag], leads));
        for plan in &plans {
            for lead in 0..leads {
                self.positions += 1;
                self.passes += u64::from(self.turn(plan, &class, &ahead, lead).1);
            }
        }
        self.sweeps = self.sweeps.max(sweeps);
        self.classes.push(class);
        Ok(())
    }

    /// The moves of a state and where they lead.
    fn plan(
        &self,
        x: &Counts,
        key: &Key,
        places: &BTreeMap<Key, usize>,
        class: &Class,
        afters: &mut Afters,
    ) -> Plan {
        let patterns = self.cards.patterns();
        let moved = |x: &Counts, from: usize, unknown: u8, known: u8| {
            let mut next = *x;
            next[from] -= 1;
            if unknown + known > 0 {
                next[usize::from(self.cards.place(unknown, known))] += 1;
            }
            next
        };
        let lower = |y: &Counts, pairs: usize| {
            let mut below = *key;
            below[pairs] -= 1;
            below[pairs - 1] += u8::from(pairs > 1);
            let class = places[&below];
            Lower { class, at: self.classes[class].index[y] }
        };
        let mut after = |y: Counts, shown: [u8; 2]| {
            // What the players see last alone decides what they know, or all that lies there does.
            let name = if self.model == Model::LastTurn {
                super::model::only_shown(&self.cards, &y, shown)
            } else {
                y
            };
            *afters.index.entry(name).or_insert_with(|| {
                let left = self.model.left(&self.cards, &y, shown);
                afters.left.push(left.into_iter().map(|(chance, x)| (chance, class.index[&x])).collect());
                afters.left.len() - 1
            })
        };
        let seen: Vec<usize> = (0..patterns.len()).filter(|&i| patterns[i].known > 0 && x[i] > 0).collect();
        let known_ranks: usize = seen.iter().map(|&i| usize::from(x[i])).sum();
        let unknown = self.cards.unknown(x);
        let place = |unknown: u8, known: u8| self.cards.place(unknown, known);
        let mut turns = Vec::new();
        for (i, p) in patterns.iter().enumerate().filter(|(i, p)| p.unknown > 0 && x[*i] > 0) {
            let shown = moved(x, i, p.unknown - 1, p.known + 1);
            let first = place(p.unknown - 1, p.known + 1);
            let same = (p.known > 0).then(|| lower(&moved(x, i, p.unknown - 1, p.known - 1), p.pairs()));
            // Of another rank: one that has a known card besides this one.
            let others = seen.iter().filter(|&&j| usize::from(x[j]) > usize::from(i == j));
            let mut different: Vec<usize> = others.map(|&j| after(shown, [first, j as u8])).collect();
            different.sort_unstable();
            different.dedup();
            let mut second = Vec::new();
            for (j, q) in patterns.iter().enumerate().filter(|(_, q)| q.unknown > 0) {
                let ranks = x[j] - u8::from(i == j);
                if ranks > 0 {
                    let both = moved(&shown, j, q.unknown - 1, q.known + 1);
                    let weight = f64::from(ranks) * f64::from(q.unknown) / (unknown - 1) as f64;
                    second.push((weight, after(both, [first, place(q.unknown - 1, q.known + 1)])));
                }
            }
            let matched = (p.unknown > 1).then(|| {
                let y = moved(x, i, p.unknown - 2, p.known);
                (f64::from(p.unknown - 1) / (unknown - 1) as f64, lower(&y, p.pairs()))
            });
            let weight = f64::from(x[i]) * f64::from(p.unknown) / unknown as f64;
            turns.push(Turned { weight, same, different, unknown: second, matched });
        }
        let takes = self.cards.takes().map(usize::from).filter(|&i| x[i] > 0);
        let takes = takes.map(|i| {
            let p = patterns[i];
            lower(&moved(x, i, p.unknown, p.known - 2), p.pairs())
        });
        let takes = takes.collect();
        let mut pass = Vec::new();
        if known_ranks >= 2 {
            for (at, &i) in seen.iter().enumerate() {
                for &j in &seen[at..] {
                    if i != j || x[i] > 1 {
                        pass.push(after(*x, [i as u8, j as u8]));
                    }
                }
            }
            pass.sort_unstable();
            pass.dedup();
        }
        Plan { unknown: unknown as f64, takes, turns, pass }
    }

    /// The place of a state of a class below for a player who has one pair more; none where that is decided, by the lead.
    fn below(&self, class: &Class, to: Lower, lead: usize) -> Result<usize, i64> {
        let below = &self.classes[to.class];
        if self.objective == Objective::Cards {
            return Ok(to.at);
        }
        let d = 2 * lead as i64 - class.widest + 1;
        if below.pairs == 0 || d.abs() > below.widest {
            return Err(d);
        }
        Ok(to.at * below.leads() + ((d + below.widest) / 2) as usize)
    }

    /// One pair more for the player to move.
    fn gone_on(&self, class: &Class, to: Lower, lead: usize, end: usize) -> f64 {
        let more = if self.objective == Objective::Cards { 1.0 } else { 0.0 };
        match self.below(class, to, lead) {
            Ok(at) => more + self.classes[to.class].values[0][at][end],
            Err(d) => d.signum() as f64,
        }
    }

    /// Both ends of a position's value, nobody having just passed and the other having passed, and whether passing alone
    /// is best in the first.
    fn turn(&self, plan: &Plan, class: &Class, ahead: &[Vec<Ends>; 2], lead: usize) -> ([Ends; 2], bool) {
        let leads = class.leads();
        // The lead of the other is minus one's own, and so is every value.
        let handed =
            |flag: usize, after: usize, end: usize| -ahead[flag][after * leads + leads - 1 - lead][1 - end];
        let best = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
        let (mut now, mut passed, mut passes) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        let mut moved = [0.0; 2];
        for end in [0, 1] {
            let mut value = best(&mut plan.takes.iter().map(|to| self.gone_on(class, *to, lead, end)));
            if plan.unknown > 0.0 {
                let mut sum = 0.0;
                for turned in &plan.turns {
                    let mut second = best(&mut turned.different.iter().map(|&after| handed(0, after, end)));
                    if let Some(to) = turned.same {
                        second = second.max(self.gone_on(class, to, lead, end));
                    }
                    if plan.unknown > 1.0 {
                        let mut other: f64 = turned
                            .unknown
                            .iter()
                            .map(|&(chance, after)| chance * handed(0, after, end))
                            .sum();
                        if let Some((chance, to)) = turned.matched {
                            other += chance * self.gone_on(class, to, lead, end);
                        }
                        second = second.max(other);
                    }
                    sum += turned.weight * second;
                }
                value = value.max(sum);
            }
            moved[end] = value;
            (now[end], passed[end]) = (value, value);
            passes[end] = f64::NEG_INFINITY;
            if !plan.pass.is_empty() {
                passes[end] = best(&mut plan.pass.iter().map(|&after| handed(1, after, end)));
                now[end] = value.max(passes[end]);
                let over = match self.objective {
                    Objective::Win => (2 * lead as i64 - class.widest).signum() as f64,
                    Objective::Cards => 0.0,
                };
                passed[end] = value.max(over);
            }
        }
        ([now, passed], passes[0] > moved[1] + TOLERANCE)
    }

    /// The place of the start in the last class; none where nobody can be even.
    fn start_place(&self) -> Option<usize> {
        let mut x = [0; MAX_PATTERNS];
        x[0] = self.cards.ranks() as u8;
        let class = self.classes.last().filter(|class| class.leads() % 2 == 1)?;
        Some(*class.index.get(&x)? * class.leads() + class.leads() / 2)
    }

    /// What the start is worth to the first player: a win rate, or pairs more; none where nobody can be even.
    pub fn start(&self) -> Option<Enclosed> {
        let [low, high] = *self.classes.last()?.values[0].get(self.start_place()?)?;
        Some(match self.objective {
            Objective::Win => Enclosed { low: (1.0 + low) / 2.0, high: (1.0 + high) / 2.0 },
            Objective::Cards => Enclosed { low, high },
        })
    }
}

/// Any position, asked about.
impl Forgetful {
    /// Bytes the values take.
    pub fn bytes(&self) -> u64 {
        let one = |class: &Class| 32 * class.values[0].len() + 64 * class.index.len();
        self.classes.iter().map(one).sum::<usize>() as u64
    }

    /// How far apart the ends of a value are at most.
    pub fn width(&self) -> f64 {
        let ends = self.classes.iter().flat_map(|class| class.values.iter().flatten());
        ends.map(|[low, high]| high - low).fold(0.0, f64::max)
    }

    /// What the start of a turn is worth to the player to move: from −1 to 1, or pairs more in the end. The ranks may be
    /// those of a larger game, whose others are gone.
    pub fn lookup(&self, counts: &Counts, diff: i16, passed: bool) -> Option<Enclosed> {
        let patterns = self.cards.patterns();
        let (mut x, mut key, d) = (*counts, Key::default(), i64::from(diff));
        x[patterns.len() - 1] = 0;
        for (p, n) in patterns.iter().zip(x) {
            *key.get_mut(p.pairs())? += n;
        }
        key[0] = 0;
        let (pairs, sure) = (pairs_of(&key) as i64, |value: f64| Some(Enclosed { low: value, high: value }));
        if self.objective == Objective::Win && (pairs == 0 || d.abs() > pairs) {
            return sure(d.signum() as f64);
        }
        if pairs == 0 {
            return sure(d as f64);
        }
        let class = &self.classes[*self.places.get(&key)?];
        let (lead, added) = match self.objective {
            Objective::Win if (d + class.widest) % 2 != 0 => return None,
            Objective::Win => (usize::try_from((d + class.widest) / 2).ok()?, 0.0),
            Objective::Cards => (0, d as f64),
        };
        let at = *class.index.get(&x)? * class.leads() + lead;
        let [low, high] = *class.values[usize::from(passed)].get(at)?;
        Some(Enclosed { low: low + added, high: high + added })
    }

    /// What any position of the game of chances is worth to a player: the middle of its ends.
    pub fn worth(&self, game: &Forgetting, s: &At, me: u8) -> Option<f64> {
        let state = s.plain();
        let for_me = |value: f64| if state.mover == me { value } else { -value };
        let first = |counts: &Counts| {
            let found = self.lookup(counts, state.diff, state.passed)?;
            Some(for_me(found.middle()))
        };
        match game.turn(s) {
            Turn::Terminal => Some(game.utility(s, me).into()),
            _ if game.forgets(s) => {
                game.left(s).iter().map(|(chance, counts)| Some(chance * first(counts)?)).sum()
            }
            Turn::Player(_) if state.phase == Phase::First => first(&state.counts),
            Turn::Player(player) => {
                let mut actions = Vec::new();
                game.actions(s, &mut actions);
                let values = actions.into_iter().map(|a| self.worth(game, &game.apply(s, a), player));
                let best = values.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max)?;
                Some(if player == me { best } else { -best })
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.chance(s, &mut outcomes);
                let total: f64 = outcomes.iter().map(|o| f64::from(o.1)).sum();
                let one = |&(a, weight): &(Act, u32)| {
                    Some(f64::from(weight) * self.worth(game, &game.apply(s, a), me)?)
                };
                outcomes.iter().map(one).sum::<Option<f64>>().map(|sum| sum / total)
            }
        }
    }
}

/// The first of the best of moves: what it is worth, and the passes to come after it.
fn first_best(moves: impl Iterator<Item = (f64, f64)>) -> Option<(f64, f64)> {
    moves.reduce(|best, next| if next.0 > best.0 + TOLERANCE { next } else { best })
}

impl Forgetful {
    /// The passes that a game of best play has, on average. Of equal moves the first is made, in the order take, turn, pass;
    /// same, different, unknown. None where nobody can be even.
    ///
    /// # Errors
    /// If it does not fit into the memory of the run, or is cancelled.
    pub fn passes_a_game(&self, run: &Run<'_>) -> Result<Option<f64>, Error> {
        let (keys, places) = (self.keys().0, &self.places);
        run.fits(self.positions * 32)?;
        // By class, as the values: nobody has just passed, and the other has.
        let mut counts: Vec<[Vec<Ends>; 2]> = Vec::new();
        for (class, key) in self.classes.iter().zip(&keys) {
            let mut afters = Afters::default();
            let states = if class.pairs == 0 { Vec::new() } else { self.states(key) };
            let plans: Vec<Plan> =
                states.iter().map(|x| self.plan(x, key, places, class, &mut afters)).collect();
            let leads = class.leads();
            let ahead = [0, 1].map(|flag| averaged(&afters.left, &class.values[flag], leads));
            let mut here = [(); 2].map(|()| vec![[0.0; 2]; (plans.len() * leads).max(1)]);
            for _ in 0..SWEEPS {
                run.check()?;
                let later = [0, 1].map(|flag| averaged(&afters.left, &here[flag], leads));
                let mut moved: f64 = 0.0;
                for (at, plan) in plans.iter().enumerate() {
                    for lead in 0..leads {
                        let found = self.passes_from(plan, class, (&ahead, &later), &counts, lead);
                        for (flag, n) in found.into_iter().enumerate() {
                            let old = &mut here[flag][at * leads + lead][0];
                            moved = moved.max((n - *old).abs());
                            *old = n;
                        }
                    }
                }
                if moved < CLOSE_PASSES {
                    break;
                }
            }
            counts.push(here);
        }
        let place = self.start_place();
        Ok(place.and_then(|at| counts.last()?[0].get(at)).map(|ends| ends[0]))
    }

    /// The passes to come in a position, nobody having just passed and the other having passed.
    fn passes_from(
        &self,
        plan: &Plan,
        class: &Class,
        (ahead, later): (&[Vec<Ends>; 2], &[Vec<Ends>; 2]),
        counts: &[[Vec<Ends>; 2]],
        lead: usize,
    ) -> [f64; 2] {
        let leads = class.leads();
        let handed = |flag: usize, after: usize| {
            let at = after * leads + leads - 1 - lead;
            (-ahead[flag][at][1], later[flag][at][0])
        };
        let gone_on = |to: Lower| {
            let passes = self.below(class, to, lead).map_or(0.0, |at| counts[to.class][0][at][0]);
            (self.gone_on(class, to, lead, 0), passes)
        };
        let mut turn = (plan.unknown > 0.0).then_some((0.0, 0.0));
        for turned in &plan.turns {
            let another = (plan.unknown > 1.0).then(|| {
                let misses = turned.unknown.iter().map(|&(chance, after)| (chance, handed(0, after)));
                let matched = turned.matched.map(|(chance, to)| (chance, gone_on(to)));
                let all = misses.chain(matched);
                all.fold((0.0, 0.0), |sum, (chance, x)| (sum.0 + chance * x.0, sum.1 + chance * x.1))
            });
            let different = turned.different.iter().map(|&after| handed(0, after));
            let second = first_best(turned.same.map(gone_on).into_iter().chain(different).chain(another));
            if let (Some(turn), Some(second)) = (&mut turn, second) {
                *turn = (turn.0 + turned.weight * second.0, turn.1 + turned.weight * second.1);
            }
        }
        let moved = first_best(plan.takes.iter().map(|to| gone_on(*to)).chain(turn)).unwrap_or_default();
        let passes = plan.pass.iter().map(|&after| handed(1, after)).map(|(value, n)| (value, n + 1.0));
        let over = match self.objective {
            Objective::Win => (2 * lead as i64 - class.widest).signum() as f64,
            Objective::Cards => 0.0,
        };
        let ends = (!plan.pass.is_empty()).then_some((over, 1.0));
        [first_best([moved].into_iter().chain(passes)), first_best([moved].into_iter().chain(ends))]
            .map(|best| best.map_or(0.0, |best| best.1))
    }
}

/// What follows on average, by what comes after the turn has changed and by lead.
fn averaged(left: &[Vec<(f64, usize)>], values: &[Ends], leads: usize) -> Vec<Ends> {
    let row = |left: &Vec<(f64, usize)>| {
        let mut sums = vec![[0.0; 2]; leads];
        for &(chance, at) in left {
            for (sum, ends) in sums.iter_mut().zip(&values[at * leads..(at + 1) * leads]) {
                sum[0] += chance * ends[0];
                sum[1] += chance * ends[1];
            }
        }
        sums
    };
    left.par_iter().flat_map_iter(row).collect()
}

fn pairs_of(key: &Key) -> usize {
    key.iter().enumerate().map(|(pairs, &n)| pairs * usize::from(n)).sum()
}

/// All ways to have at most so many ranks on the table.
fn fill(ranks: usize, pairs: usize, key: Key, out: &mut Vec<Key>) {
    if pairs == 0 {
        out.push(key);
        return;
    }
    for n in 0..=ranks {
        let mut key = key;
        key[pairs] = n as u8;
        fill(ranks - n, pairs - 1, key, out);
    }
}

/// All ways to have some ranks in the patterns of a group that the model allows.
fn spread(x: &Counts, group: &[usize], ranks: u8, fits: &dyn Fn(&Counts) -> bool, out: &mut Vec<Counts>) {
    let Some((&first, rest)) = group.split_first() else {
        if ranks == 0 {
            out.push(*x);
        }
        return;
    };
    let from = if rest.is_empty() { ranks } else { 0 };
    for n in from..=ranks {
        let mut x = *x;
        x[first] = n;
        // More of the same is known then, too.
        if !fits(&x) {
            break;
        }
        spread(&x, rest, ranks - n, fits, out);
    }
}
