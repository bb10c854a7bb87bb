//! Games are expanded and solved as the slow and obvious twins beside them say: made-up games of every kind, Nim by the
//! mex rule, tic-tac-toe; and games that break their own rules are refused by name.

use crate::desk::Desk;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use yomikiri_core::random::Random;
use yomikiri_core::{Canonical, Error, Game, Lang, Number, Observer, Rational, Run, Text, Turn};
use yomikiri_solve::auto::{Features, Method};
use yomikiri_solve::graph::Graph;
use yomikiri_solve::memo::Memo;
use yomikiri_solve::{Auto, Solution, Solver};

/// A game given by its states: who acts, where it leads with which weights, and what its end is worth to everybody.
#[derive(Clone, Debug)]
struct Node {
    turn: Turn,
    next: Vec<(usize, u32)>,
    payoffs: Vec<i32>,
}

struct Made<const PLAYERS: usize>(Vec<Node>);

impl<const PLAYERS: usize> Game for Made<PLAYERS> {
    type State = usize;
    /// Which of the successors.
    type Action = usize;
    const PLAYERS: usize = PLAYERS;

    fn start(&self) -> usize {
        0
    }
    fn turn(&self, s: &usize) -> Turn {
        self.0[*s].turn
    }
    fn actions(&self, s: &usize, out: &mut Vec<usize>) {
        out.extend(0..self.0[*s].next.len());
    }
    fn chance(&self, s: &usize, out: &mut Vec<(usize, u32)>) {
        out.extend(self.0[*s].next.iter().map(|next| next.1).enumerate());
    }
    fn apply(&self, s: &usize, a: usize) -> usize {
        self.0[*s].next[a].0
    }
    fn utility(&self, s: &usize, player: u8) -> i32 {
        self.0[*s].payoffs[usize::from(player)]
    }
}

impl<const PLAYERS: usize> Canonical for Made<PLAYERS> {
    type Key = usize;
    fn key(&self, s: &usize) -> Option<usize> {
        Some(*s)
    }
    fn symmetric(&self, _: &usize, _: &mut Vec<usize>) {}
}

/// How made-up games are made.
struct Plan {
    states: u64,
    chance: bool,
    cycles: bool,
    payoff: u64,
}

impl<const PLAYERS: usize> Made<PLAYERS> {
    fn new(plan: &Plan, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut nodes = Vec::new();
        for s in 0..plan.states {
            let payoffs: Vec<i32> = match PLAYERS {
                2 => {
                    let x = random.below(2 * plan.payoff + 1) as i32 - plan.payoff as i32;
                    vec![x, -x]
                }
                _ => (0..PLAYERS)
                    .map(|_| random.below(2 * plan.payoff + 1) as i32 - plan.payoff as i32)
                    .collect(),
            };
            let (first, last) = (s == 0 && plan.states > 1, !plan.cycles && s + 1 == plan.states);
            let turn = match random.below(if plan.cycles { 7 } else { 12 }) {
                0 if !first => Turn::Terminal,
                1..=3 if plan.chance => Turn::Chance,
                _ => Turn::Player(random.below(PLAYERS as u64) as u8),
            };
            let turn = if last { Turn::Terminal } else { turn };
            let mut next = Vec::new();
            if turn != Turn::Terminal {
                for _ in 0..1 + random.below(4) {
                    let to = match plan.cycles {
                        true => random.below(plan.states),
                        // Not far ahead, so that games are long.
                        false => s + 1 + random.below((plan.states - s - 1).min(9)),
                    };
                    next.push((to as usize, 1 + random.below(9) as u32));
                }
            }
            nodes.push(Node { turn, next, payoffs });
        }
        Made(nodes)
    }

    fn reached(&self) -> HashSet<usize> {
        let mut seen = HashSet::from([0]);
        let mut open = vec![0];
        while let Some(s) = open.pop() {
            open.extend(self.0[s].next.iter().map(|n| n.0).filter(|t| seen.insert(*t)));
        }
        seen
    }
}

fn int(n: i32) -> Rational {
    Rational::from_int(n)
}

fn solve<G: Game>(game: &G) -> Auto<G> {
    Auto::solve(game, &Run::default()).unwrap()
}

/// Values by looking at every state as often as there are states, nothing to come being worth 0: after so many rounds
/// whoever can force a result other than endless play has forced it, and nobody was hurt by the end coming early.
fn by_rounds<const P: usize>(game: &Made<P>) -> Vec<i32> {
    let mut values = vec![0; game.0.len()];
    for _ in 0..=game.0.len() {
        let before = values.clone();
        for (s, node) in game.0.iter().enumerate() {
            let after = node.next.iter().map(|n| before[n.0]);
            values[s] = match node.turn {
                Turn::Terminal => node.payoffs[0],
                Turn::Player(0) => after.max().unwrap(),
                _ => after.min().unwrap(),
            };
        }
    }
    values
}

/// Distances by their definition: one round a ply. Nobody leaves the best value; the winner is there with the first
/// successor, the loser with the last.
fn plies_by_rounds<const P: usize>(game: &Made<P>, values: &[i32]) -> Vec<Option<u32>> {
    let ends = game.0.iter().map(|node| (node.turn == Turn::Terminal).then_some(0));
    let mut plies: Vec<Option<u32>> = ends.collect();
    for round in 1..=game.0.len() as u32 {
        let before = plies.clone();
        for (s, node) in game.0.iter().enumerate() {
            if plies[s].is_some() || values[s] == 0 {
                continue;
            }
            let winner = Turn::Player(u8::from(values[s] < 0));
            let mut good = node.next.iter().map(|n| n.0).filter(|t| values[*t] == values[s]);
            let done = match node.turn == winner {
                true => good.any(|t| before[t].is_some()),
                false => good.all(|t| before[t].is_some()),
            };
            if done {
                plies[s] = Some(round);
            }
        }
    }
    plies
}

