//! Chores of the project: `cargo xtask test` (everything CI checks), `cargo xtask bench`, `cargo xtask fuzz` and others.

mod cycles;
mod fuzz;
mod kills;
mod machine;
mod python;
mod random;
mod shipped;
mod site;
mod soak;
mod supply;
mod versions;

use anyhow::{Context, Result, bail, ensure};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use yomikiri_testkit::browser;

const USAGE: &str = "usage: cargo xtask <test|bench|site|fuzz|kills|soak|figures|deps|supply|cycles>
  test     formatting, the page's types, lints, documentation, dependencies, a smoke run of the program, the Python
           package, tests;
           `--full`: also the long cases, those in modules named `full`;
           `--yes`: what the tests use of the machine is installed without asking, as in CI (where CI is set)
  bench    how fast the solvers are, as ratios measured in one run, and how much load the server bears;
           `bench NAME WORD...` runs one of them alone: `bench geister certificates coarse`;
           `bench roofline`: how far every kernel is from what this machine can do;
           `bench peers` (only by its name: it installs them under target): the same games by the solvers of others;
           `bench mpi` (only by its name: it needs an MPI): ranks against threads
  site     the page without a server, as a folder of files: target/site; `--address URL/`: where it is going to be
  kills    kills the release program at random moments and compares what it comes to with undisturbed runs;
           `--count N` (1000), `--seed S` (1), `--case N`: one of the cases alone
  soak     minutes of hostile load on the release server, whose memory must stay below its limit;
           `--minutes N` (10), `--seed S` (1)
           kills, soak and figures build the program; YOMIKIRI_PROGRAM names another to use
  figures  draws the pictures of docs/ and the README again, from a report of the release binary
  fuzz     `fuzz TARGET... --seconds N`: tries a target, or all of them, with whatever a fuzzer thinks of; alone: lists them;
           `--keep`: puts the fewest inputs that reach as far into fuzz/corpus
  deps     licences, sources and reasons of what the project is built from; version numbers that agree
  supply   how many crates, build scripts, macros and how much `unsafe` there is in what is shipped
  cycles   modules side by side that depend on each other in a circle";

/// The pictures of the documentation: the name in `docs/figures`, and the place in a report's data.
const FIGURES: [(&str, &str); 10] = [
    ("memory-win-rate.svg", "memory/figure-5-1.svg"),
    ("memory-pass.svg", "memory/figure-2-1.1.svg"),
    ("geister-table-1.svg", "geister/table-1-1.svg"),
    ("geister-start.svg", "geister/figure-3-1.1.svg"),
    ("saichugen-points.svg", "saichugen/figure-4-1.svg"),
    ("saichugen-table-4.svg", "saichugen/table-4-2.svg"),
    ("accordion-success.svg", "accordion/figure-3-1.svg"),
    ("accordion-states.svg", "accordion/figure-5-1.svg"),
    ("sixtysix-failing.svg", "sixtysix/referee-1.svg"),
    ("sixtysix-figure-1.svg", "sixtysix/figure-1-1.1.svg"),
];

