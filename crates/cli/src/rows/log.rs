//! The journal of a sweep: a file that only grows, in which every block can be checked.
//!
//! It begins with a header that says what the rows are of, and goes on with frames: the number of rows, the
//! length, the bytes, and a BLAKE3 digest over these and the digest before. A run that is killed leaves at
//! most one torn frame at the end, which is cut off; a damaged frame costs the rows from there on, which
//! are computed again. A frame without rows seals the file: it holds the digest of the finished output.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use yomikiri_core::rows::Block;
use yomikiri_tables::files;

/// The same as that of the store's files, so that journals in the cache are listed and cleared with them.
const MAGIC: [u8; 12] = *b"yomikirirows";
const DIGEST: usize = 32;
/// No block is near this size; a length above it is damage, not a reason to allocate.
const LONGEST: usize = 1 << 28;
/// How often what is written is made to survive a crash of the machine; a crash of the program it survives
/// anyway.
const SYNC: Duration = Duration::from_secs(5);

/// Why a journal cannot be used.
#[derive(Debug)]
pub enum Trouble {
    /// It is of another run: what that one's header says.
    Other(String),
    /// It is no journal.
    Foreign,
    /// It is one, but nobody can tell of what.
    Damaged,
    /// Another run is writing it.
    Busy,
    /// The disk or its permissions.
    Io(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(e: io::Error) -> Trouble {
        Trouble::Io(e)
    }
}

/// A journal that is open.
pub struct Log {
    path: PathBuf,
    file: File,
    /// Where the header ends, and its digest.
    head: (u64, [u8; DIGEST]),
    /// Where the last good frame ends, and its digest.
    good: (u64, [u8; DIGEST]),
    /// Rows up to there.
    rows: u64,
    seal: Option<[u8; DIGEST]>,
    /// Whether bytes were found that are no frame although they are not merely torn.
    damaged: bool,
    synced: Instant,
}

impl Log {
    /// Opens the journal of what a text describes, to be read from its first block; it is made if it is
    /// not there, and emptied first if `fresh`.
    pub fn open(path: &Path, what: &str, fresh: bool) -> Result<Log, Trouble> {
        let mut options = OpenOptions::new();
        let mut file = files::open(path, options.read(true).write(true).create(true).truncate(false))?;
        match file.try_lock() {
            Err(std::fs::TryLockError::WouldBlock) => return Err(Trouble::Busy),
            // Some file systems know no locks.
            Ok(()) | Err(std::fs::TryLockError::Error(_)) => {}
        }
        let header = header(what);
        let mut found = Vec::new();
        (&file).take(header.len() as u64).read_to_end(&mut found)?;
        if found.iter().zip(&MAGIC).any(|(a, b)| a != b) {
            return Err(Trouble::Foreign);
        }
        if found != header || fresh {
            // A run that was killed while it wrote the header has kept no rows.
            if !header.starts_with(&found) && !fresh {
                return Err(described(&mut file)?.map_or(Trouble::Damaged, Trouble::Other));
            }
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)?;
            file.sync_all()?;
        }
        let mut digest = [0; DIGEST];
        digest.copy_from_slice(&header[header.len() - DIGEST..]);
        let head = (header.len() as u64, digest);
        let (path, synced) = (path.to_owned(), Instant::now());
        Ok(Log { path, file, head, good: head, rows: 0, seal: None, damaged: false, synced })
    }

    /// Opens a journal to read what is whole of it, also while a run is writing it; none if it is not there or not of
    /// what the text describes.
    pub fn read(path: &Path, what: &str) -> io::Result<Option<Log>> {
        let mut file = match files::read(path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(e),
        };
        let header = header(what);
        let mut found = vec![0; header.len()];
        if !whole(&mut file, &mut found)? || found != header {
            return Ok(None);
        }
        let mut digest = [0; DIGEST];
        digest.copy_from_slice(&header[header.len() - DIGEST..]);
        let head = (header.len() as u64, digest);
        let (path, synced) = (path.to_owned(), Instant::now());
        Ok(Some(Log { path, file, head, good: head, rows: 0, seal: None, damaged: false, synced }))
    }

    /// Opens a journal to read what is whole of it, and says what it is of.
    pub fn look(path: &Path) -> Result<(Log, String), Trouble> {
        let mut file = files::read(path)?;
        let mut magic = [0; MAGIC.len()];
        if !whole(&mut file, &mut magic)? || magic != MAGIC {
            return Err(Trouble::Foreign);
        }
        let what = described(&mut file)?.ok_or(Trouble::Damaged)?;
        let log = Log::read(path, &what)?.ok_or(Trouble::Damaged)?;
        Ok((log, what))
    }

