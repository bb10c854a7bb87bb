//! Bounds for hidden types against the exact value of small games, from a linear program over sequences.

use crate::desk::Desk;
use crate::program::{Program, Q};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Run};
use yomikiri_solve::belief::{
    Belief, Bound, Closing, ENDED, GapSearch, Leads, Next, Options, Proof, PublicGraph, PublicMove, Rules,
    close,
};

/// A game tree with public moves: a position is a place in the list.
struct Tree {
    types: [usize; 2],
    nodes: Vec<(usize, Vec<Branch>)>,
    most: i32,
}

#[derive(Clone)]
enum Branch {
    Goes(usize),
    Ends([[i32; 3]; 3]),
}

impl Rules for Tree {
    type Position = u32;
    fn mover(&self, p: &u32) -> usize {
        self.nodes[*p as usize].0
    }
    fn types(&self, _: &u32) -> [usize; 2] {
        self.types
    }
    fn tier(&self, _: &u32) -> u32 {
        0
    }
    fn most(&self) -> i32 {
        self.most
    }
    fn moves(&self, p: &u32, out: &mut Vec<PublicMove<u32>>) {
        let mut types = [[ENDED; 3]; 2];
        for (own, count) in types.iter_mut().zip(self.types) {
            for (i, t) in own.iter_mut().enumerate().take(count) {
                *t = i as u8;
            }
        }
        for branch in &self.nodes[*p as usize].1 {
            out.push(match branch {
                Branch::Goes(to) => {
                    PublicMove { next: Some(Next { position: *to as u32, types }), pay: [[0; 3]; 3] }
                }
                Branch::Ends(pay) => PublicMove { next: None, pay: *pay },
            });
        }
    }
}

impl Tree {
    /// A tree of random payoffs in which the players move by turns.
    fn random(types: [usize; 2], depth: u32, most: i32, random: &mut Random) -> Tree {
        let mut tree = Tree { types, nodes: Vec::new(), most };
        tree.grow(0, depth, random);
        tree
    }

    fn grow(&mut self, mover: usize, depth: u32, random: &mut Random) -> usize {
        let at = self.nodes.len();
        self.nodes.push((mover, Vec::new()));
        for _ in 0..2 + random.below(2) {
            let branch = if depth == 0 || random.below(4) == 0 {
                let mut pay = [[0; 3]; 3];
                for cell in pay.iter_mut().flatten() {
                    *cell = random.below(2 * self.most as u64 + 1) as i32 - self.most;
                }
                Branch::Ends(pay)
            } else {
                Branch::Goes(self.grow(1 - mover, depth - 1, random))
            };
            self.nodes[at].1.push(branch);
        }
        at
    }

    /// The value for player 0 when types are drawn from these laws, exactly.
    fn value(&self, p: &Belief, q: &Belief) -> Q {
        let mut lp = Program::default();
        let realised: Vec<usize> = (0..self.types[0]).map(|_| lp.variable()).collect();
        let sum = |b: &Belief| b.iter().sum::<i64>();
        for (i, &x) in realised.iter().enumerate() {
            lp.equal(&[(x, 1)], Q::new(p[i].into(), sum(p).into()));
        }
        let worth = self.worth(0, &realised, &mut lp);
        let goal: Vec<(usize, Q)> = worth
            .iter()
            .enumerate()
            .flat_map(|(j, w)| {
                let weight = Q::new(q[j].into(), sum(q).into());
                [(w.0, weight), (w.1, -weight)]
            })
            .collect();
        lp.maximise(&goal)
    }

