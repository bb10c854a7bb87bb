//! Accordion's engines against its plain rules: packed rows, counts, answers, variants, the paper's method.

use std::collections::HashSet;
use yomikiri_core::cards::Card;
use yomikiri_core::random::Random;
use yomikiri_core::{Canonical, Game, Run};
use yomikiri_games::accordion::method::{Engine, Engines, Winnable, greedy_end, lookahead};
use yomikiri_games::accordion::rules::{Accordion, Row, Rules, Step, deal, matching};
use yomikiri_games::accordion::sliced::{Done, Machine, Sliced};
use yomikiri_solve::search::{Exact, Guided, Limits, Puzzle, Solvability};

/// The rules that tests go through: the usual ones and variants of all kinds.
fn variants() -> Vec<Rules> {
    [
        (&[1, 3][..], 1, false),
        (&[3, 1], 1, false),
        (&[1, 3], 1, true),
        (&[1, 2], 2, false),
        (&[2, 5], 3, true),
        (&[1], 1, false),
        (&[4, 2, 1], 2, true),
    ]
    .into_iter()
    .map(|(distances, piles, grace)| Rules::new(distances, piles, grace).unwrap())
    .collect()
}

fn random_rows(most: u64, count: u64, seed: u64) -> Vec<Vec<Card>> {
    (0..count)
        .map(|i| {
            let mut random = Random::stream(seed, i);
            let (suits, ranks) = (1 + random.below(4) as u8, 3 + random.below(11) as u8);
            deal(suits, ranks, 1 + random.below(most) as usize, seed, i)
        })
        .collect()
}

/// The twin of the exact engine: plain recursion over the plain rules, counting as the paper is taken to count.
fn plain(rules: &Rules, row: &Row, stop: bool, seen: &mut HashSet<Row>) -> bool {
    let mut children = Vec::new();
    for step in rules.steps(row) {
        let child = rules.after(row, step);
        if seen.insert(child.clone()) {
            if stop && rules.won(&child) {
                return true;
            }
            children.push(child);
        }
    }
    children.iter().any(|child| plain(rules, child, stop, seen))
}

fn exact() -> Exact<Machine> {
    Exact::new(Limits::memory(1 << 28)).unwrap()
}

#[test]
fn law_packed_rows_move_as_the_plain_rules_do() {
    for rules in variants() {
        let machine = Machine::new(&rules);
        for (i, cards) in random_rows(52, 60, 3).into_iter().enumerate() {
            let mut random = Random::stream(7, i as u64);
            let mut row = rules.row(cards);
            loop {
                let sliced = Sliced::of(&row);
                assert_eq!(sliced.row(), row);
                let mut moves = Vec::new();
                machine.moves(&sliced, &Done::default(), &mut moves);
                let steps = rules.steps(&row);
                assert_eq!(moves, steps, "{row:?}");
                assert_eq!(machine.solved(&sliced), rules.won(&row));
                let packed = machine.pack(&sliced);
                assert_eq!(machine.words(packed.words()[0]), packed.words().len());
                if steps.is_empty() {
                    break;
                }
                for &step in &steps {
                    assert_eq!(
                        machine.apply(&sliced, step).row(),
                        rules.after(&row, step),
                        "{row:?} {step:?}"
                    );
                }
                row = rules.after(&row, steps[random.below(steps.len() as u64) as usize]);
            }
        }
    }
}

#[test]
fn law_different_rows_have_different_words_and_prints() {
    let rules = Rules::new(&[1, 3], 1, true).unwrap();
    let machine = Machine::new(&rules);
    let mut rows = HashSet::new();
    for cards in random_rows(52, 300, 5) {
        let row = rules.row(cards);
        for step in rules.steps(&row) {
            rows.insert(rules.after(&row, step));
        }
        rows.insert(Row { grace: false, ..row.clone() });
        rows.insert(row);
    }
    let sliced: Vec<Sliced> = rows.iter().map(Sliced::of).collect();
    let words: HashSet<Vec<u64>> = sliced.iter().map(|s| machine.pack(s).words().to_vec()).collect();
    assert_eq!(words.len(), rows.len());
    let prints: HashSet<u64> = sliced.iter().map(|s| machine.fingerprint(s)).collect();
    assert_eq!(prints.len(), rows.len());
}

