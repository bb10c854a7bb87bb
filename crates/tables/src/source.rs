//! The numbers of a file as bytes: small files whole in memory, others block by block as they are asked for.
//!
//! Nothing is mapped. A file that is cut while it is in use makes a read fail, which is an error that names the file; a
//! mapped one would end the program.

use crate::system;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use yomikiri_core::{ByteSource, Error, Refusal, Text, text};

/// Bytes that are read at once.
const BLOCK: usize = 4 << 10;
/// Blocks of a file that are kept, each in the place its number gives it.
const KEPT: u64 = 256;
/// What is not larger is held whole: it would be kept anyway.
pub const SMALL: u64 = KEPT * BLOCK as u64;
/// Bytes that are read at once where everything is read.
const STEP: usize = 1 << 20;

/// The bytes of a file without its header.
pub struct Source {
    /// The file's name, for messages.
    name: String,
    held: Held,
    damage: OnceLock<Text>,
}

enum Held {
    Whole(Vec<u8>),
    Blocks(Blocks),
}

/// A file of which some blocks are kept.
struct Blocks {
    file: File,
    /// Where the bytes begin in the file.
    begin: u64,
    length: u64,
    kept: Vec<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    block: Option<u64>,
    bytes: Vec<u8>,
}

impl Source {
    /// The bytes of a file behind its first `begin`: held whole if they are at most `room`. Everything is read once, the
    /// beginning included, and shown to `see` in order.
    ///
    /// # Errors
    /// What reading fails with, and what `see` fails with.
    pub fn new(
        path: &Path,
        file: File,
        (begin, length): (u64, u64),
        room: u64,
        see: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<Source> {
        let whole = length <= room.max(SMALL);
        let mut held = Vec::new();
        if whole {
            held.try_reserve_exact(usize::try_from(length).map_err(|_| io::ErrorKind::OutOfMemory)?)?;
        }
        let mut buffer = vec![0; STEP.min((begin + length) as usize)];
        let mut next = 0;
        while next < begin + length {
            let part = &mut buffer[..STEP.min((begin + length - next) as usize)];
            fill(&file, next, part)?;
            see(part)?;
            if whole {
                held.extend_from_slice(&part[begin.saturating_sub(next).min(part.len() as u64) as usize..]);
            }
            next += part.len() as u64;
        }
        let held = if whole { Held::Whole(held) } else { Held::Blocks(Blocks::new(file, begin, length)) };
        Ok(Source { name: path.display().to_string(), held, damage: OnceLock::new() })
    }

    /// The same without a look at them before they are asked for.
    pub fn unseen(path: &Path, file: File, (begin, length): (u64, u64)) -> Source {
        let held = Held::Blocks(Blocks::new(file, begin, length));
        Source { name: path.display().to_string(), held, damage: OnceLock::new() }
    }
}

/// The refusal of a file that is not as it was built.
pub fn damaged(file: &str, why: &Text) -> Error {
    let accepts = text(
        "the file as it was built; `yomikiri table verify` looks at all of them",
        "作られたときのままのファイル（yomikiri table verify ですべて検査できます）",
    );
    let got = Text::of(format!("a damaged file: {}", why.en), format!("壊れたファイル（{}）", why.ja));
    Error::Refused(Refusal::of(file.to_owned(), got, accepts))
}

impl Blocks {
    fn new(file: File, begin: u64, length: u64) -> Blocks {
        let kept = length.div_ceil(BLOCK as u64).clamp(1, KEPT);
        Blocks { file, begin, length, kept: (0..kept).map(|_| Mutex::default()).collect() }
    }

    /// A block, read if it is not kept.
    fn block(&self, block: u64) -> io::Result<MutexGuard<'_, Kept>> {
        let at = (block % self.kept.len() as u64) as usize;
        let mut kept = self.kept[at].lock().unwrap_or_else(PoisonError::into_inner);
        if kept.block != Some(block) {
            let first = block * BLOCK as u64;
            kept.block = None;
            kept.bytes.resize(BLOCK.min((self.length - first) as usize), 0);
            fill(&self.file, self.begin + first, &mut kept.bytes)?;
            kept.block = Some(block);
        }
        Ok(kept)
    }

    fn read(&self, mut from: u64, mut part: &mut [u8]) -> io::Result<()> {
        if part.len() >= BLOCK {
            return fill(&self.file, self.begin + from, part);
        }
        while !part.is_empty() {
            let kept = self.block(from / BLOCK as u64)?;
            let there = &kept.bytes[from as usize % BLOCK..];
            let (now, later) = part.split_at_mut(part.len().min(there.len()));
            now.copy_from_slice(&there[..now.len()]);
            from += now.len() as u64;
            part = later;
        }
        Ok(())
    }
}

impl ByteSource for Source {
    fn len(&self) -> u64 {
        match &self.held {
            Held::Whole(bytes) => bytes.len() as u64,
            Held::Blocks(blocks) => blocks.length,
        }
    }

