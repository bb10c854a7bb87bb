//! The machine that sets traps.

use yomikiri_core::random::Random;
use yomikiri_core::{Game, Run, Turn};
use yomikiri_games::family::Family;
use yomikiri_games::params::Settings;
use yomikiri_games::strength::played;
use yomikiri_shelf::{connectfour, einstein, tictactoe};

/// Random games of a small variant, in which every trap is compared with all moves that are as good: how much any answer to
/// them costs on average, looked up in the plainest way. How often there was something to choose.
fn trapped<F: Family>(family: &F, given: &[(&str, &str)], steps: usize) -> usize {
    let run = Run::default();
    let settings = Settings::new(family.params(), given.iter().copied()).unwrap();
    let game = family.game(&settings, 1).unwrap();
    let solver = family.solver(&settings, &game, &game.start(), &run).unwrap();
    let lure = |s: &<F::Game as Game>::State, a| -> f64 {
        let (mut open, mut cost) = (vec![(game.apply(s, a), 1.0)], 0.0);
        while let Some((now, chance)) = open.pop() {
            match game.turn(&now) {
                Turn::Chance => {
                    let mut outcomes = Vec::new();
                    game.chance(&now, &mut outcomes);
                    let all: u32 = outcomes.iter().map(|o| o.1).sum();
                    for (a, weight) in outcomes {
                        open.push((game.apply(&now, a), chance * f64::from(weight) / f64::from(all)));
                    }
                }
                turn @ Turn::Player(p) if turn != game.turn(s) => {
                    let moves = solver.analyse(&game, &now, Some(p), &run).unwrap().moves;
                    cost += chance * moves.iter().map(|m| m.loss).sum::<f64>() / moves.len() as f64;
                }
                _ => {}
            }
        }
        cost
    };
    let (mut s, mut random, mut choices) = (game.start(), Random::new(3), 0);
    for _ in 0..steps {
        let mut may = Vec::new();
        match game.turn(&s) {
            Turn::Terminal => {
                s = game.start();
                continue;
            }
            Turn::Chance => game.chance(&s, &mut may),
            Turn::Player(_) => {
                let chosen = played("traps", solver.as_ref(), &game, &s, &mut random, &run).unwrap().unwrap();
                let analysis = solver.analyse(&game, &s, None, &run).unwrap();
                let best: Vec<_> = analysis.best().map(|m| m.action).collect();
                let most = best.iter().map(|a| lure(&s, *a)).fold(0.0, f64::max);
                assert!(best.contains(&chosen) && lure(&s, chosen) >= most - 1e-12, "{s:?}: {chosen:?}");
                choices += usize::from(best.iter().any(|a| lure(&s, *a) < most - 1e-9));
                let mut actions = Vec::new();
                game.actions(&s, &mut actions);
                may.extend(actions.into_iter().map(|a| (a, 1)));
            }
        }
        s = game.apply(&s, random.draw(&may).unwrap());
    }
    choices
}

#[test]
fn law_a_trap_is_the_best_move_after_which_most_answers_are_mistakes() {
    let choices = [
        trapped(&tictactoe::NineSquares, &[], 200),
        trapped(&connectfour::Columns, &[("cols", "4"), ("rows", "4")], 60),
        trapped(&einstein::Corners, &[("size", "3")], 100),
    ];
    assert!(
        choices.iter().sum::<usize>() > 30 && choices[0] > 10,
        "there was nothing to choose: {choices:?}"
    );
}
