//! Solved games on disk: a folder with one `.npy` array a tier and a manifest that says what they mean.
//!
//! A folder under its name is a whole table: it is built under another name, every file is synced, and it is renamed in
//! the end. What a manifest says is never taken for granted: the game is asked what its table must look like, and a
//! folder that differs is refused. A file is used only after its digest has been checked.

mod build;
pub mod files;
mod manifest;
pub mod npy;
mod open;
mod source;

pub use build::{Builder, Wishes};
pub use manifest::{Listed, MANIFEST, Manifest, Seal};
pub use open::{Damage, Opened};

use std::fs::{self, File};
use std::io;
use std::path::Path;
use yomikiri_core::{Error, Refusal, Text, text};

/// Why there is no table.
#[derive(Debug)]
pub enum Fault {
    /// A folder that is not a table, or not one of this program.
    NotATable {
        /// The folder or file at fault.
        path: String,
        /// What is wrong with it.
        why: Text,
    },
    /// What was asked for is not accepted.
    Refused(Refusal),
    /// A file or folder cannot be written.
    Output {
        /// Which.
        path: String,
        /// What the system says.
        why: io::Error,
    },
    /// The game refused or could not finish.
    Game(Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Game(error)
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Fault {
        Fault::Refused(refusal)
    }
}

/// The words for an error of the system.
fn system(why: &io::Error) -> Text {
    Text::of(format!("it cannot be read: {why}"), format!("読めません：{why}"))
}

/// Opens a regular file; links, folders, pipes and devices are refused, before a pipe could make us wait.
fn regular(path: &Path) -> Result<File, Text> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_file() => files::read(path).map_err(|e| system(&e)),
        Ok(meta) if meta.is_symlink() => Err(text(
            "it is a symbolic link; a table has its files in its folder",
            "シンボリックリンクです（表のファイルは表のフォルダに置きます）",
        )),
        Ok(_) => Err(text("it is not a file", "ファイルではありません")),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Err(text("it is missing", "ファイルがありません")),
        Err(e) => Err(system(&e)),
    }
}

/// Makes sure that the names in a folder survive a crash; where folders cannot be synced, so be it.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// Bytes that are free for us where a folder is or will be; `None` where the system does not tell.
pub fn free(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|path| path.as_os_str().is_empty() || path.exists())?;
    let there = if there.as_os_str().is_empty() { Path::new(".") } else { there };
    #[cfg(unix)]
    {
        let stat = rustix::fs::statvfs(there).ok()?;
        Some(stat.f_bavail.saturating_mul(stat.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = there;
        None
    }
}
