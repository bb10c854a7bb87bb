//! The analyses: what each asks, which positions it has, and when a position decides it.
//!
//! In every analysis player 1 owns the strategy. Value +1: the owner reaches the target payoff in finitely
//! many moves; −1: player 2 prevents it in finitely many moves; 0: neither. Takes of pieces whose colour
//! is not known happen only inside the tests that end the analysis.

pub use super::kind::Kind;

use super::board::{Board, Colour, Position, Set, Side, squares, together};
use super::space::{Material, Space, Walk};
use super::start;
use std::sync::Arc;
use yomikiri_core::{Canonical, Game, Look, Retro, Text, Turn, text};
use yomikiri_solve::retrograde::{GameValue, ValueTable};

/// Why an analysis ends at a position: the player to move has what it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Test {
    /// A piece that may be blue leaves by an exit.
    Exit,
    /// Each enemy piece can be taken: one is taken at random.
    TakeAny,
    /// The only enemy blue piece can be taken.
    TakeBlue,
    /// The enemy's colours are guessed, one's own are looked at, and the open game is won if the guess is right.
    Guess,
    /// Enough pieces can be taken so that what is left is good enough.
    Take,
    /// A take after which the owner no longer reaches the target.
    TakeSpoils,
}

impl Test {
    /// The word for it in JSON.
    pub fn id(self) -> &'static str {
        match self {
            Test::Exit => "exit",
            Test::TakeAny => "take-any",
            Test::TakeBlue => "take-blue",
            Test::Guess => "guess",
            Test::Take => "take",
            Test::TakeSpoils => "take-spoils",
        }
    }
    /// What it is.
    pub fn word(self) -> Text {
        match self {
            Test::Exit => text("leaves by an exit", "脱出"),
            Test::TakeAny => text("takes one of the two at random", "どちらかを無作為に取る"),
            Test::TakeBlue => text("takes the only blue piece", "唯一の青駒を取る"),
            Test::Guess => text("guesses the colours and wins if right", "色を推測し、当たれば勝ち"),
            Test::Take => text("takes, and what is left is good enough", "取った後も目標を保つ"),
            Test::TakeSpoils => text("takes, and spoils the target", "取って目標を阻止"),
        }
    }
}

/// A move of a piece that does not decide the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The square it leaves.
    pub from: u8,
    /// The square it goes to.
    pub to: u8,
}

impl Step {
    /// From a square to another.
    pub fn new(from: u32, to: u32) -> Step {
        Step { from: from as u8, to: to as u8 }
    }
}

/// A move of an analysis as people make it: one that decides it, or a step that does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// The piece on a square leaves.
    Leave(u8),
    /// A take that decides.
    Take(Step),
    /// The colours are guessed: nothing moves.
    Guess,
    /// A step that decides nothing.
    Quiet(Step),
}

impl Act {
    /// From where to where it goes; leaving goes from a square to itself.
    pub fn step(self) -> Option<Step> {
        match self {
            Act::Leave(from) => Some(Step { from, to: from }),
            Act::Take(step) | Act::Quiet(step) => Some(step),
            Act::Guess => None,
        }
    }
}

/// Tables an analysis looks into.
#[derive(Clone, Default)]
pub struct Needs {
    /// The open game.
    pub open: Option<Arc<Solved>>,
    /// The extended analysis of two against two.
    pub extended: Option<Arc<Solved>>,
    /// Certain wins with known colours.
    pub win: Option<Arc<Solved>>,
}

impl Needs {
    /// Those of an analysis, given how to get at a table.
    ///
    /// # Errors
    /// What the computation fails with: cancelled, does not fit, or refused by the name of the field.
    pub fn new<E>(
        kind: Kind,
        mut get: impl FnMut(Kind, &[Material]) -> Result<Arc<Solved>, E>,
    ) -> Result<Needs, E> {
        let mut needs = Needs::default();
        for (of, materials) in kind.needs() {
            let slot = match of {
                Kind::Open => &mut needs.open,
                Kind::Extended => &mut needs.extended,
                _ => &mut needs.win,
            };
            *slot = Some(get(of, &materials)?);
        }
        Ok(needs)
    }
}

/// What the program published with the paper does otherwise than the paper says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slip {
    /// A guess is tested with one of the own colourings only: the first square red.
    OneColouring,
    /// Moves that take are counted instead of pieces that can be taken.
    TakesNotPieces,
}

