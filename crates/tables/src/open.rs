//! A finished table: opened, described, checked.

use crate::manifest::{self, Listed, MANIFEST, Manifest, Seal};
use crate::source::{Source, damaged, fill};
use crate::{Fault, npy, regular, system};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use yomikiri_core::{Error, OpenTable, Refusal, Run, Text, text};
use yomikiri_games::Entry;
use yomikiri_games::params::Settings;
use yomikiri_games::tables::{Array, Bytes, Plan, Tables};

/// A table that says of itself what its game says, with all files in their places. What is in the files is looked at
/// when it is needed.
pub struct Opened {
    /// The folder.
    pub path: PathBuf,
    /// What it says of itself.
    pub manifest: Manifest,
    /// The game.
    pub game: &'static dyn Entry,
    /// Its parameters.
    pub settings: Settings,
    /// What the game says of it.
    pub plan: Plan,
    tables: &'static dyn Tables,
}

/// A file that is not what was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Damage {
    /// The file.
    pub file: String,
    /// What is wrong with it.
    pub why: Text,
}

impl Opened {
    /// Opens a folder as a table of one of the games.
    pub fn new(path: &Path, games: &[&'static dyn Entry], run: &Run<'_>) -> Result<Opened, Fault> {
        let folder = path.display().to_string();
        let not = |path: &str, why: Text| Fault::NotATable { path: path.to_owned(), why };
        match std::fs::metadata(path) {
            Ok(meta) if meta.is_dir() => {}
            Ok(_) => return Err(not(&folder, text("it is not a folder", "フォルダではありません"))),
            Err(e) => return Err(not(&folder, system(&e))),
        }
        let file = path.join(MANIFEST);
        let name = file.display().to_string();
        let manifest = read(&file).and_then(|text| Manifest::read(&text)).map_err(|why| not(&name, why))?;
        let game = games.iter().copied().find(|game| game.about().id == manifest.game);
        let Some((game, tables)) = game.and_then(|game| Some((game, game.tables().ok()?))) else {
            let with: Vec<&str> = games.iter().filter(|g| g.tables().is_ok()).map(|g| g.about().id).collect();
            let refusal = Refusal::new("game", format!("{:?}", manifest.game), Text::same(with.join(", ")));
            return Err(not(&name, said(&refusal)));
        };
        let given = manifest.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let settings = Settings::new(tables.params(), given).map_err(|refusal| not(&name, said(&refusal)))?;
        let plan = match tables.plan(&settings, run) {
            Err(Error::Refused(refusal)) => return Err(not(&name, said(&refusal))),
            other => other?,
        };
        if let Some(why) = manifest.differs(&plan) {
            return Err(not(&name, why));
        }
        if manifest.seal == Seal::Wrong {
            let why = text(
                "blake3: the manifest is not as it was written",
                "blake3：マニフェストが書かれたときのものと違います",
            );
            return Err(not(&name, why));
        }
        Ok(Opened { path: path.to_owned(), manifest, game, settings, plan, tables })
    }

    /// What makes and checks its kind.
    pub fn tables(&self) -> &'static dyn Tables {
        self.tables
    }

    /// It as a run is given it, to be asked instead of solving. Files that are missing or of another length are found now;
    /// what is in them is checked before the first value is read.
    ///
    /// # Errors
    /// A file is not as it should be, or the game refuses it.
    pub fn table(&self) -> Result<OpenTable, Fault> {
        let mut arrays: Vec<Arc<Lazy>> = Vec::new();
        for listed in &self.manifest.files {
            let file = Lazy { path: self.file(listed), listed: listed.clone(), bytes: OnceLock::new() };
            file.there().map_err(|why| Fault::NotATable { path: file.path.display().to_string(), why })?;
            arrays.push(Arc::new(file));
        }
        let parameters: Vec<String> =
            self.settings.pairs().map(|(name, value)| format!("{name}={value}")).collect();
        let given = arrays.iter().map(|array| Arc::clone(array) as Arc<dyn Array>).collect();
        Ok(OpenTable {
            game: self.game.about().id,
            variant: parameters.join(","),
            name: self.path.display().to_string(),
            solution: self.tables.open(&self.settings, &self.plan, given)?,
            sound: Arc::new(move || arrays.iter().try_for_each(|array| array.sound())),
        })
    }

    /// The bytes of all arrays, or every file that is not what was written.
    pub fn arrays(&self, run: &Run<'_>) -> Result<Result<Vec<Bytes>, Vec<Damage>>, Error> {
        let (mut arrays, mut damages) = (Vec::new(), Vec::new());
        if self.manifest.seal == Seal::Missing {
            let why = text(
                "it has no digest of itself: what it says of the program, the objective and the exactness may be anybody's words",
                "自身のダイジェストがないので、プログラム・目的・正確さの記述が元のままとは言えません",
            );
            damages.push(Damage { file: MANIFEST.to_owned(), why });
        }
        run.observer
            .begin(&text("digests of the files", "ファイルのダイジェスト検査"), self.manifest.bytes());
        let mut done = 0;
        // Every value will be looked at. Half of the memory, so that the check has the other half.
        let mut room = run.memory / 2;
        for listed in &self.manifest.files {
            match load(&self.file(listed), listed, room, Some(run))? {
                Ok(bytes) => {
                    room = room.saturating_sub(listed.bytes);
                    arrays.push(bytes);
                }
                Err(why) => damages.push(Damage { file: Listed::file(&listed.tier), why }),
            }
            done += listed.bytes;
            run.observer.done(done);
        }
        run.observer.end();
        Ok(if damages.is_empty() { Ok(arrays) } else { Err(damages) })
    }

