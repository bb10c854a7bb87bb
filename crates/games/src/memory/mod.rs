//! Memory (神経衰弱): two players with perfect memory, solved completely.

pub mod levels;
pub mod rules;
pub mod table;

use crate::contract::Contract;
use crate::entry::{About, Effort, Entry, Evaluator, Paper, Study};
use crate::golden::Golden;
use crate::params::{Kind, Param, Settings};
use crate::play::Play;
use crate::report::Outcome;
use rules::MAX_RANKS;
use yomikiri_core::{Error, Refusal, Run, text};

/// The registered game.
pub static MEMORY: MemoryEntry = MemoryEntry;

/// Memory as the faces see it.
pub struct MemoryEntry;

static ABOUT: About = About {
    id: "memory",
    name: text("Memory", "神経衰弱"),
    summary: text(
        "two players with perfect memory: the value of every position, by induction",
        "完全記憶の2人：全局面の値を後ろ向き帰納で求める",
    ),
    paper: Paper {
        key: "memory-arakawa",
        citation: text(
            "M. Arakawa, Exploration of optimal strategy for Memory, 2022 (in Japanese)",
            "荒川正幹「神経衰弱における最適戦略の探索」2022",
        ),
    },
    notation: text("", ""),
    example: "9x40,2x31,22,11,d1",
    eval: text("", ""),
};

static PARAMS: [Param; 3] = [
    Param {
        name: "ranks",
        kind: Kind::Int { min: 1, max: MAX_RANKS as i64 },
        default: "13",
        help: text("how many ranks there are", "ランクの数"),
    },
    Param {
        name: "copies",
        kind: Kind::Choice(&[
            ("2", text("two cards a rank", "同ランク2枚")),
            ("4", text("four cards a rank, as in the paper", "同ランク4枚（論文）")),
            ("6", text("six cards a rank", "同ランク6枚")),
        ]),
        default: "4",
        help: text("cards of each rank", "同じランクの枚数"),
    },
    Param {
        name: "objective",
        kind: Kind::Choice(&[
            ("win", text("win rate, a draw counts half", "勝率（引き分けは½）")),
            ("cards", text("expected pair difference", "ペア数の差の期待値")),
        ]),
        default: "win",
        help: text("what the players maximise", "最大化する量"),
    },
];

impl Entry for MemoryEntry {
    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn solve(&self, _: &Settings, _: &Run<'_>) -> Result<Outcome, Error> {
        Err(Refusal::new("solve", "", text("later", "")).into())
    }
    fn show(&self, _: &Settings, _: Option<&str>, _: &Run<'_>) -> Result<Outcome, Error> {
        Err(Refusal::new("solve", "", text("later", "")).into())
    }
    fn evaluator(&self, _: bool) -> Box<dyn Evaluator> {
        unimplemented!()
    }
    fn play(&self, _: &Settings, _: Option<&str>, _: &Run<'_>) -> Result<Box<dyn Play>, Error> {
        Err(Refusal::new("solve", "", text("later", "")).into())
    }
    fn golden(&self) -> &'static [Golden] {
        &[]
    }
    fn reproduce(&self, _: Effort, _: &Run<'_>) -> Result<Outcome, Error> {
        Err(Refusal::new("solve", "", text("later", "")).into())
    }
    fn studies(&self) -> &'static [Study] {
        &[]
    }
    fn contract(&self, _: &mut Contract) {}
}
