//! Mini-Geister as it is played: the game with true colours, one player or none of them a machine that keeps its colours
//! and its thoughts to itself. What the machine thinks is a part of the state that nobody sees.

use super::analysis::Step;
use super::board::{Board, Colour, Position, Side};
use super::laid_open::{Guesses, tagged};
use super::real::{self, Next};
use super::{drawing, notation, scene};
use crate::analyse::Analyse;
use crate::approach::Approach;
use crate::describe::{Describe, Past};
use crate::entry::Entry;
use crate::family::Family;
use crate::params::Settings;
use crate::strength::{Strength, strengths};
use serde_json::{Map, Value, json};
use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Game, Refusal, Run, Text, Turn, text};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board as Picture, Move, Viewer};

/// A position that comes so often, with the machine of the same mind, is a draw: endless play pays 0.
const REPETITIONS: usize = 3;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// This player won, in this way.
    Won(u8, Way),
    /// It would have gone on for ever.
    Drawn,
}

/// What won a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// A blue piece of the winner left the board.
    Escape,
    /// The winner took the last blue piece.
    Blues,
    /// The other took the winner's last red piece.
    Reds,
}

/// Where a game stands; `M` is what the machine has in mind, and what may be thought of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State<M, C> {
    /// The pieces with their true colours.
    pub real: Position,
    /// The machine's mind.
    pub mind: M,
    /// What was there before, since the last take: the positions, and what the machine was up to.
    before: Vec<(Position, C)>,
    /// How it ended, if it has.
    pub end: Option<End>,
}

impl<M, C> State<M, C> {
    /// The beginning of a game.
    pub fn new(real: Position, mind: M) -> State<M, C> {
        State { real, mind, before: Vec::new(), end: None }
    }
}

/// A move, and what the machine decides with it, which is not to be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deed<C> {
    /// From where to where; leaving is a step from a square to itself.
    pub step: Step,
    /// What the machine decides.
    pub choice: C,
}

/// Where a game against an opponent stands.
pub type At<O> = State<<O as Opponent>::Mind, <O as Opponent>::Choice>;
/// A move against an opponent.
pub type Made<O> = Deed<<O as Opponent>::Choice>;

/// Who is played against: the machine's side of the rules.
pub trait Opponent: Sized + Send + Sync + 'static {
    /// What it has in mind.
    type Mind: Clone + Eq + Hash + Debug + Send + Sync;
    /// What it decides with a move: that part of its mind which tells positions apart that otherwise look the same.
    type Choice: Copy + Ord + Default + Hash + Debug + Send + Sync;

    /// The game that settings and a written position ask for.
    fn set_up(settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Table<Self>, Error>;
    /// Another opponent that the settings ask for.
    fn instead(_: &Settings) -> Option<&'static dyn Entry> {
        None
    }
    /// The player that it is, if its colours and its thoughts are hidden.
    fn side(&self, _: &Self::Mind) -> Option<u8> {
        None
    }
    /// Where a person may sit.
    fn seats(&self, _: &Table<Self>) -> Vec<Option<u8>> {
        vec![None, Some(0), Some(1)]
    }
    /// The pieces of both sides as everybody knows them.
    fn known(&self, s: &At<Self>) -> [Side; 2] {
        s.real.sides
    }
    /// What it is up to.
    fn choice(&self, mind: &Self::Mind) -> Self::Choice;
    /// Its mind after a move with which the game has gone on to a position.
    fn after(&self, s: &At<Self>, deed: Made<Self>, real: &Position) -> Self::Mind;
    /// What it may do where it is to move and tells nobody.
    fn plans(&self, _: &At<Self>) -> Vec<Made<Self>> {
        Vec::new()
    }
    /// The position as it is typed, with the pieces that a viewer sees; empty where it cannot be.
    fn written(&self, s: &At<Self>, seen: &Position) -> String;
    /// What moves are valued by.
    fn values(&self, table: &Table<Self>) -> Box<dyn Analyse<Table<Self>>>;
    /// What the values measure.
    fn measure(&self) -> Measure {
        Measure::Result
    }
    /// The beginning with a person on a side, if that decides how colours are dealt.
    fn sit(&self, start: &At<Self>, _person: u8, _: &mut Random) -> At<Self> {
        start.clone()
    }
    /// More under the board, in words.
    fn promise(&self, _: &Self::Mind) -> Text {
        Text::default()
    }
    /// What the true position may be, by what the person knows at its turn; nothing where nothing is hidden.
    fn guesses(&self, _: &At<Self>) -> Guesses {
        Guesses::new()
    }
    /// What is said of a record without mistakes.
    fn flawless(&self) -> Text {
        text("none: every move was best", "なし：すべて最善手")
    }
    /// The fields of its own in a record.
    fn record(&self, s: &At<Self>) -> Vec<(&'static str, Value)>;
}

