//! Memory's solvers against each other: the dense levels, the generic induction, the memoised recursion,
//! in doubles and in exact fractions.

use proptest::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use yomikiri_core::run::Silent;
use yomikiri_core::{Error, Game, Indexed, Number, Rational, Run};
use yomikiri_games::memory::answer::{Answer, answer, best, ranks_needed, table_for};
use yomikiri_games::memory::levels::{Arithmetic, Doubles, Factorials, Keep, Levels};
use yomikiri_games::memory::rules::{Action, MAX_PATTERNS, Memory, Objective, State};
use yomikiri_solve::induction::Induction;
use yomikiri_solve::memo::{Memo, solve_from};
use yomikiri_solve::{Solution, Solver};
use yomikiri_testkit::interrupted::{MemoryStore, StopAt};

const OBJECTIVES: [Objective; 2] = [Objective::Win, Objective::Cards];

fn game(ranks: usize, copies: usize, objective: Objective) -> Memory {
    Memory::new(ranks, copies, objective).unwrap()
}

fn doubles(game: &Memory) -> Levels<Doubles> {
    Levels::solve(game, Doubles, Keep::All, &Run::default()).unwrap()
}

fn exact(game: &Memory) -> Levels<Factorials> {
    Levels::solve(game, Factorials::new(game.ranks() * game.copies()), Keep::All, &Run::default()).unwrap()
}

fn every_position(game: &Memory) -> impl Iterator<Item = ((u32, u64), State)> + '_ {
    (0..game.tiers())
        .flat_map(|t| (0..game.len(t)).map(move |i| (t, i)))
        .map(|at| (at, game.state(at).unwrap()))
}

/// All legal positions, not only those a search would visit: this is also the proof, for these sizes, that
/// free pairs may be taken at once and that the pass flag need not be stored.
#[test]
fn law_levels_equal_induction_on_every_legal_position() {
    for (ranks, copies) in
        [(1, 4), (2, 4), (3, 4), (5, 4), (6, 4), (1, 2), (6, 2), (9, 2), (1, 6), (2, 6), (3, 6)]
    {
        for objective in OBJECTIVES {
            let game = game(ranks, copies, objective);
            let generic = Induction::<f64>::new().solve(&game, &Run::default()).unwrap();
            let levels = doubles(&game);
            for ((tier, at), s) in every_position(&game) {
                let expected = generic.tier(tier)[at as usize];
                let found = levels.lookup(&s.counts, s.diff).unwrap();
                assert!((found - expected).abs() < 1e-12, "{s:?}: {found}, not {expected}");
            }
        }
    }
}

#[test]
fn law_exact_levels_equal_exact_induction() {
    for (ranks, copies) in [(3, 4), (5, 2), (2, 6)] {
        for objective in OBJECTIVES {
            let game = game(ranks, copies, objective);
            let generic = Induction::<Rational>::new().solve(&game, &Run::default()).unwrap();
            let levels = exact(&game);
            for ((tier, at), s) in every_position(&game) {
                assert_eq!(
                    levels.lookup(&s.counts, s.diff).unwrap(),
                    generic.tier(tier)[at as usize],
                    "{s:?}"
                );
            }
        }
    }
}

#[test]
fn law_recursion_equals_induction_also_after_a_pass() {
    for (ranks, copies) in [(4, 4), (6, 2), (2, 6)] {
        for objective in OBJECTIVES {
            let game = game(ranks, copies, objective);
            let mut starts: Vec<State> = every_position(&game).map(|(_, s)| s).collect();
            let passed: Vec<State> = starts
                .iter()
                .filter(|s| game.known_ranks(&s.counts) >= 2)
                .map(|s| State { passed: true, ..s.clone() })
                .collect();
            starts.extend(passed);
            let recursion = solve_from::<Memory, f64>(&game, &starts, &Run::default()).unwrap();
            let levels = doubles(&game);
            for s in &starts {
                let expected = recursion.value(&game, s).unwrap();
                let found = levels.value(&game, s).unwrap();
                assert!((found - expected).abs() < 1e-12, "{s:?}: {found}, not {expected}");
                let moves = recursion.moves(&game, s);
                for (ours, theirs) in levels.moves(&game, s).iter().zip(&moves) {
                    assert_eq!(ours.0, theirs.0);
                    assert!((ours.1.unwrap() - theirs.1.unwrap()).abs() < 1e-12, "{s:?} {ours:?} {theirs:?}");
                }
            }
        }
    }
}

