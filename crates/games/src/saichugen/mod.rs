//! Saichugen (最中限): three players, fifteen turns, and the middle wins; the paper about its last round.

pub mod kernel;
pub mod paper;
pub mod rules;
pub mod view;
