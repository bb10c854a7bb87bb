//! Looking at all positions again and again until nothing changes. Positions of one player read only those of the other, so a
//! sweep looks at all it has to on all threads, and then takes over what has changed, also on all threads: the order in which
//! that happens shows nowhere.

use super::bound::choices::Print;
use super::bound::{Bound, Changed, Look, Room, Work};
use super::convex::{Convex, Tidying};
use super::grid::Belief;
use super::hull::Vector;
use rayon::prelude::*;
use std::hash::Hash;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use yomikiri_core::{Error, Run, text};

/// Positions that a thread takes at once where there is little to do with each.
const AT_ONCE: usize = 64;

/// Puts changed sets into their places; `sets` are those from number `base` on.
fn put(first: &[u32], base: usize, sets: &mut [Convex], todo: &[u32], results: &mut [Look]) {
    if todo.len() <= AT_ONCE {
        for (n, (changed, _)) in todo.iter().zip(results) {
            let from = first[*n as usize] as usize - base;
            changed.iter_mut().for_each(|c| sets[from + c.belief] = std::mem::take(&mut c.set));
        }
        return;
    }
    let half = todo.len() / 2;
    let cut = first[todo[half] as usize] as usize;
    let (sets, more) = sets.split_at_mut(cut - base);
    let (results, others) = results.split_at_mut(half);
    rayon::join(
        || put(first, base, sets, &todo[..half], results),
        || put(first, cut, more, &todo[half..], others),
    );
}

/// Calls for every position of a range with its parts of two lists, which are those of the range.
fn by_position<S: Default>(
    first: &[u32],
    range: Range<usize>,
    sets: &mut [Convex],
    others: &mut [Convex],
    each: &(impl Fn(&mut S, usize, &mut [Convex], &mut [Convex]) + Sync),
) {
    let Range { start, end } = range;
    let from = first[start] as usize;
    if end - start <= AT_ONCE {
        let mut room = S::default();
        for at in range {
            let own = first[at] as usize - from..first[at + 1] as usize - from;
            each(&mut room, at, &mut sets[own.clone()], &mut others[own]);
        }
        return;
    }
    let half = start.midpoint(end);
    let cut = first[half] as usize - from;
    let ((a, b), (c, d)) = (sets.split_at_mut(cut), others.split_at_mut(cut));
    rayon::join(|| by_position(first, start..half, a, c, each), || by_position(first, half..end, b, d, each));
}

fn none(count: usize) -> Vec<AtomicBool> {
    (0..count).map(|_| AtomicBool::new(false)).collect()
}

impl<P: Copy + Eq + Hash + Send + Sync> Bound<P> {
    /// Goes on to the end, on the threads that are there.
    pub(super) fn go_on(&mut self, name: Option<&str>, run: &Run<'_>) -> Result<(), Error> {
        let mut checkpoints = run.checkpoints();
        while (self.work.tier as usize) < self.graph.tiers.len() {
            let done = self.phase(run, &mut |this| {
                if checkpoints.due() {
                    checkpoints.keep(|| this.keep(name, run));
                }
            });
            if done.is_err() {
                self.keep(name, run);
                return done;
            }
            self.work.phase += 1;
            if self.work.again {
                self.work.tier += 1;
                self.work.phase = 0;
            } else if self.work.phase > 2 * self.options.rounds {
                self.work = Work { tier: self.work.tier + 1, ..Work::default() };
            }
        }
        self.keep(name, run);
        Ok(())
    }

    /// One look at a tier, to its end.
    fn phase(&mut self, run: &Run<'_>, between: &mut dyn FnMut(&Self)) -> Result<(), Error> {
        let nodes = self.graph.tiers[self.work.tier as usize].clone();
        let count = self.graph.nodes.len();
        let mut inside = vec![false; count];
        nodes.iter().for_each(|&n| inside[n as usize] = true);
        let down = self.work.phase % 2 == 1;
        if self.work.dirty.is_empty() {
            self.work.dirty = none(self.sets.len());
            nodes.par_iter().with_min_len(AT_ONCE).for_each(|&n| self.mark_all(n));
            if down {
                self.hope(&inside);
            }
        }
        let what = if down {
            text("what endless play allows", "千日手を含む保証")
        } else {
            text("what play with an end allows", "有限手数での保証")
        };
        run.observer.begin(&what, nodes.len() as u64);
        self.work.chosen = vec![Print::default(); count];
        let halves: [Vec<u32>; 2] =
            [true, false].map(|own| nodes.iter().copied().filter(|&n| self.holds_turn(n) == own).collect());
        let waits = none(count);
        let all = waits.par_iter().with_min_len(AT_ONCE).zip(0..count as u32);
        all.for_each(|(waits, n)| waits.store(self.dirty(n).next().is_some(), Relaxed));
        // One for each thread: while it looks at a position it does nothing else.
        let rooms: Vec<Mutex<Room>> = (0..rayon::current_num_threads()).map(|_| Mutex::default()).collect();
        while self.work.quiet < 2 {
            let half = &halves[self.work.half as usize % 2];
            let todo: Vec<u32> = half.iter().copied().filter(|&n| waits[n as usize].load(Relaxed)).collect();
            // Positions that wait for another look come and go; what is left is what moves now.
            run.observer.done((nodes.len() - todo.len().min(nodes.len())) as u64);
            let look = |&n: &u32| {
                if run.check().is_err() {
                    return Look::default();
                }
                let room = &rooms[rayon::current_thread_index().unwrap_or(0)];
                let room = &mut room.lock().unwrap_or_else(PoisonError::into_inner);
                if down { self.shrink(n, room) } else { self.grow(n, room) }
            };
            let results: Vec<Look> = todo.par_iter().map(look).collect();
            // A cut sweep is not kept: the last whole one is.
            run.check()?;
            self.stamp += 1;
            let changed = self.apply(&inside, &waits, &todo, results);
            self.work.quiet = if changed { 0 } else { self.work.quiet + 1 };
            self.work.half += 1;
            // To count takes as long as a short sweep.
            if self.work.half.is_multiple_of(16) {
                run.fits(self.bytes())?;
            }
            between(self);
        }
        if down {
            self.settle();
        }
        let Work { tier, phase, again, .. } = self.work;
        let dirty = if again { std::mem::take(&mut self.work.dirty) } else { Vec::new() };
        self.work = Work { tier, phase, again, dirty, ..Work::default() };
        run.observer.end();
        Ok(())
    }