fn main() -> Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("test") => {
            let flags: Vec<String> = std::env::args().skip(2).collect();
            let unknown = flags.iter().find(|flag| !["--full", "--yes"].contains(&flag.as_str()));
            ensure!(unknown.is_none(), "test: {}; accepted: --full, --yes", unknown.map_or("", |f| f));
            let has = |flag: &str| flags.iter().any(|given| given == flag);
            test(has("--full"), has("--yes"))
        }
        Some("bench") => {
            let packages =
                ["yomikiri-games", "yomikiri-shelf", "yomikiri-papers", "yomikiri-tables", "yomikiri-serve"];
            let mut args = vec!["bench"];
            args.extend(packages.iter().flat_map(|name| ["--package", name]));
            let asked: Vec<String> = std::env::args().skip(2).collect();
            if let Some((name, words)) = asked.split_first() {
                if name == "peers" {
                    return python::peers(words);
                }
                if name == "mpi" {
                    // Only by its name: it needs an MPI.
                    args = vec!["bench", "--package", "yomikiri-mpi", "--features", "mpi"];
                }
                args.extend(["--bench", name, "--"]);
                args.extend(words.iter().map(String::as_str));
            }
            cargo(&args, &[])
        }
        Some("kills") => {
            let [count, seed, only] = numbers("kills", [("--count", 1000), ("--seed", 1), ("--case", 0)])?;
            kills::kills(&released()?, &target(), count, seed, only)
        }
        Some("soak") => {
            let [minutes, seed] = numbers("soak", [("--minutes", 10), ("--seed", 1)])?;
            soak::soak(&released()?, &target(), Duration::from_secs(60 * minutes), seed)
        }
        Some("site") => {
            let words: Vec<String> = std::env::args().skip(2).collect();
            let address = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                [] => "",
                ["--address", address] if address.ends_with('/') => address,
                _ => bail!("site: {}; accepted: --address URL, which ends with /", words.join(" ")),
            };
            site::make(address).map(drop)
        }
        Some("figures") => figures(),
        Some("fuzz") => fuzz::run(&std::env::args().skip(2).collect::<Vec<_>>()),
        Some("deps") => supply::check(),
        Some("supply") => shipped::print(),
        Some("cycles") => cycles::check(),
        Some("--help" | "-h") => {
            println!("{USAGE}");
            Ok(())
        }
        _ => bail!("{USAGE}"),
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// Runs cargo in the project's folder.
fn cargo(args: &[&str], env: &[(&str, &str)]) -> Result<()> {
    eprintln!("\n== cargo {}", args.join(" "));
    let begun = Instant::now();
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let status = Command::new(cargo)
        .args(args)
        .envs(env.iter().copied())
        .current_dir(root())
        .status()
        .context("cargo does not start")?;
    eprintln!("   {} s", begun.elapsed().as_secs());
    ensure!(status.success(), "cargo {} failed", args.join(" "));
    Ok(())
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// The program as it was built with the tests.
fn binary() -> PathBuf {
    target().join("debug").join(format!("yomikiri{}", std::env::consts::EXE_SUFFIX))
}

/// Where the smoke run writes its report.
fn report() -> PathBuf {
    target().join("report")
}

/// Flags with numbers and their defaults, as they were given after the first word.
fn numbers<const N: usize>(chore: &str, flags: [(&str, u64); N]) -> Result<[u64; N]> {
    let mut values = flags.map(|flag| flag.1);
    let mut given = std::env::args().skip(2);
    while let Some(flag) = given.next() {
        let accepted = || flags.map(|flag| format!("{} N", flag.0)).join(", ");
        let at = flags.iter().position(|known| known.0 == flag);
        let at = at.with_context(|| format!("{chore}: {flag}; accepted: {}", accepted()))?;
        let value = given.next().and_then(|value| value.parse().ok());
        values[at] = value.with_context(|| format!("{chore}: {flag}; accepted: {}", accepted()))?;
    }
    Ok(values)
}

/// The release program, built if it is not up to date, unless another is named.
fn released() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("YOMIKIRI_PROGRAM") {
        return std::path::absolute(&named).context("YOMIKIRI_PROGRAM");
    }
    cargo(&["build", "--release"], &[])?;
    Ok(target().join("release").join(format!("yomikiri{}", std::env::consts::EXE_SUFFIX)))
}

/// Draws the pictures of the documentation again.
fn figures() -> Result<()> {
    let program = released()?;
    let done = Command::new(program).args(["reproduce", "--html"]).arg(report()).status()?;
    ensure!(done.success(), "the report was not written");
    let folder = root().join("docs/figures");
    std::fs::create_dir_all(&folder)?;
    for (name, from) in FIGURES {
        let from = report().join("data").join(from);
        std::fs::copy(&from, folder.join(name)).with_context(|| format!("{}", from.display()))?;
        eprintln!("docs/figures/{name}");
    }
    Ok(())
}

/// What a program says, if it works.
fn works(program: &str, args: &[&str]) -> Option<String> {
    let out = Command::new(program).args(args).stdin(Stdio::null()).output().ok()?;
    out.status.success().then(|| String::from_utf8_lossy(&out.stdout).into_owned())
}

/// Runs a program in a folder; whether it is there and did its work.
fn program(name: &str, args: &[&str], folder: &Path) -> Result<bool> {
    eprintln!("\n== {name} {}", args.join(" "));
    match Command::new(name).args(args).current_dir(folder).stdin(Stdio::null()).status() {
        Ok(status) => Ok(status.success()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| format!("{name} does not start")),
    }
}

