//! Everything that was ever found for any set, and when: in the order in which it was found, each with the place of what was
//! found for the same set before. Most sets are found one or two things, so that lists of their own would be mostly room.

use super::hull::Vector;

/// A guarantee that was found, and when.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The guarantee.
    pub vector: Vector,
    /// When.
    pub stamp: u32,
    /// What was found for the set before.
    before: u32,
}

/// The place of nothing.
const NOTHING: u32 = u32::MAX;

/// Things are kept in blocks, so that none is ever moved.
const BLOCK: usize = 1 << 16;

/// What was found.
#[derive(Default)]
pub struct Finds {
    /// By set: the place of what was found last.
    last: Vec<u32>,
    blocks: Vec<Vec<Found>>,
}

impl Finds {
    /// One more thing for a set.
    pub fn push(&mut self, set: usize, vector: Vector, stamp: u32) {
        if self.blocks.last().is_none_or(|block| block.len() == BLOCK) {
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        let at = self.blocks.len() - 1;
        let block = &mut self.blocks[at];
        let place = (at * BLOCK + block.len()) as u32;
        block.push(Found { vector, stamp, before: self.last[set] });
        self.last[set] = place;
    }

    /// How many things were found, which is where places end.
    pub fn count(&self) -> usize {
        self.blocks.last().map_or(0, |last| (self.blocks.len() - 1) * BLOCK + last.len())
    }

    /// What is at a place.
    #[inline]
    pub fn get(&self, place: u32) -> &Found {
        &self.blocks[place as usize / BLOCK][place as usize % BLOCK]
    }

    /// Writes the places of all that was found for a set, the oldest first.
    #[inline]
    pub fn places(&self, set: usize, out: &mut Vec<u32>) {
        out.clear();
        let mut place = self.last[set];
        while place != NOTHING {
            out.push(place);
            place = self.get(place).before;
        }
        out.reverse();
    }

    /// The same set by set, each in the order in which it was found: where those of every set begin, and where the last end.
    pub fn sorted(&self) -> (Vec<u32>, Vec<(Vector, u32)>) {
        let mut begin = Vec::with_capacity(self.last.len() + 1);
        let (mut all, mut places) = (Vec::with_capacity(self.count()), Vec::new());
        for set in 0..self.last.len() {
            begin.push(all.len() as u32);
            self.places(set, &mut places);
            all.extend(places.iter().map(|place| self.get(*place)).map(|found| (found.vector, found.stamp)));
        }
        begin.push(all.len() as u32);
        (begin, all)
    }

    /// Becomes what belongs to other sets: for each the set it was before, if there was one.
    pub fn arrange(&mut self, sets: impl Iterator<Item = Option<usize>>) {
        self.last = sets.map(|set| set.map_or(NOTHING, |set| self.last[set])).collect();
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.last.len() * 4 + self.blocks.len() * BLOCK * size_of::<Found>()
    }
}
