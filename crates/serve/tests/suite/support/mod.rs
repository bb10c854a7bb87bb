//! A server on a port of its own and a client that can also behave badly.
#![allow(dead_code, reason = "every test file uses a part of it")]

#[path = "../../../../api/tests/support/fake.rs"]
pub mod fake;
#[path = "../../../../api/tests/support/schema.rs"]
pub mod schema;

use serde_json::Value;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
pub use yomikiri_api::Limits;
use yomikiri_games::Entry;
use yomikiri_papers::Papers;
use yomikiri_serve::Config;
pub use yomikiri_serve::Limits as Connections;

/// As long as anything may take; nothing should come near.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A server that stops when it is dropped.
pub struct Served {
    pub address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

/// Limits for tests: those of the program, but answers are waited for also where the machine is busy.
pub fn limits() -> Limits {
    Limits { moment: Duration::from_secs(20), ..Limits::of(2, 2) }
}

/// Limits of those who want to see jobs.
pub fn hasty() -> Limits {
    Limits { moment: Duration::from_millis(100), ..limits() }
}

/// A server with the fake game.
pub fn server(limits: Limits) -> Served {
    with(fake::GAMES, fake::PAPERS, limits)
}

/// A server with some games and the papers on them.
pub fn with(games: &'static [&'static dyn Entry], papers: Papers, limits: Limits) -> Served {
    started(games, papers, limits, Connections::default())
}

/// A server with the fake game and limits of connections.
pub fn connected(connections: Connections) -> Served {
    started(fake::GAMES, fake::PAPERS, limits(), connections)
}

fn started(
    games: &'static [&'static dyn Entry],
    papers: Papers,
    limits: Limits,
    connections: Connections,
) -> Served {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let api = yomikiri_api::Config { limits, ..yomikiri_api::Config::new(games, papers, 2, 4 << 30) };
    let config = Config { api, host: "127.0.0.1".into(), limits: connections, token: None, assets: None };
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let thread = std::thread::spawn(move || yomikiri_serve::serve(listener, config, &flag));
    Served { address, stop, thread: Some(thread) }
}

impl Served {
    /// Asks it to stop and waits until it has; how long that took.
    pub fn stop(mut self) -> Duration {
        let begun = Instant::now();
        self.stop.store(true, Ordering::SeqCst);
        self.thread.take().unwrap().join().unwrap().unwrap();
        begun.elapsed()
    }

    pub fn connect(&self) -> Client {
        Client::new(self.address)
    }

    /// Sends bytes on a connection of their own; the answer, if there is one.
    pub fn raw(&self, bytes: &[u8]) -> Option<Answer> {
        let mut client = self.connect();
        // It may be refused before it is sent.
        let _ = client.stream.write_all(bytes);
        client.answer()
    }

    pub fn ask(&self, method: &str, target: &str, kind: &str, body: &str) -> Answer {
        self.raw(&request(method, target, kind, body)).expect("an answer")
    }

    pub fn get(&self, target: &str) -> Answer {
        self.ask("GET", target, "", "")
    }

    pub fn post(&self, target: &str, body: &Value) -> Answer {
        self.ask("POST", target, "application/json", &body.to_string())
    }

    /// Follows a job to its end.
    pub fn finished(&self, id: &str) -> Value {
        let begun = Instant::now();
        loop {
            let job = self.get(&format!("/api/jobs/{id}?wait=1000")).json();
            if !matches!(job["state"].as_str(), Some("waiting" | "running")) {
                return job;
            }
            assert!(begun.elapsed() < PATIENCE, "{job}");
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Waits until something holds.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "it never came to this: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The bytes of a request.
pub fn request(method: &str, target: &str, kind: &str, body: &str) -> Vec<u8> {
    let mut head = format!("{method} {target} HTTP/1.1\r\nHost: localhost\r\n");
    if !kind.is_empty() {
        head.push_str(&format!("Content-Type: {kind}\r\n"));
    }
    if !body.is_empty() || method == "POST" {
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    format!("{head}\r\n{body}").into_bytes()
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|h| h.0 == name).map(|h| h.1.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }
}

/// A connection.
pub struct Client {
    pub stream: TcpStream,
    read: Vec<u8>,
}

impl Client {
    pub fn new(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Client { stream, read: Vec::new() }
    }

    pub fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    /// Whether the other side has closed the connection, or closes it now.
    pub fn closed(&mut self) -> bool {
        match self.stream.read(&mut [0; 1024]) {
            Ok(0) => true,
            Ok(_) => self.closed(),
            Err(e) => !matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut),
        }
    }

    fn more(&mut self) -> bool {
        let mut buffer = [0; 1 << 16];
        match self.stream.read(&mut buffer) {
            Ok(n @ 1..) => {
                self.read.extend_from_slice(&buffer[..n]);
                true
            }
            _ => false,
        }
    }

    fn line(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.read.windows(2).position(|w| w == b"\r\n") {
                let line = String::from_utf8(self.read[..end].to_vec()).unwrap();
                self.read.drain(..end + 2);
                return Some(line);
            }
            if !self.more() {
                return None;
            }
        }
    }

    fn bytes(&mut self, n: usize) -> Option<Vec<u8>> {
        while self.read.len() < n {
            if !self.more() {
                return None;
            }
        }
        Some(self.read.drain(..n).collect())
    }

    /// The next answer; none if the connection ends before it is whole.
    pub fn answer(&mut self) -> Option<Answer> {
        self.answer_to("GET")
    }

    /// The next answer, to a request of this method.
    pub fn answer_to(&mut self, method: &str) -> Option<Answer> {
        let line = self.line()?;
        let status = line.split(' ').nth(1)?.parse().ok()?;
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(':')?;
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut answer = Answer { status, headers, body: Vec::new() };
        if method == "HEAD" || status == 304 {
            return Some(answer);
        }
        if answer.header("transfer-encoding") == Some("chunked") {
            loop {
                let size = usize::from_str_radix(self.line()?.trim(), 16).ok()?;
                let chunk = self.bytes(size)?;
                self.line()?;
                if size == 0 {
                    return Some(answer);
                }
                answer.body.extend(chunk);
            }
        }
        let length = answer.header("content-length").and_then(|n| n.parse().ok()).unwrap_or(0);
        answer.body = self.bytes(length)?;
        Some(answer)
    }
}
