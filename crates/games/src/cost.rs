//! What the values of a variant cost, found out by trying: it is solved for a moment, and what is not done by then is told
//! from how far it came.

use crate::entry::Entry;
use crate::params::Settings;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use yomikiri_core::clock::Instant;
use yomikiri_core::run::Estimate;
use yomikiri_core::{Error, Lang, Observer, Run, Text, text};

/// How long it is tried.
const MOMENT: Duration = Duration::from_millis(600);

/// What values cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// Whether there will be values.
    pub fits: bool,
    /// The same in words, with how long it takes.
    pub text: Text,
}

/// A try that ends after a moment.
struct Trial<'a> {
    run: &'a Run<'a>,
    begun: Instant,
    stop: AtomicBool,
    /// How long it took before the work at hand began, its steps, and how many are done.
    now: Mutex<(Duration, u64, u64)>,
}

impl Trial<'_> {
    fn look(&self) {
        if self.begun.elapsed() > MOMENT || self.run.check().is_err() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// About how long all of it takes, if the rest goes on as it began.
    fn whole(&self) -> Option<Duration> {
        let (before, total, done) = *self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let since = self.begun.elapsed().saturating_sub(before);
        (0 < done && done <= total).then(|| before + since.mul_f64((total as f64 / done as f64).min(1e6)))
    }
}

impl Observer for Trial<'_> {
    fn begin(&self, _: &Text, total: u64) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = (self.begun.elapsed(), total, 0);
        self.look();
    }
    fn done(&self, steps: u64) {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).2 = steps;
        self.look();
    }
    fn end(&self) {
        self.look();
    }
    fn note(&self, _: &Text) {}
    fn live(&self, _: &[Estimate]) {}
}

/// A time in words, to one digit.
fn about(time: Duration) -> Text {
    match time.as_secs() {
        0..=1 => text("a second", "1秒"),
        s @ 2..=89 => Text::of(format!("{s} s"), format!("{s}秒")),
        s @ 90..=5399 => Text::of(format!("{} min", (s + 30) / 60), format!("{}分", (s + 30) / 60)),
        s => Text::of(format!("{} h", (s + 1800) / 3600), format!("{}時間", (s + 1800) / 3600)),
    }
}

/// What the values of a variant cost where it begins.
///
/// # Errors
/// Settings that go with no game are refused by the name of the field; cancelled.
pub fn cost(entry: &dyn Entry, settings: &Settings, run: &Run<'_>) -> Result<Cost, Error> {
    let begun = Instant::now();
    let trial = Trial { run, begun, stop: AtomicBool::new(false), now: Mutex::default() };
    let tried = Run { observer: &trial, cancel: &trial.stop, ..*run };
    let values = entry.play(settings, None, &tried).and_then(|play| {
        let viewer = play.seats().first().copied().flatten();
        play.scene(viewer, &tried).map(drop)
    });
    run.check()?;
    match values {
        Ok(()) => {
            Ok(Cost { fits: true, text: text("Values are there at once.", "値はすぐに出ます。") })
        }
        Err(Error::Cancelled) => {
            let text = match trial.whole() {
                Some(time) => {
                    let time = about(time);
                    Text::of(
                        format!("Values take about {}; the board can be played meanwhile.", time.en),
                        format!("値が出るまで約{}。その間も盤は動かせます。", time.ja),
                    )
                }
                None => text(
                    "Values take a while; the board can be played meanwhile.",
                    "値が出るまでしばらくかかります。その間も盤は動かせます。",
                ),
            };
            Ok(Cost { fits: true, text })
        }
        Err(error @ (Error::Memory { .. } | Error::TooManyStates { .. } | Error::NoSolver { .. })) => {
            let (en, ja) = (error.say(Lang::En), error.say(Lang::Ja));
            Ok(Cost {
                fits: false,
                text: Text::of(
                    format!("No values here, but it can be played: {en}."),
                    format!("ここでは値は出ませんが、遊ぶことはできます：{ja}。"),
                ),
            })
        }
        Err(other) => Err(other),
    }
}
