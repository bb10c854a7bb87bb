//! Saichugen (最中限): three players, fifteen turns, and the middle wins; the paper about its last round.

pub mod kernel;
pub mod last_turn;
pub mod paper;
pub mod respond;
pub mod rules;
pub mod sample;
pub mod team;
pub mod view;
