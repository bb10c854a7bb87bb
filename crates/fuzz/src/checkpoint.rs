//! What solvers keep of unfinished and finished work: content that is not theirs, behind digests that are right.

use crate::Target;
use crate::bounded::within;
use crate::input::Input;
use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use yomikiri_core::run::Silent;
use yomikiri_core::{Error, Observer, Run, Store, Text};
use yomikiri_games::params::Settings;
use yomikiri_papers::PAPERS;
use yomikiri_view::report::Outcome;

/// The target.
pub const TARGET: Target = Target {
    name: "checkpoint",
    about: "checkpoints and kept tables of every solver that has them, whatever stands in them: an answer that is JSON, or an error; little memory",
    run,
    seeds,
};

/// A game, a study of it or nothing, and settings.
type Work = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// Work that keeps something. (Retrograde analysis keeps large tables
/// alone, of which no input here could hold one.)
const WORK: [Work; 4] = [
    ("memory", "", &[("ranks", "2")]),
    ("memory", "", &[("ranks", "2"), ("objective", "cards"), ("copies", "2")]),
    ("memory", "tree", &[("ranks", "3")]),
    ("geister", "", &[("analysis", "bbr-belief"), ("width", "3"), ("height", "3")]),
];

/// A store in memory that gives one content for every name it has not kept itself.
struct Given<'a> {
    content: &'a [u8],
    kept: Mutex<BTreeMap<String, Option<Vec<u8>>>>,
    /// The names that were asked for.
    asked: Mutex<Vec<String>>,
}

impl<'a> Given<'a> {
    fn new(content: &'a [u8]) -> Given<'a> {
        Given { content, kept: Mutex::default(), asked: Mutex::default() }
    }
}

impl Store for Given<'_> {
    fn load(&self, name: &str) -> Option<Box<dyn Read>> {
        self.asked.lock().expect("a lock").push(name.to_owned());
        let content = match self.kept.lock().expect("a lock").get(name) {
            Some(kept) => kept.clone()?,
            None if self.content.is_empty() => return None,
            None => self.content.to_vec(),
        };
        Some(Box::new(Cursor::new(content)))
    }
    fn save(&self, name: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut content = Vec::new();
        write(&mut content)?;
        self.kept.lock().expect("a lock").insert(name.to_owned(), Some(content));
        Ok(())
    }
    fn remove(&self, name: &str) {
        self.kept.lock().expect("a lock").insert(name.to_owned(), None);
    }
}

fn done(work: usize, run: &Run<'_>) -> Option<Result<Outcome, Error>> {
    let (game, study, given) = WORK[work];
    let entry = yomikiri_shelf::find(game)?;
    if study.is_empty() {
        let settings = Settings::new(entry.params(), given.iter().copied()).ok()?;
        return Some(entry.solve(&settings, run));
    }
    let study = PAPERS.studies(game).iter().find(|found| found.name == study)?;
    let settings = Settings::new(study.params, given.iter().copied()).ok()?;
    Some((study.run)(&settings, run))
}

fn run(bytes: &[u8]) {
    let mut input = Input(bytes);
    let work = usize::from(input.byte()) % WORK.len();
    let store = Given::new(input.0);
    within(40, |cancel| {
        let run = Run { cancel, store: &store, memory: 64 << 20, ..Run::default() };
        if let Some(Ok(outcome)) = done(work, &run) {
            let json = outcome.json.to_string();
            assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{json}");
        }
    });
}

/// Stops a run after some steps were told.
struct Impatient<'a> {
    cancel: &'a AtomicBool,
    left: Mutex<u32>,
}

impl Observer for Impatient<'_> {
    fn begin(&self, what: &Text, total: u64) {
        Silent.begin(what, total);
    }
    fn done(&self, _: u64) {
        let mut left = self.left.lock().expect("a lock");
        *left = left.saturating_sub(1);
        if *left == 0 {
            self.cancel.store(true, Ordering::Relaxed);
        }
    }
    fn end(&self) {}
    fn note(&self, _: &Text) {}
}

/// What finished and stopped runs of the work keep.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (work, of) in WORK.iter().enumerate() {
        for steps in [1, 2, 4, 8, 16, 10_000] {
            let (store, cancel) = (Given::new(&[]), AtomicBool::new(false));
            let observer = Impatient { cancel: &cancel, left: Mutex::new(steps) };
            let run = Run { store: &store, cancel: &cancel, observer: &observer, ..Run::default() };
            let ended = done(work, &run);
            assert!(ended.is_some(), "{of:?}");
            for content in store.kept.lock().expect("a lock").values().flatten() {
                seeds.push([&[work as u8], content.as_slice()].concat());
            }
        }
    }
    seeds.retain(|seed| seed.len() < 4096);
    seeds.sort();
    seeds.dedup();
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_all_work_is_there_and_asks_for_what_was_kept() {
        for (work, of) in WORK.iter().enumerate() {
            let store = Given::new(&[]);
            let first = done(work, &Run { store: &store, ..Run::default() }).expect("work").expect("done");
            assert!(!store.asked.lock().expect("a lock").is_empty(), "{of:?}");
            let again = done(work, &Run { store: &store, ..Run::default() }).expect("work").expect("done");
            let plain = |outcome: &Outcome| {
                let mut json = outcome.json.clone();
                for name in ["seconds", "cached", "from_cache"] {
                    json.as_object_mut().map(|fields| fields.remove(name));
                }
                json
            };
            assert_eq!(plain(&first), plain(&again), "{of:?}");
        }
    }
}