/// A game against an opponent.
pub struct Table<O: Opponent> {
    /// The board.
    pub board: Board,
    /// The opponent.
    pub opponent: O,
    /// Where it begins.
    pub start: At<O>,
}

impl<O: Opponent> Table<O> {
    /// Where a player sits: whoever moves first in seat 0.
    pub fn seat(&self, player: u8) -> u8 {
        u8::from(player != self.start.real.turn)
    }

    /// The moves of a player who knows its colours.
    pub fn steps(&self, s: &At<O>) -> Vec<Step> {
        real::sensible(&self.board, &s.real)
    }

    /// The same as moves.
    pub fn deeds(&self, s: &At<O>) -> Vec<Made<O>> {
        self.steps(s).into_iter().map(|step| Deed { step, choice: O::Choice::default() }).collect()
    }

    /// The pieces as a viewer sees them, and which sides' colours are hidden from the other. At the end everything is
    /// shown.
    fn seen(&self, s: &At<O>, viewer: Viewer) -> (Position, [bool; 2]) {
        let mut p = s.real;
        let Some(machine) = self.opponent.side(&s.mind).filter(|_| s.end.is_none()) else {
            return (p, [false; 2]);
        };
        p.sides = self.opponent.known(s);
        let (person, mut secret) = (1 - machine, [false; 2]);
        if viewer == Some(self.seat(person)) {
            let own = usize::from(person);
            secret[own] = p.sides[own] != s.real.sides[own];
            p.sides[own] = s.real.sides[own];
        }
        (p, secret)
    }

    /// The colour of the piece that a step takes, as everybody knows it.
    fn takes(&self, s: &At<O>, step: Step) -> Option<Colour> {
        self.opponent.known(s)[usize::from(1 - s.real.turn)].at(u32::from(step.to))
    }

    /// What else there is to say of a move: that it takes.
    pub fn note(&self, s: &At<O>, step: Step) -> Text {
        self.takes(s, step).map(|_| text("takes a piece", "駒を取る")).unwrap_or_default()
    }
}

/// Several things in one line.
fn joined(said: &[Text]) -> Text {
    let join = |pick: fn(&Text) -> &str, by: &str| said.iter().map(pick).collect::<Vec<_>>().join(by);
    Text::of(join(|t| &t.en, "; "), join(|t| &t.ja, "、"))
}

impl<O: Opponent> Game for Table<O> {
    type State = At<O>;
    type Action = Made<O>;

