//! The games of yomikiri, one folder each, behind one face. Games do no I/O: what they read and write
//! goes through the run they are given.

pub mod about;
pub mod accordion;
pub mod analyse;
pub mod approach;
pub mod chomp;
pub mod connectfour;
pub mod describe;
pub mod dodgem;
pub mod domineering;
pub mod dots;
pub mod einstein;
pub mod entry;
pub mod erased;
pub mod eval;
pub mod family;
pub mod foxhounds;
pub mod geister;
pub mod grid;
pub mod hex;
pub mod hidden;
pub mod kalah;
pub mod kuhn;
pub mod memory;
pub mod morris;
pub mod mutorere;
pub mod nim;
pub mod othello;
pub mod params;
pub mod picture;
pub mod pig;
pub mod play;
pub mod registry;
pub mod rook;
pub mod running;
pub mod saichugen;
pub mod sixtysix;
pub mod solitaire;
pub mod tables;
pub mod tictactoe;
pub mod told;
pub mod yahtzee;

pub use about::{About, Evaluator};
pub use entry::Entry;
pub use registry::{GAMES, find};
