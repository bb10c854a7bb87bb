//! Othello (オセロ) on small boards: discs between a new one and another of its colour change sides.

use crate::grid::{self, Grid, bits, owner, refused, set};
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer};
use yomikiri_games::approach::Approach;
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::params::{Param, Settings};
use yomikiri_games::searched::Searchable;
use yomikiri_solve::minimax::Contest;
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Form, Move, Tint, Token, Viewer};

/// The rules with the size of the board.
pub struct Othello {
    grid: Grid,
    /// The squares at the left and at the right end.
    left: u64,
    right: u64,
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
/// Squares up to which all positions are kept.
const KEPT: u8 = 16;

impl Othello {
    fn new(grid: Grid) -> Othello {
        Othello { grid, left: grid.column(0), right: grid.column(grid.cols - 1) }
    }
    /// Squares moved by one to the right or left and up or down; those that leave the board are gone.
    fn shifted(&self, set: u64, (right, up): (i8, i8)) -> u64 {
        let stays = match right {
            1 => set & !self.right,
            -1 => set & !self.left,
            _ => set,
        };
        let by = i32::from(up) * i32::from(self.grid.cols) + i32::from(right);
        let moved = if by < 0 { stays >> -by } else { stays << by };
        moved & self.grid.all()
    }
    /// The squares on which a player can put a disc.
    fn moves(&self, s: &Discs, player: u8) -> u64 {
        let (mine, other) = (s.own[usize::from(player)], s.own[usize::from(1 - player)]);
        let along = |way: &(i8, i8)| {
            let (mut now, mut line) = (self.shifted(mine, *way) & other, 0);
            while now != 0 {
                line |= now;
                now = self.shifted(now, *way) & other;
            }
            self.shifted(line, *way) & !(mine | other)
        };
        WAYS.iter().map(along).fold(0, |all, squares| all | squares)
    }
    /// The discs that change sides if a player puts one on a square.
    fn turned(&self, s: &Discs, at: u8) -> u64 {
        let (mine, other) = (s.own[usize::from(s.mover)], s.own[usize::from(1 - s.mover)]);
        let along = |way: &(i8, i8)| {
            let (mut now, mut between) = (self.shifted(1 << at, *way), 0);
            while now & other != 0 {
                between |= now;
                now = self.shifted(now, *way);
            }
            if now & mine != 0 { between } else { 0 }
        };
        WAYS.iter().map(along).fold(0, |all, between| all | between)
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
        if self.moves(s, s.mover) | self.moves(s, 1 - s.mover) != 0 {
            Turn::Player(s.mover)
        } else {
            Turn::Terminal
        }
    }
    fn actions(&self, s: &Discs, out: &mut Vec<u8>) {
        out.extend(bits(self.moves(s, s.mover)));
        if out.is_empty() {
            out.push(PASS);
        }
    }
    fn apply(&self, s: &Discs, at: u8) -> Discs {
        let mut own = s.own;
        if at != PASS {
            let turned = self.turned(s, at);
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

impl Contest for Othello {
    type Place = [u64; 2];

    /// A board is worth the same turned upside down.
    fn place(&self, s: &Discs) -> Option<[u64; 2]> {
        Some(s.own.min(s.own.map(|own| self.grid.half_turned(own))))
    }
    fn bounds(&self, _: &Discs) -> (i32, i32) {
        let all = i32::from(self.grid.squares());
        (-all, all)
    }
    /// Those first that leave the other player the fewest squares.
    fn candidates(&self, s: &Discs, out: &mut Vec<u8>) {
        self.actions(s, out);
        out.sort_by_cached_key(|&at| self.moves(&self.apply(s, at), 1 - s.mover).count_ones());
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
        let also = bits(self.turned(s, at)).map(|at| self.grid.name(at)).collect();
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
    fn why(&self, s: &Discs) -> Text {
        let [first, second] = s.own.map(u64::count_ones);
        Text::of(format!("{first} discs to {second}"), format!("石は{first}対{second}"))
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
    rules: Primer {
        goal: text(
            "Have more discs of your colour than the other in the end.",
            "最後に自分の石を相手より多くする。",
        ),
        play: text(
            "Players take turns to put a disc on an empty square so that discs of the other colour lie in an unbroken line between it and another disc of one's own; all discs so enclosed, in every direction, change colour. Who has no such move passes.",
            "交互に、相手の石を自分の石ではさむように石を置き、はさんだ石を（全方向で）返す。置ける所がなければパス。",
        ),
        end: text(
            "When neither has a move the game is over. Discs are counted; empty squares count for nobody.",
            "双方置けなければ終わり。石を数え、空きマスは数えない。",
        ),
        values: text(
            "A value is the discs that the player to move will have more than the other in the end, if both play their best.",
            "値は、双方最善のときの手番側の最後の石差（自分−相手）。",
        ),
    },
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
        Ok(Othello::new(Grid { rows: even("rows")?, cols: even("cols")? }))
    }
    fn approach(&self) -> Option<&'static dyn Approach<Othello>> {
        Some(&Searchable { large: |game: &Othello| game.grid.squares() > KEPT })
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("4 × 4", "4×4"), settings: &[] },
            Variant { name: text("4 × 6", "4×6"), settings: &[("cols", "6")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[], position: None },
            Sample { settings: &[("rows", "2")], position: None },
            Sample { settings: &[], position: Some("OO../XOX./.XOO/..X._1") },
        ]
    }
}
