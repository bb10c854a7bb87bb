//! The API is what its description says: every operation is called with its examples, every answer is validated, and
//! nothing else is there.

use crate::support::schema::faults;
use crate::support::{Answer, Served};
use serde_json::{Value, json};

fn described(server: &Served) -> Value {
    let answer = server.get("/api/openapi.json");
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    answer.json()
}

/// Checks an answer against the description of its operation.
fn validate(description: &Value, operation: &Value, answer: &Answer, what: &str) {
    let status = answer.status.to_string();
    let answers = operation["responses"].as_object().unwrap();
    let described = answers.get(&status).unwrap_or_else(|| {
        assert!(answer.status >= 400, "{what}: {status} is not described: {}", answer.text());
        &answers["default"]
    });
    let kind = answer.header("content-type").unwrap();
    let content = described["content"].get(kind).unwrap_or_else(|| panic!("{what}: {kind} is not described"));
    if kind == "application/json" {
        let found = faults(description, &content["schema"], &answer.json());
        assert!(found.is_empty(), "{what}: {found:#?}\n{}", answer.text());
    }
}

fn operations(description: &Value) -> Vec<(String, String, Value)> {
    let mut all = Vec::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            all.push((method.to_uppercase(), path.clone(), operation.clone()));
        }
    }
    all
}

#[test]
fn law_every_operation_answers_as_described() {
    let server = crate::support::server(crate::support::limits());
    let description = described(&server);
    assert_eq!(description["openapi"], "3.1.0");
    // A finished study for what is asked of jobs, and a stopped one for what goes on.
    let started = server.post("/api/jobs", &json!({"kind": "study", "game": "stones", "study": "draws"}));
    let id = started.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(server.finished(&id)["state"], "done");
    let wish = json!({"kind": "study", "game": "stones", "study": "plain", "settings": {"mood": "slow"}});
    let stopped = || {
        let id = server.post("/api/jobs", &wish).json()["id"].as_str().unwrap().to_owned();
        server.ask("DELETE", &format!("/api/jobs/{id}"), "", "");
        assert_eq!(server.finished(&id)["state"], "cancelled");
        id
    };

    let mut called = 0;
    for (method, path, operation) in operations(&description) {
        let operation_id = operation["operationId"].as_str().unwrap();
        let job = if matches!(operation_id, "resume" | "stop") { stopped() } else { id.clone() };
        let mut target = path.replace("{id}", &job).replace("{file}", "1.csv");
        let mut query = Vec::new();
        for param in operation["parameters"].as_array().unwrap() {
            let (name, example) = (param["name"].as_str().unwrap(), &param["example"]);
            match (param["in"].as_str().unwrap(), example.as_str()) {
                ("path", Some(example)) => target = target.replace(&format!("{{{name}}}"), example),
                ("query", Some(example)) => query.push(format!("{name}={example}")),
                _ => {}
            }
        }
        assert!(!target.contains('{'), "{target} has no example");
        let mut targets = vec![target.clone()];
        if !query.is_empty() {
            targets.push(format!("{target}?{}", query.join("&")));
        }
        for target in targets {
            let what = format!("{method} {target}");
            let Some(contents) = operation["requestBody"]["content"].as_object() else {
                let answer = server.ask(&method, &target, "", "");
                assert_eq!(answer.status, 200, "{what}: {}", answer.text());
                validate(&description, &operation, &answer, &what);
                called += 1;
                continue;
            };
            for (kind, content) in contents {
                for (name, example) in content["examples"].as_object().unwrap() {
                    let value = &example["value"];
                    let body = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    if kind == "application/json" {
                        let found = faults(&description, &content["schema"], value);
                        assert!(found.is_empty(), "{what}, {name}: {found:?}");
                    }
                    let answer = server.ask(&method, &target, kind, &body);
                    assert!(matches!(answer.status, 200 | 201), "{what}, {name}: {}", answer.text());
                    validate(&description, &operation, &answer, &format!("{what}, {name}"));
                    called += 1;
                }
            }
        }
        // A bad call is described, too.
        let answer = server.ask(&method, &format!("{target}?no-such=1"), "application/json", "{");
        assert!((400..500).contains(&answer.status), "{method} {target}: {}", answer.status);
        validate(&description, &operation, &answer, &format!("{method} {target}, wrong"));
    }
    assert!(called >= 20, "{called}");
}

#[test]
fn law_results_are_as_described() {
    let server = crate::support::server(crate::support::limits());
    let description = described(&server);
    let schema = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    for (wish, result) in [
        (json!({"kind": "study", "game": "stones", "study": "plain"}), "Report"),
        (json!({"kind": "study", "game": "stones", "study": "draws"}), "Report"),
        (json!({"kind": "reproduce", "game": "stones", "parts": ["one"]}), "Reproduction"),
    ] {
        let id = server.post("/api/jobs", &wish).json()["id"].as_str().unwrap().to_owned();
        let job = server.finished(&id);
        assert_eq!(job["state"], "done", "{job}");
        assert_eq!(faults(&description, &schema("Job"), &job), Vec::<String>::new());
        assert_eq!(faults(&description, &schema(result), &job["result"]), Vec::<String>::new());
    }
}

