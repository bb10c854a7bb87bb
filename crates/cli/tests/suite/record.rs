//! The record of a game on the page: every move stays, a cursor walks among them, and mistakes can be played again.

use crate::learn::{SOME, games, quick};
use crate::page::{OVER, Page, READY, visit};
use anyhow::{Context, Result, ensure};

/// How many moves the record on the screen has.
fn rows(page: &mut Page) -> Result<usize> {
    Ok(page.count(".record li i")? as usize)
}

/// How many moves the address has that are not on the board.
fn ahead(page: &mut Page) -> Result<usize> {
    let redo = page.asked("redo")?;
    Ok(if redo.is_empty() { 0 } else { redo.split('~').count() })
}

/// What the board shows: every item, where it is.
const LAID: &str = "JSON.stringify([...document.querySelectorAll('.holder [data-item]')].map(e => [e.dataset.item, e.className, Math.round(e.getBoundingClientRect().left)]))";

#[test]
fn law_the_record_stays_while_a_cursor_walks_through_every_game() {
    walks(SOME);
}

mod full {
    #[test]
    fn law_the_record_stays_while_a_cursor_walks_through_every_game() {
        super::walks(1);
    }
}

/// See the law; every so many games are looked at.
fn walks(every: usize) {
    let Some(mut page) = visit(&[]) else { return };
    let mut walk = || -> Result<()> {
        for (at, game) in games(&mut page)?.into_iter().enumerate().filter(|(at, _)| at % every == 0) {
            let id = game["id"].as_str().unwrap_or_default().to_owned();
            page.browser.resize([1280, 390][at / 2 % 2], 800)?;
            page.board(&format!("{}&seed=2&lang=en", quick(&game))).with_context(|| id.clone())?;
            page.hurry()?;
            // Some moves of the person, with whatever the machine answers.
            for _ in 0..4 {
                if page.browser.eval(OVER)? == true {
                    break;
                }
                let before = page.moves()?;
                page.browser.key("1")?;
                page.browser
                    .until(&format!(
                        "(new URLSearchParams(location.search).get('moves') ?? '').split('~').length > {before} && {READY}"
                    ))
                    .with_context(|| format!("{id}: no move was made"))?;
            }
            let all = page.moves()?;
            ensure!(all >= 2 && rows(&mut page)? == all, "{id}: {all} moves, {} rows", rows(&mut page)?);
            let end = page.browser.eval(LAID)?;
            let last = page.text(".latest")?;
            ensure!(last.len() > 12, "{id} does not say the last move: {last}");
            // Back by one, to the start, one on, to the end: nothing is lost on the way.
            for (key, left) in [("ArrowLeft", all - 1), ("Home", 0), ("ArrowRight", 1), ("End", all)] {
                page.browser.key(key)?;
                page.after(left).with_context(|| format!("{id}: {key}"))?;
                ensure!(rows(&mut page)? == all, "{id}: {key} leaves {} rows of {all}", rows(&mut page)?);
                ensure!(ahead(&mut page)? == all - left, "{id}: {key} loses what comes after");
                let here = page.browser.eval(
                    "[...document.querySelectorAll('.record button')].findIndex(e => e.getAttribute('aria-current'))",
                )?;
                ensure!(here == left, "{id}: the cursor is at {here} after {key}");
                ensure!((page.text(".latest")?.is_empty()) == (left == 0), "{id}: the last move after {key}");
            }
            ensure!(page.browser.eval(LAID)? == end, "{id}: the end is another one");
            // A click on a move goes there; so does the address.
            page.browser.click(".record li:nth-child(2) button")?;
            page.after(1).with_context(|| format!("{id}: a click"))?;
            let there = page.browser.eval(LAID)?;
            page.browser.reload()?;
            page.after(1)?;
            page.browser.until("document.querySelector('.record') !== null")?;
            ensure!(rows(&mut page)? == all, "{id}: a reload loses moves");
            ensure!(page.browser.eval(LAID)? == there, "{id}: a reload shows another position");
            // Another move cuts the record short, and that can be taken back.
            page.browser.key("Home")?;
            page.after(0)?;
            page.browser.key("u")?;
            let choices = page.browser.eval(
                "document.querySelector('[data-move]')?.disabled ? 0 : document.querySelectorAll('[data-move]').length",
            )?;
            let first = page.asked("redo")?;
            if choices.as_u64() > Some(1) {
                page.browser.key("2")?;
                page.browser.until(&format!(
                    "new URLSearchParams(location.search).get('moves') !== null && {READY}"
                ))?;
                if !format!("{}~", first).starts_with(&format!("{}~", page.asked("moves")?)) {
                    ensure!(ahead(&mut page)? == 0, "{id}: what was cut off is still there");
                    page.browser
                        .click(".dropped .link")
                        .with_context(|| format!("{id}: nothing to bring back"))?;
                    page.browser
                        .until(&format!(
                            "document.querySelectorAll('.record li i').length === {all} && {READY}"
                        ))
                        .with_context(|| format!("{id}: it is not brought back"))?;
                    ensure!(page.count(".dropped")? == 0, "{id}: it can be brought back twice");
                }
            }
        }
        page.clean()
    };
    walk().unwrap();
}

