//! One scoring card with a deck, as far as a rule can go: who takes it by playing everything out, a form for the last draw
//! that looks at five answers only, and quantities in which no rule can be right, with the positions that show it.

use super::referee::Cases;
use std::collections::HashMap;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::sixtysix::closed::{holder_takes, reach};
use yomikiri_games::sixtysix::rules::Deal;

/// Cards as a set; card 0 is the weakest.
type Cards = u32;

/// Both hands, the deck with the next card first, the scoring card and who leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The hands of A and B.
    pub hands: [Cards; 2],
    /// The deck.
    pub deck: Vec<u8>,
    /// The scoring card.
    pub q: u8,
    /// Who leads.
    pub leader: u8,
}

fn bit(card: u8) -> Cards {
    1 << card
}

fn each(mut cards: Cards) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let card = cards.trailing_zeros() as u8;
        (cards != 0).then(|| {
            cards &= cards - 1;
            card
        })
    })
}

fn below(card: u8) -> Cards {
    bit(card) - 1
}

fn strongest(cards: Cards) -> Cards {
    if cards == 0 { 0 } else { 1 << cards.ilog2() }
}

fn weakest(cards: Cards) -> Cards {
    cards & cards.wrapping_neg()
}

/// Which answers to a lead are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// All of them.
    All,
    /// The scoring card where it wins; the strongest other card that wins, of all and of those weaker than the scoring card; the
    /// strongest that loses, of all and of those weaker than the scoring card.
    Five,
    /// These and the weakest that wins and that loses.
    Seven,
}

impl Answers {
    /// The answers from a hand to a card that was led.
    fn of(self, hand: Cards, q: u8, led: u8) -> Cards {
        let (others, lower) = (hand & !bit(q), hand & below(q));
        let (lose, win) = (others & below(led), others & !below(led));
        let chosen = match self {
            Answers::All => return hand,
            // Whoever can takes the scoring card.
            _ if led == q => weakest(win),
            _ => {
                let take = if q > led { hand & bit(q) } else { 0 };
                let five = take
                    | strongest(win)
                    | strongest(win & lower)
                    | strongest(lose)
                    | strongest(lose & lower);
                if self == Answers::Five { five } else { five | weakest(win) | weakest(lose) }
            }
        };
        if chosen == 0 { hand } else { chosen }
    }
}

/// What was worked out of one deal and one scoring card: who takes it, by hands and leader.
type Known = HashMap<([Cards; 2], u8), bool>;

/// Whether A takes the scoring card once the deck is empty.
fn ending(hands: [Cards; 2], q: u8, leader: u8) -> bool {
    let (mut owners, mut at) = (Vec::with_capacity(24), 0);
    for card in each(hands[0] | hands[1]) {
        if card == q {
            at = owners.len();
        }
        owners.push(u8::from(hands[1] & bit(card) != 0));
    }
    holder_takes(&owners, at, leader) == (owners[at] == 0)
}

/// Whether A takes the scoring card, all leads looked at and some answers; the closed form once the deck is empty.
pub fn a_takes(spot: &Spot, answers: Answers) -> bool {
    searched(spot.hands, &spot.deck, spot.q, spot.leader, answers, &mut Known::new())
}

fn searched(hands: [Cards; 2], deck: &[u8], q: u8, leader: u8, answers: Answers, known: &mut Known) -> bool {
    let [first, second, rest @ ..] = deck else { return ending(hands, q, leader) };
    if let Some(found) = known.get(&(hands, leader)) {
        return *found;
    }
    let (l, a_leads) = (usize::from(leader), leader == 0);
    let mut after = |led: u8, answer: u8| {
        let leader_wins = led > answer;
        if led == q || answer == q {
            return leader_wins == a_leads;
        }
        let mut next = hands;
        next[l] = next[l] & !bit(led) | bit(if leader_wins { *first } else { *second });
        next[1 - l] = next[1 - l] & !bit(answer) | bit(if leader_wins { *second } else { *first });
        searched(next, rest, q, if leader_wins { leader } else { 1 - leader }, answers, known)
    };
    // The leader succeeds with a lead against which no answer helps.
    let holds = each(hands[l])
        .any(|led| each(answers.of(hands[1 - l], q, led)).all(|answer| after(led, answer) == a_leads));
    let found = holds == a_leads;
    known.insert((hands, leader), found);
    found
}

