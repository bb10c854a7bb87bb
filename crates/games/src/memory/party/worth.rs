//! What a position is worth to every player, and which of several moves a player makes: the one place that decides it,
//! for the fast table and for its slow twin.

use super::super::rules::{Action, Phase};
use super::rules::{Aim, Party, State, Terms, Tie};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use yomikiri_core::{Game, Number, Rational, Turn};
use yomikiri_view::analysis::compare;

/// Values closer than this are equal.
pub const TOLERANCE: f64 = 1e-11;

/// What a position is worth, by seat. What the terms do not need is empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth<N> {
    /// Shares of the win.
    pub wins: Vec<N>,
    /// Pairs in the end.
    pub pairs: Vec<N>,
}

impl<N: Number> Worth<N> {
    fn zero(terms: Terms, players: usize) -> Worth<N> {
        let zeros = |wanted: bool| vec![N::from_int(0); if wanted { players } else { 0 }];
        Worth { wins: zeros(terms.wins()), pairs: zeros(terms.pairs()) }
    }

    fn numbers(&mut self) -> impl Iterator<Item = &mut N> {
        self.wins.iter_mut().chain(&mut self.pairs)
    }

    fn add(&mut self, weight: u32, other: &Worth<N>) {
        for (sum, x) in self.numbers().zip(other.wins.iter().chain(&other.pairs)) {
            sum.add_weighted(weight, x);
        }
    }

    fn divide(&mut self, total: u64) {
        self.numbers().for_each(|n| n.divide(total));
    }

    /// What a player wants as much of as possible.
    pub fn of(&self, aim: Aim, player: usize) -> N {
        match aim {
            Aim::Win => self.wins[player].clone(),
            Aim::Pairs => self.pairs[player].clone(),
            Aim::Margin => {
                let mut others = N::from_int(0);
                let players = self.pairs.len();
                (0..players).filter(|p| *p != player).for_each(|p| others.add_weighted(1, &self.pairs[p]));
                others.divide(players as u64 - 1);
                let mut margin = self.pairs[player].clone();
                margin.add_weighted(1, &others.negate());
                margin
            }
        }
    }

    /// What every player wants, in order of play from a seat on.
    pub fn values(&self, aim: Aim, from: u8) -> Vec<N> {
        let players = self.wins.len().max(self.pairs.len());
        (0..players).map(|p| self.of(aim, (usize::from(from) + p) % players)).collect()
    }

    /// Which of two is better for a player; where they are equal for it, the tie rule may still prefer one.
    fn compare(&self, other: &Worth<N>, terms: Terms, player: usize) -> Ordering {
        let by =
            |player: usize| compare(&self.of(terms.aim, player), &other.of(terms.aim, player), TOLERANCE);
        let players = self.wins.len().max(self.pairs.len());
        let next = || {
            let others = (1..players).map(|p| by((player + p) % players));
            others.fold(Ordering::Equal, Ordering::then)
        };
        by(player).then_with(|| match terms.tie {
            Tie::Order | Tie::Last | Tie::Mix => Ordering::Equal,
            Tie::Lex => compare(&self.pairs[player], &other.pairs[player], TOLERANCE),
            Tie::Friendly => next(),
            Tie::Hostile => next().reverse(),
        })
    }

    /// The mean of several.
    fn mean(all: &[Worth<N>], terms: Terms, players: usize) -> Worth<N> {
        let mut sum = Worth::zero(terms, players);
        all.iter().for_each(|worth| sum.add(1, worth));
        sum.divide(all.len() as u64);
        sum
    }
}

/// Moves with what they are worth to every player.
pub type Moves<N> = Vec<(Action, Worth<N>)>;

/// The moves a player makes, each with the same chance: a best one by the tie rule, or all of the best; their places in
/// the list. The order of moves is that of the list, but that free pairs come before others.
pub fn made<const K: usize, N: Number>(game: &Party<K>, moves: &Moves<N>, player: u8) -> Vec<usize> {
    let terms = game.terms();
    let compared = |a: usize, b: usize| moves[a].1.compare(&moves[b].1, terms, player.into());
    let costly =
        |at: &usize| matches!(moves[*at].0, Action::Take(take) if !game.cards().taken(take).free_pair());
    let take = |at: &usize| matches!(moves[*at].0, Action::Take(_));
    let (takes, others): (Vec<usize>, Vec<usize>) = (0..moves.len()).partition(take);
    let (costly, free): (Vec<usize>, Vec<usize>) = takes.into_iter().partition(costly);
    let order: Vec<usize> = free.into_iter().chain(costly).chain(others).collect();
    let later = |best: usize, next: usize| match compared(next, best) {
        Ordering::Equal => terms.tie == Tie::Last,
        other => other.is_gt(),
    };
    let best = order.iter().copied().reduce(|best, next| if later(best, next) { next } else { best });
    match (best, terms.tie) {
        (Some(best), Tie::Mix) => order.into_iter().filter(|at| compared(*at, best).is_ge()).collect(),
        (best, _) => best.into_iter().collect(),
    }
}

