//! The report in a real browser, and what must hold of its files.

use crate::BINARY;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use yomikiri_testkit::browser::{Browser, find};

/// A folder for the tests' reports.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Runs the program with a cache of its own; what it prints.
fn yomikiri(cache: &Path, args: &[&str]) -> (String, String, i32) {
    let out = Command::new(BINARY)
        .args(args)
        .env("YOMIKIRI_CACHE", cache)
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(out.stdout), text(out.stderr), out.status.code().unwrap_or(-1))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(from, to).unwrap();
        }
    }
}

fn pages(dir: &Path) -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = fs::read_dir(dir)
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "html"))
        .collect();
    pages.sort();
    pages
}

/// What a page is asked: is anything wider than the window, is any picture empty, is any text missing?
const LOOK: &str = r##"(() => {
    const wide = document.scrollingElement.scrollWidth - innerWidth;
    const pictures = [...document.querySelectorAll('main svg')].filter(svg => !svg.closest('.badge'));
    const empty = pictures.filter(svg => {
        const box = svg.getBoundingClientRect();
        const drawn = [...svg.querySelectorAll('path,line,rect,circle,polyline,polygon,ellipse,use')].filter(e => {
            const b = e.getBBox();
            return !e.closest('defs') && (b.width > 0 || b.height > 0);
        });
        return box.width < 20 || box.height < 10 || drawn.length < 2;
    }).map(svg => svg.getAttribute('aria-label') || svg.outerHTML.slice(0, 200));
    const outside = [...document.querySelectorAll('main *')].filter(e => {
        if (e.closest('.tscroll, .box, .scene, .tabs, pre')) return false;
        const b = e.getBoundingClientRect();
        return b.width > 0 && b.right > innerWidth + 1;
    }).map(e => e.outerHTML.slice(0, 160));
    const dead = [...document.querySelectorAll('a[href^="#"]')].filter(a => !document.getElementById(a.getAttribute('href').slice(1)));
    const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
    const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
    return {wide, pictures: pictures.length, empty, outside: outside.slice(0, 5), dead: dead.length, twice,
        scripts: document.scripts.length, words: document.body.innerText.length, lang: document.documentElement.lang,
        links: [...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href').split('#')[0]).filter(h => h)};
})()"##;

/// A page at the widths of a phone and of a desk, in both themes; how many pictures there are each time, added up. It has
/// no scripts, so what it looks like does not depend on the width it was loaded at.
fn look_at(page: &Path, browser: &mut Browser) -> Result<usize> {
    let mut pictures = 0;
    let dir = page.parent().context("no folder")?;
    browser.open(page)?;
    for (width, dark) in [(390, false), (1280, false), (1280, true)] {
        let name = format!("{} at {width}", page.display());
        browser.resize(width, 900)?;
        browser.dark(dark)?;
        let found = browser.eval(LOOK)?;
        ensure!(found["wide"].as_i64().context("no width")? <= 0, "{name} is too wide: {found}");
        for list in ["empty", "outside", "twice"] {
            ensure!(found[list].as_array().is_some_and(Vec::is_empty), "{name}, {list}: {found}");
        }
        ensure!(found["dead"] == 0, "{name} has links to nowhere");
        ensure!(found["words"].as_i64() > Some(500), "{name} says nothing");
        let ja = page.to_string_lossy().ends_with(".ja.html");
        ensure!(found["lang"] == if ja { "ja" } else { "en" }, "{name} is in another language");
        for link in found["links"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            ensure!(dir.join(link).is_file(), "{name} links to {link}");
        }
        let heard = browser.heard()?;
        ensure!(heard.complaints.is_empty(), "{name}: {:?}", heard.complaints);
        let elsewhere: Vec<_> =
            heard.requests.iter().filter(|r| !r.starts_with("file:") && !r.starts_with("data:")).collect();
        ensure!(elsewhere.is_empty(), "{name} asks for {elsewhere:?}");
        ensure!(found["scripts"] == 0, "{name} has scripts");
        pictures += found["pictures"].as_u64().unwrap_or(0) as usize;
    }
    Ok(pictures)
}

