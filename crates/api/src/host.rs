//! What the API is given by the program around it: a clock, threads, names.

use crate::elsewhere::{Elsewhere, Told};
use std::time::Duration;

/// The program around the API: a server, a web worker, a library of another language.
pub trait Host: Send + Sync {
    /// The time since some moment that is always the same.
    fn now(&self) -> Duration;

    /// Does some work, on another thread if there are any; otherwise now or later on this one. The API does not spawn
    /// more than its limits say.
    fn spawn(&self, work: Box<dyn FnOnce() + Send>);

    /// What the job with this number is asked for by. A program whose clients may outlive it gives ids that another
    /// run of it does not give again.
    fn id(&self, number: u64) -> String {
        number.to_string()
    }

    /// Who does work elsewhere; nobody where it is done here.
    fn elsewhere(&self) -> Option<&dyn Elsewhere> {
        None
    }

    /// Whether it wants to hear how far work is that is done here for others. It is asked often.
    fn curious(&self) -> bool {
        false
    }

    /// Hears how work goes on that is done here for others.
    fn told(&self, _: Told) {}
}
