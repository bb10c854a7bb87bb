//! Rows for the engines, sliced by bit: bit i of plane k is bit k of the i-th card's code (suit above four bits of
//! rank), so that a row is six words and a handful of word operations find all its moves at once, make a move, or
//! tell one row from another. Beside them stands the set of cards still in the row, one bit a card, four suits of
//! sixteen: counts by suit and rank and the connection of suits through ranks are read from it.

use super::hints::Hints;
use super::rules::{MAX_CARDS, Row, Rules, Step};
use yomikiri_core::cards::Card;
use yomikiri_solve::search::{MAX_WORDS, Packed, Puzzle};

/// Bits of a card's code.
const PLANES: usize = 6;
/// Bits in front of a packed row: its length, and whether the saving grace is left.
const HEAD: u32 = 8;
/// One bit in each suit.
pub(super) const EVERY_SUIT: u64 = 0x0001_0001_0001_0001;

/// A row of up to 52 cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sliced {
    pub(super) planes: [u64; PLANES],
    pub(super) set: u64,
    pub(super) len: u8,
    pub(super) grace: bool,
}

/// Everything below a bit.
#[inline]
fn below(bit: u32) -> u64 {
    (1 << bit) - 1
}

impl Sliced {
    /// A row in slices.
    pub fn of(row: &Row) -> Sliced {
        debug_assert!(row.cards.len() <= MAX_CARDS);
        let mut sliced = Sliced { planes: [0; PLANES], set: 0, len: row.cards.len() as u8, grace: row.grace };
        for (i, card) in row.cards.iter().enumerate() {
            let code = u64::from(card.suit() << 4 | card.rank());
            for (k, plane) in sliced.planes.iter_mut().enumerate() {
                *plane |= (code >> k & 1) << i;
            }
            sliced.set |= 1 << code;
        }
        sliced
    }

    /// The row as the rules know it.
    pub fn row(&self) -> Row {
        let cards = (0..u32::from(self.len)).filter_map(|i| {
            let code = self.code(i);
            Card::new((code >> 4) as u8, (code & 15) as u8)
        });
        Row { cards: cards.collect(), grace: self.grace }
    }

    /// How many cards it has.
    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether it has no card, which no row has.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The code of a card.
    #[inline]
    pub(super) fn code(&self, place: u32) -> u32 {
        self.planes.iter().enumerate().fold(0, |code, (k, plane)| code | ((plane >> place & 1) as u32) << k)
    }

    /// The places y whose card matches the one at y + distance.
    #[inline]
    pub fn matches(&self, distance: u8) -> u64 {
        if distance >= self.len {
            return 0;
        }
        let differ = |plane: u64| plane ^ (plane >> distance);
        let [a, b, c, d, e, f] = self.planes;
        let rank = differ(a) | differ(b) | differ(c) | differ(d);
        let suit = differ(e) | differ(f);
        !(rank & suit) & below(u32::from(self.len - distance))
    }

    /// The row after the card at x went onto the one at y.
    #[inline]
    fn moved(&self, x: u8, y: u8) -> Sliced {
        // From x on the row closes up, and at y lies what lay at x: both change bits where they differ from others.
        let (closes, covered) = (!below(u32::from(x)), 1 << y);
        let planes = self
            .planes
            .map(|plane| plane ^ ((plane ^ plane >> 1) & closes) ^ ((plane ^ plane >> (x - y)) & covered));
        Sliced {
            planes,
            set: self.set & !(1 << self.code(u32::from(y))),
            len: self.len - 1,
            grace: self.grace,
        }
    }