    /// What player 1's types get player 0 at a node, each as the difference of two variables, when player 0
    /// gets there with these weights.
    fn worth(&self, at: usize, realised: &[usize], lp: &mut Program) -> Vec<(usize, usize)> {
        let (mover, branches) = &self.nodes[at];
        let here: Vec<(usize, usize)> = (0..self.types[1]).map(|_| (lp.variable(), lp.variable())).collect();
        let mut after: Vec<Vec<(usize, usize)>> = Vec::new();
        let mut split: Vec<Vec<usize>> = Vec::new();
        for branch in branches {
            let own: Vec<usize> = if *mover == 0 {
                realised.iter().map(|_| lp.variable()).collect()
            } else {
                realised.to_vec()
            };
            after.push(match branch {
                Branch::Goes(to) => self.worth(*to, &own, lp),
                Branch::Ends(pay) => (0..self.types[1])
                    .map(|j| {
                        let (plus, minus) = (lp.variable(), lp.variable());
                        let mut row: Vec<(usize, i128)> =
                            own.iter().enumerate().map(|(i, &x)| (x, i128::from(pay[i][j]))).collect();
                        row.extend([(plus, -1), (minus, 1)]);
                        lp.equal(&row, Q::from(0));
                        (plus, minus)
                    })
                    .collect(),
            });
            split.push(own);
        }
        if *mover == 0 {
            for (i, &x) in realised.iter().enumerate() {
                let mut row: Vec<(usize, i128)> = split.iter().map(|own| (own[i], 1)).collect();
                row.push((x, -1));
                lp.equal(&row, Q::from(0));
            }
            for (j, &(plus, minus)) in here.iter().enumerate() {
                let mut row = vec![(plus, -1), (minus, 1)];
                row.extend(after.iter().flat_map(|a| [(a[j].0, 1), (a[j].1, -1)]));
                lp.equal(&row, Q::from(0));
            }
        } else {
            for (j, &(plus, minus)) in here.iter().enumerate() {
                for a in &after {
                    // here + slack = after
                    let slack = lp.variable();
                    lp.equal(&[(plus, 1), (minus, -1), (slack, 1), (a[j].0, -1), (a[j].1, 1)], Q::from(0));
                }
            }
        }
        here
    }
}

fn beliefs(types: usize, sum: i64) -> Vec<Belief> {
    let mut all = Vec::new();
    for a in 0..=sum {
        for b in 0..=sum - a {
            let c = sum - a - b;
            if types == 3 || (c == 0 && (types == 2 || b == 0)) {
                all.push([a, b, c]);
            }
        }
    }
    all
}

fn options(types: usize, sum: i64) -> Options {
    Options { beliefs: beliefs(types, sum), lattice: 5040, step: 1, least: 0.0, rounds: 1 }
}

fn solved(tree: &Tree, holder: usize, sum: i64) -> Bound<u32> {
    let run = Run::default();
    let graph = Arc::new(PublicGraph::explore(tree, &[0], &run).unwrap());
    let mut bound = Bound::new(graph, holder, &options(tree.types[holder], sum), &run).unwrap();
    bound.solve(None, &run).unwrap();
    bound
}

fn sure(bound: &Bound<u32>, own: &Belief, other: &Belief) -> Q {
    let (num, den) = bound.sure(0, own, other).unwrap();
    Q::new(num, den)
}

#[test]
fn law_bounds_enclose_the_exact_value_of_small_trees() {
    let mut random = Random::new(7);
    let mut widest = Q::from(0);
    for round in 0..12 {
        let types = [[1, 2], [2, 1], [2, 2], [3, 2], [2, 3], [3, 3]][round % 6];
        let tree = Tree::random(types, 2, 2, &mut random);
        let [lower, upper] = [0, 1].map(|holder| solved(&tree, holder, 12));
        for _ in 0..3 {
            // Laws on the grid and off it.
            let some = |types: usize, random: &mut Random| -> Belief {
                let mut b = [0; 3];
                b.iter_mut().take(types).for_each(|w| *w = random.below(6) as i64);
                b[0] += i64::from(b.iter().sum::<i64>() == 0);
                b
            };
            let (p, q) = (some(types[0], &mut random), some(types[1], &mut random));
            let value = tree.value(&p, &q);
            let (low, high) = (sure(&lower, &p, &q), -sure(&upper, &q, &p));
            assert!(low <= value && value <= high, "{types:?} {p:?} {q:?}: {low} <= {value} <= {high}");
            widest = widest.max(high - low);
        }
    }
    // Beliefs in twelfths are fine enough to come close in trees as small as these.
    assert!(widest < Q::new(1, 4), "{widest}");
}

