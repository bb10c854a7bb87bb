//! The API asked as a library: no socket, no file, and a host with threads or without.

#[path = "support/fake.rs"]
#[allow(dead_code, reason = "every test file uses a part of it")]
mod fake;
#[path = "support/schema.rs"]
#[allow(dead_code, reason = "every test file uses a part of it")]
mod schema;

use fake::SLOW;
use serde_json::{Value, json};
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};
use yomikiri_api::{
    Answer, Api, Carried, Config, Elsewhere, Errand, Host, LINES, Limits, Reply, Request, Told,
};

/// Slow computations are counted in one place: tests that look there take turns.
static TURNS: Mutex<()> = Mutex::new(());

fn turn() -> MutexGuard<'static, ()> {
    TURNS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A host as in a web worker: no clock to speak of, no threads.
struct Here;

impl Host for Here {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        work();
    }
}

/// A host with threads.
struct Threads(Instant);

impl Host for Threads {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        std::thread::spawn(work);
    }
    fn id(&self, number: u64) -> String {
        format!("job-{number}")
    }
}

fn here() -> Arc<Api> {
    Api::new(Config::new(fake::GAMES, fake::PAPERS, 1, 1 << 30), Arc::new(Here))
}

fn threads(limits: Limits) -> Arc<Api> {
    let config = Config { limits, ..Config::new(fake::GAMES, fake::PAPERS, 2, 1 << 30) };
    Api::new(config, Arc::new(Threads(Instant::now())))
}

fn ask(api: &Arc<Api>, request: Request) -> (u16, Value) {
    let answer = api.ask(request).now();
    (answer.status, read(answer))
}

fn read(answer: Answer) -> Value {
    let bytes = answer.bytes().unwrap();
    serde_json::from_slice(&bytes).unwrap_or_else(|_| String::from_utf8(bytes.to_vec()).unwrap().into())
}

fn stones(route: &str) -> Request {
    Request::new(route).with("game", "stones")
}

fn study(name: &str, settings: Value) -> Request {
    Request::new("start")
        .json(&json!({"kind": "study", "game": "stones", "study": name, "settings": settings, "seed": 3}))
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(30), "it never came to this: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn law_a_host_without_threads_has_every_answer_at_once() {
    let api = here();
    assert_eq!(ask(&api, stones("show").with("position", "5")), (200, json!({"stones": 5})));
    assert_eq!(ask(&api, stones("scene")).1["notation"], "9");
    assert_eq!(ask(&api, stones("scene").with("size", "4")).1["notation"], "4");
    for route in ["edit", "headline"] {
        assert_eq!(ask(&api, stones(route)).0, 200, "{route}");
    }
    assert_eq!(
        ask(&api, stones("eval").json(&json!({"id": 1, "n": 3}))),
        (200, json!({"id": 1, "square": 9}))
    );
    let lines = Request { kind: LINES.into(), body: b"{\"n\":2}\n{\"n\":-1}\n".to_vec(), ..stones("eval") };
    let (status, text) = ask(&api, lines);
    let text = text.as_str().unwrap();
    assert!(status == 200 && text.starts_with("{\"square\":4}\n{\"id\":null,\"error\":\"stones: "), "{text}");
    let play = stones("play").json(&json!({"seat": 1, "moves": [], "machine": true, "seed": 1}));
    assert_eq!(ask(&api, play).1["moves"], json!(["*"]));

    // A study is done when its job comes back.
    let answer = api.ask(study("draws", json!({"items": 12}))).now();
    let place = answer.headers.iter().find(|h| h.0 == "location").unwrap().1.clone();
    let (status, job) = (answer.status, read(answer));
    assert_eq!((status, &job["state"], job["rows"].as_u64()), (201, &json!("done"), Some(12)));
    let whole = api.ask(Request::url("GET", &place, "wait=10000").unwrap()).now();
    assert!(read(whole)["result"]["json"]["sum"].is_number());
    let rows = ask(&api, Request::new("rows").with("id", job["id"].as_str().unwrap())).1;
    assert_eq!(rows.as_str().unwrap().lines().count(), 13);
    assert!(api.idle());
}

