//! The tests of the Python package: types, stubs, examples, laws and notebooks, in an environment of its own under
//! `target`, with the module that was built beside the other tests.

use crate::{program, root, target, works};
use anyhow::{Context, Result, anyhow, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::JoinHandle;

/// Packages without which nothing of the package is tested; the others are only missed where they are used.
const NEEDED: [&str; 3] = ["numpy", "pytest", "mypy"];

/// The environment while it is being made, or the reason why there is none.
pub struct Environment(JoinHandle<Result<(PathBuf, Vec<String>), String>>);

fn requirements() -> Result<Vec<String>, String> {
    let path = root().join("python/tests/requirements.txt");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(str::to_owned).collect())
}

fn quiet(program: &Path, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn is_here() -> bool {
    works("python3", &["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]).is_some()
}

/// Begins to make the environment, beside other work: most of it is waiting for the network.
pub fn begin() -> Environment {
    Environment(std::thread::spawn(|| {
        let place = target().join("venv");
        let python = place.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
        let wanted = requirements()?;
        let stamp = place.join("requirements");
        if std::fs::read_to_string(&stamp).ok().as_deref() == Some(wanted.join("\n").as_str()) {
            return Ok((python, Vec::new()));
        }
        if !is_here() {
            return Err("python3, 3.10 or newer, is not here".into());
        }
        if !quiet(Path::new("python3"), &["-m", "venv", &place.display().to_string()]) {
            return Err("`python3 -m venv` fails (Debian: python3-venv)".into());
        }
        let install = |packages: &[&str]| {
            let pip =
                ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"];
            quiet(&python, &[&pip, packages].concat())
        };
        let all: Vec<&str> = wanted.iter().map(String::as_str).collect();
        let mut missing = Vec::new();
        if !install(&all) {
            // One by one: those that are not to be had for this Python are left out, and said.
            for package in all {
                let name = package.split("==").next().unwrap_or(package);
                if !install(&[package]) && !install(&[name]) {
                    missing.push(name.to_owned());
                }
            }
        }
        if let Some(name) = missing.iter().find(|name| NEEDED.contains(&name.as_str())) {
            return Err(format!("{name} cannot be installed"));
        }
        if missing.is_empty() {
            let _ = std::fs::write(&stamp, wanted.join("\n"));
        }
        Ok((python, missing))
    }))
}

/// Puts the package together as it would be installed, and runs everything that tests it; what is said comes at the end.
pub fn test(environment: Environment, yomikiri: &Path) -> Result<()> {
    let made = environment.0.join().unwrap_or_else(|_| Err("it could not be made".into()));
    let (python, missing) = match made {
        Ok(made) => made,
        Err(why) => {
            eprintln!("\n!! {why}: THE PYTHON PACKAGE IS NOT TESTED.");
            return Ok(());
        }
    };
    let place = target().join("python");
    stage(&place).context("the package cannot be put together")?;
    let folder = root().join("python/tests").display().to_string();
    let quiet = ["-m", "pytest", "-q", "-p", "no:cacheprovider"];
    let runs: [Vec<&str>; 4] = [
        vec!["-m", "mypy", "--strict", "--no-error-summary", "yomikiri"],
        vec!["-m", "mypy.stubtest", "yomikiri._native"],
        [&quiet[..], &["--import-mode=importlib", "--doctest-modules", "yomikiri"]].concat(),
        [&quiet[..], &["--durations=3", &folder]].concat(),
    ];
    let run = |args: &[&str]| {
        Command::new(&python)
            .args(args)
            .current_dir(&place)
            .env("PYTHONPATH", &place)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("YOMIKIRI_PROGRAM", yomikiri)
            .env("YOMIKIRI_COMPARISONS", target().join("comparisons.md"))
            .env("MYPY_CACHE_DIR", target().join("mypy"))
            .stdin(Stdio::null())
            .output()
    };
    let results = std::thread::scope(|all| {
        let begun: Vec<_> = runs.iter().map(|args| all.spawn(|| run(args))).collect();
        begun.into_iter().map(std::thread::ScopedJoinHandle::join).collect::<Vec<_>>()
    });
    let mut failed = Vec::new();
    for (args, result) in runs.iter().zip(results) {
        let output = result.map_err(|_| anyhow!("a thread panicked"))??;
        let [said, complained] =
            [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        eprintln!("\n== python {}\n{said}{complained}", args.join(" "));
        if !output.status.success() {
            failed.push(format!("python {}", args.join(" ")));
        }
    }
    if !missing.is_empty() {
        eprintln!("\n!! Not to be had for this Python: {}. WHAT USES IT IS SKIPPED.", missing.join(", "));
    }
    ensure!(failed.is_empty(), "failed: {}", failed.join("; "));
    Ok(())
}

/// The same games by the solvers of others, in an environment of its own with the package as it is installed.
pub fn peers(words: &[String]) -> Result<()> {
    ensure!(is_here(), "python3, 3.10 or newer, is not here");
    let place = target().join("venv-peers");
    let python = place.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let (env, python) = (place.display().to_string(), python.display().to_string());
    ensure!(
        program("python3", &["-m", "venv", &env], root())?,
        "`python3 -m venv` failed (Debian: python3-venv)"
    );
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    let others = ["--only-binary", ":all:", "--requirement", "python/bench/requirements.txt"];
    ensure!(program(&python, &[&pip[..], &others].concat(), root())?, "the others cannot be installed");
    ensure!(program(&python, &[&pip[..], &["./python"]].concat(), root())?, "`pip install ./python` failed");
    let words = words.iter().map(String::as_str);
    let asked: Vec<&str> = ["python/bench/peers.py"].into_iter().chain(words).collect();
    ensure!(program(&python, &asked, root())?, "the comparison failed");
    Ok(())
}

/// The package's files beside the module.
fn stage(place: &Path) -> Result<()> {
    let from = root().join("python/yomikiri");
    let to = place.join("yomikiri");
    let _ = std::fs::remove_dir_all(place);
    std::fs::create_dir_all(&to)?;
    for entry in std::fs::read_dir(&from)? {
        let path = entry?.path();
        let known = path.extension().is_some_and(|e| ["py", "pyi", "typed"].iter().any(|known| e == *known));
        if let (true, Some(name)) = (known || path.ends_with("py.typed"), path.file_name()) {
            std::fs::copy(&path, to.join(name))?;
        }
    }
    let built = target().join("debug");
    let (lib, module) = match std::env::consts::OS {
        "windows" => ("yomikiri_native.dll", "_native.pyd"),
        "macos" => ("libyomikiri_native.dylib", "_native.abi3.so"),
        _ => ("libyomikiri_native.so", "_native.abi3.so"),
    };
    std::fs::copy(built.join(lib), to.join(module))?;
    Ok(())
}

/// `pip install ./python` in a fresh environment, and a first look at what it installed.
pub fn installed() -> Result<()> {
    if !is_here() {
        eprintln!("\n!! python3, 3.10 or newer, is not here: `pip install ./python` IS NOT TRIED.");
        return Ok(());
    }
    let place = target().join("venv-installed");
    let _ = std::fs::remove_dir_all(&place);
    let python = place.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let (env, python) = (place.display().to_string(), python.display().to_string());
    ensure!(program("python3", &["-m", "venv", &env], root())?, "`python3 -m venv` failed");
    ensure!(
        program(&python, &["-m", "pip", "install", "./python"], root())?,
        "`pip install ./python` failed"
    );
    let look =
        "import yomikiri as yk; assert str(yk.game('kuhn').solve().value) == '-1/18'; print(yk.__version__)";
    ensure!(program(&python, &["-c", look], &target())?, "the installed package does not work");
    Ok(())
}
