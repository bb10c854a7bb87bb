//! The papers of yomikiri, one folder each: published tables, their reproductions, studies and open questions. They
//! stand beside the games; a game need not have one. Papers do no I/O: what they read and write goes through the run
//! they are given.

pub mod accordion;
pub mod classics;
pub mod geister;
pub mod golden;
pub mod memory;
pub mod paper;
pub mod registry;
pub mod reproduction;
pub mod saichugen;
pub mod sixtysix;
pub mod stats;
pub mod sweep;

pub use paper::{Paper, Papers, Study};
pub use registry::PAPERS;
pub use reproduction::Effort;
