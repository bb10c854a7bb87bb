//! The solvers of Generalised 66 against each other: search, table of endings, induction over layers and closed
//! forms against plain recursion over the rules.

use proptest::prelude::*;
use std::sync::atomic::AtomicBool;
use yomikiri_core::random::Random;
use yomikiri_core::{Canonical, Error, Game, Run, Turn};
use yomikiri_games::sixtysix::closed::owners;
use yomikiri_games::sixtysix::dense::Endgame;
use yomikiri_games::sixtysix::rules::{Deal, Objective, Sixtysix, State, bit, cards_of, shuffled};
use yomikiri_games::sixtysix::solver::{self, Algorithm, a_takes, classified_leads};
use yomikiri_solve::layers::Layers;
use yomikiri_solve::memo::Memo;
use yomikiri_solve::minimax::{Contest, Minimax, NullWindow, plain};
use yomikiri_solve::{Solution, Solver};

/// A random deal with points from a range; every second race.
fn random_game(hand: usize, deck: usize, low: i32, high: i32, race: bool, random: &mut Random) -> Sixtysix {
    let leader = random.below(2) as u8;
    let deal = shuffled(hand, deck, leader, random);
    let range = (high - low + 1) as u64;
    let points: Vec<i32> = (0..2 * hand + deck).map(|_| low + random.below(range) as i32).collect();
    let objective = if race {
        let total: i32 = points.iter().map(|p| p.abs()).sum();
        let mut limit = || random.below(total.max(1) as u64) as i32 - 1;
        Objective::Race([limit(), limit()])
    } else {
        Objective::Difference
    };
    Sixtysix::new(deal, &points, objective).unwrap()
}

/// A state between tricks reached by random play.
fn walk(game: &Sixtysix, random: &mut Random) -> State {
    let mut s = game.start();
    let tricks = random.below(game.deal().cards() as u64 / 2);
    for _ in 0..2 * tricks {
        let mut cards = Vec::new();
        game.actions(&s, &mut cards);
        if cards.is_empty() {
            break;
        }
        s = game.apply(&s, cards[random.below(cards.len() as u64) as usize]);
    }
    s
}

const SHAPES: [(usize, usize); 10] =
    [(1, 0), (2, 0), (3, 0), (4, 0), (1, 2), (1, 6), (2, 2), (2, 4), (3, 2), (2, 6)];

#[test]
fn law_search_equals_plain_recursion_on_thousands_of_positions() {
    let run = Run::default();
    let (mut random, mut nobody, mut decided) = (Random::new(66), 0, 0);
    for round in 0..6000usize {
        let (hand, deck) = SHAPES[round % SHAPES.len()];
        let (low, high) = [(0, 10), (-5, 5), (0, 1), (-1, 0)][round / 7 % 4];
        let game = random_game(hand, deck, low, high, round % 2 == 1, &mut random);
        let s = walk(&game, &mut random);
        let expected = plain(&game, &s);
        let found = NullWindow::new(u64::MAX, &run).value(&game, &s, &run).unwrap();
        assert_eq!(found, expected, "{game:?} {s:?}");
        assert_eq!(Minimax::new(&game, &run).value(&s, &run).unwrap(), expected, "{game:?} {s:?}");
        if round % 2 == 1 {
            nobody += u32::from(expected == 0);
            decided += u32::from(expected != 0);
        }
    }
    assert!(nobody > 300 && decided > 300, "{nobody} {decided}: races of both kinds");
}

#[test]
fn law_plain_minimax_equals_the_memoised_recursion_over_the_rules() {
    let run = Run::default();
    let mut random = Random::new(5);
    for round in 0..200usize {
        let (hand, deck) = SHAPES[round % SHAPES.len()];
        let game = random_game(hand, deck, -4, 6, round % 2 == 1, &mut random);
        let start = game.start();
        let memo = Memo::<f64>::new().solve(&game, &run).unwrap();
        let value = match game.turn(&start) {
            Turn::Player(p) => memo.value(&game, &start).unwrap() * if p == 0 { 1.0 } else { -1.0 },
            _ => f64::from(game.utility(&start, 0)),
        };
        let ours = plain(&game, &start);
        let ours = if game.objective() == Objective::Difference { 2 * ours - game.total() } else { ours };
        assert_eq!(f64::from(ours), value, "{game:?}");
    }
}

