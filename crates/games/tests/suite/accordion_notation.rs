//! Rows of cards as they are written.

use yomikiri_games::accordion::notation::{cards, distances, line, row, written};
use yomikiri_games::accordion::rules::Rules;

#[test]
fn law_tens_are_written_three_ways() {
    let row = cards("S10 h0,DT_c9").unwrap();
    assert_eq!(line(&row), "S0 H0 D0 C9");
}

#[test]
fn law_other_rows_are_refused_by_name() {
    let all = line(&yomikiri_core::cards::deck());
    for (bad, says) in [
        ("", "no cards"),
        ("  ", "no cards"),
        ("S7 X4", "\"X4\""),
        ("S7 S11", "\"S11\""),
        ("S0 ST", "S0 twice"),
        (&format!("{all} SA"), "more than 52 cards"),
    ] {
        let refusal = cards(bad).unwrap_err();
        assert_eq!(refusal.field, "row");
        assert!(refusal.to_string().contains(says), "{refusal}");
    }
    assert_eq!(cards(&all).map(|c| c.len()), Ok(52));
}

#[test]
fn law_distances_are_a_short_list() {
    assert_eq!(distances("3, 1"), Ok(vec![3, 1]));
    for bad in ["", "0", "1,1", "52", "1;3", "1,2,3,4,5,6,7,8,9", "-1", "300"] {
        assert_eq!(distances(bad).unwrap_err().field, "distances", "{bad}");
    }
}

#[test]
fn law_a_spent_grace_is_written() {
    let rules = Rules::new(&[1, 3], 1, true).unwrap();
    for text in ["S7 S4", "S7 S4 -"] {
        assert_eq!(written(&rules, &row(&rules, text).unwrap()), text);
    }
    assert!(row(&Rules::default(), "S7 -").is_err());
}
