//! Hands on the board: dragging, one click, two clicks, hints, sound, and what the browser keeps of it.

use crate::learn::{SOME, games, quick};
use crate::page::{OVER, Page, READY, visit};
use crate::run;
use anyhow::{Context, Result, ensure};
use std::time::Instant;

/// Waits until the address has these moves.
fn until_moves(page: &mut Page, moves: &str) -> Result<()> {
    let asked = format!("new URLSearchParams(location.search).get('moves') === '{moves}' && {READY}");
    page.browser.until(&asked).map(drop)
}

/// Nothing is in the air.
fn landed(page: &mut Page) -> Result<()> {
    ensure!(
        page.count(".ghost, .lifted, .m-held, .m-aim, .dragging, .throwing")? == 0,
        "something is in the air"
    );
    Ok(())
}

#[test]
fn law_pieces_and_cards_are_dragged_by_mouse_and_by_finger() {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        for (width, finger) in [(1280, false), (390, true)] {
            page.browser.resize(width, 844)?;
            // A piece to a square; where it cannot go it goes back.
            page.board("game=dobutsu&seat=all&lang=en")?;
            page.browser.drag("[data-place='board/b1']", "[data-place='board/a4']", finger)?;
            ensure!(page.moves()? == 0, "a piece was put where it cannot go");
            landed(&mut page)?;
            page.browser.drag("[data-place='board/b1']", "[data-place='board/a2']", finger)?;
            until_moves(&mut page, "b1a2")?;
            landed(&mut page)?;
            // A piece of the other side stays where it is.
            page.browser.drag("[data-place='board/a2']", "[data-place='board/a1']", finger)?;
            ensure!(page.moves()? == 1, "the wrong side has moved");
            // A card out of the hand, onto anything else; within the hand it goes back.
            page.board("game=sixtysix&hand=3&deck=2&seat=all&lang=en")?;
            page.browser.drag("[data-place='a4']", "[data-place='a7']", finger)?;
            ensure!(page.moves()? == 0, "a card was played into its own hand");
            landed(&mut page)?;
            page.browser.drag("[data-place='a4']", "[data-zone='deck'] .cells", finger)?;
            until_moves(&mut page, "4")?;
            landed(&mut page)?;
            // Card onto card.
            page.board("game=accordion&position=S7_S4_S0_D3_S3_C9_S9_SA&lang=en")?;
            page.browser.drag(".slot:has(> .m-best)", ".slot:has(> .m-to)", finger)?;
            page.after(1)?;
            landed(&mut page)?;
        }
        page.clean()
    };
    play().unwrap();
}

#[test]
fn law_one_way_takes_one_click_and_the_best_move_two_or_enter_only_where_it_is_shown() {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        let twice = |page: &mut Page, selector: &str| -> Result<()> {
            page.browser.click(selector)?;
            page.browser.eval(&format!(
                "document.querySelector(\"{selector}\")?.dispatchEvent(new MouseEvent('dblclick', {{bubbles: true}}))"
            ))?;
            Ok(())
        };
        // The chick can only take; the lion has a choice.
        page.board("game=dobutsu&seat=all&lang=en&hints=none")?;
        page.browser.click("[data-place='board/b2']")?;
        until_moves(&mut page, "b2b3")?;
        page.browser.key("u")?;
        page.after(0)?;
        page.browser.click("[data-place='board/b1']")?;
        ensure!(page.count(".m-held")? == 1 && page.moves()? == 0, "the lion did not ask where to");
        page.browser.key("Escape")?;
        // Nobody is told what is best by clicking twice.
        twice(&mut page, "[data-place='board/b1']")?;
        page.browser.eval("document.activeElement.blur()")?;
        page.browser.key("Enter")?;
        ensure!(page.moves()? == 0, "a move was made for somebody who wants no hints");
        page.board("game=dobutsu&seat=all&lang=en")?;
        twice(&mut page, "[data-place='board/b1']")?;
        until_moves(&mut page, "b1a2")?;
        page.board("game=dobutsu&seat=all&lang=en&hints=best")?;
        page.browser.key("Enter")?;
        until_moves(&mut page, "b1a2")?;
        // A hint stands out for a moment, whatever is shown, and shows nothing else.
        page.board("game=dobutsu&seat=0&lang=en&hints=none")?;
        page.browser.key("f")?;
        page.browser.until("document.querySelectorAll('.m-pulse').length === 2")?;
        ensure!(page.text(".toast")?.contains("b1-a2"), "{}", page.text(".toast")?);
        ensure!(page.count(".move, .chip, .verdict, .m-best, .arrows")? == 0, "more is told than was asked");
        page.browser.until("document.querySelector('.m-pulse') === null")?;
        page.clean()
    };
    play().unwrap();
}

