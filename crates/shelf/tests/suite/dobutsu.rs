//! Dōbutsu shōgi's little sisters against a twin that shares nothing with their rules: letters in lines of text, always seen
//! from the side that is to move, and won and lost positions found sweep by sweep.

use std::collections::HashMap;
use yomikiri_core::{Game, Rational, Run, Turn};
use yomikiri_games::describe::Describe;
use yomikiri_games::family::Family;
use yomikiri_games::params::Settings;
use yomikiri_shelf::dobutsu::LittleLions;
use yomikiri_solve::Auto;

/// The board from the top, capitals move and go up; what both hold, in capitals and in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Seen {
    rows: Vec<Vec<char>>,
    own: Vec<char>,
    other: Vec<char>,
}

fn swapped(c: char) -> char {
    if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
}

/// Steps to the right and downwards.
fn steps(animal: char) -> Vec<(isize, isize)> {
    let all = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
    let may = |(x, y): (isize, isize)| match animal {
        'L' => true,
        'G' => x == 0 || y == 0,
        'E' => x != 0 && y != 0,
        'C' => (x, y) == (0, -1),
        'H' => x == 0 || y < 1,
        _ => false,
    };
    all.into_iter().filter(|step| may(*step)).collect()
}

impl Seen {
    fn read(notation: &str) -> Seen {
        let [board, held, mover] = notation.split('_').collect::<Vec<_>>()[..] else { panic!("{notation}") };
        let hand = |big: bool| {
            let mut all: Vec<char> = held
                .chars()
                .filter(|c| c.is_ascii_alphabetic() && c.is_ascii_uppercase() == big)
                .map(|c| c.to_ascii_uppercase())
                .collect();
            all.sort_unstable();
            all
        };
        let rows = board.split('/').map(|row| row.chars().collect()).collect();
        let seen = Seen { rows, own: hand(true), other: hand(false) };
        if mover == "1" { seen } else { seen.turned() }
    }

    /// From the other side of the board.
    fn turned(&self) -> Seen {
        let row = |row: &Vec<char>| row.iter().rev().map(|c| swapped(*c)).collect();
        Seen {
            rows: self.rows.iter().rev().map(row).collect(),
            own: self.other.clone(),
            other: self.own.clone(),
        }
    }

    fn squares(&self) -> Vec<(usize, usize, char)> {
        let row = |(y, row): (usize, &Vec<char>)| {
            row.iter().enumerate().map(|(x, c)| (x, y, *c)).collect::<Vec<_>>()
        };
        self.rows.iter().enumerate().flat_map(row).collect()
    }

    /// Every step of a capital, whatever stands where it ends but another capital.
    fn walks(&self) -> Vec<((usize, usize), (usize, usize))> {
        let mut all = Vec::new();
        for (x, y, c) in self.squares().into_iter().filter(|square| square.2.is_ascii_uppercase()) {
            for (right, down) in steps(c) {
                let (Some(to_x), Some(to_y)) = (x.checked_add_signed(right), y.checked_add_signed(down))
                else {
                    continue;
                };
                let there = self.rows.get(to_y).and_then(|row| row.get(to_x));
                if there.is_some_and(|c| !c.is_ascii_uppercase()) {
                    all.push(((x, y), (to_x, to_y)));
                }
            }
        }
        all
    }

    /// What every move leads to, seen by the other side.
    fn moves(&self) -> Vec<Seen> {
        let mut all = Vec::new();
        for ((x, y), (to_x, to_y)) in self.walks() {
            let mut next = self.clone();
            let animal = std::mem::replace(&mut next.rows[y][x], '.');
            let taken = std::mem::replace(
                &mut next.rows[to_y][to_x],
                if animal == 'C' && to_y == 0 { 'H' } else { animal },
            );
            match taken {
                '.' | 'l' => {}
                'h' => next.own.push('C'),
                taken => next.own.push(taken.to_ascii_uppercase()),
            }
            next.own.sort_unstable();
            all.push(next.turned());
        }
        let mut kinds = self.own.clone();
        kinds.dedup();
        for kind in kinds {
            for (x, y, _) in self.squares().into_iter().filter(|square| square.2 == '.') {
                let mut next = self.clone();
                next.rows[y][x] = kind;
                next.own.remove(next.own.iter().position(|held| *held == kind).unwrap());
                all.push(next.turned());
            }
        }
        all
    }

