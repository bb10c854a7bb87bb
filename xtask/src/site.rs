//! `cargo xtask site`: the page without a server, as a folder of files under `target/site`. The program is compiled to
//! WebAssembly; the maker, which stands outside the workspace, adds the glue and everything else.

use crate::{cargo, root, target, works};
use anyhow::{Context, Result, ensure};
use std::path::PathBuf;
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

/// Whether programs for browsers can be compiled; if not, rustup is asked to see to it.
fn ready() -> Result<()> {
    let there = || {
        let place = works("rustc", &["--print", "target-libdir", "--target", TARGET])?;
        PathBuf::from(place.trim()).is_dir().then_some(())
    };
    if there().is_none() {
        eprintln!("\n== rustup target add {TARGET}");
        let added = works("rustup", &["target", "add", TARGET]);
        ensure!(
            added.is_some() && there().is_some(),
            "Rust for {TARGET} is not here, and `rustup target add {TARGET}` did not help; your system may have a package for it"
        );
    }
    Ok(())
}

/// Checks that everything a browser runs compiles for one, and lints what only a browser compiles.
pub fn check() -> Result<()> {
    if let Err(error) = ready() {
        eprintln!("\n!! {error:#}: WHETHER IT BUILDS FOR A BROWSER IS NOT CHECKED.");
        return Ok(());
    }
    let lints =
        ["clippy", "--target", TARGET, "--package", "yomikiri-wasm", "--no-deps", "--", "-D", "warnings"];
    cargo(&lints, &[])
}

/// Makes the site; `address` is where it is going to be, for the pictures that other sites show of it.
pub fn make(address: &str) -> Result<PathBuf> {
    ready()?;
    cargo(
        &["build", "--profile", "browser", "--target", TARGET, "--package", "yomikiri-wasm", "--locked"],
        &[],
    )?;
    let wasm = target().join(TARGET).join("browser/yomikiri_wasm.wasm");
    let out = target().join("site");
    eprintln!("\n== the site, in {}", out.display());
    let done = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["run", "--quiet", "--release", "--locked", "--"])
        .args([&wasm, &root().to_path_buf(), &out])
        .arg(address)
        .env("CARGO_TARGET_DIR", target().join("maker"))
        .current_dir(root().join("site"))
        .status()
        .context("cargo does not start")?;
    ensure!(done.success(), "the site was not made");
    Ok(out)
}
