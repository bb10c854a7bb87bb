//! The pool: every computation of a request runs here, a set number at once, with a time limit, and stops when
//! nobody waits for it any more. What takes longer than a moment becomes a job that can be asked for.

use crate::Server;
use crate::fault::Fault;
use crate::job::{Answer, Job, Task, Title};
use crate::reply::{JSON, Reply, bytes};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use yomikiri_core::rows::{Keeper, Unkept};
use yomikiri_core::{Run, Text};

/// How long a finished job of a request is kept for whoever asks.
const FETCHED: Duration = Duration::from_secs(60);
/// Finished studies and reproductions that are kept; the oldest go first.
const FINISHED: usize = 64;

/// Jobs and the places for them.
pub struct Work {
    /// Computations of requests at once.
    slots: Arc<Semaphore>,
    /// Computations of requests at once and in line.
    places: Arc<Semaphore>,
    /// Studies and reproductions at once.
    pub benches: Arc<Semaphore>,
    jobs: Mutex<BTreeMap<u64, Arc<Job>>>,
    count: AtomicU64,
    /// Different for every server, so that ids of an earlier one are not mistaken for ours.
    nonce: [u8; 32],
}

impl Work {
    /// A pool without work.
    pub fn new(computing: usize, waiting: usize, jobs: usize) -> Work {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let started = format!("{} {}", now.as_nanos(), std::process::id());
        Work {
            slots: Arc::new(Semaphore::new(computing)),
            places: Arc::new(Semaphore::new(computing + waiting)),
            benches: Arc::new(Semaphore::new(jobs)),
            jobs: Mutex::new(BTreeMap::new()),
            count: AtomicU64::new(0),
            nonce: *blake3::hash(started.as_bytes()).as_bytes(),
        }
    }

    fn jobs(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A new job that nobody can ask for yet, with its number.
    pub fn job(&self, title: Title, task: Task) -> (u64, Arc<Job>) {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let id = blake3::keyed_hash(&self.nonce, &number.to_le_bytes()).to_hex()[..12].to_owned();
        (number, Arc::new(Job::new(id, title, task)))
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

    /// Waits until nothing runs any more.
    pub async fn ended(&self, computing: usize, jobs: usize) {
        let _slots = self.slots.acquire_many(computing as u32).await;
        let _benches = self.benches.acquire_many(jobs as u32).await;
    }

    /// Stops what nobody waits for or takes too long, and forgets what nobody fetches; the studies and reproductions
    /// among that.
    pub fn tidy(&self, abandoned: Duration, longest: Duration) -> Vec<Arc<Job>> {
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

impl Server {
    /// The run of a job.
    pub fn run<'a>(&'a self, job: &'a Job, rows: &'a dyn Keeper, seed: u64) -> Run<'a> {
        Run {
            observer: job,
            cancel: &job.cancel,
            store: self.config.store.as_ref(),
            rows,
            cache: &self.config.cache,
            seed,
            threads: self.config.threads,
            memory: self.config.share(),
        }
    }

    /// Answers a request by computing; after a moment with the job that goes on. A request whose client goes away is
    /// stopped.
    pub async fn compute(
        self: Arc<Server>,
        title: Title,
        work: impl FnOnce(&Server, &Run<'_>) -> Result<Answer, Fault> + Send + 'static,
    ) -> Result<Reply, Fault> {
        let (number, job) = match self.clone().wait(title, work).await? {
            Ok(answer) => return Ok(answer.reply()),
            Err(unfinished) => unfinished,
        };
        self.work.publish(number, &job);
        Ok(bytes(202, JSON, job.to_json(false)))
    }

    /// The answer of a computation, or the job if it is not there after a moment.
    pub async fn wait(
        self: Arc<Server>,
        title: Title,
        work: impl FnOnce(&Server, &Run<'_>) -> Result<Answer, Fault> + Send + 'static,
    ) -> Result<Result<Answer, (u64, Arc<Job>)>, Fault> {
        let place = self.work.places.clone().try_acquire_owned().map_err(|_| Fault::busy(1))?;
        let (number, job) = self.work.job(title, Task::Request);
        let mut unwanted = Unwanted(Some(Arc::clone(&job)));
        tokio::spawn(drive(self.clone(), Arc::clone(&job), place, work));
        let over = tokio::time::timeout(self.config.limits.moment, job.over()).await.is_ok();
        unwanted.0 = None;
        match job.outcome().filter(|_| over) {
            Some(outcome) => outcome.map(Ok),
            None => Ok(Err((number, job))),
        }
    }
}

/// Runs the job of a request when there is a slot for it.
async fn drive(
    server: Arc<Server>,
    job: Arc<Job>,
    place: OwnedSemaphorePermit,
    work: impl FnOnce(&Server, &Run<'_>) -> Result<Answer, Fault> + Send + 'static,
) {
    let slot = server.work.slots.clone().acquire_owned().await;
    tokio::task::spawn_blocking(move || {
        let _held = (place, slot);
        let seed = server.config.seed;
        run(&job, || work(&server, &server.run(&job, &Unkept, seed)));
    });
}

/// Runs a job on this thread, unless it has been stopped; a panic is its fault alone.
pub fn run(job: &Job, work: impl FnOnce() -> Result<Answer, Fault>) {
    if job.begin() {
        job.end(catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(Fault::panic())));
    }
}
