//! Everything a run is given: no solver reads a global, the clock for its results, or the environment.

use crate::cache::{Cache, Cached, Key, NoCache};
use crate::clock::Instant;
use crate::error::Error;
use crate::rows::{Keeper, Unkept};
use crate::tables::OpenTables;
use crate::text::Text;
use std::any::Any;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What a sampling study has come to so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The name of the figure.
    pub name: Text,
    /// The middle of its interval, or the best guess within it.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
    /// Value and interval as people read them.
    pub text: Text,
    /// What a paper says, if it says anything.
    pub published: Option<f64>,
}

/// Told how a long piece of work goes on.
pub trait Observer: Sync {
    /// A piece of work of `total` steps begins.
    fn begin(&self, what: &Text, total: u64);
    /// So many steps of the current piece are done so far.
    fn done(&self, steps: u64);
    /// The current piece is finished.
    fn end(&self);
    /// Something worth a line: resumed, checkpoint written.
    fn note(&self, what: &Text);
    /// What is estimated so far, each with its interval.
    fn live(&self, _: &[Estimate]) {}
}

/// An observer that ignores everything.
pub struct Silent;

impl Observer for Silent {
    fn begin(&self, _: &Text, _: u64) {}
    fn done(&self, _: u64) {}
    fn end(&self) {}
    fn note(&self, _: &Text) {}
}

/// Where finished work and checkpoints are kept between runs. Names are short ASCII paths chosen by the
/// game; whoever implements the store adds the program's version, integrity checks and limits.
pub trait Store: Sync {
    /// What was kept under this name, if it is there and whole.
    fn load(&self, name: &str) -> Option<Box<dyn Read>>;
    /// Keeps what `write` writes; either all of it or nothing.
    ///
    /// # Errors
    /// What `write` fails with, and what the place where it is kept fails with.
    fn save(&self, name: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()>;
    /// Forgets a name.
    fn remove(&self, name: &str);
}

/// A store that keeps nothing.
pub struct NoStore;

impl Store for NoStore {
    fn load(&self, _: &str) -> Option<Box<dyn Read>> {
        None
    }
    fn save(&self, _: &str, _: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        Ok(())
    }
    fn remove(&self, _: &str) {}
}

/// The means and limits of a run. The same seed gives the same bytes whatever the number of threads.
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use yomikiri_core::{Error, Run};
///
/// let stop = AtomicBool::new(false);
/// let run = Run { threads: 2, memory: 1 << 20, cancel: &stop, ..Run::default() };
/// assert!(run.check().is_ok() && run.fits(1000).is_ok());
/// assert!(matches!(run.fits(1 << 21), Err(Error::Memory { .. })));
/// stop.store(true, Ordering::Relaxed);
/// assert!(matches!(run.check(), Err(Error::Cancelled)));
/// ```
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// Told about progress.
    pub observer: &'a dyn Observer,
    /// Raised to stop the run soon.
    pub cancel: &'a AtomicBool,
    /// Where results and checkpoints are kept.
    pub store: &'a dyn Store,
    /// Where the rows of a sweep are kept.
    pub rows: &'a dyn Keeper,
    /// Where solved things are kept in memory for others who ask.
    pub cache: &'a dyn Cache,
    /// Solved games that were opened before, asked instead of solving.
    pub tables: &'a OpenTables,
    /// Seed of everything random.
    pub seed: u64,
    /// Threads to use, at least 1.
    pub threads: usize,
    /// Bytes of memory the run may use.
    pub memory: u64,
    /// How often long work is kept in the store at most, so that it goes on from there if the program is stopped.
    pub checkpoint: Duration,
    /// The method that is to solve a game, by its word; whatever suits it if there is none.
    pub method: Option<&'a str>,
}

/// [`Run::checkpoint`] where nobody says anything else.
pub const CHECKPOINT: Duration = Duration::from_secs(60);

/// Says when long work is to be kept again: not before the interval of the run is over, nor before ten times what keeping it
/// took the last time. So keeping takes a tenth of the time at most, however much there is to keep.
///
/// ```
/// use std::time::Duration;
/// use yomikiri_core::Run;
///
/// let run = Run { checkpoint: Duration::from_millis(1), ..Run::default() };
/// let mut checkpoints = run.checkpoints();
/// checkpoints.keep(|| std::thread::sleep(Duration::from_millis(50)));
/// std::thread::sleep(Duration::from_millis(2));
/// assert!(!checkpoints.due());
/// ```
pub struct Checkpoints {
    every: Duration,
    wait: Duration,
    last: Instant,
}

impl Checkpoints {
    /// Whether it is time to keep the work.
    pub fn due(&self) -> bool {
        self.last.elapsed() > self.wait
    }

    /// Keeps the work, whether it is time or not, and counts from here.
    pub fn keep<T>(&mut self, save: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let kept = save();
        self.wait = self.every.max(began.elapsed() * 10);
        self.last = Instant::now();
        kept
    }
}

static NEVER: AtomicBool = AtomicBool::new(false);
static NO_TABLES: OpenTables = OpenTables::beside();

impl Default for Run<'_> {
    /// One thread, seed 1, 1 GiB, silent, nothing kept: what tests want.
    fn default() -> Self {
        Run {
            observer: &Silent,
            cancel: &NEVER,
            store: &NoStore,
            rows: &Unkept,
            cache: &NoCache,
            tables: &NO_TABLES,
            seed: 1,
            threads: 1,
            memory: 1 << 30,
            checkpoint: CHECKPOINT,
            method: None,
        }
    }
}

impl Run<'_> {
    /// The same run without its store, its rows, its cache and its tables: what checks results computes them itself.
    pub fn afresh(&self) -> Self {
        Run { store: &NoStore, rows: &Unkept, cache: &NoCache, tables: &NO_TABLES, ..*self }
    }

    /// What the cache keeps of this type under a name, or what `make` makes with the bytes it takes.
    ///
    /// # Errors
    /// What `make` fails with, and [`Error::Cancelled`] while waiting for another thread that makes it.
    pub fn cached<T: Any + Send + Sync>(
        &self,
        name: &str,
        mut make: impl FnMut() -> Result<(T, u64), Error>,
    ) -> Result<Arc<T>, Error> {
        let mut boxed = || make().map(|(thing, bytes)| (Arc::new(thing) as Cached, bytes));
        let thing = self.cache.once(&Key::of::<T>(name), &|| self.check(), &mut boxed)?;
        thing.downcast().map_err(|_| Error::Bug(format!("the cache has something else under {name}")))
    }

    /// Says that something the cache keeps has grown, and takes so many bytes now.
    pub fn weigh<T: Any>(&self, name: &str, bytes: u64) {
        self.cache.weigh(&Key::of::<T>(name), bytes);
    }

    /// When long work of this run is to be kept, counted from now.
    pub fn checkpoints(&self) -> Checkpoints {
        Checkpoints { every: self.checkpoint, wait: self.checkpoint, last: Instant::now() }
    }

    /// Called now and then by everything that takes long.
    ///
    /// # Errors
    /// [`Error::Cancelled`] once the cancel flag is raised.
    pub fn check(&self) -> Result<(), Error> {
        if self.cancel.load(Ordering::Relaxed) { Err(Error::Cancelled) } else { Ok(()) }
    }

    /// Called with an estimate before memory is taken.
    ///
    /// # Errors
    /// [`Error::Memory`] if so many bytes are more than the run may use.
    pub fn fits(&self, need: u64) -> Result<(), Error> {
        if need > self.memory { Err(Error::Memory { need, limit: self.memory }) } else { Ok(()) }
    }
}
