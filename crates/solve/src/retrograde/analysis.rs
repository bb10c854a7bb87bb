//! The analysis as one process does it: the positions at a distance are worked through in batches, the moves that lead to them
//! taken back by some tasks, and what they find applied to the parts of the table.

use super::{CHUNK, Cut, DRAWN, Dealt, FARTHEST, OPEN, code, first, read, too_far, update, write};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use yomikiri_core::{Error, Retro, Run, text};

/// Tasks a thread gets of each batch, so that an uneven one costs little.
const TASKS: usize = 4;

/// What a task does: the blocks it looks through, and the updates it finds.
#[derive(Default)]
struct Task {
    blocks: Range<usize>,
    /// The positions there, each with who wins in its last bit.
    positions: Vec<u64>,
    dealt: Dealt,
}

/// An analysis under way. Between two steps it is all there is to know: the positions at `distance` below
/// `next` have been worked through.
pub(super) struct Analysis<'g, G: Retro> {
    game: &'g G,
    cut: Cut,
    pub slots: Vec<u16>,
    pub distance: u16,
    next: u64,
    /// Positions at distances up to the current one.
    decided: u64,
    /// Positions found at the next distance.
    found: u64,
    pub finished: bool,
    /// By block: positions at the current distance that have not been worked through, and positions found at the next one.
    /// They follow from the rest, and tell where to look and how to deal out what there is to do.
    waiting: Vec<u32>,
    fresh: Vec<u32>,
}

/// Steps with no more positions than this are not worth waking other threads.
const FEW: u64 = 1 << 9;

impl<'g, G: Retro> Analysis<'g, G> {
    /// Looks at every position once: who has won, and how many moves there are.
    pub fn begin(game: &'g G, run: &Run<'_>) -> Result<Self, Error> {
        let places = game.places();
        let cut = Cut::of(places);
        run.observer.begin(&text("looking at every position", "全局面の初期化"), places);
        let mut slots = vec![0; places as usize];
        let done = AtomicU64::new(0);
        let decided = slots
            .par_chunks_mut(cut.len())
            .enumerate()
            .map(|(part, slots)| {
                run.check()?;
                let base = (part as u64) << cut.shift;
                let (mut decided, mut walk) = (0, game.walk());
                for (i, slot) in slots.iter_mut().enumerate() {
                    *slot = first(game, walk(base + i as u64));
                    decided += u64::from(*slot & OPEN == 0);
                }
                let before = done.fetch_add(slots.len() as u64, Ordering::Relaxed);
                run.observer.done(before + slots.len() as u64);
                Ok(decided)
            })
            .sum::<Result<u64, Error>>()?;
        run.observer.end();
        Ok(Analysis::new(game, slots, [0, 0, decided, 0]))
    }

    /// An analysis with its table and the state it has: distance, next place, decided and found.
    fn new(game: &'g G, slots: Vec<u16>, [distance, next, decided, found]: [u64; 4]) -> Self {
        let cut = Cut::of(slots.len() as u64);
        let distance = distance as u16;
        let (waiting, fresh) = (Vec::new(), Vec::new());
        let mut analysis =
            Analysis { game, cut, slots, distance, next, decided, found, finished: false, waiting, fresh };
        analysis.waiting = analysis.count(distance, next);
        analysis.fresh = analysis.count(distance + 1, 0);
        analysis
    }

    /// How many positions each block has at a distance, from a place on.
    fn count(&self, distance: u16, from: u64) -> Vec<u32> {
        let code = code(1, distance);
        let blocks = self.slots.par_chunks(self.cut.block()).with_min_len(64).enumerate();
        let counts = blocks.map(|(block, slots)| {
            let before = from.saturating_sub((block * self.cut.block()) as u64).min(slots.len() as u64);
            slots[before as usize..].iter().map(|slot| u32::from(slot | 1 == code)).sum()
        });
        counts.collect()
    }

    /// Goes on to the end. When it stops before, everything up to `next` is done and nothing after it.
    pub fn finish(&mut self, run: &Run<'_>, keep: Option<&str>) -> Result<(), Error> {
        let places = self.slots.len() as u64;
        run.observer.begin(&text("taking moves back", "後退解析"), places);
        // Positions worked through at once: what is dealt out stays well below a byte a position, or takes a few mebibytes.
        let most = (places / 64).clamp(1 << 16, (run.threads.max(1) as u64) << 16);
        let parts = places.div_ceil(self.cut.len() as u64) as usize;
        let mut tasks: Vec<Task> = (0..run.threads.max(1) * TASKS).map(|_| Task::default()).collect();
        let mut checkpoints = run.checkpoints();
        loop {
            while self.next < places {
                run.check()?;
                let (used, count, next) = self.share_out(most, &mut tasks);
                let tasks = &mut tasks[..used];
                self.expand(tasks, parts);
                self.found += self.apply(tasks, count);
                self.next = next;
                run.observer.done(self.decided + self.found);
                if let Some(name) = keep
                    && checkpoints.due()
                {
                    checkpoints.keep(|| self.save(name, run))?;
                }
            }
            if self.found == 0 {
                break;
            }
            if self.distance == FARTHEST {
                return Err(too_far());
            }
            std::mem::swap(&mut self.waiting, &mut self.fresh);
            self.fresh.fill(0);
            self.distance += 1;
            self.decided += self.found;
            (self.next, self.found) = (0, 0);
        }
        let open =
            |slots: &mut [u16]| slots.iter_mut().filter(|slot| **slot & OPEN != 0).for_each(|s| *s = DRAWN);
        self.slots.par_chunks_mut(self.cut.len()).for_each(open);
        self.finished = true;
        run.observer.end();
        Ok(())
    }

