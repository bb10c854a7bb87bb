//! Strategies of the players of a game that hides something: a line for everything a player may know when it is to
//! move, in the order in which a breadth-first walk through the tree of the game comes to it. It is a list of whole
//! numbers: how the actions, in the game's order, are weighed.
//!
//! Where two players are opposed, what player 0's strategy guarantees is what is left when player 1 answers it best, and the
//! other way round. Both best answers are computed here, in fractions. The value lies between them, and is proved where
//! they meet. Other games have no one value: for them it is computed what each player gets, and what it could get by
//! answering the others best. Where nobody could get more the strategies are a Nash equilibrium.

use crate::{Fault, Lines, Proved, Shows, end, line, list, rejected, whole};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::collections::HashMap;
use yomikiri_core::{Error, Hidden, Number, Rational, Run, Text, Turn, text};

/// Nodes between two looks at whether to stop.
const NOTICE: usize = 1 << 12;

/// A node of the tree: who acts, its children, and how likely chance makes it at its parent.
struct Node {
    turn: Turn,
    /// What the player to move knows, by number.
    info: usize,
    children: std::ops::Range<usize>,
    chance: Rational,
    /// What the players get, if the game is over.
    payoffs: Vec<i32>,
}

/// What a player may know when it is to move.
struct Info<A> {
    player: u8,
    actions: Vec<A>,
    /// The information and the action with which the player came here.
    before: Option<(usize, usize)>,
    /// Its own moves before.
    moves: usize,
    nodes: Vec<usize>,
    /// The probability of each action.
    shares: Vec<Rational>,
}

/// Checks the strategies of all players.
///
/// # Errors
/// [`Fault::Rejected`] with the first line that is no strategy; [`Fault::Failed`] if a player forgets something, or the game
/// breaks another of its rules.
pub fn check<G: Hidden>(game: &G, lines: &mut dyn Lines, run: &Run<'_>) -> Result<Proved, Fault> {
    run.observer.begin(&text("checking positions", "局面の検査"), 0);
    let (nodes, mut infos) = expand(game, run)?;
    for (at, info) in infos.iter_mut().enumerate() {
        let number = at as u64 + 1;
        let list = list(number, line(lines, number)?)?;
        let weights = list.iter().map(|w| whole(number, w)).collect::<Result<Vec<_>, _>>()?;
        let total: BigInt = weights.iter().sum();
        if weights.len() != info.actions.len()
            || weights.iter().any(BigInt::is_negative)
            || !total.is_positive()
        {
            let actions = info.actions.len();
            return Err(rejected(
                number,
                format!("a strategy has {actions} weights here, none below 0 and one above"),
                format!("ここでは{actions}個の重み（0以上、少なくとも1つは正）が必要です"),
            ));
        }
        info.shares = weights.into_iter().map(|w| Rational::new(w, total.clone())).collect();
    }
    end(lines, infos.len() as u64 + 1)?;
    let answers: Vec<Rational> =
        (0..G::PLAYERS).map(|player| answer(&nodes, &infos, player, run)).collect::<Result<_, _>>()?;
    let positions = nodes.len() as u64;
    let (bounds, shows) = match &answers[..] {
        [high, low] if G::ZERO_SUM => (vec![(-low, high.clone()), (-high, low.clone())], Shows::Value),
        _ => (payoffs(&nodes, &infos, G::PLAYERS).into_iter().zip(answers).collect(), Shows::Profile),
    };
    run.observer.end();
    Ok(Proved { bounds, shows, positions })
}

type Tree<A> = (Vec<Node>, Vec<Info<A>>);

