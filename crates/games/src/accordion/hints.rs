//! What a row's moves are worth, and what each move changes in that, read from the row itself: no row after a move has
//! to be made for it. A move parts few cards and brings few others together, all of them near the two it is about.

use std::collections::BTreeMap;

/// Distances of moves up to which there are hints.
const FAR: usize = 4;
/// One more than the distance up to which cards come together by a move.
pub(super) const APART: usize = 2 * FAR + 1;
/// Pairs of one distance, looked up together.
const WIDE: usize = 8;

/// What a move of a distance is worth. A card always has a neighbour, and after a move another one; far more depends
/// on the moves over cards between. Found by trials on deals of another seed than those the figures are about.
#[inline]
pub(super) fn worth(distance: u8) -> i32 {
    if distance == 1 { 3 } else { 12 }
}

/// Some pairs of cards equally far apart, near the card that is covered, and what the change comes to by which of
/// them match.
#[derive(Clone, Debug)]
struct Window {
    apart: usize,
    /// Where the first pair begins, seen from the card that is covered.
    at: i32,
    change: [i16; 1 << WIDE],
}

/// The changes by every move of a distance.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes(Vec<Window>);

impl Changes {
    /// By moves of a distance, if moves may be of these.
    fn of(distance: usize, distances: &[u8]) -> Changes {
        // The covered card lies at 0. After the move the other one lies there, and the row has closed up.
        let (covered, mover) = (0, distance as i32);
        let card = |place: i32| match place {
            _ if place == covered => mover,
            _ if place < mover => place,
            _ => place + 1,
        };
        let ends = -(APART as i32)..=(APART + distance) as i32;
        let mut pairs = BTreeMap::<(usize, i32), i32>::new();
        for &d in distances {
            for place in ends.clone() {
                *pairs.entry((usize::from(d), place)).or_default() -= worth(d);
            }
            for place in *ends.start()..*ends.end() {
                let (a, b) = (card(place), card(place + i32::from(d)));
                *pairs.entry((a.abs_diff(b) as usize, a.min(b))).or_default() += worth(d);
            }
        }
        let mut windows = Vec::<Window>::new();
        for ((apart, at), worth) in pairs.into_iter().filter(|pair| pair.1 != 0) {
            if windows.last().is_none_or(|w| w.apart != apart || at - w.at >= WIDE as i32) {
                windows.push(Window { apart, at, change: [0; 1 << WIDE] });
            }
            if let Some(window) = windows.last_mut() {
                let bit = (at - window.at) as usize;
                let with = window.change.iter_mut().enumerate().filter(|(bits, _)| bits >> bit & 1 == 1);
                with.for_each(|(_, change)| *change += worth as i16);
            }
        }
        Changes(windows)
    }

    /// By the move that covers the card at a place, if cards so far apart match.
    #[inline]
    pub(super) fn at(&self, place: u32, matches: &[u64; APART]) -> i32 {
        let change = |window: &Window| {
            // What is before the row comes in from the words' other end, where nothing is.
            let near = matches[window.apart].rotate_right(place.wrapping_add_signed(window.at) & 63);
            i32::from(window.change[near as usize & ((1 << WIDE) - 1)])
        };
        self.0.iter().map(change).sum()
    }
}

/// For each distance of moves, what they change; and which pairs must be known for that.
#[derive(Clone, Debug)]
pub(super) struct Hints {
    changes: Vec<Changes>,
    apart: Vec<u8>,
}

impl Hints {
    /// None for distances that reach too far.
    pub(super) fn new(distances: &[u8]) -> Option<Hints> {
        let near = distances.iter().all(|&d| usize::from(d) <= FAR);
        near.then(|| {
            let changes: Vec<_> = distances.iter().map(|&d| Changes::of(usize::from(d), distances)).collect();
            let read = changes.iter().flat_map(|c| &c.0).map(|window| window.apart as u8);
            let mut apart: Vec<u8> = read.chain(distances.iter().copied()).collect();
            apart.sort_unstable();
            apart.dedup();
            Hints { changes, apart }
        })
    }

    /// How far apart the pairs are that must be known.
    #[inline]
    pub(super) fn apart(&self) -> &[u8] {
        &self.apart
    }

    /// The changes by moves of each distance.
    #[inline]
    pub(super) fn changes(&self) -> &[Changes] {
        &self.changes
    }
}
