//! The page in a real browser, served by the real program, and what must hold of its files.

use crate::{BINARY, served};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use yomikiri_testkit::browser::{Browser, find};
use yomikiri_testkit::server::Server;

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
    let said = Command::new(BINARY).args(["games", "--json"]).output().unwrap();
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
            // As a word of its own: an animation is not about Nim.
            let letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
            let named = text.match_indices(name.as_str()).any(|(at, found)| {
                let (before, after) = (&text[..at], &text[at + found.len()..]);
                !(letter(before.chars().next_back()) || letter(after.chars().next()))
            });
            assert!(!named, "{file} names {name}");
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
            "DOMParser",
            "createContextualFragment",
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
    assert!(shell.contains("<script type=\"module\" src=\"assets/main.js\"></script>"));
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
        ("t-light", &["t-black", "t-grey", "t-blue", "t-red", "t-purple", "t-green"]),
        ("t-dark", &["t-white", "t-yellow"]),
    ];
    let seen = [
        ("edge", &["sheet", "page"][..]),
        ("focus", &["page", "sheet", "mat", "mat-2"]),
        ("accent", &["mat", "mat-2"]),
        ("veil-edge", &["veil"]),
        ("t-edge", &["mat", "mat-2"]),
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

/// A browser on a server; nothing where there is no Chromium. Whoever uses it has seen the rules of all games.
pub fn visit(more: &[&str]) -> Option<Page> {
    if find().is_none() {
        assert!(std::env::var_os("YOMIKIRI_NEEDS_BROWSER").is_none(), "there is no Chromium");
        eprintln!("SKIPPED: there is no Chromium, so the page was not looked at");
        return None;
    }
    let mut browser = Browser::start().unwrap();
    browser.resize(1280, 800).unwrap();
    browser.prefer(false, true).unwrap();
    let cache = tempfile::tempdir().unwrap();
    let server = served(cache.path(), &format!("--quiet {}", more.join(" ")));
    let address = server.said["url"].as_str().unwrap().trim_end_matches('/').to_owned();
    let mut page = Page { server, address, _cache: cache, browser, refused: false };
    page.open("/check").unwrap();
    page.browser.eval("localStorage.setItem('yomikiri.rules', '*')").unwrap();
    Some(page)
}

/// A page that is looked at.
pub struct Page {
    server: Server,
    address: String,
    _cache: tempfile::TempDir,
    pub browser: Browser,
    /// Whether the server refused something on purpose, of which the console tells.
    pub refused: bool,
}

impl Page {
    pub fn open(&mut self, path: &str) -> Result<()> {
        let address = format!("{}{path}", self.address);
        self.browser.goto(&address).with_context(|| path.to_owned())
    }

    /// Opens a board and waits for its moves.
    pub fn board(&mut self, query: &str) -> Result<()> {
        self.open(&format!("/board?{query}"))?;
        self.ready()
    }

    /// Waits until the board shows a position and nothing is being computed.
    pub fn ready(&mut self) -> Result<()> {
        self.browser.until(READY).map(drop)
    }

    pub fn text(&mut self, selector: &str) -> Result<String> {
        let quoted = Value::from(selector);
        let found = self.browser.eval(&format!("document.querySelector({quoted})?.innerText ?? ''"))?;
        Ok(found.as_str().unwrap_or_default().to_owned())
    }

    pub fn count(&mut self, selector: &str) -> Result<u64> {
        let quoted = Value::from(selector);
        Ok(self.browser.eval(&format!("document.querySelectorAll({quoted}).length"))?.as_u64().unwrap_or(0))
    }

    /// A word of the address.
    pub fn asked(&mut self, name: &str) -> Result<String> {
        let quoted = Value::from(name);
        let found =
            self.browser.eval(&format!("new URLSearchParams(location.search).get({quoted}) ?? ''"))?;
        Ok(found.as_str().unwrap_or_default().to_owned())
    }

    /// How many moves the address has.
    pub fn moves(&mut self) -> Result<usize> {
        let moves = self.asked("moves")?;
        Ok(if moves.is_empty() { 0 } else { moves.split('~').count() })
    }

    /// Waits until the address has so many moves.
    pub fn after(&mut self, moves: usize) -> Result<()> {
        let count = "(new URLSearchParams(location.search).get('moves') || null)?.split('~').length ?? 0";
        self.browser.until(&format!("({count}) === {moves} && {READY}")).map(drop)
    }

    /// From now on whoever looks has seen enough at once of what lies open for a moment.
    pub fn hurry(&mut self) -> Result<()> {
        self.browser.eval("setInterval(() => document.querySelector('.holder')?.click(), 60)").map(drop)
    }

    /// Nobody complained and nobody else was asked.
    pub fn clean(&mut self) -> Result<()> {
        let heard = self.browser.heard()?;
        let refused = self.refused;
        let bad: Vec<_> = heard
            .complaints
            .iter()
            .filter(|c| !(refused && c.starts_with("network ") && c.contains("/api/")))
            .collect();
        ensure!(bad.is_empty(), "{bad:?}");
        let elsewhere: Vec<_> = heard
            .requests
            .iter()
            .filter(|r| !r.starts_with(&self.address) && !r.starts_with("data:") && *r != "about:blank")
            .collect();
        ensure!(elsewhere.is_empty(), "{elsewhere:?}");
        Ok(())
    }
}

/// Whether the board shows a position and nothing is being computed.
pub const READY: &str = "(document.querySelector('.holder .stage') !== null && document.querySelector('.working') === null \
    && document.querySelector('.bench[aria-busy]') === null)";
/// Whether the game on the board is over.
pub const OVER: &str = "document.querySelector('.verdict.over') !== null";

/// Plays on, by one way of making a move, until the game is over.
fn to_the_end(page: &mut Page, most: usize, step: impl Fn(&mut Page) -> Result<()>) -> Result<usize> {
    for done in 0..most {
        page.ready()?;
        if page.browser.eval(OVER)? == true {
            ensure!(page.count(".moves, .plain")? == 0, "a game that is over has no moves");
            ensure!(page.text(".verdict.over b")?.len() > 3, "it does not say how it ended");
            return Ok(done);
        }
        let before = page.moves()?;
        step(page)?;
        let count = "(new URLSearchParams(location.search).get('moves') || null)?.split('~').length ?? 0";
        page.browser.until(&format!("({count}) > {before} && {READY}"))?;
    }
    anyhow::bail!("no end after {most} moves: {}", page.browser.eval("location.search")?)
}

#[test]
fn law_a_game_of_each_kind_is_played_to_its_end() {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        // Against the machine, by clicks on whatever can be clicked.
        page.board("game=memory&ranks=2&seat=0&seed=3")?;
        ensure!(page.text(".seats")?.contains("you"), "nobody is the person");
        page.hurry()?;
        let moves = to_the_end(&mut page, 40, |page| page.browser.click(".slot.can"))?;
        ensure!(moves >= 2, "{moves} moves");
        ensure!(page.count(".mistakes")? == 1, "there is no record of mistakes");
        // A new game is another deal, and the address says which.
        page.browser.click(".verdict.over .btn.main")?;
        page.browser.until(&format!("{READY} && !({OVER})"))?;
        ensure!(
            page.asked("seed")? != "3" && page.asked("ranks")? == "2",
            "the deal or the variant is wrong"
        );

        // A piece is taken up and put down.
        page.board("game=geister&seat=0")?;
        let moves = to_the_end(&mut page, 60, |page| {
            let ends = page.browser.eval(
                "(async () => { const move = document.querySelector('.move[data-move]'); move.dispatchEvent(new MouseEvent('mouseenter')); \
                 const on = [...document.querySelectorAll('.square.m-hover')].map(e => e.dataset.place); \
                 move.dispatchEvent(new MouseEvent('mouseleave')); return [move.dataset.move, on]; })()",
            )?;
            let squares: Vec<&str> =
                ends[1].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let typed = ends[0].as_str().context("no move")?;
            // What is typed begins with the square it begins on.
            let from = squares.iter().find(|s| s.ends_with(&typed[..2])).context("no beginning")?;
            let to = squares.iter().find(|s| *s != from).unwrap_or(from);
            let ways = page.browser.eval(&format!(
                "[...document.querySelectorAll('.move[data-move]')].filter(e => e.dataset.move.startsWith('{}')).length",
                &typed[..2]
            ))?;
            page.browser.click(&format!("[data-place='{from}']"))?;
            // One click is enough where there is one way to go.
            if ways == 1 {
                return Ok(());
            }
            ensure!(page.count("[aria-pressed='true'].square")? == 1, "the piece is not taken up");
            page.browser.click(&format!("[data-place='{to}']"))
        })?;
        ensure!(moves >= 2, "{moves} moves");

        // Three at the table, two of them machines, by the keyboard.
        page.board("game=saichugen&seat=1")?;
        ensure!(page.count(".seats .who:not(.you)")? == 2, "there are not two machines");
        to_the_end(&mut page, 60, |page| page.browser.key("1"))?;

        // From a position, card onto card, to the last one; the best move keeps it winnable all the way.
        page.board("game=accordion&position=S7_S4_S0_D3_S3_C9_S9_SA")?;
        let moves = to_the_end(&mut page, 20, |page| {
            ensure!(page.text(".verdict .worth b")?.contains("can be won"), "it cannot be won any more");
            page.browser.click(".slot:has(> .m-best)")?;
            if page.count("[aria-pressed='true'].slot")? == 1 {
                page.browser.click(".slot:has(> .m-to)")?;
            }
            Ok(())
        })?;
        ensure!(moves == 7, "{moves} moves");
        ensure!(page.text(".verdict.over b")?.to_lowercase().contains("success"), "it was not won");

        // Both sides, from the list of moves.
        page.board("game=sixtysix&hand=3&deck=2&seat=all")?;
        let moves = to_the_end(&mut page, 20, |page| page.browser.click(".move[data-move]"))?;
        ensure!(moves == 8, "{moves} moves");
        ensure!(page.count(".record li i")? == 8, "the record is not whole");

        // Games that are nothing but rules and names: a heap is won by its best stones, from the first move on.
        page.board("game=nim&seat=0")?;
        ensure!(page.count(".z-heap")? == 3 && page.count(".slot.can")? == 12, "there are no heaps");
        to_the_end(&mut page, 20, |page| page.browser.click(".slot:has(> .m-best)"))?;
        ensure!(page.text(".verdict.over b")?.contains("First player wins"), "it was not won");
        // Squares that are empty are clicked; whoever takes the first there is makes mistakes, and is told so.
        page.board("game=tictactoe&seat=0&hints=none")?;
        let moves = to_the_end(&mut page, 9, |page| page.browser.click(".square.can"))?;
        ensure!(moves >= 3 && page.count(".square .token, .square svg, .square .item")? > 0, "{moves} moves");
        ensure!(page.count(".mistakes li")? >= 1, "no mistake is told");

        // The machine begins; its moves are shown one after another, and a key skips to the end of them.
        page.browser.prefer(false, false)?;
        page.board("game=memory&ranks=3&seat=1")?;
        let made = page.moves()?;
        ensure!(made >= 2, "the machine did not begin: {made}");
        page.browser.key("1")?;
        page.after(made + 1)?;
        page.clean()
    };
    play().unwrap();
}

