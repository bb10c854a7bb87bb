//! Values of all positions: line *n* is about the *n*th position that a breadth-first walk from the start comes to, actions
//! in the game's order. It is a list: the value for player 0, or one a player where interests are not opposed, and
//! then a rank where there are cycles.
//!
//! Every position must be worth what its successors make of it: an end what the rules pay, chance the average, one of two
//! opposed players the best for itself; with more players or without opposition what the first of the best actions
//! of the mover brings everybody.
//!
//! # Why that is a proof
//! Without cycles there is only one way to fulfil this. With cycles there are more: two positions that lead to each other
//! could both claim 1. There the ranks help. Endless play is worth 0. Where the value is above 0, player 0 has an action
//! that keeps it and has a lower rank, every action of player 1 that keeps it has a lower rank, and chance may lead to a
//! lower rank or to a position worth at most 0; ends have rank 0. Let player 0 take such actions. What the current
//! position is worth never falls on average, is bounded and so converges. Actions of player 1 that raise it come only
//! finitely often. Between them ranks fall with a chance that is bounded from below, so the game does not stay for
//! ever where the value is above 0: it ends, or comes again and again to positions worth at most 0, and then the limit is
//! at most 0, which endless play pays. So player 0 gets at least the value on average. Below 0 the same holds for
//! player 1.

use crate::{Fault, Lines, Proved, end, fraction, line, list, rejected, whole};
use num_traits::{Signed, ToPrimitive, Zero};
use std::collections::HashMap;
use yomikiri_core::{Error, Game, Number, Rational, Run, Turn, text};

/// Positions between two looks at whether to stop.
const NOTICE: usize = 1 << 12;

/// What a line says.
struct Claim {
    values: Vec<Rational>,
    rank: Option<u64>,
}

/// Checks the values of all positions of a game.
///
/// # Errors
/// [`Fault::Rejected`] with the first line that does not follow.
pub fn check<G: Game>(game: &G, lines: &mut dyn Lines, run: &Run<'_>) -> Result<Proved, Fault> {
    let opposed = G::PLAYERS == 1 || G::PLAYERS == 2 && G::ZERO_SUM;
    let mut states = vec![game.start()];
    let mut numbers = HashMap::from([(game.start(), 0usize)]);
    let mut claims: Vec<Claim> = Vec::new();
    let mut nexts: Vec<Vec<usize>> = Vec::new();
    run.observer.begin(&text("checking positions", "局面の検査"), 0);
    // The walk, each position with its line.
    while nexts.len() < states.len() {
        let at = nexts.len();
        if at.is_multiple_of(NOTICE) {
            run.check()?;
            run.observer.done(at as u64);
            run.fits(states.len() as u64 * (2 * size_of::<G::State>() as u64 + 260))?;
        }
        claims.push(read(at as u64 + 1, line(lines, at as u64 + 1)?, if opposed { 1 } else { G::PLAYERS })?);
        let mut next = Vec::new();
        for a in leads(game, &states[at])? {
            let s = game.apply(&states[at], a.0);
            let number = *numbers.entry(s.clone()).or_insert_with(|| {
                states.push(s);
                states.len() - 1
            });
            next.push(number);
        }
        nexts.push(next);
    }
    end(lines, states.len() as u64 + 1)?;
    drop(numbers);
    let ranked = cycles(&nexts);
    if ranked && !opposed {
        return Err(rejected(
            1,
            "the game has cycles; values of all players prove nothing then",
            "循環のあるゲームでは、全員の値だけでは証明になりません",
        ));
    }
    for (at, s) in states.iter().enumerate() {
        if at.is_multiple_of(NOTICE) {
            run.check()?;
        }
        let line = at as u64 + 1;
        let wrong = |en: &str, ja: &str| rejected(line, format!("{en}: {s:?}"), format!("{ja}：{s:?}"));
        let (claim, next) = (&claims[at], &nexts[at]);
        let values = match game.turn(s) {
            Turn::Terminal => payoffs(game, s, claim.values.len()),
            Turn::Chance => average(game, s, next, &claims),
            Turn::Player(p) if opposed => vec![best(p, next, &claims)],
            Turn::Player(p) => first_best(p, next, &claims),
        };
        if values != claim.values {
            return Err(wrong(
                "the position is not worth that by what follows it",
                "後に続く局面から導かれる値と異なります",
            ));
        }
        if ranked
            && !claim.values[0].is_zero()
            && game.turn(s) != Turn::Terminal
            && !falls(game, s, next, at, &claims)
        {
            return Err(wrong("its rank does not lead to an end", "順位が終局に向かっていません"));
        }
    }
    run.observer.end();
    let start = &claims[0].values;
    let bounds = match (G::PLAYERS, opposed) {
        (2, true) => vec![start[0].clone(), -start[0].clone()],
        _ => start.clone(),
    };
    Ok(Proved {
        shows: crate::Shows::Value,
        bounds: bounds.into_iter().map(|v| (v.clone(), v)).collect(),
        positions: states.len() as u64,
    })
}

