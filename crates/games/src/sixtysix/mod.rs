//! Generalised 66 (一般化66): a trick-taking game of one suit with open cards.

pub mod answer;
pub mod closed;
pub mod dense;
pub mod drawing;
pub mod endings;
pub mod points;
pub mod referee;
pub mod rules;
pub mod search;
pub mod solver;
pub mod strategies;
pub mod table;
