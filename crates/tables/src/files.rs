//! Files of ours and of nobody else. Links are not followed, and what is no regular file, such as a pipe, is refused
//! instead of waited for. What was there before is only written over if it is the beginning of the very same file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

/// Opens a regular file.
///
/// # Errors
/// What the system says; a link, a pipe, a folder or a device is refused at once.
pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // A pipe that nobody reads would keep us waiting for ever.
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
    }
    let refused = |what: &str| io::Error::new(io::ErrorKind::InvalidInput, what.to_owned());
    if path.symlink_metadata().is_ok_and(|meta| meta.is_symlink()) {
        return Err(refused("it is a link, and links are not followed here"));
    }
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(refused("it is not a regular file"));
    }
    Ok(file)
}

/// Makes a file that is not there yet.
///
/// # Errors
/// What the system says; whatever has its name, a link that leads nowhere included, is in the way.
pub fn create(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().write(true).create_new(true))
}

/// Opens a regular file to be read.
///
/// # Errors
/// As [`open`].
pub fn read(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().read(true))
}

/// A file that is written beside its place until it is whole. What a run that was killed has left there is the beginning
/// of the same bytes, so it is compared and kept; anything else there is somebody's and stays as it is.
pub struct Draft {
    file: File,
    /// Bytes that were there.
    there: u64,
    /// Bytes written or compared so far.
    at: u64,
    /// Something else was found: nothing is written any more.
    foreign: bool,
}

impl Draft {
    /// Makes the file, or opens what is there.
    ///
    /// # Errors
    /// As [`open`].
    pub fn open(path: &Path) -> io::Result<Draft> {
        let file = open(path, OpenOptions::new().read(true).write(true).create(true).truncate(false))?;
        let there = file.metadata()?.len();
        Ok(Draft { file, there, at: 0, foreign: false })
    }

    /// The file itself, to be locked.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Empties it, whatever was there: somebody wishes it so.
    ///
    /// # Errors
    /// What the system says.
    pub fn empty(&mut self) -> io::Result<()> {
        self.there = 0;
        self.file.set_len(0)
    }

    /// Whether everything in the file is known to be ours.
    pub fn ours(&self) -> bool {
        self.at >= self.there
    }

    /// Sees to it that nothing else is behind what was written, and that it survives a crash.
    ///
    /// # Errors
    /// What is there is not ours, or what the system says.
    pub fn finish(&mut self) -> io::Result<()> {
        if !self.ours() {
            return Err(foreign());
        }
        self.file.sync_all()
    }
}

fn foreign() -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, "something else is there: remove it if it is not needed")
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.foreign {
            return Err(foreign());
        }
        if self.ours() {
            let written = self.file.write(bytes)?;
            self.at += written as u64;
            return Ok(written);
        }
        let mut known = vec![0; bytes.len().min((self.there - self.at).min(1 << 16) as usize)];
        self.file.read_exact(&mut known)?;
        if !bytes.starts_with(&known) {
            self.foreign = true;
            return Err(foreign());
        }
        self.at += known.len() as u64;
        Ok(known.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn law_only_the_beginning_of_the_same_file_is_written_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.writing");
        let whole: Vec<u8> = (0..200_000u32).flat_map(u32::to_le_bytes).collect();
        let write = |force: bool| {
            let mut draft = Draft::open(&path)?;
            if force {
                draft.empty()?;
            }
            whole.chunks(3000).try_for_each(|chunk| draft.write_all(chunk))?;
            draft.finish()
        };
        for left in [0, 1, 2999, 3000, 65_536, 70_001, whole.len()] {
            fs::write(&path, &whole[..left]).unwrap();
            write(false).unwrap();
            assert!(fs::read(&path).unwrap() == whole, "{left}");
        }
        let longer = [&whole[..], b"x"].concat();
        let other = [&whole[..70_000], b"mine"].concat();
        for there in [&b"mine"[..], &longer, &other] {
            fs::write(&path, there).unwrap();
            assert_eq!(write(false).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
            assert!(fs::read(&path).unwrap() == there, "it was somebody's");
            write(true).unwrap();
            assert!(fs::read(&path).unwrap() == whole);
        }
    }

    #[cfg(unix)]
    #[test]
    fn law_links_and_pipes_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("victim"), "mine").unwrap();
        std::os::unix::fs::symlink(at("victim"), at("link")).unwrap();
        std::os::unix::fs::symlink(at("nowhere"), at("dangling")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        fs::create_dir(at("folder")).unwrap();
        for name in ["link", "dangling", "pipe", "folder"] {
            assert!(read(&at(name)).is_err(), "{name}");
            assert!(Draft::open(&at(name)).is_err(), "{name}");
            let append = open(&at(name), OpenOptions::new().append(true).create(true));
            assert!(append.is_err(), "{name}");
        }
        assert_eq!(fs::read(at("victim")).unwrap(), b"mine");
        assert!(!at("nowhere").exists());
    }
}
