//! `serve` as a shell sees it: the address it prints, signals, and what it leaves behind.

use crate::program;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// A server of the program.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(folder: &Path, flags: &str) -> Server {
        let mut child = program(folder, &format!("serve --port 0 --json {flags}")).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap();
        let port = said["port"].as_u64().unwrap() as u16;
        assert_eq!(said["url"], format!("http://127.0.0.1:{port}/"));
        Server { child, port }
    }

    fn ask(&self, method: &str, target: &str, body: &str) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        let length = body.len();
        let head = format!(
            "{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{kind}Content-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
        let status = String::from_utf8_lossy(&bytes).split(' ').nth(1).unwrap().parse().unwrap();
        (status, bytes.split_off(end + 4))
    }

    fn json(&self, method: &str, target: &str, body: &str) -> (u16, Value) {
        let (status, body) = self.ask(method, target, body);
        (status, serde_json::from_slice(&body).unwrap())
    }

    /// Ends it with a signal: what it said on standard error.
    fn stop(mut self, signal: &str) -> String {
        let begun = Instant::now();
        Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        let status = self.child.wait().unwrap();
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        assert_eq!(status.code(), Some(0));
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        said
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never came to this: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn law_it_says_where_it_is_logs_a_line_a_request_and_ends_with_the_signal() {
    let dir = tempfile::tempdir().unwrap();
    for signal in ["-TERM", "-INT"] {
        let server = Server::start(dir.path(), "-v");
        assert_eq!(
            server.json("GET", "/api/games", "").1["games"].as_array().unwrap().len(),
            yomikiri_games::GAMES.len()
        );
        assert_eq!(server.ask("GET", "/none", "").0, 404);
        let (status, page) = server.ask("GET", "/", "");
        assert!(status == 200 && String::from_utf8(page).unwrap().contains("<!doctype html>"));
        let log = server.stop(signal);
        let lines: Vec<&str> = log.lines().filter(|line| line.contains("127.0.0.1 GET")).collect();
        assert_eq!(lines.len(), 3, "{log}");
        assert!(lines[1].contains("GET /none 404 ") && lines[1].ends_with(" ms"), "{log}");
    }
}

#[test]
fn law_a_refusal_is_the_command_lines_message() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(dir.path(), "");
    for (line, target) in [
        ("show memory nonsense", "/api/show/memory?position=nonsense"),
        ("show memory --ranks 0", "/api/show/memory?ranks=0"),
        ("show geister x", "/api/show/geister?position=x"),
        ("show sixtysix A:1", "/api/show/sixtysix?position=A:1"),
    ] {
        let (status, answer) = server.json("GET", target, "");
        let message = &answer["error"]["message"];
        for (lang, key) in [("en", "error:"), ("ja", "エラー:")] {
            let said = program(dir.path(), &format!("{line} --lang {lang}")).output().unwrap();
            let said = String::from_utf8(said.stderr).unwrap();
            let expected = said.trim().strip_prefix(key).unwrap().trim();
            assert_eq!((status, message[lang].as_str()), (400, Some(expected)), "{line}");
        }
    }
    // And an answer is the command line's answer.
    let (_, answer) = server.json("GET", "/api/show/memory?position=2x22", "");
    let said = program(dir.path(), "show memory 2x22 --json").output().unwrap();
    assert_eq!(answer, serde_json::from_slice::<Value>(&said.stdout).unwrap());
}

#[test]
fn law_a_study_survives_the_server_and_leaves_the_command_lines_rows() {
    let dir = tempfile::tempdir().unwrap();
    let settings = json!({"deals": 60, "from": 8, "to": 17, "limit": 1_000_000});
    let wish =
        json!({"kind": "study", "game": "accordion", "study": "lookahead", "settings": settings, "seed": 2});
    let server = Server::start(dir.path(), "");
    let (status, job) = server.json("POST", "/api/jobs", &wish.to_string());
    assert_eq!(status, 201, "{job}");
    let place = format!("/api/jobs/{}", job["id"].as_str().unwrap());
    until("there are rows", || {
        server.json("GET", &place, "").1["rows"].as_u64().is_some_and(|rows| rows > 50)
    });
    server.stop("-TERM");

    let server = Server::start(dir.path(), "");
    assert_eq!(server.json("GET", "/api/jobs", "").1, json!({"jobs": []}));
    let (_, job) = server.json("POST", "/api/jobs", &wish.to_string());
    let place = format!("/api/jobs/{}", job["id"].as_str().unwrap());
    until("it is done", || server.json("GET", &place, "").1["state"] == "done");
    let done = server.json("GET", &place, "").1;
    assert!(done["notes"][0]["en"].as_str().unwrap().starts_with("resumed at "), "{}", done["notes"]);
    assert!(!done["live"].as_array().unwrap().is_empty());
    let (_, rows) = server.ask("GET", &format!("{place}/rows.csv"), "");
    let line = format!(
        "{} --out rows.csv --json",
        job["command"].as_str().unwrap().strip_prefix("yomikiri ").unwrap()
    );
    let said = program(dir.path(), &line).output().unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    // Chunked: the sizes stand between the rows.
    let rows = dechunked(&rows);
    assert!(rows == std::fs::read(dir.path().join("rows.csv")).unwrap());
    assert_eq!(done["result"]["json"], serde_json::from_slice::<Value>(&said.stdout).unwrap());
    // Forgotten, nothing is left of it.
    server.ask("DELETE", &place, "");
    let kept = program(dir.path(), "cache --json").output().unwrap();
    assert!(!String::from_utf8(kept.stdout).unwrap().contains("studies/"));
}

