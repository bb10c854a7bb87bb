//! The one table of the API: the router and its description are both made from it.

use crate::ask::{Ask, query};
use crate::fault::Fault;
use crate::reply::{self, Reply};
use crate::{Server, assets, eval, games, jobs, openapi, play, position};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::RawPathParams;
use axum::http::{HeaderMap, HeaderValue, Method, Request};
use axum::routing::{MethodFilter, MethodRouter};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use yomikiri_core::{Refusal, Text, text};
use yomikiri_games::Entry as Game;
use yomikiri_papers::{Effort, Papers};

/// The largest body that is read, in bytes.
pub const LARGEST_BODY: usize = 1 << 20;
/// What is read of larger ones, so that the client hears why they are refused.
const DRAINED: usize = 64 << 20;

/// The future of an answer.
pub type Answering = Pin<Box<dyn Future<Output = Result<Reply, Fault>> + Send>>;

/// What follows `?`.
pub struct Entry {
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
    pub query: &'static [Entry],
    /// What may be sent.
    pub sent: &'static [Sent],
    /// What comes back, errors aside.
    pub back: &'static [Back],
    /// What answers.
    pub answer: fn(Arc<Server>, Ask) -> Answering,
}

const POSITION: Entry = Entry {
    name: "position",
    help: "a position in the game's notation; the start if there is none",
    schema: r#"{"type":"string"}"#,
};
const VIEWER: Entry = Entry {
    name: "viewer",
    help: "who looks: a seat, or all for what everybody knows",
    schema: r#"{"enum":["all","0","1","2"]}"#,
};
const WAIT: Entry = Entry {
    name: "wait",
    help: "milliseconds to wait for news: another state, or another part of the result",
    schema: r#"{"type":"integer","minimum":0,"maximum":10000}"#,
};
const SEEN: Entry = Entry {
    name: "seen",
    help: "`news` of the job as it was last seen: what has changed since is told at once",
    schema: r#"{"type":"integer","minimum":0}"#,
};
const EXACT: Entry = Entry {
    name: "exact",
    help: "1: exact fractions where the game has them",
    schema: r#"{"enum":["0","1"]}"#,
};
const LANG: Entry =
    Entry { name: "lang", help: "the language of error lines", schema: r#"{"enum":["en","ja"]}"# };

const fn back(status: u16, schema: &'static str, help: &'static str) -> Back {
    Back { status, kind: reply::JSON, schema, help }
}

const LATER: Back =
    back(202, "Job", "it takes longer: ask for the job until it is done, then `result` is the answer");

/// The API.
pub static ROUTES: &[Route] = &[
    Route {
        method: "GET",
        path: "/api/games",
        id: "games",
        summary: "The games, with everything a page needs to show any of them",
        settings: false,
        query: &[],
        sent: &[],
        back: &[back(200, "Games", "the games")],
        answer: |s, a| Box::pin(games::list(s, a)),
    },
    Route {
        method: "GET",
        path: "/api/headline/{game}",
        id: "headline",
        summary: "One number and a small picture of a game",
        settings: false,
        query: &[],
        sent: &[],
        back: &[back(200, "Headline", "the headline"), LATER],
        answer: |s, a| Box::pin(position::headline(s, a)),
    },
    Route {
        method: "GET",
        path: "/api/scene/{game}",
        id: "scene",
        summary: "A position as a picture, with every move and its value",
        settings: true,
        query: &[POSITION, VIEWER],
        sent: &[],
        back: &[back(200, "Scene", "the scene"), LATER],
        answer: |s, a| Box::pin(position::scene(s, a)),
    },
    Route {
        method: "GET",
        path: "/api/show/{game}",
        id: "show",
        summary: "The value of a position and of every move: what `yomikiri show --json` prints",
        settings: true,
        query: &[POSITION],
        sent: &[],
        back: &[back(200, "Shown", "the values"), LATER],
        answer: |s, a| Box::pin(position::show(s, a)),
    },
    Route {
        method: "GET",
        path: "/api/edit/{game}",
        id: "edit",
        summary: "A position to be changed by hand: each move is a change, its id the notation of the position after it",
        settings: true,
        query: &[POSITION],
        sent: &[],
        back: &[back(200, "Scene", "the scene"), LATER],
        answer: |s, a| Box::pin(position::edit(s, a)),
    },
    Route {
        method: "POST",
        path: "/api/eval/{game}",
        id: "eval",
        summary: "Answers one JSON object, or lines of them, as `yomikiri eval` does",
        settings: false,
        query: &[EXACT, LANG],
        sent: &[
            Sent {
                kind: reply::JSON,
                schema: "Question",
                examples: |game, _| {
                    vec![("one", serde_json::from_str(game.about().question).unwrap_or_default())]
                },
            },
            Sent {
                kind: reply::LINES,
                schema: "",
                examples: |game, _| vec![("lines", format!("{}\n\n", game.about().question).into())],
            },
        ],
        back: &[
            back(200, "Answered", "the answer"),
            Back {
                status: 200,
                kind: reply::LINES,
                schema: "",
                help: "a line for each, with an `error` where it was refused",
            },
            LATER,
        ],
        answer: |s, a| Box::pin(eval::eval(s, a)),
    },
    Route {
        method: "POST",
        path: "/api/play/{game}",
        id: "play",
        summary: "A game at the table: the moves so far in, the table out",
        settings: false,
        query: &[],
        sent: &[Sent {
            kind: reply::JSON,
            schema: "Play",
            examples: |_, _| {
                let play = |hints: &str, moves: &[&str]| json!({"settings": {}, "seed": 7, "moves": moves, "hints": hints, "machine": false});
                vec![
                    ("start", play("none", &[])),
                    ("machine", play("all", &["*"])),
                    ("best", play("best", &["*", "*"])),
                ]
            },
        }],
        back: &[back(200, "Table", "the table"), LATER],
        answer: |s, a| Box::pin(play::play(s, a)),
    },
    Route {
        method: "GET",
        path: "/api/jobs",
        id: "jobs",
        summary: "Studies and reproductions, the oldest first",
        settings: false,
        query: &[],
        sent: &[],
        back: &[back(200, "Jobs", "the jobs, without results")],
        answer: |s, a| Box::pin(jobs::list(s, a)),
    },
    Route {
        method: "POST",
        path: "/api/jobs",
        id: "start",
        summary: "Starts a study or a reproduction, or finds the same one",
        settings: false,
        query: &[],
        sent: &[Sent {
            kind: reply::JSON,
            schema: "Wish",
            examples: |game, papers| {
                let id = game.about().id;
                let mut all = Vec::new();
                all.extend(papers.of(id).map(|paper| {
                    let parts = (paper.reproduction)(Effort::Quick).parts();
                    let parts = parts.iter().take(1).map(|part| part.id).collect::<Vec<_>>();
                    ("reproduce", json!({"kind": "reproduce", "game": id, "parts": parts}))
                }));
                all.extend(papers.studies(id).last().map(|study| {
                    (
                        "study",
                        json!({"kind": "study", "game": id, "study": study.name, "settings": {}, "seed": 1}),
                    )
                }));
                all
            },
        }],
        back: &[back(201, "Job", "it has been started"), back(200, "Job", "the same is there already")],
        answer: |s, a| Box::pin(jobs::start(s, a)),
    },
    Route {
        method: "GET",
        path: "/api/jobs/{id}",
        id: "job",
        summary: "A job, with its result as far as it is there",
        settings: false,
        query: &[WAIT, SEEN],
        sent: &[],
        back: &[back(200, "Job", "the job")],
        answer: |s, a| Box::pin(jobs::show(s, a)),
    },
    Route {
        method: "DELETE",
        path: "/api/jobs/{id}",
        id: "stop",
        summary: "Stops a job and keeps what it has; forgets one that is over",
        settings: false,
        query: &[],
        sent: &[],
        back: &[back(200, "Job", "the job as it was left")],
        answer: |s, a| Box::pin(jobs::stop(s, a)),
    },
    Route {
        method: "POST",
        path: "/api/jobs/{id}/resume",
        id: "resume",
        summary: "Takes a stopped study or reproduction up where it was",
        settings: false,
        query: &[],
        sent: &[],
        back: &[back(200, "Job", "it goes on")],
        answer: |s, a| Box::pin(jobs::resume(s, a)),
    },
    Route {
        method: "GET",
        path: "/api/jobs/{id}/rows.csv",
        id: "rows",
        summary: "The rows of a study, as far as they are there",
        settings: false,
        query: &[],
        sent: &[],
        back: &[Back { status: 200, kind: reply::CSV, schema: "", help: "the rows" }],
        answer: |s, a| Box::pin(jobs::rows(s, a)),
    },
    Route {
        method: "GET",
        path: "/api/jobs/{id}/tables/{file}",
        id: "table",
        summary: "A table or chart of a result as CSV; reports say where",
        settings: false,
        query: &[],
        sent: &[],
        back: &[Back { status: 200, kind: reply::CSV, schema: "", help: "the table" }],
        answer: |s, a| Box::pin(jobs::table(s, a)),
    },
    Route {
        method: "GET",
        path: "/api/openapi.json",
        id: "openapi",
        summary: "This description",
        settings: false,
        query: &[],
        sent: &[],
        back: &[back(200, "", "an OpenAPI 3.1 description")],
        answer: |s, a| Box::pin(openapi::describe(s, a)),
    },
];

/// The router of the table, with the page beside it.
pub fn router(server: Arc<Server>) -> Router {
    let mut router = Router::new();
    let mut paths: Vec<&'static str> = ROUTES.iter().map(|route| route.path).collect();
    paths.dedup();
    for path in paths {
        let mut methods = MethodRouter::new();
        let mut allowed = Vec::new();
        for route in ROUTES.iter().filter(|route| route.path == path) {
            let filter = match route.method {
                "GET" => MethodFilter::GET,
                "DELETE" => MethodFilter::DELETE,
                _ => MethodFilter::POST,
            };
            allowed.push(route.method);
            if route.method == "GET" {
                allowed.push("HEAD");
            }
            let server = Arc::clone(&server);
            methods =
                methods.on(filter, move |params: RawPathParams, request: Request<Body>| {
                    let server = Arc::clone(&server);
                    async move {
                        answer(server, route, &params, request).await.unwrap_or_else(|fault| fault.reply())
                    }
                });
        }
        let allowed = allowed.join(", ");
        router = router.route(path, methods.fallback(move || std::future::ready(wrong_method(&allowed))));
    }
    let only_get = |methods: MethodRouter| methods.fallback(|| std::future::ready(wrong_method("GET, HEAD")));
    for page in assets::PAGES {
        let server = Arc::clone(&server);
        let shell = move |headers: HeaderMap| std::future::ready(server.assets.shell(&headers));
        router = router.route(page, only_get(MethodRouter::new().on(MethodFilter::GET, shell)));
    }
    let asset = move |params: RawPathParams, headers: HeaderMap| {
        let name = params.iter().next().map_or("", |(_, value)| value);
        std::future::ready(server.assets.asset(name, &headers).unwrap_or_else(assets::nowhere))
    };
    let router = router.route("/assets/{file}", only_get(MethodRouter::new().on(MethodFilter::GET, asset)));
    router.fallback(|request: Request<Body>| {
        let path = request.uri().path();
        let program = path == "/api" || path.starts_with("/api/");
        std::future::ready(if program { Fault::nothing().reply() } else { assets::nowhere() })
    })
}

fn wrong_method(allowed: &str) -> Reply {
    let words = text("this address does not take that method", "このアドレスではその方法は使えません");
    let mut reply = Fault::new(405, "method", words).reply();
    if let Ok(value) = HeaderValue::from_str(allowed) {
        reply.headers_mut().insert("allow", value);
    }
    reply
}

/// Reads a request and answers it.
async fn answer(
    server: Arc<Server>,
    route: &'static Route,
    params: &RawPathParams,
    request: Request<Body>,
) -> Result<Reply, Fault> {
    let raw = request.uri().query().unwrap_or("").to_owned();
    let mut ask = Ask {
        path: params.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        query: query(&raw)?,
        raw,
        ..Ask::default()
    };
    if request.method() == Method::POST {
        let kind = request.headers().get("content-type").and_then(|v| v.to_str().ok()).unwrap_or("");
        ask.kind = kind.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
        // Read first: a refusal that nobody hears helps nobody.
        ask.body = body(request.into_body(), server.config.limits.sending).await?;
        if !route.sent.is_empty() && !route.sent.iter().any(|sent| sent.kind == ask.kind) {
            let kinds: Vec<&str> = route.sent.iter().map(|sent| sent.kind).collect();
            let refusal =
                Refusal::new("content-type", format!("\"{}\"", ask.kind), Text::same(kinds.join(", ")));
            return Err(Fault { status: 415, code: "type", ..Fault::from(refusal) });
        }
    }
    (route.answer)(server, ask).await
}

/// The body of a request; one that is too large is read to its end, within reason, and refused.
async fn body(mut body: Body, most: Duration) -> Result<Bytes, Fault> {
    let mut held = Vec::new();
    let mut size = 0usize;
    let read = timeout(most, async {
        while let Some(frame) = body.frame().await {
            let Ok(frame) = frame else { return false };
            if let Ok(data) = frame.into_data() {
                size += data.len();
                if size <= LARGEST_BODY {
                    held.extend_from_slice(&data);
                } else {
                    held = Vec::new();
                }
                if size > DRAINED {
                    return true;
                }
            }
        }
        true
    })
    .await;
    match read {
        Err(_) => Err(Fault::new(
            408,
            "slow",
            Text::of(
                format!("the body did not arrive within {} s", most.as_secs()),
                format!("本文が {} 秒以内に届きませんでした", most.as_secs()),
            ),
        )),
        Ok(false) => Err(Fault::new(400, "broken", text("the body broke off", "本文が途中で切れました"))),
        Ok(true) if size > LARGEST_BODY => Err(Fault::new(
            413,
            "size",
            Text::of(
                format!("the body is larger than {LARGEST_BODY} bytes"),
                format!("本文が {LARGEST_BODY} バイトを超えています"),
            ),
        )),
        Ok(true) => Ok(held.into()),
    }
}
