//! Requests, and reading what they ask for: queries, settings and bodies, with refusals that name the field.

use crate::answer::JSON;
use crate::fault::Fault;
use serde_json::{Map, Value};
use yomikiri_core::{Lang, Refusal, Text, text};
use yomikiri_games::Entry;
use yomikiri_games::params::{Param, Settings};

/// The largest number that JSON carries unharmed everywhere.
pub const LARGEST: u64 = 1 << 53;

/// A question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The name of the route, as the description has it: `show`, `play`, `start`.
    pub route: String,
    /// What stands in the path of its address: the game, the job.
    pub path: Vec<(String, String)>,
    /// The other parameters, each once.
    pub query: Vec<(String, String)>,
    /// The content type of the body without parameters, in small letters.
    pub kind: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// A question by the name of its route.
    pub fn new(route: &str) -> Request {
        Request { route: route.to_owned(), ..Request::default() }
    }

    /// The question with JSON to go with it.
    pub fn json(mut self, body: &Value) -> Request {
        self.kind = JSON.to_owned();
        self.body = body.to_string().into_bytes();
        self
    }

    /// A named part of the path.
    pub(crate) fn part(&self, name: &str) -> &str {
        self.path.iter().find(|p| p.0 == name).map_or("", |p| p.1.as_str())
    }

    /// An entry of the query.
    pub(crate) fn word(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|q| q.0 == name).map(|q| q.1.as_str())
    }

    /// A whole number of the query.
    pub(crate) fn number(&self, name: &'static str, most: u64) -> Result<Option<u64>, Refusal> {
        let Some(given) = self.word(name) else { return Ok(None) };
        match given.parse() {
            Ok(n) if n <= most => Ok(Some(n)),
            _ => Err(Refusal::new(name, format!("\"{given}\""), whole(most))),
        }
    }

    /// A flag of the query: 0 or 1.
    pub(crate) fn flag(&self, name: &'static str) -> Result<bool, Refusal> {
        match self.word(name) {
            None | Some("0") => Ok(false),
            Some("1") => Ok(true),
            Some(other) => Err(Refusal::new(name, format!("\"{other}\""), Text::same("0, 1"))),
        }
    }

    /// The language of the query; English if it names none.
    pub(crate) fn lang(&self) -> Result<Lang, Refusal> {
        match self.word("lang") {
            None | Some("en") => Ok(Lang::En),
            Some("ja") => Ok(Lang::Ja),
            Some(other) => Err(Refusal::new("lang", format!("\"{other}\""), Text::same("en, ja"))),
        }
    }

    /// Refuses entries of the query that are not among these.
    pub(crate) fn only(&self, names: &[&str]) -> Result<(), Refusal> {
        match self.query.iter().find(|q| !names.contains(&q.0.as_str())) {
            None => Ok(()),
            Some((name, _)) => Err(unknown_field(name, names)),
        }
    }

    /// The settings of a game from the query; `ours` are entries that are not settings.
    pub(crate) fn settings(&self, game: &dyn Entry, ours: &[&str]) -> Result<Settings, Fault> {
        let given = self.query.iter().filter(|q| !ours.contains(&q.0.as_str()));
        let given = given.map(|(name, value)| (name.as_str(), value.as_str()));
        Settings::new(game.params(), given).map_err(|r| Fault::of(game.about().id, r.into()))
    }
}

/// What is accepted where a whole number is asked for.
pub fn whole(most: u64) -> Text {
    Text::of(format!("a whole number from 0 to {most}"), format!("0～{most}の整数"))
}

/// A field that nobody knows.
pub fn unknown_field(name: &str, names: &[&str]) -> Refusal {
    let mut name = name.to_owned();
    if let Some((at, _)) = name.char_indices().nth(80) {
        name.truncate(at);
    }
    let names = if names.is_empty() { "–".to_owned() } else { names.join(", ") };
    Refusal::of(name, text("an unknown parameter", "未知のパラメータ"), Text::same(names))
}

/// The fields of a JSON object, taken one by one; what is left over is refused.
pub struct Fields {
    map: Map<String, Value>,
    names: Vec<&'static str>,
}

impl Fields {
    /// The object in a body.
    pub fn new(body: &[u8]) -> Result<Fields, Refusal> {
        let accepts = || text("a JSON object", "JSON オブジェクト");
        match serde_json::from_slice(body) {
            Ok(Value::Object(map)) => Ok(Fields { map, names: Vec::new() }),
            Ok(other) => Err(Refusal::new("body", other, accepts())),
            Err(e) => {
                let got =
                    Text::of(format!("text that is not JSON ({e})"), format!("JSON でない文字列（{e}）"));
                Err(Refusal::of("body", got, accepts()))
            }
        }
    }

    /// Whether a field is there, null or not.
    pub fn said(&self, name: &str) -> bool {
        self.map.contains_key(name)
    }

    /// Takes a field out; one that is null is not there.
    pub fn take(&mut self, name: &'static str) -> Option<Value> {
        self.names.push(name);
        self.map.remove(name).filter(|v| !v.is_null())
    }

