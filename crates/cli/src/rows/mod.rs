//! Where the rows of a study go: a journal while it runs, beside the file they are for or in the cache, and
//! in the end that file.

mod format;
pub mod log;
pub mod merge;
pub mod shard;

use crate::store::Files;
use format::Format;
use log::{Log, Trouble};
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use yomikiri_api::Asked;
use yomikiri_core::rows::{Block, Column, Journal, Keeper};
use yomikiri_core::{Error, Observer, Refusal, Run, Store, Text, text};
use yomikiri_games::Entry;
use yomikiri_games::params::Settings;
use yomikiri_papers::Study;
use yomikiri_tables::files::Draft;
use yomikiri_view::report::grouped;

/// What the journal of a file ends in.
const PART: &str = ".part";
/// What a file that is being written ends in.
const WRITING: &str = ".writing";

/// What a user asked for.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// The file the rows are to end in.
    pub out: Option<PathBuf>,
    /// Whether rows that an earlier run has kept are to be thrown away.
    pub fresh: bool,
    /// Whether a file that is there may be replaced.
    pub force: bool,
}

/// The file rows are to end in.
struct Target {
    path: PathBuf,
    format: Format,
    /// Whether what is in the way may go.
    force: bool,
}

impl Target {
    /// Writes the output under another name, to the disk; its digest.
    fn write(
        &self,
        columns: &[Column],
        what: &str,
        next: &mut dyn FnMut() -> io::Result<Option<Block>>,
    ) -> io::Result<[u8; 32]> {
        let writing = beside(&self.path, WRITING);
        let mut draft = Draft::open(&writing)?;
        if self.force {
            draft.empty()?;
        }
        let mut fill = || {
            let mut out = Digesting {
                out: BufWriter::with_capacity(1 << 20, &mut draft),
                digest: blake3::Hasher::new(),
            };
            let mut blocks = || match next()? {
                None => Ok(None),
                Some(block) => Ok(Some(block.unpack(columns).ok_or(io::ErrorKind::InvalidData)?)),
            };
            self.format.write(columns, what, &mut blocks, &mut out)?;
            out.out.into_inner().map_err(|e| e.into_error())?.finish()?;
            Ok(*out.digest.finalize().as_bytes())
        };
        fill().inspect_err(|_| {
            // What was there before and is not ours stays.
            if draft.ours() {
                let _ = fs::remove_file(&writing);
            }
        })
    }

    /// Gives what was written its name, unless something has failed since.
    fn place(&self, so_far: io::Result<()>) -> io::Result<()> {
        let writing = beside(&self.path, WRITING);
        so_far.and_then(|()| put(&writing, &self.path)).inspect_err(|_| {
            let _ = fs::remove_file(&writing);
        })
    }
}

/// Keeps the rows of one study.
pub struct Rows<'a> {
    observer: &'a dyn Observer,
    columns: &'static [Column],
    what: String,
    target: Option<Target>,
    log: Mutex<State>,
    /// The journal of a run without an output is a convenience: it may not outgrow the cache, and where it
    /// cannot be written the run goes on without it.
    most: Option<u64>,
}

struct State {
    log: Option<Log>,
    /// Rows there will be in the end; known when the sweep begins.
    total: Option<u64>,
}

impl<'a> Rows<'a> {
    /// Looks at what is there and opens the journal of a study with these settings: in the cache, if there is one and
    /// the rows are not to end in a file.
    pub fn new(
        cache: Option<&Files>,
        run: &Run<'a>,
        game: &dyn Entry,
        study: &Study,
        settings: &Settings,
        wishes: Wishes,
    ) -> Result<Rows<'a>, Error> {
        let what = describe(game, study, settings, run.seed);
        let (columns, observer) = (study.rows, run.observer);
        let Some(path) = wishes.out else {
            let name = place("rows", game, study, &what);
            return Ok(Rows::in_cache(cache, &name, what, study, observer, wishes.fresh));
        };

