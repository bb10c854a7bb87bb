//! Work in progress as bytes, so that a run can be stopped and go on.

use super::bound::{Bound, Found, Work};
use super::hull::{Convex, Vector};
use std::hash::Hash;
use std::io::{self, Read, Write};
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
    put(out, set.corners.len() as u32)?;
    set.corners.iter().try_for_each(|v| put_vector(out, v, dimensions))
}

fn get_set(from: &mut dyn Read, dimensions: usize) -> Option<Convex> {
    let count = get(from)?;
    let corners = (0..count).map(|_| get_vector(from, dimensions)).collect::<Option<Vec<Vector>>>()?;
    Some(if corners.is_empty() {
        Convex::default()
    } else {
        Convex::new(dimensions, &corners).tidy(dimensions)
    })
}

impl<P: Copy + Eq + Hash + Send + Sync> Bound<P> {
    /// Puts the work into the run's store; a store that cannot take it is no reason to stop.
    pub(super) fn keep(&self, name: Option<&str>, run: &Run<'_>) {
        if let Some(name) = name {
            let _ = run.store.save(name, &mut |out| self.write(out));
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Work { tier, phase, half, quiet, dirty, base } = &self.work;
        for n in self.mark() {
            put(out, n)?;
        }
        for n in [*tier, *phase, *half, *quiet, self.stamp] {
            put(out, n)?;
        }
        put(out, dirty.len() as u32)?;
        out.write_all(&dirty.iter().map(|d| u8::from(*d)).collect::<Vec<u8>>())?;
        put(out, base.len() as u32)?;
        for (at, dimensions) in self.spans() {
            put_set(out, &self.sets[at], dimensions)?;
            if let Some(base) = base.get(at) {
                put_set(out, base, dimensions)?;
            }
            put(out, self.found[at].len() as u32)?;
            for Found { vector, stamp } in &self.found[at] {
                put_vector(out, vector, dimensions)?;
                put(out, *stamp)?;
            }
        }
        Ok(())
    }

    /// What tells work of another kind apart: how many sets, whose, how finely, and over which beliefs.
    fn mark(&self) -> [u32; 3] {
        let words = format!("{} {:?} {:?}", self.holder, self.options, self.grids.last().map(|g| &g.beliefs));
        let hash = words.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        [self.sets.len() as u32, hash as u32, (hash >> 32) as u32]
    }

    /// Every set with the number of its dimensions.
    fn spans(&self) -> Vec<(usize, usize)> {
        let mut all = Vec::with_capacity(self.sets.len());
        for n in 0..self.first.len() as u32 {
            for b in 0..self.grid(n).beliefs.len() {
                all.push((self.set(n, b), self.dimensions(n)));
            }
        }
        all
    }

    /// Takes up what was kept; nothing changes if it does not fit.
    pub(super) fn restore(&mut self, from: &mut dyn Read) -> Option<()> {
        let mut from = io::BufReader::new(from);
        let from: &mut dyn Read = &mut from;
        let count = self.sets.len();
        for n in self.mark() {
            if get(from)? != n {
                return None;
            }
        }
        let [tier, phase, half, quiet, stamp] = [(); 5].map(|()| get(from));
        let mut work = Work {
            tier: tier?,
            phase: phase?,
            half: half?,
            quiet: quiet?,
            dirty: Vec::new(),
            base: Vec::new(),
        };
        let waiting = get(from)? as usize;
        if waiting != 0 && waiting != count {
            return None;
        }
        let mut dirty = vec![0; waiting];
        from.read_exact(&mut dirty).ok()?;
        work.dirty = dirty.iter().map(|d| *d != 0).collect();
        let based = get(from)? as usize;
        if based != 0 && based != count {
            return None;
        }
        let (mut sets, mut found) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (_, dimensions) in self.spans() {
            sets.push(get_set(from, dimensions)?);
            if based > 0 {
                work.base.push(get_set(from, dimensions)?);
            }
            let known = get(from)?;
            let read = |_| Some(Found { vector: get_vector(from, dimensions)?, stamp: get(from)? });
            found.push((0..known).map(read).collect::<Option<Vec<Found>>>()?);
        }
        (self.sets, self.found, self.work, self.stamp) = (sets, found, work, stamp?);
        Some(())
    }
}
