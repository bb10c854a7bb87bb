//! Strongly connected components: which states can come again.

use super::Net;
use yomikiri_core::{Error, Run, text};

/// States between two looks at the cancel flag.
const LOOK: u32 = 1 << 14;
/// The mark of a state whose component is complete.
const COMPLETE: u32 = u32::MAX;

/// The strongly connected components of a graph: groups of states that can be reached from each other, in an order in
/// which moves lead only within a component or to earlier ones. In a graph without cycles every state is a component
/// of its own, and the order is that of backward induction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    order: Vec<u32>,
    /// Where each component ends in `order`; nothing in a graph without cycles, where every one has one state.
    ends: Vec<u32>,
    cycles: bool,
}

impl Components {
    /// How many components there are.
    pub fn len(&self) -> usize {
        if self.ends.is_empty() { self.order.len() } else { self.ends.len() }
    }

    /// Whether the graph has no states.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Whether a state can come twice in one game.
    pub fn cycles(&self) -> bool {
        self.cycles
    }

    /// All states, component by component.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The states of a component.
    pub fn get(&self, component: usize) -> &[u32] {
        if self.ends.is_empty() {
            return &self.order[component..=component];
        }
        let begin = if component == 0 { 0 } else { self.ends[component - 1] };
        &self.order[begin as usize..self.ends[component] as usize]
    }

    /// Bytes that finding them takes at most, for so many states: a mark, two stacks and the result.
    pub(super) fn memory(states: u64) -> u64 {
        states * (4 + 4 + 12 + 4 + 4)
    }

    /// Tarjan's algorithm with a stack of its own, since games are longer than a thread's stack is deep.
    pub(super) fn of(graph: &Net, run: &Run<'_>) -> Result<Components, Error> {
        let states = graph.len() as u32;
        run.observer.begin(&text("looking for cycles", "循環の検出"), u64::from(states));
        let mut found =
            Components { order: Vec::with_capacity(graph.len()), ends: Vec::new(), cycles: false };
        // 0 for states not yet seen; then the smallest number of a state that can be reached from it and is open.
        let mut low = vec![0u32; graph.len()];
        let mut open: Vec<u32> = Vec::new();
        // States under way, each with its number of visit and the next successor to look at.
        let mut path: Vec<(u32, u32, u32)> = Vec::new();
        let mut visited = 0;
        for root in 0..states {
            if low[root as usize] != 0 {
                continue;
            }
            visited += 1;
            low[root as usize] = visited;
            open.push(root);
            path.push((root, visited, 0));
            while let Some(top) = path.last_mut() {
                let (state, number, at) = *top;
                let lowest = low[state as usize];
                if let Some(&next) = graph.successors(state).get(at as usize) {
                    top.2 += 1;
                    found.cycles |= next == state;
                    match low[next as usize] {
                        0 => {
                            visited += 1;
                            low[next as usize] = visited;
                            open.push(next);
                            path.push((next, visited, 0));
                            if visited % LOOK == 0 {
                                run.check()?;
                                run.observer.done(found.order.len() as u64);
                            }
                        }
                        COMPLETE => {}
                        seen => low[state as usize] = lowest.min(seen),
                    }
                    continue;
                }
                path.pop();
                if lowest < number {
                    // Not the first of its component: what it reaches, the state before it reaches.
                    if let Some(&(before, ..)) = path.last() {
                        low[before as usize] = low[before as usize].min(lowest);
                    }
                    continue;
                }
                let begin = found.order.len();
                while let Some(member) = open.pop() {
                    low[member as usize] = COMPLETE;
                    found.order.push(member);
                    if member == state {
                        break;
                    }
                }
                if found.order.len() > begin + 1 && found.ends.is_empty() {
                    // The first that is larger than one state: from now on ends are kept.
                    found.ends = (1..=begin as u32).collect();
                    found.ends.push(found.order.len() as u32);
                    found.cycles = true;
                } else if !found.ends.is_empty() {
                    found.ends.push(found.order.len() as u32);
                }
            }
        }
        run.observer.end();
        Ok(found)
    }
}
