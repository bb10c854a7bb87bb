//! Sweeps: many independent numbered items, one row each, worked out by all threads and folded in order.
//!
//! Item `i` draws what it needs from random streams chosen by `i`, so its row does not depend on the thread
//! that makes it, and the fold sees the rows in order, so the answer does not either. Rows go to the
//! journal of the run in whole blocks as soon as all before them are there; a sweep that was stopped reads
//! them back first and goes on behind them.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use yomikiri_core::rows::{Block, Cell, Column, Row};
use yomikiri_core::run::Estimate;
use yomikiri_core::{Error, Run, Text};
use yomikiri_view::report::grouped;

/// Blocks a thread may be ahead of the first that is missing: enough to keep the others busy while one
/// works on a hard item, few enough to be held in memory.
const AHEAD: u64 = 16;
/// How often a sweep looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(50);
/// How often whoever watches is told what the rows so far come to.
const LIVE: Duration = Duration::from_millis(250);

/// What to sweep.
pub struct Sweep {
    /// What it is called while it runs.
    pub what: Text,
    /// The columns of its rows.
    pub columns: &'static [Column],
    /// How many items there are; they are numbered from 0.
    pub items: u64,
    /// How many items are handed to a thread, and kept, at a time: what takes about half a second.
    pub block: u32,
}

/// Makes the row of every item with `item`, each thread with a `worker` of its own (tables to be reused; it
/// must not carry anything from one item to another that shows), and gives all rows in order to `fold`.
pub fn sweep<W>(
    run: &Run<'_>,
    sheet: &Sweep,
    worker: impl Fn() -> W + Sync,
    item: impl Fn(&mut W, u64) -> Result<Row, Error> + Sync,
    fold: impl FnMut(u64, &[Cell]),
) -> Result<(), Error> {
    sweep_live(run, sheet, worker, item, fold, Vec::new)
}

/// The same for those who sample: `live` says what the rows folded so far come to, for whoever watches. It is asked
/// now and then, by the clock, so nothing may depend on when.
pub fn sweep_live<W>(
    run: &Run<'_>,
    sweep: &Sweep,
    worker: impl Fn() -> W + Sync,
    item: impl Fn(&mut W, u64) -> Result<Row, Error> + Sync,
    mut fold: impl FnMut(u64, &[Cell]),
    live: impl Fn() -> Vec<Estimate>,
) -> Result<(), Error> {
    run.check()?;
    let mut journal = run.rows.open(sweep.columns, sweep.items)?;
    run.observer.begin(&sweep.what, sweep.items);
    let mut done = 0;
    while let Some(block) = journal.next()? {
        run.check()?;
        take(sweep, &block, &mut done, &mut fold)?;
    }
    run.observer.done(done);
    if done > 0 {
        let (at, of) = (grouped(done), grouped(sweep.items));
        run.observer
            .note(&Text::of(format!("resumed at {at} of {of} rows"), format!("{of} 行中 {at} 行から再開")));
    }
    let tell = || {
        let estimates = live();
        if !estimates.is_empty() {
            run.observer.live(&estimates);
        }
    };
    if done > 0 {
        tell();
    }
    let mut told = Instant::now();
    compute(run, sweep, done, &worker, &item, &mut |block| {
        // Kept before it counts: what is folded twice would be wrong, what is kept and not folded is not.
        journal.append(&block)?;
        take(sweep, &block, &mut done, &mut fold)?;
        run.observer.done(done);
        if told.elapsed() > LIVE {
            tell();
            told = Instant::now();
        }
        Ok(())
    })?;
    tell();
    run.observer.end();
    Ok(())
}

/// Folds over the rows of a block.
fn take(
    sweep: &Sweep,
    block: &Block,
    done: &mut u64,
    fold: &mut impl FnMut(u64, &[Cell]),
) -> Result<(), Error> {
    let rows = block.unpack(sweep.columns).filter(|rows| rows.len() as u64 <= sweep.items - *done);
    let Some(rows) = rows else {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "rows that are not of this sweep").into());
    };
    for row in rows {
        fold(*done, &row);
        *done += 1;
    }
    Ok(())
}

/// What a thread reports: the block that starts at an item, why there is none, or nothing at all when it
/// has panicked.
type Report = (u64, Option<Result<Block, Error>>);

/// Says that a thread is gone, so that nobody waits for its block.
struct Alarm(mpsc::Sender<Report>);

impl Drop for Alarm {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // The other side may have gone first.
            let _ = self.0.send((0, None));
        }
    }
}

