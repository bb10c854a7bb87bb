//! Nakai and Takenaga's paper, refereed.

use serde_json::json;
use yomikiri_core::Run;
use yomikiri_games::params::Settings;
use yomikiri_papers::Effort;
use yomikiri_papers::sixtysix::PAPER;
use yomikiri_papers::sixtysix::referee::{Finding, Wording};
use yomikiri_papers::sixtysix::reproduce::findings;

fn all(max_hand: usize) -> Vec<Finding> {
    findings(max_hand, &Run { threads: 2, ..Run::default() }).unwrap()
}

#[test]
fn paper_every_statement_is_as_the_golden_table_says() {
    let outcome = PAPER.reproduce(Effort::Quick, &Run { threads: 2, ..Run::default() }).unwrap();
    assert!(outcome.good, "{}", outcome.json);
    assert_eq!((outcome.json["differing"].as_u64(), outcome.json["compared"].as_u64()), (Some(0), Some(26)));
    let cells = outcome.json["parts"][0]["tables"][0]["cells"].as_array().unwrap();
    for cell in cells {
        let verdict = cell["verdict"].as_str().unwrap();
        assert_eq!(verdict, cell["status"].as_str().unwrap(), "{cell}");
        assert_eq!(verdict == "match", cell["computed"] == 0.0, "{cell}");
    }
}

#[test]
fn paper_errata_have_these_smallest_counterexamples() {
    let findings = all(6);
    let of = |statement: &str, wording: Wording, reading: &str| {
        let mut fits = findings
            .iter()
            .filter(|f| f.statement == statement && f.wording == wording && f.reading.en.contains(reading));
        let found = fits.next().unwrap_or_else(|| panic!("{statement} {reading}")).clone();
        assert!(fits.next().is_none(), "{statement} {reading} is not unique");
        (found.cases.failures, found.cases.smallest.unwrap_or_default())
    };
    use Wording::{Other, Paper};
    for (statement, wording, reading, failures, smallest) in [
        ("theorems 2–6", Paper, "", 536, "ABABQB (A)"),
        ("theorem 5", Paper, "", 1095, "BQ (A)"),
        ("theorem 5", Other, "not ruled out", 428, "BQ (A)"),
        ("theorem 5", Other, "1 < k", 536, "ABABQB (A)"),
        ("theorem 6", Other, "strongest", 232, "BQBA (B)"),
        ("theorem 3", Other, "left out", 235, "BQBAAB (B)"),
    ] {
        assert_eq!(of(statement, wording, reading), (failures, smallest.to_owned()), "{statement} {reading}");
    }
    for (statement, wording, reading, smallest) in [
        ("strategy of A", Paper, "", "ABQBAB (B)"),
        ("fact 2, second half", Paper, "", "AQBB, A 1, B 4"),
        ("deck algorithm", Other, "jumps and exits", "A=1,2 B=3,4 D=6,5,7,8 g=3 (A)"),
        ("deck algorithm", Other, "jumps and ranges", "A=1,2 B=3,4 D=5,6 g=2 (A)"),
        ("deck algorithm", Other, "h = 1", "A=1 B=2 D=3,4,5,6 g=4 (A)"),
        ("theorem 1: somebody wins", Paper, "", "A=1,3 B=2,4 (B)"),
    ] {
        assert_eq!(of(statement, wording, reading).1, smallest, "{statement} {reading}");
    }
    for f in findings.iter().filter(|f| f.wording == Wording::Corrected) {
        assert_eq!(f.cases.failures, 0, "{f:?}");
        assert!(f.cases.instances > 20, "{f:?}");
    }
}

#[test]
fn law_the_report_is_the_same_for_any_number_of_threads() {
    let told = |threads| format!("{:?}", findings(5, &Run { threads, ..Run::default() }).unwrap());
    assert_eq!(told(1), told(3));
}

#[test]
fn law_studies_count_what_they_say() {
    let study = |name: &str, given: &[(&str, &str)]| {
        let study = PAPER.studies.iter().find(|s| s.name == name).unwrap();
        let given = Settings::new(study.params, given.iter().copied()).unwrap();
        (study.run)(&given, &Run::default()).unwrap()
    };
    let several = study("several", &[("max-hand", "3")]).json;
    let row = |hand: u64, scoring: u64| {
        let rows = several["rows"].as_array().unwrap();
        rows.iter().find(|r| r["hand"] == hand && r["scoring"] == scoring).unwrap().clone()
    };
    for hand in 1..=3 {
        assert_eq!(row(hand, 1)["right"], row(hand, 1)["positions"], "one card is the closed form");
    }
    assert_eq!((row(2, 2)["positions"].as_u64(), row(2, 2)["right"].as_u64()), (Some(72), Some(68)));
    let hearts = study("hearts", &[("max-hand", "4")]).json;
    assert_eq!(
        hearts["rows"][3],
        json!({"hand": 4, "positions": 280, "rid_a_leads": 123, "rid_b_leads": 175})
    );
    let rules = hearts["rules"].as_array().unwrap();
    assert_eq!(rules[0]["wrong"], 0);
    assert!(rules[4]["wrong"].as_u64().unwrap() > 0);
    let deck = study("deck", &[]).json;
    for row in deck["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|r| r["guess"].as_str().is_some_and(|g| g.contains("lemma")))
    {
        assert_eq!(row["wrong"], 0, "{row}");
        assert!(row["positions"].as_u64().unwrap() > 0);
    }
    let growth = study("growth", &[("max-hand", "2"), ("positions", "20000")]).json;
    let rows = growth["rows"].as_array().unwrap();
    let exponent = rows.iter().find_map(|r| r["exponent"].as_f64()).unwrap();
    assert!((2.5..4.0).contains(&exponent), "{exponent}");
    assert!(study("theorems", &[("max-hand", "4")]).good);
}
