//! `cargo xtask cycles`: modules that stand side by side must not depend on each other in a circle. It reads the sources
//! as text: paths that begin with `crate`, `self`, `super` or a module below, in `use` lines and in the code. What only
//! tests use does not count, nor does what a module and the one it stands in say of each other.

use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module by the names that lead to it from the root of its crate.
type Place = Vec<String>;

/// A word or a sign of a source, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Token {
    text: String,
    line: usize,
}

/// A source cut into words and signs; comments and what stands in quotes are left out.
fn tokens(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let (mut out, mut i, mut line) = (Vec::new(), 0, 1);
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let word = |c: char| c.is_alphanumeric() || c == '_';
    while i < chars.len() {
        let begun = i;
        match at(i) {
            '/' if at(i + 1) == '/' => {
                while i < chars.len() && at(i) != '\n' {
                    i += 1;
                }
            }
            '/' if at(i + 1) == '*' => {
                let mut depth = 0;
                loop {
                    match (at(i), at(i + 1)) {
                        ('/', '*') => (depth, i) = (depth + 1, i + 2),
                        ('*', '/') => (depth, i) = (depth - 1, i + 2),
                        _ => i += 1,
                    }
                    if depth == 0 || i >= chars.len() {
                        break;
                    }
                }
            }
            '"' => {
                i += 1;
                while i < chars.len() && at(i) != '"' {
                    i += if at(i) == '\\' { 2 } else { 1 };
                }
                i += 1;
            }
            // A letter in quotes; without a quote behind it, it is a lifetime.
            '\'' if at(i + 1) == '\\' => {
                i += 3;
                while i < chars.len() && at(i) != '\'' {
                    i += 1;
                }
                i += 1;
            }
            '\'' if at(i + 2) == '\'' => i += 3,
            c if word(c) => {
                while word(at(i)) {
                    i += 1;
                }
                let text: String = chars[begun..i].iter().collect();
                let hashes = chars[i..].iter().take_while(|c| **c == '#').count();
                if text.ends_with('r') && text.len() <= 2 && at(i + hashes) == '"' {
                    let end: Vec<char> =
                        std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
                    i += hashes + 1;
                    while i < chars.len() && !chars[i..].starts_with(&end) {
                        i += 1;
                    }
                    i += end.len();
                } else {
                    out.push(Token { text, line });
                }
            }
            ':' if at(i + 1) == ':' => {
                out.push(Token { text: "::".into(), line });
                i += 2;
            }
            c if c.is_whitespace() => i += 1,
            c => {
                out.push(Token { text: c.into(), line });
                i += 1;
            }
        }
        line += chars[begun..i.min(chars.len())].iter().filter(|c| **c == '\n').count();
    }
    out
}

/// The place after the bracket that closes the one at `open`.
fn closed(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.text.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return i + 1;
        }
    }
    tokens.len()
}

/// A source without what is compiled for tests only.
fn without_tests(tokens: Vec<Token>) -> Vec<Token> {
    let is = |i: usize, words: &[&str]| {
        words.iter().enumerate().all(|(n, word)| tokens.get(i + n).is_some_and(|t| t.text == *word))
    };
    let (mut out, mut i) = (Vec::new(), 0);
    while i < tokens.len() {
        if !is(i, &["#", "[", "cfg", "(", "test", ")", "]"]) {
            out.push(tokens[i].clone());
            i += 1;
            continue;
        }
        // The item ends with a semicolon, or with the first block in braces.
        while i < tokens.len() {
            match tokens[i].text.as_str() {
                ";" => {
                    i += 1;
                    break;
                }
                "{" => {
                    i = closed(&tokens, i);
                    break;
                }
                "(" | "[" => i = closed(&tokens, i),
                _ => i += 1,
            }
        }
    }
    out
}

/// The paths that begin at a word, groups taken apart, each with its name where it is imported; and where they end.
fn paths(tokens: &[Token], begin: usize) -> (Vec<(Place, Option<String>, usize)>, usize) {
    let (mut prefix, mut i): (Place, usize) = (Vec::new(), begin);
    let text = |i: usize| tokens.get(i).map_or("", |t| t.text.as_str());
    loop {
        if text(i) == "{" {
            let end = closed(tokens, i);
            let mut all = Vec::new();
            i += 1;
            while i + 1 < end {
                if text(i) == "," {
                    i += 1;
                    continue;
                }
                let (inner, next) = paths(tokens, i);
                for (place, name, line) in inner {
                    let mut whole = prefix.clone();
                    // `a::{self}` is `a`.
                    whole.extend(place.into_iter().filter(|word| word != "self"));
                    let name = match name.as_deref() {
                        Some("self") => whole.last().cloned(),
                        _ => name,
                    };
                    all.push((whole, name, line));
                }
                i = next.max(i + 1);
            }
            return (all, end);
        }
        let line = tokens.get(i).map_or(0, |t| t.line);
        let mut name = Some(text(i).to_owned());
        prefix.push(text(i).to_owned());
        i += 1;
        let goes_on =
            text(i + 1).starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '{' || c == '*');
        if text(i) == "::" && goes_on {
            i += 1;
            continue;
        }
        if text(i) == "as" {
            name = Some(text(i + 1).to_owned());
            i += 2;
        }
        return (vec![(prefix, name, line)], i);
    }
}

