//! What the tests use of the machine besides Rust: a browser, a font, node, numpy, MPI. What is missing is installed in CI; on
//! somebody's machine it is asked first, and where nobody can be asked it is only said what is skipped for it.

use crate::works;
use anyhow::Result;
use std::io::{BufRead, IsTerminal, Write};
use std::process::{Command, Stdio};
use yomikiri_testkit::browser;

/// Something the tests use.
struct Tool {
    name: &'static str,
    /// What the tests do with it.
    why: &'static str,
    /// What is not tested without it.
    skipped: &'static str,
    by: By,
    there: fn() -> bool,
}

/// What brings a tool: packages of Debian's, or one of Python's.
enum By {
    Apt(&'static [&'static str]),
    Pip(&'static str),
}

const TOOLS: [Tool; 6] = [
    Tool {
        name: "Chromium",
        why: "the page and the reports are opened, clicked and looked at in a browser",
        skipped: "THE BROWSER TESTS ARE SKIPPED (YOMIKIRI_CHROMIUM may name a browser)",
        by: By::Apt(&["chromium"]),
        there: || browser::find().is_some(),
    },
    Tool {
        name: "Japanese font",
        why: "Japanese pages are as wide here as for their readers",
        skipped: "JAPANESE PAGES ARE LOOKED AT WITHOUT THEIR FONT",
        by: By::Apt(&["fonts-noto-cjk"]),
        there: || works("fc-list", &[":lang=ja", "family"]).is_some_and(|fonts| !fonts.trim().is_empty()),
    },
    Tool {
        name: "node with npm",
        why: "the types of the page's code are checked",
        skipped: "THE TYPES OF THE PAGE ARE NOT CHECKED",
        by: By::Apt(&["nodejs", "npm"]),
        there: node,
    },
    Tool {
        name: "python3, 3.10 or newer",
        why: "the checker of certificates is compared with a second one",
        skipped: "THE CHECKER IS NOT COMPARED WITH THE SECOND ONE",
        by: By::Apt(&["python3"]),
        there: python,
    },
    Tool {
        name: "python3 with numpy",
        why: "the notebook reads tables as people do",
        skipped: "THE NOTEBOOK IS NOT TESTED",
        by: By::Pip("numpy"),
        there: numpy,
    },
    Tool {
        name: "MPI with libclang",
        why: "retrograde analysis over ranks is run by mpirun, with ranks that are killed (libclang: while it is built)",
        skipped: "THE RANKS OF MPI ARE NEITHER BUILT NOR TESTED (threads as ranks are)",
        by: By::Apt(&["openmpi-bin", "libopenmpi-dev", "libclang-dev"]),
        there: mpi,
    },
];

/// Whether the types of the page can be checked.
pub fn node() -> bool {
    works("node", &["--version"]).is_some() && works("npm", &["--version"]).is_some()
}

