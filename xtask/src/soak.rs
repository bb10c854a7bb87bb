//! `cargo xtask soak`: the release server under minutes of hostile mixed load. Its memory must stay below what it was given
//! plus a stated overhead, no request may meet a mistake of ours, answers must be the same at the end as at the start, and
//! it must end cleanly when it is asked to.

use crate::random::Random;
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use yomikiri_testkit::program;
use yomikiri_testkit::server::{Answer, Server, answer};

/// What the server is given.
const MEMORY: u64 = 256 << 20;
/// What it may take besides, as docs/api.md states.
const OVERHEAD: u64 = 128 << 20;
const TOKEN: &str = "a-token-for-the-soak-1";
/// Clients at once.
const CLIENTS: u64 = 10;

/// What clients have met.
#[derive(Default)]
struct Log {
    /// By what was done and how it ended.
    counts: BTreeMap<(&'static str, String), u64>,
    /// Mistakes of ours.
    faults: Vec<String>,
}

struct Load<'a> {
    port: u16,
    log: &'a Mutex<Log>,
    random: Random,
}

/// Questions whose answers must not change.
const QUESTIONS: [(&str, &str, &str); 9] = [
    ("GET", "/api/games", ""),
    ("GET", "/api/openapi.json", ""),
    ("GET", "/api/show/memory?position=31,20,11", ""),
    ("GET", "/api/show/geister?position=2v2-basic_1_.pp./..../..../.PP.", ""),
    ("GET", "/api/scene/geister?viewer=1", ""),
    ("GET", "/api/headline/nim", ""),
    ("POST", "/api/eval/memory?exact=1", r#"{"counts":[2,0,0,0,0,0,0,0,0]}"#),
    ("POST", "/api/play/memory", r#"{"seed":7,"seat":0,"moves":["*","*","*"],"hints":"all","machine":true}"#),
    (
        "POST",
        "/api/play/sixtysix",
        r#"{"settings":{"hand":6,"deck":4},"seed":3,"seat":0,"moves":[],"hints":"all","machine":true}"#,
    ),
];

/// Runs the server under load for so long.
///
/// # Errors
/// Whatever was not as it should be.
pub fn soak(binary: &Path, scratch: &Path, length: Duration, seed: u64) -> Result<()> {
    let folder = scratch.join("soak");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let line = format!("serve --port 0 --json --quiet --memory {MEMORY} --token {TOKEN}");
    let mut server = Server::start(&mut program::line(binary, &folder, &line))?;
    let pid = server.child.id();
    let (log, ended, most) = (Mutex::new(Log::default()), AtomicBool::new(false), AtomicU64::new(0));
    let port = server.port;
    let first = answers(port)?;
    println!("resident at the start: {} MiB", resident(pid)? >> 20);
    let begun = Instant::now();
    std::thread::scope(|scope| -> Result<()> {
        let mut clients = Vec::new();
        for client in 0..CLIENTS {
            let (log, ended) = (&log, &ended);
            let mut load = Load { port, log, random: Random(seed * 1000 + client) };
            clients.push(scope.spawn(move || {
                while !ended.load(Ordering::Relaxed) {
                    load.step();
                }
            }));
        }
        let mut told = 0;
        while begun.elapsed() < length {
            std::thread::sleep(Duration::from_millis(100));
            let now = match resident(pid) {
                Ok(now) => now,
                Err(error) => {
                    ended.store(true, Ordering::Relaxed);
                    return Err(error.context("the server has gone"));
                }
            };
            most.fetch_max(now, Ordering::Relaxed);
            if begun.elapsed().as_secs() / 30 > told {
                told = begun.elapsed().as_secs() / 30;
                println!(
                    "{:>4} s: resident {} MiB, at most {} MiB",
                    30 * told,
                    now >> 20,
                    most.load(Ordering::Relaxed) >> 20
                );
            }
        }
        ended.store(true, Ordering::Relaxed);
        Ok(())
    })?;
    let last = answers(port)?;
    let idle = resident(pid)?;
    let status = server.end("-TERM")?;

    let log = log.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut requests = 0;
    for ((what, how), count) in &log.counts {
        println!("{what:<22} {how:<28} {count:>8}");
        requests += count;
    }
    let most = most.into_inner();
    println!(
        "{requests} requests in {} s; resident at most {} MiB of {} + {}, {} when all had gone",
        begun.elapsed().as_secs(),
        most >> 20,
        MEMORY >> 20,
        OVERHEAD >> 20,
        idle >> 20
    );
    ensure!(log.faults.is_empty(), "{} mistakes of ours, such as {}", log.faults.len(), log.faults[0]);
    ensure!(most <= MEMORY + OVERHEAD, "{} MiB resident", most >> 20);
    for ((question, first), last) in QUESTIONS.iter().zip(&first).zip(&last) {
        ensure!(first == last, "another answer at the end to {question:?}");
    }
    ensure!(status.code() == Some(0), "it ended with {status}");
    println!("no mistake of ours, the same answers at the end, a clean end");
    Ok(())
}

/// Resident memory of a process, where the system tells it.
fn resident(pid: u32) -> Result<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).context("no resident memory")?;
    let kilobytes: u64 = line.split_whitespace().nth(1).context("no figure")?.parse()?;
    Ok(kilobytes << 10)
}

