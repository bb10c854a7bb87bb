//! Memory for two to five players: the table against its slow twin, laws of the game, and its faces.

use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use yomikiri_core::{Error, Game, Number, Rational, Run};
use yomikiri_games::Entry;
use yomikiri_games::memory::MEMORY;
use yomikiri_games::memory::party::rules::{Aim, Party, Passes, State, Terms, Tie};
use yomikiri_games::memory::party::scores::{Layer, place, ways};
use yomikiri_games::memory::party::seats::Seats;
use yomikiri_games::memory::party::table::{Extent, Keep, Table};
use yomikiri_games::memory::party::worth::{Look, Twin};
use yomikiri_games::params::Settings;

const AIMS: [Aim; 3] = [Aim::Win, Aim::Pairs, Aim::Margin];
const PASSES: [Passes; 3] = [Passes::End, Passes::Must, Passes::Never];

fn terms(aim: Aim, passes: Passes) -> Terms {
    Terms { aim, passes, tie: Tie::Lex }
}

fn solved<const K: usize>(game: &Party<K>, s: &State<K>, keep: Keep, run: &Run<'_>) -> Table<K> {
    Table::solve(game.cards().copies(), game.terms(), Extent::of(game, s), keep, run).unwrap()
}

/// Every position the twin meets, in fractions, beside the table in doubles.
fn agree<const K: usize>(ranks: usize, copies: usize, terms: Terms) -> usize {
    let game = Party::<K>::new(ranks, copies, terms).unwrap();
    let start = game.start();
    let table = solved(&game, &start, Keep::All, &Run::default());
    let mut twin = Twin::<K, Rational>::new();
    twin.worth(&game, &start).unwrap();
    let met: Vec<State<K>> = twin.positions().cloned().collect();
    for s in &met {
        let exact = twin.worth(&game, s).unwrap();
        let found = (&table).worth(&game, s).unwrap();
        for (x, y) in exact.wins.iter().chain(&exact.pairs).zip(found.wins.iter().chain(&found.pairs)) {
            assert!((x.approx() - y).abs() < 1e-9, "{K} {ranks}x{copies} {terms:?} {s:?}: {x} and {y}");
        }
        let all: f64 = found.wins.iter().sum();
        assert!(found.wins.is_empty() || (all - 1.0).abs() < 1e-9, "a win is shared out: {all}");
    }
    met.len()
}

#[test]
fn law_table_and_twin_agree_on_every_position() {
    let mut met = 0;
    for aim in AIMS {
        for passes in PASSES {
            for (_, tie) in Tie::ALL {
                let terms = Terms { aim, passes, tie };
                met += agree::<2>(2, 4, terms) + agree::<3>(2, 4, terms) + agree::<4>(2, 4, terms);
                met += agree::<5>(3, 2, terms) + agree::<3>(4, 2, terms);
            }
        }
    }
    assert!(met > 10_000, "{met} positions");
}

/// The shortcut for pairs: scores change nothing but what they add.
#[test]
fn law_pairs_to_come_do_not_depend_on_scores() {
    for (aim, passes) in [(Aim::Pairs, Passes::End), (Aim::Margin, Passes::End), (Aim::Margin, Passes::Must)]
    {
        let game = Party::<3>::new(3, 4, terms(aim, passes)).unwrap();
        let (mut plain, mut quick) = (Twin::<3, Rational>::new(), Twin::<3, Rational>::for_pairs());
        assert_eq!(plain.worth(&game, &game.start()), quick.worth(&game, &game.start()));
        for s in plain.positions().cloned().collect::<Vec<_>>() {
            assert_eq!(plain.worth(&game, &s), quick.worth(&game, &s), "{s:?}");
        }
        assert!(quick.positions().count() < plain.positions().count());
    }
}

