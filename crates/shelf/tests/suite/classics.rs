//! Small classic games that are nothing but their rules, against reference values that other programs have computed.

use serde_json::Value;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Number, Rational, Run, Turn};
use yomikiri_games::describe::Describe;
use yomikiri_games::family::Family;
use yomikiri_games::params::Settings;
use yomikiri_shelf::connectfour::ConnectFour;
use yomikiri_shelf::domineering::Dominoes;
use yomikiri_shelf::dots::{Dots, EdgeSets};
use yomikiri_shelf::find;
use yomikiri_shelf::hex::Hex;
use yomikiri_shelf::kalah::Sowing;
use yomikiri_shelf::othello::Reversi;
use yomikiri_shelf::rook::RookEnding;
use yomikiri_solve::minimax::{Contest, NullWindow};
use yomikiri_solve::{Auto, Solution};
use yomikiri_view::report::Block;

/// What `solve` says of a game with some settings.
fn solved(id: &str, settings: &[(&str, &str)]) -> Value {
    let game = find(id).unwrap_or_else(|| panic!("{id} is registered"));
    let settings = Settings::new(game.params(), settings.iter().copied()).unwrap();
    game.solve(&settings, &Run::default()).unwrap().json
}

/// Settings by their names.
type Given = &'static [(&'static str, &'static str)];

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
        ("kalah", &[("pits", "2"), ("seeds", "2")], -2, "26", None),
        ("kalah", &[("pits", "2")], -2, "160", None),
        ("kalah", &[("seeds", "1")], 0, "81", None),
        ("kalah", &[("seeds", "2")], 4, "4,001", None),
        ("kalah", &[], 2, "29,274", None),
        ("kalah", &[("capture", "empty")], 2, "25,391", None),
        ("kalah", &[("pits", "4"), ("seeds", "1")], 2, "2,646", None),
        ("dodgem", &[("size", "2")], 1, "15", None),
        ("dodgem", &[], 1, "1,963", Some(1)),
        ("dobutsu", &[("rows", "3"), ("friends", "G")], 0, "18,150", None),
        ("dobutsu", &[("rows", "3"), ("friends", "E")], -1, "18,082", None),
        ("dobutsu", &[], 1, "217,226", Some(2)),
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

/// Settings of a game, as they are typed.
fn settings(id: &str, given: &[(&str, &str)]) -> Settings {
    Settings::new(find(id).unwrap().params(), given.iter().copied()).unwrap()
}

#[test]
fn golden_distances_are_those_of_other_programs() {
    let cases: [(&str, Given, u64); 3] =
        [("morris", &[], 9), ("dodgem", &[("size", "2")], 3), ("dodgem", &[], 19)];
    for (id, given, plies) in cases {
        assert_eq!(solved(id, given)["plies"].as_u64(), Some(plies), "{id} {given:?}");
    }
}

#[test]
fn golden_fractions_are_those_of_other_programs() {
    let cases: &[(&str, Given, &str)] = &[
        ("memory-solitaire", &[("ranks", "1")], "-1"),
        ("memory-solitaire", &[("ranks", "2")], "-8/3"),
        ("memory-solitaire", &[("ranks", "3")], "-13/3"),
        ("memory-solitaire", &[("ranks", "4")], "-622/105"),
        ("memory-solitaire", &[("ranks", "7")], "-44141/4095"),
        ("memory-solitaire", &[("ranks", "11")], "-27863617/1616615"),
        ("pig", &[("target", "2")], "6/7"),
        ("pig", &[("target", "5")], "216/271"),
        ("pig", &[], "7776/10961"),
        ("pig", &[("target", "20")], "15116544/24557443"),
        ("einstein", &[], "170/243"),
        ("einstein", &[("stones", "1")], "1"),
    ];
    for (id, given, fraction) in cases {
        assert_eq!(solved(id, given)["fraction"].as_str(), Some(*fraction), "{id} {given:?}");
    }
}

