//! Errands: handed over on one side, done on the other ([`crate::elsewhere`]).

use crate::elsewhere::{Errand, Over, Told};
use crate::job::{Job, Task};
use crate::rows::{Asked, Rows};
use crate::{Api, Fault, Host, Request};
use serde_json::{Map, Value, json};
use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use yomikiri_core::rows::{Block, Column, Journal, Keeper};
use yomikiri_core::{Error, Observer};
use yomikiri_papers::Effort;

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
