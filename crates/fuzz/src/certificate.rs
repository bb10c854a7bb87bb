//! Certificates, right and wrong, and what is none.

use crate::Target;
use std::io::Cursor;
use yomikiri_check::parse::{Certificate, Header};
use yomikiri_check::{Error, Limits, Unwatched, check};

/// The target.
pub const TARGET: Target = Target {
    name: "certificate",
    about: "the checker: the same verdict on one thread and on two, accepted only if every line is alone, reasons in both languages, little memory",
    run,
    seeds,
};

fn run(bytes: &[u8]) {
    let verdict = |threads: usize| {
        let limits = Limits { memory: 16 << 20, text: 1 << 20, threads };
        check(Cursor::new(bytes.to_vec()), &limits, &Unwatched)
    };
    let one = verdict(1);
    assert_eq!(format!("{one:?}"), format!("{:?}", verdict(2)));
    match one {
        Ok(proved) => {
            assert!(proved.entries >= 1 && proved.implies(&proved.bound));
            let one = yomikiri_check::BigRational::from_integer(1.into());
            assert!(proved.bound <= one && proved.bound >= -one, "{proved:?}");
            if bytes.starts_with(b"{") {
                entries(bytes, proved.entries);
            }
        }
        Err(Error::Rejected(rejection)) => {
            assert!(!rejection.en().is_empty() && !rejection.ja().is_empty());
        }
        Err(other) => assert!(!other.en().is_empty() && !other.ja().is_empty()),
    }
}

/// What is accepted holds entry by entry in big numbers too, and has the number of lines it says.
fn entries(bytes: &[u8], count: u64) {
    use yomikiri_check::{lower, upper};
    let mut lines = bytes.split(|b| *b == b'\n').collect::<Vec<_>>();
    if lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    assert_eq!(lines.len() as u64, count + 1);
    let header = Header::read(lines[0]).expect("an accepted header");
    let mut certificate = Certificate::new(header);
    for line in &lines[1..] {
        certificate.add(line).expect("an accepted line");
    }
    for entry in &certificate.entries {
        let held = if bytes.windows(6).any(|w| w == b"\"qden\"") {
            upper::entry::<num_bigint::BigInt>(&certificate, entry)
        } else {
            lower::entry::<num_bigint::BigInt>(&certificate, entry)
        };
        assert!(held.is_ok(), "{held:?}");
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = [
        "{\"qden\":2,\"bden\":1,\"entries\":1}\n[1,[9,13,14],[1,2],1,[1,1,1],[[-1,-1,1,1,-1,1]]]\n",
        "{\"aden\":1,\"entries\":1}\n[0,[9,13,14],[1,2],[2,1,2],[-1,-1],[[-1,-1,2,5,-1,0],[-1,-1,1,5,-1,1],[-1,-1,2,5,-1,2]]]",
        "{\"qden\":1,\"bden\":1,\"entries\":1}\n[1,[9,13],[1,12],1,[-1,-1],[[12,-2,1,1,-1,1]]]",
        "{\"qden\":2,\"bden\":1,\"entries\":1}\n[1,[9,13],[1,12],1,[0,0],[[12,-2,1,2,-1,2],[-1,-1,1,2,-1,0]]]",
        "{\"aden\":1,\"entries\":1}\n[0,[0,13,14],[1,2],[0,1,0],[1,1],[[0,-2,1,1,-1,1]]]",
        "{\"qden\":2,\"bden\":1,\"entries\":2}\n[1,[8,11],[1,6],2,[1,1],[[1,5,1,1,1]]]\n[0,[8,11],[5,6],2,[1,1],[[8,4,1,1,-1,2],[8,12,1,1,-1,2],[8,9,1,1,-1,2],[11,7,1,1,-1,2],[11,15,1,1,-1,2],[11,10,1,1,-1,2]]]\n",
    ]
    .iter()
    .map(|text| text.as_bytes().to_vec())
    .collect();
    seeds.push(include_bytes!("../../check/tests/small/upper.jsonl.xz").to_vec());
    seeds.push(include_bytes!("../../check/tests/small/upper.jsonl.zst").to_vec());
    seeds
}
