//! What is still to be won depends only on which edges are drawn: one byte for every set of edges.

use super::{Dots, Drawn};
use yomikiri_core::text::grouped;
use yomikiri_core::{Error, Number, Rational, Run, Text, text};
use yomikiri_solve::Solution;
use yomikiri_solve::solution::Stored;

/// Sets between two looks at the cancel flag.
const LOOK: usize = 1 << 16;

/// For every set of edges by how many boxes whoever is to move wins what is left.
pub struct EdgeSets(Vec<i8>);

impl EdgeSets {
    /// The most edges of a board.
    pub const MOST: u8 = 31;

    /// Solves every set of edges, from the full one back: adding an edge makes the number of a set larger.
    ///
    /// # Errors
    /// If the memory of the run does not suffice, or it is cancelled.
    pub fn solve(game: &Dots, run: &Run<'_>) -> Result<EdgeSets, Error> {
        let (count, boxes): (u8, Vec<u32>) = (game.count(), game.boxes().collect());
        let sets = 1usize << count;
        run.fits(sets as u64)?;
        run.observer.begin(&text("sets of edges", "辺の集合"), sets as u64);
        // The boxes beside every edge, without the edge itself; an edge has one or two.
        let beside = |edge: u8| {
            let mut two = boxes.iter().filter(|b| *b >> edge & 1 == 1).map(|b| b & !(1 << edge));
            let one = two.next().unwrap_or(u32::MAX);
            (one, two.next().unwrap_or(u32::MAX))
        };
        let beside: Vec<(u32, u32)> = (0..count).map(beside).collect();
        let mut best = vec![0i8; sets];
        for set in (0..sets - 1).rev() {
            if set % LOOK == 0 {
                run.check()?;
                run.observer.done((sets - set) as u64);
            }
            let (drawn, mut most) = (set as u32, i8::MIN);
            for (edge, (one, two)) in beside.iter().enumerate() {
                if drawn >> edge & 1 == 0 {
                    let made = i8::from(drawn & one == *one) + i8::from(drawn & two == *two);
                    let after = best[set | 1 << edge];
                    most = most.max(if made > 0 { made + after } else { -after });
                }
            }
            best[set] = most;
        }
        run.observer.end();
        Ok(EdgeSets(best))
    }

    /// Bytes of memory it takes.
    pub fn bytes(&self) -> u64 {
        self.0.len() as u64
    }
}

impl Solution<Dots> for EdgeSets {
    type Number = Rational;

    fn stored(&self, _: &Dots, s: &Drawn) -> Stored<Rational> {
        let ahead = if s.mover == 0 { s.ahead } else { -s.ahead };
        Stored::Value(Rational::from_int(i32::from(ahead + self.0[s.edges as usize])))
    }
    fn positions(&self) -> Option<u64> {
        Some(self.bytes())
    }
    fn how(&self) -> Text {
        let sets = grouped(self.bytes());
        Text::of(
            format!(
                "two players, no chance, no cycles, {sets} sets of edges, on which alone depends what is left to be won: solved by induction"
            ),
            format!(
                "2人、偶然なし、循環なし、辺の集合{sets}個（残りの勝負はこれだけで決まる）：後ろ向き帰納法で解きました"
            ),
        )
    }
}