#[test]
fn law_every_page_fits_every_width_and_no_figure_is_empty() {
    if find().is_none() {
        assert!(std::env::var_os("YOMIKIRI_NEEDS_BROWSER").is_none(), "there is no Chromium");
        eprintln!("SKIPPED: there is no Chromium, so no page was looked at");
        return;
    }
    let (cache, dir) = (folder(), folder());
    let report = dir.path().join("report");
    // `cargo xtask test` has written one; all papers take a minute and more.
    match std::env::var_os("YOMIKIRI_REPORT") {
        Some(made) => copy(Path::new(&made), &report),
        None => {
            let (said, errors, code) =
                yomikiri(cache.path(), &["reproduce", "--html", report.to_str().unwrap()]);
            assert_eq!(code, 0, "{said}{errors}");
        }
    }
    let mut browser = Browser::start().unwrap();
    let pictures: usize = pages(&report).iter().map(|page| look_at(page, &mut browser).unwrap()).sum();
    // Ten charts and more in two languages, three times each.
    assert!(pictures >= 60, "{pictures}");
    // Five papers, the shelf of classics and the front page, in two languages.
    assert_eq!(pages(&report).len(), 14);
    // The checks can fail.
    let broken = report.join("index.html");
    let whole = fs::read_to_string(&broken).unwrap();
    for (with, why) in [
        ("<div style=\"width:2000px\">x</div></main>", "too wide"),
        ("<svg aria-label=\"none\"></svg></main>", "empty"),
        ("<script>console.error('a complaint')</script></main>", "a complaint"),
        ("<script></script></main>", "has scripts"),
        ("<img src=\"http://127.0.0.1:9/x.png\" alt=\"\"></main>", "127.0.0.1"),
    ] {
        fs::write(&broken, whole.replace("</main>", with)).unwrap();
        let error = look_at(&broken, &mut browser).unwrap_err().to_string();
        assert!(error.contains(why), "{why}: {error}");
    }
}

#[test]
fn paper_interval_of_geister_is_shown_beside_ours() {
    let (cache, dir) = (folder(), folder());
    // `cargo xtask test` has computed it; alone it takes a while.
    let report = match std::env::var_os("YOMIKIRI_REPORT") {
        Some(made) => PathBuf::from(made),
        None => {
            let place = dir.path().join("report");
            let args = ["reproduce", "geister", "--only", "interval", "--html", place.to_str().unwrap()];
            let (said, errors, code) = yomikiri(cache.path(), &args);
            assert_eq!(code, 0, "{said}{errors}");
            place
        }
    };
    let part = fs::read_to_string(report.join("data/geister/interval.json")).unwrap();
    let part: Value = serde_json::from_str(&part).unwrap();
    let rows = part["interval"].as_array().unwrap();
    for row in rows {
        assert_eq!([&row["paper"][0], &row["paper"][1]].map(|x| &x["fraction"]), ["1/3", "1/2"]);
    }
    assert_eq!(rows[1]["kind"], "exact");
}

/// Parts of papers computed on one thread and on two.
fn threads_do_not_matter(games: &[&str], only: &str) {
    let cache = folder();
    let report = |threads: &str| {
        let dir = folder();
        let place = dir.path().to_str().unwrap().to_owned();
        let args = ["--html", &place, "--only", only, "--threads", threads, "--json", "-q"];
        let args = [&["reproduce"], games, &args].concat();
        let (said, errors, code) = yomikiri(cache.path(), &args);
        assert_eq!(code, 0, "{said}{errors}");
        let summary: Value = serde_json::from_str(&said).unwrap();
        let results = fs::read_to_string(dir.path().join("results.json")).unwrap();
        (summary["digest"].as_str().unwrap().to_owned(), results, dir)
    };
    let (one, first, _kept) = report("1");
    let (two, second, _kept_too) = report("2");
    assert_eq!((one.len(), &one), (64, &two));
    assert_eq!(first, second);
}

#[test]
fn law_results_and_digest_do_not_depend_on_threads() {
    threads_do_not_matter(&["sixtysix", "geister"], "statements,referee,table-1");
}

#[test]
fn law_a_report_is_not_written_over_other_files() {
    let (cache, dir) = (folder(), folder());
    fs::write(dir.path().join("thesis.txt"), "mine").unwrap();
    let place = dir.path().to_str().unwrap();
    let (_, errors, code) =
        yomikiri(cache.path(), &["reproduce", "sixtysix", "--only", "figure-1", "--html", place]);
    assert_eq!(code, 2);
    assert!(errors.contains("--html") && errors.contains("--force"), "{errors}");
    let forced = ["reproduce", "sixtysix", "--only", "figure-1", "--html", place, "--force"];
    assert_eq!(yomikiri(cache.path(), &forced).2, 0);
    assert_eq!(fs::read_to_string(dir.path().join("thesis.txt")).unwrap(), "mine");
    // Now it is a report: no need to insist.
    assert_eq!(yomikiri(cache.path(), &forced[..6]).2, 0);
    assert!(!fs::read_to_string(dir.path().join("index.html")).unwrap().contains(place));
}

