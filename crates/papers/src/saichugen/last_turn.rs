//! Turn 15 as a game: everybody knows the ten cards that are left, the scores and the round; nobody knows who of the
//! others holds which three, or which card is set aside. Three cards out of ten make 120 types of player and 16,800
//! deals, all equally likely. Everybody plays one card at the same time.
//!
//! [`Solver`] is CFR+ over hands alone; its test is the generic engine, on games of any number of cards.

use yomikiri_core::{Error, Run};
use yomikiri_games::saichugen::kernel::Kernel;
use yomikiri_games::saichugen::player::{Ties, taken};
use yomikiri_games::saichugen::rules::{Card, Cards, SEATS, TURNS, kept, payoffs, subsets, sum, turn_winner};
use yomikiri_games::saichugen::view::{View, from_seat};
use yomikiri_solve::regret::{Exploitability, ROUNDING};

/// Before the last turn: what everybody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The cards in the hands and the one set aside: ten, or fewer in small games for tests.
    pub cards: Cards,
    /// What everybody has kept of the rounds before.
    pub scores: [u8; SEATS],
    /// What everybody has won in this round.
    pub round: [u8; SEATS],
}

impl Ending {
    /// Cards in a hand.
    pub fn hand(&self) -> usize {
        (self.cards.len() - 1) / SEATS
    }

    /// What everybody gets when a seat wins the turn with so many points.
    pub fn paid(&self, winner: usize, points: u8) -> [i8; SEATS] {
        let mut round = self.round;
        round[winner] += points;
        payoffs(sum(self.scores, kept(round)))
    }

    /// What everybody gets when these cards are played.
    pub fn payoffs(&self, played: [Card; SEATS]) -> [i8; SEATS] {
        let winner = turn_winner(played);
        self.paid(winner, played[winner].points())
    }

    /// All hands a player may have, in a fixed order.
    pub fn hands(&self) -> Vec<Cards> {
        subsets(self.cards, self.hand())
    }

    /// What a seat with a hand sees.
    pub fn view(&self, seat: usize, hand: Cards) -> View {
        View {
            turn: TURNS,
            hand,
            unknown: self.cards.minus(hand),
            scores: from_seat(self.scores, seat),
            round: from_seat(self.round, seat),
        }
    }
}

/// Most cards of a hand.
pub const HAND: usize = 3;
/// Most cards in play.
const CARDS: usize = 3 * HAND + 1;

