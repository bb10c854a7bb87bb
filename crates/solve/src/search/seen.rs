//! The set of states an exact search has met, each kept whole. States stand one after another in chunks, packed to
//! as many words as they need; beside them is a table of places, found by hash, in groups that fill a cache line:
//! twelve places, and in front of them a byte of each state's hash, so that a group is asked with a handful of
//! operations. A full table is built anew from the states themselves after the old one is given back, so growing
//! needs no memory for both.

use super::Packed;

/// Words in a chunk.
const CHUNK: usize = 1 << 13;
/// Places in a group.
const GROUP: usize = 12;
/// States that are given their places anew side by side.
const BLOCK: usize = 32;
/// Groups of an empty set.
const FIRST: usize = 1 << 7;
/// Groups up to which a table is kept for the next search.
const KEEP: usize = 1 << 13;
/// Bytes of a group.
const GROUP_BYTES: u64 = std::mem::size_of::<Group>() as u64;
/// Bytes of a set without states.
pub(super) const EMPTY_BYTES: u64 = FIRST as u64 * GROUP_BYTES + CHUNK as u64 * 8;

const ONES: u128 = 0x0101_0101_0101_0101_0101_0101;
const TOPS: u128 = ONES << 7;

/// Places whose states have neighbouring hashes.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Group {
    /// A byte for each place, 0 where it is free.
    tags: [u8; GROUP],
    /// Where the states stand, in words from the first chunk's start.
    places: [u32; GROUP],
}

const FREE: Group = Group { tags: [0; GROUP], places: [0; GROUP] };

impl Group {
    #[inline]
    fn tags(&self) -> u128 {
        let mut wide = [0; 16];
        wide[..GROUP].copy_from_slice(&self.tags);
        u128::from_le_bytes(wide)
    }

    /// The first free place.
    #[inline]
    fn free(&self) -> Option<usize> {
        let free = zero_bytes(self.tags());
        (free != 0).then(|| (free.trailing_zeros() / 8) as usize)
    }
}

/// There is no memory for one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// A set of packed states within a limit of bytes.
pub struct Seen {
    groups: Vec<Group>,
    chunks: Vec<Vec<u64>>,
    /// The chunk that is being filled.
    filling: usize,
    len: u64,
    memory: u64,
}

impl Seen {
    /// An empty set that may take so many bytes.
    pub fn new(memory: u64) -> Seen {
        Seen { groups: vec![FREE; FIRST], chunks: Vec::new(), filling: 0, len: 0, memory }
    }

    /// How many states are in it.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.groups.len() as u64 * GROUP_BYTES + self.chunks.len() as u64 * CHUNK as u64 * 8
    }

    /// Forgets all states; what a small search needs is kept ready for the next.
    pub fn clear(&mut self) {
        if self.groups.len() > KEEP {
            self.groups = vec![FREE; FIRST];
        } else {
            self.groups.fill(FREE);
        }
        self.chunks.truncate(KEEP * GROUP * 4 / CHUNK);
        self.chunks.iter_mut().for_each(Vec::clear);
        self.filling = 0;
        self.len = 0;
    }

    /// What a state is found by.
    #[inline]
    pub fn hash(state: &Packed) -> u64 {
        mix(state.words())
    }

    /// Reads a word of the group in which a state will be looked for, so that it is near when it is asked: the lines of many
    /// states come side by side where asking for one after another would wait for each.
    #[inline]
    pub fn touch(&self, hash: u64) {
        std::hint::black_box(self.groups[start(hash, self.groups.len())].places[GROUP - 1]);
    }

    /// Reads a word of the state that is suspected to be the one with this hash, for the same reason.
    #[inline]
    pub fn suspect(&self, hash: u64) {
        let group = &self.groups[start(hash, self.groups.len())];
        let alike = zero_bytes(group.tags() ^ (ONES * u128::from(tag(hash))));
        if alike != 0 {
            let at = group.places[(alike.trailing_zeros() / 8) as usize] as usize;
            std::hint::black_box(self.chunks.get(at / CHUNK).and_then(|c| c.get(at % CHUNK)).copied());
        }
    }

    /// Adds a state; true if it was not there. `words` tells from a state's first word how many it has.
    #[inline]
    pub fn insert(&mut self, state: &Packed, hash: u64, words: impl Fn(u64) -> usize) -> Result<bool, Full> {
        // Seven of eight places may be taken.
        if self.len >= (self.groups.len() * GROUP) as u64 / 8 * 7 {
            self.grow(words)?;
        }
        let new = state.words();
        let tag = tag(hash);
        let mut at = start(hash, self.groups.len());
        loop {
            let group = &self.groups[at];
            let tags = group.tags();
            let mut alike = zero_bytes(tags ^ (ONES * u128::from(tag)));
            while alike != 0 {
                let place = group.places[(alike.trailing_zeros() / 8) as usize] as usize;
                // Two states with the same first word have the same number of words.
                let stored = self.chunks[place / CHUNK].iter().skip(place % CHUNK);
                if stored.zip(new).all(|(a, b)| a == b) {
                    return Ok(false);
                }
                alike &= alike - 1;
            }
            if let Some(free) = group.free() {
                let place = self.store(new)?;
                let group = &mut self.groups[at];
                group.tags[free] = tag;
                group.places[free] = place;
                self.len += 1;
                return Ok(true);
            }
            at = if at + 1 == self.groups.len() { 0 } else { at + 1 };
        }
    }

    fn store(&mut self, new: &[u64]) -> Result<u32, Full> {
        if self.chunks.get(self.filling).is_some_and(|c| c.len() + new.len() > CHUNK) {
            self.filling += 1;
        }
        if self.filling == self.chunks.len() {
            let far = (self.filling + 1) as u64 * CHUNK as u64 > u64::from(u32::MAX);
            if far || self.bytes() + CHUNK as u64 * 8 > self.memory {
                return Err(Full);
            }
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        let chunk = &mut self.chunks[self.filling];
        let at = self.filling * CHUNK + chunk.len();
        chunk.extend_from_slice(new);
        Ok(at as u32)
    }

    /// Twice as many groups.
    #[cold]
    fn grow(&mut self, words: impl Fn(u64) -> usize) -> Result<(), Full> {
        let groups = self.groups.len() * 2;
        if groups as u64 * GROUP_BYTES + self.chunks.len() as u64 * CHUNK as u64 * 8 > self.memory {
            return Err(Full);
        }
        self.groups = Vec::new();
        self.groups = vec![FREE; groups];
        let mut block = Vec::with_capacity(BLOCK);
        for (number, chunk) in self.chunks.iter().enumerate() {
            let mut from = 0;
            while from < chunk.len() {
                block.clear();
                while from < chunk.len() && block.len() < BLOCK {
                    let len = words(chunk[from]);
                    block.push((mix(&chunk[from..from + len]), (number * CHUNK + from) as u32));
                    from += len;
                }
                for &(hash, _) in &block {
                    std::hint::black_box(self.groups[start(hash, groups)].places[GROUP - 1]);
                }
                for &(hash, place) in &block {
                    let mut at = start(hash, groups);
                    let free = loop {
                        match self.groups[at].free() {
                            Some(free) => break free,
                            None => at = if at + 1 == groups { 0 } else { at + 1 },
                        }
                    };
                    self.groups[at].tags[free] = tag(hash);
                    self.groups[at].places[free] = place;
                }
            }
        }
        Ok(())
    }
}