/// Whether the second checker of certificates can be asked.
pub fn python() -> bool {
    works("python3", &["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]).is_some()
}

/// Whether numpy can read tables.
pub fn numpy() -> bool {
    works("python3", &["-c", "import numpy"]).is_some()
}

/// Whether the ranks of MPI can be built and started.
pub fn mpi() -> bool {
    let named = std::env::var_os("LIBCLANG_PATH").is_some();
    let linked = || {
        works("ldconfig", &["-p"])
            .is_some_and(|all| all.contains("libclang.so") || all.contains("libclang-1"))
    };
    let folders = || std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let beside = || folders().any(|folder| folder.path().join("lib/libclang.so").exists());
    works("mpicc", &["--version"]).is_some()
        && works("mpirun", &["--version"]).is_some()
        && (named || linked() || beside())
}

/// Sees to it that everything can be tested, as far as the machine and its owner allow.
pub fn prepare(yes: bool) -> Result<()> {
    let missing: Vec<&Tool> = TOOLS.iter().filter(|tool| !(tool.there)()).collect();
    let ci = std::env::var("CI").is_ok_and(|value| !["", "0", "false"].contains(&value.as_str()));
    let sudo: &[&str] = match works("id", &["-u"]).is_some_and(|id| id.trim() == "0") {
        true => &[],
        // Nobody is there to type a password.
        false if ci => &["sudo", "-n"],
        false => &["sudo"],
    };
    let apt = works("apt-get", &["--version"]).map(|_| sudo);
    let pip = works("python3", &["-m", "pip", "--version"]).is_some();
    let commands = commands(&missing, apt, pip);
    if !commands.is_empty() {
        eprint!("{}", told(&missing, &commands));
        if consent(yes || ci, std::io::stdin().is_terminal(), &mut std::io::stdin().lock())? {
            commands.iter().for_each(|command| install(command));
        }
    }
    for tool in missing.iter().filter(|tool| !(tool.there)()) {
        eprintln!("\n!! Not here: {}. {}.", tool.name, tool.skipped);
    }
    Ok(())
}

/// The commands that install what is missing, as they would be typed: with apt-get after these words, and with pip.
fn commands(missing: &[&Tool], apt: Option<&[&'static str]>, pip: bool) -> Vec<Vec<&'static str>> {
    let (mut debian, mut python) = (Vec::new(), Vec::new());
    for tool in missing {
        match tool.by {
            By::Apt(packages) => debian.extend(packages),
            By::Pip(package) => python.push(package),
        }
    }
    let mut all = Vec::new();
    if let Some(before) = apt.filter(|_| !debian.is_empty()) {
        all.push([before, &["apt-get", "install", "-y", "--no-install-recommends"], &debian].concat());
    }
    if pip && !python.is_empty() {
        all.push([&["python3", "-m", "pip", "install", "--quiet"][..], &python].concat());
    }
    all
}

/// What would be installed, and why.
fn told(missing: &[&Tool], commands: &[Vec<&str>]) -> String {
    let mut words = String::from("\nSome tests use what is not on this machine:\n");
    missing.iter().for_each(|tool| words += &format!("  {}: {}\n", tool.name, tool.why));
    words += "It would be installed by:\n";
    commands.iter().for_each(|command| words += &format!("  {}\n", command.join(" ")));
    words
}

/// Whether it may be installed: said before, or answered now by somebody at a terminal.
fn consent(said: bool, terminal: bool, answers: &mut dyn BufRead) -> Result<bool> {
    if said {
        return Ok(true);
    }
    if !terminal {
        eprintln!("Nobody can be asked here, so nothing is installed. --yes says yes, and so does CI=1.");
        return Ok(false);
    }
    eprint!("Install it? Without it, those tests are skipped. [y/N] ");
    std::io::stderr().flush()?;
    let mut answer = String::new();
    answers.read_line(&mut answer)?;
    Ok(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()))
}

fn install(command: &[&str]) {
    let run = |command: &[&str]| {
        eprintln!("\n== {}", command.join(" "));
        let mut process = Command::new(command[0]);
        process.args(&command[1..]).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        process.status().is_ok_and(|status| status.success())
    };
    if !run(command)
        && let Some(apt) = command.iter().position(|word| *word == "apt-get")
    {
        // Its lists may be old or not there at all.
        let _ = run(&[&command[..=apt], &["update"]].concat()) && run(command);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_what_would_be_installed_is_told_word_by_word() {
        let all: Vec<&Tool> = TOOLS.iter().collect();
        let commands = commands(&all, Some(&["sudo"]), true);
        let words = told(&all, &commands);
        for part in [
            "  sudo apt-get install -y --no-install-recommends chromium fonts-noto-cjk nodejs npm python3 openmpi-bin libopenmpi-dev libclang-dev\n",
            "  python3 -m pip install --quiet numpy\n",
            "Chromium: the page and the reports are opened",
        ] {
            assert!(words.contains(part), "{words}");
        }
    }

    #[test]
    fn law_only_what_is_missing_is_installed_and_only_by_what_is_there() {
        let all: Vec<&Tool> = TOOLS.iter().collect();
        assert!(commands(&all, None, false).is_empty());
        assert!(commands(&[], Some(&[]), true).is_empty());
        assert_eq!(commands(&all[4..5], Some(&[]), true).len(), 1);
        let font = commands(&all[1..2], Some(&[]), true);
        assert_eq!(font, [["apt-get", "install", "-y", "--no-install-recommends", "fonts-noto-cjk"]]);
    }

    #[test]
    fn law_nothing_is_installed_unless_somebody_says_yes() {
        for (said, terminal, answer, expected) in [
            (true, false, "", true),
            (false, false, "y\n", false),
            (false, true, "y\n", true),
            (false, true, " Yes \n", true),
            (false, true, "\n", false),
            (false, true, "", false),
            (false, true, "no\n", false),
            (false, true, "yesterday\n", false),
        ] {
            assert_eq!(consent(said, terminal, &mut answer.as_bytes()).unwrap(), expected, "{answer:?}");
        }
    }
}
