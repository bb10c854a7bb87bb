//! The whole 4x4 suite: the published figures, and the laws its tables obey.

use std::sync::{Arc, LazyLock};
use yomikiri_core::{Error, Run};
use yomikiri_games::geister::analysis::{Kind, Solved, distance, value};
use yomikiri_games::geister::board::{Board, Position, Side};
use yomikiri_games::geister::space::Material;
use yomikiri_games::geister::summary::{both, conclusions, tally};
use yomikiri_games::geister::tables::{Tables, verify};
use yomikiri_solve::retrograde::{self, GameValue};

fn run() -> Run<'static> {
    Run { threads: 2, ..Run::default() }
}

static SUITE: LazyLock<Tables> = LazyLock::new(|| {
    let tables = Tables::new(Board::new(4, 4).unwrap(), false);
    for kind in Kind::ALL {
        tables.solve(kind, &run()).unwrap();
    }
    tables
});

fn solved(kind: Kind) -> Arc<Solved> {
    SUITE.solve(kind, &run()).unwrap()
}

/// Turned round: the players change places.
fn turned(board: &Board, p: &Position) -> Position {
    let last = board.squares() as u32 - 1;
    let turn = |set: u64| (0..=last).filter(|s| set >> s & 1 == 1).fold(0, |t, s| t | 1 << (last - s));
    let side = |side: &Side| Side(side.0.map(turn));
    Position { turn: 1 - p.turn, sides: [side(&p.sides[1]), side(&p.sides[0])] }
}

#[test]
fn paper_table_1_and_the_counts() {
    let basic = tally(&solved(Kind::Basic));
    let table_1 =
        [3749, 1976, 2355, 1198, 696, 307, 242, 253, 281, 262, 254, 277, 231, 136, 63, 47, 2, 2, 2, 6];
    assert_eq!(basic.by_distance, table_1);
    assert_eq!(basic.values, [8670, 831, 12_339]);
    assert_eq!(basic.won, [7875, 4464]);
    assert_eq!(tally(&solved(Kind::Extended)).values, [8361, 791, 12_688]);
    let positions = Kind::ALL.map(|kind| solved(kind).rules.all_positions());
    let published =
        [2_184_000, 21_840, 21_840, 567_840, 567_840, 262_080, 87_360, 87_360, 87_360, 87_360, 262_080];
    assert_eq!(positions, published);
    assert_eq!(tally(&solved(Kind::BbrTwoHalf)).values[2], 33_206);
}

#[test]
fn paper_section_6_start_values() {
    let starts = |kind: Kind| {
        let solved = solved(kind);
        let all = solved.rules.starts().into_iter().map(move |p| both(&solved, &p));
        all.map(|v| v.map(|v| (value(v), distance(v).unwrap_or(0)))).collect::<Vec<_>>()
    };
    assert_eq!(starts(Kind::Basic), [[(1, 13), (1, 16)]]);
    assert_eq!(starts(Kind::Extended), [[(1, 11), (1, 16)]]);
    assert_eq!(starts(Kind::RrbThree), [[(0, 0), (0, 0)]]);
    assert_eq!(starts(Kind::RrbTwo), [[(1, 7), (1, 10)]]);
    assert_eq!(starts(Kind::BbrThreeThird), [[(1, 13), (1, 16)]]);
    assert_eq!(starts(Kind::BbrTwoHalf), [[(0, 0), (0, 0)]]);
    assert_eq!(starts(Kind::BbrTwoThird), [[(-1, 16), (-1, 13)]]);
    // The piece taken to be blue on b4, c4, b3.
    assert_eq!(starts(Kind::BbrTwoGuess), [[(-1, 16), (-1, 13)], [(-1, 16), (-1, 17)], [(1, 9), (0, 0)]]);
    let all = conclusions(&SUITE, &run()).unwrap();
    assert_eq!(all.len(), 6);
    assert!(all.iter().all(|c| c.holds));
    assert!(all[0].statement.en.contains("the value is 0"), "{}", all[0].statement.en);
    assert!(all[5].statement.en.contains("between 1/3 and 1/2"), "{}", all[5].statement.en);
}

#[test]
fn law_the_open_game_is_the_same_for_both_players() {
    let open = solved(Kind::Open);
    let board = &open.rules.board;
    for place in 0..open.table.places() {
        let p = open.rules.space.at(place).unwrap();
        let expected = match open.table.get(place) {
            GameValue::Won { by, plies } => GameValue::Won { by: 1 - by, plies },
            GameValue::Drawn => GameValue::Drawn,
        };
        assert_eq!(open.verdict(&turned(board, &p)), expected, "{p:?}");
    }
}