    #[inline]
    fn read(&self, from: u64, part: &mut [u8]) -> bool {
        let within = from.checked_add(part.len() as u64).is_some_and(|end| end <= self.len());
        let read = match &self.held {
            _ if !within => Err(io::ErrorKind::UnexpectedEof.into()),
            Held::Whole(bytes) => {
                part.copy_from_slice(&bytes[from as usize..from as usize + part.len()]);
                return true;
            }
            Held::Blocks(blocks) => blocks.read(from, part),
        };
        if let Err(why) = &read {
            part.fill(0);
            let _ = self.damage.set(system(why));
        }
        read.is_ok()
    }

    fn sound(&self) -> Result<(), Error> {
        self.damage.get().map_or(Ok(()), |why| Err(damaged(&self.name, why)))
    }
}

/// Reads from a place of a file until `part` is full.
#[cfg(unix)]
pub fn fill(file: &File, from: u64, part: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, part, from)
}

/// Reads from a place of a file until `part` is full.
#[cfg(windows)]
pub fn fill(file: &File, mut from: u64, mut part: &mut [u8]) -> io::Result<()> {
    while !part.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, part, from)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => {
                from += n as u64;
                part = &mut part[n..];
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, OpenOptions};
    use yomikiri_core::random::Random;

    const BEGIN: u64 = 128;

    /// Bytes by their place, in a file behind as many of a header.
    fn file(length: u64) -> (tempfile::TempDir, std::path::PathBuf, Vec<u8>) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("array");
        let content: Vec<u8> = (0..BEGIN + length).map(|i| (i * i % 251) as u8).collect();
        fs::write(&path, &content).unwrap();
        (dir, path, content)
    }

    fn source(path: &Path, length: u64) -> Source {
        Source::new(path, File::open(path).unwrap(), (BEGIN, length), 0, &mut |_| Ok(())).unwrap()
    }

    #[test]
    fn law_blocks_have_the_bytes_of_the_whole_file() {
        for length in [0, 1, 4095, 4096, 4097, SMALL, SMALL + 1, 3 * SMALL + 5] {
            let (_dir, path, content) = file(length);
            let mut seen = Vec::new();
            let mut see = |part: &[u8]| {
                seen.extend_from_slice(part);
                Ok(())
            };
            let whole = Source::new(&path, File::open(&path).unwrap(), (BEGIN, length), u64::MAX, &mut see);
            let sources = [whole.unwrap(), source(&path, length), {
                Source::unseen(&path, File::open(&path).unwrap(), (BEGIN, length))
            }];
            assert!(seen == content, "{length} bytes");
            let mut random = Random::new(length);
            for source in &sources {
                assert_eq!(source.len(), length);
                for size in [1, 2, 8, 100, 5000] {
                    for _ in 0..300 {
                        let from = random.below(length.saturating_sub(size) + 1);
                        let mut part = vec![7; size.min(length) as usize];
                        assert!(source.read(from, &mut part));
                        let expected = &content[(BEGIN + from) as usize..][..part.len()];
                        assert!(part == expected, "{size} bytes from {from} of {length}");
                    }
                }
                assert!(source.sound().is_ok());
            }
        }
    }

    #[test]
    fn law_what_is_beyond_the_end_is_not_read() {
        for length in [10, SMALL + 10] {
            let (_dir, path, _) = file(length);
            for (from, size) in [(length - 1, 2), (length, 1), (u64::MAX, 1), (u64::MAX - 1, 8)] {
                let source = source(&path, length);
                let mut part = vec![7; size];
                assert!(!source.read(from, &mut part) && part.iter().all(|b| *b == 0));
                assert!(source.sound().is_err());
            }
        }
    }

    #[test]
    fn law_a_file_that_is_cut_while_it_is_read_is_an_error_by_its_name() {
        let length = 2 * SMALL;
        let (_dir, path, content) = file(length);
        let source = source(&path, length);
        let mut part = [0; 8];
        assert!(source.read(length - 8, &mut part) && part == content[(BEGIN + length) as usize - 8..]);
        OpenOptions::new().write(true).open(&path).unwrap().set_len(BEGIN + length / 2).unwrap();
        // What is kept is still what was written, what is gone is gone.
        assert!(source.read(length - 8, &mut part) && source.sound().is_ok());
        assert!(source.read(0, &mut part) && source.sound().is_ok());
        assert!(!source.read(length / 2, &mut part) && part == [0; 8]);
        let Err(Error::Refused(refusal)) = source.sound() else { panic!("it is sound") };
        assert_eq!(refusal.field, path.display().to_string());
        assert!(source.read(0, &mut part) && source.sound().is_err(), "it stays known");
        // What is small is held whole.
        let (_dir, path, content) = file(100);
        let small = self::source(&path, 100);
        fs::write(&path, b"").unwrap();
        assert!(small.read(92, &mut part) && part == content[BEGIN as usize + 92..] && small.sound().is_ok());
    }
}