fn cycles_are_as_by_rounds<const P: usize>(seeds: u64) -> (u32, u32, u32) {
    let (mut won, mut endless, mut longest) = (0, 0, 0);
    for seed in 0..seeds {
        let plan = Plan {
            states: 2 + seed % 60,
            chance: false,
            cycles: true,
            payoff: [1, 2, 50][seed as usize % 3],
        };
        let game = Made::<P>::new(&plan, seed);
        let (solved, values) = (solve(&game), by_rounds(&game));
        let plies = plies_by_rounds(&game, &values);
        let reached = game.reached();
        assert_eq!(solved.features().states, reached.len() as u64);
        for s in 0..game.0.len() {
            if !reached.contains(&s) {
                assert!(!solved.covers(&s) && solved.value_of(&game, &s, 0).is_none());
                assert_eq!(solved.distance(&game, &s), None);
                continue;
            }
            assert_eq!(solved.value_of(&game, &s, 0), Some(int(values[s])), "seed {seed}, state {s}");
            assert_eq!(solved.distance(&game, &s), plies[s], "seed {seed}, state {s}");
            if P == 2 {
                assert_eq!(solved.value_of(&game, &s, 1), Some(int(-values[s])));
            }
            assert_eq!(solved.value_of(&game, &s, P as u8), None, "no such player");
            if solved.method() == Method::Retrograde {
                won += u32::from(values[s] != 0);
                endless += u32::from(values[s] == 0 && game.0[s].turn != Turn::Terminal);
                longest = longest.max(plies[s].unwrap_or(0));
            }
        }
    }
    (won, endless, longest)
}

#[test]
fn law_cycles_with_any_payoffs_are_as_by_rounds() {
    let (won, endless, longest) = cycles_are_as_by_rounds::<2>(3000);
    assert!(won > 10_000 && endless > 10_000 && longest > 8, "{won} {endless} {longest}");
    let (won, endless, longest) = cycles_are_as_by_rounds::<1>(1000);
    assert!(won > 5_000 && endless > 100 && longest > 4, "{won} {endless} {longest}");
}

/// Without chance and without cycles induction finds what rounds find, distances included.
#[test]
fn law_induction_without_chance_is_as_by_rounds() {
    let mut longest = 0;
    for seed in 0..600 {
        let plan = Plan { states: 1 + seed % 80, chance: false, cycles: false, payoff: 1 + seed % 4 };
        let game = Made::<2>::new(&plan, seed);
        let (solved, values) = (solve(&game), by_rounds(&game));
        assert_eq!(solved.method(), Method::Induction);
        let plies = plies_by_rounds(&game, &values);
        for s in game.reached() {
            assert_eq!(solved.value_of(&game, &s, 0), Some(int(values[s])), "seed {seed}, state {s}");
            assert_eq!(solved.distance(&game, &s), plies[s], "seed {seed}, state {s}");
            longest = longest.max(plies[s].unwrap_or(0));
        }
    }
    assert!(longest > 10, "{longest}");
}

/// Whether best play from a state may meet chance, and otherwise how long it is: by recursion.
fn plies_without_chance<const P: usize>(game: &Made<P>, solved: &Auto<Made<P>>, s: usize) -> Option<u32> {
    let node = &game.0[s];
    let Turn::Player(me) = node.turn else { return (node.turn == Turn::Terminal).then_some(0) };
    let value = solved.value_of(game, &s, 0)?;
    let won = if value > int(0) { 0 } else { 1 };
    let good = node.next.iter().map(|n| n.0).filter(|t| solved.value_of(game, t, 0) == Some(value.clone()));
    let after: Option<Vec<u32>> = good.map(|t| plies_without_chance(game, solved, t)).collect();
    let after = after.filter(|_| value != int(0))?;
    Some(1 + if me == won { after.into_iter().min()? } else { after.into_iter().max()? })
}

fn induction_is_recursion<const P: usize>(seeds: u64) -> (u32, u32) {
    let (mut fractions, mut distances) = (0, 0);
    for seed in 0..seeds {
        let plan = Plan { states: 1 + seed % 60, chance: true, cycles: false, payoff: 1 + seed % 5 };
        let game = Made::<P>::new(&plan, seed);
        let solved = solve(&game);
        let memo = Memo::<Rational>::new().solve(&game, &Run::default()).unwrap();
        assert!(!solved.features().cycles && solved.method() == Method::Induction);
        for s in game.reached() {
            let value = solved.value(&game, &s).unwrap();
            assert_eq!(Some(&value), memo.value(&game, &s).as_ref(), "seed {seed}, state {s}");
            assert_eq!(solved.moves(&game, &s), memo.moves(&game, &s), "seed {seed}, state {s}");
            fractions += u32::from(!value.is_integer());
            if seed % 10 == 0 {
                let plies = plies_without_chance(&game, &solved, s);
                assert_eq!(solved.distance(&game, &s), plies, "seed {seed}, state {s}");
                distances += u32::from(plies.is_some_and(|d| d > 0));
            }
        }
    }
    (fractions, distances)
}

#[test]
fn law_induction_with_chance_is_recursion_in_fractions() {
    let (fractions, distances) = induction_is_recursion::<2>(800);
    assert!(fractions > 2_000 && distances > 200, "{fractions} {distances}");
    let (fractions, distances) = induction_is_recursion::<1>(400);
    assert!(fractions > 500 && distances > 50, "{fractions} {distances}");
}

/// A long game of tosses has values with hundreds of digits.
#[test]
fn law_values_beyond_machine_integers_are_exact() {
    let mut random = Random::new(2);
    let nodes = (0..120usize).map(|s| match s {
        118.. => Node { turn: Turn::Terminal, next: vec![], payoffs: vec![s as i32 - 118, 118 - s as i32] },
        _ if s % 5 == 4 => {
            let next = vec![(s + 1, 1), (118 + s % 2, 1)];
            Node { turn: Turn::Player(s as u8 % 2), next, payoffs: vec![] }
        }
        _ => {
            let weight = |random: &mut Random| 1 + random.below(u64::from(u32::MAX)) as u32;
            let next = vec![(s + 1, weight(&mut random)), (118 + s % 2, weight(&mut random))];
            Node { turn: Turn::Chance, next, payoffs: vec![] }
        }
    });
    let game = Made::<2>(nodes.collect());
    let (solved, memo) = (solve(&game), Memo::<Rational>::new().solve(&game, &Run::default()).unwrap());
    let mut digits = 0;
    for s in game.reached() {
        let value = solved.value(&game, &s).unwrap();
        assert_eq!(Some(&value), memo.value(&game, &s).as_ref(), "{s}");
        digits = digits.max(value.denom().to_string().len());
    }
    assert!(digits > 20, "{digits}");
}