#[test]
fn law_hints_undo_paste_edit_and_the_address() {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        page.board("game=sixtysix&seed=5")?;
        // Three levels of hints; nothing is told that was not asked for.
        ensure!(
            page.count(".move .rail .bar, .move .rail .zero")? >= 5 && page.count(".chip")? == 5,
            "no values"
        );
        page.browser.key("h")?;
        page.browser.until("document.querySelector('.lead') !== null")?;
        ensure!(page.asked("hints")? == "none", "the address does not know");
        ensure!(
            page.count(".move, .chip, .verdict, .line li, .m-best, .m-to, .arrows")? == 0,
            "something leaks"
        );
        ensure!(page.count(".plain button")? == 5, "the legal moves are gone");
        page.browser.key("h")?;
        page.browser
            .until(&format!("new URLSearchParams(location.search).get('hints') === 'best' && {READY}"))?;
        let (best, other) = (page.count(".move.best")?, page.count(".plain button")?);
        ensure!(
            best >= 1 && best + other == 5 && page.count(".move:not(.best):not(.ruler)")? == 0,
            "{best} {other}"
        );
        page.browser.click(".tools .seg button:last-child")?;
        page.browser
            .until(&format!("new URLSearchParams(location.search).get('hints') === null && {READY}"))?;

        // Two moves, back, and forth.
        let start = page.text(".verdict")?;
        page.browser.key("1")?;
        page.after(1)?;
        page.browser.key("2")?;
        page.after(2)?;
        let there = page.text(".bench")?;
        let address = page.browser.eval("location.href")?;
        page.browser.key("ArrowLeft")?;
        page.after(1)?;
        page.browser.key("u")?;
        page.after(0)?;
        ensure!(page.text(".verdict")? == start, "the start is another");
        page.browser.key("ArrowRight")?;
        page.after(1)?;
        page.browser.click(".tools .btn:nth-child(2)")?;
        page.after(2)?;
        ensure!(page.text(".bench")? == there, "redo leads elsewhere");
        ensure!(page.browser.eval("location.href")? == address, "the address is another");
        // A new move forgets what was taken back.
        page.browser.key("u")?;
        page.after(1)?;
        ensure!(!page.asked("redo")?.is_empty(), "nothing is kept for redo");
        page.browser.key("1")?;
        page.after(2)?;
        ensure!(page.asked("redo")?.is_empty(), "redo outlives a new move");

        // The address restores everything; so do back and forward.
        page.browser.goto(address.as_str().unwrap_or_default())?;
        page.after(2)?;
        ensure!(page.text(".bench")? == there, "the address does not restore the game");
        page.browser.reload()?;
        page.after(2)?;
        ensure!(page.text(".bench")? == there, "a reload loses something");
        page.browser.key("1")?;
        page.after(3)?;
        page.browser.eval("history.back()")?;
        page.after(2)?;
        ensure!(page.text(".bench")? == there, "back leads elsewhere");
        page.browser.eval("history.forward()")?;
        page.after(3)?;

        // A position is pasted; a bad one is refused beside the field, and the board does not change.
        let field = ".kifu input";
        page.browser.click(field)?;
        page.browser.eval("document.querySelector('.kifu input').select()")?;
        page.browser.write("A:1,4,6_B:2,3,5_D:7,8_Q:4=3,7=1/2_L:B")?;
        page.browser.key("Enter")?;
        page.browser.until(&format!("new URLSearchParams(location.search).has('position') && {READY}"))?;
        ensure!(page.count("[data-place^='a']")? == 3, "another hand is shown");
        page.refused = true;
        let shown = page.text(".holder")?;
        page.browser.eval("document.querySelector('.kifu input').select()")?;
        page.browser.write("A:1,1_B:x")?;
        page.browser.key("Enter")?;
        page.browser.until("document.querySelector('#notation-error')?.hidden === false")?;
        ensure!(page.text("#notation-error")?.contains("sixtysix"), "it does not say what is wrong");
        ensure!(
            page.browser.eval("document.querySelector('.kifu input').value")? == "A:1,1_B:x",
            "the text is lost"
        );
        ensure!(page.text(".holder")? == shown, "the board has changed");
        page.browser.key("Escape")?;
        ensure!(page.count("#notation-error:not([hidden])")? == 0, "the message stays");

        // A variant is chosen in its form; errors stand beside the field.
        page.browser.eval("document.activeElement.blur()")?;
        page.browser.key("v")?;
        ensure!(page.count(".drawer[open]")? == 1, "the drawer is shut");
        let hand = ".pop .field.int input";
        for (typed, good) in [("999", false), ("3", true)] {
            page.browser.click(hand)?;
            page.browser.eval(&format!("document.querySelector('{hand}').select()"))?;
            page.browser.write(typed)?;
            page.browser.key("Enter")?;
            if good {
                page.browser
                    .until(&format!("new URLSearchParams(location.search).get('hand') === '3' && {READY}"))?;
            } else {
                page.browser.until("document.querySelector('.pop .field [aria-invalid]') !== null")?;
                ensure!(page.text(".pop .error:not([hidden])")?.contains("hand"), "no message");
            }
        }
        ensure!(page.count("[data-place^='a']")? == 3, "the variant is not played");

        // By hand: every change leads to a position, which is then played.
        let was = page.browser.eval("document.querySelector('.kifu input').value")?;
        page.browser.key("e")?;
        page.browser.until("document.querySelector('.bench.editing') !== null")?;
        page.browser.click(".slot.can")?;
        page.browser.until("document.querySelector('.menu, .m-held') !== null")?;
        if page.count(".menu button")? > 0 {
            page.browser.click(".menu button")?;
        } else {
            page.browser.click(".m-aim")?;
        }
        let changed = format!("document.querySelector('.kifu input').value !== {was}");
        page.browser.until(&changed)?;
        page.browser.key("e")?;
        page.browser.until(&format!("new URLSearchParams(location.search).has('position') && {READY}"))?;
        ensure!(page.browser.eval(&changed)? == true, "the edit is lost");
        page.clean()
    };
    play().unwrap();
}