#[test]
fn law_search_equals_the_plain_table_on_larger_deals() {
    let run = Run::default();
    let mut random = Random::new(7);
    for round in 0..60usize {
        let (hand, deck) = [(6, 0), (7, 0), (4, 6), (5, 4), (3, 8), (4, 4)][round % 6];
        let (low, high) = [(0, 10), (-6, 6), (0, 3)][round / 6 % 3];
        let game = random_game(hand, deck, low, high, round % 4 == 3, &mut random);
        let s = game.start();
        let mut search = NullWindow::new(u64::MAX, &run);
        let mut table = Minimax::new(&game, &run);
        assert_eq!(search.value(&game, &s, &run).unwrap(), table.value(&s, &run).unwrap(), "{game:?}");
        assert!(search.nodes() < table.nodes().max(2), "the search looks at fewer positions");
    }
}

/// A table so small that it is emptied again and again still gives the right value.
#[test]
fn law_a_full_table_does_no_harm() {
    let (tiny, run) = (Run { memory: 1, ..Run::default() }, Run::default());
    let mut random = Random::new(8);
    for _ in 0..5 {
        let game = random_game(8, 0, 0, 10, false, &mut random);
        let s = game.start();
        let mut search = NullWindow::new(u64::MAX, &tiny);
        let value = search.value(&game, &s, &tiny).unwrap();
        assert!(search.places() <= 1024);
        assert_eq!(value, NullWindow::new(u64::MAX, &run).value(&game, &s, &run).unwrap());
    }
}

#[test]
fn law_endgame_table_equals_plain_recursion() {
    let run = Run::default();
    let mut random = Random::new(9);
    for round in 0..400usize {
        let hand = 1 + round % 6;
        let game = random_game(hand, 0, if round % 3 == 0 { -7 } else { 0 }, 9, false, &mut random);
        let s = game.start();
        let end = Endgame::solve(&game, &s, &run).unwrap();
        let mut table = Minimax::new(&game, &run);
        for leader in 0..2 {
            let s = State { leader, ..s };
            assert_eq!(end.difference(leader), 2 * table.value(&s, &run).unwrap() - game.total(), "{game:?}");
            for (card, value) in end.leads(leader) {
                let after = table.value(&game.apply(&s, card), &run).unwrap();
                assert_eq!(value, 2 * after - game.total(), "{game:?} {card}");
            }
        }
    }
}

/// Larger hands than there are cards looked up one by one, points of four bytes among those of two, and any number of threads.
#[test]
fn law_endgame_table_equals_the_search_on_larger_hands() {
    let mut random = Random::new(91);
    for (hand, low, high) in
        [(7, -9, 9), (8, 0, 10), (9, -3, 40), (8, -90_000, 90_000), (10, 0, 10), (10, 0, 9_000)]
    {
        let game = random_game(hand, 0, low, high, false, &mut random);
        let s = game.start();
        let run = Run::default();
        let end = Endgame::solve(&game, &s, &run).unwrap();
        for leader in 0..2 {
            let s = State { leader, ..s };
            let found = NullWindow::new(u64::MAX, &run).value(&game, &s, &run).unwrap();
            assert_eq!(end.difference(leader), 2 * found - game.total(), "{game:?}");
        }
        let threads = Endgame::solve(&game, &s, &Run { threads: 3, ..Run::default() }).unwrap();
        assert_eq!(threads.leads(0), end.leads(0));
        assert_eq!(threads.positions, end.positions);
    }
}

#[test]
fn law_layers_equal_the_plain_table_for_any_number_of_threads() {
    let mut random = Random::new(10);
    for round in 0..60usize {
        let (hand, deck) = [(1, 8), (2, 8), (3, 4), (2, 12), (3, 6)][round % 5];
        let game = random_game(hand, deck, -3, 9, round % 3 == 2, &mut random);
        let s = game.start();
        if game.turn(&s) == Turn::Terminal {
            continue;
        }
        let run = Run { threads: 1 + round % 2, ..Run::default() };
        let layers = Layers::solve(&game, &s, &run).unwrap();
        let mut table = Minimax::new(&game, &run);
        assert_eq!(layers.value(&game, &s, 0).unwrap(), table.value(&s, &run).unwrap());
        assert_eq!(layers.positions(), table.places(), "both visit what can be reached");
        for card in cards_of(s.hands[usize::from(s.leader)]) {
            let after = game.apply(&s, card);
            assert_eq!(layers.value(&game, &after, 1).unwrap(), table.value(&after, &run).unwrap());
        }
    }
}

