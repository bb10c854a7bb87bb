//! What yomikiri can be asked, as data: a [`Request`] in, an [`Answer`] out, as JSON. Solved things are in memory and
//! shared by all who ask, long work is a job that can be asked for, and everything has a limit.
//!
//! There are no sockets, no files, no clock and no threads here: a [`Host`] has them. The server, a web worker and other
//! languages ask the same [`Api`] the same questions. It knows no game.
//!
//! ```
//! use std::sync::Arc;
//! use std::time::Duration;
//! use yomikiri_api::{Api, Config, Host, Request};
//!
//! /// A host without threads: what is to be done is done at once.
//! struct Here;
//! impl Host for Here {
//!     fn now(&self) -> Duration {
//!         Duration::ZERO
//!     }
//!     fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
//!         work();
//!     }
//! }
//!
//! let api = Api::new(Config::new(yomikiri_shelf::GAMES, yomikiri_papers::PAPERS, 1, 1 << 30), Arc::new(Here));
//! let request = Request::new("show").with("game", "memory").with("position", "31,20,11");
//! let answer = api.ask(request).now();
//! assert_eq!(answer.status, 200);
//! let shown: serde_json::Value = serde_json::from_slice(&answer.bytes()?)?;
//! assert!(shown["value"].is_object() || shown["value"].is_number());
//! // The same as an address.
//! let request = Request::url("GET", "/api/show/memory", "position=31,20,11").unwrap();
//! assert_eq!(api.ask(request).now().status, 200);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod address;
mod answer;
mod checks;
mod counted;
mod elsewhere;
mod errand;
mod eval;
mod fault;
mod games;
mod grants;
mod host;
mod job;
mod jobs;
mod kept;
mod openapi;
mod play;
mod position;
mod queue;
mod report;
mod request;
mod route;
mod routes;
mod rows;
mod wait;
mod work;

pub use answer::{Answer, Body, Bytes, CSV, FILE, JSON, LINES, SVG, Writer};
pub use checks::{ANY, Claim, ProofLines, Unchecked, Watcher, check};
pub use elsewhere::{Elsewhere, Errand, Over, Told};
pub use errand::Carried;
pub use fault::Fault;
pub use host::Host;
pub use jobs::reproduce_command;
pub use request::Request;
pub use rows::{Asked, InMemory, Rows};
pub use wait::{News, Reply, Wait};

use answer::Content;
use grants::Grants;
use job::{State, Task};
use jobs::PartDone;
use kept::Kept;
use play::Running;
use routes::ROUTES;
use std::collections::HashMap;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use work::Work;
use yomikiri_core::cache::Lru;
use yomikiri_core::run::NoStore;
use yomikiri_core::{OpenTables, Refusal, Store, Text};
use yomikiri_games::Entry;
use yomikiri_games::params::{Param, Settings};
use yomikiri_papers::Papers;

/// The memory of an API in sixteenths: solved things that are kept, computations, answers and results that are kept,
/// running games. What is left is for everything else.
const SHARES: [u64; 4] = [5, 8, 1, 1];
/// The most of these for answers and results, and for running games: they are small.
const MOST: u64 = 64 << 20;

/// How much of everything there may be.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Studies and reproductions at once.
    pub jobs: usize,
    /// Studies and reproductions that may wait besides.
    pub waiting_jobs: usize,
    /// Computations of requests at once.
    pub computing: usize,
    /// Computations of requests that may wait besides.
    pub waiting: usize,
    /// Files of rows written at once.
    pub downloads: usize,
    /// Bytes of the body of a request.
    pub body: usize,
    /// How long a request waits for its answer before it becomes a job.
    pub moment: Duration,
    /// How long such a job goes on while nobody asks for it.
    pub abandoned: Duration,
    /// How long it may take at all.
    pub longest: Duration,
}

impl Limits {
    /// What is right for a machine with so many cores.
    pub fn of(threads: usize, jobs: usize) -> Limits {
        Limits {
            jobs,
            waiting_jobs: 16,
            computing: (2 * threads + 2).clamp(4, 64),
            waiting: 1000,
            downloads: 8,
            body: 1 << 20,
            moment: Duration::from_millis(300),
            abandoned: Duration::from_secs(15),
            longest: Duration::from_secs(600),
        }
    }
}

/// What the API is given.
pub struct Config {
    /// The games.
    pub games: &'static [&'static dyn Entry],
    /// The papers on them.
    pub papers: Papers,
    /// Where results are kept between runs.
    pub store: Arc<dyn Store + Send + Sync>,
    /// Where the rows of studies are kept.
    pub rows: Arc<dyn Rows>,
    /// Where solved things stand.
    pub cache: Lru,
    /// Solved games that were opened before: what they hold is not solved.
    pub tables: OpenTables,
    /// The seed where a request names none.
    pub seed: u64,
    /// Threads of a computation.
    pub threads: usize,
    /// Bytes for everything.
    pub memory: u64,
    /// How often long work is kept in the store.
    pub checkpoint: Duration,
    /// The limits.
    pub limits: Limits,
}

