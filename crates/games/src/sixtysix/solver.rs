//! Which way a question is answered: by a closed form where there is one, by a table of all positions where
//! that is polynomial or the deck is empty, and by search otherwise.

use super::closed;
use super::dense::{self, Endgame};
use super::rules::{Objective, Sixtysix, State, cards_of};
use yomikiri_core::{Error, Game, Refusal, Run, Text, Turn, combin::binomial};
use yomikiri_solve::layers::Layers;
use yomikiri_solve::minimax::{NullWindow, bytes};

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// By the closed form for one scoring card.
    Classifier,
    /// By null-window search.
    Search,
    /// By induction over all positions, trick by trick.
    Induction,
}

impl Algorithm {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Algorithm::Classifier => "classifier",
            Algorithm::Search => "search",
            Algorithm::Induction => "induction",
        }
    }
}

/// Hands up to which a deck is played by induction over all positions.
const INDUCTION_HAND: usize = 3;
/// Nodes one question may take: about a minute.
pub const NODES: u64 = 200_000_000;
/// Nodes visited for every place remembered, all leads together.
const NODES_A_PLACE: u64 = 20;
/// Cards in hand up to which the closed form is also asked about every lead.
pub const LEADS: usize = 200;

/// The values of a position and of every lead, in units: for the difference, A's points still to come minus
/// B's; for a race, 1 if A wins, 0 if nobody, −1 if B.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The value of the position.
    pub value: i32,
    /// The value of every card that may be led, ascending by card.
    pub leads: Vec<(u8, i32)>,
    /// How it was found.
    pub method: Algorithm,
    /// Positions valued, or visited by the search.
    pub positions: u64,
}

impl Solved {
    fn from_leads(s: &State, leads: Vec<(u8, i32)>, method: Algorithm, positions: u64) -> Solved {
        let values = leads.iter().map(|l| l.1);
        let value = if s.leader == 0 { values.max() } else { values.min() }.unwrap_or(0);
        Solved { value, leads, method, positions }
    }
}

/// A refusal that names what is too large.
fn too_large(game: &Sixtysix, need: u64, run: &Run<'_>) -> Error {
    let (h, n) = (game.deal().hand(), game.deal().cards() / 2);
    let (need, limit) = (yomikiri_core::error::bytes(need), yomikiri_core::error::bytes(run.memory));
    Refusal::of(
        if game.deal().deck.is_empty() { "hand_a" } else { "deck" },
        Text::of(format!("hands of {h}, {} cards in all", 2 * n), format!("手札{h}枚、全{}枚", 2 * n)),
        Text::of(
            format!("fewer cards, or more memory: about {need} are needed, the limit is {limit}"),
            format!("より少ない枚数、またはより多いメモリ（約{need}必要、上限{limit}）"),
        ),
    )
    .into()
}

/// A refusal of what would take too long.
fn too_long(game: &Sixtysix, nodes: u64) -> Error {
    let (h, cards) = (game.deal().hand(), game.deal().cards());
    Refusal::of(
        if game.deal().deck.is_empty() { "hand_a" } else { "deck" },
        Text::of(format!("hands of {h}, {cards} cards in all"), format!("手札{h}枚、全{cards}枚")),
        Text::of(
            format!("fewer cards: about {nodes} positions would have to be searched, the limit is {NODES}"),
            format!("より少ない枚数（約{nodes}局面の探索が必要、上限{NODES}）"),
        ),
    )
    .into()
}

/// Positions between tricks that a deal can have at most, saturating.
fn most_positions(hand: usize, deck: usize) -> u64 {
    let (h, mut sum) = (hand as u64, 0u64);
    for t in 0..=(deck as u64 / 2) {
        // Two cards of the hands are the last drawn; the others are any of those seen.
        let sets = if t == 0 { 1 } else { binomial(2 * h + 2 * t - 2, 2 * h - 2) };
        sum = sum.saturating_add(sets.saturating_mul(binomial(2 * h, h)));
    }
    for k in 1..h {
        sum = sum.saturating_add(binomial(2 * h + deck as u64, 2 * k).saturating_mul(binomial(2 * k, k)));
    }
    sum
}

