//! Puzzles of every game: one move is best, whoever is asked, and the same number is the same puzzle.

use yomikiri_core::cache::Lru;
use yomikiri_core::{Error, Run};
use yomikiri_games::Entry;
use yomikiri_games::puzzle::{of_day, puzzle, settings};
use yomikiri_shelf::GAMES;

/// Games whose puzzles the default tests look at.
const SOME: [&str; 8] = ["memory", "accordion", "sixtysix", "nim", "connectfour", "kuhn", "pig", "dodgem"];

/// Sets some puzzles of a game and solves them; how many there were.
fn solved(game: &dyn Entry, numbers: std::ops::Range<u64>) -> usize {
    let id = game.about().id;
    let settings = settings(game).unwrap();
    let mut there = 0;
    for number in numbers {
        let cache = Lru::new(1 << 30);
        let run = Run { threads: 2, cache: &cache, ..Run::default() };
        let found = match puzzle(game, &settings, number, &run) {
            Ok(found) => found,
            Err(Error::Refused(refusal)) => {
                assert_eq!(
                    refusal.field,
                    if game.puzzles().is_some() { "number" } else { "game" },
                    "{id} {number}"
                );
                continue;
            }
            Err(error) => panic!("{id} {number}: {error}"),
        };
        there += 1;
        let one = Run { threads: 1, ..Run::default() };
        let again = puzzle(game, &settings, number, &one).unwrap();
        assert_eq!(format!("{found:?}"), format!("{again:?}"), "{id} {number}");
        assert!(found.price > 0.0 && found.choices.len() >= 2, "{id} {number}");
        assert!(found.task().en.contains(&found.choices.len().to_string()));
        // Never easier than a guess among so many.
        assert!(found.bits >= (found.choices.len() as f64).log2(), "{id} {number}");
        // Every move judged as in a game that is played: the first alone is no mistake.
        for (nth, choice) in found.choices.iter().enumerate() {
            let mut play = found.begin(game, &settings, &run).unwrap();
            assert_eq!(play.turn().filter(|_| found.seat.is_some()), found.seat, "{id} {number}");
            let seat = play.turn().unwrap();
            play.input(&choice.input).unwrap();
            let mistakes = play.mistakes(seat, &run).unwrap();
            let mistake = mistakes.iter().find(|mistake| mistake.at == found.moves.len());
            assert_eq!(mistake.is_none(), nth == 0, "{id} {number}: {} {mistake:?}", choice.input);
            let lost = mistake.map_or(found.price, |mistake| mistake.lost);
            assert!(lost >= found.price * (1.0 - 1e-9), "{id} {number}: {lost} < {}", found.price);
        }
    }
    there
}

#[test]
fn law_a_puzzle_has_one_answer_and_a_number_one_puzzle() {
    for game in GAMES.iter().filter(|game| SOME.contains(&game.about().id)) {
        assert!(solved(*game, 1..3) > 0, "{}", game.about().id);
    }
}

#[test]
fn law_a_day_has_a_number() {
    assert_eq!(of_day("1970-01-01").unwrap(), 0);
    assert_eq!(of_day("1970-12-31").unwrap(), 364);
    assert_eq!(of_day("2000-03-01").unwrap(), 11_017);
    assert_eq!(of_day("2026-11-18").unwrap(), 20_775);
    // No two days share a number, and none is left out.
    let days = |year: u64, month: u64| (1..=31).map(move |day| format!("{year:04}-{month:02}-{day:02}"));
    let all = (1970..2110).flat_map(|year| (1..=12).flat_map(move |month| days(year, month)));
    let numbers: Vec<u64> = all.filter_map(|date| of_day(&date).ok()).collect();
    assert!(numbers.iter().copied().eq(0..numbers.len() as u64));
    for bad in [
        "",
        "today",
        "2026-11",
        "2026-11-31",
        "2026-02-29",
        "1969-12-31",
        "2026-13-01",
        "+026-01-01",
        "2026-1-1",
    ] {
        assert_eq!(of_day(bad).unwrap_err().field, "date", "{bad}");
    }
}

mod full {
    use super::*;

    #[test]
    fn law_every_game_that_says_so_has_puzzles_with_one_answer() {
        for game in GAMES {
            assert_eq!(solved(*game, 1..3) > 0, game.puzzles().is_some(), "{}", game.about().id);
        }
    }
}
