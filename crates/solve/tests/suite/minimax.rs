//! Null-window search and induction over layers on a game of their own: coins in a row, from which players take
//! the first or the last in turn; some coins cost money.

use std::sync::atomic::AtomicBool;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Run, Turn};
use yomikiri_solve::layers::Layers;
use yomikiri_solve::minimax::{Contest, Minimax, NullWindow, plain};

struct Coins {
    row: Vec<i32>,
    /// Whether bounds are told or left wide open.
    bounds: bool,
}

/// First and last coin left (exclusive), who is to move, what player 0 has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Row {
    from: usize,
    to: usize,
    mover: u8,
    mine: i32,
}

impl Game for Coins {
    type State = Row;
    type Action = bool;

    fn start(&self) -> Row {
        Row { from: 0, to: self.row.len(), mover: 0, mine: 0 }
    }
    fn turn(&self, s: &Row) -> Turn {
        if s.from == s.to { Turn::Terminal } else { Turn::Player(s.mover) }
    }
    fn actions(&self, _: &Row, out: &mut Vec<bool>) {
        out.extend([false, true]);
    }
    fn apply(&self, s: &Row, last: bool) -> Row {
        let mut next = Row { mover: 1 - s.mover, ..s.clone() };
        let coin = if last {
            next.to -= 1;
            self.row[next.to]
        } else {
            next.from += 1;
            self.row[s.from]
        };
        if s.mover == 0 {
            next.mine += coin;
        }
        next
    }
    fn utility(&self, s: &Row, player: u8) -> i32 {
        let rest: i32 = self.row.iter().sum::<i32>() - 2 * s.mine;
        if player == 0 { -rest } else { rest }
    }
}

impl Contest for Coins {
    type Place = (usize, usize);

    fn place(&self, s: &Row) -> Option<(usize, usize)> {
        // Every third length is looked through.
        ((s.to - s.from) % 3 != 1).then_some((s.from, s.to))
    }
    fn banked(&self, s: &Row) -> i32 {
        s.mine
    }
    fn result(&self, s: &Row) -> i32 {
        s.mine
    }
    fn bounds(&self, s: &Row) -> (i32, i32) {
        let left = &self.row[s.from..s.to];
        if self.bounds {
            (left.iter().map(|c| c.min(&0)).sum(), left.iter().map(|c| c.max(&0)).sum())
        } else {
            (-1_000_000, 1_000_000)
        }
    }
    fn candidates(&self, s: &Row, out: &mut Vec<bool>) {
        // The larger coin first; two equal ones at the ends of two are the same.
        let ends = [self.row[s.from], self.row[s.to - 1]];
        out.push(ends[1] > ends[0]);
        if s.to - s.from > 1 {
            out.push(ends[1] <= ends[0]);
        }
    }
}

fn games() -> impl Iterator<Item = Coins> {
    let mut random = Random::new(4);
    (0..300usize).map(move |i| Coins {
        row: (0..1 + i % 13).map(|_| random.below(21) as i32 - 6).collect(),
        bounds: i % 2 == 0,
    })
}

#[test]
fn law_search_table_and_recursion_agree() {
    let run = Run::default();
    for game in games() {
        let s = game.start();
        let expected = plain(&game, &s);
        assert_eq!(Minimax::new(&game, &run).value(&s, &run).unwrap(), expected, "{:?}", game.row);
        let mut search = NullWindow::new(u64::MAX, &run);
        assert_eq!(search.value(&game, &s, &run).unwrap(), expected, "{:?}", game.row);
        // Asked directly, on either side of the value and far from it.
        for ask in [expected - 100, expected - 1, expected, expected + 1, expected + 100] {
            assert_eq!(search.reaches(&game, &s, ask, &run).unwrap(), expected >= ask);
        }
        // The same search answers for later positions.
        for a in [false, true] {
            let next = game.apply(&s, a);
            assert_eq!(search.value(&game, &next, &run).unwrap(), plain(&game, &next));
        }
    }
}

#[test]
fn law_layers_agree_for_any_number_of_threads() {
    for game in games().filter(|g| g.place(&g.start()).is_some()) {
        let s = game.start();
        for threads in [1, 3] {
            let run = Run { threads, ..Run::default() };
            let layers = Layers::solve(&game, &s, &run).unwrap();
            assert_eq!(layers.value(&game, &s, 0), Some(plain(&game, &s)), "{:?}", game.row);
            assert!(layers.positions() >= Minimax::new(&game, &run).places());
        }
    }
}

#[test]
fn law_search_remembers_fewer_places_than_the_table() {
    let run = Run::default();
    let (mut few, mut many) = (0, 0);
    let mut random = Random::new(6);
    for _ in 0..20 {
        let game = Coins { row: (0..30).map(|_| random.below(2) as i32).collect(), bounds: true };
        let (mut search, mut table) = (NullWindow::new(u64::MAX, &run), Minimax::new(&game, &run));
        let value = search.value(&game, &game.start(), &run).unwrap();
        assert_eq!(value, table.value(&game.start(), &run).unwrap());
        few += search.places();
        many += table.places();
        assert!(search.nodes() > 0);
    }
    assert!(few < many, "{few} of {many}");
}

#[test]
fn law_limits_are_kept() {
    let run = Run::default();
    let game = Coins { row: (0..200).map(|i| i * i % 17 - 5).collect(), bounds: true };
    let s = game.start();
    assert!(matches!(NullWindow::new(10, &run).value(&game, &s, &run), Err(Error::Refused(_))));
    let stop = AtomicBool::new(true);
    let cancelled = Run { cancel: &stop, ..Run::default() };
    assert!(matches!(
        NullWindow::new(u64::MAX, &cancelled).value(&game, &s, &cancelled),
        Err(Error::Cancelled)
    ));
    assert!(matches!(Minimax::new(&game, &cancelled).value(&s, &cancelled), Err(Error::Cancelled)));
    assert!(matches!(Layers::solve(&game, &s, &cancelled), Err(Error::Cancelled)));
    let small = Run { memory: 1000, ..Run::default() };
    assert!(matches!(Minimax::new(&game, &small).value(&s, &small), Err(Error::Memory { .. })));
    assert!(matches!(Layers::solve(&game, &s, &small), Err(Error::Memory { .. })));
}