/// A chart is there as a picture in both languages, and as the numbers behind it.
#[test]
fn law_charts_are_drawn() {
    let api = here();
    let id = ask(&api, study("plain", json!({}))).1["id"].as_str().unwrap().to_owned();
    let chart = ask(&api, Request::new("job").with("id", &id)).1["result"]["blocks"][3].clone();
    assert!(
        ["en", "ja"].iter().all(|lang| chart["svg"][lang].as_str().unwrap().starts_with("<svg")),
        "{chart}"
    );
    assert!(chart["csv"].is_string(), "{chart}");
    let table = ask(&api, Request::new("table").with("id", &id).with("file", "2.csv")).1;
    assert!(table.as_str().unwrap().starts_with("series,drawn,x,y,low,high\n"));
}

#[test]
fn law_the_description_is_of_what_can_be_asked() {
    let api = here();
    let (_, description) = ask(&api, Request::new("openapi"));
    let mut routes = 0;
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let address = path.replace("{game}", "stones").replace("{id}", "none").replace("{file}", "1.csv");
            let request = Request::url(&method.to_uppercase(), &address, "").unwrap();
            assert_eq!(operation["operationId"], request.route, "{path}");
            // By its address and by its name it is the same question.
            let mut named = Request::new(&request.route);
            for (name, value) in &request.path {
                named = named.with(name, value);
            }
            assert_eq!(named, request);
            routes += 1;
        }
    }
    assert!(routes >= 14, "{routes}");
    let answers = [
        ("Games", Request::new("games")),
        ("Scene", stones("scene")),
        ("Headline", stones("headline")),
        ("Table", stones("play").json(&json!({"moves": ["1"], "hints": "all"}))),
        ("Job", study("draws", json!({}))),
        ("Fault", stones("show").with("mood", "huge")),
        ("Fault", Request::new("no-such")),
    ];
    for (name, request) in answers {
        let found = schema::faults(
            &description,
            &json!({"$ref": format!("#/components/schemas/{name}")}),
            &ask(&api, request).1,
        );
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}

#[test]
fn law_what_is_refused_is_an_answer_that_names_the_field() {
    let api = here();
    let long = Request { body: vec![b' '; (1 << 20) + 1], ..stones("eval").json(&json!({})) };
    for (request, status, code) in [
        (Request::new("no-such"), 404, "nothing"),
        (Request::new("show").with("game", "chess"), 404, "unknown"),
        (Request::new("show"), 404, "unknown"),
        (stones("show").with("position", "x"), 400, "refused"),
        (stones("show").with("mood", "huge"), 422, "memory"),
        (stones("show").with("mood", "panic"), 500, "panic"),
        (stones("eval"), 415, "type"),
        (long, 413, "size"),
        (Request::new("job").with("id", "7"), 404, "unknown"),
    ] {
        let what = format!("{} {:?}", request.route, request.query);
        let (got, answer) = ask(&api, request);
        assert_eq!((got, &answer["error"]["code"]), (status, &json!(code)), "{what}");
    }
    let (_, answer) = ask(&api, stones("show").with("position", "x"));
    assert_eq!(answer["error"]["field"], "position");
    let fault = Request::url("PUT", "/api/games", "").unwrap_err().answer();
    assert_eq!((fault.status, fault.headers), (405, vec![("allow", "GET, HEAD".to_owned())]));
}

#[test]
fn law_work_that_takes_longer_is_a_job_that_can_be_stopped() {
    let _turn = turn();
    let api = threads(Limits::of(2, 2));
    let (status, job) = ask(&api, stones("show").with("mood", "slow"));
    let id = job["id"].as_str().unwrap().to_owned();
    assert_eq!((status, &job["kind"], id.as_str()), (202, &json!("request"), "job-0"));
    until("it runs", || SLOW.load(Ordering::SeqCst) == 1);
    assert!(!api.idle());
    assert_eq!(ask(&api, Request::new("stop").with("id", &id)).0, 200);
    let state = || ask(&api, Request::new("job").with("id", &id)).1["state"].clone();
    until("it is stopped", || state() == "cancelled");
    until("nothing runs", || api.idle());
    // Half a second's work is there later, also for those who ask again.
    let id = ask(&api, stones("show").with("mood", "brief")).1["id"].as_str().unwrap().to_owned();
    let job = || ask(&api, Request::new("job").with("id", &id)).1;
    until("it is done", || job()["state"] == "done");
    assert_eq!(job()["result"], json!({"stones": 9}));
    // Everything is stopped at the end.
    ask(&api, study("plain", json!({"mood": "slow"})));
    until("it runs", || SLOW.load(Ordering::SeqCst) == 1);
    api.stop();
    until("nothing runs", || api.idle());
}

