//! The parts of the last-round kernel of Saichugen, each against its definition.

use yomikiri_games::saichugen::deal::{KIND_PAIRS, OWN, OWN_PAIRS, UNKNOWN, kind_pair, pair};
use yomikiri_games::saichugen::kernel::fraction;
use yomikiri_games::saichugen::lanes::{bests, others};
use yomikiri_games::saichugen::payoffs::{Payoffs, rounds};
use yomikiri_games::saichugen::rules::{kept, payoffs, sum};

#[test]
fn law_the_table_is_the_rules() {
    for scores in [[0, 0, 0], [5, 5, 9], [13, 2, 7], [20, 26, 3]] {
        let table = Payoffs::new(scores);
        for round in rounds() {
            assert_eq!(table.get(round), payoffs(sum(scores, kept(round)))[0], "{scores:?} {round:?}");
        }
    }
    assert_eq!(rounds().count(), 11_480);
}

#[test]
fn law_pairs_are_numbered_without_gaps() {
    let pairs: Vec<usize> = (0..OWN).flat_map(|a| (a + 1..OWN).map(move |b| pair(a, b))).collect();
    assert_eq!(pairs, (0..OWN_PAIRS).collect::<Vec<_>>());
    let kinds: Vec<usize> = (0..UNKNOWN).flat_map(|b| (0..=b).map(move |a| kind_pair(a, b))).collect();
    assert_eq!(kinds, (0..KIND_PAIRS).collect::<Vec<_>>());
    let e = [[3, 1], [-7, 1], [12, -2], [5, 4], [9, 0]];
    for a in 0..OWN {
        for b in a + 1..OWN {
            for lane in 0..2 {
                let rest = (0..OWN).filter(|&i| i != a && i != b).map(|i| e[i][lane]).max();
                assert_eq!(Some(bests(&e)[pair(a, b)][lane]), rest);
            }
        }
        let rest = (0..OWN).filter(|&i| i != a).map(|i| e[i][0]).max();
        assert_eq!(Some(others(&e)[a][0]), rest);
    }
}

#[test]
fn law_fractions_are_in_lowest_terms() {
    for (n, d, shown) in
        [(-332_640, 332_640, "-1"), (21, 42, "1/2"), (-6, 42, "-1/7"), (0, 3024, "0"), (84, 42, "2")]
    {
        assert_eq!(fraction(n, d), shown);
    }
}
