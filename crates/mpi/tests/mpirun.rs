//! The program as `mpirun` starts it: the same bytes as one process, whatever is killed.

mod common;

use common::{built, files};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use yomikiri_core::random::Random;

/// `mpirun` with so many ranks of the program.
fn mpirun(size: usize, line: &str) -> Command {
    let mut command = Command::new("mpirun");
    let version = Command::new("mpirun").arg("--version").output().expect("mpirun");
    if String::from_utf8_lossy(&version.stdout).contains("Open MPI") {
        // More ranks than cores, also for root, and no messages past the kernel of a container.
        command.args(["--allow-run-as-root", "--oversubscribe"]);
        command.env("OMPI_MCA_btl_vader_single_copy_mechanism", "none");
        command.env("OMPI_MCA_mpi_yield_when_idle", "1");
    }
    command.args(["-n", &size.to_string(), env!("CARGO_BIN_EXE_yomikiri-mpi")]);
    command.args(line.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The processes that a process has started, by what the kernel says.
fn children(of: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let parent = |id: u32| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name in parentheses may hold anything.
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse::<u32>().ok()
    };
    ids.filter(|id| parent(*id) == Some(of)).collect()
}

fn kill(id: u32) {
    let _ = Command::new("kill").args(["-KILL", &id.to_string()]).stderr(Stdio::null()).status();
}

/// Waits for the end, which comes by itself when a rank or `mpirun` is gone.
fn ended(child: Child) -> Output {
    child.wait_with_output().unwrap()
}

/// Whether so many ranks have kept something that can be read again.
fn kept(folder: &Path, size: usize) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| !entry.file_name().to_string_lossy().ends_with(".writing")).count() >= size
}

/// Solves it until it is done, killed on the way up to four times; how often it was killed, and how often it went on from
/// what was kept. The table must be the one that is wanted.
fn killed_on_the_way(
    size: usize,
    line: &str,
    out: &Path,
    wanted: &BTreeMap<String, Vec<u8>>,
    random: &mut Random,
) -> (u32, u32) {
    let part = out.with_extension("part");
    let (mut kills, mut resumed) = (0, 0);
    loop {
        let mut child = mpirun(size, line).spawn().unwrap();
        if kills < 4 {
            // Until something is kept, and then for a while.
            while child.try_wait().unwrap().is_none() && !kept(&part.join("checkpoints"), size) {
                std::thread::sleep(Duration::from_millis(2));
            }
            std::thread::sleep(Duration::from_millis(random.below(150)));
            if child.try_wait().unwrap().is_none() {
                kills += 1;
                let ranks = children(child.id());
                match kills % 2 {
                    // One of them; `mpirun` ends the others.
                    1 => ranks.iter().take(1).for_each(|id| kill(*id)),
                    _ => ranks.iter().for_each(|id| kill(*id)),
                }
            }
        }
        let output = ended(child);
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        resumed += u32::from(err.contains("resumed at distance"));
        if output.status.success() {
            let said = String::from_utf8(output.stdout).unwrap();
            assert!(said.contains("longest"), "{said}");
            break;
        }
        assert!(kills > 0, "it failed: {err}");
        if out.exists() {
            // Killed when the table was whole and in its place.
            break;
        }
    }
    assert!(files(out) == *wanted, "{size} ranks, {kills} kills: other bytes");
    assert!(!part.exists());
    (kills, resumed)
}

/// How long a run takes, and how soon it has kept something, is up to the machine: it is solved again until it was killed, and
/// went on, so many times.
fn killed(size: usize, board: &str, pieces: [&str; 2], least: u32) {
    let dir = tempfile::tempdir().unwrap();
    let [a, b] = pieces;
    let (width, height) = board.split_once('x').unwrap();
    let given = [("analysis", "2v2-basic"), ("width", width), ("height", height), ("a", a), ("b", b)];
    let wanted = built(&dir.path().join("one"), &given);
    let out = dir.path().join("table");
    let line =
        format!("solve geister --board {board} --a {a} --b {b} --checkpoint 0.02 --out {}", out.display());
    let mut random = Random::new(size as u64);
    let (mut kills, mut resumed) = (0, 0);
    for _ in 0..20 {
        let (killed, went_on) = killed_on_the_way(size, &line, &out, &wanted, &mut random);
        (kills, resumed) = (kills + killed, resumed + went_on);
        if kills >= least && resumed >= least {
            return;
        }
        fs::remove_dir_all(&out).unwrap();
    }
    panic!("{kills} kills, {resumed} times resumed");
}

#[test]
fn law_two_ranks_that_are_killed_go_on_to_the_same_bytes() {
    killed(2, "5x5", ["3", "2"], 1);
}

#[test]
fn law_four_ranks_write_the_table_of_one_process() {
    let dir = tempfile::tempdir().unwrap();
    let given = [("analysis", "2v2-basic"), ("a", "3"), ("b", "2"), ("mirror", "on")];
    let wanted = built(&dir.path().join("one"), &given);
    let out = dir.path().join("table");
    let line = format!("solve geister --a 3 --b 2 --mirror on --json --out {}", out.display());
    let output = mpirun(4, &line).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(files(&out) == wanted);
    // Refused by all, said once.
    let again = mpirun(4, &line).output().unwrap();
    let err = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(!again.status.success() && err.matches("which exists").count() == 1, "{err}");
}

mod full {
    #[test]
    fn law_four_ranks_that_are_killed_go_on_to_the_same_bytes() {
        super::killed(4, "5x5", ["3", "3"], 2);
    }
}
