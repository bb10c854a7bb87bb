//! Connect Four (四目並べ) on any small board: discs fall to the lowest free square of a column; a line of four wins.

use crate::grid::{Grid, owner, refused, set};
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer, RESULT};
use yomikiri_games::approach::Approach;
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::params::{Param, Settings};
use yomikiri_games::searched::Searchable;
use yomikiri_solve::minimax::Contest;
use yomikiri_view::scene::{Board, Form, Move, Tint, Token, Viewer};

/// The rules with the size of the board and the length of a line.
pub struct ConnectFour {
    grid: Grid,
    /// Every line that wins.
    lines: Vec<u64>,
    /// The squares of the first column; the lowest has the lowest bit.
    column: u64,
}

/// Squares up to which all positions are kept.
const KEPT: u8 = 20;

/// The squares of each player, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Discs([u64; 2]);

impl Discs {
    fn full(self) -> u64 {
        self.0[0] | self.0[1]
    }
    fn mover(self) -> usize {
        (self.full().count_ones() % 2) as usize
    }
}

impl ConnectFour {
    /// The rules for a board of some columns and rows, and lines of some length.
    pub fn new(cols: u8, rows: u8, length: u8) -> ConnectFour {
        let grid = Grid { cols, rows };
        let line = |(at, right, up): (u8, i8, i8)| {
            let squares = (0..length as i8).map(|n| grid.step(at, n * right, n * up));
            squares.map(|at| at.map(|at| 1u64 << at)).try_fold(0, |line, square| Some(line | square?))
        };
        let ways = [(1, 0), (0, 1), (1, 1), (-1, 1)];
        let all = (0..grid.squares()).flat_map(|at| ways.map(|(right, up)| (at, right, up)));
        let column = (0..rows).map(|row| 1 << (row * cols)).sum();
        ConnectFour { grid, lines: all.filter_map(line).collect(), column }
    }
    fn wins(&self, discs: u64) -> bool {
        self.lines.iter().any(|line| discs & line == *line)
    }
    /// The square a disc falls to.
    fn lowest(&self, s: &Discs, col: u8) -> Option<u8> {
        let free = (self.column << col) & !s.full();
        (free != 0).then(|| free.trailing_zeros() as u8)
    }
}

impl Game for ConnectFour {
    type State = Discs;
    /// A column.
    type Action = u8;

    fn start(&self) -> Discs {
        Discs([0, 0])
    }
    fn turn(&self, s: &Discs) -> Turn {
        // Whoever is to move has not made the last line.
        if s.full() == self.grid.all() || self.wins(s.0[1 - s.mover()]) {
            return Turn::Terminal;
        }
        Turn::Player(s.mover() as u8)
    }
    fn actions(&self, s: &Discs, out: &mut Vec<u8>) {
        out.extend((0..self.grid.cols).filter(|col| self.lowest(s, *col).is_some()));
    }
    fn apply(&self, s: &Discs, col: u8) -> Discs {
        let mut after = *s;
        if let Some(at) = self.lowest(s, col) {
            after.0[s.mover()] |= 1 << at;
        }
        after
    }
    fn utility(&self, s: &Discs, player: u8) -> i32 {
        let [mine, other] = [player, 1 - player].map(|p| self.wins(s.0[usize::from(p)]));
        i32::from(mine) - i32::from(other)
    }
}

impl Contest for ConnectFour {
    type Place = [u64; 2];

    /// A board and its mirror image are worth the same.
    fn place(&self, s: &Discs) -> Option<[u64; 2]> {
        Some(s.0.min(s.0.map(|own| self.grid.mirrored(own))))
    }
    fn bounds(&self, _: &Discs) -> (i32, i32) {
        (-1, 1)
    }
    /// A line at once, or where the other would make one; otherwise the middle first.
    fn candidates(&self, s: &Discs, out: &mut Vec<u8>) {
        self.actions(s, out);
        let mover = s.mover();
        for owner in [mover, 1 - mover] {
            let wins = |col: &u8| self.lowest(s, *col).is_some_and(|at| self.wins(s.0[owner] | 1 << at));
            if let Some(col) = out.iter().copied().find(wins) {
                out.clear();
                out.push(col);
                return;
            }
        }
        out.sort_by_key(|col| (2 * col + 1).abs_diff(self.grid.cols));
    }
}

