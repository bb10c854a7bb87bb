//! Progress on standard error: bars while someone watches, a line for what is worth one.

use crate::lang::pick;
use indicatif::{
    HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use yomikiri_core::{Lang, Observer, Text};

/// Steps told this soon after the beginning were done in an earlier run.
const RESUMED: Duration = Duration::from_millis(20);
/// Work shorter than this is over before anyone could read its bar.
const SHORT: Duration = Duration::from_millis(250);
/// How often bars are drawn while no steps are told.
const TICK: Duration = Duration::from_millis(100);

/// Draws progress bars and prints notes.
pub struct Progress {
    lang: Lang,
    quiet: bool,
    screen: MultiProgress,
    /// Only where someone watches. Work within work: the last one is the current piece.
    pieces: Option<Arc<Mutex<Vec<Piece>>>>,
}

/// A piece of work.
struct Piece {
    bar: ProgressBar,
    shown: bool,
    begun: Instant,
}

impl Progress {
    /// Progress in a language; `quiet` shows nothing at all.
    pub fn new(lang: Lang, quiet: bool) -> Progress {
        let screen = MultiProgress::new();
        let pieces = (!quiet && io::stderr().is_terminal()).then(|| Arc::new(Mutex::new(Vec::new())));
        if let Some(pieces) = &pieces {
            let (pieces, screen) = (Arc::downgrade(pieces), screen.clone());
            std::thread::spawn(move || {
                while let Some(pieces) = pieces.upgrade() {
                    lock(&pieces).iter_mut().for_each(|piece| piece.draw(&screen));
                    drop(pieces);
                    std::thread::sleep(TICK);
                }
            });
        }
        Progress { lang, quiet, screen, pieces }
    }

    /// A writer to standard error that does not tear the bars.
    pub fn log(&self) -> impl Fn() -> Log + Send + Sync + 'static {
        let screen = self.screen.clone();
        move || Log(screen.clone())
    }

    /// Removes bars that failed work has left.
    pub fn clear(&self) {
        if let Some(pieces) = &self.pieces {
            lock(pieces).drain(..).rev().for_each(|piece| piece.remove(&self.screen));
        }
    }
}

impl Piece {
    fn draw(&mut self, screen: &MultiProgress) {
        if !self.shown && self.begun.elapsed() > SHORT {
            self.shown = true;
            screen.add(self.bar.clone());
        }
        if self.shown {
            self.bar.tick();
        }
    }

    fn remove(self, screen: &MultiProgress) {
        self.bar.finish_and_clear();
        if self.shown {
            screen.remove(&self.bar);
        }
    }
}

fn lock(pieces: &Mutex<Vec<Piece>>) -> MutexGuard<'_, Vec<Piece>> {
    // A bar that a panicking thread left half drawn is still a bar.
    pieces.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Observer for Progress {
    fn begin(&self, what: &Text, total: u64) {
        let Some(pieces) = &self.pieces else { return };
        let template = if total == 0 {
            "{spinner} {msg}  {human_pos}  {rate}  {elapsed}"
        } else {
            pick(
                self.lang,
                "{msg}  {wide_bar} {percent:>3}%  {human_pos}/{human_len}  {rate}  ETA {left}",
                "{msg}  {wide_bar} {percent:>3}%  {human_pos}/{human_len}  {rate}  残り {left}",
            )
        };
        let bar = ProgressBar::with_draw_target((total > 0).then_some(total), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━╸─").with_key("rate", rate).with_key("left", left));
        }
        bar.set_message(what.get(self.lang).to_owned());
        lock(pieces).push(Piece { bar, shown: false, begun: Instant::now() });
    }

    fn done(&self, steps: u64) {
        if let Some(pieces) = &self.pieces
            && let Some(piece) = lock(pieces).last()
        {
            piece.bar.set_position(steps);
            if piece.begun.elapsed() < RESUMED {
                piece.bar.reset_eta();
            }
        }
    }

    fn end(&self) {
        if let Some(pieces) = &self.pieces
            && let Some(piece) = lock(pieces).pop()
        {
            piece.remove(&self.screen);
        }
    }

    fn note(&self, what: &Text) {
        if !self.quiet {
            // Nobody to tell is no reason to stop.
            let _ = writeln!(Log(self.screen.clone()), "{}", what.get(self.lang));
        }
    }
}

/// The time that is left; nobody knows before the first step is done.
fn left(state: &ProgressState, out: &mut dyn fmt::Write) {
    // A bar that cannot be drawn is not worth an error.
    let _ = match state.per_sec() > 0.0 {
        true => write!(out, "{:#}", HumanDuration(state.eta())),
        false => write!(out, "–"),
    };
}

/// Steps a second, in three or four digits, or a minute where they are slow; nothing before the first is done.
fn rate(state: &ProgressState, out: &mut dyn fmt::Write) {
    paced(state.per_sec(), out);
}

fn paced(mut rate: f64, out: &mut dyn fmt::Write) {
    if rate < 0.95 {
        if rate >= 0.1 / 60.0 {
            let _ = write!(out, "{:.1}/min", 60.0 * rate);
        }
        return;
    }
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
