//! The pool: every computation of a request runs here, a set number at once, with a time limit, and stops when
//! nobody waits for it any more. What takes longer than a moment becomes a job that can be asked for.

use crate::answer::{Content, JSON};
use crate::errand::{self, Away};
use crate::grants::Grant;
use crate::job::{Job, Task, Title, Until};
use crate::queue::Queue;
use crate::wait::Wait;
use crate::{Answer, Api, Fault, Reply, Request};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use yomikiri_core::rows::{Keeper, Unkept};
use yomikiri_core::{Run, Text};

/// How long a finished job of a request is kept for whoever asks.
const FETCHED: Duration = Duration::from_secs(60);
/// Finished studies and reproductions that are kept; the oldest go first.
const FINISHED: usize = 64;

/// Jobs and the lines they stand in.
pub struct Work {
    /// Computations of requests.
    requests: Arc<Queue>,
    /// Studies and reproductions.
    lasting: Arc<Queue>,
    /// Work of either that is done elsewhere.
    pub away: Away,
    jobs: Mutex<BTreeMap<u64, Arc<Job>>>,
    count: AtomicU64,
}

impl Work {
    /// A pool without work.
    pub fn new(computing: usize, waiting: usize, jobs: usize) -> Work {
        Work {
            requests: Queue::new(computing, computing + waiting),
            // How many may wait is asked before a job is made.
            lasting: Queue::new(jobs, usize::MAX),
            away: Away::default(),
            jobs: Mutex::new(BTreeMap::new()),
            count: AtomicU64::new(0),
        }
    }

    fn jobs(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Lets people ask for a job.
    pub fn publish(&self, number: u64, job: &Arc<Job>) {
        job.asked();
        self.jobs().insert(number, Arc::clone(job));
    }

    /// The job of an id.
    pub fn find(&self, id: &str) -> Option<Arc<Job>> {
        self.jobs().values().find(|job| job.id == id).cloned()
    }

    /// Forgets a job.
    pub fn forget(&self, id: &str) {
        self.jobs().retain(|_, job| job.id != id);
    }

    /// All studies and reproductions, the oldest first.
    pub fn lasting(&self) -> Vec<Arc<Job>> {
        self.jobs().values().filter(|job| job.title.kind != "request").cloned().collect()
    }

    /// Studies and reproductions that run or wait.
    pub fn unfinished(&self) -> usize {
        self.jobs().values().filter(|job| job.title.kind != "request" && !job.state().over()).count()
    }

    /// Stops everything.
    pub fn stop(&self) {
        self.jobs().values().for_each(|job| job.stop(None));
    }

    /// Whether nothing runs.
    pub fn idle(&self) -> bool {
        self.requests.idle() && self.lasting.idle() && self.away.count() == 0
    }

    /// Stops what nobody waits for or takes too long, and forgets what nobody fetches, or takes more than so many bytes
    /// with all the rest; the studies and reproductions among that.
    pub fn tidy(&self, abandoned: Duration, longest: Duration, most: usize) -> Vec<Arc<Job>> {
        let mut jobs = self.jobs();
        jobs.retain(|_, job| {
            if job.title.kind != "request" {
                return true;
            }
            let over = job.state().over();
            if !over && job.unasked() > abandoned {
                job.stop(None);
            }
            if !over && job.elapsed() > longest {
                job.stop(Some(too_long(longest)));
            }
            !(over && job.unasked() > FETCHED)
        });
        let mut done: Vec<(Duration, u64, usize)> = jobs
            .iter()
            .filter(|(_, job)| job.title.kind == "request" && job.state().over())
            .map(|(number, job)| (job.unasked(), *number, job.held()))
            .collect();
        // Who has asked last is most likely to ask again.
        done.sort_unstable();
        let mut held = 0;
        for (_, number, bytes) in done {
            held += bytes;
            if held > most {
                jobs.remove(&number);
            }
        }
        let finished: Vec<u64> = jobs
            .iter()
            .filter(|(_, job)| job.title.kind != "request" && job.state().over())
            .map(|(number, _)| *number)
            .collect();
        let old = finished.len().saturating_sub(FINISHED);
        finished[..old].iter().filter_map(|number| jobs.remove(number)).collect()
    }
}

fn too_long(longest: Duration) -> Fault {
    let seconds = longest.as_secs();
    let message = Text::of(
        format!("this takes longer than {seconds} s; try the command line"),
        format!("{seconds} 秒を超えるため中断しました。コマンドラインでお試しください"),
    );
    Fault { retry: Some(seconds), ..Fault::new(503, "timeout", message) }
}

/// Stops a job unless somebody says that it is wanted.
struct Unwanted(Option<Arc<Job>>);

impl Drop for Unwanted {
    fn drop(&mut self) {
        if let Some(job) = self.0.take() {
            job.stop(None);
        }
    }
}

impl Api {
    /// A new job that nobody can ask for yet, with its number.
    pub(crate) fn job(&self, title: Title, task: Task) -> (u64, Arc<Job>) {
        let number = self.work.count.fetch_add(1, Ordering::Relaxed);
        (number, Arc::new(Job::new(self.host.id(number), title, task, Arc::clone(&self.host))))
    }