    /// The beliefs of a position whose sets are to be looked at again.
    pub(super) fn dirty(&self, n: u32) -> impl Iterator<Item = usize> {
        let sets = self.set(n, 0);
        let dirty = &self.work.dirty[sets..sets + self.beliefs(n).len()];
        dirty.iter().enumerate().filter(|(_, dirty)| dirty.load(Relaxed)).map(|(belief, _)| belief)
    }

    /// All sets of a position are to be looked at again.
    fn mark_all(&self, n: u32) {
        let sets = self.set(n, 0);
        self.work.dirty[sets..sets + self.beliefs(n).len()].iter().for_each(|d| d.store(true, Relaxed));
    }

    /// Takes over what has changed and marks what depends on it; whether there was anything.
    fn apply(&mut self, inside: &[bool], waits: &[AtomicBool], todo: &[u32], mut results: Vec<Look>) -> bool {
        let all = todo.par_iter().with_min_len(AT_ONCE).zip(&results);
        all.for_each(|(&n, (changed, _))| self.mark_before(inside, waits, n, changed));
        put(&self.first, 0, &mut self.sets, todo, &mut results);
        let mut any = false;
        for (n, (changed, print)) in todo.iter().zip(results) {
            self.work.chosen[*n as usize] = print;
            any |= !changed.is_empty();
            for Changed { belief, new, .. } in changed {
                let set = self.set(*n, belief);
                new.into_iter().for_each(|vector| self.found.push(set, vector, self.stamp));
            }
        }
        any
    }

    /// A position was looked at: marks what depends on what has changed there.
    fn mark_before(&self, inside: &[bool], waits: &[AtomicBool], n: u32, changed: &[Changed]) {
        let sets = self.set(n, 0);
        let count = self.beliefs(n).len();
        self.work.dirty[sets..sets + count].iter().for_each(|dirty| dirty.store(false, Relaxed));
        waits[n as usize].store(false, Relaxed);
        if changed.is_empty() {
            return;
        }
        let mut touched = vec![false; count];
        changed.iter().for_each(|c| touched[c.belief] = true);
        for &(before, number) in &self.graph.back[n as usize] {
            if !inside[before as usize] && !self.work.again {
                continue;
            }
            if self.holds_turn(before) {
                self.mark_all(before);
                waits[before as usize].store(true, Relaxed);
                continue;
            }
            let from = self.set(before, 0);
            for b in 0..self.beliefs(before).len() {
                let to = self.set_after(before, number as usize, b);
                if to.is_some_and(|to| touched[to - sets]) {
                    self.work.dirty[from + b].store(true, Relaxed);
                    waits[before as usize].store(true, Relaxed);
                }
            }
        }
    }

    /// Before a look downwards: what is known stays, and everywhere 0 is hoped for.
    fn hope(&mut self, inside: &[bool]) {
        let mut base = vec![Convex::default(); self.sets.len()];
        let mut sets = std::mem::take(&mut self.sets);
        by_position(
            &self.first,
            0..inside.len(),
            &mut sets,
            &mut base,
            &|room: &mut Tidying, at, sets, base| {
                let dimensions = self.dimensions(at as u32);
                for (set, base) in sets.iter_mut().zip(base).filter(|_| inside[at]) {
                    let mut points = set.corners().to_vec();
                    points.push([0; 3]);
                    let hoped = Convex::tidy(dimensions, &points, room);
                    *base = std::mem::replace(set, hoped);
                }
            },
        );
        (self.sets, self.work.base) = (sets, base);
    }

    /// After a look downwards: what is left of the hopes is a guarantee.
    fn settle(&mut self) {
        self.stamp += 1;
        let base = std::mem::take(&mut self.work.base);
        let all = self.sets.par_iter().zip(base).enumerate();
        let new: Vec<(usize, Vec<Vector>)> = all
            .filter_map(|(at, (set, base))| {
                let new = set.corners().iter().filter(|v| !base.corners().contains(v)).copied();
                let new: Vec<Vector> = new.filter(|_| !base.corners().is_empty()).collect();
                (!new.is_empty()).then_some((at, new))
            })
            .collect();
        for (at, new) in new {
            new.into_iter().for_each(|vector| self.found.push(at, vector, self.stamp));
        }
    }

    /// The memory in use, roughly.
    fn bytes(&self) -> u64 {
        let set = |s: &Convex| size_of::<Convex>() + s.bytes();
        let sets: usize = self.sets.par_iter().chain(&self.work.base).map(set).sum();
        let lists: usize = self.lists.iter().map(|list| list.capacity() * size_of::<Belief>()).sum();
        (sets + self.found.bytes() + self.work.dirty.len() + lists) as u64
            + self.graph.positions.len() as u64 * 1536
    }
}
