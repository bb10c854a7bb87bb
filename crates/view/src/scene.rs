//! What there is to draw of a position, without saying how it looks: zones with cards and pieces, moves with
//! their values, a line of play. The page gets it as JSON, the report draws it as SVG; neither knows the game.
//!
//! A piece is a playing card or a [`Token`]: a shape, a colour and a text. Whoever draws scenes draws every token, so a
//! new kind of stone is a new token and nothing else.
//!
//! A face the viewer may not know is not in it: a card that lies face down has no face to send.

use crate::certainty::Certainty;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use yomikiri_core::Text;
use yomikiri_core::cards::Card;

/// The version of the JSON.
pub const VERSION: u32 = 2;

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
    pub value: Option<Worth>,
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
    /// What stands over the picture in place of the game's parameters: how far the game has come.
    pub variant: Text,
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    /// Who it is.
    pub name: Text,
    /// What it has, as text.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub score: Text,
    /// What that counts.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub unit: Text,
    /// Where its pieces look, on boards with two sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looks: Option<Looks>,
    /// Whether another score may be typed, where a position is changed by hand.
    #[serde(default, skip_serializing_if = "is_default")]
    pub typed: bool,
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
    /// Squares; items say where they stand.
    Board(Squares),
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
    /// Counters side by side, with their number after the last of them.
    Heap {
        /// Counters before the row is broken.
        per: u16,
    },
}

/// The squares of a board, named from a1 on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Squares {
    /// Files, at most 26.
    pub cols: u8,
    /// Ranks.
    pub rows: u8,
    /// How the squares lie to each other.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tiling: Tiling,
    /// Whether rank 1 is at the top; otherwise it is at the bottom.
    #[serde(default, skip_serializing_if = "is_default")]
    pub down: bool,
    /// Whether the letters and numbers of files and ranks are left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bare: bool,
    /// Squares by which the pieces of a side leave: 1 upwards, 2 downwards.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub exits: BTreeMap<String, u8>,
    /// Squares that look different from the others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub grounds: BTreeMap<String, Ground>,
    /// Sides of the whole board that have a colour.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rims: BTreeMap<Edge, Tint>,
}

/// How the squares of a board lie to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tiling {
    /// Side by side, with lines between them.
    #[default]
    Square,
    /// As points where lines cross: the stones stand on the lines.
    Points,
    /// Side by side between dots, with no lines but those that lie there as items.
    Lattice,
    /// Hexagons; every rank is moved to the right by half a hexagon against the one before.
    Honeycomb,
}

/// What a square looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ground {
    /// Darker than the others.
    Dark,
    /// With a dot in its middle.
    Dot,
    /// Not there: the board has a hole.
    Hole,
}

/// An edge of a square or of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Edge {
    /// The upper one.
    Top,
    /// The right one.
    Right,
    /// The lower one.
    Bottom,
    /// The left one.
    Left,
}

impl Squares {
    /// A plain board of so many files and ranks.
    pub fn new(cols: u8, rows: u8) -> Squares {
        Squares { cols, rows, ..Squares::default() }
    }

    /// Every square that is there, as its file and rank from 0 and its name: rank by rank, from a1 on.
    pub fn all(&self) -> impl Iterator<Item = (u8, u8, String)> + '_ {
        (0..self.rows)
            .flat_map(|row| (0..self.cols).map(move |col| (col, row, square(col, row))))
            .filter(|(_, _, name)| self.grounds.get(name) != Some(&Ground::Hole))
    }

    /// A square with one of its edges, by one name whichever of the two squares beside the edge is meant.
    fn place(&self, at: &str, edge: Option<Edge>) -> (String, Option<Edge>) {
        let step = match (edge, self.down) {
            (Some(Edge::Bottom), false) | (Some(Edge::Top), true) => (0, -1),
            (Some(Edge::Left), _) => (-1, 0),
            _ => (0, 0),
        };
        let found = self.all().find(|(_, _, name)| name == at);
        let beside = found.and_then(|(col, row, _)| {
            let (col, row) = (col.checked_add_signed(step.0)?, row.checked_add_signed(step.1)?);
            (step != (0, 0)).then(|| square(col, row))
        });
        match (beside, edge) {
            (Some(name), Some(Edge::Bottom)) => (name, Some(Edge::Top)),
            (Some(name), Some(Edge::Top)) => (name, Some(Edge::Bottom)),
            (Some(name), Some(Edge::Left)) => (name, Some(Edge::Right)),
            _ => (at.to_owned(), edge),
        }
    }

    /// How many rows over the bottom one a rank is drawn.
    pub fn height(&self, row: u8) -> u8 {
        if self.down { self.rows.saturating_sub(1 + row) } else { row }
    }
}

