//! What the page teaches: rules, three steps on the real board, two doors a tile, variants with names.

use crate::page::{Page, READY, visit};
use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// What the page knows of all games.
pub fn games(page: &mut Page) -> Result<Vec<Value>> {
    let games = page.browser.eval("fetch('/api/games').then(answer => answer.json())")?;
    Ok(games["games"].as_array().cloned().unwrap_or_default())
}

/// The settings of a game's first variant, and a seat where there is a choice, as words of an address.
pub fn quick(game: &Value) -> String {
    let mut query = format!("game={}", game["id"].as_str().unwrap_or_default());
    for (name, value) in game["variants"][0]["settings"].as_object().into_iter().flatten() {
        query.push_str(&format!("&{name}={}", value.as_str().unwrap_or_default()));
    }
    if game["players"].as_u64() > Some(1) {
        query.push_str("&seat=0");
    }
    query
}

/// Of so many games one is looked at where not all are: then every kind is.
pub const SOME: usize = 7;

const RULES: &str = ".rulebook:not([hidden])";

#[test]
fn law_rules_open_on_the_first_visit_of_every_game_and_are_remembered() {
    rules_open(SOME);
}

/// See the law; every so many games are looked at.
fn rules_open(every: usize) {
    let Some(mut page) = visit(&[]) else { return };
    let mut look = || -> Result<()> {
        for (at, game) in games(&mut page)?.into_iter().enumerate().filter(|(at, _)| at % every == 0) {
            let id = game["id"].as_str().unwrap_or_default().to_owned();
            let lang = ["en", "ja"][at % 2];
            page.browser.resize([1280, 390][at / 2 % 2], 800)?;
            page.browser.eval("localStorage.setItem('yomikiri.rules', 'other')")?;
            let query = format!("{}&hints=none&lang={lang}", quick(&game));
            page.board(&query).with_context(|| query.clone())?;
            ensure!(page.count(RULES)? == 1, "{id}: the rules are shut");
            page.browser
                .until("document.querySelectorAll('.rulebook figure .zone').length > 1")
                .with_context(|| id.clone())?;
            ensure!(page.count(".rulebook figure")? == 2, "{id}: not two pictures");
            let shown = page.text(".rulebook")?;
            for part in ["goal", "play", "end", "values"] {
                let words = game["rules"][part][lang].as_str().unwrap_or_default();
                ensure!(!words.is_empty() && shown.contains(words), "{id}: no {part} in {lang}: {shown}");
            }
            // The board is there and can be played on.
            let seen = page.browser.eval("(() => { const r = document.querySelector('.holder .stage').getBoundingClientRect(); \
                const top = document.elementFromPoint(r.left + r.width / 2, Math.max(r.top, 0) + 20); return top?.closest('.rulebook') === null; })()")?;
            ensure!(seen == true, "{id}: the rules lie on the board");
            page.browser.key("Escape")?;
            ensure!(page.count(RULES)? == 0, "{id}: Esc does not close them");
            page.browser.reload()?;
            page.ready()?;
            ensure!(page.count(RULES)? == 0, "{id}: they open again");
            page.browser.key("g")?;
            ensure!(page.count(RULES)? == 1, "{id}: the key does not open them");
            page.browser.key("g")?;
            page.browser.tap(".head .rules")?;
            ensure!(page.count(RULES)? == 1, "{id}: the button does not open them");
            page.browser.tap(".rulebook .btn.sq")?;
            ensure!(page.count(RULES)? == 0, "{id}: the cross does not close them");
        }
        // Whoever does not want them is asked no more.
        page.browser.eval("localStorage.setItem('yomikiri.rules', '*')")?;
        page.board("game=tictactoe")?;
        ensure!(page.count(RULES)? == 0, "they open unasked");
        page.clean()
    };
    look().unwrap();
}

#[test]
fn law_three_steps_lead_through_every_game() {
    three_steps(SOME);
}

