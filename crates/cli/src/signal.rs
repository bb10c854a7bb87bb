//! Signals: the first asks the run to stop and keep what it has, the second stops at once.

use crate::fail::INTERRUPTED;
use crate::lang::pick;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use yomikiri_core::Lang;

/// Signals this close together count as one.
const TOGETHER: Duration = Duration::from_millis(500);

/// Raised by the first signal. The one global of the program: a signal reaches a process, not a run.
static CANCEL: AtomicBool = AtomicBool::new(false);

/// Listens for interrupt and termination, and returns the flag they raise.
pub fn listen(lang: Lang) -> &'static AtomicBool {
    let mut first: Option<Instant> = None;
    let listening = ctrlc::set_handler(move || {
        CANCEL.store(true, Ordering::Relaxed);
        match first {
            None => first = Some(Instant::now()),
            // Some programs signal a process and then its whole group: that is one wish, not two.
            Some(first) if first.elapsed() < TOGETHER => return,
            Some(_) => std::process::exit(INTERRUPTED.into()),
        }
        let words =
            pick(lang, "stopping (once more: at once)", "停止しています（もう一度押すと直ちに終了します）");
        let _ = writeln!(io::stderr(), "{words}");
    });
    if let Err(e) = listening {
        tracing::warn!("signals cannot be caught: {e}");
    }
    &CANCEL
}
