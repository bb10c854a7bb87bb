//! Saichugen's tournaments and reproduction.

use serde_json::Value;
use std::sync::Mutex;
use yomikiri_core::run::Estimate;
use yomikiri_core::{Error, Lang, Observer, Run, Text};
use yomikiri_games::params::Settings;
use yomikiri_games::saichugen::player::{House, Model, Ties};
use yomikiri_papers::accordion;
use yomikiri_papers::golden::PublishedCells;
use yomikiri_papers::paper::Study;
use yomikiri_papers::saichugen::published::GOLDEN;
use yomikiri_papers::saichugen::reproduce::{fit, played};
use yomikiri_papers::saichugen::tournament::{
    COLS, Clustered, ROWS, STUDY, Tally, centre, gap_cell, gap_name,
};

fn study(given: &[(&str, &str)], threads: usize) -> Result<Value, Error> {
    let settings = Settings::new(STUDY.params, given.iter().copied())?;
    Ok((STUDY.run)(&settings, &Run { threads, ..Run::default() })?.json)
}

#[test]
fn law_a_tournament_is_the_same_for_any_number_of_threads() {
    let given = [("games", "700"), ("ties", "random"), ("model", "same-index")];
    let one = study(&given, 1).unwrap();
    assert_eq!(one, study(&given, 3).unwrap());
    assert_ne!(one["ranks"], study(&[("games", "700"), ("ties", "lowest")], 1).unwrap()["ranks"]);
    assert_eq!(one["games"], 700);
}

#[test]
fn law_what_is_no_tournament_is_refused_by_name() {
    for (name, bad) in [
        ("games", "0"),
        ("games", "1000000000000"),
        ("games", "many"),
        ("seats", "search,search"),
        ("seats", "search,search,deep-blue"),
        ("model", "shared"),
        ("ties", "first"),
    ] {
        match study(&[(name, bad)], 1) {
            Err(Error::Refused(refusal)) => {
                assert_eq!(refusal.field, name);
                assert!(!refusal.say(Lang::Ja).is_empty());
            }
            other => panic!("{name} {bad}: {other:?}"),
        }
    }
}

/// What was estimated last.
#[derive(Default)]
struct Watch(Mutex<Vec<Estimate>>);

impl Observer for Watch {
    fn begin(&self, _: &Text, _: u64) {}
    fn done(&self, _: u64) {}
    fn end(&self) {}
    fn note(&self, _: &Text) {}
    fn live(&self, estimates: &[Estimate]) {
        *self.0.lock().unwrap() = estimates.to_vec();
    }
}

/// The paper's figures stand beside what is estimated of its players, and of no others.
#[test]
fn law_estimates_know_what_the_paper_says() {
    let told = |study: &Study, given: &[(&str, &str)]| {
        let watch = Watch::default();
        let settings = Settings::new(study.params, given.iter().copied()).unwrap();
        (study.run)(&settings, &Run { observer: &watch, ..Run::default() }).unwrap();
        watch.0.into_inner().unwrap()
    };
    let published = |all: &[Estimate]| all.iter().map(|one| one.published).collect::<Vec<_>>();
    let ours = told(&STUDY, &[("games", "300")]);
    let paper = PublishedCells::read(&GOLDEN);
    let table: Vec<Option<f64>> =
        (1..=3).map(|rank| Some(paper.get("table5", &format!("rank {rank}")).unwrap().published)).collect();
    assert_eq!(published(&ours), table);
    assert_eq!(published(&told(&STUDY, &[("games", "300"), ("seats", "search,search,random")])), [None; 3]);
    // Accordion: greedy play is looking ahead from two cards on.
    let table = accordion::PAPER.golden.iter().find(|golden| golden.id == "table1").unwrap().read();
    let share = |cell: &str| table.cells.iter().find(|c| c.cell == cell).map(|c| c.published / 10_000.0);
    let study = |name: &str| accordion::STUDIES.iter().find(|study| study.name == name).unwrap();
    let greedy = told(study("solvable"), &[("deals", "20")]);
    assert_eq!(published(&greedy), [None, share("R=2")]);
    assert!(share("R=2").is_some());
}

#[test]
fn law_searching_beats_playing_at_random() {
    let mixed = study(&[("games", "600"), ("seats", "search,random,random")], 2).unwrap();
    let seat = &mixed["by_seat"][0];
    let (mean, error) = (seat["mean"].as_f64().unwrap(), seat["error"].as_f64().unwrap());
    assert!(mean > 4.0 * error, "{mean} ± {error}");
}