#[test]
fn law_the_keyboard_is_enough() {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        page.open("/")?;
        page.browser.until("document.querySelectorAll('.game').length >= 5")?;
        // From the address bar to the first tile, and in.
        for _ in 0..30 {
            page.browser.key("Tab")?;
            if page.browser.eval("document.activeElement?.matches('.game [data-door=analyse]')")? == true {
                break;
            }
        }
        page.browser.key("Enter")?;
        page.browser.until(&format!("location.pathname === '/board' && {READY}"))?;
        // Header, sides, board, moves, notation and tools: the board is one stop.
        let mut stops = Vec::new();
        page.browser.reload()?;
        page.ready()?;
        for _ in 0..40 {
            page.browser.key("Tab")?;
            let place = page.browser.eval(
                "(() => { const e = document.activeElement; return ['.top', '.head', '.holder', '.sheet', '.kifu', '.tools'].find(s => e.closest(s)) ?? ''; })()",
            )?;
            let place = place.as_str().unwrap_or_default().to_owned();
            let ring = page.browser.eval("getComputedStyle(document.activeElement).outlineStyle")?;
            ensure!(place.is_empty() || ring == "solid", "no ring at {place}");
            stops.push(place);
            if stops.last().is_some_and(String::is_empty) {
                break;
            }
        }
        let mut order = stops.clone();
        order.dedup();
        ensure!(order == [".top", ".head", ".holder", ".sheet", ".kifu", ".tools", ""], "{stops:?}");
        ensure!(stops.iter().filter(|s| *s == ".holder").count() == 1, "{stops:?}");
        // The arrows walk on the board, Enter plays what is there.
        page.browser.key("b")?;
        let place = "document.activeElement.dataset.place";
        let first = page.browser.eval(place)?;
        page.browser.key("ArrowRight")?;
        let second = page.browser.eval(place)?;
        page.browser.key("ArrowDown")?;
        let third = page.browser.eval(place)?;
        ensure!(first != second && second != third && third.is_string(), "{first} {second} {third}");
        page.browser.key("Enter")?;
        page.after(1)?;
        ensure!(page.browser.eval(place)? == third, "the place is lost after the move");
        let said = page.browser.eval("document.activeElement.getAttribute('aria-label')")?;
        ensure!(said.as_str().is_some_and(|s| s.contains(" of ")), "the card says {said}");
        // The list of moves: down, Enter.
        page.browser.key("m")?;
        ensure!(
            page.browser.eval("document.activeElement.matches('[data-move]')")? == true,
            "no move has the focus"
        );
        let said = page.browser.eval("document.activeElement.getAttribute('aria-label')")?;
        ensure!(
            said.as_str().is_some_and(|s| s.starts_with("1, ") && s.contains("exact") && s.contains("best")),
            "{said}"
        );
        page.browser.key("Enter")?;
        page.after(2)?;
        // Overlay, language, optimal player, new game.
        page.browser.key("?")?;
        ensure!(page.count("dialog[open] kbd")? >= 15, "no list of keys");
        page.browser.key("Escape")?;
        ensure!(page.count("dialog[open]")? == 0, "the list stays");
        page.browser.key("l")?;
        ensure!(page.browser.eval("document.documentElement.lang")? == "ja", "no Japanese");
        ensure!(page.text(".tools")?.contains("全評価") && page.asked("lang")? == "ja", "half a language");
        page.browser.key("p")?;
        page.after(3)?;
        page.browser.key("n")?;
        page.after(0)?;
        ensure!(!page.asked("seed")?.is_empty(), "the deal is not in the address");
        page.clean()
    };
    play().unwrap();
}

