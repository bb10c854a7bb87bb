//! Which rows look as if they could be won: those of cards that keep to few suits and ranks, with many moves.

use super::hints::{APART, worth};
use super::rules::Step;
use super::sliced::{Done, EVERY_SUIT, Machine, Sliced};
use yomikiri_solve::search::{Guided, Puzzle};

/// What each suit adds to the promise for the square of its cards.
pub(super) const SUIT: i32 = 8;
/// The same for each rank.
pub(super) const RANK: i32 = 20;
/// What the saving grace is worth keeping for.
const GRACE: i32 = 400;

/// How many cards there are of each suit, in sixteen bits a suit.
#[inline]
fn suits(set: u64) -> u64 {
    let twos = set - (set >> 1 & 0x5555_5555_5555_5555);
    let fours = (twos & 0x3333_3333_3333_3333) + (twos >> 2 & 0x3333_3333_3333_3333);
    let eights = (fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    (eights + (eights >> 8)) & (EVERY_SUIT * 0x1F)
}

impl Machine {
    /// The children's promise by making each of them.
    fn make(&self, s: &Sliced, mut visit: impl FnMut(Step, Option<i32>)) {
        let mut steps = Vec::new();
        self.moves(s, &Done::default(), &mut steps);
        for step in steps {
            let after = self.apply(s, step);
            let stuck = !self.solved(&after) && !after.grace && self.mobility(&after) == 0;
            visit(step, (!stuck).then(|| self.promise(&after)));
        }
    }
}

impl Guided for Machine {
    #[inline]
    fn fingerprint(&self, s: &Sliced) -> u64 {
        let fold = |a: u64, b: u64| {
            let wide = u128::from(a) * u128::from(b);
            (wide as u64) ^ ((wide >> 64) as u64)
        };
        let [a, b, c, d, e, f] = s.planes;
        let head = u64::from(s.len) << 1 | u64::from(s.grace);
        let h = fold(a ^ 0xA076_1D64_78BD_642F, b ^ 0xE703_7ED1_A0B4_28DB)
            ^ fold(c ^ 0x8EBC_6AF0_9C88_C6E3, d ^ 0x5899_65CC_7537_4CC3)
            ^ fold(e ^ 0x1D8E_4E27_C47D_124F, f ^ 0xEB44_ACCA_B455_D165);
        fold(h ^ head << 56, 0x9E37_79B9_7F4A_7C15)
    }

    fn promise(&self, s: &Sliced) -> i32 {
        if self.solved(s) {
            return i32::MAX;
        }
        let moves = |&d: &u8| worth(d) * s.matches(d).count_ones() as i32;
        s.concentration() + self.distances().iter().map(moves).sum::<i32>() + i32::from(s.grace) * GRACE
    }

    #[inline]
    fn children(&self, s: &Sliced, promise: i32, mut visit: impl FnMut(Step, Option<i32>)) {
        let Some(hints) = self.hints().filter(|_| !s.grace && s.len() > 1 + self.piles() as usize) else {
            return self.make(s, visit);
        };
        let mut matches = [0; APART];
        for &d in hints.apart() {
            matches[usize::from(d)] = s.matches(d);
        }
        let of = |d: u8| matches[usize::from(d)];
        let moves: i32 = self.distances().iter().map(|&d| worth(d) * of(d).count_ones() as i32).sum();
        let suits = suits(s.set);
        for (&d, changes) in self.distances().iter().zip(hints.changes()) {
            let mut mask = of(d);
            while mask != 0 {
                let y = mask.trailing_zeros();
                mask &= mask - 1;
                let after = moves + changes.at(y, &matches);
                let code = s.code(y);
                let suit = (suits >> (code & 48) & 0x1F) as i32;
                // The product adds up the cards of the rank in its top bits.
                let rank = ((s.set >> (code & 15) & EVERY_SUIT).wrapping_mul(EVERY_SUIT) >> 48) as i32;
                let spent = SUIT * (2 * suit - 1) + RANK * (2 * rank - 1);
                let step = Step { x: y as u8 + d, y: y as u8 };
                visit(step, (after != 0).then(|| promise - moves + after - spent));
            }
        }
    }

    #[inline]
    fn hopeless(&self, s: &Sliced) -> bool {
        s.parts() > self.piles() + u32::from(s.grace)
    }

    #[inline]
    fn left(&self, s: &Sliced) -> u32 {
        (s.len() as u32).saturating_sub(self.piles())
    }
}
