//! Clients as they come: broken, slow, greedy, hostile, gone. Each gets what it deserves and nobody else notices.

use crate::support::fake::SLOW;
use crate::support::{Client, Connections, Served, connected, hasty, limits, request, server, until};
use serde_json::{Value, json};
use std::io::Write;
use std::net::Shutdown;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Slow computations are counted in one place: tests that look there take turns.
static TURNS: Mutex<()> = Mutex::new(());

fn slow() -> usize {
    SLOW.load(Ordering::SeqCst)
}

/// The server still answers others.
fn well(server: &Served) {
    let answer = server.get("/api/show/stones?position=5");
    assert_eq!((answer.status, answer.json()), (200, json!({"stones": 5})));
}

#[test]
fn law_what_is_refused_is_named_as_the_command_line_names_it() {
    let server = server(limits());
    let message = "stones: position: got \"no\"; accepted: a number of stones from 0 to 99";
    let answer = server.get("/api/show/stones?position=no");
    assert_eq!((answer.status, &answer.json()["error"]["message"]["en"]), (400, &json!(message)));
    for (target, status, field) in [
        ("/api/show/none", 404, "game"),
        ("/api/show/stones?size=0", 400, "size"),
        ("/api/show/stones?size=99999999999999999999999999", 400, "size"),
        ("/api/show/stones?size=1e1", 400, "size"),
        ("/api/show/stones?size=", 400, "size"),
        ("/api/show/stones?mood=odd", 400, "mood"),
        ("/api/show/stones?other=1", 400, "other"),
        ("/api/show/stones?size=1&size=2", 400, "size"),
        ("/api/show/stones?size=%zz", 400, "query"),
        ("/api/show/stones?viewer=1", 400, "viewer"),
        ("/api/scene/stones?viewer=9", 400, "viewer"),
        ("/api/edit/stones?position=-1", 400, "position"),
        ("/api/jobs/none", 404, "job"),
        ("/api/jobs/none?wait=soon", 404, "job"),
        ("/api/jobs/none/rows.csv", 404, "job"),
        ("/api/games?x=1", 400, "x"),
    ] {
        let answer = server.get(target);
        let error = &answer.json()["error"];
        assert_eq!((answer.status, error["field"].as_str()), (status, Some(field)), "{target}: {error}");
        assert!(error["message"]["ja"].is_string() && !error["accepts"].is_null(), "{error}");
    }
    let answer = server.get("/api/show/stones?mood=huge");
    assert_eq!((answer.status, &answer.json()["error"]["code"]), (422, &json!("memory")));
}

