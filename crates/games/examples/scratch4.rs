//! x
use yomikiri_core::*;
use yomikiri_games::memory::{paper::*, rules::*};
fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let run = Run { threads: 2, memory: 20 << 30, ..Run::default() };
    let g = Memory::new(n, 4, Objective::Win).unwrap();
    let t0 = std::time::Instant::now();
    println!("{} {}", count_tree(&g, &run, |_| {}).unwrap(), t0.elapsed().as_secs_f64());
}
