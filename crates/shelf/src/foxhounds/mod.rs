//! Fox and hounds (キツネと猟犬): hounds go forwards only and try to corner a fox that wants to pass them.

use crate::grid::{self, Grid, bits, refused, set};
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, DECIDED, Primer};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::scene::{Board, Form, Ground, Move, Squares, Tint, Token, Viewer};

/// The rules with the size of the board and where and with whom it begins.
pub struct FoxHounds {
    grid: Grid,
    /// The fox's place on the last row, from the left.
    fox: u8,
    first: u8,
}

/// The squares of the hounds, a bit each, the square of the fox, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chase {
    hounds: u64,
    fox: u8,
    mover: u8,
}

const FOX: u8 = 0;
const HOUNDS: u8 = 1;

impl FoxHounds {
    fn dark(&self, at: u8) -> bool {
        (at % self.grid.cols + at / self.grid.cols) % 2 == 1
    }
    fn moves(&self, s: &Chase) -> impl Iterator<Item = (u8, u8)> {
        let ways: &'static [(i8, i8)] =
            if s.mover == FOX { &[(-1, -1), (1, -1), (-1, 1), (1, 1)] } else { &[(-1, 1), (1, 1)] };
        let (grid, taken) = (self.grid, s.hounds | 1 << s.fox);
        let free = move |to: &u8| taken >> to & 1 == 0;
        let to =
            move |from| ways.iter().filter_map(move |&(right, up)| grid.step(from, right, up)).filter(free);
        bits(if s.mover == FOX { 1 << s.fox } else { s.hounds })
            .flat_map(move |from| to(from).map(move |to| (from, to)))
    }
    fn winner(&self, s: &Chase) -> Option<u8> {
        if s.fox < self.grid.cols {
            return Some(FOX);
        }
        self.moves(s).next().is_none().then_some(1 - s.mover)
    }
}

impl Game for FoxHounds {
    type State = Chase;
    /// From which square to which.
    type Action = (u8, u8);

    fn start(&self) -> Chase {
        let hounds = (0..self.grid.cols).filter(|at| self.dark(*at)).fold(0, |all, at| all | 1 << at);
        Chase { hounds, fox: self.grid.cols * (self.grid.rows - 1) + 2 * self.fox, mover: self.first }
    }
    fn turn(&self, s: &Chase) -> Turn {
        if self.winner(s).is_some() { Turn::Terminal } else { Turn::Player(s.mover) }
    }
    fn actions(&self, s: &Chase, out: &mut Vec<(u8, u8)>) {
        out.extend(self.moves(s));
    }
    fn apply(&self, s: &Chase, (from, to): (u8, u8)) -> Chase {
        match s.mover {
            FOX => Chase { fox: to, mover: HOUNDS, ..*s },
            _ => Chase { hounds: s.hounds & !(1 << from) | 1 << to, mover: FOX, ..*s },
        }
    }
    fn utility(&self, s: &Chase, player: u8) -> i32 {
        if self.winner(s) == Some(player) { 1 } else { -1 }
    }
}

impl Describe for FoxHounds {
    fn parse(&self, given: &str) -> Result<Chase, Refusal> {
        let (board, mover) = grid::mover(given)?;
        let squares = self.grid.read(board, "FH.")?;
        let (fox, hounds) = (set(&squares, 0), set(&squares, 1));
        let count = u32::from(self.grid.cols) / 2;
        let on_dark = bits(fox | hounds).all(|at| self.dark(at));
        let over = fox.trailing_zeros() < u32::from(self.grid.cols) && mover == FOX;
        if fox.count_ones() != 1 || hounds.count_ones() != count || !on_dark || over {
            let accepts = Text::of(
                format!(
                    "one F and {count} H, all on dark squares; a fox on the lowest row has just moved there"
                ),
                format!("F が1つ、H が{count}つで、すべて暗いマス。最下段のキツネは今着いたところに限る"),
            );
            return Err(refused(given, accepts));
        }
        Ok(Chase { hounds, fox: fox.trailing_zeros() as u8, mover })
    }
    fn print(&self, s: &Chase) -> Option<String> {
        let sign = |at: u8| match (s.fox == at, s.hounds >> at & 1) {
            (true, _) => 'F',
            (_, 1) => 'H',
            _ => '.',
        };
        Some(format!("{}_{}", self.grid.write(sign), s.mover + 1))
    }
    fn action(&self, _: &Chase, (from, to): (u8, u8)) -> Move {
        let id = format!("{}{}", self.grid.name(from), self.grid.name(to));
        let (from, to) = (Some(self.grid.place(from)), Some(self.grid.place(to)));
        Move { from, to, ..Move::new(id.clone(), Text::same(id)) }
    }
    fn board(&self, s: &Chase, _: &Past<FoxHounds>, _: Viewer) -> Board {
        let mut squares = Squares::new(self.grid.cols, self.grid.rows);
        let dark = (0..self.grid.squares()).filter(|at| self.dark(*at));
        squares.grounds = dark.map(|at| (self.grid.name(at), Ground::Dark)).collect();
        let token = |shape, colour, en, ja| Some(Token::new(shape, colour).text(text(en, ja)));
        self.grid.zone(squares, |at| match (s.fox == at, s.hounds >> at & 1) {
            (true, _) => token(Form::Disc, Tint::Red, "F", "狐"),
            (_, 1) => token(Form::Tile, Tint::White, "H", "犬"),
            _ => None,
        })
    }
    fn players(&self) -> Vec<Text> {
        vec![text("Fox", "キツネ"), text("Hounds", "猟犬")]
    }
    fn repetitions(&self) -> Option<usize> {
        Some(3)
    }
    fn why(&self, s: &Chase) -> Text {
        match s.fox < self.grid.cols {
            true => text("the fox has reached the row the hounds came from", "キツネが猟犬の列に着いた"),
            false if s.mover == FOX => text("the fox is caught: it cannot move", "キツネが動けなくなった"),
            false => text("the hounds cannot move", "猟犬が動けなくなった"),
        }
    }
}

