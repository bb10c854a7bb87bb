//! A server that others can reach, met by a real browser: with its token and without, by a name that is not its own, and
//! from a page of somebody else.

use crate::{program, served};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpListener;
use yomikiri_testkit::browser::{Browser, find};
use yomikiri_testkit::server::Server;

const TOKEN: &str = "a-token-for-this-test-1";

/// A server on a cache of its own, of which nothing is kept.
fn start(flags: &str) -> Server {
    served(tempfile::tempdir().unwrap().path(), flags)
}

/// The status and the body of an answer, with a line in the head of the question.
fn ask(server: &Server, target: &str, line: &str) -> (u16, Value) {
    let answer = server.ask("GET", target, line, "").unwrap();
    (answer.status, answer.json())
}

#[test]
fn law_where_others_can_reach_it_a_token_is_asked_for() {
    // Made and printed where none is given, and needed for the API alone.
    let server = start("--host 0.0.0.0");
    let token = server.said["token"].as_str().unwrap();
    assert!(server.said["url"].as_str().unwrap().ends_with(&format!("/#token={token}")), "{}", server.said);
    assert!(token.len() >= 32);
    let (status, refused) = ask(&server, "/api/games", "");
    assert_eq!((status, &refused["error"]["field"]), (401, &json!("token")), "{refused}");
    assert_eq!(ask(&server, "/api/games", &format!("Authorization: Bearer {token}x\r\n")).0, 401);
    assert_eq!(ask(&server, "/api/games", &format!("Authorization: Bearer {token}\r\n")).0, 200);
    assert_eq!(ask(&server, "/", "").0, 200);
    // On this machine alone none is needed.
    let server = start("");
    assert!(server.said["token"].is_null() && ask(&server, "/api/games", "").0 == 200);
    let folder = tempfile::tempdir().unwrap();
    for bad in ["short", "sixteen characters", "semi;colon;semi;colon"] {
        let mut command = program(folder.path(), "serve --port 0");
        let refused = command.args(["--token", bad]).output().unwrap();
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && said.contains("--token"), "{bad}: {said}");
    }
}

/// A page of somebody else, for one visitor after another.
fn stranger() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut stream = stream;
            let _ = stream.read(&mut [0; 4096]);
            let page = "<!doctype html><title>somebody else</title>";
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n";
            let _ = write!(stream, "{head}Content-Length: {}\r\n\r\n{page}", page.len());
        }
    });
    port
}

#[test]
fn law_a_browser_asks_with_the_token_and_strangers_pages_and_names_get_nothing() {
    if find().is_none() {
        assert!(std::env::var_os("YOMIKIRI_NEEDS_BROWSER").is_none(), "there is no Chromium");
        eprintln!("SKIPPED: there is no Chromium, so the page was not looked at");
        return;
    }
    let server = start(&format!("--token {TOKEN}"));
    let port = server.port;
    let mut browser = Browser::start_with(&["--host-resolver-rules=MAP evil.example 127.0.0.1"]).unwrap();
    let status = |browser: &mut Browser| browser.eval("fetch('/api/games').then((a) => a.status)").unwrap();

    // Without the token the page says what is missing.
    browser.goto(&format!("http://127.0.0.1:{port}/")).unwrap();
    assert_eq!(status(&mut browser), 401);
    browser.until("/token|トークン/.test(document.body.innerText)").unwrap();
    // With it, it works, and the token is out of sight.
    browser.goto("about:blank").unwrap();
    browser.goto(&format!("http://127.0.0.1:{port}/#token={TOKEN}")).unwrap();
    browser.until("document.querySelectorAll('main a[href*=\"/board\"]').length > 3").unwrap();
    assert_eq!((status(&mut browser), browser.eval("location.hash").unwrap()), (json!(200), json!("")));

    // A name of somebody else that leads here: neither page nor answers.
    browser.goto(&format!("http://evil.example:{port}/")).unwrap();
    assert_eq!(status(&mut browser), 421);
    assert_eq!(browser.eval("document.scripts.length").unwrap(), 0);

    // A page of somebody else, with the cookie in the browser: it can start nothing, by script or by form.
    browser.goto(&format!("http://127.0.0.1:{}/", stranger())).unwrap();
    let job = json!({"kind": "study", "game": "accordion", "study": "solvable", "settings": {"deals": 10}});
    for kind in ["text/plain", "application/json"] {
        let sent = format!(
            "fetch('http://127.0.0.1:{port}/api/jobs', {{method: 'POST', mode: 'no-cors', credentials: 'include', headers: {{'content-type': '{kind}'}}, body: {}}}).then((a) => a.type, String)",
            Value::from(job.to_string())
        );
        browser.eval(&sent).unwrap();
    }
    let read = format!("fetch('http://127.0.0.1:{port}/api/games').then((a) => a.text(), () => 'refused')");
    assert_eq!(browser.eval(&read).unwrap(), "refused");
    let form = format!(
        "(() => {{ const f = document.createElement('form'); f.method = 'post'; f.enctype = 'text/plain'; f.action = 'http://127.0.0.1:{port}/api/jobs'; const i = document.createElement('input'); i.name = {}; i.value = '\"}}'; f.append(i); document.body.append(f); f.submit(); }})()",
        Value::from(job.to_string().trim_end_matches('}').to_owned() + ",\"x\":\"")
    );
    browser.eval(&form).unwrap();
    browser.until("location.pathname === '/api/jobs' && document.body.innerText.includes('origin')").unwrap();
    let (status, jobs) = ask(&server, "/api/jobs", &format!("Authorization: Bearer {TOKEN}\r\n"));
    assert_eq!((status, jobs), (200, json!({"jobs": []})), "somebody else has started work here");
}