#[test]
fn law_a_bluff_is_worth_what_the_program_says() {
    // Player 0 has a high or a low card, player 1 one in the middle; a bet of one more, call or fold.
    let call = [[2, 0, 0], [-2, 0, 0], [0; 3]];
    let fold = [[1, 0, 0], [1, 0, 0], [0; 3]];
    let check = [[1, 0, 0], [-1, 0, 0], [0; 3]];
    let tree = Tree {
        types: [2, 1],
        nodes: vec![
            (0, vec![Branch::Goes(1), Branch::Ends(check)]),
            (1, vec![Branch::Ends(call), Branch::Ends(fold)]),
        ],
        most: 2,
    };
    let (even, sole) = ([1, 1, 0], [1, 0, 0]);
    // A third of the low cards bet: 1/3 by hand.
    assert_eq!(tree.value(&even, &sole), Q::new(1, 3));
    assert_eq!(sure(&solved(&tree, 0, 12), &even, &sole), Q::new(1, 3));
    assert_eq!(-sure(&solved(&tree, 1, 12), &sole, &even), Q::new(1, 3));
}

#[test]
fn law_telling_one_s_type_is_concavified() {
    // One-sided: player 0 announces, player 1 guesses the type; being guessed wrong pays 1. Whatever is said,
    // an even mind is best left even, and the value is the concave min(p, 1 - p).
    let guess = |kind: usize| {
        let mut pay = [[0; 3]; 3];
        pay[1 - kind][0] = 1;
        Branch::Ends(pay)
    };
    let asks = |mover| (mover, vec![guess(0), guess(1)]);
    let tree = Tree {
        types: [2, 1],
        nodes: vec![(0, vec![Branch::Goes(1), Branch::Goes(2)]), asks(1), asks(1)],
        most: 1,
    };
    let [lower, upper] = [0, 1].map(|holder| solved(&tree, holder, 12));
    for a in 0..=12 {
        let p = [a, 12 - a, 0];
        let expected = Q::new(i128::from(a.min(12 - a)), 12);
        assert_eq!(tree.value(&p, &[1, 0, 0]), expected);
        assert_eq!(sure(&lower, &p, &[1, 0, 0]), expected);
        assert_eq!(-sure(&upper, &[1, 0, 0], &p), expected);
    }
}

/// Two positions between which play may go on for ever, and a way out that is bad for whoever takes it.
struct Endless;

impl Rules for Endless {
    type Position = u32;
    fn mover(&self, p: &u32) -> usize {
        *p as usize
    }
    fn types(&self, _: &u32) -> [usize; 2] {
        [1, 1]
    }
    fn tier(&self, _: &u32) -> u32 {
        0
    }
    fn most(&self) -> i32 {
        1
    }
    fn moves(&self, p: &u32, out: &mut Vec<PublicMove<u32>>) {
        let loses = if *p == 0 { -1 } else { 1 };
        out.push(PublicMove { next: None, pay: [[loses; 3]; 3] });
        out.push(PublicMove {
            next: Some(Next { position: 1 - p, types: [[0, ENDED, ENDED]; 2] }),
            pay: [[0; 3]; 3],
        });
    }
}

#[test]
fn law_endless_play_is_worth_nothing_to_both() {
    let run = Run::default();
    let graph = Arc::new(PublicGraph::explore(&Endless, &[0], &run).unwrap());
    for holder in 0..2 {
        for (rounds, expected) in [(0, -5040), (1, 0)] {
            let options = Options { rounds, ..options(1, 1) };
            let mut bound = Bound::new(graph.clone(), holder, &options, &run).unwrap();
            bound.solve(None, &run).unwrap();
            // Without a look at endless play only what ends is known.
            assert_eq!(bound.best(0).1, expected, "holder {holder}, {rounds} rounds");
        }
    }
}

/// A belief as fractions.
fn law(belief: &Belief) -> [Q; 3] {
    belief.map(|w| Q::new(w.into(), belief.iter().sum::<i64>().into()))
}

