//! The exact best response of player 2 to a behaviour of the owner, over the game with hidden colours.
//!
//! Player 2 knows its own colours and sees every move. What it does not know is what the owner has in mind: its
//! colours and, once it has guessed, the guess. A node is everything player 2 knows when it is to move: the
//! pieces, its colours, and the states of mind that are still possible, with weights. As long as the owner
//! has not looked, its moves are a function of what everyone sees; afterwards, the possible states of mind
//! only become fewer, when the owner's moves tell them apart. So nodes lie on levels, by pieces, by whether the
//! owner has looked, and by the number of states of mind: a move of player 2 and the owner's answer lead to
//! one node of the same level, or to an end and lower levels by chance. Within a level player 2 alone chooses,
//! on a graph without chance: what it gets is the best of the exits it can reach, or 0 if it can go round for ever.

use super::analysis::{Kind, Step};
use super::board::{Board, Colour, Position, Side, squares};
use super::real::{self, Next};
use super::strategy::{Intent, Owner, follow, truths};
use num_rational::Ratio;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;
use yomikiri_core::{Error, Run};

/// An exact payoff.
pub type Payoff = Ratio<i64>;

/// What the owner may have in mind.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mind {
    /// Its true colours.
    pub own: Side,
    /// The colours it takes the enemy to have, once it has looked.
    pub guess: Option<Side>,
    /// How likely, against the others.
    pub weight: u32,
}

/// What player 2 knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Info {
    /// The analysis the owner plays by and how the position looks in it, until the owner has looked.
    pub view: Option<(Kind, Position)>,
    /// The true colours of player 2.
    pub enemy: Side,
    /// What the owner may have in mind.
    pub minds: Vec<Mind>,
}

impl Info {
    /// The beginning of a game from a position of an analysis: the owner's colours are drawn, player 2 has chosen.
    pub fn start(kind: Kind, view: &Position, enemy: Side) -> Info {
        let [own, _] = truths(kind, view);
        let minds = own.into_iter().map(|own| Mind { own, guess: None, weight: 1 }).collect();
        Info { view: Some((kind, *view)), enemy, minds: tidy(minds) }
    }

    /// Pieces, whether the owner is blind, states of mind: never more later in the game, in this order.
    fn level(&self) -> (u32, bool, usize) {
        let own = self.minds.first().map_or(0, |m| m.own.all().count_ones());
        (own + self.enemy.all().count_ones(), self.view.is_some(), self.minds.len())
    }

    /// The true position if the owner has this in mind.
    fn real(&self, turn: u8, mind: &Mind) -> Position {
        Position { turn, sides: [mind.own, self.enemy] }
    }

    /// What a step of a player leads to with those states of mind in which it is made; all weigh `total`. Player 2 then
    /// knows what the view says.
    fn played<'m>(
        &self,
        turn: u8,
        step: Step,
        view: Option<(Kind, Position)>,
        minds: impl Iterator<Item = &'m Mind>,
        total: u32,
    ) -> Lottery<Info> {
        let (from, to) = (u32::from(step.from), u32::from(step.to));
        let share = |weight: u32| Payoff::new(i64::from(weight), i64::from(total));
        let (mut ended, mut left, mut enemy) = (Payoff::zero(), Vec::new(), self.enemy);
        for mind in minds {
            match real::play(&self.real(turn, mind), step) {
                Next::Won(winner) => ended += paid(winner) * share(mind.weight),
                Next::Goes(p) => {
                    enemy = p.sides[1];
                    let after = |g: Side| if turn == 0 { g.without(1 << to) } else { g.step(from, to) };
                    left.push(Mind { own: p.sides[0], guess: mind.guess.map(after), weight: mind.weight });
                }
            }
        }
        let weight = left.iter().map(|m| m.weight).sum();
        let goes = (!left.is_empty()).then(|| (share(weight), Info { view, enemy, minds: tidy(left) }));
        Lottery { ended, next: goes.into_iter().collect() }
    }

    /// The moves of player 2 that make sense: leaving with a red piece loses at once, and nothing is worse.
    pub fn moves(&self, board: &Board) -> Vec<Step> {
        let Some(mind) = self.minds.first() else { return Vec::new() };
        real::sensible(board, &self.real(1, mind))
    }
}

