//! Hidden information solved exactly, against the same games written out as tables of all pure strategies.

use crate::program::{Program, Q};
use std::collections::BTreeSet;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Hidden, Lang, Number, Rational, Run, Turn};
use yomikiri_solve::sequence::Equilibrium;

/// Two players or chance choose in a random order one of two or three; each sees some of the choices; what player 0
/// gets is arbitrary.
struct Duel {
    seed: u64,
    /// Who chooses at each depth, 2 being chance, and from how many.
    order: Vec<(u8, u8)>,
    /// Who sees the choice at each depth.
    seen: Vec<[bool; 2]>,
}

impl Duel {
    fn new(seed: u64, length: usize) -> Duel {
        let mut random = Random::stream(seed, 1);
        let order: Vec<(u8, u8)> =
            (0..length).map(|_| (random.below(3) as u8, 2 + u8::from(random.below(4) == 0))).collect();
        let seen = order.iter().map(|&(who, _)| {
            let mut seen = [0; 2].map(|_| random.below(3) == 0);
            if who < 2 {
                seen[usize::from(who)] = true;
            }
            seen
        });
        Duel { seed, seen: seen.collect(), order }
    }
}

impl Game for Duel {
    type State = Vec<u8>;
    type Action = u8;

    fn start(&self) -> Vec<u8> {
        vec![]
    }
    fn turn(&self, s: &Vec<u8>) -> Turn {
        match self.order.get(s.len()) {
            None => Turn::Terminal,
            Some((2, _)) => Turn::Chance,
            Some(&(p, _)) => Turn::Player(p),
        }
    }
    fn actions(&self, s: &Vec<u8>, out: &mut Vec<u8>) {
        out.extend(0..self.order[s.len()].1);
    }
    fn chance(&self, s: &Vec<u8>, out: &mut Vec<(u8, u32)>) {
        out.extend((0..self.order[s.len()].1).map(|a| (a, 1 + u32::from(a) * s.len() as u32)));
    }
    fn apply(&self, s: &Vec<u8>, a: u8) -> Vec<u8> {
        [s.as_slice(), &[a]].concat()
    }
    fn utility(&self, s: &Vec<u8>, player: u8) -> i32 {
        let number = s.iter().fold(1, |n, &a| 3 * n + u64::from(a));
        let first = Random::stream(self.seed, 100 + number).below(7) as i32 - 3;
        if player == 0 { first } else { -first }
    }
}

impl Hidden for Duel {
    type Info = (usize, Vec<(usize, u8)>);
    fn info(&self, s: &Vec<u8>, player: u8) -> Self::Info {
        let seen = |&(i, _): &(usize, u8)| self.seen[i][usize::from(player)];
        (s.len(), s.iter().copied().enumerate().filter(seen).collect())
    }
}

/// Everything a player may know, with the number of its actions.
fn infos<G: Hidden<Action = u8>>(game: &G, s: &G::State, me: u8, found: &mut BTreeSet<(G::Info, usize)>)
where
    G::Info: Ord,
{
    let mut next = vec![];
    match game.turn(s) {
        Turn::Terminal => {}
        Turn::Chance => {
            let mut outcomes = vec![];
            game.chance(s, &mut outcomes);
            next.extend(outcomes.iter().map(|o| o.0));
        }
        Turn::Player(p) => {
            game.actions(s, &mut next);
            if p == me {
                found.insert((game.info(s, p), next.len()));
            }
        }
    }
    for a in next {
        infos(game, &game.apply(s, a), me, found);
    }
}

/// An action for everything a player may know.
type Pure<G> = Vec<(<G as Hidden>::Info, u8)>;