        let format = Format::asked(&path)?;
        let part = beside(&path, PART);
        // A run that was killed when it had just put its output into place may end as it would have.
        let ours = || {
            let log = if part.exists() && !wishes.fresh { Log::open(&part, &what, false).ok() } else { None };
            log.is_some_and(|mut log| just_written(&path, &mut log))
        };
        vacant(&path, wishes.force, ours)?;
        let log = begin(&part, &what, wishes.fresh)?;
        let log = Mutex::new(State { log: Some(log), total: None });
        Ok(Rows {
            observer,
            columns,
            what,
            target: Some(Target { path, format, force: wishes.force }),
            log,
            most: None,
        })
    }

    /// The journal under a name in the cache, if there is one; where it cannot be written the run goes on without.
    fn in_cache(
        files: Option<&Files>,
        name: &str,
        what: String,
        study: &Study,
        observer: &'a dyn Observer,
        fresh: bool,
    ) -> Rows<'a> {
        let log = files.and_then(|files| {
            let opened = files.place(name).map_err(Trouble::Io);
            let opened = opened.and_then(|path| Log::open(&path, &what, fresh));
            opened.inspect_err(|why| tracing::warn!("rows are not kept in the cache: {why:?}")).ok()
        });
        let most = files.map(|files| files.limit());
        let log = Mutex::new(State { log, total: None });
        Rows { observer, columns: study.rows, what, target: None, log, most }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked has not torn a frame: that is what frames are for.
        self.log.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// How many rows are kept so far and where, in words, if any are.
    pub fn kept(&self) -> Option<Text> {
        let state = self.state();
        kept_in(state.log.as_ref()?, state.total?)
    }

    /// Puts the output into its place, now that all rows are there: how many, and the file if there is to be one.
    pub fn finish(&self) -> Result<Option<(u64, String)>, Error> {
        let Some(target) = &self.target else { return Ok(None) };
        let mut state = self.state();
        let Some(log) = state.log.as_mut() else { return Ok(None) };
        let kept = log.rows();
        if !just_written(&target.path, log) {
            self.write(target, log).map_err(|why| unwritable(&target.path, why, kept))?;
        }
        Ok(Some((kept, target.path.display().to_string())))
    }

    fn write(&self, target: &Target, log: &mut Log) -> io::Result<()> {
        log.rewind()?;
        let digest = target.write(self.columns, &self.what, &mut || log.next())?;
        target.place(log.finish(digest))
    }

    /// Removes the journal: everything has been said and written.
    pub fn remove(&self) {
        if let Some(log) = self.state().log.take() {
            let _ = fs::remove_file(log.path());
        }
    }
}

impl Keeper for Rows<'_> {
    fn open(&self, columns: &'static [Column], rows: u64) -> Result<Box<dyn Journal + '_>, Error> {
        let mut state = self.state();
        same_columns(columns, self.columns);
        assert!(state.total.is_none(), "a study with rows is one sweep");
        state.total = Some(rows);
        drop(state);
        Ok(Box::new(Open { keeper: self }))
    }
}

/// The journal as a sweep sees it.
struct Open<'a> {
    keeper: &'a Rows<'a>,
}

impl Journal for Open<'_> {
    fn next(&mut self) -> Result<Option<Block>, Error> {
        let mut state = self.keeper.state();
        let Some(log) = state.log.as_mut() else { return Ok(None) };
        let block = match log.next() {
            Ok(block) => block,
            Err(e) if self.keeper.target.is_none() => {
                tracing::warn!("rows kept in the cache cannot be read: {e}");
                None
            }
            Err(why) => return Err(unwritable(log.path(), why, log.rows())),
        };
        if block.is_none() {
            tell_damage(log, self.keeper.observer);
        }
        Ok(block)
    }

    fn append(&mut self, block: &Block) -> Result<(), Error> {
        let mut state = self.keeper.state();
        let Some(log) = state.log.as_mut() else { return Ok(()) };
        let full = self.keeper.most.is_some_and(|most| log.length() + block.bytes.len() as u64 > most);
        let done = if full { Err(io::ErrorKind::FileTooLarge.into()) } else { log.append(block) };
        match done {
            Ok(()) => Ok(()),
            Err(e) if self.keeper.target.is_none() => {
                tracing::warn!("going on without keeping rows: {}: {e}", log.path().display());
                state.log = None;
                Ok(())
            }
            Err(why) => Err(unwritable(log.path(), why, log.rows())),
        }
    }
}

