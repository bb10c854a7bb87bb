//! Solved things kept in memory and shared by everybody who asks for them, each made once.

use crate::error::Error;
use crate::run::Run;
use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Something solved, of whatever kind.
pub type Thing = Arc<dyn Any + Send + Sync>;

/// Where solved things stand for others. A name says everything that decides what stands under it.
pub trait Shelf: Sync {
    /// What stands under a name; if nothing does, what `make` makes with the bytes it takes. Whoever asks for
    /// something that is being made waits for it, unless the run is cancelled. What fails is not kept.
    ///
    /// `make` may ask for other names, but not for its own.
    fn once(
        &self,
        name: &str,
        run: &Run<'_>,
        make: &mut dyn FnMut() -> Result<(Thing, u64), Error>,
    ) -> Result<Thing, Error>;
}

/// A shelf that keeps nothing.
pub struct Bare;

impl Shelf for Bare {
    fn once(
        &self,
        _: &str,
        _: &Run<'_>,
        make: &mut dyn FnMut() -> Result<(Thing, u64), Error>,
    ) -> Result<Thing, Error> {
        Ok(make()?.0)
    }
}

/// How often those who wait look whether they have been cancelled.
const LOOK: Duration = Duration::from_millis(20);

/// A place on the shelf.
enum Place {
    /// Somebody is making it.
    Made,
    /// It is there.
    There { thing: Thing, bytes: u64, asked: u64 },
}

#[derive(Default)]
struct Places {
    all: HashMap<String, Place>,
    bytes: u64,
    /// Counts requests, to know what has not been asked for longest.
    clock: u64,
}

/// A shelf for many threads, with a limit of bytes: when it is passed, what has not been asked for longest goes
/// first. Whoever still uses what has gone keeps it alive. What takes no bytes stays.
pub struct Shared {
    limit: u64,
    places: Mutex<Places>,
    news: Condvar,
}

impl Shared {
    /// An empty shelf that keeps so many bytes at most.
    pub fn new(limit: u64) -> Shared {
        Shared { limit, places: Mutex::default(), news: Condvar::new() }
    }

    /// The bytes of what is on it.
    pub fn bytes(&self) -> u64 {
        self.lock().bytes
    }

    /// How many things are on it.
    pub fn len(&self) -> usize {
        self.lock().all.values().filter(|place| matches!(place, Place::There { .. })).count()
    }

    /// Whether nothing is on it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn lock(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the mark of what is being made away again, also if making it fails or panics.
struct Making<'a> {
    shelf: &'a Shared,
    name: &'a str,
    made: Option<(Thing, u64)>,
}

impl Drop for Making<'_> {
    fn drop(&mut self) {
        let mut places = self.shelf.lock();
        places.all.remove(self.name);
        if let Some((thing, bytes)) = self.made.take().filter(|made| made.1 <= self.shelf.limit) {
            places.bytes += bytes;
            let asked = places.clock;
            places.all.insert(self.name.to_owned(), Place::There { thing, bytes, asked });
            places.keep_to(self.shelf.limit, self.name);
        }
        drop(places);
        self.shelf.news.notify_all();
    }
}

impl Places {
    /// Lets go of things until the rest fits, but not of what has just come.
    fn keep_to(&mut self, limit: u64, new: &str) {
        while self.bytes > limit {
            let old = self.all.iter().filter_map(|(name, place)| match place {
                Place::There { bytes, asked, .. } if *bytes > 0 && name != new => Some((*asked, name)),
                _ => None,
            });
            let Some(name) = old.min().map(|o| o.1.clone()) else { break };
            if let Some(Place::There { bytes, .. }) = self.all.remove(&name) {
                self.bytes -= bytes;
            }
        }
    }
}

