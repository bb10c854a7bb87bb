//! A game with hidden information laid out level by level, children side by side, with the nodes a player cannot
//! tell apart gathered.

use crate::broken::{
    FORGETS, NO_ACTION, NO_OUTCOME, OTHER_ACTIONS, OUTCOME_OF_WEIGHT_0, no_such_player, not_zero_sum,
};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use std::ops::Range;
use yomikiri_core::error::bytes;
use yomikiri_core::text::grouped;
use yomikiri_core::{Error, Hidden, Run, Text, Turn, text};

/// Nodes from which on it takes so long to solve a game that it is said before.
const TOLD: usize = 200_000;

/// The mark of nothing where a number would stand.
pub(crate) const NONE: u32 = u32::MAX;

/// Who acts at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Player(u8),
    Chance,
    /// The game is over; where the utilities are.
    Over(u32),
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub who: Who,
    /// The first child; the others follow.
    pub first: u32,
    pub children: u32,
    pub parent: u32,
    /// Where the action that leads here has its probability in a profile; for an outcome of chance nothing.
    pub slot: u32,
    /// The weight and the probability if chance leads here.
    pub weight: u32,
    pub chance: f64,
}

/// What a player may know when it is to move.
#[derive(Clone, Debug)]
pub struct Info {
    first_slot: u32,
    actions: u32,
    /// The last action of the player before, as a slot.
    pub(crate) before: u32,
    nodes: Range<usize>,
    /// How many moves of its own the player has made before.
    pub(crate) stage: u32,
}

impl Info {
    /// Where its actions have their probabilities in a profile.
    pub(crate) fn slots(&self) -> Range<usize> {
        self.first_slot as usize..(self.first_slot + self.actions) as usize
    }
}

/// How actions are weighed, as a line of a proof; a number that is long is text.
pub(crate) fn weighed(weights: impl IntoIterator<Item = BigInt>) -> String {
    let written = |weight: BigInt| match weight.to_i64() {
        Some(weight) => weight.to_string(),
        None => format!("\"{weight}\""),
    };
    format!("[{}]\n", weights.into_iter().map(written).collect::<Vec<_>>().join(","))
}

/// The tree of a game.
pub struct Tree<G: Hidden> {
    shape: Shape,
    names: FxHashMap<(u8, G::Info), u32>,
    actions: Vec<G::Action>,
}

impl<G: Hidden> std::ops::Deref for Tree<G> {
    type Target = Shape;
    fn deref(&self) -> &Shape {
        &self.shape
    }
}

/// A tree without the names of what is known and done in it. Solvers work on this alone, and so are the same code for all
/// games.
pub struct Shape {
    nodes: Vec<Node>,
    /// Where each level begins, and the end.
    levels: Vec<usize>,
    utilities: Vec<i32>,
    /// By player, then in the order met.
    infos: Vec<Info>,
    /// Where the information of each player begins, and the end.
    players: Vec<usize>,
    /// The nodes of all information.
    gathered: Vec<u32>,
    /// How many actions there are in all information.
    slots: usize,
}

/// Information while the tree is made.
struct Met<A> {
    player: u8,
    actions: Vec<A>,
    before: Option<(u32, u32)>,
    stage: u32,
    nodes: Vec<u32>,
}

