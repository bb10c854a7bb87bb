//! Answers as HTTP sends them.

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Response, StatusCode};
use http_body_util::channel::{Channel, Sender};
use std::io::{self, BufWriter, Write};
use tokio::runtime::Handle;
use yomikiri_api::{Answer, Fault, Writer};

/// An answer.
pub type Reply = Response<Body>;

/// Bytes of a long body sent at a time.
const CHUNK: usize = 64 << 10;

/// An answer of some bytes.
pub fn bytes(status: u16, kind: &'static str, body: impl Into<Body>) -> Reply {
    let mut reply = Response::new(body.into());
    *reply.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    reply.headers_mut().insert("content-type", HeaderValue::from_static(kind));
    reply
}

/// An answer of the API.
pub fn answered(answer: Answer) -> Reply {
    let body = match answer.body {
        yomikiri_api::Body::Whole(whole) => Body::from(Bytes::from_owner(whole)),
        yomikiri_api::Body::Written(write) => sent(write),
    };
    let mut reply = bytes(answer.status, answer.kind, body);
    for (name, value) in answer.headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            reply.headers_mut().insert(name, value);
        }
    }
    reply
}

/// What is wrong with a request.
pub fn refused(fault: &Fault) -> Reply {
    answered(fault.answer())
}

/// A body that is sent while it is written, on a thread of its own.
fn sent(write: Writer) -> Body {
    let (sender, body) = Channel::new(2);
    let handle = Handle::current();
    tokio::task::spawn_blocking(move || {
        let mut out = BufWriter::with_capacity(CHUNK, Chunks { sender, handle });
        let written = write(&mut out);
        match (written, out.into_inner()) {
            (Ok(()), Ok(_)) => {}
            (Err(e), Ok(chunks)) => {
                // A client that has gone needs no word; for others the answer breaks off rather than looks whole.
                chunks.sender.abort(e);
            }
            (_, Err(e)) => tracing::debug!("a body broke off: {e}"),
        }
    });
    Body::new(body)
}

/// Sends what is written to it.
struct Chunks {
    sender: Sender<Bytes, io::Error>,
    handle: Handle,
}

impl Write for Chunks {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let sent = self.handle.block_on(self.sender.send_data(Bytes::copy_from_slice(buf)));
        sent.map(|()| buf.len()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