    /// Deals the next blocks with about so many positions at the current distance out to tasks: how many tasks have something
    /// to do, how many positions there are, and where to go on.
    fn share_out(&self, most: u64, tasks: &mut [Task]) -> (usize, u64, u64) {
        let block = self.cut.block() as u64;
        let first = (self.next / block) as usize;
        let (mut end, mut count) = (first, 0);
        while let Some(&more) =
            self.waiting.get(end).filter(|more| count == 0 || count + u64::from(**more) <= most)
        {
            count += u64::from(more);
            end += 1;
        }
        let share = if count <= FEW { count } else { count.div_ceil(tasks.len() as u64) };
        let (mut used, mut from, mut sum) = (0, first, 0);
        for at in first..end {
            sum += u64::from(self.waiting[at]);
            if sum > 0 && (sum >= share || at + 1 == end) {
                tasks[used].blocks = from..at + 1;
                (used, from, sum) = (used + 1, at + 1, 0);
            }
        }
        (used, count, (end as u64 * block).min(self.slots.len() as u64))
    }

    /// Takes back the moves that lead to the positions and deals them out.
    fn expand(&self, tasks: &mut [Task], parts: usize) {
        tasks.par_iter_mut().for_each(|Task { blocks, positions, dealt }| {
            positions.clear();
            blocks.clone().filter(|&b| self.waiting[b] > 0).for_each(|block| self.look(block, positions));
            dealt.clear();
            let won = positions.iter().map(|position| (position >> 1, (position & 1) as u8));
            // The players take turns: whoever is not to move made the move.
            self.game.backward(won, |by, mover, before| {
                dealt.add(self.cut, before, u32::from(by) << 1 | u32::from(by != mover));
            });
            dealt.deal(parts);
        });
    }

    /// Looks for the positions of a block at the current distance that have not been worked through.
    fn look(&self, block: usize, positions: &mut Vec<u64>) {
        // The two codes of a distance differ in their last bit.
        let code = code(1, self.distance);
        let from = block * self.cut.block();
        let slots = &self.slots[from..self.slots.len().min(from + self.cut.block())];
        for (chunk, from) in slots.chunks(CHUNK).zip((from as u64..).step_by(CHUNK)) {
            // Most have none: they are passed in one go.
            if !chunk.iter().fold(false, |some, slot| some | (slot | 1 == code)) {
                continue;
            }
            let here = (from..).zip(chunk).filter(|&(place, slot)| slot | 1 == code && place >= self.next);
            positions.extend(here.map(|(place, slot)| place << 1 | u64::from(slot & 1)));
        }
    }

    /// Applies what was dealt out for so many positions, part by part; how many positions are decided by it.
    fn apply(&mut self, tasks: &[Task], count: u64) -> u64 {
        let (next, cut) = (self.distance + 1, self.cut);
        let part = |part: usize, slots: &mut [u16], fresh: &mut [u32]| {
            let updates = tasks.iter().flat_map(|task| task.dealt.of(part));
            let block = cut.block().trailing_zeros();
            updates
                .map(|updates| update(slots, updates, next, |at| fresh[(at >> block) as usize] += 1))
                .sum::<u64>()
        };
        let blocks = cut.len() / cut.block();
        if count <= FEW {
            let all = self.slots.chunks_mut(cut.len()).zip(self.fresh.chunks_mut(blocks));
            return all.enumerate().map(|(at, (slots, fresh))| part(at, slots, fresh)).sum::<u64>();
        }
        let all = self.slots.par_chunks_mut(cut.len()).zip(self.fresh.par_chunks_mut(blocks));
        all.enumerate().map(|(at, (slots, fresh))| part(at, slots, fresh)).sum()
    }

    /// Keeps the state of the analysis.
    pub fn save(&self, name: &str, run: &Run<'_>) -> Result<(), Error> {
        let head = [
            self.slots.len() as u64,
            u64::from(self.distance),
            self.next,
            self.decided,
            self.found,
            u64::from(self.finished),
        ];
        run.store.save(name, &mut |out| {
            head.iter().try_for_each(|n| out.write_all(&n.to_le_bytes()))?;
            write(&self.slots, out)
        })?;
        Ok(())
    }

    /// What was kept, if it is whole and of this game's size.
    pub fn load(game: &'g G, name: &str, run: &Run<'_>) -> Option<Self> {
        let mut from = run.store.load(name)?;
        let mut head = [0u64; 6];
        for n in &mut head {
            let mut bytes = [0; 8];
            from.read_exact(&mut bytes).ok()?;
            *n = u64::from_le_bytes(bytes);
        }
        let [places, distance, next, decided, found, finished] = head;
        if places != game.places() {
            return None;
        }
        let slots = read(places, &mut from)?;
        u16::try_from(distance).ok().filter(|distance| *distance <= FARTHEST)?;
        let analysis = Analysis::new(game, slots, [distance, next, decided, found]);
        Some(Analysis { finished: finished == 1, ..analysis })
    }
}
