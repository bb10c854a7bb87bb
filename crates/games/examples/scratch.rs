use yomikiri_core::*;
use yomikiri_games::memory::{levels::*, rules::*};
use yomikiri_solve::{induction::Induction, memo::Memo, *};
fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let c: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let t: usize = std::env::args().nth(3).unwrap().parse().unwrap();
    let what = std::env::args().nth(4).unwrap();
    let run = Run { threads: t, memory: 20 << 30, ..Run::default() };
    let g =
        Memory::new(n, c, if std::env::args().nth(5).is_some() { Objective::Cards } else { Objective::Win })
            .unwrap();
    let t0 = std::time::Instant::now();
    match what.as_str() {
        "w" => {
            let l = Levels::solve(&g, Doubles, Keep::Window, &run).unwrap();
            println!("{:?} values {} {:?}", l.root(n), l.values, l.tally.first);
            println!("{:.15}", (1.0 + l.root(n).unwrap()) / 2.0);
        }
        "a" => {
            let l = Levels::solve(&g, Doubles, Keep::All, &run).unwrap();
            println!("{:?} values {} {:?}", l.root(n), l.values, l.tally.first);
        }
        "x" => {
            let l = Levels::solve(&g, Factorials::new(n * c), Keep::All, &run).unwrap();
            println!("{}", (l.root(n).unwrap() + Rational::from_int(1)) / Rational::from_int(2));
        }
        "m" => {
            let l = Solver::solve(&Memo::<f64>::new(), &g, &run).unwrap();
            println!("{:?} {}", l.value(&g, &g.start()), l.positions());
        }
        "i" => {
            let l = Solver::solve(&Induction::<f64>::new(), &g, &run).unwrap();
            println!("{:?} {}", l.value(&g, &g.start()), l.positions());
        }
        "cmp" => {
            let l = Solver::solve(&Induction::<f64>::new(), &g, &run).unwrap();
            println!("induction {:?} {}", l.value(&g, &g.start()), t0.elapsed().as_secs_f64());
            let k = Levels::solve(&g, Doubles, Keep::All, &run).unwrap();
            let (mut bad, mut all, mut max) = (0u64, 0u64, 0f64);
            for t in 0..g.tiers() {
                for i in 0..g.len(t) {
                    let s = g.state((t, i)).unwrap();
                    let a = l.tier(t)[i as usize];
                    let b = k.lookup(&g, &s.counts, s.diff).unwrap();
                    all += 1;
                    max = max.max((a - b).abs());
                    if (a - b).abs() > 1e-11 {
                        bad += 1;
                        if bad < 5 {
                            println!("{s:?} {a} {b}");
                        }
                    }
                }
            }
            println!("{bad} of {all} max {max:e}");
        }
        _ => {}
    }
    println!("{:.4} s", t0.elapsed().as_secs_f64());
}