/// The rules of an analysis on a board.
#[derive(Clone)]
pub struct Rules {
    /// Which analysis.
    pub kind: Kind,
    /// Where.
    pub board: Board,
    /// Its positions.
    pub space: Space,
    needs: Needs,
    slip: Option<Slip>,
}

/// An analysis with its finished table.
pub struct Solved {
    /// The rules.
    pub rules: Rules,
    /// The verdicts.
    pub table: ValueTable,
}

impl Solved {
    /// An analysis and its table.
    pub fn new(rules: Rules, table: ValueTable) -> Solved {
        Solved { rules, table }
    }
    /// The verdict of a position.
    #[inline]
    pub fn verdict(&self, p: &Position) -> GameValue {
        self.table.get(self.rules.space.place(p))
    }
    /// The first of the best quiet moves: the side that gets its way hurries, the other delays.
    pub fn best(&self, p: &Position) -> Option<Step> {
        let mut actions = Vec::new();
        self.rules.actions(p, &mut actions);
        let rank = |step: &Step| self.verdict(&self.rules.apply(p, *step)).rank(p.turn);
        // The last of equals is kept, which backwards is the first.
        actions.into_iter().rev().max_by_key(rank)
    }
    /// The value of a position: +1, 0 or −1.
    #[inline]
    pub fn value(&self, p: &Position) -> i8 {
        value(self.verdict(p))
    }
}

/// The value of a verdict: +1, 0 or −1.
#[inline]
pub fn value(verdict: GameValue) -> i8 {
    match verdict {
        GameValue::Won { by: 0, .. } => 1,
        GameValue::Won { .. } => -1,
        GameValue::Drawn => 0,
    }
}

/// The distance of a verdict, the deciding move counted; `None` where there is none.
pub fn distance(verdict: GameValue) -> Option<u16> {
    match verdict {
        GameValue::Won { plies, .. } => Some(plies + 1),
        GameValue::Drawn => None,
    }
}

/// The ways to colour the two hidden pieces of a side, if it has any: one of them blue, the other red.
pub fn colourings(side: &Side) -> impl Iterator<Item = Side> {
    let [blue, red, purple] = side.0;
    let one = purple & purple.wrapping_neg();
    let other = purple ^ one;
    let pair = [Side([blue | one, red | other, 0]), Side([blue | other, red | one, 0])];
    pair.into_iter().take(if purple == 0 { 1 } else { 2 })
}

/// A position after a piece took what stood on its new square.
#[inline]
pub fn after_take(p: &Position, from: u32, to: u32) -> Position {
    let (me, other) = (usize::from(p.turn), usize::from(1 - p.turn));
    let mut sides = p.sides;
    sides[me] = sides[me].step(from, to);
    sides[other] = sides[other].without(1 << to);
    Position { turn: 1 - p.turn, sides }
}

impl Rules {
    /// The rules of an analysis with the tables it needs.
    pub fn new(kind: Kind, board: &Board, materials: &[Material], mirror: bool, needs: Needs) -> Rules {
        Rules { kind, board: board.clone(), space: Space::new(board, materials, mirror), needs, slip: None }
    }

    /// The same rules with a slip, to show what it changes.
    pub fn with(mut self, slip: Slip) -> Rules {
        self.slip = Some(slip);
        self
    }

    /// The tables it looks into.
    pub fn needs(&self) -> &Needs {
        &self.needs
    }

    /// The takes a player to move has: from, to.
    pub fn takes(&self, p: &Position) -> Vec<(u32, u32)> {
        let (me, other) = (p.sides[usize::from(p.turn)].all(), p.sides[usize::from(1 - p.turn)].all());
        squares(me)
            .flat_map(|from| squares(self.board.near(from) & other).map(move |to| (from, to)))
            .collect()
    }

    /// Pieces of the player to move that may leave by an exit.
    #[inline]
    pub fn leavers(&self, p: &Position) -> Set {
        let side = &p.sides[usize::from(p.turn)];
        (side.of(Colour::Blue) | side.of(Colour::Purple)) & self.board.exits[usize::from(p.turn)]
    }

    /// The enemy pieces of a set that the player to move can take.
    #[inline]
    fn takeable(&self, p: &Position, set: Set) -> Set {
        self.board.spread(p.sides[usize::from(p.turn)].all()) & set
    }

    /// The only blue piece of a side, if it can be taken.
    #[inline]
    fn only_blue(&self, p: &Position) -> Set {
        let blue = p.sides[usize::from(1 - p.turn)].of(Colour::Blue);
        if blue & blue.wrapping_sub(1) == 0 { self.takeable(p, blue) } else { 0 }
    }

