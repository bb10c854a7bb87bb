//! Questions to the API, one after another: games that are played, moved back and looked at, jobs that are started and
//! stopped, addresses and bodies that make no sense.

use crate::Target;
use crate::input::{Input, ODD, object, text};
use serde_json::{Value, json};
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};
use yomikiri_api::{Api, Config, Host, JSON, LINES, Limits, Reply, Request};
use yomikiri_papers::PAPERS;
use yomikiri_shelf::GAMES;

/// The target.
pub const TARGET: Target = Target {
    name: "api",
    about: "requests one after another, a running game among them: no status 500, JSON that is JSON, errors in both languages, 400 with a field; everything stops when asked",
    run,
    seeds,
};

/// Requests of one input.
const MOST: usize = 8;
/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_millis(40);
/// How long stopping may take.
const STOPPING: Duration = Duration::from_secs(10);

/// A host with threads.
struct Threads(Instant);

impl Host for Threads {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        std::thread::spawn(work);
    }
}

static API: LazyLock<Arc<Api>> = LazyLock::new(|| {
    let limits = Limits { moment: PATIENCE, ..Limits::of(1, 1) };
    let config = Config { limits, ..Config::new(GAMES, PAPERS, 1, 256 << 20) };
    Api::new(config, Arc::new(Threads(Instant::now())))
});

/// Wakes the thread that waits.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// The answer to a request, after a little patience.
fn asked(request: Request) -> (u16, Value) {
    let shown = format!("{request:?}");
    let answer = match API.ask(request) {
        Reply::Now(answer) => answer,
        Reply::Wait(wait) => {
            let mut news = pin!(wait.news());
            let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
            let until = Instant::now() + wait.most().min(PATIENCE);
            while news.as_mut().poll(&mut Context::from_waker(&waker)) == Poll::Pending {
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    break;
                }
                std::thread::park_timeout(left);
            }
            wait.answer()
        }
    };
    let (status, kind) = (answer.status, answer.kind);
    assert!(status != 500, "{shown}: {}", String::from_utf8_lossy(&answer.bytes().unwrap_or_default()));
    let bytes = match answer.bytes() {
        Ok(bytes) => bytes,
        // Rows of a job that was stopped break off.
        Err(_) => return (status, Value::Null),
    };
    if kind != JSON {
        assert!(std::str::from_utf8(&bytes).is_ok(), "{shown}");
        return (status, Value::Null);
    }
    let value: Value = serde_json::from_slice(&bytes).unwrap_or_else(|e| panic!("{shown}: {e}"));
    if status >= 400 {
        let error = &value["error"];
        for lang in ["en", "ja"] {
            assert!(
                error["message"][lang].as_str().is_some_and(|words| !words.is_empty()),
                "{shown}: {value}"
            );
        }
        assert!(error["code"].is_string(), "{shown}: {value}");
        if status == 400 {
            assert!(error["field"].as_str().is_some_and(|field| !field.is_empty()), "{shown}: {value}");
        }
    }
    (status, value)
}

/// A game at the table, as the page has it.
struct Sitting {
    body: Value,
    moves: Vec<String>,
    /// The moves that can be made now.
    open: Vec<String>,
}

