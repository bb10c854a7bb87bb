//! Memory for two to five players, with other rules for passes and other aims: one game with its solver for every number of players.

pub mod kernel;
pub mod rules;
pub mod scores;
pub mod table;
pub mod worth;