#[test]
fn law_what_is_not_described_is_not_there() {
    let server = crate::support::server(crate::support::limits());
    let description = described(&server);
    let all = operations(&description);
    let mut paths: Vec<String> = all.iter().map(|(_, path, _)| path.clone()).collect();
    paths.dedup();
    for path in paths {
        let described: Vec<&str> =
            all.iter().filter(|(_, p, _)| *p == path).map(|(method, _, _)| method.as_str()).collect();
        let target = path.replace("{game}", "stones").replace("{id}", "x").replace("{file}", "1.csv");
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"] {
            let answer = server.ask(method, &target, "", "");
            if described.contains(&method) {
                assert_ne!(answer.status, 405, "{method} {target}");
            } else {
                assert_eq!(answer.status, 405, "{method} {target}");
                let allowed = answer.header("allow").unwrap();
                assert!(described.iter().all(|d| allowed.contains(d)), "{target}: {allowed}");
            }
        }
    }
    for nowhere in [
        "/api",
        "/api/",
        "/api/game",
        "/api/games/",
        "/api/games/memory",
        "/api//games",
        "/api/scene",
        "/api/jobs/x/y",
    ] {
        let answer = server.get(nowhere);
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (404, Some("application/json")),
            "{nowhere}"
        );
    }
    for nowhere in
        ["/index.html", "/boards", "/board/", "/assets", "/assets/", "/assets/none.js", "/favicon.ico"]
    {
        let answer = server.get(nowhere);
        assert_eq!(answer.status, 404, "{nowhere}");
        assert!(
            answer.text().contains("404") && answer.header("content-type").unwrap().starts_with("text/html")
        );
    }
    for page in ["/", "/board?game=stones", "/results", "/studies?job=1"] {
        let answer = server.get(page);
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/html; charset=utf-8")));
        assert_eq!(server.ask("POST", page, "", "").status, 405);
    }
}

#[test]
fn law_every_game_answers_as_described() {
    let server =
        crate::support::with(yomikiri_shelf::GAMES, yomikiri_papers::PAPERS, crate::support::limits());
    let description = described(&server);
    let listed = server.get("/api/games");
    let found = faults(&description, &json!({"$ref": "#/components/schemas/Games"}), &listed.json());
    assert!(found.is_empty(), "{found:#?}");
    let operation = |method: &str, path: &str| description["paths"][path][method].clone();
    for game in yomikiri_shelf::GAMES {
        let about = game.about();
        let id = about.id;
        for verb in ["headline", "scene", "show", "edit"] {
            let answer = done(&server, server.get(&format!("/api/{verb}/{id}")));
            validate(
                &description,
                &operation("get", &format!("/api/{verb}/{{game}}")),
                &answer,
                &format!("{verb} {id}"),
            );
        }
        let answer =
            done(&server, server.ask("POST", &format!("/api/eval/{id}"), "application/json", about.question));
        assert_eq!(answer.status, 200, "{}", answer.text());
        for hints in ["none", "best", "all"] {
            let played = |moves: &[&str]| {
                let wish = json!({"seed": 5, "moves": moves, "hints": hints});
                done(&server, server.post(&format!("/api/play/{id}"), &wish))
            };
            // Some games may be over after a move.
            let one = played(&["*"]);
            let over = one.status == 200 && one.text().contains("\"over\":true");
            let answer = if over { one } else { played(&["*", "*"]) };
            assert_eq!(answer.status, 200, "{}", answer.text());
            validate(
                &description,
                &operation("post", "/api/play/{game}"),
                &answer,
                &format!("play {id} {hints}"),
            );
        }
    }
}

/// Settings may ask for a game with rules of its own, and for more players than the game has as always.
#[test]
fn law_variants_are_told_with_the_rules_that_they_are_played_by() {
    let server =
        crate::support::with(yomikiri_shelf::GAMES, yomikiri_papers::PAPERS, crate::support::limits());
    let description = described(&server);
    let played = |settings: Value, moves: &[&str]| {
        let wish = json!({"seed": 5, "settings": settings, "moves": moves, "hints": "none", "seat": null});
        let answer = done(&server, server.post("/api/play/memory", &wish));
        assert_eq!(answer.status, 200, "{}", answer.text());
        validate(&description, &description["paths"]["/api/play/{game}"]["post"], &answer, "play memory");
        answer.json()
    };
    assert!(played(json!({"ranks": 2}), &[])["rules"].is_null());
    for (settings, says) in [
        (json!({"ranks": 2, "memory-model": "slots:2"}), "known cards are forgotten"),
        (json!({"ranks": 2, "memory-model": "asymmetric"}), "known cards are forgotten"),
        (json!({"ranks": 2, "players": 3}), "all players remember"),
        (json!({"ranks": 2, "pass": "must"}), "all players remember"),
    ] {
        let table = played(settings, &[]);
        assert!(table["rules"]["play"]["en"].as_str().unwrap().contains(says), "{}", table["rules"]);
    }
    let mut moves = Vec::new();
    let mut seats = std::collections::BTreeSet::new();
    for _ in 0..30 {
        let table = played(json!({"ranks": 4, "players": 5, "pass": "must"}), &moves);
        assert_eq!(table["turn"], table["scene"]["turn"]);
        seats.extend(table["turn"].as_u64());
        moves.push("*");
    }
    assert_eq!(seats.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
}

/// The answer itself, if it took the form of a job.
fn done(server: &Served, answer: Answer) -> Answer {
    if answer.status != 202 {
        return answer;
    }
    let job = server.finished(answer.json()["id"].as_str().unwrap());
    assert_eq!(job["state"], "done", "{job}");
    Answer { status: 200, body: job["result"].to_string().into_bytes(), ..answer }
}
