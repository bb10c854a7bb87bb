//! Where a report is written to: a folder of its own, never over somebody else's files.

use crate::fail::{Failure, refuse};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use yomikiri_core::text;
use yomikiri_tables::files;

/// The file that says that a folder is a report, and what belongs to it.
const MARK: &str = "report.json";
/// How names begin under which files are written before they are whole.
const TEMPORARY: &str = ".writing-";

/// A folder that may be written to.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    /// Files of the report that was there before.
    before: Vec<String>,
}

fn trouble(path: &Path) -> impl FnOnce(io::Error) -> Failure + '_ {
    move |error| Failure::Save(path.display().to_string(), error)
}

impl Folder {
    /// Makes the folder, if it is not there, and sees whether it may be written to: it is empty, or holds a report, or
    /// the user insists.
    pub fn prepare(root: &Path, force: bool) -> Result<Folder, Failure> {
        let shown = root.display().to_string();
        if root.exists() && !root.is_dir() {
            let accepts = text("a folder, or the name of a new one", "フォルダか、新しいフォルダの名前");
            return Err(refuse("--html", &shown, accepts).into());
        }
        fs::create_dir_all(root).map_err(trouble(root))?;
        let before = files_of_report(root);
        let mut entries = fs::read_dir(root).map_err(trouble(root))?.flatten();
        let empty = entries.all(|entry| temporary(&entry));
        if before.is_none() && !empty && !force {
            let accepts = text(
                "a new or empty folder, or one with a report; --force writes beside what is there",
                "新しいフォルダ、空のフォルダ、または以前のレポート。--force で既存のファイルの隣に書く",
            );
            return Err(refuse("--html", &shown, accepts).into());
        }
        if before.is_some() || empty {
            clear(root, before.as_deref().unwrap_or_default());
        }
        // Better now than after the computation.
        let probe = root.join(format!("{TEMPORARY}probe"));
        let _ = fs::remove_file(&probe);
        files::create(&probe).map_err(trouble(root))?;
        fs::remove_file(&probe).map_err(trouble(root))?;
        Ok(Folder { root: root.to_owned(), before: before.unwrap_or_default() })
    }

    /// Writes the files, each whole or not at all, and removes those of the report before that are not among them.
    pub fn write(&self, files: &[(String, Vec<u8>)], provenance: &Value) -> Result<(), Failure> {
        let names: Vec<&str> = files.iter().map(|f| f.0.as_str()).collect();
        let all: Vec<&str> = names.iter().copied().chain(self.before.iter().map(String::as_str)).collect();
        // What is half written is a report already: it may be written again.
        self.put(MARK, marked(&all, provenance).as_bytes())?;
        for (name, content) in files {
            self.put(name, content)?;
        }
        for old in self.before.iter().filter(|old| !names.contains(&old.as_str())) {
            // One that is gone is gone.
            let _ = fs::remove_file(self.root.join(old));
        }
        self.put(MARK, marked(&names, provenance).as_bytes())
    }

    fn put(&self, name: &str, content: &[u8]) -> Result<(), Failure> {
        let path = self.root.join(name);
        let folder = path.parent().unwrap_or(&self.root);
        let last = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = folder.join(format!("{TEMPORARY}{}-{last}", std::process::id()));
        let _ = fs::remove_file(&temporary);
        let written = fs::create_dir_all(folder)
            .and_then(|()| files::create(&temporary))
            .and_then(|mut file| file.write_all(content))
            .and_then(|()| fs::rename(&temporary, &path));
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written.map_err(trouble(&path))
    }
}

/// Whether something was being written by a run that was killed.
fn temporary(entry: &fs::DirEntry) -> bool {
    entry.file_name().to_string_lossy().starts_with(TEMPORARY)
}

/// Removes what a run that was killed has left half written beside the files of a report.
fn clear(root: &Path, files: &[String]) {
    let folders: BTreeSet<PathBuf> =
        files.iter().filter_map(|f| Some(root.join(Path::new(f).parent()?))).collect();
    let folders = folders.into_iter().chain([root.to_owned()]);
    let entries =
        folders.filter_map(|folder| fs::read_dir(folder).ok()).flat_map(|entries| entries.flatten());
    for entry in entries.filter(temporary) {
        let _ = fs::remove_file(entry.path());
    }
}

