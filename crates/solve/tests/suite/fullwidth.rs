//! Full-width search on a toy whose values are known by hand.

use yomikiri_core::{Error, Game, Rational, Run, Turn};
use yomikiri_solve::fullwidth::FullWidth;

/// The player names a number from 1 to 3 while a hidden die shows 1 to 6; the number wins that much if it is
/// not above the die, else it loses one, and the player may stop or do it again once.
struct Dare;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    won: i32,
    dares: u8,
    named: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Act {
    Stop,
    Name(u8),
    Die(u8),
}

impl Game for Dare {
    type State = State;
    type Action = Act;
    const PLAYERS: usize = 1;
    fn start(&self) -> State {
        State { won: 0, dares: 2, named: None }
    }
    fn turn(&self, s: &State) -> Turn {
        match s {
            State { named: Some(_), .. } => Turn::Chance,
            State { dares: 0, .. } => Turn::Terminal,
            _ => Turn::Player(0),
        }
    }
    fn actions(&self, _: &State, out: &mut Vec<Act>) {
        out.push(Act::Stop);
        out.extend((1..=3).map(Act::Name));
    }
    fn chance(&self, _: &State, out: &mut Vec<(Act, u32)>) {
        // A loaded die: ones come three times as often.
        out.extend((1..=6).map(|n| (Act::Die(n), if n == 1 { 3 } else { 1 })));
    }
    fn apply(&self, s: &State, a: Act) -> State {
        match (a, s.named) {
            (Act::Stop, _) => State { dares: 0, ..s.clone() },
            (Act::Name(n), _) => State { named: Some(n), ..s.clone() },
            (Act::Die(d), Some(n)) => {
                let won = s.won + if n <= d { i32::from(n) } else { -1 };
                State { won, dares: s.dares - 1, named: None }
            }
            (Act::Die(_), None) => s.clone(),
        }
    }
    fn utility(&self, s: &State, _: u8) -> i32 {
        // Only more than three counts.
        if s.won > 3 { s.won } else { 0 }
    }
}

fn ratio(n: i64, d: i64) -> Rational {
    Rational::new(n.into(), d.into())
}

#[test]
fn law_expectations_are_those_by_hand() {
    // From 3: naming 1 is sure to give 4; 2 gives 5 in 5/8; 3 gives 6 in 4/8. From 2: 2 gives 4 in 5/8, 3 gives
    // 5 in 4/8. From 1: only 3 helps, 4 in 4/8. From −1: nothing.
    let value = |s: &State| FullWidth::new(&Dare).value::<Rational>(s, &Run::default()).unwrap();
    let after = |won| State { won, dares: 1, named: None };
    assert_eq!(
        [3, 2, 1, -1].map(|won| value(&after(won))),
        [ratio(4, 1), ratio(5, 2), ratio(2, 1), ratio(0, 1)]
    );
    // So at the start: 1 gives 2, 2 gives 5/8 · 5/2, 3 gives 1/2 · 4, stopping nothing.
    let mut search = FullWidth::new(&Dare);
    let moves = search.moves::<Rational>(&Dare.start(), &Run::default()).unwrap();
    let values: Vec<Rational> = moves.iter().map(|m| m.1.clone()).collect();
    assert_eq!(values, [ratio(0, 1), ratio(2, 1), ratio(25, 16), ratio(2, 1)]);
    assert_eq!(moves[2].0, Act::Name(2));
    // Doubles agree, and nothing is left out: 3 dies of 6 faces, each with 4 actions and 3 more dies.
    let doubles = FullWidth::new(&Dare).moves::<f64>(&Dare.start(), &Run::default()).unwrap();
    assert_eq!(doubles.iter().map(|m| m.1).collect::<Vec<_>>(), [0.0, 2.0, 1.5625, 2.0]);
    assert_eq!(search.nodes(), 1 + 3 + 18 + 18 * (1 + 3 + 18));
}

#[test]
fn law_a_cancelled_search_stops() {
    let cancel = std::sync::atomic::AtomicBool::new(true);
    let run = Run { cancel: &cancel, ..Run::default() };
    let deep = State { won: 0, dares: 6, named: None };
    assert!(matches!(FullWidth::new(&Dare).value::<f64>(&deep, &run), Err(Error::Cancelled)));
}