    /// The digest of everything up to the last good frame.
    pub fn digest(&self) -> [u8; DIGEST] {
        self.good.1
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Rows read or written so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Bytes of the good part.
    pub fn length(&self) -> u64 {
        self.good.0
    }

    /// Whether a damaged part was found, and left out.
    pub fn damaged(&self) -> bool {
        self.damaged
    }

    /// The digest of the finished output, if it was about to be put into place.
    pub fn seal(&self) -> Option<[u8; DIGEST]> {
        self.seal
    }

    /// Goes back to the first block.
    pub fn rewind(&mut self) -> io::Result<()> {
        (self.good, self.rows, self.seal) = (self.head, 0, None);
        self.file.seek(SeekFrom::Start(self.head.0)).map(|_| ())
    }

    /// The next block; `None` after the last good one.
    #[expect(clippy::should_implement_trait, reason = "reading may fail, and what is appended is read next")]
    pub fn next(&mut self) -> io::Result<Option<Block>> {
        self.file.seek(SeekFrom::Start(self.good.0))?;
        let Some((block, digest)) = self.frame()? else { return Ok(None) };
        if block.rows == 0 {
            // What follows a seal is nothing, and what is appended replaces it.
            self.seal = block.bytes.try_into().ok();
            return Ok(None);
        }
        self.good = (self.good.0 + framed(block.bytes.len()), digest);
        self.rows += u64::from(block.rows);
        Ok(Some(block))
    }

    fn frame(&mut self) -> io::Result<Option<(Block, [u8; DIGEST])>> {
        let mut start = [0; 8];
        if !whole(&mut self.file, &mut start)? {
            return Ok(None);
        }
        let (rows, length) = numbers(start);
        if length > LONGEST {
            self.damaged = true;
            return Ok(None);
        }
        // A length that is damage must not allocate what is not there.
        let left = self.file.metadata()?.len().saturating_sub(self.good.0);
        if left < framed(length) {
            return Ok(None);
        }
        let mut bytes = vec![0; length];
        let mut digest = [0; DIGEST];
        if !whole(&mut self.file, &mut bytes)? || !whole(&mut self.file, &mut digest)? {
            return Ok(None);
        }
        if digest != chained(&self.good.1, &start, &bytes) {
            self.damaged = true;
            return Ok(None);
        }
        Ok(Some((Block { rows, bytes }, digest)))
    }

    /// Adds a block behind the last good one; whatever was behind it goes.
    pub fn append(&mut self, block: &Block) -> io::Result<()> {
        self.add(block.rows, &block.bytes)?;
        self.rows += u64::from(block.rows);
        if self.synced.elapsed() > SYNC {
            self.file.sync_data()?;
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// Says that all rows are there and what the digest of the output is.
    pub fn finish(&mut self, output: [u8; DIGEST]) -> io::Result<()> {
        let end = self.good;
        self.add(0, &output)?;
        self.good = end;
        self.seal = Some(output);
        self.file.sync_all()
    }

    fn add(&mut self, rows: u32, bytes: &[u8]) -> io::Result<()> {
        let mut start = [0; 8];
        start[..4].copy_from_slice(&rows.to_le_bytes());
        start[4..].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
        let digest = chained(&self.good.1, &start, bytes);
        let frame = [&start[..], bytes, &digest[..]].concat();
        self.file.set_len(self.good.0)?;
        self.file.seek(SeekFrom::Start(self.good.0))?;
        if let Err(e) = self.file.write_all(&frame) {
            // Torn frames are found when the file is read; without this one it is only shorter.
            let _ = self.file.set_len(self.good.0);
            return Err(e);
        }
        self.good = (self.good.0 + framed(bytes.len()), digest);
        Ok(())
    }
}

/// The header of a journal.
fn header(what: &str) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend((what.len() as u32).to_le_bytes());
    header.extend(what.as_bytes());
    let digest = blake3::hash(&header);
    header.extend(digest.as_bytes());
    header
}

/// What the header of a file says, if it is one.
fn described(file: &mut File) -> io::Result<Option<String>> {
    file.seek(SeekFrom::Start(MAGIC.len() as u64))?;
    let mut length = [0; 4];
    if !whole(file, &mut length)? {
        return Ok(None);
    }
    let mut what = Vec::new();
    file.take(u64::from(u32::from_le_bytes(length)).min(1 << 16)).read_to_end(&mut what)?;
    let Ok(what) = String::from_utf8(what) else { return Ok(None) };
    let expected = header(&what);
    let mut found = vec![0; expected.len()];
    file.seek(SeekFrom::Start(0))?;
    Ok((whole(file, &mut found)? && found == expected).then_some(what))
}

/// Bytes of a frame around so many bytes.
fn framed(length: usize) -> u64 {
    (8 + length + DIGEST) as u64
}

fn numbers(start: [u8; 8]) -> (u32, usize) {
    let number = |at: usize| u32::from_le_bytes([start[at], start[at + 1], start[at + 2], start[at + 3]]);
    (number(0), number(4) as usize)
}

fn chained(before: &[u8; DIGEST], start: &[u8; 8], bytes: &[u8]) -> [u8; DIGEST] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before).update(start).update(bytes);
    *hasher.finalize().as_bytes()
}

