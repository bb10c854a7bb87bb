//! Games that were walked through elsewhere.

use std::sync::Arc;
use yomikiri_core::text;
use yomikiri_games::describe::Describe;
use yomikiri_games::given::{Arrays, CHANCE, Given, Names, OVER};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::Shape;

/// A coin is tossed and player 0 or 1 is asked for a square; the boards are drawn.
fn drawn(boards: [&str; 4], hidden: bool) -> Given<2, true> {
    let arrays = Arrays {
        turns: vec![CHANCE, 0, 1, OVER],
        ends: vec![2, 3, 4, 4],
        targets: vec![1, 2, 3, 3],
        actions: vec![0, 1, 0, 1],
        weights: vec![1, 3, 1, 1],
        details: vec![u32::MAX, 0, 1, 0],
    };
    let words = |all: &[&str]| all.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let states = words(&["start", "left", "right", "end"]);
    let index = states.iter().cloned().zip(0..).collect();
    let names = Names {
        states,
        drawn: words(&boards),
        actions: words(&["{a}", "b"]),
        infos: words(&["I", "you"]),
        index,
    };
    let measure = Measure::Points { name: text("", "") };
    Given { arrays: Arc::new(arrays), payoffs: [1, -1].into(), names: Arc::new(names), hidden, measure }
}

#[test]
fn law_lines_as_long_as_each_other_are_a_board_and_moves_are_on_what_they_change() {
    let game = drawn(["..\n..", "..\nx.", "..\n.o", ".x\n.."], false);
    let board = game.board(&1, &[], None);
    assert!(matches!(&board.zones[0].shape, Shape::Board(squares) if (squares.cols, squares.rows) == (2, 2)));
    assert_eq!((board.zones[0].items[0].at.as_str(), board.zones.len()), ("a1", 1));
    // From a1 to b2; the coin puts a piece on one square.
    let made = game.action(&1, (0, 0));
    assert_eq!((made.from.as_deref(), made.to.as_deref()), (Some("board/a1"), Some("board/b2")));
    assert_eq!(game.action(&0, (0, 0)).on, ["board/a1"]);
    // Braces would be cards.
    assert_eq!((made.id.as_str(), made.label.en.as_ref()), ("{a}", "|a|"));
    assert_eq!((game.parse("left").ok(), game.print(&2).as_deref()), (Some(1), Some("right")));
    assert!(game.parse("up").is_err());
}

#[test]
fn law_other_text_is_shown_line_by_line() {
    let game = drawn(["one\nthree", "1", "", "x"], false);
    let board = game.board(&0, &[], None);
    let labels: Vec<&str> = board.zones.iter().map(|zone| zone.label.en.as_ref()).collect();
    assert_eq!(labels, ["one", "three"]);
    assert!(game.action(&1, (0, 0)).on.is_empty());
}

#[test]
fn law_nobody_sees_more_than_what_is_known() {
    let game = drawn(["secret", "secret", "secret", "open"], true);
    let seen = |s: u32, viewer| game.board(&s, &[], viewer).zones[0].label.en.to_string();
    assert_eq!((seen(1, Some(0)), seen(1, Some(1)), seen(1, None)), ("I".into(), "?".into(), "I".into()));
    assert_eq!((seen(0, Some(0)), seen(3, Some(1))), ("?".into(), "open".into()));
    assert_eq!((game.written(&2, Some(1)), game.written(&2, Some(0))), ("you".into(), "?".into()));
    assert!(game.conceals(&1, (0, 0), Some(1)));
}
