//! What the project is built from: licences and registries by `deny.toml`, light crates that stay light, a reason for
//! every direct dependency in the documentation, version numbers that agree, and known vulnerabilities. `cargo deny` is run as well
//! where it is installed.

use crate::{cargo, root, works};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Crates that others may use as libraries, and what they must not pull in. `yomikiri-api` is as light, but here it stands
/// beside the program, for whose sake the charts it shares are drawn.
const LIGHT: [&str; 8] = [
    "yomikiri-core",
    "yomikiri-solve",
    "yomikiri-view",
    "yomikiri-games",
    "yomikiri-shelf",
    "yomikiri-papers",
    "yomikiri-check",
    "yomikiri-proof",
];
const HEAVY: [&str; 5] = ["tokio", "clap", "arrow", "parquet", "axum"];
/// Where dependencies are explained.
const REASONS: &str = "docs/ARCHITECTURE.md";

/// Checks all of it.
pub fn check() -> Result<()> {
    eprintln!("\n== what the project is built from");
    let rules: toml::Table = std::fs::read_to_string(root().join("deny.toml"))?.parse()?;
    let list = |section: &str, key: &str| -> Result<BTreeSet<String>> {
        let found = rules.get(section).and_then(|s| s.get(key)).and_then(|list| list.as_array());
        let list = found.with_context(|| format!("deny.toml has no {section}.{key}"))?;
        Ok(list.iter().filter_map(|v| v.as_str()).map(str::to_owned).collect())
    };
    let allowed = list("licenses", "allow")?;
    let registries = list("sources", "allow-registry")?;
    let output = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root())
        .output()?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let mut faults = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let licence = package["license"].as_str().unwrap_or_default();
        if !satisfied(licence, &allowed) {
            faults.push(format!("{name}: the licence \"{licence}\" is not allowed"));
        }
        if let Some(source) = package["source"].as_str()
            && !registries.contains(source.trim_start_matches("registry+"))
        {
            faults.push(format!("{name}: comes from {source}"));
        }
    }
    faults.extend(heavy(&metadata));
    faults.extend(unexplained(packages, &std::fs::read_to_string(root().join(REASONS))?));
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    crate::versions::check(&metadata)?;
    eprintln!(
        "{} packages: licences, sources, reasons and light crates are as they should be",
        packages.len()
    );
    crate::shipped::check()?;
    if works("cargo", &["deny", "--version"]).is_none() {
        eprintln!(
            "\n!! cargo deny is not installed (`cargo install --locked cargo-deny`): KNOWN VULNERABILITIES ARE NOT LOOKED FOR."
        );
        return Ok(());
    }
    cargo(&["deny", "--locked", "check", "licenses", "bans", "sources"], &[])?;
    advisories()
}

/// Looks for known vulnerabilities in what the project is built from. The list of them has to be fetched: where that
/// cannot be done, it is said, and an old list that is there is used all the same.
fn advisories() -> Result<()> {
    let deny = ["deny", "--locked", "check", "advisories"];
    let fetched = works("cargo", &["deny", "fetch", "db"]).is_some();
    if fetched {
        return cargo(&deny, &[]);
    }
    eprintln!("\n!! The list of known vulnerabilities cannot be fetched.");
    let offline = [&deny[..3], &["--disable-fetch", "advisories"]].concat();
    let output = Command::new("cargo").args(&offline).current_dir(root()).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        eprintln!("!! None of those in an old list concerns us; NEWER ONES ARE NOT LOOKED FOR.");
        return Ok(());
    }
    // Without any list there is nothing it could have found.
    ensure!(!said.contains("advisories FAILED"), "{said}");
    eprintln!("!! There is no old list either: KNOWN VULNERABILITIES ARE NOT LOOKED FOR.");
    Ok(())
}

/// Whether an SPDX expression can be satisfied with licences that are allowed.
fn satisfied(expression: &str, allowed: &BTreeSet<String>) -> bool {
    // Old manifests write a slash for OR.
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let holds = any(&words, &mut at, allowed);
    holds && at == words.len()
}

fn any(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut holds = all(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        holds |= all(words, at, allowed);
    }
    holds
}

fn all(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut holds = one(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        holds &= one(words, at, allowed);
    }
    holds
}

