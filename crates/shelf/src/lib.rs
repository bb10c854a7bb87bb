//! The shelf: all games of yomikiri in one list, and the classics among them, one folder each. A new game is a folder and a
//! line in the list.

pub mod chomp;
pub mod connectfour;
pub mod darkhex;
pub mod dobutsu;
pub mod dodgem;
pub mod domineering;
pub mod dots;
pub mod einstein;
pub mod foxhounds;
pub mod goofspiel;
pub mod grid;
pub mod hex;
pub mod inspection;
pub mod kalah;
pub mod kuhn;
pub mod leduc;
pub mod liarsdice;
pub mod line;
pub mod matrix;
pub mod morris;
pub mod mutorere;
pub mod nim;
pub mod othello;
pub mod pig;
pub mod registry;
pub mod rook;
pub mod schnapsen;
pub mod solitaire;
pub mod tictactoe;
pub mod vonneumann;
pub mod yahtzee;

pub use registry::{GAMES, find};
