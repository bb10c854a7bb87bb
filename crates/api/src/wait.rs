//! Answers that may be there in a moment. Nothing waits here: the caller has the clock, and decides whether to wait.

use crate::Answer;
use crate::job::{Job, Until};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

/// What comes back when something is asked.
pub enum Reply {
    /// The answer.
    Now(Answer),
    /// An answer that is better after a wait.
    Wait(Wait),
}

impl Reply {
    /// The answer as it is now, without waiting: of work that is not done yet, the job.
    pub fn now(self) -> Answer {
        match self {
            Reply::Now(answer) => answer,
            Reply::Wait(wait) => wait.answer(),
        }
    }
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Reply {
        Reply::Now(answer)
    }
}

/// An answer to be waited for. Whoever drops it has gone away: work that only they wanted is stopped.
pub struct Wait {
    pub(crate) job: Arc<Job>,
    pub(crate) until: Until,
    pub(crate) most: Duration,
    pub(crate) then: Box<dyn FnOnce() -> Answer + Send>,
}

impl Wait {
    /// How long it is worth waiting.
    pub fn most(&self) -> Duration {
        self.most
    }

    /// Ready when there is something to wait for no longer.
    pub fn news(&self) -> News {
        News { job: Arc::clone(&self.job), until: self.until, place: None }
    }

    /// The answer as it is by now.
    pub fn answer(self) -> Answer {
        (self.then)()
    }
}

/// Waits for the news of a job.
pub struct News {
    job: Arc<Job>,
    until: Until,
    /// Under which number the job wakes us.
    place: Option<u64>,
}

impl Future for News {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let News { job, until, place } = &mut *self;
        job.poll(*until, place, cx.waker())
    }
}

impl Drop for News {
    fn drop(&mut self) {
        if let Some(place) = self.place.take() {
            self.job.forget_waker(place);
        }
    }
}