#[test]
fn law_a_mistake_shows_what_was_played_and_what_was_best_and_can_be_played_again() {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        for width in [1280, 390] {
            page.browser.resize(width, 800)?;
            page.board("game=tictactoe&seat=0&hints=none&lang=en")?;
            for _ in 0..5 {
                if page.browser.eval(OVER)? == true {
                    break;
                }
                let before = page.moves()?;
                page.browser.click(".square.can")?;
                page.browser.until(&format!(
                    "(new URLSearchParams(location.search).get('moves') ?? '').split('~').length > {before} && {READY}"
                ))?;
            }
            let (all, wrong) = (page.moves()?, page.count(".mistakes li")?);
            ensure!(wrong >= 1 && page.count(".m-last")? == 1, "{wrong} mistakes");
            ensure!(
                page.text(".tallied")?.contains(&format!("mistakes: {wrong}")),
                "{}",
                page.text(".tallied")?
            );
            page.browser.until("document.querySelectorAll('.course circle').length > 3")?;
            ensure!(page.count(".course .wrong")? == wrong, "the graph does not know the mistakes");
            // The position before it, with both moves; everything else stays.
            let shown = page.text(".mistakes")?;
            page.browser.click(".mistakes .link")?;
            page.browser.until(&format!("document.querySelector('.m-played') !== null && {READY}"))?;
            ensure!(page.count(".m-best")? >= 1, "the best move is not shown");
            ensure!(page.count(".move .was")? == 1, "the list does not say what was played");
            ensure!(page.text(".mistakes")? == shown && rows(&mut page)? == all, "something is lost");
            page.browser.reload()?;
            page.browser.until(&format!("document.querySelector('.m-played') !== null && {READY}"))?;
            ensure!(page.text(".mistakes")? == shown, "a reload loses the mistakes");
            // From there once more, without being told anything.
            let before = page.moves()?;
            page.browser.click(".mistakes .again")?;
            page.browser.until(&format!("!new URLSearchParams(location.search).has('redo') && {READY}"))?;
            ensure!(page.moves()? == before && page.count(".square.can")? > 0, "it cannot be played");
            ensure!(
                page.count(".move, .chip, .verdict, .m-best, .m-played, .mistakes, .course")? == 0,
                "something leaks"
            );
            page.browser.click(".dropped .link")?;
            page.browser
                .until(&format!("document.querySelectorAll('.record li i').length === {all} && {READY}"))?;
        }
        page.clean()
    };
    play().unwrap();
}

#[test]
fn law_changing_seats_goes_on_from_the_position_and_a_broken_record_is_cut() {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        // The server refuses what somebody else has played, of which the console tells.
        page.refused = true;
        page.board("game=tictactoe&seat=all&lang=en&moves=a1~b2~c1")?;
        page.browser.click(".head .seg button:nth-child(2)")?;
        page.browser
            .until(&format!("new URLSearchParams(location.search).get('seat') === '0' && {READY}"))?;
        ensure!(page.count(".error.boxed")? == 0 && !page.asked("position")?.is_empty(), "it is refused");
        ensure!(page.count(".square .figure")? >= 3 && page.count(".who.you")? == 1, "another position");
        page.browser.click(".lead .link")?;
        page.browser
            .until(&format!("new URLSearchParams(location.search).get('moves') === 'a1~b2~c1' && {READY}"))?;
        // What cannot follow is left out; what went before is there.
        page.board("game=tictactoe&seat=all&lang=en&moves=a1~b2&redo=a1~b1")?;
        ensure!(page.count(".error.boxed")? == 0 && rows(&mut page)? == 2, "{} rows", rows(&mut page)?);
        ensure!(ahead(&mut page)? == 0, "the address keeps what cannot be");
        page.clean()
    };
    play().unwrap();
}