#[test]
fn law_work_that_nobody_waits_for_is_stopped() {
    let _turn = turn();
    let api = threads(Limits { abandoned: Duration::from_millis(50), ..Limits::of(2, 2) });
    let Reply::Wait(wait) = api.ask(stones("show").with("mood", "slow")) else { panic!("it takes longer") };
    until("it runs", || SLOW.load(Ordering::SeqCst) == 1);
    drop(wait);
    until("nothing runs", || api.idle());
    // Of a job nobody asks for, too.
    assert_eq!(ask(&api, stones("show").with("mood", "slow")).0, 202);
    until("it runs", || SLOW.load(Ordering::SeqCst) == 1);
    until("nothing runs", || {
        api.tidy();
        api.idle()
    });
    // And not more than there is room for.
    let api = threads(Limits { computing: 1, waiting: 1, ..Limits::of(2, 2) });
    let held: Vec<Reply> = [(); 2].map(|()| api.ask(stones("show").with("mood", "slow"))).into();
    let (status, busy) = ask(&api, stones("show").with("mood", "slow"));
    assert_eq!((status, &busy["error"]["code"]), (429, &json!("busy")));
    drop(held);
    until("nothing runs", || api.idle());
}

struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn law_who_waits_is_woken_by_news() {
    let _turn = turn();
    let api = threads(Limits::of(2, 2));
    let id = ask(&api, study("plain", json!({"mood": "slow"}))).1["id"].as_str().unwrap().to_owned();
    let job = || Request::new("job").with("id", &id);
    until("it runs", || ask(&api, job()).1["state"] == "running");
    let seen = ask(&api, job()).1["news"].to_string();
    let Reply::Wait(wait) = api.ask(job().with("wait", "10000").with("seen", &seen)) else {
        panic!("no wait")
    };
    assert_eq!(wait.most(), Duration::from_secs(10));
    let woken = Arc::new(Woken(AtomicUsize::new(0)));
    let waker = Waker::from(Arc::clone(&woken));
    let mut cx = Context::from_waker(&waker);
    let mut news = pin!(wait.news());
    assert_eq!(news.as_mut().poll(&mut cx), Poll::Pending);
    // Others who wait no longer are not woken.
    drop(Box::pin(wait.news()));
    assert_eq!(woken.0.load(Ordering::SeqCst), 0);
    ask(&api, Request::new("stop").with("id", &id));
    until("somebody is woken", || woken.0.load(Ordering::SeqCst) > 0);
    assert_eq!(news.as_mut().poll(&mut cx), Poll::Ready(()));
    assert_eq!(read(wait.answer())["state"], "cancelled");
    // What has been missed is told at once.
    let Reply::Wait(wait) = api.ask(job().with("wait", "10000").with("seen", "0")) else { panic!("no wait") };
    assert_eq!(pin!(wait.news()).poll(&mut cx), Poll::Ready(()));
    until("nothing runs", || api.idle());
}

#[test]
fn law_a_game_that_is_put_aside_lets_go_of_what_it_has_solved() {
    let api = here();
    // A game without moves is not remembered: it is quickly begun again.
    let mut moves = vec!["1"];
    let before = fake::RESTS.get();
    for asked in 1..4 {
        assert_eq!(ask(&api, stones("play").json(&json!({"moves": moves, "seed": 1}))).0, 200);
        assert_eq!(fake::RESTS.get() - before, 2 * asked - 1);
        // One that is refused, too: the game is put aside as it was.
        moves.push("9");
        assert_eq!(ask(&api, stones("play").json(&json!({"moves": moves, "seed": 1}))).0, 400);
        assert_eq!(fake::RESTS.get() - before, 2 * asked);
        moves[asked] = "1";
    }
}

/// A host whose clock is set by hand; its work waits until it is asked to begin.
#[derive(Default)]
struct Clock {
    now: Mutex<Duration>,
    work: Mutex<Vec<Box<dyn FnOnce() + Send>>>,
}

