//! A game that was walked through elsewhere, by rules written in another language, and is given as arrays. From here on it
//! is a game like any other.

use crate::about::About;
use crate::approach::{AllSeen, Approach};
use crate::describe::{Describe, Past};
use crate::family::Family;
use crate::hidden::PartSeen;
use crate::params::Settings;
use std::collections::HashMap;
use std::sync::Arc;
use yomikiri_core::{Game, Hidden, Refusal, Text, Turn, text};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Item, Move, Shape, Squares, Token, Viewer, Zone, square};

/// The mark of chance among turns.
pub const CHANCE: u8 = 254;
/// The mark of a state in which the game is over.
pub const OVER: u8 = 255;

/// States, numbered from the start on, and what leads from one to another.
#[derive(Debug, Default)]
pub struct Arrays {
    /// Who acts in each state: a player, [`CHANCE`] or [`OVER`].
    pub turns: Vec<u8>,
    /// Where the edges of each state end; those of the next begin there.
    pub ends: Vec<u64>,
    /// Where each edge leads.
    pub targets: Vec<u32>,
    /// The number of each edge's action.
    pub actions: Vec<u32>,
    /// How likely each edge is, where chance takes it.
    pub weights: Vec<u32>,
    /// For each state its row of payoffs where the game is over, and what is known where a player is to move.
    pub details: Vec<u32>,
}

impl Arrays {
    /// The edges of a state.
    pub fn edges(&self, state: u32) -> std::ops::Range<usize> {
        let state = state as usize;
        let begin = if state == 0 { 0 } else { self.ends[state - 1] };
        begin as usize..self.ends[state] as usize
    }

    /// Bytes of memory they take.
    pub fn bytes(&self) -> u64 {
        let words = self.targets.capacity() + self.actions.capacity() + self.weights.capacity();
        (self.turns.capacity() + self.ends.capacity() * 8 + (words + self.details.capacity()) * 4) as u64
    }
}

/// The names of what is in a game, for people.
#[derive(Debug, Default)]
pub struct Names {
    /// Every state, each differently.
    pub states: Vec<String>,
    /// Every state in lines of text; where there are none, its name.
    pub drawn: Vec<String>,
    /// Every action.
    pub actions: Vec<String>,
    /// Everything a player may know.
    pub infos: Vec<String>,
    /// The state of a name.
    pub index: HashMap<String, u32>,
}

/// A game given as arrays, of so many players, who may have opposite interests.
#[derive(Clone)]
pub struct Given<const PLAYERS: usize, const ZERO_SUM: bool> {
    /// The states and edges.
    pub arrays: Arc<Arrays>,
    /// Rows of payoffs, one number a player.
    pub payoffs: Arc<[i32]>,
    /// The names, where anybody will read them.
    pub names: Arc<Names>,
    /// Whether players do not see everything.
    pub hidden: bool,
    /// What the values measure.
    pub measure: Measure,
}

impl<const PLAYERS: usize, const ZERO_SUM: bool> Game for Given<PLAYERS, ZERO_SUM> {
    type State = u32;
    /// An action's number, and the number of the edge among those of its state.
    type Action = (u32, u32);
    const PLAYERS: usize = PLAYERS;
    const ZERO_SUM: bool = ZERO_SUM;

    fn start(&self) -> u32 {
        0
    }
    fn turn(&self, s: &u32) -> Turn {
        match self.arrays.turns[*s as usize] {
            CHANCE => Turn::Chance,
            OVER => Turn::Terminal,
            player => Turn::Player(player),
        }
    }
    fn actions(&self, s: &u32, out: &mut Vec<(u32, u32)>) {
        let edges = self.arrays.edges(*s);
        out.extend(self.arrays.actions[edges].iter().copied().zip(0..));
    }
    fn chance(&self, s: &u32, out: &mut Vec<((u32, u32), u32)>) {
        let edges = self.arrays.edges(*s);
        let actions = self.arrays.actions[edges.clone()].iter().copied().zip(0..);
        out.extend(actions.zip(self.arrays.weights[edges].iter().copied()));
    }
    fn apply(&self, s: &u32, a: (u32, u32)) -> u32 {
        self.arrays.targets[self.arrays.edges(*s).start + a.1 as usize]
    }
    fn utility(&self, s: &u32, player: u8) -> i32 {
        self.payoffs[self.arrays.details[*s as usize] as usize * PLAYERS + usize::from(player)]
    }
}

impl<const PLAYERS: usize, const ZERO_SUM: bool> Hidden for Given<PLAYERS, ZERO_SUM> {
    type Info = u32;
    fn info(&self, s: &u32, _: u8) -> u32 {
        self.arrays.details[*s as usize]
    }
}

/// What a viewer who may not know more is shown.
const UNSEEN: &str = "?";

impl<const PLAYERS: usize, const ZERO_SUM: bool> Given<PLAYERS, ZERO_SUM> {
    /// A state as a viewer may read it.
    fn seen<'a>(&'a self, s: u32, viewer: Viewer, all: &'a [String]) -> &'a str {
        let whole = all.get(s as usize).map_or(UNSEEN, String::as_str);
        match self.turn(&s) {
            _ if !self.hidden => whole,
            Turn::Terminal => whole,
            Turn::Player(p) if viewer == Some(p) => {
                let info = self.arrays.details[s as usize];
                self.names.infos.get(info as usize).map_or(UNSEEN, String::as_str)
            }
            _ => UNSEEN,
        }
    }
}

