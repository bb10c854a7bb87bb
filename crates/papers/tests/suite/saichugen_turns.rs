//! The last turns of Saichugen as a game: against the generic engine, in fractions, and against what the paper's player and the
//! best response to it are elsewhere.

use crate::saichugen_open::{LastTurns, ending, table_at};
use std::collections::BTreeSet;
use std::sync::Mutex;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Number, Rational, Run};
use yomikiri_games::params::Settings;
use yomikiri_games::saichugen::player::{House, Ties};
use yomikiri_games::saichugen::respond::Responder;
use yomikiri_games::saichugen::rules::{Card, SEATS};
use yomikiri_games::saichugen::seats::{Lineup, Party};
use yomikiri_papers::saichugen::last_turn::{Ending, Solver};
use yomikiri_papers::saichugen::last_turns::{Plans, Turns};
use yomikiri_papers::saichugen::open::last_turns::{self, STUDY, Shape, solve};
use yomikiri_solve::regret::{Exploitability, Regret};
use yomikiri_solve::tree::Tree;

fn history(cards: &[Card]) -> Vec<[Card; SEATS]> {
    cards.chunks_exact(SEATS).map(|turn| [turn[0], turn[1], turn[2]]).collect()
}

fn close(a: &Exploitability, b: &Exploitability, far: f64) {
    for (x, y) in a.values.iter().chain(&a.responses).zip(b.values.iter().chain(&b.responses)) {
        assert!((x - y).abs() < far, "{a:?} {b:?}");
    }
}

fn as_generic(cards: usize, turns: usize, seed: u64, rounds: u64) {
    // Ten cards and two turns are seven million nodes.
    let (run, ending) = (Run { memory: 4 << 30, ..Run::default() }, ending(cards, seed));
    let mut generic = Regret::new(&LastTurns::new(ending, turns), &run).unwrap();
    let mut own = Turns::new(&ending, turns);
    generic.play(rounds, &run).unwrap();
    own.play(rounds, &run).unwrap();
    let theirs = generic.average();
    close(&generic.tree().worth(&theirs), &own.worth(own.average()), 1e-9);
    let mut compared = 0;
    let known = Mutex::new(BTreeSet::new());
    generic.tree().profile(|player, (hand, seen), _| {
        known.lock().unwrap().insert((player, *hand, seen.clone()));
        0.0
    });
    for (player, hand, seen) in &known.into_inner().unwrap() {
        let strategy = generic.tree().strategy(&theirs, *player, &(*hand, seen.clone())).unwrap();
        let plan = &own.average()[usize::from(*player)];
        let mine = own.strategy(plan, &history(seen), *hand).unwrap();
        for ((card, p), (own, q)) in strategy.zip(mine) {
            assert_eq!(card, u32::from(own.place()));
            assert!((p - q).abs() < 1e-6, "{ending:?} {hand:?} {seen:?}: {p} {q}");
            compared += 1;
        }
    }
    assert!(compared > 10);
}

#[test]
fn law_the_last_turns_by_hands_are_those_of_the_generic_engine() {
    for seed in 0..4 {
        as_generic(4, 1, seed, 20);
        as_generic(7, 1, seed, 20);
    }
}

#[test]
fn law_one_turn_is_the_last_turn() {
    let run = Run::default();
    for seed in 0..2 {
        let ending = ending(10, seed);
        let (mut one, mut other) = (Turns::new(&ending, 1), Solver::new(&ending));
        one.play(6, &run).unwrap();
        other.play(6, &run).unwrap();
        close(&one.worth(one.average()), &other.worth(&other.average()), 1e-9);
    }
}

/// Weights of 1024 in all for every hand, at random: fractions that doubles hold exactly. Where no card is left over in the end, CFR+
/// never leaves its start, so other play is needed to compare anything.
fn anyhow(plans: &Plans, hand: usize, seed: u64) -> Plans {
    let (mut plans, mut random) = (plans.clone(), Random::new(seed));
    for (level, weights) in plans.iter_mut().flat_map(|plan| plan.iter_mut().enumerate()) {
        for of_hand in weights.chunks_exact_mut(hand - level) {
            let mut left = 1024;
            for w in of_hand.iter_mut().skip(1) {
                let share = random.below(left + 1);
                left -= share;
                *w = share as f64;
            }
            of_hand[0] = left as f64;
        }
    }
    plans
}

