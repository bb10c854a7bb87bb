//! The generic solvers on a game small enough to be solved by hand-written recursion: players take one
//! stone or roll a die and take that many; who takes the last stone wins.

use std::sync::atomic::AtomicBool;
use yomikiri_core::{Canonical, Error, Game, Indexed, Number, Rational, Run, Turn};
use yomikiri_solve::induction::{Induction, memory, successor_not_lower};
use yomikiri_solve::memo::Memo;
use yomikiri_solve::reach::{Expanded, Keep, reachable};
use yomikiri_solve::restrict::{Free, Policy, Restricted};
use yomikiri_solve::solution::{best_line, first_best};
use yomikiri_solve::{Solution, Solver};

struct Stones {
    start: u32,
    die: u32,
}

/// Stones left, who is to move, whether the die is rolling.
type State = (u32, u8, bool);

/// 0 rolls the die for a player; other numbers take so many.
impl Game for Stones {
    type State = State;
    type Action = u32;

    fn start(&self) -> State {
        (self.start, 0, false)
    }
    fn turn(&self, s: &State) -> Turn {
        match *s {
            (0, ..) => Turn::Terminal,
            (_, _, true) => Turn::Chance,
            (_, p, false) => Turn::Player(p),
        }
    }
    fn actions(&self, s: &State, out: &mut Vec<u32>) {
        if matches!(self.turn(s), Turn::Player(_)) {
            out.extend([0, 1]);
        }
    }
    fn chance(&self, s: &State, out: &mut Vec<(u32, u32)>) {
        // More than there are takes them all; the weights of those add up.
        for n in 1..=self.die.min(s.0) {
            out.push((n, if n == s.0 { self.die - n + 1 } else { 1 }));
        }
    }
    fn apply(&self, s: &State, a: u32) -> State {
        match a {
            0 => (s.0, s.1, true),
            n => (s.0 - n, 1 - s.1, false),
        }
    }
    fn utility(&self, s: &State, player: u8) -> i32 {
        // Whoever moved last has won.
        if player == s.1 { -1 } else { 1 }
    }
}

impl Canonical for Stones {
    type Key = u32;
    fn key(&self, s: &State) -> Option<u32> {
        (!s.2).then_some(s.0)
    }
    fn symmetric(&self, s: &State, out: &mut Vec<State>) {
        out.push((s.0, 1 - s.1, s.2));
    }
}

impl Indexed for Stones {
    fn tiers(&self) -> u32 {
        self.start + 1
    }
    fn len(&self, tier: u32) -> u64 {
        u64::from((1..=self.start).contains(&tier))
    }
    fn index(&self, s: &State) -> Option<(u32, u64)> {
        (!s.2 && s.0 > 0).then_some((s.0, 0))
    }
    fn state(&self, at: (u32, u64)) -> Option<State> {
        (at.1 < self.len(at.0)).then_some((at.0, 0, false))
    }
}

/// The value for the player to move, as one would write it for this game alone.
fn by_hand(stones: i64, die: i64) -> f64 {
    if stones <= 0 {
        return -1.0;
    }
    let one = -by_hand(stones - 1, die);
    let rolled = (1..=die).map(|n| -by_hand(stones - n, die)).sum::<f64>() / die as f64;
    one.max(rolled)
}

#[test]
fn law_induction_and_recursion_equal_the_hand_written_solver() {
    let game = Stones { start: 14, die: 3 };
    let run = Run { threads: 2, ..Run::default() };
    let tiers = Induction::<f64>::new().solve(&game, &run).unwrap();
    let exact = Induction::<Rational>::new().solve(&game, &run).unwrap();
    let memo = Memo::<f64>::new().solve(&game, &run).unwrap();
    for stones in 1..=14 {
        let s = (stones, 1, false);
        let expected = by_hand(i64::from(stones), 3);
        assert!((tiers.value(&game, &s).unwrap() - expected).abs() < 1e-14, "{stones}");
        assert!((exact.value(&game, &s).unwrap().approx() - expected).abs() < 1e-14, "{stones}");
        assert!((memo.value(&game, &s).unwrap() - expected).abs() < 1e-14, "{stones}");
        // Chance states are seen by player 0, who in this one is not the player to move.
        let rolling = tiers.value(&game, &(stones, 1, true)).unwrap();
        assert!(-rolling <= expected + 1e-14);
        let moves = tiers.moves(&game, &s);
        let top = moves.iter().map(|m| m.1.unwrap()).fold(f64::MIN, f64::max);
        assert!((top - expected).abs() < 1e-14);
    }
    assert_eq!((tiers.positions(), memo.positions()), (14, 14));
    assert_eq!(memo.keys(), (1..=14).collect::<Vec<u32>>());
    assert_eq!(tiers.value(&game, &(15, 0, false)), None, "beyond the table");
    assert_eq!(memo.value(&game, &(15, 0, false)), None, "never visited");
}

#[test]
fn law_limits_and_cancelling_are_obeyed() {
    let game = Stones { start: 100, die: 6 };
    assert_eq!(memory::<_, f64>(&game), 800);
    let tight = Run { memory: 799, ..Run::default() };
    assert!(matches!(
        Induction::<f64>::new().solve(&game, &tight),
        Err(Error::Memory { need: 800, limit: 799 })
    ));
    assert!(matches!(Memo::<f64>::new().solve(&game, &tight), Err(Error::Memory { .. })));
    let cancel = AtomicBool::new(true);
    let stopped = Run { cancel: &cancel, ..Run::default() };
    assert!(matches!(Induction::<f64>::new().solve(&game, &stopped), Err(Error::Cancelled)));
    let mut kept = 0;
    let counted = count(
        &game,
        Expanded::new(&game, |s| s.0.into()),
        &mut |_, cancelled| {
            kept += u32::from(cancelled);
            Ok(())
        },
        &stopped,
    );
    assert!(matches!(counted, Err(Error::Cancelled)));
    assert_eq!(kept, 1, "what was done is kept");
}

