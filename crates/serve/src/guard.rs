//! Who may ask, and how: the checks before a request is looked at, and the headers of every answer.

use crate::reply::Reply;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, Request};
use std::net::IpAddr;
use yomikiri_api::Fault;
use yomikiri_core::{Refusal, Text, text};

/// The longest address that is read, path and query.
pub const LONGEST_ADDRESS: usize = 16 << 10;
/// The most that headers may take together.
pub const LONGEST_HEADERS: usize = 32 << 10;

/// The policy of the page: everything from here, nothing inline, framed by nobody.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("x-frame-options", "DENY"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// Adds what every answer carries.
pub fn protect(reply: &mut Reply) {
    let headers = reply.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry("cache-control").or_insert(HeaderValue::from_static("no-store"));
}

fn one<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, Refusal> {
    let refuse = |got: Text| Refusal::of(name, got, text("the header once, as text", "ヘッダは1つ、文字で"));
    let mut all = headers.get_all(name).iter();
    let first = all.next();
    if all.next().is_some() {
        return Err(refuse(text("the header twice", "重複したヘッダ")));
    }
    match first.map(|value| value.to_str()) {
        None => Ok(None),
        Some(Ok(value)) => Ok(Some(value)),
        Some(Err(_)) => Err(refuse(text("bytes that are no text", "文字でないバイト列"))),
    }
}

/// Whether a host by this name is us: this machine by its usual name, the address that was connected to, or what the
/// server was asked to listen as. Other names may be anybody's, also if they lead here.
fn ours(host: &str, asked: &str, local: IpAddr) -> bool {
    let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
    if bare.eq_ignore_ascii_case("localhost") || bare.eq_ignore_ascii_case(asked) {
        return true;
    }
    match bare.parse::<IpAddr>() {
        Ok(address) => address == local || address.is_loopback() && local.is_loopback(),
        Err(_) => false,
    }
}

/// Refuses requests that did not come from a person's own hand or from our page: other hosts' names (DNS rebinding),
/// other sites' scripts and forms; and those that are too long.
pub fn check<B>(request: &Request<B>, asked: &str, local: IpAddr) -> Result<(), Fault> {
    let (uri, headers) = (request.uri(), request.headers());
    if uri.path_and_query().is_some_and(|p| p.as_str().len() > LONGEST_ADDRESS) {
        let message = Text::of(
            format!("the address is longer than {LONGEST_ADDRESS} bytes"),
            format!("アドレスが {LONGEST_ADDRESS} バイトを超えています"),
        );
        return Err(Fault::new(414, "address", message));
    }
    let size: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    if size > LONGEST_HEADERS {
        let message = Text::of(
            format!("the headers are longer than {LONGEST_HEADERS} bytes"),
            format!("ヘッダが {LONGEST_HEADERS} バイトを超えています"),
        );
        return Err(Fault::new(431, "headers", message));
    }
    let host = one(headers, "host")?
        .ok_or_else(|| Refusal::of("host", text("no header", "なし"), text("the host's name", "ホスト名")))?;
    let elsewhere = |host: &str| {
        let mut names = vec!["localhost".to_owned(), local.to_string(), asked.to_owned()];
        names.dedup();
        let accepts = Text::same(names.join(", "));
        Fault { status: 421, code: "host", ..Fault::from(Refusal::new("host", host, accepts)) }
    };
    let authority: Authority = host.parse().map_err(|_| elsewhere(host))?;
    if host.contains('@') || !ours(authority.host(), asked, local) {
        return Err(elsewhere(host));
    }
    if let Some(other) = uri.authority()
        && other != &authority
    {
        return Err(elsewhere(other.as_str()));
    }
    let foreign = |field: &str, got: &str| {
        let accepts = text("requests of this page itself", "このページ自身からの要求");
        Fault { status: 403, code: "origin", ..Fault::from(Refusal::new(field, got, accepts)) }
    };
    if let Some(origin) = one(headers, "origin")? {
        let same = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if same.is_none_or(|same| !same.eq_ignore_ascii_case(host)) {
            return Err(foreign("origin", origin));
        }
    }
    if let Some(site) = one(headers, "sec-fetch-site")?
        && !matches!(site, "same-origin" | "none")
    {
        // A link from elsewhere to the page itself is fine; what it shows is asked for by the page.
        let link = request.method() == Method::GET
            && one(headers, "sec-fetch-mode")? == Some("navigate")
            && one(headers, "sec-fetch-dest")? == Some("document")
            && !uri.path().starts_with("/api");
        if !link {
            return Err(foreign("sec-fetch-site", site));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(lines: &[(&str, &str)], target: &str, method: &str) -> u16 {
        let mut request = Request::builder().method(method).uri(target);
        for (name, value) in lines {
            request = request.header(*name, *value);
        }
        let local = IpAddr::from([127, 0, 0, 1]);
        check(&request.body(()).unwrap(), "games.example", local).map_or_else(|f| f.status, |()| 200)
    }

    #[test]
    fn law_only_our_own_names_are_answered() {
        for host in ["localhost", "LOCALHOST:8066", "127.0.0.1:1", "[::1]:8066", "games.example:8066"] {
            assert_eq!(status(&[("host", host)], "/", "GET"), 200, "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:8066",
            "localhost.evil.example",
            "127.0.0.1.nip.io",
            "10.0.0.1",
            "localhost@evil.example",
            "evil.example@localhost",
            "games.example.",
            "",
            "a b",
        ] {
            assert_eq!(status(&[("host", host)], "/", "GET"), 421, "{host}");
        }
        assert_eq!(status(&[], "/", "GET"), 400);
        assert_eq!(status(&[("host", "localhost"), ("host", "localhost")], "/", "GET"), 400);
        assert_eq!(status(&[("host", "localhost")], "http://evil.example/", "GET"), 421);
        assert_eq!(status(&[("host", "localhost")], "http://localhost/", "GET"), 200);
    }

    #[test]
    fn law_other_sites_are_refused_but_for_links() {
        let with = |name, value, target, method| {
            status(&[("host", "localhost:8066"), (name, value)], target, method)
        };
        assert_eq!(with("origin", "http://localhost:8066", "/api/x", "POST"), 200);
        for origin in ["http://localhost:8067", "http://evil.example", "null", "localhost:8066", "file://"] {
            assert_eq!(with("origin", origin, "/api/x", "POST"), 403, "{origin}");
        }
        for site in ["cross-site", "same-site", "else"] {
            assert_eq!(with("sec-fetch-site", site, "/api/games", "GET"), 403);
            assert_eq!(with("sec-fetch-site", site, "/assets/main.js", "GET"), 403);
        }
        for site in ["same-origin", "none"] {
            assert_eq!(with("sec-fetch-site", site, "/api/games", "GET"), 200);
        }
        let link = |target, method| {
            let lines = [
                ("host", "localhost:8066"),
                ("sec-fetch-site", "cross-site"),
                ("sec-fetch-mode", "navigate"),
                ("sec-fetch-dest", "document"),
            ];
            status(&lines, target, method)
        };
        assert_eq!((link("/board?game=memory", "GET"), link("/api/games", "GET")), (200, 403));
        assert_eq!(link("/", "POST"), 403);
    }

    #[test]
    fn law_long_requests_are_refused() {
        let long = format!("/?{}", "a".repeat(LONGEST_ADDRESS));
        assert_eq!(status(&[("host", "localhost")], &long, "GET"), 414);
        let many = "a".repeat(LONGEST_HEADERS);
        assert_eq!(status(&[("host", "localhost"), ("x", &many)], "/", "GET"), 431);
    }
}
