use std::time::Instant;
use yomikiri_core::Run;
use yomikiri_games::geister::{analysis::*, board::*, space::*, start, tables::*};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let threads: usize = a[1].parse().unwrap();
    let run = Run { threads, memory: 20 << 30, ..Run::default() };
    if a.len() > 2 {
        let n = |i: usize| a[i].parse::<u8>().unwrap();
        let board = Board::new(n(2), n(3)).unwrap();
        let t = Tables::new(board, a.len() > 6);
        let m = [Material([[0, 0, n(4)], [0, 0, n(5)]])];
        let t0 = Instant::now();
        let s = t.get(Kind::Basic, &m, &run).unwrap();
        let e = t0.elapsed().as_secs_f64();
        println!("{} places {:.2}s {:.2}M/s", s.table.places(), e, s.table.places() as f64 / e / 1e6);
        for mut p in start::positions(&s.rules) {
            let x = s.verdict(&p);
            p.turn = 1;
            println!("{x:?} {:?}", s.verdict(&p));
        }
        return;
    }
    let t = Tables::new(Board::new(4, 4).unwrap(), false);
    let t0 = Instant::now();
    for kind in Kind::ALL {
        let t1 = Instant::now();
        let s = t.solve(kind, &run).unwrap();
        let e = t1.elapsed().as_secs_f64();
        let mut c = [0u64; 3];
        for i in 0..s.table.places() {
            c[(value(s.table.get(i)) + 1) as usize] += 1;
        }
        println!(
            "{:16} {:8} {:.3}s {:.2}M/s -1:{} 0:{} +1:{}",
            kind.id(),
            s.table.places(),
            e,
            s.table.places() as f64 / e / 1e6,
            c[0],
            c[1],
            c[2]
        );
        for mut p in start::positions(&s.rules) {
            let x = s.verdict(&p);
            p.turn = 1;
            let y = s.verdict(&p);
            print!("  {:?}{:?}/{:?}{:?}", value(x), distance(x), value(y), distance(y));
        }
        println!();
    }
    println!("{:?}", t0.elapsed());
    let t0 = Instant::now();
    println!("{:?} {:?}", verify(&t, &run).unwrap(), t0.elapsed());
}