impl<G: Hidden> Tree<G> {
    /// Lays out a game.
    ///
    /// # Errors
    /// [`Error::Memory`] if it does not fit, [`Error::Cancelled`], and [`Error::Rules`] with the state that shows it if
    /// a player forgets what it did, or has different actions where it knows the same.
    pub fn new(game: &G, run: &Run<'_>) -> Result<Tree<G>, Error> {
        run.observer.begin(&text("the tree", "ゲーム木"), 0);
        let players = G::PLAYERS;
        // A node, its state and last actions in the level at work, three doubles in a pass, a utility a player.
        let each = std::mem::size_of::<Node>()
            + std::mem::size_of::<G::State>()
            + 8 * players
            + 24
            + 8 * players
            + 2 * std::mem::size_of::<G::Info>();
        let most = (run.memory / each as u64).min(u64::from(u32::MAX / 2)) as usize;
        let node = |parent, slot, weight, chance| Node {
            who: Who::Chance,
            first: 0,
            children: 0,
            parent,
            slot,
            weight,
            chance,
        };
        let mut nodes = vec![node(NONE, NONE, 1, 1.0)];
        let mut levels = vec![0];
        let mut utilities = Vec::new();
        let mut met: Vec<Met<G::Action>> = Vec::new();
        let mut names: FxHashMap<(u8, G::Info), u32> = FxHashMap::default();
        // The states of a level, and for each and every player its last action: information and number.
        let mut level = vec![game.start()];
        let mut lasts: Vec<Option<(u32, u32)>> = vec![None; players];
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        while !level.is_empty() {
            let start = levels[levels.len() - 1];
            levels.push(nodes.len());
            let (mut next, mut next_lasts) = (Vec::new(), Vec::new());
            for (i, state) in level.iter().enumerate() {
                if i % 1024 == 0 {
                    run.check()?;
                    run.observer.done(nodes.len() as u64);
                }
                let at = start + i;
                let last = &lasts[i * players..][..players];
                nodes[at].first = nodes.len() as u32;
                match game.turn(state) {
                    Turn::Terminal => {
                        nodes[at].who = Who::Over(utilities.len() as u32);
                        utilities.extend((0..players).map(|p| game.utility(state, p as u8)));
                        let row = &utilities[utilities.len() - players..];
                        if G::ZERO_SUM && row.iter().map(|&x| i64::from(x)).sum::<i64>() != 0 {
                            return Err(not_zero_sum(state, row));
                        }
                    }
                    Turn::Chance => {
                        outcomes.clear();
                        game.chance(state, &mut outcomes);
                        let total: u64 = outcomes.iter().map(|o| u64::from(o.1)).sum();
                        for &(a, weight) in &outcomes {
                            if weight == 0 {
                                return Err(Error::rules(state, OUTCOME_OF_WEIGHT_0));
                            }
                            nodes.push(node(at as u32, NONE, weight, f64::from(weight) / total as f64));
                            next.push(game.apply(state, a));
                            next_lasts.extend_from_slice(last);
                        }
                    }
                    Turn::Player(p) => {
                        if usize::from(p) >= players {
                            return Err(no_such_player(state, p, players));
                        }
                        actions.clear();
                        game.actions(state, &mut actions);
                        let before = last[usize::from(p)];
                        let number = *names.entry((p, game.info(state, p))).or_insert_with(|| {
                            let stage = before.map_or(0, |(i, _)| met[i as usize].stage + 1);
                            met.push(Met {
                                player: p,
                                actions: actions.clone(),
                                before,
                                stage,
                                nodes: vec![],
                            });
                            met.len() as u32 - 1
                        });
                        let info = &mut met[number as usize];
                        if info.actions != actions {
                            return Err(Error::rules(state, OTHER_ACTIONS));
                        }
                        if info.before != before {
                            return Err(Error::rules(state, FORGETS));
                        }
                        info.nodes.push(at as u32);
                        nodes[at].who = Who::Player(p);
                        for (a, &action) in actions.iter().enumerate() {
                            nodes.push(node(at as u32, a as u32, 1, 1.0));
                            next.push(game.apply(state, action));
                            next_lasts.extend_from_slice(last);
                            let mine = next_lasts.len() - players + usize::from(p);
                            next_lasts[mine] = Some((number, a as u32));
                        }
                    }
                }
                nodes[at].children = nodes.len() as u32 - nodes[at].first;
                if nodes[at].children == 0 && !matches!(nodes[at].who, Who::Over(_)) {
                    let chance = nodes[at].who == Who::Chance;
                    return Err(Error::rules(state, if chance { NO_OUTCOME } else { NO_ACTION }));
                }
                if nodes.len() > most {
                    return Err(Error::TooManyStates { found: nodes.len() as u64, limit: run.memory });
                }
            }
            (level, lasts) = (next, next_lasts);
        }
        run.observer.end();
        let tree = Self::gather(nodes, levels, utilities, met, names);
        if tree.nodes() >= TOLD {
            tree.announce(tree.bytes(), run);
        }
        Ok(tree)
    }