/// What a page is asked: is anything wider than the window, too small to hit, without a name, or twice?
const LOOK: &str = r##"(() => {
    const wide = document.scrollingElement.scrollWidth - innerWidth;
    const seen = e => { const b = e.getBoundingClientRect(); return b.width > 0 && b.height > 0 && e.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true}); };
    const controls = [...document.querySelectorAll('button, a[href], input, select, summary')].filter(seen);
    const nameless = controls.filter(e => !(e.getAttribute('aria-label') || e.innerText?.trim() || e.labels?.length || e.title)).map(e => e.outerHTML.slice(0, 120));
    const small = innerWidth > 640 ? [] : controls.filter(e => e.matches('.tools .btn, .kifu .btn, .seg button, .move[data-move]') && (e.getBoundingClientRect().height < 40)).map(e => e.outerHTML.slice(0, 120));
    const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
    return {wide, nameless, small, twice: ids.filter((id, at) => ids.indexOf(id) !== at), lang: document.documentElement.lang,
        words: document.body.innerText.length, title: document.title, dark: getComputedStyle(document.documentElement).backgroundColor};
})()"##;

#[test]
fn law_every_page_fits_every_width_language_and_theme() {
    every_page_fits(&[(360, false, "en"), (1920, true, "ja")]);
}

mod full {
    #[test]
    fn law_every_page_fits_every_width_language_and_theme() {
        super::every_page_fits(&[
            (360, true, "ja"),
            (390, false, "en"),
            (390, true, "ja"),
            (1920, false, "en"),
            (820, false, "ja"),
            (1280, true, "en"),
        ]);
    }
}

/// Every page in windows of these widths, dark or light, in these languages.
fn every_page_fits(windows: &[(u32, bool, &str)]) {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        let pages = [
            ("/", "document.querySelectorAll('.game .zone').length >= 5"),
            ("/board?game=memory", READY),
            ("/board?game=geister&seat=0", READY),
            ("/board?game=saichugen&seat=0", READY),
            ("/board?game=accordion", READY),
            ("/board?game=sixtysix", READY),
            ("/puzzle", "document.querySelectorAll('.puzzles a').length > 10"),
            ("/puzzle?game=nim&number=5", "document.querySelector('.sheet [data-move]') !== null"),
            ("/results", "document.querySelectorAll('.paper').length >= 5"),
            ("/results?game=sixtysix", "document.querySelectorAll('.part').length >= 1"),
            ("/studies", "document.querySelectorAll('.study').length >= 10"),
            ("/check", "document.querySelector('.drop') !== null"),
        ];
        for (path, ready) in pages {
            let mut grounds = Vec::new();
            for &(width, dark, lang) in windows {
                page.browser.resize(width, 800)?;
                page.browser.prefer(dark, true)?;
                let sign = if path.contains('?') { '&' } else { '?' };
                page.open(&format!("{path}{sign}lang={lang}"))?;
                page.browser.until(ready).with_context(|| path.to_owned())?;
                let found = page.browser.eval(LOOK)?;
                let name = format!("{path} at {width} in {lang}");
                ensure!(found["wide"].as_i64() <= Some(0), "{name} is too wide: {found}");
                for list in ["nameless", "small", "twice"] {
                    ensure!(found[list].as_array().is_some_and(Vec::is_empty), "{name}, {list}: {found}");
                }
                ensure!(found["lang"] == lang && found["words"].as_i64() > Some(100), "{name}: {found}");
                grounds.push((dark, found["dark"].clone()));
                page.clean().with_context(|| name)?;
            }
            ensure!(grounds[0].1 != grounds[1].1, "{path} does not know the dark: {grounds:?}");
        }
        // The browser's own language counts where none was chosen.
        for (list, lang) in [("ja,en", "ja"), ("de,en", "en")] {
            page.browser.languages(list)?;
            page.open("/")?;
            page.browser.until("document.querySelectorAll('.game').length >= 5")?;
            ensure!(page.browser.eval("document.documentElement.lang")? == lang, "{list} is not {lang}");
        }
        // A game that is none is said to be none.
        page.open("/board?game=chess")?;
        page.browser.until("document.querySelector('.hero')?.innerText.includes('chess')")?;
        page.clean()
    };
    play().unwrap();
}

