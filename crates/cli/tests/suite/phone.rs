//! The page on a phone: nothing lies on anything else, nothing is cut off, and the board is never waited for.

use crate::learn::{SOME, games, quick};
use crate::page::{READY, visit};
use anyhow::{Context, Result, ensure};

/// What lies on something of its kind, what has no words, what hides under the tools, and how much too wide the page is.
const CROWDED: &str = r#"(() => {
    const seen = (selector) => [...document.querySelectorAll(selector)].filter(e => e.checkVisibility({visibilityProperty: true})).map(e => ({e, b: e.getBoundingClientRect()})).filter(one => one.b.width > 0);
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const over = ['.chip', '.move.ruler .rail span', '.head button, .head summary', '.tools button'].flatMap(selector => {
        const all = seen(selector);
        return all.flatMap((one, at) => all.slice(at + 1).filter(other => meet(one.b, other.b)).map(other => `${one.e.textContent} on ${other.e.textContent}`));
    });
    const mute = seen('.tools button, .kifu button, .head button').filter(one => !one.e.innerText.trim()).map(one => one.e.ariaLabel);
    const low = seen('.tools .btn').filter(one => one.b.height < 44).length;
    const hidden = [...document.querySelectorAll('.holder .can')].filter((e) => {
        e.scrollIntoView({block: 'nearest', behavior: 'instant'});
        const b = e.getBoundingClientRect();
        const top = document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2);
        return !top || top.closest('.tools') !== null;
    }).length;
    return {over, mute, low, hidden, wide: document.scrollingElement.scrollWidth - innerWidth};
})()"#;

#[test]
fn law_on_a_phone_nothing_lies_on_anything_else() {
    crowded(SOME);
}

mod full {
    #[test]
    fn law_on_a_phone_nothing_lies_on_anything_else() {
        super::crowded(1);
    }
}

/// See the law; every so many games are looked at.
fn crowded(every: usize) {
    let Some(mut page) = visit(&[]) else { return };
    let mut look = || -> Result<()> {
        let all = games(&mut page)?;
        // Games with many chips, long rulers and large hands are always among them.
        let some = all.iter().enumerate().filter(|(at, game)| {
            at % every == 0 || ["accordion", "rook", "saichugen"].iter().any(|id| game["id"] == *id)
        });
        for (at, game) in some {
            for (width, lang) in [(360, "en"), (390, "ja")] {
                page.browser.resize(width, 780)?;
                let query = format!(
                    "{}&lang={lang}",
                    if at % 2 == 0 {
                        quick(game)
                    } else {
                        format!("game={}", game["id"].as_str().unwrap_or_default())
                    }
                );
                page.board(&query).with_context(|| query.clone())?;
                let found = page.browser.eval(CROWDED)?;
                for list in ["over", "mute"] {
                    ensure!(
                        found[list].as_array().is_some_and(Vec::is_empty),
                        "{query} at {width}, {list}: {found}"
                    );
                }
                ensure!(
                    found["wide"] == 0 && found["low"] == 0 && found["hidden"] == 0,
                    "{query} at {width}: {found}"
                );
            }
        }
        page.clean()
    };
    look().unwrap();
}

#[test]
fn law_what_was_pressed_is_not_covered_and_reports_are_not_cut_off() {
    let Some(mut page) = visit(&[]) else { return };
    let mut look = || -> Result<()> {
        page.browser.resize(360, 780)?;
        page.board("game=tictactoe&seat=0&lang=en")?;
        for button in [".kifu .extras .btn", ".kifu .line .btn"] {
            page.browser.eval("document.querySelector('.toast').classList.remove('on')")?;
            page.browser.tap(button)?;
            page.browser.until("document.querySelector('.toast.on') !== null")?;
            let covered = page.browser.eval(&format!(
                "(() => {{ const a = document.querySelector('{button}').getBoundingClientRect(), b = document.querySelector('.toast').getBoundingClientRect(); \
                 return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom; }})()"
            ))?;
            ensure!(covered == false, "{button} is under its own message");
        }
        // What is said of pieces is readable, and whole.
        page.board("game=geister&analysis=2v2-basic&hints=none&lang=en")?;
        let plates = page.browser.eval(
            "[...document.querySelectorAll('.plate')].filter(e => e.scrollWidth <= e.clientWidth + 1 && parseFloat(getComputedStyle(e).fontSize) >= 11).length",
        )?;
        ensure!(plates == 2 && page.text(".plate")?.contains('%'), "{plates} of 2: {}", page.text(".plate")?);
        page.open("/results?game=sixtysix&lang=en")?;
        page.browser.until("document.querySelectorAll('.part[id] .meta code').length >= 3")?;
        let cut = page.browser.eval(
            "[...document.querySelectorAll('.stack td, .part h2, .part p, .meta code, .plot svg')].filter(e => { const b = e.getBoundingClientRect(); \
             return b.width && (b.right > innerWidth + 1 || b.left < -1); }).map(e => e.textContent.slice(0, 40))",
        )?;
        ensure!(cut.as_array().is_some_and(Vec::is_empty), "{cut}");
        ensure!(page.count(".stack td[data-head]")? > 20, "no table was looked at");
        page.clean()
    };
    look().unwrap();
}

#[test]
fn law_the_board_is_played_while_a_large_variant_is_solved() {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        page.browser.resize(390, 844)?;
        page.open("/board?game=memory&ranks=45&seat=all&lang=en")?;
        let working =
            "document.querySelector('.working') !== null && document.querySelector('.slot.can') !== null";
        page.browser.until(working)?;
        page.browser.tap(".slot.can")?;
        page.browser.until(&format!("new URLSearchParams(location.search).has('moves') && {working}"))?;
        ensure!(page.browser.eval(READY)? == false, "it was solved before it could be played");
        page.browser.key("u")?;
        page.browser.until("!new URLSearchParams(location.search).has('moves') && document.querySelector('.slot.can') !== null")?;
        ensure!(page.count(".record li i")? == 1, "the move is lost");
        Ok(())
    };
    play().unwrap();
}