/// The whole dispatcher: whatever method it picks, values of positions and leads are those of the twin.
#[test]
fn law_every_answer_equals_the_plain_table() {
    let run = Run::default();
    let mut random = Random::new(11);
    let mut methods = [0; 3];
    for round in 0..600usize {
        let (hand, deck) =
            [(1, 2), (2, 0), (3, 0), (4, 0), (5, 0), (2, 4), (3, 4), (4, 2), (4, 4)][round % 9];
        let mut game = random_game(hand, deck, [0, -4, 0][round % 3], 8, round % 2 == 1, &mut random);
        if round % 5 == 0 {
            // One scoring card.
            let mut points = vec![0; 2 * hand + deck];
            let at = random.below(2 * hand as u64 + deck as u64) as usize;
            points[at] = 1 + random.below(5) as i32;
            game = Sixtysix::new(game.deal().clone(), &points, game.objective()).unwrap();
        }
        let s = walk(&game, &mut random);
        let solved = solver::solve(&game, &s, &run).unwrap();
        methods[solved.method as usize] += 1;
        let mut table = Minimax::new(&game, &run);
        let rest = game.worth(s.hands[0] | s.hands[1] | game.undrawn(s.drawn));
        let shown = |value: i32| match game.objective() {
            Objective::Difference => 2 * (value - s.won[0]) - rest,
            Objective::Race(_) => value,
        };
        assert_eq!(solved.value, shown(table.value(&s, &run).unwrap()), "{game:?} {s:?} {solved:?}");
        for (card, value) in solved.leads {
            let after = table.value(&game.apply(&s, card), &run).unwrap();
            assert_eq!(value, shown(after), "{game:?} {s:?} {card}");
        }
    }
    assert!(methods.iter().all(|&n| n > 50), "{methods:?}: every method was used");
}

/// For any points, with or without a deck: who leads is never better off for it.
#[test]
fn law_leading_is_never_an_advantage() {
    let run = Run::default();
    let mut random = Random::new(12);
    let mut worse = 0;
    for round in 0..600usize {
        let (hand, deck) = SHAPES[round % SHAPES.len()];
        let game = random_game(hand, deck, -5, 5, round % 2 == 1, &mut random);
        let s = walk(&game, &mut random);
        if game.turn(&s) == Turn::Terminal {
            continue;
        }
        let mut table = Minimax::new(&game, &run);
        let led_by = |leader: u8, table: &mut Minimax<'_, Sixtysix>| {
            table.value(&State { leader, ..s }, &run).unwrap()
        };
        let (a, b) = (led_by(0, &mut table), led_by(1, &mut table));
        assert!(a <= b, "{game:?} {s:?}");
        worse += u32::from(a < b);
    }
    assert!(worse > 50, "{worse}: it does matter who leads");
}

/// Each rule that leaves cards out, on its own: the best of what is kept is the best of everything.
#[test]
fn law_dominated_cards_may_be_left_out() {
    let run = Run::default();
    let mut random = Random::new(13);
    let (mut left_out_leading, mut left_out_replying) = (0, 0);
    for round in 0..1500usize {
        let (hand, deck) = [(3, 0), (4, 0), (5, 0), (3, 2), (3, 4), (2, 4), (4, 2)][round % 7];
        let (low, high) = [(0, 3), (-2, 2), (0, 10)][round % 3];
        let game = random_game(hand, deck, low, high, round % 4 == 3, &mut random);
        let mut s = walk(&game, &mut random);
        if round % 2 == 1
            && let Turn::Player(p) = game.turn(&s)
        {
            let cards: Vec<u8> = cards_of(s.hands[usize::from(p)]).collect();
            s = game.apply(&s, cards[random.below(cards.len() as u64) as usize]);
        }
        let Turn::Player(p) = game.turn(&s) else { continue };
        let (mut all, mut kept) = (Vec::new(), Vec::new());
        game.actions(&s, &mut all);
        game.candidates(&s, &mut kept);
        assert!(!kept.is_empty() && kept.iter().all(|c| all.contains(c)));
        let mut table = Minimax::new(&game, &run);
        let mut best = |cards: &[u8]| {
            let values = cards.iter().map(|&c| table.value(&game.apply(&s, c), &run).unwrap());
            if p == 0 { values.max() } else { values.min() }
        };
        assert_eq!(best(&kept), best(&all), "{game:?} {s:?} kept {kept:?}");
        let n = u32::from(kept.len() < all.len());
        if s.led.is_some() { left_out_replying += n } else { left_out_leading += n }
    }
    assert!(left_out_leading > 50 && left_out_replying > 100, "{left_out_leading} {left_out_replying}");
}

