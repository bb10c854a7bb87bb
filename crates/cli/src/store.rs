//! Finished work and checkpoints as files in the user's cache directory.
//!
//! A file is a header (magic, length, BLAKE3 digest) and the content. It is written under a temporary
//! name and renamed when whole, and its digest is checked before a byte of it is handed out, so a crash,
//! a full disk or a flipped bit costs a recomputation and never a wrong value. Tables are large, so all
//! files together stay below a limit: the least recently used go first.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime};
use yomikiri_core::Store;
use yomikiri_tables::files;

/// The limit over all files if none is set.
pub const DEFAULT_LIMIT: u64 = 4 << 30;

const MAGIC: [u8; 8] = *b"yomikiri";
/// Magic, length and digest.
const HEADER: u64 = 8 + 8 + 32;
/// What files end in, so that a name can be another's folder.
const SUFFIX: &str = ".bin";
/// How temporary names begin; no stored name does.
const TEMPORARY: &str = ".writing-";
/// A temporary file untouched for so long was left by a run that died.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// Where the cache is by the environment: `YOMIKIRI_CACHE`, else the platform's cache directory.
pub fn directory(env: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    // Relative base directories would put caches wherever a command happens to run.
    let absolute = |name: &str| env(name).filter(|path| path.is_absolute());
    if let Some(own) = env("YOMIKIRI_CACHE").filter(|path| !path.as_os_str().is_empty()) {
        return Some(own);
    }
    if cfg!(windows) {
        return absolute("LOCALAPPDATA").map(|base| base.join("yomikiri").join("cache"));
    }
    let base = absolute("XDG_CACHE_HOME").or_else(|| {
        let home = absolute("HOME")?;
        Some(if cfg!(target_os = "macos") { home.join("Library/Caches") } else { home.join(".cache") })
    });
    base.map(|base| base.join("yomikiri"))
}

/// The store in a directory.
pub struct Files {
    root: PathBuf,
    /// Tables of another version may mean something else: each version has its folder.
    version: String,
    limit: u64,
    warned: AtomicBool,
}

/// A stored file.
#[derive(Debug)]
pub struct Kept {
    /// Its name in the store; empty for one that is still being written.
    pub name: String,
    /// The version of the program that wrote it.
    pub version: String,
    /// Its size with the header.
    pub bytes: u64,
    /// When it was last written or read.
    pub used: SystemTime,
    path: PathBuf,
}

impl Files {
    /// The store in a directory, which is made when something is kept.
    pub fn new(root: PathBuf, limit: u64) -> Files {
        let version = format!("v{}", env!("CARGO_PKG_VERSION"));
        Files { root, version, limit, warned: AtomicBool::new(false) }
    }

    /// The directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The limit over all files.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Where a file of this name is to be, in a folder that exists, for those that write it bit by bit. It
    /// must begin with the mark of the store's files, so that it is listed and cleared with them.
    pub fn place(&self, name: &str) -> io::Result<PathBuf> {
        let path = self.path(name).ok_or(io::ErrorKind::InvalidInput)?;
        fs::create_dir_all(path.parent().unwrap_or(&self.root))?;
        Ok(path)
    }

    /// Every file of every version, by name. Only what bears our mark is listed, so that a cache directory
    /// set to a place with other files in it does no harm to them.
    pub fn list(&self) -> Vec<Kept> {
        let mut found = Vec::new();
        for (path, name) in entries(&self.root) {
            let is_version =
                name.strip_prefix('v').is_some_and(|v| v.starts_with(|c: char| c.is_ascii_digit()));
            if is_version && is_folder(&path) {
                walk(&path, &name, "", &mut found);
            }
        }
        found.sort_by(|a, b| (&a.version, &a.name).cmp(&(&b.version, &b.name)));
        found
    }

