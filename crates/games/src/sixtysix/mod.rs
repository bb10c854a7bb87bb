//! Generalised 66 (一般化66): a trick-taking game of one suit with open cards.

pub mod dense;
pub mod rules;
pub mod search;
