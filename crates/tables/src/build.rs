//! A table under construction: a folder beside the one it is to become.
//!
//! Arrays are written one after the other, each under another name, synced and renamed; a journal notes their digests. A
//! run that was stopped in any way leaves this folder, and the next one keeps every array whose digest is right. In the
//! end the manifest is written and the folder gets its name: a folder under that name is always a whole table.

use crate::manifest::{Listed, MANIFEST, Manifest, Seal};
use crate::{Fault, files, free, open, sync_folder};
use serde_json::{Value, json};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use yomikiri_core::error::bytes;
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_games::params::Settings;
use yomikiri_games::tables::{Bytes, Plan, Sink};

/// What the folder of an unfinished table ends in.
const PART: &str = ".part";
/// What a table that is being replaced ends in, for a moment.
const REPLACED: &str = ".replaced";
/// What a file that is being written ends in.
const WRITING: &str = ".writing";
/// The journal.
const PROGRESS: &str = "progress.jsonl";
/// Where solvers keep their checkpoints within a tier.
const CHECKPOINTS: &str = "checkpoints";
/// Room on the disk beside the arrays: the manifest, folders, what the system rounds up.
const ROOM: u64 = 4 << 20;

/// What a user asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wishes {
    /// Whether a table that is there may be replaced, and an unfinished one thrown away.
    pub force: bool,
    /// Whether to go on with an unfinished one.
    pub resume: bool,
}

/// A table under construction.
pub struct Builder<'a> {
    game: &'static str,
    settings: &'a Settings,
    plan: &'a Plan,
    folder: PathBuf,
    part: PathBuf,
    force: bool,
    journal: File,
    /// The digests of the arrays that are there.
    digests: Vec<Option<String>>,
    /// Arrays that others are computed from.
    lent: Vec<Bytes>,
}

impl<'a> Builder<'a> {
    /// Looks at what is there and at what is needed, and makes or opens the folder. Nothing has been solved by then.
    pub fn begin(
        folder: &Path,
        game: &'static str,
        settings: &'a Settings,
        plan: &'a Plan,
        wishes: Wishes,
        run: &Run<'_>,
    ) -> Result<Builder<'a>, Fault> {
        let Some(name) = folder.file_name().and_then(|name| name.to_str()) else {
            let accepts = text("the name of a folder to make", "作るフォルダの名前");
            return Err(Refusal::new("--out", format!("\"{}\"", folder.display()), accepts).into());
        };
        let above = folder.parent().unwrap_or(Path::new(""));
        let folder = above.join(name);
        let part = above.join(format!("{name}{PART}"));
        if folder.symlink_metadata().is_ok() {
            replaceable(&folder, wishes.force)?;
        }
        run.fits(plan.memory)?;
        let need = plan.tiers.iter().fold(ROOM, |sum, tier| sum.saturating_add(Listed::length(tier)));
        let there: u64 =
            entries(&part).iter().filter_map(|(_, path)| Some(path.metadata().ok()?.len())).sum();
        let free = free(above);
        if let Some(free) = free
            && need > free.saturating_add(there)
        {
            let got = Text::of(
                format!("a disk with {} free", bytes(free)),
                format!("空きが {} のディスク", bytes(free)),
            );
            let accepts = Text::of(
                format!("{} free: that is what this table takes", bytes(need)),
                format!("空きが {} 以上のディスク（この表の大きさ）", bytes(need)),
            );
            return Err(Refusal::of("--out", got, accepts).into());
        }
        let free = |en: bool| match free {
            None => String::new(),
            Some(free) if en => format!(" ({} free)", bytes(free)),
            Some(free) => format!("（空き {}）", bytes(free)),
        };
        let (values, files, disk, memory) =
            (plan.values(), plan.tiers.len(), bytes(need), bytes(plan.memory));
        run.observer.note(&Text::of(
            format!("{values} values in {files} files; disk: {disk}{}; memory: about {memory}", free(true)),
            format!(
                "{values} 個の値、{files} 個のファイル。ディスク：{disk}{}、メモリ：約 {memory}",
                free(false)
            ),
        ));

