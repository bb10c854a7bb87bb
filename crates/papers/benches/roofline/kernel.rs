//! What a kernel takes for each of its units, and the least that one core of this machine would take for it.

use crate::machine::Machine;

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
    /// Seconds a unit, one thread.
    pub seconds: f64,
    pub needs: Needs,
}

pub fn head() {
    println!(
        "{:<44} {:>10} {:>11} {:>11}  {:<20} {:>7}",
        "kernel, one thread", "a", "measured", "floor", "which is", "times"
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
        format!(
            "{:<44} {:>10} {:>11} {:>11}  {:<20} {:>7.1}",
            self.name,
            self.unit,
            told(self.seconds),
            told(floor),
            binding,
            self.seconds / floor
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