/// Everybody takes the most for itself, the first of equal actions.
fn for_everybody<const P: usize>(game: &Made<P>, s: usize) -> Vec<Rational> {
    let node = &game.0[s];
    let mut after = node.next.iter().map(|&(t, weight)| (for_everybody(game, t), weight));
    match node.turn {
        Turn::Terminal => node.payoffs.iter().map(|&x| int(x)).collect(),
        Turn::Player(p) => {
            let mut best = after.next().unwrap().0;
            for (row, _) in after {
                if row[usize::from(p)] > best[usize::from(p)] {
                    best = row;
                }
            }
            best
        }
        Turn::Chance => {
            let total = node.next.iter().map(|n| u64::from(n.1)).sum();
            let mut sum = vec![int(0); P];
            for (row, weight) in after {
                sum.iter_mut().zip(&row).for_each(|(sum, x)| sum.add_weighted(weight, x));
            }
            sum.iter_mut().for_each(|sum| sum.divide(total));
            sum
        }
    }
}

fn many_players_are_as_recursion<const P: usize>() {
    let mut different = HashSet::new();
    for seed in 0..300 {
        let plan = Plan { states: 1 + seed % 22, chance: seed % 2 == 0, cycles: false, payoff: 2 };
        let game = Made::<P>::new(&plan, seed);
        let solved = solve(&game);
        for s in game.reached() {
            let row: Option<Vec<Rational>> = (0..P as u8).map(|p| solved.value_of(&game, &s, p)).collect();
            assert_eq!(row.as_ref(), Some(&for_everybody(&game, s)), "seed {seed}, state {s}");
            assert_eq!(solved.distance(&game, &s), None);
            if let Turn::Player(p) = game.0[s].turn {
                // A value of an action is the mover's, whoever moves next.
                let best = solved.moves(&game, &s).into_iter().map(|m| m.1.unwrap()).max();
                assert_eq!(best, solved.value_of(&game, &s, p));
                assert_eq!(best, solved.value(&game, &s));
            }
            different.insert(row);
        }
        assert!(solved.why().en.contains("of equal actions the first"), "{}", solved.why().en);
    }
    assert!(different.len() > 150, "{}", different.len());
}

#[test]
fn law_three_and_more_players_take_the_most_for_themselves() {
    many_players_are_as_recursion::<3>();
    many_players_are_as_recursion::<5>();
}

/// Heaps from which so many stones may be taken as `take` lists.
struct Nim {
    heaps: [u8; 3],
    take: Vec<u8>,
}

impl Game for Nim {
    type State = ([u8; 3], u8);
    type Action = (u8, u8);

    fn start(&self) -> Self::State {
        (self.heaps, 0)
    }
    fn turn(&self, s: &Self::State) -> Turn {
        let mut actions = Vec::new();
        self.actions(s, &mut actions);
        if actions.is_empty() { Turn::Terminal } else { Turn::Player(s.1) }
    }
    fn actions(&self, s: &Self::State, out: &mut Vec<(u8, u8)>) {
        for heap in 0..3 {
            let all = self.take.iter().filter(|n| **n <= s.0[usize::from(heap)]);
            out.extend(all.map(|n| (heap, *n)));
        }
    }
    fn apply(&self, &(mut heaps, player): &Self::State, (heap, stones): (u8, u8)) -> Self::State {
        heaps[usize::from(heap)] -= stones;
        (heaps, 1 - player)
    }
    fn utility(&self, s: &Self::State, player: u8) -> i32 {
        if s.1 == player { -1 } else { 1 }
    }
}

/// The Grundy number of a heap: the least that no move leads to.
fn mex(take: &[u8], heap: u8) -> u8 {
    let after: Vec<u8> = take.iter().filter(|n| **n <= heap).map(|n| mex(take, heap - n)).collect();
    (0..).find(|n| !after.contains(n)).unwrap()
}

/// What player 0 gets if both players keep to a choice in every state: equations for the states that may come to an end,
/// and 0 for those that cannot.
fn kept<const P: usize>(game: &Made<P>, chosen: &[usize]) -> Vec<Rational> {
    let leads = |s: usize| -> Vec<(usize, Rational)> {
        let node = &game.0[s];
        match node.turn {
            Turn::Terminal => vec![],
            Turn::Player(_) => vec![(node.next[chosen[s]].0, int(1))],
            Turn::Chance => {
                let total: i32 = node.next.iter().map(|n| n.1 as i32).sum();
                node.next.iter().map(|n| (n.0, int(n.1 as i32) / int(total))).collect()
            }
        }
    };
    let states = game.0.len();
    let mut ends: Vec<bool> = game.0.iter().map(|node| node.turn == Turn::Terminal).collect();
    for _ in 0..states {
        for s in 0..states {
            ends[s] = ends[s] || leads(s).iter().any(|(t, _)| ends[*t]);
        }
    }
    // Rows of (1 − P | b), brought to the unit matrix.
    let mut rows: Vec<Vec<Rational>> = (0..states)
        .map(|s| {
            let mut row = vec![int(0); states + 1];
            row[s] += int(1);
            if ends[s] {
                leads(s).into_iter().for_each(|(t, p)| row[t] -= p);
            }
            if game.0[s].turn == Turn::Terminal {
                row[states] = int(game.0[s].payoffs[0]);
            }
            row
        })
        .collect();
    for column in 0..states {
        let pivot = (column..states).find(|&r| rows[r][column] != int(0)).expect("one solution");
        rows.swap(column, pivot);
        let by = rows[column][column].clone();
        rows[column].iter_mut().for_each(|x| *x /= &by);
        let line = rows[column].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != column && row[column] != int(0) {
                let by = row[column].clone();
                row.iter_mut().zip(&line).for_each(|(x, l)| *x -= &by * l);
            }
        }
    }
    rows.into_iter().map(|mut row| row.remove(states)).collect()
}

/// All ways in which a player can keep to a choice in every state.
fn choices<const P: usize>(game: &Made<P>, player: u8) -> Vec<Vec<usize>> {
    game.0.iter().fold(vec![vec![]], |all, node| {
        let own = node.turn == Turn::Player(player);
        let many = if own { node.next.len() } else { 1 };
        let more = |c: &Vec<usize>| (0..many).map(|a| [c.as_slice(), &[a]].concat()).collect::<Vec<_>>();
        all.iter().flat_map(more).collect()
    })
}

