//! Three men's morris (三目モリス): three men each are put down, then moved, until three stand in a line.

use crate::grid::{self, Grid, bits, owner, refused, set};
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer, RESULT};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample};
use yomikiri_games::params::Settings;
use yomikiri_view::scene::{Board, Form, Move, Squares, Tiling, Tint, Token, Viewer};

/// The rules.
pub struct Morris;

/// The points of each player, a bit each, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Men {
    own: [u64; 2],
    mover: u8,
}

const GRID: Grid = Grid { cols: 3, rows: 3 };
const LINES: [u64; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const CENTRE: u8 = 4;
/// Where a man comes from that is put down.
const HAND: u8 = 9;

impl Men {
    fn full(self) -> u64 {
        self.own[0] | self.own[1]
    }
    fn line(self, player: u8) -> bool {
        LINES.iter().any(|line| self.own[usize::from(player)] & line == *line)
    }
    fn moves(self) -> impl Iterator<Item = (u8, u8)> {
        let mine = self.own[usize::from(self.mover)];
        let from = if mine.count_ones() < 3 { 1 << HAND } else { mine };
        let to = move |from: u8| {
            bits(!self.full() & GRID.all()).filter(move |to| from == HAND || joined(from, *to))
        };
        bits(from).flat_map(move |from| to(from).map(move |to| (from, to)))
    }
}

/// Whether a line of the board joins two points: side by side, or the centre and a corner.
fn joined(a: u8, b: u8) -> bool {
    let (far_across, far_up) = ((a % 3).abs_diff(b % 3), (a / 3).abs_diff(b / 3));
    far_across + far_up == 1 || (far_across.max(far_up) == 1 && (a == CENTRE || b == CENTRE))
}

impl Game for Morris {
    type State = Men;
    /// Where a man comes from, 9 for the hand, and where it goes.
    type Action = (u8, u8);

    fn start(&self) -> Men {
        Men { own: [0, 0], mover: 0 }
    }
    fn turn(&self, s: &Men) -> Turn {
        if s.line(1 - s.mover) || s.moves().next().is_none() { Turn::Terminal } else { Turn::Player(s.mover) }
    }
    fn actions(&self, s: &Men, out: &mut Vec<(u8, u8)>) {
        out.extend(s.moves());
    }
    fn apply(&self, s: &Men, (from, to): (u8, u8)) -> Men {
        let mut own = s.own;
        let mine = &mut own[usize::from(s.mover)];
        *mine = *mine & !(1 << from) | 1 << to;
        Men { own, mover: 1 - s.mover }
    }
    fn utility(&self, s: &Men, player: u8) -> i32 {
        // Whoever is to move has been beaten, by a line or for want of a move.
        if player == s.mover { -1 } else { 1 }
    }
}

impl Describe for Morris {
    fn parse(&self, given: &str) -> Result<Men, Refusal> {
        let (board, mover) = grid::mover(given)?;
        let points = GRID.read(board, "XO.")?;
        let s = Men { own: [set(&points, 0), set(&points, 1)], mover };
        let [x, o] = s.own.map(u64::count_ones);
        let counted = match (x, o) {
            (3, 3) => true,
            (x, o) => x < 4 && x == o + u32::from(mover),
        };
        if !counted || s.line(mover) {
            let accepts = text(
                "three X and three O, or fewer as they are put down in turn, X first; nobody moves after a line",
                "X と O が3つずつ、または X から交互に置いた途中。並んだ後は指せない",
            );
            return Err(refused(given, accepts));
        }
        Ok(s)
    }
    fn print(&self, s: &Men) -> Option<String> {
        let board = GRID.write(|at| owner(&s.own, at).map_or('.', |p| ['X', 'O'][p]));
        Some(format!("{board}_{}", s.mover + 1))
    }
    fn action(&self, _: &Men, (from, to): (u8, u8)) -> Move {
        if from == HAND {
            let id = GRID.name(to);
            return Move { on: vec![GRID.place(to)], ..Move::new(id.clone(), Text::same(id)) };
        }
        let id = format!("{}{}", GRID.name(from), GRID.name(to));
        let (from, to) = (Some(GRID.place(from)), Some(GRID.place(to)));
        Move { from, to, ..Move::new(id.clone(), Text::same(id)) }
    }
    fn board(&self, s: &Men, _: &Past<Morris>, _: Viewer) -> Board {
        let token =
            |p: usize| Token::new(Form::Disc, [Tint::Black, Tint::White][p]).text(Text::same(["X", "O"][p]));
        let squares = Squares { tiling: Tiling::Points, ..Squares::new(3, 3) };
        GRID.zone(squares, |at| owner(&s.own, at).map(token))
    }
    fn players(&self) -> Vec<Text> {
        vec![text("Black (X)", "黒（X）"), text("White (O)", "白（O）")]
    }
    fn repetitions(&self) -> Option<usize> {
        Some(3)
    }
    fn why(&self, s: &Men) -> Text {
        match s.line(1 - s.mover) {
            true => text("three in a row", "3つ並んだ"),
            false => text("the other side cannot move", "相手が動けない"),
        }
    }
}

/// The registered game.
pub struct ThreeMen;

static ABOUT: About = About {
    id: "morris",
    name: text("Three men's morris", "三目モリス"),
    summary: text("put down three men, then move them into a line", "3つの駒を置き、動かして一列に並べる"),
    rules: Primer {
        goal: text(
            "Get your three men in a row, a column or a diagonal.",
            "自分の3つの駒を縦・横・斜めに並べる。",
        ),
        play: text(
            "The board has nine points. Players take turns to put their three men on empty points; then a move takes one man to an empty point beside it, along a row or column or between the centre and a corner.",
            "盤は9つの点。交互に3つずつ駒を置き、その後は駒を1つ、隣の空いた点（縦・横、中央と角の間は斜めも）に動かす。",
        ),
        end: text(
            "Three in a line win at once, also while men are put down. Who cannot move loses. Endless play is a draw.",
            "三つ並べば（置く間でも）勝ち。動けない方は負け。終わらなければ引き分け。",
        ),
        values: RESULT,
    },
    notation: text(
        "three rows from the top, joined by /: X, O or . for each point; then _ and the player to move, 1 or 2",
        "上の段から / で区切った3段。各点は X、O、.。最後に _ と手番（1か2）",
    ),
    example: "..O/.X./..._1",
    eval: text("position (the board)", "position（盤）"),
    question: r#"{"position":"..O/.X./..._1"}"#,
    players: 2,
};

impl Family for ThreeMen {
    type Game = Morris;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn game(&self, _: &Settings, _: u64) -> Result<Morris, Refusal> {
        Ok(Morris)
    }
    fn samples(&self) -> &'static [Sample] {
        &[Sample { settings: &[], position: None }, Sample { settings: &[], position: Some("XO./OX./.OX_2") }]
    }
}