/// Something that knows what positions at the start of a turn are worth.
pub trait Look<const K: usize, N: Number> {
    /// What such a position is worth; `None` if it is not known.
    fn look(&mut self, game: &Party<K>, s: &State<K>) -> Option<Worth<N>>;

    /// What any position is worth.
    fn worth(&mut self, game: &Party<K>, s: &State<K>) -> Option<Worth<N>> {
        match game.turn(s) {
            Turn::Player(_) if s.phase == Phase::First => self.look(game, s),
            _ => self.expand(game, s),
        }
    }

    /// What a position is worth, from what its moves lead to.
    fn expand(&mut self, game: &Party<K>, s: &State<K>) -> Option<Worth<N>> {
        match game.turn(s) {
            Turn::Terminal => Some(ended(game, s)),
            Turn::Player(player) => {
                let moves = self.moves(game, s)?;
                let made: Vec<Worth<N>> =
                    made(game, &moves, player).into_iter().map(|at| moves[at].1.clone()).collect();
                match made.as_slice() {
                    [] => None,
                    [one] => Some(one.clone()),
                    all => Some(Worth::mean(all, game.terms(), K)),
                }
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.chance(s, &mut outcomes);
                let mut sum = Worth::zero(game.terms(), K);
                for &(a, weight) in &outcomes {
                    sum.add(weight, &self.worth(game, &game.apply(s, a))?);
                }
                sum.divide(outcomes.iter().map(|o| u64::from(o.1)).sum());
                Some(sum)
            }
        }
    }

    /// Every move of the player to move with what it is worth, in order.
    fn moves(&mut self, game: &Party<K>, s: &State<K>) -> Option<Moves<N>> {
        let mut actions = Vec::new();
        game.actions(s, &mut actions);
        actions.into_iter().map(|a| Some((a, self.worth(game, &game.apply(s, a))?))).collect()
    }
}

/// What an end is worth.
fn ended<const K: usize, N: Number>(game: &Party<K>, s: &State<K>) -> Worth<N> {
    let mut worth = Worth::zero(game.terms(), K);
    if game.terms().wins() {
        let winners = Party::leaders(&s.scores).count() as u64;
        for p in Party::leaders(&s.scores) {
            worth.wins[p] = N::from_int(1);
            worth.wins[p].divide(winners);
        }
    }
    for (pairs, &score) in worth.pairs.iter_mut().zip(&s.scores) {
        *pairs = N::from_int(score.into());
    }
    worth
}

impl<const K: usize> Party<K> {
    /// What a position is worth in exact fractions, by the twin that is quickest for what is played for.
    pub fn exactly(&self, s: &State<K>) -> Option<Worth<Rational>> {
        let mut twin = if self.terms().wins() { Twin::new() } else { Twin::for_pairs() };
        twin.worth(self, s)
    }
}

/// The slow and obvious twin of the table: recursion over the rules, with every position kept that was looked at.
pub struct Twin<const K: usize, N> {
    /// What the position is worth in order of play, by everything that can matter of it.
    known: FxHashMap<State<K>, Worth<N>>,
    /// Whether positions that differ only in scores are looked at once.
    alike: bool,
}

impl<const K: usize, N: Number> Twin<K, N> {
    /// Nothing known yet.
    pub fn new() -> Twin<K, N> {
        Twin { known: FxHashMap::default(), alike: false }
    }

    /// The same where pairs are played for: the pairs that are still to come do not depend on those there are, so that a
    /// state of the cards is looked at once.
    pub fn for_pairs() -> Twin<K, N> {
        Twin { alike: true, ..Twin::new() }
    }

    /// Positions looked at.
    pub fn positions(&self) -> impl Iterator<Item = &State<K>> {
        self.known.keys()
    }
}

impl<const K: usize, N: Number> Default for Twin<K, N> {
    fn default() -> Self {
        Twin::new()
    }
}

/// The same by seats that are counted from another player on.
fn turned<N: Clone>(worth: &Worth<N>, by: usize) -> Worth<N> {
    let mut worth = worth.clone();
    for part in [&mut worth.wins, &mut worth.pairs] {
        if !part.is_empty() {
            part.rotate_right(by);
        }
    }
    worth
}

/// With the pairs there already are.
fn with_scores<N: Number>(mut worth: Worth<N>, scores: &[u16]) -> Worth<N> {
    let one = N::from_int(1);
    worth.pairs.iter_mut().zip(scores).for_each(|(pairs, &n)| pairs.add_weighted(n.into(), &one));
    worth
}

impl<const K: usize, N: Number> Look<K, N> for Twin<K, N> {
    fn look(&mut self, game: &Party<K>, s: &State<K>) -> Option<Worth<N>> {
        let mover = usize::from(s.mover);
        let scores = if self.alike { [0; K] } else { s.in_order() };
        let first = State { scores, mover: 0, ..s.clone() };
        let found = match self.known.get(&first) {
            Some(worth) => turned(worth, mover),
            None => {
                let worth = self.expand(game, &first)?;
                let found = turned(&worth, mover);
                self.known.insert(first, worth);
                found
            }
        };
        Some(if self.alike { with_scores(found, &s.scores) } else { found })
    }
}
