//! Answers: a status, a content type and a body, which is there or is written when somebody takes it.

use serde::Serialize;
use std::io::{self, Write};
use std::sync::Arc;

/// The content type of JSON.
pub const JSON: &str = "application/json";
/// The content type of lines of JSON.
pub const LINES: &str = "application/x-ndjson";
/// The content type of tables.
pub const CSV: &str = "text/csv; charset=utf-8";

/// The content type of pictures.
pub const SVG: &str = "image/svg+xml";
/// The content type of files that are told by their first bytes.
pub const FILE: &str = "application/octet-stream";

/// A content type of ours by its word.
pub fn known(kind: &str) -> &'static str {
    [JSON, LINES, CSV, SVG].into_iter().find(|known| *known == kind).unwrap_or(JSON)
}

/// Bytes that many may hold.
pub type Bytes = Arc<[u8]>;

/// An answer.
pub struct Answer {
    /// How it went, by the numbers of HTTP.
    pub status: u16,
    /// Its content type.
    pub kind: &'static str,
    /// What else is to be known of it, under the names of HTTP: `location`, `retry-after`, `allow`,
    /// `content-disposition`.
    pub headers: Vec<(&'static str, String)>,
    /// The answer itself.
    pub body: Body,
}

/// The body of an answer.
pub enum Body {
    /// It is there.
    Whole(Bytes),
    /// It may be long, and is written when somebody takes it.
    Written(Writer),
}

/// Writes a body; what it fails with is a body that broke off.
pub type Writer = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + Send>;

impl Answer {
    /// An answer of some bytes.
    pub fn of(status: u16, kind: &'static str, body: impl Into<Bytes>) -> Answer {
        Answer { status, kind, headers: Vec::new(), body: Body::Whole(body.into()) }
    }

    /// An answer of JSON.
    pub fn json(status: u16, value: &impl Serialize) -> Answer {
        Answer::of(status, JSON, written(value))
    }

    /// The answer with one more thing to be known of it.
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Answer {
        self.headers.push((name, value.into()));
        self
    }

    /// The bytes of the body, all of them.
    ///
    /// # Errors
    /// What a body that is written now fails with: rows that are no longer kept.
    pub fn bytes(self) -> io::Result<Bytes> {
        match self.body {
            Body::Whole(bytes) => Ok(bytes),
            Body::Written(write) => {
                let mut bytes = Vec::new();
                write(&mut bytes)?;
                Ok(bytes.into())
            }
        }
    }
}

/// A value as JSON.
pub fn written(value: &impl Serialize) -> Bytes {
    // Values of ours have string keys and finite numbers.
    serde_json::to_vec(value).unwrap_or_default().into()
}

/// What a computation came to.
#[derive(Clone, Debug)]
pub struct Content {
    /// Its content type.
    pub kind: &'static str,
    /// The bytes.
    pub body: Bytes,
}

impl Content {
    /// Some JSON.
    pub fn json(value: &impl Serialize) -> Content {
        Content { kind: JSON, body: written(value) }
    }

    /// Lines or an object that are written already.
    pub fn text(kind: &'static str, text: String) -> Content {
        Content { kind, body: text.into_bytes().into() }
    }

    /// As an answer.
    pub fn answer(&self) -> Answer {
        Answer::of(200, self.kind, self.body.clone())
    }
}