/// A path in a source.
#[derive(Debug)]
struct Mention {
    /// The module it stands in.
    from: Place,
    /// The path from the root of the crate.
    to: Place,
    /// What it is imported as.
    name: Option<String>,
    line: usize,
}

/// All paths of a module's source that stay within the crate, given its modules.
fn mentions(at: &Place, source: &str, modules: &BTreeSet<Place>) -> Vec<Mention> {
    let tokens = without_tests(tokens(source));
    let (mut out, mut i) = (Vec::new(), 0);
    // Modules written out in braces: their names, and where they end.
    let mut inside: Vec<(String, usize)> = Vec::new();
    let mut imports = 0;
    while i < tokens.len() {
        inside.retain(|(_, end)| i < *end);
        let here: Place = at.iter().cloned().chain(inside.iter().map(|(name, _)| name.clone())).collect();
        let text = |i: usize| tokens.get(i).map_or("", |t| t.text.as_str());
        if text(i) == "mod" && text(i + 2) == "{" {
            inside.push((text(i + 1).to_owned(), closed(&tokens, i + 2)));
            i += 3;
            continue;
        }
        if text(i) == "use" {
            imports = tokens[i..].iter().position(|t| t.text == ";").map_or(tokens.len(), |n| i + n);
        }
        let before = if i == 0 { "" } else { text(i - 1) };
        let below = || modules.contains(&[&here[..], &[text(i).to_owned()]].concat());
        let begins = matches!(text(i), "crate" | "self" | "super") || below();
        if before == "::" || text(i + 1) != "::" || !begins {
            i += 1;
            continue;
        }
        let (found, next) = paths(&tokens, i);
        for (path, name, line) in found {
            let mut to = here.clone();
            let mut rest = path.as_slice();
            match path.first().map(String::as_str) {
                Some("crate") => (to, rest) = (Place::new(), &path[1..]),
                Some("self") => rest = &path[1..],
                _ => {}
            }
            while let [first, others @ ..] = rest
                && first == "super"
            {
                to.pop();
                rest = others;
            }
            to.extend(rest.iter().cloned());
            out.push(Mention { from: here.clone(), to, name: name.filter(|_| i < imports), line });
        }
        i = next.max(i + 1);
    }
    out
}

/// The module a path leads to, through what other modules import.
fn owner(
    path: &[String],
    modules: &BTreeSet<Place>,
    imports: &BTreeMap<(Place, String), Place>,
) -> Option<Place> {
    let mut path = path.to_vec();
    // Longer than any chain of imports.
    for _ in 0..16 {
        let known = (0..=path.len()).rev().find(|n| modules.contains(&path[..*n].to_vec()))?;
        let (module, rest) = path.split_at(known);
        let next = rest.first().and_then(|name| imports.get(&(module.to_vec(), name.clone())));
        match next {
            Some(elsewhere) if *elsewhere != path => path = [&elsewhere[..], &rest[1..]].concat(),
            _ => return Some(module.to_vec()),
        }
    }
    None
}

/// That one module needs another beside it, and the lines that say so.
type Needs = BTreeMap<(String, String), Vec<String>>;

/// Modules in a circle, with the lines that make it.
#[derive(Debug, PartialEq, Eq)]
struct Circle {
    modules: Vec<String>,
    lines: Vec<String>,
}

