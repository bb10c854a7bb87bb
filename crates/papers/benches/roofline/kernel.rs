//! What a kernel takes for each of its units, and the least that one core of this machine would take for it.

use crate::machine::{Machine, least};
use std::thread;

/// What must be done for a unit whoever does it: counted from the algorithm, not from a run.
#[derive(Default)]
pub struct Needs {
    /// Multiplications and additions of doubles, comparisons included.
    pub sums: f64,
    /// Operations on words of 64 bits.
    pub words: f64,
    /// Operations on lanes of 16 bits.
    pub lanes: f64,
    /// Bytes that have to come from beyond the caches or go there, in order.
    pub bytes: f64,
    /// Words looked up anywhere: how many, and the bytes of the table they are in.
    pub reads: Vec<(f64, usize)>,
}

/// A kernel that was measured.
pub struct Kernel {
    pub name: &'static str,
    /// What is counted: a value, a position, a row.
    pub unit: &'static str,
    /// Seconds a unit, by one thread and by two.
    pub seconds: [f64; 2],
    pub needs: Needs,
}

/// The same work on so many threads at once.
pub fn apart<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let begun: Vec<_> = (0..threads).map(|_| scope.spawn(&work)).collect();
        begun.into_iter().map(|one| one.join().expect("it does not panic")).collect()
    })
}

/// The least seconds of work that is shared among its threads, by one and by two, tried in turn.
pub fn shared(tries: usize, mut work: impl FnMut(usize)) -> [f64; 2] {
    let mut best = [f64::INFINITY; 2];
    for _ in 0..tries {
        for (threads, best) in (1..).zip(&mut best) {
            *best = best.min(least(1, || work(threads)));
        }
    }
    best
}

/// The least seconds of work of which every thread does one of its own: a deal, a game.
pub fn alone<T: Send>(tries: usize, work: impl Fn() -> T + Sync) -> [f64; 2] {
    let [one, two] = shared(tries, |threads| drop(apart(threads, &work)));
    [one, two / 2.0]
}

pub fn head() {
    println!(
        "{:<44} {:>10} {:>11} {:>11}  {:<16} {:>6} {:>12}",
        "kernel, one thread", "a", "measured", "floor", "which is", "times", "two threads"
    );
}

impl Kernel {
    /// What binds, and how long it would take: the units of a core work side by side, so that the slowest one decides.
    fn floor(&self, machine: &Machine) -> (&'static str, f64) {
        let Needs { sums, words, lanes, bytes, reads } = &self.needs;
        let anywhere = reads.iter().map(|(count, size)| count / machine.reads(*size)).sum();
        let floors = [
            ("arithmetic", sums / machine.sums),
            ("words", words / machine.words),
            ("lanes", lanes / machine.lanes),
            ("bytes in order", bytes / machine.bytes),
            ("places anywhere", anywhere),
        ];
        floors.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or(("", 0.0))
    }

    pub fn line(&self, machine: &Machine) -> String {
        let (binding, floor) = self.floor(machine);
        let [one, two] = self.seconds;
        format!(
            "{:<44} {:>10} {:>11} {:>11}  {:<16} {:>6.1} {:>10.2} x",
            self.name,
            self.unit,
            told(one),
            told(floor),
            binding,
            one / floor,
            one / two
        )
    }
}

fn told(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s if s >= 1e-6 => format!("{:.2} µs", s * 1e6),
        s => format!("{:.2} ns", s * 1e9),
    }
}