    /// A text.
    pub fn text(&mut self, name: &'static str) -> Result<Option<String>, Refusal> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(Refusal::new(name, other, text("a string", "文字列"))),
        }
    }

    /// A text that must be there.
    pub fn needed(&mut self, name: &'static str) -> Result<String, Refusal> {
        self.text(name)?.ok_or_else(|| Refusal::of(name, text("nothing", "なし"), text("a string", "文字列")))
    }

    /// A whole number.
    pub fn number(&mut self, name: &'static str, most: u64) -> Result<Option<u64>, Refusal> {
        match self.take(name) {
            None => Ok(None),
            Some(value) => match value.as_u64() {
                Some(n) if n <= most => Ok(Some(n)),
                _ => Err(Refusal::new(name, value, whole(most))),
            },
        }
    }

    /// Yes or no; no if it is not there.
    pub fn flag(&mut self, name: &'static str) -> Result<bool, Refusal> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(yes)) => Ok(yes),
            Some(other) => Err(Refusal::new(name, other, Text::same("true, false"))),
        }
    }

    /// One of some words; the first if it is not there.
    pub fn word(
        &mut self,
        name: &'static str,
        words: &'static [&'static str],
    ) -> Result<&'static str, Refusal> {
        let Some(value) = self.take(name) else { return Ok(words[0]) };
        let found = value.as_str().and_then(|given| words.iter().find(|w| **w == given));
        found.copied().ok_or_else(|| Refusal::new(name, &value, Text::same(words.join(", "))))
    }

    /// A list of texts.
    pub fn texts(&mut self, name: &'static str, most: usize) -> Result<Option<Vec<String>>, Refusal> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let accepts =
            || Text::of(format!("a list of at most {most} strings"), format!("{most}個以下の文字列の配列"));
        let Value::Array(list) = value else { return Err(Refusal::new(name, value, accepts())) };
        if list.len() > most {
            let got = Text::of(format!("{} entries", list.len()), format!("{}個", list.len()));
            return Err(Refusal::of(name, got, accepts()));
        }
        let text = |value: Value| match value {
            Value::String(text) => Ok(text),
            other => Err(Refusal::new(name, other, accepts())),
        };
        list.into_iter().map(text).collect::<Result<_, _>>().map(Some)
    }

    /// The settings of a game or study.
    pub fn settings(
        &mut self,
        name: &'static str,
        game: &'static str,
        params: &[Param],
    ) -> Result<Settings, Fault> {
        let map = match self.take(name) {
            None => Map::new(),
            Some(Value::Object(map)) => map,
            Some(other) => {
                let accepts = text("a JSON object", "JSON オブジェクト");
                return Err(Refusal::new(name, other, accepts).into());
            }
        };
        let mut given = Vec::with_capacity(map.len());
        for (name, value) in map {
            let value = match value {
                Value::String(text) => text,
                Value::Number(n) => n.to_string(),
                other => {
                    let known = params.iter().find(|p| p.name == name);
                    let accepts = known.map_or(text("a string or a number", "文字列か数"), Param::accepts);
                    return Err(Fault::of(game, Refusal::new(name, other, accepts).into()));
                }
            };
            given.push((name, value));
        }
        let given = given.iter().map(|(n, v)| (n.as_str(), v.as_str()));
        Settings::new(params, given).map_err(|r| Fault::of(game, r.into()))
    }

    /// Refuses what is left over.
    pub fn end(self) -> Result<(), Refusal> {
        match self.map.keys().next() {
            None => Ok(()),
            Some(name) => Err(unknown_field(name, &self.names)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_fields_are_named_when_they_are_refused() {
        let field = |body: &str| {
            let mut fields = Fields::new(body.as_bytes())?;
            fields.needed("name")?;
            fields.number("n", 9)?;
            fields.word("hints", &["none", "best"])?;
            fields.texts("moves", 2)?;
            fields.flag("yes")?;
            fields.end()
        };
        assert_eq!(field(r#"{"name":"a","n":9,"hints":"best","moves":["1"],"yes":true}"#), Ok(()));
        for (body, named) in [
            ("", "body"),
            ("[1]", "body"),
            ("{}", "name"),
            (r#"{"name":1}"#, "name"),
            (r#"{"name":"a","n":10}"#, "n"),
            (r#"{"name":"a","n":-1}"#, "n"),
            (r#"{"name":"a","n":1e400}"#, "body"),
            (r#"{"name":"a","n":1.5}"#, "n"),
            (r#"{"name":"a","hints":"all"}"#, "hints"),
            (r#"{"name":"a","moves":[1]}"#, "moves"),
            (r#"{"name":"a","moves":["1","2","3"]}"#, "moves"),
            (r#"{"name":"a","yes":1}"#, "yes"),
            (r#"{"name":"a","other":1}"#, "other"),
        ] {
            assert_eq!(field(body).unwrap_err().field, named, "{body}");
        }
    }
}
