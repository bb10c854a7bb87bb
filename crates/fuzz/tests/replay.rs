//! The corpus that the fuzzer has found interesting, tried without the fuzzer: every law of every target holds.

use std::path::PathBuf;
use yomikiri_fuzz::{Target, find};

fn corpus(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name)
}

/// Tries the seeds and the corpus of a target.
fn replayed(name: &str) {
    let target: &Target = find(name).expect("a target");
    for seed in (target.seeds)() {
        (target.run)(&seed);
    }
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(corpus(name)).expect("a corpus").flatten().map(|entry| entry.path()).collect();
    files.sort();
    assert!((1..=60).contains(&files.len()), "{name}: {} files", files.len());
    for file in files {
        let bytes = std::fs::read(&file).expect("a file");
        assert!(bytes.len() < 4096, "{}", file.display());
        (target.run)(&bytes);
    }
}

macro_rules! replays {
    ($($test:ident $name:literal,)*) => {
        $(#[test]
        fn $test() {
            replayed($name);
        })*

        #[test]
        fn law_every_target_is_replayed() {
            let replayed = [$($name),*];
            let all: Vec<&str> = yomikiri_fuzz::TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(replayed.as_slice(), all.as_slice());
        }
    };
}

replays! {
    law_the_corpus_of_command_lines_holds "command",
    law_the_corpus_of_notations_holds "notation",
    law_the_corpus_of_eval_holds "eval",
    law_the_corpus_of_the_api_holds "api",
    law_the_corpus_of_manifests_holds "manifest",
    law_the_corpus_of_arrays_holds "npy",
    law_the_corpus_of_journals_holds "journal",
    law_the_corpus_of_the_cache_holds "cache",
    law_the_corpus_of_checkpoints_holds "checkpoint",
    law_the_corpus_of_certificates_holds "certificate",
}
