//! Small classic games that are nothing but their rules, against reference values that other programs have computed.

use serde_json::Value;
use yomikiri_core::Run;
use yomikiri_games::find;
use yomikiri_games::params::Settings;

/// What `solve` says of a game with some settings.
fn solved(id: &str, settings: &[(&str, &str)]) -> Value {
    let game = find(id).unwrap_or_else(|| panic!("{id} is registered"));
    let settings = Settings::new(game.params(), settings.iter().copied()).unwrap();
    game.solve(&settings, &Run::default()).unwrap().json
}

#[test]
fn golden_values_positions_and_winning_moves_are_those_of_other_programs() {
    type Case = (&'static str, &'static [(&'static str, &'static str)], i32, &'static str, Option<usize>);
    let cases: &[Case] = &[
        ("tictactoe", &[], 0, "5,478", None),
        ("nim", &[("heaps", "1,3,5,7")], -1, "752", None),
        ("nim", &[("heaps", "1,3,5,7"), ("last", "loses")], -1, "752", None),
        ("nim", &[("heaps", "3,4,5")], 1, "232", Some(1)),
        ("nim", &[("heaps", "3,4,5"), ("last", "loses")], 1, "232", Some(1)),
        ("chomp", &[("rows", "3"), ("cols", "3")], 1, "38", Some(1)),
        ("chomp", &[("rows", "3"), ("cols", "4")], 1, "68", Some(1)),
        ("connectfour", &[], 0, "161,029", None),
        ("domineering", &[("rows", "2"), ("cols", "2")], 1, "3", None),
        ("domineering", &[("rows", "3"), ("cols", "3")], 1, "46", None),
        ("domineering", &[], 1, "2,443", None),
        ("domineering", &[("rows", "5"), ("cols", "3")], 1, "1,358", Some(12)),
        ("othello", &[], -8, "62,789", None),
        ("hex", &[("rows", "2"), ("cols", "2")], 1, "32", Some(2)),
        ("hex", &[], 1, "5,514", Some(5)),
        ("morris", &[], 1, "5,390", Some(1)),
        ("mutorere", &[], 0, "1,180", None),
        ("dodgem", &[("size", "2")], 1, "15", None),
        ("dodgem", &[], 1, "1,963", Some(1)),
    ];
    for (id, settings, value, positions, winning) in cases {
        let json = solved(id, settings);
        let moves = json["moves"].as_object().unwrap();
        assert_eq!(json["value"].as_f64(), Some(f64::from(*value)), "{id} {settings:?}: {json}");
        let how = json["how"].as_str().unwrap();
        assert!(how.contains(&format!(" {positions} positions")), "{id} {settings:?}: {how}");
        if let Some(winning) = winning {
            let count = moves.values().filter(|v| v.as_f64() == Some(1.0)).count();
            assert_eq!(count, *winning, "{id} {settings:?}: {json}");
        }
    }
}
