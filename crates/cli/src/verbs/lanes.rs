//! Several long pieces of work side by side, told in their order.
//!
//! Much of what is computed for a paper is too short for many threads, or has to wait for itself; another paper has nothing
//! to do with it. So threads are shared out among lanes, and each lane does one piece after another.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use yomikiri_core::Run;

/// How many lanes there are for so many threads: the more threads, the more lanes and the more threads in each, but no more
/// lanes than can be busy while the longest piece is done.
fn lanes(threads: usize, costs: &[u32]) -> usize {
    let threads = threads.max(1);
    let most = (threads / threads.isqrt()).min(costs.len());
    let longest = costs.iter().copied().max().unwrap_or(0).max(1);
    most.min((costs.iter().sum::<u32>() / longest) as usize).max(1)
}

/// Whether pieces that cost so much are done sooner side by side than one after another with all threads.
pub fn worth(run: &Run<'_>, costs: &[u32]) -> bool {
    lanes(run.threads, costs) > 1
}

/// What a lane has of a run.
pub struct Share<'a> {
    run: Run<'a>,
    threads: Cell<usize>,
    /// Threads of lanes that have nothing left to do, where there are others.
    idle: Option<&'a AtomicUsize>,
}

impl<'a> Share<'a> {
    /// All of it.
    pub fn whole(run: &Run<'a>) -> Share<'a> {
        Share { run: *run, threads: Cell::new(run.threads), idle: None }
    }

    /// The run of the lane from here on: threads that others do not need any more come to it.
    pub fn run(&self) -> Run<'a> {
        let more = self.idle.map_or(0, |idle| idle.swap(0, Ordering::Relaxed));
        self.threads.set(self.threads.get() + more);
        Run { threads: self.threads.get(), ..self.run }
    }
}

/// Does a piece of work for every entry of `costs`, the longest first, and gives what came of them to `take` in the order of
/// the list, as soon as all before are there. Each lane has its share of threads and memory.
///
/// # Errors
/// The first error of `take`; pieces that were begun are ended, others are not begun.
pub fn side_by_side<T: Send, E>(
    run: &Run<'_>,
    costs: &[u32],
    work: impl Fn(usize, &Share<'_>) -> T + Sync,
    mut take: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let lanes = lanes(run.threads, costs);
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by_key(|&piece| Reverse(costs[piece]));
    let (order, begun, idle) = (&order, &AtomicUsize::new(0), &AtomicUsize::new(0));
    let work = &work;
    std::thread::scope(|scope| {
        let (made, done) = mpsc::channel();
        for lane in 0..lanes {
            let made = made.clone();
            let threads = run.threads / lanes + usize::from(lane < run.threads % lanes);
            let run = Run { memory: run.memory / lanes as u64, ..*run };
            scope.spawn(move || {
                let share = Share { run, threads: Cell::new(threads), idle: Some(idle) };
                while let Some(&piece) = order.get(begun.fetch_add(1, Ordering::Relaxed)) {
                    if made.send((piece, work(piece, &share))).is_err() {
                        return;
                    }
                }
                idle.fetch_add(share.threads.get(), Ordering::Relaxed);
            });
        }
        drop(made);
        let (mut next, mut waiting) = (0, BTreeMap::new());
        for (piece, one) in done {
            waiting.insert(piece, one);
            while let Some(one) = waiting.remove(&next) {
                take(next, one)?;
                next += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_what_is_done_side_by_side_is_told_in_order() {
        for threads in 1..20 {
            let run = Run { threads, ..Run::default() };
            let costs = [3, 1, 4, 1, 5, 9];
            let lanes = lanes(threads, &costs);
            assert!((1..=2).contains(&lanes) && lanes <= threads && worth(&run, &costs) == (lanes > 1));
            let mut told = Vec::new();
            let work = |piece: usize, share: &Share<'_>| {
                let share = share.run();
                // Its own, and perhaps those of a lane that has ended.
                assert!(threads / lanes <= share.threads && share.threads <= threads);
                assert_eq!(share.memory, run.memory / lanes as u64);
                10 * piece
            };
            let all = side_by_side(&run, &costs, work, |piece, made| {
                told.push((piece, made));
                Ok::<(), ()>(())
            });
            assert_eq!((all, told), (Ok(()), (0..6).map(|piece| (piece, 10 * piece)).collect()));
        }
    }

    #[test]
    fn law_whoever_does_not_want_more_gets_no_more() {
        let run = Run { threads: 2, ..Run::default() };
        let mut told = 0;
        let ended = side_by_side(
            &run,
            &[1; 100],
            |piece, _| piece,
            |_, piece| {
                told += 1;
                if piece == 3 { Err("enough") } else { Ok(()) }
            },
        );
        assert_eq!((ended, told), (Err("enough"), 4));
    }
}
