//! What one core of this machine can do, measured: sums of products, plain operations, bytes, and places looked up that
//! are not in any cache; and what two cores can do at once, as they share the memory and, in a cloud, the rest as well.

use crate::kernel::apart;
use std::hint::black_box;
use std::time::Instant;

/// What one core can do in a second.
pub struct Machine {
    /// Multiplications and additions of doubles on rows in the first cache, by vectors as the compiler makes them.
    pub sums: f64,
    /// Plain operations on words of 64 bits: exclusive or, shift, addition.
    pub words: f64,
    /// Operations on lanes of 16 bits.
    pub lanes: f64,
    /// Bytes read in order, from beyond the caches.
    pub bytes: f64,
    /// Words read from anywhere in tables of so many bytes, none waiting for another.
    pub anywhere: Vec<(usize, f64)>,
    /// How many times as much two cores do at once, by the name of what they do.
    pub two: Vec<(&'static str, f64)>,
}

impl std::fmt::Display for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [sums, words, lanes, bytes] =
            [self.sums, self.words, self.lanes, self.bytes].map(|rate| rate / 1e9);
        write!(
            f,
            "One core of this machine, a second: {sums:.1} G operations on doubles, {words:.1} G on words, {lanes:.1} G on lanes of 16 \
             bits, {bytes:.1} GB in order; words from anywhere in"
        )?;
        self.anywhere
            .iter()
            .try_for_each(|(size, rate)| write!(f, " {} MiB: {:.0} M,", size >> 20, rate / 1e6))?;
        write!(
            f,
            " as this compiler makes the code for any machine of the kind.\nTwo cores at once, against one:"
        )?;
        self.two.iter().try_for_each(|(what, times)| write!(f, " {what} {times:.2} times,"))?;
        write!(f, " the same code and tables of their own.")
    }
}

/// The least seconds of some tries of a piece of work.
pub fn least(tries: usize, mut work: impl FnMut()) -> f64 {
    let once = |_| {
        let begun = Instant::now();
        work();
        begun.elapsed().as_secs_f64()
    };
    (0..tries).map(once).fold(f64::INFINITY, f64::min)
}

/// Sizes of tables in which places are looked up: within a cache, and far beyond.
const TABLES: [usize; 4] = [1 << 20, 16 << 20, 64 << 20, 512 << 20];

impl Machine {
    pub fn measured() -> Machine {
        Machine {
            sums: sums(),
            words: words(),
            lanes: lanes(),
            bytes: bytes(),
            anywhere: TABLES.map(|size| (size, anywhere(size))).to_vec(),
            two: vec![
                ("doubles", together(sums)),
                ("words", together(words)),
                ("lanes", together(lanes)),
                ("bytes in order", together(bytes)),
                ("16 MiB anywhere", together(|| anywhere(16 << 20))),
                ("512 MiB anywhere", together(|| anywhere(512 << 20))),
            ],
        }
    }

    /// Words a second from anywhere in a table of so many bytes: of the smallest measured table that is not smaller.
    pub fn reads(&self, bytes: usize) -> f64 {
        let fitting = self.anywhere.iter().find(|(size, _)| *size >= bytes);
        fitting.or(self.anywhere.last()).map_or(f64::NAN, |(_, rate)| *rate)
    }
}

/// How many times as much two threads do at once as one alone, the best of three comparisons made in turn.
fn together(rate: fn() -> f64) -> f64 {
    let once = |_| {
        let one = rate();
        apart(2, rate).iter().sum::<f64>() / one
    };
    (0..3).map(once).fold(0.0, f64::max)
}

/// Eight rows are weighed and added up, as a mixture of what may follow is.
fn sums() -> f64 {
    const WIDTH: usize = 128;
    const ROWS: usize = 8;
    let rows = vec![[1.000_1; WIDTH]; ROWS];
    let mut into = [0.0; WIDTH];
    let times = 20_000;
    let seconds = least(9, || {
        for n in 0..times {
            let rows: &[[f64; WIDTH]] = black_box(&rows);
            let weight = f64::from(n % 7);
            for pair in rows.chunks_exact(2) {
                for ((sum, a), b) in into.iter_mut().zip(&pair[0]).zip(&pair[1]) {
                    *sum += weight * a + weight * b;
                }
            }
        }
        black_box(&into);
    });
    2.0 * f64::from(times) * (WIDTH * ROWS) as f64 / seconds
}

/// Four chains that do not wait for each other, three operations a step.
fn words() -> f64 {
    let times = 4_000_000u64;
    let seconds = least(9, || {
        let mut chains = black_box([1u64, 2, 3, 4]);
        for n in 0..times {
            for chain in &mut chains {
                *chain = (*chain ^ n).wrapping_add(*chain >> 7);
            }
        }
        black_box(chains);
    });
    12.0 * times as f64 / seconds
}

/// Products and sums of lanes of 16 bits, as the compiler makes vectors of them.
fn lanes() -> f64 {
    const WIDTH: usize = 512;
    let (a, b) = (vec![3i16; WIDTH], vec![5i16; WIDTH]);
    let mut into = vec![0i16; WIDTH];
    let times = 20_000;
    let seconds = least(9, || {
        for _ in 0..times {
            let (a, b) = (black_box(&a), black_box(&b));
            for ((sum, x), y) in into.iter_mut().zip(a).zip(b) {
                *sum = sum.wrapping_add(x.wrapping_mul(*y));
            }
        }
        black_box(&into);
    });
    2.0 * f64::from(times) * WIDTH as f64 / seconds
}

fn bytes() -> f64 {
    let words = vec![1u64; 256 << 17];
    let seconds = least(5, || {
        let mut sums = [0u64; 8];
        for chunk in black_box(&words).chunks_exact(8) {
            sums.iter_mut().zip(chunk).for_each(|(sum, word)| *sum = sum.wrapping_add(*word));
        }
        black_box(sums);
    });
    (words.len() * 8) as f64 / seconds
}

fn anywhere(size: usize) -> f64 {
    let table = vec![1u64; size / 8];
    let times = 2_000_000u64;
    let mut state = 1u64;
    let seconds = least(5, || {
        let mut sum = 0u64;
        for _ in 0..times {
            // The place does not depend on what was read, so that many reads are under way at once.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let place = ((u128::from(state) * table.len() as u128) >> 64) as usize;
            sum = sum.wrapping_add(table[place]);
        }
        black_box(sum);
    });
    times as f64 / seconds
}