/// Checks a proof about a tree by its words: every lottery averages as it should.
fn believe(tree: &Tree, bound: &Bound<u32>, proof: &Proof, graph: &PublicGraph<u32>, lattice: i32) {
    let holder = bound.holder;
    for entry in &proof.entries {
        let position = graph.positions[entry.at as usize];
        let mut moves = Vec::new();
        tree.moves(&position, &mut moves);
        let others = tree.types[1 - holder];
        let mut by_move: HashMap<Option<u32>, (Vec<Q>, Vec<Q>)> = HashMap::new();
        let own_turn = tree.mover(&position) == holder;
        for u in &entry.uses {
            let weight = Q::new(u.weight.0, u.weight.1);
            assert!(weight > Q::from(0));
            let gain = |own: usize, other: usize, m: &PublicMove<u32>| {
                if holder == 0 { m.pay[own][other] } else { -m.pay[other][own] }
            };
            let mut certain = vec![Q::from(0); 3];
            let (number, law, vector): (u32, Vec<Q>, Vec<Q>) = match u.leads {
                Leads::Entry { number, entry } => {
                    let child = &proof.entries[entry as usize];
                    let to = moves[number as usize].next.expect("goes on").position;
                    assert_eq!(to, graph.positions[child.at as usize]);
                    (
                        number,
                        law(&child.belief).to_vec(),
                        child.vector.map(|v| Q::new(v.into(), lattice.into())).to_vec(),
                    )
                }
                Leads::End { number, own } => {
                    assert!(moves[number as usize].next.is_none() && own_turn);
                    certain[usize::from(own)] = Q::from(1);
                    let m = &moves[number as usize];
                    (number, certain, (0..3).map(|j| Q::from(i128::from(gain(own.into(), j, m)))).collect())
                }
                Leads::Least { number, own } => {
                    certain[usize::from(own)] = Q::from(1);
                    (number.unwrap_or(0), certain, vec![Q::from(i128::from(-tree.most)); 3])
                }
            };
            let sum = by_move
                .entry((!own_turn).then_some(number))
                .or_insert_with(|| (vec![Q::from(0); 3], vec![Q::from(0); 3]));
            for k in 0..3 {
                sum.0[k] += weight * law[k];
                sum.1[k] += weight * vector[k];
            }
        }
        let belief = law(&entry.belief);
        let claim = |j: usize| Q::new(entry.vector[j].into(), lattice.into());
        for (law, vector) in by_move.values() {
            assert_eq!(law[..], belief);
            assert!((0..others).all(|j| vector[j] >= claim(j)));
        }
        if own_turn {
            assert_eq!(by_move.len(), 1);
            continue;
        }
        for (number, m) in moves.iter().enumerate() {
            if m.next.is_some() {
                assert!(by_move.contains_key(&Some(number as u32)), "every move that goes on is answered");
                continue;
            }
            for j in 0..others {
                let paid: Q = (0..tree.types[holder])
                    .map(|i| {
                        belief[i] * Q::from(i128::from(if holder == 0 { m.pay[i][j] } else { -m.pay[j][i] }))
                    })
                    .sum();
                assert!(paid >= claim(j));
            }
        }
    }
}

#[test]
fn law_proofs_hold_step_by_step() {
    let mut random = Random::new(11);
    for round in 0..30 {
        let types = [[2, 2], [3, 2], [2, 3], [3, 3]][round % 4];
        let tree = Tree::random(types, 3, 2, &mut random);
        let run = Run::default();
        let graph = Arc::new(PublicGraph::explore(&tree, &[0], &run).unwrap());
        for holder in 0..2 {
            let options = options(types[holder], 6);
            let mut bound = Bound::new(graph.clone(), holder, &options, &run).unwrap();
            bound.solve(None, &run).unwrap();
            let (belief, level) = bound.best(0);
            let proof = bound.prove(0, belief, level, &run).unwrap();
            assert!(proof.entries[0].vector[..types[1 - holder]].iter().all(|v| *v == level));
            believe(&tree, &bound, &proof, &graph, options.lattice);
        }
    }
}

