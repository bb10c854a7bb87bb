//! The set of states an exact search has met, each kept whole. States stand one after another in chunks, packed to
//! as many words as they need; beside them is a table of places in groups of eight, found by hash, with a byte of
//! each hash in front so that a group is asked with a handful of operations on one word. A full table is built anew
//! from the states themselves after the old one is given back, so growing needs no memory for both.

use super::Packed;

/// Words in a chunk.
const CHUNK: usize = 1 << 13;
/// Places in a group.
const GROUP: usize = 8;
/// Groups of an empty set.
const FIRST: usize = 1 << 7;
/// Groups up to which a table is kept for the next search.
const KEEP: usize = 1 << 14;
/// Bytes of a group: eight tags and eight places.
const GROUP_BYTES: u64 = 8 + 4 * GROUP as u64;
/// Bytes of a set without states.
pub(super) const EMPTY_BYTES: u64 = FIRST as u64 * GROUP_BYTES + CHUNK as u64 * 8;

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

/// There is no memory for one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// A set of packed states within a limit of bytes.
pub struct Seen {
    /// One word a group: a byte for each place, 0 where it is free.
    tags: Vec<u64>,
    /// Where the states of a group stand, in words from the first chunk's start.
    places: Vec<[u32; GROUP]>,
    chunks: Vec<Vec<u64>>,
    /// The chunk that is being filled.
    filling: usize,
    len: u64,
    memory: u64,
}

impl Seen {
    /// An empty set that may take so many bytes.
    pub fn new(memory: u64) -> Seen {
        Seen {
            tags: vec![0; FIRST],
            places: vec![[0; GROUP]; FIRST],
            chunks: Vec::new(),
            filling: 0,
            len: 0,
            memory,
        }
    }

    /// How many states are in it.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.tags.len() as u64 * GROUP_BYTES + self.chunks.len() as u64 * CHUNK as u64 * 8
    }

    /// Forgets all states; what a small search needs is kept ready for the next.
    pub fn clear(&mut self) {
        if self.tags.len() > KEEP {
            self.tags = vec![0; FIRST];
            self.places = vec![[0; GROUP]; FIRST];
        } else {
            self.tags.fill(0);
        }
        self.chunks.truncate(KEEP * GROUP * 4 / CHUNK);
        self.chunks.iter_mut().for_each(Vec::clear);
        self.filling = 0;
        self.len = 0;
    }

    /// Adds a state; true if it was not there. `words` tells from a state's first word how many it has.
    pub fn insert(&mut self, state: &Packed, words: impl Fn(u64) -> usize) -> Result<bool, Full> {
        // Seven of eight places may be taken.
        if self.len >= (self.tags.len() * (GROUP - 1)) as u64 {
            self.grow(words)?;
        }
        let new = state.words();
        let hash = mix(new);
        let tag = tag(hash);
        let mut group = start(hash, self.tags.len());
        loop {
            let tags = self.tags[group];
            let mut alike = zero_bytes(tags ^ (ONES * tag));
            while alike != 0 {
                let at = self.places[group][(alike.trailing_zeros() / 8) as usize] as usize;
                // Two states with the same first word have the same number of words.
                let chunk = &self.chunks[at / CHUNK];
                if chunk.get(at % CHUNK..at % CHUNK + new.len()) == Some(new) {
                    return Ok(false);
                }
                alike &= alike - 1;
            }
            let free = zero_bytes(tags);
            if free != 0 {
                let place = free.trailing_zeros() / 8;
                let at = self.store(new)?;
                self.tags[group] |= tag << (8 * place);
                self.places[group][place as usize] = at;
                self.len += 1;
                return Ok(true);
            }
            group += 1;
            if group == self.tags.len() {
                group = 0;
            }
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

    /// Half as many groups again.
    fn grow(&mut self, words: impl Fn(u64) -> usize) -> Result<(), Full> {
        let groups = self.tags.len() * 3 / 2;
        if groups as u64 * GROUP_BYTES + self.chunks.len() as u64 * CHUNK as u64 * 8 > self.memory {
            return Err(Full);
        }
        self.tags = Vec::new();
        self.places = Vec::new();
        self.tags = vec![0; groups];
        self.places = vec![[0; GROUP]; groups];
        for (number, chunk) in self.chunks.iter().enumerate() {
            let mut at = 0;
            while at < chunk.len() {
                let len = words(chunk[at]);
                let hash = mix(&chunk[at..at + len]);
                let mut group = start(hash, groups);
                while zero_bytes(self.tags[group]) == 0 {
                    group = if group + 1 == groups { 0 } else { group + 1 };
                }
                let place = zero_bytes(self.tags[group]).trailing_zeros() / 8;
                self.tags[group] |= tag(hash) << (8 * place);
                self.places[group][place as usize] = (number * CHUNK + at) as u32;
                at += len;
            }
        }
        Ok(())
    }
}

/// Marks the bytes that are 0 by their top bit. Bytes above one that is 0 may be marked as well: the lowest mark
/// is always right, and others are looked at again.
fn zero_bytes(x: u64) -> u64 {
    x.wrapping_sub(ONES) & !x & TOPS
}

/// A byte of the hash that is not 0.
fn tag(hash: u64) -> u64 {
    (hash >> 56).max(1)
}

/// Where a hash is looked for first.
fn start(hash: u64, groups: usize) -> usize {
    (((hash & 0xFFFF_FFFF) * groups as u64) >> 32) as usize
}

/// Spreads words over 64 bits.
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