#[test]
fn law_exact_answers_and_counts_as_plain_recursion_does() {
    let run = Run::default();
    let mut engine = exact();
    let mut answers = [0; 2];
    for rules in variants() {
        let machine = Machine::new(&rules);
        let most = if rules.grace() { 9 } else { 13 };
        for cards in random_rows(most, 150, 11) {
            let row = rules.row(cards);
            let found = engine.solve(&machine, &Sliced::of(&row), &run).unwrap();
            let mut seen = HashSet::from([row.clone()]);
            let can = rules.won(&row) || plain(&rules, &row, true, &mut seen);
            assert_eq!(found.states, seen.len() as u64, "{row:?}");
            match found.solvability {
                Solvability::Solved(steps) => assert!(can && rules.wins(&row, &steps), "{row:?}"),
                Solvability::Unsolvable => assert!(!can, "{row:?}"),
                Solvability::Stopped(limit) => panic!("{limit:?}"),
            }
            answers[usize::from(can)] += 1;
            let mut seen = HashSet::from([row.clone()]);
            plain(&rules, &row, false, &mut seen);
            let reachable = engine.reachable(&machine, &Sliced::of(&row), &run).unwrap();
            assert_eq!(reachable, Ok(seen.len() as u64), "{row:?}");
        }
    }
    assert!(answers.iter().all(|&n| n > 200), "both answers are met often: {answers:?}");
}

#[test]
fn law_fast_and_exact_agree_on_short_rows() {
    let run = Run::default();
    let mut engine = exact();
    let mut answers = [0; 2];
    for rules in variants() {
        let machine = Machine::new(&rules);
        let mut engines = Engines::new(&rules);
        let most = if rules.grace() { 10 } else { 14 };
        for cards in random_rows(most, 300, 13) {
            let row = rules.row(cards);
            let verdict = engine.solve(&machine, &Sliced::of(&row), &run).unwrap().solvability;
            let answer = engines.solve(&row, &run).unwrap();
            match (&verdict, &answer.winnable) {
                // What can be won is found by the fast engine already; only a proof needs the other.
                (Solvability::Solved(_), Winnable::Yes(steps)) => {
                    assert_eq!(answer.engine, Engine::Fast);
                    assert!(rules.wins(&row, steps));
                }
                (Solvability::Unsolvable, Winnable::No) => assert_eq!(answer.engine, Engine::Exact),
                other => panic!("{row:?}: {other:?}"),
            }
            answers[usize::from(verdict != Solvability::Unsolvable)] += 1;
        }
    }
    assert!(answers.iter().all(|&n| n > 300), "{answers:?}");
}

/// Parts of a row by the definition: cards that match belong together.
fn parts(cards: &[Card]) -> u32 {
    let mut part: Vec<usize> = (0..cards.len()).collect();
    for i in 0..cards.len() {
        for j in 0..i {
            if matching(cards[i], cards[j]) {
                let (from, to) = (part[i], part[j]);
                part.iter_mut().filter(|p| **p == from).for_each(|p| *p = to);
            }
        }
    }
    part.into_iter().collect::<HashSet<_>>().len() as u32
}

#[test]
fn law_rows_are_pruned_only_if_hopeless() {
    let run = Run::default();
    let mut engine = exact();
    let mut pruned = [0; 2];
    for rules in variants() {
        let machine = Machine::new(&rules);
        let most = if rules.grace() { 8 } else { 11 };
        for cards in random_rows(most, 400, 17) {
            let row = rules.row(cards);
            let sliced = Sliced::of(&row);
            assert_eq!(sliced.parts(), parts(&row.cards), "{row:?}");
            machine.children(&sliced, machine.promise(&sliced), |step, promise| {
                let after = machine.apply(&sliced, step);
                if !machine.solved(&after) && (promise.is_none() || machine.hopeless(&after)) {
                    let verdict = engine.solve(&machine, &after, &run).unwrap().solvability;
                    assert_eq!(verdict, Solvability::Unsolvable, "{row:?} {step:?}");
                    pruned[usize::from(promise.is_none())] += 1;
                }
            });
        }
    }
    assert!(pruned.iter().all(|&n| n > 100), "both reasons are met: {pruned:?}");
}

#[test]
fn law_children_have_the_promise_they_have_when_they_are_made() {
    let mut stuck = 0;
    for rules in variants() {
        let machine = Machine::new(&rules);
        for cards in random_rows(52, 100, 19) {
            let mut row = rules.row(cards);
            let mut random = Random::stream(29, row.cards.len() as u64);
            // Down to the end, so that moves near both ends of rows of every length are met.
            loop {
                let sliced = Sliced::of(&row);
                let mut children = Vec::new();
                machine.children(&sliced, machine.promise(&sliced), |step, promise| {
                    let after = machine.apply(&sliced, step);
                    let none = !machine.solved(&after) && rules.steps(&after.row()).is_empty();
                    assert_eq!(promise, (!none).then(|| machine.promise(&after)), "{row:?} {step:?}");
                    stuck += u32::from(none);
                    children.push(step);
                });
                assert_eq!(children, rules.steps(&row));
                if children.is_empty() {
                    break;
                }
                row = rules.after(&row, children[random.below(children.len() as u64) as usize]);
            }
        }
    }
    assert!(stuck > 100, "{stuck}");
}

