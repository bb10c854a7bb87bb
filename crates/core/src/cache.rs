//! Solved things kept in memory and shared by everybody who asks for them, each made once.

use crate::error::Error;
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Something solved, of any type; whoever asks for it knows which.
pub type Cached = Arc<dyn Any + Send + Sync>;

/// What something is kept under: its type, and a name that says everything that decides what it is. Things of
/// different types never meet, whatever their names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    kind: TypeId,
    name: String,
}

impl Key {
    /// The key of a `T` with this name.
    pub fn of<T: Any>(name: &str) -> Key {
        Key { kind: TypeId::of::<T>(), name: name.to_owned() }
    }

    /// The name, without the type.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Fails if whoever asks no longer wants it.
pub type Check<'a> = &'a dyn Fn() -> Result<(), Error>;

/// Where solved things are kept in memory for others who ask.
pub trait Cache: Sync {
    /// What is kept under a key; if nothing is, what `make` makes with the bytes it takes. Whoever asks for
    /// something that is being made waits for it, unless `check` fails. What fails is not kept.
    ///
    /// `make` may ask for other keys, but not for its own.
    ///
    /// # Errors
    /// What `make` fails with, and [`Error::Cancelled`] while waiting for another thread that makes it.
    fn once(
        &self,
        key: &Key,
        check: Check<'_>,
        make: &mut dyn FnMut() -> Result<(Cached, u64), Error>,
    ) -> Result<Cached, Error>;

    /// Something that is kept has grown: it takes so many bytes now.
    fn weigh(&self, key: &Key, bytes: u64) {
        let _ = (key, bytes);
    }
}

/// A cache that keeps nothing.
pub struct NoCache;

impl Cache for NoCache {
    fn once(
        &self,
        _: &Key,
        _: Check<'_>,
        make: &mut dyn FnMut() -> Result<(Cached, u64), Error>,
    ) -> Result<Cached, Error> {
        Ok(make()?.0)
    }
}

/// How often those who wait look whether they have been cancelled.
const LOOK: Duration = Duration::from_millis(20);

/// What the cache has under a key.
enum Slot {
    /// Somebody is making it.
    Pending,
    /// It can be handed out.
    Ready { thing: Cached, bytes: u64, asked: u64 },
}

#[derive(Default)]
struct Slots {
    all: HashMap<Key, Slot>,
    bytes: u64,
    /// Counts requests, to know what has not been asked for longest.
    clock: u64,
}

/// A cache for many threads, with a limit of bytes: when it is passed, what has not been asked for longest goes
/// first. Whoever still uses what has gone keeps it alive. What takes no bytes stays.
///
/// ```
/// use yomikiri_core::Run;
/// use yomikiri_core::cache::Lru;
///
/// let cache = Lru::new(1 << 20);
/// let run = Run { cache: &cache, ..Run::default() };
/// // The value and the bytes it takes; computed once, whoever asks.
/// let first = run.cached("squares", || Ok((vec![0, 1, 4, 9], 32)))?;
/// let again = run.cached::<Vec<i32>>("squares", || panic!("it is there"))?;
/// assert_eq!(first, again);
/// assert_eq!((cache.len(), cache.bytes()), (1, 32));
/// # Ok::<(), yomikiri_core::Error>(())
/// ```
pub struct Lru {
    limit: u64,
    slots: Mutex<Slots>,
    news: Condvar,
}

impl Lru {
    /// An empty cache that keeps so many bytes at most.
    pub fn new(limit: u64) -> Lru {
        Lru { limit, slots: Mutex::default(), news: Condvar::new() }
    }

    /// The bytes of what is in it.
    pub fn bytes(&self) -> u64 {
        self.lock().bytes
    }

    /// How many things are in it.
    pub fn len(&self) -> usize {
        self.lock().all.values().filter(|slot| matches!(slot, Slot::Ready { .. })).count()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the mark of what is being made away again, also if making it fails or panics.
struct Making<'a> {
    cache: &'a Lru,
    key: &'a Key,
    made: Option<(Cached, u64)>,
}

impl Drop for Making<'_> {
    fn drop(&mut self) {
        let mut slots = self.cache.lock();
        slots.all.remove(self.key);
        if let Some((thing, bytes)) = self.made.take().filter(|made| made.1 <= self.cache.limit) {
            slots.bytes += bytes;
            let asked = slots.clock;
            slots.all.insert(self.key.clone(), Slot::Ready { thing, bytes, asked });
            slots.keep_to(self.cache.limit, self.key);
        }
        drop(slots);
        self.cache.news.notify_all();
    }
}

impl Slots {
    /// Lets go of things until the rest fits, but not of what has just come.
    fn keep_to(&mut self, limit: u64, new: &Key) {
        while self.bytes > limit {
            let old = self.all.iter().filter_map(|(key, slot)| match slot {
                Slot::Ready { bytes, asked, .. } if *bytes > 0 && key != new => Some((*asked, key)),
                _ => None,
            });
            let Some(key) = old.min().map(|o| o.1.clone()) else { break };
            if let Some(Slot::Ready { bytes, .. }) = self.all.remove(&key) {
                self.bytes -= bytes;
            }
        }
    }
}

impl Cache for Lru {
    fn once(
        &self,
        key: &Key,
        check: Check<'_>,
        make: &mut dyn FnMut() -> Result<(Cached, u64), Error>,
    ) -> Result<Cached, Error> {
        let mut slots = self.lock();
        loop {
            check()?;
            slots.clock += 1;
            let now = slots.clock;
            match slots.all.get_mut(key) {
                Some(Slot::Ready { thing, asked, .. }) => {
                    *asked = now;
                    return Ok(thing.clone());
                }
                Some(Slot::Pending) => {
                    slots = self.news.wait_timeout(slots, LOOK).unwrap_or_else(PoisonError::into_inner).0;
                }
                None => break,
            }
        }
        slots.all.insert(key.clone(), Slot::Pending);
        drop(slots);
        let mut making = Making { cache: self, key, made: None };
        let (thing, bytes) = make()?;
        making.made = Some((thing.clone(), bytes));
        Ok(thing)
    }

