//! Addresses: the question that a method, a path and a query stand for.

use crate::fault::Fault;
use crate::request::Request;
use crate::route::{self, Route};
use crate::routes::ROUTES;
use yomikiri_core::{Refusal, text};

impl Request {
    /// The question with a parameter.
    pub fn with(mut self, name: &str, value: &str) -> Request {
        let route = ROUTES.iter().find(|route| route.id == self.route);
        let named = route.is_some_and(|route| route::names(route.path).any(|part| part == name));
        let to = if named { &mut self.path } else { &mut self.query };
        to.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The question that a method and an address stand for: its path, and what follows `?`.
    ///
    /// # Errors
    /// There is no such address, it takes other methods, or something in it cannot be read.
    pub fn url(method: &str, path: &str, raw: &str) -> Result<Request, Fault> {
        let at = |route: &&Route| route::parts(route.path, path).is_some();
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
            for (name, part) in route::parts(route.path, path).unwrap_or_default() {
                request
                    .path
                    .push((name.to_owned(), decoded(part, false).ok_or_else(|| undecoded(name, part))?));
            }
            request.query = query(raw)?;
            return Ok(request);
        }
        Err(if methods.is_empty() { Fault::nothing() } else { Fault::method(methods) })
    }
}

/// Splits a query and decodes it: `+` is a space, `%41` a byte. Names may not be there twice.
fn query(raw: &str) -> Result<Vec<(String, String)>, Refusal> {
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
}
