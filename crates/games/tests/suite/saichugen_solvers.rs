//! Saichugen's kernel against the generic full-width search and the paper's own.

use crate::figure_3::figure_3;
use yomikiri_core::random::Random;
use yomikiri_core::{Game, Rational, Run};
use yomikiri_games::saichugen::kernel::Kernel;
use yomikiri_games::saichugen::rules::{Card, Table};
use yomikiri_games::saichugen::view::{LastRound, Step, View, reachable};
use yomikiri_solve::fullwidth::FullWidth;

/// A view that random play leads to.
fn view(seed: u64, turn: u8) -> View {
    let mut random = Random::stream(seed, u64::from(turn));
    let mut deck: [Card; 52] = std::array::from_fn(|i| Card::new(i as u8).unwrap());
    random.shuffle(&mut deck);
    let mut table = Table::deal(&deck);
    while table.turn < turn {
        let cards = table.hands.map(|hand| hand.nth(random.below(hand.len() as u64) as usize).unwrap());
        table.play(cards);
    }
    View::of(&table, (seed % 3) as usize)
}

fn same_as_full_width(view: &View, kernel: &mut Kernel) {
    let game = LastRound::new(*view).unwrap();
    let slow = FullWidth::new(&game).moves::<Rational>(&game.start(), &Run::default()).unwrap();
    let fast = kernel.values(view);
    let fraction = |n: i32| Rational::new(n.into(), fast.denominator().into());
    let fast: Vec<_> = fast.cards().map(|(card, n)| (Step::Mine(card), fraction(n))).collect();
    assert_eq!(fast, slow, "{view:?}");
}

fn same_as_the_paper(view: &View, kernel: &mut Kernel) {
    let (sums, chosen) = figure_3(view);
    let fast = kernel.values(view);
    let ours: Vec<_> = fast.cards().map(|(card, n)| (card, i64::from(n))).collect();
    assert_eq!(ours, sums, "{view:?}");
    assert_eq!(fast.best_cards().next(), chosen, "the strict > of figure 3 plays the lowest of the best");
}

#[test]
fn law_turn_15_is_the_full_width_search() {
    let mut kernel = Kernel::new();
    for seed in 0..2000 {
        same_as_full_width(&view(seed, 15), &mut kernel);
    }
}

#[test]
fn law_turn_14_is_the_full_width_search() {
    let mut kernel = Kernel::new();
    for seed in 0..400 {
        same_as_full_width(&view(seed, 14), &mut kernel);
    }
}

#[test]
fn law_turn_13_is_the_full_width_search() {
    same_as_full_width(&view(0, 13), &mut Kernel::new());
}

#[test]
fn law_figure_3_is_the_kernel_on_all_turns() {
    let mut kernel = Kernel::new();
    for (turn, views) in [(15, 2000), (14, 100), (13, 1)] {
        for seed in 0..views {
            same_as_the_paper(&view(1000 + seed, turn), &mut kernel);
        }
    }
}

/// Positions with many cards of a rank and with ties in the scores, where kinds of cards are merged.
#[test]
fn law_crowded_ranks_are_no_exception() {
    let mut kernel = Kernel::new();
    let mut random = Random::new(77);
    for round in 0..600 {
        let (turn, hand, unknown, points) = match round % 3 {
            0 => (15, 3, 7, [0, 9, 4]),
            1 => (14, 4, 9, [0, 0, 6]),
            _ if round % 100 == 2 => (13, 5, 11, [0, 0, 0]),
            _ => continue,
        };
        // All cards from four or five neighbouring ranks.
        let first = random.below(8) as u8 * 4;
        let mut cards: Vec<Card> = (first..first + 20).filter_map(Card::new).collect();
        random.shuffle(&mut cards);
        let view = View {
            turn,
            hand: cards[..hand].iter().copied().collect(),
            unknown: cards[hand..hand + unknown].iter().copied().collect(),
            scores: [random.below(4) as u8, random.below(4) as u8, random.below(4) as u8],
            round: points,
        };
        same_as_the_paper(&view, &mut kernel);
    }
}

#[test]
fn law_values_of_a_kernel_do_not_depend_on_what_it_did_before() {
    let mut kernel = Kernel::new();
    for seed in 0..300 {
        let view = view(seed, 13 + (seed % 3) as u8);
        assert_eq!(kernel.values(&view), Kernel::new().values(&view));
    }
}

#[test]
fn law_views_of_play_are_accepted_and_opponents_may_be_swapped() {
    let mut kernel = Kernel::new();
    for seed in 0..3000 {
        let mut view = view(seed, 13 + (seed % 3) as u8);
        assert_eq!(view.check(), Ok(()), "{view:?}");
        assert!(reachable(view.scores));
        if seed < 200 {
            let values = kernel.values(&view);
            view.scores.swap(1, 2);
            view.round.swap(1, 2);
            assert_eq!(kernel.values(&view), values);
        }
    }
}

#[test]
fn law_scores_no_play_reaches_are_refused() {
    for scores in [[52, 0, 0], [50, 50, 50], [255, 0, 0], [0, 51, 0]] {
        assert!(!reachable(scores), "{scores:?}");
    }
    for scores in [[0, 0, 0], [1, 0, 0], [26, 12, 0], [50, 0, 0], [8, 11, 5]] {
        assert!(reachable(scores), "{scores:?}");
    }
}

mod full {
    use super::*;

    #[test]
    fn law_turn_13_is_the_full_width_search_and_figure_3() {
        let mut kernel = Kernel::new();
        for seed in 1..6 {
            same_as_full_width(&view(seed, 13), &mut kernel);
            same_as_the_paper(&view(1000 + seed, 13), &mut kernel);
        }
        for seed in 100..300 {
            same_as_the_paper(&view(1000 + seed, 14), &mut kernel);
        }
    }
}