/// Raises a flag when the sweep is over, however it ends: what is still handed out is not worth making.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Makes the blocks from an item on, side by side, and hands them over in order.
fn compute<W>(
    run: &Run<'_>,
    sweep: &Sweep,
    from: u64,
    worker: &(impl Fn() -> W + Sync),
    item: &(impl Fn(&mut W, u64) -> Result<Row, Error> + Sync),
    keep: &mut dyn FnMut(Block) -> Result<(), Error>,
) -> Result<(), Error> {
    let size = u64::from(sweep.block.max(1));
    let over = AtomicBool::new(false);
    let make = |worker: &mut W, start: u64| {
        let mut block = Block::default();
        for i in start..sweep.items.min(start.saturating_add(size)) {
            run.check()?;
            if over.load(Ordering::Relaxed) {
                return Ok(None);
            }
            block.push(sweep.columns, &item(worker, i)?);
        }
        Ok(Some(block))
    };
    let blocks = sweep.items.saturating_sub(from).div_ceil(size);
    let threads = (run.threads.max(1) as u64).min(blocks) as usize;
    std::thread::scope(|scope| {
        let (jobs, todo) = mpsc::channel::<u64>();
        let (reports, finished) = mpsc::channel::<Report>();
        let todo = Arc::new(Mutex::new(todo));
        for _ in 0..threads {
            let (todo, reports, make, over) = (Arc::clone(&todo), reports.clone(), &make, &over);
            scope.spawn(move || {
                let alarm = Alarm(reports);
                let mut state = worker();
                loop {
                    let job = match todo.lock() {
                        Ok(todo) => todo.recv(),
                        Err(_) => return,
                    };
                    let Ok(start) = job else { return };
                    let made = match make(&mut state, start) {
                        Ok(Some(block)) => Ok(block),
                        // Whoever ended it says why.
                        Ok(None) => return,
                        Err(e) => {
                            over.store(true, Ordering::Relaxed);
                            Err(e)
                        }
                    };
                    if alarm.0.send((start, Some(made))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(reports);

        // Returning drops these two, which sends the threads home.
        let _over = Over(&over);
        let mut handed = from;
        let mut next = from;
        let mut waiting = BTreeMap::new();
        while next < sweep.items {
            run.check()?;
            let most = next.saturating_add(AHEAD * size * threads as u64).min(sweep.items);
            while handed < most {
                // Cannot fail: this function holds the other end, too.
                let _ = jobs.send(handed);
                handed = handed.saturating_add(size);
            }
            match finished.recv_timeout(LOOK) {
                Ok((start, Some(made))) => {
                    waiting.insert(start, made?);
                }
                Ok((_, None)) | Err(RecvTimeoutError::Disconnected) => return Err(Error::Cancelled),
                Err(RecvTimeoutError::Timeout) => {}
            }
            while let Some(block) = waiting.remove(&next) {
                run.check()?;
                next = next.saturating_add(size).min(sweep.items);
                keep(block)?;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;
    use yomikiri_core::random::Random;
    use yomikiri_core::rows::{CellType, Journal, Keeper};
    use yomikiri_core::{Observer, text};

    static COLUMNS: [Column; 2] = [
        Column { name: "item", kind: CellType::Int, help: text("", "") },
        Column { name: "drawn", kind: CellType::Int, help: text("", "") },
    ];

    /// Keeps blocks in memory, and raises a flag after some of them.
    #[derive(Default)]
    struct Memory {
        blocks: Mutex<Vec<Block>>,
        stop_after: u64,
        stop: AtomicBool,
    }

    struct Open<'a>(&'a Memory, usize);

    impl Keeper for Memory {
        fn open(&self, _: &'static [Column], _: u64) -> Result<Box<dyn Journal + '_>, Error> {
            Ok(Box::new(Open(self, 0)))
        }
    }

    impl Journal for Open<'_> {
        fn next(&mut self) -> Result<Option<Block>, Error> {
            self.1 += 1;
            Ok(self.0.blocks.lock().unwrap().get(self.1 - 1).cloned())
        }
        fn append(&mut self, block: &Block) -> Result<(), Error> {
            let mut blocks = self.0.blocks.lock().unwrap();
            blocks.push(block.clone());
            if (blocks.len() as u64).is_multiple_of(self.0.stop_after.max(1)) {
                self.0.stop.store(self.0.stop_after > 0, Ordering::Relaxed);
            }
            Ok(())
        }
    }

    /// A cheap sweep in which some items take longer than others; the rows seen by the fold.
    fn swept(run: &Run<'_>, items: u64, block: u32) -> Result<Vec<(i64, i64)>, Error> {
        let mut seen = Vec::new();
        let sheet = Sweep { what: text("", ""), columns: &COLUMNS, items, block };
        let item = |_: &mut (), i: u64| {
            let mut random = Random::stream(run.seed, i);
            if random.below(50) == 0 {
                std::thread::sleep(Duration::from_millis(2));
            }
            Ok(vec![i.into(), random.below(1000).into()])
        };
        sweep(
            run,
            &sheet,
            || (),
            item,
            |i, row| {
                assert_eq!(row[0].int(), i as i64);
                seen.push((row[0].int(), row[1].int()));
            },
        )?;
        Ok(seen)
    }

    #[test]
    fn law_rows_come_in_order_whatever_the_threads_and_blocks() {
        let one = swept(&Run::default(), 1000, 1000).unwrap();
        assert_eq!(one.len(), 1000);
        for (threads, block) in [(1, 1), (2, 7), (4, 33), (8, 1), (3, 5000), (2, 0)] {
            let run = Run { threads, ..Run::default() };
            assert_eq!(swept(&run, 1000, block).unwrap(), one, "{threads} {block}");
        }
        assert_ne!(swept(&Run { seed: 2, ..Run::default() }, 1000, 9).unwrap(), one);
        assert!(swept(&Run::default(), 0, 9).unwrap().is_empty());
    }

    #[test]
    fn law_a_stopped_sweep_goes_on_where_it_was() {
        let whole = swept(&Run::default(), 500, 7).unwrap();
        for (threads, stop_after) in [(1, 1), (2, 3), (3, 10)] {
            let memory = Memory { stop_after, ..Memory::default() };
            let mut stops = 0;
            let seen = loop {
                memory.stop.store(false, Ordering::Relaxed);
                // Blocks of another size fit behind those of the last run.
                let run = Run { threads, rows: &memory, cancel: &memory.stop, ..Run::default() };
                match swept(&run, 500, 7 + stops) {
                    Ok(seen) => break seen,
                    Err(Error::Cancelled) => stops += 1,
                    Err(other) => panic!("{other}"),
                }
            };
            assert!(stops > 1, "it was never stopped");
            assert_eq!(seen, whole);
            let kept: u32 = memory.blocks.lock().unwrap().iter().map(|b| b.rows).sum();
            assert_eq!(kept, 500, "every row is kept once");
        }
    }

    #[test]
    fn law_who_watches_is_told_what_all_rows_come_to_in_the_end() {
        /// Remembers the last estimate.
        struct Ear(Mutex<Vec<f64>>);
        impl Observer for Ear {
            fn begin(&self, _: &Text, _: u64) {}
            fn done(&self, _: u64) {}
            fn end(&self) {}
            fn note(&self, _: &Text) {}
            fn live(&self, estimates: &[Estimate]) {
                self.0.lock().unwrap().push(estimates[0].value);
            }
        }
        let told = |threads: usize| {
            let ear = Ear(Mutex::default());
            let run = Run { threads, observer: &ear, ..Run::default() };
            let sheet = Sweep { what: text("", ""), columns: &COLUMNS, items: 100, block: 3 };
            let sum = std::cell::Cell::new(0);
            let live = || {
                let value = f64::from(sum.get());
                vec![Estimate { name: text("", ""), value, low: value, high: value, text: text("", "") }]
            };
            let item = |_: &mut (), i: u64| Ok(vec![i.into(), (2 * i).into()]);
            let fold = |_: u64, row: &[Cell]| sum.set(sum.get() + row[1].int() as i32);
            sweep_live(&run, &sheet, || (), item, fold, live).unwrap();
            ear.0.into_inner().unwrap()
        };
        for threads in [1, 3] {
            assert_eq!(told(threads).last(), Some(&9900.0));
        }
    }

    #[test]
    fn law_rows_of_another_sweep_are_refused() {
        let memory = Memory::default();
        let run = Run { rows: &memory, ..Run::default() };
        swept(&run, 20, 10).unwrap();
        assert!(matches!(swept(&run, 19, 10), Err(Error::Store(_))));
    }

    #[test]
    fn law_an_error_in_an_item_ends_the_sweep() {
        let made = AtomicU64::new(0);
        let sheet = Sweep { what: text("", ""), columns: &COLUMNS, items: 1 << 40, block: 2 };
        let run = Run { threads: 3, ..Run::default() };
        let item = |_: &mut (), i: u64| {
            made.fetch_add(1, Ordering::Relaxed);
            if i == 0 {
                run.fits(u64::MAX)?;
            }
            std::thread::sleep(Duration::from_millis(20));
            Ok(vec![i.into(), i.into()])
        };
        let ended = sweep(&run, &sheet, || (), item, |_, _| ());
        assert!(matches!(ended, Err(Error::Memory { .. })));
        // Blocks that were handed out but not begun, 48 of them, are not made any more.
        assert!(made.load(Ordering::Relaxed) < 48, "{made:?}");
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn law_a_panic_in_an_item_does_not_hang_the_sweep() {
        let sheet = Sweep { what: text("", ""), columns: &COLUMNS, items: 1 << 40, block: 2 };
        let run = Run { threads: 3, ..Run::default() };
        let item =
            |_: &mut (), i: u64| if i == 9 { panic!("a mistake") } else { Ok(vec![i.into(), i.into()]) };
        let _ = sweep(&run, &sheet, || (), item, |_, _| ());
    }
}