    /// Removes every file; how many and how many bytes.
    pub fn clear(&self) -> (usize, u64) {
        let (mut files, mut bytes) = (0, 0);
        for kept in self.list() {
            if fs::remove_file(&kept.path).is_ok() {
                files += 1;
                bytes += kept.bytes;
            }
        }
        for (path, name) in entries(&self.root) {
            if name.starts_with('v') && is_folder(&path) {
                remove_empty(&path);
            }
        }
        (files, bytes)
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || "=,.-_".contains(c);
        let good = name.len() <= 400
            && name.split('/').all(|part| {
                (1..=200).contains(&part.len())
                    && !part.starts_with('.')
                    && !part.contains("..")
                    && part.chars().all(allowed)
            });
        good.then(|| self.root.join(&self.version).join(format!("{name}{SUFFIX}")))
    }

    fn write(
        &self,
        path: &Path,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Trouble> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder)?;
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary = folder.join(format!("{TEMPORARY}{}-{number}", std::process::id()));
        // Left by another run of the same number, or planted: a link goes, not what it leads to.
        let _ = fs::remove_file(&temporary);
        let file = files::create(&temporary)?;
        let done = self.fill(file, write).and_then(|()| Ok(fs::rename(&temporary, path)?));
        if done.is_err() {
            let _ = fs::remove_file(&temporary);
            return done;
        }
        // The rename itself must survive a crash, too; where folders cannot be synced, so be it.
        if let Ok(folder) = File::open(folder) {
            let _ = folder.sync_all();
        }
        Ok(())
    }

    fn fill(
        &self,
        file: File,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Trouble> {
        let mut sink = Sink {
            file: BufWriter::with_capacity(1 << 20, file),
            digest: blake3::Hasher::new(),
            length: 0,
            most: self.limit.saturating_sub(HEADER),
            failed: None,
        };
        sink.file.write_all(&[0; HEADER as usize])?;
        if let Err(e) = write(&mut sink) {
            return Err(match sink.failed {
                Some(ours) => Trouble::Storage(io::Error::new(ours, e)),
                None => Trouble::Writer(e),
            });
        }
        let mut file = sink.file.into_inner().map_err(|e| e.into_error())?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&MAGIC)?;
        file.write_all(&sink.length.to_le_bytes())?;
        file.write_all(sink.digest.finalize().as_bytes())?;
        Ok(file.sync_all()?)
    }

    /// Brings all files together below the limit, oldest use first; `spared` is the one just written.
    fn trim(&self, spared: &Path) {
        let mut files = self.list();
        let mut total: u64 = files.iter().map(|f| f.bytes).sum();
        let now = used_now();
        let age = |file: &Kept| now.duration_since(file.used).unwrap_or_default();
        files.sort_by_key(|file| file.used);
        for file in files {
            let writing = file.name.is_empty();
            let remove =
                if writing { age(&file) > ABANDONED } else { total > self.limit && file.path != spared };
            if remove && fs::remove_file(&file.path).is_ok() {
                tracing::debug!("the cache is full: removed {}/{}", file.version, file.name);
                total -= file.bytes;
            }
        }
    }

    fn warn(&self, e: &io::Error) {
        if !self.warned.swap(true, Ordering::Relaxed) {
            tracing::warn!("going on without a cache: {}: {e}", self.root.display());
        }
    }
}

/// The time that files are marked with when they are used. If the clock jumps, others may go first from a full cache, and a
/// file that is being written may be taken for one that was left: the cache loses an entry, and nobody a result.
#[expect(clippy::disallowed_methods)]
fn used_now() -> SystemTime {
    SystemTime::now()
}

impl Store for Files {
    fn load(&self, name: &str) -> Option<Box<dyn Read>> {
        let path = self.path(name)?;
        let mut file = files::read(&path).ok()?;
        match content(&mut file) {
            Ok(length) => {
                // Its use decides what is kept; a file that cannot be touched is only removed earlier.
                let _ = file.set_modified(used_now());
                Some(Box::new(BufReader::with_capacity(1 << 20, file).take(length)))
            }
            Err(e) => {
                tracing::warn!("removed from the cache: {name}: {e}");
                drop(file);
                let _ = fs::remove_file(&path);
                None
            }
        }
    }

