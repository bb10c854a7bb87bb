//! Positions as they are written.

use yomikiri_core::Game;
use yomikiri_games::memory::rules::{Memory, Objective};

fn game() -> Memory {
    Memory::new(13, 4, Objective::Win).unwrap()
}

#[test]
fn law_examples_read_as_documented() {
    let s = game().parse("9x40, 2x31 22,11,d1,pass").unwrap();
    assert_eq!((s.counts[0], s.counts[1], s.counts[2], s.counts[6]), (9, 2, 1, 1));
    assert_eq!((s.diff, s.passed), (1, true));
    assert_eq!(game().print(&s).unwrap(), "9x40,2x31,22,11,d1,pass");
    assert_eq!(game().print(&game().start()).unwrap(), "13x40");
    assert_eq!(game().print(&game().parse("d4").unwrap()).unwrap(), "d4");
}

#[test]
fn law_wrong_text_is_refused_by_name() {
    for (bad, field) in [
        ("", "position"),
        (",,", "position"),
        ("14x40", "position"),
        ("99999999999999999999x40", "position"),
        ("-1x40", "position"),
        ("1x50", "position"),
        ("1x4", "position"),
        ("40x", "position"),
        ("d", "position"),
        ("12x40,20,dx", "position"),
        ("13x40,d1", "diff"),
        ("12x40,20,d2", "diff"),
        ("12x40,20,d99999", "position"),
        ("13x40,pass", "prev_pass"),
        ("12x40,31,pass", "prev_pass"),
        ("ペア", "position"),
    ] {
        let refusal = game().parse(bad).expect_err(bad);
        assert_eq!(refusal.field, field, "{bad}: {refusal}");
    }
}
