//! A perfect index of positions: the pieces of one kind after the other, each ranked among the squares
//! that are left; with the mirror, only one of two mirror images has a place.

mod rows;

pub use rows::{Walk, memory};

use super::board::{Board, Colour, Position, SQUARES, Set, Side, squares};
use rows::Rows;
use std::sync::OnceLock;
use yomikiri_core::combin::Binomials;

/// Pieces of one kind at most.
pub const MOST: usize = 4;

/// How many pieces of each colour the players have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Material(pub [[u8; 3]; 2]);

impl Material {
    /// The material of a position.
    pub fn of(p: &Position) -> Material {
        Material(p.sides.map(|side| side.0.map(|set| set.count_ones() as u8)))
    }
    /// In words such as `BBR v br`.
    pub fn name(&self) -> String {
        let side = |player: u8| -> String {
            let all = Colour::ALL.into_iter().flat_map(|c| {
                std::iter::repeat_n(c.letter(player), usize::from(self.0[usize::from(player)][c as usize]))
            });
            all.collect()
        };
        format!("{} v {}", side(0), side(1))
    }
}

/// The pieces of one colour of one player.
#[derive(Clone, Debug)]
struct Group {
    player: usize,
    colour: usize,
    /// Ways to place them on the squares that are left.
    ways: u64,
    /// Their squares by rank, counted among those that are left.
    picks: Vec<[u8; MOST]>,
    count: usize,
    /// Ways to place all groups after it.
    weight: u64,
}

/// An orbit of the first group under the mirror.
#[derive(Clone, Copy, Debug)]
struct Orbit {
    /// Its number.
    number: u32,
    /// Whether this member is the mirror image of the one that stands for the orbit.
    flipped: bool,
    /// Whether it is its own mirror image.
    symmetric: bool,
}

/// The positions of one material.
#[derive(Clone, Debug)]
struct Tier {
    material: Material,
    groups: Vec<Group>,
    /// The first place.
    offset: u64,
    /// Places with the same player to move.
    half: u64,
    /// Ways to place all groups but the first.
    rest: u64,
    /// By the rank of the first group, with the mirror only.
    orbits: Vec<Orbit>,
    /// The rank of the member that stands for an orbit, with the mirror only.
    members: Vec<u32>,
    /// What moves do to its places, once many of them are met.
    rows: OnceLock<Rows>,
}

/// All positions of some materials on a board.
#[derive(Clone, Debug)]
pub struct Space {
    board: Board,
    /// Whether mirror images share a place.
    pub mirror: bool,
    tiers: Vec<Tier>,
    /// By which kinds of known pieces there is more than one: the tier.
    by_kind: [Option<u8>; 16],
    /// C(x, i + 1) at `[i][x]`.
    choose: [[u32; SQUARES + 1]; MOST],
    places: u64,
}

/// Which kinds of known pieces there is more than one of.
#[inline]
fn kind(sides: &[Side; 2]) -> usize {
    let several = |set: Set| usize::from(set & set.wrapping_sub(1) != 0);
    several(sides[0].0[0])
        | several(sides[0].0[1]) << 1
        | several(sides[1].0[0]) << 2
        | several(sides[1].0[1]) << 3
}

impl Space {
    /// The positions of these materials. They differ only in whether there are one or two known blue and
    /// red pieces.
    pub fn new(board: &Board, materials: &[Material], mirror: bool) -> Space {
        let n = board.squares();
        let binomials = Binomials::new(SQUARES);
        let mut choose = [[0; SQUARES + 1]; MOST];
        for (i, row) in choose.iter_mut().enumerate() {
            for (x, c) in row.iter_mut().enumerate() {
                *c = binomials.get(x, i + 1) as u32;
            }
        }
        let mut space =
            Space { board: board.clone(), mirror, tiers: Vec::new(), by_kind: [None; 16], choose, places: 0 };
        for material in materials {
            let tier = space.tier(material, n, &binomials);
            let several = |player: usize, colour: usize| usize::from(material.0[player][colour] > 1);
            let kind = several(0, 0) | several(0, 1) << 1 | several(1, 0) << 2 | several(1, 1) << 3;
            space.by_kind[kind] = Some(space.tiers.len() as u8);
            space.places = tier.offset + 2 * tier.half;
            space.tiers.push(tier);
        }
        space
    }

    fn tier(&self, material: &Material, n: usize, binomials: &Binomials) -> Tier {
        let mut groups: Vec<Group> = Vec::new();
        let mut left = n;
        for (player, colours) in material.0.iter().enumerate() {
            for (colour, &count) in colours.iter().enumerate() {
                let count = usize::from(count);
                if count > 0 {
                    let picks = picks(left, count);
                    groups.push(Group {
                        player,
                        colour,
                        ways: binomials.get(left, count),
                        picks,
                        count,
                        weight: 1,
                    });
                    left -= count;
                }
            }
        }
        for g in (1..groups.len()).rev() {
            groups[g - 1].weight = groups[g].weight * groups[g].ways;
        }
        let rest = groups.iter().skip(1).map(|g| g.ways).product();
        let (mut orbits, mut members) = (Vec::new(), Vec::new());
        if self.mirror {
            for (rank, pick) in groups[0].picks.iter().enumerate() {
                let set = pick[..groups[0].count].iter().fold(0, |set, s| set | 1 << s);
                let other = self.rank(self.board.mirror(set), 0) as usize;
                if other < rank {
                    let Orbit { number, .. } = orbits[other];
                    orbits.push(Orbit { number, flipped: true, symmetric: false });
                } else {
                    let number = members.len() as u32;
                    members.push(rank as u32);
                    orbits.push(Orbit { number, flipped: false, symmetric: other == rank });
                }
            }
        }
        let first = if self.mirror { members.len() as u64 } else { groups[0].ways };
        let (offset, half, rows) = (self.places, first * rest, OnceLock::new());
        Tier { material: *material, groups, offset, half, rest, orbits, members, rows }
    }