#[test]
fn law_score_vectors_are_numbered_without_gaps() {
    for sum in 0..9 {
        let (here, more) = (Layer::new::<3>(sum), ways(sum + 1, 3));
        let mut seen = vec![false; here.len];
        for (at, &to) in here.rotated.iter().enumerate() {
            assert!(!std::mem::replace(&mut seen[to as usize], true), "two vectors turn into one");
            let twice = here.rotated[here.rotated[to as usize] as usize];
            assert_eq!(twice as usize, at, "three turns of three players are none");
            assert!(u64::from(here.richer[at]) < more);
        }
    }
    assert_eq!([place(&[0, 0, 3]), place(&[0, 1, 2]), place(&[3, 0, 0])], [0, 1, 9]);
    assert_eq!(Layer::new::<2>(3).rotated, [3, 2, 1, 0]);
}

/// The counterexample to "take a free pair at once": with three players the known pair is better kept as cards to show.
#[test]
fn law_a_free_pair_may_be_better_left_with_three_players() {
    let fraction = |n: i64, d: i64| Rational::new(n.into(), d.into());
    let game = Party::<3>::new(5, 4, terms(Aim::Pairs, Passes::End)).unwrap();
    let s = game.parse("4x20,02").unwrap();
    let moves = Twin::<3, Rational>::new().moves(&game, &s).unwrap();
    let told: Vec<Vec<Rational>> = moves.iter().map(|m| m.1.pairs.clone()).collect();
    assert_eq!(told[0][0], fraction(23, 15), "taking the pair");
    assert_eq!(told[1], [fraction(254, 105), fraction(23, 15), fraction(22, 21)], "turning a card");
    // Between two it is free indeed, wherever there is one.
    let two = Party::<2>::new(5, 4, terms(Aim::Margin, Passes::End)).unwrap();
    assert_eq!(solved(&two, &two.start(), Keep::Near, &Run::default()).tally.left, 0);
    let three = Party::<3>::new(6, 4, terms(Aim::Pairs, Passes::End)).unwrap();
    assert!(solved(&three, &three.start(), Keep::Near, &Run::default()).tally.left > 0);
}

#[test]
fn law_for_pairs_the_last_pass_may_as_well_be_forbidden() {
    for ranks in [3, 4, 5] {
        let value = |passes| {
            let game = Party::<3>::new(ranks, 4, terms(Aim::Pairs, passes)).unwrap();
            let table = solved(&game, &game.start(), Keep::Near, &Run::default());
            (&table).worth(&game, &game.start()).unwrap().pairs
        };
        assert_eq!(value(Passes::End), value(Passes::Must));
        assert_ne!(value(Passes::End), value(Passes::Never));
    }
}

#[test]
fn law_two_players_are_the_game_of_the_paper() {
    use yomikiri_games::memory::levels::{Doubles, Keep as Kept, Levels};
    use yomikiri_games::memory::rules::{Memory, Objective};
    for (aim, objective) in [(Aim::Win, Objective::Win), (Aim::Margin, Objective::Cards)] {
        let game = Party::<2>::new(6, 4, terms(aim, Passes::End)).unwrap();
        let table = solved(&game, &game.start(), Keep::Near, &Run::default());
        let found = (&table).worth(&game, &game.start()).unwrap().values(aim, 0);
        let two = Memory::new(6, 4, objective).unwrap();
        let value = Levels::solve(&two, Doubles, Kept::Window, &Run::default()).unwrap().root(6).unwrap();
        let wanted = if aim == Aim::Win { (1.0 + value) / 2.0 } else { value };
        assert!((found[0] - wanted).abs() < 1e-12, "{aim:?}: {found:?} and {wanted}");
    }
}

#[test]
fn law_a_window_knows_what_the_whole_table_knows_of_its_top() {
    let game = Party::<3>::new(4, 4, terms(Aim::Win, Passes::Must)).unwrap();
    for s in ["4x40", "2x40,31,11,s1-0-0", "2x31,22,11,s0-0-1", "40,3x11,s1-1-1,pass"]
        .map(|t| game.parse(t).unwrap())
    {
        let run = Run::default();
        let (whole, window) = (solved(&game, &s, Keep::All, &run), solved(&game, &s, Keep::Near, &run));
        let moves = (&window).moves(&game, &s).unwrap();
        assert_eq!(moves, (&whole).moves(&game, &s).unwrap());
        assert!(window.bytes() < whole.bytes(), "a window is smaller");
        // Scores that differ by as much for everybody are worth the same.
        let start = solved(&game, &game.start(), Keep::All, &run);
        if s.scores.iter().sum::<u16>() % 3 == game.cards().total_pairs() as u16 % 3 {
            assert_eq!((&start).moves(&game, &s).unwrap().len(), moves.len());
        }
    }
}

