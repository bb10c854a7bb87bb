//! The last turns of a round as a game: everybody knows the cards that are left, the scores and the round, all deals are
//! equally likely, and after every turn the three cards that were played are seen. With two turns left there are thirteen
//! cards, 715 hands a player and 450,450 deals; after turn 14 one of 1,716 results is public, each with the 120 hands a
//! player of the last turn, no longer equally likely.
//!
//! [`Turns`] is CFR+ over hands: in every public state each seat has weights for the cards of every hand, and what a hand may
//! expect is a sum over the pairs of hands that the others can hold beside it. Its test is the generic engine on small decks.

use super::last_turn::{Ending, HAND as LAST_HAND};
use yomikiri_core::{Error, Run};
use yomikiri_games::saichugen::rules::{Card, Cards, SEATS, TURNS, scored};
use yomikiri_games::saichugen::view::{View, from_seat};
use yomikiri_solve::regret::{Exploitability, ROUNDING};

/// Most cards of a hand before the first of the turns.
pub const HAND: usize = 5;
/// Most cards in play in the last turn.
const LAST_CARDS: usize = SEATS * LAST_HAND + 1;

/// The hands before a turn, as sets of places among the cards that are left.
struct Level {
    cards: usize,
    size: usize,
    hands: Vec<u16>,
    /// The places of the cards of each hand, lowest first.
    held: Vec<[u8; HAND]>,
    /// The number of a hand by its set.
    number: Vec<u16>,
    /// Public states before this turn.
    nodes: usize,
}

impl Level {
    fn new(size: usize, nodes: usize) -> Level {
        let cards = SEATS * size + 1;
        let sets = 0..=u16::MAX >> (16 - cards);
        let hands: Vec<u16> = sets.filter(|set| set.count_ones() as usize == size).collect();
        let mut number = vec![u16::MAX; 1 << cards];
        for (i, &hand) in hands.iter().enumerate() {
            number[usize::from(hand)] = i as u16;
        }
        let held = hands.iter().map(|&hand| {
            let mut held = [0; HAND];
            let places = (0..cards as u8).filter(|place| hand >> place & 1 == 1);
            held.iter_mut().zip(places).for_each(|(slot, place)| *slot = place);
            held
        });
        Level { cards, size, held: held.collect(), number, nodes, hands }
    }

    /// Results the turn can have.
    fn results(&self) -> usize {
        self.cards * (self.cards - 1) * (self.cards - 2)
    }

    /// Pairs of hands the others may hold beside one hand.
    fn pairs(&self) -> f64 {
        let n = self.size;
        let hands = (0..n).fold(1.0, |c, i| c * (2 * n + 1 - i) as f64 / (i + 1) as f64);
        hands * (n + 1) as f64
    }

    /// Where the weights of a hand begin.
    fn slot(&self, node: usize, hand: usize) -> usize {
        (node * self.hands.len() + hand) * self.size
    }
}

/// Weights of the cards of every hand, by turn and public state. They need not add up to 1; where all are 0, any card is
/// played.
pub type Plan = Vec<Vec<f64>>;

/// What all three do.
pub type Plans = [Plan; SEATS];

/// A public state.
#[derive(Clone, Copy)]
struct Public {
    level: usize,
    node: usize,
    left: Cards,
    round: [u8; SEATS],
}

/// A card of a hand of the next player in the last turn.
struct Played {
    hand: u16,
    slot: u16,
    /// The set of cards the one after may hold.
    rest: u16,
}

/// CFR+ over the last turns.
pub struct Turns {
    ending: Ending,
    levels: Vec<Level>,
    /// For each hand of the last turn and each card beside it, by its place: in which hands of the next player it is, and
    /// the number of the set of cards that are then left for the one after.
    apart: Vec<Vec<(usize, Vec<Played>)>>,
    /// For each hand of the last turn: the numbers of the sets that have one card more.
    larger: Vec<Vec<u16>>,
    /// Sets with one card more than a hand of the last turn.
    sets: usize,
    regret: Plans,
    played: Plans,
    rounds: u64,
}

/// Puts places back that were taken out, lowest first.
fn expanded(set: u16, gone: [usize; SEATS]) -> u16 {
    gone.into_iter().fold(set, |set, place| {
        let low = (1u16 << place) - 1;
        (set & !low) << 1 | set & low
    })
}

/// The probability of each card from its weights.
fn shares<const N: usize>(weights: &[f64]) -> [f64; N] {
    let mut shares = [0.0; N];
    let sum: f64 = weights.iter().sum();
    for (share, w) in shares.iter_mut().zip(weights) {
        *share = if sum > 0.0 { w / sum } else { 1.0 / weights.len() as f64 };
    }
    shares
}

