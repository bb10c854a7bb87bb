//! A file as bytes in memory: mapped, so that only what is looked at is read, or read as a whole.
//!
//! This is the only module of the workspace with `unsafe` code, and it has one such call. [`Bytes::read`] is its safe
//! twin: the same bytes without a map, which tests compare it with and which serves where a file cannot be mapped.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;

/// The bytes of a file, which do not change as long as nobody writes to the file.
#[derive(Debug)]
pub struct Bytes(Held);

#[derive(Debug)]
enum Held {
    Mapped(memmap2::Mmap),
    Read(Vec<u8>),
}

impl Bytes {
    /// Maps a regular file of exactly `length` bytes; reads it where it cannot be mapped.
    ///
    /// The file must not be written to or cut while the bytes are in use: a value that is read may then be an old or a
    /// new one, and reading beyond a new end stops the program. Files of finished tables are never written to.
    pub fn map(file: &File, length: u64) -> io::Result<Bytes> {
        check(file, length)?;
        if length == 0 {
            return Ok(Bytes(Held::Read(Vec::new())));
        }
        match map(file) {
            Ok(map) if map.len() as u64 == length => Ok(Bytes(Held::Mapped(map))),
            // It has changed in between, or this system or file system has no maps.
            _ => Bytes::read(file, length),
        }
    }

    /// Reads a regular file of exactly `length` bytes into memory: the safe twin of [`Bytes::map`].
    pub fn read(file: &File, length: u64) -> io::Result<Bytes> {
        check(file, length)?;
        let size = usize::try_from(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size)?;
        // One more than there should be, so that a file that grows is noticed.
        file.take(length.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() == size { Ok(Bytes(Held::Read(bytes))) } else { Err(other_length(length)) }
    }

    /// Whether the file is mapped rather than read.
    pub fn mapped(&self) -> bool {
        matches!(self.0, Held::Mapped(_))
    }
}

impl Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match &self.0 {
            Held::Mapped(map) => map,
            Held::Read(bytes) => bytes,
        }
    }
}

fn check(file: &File, length: u64) -> io::Result<()> {
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    if meta.len() == length { Ok(()) } else { Err(other_length(length)) }
}

fn other_length(length: u64) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("not {length} bytes long"))
}

#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<memmap2::Mmap> {
    // SAFETY: the map is private and read-only, so nothing is written through it. What cannot be ruled out from within
    // a process is that another one writes to the file or cuts it. Tables are written under another name and renamed
    // when they are whole, and this program never writes to a file of a finished table, so that whoever does that does
    // it on purpose. The bytes are only ever read as plain integers and doubles, for which every pattern is a value.
    unsafe { memmap2::MmapOptions::new().map_copy_read_only(file) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Seek;

    fn file(content: &[u8]) -> (tempfile::TempDir, File) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, content).unwrap();
        let file = File::open(path).unwrap();
        (dir, file)
    }

    #[test]
    fn law_a_mapped_file_has_the_bytes_of_its_safe_twin() {
        for length in [0, 1, 4095, 4096, 4097, 300_000] {
            let content: Vec<u8> = (0..length).map(|i| (i * i % 251) as u8).collect();
            let (_dir, mut file) = file(&content);
            let mapped = Bytes::map(&file, length).unwrap();
            assert_eq!(mapped.mapped(), length > 0 && cfg!(unix));
            file.rewind().unwrap();
            let read = Bytes::read(&file, length).unwrap();
            assert!(!read.mapped());
            assert!(mapped[..] == read[..] && read[..] == content[..], "{length} bytes");
        }
    }

    #[test]
    fn law_a_file_of_another_length_is_refused() {
        let (_dir, file) = file(b"twelve bytes");
        for length in [0, 11, 13, u64::MAX] {
            assert!(Bytes::map(&file, length).is_err(), "{length}");
            assert!(Bytes::read(&file, length).is_err(), "{length}");
        }
    }

    #[test]
    fn law_what_is_not_a_file_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        // Not every system opens folders.
        if let Ok(folder) = File::open(dir.path()) {
            let length = folder.metadata().unwrap().len();
            assert!(Bytes::map(&folder, length).is_err());
            assert!(Bytes::read(&folder, length).is_err());
        }
    }
}
