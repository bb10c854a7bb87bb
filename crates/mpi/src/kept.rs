//! Where a rank keeps its part of the table between two moments: a file with its digest at the end, written under another
//! name, synced and renamed.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use yomikiri_core::Store;
use yomikiri_tables::files;

const DIGEST: usize = 32;

/// A folder of such files.
pub struct Kept {
    folder: PathBuf,
}

impl Kept {
    /// In this folder, which is made when something is kept.
    pub fn new(folder: PathBuf) -> Kept {
        Kept { folder }
    }

    fn whole(&self, name: &str) -> io::Result<Box<dyn Read>> {
        let mut file = files::read(&self.folder.join(name))?;
        let length = file.metadata()?.len().checked_sub(DIGEST as u64).ok_or(io::ErrorKind::InvalidData)?;
        let mut hasher = blake3::Hasher::new();
        let mut buffer = vec![0; 1 << 20];
        let mut left = length;
        while left > 0 {
            let some = left.min(buffer.len() as u64) as usize;
            file.read_exact(&mut buffer[..some])?;
            hasher.update(&buffer[..some]);
            left -= some as u64;
        }
        let mut digest = [0; DIGEST];
        file.read_exact(&mut digest)?;
        if digest != *hasher.finalize().as_bytes() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        file.seek(SeekFrom::Start(0))?;
        Ok(Box::new(BufReader::with_capacity(1 << 20, file.take(length))))
    }
}

impl Store for Kept {
    fn load(&self, name: &str) -> Option<Box<dyn Read>> {
        self.whole(name).ok()
    }

    fn save(&self, name: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let path = self.folder.join(name);
        let writing = self.folder.join(format!("{name}.writing"));
        // The folder is ours: what is there was left by a run that was killed.
        if writing.symlink_metadata().is_ok() {
            fs::remove_file(&writing)?;
        }
        let mut out = Digesting {
            out: BufWriter::with_capacity(1 << 20, files::create(&writing)?),
            hasher: blake3::Hasher::new(),
        };
        let mut fill = |out: &mut Digesting| {
            write(out)?;
            let digest = out.hasher.finalize();
            out.out.write_all(digest.as_bytes())?;
            out.out.flush()?;
            out.out.get_ref().sync_all()
        };
        let done = fill(&mut out).and_then(|()| fs::rename(&writing, path));
        if done.is_err() {
            // It would only take room on a disk that may be full.
            let _ = fs::remove_file(&writing);
        }
        done
    }

    fn remove(&self, name: &str) {
        let _ = fs::remove_file(self.folder.join(name));
    }
}

struct Digesting {
    out: BufWriter<File>,
    hasher: blake3::Hasher,
}

impl Write for Digesting {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let n = self.out.write(buf)?;
        self.hasher.update(&buf[..n]);
        Ok(n)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_what_was_kept_is_whole_or_not_there() {
        let dir = tempfile::tempdir().unwrap();
        let kept = Kept::new(dir.path().join("x"));
        assert!(kept.load("a").is_none());
        kept.save("a", &mut |out| out.write_all(b"all of it")).unwrap();
        let read = |name: &str| {
            let mut bytes = Vec::new();
            kept.load(name).map(|mut from| from.read_to_end(&mut bytes).map(|_| bytes).unwrap())
        };
        assert_eq!(read("a").as_deref(), Some(&b"all of it"[..]));
        // What fails leaves what was there.
        assert!(kept.save("a", &mut |_| Err(io::ErrorKind::StorageFull.into())).is_err());
        assert_eq!(read("a").as_deref(), Some(&b"all of it"[..]));
        let path = dir.path().join("x/a");
        let good = fs::read(&path).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 4;
            fs::write(&path, &bad).unwrap();
            assert!(read("a").is_none(), "{at}");
            fs::write(&path, &good[..at]).unwrap();
            assert!(read("a").is_none(), "{at}");
        }
        kept.remove("a");
        assert!(read("a").is_none());
    }
}
