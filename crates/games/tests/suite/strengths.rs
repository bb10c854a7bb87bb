//! How well the machine plays: what its mistakes cost, and that it sets traps.

use yomikiri_core::random::Random;
use yomikiri_core::{Game, Run, Turn};
use yomikiri_games::analyse::Analyse;
use yomikiri_games::describe::Describe;
use yomikiri_games::family::Family;
use yomikiri_games::memory::Pairs;
use yomikiri_games::memory::table::{Act, CardTable};
use yomikiri_games::params::Settings;
use yomikiri_games::strength::{PERFECT, played, shares, strengths};

#[test]
fn law_mistakes_cost_what_they_are_said_to_cost() {
    let mut random = Random::new(1);
    for _ in 0..500 {
        let moves = 2 + random.below(6) as usize;
        let mut losses: Vec<f64> = (0..moves).map(|_| random.below(100) as f64 / 100.0).collect();
        losses[0] = 0.0;
        let target = random.below(30) as f64 / 100.0;
        let shares = shares(&losses, target);
        let cost: f64 = losses.iter().zip(&shares).map(|(loss, share)| loss * share).sum();
        let wrong: Vec<f64> = losses.iter().copied().filter(|loss| *loss > 0.0).collect();
        // Mistakes alone, small ones being likelier, cost their harmonic mean: nobody can lose more in this way.
        let most = wrong.len() as f64 / wrong.iter().map(|loss| 1.0 / loss).sum::<f64>();
        let expected = if wrong.is_empty() { 0.0 } else { target.min(most) };
        assert!((cost - expected).abs() < 1e-12, "{losses:?}, {target}: {cost}, not {expected}");
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12 && shares.iter().all(|share| *share >= 0.0));
        // The less a mistake costs, the likelier it is.
        for (a, b) in losses.iter().zip(&shares) {
            for (c, d) in losses.iter().zip(&shares) {
                assert!(!(0.0 < *a && a < c) || b >= d, "{losses:?} {shares:?}");
            }
        }
    }
}

/// A game of Memory with five ranks, solved.
fn memory() -> (CardTable, Box<dyn Analyse<CardTable>>) {
    let settings = Settings::new(Pairs.params(), [("ranks", "5")]).unwrap();
    let game = Pairs.game(&settings, 1).unwrap();
    let solver = Pairs.solver(&settings, &game, &game.start(), &Run::default()).unwrap();
    (game, solver)
}

/// What the decisions of games at a strength cost on average, and how often it made a mistake.
fn measured(strength: &str, games: u64) -> (f64, u64) {
    let (game, solver) = memory();
    let run = Run::default();
    let (mut cost, mut decisions, mut mistakes) = (0.0, 0u64, 0);
    for seed in 0..games {
        let (mut s, mut random) = (game.start(), Random::new(seed));
        while game.turn(&s) != Turn::Terminal {
            let a = match game.turn(&s) {
                Turn::Chance => {
                    let mut outcomes = Vec::new();
                    game.chance(&s, &mut outcomes);
                    random.draw(&outcomes).unwrap()
                }
                _ => {
                    let a = played(strength, solver.as_ref(), &game, &s, &mut random, &run).unwrap().unwrap();
                    let analysis = solver.analyse(&game, &s, None, &run).unwrap();
                    let loss = analysis.of_move(game.alike(&s, a)).unwrap().loss;
                    (cost, decisions) = (cost + loss, decisions + 1);
                    mistakes += u64::from(loss > 0.0);
                    a
                }
            };
            s = game.apply(&s, a);
        }
    }
    (cost / decisions as f64, mistakes)
}

#[test]
fn law_the_weaker_plays_worse_and_the_perfect_never_errs() {
    assert_eq!(measured(PERFECT, 20).1, 0);
    assert_eq!(measured("traps", 5).1, 0);
    let [strong, fair, weak, random] = ["strong", "fair", "weak", "random"].map(|id| measured(id, 60).0);
    assert!(0.0 < strong && strong < fair && fair < weak && weak < random, "{strong} {fair} {weak} {random}");
    // Where a move can cost as much: at many decisions none can, so on average it is less, never more.
    assert!(strong < 0.0125 && fair < 0.045 && weak < 0.13, "{strong} {fair} {weak}");
    assert!(strong > 0.001 && fair > 0.005, "{strong} {fair}");
}

#[test]
fn law_most_people_take_what_they_know_and_turn_what_they_do_not() {
    let (game, solver) = memory();
    let mut random = Random::new(1);
    let act = |position: &str, random: &mut Random| {
        let s = game.parse(position).unwrap();
        played("normal", solver.as_ref(), &game, &s, random, &Run::default()).unwrap().unwrap()
    };
    assert!(matches!(act("3x40,22,31", &mut random), Act::Take(_)));
    assert!(matches!(act("3x40,31,31", &mut random), Act::Turn(_)));
    // Where nothing is hidden there are traps; where something is, there are none.
    assert!(
        strengths(true).iter().any(|s| s.id == "traps") && strengths(false).iter().all(|s| s.id != "traps")
    );
}