fn run(bytes: &[u8]) {
    let mut input = Input(bytes);
    let game = *input.pick(GAMES);
    let id = game.about().id;
    let settings = input.settings(game.params());
    let mut sitting = Sitting {
        body: json!({"settings": object(&settings), "seed": input.byte()}),
        moves: Vec::new(),
        open: Vec::new(),
    };
    let mut job = "0".to_owned();
    for _ in 0..MOST {
        if input.ended() {
            break;
        }
        let (how, more) = (input.byte(), input.byte());
        let request = match how % 16 {
            0..=6 => {
                let request = play(&mut sitting, how % 16, more, &mut input);
                let (status, table) = asked(request.with("game", id));
                if status == 200 {
                    let open = table["scene"]["moves"].as_array().into_iter().flatten();
                    sitting.open = open.filter_map(|m| m["id"].as_str().map(str::to_owned)).collect();
                    sitting.moves = strings(&table["moves"]);
                    assert_eq!(table["over"].as_bool(), Some(table["turn"].is_null()), "{table}");
                } else if status == 400 {
                    // Whoever was refused tries something else.
                    sitting.moves.pop();
                }
                continue;
            }
            7..=9 => {
                let route = ["show", "scene", "edit"][usize::from(how % 16 - 7)];
                let mut request = Request::new(route).with("game", id);
                for (name, value) in &settings {
                    request = request.with(name, value);
                }
                if more & 1 == 1 {
                    let typed = text(input.piece(), &ODD);
                    request =
                        request.with("position", if more & 2 == 2 { game.about().example } else { &typed });
                }
                if more & 4 == 4 {
                    request = request.with("viewer", ["0", "1", "all", "9"][usize::from(more >> 6)]);
                }
                request
            }
            10 => {
                let body = match more & 1 {
                    0 => game.about().question.as_bytes().to_vec(),
                    _ => text(input.piece(), &ODD).into_bytes(),
                };
                let kind = if more & 2 == 2 { LINES } else { JSON };
                let mut request =
                    Request { kind: kind.into(), body, ..Request::new("eval") }.with("game", id);
                if more & 4 == 4 {
                    request = request.with("exact", if more & 8 == 8 { "1" } else { "x" });
                }
                request
            }
            11 => started(id, more, &mut input),
            12 => {
                let route = ["job", "stop", "resume", "rows", "table", "jobs", "games", "headline"];
                let route = route[usize::from(more % 8)];
                let mut request = Request::new(route);
                if more % 8 < 5 {
                    request = request.with("id", if more & 64 == 64 { "9999" } else { &job });
                }
                if route == "table" {
                    request =
                        request.with("file", ["0.csv", "1.csv", "x", "../0.csv"][usize::from(more >> 6)]);
                }
                if route == "headline" {
                    request = request.with("game", id);
                }
                if route == "job" && more & 8 == 8 {
                    request = request.with("wait", "1").with("seen", &input.byte().to_string());
                }
                request
            }
            13 | 14 => {
                let methods = ["GET", "POST", "DELETE", "HEAD", "PUT", "get"];
                let path = format!("/api/{}", text(input.piece(), &PATHS));
                let query = text(input.piece(), &PATHS);
                match Request::url(methods[usize::from(more) % methods.len()], &path, &query) {
                    Ok(request) => Request { kind: JSON.into(), body: input.piece().to_vec(), ..request },
                    Err(fault) => {
                        assert!((400..500).contains(&fault.status) && !fault.message.en.is_empty());
                        continue;
                    }
                }
            }
            _ => {
                let kind = [JSON, LINES, "", "text/plain"][usize::from(more) % 4].to_owned();
                let routes = ["play", "eval", "start", "nothing", "openapi"];
                let route = routes[usize::from(more >> 2) % routes.len()];
                Request { kind, body: text(input.piece(), &BODIES).into_bytes(), ..Request::new(route) }
                    .with("game", id)
            }
        };
        let (_, value) = asked(request);
        if let Some(id) = value["id"].as_str() {
            job = id.to_owned();
        }
        API.tidy();
    }
    stopped();
}

/// Everything stops when it is asked to.
fn stopped() {
    let begun = Instant::now();
    while !API.idle() {
        API.stop();
        assert!(begun.elapsed() < STOPPING, "something does not stop");
        std::thread::sleep(Duration::from_micros(200));
    }
}

fn strings(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(|word| word.as_str().map(str::to_owned)).collect()
}

