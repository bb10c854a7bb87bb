//! The one table of the API: what an address stands for and the description of it are both made from it.

use crate::answer::{CSV, FILE, JSON, LINES, SVG};
use crate::route::{Back, Parameter, Route, Sent};
use crate::{checks, eval, games, jobs, openapi, play, position};
use serde_json::json;
use yomikiri_papers::Effort;

const POSITION: Parameter = Parameter {
    name: "position",
    help: "a position in the game's notation; the start if there is none",
    schema: r#"{"type":"string"}"#,
};
const VIEWER: Parameter = Parameter {
    name: "viewer",
    help: "who looks: a seat of the game, from 0, or all for what everybody knows",
    schema: r#"{"type":"string","pattern":"^(all|[0-9]+)$"}"#,
};
const SCORES: Parameter = Parameter {
    name: "scores",
    help: "other scores, whole numbers joined by commas, one a seat; for seats that are `typed`",
    schema: r#"{"type":"string","pattern":"^-?[0-9]+(,-?[0-9]+)*$"}"#,
};
const NUMBER: Parameter = Parameter {
    name: "number",
    help: "which puzzle; that of a day is the number of days since the beginning of 1970",
    schema: r#"{"type":"integer","minimum":0,"maximum":4294967295}"#,
};
const WAIT: Parameter = Parameter {
    name: "wait",
    help: "milliseconds to wait for news: another state, or another part of the result",
    schema: r#"{"type":"integer","minimum":0,"maximum":10000}"#,
};
const SEEN: Parameter = Parameter {
    name: "seen",
    help: "`news` of the job as it was last seen: what has changed since is told at once",
    schema: r#"{"type":"integer","minimum":0}"#,
};
const EXACT: Parameter = Parameter {
    name: "exact",
    help: "1: exact fractions where the game has them",
    schema: r#"{"enum":["0","1"]}"#,
};
const LANG: Parameter =
    Parameter { name: "lang", help: "the language of error lines", schema: r#"{"enum":["en","ja"]}"# };

const fn back(status: u16, schema: &'static str, help: &'static str) -> Back {
    Back { status, kind: JSON, schema, help }
}

const LATER: Back =
    back(202, "Job", "it takes longer: ask for the job until it is done, then `result` is the answer");

/// A running game, as it is sent.
const PLAY: Sent = Sent {
    kind: JSON,
    schema: "Play",
    examples: |_, _| {
        let play = |hints: &str, moves: &[&str]| json!({"settings": {}, "seed": 7, "moves": moves, "hints": hints, "machine": false});
        vec![
            ("start", play("none", &[])),
            ("machine", play("all", &["*"])),
            ("best", play("best", &["*", "*"])),
        ]
    },
};

/// The head of a certificate that promises nothing: it can be read, and is refused.
const PROOF: &str = "{\"aden\":1,\"entries\":0}\n";

/// The API.
pub static ROUTES: &[Route] = &[
    Route {
        method: "GET",
        path: "/api/games",
        id: "games",
        summary: "The games, with everything a page needs to show any of them",
        settings: false,
        query: &[],
        sent: &[],
        back: &[back(200, "Games", "the games")],
        answer: games::list,
    },
    Route {
        method: "GET",
        path: "/api/headline/{game}",
        id: "headline",
        summary: "One number and a small picture of a game",
        settings: false,
        query: &[],
        sent: &[],
        back: &[back(200, "Headline", "the headline"), LATER],
        answer: position::headline,
    },
    Route {
        method: "GET",
        path: "/api/scene/{game}",
        id: "scene",
        summary: "A position as a picture, with every move and its value",
        settings: true,
        query: &[POSITION, VIEWER],
        sent: &[],
        back: &[back(200, "Scene", "the scene"), LATER],
        answer: position::scene,
    },
    Route {
        method: "GET",
        path: "/api/show/{game}",
        id: "show",
        summary: "The value of a position and of every move: what `yomikiri show --json` prints",
        settings: true,
        query: &[POSITION],
        sent: &[],
        back: &[back(200, "Shown", "the values"), LATER],
        answer: position::show,
    },
    Route {
        method: "GET",
        path: "/api/edit/{game}",
        id: "edit",
        summary: "A position to be changed by hand: each move is a change, its id the notation of the position after it",
        settings: true,
        query: &[POSITION, SCORES],
        sent: &[],
        back: &[back(200, "Scene", "the scene"), LATER],
        answer: position::edit,
    },
    Route {
        method: "GET",
        path: "/api/cost/{game}",
        id: "cost",
        summary: "How long the values of a variant take, or why there will be none: found out by trying for a moment",
        settings: true,
        query: &[],
        sent: &[],
        back: &[back(200, "Cost", "the cost"), LATER],
        answer: position::cost,
    },
    Route {
        method: "GET",
        path: "/api/puzzle/{game}",
        id: "puzzle",
        summary: "A position of a played game in which one move is best, without telling which",
        settings: true,
        query: &[NUMBER],
        sent: &[],
        back: &[back(200, "Puzzle", "the puzzle"), LATER],
        answer: position::puzzle,
    },
    Route {
        method: "POST",
        path: "/api/eval/{game}",
        id: "eval",
        summary: "Answers one JSON object, or lines of them, as `yomikiri eval` does",
        settings: false,
        query: &[EXACT, LANG],
        sent: &[
            Sent {
                kind: JSON,
                schema: "Question",
                examples: |game, _| {
                    vec![("one", serde_json::from_str(game.about().question).unwrap_or_default())]
                },
            },
            Sent {
                kind: LINES,
                schema: "",
                examples: |game, _| vec![("lines", format!("{}\n\n", game.about().question).into())],
            },
        ],
        back: &[
            back(200, "Answered", "the answer"),
            Back {
                status: 200,
                kind: LINES,
                schema: "",
                help: "a line for each, with an `error` where it was refused",
            },
            LATER,
        ],
        answer: eval::eval,
    },
    Route {
        method: "POST",
        path: "/api/play/{game}",
        id: "play",
        summary: "A game at the table: the moves so far in, the table out",
        settings: false,
        query: &[],
        sent: &[PLAY],
        back: &[back(200, "Table", "the table"), LATER],
        answer: play::play,
    },
    Route {
        method: "POST",
        path: "/api/picture/{game}",
        id: "picture",
        summary: "The same as a picture: the board, and its values beside it where they are wanted",
        settings: false,
        query: &[LANG],
        sent: &[PLAY],
        back: &[Back { status: 200, kind: SVG, schema: "", help: "the picture" }, LATER],
        answer: play::picture,
    },
    Route {
        method: "POST",
        path: "/api/check",
        id: "check",
        summary: "Whether a certificate or a proof holds, and what it shows: what `yomikiri check` says",
        settings: false,
        query: &[],
        sent: &[Sent { kind: FILE, schema: "", examples: |_, _| vec![("proof", PROOF.into())] }],
        back: &[back(200, "Report", "what it shows, or where it fails"), LATER],
        answer: checks::route,
    },
    Route {
        method: "GET",
        path: "/api/jobs",
        id: "jobs",
        summary: "Studies and reproductions, the oldest first",
        settings: false,
        query: &[],
        sent: &[],
        back: &[back(200, "Jobs", "the jobs, without results")],
        answer: jobs::list,
    },
    Route {
        method: "POST",
        path: "/api/jobs",
        id: "start",
        summary: "Starts a study or a reproduction, or finds the same one",
        settings: false,
        query: &[],
        sent: &[Sent {
            kind: JSON,
            schema: "Wish",
            examples: |game, papers| {
                let id = game.about().id;
                let mut all = Vec::new();
                all.extend(papers.of(id).map(|paper| {
                    let parts = (paper.reproduction)(Effort::Quick).parts();
                    let parts = parts.iter().take(1).map(|part| part.id).collect::<Vec<_>>();
                    ("reproduce", json!({"kind": "reproduce", "game": id, "parts": parts}))
                }));
                all.extend(papers.studies(id).last().map(|study| {
                    (
                        "study",
                        json!({"kind": "study", "game": id, "study": study.name, "settings": {}, "seed": 1}),
                    )
                }));
                all
            },
        }],
        back: &[back(201, "Job", "it has been started"), back(200, "Job", "the same is there already")],
        answer: jobs::start,
    },
    Route {
        method: "GET",
        path: "/api/jobs/{id}",
        id: "job",
        summary: "A job, with its result as far as it is there",
        settings: false,
        query: &[WAIT, SEEN],
        sent: &[],
        back: &[back(200, "Job", "the job")],
        answer: jobs::show,
    },
    Route {
        method: "DELETE",
        path: "/api/jobs/{id}",
        id: "stop",
        summary: "Stops a job and keeps what it has; forgets one that is over",
        settings: false,
        query: &[],
        sent: &[],
        back: &[back(200, "Job", "the job as it was left")],
        answer: jobs::stop,
    },
    Route {
        method: "POST",
        path: "/api/jobs/{id}/resume",
        id: "resume",
        summary: "Takes a stopped study or reproduction up where it was",
        settings: false,
        query: &[],
        sent: &[],
        back: &[back(200, "Job", "it goes on")],
        answer: jobs::resume,
    },
    Route {
        method: "GET",
        path: "/api/jobs/{id}/rows.csv",
        id: "rows",
        summary: "The rows of a study, as far as they are there",
        settings: false,
        query: &[],
        sent: &[],
        back: &[Back { status: 200, kind: CSV, schema: "", help: "the rows" }],
        answer: jobs::rows,
    },
    Route {
        method: "GET",
        path: "/api/jobs/{id}/tables/{file}",
        id: "table",
        summary: "A table or chart of a result as CSV; reports say where",
        settings: false,
        query: &[],
        sent: &[],
        back: &[Back { status: 200, kind: CSV, schema: "", help: "the table" }],
        answer: jobs::table,
    },
    Route {
        method: "GET",
        path: "/api/openapi.json",
        id: "openapi",
        summary: "This description",
        settings: false,
        query: &[],
        sent: &[],
        back: &[back(200, "", "an OpenAPI 3.1 description")],
        answer: |api, ask| openapi::describe(api, ask, ROUTES),
    },
];