impl Host for Clock {
    fn now(&self) -> Duration {
        *self.now.lock().unwrap()
    }
    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        self.work.lock().unwrap().push(work);
    }
}

#[test]
fn law_time_is_what_the_hosts_clock_says_and_a_step_back_is_none() {
    let clock = Arc::new(Clock::default());
    let config = Config::new(fake::GAMES, fake::PAPERS, 1, 1 << 30);
    let abandoned = config.limits.abandoned;
    let api = Api::new(config, Arc::clone(&clock) as Arc<dyn Host>);
    let set = |now: Duration| *clock.now.lock().unwrap() = now;
    set(Duration::from_secs(1000));
    let (status, job) = ask(&api, stones("show"));
    assert_eq!(status, 202, "{job}");
    let id = job["id"].as_str().unwrap().to_owned();
    let state = || {
        let (status, job) = ask(&api, Request::new("job").with("id", &id));
        (status, job["state"].clone())
    };
    // A clock that goes back has let no time pass; it goes on from there.
    for now in [1000, 0] {
        set(Duration::from_secs(now));
        api.tidy();
        assert_eq!(state(), (200, json!("waiting")), "at {now} s");
    }
    set(abandoned / 2);
    api.tidy();
    assert_eq!(state(), (200, json!("waiting")), "it has been asked for");
    set(Duration::from_secs(1) + abandoned + abandoned / 2);
    api.tidy();
    let work: Vec<_> = clock.work.lock().unwrap().drain(..).collect();
    work.into_iter().for_each(|work| work());
    assert_eq!(state(), (200, json!("cancelled")), "nobody has asked for longer than that");
}

#[test]
fn law_lines_and_their_answers_have_a_limit_that_is_told() {
    let api = here();
    let lines = |body: Vec<u8>| ask(&api, Request { kind: LINES.into(), body, ..stones("eval") });
    assert_eq!(lines(vec![b'\n'; 20_000]).0, 200);
    for (body, said) in [(vec![b'\n'; 20_001], "20001 lines"), (vec![b'\n'; 1 << 20], "1048576 lines")] {
        let (status, fault) = lines(body);
        assert_eq!((status, &fault["error"]["code"]), (413, &json!("size")), "{fault}");
        let message = fault["error"]["message"]["en"].as_str().unwrap();
        assert!(message.contains("body") && message.contains(said) && message.contains("20000"), "{message}");
    }
}

#[test]
fn law_a_result_is_written_once_for_all_who_read_it_and_too_many_are_let_go() {
    let api = here();
    let answer = api.ask(study("draws", json!({"items": 12}))).now();
    let id = read(answer)["id"].as_str().unwrap().to_owned();
    let read = || api.ask(Request::new("job").with("id", &id)).now().bytes().unwrap();
    assert!(Arc::ptr_eq(&read(), &read()), "every reader has a copy of its own");
    for (memory, kept) in [(1 << 30, true), (100, false)] {
        let config = Config::new(fake::GAMES, fake::PAPERS, 2, memory);
        let api = Api::new(config, Arc::new(Threads(Instant::now())));
        let id = ask(&api, stones("show").with("mood", "brief")).1["id"].as_str().unwrap().to_owned();
        until("nothing runs", || api.idle());
        api.tidy();
        assert_eq!(ask(&api, Request::new("job").with("id", &id)).0 == 200, kept, "{memory} bytes");
    }
}

#[test]
fn law_every_game_answers_without_a_server() {
    let api =
        Api::new(Config::new(yomikiri_shelf::GAMES, yomikiri_papers::PAPERS, 1, 1 << 30), Arc::new(Here));
    for game in yomikiri_shelf::GAMES {
        let about = game.about();
        let of = |route: &str| Request::new(route).with("game", about.id);
        let request = of("show").with("position", about.example);
        assert_eq!(ask(&api, request).0, 200, "{}", about.id);
        let question: Value = serde_json::from_str(about.question).unwrap();
        assert_eq!(ask(&api, of("eval").json(&question)).0, 200, "{}", about.id);
    }
}

/// A host whose work is done elsewhere, when somebody sees to it.
#[derive(Default)]
struct Desk {
    errands: Mutex<Vec<Errand>>,
    recalled: Mutex<Vec<String>>,
}

