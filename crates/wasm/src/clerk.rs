//! Whoever does one thing after another, and says how it goes on.

use crate::{Done, MEMORY, now, set_clock};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;
use yomikiri_api::{Api, Carried, Config, Host, Limits, Request, Told};
use yomikiri_core::rows::Block;

/// How often the desk hears how far something is.
const NEWS: Duration = Duration::from_millis(150);

#[wasm_bindgen]
extern "C" {
    /// Given to the desk by the worker; the bytes are its own.
    #[wasm_bindgen(js_name = told)]
    fn tell(what: &str, bytes: Vec<u8>, rows: u32);
}

/// A worker's own host: whatever is to be done is done at once.
#[derive(Default)]
struct Alone {
    doing: Mutex<Doing>,
}

#[derive(Default)]
struct Doing {
    job: String,
    heard: Duration,
}

impl Alone {
    fn doing(&self) -> MutexGuard<'_, Doing> {
        self.doing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for Alone {
    fn now(&self) -> Duration {
        now()
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        work();
    }

    // Whoever handed it over asks for it by its own id, and so do the addresses in its result.
    fn id(&self, _: u64) -> String {
        self.doing().job.clone()
    }

    fn curious(&self) -> bool {
        let mut doing = self.doing();
        let due = now().saturating_sub(doing.heard) > NEWS;
        if due {
            doing.heard = now();
        }
        due
    }

    fn told(&self, told: Told) {
        match told {
            Told::Course(bytes) => tell("course", bytes.to_vec(), 0),
            Told::Part(part, tables) => {
                tables.iter().for_each(|table| tell("table", table.to_vec(), 0));
                tell("part", part.to_vec(), 0);
            }
            Told::Rows(block) => tell("rows", block.bytes, block.rows),
            Told::Begun | Told::Over(_) => {}
        }
    }
}

/// Does errands.
#[wasm_bindgen]
pub struct Clerk {
    api: Arc<Api>,
    host: Arc<Alone>,
    rows: Arc<Carried>,
    given: Vec<Block>,
}

#[wasm_bindgen]
impl Clerk {
    /// A clerk that knows every game.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "it is JavaScript's to call")]
    pub fn new() -> Clerk {
        set_clock();
        let host = Arc::new(Alone::default());
        let rows = Arc::new(Carried::new(Arc::clone(&host) as Arc<dyn Host>));
        let config = Config {
            rows: Arc::clone(&rows) as Arc<dyn yomikiri_api::Rows>,
            // One thing at a time, so it may have what there is.
            limits: Limits { computing: 1, body: usize::MAX, ..Limits::of(1, 1) },
            ..Config::new(yomikiri_shelf::GAMES, yomikiri_papers::PAPERS, 1, MEMORY)
        };
        Clerk { api: Api::new(config, Arc::clone(&host) as Arc<dyn Host>), host, rows, given: Vec::new() }
    }

    /// Rows that are there already, of the errand that comes next.
    pub fn give(&mut self, bytes: Vec<u8>, rows: u32) {
        self.given.push(Block { rows, bytes });
    }

    /// Does an errand: what was asked, as the desk wrote it down. The tables of its result are told before.
    pub fn does(&mut self, job: String, question: &str, body: Vec<u8>) -> Done {
        *self.host.doing() = Doing { job, heard: now() };
        self.rows.give(std::mem::take(&mut self.given));
        let over = self.api.does(read(question, body));
        over.tables.iter().for_each(|table| tell("table", table.to_vec(), 0));
        Done::from(&over)
    }
}

/// A question as the desk writes it down.
pub fn written(request: &Request) -> String {
    json!([request.route, request.path, request.query, request.kind]).to_string()
}

fn read(question: &str, body: Vec<u8>) -> Request {
    let all: Value = serde_json::from_str(question).unwrap_or_default();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let pairs = |value: &Value| {
        let list = value.as_array().map_or(&[][..], Vec::as_slice);
        list.iter().map(|pair| (word(&pair[0]), word(&pair[1]))).collect()
    };
    Request { route: word(&all[0]), path: pairs(&all[1]), query: pairs(&all[2]), kind: word(&all[3]), body }
}