    fn file(&self, listed: &Listed) -> PathBuf {
        self.path.join(Listed::file(&listed.tier))
    }
}

/// The words of a refusal in both languages.
fn said(refusal: &Refusal) -> Text {
    use yomikiri_core::Lang;
    Text::of(refusal.say(Lang::En), refusal.say(Lang::Ja))
}

/// The text of a manifest.
pub(crate) fn read(path: &Path) -> Result<String, Text> {
    let file = regular(path)?;
    let mut text = String::new();
    // One byte more, to see that there is more.
    file.take(manifest::LONGEST + 1).read_to_string(&mut text).map_err(|e| system(&e))?;
    if text.len() as u64 > manifest::LONGEST {
        return Err(yomikiri_core::text("it is too long for a manifest", "マニフェストとして長すぎます"));
    }
    Ok(text)
}

/// A file of a table that is looked at when it is asked for.
struct Lazy {
    path: PathBuf,
    listed: Listed,
    bytes: OnceLock<Result<Bytes, Text>>,
}

impl Lazy {
    /// Whether the file is in its place, as long as it should be.
    fn there(&self) -> Result<(), Text> {
        let file = regular(&self.path)?;
        let length = file.metadata().map_err(|e| system(&e))?.len();
        if length == self.listed.bytes { Ok(()) } else { Err(other_length(length, self.listed.bytes)) }
    }

    /// Fails if something of it could not be read.
    fn sound(&self) -> Result<(), Error> {
        match self.bytes.get() {
            Some(Ok(bytes)) => bytes.sound(),
            _ => Ok(()),
        }
    }
}

impl Array for Lazy {
    fn bytes(&self) -> Result<Bytes, Error> {
        // On this thread alone: one that helped others while it waits could come back here and wait for itself.
        let load = || match load(&self.path, &self.listed, 0, None) {
            Ok(loaded) => loaded,
            Err(e) => Err(Text::same(e.to_string())),
        };
        self.bytes.get_or_init(load).clone().map_err(|why| damaged(&self.path.display().to_string(), &why))
    }
}

fn other_length(is: u64, should: u64) -> Text {
    Text::of(
        format!("it has {is} bytes, not {should}"),
        format!("大きさが {should} バイトではなく {is} バイトです"),
    )
}

/// Opens a file and checks it, its digest included; what is wrong with it otherwise. It is held in memory if it takes no
/// more than `room` or is small. Fails if the run is cancelled.
pub(crate) fn load(
    path: &Path,
    listed: &Listed,
    room: u64,
    run: Option<&Run<'_>>,
) -> Result<Result<Bytes, Text>, Error> {
    let (file, begin) = match numbers(path, listed) {
        Ok(found) => found,
        Err(why) => return Ok(Err(why)),
    };
    let mut hasher = blake3::Hasher::new();
    let mut stopped = None;
    let mut see = |part: &[u8]| {
        hasher.update(part);
        if let Some(Err(error)) = run.map(Run::check) {
            stopped = Some(error);
            return Err(std::io::ErrorKind::Other.into());
        }
        Ok(())
    };
    let source = Source::new(path, file, (begin, listed.bytes - begin), room, &mut see);
    if let Some(error) = stopped {
        return Err(error);
    }
    let digest = hasher.finalize().to_hex();
    Ok(match source {
        Err(why) => Err(system(&why)),
        Ok(_) if digest.as_str() != listed.blake3 => {
            let (is, should) = (&digest[..16], &listed.blake3[..16]);
            Err(Text::of(
                format!("its digest is {is}…, not {should}…"),
                format!("ダイジェストが {should}… ではなく {is}… です"),
            ))
        }
        Ok(source) => Ok(Arc::new(source)),
    })
}

/// The same without a look at the digest, for those who know it.
pub(crate) fn known(path: &Path, listed: &Listed) -> Result<Bytes, Text> {
    let (file, begin) = numbers(path, listed)?;
    Ok(Arc::new(Source::unseen(path, file, (begin, listed.bytes - begin))))
}

/// Opens a file that is as long as it should be and has the header it should have, and says where its numbers begin.
fn numbers(path: &Path, listed: &Listed) -> Result<(File, u64), Text> {
    let file = regular(path)?;
    let length = file.metadata().map_err(|e| system(&e))?.len();
    if length != listed.bytes {
        return Err(other_length(length, listed.bytes));
    }
    let mut beginning = vec![0; length.min(npy::LONGEST as u64 + 64) as usize];
    fill(&file, 0, &mut beginning).map_err(|e| system(&e))?;
    let header = npy::read(&beginning)?;
    if (header.number, header.count) != (listed.tier.number, listed.tier.count) {
        return Err(Text::of(
            format!(
                "its header says {} numbers {}, and the manifest {} numbers {}",
                header.count,
                header.number.descr(),
                listed.tier.count,
                listed.tier.number.descr()
            ),
            format!(
                "ヘッダでは {} が {} 個、マニフェストでは {} が {} 個です",
                header.number.descr(),
                header.count,
                listed.tier.number.descr(),
                listed.tier.count
            ),
        ));
    }
    if header.length() != Some(length) {
        return Err(other_length(length, header.length().unwrap_or(u64::MAX)));
    }
    // The length of the file says that the header is as long as ours.
    Ok((file, npy::write(listed.tier.number, listed.tier.count).len() as u64))
}