/// All pure strategies of a player, if there are not too many.
fn pure<G: Hidden<Action = u8>>(game: &G, me: u8) -> Option<Vec<Pure<G>>>
where
    G::Info: Ord,
{
    let mut found = BTreeSet::new();
    infos(game, &game.start(), me, &mut found);
    if found.iter().map(|(_, actions)| *actions as f64).product::<f64>() > 27.0 {
        return None;
    }
    let all = found.into_iter().fold(vec![vec![]], |all, (info, actions)| {
        let more = |rest: &Vec<(G::Info, u8)>| {
            let with = |a| [rest.as_slice(), &[(info.clone(), a as u8)]].concat();
            (0..actions).map(with).collect::<Vec<_>>()
        };
        all.iter().flat_map(more).collect()
    });
    Some(all)
}

/// What player 0 gets on average if both follow strategies: how likely a player that knows this does that.
fn expectation<G: Hidden<Action = u8>>(
    game: &G,
    s: &G::State,
    play: &dyn Fn(u8, &G::Info, u8) -> Rational,
) -> Rational {
    match game.turn(s) {
        Turn::Terminal => Rational::from_int(game.utility(s, 0)),
        Turn::Chance => {
            let mut outcomes = vec![];
            game.chance(s, &mut outcomes);
            let total: i32 = outcomes.iter().map(|o| o.1 as i32).sum();
            let one = |&(a, w): &(u8, u32)| {
                expectation(game, &game.apply(s, a), play) * Rational::from_int(w as i32)
                    / Rational::from_int(total)
            };
            outcomes.iter().map(one).sum()
        }
        Turn::Player(p) => {
            let mut actions = vec![];
            game.actions(s, &mut actions);
            let info = game.info(s, p);
            let one = |&a: &u8| (play(p, &info, a), a);
            let played = actions.iter().map(one).filter(|(share, _)| *share != Rational::from_int(0));
            played.map(|(share, a)| share * expectation(game, &game.apply(s, a), play)).sum()
        }
    }
}

fn does<I: PartialEq>(strategy: &[(I, u8)], info: &I, a: u8) -> Rational {
    let (_, chosen) = strategy.iter().find(|(known, _)| known == info).expect("every information is there");
    Rational::from_int(i32::from(*chosen == a))
}

