//! Accordion (アコーディオン): a solitaire with a row of open cards, and the paper about looking ahead in it.

pub mod lookahead;
pub mod method;
pub mod rules;
pub mod sliced;
pub mod solvable;