/// The tree, level by level.
fn expand<G: Hidden>(game: &G, run: &Run<'_>) -> Result<Tree<G::Action>, Fault> {
    let broken = |s: &G::State, wrong: Text| Fault::Failed(Error::rules(s, wrong));
    let mut nodes: Vec<Node> = Vec::new();
    let mut infos: Vec<Info<G::Action>> = Vec::new();
    let mut names: HashMap<(u8, G::Info), usize> = HashMap::new();
    // States to come with their chance and each player's last information and action.
    let mut open =
        std::collections::VecDeque::from([(game.start(), Rational::one(), vec![None; G::PLAYERS])]);
    while let Some((s, chance, last)) = open.pop_front() {
        let at = nodes.len();
        if at.is_multiple_of(NOTICE) {
            run.check()?;
            run.observer.done(at as u64);
            run.fits((at + open.len()) as u64 * (size_of::<G::State>() as u64 + 360))?;
        }
        let first = at + 1 + open.len();
        let turn = game.turn(&s);
        let (mut info, mut payoffs) = (usize::MAX, Vec::new());
        match turn {
            Turn::Terminal => {
                payoffs.extend((0..G::PLAYERS).map(|player| game.utility(&s, player as u8)));
                if G::ZERO_SUM && payoffs.iter().map(|&x| i64::from(x)).sum::<i64>() != 0 {
                    return Err(broken(
                        &s,
                        text("the payoffs do not add up to 0", "利得の和が 0 になりません"),
                    ));
                }
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.chance(&s, &mut outcomes);
                let total: u64 = outcomes.iter().map(|o| u64::from(o.1)).sum();
                for &(a, weight) in outcomes.iter().filter(|o| o.1 > 0) {
                    open.push_back((
                        game.apply(&s, a),
                        Rational::new(weight.into(), total.into()),
                        last.clone(),
                    ));
                }
            }
            Turn::Player(player) if usize::from(player) < G::PLAYERS => {
                let mut actions = Vec::new();
                game.actions(&s, &mut actions);
                let before = last[usize::from(player)];
                info = *names.entry((player, game.info(&s, player))).or_insert_with(|| {
                    let moves = before.map_or(0, |(i, _): (usize, usize)| infos[i].moves + 1);
                    let actions = actions.clone();
                    infos.push(Info { player, actions, before, moves, nodes: vec![], shares: vec![] });
                    infos.len() - 1
                });
                if infos[info].actions != actions || infos[info].before != before {
                    let wrong = text(
                        "a player who knows the same has other actions, or forgets its own",
                        "同じ情報で手が異なるか、自分の手を忘れています",
                    );
                    return Err(broken(&s, wrong));
                }
                infos[info].nodes.push(at);
                for (number, &a) in actions.iter().enumerate() {
                    let mut last = last.clone();
                    last[usize::from(player)] = Some((info, number));
                    open.push_back((game.apply(&s, a), Rational::one(), last));
                }
            }
            Turn::Player(_) => {}
        }
        let children = first..at + 1 + open.len();
        if children.is_empty() && turn != Turn::Terminal {
            return Err(broken(&s, text("nothing can be done here", "手がありません")));
        }
        nodes.push(Node { turn, info, children, chance, payoffs });
    }
    Ok((nodes, infos))
}

/// How likely chance and all players but one make each node.
fn reach<A>(nodes: &[Node], infos: &[Info<A>], but: Option<u8>) -> Vec<Rational> {
    // Parents come before children.
    let mut reach = vec![Rational::one(); nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        for (a, child) in node.children.clone().enumerate() {
            reach[child] = match node.turn {
                Turn::Player(p) if Some(p) == but => reach[at].clone(),
                Turn::Player(_) => &reach[at] * &infos[node.info].shares[a],
                _ => &reach[at] * &nodes[child].chance,
            };
        }
    }
    reach
}

/// What all players get on average if they keep to their strategies.
fn payoffs<A>(nodes: &[Node], infos: &[Info<A>], players: usize) -> Vec<Rational> {
    let mut all = vec![Rational::zero(); players];
    for (node, reach) in nodes.iter().zip(reach(nodes, infos, None)) {
        for (sum, &payoff) in all.iter_mut().zip(&node.payoffs) {
            *sum += &reach * Rational::from_int(payoff);
        }
    }
    all
}

/// What a player gets on average if it answers the others' strategies best.
fn answer<A>(nodes: &[Node], infos: &[Info<A>], seat: usize, run: &Run<'_>) -> Result<Rational, Fault> {
    let player = seat as u8;
    let reach = reach(nodes, infos, Some(player));
    // Own moves before each node: what comes after a move is decided when everything with more moves is.
    let mut moves = vec![0; nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        let more = moves[at] + usize::from(node.turn == Turn::Player(player));
        node.children.clone().for_each(|child| moves[child] = more);
    }
    let most = moves.iter().copied().max().unwrap_or(0);
    let mut by_moves = vec![Vec::new(); most + 1];
    (0..nodes.len()).rev().for_each(|at| by_moves[moves[at]].push(at));
    let mut infos_by_moves = vec![Vec::new(); most + 1];
    infos.iter().filter(|info| info.player == player).for_each(|info| infos_by_moves[info.moves].push(info));
    // What each node brings, times how likely it is.
    let mut worth = vec![Rational::zero(); nodes.len()];
    for (own, others) in infos_by_moves.iter().zip(&by_moves).rev() {
        run.check()?;
        for info in own {
            let of = |a: usize| -> Rational {
                info.nodes.iter().map(|&node| &worth[nodes[node].children.start + a]).sum()
            };
            let sums: Vec<Rational> = (0..info.actions.len()).map(of).collect();
            let best = (1..sums.len())
                .fold(0, |best, a| if Number::compare(&sums[a], &sums[best]).is_gt() { a } else { best });
            for &node in &info.nodes {
                worth[node] = worth[nodes[node].children.start + best].clone();
            }
        }
        for &at in others {
            let node = &nodes[at];
            worth[at] = match node.turn {
                Turn::Player(p) if p == player => continue,
                Turn::Terminal => &reach[at] * Rational::from_int(node.payoffs[seat]),
                _ => node.children.clone().map(|child| &worth[child]).sum(),
            };
        }
    }
    Ok(worth[0].clone())
}
