//! The paper's tables, recomputed from the rules.

use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use yomikiri_core::combin::binomial;
use yomikiri_core::{Error, Game, Observer, Run, Text};
use yomikiri_games::memory::levels::{Doubles, Keep, Levels};
use yomikiri_games::memory::rules::{Memory, Objective};
use yomikiri_papers::Effort;
use yomikiri_papers::golden::{Computed, Golden, compare};
use yomikiri_papers::memory::experiments::{self, count_tree, rate, readings, tree};
use yomikiri_papers::memory::policies::{Follow, Normal, PaperSearch};
use yomikiri_papers::memory::rules_of_thumb::{RulesOfThumb, against_best};
use yomikiri_papers::memory::unusual::{Oddity, find};
use yomikiri_papers::memory::{PAPER, two_cards};
use yomikiri_solve::restrict::{Free, Restricted};
use yomikiri_solve::{Solution, Solver, memo::Memo};
use yomikiri_testkit::interrupted::{MemoryStore, StopAt};

/// Every part but the rules of thumb, which compare no figure and take longest; figure 5 and what happens in a game of 13
/// ranks are for `full`, too.
#[test]
fn paper_every_table_matches_in_the_quick_reproduction() {
    let run = Run { threads: 2, ..Run::default() };
    let all = (PAPER.reproduction)(Effort::Quick);
    let mut tables = Vec::new();
    for (at, label) in all.parts().into_iter().enumerate() {
        if ["rules", "figure-5", "habits"].contains(&label.id) {
            continue;
        }
        let piece = all.run(at, &run).unwrap();
        assert!(piece.good(), "{}: {:?}", label.id, piece.json);
        tables.extend(piece.json.get("tables").and_then(Value::as_array).cloned().unwrap_or_default());
    }
    let verdict = |table: &str, cell: &str| -> Value {
        let table = tables.iter().find(|t| t["id"] == table).unwrap();
        let cells = table["cells"].as_array().unwrap();
        cells.iter().find(|c| c["cell"] == cell).unwrap()["verdict"].clone()
    };
    assert_eq!(verdict("table-2", "pass"), "match");
    assert_eq!(verdict("table-3", "(4,0) different"), "match");
    assert_eq!(verdict("table-4", "optimal / normal"), "open");
    assert_eq!(verdict("counts", "positions, 35 ranks"), "not computed");
    assert_eq!(tables.len(), 13);
    for table in tables {
        for cell in table["cells"].as_array().unwrap() {
            let fine =
                ["match", "open", "not computed"].contains(&cell["verdict"].as_str().unwrap_or("match"));
            assert!(fine, "{cell}");
        }
    }
}

mod full {
    use super::*;

    #[test]
    fn paper_every_table_matches_in_the_quick_reproduction() {
        let outcome = PAPER.reproduce(Effort::Quick, &Run { threads: 2, ..Run::default() }).unwrap();
        assert!(outcome.good, "{}", outcome.json);
        assert_eq!(outcome.json["differing"], 0);
        assert_eq!(outcome.json["parts"].as_array().unwrap().len(), 19);
    }
}

/// The first player's win rate up to the sizes of the paper's text beyond which figure 5 takes its time.
#[test]
fn paper_figure_5_begins_as_published() {
    let golden = PAPER.golden.iter().find(|g| g.id == "figure-5").unwrap();
    let game = Memory::new(24, 4, Objective::Win).unwrap();
    let levels = Levels::solve(&game, Doubles, Keep::Window, &Run::default()).unwrap();
    let rate = |n: usize| 50.0 * (1.0 + levels.root(n).unwrap());
    let computed: Vec<Computed> = (1..=24).map(|n| Computed::exact(format!("n={n}"), rate(n), "")).collect();
    let found = compare(golden, &computed);
    assert!(found.tally.matches >= 10 && found.tally.differing == 0, "{:?}", found.tally);
}

/// The count is a count: another rule of expansion gives another number.
#[test]
fn paper_tree_is_counted_by_expansion() {
    let run = Run::default();
    for (ranks, expected) in [(1, None), (2, None), (5, None), (13, Some(362_931))] {
        let game = Memory::new(ranks, 4, Objective::Win).unwrap();
        let count = count_tree(&game, &run).unwrap();
        // The same set by the recursion that remembers positions.
        if ranks <= 5 {
            let bound = Restricted::both(&game, &PaperSearch);
            let memo = Memo::<f64>::new().solve(&bound, &run).unwrap();
            assert_eq!(count, memo.positions(), "{ranks} ranks");
            let all = Memo::<f64>::new().solve(&game, &run).unwrap();
            assert!(ranks < 3 || all.positions() > count, "the rule prunes");
        }
        if let Some(expected) = expected {
            assert_eq!(count, expected);
        }
    }
    assert_eq!(binomial(21, 8), 203_490);
}

