//! Hex (ヘックス): one player joins top and bottom, the other left and right; somebody always does.

use crate::grid::{Grid, owner, refused, set};
use std::collections::BTreeMap;
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, DECIDED, Primer};
use yomikiri_games::approach::Approach;
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::params::{Param, Settings};
use yomikiri_games::searched::Searchable;
use yomikiri_solve::minimax::Contest;
use yomikiri_view::scene::{Board, Edge, Form, Move, Squares, Tiling, Tint, Token, Viewer};

/// The rules with the size of the board.
pub struct Hex {
    grid: Grid,
    /// The neighbours of every cell.
    beside: Vec<u64>,
    /// The sides each player has to join.
    sides: [[u64; 2]; 2],
}

/// The cells of each player, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stones(pub(crate) [u64; 2]);

impl Stones {
    fn full(self) -> u64 {
        self.0[0] | self.0[1]
    }
    fn mover(self) -> usize {
        (self.full().count_ones() % 2) as usize
    }
}

/// Cells up to which all positions are kept.
const KEPT: u8 = 16;

impl Hex {
    /// The rules for a board of some rows and columns.
    pub fn new(rows: u8, cols: u8) -> Hex {
        let grid = Grid { cols, rows };
        let around = |at: u8| {
            let ways = [(1, 0), (-1, 0), (0, 1), (0, -1), (-1, 1), (1, -1)];
            ways.iter().filter_map(|&(right, up)| grid.step(at, right, up)).fold(0, |all, at| all | 1 << at)
        };
        let side = |inside: &dyn Fn(u8) -> bool| {
            (0..grid.squares()).filter(|at| inside(*at)).fold(0, |side, at| side | 1u64 << at)
        };
        let ends = [side(&|at| at / cols == 0), side(&|at| at / cols == rows - 1)];
        let flanks = [side(&|at| at % cols == 0), side(&|at| at % cols == cols - 1)];
        Hex { grid, beside: (0..grid.squares()).map(around).collect(), sides: [ends, flanks] }
    }
    /// Whether a player's cells join the player's sides.
    pub(crate) fn joins(&self, player: usize, cells: u64) -> bool {
        let [from, to] = self.sides[player];
        let (mut reached, mut open) = (0, cells & from);
        while open != 0 {
            let at = open.trailing_zeros();
            reached |= 1 << at;
            open = (open | self.beside[at as usize] & cells) & !reached;
        }
        reached & to != 0
    }
}

impl Game for Hex {
    type State = Stones;
    /// A cell.
    type Action = u8;

    fn start(&self) -> Stones {
        Stones([0, 0])
    }
    fn turn(&self, s: &Stones) -> Turn {
        // Whoever is to move has not joined anything by the last move.
        let last = 1 - s.mover();
        if self.joins(last, s.0[last]) { Turn::Terminal } else { Turn::Player(s.mover() as u8) }
    }
    fn actions(&self, s: &Stones, out: &mut Vec<u8>) {
        out.extend((0..self.grid.squares()).filter(|at| s.full() >> at & 1 == 0));
    }
    fn apply(&self, s: &Stones, at: u8) -> Stones {
        let mut after = *s;
        after.0[s.mover()] |= 1 << at;
        after
    }
    fn utility(&self, s: &Stones, player: u8) -> i32 {
        if s.mover() == usize::from(player) { -1 } else { 1 }
    }
}

impl Contest for Hex {
    type Place = [u64; 2];

    /// A board is worth the same turned upside down.
    fn place(&self, s: &Stones) -> Option<[u64; 2]> {
        Some(s.0.min(s.0.map(|own| self.grid.half_turned(own))))
    }
    fn bounds(&self, _: &Stones) -> (i32, i32) {
        (-1, 1)
    }
    /// The middle first.
    fn candidates(&self, s: &Stones, out: &mut Vec<u8>) {
        self.actions(s, out);
        let Grid { cols, rows } = self.grid;
        out.sort_by_key(|at| (2 * (at % cols) + 1).abs_diff(cols) + (2 * (at / cols) + 1).abs_diff(rows));
    }
}

