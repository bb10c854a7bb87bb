//! K. Nakai and Y. Takenaga on trick-taking games, refereed: every statement as printed and corrected against brute
//! force, and what lies beyond it.

pub mod deck;
pub mod endings;
mod figures;
pub mod ladder;
mod open_ends;
pub mod referee;
pub mod reproduce;

use crate::paper::{Paper, Subject};
use crate::reproduction::Parts;
use yomikiri_core::text;
use yomikiri_games::sixtysix::SIXTYSIX;

/// The paper.
pub static PAPER: Paper = Paper {
    subject: Subject::Game(&SIXTYSIX),
    key: "sixtysix-nakai-takenaga",
    citation: text(
        "K. Nakai and Y. Takenaga, Complexity and winning strategies of trick-taking games (in Japanese)",
        "中井健一朗・武永康彦「トリックテイキングゲームの計算量と必勝戦略」",
    ),
    golden: &reproduce::GOLDEN,
    reproduction: |effort| {
        Box::new(Parts { shared: reproduce::Results::new(effort), parts: &reproduce::PARTS })
    },
    cost: 6,
    questions: &reproduce::QUESTIONS,
    studies: &reproduce::STUDIES,
    certifier: None,
};