#[test]
fn law_looks_sound_and_statistics_are_kept_and_can_be_erased() {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        // Sound is off, and made only when it was switched on.
        page.board("game=tictactoe&seat=0&hints=none&lang=en")?;
        let listen = "(() => { const real = AudioContext; window.heard = 0; window.AudioContext = class extends real { constructor() { super(); window.heard += 1; } }; })()";
        page.browser.eval(listen)?;
        page.browser.click(".square.can")?;
        page.browser.until(&format!("new URLSearchParams(location.search).has('moves') && {READY}"))?;
        ensure!(page.browser.eval("window.heard")? == 0, "there is a sound that nobody asked for");
        page.browser.click(".top .set")?;
        page.browser.click(".settings .row:nth-child(3) button:last-child")?;
        ensure!(page.browser.eval("window.heard")? == 1, "no sound");
        // Light and dark, whatever the system says.
        let ground = "getComputedStyle(document.documentElement).backgroundColor";
        let light = page.browser.eval(ground)?;
        page.browser.click(".settings .row:nth-child(2) button:last-child")?;
        let dark = page.browser.eval(ground)?;
        ensure!(light != dark, "dark is light");
        page.browser.key("Escape")?;
        page.browser.reload()?;
        page.ready()?;
        ensure!(page.browser.eval(ground)? == dark, "the choice is forgotten");
        ensure!(page.browser.eval("localStorage.getItem('yomikiri.sound')")? == "on", "so is the sound");
        page.browser.prefer(true, true)?;
        page.browser.click(".top .set")?;
        page.browser.click(".settings .row:nth-child(2) button:nth-child(2)")?;
        ensure!(page.browser.eval(ground)? == light, "light is dark");
        page.browser.click(".settings .row:nth-child(2) button:first-child")?;
        ensure!(page.browser.eval(ground)? == dark, "the system is not asked");
        page.browser.key("Escape")?;
        // A game is counted once, also if its end is played again.
        let finish = |page: &mut Page| -> Result<()> {
            for _ in 0..6 {
                page.ready()?;
                if page.browser.eval(OVER)? == true {
                    break;
                }
                let before = page.browser.eval("location.search")?;
                page.browser.click(".square.can")?;
                page.browser.until(&format!("location.search !== {before} && {READY}"))?;
            }
            Ok(())
        };
        finish(&mut page)?;
        let stats = page.text(".stats")?;
        ensure!(stats.contains("1 played") && stats.contains('%') && stats.contains("won"), "{stats}");
        page.browser.key("u")?;
        page.browser.until(&format!("document.querySelector('.verdict.after') !== null && {READY}"))?;
        finish(&mut page)?;
        ensure!(page.text(".stats")?.contains("1 played"), "counted twice: {}", page.text(".stats")?);
        page.browser.key("n")?;
        page.after(0)?;
        finish(&mut page)?;
        ensure!(page.text(".stats")?.contains("2 played"), "not counted: {}", page.text(".stats")?);
        page.browser.reload()?;
        page.ready()?;
        ensure!(page.text(".stats")?.contains("2 played"), "not kept: {}", page.text(".stats")?);
        page.browser.click(".stats .link")?;
        page.browser.until("document.querySelector('.stats') === null")?;
        page.browser.reload()?;
        page.ready()?;
        ensure!(page.count(".stats")? == 0, "not erased");
        page.clean()
    };
    play().unwrap();
}