#[test]
fn law_exact_and_double_values_agree() {
    let game = game(7, 4, Objective::Win);
    let (fast, slow) = (doubles(&game), exact(&game));
    for (_, s) in every_position(&game).step_by(7) {
        let (x, y) = (fast.value(&game, &s).unwrap(), slow.value(&game, &s).unwrap().approx());
        assert!((x - y).abs() < 1e-13, "{s:?}: {x} {y}");
    }
}

#[test]
fn law_same_bits_for_any_number_of_threads() {
    let game = game(16, 4, Objective::Win);
    let roots = |solved: &Levels<Doubles>| -> Vec<Option<u64>> {
        (0..=16).map(|n| solved.root(n).map(f64::to_bits)).collect()
    };
    let solve = |threads: usize, keep: Keep| {
        let run = Run { threads, ..Run::default() };
        Levels::solve(&game, Doubles, keep, &run).unwrap()
    };
    let count = |threads: usize| {
        let run = Run { threads, ..Run::default() };
        Levels::count(&game, Doubles, &run).unwrap()
    };
    let (one, counted) = (solve(1, Keep::All), count(1));
    assert_eq!((&one.tally, counted.tally.is_some()), (&None, true));
    for threads in [1, 2, 3, 8] {
        let many = solve(threads, Keep::All);
        assert_eq!(roots(&one), roots(&many), "{threads} threads");
        for (_, s) in every_position(&self::game(5, 4, Objective::Win)) {
            let bits = |l: &Levels<Doubles>| l.lookup(&s.counts, s.diff).map(f64::to_bits);
            assert_eq!(bits(&one), bits(&many));
        }
        let window = solve(threads, Keep::Window);
        assert_eq!(roots(&one), roots(&window), "keeping three levels, {threads} threads");
        let many = count(threads);
        assert_eq!((roots(&one), &counted.tally), (roots(&many), &many.tally), "counting, {threads} threads");
    }
    let run = Run { threads: 2, ..Run::default() };
    let small = self::game(5, 4, Objective::Win);
    let a = Induction::<f64>::new().solve(&small, &Run::default()).unwrap();
    let b = Induction::<f64>::new().solve(&small, &run).unwrap();
    for t in 0..small.tiers() {
        assert_eq!(
            a.tier(t).iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
            b.tier(t).iter().map(|x| x.to_bits()).collect::<Vec<_>>()
        );
    }
}

#[test]
fn law_one_pass_gives_every_smaller_game() {
    let large = doubles(&game(9, 4, Objective::Win));
    for n in 1..=9 {
        let small = doubles(&game(n, 4, Objective::Win));
        assert_eq!(large.root(n).map(f64::to_bits), small.root(n).map(f64::to_bits), "n = {n}");
    }
    // With an odd number of pairs a rank only every second game has the right parity.
    let large = doubles(&game(9, 2, Objective::Win));
    assert_eq!((large.root(8), large.root(7).is_some()), (None, true));
}