#[test]
fn paper_table_2_and_3_of_a_small_game_follow_from_recursion() {
    let run = Run::default();
    let (game, table) = experiments::solved(4, &run).unwrap();
    let counted = tree(&game, &table, &run).unwrap();
    assert_eq!(counted.first.iter().sum::<u64>(), counted.positions);
    assert!(counted.leave > 0 && counted.with_pair < counted.positions);
    // The paper's pruned tree has the value of the whole game.
    let bound = Restricted::both(&game, &PaperSearch);
    let memo = Memo::<f64>::new().solve(&bound, &run).unwrap();
    let value = memo.value(&bound, &bound.start()).unwrap();
    assert!((value - table.root(4).unwrap()).abs() < 1e-13);
}

#[test]
fn paper_table_4_has_these_readings() {
    let run = Run::default();
    let (game, table) = experiments::solved(13, &run).unwrap();
    assert!((rate(&game, &Normal, &Normal, &run).unwrap() - 0.50168409).abs() < 1e-8);
    let expected = [
        ("equilibrium", 0.69254502, 0.30961335),
        ("best response, the paper's moves", 0.71947780, 0.28218213),
        ("best response, any move", 0.72680701, 0.27483060),
        ("best response, no second unknown after (3,1)", 0.71925282, 0.28240768),
    ];
    for (reading, (name, first, second)) in readings(&game, &table, &run).unwrap().iter().zip(expected) {
        assert_eq!(reading.name.en, name);
        assert!((reading.first - first).abs() < 5e-9, "{name}: {}", reading.first);
        assert!((reading.second - second).abs() < 5e-9, "{name}: {}", reading.second);
    }
}

#[test]
fn law_following_the_table_has_the_value_of_the_game() {
    let run = Run::default();
    let (game, table) = experiments::solved(6, &run).unwrap();
    let value = (1.0 + table.root(6).unwrap()) / 2.0;
    let follow = Follow(&table);
    assert!((rate(&game, &follow, &follow, &run).unwrap() - value).abs() < 1e-12);
    assert!((rate(&game, &Free, &Free, &run).unwrap() - value).abs() < 1e-12);
    // No best response does better than the value against it.
    assert!((rate(&game, &follow, &Free, &run).unwrap() - value).abs() < 1e-12);
    assert!((rate(&game, &Free, &follow, &run).unwrap() - value).abs() < 1e-12);
}

#[test]
fn paper_figures_2_to_4_are_found_by_search() {
    let run = Run::default();
    let (game, table) = experiments::solved(6, &run).unwrap();
    for (oddity, member) in
        [(Oddity::Pass, "31,20,11"), (Oddity::Different, "31,2x20"), (Oddity::Leave, "2x22")]
    {
        let found = find(&game, &table, oddity, 10, &run).unwrap();
        assert!(found.iter().any(|f| f.notation == member), "{oddity:?}: {found:?}");
        assert!(found.iter().all(|f| f.usual < f.value - 1e-9), "{found:?}");
    }
}

#[test]
fn law_rules_of_thumb_are_counted_and_cost_less_than_normal_play() {
    let run = Run { threads: 2, ..Run::default() };
    let (game, table) = experiments::solved(7, &run).unwrap();
    let learned = RulesOfThumb::learn(&game, &table, 5, &run).unwrap();
    for list in [&learned.quiet, &learned.pair, &learned.second] {
        assert!(list.right <= list.cases && list.rules.len() <= 5);
        assert!(list.rules.last().unwrap().when.is_empty());
    }
    let value = (1.0 + table.root(7).unwrap()) / 2.0;
    let (first, second) = against_best(&game, &learned, &run).unwrap();
    let (normal, _) = against_best(&game, &Normal, &run).unwrap();
    assert!(first <= value + 1e-12 && second <= 1.0 - value + 1e-12);
    assert!(first > normal, "{first} {normal}");
    // Learning does not depend on the number of threads.
    let alone = RulesOfThumb::learn(&game, &table, 5, &Run::default()).unwrap();
    assert_eq!((alone.quiet, alone.pair, alone.second), (learned.quiet, learned.pair, learned.second));
}

#[test]
fn paper_zwick_and_paterson_rule_comes_out_of_the_solver() {
    for n in 1..=24 {
        let check = two_cards::check(n, &Run::default()).unwrap();
        assert_eq!((check.positions, check.broken), (n as u64 + 1, 0), "n = {n}");
    }
    // The exception is one: without it the rule would break.
    assert_eq!(two_cards::rule(6, 1), two_cards::Cards::One);
    assert_eq!(two_cards::rule(8, 1), two_cards::Cards::Two);
}