fn one(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let Some(word) = words.get(*at) else { return false };
    *at += 1;
    if *word == "(" {
        let holds = any(words, at, allowed);
        *at += 1;
        return holds;
    }
    match (words.get(*at), words.get(*at + 1)) {
        (Some(&"WITH"), Some(exception)) => {
            *at += 2;
            allowed.contains(&format!("{word} WITH {exception}"))
        }
        _ => allowed.contains(*word),
    }
}

/// What light crates pull in and should not.
fn heavy(metadata: &Value) -> Vec<String> {
    let nodes = metadata["resolve"]["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let names: BTreeMap<&str, &str> = metadata["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|p| Some((p["id"].as_str()?, p["name"].as_str()?)))
        .collect();
    // Only what is linked in: neither for tests nor for build scripts.
    let needs: BTreeMap<&str, Vec<&str>> = nodes
        .iter()
        .filter_map(|node| {
            let linked = node["deps"].as_array()?.iter().filter(|dep| {
                dep["dep_kinds"].as_array().is_some_and(|kinds| kinds.iter().any(|k| k["kind"].is_null()))
            });
            Some((node["id"].as_str()?, linked.filter_map(|dep| dep["pkg"].as_str()).collect()))
        })
        .collect();
    let mut faults = Vec::new();
    for (id, name) in names.iter().filter(|(_, name)| LIGHT.contains(name)) {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![*id]);
        while let Some(id) = waiting.pop() {
            if seen.insert(id) {
                waiting.extend(needs.get(id).into_iter().flatten());
            }
        }
        let found = seen.iter().filter_map(|id| names.get(id)).filter(|n| HEAVY.contains(n));
        faults.extend(found.map(|heavy| format!("{name} is to stay light and pulls in {heavy}")));
    }
    faults
}

/// Direct dependencies without a reason in the documentation.
fn unexplained(packages: &[Value], reasons: &str) -> Vec<String> {
    let own = packages.iter().filter(|p| p["source"].is_null());
    let direct: BTreeSet<&str> = own
        .flat_map(|p| p["dependencies"].as_array().into_iter().flatten())
        .filter(|dep| !dep["source"].is_null())
        .filter_map(|dep| dep["name"].as_str())
        .collect();
    let (_, table) = reasons.split_once("## Dependencies").unwrap_or(("", ""));
    let named: BTreeSet<&str> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" |").next())
        .flat_map(|cell| cell.split(", "))
        .collect();
    direct.difference(&named).map(|name| format!("{name} has no reason in {REASONS}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_licences_are_read_as_written() {
        let allowed: BTreeSet<String> =
            ["MIT", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"].map(String::from).into();
        for (expression, holds) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("GPL-3.0 OR MIT", true),
            ("GPL-3.0/MIT", true),
            ("MIT AND GPL-3.0", false),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("(GPL-3.0 OR Apache-2.0) AND Unicode-3.0", false),
            ("Apache-2.0 WITH LLVM-exception OR GPL-2.0", true),
            ("Apache-2.0", false),
            ("", false),
            ("MIT MIT", false),
        ] {
            assert_eq!(satisfied(expression, &allowed), holds, "{expression}");
        }
    }

    #[test]
    fn law_a_dependency_without_a_reason_is_found() {
        let packages = serde_json::json!([
            {"source": null, "dependencies": [{"name": "a", "source": "r"}, {"name": "c", "source": "r"}, {"name": "own", "source": null}]},
            {"source": "r", "dependencies": [{"name": "deep", "source": "r"}]},
        ]);
        let reasons = "## Dependencies\n| crate | for |\n|---|---|\n| a, b | things |\n";
        let found = unexplained(packages.as_array().unwrap(), reasons);
        assert_eq!(found, [format!("c has no reason in {REASONS}")]);
    }

    #[test]
    fn law_a_heavy_dependency_of_a_light_crate_is_found() {
        let kind = |kind: Value| serde_json::json!([{"kind": kind}]);
        let metadata = serde_json::json!({
            "packages": [{"id": "1", "name": "yomikiri-core"}, {"id": "2", "name": "x"}, {"id": "3", "name": "tokio"}, {"id": "4", "name": "clap"}],
            "resolve": {"nodes": [
                {"id": "1", "deps": [{"pkg": "2", "dep_kinds": kind(Value::Null)}, {"pkg": "4", "dep_kinds": kind("dev".into())}]},
                {"id": "2", "deps": [{"pkg": "3", "dep_kinds": kind(Value::Null)}]},
            ]},
        });
        assert_eq!(heavy(&metadata), ["yomikiri-core is to stay light and pulls in tokio"]);
    }
}
