//! The positions of many places, one after the other: neighbours differ in the last group only, so that what comes before
//! it is worked out once for all of them.

use super::{Group, Set, Space, Tier, deposit};
use crate::geister::board::{Position, SQUARES, Side};

/// Goes from place to place; quick where most of them ascend in small steps.
pub struct Walk<'a> {
    space: &'a Space,
    /// The last group, and the first place of those that differ in it only; none before the first step.
    at: Option<(&'a Group, u64)>,
    /// The position without the last group.
    stem: Position,
    occupied: Set,
    /// The squares that are left, if a second place was asked for: a single one is found without them.
    left: [Set; SQUARES],
    listed: bool,
}

impl<'a> Walk<'a> {
    /// A walk that has not begun.
    pub fn new(space: &'a Space) -> Walk<'a> {
        let stem = Position { turn: 0, sides: [Side::default(); 2] };
        Walk { space, at: None, stem, occupied: 0, left: [0; SQUARES], listed: false }
    }

    /// The position at a place, as [`Space::at`] has it.
    #[inline]
    pub fn at(&mut self, place: u64) -> Option<Position> {
        let (group, first) = match self.at {
            Some((group, first)) if place.wrapping_sub(first) < group.ways => {
                if !self.listed {
                    self.list();
                }
                (group, first)
            }
            _ => {
                // Of mirror images only one has a place, which takes more than its last group to tell.
                if self.space.mirror {
                    return self.space.at(place);
                }
                self.go(place)?
            }
        };
        let pick = &group.picks[(place - first) as usize][..group.count];
        let set = if self.listed {
            pick.iter().fold(0, |set, square| set | self.left[usize::from(*square)])
        } else {
            deposit(pick, self.occupied)
        };
        let mut p = self.stem;
        p.sides[group.player].0[group.colour] = set;
        Some(p)
    }

    /// Works out everything but the last group.
    fn go(&mut self, place: u64) -> Option<(&'a Group, u64)> {
        let tier: &'a Tier = self.space.tier_at(place)?;
        let (last, stem) = tier.groups.split_last()?;
        let within = place - tier.offset;
        let turn = u8::from(within >= tier.half);
        let within = within - u64::from(turn) * tier.half;
        let mut rest = within / last.ways;
        let at = (last, place - (within - rest * last.ways));
        self.stem = Position { turn, sides: [Side::default(); 2] };
        self.occupied = 0;
        for group in stem {
            // Weights count the last group too.
            let weight = group.weight / last.ways;
            let rank = if weight == 1 { rest } else { rest / weight };
            rest -= rank * weight;
            let set = deposit(&group.picks[rank as usize][..group.count], self.occupied);
            self.stem.sides[group.player].0[group.colour] = set;
            self.occupied |= set;
        }
        (self.at, self.listed) = (Some(at), false);
        Some(at)
    }

    /// Lists the squares that are left.
    fn list(&mut self) {
        let mut free = self.space.board.all & !self.occupied;
        for left in &mut self.left {
            *left = free & free.wrapping_neg();
            free &= free.wrapping_sub(1);
        }
        self.listed = true;
    }
}
