//! Chomp (チョンプ): a bar of chocolate is eaten from its far corner; whoever must eat the poisoned square loses.

use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, DECIDED, Primer};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::params::{Param, Settings};
use yomikiri_view::scene::{Board, Form, Item, Move, Shape, Squares, Tint, Token, Viewer, Zone, square};

/// The rules with the size of the bar.
pub struct Chomp {
    rows: u8,
    cols: u8,
}

/// The squares left in each row, from the bottom, and who is to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bar {
    left: Vec<u8>,
    mover: u8,
}

impl Game for Chomp {
    type State = Bar;
    /// The row and the column of the square that is bitten.
    type Action = (u8, u8);

    fn start(&self) -> Bar {
        Bar { left: vec![self.cols; usize::from(self.rows)], mover: 0 }
    }
    fn turn(&self, s: &Bar) -> Turn {
        if s.left[0] == 0 { Turn::Terminal } else { Turn::Player(s.mover) }
    }
    fn actions(&self, s: &Bar, out: &mut Vec<(u8, u8)>) {
        out.extend((0..).zip(&s.left).flat_map(|(row, &n)| (0..n).map(move |col| (row, col))));
    }
    fn apply(&self, s: &Bar, (row, col): (u8, u8)) -> Bar {
        let eaten = |(at, &n): (u8, &u8)| if at >= row { n.min(col) } else { n };
        Bar { left: (0..).zip(&s.left).map(eaten).collect(), mover: 1 - s.mover }
    }
    fn utility(&self, s: &Bar, player: u8) -> i32 {
        // Whoever is to move has not eaten the poison.
        if player == s.mover { 1 } else { -1 }
    }
}

impl Describe for Chomp {
    fn parse(&self, given: &str) -> Result<Bar, Refusal> {
        let read: Option<Vec<u8>> = given.split(',').map(|n| n.trim().parse().ok()).collect();
        let fits = |left: &Vec<u8>| {
            left.len() == usize::from(self.rows) && left[0] <= self.cols && left.is_sorted_by(|a, b| a >= b)
        };
        let left = read.filter(fits).ok_or_else(|| {
            let (rows, cols) = (self.rows, self.cols);
            let accepts = Text::of(
                format!("{rows} numbers from the bottom row up, none above {cols} or above the one before"),
                format!("下の段から{rows}個の数。{cols}以下で、前の数を超えない"),
            );
            Refusal::new("bar", format!("\"{given}\""), accepts)
        })?;
        Ok(Bar { left, mover: 0 })
    }
    fn print(&self, s: &Bar) -> Option<String> {
        Some(s.left.iter().map(u8::to_string).collect::<Vec<_>>().join(","))
    }
    fn action(&self, s: &Bar, (row, col): (u8, u8)) -> Move {
        let id = square(col, row);
        let mut goes = Vec::new();
        self.actions(s, &mut goes);
        let also = goes.iter().filter(|at| **at != (row, col) && at.0 >= row && at.1 >= col);
        let also = also.map(|at| format!("bar/{}", square(at.1, at.0))).collect();
        Move { on: vec![format!("bar/{id}")], also, ..Move::new(id.clone(), Text::same(id)) }
    }
    fn board(&self, s: &Bar, _: &Past<Chomp>, _: Viewer) -> Board {
        let mut squares = Vec::new();
        self.actions(s, &mut squares);
        let piece = |(row, col): (u8, u8)| {
            let colour = if (row, col) == (0, 0) { Tint::Red } else { Tint::Black };
            let id = square(col, row);
            Item::token(id.clone(), Token { shape: Form::Tile, colour, ..Token::default() }).at(id)
        };
        let shape = Shape::Board(Squares { cols: self.cols, rows: self.rows, ..Squares::default() });
        Board::new(vec![Zone::new("bar", shape, Text::default(), squares.into_iter().map(piece).collect())])
    }
    fn why(&self, _: &Bar) -> Text {
        text("the other player has eaten the poisoned square", "相手が毒のマスを食べた")
    }
}

/// The registered game.
pub struct Chocolate;

static ABOUT: About = About {
    id: "chomp",
    name: text("Chomp", "チョンプ"),
    summary: text(
        "bite a square and all above and to the right; the corner is poisoned",
        "マスとその右上をまとめて食べる。左下の角は毒",
    ),
    rules: Primer {
        goal: text(
            "Make the other eat the poisoned lower left corner.",
            "毒のある左下の角を相手に食べさせる。",
        ),
        play: text(
            "Players take turns. A move bites a square and eats everything above and to the right of it too.",
            "交互に1マスを選び、そのマスと右・上にあるものをすべて食べる。",
        ),
        end: text(
            "Whoever eats the lower left corner loses. There are no draws.",
            "左下の角を食べた方が負け。引き分けはない。",
        ),
        values: DECIDED,
    },
    notation: text(
        "squares left in each row from the bottom, joined by commas, e.g. 4,4,2",
        "下の段から残りのマス数をカンマ区切りで、例：4,4,2",
    ),
    example: "4,2,1",
    eval: text("position (squares left in each row), rows, cols", "position（各段の残り）、rows、cols"),
    question: r#"{"position":"4,2,1"}"#,
    players: 2,
};

static PARAMS: [Param; 2] = [
    Param::int("rows", 1, 10, "3", text("rows of the bar", "板の段数")),
    Param::int("cols", 1, 10, "4", text("columns of the bar", "板の列数")),
];

impl Family for Chocolate {
    type Game = Chomp;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Chomp, Refusal> {
        Ok(Chomp { rows: settings.int("rows") as u8, cols: settings.int("cols") as u8 })
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("3 rows of 4", "3段4列"), settings: &[] },
            Variant { name: text("2 rows of 5", "2段5列"), settings: &[("rows", "2"), ("cols", "5")] },
            Variant { name: text("5 rows of 6", "5段6列"), settings: &[("rows", "5"), ("cols", "6")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[], position: None },
            Sample { settings: &[("rows", "2"), ("cols", "3")], position: Some("3,1") },
        ]
    }
}