#[test]
fn law_worth_in_doubles_is_that_of_the_generic_engine_in_fractions() {
    let run = Run::default();
    for seed in 0..2 {
        // Nothing is decided yet.
        let ending = Ending { scores: [5, 5, 6], round: [3, 0, 0], ..ending(7, seed) };
        let turns = Turns::new(&ending, 2);
        let plans = anyhow(turns.average(), 2, seed);
        let tree = Tree::new(&LastTurns::new(ending, 2), &run).unwrap();
        let profile = tree.exact_profile(|player, (hand, seen), card| {
            let strategy = turns.strategy(&plans[usize::from(player)], &history(seen), *hand).unwrap();
            let share = strategy.iter().find(|(own, _)| u32::from(own.place()) == card).unwrap().1;
            Rational::new(((share * 1024.0) as i64).into(), 1024.into())
        });
        let (exact, doubles) = (tree.worth(&profile), turns.worth(&plans));
        let all =
            exact.values.iter().chain(&exact.responses).zip(doubles.values.iter().chain(&doubles.responses));
        for (x, y) in all {
            assert!((x.approx() - y).abs() < 1e-12, "{x:?} {y}");
        }
        assert!(doubles.gain() > 1e-3, "nothing to compare");
    }
}

/// Who must play all cards in the end, against two who do so in any order, gets the same in whatever order: to play at random is
/// an equilibrium. With a card left over it is not.
#[test]
fn law_where_no_card_is_left_over_random_play_is_an_equilibrium() {
    for seed in 0..3 {
        let ending = Ending { scores: [5, 5, 6], round: [3, 0, 0], ..ending(7, seed) };
        let (all, but_one) = (Turns::new(&ending, 2), Turns::new(&ending, 1));
        assert!(all.worth(all.average()).gain() < 1e-12);
        assert!(but_one.worth(but_one.average()).gain() > 1e-3);
    }
}

/// Searchers and the best response to two of them, averaged over all hands, as `respond` works them out one by one.
fn as_respond(turn: u8, games: std::ops::Range<u64>, seats: usize) {
    let run = Run::default();
    for game in games {
        let table = table_at(turn, game);
        let cards = table.hands[0].and(table.unknown(0));
        let ending = Ending { cards, scores: table.scores, round: table.round };
        let turns = Turns::new(&ending, usize::from(16 - turn));
        let worth = turns.worth(&turns.searchers());
        let mut responder = Responder::new(Ties::Lowest, &run);
        for seat in 0..seats {
            let (mut best, mut search) = (0.0, 0.0);
            let hands = ending.hands();
            for &hand in &hands {
                let view = yomikiri_games::saichugen::view::View { turn, ..ending.view(seat, hand) };
                let value = responder.value(&view, &[]).unwrap();
                best += value.best / hands.len() as f64;
                search += value.search / hands.len() as f64;
            }
            assert!((worth.values[seat] - search).abs() < 1e-9, "game {game}, seat {seat}");
            assert!((worth.responses[seat] - best).abs() < 1e-9, "game {game}, seat {seat}");
        }
    }
}

#[test]
fn law_searchers_and_responses_to_them_are_those_of_the_paper_and_of_respond() {
    as_respond(15, 0..3, SEATS);
}

/// The paper's players and what they lose, where nobody can gain much.
fn small_round(shape: Shape, cards: usize, gain: f64) {
    let mut party = Party::new(Lineup::parse("search,search,search").unwrap(), House::default());
    for game in 0..2 {
        let solved = solve(last_turns::ending(&mut party, shape, 1, game), shape, &Run::default()).unwrap();
        assert_eq!(solved.ending.cards.len(), cards);
        assert!(solved.solution.gain() <= gain && solved.solution.values.iter().sum::<f64>().abs() < 1e-9);
        assert!(
            solved.losses.iter().flatten().all(|&loss| loss > -1e-12),
            "a best response is best: {solved:?}"
        );
    }
}

#[test]
fn law_small_games_are_solved_and_rows_are_the_same_for_any_threads() {
    small_round(Shape { turns: 1, left: 1, rounds: 400 }, 7, 1e-3);
    let settings = [("endings", "3"), ("turns", "1"), ("left", "2"), ("rounds", "20")];
    let settings = Settings::new(STUDY.params, settings).unwrap();
    let told = |threads| (STUDY.run)(&settings, &Run { threads, ..Run::default() }).unwrap().json.to_string();
    assert_eq!(told(1), told(3));
    // The whole last round as it is does not fit, and is not begun.
    let whole = Settings::new(STUDY.params, [("turns", "3"), ("left", "2")]).unwrap();
    let error = (STUDY.run)(&whole, &Run { memory: 8 << 30, ..Run::default() }).unwrap_err();
    assert!(matches!(error, Error::Memory { need, .. } if need > 200 << 30), "{error}");
}

mod full {
    #[test]
    fn law_the_last_turns_by_hands_are_those_of_the_generic_engine() {
        super::as_generic(10, 2, 1, 3);
    }

    #[test]
    fn law_searchers_and_responses_to_them_are_those_of_the_paper_and_of_respond() {
        super::as_respond(14, 0..1, 1);
    }

    #[test]
    fn law_small_games_of_two_turns_are_solved() {
        super::small_round(super::Shape { turns: 2, left: 1, rounds: 200 }, 10, 0.02);
    }
}