/// Keeps the rows of the server's studies in a folder of the cache.
pub struct Kept {
    files: Files,
}

impl Kept {
    /// In this cache.
    pub fn new(files: Files) -> Kept {
        Kept { files }
    }

    fn name(asked: &Asked) -> (String, String) {
        let what = describe(asked.game, asked.study, &asked.settings, asked.seed);
        (place("studies", asked.game, asked.study, &what), what)
    }
}

impl yomikiri_api::Rows for Kept {
    fn open<'a>(
        &'a self,
        asked: &'a Asked,
        observer: &'a dyn Observer,
    ) -> Result<Box<dyn Keeper + 'a>, Error> {
        let (name, what) = Kept::name(asked);
        Ok(Box::new(Rows::in_cache(Some(&self.files), &name, what, asked.study, observer, false)))
    }

    fn read(&self, asked: &Asked, take: &mut dyn FnMut(Block) -> io::Result<()>) -> io::Result<()> {
        let (name, what) = Kept::name(asked);
        let Some(mut log) = Log::read(&self.files.place(&name)?, &what)? else { return Ok(()) };
        while let Some(block) = log.next()? {
            take(block)?;
        }
        Ok(())
    }

    fn forget(&self, asked: &Asked) {
        self.files.remove(&Kept::name(asked).0);
    }
}

/// Where the journal of a study is in the cache.
fn place(folder: &str, game: &dyn Entry, study: &Study, what: &str) -> String {
    format!("{folder}/{}/{}-{}", game.about().id, study.name, short(what))
}

/// How many rows of so many are in a journal, in words, if any are.
fn kept_in(log: &Log, of: u64) -> Option<Text> {
    let (n, of, file) = (grouped(log.rows()), grouped(of), log.path().display());
    (log.rows() > 0).then(|| {
        Text::of(
            format!("{n} of {of} rows are kept in {file}"),
            format!("{of} 行中 {n} 行を {file} に保存しました"),
        )
    })
}

/// Says so if a part of a journal had to be left out.
fn tell_damage(log: &Log, observer: &dyn Observer) {
    if log.damaged() {
        let (file, rows) = (log.path().display(), grouped(log.rows()));
        observer.note(&Text::of(
            format!("{file} is damaged after {rows} rows; the rest is computed again"),
            format!("{file} は {rows} 行より後が壊れています。残りは計算し直します"),
        ));
    }
}

/// Rows of other columns than were declared are a mistake in the study.
fn same_columns(made: &[Column], declared: &[Column]) {
    let names = |columns: &[Column]| columns.iter().map(|c| (c.name, c.kind)).collect::<Vec<_>>();
    assert_eq!(names(made), names(declared), "not the columns the study declares");
}

/// Refuses a file that is in the way, unless it may be replaced or is what this run would write.
fn vacant(path: &Path, force: bool, ours: impl FnOnce() -> bool) -> Result<(), Refusal> {
    let got = format!("\"{}\"", path.display());
    if path.is_dir() {
        let got = Text::of(format!("{got}, which is a folder"), format!("{got}（フォルダです）"));
        return Err(Refusal::of("--out", got, text("the name of a file", "ファイルの名前")));
    }
    if path.symlink_metadata().is_ok() && !force && !ours() {
        let got = Text::of(format!("{got}, which exists"), format!("{got}（既にあります）"));
        let accepts = text(
            "a file that does not exist yet; --force replaces one",
            "まだないファイル。--force を付けると置き換えます",
        );
        return Err(Refusal::of("--out", got, accepts));
    }
    Ok(())
}