#[test]
fn law_a_position_is_edited_by_dragging_and_the_game_it_came_from_is_kept() {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        page.board("game=accordion&start=18&lang=en")?;
        page.browser.key("1")?;
        page.after(1)?;
        let game = page.browser.eval("location.search")?;
        let typed = "document.querySelector('.kifu input').value";
        let was = page.browser.eval(typed)?;
        page.browser.key("e")?;
        page.browser.until("document.querySelector('.bench.editing .grab') !== null")?;
        // Two cards change places; a card is taken out of the row; each can be taken back.
        page.browser.drag(".slot:nth-child(1)", ".slot:nth-child(4)", false)?;
        page.browser.until(&format!("{typed} !== {was}"))?;
        let changed = page.browser.eval(typed)?;
        let cards = |text: &serde_json::Value| {
            text.as_str().unwrap_or_default().split(' ').map(str::to_owned).collect::<Vec<_>>()
        };
        let mut swapped = cards(&was);
        swapped.swap(0, 3);
        ensure!(cards(&changed) == swapped, "{was} {changed}");
        page.browser.click(".slot:nth-child(2)")?;
        let (menu, aims) = (page.count(".menu button")?, page.count(".m-aim")?);
        ensure!(menu == 1 && aims as usize == swapped.len() - 1, "a menu of {menu}, {aims} places to go");
        page.browser.click(".menu button")?;
        page.browser.until(&format!("{typed} !== {changed}"))?;
        ensure!(cards(&page.browser.eval(typed)?).len() == swapped.len() - 1, "no card is gone");
        page.browser.key("u")?;
        page.browser.until(&format!("{typed} === {changed}"))?;
        page.browser.key("u")?;
        page.browser.until(&format!("{typed} === {was}"))?;
        // Nothing was changed in the end: nothing is lost.
        page.browser.click(".ends .btn:last-child")?;
        page.browser.until(&format!("document.querySelector('.bench.editing') === null && {READY}"))?;
        ensure!(page.browser.eval("location.search")? == game, "the game is gone");
        // What was made by hand leads back to the game.
        page.browser.key("e")?;
        page.browser.until("document.querySelector('.bench.editing .grab') !== null")?;
        page.browser.drag(".slot:nth-child(2)", ".slot:nth-child(3)", false)?;
        page.browser.until(&format!("{typed} !== {was}"))?;
        page.browser.click(".ends .btn.main")?;
        page.browser.until(&format!("new URLSearchParams(location.search).has('position') && {READY}"))?;
        page.browser.click(".lead .link")?;
        page.browser.until(&format!("location.search === {game} && {READY}"))?;
        // Many changes without a place are looked for by typing.
        page.board("game=yahtzee&lang=en")?;
        page.browser.key("e")?;
        page.browser.until("document.querySelector('.seek input') !== null")?;
        ensure!(page.count(".sheet [data-move]")? <= 16, "a wall of sentences");
        page.clean()
    };
    play().unwrap();
}

/// The cards that lie open.
const OPEN: &str = "[...document.querySelectorAll('.holder .card.up')].map(e => e.dataset.item).join()";

