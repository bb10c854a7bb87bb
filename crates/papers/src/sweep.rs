//! Sweeps: many independent numbered items, one row each, worked out by all threads and folded in order.
//!
//! Item `i` draws what it needs from random streams chosen by `i`, so its row does not depend on the thread
//! that makes it, and the fold sees the rows in order, so the answer does not either. Rows go to the
//! journal of the run in whole blocks as soon as all before them are there; a sweep that was stopped reads
//! them back first and goes on behind them.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;
use yomikiri_core::clock::Instant;
use yomikiri_core::rows::{Block, Cell, CellType, Column, Row};
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

/// A column of whole numbers.
pub(crate) const fn whole(name: &'static str, help: Text) -> Column {
    Column { name, kind: CellType::Int, help }
}

/// A column of doubles.
pub(crate) const fn real(name: &'static str, help: Text) -> Column {
    Column { name, kind: CellType::Float, help }
}

/// A column of words.
pub(crate) const fn words(name: &'static str, help: Text) -> Column {
    Column { name, kind: CellType::Text, help }
}

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
///
/// # Errors
/// The first error of an item or of the journal; if the run is cancelled.
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
///
/// # Errors
/// As [`sweep`].
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
    let share = run.rows.share(sweep.items);
    let items = share.clone().unwrap_or(0..sweep.items);
    // Folds expect every row from the first on: a part of them is only kept.
    let mut fold = |item: u64, row: &[Cell]| {
        if share.is_none() {
            fold(item, row);
        }
    };
    run.observer.begin(&sweep.what, items.end - items.start);
    let mut next = items.start;
    while let Some(block) = journal.next()? {
        run.check()?;
        take(sweep, &block, &mut next, items.end, &mut fold)?;
    }
    let done = next - items.start;
    run.observer.done(done);
    if done > 0 {
        let (at, of) = (grouped(done), grouped(items.end - items.start));
        run.observer
            .note(&Text::of(format!("resumed at {at} of {of} rows"), format!("{of} 行中 {at} 行から再開")));
    }
    let tell = || {
        let estimates = if share.is_none() { live() } else { Vec::new() };
        if !estimates.is_empty() {
            run.observer.live(&estimates);
        }
    };
    if done > 0 {
        tell();
    }
    let mut told = Instant::now();
    compute(run, sweep, next..items.end, &worker, &item, &mut |block| {
        // Kept before it counts: what is folded twice would be wrong, what is kept and not folded is not.
        journal.append(&block)?;
        take(sweep, &block, &mut next, items.end, &mut fold)?;
        run.observer.done(next - items.start);
        if told.elapsed() > LIVE {
            tell();
            told = Instant::now();
        }
        Ok(())
    })?;
    tell();
    run.observer.end();
    if share.is_some() { Err(Error::Cancelled) } else { Ok(()) }
}

/// Folds over the rows of a block.
fn take(
    sweep: &Sweep,
    block: &Block,
    next: &mut u64,
    end: u64,
    fold: &mut impl FnMut(u64, &[Cell]),
) -> Result<(), Error> {
    let rows = block.unpack(sweep.columns).filter(|rows| rows.len() as u64 <= end - *next);
    let Some(rows) = rows else {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "rows that are not of this sweep").into());
    };
    for row in rows {
        fold(*next, &row);
        *next += 1;
    }
    Ok(())
}

/// Makes the blocks of some items, side by side, and hands them over in order.
fn compute<W>(
    run: &Run<'_>,
    sweep: &Sweep,
    items: Range<u64>,
    worker: &(impl Fn() -> W + Sync),
    item: &(impl Fn(&mut W, u64) -> Result<Row, Error> + Sync),
    keep: &mut dyn FnMut(Block) -> Result<(), Error>,
) -> Result<(), Error> {
    let size = u64::from(sweep.block.max(1));
    let over = AtomicBool::new(false);
    let make = |worker: &mut W, start: u64| {
        let mut block = Block::default();
        for i in start..items.end.min(start.saturating_add(size)) {
            run.check()?;
            if over.load(Ordering::Acquire) {
                return Ok(None);
            }
            block.push(sweep.columns, &item(worker, i)?);
        }
        Ok(Some(block))
    };
    let blocks = items.end.saturating_sub(items.start).div_ceil(size);
    let threads = (run.threads.max(1) as u64).min(blocks) as usize;
    if threads <= 1 {
        // One thread needs no other: in a browser there is none.
        let (mut state, mut next) = (worker(), items.start);
        while next < items.end {
            let block = make(&mut state, next)?;
            run.check()?;
            next = next.saturating_add(size);
            block.map_or(Ok(()), &mut *keep)?;
        }
        return Ok(());
    }
    let (jobs, todo) = mpsc::channel::<u64>();
    let todo = Mutex::new(todo);
    std::thread::scope(|scope| {
        let (reports, finished) = mpsc::channel();
        let (todo, over, make) = (&todo, &over, &make);
        let work = move |reports: mpsc::Sender<(u64, Result<Block, Error>)>| {
            let mut state = worker();
            loop {
                let job = todo.lock().map(|todo| todo.recv());
                let Ok(Ok(start)) = job else { return };
                // Whoever ended it says why.
                let Some(made) = make(&mut state, start).transpose() else { return };
                let failed = made.is_err();
                if reports.send((start, made)).is_err() {
                    return;
                }
                over.fetch_or(failed, Ordering::Release);
            }
        };
        let threads: Vec<_> =
            std::iter::repeat_n(reports, threads).map(|reports| scope.spawn(move || work(reports))).collect();

        let ahead = AHEAD * size * threads.len() as u64;
        let (mut handed, mut next, mut waiting) = (items.start, items.start, BTreeMap::new());
        let mut in_order = || {
            while next < items.end {
                run.check()?;
                while handed < next.saturating_add(ahead).min(items.end) {
                    // Cannot fail: this function holds the other end, too.
                    let _ = jobs.send(handed);
                    handed = handed.saturating_add(size);
                }
                // A thread that is gone has panicked, or has seen that another failed, which was reported before.
                let gone = threads.iter().any(|thread| thread.is_finished());
                match finished.recv_timeout(if gone { Duration::ZERO } else { LOOK }) {
                    Ok((start, made)) => drop(waiting.insert(start, made?)),
                    Err(_) if gone => return Err(Error::Cancelled),
                    Err(_) => {}
                }
                while let Some(block) = waiting.remove(&next) {
                    run.check()?;
                    next = next.saturating_add(size).min(items.end);
                    keep(block)?;
                }
            }
            Ok(())
        };
        let ended = in_order();
        // However it ended: what is still handed out is not worth making, and the threads may go home.
        over.store(true, Ordering::Relaxed);
        drop(jobs);
        ended
    })
}