/// The tally of the levels is the tally of the answers.
#[test]
fn law_tally_counts_the_best_moves_of_all_positions() {
    for (ranks, copies, objective) in
        [(5, 4, Objective::Win), (4, 4, Objective::Cards), (7, 2, Objective::Win), (2, 6, Objective::Win)]
    {
        let game = game(ranks, copies, objective);
        let levels = doubles(&game);
        let tally = Levels::count(&game, Doubles, &Run::default()).unwrap().tally.unwrap();
        let kinds: Vec<_> =
            game.patterns().iter().filter(|p| p.unknown > 0 && !p.free_pair()).copied().collect();
        let mut first = [0; 3];
        let mut second = [[0; 3]; MAX_PATTERNS];
        for (_, s) in every_position(&game) {
            let stored = game.patterns().iter().zip(s.counts).all(|(p, n)| n == 0 || !p.free_pair());
            if !stored
                || (objective == Objective::Cards && s.diff != game.widest(game.remaining(&s.counts)) as i16)
            {
                continue;
            }
            let found = answer(&game, &levels, &s).unwrap();
            match best(&found.moves)[0] {
                Action::Take(_) => first[0] += 1,
                Action::Flip => {
                    first[1] += 1;
                    for (pattern, _, values) in &found.second {
                        let kind = kinds.iter().position(|k| k == pattern).unwrap();
                        let column = match best(values)[0] {
                            Action::Same => 0,
                            Action::Different => 1,
                            _ => 2,
                        };
                        second[kind][column] += 1;
                    }
                }
                _ => first[2] += 1,
            }
        }
        assert_eq!(tally.first, first, "{ranks} {copies} {objective:?}");
        assert_eq!(tally.second, second, "{ranks} {copies} {objective:?}");
        if objective == Objective::Win {
            // The finished game has a place too, unless no difference is even.
            let finished = u64::from(game.total_pairs().is_multiple_of(2));
            assert_eq!(levels.values, first.iter().sum::<u64>() + finished);
        }
    }
}

#[test]
fn law_an_interrupted_run_resumes_to_the_same_bits() {
    let game = game(12, 4, Objective::Win);
    let whole = Levels::solve(&game, Doubles, Keep::Window, &Run::default()).unwrap();
    let cache = MemoryStore::default();
    let cancel = AtomicBool::new(false);
    let mut stops = 0;
    let mut at = 500;
    let resumed = loop {
        cancel.store(false, Ordering::Relaxed);
        let observer = StopAt(at, &cancel);
        let run = Run { store: &cache, cancel: &cancel, observer: &observer, threads: 2, ..Run::default() };
        match Levels::solve(&game, Doubles, Keep::Window, &run) {
            Ok(solved) => break solved,
            Err(Error::Cancelled) => {
                stops += 1;
                assert_eq!(cache.0.lock().unwrap().len(), 1, "a checkpoint is kept");
            }
            Err(other) => panic!("{other}"),
        }
        at += 7001;
    };
    assert!(stops >= 5, "it was interrupted {stops} times");
    for n in 0..=12 {
        assert_eq!(whole.root(n).map(f64::to_bits), resumed.root(n).map(f64::to_bits));
    }
    assert_eq!(whole.tally, resumed.tally);
    assert!(cache.0.lock().unwrap().is_empty(), "the checkpoint goes when the run is done");
}

#[test]
fn law_stored_tables_answer_as_solved_ones_and_broken_ones_are_not_believed() {
    let game = game(5, 4, Objective::Win);
    let cache = MemoryStore::default();
    let run = Run { store: &cache, ..Run::default() };
    let solved = Levels::solve(&game, Doubles, Keep::All, &run).unwrap();
    let name = cache.0.lock().unwrap().keys().next().unwrap().clone();
    let again = Levels::solve(&game, Doubles, Keep::All, &run).unwrap();
    for (_, s) in every_position(&game) {
        assert_eq!(solved.lookup(&s.counts, s.diff), again.lookup(&s.counts, s.diff));
    }
    let bytes = cache.0.lock().unwrap()[&name].clone();
    for len in (0..bytes.len()).step_by(211) {
        cache.0.lock().unwrap().insert(name.clone(), bytes[..len].to_vec());
        let healed = Levels::solve(&game, Doubles, Keep::All, &run).unwrap();
        assert_eq!(healed.root(5), solved.root(5), "cut to {len} bytes");
        assert_eq!(healed.tally, solved.tally);
    }
    // Exact tables too.
    let slow = Levels::solve(&game, Factorials::new(20), Keep::All, &run).unwrap();
    let slow_again = Levels::solve(&game, Factorials::new(20), Keep::All, &run).unwrap();
    assert_eq!(slow.root(5), slow_again.root(5));
}

