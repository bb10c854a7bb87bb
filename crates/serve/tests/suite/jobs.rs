//! Studies and reproductions: progress, stopping and going on, what they leave.

use crate::support::{Served, limits, server, until};
use serde_json::{Value, json};

fn start(server: &Served, wish: &Value) -> String {
    let answer = server.post("/api/jobs", wish);
    assert_eq!(answer.status, 201, "{}", answer.text());
    let id = answer.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(answer.header("location"), Some(format!("/api/jobs/{id}").as_str()));
    id
}

fn job(server: &Served, id: &str) -> Value {
    server.get(&format!("/api/jobs/{id}")).json()
}

fn draws(items: u64, pause: u64) -> Value {
    json!({"kind": "study", "game": "stones", "study": "draws", "settings": {"items": items, "pause": pause}, "seed": 3})
}

#[test]
fn law_a_study_tells_how_far_it_is_and_what_it_has() {
    let server = server(limits());
    let id = start(&server, &draws(4000, 2));
    until("there are rows", || job(&server, &id)["rows"].as_u64().is_some_and(|rows| rows > 400));
    let now = job(&server, &id);
    assert_eq!(now["state"], "running");
    assert_eq!(now["command"], "yomikiri study stones draws --items 4000 --pause 2 --seed 3");
    let progress = &now["progress"][0];
    assert_eq!(progress["total"], 4000);
    assert!(
        progress["rate"].as_f64().unwrap() > 0.0 && progress["left"].as_f64().unwrap() > 0.0,
        "{progress}"
    );
    let live = &now["live"][0];
    assert!(live["low"].as_f64() < live["value"].as_f64() && live["value"].as_f64() < live["high"].as_f64());
    // What is there can be had while it runs.
    let csv = server.get(&format!("/api/jobs/{id}/rows.csv")).text();
    assert!(csv.starts_with("item,drawn\n0,") && csv.lines().count() > 400, "{}", csv.lines().count());
    server.ask("DELETE", &format!("/api/jobs/{id}"), "", "");
    assert_eq!(server.finished(&id)["state"], "cancelled");
}

#[test]
fn law_a_stopped_study_goes_on_where_it_was() {
    let server = server(limits());
    // What it comes to in one go.
    let whole = start(&server, &draws(900, 0));
    let expected = server.finished(&whole);
    let rows = server.get(&format!("/api/jobs/{whole}/rows.csv")).text();
    assert_eq!(rows.lines().count(), 901);

    let other = self::server(limits());
    let id = start(&other, &draws(900, 1));
    until("there are rows", || job(&other, &id)["rows"].as_u64().is_some_and(|rows| rows > 100));
    other.ask("DELETE", &format!("/api/jobs/{id}"), "", "");
    let stopped = other.finished(&id);
    assert_eq!(stopped["state"], "cancelled");
    let kept = stopped["rows"].as_u64().unwrap();
    assert!((100..900).contains(&kept), "{kept}");
    let part = other.get(&format!("/api/jobs/{id}/rows.csv")).text();
    assert!(rows.starts_with(&part) && part.lines().count() as u64 == kept + 1);
    assert_eq!(other.ask("POST", &format!("/api/jobs/{id}/resume"), "", "").status, 200);
    let done = other.finished(&id);
    assert_eq!(done["state"], "done", "{done}");
    assert!(done["notes"][0]["en"].as_str().unwrap().starts_with("resumed at "), "{}", done["notes"]);
    assert_eq!(done["result"]["json"], expected["result"]["json"]);
    assert_eq!(other.get(&format!("/api/jobs/{id}/rows.csv")).text(), rows);
    // What is done does not go on.
    let answer = other.ask("POST", &format!("/api/jobs/{id}/resume"), "", "");
    assert_eq!((answer.status, &answer.json()["error"]["code"]), (409, &json!("state")));
    // Forgotten, its rows are gone as well.
    other.ask("DELETE", &format!("/api/jobs/{id}"), "", "");
    assert_eq!(other.get(&format!("/api/jobs/{id}/rows.csv")).status, 404);
    let again = start(&other, &draws(900, 1));
    assert!(other.finished(&again)["notes"].as_array().unwrap().is_empty());
}