    /// The number of places.
    pub fn places(&self) -> u64 {
        self.places
    }

    /// The materials, in the order of their places.
    pub fn materials(&self) -> impl ExactSizeIterator<Item = Material> {
        self.tiers.iter().map(|t| t.material)
    }

    /// The materials with their first place and how many they have, half of them for each player to move.
    pub fn tiers(&self) -> impl ExactSizeIterator<Item = (Material, u64, u64)> {
        self.tiers.iter().map(|t| (t.material, t.offset, 2 * t.half))
    }

    /// Whether positions with these pieces, changed by a move or its taking back, have places.
    #[inline]
    pub fn has(&self, sides: &[Side; 2]) -> bool {
        self.by_kind[kind(sides)].is_some()
    }

    /// The rank of a set among those of its size on the squares that are not occupied.
    #[inline]
    fn rank(&self, set: Set, occupied: Set) -> u64 {
        let mut rank = 0;
        for (i, square) in squares(set).enumerate() {
            let below = (occupied & ((1 << square) - 1)).count_ones();
            rank += self.choose[i][(square - below) as usize];
        }
        u64::from(rank)
    }

    /// The rank of all groups but the first.
    #[inline]
    fn rank_rest(&self, tier: &Tier, sides: &[Side; 2], first: Set) -> u64 {
        let mut occupied = first;
        let mut rank = 0;
        for group in &tier.groups[1..] {
            let set = sides[group.player].0[group.colour];
            rank = rank * group.ways + self.rank(set, occupied);
            occupied |= set;
        }
        rank
    }

    #[inline]
    fn tier_of(&self, sides: &[Side; 2]) -> &Tier {
        match self.tiers.as_slice() {
            [only] => only,
            several => &several[usize::from(self.by_kind[kind(sides)].unwrap_or(0))],
        }
    }

    /// The place of a position.
    #[inline]
    pub fn place(&self, p: &Position) -> u64 {
        let tier = self.tier_of(&p.sides);
        let Group { player, colour, .. } = tier.groups[0];
        let first = p.sides[player].0[colour];
        let rank = self.rank(first, 0);
        let within = if self.mirror {
            let orbit = tier.orbits[rank as usize];
            let straight = || self.rank_rest(tier, &p.sides, first);
            let mirrored = || self.rank_rest(tier, &self.board.mirror_of(p).sides, self.board.mirror(first));
            let rest = match orbit {
                Orbit { symmetric: true, .. } => straight().min(mirrored()),
                Orbit { flipped: true, .. } => mirrored(),
                _ => straight(),
            };
            u64::from(orbit.number) * tier.rest + rest
        } else {
            rank * tier.rest + self.rank_rest(tier, &p.sides, first)
        };
        tier.offset + u64::from(p.turn) * tier.half + within
    }

    /// The tier that has a place.
    #[inline]
    fn tier_at(&self, place: u64) -> Option<&Tier> {
        match self.tiers.as_slice() {
            [only] if place < self.places => Some(only),
            several => several.iter().find(|t| place >= t.offset && place < t.offset + 2 * t.half),
        }
    }

    /// The position at a place; `None` past the end, and where its mirror image has another place.
    #[inline]
    pub fn at(&self, place: u64) -> Option<Position> {
        let tier = self.tier_at(place)?;
        let within = place - tier.offset;
        let turn = u8::from(within >= tier.half);
        let within = within - u64::from(turn) * tier.half;
        let (mut first, rest) = (within / tier.rest, within % tier.rest);
        if self.mirror {
            first = u64::from(tier.members[first as usize]);
        }
        let mut p = Position { turn, sides: [Side::default(); 2] };
        let group = &tier.groups[0];
        let mut occupied =
            group.picks[first as usize][..group.count].iter().fold(0, |set, square| set | 1u64 << square);
        p.sides[group.player].0[group.colour] = occupied;
        let mut left = rest;
        for group in &tier.groups[1..] {
            let rank = if group.weight == 1 { left } else { left / group.weight };
            left -= rank * group.weight;
            let set = deposit(&group.picks[rank as usize][..group.count], occupied);
            p.sides[group.player].0[group.colour] = set;
            occupied |= set;
        }
        if self.mirror && tier.orbits[first as usize].symmetric && self.place(&p) != place {
            return None;
        }
        Some(p)
    }
}

/// The squares that are so many-th among those not occupied, both ascending.
#[inline]
fn deposit(picks: &[u8], occupied: Set) -> Set {
    let (mut set, mut blocked, mut passed) = (0, occupied, 0);
    for &pick in picks {
        let mut square = u32::from(pick) + passed;
        while blocked != 0 && blocked.trailing_zeros() <= square {
            blocked &= blocked - 1;
            passed += 1;
            square += 1;
        }
        set |= 1 << square;
    }
    set
}

/// All sets of `count` out of `n` squares in the order of their ranks.
fn picks(n: usize, count: usize) -> Vec<[u8; MOST]> {
    let mut all = Vec::new();
    let mut pick: Vec<u8> = (0..count as u8).collect();
    loop {
        let mut padded = [0; MOST];
        padded[..count].copy_from_slice(&pick);
        all.push(padded);
        // The lowest square that can go up does, and those below it start over.
        let limit = |i: usize| if i + 1 < count { pick[i + 1] } else { n as u8 };
        let Some(i) = (0..count).find(|&i| pick[i] + 1 < limit(i)) else { return all };
        pick[i] += 1;
        for (j, below) in pick[..i].iter_mut().enumerate() {
            *below = j as u8;
        }
    }
}
