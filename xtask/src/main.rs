//! Chores of the project: `cargo xtask test` (everything CI checks) and `cargo xtask bench`.

use anyhow::{Context, Result, bail, ensure};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const USAGE: &str = "usage: cargo xtask <test|bench>
  test   formatting, lints, documentation, a smoke run of the release binary, all tests
  bench  how fast the solvers are, as ratios measured in one run";

fn main() -> Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("test") => test(),
        Some("bench") => cargo(&["bench", "--package", "yomikiri-games"], &[]),
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
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let status = Command::new(cargo)
        .args(args)
        .envs(env.iter().copied())
        .current_dir(root())
        .status()
        .context("cargo does not start")?;
    ensure!(status.success(), "cargo {} failed", args.join(" "));
    Ok(())
}

fn test() -> Result<()> {
    cargo(&["fmt", "--all", "--check"], &[])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])?;
    cargo(&["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    cargo(&["build", "--release"], &[])?;
    smoke()?;
    // The tests come last, so that the output ends with their count.
    let nextest = Command::new("cargo").args(["nextest", "--version"]).output();
    if nextest.is_ok_and(|out| out.status.success()) {
        cargo(&["test", "--workspace", "--doc"], &[])?;
        cargo(&["nextest", "run", "--workspace"], &[])
    } else {
        cargo(&["test", "--workspace"], &[])
    }
}

/// The release binary does what the README says, on a cache of its own.
fn smoke() -> Result<()> {
    eprintln!("\n== smoke run of the release binary");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let binary = target.join("release").join(format!("yomikiri{}", std::env::consts::EXE_SUFFIX));
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
    says(&["solve", "memory", "--ranks", "3"], "", "2899/5775")?;
    says(&["show", "memory", "2x22", "--json"], "", "\"best\":[\"flip\"]")?;
    let request = r#"{"id":1,"counts":[2,0,0,0,0,0,0,0,0]}"#;
    says(&["eval", "memory", "--exact"], &format!("{request}\n"), "{\"id\":1,\"value\":\"17/35\"")?;
    says(&["play", "memory", "--ranks", "2"], "hint\nquit\n", "0.48571")?;
    says(&["solve", "geister"], "", "the value is 0: a Nash equilibrium")?;
    let request = r#"{"analysis":"2v2-basic","turn":1,"board":".pp./..../..../.PP."}"#;
    says(&["eval", "geister"], &format!("{request}\n"), "{\"value\":1,\"distance\":13,")?;
    says(&["play", "geister"], "hint\nquit\n", "0 [+1 (15)]")?;
    says(&["show", "accordion", "S7_S4_S0_D3_S3_C9_S9_SA"], "", "can be won, in 7 moves")?;
    says(&["completions", "bash"], "", "--ranks")?;
    says(&["man"], "", ".TH")?;
    says(&["reproduce"], "", "0 differ")
}
