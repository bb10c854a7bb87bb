//! Domineering (ドミナリング): one player puts dominoes upright, the other lying; who cannot loses.

use crate::grid::{self, Grid, bits, set};
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, DECIDED, Primer};
use yomikiri_games::approach::Approach;
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::params::{Param, Settings};
use yomikiri_games::searched::Searchable;
use yomikiri_solve::minimax::Contest;
use yomikiri_view::scene::{Board, Form, Move, Tint, Token, Viewer};

/// The rules with the size of the board.
pub struct Domineering {
    grid: Grid,
}

/// The squares that are covered, a bit each, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Covered {
    squares: u64,
    mover: u8,
}

/// Squares up to which all positions are kept.
const KEPT: u8 = 25;

impl Domineering {
    /// The other square of a domino that a player puts on a square: the one above it or to the right of it.
    fn other(&self, player: u8, at: u8) -> Option<u8> {
        if player == 0 { self.grid.step(at, 0, 1) } else { self.grid.step(at, 1, 0) }
    }
    fn domino(&self, player: u8, at: u8) -> u64 {
        self.other(player, at).map_or(0, |other| 1 << at | 1 << other)
    }
    /// The lower or left squares of dominoes that a player can put down.
    fn moves(&self, s: &Covered, player: u8) -> u64 {
        let Grid { cols, .. } = self.grid;
        let free = !s.squares & self.grid.all();
        match player {
            0 => free & free >> cols,
            _ => free & free >> 1 & !self.grid.column(cols - 1),
        }
    }
}

impl Game for Domineering {
    type State = Covered;
    /// The lower or left square of a domino.
    type Action = u8;

    fn start(&self) -> Covered {
        Covered { squares: 0, mover: 0 }
    }
    fn turn(&self, s: &Covered) -> Turn {
        if self.moves(s, s.mover) != 0 { Turn::Player(s.mover) } else { Turn::Terminal }
    }
    fn actions(&self, s: &Covered, out: &mut Vec<u8>) {
        out.extend(bits(self.moves(s, s.mover)));
    }
    fn apply(&self, s: &Covered, at: u8) -> Covered {
        Covered { squares: s.squares | self.domino(s.mover, at), mover: 1 - s.mover }
    }
    fn utility(&self, s: &Covered, player: u8) -> i32 {
        if player == s.mover { -1 } else { 1 }
    }
}

impl Contest for Domineering {
    type Place = u64;

    /// A board, turned upside down or seen in a mirror, is worth the same.
    fn place(&self, s: &Covered) -> Option<u64> {
        let mirrored = self.grid.mirrored(s.squares);
        let turned = [s.squares, mirrored].map(|squares| self.grid.half_turned(squares));
        Some(s.squares.min(mirrored).min(turned[0]).min(turned[1]))
    }
    fn bounds(&self, _: &Covered) -> (i32, i32) {
        (-1, 1)
    }
    /// Those first that leave the mover the most room beyond the other's.
    fn candidates(&self, s: &Covered, out: &mut Vec<u8>) {
        self.actions(s, out);
        out.sort_by_cached_key(|&at| {
            let after = self.apply(s, at);
            let [own, other] = [s.mover, 1 - s.mover].map(|player| self.moves(&after, player).count_ones());
            i64::from(other) - i64::from(own)
        });
    }
}

impl Describe for Domineering {
    fn parse(&self, given: &str) -> Result<Covered, Refusal> {
        let (board, mover) = grid::mover(given)?;
        Ok(Covered { squares: set(&self.grid.read(board, "X.")?, 0), mover })
    }
    fn print(&self, s: &Covered) -> Option<String> {
        let board = self.grid.write(|at| if s.squares >> at & 1 == 1 { 'X' } else { '.' });
        Some(format!("{board}_{}", s.mover + 1))
    }
    fn action(&self, s: &Covered, at: u8) -> Move {
        let (id, other) = (self.grid.name(at), self.other(s.mover, at));
        let label =
            Text::same(other.map_or_else(|| id.clone(), |other| format!("{id}+{}", self.grid.name(other))));
        let also = other.map(|other| self.grid.place(other)).into_iter().collect();
        Move { on: vec![self.grid.place(at)], also, ..Move::new(id, label) }
    }
    fn board(&self, s: &Covered, _: &Past<Domineering>, _: Viewer) -> Board {
        self.grid.board(|at| (s.squares >> at & 1 == 1).then(|| Token::new(Form::Tile, Tint::Grey)))
    }
    fn players(&self) -> Vec<Text> {
        vec![text("Vertical", "縦"), text("Horizontal", "横")]
    }
    fn why(&self, _: &Covered) -> Text {
        text("the other player has no room for a domino", "相手にドミノを置く場所がない")
    }
}

/// The registered game.
pub struct Dominoes;

static ABOUT: About = About {
    id: "domineering",
    name: text("Domineering", "ドミナリング"),
    summary: text(
        "one puts dominoes upright, the other lying; who cannot loses",
        "縦と横のドミノを交互に置き、置けない方が負け",
    ),
    rules: Primer {
        goal: text("Be the last who can put a domino down.", "最後にドミノを置く方になる。"),
        play: text(
            "Players take turns to put a domino on two empty neighbouring squares: the first player always upright, on two squares one above the other, the second always lying, on two squares side by side.",
            "交互に、隣り合う空いた2マスにドミノを置く。先手は必ず縦（上下の2マス）、後手は必ず横（左右の2マス）。",
        ),
        end: text(
            "Who cannot put one down loses. There are no draws.",
            "置けなくなった方が負け。引き分けはない。",
        ),
        values: DECIDED,
    },
    notation: text(
        "rows from the top, joined by /: X (covered) or . for each square; then _ and the player to move, 1 or 2",
        "上の段から / で区切る。各マスは X（覆われた）か .。最後に _ と手番（1か2）",
    ),
    example: "..../..X./..X./...._2",
    eval: text("position (the board), rows, cols", "position（盤）、rows、cols"),
    question: r#"{"position":"..../..X./..X./...._2"}"#,
    players: 2,
};

static PARAMS: [Param; 2] = [
    Param::int("rows", 1, 8, "4", text("rows of the board", "段の数")),
    Param::int("cols", 1, 8, "4", text("columns of the board", "列の数")),
];

impl Family for Dominoes {
    type Game = Domineering;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Domineering, Refusal> {
        Ok(Domineering { grid: Grid { rows: settings.int("rows") as u8, cols: settings.int("cols") as u8 } })
    }
    fn approach(&self) -> Option<&'static dyn Approach<Domineering>> {
        Some(&Searchable { large: |game: &Domineering| game.grid.squares() > KEPT })
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("4 × 4", "4×4"), settings: &[] },
            Variant { name: text("5 × 5", "5×5"), settings: &[("rows", "5"), ("cols", "5")] },
            Variant { name: text("6 × 6", "6×6"), settings: &[("rows", "6"), ("cols", "6")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[], position: None },
            Sample { settings: &[("rows", "3"), ("cols", "2")], position: Some("X./X./.._2") },
        ]
    }
}
