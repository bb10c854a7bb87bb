//! Points of cards: read, scaled to whole numbers, and compared with a target.

use yomikiri_core::Rational;
use yomikiri_games::sixtysix::points::{Points, read};

fn ratio(p: i64, q: i64) -> Rational {
    Rational::new(p.into(), q.into())
}

#[test]
fn law_numbers_are_read_exactly() {
    for (given, p, q) in [
        ("3", 3, 1),
        ("-0.25", -1, 4),
        ("+.5", 1, 2),
        ("1e2", 100, 1),
        ("2.5e-1", 1, 4),
        ("-2/3", -2, 3),
        ("0.1/0.3", 1, 3),
    ] {
        assert_eq!(read(given), Some(ratio(p, q)), "{given}");
    }
    for bad in [
        "",
        "-",
        ".",
        "x",
        "1/0",
        "1//2",
        "1e99",
        "1e-99",
        "1e99999999999",
        "NaN",
        "inf",
        "--1",
        "１",
        &"9".repeat(41),
    ] {
        assert_eq!(read(bad), None, "{bad}");
    }
}

#[test]
fn law_units_give_the_points_back() {
    let points = [ratio(1, 2), ratio(-2, 3), ratio(0, 1), ratio(5, 1)];
    let scaled = Points::new(&points).unwrap();
    assert_eq!(scaled.whole, [3, -4, 0, 30]);
    for (p, &n) in points.iter().zip(&scaled.whole) {
        assert_eq!(scaled.real(n), *p);
    }
    assert_eq!(Points::new(&[ratio(100, 1), ratio(50, 1)]).unwrap().whole, [2, 1]);
    assert_eq!(Points::new(&[ratio(0, 1), ratio(0, 1)]).unwrap().whole, [0; 2]);
    assert!(Points::new(&[ratio(1, 1), ratio(1 << 31, 1)]).is_err());
    let primes = [1_000_003, 1_000_033, 1_000_037];
    assert!(Points::new(&primes.map(|p| ratio(1, p))).is_err());
}

#[test]
fn law_limits_say_who_passes() {
    // Targets between and on units, for both rules, against the definition.
    let scaled = Points::new(&[ratio(1, 2), ratio(3, 2)]).unwrap();
    for t in -12..12 {
        let target = ratio(t, 4);
        for held in -3..3 {
            let held = ratio(held, 3);
            for won in -5..10 {
                let points = &held + scaled.real(won);
                assert_eq!(points > target, won > scaled.limit(&target, &held, false));
                assert_eq!(points >= target, won > scaled.limit(&target, &held, true));
            }
        }
    }
}
