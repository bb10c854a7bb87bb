//! S. Soeda and T. Tanaka on the endgames of Saichugen: their tables and figures, tournaments, the last turn as a game,
//! and the questions they leave open.

mod approach;
pub mod balance;
mod endings;
mod figures;
pub mod guarantee;
pub mod last_turn;
pub mod last_turns;
pub mod open;
pub mod published;
pub mod reproduce;
pub mod soft;
pub mod tournament;

use crate::paper::{Paper, Study, Subject};
use crate::reproduction::Parts;
use yomikiri_core::text;
use yomikiri_games::saichugen::SAICHUGEN;

/// The studies.
pub static STUDIES: [Study; 8] = [
    tournament::STUDY,
    open::last_turn::STUDY,
    open::last_turns::STUDY,
    open::last_round::STUDY,
    open::opponents::STUDY,
    open::second::STUDY,
    open::hands::STUDY,
    open::collusion::STUDY,
];

/// The paper.
pub static PAPER: Paper = Paper {
    subject: Subject::Game(&SAICHUGEN),
    key: "saichugen-soeda-tanaka",
    citation: text(
        "S. Soeda and T. Tanaka, Analysis of Saichugen Endgames (in Japanese)",
        "副田俊介・田中哲朗「最中限の終盤の分析」",
    ),
    golden: &published::GOLDEN,
    reproduction: |effort| {
        Box::new(Parts { shared: reproduce::Results::new(effort), parts: &reproduce::PARTS })
    },
    cost: 15,
    questions: &reproduce::QUESTIONS,
    studies: &STUDIES,
    certifier: None,
};