/// See the law; every so many games are looked at.
fn three_steps(every: usize) {
    let Some(mut page) = visit(&[]) else { return };
    let mut play = || -> Result<()> {
        for (at, game) in games(&mut page)?.into_iter().enumerate().filter(|(at, _)| at % every == 0) {
            let id = game["id"].as_str().unwrap_or_default().to_owned();
            let lang = ["ja", "en"][at % 2];
            let touch = at % 3 == 0;
            page.browser.resize([1280, 390][at / 2 % 2], 800)?;
            let query = format!("{}&hints=none&lang={lang}&seed=2", quick(&game));
            page.board(&query).with_context(|| query.clone())?;
            let press = |page: &mut Page, button: &str| match touch {
                true => page.browser.tap(button),
                false => page.browser.click(button),
            };
            page.browser.key("g")?;
            press(&mut page, ".rulebook .begin")?;
            page.browser.until("!document.querySelector('.tour').hidden").with_context(|| id.clone())?;
            let goal = game["rules"]["goal"][lang].as_str().unwrap_or_default().to_owned();
            ensure!(
                page.text(".tour")?.contains(&goal) && page.text(".tour")?.contains("1/3"),
                "{id}: no first step"
            );
            press(&mut page, ".tour .btn.main")?;
            page.browser
                .until(&format!("document.querySelector('.tour .step').innerText === '2/3' && {READY}"))?;
            let before = page.moves()?;
            page.browser.key("1")?;
            page.browser
                .until(&format!("document.querySelector('.tour .btn.main') !== null && {READY}"))
                .with_context(|| format!("{id}: no move was made"))?;
            let done = ["その値は", "値がありません", "It is worth", "no value"];
            page.browser
                .until("!/Solving|計算中/.test(document.querySelector('.tour').innerText)")
                .with_context(|| format!("{id}: its value is waited for"))?;
            let said = page.text(".tour")?;
            ensure!(done.iter().any(|words| said.contains(words)), "{id}: {said}");
            press(&mut page, ".tour .btn.main")?;
            // Back, and the values.
            page.browser.until("document.querySelectorAll('.tour .btn.main').length === 2")?;
            press(&mut page, ".tour .btn.main")?;
            page.after(before)?;
            press(&mut page, ".tour .btn.main")?;
            page.browser
                .until(&format!("new URLSearchParams(location.search).get('hints') === null && {READY}"))
                .with_context(|| format!("{id}: values are not shown"))?;
            ensure!(page.text(".tour")?.contains("3/3"), "{id}: {}", page.text(".tour")?);
            if at % 2 == 0 {
                page.browser.key("Escape")?;
            } else {
                press(&mut page, ".tour .btn.main")?;
            }
            ensure!(page.count(".tour:not([hidden])")? == 0, "{id}: it cannot be left");
        }
        page.clean()
    };
    play().unwrap();
}

#[test]
fn law_every_tile_has_a_door_to_play_and_one_to_analyse() {
    doors(SOME);
}

/// See the law; every so many tiles are looked at.
fn doors(every: usize) {
    let Some(mut page) = visit(&[]) else { return };
    let mut look = || -> Result<()> {
        let games = games(&mut page)?;
        page.open("/")?;
        page.browser
            .until(&format!("document.querySelectorAll('.game .headline b').length === {}", games.len()))
            .context("not every game has a headline")?;
        let tiles = page.browser.eval(
            "[...document.querySelectorAll('.game')].map(tile => ({id: tile.dataset.game, big: tile.querySelector('.headline b').innerText, \
             items: [...tile.querySelectorAll('[data-item]')].map(item => item.dataset.item).sort().join(), \
             play: tile.querySelector('[data-door=play]').getAttribute('href'), analyse: tile.querySelector('[data-door=analyse]').getAttribute('href')}))",
        )?;
        for tile in tiles.as_array().into_iter().flatten().step_by(every) {
            let word = |name: &str| tile[name].as_str().unwrap_or_default().to_owned();
            let (id, big) = (word("id"), word("big"));
            // The tile's own position, with the value that it promises.
            page.open(&word("analyse"))?;
            page.ready().with_context(|| id.clone())?;
            let verdict = page.text(".verdict")?;
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            ensure!(words(&verdict).contains(&words(&big)), "{id} promises {big} and shows {verdict}");
            let items = page.browser.eval(
                "[...document.querySelectorAll('.holder [data-item]')].map(item => item.dataset.item).sort().join()",
            )?;
            ensure!(items == tile["items"], "{id}: another position than on its tile");
            // Against the machine, without hints.
            page.open(&word("play"))?;
            page.ready().with_context(|| id.clone())?;
            ensure!(
                page.asked("hints")? == "none" && page.count(".verdict, .move .value")? == 0,
                "{id} tells values"
            );
            let players =
                games.iter().find(|game| game["id"] == id.as_str()).and_then(|game| game["players"].as_u64());
            ensure!(
                players == Some(1)
                    || page.count(".seats .who.you")? == 1 && page.count(".seats .who:not(.you)")? > 0,
                "{id}: nobody is the person, or there is no machine"
            );
        }
        // Whoever sits at the far side looks from there: the own pieces look up.
        page.board("game=dobutsu&seat=0")?;
        let lion = "[...document.querySelectorAll('.square')].filter(e => e.querySelector('[data-item]')).map(e => [e.dataset.place, e.getBoundingClientRect().top])";
        let near = page.browser.eval(lion)?;
        page.board("game=dobutsu&seat=1")?;
        let far = page.browser.eval(lion)?;
        let lowest = |all: &Value| {
            let all = all.as_array().into_iter().flatten();
            let top = |one: &Value| one[1].as_f64().unwrap_or(0.0);
            all.max_by(|a, b| top(a).total_cmp(&top(b))).map(|one| one[0].clone())
        };
        ensure!(lowest(&near) != lowest(&far), "the board is not turned: {near} {far}");
        page.clean()
    };
    look().unwrap();
}