fn expected(weights: &[f64], values: &[f64]) -> f64 {
    shares::<HAND>(weights).iter().zip(values).map(|(p, v)| p * v).sum()
}

impl Turns {
    /// Hands of so many cards, that many turns before the end.
    ///
    /// # Panics
    /// Unless there are three hands of at most five cards and one more, and the last hands have one to three cards.
    pub fn new(ending: &Ending, turns: usize) -> Turns {
        let size = ending.hand();
        assert!(ending.cards.len() == SEATS * size + 1 && size <= HAND, "three hands and a card");
        assert!(turns > 0 && turns <= size && size + 1 - turns <= LAST_HAND, "hands that last");
        let mut levels: Vec<Level> = Vec::new();
        for turn in 0..turns {
            let nodes = levels.last().map_or(1, |level| level.nodes * level.results());
            levels.push(Level::new(size - turn, nodes));
        }
        let last = &levels[turns - 1];
        let all = u16::MAX >> (16 - last.cards);
        let sets: Vec<u16> = (0..=all).filter(|set| set.count_ones() as usize == last.size + 1).collect();
        let numbered = |set: u16| sets.partition_point(|&other| other < set) as u16;
        let beside = |own: u16, place: usize| {
            let mut played = Vec::new();
            for (hand, &other) in last.hands.iter().enumerate() {
                if other & own == 0 && other >> place & 1 == 1 {
                    let slot = (other & ((1 << place) - 1)).count_ones() as u16;
                    played.push(Played { hand: hand as u16, slot, rest: numbered(all & !own & !other) });
                }
            }
            (place, played)
        };
        let apart = last.hands.iter().map(|&own| {
            let free = (0..last.cards).filter(|place| own >> place & 1 == 0);
            free.map(|place| beside(own, place)).collect()
        });
        let larger = last.hands.iter().map(|hand| {
            let more = (0..last.cards).map(|place| 1 << place).filter(|card| hand & card == 0);
            more.map(|card| numbered(hand | card)).collect()
        });
        let (apart, larger) = (apart.collect(), larger.collect());
        let none = [const { Vec::new() }; SEATS];
        let sets = sets.len();
        let mut turns = Turns {
            ending: *ending,
            levels,
            apart,
            larger,
            sets,
            regret: none.clone(),
            played: none,
            rounds: 0,
        };
        turns.regret = [(); SEATS].map(|()| turns.nothing());
        turns.played = turns.regret.clone();
        turns
    }

    /// Bytes that so many turns with hands of a size take.
    pub fn bytes(size: usize, turns: usize) -> u64 {
        let choose = |n: u64, k: u64| (0..k).fold(1, |c, i| c * (n - i) / (i + 1));
        let (mut nodes, mut weights) = (1, 0);
        for turn in 0..turns {
            let hand = (size - turn) as u64;
            let cards = 3 * hand + 1;
            weights += nodes * choose(cards, hand) * hand;
            nodes *= cards * (cards - 1) * (cards - 2);
        }
        weights * 2 * SEATS as u64 * 8
    }

    /// Rounds played so far.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The public state at the beginning.
    fn start(&self) -> Public {
        Public { level: 0, node: 0, left: self.ending.cards, round: self.ending.round }
    }

    /// Deals at the beginning.
    fn deals(&self) -> f64 {
        self.levels[0].hands.len() as f64 * self.levels[0].pairs()
    }

    /// Every result of a turn: the places of the cards by seat, and the public state that follows.
    fn results(&self, at: Public, mut tell: impl FnMut([usize; SEATS], Public)) {
        let level = &self.levels[at.level];
        let cards: Vec<Card> = at.left.iter().collect();
        let mut node = at.node * level.results();
        for (a, &first) in cards.iter().enumerate() {
            for (b, &second) in cards.iter().enumerate().filter(|&(b, _)| b != a) {
                for (c, &third) in cards.iter().enumerate().filter(|&(c, _)| c != a && c != b) {
                    let played = [first, second, third];
                    let left = at.left.without(first).without(second).without(third);
                    let next = Public { level: at.level + 1, node, left, round: scored(at.round, played) };
                    tell([a, b, c], next);
                    node += 1;
                }
            }
        }
    }