    fn save(&self, name: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let Some(path) = self.path(name) else {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("not a name to store by: {name}"),
            ));
        };
        match self.write(&path, write) {
            Ok(()) => self.trim(&path),
            Err(Trouble::Writer(e)) => return Err(e),
            // A cache that cannot be written costs time later, not the result now.
            Err(Trouble::Storage(e)) => self.warn(&e),
        }
        Ok(())
    }

    fn remove(&self, name: &str) {
        if let Some(path) = self.path(name) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Who is at fault when a file could not be written.
enum Trouble {
    /// The disk or its permissions.
    Storage(io::Error),
    /// Whoever had something to keep.
    Writer(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(e: io::Error) -> Trouble {
        Trouble::Storage(e)
    }
}

/// Counts and digests what goes by, and stops before a file outgrows the whole cache.
struct Sink {
    file: BufWriter<File>,
    digest: blake3::Hasher,
    length: u64,
    most: u64,
    failed: Option<io::ErrorKind>,
}

impl Write for Sink {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let written = if self.length + buf.len() as u64 > self.most {
            Err(io::Error::new(io::ErrorKind::FileTooLarge, "larger than the limit of the cache"))
        } else {
            self.file.write(buf)
        };
        match &written {
            Ok(n) => {
                self.digest.update(&buf[..*n]);
                self.length += *n as u64;
            }
            Err(e) if e.kind() != io::ErrorKind::Interrupted => self.failed = Some(e.kind()),
            Err(_) => {}
        }
        written
    }
    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Checks a whole file and leaves it at the start of its content, whose length is returned.
fn content(file: &mut File) -> io::Result<u64> {
    let bad = |why: &str| Err(io::Error::new(io::ErrorKind::InvalidData, why));
    let mut header = [0; HEADER as usize];
    file.read_exact(&mut header)?;
    let (magic, rest) = header.split_at(8);
    let (length, digest) = rest.split_at(8);
    if magic != MAGIC {
        return bad("not a file of this program");
    }
    let length = u64::from_le_bytes(length.try_into().unwrap_or_default());
    if file.metadata()?.len() != HEADER.saturating_add(length) {
        return bad("truncated");
    }
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => hasher.update(&buffer[..n]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
    }
    if hasher.finalize().as_bytes() != digest {
        return bad("its digest is wrong");
    }
    file.seek(SeekFrom::Start(HEADER))?;
    Ok(length)
}

/// What is in a folder, with names; nothing if it cannot be read.
fn entries(folder: &Path) -> Vec<(PathBuf, String)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().filter_map(|e| Some((e.path(), e.file_name().into_string().ok()?))).collect()
}

fn walk(folder: &Path, version: &str, above: &str, found: &mut Vec<Kept>) {
    for (path, name) in entries(folder) {
        // Links are not followed: what they point to is not ours.
        let Ok(meta) = fs::symlink_metadata(&path) else { continue };
        let writing = name.starts_with(TEMPORARY);
        if meta.is_dir() {
            walk(&path, version, &format!("{above}{name}/"), found);
        } else if meta.is_file() && (writing || (name.ends_with(SUFFIX) && is_ours(&path))) {
            let name = if writing {
                String::new()
            } else {
                format!("{above}{}", &name[..name.len() - SUFFIX.len()])
            };
            let used = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            found.push(Kept { name, version: version.to_owned(), bytes: meta.len(), used, path });
        }
    }
}

/// Whether this is a folder, and not a link to one: what that holds is not ours.
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir())
}

