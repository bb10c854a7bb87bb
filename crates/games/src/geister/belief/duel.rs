//! Both sides' strategies against each other: how play goes, where it dwells and how it ends. Both are lotteries over
//! places of a proof, so what is told is computed from them, not sampled.

use super::both::View;
use super::plan::{Mind, Plan};
use super::rules::Public;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use yomikiri_core::number::approx;
use yomikiri_core::{Error, Run};
use yomikiri_solve::belief::ENDED;

/// How a game ends, for the side that makes the last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// A blue piece leaves, which wins.
    Leaves,
    /// The last blue piece of the other side is taken, which wins.
    TakesBlue,
    /// The last red piece of the other side is taken, which loses.
    TakesRed,
}

/// What is known of a side's red piece: how likely each of its pieces is it, in the tables' order.
pub type Law = [f64; 3];

/// A move in a public situation.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The number the tables give it.
    pub number: usize,
    /// How likely it is in all.
    pub weight: f64,
}

/// A public situation on the likeliest way from the start.
#[derive(Clone, Debug)]
pub struct Stop {
    /// The position.
    pub view: View,
    /// How likely play comes here by this way.
    pub reach: f64,
    /// What an onlooker who knows both strategies thinks of each side's red piece.
    pub laws: [Law; 2],
    /// What is played, the likeliest first.
    pub moves: Vec<Chosen>,
}

/// A position in which play spends its time.
#[derive(Clone, Debug)]
pub struct Dwelling {
    /// The position, as the tables have it.
    pub public: Public,
    /// How often it is met in a game, on average.
    pub visits: f64,
    /// What an onlooker thinks there of each side's red piece, on average over the visits.
    pub laws: [Law; 2],
}

/// Both strategies against each other.
pub struct Course {
    /// How likely each ending is by the side that makes it; those that never come are left out.
    pub endings: Vec<((u8, Ending), f64)>,
    /// How likely the game is still undecided after [`PLIES`], or went on by ways too unlikely to follow.
    pub undecided: f64,
    /// What the three get on average where it ends.
    pub payoff: f64,
    /// How many moves of both are made in a game that ends, on average.
    pub plies: f64,
    /// The likeliest way.
    pub line: Vec<Stop>,
    /// Where play spends its time, most first.
    pub dwellings: Vec<Dwelling>,
}

/// How many moves are followed.
pub const PLIES: u32 = 60;
/// What is less likely than this is not followed.
const LITTLE: f64 = 1e-7;
/// Situations of the likeliest way, and positions where play dwells, at most.
const TOLD: usize = 12;
/// The likeliest way is told as long as it is at least this likely.
const LIKELY: f64 = 1e-3;

/// Where both strategies stand in a position.
type Minds = [Mind; 2];

/// A part of a lottery in floating point numbers.
#[derive(Clone, Copy)]
struct Act {
    number: usize,
    mind: Option<Mind>,
    weight: f64,
    law: Law,
}

/// What a lottery is asked for: whose, at which entry, after which move of the other side.
type Asked = (usize, u32, Option<u32>);

struct Table<'a> {
    plans: [&'a Plan; 2],
    known: RefCell<BTreeMap<Asked, Rc<Vec<Act>>>>,
}

/// What becomes of a part of the weight with one move.
enum Event {
    Ends { by: u8, ending: Ending, payoff: f64 },
    Goes { to: Public, minds: Minds },
}

fn certain(kind: u8) -> Law {
    [0, 1, 2].map(|i| f64::from(u8::from(i == kind)))
}

