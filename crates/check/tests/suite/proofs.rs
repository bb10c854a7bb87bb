//! Certificates that are right, made by hand or by the slow maker, and what they prove.

use crate::maker::{Maker, Region, UNIT, turned};
use num_bigint::BigInt;
use num_rational::BigRational;
use std::io::Cursor;
use yomikiri_check::{Error, First, Limits, Proved, Reason, Rejection, Side, Unwatched, check};

fn checked(text: impl Into<Vec<u8>>) -> Result<Proved, Error> {
    check(Cursor::new(text.into()), &Limits { threads: 2, ..Limits::default() }, &Unwatched)
}

fn accepted(text: &str) -> Proved {
    checked(text).unwrap_or_else(|e| panic!("{e}\n{}", &text[..text.len().min(2000)]))
}

fn rejected(text: &str) -> Rejection {
    match checked(text) {
        Err(Error::Rejected(rejection)) => rejection,
        other => panic!("{other:?}"),
    }
}

fn ratio(above: i64, below: i64) -> BigRational {
    BigRational::new(BigInt::from(above), BigInt::from(below))
}

#[test]
fn law_nothing_is_worth_more_than_one_or_less_than_minus_one() {
    // P2 to move at the start: the trivial vector. It is a proof that the value is at most 1.
    let proved =
        accepted("{\"qden\":2,\"bden\":1,\"entries\":1}\n[1,[9,13,14],[1,2],1,[1,1,1],[[-1,-1,1,1,-1,1]]]\n");
    let expected =
        Proved { side: Side::Upper, first: First::Two, bound: ratio(1, 1), entries: 1, uses: 1, start: true };
    assert_eq!(proved, expected);
    assert!(proved.implies(&ratio(1, 1)) && proved.implies(&ratio(2, 1)) && !proved.implies(&ratio(1, 2)));
    let proved = accepted(
        "{\"aden\":1,\"entries\":1}\n[0,[9,13,14],[1,2],[2,1,2],[-1,-1],[[-1,-1,2,5,-1,0],[-1,-1,1,5,-1,1],[-1,-1,2,5,-1,2]]]",
    );
    assert_eq!((proved.side, proved.first, proved.bound.clone()), (Side::Lower, First::Three, ratio(-1, 1)));
    assert!(proved.implies(&ratio(-1, 1)) && !proved.implies(&ratio(0, 1)));
}

#[test]
fn law_a_blue_piece_on_an_exit_wins_at_once() {
    // P2 on a1 and b4; the one on b4 is red for certain.
    let proved =
        accepted("{\"qden\":1,\"bden\":1,\"entries\":1}\n[1,[9,13],[1,12],1,[-1,-1],[[12,-2,1,1,-1,1]]]");
    assert_eq!((proved.bound, proved.start), (ratio(-1, 1), false));
    // Were a1 red, it could not.
    let wrong = "{\"qden\":1,\"bden\":1,\"entries\":1}\n[1,[9,13],[1,12],0,[-1,-1],[[12,-2,1,1,-1,0]]]";
    assert_eq!(rejected(wrong).reason, Reason::PosteriorRed { item: 1, piece: 1 });
    // Nobody knows: half and half, and it leaves only when it is blue.
    let mixed = "{\"qden\":2,\"bden\":1,\"entries\":1}\n[1,[9,13],[1,12],1,[0,0],[[12,-2,1,2,-1,2],[-1,-1,1,2,-1,0]]]";
    assert_eq!(accepted(mixed).bound, ratio(0, 1));
    // P1 on a4, blue for certain.
    let proved = accepted("{\"aden\":1,\"entries\":1}\n[0,[0,13,14],[1,2],[0,1,0],[1,1],[[0,-2,1,1,-1,1]]]");
    assert_eq!(proved.bound, ratio(1, 1));
}