/// A card or a piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// What moves call it by; different from all others of the scene.
    pub id: String,
    /// What it is.
    #[serde(flatten)]
    pub piece: Piece,
    /// Its square, on a board.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub at: String,
    /// The edge of its square that it lies on; none if it stands in the middle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<Edge>,
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
    /// Anything else.
    Token(Token),
}

/// A piece of any game: a shape, a colour and a text. Colour is never its only sign: tokens of one scene that mean
/// different things differ in shape, text or lightness too ([`Scene::faults`] sees to it).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Token {
    /// What it looks like.
    pub shape: Form,
    /// What it is painted with.
    #[serde(default, skip_serializing_if = "is_default")]
    pub colour: Tint,
    /// What is written on it, a letter or two. `○`, `×` and `?` are drawn as signs, the same in every font.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub text: Text,
    /// What is written smaller, at the foot of a disc, a tile or a card, or under a text alone.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub small: Text,
    /// Where it looks, if its shape has a direction: a ghost, or a tile, which then is pointed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looks: Option<Looks>,
    /// Whether somebody at the table does not know what the viewer sees: dashed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub secret: bool,
    /// What it is called; without it, its colour, shape and texts are named.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub name: Text,
}

/// The shape of a token.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// A round stone.
    #[default]
    Disc,
    /// A square stone with round corners; pointed where it looks somewhere.
    Tile,
    /// A round stone with a hole.
    Ring,
    /// Two crossed bars.
    Cross,
    /// A line that lies.
    Bar,
    /// A line that stands.
    Post,
    /// A ghost.
    Ghost,
    /// A card with a large text at its head and a small one in a band at its foot.
    Card,
    /// No body: the text alone.
    None,
    /// A shape nobody knows how to draw: a box with its name in it.
    #[serde(untagged)]
    Other(String),
}

impl Form {
    /// Whether there is room for a small text at its foot.
    pub fn has_foot(&self) -> bool {
        matches!(self, Form::Disc | Form::Tile | Form::Card | Form::None)
    }

    /// Every shape that is drawn.
    pub const ALL: [Form; 9] = [
        Form::Disc,
        Form::Tile,
        Form::Ring,
        Form::Cross,
        Form::Bar,
        Form::Post,
        Form::Ghost,
        Form::Card,
        Form::None,
    ];
}

/// What a token is painted with, in light and in dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tint {
    /// Nothing: an outline.
    #[default]
    None,
    /// Black.
    Black,
    /// White.
    White,
    /// Grey.
    Grey,
    /// Blue.
    Blue,
    /// Red.
    Red,
    /// Purple.
    Purple,
    /// Green.
    Green,
    /// Yellow.
    Yellow,
}

impl Tint {
    /// Every colour.
    pub const ALL: [Tint; 9] = [
        Tint::None,
        Tint::Black,
        Tint::White,
        Tint::Grey,
        Tint::Blue,
        Tint::Red,
        Tint::Purple,
        Tint::Green,
        Tint::Yellow,
    ];

    /// How light it is: an outline, dark, light, or between. Colours of one lightness are told apart by hue alone.
    fn lightness(self) -> u8 {
        match self {
            Tint::None => 0,
            Tint::Black => 1,
            Tint::White | Tint::Yellow => 2,
            Tint::Grey | Tint::Blue | Tint::Red | Tint::Purple | Tint::Green => 3,
        }
    }
}

