//! The games of yomikiri, one folder each.

pub mod memory;
