//! Whatever bytes come, there is an answer.

use crate::maker::Maker;
use proptest::prelude::*;
use std::io::Cursor;
use std::sync::LazyLock;
use yomikiri_check::{Error, Limits, Unwatched, check};

/// A small certificate: plain, and as `xz` and `zstd` compress it.
static PLAIN: LazyLock<Vec<u8>> =
    LazyLock::new(|| Maker::file(true, 1, &[4, 9, 13], &[8, 10], &[1, 1], 1).text().into_bytes());
const XZ: &[u8] = include_bytes!("../small/upper.jsonl.xz");
const ZSTD: &[u8] = include_bytes!("../small/upper.jsonl.zst");

fn checked(bytes: Vec<u8>) -> Result<yomikiri_check::Proved, Error> {
    let limits = Limits { memory: 16 << 20, text: 16 << 20, threads: 1 };
    let result = check(Cursor::new(bytes), &limits, &Unwatched);
    if let Err(error) = &result {
        assert!(!error.en().is_empty() && !error.ja().is_empty());
    }
    result
}

#[test]
fn law_compression_is_told_by_content() {
    let plain = checked(PLAIN.clone()).unwrap();
    assert_eq!(checked(XZ.to_vec()).unwrap(), plain);
    assert_eq!(checked(ZSTD.to_vec()).unwrap(), plain);
    // Several frames or streams one after another are one text.
    for packed in [XZ, ZSTD] {
        let twice = checked([packed, packed].concat());
        assert!(matches!(twice, Err(Error::Rejected(_))), "{twice:?}");
    }
}

#[test]
fn law_a_compressed_file_cut_short_is_unreadable() {
    for packed in [XZ, ZSTD] {
        for end in 8..packed.len() {
            let cut = checked(packed[..end].to_vec());
            assert!(cut.is_err(), "{end}: {cut:?}");
        }
        assert!(matches!(checked(packed[..packed.len() / 2].to_vec()), Err(Error::Unreadable(_))));
    }
}

#[test]
fn law_a_decompression_bomb_is_given_up() {
    // Gigabytes of spaces, and of lines, in a few kilobytes: the first line is too long, or the text is.
    for bomb in
        [include_bytes!("../small/bomb.xz").as_slice(), include_bytes!("../small/bomb.zst").as_slice()]
    {
        assert!(matches!(
            checked(bomb.to_vec()),
            Err(Error::Rejected(_) | Error::Unreadable(_) | Error::Memory { .. })
        ));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn law_any_bytes_get_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..400), kind in 0..4) {
        let start: &[u8] = match kind {
            0 => b"",
            1 => &[0xFD, b'7', b'z', b'X', b'Z', 0],
            2 => &[0x28, 0xB5, 0x2F, 0xFD],
            _ => b"{\"aden\":6,\"entries\":3}\n[",
        };
        prop_assert!(checked([start, &bytes].concat()).is_err());
    }

    #[test]
    fn law_any_numbers_get_an_answer(text in "\\{\"(qden\":2,\"b|a)den\":6,\"entries\":[12]\\}\n(\\[[01],\\[[0-9]{1,2},[0-9]{1,2}(,1[0-5])?\\],\\[[0-9],1[0-9]\\],([0-2]|\\[[0-3],[0-3](,1)?\\]),\\[-?[0-6],[0-6](,6)?\\],\\[(\\[-?[0-9]{1,2},-?[0-9]{1,2},1,1,(-1,0|[0-3])\\])?\\]\\]\n){1,2}") {
        let _ = checked(text.into_bytes());
    }

    #[test]
    fn law_changed_files_get_an_answer(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 1..6),
        kind in 0..3,
    ) {
        let mut bytes = match kind {
            0 => PLAIN.clone(),
            1 => XZ.to_vec(),
            _ => ZSTD.to_vec(),
        };
        for (index, byte, how) in changes {
            let at = index.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => _ = bytes.remove(at),
                // In plain text, a digit is the most interesting thing to find.
                _ => bytes.insert(at, if kind == 0 { b'0' + byte % 10 } else { byte }),
            }
        }
        let _ = checked(bytes);
    }
}