    /// The run of a job.
    pub(crate) fn run<'a>(
        &'a self,
        job: &'a Job,
        rows: &'a dyn Keeper,
        seed: u64,
        memory: &Grant,
    ) -> Run<'a> {
        Run {
            observer: job,
            cancel: &job.cancel,
            store: self.config.store.as_ref(),
            rows,
            cache: &self.config.cache,
            tables: &self.config.tables,
            seed,
            threads: self.config.threads,
            memory: memory.bytes(),
            checkpoint: self.config.checkpoint,
            method: None,
        }
    }

    /// Runs a study or reproduction when its turn comes.
    pub(crate) fn go(self: &Arc<Api>, job: &Arc<Job>, work: fn(&Api, &Job) -> Result<Content, Fault>) {
        if self.send(job, errand::request(&job.task)).is_ok() {
            return;
        }
        let (api, job) = (Arc::clone(self), Arc::clone(job));
        self.work.lasting.push(&*self.host, Box::new(move || run(&job, || work(&api, &job))));
    }

    /// Answers a request by computing; after a moment with the job that goes on. A request whose client goes away is
    /// stopped.
    pub(crate) fn compute(
        self: &Arc<Api>,
        title: Title,
        ask: Request,
        work: impl FnOnce(&Api, &Request, &Run<'_>) -> Result<Content, Fault> + Send + 'static,
    ) -> Result<Reply, Fault> {
        let limits = &self.config.limits;
        if self.work.away.count() >= limits.computing + limits.waiting {
            return Err(Fault::busy(1));
        }
        let (number, job) = self.job(title, Task::Request);
        if let Err(ask) = self.send(&job, ask) {
            let (api, working) = (Arc::clone(self), Arc::clone(&job));
            let work = move || {
                let seed = api.config.seed;
                let memory = api.grants.grant();
                run(&working, || work(&api, &ask, &api.run(&working, &Unkept, seed, &memory)));
            };
            if !self.work.requests.push(&*self.host, Box::new(work)) {
                return Err(Fault::busy(1));
            }
        }
        let (api, mut unwanted) = (Arc::clone(self), Unwanted(Some(Arc::clone(&job))));
        let most = self.config.limits.moment;
        let then = move || match unwanted.0.take() {
            None => Fault::panic().answer(),
            Some(job) => match job.outcome() {
                Some(outcome) => outcome.map_or_else(|fault| fault.answer(), |content| content.answer()),
                None => {
                    api.work.publish(number, &job);
                    Answer::of(202, JSON, job.to_json(false))
                }
            },
        };
        Ok(Reply::Wait(Wait { job, until: Until::Over, most, then: Box::new(then) }))
    }
}

/// Runs a job on this thread, unless it has been stopped; a panic is its fault alone.
fn run(job: &Job, work: impl FnOnce() -> Result<Content, Fault>) {
    if job.begin() {
        job.end(catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(Fault::panic())));
    }
}
