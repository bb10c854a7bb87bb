//! CFR+ on games whose values are known, and exact best responses against all pure strategies one by one.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Hidden, Number, Rational, Run, Turn};
use yomikiri_solve::nash::Nash;
use yomikiri_solve::regret::{Regret, Share, StrategyProfile};
use yomikiri_solve::tree::Tree;

/// Kuhn poker: three cards, one each, one chip in the pot each, a bet of one more.
struct Kuhn;

/// The cards (none before the deal) and what was done: false is check or fold, true is bet or call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Hand {
    cards: Option<[u8; 2]>,
    done: Vec<bool>,
}

impl Game for Kuhn {
    type State = Hand;
    type Action = u8;

    fn start(&self) -> Hand {
        Hand { cards: None, done: vec![] }
    }
    fn turn(&self, s: &Hand) -> Turn {
        match (s.cards, s.done.as_slice()) {
            (None, _) => Turn::Chance,
            (_, [.., true, _] | [false, false]) => Turn::Terminal,
            (_, done) => Turn::Player(done.len() as u8 % 2),
        }
    }
    fn actions(&self, _: &Hand, out: &mut Vec<u8>) {
        out.extend([0, 1]);
    }
    fn chance(&self, _: &Hand, out: &mut Vec<(u8, u32)>) {
        out.extend([1, 2, 3, 5, 6, 7].map(|cards| (cards, 1)));
    }
    fn apply(&self, s: &Hand, a: u8) -> Hand {
        let mut next = s.clone();
        match s.cards {
            None => next.cards = Some([a / 3, a % 3]),
            Some(_) => next.done.push(a == 1),
        }
        next
    }
    fn utility(&self, s: &Hand, player: u8) -> i32 {
        let [first, second] = s.cards.unwrap();
        let showdown = if first > second { 1 } else { -1 };
        let first = match s.done.as_slice() {
            [.., true, true] => 2 * showdown,
            [true, false] => 1,
            [false, true, false] => -1,
            _ => showdown,
        };
        if player == 0 { first } else { -first }
    }
}

impl Hidden for Kuhn {
    type Info = (u8, Vec<bool>);
    fn info(&self, s: &Hand, player: u8) -> Self::Info {
        (s.cards.unwrap()[usize::from(player)], s.done.clone())
    }
}

/// Two players choose a row and a column at the same time; the first gets what is written there.
struct Matrix(Vec<Vec<i32>>);

impl Game for Matrix {
    type State = Vec<usize>;
    type Action = usize;

    fn start(&self) -> Vec<usize> {
        vec![]
    }
    fn turn(&self, s: &Vec<usize>) -> Turn {
        if s.len() == 2 { Turn::Terminal } else { Turn::Player(s.len() as u8) }
    }
    fn actions(&self, s: &Vec<usize>, out: &mut Vec<usize>) {
        out.extend(0..if s.is_empty() { self.0.len() } else { self.0[0].len() });
    }
    fn apply(&self, s: &Vec<usize>, a: usize) -> Vec<usize> {
        let mut next = s.clone();
        next.push(a);
        next
    }
    fn utility(&self, s: &Vec<usize>, player: u8) -> i32 {
        let first = self.0[s[0]][s[1]];
        if player == 0 { first } else { -first }
    }
}

impl Hidden for Matrix {
    type Info = ();
    fn info(&self, _: &Vec<usize>, _: u8) {}
}

/// Three players or chance choose one of two in a random order; everybody sees some of the choices; what each gets
/// is arbitrary, and not opposed.
struct Wild {
    seed: u64,
    /// Who chooses at each depth; 3 is chance.
    order: Vec<u8>,
    /// Who sees the choice at each depth.
    seen: Vec<[bool; 3]>,
}

impl Wild {
    fn new(seed: u64, length: usize) -> Wild {
        let mut random = Random::stream(seed, 1);
        let order: Vec<u8> = (0..length).map(|_| random.below(4) as u8).collect();
        let seen = order.iter().map(|&who| {
            let mut seen = [0; 3].map(|_| random.below(3) == 0);
            if who < 3 {
                seen[usize::from(who)] = true;
            }
            seen
        });
        Wild { seed, seen: seen.collect(), order }
    }
}

