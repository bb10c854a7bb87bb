//! The closed forms: who takes the only scoring card once the deck is empty, and who can get a given card of
//! the deck. These are the corrected readings; `referee` holds the paper's wording against them.

use super::rules::Deal;

/// Whether the holder of the only scoring card takes it, deck empty: one pass over the cards.
///
/// `owners[k]` is the player (0 or 1) who holds the card of strength `k`, counted from the weakest; `q` is the
/// strength of the scoring card. With v(k) = the holder's cards minus the other's up to k, q not counted:
/// leading, the other loses if v never falls below minus the other's cards weaker than q, at any of the
/// other's cards above q except the strongest. The holder, leading, must first be able to hand over the
/// lead, which takes `r` tricks.
pub fn holder_takes(owners: &[u8], q: usize, leader: u8) -> bool {
    let holder = owners[q];
    let (below, above) = (&owners[..q], &owners[q + 1..]);
    let other = |owner: &u8| i32::from(*owner != holder);
    let weaker: i32 = below.iter().map(other).sum();
    let stronger: i32 = above.iter().map(other).sum();
    if weaker == 0 {
        return false;
    }
    if stronger == 0 {
        return true;
    }
    let needed = if leader == holder {
        match hand_over(below, holder) {
            Some(tricks) => tricks,
            None => return false,
        }
    } else {
        0
    };
    // v + weaker just above q is the number of the holder's cards below q.
    let mut v = below.len() as i32 - weaker;
    let strongest = above.iter().rposition(|o| *o != holder).unwrap_or(0);
    let mut least = i32::MAX;
    for owner in &above[..strongest] {
        let other = other(owner);
        v += 1 - 2 * other;
        // Branch-free: cards of the holder do not count.
        least = least.min(v + (1 - other) * (i32::MAX / 2));
    }
    least >= needed
}

/// Tricks until a leading holder can hand over the lead: the holder's cards up to the first strength with v = 1,
/// if that comes before the other's second strongest card below q.
fn hand_over(below: &[u8], holder: u8) -> Option<i32> {
    let last = below.iter().rposition(|o| *o != holder)?;
    let second = below[..last].iter().rposition(|o| *o != holder)?;
    let mut v = 0;
    for (k, owner) in below[..second].iter().enumerate() {
        v += if *owner == holder { 1 } else { -1 };
        if v == 1 {
            return Some((k as i32 + 2) / 2);
        }
    }
    None
}

/// The owners of the cards of a deal without a deck, weakest first, and the strength of a card; `None` if
/// nobody holds the card.
pub fn owners(deal: &Deal, q: u32) -> Option<(Vec<u8>, usize)> {
    let mut all: Vec<(u32, u8)> = Vec::with_capacity(deal.cards());
    for (player, hand) in (0..).zip(&deal.hands) {
        all.extend(hand.iter().map(|&c| (c, player)));
    }
    all.sort_unstable();
    let at = all.iter().position(|c| c.0 == q)?;
    Some((all.into_iter().map(|c| c.1).collect(), at))
}

/// Who draws a card of the deck if both play for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// A can make sure that A draws it.
    pub acquire: bool,
    /// A can make sure that B draws it.
    pub avoid: bool,
}

/// Whether A can force who draws card `g` of the deck, counted from 1. `g` must be in the deck.
///
/// To draw an odd card one must win its trick; with the strongest of all cards that can be in hand by then one
/// does. If that card is itself still in the deck, the question is who draws that one; so a chain leads
/// back to the hands. Even cards go to the loser of a trick, with the weakest card. With one card in hand nobody
/// has a choice, and the chain, which relies on keeping a card, would be wrong.
pub fn reach(deal: &Deal, g: usize) -> Reach {
    if deal.hand() == 1 {
        let drawn_by_a = forced(deal, g);
        return Reach { acquire: drawn_by_a, avoid: !drawn_by_a };
    }
    let extremes = Extremes::new(deal);
    Reach {
        acquire: extremes.chain(g, g % 2 == 1),
        // For once, to lose a trick that would win it and the other way round.
        avoid: extremes.chain(g, g.is_multiple_of(2)),
    }
}

/// Whether A draws card `g` when both hands have one card.
fn forced(deal: &Deal, g: usize) -> bool {
    let mut hands = [deal.hands[0][0], deal.hands[1][0]];
    let mut a_draws = false;
    for pair in deal.deck.chunks(2).take(g.div_ceil(2)) {
        let a_wins = hands[0] > hands[1];
        hands = if a_wins { [pair[0], pair[1]] } else { [pair[1], pair[0]] };
        a_draws = a_wins == (g % 2 == 1);
    }
    a_draws
}

/// Where the strongest and weakest cards are.
#[derive(Clone, Copy)]
enum Where {
    Hand(u8),
    Deck(usize),
}

/// The strongest and the weakest card of both hands and the first cards of the deck.
struct Extremes {
    strongest: Vec<Where>,
    weakest: Vec<Where>,
}

impl Extremes {
    fn new(deal: &Deal) -> Extremes {
        let of = |better: fn(u32, u32) -> bool| {
            let mut best = (deal.hands[0][0], Where::Hand(0));
            for (player, hand) in (0..).zip(&deal.hands) {
                for &card in hand {
                    if better(card, best.0) {
                        best = (card, Where::Hand(player));
                    }
                }
            }
            let mut by_prefix = vec![best.1];
            for (i, &card) in deal.deck.iter().enumerate() {
                if better(card, best.0) {
                    best = (card, Where::Deck(i + 1));
                }
                by_prefix.push(best.1);
            }
            by_prefix
        };
        Extremes { strongest: of(|a, b| a > b), weakest: of(|a, b| a < b) }
    }

    /// Whether A can make the trick that card `g` is drawn after end as wanted: won, or lost.
    fn chain(&self, g: usize, win: bool) -> bool {
        let (mut target, mut win) = (g, win);
        loop {
            // Cards that can be in hand at the trick after which the target is drawn.
            let seen = (target - 1) / 2 * 2;
            match if win { self.strongest[seen] } else { self.weakest[seen] } {
                Where::Hand(player) => return player == 0,
                Where::Deck(e) => (target, win) = (e, e % 2 == 1),
            }
        }
    }
}