#[test]
fn law_the_makers_certificates_are_accepted() {
    let mut useful = 0;
    for (turn, a, b) in [
        (0, vec![9, 13, 14], vec![1, 2]),
        (1, vec![9, 13, 14], vec![1, 2]),
        (1, vec![4, 9, 13], vec![8, 10]),
        (0, vec![4, 9, 13], vec![8, 10]),
        (1, vec![5, 6], vec![8, 11]),
        (0, vec![4, 7], vec![9, 10]),
        (1, vec![2, 5, 10], vec![6, 9]),
        (0, vec![1, 4], vec![11, 14]),
    ] {
        for depth in 0..4 {
            for q in 0..3 {
                let file = Maker::file(true, turn, &a, &b, &[q, 2 - q], depth);
                let proved = accepted(&file.text());
                let bound = *file.entries[0].vector.iter().max().unwrap();
                assert_eq!((proved.side, proved.bound), (Side::Upper, ratio(bound, UNIT)));
                useful += usize::from(bound < UNIT);
            }
            for law in [[1, 1, 1], [0, 1, 0], [2, 0, 1], [3, 2, 1]] {
                let law = &law[..a.len()];
                let file = Maker::file(false, turn, &a, &b, law, depth);
                let proved = accepted(&file.text());
                let bound = *file.entries[0].vector.iter().min().unwrap();
                assert_eq!((proved.side, proved.bound), (Side::Lower, ratio(bound, UNIT)));
                useful += usize::from(bound > -UNIT);
            }
        }
    }
    assert!(useful > 20, "only {useful} prove more than nothing");
}

#[test]
fn law_endless_play_proves_zero_but_not_less() {
    // Held to 0 for ever: circles are fine.
    let draws = Region::new(0);
    let file = draws.file(false);
    assert!(file.entries.len() > 1000);
    accepted(&file.text());
    accepted(&turned(&file).text());
    // The same steps with −1 for 0: each is right for itself, and together they prove nonsense.
    let losses = Region::new(-UNIT);
    let endless = losses.file(false);
    for file in [endless.clone(), turned(&endless)] {
        assert!(matches!(rejected(&file.text()).reason, Reason::Cycle { length } if length > 1));
    }
    // What P2 gets in finitely many plies is proved.
    let finite = losses.file(true);
    assert!(finite.entries.len() > 1000 && finite.entries.len() < endless.entries.len());
    accepted(&finite.text());
    accepted(&turned(&finite).text());
}

#[test]
fn law_the_result_does_not_depend_on_threads() {
    let file = Region::new(-UNIT).file(true);
    let mut lines: Vec<String> = file.text().lines().map(str::to_owned).collect();
    let of = |text: &str, threads| {
        let limits = Limits { threads, ..Limits::default() };
        format!("{:?}", check(Cursor::new(text.to_owned().into_bytes()), &limits, &Unwatched))
    };
    let good = lines.join("\n");
    let expected = of(&good, 1);
    assert!(expected.starts_with("Ok"));
    // Wrong in several places: always the first is told.
    let (early, late) = (lines.len() / 3, lines.len() - 2);
    for line in [late, early] {
        lines[line] = lines[line].replace("72", "0");
    }
    let bad = lines.join("\n");
    let first = of(&bad, 1);
    assert!(first.contains("Rejected"), "{first}");
    for threads in [2, 3, 8] {
        assert_eq!(of(&good, threads), expected);
        assert_eq!(of(&bad, threads), first);
    }
}

#[test]
fn law_deep_graphs_do_not_overflow_the_stack() {
    // A chain as long as there is patience for: P1's x walks between two squares and P2 waits, all of it negative, with
    // every entry using the next. Such a chain is wrong as a proof, so only the search for circles looks at it.
    use yomikiri_check::parse::{Certificate, Header};
    let count = 500_000;
    let header = format!("{{\"qden\":1,\"bden\":1,\"entries\":{count}}}");
    let chain = |last: i64| {
        let mut certificate = Certificate::new(Header::read(header.as_bytes()).unwrap());
        for n in 0..count {
            let child = if n + 1 < count { n + 1 } else { last };
            let posterior = if child < 0 { ",0" } else { "" };
            let line = format!("[{},[4,5],[1,12],0,[1,-1],[[4,8,1,1,{child}{posterior}]]]", n % 2);
            certificate.add(line.as_bytes()).unwrap();
        }
        yomikiri_check::cycle::circle(&certificate, |_| false).unwrap().map(|c| (c.entry, c.length))
    };
    assert_eq!(chain(-1), None);
    assert_eq!(chain(10), Some((10, count as usize - 10)));
}

