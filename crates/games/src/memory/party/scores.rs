//! Score vectors: the pairs of `K` players in order of play, numbered among those with the same sum.

use super::rules::Party;

/// So many ways to divide `sum` pairs among `parts` players.
pub fn ways(sum: usize, parts: usize) -> u64 {
    if parts == 0 {
        return u64::from(sum == 0);
    }
    yomikiri_core::combin::binomial((sum + parts - 1) as u64, (parts - 1) as u64)
}

/// The place of a score vector among those with its sum, in lexicographic order.
pub fn place<const K: usize>(scores: &[u16; K]) -> u64 {
    let mut left: usize = scores.iter().map(|&n| usize::from(n)).sum();
    let mut place = 0;
    for (p, &n) in scores.iter().enumerate() {
        // All vectors of what is left less those whose next number is at least this one.
        place += ways(left, K - p) - ways(left - usize::from(n), K - p);
        left -= usize::from(n);
    }
    place
}

/// All score vectors with one sum, and where they lead.
pub struct Layer {
    /// How many there are.
    pub len: usize,
    /// The place of the same scores for whoever moves next.
    pub rotated: Vec<u32>,
    /// The place with one pair more for the player to move, among the vectors with one more.
    pub richer: Vec<u32>,
    /// What every player has won if the game ends here, in order of play.
    pub ends: Vec<f64>,
}

impl Layer {
    /// One place for all scores: where they do not matter.
    pub fn one() -> Layer {
        Layer { len: 1, rotated: vec![0], richer: vec![0], ends: Vec::new() }
    }

    /// The vectors of `K` numbers with a sum.
    pub fn new<const K: usize>(sum: usize) -> Layer {
        let len = ways(sum, K) as usize;
        let mut layer = Layer {
            len,
            rotated: Vec::with_capacity(len),
            richer: Vec::with_capacity(len),
            ends: vec![0.0; len * K],
        };
        let mut scores = [0u16; K];
        scores[K - 1] = sum as u16;
        for at in 0..len {
            let mut next = scores;
            next.rotate_left(1);
            layer.rotated.push(place(&next) as u32);
            let mut next = scores;
            next[0] += 1;
            layer.richer.push(place(&next) as u32);
            let winners = Party::leaders(&scores).count() as f64;
            for p in Party::leaders(&scores) {
                layer.ends[at * K + p] = 1.0 / winners;
            }
            advance(&mut scores);
        }
        layer
    }

    /// Bytes a layer takes.
    pub fn bytes<const K: usize>(sum: usize) -> u64 {
        ways(sum, K).saturating_mul(8 + 8 * K as u64)
    }
}

/// The next vector with the same sum; the last one stays as it is.
fn advance<const K: usize>(scores: &mut [u16; K]) {
    let last = scores[K - 1];
    if last > 0 {
        scores[K - 1] = last - 1;
        scores[K - 2] += 1;
        return;
    }
    // The rightmost number above 0 gives one to its left and the rest to the end.
    if let Some(p) = (1..K - 1).rev().find(|&p| scores[p] > 0) {
        let rest = scores[p] - 1;
        scores[p] = 0;
        scores[p - 1] += 1;
        scores[K - 1] = rest;
    }
}
