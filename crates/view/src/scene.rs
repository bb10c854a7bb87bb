//! What there is to draw of a position, without saying how it looks: zones with cards and pieces, moves with
//! their values, a line of play. The page gets it as JSON, the report draws it as SVG; neither knows the game.
//!
//! A face the viewer may not know is not in it: a card that lies face down has no face to send.

use crate::report::Certainty;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use yomikiri_core::Text;

/// The version of the JSON.
pub const VERSION: u32 = 1;

/// Who looks: the player with this number, or somebody who sees only what everybody knows.
pub type Viewer = Option<u8>;

/// A picture of a position. Texts may name cards as `{S7}`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "scene")]
pub struct Scene {
    /// [`VERSION`].
    pub v: u32,
    /// The word the game is called by.
    pub game: String,
    /// The game.
    pub title: Text,
    /// Its parameters in words.
    pub variant: Text,
    /// Who plays, in the order of their numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<Seat>,
    /// The seat to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u8>,
    /// What is to be done, or what happened.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub say: Text,
    /// Where things lie.
    pub zones: Vec<Zone>,
    /// The zones in lanes from top to bottom; those of a lane lie side by side.
    pub layout: Vec<Vec<String>>,
    /// What signs mean.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub legend: Vec<Legend>,
    /// What the position is worth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Verdict>,
    /// The ruler that the values of moves are drawn on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Scale>,
    /// The moves, best first if they have values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<Move>,
    /// Moves that have been or will be made, drawn as arrows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arrows: Vec<Arrow>,
    /// How it goes on, or what is worth a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<Line>,
    /// How the values were computed.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub trust: Text,
    /// The position as it is typed; empty in the middle of a move.
    pub notation: String,
}

/// What a viewer sees of a position: the part of a [`Scene`] that a game describes itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    /// Who plays, with their scores; the names of the players if there are none.
    pub seats: Vec<Seat>,
    /// Where things lie.
    pub zones: Vec<Zone>,
    /// The zones in lanes from top to bottom; those of a lane lie side by side.
    pub layout: Vec<Vec<String>>,
    /// What signs mean.
    pub legend: Vec<Legend>,
    /// What is to be done, if that is not just a move.
    pub say: Text,
    /// Moves that have been made, drawn as arrows.
    pub arrows: Vec<Arrow>,
}

impl Board {
    /// Zones one under the other.
    pub fn new(zones: Vec<Zone>) -> Board {
        let layout = zones.iter().map(|zone| vec![zone.id.clone()]).collect();
        Board { zones, layout, ..Board::default() }
    }

    /// Zones side by side.
    pub fn row(zones: Vec<Zone>) -> Board {
        let layout = vec![zones.iter().map(|zone| zone.id.clone()).collect()];
        Board { zones, layout, ..Board::default() }
    }

    /// A position of which there is only its notation.
    pub fn written(notation: impl Into<String>) -> Board {
        Board { say: Text::same(notation), ..Board::default() }
    }

    /// The board in lines of text, for terminals.
    pub fn plain(&self) -> Text {
        let zones =
            self.layout.iter().flatten().filter_map(|id| self.zones.iter().find(|zone| zone.id == *id));
        let lines: Vec<(Text, String)> = zones.map(|zone| (zone.label.clone(), zone.plain())).collect();
        let all = |pick: fn(&Text) -> &str| {
            let zone = |(label, drawn): &(Text, String)| match (pick(label), drawn.contains('\n')) {
                ("", _) => drawn.clone(),
                (label, false) => format!("{label}: {drawn}"),
                (label, true) => format!("{label}\n{drawn}"),
            };
            lines.iter().map(zone).collect::<Vec<_>>().join("\n")
        };
        if lines.is_empty() { self.say.clone() } else { Text::of(all(|t| &t.en), all(|t| &t.ja)) }
    }
}

/// A player at the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    /// Who it is.
    pub name: Text,
    /// What it has, as text.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub score: Text,
    /// What that counts.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub unit: Text,
}

/// A place where cards or pieces lie.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Zone {
    /// Its name in the layout.
    pub id: String,
    /// How things lie in it.
    #[serde(flatten)]
    pub shape: Shape,
    /// What is written over it.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub label: Text,
    /// What lies in it.
    pub items: Vec<Item>,
    /// The width of a card or square where there is room, in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub w: Option<u16>,
}

