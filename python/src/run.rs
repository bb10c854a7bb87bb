//! Work that takes long, done on a thread of its own while the interpreter goes on: signals are heard, progress is told,
//! and what fails is raised as an exception of Python's own.

use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, mpsc};
use std::time::Duration;
use yomikiri_core::cache::Lru;
use yomikiri_core::rows::{Keeper, Unkept};
use yomikiri_core::{Error, Observer, OpenTables, Run, Text};

/// How often signals are looked for and progress is told.
const BEAT: Duration = Duration::from_millis(50);
/// Bytes of solved things that are kept for the next question.
const KEPT: u64 = 1 << 30;

/// What a call may say about how it is computed.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Options {
    /// Threads to use.
    pub threads: usize,
    /// Bytes of memory to stay below.
    pub memory: u64,
    /// The seed of everything random.
    pub seed: u64,
    /// The method that is to solve the game.
    pub method: Option<String>,
    /// Called with what is done, how much of it and of how much.
    pub progress: Option<Py<PyAny>>,
}

/// What is known of the work.
#[derive(Default)]
struct Told {
    what: String,
    done: u64,
    total: u64,
    notes: Vec<String>,
    news: bool,
}

#[derive(Default)]
struct Watch(Mutex<Told>);

impl Watch {
    fn told(&self) -> MutexGuard<'_, Told> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Observer for Watch {
    fn begin(&self, what: &Text, total: u64) {
        let mut told = self.told();
        (told.what, told.done, told.total, told.news) = (what.en.to_string(), 0, total, true);
    }
    fn done(&self, steps: u64) {
        let mut told = self.told();
        (told.done, told.news) = (steps, true);
    }
    fn end(&self) {
        let mut told = self.told();
        (told.done, told.news) = (told.total, true);
    }
    fn note(&self, what: &Text) {
        self.told().notes.push(what.en.to_string());
    }
}

/// Tells somebody who asked for it how the work goes on.
fn tell(py: Python<'_>, watch: &Watch, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    let Some(progress) = progress else { return Ok(()) };
    let (notes, news, step) = {
        let mut told = watch.told();
        let step = (told.what.clone(), told.done, told.total);
        (std::mem::take(&mut told.notes), std::mem::take(&mut told.news), step)
    };
    for note in notes {
        progress.call1(py, (note, py.None(), py.None()))?;
    }
    if news {
        progress.call1(py, step)?;
    }
    Ok(())
}

/// Where solved things stand between calls.
fn kept() -> &'static Lru {
    static CACHE: OnceLock<Lru> = OnceLock::new();
    CACHE.get_or_init(|| Lru::new(KEPT))
}

/// Does some work with what a call says about it.
pub fn work<T: Send>(
    py: Python<'_>,
    options: &Options,
    job: impl FnOnce(&Run<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    with(py, options, &OpenTables::beside(), &Unkept, job)
}

/// The same with tables that were opened, and somebody who keeps rows.
pub fn with<T: Send>(
    py: Python<'_>,
    options: &Options,
    tables: &OpenTables,
    rows: &(dyn Keeper + Sync),
    job: impl FnOnce(&Run<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let (watch, stop) = (Watch::default(), AtomicBool::new(false));
    let progress = options.progress.as_ref();
    let (threads, memory, seed) = (options.threads.max(1), options.memory, options.seed);
    let method = options.method.as_deref();
    let (done, raised) = py.detach(|| {
        let (sender, finished) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let (watch, stop) = (&watch, &stop);
            let worker = scope.spawn(move || {
                let run = Run {
                    observer: watch,
                    cancel: stop,
                    cache: kept(),
                    tables,
                    rows,
                    seed,
                    threads,
                    memory,
                    method,
                    ..Run::default()
                };
                let done = catch_unwind(AssertUnwindSafe(|| job(&run)));
                drop(sender);
                done
            });
            let mut raised = None;
            while let Err(mpsc::RecvTimeoutError::Timeout) = finished.recv_timeout(BEAT) {
                let heard = Python::attach(|py| {
                    py.check_signals()?;
                    tell(py, watch, progress)
                });
                if let (Err(error), None) = (heard, &raised) {
                    stop.store(true, Ordering::Relaxed);
                    raised = Some(error);
                }
            }
            (worker.join(), raised)
        })
    });
    if let Some(error) = raised {
        return Err(error);
    }
    tell(py, &watch, progress)?;
    match done {
        Ok(Ok(done)) => done.map_err(raise),
        Ok(Err(panic)) | Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
            Err(PyRuntimeError::new_err(format!("a fault of yomikiri: {said}")))
        }
    }
}

/// An error as Python knows it.
pub fn raise(error: Error) -> PyErr {
    let said = error.to_string();
    match error {
        Error::Refused(_) | Error::Rules { .. } | Error::NoSolver { .. } => PyValueError::new_err(said),
        Error::Memory { .. } | Error::TooManyStates { .. } => PyMemoryError::new_err(said),
        Error::Cancelled => PyKeyboardInterrupt::new_err(()),
        Error::Store(_) | Error::Table(_) | Error::Output { .. } => PyOSError::new_err(said),
        Error::Threads(_) | Error::Proof(_) | Error::Bug(_) => PyRuntimeError::new_err(said),
    }
}
