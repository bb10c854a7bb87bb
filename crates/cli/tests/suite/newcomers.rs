//! What newcomers come for, from the first page to the end of it.

use crate::page::{OVER, Page, READY, visit};
use crate::run;
use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// The answer to a puzzle, as the command line knows it.
fn answer(game: &str, number: u64) -> Result<Value> {
    let folder = tempfile::tempdir()?;
    let said = run(folder.path(), &format!("puzzle {game} --number {number} --json"));
    serde_json::from_slice(&said.stdout).with_context(|| format!("{game} {number}"))
}

const ASKED: &str = "document.querySelector('.sheet [data-move]') !== null";

/// Chooses a move of the puzzle, as the list has it.
fn choose(page: &mut Page, id: &str) -> Result<()> {
    page.browser.until(ASKED)?;
    page.browser.tap(&format!(".sheet [data-move={}]", Value::from(id)))?;
    page.browser.until("document.querySelector('.verdict.right, .verdict.wrong') !== null").map(drop)
}

#[test]
fn law_the_puzzle_of_the_day_is_found_solved_and_explained() {
    let Some(mut page) = visit(&[]) else { return };
    let mut come = || -> Result<()> {
        page.open("/")?;
        page.browser.until("document.querySelector('.daily .btn') !== null")?;
        page.browser.tap(".daily .btn")?;
        page.browser.until(ASKED)?;
        let game = page.asked("game")?;
        let today = page.browser.eval("import('/assets/puzzle.js').then(m => m.today())")?;
        let today = today.as_u64().context("no day")?;
        // Nothing tells the answer before it is given.
        ensure!(page.count(".sheet .rail")? + page.count(".sheet .move.best")? == 0, "values are shown");
        let told = answer(&game, today)?;
        let moves = page.count(".sheet [data-move]")?;
        ensure!(
            told["choices"].as_array().map(|all| all.len() as u64) == Some(moves),
            "{moves} moves: {told}"
        );
        let best = told["answer"].as_str().context("no answer")?.to_owned();
        choose(&mut page, &best)?;
        ensure!(page.count(".verdict.right")? == 1, "the answer of the command line is wrong: {best}");
        ensure!(page.text(".verdict.right")?.contains("Right!"), "it does not say so");
        // Now everything is told, and cannot be answered again.
        ensure!(page.count(".sheet .move.best")? == 1, "not one best move");
        let open = page
            .browser
            .eval("[...document.querySelectorAll('.sheet [data-move]')].some(b => !b.disabled)")?;
        ensure!(open == false, "it can be answered again");
        ensure!(page.text(".verdict.right")?.contains("Days in a row: 1"), "no streak");
        // It is remembered, and shown where all puzzles are.
        page.open("/puzzle")?;
        page.browser.until("document.querySelectorAll('.puzzles a').length > 10")?;
        ensure!(page.count(".puzzles .icon")? == 1, "not marked as solved");
        ensure!(page.text("main")?.contains("Days in a row: 1"), "the streak is gone");
        page.clean()
    };
    come().unwrap();
}

#[test]
fn law_a_wrong_answer_is_told_apart_and_leads_to_the_board() {
    let Some(mut page) = visit(&[]) else { return };
    let mut come = || -> Result<()> {
        for (game, number, lang, width) in
            [("nim", 5, "en", 1280), ("memory", 7, "ja", 390), ("accordion", 3, "en", 390)]
        {
            page.browser.resize(width, 800)?;
            page.open(&format!("/puzzle?game={game}&number={number}&lang={lang}"))?;
            let told = answer(game, number)?;
            let wrong = told["choices"][1]["move"].as_str().context("no other move")?.to_owned();
            choose(&mut page, &wrong)?;
            ensure!(page.count(".verdict.wrong")? == 1, "{game}: {wrong} is no mistake");
            let best = told["choices"][0]["label"].as_str().unwrap_or_default();
            let said = page.text(".verdict.wrong")?;
            let told_best = if lang == "ja" { "最善手：" } else { "Best: " };
            ensure!(said.contains(told_best), "{game}: {said}");
            // Cards are letters on the command line and signs on the page; heaps are the same.
            ensure!(game != "nim" || said.contains(best), "{said} does not name {best}");
            ensure!(page.count(".sheet .was")? == 1, "{game}: what was answered is not marked");
            let wide = page.browser.eval("document.documentElement.scrollWidth > innerWidth")?;
            ensure!(wide == false, "{game}: wider than {width}");
            // No day counts for it, and the position can be looked at.
            page.browser.eval("document.querySelector('.sheet a[href*=\"/board\"]').click()")?;
            page.ready()?;
            let sent = page.moves()?;
            ensure!(told["moves"].as_array().map(Vec::len) == Some(sent), "{game}: {sent}");
        }
        // What is no number, and a game without puzzles, are refused in words.
        page.refused = true;
        for query in ["game=nim&number=x", "game=matrix"] {
            page.open(&format!("/puzzle?{query}"))?;
            page.browser.until("document.querySelector('.error') !== null").context(query)?;
        }
        page.clean()
    };
    come().unwrap();
}

