//! Solitaire Memory with two and four cards a rank: the table of misses against the plain rules, and what is known of it.

use std::collections::HashSet;
use yomikiri_core::{Game, Number, Rational, Run, Turn};
use yomikiri_games::describe::Describe;
use yomikiri_shelf::solitaire::{Misses, Solitaire, Table, Tally};
use yomikiri_solve::solution::actions;
use yomikiri_solve::{Auto, Solution};

fn tally(ranks: usize, copies: usize) -> Tally {
    Misses::solve(Solitaire::new(ranks, copies).unwrap().cards(), &Run::default()).unwrap().tally
}

/// Every state there can be, half moves and chance included.
fn all(game: &Solitaire) -> Vec<Table> {
    let (mut seen, mut open) = (HashSet::from([game.start()]), vec![game.start()]);
    while let Some(s) = open.pop() {
        let chance = game.turn(&s) == Turn::Chance;
        let mut next = Vec::new();
        if chance {
            let mut outcomes = Vec::new();
            game.chance(&s, &mut outcomes);
            next.extend(outcomes.iter().map(|o| o.0));
        } else {
            next.extend(actions(game, &s));
        }
        open.extend(next.into_iter().map(|a| game.apply(&s, a)).filter(|t| seen.insert(*t)));
    }
    seen.into_iter().collect()
}

/// The table of misses says of every state and of every move in it what plain induction over the rules says, in which
/// the moves made are part of a position and free pairs may be left.
#[test]
fn law_moves_by_misses_are_those_of_the_rules() {
    for (ranks, copies) in [(1, 2), (2, 2), (5, 2), (1, 4), (2, 4)] {
        let (game, run) = (Solitaire::new(ranks, copies).unwrap(), Run::default());
        let (fast, slow) = (Misses::solve(game.cards(), &run).unwrap(), Auto::solve(&game, &run).unwrap());
        let states = all(&game);
        assert!(ranks < 2 || states.len() > 10 * ranks, "{} states", states.len());
        for s in &states {
            assert_eq!(fast.value(&game, s), slow.value(&game, s), "{ranks}x{copies} {s:?}");
            assert_eq!(fast.moves(&game, s), slow.moves(&game, s), "{ranks}x{copies} {s:?}");
        }
    }
}

/// Turning a card, taking its partner if that is known and turning another if it is not is always among the best; and taking
/// a pair of a rank with two unknown cards is never better than leaving it.
#[test]
fn law_the_simple_play_is_among_the_best() {
    for ranks in 1..=24 {
        let tally = tally(ranks, 2);
        assert_eq!((tally.not_simple, tally.pairs), (0, 0), "{ranks} ranks of two");
    }
    for ranks in 1..=8 {
        let Tally { states, not_simple, pairs, taking } = tally(ranks, 4);
        assert_eq!((not_simple, taking[0], taking[1] + taking[2]), (0, 0, pairs), "{ranks} ranks of four");
        assert!(ranks < 2 || taking[2] > taking[1] && pairs < states, "mostly it is worse: {taking:?}");
    }
}

#[test]
fn golden_least_moves_with_four_cards_a_rank() {
    let cases = [
        (1, "2"),
        (2, "188/35"),
        (3, "49348/5775"),
        (4, "30739024/2627625"),
        (6, "27025569124786/1503088211625"),
        (7, "55703259772116314/2637919811401875"),
    ];
    for (ranks, fraction) in cases {
        let game = Solitaire::new(ranks, 4).unwrap();
        let solved = Misses::solve(game.cards(), &Run::default()).unwrap();
        let moves = solved.value(&game, &game.start()).map(|value| value.negate());
        assert_eq!(moves.unwrap().to_string(), fraction, "{ranks} ranks");
    }
}

/// Whether free pairs are taken at once or never before the end, it takes as many moves.
#[test]
fn law_free_pairs_can_wait() {
    let game = Solitaire::new(5, 4).unwrap();
    let solved = Misses::solve(game.cards(), &Run::default()).unwrap();
    let value = |position: &str| solved.value(&game, &game.parse(position).unwrap()).unwrap();
    assert_eq!(value("2x40,04,13,02,m4"), value("2x40,11,m8"));
    assert!(value("40,22,2x11,m4") > value("40,20,2x11,m5"), "a pair with two unknown cards cannot");
    assert_eq!(value("m20"), Rational::from_int(-20));
}

mod full {
    use super::*;

    #[test]
    fn law_moves_by_misses_are_those_of_the_rules() {
        let (game, run) = (Solitaire::new(3, 4).unwrap(), Run::default());
        let (fast, slow) = (Misses::solve(game.cards(), &run).unwrap(), Auto::solve(&game, &run).unwrap());
        for s in &all(&game) {
            assert_eq!(fast.value(&game, s), slow.value(&game, s), "{s:?}");
        }
    }

    #[test]
    fn law_the_simple_play_is_among_the_best() {
        for ranks in 9..=20 {
            let Tally { not_simple, taking, .. } = tally(ranks, 4);
            assert_eq!((not_simple, taking[0]), (0, 0), "{ranks} ranks of four");
        }
    }
}