impl Game for Wild {
    type State = Vec<u8>;
    type Action = u8;
    const PLAYERS: usize = 3;

    fn start(&self) -> Vec<u8> {
        vec![]
    }
    fn turn(&self, s: &Vec<u8>) -> Turn {
        match self.order.get(s.len()) {
            None => Turn::Terminal,
            Some(3) => Turn::Chance,
            Some(&p) => Turn::Player(p),
        }
    }
    fn actions(&self, _: &Vec<u8>, out: &mut Vec<u8>) {
        out.extend([0, 1]);
    }
    fn chance(&self, s: &Vec<u8>, out: &mut Vec<(u8, u32)>) {
        out.extend([(0, 1), (1, 1 + s.len() as u32)]);
    }
    fn apply(&self, s: &Vec<u8>, a: u8) -> Vec<u8> {
        let mut next = s.clone();
        next.push(a);
        next
    }
    fn utility(&self, s: &Vec<u8>, player: u8) -> i32 {
        let number = s.iter().fold(u64::from(player) + 1, |n, &a| 2 * n + u64::from(a));
        Random::stream(self.seed, 100 + number).below(21) as i32 - 10
    }
}

impl Hidden for Wild {
    type Info = (usize, Vec<(usize, u8)>);
    fn info(&self, s: &Vec<u8>, player: u8) -> Self::Info {
        let seen = |&(i, _): &(usize, u8)| self.seen[i][usize::from(player)];
        (s.len(), s.iter().copied().enumerate().filter(seen).collect())
    }
}

/// With which probability a player that knows something does something.
type Play<'a, G, N> = dyn Fn(u8, &<G as Hidden>::Info, <G as Game>::Action) -> N + 'a;

/// The slow twin: what a player gets if all follow the profile, but itself a pure strategy if one is given.
fn expectation<G: Hidden, N: Share>(game: &G, s: &G::State, me: u8, profile: &Play<'_, G, N>) -> N {
    let mut sum = N::from_int(0);
    match game.turn(s) {
        Turn::Terminal => return N::from_int(game.utility(s, me)),
        Turn::Chance => {
            let mut outcomes = vec![];
            game.chance(s, &mut outcomes);
            let total: u32 = outcomes.iter().map(|o| o.1).sum();
            for (a, weight) in outcomes {
                let chance = N::of_chance(f64::from(weight) / f64::from(total), weight, || total.into());
                sum = sum.plus(&chance.times(&expectation(game, &game.apply(s, a), me, profile)));
            }
        }
        Turn::Player(p) => {
            let mut actions = vec![];
            game.actions(s, &mut actions);
            let info = game.info(s, p);
            for a in actions {
                let probability = profile(p, &info, a);
                if probability.compare(&N::from_int(0)).is_gt() {
                    sum = sum.plus(&probability.times(&expectation(game, &game.apply(s, a), me, profile)));
                }
            }
        }
    }
    sum
}

fn infos<G: Hidden>(game: &G, s: &G::State, me: u8, found: &mut BTreeSet<G::Info>)
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
            if p == me {
                found.insert(game.info(s, p));
            }
            game.actions(s, &mut next);
        }
    }
    for a in next {
        infos(game, &game.apply(s, a), me, found);
    }
}