#[test]
fn law_variants_are_cards_and_parameters_are_words() {
    cards(SOME);
}

/// See the law; every so many games are looked at.
fn cards(every: usize) {
    let Some(mut page) = visit(&[]) else { return };
    let mut look = || -> Result<()> {
        for (at, game) in games(&mut page)?.into_iter().enumerate().filter(|(at, _)| at % every == 0) {
            let id = game["id"].as_str().unwrap_or_default().to_owned();
            let lang = ["en", "ja"][at % 2];
            page.browser.resize([1280, 390][at / 2 % 2], 800)?;
            page.board(&format!("{}&hints=none&lang={lang}", quick(&game)))?;
            page.browser.key("v")?;
            let variants = game["variants"].as_array().map_or(0, Vec::len).max(1);
            ensure!(page.count(".variant-card")? == variants as u64, "{id}: not {variants} cards");
            page.browser
                .until("[...document.querySelectorAll('.variant-card')].every(card => card.querySelector('.zone'))")
                .with_context(|| format!("{id}: a card without a picture"))?;
            ensure!(page.count(".variant-card[aria-pressed=true]")? == 1, "{id}: no card is the board's");
            let labels = page
                .browser
                .eval("[...document.querySelectorAll('.pop .field label')].map(e => e.innerText)")?;
            for param in game["params"].as_array().into_iter().flatten() {
                let help = param["help"][lang].as_str().unwrap_or_default().to_lowercase();
                let said = labels
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                    .any(|label| label.to_lowercase() == help)
                    || param["advanced"] == true;
                ensure!(said, "{id}: {} has no words: {labels}", param["name"]);
            }
            let advanced =
                game["params"].as_array().into_iter().flatten().filter(|p| p["advanced"] == true).count();
            ensure!(
                page.count(".advanced:not([open]) .field")? == advanced as u64,
                "{id}: {advanced} are for experts"
            );
            if variants > 1 {
                page.browser.tap(".variant-card[aria-pressed=false]")?;
                page.browser
                    .until(&format!("document.querySelector('.drawer[open]') === null && {READY}"))?;
            }
        }
        // What a variant costs is said before it is chosen, and so is that it will have no values.
        page.browser.resize(1280, 800)?;
        page.board("game=memory&ranks=5&seat=all&lang=en")?;
        page.browser.key("v")?;
        let always = page.text(".cost")?;
        for (ranks, dear) in [("100", true), ("6", false)] {
            page.browser.click(".pop input[id$='-ranks']")?;
            page.browser.eval("document.querySelector(\".pop input[id$='-ranks']\").select()")?;
            page.browser.write(ranks)?;
            page.browser.until(&format!(
                "document.querySelector('.cost.dear') {} null && document.querySelector('.cost').innerText !== {}",
                if dear { "!==" } else { "===" },
                Value::from(always.clone())
            ))?;
            ensure!(page.text(".cost")?.contains("No values") == dear, "{}", page.text(".cost")?);
        }
        ensure!(page.count(".pop code")? == 0, "parameters are called by their flags");
        // A variant that has no name is told by what is not as always, in words.
        page.board("game=connectfour&cols=5&rows=3&line=3&seat=all&hints=none&lang=en")?;
        let head = page.text(".head .variant")?;
        ensure!(head.contains("columns of the board: 5") && !head.contains("cols"), "{head}");
        // What is too large to be valued is played without values, and says why.
        page.refused = true;
        page.board("game=memory&ranks=100&seat=all&lang=en")?;
        ensure!(page.count(".slot.can")? > 100 && page.asked("hints")? == "none", "an empty board");
        ensure!(
            page.text(".error.boxed")?.contains("GiB") || page.text(".error.boxed")?.contains("memory"),
            "no reason"
        );
        page.clean()
    };
    look().unwrap();
}

mod full {
    #[test]
    fn law_rules_open_on_the_first_visit_of_every_game_and_are_remembered() {
        super::rules_open(1);
    }

    #[test]
    fn law_three_steps_lead_through_every_game() {
        super::three_steps(1);
    }

    #[test]
    fn law_every_tile_has_a_door_to_play_and_one_to_analyse() {
        super::doors(1);
    }

    #[test]
    fn law_variants_are_cards_and_parameters_are_words() {
        super::cards(1);
    }
}