#[test]
fn law_what_is_covered_again_is_seen_before() {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        // Also where nothing may move: what is shown is no ornament.
        page.board("game=memory&ranks=5&seat=0&seed=7&hints=none&lang=en")?;
        page.browser.click(".slot:nth-child(1)")?;
        page.after(1)?;
        ensure!(page.browser.eval(OPEN)? == "c1", "the first card is not turned up");
        page.browser.click(".slot:nth-child(2)")?;
        page.browser.until(&format!("{OPEN} === 'c1,c2'"))?;
        // A click goes on to what the machine turns up, and is no move: two cards lie open again, as long as nobody hurries.
        page.browser.click(".slot:nth-child(9)")?;
        page.browser.until(&format!("{OPEN} !== 'c1,c2' && {OPEN}.split(',').length === 2"))?;
        ensure!(page.moves()? == 1, "it is not shown before it is done");
        let (seen, begun) = (page.browser.eval(OPEN)?, Instant::now());
        page.browser.until(&format!("{OPEN} !== {seen}"))?;
        let time = begun.elapsed().as_secs_f64();
        ensure!((0.6..4.0).contains(&time), "{seen} was seen for {time} s");
        // A key goes on as well.
        for _ in 0..8 {
            page.browser.key("x")?;
        }
        page.ready()?;
        let made = page.moves()?;
        ensure!(made >= 4, "the machine made no move: {made}");
        // What was seen has to be remembered: neither cards nor lists tell.
        ensure!(page.count(".holder .card.known")? == 0, "known cards are shown");
        let told = page.text(".sheet")?;
        ensure!(!told.contains("is an A") && !told.contains("pair"), "{told}");
        ensure!(page.count(".slot.can")? == page.count(".holder .card.down")?, "some backs look different");
        page.browser.key("t")?;
        page.browser.until("document.querySelector('.holder .card.known') !== null")?;
        ensure!(
            page.asked("see")? == "1" && page.text(".sheet")?.contains("is an A"),
            "it cannot be switched on"
        );
        page.browser.reload()?;
        page.ready()?;
        ensure!(page.count(".holder .card.known")? > 0, "the choice is forgotten");
        // Who analyses sees what is known, and need not ask for it.
        page.board("game=memory&ranks=5&seat=all&moves=1~2&lang=en")?;
        ensure!(page.count(".holder .card.known")? == 2, "known cards are hidden from who analyses");
        page.browser.key("t")?;
        page.browser.until("document.querySelector('.holder .card.known') === null")?;
        ensure!(page.asked("see")? == "0", "it cannot be switched off");
        // Where things may move, cards are turned over.
        page.browser.prefer(false, false)?;
        page.board("game=memory&ranks=5&seat=all&hints=none&lang=en")?;
        page.browser.eval("window.turns = 0; new MutationObserver(all => all.forEach(one => one.addedNodes.forEach(node => { if (node.classList?.contains('turning')) window.turns += 1; }))).observe(document.querySelector('.holder'), {childList: true, subtree: true})")?;
        page.browser.tap(".slot:nth-child(3)")?;
        page.after(1)?;
        ensure!(page.browser.eval("window.turns")? == 1, "no card was turned");
        page.clean()
    };
    play().unwrap();
}

/// Chooses an opponent, as the keyboard does.
fn against(page: &mut Page, id: &str) -> Result<()> {
    page.browser.eval(&format!(
        "(() => {{ const choice = document.querySelector('#versus'); choice.focus(); choice.value = '{id}'; choice.dispatchEvent(new Event('change')); }})()"
    ))?;
    page.browser
        .until(&format!("new URLSearchParams(location.search).get('vs') === '{id}' && {READY}"))
        .map(drop)
}

#[test]
fn law_the_opponent_is_chosen_in_plain_sight_and_told_at_the_end() {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        for (width, lang, weak) in [(1280, "en", "Weak"), (390, "ja", "弱い")] {
            page.browser.resize(width, 844)?;
            page.board(&format!("game=tictactoe&seat=0&hints=none&lang={lang}&seed=5"))?;
            let seen = page.browser.eval("(() => { const b = document.querySelector('#versus')?.getBoundingClientRect(); return b !== undefined && b.width > 80 && b.top >= 0 && b.bottom < innerHeight && b.right <= innerWidth; })()")?;
            ensure!(seen == true, "{width}: the opponent is not to be seen");
            ensure!(page.count("#versus option")? >= 5, "there is little choice");
            against(&mut page, "weak")?;
            ensure!(page.browser.eval("document.activeElement.id")? == "versus", "the keyboard is lost");
            ensure!(page.text(".rival")?.contains(weak), "nothing is said of it: {}", page.text(".rival")?);
            page.browser.click(".square.can")?;
            page.after(2)?;
            ensure!(page.asked("moves")?.ends_with("*weak"), "{}", page.asked("moves")?);
            // Another one goes on with the same game.
            let made = page.asked("moves")?;
            against(&mut page, "random")?;
            ensure!(page.asked("moves")? == made, "the moves are others");
            against(&mut page, "weak")?;
            for _ in 0..5 {
                if page.browser.eval(OVER)? == true {
                    break;
                }
                let before = page.browser.eval("location.search")?;
                page.browser.click(".square.can")?;
                page.browser.until(&format!("location.search !== {before} && {READY}"))?;
            }
            ensure!(page.text(".against")?.contains(weak), "the end does not say against whom");
            ensure!(page.text(".stats")?.contains(weak), "{}", page.text(".stats")?);
            // It is kept, and the games against others are counted apart.
            page.browser.reload()?;
            page.ready()?;
            let chosen = page.browser.eval("document.querySelector('#versus').value")?;
            ensure!(chosen == "weak", "{chosen}");
            against(&mut page, "perfect")?;
            ensure!(!page.text(".stats")?.contains("1 played"), "{}", page.text(".stats")?);
        }
        // Who plays alone, or everybody, has none.
        for query in ["game=accordion&start=18", "game=tictactoe&seat=all"] {
            page.board(query)?;
            ensure!(page.count("#versus")? == 0, "{query}: against whom?");
        }
        page.clean()
    };
    play().unwrap();
}