    /// Whether the owner, to move, wins the open game whatever the hidden colours of both are.
    fn wins_all(&self, p: &Position) -> bool {
        let Some(open) = &self.needs.open else { return false };
        let overlooked = usize::from(self.slip == Some(Slip::OneColouring));
        colourings(&p.sides[0]).skip(overlooked).all(|own| {
            colourings(&p.sides[1]).all(|enemy| open.value(&Position { turn: 0, sides: [own, enemy] }) == 1)
        })
    }

    /// The value of what is left after a take, in the extended analysis of two against two hidden pieces.
    pub fn left(&self, p: &Position) -> i8 {
        let hide = |side: &Side| Side([0, 0, side.all()]);
        let hidden = Position { turn: p.turn, sides: [hide(&p.sides[0]), hide(&p.sides[1])] };
        self.needs.extended.as_ref().map_or(-1, |extended| extended.value(&hidden))
    }

    /// The takes of the owner after which two against two is worth at least 0: from, to.
    pub fn safe_takes(&self, p: &Position) -> Vec<(u32, u32)> {
        let known = self.kind == Kind::BbrTwoGuess;
        let wanted = if known { p.sides[1].of(Colour::Blue) } else { p.sides[1].all() };
        let mut takes = self.takes(p);
        takes.retain(|&(from, to)| wanted >> to & 1 == 1 && self.left(&after_take(p, from, to)) >= 0);
        takes
    }

    /// Whether a take by player 2 keeps the owner from the target.
    fn spoils(&self, p: &Position, from: u32, to: u32) -> bool {
        let after = after_take(p, from, to);
        match (self.kind, p.sides[0].at(to)) {
            (Kind::BbrThreeThird, _) | (Kind::RrbThree, Some(Colour::Red)) => self.left(&after) == -1,
            (Kind::RrbThree, Some(Colour::Purple)) => {
                // It was red, so the other hidden piece is blue, and nothing less than a win is enough.
                let left = after.sides[0];
                let known = Side([left.of(Colour::Purple), left.of(Colour::Red), 0]);
                let known = Position { turn: 0, sides: [known, after.sides[1]] };
                self.needs.win.as_ref().is_none_or(|win| win.value(&known) != 1)
            }
            _ => false,
        }
    }

    /// The test that ends the analysis here, if any; it decides for the player to move.
    #[inline]
    pub fn test(&self, p: &Position) -> Option<Test> {
        if self.leavers(p) != 0 {
            return Some(Test::Exit);
        }
        if p.turn == 0 { self.owner_test(p) } else { self.enemy_test(p) }
    }

    #[inline]
    fn owner_test(&self, p: &Position) -> Option<Test> {
        match self.kind {
            Kind::Basic => {
                let enemies = p.sides[1].all();
                (self.takeable(p, enemies) == enemies).then_some(Test::TakeAny)
            }
            Kind::Open => (self.only_blue(p) != 0).then_some(Test::TakeBlue),
            Kind::OpenWin | Kind::BbrThreeThird => None,
            Kind::Extended | Kind::OpenDraw | Kind::RrbThree => self.wins_all(p).then_some(Test::Guess),
            Kind::RrbTwo | Kind::BbrTwoHalf | Kind::BbrTwoThird => {
                let need = self.kind.pieces_to_take();
                if self.takeable(p, p.sides[1].all()) == 0 {
                    return None;
                }
                let takes = self.safe_takes(p);
                let count = if self.slip == Some(Slip::TakesNotPieces) {
                    takes.len() as u32
                } else {
                    takes.into_iter().fold(0u64, |set, (_, to)| set | 1 << to).count_ones()
                };
                (count >= need).then_some(Test::Take)
            }
            Kind::BbrTwoGuess => {
                if !self.safe_takes(p).is_empty() {
                    Some(Test::Take)
                } else {
                    self.wins_all(p).then_some(Test::Guess)
                }
            }
        }
    }

    #[inline]
    fn enemy_test(&self, p: &Position) -> Option<Test> {
        match self.kind {
            Kind::Open | Kind::OpenWin | Kind::OpenDraw => (self.only_blue(p) != 0).then_some(Test::TakeBlue),
            Kind::RrbThree | Kind::BbrThreeThird => {
                if self.takeable(p, p.sides[0].all()) == 0 {
                    return None;
                }
                let spoils = self.takes(p).into_iter().any(|(from, to)| self.spoils(p, from, to));
                spoils.then_some(Test::TakeSpoils)
            }
            _ => None,
        }
    }

