//! What ranks write, with threads for ranks: the table that one process builds, byte by byte.

mod common;

use common::{built, files};
use std::fs;
use yomikiri_core::{Lang, Run};
use yomikiri_games::geister::on_disk::OnDisk;
use yomikiri_games::tables::{Extent, Tables};
use yomikiri_solve::retrograde::ranks::ThreadRank;
use yomikiri_tables::Opened;

/// Runs a command line on so many ranks; their exit codes, and what they said.
fn ranks(size: usize, line: &str) -> Vec<(u8, String)> {
    let words: Vec<String> = line.split_whitespace().map(String::from).collect();
    std::thread::scope(|scope| {
        let words = &words;
        let threads: Vec<_> = ThreadRank::several(size)
            .into_iter()
            .map(|rank| {
                scope.spawn(move || {
                    let mut out = Vec::new();
                    let code = yomikiri_mpi::run(words, &rank, Lang::En, &mut out);
                    (code, String::from_utf8(out).unwrap())
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn law_ranks_write_the_table_of_one_process() {
    let dir = tempfile::tempdir().unwrap();
    for (i, (flags, given)) in [
        (
            "--a 2 --b 2 --board 3x5 --mirror on",
            vec![("analysis", "2v2-basic"), ("width", "3"), ("height", "5"), ("mirror", "on")],
        ),
        ("--analysis open", vec![("analysis", "open")]),
    ]
    .into_iter()
    .enumerate()
    {
        let wanted = built(&dir.path().join(format!("one{i}")), &given);
        for size in [1, 3] {
            let out = dir.path().join(format!("table{i}-{size}"));
            let line = format!("solve geister {flags} --quiet --json --out {}", out.display());
            let said = ranks(size, &line);
            assert!(said.iter().all(|(code, _)| *code == 0), "{line}");
            assert!(said[0].1.contains("\"longest\":") && said[1..].iter().all(|(_, out)| out.is_empty()));
            assert!(files(&out) == wanted, "{line}: other bytes with {size} ranks");
            let opened = Opened::new(&out, yomikiri_shelf::GAMES, &Run::default()).unwrap();
            let arrays = opened.arrays(&Run::default()).unwrap().unwrap();
            let checked =
                OnDisk.check(&opened.settings, &opened.plan, &arrays, Extent::Sample(5000), &Run::default());
            assert_eq!(checked.unwrap().wrong, None);
            // It is not replaced unasked.
            assert!(ranks(size, &line).iter().any(|(code, _)| *code == 2));
        }
    }
}

#[test]
fn law_what_does_not_fit_a_rank_is_refused_before_it_starts() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("table");
    let line = format!("solve geister --board 6x6 --a 4 --b 4 --memory 1G --quiet --out {}", out.display());
    for size in [1, 2] {
        assert!(ranks(size, &line).iter().all(|(code, _)| *code == 2));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
    assert!(ranks(2, "solve geister --out").iter().all(|(code, _)| *code == 2));
    assert!(ranks(2, "solve geister --help").iter().all(|(code, _)| *code == 0));
}
