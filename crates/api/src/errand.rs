//! Work that is done elsewhere, by another API of the same games. A page in a browser has one that answers whoever asks,
//! always at once, and others that compute: where there are no threads, nobody could ask how far it is otherwise.
//!
//! Whoever hands an [`Errand`] over hears how it goes on ([`Api::heard`]); whoever does it ([`Api::does`]) tells its host.

use crate::answer::{Bytes, Content};
use crate::job::{Job, Task};
use crate::rows::{Asked, Rows};
use crate::{Answer, Api, Fault, Host, Request};
use serde_json::{Map, Value, json};
use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use yomikiri_core::rows::{Block, Column, Journal, Keeper};
use yomikiri_core::{Error, Observer};
use yomikiri_papers::Effort;

/// Something to be done elsewhere.
#[derive(Clone, Debug)]
pub struct Errand {
    /// The job it is for, under the id it has with whoever hands it over.
    pub job: String,
    /// Whether it is a study or a reproduction: those may take long, and others do not wait for them.
    pub lasting: bool,
    /// What is asked.
    pub request: Request,
    /// The rows that are there already.
    pub rows: Vec<Block>,
}

/// Where errands are done.
pub trait Elsewhere {
    /// Hands an errand over. It may wait for its turn.
    fn send(&self, errand: Errand);
    /// Nobody wants it any more: it is not done, or stopped.
    fn recall(&self, job: &str);
}

/// How an errand goes on.
#[derive(Clone, Debug)]
pub enum Told {
    /// It is its turn.
    Begun,
    /// How far it is: the job as JSON.
    Course(Bytes),
    /// A part of the result, with its tables.
    Part(Bytes, Vec<Bytes>),
    /// Some more rows.
    Rows(Block),
    /// What it came to.
    Over(Over),
}

/// What an errand came to.
#[derive(Clone, Debug)]
pub struct Over {
    /// How it went, by the numbers of HTTP.
    pub status: u16,
    /// The content type of the answer.
    pub kind: String,
    /// Seconds after which asking again may help.
    pub retry: Option<u64>,
    /// The answer, or what is wrong.
    pub body: Bytes,
    /// The tables of the result.
    pub tables: Vec<Bytes>,
}

impl Over {
    /// Whoever was to do it is gone, by a mistake of ours.
    pub fn gone() -> Over {
        Over::of(Fault::panic().answer())
    }

    fn of(answer: Answer) -> Over {
        let header = |name: &str| answer.headers.iter().find(|header| header.0 == name);
        let retry = header("retry-after").and_then(|header| header.1.parse().ok());
        let (status, kind) = (answer.status, answer.kind.to_owned());
        // Errands are answered by what is in memory.
        let body = answer.bytes().unwrap_or_else(|_| Arc::from([]));
        Over { status, kind, retry, body, tables: Vec::new() }
    }

    fn outcome(self) -> Result<Content, Fault> {
        if self.status < 300 {
            return Ok(Content { kind: crate::answer::known(&self.kind), body: self.body });
        }
        let said: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        Err(Fault::read(self.status, self.retry, &said["error"]))
    }
}

/// Jobs whose work is done elsewhere.
#[derive(Default)]
pub struct Away(Mutex<HashMap<String, Weak<Job>>>);

impl Away {
    fn all(&self) -> MutexGuard<'_, HashMap<String, Weak<Job>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        let mut all = self.all();
        all.retain(|_, job| job.upgrade().is_some_and(|job| !job.state().over()));
        all.len()
    }

    fn find(&self, id: &str) -> Option<Arc<Job>> {
        self.all().get(id).and_then(Weak::upgrade).filter(|job| !job.state().over())
    }
}

impl Api {
    /// Hands the work of a job over; what was asked comes back where work is done here.
    pub(crate) fn send(&self, job: &Arc<Job>, request: Request) -> Result<(), Request> {
        let Some(elsewhere) = self.host.elsewhere() else { return Err(request) };
        self.work.away.all().insert(job.id.clone(), Arc::downgrade(job));
        let mut rows = Vec::new();
        if let Task::Study(asked) = &job.task {
            // What cannot be read is computed again.
            let kept = self.config.rows.read(asked, &mut |block| {
                rows.push(block);
                Ok(())
            });
            if kept.is_err() {
                rows.clear();
            }
        }
        let lasting = !matches!(job.task, Task::Request);
        elsewhere.send(Errand { job: job.id.clone(), lasting, request, rows });
        Ok(())
    }

