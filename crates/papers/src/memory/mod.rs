//! M. Arakawa on Memory: its tables and figures, rules of thumb, which it asks for, and the rule for two cards a rank.

pub mod experiments;
mod figures;
pub mod forgetting;
pub mod habits;
pub mod players;
pub mod policies;
mod reproduce;
pub mod rules_of_thumb;
pub mod seven_lines;
pub mod solitaire;
pub mod two_cards;
pub mod unusual;

use crate::paper::{Paper, Subject};
use crate::reproduction::Parts;
use yomikiri_core::text;
use yomikiri_games::memory::MEMORY;

/// The paper.
pub static PAPER: Paper = Paper {
    subject: Subject::Game(&MEMORY),
    key: "memory-arakawa",
    citation: text(
        "M. Arakawa, Exploration of optimal strategy for Memory, 2022 (in Japanese)",
        "荒川正幹「神経衰弱における最適戦略の探索」2022",
    ),
    golden: &reproduce::GOLDEN,
    reproduction: |effort| {
        Box::new(Parts { shared: reproduce::Results::new(effort), parts: &reproduce::PARTS })
    },
    cost: 85,
    questions: &reproduce::QUESTIONS,
    studies: &reproduce::STUDIES,
    certifier: None,
};