#[test]
fn law_random_deals_are_won_and_the_answer_is_the_same_every_time() {
    let rules = Rules::default();
    let run = Run::default();
    let answers = |rows: &mut dyn Iterator<Item = u64>| {
        let mut engines = Engines::new(&rules);
        let mut all: Vec<_> = rows
            .map(|i| {
                let row = rules.row(deal(4, 13, 52, 1, i));
                let answer = engines.solve(&row, &run).unwrap();
                let Winnable::Yes(steps) = &answer.winnable else { panic!("{answer:?}") };
                assert!(steps.len() == 51 && rules.wins(&row, steps));
                (i, answer)
            })
            .collect();
        all.sort_by_key(|a| a.0);
        all
    };
    // In another order and with other engines, as threads would meet them.
    assert_eq!(answers(&mut (0..60)), answers(&mut (0..60).rev()));
}

/// The paper's greedy play by its own words: from the left, the next card before the third.
fn greedy_twin(rules: &Rules, row: &Row, until: usize) -> Row {
    let mut row = row.clone();
    'again: while row.cards.len() > until {
        for y in 0..row.cards.len() as u8 {
            for d in [1, 3] {
                let step = Step { x: y + d, y };
                if rules.legal(&row, step) {
                    row = rules.after(&row, step);
                    continue 'again;
                }
            }
        }
        break;
    }
    row
}

#[test]
fn law_looking_ahead_is_greedy_play_and_then_everything() {
    let rules = Rules::default();
    let machine = Machine::new(&rules);
    let run = Run::default();
    let mut engine = exact();
    let (mut stuck, mut won) = (0, 0);
    for i in 0..400 {
        let row = rules.row(deal(4, 13, 52, 21, i));
        let sliced = Sliced::of(&row);
        assert_eq!(greedy_end(&machine, &sliced), greedy_twin(&rules, &row, 1).cards.len());
        for until in [1, 2, 5, 12, 14] {
            let root = greedy_twin(&rules, &row, until);
            let found = lookahead(&machine, &mut engine, &sliced, until, &run).unwrap();
            let mut seen = HashSet::from([root.clone()]);
            let short = root.cards.len() <= until;
            assert_eq!(found.stuck, !short);
            let can = short && (rules.won(&root) || plain(&rules, &root, true, &mut seen));
            assert_eq!((found.success, found.states), (Some(can), seen.len() as u64), "{i} {until}");
            stuck += u32::from(found.stuck);
            won += u32::from(can);
        }
    }
    assert!(stuck > 100 && won > 10, "{stuck} {won}");
}

#[test]
fn paper_table_1_has_the_same_successes_for_r_1_and_r_2() {
    // The paper prints 0 and 18: greedy play that leaves two cards that match makes the last move as well.
    let rules = Rules::default();
    let machine = Machine::new(&rules);
    let mut engine = exact();
    let mut won = 0;
    for i in 0..3000 {
        let row = Sliced::of(&rules.row(deal(4, 13, 52, 1, i)));
        let mut look = |until| lookahead(&machine, &mut engine, &row, until, &Run::default()).unwrap();
        let (one, two) = (look(1), look(2));
        assert_eq!(one.success, two.success, "deal {i}");
        won += u32::from(one.success == Some(true));
    }
    assert!(won > 0);
}

#[test]
fn law_renaming_suits_and_ranks_changes_neither_key_nor_answer() {
    let rules = Rules::default();
    let run = Run::default();
    let mut engine = exact();
    let machine = Machine::new(&rules);
    let mut keys = HashSet::new();
    for cards in random_rows(12, 100, 23) {
        let game = Accordion::new(rules.clone(), cards).unwrap();
        let row = game.start();
        let states = engine.reachable(&machine, &Sliced::of(&row), &run).unwrap();
        let mut images = Vec::new();
        game.symmetric(&row, &mut images);
        assert!(images.len() == 3 && images[0] != row);
        for image in images {
            assert_eq!(game.key(&image), game.key(&row));
            assert_eq!(engine.reachable(&machine, &Sliced::of(&image), &run).unwrap(), states);
        }
        keys.insert(game.key(&row));
    }
    assert!(keys.len() > 40, "rows that are not alike have keys of their own");
}