/// How things lie in a zone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Shape {
    /// Squares from a1 at the lower left; items say where they are.
    Board {
        /// Files.
        cols: u8,
        /// Ranks.
        rows: u8,
        /// Squares by which the pieces of a side leave: 1 upwards, 2 downwards.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        exits: BTreeMap<String, u8>,
    },
    /// Cards in columns that keep their places.
    Grid {
        /// Columns.
        cols: u16,
        /// Columns where there is little room.
        narrow: u16,
    },
    /// One row of cards, broken where it is too long, over and under which moves are drawn.
    Row {
        /// Cards before it is broken.
        per: u16,
        /// The same where there is little room.
        narrow: u16,
    },
    /// Cards side by side, never broken.
    Hand,
    /// A deck.
    Pile {
        /// Whether every card is seen whole rather than under the next.
        spread: bool,
    },
}

/// A card or a piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// What moves call it by; different from all others of the scene.
    pub id: String,
    /// What it is.
    #[serde(flatten)]
    pub piece: Piece,
    /// How it stands out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// What is written under it.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub tag: Text,
}

/// What an item is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum Piece {
    /// A playing card.
    Card(Show),
    /// A card with a number and the points it scores.
    Num {
        /// The number.
        n: u32,
        /// The points with their sign; none where it scores nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pts: Option<String>,
    },
    /// A ghost on a board.
    Ghost {
        /// 1 looks up, 2 looks down.
        side: u8,
        /// What the viewer knows of its colour.
        col: Tint,
        /// Whether the other side does not know the colour.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        secret: bool,
        /// Its square.
        at: String,
    },
}

/// What is seen of a playing card. A face is a suit S H D C and a rank (`S7`, ten is `D0`), or a rank alone (`17`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "show", content = "face", rename_all = "lowercase")]
pub enum Show {
    /// It lies face up.
    Up(String),
    /// It lies face down, or in a hand, and the viewer knows it all the same.
    Known(String),
    /// It lies face down and the viewer does not know it.
    Down,
    /// It is gone; its place is kept.
    Gone,
}

/// The colour of a ghost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tint {
    /// Good.
    Blue,
    /// Evil.
    Red,
    /// Not known.
    Purple,
}

/// How an item stands out without a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// What to look at: a ring.
    Best,
    /// Where it goes: a dashed ring.
    To,
    /// One of many: a bar under it.
    Any,
    /// What happened last: ticks at the corners.
    Last,
}

/// An entry of the legend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Legend {
    /// What is explained; only the text if nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<Piece>,
    /// What it means.
    pub text: Text,
}

/// What a position is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whose value it is.
    pub of: Text,
    /// The value, or the answer.
    pub text: Text,
    /// What that means.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub note: Text,
    /// What kind of number it is.
    pub cert: Certainty,
}

/// The ruler of the values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    /// The left end.
    pub min: f64,
    /// Where bars begin: a draw, or nothing.
    pub mid: f64,
    /// The right end.
    pub max: f64,
    /// What is measured.
    pub name: Text,
    /// Where there is a line, with what is written over it.
    pub ticks: Vec<(f64, Text)>,
}

/// Whether a value is good for who moves; colour is never its only sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tone {
    /// Better than the middle.
    #[serde(rename = "+")]
    Plus,
    /// The middle.
    #[serde(rename = "0")]
    Zero,
    /// Worse.
    #[serde(rename = "-")]
    Minus,
}

impl Tone {
    /// The tone of a value against the middle of its scale.
    pub fn of(x: f64, mid: f64) -> Tone {
        if x > mid {
            Tone::Plus
        } else if x < mid {
            Tone::Minus
        } else {
            Tone::Zero
        }
    }
}

/// Yes or no beside a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// Yes.
    Ok,
    /// No.
    No,
}

/// What a move is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// Where its bar ends on the scale.
    pub x: f64,
    /// The value as it is read.
    pub text: Text,
    /// Beside it: a fraction, a distance, a loss.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub sub: Text,
    /// Good or bad.
    pub tone: Tone,
    /// What kind of number it is.
    pub cert: Certainty,
    /// The interval of a bound or an estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    /// Yes or no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Answer>,
}