#[test]
fn law_a_question_leads_to_what_answers_it() {
    let Some(mut page) = visit(&[]) else { return };
    let mut come = || -> Result<()> {
        page.open("/")?;
        page.browser.until("document.querySelectorAll('.questions li').length > 3")?;
        ensure!(!page.text(".questions")?.contains("Still open"), "answered questions are called open");
        let all = page.count(".questions li")?;
        ensure!(page.count(".questions .standing")? == all, "a question does not say how far it is answered");
        ensure!(page.count(".questions li p a")? == all, "a question leads nowhere");
        page.open("/studies?game=saichugen&study=hands")?;
        page.browser.until("document.querySelector('details.study[open]') !== null")?;
        let open = page.browser.eval("document.querySelector('details.study[open]').dataset.study")?;
        ensure!(open == "saichugen/hands", "{open}");
        page.clean()
    };
    come().unwrap();
}

#[test]
fn law_who_never_saw_a_game_learns_it_plays_it_and_understands_its_end() {
    let Some(mut page) = visit(&[]) else { return };
    let mut come = || -> Result<()> {
        page.open("/?lang=en")?;
        page.browser.eval("localStorage.removeItem('yomikiri.rules')")?;
        page.browser.until("document.querySelector('[data-game=geister] [data-door=play]') !== null")?;
        page.browser.tap("[data-game=geister] [data-door=play]")?;
        page.ready()?;
        // The rules are open, and lead to three steps on the real board.
        page.browser.until("document.querySelector('.rulebook:not([hidden]) .begin') !== null")?;
        let rules = page.text(".rulebook")?;
        ensure!(rules.contains("Goal") && rules.contains("blue ghost"), "{rules}");
        page.browser.tap(".rulebook .begin")?;
        page.browser.until("document.querySelector('.tour:not([hidden]) .btn.main') !== null")?;
        page.browser.tap(".tour .btn.main")?;
        page.browser
            .until(&format!("document.querySelector('.tour .step').innerText === '2/3' && {READY}"))?;
        page.browser.key("1")?;
        let next = "document.querySelector('.tour .btn.main') !== null && !/Solving/.test(document.querySelector('.tour').innerText)";
        page.browser.until(&format!("{next} && {READY}"))?;
        ensure!(page.text(".tour")?.contains("It is worth"), "{}", page.text(".tour")?);
        page.browser.tap(".tour .btn.main")?;
        page.browser.until("document.querySelectorAll('.tour .btn.main').length === 2")?;
        page.browser.tap(".tour .btn.main")?;
        page.after(0)?;
        page.browser.tap(".tour .btn.main")?;
        page.browser.until(&format!("{READY} && document.querySelector('.sheet .move.best') !== null"))?;
        page.browser.tap(".tour .btn.main")?;
        ensure!(page.count(".tour:not([hidden])")? == 0, "the steps do not end");
        // A game to its end: a move after the other, by what is listed.
        for _ in 0..40 {
            if page.browser.eval(OVER)? == true {
                break;
            }
            let before = page.browser.eval("location.search")?;
            page.browser.key("1")?;
            page.browser.until(&format!("location.search !== {before} && {READY}"))?;
        }
        // It says who has won and why, what was played last, and how well it was played.
        let end = page.text(".verdict.over .worth")?.to_lowercase();
        ensure!(["win", "lose", "draw"].iter().any(|word| end.contains(word)) && end.contains(':'), "{end}");
        ensure!(
            page.text(".latest")?.len() > 12 && page.count(".m-last, .m-from")? > 0,
            "the last move is not shown"
        );
        ensure!(page.text(".tallied")?.contains("best"), "nothing is said of the moves");
        page.clean()
    };
    come().unwrap();
}

#[test]
fn law_a_researcher_finds_a_table_the_position_behind_a_figure_and_the_data() {
    let Some(mut page) = visit(&[]) else { return };
    let mut come = || -> Result<()> {
        page.open("/?lang=en")?;
        page.browser.until("document.querySelector('.questions .foot a') !== null")?;
        page.browser.tap(".top nav a[href*='/results']")?;
        page.browser.until("document.querySelector('[data-game=memory] .btn') !== null")?;
        page.browser.tap("[data-game=memory] h2 a")?;
        let there = "document.querySelector('#table-2 table .badge') !== null && document.querySelector('#figure-2 .way a') !== null";
        page.browser.until(there)?;
        // Table 2, printed beside computed.
        page.browser.tap(".contents a[href='#table-2']")?;
        page.browser
            .until("Math.abs(document.querySelector('#table-2').getBoundingClientRect().top) < 200")?;
        let table = page.text("#table-2 table")?;
        ensure!(
            table.contains("published") && table.contains("322,084") && table.contains("match"),
            "{table}"
        );
        // Its data as a file, the same figures in it.
        let file = page.browser.eval("(() => { const link = document.querySelector('#table-2 .links a'); return link.download !== undefined && link.hasAttribute('download') ? fetch(link.href).then(answer => answer.text()) : ''; })()")?;
        let rows: Vec<&str> = file.as_str().unwrap_or_default().lines().collect();
        ensure!(rows.len() == 5 && rows.iter().any(|row| row.contains("322084")), "{file}");
        // The position of figure 2, on the board and with its values: passing is best, as the paper says.
        page.browser.tap("#figure-2 .way a")?;
        page.browser.until(&format!("location.pathname === '/board' && {READY}"))?;
        ensure!(page.asked("position")? == "31,20,11", "another position");
        page.browser.until("document.querySelector('.move.best') !== null")?;
        ensure!(page.text(".move.best")?.contains("pass"), "{}", page.text(".move.best")?);
        page.clean()
    };
    come().unwrap();
}
