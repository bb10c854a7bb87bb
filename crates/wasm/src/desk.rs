//! Whoever is asked: it never computes, so that it always answers.

use crate::clerk::written;
use crate::{Done, MEMORY, now, set_clock};
use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};
use std::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;
use yomikiri_api::{Api, Bytes, Config, Elsewhere, Errand, Host, Limits, Over, Reply, Request, Told, Wait};
use yomikiri_core::rows::Block;

/// The largest file that is checked.
const FILE: usize = 256 << 20;

/// What is to be carried to clerks.
#[derive(Default)]
struct Outbox {
    errands: Mutex<VecDeque<Errand>>,
    recalled: Mutex<VecDeque<String>>,
    /// So that ids of an earlier visit are not mistaken for ours.
    visit: String,
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Host for Outbox {
    fn now(&self) -> Duration {
        now()
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        work();
    }

    fn id(&self, number: u64) -> String {
        format!("{}{number}", self.visit)
    }

    fn elsewhere(&self) -> Option<&dyn Elsewhere> {
        Some(self)
    }
}

impl Elsewhere for Outbox {
    fn send(&self, errand: Errand) {
        held(&self.errands).push_back(errand);
    }

    fn recall(&self, job: &str) {
        held(&self.errands).retain(|errand| errand.job != job);
        held(&self.recalled).push_back(job.to_owned());
    }
}

/// An errand as JavaScript carries it.
#[wasm_bindgen(getter_with_clone)]
pub struct Sent {
    /// The job it is for.
    pub job: String,
    /// Whether it may take long.
    pub lasting: bool,
    /// What is asked.
    pub question: String,
    /// What was sent along.
    pub body: Vec<u8>,
    /// The numbers of rows in the blocks that are there.
    pub rows: Vec<u32>,
    blocks: VecDeque<Vec<u8>>,
}

#[wasm_bindgen]
impl Sent {
    /// The next block of rows.
    pub fn block(&mut self) -> Vec<u8> {
        self.blocks.pop_front().unwrap_or_default()
    }
}

/// Answers.
#[wasm_bindgen]
pub struct Desk {
    api: Arc<Api>,
    outbox: Arc<Outbox>,
    waiting: BTreeMap<u32, Wait>,
    /// Tables that were told of a job before what they belong to.
    tables: BTreeMap<String, Vec<Bytes>>,
}

#[wasm_bindgen]
impl Desk {
    /// A desk whose jobs have ids that begin with a word.
    #[wasm_bindgen(constructor)]
    pub fn new(visit: String) -> Desk {
        set_clock();
        let outbox = Arc::new(Outbox { visit, ..Outbox::default() });
        let config = Config {
            limits: Limits { body: FILE, ..Limits::of(1, 2) },
            ..Config::new(yomikiri_shelf::GAMES, yomikiri_papers::PAPERS, 1, MEMORY)
        };
        let api = Api::new(config, Arc::clone(&outbox) as Arc<dyn Host>);
        Desk { api, outbox, waiting: BTreeMap::new(), tables: BTreeMap::new() }
    }

    /// Answers a request, or keeps it under its number until there is something to say.
    pub fn ask(
        &mut self,
        number: u32,
        method: &str,
        path: &str,
        query: &str,
        kind: &str,
        body: Vec<u8>,
    ) -> Option<Done> {
        let request = match Request::url(method, path, query) {
            Ok(request) => Request { kind: kind.to_owned(), body, ..request },
            Err(fault) => return Some(fault.answer().into()),
        };
        match self.api.ask(request) {
            Reply::Now(answer) => Some(answer.into()),
            Reply::Wait(wait) => {
                self.waiting.insert(number, wait);
                None
            }
        }
    }

    /// For how many milliseconds it is worth waiting.
    pub fn patience(&self, number: u32) -> f64 {
        self.waiting.get(&number).map_or(0.0, |wait| wait.most().as_secs_f64() * 1000.0)
    }

    /// The numbers of those who wait no longer.
    pub fn ready(&self) -> Vec<u32> {
        let mut context = Context::from_waker(Waker::noop());
        let mut there = |wait: &Wait| pin!(wait.news()).poll(&mut context).is_ready();
        self.waiting.iter().filter(|(_, wait)| there(wait)).map(|(number, _)| *number).collect()
    }

    /// The answer to somebody who waited, as it is by now.
    pub fn take(&mut self, number: u32) -> Option<Done> {
        self.waiting.remove(&number).map(|wait| wait.answer().into())
    }

    /// Somebody has gone away.
    pub fn leave(&mut self, number: u32) {
        self.waiting.remove(&number);
    }

    /// The next errand.
    pub fn errand(&self) -> Option<Sent> {
        let Errand { job, lasting, request, rows } = held(&self.outbox.errands).pop_front()?;
        Some(Sent {
            job,
            lasting,
            question: written(&request),
            body: request.body,
            rows: rows.iter().map(|block| block.rows).collect(),
            blocks: rows.into_iter().map(|block| block.bytes).collect(),
        })
    }

    /// The next errand that nobody wants any more.
    pub fn recalled(&self) -> Option<String> {
        held(&self.outbox.recalled).pop_front()
    }

    /// Hears how an errand goes on.
    pub fn heard(&mut self, job: &str, what: &str, bytes: Vec<u8>, rows: u32) {
        let told = match what {
            "begun" => {
                self.tables.remove(job);
                Told::Begun
            }
            "course" => Told::Course(bytes.into()),
            "rows" => Told::Rows(Block { rows, bytes }),
            "part" => Told::Part(bytes.into(), self.tables.remove(job).unwrap_or_default()),
            "table" => return self.tables.entry(job.to_owned()).or_default().push(bytes.into()),
            _ => Told::Over(Over::gone()),
        };
        self.api.heard(job, told);
    }

    /// Hears what an errand came to.
    pub fn over(&mut self, job: &str, status: u16, kind: String, retry: Option<u32>, body: Vec<u8>) {
        let tables = self.tables.remove(job).unwrap_or_default();
        let over = Over { status, kind, retry: retry.map(u64::from), body: body.into(), tables };
        self.api.heard(job, Told::Over(over));
    }

    /// Forgets what is old; now and then.
    pub fn tidy(&self) {
        self.api.tidy();
    }
}