/// Where a token looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Looks {
    /// Up, away from who sits below.
    Up,
    /// Down.
    Down,
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
pub struct Worth {
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
pub enum Tick {
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
    pub mark: Option<Tick>,
}

/// A move. Places are items by their ids, or squares as `zone/a1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Move {
    /// What to type.
    pub id: String,
    /// Its place in the game's own order, from 0, whatever the values.
    #[serde(default, skip_serializing_if = "is_default")]
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
    /// The items or squares it is made with: any of them if they are many, each of them if they are two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<String>,
    /// Items that stand out with it although a click on them does not mean it: stones that are taken along.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
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

fn is_default<T: Default + PartialEq>(x: &T) -> bool {
    *x == T::default()
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

impl Token {
    /// A token without a word on it.
    pub fn new(shape: Form, colour: Tint) -> Token {
        Token { shape, colour, ..Token::default() }
    }

    /// A text that stands for itself.
    pub fn letter(text: Text) -> Token {
        Token { shape: Form::None, text, ..Token::default() }
    }

    /// A card with a number and the points it scores, with their sign, if any.
    pub fn num(n: u32, pts: Option<String>) -> Token {
        let name = match &pts {
            Some(pts) => {
                let points = if pts.trim_start_matches('+') == "1" { "point" } else { "points" };
                Text::of(format!("{n}, {pts} {points}"), format!("{n}（{pts}点）"))
            }
            None => Text::same(n.to_string()),
        };
        let small = pts.map_or_else(Text::default, Text::same);
        let text = Text::same(n.to_string());
        Token { shape: Form::Card, colour: Tint::White, text, small, name, ..Token::default() }
    }

    /// A ghost of side 1, which looks up, or side 2, with a sign for what is known of its colour.
    pub fn ghost(side: u8, colour: Tint) -> Token {
        let (sign, en, ja) = match colour {
            Tint::Blue => ("○", "blue", "青"),
            Tint::Red => ("×", "red", "赤"),
            _ => ("?", "unknown", "紫"),
        };
        Token {
            shape: Form::Ghost,
            colour,
            text: Text::same(sign),
            looks: Some(if side == 1 { Looks::Up } else { Looks::Down }),
            name: Text::of(format!("{en} piece of player {side}"), format!("プレイヤー{side}の{ja}駒")),
            ..Token::default()
        }
    }

    /// The same token with a text on it.
    pub fn text(mut self, text: Text) -> Token {
        self.text = text;
        self
    }
    /// The same token with a small text at its foot.
    pub fn small(mut self, small: Text) -> Token {
        self.small = small;
        self
    }
    /// The same token, looking somewhere.
    pub fn looking(mut self, looks: Looks) -> Token {
        self.looks = Some(looks);
        self
    }
    /// The same token, dashed or not.
    pub fn secret(mut self, secret: bool) -> Token {
        self.secret = secret;
        self
    }
    /// The same token with a name of its own.
    pub fn named(mut self, name: Text) -> Token {
        self.name = name;
        self
    }
}

impl Item {
    /// Anything.
    pub fn new(id: impl Into<String>, piece: Piece) -> Item {
        Item { id: id.into(), piece, at: String::new(), edge: None, mark: None, tag: Text::default() }
    }
    /// A card.
    pub fn card(id: impl Into<String>, show: Show) -> Item {
        Item::new(id, Piece::Card(show))
    }
    /// A token.
    pub fn token(id: impl Into<String>, token: Token) -> Item {
        Item::new(id, Piece::Token(token))
    }
    /// A card with a number.
    pub fn num(id: impl Into<String>, n: u32, pts: Option<String>) -> Item {
        Item::token(id, Token::num(n, pts))
    }
    /// A ghost on a board.
    pub fn ghost(id: impl Into<String>, side: u8, colour: Tint, at: impl Into<String>) -> Item {
        Item::token(id, Token::ghost(side, colour)).at(at)
    }
    /// The same item on a square.
    pub fn at(mut self, at: impl Into<String>) -> Item {
        self.at = at.into();
        self
    }
    /// The same item on an edge of its square.
    pub fn edge(mut self, edge: Edge) -> Item {
        self.edge = Some(edge);
        self
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
        Some(self.at.as_str()).filter(|at| !at.is_empty())
    }
}

impl Piece {
    /// It in a few letters, for terminals.
    pub fn plain(&self) -> String {
        match self {
            Piece::Card(Show::Up(face) | Show::Known(face)) => face.clone(),
            Piece::Card(Show::Down) => "?".into(),
            Piece::Card(Show::Gone) => "–".into(),
            Piece::Token(Token { text, shape, .. }) => match (text.en.as_ref(), shape) {
                ("", Form::Cross) => "X".into(),
                ("", Form::Ring) => "O".into(),
                ("", Form::Bar) => "-".into(),
                ("", Form::Post) => "|".into(),
                ("", _) => "●".into(),
                (text, _) => text.to_owned(),
            },
        }
    }
}

impl Zone {
    /// The zone in lines of text: a board as a grid with its letters and numbers, anything else in a row.
    pub fn plain(&self) -> String {
        let Shape::Board(Squares { cols, rows, .. }) = self.shape else {
            let row = self.items.iter().map(|item| item.piece.plain()).collect::<Vec<_>>().join(" ");
            return if row.is_empty() { "–".into() } else { row };
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
            also: Vec::new(),
            each: Vec::new(),
            short: Text::default(),
            value: None,
        }
    }
}

impl Seat {
    /// Somebody without a score.
    pub fn scoring(name: Text, score: impl ToString, unit: Text) -> Seat {
        Seat { name, score: Text::same(score.to_string()), unit, ..Seat::default() }
    }

    /// A player of whom there is only a name.
    pub fn named(name: Text) -> Seat {
        Seat { name, ..Seat::default() }
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
    let zero = |digits: &str| digits.bytes().all(|c| matches!(c, b'0' | b'.'));
    match text.strip_prefix('-') {
        Some(rest) if zero(rest) => rest.to_owned(),
        Some(rest) => format!("−{rest}"),
        None if zero(&text) => text,
        None => format!("+{}", text.trim_start_matches('+')),
    }
}

/// A text that names cards as `{S7}` with the cards written as people read them, for where they are not drawn.
///
/// ```
/// use yomikiri_core::Text;
/// use yomikiri_view::scene::unbraced;
///
/// assert_eq!(unbraced(&Text::same("{S7} onto {H0}")).en, "♠7 onto ♥10");
/// ```
pub fn unbraced(text: &Text) -> Text {
    let bare = |t: &str| {
        let mut out = String::new();
        for part in t.split('{') {
            match part.split_once('}') {
                Some((card, rest)) => {
                    out.push_str(&Card::parse(card).map_or_else(|_| card.to_owned(), Card::drawn));
                    out.push_str(rest);
                }
                None => out.push_str(part),
            }
        }
        out
    };
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
            if let Shape::Board(squares) = &zone.shape {
                all.extend(squares.all().map(|(_, _, name)| format!("{}/{name}", zone.id)));
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
            let mut taken = BTreeSet::new();
            if let Shape::Board(squares) = &zone.shape {
                let there: BTreeSet<String> = squares.all().map(|(_, _, name)| name).collect();
                let sized = squares.rows > 0 && (1..=26).contains(&squares.cols);
                fault(sized, format!("{} has {} files and {} ranks", zone.id, squares.cols, squares.rows));
                for name in squares.exits.keys().chain(squares.grounds.keys()) {
                    let known = there.contains(name) || squares.grounds.get(name) == Some(&Ground::Hole);
                    fault(known, format!("{} has no square {name}", zone.id));
                }
                for item in &zone.items {
                    let free = taken.insert(squares.place(&item.at, item.edge));
                    fault(there.contains(&item.at) && free, format!("{} stands on {}", item.id, item.at));
                    let fits = match (item.edge, &item.piece) {
                        (None, _) => true,
                        (Some(Edge::Top | Edge::Bottom), Piece::Token(t)) => t.shape == Form::Bar,
                        (Some(Edge::Left | Edge::Right), Piece::Token(t)) => t.shape == Form::Post,
                        (Some(_), Piece::Card(_)) => false,
                    };
                    let flat = item.edge.is_none() || squares.tiling != Tiling::Honeycomb;
                    fault(fits && flat, format!("{} does not belong on an edge", item.id));
                }
            }
            for item in &zone.items {
                fault(ids.insert(item.id.as_str()), format!("item {} is there twice", item.id));
                let placed =
                    matches!(zone.shape, Shape::Board(_)) || (item.at.is_empty() && item.edge.is_none());
                fault(placed, format!("{} stands on {}, but {} is no board", item.id, item.at, zone.id));
                match &item.piece {
                    Piece::Card(Show::Up(face) | Show::Known(face)) => {
                        fault(!face.is_empty(), format!("{} has an empty face", item.id));
                    }
                    Piece::Token(token) => {
                        let turns = matches!(token.shape, Form::Ghost | Form::Tile | Form::Other(_));
                        fault(token.looks.is_none() || turns, format!("{} looks somewhere", item.id));
                        let foot = token.small.is_empty() || token.shape.has_foot();
                        fault(foot, format!("{} has no room for a small text", item.id));
                        let seen = token.shape != Form::None || !token.text.is_empty();
                        fault(seen, format!("{} has neither a shape nor a text", item.id));
                    }
                    Piece::Card(_) => {}
                }
            }
        }
        // Two tokens that differ in hue and in nothing else are one and the same to some people.
        let mut tokens: Vec<(&str, &Token)> = Vec::new();
        for item in self.zones.iter().flat_map(|zone| &zone.items) {
            let Piece::Token(token) = &item.piece else { continue };
            let alike = tokens.iter().find(|(_, other)| {
                let same =
                    Token { colour: token.colour, name: token.name.clone(), ..(*other).clone() } == *token;
                same && other.colour.lightness() == token.colour.lightness()
            });
            match alike {
                Some((_, other)) if other.colour == token.colour => {}
                Some((id, _)) => fault(false, format!("{id} and {} differ in colour alone", item.id)),
                None => tokens.push((&item.id, token)),
            }
        }
        for id in self.layout.iter().flatten() {
            fault(self.zones.iter().any(|zone| zone.id == *id), format!("the layout names {id}"));
        }
        fault(self.turn.is_none_or(|turn| usize::from(turn) < self.seats.len()), "nobody's turn".into());
        let places = self.places();
        let arrows = self.arrows.iter().flat_map(|a| [&a.from, &a.to]);
        let ends = self.moves.iter().flat_map(|m| {
            m.from.iter().chain(&m.to).chain(&m.on).chain(&m.also).chain(m.each.iter().map(|each| &each.on))
        });
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
        if let Some(Worth { of, text, note, .. }) = &self.value {
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
                Zone::new(
                    "board",
                    Shape::Board(Squares { exits, ..Squares::new(4, 4) }),
                    Text::default(),
                    vec![ghost],
                ),
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
        let broken: &[(&str, Breaks)] = &[
            ("twice", |s| s.zones[0].items[1].id = "c1".into()),
            ("no place", |s| s.moves[0].to = Some("board/e9".into())),
            ("no place", |s| s.moves[2].on = vec!["nobody".into()]),
            ("placed 0", |s| s.layout.truncate(1)),
            ("stands on", |s| s.zones[1].items[0] = Item::ghost("g", 1, Tint::Red, "e1")),
            ("stands on", |s| s.zones[1].items.push(Item::card("x", Show::Down))),
            ("stands on", |s| s.zones[1].items.push(Item::card("x", Show::Down).at("b1"))),
            ("is no board", |s| s.zones[0].items[0].at = "a1".into()),
            ("on an edge", |s| s.zones[1].items.push(stone("x", Tint::Black).at("a1").edge(Edge::Top))),
            ("stands on", |s| {
                let bar = Token::new(Form::Bar, Tint::Black);
                s.zones[1].items.push(Item::token("x", bar.clone()).at("a1").edge(Edge::Top));
                s.zones[1].items.push(Item::token("y", bar).at("a2").edge(Edge::Bottom));
            }),
            ("files", |s| s.zones[1].shape = Shape::Board(Squares::new(27, 4))),
            ("no square", |s| {
                let exits = BTreeMap::from([("z9".to_owned(), 1)]);
                s.zones[1].shape = Shape::Board(Squares { exits, ..Squares::new(4, 4) });
            }),
            ("stands on", |s| {
                let grounds = BTreeMap::from([("b1".to_owned(), Ground::Hole)]);
                s.zones[1].shape = Shape::Board(Squares { grounds, ..Squares::new(4, 4) });
            }),
            ("looks somewhere", |s| {
                s.zones[0].items[2] =
                    Item::token("n", Token::new(Form::Disc, Tint::Black).looking(Looks::Up));
            }),
            ("neither a shape nor a text", |s| {
                s.zones[0].items[2] = Item::token("n", Token::letter(Text::default()))
            }),
            ("small text", |s| {
                let ring = Token::new(Form::Ring, Tint::Black).small(Text::same("1"));
                s.zones[0].items[2] = Item::token("n", ring);
            }),
            ("in colour alone", |s| s.zones[0].items.extend([stone("x", Tint::Red), stone("y", Tint::Blue)])),
            ("one language", |s| s.say = Text::of("only", "")),
            ("the value of", |s| s.moves[0].value.as_mut().unwrap().x = f64::NAN),
            ("nobody's turn", |s| s.turn = Some(0)),
        ];
        for &(says, breaks) in broken {
            let mut scene = scene();
            breaks(&mut scene);
            let faults = scene.faults();
            assert!(faults.iter().any(|f| f.contains(says)), "{says}: {faults:?}");
        }
    }

    fn stone(id: &str, colour: Tint) -> Item {
        Item::token(id, Token::new(Form::Disc, colour))
    }

    #[test]
    fn law_tokens_of_every_kind_read_back_and_shapes_of_tomorrow_too() {
        let shapes = Form::ALL.into_iter().chain([Form::Other("pyramid".into())]);
        for (shape, colour) in shapes.flat_map(|shape| Tint::ALL.map(|colour| (shape.clone(), colour))) {
            let token = Token::new(shape, colour).text(text("K", "王")).small(Text::same("2"));
            let item =
                Item::token("x", token.named(text("king", "王将")).secret(true)).at("a1").edge(Edge::Left);
            let json = serde_json::to_value(&item).unwrap();
            assert_eq!(serde_json::from_value::<Item>(json).unwrap(), item);
        }
        let ghost = serde_json::to_value(Item::ghost("g", 2, Tint::Red, "b1")).unwrap();
        assert_eq!(
            ghost,
            json!({"id": "g", "t": "token", "shape": "ghost", "colour": "red", "text": "×", "looks": "down", "at": "b1",
                "name": {"en": "red piece of player 2", "ja": "プレイヤー2の赤駒"}})
        );
        let stone = serde_json::to_value(stone("s", Tint::None)).unwrap();
        assert_eq!(stone, json!({"id": "s", "t": "token", "shape": "disc"}));
        let strange = json!({"id": "s", "t": "token", "shape": "pyramid"});
        let strange: Item = serde_json::from_value(strange).unwrap();
        assert_eq!(strange.piece, Piece::Token(Token::new(Form::Other("pyramid".into()), Tint::None)));
    }

    #[test]
    fn law_lightness_or_a_text_tells_stones_apart() {
        let mut scene = scene();
        scene.zones[0].items.extend([
            stone("x", Tint::Black),
            stone("y", Tint::White),
            stone("z", Tint::Black),
        ]);
        let red = Token::new(Form::Disc, Tint::Red);
        scene.zones[0].items.push(Item::token("r", red.text(Text::same("R"))));
        scene.zones[0].items.push(stone("b", Tint::Blue));
        assert_eq!(scene.faults(), Vec::<String>::new());
    }

    #[test]
    fn law_lines_share_a_square_if_they_lie_on_different_edges() {
        let mut scene = scene();
        let (bar, post) = (Token::new(Form::Bar, Tint::Black), Token::new(Form::Post, Tint::Black));
        let all = [(Edge::Top, &bar), (Edge::Bottom, &bar), (Edge::Left, &post), (Edge::Right, &post)];
        let lines =
            all.map(|(edge, token)| Item::token(format!("{edge:?}"), token.clone()).at("b1").edge(edge));
        scene.zones[1].items.extend(lines);
        assert_eq!(scene.faults(), Vec::<String>::new());
        if let Shape::Board(squares) = &mut scene.zones[1].shape {
            squares.down = true;
            let top = |at: &str| squares.place(at, Some(Edge::Top));
            assert_eq!(top("b2"), squares.place("b1", Some(Edge::Bottom)));
            squares.tiling = Tiling::Honeycomb;
        }
        assert_eq!(scene.faults().len(), 4);
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
        scene.value =
            Some(Worth { of: said.clone(), text: said.clone(), note: said.clone(), cert: Certainty::Exact });
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
