//! Saichugen's turn 13, and whole games.

use crate::kernel::{Kernel, Needs, alone};
use std::hint::black_box;
use yomikiri_games::saichugen::kernel;
use yomikiri_games::saichugen::player::{House, Model, Ties};
use yomikiri_games::saichugen::rules::LAST_ROUND;
use yomikiri_games::saichugen::seats::{Lineup, Party};
use yomikiri_games::saichugen::view::View;

const VIEWS: u64 = 500;
const GAMES: u64 = 500;

/// Kinds of unknown cards of a view, with how many cards are of each.
fn kinds(view: &View) -> Vec<u64> {
    let mut kinds: Vec<((u8, usize), u64)> = Vec::new();
    for card in view.unknown.iter() {
        let kind = (card.points(), view.hand.below(card));
        match kinds.last_mut() {
            Some((last, count)) if *last == kind => *count += 1,
            _ => kinds.push((kind, 1)),
        }
    }
    kinds.into_iter().map(|(_, count)| count).collect()
}

/// Sets of so many cards, cards of a kind being alike.
fn sets(kinds: &[u64], size: u64) -> u64 {
    match kinds {
        [] => u64::from(size == 0),
        [first, rest @ ..] => (0..=size.min(*first)).map(|n| sets(rest, size - n)).sum(),
    }
}

/// What a decision needs: for each set of four cards that are gone 74 lanes (24 ways in which two of the four have won, 40 with one of them and an
/// own card, 10 with two own cards), in each 2 sums of products over the kinds and one for each own card, and 10, 4 or 1 maxima of 3; and 120 sums
/// of words, two for each split and pair of own cards.
fn needs(views: &[View]) -> Needs {
    let (mut lanes, mut words) = (0.0, 0.0);
    for view in views {
        let kinds = kinds(view);
        let sets = sets(&kinds, 4) as f64;
        let products = 74.0 * (2 * 2 * kinds.len() + 2 * 5 + 5) as f64;
        lanes += sets * (products + 24.0 * 14.0 + 40.0 * 9.0 + 10.0 * 2.0);
        words += sets * 120.0;
    }
    let count = views.len() as f64;
    Needs { lanes: lanes / count, words: words / count, ..Needs::default() }
}

pub fn kernels() -> Vec<Kernel> {
    let house = House { ties: Ties::Lowest, model: Model::SameIndex };
    let mut party = Party::new(Lineup::parse("search,search,search").expect("known players"), house);
    let tables: Vec<_> = (0..VIEWS).map(|game| party.until(LAST_ROUND, 1, game).table).collect();
    let views: Vec<View> = tables.iter().map(|table| View::of(table, 0)).collect();
    let decisions = alone(5, || {
        let mut kernel = kernel::Kernel::new();
        for view in &views {
            black_box(kernel.values(view));
        }
    });
    let games = alone(5, || {
        let mut party = Party::new(Lineup::parse("search,search,search").expect("known players"), house);
        for game in 0..GAMES {
            black_box(party.game(1, game));
        }
    });
    // A game is three such decisions and little else: two more turns, the deal and twelve turns of cards drawn.
    let all: Vec<View> =
        tables.iter().flat_map(|table| [0, 1, 2].map(|seat| View::of(table, seat))).collect();
    let of = needs(&all);
    vec![
        Kernel {
            name: "Saichugen: all cards in turn 13",
            unit: "decision",
            seconds: decisions.map(|s| s / VIEWS as f64),
            needs: needs(&views),
        },
        Kernel {
            name: "Saichugen: three who search",
            unit: "game",
            seconds: games.map(|s| s / GAMES as f64),
            needs: Needs { lanes: 3.0 * of.lanes, words: 3.0 * of.words, ..Needs::default() },
        },
    ]
}
