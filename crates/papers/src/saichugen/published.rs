//! What the paper prints.

use crate::golden::Golden;

/// The published tables.
pub static GOLDEN: [Golden; 4] = [
    Golden { id: "figures", data: include_str!("golden/figures.toml") },
    Golden { id: "table3", data: include_str!("golden/table3.toml") },
    Golden { id: "table4", data: include_str!("golden/table4.toml") },
    Golden { id: "table5", data: include_str!("golden/table5.toml") },
];
