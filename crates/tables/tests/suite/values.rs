//! What is in a table: the same as a solver finds, found by whoever asks and by whoever checks.

use crate::common::{SMALL, alone, build, build_with, content, forge, open, settings, tables, verify};
use yomikiri_core::random::Random;
use yomikiri_core::{Indexed, OpenTables, Retro, Run};
use yomikiri_games::geister::analysis::Kind;
use yomikiri_games::geister::board::Board;
use yomikiri_games::geister::tables::Tables as GeisterTables;
use yomikiri_games::memory::answer::table_for;
use yomikiri_games::memory::levels::{Doubles, Keep, Levels};
use yomikiri_games::memory::rules::{Memory, Objective};
use yomikiri_games::tables::Extent;
use yomikiri_tables::{Fault, Wishes};

#[test]
fn law_memory_from_disk_has_the_bits_of_the_solver() {
    let dir = tempfile::tempdir().unwrap();
    let two = |given: &[(&str, &str)]| !given.iter().any(|(name, _)| *name == "players");
    for (i, (game, given)) in SMALL.iter().filter(|(game, given)| *game == "memory" && two(given)).enumerate()
    {
        let folder = dir.path().join(i.to_string());
        build(&folder, game, given);
        let settings = settings(game, given);
        let objective = if settings.word("objective") == "win" { Objective::Win } else { Objective::Cards };
        let copies = settings.word("copies").parse().unwrap();
        let game = Memory::new(settings.int("ranks") as usize, copies, objective).unwrap();
        let solved = Levels::solve(&game, Doubles, Keep::All, &Run::default()).unwrap();
        let opened = alone(&[&folder]).unwrap();
        let run = Run { tables: &opened, ..Run::default() };
        let mut compared = 0;
        for tier in 0..game.tiers() {
            for at in 0..game.len(tier) {
                let s = game.state((tier, at)).unwrap();
                let table = table_for(&game, &s, |_| Doubles, &run).unwrap();
                let bits = |levels: &Levels<Doubles>| levels.lookup(&s.counts, s.diff).map(f64::to_bits);
                assert!(bits(&table).is_some(), "{s:?}");
                assert_eq!(bits(&table), bits(&solved), "{s:?}");
                table.sound().unwrap();
                compared += 1;
            }
        }
        assert!(compared > 50, "{compared}");
    }
}

#[test]
fn law_geister_from_disk_has_the_verdicts_of_the_solver() {
    let dir = tempfile::tempdir().unwrap();
    for mirror in ["off", "on"] {
        let folder = dir.path().join(mirror);
        build(&folder, "geister", &[("width", "3"), ("height", "4"), ("mirror", mirror)]);
        let opened = alone(&[&folder]).unwrap();
        let run = Run { tables: &opened, ..Run::default() };
        let board = || Board::new(3, 4).unwrap();
        let (solver, disk) = (GeisterTables::new(board(), false), GeisterTables::new(board(), false));
        for kind in Kind::ALL {
            let solved = solver.solve(kind, &Run::default()).unwrap();
            let stored = disk.solve(kind, &run).unwrap();
            for place in 0..solved.table.places() {
                let p = solved.rules.at(place).unwrap();
                assert_eq!(stored.verdict(&p), solved.table.get(place), "{}: {p:?}", kind.id());
            }
        }
    }
}

#[test]
fn law_the_bytes_do_not_depend_on_the_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    for (i, (game, given)) in [
        ("memory", &[("ranks", "9")][..]),
        ("memory", &[("ranks", "4"), ("players", "3")]),
        ("geister", &[("width", "4"), ("height", "3")]),
    ]
    .iter()
    .enumerate()
    {
        let folders = [1, 2].map(|threads| {
            let folder = dir.path().join(format!("{i}-{threads}"));
            let run = Run { threads, ..Run::default() };
            build_with(&folder, game, given, Wishes::default(), &run).unwrap();
            content(&folder)
        });
        assert!(folders[0] == folders[1], "{game}");
    }
}

#[test]
fn law_a_table_that_was_built_is_sound() {
    let dir = tempfile::tempdir().unwrap();
    for (i, (game, given)) in SMALL.iter().enumerate() {
        let folder = dir.path().join(i.to_string());
        let manifest = build(&folder, game, given);
        let all = verify(&folder, Extent::All).unwrap();
        assert_eq!(all.wrong, None, "{game} {given:?}");
        // Positions of several players have several numbers.
        let numbers = manifest.index["numbers"].as_u64().unwrap_or(1);
        assert_eq!(all.positions * numbers, manifest.values());
        let some = verify(&folder, Extent::Sample(50)).unwrap();
        assert_eq!(some.wrong, None, "{game} {given:?}");
        assert!((1..70).contains(&some.positions), "{}", some.positions);
    }
}