    /// Parts of the row that share neither suits nor ranks. Cards of different parts never match, and the last card
    /// of a part is never covered by a match.
    #[inline]
    pub fn parts(&self) -> u32 {
        let [mut a, mut b, mut c, mut d] = [0, 16, 32, 48].map(|at| self.set >> at & 0xFFFF);
        let join = |into: &mut u64, from: &mut u64| {
            if *into & *from != 0 {
                *into |= *from;
                *from = 0;
            }
        };
        // Each suit takes in the later ones it shares a rank with, one a round at worst; what is left is a part.
        for _ in 0..3 {
            join(&mut a, &mut b);
            join(&mut a, &mut c);
            join(&mut a, &mut d);
        }
        for _ in 0..2 {
            join(&mut b, &mut c);
            join(&mut b, &mut d);
        }
        join(&mut c, &mut d);
        [a, b, c, d].map(|suit| u32::from(suit != 0)).iter().sum()
    }

    /// How many cards of the suit and of the rank of a place's card there are, itself among them.
    pub fn companions(&self, place: u8) -> (u32, u32) {
        self.company(self.code(u32::from(place)))
    }

    /// How much suits and ranks are concentrated: 8 times the squares of the suits' counts and 20 times those of the
    /// ranks'.
    pub fn concentration(&self) -> i32 {
        let suits = [0, 16, 32, 48].map(|at| (self.set >> at & 0xFFFF).count_ones().pow(2));
        let ranks = (0..13).map(|r| (self.set >> r & EVERY_SUIT).count_ones().pow(2));
        (8 * suits.iter().sum::<u32>() + 20 * ranks.sum::<u32>()) as i32
    }

    /// Cards of the suit and of the rank of a card, itself among them.
    #[inline]
    fn company(&self, code: u32) -> (u32, u32) {
        let suit = self.set >> (code & 48) & 0xFFFF;
        let rank = self.set >> (code & 15) & EVERY_SUIT;
        (suit.count_ones(), rank.count_ones())
    }
}

/// Moves that are done, by the first two distances and the place they go to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done([u64; 2]);

/// The rules as the engines ask for them.
#[derive(Clone, Debug)]
pub struct Machine {
    distances: Vec<u8>,
    /// The distances whose moves are kept in [`Done`]: none with a saving grace, for which moves to the first pile
    /// are of all distances.
    kept: Vec<u8>,
    piles: u8,
    hints: Option<Hints>,
}

impl Machine {
    /// The machine of some rules.
    pub fn new(rules: &Rules) -> Machine {
        let distances = rules.distances().to_vec();
        let kept = if rules.grace() { Vec::new() } else { distances.iter().copied().take(2).collect() };
        let hints = Hints::new(&distances);
        Machine { distances, kept, piles: rules.piles() as u8, hints }
    }

    /// What the promise of a row's children is read from, if its moves are near enough.
    #[inline]
    pub(super) fn hints(&self) -> Option<&Hints> {
        self.hints.as_ref()
    }

    /// Piles that a game may end with.
    #[inline]
    pub(super) fn piles(&self) -> u32 {
        u32::from(self.piles)
    }

    /// How far to the left a card may go.
    pub fn distances(&self) -> &[u8] {
        &self.distances
    }

    /// How many ordinary moves a row has.
    #[inline]
    pub fn mobility(&self, s: &Sliced) -> u32 {
        self.distances.iter().map(|&d| s.matches(d).count_ones()).sum()
    }

    /// Calls with every ordinary move, in the order of an exact search.
    #[inline]
    pub fn each(&self, s: &Sliced, mut visit: impl FnMut(Step)) {
        for &d in &self.distances {
            let mut mask = s.matches(d);
            while mask != 0 {
                let y = mask.trailing_zeros() as u8;
                visit(Step { x: y + d, y });
                mask &= mask - 1;
            }
        }
    }

    /// The move of the paper's greedy play: the leftmost card that can be covered, by the first distance that fits.
    pub fn greedy_move(&self, s: &Sliced) -> Option<Step> {
        let masks = self.distances.iter().map(|&d| (d, s.matches(d)));
        let all = masks.clone().fold(0, |all, (_, mask)| all | mask);
        if all == 0 || s.len <= self.piles {
            return None;
        }
        let y = all.trailing_zeros() as u8;
        let d = masks.clone().find(|(_, mask)| mask >> y & 1 == 1)?.0;
        Some(Step { x: y + d, y })
    }