/// The next question about a running game.
fn play(sitting: &mut Sitting, how: u8, more: u8, input: &mut Input<'_>) -> Request {
    match how {
        // A move that can be made, one of the machine, one back, one that makes no sense.
        0..=2 if !sitting.open.is_empty() => {
            sitting.moves.push(sitting.open[usize::from(more) % sitting.open.len()].clone());
        }
        3 => sitting.moves.push(["*", "*weak", "*traps", "*normal"][usize::from(more) % 4].to_owned()),
        4 => _ = sitting.moves.pop(),
        5 => sitting.moves.push(text(input.piece(), &ODD)),
        _ => {}
    }
    let mut body = sitting.body.clone();
    body["moves"] = json!(sitting.moves);
    body["hints"] = json!(["none", "best", "all"][usize::from(more >> 6) % 3]);
    body["machine"] = json!(more & 32 == 32);
    match more & 7 {
        1 => body["seat"] = json!(more >> 6),
        2 => body["seat"] = Value::Null,
        3 => body["seed"] = json!(more),
        4 => body["strength"] = json!(["perfect", "fair", "random", "?"][usize::from(more >> 6)]),
        _ => {}
    }
    if how == 6 && more & 8 == 8 {
        body["position"] = json!(text(input.piece(), &ODD));
    }
    Request::new("play").json(&body)
}

/// A study or a reproduction.
fn started(id: &str, more: u8, input: &mut Input<'_>) -> Request {
    let studies = PAPERS.studies(id);
    let body = if more & 1 == 1 && !studies.is_empty() {
        let study = input.pick(studies);
        let settings = input.settings(study.params);
        json!({"kind": "study", "game": id, "study": study.name, "settings": object(&settings), "seed": more})
    } else {
        json!({"kind": "reproduce", "game": id, "full": more & 2 == 2, "parts": [text(input.piece(), &PATHS)]})
    };
    Request::new("start").json(&body)
}

/// Parts of addresses and their queries.
const PATHS: [&str; 32] = [
    "games",
    "headline/",
    "scene/",
    "show/",
    "edit/",
    "eval/",
    "play/",
    "jobs",
    "/jobs/0",
    "/resume",
    "/rows.csv",
    "/tables/1.csv",
    "openapi.json",
    "memory",
    "geister",
    "saichugen",
    "accordion",
    "sixtysix",
    "nim",
    "position=",
    "viewer=all",
    "exact=1",
    "lang=ja",
    "wait=5",
    "seen=0",
    "&",
    "%41",
    "%ff",
    "+",
    "ranks=3",
    "table-2",
    "神",
];

/// Parts of bodies.
const BODIES: [&str; 32] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"settings\":",
    "\"seed\":",
    "\"seat\":",
    "\"moves\":",
    "\"hints\":",
    "\"machine\":",
    "\"position\":",
    "\"kind\":",
    "\"study\"",
    "\"reproduce\"",
    "\"game\":",
    "\"memory\"",
    "\"study\":",
    "\"parts\":",
    "\"full\":",
    "true",
    "null",
    "1",
    "-1",
    "1e400",
    "\"*\"",
    "\"all\"",
    "\"\\ud800\"",
    "\"神\"",
    "\n",
    "9007199254740993",
];

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for game in 0..GAMES.len() as u8 {
        // Without settings, seed 1: the table, three moves with hints, one back, the machine.
        seeds.push(vec![game, 0, 1, 6, 0x40, 0, 0x81, 3, 0, 0, 0x82, 4, 0, 3, 0x20]);
        seeds.push(vec![game, 0, 1, 6, 0, 0, 1, 1, 2, 2, 3]);
        seeds.push(vec![game, 0, 1, 7, 0, 8, 3, 0, 9, 0, 10, 0, 10, 6]);
        seeds.push(vec![game, 0, 1, 11, 1, 0, 0, 12, 0, 12, 3, 12, 1, 12, 2]);
        seeds.push(vec![game, 0, 1, 12, 5, 12, 6, 12, 7]);
    }
    seeds.push(
        b"\x00\x00\x01\x0d\x00show/memory\0position=31,20,11\0\x0e\x01play/nim\0\0{\"moves\":[]}\0".to_vec(),
    );
    seeds.push(
        [b"\x00\x00\x01\x0f\x00{\"settings\":{},\"moves\":[\"*\"],\"hints\":\"all\"}\0".as_slice()].concat(),
    );
    seeds
}