#[test]
fn law_one_wrong_value_is_found_and_named_though_its_digest_is_right() {
    let dir = tempfile::tempdir().unwrap();
    let mut random = Random::new(3);
    for (i, (game, given)) in SMALL.iter().enumerate() {
        let whole = dir.path().join(format!("{i}"));
        let manifest = build(&whole, game, given);
        for n in 0..12 {
            let folder = crate::common::copy(&whole, dir.path().join(format!("{i}-{n}")));
            let tier = random.below(manifest.files.len() as u64) as usize;
            let listed = &manifest.files[tier];
            let place = random.below(listed.tier.count);
            let size = listed.tier.number.bytes();
            let at = (128 + place * size) as usize;
            let file = format!("{}.npy", listed.tier.name);
            forge(&folder, &file, |bytes| {
                if size == 8 {
                    let raw: &mut [u8; 8] = (&mut bytes[at..at + 8]).try_into().unwrap();
                    // What is just beyond the tolerance, what is no value, and what is no number.
                    let wrong = match n % 4 {
                        0 => f64::from_le_bytes(*raw) + 3e-12,
                        1 => f64::from_le_bytes(*raw) - 0.25,
                        2 => f64::NAN,
                        _ => 1e300,
                    };
                    *raw = wrong.to_le_bytes();
                } else {
                    let raw: &mut [u8; 2] = (&mut bytes[at..at + 2]).try_into().unwrap();
                    let code = u16::from_le_bytes(*raw);
                    let wrong = match n % 4 {
                        0 => code ^ 1,
                        1 => code.wrapping_add(2),
                        2 => code ^ 0x8000,
                        _ => code ^ 0x1000,
                    };
                    *raw = wrong.to_le_bytes();
                }
            });
            let wrong = verify(&folder, Extent::All).unwrap().wrong.expect("it is wrong");
            if *game == "memory" {
                // What relies on the value comes later.
                assert_eq!((wrong.tier, wrong.place), (tier, place), "{given:?} {wrong:?}");
                assert!(!wrong.position.is_empty());
            } else {
                // What relies on it may come before it, but not in an array that is looked into.
                assert_eq!(wrong.tier, tier, "{wrong:?}");
            }
        }
    }
}

#[test]
fn law_what_is_not_in_the_table_is_refused_and_not_solved() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("m");
    build(&folder, "memory", &[("ranks", "4")]);
    let opened = alone(&[&folder]).unwrap();
    // No solver could work with so little.
    let run = Run { tables: &opened, memory: 0, ..Run::default() };
    let ask = |ranks: usize, copies: usize, objective: Objective| {
        let game = Memory::new(ranks, copies, objective).unwrap();
        let s = yomikiri_core::Game::start(&game);
        table_for(&game, &s, |_| Doubles, &run).map(drop).map_err(|e| e.to_string())
    };
    for ranks in 1..=4 {
        assert_eq!(ask(ranks, 4, Objective::Win), Ok(()));
    }
    for (ranks, copies, objective) in
        [(5, 4, Objective::Win), (4, 2, Objective::Win), (4, 4, Objective::Cards)]
    {
        let refused = ask(ranks, copies, objective).unwrap_err();
        assert!(
            refused.contains("table: got") && refused.contains("ranks=4,copies=4,objective=win"),
            "{refused}"
        );
    }
    let game = Memory::new(3, 4, Objective::Win).unwrap();
    let s = yomikiri_core::Game::start(&game);
    use yomikiri_games::memory::levels::Factorials;
    let refused = table_for(&game, &s, Factorials::new, &run).map(drop).unwrap_err().to_string();
    assert!(refused.contains("fractions"), "{refused}");
    // A table that does not stand there alone is used for what it holds; the rest is solved.
    let mut beside = OpenTables::beside();
    beside.add(open(&folder).unwrap().table().unwrap()).unwrap();
    let run = Run { tables: &beside, ..Run::default() };
    let little = Run { memory: 0, ..run };
    assert!(table_for(&game, &s, |_| Doubles, &little).is_ok());
    let game = Memory::new(5, 4, Objective::Win).unwrap();
    let s = yomikiri_core::Game::start(&game);
    assert!(table_for(&game, &s, |_| Doubles, &little).is_err());
    assert!(table_for(&game, &s, |_| Doubles, &run).unwrap().lookup(&s.counts, 0).is_some());
}