impl Shelf for Shared {
    fn once(
        &self,
        name: &str,
        run: &Run<'_>,
        make: &mut dyn FnMut() -> Result<(Thing, u64), Error>,
    ) -> Result<Thing, Error> {
        let mut places = self.lock();
        loop {
            run.check()?;
            places.clock += 1;
            let now = places.clock;
            match places.all.get_mut(name) {
                Some(Place::There { thing, asked, .. }) => {
                    *asked = now;
                    return Ok(thing.clone());
                }
                Some(Place::Made) => {
                    places = self.news.wait_timeout(places, LOOK).unwrap_or_else(PoisonError::into_inner).0;
                }
                None => break,
            }
        }
        places.all.insert(name.to_owned(), Place::Made);
        drop(places);
        let mut making = Making { shelf: self, name, made: None };
        let (thing, bytes) = make()?;
        making.made = Some((thing.clone(), bytes));
        Ok(thing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    fn run(shelf: &Shared) -> Run<'_> {
        Run { shelf, ..Run::default() }
    }

    #[test]
    fn law_a_thing_is_made_once_for_all_threads() {
        let shelf = Shared::new(1000);
        let made = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let got = run(&shelf).shared("forty-two", || {
                        made.fetch_add(1, Ordering::SeqCst);
                        std::thread::sleep(Duration::from_millis(30));
                        Ok((42u32, 4))
                    });
                    assert_eq!(*got.unwrap(), 42);
                });
            }
        });
        assert_eq!((made.load(Ordering::SeqCst), shelf.len(), shelf.bytes()), (1, 1, 4));
    }

    #[test]
    fn law_what_was_not_asked_for_longest_goes_first() {
        let shelf = Shared::new(10);
        let run = run(&shelf);
        let made = AtomicUsize::new(0);
        let ask = |name: &str, bytes: u64| {
            let before = made.load(Ordering::SeqCst);
            let make = || {
                made.fetch_add(1, Ordering::SeqCst);
                Ok((name.to_owned(), bytes))
            };
            assert_eq!(*run.shared(name, make).unwrap(), name);
            made.load(Ordering::SeqCst) > before
        };
        assert!(ask("free", 0) && ask("a", 4) && ask("b", 4));
        assert!(!ask("a", 4), "a is there");
        assert!(ask("c", 4), "b goes");
        assert!(!ask("a", 4) && !ask("c", 4) && !ask("free", 0));
        assert!(ask("b", 4) && shelf.bytes() <= 10);
        // What is larger than the shelf is handed out and not kept.
        assert!(ask("huge", 11) && ask("huge", 11));
        assert!(!ask("free", 0));
    }

    #[test]
    fn law_what_fails_is_not_kept_and_another_may_try() {
        let shelf = Shared::new(10);
        let run = run(&shelf);
        assert!(run.shared::<u8>("x", || Err(Error::Cancelled)).is_err());
        let panics = std::panic::AssertUnwindSafe(|| run.shared::<u8>("x", || panic!("on purpose")));
        assert!(std::panic::catch_unwind(panics).is_err());
        assert!(shelf.is_empty());
        assert_eq!(*run.shared("x", || Ok((7u8, 1))).unwrap(), 7);
    }

    #[test]
    fn law_who_waits_can_be_cancelled() {
        let shelf = Shared::new(10);
        let (stop, begun, cancel) = (AtomicBool::new(false), AtomicBool::new(false), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                run(&shelf).shared("slow", || {
                    begun.store(true, Ordering::SeqCst);
                    while !stop.load(Ordering::SeqCst) {
                        std::thread::yield_now();
                    }
                    Ok((1u8, 1))
                })
            });
            while !begun.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            let waiting = scope.spawn(|| {
                let run = Run { cancel: &cancel, ..run(&shelf) };
                run.shared::<u8>("slow", || panic!("it is being made"))
            });
            cancel.store(true, Ordering::SeqCst);
            assert!(matches!(waiting.join().unwrap(), Err(Error::Cancelled)));
            stop.store(true, Ordering::SeqCst);
        });
        assert_eq!(shelf.len(), 1);
    }

    #[test]
    fn law_a_bare_shelf_makes_everything_again() {
        let run = Run::default();
        assert_eq!([1, 2].map(|n| *run.shared("x", || Ok((n, 0))).unwrap()), [1, 2]);
        // What stands under a name as something else is not taken for it.
        let shelf = Shared::new(10);
        let run = Run { shelf: &shelf, ..Run::default() };
        assert_eq!(*run.shared("x", || Ok((1u8, 1))).unwrap(), 1);
        assert_eq!(*run.shared("x", || Ok(("one", 1))).unwrap(), "one");
    }
}
