//! Journals of sweeps: frames with the digests they should have, and torn, damaged or foreign files.

use crate::Target;
use crate::input::Input;
use std::fs;
use std::path::Path;
use yomikiri::rows::log::{Log, Trouble};
use yomikiri_core::rows::{Block, CellType, Column};
use yomikiri_core::text;

/// The target.
pub const TARGET: Target = Target {
    name: "journal",
    about: "journals of sweeps: what is read twice is the same, what is appended follows what was good, rows unpacked and packed are the same rows",
    run,
    seeds,
};

static COLUMNS: [Column; 3] = [
    Column { name: "item", kind: CellType::Int, help: text("a number", "番号") },
    Column { name: "value", kind: CellType::Float, help: text("a value", "値") },
    Column { name: "word", kind: CellType::Text, help: text("a word", "言葉") },
];
const WHAT: &str = "version=0\nstudy=x\n";

fn read(log: &mut Log) -> Vec<Block> {
    let mut blocks = Vec::new();
    while let Some(block) = log.next().expect("the disk") {
        blocks.push(block);
    }
    blocks
}

/// A journal made of the bytes: frames that are whole, then whatever is left.
fn made(path: &Path, input: &mut Input<'_>) {
    let how = input.byte();
    if how & 1 == 0 {
        let mut log = Log::open(path, WHAT, false).expect("a journal");
        for _ in 0..how >> 4 {
            let rows = u32::from(input.byte());
            let length = usize::from(input.byte()).min(input.0.len());
            let (bytes, rest) = input.0.split_at(length);
            input.0 = rest;
            // A frame without rows is a seal.
            log.append(&Block { rows, bytes: bytes.to_vec() }).expect("the disk");
        }
        if how & 2 == 2 {
            log.finish([how; 32]).expect("the disk");
        }
    }
    let mut bytes = fs::read(path).unwrap_or_default();
    if how & 4 == 4 {
        bytes.truncate(bytes.len().saturating_sub(usize::from(input.byte())));
    }
    if how & 8 == 8 && !bytes.is_empty() {
        let at = (usize::from(input.byte()) * 7) % bytes.len();
        bytes[at] ^= input.byte();
    }
    bytes.extend_from_slice(input.0);
    fs::write(path, bytes).expect("a file");
}

fn run(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    made(&path, &mut Input(bytes));
    let before = fs::read(&path).expect("a file");
    let watched = Log::read(&path, WHAT).expect("the disk").map(|mut log| read(&mut log));
    let mut log = match Log::open(&path, WHAT, false) {
        Ok(log) => log,
        Err(Trouble::Other(what)) => {
            assert_ne!(what, WHAT);
            return assert_eq!(fs::read(&path).expect("a file"), before, "of another run, and changed");
        }
        Err(Trouble::Foreign | Trouble::Damaged) => {
            return assert_eq!(fs::read(&path).expect("a file"), before, "not ours, and changed");
        }
        Err(other) => panic!("{other:?}"),
    };
    let blocks = read(&mut log);
    if let Some(watched) = watched {
        assert_eq!(watched, blocks);
    }
    assert_eq!(log.rows(), blocks.iter().map(|block| u64::from(block.rows)).sum::<u64>());
    for block in &blocks {
        let Some(rows) = block.unpack(&COLUMNS) else { continue };
        let mut again = Block::default();
        rows.iter().for_each(|row| again.push(&COLUMNS, row));
        assert_eq!(again.rows, block.rows);
        let twice = again.unpack(&COLUMNS).expect("what was packed");
        assert_eq!(format!("{twice:?}"), format!("{rows:?}"));
    }
    // What is appended stands behind what was good, and what was torn or damaged is gone.
    let more = Block { rows: 3, bytes: vec![7; 5] };
    log.append(&more).expect("the disk");
    drop(log);
    let mut log = Log::open(&path, WHAT, false).unwrap_or_else(|e| panic!("{e:?}"));
    let mut expected = blocks;
    expected.push(more);
    assert_eq!(read(&mut log), expected);
    assert!(!log.damaged() && log.seal().is_none());
    log.rewind().expect("the disk");
    assert_eq!(read(&mut log), expected);
}

fn seeds() -> Vec<Vec<u8>> {
    let mut block = Block::default();
    for n in 0..3i64 {
        block.push(&COLUMNS, &[(n * 1000 - 1).into(), (n as f64 / 3.0).into(), "word".to_owned().into()]);
    }
    let framed = |how: u8| [&[how, 3, block.bytes.len() as u8], block.bytes.as_slice()].concat();
    let mut seeds: Vec<Vec<u8>> = [0x10, 0x12, 0x14, 0x18, 0x1a].map(framed).to_vec();
    seeds.push(b"\x01yomikirirows\x12\0\0\0".to_vec());
    seeds.push(b"\x01something else".to_vec());
    seeds
}