        let left = part.symlink_metadata().is_ok();
        if left && busy(&part) {
            return Err(in_use(&part).into());
        }
        if left && !wishes.resume && !wishes.force {
            let shown = part.display();
            let got = Text::of(
                format!("{shown}, left by a build that was stopped"),
                format!("中断した実行の残した {shown}"),
            );
            return Err(Refusal::of("--out", got, go_on()).into());
        }
        if left && !unfinished(&part) {
            let shown = format!("\"{}\"", part.display());
            let accepts = text(
                "nothing there, or a table that was begun: it would be built there",
                "そこに何もないか、作りかけの表であること（そこで作業します）",
            );
            return Err(Refusal::new("--out", shown, accepts).into());
        }
        let unwritable =
            |path: &Path, why: io::Error| Fault::Output { path: path.display().to_string(), why };
        if !left {
            fs::create_dir_all(above)
                .and_then(|()| fs::create_dir(&part))
                .map_err(|e| unwritable(&part, e))?;
        }
        let path = part.join(PROGRESS);
        let journal = files::open(&path, OpenOptions::new().read(true).append(true).create(true));
        let journal = journal.map_err(|e| unwritable(&path, e))?;
        match journal.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(in_use(&part).into()),
            // Where files cannot be locked, so be it.
            Err(TryLockError::Error(_)) => {}
        }
        let digests = vec![None; plan.tiers.len()];
        let force = wishes.force;
        let mut builder =
            Builder { game, settings, plan, folder, part, force, journal, digests, lent: Vec::new() };
        if left && wishes.resume {
            builder.resume(run)?;
        } else {
            builder.clear().map_err(|e| unwritable(&builder.part, e))?;
            builder.note(&builder.identity()).map_err(|e| unwritable(&path, e))?;
        }
        Ok(builder)
    }

    /// A folder for checkpoints of solvers; it goes when the table is finished.
    pub fn checkpoints(&self) -> PathBuf {
        self.part.join(CHECKPOINTS)
    }

    /// The folder the table is built in.
    pub fn part(&self) -> &Path {
        &self.part
    }

    /// How many arrays are there, and of how many.
    pub fn done(&self) -> (usize, usize) {
        (self.digests.iter().flatten().count(), self.digests.len())
    }

    /// What must be the same for arrays of an earlier run to be used.
    fn identity(&self) -> Value {
        let empty: Vec<String> = vec![String::new(); self.plan.tiers.len()];
        let manifest = Manifest::of(self.game, self.settings, self.plan, &empty);
        let digest = blake3::hash(manifest.to_text(self.plan).as_bytes()).to_hex();
        json!({"game": manifest.game, "parameters": manifest.parameters, "program": manifest.program, "table": digest.as_str()})
    }

    fn note(&mut self, what: &Value) -> io::Result<()> {
        self.journal.write_all(format!("{what}\n").as_bytes())?;
        self.journal.sync_data()
    }

    /// Throws away what an earlier run has left.
    fn clear(&mut self) -> io::Result<()> {
        for (name, path) in entries(&self.part) {
            if name != PROGRESS {
                remove(&path)?;
            }
        }
        self.journal.set_len(0)
    }

    /// Takes over the arrays of an earlier run that are whole.
    fn resume(&mut self, run: &Run<'_>) -> Result<(), Fault> {
        let mut journal = String::new();
        let read = self.journal.rewind().and_then(|()| {
            // A damaged journal costs time, never a wrong byte: what cannot be read is not there.
            let mut bytes = Vec::new();
            (&self.journal).take(crate::manifest::LONGEST).read_to_end(&mut bytes)?;
            journal = String::from_utf8_lossy(&bytes).into_owned();
            Ok(())
        });
        read.map_err(|why| Fault::Output { path: self.part.join(PROGRESS).display().to_string(), why })?;
        let identity = self.identity();
        let mut digests: Vec<Option<String>> = vec![None; self.digests.len()];
        let mut noted = false;
        // A line that was torn is skipped.
        for line in journal.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            if line.get("table").is_some() {
                if line != identity {
                    return Err(self.others(&line).into());
                }
                noted = true;
            } else if let (Some(tier), Some(digest)) = (line["tier"].as_u64(), line["blake3"].as_str())
                && let Some(slot) = digests.get_mut(tier as usize)
            {
                *slot = Some(digest.to_owned());
            }
        }
        if !noted {
            // Stopped when the manifest was written and the journal was gone: the digests are in the manifest.
            digests = self.finished().unwrap_or_else(|| vec![None; self.digests.len()]);
        }
        let total = self.plan.tiers.iter().map(Listed::length).sum();
        run.observer.begin(&text("checking what is there", "既にある部分の検査"), total);
        let mut checked = 0;
        for (i, digest) in digests.into_iter().enumerate() {
            let Some(digest) = digest.filter(|digest| digest.len() >= 16 && digest.is_ascii()) else {
                continue;
            };
            let listed = self.listed(i, digest);
            checked += listed.bytes;
            if open::load(&self.path(i), &listed, 0, Some(run))?.is_ok() {
                self.digests[i] = Some(listed.blake3);
            }
            run.observer.done(checked);
        }
        run.observer.end();
        let (there, of) = self.done();
        run.observer.note(&Text::of(
            format!("resumed: {there} of {of} files are there and whole"),
            format!("再開：{of} 個のファイルのうち {there} 個は完成しています"),
        ));
        let written = (|| {
            if !journal.is_empty() && !journal.ends_with('\n') {
                // What was torn stays alone on its line.
                self.journal.write_all(b"\n")?;
            }
            if !noted {
                self.note(&identity)?;
                for (tier, digest) in self.digests.clone().into_iter().enumerate() {
                    if let Some(digest) = digest {
                        self.note(&json!({"tier": tier, "blake3": digest}))?;
                    }
                }
            }
            Ok(())
        })();
        written.map_err(|why| Fault::Output { path: self.part.join(PROGRESS).display().to_string(), why })
    }

    /// The digests of a table that was finished but for its name.
    fn finished(&self) -> Option<Vec<Option<String>>> {
        let manifest = Manifest::read(&open::read(&self.part.join(MANIFEST)).ok()?).ok()?;
        let ours = Manifest::of(self.game, self.settings, self.plan, &[]);
        let same = (&manifest.game, &manifest.parameters) == (&ours.game, &ours.parameters);
        if !same
            || manifest.seal != Seal::Right
            || manifest.program != ours.program
            || manifest.differs(self.plan).is_some()
        {
            return None;
        }
        Some(manifest.files.into_iter().map(|file| Some(file.blake3)).collect())
    }

    /// Refuses to go on with what another command has begun.
    fn others(&self, what: &Value) -> Refusal {
        let shown = self.part.display();
        let (game, parameters) = (&what["game"], &what["parameters"]);
        Refusal::of(
            "--resume",
            Text::of(
                format!("{shown}, left by another command: {game} {parameters}, {}", what["program"]),
                format!("別のコマンドの残した {shown}（{game} {parameters}、{}）", what["program"]),
            ),
            text(
                "the same game, parameters and program as before, or --force to start over",
                "前と同じゲーム・パラメータ・プログラム、または最初から作り直す --force",
            ),
        )
    }

    fn listed(&self, tier: usize, blake3: String) -> Listed {
        let tier = self.plan.tiers[tier].clone();
        Listed { bytes: Listed::length(&tier), tier, blake3 }
    }

    fn path(&self, tier: usize) -> PathBuf {
        self.part.join(Listed::file(&self.plan.tiers[tier]))
    }

    /// Writes the manifest and gives the folder its name.
    pub fn finish(self) -> Result<Manifest, Fault> {
        let missing = || {
            let why = io::Error::other("not every array was written");
            Fault::Output { path: self.part.display().to_string(), why }
        };
        let digests: Option<Vec<String>> = self.digests.iter().cloned().collect();
        let manifest = Manifest::of(self.game, self.settings, self.plan, &digests.ok_or_else(missing)?);
        let place = |at: &Path| {
            let at = at.display().to_string();
            move |why: io::Error| Fault::Output { path: at, why }
        };
        let path = self.part.join(MANIFEST);
        let text = manifest.to_text(self.plan);
        whole(&path, &mut |out| out.write_all(text.as_bytes())).map_err(place(&path))?;
        // Whatever else is there is ours, and not of the table.
        let files: Vec<String> = self.plan.tiers.iter().map(Listed::file).collect();
        for (name, path) in entries(&self.part) {
            if name != MANIFEST && !files.contains(&name) {
                remove(&path).map_err(place(&path))?;
            }
        }
        sync_folder(&self.part);
        let replaced = self.folder.with_file_name(format!(
            "{}{REPLACED}",
            self.folder.file_name().unwrap_or_default().to_string_lossy()
        ));
        if self.folder.symlink_metadata().is_ok() {
            // It may have come while we were busy.
            replaceable(&self.folder, self.force)?;
            if replaced.symlink_metadata().is_ok() {
                replaceable(&replaced, self.force)?;
                remove(&replaced).map_err(place(&replaced))?;
            }
            fs::rename(&self.folder, &replaced).map_err(place(&replaced))?;
        }
        fs::rename(&self.part, &self.folder).map_err(place(&self.folder))?;
        sync_folder(self.folder.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")));
        if self.force && replaced.symlink_metadata().is_ok() && replaceable(&replaced, true).is_ok() {
            // The new table is in its place: an old one that stays costs room, nothing else.
            let _ = remove(&replaced);
        }
        Ok(manifest)
    }
}