#[test]
fn law_scores_are_typed_where_a_position_is_edited() {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        page.refused = true;
        page.board("game=pig&seat=all&lang=en")?;
        page.browser.key("e")?;
        page.browser.until("document.querySelector('#score-1') !== null")?;
        for (first, second, good) in [("3", "many", false), ("3", "4", true)] {
            for (field, text) in [("#score-0", first), ("#score-1", second)] {
                page.browser.click(field)?;
                page.browser.eval(&format!("document.querySelector('{field}').select()"))?;
                page.browser.write(text)?;
            }
            page.browser.key("Enter")?;
            if good {
                page.browser.until("document.querySelector('.seat .score')?.innerText === '3'")?;
            } else {
                page.browser.until("document.querySelector('#score-error')?.hidden === false")?;
                ensure!(
                    page.text("#score-error")?.contains("whole numbers"),
                    "{}",
                    page.text("#score-error")?
                );
                let kept = page.browser.eval("document.querySelector('#score-1').value")?;
                ensure!(kept == "many", "what was typed is lost: {kept}");
            }
        }
        page.browser.click(".row.ends .btn.main")?;
        page.browser.until(&format!("new URLSearchParams(location.search).has('position') && {READY}"))?;
        let scores = page
            .browser
            .eval("[...document.querySelectorAll('.seat .score')].map(e => e.innerText).join()")?;
        ensure!(scores == "3,4", "{scores}");
        page.clean()
    };
    play().unwrap();
}

#[test]
fn law_what_is_shared_can_be_typed() {
    shared(SOME);
}

mod full {
    #[test]
    fn law_what_is_shared_can_be_typed() {
        super::shared(1);
    }
}

/// Of every so many games a position is shared, and what is to be typed for it is typed.
fn shared(every: usize) {
    let Some(mut page) = visit(&[]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut share = || -> Result<()> {
        let mut typed = 0;
        for game in games(&mut page)?.into_iter().skip(1).step_by(every) {
            let id = game["id"].as_str().unwrap_or_default().to_owned();
            page.board(&format!("{}&hints=none&seed=4&lang=en", quick(&game))).with_context(|| id.clone())?;
            page.browser.key("1")?;
            page.browser.until(&format!("new URLSearchParams(location.search).has('moves') && {READY}"))?;
            page.browser.key("s")?;
            page.browser.until("document.querySelector('.sharing[open]') !== null")?;
            let link =
                page.browser.eval("document.querySelector('.sharing input').value === location.href")?;
            ensure!(link == true, "{id}: another link");
            let all = page
                .browser
                .eval("[...document.querySelectorAll('.sharing .cmd code')].map(e => e.innerText)")?;
            let lines: Vec<&str> =
                all.as_array().into_iter().flatten().filter_map(|one| one.as_str()).collect();
            ensure!(
                lines.iter().any(|line| line.starts_with(&format!("yomikiri play {id}"))),
                "{id}: {lines:?}"
            );
            for line in lines
                .iter()
                .filter_map(|line| line.strip_prefix("yomikiri "))
                .filter(|line| line.starts_with("show"))
            {
                // As a shell takes it apart: nothing but quotes.
                let words = line.replace('\'', "");
                if line.contains('\'') && line.split('\'').nth(1).is_some_and(|inside| inside.contains(' ')) {
                    continue;
                }
                let said = run(folder.path(), &words);
                ensure!(matches!(said.status.code(), Some(0 | 1)), "{line}: {said:?}");
                typed += 1;
            }
            page.browser.key("Escape")?;
            page.browser.until("document.querySelector('.sharing[open]') === null")?;
        }
        ensure!(typed >= 3, "only {typed} were typed");
        page.clean()
    };
    share().unwrap();
}