/// What a move and the owner's answer lead to: ends, already added up, and what player 2 may then know.
#[derive(Clone, Debug)]
pub struct Lottery<T> {
    /// What ends pay player 2, times their probabilities.
    pub ended: Payoff,
    /// What goes on, with probabilities.
    pub next: Vec<(Payoff, T)>,
}

fn paid(winner: u8) -> Payoff {
    if winner == 1 { Payoff::one() } else { -Payoff::one() }
}

/// States of mind in order, equal ones together, weights without common factors.
fn tidy(mut minds: Vec<Mind>) -> Vec<Mind> {
    minds.sort_unstable();
    minds.dedup_by(|b, a| {
        let same = (&a.own, &a.guess) == (&b.own, &b.guess);
        if same {
            a.weight += b.weight;
        }
        same
    });
    let gcd = minds.iter().fold(0, |gcd, m| num_integer::gcd(gcd, m.weight)).max(1);
    minds.iter_mut().for_each(|m| m.weight /= gcd);
    minds
}

/// What can be told apart: the owner's move, and whether it was still blind when it made it.
type Sign = (bool, Step);

/// What the owner's turn leads to.
pub fn answer(owner: &dyn Owner, info: &Info) -> Lottery<Info> {
    // Everything the owner may do, with the state of mind it does it in.
    let mut acts: Vec<(Sign, Mind)> = Vec::new();
    for mind in &info.minds {
        if let Some(guess) = &mind.guess {
            acts.push(((false, owner.open(&mind.own, guess)), mind.clone()));
        } else if let Some((kind, view)) = &info.view {
            for (weight, plan) in owner.blind(*kind, view) {
                let weight = mind.weight * weight;
                match plan {
                    Intent::Move(step) => acts.push(((true, step), Mind { weight, ..mind.clone() })),
                    Intent::Guess(guess) => {
                        let step = owner.open(&mind.own, &guess);
                        acts.push(((false, step), Mind { guess: Some(guess), weight, ..mind.clone() }));
                    }
                }
            }
        }
    }
    acts.sort_by_key(|act| act.0);
    let total: u32 = acts.iter().map(|act| act.1.weight).sum();
    let mut lottery = Lottery { ended: Payoff::zero(), next: Vec::new() };
    for same in acts.chunk_by(|a, b| a.0 == b.0) {
        let (blind, step) = same[0].0;
        let colour = info.enemy.at(u32::from(step.to));
        let view = info.view.filter(|_| blind).map(|(kind, view)| follow(kind, &view, step, colour));
        let then = info.played(0, step, view, same.iter().map(|act| &act.1), total);
        lottery.ended += then.ended;
        lottery.next.extend(then.next);
    }
    lottery
}

/// What a move of player 2 leads to, the owner's answer included.
pub fn after_move(owner: &dyn Owner, info: &Info, step: Step) -> Lottery<Info> {
    let total: u32 = info.minds.iter().map(|m| m.weight).sum();
    let mut lottery = Lottery { ended: Payoff::zero(), next: Vec::new() };
    // A take shows the colour.
    for colour in [None, Some(Colour::Blue), Some(Colour::Red)] {
        let minds = info.minds.iter().filter(|m| m.own.at(u32::from(step.to)) == colour);
        let view = info.view.map(|(kind, view)| follow(kind, &view, step, colour));
        let played = info.played(1, step, view, minds, total);
        lottery.ended += played.ended;
        for (share, info) in played.next {
            let then = answer(owner, &info);
            lottery.ended += share * then.ended;
            lottery.next.extend(then.next.into_iter().map(|(p, info)| (share * p, info)));
        }
    }
    lottery
}

/// Everything about a node but the squares: colours by the order of the pieces.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Pattern {
    /// Pieces of both sides.
    pieces: [u32; 2],
    /// The analysis and the two colours' sets of both sides as the view has them, hidden pieces being the rest.
    view: Option<(Kind, [u8; 4])>,
    /// The blue pieces of player 2.
    enemy: u8,
    /// Own blue pieces, enemy pieces taken to be blue, weight.
    minds: Vec<(u8, Option<u8>, u32)>,
}

/// A node in 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    own: u64,
    enemy: u64,
    pattern: u32,
}

