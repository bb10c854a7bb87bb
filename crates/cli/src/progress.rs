//! Progress on standard error: bars while someone watches, a line for what is worth one.

use crate::lang::pick;
use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::Duration;
use yomikiri_core::{Lang, Observer, Text};

/// Steps told this soon after the beginning were done in an earlier run.
const RESUMED: Duration = Duration::from_millis(20);

/// Draws progress bars and prints notes.
pub struct Progress {
    lang: Lang,
    quiet: bool,
    watched: bool,
    screen: MultiProgress,
    /// Work within work: the last one is the current piece.
    bars: Mutex<Vec<ProgressBar>>,
}

impl Progress {
    /// Progress in a language; `quiet` shows nothing at all.
    pub fn new(lang: Lang, quiet: bool) -> Progress {
        Progress {
            lang,
            quiet,
            watched: !quiet && io::stderr().is_terminal(),
            screen: MultiProgress::new(),
            bars: Mutex::new(Vec::new()),
        }
    }

    /// A writer to standard error that does not tear the bars.
    pub fn log(&self) -> impl Fn() -> Log + Send + Sync + 'static {
        let screen = self.screen.clone();
        move || Log(screen.clone())
    }

    /// Removes bars that failed work has left.
    pub fn clear(&self) {
        for bar in self.bars().drain(..) {
            bar.finish_and_clear();
        }
    }

    fn bars(&self) -> std::sync::MutexGuard<'_, Vec<ProgressBar>> {
        // A bar that a panicking thread left half drawn is still a bar.
        self.bars.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Observer for Progress {
    fn begin(&self, what: &Text, total: u64) {
        if !self.watched {
            return;
        }
        let (bar, template) = if total == 0 {
            (ProgressBar::new_spinner(), "{spinner} {msg}  {human_pos}  {rate}  {elapsed}")
        } else {
            let template = pick(
                self.lang,
                "{msg}  {bar:28} {percent:>3}%  {human_pos}/{human_len}  {rate}  ETA {eta}",
                "{msg}  {bar:28} {percent:>3}%  {human_pos}/{human_len}  {rate}  残り {eta}",
            );
            (ProgressBar::new(total), template)
        };
        let bar = self.screen.add(bar);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━╸─").with_key("rate", rate));
        }
        bar.set_message(what.get(self.lang).to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        self.bars().push(bar);
    }

    fn done(&self, steps: u64) {
        if self.watched
            && let Some(bar) = self.bars().last()
        {
            bar.set_position(steps);
            // Steps that a resumed run had done before say nothing about its speed.
            if bar.elapsed() < RESUMED {
                bar.reset_eta();
            }
        }
    }

    fn end(&self) {
        if self.watched
            && let Some(bar) = self.bars().pop()
        {
            bar.finish_and_clear();
            self.screen.remove(&bar);
        }
    }

    fn note(&self, what: &Text) {
        if !self.quiet {
            // Nobody to tell is no reason to stop.
            let _ = writeln!(Log(self.screen.clone()), "{}", what.get(self.lang));
        }
    }
}

/// Steps a second, in three or four digits.
fn rate(state: &ProgressState, out: &mut dyn fmt::Write) {
    let mut rate = state.per_sec();
    let mut unit = 0;
    const UNITS: [&str; 4] = ["", "k", "M", "G"];
    while rate >= 1000.0 && unit + 1 < UNITS.len() {
        rate /= 1000.0;
        unit += 1;
    }
    // A bar that cannot be drawn is not worth an error.
    let _ = write!(out, "{rate:.1}{}/s", UNITS[unit]);
}

/// Standard error beside the bars.
pub struct Log(MultiProgress);

impl Write for Log {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.0.suspend(|| io::stderr().write(buf))
    }
    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
