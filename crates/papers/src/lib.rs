//! The papers of yomikiri, one folder each: published tables, their reproductions, studies and open questions. They
//! stand beside the games; a game need not have one.

pub mod accordion;
pub mod geister;
pub mod memory;
mod registry;
pub mod saichugen;
pub mod sixtysix;

pub use registry::PAPERS;
pub use yomikiri_games::paper;
pub use yomikiri_games::{Effort, Paper, Papers, Study, golden, reproduction, stats, sweep};