/// The answers to all questions, however long they take.
fn answers(port: u16) -> Result<Vec<Vec<u8>>> {
    let known = |(method, target, body): &(&str, &str, &str)| -> Result<Vec<u8>> {
        loop {
            let told = answer(port, &request(method, target, "", body))?.context("no answer")?;
            match told.status {
                200 => return Ok(told.body),
                // A moment of patience, and it is known.
                202 | 429 | 503 => std::thread::sleep(Duration::from_millis(200)),
                _ => anyhow::bail!("{target}: {} {}", told.status, String::from_utf8_lossy(&told.body)),
            }
            if told.status == 202 {
                let place = format!("/api/jobs/{}?wait=60000", told.json()["id"].as_str().context("no id")?);
                let _ = answer(port, &request("GET", &place, "", ""))?;
            }
        }
    };
    QUESTIONS.iter().map(known).collect()
}

/// A request with the right token, and more lines in its head.
fn request(method: &str, target: &str, lines: &str, body: &str) -> Vec<u8> {
    let kind = if body.is_empty() || lines.contains("Content-Type") {
        ""
    } else {
        "Content-Type: application/json\r\n"
    };
    let token = if lines.contains("Authorization") {
        String::new()
    } else {
        format!("Authorization: Bearer {TOKEN}\r\n")
    };
    let host = if lines.contains("Host:") { "" } else { "Host: localhost\r\n" };
    let head = format!(
        "{method} {target} HTTP/1.1\r\n{host}{token}Connection: close\r\n{kind}{lines}Content-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body.as_bytes()].concat()
}

const NDJSON: &str = "Content-Type: application/x-ndjson\r\n";

impl Load<'_> {
    /// One thing of many.
    fn step(&mut self) {
        match self.random.below(15) {
            0 | 1 => self.position(),
            2 => self.questions(),
            3 => self.lines(),
            4 | 5 => self.game(),
            6 => self.large_games(),
            7 => self.study(),
            8 => self.meddle(),
            9 => self.broken(),
            10 => self.strangers(),
            11 => self.garbage(),
            12 => self.cut(),
            13 => self.slow_reader(),
            _ => self.slow_writer(),
        }
    }

    fn note(&self, what: &'static str, how: String) {
        *self.log().counts.entry((what, how)).or_default() += 1;
    }

    fn log(&self) -> std::sync::MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Sends a request and notes how it was answered.
    fn send(&self, what: &'static str, bytes: &[u8]) -> Option<Answer> {
        let told = match answer(self.port, bytes) {
            Ok(told) => told,
            Err(error) => {
                self.note(what, format!("{:?}", error.kind()));
                return None;
            }
        };
        self.note(what, told.as_ref().map_or("closed".into(), |told| told.status.to_string()));
        if let Some(told) = &told
            && (told.status == 500 || told.status > 503)
        {
            let (asked, body) = (String::from_utf8_lossy(bytes), String::from_utf8_lossy(&told.body));
            let short = |text: &str| text.chars().take(600).collect::<String>();
            self.log().faults.push(format!("{}\n{}", short(&asked), short(&body)));
        }
        told
    }

    fn ask(&self, what: &'static str, method: &str, target: &str, body: &str) -> Option<Answer> {
        self.send(what, &request(method, target, "", body))
    }

    /// Does something with a job: waits for it, asks once, stops it, or leaves it alone.
    fn follow(&mut self, told: Option<Answer>) -> Option<Value> {
        let told = told?;
        let value = told.json();
        if told.status != 202 {
            return Some(value);
        }
        let place = format!("/api/jobs/{}", value["id"].as_str()?);
        match self.random.below(4) {
            0 => None,
            1 => {
                self.ask("a job, once", "GET", &place, "");
                None
            }
            2 => {
                self.ask("a job, stopped", "DELETE", &place, "");
                None
            }
            _ => {
                let mut job = self.ask("a job", "GET", &format!("{place}?wait=3000"), "")?.json();
                Some(job["result"].take())
            }
        }
    }

    fn position(&mut self) {
        let targets = [
            "/api/show/memory?position=31,20,11",
            "/api/show/memory?ranks=20&objective=win",
            "/api/show/memory?ranks=9&copies=6",
            "/api/scene/memory?ranks=5&viewer=0",
            "/api/show/geister",
            "/api/scene/geister?viewer=1",
            "/api/scene/geister?analysis=open&viewer=all",
            "/api/show/geister?width=5&height=4&analysis=open",
            "/api/edit/sixtysix",
            "/api/show/sixtysix?hand=3",
            "/api/show/saichugen",
            "/api/scene/saichugen",
            "/api/show/accordion?position=S7_S4_S0_D3_S3_C9_S9_SA",
            "/api/show/nim?position=3,4,5",
            "/api/show/chomp",
            "/api/show/tictactoe",
            "/api/headline/accordion",
            "/api/headline/memory",
        ];
        let target = *self.random.of(&targets);
        let told = self.ask("a position", "GET", target, "");
        self.follow(told);
    }

    fn questions(&mut self) {
        let (method, target, body) = *self.random.of(&QUESTIONS);
        let told = self.ask("a question", method, target, body);
        self.follow(told);
        let page = *self.random.of(&["/", "/board", "/assets/main.js", "/assets/none.js", "/api/jobs"]);
        self.ask("the page", "GET", page, "");
    }

    fn lines(&mut self) {
        let count = 1 + self.random.below(3000) as usize;
        let body = match self.random.below(4) {
            0 => "{\"counts\":[3,1,1,0,0,0,0,0,0]}\n".repeat(count),
            1 => "\n".repeat(20_000),
            2 => "\n".repeat(1 << 20),
            // More than a body may have.
            _ => "{\"a\":1}\n".repeat(300_000),
        };
        let told = self.send("lines", &request("POST", "/api/eval/memory", NDJSON, &body));
        self.follow(told);
    }

    /// A game played for some moves and abandoned.
    fn game(&mut self) {
        let game = *self.random.of(&["memory", "geister", "saichugen", "accordion", "sixtysix", "nim"]);
        let seed = self.random.below(1 << 20);
        let hints = *self.random.of(&["none", "best", "all"]);
        let mut moves: Vec<Value> = Vec::new();
        for _ in 0..1 + self.random.below(6) {
            let wish =
                json!({"seed": seed, "moves": moves, "hints": hints, "machine": self.random.below(2) == 0});
            let told = self.ask("a move", "POST", &format!("/api/play/{game}"), &wish.to_string());
            let Some(table) = self.follow(told) else { return };
            if let Some(made) = table["moves"].as_array() {
                moves = made.clone();
            }
            let there = table["scene"]["moves"].as_array().cloned().unwrap_or_default();
            match self.random.below(4) {
                0 => moves.push("*".into()),
                1 => moves.push("nonsense".into()),
                _ if there.is_empty() => return,
                _ => moves.push(self.random.of(&there)["id"].clone()),
            }
        }
    }

    /// A game whose solution is large.
    fn large_games(&mut self) {
        let (seed, deck) = (self.random.below(1 << 20), 6 + 2 * self.random.below(4));
        let wish = json!({"settings": {"hand": 6, "deck": deck}, "seed": seed, "seat": 0, "moves": [], "hints": "all", "machine": true});
        let told = self.ask("a large game", "POST", "/api/play/sixtysix", &wish.to_string());
        self.follow(told);
    }

    /// A study or a reproduction, begun, looked at, stopped, forgotten.
    fn study(&mut self) {
        let wish = match self.random.below(3) {
            0 => json!({"kind": "reproduce", "game": "memory", "parts": ["table-2"]}),
            _ => {
                json!({"kind": "study", "game": "accordion", "study": "lookahead", "seed": self.random.below(50),
                "settings": {"deals": 10 + self.random.below(200), "from": 8, "to": 14, "limit": 100_000}})
            }
        };
        let Some(told) = self.ask("a study", "POST", "/api/jobs", &wish.to_string()) else { return };
        let Some(id) = told.json()["id"].as_str().map(str::to_owned) else { return };
        for (method, more) in [("GET", ""), ("GET", "/rows.csv"), ("GET", "/tables/1.csv")] {
            self.ask("a study's data", method, &format!("/api/jobs/{id}{more}"), "");
        }
        for _ in 0..self.random.below(4) {
            let (method, more) = *self.random.of(&[
                ("DELETE", ""),
                ("POST", "/resume"),
                ("GET", "?wait=500&seen=1"),
                ("HEAD", ""),
            ]);
            self.ask("a study, changed", method, &format!("/api/jobs/{id}{more}"), "");
        }
    }

    /// Stops and resumes what others have begun.
    fn meddle(&mut self) {
        let Some(all) = self.ask("all jobs", "GET", "/api/jobs", "") else { return };
        let jobs = all.json()["jobs"].as_array().cloned().unwrap_or_default();
        if jobs.is_empty() {
            return;
        }
        let id = self.random.of(&jobs)["id"].as_str().unwrap_or("").to_owned();
        let (method, more) = *self.random.of(&[("DELETE", ""), ("POST", "/resume"), ("GET", "/rows.csv")]);
        self.ask("another's job", method, &format!("/api/jobs/{id}{more}"), "");
    }

    /// Well-formed requests that are refused.
    fn broken(&mut self) {
        let long = format!("/api/games?{}", "a".repeat(20 << 10));
        let deep = "[".repeat(100_000);
        let cases = [
            request("GET", "/api/show/%ff", "", ""),
            request("GET", "/api/show/memory?position=%ff", "", ""),
            request("GET", "/api/show/memory?ranks=1000000000000000000000", "", ""),
            request("GET", "/api/show/memory?ranks=200", "", ""),
            request("GET", "/api/none", "", ""),
            request("PUT", "/api/games", "", ""),
            request("GET", &long, "", ""),
            request("GET", "/api/games", &format!("X: {}\r\n", "b".repeat(33 << 10)), ""),
            request("POST", "/api/play/memory", "", &deep),
            request("POST", "/api/play/memory", "", r#"{"moves":["1"],"moves":["1"]}"#),
            request("POST", "/api/play/memory", "", r#"{"seed":-1}"#),
            request("POST", "/api/eval/memory", "", r#"{"counts":[1e999]}"#),
            request("POST", "/api/eval/geister", "", r#"{"analysis":"open","turn":9,"board":"////"}"#),
            request("POST", "/api/jobs", "", r#"{"kind":"study"}"#),
            request("POST", "/api/jobs", "Content-Type: text/plain\r\n", "{}"),
            request("GET", "/api/jobs/none/rows.csv", "", ""),
            request("GET", "/../../etc/passwd", "", ""),
        ];
        let case = self.random.of(&cases);
        self.send("refused", case);
    }

    /// Other tokens, other hosts, other sites.
    fn strangers(&mut self) {
        let lines = *self.random.of(&[
            "Authorization: Bearer wrong\r\n",
            "Authorization: Basic Zm9v\r\n",
            "Authorization: Bearer \r\n",
            "Host: evil.example\r\n",
            "Origin: http://evil.example\r\n",
            "Sec-Fetch-Site: cross-site\r\n",
        ]);
        let told = self.send("a stranger", &request("GET", "/api/games", lines, ""));
        if told.is_some_and(|told| told.status == 200) {
            self.log().faults.push(format!("{lines:?} was answered"));
        }
    }

    /// What is no HTTP.
    fn garbage(&mut self) {
        let mut bytes: Vec<u8> = (0..self.random.below(4000)).map(|_| self.random.next() as u8).collect();
        match self.random.below(4) {
            0 => bytes.extend_from_slice(b"\r\n\r\n"),
            1 => bytes = b"GET /api/games HTTP/1.1\r\n bad\r\n\r\n".to_vec(),
            2 => {
                bytes = b"POST /api/play/memory HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".to_vec();
            }
            _ => {}
        }
        // It may wait for more; nobody waits for it.
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            let _ = stream.write_all(&bytes);
            let _ = stream.set_read_timeout(Some(Duration::from_millis(50)));
            let _ = stream.read(&mut [0; 100]);
            self.note("garbage", "sent".into());
        }
    }

    /// Connections that are cut while something is asked, computed or sent.
    fn cut(&mut self) {
        let whole = match self.random.below(3) {
            0 => request("POST", "/api/eval/memory", NDJSON, &"\n".repeat(20_000)),
            1 => request("GET", "/api/show/memory?ranks=24", "", ""),
            _ => request("GET", "/api/openapi.json", "", ""),
        };
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            let sent = self.random.below(2 * whole.len() as u64).min(whole.len() as u64) as usize;
            let _ = stream.write_all(&whole[..sent]);
            std::thread::sleep(Duration::from_millis(self.random.below(50)));
            self.note("cut", "off".into());
        }
    }

    /// Asks for something large and hardly reads it.
    fn slow_reader(&mut self) {
        let (lines, body) = (NDJSON, "\n".repeat(20_000));
        let whole = match self.random.below(2) {
            0 => request("POST", "/api/eval/memory", lines, &body),
            _ => request("GET", "/api/openapi.json", "", ""),
        };
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            let _ = stream.write_all(&whole);
            for _ in 0..self.random.below(5) {
                let _ = stream.set_read_timeout(Some(Duration::from_millis(100)));
                let _ = stream.read(&mut [0; 10]);
                std::thread::sleep(Duration::from_millis(300));
            }
            self.note("a slow reader", "left".into());
        }
    }

    /// Sends its request a few bytes at a time.
    fn slow_writer(&mut self) {
        let whole = request("GET", "/api/games", "", "");
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            for part in whole.chunks(40).take(1 + self.random.below(8) as usize) {
                if stream.write_all(part).is_err() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(self.random.below(200)));
            }
            self.note("a slow writer", "left".into());
        }
    }
}
