//! Work in progress as bytes, so that a run can be stopped and go on.

use super::bound::{Bound, Work};
use super::convex::{Convex, Tidying};
use super::finds::Found;
use super::grid;
use super::hull::Vector;
use std::hash::Hash;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use yomikiri_core::Run;

fn put(out: &mut dyn Write, n: u32) -> io::Result<()> {
    out.write_all(&n.to_le_bytes())
}

fn get(from: &mut dyn Read) -> Option<u32> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes).ok()?;
    Some(u32::from_le_bytes(bytes))
}

fn put_vector(out: &mut dyn Write, v: &Vector, dimensions: usize) -> io::Result<()> {
    v.iter().take(dimensions).try_for_each(|c| out.write_all(&c.to_le_bytes()))
}

fn get_vector(from: &mut dyn Read, dimensions: usize) -> Option<Vector> {
    let mut v = [0; 3];
    for c in v.iter_mut().take(dimensions) {
        *c = get(from)? as i32;
    }
    Some(v)
}

fn put_set(out: &mut dyn Write, set: &Convex, dimensions: usize) -> io::Result<()> {
    put(out, set.corners().len() as u32)?;
    set.corners().iter().try_for_each(|v| put_vector(out, v, dimensions))
}

fn get_set(from: &mut dyn Read, dimensions: usize, room: &mut Tidying) -> Option<Convex> {
    let count = get(from)?;
    let corners = (0..count).map(|_| get_vector(from, dimensions)).collect::<Option<Vec<Vector>>>()?;
    Some(if corners.is_empty() { Convex::default() } else { Convex::tidy(dimensions, &corners, room) })
}

impl<P: Copy + Eq + Hash + Send + Sync> Bound<P> {
    /// Puts the work into the run's store; a store that cannot take it is no reason to stop.
    pub(super) fn keep(&self, name: Option<&str>, run: &Run<'_>) {
        if let Some(name) = name {
            let _ = run.store.save(name, &mut |out| self.write(out));
        }
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Work { tier, phase, half, quiet, dirty, again, base, chosen: _ } = &self.work;
        for n in self.mark() {
            put(out, n)?;
        }
        put(out, self.rounds)?;
        put(out, self.extra.len() as u32)?;
        for (at, belief) in &self.extra {
            put(out, *at)?;
            belief.iter().try_for_each(|w| out.write_all(&w.to_le_bytes()))?;
        }
        for n in [*tier, *phase, *half, *quiet, u32::from(*again), self.stamp] {
            put(out, n)?;
        }
        put(out, dirty.len() as u32)?;
        out.write_all(&dirty.iter().map(|d| u8::from(d.load(Relaxed))).collect::<Vec<u8>>())?;
        put(out, base.len() as u32)?;
        let mut places = Vec::new();
        for (at, dimensions) in self.spans() {
            put_set(out, &self.sets[at], dimensions)?;
            if let Some(base) = base.get(at) {
                put_set(out, base, dimensions)?;
            }
            self.found.places(at, &mut places);
            put(out, places.len() as u32)?;
            for Found { vector, stamp, .. } in places.iter().map(|place| self.found.get(*place)) {
                put_vector(out, vector, dimensions)?;
                put(out, *stamp)?;
            }
        }
        Ok(())
    }

    /// What tells work of another kind apart: how many positions, whose, how finely, and over which beliefs.
    fn mark(&self) -> [u32; 3] {
        let words = format!("{} {:?}", self.holder, self.options);
        let hash = words.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        [self.graph.positions.len() as u32, hash as u32, (hash >> 32) as u32]
    }

    /// Every set with the number of its dimensions.
    fn spans(&self) -> impl Iterator<Item = (usize, usize)> + use<P> {
        let graph = self.graph.clone();
        let (holder, first) = (self.holder, self.first.clone());
        (0..graph.nodes.len()).flat_map(move |n| {
            let dimensions = usize::from(graph.nodes[n].types[1 - holder]);
            (first[n] as usize..first[n + 1] as usize).map(move |set| (set, dimensions))
        })
    }

    /// What was kept, if it is of the same kind.
    pub(super) fn kept(&self, from: &mut dyn Read, run: &Run<'_>) -> Option<Bound<P>> {
        let mut kept = Bound::new(self.graph.clone(), self.holder, &self.options, run).ok()?;
        kept.read(from, run)?;
        Some(kept)
    }

    fn read(&mut self, from: &mut dyn Read, run: &Run<'_>) -> Option<()> {
        for n in self.mark() {
            if get(from)? != n {
                return None;
            }
        }
        self.rounds = get(from)?;
        for _ in 0..get(from)? {
            let at = get(from)?;
            let mut belief = [0; 3];
            for w in &mut belief {
                let mut bytes = [0; 8];
                from.read_exact(&mut bytes).ok()?;
                *w = i64::from_le_bytes(bytes);
            }
            if at as usize >= self.graph.positions.len() || !grid::fits(&belief, self.types(at)) {
                return None;
            }
            self.extra.push((at, belief));
        }
        self.lay_out(run).ok()?;
        let count = self.sets.len();
        let [tier, phase, half, quiet, again, stamp] = [(); 6].map(|()| get(from));
        self.stamp = stamp?;
        self.work = Work {
            tier: tier?,
            phase: phase?,
            half: half?,
            quiet: quiet?,
            again: again? == 1,
            ..Work::default()
        };
        let waiting = get(from)? as usize;
        if waiting != 0 && waiting != count {
            return None;
        }
        let mut dirty = vec![0; waiting];
        from.read_exact(&mut dirty).ok()?;
        self.work.dirty = dirty.iter().map(|d| AtomicBool::new(*d != 0)).collect();
        let mut room = Tidying::default();
        let based = get(from)? as usize;
        if based != 0 && based != count {
            return None;
        }
        for (at, dimensions) in self.spans() {
            self.sets[at] = get_set(from, dimensions, &mut room)?;
            if based > 0 {
                self.work.base.push(get_set(from, dimensions, &mut room)?);
            }
            for _ in 0..get(from)? {
                let vector = get_vector(from, dimensions)?;
                self.found.push(at, vector, get(from)?);
            }
        }
        Some(())
    }
}
