//! The engines for one-player games on toys small enough to see through, against plain recursion.

use std::collections::HashSet;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Run};
use yomikiri_solve::search::{
    Exact, Fast, Guided, LEAST_MEMORY, Limit, Limits, MAX_WORDS, Packed, Puzzle, Restarts, Solvability,
};

/// Heaps of counters in a ring: a move takes one counter from a heap, or two from an even heap of which one goes to
/// the next. The goal is to have exactly the counters of `goal`. Moves on different heaps can be made in any order.
struct Heaps {
    start: [u8; 4],
    goal: [u8; 4],
    /// Whether moves that can be made in any order are kept as done.
    keeps: bool,
}

/// One from a heap, or two.
type Take = (usize, u8);

/// The heaps a move changes.
fn touched(m: Take) -> [usize; 2] {
    [m.0, if m.1 == 2 { (m.0 + 1) % 4 } else { m.0 }]
}

impl Puzzle for Heaps {
    type State = [u8; 4];
    type Move = Take;
    type Done = [[bool; 3]; 4];

    fn solved(&self, s: &[u8; 4]) -> bool {
        *s == self.goal
    }
    fn moves(&self, s: &[u8; 4], done: &[[bool; 3]; 4], out: &mut Vec<Take>) {
        for heap in 0..4 {
            for take in 1..=2 {
                let legal = s[heap] >= take && (take == 1 || s[heap].is_multiple_of(2));
                if legal && !done[heap][usize::from(take)] {
                    out.push((heap, take));
                }
            }
        }
    }
    fn apply(&self, s: &[u8; 4], m: Take) -> [u8; 4] {
        let mut s = *s;
        s[m.0] -= m.1;
        if m.1 == 2 {
            s[(m.0 + 1) % 4] += 1;
        }
        s
    }
    fn pack(&self, s: &[u8; 4]) -> Packed {
        // More words the more there is in the first heap, so that lengths are mixed.
        let mut words = [7; MAX_WORDS];
        words[0] = s.iter().fold(0, |word, &n| word << 8 | u64::from(n));
        Packed::new(words, self.words(words[0]))
    }
    fn words(&self, first: u64) -> usize {
        1 + (first >> 24) as usize % MAX_WORDS
    }
    fn add(&self, done: &mut [[bool; 3]; 4], m: Take) {
        done[m.0][usize::from(m.1)] = self.keeps;
    }
    fn after(&self, done: &[[bool; 3]; 4], m: Take) -> [[bool; 3]; 4] {
        let mut after = *done;
        for (heap, takes) in after.iter_mut().enumerate() {
            for take in 1..=2 {
                takes[usize::from(take)] &= touched((heap, take)).iter().all(|h| !touched(m).contains(h));
            }
        }
        after
    }
}

