//! The closed forms and strategies of Generalised 66 against brute force over every ending.

use std::sync::atomic::AtomicBool;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Run};
use yomikiri_games::sixtysix::closed::{holder_takes, reach};
use yomikiri_games::sixtysix::rules::{Deal, Objective, Sixtysix, shuffled};
use yomikiri_games::sixtysix::strategies::{Reply, Strategy};
use yomikiri_papers::sixtysix::deck::{every_deal, forces};
use yomikiri_papers::sixtysix::endings::{Wish, deals, larger, nothing};
use yomikiri_solve::Solution;
use yomikiri_solve::memo::solve_from;
use yomikiri_solve::minimax::plain;
use yomikiri_solve::restrict::{Free, Policy, Restricted};

#[test]
fn law_endings_equal_plain_recursion() {
    let run = Run::default();
    for wish in [Wish::Take, Wish::Shed] {
        let mut size = nothing(wish);
        for hand in 1..=4usize {
            size = larger(&size, &run).unwrap();
            for deal in deals(hand) {
                let of =
                    |a: u32| (0..2 * hand as u32).filter(|k| deal >> k & 1 == a).map(|k| k + 1).collect();
                for q in (0..2 * hand).filter(|q| deal >> q & 1 == 1) {
                    let mut points = vec![0; 2 * hand];
                    points[q] = if wish == Wish::Take { 1 } else { -1 };
                    for leader in 0..2 {
                        let cards = Deal::new([of(1), of(0)], vec![], leader).unwrap();
                        let game = Sixtysix::new(cards, &points, Objective::Difference).unwrap();
                        let a_points = plain(&game, &game.start());
                        let gets = if wish == Wish::Take { a_points == 1 } else { a_points == 0 };
                        assert_eq!(size.holder_gets(deal, q, leader), gets, "{game:?}");
                    }
                }
            }
        }
    }
}

/// Every deal with hands of up to nine cards: 1.1 million positions.
#[test]
fn law_classifier_equals_brute_force_for_every_deal_up_to_nine_cards() {
    let run = Run { threads: 2, ..Run::default() };
    let mut size = nothing(Wish::Take);
    let mut positions = 0u64;
    for hand in 1..=9usize {
        size = larger(&size, &run).unwrap();
        for deal in deals(hand) {
            let owners: Vec<u8> = (0..2 * hand).map(|k| u8::from(deal >> k & 1 == 0)).collect();
            for q in (0..2 * hand).filter(|q| deal >> q & 1 == 1) {
                for leader in 0..2 {
                    positions += 1;
                    let truth = size.holder_gets(deal, q, leader);
                    assert_eq!(holder_takes(&owners, q, leader), truth, "{deal:b} {q} {leader}");
                }
            }
        }
    }
    assert_eq!(positions, 1_143_444);
}

#[test]
fn law_reach_equals_play_on_every_small_deal_and_on_random_ones() {
    let check = |deal: &Deal| {
        let game = Sixtysix::new(deal.clone(), &[], Objective::Difference).unwrap();
        for g in 1..=deal.deck.len() {
            let found = reach(deal, g);
            assert_eq!(found.acquire, forces(&game, &game.start(), g, true), "{deal:?} {g}");
            assert_eq!(found.avoid, forces(&game, &game.start(), g, false), "{deal:?} {g}");
        }
    };
    for (hand, deck) in [(1, 2), (1, 4), (2, 2)] {
        every_deal(hand, deck, &Run::default(), |deal| {
            check(&deal);
            Ok(())
        })
        .unwrap();
    }
    let mut random = Random::new(17);
    for round in 0..1500usize {
        let (hand, deck) = [(1, 8), (2, 4), (2, 6), (3, 4), (3, 6), (4, 4)][round % 6];
        check(&shuffled(hand, deck, (round % 2) as u8, &mut random));
    }
}

/// Bound to the strategies, the players get from every position of every deal what best play gets them.
#[test]
fn law_the_corrected_strategies_are_optimal() {
    let run = Run::default();
    for hand in 1..=4usize {
        for deal in deals(hand) {
            let of = |a: u32| (0..2 * hand as u32).filter(|k| deal >> k & 1 == a).map(|k| k + 1).collect();
            for q in (0..2 * hand).filter(|q| deal >> q & 1 == 1) {
                let mut points = vec![0; 2 * hand];
                points[q] = 1;
                for leader in 0..2 {
                    let cards = Deal::new([of(1), of(0)], vec![], leader).unwrap();
                    let game = Sixtysix::new(cards, &points, Objective::Difference).unwrap();
                    let strategy = Strategy::of(&game, &game.start(), Reply::Corrected).unwrap();
                    let value = |first: &dyn Policy<Sixtysix>, second: &dyn Policy<Sixtysix>| {
                        let bound = Restricted::new(&game, first, second);
                        let memo = solve_from::<_, f64>(&bound, &[game.start()], &run).unwrap();
                        memo.value(&bound, &game.start()).unwrap()
                    };
                    let best = value(&Free, &Free);
                    assert_eq!(value(&strategy, &Free), best, "{game:?}");
                    assert_eq!(value(&Free, &strategy), best, "{game:?}");
                }
            }
        }
    }
}

#[test]
fn law_cancelling_stops_the_endings() {
    let stop = AtomicBool::new(true);
    let cancelled = Run { cancel: &stop, ..Run::default() };
    assert!(matches!(larger(&nothing(Wish::Take), &cancelled), Err(Error::Cancelled)));
}
