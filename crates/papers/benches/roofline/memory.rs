//! Memory's levels, in doubles and in fractions, and its kernel for many players.
//!
//! What is needed is counted over all states of the cards: for each, the moves there are and what each of them adds up.

use crate::kernel::{Kernel, Needs, shared};
use yomikiri_core::Run;
use yomikiri_core::combin::binomial;
use yomikiri_games::memory::levels::{Arithmetic, Doubles, Factorials, Keep, Levels};
use yomikiri_games::memory::party::rules::{Aim, Passes, Terms, Tie};
use yomikiri_games::memory::party::table::{self, Extent, Table};
use yomikiri_games::memory::rules::{Memory, Objective, Pattern};

/// What one value of a state of the cards needs.
#[derive(Clone, Copy, Default)]
struct Moves {
    /// Weighted values that are added up: second cards, matches, first cards.
    sums: f64,
    /// Moves that are compared: takes, second cards, turning, passing.
    choices: f64,
}

/// The states with at most so many ranks in some patterns, with their ranks by pattern.
fn states(patterns: &[Pattern], ranks: usize, x: &mut Vec<usize>, each: &mut dyn FnMut(&[usize])) {
    if x.len() == patterns.len() {
        each(x);
        return;
    }
    for n in 0..=ranks {
        x.push(n);
        states(patterns, ranks - n, x, each);
        x.pop();
    }
}

/// What a first card with this pattern becomes once it is turned, without its free pairs; none if all of it is gone.
fn turned(p: &Pattern) -> Option<Pattern> {
    let mut turned = Pattern { unknown: p.unknown - 1, known: p.known + 1 };
    while turned.free_pair() {
        turned.known -= 2;
    }
    (turned.unknown > 0).then_some(turned)
}

/// `summed`: what second cards of all kinds but the last bring is added up once for every position, and found there by
/// the first cards that leave no other kind.
fn moves(patterns: &[Pattern], x: &[usize], passes: f64, summed: bool) -> Moves {
    let mut moves = Moves::default();
    let known: usize = patterns.iter().zip(x).filter(|(p, _)| p.known > 0).map(|(_, n)| n).sum();
    let last = patterns.len() - 1;
    if summed {
        moves.sums += x[..last].iter().filter(|n| **n > 0).count() as f64;
    }
    for (i, p) in patterns.iter().enumerate().filter(|(i, _)| x[*i] > 0) {
        if p.unknown > 0 {
            let begun = summed && turned(p).is_none_or(|turned| turned == patterns[last]);
            let others = patterns.iter().zip(x).enumerate().skip(if begun { last } else { 0 });
            let others = others.filter(|(j, (q, n))| q.unknown > 0 && **n > usize::from(*j == i)).count();
            moves.sums += others as f64 + f64::from(u8::from(p.unknown > 1)) + 1.0;
            moves.choices += f64::from(u8::from(known > usize::from(p.known > 0)) + u8::from(p.known > 0));
        }
        moves.choices += f64::from(u8::from(p.known > 1));
    }
    if known > 1 {
        moves.choices += passes;
    }
    moves
}

fn totals(patterns: &[Pattern], x: &[usize]) -> (usize, usize) {
    let of = |each: fn(&Pattern) -> usize| patterns.iter().zip(x).map(|(p, n)| each(p) * n).sum();
    (of(|p| usize::from(p.unknown)), of(|p| p.pairs()))
}

/// The values of the dense levels, and what they need in all: sums, choices, and words of both.
fn dense(game: &Memory, cells: impl Fn(usize) -> usize) -> (f64, Moves, f64) {
    let patterns: Vec<Pattern> =
        game.patterns().iter().copied().filter(|p| p.unknown > 0 && !p.free_pair()).collect();
    let (mut values, mut all, mut words) = (0.0, Moves::default(), 0.0);
    states(&patterns, game.ranks(), &mut Vec::new(), &mut |x| {
        let (unknown, pairs) = totals(&patterns, x);
        let width = (game.widest(pairs) + 1) as f64;
        let one = moves(&patterns, x, 0.5, true);
        values += width;
        all.sums += width * one.sums;
        all.choices += width * one.choices;
        // A word is multiplied and added with its carry; a choice looks at one.
        words += width * (3.0 * one.sums * cells(unknown) as f64 + one.choices);
    });
    (values, all, words)
}

fn run(threads: usize) -> Run<'static> {
    Run { threads, memory: 8 << 30, ..Run::default() }
}

fn levels(name: &'static str, ranks: usize, tries: usize, bytes: f64) -> Kernel {
    let game = Memory::new(ranks, 4, Objective::Win).expect("a legal size");
    let seconds = shared(tries, |threads| {
        Levels::solve(&game, Doubles, Keep::Window, &run(threads)).expect("it fits");
    });
    let (values, all, _) = dense(&game, |_| 1);
    // A weighted value is a product and a sum.
    let sums = (2.0 * all.sums + all.choices) / values;
    Kernel {
        name,
        unit: "value",
        seconds: seconds.map(|s| s / values),
        needs: Needs { sums, bytes, ..Needs::default() },
    }
}

fn fractions() -> Kernel {
    let game = Memory::new(13, 4, Objective::Win).expect("a legal size");
    let seconds = shared(5, |threads| {
        Levels::solve(&game, Factorials::new(52), Keep::Window, &run(threads)).expect("it fits");
    });
    let arithmetic = Factorials::new(52);
    let (values, _, words) = dense(&game, |unknown| arithmetic.cells(unknown));
    let needs = Needs { words: words / values, ..Needs::default() };
    Kernel {
        name: "levels in fractions, 13 ranks",
        unit: "value",
        seconds: seconds.map(|s| s / values),
        needs,
    }
}

fn players() -> Kernel {
    const PLAYERS: u64 = 3;
    const RANKS: usize = 11;
    /// Shares of the win, and pairs.
    const NUMBERS: f64 = 6.0;
    let game = Memory::new(RANKS, 4, Objective::Cards).expect("a legal size");
    let terms = Terms { aim: Aim::Win, passes: Passes::Must, tie: Tie::Lex };
    let total = 2 * RANKS;
    let extent = Extent { ranks: RANKS, top: (4 * RANKS, total), total };
    let seconds = shared(3, |threads| {
        Table::<3>::solve(4, terms, extent, table::Keep::Near, &run(threads)).expect("it fits");
    });
    let patterns = &game.patterns()[..game.patterns().len() - 1];
    let (mut values, mut sums) = (0.0, 0.0);
    states(patterns, RANKS, &mut Vec::new(), &mut |x| {
        let scores = binomial((total - totals(patterns, x).1) as u64 + PLAYERS - 1, PLAYERS - 1) as f64;
        let one = moves(patterns, x, PLAYERS as f64, false);
        values += scores;
        sums += scores * (2.0 * NUMBERS * one.sums + one.choices);
    });
    // A value is written once and read when the next layer is made, which no cache keeps.
    let needs = Needs { sums: sums / values, bytes: 2.0 * 8.0 * NUMBERS, ..Needs::default() };
    Kernel {
        name: "three players, 11 ranks, for the win",
        unit: "position",
        seconds: seconds.map(|s| s / values),
        needs,
    }
}

pub fn kernels() -> Vec<Kernel> {
    vec![
        levels("levels in doubles, 13 ranks", 13, 20, 0.0),
        levels("levels in doubles, 35 ranks", 35, 5, 8.0),
        fractions(),
        players(),
    ]
}
