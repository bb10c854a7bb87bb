//! What is shipped, counted: crates, those that run while it is built, and those with `unsafe` in their sources. The page
//! that says so is compared with the count.

use crate::{root, works};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Where the count is told.
const PAGE: &str = "docs/ARCHITECTURE.md";
/// The machine it is told for: others need other crates.
const MACHINE: &str = "x86_64-unknown-linux-gnu";

/// A crate of somebody else.
struct Crate {
    name: String,
    version: String,
    /// Whether it is linked into the program, or only runs while that is built.
    linked: bool,
    script: bool,
    macros: bool,
    /// How often the word `unsafe` stands in its sources, comments and texts aside.
    unsafes: usize,
}

/// Prints the count and what it is made of.
pub fn print() -> Result<()> {
    let crates = shipped()?;
    println!("{}", sentence(&crates));
    println!("\nunsafe  build script  macros  linked  crate");
    let mark = |yes: bool| if yes { "yes" } else { "" };
    for c in &crates {
        println!(
            "{:>6}  {:<12}  {:<6}  {:<6}  {} {}",
            if c.linked { c.unsafes.to_string() } else { String::new() },
            mark(c.script),
            mark(c.macros),
            mark(c.linked),
            c.name,
            c.version
        );
    }
    Ok(())
}

/// Checks that the documentation tells the same.
pub fn check() -> Result<()> {
    let told = fs::read_to_string(root().join(PAGE))?;
    let count = sentence(&shipped()?);
    ensure!(
        told.contains(&count),
        "{PAGE} does not say what is shipped; `cargo xtask supply` says:\n{count}"
    );
    Ok(())
}

/// The count as the documentation has it.
fn sentence(crates: &[Crate]) -> String {
    let linked: Vec<&Crate> = crates.iter().filter(|c| c.linked).collect();
    let count = |pick: fn(&Crate) -> bool| crates.iter().filter(|c| pick(c)).count();
    let with: Vec<&&Crate> = linked.iter().filter(|c| c.unsafes > 0).collect();
    format!(
        "{} crates of others are linked into the program on Linux, {} of them with `unsafe` in their sources; {} more only run while it is built. {} have a build script, {} are procedural macros.",
        linked.len(),
        with.len(),
        crates.len() - linked.len(),
        count(|c| c.script),
        count(|c| c.macros),
    )
}

/// The crates of others that the program is built from.
fn shipped() -> Result<Vec<Crate>> {
    let named = |edges: &str| -> Result<BTreeSet<(String, String)>> {
        let args = [
            "tree",
            "--locked",
            "--package",
            "yomikiri",
            "--edges",
            edges,
            "--prefix",
            "none",
            "--target",
            MACHINE,
        ];
        let said = works("cargo", &args).context("cargo tree fails")?;
        Ok(said.lines().filter_map(name_and_version).collect())
    };
    let (linked, all) = (named("normal,no-proc-macro")?, named("normal,build")?);
    let metadata =
        works("cargo", &["metadata", "--format-version", "1", "--locked"]).context("cargo metadata fails")?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let packages: BTreeMap<(String, String), &Value> = metadata["packages"]
        .as_array()
        .context("no packages")?
        .iter()
        .filter(|p| !p["source"].is_null())
        .filter_map(|p| Some(((p["name"].as_str()?.to_owned(), p["version"].as_str()?.to_owned()), p)))
        .collect();
    let mut crates = Vec::new();
    for key in &all {
        let Some(package) = packages.get(key) else { continue };
        let kinds: Vec<&str> = package["targets"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|target| target["kind"].as_array().into_iter().flatten().filter_map(Value::as_str))
            .collect();
        let manifest = Path::new(package["manifest_path"].as_str().context("no manifest")?);
        crates.push(Crate {
            name: key.0.clone(),
            version: key.1.clone(),
            linked: linked.contains(key),
            script: kinds.contains(&"custom-build"),
            macros: kinds.contains(&"proc-macro"),
            unsafes: unsafes(&manifest.with_file_name("src"))?,
        });
    }
    Ok(crates)
}

/// A line of `cargo tree`.
fn name_and_version(line: &str) -> Option<(String, String)> {
    let mut words = line.split(' ');
    Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
}

/// How often `unsafe` stands in the sources below a folder.
fn unsafes(folder: &Path) -> Result<usize> {
    let mut count = 0;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            count += unsafes(&path)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            count += words(&String::from_utf8_lossy(&fs::read(&path)?));
        }
    }
    Ok(count)
}

/// How often `unsafe` stands in a source, comments and texts aside.
fn words(source: &str) -> usize {
    let bytes = source.as_bytes();
    let (mut at, mut count) = (0, 0);
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    while at < bytes.len() {
        let rest = &source.as_bytes()[at..];
        if rest.starts_with(b"//") {
            at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(b"/*") {
            let (mut depth, mut i) = (0, 0);
            while i < rest.len() {
                if rest[i..].starts_with(b"/*") {
                    (depth, i) = (depth + 1, i + 2);
                } else if rest[i..].starts_with(b"*/") {
                    (depth, i) = (depth - 1, i + 2);
                    if depth == 0 {
                        break;
                    }
                } else {
                    i += 1;
                }
            }
            at += i;
        } else if rest[0] == b'"' {
            // A raw text ends with as many signs as it began with.
            let signs = bytes[..at].iter().rev().take_while(|b| **b == b'#').count();
            let raw = bytes[..at - signs].ends_with(b"r");
            let mut i = 1;
            while i < rest.len() {
                let ends = rest[i] == b'"'
                    && (!raw || rest[i + 1..].iter().take_while(|b| **b == b'#').count() >= signs);
                if ends {
                    break;
                }
                i += if rest[i] == b'\\' && !raw { 2 } else { 1 };
            }
            at += i + 1;
        } else if rest.starts_with(b"'\"'") || rest.starts_with(b"'\\\"'") {
            at += 4;
        } else if word(rest[0]) {
            let length = rest.iter().take_while(|b| word(**b)).count();
            count += usize::from(&rest[..length] == b"unsafe");
            at += length;
        } else {
            at += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_only_the_word_in_the_code_counts() {
        for (source, count) in [
            ("unsafe fn x() { unsafe { y() } }", 2),
            ("#![forbid(unsafe_code)] // unsafe", 0),
            ("/* unsafe /* unsafe */ unsafe */ unsafe", 1),
            ("\"unsafe\" unsafe \"\\\" unsafe\"", 1),
            ("r#\"unsafe \" unsafe\"# unsafe r\"\\\" unsafe", 2),
            ("'\"' unsafe '\\\"' unsafe", 2),
            ("let x: &'a str = \"unsafe\";", 0),
            ("\"unsafe", 0),
            ("", 0),
        ] {
            assert_eq!(words(source), count, "{source}");
        }
    }

    #[test]
    fn law_lines_of_the_tree_are_read() {
        let read = |line| name_and_version(line).map(|(name, version)| format!("{name} {version}"));
        assert_eq!(read("serde v1.0.229 (*)").as_deref(), Some("serde 1.0.229"));
        assert_eq!(read("serde_derive v1.0.229 (proc-macro)").as_deref(), Some("serde_derive 1.0.229"));
        assert_eq!(read(""), None);
    }
}