/// Checks the types of the page with the compiler that `web/package-lock.json` names, installed under `target` so that
/// nothing of it ever lies in `web`.
fn types() -> Result<()> {
    let place = target().join("web-types");
    std::fs::create_dir_all(&place)?;
    let mut fresh = false;
    for file in ["package.json", "package-lock.json"] {
        let wanted = std::fs::read(root().join("web").join(file))?;
        if std::fs::read(place.join(file)).ok().as_ref() != Some(&wanted) {
            std::fs::write(place.join(file), wanted)?;
            fresh = true;
        }
    }
    let compiler = place.join("node_modules/typescript/bin/tsc");
    if fresh || !compiler.is_file() {
        let npm = ["ci", "--no-fund", "--no-audit", "--ignore-scripts"];
        if !program("npm", &npm, &place)? {
            // What is half installed is no compiler.
            let _ = std::fs::remove_file(place.join("package.json"));
            eprintln!(
                "\n!! npm is not there, or cannot reach its registry: THE TYPES OF THE PAGE ARE NOT CHECKED."
            );
            return Ok(());
        }
    }
    let compiler = compiler.display().to_string();
    let page = root().join("web").display().to_string();
    ensure!(program("node", &[&compiler, "--project", &page], &place)?, "the types of the page are wrong");
    Ok(())
}

/// Everything CI checks. What is quick to mend stops it; from the first thing that runs on, everything is tried and what
/// failed is named at the end.
fn test(full: bool, yes: bool) -> Result<()> {
    cargo(&["fmt", "--all", "--check"], &[])?;
    machine::prepare(yes)?;
    let environment = python::begin();
    types()?;
    // The same features for everything, so that nothing is compiled twice.
    let features: &[&str] = if machine::mpi() { &["--features", "yomikiri-mpi/mpi"] } else { &[] };
    let with = |first: &[&'static str], then: &[&'static str]| [first, features, then].concat();
    cargo(&with(&["clippy", "--workspace", "--all-targets"], &["--", "-D", "warnings"]), &[])?;
    cargo(&with(&["doc", "--workspace", "--no-deps"], &[]), &[("RUSTDOCFLAGS", "-D warnings")])?;
    site::check()?;
    supply::check()?;
    cycles::check()?;
    let report = report().display().to_string();
    let mut env = vec![("YOMIKIRI_REPORT", report.as_str())];
    // From here on a browser or a numpy that is not found is a fault.
    if browser::find().is_some() {
        env.push(("YOMIKIRI_NEEDS_BROWSER", "1"));
    }
    if machine::numpy() {
        env.push(("YOMIKIRI_NEEDS_NUMPY", "1"));
    }
    if machine::python() {
        env.push(("YOMIKIRI_NEEDS_PYTHON", "1"));
    }
    // All at once: the tests, the program they start and the Python module, so that nothing is compiled for one of them alone.
    cargo(&with(&["build", "--workspace", "--lib", "--bins", "--examples", "--tests"], &[]), &[])?;
    let mut failed = Vec::new();
    let mut tried = |name: &str, result: Result<()>| {
        if let Err(error) = result {
            eprintln!("\n!! {name}: {error:#}");
            failed.push(name.to_owned());
        }
    };
    // The one is a single thread for the most part, the other waits for long.
    let (smoke, package) = std::thread::scope(|both| {
        let package = both.spawn(|| python::test(environment, &binary()));
        (smoke(), package.join().unwrap_or_else(|_| bail!("the tests of the Python package panicked")))
    });
    tried("the smoke run", smoke);
    tried("the Python package", package);
    let made = if full { Some(site::make("")) } else { None };
    let folder = made.as_ref().and_then(|made| made.as_ref().ok()).map(|folder| folder.display().to_string());
    if let Some(folder) = &folder {
        env.push(("YOMIKIRI_SITE", folder));
    }
    if full {
        tried("the installed Python package", python::installed());
        tried("the site", made.map_or(Ok(()), |made| made.map(drop)));
    }
    let nextest = works("cargo", &["nextest", "--version"]).is_some();
    let threads = threads();
    let tests = if nextest {
        tried(
            "the examples of the documentation",
            cargo(&with(&["test", "--workspace", "--doc", "--no-fail-fast"], &[]), &[]),
        );
        let all: &[&str] = if full { &["--ignore-default-filter"] } else { &[] };
        [&["nextest", "run", "--workspace", "--no-fail-fast", "--test-threads", &threads], features, all]
            .concat()
    } else {
        // As `.config/nextest.toml` says it for nextest.
        let skip: &[&str] = if full { &[] } else { &["--", "--skip", "full::"] };
        [&["test", "--workspace", "--no-fail-fast"], features, skip].concat()
    };
    // The tests come last, so that the output ends with their count.
    tried("the tests", cargo(&tests, &env));
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}