#[test]
fn law_threads_do_not_change_a_bit() {
    let game = Party::<4>::new(4, 4, terms(Aim::Win, Passes::End)).unwrap();
    let value = |threads| {
        let table = solved(&game, &game.start(), Keep::Near, &Run { threads, ..Run::default() });
        ((&table).worth(&game, &game.start()).unwrap(), table.tally)
    };
    assert_eq!(value(1), value(3));
}

#[test]
fn law_what_does_not_fit_is_said_before_it_begins() {
    let game = Party::<4>::new(13, 4, terms(Aim::Win, Passes::End)).unwrap();
    let extent = Extent::of(&game, &game.start());
    let run = Run { memory: 64 << 20, ..Run::default() };
    let refused = Table::<4>::solve(4, game.terms(), extent, Keep::Near, &run);
    assert!(matches!(refused, Err(Error::Memory { need, .. }) if need > 200 << 20 && need < 400 << 20));
    let stop = AtomicBool::new(false);
    stop.store(true, Ordering::Relaxed);
    let run = Run { cancel: &stop, ..Run::default() };
    assert!(matches!(Table::<4>::solve(4, game.terms(), extent, Keep::Near, &run), Err(Error::Cancelled)));
}

fn settings(given: &[(&str, &str)]) -> Settings {
    Settings::new(MEMORY.params(), given.iter().copied()).unwrap()
}

fn asked(request: &Value, exact: bool) -> Result<Value, Error> {
    let (request, evaluator) = (request.as_object().unwrap(), MEMORY.evaluator(exact));
    evaluator.prepare(std::slice::from_ref(request), &Run::default())?;
    Ok(serde_json::from_str(&evaluator.answer(request, &Run::default())?).unwrap())
}

#[test]
fn law_solve_show_and_eval_tell_the_same_values() {
    let given = [("players", "3"), ("ranks", "3"), ("pass", "must")];
    let run = Run::default();
    let solve = MEMORY.solve(&settings(&given), &run).unwrap().json;
    assert_eq!(solve["fractions"], json!(["4943/17325", "6002/17325", "116/315"]));
    let show = MEMORY.show(&settings(&given), None, &run).unwrap().json;
    assert_eq!((&show["values"], &show["fractions"]), (&solve["values"], &solve["fractions"]));
    let counts = json!([3, 0, 0, 0, 0, 0, 0, 0, 0]);
    let request = json!({"counts": counts, "players": 3, "pass": "must"});
    let eval = asked(&request, false).unwrap();
    assert_eq!(eval["values"], solve["values"]);
    assert_eq!(asked(&request, true).unwrap()["values"], solve["fractions"]);
    let words = json!({"position": "3x40", "players": 3, "pass": "must", "ranks": 3});
    assert_eq!(asked(&words, false).unwrap()["values"], solve["values"]);
    assert_eq!(eval["best"], json!(["flip"]));
    assert_eq!(eval["by_move"]["flip"], solve["values"]);
}

#[test]
fn law_scores_count_only_by_their_differences_for_a_win() {
    let at = |scores: Value| {
        let counts = [0, 1, 0, 0, 0, 1, 2, 0, 3];
        asked(&json!({"counts": counts, "players": 3, "scores": scores, "pass": "must"}), false).unwrap()
    };
    assert_eq!(at(json!([2, 0, 1]))["values"], at(json!([3, 1, 2]))["values"]);
    assert_ne!(at(json!([2, 0, 1]))["values"], at(json!([0, 2, 1]))["values"]);
    // Two players with scores are the two players of the difference.
    let two = |more: &str, value: Value| {
        let mut request = json!({"counts": [0, 0, 0, 0, 0, 1, 3, 0, 0]});
        request[more] = value;
        asked(&request, false).unwrap()
    };
    let (scores, diff) = (two("scores", json!([3, 1])), two("diff", json!(2)));
    assert!((scores["value"].as_f64().unwrap() - diff["value"].as_f64().unwrap()).abs() < 1e-12);
    assert_eq!(scores["best"], diff["best"]);
}