/// Patterns by number.
#[derive(Default)]
struct Patterns {
    numbers: FxHashMap<Pattern, u32>,
    all: Vec<Pattern>,
    levels: Vec<(u32, bool, usize)>,
}

/// Which pieces of a set, counted from the lowest, are in another.
fn among(part: u64, whole: u64) -> u8 {
    squares(whole).enumerate().fold(0, |bits, (i, s)| bits | ((part >> s & 1) as u8) << i)
}

/// The pieces of a set that have these numbers.
fn picked(bits: u8, whole: u64) -> u64 {
    squares(whole).enumerate().fold(0, |set, (i, s)| set | u64::from(bits >> i & 1) << s)
}

impl Patterns {
    /// The pattern of what player 2 knows, and where the pieces are.
    fn pattern(info: &Info) -> (Pattern, [u64; 2]) {
        let own = info.minds.first().map_or(0, |m| m.own.all());
        let enemy = info.enemy.all();
        let blue = |side: &Side, whole: u64| among(side.of(Colour::Blue), whole);
        let red = |side: &Side, whole: u64| among(side.of(Colour::Red), whole);
        let view = info.view.map(|(kind, Position { sides: [a, b], .. })| {
            (kind, [blue(&a, own), red(&a, own), blue(&b, enemy), red(&b, enemy)])
        });
        let minds = info.minds.iter();
        let minds = minds.map(|m| (blue(&m.own, own), m.guess.map(|g| blue(&g, enemy)), m.weight)).collect();
        let pieces = [own, enemy].map(u64::count_ones);
        (Pattern { pieces, view, enemy: blue(&info.enemy, enemy), minds }, [own, enemy])
    }

    /// The node of what player 2 knows, if its pattern has been seen.
    fn find(&self, info: &Info) -> Option<Node> {
        let (pattern, [own, enemy]) = Patterns::pattern(info);
        self.numbers.get(&pattern).map(|&pattern| Node { own, enemy, pattern })
    }

    fn node(&mut self, info: &Info) -> Node {
        let (pattern, [own, enemy]) = Patterns::pattern(info);
        let number = match self.numbers.get(&pattern) {
            Some(number) => *number,
            None => {
                let number = self.all.len() as u32;
                self.numbers.insert(pattern.clone(), number);
                self.all.push(pattern);
                self.levels.push(info.level());
                number
            }
        };
        Node { own, enemy, pattern: number }
    }

    fn info(&self, node: &Node) -> Info {
        let pattern = &self.all[node.pattern as usize];
        let side = |bits: u8, whole: u64| {
            let blue = picked(bits, whole);
            Side([blue, whole & !blue, 0])
        };
        let view = pattern.view.map(|(kind, bits)| {
            let part = |i: usize, whole: u64| picked(bits[i], whole);
            let of = |blue: u64, red: u64, whole: u64| Side([blue, red, whole & !blue & !red]);
            let own = of(part(0, node.own), part(1, node.own), node.own);
            let enemy = of(part(2, node.enemy), part(3, node.enemy), node.enemy);
            (kind, Position { turn: 1, sides: [own, enemy] })
        });
        let minds = pattern.minds.iter().map(|&(own, guess, weight)| Mind {
            own: side(own, node.own),
            guess: guess.map(|guess| side(guess, node.enemy)),
            weight,
        });
        Info { view, enemy: side(pattern.enemy, node.enemy), minds: minds.collect() }
    }
}

/// A move that leaves the level, or whose outcome is chance.
struct Exit {
    action: u8,
    lottery: Lottery<u32>,
}

/// The best a player can do at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best {
    /// What player 2 gets.
    pub value: Payoff,
    /// Which of its moves, counted from 0.
    pub action: u8,
    /// Whether playing so surely ends the game; if not, the play may go on for ever.
    pub ends: bool,
}

/// The best response to a behaviour from some positions and from everything reachable from there.
pub struct Response {
    board: Board,
    patterns: Patterns,
    numbers: FxHashMap<Node, u32>,
    nodes: Vec<Node>,
    best: Vec<Option<Best>>,
}

/// Bytes a node takes while the graph is built and solved: the node and its number, about nine moves there
/// and back, and its best.
const NODE_BYTES: u64 = 640;
/// Bytes it takes when everything is solved.
const KEPT_BYTES: u64 = 200;
/// Nodes looked at between checks for limits and interruption.
const STRIDE: usize = 1 << 12;

