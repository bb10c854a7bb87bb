//! What a route of the API is: an address, what may be sent, what comes back, and what answers.

use crate::{Api, Fault, Reply, Request};
use serde_json::Value;
use std::sync::Arc;
use yomikiri_games::Entry as Game;
use yomikiri_papers::Papers;

/// What follows `?`.
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub help: &'static str,
    /// The schema of its value, as JSON.
    pub schema: &'static str,
}

/// What is sent.
pub struct Sent {
    /// Its content type.
    pub kind: &'static str,
    /// The name of its schema; none for lines.
    pub schema: &'static str,
    /// Examples, by name, for the game that stands in the examples.
    pub examples: fn(&dyn Game, Papers) -> Vec<(&'static str, Value)>,
}

/// What comes back.
pub struct Back {
    /// The status.
    pub status: u16,
    /// Its content type.
    pub kind: &'static str,
    /// The name of its schema; none for what is not JSON.
    pub schema: &'static str,
    /// When.
    pub help: &'static str,
}

/// A line of the API.
pub struct Route {
    /// The method.
    pub method: &'static str,
    /// The path, with `{names}`.
    pub path: &'static str,
    /// A name of its own.
    pub id: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// Whether the query may also carry the game's parameters.
    pub settings: bool,
    /// What the query may carry.
    pub query: &'static [Parameter],
    /// What may be sent.
    pub sent: &'static [Sent],
    /// What comes back, errors aside.
    pub back: &'static [Back],
    /// What answers.
    pub answer: fn(&Arc<Api>, Request) -> Result<Reply, Fault>,
}

/// The names in the path of a route.
pub fn names(path: &'static str) -> impl Iterator<Item = &'static str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

/// What the names in the path of a route stand for in an address; none if the address is not of the route.
pub fn parts<'a>(path: &'static str, address: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
    let mut found = Vec::new();
    let mut given = address.split('/');
    for part in path.split('/') {
        let is = given.next()?;
        match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            Some(name) if !is.is_empty() => found.push((name, is)),
            None if part == is => {}
            _ => return None,
        }
    }
    given.next().is_none().then_some(found)
}
