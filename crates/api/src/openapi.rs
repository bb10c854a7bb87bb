//! The description of the API, made from the table of routes and the schemas beside it.

use crate::answer::{Content, JSON};
use crate::route::{Back, Route, Sent, names};
use crate::{Api, Fault, Reply, Request};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use yomikiri_games::Entry;
use yomikiri_papers::Papers;

const SCHEMAS: &str = include_str!("schemas.json");

/// `GET /api/openapi.json`
pub fn describe(api: &Arc<Api>, ask: Request, routes: &[Route]) -> Result<Reply, Fault> {
    ask.only(&[])?;
    let key = "openapi".to_owned();
    if let Some(known) = api.known(&key) {
        return Ok(known.answer().into());
    }
    let content = Content::json(&description(routes, api.config.games, api.config.papers));
    api.keep(key, &content);
    Ok(content.answer().into())
}

fn read(schema: &str) -> Value {
    // Ours, and read in a test.
    serde_json::from_str(schema).unwrap_or_default()
}

/// The whole description; its examples are about the first game.
fn description(routes: &[Route], games: &'static [&'static dyn Entry], papers: Papers) -> Value {
    let mut paths = Map::new();
    for route in routes {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Value::Object(methods) = path {
            methods.insert(route.method.to_lowercase(), operation(route, games, papers));
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "yomikiri",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Games solved exactly: positions, play, studies, reproductions.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "paths": paths,
        "components": {"schemas": read(SCHEMAS)},
    })
}

fn operation(route: &Route, games: &'static [&'static dyn Entry], papers: Papers) -> Value {
    let mut params = Vec::new();
    for name in names(route.path) {
        let (help, schema) = match name {
            "game" => {
                let ids: Vec<&str> = games.iter().map(|game| game.about().id).collect();
                ("the game", json!({"enum": ids}))
            }
            "id" => ("the job", json!({"type": "string"})),
            _ => ("a number from 1 and `.csv`", json!({"type": "string", "pattern": "^[0-9]+\\.csv$"})),
        };
        let mut param =
            json!({"name": name, "in": "path", "required": true, "description": help, "schema": schema});
        if let (Value::Object(fields), "game", Some(game)) = (&mut param, name, games.first()) {
            fields.insert("example".into(), game.about().id.into());
        }
        params.push(param);
    }
    for entry in route.query {
        let mut param = json!({"name": entry.name, "in": "query", "description": entry.help, "schema": read(entry.schema)});
        if let (Value::Object(fields), "position", Some(game)) = (&mut param, entry.name, games.first()) {
            fields.insert("example".into(), game.about().example.into());
        }
        params.push(param);
    }
    if route.settings {
        params.push(json!({
            "name": "settings", "in": "query", "style": "form", "explode": true,
            "description": "the game's parameters by their names; the rest take their defaults",
            "schema": {"type": "object", "additionalProperties": {"type": "string"}},
        }));
    }
    let mut operation = Map::new();
    operation.insert("operationId".into(), route.id.into());
    operation.insert("summary".into(), route.summary.into());
    operation.insert("parameters".into(), params.into());
    if !route.sent.is_empty() {
        let content: Map<String, Value> =
            route.sent.iter().map(|sent| (sent.kind.to_owned(), sent_json(sent, games, papers))).collect();
        operation.insert("requestBody".into(), json!({"required": true, "content": content}));
    }
    let mut answers = Map::new();
    for back in route.back {
        let answer = answers
            .entry(back.status.to_string())
            .or_insert_with(|| json!({"description": back.help, "content": {}}));
        if let Some(Value::Object(content)) = answer.get_mut("content") {
            content.insert(back.kind.to_owned(), back_json(back));
        }
    }
    let fault = json!({"$ref": "#/components/schemas/Fault"});
    answers.insert(
        "default".into(),
        json!({"description": "what is wrong", "content": {JSON: {"schema": fault}}}),
    );
    operation.insert("responses".into(), answers.into());
    Value::Object(operation)
}

fn reference(schema: &str) -> Value {
    match schema {
        "" => json!({}),
        name => json!({"$ref": format!("#/components/schemas/{name}")}),
    }
}

fn sent_json(sent: &Sent, games: &'static [&'static dyn Entry], papers: Papers) -> Value {
    let mut examples = Map::new();
    for game in games.iter().take(1) {
        for (name, example) in (sent.examples)(*game, papers) {
            examples.insert(name.to_owned(), json!({"value": example}));
        }
    }
    json!({"schema": reference(sent.schema), "examples": examples})
}

fn back_json(back: &Back) -> Value {
    json!({"schema": reference(back.schema)})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::ROUTES;

    /// Every `$ref` in a value.
    fn references(value: &Value, out: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                out.extend(map.get("$ref").and_then(Value::as_str).map(str::to_owned));
                map.values().for_each(|v| references(v, out));
            }
            Value::Array(list) => list.iter().for_each(|v| references(v, out)),
            _ => {}
        }
    }

    #[test]
    fn law_the_description_is_whole() {
        let all = description(ROUTES, yomikiri_shelf::GAMES, yomikiri_papers::PAPERS);
        let mut names = Vec::new();
        references(&all, &mut names);
        assert!(names.len() > 100);
        for name in names {
            assert!(all.pointer(name.trim_start_matches('#')).is_some(), "{name} leads nowhere");
        }
        for route in ROUTES {
            assert!(!route.summary.is_empty() && !route.back.is_empty(), "{}", route.id);
            route.query.iter().for_each(|entry| assert!(read(entry.schema).is_object(), "{}", entry.name));
        }
        let mut ids: Vec<&str> = ROUTES.iter().map(|route| route.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), ROUTES.len());
    }
}