/// A move. Places are items by their ids, or squares as `zone/a1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Move {
    /// What to type.
    pub id: String,
    /// Its place in the game's own order, from 0, whatever the values.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub order: u32,
    /// 1 for the best and all that are as good; none where values are not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// Whether it is the one of the best that is drawn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pick: bool,
    /// What it is.
    pub label: Text,
    /// More on it.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub note: Text,
    /// Where it begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Where it ends; the square it begins on if the piece leaves the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The items it is made with: any of them if they are many, each of them if they are two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<String>,
    /// What to type to make it with one item in particular, where it can be made with many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub each: Vec<Each>,
    /// The value in a few letters, written where the move is drawn.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub short: Text,
    /// What it is worth; none where values are not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

/// One of the items a move can be made with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Each {
    /// The item.
    pub on: String,
    /// What to type to make the move with it.
    pub id: String,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// A move as an arrow from place to place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrow {
    /// Where it begins.
    pub from: String,
    /// Where it ends; the square it begins on if the piece leaves the board.
    pub to: String,
    /// What is written on it.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub text: Text,
}

/// A line of play, or a short list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// What it is.
    pub title: Text,
    /// More on it, at the right.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub note: Text,
    /// Whether the entries are a list, one under the other, rather than moves one after another.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub list: bool,
    /// The entries.
    pub steps: Vec<LineStep>,
}

/// An entry of a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineStep {
    /// The move.
    pub text: Text,
    /// What it brings.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub sub: Text,
    /// Who makes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
}

impl Item {
    /// A card.
    pub fn card(id: impl Into<String>, show: Show) -> Item {
        Item { id: id.into(), piece: Piece::Card(show), mark: None, tag: Text::default() }
    }
    /// A card with a number.
    pub fn num(id: impl Into<String>, n: u32, pts: Option<String>) -> Item {
        Item { id: id.into(), piece: Piece::Num { n, pts }, mark: None, tag: Text::default() }
    }
    /// A ghost.
    pub fn ghost(id: impl Into<String>, side: u8, col: Tint, at: impl Into<String>) -> Item {
        let piece = Piece::Ghost { side, col, secret: false, at: at.into() };
        Item { id: id.into(), piece, mark: None, tag: Text::default() }
    }
    /// The same item, marked.
    pub fn mark(mut self, mark: Mark) -> Item {
        self.mark = Some(mark);
        self
    }
    /// The same item with something written under it.
    pub fn tag(mut self, tag: Text) -> Item {
        self.tag = tag;
        self
    }
}

impl Item {
    /// The square it stands on, if it stands on a board.
    pub fn square(&self) -> Option<&str> {
        match &self.piece {
            Piece::Ghost { at, .. } => Some(at),
            _ => None,
        }
    }
}

impl Piece {
    /// It in a few letters, for terminals.
    pub fn plain(&self) -> String {
        match self {
            Piece::Card(Show::Up(face) | Show::Known(face)) => face.clone(),
            Piece::Card(Show::Down) => "?".into(),
            Piece::Card(Show::Gone) => "–".into(),
            Piece::Num { n, .. } => n.to_string(),
            Piece::Ghost { col, .. } => format!("{col:?}").chars().take(1).collect(),
        }
    }
}

impl Zone {
    /// The zone in lines of text: a board as a grid with its letters and numbers, anything else in a row.
    pub fn plain(&self) -> String {
        let Shape::Board { cols, rows, .. } = self.shape else {
            return self.items.iter().map(|item| item.piece.plain()).collect::<Vec<_>>().join(" ");
        };
        let on = |col: u8, row: u8| {
            let at = square(col, row);
            let item = self.items.iter().find(|item| item.square() == Some(at.as_str()));
            item.map_or_else(|| ".".to_owned(), |item| item.piece.plain())
        };
        let grid: Vec<Vec<String>> =
            (0..rows).rev().map(|row| (0..cols).map(|col| on(col, row)).collect()).collect();
        let wide = grid.iter().flatten().map(|cell| cell.chars().count()).max().unwrap_or(1);
        let mut lines: Vec<String> = Vec::new();
        for (row, cells) in (0..rows).rev().zip(&grid) {
            let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>wide$}")).collect();
            lines.push(format!("{:>2}  {}", row + 1, cells.join(" ")));
        }
        let letters: Vec<String> =
            (0..cols).map(|col| format!("{:>wide$}", char::from(b'a' + col))).collect();
        lines.push(format!("    {}", letters.join(" ")));
        lines.join("\n")
    }

    /// A zone.
    pub fn new(id: impl Into<String>, shape: Shape, label: Text, items: Vec<Item>) -> Zone {
        Zone { id: id.into(), shape, label, items, w: None }
    }
    /// The same zone with cards or squares of a width.
    pub fn wide(mut self, w: u16) -> Zone {
        self.w = Some(w);
        self
    }
}