#[test]
fn law_unknown_parts_are_refused_by_name() {
    let cache = folder();
    for args in
        [&["reproduce", "memory", "--only", "table-9"][..], &["reproduce", "--only", "table-2,table-9"]]
    {
        let (_, errors, code) = yomikiri(cache.path(), args);
        assert_eq!(code, 2);
        assert!(errors.contains("table-9") && errors.contains("table-2, table-3"), "{errors}");
    }
}

#[test]
fn law_finished_parts_of_a_full_run_are_kept_until_all_are_finished() {
    let cache = folder();
    let run = |args: &[&str]| yomikiri(cache.path(), args);
    let kept = || run(&["cache", "--json"]).0.contains("reproduce/sixtysix");
    let (said, errors, code) = run(&["reproduce", "sixtysix", "--only", "figure-1", "--full"]);
    assert_eq!(code, 0, "{said}{errors}");
    assert!(!kept(), "nothing is left of a run that is finished");
}

/// Whole files below a folder, with their bytes.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            all.extend(content(&entry.path()).into_iter().map(|(n, bytes)| (format!("{name}/{n}"), bytes)));
        } else if let Ok(bytes) = fs::read(entry.path()) {
            all.insert(name, bytes);
        }
    }
    all
}

#[cfg(unix)]
/// A full run is killed at many moments and goes on to the same report.
fn killed_while_it_reports() {
    use std::process::{Child, Output, Stdio};
    use std::time::Duration;

    let line = "reproduce memory geister --full --only table-2,table-3,table-4,exploit,figure-4 --html report --json";
    let start = |at: &Path, more: &str| -> Child {
        let mut command = Command::new(BINARY);
        command.args(format!("{line} {more}").split_whitespace()).current_dir(at);
        command.env("YOMIKIRI_CACHE", at.join("cache")).env("LC_ALL", "C.UTF-8");
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let err = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    // The pages tell how long everything took.
    let written = |at: &Path| {
        let mut all = content(&at.join("report"));
        let pages: Vec<String> = all.keys().filter(|name| name.ends_with(".html")).cloned().collect();
        pages.iter().for_each(|page| assert!(!all.remove(page).unwrap().is_empty(), "{page}"));
        (pages, all)
    };
    let whole = folder();
    let said = start(whole.path(), "--no-cache").wait_with_output().unwrap();
    assert!(said.status.success(), "{}", err(&said));
    let (pages, files) = written(whole.path());
    assert!(pages.len() == 6 && files.len() > 20, "{pages:?} {:?}", files.keys());

    let dir = folder();
    let at = dir.path();
    let parts = || content(&at.join("cache")).into_keys().filter(|name| name.contains("-seed=")).count();
    let (mut kills, mut most, mut earlier) = (0, 0, 0);
    // At any moment, then as soon as another part is finished, and at last while the report is written.
    for kill in 0..8 {
        let wanted = most + 1;
        let _ = fs::remove_dir_all(at.join("report"));
        let mut child = start(at, "");
        let so = || match kill {
            0..=4 => parts() >= wanted,
            5 => at.join("report/report.json").exists(),
            6 => at.join("report/index.html").exists(),
            _ => at.join("report/data").exists(),
        };
        let mut waited = 0;
        while child.try_wait().unwrap().is_none() && !so() && (kill > 1 || waited < 20 + 400 * kill) {
            std::thread::sleep(Duration::from_millis(1));
            waited += 1;
        }
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        assert!([None, Some(0)].contains(&output.status.code()), "{}", err(&output));
        kills += u32::from(output.status.code().is_none());
        earlier += err(&output).matches("done in an earlier run").count();
        // With the report whole they may go.
        assert!(parts() >= most || kill > 4, "what was finished is lost");
        most = parts();
    }
    assert!(kills >= 6 && earlier >= 6, "{kills} kills, {earlier} parts of earlier runs");
    let last = start(at, "").wait_with_output().unwrap();
    assert!(last.status.success() && last.stdout == said.stdout, "{}", err(&last));
    let (pages_after, files_after) = written(at);
    assert_eq!((&pages_after, files_after.keys().collect::<Vec<_>>()), (&pages, files.keys().collect()));
    for (name, bytes) in &files {
        assert!(files_after[name] == *bytes, "{name}: other bytes after {kills} kills");
    }
    assert_eq!(parts(), 0, "nothing is left of a run that is finished");
}

mod full {
    use super::*;

    #[test]
    fn law_results_and_digest_do_not_depend_on_threads() {
        threads_do_not_matter(
            &["saichugen", "sixtysix", "geister"],
            "statements,referee,figure-6,table-5,table-1",
        );
    }

    #[cfg(unix)]
    #[test]
    fn law_a_full_run_killed_at_any_moment_goes_on_to_the_same_report() {
        killed_while_it_reports();
    }
}