    /// What a seat expects with each hand, times the pairs of hands the others may hold: they come here with some
    /// probability for each hand, and follow their plans. `decide` is told the turn, where the weights of a hand are, and what its cards
    /// give, and says what the hand gives.
    fn values(
        &self,
        at: Public,
        seat: usize,
        reach: [&[f64]; 2],
        plans: &Plans,
        decide: &mut dyn FnMut(usize, usize, &[f64]) -> f64,
    ) -> Vec<f64> {
        let level = &self.levels[at.level];
        let size = level.size;
        // How often each card of each hand of the others is played.
        let flow = [0, 1].map(|other| {
            let plan = &plans[(seat + 1 + other) % SEATS][at.level];
            let mut flow = vec![[0.0; HAND]; level.hands.len()];
            for (hand, flow) in flow.iter_mut().enumerate() {
                let come = reach[other][hand];
                if come > 0.0 {
                    let slot = level.slot(at.node, hand);
                    *flow = shares::<HAND>(&plan[slot..slot + size]).map(|p| p * come);
                }
            }
            flow
        });
        if at.level + 1 == self.levels.len() {
            return self.last(at, seat, &flow, decide);
        }
        let next = &self.levels[at.level + 1];
        let mut worth = vec![[0.0; HAND]; level.hands.len()];
        let mut come = [vec![0.0; next.hands.len()], vec![0.0; next.hands.len()]];
        let mut hands = vec![0; next.hands.len()];
        self.results(at, |places, then| {
            let mut gone = places;
            gone.sort_unstable();
            for (hand, &set) in hands.iter_mut().zip(&next.hands) {
                *hand = expanded(set, gone);
            }
            // The hand that was held before, and the place of the card that was played in it.
            let before = |hand: u16, place: usize| {
                let hand = hand | 1 << place;
                (
                    usize::from(level.number[usize::from(hand)]),
                    (hand & ((1 << place) - 1)).count_ones() as usize,
                )
            };
            for other in 0..2 {
                let place = places[(seat + 1 + other) % SEATS];
                let mut any = false;
                for (come, &hand) in come[other].iter_mut().zip(&hands) {
                    let (hand, slot) = before(hand, place);
                    *come = flow[other][hand][slot];
                    any |= *come > 0.0;
                }
                if !any {
                    return;
                }
            }
            let values = self.values(then, seat, [&come[0], &come[1]], plans, decide);
            for (value, &hand) in values.iter().zip(&hands) {
                let (hand, slot) = before(hand, places[seat]);
                worth[hand][slot] += value;
            }
        });
        let each = worth.iter().enumerate();
        each.map(|(hand, worth)| decide(at.level, level.slot(at.node, hand), &worth[..size])).collect()
    }

    /// The same in the last turn.
    fn last(
        &self,
        at: Public,
        seat: usize,
        flow: &[Vec<[f64; HAND]>; 2],
        decide: &mut dyn FnMut(usize, usize, &[f64]) -> f64,
    ) -> Vec<f64> {
        let level = &self.levels[at.level];
        let (size, count) = (level.size, level.cards);
        // What the seat gets for its own card, the next player's and that of the one after.
        let mut utility = [[[0.0; LAST_CARDS]; LAST_CARDS]; LAST_CARDS];
        let ending = Ending { cards: at.left, round: at.round, ..self.ending };
        let cards: Vec<Card> = at.left.iter().collect();
        let paid = |winner: usize, card: Card| f64::from(ending.paid(winner, card.points())[seat]);
        let mine: Vec<[f64; SEATS]> =
            cards.iter().map(|&card| std::array::from_fn(|far| paid((seat + far) % SEATS, card))).collect();
        for (a, own) in utility.iter_mut().enumerate().take(count) {
            for (b, next) in own.iter_mut().enumerate().take(count) {
                for (c, after) in next.iter_mut().enumerate().take(count) {
                    // Who is in the middle.
                    let far = if (a < b) == (b < c) {
                        1
                    } else if (b < a) == (a < c) {
                        0
                    } else {
                        2
                    };
                    *after = mine[[a, b, c][far]][far];
                }
            }
        }
        // How often each card is played by the one after, whose hand is among some cards.
        let mut among = vec![[0.0; LAST_CARDS]; self.sets];
        for (hand, flow) in flow[1].iter().enumerate() {
            if flow[..size].iter().all(|&x| x == 0.0) {
                continue;
            }
            for &set in &self.larger[hand] {
                let among = &mut among[usize::from(set)];
                for (&place, x) in level.held[hand].iter().zip(flow).take(size) {
                    among[usize::from(place)] += x;
                }
            }
        }
        let mut values = Vec::with_capacity(level.hands.len());
        for (hand, apart) in self.apart.iter().enumerate() {
            let mut worth = [0.0; HAND];
            for (place, played) in apart {
                // How often each card of the one after comes with this one.
                let mut with = [0.0; LAST_CARDS];
                for one in played {
                    let x = flow[0][usize::from(one.hand)][usize::from(one.slot)];
                    if x > 0.0 {
                        let rest = &among[usize::from(one.rest)];
                        with.iter_mut().zip(rest).for_each(|(sum, y)| *sum += x * y);
                    }
                }
                for (worth, &own) in worth.iter_mut().zip(&level.held[hand]).take(size) {
                    let utility = &utility[usize::from(own)][*place];
                    *worth += utility.iter().zip(&with).map(|(u, p)| u * p).sum::<f64>();
                }
            }
            values.push(decide(at.level, level.slot(at.node, hand), &worth[..size]));
        }
        values
    }

