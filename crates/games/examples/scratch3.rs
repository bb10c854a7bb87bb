//! x
use yomikiri_core::*;
use yomikiri_games::memory::{paper::*, policies::*, thumb::*, unusual};
fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let l: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let run = Run { threads: 2, memory: 20 << 30, ..Run::default() };
    let (g, t) = solved(n, &run).unwrap();
    for o in [unusual::Oddity::Pass, unusual::Oddity::Different, unusual::Oddity::Leave] {
        for f in unusual::find(&g, &t, o, 6, &run).unwrap() {
            println!("{o:?} {f:?}");
        }
    }
    let t0 = std::time::Instant::now();
    let th = Thumb::learn(&g, &t, l, &run).unwrap();
    println!("same {:?} {}", th.same, t0.elapsed().as_secs_f64());
    for (d, o) in [(&th.quiet, &QUIET[..]), (&th.pair, &PAIR[..]), (&th.second, &SECOND[..])] {
        println!("{} of {} ({:.3}%)", d.right, d.cases, 100.0 * d.right as f64 / d.cases as f64);
        for r in &d.rules {
            println!(
                "   {} -> {:?}",
                r.when.iter().map(|c| c.text().en.to_string()).collect::<Vec<_>>().join(" and "),
                o[r.option]
            );
        }
    }
    println!(
        "thumb vs best {:?} normal {:?} opt {}",
        against_best(&g, &th, &run).unwrap(),
        against_best(&g, &Normal, &run).unwrap(),
        (1.0 + t.root(n).unwrap()) / 2.0
    );
    println!(
        "thumb vs normal {:.4} {:.4}",
        rate(&g, &th, &Normal, &run).unwrap(),
        rate(&g, &Normal, &th, &run).unwrap()
    );
    println!("{}", t0.elapsed().as_secs_f64());
}