    /// Puts information in order of players, and slots into nodes.
    fn gather(
        mut nodes: Vec<Node>,
        levels: Vec<usize>,
        utilities: Vec<i32>,
        met: Vec<Met<G::Action>>,
        mut names: FxHashMap<(u8, G::Info), u32>,
    ) -> Tree<G> {
        let (mut infos, mut gathered, mut actions) = (Vec::<Info>::new(), Vec::new(), Vec::new());
        let mut players = vec![0];
        // Where information is now; a player's earlier information was met earlier, so it is known.
        let mut place = vec![NONE; met.len()];
        for player in 0..G::PLAYERS {
            for (i, m) in met.iter().enumerate().filter(|(_, m)| usize::from(m.player) == player) {
                place[i] = infos.len() as u32;
                let from = gathered.len();
                gathered.extend_from_slice(&m.nodes);
                infos.push(Info {
                    first_slot: actions.len() as u32,
                    actions: m.actions.len() as u32,
                    before: m.before.map_or(NONE, |(b, a)| infos[place[b as usize] as usize].first_slot + a),
                    nodes: from..gathered.len(),
                    stage: m.stage,
                });
                actions.extend_from_slice(&m.actions);
            }
            players.push(infos.len());
        }
        for info in &infos {
            for &at in &gathered[info.nodes.clone()] {
                let (first, children) = (nodes[at as usize].first, nodes[at as usize].children);
                for a in 0..children {
                    nodes[(first + a) as usize].slot = info.first_slot + a;
                }
            }
        }
        for number in names.values_mut() {
            *number = place[*number as usize];
        }
        let slots = actions.len();
        let shape = Shape { nodes, levels, utilities, infos, players, gathered, slots };
        Tree { shape, names, actions }
    }

    /// Bytes of memory it takes, without what the names hold outside themselves.
    pub fn bytes(&self) -> u64 {
        let named = size_of::<(u8, G::Info)>() + 16;
        let names = self.names.capacity() * named + self.actions.capacity() * size_of::<G::Action>();
        self.shape.own_bytes() + names as u64
    }

    /// The information a player is numbered with; `None` if it cannot come to know it.
    pub(crate) fn find(&self, player: u8, info: &G::Info) -> Option<&Info> {
        Some(&self.infos[*self.names.get(&(player, info.clone()))? as usize])
    }

    /// All information with its names, in no order.
    pub(crate) fn named(&self) -> impl Iterator<Item = (u8, &G::Info, &Info)> {
        self.names.iter().map(|((player, name), &at)| (*player, name, &self.infos[at as usize]))
    }

    /// The actions by their slots.
    pub(crate) fn actions(&self) -> &[G::Action] {
        &self.actions
    }
}

impl Shape {
    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// How many different things players may know when they are to move.
    pub fn informations(&self) -> usize {
        self.infos.len()
    }

    pub(crate) fn slots(&self) -> usize {
        self.slots
    }

    /// How many players there are.
    pub(crate) fn players(&self) -> usize {
        self.players.len() - 1
    }

    fn own_bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Node>()
            + self.utilities.capacity() * 4
            + self.infos.capacity() * size_of::<Info>()
            + self.gathered.capacity() * 4) as u64
    }

    /// Says what is about to be solved.
    fn announce(&self, taken: u64, run: &Run<'_>) {
        let (nodes, infos) = (grouped(self.nodes.len() as u64), grouped(self.infos.len() as u64));
        let taken = bytes(taken);
        run.observer.note(&Text::of(
            format!(
                "{nodes} positions, {infos} pieces of information, {taken} of memory so far: solving begins"
            ),
            format!("{nodes}局面、{infos}情報集合、メモリ {taken}：求解を始めます"),
        ));
    }

    pub(crate) fn infos(&self) -> &[Info] {
        &self.infos
    }

    pub(crate) fn infos_of(&self, player: usize) -> &[Info] {
        &self.infos[self.players[player]..self.players[player + 1]]
    }

    pub(crate) fn slots_of(&self, player: usize) -> Range<usize> {
        let at = |i: usize| self.infos.get(i).map_or(self.slots, |info| info.first_slot as usize);
        at(self.players[player])..at(self.players[player + 1])
    }

    pub(crate) fn nodes_of(&self, info: &Info) -> &[u32] {
        &self.gathered[info.nodes.clone()]
    }

    pub(crate) fn node(&self, at: usize) -> &Node {
        &self.nodes[at]
    }

    pub(crate) fn first_child(&self, node: u32) -> usize {
        self.nodes[node as usize].first as usize
    }

    /// The results of all players where the game is over.
    pub(crate) fn payoffs(&self, at: u32) -> &[i32] {
        &self.utilities[at as usize..][..self.players()]
    }

    /// Where each level begins, and the end.
    pub(crate) fn levels(&self) -> &[usize] {
        &self.levels
    }

    /// The slots of all information, in the order in which a breadth-first walk comes to it, with its player.
    pub(crate) fn in_order(&self) -> Vec<(u8, Range<usize>)> {
        let (mut all, mut told) = (Vec::new(), vec![false; self.slots()]);
        for node in &self.nodes {
            let Who::Player(player) = node.who else { continue };
            let first = self.nodes[node.first as usize].slot as usize;
            if !std::mem::replace(&mut told[first], true) {
                all.push((player, first..first + node.children as usize));
            }
        }
        all
    }
}