/// The circles among some modules.
fn circles(needs: &Needs) -> Vec<Circle> {
    let all: BTreeSet<&String> = needs.keys().flat_map(|(a, b)| [a, b]).collect();
    // Everything a module needs, at once or by way of others.
    let reach = |from: &String| {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![from]);
        while let Some(module) = waiting.pop() {
            for (_, to) in needs.keys().filter(|(a, _)| a == module) {
                if seen.insert(to) {
                    waiting.push(to);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&String, BTreeSet<&String>> = all.iter().map(|m| (*m, reach(m))).collect();
    let (mut found, mut done) = (Vec::new(), BTreeSet::new());
    for module in all {
        let circle: BTreeSet<&String> =
            reached[module].iter().copied().filter(|other| reached[*other].contains(module)).collect();
        if circle.is_empty() || !done.insert(circle.clone()) {
            continue;
        }
        let lines = needs.iter().filter(|((a, b), _)| circle.contains(a) && circle.contains(b));
        let lines =
            lines.flat_map(|((a, b), lines)| lines.iter().map(move |line| format!("{a} -> {b}  {line}")));
        found.push(Circle { lines: lines.collect(), modules: circle.into_iter().cloned().collect() });
    }
    found
}

/// The circles of a crate by the module they stand in, given the sources of its modules.
fn of_crate(sources: &BTreeMap<Place, (String, String)>) -> BTreeMap<Place, Vec<Circle>> {
    let modules: BTreeSet<Place> = sources.keys().cloned().collect();
    let (mut all, mut imports) = (Vec::new(), BTreeMap::new());
    for (at, (file, source)) in sources {
        for mention in mentions(at, source, &modules) {
            if let Some(name) = &mention.name {
                imports.insert((mention.from.clone(), name.clone()), mention.to.clone());
            }
            all.push((file, source, at, mention));
        }
    }
    let mut needs: BTreeMap<Place, Needs> = BTreeMap::new();
    for (file, source, at, mention) in all {
        let Some(to) = owner(&mention.to, &modules, &imports) else { continue };
        let common = at.iter().zip(&to).take_while(|(a, b)| a == b).count();
        // One stands in the other, or they are the same.
        let (Some(from), Some(other)) = (at.get(common), to.get(common)) else { continue };
        let line = source.lines().nth(mention.line.saturating_sub(1)).unwrap_or("").trim();
        let lines = needs.entry(at[..common].to_vec()).or_default();
        let lines = lines.entry((from.clone(), other.clone())).or_default();
        let line = format!("{file}:{}: {line}", mention.line);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let found = needs.into_iter().map(|(folder, needs)| (folder, circles(&needs)));
    found.filter(|(_, circles)| !circles.is_empty()).collect()
}

/// Reads the modules of a folder: their places, names of files and texts.
fn read(folder: &Path, at: &Place, root: &Path, out: &mut BTreeMap<Place, (String, String)>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("{}", folder.display()))?;
    let mut entries: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    entries.sort();
    for path in entries {
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let below: Place = at.iter().cloned().chain([name.clone()]).collect();
        if path.is_dir() {
            read(&path, &below, root, out)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let place = if matches!(name.as_str(), "mod" | "lib" | "main") { at.clone() } else { below };
            let file = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            let text = fs::read_to_string(&path).with_context(|| file.clone())?;
            out.insert(place, (file, text));
        }
    }
    Ok(())
}

/// Looks for circles in every crate.
pub fn check() -> Result<()> {
    let root = crate::root();
    let mut faults = 0;
    let mut crates: Vec<PathBuf> = fs::read_dir(root.join("crates"))?
        .map(|entry| Ok(entry?.path().join("src")))
        .collect::<Result<_>>()?;
    crates.sort();
    let mut modules = 0;
    for src in crates.iter().filter(|src| src.is_dir()) {
        let mut sources = BTreeMap::new();
        read(src, &Place::new(), root, &mut sources)?;
        modules += sources.len();
        let name = src.strip_prefix(root).unwrap_or(src).display().to_string().replace('\\', "/");
        for (folder, circles) in of_crate(&sources) {
            let folder = [std::slice::from_ref(&name), &folder[..]].concat().join("/");
            for circle in circles {
                eprintln!("!! cycle in {folder}: {}", circle.modules.join(", "));
                circle.lines.iter().for_each(|line| eprintln!("     {line}"));
                faults += 1;
            }
        }
    }
    ensure!(faults == 0, "{faults} cycles: modules side by side must not depend on each other in a circle");
    eprintln!("{modules} modules: no cycles");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The circles of a made-up crate: files by their modules, joined by `/`; the root is empty.
    fn found(files: &[(&str, &str)]) -> Vec<(String, Vec<String>)> {
        let place = |name: &str| name.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let sources =
            files.iter().map(|(name, text)| (place(name), (format!("{name}.rs"), (*text).to_owned())));
        let circles = of_crate(&sources.collect());
        let each = circles.into_iter().flat_map(|(folder, circles)| {
            circles.into_iter().map(move |circle| (folder.join("/"), circle.modules))
        });
        each.collect()
    }

    fn one(folder: &str, modules: &[&str]) -> Vec<(String, Vec<String>)> {
        vec![(folder.to_owned(), modules.iter().map(|m| (*m).to_owned()).collect())]
    }

    #[test]
    fn law_circles_are_found_however_they_are_written() {
        for (a, b) in [
            ("use super::b;", "use super::a;"),
            ("use super::b::Thing;", "use crate::a::{self, Other};"),
            ("use super::{c::C, b::{B, more::*}};", "use crate::{c, a as first};"),
            ("fn f() -> super::b::B { super::b::make() }", "const A: u8 = crate::a::A;"),
            ("pub(super) fn f(x: &super::b::B) {}", "use super::c; use self::super::a::A;"),
            ("mod inner { use super::super::b::B; }", "use super::a;"),
            ("fn f() { let c = '\"'; super::b::f::<'static, u8>() }", "fn g(x: &'a str) { crate::a::f(x) }"),
        ] {
            let files = [("", "mod a; mod b; mod c;"), ("a", a), ("b", b), ("c", "pub struct C;")];
            assert_eq!(found(&files), one("", &["a", "b"]), "{a} / {b}");
        }
    }

    #[test]
    fn law_what_is_no_circle_is_not_found() {
        for (a, b) in [
            ("use super::b::B;", ""),
            ("use super::b::B;", "// use super::a::A;\n/* super::a::A /* */ crate::a */"),
            (
                "use super::b::B;",
                "const TEXT: &str = \"super::a::A\";\nconst RAW: &str = r#\"crate::a::\"A\"#;",
            ),
            (
                "use super::b::B;",
                "#[cfg(test)]\nmod tests { use super::super::a::A; fn f() { crate::a::f() } }",
            ),
            ("use super::b::B;", "#[cfg(test)]\nuse super::a::A;\n"),
            ("use super::b::B;", "#[cfg(test)]\n#[derive(Debug)]\nstruct S(crate::a::A);\nstruct T;"),
            ("use super::b::B;", "use other::a::A; fn f() { x::crate_a::g() }"),
            ("use super::b::B;", "use super::ROOT; fn f(a: u8) -> u8 { a }"),
        ] {
            let files = [("", "mod a; mod b; pub const ROOT: u8 = a::A;"), ("a", a), ("b", b)];
            assert_eq!(found(&files), [], "{a} / {b}");
        }
    }

    #[test]
    fn law_circles_may_be_long_and_stand_deep() {
        let files = [
            ("", "mod game; mod other;"),
            ("game", "mod a; mod b; mod c; mod deep;"),
            ("game/a", "use super::b::B;"),
            ("game/b", "use crate::game::c::C;"),
            ("game/c", "use super::deep::low::L;"),
            ("game/deep", "pub mod low; pub mod high;"),
            ("game/deep/low", "use super::super::a::A;"),
            ("game/deep/high", "use super::low::L;"),
            ("other", "use crate::game::a::A;"),
        ];
        assert_eq!(found(&files), one("game", &["a", "b", "c", "deep"]));
    }

    #[test]
    fn law_what_is_imported_elsewhere_is_followed_to_its_home() {
        // `a` asks the root for `B`, which lies in `b`.
        for root in ["mod a; mod b; pub use b::B;", "mod a; mod b; use crate::b::{B as Other, B};"] {
            let files = [("", root), ("a", "use crate::B;"), ("b", "use super::a::A;")];
            assert_eq!(found(&files), one("", &["a", "b"]), "{root}");
        }
        let files =
            [("", "mod a; mod b; pub use b::B as Name;"), ("a", "fn f(x: crate::Name) {}"), ("b", "")];
        assert_eq!(found(&files), []);
    }

    #[test]
    fn law_the_lines_of_a_circle_are_named() {
        let sources: BTreeMap<Place, (String, String)> = [
            (vec!["a".to_owned()], ("a.rs".to_owned(), "//! A.\n\nuse super::b::{\n    B,\n};\n".to_owned())),
            (vec!["b".to_owned()], ("b.rs".to_owned(), "fn f() {\n    super::a::f()\n}\n".to_owned())),
            (Vec::new(), ("lib.rs".to_owned(), "mod a;\nmod b;\n".to_owned())),
        ]
        .into();
        let circles = of_crate(&sources);
        assert_eq!(circles[&Place::new()][0].lines, ["a -> b  a.rs:4: B,", "b -> a  b.rs:2: super::a::f()"]);
    }

    #[test]
    fn law_this_project_has_only_known_circles() {
        check().unwrap();
    }
}