/// Opens the journal of what a text describes, or says what is there instead.
fn begin(part: &Path, what: &str, fresh: bool) -> Result<Log, Error> {
    Log::open(part, what, fresh).map_err(|trouble| match trouble {
        Trouble::Io(why) => unwritable(part, why, 0),
        trouble => refuse_journal(part, what, trouble).into(),
    })
}

/// Gives a file its name, so that it survives a crash; where folders cannot be synced, so be it.
fn put(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    let folder = to.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Everything the rows depend on, one thing a line.
pub fn describe(game: &dyn Entry, study: &Study, settings: &Settings, seed: u64) -> String {
    let mut what = format!("version={}\n", env!("CARGO_PKG_VERSION"));
    what.push_str(&format!("study={} {}\n", game.about().id, study.name));
    for (name, value) in settings.pairs() {
        what.push_str(&format!("{name}={}\n", value.escape_debug()));
    }
    what.push_str(&format!("seed={seed}\n"));
    let columns: Vec<String> = study.rows.iter().map(|c| format!("{} {:?}", c.name, c.kind)).collect();
    what.push_str(&format!("columns={}\n", columns.join(", ")));
    what
}

/// Lines of one description that are not in another.
fn lacking(of: &str, other: &str) -> String {
    let lines: Vec<&str> = of.lines().filter(|line| !other.lines().any(|o| o == *line)).collect();
    lines.join(", ")
}

fn refuse_journal(part: &Path, what: &str, trouble: Trouble) -> Refusal {
    let file = part.display();
    let got = match trouble {
        Trouble::Other(there) => {
            let (there, here) = (lacking(&there, what), lacking(what, &there));
            Text::of(
                format!("{file} with rows of another run ({there}; now: {here})"),
                format!("別の実行の行が入った {file}（{there}、今回：{here}）"),
            )
        }
        Trouble::Busy => {
            return Refusal::of(
                "--out",
                Text::of(
                    format!("{file}, which another run is writing"),
                    format!("別の実行が書き込み中の {file}"),
                ),
                text(
                    "another file, or the same when that run has ended",
                    "別のファイル、またはその実行が終わってから同じファイル",
                ),
            );
        }
        Trouble::Damaged => {
            Text::of(format!("{file}, whose beginning is damaged"), format!("先頭が壊れた {file}"))
        }
        Trouble::Foreign | Trouble::Io(_) => {
            return Refusal::of(
                "--out",
                Text::of(
                    format!("{file} in the way, which is no journal of a study"),
                    format!("実験の記録ではない {file}"),
                ),
                text("another file, or remove that one", "別のファイル、またはそのファイルを消してから"),
            );
        }
    };
    let accepts = text(
        "the same study, parameters, seed and version to go on; --fresh to start over; or another file",
        "続けるなら同じ実験・パラメータ・乱数の種・版、最初からなら --fresh、または別のファイル",
    );
    Refusal::of("--out", got, accepts)
}

/// Whether a file is the output that the journal says was about to be put into place.
fn just_written(path: &Path, log: &mut Log) -> bool {
    let digest = || -> io::Result<_> {
        let mut hasher = blake3::Hasher::new();
        let mut file = File::open(path)?;
        let mut buffer = vec![0; 1 << 20];
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(*hasher.finalize().as_bytes()),
                n => hasher.update(&buffer[..n]),
            };
        }
    };
    while let Ok(Some(_)) = log.next() {}
    log.seal().is_some_and(|seal| digest().is_ok_and(|found| found == seal))
}

fn unwritable(path: &Path, why: io::Error, kept: u64) -> Error {
    Error::Output { file: path.display().to_string(), why, kept }
}

/// A file's name with something behind it.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn short(what: &str) -> String {
    blake3::hash(what.as_bytes()).to_hex()[..16].to_owned()
}

/// Digests what goes by.
struct Digesting<'a> {
    out: BufWriter<&'a mut Draft>,
    digest: blake3::Hasher,
}

impl Write for Digesting<'_> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let n = self.out.write(buf)?;
        self.digest.update(&buf[..n]);
        Ok(n)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
