//! What newcomers come for, from the first page to the end of it.

use crate::page::{Page, visit};
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