#[test]
fn law_no_position_fails_both_owners_and_extended_contains_basic() {
    let (basic, extended) = (solved(Kind::Basic), solved(Kind::Extended));
    let board = &basic.rules.board;
    for place in 0..basic.table.places() {
        let p = basic.rules.space.at(place).unwrap();
        assert!(basic.value(&p) != 1 || extended.value(&p) == 1, "{p:?}");
        for table in [&basic, &extended] {
            assert!(table.value(&p) != -1 || table.value(&turned(board, &p)) != -1, "{p:?}");
        }
    }
}

#[test]
fn law_every_table_is_left_right_symmetric() {
    for kind in Kind::ALL {
        let solved = solved(kind);
        for place in 0..solved.table.places() {
            let p = solved.rules.space.at(place).unwrap();
            let mirrored = solved.rules.board.mirror_of(&p);
            assert_eq!(solved.verdict(&mirrored), solved.table.get(place), "{}: {p:?}", kind.id());
        }
    }
}

#[test]
fn law_the_mirror_changes_no_value_and_saves_half() {
    for (width, height) in [(4, 4), (3, 4)] {
        let board = Board::new(width, height).unwrap();
        let (plain, mirrored) = (Tables::new(board.clone(), false), Tables::new(board, true));
        for kind in Kind::ALL {
            if (width, kind) == (4, Kind::Open) {
                continue;
            }
            let (plain, mirrored) =
                (plain.solve(kind, &run()).unwrap(), mirrored.solve(kind, &run()).unwrap());
            // On odd boards a piece on the middle file is its own image.
            let share = if width % 2 == 0 { 55 } else { 70 };
            assert!(mirrored.table.places() * 100 < plain.table.places() * share, "{}", kind.id());
            for place in 0..plain.table.places() {
                let p = plain.rules.space.at(place).unwrap();
                assert_eq!(mirrored.verdict(&p), plain.table.get(place), "{}: {p:?}", kind.id());
            }
            assert_eq!(tally(&plain).values, tally(&mirrored).values);
        }
        assert!(verify(&mirrored, &run()).unwrap().is_none());
    }
}

#[test]
fn law_every_table_is_verified_from_the_forward_rules() {
    assert_eq!(verify(&SUITE, &run()).unwrap(), None);
    let basic = solved(Kind::Basic);
    for place in [0, 777, 21_839] {
        let right = basic.table.get(place);
        let wrong =
            if right == GameValue::Drawn { GameValue::Won { by: 1, plies: 2 } } else { GameValue::Drawn };
        let altered = basic.table.clone().altered(place, wrong);
        let found = retrograde::verify(&basic.rules, &altered, &run()).unwrap();
        assert!(found.is_some_and(|w| w.place <= place), "{place}");
    }
}

#[test]
fn law_threads_do_not_matter() {
    for kind in [Kind::Extended, Kind::OpenDraw, Kind::BbrTwoGuess] {
        let rules = SUITE.rules(kind, &kind.materials(), &run()).unwrap();
        let tables = [1, 2, 5]
            .map(|threads| retrograde::solve(&rules, "test", &Run { threads, ..Run::default() }).unwrap());
        assert!(tables[0] == tables[1] && tables[1] == tables[2], "{}", kind.id());
    }
}

#[test]
fn law_other_boards_have_the_positions_they_should() {
    let positions = |width, height, a, b| {
        yomikiri_games::geister::analysis::Rules::positions(
            &Board::new(width, height).unwrap(),
            &Material([[0, 0, a], [0, 0, b]]),
        )
    };
    assert_eq!(positions(5, 5, 3, 3), 7_084_000);
    assert_eq!(positions(5, 5, 4, 4), 151_420_500);
    assert_eq!(positions(6, 6, 3, 3), 77_911_680);
    assert_eq!(positions(6, 6, 4, 4), 4_236_447_600);
}

#[test]
fn law_what_does_not_fit_is_said_before_it_starts() {
    let tables = Tables::new(Board::new(6, 6).unwrap(), false);
    let run = Run { memory: 1 << 20, ..Run::default() };
    let four = [Material([[0, 0, 4], [0, 0, 4]])];
    assert!(matches!(tables.get(Kind::Basic, &four, &run), Err(Error::Memory { .. })));
}
