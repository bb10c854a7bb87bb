//! What the first rank says while it works, on standard error: it may be a file that a scheduler writes, so lines, and few.

use std::io::{self, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use yomikiri_core::{Lang, Observer, Text};

/// How often it is said how far it has come.
const OFTEN: Duration = Duration::from_secs(30);

/// Says it, or nothing.
pub struct Told {
    lang: Lang,
    speaks: bool,
    work: Mutex<Option<(String, u64, Instant)>>,
}

impl Told {
    /// In a language.
    pub fn new(lang: Lang, speaks: bool) -> Told {
        Told { lang, speaks, work: Mutex::new(None) }
    }

    fn say(&self, words: &str) {
        if self.speaks {
            // Nobody to tell: the work goes on.
            let _ = writeln!(io::stderr(), "{words}");
        }
    }
}

impl Observer for Told {
    fn begin(&self, what: &Text, steps: u64) {
        let what = what.get(self.lang).to_owned();
        self.say(&what);
        if let Ok(mut work) = self.work.lock() {
            *work = Some((what, steps.max(1), Instant::now()));
        }
    }
    fn done(&self, steps: u64) {
        if let Ok(mut work) = self.work.lock()
            && let Some((what, of, told)) = work.as_mut()
            && told.elapsed() > OFTEN
        {
            self.say(&format!("{what}: {:.1} %", 100.0 * steps as f64 / *of as f64));
            *told = Instant::now();
        }
    }
    fn end(&self) {}
    fn note(&self, what: &Text) {
        self.say(what.get(self.lang));
    }
}
