//! The shelf of classics: small games that are nothing but their rules, beside values that other programs have computed.
//! A golden table says which game with which settings, and what came out; a new row is a new comparison.

use crate::golden::{Computed, Golden, compare};
use crate::paper::{Heading, Paper, Subject};
use crate::reproduction::{Effort, Part, Parts, Piece};
use serde_json::Value;
use yomikiri_core::{Error, Refusal, Run, text};
use yomikiri_games::params::Settings;
use yomikiri_shelf::find;

/// The tables, one a part.
static GOLDEN: [Golden; 4] = [
    Golden { id: "acyclic", data: include_str!("golden/acyclic.toml") },
    Golden { id: "cyclic", data: include_str!("golden/cyclic.toml") },
    Golden { id: "chance", data: include_str!("golden/chance.toml") },
    Golden { id: "hidden", data: include_str!("golden/hidden.toml") },
];

/// Games with millions of positions or thereabouts, for which a quick reproduction has no time.
const LARGE: [&str; 17] = [
    "connectfour cols=5 rows=4",
    "dots rows=3 cols=3",
    "domineering rows=5 cols=5",
    "kalah pits=4 seeds=3",
    "hex rows=4 cols=4",
    "foxhounds size=8 fox=0",
    "foxhounds size=8 fox=1",
    "foxhounds size=8 fox=2",
    "foxhounds size=8 fox=3",
    "foxhounds size=8 fox=1 first=hounds",
    "pig target=30",
    "liarsdice sides=5 joker=none",
    "liarsdice sides=5 joker=first",
    "liarsdice sides=6 joker=none",
    "liarsdice sides=6 joker=first",
    "liarsdice sides=6 joker=last",
    "liarsdice first=2 second=2 sides=3",
];

/// The figures of a game with settings, such as `hex rows=2 cols=2`.
fn figures(instance: &str, run: &Run<'_>) -> Result<Vec<Computed>, Error> {
    let mut words = instance.split(' ');
    let id = words.next().unwrap_or_default();
    let game =
        find(id).ok_or_else(|| Refusal::new("game", id, text("a registered game", "登録されたゲーム")))?;
    let settings = Settings::new(game.params(), words.filter_map(|word| word.split_once('=')))?;
    let json = game.solve(&settings, run)?.json;
    let moves = |won: bool| {
        let values = json["moves"].as_object().into_iter().flat_map(|moves| moves.values());
        values.filter_map(Value::as_f64).filter(|v| if won { *v > 0.0 } else { *v < 0.0 }).count() as u64
    };
    let cell = |name: &str| format!("{instance}: {name}");
    let value = json["value"].as_f64().unwrap_or(f64::NAN);
    let written = json["fraction"].as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut all = vec![
        Computed::exact(cell("value"), value, written.replace('-', "−")),
        Computed::count(cell("winning first moves"), moves(true)),
        Computed::count(cell("losing first moves"), moves(false)),
    ];
    for (field, name) in [("positions", "positions"), ("plies", "plies to the end")] {
        all.extend(json[field].as_u64().map(|n| Computed::count(cell(name), n)));
    }
    Ok(all)
}

/// Computes a table again: every game it names that is small enough.
fn table(golden: &'static Golden, effort: Effort, run: &Run<'_>) -> Result<Piece, Error> {
    let published = golden.read();
    let of = |cell: &str| cell.split(": ").next().unwrap_or_default().to_owned();
    let mut instances: Vec<String> = published.cells.iter().map(|cell| of(&cell.cell)).collect();
    instances.dedup();
    let mut computed = Vec::new();
    for instance in instances {
        if effort == Effort::Full || !LARGE.contains(&instance.as_str()) {
            run.check()?;
            computed.extend(figures(&instance, run)?);
        }
    }
    // What nobody has published is not compared.
    computed.retain(|ours| published.cells.iter().any(|cell| cell.cell == ours.cell));
    Ok(compare(golden, &computed).into())
}

static PARTS: [Part<Effort>; 4] = [
    Part {
        id: "acyclic",
        title: text("Perfect information, no cycles", "循環のない完全情報ゲーム"),
        run: |effort, run| table(&GOLDEN[0], *effort, run),
    },
    Part {
        id: "cyclic",
        title: text("Perfect information with cycles", "循環のある完全情報ゲーム"),
        run: |effort, run| table(&GOLDEN[1], *effort, run),
    },
    Part {
        id: "chance",
        title: text("Chance, everything seen", "偶然があり、すべて見えるゲーム"),
        run: |effort, run| table(&GOLDEN[2], *effort, run),
    },
    Part {
        id: "hidden",
        title: text("Hidden information", "非公開情報のあるゲーム"),
        run: |effort, run| table(&GOLDEN[3], *effort, run),
    },
];

/// The shelf.
pub static PAPER: Paper = Paper {
    subject: Subject::Several(Heading {
        id: "classics",
        name: text("Classics", "古典ゲーム"),
        summary: text(
            "small games beside values from other programs",
            "小さな古典ゲームと、他のプログラムによる値",
        ),
    }),
    key: "classics",
    citation: text(
        "reference values from other programs; each row names its source",
        "他のプログラムによる参照値（出典は各行）",
    ),
    golden: &GOLDEN,
    reproduction: |effort| Box::new(Parts { shared: effort, parts: &PARTS }),
    cost: 10,
    questions: &[],
    studies: &[],
    certifier: None,
};
