//! A server of the program, and questions to it over sockets of the standard library.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};
use yomikiri_testkit::program;

/// How long anything may take before it counts as hung.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server.
pub struct Server {
    pub child: Child,
    pub port: u16,
}

/// An answer: its status and its body.
pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Result<Value> {
        serde_json::from_slice(&self.body)
            .with_context(|| format!("{}: {}", self.status, String::from_utf8_lossy(&self.body)))
    }
}

impl Server {
    /// Starts one in a folder, which holds the cache, with some seconds between checkpoints.
    pub fn start(binary: &Path, folder: &Path, flags: &str, checkpoint: &str) -> Result<Server> {
        let mut command = program::line(binary, folder, &format!("serve --port 0 --json {flags}"));
        let mut child = command.env("YOMIKIRI_CHECKPOINT", checkpoint).spawn().context("no server starts")?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("no output")?).read_line(&mut line)?;
        let said: Value = serde_json::from_str(&line).with_context(|| format!("the server says {line:?}"))?;
        let port = said["port"].as_u64().context("no port")? as u16;
        Ok(Server { child, port })
    }

    /// Asks, and waits for the answer.
    pub fn ask(&self, method: &str, target: &str, body: &str) -> Result<Answer> {
        let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        let head = format!(
            "{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{kind}Content-Length: {}\r\n\r\n",
            body.len()
        );
        answer(self.port, &[head.as_bytes(), body.as_bytes()].concat())?.context("no answer")
    }

    /// Asks it to end; how it did.
    pub fn end(&mut self) -> Result<ExitStatus> {
        program::signal(&self.child, "-TERM");
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            if begun.elapsed() > PATIENCE {
                bail!("it does not end when it is asked to");
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

/// Sends some bytes to a server here; what it answers, unless it closes the connection without a word.
pub fn answer(port: u16, request: &[u8]) -> Result<Option<Answer>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    // It may answer and close before it has read everything.
    let sent = stream.write_all(request);
    let mut bytes = Vec::new();
    if let Err(error) = stream.read_to_end(&mut bytes)
        && bytes.is_empty()
    {
        sent?;
        return Err(error.into());
    }
    if bytes.is_empty() {
        return Ok(None);
    }
    let end = bytes.windows(4).position(|w| w == b"\r\n\r\n").context("an answer without a head")?;
    let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).context("no status")?;
    let body = bytes.split_off(end + 4);
    let body = if head.contains("transfer-encoding: chunked") { dechunked(&body)? } else { body };
    Ok(Some(Answer { status, body }))
}

/// A body without the sizes between its chunks.
fn dechunked(mut bytes: &[u8]) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(end) = bytes.windows(2).position(|w| w == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&bytes[..end])?, 16)?;
        body.extend_from_slice(bytes.get(end + 2..end + 2 + size).context("a chunk broke off")?);
        bytes = bytes.get(end + 4 + size..).context("a chunk broke off")?;
    }
    Ok(body)
}
