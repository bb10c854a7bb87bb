//! Different things numbered in the order in which they first came.

use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The most things one numbering holds: numbers are 32 bits, and one of them means "none".
pub const MOST: u64 = u32::MAX as u64 - 1;

/// A set that numbers its members from 0 in the order in which they came. Members stand once, in an array; the index
/// beside it has eight bytes a slot: 32 bits of a hash, so that it grows without hashing again and members are
/// compared only if they are almost certainly the same, and the number plus one.
#[derive(Clone, Debug)]
pub struct Numbering<T> {
    members: Vec<T>,
    slots: Vec<u64>,
}

impl<T> Default for Numbering<T> {
    fn default() -> Self {
        Numbering { members: Vec::new(), slots: Vec::new() }
    }
}

/// The bits of a hash that a numbering uses.
pub fn tag(member: &impl Hash) -> u32 {
    let mut hasher = FxHasher::default();
    member.hash(&mut hasher);
    let h = hasher.finish();
    // The hasher multiplies only: low bits of the input reach the high bits, but never the other way round.
    ((h ^ (h >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
}

impl<T: Eq + Hash> Numbering<T> {
    /// The members by their numbers.
    pub fn members(&self) -> &[T] {
        &self.members
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// The number of a member; `None` if it never came.
    pub fn find(&self, member: &T) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.look(member, tag(member)).ok()
    }

    /// The number of a member, which is the next one if it is new. `tag` must be its [`tag`].
    pub fn number(&mut self, member: T, tag: u32) -> u32 {
        if (self.members.len() + 1) * 4 > self.slots.len() * 3 {
            self.widen((self.slots.len() * 2).max(16));
        }
        match self.look(&member, tag) {
            Ok(number) => number,
            Err(slot) => {
                let number = self.members.len() as u32;
                self.slots[slot] = u64::from(tag) << 32 | u64::from(number + 1);
                self.members.push(member);
                number
            }
        }
    }

    /// The number of a member, or the empty slot where it belongs. There must be an empty slot.
    fn look(&self, member: &T, tag: u32) -> Result<u32, usize> {
        let mut slot = home(tag, self.slots.len());
        loop {
            let found = self.slots[slot];
            if found == 0 {
                return Err(slot);
            }
            let number = found as u32 - 1;
            if (found >> 32) as u32 == tag && self.members[number as usize] == *member {
                return Ok(number);
            }
            slot = after(slot, self.slots.len());
        }
    }

    /// For each of these, with its [`tag`], its number plus one if it is found at the first glance, and 0 if not: then it
    /// has to be looked for. No glance waits for another, so memory answers many at once.
    pub fn glance(&self, wanted: &[(T, u32)], found: &mut Vec<u64>) {
        found.clear();
        let slots = self.slots.len();
        if slots == 0 {
            found.resize(wanted.len(), 0);
            return;
        }
        found.extend(wanted.iter().map(|(_, tag)| self.slots[home(*tag, slots)]));
        for (glance, (member, tag)) in found.iter_mut().zip(wanted) {
            let number = *glance as u32;
            let same =
                number > 0 && (*glance >> 32) as u32 == *tag && self.members[number as usize - 1] == *member;
            *glance = if same { u64::from(number) } else { 0 };
        }
    }

    /// Gives back what was reserved for more members, and all of the index but an eighth, if there are so many bytes for
    /// the new index beside the old one.
    pub fn fit(&mut self, room: u64) {
        self.members.shrink_to_fit();
        let slots = self.members.len() + self.members.len() / 7 + 1;
        if slots < self.slots.len() && slots as u64 * 8 <= room {
            self.widen(slots);
        }
    }

    /// Makes the index so wide; it must have more slots than there are members.
    fn widen(&mut self, slots: usize) {
        let old = std::mem::replace(&mut self.slots, vec![0; slots]);
        for taken in old.into_iter().filter(|slot| *slot != 0) {
            let mut slot = home((taken >> 32) as u32, slots);
            while self.slots[slot] != 0 {
                slot = after(slot, slots);
            }
            self.slots[slot] = taken;
        }
    }
}

/// Where the search for a tag begins in an index of so many slots.
fn home(tag: u32, slots: usize) -> usize {
    ((u64::from(tag) * slots as u64) >> 32) as usize
}

/// Where it goes on.
fn after(slot: usize, slots: usize) -> usize {
    if slot + 1 == slots { 0 } else { slot + 1 }
}

/// Memory an expansion may use, and what it uses.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub limit: u64,
    pub used: u64,
}

impl Budget {
    /// Makes room for more items in an array; `false` if that takes more than is left. While an array grows, its old
    /// and its new copy may both be there.
    pub fn room<T>(&mut self, array: &mut Vec<T>, more: usize, held: usize) -> bool {
        let (old, need) = (array.capacity(), array.len() + more);
        if need <= old {
            return true;
        }
        let each = (size_of::<T>() + held) as u64;
        for capacity in [need.max(old + old / 2), need] {
            if self.used.saturating_add(capacity as u64 * each) <= self.limit {
                array.reserve_exact(capacity - array.len());
                self.used = self.used - old as u64 * each + array.capacity() as u64 * each;
                return true;
            }
        }
        false
    }

    /// Makes room for more members of a numbering, of which each holds so many bytes beside its own.
    pub fn numbers<T: Eq + Hash>(&mut self, all: &mut Numbering<T>, more: usize, held: usize) -> bool {
        let need = all.members.len() + more;
        if need as u64 > MOST || !self.room(&mut all.members, more, held) {
            return false;
        }
        let (old, mut slots) = (all.slots.len(), all.slots.len().max(16));
        while need * 4 > slots * 3 {
            slots *= 2;
        }
        if slots > old {
            if self.used.saturating_add(slots as u64 * 8) > self.limit {
                return false;
            }
            all.widen(slots);
            self.used += (slots - old) as u64 * 8;
        }
        true
    }
}

impl<T> Numbering<T> {
    /// Bytes it takes, with so many held by each member beside its own.
    pub fn bytes(&self, held: usize) -> u64 {
        (self.members.capacity() * (size_of::<T>() + held) + self.slots.capacity() * 8) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use yomikiri_core::random::Random;

    #[test]
    fn law_members_are_numbered_by_first_visit() {
        let (mut random, mut all, mut twin) = (Random::new(3), Numbering::default(), HashMap::new());
        assert_eq!(all.find(&7), None);
        for _ in 0..20_000 {
            let member = random.below(6_000) << random.below(50);
            let next = twin.len() as u32;
            let expected = *twin.entry(member).or_insert(next);
            assert_eq!(all.number(member, tag(&member)), expected);
            assert_eq!(all.find(&member), Some(expected));
        }
        assert_eq!(all.len(), twin.len());
        let same = |all: &Numbering<u64>| (0..10_000).all(|x| all.find(&x) == twin.get(&x).copied());
        assert!(same(&all));
        // What is found at a glance is right, and most of it is.
        let wanted: Vec<(u64, u32)> = (0..10_000).map(|x| (x, tag(&x))).collect();
        let (mut found, mut seen) = (Vec::new(), 0);
        all.glance(&wanted, &mut found);
        for (&glance, (x, _)) in found.iter().zip(&wanted) {
            assert!(glance == 0 || twin.get(x).map(|n| u64::from(*n) + 1) == Some(glance), "{x}");
            seen += usize::from(glance > 0);
        }
        let known = wanted.iter().filter(|(x, _)| twin.contains_key(x)).count();
        assert!(2 * seen > known, "{seen} of {known}");
        // No room, no other index; with room it is smaller, and goes on growing.
        let before = all.bytes(0);
        all.fit(0);
        assert!(same(&all) && all.slots.len() as u64 * 8 <= before);
        all.fit(u64::MAX);
        assert!(same(&all) && all.slots.len() * 7 <= all.len() * 8 + 7);
        let next = twin.len() as u32;
        assert_eq!(all.number(u64::MAX, tag(&u64::MAX)), next);
        assert!(same(&all) && all.find(&u64::MAX) == Some(next));
    }

    /// Members whose hashes are all the same are still told apart.
    #[test]
    fn law_equal_hashes_do_no_harm() {
        #[derive(PartialEq, Eq)]
        struct Same(u32);
        impl Hash for Same {
            fn hash<H: Hasher>(&self, _: &mut H) {}
        }
        let mut all = Numbering::default();
        for round in 0..2 {
            for i in 0..200 {
                assert_eq!(all.number(Same(i), tag(&Same(i))), i, "round {round}");
            }
        }
        assert_eq!(all.find(&Same(200)), None);
    }

    #[test]
    fn law_a_budget_is_never_passed() {
        for limit in [0, 100, 1000, 5000, 100_000] {
            let (mut budget, mut all) = (Budget { limit, used: 0 }, Numbering::default());
            let mut next = 0u64;
            while budget.numbers(&mut all, 10, 0) {
                for _ in 0..10 {
                    all.number(next, tag(&next));
                    next += 1;
                }
                assert_eq!(budget.used, all.bytes(0));
                assert!(budget.used <= limit);
            }
            // What is refused would not have fitted: two copies of 16 bytes or more a member.
            assert!(next * 64 + 640 > limit, "{next} of {limit}");
        }
    }
}
