//! The list of games: what a page needs to show any of them.

use crate::answer::Content;
use crate::fault::text_json;
use crate::{Api, Fault, Reply, Request};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use yomikiri_games::family::Variant;
use yomikiri_games::params::{Domain, Param};
use yomikiri_games::{Entry, Primer};
use yomikiri_papers::reproduction::{Evidence, Question};
use yomikiri_papers::{Effort, Papers};

/// `GET /api/games`
pub fn list(api: &Arc<Api>, ask: Request) -> Result<Reply, Fault> {
    ask.only(&[])?;
    let key = "games".to_owned();
    if let Some(known) = api.known(&key) {
        return Ok(known.answer().into());
    }
    let games: Vec<Value> = api.config.games.iter().map(|game| describe(*game, api.config.papers)).collect();
    let content = Content::json(&json!({"version": env!("CARGO_PKG_VERSION"), "games": games}));
    api.keep(key, &content);
    Ok(content.answer().into())
}

fn describe(game: &dyn Entry, papers: Papers) -> Value {
    let about = game.about();
    let paper = papers.of(about.id);
    let studies: Vec<Value> = papers
        .studies(about.id)
        .iter()
        .map(|study| {
            json!({"name": study.name, "summary": text_json(&study.summary), "params": params(study.params, &[]), "rows": !study.rows.is_empty()})
        })
        .collect();
    let parts = paper.map(|paper| (paper.reproduction)(Effort::Quick).parts()).unwrap_or_default();
    let parts: Vec<Value> =
        parts.iter().map(|part| json!({"id": part.id, "title": text_json(&part.title)})).collect();
    let questions = paper.map_or(&[][..], |paper| paper.questions).iter();
    let questions: Vec<Value> = questions.map(question).collect();
    json!({
        "id": about.id, "name": text_json(&about.name), "summary": text_json(&about.summary),
        "paper": paper.map(|paper| json!({"key": paper.key, "citation": text_json(&paper.citation)})),
        "rules": rules(&about.rules), "notation": text_json(&about.notation), "example": about.example, "eval": text_json(&about.eval),
        "question": about.question, "players": about.players, "puzzles": game.puzzles().is_some(),
        "params": params(game.params(), game.advanced()), "variants": variants(game.variants()), "studies": studies, "parts": parts, "questions": questions,
    })
}

/// The rules of a game by their parts.
pub(crate) fn rules(rules: &Primer) -> Value {
    rules.parts().map(|(word, _, words)| (word, text_json(words))).collect()
}

fn variants(variants: &[Variant]) -> Vec<Value> {
    let one = |Variant { name, settings }: &Variant| {
        let settings: BTreeMap<&str, &str> = settings.iter().copied().collect();
        json!({"name": text_json(name), "settings": settings})
    };
    variants.iter().map(one).collect()
}

fn params(params: &[Param], advanced: &[&str]) -> Vec<Value> {
    params.iter().map(|one| param(one, advanced.contains(&one.name))).collect()
}

fn param(param: &Param, advanced: bool) -> Value {
    let mut out = Map::new();
    if advanced {
        out.insert("advanced".into(), true.into());
    }
    out.insert("name".into(), param.name.into());
    match &param.domain {
        Domain::Int { min, max } => {
            out.insert("kind".into(), "int".into());
            out.insert("min".into(), (*min).into());
            out.insert("max".into(), (*max).into());
        }
        Domain::Choice(words) => {
            out.insert("kind".into(), "choice".into());
            let words = words.iter().map(|(word, means)| json!([word, text_json(means)]));
            out.insert("words".into(), words.collect());
        }
        Domain::Text { .. } => {
            out.insert("kind".into(), "text".into());
        }
    }
    out.insert("default".into(), param.default.into());
    out.insert("help".into(), text_json(&param.help));
    out.insert("accepts".into(), text_json(&param.accepts()));
    Value::Object(out)
}

/// A question of a paper, with where its answer is shown.
fn question(question: &Question) -> Value {
    let (kind, name) = match question.evidence {
        Evidence::Study(name) => ("study", name),
        Evidence::Part(name) => ("part", name),
    };
    json!({"asked": text_json(&question.asked), "known": text_json(&question.known),
        "standing": {"id": question.standing.id(), "text": text_json(&question.standing.word())}, kind: name})
}