/// What is left to be won depends on the edges alone: the table of edge sets says the same as the plain rules, in which
/// the score is part of a position.
#[test]
fn law_dots_and_boxes_by_edge_sets_are_dots_and_boxes() {
    let cases = [(1, 1, -1, 16), (1, 2, 0, 128), (1, 3, -1, 1024), (1, 4, 0, 8192), (2, 2, 2, 4096)];
    for (rows, cols, value, sets) in cases {
        let game = Dots::new(rows, cols);
        let run = Run::default();
        let (fast, slow) = (EdgeSets::solve(&game, &run).unwrap(), Auto::solve(&game, &run).unwrap());
        assert_eq!(fast.value(&game, &game.start()), Some(Rational::from_int(value)), "{rows}x{cols}");
        assert_eq!(fast.positions(), Some(sets));
        everywhere(&game, |s| assert_eq!(fast.value(&game, s), slow.value(&game, s), "{s:?}"));
    }
}

/// Looks at states of random games.
fn everywhere<G: Game>(game: &G, mut look: impl FnMut(&G::State)) {
    for playout in 0..100 {
        let (mut random, mut s) = (Random::stream(1, playout), game.start());
        loop {
            look(&s);
            let Turn::Player(_) = game.turn(&s) else { break };
            let mut actions = Vec::new();
            game.actions(&s, &mut actions);
            s = game.apply(&s, actions[random.below(actions.len() as u64) as usize]);
        }
    }
}

/// A search says of every position of random games what induction over all positions says.
fn searched<G: Contest>(game: &G) {
    let run = Run::default();
    let (mut search, slow) = (NullWindow::new(u64::MAX, &run), Auto::solve(game, &run).unwrap());
    everywhere(game, |s| {
        let value = search.value(game, s, &run).unwrap();
        assert_eq!(Some(Rational::from_int(value)), slow.value_of(game, s, 0), "{s:?}");
    });
}

#[test]
fn law_large_boards_are_searched_as_small_ones_are_solved() {
    for (cols, rows, line) in [(3, 3, 3), (4, 3, 3), (3, 5, 4), (5, 3, 4), (4, 4, 4), (1, 3, 1)] {
        searched(&ConnectFour::new(cols, rows, line));
    }
    for (rows, cols) in [("2", "2"), ("2", "6"), ("6", "2"), ("4", "4")] {
        let given = [("rows", rows), ("cols", cols)];
        searched(&Reversi.game(&settings("othello", &given), 1).unwrap());
    }
    for (rows, cols) in [(1, 1), (2, 3), (3, 3), (3, 2)] {
        searched(&Hex::new(rows, cols));
    }
    for (rows, cols) in [("1", "1"), ("1", "4"), ("3", "5"), ("4", "4"), ("5", "3")] {
        searched(&Dominoes.game(&settings("domineering", &[("rows", rows), ("cols", cols)]), 1).unwrap());
    }
    // The same through the face of a game, asked for by name.
    for (id, given) in [("othello", &[][..]), ("connectfour", &[("cols", "3")])] {
        let (game, given) = (find(id).unwrap(), settings(id, given));
        let said = |method| game.solve(&given, &Run { method, ..Run::default() }).unwrap().json;
        let (kept, searched) = (said(None), said(Some("search")));
        assert_eq!((&searched["value"], &searched["method"]), (&kept["value"], &"search".into()));
        assert_eq!(searched["moves"], kept["moves"], "{id}");
        let refused = game.solve(&given, &Run { method: Some("luck"), ..Run::default() });
        let Err(Error::Refused(refusal)) = refused else { panic!("{id} is not solved by luck") };
        assert!(refusal.accepts.en.ends_with(", search"), "{}", refusal.accepts.en);
    }
    // What is searched is not proved, and says so before anything is done.
    let large = settings("othello", &[("rows", "8"), ("cols", "8")]);
    for method in [None, Some("search")] {
        let proof = find("othello").unwrap().proof(&large, &Run { method, ..Run::default() });
        assert!(matches!(proof, Err(Error::Refused(refusal)) if refusal.field == "method"), "{method:?}");
    }
}