/// The finding on table 3: its counts are those of a shared index and not of independent draws.
#[test]
fn paper_table_3_is_of_the_shared_index_and_not_of_independent_play() {
    let published = PublishedCells::read(&GOLDEN);
    let count = |i: usize, j: usize| {
        let name = format!("{} {} n", gap_name(i), gap_name(j));
        published.get("table3", &name).map_or(0.0, |c| c.published)
    };
    let paper: Vec<f64> =
        (0..ROWS).flat_map(|i| (0..COLS).map(move |j| (i, j))).map(|(i, j)| count(i, j)).collect();
    assert_eq!(paper.iter().sum::<f64>(), 3000.0, "three observations a game");
    let run = Run { threads: 2, ..Run::default() };
    let fit = |model| {
        let played = played(House { ties: Ties::Lowest, model }, 2000, &run).unwrap();
        fit(&played, &paper, &run).unwrap()
    };
    let (shared, independent) = (fit(Model::SameIndex), fit(Model::Independent));
    assert!(shared.chi < shared.limit && shared.p > 0.1, "{shared:?}");
    assert!(independent.chi > independent.limit && independent.p < 0.01, "{independent:?}");
}

#[test]
fn paper_table_4_agrees_with_the_counts_of_table_3() {
    let paper = PublishedCells::read(&GOLDEN);
    let number = |table, cell: String| paper.get(table, &cell).map_or(0.0, |c| c.published);
    for (i, j) in centre() {
        let name = format!("{} {}", gap_name(i), gap_name(j));
        let n = number("table3", format!("{name} n"));
        let Some(mean) = paper.get("table4", &format!("{name} mean")) else {
            assert_eq!(n, 0.0, "{name}");
            continue;
        };
        let payoffs = [("-2", -2.0), ("-1", -1.0), ("+1", 1.0), ("+2", 2.0)];
        let count = |payoff| number("table4", format!("{name} {payoff}"));
        let listed: f64 = payoffs.iter().map(|p| count(p.0)).sum();
        // Payoffs of 0 are left out of table 4.
        assert!(listed <= n && n - listed <= 4.0, "{name}");
        let total: f64 = payoffs.iter().map(|p| p.1 * count(p.0)).sum();
        assert!((total / n - mean.published).abs() <= 0.05 + 1e-9, "{name}: {}", total / n);
    }
}

#[test]
fn law_zero_is_in_the_bin_from_zero_to_five() {
    // Both opponents are as far away; the gap to the higher one tells the bins apart.
    let name = |gap: i32| {
        let (me, others) = if gap < 0 { (-gap as u8, 0) } else { (0, gap as u8) };
        gap_name(gap_cell([me, others, others], 0).1)
    };
    assert_eq!(
        [-40, -36, -5, -1, 0, 4, 5, 39, 40, 90].map(name),
        ["-40~-35", "-40~-35", "-5~0", "-5~0", "0~5", "0~5", "5~10", "35~40", "40~", "40~"]
    );
    // Opponents 3 above and 9 below.
    let (low, high) = gap_cell([10, 13, 1], 0);
    assert_eq!([gap_name(low), gap_name(high)], ["-10~-5", "0~5"]);
    assert_eq!(gap_cell([10, 1, 13], 0), (low, high));
    assert_eq!(centre().count(), 20 + 1);
}

#[test]
fn law_standard_errors_are_clustered() {
    // Two games with two equal observations each say no more than two observations.
    let (mut twice, mut once) = (Clustered::default(), Clustered::default());
    for y in [1, -1, 2, 0] {
        twice.add(2, 2 * y);
        once.add(1, y);
    }
    assert_eq!(twice.mean(), once.mean());
    assert!((twice.error() - once.error()).abs() < 1e-15);
    // Without clusters it is the usual one, with n in place of n − 1.
    let variance = [1.0f64, -1.0, 2.0, 0.0].iter().map(|y| (y - 0.5).powi(2)).sum::<f64>() / 4.0;
    assert!((once.error() - (variance / 4.0).sqrt()).abs() < 1e-15);
}

#[test]
fn law_every_game_is_counted_three_times() {
    let mut tally = Tally::default();
    tally.add([5, 5, 9], [1, 1, -2]);
    tally.add([0, 0, 0], [0, 0, 0]);
    tally.add([1, 30, 8], [-1, -1, 2]);
    let seen: u64 = tally.gaps.iter().flatten().map(|g| g.payoff.len()).sum();
    let each: i64 = tally.gaps.iter().flatten().flat_map(|g| g.shares).map(|c| c.sum()).sum();
    assert_eq!((seen, each), (9, 9));
    assert_eq!(tally.ranks.map(|r| r.len()), [5, 3, 1]);
    assert_eq!(tally.points.iter().map(Clustered::len).sum::<u64>(), 9);
}

#[test]
fn paper_the_search_has_19_958_400_lines() {
    assert_eq!(yomikiri_papers::saichugen::reproduce::lines(), 19_958_400);
}
