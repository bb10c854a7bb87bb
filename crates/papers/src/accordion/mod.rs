//! T. Shintani on looking ahead in Accordion: the tables and examples, which deals can be won, small decks, and advice.

pub mod advice;
pub mod experiment;
mod figures;
pub mod first_moves;
pub mod lookahead;
pub mod means;
pub mod published;
mod reproduce;
pub mod small;
pub mod solvable;
pub mod unsolvable;

use crate::paper::{Paper, Study, Subject};
use crate::reproduction::Parts;
use yomikiri_core::text;
use yomikiri_games::accordion::ACCORDION;

/// The studies.
pub static STUDIES: [Study; 5] =
    [lookahead::STUDY, solvable::STUDY, small::STUDY, unsolvable::STUDY, advice::STUDY];

/// The paper.
pub static PAPER: Paper = Paper {
    subject: Subject::Game(&ACCORDION),
    key: "accordion-shintani",
    citation: text(
        "T. Shintani, Some Consideration on Look Ahead in the Card Game \"Accordion\" (in Japanese)",
        "新谷敏朗「カードゲーム『アコーディオン』の先読みに関する考察」",
    ),
    golden: &published::GOLDEN,
    reproduction: |effort| {
        Box::new(Parts { shared: reproduce::Results::new(effort), parts: &reproduce::PARTS })
    },
    cost: 160,
    questions: &reproduce::QUESTIONS,
    studies: &STUDIES,
    certifier: None,
};