fn stochastic_is_as_by_trying<const P: usize>(seeds: u64) -> (u32, u32) {
    let (mut tried, mut fractions) = (0, 0);
    for seed in 0..seeds {
        let plan = Plan { states: 2 + seed % 7, chance: true, cycles: true, payoff: 1 + seed % 3 };
        let game = Made::<P>::new(&plan, seed);
        let (mine, theirs) = (choices(&game, 0), choices(&game, 1));
        if mine.len() * theirs.len() > 400 {
            continue;
        }
        let solved = solve(&game);
        if solved.method() != Method::Stochastic {
            continue;
        }
        tried += 1;
        for &s in &game.reached() {
            let of = |a: &Vec<usize>, b: &Vec<usize>| {
                let both: Vec<usize> = a.iter().zip(b).map(|(a, b)| a + b).collect();
                kept(&game, &both)[s].clone()
            };
            let worst = |a: &Vec<usize>| theirs.iter().map(|b| of(a, b)).min().unwrap();
            let value = mine.iter().map(worst).max().unwrap();
            fractions += u32::from(!value.is_integer());
            assert_eq!(solved.value_of(&game, &s, 0), Some(value), "seed {seed}, state {s}: {:?}", game.0);
        }
    }
    (tried, fractions)
}

#[test]
fn law_cycles_with_chance_are_as_by_trying_every_strategy() {
    let (tried, fractions) = stochastic_is_as_by_trying::<2>(500);
    assert!(tried > 300 && fractions > 60, "{tried} {fractions}");
    let (tried, fractions) = stochastic_is_as_by_trying::<1>(300);
    assert!(tried > 150 && fractions > 30, "{tried} {fractions}");
}

/// Two players in turn take what lies there, the larger part for themselves, or let it double.
struct Centipede(u8);

impl Game for Centipede {
    type State = (u8, bool);
    type Action = bool;
    const ZERO_SUM: bool = false;

    fn start(&self) -> (u8, bool) {
        (0, false)
    }
    fn turn(&self, &(round, taken): &(u8, bool)) -> Turn {
        if taken { Turn::Terminal } else { Turn::Player(round % 2) }
    }
    fn actions(&self, &(round, _): &(u8, bool), out: &mut Vec<bool>) {
        out.extend(if round < self.0 { vec![false, true] } else { vec![true] });
    }
    fn apply(&self, &(round, _): &(u8, bool), take: bool) -> (u8, bool) {
        if take { (round, true) } else { (round + 1, false) }
    }
    fn utility(&self, &(round, _): &(u8, bool), player: u8) -> i32 {
        if player == round % 2 { 4 << round } else { 1 << round }
    }
}

#[test]
fn law_two_players_who_are_not_opposed_take_the_most_for_themselves() {
    for rounds in 1..12 {
        let game = Centipede(rounds);
        let solved = solve(&game);
        assert_eq!([0, 1].map(|p| solved.value_of(&game, &game.start(), p)), [Some(int(4)), Some(int(1))]);
        assert!(solved.why().en.starts_with("two players, not zero-sum, no chance, no cycles"));
        assert!(solved.why().en.contains("of equal actions the first"));
    }
}

#[test]
fn law_nim_is_won_as_the_mex_rule_says() {
    for (take, most) in [((1..=6).collect(), 6), (vec![1, 2, 3], 7), (vec![1, 3, 4], 8), (vec![2, 5], 8)] {
        let game = Nim { heaps: [most; 3], take };
        let grundy: Vec<u8> = (0..=most).map(|heap| mex(&game.take, heap)).collect();
        let solved = solve(&game);
        let mut checked = 0;
        for a in 0..=most {
            for b in 0..=most {
                for c in 0..=most {
                    let first_wins = [a, b, c].iter().fold(0, |x, heap| x ^ grundy[usize::from(*heap)]) != 0;
                    for player in 0..2 {
                        let s = ([a, b, c], player);
                        let Some(value) = solved.value(&game, &s) else { continue };
                        let over = game.turn(&s) == Turn::Terminal;
                        let won = if over { player == 1 } else { first_wins };
                        assert_eq!(value, int(if won { 1 } else { -1 }), "{s:?}");
                        // Winners make the last move.
                        let plies = solved.distance(&game, &s).unwrap();
                        assert!(if over { plies == 0 } else { (plies % 2 == 1) == first_wins }, "{s:?}");
                        checked += 1;
                    }
                }
            }
        }
        assert_eq!(checked, solved.features().states, "every state is one of these");
    }
}

struct TicTacToe;

impl TicTacToe {
    fn won(board: &[u8; 9]) -> Option<u8> {
        let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
        let full = |line: &&[usize; 3]| line.iter().all(|i| board[*i] == board[line[0]] && board[*i] < 2);
        lines.iter().find(full).map(|line| board[line[0]])
    }
}

impl Game for TicTacToe {
    type State = [u8; 9];
    type Action = u8;

    fn start(&self) -> [u8; 9] {
        [2; 9]
    }
    fn turn(&self, s: &[u8; 9]) -> Turn {
        let free = s.iter().filter(|c| **c == 2).count();
        if free == 0 || Self::won(s).is_some() { Turn::Terminal } else { Turn::Player((9 - free as u8) % 2) }
    }
    fn actions(&self, s: &[u8; 9], out: &mut Vec<u8>) {
        out.extend((0..9).filter(|i| s[usize::from(*i)] == 2));
    }
    fn apply(&self, s: &[u8; 9], a: u8) -> [u8; 9] {
        let Turn::Player(p) = self.turn(s) else { return *s };
        let mut after = *s;
        after[usize::from(a)] = p;
        after
    }
    fn utility(&self, s: &[u8; 9], player: u8) -> i32 {
        Self::won(s).map_or(0, |won| if won == player { 1 } else { -1 })
    }
}

#[test]
fn law_tic_tac_toe_is_a_draw_of_5478_positions() {
    let solved = solve(&TicTacToe);
    let features =
        Features { players: 2, chance: false, cycles: false, zero_sum: true, states: 5_478, edges: 16_167 };
    assert_eq!(solved.features(), &features);
    let why = solved.why();
    assert_eq!(why.en, "two players, no chance, no cycles, 5,478 positions: solved by induction");
    assert_eq!(why.ja, "2人、偶然なし、循環なし、5,478局面：後ろ向き帰納法で解きました");
    assert_eq!(solved.value(&TicTacToe, &TicTacToe.start()), Some(int(0)));
    assert_eq!(solved.distance(&TicTacToe, &TicTacToe.start()), None);
    assert!(solved.moves(&TicTacToe, &TicTacToe.start()).iter().all(|m| m.1 == Some(int(0))));
    // Two crosses in a row and a free field win at once; a side against a corner loses the game, not at once.
    let two = [0, 0, 2, 1, 1, 2, 2, 2, 2];
    assert_eq!((solved.value(&TicTacToe, &two), solved.distance(&TicTacToe, &two)), (Some(int(1)), Some(1)));
    let side = [0, 1, 2, 2, 2, 2, 2, 2, 2];
    assert_eq!(
        (solved.value(&TicTacToe, &side), solved.distance(&TicTacToe, &side)),
        (Some(int(1)), Some(5))
    );
    assert!(!solved.covers(&[0; 9]));
    assert_eq!(solved.value_of(&TicTacToe, &[0; 9], 0), None);
}

