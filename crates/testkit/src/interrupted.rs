//! What tests of stopped and resumed runs share: a store in memory, and a watcher that stops a run.

use std::collections::HashMap;
use std::io::{self, Cursor, Read, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use yomikiri_core::{Observer, Store, Text};

/// A store in memory.
#[derive(Default)]
pub struct MemoryStore(pub Mutex<HashMap<String, Vec<u8>>>);

impl Store for MemoryStore {
    fn load(&self, name: &str) -> Option<Box<dyn Read>> {
        let bytes = self.0.lock().unwrap().get(name)?.clone();
        Some(Box::new(Cursor::new(bytes)))
    }
    fn save(&self, name: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        self.0.lock().unwrap().insert(name.into(), bytes);
        Ok(())
    }
    fn remove(&self, name: &str) {
        self.0.lock().unwrap().remove(name);
    }
}

/// Raises the cancel flag when so much work is done.
pub struct StopAt<'a>(pub u64, pub &'a AtomicBool);

impl Observer for StopAt<'_> {
    fn begin(&self, _: &Text, _: u64) {}
    fn done(&self, steps: u64) {
        if steps >= self.0 {
            self.1.store(true, Ordering::Relaxed);
        }
    }
    fn end(&self) {}
    fn note(&self, _: &Text) {}
}
