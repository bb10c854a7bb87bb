//! The games of yomikiri, one folder each, behind one face. Games do no I/O: what they read and write
//! goes through the run they are given.

pub mod accordion;
pub mod contract;
pub mod entry;
pub mod eval;
pub mod geister;
pub mod memory;
pub mod params;
pub mod play;
pub mod registry;
pub mod saichugen;
pub mod sixtysix;
pub mod tables;

pub use entry::{About, Entry, Evaluator};
pub use registry::{GAMES, find};
