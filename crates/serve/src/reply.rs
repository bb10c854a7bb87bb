//! Answers as bytes.

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Response, StatusCode};
use serde::Serialize;

/// An answer.
pub type Reply = Response<Body>;

/// The content type of JSON.
pub const JSON: &str = "application/json";
/// The content type of lines of JSON.
pub const LINES: &str = "application/x-ndjson";
/// The content type of tables.
pub const CSV: &str = "text/csv; charset=utf-8";

/// An answer of some bytes.
pub fn bytes(status: u16, kind: &'static str, body: impl Into<Body>) -> Reply {
    let mut reply = Response::new(body.into());
    *reply.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    reply.headers_mut().insert("content-type", HeaderValue::from_static(kind));
    reply
}

/// An answer of JSON.
pub fn json(status: u16, value: &impl Serialize) -> Reply {
    bytes(status, JSON, written(value))
}

/// A value as JSON.
pub fn written(value: &impl Serialize) -> Bytes {
    // Values of ours have string keys and finite numbers.
    serde_json::to_vec(value).unwrap_or_default().into()
}