impl Move {
    /// A move without a place and a value.
    pub fn new(id: impl Into<String>, label: Text) -> Move {
        Move {
            id: id.into(),
            order: 0,
            rank: None,
            pick: false,
            label,
            note: Text::default(),
            from: None,
            to: None,
            on: Vec::new(),
            each: Vec::new(),
            short: Text::default(),
            value: None,
        }
    }
}

impl Seat {
    /// Somebody without a score.
    pub fn named(name: Text) -> Seat {
        Seat { name, score: Text::default(), unit: Text::default() }
    }
}

/// Puts moves with values into order, best first, and ranks them: those as good as the best share rank 1, and
/// the first of them is picked. `good` says how good a move is; `best` whether it is as good as any.
pub fn ranked<M>(moves: Vec<(Move, M)>, good: impl Fn(&M) -> f64, best: impl Fn(&M) -> bool) -> Vec<Move> {
    let mut moves = moves;
    for (order, m) in (0..).zip(&mut moves) {
        m.0.order = order;
    }
    moves.sort_by(|a, b| best(&b.1).cmp(&best(&a.1)).then(good(&b.1).total_cmp(&good(&a.1))));
    let (mut rank, mut before) = (0, None);
    let mut out = Vec::with_capacity(moves.len());
    for (at, (mut m, worth)) in moves.into_iter().enumerate() {
        let (x, top) = (good(&worth), best(&worth));
        // Equal values share a rank, and so do all that count as best.
        if !(top && at > 0) && before != Some(x) {
            rank = at as u32 + 1;
        }
        before = Some(x);
        m.rank = Some(rank);
        m.pick = at == 0 && top;
        out.push(m);
    }
    out
}

impl Scale {
    /// A ruler that holds some values and the middle, with lines at round numbers.
    pub fn around(values: impl IntoIterator<Item = f64>, mid: f64, name: Text) -> Scale {
        let (mut low, mut high) = (mid, mid);
        for x in values.into_iter().filter(|x| x.is_finite()) {
            (low, high) = (low.min(x), high.max(x));
        }
        let rough = ((high - low) / 3.0).max(1e-6);
        let ten = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|n| n * ten).find(|n| *n >= rough).unwrap_or(rough);
        let digits = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
        let (first, last) =
            ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil().max((low / step).floor() + 1.0));
        let ticks = (first as i64..=last as i64).map(|i| {
            let x = i as f64 * step;
            (x, Text::same(format!("{x:.digits$}").replace('-', "−")))
        });
        Scale { min: first * step, mid, max: last * step, name, ticks: ticks.collect() }
    }
}

/// A number with a real minus sign, and a plus if it is above 0.
pub fn signed(number: impl std::fmt::Display) -> String {
    let text = number.to_string();
    match text.strip_prefix('-') {
        Some(rest) => format!("−{rest}"),
        None if text.bytes().all(|c| matches!(c, b'0' | b'.')) => text,
        None => format!("+{}", text.trim_start_matches('+')),
    }
}

/// A text that names cards as `{S7}` without the braces, for where cards are not drawn.
pub fn unbraced(text: &Text) -> Text {
    let bare = |t: &str| t.replace(['{', '}'], "");
    Text::of(bare(&text.en), bare(&text.ja))
}

/// The name of the square in a column and a row, both from 0.
pub fn square(col: u8, row: u8) -> String {
    format!("{}{}", char::from(b'a' + col), row + 1)
}

impl Scene {
    /// The game is over with this result: nobody is to move.
    pub fn end(&mut self, result: Text) {
        (self.say, self.turn) = (result, None);
        self.moves.clear();
        (self.value, self.scale, self.line) = (None, None, None);
    }