/// A board on which only a search answers: lying and standing it is worth the same. The value was computed here; plain
/// alpha-beta on a list of letters, in another language, gave it, too.
#[test]
fn regression_othello_on_24_squares_is_won_by_16_discs() {
    for given in [[("rows", "4"), ("cols", "6")], [("rows", "6"), ("cols", "4")]] {
        let said = solved("othello", &given);
        assert_eq!((said["value"].as_f64(), said["kind"].as_str()), (Some(16.0), Some("exact")), "{said}");
        let moves = said["moves"].as_object().unwrap().values().filter_map(Value::as_f64);
        assert_eq!(moves.filter(|v| *v == 16.0).count(), 2, "{said}");
    }
}

/// Discs turn over as they do on a board of letters: from the new disc on, over the other's, up to one of one's own.
#[test]
fn law_othello_turns_what_it_encloses() {
    for size in ["4", "6"] {
        let game = Reversi.game(&settings("othello", &[("rows", size)]), 0).unwrap();
        everywhere(&game, |s| {
            let written = game.print(s).unwrap();
            let (board, mover) = written.split_once('_').unwrap();
            let (me, other) = if mover == "1" { ('X', 'O') } else { ('O', 'X') };
            let mut rows: Vec<Vec<char>> = board.split('/').map(|row| row.chars().collect()).collect();
            rows.reverse();
            let at = |row: i32, col: i32| {
                rows.get(usize::try_from(row).ok()?)?.get(usize::try_from(col).ok()?).copied()
            };
            let mut expected = Vec::new();
            for row in 0..rows.len() as i32 {
                for col in 0..rows[0].len() as i32 {
                    let mut after = rows.clone();
                    for (up, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]
                    {
                        let far = (1..)
                            .take_while(|n| at(row + n * up, col + n * right) == Some(other))
                            .count() as i32;
                        if at(row, col) == Some('.')
                            && far > 0
                            && at(row + (far + 1) * up, col + (far + 1) * right) == Some(me)
                        {
                            for n in 0..=far {
                                after[(row + n * up) as usize][(col + n * right) as usize] = me;
                            }
                        }
                    }
                    if after != rows {
                        let lines: Vec<String> = after.iter().rev().map(|row| row.iter().collect()).collect();
                        expected.push(format!("{}_{}", lines.join("/"), if me == 'X' { 2 } else { 1 }));
                    }
                }
            }
            let mut actions = Vec::new();
            if let Turn::Player(_) = game.turn(s) {
                game.actions(s, &mut actions);
            }
            let found: Vec<String> =
                actions.iter().map(|a| game.print(&game.apply(s, *a)).unwrap()).collect();
            let passed = format!("{board}_{}", if me == 'X' { 2 } else { 1 });
            assert!(
                found == expected || expected.is_empty() && (found.is_empty() || found == [passed]),
                "{written}"
            );
        });
    }
}