#[test]
fn law_a_game_is_solved_from_any_state() {
    let whole = solve(&TicTacToe);
    let start = [0, 2, 2, 2, 1, 2, 2, 2, 2];
    let part = Auto::solve_from(&TicTacToe, &start, &Run::default()).unwrap();
    assert!(!part.covers(&TicTacToe.start()) && part.features().states < 1000);
    assert_eq!(part.value(&TicTacToe, &start), whole.value(&TicTacToe, &start));
    // A game that is over before it begins.
    let over = Auto::solve_from(&TicTacToe, &[0, 0, 0, 1, 1, 2, 2, 2, 2], &Run::default()).unwrap();
    assert_eq!(over.features(), &Features { states: 1, edges: 0, ..whole.features().clone() });
    assert_eq!(over.why().en, "two players, no chance, no cycles, 1 position: solved by induction");
    assert_eq!(over.value(&TicTacToe, &[0, 0, 0, 1, 1, 2, 2, 2, 2]), Some(int(1)));
    assert_eq!(over.distance(&TicTacToe, &[0, 0, 0, 1, 1, 2, 2, 2, 2]), Some(0));
}

/// Connected groups and their order, against reachability by trying everything.
#[test]
fn law_components_are_what_can_be_reached_from_each_other() {
    let (mut large, mut loops) = (0, 0);
    for seed in 0..400 {
        let plan = Plan { states: 2 + seed % 40, chance: seed % 3 == 0, cycles: seed % 4 != 0, payoff: 1 };
        let game = Made::<2>::new(&plan, seed);
        let graph = Graph::expand(&game, &[0], &Run::default()).unwrap();
        let n = graph.len();
        let mut reach = vec![vec![false; n]; n];
        for (from, row) in reach.iter_mut().enumerate() {
            graph.successors(from as u32).iter().for_each(|to| row[*to as usize] = true);
        }
        for by in 0..n {
            let through = reach[by].clone();
            for from in reach.iter_mut().filter(|from| from[by]) {
                from.iter_mut().zip(&through).for_each(|(to, more)| *to |= *more);
            }
        }
        let components = graph.components(&Run::default()).unwrap();
        assert_eq!(components.cycles(), (0..n).any(|s| reach[s][s]), "seed {seed}");
        loops += u32::from(components.cycles());
        let mut of = vec![usize::MAX; n];
        for i in 0..components.len() {
            components.get(i).iter().for_each(|s| of[*s as usize] = i);
            large += u32::from(components.get(i).len() > 2);
        }
        assert_eq!((0..components.len()).map(|i| components.get(i).len()).sum::<usize>(), n);
        for from in 0..n {
            for to in 0..n {
                let together = from == to || reach[from][to] && reach[to][from];
                assert_eq!(of[from] == of[to], together, "seed {seed}: {from}, {to}");
                assert!(!reach[from][to] || of[to] <= of[from], "seed {seed}: {from} leads to {to}");
            }
        }
    }
    assert!(large > 100 && (200..400).contains(&loops), "{large} {loops}");
}

/// Walks on a torus.
struct Torus {
    side: u16,
}

impl Game for Torus {
    type State = (u16, u16, u8);
    type Action = u8;

    fn start(&self) -> Self::State {
        (1, 1, 0)
    }
    fn turn(&self, &(x, y, who): &Self::State) -> Turn {
        match (x * 7 + y * 13) % 64 {
            0 => Turn::Terminal,
            _ => Turn::Player(who),
        }
    }
    fn actions(&self, _: &Self::State, out: &mut Vec<u8>) {
        out.extend(0..4);
    }
    fn apply(&self, &(x, y, who): &Self::State, a: u8) -> Self::State {
        let step = |at: u16| (at + 1) % self.side;
        match a {
            0 => (step(x), y, 1 - who),
            1 => (x, step(y), 1 - who),
            2 => (step(step(x)), step(y), 1 - who),
            _ => (step(x), step(step(y)), who),
        }
    }
    fn utility(&self, s: &Self::State, player: u8) -> i32 {
        let x = i32::from((s.0 * 3 + s.1 * 5) % 9) - 4;
        if player == 0 { x } else { -x }
    }
}

/// A game whose states are found in crowds, so that threads share them.
fn crowd(chance: bool) -> Made<2> {
    Made::new(&Plan { states: 60_000, chance, cycles: true, payoff: 9 }, 4)
}

#[test]
fn law_threads_do_not_matter() {
    let game = crowd(true);
    let one = Graph::expand(&game, &[game.start()], &Run::default()).unwrap();
    assert!(one.len() > 40_000 && one.has_chance());
    for threads in [2, 3] {
        let other = Graph::expand(&game, &[game.start()], &Run { threads, ..Run::default() }).unwrap();
        assert!(one.states() == other.states(), "the same numbers");
        assert_eq!(one.edges(), other.edges());
        for s in 0..one.len() as u32 {
            assert_eq!(one.turn(s), other.turn(s));
            assert_eq!(one.successors(s), other.successors(s));
            assert_eq!(one.weights(s), other.weights(s));
            assert_eq!(one.payoffs(s), other.payoffs(s));
        }
    }
    let game = crowd(false);
    let one = solve(&game);
    let two = Auto::solve(&game, &Run { threads: 2, ..Run::default() }).unwrap();
    assert_eq!(one.method(), Method::Retrograde);
    assert_eq!((one.why(), one.features(), one.bytes()), (two.why(), two.features(), two.bytes()));
    let why = one.why().en;
    assert!(why.ends_with("solved by retrograde analysis; endless play is worth 0"), "{why}");
    let mut values = HashSet::new();
    for s in 0..game.0.len() {
        assert_eq!(one.value(&game, &s), two.value(&game, &s));
        assert_eq!(one.distance(&game, &s), two.distance(&game, &s));
        values.insert(one.value(&game, &s));
    }
    assert_eq!(values.len(), 20, "every payoff, and states that were not reached");
}