    /// The scene in edit mode: its moves are these changes, and back to the start if it is another position. Of
    /// changes that lead to the same position the first is kept.
    pub fn editing(mut self, start: &str, changes: impl IntoIterator<Item = Move>) -> Scene {
        self.without_values();
        let again = Move::new(start, yomikiri_core::text("Back to the start", "初期局面に戻す"));
        let mut seen = BTreeSet::from([self.notation.clone()]);
        self.moves = changes.into_iter().chain([again]).filter(|m| seen.insert(m.id.clone())).collect();
        for (order, m) in (0..).zip(&mut self.moves) {
            m.order = order;
        }
        self.say = yomikiri_core::text(
            "Click what you want to change, then choose.",
            "変えたいものを選び、変更を選んでください。",
        );
        self
    }

    /// The scene as a small picture, without a word on moves.
    pub fn small(mut self) -> Scene {
        self.without_values();
        self.moves.clear();
        self.legend.clear();
        self
    }

    /// Takes everything away that tells what moves are worth; they stand in the game's order.
    pub fn without_values(&mut self) {
        (self.value, self.scale, self.line) = (None, None, None);
        self.trust = Text::default();
        self.arrows.clear();
        for item in self.zones.iter_mut().flat_map(|zone| &mut zone.items) {
            item.mark = item.mark.filter(|mark| *mark == Mark::Last);
        }
        self.moves.sort_by_key(|m| m.order);
        for m in &mut self.moves {
            (m.rank, m.pick, m.value) = (None, false, None);
            (m.note, m.short) = (Text::default(), Text::default());
        }
    }

    /// Leaves of the values only which moves are best; they stand in the game's order.
    pub fn only_best(&mut self) {
        let best: Vec<(u32, bool)> =
            self.moves.iter().filter(|m| m.rank == Some(1)).map(|m| (m.order, m.pick)).collect();
        self.without_values();
        for (order, pick) in best {
            if let Some(m) = self.moves.iter_mut().find(|m| m.order == order) {
                (m.rank, m.pick) = (Some(1), pick);
            }
        }
    }

