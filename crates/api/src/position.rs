//! Questions about a position: its scene, the value of every move, changes by hand; and the headline of a game.

use crate::answer::Content;
use crate::fault::text_json;
use crate::job::Title;
use crate::{Api, Fault, Reply, Request};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_games::about::Headline;
use yomikiri_games::params::Settings;
use yomikiri_games::{Entry, cost, puzzle};
use yomikiri_view::scene::Viewer;

type Answerer = fn(&dyn Entry, &Settings, Option<&str>, Viewer, &Run<'_>) -> Result<Content, Error>;

impl Api {
    /// Answers a question about a position, from memory if it has been asked before.
    fn position(
        self: &Arc<Api>,
        verb: &'static str,
        ours: &'static [&'static str],
        ask: Request,
        answer: Answerer,
    ) -> Result<Reply, Fault> {
        let game = self.game(ask.part("game"))?;
        let id = game.about().id;
        // What was sent is quoted, so that no two questions share a key.
        let key = format!("{verb} {id} {:?}", ask.query);
        if let Some(known) = self.known(&key) {
            return Ok(known.answer().into());
        }
        let settings = ask.settings(game, ours)?;
        let position = ask.word("position").map(str::to_owned);
        let viewer = if ours.contains(&"viewer") { viewer(game, &ask)? } else { None };
        let mut command = format!("yomikiri show {id}");
        if let Some(position) = &position {
            command.push_str(&format!(" {}", crate::word(position)));
        }
        command.push_str(&crate::flags(game.params(), &settings));
        let title = self.request(game, command);
        self.compute(title, ask, move |api, _, run| {
            let made =
                answer(game, &settings, position.as_deref(), viewer, run).map_err(|e| Fault::of(id, e))?;
            api.keep(key, &made);
            Ok(made)
        })
    }

    /// The title of the computation of a request.
    pub(crate) fn request(&self, game: &dyn Entry, command: String) -> Title {
        let about = game.about();
        Title { kind: "request", game: about.id, title: about.name.clone(), command, seed: self.config.seed }
    }
}

/// Who looks, as the query says.
fn viewer(game: &dyn Entry, ask: &Request) -> Result<Viewer, Fault> {
    let (given, players) = (ask.word("viewer"), game.about().players);
    match given {
        None | Some("all") => Ok(None),
        Some(word) => {
            let seat = (0..players).find(|seat| seat.to_string() == word);
            seat.map(Some).ok_or_else(|| {
                let seats = (0..players).map(|seat| format!(", {seat}")).collect::<String>();
                let refusal =
                    Refusal::new("viewer", format!("\"{word}\""), Text::same(format!("all{seats}")));
                Fault::of(game.about().id, refusal.into())
            })
        }
    }
}

/// `GET /api/scene/{game}`
pub fn scene(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    let answer: Answerer = |game, settings, position, viewer, run| {
        Ok(Content::json(&game.scene(settings, position, viewer, run)?))
    };
    api.position("scene", &["position", "viewer"], ask, answer)
}

/// `GET /api/show/{game}`
pub fn show(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    let answer: Answerer =
        |game, settings, position, _, run| Ok(Content::json(&game.told(settings, position, run)?));
    api.position("show", &["position"], ask, answer)
}

/// The scores that a query has, one a seat.
fn scores(game: &dyn Entry, ask: &Request) -> Result<Option<Vec<i64>>, Fault> {
    let Some(word) = ask.word("scores") else { return Ok(None) };
    let read: Option<Vec<i64>> = word.split(',').map(|n| n.trim().parse().ok()).collect();
    let accepts = text("whole numbers joined by commas, one a seat", "整数をカンマ区切りで席の順に");
    let refuse = || Fault::of(game.about().id, Refusal::new("scores", format!("\"{word}\""), accepts).into());
    read.map(Some).ok_or_else(refuse)
}

/// `GET /api/edit/{game}`
pub fn edit(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    let game = api.game(ask.part("game"))?;
    let Some(scores) = scores(game, &ask)? else {
        let answer: Answerer =
            |game, settings, position, _, run| Ok(Content::json(&game.edits(settings, position, run)?));
        return api.position("edit", &["position", "scores"], ask, answer);
    };
    let settings = ask.settings(game, &["position", "scores"])?;
    let position = ask.word("position").map(str::to_owned);
    let title = api.request(game, format!("yomikiri show {}", game.about().id));
    api.compute(title, ask, move |_, _, run| {
        let after = game.rescored(&settings, position.as_deref(), &scores, run);
        let scene = after.and_then(|after| game.edits(&settings, Some(&after), run));
        Ok(Content::json(&scene.map_err(|e| Fault::of(game.about().id, e))?))
    })
}

/// `GET /api/cost/{game}`
pub fn cost(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    let game = api.game(ask.part("game"))?;
    let settings = ask.settings(game, &[])?;
    let flags = crate::flags(game.params(), &settings);
    let title = api.request(game, format!("yomikiri show {}{flags}", game.about().id));
    api.compute(title, ask, move |_, _, run| {
        let cost = cost::cost(game, &settings, run).map_err(|e| Fault::of(game.about().id, e))?;
        Ok(Content::json(&json!({"fits": cost.fits, "text": text_json(&cost.text)})))
    })
}

/// `GET /api/puzzle/{game}`
pub fn puzzle(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    let game = api.game(ask.part("game"))?;
    let id = game.about().id;
    let number = ask.number("number", u64::from(u32::MAX))?.unwrap_or(0);
    let key = format!("puzzle {id} {:?}", ask.query);
    if let Some(known) = api.known(&key) {
        return Ok(known.answer().into());
    }
    let mut settings = ask.settings(game, &["number"])?;
    if settings.pairs().all(|(name, _)| !settings.given(name)) {
        settings = puzzle::settings(game).map_err(|refusal| Fault::of(id, refusal.into()))?;
    }
    let mut command = format!("yomikiri puzzle {id} --number {number}");
    command.push_str(&crate::flags(game.params(), &settings));
    let title = api.request(game, command.clone());
    api.compute(title, ask, move |api, _, run| {
        let found = puzzle::puzzle(game, &settings, number, run).map_err(|e| Fault::of(id, e))?;
        let given: BTreeMap<&str, String> = settings.pairs().filter(|(name, _)| settings.given(name)).collect();
        let level = found.level();
        let made = Content::json(&json!({"game": id, "number": number, "settings": given, "seed": found.seed,
            "seat": found.seat, "moves": found.moves, "choices": found.choices.len(), "task": text_json(&found.task()),
            "level": {"id": level.id(), "text": text_json(&level.word())}, "command": command}));
        api.keep(key, &made);
        Ok(made)
    })
}

/// `GET /api/headline/{game}`
pub fn headline(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    ask.only(&[])?;
    let answer: Answerer = |game, _, _, _, run| {
        let Headline { claim, scene } = game.headline(run)?;
        let settings: BTreeMap<&str, String> =
            claim.settings.pairs().filter(|(name, _)| claim.settings.given(name)).collect();
        let mut out = json!({"game": game.about().id, "big": text_json(&claim.big), "text": text_json(&claim.text),
            "cert": claim.cert, "scene": scene, "settings": settings, "seed": run.seed});
        if let Some(position) = claim.position {
            out["position"] = position.into();
        }
        Ok(Content::json(&out))
    };
    api.position("headline", &[], ask, answer)
}