    fn start(&self) -> At<O> {
        self.start.clone()
    }
    fn turn(&self, s: &At<O>) -> Turn {
        let over = s.end.is_some() || (!self.machine_moves(s) && self.steps(s).is_empty());
        if over { Turn::Terminal } else { Turn::Player(self.seat(s.real.turn)) }
    }
    fn actions(&self, s: &At<O>, out: &mut Vec<Made<O>>) {
        let mut deeds = if self.machine_moves(s) { self.opponent.plans(s) } else { self.deeds(s) };
        deeds.sort_unstable();
        deeds.dedup();
        out.extend(deeds);
    }
    fn apply(&self, s: &At<O>, deed: Made<O>) -> At<O> {
        let real = match real::play(&s.real, deed.step) {
            Next::Won(player) => {
                let way = match real::taken(&s.real, deed.step) {
                    None => Way::Escape,
                    Some(_) if player == s.real.turn => Way::Blues,
                    Some(_) => Way::Reds,
                };
                return State { end: Some(End::Won(player, way)), ..s.clone() };
            }
            Next::Goes(real) => real,
        };
        let mind = self.opponent.after(s, deed, &real);
        // What is taken does not come back.
        let quiet = real::taken(&s.real, deed.step).is_none();
        let mut before = if quiet { s.before.clone() } else { Vec::new() };
        before.push((s.real, self.opponent.choice(&s.mind)));
        let here = (real, self.opponent.choice(&mind));
        let times = 1 + before.iter().filter(|there| **there == here).count();
        State { real, mind, before, end: (times >= REPETITIONS).then_some(End::Drawn) }
    }
    fn utility(&self, s: &At<O>, seat: u8) -> i32 {
        match s.end {
            Some(End::Won(player, _)) if self.seat(player) == seat => 1,
            Some(End::Won(..)) => -1,
            _ => 0,
        }
    }
}

