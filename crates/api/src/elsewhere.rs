//! Work that is done elsewhere, by another API of the same games. A page in a browser has one that answers whoever asks,
//! always at once, and others that compute: where there are no threads, nobody could ask how far it is otherwise.
//!
//! Whoever hands an [`Errand`] over hears how it goes on ([`Api::heard`](crate::Api::heard)); whoever does it
//! ([`Api::does`](crate::Api::does)) tells its host.

use crate::answer::{Bytes, Content, known};
use crate::{Answer, Fault, Request};
use serde_json::Value;
use std::sync::Arc;
use yomikiri_core::rows::Block;

/// Something to be done elsewhere.
#[derive(Clone, Debug)]
pub struct Errand {
    /// The job it is for, under the id it has with whoever hands it over.
    pub job: String,
    /// Whether it is a study or a reproduction: those may take long, and others do not wait for them.
    pub lasting: bool,
    /// What is asked.
    pub request: Request,
    /// The rows that are there already.
    pub rows: Vec<Block>,
}

/// Where errands are done.
pub trait Elsewhere {
    /// Hands an errand over. It may wait for its turn.
    fn send(&self, errand: Errand);
    /// Nobody wants it any more: it is not done, or stopped.
    fn recall(&self, job: &str);
}

/// How an errand goes on.
#[derive(Clone, Debug)]
pub enum Told {
    /// It is its turn.
    Begun,
    /// How far it is: the job as JSON.
    Course(Bytes),
    /// A part of the result, with its tables.
    Part(Bytes, Vec<Bytes>),
    /// Some more rows.
    Rows(Block),
    /// What it came to.
    Over(Over),
}

/// What an errand came to.
#[derive(Clone, Debug)]
pub struct Over {
    /// How it went, by the numbers of HTTP.
    pub status: u16,
    /// The content type of the answer.
    pub kind: String,
    /// Seconds after which asking again may help.
    pub retry: Option<u64>,
    /// The answer, or what is wrong.
    pub body: Bytes,
    /// The tables of the result.
    pub tables: Vec<Bytes>,
}

impl Over {
    /// Whoever was to do it is gone, by a mistake of ours.
    pub fn gone() -> Over {
        Over::of(Fault::panic().answer())
    }

    /// An answer.
    pub(crate) fn of(answer: Answer) -> Over {
        let header = |name: &str| answer.headers.iter().find(|header| header.0 == name);
        let retry = header("retry-after").and_then(|header| header.1.parse().ok());
        let (status, kind) = (answer.status, answer.kind.to_owned());
        // Errands are answered by what is in memory.
        let body = answer.bytes().unwrap_or_else(|_| Arc::from([]));
        Over { status, kind, retry, body, tables: Vec::new() }
    }

    /// The answer, or why there is none.
    pub(crate) fn outcome(self) -> Result<Content, Fault> {
        if self.status < 300 {
            return Ok(Content { kind: known(&self.kind), body: self.body });
        }
        let said: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        Err(Fault::read(self.status, self.retry, &said["error"]))
    }
}
