//! The vocabulary of yomikiri: what a game is, what a run is, and the exact and portable pieces
//! that rules, solvers and faces share. Nothing here knows a particular game, and nothing does I/O.

pub mod cache;
pub mod cards;
pub mod clock;
pub mod combin;
pub mod error;
pub mod game;
pub mod number;
pub mod random;
pub mod rows;
pub mod run;
pub mod tables;
pub mod text;

pub use error::{Error, Refusal};
pub use game::{Canonical, Game, Hidden, Indexed, Look, Retro, Turn};
pub use number::{Number, Rational};
pub use run::{Estimate, Observer, Run, Store};
pub use tables::{ByteSource, OpenTable, OpenTables};
pub use text::{Lang, Text, text};
