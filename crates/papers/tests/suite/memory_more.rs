//! Memory beyond the paper: more players, and the lines to keep in mind.

use yomikiri_core::{Canonical, Indexed, Number, Run};
use yomikiri_games::memory::forgetting::classes::Forgetful;
use yomikiri_games::memory::forgetting::model::Model;
use yomikiri_games::memory::lines::{REFINED, SEVEN, SHARP};
use yomikiri_games::memory::party::asked::terms;
use yomikiri_games::memory::party::rules::Aim;
use yomikiri_games::memory::rules::Objective;
use yomikiri_papers::golden::{Golden, Tally, compare};
use yomikiri_papers::memory::experiments::{rate, solved};
use yomikiri_papers::memory::players::{computed, spreads};
use yomikiri_papers::memory::policies::Follow;
use yomikiri_papers::memory::rules_of_thumb::against_best;
use yomikiri_papers::memory::seven_lines::{closed_form, lists, passes};
use yomikiri_papers::memory::{PAPER, forgetting, habits, seven_lines, solitaire};

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

/// The sharper lines win more than the first ones in both seats; the figures are those of a smaller program of its own, in which
/// nobody leaves free pairs lying.
#[test]
fn law_the_sharper_lines_win_more() {
    let run = Run::default();
    for (ranks, percent) in [(6, (48.352, 48.905)), (7, (48.420, 49.244))] {
        let (game, _) = solved(ranks, &run).unwrap();
        let (sharp, seven) =
            (against_best(&game, &SHARP, &run).unwrap(), against_best(&game, &SEVEN, &run).unwrap());
        assert!(sharp.0 > seven.0 && sharp.1 > seven.1, "{ranks} ranks: {sharp:?} and {seven:?}");
        let close = |x: f64, percent: f64| (100.0 * x - percent).abs() < 5e-4;
        assert!(close(sharp.0, percent.0) && close(sharp.1, percent.1), "{ranks} ranks: {sharp:?}");
    }
}

/// The six rules for equal moves, in small games.
#[test]
fn golden_how_much_the_tie_rule_matters_in_small_games() {
    let golden = golden("ties");
    let tally = compare(golden, &spreads(golden, 4, &Run::default()).unwrap()).tally;
    assert_eq!((tally.matches, tally.differing), (12, 0), "{tally:?}");
}

/// What happens in a game with a win to play for, in the smallest published game.
#[test]
fn golden_how_often_passes_end_a_small_game() {
    let golden = golden("habits");
    let most = |objective: &str| if objective == "win" { 5 } else { 0 };
    let tally = compare(golden, &habits::computed(golden, most, &Run::default()).unwrap()).tally;
    assert_eq!((tally.matches, tally.differing), (1, 0), "{tally:?}");
}

/// Without passes there are none; every second card is counted once; and a mix of equal moves has its share of each.
#[test]
fn law_habits_are_those_of_the_rules() {
    let run = Run::default();
    for tie in ["lex", "mix"] {
        let never = habits::habits(3, 3, terms("win", "none", tie).unwrap(), &run).unwrap();
        assert_eq!((never.passes, never.ended, never.taken_then()), (0.0, 0.0, None));
        assert!(never.known > 0.0 && never.unknown > 1.0, "{never:?}");
    }
    let end = habits::habits(2, 4, terms("pairs", "end", "lex").unwrap(), &run).unwrap();
    assert!(end.passes > 0.0 && end.ended == 0.0, "for pairs the last pass brings nothing: {end:?}");
    assert!((end.pairs - 8.0).abs() < 1e-9, "so that all pairs are taken: {end:?}");
}

/// Passing alone is best at exactly the positions of the closed form.
#[test]
fn golden_passing_alone_is_best_at_116_positions() {
    let run = Run::default();
    let (game, table) = solved(13, &run).unwrap();
    let found = passes(&game, &table, &run).unwrap();
    assert_eq!(found.len(), 116);
    let golden = golden("passes");
    let tally = compare(golden, &seven_lines::computed(&game, &table, &run).unwrap()).tally;
    assert_eq!((tally.matches, tally.differing), (37, 0), "{tally:?}");
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

/// Passes a game of players who forget nothing are those of best play by the rules for any number of players; and from a chance
/// of 0.3 on nobody passes.
#[test]
fn law_passes_a_game_of_players_who_forget() {
    let run = Run::default();
    let passes = |ranks, objective, model: &str| {
        let model = Model::read(model).unwrap();
        Forgetful::solve(ranks, 4, objective, model, &run).unwrap().passes_a_game(&run).unwrap().unwrap()
    };
    for ranks in [3, 4] {
        let twin = habits::habits(2, ranks, terms("margin", "end", "order").unwrap(), &run).unwrap().passes;
        let found = passes(ranks, Objective::Cards, "forget:0");
        assert!((found - twin).abs() < 1e-9 && twin > 0.0, "{ranks} ranks: {found} and {twin}");
    }
    let by_chance = ["0.01", "0.1", "0.3", "0.9"].map(|p| passes(4, Objective::Win, &format!("forget:{p}")));
    assert!(by_chance[0] > by_chance[1] && by_chance[2..] == [0.0, 0.0], "{by_chance:?}");
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
    fn golden_how_much_the_tie_rule_matters() {
        let golden = golden("ties");
        let run = Run { threads: 2, ..Run::default() };
        let tally = compare(golden, &spreads(golden, 8, &run).unwrap()).tally;
        assert_eq!((tally.matches, tally.differing), (24, 0), "{tally:?}");
    }

    #[test]
    fn golden_what_happens_in_a_game() {
        let golden = golden("habits");
        let run = Run { threads: 2, memory: 2 << 30, ..Run::default() };
        let tally = compare(golden, &habits::computed(golden, |_| 13, &run).unwrap()).tally;
        assert_eq!((tally.matches, tally.differing), (14, 0), "{tally:?}");
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
        let (first, second) = against_best(&game, &SHARP, &run).unwrap();
        assert!(close(first, 49.826, 5e-4) && close(second, 50.029, 5e-4), "{first} {second}");
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
