//! A bounded cache of small things, the least recently used of which go first.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// Things by their names, with the room each takes.
pub struct Kept<K, V> {
    most: usize,
    held: usize,
    clock: u64,
    things: HashMap<K, (u64, usize, V)>,
    by_use: BTreeMap<u64, K>,
}

impl<K: Clone + Eq + Hash, V> Kept<K, V> {
    /// A cache with so much room.
    pub fn new(most: usize) -> Kept<K, V> {
        Kept { most, held: 0, clock: 0, things: HashMap::new(), by_use: BTreeMap::new() }
    }

    /// A thing, which has now been used.
    pub fn get(&mut self, key: &K) -> Option<&V> {
        let (used, _, value) = self.things.get_mut(key)?;
        self.by_use.remove(used);
        self.clock += 1;
        *used = self.clock;
        self.by_use.insert(self.clock, key.clone());
        Some(value)
    }

    /// Takes a thing off the cache.
    pub fn take(&mut self, key: &K) -> Option<V> {
        let (used, size, value) = self.things.remove(key)?;
        self.by_use.remove(&used);
        self.held -= size;
        Some(value)
    }

    /// Puts a thing on the cache; one that is larger than all of it is not kept.
    pub fn put(&mut self, key: K, size: usize, value: V) {
        self.take(&key);
        if size > self.most {
            return;
        }
        while self.held + size > self.most {
            let Some(oldest) = self.by_use.values().next().cloned() else { break };
            self.take(&oldest);
        }
        self.clock += 1;
        self.held += size;
        self.by_use.insert(self.clock, key.clone());
        self.things.insert(key, (self.clock, size, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn law_the_least_recently_used_go_first_and_the_room_is_kept() {
        let mut kept = Kept::new(10);
        for (key, size) in [("a", 4), ("b", 4)] {
            kept.put(key, size, size);
        }
        assert_eq!(kept.get(&"a"), Some(&4));
        kept.put("c", 4, 4);
        assert_eq!(["a", "b", "c"].map(|key| kept.get(&key).copied()), [Some(4), None, Some(4)]);
        kept.put("huge", 11, 11);
        assert!(kept.get(&"huge").is_none() && kept.get(&"a").is_some());
        kept.put("a", 10, 7);
        assert_eq!((kept.take(&"a"), kept.take(&"c")), (Some(7), None));
        assert_eq!((kept.held, kept.things.len(), kept.by_use.len()), (0, 0, 0));
    }
}