    /// What a seat gets, if it decides like this.
    fn total(&self, seat: usize, plans: &Plans, decide: &mut dyn FnMut(usize, usize, &[f64]) -> f64) -> f64 {
        let certain = vec![1.0; self.levels[0].hands.len()];
        let values = self.values(self.start(), seat, [&certain, &certain], plans, decide);
        values.iter().sum::<f64>() / self.deals()
    }

    /// What a seat gets when all follow their plans.
    pub fn value(&self, seat: usize, plans: &Plans) -> f64 {
        let plan = &plans[seat];
        self.total(seat, plans, &mut |level, slot, values| {
            expected(&plan[level][slot..slot + values.len()], values)
        })
    }

    /// A best response of a seat to the plans of the others: of equally good cards the lowest.
    pub fn response(&self, seat: usize, plans: &Plans) -> Plan {
        let (mut plan, least) = (self.nothing(), self.least());
        self.total(seat, plans, &mut |level, slot, values| {
            let better = |i: usize, than: usize| values[i] > values[than] + least[level];
            let best = (1..values.len()).fold(0, |best, i| if better(i, best) { i } else { best });
            plan[level][slot + best] = 1.0;
            values[best]
        });
        plan
    }

    /// The paper's player in every seat, which takes the others for random: of equally good cards the lowest.
    pub fn searchers(&self) -> Plans {
        let random = [(); SEATS].map(|()| self.nothing());
        std::array::from_fn(|seat| self.response(seat, &random))
    }

    /// Plans of players who go by what they see: `shares` says how often each card of the hand is played, lowest first. For
    /// hands as large as in the real game.
    pub fn plans(&self, shares: &mut dyn FnMut(&View) -> [f64; HAND]) -> Plans {
        let mut plans = std::array::from_fn(|_| self.nothing());
        self.fill(self.start(), &mut plans, shares);
        plans
    }

    fn fill(&self, at: Public, plans: &mut Plans, shares: &mut dyn FnMut(&View) -> [f64; HAND]) {
        let level = &self.levels[at.level];
        let cards: Vec<Card> = at.left.iter().collect();
        for (seat, plan) in plans.iter_mut().enumerate() {
            for (number, held) in level.held.iter().enumerate() {
                let hand: Cards = held[..level.size].iter().map(|&place| cards[usize::from(place)]).collect();
                let view = View {
                    turn: TURNS + 1 - (self.levels.len() - at.level) as u8,
                    hand,
                    unknown: at.left.minus(hand),
                    scores: from_seat(self.ending.scores, seat),
                    round: from_seat(at.round, seat),
                };
                let slot = level.slot(at.node, number);
                plan[at.level][slot..slot + level.size].copy_from_slice(&shares(&view)[..level.size]);
            }
        }
        if at.level + 1 < self.levels.len() {
            self.results(at, |_, then| self.fill(then, plans, shares));
        }
    }

    /// What is no difference for a hand, by turn.
    fn least(&self) -> Vec<f64> {
        self.levels.iter().map(|level| ROUNDING * level.pairs()).collect()
    }

    /// A plan without weights: any card.
    fn nothing(&self) -> Plan {
        self.levels.iter().map(|level| vec![0.0; level.nodes * level.hands.len() * level.size]).collect()
    }

    /// What every seat gets, and by a best response.
    pub fn worth(&self, plans: &Plans) -> Exploitability {
        let most = |seat: usize| {
            let best = &mut |_: usize, _: usize, values: &[f64]| {
                values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
            };
            self.total(seat, plans, best)
        };
        Exploitability {
            values: (0..SEATS).map(|seat| self.value(seat, plans)).collect(),
            responses: (0..SEATS).map(most).collect(),
        }
    }

