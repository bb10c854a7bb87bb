//! T. Tanaka and S. Takaoka on Mini-Geister: table 1 and the figures, their strategies put to the test, other boards,
//! and the interval they leave open, with certificates.

mod boards;
mod certificate;
mod certify;
pub mod exploit;
mod figures;
mod interval;
mod neighbours;
mod play;
mod reproduce;

use crate::paper::{Paper, Subject};
use crate::reproduction::Parts;
use yomikiri_core::text;
use yomikiri_games::geister::GEISTER;

/// The paper.
pub static PAPER: Paper = Paper {
    subject: Subject::Game(&GEISTER),
    key: "geister-tanaka-takaoka",
    citation: text(
        "T. Tanaka and S. Takaoka, Nash equilibrium strategies for Mini-Geister (in Japanese)",
        "田中哲朗・高岡峻「ミニガイスターのナッシュ均衡戦略」",
    ),
    golden: &reproduce::GOLDEN,
    reproduction: |effort| {
        Box::new(Parts { shared: reproduce::Results::new(effort), parts: &reproduce::PARTS })
    },
    cost: 105,
    questions: &reproduce::QUESTIONS,
    studies: &[exploit::STUDY, neighbours::STUDY, boards::STUDY],
    certifier: Some(&certify::CERTIFIER),
};
