//! What the fuzzer tries. A [`Target`] takes any bytes, makes something of them that a part of the program reads, and
//! panics where a law of that part does not hold. Nothing here knows the fuzzer: `fuzz/` runs these functions under
//! libFuzzer, and the tests of this crate run them over the corpus that is kept in `fuzz/corpus`.

mod api;
mod bounded;
mod cache;
mod certificate;
mod checkpoint;
mod command;
mod eval;
mod input;
mod journal;
mod notation;
mod table;

/// Something that takes any bytes.
pub struct Target {
    /// The word it is called by, which is also the folder of its corpus.
    pub name: &'static str,
    /// What it tries and which laws it checks.
    pub about: &'static str,
    /// Tries some bytes.
    pub run: fn(&[u8]),
    /// Bytes to begin with, which reach far.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All of them.
pub static TARGETS: [Target; 10] = [
    command::TARGET,
    notation::TARGET,
    eval::TARGET,
    api::TARGET,
    table::MANIFEST,
    table::ARRAY,
    journal::TARGET,
    cache::TARGET,
    checkpoint::TARGET,
    certificate::TARGET,
];

/// The target called by a word.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