#[test]
fn law_words_are_there_in_both_languages_and_unknown_kinds_are_boxes() {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        page.open("/")?;
        page.browser.until("document.querySelectorAll('.game').length >= 5")?;
        let words = page.browser.eval("import('/assets/words.js').then(m => m.words())")?;
        let words = words.as_object().context("no words")?;
        ensure!(words.len() > 100, "{} words", words.len());
        let fills = |text: &str| {
            let mut all: Vec<String> =
                text.split('{').skip(1).filter_map(|p| p.split('}').next()).map(str::to_owned).collect();
            all.sort();
            all
        };
        for (key, pair) in words {
            let (en, ja) = (pair[0].as_str().unwrap_or_default(), pair[1].as_str().unwrap_or_default());
            ensure!(
                !en.is_empty() && !ja.is_empty() && pair.as_array().map(Vec::len) == Some(2),
                "{key}: {pair}"
            );
            ensure!(fills(en) == fills(ja), "{key} is filled differently: {pair}");
            let written = ja.chars().any(|c| c as u32 >= 0x3000) || en == ja;
            ensure!(written, "{key} is not in Japanese: {ja}");
        }
        // A sixth game with a zone and an item nobody has heard of.
        let drawn = page.browser.eval(
            r#"import('/assets/stage.js').then(({stage}) => {
                const scene = {kind: 'scene', v: 1, game: 'sixth', title: 'Sixth', variant: '', notation: '', layout: [['ring', 'hand']],
                    zones: [{id: 'ring', kind: 'torus', items: [{id: 'x', t: 'dragon'}]}, {id: 'hand', kind: 'hand', label: 'Hand', items: [{id: 'y', t: 'dragon'}, {id: 'z', t: 'card', show: 'up', face: 'S7'}]}],
                    moves: [{id: 'm', label: 'Fly', on: ['y']}, {id: 'n', label: 'Away', from: 'ring/a1', to: 'nowhere'}]};
                let clicked = '';
                const made = stage(scene, {click: place => { clicked = place.ids[0]; }});
                const room = document.createElement('div');
                document.querySelector('main').append(room);
                room.append(made.node);
                made.fit();
                made.find('y').click();
                const boxes = [...made.node.querySelectorAll('.kind')].map(e => [e.textContent, e.getBoundingClientRect().width > 0]);
                room.remove();
                return {boxes, clicked, cards: made.node.querySelectorAll('.card').length};
            })"#,
        )?;
        ensure!(drawn["boxes"] == serde_json::json!([["torus", true], ["dragon", true]]), "{drawn}");
        ensure!(drawn["clicked"] == "y" && drawn["cards"] == 2, "{drawn}");
        // A busy server is told of, and asked again when it said so.
        let busy = page.browser.eval(
            r#"import('/assets/api.js').then(async ({ask}) => {
                const real = window.fetch;
                let asked = 0;
                // Other questions of the page may be under way; only ours is answered so.
                window.fetch = async (...all) => String(all[0]).endsWith('/api/games') && (asked += 1) === 1 ? new Response('{"error": {"code": "busy", "message": "later"}}', {status: 429, headers: {'retry-after': '1'}}) : real(...all);
                // An answer to one of those takes the bar away again: what it says is read whenever it changes.
                const bar = document.querySelector('.lost');
                let said = '';
                const watch = new MutationObserver(() => { said ||= bar.hidden ? '' : bar.innerText; });
                watch.observe(bar, {attributes: true, childList: true, characterData: true, subtree: true});
                const games = (await ask('/api/games')).games.length;
                window.fetch = real;
                watch.disconnect();
                return {said, games, asked, after: bar.hidden};
            })"#,
        )?;
        let told = busy["said"].as_str().is_some_and(|said| said.contains("busy"));
        ensure!(
            told && busy["games"].as_u64() >= Some(5) && busy["asked"] == 2 && busy["after"] == true,
            "{busy}"
        );
        // Texts of the server are text, whatever they hold.
        let safe = page.browser.eval(
            r#"Promise.all([import('/assets/words.js'), import('/assets/dom.js')]).then(([words, dom]) => {
                const node = dom.el('p', {}, words.rich('<img src=x onerror="document.title=1"> {H0} {S7}'));
                const drawn = dom.picture('<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=1"><script>document.title=1</script><a href="https://example.org"><text>no</text></a><rect width="5" height="5" style="fill:var(--plus)"/></svg>');
                const text = dom.picture('<?xml version="1.0"?><!-- <b> --><svg viewBox=\'0 0 9 9\'><g fill="url(#a)" stroke="url(http:x)" ONLOAD="1"><text>1 &lt; 2 &amp;&#x3b1;&#945;<![CDATA[<i>]]></text><style>a{b:c}</style></g></svg>\n');
                const bad = ['', 'words', '<svg>', '<svg></g></svg>', '<svg a=1></svg>', '<p></p>', '<svg/><svg/>', '<svg', '<svg>&lt;<</svg>'].map(dom.picture);
                return [node.querySelector('img') === null, node.textContent.includes('10♥'), drawn.outerHTML, text.outerHTML, bad.every(one => one === null)];
            })"#,
        )?;
        ensure!(safe[0] == true && safe[1] == true, "{safe}");
        let svg = safe[2].as_str().unwrap_or_default();
        ensure!(
            svg.contains("<rect")
                && !svg.contains("script")
                && !svg.contains("onload")
                && !svg.contains("href"),
            "{svg}"
        );
        let whole =
            r##"<svg viewBox="0 0 9 9"><g fill="url(#a)"><text>1 &lt; 2 &amp;αα&lt;i&gt;</text></g></svg>"##;
        ensure!(safe[3] == whole && safe[4] == true, "{safe}");
        page.clean()
    };
    play().unwrap();
}

/// Puts a scene on the page and looks at each of its items: its box, what is painted, its paths and words.
const PAINTED: &str = r#"(scene) => import('/assets/stage.js').then(({stage}) => {
    const room = document.createElement('div');
    document.querySelector('main').append(room);
    const made = stage(scene, {});
    room.append(made.node);
    made.fit();
    const out = {};
    for (const node of made.node.querySelectorAll('[data-item]')) {
        const seen = e => { const b = e.getBoundingClientRect(); return b.width > 3 && b.height > 3 && e.checkVisibility({visibilityProperty: true, opacityProperty: true}); };
        const inks = [...node.querySelectorAll('.body, .on, .over')].map(e => { const s = getComputedStyle(e); return [s.fill, s.stroke]; }).flat();
        const style = getComputedStyle(node);
        if (node.matches('.card')) inks.push(style.backgroundColor === 'rgba(0, 0, 0, 0)' ? 'none' : style.backgroundColor, style.borderTopColor);
        out[node.dataset.item] = {seen: seen(node), inks: inks.filter(i => i !== 'none'), paths: [...node.querySelectorAll('path')].map(e => e.getAttribute('d')),
            words: node.textContent, name: node.closest('button').getAttribute('aria-label'), box: node.querySelector('.kind')?.textContent ?? ''};
    }
    room.remove();
    return out;
})"#;

#[test]
fn law_every_shape_in_every_colour_is_on_the_page_as_in_the_report() {
    use yomikiri_core::{Text, text};
    use yomikiri_view::scene::{Form, Item, Scene, Shape, Tint, Token, VERSION, Zone};
    let Some(mut page) = visit(&[]) else { return };
    let mut items = Vec::new();
    for shape in Form::ALL.into_iter().chain([Form::Other("pyramid".into())]) {
        for tint in Tint::ALL {
            let token = Token::new(shape.clone(), tint).text(Text::same("×")).secret(tint == Tint::Grey);
            items.push(Item::token(format!("{shape:?}-{tint:?}"), token));
        }
    }
    let scene = Scene {
        v: VERSION,
        game: "toy".into(),
        title: text("Made up", "見本"),
        variant: Text::same("1"),
        zones: vec![Zone::new("all", Shape::Grid { cols: 9, narrow: 9 }, Text::default(), items.clone())],
        layout: vec![vec!["all".into()]],
        ..Scene::default()
    };
    let mut play = || -> Result<()> {
        for dark in [false, true] {
            page.browser.prefer(dark, true)?;
            page.open("/")?;
            page.browser.until("document.querySelectorAll('.game').length >= 5")?;
            let json = serde_json::to_string(&scene)?;
            let painted = page.browser.eval(&format!("({PAINTED})({json})"))?;
            for item in &items {
                let found = &painted[&item.id];
                let yomikiri_view::scene::Piece::Token(token) = &item.piece else { continue };
                ensure!(found["seen"] == true, "{} is not seen: {found}", item.id);
                if let Form::Other(name) = &token.shape {
                    ensure!(found["box"] == name.as_str(), "{}: {found}", item.id);
                    continue;
                }
                let inks = found["inks"].as_array().context("no inks")?;
                ensure!(!inks.is_empty(), "{} is painted with nothing: {found}", item.id);
                ensure!(
                    found["name"].as_str().is_some_and(|name| name.contains('×')),
                    "{}: {found}",
                    item.id
                );
                // The report draws the same paths.
                let one = Zone::new("one", Shape::Hand, Text::default(), vec![item.clone()]);
                let one = Scene { zones: vec![one], layout: vec![vec!["one".into()]], ..scene.clone() };
                let drawn = yomikiri_view::svg::scene::svg(&one, &Default::default());
                for path in found["paths"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                    ensure!(drawn.contains(&format!("d=\"{path}\"")), "{}: {path}", item.id);
                }
            }
        }
        page.clean()
    };
    play().unwrap();
}