impl Config {
    /// Some games and papers with so many threads and bytes: nothing is kept but in memory.
    pub fn new(games: &'static [&'static dyn Entry], papers: Papers, threads: usize, memory: u64) -> Config {
        Config {
            games,
            papers,
            store: Arc::new(NoStore),
            rows: Arc::new(InMemory::default()),
            cache: Config::cache(memory),
            tables: OpenTables::beside(),
            seed: 1,
            threads,
            memory,
            checkpoint: yomikiri_core::run::CHECKPOINT,
            limits: Limits::of(threads, 2),
        }
    }

    /// Where solved things stand, of so many bytes for everything.
    fn cache(memory: u64) -> Lru {
        Lru::new(memory / 16 * SHARES[0])
    }

    /// The memory of computations.
    fn grants(&self) -> Arc<Grants> {
        Grants::new(self.memory / 16 * SHARES[1], self.limits.jobs + self.limits.computing)
    }

    /// The memory of answers and results that are kept.
    fn answers(&self) -> usize {
        (self.memory / 16 * SHARES[2]).min(MOST) as usize
    }

    /// The memory of running games.
    fn running(&self) -> usize {
        (self.memory / 16 * SHARES[3]).min(MOST) as usize
    }
}

/// What is asked.
pub struct Api {
    config: Config,
    host: Arc<dyn Host>,
    work: Work,
    grants: Arc<Grants>,
    answers: Mutex<Kept<String, Content>>,
    running: Mutex<Kept<String, Running>>,
    /// Parts of papers that have been computed: there are only so many.
    parts: Mutex<HashMap<PartKey, Arc<PartDone>>>,
    /// Files of rows that are being written.
    downloads: Arc<AtomicUsize>,
}

/// The game, the part, and whether it is of the long run.
type PartKey = (&'static str, &'static str, bool);

impl Api {
    /// An API on a host.
    pub fn new(config: Config, host: Arc<dyn Host>) -> Arc<Api> {
        let limits = &config.limits;
        Arc::new(Api {
            work: Work::new(limits.computing, limits.waiting, limits.jobs),
            grants: config.grants(),
            answers: Mutex::new(Kept::new(config.answers() / 2)),
            running: Mutex::new(Kept::new(config.running())),
            parts: Mutex::default(),
            downloads: Arc::default(),
            host,
            config,
        })
    }

    /// Answers a request, or says what to wait for. What is refused is an answer, too.
    pub fn ask(self: &Arc<Api>, request: Request) -> Reply {
        self.reply(request).unwrap_or_else(|fault| Reply::Now(fault.answer()))
    }

    fn reply(self: &Arc<Api>, request: Request) -> Result<Reply, Fault> {
        let route = ROUTES.iter().find(|route| route.id == request.route).ok_or_else(Fault::nothing)?;
        if request.body.len() > self.config.limits.body {
            return Err(Fault::size(self.config.limits.body));
        }
        if !route.sent.is_empty() && !route.sent.iter().any(|sent| sent.kind == request.kind) {
            let kinds: Vec<&str> = route.sent.iter().map(|sent| sent.kind).collect();
            let refusal =
                Refusal::new("content-type", format!("\"{}\"", request.kind), Text::same(kinds.join(", ")));
            return Err(Fault { status: 415, code: "type", ..Fault::from(refusal) });
        }
        (route.answer)(self, request)
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.config.limits
    }

    /// Stops what nobody waits for or takes too long, and forgets what nobody fetches. A host that lives long calls this
    /// now and then.
    pub fn tidy(&self) {
        let limits = &self.config.limits;
        for old in self.work.tidy(limits.abandoned, limits.longest, self.config.answers() / 2) {
            // What was stopped may be started again and go on; what is done has been had.
            if let (Task::Study(asked), State::Done) = (&old.task, old.state()) {
                self.config.rows.forget(asked);
            }
        }
    }

    /// Asks everything to stop; what studies have is kept.
    pub fn stop(&self) {
        self.work.stop();
    }

    /// Whether nothing runs.
    pub fn idle(&self) -> bool {
        self.work.idle()
    }

    /// The game called by a word.
    fn game(&self, id: &str) -> Result<&'static dyn Entry, Fault> {
        let found = self.config.games.iter().copied().find(|game| game.about().id == id);
        found.ok_or_else(|| {
            let ids: Vec<&str> = self.config.games.iter().map(|game| game.about().id).collect();
            Fault::unknown(Refusal::new("game", format!("\"{id}\""), Text::same(ids.join(", "))))
        })
    }

    fn answers(&self) -> MutexGuard<'_, Kept<String, Content>> {
        self.answers.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// What was answered to the same question before.
    fn known(&self, key: &String) -> Option<Content> {
        self.answers().get(key).cloned()
    }

    /// Keeps an answer for whoever asks the same.
    fn keep(&self, key: String, content: &Content) {
        // The key is held twice, and there is a little around it.
        let size = content.body.len() + 2 * key.len() + 200;
        self.answers().put(key, size, content.clone());
    }

    /// The parts of papers.
    fn parts(&self) -> MutexGuard<'_, HashMap<PartKey, Arc<PartDone>>> {
        self.parts.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The running games.
    fn running(&self) -> MutexGuard<'_, Kept<String, Running>> {
        self.running.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The flags of a command line for settings that are not the default.
fn flags(params: &[Param], settings: &Settings) -> String {
    let mut out = String::new();
    for (name, value) in settings.pairs() {
        if params.iter().any(|p| p.name == name && p.default != value) {
            out.push_str(&format!(" --{name} {}", word(&value)));
        }
    }
    out
}

/// A word as it is typed in a shell.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./,:=+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}