#[test]
fn law_a_run_that_does_not_fit_says_so_before_it_starts() {
    let run = Run { memory: 1 << 20, observer: &Silent, ..Run::default() };
    let game = game(100, 4, Objective::Win);
    let Err(Error::Memory { need, limit }) = Levels::solve(&game, Doubles, Keep::All, &run) else {
        panic!("a table of 100 ranks does not fit into 1 MiB")
    };
    assert!(need > 30 << 30, "{need}");
    assert_eq!(limit, 1 << 20);
    // Sizes beyond counting are turned away as well, and at once.
    let huge = self::game(200, 6, Objective::Win);
    assert!(matches!(Levels::solve(&huge, Doubles, Keep::Window, &run), Err(Error::Memory { .. })));
    let small = self::game(8, 4, Objective::Win);
    let tight = Run { memory: 1000, ..Run::default() };
    assert!(matches!(Induction::<f64>::new().solve(&small, &tight), Err(Error::Memory { .. })));
    assert!(matches!(Solver::solve(&Memo::<f64>::new(), &small, &tight), Err(Error::Memory { .. })));
}

/// A legal position of a game, from arbitrary numbers: the pattern of each rank, and more to choose the
/// rest by.
fn arbitrary_position(copies: usize, ranks: usize) -> impl Strategy<Value = (Vec<u8>, u64, bool)> {
    let places = (copies / 2 + 1).pow(2) as u8;
    (proptest::collection::vec(0..places, 1..=ranks), any::<u64>(), any::<bool>())
}

fn settle(
    copies: usize,
    objective: Objective,
    (patterns, pick, passed): &(Vec<u8>, u64, bool),
) -> (Memory, State) {
    let game = game(patterns.len(), copies, objective);
    let mut counts = [0; MAX_PATTERNS];
    for &p in patterns {
        counts[usize::from(p)] += 1;
    }
    let gone = (game.total_pairs() - game.remaining(&counts)) as i64;
    let diff = 2 * (pick % (gone as u64 + 1)) as i64 - gone;
    let passed = *passed && game.known_ranks(&counts) >= 2;
    let s = game.legal(counts, diff, passed).expect("made to be legal");
    (game, s)
}

