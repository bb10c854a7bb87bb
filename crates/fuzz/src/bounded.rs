//! Work that is stopped after a while, as a person would stop it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Does some work with a flag that is raised after some milliseconds.
pub fn within<T>(milliseconds: u64, work: impl FnOnce(&AtomicBool) -> T) -> T {
    let cancel = AtomicBool::new(false);
    let (done, timer) = sync_channel::<()>(0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let timer = timer;
            if timer.recv_timeout(Duration::from_millis(milliseconds)) == Err(RecvTimeoutError::Timeout) {
                cancel.store(true, Ordering::Relaxed);
            }
        });
        let result = work(&cancel);
        drop(done);
        result
    })
}