/// Stands in for the server: `/api/play/` answers with two small games of its own, a board whose empty squares are
/// clicked, or heaps of counters of which the k-th is clicked to take k.
const TOYS: &str = r#"(kind) => {
    const real = window.fetch;
    const shell = {kind: 'scene', v: 2, game: 'toy', title: 'Toy', variant: kind, notation: 'toy', seats: [{name: 'A'}, {name: 'B'}]};
    const worth = (best) => ({rank: best ? 1 : 2, ...(best ? {pick: true} : {}), short: best ? '+1' : '−1', value: {x: best ? 1 : -1, text: best ? '+1' : '−1', tone: best ? '+' : '-', cert: 'exact'}});
    const scale = {min: -1, mid: 0, max: 1, name: 'value', ticks: [[-1, '−1'], [0, '0'], [1, '+1']]};
    const squares = (made) => {
        const items = made.map((at, turn) => ({id: `s-${at}`, t: 'token', shape: 'none', colour: turn % 2 ? 'blue' : 'red', text: turn % 2 ? '○' : '×', at, ...(turn === made.length - 1 ? {mark: 'last'} : {})}));
        const free = [1, 2, 3].flatMap((row) => ['a', 'b', 'c'].map((file) => file + row)).filter((at) => !made.includes(at));
        return {...shell, scale, zones: [{id: 'board', kind: 'board', cols: 3, rows: 3, items}], layout: [['board']],
            moves: free.map((at, order) => ({id: at, order, label: at, on: [`board/${at}`], ...worth(order === 0)}))};
    };
    const heaps = (made) => {
        const left = [3, 12, 5];
        for (const move of made) { const [heap, take] = move.split('-').map(Number); left[heap] -= take; }
        const zones = left.map((count, heap) => ({id: `h${heap}`, kind: 'heap', per: 10, label: `Heap ${heap + 1}`, items: Array.from({length: count}, (_, n) => ({id: `h${heap}:${n}`, t: 'token', shape: 'disc', colour: 'black'}))}));
        const moves = left.flatMap((count, heap) => Array.from({length: count}, (_, n) => ({id: `${heap}-${n + 1}`, label: `Take ${n + 1} of heap ${heap + 1}`, on: [`h${heap}:${n}`], also: Array.from({length: n}, (_, k) => `h${heap}:${k}`)})));
        return {...shell, scale, zones, layout: zones.map((zone) => [zone.id]), moves: moves.map((move, order) => ({...move, order, ...worth(order === Math.min(2, moves.length - 1))})).sort((a, b) => a.rank - b.rank)};
    };
    window.fetch = async (path, how) => {
        if (!String(path).includes('/api/play/')) return real(path, how);
        const wish = JSON.parse(how.body);
        const scene = (kind === 'squares' ? squares : heaps)(wish.moves);
        const over = scene.moves.length === 0;
        const table = {scene: {...scene, turn: over ? undefined : wish.moves.length % 2}, moves: wish.moves, said: wish.moves.map((move, at) => ({seat: at % 2, text: move, move})), turn: over ? null : wish.moves.length % 2,
            over, result: over ? 'The end of it' : undefined, seat: null, sides: [{seat: null, name: 'Both'}], mistakes: []};
        return new Response(JSON.stringify(table), {status: 200, headers: {'content-type': 'application/json'}});
    };
}"#;

#[test]
fn law_empty_squares_and_heaps_are_played_by_mouse_keyboard_and_touch() {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        for (width, dark) in [(1280, false), (390, true)] {
            page.browser.resize(width, 800)?;
            page.browser.prefer(dark, true)?;
            // Squares: by mouse, by finger, by arrows and Enter, and a square that is taken does nothing.
            page.board("game=memory&seat=all&lang=en")?;
            page.browser.eval(&format!("({TOYS})('squares')"))?;
            page.browser.key("n")?;
            page.browser.until("document.querySelectorAll('.square').length === 9")?;
            ensure!(
                page.count(".square.can")? == 9 && page.count(".square .chip")? == 9,
                "not every square is offered"
            );
            ensure!(page.count(".square .spot.m-best")? == 1, "the best square does not stand out");
            let label = page.browser.eval("document.querySelector('[data-place=\"board/b2\"]').ariaLabel")?;
            ensure!(label == "b2, empty", "{label}");
            page.browser.click("[data-place='board/b2']")?;
            page.after(1)?;
            ensure!(page.asked("moves")? == "b2" && page.count(".square .f-none .over")? == 1, "no sign");
            ensure!(page.count(".square.can")? == 8, "the taken square is still offered");
            page.browser.click("[data-place='board/b2']")?;
            page.browser.tap("[data-place='board/a3']")?;
            page.after(2)?;
            page.browser.key("b")?;
            let start = page.browser.eval("document.activeElement.dataset.place")?;
            for key in ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowRight", "ArrowRight"] {
                page.browser.key(key)?;
            }
            let there = page.browser.eval("document.activeElement.dataset.place")?;
            ensure!(start.is_string() && there == "board/c2", "{start} {there}");
            page.browser.key("Enter")?;
            page.after(3)?;
            ensure!(page.asked("moves")? == "b2~a3~c2", "{}", page.asked("moves")?);
            ensure!(
                page.browser.eval("document.activeElement.dataset.place")? == "board/c2",
                "the focus is lost"
            );
            page.browser.key("u")?;
            page.after(2)?;
            ensure!(page.browser.eval(LOOK)?["wide"].as_i64() <= Some(0), "too wide");

            // Heaps: the third counter takes three, and the two before it stand out with it.
            page.board("game=memory&seat=all&lang=en")?;
            page.browser.eval(&format!("({TOYS})('heaps')"))?;
            page.browser.key("n")?;
            page.browser.until("document.querySelectorAll('.z-heap').length === 3")?;
            let counts = "[...document.querySelectorAll('.z-heap .count')].map(e => e.textContent).join()";
            ensure!(page.browser.eval(counts)? == "3,12,5" && page.count(".slot.can")? == 20, "wrong heaps");
            ensure!(
                page.count(".m-best")? == 1 && page.count(".m-any")? == 2,
                "what is taken does not stand out"
            );
            let sizes = page.browser.eval("[...new Set([...document.querySelectorAll('.z-heap .slot')].map(e => Math.round(e.getBoundingClientRect().width)))]")?;
            let least = if width < 640 { 24 } else { 30 };
            ensure!(sizes[1].is_null() && sizes[0].as_i64() >= Some(least), "counters of {sizes}");
            // Pointing at a counter shows what goes with it.
            page.browser.eval(
                "document.querySelector('[data-place=\"h2:3\"]').dispatchEvent(new MouseEvent('mouseenter'))",
            )?;
            ensure!(page.count(".slot.m-hover")? == 4, "it does not show what is taken");
            page.browser.eval(
                "document.querySelector('[data-place=\"h2:3\"]').dispatchEvent(new MouseEvent('mouseleave'))",
            )?;
            ensure!(page.count(".slot.m-hover")? == 0, "it goes on showing");
            page.browser.click("[data-place='h1:2']")?;
            page.after(1)?;
            ensure!(
                page.asked("moves")? == "1-3" && page.browser.eval(counts)? == "3,9,5",
                "not three were taken"
            );
            page.browser.tap("[data-place='h0:2']")?;
            page.after(2)?;
            ensure!(
                page.browser.eval(counts)? == "0,9,5" && page.count(".hollow")? == 1,
                "not all were taken"
            );
            page.browser.key("b")?;
            page.browser.key("ArrowRight")?;
            page.browser.key("Enter")?;
            page.after(3)?;
            ensure!(page.asked("moves")? == "1-3~0-3~1-2", "{}", page.asked("moves")?);
            let said = page.browser.eval("document.querySelector('[data-zone=\"h1\"]').ariaLabel")?;
            ensure!(said == "Heap 2: 7", "{said}");
            ensure!(page.browser.eval(LOOK)?["wide"].as_i64() <= Some(0), "too wide");
            to_the_end(&mut page, 20, |page| page.browser.click(".slot.can"))?;
        }
        page.clean()
    };
    play().unwrap();
}

