//! The one list of papers. A new paper is a folder and a line here.

use crate::paper::Papers;

/// All papers.
pub static PAPERS: Papers = Papers(&[
    &crate::memory::PAPER,
    &crate::geister::PAPER,
    &crate::saichugen::PAPER,
    &crate::accordion::PAPER,
    &crate::sixtysix::PAPER,
    &crate::classics::PAPER,
]);
