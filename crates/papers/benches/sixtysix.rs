//! How fast Generalised 66 is solved: the closed form by the card, the table of endings and the search in seconds,
//! and the search in nodes against the plain table of the same run. Values are asserted, so that a fast wrong
//! solver does not pass for a fast one. Run it with `cargo xtask bench`.

use std::hint::black_box;
use std::time::Instant;
use yomikiri_core::random::Random;
use yomikiri_core::{Game, Run};
use yomikiri_games::sixtysix::closed::holder_takes;
use yomikiri_games::sixtysix::dense;
use yomikiri_games::sixtysix::rules::{Objective, Sixtysix, shuffled};
use yomikiri_papers::sixtysix::endings::{Wish, larger, nothing};
use yomikiri_solve::minimax::{Minimax, NullWindow};
use yomikiri_testkit::bench::{head, line};

fn run() -> Run<'static> {
    Run { memory: 8 << 30, ..Run::default() }
}

/// A deal with random points from 0 to 10.
fn game(hand: usize, n: usize, seed: u64) -> Sixtysix {
    let mut random = Random::new(seed);
    let deal = shuffled(hand, 2 * (n - hand), 0, &mut random);
    let points: Vec<i32> = (0..2 * n).map(|_| random.below(11) as i32).collect();
    Sixtysix::new(deal, &points, Objective::Difference).expect("a legal deal")
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The difference by search, with the nodes it took.
fn searched(game: &Sixtysix) -> (i32, u64) {
    let mut search = NullWindow::new(u64::MAX, &run());
    let points = search.value(game, &game.start(), &run()).expect("no limit");
    (2 * points - game.total(), search.nodes())
}

fn main() {
    head("Generalised 66");

    // Hands of 10,000, shuffled: the scoring card anywhere; and weak with the other leading, where nothing is left out.
    let mut random = Random::new(1);
    let cards = 20_000usize;
    for (what, weak) in [("anywhere", false), ("weak, the other leads", true)] {
        let deals: Vec<(Vec<u8>, usize, u8)> = (0..200)
            .map(|_| {
                let mut owners: Vec<u8> = (0..cards).map(|k| (k % 2) as u8).collect();
                random.shuffle(&mut owners);
                let q = random.below(if weak { 100 } else { cards as u64 }) as usize;
                let leader = if weak { 1 - owners[q] } else { random.below(2) as u8 };
                (owners, q, leader)
            })
            .collect();
        let mut best = f64::INFINITY;
        for _ in 0..10 {
            let started = Instant::now();
            for (owners, q, leader) in &deals {
                black_box(holder_takes(black_box(owners), *q, *leader));
            }
            best = best.min(started.elapsed().as_secs_f64());
        }
        let ns = best * 1e9 / (deals.len() * cards) as f64;
        let what = format!("classifier, hands of 10,000, scoring card {what}");
        line(&what, &format!("{ns:.2} ns a card"), "at most 3 ns", Some(ns <= 3.0));
    }

    for (hand, limit) in [(12, 0.5), (13, f64::INFINITY), (14, 8.0), (15, f64::INFINITY), (16, f64::INFINITY)]
    {
        let game = game(hand, hand, 1);
        let started = Instant::now();
        let value = dense::difference(&game, &game.start(), &run()).expect("it fits");
        let seconds = started.elapsed().as_secs_f64();
        if hand == 12 {
            assert_eq!(value, searched(&game).0, "table and search agree");
        }
        let target = if limit.is_finite() { format!("at most {limit} s") } else { String::new() };
        let met = limit.is_finite().then_some(seconds <= limit);
        line(
            &format!("exact difference, no deck, h = {hand}, one thread"),
            &format!("{seconds:.3} s"),
            &target,
            met,
        );
    }

    let times: Vec<f64> = (0..9)
        .map(|seed| {
            let game = game(6, 12, seed);
            let started = Instant::now();
            black_box(searched(&game));
            started.elapsed().as_secs_f64()
        })
        .collect();
    let middle = median(times);
    line(
        "with deck, h = 6, n = 12, median of 9 deals",
        &format!("{middle:.3} s"),
        "below 0.6 s",
        Some(middle < 0.6),
    );

    let (mut fast, mut slow, mut least) = (0, 0, f64::INFINITY);
    for seed in 0..9 {
        let game = game(10, 10, seed);
        let (value, nodes) = searched(&game);
        let mut table = Minimax::new(&game, &run());
        let plain = 2 * table.value(&game.start(), &run()).expect("it fits") - game.total();
        assert_eq!(value, plain, "search and plain table agree");
        fast += nodes;
        slow += table.nodes();
        least = least.min(table.nodes() as f64 / nodes as f64);
    }
    let ratio = slow as f64 / fast as f64;
    line(
        "nodes of the search against the plain table, h = 10",
        &format!("{ratio:.1} times fewer, worst {least:.1}"),
        "at least 6 times",
        Some(ratio >= 6.0),
    );

    let started = Instant::now();
    let mut size = nothing(Wish::Take);
    for _ in 0..10 {
        size = larger(&size, &run()).expect("it fits");
    }
    let seconds = started.elapsed().as_secs_f64();
    line("every ending with one scoring card, h ≤ 10", &format!("{seconds:.3} s"), "", None);
    assert_eq!(size.hand, 10);
}