    /// Every place that moves may name: items, and the squares of boards as `zone/a1`.
    pub fn places(&self) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        for zone in &self.zones {
            all.extend(zone.items.iter().map(|item| item.id.clone()));
            if let Shape::Board { cols, rows, .. } = zone.shape {
                all.extend(
                    (0..rows)
                        .flat_map(|row| (0..cols).map(move |col| square(col, row)))
                        .map(|sq| format!("{}/{sq}", zone.id)),
                );
            }
        }
        all
    }

    /// What is wrong with it: nothing, if its game is right. The laws every scene obeys are here, so that the
    /// page and the report need not look.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut fault = |holds: bool, what: String| {
            if !holds {
                faults.push(what);
            }
        };
        fault(self.v == VERSION, format!("version {}", self.v));
        let mut ids = BTreeSet::new();
        for zone in &self.zones {
            let placed = self.layout.iter().flatten().filter(|id| **id == zone.id).count();
            fault(placed == 1, format!("zone {} is placed {placed} times", zone.id));
            let mut squares = BTreeSet::new();
            for item in &zone.items {
                fault(ids.insert(item.id.as_str()), format!("item {} is there twice", item.id));
                match (&zone.shape, &item.piece) {
                    (Shape::Board { cols, rows, .. }, Piece::Ghost { side, at, .. }) => {
                        let there = (0..*rows).any(|row| (0..*cols).any(|col| square(col, row) == *at));
                        fault(there && squares.insert(at), format!("{} stands on {at}", item.id));
                        fault(matches!(side, 1 | 2), format!("{} is of side {side}", item.id));
                    }
                    (Shape::Board { .. }, _) | (_, Piece::Ghost { .. }) => {
                        fault(false, format!("{} does not belong in {}", item.id, zone.id));
                    }
                    (_, Piece::Card(Show::Up(face) | Show::Known(face))) => {
                        fault(!face.is_empty(), format!("{} has an empty face", item.id));
                    }
                    _ => {}
                }
            }
        }
        for id in self.layout.iter().flatten() {
            fault(self.zones.iter().any(|zone| zone.id == *id), format!("the layout names {id}"));
        }
        fault(self.turn.is_none_or(|turn| usize::from(turn) < self.seats.len()), "nobody's turn".into());
        let places = self.places();
        let arrows = self.arrows.iter().flat_map(|a| [&a.from, &a.to]);
        let ends = self
            .moves
            .iter()
            .flat_map(|m| m.from.iter().chain(&m.to).chain(&m.on).chain(m.each.iter().map(|each| &each.on)));
        for place in arrows.chain(ends) {
            fault(places.contains(place), format!("there is no place {place}"));
        }
        let finite = |x: f64| x.is_finite();
        if let Some(Scale { min, mid, max, ticks, .. }) = &self.scale {
            let good = min < max && (min..=max).contains(&mid) && ticks.iter().all(|t| finite(t.0));
            fault(good, format!("a scale {min} {mid} {max}"));
        }
        for m in &self.moves {
            let value = m.value.as_ref();
            let good = value.is_none_or(|v| finite(v.x) && v.interval.is_none_or(|(a, b)| a <= b));
            fault(good, format!("the value of {}", m.id));
            fault(value.is_none() || self.scale.is_some(), format!("{} has a value without a scale", m.id));
            // A rank alone is how only the best moves are told.
            fault(value.is_none() || m.rank.is_some(), format!("{} has a value and no rank", m.id));
            fault(!m.pick || m.rank == Some(1), format!("{} is picked and not best", m.id));
        }
        let ranks: Vec<u32> = self.moves.iter().filter_map(|m| m.rank).collect();
        fault(ranks.is_sorted() && ranks.first().is_none_or(|r| *r == 1), format!("ranks {ranks:?}"));
        let mut missing = 0;
        self.texts(&mut |text| missing += u32::from(text.en.is_empty() != text.ja.is_empty()));
        fault(missing == 0, format!("{missing} texts in one language only"));
        let named = [&self.title, &self.variant].into_iter().chain(self.moves.iter().map(|m| &m.label));
        fault(named.into_iter().all(|t| !t.is_empty()), "a title, variant or move without words".into());
        faults
    }

    /// Looks at every text.
    pub fn texts(&self, look: &mut dyn FnMut(&Text)) {
        [&self.title, &self.variant, &self.say, &self.trust].into_iter().for_each(&mut *look);
        for seat in &self.seats {
            [&seat.name, &seat.score, &seat.unit].into_iter().for_each(&mut *look);
        }
        for zone in &self.zones {
            look(&zone.label);
            zone.items.iter().for_each(|item| look(&item.tag));
        }
        self.legend.iter().for_each(|l| look(&l.text));
        if let Some(Verdict { of, text, note, .. }) = &self.value {
            [of, text, note].into_iter().for_each(&mut *look);
        }
        if let Some(Scale { name, ticks, .. }) = &self.scale {
            look(name);
            ticks.iter().for_each(|t| look(&t.1));
        }
        for m in &self.moves {
            [&m.label, &m.note, &m.short].into_iter().for_each(&mut *look);
            if let Some(Value { text, sub, .. }) = &m.value {
                [text, sub].into_iter().for_each(&mut *look);
            }
        }
        self.arrows.iter().for_each(|a| look(&a.text));
        if let Some(Line { title, note, steps, .. }) = &self.line {
            [title, note].into_iter().for_each(&mut *look);
            steps.iter().flat_map(|s| [&s.text, &s.sub]).for_each(look);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use yomikiri_core::text;

    fn scene() -> Scene {
        let item = Item::card("c1", Show::Known("S7".into()));
        let ghost = Item::ghost("g", 1, Tint::Blue, "b1");
        let exits = BTreeMap::from([("a4".to_owned(), 1)]);
        Scene {
            v: VERSION,
            game: "toy".into(),
            title: text("Toy", "玩具"),
            variant: Text::same("1"),
            zones: vec![
                Zone::new(
                    "hand",
                    Shape::Hand,
                    text("hand", "手札"),
                    vec![item, Item::card("c2", Show::Down), Item::num("n", 4, Some("+11".into()))],
                ),
                Zone::new("board", Shape::Board { cols: 4, rows: 4, exits }, Text::default(), vec![ghost]),
            ],
            layout: vec![vec!["hand".into()], vec!["board".into()]],
            scale: Some(Scale {
                min: -1.0,
                mid: 0.0,
                max: 1.0,
                name: Text::same("v"),
                ticks: vec![(0.0, Text::same("0"))],
            }),
            moves: ranked(
                vec![
                    (
                        Move {
                            on: vec!["c1".into()],
                            value: Some(value(-0.5)),
                            ..Move::new("b", Text::same("b"))
                        },
                        -0.5,
                    ),
                    (
                        Move {
                            from: Some("board/b1".into()),
                            to: Some("board/b2".into()),
                            value: Some(value(0.5)),
                            ..Move::new("a", Text::same("a"))
                        },
                        0.5,
                    ),
                    (Move { value: Some(value(0.5)), ..Move::new("c", Text::same("c")) }, 0.5),
                ],
                |x| *x,
                |x| *x == 0.5,
            ),
            ..Scene::default()
        }
    }

    fn value(x: f64) -> Value {
        Value {
            x,
            text: Text::same(signed(x)),
            sub: Text::default(),
            tone: Tone::of(x, 0.0),
            cert: Certainty::Exact,
            interval: None,
            mark: None,
        }
    }

    #[test]
    fn law_json_reads_back_and_is_as_documented() {
        let scene = scene();
        assert_eq!(scene.faults(), Vec::<String>::new());
        let json = serde_json::to_value(&scene).unwrap();
        assert_eq!(json["kind"], "scene");
        assert_eq!(json["title"], json!({"en": "Toy", "ja": "玩具"}));
        assert_eq!(json["variant"], "1");
        assert_eq!(json["zones"][0]["kind"], "hand");
        assert_eq!(
            json["zones"][0]["items"][0],
            json!({"id": "c1", "t": "card", "show": "known", "face": "S7"})
        );
        assert_eq!(json["zones"][0]["items"][1], json!({"id": "c2", "t": "card", "show": "down"}));
        assert_eq!(json["zones"][1]["exits"], json!({"a4": 1}));
        assert_eq!(json["moves"][0]["rank"], 1);
        assert_eq!(json["moves"][0]["value"]["tone"], "+");
        assert_eq!(serde_json::from_value::<Scene>(json).unwrap(), scene);
    }

    #[test]
    fn law_ties_share_a_rank_and_one_is_picked() {
        let moves = scene().moves;
        let told: Vec<_> = moves.iter().map(|m| (m.id.as_str(), m.rank, m.pick)).collect();
        assert_eq!(told, [("a", Some(1), true), ("c", Some(1), false), ("b", Some(3), false)]);
    }

    #[test]
    fn law_every_fault_is_found() {
        type Breaks = fn(&mut Scene);
        let broken: [(&str, Breaks); 9] = [
            ("twice", |s| s.zones[0].items[1].id = "c1".into()),
            ("no place", |s| s.moves[0].to = Some("board/e9".into())),
            ("no place", |s| s.moves[2].on = vec!["nobody".into()]),
            ("placed 0", |s| s.layout.truncate(1)),
            ("stands on", |s| s.zones[1].items[0] = Item::ghost("g", 1, Tint::Red, "e1")),
            ("does not belong", |s| s.zones[1].items.push(Item::card("x", Show::Down))),
            ("one language", |s| s.say = Text::of("only", "")),
            ("the value of", |s| s.moves[0].value.as_mut().unwrap().x = f64::NAN),
            ("nobody's turn", |s| s.turn = Some(0)),
        ];
        for (says, breaks) in broken {
            let mut scene = scene();
            breaks(&mut scene);
            let faults = scene.faults();
            assert!(faults.iter().any(|f| f.contains(says)), "{says}: {faults:?}");
        }
    }

    /// The same moves with other values.
    fn revalued(values: [f64; 3]) -> Scene {
        let mut scene = scene();
        scene.moves.sort_by_key(|m| m.order);
        let moves = std::mem::take(&mut scene.moves).into_iter().zip(values).map(|(m, x)| {
            let note = Text::same(format!("worth {x}"));
            (Move { value: Some(value(x)), note: note.clone(), short: note, rank: None, pick: false, ..m }, x)
        });
        let top = values.into_iter().fold(f64::NEG_INFINITY, f64::max);
        scene.moves = ranked(moves.collect(), |x| *x, |x| *x == top);
        scene.zones[0].items[0].mark = Some(if values[0] > 0.0 { Mark::Best } else { Mark::To });
        let said = Text::same(format!("{values:?}"));
        scene.value = Some(Verdict {
            of: said.clone(),
            text: said.clone(),
            note: said.clone(),
            cert: Certainty::Exact,
        });
        scene.line = Some(Line { title: said.clone(), note: said.clone(), list: false, steps: Vec::new() });
        scene.arrows = vec![Arrow { from: "c1".into(), to: "c2".into(), text: said.clone() }];
        scene.trust = said;
        assert_eq!(scene.faults(), Vec::<String>::new());
        scene
    }

    #[test]
    fn law_without_values_nothing_tells_what_moves_are_worth() {
        let all = [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.2, 0.2, 0.2], [-0.5, 0.9, -0.5]].map(revalued);
        let plain = all.clone().map(|mut scene| {
            scene.without_values();
            assert_eq!(scene.faults(), Vec::<String>::new());
            serde_json::to_string(&scene).unwrap()
        });
        assert!(plain.iter().all(|p| *p == plain[0]), "{plain:?}");
        assert!(all.iter().any(|s| s.moves[0].id != all[0].moves[0].id), "they do differ with values");
        // What happened last is no secret.
        let mut scene = revalued([0.1, 0.2, 0.3]);
        scene.zones[0].items[1].mark = Some(Mark::Last);
        scene.without_values();
        assert_eq!(scene.zones[0].items[1].mark, Some(Mark::Last));
        assert_eq!(scene.zones[0].items[0].mark, None);
    }

    #[test]
    fn law_only_the_best_moves_are_told() {
        let told = |values| {
            let mut scene = revalued(values);
            scene.only_best();
            assert_eq!(scene.faults(), Vec::<String>::new());
            serde_json::to_string(&scene).unwrap()
        };
        // The same moves are best, whatever the others are worth.
        assert_eq!(told([0.9, 0.1, 0.2]), told([0.5, 0.3, -0.2]));
        assert_eq!(told([0.9, 0.9, 0.2]), told([0.3, 0.3, -0.9]));
        assert_ne!(told([0.9, 0.1, 0.2]), told([0.1, 0.9, 0.2]));
        assert_ne!(told([0.9, 0.9, 0.2]), told([0.9, 0.1, 0.2]));
    }

    #[test]
    fn law_changes_by_hand_are_there_once_and_lead_away() {
        let change = |id: &str| Move::new(id, Text::same(id));
        let mut scene = revalued([0.1, 0.2, 0.3]);
        scene.notation = "here".into();
        let scene = scene.editing("start", ["there", "here", "there", "away"].map(change));
        let ids: Vec<(u32, &str)> = scene.moves.iter().map(|m| (m.order, m.id.as_str())).collect();
        assert_eq!(ids, [(0, "there"), (1, "away"), (2, "start")]);
        let scene = Scene { notation: "start".into(), ..scene }.editing("start", [change("there")]);
        assert_eq!(scene.moves.len(), 1);
        assert_eq!(scene.faults(), Vec::<String>::new());
    }

    #[test]
    fn law_a_scale_holds_its_values_and_the_middle() {
        for values in [
            vec![],
            vec![0.5],
            vec![0.80749, 0.74174, 0.30614],
            vec![-12.0, 3.0],
            vec![1e-9],
            vec![-100_000.0],
        ] {
            for mid in [0.0, 0.5] {
                let scale = Scale::around(values.iter().copied(), mid, Text::same("v"));
                let inside = |x: f64| (scale.min - 1e-9..=scale.max + 1e-9).contains(&x);
                assert!(
                    scale.min < scale.max && inside(mid) && values.iter().all(|x| inside(*x)),
                    "{scale:?}"
                );
                assert!((2..=6).contains(&scale.ticks.len()), "{scale:?}");
            }
        }
    }

    #[test]
    fn law_numbers_have_a_sign() {
        for (x, s) in
            [("-2", "−2"), ("3", "+3"), ("+3", "+3"), ("0", "0"), ("0.00", "0.00"), ("-1/2", "−1/2")]
        {
            assert_eq!(signed(x), s);
        }
    }
}
