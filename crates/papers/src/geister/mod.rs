//! T. Tanaka and S. Takaoka on Mini-Geister: table 1 and the figures, their strategies put to the test, other boards,
//! and the interval they leave open, with certificates.

mod boards;
mod certificate;
mod certify;
pub mod exploit;
mod figures;
mod interval;
mod neighbours;
mod reproduce;

use crate::paper::{Paper, Study};
use crate::reproduction::Parts;
use yomikiri_core::text;
use yomikiri_games::geister::GEISTER;

/// The studies.
static STUDIES: [Study; 3] = [
    exploit::STUDY,
    neighbours::STUDY,
    Study {
        name: "boards",
        summary: text(
            "other boards and more pieces under the basic and the extended rule",
            "他の盤面と駒数（基本規則と拡張規則）",
        ),
        params: &boards::PARAMS,
        rows: &[],
        run: boards::study,
    },
];

/// The paper.
pub static PAPER: Paper = Paper {
    game: &GEISTER,
    key: "geister-tanaka-takaoka",
    citation: text(
        "T. Tanaka and S. Takaoka, Nash equilibrium strategies for Mini-Geister (in Japanese)",
        "田中哲朗・高岡峻「ミニガイスターのナッシュ均衡戦略」",
    ),
    golden: &reproduce::GOLDEN,
    reproduction: |effort| {
        Box::new(Parts { shared: reproduce::Results::new(effort), parts: &reproduce::PARTS })
    },
    questions: &reproduce::QUESTIONS,
    studies: &STUDIES,
    certifier: Some(&certify::CERTIFIER),
};
