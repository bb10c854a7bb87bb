//! Two players who forget, as a game of states and chances: what any solver of games can solve, in fractions too. It is the
//! slow and obvious twin of the classes.

use super::super::rules::{self, Counts, MAX_PATTERNS, Memory, Phase};
use super::model::{Model, only_shown};
use yomikiri_core::combin::binomial;
use yomikiri_core::{Game, Turn};

/// The game with its parameters.
#[derive(Debug)]
pub struct Forgetting {
    cards: Memory,
    model: Model,
}

/// A position, possibly in the middle of a turn, or while cards are being forgotten.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct At {
    pub(super) state: rules::State,
    /// Ranks whose known cards are yet to be forgotten or not, by pattern; `state` has the others.
    pub(super) waiting: Counts,
}

impl At {
    /// A position in which nothing is being forgotten.
    pub fn settled(state: rules::State) -> At {
        At { state, waiting: [0; MAX_PATTERNS] }
    }

    /// The position between players who remember, of the ranks that are not waiting.
    pub fn plain(&self) -> &rules::State {
        &self.state
    }
}

/// What a player or chance does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// As among players who remember.
    Plain(rules::Action),
    /// Shows a known card of a rank in this pattern as the second one.
    Shows(u8),
    /// Passes by showing known cards of ranks in these patterns.
    Passes(u8, u8),
    /// Chance: of a rank in this pattern so many known cards are forgotten.
    Forgets(u8, u8),
}

impl Forgetting {
    /// The game.
    pub fn new(cards: Memory, model: Model) -> Forgetting {
        Forgetting { cards, model }
    }

    fn known(&self, x: &Counts) -> usize {
        self.cards.patterns().iter().zip(x).map(|(p, &n)| usize::from(p.known) * usize::from(n)).sum()
    }

    /// Patterns of ranks with known cards.
    fn seen(&self, x: &Counts) -> Vec<u8> {
        let patterns = self.cards.patterns().iter().enumerate();
        patterns.filter(|(i, p)| p.known > 0 && x[*i] > 0).map(|(i, _)| i as u8).collect()
    }

    /// The turn has changed: what is known now is up to the model.
    fn forgetting(&self, state: rules::State, shown: [u8; 2]) -> At {
        let mut at = At { state, waiting: [0; MAX_PATTERNS] };
        match self.model {
            Model::Forget { .. } => {
                for i in self.seen(&at.state.counts).into_iter().map(usize::from) {
                    at.waiting[i] = std::mem::take(&mut at.state.counts[i]);
                }
            }
            Model::LastTurn => at.state.counts = only_shown(&self.cards, &at.state.counts, shown),
            Model::Perfect | Model::Slots(_) | Model::Asymmetric => {}
        }
        at
    }

    /// What may be left of what is being forgotten, with its chance: the counts after that.
    pub(super) fn left(&self, s: &At) -> Vec<(f64, Counts)> {
        if self.model == Model::LastTurn {
            return vec![(1.0, s.state.counts)];
        }
        let Model::Forget { .. } = self.model else {
            return self.model.left(&self.cards, &s.state.counts, [0, 0]);
        };
        let mut left = self.model.left(&self.cards, &s.waiting, [0, 0]);
        for (_, counts) in &mut left {
            counts.iter_mut().zip(s.state.counts).for_each(|(all, n)| *all += n);
        }
        left
    }

    /// Whether chance is about to make players forget.
    pub(super) fn forgets(&self, s: &At) -> bool {
        match self.model {
            Model::Forget { .. } => s.waiting.iter().any(|&n| n > 0),
            Model::Slots(most) => s.state.phase == Phase::First && self.known(&s.state.counts) > most,
            _ => false,
        }
    }

    fn shown(&self, i: u8) -> u8 {
        let p = self.cards.patterns()[usize::from(i)];
        self.cards.place(p.unknown - 1, p.known + 1)
    }
}

impl Game for Forgetting {
    type State = At;
    type Action = Act;

    fn start(&self) -> At {
        At { state: self.cards.start(), waiting: [0; MAX_PATTERNS] }
    }

    fn turn(&self, s: &At) -> Turn {
        if self.forgets(s) { Turn::Chance } else { self.cards.turn(&s.state) }
    }

    fn actions(&self, s: &At, out: &mut Vec<Act>) {
        let mut plain = Vec::new();
        self.cards.actions(&s.state, &mut plain);
        let (choosy, seen) = (self.model == Model::LastTurn, self.seen(&s.state.counts));
        for a in plain {
            match (a, s.state.phase) {
                (rules::Action::Different, Phase::Second(i)) if choosy => {
                    let other = |j: &u8| s.state.counts[usize::from(*j)] > u8::from(*j == i);
                    out.extend(seen.iter().copied().filter(other).map(Act::Shows));
                }
                (rules::Action::Pass, _) if choosy => {
                    for (at, &i) in seen.iter().enumerate() {
                        let second = |j: &&u8| **j != i || s.state.counts[usize::from(i)] > 1;
                        out.extend(seen[at..].iter().filter(second).map(|&j| Act::Passes(i, j)));
                    }
                }
                _ => out.push(Act::Plain(a)),
            }
        }
        out.sort_unstable();
    }

    fn chance(&self, s: &At, out: &mut Vec<(Act, u32)>) {
        match self.model {
            _ if !self.forgets(s) => {
                let mut plain = Vec::new();
                self.cards.chance(&s.state, &mut plain);
                out.extend(plain.into_iter().map(|(a, weight)| (Act::Plain(a), weight)));
            }
            Model::Forget { of, out_of } => {
                // One rank after the other.
                let Some(i) = (0..MAX_PATTERNS).find(|&i| s.waiting[i] > 0) else { return };
                let known = self.cards.patterns()[i].known;
                for gone in 0..=known {
                    let ways = binomial(known.into(), gone.into()) as u32;
                    let weight = ways * of.pow(gone.into()) * (out_of - of).pow((known - gone).into());
                    if weight > 0 {
                        out.push((Act::Forgets(i as u8, gone), weight));
                    }
                }
            }
            _ => {
                for i in self.seen(&s.state.counts) {
                    let known = self.cards.patterns()[usize::from(i)].known;
                    out.push((
                        Act::Forgets(i, 1),
                        u32::from(s.state.counts[usize::from(i)]) * u32::from(known),
                    ));
                }
            }
        }
    }

    fn apply(&self, s: &At, a: Act) -> At {
        let plain = match a {
            Act::Plain(a) => a,
            Act::Shows(_) => rules::Action::Different,
            Act::Passes(..) => rules::Action::Pass,
            Act::Forgets(i, gone) => {
                let (mut next, at) = (s.clone(), usize::from(i));
                let p = self.cards.patterns()[at];
                let from = if s.waiting[at] > 0 { &mut next.waiting } else { &mut next.state.counts };
                from[at] -= 1;
                next.state.counts[usize::from(self.cards.place(p.unknown + gone, p.known - gone))] += 1;
                return next;
            }
        };
        let state = self.cards.apply(&s.state, plain);
        if state.mover == s.state.mover {
            return At { state, waiting: s.waiting };
        }
        let shown = match (a, s.state.phase) {
            (Act::Passes(i, j), _) => [i, j],
            (Act::Shows(j), Phase::Second(i)) => [self.shown(i), j],
            (Act::Plain(rules::Action::Turned(j)), Phase::Pair(i)) => [self.shown(i), self.shown(j)],
            _ => [0, 0],
        };
        self.forgetting(state, shown)
    }

    fn utility(&self, s: &At, player: u8) -> i32 {
        self.cards.utility(&s.state, player)
    }
}