impl Host for Desk {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
    fn spawn(&self, _: Box<dyn FnOnce() + Send>) {
        panic!("a desk does no work");
    }
    fn id(&self, number: u64) -> String {
        format!("desk-{number}")
    }
    fn elsewhere(&self) -> Option<&dyn Elsewhere> {
        Some(self)
    }
}

impl Elsewhere for Desk {
    fn send(&self, errand: Errand) {
        self.errands.lock().unwrap().push(errand);
    }
    fn recall(&self, job: &str) {
        self.errands.lock().unwrap().retain(|errand| errand.job != job);
        self.recalled.lock().unwrap().push(job.to_owned());
    }
}

/// A host that does errands, and keeps what it hears.
#[derive(Default)]
struct Clerk {
    job: Mutex<String>,
    heard: Mutex<Vec<Told>>,
}

impl Host for Clerk {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        work();
    }
    fn id(&self, _: u64) -> String {
        self.job.lock().unwrap().clone()
    }
    fn curious(&self) -> bool {
        true
    }
    fn told(&self, told: Told) {
        self.heard.lock().unwrap().push(told);
    }
}

/// A desk, and what does the next of its errands; `most` of what is heard of it arrives, its end only if all of it does.
fn desk() -> (Arc<Api>, Arc<Desk>, impl Fn(usize) -> bool) {
    let host = Arc::new(Desk::default());
    let api =
        Api::new(Config::new(fake::GAMES, fake::PAPERS, 1, 1 << 30), Arc::clone(&host) as Arc<dyn Host>);
    let (at, from) = (Arc::clone(&api), Arc::clone(&host));
    let does = move |most: usize| {
        let mut errands = from.errands.lock().unwrap();
        if errands.is_empty() {
            return false;
        }
        let errand = errands.remove(0);
        drop(errands);
        let clerk = Arc::new(Clerk::default());
        let rows = Arc::new(Carried::new(Arc::clone(&clerk) as Arc<dyn Host>));
        rows.give(errand.rows);
        let config = Config::new(fake::GAMES, fake::PAPERS, 1, 1 << 30);
        let doer = Api::new(Config { rows, ..config }, Arc::clone(&clerk) as Arc<dyn Host>);
        *clerk.job.lock().unwrap() = errand.job.clone();
        let over = doer.does(errand.request);
        let mut heard = std::mem::take(&mut *clerk.heard.lock().unwrap());
        heard.insert(0, Told::Begun);
        heard.push(Told::Over(over));
        heard.into_iter().take(most).for_each(|told| at.heard(&errand.job, told));
        true
    };
    (api, host, does)
}

#[test]
fn law_work_done_elsewhere_has_the_same_answers() {
    let (away, _, does) = desk();
    let api = here();
    let play = |body: Value| stones("play").json(&body);
    let lines = Request { kind: LINES.into(), body: b"{\"n\":2}\n{\"n\":-1}\n".to_vec(), ..stones("eval") };
    let file = Request {
        kind: "application/octet-stream".into(),
        body: b"{\"aden\":1,\"entries\":0}\n".to_vec(),
        ..Request::new("check")
    };
    let nonsense = Request { body: b"nonsense".to_vec(), ..file.clone() };
    for request in [
        Request::new("games"),
        stones("show").with("position", "5"),
        stones("show").with("position", "no"),
        stones("scene").with("size", "4").with("viewer", "1"),
        stones("scene").with("viewer", "9"),
        stones("show").with("mood", "huge"),
        stones("edit"),
        stones("headline"),
        stones("eval").json(&json!({"id": 1, "n": 3})),
        stones("eval").json(&json!({"n": -3})),
        lines,
        play(json!({"seat": 1, "moves": [], "machine": true, "seed": 1})),
        play(json!({"moves": ["1", "what"]})),
        Request {
            route: "picture".into(),
            ..play(json!({"moves": ["1"], "hints": "all"})).with("lang", "ja")
        },
        file,
        nonsense,
        Request::new("show").with("game", "none"),
    ] {
        let what = format!("{request:?}");
        let asked = away.ask(request.clone());
        does(usize::MAX);
        let (mine, theirs) = (asked.now(), api.ask(request).now());
        assert_eq!((mine.status, mine.kind), (theirs.status, theirs.kind), "{what}");
        assert_eq!(mine.headers, theirs.headers, "{what}");
        assert_eq!(mine.bytes().unwrap(), theirs.bytes().unwrap(), "{what}");
    }
    assert!(away.idle());
}