/// Bounds are proven: the value lies between them, in every position of random deals.
#[test]
fn law_bounds_hold() {
    let run = Run::default();
    let mut random = Random::new(14);
    let mut tight = 0;
    for round in 0..1500usize {
        let (hand, deck) = [(3, 0), (5, 0), (3, 2), (2, 4), (4, 2)][round % 5];
        let game = random_game(hand, deck, [0, -3][round % 2], 6, round % 3 == 2, &mut random);
        let s = walk(&game, &mut random);
        if game.turn(&s) == Turn::Terminal {
            continue;
        }
        let (low, high) = game.bounds(&s);
        let come = Minimax::new(&game, &run).value(&s, &run).unwrap() - game.banked(&s);
        assert!(low <= come && come <= high, "{game:?} {s:?}: {low} {come} {high}");
        tight += u32::from(low == high);
    }
    assert!(tight > 50, "{tight}");
}

#[test]
fn law_places_tell_positions_apart() {
    // The number of cards drawn is not in the key: positions of one key must agree in it.
    let mut random = Random::new(15);
    for (hand, deck) in [(2, 8), (3, 6), (4, 4)] {
        let game = random_game(hand, deck, 0, 5, false, &mut random);
        let mut seen = std::collections::HashMap::new();
        for _ in 0..3000 {
            let s = walk(&game, &mut random);
            if let Some(place) = game.place(&s).filter(|_| s.hands[0] != 0) {
                let drawn = *seen.entry(place).or_insert((s.drawn, s.hands));
                assert_eq!(drawn, (s.drawn, s.hands));
            }
        }
        assert!(seen.len() > 10);
    }
    // Wide games pack cards instead of bits.
    let wide = Deal::new([vec![1, 100], vec![2, 99]], vec![70, 80], 0).unwrap();
    let game = Sixtysix::new(wide, &[], Objective::Difference).unwrap();
    assert!(!game.narrow() && game.packs());
    assert_ne!(game.packed(&[bit(1) | bit(100), bit(2)]), game.packed(&[bit(1) | bit(99), bit(2)]));
}

#[test]
fn law_the_classifier_does_not_care_who_is_called_a() {
    let mut random = Random::new(16);
    for _ in 0..2000 {
        let hand = 1 + random.below(30) as usize;
        let deal = shuffled(hand, 0, random.below(2) as u8, &mut random);
        let q = 1 + random.below(2 * hand as u64) as u32;
        let (here, at) = owners(&deal, q).unwrap();
        let there: Vec<u8> = here.iter().map(|o| 1 - o).collect();
        assert_eq!(a_takes(&here, at, deal.leader), !a_takes(&there, at, 1 - deal.leader));
        // The value of a position is that of its best lead.
        let leads = classified_leads(&here, at, deal.leader);
        assert_eq!(leads.len(), hand);
        let best = if deal.leader == 0 { leads.iter().any(|l| l.1) } else { leads.iter().all(|l| l.1) };
        assert_eq!(best, a_takes(&here, at, deal.leader), "{deal:?} {q}");
    }
}