/// The value of the table of all pure strategies: the most that the rows can be mixed to get in every column.
fn of_table(table: &[Vec<Rational>]) -> Rational {
    let mut lp = Program::default();
    let rows: Vec<usize> = table.iter().map(|_| lp.variable()).collect();
    let (plus, minus) = (lp.variable(), lp.variable());
    let all: Vec<(usize, i128)> = rows.iter().map(|&x| (x, 1)).collect();
    lp.equal(&all, Q::from(1));
    for column in 0..table[0].len() {
        let common: Vec<&Rational> = table.iter().map(|row| &row[column]).collect();
        let denom = common.iter().fold(1i128, |d, x| {
            let own: i128 = x.denom().to_string().parse().unwrap();
            d / gcd(d, own) * own
        });
        let slack = lp.variable();
        let mut row = vec![(plus, -denom), (minus, denom), (slack, -1)];
        for (&variable, x) in rows.iter().zip(common) {
            let whole = x * Rational::new(denom.into(), 1.into());
            row.push((variable, whole.to_integer().to_string().parse().unwrap()));
        }
        lp.equal(&row, Q::from(0));
    }
    let value = lp.maximise(&[(plus, Q::from(1)), (minus, Q::from(-1))]);
    Rational::new((*value.numer()).into(), (*value.denom()).into())
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[test]
fn law_values_are_those_of_the_table_of_all_pure_strategies() {
    let (mut tried, mut mixed) = (0, 0);
    for seed in 0..800 {
        let game = Duel::new(seed, 2 + (seed % 5) as usize);
        let (Some(mine), Some(theirs)) = (pure(&game, 0), pure(&game, 1)) else { continue };
        if mine.len() * theirs.len() > 150 {
            continue;
        }
        tried += 1;
        let table: Vec<Vec<Rational>> = mine
            .iter()
            .map(|m| {
                let against = |t: &Vec<_>| {
                    expectation(&game, &game.start(), &|p, info, a| does(if p == 0 { m } else { t }, info, a))
                };
                theirs.iter().map(against).collect()
            })
            .collect();
        let value = of_table(&table);
        let solved = Equilibrium::solve(&game, &Run::default()).unwrap();
        assert_eq!(solved.value(), Some(&value), "seed {seed}");
        // The strategies are what they are said to be: none of the other's pure strategies gets more against them.
        let policy = |p: u8, info: &<Duel as Hidden>::Info, a: u8| {
            solved.policy(p, info).unwrap().into_iter().find(|x| x.0 == a).unwrap().1
        };
        for t in &theirs {
            let play = |p: u8, info: &_, a| if p == 0 { policy(p, info, a) } else { does(t, info, a) };
            assert!(expectation(&game, &game.start(), &play) >= value, "seed {seed}");
        }
        for m in &mine {
            let play = |p: u8, info: &_, a| if p == 1 { policy(p, info, a) } else { does(m, info, a) };
            assert!(expectation(&game, &game.start(), &play) <= value, "seed {seed}");
        }
        let mut found = BTreeSet::new();
        infos(&game, &game.start(), 0, &mut found);
        let mixes = |info: &_| solved.policy(0, info).unwrap().iter().any(|x| !x.1.is_integer());
        mixed += u32::from(found.iter().any(|(info, _)| mixes(info)));
        // What every action is worth by what the player knows: the best of them is what is played.
        for (info, _) in &found {
            let (policy, Some(worth)) = (solved.policy(0, info).unwrap(), solved.worth(0, info)) else {
                continue;
            };
            let best = worth.iter().map(|w| &w.1).max().unwrap();
            for (share, value) in policy.iter().zip(&worth) {
                assert!(share.1 == Rational::from_int(0) || value.1 == *best, "seed {seed} {info:?}");
            }
        }
    }
    assert!(tried > 200 && mixed > 40, "{tried} {mixed}");
}

/// Kuhn poker with any number of cards.
struct Kuhn(u8);

impl Game for Kuhn {
    type State = (Vec<u8>, Vec<u8>);
    type Action = u8;

    fn start(&self) -> Self::State {
        (vec![], vec![])
    }
    fn turn(&self, (cards, done): &Self::State) -> Turn {
        match (cards.len(), done.as_slice()) {
            (0 | 1, _) => Turn::Chance,
            (_, [.., 1, _] | [0, 0]) => Turn::Terminal,
            (_, done) => Turn::Player(done.len() as u8 % 2),
        }
    }
    fn actions(&self, _: &Self::State, out: &mut Vec<u8>) {
        out.extend([0, 1]);
    }
    fn chance(&self, (cards, _): &Self::State, out: &mut Vec<(u8, u32)>) {
        out.extend((0..self.0).filter(|c| !cards.contains(c)).map(|c| (c, 1)));
    }
    fn apply(&self, (cards, done): &Self::State, a: u8) -> Self::State {
        let (mut cards, mut done) = (cards.clone(), done.clone());
        if cards.len() < 2 {
            cards.push(a)
        } else {
            done.push(a)
        }
        (cards, done)
    }
    fn utility(&self, (cards, done): &Self::State, player: u8) -> i32 {
        let showdown = if cards[0] > cards[1] { 1 } else { -1 };
        let first = match done.as_slice() {
            [.., 1, 1] => 2 * showdown,
            [1, 0] => 1,
            [0, 1, 0] => -1,
            _ => showdown,
        };
        if player == 0 { first } else { -first }
    }
}

impl Hidden for Kuhn {
    type Info = (u8, Vec<u8>);
    fn info(&self, (cards, done): &Self::State, player: u8) -> Self::Info {
        (cards[usize::from(player)], done.clone())
    }
}

#[test]
fn golden_kuhn_poker_has_its_known_values() {
    for (cards, n, d) in [(3, -1, 18), (4, -1, 24), (5, -1, 15), (6, -11, 180), (13, -5, 78)] {
        let solved = Equilibrium::solve(&Kuhn(cards), &Run::default()).unwrap();
        assert_eq!(solved.value(), Some(&Rational::new(n.into(), d.into())), "{cards} cards");
    }
}

#[test]
fn law_the_same_fractions_for_any_number_of_threads() {
    let of = |threads| {
        let run = Run { threads, ..Run::default() };
        let solved = Equilibrium::solve(&Kuhn(5), &run).unwrap();
        let infos = (0..5).flat_map(|card| [(0, (card, vec![])), (1, (card, vec![1])), (1, (card, vec![0]))]);
        infos.map(|(p, info)| (solved.policy(p, &info), solved.worth(p, &info))).collect::<Vec<_>>()
    };
    assert_eq!(of(1), of(3));
}

/// A game that breaks one of the laws of hidden games.
struct Broken(u8);

impl Game for Broken {
    type State = Vec<u8>;
    type Action = u8;
    fn start(&self) -> Vec<u8> {
        vec![]
    }
    fn turn(&self, s: &Vec<u8>) -> Turn {
        match s.len() {
            0 => Turn::Chance,
            1 | 2 => Turn::Player(0),
            _ => Turn::Terminal,
        }
    }
    fn actions(&self, s: &Vec<u8>, out: &mut Vec<u8>) {
        match (self.0, s.as_slice()) {
            (0, [1]) => out.push(7),
            (4, [_, 1]) => {}
            _ => out.extend([0, 1]),
        }
    }
    fn chance(&self, _: &Vec<u8>, out: &mut Vec<(u8, u32)>) {
        if self.0 != 3 {
            out.extend([(0, 1), (1, u32::from(self.0 != 2))]);
        }
    }
    fn apply(&self, s: &Vec<u8>, a: u8) -> Vec<u8> {
        [s.as_slice(), &[a]].concat()
    }
    fn utility(&self, s: &Vec<u8>, player: u8) -> i32 {
        let first = i32::from(s[1]);
        if player == 0 { first } else { -first + i32::from(self.0 == 5 && s == &[1, 1, 0]) }
    }
}

impl Hidden for Broken {
    type Info = Vec<u8>;
    fn info(&self, s: &Vec<u8>, _: u8) -> Vec<u8> {
        // The chance is hidden; the player forgets its first action where that is asked for.
        if self.0 == 1 { vec![s.len() as u8] } else { s[1..].to_vec() }
    }
}

#[test]
fn law_games_that_break_their_rules_are_refused_with_the_state_that_shows_it() {
    let said = |kind| match Equilibrium::solve(&Broken(kind), &Run::default()).err() {
        Some(error @ Error::Rules { .. }) => error.say(Lang::En),
        other => panic!("{kind}: {other:?}"),
    };
    for (kind, wrong, state) in [
        (0, "other actions", "[1]"),
        (1, "forgets", "[0, 1]"),
        (2, "weight 0", "[]"),
        (3, "no outcome", "[]"),
        (4, "no action", "[0, 1]"),
        (5, "do not add up to 0", "[1, 1, 0]"),
    ] {
        let said = said(kind);
        assert!(said.contains(wrong) && said.contains(state), "{kind}: {said}");
    }
    assert!(Equilibrium::solve(&Broken(9), &Run::default()).is_ok());
}

#[test]
fn law_what_does_not_fit_is_refused() {
    let tiny = Run { memory: 2000, ..Run::default() };
    let refused = Equilibrium::solve(&Kuhn(9), &tiny).err();
    assert!(matches!(refused, Some(Error::TooManyStates { .. } | Error::Memory { .. })), "{refused:?}");
    let stop = std::sync::atomic::AtomicBool::new(true);
    let cancelled = Run { cancel: &stop, ..Run::default() };
    assert!(matches!(Equilibrium::solve(&Kuhn(3), &cancelled), Err(Error::Cancelled)));
}
