//! Strategies of two opposed players of a game that hides something: a line for everything a player may know when it is to
//! move, in the order in which a breadth-first walk through the tree of the game comes to it. It is a list of whole
//! numbers: how the actions, in the game's order, are weighed.
//!
//! What player 0's strategy guarantees is what is left when player 1 answers it best, and the other way round. Both best
//! answers are computed here, in fractions. The value lies between them, and is proved where they meet.

use crate::{Fault, Lines, Proved, end, line, list, rejected, whole};
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
    payoff: i32,
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

/// Checks the strategies of both players.
///
/// # Errors
/// [`Fault::Rejected`] with the first line that is no strategy; [`Fault::Failed`] if the game is not one of two opposed
/// players who forget nothing.
pub fn check<G: Hidden>(game: &G, lines: &mut dyn Lines, run: &Run<'_>) -> Result<Proved, Fault> {
    if G::PLAYERS != 2 || !G::ZERO_SUM {
        let wrong = text(
            "strategies prove something for two opposed players",
            "利得が相反する2人のゲームだけが対象です",
        );
        return Err(Error::rules(&game.start(), wrong).into());
    }
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
    let high = answer(&nodes, &infos, 0, run)?;
    let low = -answer(&nodes, &infos, 1, run)?;
    run.observer.end();
    let bounds = vec![(low.clone(), high.clone()), (-high, -low)];
    Ok(Proved { bounds, positions: nodes.len() as u64 })
}

type Tree<A> = (Vec<Node>, Vec<Info<A>>);

/// The tree, level by level.
fn expand<G: Hidden>(game: &G, run: &Run<'_>) -> Result<Tree<G::Action>, Fault> {
    let broken = |s: &G::State, wrong: Text| Fault::Failed(Error::rules(s, wrong));
    let mut nodes: Vec<Node> = Vec::new();
    let mut infos: Vec<Info<G::Action>> = Vec::new();
    let mut names: HashMap<(u8, G::Info), usize> = HashMap::new();
    // States to come with their chance and each player's last information and action.
    let mut open = std::collections::VecDeque::from([(game.start(), Rational::one(), [None; 2])]);
    while let Some((s, chance, last)) = open.pop_front() {
        let at = nodes.len();
        if at.is_multiple_of(NOTICE) {
            run.check()?;
            run.observer.done(at as u64);
            run.fits((at + open.len()) as u64 * (size_of::<G::State>() as u64 + 360))?;
        }
        let first = at + 1 + open.len();
        let turn = game.turn(&s);
        let (mut info, mut payoff) = (usize::MAX, 0);
        match turn {
            Turn::Terminal => {
                payoff = game.utility(&s, 0);
                if i64::from(payoff) + i64::from(game.utility(&s, 1)) != 0 {
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
                    open.push_back((game.apply(&s, a), Rational::new(weight.into(), total.into()), last));
                }
            }
            Turn::Player(player) if player < 2 => {
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
                    let mut last = last;
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
        nodes.push(Node { turn, info, children, chance, payoff });
    }
    Ok((nodes, infos))
}

/// What a player gets on average if it answers the other's strategy best.
fn answer<A>(nodes: &[Node], infos: &[Info<A>], player: u8, run: &Run<'_>) -> Result<Rational, Fault> {
    // How likely chance and the other player make each node; parents come before children.
    let mut reach = vec![Rational::one(); nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        for (a, child) in node.children.clone().enumerate() {
            reach[child] = match node.turn {
                Turn::Player(p) if p == player => reach[at].clone(),
                Turn::Player(_) => &reach[at] * &infos[node.info].shares[a],
                _ => &reach[at] * &nodes[child].chance,
            };
        }
    }
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
                Turn::Terminal => {
                    let payoff = if player == 0 { node.payoff } else { -node.payoff };
                    &reach[at] * Rational::from_int(payoff)
                }
                _ => node.children.clone().map(|child| &worth[child]).sum(),
            };
        }
    }
    Ok(worth[0].clone())
}
