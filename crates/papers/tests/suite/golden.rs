//! Published figures beside computed ones.

use yomikiri_papers::golden::{Comparison, Computed, Golden, Tally, compare};

const DATA: &str = r#"
    paper = "p"
    place = "Table 1"
    section = "1"
    title = "counts"
    title_ja = "数"
    [[cell]]
    cell = "right"
    published = 12.5
    precision = 0.1
    status = "match"
    [[cell]]
    cell = "wrong"
    published = -1100.0
    precision = 1.0
    status = "erratum"
    note = "misprinted"
    counterexample = "A B"
    corrected = "1,000"
    [[cell]]
    cell = "unknown"
    published = 3.0
    precision = 1.0
    status = "open"
"#;

fn verdicts(data: &'static str) -> (Vec<String>, Comparison) {
    let computed = [
        Computed::exact("right", 12.53, "12.53"),
        Computed::exact("wrong", -1000.0, "−1,000"),
        Computed::exact("unknown", 4.0, "4"),
    ];
    let found = compare(&Golden { id: "t", data }, &computed);
    (found.table.rows.iter().map(|row| row[5].text.en.to_string()).collect(), found)
}

#[test]
fn law_a_changed_golden_value_changes_the_verdict() {
    let (said, found) = verdicts(DATA);
    assert_eq!(said, ["match", "erratum", "open"]);
    assert_eq!(found.tally, Tally { matches: 1, errata: 1, open: 1, differing: 0 });
    let changed: &'static str = DATA.replace("12.5", "12.6").leak();
    assert_eq!(verdicts(changed).0, ["DIFFERS", "erratum", "open"]);
    assert_eq!(verdicts(changed).1.tally.differing, 1);
    let mended: &'static str = DATA.replace("-1100", "-1000").leak();
    assert_eq!(verdicts(mended).0, ["match", "erratum, yet equal", "open"]);
    assert_eq!(verdicts(mended).1.tally.differing, 1);
}

#[test]
fn law_an_erratum_says_what_shows_it_and_what_is_right() {
    let (_, found) = verdicts(DATA);
    let [erratum] = &found.errata[..] else { panic!("{:?}", found.errata) };
    assert_eq!((erratum.counterexample.en.as_ref(), erratum.corrected.en.as_ref()), ("A B", "1,000"));
    assert!(erratum.statement.en.contains("wrong") && erratum.statement.en.contains("−1,100"));
}

#[test]
fn law_differences_have_the_digits_that_can_tell() {
    for (computed, published, precision, said) in [
        (12.53, "12.5", "0.1", "+0.03"),
        (7.0, "12_007.0", "1.0", "−12,000"),
        (4.999, "5.0", "1.0", "0.0"),
        (5.0, "5.0", "0.01", "0.000"),
    ] {
        let data = DATA.replace("12.5", published).replace("0.1", precision);
        let found =
            compare(&Golden { id: "t", data: data.leak() }, &[Computed::exact("right", computed, "")]);
        assert_eq!(found.table.rows[0][3].text.en, said);
    }
}