#[test]
fn law_limits_and_cancelling_stop_the_solvers() {
    let mut random = Random::new(18);
    let game = random_game(6, 12, 0, 10, false, &mut random);
    let s = game.start();
    let stop = AtomicBool::new(true);
    let cancelled = Run { cancel: &stop, ..Run::default() };
    assert!(matches!(solver::solve(&game, &s, &cancelled), Err(Error::Cancelled)));
    let few = NullWindow::new(1000, &Run::default()).value(&game, &s, &Run::default());
    assert!(matches!(few, Err(Error::Refused(_))), "{few:?}");
    let small = Run { memory: 1 << 20, ..Run::default() };
    let refused = solver::solve(&game, &s, &small).unwrap_err();
    assert!(matches!(&refused, Error::Refused(r) if r.field == "deck"), "{refused}");
    for (hand, deck, field) in [(16, 0, "hand_a"), (40, 0, "hand_a"), (8, 16, "deck"), (10, 40, "deck")] {
        let game = random_game(hand, deck, 0, 10, false, &mut random);
        let refused = solver::solve(&game, &game.start(), &Run::default()).unwrap_err();
        assert!(matches!(&refused, Error::Refused(r) if r.field == field), "{hand} {deck}: {refused}");
    }
    let three = random_game(3, 40, 0, 10, false, &mut random);
    let refused = solver::solve(&three, &three.start(), &small).unwrap_err();
    assert!(matches!(&refused, Error::Refused(r) if r.field == "deck"), "{refused}");
    let end = random_game(9, 0, 0, 10, false, &mut random);
    assert!(matches!(solver::solve(&end, &end.start(), &cancelled), Err(Error::Cancelled)));
}

#[test]
fn law_methods_are_picked_as_documented() {
    let mut random = Random::new(19);
    let run = Run::default();
    let method = |game: &Sixtysix| solver::solve(game, &game.start(), &run).unwrap().method;
    assert_eq!(method(&random_game(5, 0, 1, 10, false, &mut random)), Algorithm::Induction);
    assert_eq!(method(&random_game(2, 10, 1, 10, false, &mut random)), Algorithm::Induction);
    assert_eq!(method(&random_game(4, 4, 1, 10, false, &mut random)), Algorithm::Search);
    let one = Sixtysix::new(shuffled(6, 0, 0, &mut random), &[0, 0, 0, 7], Objective::Difference).unwrap();
    assert_eq!(method(&one), Algorithm::Classifier);
    // A card that costs points has no closed form.
    let heart = Sixtysix::new(shuffled(6, 0, 0, &mut random), &[0, 0, 0, -7], Objective::Difference).unwrap();
    assert_eq!(method(&heart), Algorithm::Induction);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Any points, any play: points are never lost, hands stay equal, the deck goes in order.
    #[test]
    fn law_rules_keep_their_books(seed in 0u64..10_000, hand in 1usize..6, pairs in 0usize..5, picks in prop::collection::vec(0u64..100, 40)) {
        let mut random = Random::new(seed);
        let game = random_game(hand, 2 * pairs, -5, 9, false, &mut random);
        let mut s = game.start();
        let total = game.total();
        for pick in picks {
            let mut cards = Vec::new();
            game.actions(&s, &mut cards);
            if cards.is_empty() { break; }
            s = game.apply(&s, cards[(pick % cards.len() as u64) as usize]);
            let table = s.led.map_or(0, |led| game.points(led));
            let left = game.worth(s.hands[0] | s.hands[1] | game.undrawn(s.drawn)) + table;
            prop_assert_eq!(s.won[0] + s.won[1] + left, total);
            if s.led.is_none() {
                prop_assert_eq!(s.hands[0].count_ones(), s.hands[1].count_ones());
                prop_assert_eq!(s.hands[0] & s.hands[1], 0);
                prop_assert!(game.key(&s).is_some());
            }
        }
    }

    /// Scaling all points scales the difference; only the order of cards matters.
    #[test]
    fn law_only_order_and_ratio_matter(seed in 0u64..10_000, hand in 1usize..5, pairs in 0usize..3, factor in 1i32..5) {
        let run = Run::default();
        let mut random = Random::new(seed);
        let game = random_game(hand, 2 * pairs, -5, 9, false, &mut random);
        let deal = game.deal();
        let spread = |cards: &[u32]| cards.iter().map(|c| 3 * c).collect::<Vec<u32>>();
        let wide = Deal::new([spread(&deal.hands[0]), spread(&deal.hands[1])], spread(&deal.deck), deal.leader).unwrap();
        let mut points = vec![0; 3 * deal.cards()];
        for c in 1..=deal.cards() { points[3 * c - 1] = factor * game.points(c as u8); }
        let other = Sixtysix::new(wide, &points, Objective::Difference).unwrap();
        let value = |game: &Sixtysix| solver::solve(game, &game.start(), &run).unwrap().value;
        prop_assert_eq!(factor * value(&game), value(&other));
    }
}
