//! x
use yomikiri_core::*;
use yomikiri_games::memory::{paper::*, policies::*};
fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let run = Run { threads: 2, memory: 20 << 30, ..Run::default() };
    let t0 = std::time::Instant::now();
    let (g, t) = solved(n, &run).unwrap();
    println!("{:?} {}", tree(&g, &t, &run).unwrap(), t0.elapsed().as_secs_f64());
    if n <= 13 {
        println!("normal {} {}", rate(&g, &Normal, &Normal, &run).unwrap(), t0.elapsed().as_secs_f64());
        for r in readings(&g, &t, &run).unwrap() {
            println!("{} {:.8} {:.8} {}", r.name, r.first, r.second, t0.elapsed().as_secs_f64());
        }
    }
}