/// A graph of the same game that was stopped is not made anew, and is the same in the end.
#[test]
fn law_a_stopped_expansion_goes_on_to_the_same_graph() {
    let game = crowd(true);
    let starts = [game.start()];
    let whole = Graph::expand(&game, &starts, &Run::default()).unwrap();
    let same = |other: &Graph<Made<2>>| {
        whole.states() == other.states()
            && (0..whole.len() as u32).all(|s| {
                whole.turn(s) == other.turn(s)
                    && whole.successors(s) == other.successors(s)
                    && whole.weights(s) == other.weights(s)
                    && whole.payoffs(s) == other.payoffs(s)
            })
    };
    for (threads, patience) in [(1, 40), (1, 64), (2, 9), (3, 12)] {
        let desk = Desk { left: u64::MAX.into(), cancel: false.into(), drawer: Mutex::default() };
        let (mut stops, mut kept) = (0, 0);
        let graph = loop {
            // What is read again is told, too: patience grows, so that each run comes further.
            desk.left.store(patience * (stops + 1), Ordering::Relaxed);
            desk.cancel.store(false, Ordering::Relaxed);
            let run = Run { observer: &desk, store: &desk, cancel: &desk.cancel, threads, ..Run::default() };
            match Graph::expand_keeping(&game, &starts, Some("crowd"), &run) {
                Ok(graph) => break graph,
                Err(Error::Cancelled) => stops += 1,
                Err(e) => panic!("{e}"),
            }
            let bytes = desk.drawer.lock().unwrap().values().map(Vec::len).sum::<usize>();
            assert!(bytes >= kept, "nothing is lost by a stop");
            kept = bytes;
        };
        assert!(stops > 0 && kept > 0, "{stops} stops, {kept} bytes");
        assert!(same(&graph), "{threads} threads, {stops} stops");
        // What is kept belongs to its name and its rules; otherwise everything is found anew.
        let run = Run { store: &desk, ..Run::default() };
        assert!(same(&Graph::expand_keeping(&game, &starts, Some("another"), &run).unwrap()));
        let other = Made::<2>::new(&Plan { states: 60_000, chance: true, cycles: true, payoff: 9 }, 5);
        let fresh = Graph::expand(&other, &[0], &Run::default()).unwrap();
        let told = Graph::expand_keeping(&other, &[0], Some("crowd"), &run).unwrap();
        assert!(fresh.states() == told.states() && fresh.edges() == told.edges());
        // Damage is noticed, or does no harm.
        let whole_file = desk.drawer.lock().unwrap().values().next().unwrap().clone();
        for cut in [0, 3, 12, 40, whole_file.len() / 2, whole_file.len() - 1] {
            desk.drawer.lock().unwrap().values_mut().for_each(|kept| *kept = whole_file[..cut].to_vec());
            assert!(
                same(&Graph::expand_keeping(&game, &starts, Some("crowd"), &run).unwrap()),
                "cut at {cut}"
            );
        }
    }
}

/// A solver that is stopped has kept the positions; when it is done nothing stays.
#[test]
fn law_positions_are_kept_until_the_game_is_solved() {
    let game = crowd(false);
    let desk = Desk { left: u64::MAX.into(), cancel: false.into(), drawer: Mutex::default() };
    let run = Run { observer: &desk, store: &desk, cancel: &desk.cancel, ..Run::default() };
    let told = |run: &Run<'_>| Auto::solve_keeping(&game, &game.start(), Some("crowd"), run);
    let calm = told(&run).unwrap();
    let all = u64::MAX - desk.left.load(Ordering::Relaxed);
    assert!(desk.drawer.lock().unwrap().is_empty());
    desk.left.store(all - 1, Ordering::Relaxed);
    assert!(matches!(told(&run), Err(Error::Cancelled)));
    assert_eq!(desk.drawer.lock().unwrap().len(), 1);
    desk.cancel.store(false, Ordering::Relaxed);
    desk.left.store(u64::MAX, Ordering::Relaxed);
    let again = told(&run).unwrap();
    assert!(desk.drawer.lock().unwrap().is_empty());
    for s in 0..game.0.len() {
        assert_eq!(calm.value(&game, &s), again.value(&game, &s));
        assert_eq!(calm.distance(&game, &s), again.distance(&game, &s));
    }
}

/// Of several faults the first in the order of the walk is named.
#[test]
fn law_the_first_fault_is_named_whatever_the_number_of_threads() {
    let whole = crowd(true);
    let reached = Graph::expand(&whole, &[0], &Run::default()).unwrap().states().to_vec();
    for first in [1, 1_000, 20_000, 20_001] {
        let mut game = Made::<2>(whole.0.clone());
        for place in [39_999, 30_000, 20_001, first] {
            game.0[reached[place]].turn = Turn::Player(9);
        }
        for threads in [1, 2, 3] {
            match Graph::expand(&game, &[0], &Run { threads, ..Run::default() }) {
                Err(Error::Rules { state, .. }) => {
                    assert_eq!(state, reached[first].to_string(), "{threads} threads");
                }
                other => panic!("{:?}", other.err()),
            }
        }
    }
}

/// The graph says what the rules say, state by state, in the order in which a walk meets the states.
#[test]
fn law_a_graph_is_the_rules() {
    for seed in 0..200 {
        let plan = Plan { states: 1 + seed, chance: true, cycles: seed % 2 == 0, payoff: 9 };
        let game = Made::<2>::new(&plan, seed);
        let graph = Graph::expand(&game, &[0], &Run::default()).unwrap();
        let mut met = vec![0];
        let mut edges = 0;
        for (number, s) in graph.states().iter().enumerate() {
            let (number, node) = (number as u32, &game.0[*s]);
            assert_eq!((graph.find(s), graph.turn(number)), (Some(number), node.turn));
            let next: Vec<usize> =
                graph.successors(number).iter().map(|t| graph.states()[*t as usize]).collect();
            assert_eq!(next, node.next.iter().map(|n| n.0).collect::<Vec<_>>());
            let weights: Vec<u32> = node.next.iter().map(|n| n.1).collect();
            assert_eq!(graph.weights(number), if node.turn == Turn::Chance { &weights[..] } else { &[] });
            let payoffs: &[i32] = if node.turn == Turn::Terminal { &node.payoffs } else { &[] };
            assert_eq!(graph.payoffs(number), payoffs);
            edges += next.len() as u64;
            for t in next {
                if !met.contains(&t) {
                    met.push(t);
                }
            }
        }
        assert_eq!(graph.states(), met, "numbered by first visit");
        assert_eq!(graph.edges(), edges);
        assert_eq!(graph.find(&usize::MAX), None);
    }
}

