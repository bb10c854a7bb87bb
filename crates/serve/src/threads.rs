//! The host of the API: the threads of the runtime, the system's clock, ids that no other server gives.

use std::time::{Duration, Instant, SystemTime};
use tokio::runtime::Handle;
use yomikiri_api::Host;

/// Threads and a clock.
pub struct Threads {
    runtime: Handle,
    started: Instant,
    /// Different for every server, so that ids of an earlier one are not mistaken for ours.
    nonce: [u8; 32],
}

impl Threads {
    /// The threads of a runtime.
    pub fn new(runtime: Handle) -> Threads {
        // Only to be another number each time.
        #[expect(clippy::disallowed_methods)]
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let started = format!("{} {}", now.as_nanos(), std::process::id());
        Threads { runtime, started: Instant::now(), nonce: *blake3::hash(started.as_bytes()).as_bytes() }
    }
}

impl Host for Threads {
    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        self.runtime.spawn_blocking(work);
    }

    fn id(&self, number: u64) -> String {
        blake3::keyed_hash(&self.nonce, &number.to_le_bytes()).to_hex()[..12].to_owned()
    }
}
