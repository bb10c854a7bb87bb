//! Version numbers that have to agree: ours wherever it is written, and the oldest Rust with what is depended on.

use crate::root;
use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Checks all of them.
pub fn check(metadata: &Value) -> Result<()> {
    let read = |file: &str| std::fs::read_to_string(root().join(file)).with_context(|| file.to_owned());
    let mut faults = written(env!("CARGO_PKG_VERSION"), &read("CITATION.cff")?, &read("CHANGELOG.md")?);
    faults.extend(newer(metadata, env!("CARGO_PKG_RUST_VERSION")));
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    Ok(())
}

/// Places where our version is another, or missing.
fn written(version: &str, citation: &str, changelog: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if !citation.lines().any(|line| line == format!("version: {version}")) {
        faults.push(format!("CITATION.cff does not have version: {version}"));
    }
    let heading = format!("## {version}");
    if !changelog.lines().any(|line| line == heading || line.starts_with(&format!("{heading} "))) {
        faults.push(format!("CHANGELOG.md has no section \"{heading}\""));
    }
    faults
}

/// Packages that ask for a newer Rust than we promise to be enough.
fn newer(metadata: &Value, ours: &str) -> Vec<String> {
    let numbers = |version: &str| -> Vec<u32> { version.split('.').map_while(|n| n.parse().ok()).collect() };
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let asked = packages.filter_map(|p| Some((p["name"].as_str()?, p["rust_version"].as_str()?)));
    asked
        .filter(|(_, rust)| numbers(rust) > numbers(&format!("{ours}.0.0")))
        .map(|(name, rust)| format!("{name} asks for Rust {rust}, and rust-version is {ours}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_a_version_is_the_same_everywhere() {
        let changelog = "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-16)\n";
        assert!(written("0.2.0", "title: x\nversion: 0.2.0\n", changelog).is_empty());
        assert_eq!(written("0.2.1", "version: 0.2.0\n", changelog).len(), 2);
        assert_eq!(written("0.2", "version: 0.2\n", changelog).len(), 1);
    }

    #[test]
    fn law_no_dependency_asks_for_a_newer_rust() {
        let of = |rust: Value| serde_json::json!({"packages": [{"name": "a", "rust_version": rust}]});
        for (rust, fits) in [
            ("1.89", true),
            ("1.89.0", true),
            ("1.9", true),
            ("1.90", false),
            ("2.0", false),
            ("1.100.1", false),
        ] {
            assert_eq!(newer(&of(rust.into()), "1.89").is_empty(), fits, "{rust}");
        }
        assert!(newer(&of(Value::Null), "1.89").is_empty());
    }
}
