//! Boards and sets of squares.

use yomikiri_games::geister::board::{Board, SIDES, squares};
use yomikiri_games::geister::strategy::subsets;

#[test]
fn law_neighbours_are_one_step_away() {
    for width in SIDES.0..=SIDES.1 {
        for height in SIDES.0..=SIDES.1 {
            let board = Board::new(width, height).unwrap();
            let place = |s: u32| ((s % u32::from(width)) as i32, (s / u32::from(width)) as i32);
            for a in squares(board.all) {
                for b in squares(board.all) {
                    let ((ax, ay), (bx, by)) = (place(a), place(b));
                    let near = (ax - bx).abs() + (ay - by).abs() == 1;
                    assert_eq!(board.near(a) >> b & 1 == 1, near, "{width}x{height} {a} {b}");
                }
                assert_eq!(board.square(&board.name(a)), Some(a));
                let mirrored = board.mirror(1 << a).trailing_zeros();
                let ((ax, ay), (bx, by)) = (place(a), place(mirrored));
                assert_eq!((ax + bx, ay), (i32::from(width) - 1, by));
            }
        }
    }
}

#[test]
fn law_exits_are_the_far_corners() {
    let board = Board::new(4, 4).unwrap();
    let names = |set| squares(set).map(|s| board.name(s)).collect::<Vec<_>>();
    assert_eq!(names(board.exits[0]), ["a4", "d4"]);
    assert_eq!(names(board.exits[1]), ["a1", "d1"]);
    for bad in ["e1", "a5", "a0", "a", "", "a11", "é1", "1a"] {
        assert_eq!(board.square(bad), None, "{bad}");
    }
    assert!(Board::new(2, 4).is_err_and(|r| r.field == "width"));
    assert!(Board::new(4, 7).is_err_and(|r| r.field == "height"));
}

#[test]
fn law_subsets_are_all_subsets() {
    assert_eq!(subsets(0b1010).collect::<Vec<_>>(), [0, 0b10, 0b1000, 0b1010]);
    assert_eq!(subsets(0).collect::<Vec<_>>(), [0]);
}
