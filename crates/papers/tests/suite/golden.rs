//! Published figures beside computed ones.

use yomikiri_papers::golden::{Beside, Comparison, Computed, Golden, Status, Tally, accepted, compare};
use yomikiri_papers::stats::same_probability;
use yomikiri_view::report::{Certainty, Verdict, grouped};

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
    assert_eq!(found.tally, Tally { matches: 1, errata: 1, open: 1, ..Tally::default() });
    let changed: &'static str = DATA.replace("12.5", "12.6").leak();
    assert_eq!(verdicts(changed).0, ["DIFFERS", "erratum", "open"]);
    assert_eq!(verdicts(changed).1.tally.differing, 1);
    let mended: &'static str = DATA.replace("-1100", "-1000").leak();
    assert_eq!(verdicts(mended).0, ["match", "erratum, yet equal", "open"]);
    assert_eq!(verdicts(mended).1.tally.differing, 1);
}

#[test]
fn law_a_sampled_figure_is_never_called_a_match() {
    let said = |error: f64, value: f64| {
        let ours = Computed { certainty: Certainty::Sampled, error, ..Computed::exact("right", value, "x") };
        let found = compare(&Golden { id: "t", data: DATA }, &[ours]);
        (found.table.rows[0][5].text.en.to_string(), found.tally)
    };
    let of = |consistent, untested, differing| Tally { consistent, untested, differing, ..Tally::default() };
    assert_eq!(said(0.02, 12.55), ("consistent".into(), of(1, 0, 0)));
    assert_eq!(said(0.02, 12.7), ("DIFFERS".into(), of(0, 0, 1)));
    // Without an error nobody knows what it could have shown.
    assert_eq!(said(0.0, 12.5), ("not tested".into(), of(0, 1, 0)));
    assert_eq!(of(3, 4, 0).compared(), 3);
}

#[test]
fn law_figures_of_programs_are_not_called_published() {
    let of = |programs| Tally { matches: 2, open: 1, programs, ..Tally::default() }.figures();
    assert_eq!(of(0).en, "3 published figures");
    assert_eq!(of(1).en, "2 published figures and 1 of other programs");
    assert_eq!(of(3).ja, "他のプログラムの値3個");
    // What a data file says of itself: its figures are counted, and the column has another name.
    let data = DATA.replacen("title_ja", "program = true\n    title_ja", 1);
    let found = verdicts(data.leak()).1;
    assert_eq!((found.tally.programs, found.tally.compared()), (3, 3));
    assert_eq!(found.table.columns[1].head.en, "other program");
    assert_eq!(verdicts(DATA).1.tally.programs, 0);
}

/// A number of successes of 10,000 in a paper beside `k` of `n`.
fn successes(paper: u64, k: u64, n: u64) -> Beside {
    let like = |theirs: f64| same_probability((theirs.round() as u64, 10_000), (k, n));
    let ours = k as f64 * 10_000.0 / n as f64;
    let accepted = accepted(paper as f64, ours, (0.0, 10_000.0), like);
    Beside { paper: paper as f64, status: Status::Match, p: Some(like(paper as f64)), firm: true, accepted }
}

#[test]
fn law_what_could_not_have_been_told_apart_is_not_tested() {
    // None of 200 says nothing of 18 of 10,000, and nothing of 212: neither would have been told from 0.
    for paper in [18, 212] {
        let beside = successes(paper, 0, 200);
        assert!(!beside.differs() && beside.accepted.is_none());
        assert_eq!(beside.verdict(), Verdict::Untested);
    }
    // Where the paper has none itself, only more could have been told apart; where it has all, only fewer.
    assert_eq!(successes(0, 0, 2000).verdict(), Verdict::Consistent);
    let all = successes(10_000, 10_000, 10_000);
    assert_eq!(all.verdict(), Verdict::Consistent);
    assert!(
        all.would_differ(1.0, 0).text.en.starts_with("< 9,9")
            && !all.would_differ(1.0, 0).text.en.contains('>')
    );
    assert_eq!(successes(9_990, 10_000, 10_000).verdict(), Verdict::Untested);
    for (k, n) in [(21, 10_000), (3_000, 10_000), (9, 200), (150, 200)] {
        let paper = k * 10_000 / n;
        let beside = successes(paper, k, n);
        assert_eq!(beside.verdict(), Verdict::Consistent, "{k} of {n}");
        // The ends are those of the test itself: one further out is told apart.
        let (low, high) = beside.accepted.unwrap();
        let (low, high) = (low.round() as u64, high.round() as u64);
        assert_eq!(beside.would_differ(1.0, 0).text.en, format!("< {}, > {}", grouped(low), grouped(high)));
        assert!(low <= paper && paper <= high);
        for (inside, outside) in [(low, low.checked_sub(1)), (high, Some(high + 1).filter(|x| *x <= 10_000))]
        {
            assert_eq!(successes(inside, k, n).verdict(), Verdict::Consistent, "{inside}: {k} of {n}");
            let told = outside.map(|outside| successes(outside, k, n).verdict());
            assert!(told.is_none_or(|verdict| verdict == Verdict::Differs), "{outside:?}: {k} of {n}");
        }
    }
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
