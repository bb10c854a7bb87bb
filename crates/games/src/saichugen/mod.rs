//! Saichugen (最中限): three players, fifteen turns, and the middle wins; the paper about its last round.

pub mod answer;
pub mod board;
pub mod kernel;
pub mod notation;
pub mod player;
pub mod respond;
pub mod rules;
pub mod sample;
pub mod scene;
pub mod seats;
pub mod summary;
pub mod team;
pub mod view;

use crate::about::{About, Evaluator, Headline};
use crate::entry::Entry;
use crate::params::{Kind, Param, Settings};
use crate::play::Play;
use crate::tables::Tables;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_view::report::Outcome;
use yomikiri_view::scene::{Scene, Viewer};

/// The registered game.
pub static SAICHUGEN: SaichugenEntry = SaichugenEntry;

/// Saichugen as the faces see it.
pub struct SaichugenEntry;

static ABOUT: About = About {
    id: "saichugen",
    name: text("Saichugen", "最中限"),
    summary: text(
        "three players, the middle wins: exact expectations in the last round, tournaments, the paper's tables",
        "3人で中位を争うカードゲーム：最終ラウンドの厳密な期待値、対戦、論文の表",
    ),
    notation: notation::VIEW,
    example: "D3_C5_S5_HT_CK/CA_H2_S2_C4_S6_D7_H8_S9_DT_SJ_HQ/8,11,5/0,0,0",
    eval: text(
        "turn (13, 14, 15), hand, unknown (lists of cards), scores, round (points of me and both opponents)",
        "turn（13、14、15）、hand、unknown（カードのリスト）、scores、round（自分と相手2人の点数）",
    ),
    question: r#"{"turn":13,"hand":["D3","C5","S5","HT","CK"],"unknown":["CA","H2","S2","C4","S6","D7","H8","S9","DT","SJ","HQ"],"scores":[8,11,5],"round":[0,0,0]}"#,
    players: 3,
};

static PARAMS: [Param; 4] = [
    seats::SEATING,
    player::MODEL,
    player::TIES,
    Param {
        name: "deal",
        kind: Kind::Int { min: 0, max: 999_999_999 },
        default: "0",
        help: text("number of the deal under the seed", "シードのもとでの配札の番号"),
    },
];

impl Entry for SaichugenEntry {
    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
        summary::solve(settings, run)
    }
    fn show(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Outcome, Error> {
        summary::show(settings, position, run)
    }
    fn scene(
        &self,
        settings: &Settings,
        position: Option<&str>,
        viewer: Viewer,
        run: &Run<'_>,
    ) -> Result<Scene, Error> {
        scene::asked(settings, position, viewer, run)
    }
    fn edits(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Scene, Error> {
        scene::edits(settings, position, run)
    }
    fn headline(&self, _: &Run<'_>) -> Result<Headline, Error> {
        scene::headline(ABOUT.example)
    }
    fn evaluator(&self, _: bool) -> Box<dyn Evaluator> {
        Box::new(answer::Requests::default())
    }
    fn play(
        &self,
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<Box<dyn Play>, Error> {
        Ok(Box::new(board::Board::new(settings, position, run)?))
    }
    fn tables(&self) -> Result<&'static dyn Tables, Text> {
        Err(text(
            "its positions are too many to keep; a decision of the last round is computed in a fraction of a millisecond",
            "局面が多すぎて保存できません。最終ラウンドの判断は1ミリ秒未満で計算できます",
        ))
    }
}