    /// Whether the side to move has won or lost already.
    fn over(&self) -> Option<bool> {
        let lion = |of: char| self.squares().into_iter().find(|square| square.2 == of);
        let Some((_, mine, _)) = lion('L') else { return Some(false) };
        if mine == 0 {
            return Some(true);
        }
        let (x, y, _) = lion('l').expect("only a lion of the side to move is taken");
        let home = y + 1 == self.rows.len() && !self.walks().iter().any(|walk| walk.1 == (x, y));
        (home || self.moves().is_empty()).then_some(false)
    }
}

/// Everything that can be reached: whether it is won by the side to move and in how many moves, unless it is drawn.
fn solved(start: Seen) -> HashMap<Seen, Option<(bool, u32)>> {
    let mut numbers = HashMap::from([(start.clone(), 0)]);
    let (mut all, mut next, mut known) = (vec![start], Vec::new(), Vec::new());
    while next.len() < all.len() {
        let seen = all[next.len()].clone();
        let over = seen.over();
        known.push(over.map(|won| (won, 0)));
        let after = if over.is_some() { Vec::new() } else { seen.moves() };
        let number = |seen: Seen| {
            *numbers.entry(seen.clone()).or_insert_with(|| {
                all.push(seen);
                all.len() - 1
            })
        };
        let after: Vec<usize> = after.into_iter().map(number).collect();
        next.push(after);
    }
    for distance in 1.. {
        let before = known.clone();
        for (at, after) in next.iter().enumerate().filter(|(at, _)| before[*at].is_none()) {
            let lost = |to: &usize| before[*to].is_some_and(|k| !k.0);
            let won = |to: &usize| before[*to].is_some_and(|k| k.0);
            if after.iter().any(lost) {
                known[at] = Some((true, distance));
            } else if after.iter().all(won) {
                known[at] = Some((false, distance));
            }
        }
        if known == before {
            break;
        }
    }
    all.into_iter().zip(known).collect()
}

/// Every position that can be reached has the twin's value and number of moves.
fn as_the_twin(rows: &str, friends: &str, positions: usize) {
    let settings = Settings::new(LittleLions.params(), [("rows", rows), ("friends", friends)]).unwrap();
    let game = LittleLions.game(&settings, 1).unwrap();
    let auto = Auto::solve(&game, &Run { memory: 4 << 30, ..Run::default() }).unwrap();
    let twin = solved(Seen::read(&game.print(&game.start()).unwrap()));
    let (mut open, mut met) = (vec![game.start()], std::collections::HashSet::from([game.start()]));
    while let Some(s) = open.pop() {
        let notation = game.print(&s).unwrap();
        let expected = twin[&Seen::read(&notation)];
        let mover = if notation.ends_with('1') { 0 } else { 1 };
        let value = expected.map_or(0, |(won, _)| if won { 1 } else { -1 });
        assert_eq!(auto.value_of(&game, &s, mover), Some(Rational::from_integer(value.into())), "{notation}");
        assert_eq!(auto.distance(&game, &s), expected.map(|known| known.1), "{notation}");
        if game.turn(&s) != Turn::Terminal {
            let mut actions = Vec::new();
            game.actions(&s, &mut actions);
            open.extend(actions.into_iter().map(|a| game.apply(&s, a)).filter(|next| met.insert(*next)));
        }
    }
    assert_eq!(met.len(), positions);
    assert!(twin.values().any(|known| known.is_some_and(|k| k.1 > 5)), "something is to be read out");
}

#[test]
fn law_every_position_is_worth_what_the_twin_says() {
    as_the_twin("3", "G", 18_150);
    as_the_twin("3", "E", 18_082);
}

mod full {
    #[test]
    fn law_every_position_is_worth_what_the_twin_says() {
        super::as_the_twin("4", "C", 217_226);
    }
}