/// The best of all pure strategies of a player with two actions everywhere, while the others follow a profile.
fn best_pure<G: Hidden<Action = u8>, N: Share>(game: &G, me: u8, others: &Play<'_, G, N>) -> N
where
    G::Info: Ord,
{
    let mut found = BTreeSet::new();
    infos(game, &game.start(), me, &mut found);
    let found: Vec<G::Info> = found.into_iter().collect();
    assert!(found.len() <= 16, "too many to try all");
    let all = (0..1u32 << found.len()).map(|pure| {
        let play = |p: u8, info: &G::Info, a: u8| match p == me {
            true => N::from_int(i32::from((pure >> found.binary_search(info).unwrap() & 1) as u8 == a)),
            false => others(p, info, a),
        };
        expectation(game, &game.start(), me, &play)
    });
    all.reduce(|best, x| if x.compare(&best).is_gt() { x } else { best }).unwrap()
}

/// A profile of a tree as a function.
fn followed<G: Hidden<Action = u8>>(
    tree: &Tree<G>,
    profile: &StrategyProfile,
) -> impl Fn(u8, &G::Info, u8) -> f64 {
    |p, info, a| tree.strategy(profile, p, info).unwrap().find(|x| x.0 == a).unwrap().1
}

fn random_profile<G: Hidden>(tree: &Tree<G>, seed: u64) -> StrategyProfile
where
    G::Info: std::fmt::Debug,
    G::Action: std::fmt::Debug,
{
    tree.profile(|p, info, a| {
        let words = format!("{p} {info:?} {a:?}");
        let number = words.bytes().fold(seed, |n, b| n.wrapping_mul(31).wrapping_add(u64::from(b)));
        let x = Random::new(number).below(10);
        // Some actions are never taken.
        if x < 3 { 0.0 } else { x as f64 }
    })
}

#[test]
fn law_kuhn_poker_is_worth_one_eighteenth_to_the_second_player() {
    let run = Run::default();
    let mut regret = Regret::new(&Kuhn, &run).unwrap();
    assert_eq!(regret.tree().informations(), 12);
    assert_eq!(regret.tree().nodes(), 1 + 6 * 9);
    let mut gains = vec![];
    for rounds in [10, 90, 900, 29_000] {
        regret.play(rounds, &run).unwrap();
        gains.push(regret.tree().worth(&regret.average()).gain());
    }
    assert!(gains.windows(2).all(|g| g[1] < g[0] / 4.0), "{gains:?}");
    let average = regret.average();
    let worth = regret.tree().worth(&average);
    assert!((worth.values[0] + 1.0 / 18.0).abs() < 1e-6, "{worth:?}");
    assert!((worth.values[0] + worth.values[1]).abs() < 1e-12);
    assert!(worth.gain() < 2e-5, "{worth:?}");
    // Known of every equilibrium: the second player calls with the middle card in one of three cases, and bluffs
    // with the lowest in one of three; the first bets the highest three times as often as the lowest.
    let bets = |p, card, done: &[bool]| {
        let strategy = regret.tree().strategy(&average, p, &(card, done.to_vec())).unwrap();
        strategy.map(|(a, x)| f64::from(a) * x).sum::<f64>()
    };
    assert!((bets(1, 1, &[true]) - 1.0 / 3.0).abs() < 1e-3);
    assert!((bets(1, 0, &[false]) - 1.0 / 3.0).abs() < 1e-3);
    assert!((bets(0, 2, &[]) - 3.0 * bets(0, 0, &[])).abs() < 1e-2);
    assert!(regret.tree().strategy(&average, 0, &(1, vec![true])).is_none());
}

#[test]
fn law_matrix_games_have_their_values_and_mixtures() {
    let run = Run::default();
    // Matching pennies where heads counts double; biased rock, paper, scissors; a saddle point; one by Dresher.
    type Known<'a> = (&'a [&'a [i32]], f64, &'a [f64]);
    let games: [Known<'_>; 4] = [
        (&[&[2, -1], &[-1, 1]], 0.2, &[0.4, 0.6]),
        (&[&[0, -1, 2], &[1, 0, -1], &[-2, 1, 0]], 0.0, &[0.25, 0.5, 0.25]),
        (&[&[4, 2, 5], &[3, 1, 0]], 2.0, &[1.0, 0.0]),
        (&[&[3, 6], &[5, 4]], 4.5, &[0.25, 0.75]),
    ];
    for (rows, value, mixture) in games {
        let game = Matrix(rows.iter().map(|r| r.to_vec()).collect());
        let mut regret = Regret::new(&game, &run).unwrap();
        let (profile, worth) = regret.approach(1e-4, 200_000, &run).unwrap();
        assert!(worth.gain() <= 1e-4, "{rows:?} {worth:?}");
        assert!((worth.values[0] - value).abs() < 1e-5, "{rows:?} {worth:?}");
        let found: Vec<f64> = regret.tree().strategy(&profile, 0, &()).unwrap().map(|s| s.1).collect();
        assert!(found.iter().zip(mixture).all(|(a, b)| (a - b).abs() < 1e-3), "{rows:?} {found:?}");
    }
}

#[test]
fn law_best_responses_are_the_best_pure_strategies() {
    let run = Run::default();
    let tree = Tree::new(&Kuhn, &run).unwrap();
    for seed in 0..20 {
        let profile = random_profile(&tree, seed);
        for me in 0..2 {
            let (value, response) = tree.best_response(usize::from(me), &profile);
            assert!((value - best_pure(&Kuhn, me, &followed(&tree, &profile))).abs() < 1e-12);
            assert!((tree.worth(&response).values[usize::from(me)] - value).abs() < 1e-12);
        }
    }
    let (mut twice, mut tried) = (0, 0);
    for seed in 0..400 {
        let game = Wild::new(seed, 6);
        let tree = Tree::new(&game, &run).unwrap();
        let profile = random_profile(&tree, seed);
        for me in 0..3u8 {
            let mut found = BTreeSet::new();
            infos(&game, &game.start(), me, &mut found);
            if found.len() > 8 {
                continue;
            }
            tried += 1;
            twice += usize::from(game.order.iter().filter(|&&who| who == me).count() >= 2);
            let (value, response) = tree.best_response(usize::from(me), &profile);
            let slow = best_pure(&game, me, &followed(&tree, &profile));
            assert!((value - slow).abs() < 1e-9, "seed {seed}, player {me}: {value} and {slow}");
            assert!((tree.worth(&response).values[usize::from(me)] - value).abs() < 1e-9);
            let expected = expectation(&game, &game.start(), me, &followed(&tree, &profile));
            assert!((tree.worth(&profile).values[usize::from(me)] - expected).abs() < 1e-9);
        }
    }
    // Most were tried, among them many in which a player moves more than once.
    assert!(tried > 900 && twice > 300, "{tried} {twice}");
}

#[test]
fn law_three_players_come_to_rest_where_nobody_gains() {
    let run = Run::default();
    let mut solved = 0;
    for seed in 0..20 {
        let mut regret = Regret::new(&Wild::new(seed, 6), &run).unwrap();
        let start = regret.tree().worth(&regret.tree().uniform()).gain();
        let (_, worth) = regret.approach(1e-3, 5000, &run).unwrap();
        assert!(worth.gain() < start.max(1e-9), "{seed} {worth:?}");
        solved += usize::from(worth.gain() <= 1e-3);
    }
    // Nothing is promised for three players with interests of all kinds; it is usual all the same.
    assert!(solved >= 15, "{solved}");
}

#[test]
fn law_strategies_in_fractions_are_worth_what_all_pure_strategies_say() {
    let run = Run::default();
    let (mut tried, mut settled, mut compared) = (0, 0, 0);
    for seed in 0..40 {
        let game = Wild::new(seed, 5);
        let nash = Nash::solve(&game, &run).unwrap();
        let play = |p: u8, info: &(usize, Vec<(usize, u8)>), a: u8| -> Rational {
            let policy = nash.policy(p, info).unwrap();
            assert_eq!(policy.iter().map(|x| &x.1).sum::<Rational>(), Rational::from_int(1));
            policy.into_iter().find(|x| x.0 == a).unwrap().1
        };
        let payoffs = nash.payoffs();
        for me in 0..3u8 {
            let at = usize::from(me);
            assert_eq!(payoffs.values[at], expectation(&game, &game.start(), me, &play), "seed {seed}");
            let mut found = BTreeSet::new();
            infos(&game, &game.start(), me, &mut found);
            if found.len() <= 8 {
                tried += 1;
                assert_eq!(payoffs.responses[at], best_pure(&game, me, &play), "seed {seed}, player {me}");
            }
            // Where a player moves once, of two moves the one worth more brings more.
            if game.order.iter().filter(|&&who| who == me).count() != 1 {
                continue;
            }
            for info in found {
                let Some(worth) = nash.worth(me, &info) else { continue };
                let always = |choice: u8| {
                    let play =
                        |p: u8, known: &(usize, Vec<(usize, u8)>), a: u8| match p == me && *known == info {
                            true => Rational::from_int(i32::from(a == choice)),
                            false => play(p, known, a),
                        };
                    expectation(&game, &game.start(), me, &play)
                };
                assert_eq!(worth[0].1.cmp(&worth[1].1), always(0).cmp(&always(1)), "seed {seed}: {info:?}");
                compared += 1;
            }
        }
        settled += usize::from(payoffs.gain() == Rational::from_int(0));
    }
    // Many of them have an equilibrium with simple fractions.
    assert!(tried > 100 && settled > 20 && compared > 40, "{tried} {settled} {compared}");
}

#[test]
fn law_two_opposed_players_are_bounded_from_both_sides() {
    let (low, high) = Nash::solve(&Kuhn, &Run::default()).unwrap().bounds();
    let value = Rational::new((-1).into(), 18.into());
    assert!(
        low <= value && value <= high && &high - &low < Rational::new(1.into(), 1000.into()),
        "{low} {high}"
    );
}

#[test]
fn law_any_number_of_threads_gives_the_same_bits() {
    // Large enough for several pieces of work a level.
    let game = Wild::new(3, 15);
    let of = |threads| {
        let run = Run { threads, ..Run::default() };
        let mut regret = Regret::new(&game, &run).unwrap();
        regret.play(12, &run).unwrap();
        let average = regret.average();
        (regret.tree().worth(&average), average)
    };
    let one = of(1);
    assert_eq!(one, of(2));
    assert_eq!(one, of(5));
}

#[test]
fn law_games_that_do_not_fit_and_cancelled_runs_are_told() {
    let game = Wild::new(3, 20);
    let small = Run { memory: 1 << 20, ..Run::default() };
    assert!(matches!(Tree::new(&game, &small), Err(Error::TooManyStates { found: 1.., .. })));
    let stop = AtomicBool::new(true);
    let stopped = Run { cancel: &stop, ..Run::default() };
    assert!(matches!(Tree::new(&game, &stopped), Err(Error::Cancelled)));
    let mut regret = Regret::new(&Kuhn, &Run::default()).unwrap();
    assert!(matches!(regret.play(10, &stopped), Err(Error::Cancelled)));
}

/// Forgets its own first choice; after one of them there may be fewer actions.
struct Forgetful {
    fewer: bool,
}

impl Game for Forgetful {
    type State = Vec<u8>;
    type Action = u8;

    fn start(&self) -> Vec<u8> {
        vec![]
    }
    fn turn(&self, s: &Vec<u8>) -> Turn {
        if s.len() == 2 { Turn::Terminal } else { Turn::Player(0) }
    }
    fn actions(&self, s: &Vec<u8>, out: &mut Vec<u8>) {
        out.extend(if self.fewer && s == &[1] { 1..2 } else { 0..2 });
    }
    fn apply(&self, s: &Vec<u8>, a: u8) -> Vec<u8> {
        [s.as_slice(), &[a]].concat()
    }
    fn utility(&self, _: &Vec<u8>, _: u8) -> i32 {
        0
    }
}

impl Hidden for Forgetful {
    type Info = usize;
    fn info(&self, s: &Vec<u8>, _: u8) -> usize {
        s.len()
    }
}

#[test]
fn law_broken_information_is_refused_with_the_state_that_shows_it() {
    for (fewer, en, ja) in
        [(false, "forgets what it did", "忘れています"), (true, "has other actions here", "異なります")]
    {
        match Tree::new(&Forgetful { fewer }, &Run::default()) {
            Err(Error::Rules { state, wrong }) => {
                assert_eq!(state, "[1]");
                assert!(wrong.en.contains(en) && wrong.ja.contains(ja), "{wrong:?}");
            }
            other => panic!("{:?}", other.err()),
        }
    }
}