impl Guided for Heaps {
    fn fingerprint(&self, s: &[u8; 4]) -> u64 {
        self.pack(s).words()[0].wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
    fn promise(&self, s: &[u8; 4]) -> i32 {
        if self.solved(s) { i32::MAX } else { s.iter().map(|&n| i32::from(n % 2)).sum() }
    }
    fn children(&self, s: &[u8; 4], _: i32, mut visit: impl FnMut(Take, Option<i32>)) {
        let mut moves = Vec::new();
        self.moves(s, &Default::default(), &mut moves);
        for m in moves {
            let after = self.apply(s, m);
            visit(m, (!self.hopeless(&after)).then(|| self.promise(&after)));
        }
    }
    fn hopeless(&self, s: &[u8; 4]) -> bool {
        let sum = |heaps: &[u8; 4]| heaps.iter().map(|&n| u32::from(n)).sum::<u32>();
        sum(s) < sum(&self.goal)
    }
    fn left(&self, s: &[u8; 4]) -> u32 {
        let sum = |heaps: &[u8; 4]| heaps.iter().map(|&n| u32::from(n)).sum::<u32>();
        sum(s).saturating_sub(sum(&self.goal))
    }
}

/// The twin: plain recursion, with the rows counted as the exact engine promises to.
fn plain(puzzle: &Heaps, s: &[u8; 4], stop: bool, seen: &mut HashSet<[u8; 4]>) -> bool {
    let mut moves = Vec::new();
    puzzle.moves(s, &Default::default(), &mut moves);
    let mut children = Vec::new();
    for m in moves {
        let child = puzzle.apply(s, m);
        if seen.insert(child) {
            if stop && puzzle.solved(&child) {
                return true;
            }
            children.push(child);
        }
    }
    children.iter().any(|child| plain(puzzle, child, stop, seen))
}

fn toys() -> impl Iterator<Item = Heaps> {
    let mut random = Random::new(4);
    (0..300).map(move |i| {
        let start = [0; 4].map(|_| random.below(9) as u8);
        let goal = [0; 4].map(|_| random.below(4) as u8);
        Heaps { start, goal, keeps: i % 2 == 0 }
    })
}

fn replays(puzzle: &Heaps, moves: &[Take]) -> bool {
    let mut s = puzzle.start;
    for &m in moves {
        let mut legal = Vec::new();
        puzzle.moves(&s, &Default::default(), &mut legal);
        if !legal.contains(&m) {
            return false;
        }
        s = puzzle.apply(&s, m);
    }
    puzzle.solved(&s)
}

fn exact() -> Exact<Heaps> {
    Exact::new(Limits::memory(1 << 26)).unwrap()
}

#[test]
fn law_exact_answers_and_counts_as_plain_recursion_does() {
    let run = Run::default();
    let mut engine = exact();
    let mut solvable = 0;
    for puzzle in toys() {
        let found = engine.solve(&puzzle, &puzzle.start, &run).unwrap();
        let mut seen = HashSet::from([puzzle.start]);
        let can = puzzle.solved(&puzzle.start) || plain(&puzzle, &puzzle.start, true, &mut seen);
        assert_eq!(found.states, seen.len() as u64, "{:?} to {:?}", puzzle.start, puzzle.goal);
        match found.solvability {
            Solvability::Solved(moves) => assert!(can && replays(&puzzle, &moves)),
            Solvability::Unsolvable => assert!(!can),
            Solvability::Stopped(_) => panic!("no limit was near"),
        }
        solvable += u32::from(can);
        let mut seen = HashSet::from([puzzle.start]);
        plain(&puzzle, &puzzle.start, false, &mut seen);
        assert_eq!(engine.reachable(&puzzle, &puzzle.start, &run).unwrap(), Ok(seen.len() as u64));
    }
    assert!((50..250).contains(&solvable), "both answers are met: {solvable}");
}

#[test]
fn law_fast_finds_a_way_if_and_only_if_there_is_one() {
    let run = Run::default();
    let (mut engine, mut proof) = (Fast::default(), exact());
    for puzzle in toys() {
        let plan =
            Restarts { width: 3, way: 10, narrower: 10, wider: 40, tries: 5, noise: 8, budget: 1_000_000 };
        let tried = engine.solve(&puzzle, &puzzle.start, &plan, 3, &run).unwrap();
        let can =
            matches!(proof.solve(&puzzle, &puzzle.start, &run).unwrap().solvability, Solvability::Solved(_));
        assert_eq!(tried.moves.is_some(), can);
        assert_eq!(tried.exhausted, !can, "the budget is large enough to see everything");
        assert!(tried.moves.is_none_or(|moves| replays(&puzzle, &moves)));
    }
}

#[test]
fn law_fast_is_the_same_for_the_same_seed_and_keeps_to_its_budget() {
    let run = Run::default();
    let puzzle = Heaps { start: [30; 4], goal: [1, 2, 3, 1], keeps: true };
    let plan =
        Restarts { width: 2, way: 100, narrower: 5, wider: 30, tries: 9, noise: 100, budget: 5_000_000 };
    let first = Fast::default().solve(&puzzle, &puzzle.start, &plan, 9, &run).unwrap();
    let mut used = Fast::default();
    used.solve(&puzzle, &[9; 4], &plan, 1, &run).unwrap();
    assert_eq!(first, used.solve(&puzzle, &puzzle.start, &plan, 9, &run).unwrap());
    assert!(first.moves.is_some() && first.tries > 1);
    let plan = Restarts { budget: 100, ..plan };
    let short = Fast::default().solve(&puzzle, &puzzle.start, &plan, 9, &run).unwrap();
    assert!(short.moves.is_none() && !short.exhausted);
    // A try ends with the state whose children reach the budget: at most one state's children more.
    assert!((100..120).contains(&short.states), "{short:?}");
}

#[test]
fn law_limits_are_kept_and_named() {
    let run = Run::default();
    let puzzle = Heaps { start: [40; 4], goal: [99; 4], keeps: true };
    let limits = Limits { memory: 1 << 26, states: 1000 };
    let found = Exact::new(limits).unwrap().solve(&puzzle, &puzzle.start, &run).unwrap();
    assert_eq!(found.solvability, Solvability::Stopped(Limit::States(1000)));
    assert_eq!(found.states, 1000);
    let memory = 2 * LEAST_MEMORY;
    let found = Exact::new(Limits::memory(memory)).unwrap().solve(&puzzle, &puzzle.start, &run).unwrap();
    assert_eq!(found.solvability, Solvability::Stopped(Limit::Memory(memory)));
    assert!(found.bytes <= memory && found.states > 500);
    let refused = Exact::<Heaps>::new(Limits::memory(LEAST_MEMORY - 1));
    assert!(matches!(refused, Err(Error::Memory { need: LEAST_MEMORY, .. })));
}

#[test]
fn law_a_raised_flag_stops_both_engines() {
    let cancel = true.into();
    let run = Run { cancel: &cancel, ..Run::default() };
    let puzzle = Heaps { start: [40; 4], goal: [0; 4], keeps: true };
    assert!(matches!(exact().solve(&puzzle, &puzzle.start, &run), Err(Error::Cancelled)));
    let fast = Fast::default().solve(&puzzle, &puzzle.start, &Restarts::default(), 1, &run);
    assert!(matches!(fast, Err(Error::Cancelled)));
}