/// Every deal of a shape with every scoring card and both leaders.
///
/// # Errors
/// If the run is cancelled.
pub fn every_spot(hand: u32, deck: u32, run: &Run<'_>, mut visit: impl FnMut(&Spot)) -> Result<(), Error> {
    fn orders(spot: &mut Spot, left: Cards, cards: u8, visit: &mut impl FnMut(&Spot)) {
        if left == 0 {
            for q in 0..cards {
                for leader in 0..2 {
                    (spot.q, spot.leader) = (q, leader);
                    visit(spot);
                }
            }
        }
        for card in each(left) {
            spot.deck.push(card);
            orders(spot, left & !bit(card), cards, visit);
            spot.deck.pop();
        }
    }
    let cards = 2 * hand + deck;
    let all: Cards = (1 << cards) - 1;
    let of = |from: Cards| (0..=all).filter(move |set| set & !from == 0 && set.count_ones() == hand);
    for a in of(all) {
        run.check()?;
        for b in of(all & !a) {
            let mut spot = Spot { hands: [a, b], deck: Vec::new(), q: 0, leader: 0 };
            orders(&mut spot, all & !a & !b, cards as u8, &mut visit);
        }
    }
    Ok(())
}

/// A random one.
fn drawn(hand: usize, deck: usize, random: &mut Random) -> Spot {
    let mut cards: Vec<u8> = (0..(2 * hand + deck) as u8).collect();
    random.shuffle(&mut cards);
    let set = |cards: &[u8]| cards.iter().map(|card| bit(*card)).sum();
    Spot {
        hands: [set(&cards[..hand]), set(&cards[hand..2 * hand])],
        deck: cards[2 * hand..].to_vec(),
        q: random.below(cards.len() as u64) as u8,
        leader: random.below(2) as u8,
    }
}

impl Spot {
    /// In words, cards counted from 1.
    pub fn told(&self) -> String {
        let list = |cards: &mut dyn Iterator<Item = u8>| {
            cards.map(|card| (card + 1).to_string()).collect::<Vec<_>>().join(",")
        };
        let [a, b] = self.hands.map(|hand| list(&mut each(hand)));
        let (deck, who) = (list(&mut self.deck.iter().copied()), ["A", "B"][usize::from(self.leader)]);
        format!("q={} A={a} B={b} D={deck} ({who})", self.q + 1)
    }

    fn deal(&self) -> Deal {
        let list = |cards: &mut dyn Iterator<Item = u8>| cards.map(|card| u32::from(card) + 1).collect();
        Deal {
            hands: self.hands.map(|hand| list(&mut each(hand))),
            deck: list(&mut self.deck.iter().copied()),
            leader: self.leader,
        }
    }
}

/// Appends some quantities of a position.
type Quantity = fn(&Spot, &mut Vec<u8>);

/// The ladder: each step knows what those before it know, and something more.
pub static STEPS: [(Text, Quantity); 7] = [
    (
        text(
            "who leads, and where q is: with A, with B, or which card of the deck",
            "先手と q の所在（A、B、山札の何枚目）",
        ),
        |spot, out| {
            let at = spot.deck.iter().position(|card| *card == spot.q);
            out.push(spot.leader);
            out.push(at.map_or(u8::from(spot.hands[1] & bit(spot.q) != 0), |at| 2 + at as u8));
        },
    ),
    (
        text("and the closed form, as if there were no deck", "＋山札がないとしたときの閉じた式の答え"),
        |spot, out| {
            let held = !spot.deck.contains(&spot.q);
            out.push(if held { u8::from(ending(spot.hands, spot.q, spot.leader)) } else { 2 });
        },
    ),
    (
        text(
            "and who can draw, or leave to the other, each card of the deck",
            "＋山札の各札をだれが引ける・引かせられるか",
        ),
        |spot, out| {
            let deal = spot.deal();
            for g in 1..=spot.deck.len() {
                let can = reach(&deal, g);
                out.extend([u8::from(can.acquire), u8::from(can.avoid)]);
            }
        },
    ),
    (
        text("and which cards of the deck are stronger than q", "＋山札の各札が q より強いか"),
        |spot, out| {
            out.extend(spot.deck.iter().map(|card| u8::from(*card > spot.q)));
        },
    ),
    (
        text("and how many cards of each hand are weaker than q", "＋各手札の q より弱い札の枚数"),
        |spot, out| {
            out.extend(spot.hands.map(|hand| (hand & below(spot.q)).count_ones() as u8));
        },
    ),
    (
        text("and the whole order of both hands with q", "＋両手札と q の強さの順すべて"),
        |spot, out| {
            for card in each(spot.hands[0] | spot.hands[1]) {
                out.push(if card == spot.q { 2 } else { u8::from(spot.hands[1] & bit(card) != 0) });
            }
        },
    ),
    (
        text(
            "and between which cards of the hands each card of the deck is",
            "＋山札の各札が手札のどの札の間に入るか",
        ),
        |spot, out| {
            let hands = spot.hands[0] | spot.hands[1];
            out.extend(spot.deck.iter().map(|card| (hands & below(*card)).count_ones() as u8));
        },
    ),
];

