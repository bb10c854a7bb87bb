//! Generalised 66: exact differences, and the closed form.

use crate::kernel::{Kernel, Needs, alone, shared};
use std::hint::black_box;
use yomikiri_core::combin::binomial;
use yomikiri_core::random::Random;
use yomikiri_core::{Game, Run};
use yomikiri_games::sixtysix::closed::holder_takes;
use yomikiri_games::sixtysix::dense::Endgame;
use yomikiri_games::sixtysix::rules::{Objective, Sixtysix, shuffled};

const HAND: u64 = 14;

pub fn kernels() -> Vec<Kernel> {
    vec![differences(), classifier()]
}

fn differences() -> Kernel {
    let mut random = Random::new(1);
    let deal = shuffled(HAND as usize, 0, 0, &mut random);
    let points: Vec<i32> = (0..2 * HAND).map(|_| random.below(11) as i32).collect();
    let game = Sixtysix::new(deal, &points, Objective::Difference).expect("a legal deal");
    let mut positions = 0;
    let seconds = shared(3, |threads| {
        let run = Run { threads, memory: 8 << 30, ..Run::default() };
        positions = Endgame::solve(&game, &game.start(), &run).expect("it fits").positions;
    });
    // For each of k cards that may answer, two additions and two maxima on rows of all smaller hands of the leader; for each of
    // k that may be led two additions, a maximum and a minimum on a row of hands; all of it with either player leading.
    let lanes = |k: u64| 8 * k * binomial(HAND, k) * (binomial(HAND, k - 1) + binomial(HAND, k));
    let lanes = (1..HAND).map(lanes).sum::<u64>() as f64 / positions as f64;
    // Two values of two bytes written once and read once; every answer follows from neighbours, so that none is looked up.
    let needs = Needs { lanes, bytes: 8.0, ..Needs::default() };
    Kernel {
        name: "66: both differences, h = 14",
        unit: "position",
        seconds: seconds.map(|s| s / positions as f64),
        needs,
    }
}

fn classifier() -> Kernel {
    const CARDS: usize = 20_000;
    let mut random = Random::new(1);
    let deals: Vec<(Vec<u8>, usize)> = (0..50)
        .map(|_| {
            let mut owners: Vec<u8> = (0..CARDS).map(|k| (k % 2) as u8).collect();
            random.shuffle(&mut owners);
            (owners, random.below(100) as usize)
        })
        .collect();
    let seconds = alone(9, || {
        for (owners, q) in &deals {
            black_box(holder_takes(black_box(owners), *q, 1 - owners[*q]));
        }
    });
    // A card is counted once (a comparison, a sum), and once summed up with a minimum over the other's (a comparison, a sum,
    // a choice, a minimum); the sums of a word of cards could be done at once, eight cards a word.
    let needs = Needs { words: 6.0 / 8.0, ..Needs::default() };
    Kernel {
        name: "66: the closed form",
        unit: "card",
        seconds: seconds.map(|s| s / (deals.len() * CARDS) as f64),
        needs,
    }
}
