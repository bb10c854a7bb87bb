//! The whole last round of Saichugen: soft players, the best response to them and what they are guaranteed, each against
//! something slower or made for something else.

use crate::saichugen_open::table_at;
use yomikiri_core::Run;
use yomikiri_games::saichugen::kernel::Kernel;
use yomikiri_games::saichugen::player::Ties;
use yomikiri_games::saichugen::respond::Responder;
use yomikiri_games::saichugen::rules::SEATS;
use yomikiri_games::saichugen::team::Pooled;
use yomikiri_games::saichugen::view::View;
use yomikiri_papers::saichugen::guarantee::Guarantor;
use yomikiri_papers::saichugen::last_turn::{Ending, Solver};
use yomikiri_papers::saichugen::last_turns::Turns;
use yomikiri_papers::saichugen::open::last_round::{bounds, ending, parse};
use yomikiri_papers::saichugen::soft::{SoftResponder, Softness};
use yomikiri_solve::regret::Exploitability;

const FAR: f64 = 1e-12;
const SOFT: Softness = Softness([0.5, 0.2, 0.3]);

/// Without softness all is as for the paper's players, which `respond` works out in whole numbers.
fn as_the_papers_players(turn: u8, games: u64) {
    let run = Run::default();
    let mut whole = Responder::new(Ties::Lowest, &run);
    let mut soft = SoftResponder::new(Softness([0.0; 3]), &run);
    for game in 0..games {
        let view = View::of(&table_at(turn, 40 + game), (game % 3) as usize);
        let (exact, ours) = (whole.value(&view, &[]).unwrap(), soft.worth(&view).unwrap());
        assert!((exact.search - ours.value).abs() < FAR, "{view:?}");
        assert!((exact.best - ours.response).abs() < FAR, "{view:?}");
    }
}

/// What all hands of every seat come to.
fn over_all_hands(ending: &Ending, turn: u8, seats: usize) -> Exploitability {
    let run = Run::default();
    let mut responder = SoftResponder::new(SOFT, &run);
    let hands = ending.hands();
    let mut all = Exploitability { values: Vec::new(), responses: Vec::new() };
    for seat in 0..seats {
        let worths: Vec<_> = hands
            .iter()
            .map(|&hand| responder.worth(&View { turn, ..ending.view(seat, hand) }).unwrap())
            .collect();
        all.values.push(worths.iter().map(|worth| worth.value).sum::<f64>() / hands.len() as f64);
        all.responses.push(worths.iter().map(|worth| worth.response).sum::<f64>() / hands.len() as f64);
    }
    all
}

fn close(ours: &Exploitability, other: &Exploitability) {
    for seat in 0..ours.values.len() {
        assert!((ours.values[seat] - other.values[seat]).abs() < 1e-9, "{ours:?} {other:?}");
        assert!((ours.responses[seat] - other.responses[seat]).abs() < 1e-9, "{ours:?} {other:?}");
    }
}

fn ending_at(turn: u8, game: u64) -> Ending {
    let table = table_at(turn, 90 + game);
    Ending { cards: table.hands[0].and(table.unknown(0)), scores: table.scores, round: table.round }
}

#[test]
fn law_players_without_softness_are_the_papers() {
    as_the_papers_players(15, 30);
    as_the_papers_players(14, 6);
}

#[test]
fn law_hands_against_soft_players_come_to_what_the_last_turn_as_a_game_says() {
    for game in 0..3 {
        let ending = ending_at(15, game);
        let (solver, mut kernel) = (Solver::new(&ending), Kernel::new());
        let mut mixture = solver.average();
        for (seat, hands) in mixture.iter_mut().enumerate() {
            for (&hand, mixture) in solver.hands().iter().zip(hands) {
                mixture.copy_from_slice(&SOFT.shares(&ending.view(seat, hand), &mut kernel)[..3]);
            }
        }
        close(&over_all_hands(&ending, 15, SEATS), &solver.worth(&mixture));
    }
}

/// Two who take the third for random win together what the third is guaranteed not to lose more than, if it plays at random.
fn as_a_team_against_random_play(turn: u8, games: u64) {
    // So soft that every card is equally likely to the last digit.
    let mut guarantor = Guarantor::new(Softness([1e300; 3]));
    for game in 0..games {
        let table = table_at(turn, 60 + game);
        let seat = (game % 3) as usize;
        let others = [1, 2].map(|far| table.hands[(seat + far) % SEATS]);
        let least = guarantor.least(&View::of(&table, seat), others);
        assert!((least + Pooled::against(&table, seat).value()).abs() < FAR, "{table:?}");
    }
}

#[test]
fn law_what_random_play_is_guaranteed_is_what_a_team_leaves_it() {
    as_a_team_against_random_play(15, 20);
    as_a_team_against_random_play(14, 8);
}

#[test]
fn law_a_seat_is_guaranteed_no_more_than_it_gets_and_that_is_no_more_than_the_best_response() {
    let ending = ending_at(15, 3);
    let (hands, mut guarantor) = (ending.hands(), Guarantor::new(SOFT));
    let all = over_all_hands(&ending, 15, 1);
    let (mut least, mut deals) = (0.0, 0.0);
    for &first in &hands {
        for &second in hands.iter().filter(|second| !second.meets(first)) {
            // Any of the hands that are left to the seat says what it sees.
            let own = hands.iter().find(|own| !own.meets(first.and(second))).unwrap();
            least += guarantor.least(&ending.view(0, *own), [first, second]);
            deals += 1.0;
        }
    }
    assert_eq!(deals, 4200.0);
    assert!(
        least / deals <= all.values[0] + FAR && all.values[0] <= all.responses[0] + FAR,
        "{least} {all:?}"
    );
}

#[test]
fn law_softness_is_three_numbers() {
    assert_eq!(parse("0, 0.25,1000"), Ok(Softness([0.0, 0.25, 1000.0])));
    for bad in ["", "1", "1,1", "1,1,1,1", "-1,1,1", "1,1,1001", "NaN,1,1", "a,b,c", "1,,1"] {
        assert_eq!(parse(bad).unwrap_err().field, "softness", "{bad}");
    }
}

mod full {
    use super::*;

    #[test]
    fn law_turn_13_without_softness_is_the_papers() {
        as_the_papers_players(13, 2);
        as_a_team_against_random_play(13, 2);
    }

    #[test]
    fn law_hands_against_soft_players_come_to_what_the_last_two_turns_as_a_game_say() {
        let ending = ending_at(14, 0);
        let (turns, mut kernel) = (Turns::new(&ending, 2), Kernel::new());
        let plans = turns.plans(&mut |view| SOFT.shares(view, &mut kernel));
        close(&over_all_hands(&ending, 14, 1), &turns.worth(&plans));
    }

    #[test]
    fn law_bounds_are_bounds_for_any_number_of_threads() {
        // One hand a seat of the paper's players, for whom most of the tree is not there.
        let (table, papers) = (ending(1, 0), Softness([0.0; 3]));
        let [one, two] =
            [1, 2].map(|threads| bounds(&table, papers, 1, &Run { threads, ..Run::default() }).unwrap());
        assert_eq!(one, two);
        for seat in one {
            assert!(seat.gain.mean() > -FAR && seat.least.mean() < seat.response.mean(), "{seat:?}");
        }
    }
}
