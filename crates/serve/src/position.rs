//! Questions about a position: its scene, the value of every move, changes by hand; and the headline of a game.

use crate::Server;
use crate::ask::Ask;
use crate::fault::{Fault, text_json};
use crate::job::{Answer, Title};
use crate::reply::Reply;
use serde_json::json;
use std::sync::Arc;
use yomikiri_core::{Error, Refusal, Run, Text};
use yomikiri_games::Entry;
use yomikiri_games::params::Settings;
use yomikiri_view::scene::Viewer;

type Answerer = fn(&dyn Entry, &Settings, Option<&str>, Viewer, &Run<'_>) -> Result<Answer, Error>;

impl Server {
    /// Answers a question about a position, from memory if it has been asked before.
    async fn position(
        self: Arc<Server>,
        verb: &'static str,
        ours: &'static [&'static str],
        ask: Ask,
        answer: Answerer,
    ) -> Result<Reply, Fault> {
        let game = self.game(ask.part("game"))?;
        let id = game.about().id;
        let key = format!("{verb} {id} {}", ask.raw);
        if let Some(answer) = self.known(&key) {
            return Ok(answer.reply());
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
        self.compute(title, move |server, run| {
            let made =
                answer(game, &settings, position.as_deref(), viewer, run).map_err(|e| Fault::of(id, e))?;
            server.keep(key, &made);
            Ok(made)
        })
        .await
    }

    /// The title of the computation of a request.
    pub fn request(&self, game: &dyn Entry, command: String) -> Title {
        let about = game.about();
        Title { kind: "request", game: about.id, title: about.name.clone(), command, seed: self.config.seed }
    }
}

/// Who looks, as the query says.
fn viewer(game: &dyn Entry, ask: &Ask) -> Result<Viewer, Fault> {
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
pub async fn scene(server: Arc<Server>, ask: Ask) -> Result<Reply, Fault> {
    let answer: Answerer = |game, settings, position, viewer, run| {
        Ok(Answer::json(&game.scene(settings, position, viewer, run)?))
    };
    server.position("scene", &["position", "viewer"], ask, answer).await
}

/// `GET /api/show/{game}`
pub async fn show(server: Arc<Server>, ask: Ask) -> Result<Reply, Fault> {
    let answer: Answerer =
        |game, settings, position, _, run| Ok(Answer::json(&game.show(settings, position, run)?.json));
    server.position("show", &["position"], ask, answer).await
}

/// `GET /api/edit/{game}`
pub async fn edit(server: Arc<Server>, ask: Ask) -> Result<Reply, Fault> {
    let answer: Answerer =
        |game, settings, position, _, run| Ok(Answer::json(&game.edits(settings, position, run)?));
    server.position("edit", &["position"], ask, answer).await
}

/// `GET /api/headline/{game}`
pub async fn headline(server: Arc<Server>, ask: Ask) -> Result<Reply, Fault> {
    ask.only(&[])?;
    let answer: Answerer = |game, _, _, _, run| {
        let headline = game.headline(run)?;
        let (id, big, text) = (game.about().id, text_json(&headline.big), text_json(&headline.text));
        Ok(Answer::json(
            &json!({"game": id, "big": big, "text": text, "cert": headline.cert, "scene": headline.scene}),
        ))
    };
    server.position("headline", &[], ask, answer).await
}