#[test]
fn law_refusals_name_the_field() {
    let refused = |request: Value| match asked(&request, false) {
        Err(Error::Refused(refusal)) => refusal.field.to_string(),
        other => panic!("{request} is answered: {other:?}"),
    };
    let with = |field: &str, value: Value| {
        let mut request = json!({"counts": [1, 0, 0, 0, 0, 1, 0, 0, 0], "players": 3});
        request[field] = value;
        refused(request)
    };
    for (field, value) in [
        ("players", json!(6)),
        ("players", json!("three")),
        ("pass", json!("sometimes")),
        ("tie", json!(1)),
        ("objective", json!("fun")),
        ("scores", json!([1, 1])),
        ("scores", json!([1, 1, 0])),
        ("scores", json!([0, -1, 0])),
        ("passes", json!(1)),
        ("passes", json!("all")),
        ("diff", json!(1)),
        ("copies", json!(3)),
        ("counts", json!([1])),
        ("moves", json!(1)),
    ] {
        assert_eq!(with(field, value.clone()), field, "{value}");
    }
    for position in
        ["4x20,d1", "4x20,s1-2", "4x20,s9-9-9", "40,pass", "2x11,pass,pass,pass", "x", "s", "14x40"]
    {
        let shown =
            MEMORY.show(&settings(&[("players", "3"), ("ranks", "13")]), Some(position), &Run::default());
        assert!(matches!(&shown, Err(Error::Refused(r)) if !r.field.is_empty()), "{position}");
    }
    let forgetful = settings(&[("players", "3"), ("memory-model", "forget:0.1")]);
    let planned = MEMORY.tables().unwrap().plan(&forgetful, &Run::default());
    assert!(matches!(planned, Err(Error::Refused(r)) if r.field == "memory-model"));
}

/// The laws of rules and names, which the contract suite holds the registered game to.
#[test]
fn contract_the_table_of_many_players() {
    let mut contract = yomikiri_testkit::contract::Contract::default();
    let end = terms(Aim::Win, Passes::End);
    let three = Seats::<3>::new(3, 4, end).unwrap();
    contract.rules(&three);
    contract.names(&three);
    let five = Seats::<5>::new(4, 2, terms(Aim::Margin, Passes::Must)).unwrap();
    contract.rules(&five);
    contract.names(&five);
    contract.rules(&Party::<4>::new(3, 4, terms(Aim::Pairs, Passes::Never)).unwrap());
    assert!(contract.failures.is_empty(), "{:#?}", contract.failures);
}

#[test]
fn law_four_play_a_game_to_its_end() {
    let given = settings(&[("players", "4"), ("ranks", "3"), ("pass", "must")]);
    let run = Run { seed: 5, ..Run::default() };
    let mut play = MEMORY.play(&given, None, &run).unwrap();
    assert_eq!((play.players(), play.seats().len()), (4, 5));
    let mut turns = [0; 4];
    while let Some(seat) = play.turn() {
        turns[usize::from(seat)] += 1;
        let names = play.board(None).seats;
        assert_eq!(names.len(), 4);
        assert_eq!(names[3].name.en, "Player 4");
        play.best(&run).unwrap();
    }
    let shares: f64 = (0..4).map(|seat| play.score(seat).unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-12, "{shares}");
    assert!((0..4).all(|seat| play.mistakes(seat, &run).unwrap().is_empty()));
    assert!(turns.iter().all(|&n| n > 0), "{turns:?}");
    let record = play.record(&run).unwrap();
    assert_eq!(record["payoffs"].as_array().unwrap().len(), 4);
}