#[test]
fn law_hidden_colours_are_in_nothing_the_page_gets() {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        page.browser.answers("")?;
        page.board("game=geister&seat=0&hints=none&lang=en")?;
        page.browser.key("1")?;
        page.browser.until(&format!("new URLSearchParams(location.search).has('moves') && {READY}"))?;
        if page.browser.eval(OVER)? == true {
            page.browser.key("u")?;
            page.after(0)?;
        }
        let mut seen = 0;
        for (address, body) in page.browser.answers("/api/")? {
            let said: Value = serde_json::from_str(&body).unwrap_or_default();
            // What takes long comes as the result of a job.
            let table = said.get("result").unwrap_or(&said);
            if table["over"] != false {
                continue;
            }
            let items = table["scene"]["zones"].as_array().into_iter().flatten();
            for item in items.flat_map(|zone| zone["items"].as_array().into_iter().flatten()) {
                // The person is player 2; player 1's colours are nobody's business.
                if item["looks"] == "up" {
                    ensure!(item["colour"] == "purple", "{address} tells {item}");
                    seen += 1;
                }
            }
        }
        ensure!(seen >= 4, "only {seen} pieces were seen");
        ensure!(page.count(".f-ghost.k-purple")? >= 1, "nothing is hidden");
        page.clean()
    };
    play().unwrap();
}

#[test]
fn law_results_and_studies_run_are_watched_and_cancelled() {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        // What is missing is computed as soon as somebody looks.
        page.open("/results?game=sixtysix")?;
        page.browser.until("document.querySelectorAll('.part[id] .meta code').length >= 3")?;
        ensure!(page.text(".title .tally")?.contains("match"), "nothing is counted");
        ensure!(page.count(".part table .badge")? > 0, "no figure is compared");
        ensure!(page.count(".part svg")? > 0 && page.count(".scene .mat .zone")? > 0, "no picture");
        let errata = "[...document.querySelectorAll('.part')].filter(p => p.querySelector('h2')?.innerText === 'Errata')";
        let empty = page.browser.eval(&format!(
            "{errata}.flatMap(p => [...p.querySelectorAll('tbody td')]).filter(td => !td.innerText).length"
        ))?;
        let rows = page
            .browser
            .eval(&format!("{errata}.flatMap(p => [...p.querySelectorAll('tbody tr')]).length"))?;
        ensure!(rows.as_u64() > Some(3) && empty == 0, "{rows} errata, {empty} empty cells");
        ensure!(page.text(".part .meta code")?.starts_with("yomikiri reproduce sixtysix"), "no command");
        // A link within the page leads there and leaves everything in its place.
        let parts = page.count(".part")?;
        page.browser.click(".contents a:last-child")?;
        page.browser.until("location.hash !== '' && scrollY > 0")?;
        ensure!(page.count(".part")? == parts, "the page was drawn anew");
        // It is kept; a part is computed once more when somebody wants that.
        page.browser.eval("window.asked = 0; ((real) => { window.fetch = (path, how) => { if (String(path).endsWith('/api/jobs') && how.method === 'POST') window.asked += 1; return real(path, how); }; })(window.fetch)")?;
        page.browser.click("#figure-1 .verify")?;
        page.browser
            .until("document.querySelector('#figure-1 .meta').innerText.includes('again just now')")?;
        ensure!(
            page.browser.eval("window.asked")? == 1 && page.count(".part[id]")? >= 3,
            "it was not asked for"
        );
        for (again, status) in [(false, 200), (true, 201)] {
            let body = serde_json::json!({"kind": "reproduce", "game": "sixtysix", "parts": ["figure-1"], "again": again});
            let told = page.browser.eval(&format!(
                "fetch('/api/jobs', {{method: 'POST', headers: {{'content-type': 'application/json'}}, body: JSON.stringify({body})}}).then(answer => answer.status)"
            ))?;
            ensure!(told == status, "again {again}: {told}");
        }
        page.browser.reload()?;
        page.browser.until("document.querySelectorAll('.part[id] .meta code').length >= 3")?;
        ensure!(page.count(".run .prog")? == 0, "what was there is computed again");
        page.open("/results")?;
        page.browser.until("document.querySelector('.paper .tally') !== null")?;
        page.clean()?;

        // What takes long says how far it is, and can be stopped and begun again.
        page.open("/board?game=memory&ranks=45")?;
        page.browser.until("document.querySelector('.working .prog[aria-valuenow]') !== null")?;
        ensure!(page.text(".working")?.contains("per second"), "no rate: {}", page.text(".working")?);
        page.browser.click(".working .btn")?;
        page.browser.until("document.querySelector('.working')?.innerText.includes('stopped')")?;
        page.browser.click(".working .btn")?;
        page.browser.until("document.querySelector('.working .prog') !== null")?;
        // An address with a mistake opens the form beside its field.
        page.refused = true;
        page.open("/board?game=memory&ranks=0")?;
        page.browser.until("document.querySelector('.pop .field [aria-invalid]') !== null")?;
        ensure!(page.text(".pop .error:not([hidden])")?.contains("1 to 200"), "no message");

        // A study from its form; a bad number is refused beside its field.
        page.refused = true;
        page.open("/studies")?;
        let study = "[data-study='saichugen/tournament']";
        page.browser.click(&format!("{study} summary"))?;
        let games = format!("{study} input[id$='-games']");
        page.browser.until(&format!("document.querySelector(\"{games}\") !== null"))?;
        for (typed, good) in [("many", false), ("100000", true)] {
            page.browser.click(&games)?;
            page.browser.eval(&format!("document.querySelector(\"{games}\").select()"))?;
            page.browser.write(typed)?;
            page.browser.click(&format!("{study} button[type=submit]"))?;
            if !good {
                page.browser
                    .until(&format!("document.querySelector(\"{study} .error:not([hidden])\") !== null"))?;
            }
        }
        page.browser.until("new URLSearchParams(location.search).has('job')")?;
        page.browser.until("document.querySelector('.prog[aria-valuenow]') !== null")?;
        page.browser.until("document.querySelectorAll('.tbl tbody tr').length > 0")?;
        ensure!(page.text(".tbl")?.contains('['), "an estimate without its interval");
        ensure!(page.text(".cmd code")?.contains("yomikiri study saichugen tournament"), "no command");
        // The picture is of what is done, not of the time it took.
        page.browser.until("document.querySelectorAll('.settle .course').length === 1")?;
        let axis = page
            .browser
            .eval("[...document.querySelectorAll('.settle text')].map(e => e.textContent).join(' ')")?;
        ensure!(axis.as_str().is_some_and(|text| text.ends_with("0 items done 100,000")), "{axis}");
        // What the paper found is a line in it, and stands beside the estimate.
        ensure!(page.text(".tbl td small")?.starts_with("published"), "{}", page.text(".tbl")?);
        let line = page.browser.eval("document.querySelector('.settle text.said')?.textContent")?;
        ensure!(line.as_str().is_some_and(|text| text.starts_with("published −0.5")), "{line}");
        // Pausing keeps what was done, also through a reload, and it goes on from there.
        ensure!(page.text(".runhead .btn")? == "Pause", "{}", page.text(".runhead")?);
        page.browser.click(".runhead .btn")?;
        page.browser.until("document.querySelector('.prog.stopped') !== null")?;
        ensure!(page.text(".runhead")?.contains("Resume"), "it cannot go on");
        ensure!(page.count(".settle .course")? == 1, "the picture is gone");
        page.browser.reload()?;
        page.browser.until("document.querySelector('.prog.stopped') !== null")?;
        let share = "Number(document.querySelector('.prog').getAttribute('aria-valuenow'))";
        let kept = page.browser.eval(share)?.as_f64().unwrap_or_default();
        ensure!(
            page.text(".runhead")?.contains("paused") && page.text(".figures")?.contains("100,000"),
            "{}",
            page.text(".figures")?
        );
        page.browser.click(".runhead .btn.main")?;
        page.browser.until("document.querySelector('.log')?.innerText.includes('resumed')")?;
        page.browser
            .until(&format!("document.querySelector('.prog:not(.stopped)') !== null && {share} >= {kept}"))?;
        page.browser.click(".runhead .btn")?;
        page.browser.until("document.querySelector('.prog.stopped') !== null")?;
        page.open("/studies")?;
        page.browser.until("document.querySelector('.runs li') !== null")?;
        page.clean()?;

        // A server that goes away is told of, and what was there stays.
        page.board("game=memory&ranks=3")?;
        let shown = page.text(".verdict")?;
        page.server.child.kill()?;
        page.server.child.wait()?;
        page.browser.key("1")?;
        page.browser.until("document.querySelector('.lost:not([hidden])') !== null")?;
        ensure!(
            page.text(".lost")?.contains("retrying") && page.text(".verdict")? == shown,
            "the board is gone"
        );
        Ok(())
    };
    play().unwrap();
}