impl<O: Opponent> Describe for Table<O> {
    /// Only the position it began with: the machine has thought of no other.
    fn parse(&self, given: &str) -> Result<At<O>, Refusal> {
        let start = self.print(&self.start).unwrap_or_default();
        match given == start {
            true => Ok(self.start()),
            false => Err(Refusal::new("position", format!("\"{given}\""), Text::same(start))),
        }
    }
    fn print(&self, s: &At<O>) -> Option<String> {
        let person = 1 - self.opponent.side(&s.mind).unwrap_or(0);
        Some(self.written(s, Some(self.seat(person)))).filter(|written| !written.is_empty())
    }
    fn written(&self, s: &At<O>, viewer: Viewer) -> String {
        self.opponent.written(s, &self.seen(s, viewer).0)
    }
    fn action(&self, _: &At<O>, deed: Made<O>) -> Move {
        scene::step(&notation::step(&self.board, deed.step))
    }
    fn words(&self, s: &At<O>, deed: Made<O>) -> Text {
        let [from, to] = [deed.step.from, deed.step.to].map(|square| self.board.name(u32::from(square)));
        match self.takes(s, deed.step) {
            _ if from == to => Text::of(format!("{from} leaves"), format!("{from}から脱出")),
            Some(colour) => {
                let (en, ja) = match colour {
                    Colour::Blue => ("blue", "青駒"),
                    Colour::Red => ("red", "赤駒"),
                    Colour::Purple => ("hidden", "紫駒"),
                };
                Text::of(format!("{from} to {to}, takes a {en} piece"), format!("{from}から{to}、{ja}を取る"))
            }
            None => Text::of(format!("{from} to {to}"), format!("{from}から{to}")),
        }
    }
    fn happened(&self, before: &At<O>, deed: Made<O>, after: &At<O>) -> Text {
        let Step { from, to } = deed.step;
        let mover = usize::from(before.real.turn);
        let mut said = vec![self.words(before, deed)];
        let shown = match from == to {
            true => before.real.sides[mover].at(u32::from(from)),
            false => real::taken(&before.real, deed.step)
                .filter(|_| self.takes(before, deed.step) == Some(Colour::Purple)),
        };
        said.extend(shown.map(|colour| match colour {
            Colour::Blue => text("it was blue", "青でした"),
            _ => text("it was red", "赤でした"),
        }));
        if after.end == Some(End::Drawn) {
            said.push(text("the same position for the third time", "同一局面3回目"));
        }
        joined(&said)
    }
    fn board(&self, s: &At<O>, _: &Past<Table<O>>, viewer: Viewer) -> Picture {
        let (p, secret) = self.seen(s, viewer);
        let mut board = scene::table(&self.board, &p, secret);
        let machine =
            self.opponent.side(&s.mind).filter(|machine| s.end.is_none() && *machine != s.real.turn);
        if let Some(machine) = machine.filter(|machine| viewer == Some(self.seat(1 - machine))) {
            for zone in &mut board.zones {
                let name = |square| self.board.name(square);
                tagged(&mut zone.items, &self.opponent.guesses(s), usize::from(machine), name);
            }
        }
        // Seats are in the order of the first moves.
        if self.start.real.turn == 1 {
            board.seats.swap(0, 1);
        }
        board
    }
    fn draw(&self, s: &At<O>, viewer: Viewer) -> Text {
        let (p, _) = self.seen(s, viewer);
        let exits = self.board.exits[0] | self.board.exits[1];
        let board = drawing::board(&self.board, &p, exits & !p.occupied());
        let letters = match self.opponent.side(&s.mind) {
            None => text(
                "capitals: player 1, going up; small letters: player 2, going down; B blue, R red, * exit",
                "大文字：プレイヤー1（上へ）、小文字：プレイヤー2（下へ）。B 青、R 赤、* 脱出口",
            ),
            Some(0) => text(
                "capitals: the strategy, going up; small letters: you, going down; b blue, r red, P hidden, * exit",
                "大文字：戦略側（上へ）、小文字：あなた（下へ）。b 青、r 赤、P 紫、* 脱出口",
            ),
            Some(_) => text(
                "capitals: you, going up; small letters: the machine, going down; B blue, R red, p hidden, * exit",
                "大文字：あなた（上へ）、小文字：機械（下へ）。B 青、R 赤、p 紫、* 脱出口",
            ),
        };
        let promise = self.opponent.promise(&s.mind);
        let lines = |pick: fn(&Text) -> &str| {
            let all = [&board, &letters, &promise].map(pick);
            all.into_iter().filter(|t| !t.is_empty()).collect::<Vec<_>>().join("\n")
        };
        Text::of(lines(|t| &t.en), lines(|t| &t.ja))
    }
    fn open(&self) -> bool {
        self.opponent.side(&self.start.mind).is_none()
    }
    fn machine_moves(&self, s: &At<O>) -> bool {
        self.opponent.side(&s.mind) == Some(s.real.turn)
    }
    fn players(&self) -> Vec<Text> {
        scene::players(self.start.real.turn)
    }
    fn seats(&self) -> Vec<Option<u8>> {
        self.opponent.seats(self)
    }
    fn sit(&self, start: &At<O>, seat: u8, random: &mut Random) -> At<O> {
        self.opponent.sit(start, self.start.real.turn ^ seat, random)
    }
    fn measure(&self) -> Measure {
        self.opponent.measure()
    }
    fn prompt(&self, _: &At<O>) -> Text {
        text("from and to, such as b4b3, or a1exit to leave", "元と先（例 b4b3）、脱出は a1exit")
    }
    fn accepts(&self, s: &At<O>) -> Text {
        if let Some(machine) = self.opponent.side(&s.mind).filter(|machine| *machine == s.real.turn) {
            let (player, seat) = (machine + 1, 1 + self.seat(1 - machine));
            return Text::of(
                format!("nothing: player {player} is the machine; the person plays in seat {seat}"),
                format!("なし：プレイヤー{player}は機械です。人は席 {seat} に座ります"),
            );
        }
        let names = self.steps(s).into_iter().map(|step| notation::step(&self.board, step));
        Text::same(names.collect::<Vec<_>>().join(", "))
    }
    fn understand(&self, s: &At<O>, typed: &str) -> Option<Made<O>> {
        let plain: String = typed.chars().filter(|c| c.is_alphanumeric()).collect();
        let named = |deed: &Made<O>| notation::step(&self.board, deed.step).eq_ignore_ascii_case(&plain);
        self.deeds(s).into_iter().find(named)
    }
    fn result(&self, s: &At<O>) -> Text {
        let Some(End::Won(player, way)) = s.end else {
            return text("a draw: it would go on for ever", "引き分け（千日手）");
        };
        let numbered = || {
            let (winner, other) = (player + 1, 2 - player);
            let (en, ja) = match way {
                Way::Escape => ("a blue ghost left the board".into(), "青が脱出".into()),
                Way::Blues => (
                    "the last blue ghost of the other side was taken".into(),
                    "相手の青をすべて取った".into(),
                ),
                Way::Reds => (
                    format!("player {other} took the last red ghost"),
                    format!("プレイヤー{other}が赤をすべて取った"),
                ),
            };
            Text::of(format!("player {winner} wins: {en}"), format!("プレイヤー{winner}の勝ち（{ja}）"))
        };
        match (self.opponent.side(&s.mind), way) {
            (None, _) => numbered(),
            (Some(machine), Way::Escape) if player == machine => text(
                "you lose: a blue ghost of the other side left the board",
                "あなたの負け（相手の青が脱出）",
            ),
            (Some(machine), Way::Blues) if player == machine => {
                text("you lose: your last blue ghost was taken", "あなたの負け（青をすべて取られた）")
            }
            (Some(machine), Way::Reds) if player == machine => {
                text("you lose: you took the last red ghost", "あなたの負け（相手の赤をすべて取った）")
            }
            (Some(_), Way::Escape) => {
                text("you win: your blue ghost left the board", "あなたの勝ち（青が脱出）")
            }
            (Some(_), Way::Blues) => {
                text("you win: you took the last blue ghost", "あなたの勝ち（相手の青をすべて取った）")
            }
            (Some(_), Way::Reds) => {
                text("you win: your last red ghost was taken", "あなたの勝ち（赤をすべて取られた）")
            }
        }
    }
    fn flawless(&self) -> Text {
        self.opponent.flawless()
    }
    fn record(&self, first: &At<O>, now: &At<O>, viewer: Viewer) -> Map<String, Value> {
        let board = |s: &At<O>| {
            let (p, _) = self.seen(&State { end: now.end, ..s.clone() }, viewer);
            Value::from(notation::board_text(&self.board, &p.sides))
        };
        let mut record = self.opponent.record(now);
        record.extend([("start", board(first)), ("board", board(now))]);
        record.extend([("seat", json!(viewer)), ("turn", json!(now.real.turn + 1))]);
        record.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
    /// A running game is not changed by hand.
    fn edits(&self, _: &At<O>) -> Vec<Move> {
        Vec::new()
    }
}

/// Games against an opponent, as a family of the same parameters as the analyses.
pub struct Against<O>(PhantomData<fn() -> O>);

impl<O> Against<O> {
    /// The family.
    pub const fn new() -> Against<O> {
        Against(PhantomData)
    }
}

impl<O: Opponent> Family for Against<O> {
    type Game = Table<O>;

    of_mini_geister!();
    fn position(
        &self,
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<(Table<O>, At<O>), Error> {
        let table = O::set_up(settings, position, run)?;
        let s = table.start();
        Ok((table, s))
    }
    fn instead(&self, settings: &Settings, _: Option<&str>) -> Result<Option<&'static dyn Entry>, Refusal> {
        Ok(O::instead(settings))
    }
    fn approach(&self) -> Option<&'static dyn Approach<Table<O>>> {
        None
    }
    fn solver(
        &self,
        _: &Settings,
        table: &Table<O>,
        _: &At<O>,
        _: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Table<O>>>, Error> {
        Ok(table.opponent.values(table))
    }
    /// With hidden colours the machine plays in its own way.
    fn strengths(&self, table: &Table<O>) -> Vec<Strength> {
        if table.open() { strengths(true) } else { Vec::new() }
    }
    fn variant(&self, _: &Settings, table: &Table<O>) -> Text {
        scene::variant(&table.board, &table.start.real)
    }
}
