//! Nakai and Takenaga's paper, refereed.

use serde_json::json;
use yomikiri_core::{Game, Run};
use yomikiri_games::params::Settings;
use yomikiri_games::sixtysix::rules::{Deal, Objective, Sixtysix};
use yomikiri_papers::Effort;
use yomikiri_papers::sixtysix::PAPER;
use yomikiri_papers::sixtysix::ladder::{
    Answers, Spot, a_takes, climb, every_spot, last_draw, last_draw_sampled,
};
use yomikiri_papers::sixtysix::referee::{Finding, Wording};
use yomikiri_papers::sixtysix::reproduce::findings;
use yomikiri_solve::minimax::Minimax;

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

/// Whether A takes the scoring card, by the rules of the game and plain minimax.
fn a_takes_plainly(spot: &Spot) -> bool {
    let list = |cards: u32| (0..32).filter(|card| cards >> card & 1 == 1).map(|card| card + 1).collect();
    let deck = spot.deck.iter().map(|card| u32::from(*card) + 1).collect();
    let deal = Deal { hands: spot.hands.map(list), deck, leader: spot.leader };
    let mut points = vec![0; usize::from(spot.q) + 1];
    points[usize::from(spot.q)] = 1;
    let game = Sixtysix::new(deal, &points, Objective::Difference).unwrap();
    let run = Run::default();
    Minimax::new(&game, &run).value(&game.start(), &run).unwrap() > 0
}

#[test]
fn law_the_kernel_for_decks_plays_by_the_rules() {
    let run = Run::default();
    let mut looked = 0u32;
    for (hand, deck, step) in [(1, 2, 1), (2, 2, 1), (1, 4, 1), (3, 2, 7), (2, 4, 41)] {
        every_spot(hand, deck, &run, |spot| {
            looked += 1;
            if looked.is_multiple_of(step) {
                assert_eq!(a_takes(spot, Answers::All), a_takes_plainly(spot), "{}", spot.told());
            }
        })
        .unwrap();
    }
    assert_eq!(looked, 192 + 2160 + 8640 + 17_920 + 161_280);
}

#[test]
fn law_the_last_draw_is_decided_by_five_answers() {
    let run = Run::default();
    for (hand, positions) in [(1, 192), (2, 2160), (3, 17_920), (4, 126_000)] {
        let cases = last_draw(hand, &run).unwrap();
        assert_eq!((cases.instances, cases.failures), (positions, 0), "{:?}", cases.smallest);
    }
    let cases = last_draw_sampled(12, 200, &run).unwrap();
    assert_eq!((cases.instances, cases.failures), (200, 0), "{:?}", cases.smallest);
}

#[test]
fn law_no_rule_can_do_with_less_than_the_order_of_the_deck() {
    let run = Run::default();
    // The smallest shape needs the order of the hands, and larger ones the order of the deck.
    for (hand, deck, least) in [
        (2, 2, [912, 504, 368, 128, 24, 0, 0]),
        (3, 2, [7004, 3204, 2180, 1372, 698, 358, 68]),
        (2, 4, [73_904, 52_184, 31_280, 11_560, 5572, 4356, 1548]),
    ] {
        let (steps, rules) = climb(hand, deck, &run).unwrap();
        assert_eq!(steps.iter().map(|step| step.least.1).collect::<Vec<_>>(), least);
        for step in steps {
            assert_eq!(step.pair.is_some(), step.least.1 > 0);
            if let Some([a, b]) = step.pair {
                assert!(a_takes_plainly(&a) && !a_takes_plainly(&b), "{} and {}", a.told(), b.told());
            }
        }
        // More cards to come need more answers.
        assert_eq!(rules.map(|rule| rule.failures), [if deck == 2 { 0 } else { 752 }, 0]);
    }
}

mod full {
    use super::*;

    #[test]
    fn law_the_last_draw_is_decided_by_five_answers() {
        for (hand, positions) in [(5, 798_336), (6, 4_708_704)] {
            let cases = last_draw(hand, &Run::default()).unwrap();
            assert_eq!((cases.instances, cases.failures), (positions, 0), "{:?}", cases.smallest);
        }
    }
}