#[test]
fn law_the_long_version_is_started_by_hand_stopped_and_what_it_found_is_kept() {
    let Some(mut page) = visit(&[]) else { return };
    let mut look = || -> Result<()> {
        page.open("/results?game=saichugen&lang=en")?;
        page.browser.until("document.querySelector('#figures-1-2 .meta code') !== null && document.querySelector('#long .row .btn') !== null")?;
        ensure!(page.count("#long .prog")? == 0, "it began by itself");
        ensure!(page.text("#long")?.contains("hours"), "it does not say what it takes");
        ensure!(page.count(".meta .standing")? == 0, "what is short is called long");
        page.browser.click("#long .row .btn")?;
        page.browser.until("document.querySelector('.meta .standing') !== null")?;
        page.browser.until("document.querySelector('#long .prog:not(.stopped)') !== null")?;
        page.browser.click("#long .row .btn")?;
        page.browser.until("document.querySelector('#long .prog.stopped') !== null")?;
        ensure!(page.text("#long .row .btn")? == "Resume", "it cannot go on");
        // What it has finished stands in its place, also for who comes again; nothing of the short version is lost.
        page.browser.reload()?;
        let kept = "document.querySelector('.meta .standing')?.innerText === 'long version' && document.querySelector('#long .prog.stopped') !== null";
        page.browser.until(kept)?;
        let full = page
            .browser
            .eval("document.querySelector('.meta:has(.standing) code').innerText.endsWith('--full')")?;
        ensure!(full == true && page.count("#figures-1-2 .meta code")? == 1, "it is not what was found");
        page.clean()
    };
    look().unwrap();
}

#[test]
fn law_a_proof_that_is_dropped_is_checked_and_a_position_becomes_an_image() {
    let Some(mut page) = visit(&[]) else { return };
    let mut look = || -> Result<()> {
        page.open("/check")?;
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../check/tests/data/two-first-lower.jsonl.xz");
        let right = fs::read(data)?;
        let wrong = b"{\"aden\":1,\"entries\":3}\n".to_vec();
        for (name, bytes, shown) in [
            (
                "right.xz",
                right,
                "[...document.querySelectorAll('.proved.good ~ * dd')].some((one) => one.innerText.includes('≥ 1/3'))",
            ),
            ("wrong.jsonl", wrong, "document.querySelector('.proved.bad ~ *')?.innerText.includes('line')"),
            ("letter.txt", b"no proof".to_vec(), "document.querySelector('.part .error')?.innerText"),
        ] {
            page.browser.eval(&format!(
                "(() => {{ const data = new DataTransfer(); data.items.add(new File([new Uint8Array({bytes:?})], '{name}')); \
                 document.querySelector('.drop').dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }})); }})()"
            ))?;
            page.browser
                .until(&format!("document.querySelector('.filename')?.innerText === '{name}' && {shown}"))?;
        }
        // A letter is refused, of which the console tells.
        page.refused = true;
        page.clean()?;
        page.board("game=memory&ranks=4")?;
        page.browser.eval(
            "HTMLAnchorElement.prototype.click = function () { window.named = this.download; }; \
            URL.createObjectURL = (blob) => { window.saved = blob; return 'data:,'; }; 0",
        )?;
        page.browser.key("i")?;
        let saved =
            page.browser.until("window.saved && [window.named, window.saved.type, window.saved.size]")?;
        ensure!(saved[1] == "image/png" && saved[2].as_u64() > Some(5000), "{saved}");
        page.clean()
    };
    look().unwrap();
}