impl Sink for Builder<'_> {
    fn kept(&mut self, tier: usize) -> Result<Option<Bytes>, Error> {
        let Some(digest) = self.digests.get(tier).cloned().flatten() else { return Ok(None) };
        let path = self.path(tier);
        // Its digest was checked when it was taken over, or made when it was written.
        match open::known(&path, &self.listed(tier, digest)) {
            Ok(bytes) => {
                self.lent.push(bytes.clone());
                Ok(Some(bytes))
            }
            Err(why) => Err(Error::Output {
                file: path.display().to_string(),
                why: io::Error::other(why.en.into_owned()),
                kept: 0,
            }),
        }
    }

    fn write(
        &mut self,
        tier: usize,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        let path = self.path(tier);
        let failed =
            |path: &Path, why: io::Error| Error::Output { file: path.display().to_string(), why, kept: 0 };
        let header = crate::npy::write(self.plan.tiers[tier].number, self.plan.tiers[tier].count);
        let length = Listed::length(&self.plan.tiers[tier]);
        let mut hasher = blake3::Hasher::new();
        let written = whole(&path, &mut |out| {
            let mut out = Digesting { out, hasher: &mut hasher, length: 0 };
            out.write_all(&header)?;
            write(&mut out)?;
            if out.length == length {
                Ok(())
            } else {
                Err(io::Error::other(format!("{} bytes instead of {length}", out.length)))
            }
        });
        written.map_err(|why| failed(&path, why))?;
        // What was computed from something that could not be read is not kept.
        self.lent.iter().try_for_each(|bytes| bytes.sound())?;
        let digest = hasher.finalize().to_hex().to_string();
        self.note(&json!({"tier": tier, "blake3": digest}))
            .map_err(|why| failed(&self.part.join(PROGRESS), why))?;
        self.digests[tier] = Some(digest);
        Ok(())
    }
}

