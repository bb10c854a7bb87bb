//! Memory (神経衰弱).

pub mod levels;
pub mod rules;