fn marked(files: &[&str], provenance: &Value) -> String {
    format!("{:#}\n", json!({"generator": "yomikiri", "provenance": provenance, "files": files}))
}

/// The files of the report in a folder, if there is one; only names that stay inside it.
fn files_of_report(root: &Path) -> Option<Vec<String>> {
    let mark: Value = serde_json::from_slice(&fs::read(root.join(MARK)).ok()?).ok()?;
    if mark["generator"] != "yomikiri" {
        return None;
    }
    let inside = |name: &&str| {
        let allowed = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
        name.chars().all(allowed) && name.split('/').all(|part| !part.is_empty() && !part.starts_with('.'))
    };
    let files = mark["files"].as_array()?.iter().filter_map(Value::as_str);
    Some(files.filter(inside).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_core::Lang;

    fn file(name: &str, content: &str) -> (String, Vec<u8>) {
        (name.to_owned(), content.as_bytes().to_vec())
    }

    #[test]
    fn law_a_folder_of_others_is_refused_unless_forced() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("photo.jpg"), "mine").unwrap();
        let refused = Folder::prepare(dir.path(), false).unwrap_err();
        assert!(refused.say(Lang::En).unwrap().contains("--force"));
        let folder = Folder::prepare(dir.path(), true).unwrap();
        folder.write(&[file("index.html", "x")], &Value::Null).unwrap();
        assert_eq!(fs::read_to_string(dir.path().join("photo.jpg")).unwrap(), "mine");
    }

    #[test]
    fn law_a_report_is_replaced_and_nothing_of_it_is_left() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("a/b");
        Folder::prepare(&root, false)
            .unwrap()
            .write(&[file("index.html", "1"), file("data/old.csv", "1")], &Value::Null)
            .unwrap();
        let again = Folder::prepare(&root, false).unwrap();
        again.write(&[file("index.html", "2")], &Value::Null).unwrap();
        assert_eq!(fs::read_to_string(root.join("index.html")).unwrap(), "2");
        assert!(!root.join("data/old.csv").exists());
        let left = fs::read_dir(&root).unwrap().flatten().map(|e| e.file_name().into_string().unwrap());
        assert!(left.into_iter().all(|name| !name.starts_with('.')));
    }

    #[test]
    fn law_what_a_killed_run_left_half_written_is_in_nobodys_way() {
        let dir = tempfile::tempdir().unwrap();
        let torn = |place: &str| fs::write(dir.path().join(place), "torn").unwrap();
        let names = |place: &str| -> Vec<_> {
            let entries = fs::read_dir(dir.path().join(place)).unwrap().flatten();
            entries.map(|e| e.file_name().into_string().unwrap()).collect()
        };
        // Killed before there was a mark.
        torn(".writing-probe");
        torn(".writing-77-report.json");
        let folder = Folder::prepare(dir.path(), false).unwrap();
        assert_eq!(names("."), Vec::<String>::new());
        folder.write(&[file("data/x.csv", "1")], &Value::Null).unwrap();
        // And among the files.
        torn("data/.writing-78-x.csv");
        Folder::prepare(dir.path(), false).unwrap();
        assert_eq!(names("data"), ["x.csv"]);
        // In a folder of others nothing is touched.
        fs::remove_file(dir.path().join(MARK)).unwrap();
        torn(".writing-79-x");
        Folder::prepare(dir.path(), false).unwrap_err();
        Folder::prepare(dir.path(), true).unwrap();
        assert!(dir.path().join(".writing-79-x").exists());
    }

    #[test]
    fn law_a_mark_cannot_name_files_outside() {
        let dir = tempfile::tempdir().unwrap();
        let names = ["../x", "/etc/x", "a/../x", ".hidden", "ok.html", "data//x"];
        fs::write(dir.path().join(MARK), marked(&names, &Value::Null)).unwrap();
        assert_eq!(files_of_report(dir.path()).unwrap(), ["ok.html"]);
    }

    #[test]
    fn law_a_file_is_no_folder() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, "x").unwrap();
        assert!(Folder::prepare(&path, true).unwrap_err().say(Lang::En).unwrap().contains("folder"));
        assert!(Folder::prepare(&path.join("below"), true).is_err());
    }
}
