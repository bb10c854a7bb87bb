//! The papers computed again: published figures, studies and what they found.

mod accordion_paper;
mod accordion_studies;
mod contract;
mod geister_exploit;
mod golden;
mod memory_more;
mod memory_paper;
mod reproduction;
mod saichugen_balance;
mod saichugen_open;
mod saichugen_round;
mod saichugen_studies;
mod saichugen_turns;
mod sixtysix_endings;
mod sixtysix_paper;
mod stats;
mod sweep;