/// Who regrets first, second, third.
pub(super) const ORDERS: [[usize; SEATS]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// With which probability each card of each hand is played, lowest card first: by seat and number of the hand.
pub type Mixture = [Vec<[f64; HAND]>; SEATS];

/// CFR+ over the hands of the last turn.
pub struct Solver {
    hands: Vec<Cards>,
    /// The cards of each hand, as numbers among those in play.
    held: Vec<[usize; HAND]>,
    size: usize,
    /// For each hand of a player: the hands the next and the one after may have.
    others: Vec<Vec<(u32, u32)>>,
    /// What a seat gets for its own card, the next player's and that of the one after.
    utility: Vec<[[[f64; CARDS]; CARDS]; CARDS]>,
    regret: Mixture,
    played: Mixture,
    now: Mixture,
    /// Who regrets first, second, third.
    order: [usize; SEATS],
    /// Rounds since the last start, which the average is over, and in all.
    pub(super) since: u64,
    rounds: u64,
}

impl Solver {
    /// A solver for at most ten cards, one more than three hands.
    ///
    /// # Panics
    /// With another number of cards.
    pub fn new(ending: &Ending) -> Solver {
        let (hands, size) = (ending.hands(), ending.hand());
        assert!(
            ending.cards.len() == SEATS * size + 1 && (1..=HAND).contains(&size),
            "three hands and a card"
        );
        let cards: Vec<Card> = ending.cards.iter().collect();
        let held = hands.iter().map(|hand| {
            let mut held = [0; HAND];
            for (slot, card) in held.iter_mut().zip(hand.iter()) {
                *slot = ending.cards.below(card);
            }
            held
        });
        let others = hands.iter().map(|hand| {
            let apart = |other: &Cards| !hand.meets(*other);
            let mut pairs = Vec::new();
            for (i, next) in hands.iter().enumerate().filter(|(_, next)| apart(next)) {
                for (j, after) in hands.iter().enumerate().filter(|(_, after)| apart(after)) {
                    if !next.meets(*after) {
                        pairs.push((i as u32, j as u32));
                    }
                }
            }
            pairs
        });
        let mut utility = vec![[[[0.0; CARDS]; CARDS]; CARDS]; SEATS];
        for (a, &own) in cards.iter().enumerate() {
            for (b, &next) in cards.iter().enumerate().filter(|&(b, _)| b != a) {
                for (c, &after) in cards.iter().enumerate().filter(|&(c, _)| c != a && c != b) {
                    for (seat, utility) in utility.iter_mut().enumerate() {
                        let mut played = [own; SEATS];
                        played[(seat + 1) % SEATS] = next;
                        played[(seat + 2) % SEATS] = after;
                        utility[a][b][c] = f64::from(ending.payoffs(played)[seat]);
                    }
                }
            }
        }
        let nothing: Mixture = std::array::from_fn(|_| vec![[0.0; HAND]; hands.len()]);
        let mut solver = Solver {
            held: held.collect(),
            size,
            others: others.collect(),
            utility,
            regret: nothing.clone(),
            played: nothing.clone(),
            now: nothing,
            order: ORDERS[0],
            since: 0,
            rounds: 0,
            hands,
        };
        solver.begin(ORDERS[0]);
        solver
    }

    /// Rounds played so far.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The hands, in the order of the mixtures.
    pub fn hands(&self) -> &[Cards] {
        &self.hands
    }

    /// Cards of a hand.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// How the difference of what two cards of a hand give a seat changes with every card of the others' hands: told for
    /// one hand of another seat after another, which may come up several times.
    pub(super) fn slopes(
        &self,
        seat: usize,
        hand: usize,
        cards: [usize; 2],
        mixture: &Mixture,
        mut tell: impl FnMut(usize, usize, [f64; HAND]),
    ) {
        let seats = [(seat + 1) % SEATS, (seat + 2) % SEATS];
        let total = self.others[hand].len() as f64;
        let [plus, minus] = cards.map(|card| &self.utility[seat][self.held[hand][card]]);
        for &(i, j) in &self.others[hand] {
            let (i, j) = (i as usize, j as usize);
            let (mut next, mut after) = ([0.0; HAND], [0.0; HAND]);
            for x in 0..self.size {
                for y in 0..self.size {
                    let (a, b) = (self.held[i][x], self.held[j][y]);
                    let difference = (plus[a][b] - minus[a][b]) / total;
                    next[x] += difference * mixture[seats[1]][j][y];
                    after[y] += difference * mixture[seats[0]][i][x];
                }
            }
            tell(seats[0], i, next);
            tell(seats[1], j, after);
        }
    }

    /// What each card of a hand gives a seat against the others' mixtures.
    pub(super) fn expectations(&self, seat: usize, hand: usize, mixture: &Mixture) -> [f64; HAND] {
        let (next, after) = (&mixture[(seat + 1) % SEATS], &mixture[(seat + 2) % SEATS]);
        let mut pairs = [[0.0; CARDS]; CARDS];
        let size = self.size;
        for &(i, j) in &self.others[hand] {
            let (i, j) = (i as usize, j as usize);
            for (x, &a) in next[i].iter().zip(&self.held[i]).take(size) {
                for (y, &b) in after[j].iter().zip(&self.held[j]).take(size) {
                    pairs[a][b] += x * y;
                }
            }
        }
        let total = self.others[hand].len() as f64;
        let mut values = [0.0; HAND];
        for (value, &own) in values.iter_mut().zip(&self.held[hand]).take(size) {
            let utility = &self.utility[seat][own];
            let sum = |u: &[f64; CARDS], p: &[f64; CARDS]| u.iter().zip(p).map(|(u, p)| u * p).sum::<f64>();
            *value = utility.iter().zip(&pairs).map(|(u, p)| sum(u, p)).sum::<f64>() / total;
        }
        values
    }

    /// Plays more rounds.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub fn play(&mut self, rounds: u64, run: &Run<'_>) -> Result<(), Error> {
        for _ in 0..rounds {
            run.check()?;
            self.rounds += 1;
            self.since += 1;
            let (weight, size) = (self.since as f64, self.size);
            for seat in self.order {
                for hand in 0..self.hands.len() {
                    let values = self.expectations(seat, hand, &self.now);
                    let now = &mut self.now[seat][hand];
                    let here: f64 = now.iter().zip(values).take(size).map(|(p, v)| p * v).sum();
                    let regret = &mut self.regret[seat][hand];
                    for (r, v) in regret.iter_mut().zip(values).take(size) {
                        let sum = *r + v - here;
                        *r = if sum > ROUNDING { sum } else { 0.0 };
                    }
                    *now = *regret;
                    normalise(&mut now[..size]);
                    for (sum, p) in self.played[seat][hand].iter_mut().zip(now) {
                        *sum += weight * *p;
                    }
                }
            }
        }
        Ok(())
    }

    /// Begins anew, with nothing preferred.
    pub(super) fn begin(&mut self, order: [usize; SEATS]) {
        self.order = order;
        self.since = 0;
        for sums in self.regret.iter_mut().chain(&mut self.played).flatten() {
            *sums = [0.0; HAND];
        }
        for mixture in self.now.iter_mut().flatten() {
            *mixture = [0.0; HAND];
            normalise(&mut mixture[..self.size]);
        }
    }

    /// Goes on from the average, as unwilling to change as before.
    pub(super) fn go_on_from_average(&mut self) {
        let average = self.average();
        for (seat, hands) in average.iter().enumerate() {
            for (hand, mixture) in hands.iter().enumerate() {
                let all: f64 = self.regret[seat][hand].iter().sum();
                self.regret[seat][hand] = mixture.map(|p| p * all);
            }
        }
        self.played.iter_mut().flatten().for_each(|sums| *sums = [0.0; HAND]);
        self.now = average;
        self.since = 0;
    }

    /// The average play so far.
    pub fn average(&self) -> Mixture {
        let mut average = self.played.clone();
        for hands in &mut average {
            hands.iter_mut().for_each(|mixture| normalise(&mut mixture[..self.size]));
        }
        average
    }

    /// What every seat gets on average, and by a best response.
    pub fn worth(&self, mixture: &Mixture) -> Exploitability {
        let n = self.hands.len() as f64;
        let mut worth = Exploitability { values: vec![0.0; SEATS], responses: vec![0.0; SEATS] };
        for seat in 0..SEATS {
            for hand in 0..self.hands.len() {
                let values = &self.expectations(seat, hand, mixture)[..self.size];
                worth.values[seat] +=
                    values.iter().zip(mixture[seat][hand]).map(|(v, p)| v * p).sum::<f64>() / n;
                worth.responses[seat] += values.iter().copied().fold(f64::NEG_INFINITY, f64::max) / n;
            }
        }
        worth
    }

    /// The paper's player in every seat: of the best cards all are played as `ties` shares between them.
    pub fn searchers(&self, ending: &Ending, kernel: &mut Kernel, ties: Ties) -> Mixture {
        let mut mixture = self.average();
        for (seat, hands) in mixture.iter_mut().enumerate() {
            for (&hand, mixture) in self.hands.iter().zip(hands) {
                let best: Cards = kernel.values(&ending.view(seat, hand)).best_cards().collect();
                let taken = taken(ties, best);
                for (p, card) in mixture.iter_mut().zip(hand.iter()) {
                    *p = if taken.has(card) { 1.0 / taken.len() as f64 } else { 0.0 };
                }
            }
        }
        mixture
    }
}

/// Makes weights to probabilities; no weight at all means that nothing is preferred.
fn normalise(weights: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    let n = weights.len() as f64;
    for w in weights {
        *w = if sum > 0.0 { *w / sum } else { 1.0 / n };
    }
}