#[test]
fn law_a_study_elsewhere_is_watched_stopped_and_taken_up_again() {
    let (api, host, does) = desk();
    let (status, job) = ask(&api, study("draws", json!({"items": 40})));
    assert_eq!((status, &job["state"], &job["id"]), (201, &json!("waiting"), &json!("desk-0")));
    let look = || ask(&api, Request::new("job").with("id", "desk-0")).1;
    // It begins, tells how far it is and gives some of its rows; then it is stopped.
    assert!(does(4));
    let seen = look();
    assert_eq!((&seen["state"], &seen["progress"][0]["total"]), (&json!("running"), &json!(40)));
    assert_eq!(ask(&api, Request::new("stop").with("id", "desk-0")).1["state"], "cancelled");
    assert_eq!(*host.recalled.lock().unwrap(), ["desk-0"]);
    // What is still on its way is not heard.
    api.heard("desk-0", Told::Over(yomikiri_api::Over::gone()));
    assert_eq!(look()["state"], "cancelled");
    assert_eq!(ask(&api, Request::new("resume").with("id", "desk-0")).1["state"], "waiting");
    assert!(!host.errands.lock().unwrap()[0].rows.is_empty(), "the rows go along");
    assert!(does(usize::MAX) && api.idle());
    let done = look();
    assert_eq!((&done["state"], &done["rows"]), (&json!("done"), &json!(40)));
    // Rows and result are those of one that was never stopped.
    let twin = here();
    let (_, other) = ask(&twin, study("draws", json!({"items": 40})));
    let other = other["id"].as_str().unwrap().to_owned();
    let whole = ask(&twin, Request::new("job").with("id", &other)).1;
    assert_eq!(done["result"]["json"], whole["result"]["json"]);
    let rows = |api: &Arc<Api>, id: &str| ask(api, Request::new("rows").with("id", id));
    assert_eq!(rows(&api, "desk-0"), rows(&twin, &other));
    // A clerk that is gone is a fault of this job alone.
    let (_, job) = ask(&api, study("draws", json!({"items": 41})));
    api.heard(job["id"].as_str().unwrap(), Told::Begun);
    api.heard(job["id"].as_str().unwrap(), Told::Over(yomikiri_api::Over::gone()));
    let failed = ask(&api, Request::new("job").with("id", job["id"].as_str().unwrap())).1;
    assert_eq!((&failed["state"], &failed["error"]["code"]), (&json!("failed"), &json!("panic")));
    // Tables of reports and parts of papers come along.
    let wish = json!({"kind": "reproduce", "game": "stones", "parts": ["one"]});
    let (_, job) = ask(&api, Request::new("start").json(&wish));
    host.errands.lock().unwrap().retain(|errand| job["id"] == errand.job);
    assert!(does(usize::MAX));
    let id = job["id"].as_str().unwrap();
    let (_, mine) = ask(&api, Request::new("job").with("id", id));
    let (_, other) = ask(&twin, Request::new("start").json(&wish));
    let (_, theirs) = ask(&twin, Request::new("job").with("id", other["id"].as_str().unwrap()));
    let same = |job: &Value| {
        let place = format!("/api/jobs/{}/", job["id"].as_str().unwrap());
        job["result"].to_string().replace(&place, "/api/jobs/ID/")
    };
    assert_eq!(same(&mine), same(&theirs));
    assert!(same(&mine).contains("/api/jobs/ID/tables/1.csv"), "{}", same(&mine));
    let table =
        |api: &Arc<Api>, id: &str| ask(api, Request::new("table").with("id", id).with("file", "1.csv"));
    assert_eq!(table(&api, id), table(&twin, other["id"].as_str().unwrap()));
}

#[test]
fn law_whoever_leaves_calls_the_work_back() {
    let (api, host, _) = desk();
    drop(api.ask(stones("show")));
    assert_eq!(host.recalled.lock().unwrap().len(), 1);
    assert!(host.errands.lock().unwrap().is_empty() && api.idle());
    // One that answers too late is asked for as a job.
    let (status, job) = ask(&api, stones("show").with("position", "3"));
    assert_eq!((status, &job["state"]), (202, &json!("waiting")));
}
