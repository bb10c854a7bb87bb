//! Questions about a position: its scene, the value of every move, changes by hand; and the headline of a game.

use crate::answer::Content;
use crate::fault::text_json;
use crate::job::Title;
use crate::{Api, Fault, Reply, Request};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use yomikiri_core::{Error, Refusal, Run, Text};
use yomikiri_games::about::Headline;
use yomikiri_games::params::Settings;
use yomikiri_games::{Entry, puzzle};
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
        |game, settings, position, _, run| Ok(Content::json(&game.show(settings, position, run)?.json));
    api.position("show", &["position"], ask, answer)
}

/// `GET /api/edit/{game}`
pub fn edit(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    let answer: Answerer =
        |game, settings, position, _, run| Ok(Content::json(&game.edits(settings, position, run)?));
    api.position("edit", &["position"], ask, answer)
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