/// Counters go round as on one ring of pits and stores, without the other's store.
#[test]
fn law_kalah_sows_round_the_board() {
    for capture in ["opposite", "empty"] {
        for (pits, seeds) in [("3", "3"), ("4", "5"), ("6", "4")] {
            let given = settings("kalah", &[("pits", pits), ("seeds", seeds), ("capture", capture)]);
            let game = Sowing.game(&given, 0).unwrap();
            let m: usize = pits.parse().unwrap();
            everywhere(&game, |s| {
                let written = game.print(s).unwrap();
                let ring: Vec<i32> =
                    written[..written.len() - 2].split(['/', ',']).map(|n| n.parse().unwrap()).collect();
                let pits = [0, m + 1].map(|from| ring[from..from + m].iter().sum::<i32>());
                let Turn::Player(me) = game.turn(s) else {
                    // One side is bare, and each side keeps what lies there.
                    let ahead = pits[0] + ring[m] - pits[1] - ring[2 * m + 1];
                    assert!(pits.contains(&0) && game.utility(s, 0) == ahead, "{written}");
                    return;
                };
                assert!(!pits.contains(&0), "{written}");
                let (first, store, others) = if me == 0 { (0, m, 2 * m + 1) } else { (m + 1, 2 * m + 1, m) };
                let mut actions = Vec::new();
                game.actions(s, &mut actions);
                for pit in actions {
                    let mut now = ring.clone();
                    let mut at = first + usize::from(pit);
                    let hand = std::mem::take(&mut now[at]);
                    for _ in 0..hand {
                        at = (at + 1) % now.len();
                        if at == others {
                            at = (at + 1) % now.len();
                        }
                        now[at] += 1;
                    }
                    let mine = (first..first + m).contains(&at);
                    if mine && now[at] == 1 && (now[2 * m - at] > 0 || capture == "empty") {
                        now[store] += 1 + now[2 * m - at];
                        (now[at], now[2 * m - at]) = (0, 0);
                    }
                    let next = if at == store { me } else { 1 - me };
                    let side = |from: usize| {
                        now[from..=from + m].iter().map(i32::to_string).collect::<Vec<_>>().join(",")
                    };
                    let expected = format!("{}/{}_{}", side(0), side(m + 1), next + 1);
                    assert_eq!(game.print(&game.apply(s, pit)), Some(expected), "{written} pit {pit}");
                }
            });
        }
    }
}

/// All positions of king and rook against king on a board of 16 squares, by the moves White needs to mate.
#[test]
fn golden_the_rook_ending_takes_the_moves_it_is_known_to_take() {
    let (game, run) = (RookEnding::new(4), Run::default());
    let mut solutions: Vec<Auto<RookEnding>> = Vec::new();
    let mut counts = [[0u32; 9]; 2];
    let squares = || 0..16u8;
    let all = squares()
        .flat_map(|king| squares().flat_map(move |rook| squares().map(move |other| (king, rook, other))));
    for (king, rook, other) in all {
        for mover in 0..2u8 {
            let Some(s) = game.position(king, rook, other, mover) else { continue };
            if !solutions.iter().any(|solved| solved.covers(&s)) {
                solutions.push(Auto::solve_from(&game, &s, &run).unwrap());
            }
            let solved = solutions.iter().find(|solved| solved.covers(&s)).unwrap();
            let won = solved.value_of(&game, &s, 0) == Some(Rational::from_int(1));
            let moves = if won { solved.distance(&game, &s).unwrap().div_ceil(2) as usize } else { 8 };
            counts[usize::from(mover)][moves] += 1;
        }
    }
    // By moves from 0 to 7, then draws.
    assert_eq!(counts[1], [40, 80, 236, 208, 248, 520, 192, 48, 612]);
    assert_eq!(counts[0].iter().sum::<u32>(), 1312);
    assert_eq!((counts[0][8], counts[0][7] > 0), (0, true));
}

#[test]
fn regression_a_finished_game_is_worth_something_to_the_first_player_and_not_in_so_many_moves() {
    let game = find("tictactoe").unwrap();
    for (position, worth) in [("OXX/OX./O..", "loss"), ("XOO/X../X..", "win")] {
        let shown = game.show(&settings("tictactoe", &[]), Some(position), &Run::default()).unwrap();
        let facts = shown.blocks.iter().find_map(|block| match block {
            Block::Facts(facts) => facts.iter().find(|fact| fact.0.en == "The first player"),
            _ => None,
        });
        assert_eq!(facts.map(|fact| fact.1.text.en.to_string()), Some(format!("{worth}  [exact]")));
    }
}
