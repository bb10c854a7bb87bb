//! The page in a real browser, served by the real program, and what must hold of its files.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use yomikiri_browser::{Browser, find};

/// The page's files.
fn web() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web")
}

/// The files with some endings, by name.
fn files(endings: &[&str]) -> BTreeMap<String, String> {
    let all = fs::read_dir(web()).unwrap().flatten().map(|entry| entry.path());
    let some = all.filter(|path| path.extension().is_some_and(|e| endings.iter().any(|end| e == *end)));
    some.map(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(path).unwrap())
    })
    .collect()
}

#[test]
fn law_the_page_names_no_game() {
    let said = Command::new(env!("CARGO_BIN_EXE_yomikiri")).args(["games", "--json"]).output().unwrap();
    let games: Value = serde_json::from_slice(&said.stdout).unwrap();
    let mut names = Vec::new();
    for game in games.as_array().unwrap() {
        names.push(game["id"].as_str().unwrap().to_lowercase());
        for lang in ["en", "ja"] {
            names.push(game["name"][lang].as_str().unwrap_or("?").to_lowercase());
        }
    }
    assert!(names.len() >= 15 && names.contains(&"geister".to_owned()), "{names:?}");
    let files = files(&["js", "css", "html", "svg", "ts"]);
    assert!(files.len() >= 20);
    for (file, text) in files {
        let text = text.to_lowercase();
        for name in &names {
            assert!(!text.contains(name.as_str()), "{file} names {name}");
        }
    }
}

#[test]
fn law_nothing_is_parsed_as_html_and_nothing_is_inline() {
    for (file, text) in files(&["js"]) {
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            ".cssText",
        ] {
            assert!(!text.contains(word), "{file} has {word}");
        }
        assert!(!text.contains("https://"), "{file} names another place");
    }
    for (file, text) in files(&["html", "css", "svg"]) {
        assert!(!text.contains("https://") && !text.contains("url(http"), "{file} names another place");
        assert!(!text.contains("style=\"") && !text.contains("onclick="), "{file} has something inline");
    }
    let shell = fs::read_to_string(web().join("index.html")).unwrap();
    assert_eq!(shell.matches("<script").count(), 1);
    assert!(shell.contains("<script type=\"module\" src=\"/assets/main.js\"></script>"));
}

/// The colour tokens, light and dark.
fn tokens() -> [BTreeMap<String, [f64; 3]>; 2] {
    let text = fs::read_to_string(web().join("tokens.css")).unwrap();
    let (light, dark) = text.split_once("@media").unwrap();
    let read = |text: &str, all: &mut BTreeMap<String, [f64; 3]>| {
        for rule in text.split(['{', ';', '}', '\n']) {
            let Some((name, value)) = rule.trim().split_once(':') else { continue };
            let (Some(name), Some(hex)) = (name.strip_prefix("--"), value.strip_prefix('#')) else {
                continue;
            };
            let part = |at: usize| {
                let digits =
                    if hex.len() == 3 { hex[at..=at].repeat(2) } else { hex[2 * at..2 * at + 2].to_owned() };
                f64::from(u8::from_str_radix(&digits, 16).unwrap()) / 255.0
            };
            all.insert(name.to_owned(), [part(0), part(1), part(2)]);
        }
    };
    let mut first = BTreeMap::new();
    read(light, &mut first);
    let mut second = first.clone();
    read(dark, &mut second);
    [first, second]
}

/// The contrast of two colours, by the formula of WCAG 2.
fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let bright = |colour: [f64; 3]| {
        let [r, g, b] =
            colour.map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    };
    let (x, y) = (bright(a), bright(b));
    (x.max(y) + 0.05) / (x.min(y) + 0.05)
}

#[test]
fn law_every_pair_of_colours_keeps_its_contrast() {
    assert!((contrast([0.0; 3], [1.0; 3]) - 21.0).abs() < 1e-9);
    // What is read needs 4.5, what is only seen 3.
    let read = [
        ("ink", &["page", "sheet", "accent-soft"][..]),
        ("ink-2", &["page", "sheet", "accent-soft"]),
        ("ink-3", &["sheet"]),
        ("mat-ink", &["mat", "mat-2"]),
        ("accent", &["sheet", "page"]),
        ("plus", &["sheet", "page"]),
        ("minus", &["sheet", "page"]),
        ("accent-ink", &["accent"]),
        ("sheet", &["ink", "plus", "minus"]),
        ("mat", &["mat-ink"]),
        ("S", &["card", "veil"]),
        ("H", &["card", "veil"]),
        ("D", &["card", "veil"]),
        ("C", &["card", "veil"]),
        ("N", &["card", "veil"]),
        ("card", &["N"]),
        ("g-ink", &["gb", "gr", "gp"]),
    ];
    let seen = [
        ("edge", &["sheet", "page"][..]),
        ("focus", &["page", "sheet", "mat", "mat-2"]),
        ("accent", &["mat", "mat-2"]),
        ("veil-edge", &["veil"]),
    ];
    for (theme, colours) in ["light", "dark"].into_iter().zip(tokens()) {
        for (least, pairs) in [(4.5, &read[..]), (3.0, &seen[..])] {
            for (ink, grounds) in pairs {
                for ground in *grounds {
                    let found = contrast(colours[*ink], colours[*ground]);
                    assert!(found >= least, "{theme}: {ink} on {ground} is {found:.2}, not {least}");
                }
            }
        }
    }
    // Suits in running text have colours of their own where the sheet is dark.
    let page = fs::read_to_string(web().join("page.css")).unwrap();
    let [_, dark] = tokens();
    for suit in ["H", "D", "C"] {
        let (_, rest) = page.split_once("prefers-color-scheme:dark").unwrap();
        let (_, value) = rest.split_once(&format!("--text-{suit}:#")).unwrap();
        let part = |at: usize| f64::from(u8::from_str_radix(&value[2 * at..2 * at + 2], 16).unwrap()) / 255.0;
        assert!(contrast([part(0), part(1), part(2)], dark["sheet"]) >= 4.5, "{suit} in text");
    }
}

