//! Who may ask a server that others can reach: those who know its token, and nobody too often.

use axum::http::{HeaderMap, HeaderValue};
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use yomikiri_api::Fault;
use yomikiri_core::{Refusal, text};

/// The cookie in which the page keeps the token, so that links to files carry it, too.
const COOKIE: &str = "yomikiri-token";
/// How long a token may be.
const LENGTH: std::ops::RangeInclusive<usize> = 16..=128;

/// Whether a word can be a token: long enough to be no guess, and plain in addresses, headers and cookies.
pub fn usable(token: &str) -> bool {
    LENGTH.contains(&token.len())
        && token.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// A token that nobody can guess: the system's own random numbers, spread over 128 bits.
pub fn random() -> String {
    let number = |n: u64| {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u64(n);
        hasher.finish()
    };
    format!("{:016x}{:016x}", number(0), number(1))
}

/// Whether two words are the same; how long that takes does not tell where they differ.
fn same(a: &str, b: &str) -> bool {
    blake3::hash(a.as_bytes()) == blake3::hash(b.as_bytes())
}

/// What a request gives as the token: as a bearer, or in the page's cookie.
fn given(headers: &HeaderMap) -> Option<&str> {
    fn read(value: &HeaderValue) -> Option<&str> {
        value.to_str().ok()
    }
    let bearer = headers.get("authorization").and_then(read).and_then(|value| value.strip_prefix("Bearer "));
    bearer.or_else(|| {
        let cookies = headers.get_all("cookie").iter().filter_map(read).flat_map(|value| value.split(';'));
        cookies
            .filter_map(|cookie| cookie.trim().split_once('='))
            .find(|(name, _)| *name == COOKIE)
            .map(|c| c.1)
    })
}

/// Refuses requests for the API without the token, if there is one.
///
/// # Errors
/// The refusal, which says where the token is found.
pub fn check(token: Option<&str>, path: &str, headers: &HeaderMap) -> Result<(), Fault> {
    let Some(token) = token.filter(|_| path == "/api" || path.starts_with("/api/")) else { return Ok(()) };
    let given = given(headers);
    if given.is_some_and(|given| same(given, token)) {
        return Ok(());
    }
    let accepts = text(
        "the token that the server printed when it was started, as Authorization: Bearer TOKEN; the page takes it from the address that was printed",
        "サーバの起動時に表示されたトークン（Authorization: Bearer TOKEN）。ページは表示されたアドレスから開いてください",
    );
    let got =
        if given.is_some() { text("another token", "別のトークン") } else { text("none", "なし") };
    Err(Fault { status: 401, code: "token", ..Refusal::of("token", got, accepts).into() })
}

/// How often a client may ask.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// Requests at once.
    pub burst: f64,
    /// Requests a second in the long run.
    pub steady: f64,
}

/// What a token that is wrong costs, in requests.
const WRONG: f64 = 20.0;
/// Clients that are remembered; beyond it, those that have asked least lately are forgotten.
const CLIENTS: usize = 4096;

/// Counts the requests of every client.
pub struct Meter {
    rate: Rate,
    clients: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

impl Meter {
    /// A meter at which nobody has asked yet.
    pub fn new(rate: Rate) -> Meter {
        Meter { rate, clients: Mutex::default() }
    }

    /// Takes what a request costs from what a client has left.
    fn take(&self, client: IpAddr, cost: f64) -> Result<(), f64> {
        let Rate { burst, steady } = self.rate;
        let now = Instant::now();
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() >= CLIENTS && !clients.contains_key(&client) {
            // Whoever has as much left as a stranger need not be remembered.
            clients.retain(|_, (left, seen)| *left + seen.elapsed().as_secs_f64() * steady < burst);
            if clients.len() >= CLIENTS {
                clients.clear();
            }
        }
        let (left, seen) = clients.entry(client).or_insert((burst, now));
        *left = (*left + now.duration_since(*seen).as_secs_f64() * steady).min(burst);
        *seen = now;
        if *left < cost {
            return Err((cost - *left) / steady);
        }
        *left -= cost;
        Ok(())
    }

    /// Counts a request.
    ///
    /// # Errors
    /// It came too soon; the refusal says when it may be tried again.
    pub fn count(&self, client: IpAddr) -> Result<(), Fault> {
        self.take(client, 1.0).map_err(|seconds| Fault {
            retry: Some(seconds.ceil() as u64),
            ..Fault::new(
                429,
                "rate",
                text(
                    "too many requests from this address; try again soon",
                    "このアドレスからの要求が多すぎます。しばらくしてからもう一度どうぞ",
                ),
            )
        })
    }

    /// Counts a token that was wrong.
    pub fn wrong(&self, client: IpAddr) {
        // Whoever has little left has nothing then.
        if self.take(client, WRONG - 1.0).is_err() {
            let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
            clients.insert(client, (0.0, Instant::now()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(token: Option<&str>, path: &str, lines: &[(&'static str, &str)]) -> u16 {
        let mut headers = HeaderMap::new();
        lines.iter().for_each(|(name, value)| {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        });
        check(token, path, &headers).map_or_else(|fault| fault.status, |()| 200)
    }

    #[test]
    fn law_the_api_answers_only_those_who_know_the_token() {
        let token = random();
        assert!(usable(&token) && token != random());
        let asked = |path: &str, lines: &[(&'static str, &str)]| status(Some(&token), path, lines);
        let bearer = format!("Bearer {token}");
        let cookie = format!("a=b; {COOKIE}={token}; c=d");
        assert_eq!(asked("/api/games", &[("authorization", &bearer)]), 200);
        assert_eq!(asked("/api/games", &[("cookie", &cookie)]), 200);
        for path in ["/", "/board", "/assets/main.js", "/apis"] {
            assert_eq!(asked(path, &[]), 200, "{path}: there is nothing secret in it");
        }
        for path in ["/api", "/api/games", "/api/openapi.json", "/api/none"] {
            for lines in [
                &[][..],
                &[("authorization", "Bearer ")],
                &[("authorization", &token)],
                &[("authorization", &format!("bearer {token}x"))],
                &[("authorization", &format!("Bearer {}", &token[1..]))],
                &[("cookie", &format!("x{COOKIE}={token}"))],
                &[("cookie", &format!("{COOKIE}={token}x"))],
            ] {
                assert_eq!(asked(path, lines), 401, "{path} {lines:?}");
            }
        }
        assert_eq!(status(None, "/api/games", &[]), 200);
        for bad in ["", "short", "has a space in it", "semi;colon;semi;colon", &"x".repeat(200)] {
            assert!(!usable(bad), "{bad}");
        }
    }

    #[test]
    fn law_nobody_asks_too_often_and_guessing_costs_more() {
        let (a, b) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        let meter = Meter::new(Rate { burst: 30.0, steady: 0.001 });
        let many = |client| (0..100).take_while(|_| meter.count(client).is_ok()).count();
        assert_eq!(many(a), 30);
        let fault = meter.count(a).unwrap_err();
        assert!(fault.status == 429 && fault.retry.is_some_and(|seconds| seconds > 0));
        meter.wrong(b);
        assert_eq!(many(b), 11);
        meter.wrong(b);
        assert_eq!(many(b), 0);
        // However many there are, no more than so many are remembered.
        for n in 0..3 * CLIENTS as u32 {
            assert!(meter.count(IpAddr::from(n.to_be_bytes())).is_ok());
        }
        assert!(meter.clients.lock().unwrap().len() <= CLIENTS);
    }
}
