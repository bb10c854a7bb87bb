//! A run that is stopped again and again, and what it keeps.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use yomikiri_core::{Observer, Store, Text};

/// A desk that is cleared after a number of looks at the clock, and a drawer that keeps what was done.
pub struct Desk {
    pub left: AtomicU64,
    pub cancel: AtomicBool,
    pub drawer: Mutex<HashMap<String, Vec<u8>>>,
}

impl Observer for Desk {
    fn begin(&self, _: &Text, _: u64) {}
    fn done(&self, _: u64) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.cancel.store(true, Ordering::Relaxed);
        }
    }
    fn end(&self) {}
    fn note(&self, _: &Text) {}
}

impl Store for Desk {
    fn load(&self, name: &str) -> Option<Box<dyn std::io::Read>> {
        let kept = self.drawer.lock().unwrap().get(name)?.clone();
        Some(Box::new(std::io::Cursor::new(kept)))
    }
    fn save(
        &self,
        name: &str,
        write: &mut dyn FnMut(&mut dyn std::io::Write) -> std::io::Result<()>,
    ) -> std::io::Result<()> {
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        self.drawer.lock().unwrap().insert(name.into(), bytes);
        Ok(())
    }
    fn remove(&self, name: &str) {
        self.drawer.lock().unwrap().remove(name);
    }
}