impl Describe for ConnectFour {
    fn parse(&self, given: &str) -> Result<Discs, Refusal> {
        let squares = self.grid.read(given, "XO.")?;
        let s = Discs([set(&squares, 0), set(&squares, 1)]);
        let [x, o] = s.0.map(u64::count_ones);
        let hangs = (s.full() >> self.grid.cols) & !s.full() != 0;
        if hangs || x < o || x > o + 1 || self.wins(s.0[s.mover()]) {
            let accepts = text(
                "as many X as O, or one more, none with an empty square below; nobody moves after a line",
                "X と O は同数か X が1つ多く、下に空きがない。並んだ後は指せない",
            );
            return Err(refused(given, accepts));
        }
        Ok(s)
    }
    fn print(&self, s: &Discs) -> Option<String> {
        Some(self.grid.write(|at| owner(&s.0, at).map_or('.', |p| ['X', 'O'][p])))
    }
    fn action(&self, s: &Discs, col: u8) -> Move {
        let id = char::from(b'a' + col).to_string();
        let on = self.lowest(s, col).map(|at| self.grid.place(at)).into_iter().collect();
        Move { on, ..Move::new(id.clone(), Text::of(format!("column {id}"), format!("{id}列"))) }
    }
    fn board(&self, s: &Discs, _: &Past<ConnectFour>, _: Viewer) -> Board {
        let token =
            |p: usize| Token::new(Form::Disc, [Tint::Red, Tint::Yellow][p]).text(Text::same(["X", "O"][p]));
        self.grid.board(|at| owner(&s.0, at).map(token))
    }
    fn players(&self) -> Vec<Text> {
        vec![text("Red (X)", "赤（X）"), text("Yellow (O)", "黄（O）")]
    }
    fn why(&self, s: &Discs) -> Text {
        let length = self.lines.first().map_or(0, |line| line.count_ones());
        match s.0.iter().any(|own| self.wins(*own)) {
            true => Text::of(format!("{length} in a row"), format!("{length}つ並んだ")),
            false => text("the board is full, and nobody has a line", "盤が埋まり、誰も並ばなかった"),
        }
    }
}

/// The registered game.
pub struct Columns;

static ABOUT: About = About {
    id: "connectfour",
    name: text("Connect Four", "四目並べ（コネクトフォー）"),
    summary: text("discs fall into columns; four in a line win", "列に円盤を落とし、四つ並べれば勝ち"),
    rules: Primer {
        goal: text(
            "Get four of your discs in an unbroken line: along a row, a column or a diagonal.",
            "縦・横・斜めに自分の円盤を四つ続けて並べる。",
        ),
        play: text(
            "Players take turns to drop a disc into a column that is not full; it falls to the lowest free square. The board and the length of the line can be chosen.",
            "交互に、空きのある列に円盤を落とす。円盤は一番下の空きマスに入る。盤の大きさと並べる数は変えられる。",
        ),
        end: text(
            "The first line wins at once. A full board is a draw.",
            "先に並べれば勝ち。埋まれば引き分け。",
        ),
        values: RESULT,
    },
    notation: text(
        "rows from the top, joined by /: X, O or . for each square",
        "上の段から / で区切る。各マスは X、O、.",
    ),
    example: "..../..../.O../XXO.",
    eval: text("position (the board), cols, rows, line", "position（盤）、cols、rows、line"),
    question: r#"{"position":"..../..../.O../XXO."}"#,
    players: 2,
};

static PARAMS: [Param; 3] = [
    Param::int("cols", 1, 8, "4", text("columns of the board", "列の数")),
    Param::int("rows", 1, 8, "4", text("rows of the board", "段の数")),
    Param::int("line", 1, 8, "4", text("discs in a line that win", "並べる数")),
];

impl Family for Columns {
    type Game = ConnectFour;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<ConnectFour, Refusal> {
        let [cols, rows, line] = ["cols", "rows", "line"].map(|name| settings.int(name) as u8);
        Ok(ConnectFour::new(cols, rows, line))
    }
    fn approach(&self) -> Option<&'static dyn Approach<ConnectFour>> {
        Some(&Searchable { large: |game: &ConnectFour| game.grid.squares() > KEPT })
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("Four columns", "4列4段"), settings: &[] },
            Variant { name: text("Three in a line", "三つ並べ"), settings: &[("line", "3")] },
            Variant { name: text("Five columns", "5列4段"), settings: &[("cols", "5")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[("cols", "3"), ("line", "3")], position: None },
            Sample { settings: &[], position: Some("..../.O../.X../XOX.") },
        ]
    }
}