#[test]
fn law_bodies_are_checked_field_by_field() {
    let server = server(limits());
    for (target, body, field) in [
        ("/api/play/stones", "", "body"),
        ("/api/play/stones", "{", "body"),
        ("/api/play/stones", "[]", "body"),
        ("/api/play/stones", "{\"seed\":-1}", "seed"),
        ("/api/play/stones", "{\"seed\":9007199254740993}", "seed"),
        ("/api/play/stones", "{\"seed\":1e400}", "body"),
        ("/api/play/stones", "{\"seed\":\"7\"}", "seed"),
        ("/api/play/stones", "{\"seat\":3}", "seat"),
        ("/api/play/stones", "{\"seat\":\"all\"}", "seat"),
        ("/api/play/stones", "{\"moves\":\"1\"}", "moves"),
        ("/api/play/stones", "{\"moves\":[1]}", "moves"),
        ("/api/play/stones", "{\"moves\":[\"9\"]}", "moves"),
        ("/api/play/stones", "{\"moves\":[\"1\",\"1\",\"nonsense\"]}", "moves"),
        ("/api/play/stones", "{\"seat\":0,\"moves\":[\"1\",\"1\"]}", "moves"),
        ("/api/play/stones", "{\"settings\":[]}", "settings"),
        ("/api/play/stones", "{\"settings\":{\"size\":true}}", "size"),
        ("/api/play/stones", "{\"settings\":{\"size\":1.5}}", "size"),
        ("/api/play/stones", "{\"settings\":{\"nothing\":1}}", "nothing"),
        ("/api/play/stones", "{\"position\":7}", "position"),
        ("/api/play/stones", "{\"position\":\"x\"}", "position"),
        ("/api/play/stones", "{\"hints\":\"many\"}", "hints"),
        ("/api/play/stones", "{\"machine\":1}", "machine"),
        ("/api/play/stones", "{\"sead\":1}", "sead"),
        ("/api/eval/stones", "", "body"),
        ("/api/eval/stones", "7", "body"),
        ("/api/eval/stones", "{\"n\":", "body"),
        ("/api/eval/stones", "{\"n\":-1}", "n"),
        ("/api/eval/stones", "{\"n\":1e99}", "n"),
        ("/api/jobs", "{}", "kind"),
        ("/api/jobs", "{\"kind\":\"solve\"}", "kind"),
        ("/api/jobs", "{\"kind\":\"study\",\"game\":\"stones\"}", "study"),
        ("/api/jobs", "{\"kind\":\"study\",\"game\":\"stones\",\"study\":\"none\"}", "study"),
        (
            "/api/jobs",
            "{\"kind\":\"study\",\"game\":\"stones\",\"study\":\"draws\",\"settings\":{\"items\":0}}",
            "items",
        ),
        ("/api/jobs", "{\"kind\":\"reproduce\",\"game\":\"stones\",\"parts\":[\"two\"]}", "parts"),
        ("/api/jobs", "{\"kind\":\"reproduce\",\"game\":\"stones\",\"full\":\"yes\"}", "full"),
    ] {
        let answer = server.ask("POST", target, "application/json", body);
        let error = &answer.json()["error"];
        assert_eq!((answer.status, error["field"].as_str()), (400, Some(field)), "{target} {body}: {error}");
    }
    // A form of another site can send no JSON.
    for kind in ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        assert_eq!(server.ask("POST", "/api/play/stones", kind, "{}").status, 415, "{kind}");
    }
    assert_eq!(server.ask("POST", "/api/play/stones", "Application/JSON; charset=utf-8", "{}").status, 200);
    let deep = "[".repeat(100_000);
    assert_eq!(
        server.ask("POST", "/api/eval/stones", "application/json", &format!("{{\"n\":{deep}")).status,
        400
    );
    well(&server);
}

