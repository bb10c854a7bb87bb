//! Random numbers that are the same on every platform and for ever: a PCG generator and a shuffle of
//! our own, both pinned by golden tests, because library shuffles change between versions.

use rand_core::{Rng as _, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A seeded generator. Streams with different numbers are independent, so work can be cut into parts
/// whose random numbers do not depend on the number of threads.
///
/// ```
/// use yomikiri_core::random::Random;
///
/// let mut deck = [1, 2, 3, 4, 5];
/// Random::new(7).shuffle(&mut deck);
/// let mut again = [1, 2, 3, 4, 5];
/// Random::new(7).shuffle(&mut again);
/// assert_eq!(deck, again);
/// // An outcome of weight 0 is never drawn.
/// assert_eq!(Random::new(7).draw(&[("heads", 0), ("tails", 3)]), Some("tails"));
/// ```
#[derive(Clone, Debug)]
pub struct Random(Pcg64Mcg);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random::stream(seed, 0)
    }

    /// The generator of part `stream` of the work under a seed.
    pub fn stream(seed: u64, stream: u64) -> Random {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&mix(seed).to_le_bytes());
        bytes[8..].copy_from_slice(&mix(stream ^ 0x9E37_79B9_7F4A_7C15).to_le_bytes());
        Random(Pcg64Mcg::from_seed(bytes))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`, each equally likely (by rejection, so exactly). `n` must not be 0.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "no number is below 0");
        let zone = u64::MAX - u64::MAX % n;
        loop {
            let x = self.bits();
            if x < zone {
                return x % n;
            }
        }
    }

    /// Puts a slice into random order: Fisher and Yates from the end.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }

    /// Draws one of the actions chance may take, by weight; `None` if there is none.
    pub fn draw<A: Copy>(&mut self, weighted: &[(A, u32)]) -> Option<A> {
        let total: u64 = weighted.iter().map(|w| u64::from(w.1)).sum();
        if total == 0 {
            return None;
        }
        let mut x = self.below(total);
        for &(a, w) in weighted {
            if x < u64::from(w) {
                return Some(a);
            }
            x -= u64::from(w);
        }
        None
    }
}

/// Spreads the bits of a seed, so that small seeds give unrelated generators.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_shuffle_is_pinned() {
        let mut deck: Vec<u8> = (0..20).collect();
        Random::new(1).shuffle(&mut deck);
        assert_eq!(deck, GOLDEN_SHUFFLE);
    }

    #[test]
    fn golden_bits_are_pinned() {
        let mut random = Random::stream(7, 3);
        assert_eq!([random.bits(), random.bits()], GOLDEN_BITS);
    }

    #[test]
    fn law_every_order_is_equally_likely() {
        let mut seen = std::collections::HashMap::new();
        let mut random = Random::new(5);
        for _ in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            random.shuffle(&mut items);
            *seen.entry(items).or_insert(0u32) += 1;
        }
        assert_eq!(seen.len(), 24);
        // 1000 expected in each cell with standard deviation 31: five of them are never left by chance.
        assert!(seen.values().all(|&n| n.abs_diff(1000) < 155), "{seen:?}");
    }

    #[test]
    fn law_draw_follows_the_weights() {
        let mut random = Random::new(9);
        let mut counts = [0u32; 3];
        for _ in 0..6000 {
            counts[random.draw(&[(0usize, 1), (1, 0), (2, 2)]).unwrap()] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!(counts[0].abs_diff(2000) < 190, "{counts:?}");
        assert_eq!(random.draw::<u8>(&[]), None);
    }

    const GOLDEN_SHUFFLE: [u8; 20] = [17, 10, 5, 16, 11, 14, 8, 2, 3, 13, 0, 1, 19, 9, 15, 12, 6, 4, 18, 7];
    const GOLDEN_BITS: [u64; 2] = [16707617512062270066, 9435138915276087678];
}
