//! Opponents who are not random: what the paper's player believes, what it gets against two like itself, and what the
//! best response to them gets. Every position is worked out exactly, so only the positions are sampled.

use super::{Mean, searchers, table_at};
use crate::paper::Study;
use crate::sweep::{Sweep, real, sweep, whole};
use serde_json::json;
use yomikiri_core::rows::Column;
use yomikiri_core::run::Silent;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::params::{Param, Settings};
use yomikiri_games::saichugen::kernel::Kernel;
use yomikiri_games::saichugen::player::{House, TIES};
use yomikiri_games::saichugen::respond::Responder;
use yomikiri_games::saichugen::rules::LAST_ROUND;
use yomikiri_games::saichugen::seats::Party;
use yomikiri_games::saichugen::view::View;
use yomikiri_view::report::{Block, Cell, Outcome, Tone, grouped};

static COLUMNS: [Column; 4] = [
    whole("game", text("number of the game under the seed", "ゲームの番号")),
    real(
        "believed",
        text(
            "what the paper's player expects, taking the others for random",
            "論文のプレイヤーの期待値（相手は無作為と仮定）",
        ),
    ),
    real("search", text("what it gets against two who search", "探索する2人に対する実際の期待値")),
    real("respond", text("what the best response gets", "最適応答の期待値")),
];

/// The study.
pub const STUDY: Study = Study {
    name: "opponents",
    summary: text(
        "opponents who are not random: the exact best response to two searchers against the paper's player",
        "ランダムでない相手：探索する2人への厳密な最適応答と論文のプレイヤーの比較",
    ),
    params: &[
        Param::int("positions", 1, 1_000_000, "100", text("positions before turn 13", "ターン13の局面の数")),
        TIES,
    ],
    rows: &COLUMNS,
    run: study,
};

/// What the positions give on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Opponents {
    /// What the paper's player believes.
    pub believed: Mean,
    /// What it gets.
    pub search: Mean,
    /// What the best response gets.
    pub respond: Mean,
    /// The difference of the two.
    pub gain: Mean,
    /// Positions in which there is something to gain.
    pub better: u64,
    /// The smallest difference: never below 0.
    pub least: f64,
}

/// Works out positions 0, 1, … under the seed of the run.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn opponents(positions: u64, house: House, run: &Run<'_>) -> Result<Opponents, Error> {
    let quiet = Run { observer: &Silent, threads: 1, ..*run };
    let workers = || (searchers(house), Kernel::new(), Responder::new(house.ties, &quiet));
    let item = |(seats, kernel, responder): &mut (Party, Kernel, Responder<'_>), game: u64| {
        let view = View::of(&table_at(seats, LAST_ROUND, run.seed, game), 0);
        let worth = responder.value(&view, &[])?;
        Ok(vec![game.into(), kernel.values(&view).value().into(), worth.search.into(), worth.best.into()])
    };
    let mut found = Opponents { least: f64::INFINITY, ..Opponents::default() };
    let what = text("positions", "局面");
    let sheet = Sweep { what, columns: &COLUMNS, items: positions, block: 2 };
    sweep(run, &sheet, workers, item, |_, row| {
        let [believed, search, respond] = [1, 2, 3].map(|i| row[i].float());
        found.believed.add(believed);
        found.search.add(search);
        found.respond.add(respond);
        found.gain.add(respond - search);
        found.better += u64::from(respond > search);
        found.least = found.least.min(respond - search);
    })?;
    Ok(found)
}

fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let house = House::of(settings.word("ties"), "independent");
    let positions = settings.int("positions") as u64;
    let found = opponents(positions, house, run)?;
    let (better, all) = (grouped(found.better), grouped(positions));
    let facts = vec![
        (text("positions before turn 13", "ターン13の局面"), grouped(positions).into()),
        (text("the paper's player believes", "論文のプレイヤーの期待"), found.believed.shown().into()),
        (text("and gets against two who search", "探索する2人に対する実際"), found.search.shown().into()),
        (text("the best response gets", "最適応答"), found.respond.shown().into()),
        (
            text("gain of the best response", "最適応答の利得"),
            Cell::from(found.gain.shown()).tone(Tone::Strong),
        ),
        (
            text("positions in which it gains", "利得のある局面"),
            Text::of(format!("{better} of {all}"), format!("{all} 局面中 {better}")).into(),
        ),
    ];
    let note = Block::Paragraph(text(
        "Every position is exact: all 2,772 ways the unknown cards can lie, what each opponent then does by its own search, and what its cards tell. Only the positions are sampled (95 % intervals); rounds 1–4 are played independently at random.",
        "各局面の値は厳密（不明なカードの2,772通りの配置、各相手自身の探索による着手、そこから分かること）。局面だけが標本（95 % 区間）。1～4ラウンドは独立な無作為プレイ。",
    ));
    let json = json!({
        "game": "saichugen", "study": "opponents", "seed": run.seed, "kind": "sampled", "positions": positions,
        "believed": found.believed.json(), "search": found.search.json(), "respond": found.respond.json(),
        "gain": found.gain.json(), "better": found.better,
    });
    Ok(Outcome { blocks: vec![note, Block::Facts(facts)], json, good: true })
}