/// Marks the bytes that are 0 by their top bit. Bytes above one that is 0 may be marked as well: the lowest mark
/// is always right, and others are looked at again.
#[inline]
fn zero_bytes(x: u128) -> u128 {
    x.wrapping_sub(ONES) & !x & TOPS
}

/// A byte of the hash that is not 0.
#[inline]
fn tag(hash: u64) -> u8 {
    ((hash >> 56) as u8).max(1)
}

/// Where a hash is looked for first.
#[inline]
fn start(hash: u64, groups: usize) -> usize {
    (((hash & 0xFFFF_FFFF) * groups as u64) >> 32) as usize
}

/// Spreads words over 64 bits.
#[inline]
fn mix(words: &[u64]) -> u64 {
    let fold = |a: u64, b: u64| {
        let wide = u128::from(a) * u128::from(b);
        (wide as u64) ^ ((wide >> 64) as u64)
    };
    let mut h = 0x9E37_79B9_7F4A_7C15;
    for &w in words {
        // The word once more, for the one value of it that makes the product 0.
        h = fold(h ^ w, 0xA076_1D64_78BD_642F) ^ w.rotate_left(23);
    }
    fold(h, 0xE703_7ED1_A0B4_28DB)
}

#[cfg(test)]
mod tests {
    use super::super::MAX_WORDS;
    use super::*;
    use std::collections::HashSet;
    use yomikiri_core::random::Random;

    #[test]
    fn law_the_set_of_states_is_a_set() {
        // Rows of one to eight words, many with the same beginning, far more than one table holds without growing.
        let words = |first: u64| 1 + (first % 8) as usize;
        let mut random = Random::new(8);
        let mut seen = Seen::new(1 << 26);
        for round in 0..2 {
            let mut twin = HashSet::new();
            for _ in 0..60_000 {
                let mut all = [0; MAX_WORDS];
                all[0] = random.below(1 << (4 + 8 * round));
                let len = words(all[0]);
                for word in &mut all[1..len] {
                    *word = random.below(4);
                }
                let state = Packed::new(all, len);
                let hash = Seen::hash(&state);
                seen.touch(hash);
                seen.suspect(hash);
                let new = twin.insert(state.words().to_vec());
                assert_eq!(seen.insert(&state, hash, words), Ok(new), "{state:?}");
            }
            assert_eq!(seen.len(), twin.len() as u64);
            assert!(seen.bytes() / seen.len() <= 96);
            seen.clear();
            assert_eq!(seen.len(), 0);
        }
    }
}
