//! Mixtures of the last turn brought closer to an equilibrium: slopes, steps, and that nothing gets worse.

use yomikiri_core::Run;
use yomikiri_core::random::Random;
use yomikiri_games::saichugen::rules::Card;
use yomikiri_papers::saichugen::balance::{Support, Unknowns, balanced, bits, step};
use yomikiri_papers::saichugen::last_turn::{Ending, Mixture, Solver};

fn solver(cards: usize, seed: u64) -> (Solver, Mixture) {
    let mut random = Random::new(seed);
    let mut deck: Vec<Card> = (0..52).filter_map(Card::new).collect();
    random.shuffle(&mut deck);
    let cards = deck[..cards].iter().copied().collect();
    let ending = Ending { cards, scores: [3, 5, 4], round: [0, 2, 1] };
    let mut solver = Solver::new(&ending);
    solver.play(20, &Run::default()).unwrap();
    let mixture = solver.average();
    (solver, mixture)
}

#[test]
fn law_slopes_are_what_small_changes_bring() {
    for (cards, seed) in [(7, 1), (10, 2)] {
        let (solver, mixture) = solver(cards, seed);
        let support: Support =
            std::array::from_fn(|seat| mixture[seat].iter().map(|p| bits(|a| p[a] > 0.05)).collect());
        let unknowns = Unknowns::of(&support);
        let (before, jacobian) = unknowns.equations(&solver, &mixture, &support);
        assert!(before.len() > 10);
        for at in (0..before.len()).step_by(7) {
            let (mut step, mut changed) = (vec![0.0; before.len()], mixture.clone());
            step[at] = 1e-6;
            unknowns.take(&step, &mut changed);
            let (after, _) = unknowns.equations(&solver, &changed, &support);
            for (row, (x, y)) in jacobian.iter().zip(before.iter().zip(&after)) {
                assert!(((y - x) / 1e-6 - row[at]).abs() < 1e-6, "{} {}", (y - x) / 1e-6, row[at]);
            }
        }
    }
}

#[test]
fn law_a_step_solves_the_normal_equations() {
    let jacobian = vec![vec![2.0, 1.0, 0.0], vec![0.0, 3.0, -1.0], vec![1.0, 0.0, 4.0]];
    let (residuals, damping) = ([1.0, -2.0, 0.5], 0.1);
    let x = step(&jacobian, &residuals, damping).unwrap();
    for i in 0..3 {
        let column = |k: usize| jacobian.iter().map(move |row| row[k]);
        let left: f64 =
            (0..3).map(|k| column(i).zip(column(k)).map(|(a, b)| a * b).sum::<f64>() * x[k]).sum();
        let right: f64 = column(i).zip(residuals).map(|(a, r)| -a * r).sum();
        assert!((left + damping * x[i] - right).abs() < 1e-12);
    }
}

#[test]
fn law_it_is_never_worse_and_stays_a_mixture() {
    for seed in 0..6 {
        let (solver, start) = solver(10, seed);
        let better = balanced(&solver, &start, 1e-4, &Run::default()).unwrap();
        assert!(solver.worth(&better).gain() <= solver.worth(&start).gain());
        for p in better.iter().flatten() {
            assert!(p.iter().all(|p| *p >= 0.0) && (p.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{p:?}");
        }
    }
}