/// Both bounds of a tree with few beliefs, and how they are brought together.
fn apart(graph: &Arc<PublicGraph<u32>>, types: [usize; 2], run: &Run<'_>) -> [Bound<u32>; 2] {
    [0, 1].map(|holder| {
        let mut bound = Bound::new(graph.clone(), holder, &options(types[holder], 2), run).unwrap();
        bound.solve(None, run).unwrap();
        bound
    })
}

const CLOSING: Closing = Closing {
    rounds: 12,
    start: [30, 30],
    search: GapSearch {
        situations: 2000,
        beliefs: 200,
        least: 1e-4,
        programs: 500,
        gain: 1e-4,
        fine: 27_720,
        tight: 1e-3,
        sum: 840,
        near: 0.02,
    },
    nearest: 0.002,
    least: 0.0,
    enough: 0.0,
};

#[test]
fn law_wanted_beliefs_bring_bounds_together_and_never_past_the_value() {
    let mut random = Random::new(17);
    let (mut before, mut now) = (0.0, 0.0);
    for round in 0..8 {
        let types = [[2, 2], [3, 2], [2, 3], [3, 3]][round % 4];
        let tree = Tree::random(types, 2, 2, &mut random);
        let run = Run::default();
        let graph = Arc::new(PublicGraph::explore(&tree, &[0], &run).unwrap());
        let mut bounds = apart(&graph, types, &run);
        let gap = |bounds: &[Bound<u32>; 2]| -f64::from(bounds[0].best(0).1 + bounds[1].best(0).1) / 5040.0;
        let wide = gap(&bounds);
        close(&mut bounds, 0, &CLOSING, None, &run).unwrap();
        assert!(gap(&bounds) >= 0.0 && gap(&bounds) <= wide, "{types:?}");
        before += wide;
        now += gap(&bounds);
        for _ in 0..3 {
            let mut some = |types: usize| -> Belief {
                let mut b = [1, 0, 0];
                b.iter_mut().take(types).for_each(|w| *w += random.below(6) as i64);
                b
            };
            let (p, q) = (some(types[0]), some(types[1]));
            let value = tree.value(&p, &q);
            assert!(sure(&bounds[0], &p, &q) <= value && value <= -sure(&bounds[1], &q, &p), "{p:?} {q:?}");
        }
        for bound in &bounds {
            let (belief, level) = bound.best(0);
            let proof = bound.prove(0, belief, level, &run).unwrap();
            believe(&tree, bound, &proof, &graph, 5040);
        }
    }
    assert!(before > 0.5 && now < before / 20.0, "{before} to {now}");
}

#[test]
fn law_bringing_bounds_together_is_the_same_for_threads_and_interruptions() {
    let tree = Tree::random([3, 2], 4, 2, &mut Random::new(3));
    let graph = Arc::new(PublicGraph::explore(&tree, &[0], &Run::default()).unwrap());
    let told = |bounds: &[Bound<u32>; 2]| -> Vec<(Belief, Vec<[i32; 3]>)> {
        let all =
            bounds.iter().flat_map(|bound| (0..graph.positions.len() as u32).map(move |at| (bound, at)));
        all.flat_map(|(bound, at)| {
            let here = bound.beliefs(at).iter().enumerate();
            here.map(move |(b, belief)| (*belief, bound.corners(at, b).to_vec()))
        })
        .collect()
    };
    let fresh = || apart(&graph, [3, 2], &Run::default());
    let mut calm = fresh();
    close(&mut calm, 0, &CLOSING, None, &Run::default()).unwrap();
    let expected = told(&calm);
    assert!(expected.len() > told(&fresh()).len(), "beliefs were added");
    let mut other = fresh();
    close(&mut other, 0, &CLOSING, None, &Run { threads: 3, ..Run::default() }).unwrap();
    assert!(told(&other) == expected);
    let mut stopped = 0;
    for patience in 1..4 {
        let desk = Desk { left: AtomicU64::new(patience), cancel: false.into(), drawer: Mutex::default() };
        loop {
            let run =
                Run { observer: &desk, store: &desk, cancel: &desk.cancel, threads: 2, ..Run::default() };
            let mut bounds = fresh();
            match close(&mut bounds, 0, &CLOSING, Some("both"), &run) {
                Ok(()) => {
                    assert!(told(&bounds) == expected, "stopped after {patience}");
                    break;
                }
                Err(Error::Cancelled) => stopped += 1,
                Err(e) => panic!("{e}"),
            }
            desk.cancel.store(false, Ordering::Relaxed);
            desk.left.store(patience + 1, Ordering::Relaxed);
        }
    }
    assert!(stopped >= 3, "{stopped}");
}

