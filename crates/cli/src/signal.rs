//! Signals: the first asks the run to stop and keep what it has, the second stops at once.

use crate::fail::INTERRUPTED;
use crate::lang::pick;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use yomikiri_core::Lang;

/// Raised by the first signal. The one global of the program: a signal reaches a process, not a run.
static CANCEL: AtomicBool = AtomicBool::new(false);

/// Listens for interrupt and termination, and returns the flag they raise.
pub fn listen(lang: Lang) -> &'static AtomicBool {
    let listening = ctrlc::set_handler(move || {
        if CANCEL.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
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