/// Positions with the same quantities: how often B and A take the card, and the first position of each.
#[derive(Default)]
struct Class {
    seen: [u64; 2],
    first: [Option<Spot>; 2],
}

/// What is found of one step of the ladder in one shape.
pub struct Step {
    /// What is known.
    pub knows: Text,
    /// Values that the quantities take.
    pub classes: u64,
    /// All positions, and those that even the best rule in these quantities gets wrong.
    pub least: (u64, u64),
    /// The first two positions with the same quantities and different winners: one that A wins, one that B wins.
    pub pair: Option<[Spot; 2]>,
}

/// How far each step of the ladder goes in all positions of a shape, and how two rules do.
///
/// # Errors
/// If the run is cancelled.
pub fn climb(hand: u32, deck: u32, run: &Run<'_>) -> Result<(Vec<Step>, [Cases; 2]), Error> {
    let mut maps: Vec<HashMap<Vec<u8>, Class>> = STEPS.iter().map(|_| HashMap::new()).collect();
    let mut rules = [Cases::default(), Cases::default()];
    let mut all = 0;
    every_spot(hand, deck, run, |spot| {
        all += 1;
        let truth = a_takes(spot, Answers::All);
        for (rule, answers) in rules.iter_mut().zip([Answers::Five, Answers::Seven]) {
            rule.case(a_takes(spot, answers) == truth, || spot.told());
        }
        let mut key = Vec::new();
        for ((_, quantity), map) in STEPS.iter().zip(&mut maps) {
            quantity(spot, &mut key);
            let class = map.entry(key.clone()).or_default();
            class.seen[usize::from(truth)] += 1;
            class.first[usize::from(truth)].get_or_insert_with(|| spot.clone());
        }
    })?;
    let step = |((knows, _), map): (&(Text, Quantity), HashMap<Vec<u8>, Class>)| {
        let least = map.values().map(|class| class.seen[0].min(class.seen[1])).sum();
        let pairs = map.values().filter_map(|class| match &class.first {
            [Some(b), Some(a)] => Some([a.clone(), b.clone()]),
            _ => None,
        });
        let pair = pairs.min_by_key(|pair| pair.clone().map(|spot| spot.told()));
        Step { knows: knows.clone(), classes: map.len() as u64, least: (all, least), pair }
    };
    Ok((STEPS.iter().zip(maps).map(step).collect(), rules))
}

/// The five answers in all positions with a deck of two.
///
/// # Errors
/// If the run is cancelled.
pub fn last_draw(hand: u32, run: &Run<'_>) -> Result<Cases, Error> {
    let mut cases = Cases::default();
    every_spot(hand, 2, run, |spot| {
        cases.case(a_takes(spot, Answers::Five) == a_takes(spot, Answers::All), || spot.told());
    })?;
    Ok(cases)
}

/// The same in some random positions.
///
/// # Errors
/// If the run is cancelled.
pub fn last_draw_sampled(hand: usize, positions: u64, run: &Run<'_>) -> Result<Cases, Error> {
    let mut cases = Cases::default();
    let mut random = Random::stream(run.seed, hand as u64);
    for _ in 0..positions {
        run.check()?;
        let spot = drawn(hand, 2, &mut random);
        cases.case(a_takes(&spot, Answers::Five) == a_takes(&spot, Answers::All), || spot.told());
    }
    Ok(cases)
}