fn is_ours(path: &Path) -> bool {
    let mut magic = [0; 8];
    files::read(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && magic == MAGIC
}

/// Removes folders that hold nothing.
fn remove_empty(folder: &Path) {
    for (path, _) in entries(folder) {
        if is_folder(&path) {
            remove_empty(&path);
        }
    }
    // Fails on folders with something in them, as it should.
    let _ = fs::remove_dir(folder);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(limit: u64) -> (tempfile::TempDir, Files) {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(dir.path().join("cache"), limit);
        (dir, files)
    }

    fn keep(files: &Files, name: &str, content: &[u8]) {
        files.save(name, &mut |w| w.write_all(content)).unwrap();
    }

    fn read(files: &Files, name: &str) -> Option<Vec<u8>> {
        let mut content = Vec::new();
        files.load(name)?.read_to_end(&mut content).unwrap();
        Some(content)
    }

    fn age(files: &Files, name: &str, seconds: u64) {
        let file = fs::OpenOptions::new().write(true).open(files.path(name).unwrap()).unwrap();
        file.set_modified(used_now() - Duration::from_secs(seconds)).unwrap();
    }

    #[test]
    fn law_a_clock_that_jumps_costs_entries_of_the_cache_and_nothing_else() {
        let (_dir, files) = store(3 * (HEADER + 100));
        for (name, back) in [("a", true), ("b", false)] {
            keep(&files, name, &[7; 100]);
            let file = fs::OpenOptions::new().write(true).open(files.path(name).unwrap()).unwrap();
            let day = Duration::from_secs(86_400);
            // As if the clock had been a thousand days before or behind when it was used.
            file.set_modified(if back { used_now() - 1000 * day } else { used_now() + 1000 * day }).unwrap();
        }
        // A file that another run seems to be writing since days to come.
        let writing = files.path("c").unwrap().with_file_name(format!("{TEMPORARY}1"));
        fs::write(&writing, "half").unwrap();
        let file = fs::OpenOptions::new().write(true).open(&writing).unwrap();
        file.set_modified(used_now() + Duration::from_secs(86_400)).unwrap();
        for round in 0..4 {
            keep(&files, &format!("new{round}"), &[round; 100]);
            assert_eq!(read(&files, &format!("new{round}")), Some(vec![round; 100]));
        }
        assert_eq!(read(&files, "a"), None, "the oldest by the clock has gone");
        assert_eq!(read(&files, "b"), Some(vec![7; 100]), "what was used in times to come stays longest");
        assert!(writing.exists() && files.list().iter().map(|f| f.bytes).sum::<u64>() <= files.limit() + 4);
    }

    #[test]
    fn law_what_is_kept_comes_back() {
        let (_dir, files) = store(DEFAULT_LIMIT);
        let name = "memory/ranks=13,copies=4,objective=win/f64-table";
        assert_eq!(read(&files, name), None);
        let long: Vec<u8> = (0..3_000_000u32).map(|i| (i % 251) as u8).collect();
        keep(&files, name, &long);
        assert_eq!(read(&files, name), Some(long));
        keep(&files, name, b"");
        assert_eq!(read(&files, name), Some(Vec::new()));
        // A name may also be another's folder.
        keep(&files, "memory/ranks=13,copies=4,objective=win", b"x");
        assert_eq!(files.list().len(), 2);
        files.remove(name);
        assert_eq!(read(&files, name), None);
        assert_eq!(files.clear(), (1, HEADER + 1));
        assert_eq!(entries(files.root()).len(), 0);
    }

    #[test]
    fn law_damaged_files_are_refused_and_removed() {
        let (_dir, files) = store(DEFAULT_LIMIT);
        let damage: [fn(&mut Vec<u8>); 6] = [
            |bytes| bytes.truncate(HEADER as usize + 3),
            |bytes| bytes.truncate(5),
            |bytes| bytes.clear(),
            |bytes| bytes.push(0),
            |bytes| *bytes.last_mut().unwrap() ^= 1,
            |bytes| bytes[9] ^= 0x80,
        ];
        for damage in damage {
            keep(&files, "a/b", b"some content");
            let path = files.path("a/b").unwrap();
            let mut bytes = fs::read(&path).unwrap();
            damage(&mut bytes);
            fs::write(&path, bytes).unwrap();
            assert_eq!(read(&files, "a/b"), None);
            assert!(!path.exists());
        }
    }

    #[test]
    fn law_the_least_recently_used_go_first() {
        let (_dir, files) = store(3 * (HEADER + 1000));
        for (name, seconds) in [("a", 30), ("b", 20), ("c", 10)] {
            keep(&files, name, &[0; 1000]);
            age(&files, name, seconds);
        }
        assert!(read(&files, "a").is_some(), "three fit");
        keep(&files, "d", &[0; 1000]);
        let names: Vec<String> = files.list().into_iter().map(|f| f.name).collect();
        assert_eq!(names, ["a", "c", "d"], "a was read last, b is the oldest");
        keep(&files, "e", &[0; 3000]);
        let names: Vec<String> = files.list().into_iter().map(|f| f.name).collect();
        assert_eq!(names, ["e"], "the new one stays even where it needs all the room");
        keep(&files, "f", &[0; 4000]);
        let names: Vec<String> = files.list().into_iter().map(|f| f.name).collect();
        assert_eq!(names, ["e"], "what is over the limit alone is not kept, and nothing goes for it");
    }

    #[test]
    fn law_names_stay_inside() {
        let (_dir, files) = store(DEFAULT_LIMIT);
        for bad in ["", "/a", "a/", "../a", "a/../b", "a//b", ".a", "a b", "a\\b", "é", "a\0", "a..b"] {
            assert!(files.save(bad, &mut |w| w.write_all(b"x")).is_err(), "{bad:?}");
            assert!(files.load(bad).is_none(), "{bad:?}");
        }
        assert!(files.list().is_empty());
    }

    #[test]
    fn law_writers_at_once_leave_one_whole_file() {
        let (_dir, files) = store(DEFAULT_LIMIT);
        std::thread::scope(|scope| {
            for writer in 0..8u8 {
                let files = &files;
                scope.spawn(move || {
                    for _ in 0..10 {
                        keep(files, "shared/table", &vec![writer; 50_000]);
                        let content = read(files, "shared/table").unwrap();
                        assert_eq!(content.len(), 50_000);
                        assert!(content.iter().all(|b| *b == content[0]));
                    }
                });
            }
        });
        assert_eq!(files.list().len(), 1, "no temporary file is left");
    }

    #[test]
    fn law_a_failing_writer_leaves_nothing() {
        let (_dir, files) = store(DEFAULT_LIMIT);
        keep(&files, "a", b"before");
        let failed = files.save("a", &mut |w| {
            w.write_all(b"half")?;
            Err(io::Error::other("stopped"))
        });
        assert!(failed.is_err());
        assert_eq!(read(&files, "a"), Some(b"before".to_vec()));
        assert_eq!(files.list().len(), 1);
    }

    #[test]
    fn law_a_place_that_cannot_be_written_fails_no_run() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "not a folder").unwrap();
        let files = Files::new(file.join("cache"), DEFAULT_LIMIT);
        keep(&files, "a", b"x");
        assert_eq!(read(&files, "a"), None);
        assert_eq!(files.clear(), (0, 0));
    }

    #[test]
    fn law_files_of_others_are_left_alone() {
        let (_dir, files) = store(10);
        let folder = files.root().join("v1.0/letters");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("photo.bin"), [1; 100]).unwrap();
        fs::write(files.root().join("notes.txt"), "mine").unwrap();
        assert!(files.list().is_empty());
        assert_eq!(files.clear(), (0, 0));
        assert!(folder.join("photo.bin").exists() && files.root().join("notes.txt").exists());
    }

    #[test]
    fn law_the_directory_follows_the_environment() {
        let env = |set: &'static [(&str, &str)]| {
            move |name: &str| set.iter().find(|s| s.0 == name).map(|s| PathBuf::from(s.1))
        };
        assert_eq!(directory(env(&[("YOMIKIRI_CACHE", "/c"), ("HOME", "/h")])), Some(PathBuf::from("/c")));
        if cfg!(target_os = "linux") {
            assert_eq!(
                directory(env(&[("XDG_CACHE_HOME", "/x"), ("HOME", "/h")])),
                Some(PathBuf::from("/x/yomikiri"))
            );
            assert_eq!(
                directory(env(&[("XDG_CACHE_HOME", "x"), ("HOME", "/h")])),
                Some(PathBuf::from("/h/.cache/yomikiri"))
            );
        }
        assert_eq!(directory(env(&[])), None);
    }
}
