//! The page of yomikiri and its API on this machine: solved things in memory and shared by all requests, long work as
//! jobs, and nobody else's page let in. It knows no game.

mod ask;
mod assets;
mod eval;
mod fault;
mod games;
mod guard;
mod job;
mod jobs;
mod kept;
mod listen;
mod openapi;
mod play;
mod position;
mod reply;
mod report;
mod routes;
mod rows;
mod work;

pub use listen::serve;
pub use rows::{Asked, InMemory, Rows};

use assets::Assets;
use fault::Fault;
use job::Answer;
use jobs::PartDone;
use kept::Kept;
use play::Running;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::Semaphore;
use work::Work;
use yomikiri_core::cache::Lru;
use yomikiri_core::{Refusal, Store, Text};
use yomikiri_games::Entry;
use yomikiri_games::params::{Param, Settings};
use yomikiri_papers::Papers;

/// Bytes of answers that are kept.
const ANSWERS: usize = 16 << 20;
/// Running games that are kept.
const GAMES: usize = 64;
/// Files of rows sent at once.
const DOWNLOADS: usize = 8;

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
    /// Connections at once.
    pub connections: usize,
    /// How long a request waits for its answer before it becomes a job.
    pub moment: Duration,
    /// How long such a job goes on while nobody asks for it.
    pub abandoned: Duration,
    /// How long it may take at all.
    pub longest: Duration,
    /// How long a client may take to send the head of a request, or nothing.
    pub reading: Duration,
    /// How long it may take to send the body.
    pub sending: Duration,
    /// How long it may read nothing of its answer.
    pub writing: Duration,
}

impl Limits {
    /// What is right for a machine with so many cores.
    pub fn of(threads: usize, jobs: usize) -> Limits {
        let seconds = Duration::from_secs;
        Limits {
            jobs,
            waiting_jobs: 16,
            computing: (2 * threads + 2).clamp(4, 64),
            waiting: 1000,
            connections: 512,
            moment: Duration::from_millis(300),
            abandoned: seconds(15),
            longest: seconds(600),
            reading: seconds(20),
            sending: seconds(30),
            writing: seconds(30),
        }
    }
}

/// What a server is given.
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
    /// The seed where a request names none.
    pub seed: u64,
    /// Threads of a computation.
    pub threads: usize,
    /// Bytes for everything.
    pub memory: u64,
    /// The name it was asked to listen as.
    pub host: String,
    /// The limits.
    pub limits: Limits,
    /// A folder with the page's files, while somebody works on them.
    pub assets: Option<PathBuf>,
}

impl Config {
    /// A cache for what is solved: half of the memory.
    pub fn cache(memory: u64) -> Lru {
        Lru::new(memory / 2)
    }

    /// The memory of one computation: the other half is for those that run.
    pub fn share(&self) -> u64 {
        self.memory / 2 / (self.limits.jobs as u64 + 2)
    }
}

/// What all requests share.
struct Server {
    config: Config,
    assets: Assets,
    work: Work,
    answers: Mutex<Kept<String, Answer>>,
    running: Mutex<Kept<String, Running>>,
    /// Parts of papers that have been computed: there are only so many.
    parts: Mutex<HashMap<PartKey, Arc<PartDone>>>,
    downloads: Arc<Semaphore>,
}

/// The game, the part, and whether it is of the long run.
type PartKey = (&'static str, &'static str, bool);

impl Server {
    fn new(config: Config) -> Server {
        let limits = &config.limits;
        Server {
            assets: Assets::new(config.assets.clone()),
            work: Work::new(limits.computing, limits.waiting, limits.jobs),
            answers: Mutex::new(Kept::new(ANSWERS)),
            running: Mutex::new(Kept::new(GAMES)),
            parts: Mutex::default(),
            downloads: Arc::new(Semaphore::new(DOWNLOADS)),
            config,
        }
    }

    /// The game called by a word.
    fn game(&self, id: &str) -> Result<&'static dyn Entry, Fault> {
        let found = self.config.games.iter().copied().find(|game| game.about().id == id);
        found.ok_or_else(|| {
            let ids: Vec<&str> = self.config.games.iter().map(|game| game.about().id).collect();
            Fault::unknown(Refusal::new("game", format!("\"{id}\""), Text::same(ids.join(", "))))
        })
    }

    fn answers(&self) -> MutexGuard<'_, Kept<String, Answer>> {
        self.answers.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// What was answered to the same question before.
    fn known(&self, key: &String) -> Option<Answer> {
        self.answers().get(key).cloned()
    }

    /// Keeps an answer for whoever asks the same.
    fn keep(&self, key: String, answer: &Answer) {
        // The key is held twice, and there is a little around it.
        let size = answer.body.len() + 2 * key.len() + 200;
        self.answers().put(key, size, answer.clone());
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