/// A running server, on a cache of its own.
struct Server {
    process: Child,
    address: String,
    _cache: tempfile::TempDir,
}

impl Server {
    fn start(more: &[&str]) -> Server {
        let cache = tempfile::tempdir().unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_yomikiri"))
            .args(["serve", "--port", "0", "--json"])
            .args(more)
            .env("YOMIKIRI_CACHE", cache.path())
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("it says {line:?}"));
        let address = said["address"].as_str().unwrap().trim_end_matches('/').to_owned();
        Server { process, address, _cache: cache }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A browser on a server; nothing where there is no Chromium.
fn visit(more: &[&str]) -> Option<Page> {
    if find().is_none() {
        assert!(std::env::var_os("YOMIKIRI_NEEDS_BROWSER").is_none(), "there is no Chromium");
        eprintln!("SKIPPED: there is no Chromium, so the page was not looked at");
        return None;
    }
    let mut browser = Browser::start().unwrap();
    browser.resize(1280, 800).unwrap();
    browser.prefer(false, true).unwrap();
    Some(Page { server: Server::start(more), browser, refused: false })
}

/// A page that is looked at.
struct Page {
    server: Server,
    browser: Browser,
    /// Whether the server refused something on purpose, of which the console tells.
    refused: bool,
}

impl Page {
    fn open(&mut self, path: &str) -> Result<()> {
        let address = format!("{}{path}", self.server.address);
        self.browser.goto(&address).with_context(|| path.to_owned())
    }

    /// Opens a board and waits for its moves.
    fn board(&mut self, query: &str) -> Result<()> {
        self.open(&format!("/board?{query}"))?;
        self.ready()
    }

    /// Waits until the board shows a position and nothing is being computed.
    fn ready(&mut self) -> Result<()> {
        self.browser.until(READY).map(drop)
    }

    fn text(&mut self, selector: &str) -> Result<String> {
        let quoted = Value::from(selector);
        let found = self.browser.eval(&format!("document.querySelector({quoted})?.innerText ?? ''"))?;
        Ok(found.as_str().unwrap_or_default().to_owned())
    }

    fn count(&mut self, selector: &str) -> Result<u64> {
        let quoted = Value::from(selector);
        Ok(self.browser.eval(&format!("document.querySelectorAll({quoted}).length"))?.as_u64().unwrap_or(0))
    }

    /// A word of the address.
    fn asked(&mut self, name: &str) -> Result<String> {
        let quoted = Value::from(name);
        let found =
            self.browser.eval(&format!("new URLSearchParams(location.search).get({quoted}) ?? ''"))?;
        Ok(found.as_str().unwrap_or_default().to_owned())
    }

    /// How many moves the address has.
    fn moves(&mut self) -> Result<usize> {
        let moves = self.asked("moves")?;
        Ok(if moves.is_empty() { 0 } else { moves.split('~').count() })
    }

    /// Waits until the address has so many moves.
    fn after(&mut self, moves: usize) -> Result<()> {
        let count = "(new URLSearchParams(location.search).get('moves') || null)?.split('~').length ?? 0";
        self.browser.until(&format!("({count}) === {moves} && {READY}")).map(drop)
    }

    /// Nobody complained and nobody else was asked.
    fn clean(&mut self) -> Result<()> {
        let heard = self.browser.heard()?;
        let refused = self.refused;
        let bad: Vec<_> = heard
            .complaints
            .iter()
            .filter(|c| !(refused && c.contains("Failed to load resource") && c.contains("/api/")))
            .collect();
        ensure!(bad.is_empty(), "{bad:?}");
        let elsewhere: Vec<_> = heard
            .requests
            .iter()
            .filter(|r| {
                !r.starts_with(&self.server.address) && !r.starts_with("data:") && *r != "about:blank"
            })
            .collect();
        ensure!(elsewhere.is_empty(), "{elsewhere:?}");
        Ok(())
    }
}

/// Whether the board shows a position and nothing is being computed.
const READY: &str = "(document.querySelector('.holder .stage') !== null && document.querySelector('.working') === null \
    && document.querySelector('.bench[aria-busy]') === null)";
/// Whether the game on the board is over.
const OVER: &str = "document.querySelector('.verdict.over') !== null";
