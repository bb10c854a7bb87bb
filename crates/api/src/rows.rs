//! Where the rows of studies are kept while the program runs and, if the program sees to it, longer.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use yomikiri_core::rows::{Block, Cell, Column, Journal, Keeper};
use yomikiri_core::{Error, Observer};
use yomikiri_games::Entry;
use yomikiri_games::params::Settings;
use yomikiri_papers::Study;

/// Bytes of rows that are kept in memory, of all studies together.
const ROOM: usize = 64 << 20;

/// A study as it was asked for: everything its rows depend on.
pub struct Asked {
    /// The game.
    pub game: &'static dyn Entry,
    /// The study.
    pub study: &'static Study,
    /// Its parameters.
    pub settings: Settings,
    /// The seed.
    pub seed: u64,
}

impl Asked {
    /// Everything in a line.
    pub fn name(&self) -> String {
        let mut name = format!("{} {} {}", self.game.about().id, self.study.name, self.seed);
        for (param, value) in self.settings.pairs() {
            name.push_str(&format!(" {param}={}", value.escape_debug()));
        }
        name
    }
}

/// Keeps the rows of studies, each in one place however often it is stopped and taken up again.
pub trait Rows: Send + Sync {
    /// Opens the journal of a study.
    fn open<'a>(
        &'a self,
        asked: &'a Asked,
        observer: &'a dyn Observer,
    ) -> Result<Box<dyn Keeper + 'a>, Error>;
    /// Gives the blocks that are kept of a study, in order, also while it runs.
    fn read(&self, asked: &Asked, take: &mut dyn FnMut(Block) -> io::Result<()>) -> io::Result<()>;
    /// Forgets the rows of a study.
    fn forget(&self, asked: &Asked);
}

/// Keeps rows in memory, a limited number; beyond it, new ones are not kept.
#[derive(Default)]
pub struct InMemory {
    all: Mutex<HashMap<String, Place>>,
    /// Bytes of all of them.
    held: AtomicUsize,
}

/// The blocks of a study.
type Place = Arc<Mutex<Vec<Block>>>;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Rows for InMemory {
    fn open<'a>(&'a self, asked: &'a Asked, _: &'a dyn Observer) -> Result<Box<dyn Keeper + 'a>, Error> {
        let blocks = Arc::clone(locked(&self.all).entry(asked.name()).or_default());
        Ok(Box::new(Held { held: &self.held, blocks }))
    }
    fn read(&self, asked: &Asked, take: &mut dyn FnMut(Block) -> io::Result<()>) -> io::Result<()> {
        let blocks = locked(&self.all).get(&asked.name()).cloned().unwrap_or_default();
        let mut at = 0;
        loop {
            let Some(block) = locked(&blocks).get(at).cloned() else { return Ok(()) };
            take(block)?;
            at += 1;
        }
    }
    fn forget(&self, asked: &Asked) {
        if let Some(blocks) = locked(&self.all).remove(&asked.name()) {
            let bytes: usize = locked(&blocks).drain(..).map(|block| block.bytes.len()).sum();
            self.held.fetch_sub(bytes, Ordering::Relaxed);
        }
    }
}

struct Held<'a> {
    held: &'a AtomicUsize,
    blocks: Place,
}

impl Keeper for Held<'_> {
    fn open(&self, _: &'static [Column], _: u64) -> Result<Box<dyn Journal + '_>, Error> {
        Ok(Box::new(Reading { place: self, at: 0, full: false }))
    }
}

struct Reading<'a> {
    place: &'a Held<'a>,
    at: usize,
    full: bool,
}

impl Journal for Reading<'_> {
    fn next(&mut self) -> Result<Option<Block>, Error> {
        let block = locked(&self.place.blocks).get(self.at).cloned();
        self.at += 1;
        Ok(block)
    }
    fn append(&mut self, block: &Block) -> Result<(), Error> {
        let size = block.bytes.len();
        // A gap would be worse than an end.
        self.full |= self.place.held.load(Ordering::Relaxed) + size > ROOM;
        if !self.full {
            self.place.held.fetch_add(size, Ordering::Relaxed);
            locked(&self.place.blocks).push(block.clone());
        }
        Ok(())
    }
}

/// Writes the rows of a study as CSV, the same bytes as the command line's file; fails if fewer are kept than there
/// are.
pub fn write_csv(rows: &dyn Rows, asked: &Asked, there: u64, out: &mut dyn Write) -> io::Result<()> {
    let columns = asked.study.rows;
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(columns.iter().map(|c| c.name))?;
    let mut kept = 0;
    rows.read(asked, &mut |block| {
        kept += u64::from(block.rows);
        for row in block.unpack(columns).ok_or(io::ErrorKind::InvalidData)? {
            writer.write_record(row.into_iter().map(Cell::plain))?;
        }
        Ok(())
    })?;
    if kept < there {
        return Err(io::Error::other(format!("{kept} of {there} rows are kept")));
    }
    writer.flush()
}
