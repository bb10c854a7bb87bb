//! `serve` as a shell sees it: the address it prints, signals, and what it leaves behind.

use crate::{program, served};
use serde_json::{Value, json};
use std::io::Read;
use std::time::{Duration, Instant};
use yomikiri_testkit::server::Server;

/// The status and the body of an answer.
fn ask(server: &Server, method: &str, target: &str, body: &str) -> (u16, Vec<u8>) {
    let answer = server.ask(method, target, "", body).unwrap();
    (answer.status, answer.body)
}

/// The same where the body is JSON.
fn json(server: &Server, method: &str, target: &str, body: &str) -> (u16, Value) {
    let answer = server.ask(method, target, "", body).unwrap();
    (answer.status, answer.json())
}

/// Ends a server with a signal: what it said on standard error.
fn stop(mut server: Server, signal: &str) -> String {
    let begun = Instant::now();
    assert_eq!(server.end(signal).unwrap().code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    let mut said = String::new();
    server.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    said
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
        let server = served(dir.path(), "-v");
        assert_eq!(
            json(&server, "GET", "/api/games", "").1["games"].as_array().unwrap().len(),
            yomikiri_shelf::GAMES.len()
        );
        assert_eq!(ask(&server, "GET", "/none", "").0, 404);
        let (status, page) = ask(&server, "GET", "/", "");
        assert!(status == 200 && String::from_utf8(page).unwrap().contains("<!doctype html>"));
        let log = stop(server, signal);
        let lines: Vec<&str> = log.lines().filter(|line| line.contains("127.0.0.1 GET")).collect();
        assert_eq!(lines.len(), 3, "{log}");
        assert!(lines[1].contains("GET /none 404 ") && lines[1].ends_with(" ms"), "{log}");
    }
}

#[test]
fn law_a_refusal_is_the_command_lines_message() {
    let dir = tempfile::tempdir().unwrap();
    let server = served(dir.path(), "");
    for (line, target) in [
        ("show memory nonsense", "/api/show/memory?position=nonsense"),
        ("show memory --ranks 0", "/api/show/memory?ranks=0"),
        ("show geister x", "/api/show/geister?position=x"),
        ("show sixtysix A:1", "/api/show/sixtysix?position=A:1"),
    ] {
        let (status, answer) = json(&server, "GET", target, "");
        let message = &answer["error"]["message"];
        for (lang, key) in [("en", "error:"), ("ja", "エラー:")] {
            let said = program(dir.path(), &format!("{line} --lang {lang}")).output().unwrap();
            let said = String::from_utf8(said.stderr).unwrap();
            let expected = said.trim().strip_prefix(key).unwrap().trim();
            assert_eq!((status, message[lang].as_str()), (400, Some(expected)), "{line}");
        }
    }
    // And an answer is the command line's answer.
    let (_, answer) = json(&server, "GET", "/api/show/memory?position=2x22", "");
    let said = program(dir.path(), "show memory 2x22 --json").output().unwrap();
    assert_eq!(answer, serde_json::from_slice::<Value>(&said.stdout).unwrap());
}

#[test]
fn law_a_study_survives_the_server_and_leaves_the_command_lines_rows() {
    let dir = tempfile::tempdir().unwrap();
    let settings = json!({"deals": 60, "from": 8, "to": 17, "limit": 1_000_000});
    let wish =
        json!({"kind": "study", "game": "accordion", "study": "lookahead", "settings": settings, "seed": 2});
    let server = served(dir.path(), "");
    let (status, job) = json(&server, "POST", "/api/jobs", &wish.to_string());
    assert_eq!(status, 201, "{job}");
    let place = format!("/api/jobs/{}", job["id"].as_str().unwrap());
    until("there are rows", || {
        json(&server, "GET", &place, "").1["rows"].as_u64().is_some_and(|rows| rows > 50)
    });
    stop(server, "-TERM");

    let server = served(dir.path(), "");
    assert_eq!(json(&server, "GET", "/api/jobs", "").1, json!({"jobs": []}));
    let (_, job) = json(&server, "POST", "/api/jobs", &wish.to_string());
    let place = format!("/api/jobs/{}", job["id"].as_str().unwrap());
    until("it is done", || json(&server, "GET", &place, "").1["state"] == "done");
    let done = json(&server, "GET", &place, "").1;
    assert!(done["notes"][0]["en"].as_str().unwrap().starts_with("resumed at "), "{}", done["notes"]);
    assert!(!done["live"].as_array().unwrap().is_empty());
    let (_, rows) = ask(&server, "GET", &format!("{place}/rows.csv"), "");
    let line = format!(
        "{} --out rows.csv --json",
        job["command"].as_str().unwrap().strip_prefix("yomikiri ").unwrap()
    );
    let said = program(dir.path(), &line).output().unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    assert!(rows == std::fs::read(dir.path().join("rows.csv")).unwrap());
    assert_eq!(done["result"]["json"], serde_json::from_slice::<Value>(&said.stdout).unwrap());
    // Forgotten, nothing is left of it.
    ask(&server, "DELETE", &place, "");
    let kept = program(dir.path(), "cache --json").output().unwrap();
    assert!(!String::from_utf8(kept.stdout).unwrap().contains("studies/"));
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
    let server = served(dir.path(), "--table table");
    let (status, answer) = json(&server, "GET", "/api/show/memory?ranks=5", "");
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
    let server = served(dir.path(), &format!("{tables} --memory 1K --no-cache"));
    for settings in ["ranks=20", "ranks=16", "ranks=16&objective=cards"] {
        let (status, answer) = json(&server, "GET", &format!("/api/show/memory?{settings}"), "");
        assert_eq!(status, 200, "{settings}: {answer}");
        let flags = settings.replace('&', " --").replace('=', " ");
        let said = program(dir.path(), &format!("show memory --{flags} --json")).output().unwrap();
        let said: Value = serde_json::from_slice(&said.stdout).unwrap();
        assert_eq!(answer["value"], said["value"], "{settings}");
    }
    // What none of them holds is solved, and cannot be with so little.
    for settings in ["ranks=21", "ranks=17&objective=cards", "copies=6"] {
        let (status, answer) = json(&server, "GET", &format!("/api/show/memory?{settings}"), "");
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