    /// Plays more rounds.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub fn play(&mut self, rounds: u64, run: &Run<'_>) -> Result<(), Error> {
        for _ in 0..rounds {
            self.rounds += 1;
            for seat in 0..SEATS {
                run.check()?;
                let mut own = std::mem::take(&mut self.regret[seat]);
                let least = self.least();
                self.total(seat, &self.regret, &mut |level, slot, values| {
                    let regret = &mut own[level][slot..slot + values.len()];
                    let here = expected(regret, values);
                    for (r, v) in regret.iter_mut().zip(values) {
                        let sum = *r + v - here;
                        *r = if sum > least[level] { sum } else { 0.0 };
                    }
                    here
                });
                self.regret[seat] = own;
                let mut played = std::mem::take(&mut self.played[seat]);
                let weights = vec![self.rounds as f64; self.levels[0].hands.len()];
                self.add(self.start(), seat, &weights, &mut played);
                self.played[seat] = played;
            }
        }
        Ok(())
    }

    /// Counts what a seat plays now, with the probability that it lets it come to it.
    fn add(&self, at: Public, seat: usize, reach: &[f64], played: &mut Plan) {
        let level = &self.levels[at.level];
        let mut flow = vec![[0.0; HAND]; level.hands.len()];
        for (hand, flow) in flow.iter_mut().enumerate().filter(|&(hand, _)| reach[hand] > 0.0) {
            let slots = level.slot(at.node, hand)..level.slot(at.node, hand + 1);
            *flow = shares::<HAND>(&self.regret[seat][at.level][slots.clone()]).map(|p| p * reach[hand]);
            for (sum, x) in played[at.level][slots].iter_mut().zip(flow) {
                *sum += *x;
            }
        }
        let Some(next) = self.levels.get(at.level + 1) else { return };
        let mut come = vec![0.0; next.hands.len()];
        self.results(at, |places, then| {
            let mut gone = places;
            gone.sort_unstable();
            for (come, &set) in come.iter_mut().zip(&next.hands) {
                let hand = expanded(set, gone) | 1 << places[seat];
                let slot = (hand & ((1 << places[seat]) - 1)).count_ones() as usize;
                *come = flow[usize::from(level.number[usize::from(hand)])][slot];
            }
            self.add(then, seat, &come, played);
        });
    }

    /// Plays until nobody could gain more than so much, but no more than `most` rounds in all; the best average met and its
    /// worth. With three players nothing promises that the gain falls: what was reached is measured.
    ///
    /// # Errors
    /// If the run is cancelled.
    pub fn approach(
        &mut self,
        gain: f64,
        most: u64,
        run: &Run<'_>,
    ) -> Result<(Plans, Exploitability), Error> {
        let mut found: Option<(Plans, Exploitability)> = None;
        loop {
            let more = (self.rounds / 2).max(16).min(most.saturating_sub(self.rounds).max(1));
            self.play(more, run)?;
            let worth = self.worth(&self.played);
            let best = match found.take() {
                Some(best) if best.1.gain() <= worth.gain() => best,
                _ => (self.played.clone(), worth),
            };
            if best.1.gain() <= gain || self.rounds >= most {
                return Ok(best);
            }
            found = Some(best);
        }
    }

    /// What a hand does by a plan after some turns: its cards, lowest first, with their probabilities. None if it cannot
    /// come to that.
    pub fn strategy(&self, plan: &Plan, turns: &[[Card; SEATS]], hand: Cards) -> Option<Vec<(Card, f64)>> {
        let mut at = self.start();
        for played in turns {
            if at.level + 1 == self.levels.len() {
                return None;
            }
            let mut next = None;
            let places = played.map(|card| at.left.below(card));
            self.results(at, |result, then| {
                if result == places {
                    next = Some(then);
                }
            });
            at = next.filter(|_| played.iter().all(|&card| at.left.has(card)))?;
        }
        let level = self.levels.get(at.level)?;
        let set =
            hand.iter().filter(|&card| at.left.has(card)).map(|card| 1 << at.left.below(card)).sum::<usize>();
        let number = level.hands.get(usize::from(level.number[set])).filter(|_| hand.len() == level.size)?;
        let slot = level.slot(at.node, usize::from(level.number[usize::from(*number)]));
        let weights = &plan[at.level][slot..slot + level.size];
        Some(hand.iter().zip(shares::<HAND>(weights)).collect())
    }

    /// The average play so far.
    pub fn average(&self) -> &Plans {
        &self.played
    }
}