/// Tests at a time: one more than there are cores, because many wait for a browser, a server or a killed program.
fn threads() -> String {
    (std::thread::available_parallelism().map_or(1, usize::from) + 1).to_string()
}

/// The program does what the README says, on a cache of its own.
fn smoke() -> Result<()> {
    eprintln!("\n== smoke run of the program");
    let (target, binary) = (target(), binary());
    let cache = target.join("smoke-cache");
    let yomikiri = |args: &[&str], input: &str| -> Result<String> {
        let mut child = Command::new(&binary)
            .args(args)
            .env("YOMIKIRI_CACHE", &cache)
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} does not start", binary.display()))?;
        child.stdin.take().context("no stdin")?.write_all(input.as_bytes())?;
        let output = child.wait_with_output()?;
        ensure!(output.status.success(), "yomikiri {} failed: {}", args.join(" "), output.status);
        Ok(String::from_utf8(output.stdout)?)
    };
    let says = |args: &[&str], input: &str, expected: &str| -> Result<()> {
        let said = yomikiri(args, input)?;
        ensure!(said.contains(expected), "yomikiri {} does not say {expected:?}:\n{said}", args.join(" "));
        eprintln!("yomikiri {}: ok", args.join(" "));
        Ok(())
    };
    says(&["--version"], "", env!("CARGO_PKG_VERSION"))?;
    says(&["games"], "", "memory")?;
    says(&["games", "--lang", "ja"], "", "神経衰弱")?;
    says(&["rules", "nim"], "", "Goal")?;
    says(&["solve", "memory", "--ranks", "3"], "", "2899/5775")?;
    says(&["show", "memory", "2x22", "--json"], "", "\"best\":[\"5\"]")?;
    let request = r#"{"id":1,"counts":[2,0,0,0,0,0,0,0,0]}"#;
    says(&["eval", "memory", "--exact"], &format!("{request}\n"), "{\"id\":1,\"value\":\"17/35\"")?;
    says(&["play", "memory", "--ranks", "2"], "hint\nquit\n", "0.48571")?;
    says(&["solve", "geister"], "", "the value is 0: a Nash equilibrium")?;
    let request = r#"{"analysis":"2v2-basic","turn":1,"board":".pp./..../..../.PP."}"#;
    says(&["eval", "geister"], &format!("{request}\n"), "{\"value\":1,\"distance\":13,")?;
    says(&["play", "geister"], "hint\nquit\n", "the strategy then is sure of 0 in 15 plies")?;
    says(&["show", "accordion", "S7_S4_S0_D3_S3_C9_S9_SA"], "", "can be won, in 7 moves")?;
    let table = target.join("smoke-table").display().to_string();
    says(&["table", "build", "memory", "--ranks", "5", "--force", "--out", &table], "", "20")?;
    says(&["table", "verify", &table], "", "sound")?;
    says(&["show", "memory", "2x22", "--table", &table, "--json"], "", "\"best\":[\"5\"]")?;
    says(&["show", "nim", "1,4,5"], "", "loss, in 10 moves")?;
    says(&["completions", "bash"], "", "--ranks")?;
    says(&["man"], "", ".TH")?;
    says(&["reproduce", "memory", "--only", "table-2"], "", "yomikiri reproduce memory --only table-2")?;
    let report = report();
    says(&["reproduce", "--html", &report.display().to_string()], "", "0 differ")?;
    ensure!(report.join("index.ja.html").is_file(), "there is no report");
    Ok(())
}
