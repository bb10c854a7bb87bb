//! Sweeps: in order, stopped and gone on with, watched, and with items that fail.

use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use yomikiri_core::random::Random;
use yomikiri_core::rows::{Block, Cell, Column};
use yomikiri_core::rows::{CellType, Journal, Keeper};
use yomikiri_core::run::Estimate;
use yomikiri_core::{Error, Run, Text};
use yomikiri_core::{Observer, text};
use yomikiri_papers::sweep::{Sweep, sweep, sweep_live};

static COLUMNS: [Column; 2] = [
    Column { name: "item", kind: CellType::Int, help: text("", "") },
    Column { name: "drawn", kind: CellType::Int, help: text("", "") },
];

/// Keeps blocks in memory, and raises a flag after some of them.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) blocks: Mutex<Vec<Block>>,
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
            vec![Estimate {
                name: text("", ""),
                value,
                low: value,
                high: value,
                text: text("", ""),
                published: None,
            }]
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
    let item = |_: &mut (), i: u64| if i == 9 { panic!("a mistake") } else { Ok(vec![i.into(), i.into()]) };
    let _ = sweep(&run, &sheet, || (), item, |_, _| ());
}
