//! Tells the program which commit it was built from, if there is one to tell.

use std::process::Command;

fn main() {
    let git = |args: &[&str]| {
        let out = Command::new("git").args(args).output().ok().filter(|out| out.status.success())?;
        Some(String::from_utf8(out.stdout).ok()?.trim().to_owned())
    };
    let commit =
        git(&["rev-parse", "--short=12", "HEAD"]).filter(|c| c.chars().all(|c| c.is_ascii_hexdigit()));
    println!("cargo::rustc-env=YOMIKIRI_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
    println!("cargo::rerun-if-changed=build.rs");
    // Every commit and checkout is logged there.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
}