/// Whether somebody builds a table there now.
fn busy(part: &Path) -> bool {
    let journal = files::open(&part.join(PROGRESS), OpenOptions::new().append(true));
    journal.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

fn in_use(part: &Path) -> Refusal {
    let shown = part.display();
    let got = Text::of(
        format!("{shown}, where another run builds a table now"),
        format!("別の実行が作成中の {shown}"),
    );
    let accepts = text(
        "another folder, or the same when that run has ended",
        "別のフォルダ、またはその実行が終わってから",
    );
    Refusal::of("--out", got, accepts)
}

/// What to do about an unfinished table.
fn go_on() -> Text {
    text(
        "--resume to go on with it, --force to start over",
        "続きから作る --resume、最初から作り直す --force",
    )
}

/// Refuses to replace what is there unless that is wished, and it is a table or an empty folder.
fn replaceable(folder: &Path, force: bool) -> Result<(), Refusal> {
    let shown = format!("\"{}\"", folder.display());
    if !force {
        return Err(Refusal::of(
            "--out",
            Text::of(format!("{shown}, which exists"), format!("{shown}（既にあります）")),
            text(
                "a folder that does not exist yet; --force replaces a table",
                "まだないフォルダ。--force を付けると表を置き換えます",
            ),
        ));
    }
    let is_folder = folder.symlink_metadata().is_ok_and(|meta| meta.is_dir());
    let mut names: Vec<String> = if is_folder {
        entries(folder).into_iter().map(|(name, _)| name).collect()
    } else {
        vec![String::new()]
    };
    let manifest = open::read(&folder.join(MANIFEST)).and_then(|text| Manifest::read(&text));
    if let Ok(manifest) = manifest {
        let files: Vec<String> = manifest.files.iter().map(|file| Listed::file(&file.tier)).collect();
        names.retain(|name| name != MANIFEST && !files.contains(name));
    }
    if names.is_empty() {
        return Ok(());
    }
    Err(Refusal::of(
        "--out",
        Text::of(
            format!("{shown}, which holds more than a table"),
            format!("{shown}（表以外のものがあります）"),
        ),
        text(
            "a folder that does not exist yet, or a table and nothing else",
            "まだないフォルダ、または表だけのフォルダ",
        ),
    ))
}

/// Whether a folder is one in which a table was begun.
fn unfinished(part: &Path) -> bool {
    let names = entries(part);
    let is_folder = part.symlink_metadata().is_ok_and(|meta| meta.is_dir());
    is_folder
        && (names.is_empty() || names.iter().any(|(name, _)| [PROGRESS, MANIFEST].contains(&name.as_str())))
}

/// What is in a folder; nothing if it cannot be read.
fn entries(folder: &Path) -> Vec<(String, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().map(|e| (e.file_name().to_string_lossy().into_owned(), e.path())).collect()
}

/// Removes a file, a link or a folder.
fn remove(path: &Path) -> io::Result<()> {
    if path.symlink_metadata()?.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

/// Writes a file under another name, syncs it and renames it.
fn whole(path: &Path, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut writing = path.as_os_str().to_owned();
    writing.push(WRITING);
    let writing = PathBuf::from(writing);
    // The folder is ours: what is there was left by a run that was killed. A link goes, not what it leads to.
    if writing.symlink_metadata().is_ok() {
        fs::remove_file(&writing)?;
    }
    let mut out = BufWriter::with_capacity(1 << 20, files::create(&writing)?);
    let done = write(&mut out)
        .and_then(|()| out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all())
        .and_then(|()| fs::rename(&writing, path));
    if done.is_err() {
        // It would only take room on a disk that may be full.
        let _ = fs::remove_file(&writing);
    }
    done?;
    path.parent().into_iter().for_each(sync_folder);
    Ok(())
}

/// Counts and digests what goes by.
struct Digesting<'a> {
    out: &'a mut dyn Write,
    hasher: &'a mut blake3::Hasher,
    length: u64,
}

impl Write for Digesting<'_> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let n = self.out.write(buf)?;
        self.hasher.update(&buf[..n]);
        self.length += n as u64;
        Ok(n)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