    /// The moves that decide the analysis here, each with the test it passes.
    pub fn deciding(&self, p: &Position) -> Vec<(Act, Test)> {
        let leave = squares(self.leavers(p)).map(|from| (Act::Leave(from as u8), Test::Exit));
        let mut all: Vec<(Act, Test)> = leave.collect();
        let by_rule = if p.turn == 0 { self.owner_test(p) } else { self.enemy_test(p) };
        let Some(test) = by_rule else { return all };
        let only = self.only_blue(p);
        let mut takes = match test {
            Test::TakeAny => self.takes(p),
            Test::TakeBlue => self.takes(p).into_iter().filter(|t| only >> t.1 & 1 == 1).collect(),
            Test::Take => self.safe_takes(p),
            Test::TakeSpoils => self.takes(p).into_iter().filter(|t| self.spoils(p, t.0, t.1)).collect(),
            Test::Exit | Test::Guess => Vec::new(),
        };
        takes.sort_unstable();
        all.extend(takes.into_iter().map(|(from, to)| (Act::Take(Step::new(from, to)), test)));
        if test == Test::Guess || (test == Test::Take && self.kind == Kind::BbrTwoGuess && self.wins_all(p)) {
            all.push((Act::Guess, Test::Guess));
        }
        all
    }

    /// Every move with the test by which it ends the analysis: those that decide first, then the others in order.
    pub fn acts(&self, p: &Position) -> Vec<(Act, Option<Test>)> {
        let mut quiet = Vec::new();
        self.actions(p, &mut quiet);
        let deciding = self.deciding(p).into_iter().map(|(act, test)| (act, Some(test)));
        deciding.chain(quiet.into_iter().map(|step| (Act::Quiet(step), None))).collect()
    }

    /// The enemy pieces a player may take without ending the analysis: known, and not the last of their colour.
    #[inline]
    fn prey(&self, enemy: &Side) -> Set {
        let several = |set: Set| if set & set.wrapping_sub(1) != 0 { set } else { 0 };
        several(enemy.of(Colour::Blue)) | several(enemy.of(Colour::Red))
    }

    /// The squares the player to move may go to.
    #[inline]
    fn free(&self, p: &Position) -> Set {
        (self.board.all & !p.occupied()) | self.prey(&p.sides[usize::from(1 - p.turn)])
    }
}

impl Rules {
    /// The start positions with player 1 to move: one for every way the known colours may lie. On boards that are too
    /// low for the pieces there is none.
    pub fn starts(&self) -> Vec<Position> {
        start::positions(&self.board, self.kind, &self.space)
    }
}

impl Game for Rules {
    type State = Position;
    type Action = Step;
    const PLAYERS: usize = 2;

    fn start(&self) -> Position {
        // Boards too low for the start have other positions.
        let nothing = Position { turn: 0, sides: [Side::default(); 2] };
        self.starts().first().copied().or_else(|| self.space.at(0)).unwrap_or(nothing)
    }

    fn turn(&self, p: &Position) -> Turn {
        let stuck = || self.board.spread(p.sides[usize::from(p.turn)].all()) & self.free(p) == 0;
        if self.test(p).is_some() || stuck() { Turn::Terminal } else { Turn::Player(p.turn) }
    }

    fn actions(&self, p: &Position, out: &mut Vec<Step>) {
        let free = self.free(p);
        for from in squares(p.sides[usize::from(p.turn)].all()) {
            out.extend(squares(self.board.near(from) & free).map(|to| Step::new(from, to)));
        }
    }

    fn chance(&self, _: &Position, _: &mut Vec<(Step, u32)>) {}

    fn apply(&self, p: &Position, a: Step) -> Position {
        after_take(p, u32::from(a.from), u32::from(a.to))
    }

    fn utility(&self, p: &Position, player: u8) -> i32 {
        match self.test(p) {
            Some(_) if p.turn == player => 1,
            Some(_) => -1,
            None => 0,
        }
    }
}

impl Rules {
    /// The number of actions.
    #[inline]
    fn count(&self, p: &Position) -> u32 {
        let free = self.free(p);
        let steps = self.board.steps(p.sides[usize::from(p.turn)].all());
        together(steps.map(|set| set & free))
    }
}