    /// The row greedy play comes to: with `until` cards, or stuck with more.
    pub fn greedy(&self, s: &Sliced, until: usize) -> Sliced {
        let mut s = *s;
        while s.len() > until
            && let Some(step) = self.greedy_move(&s)
        {
            s = s.moved(step.x, step.y);
        }
        s
    }
}

impl Puzzle for Machine {
    type State = Sliced;
    type Move = Step;
    type Done = Done;

    #[inline]
    fn solved(&self, s: &Sliced) -> bool {
        s.len <= self.piles
    }

    #[inline]
    fn moves(&self, s: &Sliced, done: &Done, out: &mut Vec<Step>) {
        if self.solved(s) {
            return;
        }
        let mut first = 0_u64;
        for (i, &d) in self.distances.iter().enumerate() {
            let all = s.matches(d);
            first |= (all & 1) << d;
            let mut mask = all & !done.0.get(i).copied().unwrap_or(0);
            while mask != 0 {
                let y = mask.trailing_zeros() as u8;
                out.push(Step { x: y + d, y });
                mask &= mask - 1;
            }
        }
        if s.grace {
            out.extend((1..s.len).filter(|&x| first >> x & 1 == 0).map(|x| Step { x, y: 0 }));
        }
    }

    #[inline]
    fn apply(&self, s: &Sliced, m: Step) -> Sliced {
        let mut after = s.moved(m.x, m.y);
        if s.grace {
            let d = m.x - m.y;
            after.grace = self.distances.contains(&d) && s.matches(d) >> m.y & 1 == 1;
        }
        after
    }

    #[inline]
    fn pack(&self, s: &Sliced) -> Packed {
        let mut words = [0; MAX_WORDS];
        let head = u64::from(s.len) | u64::from(s.grace) << 6;
        let n = u32::from(s.len);
        let [a, b, c, d, e, f] = s.planes;
        if n <= 28 {
            // Two planes fit into a word, beside the head too.
            let (a, c, e) = (a | b << n, c | d << n, e | f << n);
            if n <= 20 {
                let all = u128::from(head | a << HEAD)
                    | u128::from(c) << (HEAD + 2 * n)
                    | u128::from(e) << (HEAD + 4 * n);
                words[0] = all as u64;
                words[1] = (all >> 64) as u64;
            } else {
                [words[0], words[1], words[2]] = [head | a << HEAD, c, e];
            }
        } else {
            words[0] = head;
            let mut at = HEAD;
            for plane in s.planes {
                let (word, shift) = ((at / 64) as usize, at % 64);
                let wide = u128::from(plane) << shift;
                words[word] |= wide as u64;
                words[word + 1] |= (wide >> 64) as u64;
                at += n;
            }
        }
        Packed::new(words, self.words(head))
    }

    #[inline]
    fn words(&self, first: u64) -> usize {
        (HEAD + PLANES as u32 * (first & 63) as u32).div_ceil(64) as usize
    }

    #[inline]
    fn add(&self, done: &mut Done, m: Step) {
        if let Some(i) = self.kept.iter().position(|&d| d == m.x - m.y) {
            done.0[i] |= 1 << m.y;
        }
    }

    #[inline]
    fn after(&self, done: &Done, m: Step) -> Done {
        // Moves wholly to the left of this one stay where they are; wholly to the right, they come one nearer.
        let mut after = Done::default();
        for (i, &d) in self.kept.iter().enumerate() {
            let left = below(u32::from(m.y.saturating_sub(d)));
            let right = !below(u32::from(m.x));
            after.0[i] = (done.0[i] & left) | (done.0[i] >> 1 & right);
        }
        after
    }
}
