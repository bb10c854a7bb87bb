//! What a solved game is worth, written down so that it can be checked from the rules alone: a line a state, in the order
//! of a breadth-first walk, with its value and, where there are cycles, a rank that shows how the winner comes to an end.

use super::retrograde::Backwards;
use super::{Auto, Method, Solved};
use crate::graph::{Graph, Net};
use num_traits::ToPrimitive;
use std::collections::VecDeque;
use std::io::Write;
use yomikiri_core::{Error, Game, Rational, Run, Turn, text};

/// The mark of a state without a rank.
const NONE: u32 = u32::MAX;

impl<G: Game> Auto<G> {
    /// The lines that prove the values of a game that was solved from its start.
    ///
    /// # Errors
    /// [`Error::NoSolver`] if values are only bounded; [`Error::Memory`], [`Error::Cancelled`].
    pub fn proof(&self, game: &G, run: &Run<'_>) -> Result<Vec<u8>, Error> {
        let graph = Graph::expand(game, &[game.start()], run)?;
        if graph.len() != self.solved.values.len() {
            return Err(Error::Bug("a proof of a game that was not solved from its start".to_owned()));
        }
        if self.solved.width > 0.0 {
            return Err(Error::NoSolver {
                game: text("a proof of values that are only bounded", "区間でしか分からない値の証明"),
                instead: text("a smaller game, whose fractions stay short", "分数が短いままの小さなゲーム"),
            });
        }
        let ranks = match self.method {
            Method::Induction => Vec::new(),
            Method::Retrograde | Method::Stochastic => self.solved.ranks(&graph, run)?,
        };
        self.solved.written(&graph, &ranks, run)
    }
}

impl Solved {
    /// The lines of all states.
    fn written(&self, graph: &Net, ranks: &[u32], run: &Run<'_>) -> Result<Vec<u8>, Error> {
        run.observer.begin(&text("writing the proof", "証明を書く"), graph.len() as u64);
        let mut out = Vec::new();
        for state in 0..graph.len() {
            if state % (1 << 14) == 0 {
                run.check()?;
                run.fits(graph.bytes() + self.bytes() + out.capacity() as u64)?;
                run.observer.done(state as u64);
            }
            let value = self.values[state];
            let mut parts: Vec<String> = match self.rows.len() == 0 {
                true => vec![written(&self.fractions.get(value))],
                false => {
                    let row = &self.rows.members()[value as usize];
                    row.iter().map(|&x| written(&self.fractions.get(x))).collect()
                }
            };
            parts.extend(ranks.get(state).filter(|r| **r != NONE).map(ToString::to_string));
            // Writing to memory does not fail.
            let _ = writeln!(out, "[{}]", parts.join(","));
        }
        run.observer.end();
        Ok(out)
    }

    /// How far every state that is not worth 0 is from an end, if the winner hurries and the other gives nothing away.
    fn ranks(&self, graph: &Net, run: &Run<'_>) -> Result<Vec<u32>, Error> {
        run.fits(graph.bytes() + self.bytes() + 4 * graph.edges() + 24 * graph.len() as u64)?;
        let backwards = Backwards::of(graph, run)?;
        let (values, fractions) = (&self.values, &self.fractions);
        let sign = |s: u32| fractions.sign(values[s as usize]);
        let keeps = |s: u32, t: u32| values[s as usize] == values[t as usize];
        let mut ranks = vec![NONE; graph.len()];
        let mut left: Vec<u32> = (0..graph.len() as u32)
            .map(|s| graph.successors(s).iter().filter(|t| keeps(s, **t)).count() as u32)
            .collect();
        let mut queue = VecDeque::new();
        for s in (0..graph.len() as u32).filter(|&s| graph.turn(s) == Turn::Terminal) {
            ranks[s as usize] = 0;
            queue.push_back(s);
        }
        // Where chance may turn the game, it does so in one step.
        for s in (0..graph.len() as u32).filter(|&s| graph.turn(s) == Turn::Chance && sign(s) != 0) {
            if graph.successors(s).iter().any(|&t| sign(t) != sign(s)) {
                ranks[s as usize] = 1;
                queue.push_back(s);
            }
        }
        while let Some(t) = queue.pop_front() {
            for &s in backwards.before(t) {
                if ranks[s as usize] != NONE || sign(s) == 0 || sign(s) != sign(t) {
                    continue;
                }
                let winner = u8::from(sign(s) < 0);
                let falls = match graph.turn(s) {
                    Turn::Player(p) if p == winner => keeps(s, t),
                    Turn::Player(_) if keeps(s, t) => {
                        left[s as usize] -= 1;
                        left[s as usize] == 0
                    }
                    turn => turn == Turn::Chance,
                };
                if falls {
                    ranks[s as usize] = ranks[t as usize] + 1;
                    queue.push_back(s);
                }
            }
        }
        Ok(ranks)
    }
}

/// A fraction as a line has it.
fn written(x: &Rational) -> String {
    match (x.is_integer(), x.numer().to_i64()) {
        (true, Some(n)) => n.to_string(),
        (true, None) => format!("\"{}\"", x.numer()),
        _ => format!("\"{x}\""),
    }
}