impl Table<'_> {
    fn law(&self, side: usize, mind: Mind) -> Law {
        match mind {
            Mind::Free(kind) => certain(kind),
            Mind::Entry(entry) => [0, 1, 2].map(|kind| approx(&self.plans[side].belief(entry, kind))),
        }
    }

    fn lottery(&self, side: usize, entry: u32, moved: Option<u32>) -> Rc<Vec<Act>> {
        let asked = (side, entry, moved);
        if let Some(known) = self.known.borrow().get(&asked) {
            return known.clone();
        }
        let parts = self.plans[side].lottery(entry, moved).into_iter().map(|part| Act {
            number: part.number.or(moved).map_or(usize::MAX, |n| n as usize),
            mind: part.mind,
            weight: approx(&part.weight),
            law: [0, 1, 2].map(|kind| approx(&part.belief[kind])),
        });
        let parts = Rc::new(parts.collect::<Vec<Act>>());
        self.known.borrow_mut().insert(asked, parts.clone());
        parts
    }

    /// What the side to move does.
    fn acts(&self, public: &Public, mind: Mind) -> Vec<Act> {
        let side = usize::from(public.turn);
        let view = View { public: *public, mirrored: false };
        let moves = self.plans[side].both.open.rules.all(public);
        let free = |kind: u8, weight: f64| {
            let number = self.plans[side].free(&view, kind) as usize;
            let next = moves[number].next.map(|n| n.types[side][usize::from(kind)]).filter(|t| *t != ENDED);
            Act { number, mind: next.map(Mind::Free), weight, law: certain(kind) }
        };
        match mind {
            Mind::Free(kind) => vec![free(kind, 1.0)],
            Mind::Entry(entry) => {
                let parts = self.lottery(side, entry, None);
                let act = |act: &Act| match act.mind {
                    Some(Mind::Free(kind)) if act.number == usize::MAX => free(kind, act.weight),
                    _ => *act,
                };
                parts.iter().map(act).collect()
            }
        }
    }

    /// What becomes of a situation with the next move, by the number of the move.
    fn step(&self, public: &Public, minds: &Minds, weight: f64, told: &mut dyn FnMut(usize, f64, Event)) {
        let (me, you) = (usize::from(public.turn), usize::from(1 - public.turn));
        let rules = &self.plans[me].both.open.rules;
        let (moves, steps) = (rules.all(public), rules.steps(public));
        let theirs = self.law(you, minds[you]);
        for act in self.acts(public, minds[me]) {
            let m = &moves[act.number];
            let ends = |side: usize, kind: usize| m.next.is_none_or(|n| n.types[side][kind] == ENDED);
            let mut alive = 0.0;
            for (i, own) in act.law.iter().enumerate() {
                for (j, other) in theirs.iter().enumerate() {
                    let part = weight * act.weight * own * other;
                    if part <= 0.0 {
                        continue;
                    }
                    if !ends(me, i) && !ends(you, j) {
                        alive += part;
                        continue;
                    }
                    let paid = f64::from(if me == 0 { m.pay[i][j] } else { m.pay[j][i] });
                    let ending = match (steps[act.number].1, paid > 0.0, me) {
                        (None, ..) => Ending::Leaves,
                        (_, true, 0) | (_, false, 1) => Ending::TakesBlue,
                        _ => Ending::TakesRed,
                    };
                    told(act.number, part, Event::Ends { by: public.turn, ending, payoff: paid });
                }
            }
            let (Some(next), Some(mine)) = (m.next.filter(|_| alive > 0.0), act.mind) else { continue };
            let mut go = |mind: Mind, part: f64| {
                let mut after = [mine; 2];
                after[you] = mind;
                told(act.number, alive * part, Event::Goes { to: next.position, minds: after });
            };
            match minds[you] {
                Mind::Free(kind) => go(Mind::Free(next.types[you][usize::from(kind)]), 1.0),
                Mind::Entry(entry) => {
                    for answer in self.lottery(you, entry, Some(act.number as u32)).iter() {
                        if let Some(mind) = answer.mind {
                            go(mind, answer.weight);
                        }
                    }
                }
            }
        }
    }

    /// What an onlooker thinks of the red pieces.
    fn laws(&self, minds: &BTreeMap<Minds, f64>) -> [Law; 2] {
        let whole: f64 = minds.values().sum();
        [0, 1].map(|side| {
            let mut law = [0.0; 3];
            for (pair, weight) in minds {
                for (sum, more) in law.iter_mut().zip(self.law(side, pair[side])) {
                    *sum += more * weight / whole;
                }
            }
            law
        })
    }

    /// The likeliest way from a position.
    fn line(&self, from: View) -> Vec<Stop> {
        let rules = &self.plans[0].both.open.rules;
        let mut stops = Vec::new();
        let (mut view, mut minds) = (from, BTreeMap::from([([Mind::Entry(0); 2], 1.0)]));
        while stops.len() < TOLD {
            let reach: f64 = minds.values().sum();
            if reach < LIKELY {
                break;
            }
            let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
            let mut after: BTreeMap<usize, BTreeMap<Minds, f64>> = BTreeMap::new();
            for (pair, weight) in &minds {
                self.step(&view.public, pair, *weight, &mut |number, part, event| {
                    *weights.entry(number).or_default() += part / reach;
                    if let Event::Goes { minds, .. } = event {
                        *after.entry(number).or_default().entry(minds).or_default() += part;
                    }
                });
            }
            let mut moves: Vec<Chosen> =
                weights.into_iter().map(|(number, weight)| Chosen { number, weight }).collect();
            moves.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.number.cmp(&b.number)));
            let laws = self.laws(&minds);
            let first = moves.first().map(|m| m.number);
            stops.push(Stop { view, reach, laws, moves });
            let Some((number, next)) = first.and_then(|n| Some((n, after.remove(&n)?))) else { break };
            view = view.after(rules, rules.steps(&view.public)[number]);
            minds = next;
        }
        stops
    }
}