#[test]
fn law_tables_and_charts_can_be_had_as_csv() {
    let server = server(limits());
    let id = start(&server, &json!({"kind": "study", "game": "stones", "study": "plain"}));
    let report = server.finished(&id)["result"].clone();
    let blocks = report["blocks"].as_array().unwrap();
    let kinds: Vec<&str> = blocks.iter().map(|b| b["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["text", "facts", "table", "chart", "chart", "scenes", "drawing"]);
    let with: Vec<&str> = blocks.iter().filter_map(|b| b["csv"].as_str()).collect();
    assert_eq!(with.len(), 3);
    let table = server.get(with[0]);
    assert_eq!(table.header("content-type"), Some("text/csv; charset=utf-8"));
    assert!(table.header("content-disposition").unwrap().starts_with("attachment"));
    assert_eq!(table.text(), "name,n\n\"a, b\",1234\n");
    assert!(server.get(with[1]).text().starts_with("series,drawn,x,y,low,high\n"));
    let chart = &blocks[3]["svg"];
    assert!(
        chart["en"].as_str().unwrap().starts_with("<svg")
            && chart["ja"].as_str().unwrap().starts_with("<svg")
    );
    for file in ["0.csv", "4.csv", "1", "one.csv", "1.csv.csv", "-1.csv"] {
        assert_eq!(server.get(&format!("/api/jobs/{id}/tables/{file}")).status, 404, "{file}");
    }
    assert_eq!(server.get(&format!("/api/jobs/{id}/rows.csv")).status, 404, "it makes no rows");
}

#[test]
fn law_the_same_work_is_done_once() {
    let server = server(limits());
    let wish = json!({"kind": "reproduce", "game": "stones", "parts": ["one"]});
    let id = start(&server, &wish);
    assert_eq!(server.finished(&id)["state"], "done");
    let again = server.post("/api/jobs", &wish);
    assert_eq!((again.status, again.json()["id"].as_str()), (200, Some(id.as_str())));
    let other = start(&server, &draws(10, 0));
    server.finished(&other);
    assert_eq!(server.post("/api/jobs", &draws(10, 0)).status, 200);
    let seed =
        json!({"kind": "study", "game": "stones", "study": "draws", "settings": {"items": 10}, "seed": 4});
    assert_eq!(server.post("/api/jobs", &seed).status, 201, "another seed is other work");
    assert_eq!(server.get("/api/jobs").json()["jobs"].as_array().unwrap().len(), 3);
    // What was stopped goes on as the same job.
    let slow = json!({"kind": "study", "game": "stones", "study": "plain", "settings": {"mood": "slow"}});
    let id = start(&server, &slow);
    server.ask("DELETE", &format!("/api/jobs/{id}"), "", "");
    assert_eq!(server.finished(&id)["state"], "cancelled");
    let again = server.post("/api/jobs", &slow);
    assert_eq!((again.status, again.json()["id"].as_str()), (200, Some(id.as_str())));
    until("it runs", || job(&server, &id)["state"] == "running");
}

#[test]
fn law_the_parts_of_a_paper_are_seen_as_they_are_done() {
    let server = server(limits());
    let id = start(&server, &json!({"kind": "reproduce", "game": "stones"}));
    until("a part is done", || job(&server, &id)["result"]["parts"].as_array().is_some_and(|p| p.len() == 1));
    let now = job(&server, &id);
    assert_eq!((&now["state"], &now["result"]["parts"][0]["id"]), (&json!("running"), &json!("one")));
    assert_eq!(now["result"]["parts"][0]["command"], "yomikiri reproduce stones --only one");
    // News that have been missed are told at once, others are waited for.
    let news = now["news"].as_u64().unwrap();
    assert_eq!(server.get(&format!("/api/jobs/{id}?wait=10000&seen={}", news - 1)).json()["news"], news);
    assert_eq!(server.get(&format!("/api/jobs/{id}?wait=100&seen={news}")).json()["news"], news);
    let csv = now["result"]["parts"][0]["report"]["blocks"][0]["csv"].as_str().unwrap().to_owned();
    assert_eq!(server.get(&csv).text(), "name,n\n\"a, b\",1234\n");
    server.ask("DELETE", &format!("/api/jobs/{id}"), "", "");
    let stopped = server.finished(&id);
    assert_eq!(
        (&stopped["state"], stopped["result"]["parts"].as_array().unwrap().len()),
        (&json!("cancelled"), 1)
    );
}

#[test]
fn law_jobs_wait_their_turn_and_too_many_are_told_to_come_again() {
    let server = server(crate::support::Limits { jobs: 1, waiting_jobs: 1, ..limits() });
    let slow = |size: u64| json!({"kind": "study", "game": "stones", "study": "plain", "settings": {"mood": "slow", "size": size}});
    let first = start(&server, &slow(1));
    let second = start(&server, &slow(2));
    until("the first runs", || job(&server, &first)["state"] == "running");
    assert_eq!(job(&server, &second)["state"], "waiting");
    let answer = server.post("/api/jobs", &slow(3));
    assert_eq!((answer.status, answer.header("retry-after")), (429, Some("10")));
    // One that waits is stopped at once, and taken up again when there is a place.
    let stopped = server.ask("DELETE", &format!("/api/jobs/{second}"), "", "").json();
    assert_eq!(stopped["state"], "cancelled");
    assert_eq!(server.ask("POST", &format!("/api/jobs/{second}/resume"), "", "").json()["state"], "waiting");
    server.ask("DELETE", &format!("/api/jobs/{first}"), "", "");
    until("the second runs", || job(&server, &second)["state"] == "running");
}
