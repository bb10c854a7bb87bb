//! Ranks against threads, in one run: the same table by two threads of one process, by one rank and by two.
//!
//! `cargo xtask bench mpi [BOARD A B]`, 5x5 4 4 unless another is named.

use std::process::Command;
use std::time::Instant;
use yomikiri_core::Retro;
use yomikiri_core::Run;
use yomikiri_games::geister::analysis::{Kind, Needs, Rules};
use yomikiri_games::geister::board::Board;
use yomikiri_games::geister::kind::materials;
use yomikiri_solve::retrograde;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let word = |at: usize, default: &str| words.get(at).cloned().unwrap_or_else(|| default.to_owned());
    let (board, a, b) = (word(0, "5x5"), word(1, "4"), word(2, "4"));
    let (width, height) = board.split_once('x').expect("a board such as 5x5");
    let size = |n: &str| n.parse().expect("a number");
    let place = Board::new(size(width), size(height)).expect("a board");
    let pieces = materials(Kind::Basic, size(&a).into(), size(&b).into()).expect("pieces");
    let rules = Rules::new(Kind::Basic, &place, &pieces, false, Needs::default());
    println!("{board}, {a} against {b}: {} places", rules.places());
    let begun = Instant::now();
    let run = Run { threads: 2, memory: u64::MAX, ..Run::default() };
    let table = retrograde::solve(&rules, "bench", &run).expect("a table");
    let threads = begun.elapsed().as_secs_f64();
    drop(table);
    println!("  two threads of one process: {threads:.2} s");
    let folder = std::env::temp_dir().join(format!("yomikiri-mpi-bench-{}", std::process::id()));
    for ranks in [1, 2] {
        let _ = std::fs::remove_dir_all(&folder);
        let mut command = Command::new("mpirun");
        command.args(["--allow-run-as-root", "--oversubscribe", "-n", &ranks.to_string()]);
        command.args([env!("CARGO_BIN_EXE_yomikiri-mpi"), "solve", "geister", "--board", &board]);
        command
            .args(["--a", &a, "--b", &b, "--checkpoint", "off", "--quiet", "--json", "--out"])
            .arg(&folder);
        let out = command.output().expect("mpirun");
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        let answer: serde_json::Value = serde_json::from_slice(&out.stdout).expect("an answer");
        let (seconds, sent) =
            (answer["solving"].as_f64().unwrap_or(0.0), answer["bytes_sent"].as_u64().unwrap_or(0));
        println!(
            "  {ranks} ranks: {seconds:.2} s, {:.2} times; {sent} bytes sent, {:.2} a place, {} exchanges",
            seconds / threads,
            sent as f64 / rules.places() as f64,
            answer["exchanges"]
        );
    }
    let _ = std::fs::remove_dir_all(&folder);
}