/// Both strategies, each from the same start, against each other.
///
/// # Errors
/// What the computation fails with: cancelled.
pub fn course(plans: [&Plan; 2], start: View, run: &Run<'_>) -> Result<Course, Error> {
    let table = Table { plans, known: RefCell::default() };
    let mut now: BTreeMap<Public, BTreeMap<Minds, f64>> = BTreeMap::new();
    now.entry(start.public).or_default().insert([Mind::Entry(0); 2], 1.0);
    let mut endings: BTreeMap<(u8, Ending), f64> = BTreeMap::new();
    let (mut payoff, mut plies, mut undecided) = (0.0, 0.0, 0.0);
    let mut met: BTreeMap<Public, (f64, [Law; 2])> = BTreeMap::new();
    for ply in 1..=PLIES {
        run.check()?;
        let mut next: BTreeMap<Public, BTreeMap<Minds, f64>> = BTreeMap::new();
        for (public, minds) in &now {
            let whole: f64 = minds.values().sum();
            let laws = table.laws(minds);
            let (visits, sums) = met.entry(*public).or_default();
            *visits += whole;
            for (sum, law) in sums.iter_mut().flatten().zip(laws.iter().flatten()) {
                *sum += law * whole;
            }
            for (pair, weight) in minds {
                if *weight < LITTLE {
                    undecided += weight;
                    continue;
                }
                table.step(public, pair, *weight, &mut |_, part, event| match event {
                    Event::Ends { by, ending, payoff: paid } => {
                        *endings.entry((by, ending)).or_default() += part;
                        payoff += part * paid;
                        plies += part * f64::from(ply);
                    }
                    Event::Goes { to, minds } => {
                        *next.entry(to).or_default().entry(minds).or_default() += part;
                    }
                });
            }
        }
        now = next;
    }
    undecided += now.values().flat_map(BTreeMap::values).sum::<f64>();
    let ended: f64 = endings.values().sum();
    let mut dwellings: Vec<Dwelling> = met
        .into_iter()
        .map(|(public, (visits, sums))| Dwelling {
            public,
            visits,
            laws: sums.map(|l| l.map(|x| x / visits)),
        })
        .collect();
    dwellings.sort_by(|a, b| b.visits.total_cmp(&a.visits).then(a.public.cmp(&b.public)));
    dwellings.truncate(TOLD);
    let line = table.line(start);
    let plies = plies / ended.max(f64::MIN_POSITIVE);
    Ok(Course { endings: endings.into_iter().collect(), undecided, payoff, plies, line, dwellings })
}
