//! Requests, and reading what they ask for: queries, settings and bodies, with refusals that name the field.

use crate::answer::JSON;
use crate::fault::Fault;
use crate::routes::{self, ROUTES};
use serde_json::{Map, Value};
use yomikiri_core::{Refusal, Text, text};
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

    /// The question with a parameter.
    pub fn with(mut self, name: &str, value: &str) -> Request {
        let route = ROUTES.iter().find(|route| route.id == self.route);
        let named = route.is_some_and(|route| routes::names(route.path).any(|part| part == name));
        let to = if named { &mut self.path } else { &mut self.query };
        to.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The question with JSON to go with it.
    pub fn json(mut self, body: &Value) -> Request {
        self.kind = JSON.to_owned();
        self.body = body.to_string().into_bytes();
        self
    }

    /// The question that a method and an address stand for: its path, and what follows `?`.
    ///
    /// # Errors
    /// There is no such address, it takes other methods, or something in it cannot be read.
    pub fn url(method: &str, path: &str, raw: &str) -> Result<Request, Fault> {
        let at = |route: &&routes::Route| routes::parts(route.path, path).is_some();
        let mut methods = Vec::new();
        for route in ROUTES.iter().filter(at) {
            methods.push(route.method);
            if route.method == "GET" {
                methods.push("HEAD");
            }
            // The head of an answer is that of the whole.
            if route.method != method && !(route.method == "GET" && method == "HEAD") {
                continue;
            }
            let mut request = Request::new(route.id);
            for (name, part) in routes::parts(route.path, path).unwrap_or_default() {
                request
                    .path
                    .push((name.to_owned(), decoded(part, false).ok_or_else(|| undecoded(name, part))?));
            }
            request.query = query(raw)?;
            return Ok(request);
        }
        Err(if methods.is_empty() { Fault::nothing() } else { Fault::method(methods) })
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

/// Splits a query and decodes it: `+` is a space, `%41` a byte. Names may not be there twice.
pub fn query(raw: &str) -> Result<Vec<(String, String)>, Refusal> {
    let mut all: Vec<(String, String)> = Vec::new();
    for pair in raw.split('&').filter(|p| !p.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let read = |part: &str| decoded(part, true).ok_or_else(|| undecoded("query", part));
        let (name, value) = (read(name)?, read(value)?);
        if all.iter().any(|q| q.0 == name) {
            let accepts = text("each parameter once", "各パラメータは1回だけ");
            return Err(Refusal::of(name, text("the parameter twice", "重複したパラメータ"), accepts));
        }
        all.push((name, value));
    }
    Ok(all)
}

fn undecoded(field: &str, part: &str) -> Refusal {
    Refusal::new(field, part, text("percent-encoded UTF-8", "パーセント符号化した UTF-8"))
}

/// A part of an address without its percents, and with spaces for `+` if it is of a query.
fn decoded(part: &str, spaces: bool) -> Option<String> {
    let mut out = Vec::with_capacity(part.len());
    let mut bytes = part.bytes();
    while let Some(b) = bytes.next() {
        out.push(match b {
            b'+' if spaces => b' ',
            b'%' => {
                let mut digit = || char::from(bytes.next()?).to_digit(16);
                (digit()? * 16 + digit()?) as u8
            }
            other => other,
        });
    }
    String::from_utf8(out).ok()
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
    fn law_queries_are_decoded_and_broken_ones_refused() {
        let all = query("a=1&b=%E3%81%82+x&c&&d=%2B").unwrap();
        let all: Vec<(&str, &str)> = all.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(all, [("a", "1"), ("b", "あ x"), ("c", ""), ("d", "+")]);
        for bad in ["a=%", "a=%4", "a=%zz", "%ff=1", "a=1&a=2", "a=%+1"] {
            assert!(query(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn law_an_address_stands_for_a_route_and_its_parameters() {
        let url = |method: &str, path: &str, raw: &str| Request::url(method, path, raw).map_err(|f| f.status);
        let show = Request::new("show").with("position", "31,20,11").with("game", "memory");
        assert_eq!(url("GET", "/api/show/memory", "position=31%2C20,11"), Ok(show.clone()));
        assert_eq!(url("HEAD", "/api/show/memory", "position=31,20,11"), Ok(show));
        let stop = Request::new("stop").with("id", "a+b c");
        assert_eq!(url("DELETE", "/api/jobs/a+b%20c", ""), Ok(stop));
        let table = Request::new("table").with("id", "7").with("file", "1.csv");
        assert_eq!(url("GET", "/api/jobs/7/tables/1.csv", ""), Ok(table));
        for (method, path, raw, status) in [
            ("GET", "/api", "", 404),
            ("GET", "/api/", "", 404),
            ("GET", "/api/games/", "", 404),
            ("GET", "/api//games", "", 404),
            ("GET", "/api/show/", "", 404),
            ("GET", "/", "", 404),
            ("GET", "/api/show/%ff", "", 400),
            ("GET", "/api/show/memory", "a=1&a=2", 400),
            ("get", "/api/show/memory", "", 405),
            ("PUT", "/api/jobs/7", "", 405),
        ] {
            assert_eq!(url(method, path, raw), Err(status), "{method} {path} {raw}");
        }
        assert_eq!(Request::url("PUT", "/api/jobs/7", "").unwrap_err().methods, ["GET", "HEAD", "DELETE"]);
    }

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
