//! A graph in progress as bytes, so that its expansion can be stopped and go on. The states themselves are not among them,
//! as nobody knows how to write them: each is made again by the action that first led to it, and no other action is.

use super::numbering::tag;
use super::{CHANCE, CHUNK, Expansion, Found, Net, TERMINAL, held};
use std::io::{self, BufReader, Read, Write};
use yomikiri_core::{Game, Run, Turn};

/// Graphs of so many states are worth keeping.
const LARGE: usize = 1 << 14;

fn put(out: &mut Vec<u8>, numbers: impl IntoIterator<Item = u32>) {
    numbers.into_iter().for_each(|n| out.extend(n.to_le_bytes()));
}

fn get(from: &mut dyn Read) -> Option<u32> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes).ok()?;
    Some(u32::from_le_bytes(bytes))
}

/// Where the graph of a game is kept: names of games are not names of files.
fn place(name: &str) -> String {
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("graph/{hash:016x}")
}

/// Forgets the graph of a game.
pub(crate) fn forget(name: &str, run: &Run<'_>) {
    run.store.remove(&place(name));
}

impl Net {
    /// Puts a large graph into the run's store under the name of its game; a store that cannot take it is no reason to stop.
    pub(crate) fn keep(&self, name: &str, run: &Run<'_>) {
        if self.len() >= LARGE {
            let _ = run.store.save(&place(name), &mut |out| self.write(name, out));
        }
    }

    fn write(&self, name: &str, out: &mut dyn Write) -> io::Result<()> {
        let mut some = Vec::new();
        put(&mut some, [name.len() as u32]);
        some.extend(name.bytes());
        put(&mut some, [self.players as u32, self.len() as u32]);
        for state in 0..self.len() as u32 {
            let turn = self.turns[state as usize];
            some.push(turn);
            if turn == TERMINAL {
                put(&mut some, self.payoffs(state).iter().map(|x| *x as u32));
            } else {
                let successors = self.successors(state);
                put(&mut some, [successors.len() as u32]);
                put(&mut some, successors.iter().chain(self.weights(state)).copied());
            }
            if some.len() >= 1 << 16 {
                out.write_all(&some)?;
                some.clear();
            }
        }
        out.write_all(&some)
    }
}

impl<G: Game> Expansion<G> {
    /// The expansion of a game of this name as far as it was kept; it must begin with the same states. `None` if nothing was
    /// kept, if it does not fit, or if it was made by other rules.
    pub(super) fn resume(mut self, name: &str, game: &G, run: &Run<'_>) -> Option<Self> {
        let mut from = BufReader::new(run.store.load(&place(name))?);
        let length = get(&mut from)?;
        if length as usize != name.len() {
            return None;
        }
        let mut of = vec![0; name.len()];
        from.read_exact(&mut of).ok()?;
        if of != name.as_bytes() || get(&mut from)? as usize != G::PLAYERS {
            return None;
        }
        let all = get(&mut from)? as usize;
        while self.graph.len() < all {
            run.check().ok()?;
            let some = CHUNK.min(all - self.graph.len());
            self.read(some, game, &mut from)?;
            run.observer.done(self.graph.len() as u64);
        }
        let last = self.graph.len().saturating_sub(CHUNK);
        self.agrees(last, game).then_some(self)
    }

    /// Reads the next states, and makes those again that they are the first to lead to.
    fn read(&mut self, some: usize, game: &G, from: &mut dyn Read) -> Option<()> {
        let (mut turns, mut targets, mut weights, mut payoffs) = (vec![], vec![], vec![], vec![]);
        for _ in 0..some {
            let mut turn = [0];
            from.read_exact(&mut turn).ok()?;
            let [turn] = turn;
            let edges = if turn == TERMINAL { 0 } else { get(from)? };
            if turn == TERMINAL {
                for _ in 0..G::PLAYERS {
                    payoffs.push(get(from)? as i32);
                }
            } else if edges == 0 || turn != CHANCE && usize::from(turn) >= G::PLAYERS {
                return None;
            }
            for _ in 0..edges {
                targets.push(get(from)?);
            }
            for _ in 0..if turn == CHANCE { edges } else { 0 } {
                weights.push(get(from).filter(|w| *w > 0)?);
            }
            turns.push((turn, edges));
        }
        let first = self.graph.len();
        let Expansion { graph, rows, budget, .. } = self;
        graph.net.add(&turns, targets.len(), &weights, &payoffs, rows, budget).ok()?;
        graph.net.targets.extend(&targets);
        let (mut begin, mut actions, mut outcomes) = (0, Vec::new(), Vec::new());
        for (state, (turn, edges)) in (first..).zip(turns) {
            let leads = &targets[begin..begin + edges as usize];
            begin += edges as usize;
            let known = graph.states.len() as u32;
            if state >= known as usize {
                return None;
            }
            if leads.iter().all(|target| *target < known) {
                continue;
            }
            actions.clear();
            match game.turn(&graph.states.members()[state]) {
                Turn::Player(player) if player == turn => {
                    game.actions(&graph.states.members()[state], &mut actions);
                }
                Turn::Chance if turn == CHANCE => {
                    outcomes.clear();
                    game.chance(&graph.states.members()[state], &mut outcomes);
                    actions.extend(outcomes.iter().map(|outcome| outcome.0));
                }
                _ => return None,
            }
            if actions.len() != leads.len() {
                return None;
            }
            for (&target, &a) in leads.iter().zip(&actions) {
                let known = graph.states.len() as u32;
                if target < known {
                    continue;
                }
                let next = game.apply(&graph.states.members()[state], a);
                let tag = tag(&next);
                if !budget.numbers(&mut graph.states, 1, held::<G>())
                    || target != known
                    || graph.states.number(next, tag) != target
                {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Whether the states from one on are what the rules say of them.
    fn agrees(&self, first: usize, game: &G) -> bool {
        let (mut found, net) = (Found::default(), &self.graph.net);
        if found.look(game, &self.graph.states.members()[first..net.len()]).is_err() {
            return false;
        }
        let mut next = found.next.iter();
        let mut numbers = |state: u32| {
            net.successors(state)
                .iter()
                .all(|target| next.next().is_some_and(|(s, _)| self.graph.states.find(s) == Some(*target)))
        };
        (first as u32..).zip(&found.turns).all(|(state, (turn, edges))| {
            net.turns[state as usize] == *turn
                && net.successors(state).len() == *edges as usize
                && numbers(state)
        })
    }
}
