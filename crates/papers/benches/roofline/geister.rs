//! Mini-Geister by retrograde analysis, and three against two by sets of guarantees.

use crate::kernel::{Kernel, Needs, shared};
use std::hint::black_box;
use yomikiri_core::{Retro, Run};
use yomikiri_games::geister::analysis::{Kind, value};
use yomikiri_games::geister::belief::{Grid, Open};
use yomikiri_games::geister::board::Board;
use yomikiri_games::geister::space::Material;
use yomikiri_games::geister::tables::Tables;
use yomikiri_solve::belief::Bound;
use yomikiri_solve::retrograde;

fn run(threads: usize) -> Run<'static> {
    Run { threads, memory: 4 << 30, ..Run::default() }
}

/// 5x5, three against three, a position.
fn retrograde() -> Kernel {
    let three = [Material([[0, 0, 3], [0, 0, 3]])];
    let tables = Tables::new(Board::new(5, 5).expect("a legal board"), false);
    let rules = tables.rules(Kind::Basic, &three, &run(1)).expect("it needs no other");
    let places = rules.places();
    let mut solved = None;
    let seconds = shared(3, |threads| solved = retrograde::solve(&rules, "roofline", &run(threads)).ok());
    let table = solved.expect("it fits");
    // Every move that leads to a decided position is taken back once: counted on every 97th position.
    let (mut before, mut moves, mut looked) = (Vec::new(), 0, 0);
    for place in (0..places).step_by(97) {
        looked += 1;
        if let Some(s) = rules.at(place).filter(|_| value(table.get(place)) != 0) {
            before.clear();
            rules.predecessors(place, &s, &mut before);
            moves += before.len();
        }
    }
    let moves = moves as f64 / f64::from(looked);
    // Once a position: six pieces set down, four shifts of a side for the moves it has, and for the test, some 50 words. For a
    // move taken back: whether it was open, a difference of two listed numbers, the place, the counter and the comparison.
    let words = 50.0 + 7.0 * moves;
    // The table is written in order once and read in order twice; the counters lie anywhere in it.
    let needs = Needs { words, bytes: 6.0, reads: vec![(moves, 2 * places as usize)], ..Needs::default() };
    Kernel {
        name: "Geister: 5x5, three v three",
        unit: "position",
        seconds: seconds.map(|s| s / places as f64),
        needs,
    }
}

/// The coarse lower bound of three against two, a set of guarantees.
fn belief() -> Kernel {
    let open = Open::new(&Board::new(4, 4).expect("a legal board"), &run(1)).expect("it fits");
    let mut found = None;
    let seconds = shared(1, |threads| found = open.bound(0, Grid::Coarse, &run(threads)).ok());
    let bound = black_box(found).expect("it fits");
    let (mut sets, mut sums) = (0usize, 0usize);
    for (at, position) in (0..).zip(&open.graph.positions) {
        let here = bound.beliefs(at).len();
        sets += here;
        let nexts = open.rules.all(position).into_iter().filter_map(|m| open.graph.find(&m.next?.position));
        let corners: usize = nexts.map(|next| corners(&bound, next)).sum();
        // One look, the last: of the three's own moves, in every direction in which a set here is bounded, each corner after a
        // move is weighed (3); of the two's moves, each half-space after it is carried here and compared (6).
        sums += if position.turn == 0 { 3 * corners * sides(&bound, at) } else { 6 * corners };
    }
    let needs = Needs { sums: sums as f64 / sets as f64, ..Needs::default() };
    Kernel { name: "Geister: coarse bound", unit: "set", seconds: seconds.map(|s| s / sets as f64), needs }
}

/// The corners of all sets at a position.
fn corners<P: Copy + Eq + std::hash::Hash + Send + Sync>(bound: &Bound<P>, at: u32) -> usize {
    (0..bound.beliefs(at).len()).map(|b| bound.corners(at, b).len()).sum()
}

/// The half-spaces of the set there that has most.
fn sides<P: Copy + Eq + std::hash::Hash + Send + Sync>(bound: &Bound<P>, at: u32) -> usize {
    (0..bound.beliefs(at).len()).map(|b| bound.corners(at, b).len() + 1).max().unwrap_or(1)
}

pub fn kernels() -> Vec<Kernel> {
    vec![retrograde(), belief()]
}
