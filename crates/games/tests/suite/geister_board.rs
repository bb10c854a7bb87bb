//! Boards and sets of squares.

use yomikiri_core::random::Random;
use yomikiri_games::geister::analysis::Kind;
use yomikiri_games::geister::board::{Board, SIDES, squares, together};
use yomikiri_games::geister::space::{Material, Space, Walk};
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

#[test]
fn law_squares_of_four_sets_are_counted_together() {
    let mut random = Random::new(8);
    for round in 0..2000 {
        let full = if round == 0 { u64::MAX >> 28 } else { random.bits() >> 28 };
        let sets = [full, random.bits() >> 28, full, if round == 0 { full } else { random.bits() >> 40 }];
        assert_eq!(together(sets), sets.iter().map(|set| set.count_ones()).sum::<u32>());
    }
}

#[test]
fn law_a_walk_meets_what_is_at_every_place_in_whatever_order() {
    let several = Kind::Open.materials();
    let spaces = [
        Space::new(&Board::new(4, 4).unwrap(), &several, false),
        Space::new(&Board::new(5, 3).unwrap(), &[Material([[0, 0, 3], [0, 0, 2]])], false),
        Space::new(&Board::new(3, 4).unwrap(), &[Material([[0, 0, 2], [0, 0, 2]])], true),
    ];
    let mut random = Random::new(2);
    for space in &spaces {
        let mut walk = Walk::new(space);
        // Past the end too.
        let end = space.places() + 3;
        let ascending: Vec<u64> = (0..end).step_by(1 + end as usize / 50_000).collect();
        let jumping: Vec<u64> = (0..20_000).map(|_| random.below(end)).collect();
        let near = jumping.iter().flat_map(|&place| [place, place + 1, place + 3, place.saturating_sub(2)]);
        let descending = ascending.iter().rev();
        for place in ascending.iter().chain(descending).copied().chain(near) {
            assert_eq!(walk.at(place), space.at(place), "{place}");
        }
    }
}
