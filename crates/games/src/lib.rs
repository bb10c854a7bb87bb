//! What every game gets from its rules and names, and the games of the papers, one folder each. Games do no I/O: what they read and write
//! goes through the run they are given.

pub mod about;
pub mod accordion;
pub mod analyse;
pub mod approach;
pub mod cost;
pub mod describe;
pub mod entry;
pub mod erased;
pub mod eval;
pub mod family;
pub mod geister;
pub mod given;
pub mod hidden;
pub mod memory;
mod outside;
pub mod params;
pub mod picture;
pub mod play;
pub mod puzzle;
pub mod rules;
pub mod running;
pub mod saichugen;
pub mod searched;
pub mod sixtysix;
pub mod strength;
pub mod tables;
pub mod told;

pub use about::{About, Evaluator, Primer};
pub use entry::Entry;