#[test]
fn law_threads_and_interruptions_change_nothing() {
    let tree = Tree::random([3, 2], 4, 2, &mut Random::new(3));
    let graph = Arc::new(PublicGraph::explore(&tree, &[0], &Run::default()).unwrap());
    let fresh = || Bound::new(graph.clone(), 0, &options(3, 5), &Run::default()).unwrap();
    let told = |bound: &Bound<u32>| -> Vec<Vec<[i32; 3]>> {
        let all = 0..graph.positions.len() as u32;
        all.flat_map(|at| (0..bound.beliefs(at).len()).map(move |b| (at, b)))
            .map(|(at, b)| bound.corners(at, b).to_vec())
            .collect()
    };
    let mut calm = fresh();
    calm.solve(None, &Run::default()).unwrap();
    let expected = told(&calm);
    let (belief, level) = calm.best(0);
    let words =
        |bound: &Bound<u32>| format!("{:?}", bound.prove(0, belief, level, &Run::default()).unwrap().entries);
    for threads in [2, 3] {
        let mut other = fresh();
        other.solve(None, &Run { threads, ..Run::default() }).unwrap();
        assert_eq!(told(&other), expected);
        assert_eq!(words(&other), words(&calm));
    }
    let mut stopped = 0;
    for patience in 1..12 {
        let desk = Desk { left: AtomicU64::new(patience), cancel: false.into(), drawer: Mutex::default() };
        loop {
            let run =
                Run { observer: &desk, store: &desk, cancel: &desk.cancel, threads: 2, ..Run::default() };
            let mut bound = fresh();
            match bound.solve(Some("bound"), &run) {
                Ok(()) => {
                    assert_eq!(told(&bound), expected, "stopped after {patience}");
                    assert_eq!(words(&bound), words(&calm));
                    break;
                }
                Err(Error::Cancelled) => stopped += 1,
                Err(e) => panic!("{e}"),
            }
            desk.cancel.store(false, Ordering::Relaxed);
            desk.left.store(patience + 2, Ordering::Relaxed);
        }
    }
    assert!(stopped >= 10, "{stopped}");
}

#[test]
fn law_work_of_another_kind_is_not_taken_up() {
    let tree = Tree::random([2, 2], 2, 2, &mut Random::new(8));
    let graph = Arc::new(PublicGraph::explore(&tree, &[0], &Run::default()).unwrap());
    let desk = Desk { left: AtomicU64::new(u64::MAX), cancel: false.into(), drawer: Mutex::default() };
    let run = Run { observer: &desk, store: &desk, cancel: &desk.cancel, ..Run::default() };
    let value = |options: &Options, run: &Run<'_>| {
        let mut bound = Bound::new(graph.clone(), 0, options, run).unwrap();
        bound.solve(Some("bound"), run).unwrap();
        bound.best(0)
    };
    // The same number of sets, but guarantees in other units.
    let (fine, coarse) = (options(2, 6), Options { lattice: 60, ..options(2, 6) });
    let alone = value(&coarse, &Run::default());
    value(&fine, &run);
    assert_eq!(value(&coarse, &run), alone);
}

#[test]
fn law_a_run_that_does_not_fit_says_so() {
    let tree = Tree::random([3, 3], 3, 1, &mut Random::new(5));
    let graph = Arc::new(PublicGraph::explore(&tree, &[0], &Run::default()).unwrap());
    let run = Run { memory: 1 << 10, ..Run::default() };
    assert!(matches!(Bound::new(graph, 0, &options(3, 20), &run), Err(Error::Memory { .. })));
}