impl Response {
    /// Solves everything reachable from these beginnings; in each the owner or player 2 is to move as the
    /// view says.
    ///
    /// # Panics
    /// If the owner makes quiet moves at random, against its contract.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    pub fn new(owner: &dyn Owner, board: &Board, roots: &[Info], run: &Run<'_>) -> Result<Response, Error> {
        let mut response = Response {
            board: board.clone(),
            patterns: Patterns::default(),
            numbers: FxHashMap::default(),
            nodes: Vec::new(),
            best: Vec::new(),
        };
        for root in roots {
            let begin = begin(owner, root);
            begin.next.iter().for_each(|(_, info)| {
                response.number(info);
            });
        }
        let (mut edges, mut exits) = (Vec::new(), Vec::new());
        let mut next = 0;
        while next < response.nodes.len() {
            if next.is_multiple_of(STRIDE) {
                run.check()?;
                run.fits(NODE_BYTES * (response.nodes.len() as u64))?;
            }
            response.expand(owner, next as u32, &mut edges, &mut exits);
            next += 1;
        }
        response.best = vec![None; response.nodes.len()];
        response.solve(&edges, &exits, run)?;
        Ok(response)
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        KEPT_BYTES * self.nodes.len() as u64
    }

    fn number(&mut self, info: &Info) -> u32 {
        let node = self.patterns.node(info);
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        })
    }

    fn expand(
        &mut self,
        owner: &dyn Owner,
        at: u32,
        edges: &mut Vec<(u32, u32, u8)>,
        exits: &mut Vec<(u32, Exit)>,
    ) {
        let info = self.patterns.info(&self.nodes[at as usize]);
        let level = info.level();
        for (action, step) in info.moves(&self.board).into_iter().enumerate() {
            let Lottery { ended, next } = after_move(owner, &info, step);
            let action = action as u8;
            if let [(share, only)] = &next[..]
                && share.is_one()
                && only.level() == level
            {
                let to = self.number(only);
                edges.push((at, to, action));
                continue;
            }
            for (_, info) in &next {
                assert!(info.level() < level, "an owner makes no quiet moves at random: {info:?}");
            }
            let next = next.into_iter().map(|(share, info)| (share, self.number(&info))).collect();
            exits.push((at, Exit { action, lottery: Lottery { ended, next } }));
        }
    }

    /// Solves level after level, the lowest first.
    fn solve(&mut self, edges: &[(u32, u32, u8)], exits: &[(u32, Exit)], run: &Run<'_>) -> Result<(), Error> {
        let count = self.nodes.len();
        let forward = begins(count, edges.iter().map(|e| e.0));
        let leaving = begins(count, exits.iter().map(|e| e.0));
        // Edges by where they lead.
        let backward = begins(count, edges.iter().map(|e| e.1));
        let mut into = vec![(0, 0); edges.len()];
        let mut fill = backward.clone();
        for &(from, to, action) in edges {
            let slot = &mut fill[to as usize];
            into[*slot as usize] = (from, action);
            *slot += 1;
        }
        let range = |begins: &[u32], at: u32| begins[at as usize] as usize..begins[at as usize + 1] as usize;
        let mut by_level: Vec<u32> = (0..count as u32).collect();
        by_level.sort_by_key(|&at| self.patterns.levels[self.nodes[at as usize].pattern as usize]);
        let levels: Vec<&[u32]> = by_level.chunk_by(|a, b| self.level(*a) == self.level(*b)).collect();
        let mut best = std::mem::take(&mut self.best);
        for level in levels {
            run.check()?;
            // The best way out of each node, what is worth most first and what surely ends before what may not.
            let mut out: Vec<(Payoff, bool, u32, u8)> = Vec::new();
            for &at in level {
                let ways = exits[range(&leaving, at)].iter().map(|(_, exit)| {
                    let (value, ends) = worth(&exit.lottery, |to| best[to as usize]);
                    (value, ends, at, exit.action)
                });
                out.extend(ways.reduce(|a, b| if (b.0, b.1) > (a.0, a.1) { b } else { a }));
            }
            out.sort_by(|a, b| (b.0, b.1).cmp(&(a.0, a.1)).then(a.2.cmp(&b.2)));
            let spread = |best: &mut Vec<Option<Best>>, start: Vec<u32>| {
                let mut queue = start;
                let mut next = 0;
                while let Some(&to) = queue.get(next) {
                    next += 1;
                    let Some(Best { value, ends, .. }) = best[to as usize] else { continue };
                    for &(from, action) in &into[range(&backward, to)] {
                        if best[from as usize].is_none() {
                            best[from as usize] = Some(Best { value, action, ends });
                            queue.push(from);
                        }
                    }
                }
            };
            let zero = out.partition_point(|o| o.0 >= Payoff::zero());
            for (part, endless_after) in [(&out[..zero], true), (&out[zero..], false)] {
                for same in part.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
                    let mut start = Vec::new();
                    for &(value, ends, at, action) in same {
                        if best[at as usize].is_none() {
                            best[at as usize] = Some(Best { value, action, ends });
                            start.push(at);
                        }
                    }
                    spread(&mut best, start);
                }
                if !endless_after {
                    continue;
                }
                // What is left cannot reach anything that pays 0 or more; where it can go round for ever, it does.
                // Nodes without a way on are struck off until every node that is left has one.
                let left = || level.iter().copied().filter(|&at| best[at as usize].is_none());
                let mut ways: FxHashMap<u32, usize> =
                    left().map(|at| (at, range(&forward, at).len())).collect();
                let mut struck: Vec<u32> = left().filter(|at| ways[at] == 0).collect();
                while let Some(at) = struck.pop() {
                    ways.remove(&at);
                    for (from, _) in &into[range(&backward, at)] {
                        if let Some(n) = ways.get_mut(from) {
                            *n -= 1;
                            if *n == 0 {
                                struck.push(*from);
                            }
                        }
                    }
                }
                for &at in ways.keys() {
                    let on = edges[range(&forward, at)].iter().find(|e| ways.contains_key(&e.1));
                    best[at as usize] = on.map(|e| Best { value: Payoff::zero(), action: e.2, ends: false });
                }
            }
        }
        self.best = best;
        Ok(())
    }

    fn level(&self, at: u32) -> (u32, bool, usize) {
        self.patterns.levels[self.nodes[at as usize].pattern as usize]
    }

    /// The number of nodes: everything player 2 may know at its turns.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The best player 2 can do at a node; `None` if it is not reachable from the beginnings.
    pub fn best(&self, info: &Info) -> Option<Best> {
        let node = self.patterns.find(info)?;
        self.numbers.get(&node).and_then(|&at| self.best[at as usize])
    }

    /// What player 2 gets from a beginning or after a move, and whether playing so surely ends the game; `None` if
    /// it may come to something that is not reachable from the beginnings.
    pub fn worth(&self, lottery: &Lottery<Info>) -> Option<(Payoff, bool)> {
        let next = lottery.next.iter().map(|(share, info)| Some((*share, self.best(info)?)));
        let next = next.collect::<Option<Vec<_>>>()?;
        Some(worth(&Lottery { ended: lottery.ended, next }, Some))
    }
}

/// A beginning up to the first turn of player 2.
pub fn begin(owner: &dyn Owner, root: &Info) -> Lottery<Info> {
    match &root.view {
        Some((_, view)) if view.turn == 0 => answer(owner, root),
        _ => Lottery { ended: Payoff::zero(), next: vec![(Payoff::one(), root.clone())] },
    }
}

/// The value of a lottery, and whether what follows surely ends.
fn worth<T: Copy>(lottery: &Lottery<T>, best: impl Fn(T) -> Option<Best>) -> (Payoff, bool) {
    let start = (lottery.ended, true);
    lottery.next.iter().fold(start, |(value, ends), (share, to)| {
        let b = best(*to).expect("lower levels are solved before");
        (value + *share * b.value, ends && b.ends)
    })
}

/// Where the entries of each node begin among entries sorted by node, or would if they were sorted.
fn begins(count: usize, nodes: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut begins = vec![0; count + 1];
    nodes.for_each(|at| begins[at as usize + 1] += 1);
    (0..count).for_each(|i| begins[i + 1] += begins[i]);
    begins
}
