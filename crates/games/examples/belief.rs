use std::time::Instant;
use yomikiri_core::Run;
use yomikiri_games::geister::belief::rules::{Hidden, Public};
use yomikiri_games::geister::board::Board;
use yomikiri_solve::belief::{Bound, Graph, Options};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let holder: usize = args[1].parse().unwrap();
    let lattice: i32 = args[3].parse().unwrap();
    let step: i32 = args[4].parse().unwrap();
    let least: f64 = args[5].parse().unwrap();
    let rounds: u32 = args[6].parse().unwrap();
    let board = Board::new(4, 4).unwrap();
    let hidden = Hidden { board, mostly_red: [false, false] };
    let sq = |n: &str| 1u64 << hidden.board.square(n).unwrap();
    let starts: Vec<Public> = (0..2)
        .map(|turn| {
            hidden.canonical(Public { turn, sides: [sq("b2") | sq("b1") | sq("c1"), sq("b4") | sq("c4")] }).0
        })
        .collect();
    let run = Run { threads: 2, memory: 16 << 30, ..Run::default() };
    let t = Instant::now();
    let graph = std::sync::Arc::new(Graph::explore(&hidden, &starts, &run).unwrap());
    eprintln!("{} positions {:?}", graph.positions.len(), t.elapsed());
    let mut beliefs = Vec::new();
    for d in args[2].split(',') {
        if d.contains(':') {
            let mut b = [0i64; 3];
            for (i, w) in d.split(':').enumerate() {
                b[i] = w.parse().unwrap();
            }
            beliefs.push(b);
            continue;
        }
        let d: i64 = d.parse().unwrap();
        for a in 0..=d {
            if holder == 1 {
                beliefs.push([a, d - a, 0]);
            } else {
                for b in 0..=d - a {
                    beliefs.push([a, b, d - a - b]);
                }
            }
        }
    }
    let options = Options { beliefs, lattice, step, least, rounds };
    let mut bound = Bound::new(graph.clone(), holder, &options, &run).unwrap();
    bound.solve(None, &run).unwrap();
    for (turn, s) in starts.iter().enumerate() {
        let at = graph.find(s).unwrap();
        let (b, v) = bound.best(at);
        println!(
            "turn {turn}: belief {:?}/{} value {}/{} = {}",
            bound.beliefs(at).beliefs[b],
            bound.beliefs(at).sum,
            v,
            lattice,
            v as f64 / lattice as f64
        );
    }
    println!("{:?}", t.elapsed());
    if let (Some(turn), Some(file)) = (args.get(7), args.get(8)) {
        let at = graph.find(&starts[turn.parse::<usize>().unwrap()]).unwrap();
        let (b, v) = bound.best(at);
        let proof = bound.prove(at, b, v, &run).unwrap();
        println!(
            "{} entries {} uses {:?}",
            proof.entries.len(),
            proof.entries.iter().map(|e| e.uses.len()).sum::<usize>(),
            t.elapsed()
        );
        let mut count = std::collections::BTreeMap::new();
        for e in &proof.entries {
            let b = bound.beliefs(e.at).find(&e.belief).unwrap();
            for s in bound.slopes(e.at, b) {
                *count.entry(format!("{:.4} {:.4} {:.4}", s[0], s[1], s[2])).or_insert(0) += 1;
            }
        }
        let mut count: Vec<_> = count.into_iter().map(|(k, n)| (n, k)).collect();
        count.sort();
        for (n, k) in count.iter().rev().take(60) {
            println!("{n} {k}");
        }
        let c = yomikiri_games::geister::belief::certificate::Certificate {
            rules: &hidden,
            graph: &graph,
            proof: &proof,
            holder,
            lattice,
        };
        let mut out = std::io::BufWriter::new(std::fs::File::create(file).unwrap());
        c.write(&mut out).unwrap();
    }
}