fn dechunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    while let Some(end) = bytes.windows(2).position(|w| w == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&bytes[..end]).unwrap(), 16).unwrap();
        out.extend_from_slice(&bytes[end + 2..end + 2 + size]);
        bytes = &bytes[end + 4 + size..];
    }
    out
}

#[test]
fn law_flags_that_cannot_be_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let held = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = format!("--port {}", held.local_addr().unwrap().port());
    for (flags, said) in [
        ("--port 70000", "--port: got \"70000\"; accepted: a whole number from 0 to 65535"),
        ("--port x", "--port"),
        ("--jobs 0", "--jobs"),
        ("--host no.such.host.invalid", "--host"),
        ("--table nowhere", "nowhere"),
        (taken.as_str(), "cannot listen here"),
    ] {
        let output = program(dir.path(), &format!("serve {flags}")).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && err.contains(said), "{flags}: {err}");
    }
}

#[test]
fn law_tables_are_answered_from() {
    let dir = tempfile::tempdir().unwrap();
    let built = program(dir.path(), "table build memory --ranks 5 --out table").output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let server = Server::start(dir.path(), "--table table");
    let (status, answer) = server.json("GET", "/api/show/memory?ranks=5", "");
    let said = program(dir.path(), "show memory --ranks 5 --json").output().unwrap();
    let said: Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!((status, &answer["value"]), (200, &said["value"]));
}

#[test]
fn law_two_tables_of_one_game_both_answer_and_the_same_twice_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let built = |line: &str| {
        let built = program(dir.path(), &format!("table build {line}")).output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    };
    built("memory --ranks 20 --out m20");
    built("memory --ranks 16 --out m16");
    built("memory --ranks 16 --objective cards --out cards16");
    built("geister --width 3 --height 4 --out g");
    // So little that nothing can be solved; with this many cards there are no fractions to be solved beside.
    let tables = "--table m20 --table m16 --table cards16 --table g";
    let server = Server::start(dir.path(), &format!("{tables} --memory 1K --no-cache"));
    for settings in ["ranks=20", "ranks=16", "ranks=16&objective=cards"] {
        let (status, answer) = server.json("GET", &format!("/api/show/memory?{settings}"), "");
        assert_eq!(status, 200, "{settings}: {answer}");
        let flags = settings.replace('&', " --").replace('=', " ");
        let said = program(dir.path(), &format!("show memory --{flags} --json")).output().unwrap();
        let said: Value = serde_json::from_slice(&said.stdout).unwrap();
        assert_eq!(answer["value"], said["value"], "{settings}");
    }
    // What none of them holds is solved, and cannot be with so little.
    for settings in ["ranks=21", "ranks=17&objective=cards", "copies=6"] {
        let (status, answer) = server.json("GET", &format!("/api/show/memory?{settings}"), "");
        assert_eq!((status, &answer["error"]["code"]), (422, &json!("memory")), "{settings}: {answer}");
    }
    built("memory --ranks 16 --out again");
    for tables in ["--table m16 --table m20 --table again", "--table again --table m16"] {
        for verb in ["serve --port 0", "show memory", "eval memory", "play memory"] {
            let output = program(dir.path(), &format!("{verb} {tables}")).output().unwrap();
            let err = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{verb}: {err}");
            for word in ["--table: got ", "m16", "again", "ranks=16", "one table for each variant"] {
                assert!(err.contains(word), "{verb}: {err}");
            }
        }
    }
}

/// Resident memory of a program, where the system tells it.
fn resident(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? << 10)
}

/// Begins so many games whose solutions are large, answers lines that are as many as may be, and looks how much memory
/// the server takes then: what it was given, and what the program itself takes.
fn stays_within(memory: u64, games: u64, deck: u32) {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(dir.path(), &format!("--memory {memory}"));
    let Some(before) = resident(&server.child) else { return };
    for seed in 1..=games {
        let wish = json!({"settings": {"hand": 6, "deck": deck}, "seed": seed, "seat": 0, "moves": [],
            "hints": "all", "machine": true});
        let (mut status, mut answer) = server.json("POST", "/api/play/sixtysix", &wish.to_string());
        if status == 202 {
            let job = format!("/api/jobs/{}?wait=10000", answer["id"].as_str().unwrap());
            until("the game begins", || {
                answer = server.json("GET", &job, "").1;
                answer["state"] != "running" && answer["state"] != "waiting"
            });
            (status, answer) = (200, answer["result"].take());
        }
        assert!(status == 200 && answer["scene"]["moves"].is_array(), "{status} {answer}");
    }
    let after = resident(&server.child).unwrap();
    let overhead = 128 << 20;
    assert!(
        after <= memory + overhead,
        "{} MiB of {} after {games} games ({} before)",
        after >> 20,
        memory >> 20,
        before >> 20
    );
}

#[test]
fn law_running_games_stay_within_the_memory() {
    stays_within(128 << 20, 6, 8);
}

mod full {
    #[test]
    fn law_running_games_stay_within_the_memory() {
        super::stays_within(256 << 20, 10, 12);
    }
}
