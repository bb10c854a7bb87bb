//! Memory beyond the paper: more players, and the lines to keep in mind.

use yomikiri_core::{Canonical, Indexed, Number, Run};
use yomikiri_games::memory::forgetting::model::Model;
use yomikiri_games::memory::party::rules::Aim;
use yomikiri_papers::golden::{Golden, Tally, compare};
use yomikiri_papers::memory::experiments::{rate, solved};
use yomikiri_papers::memory::players::computed;
use yomikiri_papers::memory::policies::Follow;
use yomikiri_papers::memory::rules_of_thumb::against_best;
use yomikiri_papers::memory::seven_lines::{REFINED, SEVEN, closed_form, lists, passes};
use yomikiri_papers::memory::{PAPER, forgetting, solitaire};

fn golden(id: &str) -> &'static Golden {
    PAPER.golden.iter().find(|g| g.id == id).unwrap()
}

fn found(id: &str, aim: Aim, most: usize, exact: usize) -> Tally {
    let golden = golden(id);
    let cells = computed(golden, aim, most, exact, &Run { threads: 2, ..Run::default() }).unwrap();
    compare(golden, &cells).tally
}

#[test]
fn golden_pairs_of_every_player_in_small_games() {
    // Three fractions of two ranks, and all figures of three, four and six.
    let tally = found("players-pairs", Aim::Pairs, 6, 0);
    assert!((tally.matches, tally.differing) == (75, 0), "{tally:?}");
}

#[test]
fn golden_shares_of_the_win_in_small_games() {
    let tally = found("players-win", Aim::Win, 6, 3);
    assert!((tally.matches, tally.differing) == (76, 0), "{tally:?}");
}

/// All fractions, and both limits by integration.
#[test]
fn golden_solitaire_with_two_and_four_cards() {
    let golden = golden("solitaire");
    let tally = compare(golden, &solitaire::computed(golden, &Run::default()).unwrap()).tally;
    assert_eq!((tally.matches, tally.differing), (18, 0), "{tally:?}");
}

/// The expansion for two cards closes in on the exact values, and so does the limit for four on what a rank adds.
#[test]
fn law_solitaire_comes_close_to_its_limits() {
    let (two, _) = solitaire::moves(40, 2, &Run::default()).unwrap();
    let gap = |n: usize| (two[n - 1].approx() - solitaire::expansion(n)).abs();
    assert!(gap(40) < gap(20) && gap(20) < gap(10) && gap(40) < 1e-2, "{} {} {}", gap(10), gap(20), gap(40));
    let (four, _) = solitaire::moves(12, 4, &Run::default()).unwrap();
    let off = |n: usize| (four[n - 1].approx() - four[n - 2].approx()) / 2.0 - solitaire::limit(4);
    assert!(off(12).abs() < off(6).abs() && off(12).abs() < 1e-3, "{} {}", off(6), off(12));
}

/// Players who forget, in small games; what was published as a fraction is computed as one.
#[test]
fn golden_players_who_forget_in_small_games() {
    let golden = golden("forgetting");
    let wanted = |_, ranks, copies| ranks * copies <= 8;
    let tally = compare(golden, &forgetting::computed(golden, wanted, &Run::default()).unwrap()).tally;
    assert!((tally.matches, tally.differing) == (43, 0), "{tally:?}");
}

#[test]
fn golden_the_seven_lines_of_six_and_eight_ranks() {
    let run = Run::default();
    for (ranks, percent) in [(6, 46.79), (8, 48.10)] {
        let (game, _) = solved(ranks, &run).unwrap();
        let (first, _) = against_best(&game, &SEVEN, &run).unwrap();
        assert!((100.0 * first - percent).abs() < 0.005, "{ranks} ranks: {first}");
    }
}

/// Passing alone is best at exactly the positions of the closed form.
#[test]
fn golden_passing_alone_is_best_at_116_positions() {
    let run = Run::default();
    let (game, table) = solved(13, &run).unwrap();
    let found = passes(&game, &table, &run).unwrap();
    assert_eq!(found.len(), 116);
    assert!(found.iter().all(|text| closed_form(&game, &game.parse(text).unwrap())), "{found:?}");
    let mut all = 0;
    for tier in 0..game.tiers() {
        for at in 0..game.len(tier) {
            let s = game.state((tier, at)).unwrap();
            all += usize::from(game.key(&s).is_some() && closed_form(&game, &s));
        }
    }
    assert_eq!(all, 116, "the closed form has no others");
}

mod full {
    use super::*;

    #[test]
    fn golden_players_who_forget() {
        let golden = golden("forgetting");
        let run = Run { threads: 2, memory: 2 << 30, ..Run::default() };
        // Wide memories of 13 ranks of four cards and chances for 8 take minutes.
        let wanted = |model, ranks: usize, copies: usize| match model {
            Model::LastTurn | Model::Asymmetric => true,
            Model::Slots(most) => ranks * copies <= 32 || most <= 4,
            _ => ranks * copies <= 28,
        };
        let tally = compare(golden, &forgetting::computed(golden, wanted, &run).unwrap()).tally;
        assert!((tally.matches, tally.differing) == (159, 0), "{tally:?}");
    }

    #[test]
    fn golden_pairs_of_every_player() {
        let tally = found("players-pairs", Aim::Pairs, 13, 0);
        assert_eq!((tally.matches, tally.differing), (186, 0), "{tally:?}");
    }

    #[test]
    fn golden_shares_of_the_win() {
        let tally = found("players-win", Aim::Win, 14, 5);
        assert_eq!((tally.matches, tally.differing), (175, 0), "{tally:?}");
    }

    #[test]
    fn golden_the_seven_lines_and_what_each_is_worth() {
        let run = Run { memory: 4 << 30, ..Run::default() };
        let (game, table) = solved(13, &run).unwrap();
        let close = |x: f64, percent: f64, digits: f64| (100.0 * x - percent).abs() < digits;
        let (first, second) = against_best(&game, &SEVEN, &run).unwrap();
        assert!(close(first, 49.707, 5e-4) && close(second, 49.886, 5e-4), "{first} {second}");
        for ((id, _, list), percent) in lists().iter().skip(1).zip([44.09, 49.37, 49.11, 49.63]) {
            let (first, _) = against_best(&game, list, &run).unwrap();
            assert!(close(first, percent, 5e-3), "{id}: {first}");
        }
        let (first, second) = against_best(&game, &REFINED, &run).unwrap();
        assert!(close(first, 49.759, 5e-4) && close(second, 49.953, 5e-4), "{first} {second}");
        let follow = Follow(&table);
        let even = (rate(&game, &SEVEN, &follow, &run).unwrap(), rate(&game, &follow, &SEVEN, &run).unwrap());
        assert!(close(even.0, 49.747, 5e-4) && close(1.0 - even.1, 49.911, 5e-4), "{even:?}");
        for (ranks, percent) in [(11, 49.35), (20, 49.05)] {
            let (game, _) = solved(ranks, &run).unwrap();
            let (first, _) = against_best(&game, &SEVEN, &run).unwrap();
            assert!(close(first, percent, 5e-3), "{ranks} ranks: {first}");
        }
    }
}