    fn weigh(&self, key: &Key, now: u64) {
        let mut slots = self.lock();
        if let Some(Slot::Ready { bytes, .. }) = slots.all.get_mut(key) {
            let before = std::mem::replace(bytes, now);
            slots.bytes = slots.bytes - before + now;
            slots.keep_to(self.limit, key);
            // What has outgrown the cache is kept by those who use it, and by nobody else.
            if now > self.limit
                && let Some(Slot::Ready { bytes, .. }) = slots.all.remove(key)
            {
                slots.bytes -= bytes;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Run;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    fn run(cache: &Lru) -> Run<'_> {
        Run { cache, ..Run::default() }
    }

    #[test]
    fn law_a_thing_is_made_once_for_all_threads() {
        let cache = Lru::new(1000);
        let made = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let got = run(&cache).cached("forty-two", || {
                        made.fetch_add(1, Ordering::SeqCst);
                        std::thread::sleep(Duration::from_millis(30));
                        Ok((42u32, 4))
                    });
                    assert_eq!(*got.unwrap(), 42);
                });
            }
        });
        assert_eq!((made.load(Ordering::SeqCst), cache.len(), cache.bytes()), (1, 1, 4));
    }

    #[test]
    fn law_what_was_not_asked_for_longest_goes_first() {
        let cache = Lru::new(10);
        let run = run(&cache);
        let made = AtomicUsize::new(0);
        let ask = |name: &str, bytes: u64| {
            let before = made.load(Ordering::SeqCst);
            let make = || {
                made.fetch_add(1, Ordering::SeqCst);
                Ok((name.to_owned(), bytes))
            };
            assert_eq!(*run.cached(name, make).unwrap(), name);
            made.load(Ordering::SeqCst) > before
        };
        assert!(ask("free", 0) && ask("a", 4) && ask("b", 4));
        assert!(!ask("a", 4), "a is there");
        assert!(ask("c", 4), "b goes");
        assert!(!ask("a", 4) && !ask("c", 4) && !ask("free", 0));
        assert!(ask("b", 4) && cache.bytes() <= 10);
        // What is larger than the cache is handed out and not kept.
        assert!(ask("huge", 11) && ask("huge", 11));
        assert!(!ask("free", 0));
    }

    #[test]
    fn law_what_grows_is_weighed_again() {
        let cache = Lru::new(10);
        let run = run(&cache);
        for (name, bytes) in [("a", 4), ("b", 4)] {
            run.cached(name, || Ok((name.to_owned(), bytes))).unwrap();
        }
        run.weigh::<String>("b", 6);
        assert_eq!((cache.len(), cache.bytes()), (2, 10));
        run.weigh::<String>("b", 7);
        assert_eq!((cache.len(), cache.bytes()), (1, 7), "a goes");
        run.weigh::<u8>("b", 100);
        run.weigh::<String>("nothing", 100);
        assert_eq!((cache.len(), cache.bytes()), (1, 7));
        run.weigh::<String>("b", 11);
        assert!(cache.is_empty() && cache.bytes() == 0);
    }

    #[test]
    fn law_what_fails_is_not_kept_and_another_may_try() {
        let cache = Lru::new(10);
        let run = run(&cache);
        assert!(run.cached::<u8>("x", || Err(Error::Cancelled)).is_err());
        let panics = std::panic::AssertUnwindSafe(|| run.cached::<u8>("x", || panic!("on purpose")));
        assert!(std::panic::catch_unwind(panics).is_err());
        assert!(cache.is_empty());
        assert_eq!(*run.cached("x", || Ok((7u8, 1))).unwrap(), 7);
    }

    #[test]
    fn law_who_waits_can_be_cancelled() {
        let cache = Lru::new(10);
        let (stop, begun, cancel) = (AtomicBool::new(false), AtomicBool::new(false), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                run(&cache).cached("slow", || {
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
                let run = Run { cancel: &cancel, ..run(&cache) };
                run.cached::<u8>("slow", || panic!("it is being made"))
            });
            cancel.store(true, Ordering::SeqCst);
            assert!(matches!(waiting.join().unwrap(), Err(Error::Cancelled)));
            stop.store(true, Ordering::SeqCst);
        });
        assert_eq!(cache.len(), 1);
    }

    #[test]
    fn law_no_cache_makes_everything_again() {
        let run = Run::default();
        assert_eq!([1, 2].map(|n| *run.cached("x", || Ok((n, 0))).unwrap()), [1, 2]);
        // Things of other types may have the same name.
        let cache = Lru::new(10);
        let run = Run { cache: &cache, ..Run::default() };
        assert_eq!(*run.cached("x", || Ok((1u8, 1))).unwrap(), 1);
        assert_eq!(*run.cached("x", || Ok(("one", 1))).unwrap(), "one");
    }
}
