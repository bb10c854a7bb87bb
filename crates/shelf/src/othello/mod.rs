//! Othello (オセロ) on small boards: discs between a new one and another of its colour change sides.

use crate::grid::{self, Grid, bits, owner, refused, set};
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::About;
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample};
use yomikiri_games::params::{Param, Settings};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Form, Move, Tint, Token, Viewer};

/// The rules with the size of the board.
pub struct Othello {
    grid: Grid,
}

/// The squares of each player, a bit each, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Discs {
    own: [u64; 2],
    mover: u8,
}

/// The action of a player who cannot put a disc anywhere.
const PASS: u8 = u8::MAX;
const WAYS: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

impl Othello {
    /// The discs that change sides if a player puts one on a square; none if that is no move.
    fn turned(&self, s: &Discs, player: u8, at: u8) -> u64 {
        let (mine, other) = (s.own[usize::from(player)], s.own[usize::from(1 - player)]);
        if (mine | other) >> at & 1 == 1 {
            return 0;
        }
        let along = |&(right, up): &(i8, i8)| {
            let (mut between, mut now) = (0, at);
            while let Some(next) = self.grid.step(now, right, up) {
                match (other >> next & 1, mine >> next & 1) {
                    (1, _) => between |= 1u64 << next,
                    (_, 1) => return between,
                    _ => return 0,
                }
                now = next;
            }
            0
        };
        WAYS.iter().map(along).fold(0, |all, between| all | between)
    }
    fn can_move(&self, s: &Discs, player: u8) -> bool {
        (0..self.grid.squares()).any(|at| self.turned(s, player, at) != 0)
    }
}

impl Game for Othello {
    type State = Discs;
    /// A square, or the pass of who has none.
    type Action = u8;

    fn start(&self) -> Discs {
        let Grid { cols, rows } = self.grid;
        let corner = (rows / 2 - 1) * cols + cols / 2 - 1;
        let [low, high] = [corner, corner + cols].map(|at| [1u64 << at, 1 << (at + 1)]);
        Discs { own: [low[0] | high[1], low[1] | high[0]], mover: 0 }
    }
    fn turn(&self, s: &Discs) -> Turn {
        if self.can_move(s, s.mover) || self.can_move(s, 1 - s.mover) {
            Turn::Player(s.mover)
        } else {
            Turn::Terminal
        }
    }
    fn actions(&self, s: &Discs, out: &mut Vec<u8>) {
        out.extend((0..self.grid.squares()).filter(|at| self.turned(s, s.mover, *at) != 0));
        if out.is_empty() {
            out.push(PASS);
        }
    }
    fn apply(&self, s: &Discs, at: u8) -> Discs {
        let mut own = s.own;
        if at != PASS {
            let turned = self.turned(s, s.mover, at);
            own[usize::from(s.mover)] |= turned | 1 << at;
            own[usize::from(1 - s.mover)] &= !turned;
        }
        Discs { own, mover: 1 - s.mover }
    }
    fn utility(&self, s: &Discs, player: u8) -> i32 {
        let [first, second] = s.own.map(|own| own.count_ones() as i32);
        if player == 0 { first - second } else { second - first }
    }
}

impl Describe for Othello {
    fn parse(&self, given: &str) -> Result<Discs, Refusal> {
        let (board, mover) = grid::mover(given)?;
        let squares = self.grid.read(board, "XO.")?;
        let s = Discs { own: [set(&squares, 0), set(&squares, 1)], mover };
        // The squares in the middle are never empty again.
        let centre = self.start().own;
        if (centre[0] | centre[1]) & !(s.own[0] | s.own[1]) != 0 {
            let accepts =
                text("a board with discs on the four squares in the middle", "中央の4マスに円盤がある盤");
            return Err(refused(given, accepts));
        }
        Ok(s)
    }
    fn print(&self, s: &Discs) -> Option<String> {
        let board = self.grid.write(|at| owner(&s.own, at).map_or('.', |p| ['X', 'O'][p]));
        Some(format!("{board}_{}", s.mover + 1))
    }
    fn action(&self, s: &Discs, at: u8) -> Move {
        if at == PASS {
            return Move::new("pass", text("pass", "パス"));
        }
        let id = self.grid.name(at);
        let also = bits(self.turned(s, s.mover, at)).map(|at| self.grid.name(at)).collect();
        Move { on: vec![self.grid.place(at)], also, ..Move::new(id.clone(), Text::same(id)) }
    }
    fn board(&self, s: &Discs, _: &Past<Othello>, _: Viewer) -> Board {
        let token =
            |p: usize| Token::new(Form::Disc, [Tint::Black, Tint::White][p]).text(Text::same(["X", "O"][p]));
        self.grid.board(|at| owner(&s.own, at).map(token))
    }
    fn players(&self) -> Vec<Text> {
        vec![text("Black (X)", "黒（X）"), text("White (O)", "白（O）")]
    }
    fn measure(&self) -> Measure {
        Measure::Points { name: text("discs", "石差") }
    }
}

/// The registered game.
pub struct Reversi;

static ABOUT: About = About {
    id: "othello",
    name: text("Othello", "オセロ"),
    summary: text(
        "enclose the other's discs; most discs win: small boards",
        "相手の石をはさんで返す。多い方が勝ち：小さな盤",
    ),
    rules: text(
        "Players take turns to put a disc on an empty square so that discs of the other colour lie in an unbroken line between it and another disc of one's own; all discs so enclosed, in every direction, change colour. Who has no such move passes. When neither has one the game is over: the value is one's own discs less the other's; empty squares count for nobody.",
        "交互に、相手の石を自分の石ではさむように石を置き、はさんだ石を（全方向で）返す。置ける所がなければパス。双方置けなければ終わり。値は自分の石数−相手の石数で、空きマスは数えない。",
    ),
    notation: text(
        "rows from the top, joined by /: X (Black), O (White) or . for each square; then _ and the player to move, 1 or 2",
        "上の段から / で区切る。各マスは X（黒）、O（白）、.。最後に _ と手番（1か2）",
    ),
    example: ".X../.XX./.XO./...._2",
    eval: text("position (the board), rows, cols", "position（盤）、rows、cols"),
    question: r#"{"position":".X../.XX./.XO./...._2"}"#,
    players: 2,
};

static PARAMS: [Param; 2] = [
    Param::int("rows", 2, 8, "4", text("rows of the board, an even number", "段の数（偶数）")),
    Param::int("cols", 2, 8, "4", text("columns of the board, an even number", "列の数（偶数）")),
];

impl Family for Reversi {
    type Game = Othello;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Othello, Refusal> {
        let even = |name: &str| match settings.int(name) {
            n if n % 2 == 0 => Ok(n as u8),
            n => Err(Refusal::new(name, n, text("an even number from 2 to 8", "2～8の偶数"))),
        };
        Ok(Othello { grid: Grid { rows: even("rows")?, cols: even("cols")? } })
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[], position: None },
            Sample { settings: &[("rows", "2")], position: None },
            Sample { settings: &[], position: Some("OO../XOX./.XOO/..X._1") },
        ]
    }
}