#[test]
fn paper_win_rates_with_two_cards_a_rank() {
    for (n, rate) in [(2, 1.0 / 3.0), (3, 0.46667), (4, 0.49524), (5, 0.49841), (6, 0.50063), (7, 0.50478)] {
        let game = Memory::new(n, 2, Objective::Win).unwrap();
        let root = Levels::solve(&game, Doubles, Keep::Window, &Run::default()).unwrap().root(n).unwrap();
        assert!(((1.0 + root) / 2.0 - rate).abs() < 5.1e-6, "n = {n}");
    }
}

#[test]
fn law_a_golden_cell_that_differs_is_reported() {
    let golden = Golden {
        id: "test",
        data: r#"
            paper = "p"
            place = "Table 0"
            section = "0"
            title = "t"
            title_ja = "t"
            [[cell]]
            cell = "right"
            published = 1.5
            precision = 0.1
            status = "match"
            [[cell]]
            cell = "wrong"
            published = 2.0
            precision = 0.1
            status = "match"
            [[cell]]
            cell = "sampled"
            published = 3.0
            precision = 0.1
            status = "match"
            [[cell]]
            cell = "slip"
            published = 4.0
            precision = 1.0
            status = "erratum"
            [[cell]]
            cell = "left out"
            published = 5.0
            precision = 1.0
            status = "match"
        "#,
    };
    let sampled = |cell: &str, value: f64, error: f64| Computed {
        error,
        certainty: yomikiri_view::report::Certainty::Sampled,
        ..Computed::exact(cell, value, "")
    };
    let computed = [
        Computed::exact("right", 1.549, "1.549"),
        Computed::exact("wrong", 2.051, "2.051"),
        sampled("sampled", 3.4, 0.1),
        Computed::exact("slip", 7.0, "7"),
    ];
    let found = compare(&golden, &computed);
    assert_eq!((found.tally.compared(), found.tally.differing), (4, 1));
    let verdicts: Vec<Value> =
        found.json["cells"].as_array().unwrap().iter().map(|c| c["verdict"].clone()).collect();
    assert_eq!(json!(verdicts), json!(["match", "DIFFERS", "consistent", "erratum", "not computed"]));
    let silent = compare(&golden, &[Computed::exact("slip", 4.0, "4")]);
    assert_eq!(silent.tally.differing, 1, "an erratum must show");
    let far = compare(&golden, &[sampled("sampled", 3.5, 0.1)]);
    assert_eq!(far.tally.differing, 1, "beyond four standard errors");
}

/// Whether anything has begun.
#[derive(Default)]
struct Begun(AtomicBool);

impl Observer for Begun {
    fn begin(&self, _: &Text, _: u64) {
        self.0.store(true, Ordering::Relaxed);
    }
    fn done(&self, _: u64) {}
    fn end(&self) {}
    fn note(&self, _: &Text) {}
}

#[test]
fn law_a_tree_that_cannot_fit_is_refused_before_the_work() {
    for ranks in 2..=10 {
        let game = Memory::new(ranks, 4, Objective::Win).unwrap();
        let refused = |memory: u64| {
            let begun = Begun::default();
            let run = Run { memory, observer: &begun, ..Run::default() };
            let refused = matches!(count_tree(&game, &run), Err(Error::Memory { .. }));
            (refused, begun.0.into_inner())
        };
        let least = 64 * (ranks as u64).pow(4);
        assert_eq!(refused(least - 1), (true, false), "{ranks} ranks");
        // Nothing is refused at once that could have been done.
        assert_eq!(refused(least), (true, true), "{ranks} ranks");
        assert_eq!(refused(1 << 24), (false, true), "{ranks} ranks");
    }
}

#[test]
fn law_an_interrupted_count_goes_on_to_the_same_number() {
    let game = Memory::new(9, 4, Objective::Win).unwrap();
    let whole = count_tree(&game, &Run::default()).unwrap();
    let cache = MemoryStore::default();
    let cancel = AtomicBool::new(false);
    let mut stops = 0;
    let mut at = 100;
    let resumed = loop {
        cancel.store(false, Ordering::Relaxed);
        let observer = StopAt(at, &cancel);
        let run = Run { store: &cache, cancel: &cancel, observer: &observer, threads: 2, ..Run::default() };
        match count_tree(&game, &run) {
            Ok(count) => break count,
            Err(Error::Cancelled) => stops += 1,
            Err(other) => panic!("{other}"),
        }
        at += 9001;
    };
    assert!(stops >= 3, "it was interrupted {stops} times");
    assert_eq!(resumed, whole);
    assert!(cache.0.lock().unwrap().is_empty(), "the checkpoint goes when the run is done");
}