/// A game that never ends, and holds memory outside its states.
struct Endless;

impl Game for Endless {
    type State = Vec<u8>;
    type Action = u8;

    fn start(&self) -> Vec<u8> {
        Vec::new()
    }
    fn turn(&self, s: &Vec<u8>) -> Turn {
        Turn::Player(s.len() as u8 % 2)
    }
    fn actions(&self, _: &Vec<u8>, out: &mut Vec<u8>) {
        out.extend([0, 1]);
    }
    fn apply(&self, s: &Vec<u8>, a: u8) -> Vec<u8> {
        let mut after = s.clone();
        after.push(a);
        after
    }
    fn utility(&self, _: &Vec<u8>, _: u8) -> i32 {
        0
    }
}

#[test]
fn law_what_does_not_fit_is_refused_before_the_memory_is_gone() {
    let mut before = 0;
    for memory in [0, 100, 10_000, 100_000, 1 << 20, 1 << 23] {
        for threads in [1, 2] {
            match Auto::solve(&Endless, &Run { memory, threads, ..Run::default() }) {
                Err(error @ Error::TooManyStates { found, limit }) => {
                    assert_eq!(limit, memory);
                    // A state takes its own size and what it holds.
                    assert!(found <= memory / (24 + 64), "{found} in {memory}");
                    assert!(memory < 1 << 20 || found * 1000 > memory, "given up early: {found} in {memory}");
                    if threads == 1 {
                        assert!(found >= before);
                        before = found;
                    }
                    let (en, ja) = (error.say(Lang::En), error.say(Lang::Ja));
                    let count = yomikiri_core::text::grouped(found);
                    assert!(en.contains(&format!("more than {count} states")), "{en}");
                    assert!(ja.contains(&count), "{ja}");
                }
                other => panic!("{:?}", other.err()),
            }
        }
    }
    // With any limit a game is solved within it or refused; with more memory it is never refused again.
    let game = Torus { side: 40 };
    let enough = solve(&game).bytes();
    let (mut solved, mut refused) = (0, 0);
    for memory in (0..20).map(|i| enough * i / 4) {
        match Auto::solve(&game, &Run { memory, ..Run::default() }) {
            Ok(auto) => {
                assert!(auto.bytes() <= memory);
                solved += 1;
            }
            Err(Error::TooManyStates { found, .. }) if found <= 3200 => refused += 1,
            Err(Error::Memory { need, limit }) if need > limit && limit == memory => refused += 1,
            Err(other) => panic!("{other:?}"),
        }
        assert!(solved == 0 || refused as u64 <= memory * 4 / enough, "refused with more memory");
    }
    assert!(solved > 3 && refused > 3, "{solved} {refused}");
}

/// Stops the run after so many reports.
struct Impatient {
    left: AtomicU64,
    cancel: AtomicBool,
}

impl Observer for Impatient {
    fn begin(&self, _: &Text, _: u64) {
        self.done(0);
    }
    fn done(&self, _: u64) {
        if self.left.fetch_sub(1, Ordering::SeqCst) == 0 {
            self.cancel.store(true, Ordering::SeqCst);
        }
    }
    fn end(&self) {}
    fn note(&self, _: &Text) {}
}

#[test]
fn law_a_cancelled_run_stops_wherever_it_is() {
    // One game with cycles and retrograde analysis, one long induction.
    let plan = Plan { states: 30_000, chance: true, cycles: false, payoff: 1 };
    let (round, long) = (Torus { side: 100 }, Made::<2>::new(&plan, 1));
    for cycles in [false, true] {
        let stopped = |left: u64| {
            let observer = Impatient { left: AtomicU64::new(left), cancel: AtomicBool::new(left == 0) };
            let run = Run { observer: &observer, cancel: &observer.cancel, ..Run::default() };
            let result = match cycles {
                true => Auto::solve(&round, &run).map(|_| ()),
                false => Auto::solve(&long, &run).map(|_| ()),
            };
            match result {
                Ok(()) => false,
                Err(Error::Cancelled) => true,
                Err(other) => panic!("{other:?}"),
            }
        };
        let stops = (0..).take_while(|left| stopped(3 * left)).count();
        assert!(stops > 15, "{stops} places where it stops");
    }
}

fn refused<const P: usize>(nodes: Vec<Node>) -> (String, String) {
    for threads in [1, 2] {
        let run = Run { threads, ..Run::default() };
        match Auto::solve(&Made::<P>(nodes.clone()), &run) {
            Err(error @ Error::Rules { .. }) if threads == 2 => {
                return (error.say(Lang::En), error.say(Lang::Ja));
            }
            Err(Error::Rules { .. }) => {}
            other => panic!("{:?}", other.err()),
        }
    }
    unreachable!()
}

