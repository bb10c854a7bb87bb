//! The games of yomikiri, one folder each, behind one face. Games do no I/O: what they read and write
//! goes through the run they are given.

pub mod accordion;
pub mod analyse;
pub mod contract;
pub mod describe;
pub mod entry;
pub mod erased;
pub mod eval;
pub mod family;
pub mod geister;
pub mod golden;
pub mod memory;
pub mod nim;
pub mod paper;
pub mod params;
pub mod picture;
pub mod play;
pub mod registry;
pub mod reproduction;
pub mod saichugen;
pub mod sixtysix;
pub mod stats;
pub mod sweep;
pub mod tables;
pub mod tictactoe;
pub mod told;

pub use entry::{About, Entry, Evaluator};
pub use paper::{Paper, Papers, Study};
pub use registry::{GAMES, find};
pub use reproduction::Effort;