#[test]
fn law_of_several_tables_the_smallest_that_holds_the_question_is_asked() {
    let dir = tempfile::tempdir().unwrap();
    let variants: [&[(&str, &str)]; 4] = [
        &[("ranks", "3")],
        &[("ranks", "5")],
        &[("ranks", "4"), ("objective", "cards")],
        &[("ranks", "5"), ("copies", "2")],
    ];
    let folders: Vec<_> = (0..variants.len()).map(|i| dir.path().join(i.to_string())).collect();
    for (folder, given) in folders.iter().zip(variants) {
        build(folder, "memory", given);
    }
    // Whatever their order.
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2]] {
        let opened = alone(&order.map(|i| folders[i].as_path())).unwrap();
        let run = Run { tables: &opened, memory: 0, ..Run::default() };
        let ask = |ranks: usize, copies: usize, objective: Objective| {
            let game = Memory::new(ranks, copies, objective).unwrap();
            let s = yomikiri_core::Game::start(&game);
            let found = table_for(&game, &s, |_| Doubles, &run).map_err(|e| e.to_string())?;
            let solved = Levels::solve(&game, Doubles, Keep::All, &Run::default()).unwrap();
            assert_eq!(found.lookup(&s.counts, s.diff), solved.lookup(&s.counts, s.diff));
            // The largest game that it holds is the one it was built for.
            let start = |ranks| yomikiri_core::Game::start(&Memory::new(ranks, copies, objective).unwrap());
            let holds = |ranks: &usize| found.lookup(&start(*ranks).counts, 0).is_some();
            Ok::<usize, String>((1..=8).rev().find(holds).unwrap())
        };
        assert_eq!([1, 2, 3, 4, 5].map(|ranks| ask(ranks, 4, Objective::Win).unwrap()), [3, 3, 3, 5, 5]);
        assert_eq!(ask(2, 4, Objective::Cards), Ok(4));
        // With an odd number of pairs a rank only ranks of the same parity.
        assert_eq!(ask(3, 2, Objective::Win), Ok(5));
        for refused in [ask(6, 4, Objective::Win), ask(5, 4, Objective::Cards), ask(4, 2, Objective::Win)] {
            let refused = refused.unwrap_err();
            // All of them are named, and no flag is.
            assert!(refused.starts_with("table: got ") && !refused.contains("--"), "{refused}");
            for folder in &folders {
                assert!(refused.contains(&folder.display().to_string()), "{refused}");
            }
        }
    }
    // Of two of the same variant the second is refused, and both are named.
    let again = crate::common::copy(&folders[1], dir.path().join("again"));
    let refused = crate::common::said(&alone(&[&folders[0], &folders[1], &again]).map(drop).unwrap_err());
    let both = [&folders[1], &again].map(|folder| folder.display().to_string());
    assert!(both.iter().all(|name| refused.contains(name)) && refused.contains("ranks=5"), "{refused}");
}

#[test]
fn law_several_tables_of_geister_answer_together() {
    let dir = tempfile::tempdir().unwrap();
    let folders = ["basic", "extended", "wide"].map(|name| dir.path().join(name));
    let sizes = [("width", "3"), ("height", "4")];
    build(&folders[0], "geister", &[sizes[0], sizes[1], ("analysis", "2v2-basic")]);
    build(&folders[1], "geister", &[sizes[0], sizes[1], ("analysis", "2v2-extended")]);
    build(&folders[2], "geister", &[("width", "4"), ("height", "3"), ("analysis", "2v2-basic")]);
    let opened = alone(&[&folders[0], &folders[1], &folders[2]]).unwrap();
    let run = Run { tables: &opened, memory: 0, ..Run::default() };
    let tables = |w, h| GeisterTables::new(Board::new(w, h).unwrap(), false);
    for (kind, w, h) in [(Kind::Basic, 3, 4), (Kind::Extended, 3, 4), (Kind::Basic, 4, 3)] {
        let stored = tables(w, h).solve(kind, &run).unwrap();
        let solved = tables(w, h).solve(kind, &Run::default()).unwrap();
        for place in 0..solved.table.places() {
            let p = solved.rules.at(place).unwrap();
            assert_eq!(stored.verdict(&p), solved.table.get(place), "{} {w}x{h}: {p:?}", kind.id());
        }
    }
    let refused = tables(4, 3).solve(Kind::Extended, &run).map(drop).unwrap_err().to_string();
    assert!(refused.contains("basic") && refused.contains("wide") && refused.contains("4x3"), "{refused}");
}

#[test]
fn law_what_does_not_fit_is_said_before_anything_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("m");
    let run = Run { memory: 1000, ..Run::default() };
    let refused = build_with(&folder, "memory", &[("ranks", "8")], Wishes::default(), &run).unwrap_err();
    assert!(matches!(refused, Fault::Game(yomikiri_core::Error::Memory { .. })));
    // Too many rows even to count them.
    let huge = tables("memory").plan(&settings("memory", &[("ranks", "200"), ("copies", "6")]), &run);
    assert!(huge.unwrap_err().to_string().contains("fewer ranks"));
    assert!(std::fs::read_dir(dir.path()).unwrap().next().is_none(), "nothing was made");
}