/// The registered game.
pub struct Hunt;

static ABOUT: About = About {
    id: "foxhounds",
    name: text("Fox and hounds", "キツネと猟犬"),
    summary: text(
        "hounds that only go forwards corner a fox, or it slips through",
        "前にしか進めない猟犬がキツネを追い詰める",
    ),
    rules: Primer {
        goal: text(
            "The fox slips through to the lowest row; the hounds corner it.",
            "キツネは最下段まで抜ける。猟犬はキツネを追い詰める。",
        ),
        play: text(
            "All stand on the dark squares of a board and move diagonally to an empty one beside them. The hounds begin on all dark squares of the lowest row and go upwards only, one hound a move; the fox begins on the top row and goes any way. Nothing is taken.",
            "全員が暗いマスの上を斜めに1マスずつ、空いたマスへ動く。猟犬は最下段の暗いマスすべてから始め、上にしか進めない（1手に1匹）。キツネは最上段から始め、どの方向にも動ける。取り合いはない。",
        ),
        end: text(
            "The fox wins if it reaches the lowest row or the hounds cannot move; the hounds win if the fox cannot move. There are no draws.",
            "キツネが最下段に着くか猟犬が動けなければキツネの勝ち、キツネが動けなければ猟犬の勝ち。引き分けはない。",
        ),
        values: DECIDED,
    },
    notation: text(
        "rows from the top, joined by /: F, H or . for each square; then _ and who is to move, 1 (the fox) or 2 (the hounds)",
        "上の段から / で区切る。各マスは F（キツネ）、H（猟犬）、.。最後に _ と手番、1（キツネ）か2（猟犬）",
    ),
    example: "....../.F..../....../....../..H.../.H...H_1",
    eval: text("position (the board), size, fox, first", "position（盤）、size、fox、first"),
    question: r#"{"position":"....../.F..../....../....../..H.../.H...H_1"}"#,
    players: 2,
};

static PARAMS: [Param; 3] = [
    Param::int("size", 4, 8, "6", text("squares on a side of the board, an even number", "盤の一辺（偶数）")),
    Param::int(
        "fox",
        0,
        3,
        "0",
        text("dark squares to the left of the fox at the start", "最初のキツネの左にある暗いマスの数"),
    ),
    Param {
        name: "first",
        domain: Domain::Choice(&[
            ("fox", text("the fox moves first", "キツネが先手")),
            ("hounds", text("the hounds move first", "猟犬が先手")),
        ]),
        default: "fox",
        help: text("who moves first", "先手"),
    },
];

impl Family for Hunt {
    type Game = FoxHounds;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<FoxHounds, Refusal> {
        let [size, fox] = ["size", "fox"].map(|name| settings.int(name) as u8);
        if size % 2 == 1 {
            return Err(Refusal::new("size", size, text("4, 6 or 8", "4、6、8")));
        }
        if fox >= size / 2 {
            let most = size / 2 - 1;
            let accepts = Text::of(
                format!("0 to {most} on a board of {size}"),
                format!("{size}×{size}の盤では0～{most}"),
            );
            return Err(Refusal::new("fox", fox, accepts));
        }
        let first = if settings.word("first") == "fox" { FOX } else { HOUNDS };
        Ok(FoxHounds { grid: Grid { rows: size, cols: size }, fox, first })
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("6 × 6", "6×6"), settings: &[] },
            Variant { name: text("Small: 4 × 4", "小：4×4"), settings: &[("size", "4")] },
            Variant {
                name: text("8 × 8, the usual board", "8×8（普通の盤）"),
                settings: &[("size", "8"), ("fox", "1")],
            },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[("size", "4"), ("fox", "1"), ("first", "hounds")], position: None },
            Sample { settings: &[("size", "4")], position: Some("F.../..../..H./...H_1") },
        ]
    }
}
