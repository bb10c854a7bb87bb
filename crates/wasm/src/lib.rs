//! yomikiri in a browser: the API in web workers. One worker is the `Desk`, which is asked and answers at once; others are
//! `Clerk`s, which do what takes time. A worker that computes hears nothing, so whoever is asked must not compute.
//! `web/site/worker.js` carries what they say to each other.
#![cfg(target_family = "wasm")]

mod clerk;
mod desk;

pub use clerk::Clerk;
pub use desk::Desk;

use std::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;
use yomikiri_api::{Answer, Over};
use yomikiri_core::clock;

/// Bytes for everything a worker does. Addresses have 32 bits, and a page is given less than that by most browsers.
const MEMORY: u64 = 4 << 30;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds since the worker began.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn milliseconds() -> f64;
}

/// The time since the worker began.
fn now() -> Duration {
    Duration::from_secs_f64(milliseconds() / 1000.0)
}

/// What solvers ask how late it is.
fn set_clock() {
    clock::ask(now);
}

/// An answer as JavaScript takes it.
#[wasm_bindgen(getter_with_clone)]
pub struct Done {
    /// How it went, by the numbers of HTTP.
    pub status: u16,
    /// Its content type.
    pub kind: String,
    /// What else is to be known of it: names and values in turn.
    pub headers: Vec<String>,
    /// The answer itself.
    pub body: Vec<u8>,
}

impl From<Answer> for Done {
    fn from(answer: Answer) -> Done {
        let (status, kind) = (answer.status, answer.kind.to_owned());
        let headers = answer.headers.iter().flat_map(|(name, value)| [(*name).to_owned(), value.clone()]);
        let headers = headers.collect();
        match answer.bytes() {
            Ok(body) => Done { status, kind, headers, body: body.to_vec() },
            Err(_) => Done::from(yomikiri_api::Fault::panic().answer()),
        }
    }
}

impl From<&Over> for Done {
    fn from(over: &Over) -> Done {
        let retry = over.retry.map(|seconds| vec!["retry-after".to_owned(), seconds.to_string()]);
        let headers = retry.unwrap_or_default();
        Done { status: over.status, kind: over.kind.clone(), headers, body: over.body.to_vec() }
    }
}