    /// Hears how an errand goes on. What nobody wants any more is not heard.
    pub fn heard(&self, job: &str, told: Told) {
        let Some(job) = self.work.away.find(job) else { return };
        match told {
            Told::Begun => {
                if job.begin() {
                    job.no_parts();
                    job.rows(self.kept(&job));
                }
            }
            Told::Course(bytes) => job.reflect(&serde_json::from_slice(&bytes).unwrap_or_default()),
            Told::Part(part, tables) => job.part(part, tables),
            Told::Rows(block) => {
                if let Task::Study(asked) = &job.task {
                    // Rows beyond what can be kept are not there to be fetched, and the study goes on.
                    let kept = self.config.rows.open(asked, &*job);
                    let _ = kept.and_then(|keeper| keeper.open(asked.study.rows, 0)?.append(&block));
                }
            }
            Told::Over(over) => {
                self.work.away.all().remove(&job.id);
                if !over.tables.is_empty() {
                    job.set_tables(over.tables.clone());
                }
                job.end(over.outcome());
            }
        }
    }

    /// How many rows of a job are kept, where it makes any.
    fn kept(&self, job: &Job) -> Option<u64> {
        let Task::Study(asked) = &job.task else { return None };
        if asked.study.rows.is_empty() {
            return None;
        }
        let mut rows = 0;
        let read = self.config.rows.read(asked, &mut |block| {
            rows += u64::from(block.rows);
            Ok(())
        });
        read.is_ok().then_some(rows)
    }

    /// Does what was asked elsewhere, at once, on a host that does work at once, and says what it came to. The host hears
    /// how it goes on.
    pub fn does(self: &Arc<Api>, request: Request) -> Over {
        let lasting = request.route == "start";
        let answer = self.ask(request).now();
        if !lasting || answer.status >= 300 {
            return Over::of(answer);
        }
        let Some(job) = self.work.lasting().pop() else { return Over::gone() };
        let outcome = job.outcome().unwrap_or_else(|| Err(Fault::panic()));
        let tables = (1..=job.count_tables()).filter_map(|n| job.table(n)).collect();
        // Whoever handed it over has the job.
        self.work.forget(&job.id);
        let answer = outcome.map_or_else(|fault| fault.answer(), |content| content.answer());
        Over { tables, ..Over::of(answer) }
    }
}

/// What to ask elsewhere for a study or a reproduction.
pub(crate) fn request(task: &Task) -> Request {
    let body = match task {
        Task::Study(asked) => {
            let settings: Map<String, Value> =
                asked.settings.pairs().map(|(name, value)| (name.to_owned(), value.into())).collect();
            json!({"kind": "study", "game": asked.game.about().id, "study": asked.study.name,
                "settings": settings, "seed": asked.seed})
        }
        Task::Reproduce(wanted) => {
            let labels = (wanted.paper.reproduction)(wanted.effort).parts();
            let parts: Vec<&str> = wanted.parts.iter().map(|at| labels[*at].id).collect();
            json!({"kind": "reproduce", "game": wanted.paper.about().id, "parts": parts,
                "full": wanted.effort == Effort::Full})
        }
        Task::Request => Value::Null,
    };
    Request::new("start").json(&body)
}

/// The rows of an errand: those that came with it, and new ones, of which the host is told.
pub struct Carried {
    given: Mutex<VecDeque<Block>>,
    host: Arc<dyn Host>,
}

impl Carried {
    /// Rows of errands that are done on a host.
    pub fn new(host: Arc<dyn Host>) -> Carried {
        Carried { given: Mutex::default(), host }
    }

    /// The rows that are there already, before an errand is done.
    pub fn give(&self, rows: Vec<Block>) {
        *self.given() = rows.into();
    }

    fn given(&self) -> MutexGuard<'_, VecDeque<Block>> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rows for Carried {
    fn open<'a>(&'a self, _: &'a Asked, _: &'a dyn Observer) -> Result<Box<dyn Keeper + 'a>, Error> {
        Ok(Box::new(Carrying(self)))
    }
    fn read(&self, _: &Asked, _: &mut dyn FnMut(Block) -> io::Result<()>) -> io::Result<()> {
        // Whoever handed the errand over has them.
        Ok(())
    }
    fn forget(&self, _: &Asked) {}
}

struct Carrying<'a>(&'a Carried);

impl Keeper for Carrying<'_> {
    fn open(&self, _: &'static [Column], _: u64) -> Result<Box<dyn Journal + '_>, Error> {
        Ok(Box::new(Carrying(self.0)))
    }
}

impl Journal for Carrying<'_> {
    fn next(&mut self) -> Result<Option<Block>, Error> {
        Ok(self.0.given().pop_front())
    }
    fn append(&mut self, block: &Block) -> Result<(), Error> {
        self.0.host.told(Told::Rows(block.clone()));
        Ok(())
    }
}
