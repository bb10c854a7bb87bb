//! Runs a target of `crates/fuzz` under libFuzzer: the one that `YOMIKIRI_FUZZ` names.

#![no_main]

use std::sync::LazyLock;
use yomikiri_fuzz::{Target, find};

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("YOMIKIRI_FUZZ").unwrap_or_default();
    find(&name).unwrap_or_else(|| panic!("YOMIKIRI_FUZZ names no target: {name:?}"))
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (TARGET.run)(bytes));