/// Places a search is likely to remember: fitted to random deals of four to seven cards, points 0 to 10.
fn likely_places(hand: usize, deck: usize) -> u64 {
    (most_positions(hand, deck) as f64).powf(0.6) as u64
}

/// Fails before the work if it is out of reach.
///
/// # Errors
/// Games too large for the search are refused by the hand or the deck.
pub fn within_reach(game: &Sixtysix, s: &State, run: &Run<'_>) -> Result<(), Error> {
    let hand = s.hands[0].count_ones() as usize;
    let deck = game.undrawn(s.drawn).count_ones() as usize;
    if !game.packs() {
        return Err(too_large(game, u64::MAX, run));
    }
    // The fit is rough: only what is clearly out of reach is turned away; the search itself keeps the limits.
    let places = likely_places(hand, deck);
    let need = places.saturating_mul(bytes::<Sixtysix>()) / 8;
    if need > run.memory {
        return Err(too_large(game, need, run));
    }
    if places.saturating_mul(NODES_A_PLACE) > NODES {
        return Err(too_long(game, places.saturating_mul(NODES_A_PLACE)));
    }
    Ok(())
}

/// A search that ran out of memory or nodes is a deal too large.
pub fn named(game: &Sixtysix, run: &Run<'_>, error: Error) -> Error {
    match error {
        Error::Memory { need, .. } => too_large(game, need, run),
        Error::Refused(refusal) => {
            let field = if game.deal().deck.is_empty() { "hand_a" } else { "deck" };
            Error::Refused(Refusal { field: field.into(), ..refusal })
        }
        other => other,
    }
}

/// The value of a position before a trick, and of every lead.
///
/// # Errors
/// Games out of reach are refused; otherwise cancelled or does not fit.
pub fn solve(game: &Sixtysix, s: &State, run: &Run<'_>) -> Result<Solved, Error> {
    if game.turn(s) == Turn::Terminal {
        let value = if game.objective() == Objective::Difference { 0 } else { game.utility(s, 0) };
        return Ok(Solved { value, leads: Vec::new(), method: Algorithm::Search, positions: 1 });
    }
    match game.objective() {
        Objective::Difference => difference(game, s, run),
        Objective::Race(_) if follows(game, s) => {
            Ok(race_from(game, s, &difference(&game.with(Objective::Difference), s, run)?))
        }
        Objective::Race(_) => search(game, s, run),
    }
}

/// What players have still to win to pass the limits of a race, and what there is to be won.
fn missing(game: &Sixtysix, s: &State) -> Option<([i32; 2], i32)> {
    let Objective::Race(limits) = game.objective() else { return None };
    let rest = game.worth(s.hands[0] | s.hands[1] | game.undrawn(s.drawn));
    Some(([limits[0] - s.won[0], limits[1] - s.won[1]], rest))
}

/// Whether the winner of a race follows from the difference: no card costs points, and there are not points enough
/// for both to pass, so that it does not matter who would be first.
pub fn follows(game: &Sixtysix, s: &State) -> bool {
    missing(game, s)
        .is_some_and(|([a, b], rest)| game.harmless() && i64::from(a) + i64::from(b) + 2 > i64::from(rest))
}

/// The race from the solved difference, where it follows from it.
pub fn race_from(game: &Sixtysix, s: &State, solved: &Solved) -> Solved {
    let winner = |difference: i32| {
        let Some((missing, rest)) = missing(game, s) else { return 0 };
        let a = (rest + difference) / 2;
        i32::from(a > missing[0]) - i32::from(rest - a > missing[1])
    };
    let leads = solved.leads.iter().map(|&(card, d)| (card, winner(d))).collect();
    Solved { value: winner(solved.value), leads, ..*solved }
}

/// The difference still to come, whatever the race.
fn difference(game: &Sixtysix, s: &State, run: &Run<'_>) -> Result<Solved, Error> {
    if game.undrawn(s.drawn) != 0 {
        let hand = s.hands[0].count_ones() as usize;
        return if hand <= INDUCTION_HAND { induction(game, s, run) } else { search(game, s, run) };
    }
    if let Some(solved) = one_scorer(game, s) {
        return Ok(solved);
    }
    let hand = s.hands[0].count_ones() as usize;
    let need = dense::memory(game, s);
    if hand > dense::MAX_HAND || need > run.memory {
        return Err(too_large(game, need, run));
    }
    let end = Endgame::solve(game, s, run)?;
    Ok(Solved::from_leads(s, end.leads(s.leader), Algorithm::Induction, end.positions))
}

