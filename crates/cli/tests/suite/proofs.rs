//! Proofs of any game as a shell sees them: written, checked, spoiled, claimed.

use crate::{program, run};
use serde_json::Value;
use std::fs;
use yomikiri_testkit::program::{err, fed, out};

/// What `check --json` says.
fn checked(folder: &std::path::Path, line: &str) -> (Option<i32>, Value) {
    let output = run(folder, &format!("{line} --json"));
    (output.status.code(), serde_json::from_str(&out(&output)).unwrap_or_default())
}

#[test]
fn law_what_certify_writes_check_accepts() {
    let dir = tempfile::tempdir().unwrap();
    for (game, file, value) in [
        ("kuhn", "kuhn.jsonl.zst", "-1/18"),
        ("kuhn --cards 4 --bet 2", "kuhn-bet-2-cards-4.jsonl.zst", "-1/12"),
        // 6/7 of the games are won: 6/7 − 1/7.
        ("pig --target 2", "pig-target-2.jsonl.zst", "5/7"),
        ("dodgem --size 2", "dodgem-size-2.jsonl.zst", "1"),
        ("nim --heaps 1,2,3", "nim-heaps-1_2_3.jsonl.zst", "-1"),
    ] {
        let written = run(dir.path(), &format!("certify {game} --out proofs"));
        assert!(written.status.success(), "{game}: {}", err(&written));
        let (code, said) = checked(dir.path(), &format!("check proofs/{file}"));
        assert_eq!((code, &said["accepted"]), (Some(0), &true.into()), "{game}: {said}");
        assert_eq!(said["proved"]["bounds"][0], serde_json::json!([value, value]), "{game}: {said}");
        let id = game.split(' ').next().unwrap();
        let (code, said) = checked(dir.path(), &format!("check proofs/{file} --bound {value} --about {id}"));
        assert_eq!(code, Some(0), "{game}: {said}");
        for claim in ["--bound 2/3", "--about chomp"] {
            let (code, said) = checked(dir.path(), &format!("check proofs/{file} {claim}"));
            assert_eq!((code, &said["reason"]["code"]), (Some(1), &"claim".into()), "{game} {claim}: {said}");
        }
    }
    // A game with a solver of its own has no such proof.
    assert_eq!(run(dir.path(), "certify memory --out proofs").status.code(), Some(2));
}

#[test]
fn law_spoiled_proofs_are_refused_with_the_line() {
    let dir = tempfile::tempdir().unwrap();
    assert!(run(dir.path(), "certify nim --heaps 1,2 --format plain").status.success());
    let text = fs::read_to_string(dir.path().join("nim-heaps-1_2.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let with = |at: usize, line: &str| {
        let mut lines = lines.clone();
        lines[at] = line;
        lines.join("\n")
    };
    let last = lines.len() - 1;
    for (spoiled, code, line) in [
        (with(1, "[-1]"), Some(1), Some(2)),
        (with(3, "[7/2]"), Some(1), Some(4)),
        (with(2, "[\"1/0\"]"), Some(1), Some(3)),
        (lines[..last].join("\n"), Some(1), Some(last as u64 + 1)),
        (format!("{text}[0]\n"), Some(1), Some(last as u64 + 2)),
        (with(0, r#"{"proof":"values","version":2,"game":"nim","settings":{}}"#), Some(2), None),
        (with(0, r#"{"proof":"values","version":1,"game":"chess","settings":{}}"#), Some(2), None),
        (with(0, r#"{"proof":"values","version":1,"game":"nim","settings":{"heaps":"x"}}"#), Some(2), None),
        (with(0, r#"{"proof":"strategies","version":1,"game":"nim","settings":{}}"#), Some(2), None),
        (with(0, r#"{"proof":"values","game":"nim"}"#), Some(2), None),
    ] {
        let output = fed(&mut program(dir.path(), "check - --json"), &spoiled);
        let said: Value = serde_json::from_str(&out(&output)).unwrap_or_default();
        assert_eq!(
            (output.status.code(), said["line"].as_u64()),
            (code, line),
            "{spoiled}\n{}",
            err(&output)
        );
    }
}
