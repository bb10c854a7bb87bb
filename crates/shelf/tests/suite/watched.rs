//! A cache that watches what is made through it, and whether it is still held.

use std::any::Any;
use std::sync::{Arc, Mutex, Weak};
use yomikiri_core::Error;
use yomikiri_core::cache::{Cache, Cached, Check, Key};

/// What was made: its name, and itself as long as somebody holds it.
type Made = (String, Weak<dyn Any + Send + Sync>);

/// Another cache, watched.
pub struct Watched<C> {
    cache: C,
    made: Mutex<Vec<Made>>,
}

impl<C> Watched<C> {
    pub fn new(cache: C) -> Watched<C> {
        Watched { cache, made: Mutex::default() }
    }
    /// The names of all that was made.
    pub fn made(&self) -> Vec<String> {
        self.made.lock().unwrap().iter().map(|made| made.0.clone()).collect()
    }
    /// How much of it is held by somebody.
    pub fn alive(&self) -> usize {
        self.made.lock().unwrap().iter().filter(|made| made.1.strong_count() > 0).count()
    }
}

impl<C: Cache> Cache for Watched<C> {
    fn once(
        &self,
        key: &Key,
        check: Check<'_>,
        make: &mut dyn FnMut() -> Result<(Cached, u64), Error>,
    ) -> Result<Cached, Error> {
        self.cache.once(key, check, &mut || {
            let (thing, bytes) = make()?;
            self.made.lock().unwrap().push((key.name().to_owned(), Arc::downgrade(&thing)));
            Ok((thing, bytes))
        })
    }
}