#[test]
fn law_a_child_that_is_its_own_mirror_image_is_read_either_way() {
    let header = "{\"qden\":2,\"bden\":1,\"entries\":2}\n";
    // P1 on a2 and d2, P2 on b3 and c3 after the move; P2's red is on b3 as it stands.
    let child = "[0,[8,11],[5,6],2,[1,1],[[8,4,1,1,-1,2],[8,12,1,1,-1,2],[8,9,1,1,-1,2],[11,7,1,1,-1,2],[11,15,1,1,-1,2],[11,10,1,1,-1,2]]]\n";
    for q in [2, 0] {
        // From b4 down to b3, with c3 there: either b4's piece is red and so is b3's, or it is the mirror image.
        let text = format!("{header}[1,[8,11],[1,6],{q},[1,1],[[1,5,1,1,1]]]\n{child}");
        assert_eq!(accepted(&text).bound, ratio(1, 1));
    }
    let text = format!("{header}[1,[8,11],[1,6],1,[1,1],[[1,5,1,1,1]]]\n{child}");
    let expected = Reason::Average { step: None, piece: 0, got: "1".into(), wanted: "1/2".into() };
    assert_eq!(rejected(&text).reason, expected);
}

#[test]
fn law_big_numbers_are_exact() {
    // Weights with forty digits that miss 1 by one part in 10^40, and that do not.
    let ten = "1".to_owned() + &"0".repeat(40);
    let (nines, less) = ("9".repeat(40), "9".repeat(39) + "8");
    let text = |num: &str| {
        format!(
            "{{\"qden\":2,\"bden\":1,\"entries\":1}}\n[1,[9,13,14],[1,2],1,[1,1,1],[[-1,-1,{num},{ten},-1,1],[-1,-1,1,{ten},-1,1]]]\n"
        )
    };
    accepted(&text(&nines));
    let expected = Reason::Weights { step: None, sum: format!("{nines}/{ten}") };
    assert_eq!(rejected(&text(&less)).reason, expected);
    // Denominators without common factors grow; there is a limit to what is computed.
    let mut uses = Vec::new();
    for n in 0..40u32 {
        uses.push(format!("[-1,-1,1,{},-1,1]", BigInt::from(10).pow(150) + 2 * n + 1));
    }
    let text = format!(
        "{{\"qden\":2,\"bden\":1,\"entries\":1}}\n[1,[9,13,14],[1,2],1,[1,1,1],[{}]]\n",
        uses.join(",")
    );
    assert!(matches!(rejected(&text).reason, Reason::Digits { .. }));
}

#[test]
fn law_both_kinds_of_numbers_come_to_the_same_end() {
    use yomikiri_check::parse::{Certificate, Header};
    use yomikiri_check::{lower, upper};
    for (is_upper, law) in [(true, vec![1, 1]), (false, vec![3, 2, 1])] {
        let file = Maker::file(is_upper, 1, &[4, 9, 13], &[8, 10], &law, 2);
        let text = file.text();
        // As it is, and with every weight of 1 a little different.
        for text in [text.clone(), text.replace("1,1,", "2,3,")] {
            let mut lines = text.lines();
            let mut certificate = Certificate::new(Header::read(lines.next().unwrap().as_bytes()).unwrap());
            lines.for_each(|line| certificate.add(line.as_bytes()).unwrap());
            for entry in &certificate.entries {
                let (fast, exact) = if is_upper {
                    (upper::entry::<i128>(&certificate, entry), upper::entry::<BigInt>(&certificate, entry))
                } else {
                    (lower::entry::<i128>(&certificate, entry), lower::entry::<BigInt>(&certificate, entry))
                };
                assert_eq!(fast, exact);
            }
        }
    }
}

#[test]
fn law_memory_is_bounded() {
    let text = Region::new(0).file(false).text();
    let limits = Limits { memory: 1 << 20, ..Limits::default() };
    let ended = check(Cursor::new(text.into_bytes()), &limits, &Unwatched);
    assert!(matches!(ended, Err(Error::Memory { limit }) if limit == 1 << 20));
}

#[test]
fn law_whoever_watches_may_stop_it() {
    struct Stop;
    impl yomikiri_check::Watch for Stop {
        fn begin(&self, _: yomikiri_check::Stage, _: u64) {}
        fn done(&self, _: u64) {}
        fn end(&self) {}
        fn stopped(&self) -> bool {
            true
        }
    }
    let text = Maker::file(true, 0, &[9, 13, 14], &[1, 2], &[1, 1], 1).text();
    assert!(matches!(check(Cursor::new(text.into_bytes()), &Limits::default(), &Stop), Err(Error::Stopped)));
}
