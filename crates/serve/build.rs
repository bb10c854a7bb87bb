//! Puts the page into the program: every file of `web/` that a browser asks for, by name.

use std::fmt::Write;
use std::path::Path;

/// What a browser asks for; the rest of the folder is for people who work on the page.
const KINDS: [&str; 4] = ["html", "js", "css", "svg"];

fn main() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    println!("cargo::rerun-if-changed={}", web.display());
    println!("cargo::rerun-if-changed=build.rs");
    let entries = std::fs::read_dir(&web).unwrap_or_else(|e| panic!("{}: {e}", web.display()));
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|e| e.path().is_file())
        .filter_map(|e| e.file_name().into_string().ok())
        .filter(|name| name.rsplit_once('.').is_some_and(|(_, kind)| KINDS.contains(&kind)))
        .filter(|name| !name.ends_with(".d.ts"))
        .collect();
    names.sort();
    let mut list = String::from("&[\n");
    for name in names {
        let path = web.join(&name);
        println!("cargo::rerun-if-changed={}", path.display());
        let _ = writeln!(list, "({name:?}, include_bytes!({path:?})),");
    }
    list.push(']');
    let out = std::env::var_os("OUT_DIR").unwrap_or_default();
    let file = Path::new(&out).join("assets.rs");
    std::fs::write(&file, list).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
}