impl Describe for Hex {
    fn parse(&self, given: &str) -> Result<Stones, Refusal> {
        let cells = self.grid.read(given, "XO.")?;
        let s = Stones([set(&cells, 0), set(&cells, 1)]);
        let [x, o] = s.0.map(u64::count_ones);
        if x < o || x > o + 1 || self.joins(s.mover(), s.0[s.mover()]) {
            let accepts = text(
                "as many X as O, or one more; nobody moves after two sides are joined",
                "X と O は同数か X が1つ多い。つながった後は打てない",
            );
            return Err(refused(given, accepts));
        }
        Ok(s)
    }
    fn print(&self, s: &Stones) -> Option<String> {
        Some(self.grid.write(|at| owner(&s.0, at).map_or('.', |p| ['X', 'O'][p])))
    }
    fn action(&self, _: &Stones, at: u8) -> Move {
        let id = self.grid.name(at);
        Move { on: vec![self.grid.place(at)], ..Move::new(id.clone(), Text::same(id)) }
    }
    fn board(&self, s: &Stones, _: &Past<Hex>, _: Viewer) -> Board {
        let tints = [Tint::Black, Tint::White];
        let sides = [(Edge::Top, 0), (Edge::Bottom, 0), (Edge::Left, 1), (Edge::Right, 1)];
        let rims: BTreeMap<Edge, Tint> = sides.into_iter().map(|(side, p)| (side, tints[p])).collect();
        let squares =
            Squares { tiling: Tiling::Honeycomb, rims, ..Squares::new(self.grid.cols, self.grid.rows) };
        let token = |p: usize| Token::new(Form::Disc, tints[p]).text(Text::same(["X", "O"][p]));
        self.grid.zone(squares, |at| owner(&s.0, at).map(token))
    }
    fn players(&self) -> Vec<Text> {
        vec![text("Black (X)", "黒（X）"), text("White (O)", "白（O）")]
    }
    fn why(&self, _: &Stones) -> Text {
        text("its stones join its two sides", "石が向かい合う2辺をつないだ")
    }
}

/// The registered game.
pub struct Rhombus;

static ABOUT: About = About {
    id: "hex",
    name: text("Hex", "ヘックス"),
    summary: text("join your two sides of the board with your stones", "自分の石で向かい合う2辺をつなぐ"),
    rules: Primer {
        goal: text(
            "Join your two sides of the board by a chain of your stones: Black the top and the bottom, White the left and the right.",
            "自分の石をつなげて2辺を結ぶ。黒は上下の辺、白は左右の辺。",
        ),
        play: text(
            "Players take turns to put a stone on an empty hexagon. Black begins. Stones do not move.",
            "交互に、空いた六角形に石を置く。先手は黒。石は動かさない。",
        ),
        end: text(
            "Whoever joins both sides by neighbouring stones wins. There are no draws.",
            "隣り合う石で両辺がつながれば勝ち。引き分けはない。",
        ),
        values: DECIDED,
    },
    notation: text(
        "rows from the top, joined by /: X (Black), O (White) or . for each hexagon; every row lies half a hexagon further right than the one below",
        "上の段から / で区切る。各マスは X（黒）、O（白）、.。各段は下の段より半マス右にずれる",
    ),
    example: "..O/.X./...",
    eval: text("position (the board), rows, cols", "position（盤）、rows、cols"),
    question: r#"{"position":"..O/.X./..."}"#,
    players: 2,
};

static PARAMS: [Param; 2] = [
    Param::int("rows", 1, 8, "3", text("rows of the board", "段の数")),
    Param::int("cols", 1, 8, "3", text("columns of the board", "列の数")),
];

impl Family for Rhombus {
    type Game = Hex;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Hex, Refusal> {
        Ok(Hex::new(settings.int("rows") as u8, settings.int("cols") as u8))
    }
    fn approach(&self) -> Option<&'static dyn Approach<Hex>> {
        Some(&Searchable { large: |game: &Hex| game.grid.squares() > KEPT })
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("3 × 3", "3×3"), settings: &[] },
            Variant { name: text("2 × 2", "2×2"), settings: &[("rows", "2"), ("cols", "2")] },
            Variant { name: text("4 × 4", "4×4"), settings: &[("rows", "4"), ("cols", "4")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[], position: None },
            Sample { settings: &[("rows", "2"), ("cols", "3")], position: Some("..O/.X.") },
        ]
    }
}