/// The closed form, if one card scores and the deck is empty.
fn one_scorer(game: &Sixtysix, s: &State) -> Option<Solved> {
    let mut scoring = cards_of(s.hands[0] | s.hands[1]).filter(|&c| game.points(c) != 0);
    let (q, None) = (scoring.next()?, scoring.next()) else { return None };
    if game.points(q) < 0 {
        return None;
    }
    let all: Vec<u8> = cards_of(s.hands[0] | s.hands[1]).collect();
    let owners: Vec<u8> = all.iter().map(|&c| u8::from(s.hands[1] & super::rules::bit(c) != 0)).collect();
    let at = all.iter().position(|&c| c == q)?;
    let leads = classified_leads(&owners, at, s.leader);
    let worth = |a: bool| if a { game.points(q) } else { -game.points(q) };
    Some(Solved {
        value: worth(a_takes(&owners, at, s.leader)),
        leads: leads.into_iter().map(|(k, a)| (all[k], worth(a))).collect(),
        method: Algorithm::Classifier,
        positions: 1,
    })
}

/// Whether A takes the only scoring card, deck empty.
pub fn a_takes(owners: &[u8], q: usize, leader: u8) -> bool {
    closed::holder_takes(owners, q, leader) == (owners[q] == 0)
}

/// For every card that may be led, by strength, whether A then takes the scoring card: the closed form after
/// every reply.
pub fn classified_leads(owners: &[u8], q: usize, leader: u8) -> Vec<(usize, bool)> {
    let holder = owners[q];
    let strengths = |player: u8| (0..owners.len()).filter(move |&k| owners[k] == player);
    let mut rest = Vec::with_capacity(owners.len());
    strengths(leader)
        .map(|led| {
            let mut replies = strengths(1 - leader).map(|reply| {
                let winner = if reply > led { 1 - leader } else { leader };
                if led == q || reply == q {
                    return winner == 0;
                }
                rest.clear();
                rest.extend((0..owners.len()).filter(|&k| k != led && k != reply).map(|k| owners[k]));
                let place = q - usize::from(led < q) - usize::from(reply < q);
                closed::holder_takes(&rest, place, winner) == (holder == 0)
            });
            // The follower picks what suits: A if A follows.
            let takes = if leader == 1 { replies.any(|a| a) } else { replies.all(|a| a) };
            (led, takes)
        })
        .collect()
}

fn induction(game: &Sixtysix, s: &State, run: &Run<'_>) -> Result<Solved, Error> {
    if !game.packs() {
        return Err(too_large(game, u64::MAX, run));
    }
    let layers = Layers::solve(game, s, run).map_err(|e| named(game, run, e))?;
    let rest = game.worth(s.hands[0] | s.hands[1] | game.undrawn(s.drawn));
    let leads = cards_of(s.hands[usize::from(s.leader)])
        .filter_map(|card| {
            let a = layers.value(game, &game.apply(s, card), 1)? - s.won[0];
            Some((card, 2 * a - rest))
        })
        .collect();
    Ok(Solved::from_leads(s, leads, Algorithm::Induction, layers.positions()))
}

/// The value of a position and of its leads by search alone.
///
/// # Errors
/// As [`solve`].
pub fn search(game: &Sixtysix, s: &State, run: &Run<'_>) -> Result<Solved, Error> {
    within_reach(game, s, run)?;
    run.observer.begin(&yomikiri_core::text("search", "探索"), 0);
    let mut search = NullWindow::new(NODES, run);
    let rest = game.worth(s.hands[0] | s.hands[1] | game.undrawn(s.drawn));
    let mut leads = Vec::new();
    for card in cards_of(s.hands[usize::from(s.leader)]) {
        let value = search.value(game, &game.apply(s, card), run).map_err(|e| named(game, run, e))?;
        let value =
            if game.objective() == Objective::Difference { 2 * (value - s.won[0]) - rest } else { value };
        leads.push((card, value));
    }
    run.observer.end();
    Ok(Solved::from_leads(s, leads, Algorithm::Search, search.nodes()))
}