#[test]
fn law_lines_are_answered_as_by_the_command_line() {
    let server = server(limits());
    let lines = "\u{feff}{\"id\":1,\"n\":2}\r\n\nnonsense\n{\"id\":[1,2],\"n\":4294967296}\n{\"n\":5}";
    let answer = server.ask("POST", "/api/eval/stones", "application/x-ndjson", lines);
    let expected = [
        r#"{"id":1,"square":4}"#,
        r#"{"id":null,"error":"line: got an empty line; accepted: a JSON object"}"#,
        r#"{"id":null,"error":"line: got nonsense; accepted: a JSON object"}"#,
        r#"{"id":[1,2],"error":"stones: n: got 4294967296; accepted: a number below 2^31"}"#,
        r#"{"square":25}"#,
    ];
    assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
    assert_eq!(answer.text().lines().collect::<Vec<_>>(), expected);
    let many: String = (0..20_000).map(|n| format!("{{\"id\":{n},\"n\":{n}}}\n")).collect();
    let answer = server.ask("POST", "/api/eval/stones", "application/x-ndjson", &many);
    let last = answer.text().lines().last().unwrap().to_owned();
    assert_eq!(
        (answer.text().lines().count(), last.as_str()),
        (20_000, r#"{"id":19999,"square":399960001}"#)
    );
    let ja = server.ask("POST", "/api/eval/stones?lang=ja", "application/x-ndjson", "x\n").text();
    assert!(ja.contains("受け付けられません"), "{ja}");
}

#[test]
fn law_large_bodies_are_read_to_the_end_and_refused() {
    let server = server(limits());
    let large = " ".repeat((1 << 20) + 1);
    let answer = server.ask("POST", "/api/eval/stones", "application/json", &large);
    assert_eq!((answer.status, &answer.json()["error"]["code"]), (413, &json!("size")));
    let fits = format!("{{\"n\":3}}{}", " ".repeat((1 << 20) - 7));
    assert_eq!(server.ask("POST", "/api/eval/stones", "application/json", &fits).status, 200);
    // The connection is as good as before.
    let mut client = server.connect();
    for _ in 0..2 {
        client.send(&request("POST", "/api/eval/stones", "application/json", &" ".repeat(5 << 20)));
        assert_eq!(client.answer().unwrap().status, 413);
    }
    client.send(&request("POST", "/api/eval/stones", "application/json", "{\"n\":3}"));
    assert_eq!(client.answer().unwrap().json(), json!({"square": 9}));
    // Chunks without an end in sight.
    let mut client = server.connect();
    client.send(b"POST /api/eval/stones HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
    let chunk = [b"10000\r\n".as_slice(), &[b' '; 0x10000], b"\r\n"].concat();
    for _ in 0..2000 {
        if client.stream.write_all(&chunk).is_err() {
            break;
        }
    }
    assert!(client.answer().is_none_or(|answer| answer.status == 413));
    well(&server);
}

#[test]
fn law_long_addresses_and_heads_are_refused() {
    let server = server(limits());
    for length in [20_000, 60_000, 100_000] {
        let answer = server.get(&format!("/api/show/stones?position={}", "9".repeat(length)));
        assert!(matches!(answer.status, 414 | 431), "{length}: {}", answer.status);
    }
    assert_eq!(server.get(&format!("/api/show/stones?position={}", "9".repeat(16_000))).status, 400);
    let head =
        |lines: &str| format!("GET /api/games HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n").into_bytes();
    assert_eq!(server.raw(&head(&format!("X: {}\r\n", "a".repeat(40_000)))).unwrap().status, 431);
    assert_eq!(server.raw(&head(&format!("X: {}\r\n", "a".repeat(500_000)))).unwrap().status, 431);
    assert_eq!(server.raw(&head(&"X: a\r\n".repeat(2000))).unwrap().status, 431);
    assert_eq!(server.raw(&head(&"X: a\r\n".repeat(20))).unwrap().status, 200);
    well(&server);
}

#[test]
fn law_what_is_no_request_is_no_request() {
    let server = server(limits());
    for bytes in [
        b"\0\0\0\0\r\n\r\n".as_slice(),
        b"hello\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET  HTTP/1.1\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: local\0host\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
        b"POST /api/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
        b"POST /api/jobs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nzz\r\n{}\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let mut client = server.connect();
        let _ = client.stream.write_all(bytes);
        let _ = client.stream.shutdown(Shutdown::Write);
        let status = client.answer().map_or(400, |answer| answer.status);
        assert!((400..600).contains(&status) && status != 500, "{status} for {}", String::from_utf8_lossy(bytes));
    }
    well(&server);
}

#[test]
fn law_other_hosts_and_sites_are_refused() {
    let server = server(limits());
    let port = server.address.port();
    let status = |lines: &str, method: &str, target: &str| {
        let body = if method == "POST" {
            "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
        } else {
            "\r\n"
        };
        server.raw(format!("{method} {target} HTTP/1.1\r\n{lines}{body}").as_bytes()).unwrap().status
    };
    for host in [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        format!("[::1]:{port}"),
        "localhost".into(),
    ] {
        assert_eq!(status(&format!("Host: {host}\r\n"), "GET", "/api/games"), 200, "{host}");
    }
    for host in
        [format!("rebound.example:{port}"), "evil.example".into(), "0.0.0.0".into(), "192.168.0.1".into()]
    {
        assert_eq!(status(&format!("Host: {host}\r\n"), "GET", "/api/games"), 421, "{host}");
        assert_eq!(status(&format!("Host: {host}\r\n"), "GET", "/"), 421, "{host}");
    }
    let own = format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n");
    assert_eq!(status(&own, "POST", "/api/play/stones"), 200);
    let other = format!("Host: localhost:{port}\r\nOrigin: http://evil.example\r\n");
    assert_eq!(status(&other, "POST", "/api/play/stones"), 403);
    assert_eq!(status(&other, "GET", "/api/games"), 403);
    let across = format!("Host: localhost:{port}\r\nSec-Fetch-Site: cross-site\r\n");
    assert_eq!(status(&across, "POST", "/api/play/stones"), 403);
    assert_eq!(status(&across, "GET", "/api/games"), 403);
}

#[test]
fn law_every_answer_protects_the_page() {
    let server = server(limits());
    for target in ["/", "/none", "/api/games", "/api/none", "/assets/none", "/api/show/stones?position=x"] {
        let answer = server.get(target);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
        assert!(!policy.contains("unsafe"), "{policy}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{target}");
        }
    }
    let first = server.get("/");
    let tag = first.header("etag").unwrap();
    assert_eq!(first.header("cache-control"), Some("no-cache"));
    let again = format!("GET / HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: {tag}\r\n\r\n");
    assert_eq!(server.raw(again.as_bytes()).unwrap().status, 304);
}

#[test]
fn law_no_path_leads_out() {
    let server = server(limits());
    for path in [
        "/assets/../Cargo.toml",
        "/assets/..%2fCargo.toml",
        "/assets/%2e%2e%2fCargo.toml",
        "/assets/..%5c..%5cCargo.toml",
        "/assets/%2fetc%2fpasswd",
        "/assets//etc/passwd",
        "/assets/....//Cargo.toml",
        "/assets/index.html%00.js",
        "/assets/.",
        "/assets/..",
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/package.json",
        "/assets/README.md",
    ] {
        let answer = server.get(path);
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(!text.contains("[package]") && !text.contains("root:"), "{path}");
    }
}

#[test]
fn law_slow_clients_are_dropped() {
    let quick = Duration::from_millis(300);
    let server = connected(Connections { reading: quick, sending: quick, ..Connections::default() });
    // Nothing at all, half a head, and half a head byte by byte.
    let mut idle = server.connect();
    let mut half = server.connect();
    half.send(b"GET /api/games HTTP/1.1\r\nHost: local");
    assert!(idle.closed());
    assert!(half.closed());
    let mut trickle = server.connect();
    let mut gone = false;
    for byte in
        b"GET /api/games HTTP/1.1\r\nHost: localhost\r\nX: ".iter().chain(std::iter::repeat_n(&b'a', 400))
    {
        if trickle.stream.write_all(&[*byte]).is_err() {
            gone = true;
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(gone || trickle.closed());
    // A body that does not come.
    let mut body = server.connect();
    body.send(b"POST /api/eval/stones HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{");
    assert_eq!(body.answer().unwrap().status, 408);
    assert!(body.closed());
    // One that has been answered and then says nothing.
    let mut kept = server.connect();
    kept.send(&request("GET", "/api/games", "", ""));
    assert_eq!(kept.answer().unwrap().status, 200);
    assert!(kept.closed());
    well(&server);
}

#[test]
fn law_a_client_that_does_not_read_is_dropped() {
    let server = connected(Connections {
        writing: Duration::from_millis(300),
        connections: 1,
        ..Connections::default()
    });
    let mut client = server.connect();
    // Many questions, no answer read: at some point there is no room left on the way, and the only place is free again.
    let ask = request("GET", "/api/games", "", "");
    client.stream.set_write_timeout(Some(Duration::from_millis(100))).unwrap();
    let mut sent = 0;
    while sent < 100_000 && client.stream.write_all(&ask).is_ok() {
        sent += 1;
    }
    until("the place is free", || server.raw(&ask).is_some_and(|answer| answer.status == 200));
}

#[test]
fn law_too_many_connections_are_turned_away() {
    let server = connected(Connections { connections: 3, ..Connections::default() });
    let mut held: Vec<Client> = (0..3).map(|_| server.connect()).collect();
    for client in &mut held {
        client.send(&request("GET", "/api/games", "", ""));
        assert_eq!(client.answer().unwrap().status, 200);
    }
    let answer = server.get("/api/games");
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("1")));
    drop(held);
    until("there is room again", || {
        server.raw(&request("GET", "/api/games", "", "")).is_some_and(|a| a.status == 200)
    });
}

#[test]
fn law_a_client_that_goes_stops_its_work() {
    let _turn = TURNS.lock().unwrap_or_else(|e| e.into_inner());
    let server = server(limits());
    let mut clients: Vec<Client> = (0..3).map(|_| server.connect()).collect();
    for client in &mut clients {
        client.send(&request("GET", "/api/show/stones?mood=slow", "", ""));
    }
    until("all are at work", || slow() == 3);
    drop(clients);
    until("nobody is at work", || slow() == 0);
    well(&server);
}

#[test]
fn law_long_work_becomes_a_job_and_stops_when_nobody_asks() {
    let _turn = TURNS.lock().unwrap_or_else(|e| e.into_inner());
    let server = server(crate::support::Limits { abandoned: Duration::from_millis(700), ..hasty() });
    // Asked for, it goes on and ends with the answer.
    let answer = server.get("/api/show/stones?mood=brief&position=4");
    assert_eq!(answer.status, 202);
    let job = answer.json();
    assert!(
        matches!(job["state"].as_str(), Some("running" | "waiting")) && job["kind"] == "request",
        "{job}"
    );
    let id = job["id"].as_str().unwrap();
    let job = server.finished(id);
    assert_eq!((&job["state"], &job["result"]), (&json!("done"), &json!({"stones": 4})));
    let again = server.get("/api/show/stones?mood=brief&position=4");
    assert_eq!((again.status, again.json()), (200, json!({"stones": 4})), "it is remembered");
    assert_eq!(server.get("/api/jobs").json(), json!({"jobs": []}), "jobs of requests are not listed");
    // Forgotten, it stops.
    assert_eq!(server.get("/api/show/stones?mood=slow").status, 202);
    until("it is stopped", || slow() == 0);
    // Deleted, it stops as well.
    let id = server.get("/api/show/stones?mood=slow").json()["id"].as_str().unwrap().to_owned();
    let progress = server.get(&format!("/api/jobs/{id}")).json()["progress"][0].clone();
    assert_eq!((&progress["what"]["en"], &progress["total"]), (&json!("waiting"), &json!(1000)));
    assert!(
        progress["rate"].as_f64().unwrap() > 0.0 && progress["left"].as_f64().unwrap() > 0.0,
        "{progress}"
    );
    server.ask("DELETE", &format!("/api/jobs/{id}"), "", "");
    assert_eq!(server.finished(&id)["state"], "cancelled");
    until("it is stopped", || slow() == 0);
    assert_eq!(server.ask("DELETE", &format!("/api/jobs/{id}"), "", "").status, 200);
    assert_eq!(server.get(&format!("/api/jobs/{id}")).status, 404, "forgotten");
}

#[test]
fn law_work_has_a_time_limit() {
    let _turn = TURNS.lock().unwrap_or_else(|e| e.into_inner());
    let server = server(crate::support::Limits { longest: Duration::from_millis(600), ..hasty() });
    let id = server.get("/api/show/stones?mood=slow").json()["id"].as_str().unwrap().to_owned();
    let job = server.finished(&id);
    assert_eq!((&job["state"], &job["error"]["code"]), (&json!("failed"), &json!("timeout")), "{job}");
    until("it is stopped", || slow() == 0);
}

#[test]
fn law_more_work_than_there_are_places_is_told_to_come_again() {
    let _turn = TURNS.lock().unwrap_or_else(|e| e.into_inner());
    let few = crate::support::Limits { computing: 2, waiting: 1, ..hasty() };
    let server = server(few);
    let ids: Vec<String> = (0..3)
        .map(|n| {
            server.get(&format!("/api/show/stones?mood=slow&position={n}")).json()["id"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    until("two are at work", || slow() == 2);
    assert_eq!(server.get(&format!("/api/jobs/{}", ids[2])).json()["state"], "waiting");
    let answer = server.get("/api/show/stones?position=7");
    assert_eq!((answer.status, answer.header("retry-after")), (429, Some("1")));
    assert_eq!(answer.json()["error"]["code"], "busy");
    // Others are not kept from what needs no work.
    assert_eq!(server.get("/api/games").status, 200);
    for id in &ids {
        server.ask("DELETE", &format!("/api/jobs/{id}"), "", "");
    }
    until("there is room", || server.get("/api/show/stones?position=7").status == 200);
}

#[test]
fn law_a_panic_is_the_fault_of_one_request() {
    let server = server(limits());
    for target in ["/api/show/stones?mood=panic", "/api/scene/stones?mood=panic", "/api/headline/stones?"] {
        let answer = server.get(target);
        let expected = if target.contains("panic") { 500 } else { 200 };
        assert_eq!(answer.status, expected, "{target}");
    }
    let play = json!({"settings": {"mood": "panic"}});
    let answer = server.post("/api/play/stones", &play);
    assert_eq!((answer.status, &answer.json()["error"]["code"]), (500, &json!("panic")));
    let wish = json!({"kind": "study", "game": "stones", "study": "plain", "settings": {"mood": "panic"}});
    let id = server.post("/api/jobs", &wish).json()["id"].as_str().unwrap().to_owned();
    let job = server.finished(&id);
    assert_eq!((&job["state"], &job["error"]["code"]), (&json!("failed"), &json!("panic")));
    // The connection it happened on goes on.
    let mut client = server.connect();
    client.send(&request("GET", "/api/show/stones?mood=panic", "", ""));
    assert_eq!(client.answer().unwrap().status, 500);
    client.send(&request("GET", "/api/show/stones?position=3", "", ""));
    assert_eq!(client.answer().unwrap().json(), json!({"stones": 3}));
    well(&server);
}

#[test]
fn law_many_clients_at_once_are_all_answered() {
    let server = server(limits());
    let address = server.address;
    std::thread::scope(|scope| {
        for n in 0..200u64 {
            scope.spawn(move || {
                let mut client = Client::new(address);
                for round in 0..20 {
                    let stones = (n * 7 + round) % 100;
                    client.send(&request("GET", &format!("/api/show/stones?position={stones}"), "", ""));
                    let answer = client.answer().expect("an answer");
                    assert_eq!((answer.status, answer.json()), (200, json!({"stones": stones})));
                    let body = json!({"moves": ["1", "*"], "hints": "all", "seed": n}).to_string();
                    client.send(&request("POST", "/api/play/stones", "application/json", &body));
                    let answer = client.answer().expect("an answer");
                    assert_eq!((answer.status, &answer.json()["scene"]["notation"]), (200, &json!("6")));
                }
            });
        }
    });
}

#[test]
fn law_questions_in_one_go_are_answered_in_order() {
    let server = server(limits());
    let mut client = server.connect();
    let all: Vec<u8> =
        (1..50).flat_map(|n| request("GET", &format!("/api/show/stones?position={n}"), "", "")).collect();
    client.send(&all);
    for n in 1..50 {
        assert_eq!(client.answer().unwrap().json(), json!({"stones": n}));
    }
    client.send(b"HEAD /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let head = client.answer_to("HEAD").unwrap();
    assert_eq!((head.status, head.body.len()), (200, 0));
    client.send(&request("GET", "/api/games", "", ""));
    let whole = client.answer().unwrap();
    assert_eq!(head.header("content-length"), whole.header("content-length"));
}

#[test]
fn law_it_stops_within_five_seconds_and_keeps_what_was_done() {
    let _turn = TURNS.lock().unwrap_or_else(|e| e.into_inner());
    let server = server(hasty());
    for n in 0..3 {
        assert_eq!(server.get(&format!("/api/show/stones?mood=slow&position={n}")).status, 202);
    }
    let wish = json!({"kind": "study", "game": "stones", "study": "plain", "settings": {"mood": "slow"}});
    assert_eq!(server.post("/api/jobs", &wish).status, 201);
    until("they are at work", || slow() == 4);
    let mut idle = server.connect();
    idle.send(&request("GET", "/api/games", "", ""));
    idle.answer().unwrap();
    let mut waiting = server.connect();
    let id = server.get("/api/jobs").json()["jobs"][0]["id"].as_str().unwrap().to_owned();
    waiting.send(&request("GET", &format!("/api/jobs/{id}?wait=10000"), "", ""));
    let address = server.address;
    let took = server.stop();
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert_eq!(slow(), 0, "everything has been stopped");
    // Whoever was waiting has been told.
    let job = waiting.answer().map_or(Value::Null, |answer| answer.json());
    assert!(job.is_null() || job["state"] == "cancelled", "{job}");
    assert!(idle.closed());
    assert!(std::net::TcpStream::connect(address).is_err(), "nobody listens any more");
}