#[test]
fn law_broken_rules_are_refused_with_the_state_that_shows_them() {
    let node = |turn, next: &[(usize, u32)], payoffs: &[i32]| Node {
        turn,
        next: next.to_vec(),
        payoffs: payoffs.to_vec(),
    };
    // A good way in front, so that the fault is not at the start: it is always at state 4.
    let with = |bad: Node| {
        vec![
            node(Turn::Player(0), &[(1, 1), (2, 1)], &[]),
            node(Turn::Chance, &[(3, 1), (4, 2)], &[]),
            node(Turn::Player(1), &[(3, 1), (3, 1)], &[]),
            node(Turn::Terminal, &[], &[1, -1]),
            bad,
        ]
    };
    let cases = [
        (node(Turn::Player(1), &[], &[]), "a player is to move and has no action", "選べる手がありません"),
        (node(Turn::Chance, &[], &[]), "chance is to act and has no outcome", "結果がありません"),
        (node(Turn::Chance, &[(3, 1), (3, 0)], &[]), "an outcome of chance has the weight 0", "重みが 0"),
        (
            node(Turn::Player(2), &[(3, 1)], &[]),
            "player 2 is to move, and there are 2 players",
            "プレイヤー 2",
        ),
        (node(Turn::Player(255), &[(3, 1)], &[]), "player 255 is to move", "プレイヤー 255"),
        (node(Turn::Player(254), &[(3, 1)], &[]), "player 254 is to move", "プレイヤー 254"),
        (node(Turn::Terminal, &[], &[1, 1]), "are [1, 1] and do not add up to 0", "[1, 1]"),
        (node(Turn::Terminal, &[], &[i32::MIN, i32::MIN]), "do not add up to 0", "足して 0"),
    ];
    for (bad, en, ja) in cases {
        let said = refused::<2>(with(bad.clone()));
        assert!(said.0.contains(en) && said.0.ends_with("the state is 4"), "{bad:?}: {}", said.0);
        assert!(said.1.contains(ja) && said.1.contains('4'), "{bad:?}: {}", said.1);
    }
    // The same game without the fault is solved; utilities of one or three players need not add up.
    assert!(Auto::solve(&Made::<2>(with(node(Turn::Terminal, &[], &[0, 0]))), &Run::default()).is_ok());
    let alone = Made::<1>(vec![node(Turn::Terminal, &[], &[5])]);
    assert_eq!(solve(&alone).value(&alone, &0), Some(int(5)));
    assert!(refused::<1>(vec![node(Turn::Player(1), &[(0, 1)], &[])]).0.contains("player 1 is to move"));
    assert!(refused::<0>(vec![node(Turn::Terminal, &[], &[])]).0.contains("the game has 0 players"));
    assert!(
        refused::<255>(vec![node(Turn::Terminal, &[], &[0; 255])]).0.contains("the game has 255 players")
    );
}

#[test]
fn law_what_no_solver_is_exact_for_is_refused_in_words() {
    let node = |turn, next: &[(usize, u32)], payoffs: &[i32]| Node {
        turn,
        next: next.to_vec(),
        payoffs: payoffs.to_vec(),
    };
    let again = |turn| vec![node(turn, &[(0, 1), (1, 1)], &[]), node(Turn::Terminal, &[], &[1, -1, 0])];
    let said = |error: Option<Error>| match error {
        Some(error @ Error::NoSolver { .. }) => (error.say(Lang::En), error.say(Lang::Ja)),
        other => panic!("{other:?}"),
    };
    let (en, ja) = said(Auto::solve(&Made::<3>(again(Turn::Player(2))), &Run::default()).err());
    assert!(en.contains("(3 players, no chance, cycles, 2 positions)") && en.contains("no cycles"), "{en}");
    assert!(ja.contains("（3人、偶然なし、循環あり、2局面）"), "{ja}");
    let (en, _) = said(Auto::solve(&Made::<3>(again(Turn::Chance)), &Run::default()).err());
    assert!(en.contains("(3 players, chance, cycles, 2 positions)"), "{en}");
    // With two players and no chance the same game is fine: player 0 ends it, player 1 goes round for ever.
    for (player, value) in [(0, 1), (1, 0)] {
        let mut nodes = again(Turn::Player(player));
        nodes[1].payoffs.truncate(2);
        let game = Made::<2>(nodes);
        assert_eq!(solve(&game).value_of(&game, &0, 0), Some(int(value)));
    }
}

#[test]
fn law_every_method_that_is_exact_for_a_game_gives_the_same_values() {
    let mut seen = [0; 3];
    for (chance, cycles, seeds) in [(false, false, 0..60), (true, false, 0..60), (false, true, 0..60)] {
        for seed in seeds {
            let plan = Plan { states: 4 + seed % 30, chance, cycles, payoff: 3 };
            let game = Made::<2>::new(&plan, seed);
            let usual = solve(&game);
            for &method in usual.features().methods() {
                let run = Run { method: Some(method.word()), ..Run::default() };
                let other = Auto::solve(&game, &run).unwrap();
                assert_eq!(other.method(), method);
                seen[method as usize] += u32::from(method != usual.method());
                for s in game.reached() {
                    let values = (usual.value_of(&game, &s, 0), other.value_of(&game, &s, 0));
                    assert_eq!(values.0, values.1, "seed {seed}, {method:?}, state {s}");
                    if method != Method::Stochastic {
                        assert_eq!(
                            usual.distance(&game, &s),
                            other.distance(&game, &s),
                            "seed {seed}, state {s}"
                        );
                    }
                }
            }
        }
    }
    assert!(seen[Method::Retrograde as usize] >= 60 && seen[Method::Stochastic as usize] >= 150, "{seen:?}");
}

#[test]
fn law_a_method_that_does_not_suit_is_refused_with_those_that_do() {
    let refused = |chance, cycles, method| {
        let game = (0..).map(|seed| Made::<2>::new(&Plan { states: 20, chance, cycles, payoff: 3 }, seed));
        let mut fits = game.filter(|game| {
            let features = solve(game).features().clone();
            (features.chance, features.cycles) == (chance, cycles)
        });
        let run = Run { method: Some(method), ..Run::default() };
        let Err(Error::Refused(refusal)) = Auto::solve(&fits.next().unwrap(), &run) else {
            panic!("{method}")
        };
        assert_eq!(refusal.field, "method");
        refusal.accepts.en.to_string()
    };
    assert_eq!(refused(false, false, "guess"), "induction, retrograde, stochastic");
    assert_eq!(refused(true, false, "retrograde"), "induction, stochastic");
    assert_eq!(refused(false, true, "induction"), "retrograde, stochastic");
    assert_eq!(refused(true, true, "retrograde"), "stochastic");
}

#[test]
fn law_a_word_for_no_method_is_refused_before_the_rules_are_asked() {
    struct Unasked;
    impl Game for Unasked {
        type State = u8;
        type Action = u8;
        fn start(&self) -> u8 {
            0
        }
        fn turn(&self, _: &u8) -> Turn {
            unreachable!("the game was expanded")
        }
        fn actions(&self, _: &u8, _: &mut Vec<u8>) {}
        fn apply(&self, s: &u8, _: u8) -> u8 {
            *s
        }
        fn utility(&self, _: &u8, _: u8) -> i32 {
            0
        }
    }
    let run = Run { method: Some("guess"), ..Run::default() };
    assert!(matches!(Auto::solve(&Unasked, &run), Err(Error::Refused(refusal)) if refusal.field == "method"));
}
