//! A server of the program, and questions to it over sockets of the standard library.

use crate::program;
use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// How long anything may take before it counts as hung.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server, which is ended with its value.
pub struct Server {
    /// The process.
    pub child: Child,
    /// What it said when it was there: `host`, `port`, `url` and `token`.
    pub said: Value,
    /// Where it listens.
    pub port: u16,
}

/// An answer: its status and its body.
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The body, without the sizes between its chunks.
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as JSON; null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

impl Server {
    /// Starts a command, which must be `serve --json`, and waits until it says where it is.
    ///
    /// # Errors
    /// It does not start, or says something else.
    pub fn start(command: &mut Command) -> io::Result<Server> {
        let mut child = command.spawn()?;
        let out = child.stdout.take().ok_or_else(|| io::Error::other("no output"))?;
        // Whatever goes wrong from here on ends it.
        let mut server = Server { child, said: Value::Null, port: 0 };
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line)?;
        server.said = serde_json::from_str(&line).map_err(|_| broken(&format!("it says {line:?}")))?;
        let port = server.said["port"].as_u64().and_then(|port| u16::try_from(port).ok());
        server.port = port.ok_or_else(|| broken(&format!("it says {line:?}")))?;
        Ok(server)
    }

    /// Asks, with more lines in the head, and waits for the answer.
    ///
    /// # Errors
    /// There is none.
    pub fn ask(&self, method: &str, target: &str, lines: &str, body: &str) -> io::Result<Answer> {
        let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        let head = format!(
            "{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{kind}{lines}Content-Length: {}\r\n\r\n",
            body.len()
        );
        answer(self.port, &[head.as_bytes(), body.as_bytes()].concat())?.ok_or_else(|| broken("no answer"))
    }

    /// Sends it a signal that asks it to end; how it did.
    ///
    /// # Errors
    /// It does not.
    pub fn end(&mut self, signal: &str) -> io::Result<ExitStatus> {
        program::signal(&self.child, signal);
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            if begun.elapsed() > PATIENCE {
                return Err(broken("it does not end when it is asked to"));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Sends some bytes to a server here; what it answers, unless it closes the connection without a word.
///
/// # Errors
/// The connection fails, or what comes is no answer.
pub fn answer(port: u16, request: &[u8]) -> io::Result<Option<Answer>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    // It may answer and close before it has read everything.
    let sent = stream.write_all(request);
    let mut bytes = Vec::new();
    if let Err(error) = stream.read_to_end(&mut bytes)
        && bytes.is_empty()
    {
        return Err(sent.err().unwrap_or(error));
    }
    if bytes.is_empty() {
        return Ok(None);
    }
    let end = bytes.windows(4).position(|w| w == b"\r\n\r\n").ok_or_else(|| broken("no head"))?;
    let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
    let status = status.ok_or_else(|| broken("no status"))?;
    let body = bytes.split_off(end + 4);
    let body = match head.contains("transfer-encoding: chunked") {
        true => dechunked(&body).ok_or_else(|| broken("a chunk broke off"))?,
        false => body,
    };
    Ok(Some(Answer { status, body }))
}

/// A body without the sizes between its chunks.
fn dechunked(mut bytes: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(end) = bytes.windows(2).position(|w| w == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&bytes[..end]).ok()?, 16).ok()?;
        body.extend_from_slice(bytes.get(end + 2..end + 2 + size)?);
        bytes = bytes.get(end + 4 + size..)?;
    }
    Some(body)
}
