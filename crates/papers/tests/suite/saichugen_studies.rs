//! Saichugen's tournaments and reproduction.

use serde_json::Value;
use yomikiri_core::{Error, Lang, Run};
use yomikiri_games::params::Settings;
use yomikiri_games::saichugen::player::{House, Model, Ties};
use yomikiri_papers::saichugen::reproduce::{GOLDEN, fit, played};
use yomikiri_papers::saichugen::tournament::{COLS, ROWS, STUDY, gap_name};

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
    let published = GOLDEN[1].read();
    let count = |i: usize, j: usize| {
        let name = format!("{} {} n", gap_name(i), gap_name(j));
        published.cells.iter().find(|c| c.cell == name).map_or(0.0, |c| c.published)
    };
    let paper: Vec<f64> =
        (0..ROWS).flat_map(|i| (0..COLS).map(move |j| (i, j))).map(|(i, j)| count(i, j)).collect();
    let run = Run { threads: 2, ..Run::default() };
    let fit = |model| {
        let played = played(House { ties: Ties::Lowest, model }, 2000, &run).unwrap();
        fit(&played, &paper, &run).unwrap()
    };
    let (shared, independent) = (fit(Model::SameIndex), fit(Model::Independent));
    assert!(shared.chi < shared.limit && shared.p > 0.1, "{shared:?}");
    assert!(independent.chi > independent.limit && independent.p < 0.01, "{independent:?}");
}