fn read(number: u64, text: &[u8], values: usize) -> Result<Claim, Fault> {
    let list = list(number, text)?;
    let rank = match list.len().checked_sub(values) {
        Some(0) => None,
        Some(1) => Some(
            whole(number, &list[values])?
                .to_u64()
                .ok_or_else(|| rejected(number, "the rank is out of range", "順位が範囲外です"))?,
        ),
        _ => {
            return Err(rejected(
                number,
                format!("a line has {values} values and at most a rank"),
                format!("1行は{values}個の値と、あれば順位です"),
            ));
        }
    };
    let values = list[..values].iter().map(|v| fraction(number, v)).collect::<Result<_, _>>()?;
    Ok(Claim { values, rank })
}

/// What may be done in a state, with weights where chance acts.
fn leads<G: Game>(game: &G, s: &G::State) -> Result<Vec<(G::Action, u32)>, Fault> {
    let mut out = Vec::new();
    match game.turn(s) {
        Turn::Terminal => return Ok(out),
        Turn::Chance => game.chance(s, &mut out),
        Turn::Player(p) if usize::from(p) < G::PLAYERS => {
            let mut actions = Vec::new();
            game.actions(s, &mut actions);
            out.extend(actions.into_iter().map(|a| (a, 1)));
        }
        Turn::Player(_) => {}
    }
    if out.is_empty() || out.iter().any(|o| o.1 == 0) {
        let wrong =
            text("nothing can be done in a position that is no end", "終局でない局面に手がありません");
        return Err(Error::rules(s, wrong).into());
    }
    Ok(out)
}

fn payoffs<G: Game>(game: &G, s: &G::State, values: usize) -> Vec<Rational> {
    (0..values).map(|player| Rational::from_int(game.utility(s, player as u8))).collect()
}

fn average<G: Game>(game: &G, s: &G::State, next: &[usize], claims: &[Claim]) -> Vec<Rational> {
    let mut outcomes = Vec::new();
    game.chance(s, &mut outcomes);
    let total: u64 = outcomes.iter().map(|o| u64::from(o.1)).sum();
    let of = |player: usize| {
        let parts = outcomes.iter().zip(next);
        let sum: Rational = parts
            .map(|((_, weight), &t)| {
                &claims[t].values[player] * Rational::new((*weight).into(), total.into())
            })
            .sum();
        sum
    };
    (0..claims[next[0]].values.len()).map(of).collect()
}

fn best(player: u8, next: &[usize], claims: &[Claim]) -> Rational {
    let values = next.iter().map(|&t| &claims[t].values[0]);
    let best = values.reduce(|a, b| {
        let larger = Number::compare(b, a).is_gt();
        if larger == (player == 0) { b } else { a }
    });
    best.cloned().unwrap_or_default()
}

fn first_best(player: u8, next: &[usize], claims: &[Claim]) -> Vec<Rational> {
    let of = |t: usize| &claims[t].values[usize::from(player)];
    let best = next.iter().copied().reduce(|a, b| if Number::compare(of(b), of(a)).is_gt() { b } else { a });
    best.map(|t| claims[t].values.clone()).unwrap_or_default()
}

/// Whether the rank of a position that is not worth 0 falls as it must.
fn falls<G: Game>(game: &G, s: &G::State, next: &[usize], at: usize, claims: &[Claim]) -> bool {
    let value = &claims[at].values[0];
    let Some(rank) = claims[at].rank else { return false };
    let winner = u8::from(value.is_negative());
    // Ends have the lowest rank whatever their lines say.
    let lower = |t: usize| claims[t].rank.unwrap_or(0) < rank;
    let same_side =
        |t: usize| claims[t].values[0].is_positive() == value.is_positive() && !claims[t].values[0].is_zero();
    let keeps = |t: &&usize| claims[**t].values[0] == *value;
    match game.turn(s) {
        Turn::Player(p) if p == winner => next.iter().filter(keeps).any(|&t| lower(t)),
        Turn::Player(_) => next.iter().filter(keeps).all(|&t| lower(t)),
        _ => next.iter().any(|&t| !same_side(t) || lower(t)),
    }
}

/// Whether some position can come twice: positions that lead nowhere are taken away until there are none.
fn cycles(nexts: &[Vec<usize>]) -> bool {
    let mut left: Vec<usize> = nexts.iter().map(Vec::len).collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); nexts.len()];
    nexts.iter().enumerate().for_each(|(s, next)| next.iter().for_each(|&t| before[t].push(s)));
    let mut open: Vec<usize> = (0..nexts.len()).filter(|&s| left[s] == 0).collect();
    let mut gone = 0;
    while let Some(s) = open.pop() {
        gone += 1;
        for &b in &before[s] {
            left[b] -= 1;
            if left[b] == 0 {
                open.push(b);
            }
        }
    }
    gone < nexts.len()
}