fn count(game: &Stones, progress: Expanded<u32>, keep: Keep<'_, u32>, run: &Run<'_>) -> Result<u64, Error> {
    reachable(game, |s| s.0.into(), |key| (key, 0, false), progress, keep, run, |_| {})
}

/// An expansion that is stopped after any tier goes on to the same count.
#[test]
fn law_an_expansion_can_go_on_from_any_tier() {
    let game = Stones { start: 30, die: 6 };
    let run = Run::default();
    let mut stages = Vec::new();
    let all = count(
        &game,
        Expanded::new(&game, |s| s.0.into()),
        &mut |p, _| {
            stages.push(Expanded { count: p.count, open: p.open.clone() });
            Ok(())
        },
        &run,
    );
    assert_eq!((all.unwrap(), stages.len()), (30, 30));
    for stage in stages {
        assert_eq!(count(&game, stage, &mut |_, _| Ok(()), &run).unwrap(), 30);
    }
}

/// Always rolls.
struct Roller;

impl Policy<Stones> for Roller {
    fn restrict(&self, _: &Stones, _: &State, actions: &mut Vec<u32>) {
        actions.truncate(1);
    }
}

#[test]
fn law_a_bound_player_does_no_better_than_a_free_one() {
    let game = Stones { start: 12, die: 4 };
    let value = |first: &dyn Policy<Stones>, second: &dyn Policy<Stones>| {
        let bound = Restricted::new(&game, first, second);
        let solved = Memo::<Rational>::new().solve(&bound, &Run::default()).unwrap();
        solved.value(&bound, &bound.start()).unwrap()
    };
    let free = value(&Free, &Free);
    assert_eq!(
        free,
        Memo::<Rational>::new().solve(&game, &Run::default()).unwrap().value(&game, &game.start()).unwrap()
    );
    assert!(value(&Roller, &Free) < free && free < value(&Free, &Roller));
    // Bound alike, the players share their positions.
    let both = Restricted::both(&game, &Roller);
    let apart = Restricted::new(&game, &Roller, &Roller);
    let run = Run::default();
    let (a, b) = (
        Memo::<Rational>::new().solve(&both, &run).unwrap(),
        Memo::<Rational>::new().solve(&apart, &run).unwrap(),
    );
    assert_eq!(a.value(&both, &both.start()), b.value(&apart, &apart.start()));
    assert!(a.positions() < b.positions());
}

#[test]
fn law_every_reachable_position_is_visited_once() {
    let game = Stones { start: 30, die: 6 };
    let mut seen = Vec::new();
    let run = Run { threads: 2, ..Run::default() };
    let progress = Expanded::new(&game, |s| s.0.into());
    let state = |key| (key, 0, false);
    let keep: Keep<'_, u32> = &mut |_, _| Ok(());
    let count = reachable(&game, |s| s.0.into(), state, progress, keep, &run, |s| seen.push(s.0)).unwrap();
    assert_eq!(count, 30);
    assert_eq!(seen, (1..=30).rev().collect::<Vec<_>>(), "from the highest tier down");
}

#[test]
fn law_best_line_plays_best_moves_to_the_end() {
    let game = Stones { start: 9, die: 3 };
    let solved = Induction::<f64>::new().solve(&game, &Run::default()).unwrap();
    let line = best_line(&game, &solved, &game.start(), 100, 1e-12);
    let last = line.last().unwrap();
    assert_eq!(game.turn(&game.apply(&last.before, last.action)), Turn::Terminal);
    for step in line.iter().filter(|s| s.chance.is_none()) {
        assert_eq!(first_best(&solved.moves(&game, &step.before), 1e-12), Some(step.action));
    }
    assert_eq!(best_line(&game, &solved, &game.start(), 3, 1e-12).len(), 3);
    assert!(line.iter().filter_map(|s| s.chance).all(|(weight, total)| weight > 0 && weight <= total));
}

/// An index that is not in order of play is found out.
#[test]
fn law_successors_in_higher_tiers_are_found() {
    struct Backwards(Stones);
    impl Game for Backwards {
        type State = State;
        type Action = u32;
        fn start(&self) -> State {
            self.0.start()
        }
        fn turn(&self, s: &State) -> Turn {
            self.0.turn(s)
        }
        fn actions(&self, s: &State, out: &mut Vec<u32>) {
            self.0.actions(s, out);
        }
        fn chance(&self, s: &State, out: &mut Vec<(u32, u32)>) {
            self.0.chance(s, out);
        }
        fn apply(&self, s: &State, a: u32) -> State {
            self.0.apply(s, a)
        }
        fn utility(&self, s: &State, player: u8) -> i32 {
            self.0.utility(s, player)
        }
    }
    impl Indexed for Backwards {
        fn tiers(&self) -> u32 {
            self.0.tiers()
        }
        fn len(&self, tier: u32) -> u64 {
            self.0.len(tier)
        }
        fn index(&self, s: &State) -> Option<(u32, u64)> {
            (!s.2 && s.0 > 0).then_some((self.0.start + 1 - s.0, 0))
        }
        fn state(&self, at: (u32, u64)) -> Option<State> {
            (at.1 < self.len(at.0)).then_some((self.0.start + 1 - at.0, 0, false))
        }
    }
    let right = Stones { start: 5, die: 2 };
    assert!((1..=5).all(|n| successor_not_lower(&right, &(n, 0, false)).is_none()));
    let wrong = Backwards(Stones { start: 5, die: 2 });
    assert!(successor_not_lower(&wrong, &(4, 0, false)).is_some());
}