/// Fills a buffer; false if the file ends before.
fn whole(file: &mut File, buffer: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(e) => Err(e),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn blocks() -> Vec<Block> {
        (1..=5u32).map(|rows| Block { rows, bytes: vec![rows as u8; 10 * rows as usize] }).collect()
    }

    /// A journal of five blocks, closed; where each frame ends.
    fn written(path: &Path) -> Vec<u64> {
        let mut log = Log::open(path, "this", false).unwrap();
        let mut ends = vec![log.length()];
        for block in blocks() {
            log.append(&block).unwrap();
            ends.push(log.length());
        }
        ends
    }

    fn read(log: &mut Log) -> Vec<Block> {
        std::iter::from_fn(|| log.next().unwrap()).collect()
    }

    #[test]
    fn law_blocks_come_back_and_more_follow() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.part");
        written(&path);
        let mut log = Log::open(&path, "this", false).unwrap();
        assert_eq!(read(&mut log), blocks());
        assert_eq!((log.rows(), log.damaged(), log.seal()), (15, false, None));
        let more = Block { rows: 1, bytes: vec![9] };
        log.append(&more).unwrap();
        // What is whole can be read while it is being written, by whoever knows what it is.
        let mut other = Log::read(&path, "this").unwrap().unwrap();
        assert_eq!(read(&mut other).len(), 6);
        assert!(Log::read(&path, "that").unwrap().is_none());
        assert!(Log::read(&dir.path().join("none"), "this").unwrap().is_none());
        log.finish([7; 32]).unwrap();
        log.rewind().unwrap();
        assert_eq!(read(&mut log).last(), Some(&more));
        assert_eq!((log.rows(), log.seal()), (16, Some([7; 32])));
        // A seal is broken by what is written after it.
        log.append(&more).unwrap();
        log.rewind().unwrap();
        assert_eq!(read(&mut log).len(), 7);
        assert_eq!(log.seal(), None);
        drop(log);
        assert_eq!(read(&mut Log::open(&path, "this", true).unwrap()), []);
    }

    #[test]
    fn law_a_torn_end_is_cut_off_wherever_it_is_torn() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.part");
        let ends = written(&path);
        let bytes = fs::read(&path).unwrap();
        for cut in 0..bytes.len() {
            fs::write(&path, &bytes[..cut]).unwrap();
            let mut log = Log::open(&path, "this", false).unwrap();
            let whole = ends[1..].iter().filter(|&&end| end <= cut as u64).count();
            assert_eq!(read(&mut log), blocks()[..whole], "{cut}");
            assert!(!log.damaged());
            // Going on from there gives the file that was never torn.
            for block in &blocks()[whole..] {
                log.append(block).unwrap();
            }
            drop(log);
            assert_eq!(fs::read(&path).unwrap(), bytes, "{cut}");
        }
    }

    #[test]
    fn law_damage_is_found_wherever_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.part");
        let ends = written(&path);
        let bytes = fs::read(&path).unwrap();
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 0x10;
            fs::write(&path, &bad).unwrap();
            match Log::open(&path, "this", false) {
                Ok(mut log) => {
                    let before = ends[1..].iter().filter(|&&end| end <= at as u64).count();
                    assert_eq!(read(&mut log), blocks()[..before], "{at}");
                }
                Err(Trouble::Foreign) => assert!(at < MAGIC.len(), "{at}"),
                Err(trouble) => {
                    assert!(
                        matches!(trouble, Trouble::Damaged) && (at as u64) < ends[0],
                        "{at}: {trouble:?}"
                    );
                    assert_eq!(read(&mut Log::open(&path, "this", true).unwrap()), []);
                }
            }
        }
        // Blocks that are whole, but not in their place.
        let frame = |i: usize| &bytes[ends[i] as usize..ends[i + 1] as usize];
        let swapped = [&bytes[..ends[1] as usize], frame(2), frame(1)].concat();
        fs::write(&path, swapped).unwrap();
        let mut log = Log::open(&path, "this", false).unwrap();
        assert_eq!(read(&mut log), blocks()[..1]);
        assert!(log.damaged());
    }

    #[test]
    fn law_the_journal_of_another_run_is_named_and_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.part");
        written(&path);
        let bytes = fs::read(&path).unwrap();
        for other in ["that", "this and that", "thi", ""] {
            match Log::open(&path, other, false) {
                Err(Trouble::Other(what)) => assert_eq!(what, "this"),
                _ => panic!("{other}"),
            }
        }
        fs::write(&path, "name,value\n").unwrap();
        for fresh in [false, true] {
            assert!(matches!(Log::open(&path, "this", fresh), Err(Trouble::Foreign)));
            assert_eq!(fs::read(&path).unwrap(), b"name,value\n");
        }
        fs::write(&path, &bytes).unwrap();
        let _first = Log::open(&path, "this", false).unwrap();
        assert!(matches!(Log::open(&path, "this", true), Err(Trouble::Busy)));
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}