/// What the smallest table that can be asked says, and what plain recursion says.
fn both_ways(game: &Memory, s: &State) -> (Answer<f64>, Answer<f64>) {
    let table = table_for(game, s, |_| Doubles, &Run::default()).unwrap();
    let recursion = solve_from::<Memory, f64>(game, std::slice::from_ref(s), &Run::default()).unwrap();
    (answer(game, &table, s).unwrap(), answer(game, &recursion, s).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn law_answers_equal_recursion_for_any_legal_position(
        four in arbitrary_position(4, 6),
        two in arbitrary_position(2, 9),
        six in arbitrary_position(6, 3),
        cards in any::<bool>(),
    ) {
        let objective = if cards { Objective::Cards } else { Objective::Win };
        for (copies, position) in [(4, four), (2, two), (6, six)] {
            let (game, s) = settle(copies, objective, &position);
            let (found, expected) = both_ways(&game, &s);
            prop_assert!((found.value - expected.value).abs() < 1e-12, "{:?}", s);
            prop_assert_eq!(best(&found.moves), best(&expected.moves));
            prop_assert_eq!(found.second.len(), expected.second.len());
            for (a, b) in found.second.iter().zip(&expected.second) {
                prop_assert_eq!((a.0, a.1, best(&a.2)), (b.0, b.1, best(&b.2)));
            }
            prop_assert!(ranks_needed(&game, &s) <= game.ranks());
        }
    }
}

#[test]
fn law_decided_positions_have_no_moves() {
    let game = game(3, 4, Objective::Win);
    let mut counts = [0; MAX_PATTERNS];
    counts[5] = 1;
    counts[8] = 2;
    for (diff, value) in [(5, 1.0), (3, 1.0), (-3, 0.0), (-5, 0.0)] {
        let s = game.legal(counts, diff, false).unwrap();
        let found = answer(&game, &doubles(&game), &s).unwrap();
        assert_eq!((found.value, found.moves.len()), (value, 0));
    }
    counts[5] = 0;
    counts[8] = 3;
    let s = game.legal(counts, 0, false).unwrap();
    assert_eq!(answer(&game, &doubles(&game), &s).unwrap().value, 0.5);
}

/// The trap of the facts: after a pass by the other player, a leader ends the game instead of taking.
#[test]
fn regression_passing_back_while_ahead_beats_taking() {
    let game = game(4, 4, Objective::Win);
    let mut counts = [0; MAX_PATTERNS];
    counts[7] = 1; // (0,2): a pair that costs nothing
    counts[6] = 2; // (1,1)
    counts[5] = 1; // (2,0)
    let s = game.legal(counts, 2, true).unwrap();
    let found = answer(&game, &doubles(&game), &s).unwrap();
    assert_eq!(found.value, 1.0);
    assert!(best(&found.moves).contains(&Action::Pass));
    let waiting = answer(&game, &doubles(&game), &State { passed: false, ..s }).unwrap();
    assert!(waiting.value < 1.0, "without the pass the game goes on");
}

#[test]
fn paper_exact_values_of_small_games() {
    for (n, fraction) in [
        (1, "1"),
        (2, "17/35"),
        (3, "2899/5775"),
        (4, "9008/17875"),
        (5, "1284075508/2546168625"),
        (6, "453806630036/901852926975"),
        (13, "1936853556389302337333442487023613079/3881852745012381150960175561318359375"),
    ] {
        let game = game(n, 4, Objective::Win);
        let table = Levels::solve(&game, Factorials::new(4 * n), Keep::Window, &Run::default()).unwrap();
        let value = yomikiri_games::memory::answer::shown(Objective::Win, &table.root(n).unwrap());
        assert_eq!(value.to_string(), fraction, "n = {n}");
    }
    for (n, value) in
        [(8, 0.500458734770513), (10, 0.497817081959028), (13, 0.498950806126760), (20, 0.499361980833289)]
    {
        let root = doubles(&game(n, 4, Objective::Win)).root(n).unwrap();
        assert!(((1.0 + root) / 2.0 - value).abs() < 1e-14, "n = {n}");
    }
}

/// Faster loops may not change what is added in which order: these are the doubles of the loops that came before.
#[test]
fn regression_the_bits_of_values_stay() {
    let table = doubles(&game(13, 4, Objective::Win));
    let before = [
        1.0,
        0.4857142857142857,
        0.501991341991342,
        0.5039440559440559,
        0.5043167586750072,
        0.5031936100248193,
        0.5023174127116626,
        0.5004587347705128,
        0.49908465369841076,
        0.4978170819590279,
        0.4972762605037686,
        0.49804425902131394,
        0.4989508061267596,
    ];
    for (n, value) in (1..).zip(before) {
        let found = yomikiri_games::memory::answer::shown(Objective::Win, &table.root(n).unwrap());
        assert_eq!(found.to_bits(), f64::to_bits(value), "n = {n}: {found}");
    }
}

/// Whole numbers of more words than the compiler is told of.
#[test]
fn law_long_numbers_are_exact_too() {
    for (ranks, copies) in [(20, 4), (40, 2), (10, 6)] {
        let game = game(ranks, copies, Objective::Win);
        let numbers = Factorials::new(ranks * copies);
        assert!(numbers.cells(ranks * copies) > 4, "{ranks} ranks of {copies} are longer than four words");
        let exact = Levels::solve(&game, numbers, Keep::Window, &Run::default()).unwrap();
        let (fast, slow) = (doubles(&game).root(ranks).unwrap(), exact.root(ranks).unwrap().approx());
        assert!((fast - slow).abs() < 1e-13, "{ranks} ranks of {copies}: {fast} {slow}");
    }
}

#[test]
fn law_state_rules_start_is_what_it_says() {
    let game = game(13, 4, Objective::Win);
    let s = game.start();
    assert_eq!((game.unknown(&s.counts), game.remaining(&s.counts), s.diff), (52, 26, 0));
}
