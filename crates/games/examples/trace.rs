//! scratch
use std::io::{Read, Write};
use std::sync::Arc;
use yomikiri_core::{Run, Store};
use yomikiri_games::geister::belief::rules::{Hidden, Public};
use yomikiri_games::geister::belief::{Open, beliefs};
use yomikiri_games::geister::board::{Board, squares};
use yomikiri_solve::belief::{Belief, Bound, ENDED, Options, Rules};
struct Files;
impl Store for Files {
    fn load(&self, name: &str) -> Option<Box<dyn Read>> {
        Some(Box::new(std::io::BufReader::new(std::fs::File::open(format!("/tmp/store/{name}")).ok()?)))
    }
    fn save(
        &self,
        name: &str,
        write: &mut dyn FnMut(&mut dyn Write) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        let _ = std::fs::create_dir_all("/tmp/store");
        let mut f = std::io::BufWriter::new(std::fs::File::create(format!("/tmp/store/{name}.tmp"))?);
        write(&mut f)?;
        f.flush()?;
        std::fs::rename(format!("/tmp/store/{name}.tmp"), format!("/tmp/store/{name}"))
    }
    fn remove(&self, _: &str) {}
}
fn solve(
    open: &Open,
    holder: usize,
    dens: &[i64],
    lattice: i32,
    step: i32,
    least: f64,
    run: &Run<'_>,
) -> Bound<Public> {
    let b: Vec<Belief> = dens.iter().flat_map(|&d| beliefs(if holder == 0 { 3 } else { 2 }, d)).collect();
    let o = Options { beliefs: b, lattice, step, least, rounds: 1 };
    let mut bound = Bound::new(open.graph.clone(), holder, &o, run).unwrap();
    bound.solve(Some(&format!("{holder}-{dens:?}-{lattice}-{step}-{least}")), run).unwrap();
    bound
}
fn show(h: &Hidden, p: &Public) -> String {
    let name = |s: u64| squares(s).map(|q| h.board.name(q)).collect::<Vec<_>>().join(" ");
    format!(
        "{} to move: {} / {}",
        if p.turn == 0 { "three" } else { "two" },
        name(p.sides[0]),
        name(p.sides[1])
    )
}
fn permute(b: &Belief, types: &[u8; 3]) -> Belief {
    let mut n = [0; 3];
    for i in 0..3 {
        if types[i] != ENDED {
            n[types[i] as usize] += b[i];
        }
    }
    n
}
fn main() {
    let run = Run { threads: 2, memory: 16 << 30, store: &Files, ..Run::default() };
    let open = Open::new(&Board::new(4, 4).unwrap(), &run).unwrap();
    let lower = solve(&open, 0, &[10], 2520, 42, 1.0, &run);
    eprintln!("lower done");
    let upper = solve(&open, 1, &[2, 3, 4, 5], 5040, 1, 1.0, &run);
    eprintln!("upper done");
    let low = |at: u32, p: &Belief, q: &Belief| {
        let (a, b) = lower.sure(at, p, q).unwrap();
        a as f64 / b as f64
    };
    let high = |at: u32, p: &Belief, q: &Belief| {
        let (a, b) = upper.sure(at, q, p).unwrap();
        -(a as f64 / b as f64)
    };
    let _ = Arc::strong_count(&open.graph);
    let mut s = open.starts[0];
    let mut p: Belief = [0, 0, 0];
    let mut q: Belief = [1, 1, 0];
    // the best p for the lower bound
    let at = open.graph.find(&s).unwrap();
    let (b, _) = lower.best(at);
    p.copy_from_slice(&lower.beliefs(at).beliefs[b]);
    let fine_p = beliefs(3, 30);
    let fine_q = beliefs(2, 840 / 7);
    for depth in 0..40 {
        let at = open.graph.find(&s).unwrap();
        println!(
            "{depth}: {} p {:?} q {:?}: low {:.5} high {:.5}",
            show(&open.rules, &s),
            p,
            q,
            low(at, &p, &q),
            high(at, &p, &q)
        );
        let mut moves = Vec::new();
        open.rules.moves(&s, &mut moves);
        // every (move, posterior) with value by the optimistic bound of the mover; envelope by brute force over pairs is costly: take best supporting column
        let mut best: Option<(f64, Public, Belief, Belief, String)> = None;
        let mover = s.turn as usize;
        let steps = open.rules.steps(&s);
        // find the multiplier: use the mover's belief line search: consider staying (posterior = prior) and splits into two columns
        let cands: Vec<Belief> = if mover == 0 { fine_p.clone() } else { fine_q.clone() };
        let mut cols: Vec<(Belief, f64, f64, usize, Belief, Belief)> = Vec::new();
        for (k, m) in moves.iter().enumerate() {
            let Some(next) = m.next else {
                continue;
            };
            if (0..3).any(|i| next.types[0][i] == ENDED && i < s.sides[0].count_ones() as usize) {
                continue;
            }
            let to = open.graph.find(&next.position).unwrap();
            for c in &cands {
                let (pp, qq) = if mover == 0 { (*c, q) } else { (p, *c) };
                let (pn, qn) = (permute(&pp, &next.types[0]), permute(&qq, &next.types[1]));
                cols.push((*c, low(to, &pn, &qn), high(to, &pn, &qn), k, pn, qn));
            }
        }
        let prior = if mover == 0 { p } else { q };
        let psum = prior.iter().sum::<i64>() as f64;
        // envelope via LP duality: subgradient search by trying all pairs/triples is heavy; use simple iterative: best lottery of up to 3 by greedy LP (dense simplex-free): brute over pairs incl. self
        let n = if mover == 0 { 3 } else { 2 };
        let norm = |b: &Belief| {
            let t = b.iter().sum::<i64>() as f64;
            [b[0] as f64 / t, b[1] as f64 / t, b[2] as f64 / t]
        };
        let pr = [prior[0] as f64 / psum, prior[1] as f64 / psum, prior[2] as f64 / psum];
        // keep per belief the best column
        let mut top: std::collections::HashMap<Belief, (f64, usize)> = Default::default();
        for (i, c) in cols.iter().enumerate() {
            let v = if mover == 0 { c.2 } else { -c.1 };
            let e = top.entry(c.0).or_insert((v, i));
            if v > e.0 {
                *e = (v, i);
            }
        }
        let tops: Vec<(Belief, f64, usize)> = top.into_iter().map(|(b, (v, i))| (b, v, i)).collect();
        // LP: maximise sum w v, sum w b = prior. Solve by column generation on a tiny simplex: use envelope code through brute force over pairs through prior for n=2, triples sampled for n=3
        let mut found: (f64, Vec<(f64, usize)>) = (f64::NEG_INFINITY, vec![]);
        let bs: Vec<[f64; 3]> = tops.iter().map(|t| norm(&t.0)).collect();
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        for i in 0..tops.len() {
            if (0..3).all(|k| close(bs[i][k], pr[k])) && tops[i].1 > found.0 {
                found = (tops[i].1, vec![(1.0, i)]);
            }
        }
        for i in 0..tops.len() {
            for j in 0..i {
                // w bi + (1-w) bj = pr
                let k = (0..n).find(|&k| !close(bs[i][k], bs[j][k]));
                let Some(k) = k else { continue };
                let w = (pr[k] - bs[j][k]) / (bs[i][k] - bs[j][k]);
                if !(0.0..=1.0).contains(&w) {
                    continue;
                }
                if (0..3).all(|k| close(w * bs[i][k] + (1.0 - w) * bs[j][k], pr[k])) {
                    let v = w * tops[i].1 + (1.0 - w) * tops[j].1;
                    if v > found.0 + 1e-9 {
                        found = (v, vec![(w, i), (1.0 - w, j)]);
                    }
                }
            }
        }
        println!("   mover's hope {:.5}", if mover == 0 { found.0 } else { -found.0 });
        for (w, i) in &found.1 {
            if *w < 1e-9 {
                continue;
            }
            let c = &cols[tops[*i].2];
            let st = steps[c.3];
            let label = format!(
                "{}{}",
                open.rules.board.name(st.0),
                st.1.map_or("out".into(), |t| open.rules.board.name(t))
            );
            let gap = w * (c.2 - c.1);
            println!("   {w:.4} {label} to {:?} low {:.5} high {:.5}", c.0, c.1, c.2);
            if best.as_ref().is_none_or(|b| gap > b.0) {
                let next = moves[c.3].next.unwrap();
                best = Some((gap, next.position, c.4, c.5, label));
            }
        }
        let Some((gap, to, pn, qn, _)) = best else { break };
        if gap < 1e-4 {
            println!("gap closes");
            break;
        }
        (s, p, q) = (to, pn, qn);
    }
}