impl Canonical for Rules {
    type Key = u64;
    fn key(&self, p: &Position) -> Option<u64> {
        Some(self.space.place(p))
    }
    fn symmetric(&self, p: &Position, out: &mut Vec<Position>) {
        if self.space.mirror {
            out.push(self.board.mirror_of(p));
        }
    }
}

impl Retro for Rules {
    fn places(&self) -> u64 {
        self.space.places()
    }

    fn place(&self, p: &Position) -> u64 {
        self.space.place(p)
    }

    #[inline]
    fn at(&self, place: u64) -> Option<Position> {
        self.space.at(place)
    }

    fn walk(&self) -> impl FnMut(u64) -> Option<Position> {
        let mut walk = Walk::new(&self.space);
        move |place| walk.at(place)
    }

    fn mover(&self, p: &Position) -> u8 {
        p.turn
    }

    fn degree(&self, p: &Position) -> u32 {
        if !self.space.mirror {
            return self.count(p);
        }
        // Two moves may lead to positions that are mirror images of each other.
        let mut actions = Vec::new();
        self.actions(p, &mut actions);
        let mut places: Vec<u64> = actions.into_iter().map(|a| self.space.place(&self.apply(p, a))).collect();
        places.sort_unstable();
        places.dedup();
        places.len() as u32
    }

    fn predecessors(&self, _: u64, p: &Position, out: &mut Vec<u64>) {
        let first = out.len();
        out.extend(self.unmoves(p).map(|(from, to)| self.space.place(&before(p, from, to))));
        self.untakes(p, out);
        if self.space.mirror {
            // Moves that are mirror images of each other may come from one place.
            let mut found = out.split_off(first);
            found.sort_unstable();
            found.dedup();
            out.append(&mut found);
        }
    }

    #[inline]
    fn backward<T: Copy>(&self, places: impl Iterator<Item = (u64, T)>, mut each: impl FnMut(T, u8, u64)) {
        if !self.space.mirror {
            return self.space.unmoves(places, |p, out| self.untakes(p, out), each);
        }
        let mut out = Vec::new();
        for (place, with) in places {
            let Some(p) = self.space.at(place) else { continue };
            self.predecessors(place, &p, &mut out);
            out.drain(..).for_each(|before| each(with, p.turn, before));
        }
    }

    #[inline]
    fn look(&self, p: &Position) -> Look {
        match self.test(p) {
            Some(_) => Look::Over(if p.turn == 0 { 1 } else { -1 }),
            // Without a move it is over, too, but nobody's.
            None if self.space.mirror => Look::Open(self.degree(p)),
            None => Look::Open(self.count(p)),
        }
    }
}

/// A position before a quiet move.
#[inline]
fn before(p: &Position, from: u32, to: u32) -> Position {
    let me = usize::from(1 - p.turn);
    let mut sides = p.sides;
    sides[me] = sides[me].step(to, from);
    Position { turn: 1 - p.turn, sides }
}

impl Rules {
    /// The colours of pieces that the last move may have taken: of those that are now one there may have been two.
    #[inline]
    fn untaken(&self, p: &Position) -> [Option<Colour>; 2] {
        let (enemy, empty) = (usize::from(p.turn), self.board.all & !p.occupied());
        [Colour::Blue, Colour::Red].map(|colour| {
            let left = p.sides[enemy].of(colour);
            let mut sides = p.sides;
            sides[enemy].0[colour as usize] |= empty & empty.wrapping_neg();
            (left != 0 && left & (left - 1) == 0 && self.space.has(&sides)).then_some(colour)
        })
    }

    /// Where the last move may have gone: from, to.
    #[inline]
    fn unmoves(&self, p: &Position) -> impl Iterator<Item = (u32, u32)> {
        let empty = self.board.all & !p.occupied();
        let moved = squares(p.sides[usize::from(1 - p.turn)].all());
        moved.flat_map(move |to| squares(self.board.near(to) & empty).map(move |from| (from, to)))
    }

    /// Appends the places before the moves that may have taken a piece.
    fn untakes(&self, p: &Position, out: &mut Vec<u64>) {
        let enemy = usize::from(p.turn);
        for colour in self.untaken(p).into_iter().flatten() {
            out.extend(self.unmoves(p).map(|(from, to)| {
                let mut more = before(p, from, to);
                more.sides[enemy] = more.sides[enemy].with(colour, to);
                self.space.place(&more)
            }));
        }
    }
}