impl<const PLAYERS: usize, const ZERO_SUM: bool> Describe for Given<PLAYERS, ZERO_SUM> {
    fn parse(&self, text: &str) -> Result<u32, Refusal> {
        self.names.index.get(text).copied().ok_or_else(|| Refusal::new("position", text, NOTATION))
    }
    fn print(&self, s: &u32) -> Option<String> {
        self.names.states.get(*s as usize).cloned()
    }
    fn action(&self, s: &u32, a: (u32, u32)) -> Move {
        let name = self.names.actions.get(a.0 as usize).cloned().unwrap_or_default();
        // Braces would be cards.
        let label = Text::same(name.replace(['{', '}'], "|"));
        let mut made = Move::new(name, label);
        if !self.hidden {
            let drawn = |s: u32| self.names.drawn.get(s as usize).and_then(|drawn| squares(drawn));
            if let (Some(before), Some(after)) = (drawn(*s), drawn(self.apply(s, a))) {
                place(&before, &after, &mut made);
            }
        }
        made
    }
    fn board(&self, s: &u32, _: &Past<Self>, viewer: Viewer) -> Board {
        let viewer = viewer.or_else(|| self.looks_on(s));
        lines(self.seen(*s, viewer, &self.names.drawn))
    }
    fn open(&self) -> bool {
        !self.hidden
    }
    fn written(&self, s: &u32, viewer: Viewer) -> String {
        self.seen(*s, viewer, &self.names.states).to_owned()
    }
    fn measure(&self) -> Measure {
        self.measure.clone()
    }
    fn conceals(&self, _: &u32, _: (u32, u32), _: Viewer) -> bool {
        // What others did is told by what one knows, and by nothing else.
        self.hidden
    }
    fn repetitions(&self) -> Option<usize> {
        Some(3)
    }
}

/// The longest side of a board that is drawn as one.
const SIDE: usize = 16;
/// Signs for squares on which nothing stands.
const EMPTY: [char; 4] = ['.', ' ', '_', '·'];

/// Lines of text as squares from the lowest row on, where all are as long.
fn squares(drawn: &str) -> Option<Vec<Vec<char>>> {
    let rows: Vec<Vec<char>> = drawn.lines().rev().map(|line| line.chars().collect()).collect();
    let cols = rows.first()?.len();
    let fits = (2..=SIDE).contains(&rows.len()) && (1..=SIDE).contains(&cols);
    (fits && rows.iter().all(|row| row.len() == cols)).then_some(rows)
}

/// Where a move is made, if that is told by what it changes: one square, or one that becomes empty and one that does not.
fn place(before: &[Vec<char>], after: &[Vec<char>], made: &mut Move) {
    let mut changed = Vec::new();
    for (row, (old, new)) in before.iter().zip(after).enumerate() {
        for (col, (old, new)) in old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new) {
            let empty = |sign: &char| EMPTY.contains(sign);
            changed.push((format!("board/{}", square(col as u8, row as u8)), empty(old), empty(new)));
        }
    }
    match changed.as_slice() {
        [(at, _, _)] => made.on = vec![at.clone()],
        [(from, false, true), (to, _, false)] | [(to, _, false), (from, false, true)] => {
            (made.from, made.to) = (Some(from.clone()), Some(to.clone()));
        }
        _ => {}
    }
}

/// Lines of text as a board: squares where all lines are as long, and one under the other else.
fn lines(drawn: &str) -> Board {
    let Some(rows) = squares(drawn) else {
        let line = |(at, line): (usize, &str)| {
            Zone::new(format!("line{at}"), Shape::Hand, Text::same(line.to_owned()), Vec::new())
        };
        return Board::new(drawn.lines().enumerate().map(line).collect());
    };
    let mut items = Vec::new();
    for (row, signs) in rows.iter().enumerate() {
        for (col, sign) in signs.iter().enumerate().filter(|(_, sign)| !EMPTY.contains(sign)) {
            let at = square(col as u8, row as u8);
            let sign = match sign {
                'o' | 'O' => '○',
                'x' | 'X' => '×',
                other => *other,
            };
            items.push(Item::token(at.clone(), Token::letter(Text::same(sign.to_string()))).at(at));
        }
    }
    let squares = Squares { bare: true, ..Squares::new(rows[0].len() as u8, rows.len() as u8) };
    Board::new(vec![Zone::new("board", Shape::Board(squares), Text::default(), items)])
}

const NOTATION: Text = text("a state of the game as it is written there", "ゲームの状態の表記");

/// Such a game as one that can be asked, shown and played.
pub struct Taken<const PLAYERS: usize, const ZERO_SUM: bool> {
    /// What it is called.
    pub about: &'static About,
    /// The game.
    pub game: Given<PLAYERS, ZERO_SUM>,
}

impl<const PLAYERS: usize, const ZERO_SUM: bool> Family for Taken<PLAYERS, ZERO_SUM> {
    type Game = Given<PLAYERS, ZERO_SUM>;

    fn about(&self) -> &'static About {
        self.about
    }
    fn game(&self, _: &Settings, _: u64) -> Result<Self::Game, Refusal> {
        Ok(self.game.clone())
    }
    fn approach(&self) -> Option<&'static dyn Approach<Self::Game>> {
        Some(if self.game.hidden { &PartSeen } else { &AllSeen })
    }
}
