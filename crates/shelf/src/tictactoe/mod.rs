//! Tic-tac-toe (三目並べ): three in a row on a board of nine squares.

use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer, RESULT};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::Family;
use yomikiri_games::params::Settings;
use yomikiri_view::scene::{Board, Form, Item, Move, Shape, Squares, Tint, Token, Viewer, Zone, square};

/// The rules.
pub struct TicTacToe;

/// The squares of each player, a bit each, from a1 to the right and upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Marks([u16; 2]);

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const SIGNS: [char; 2] = ['X', 'O'];

impl Marks {
    fn full(self) -> u16 {
        self.0[0] | self.0[1]
    }
    fn winner(self) -> Option<u8> {
        (0..2).find(|&p| LINES.iter().any(|line| self.0[usize::from(p)] & line == *line))
    }
    fn sign(self, at: u8) -> Option<char> {
        (0..2).find(|&p| self.0[p] >> at & 1 == 1).map(|p| SIGNS[p])
    }
}

impl Game for TicTacToe {
    type State = Marks;
    type Action = u8;

    fn start(&self) -> Marks {
        Marks([0, 0])
    }
    fn turn(&self, s: &Marks) -> Turn {
        if s.winner().is_some() || s.full() == 0o777 {
            return Turn::Terminal;
        }
        Turn::Player((s.full().count_ones() % 2) as u8)
    }
    fn actions(&self, s: &Marks, out: &mut Vec<u8>) {
        out.extend((0..9).filter(|at| s.full() >> at & 1 == 0));
    }
    fn apply(&self, s: &Marks, at: u8) -> Marks {
        let mut marks = *s;
        marks.0[(s.full().count_ones() % 2) as usize] |= 1 << at;
        marks
    }
    fn utility(&self, s: &Marks, player: u8) -> i32 {
        s.winner().map_or(0, |winner| if winner == player { 1 } else { -1 })
    }
}

impl Describe for TicTacToe {
    fn parse(&self, given: &str) -> Result<Marks, Refusal> {
        let refuse = || Refusal::new("board", format!("\"{given}\""), ABOUT.notation.clone());
        let rows: Vec<Vec<char>> = given.trim().split('/').map(|row| row.chars().collect()).collect();
        if rows.len() != 3 || rows.iter().any(|row| row.len() != 3) {
            return Err(refuse());
        }
        let mut marks = Marks([0, 0]);
        for (at, sign) in (0..9u8).zip(rows.iter().rev().flatten()) {
            match SIGNS.iter().position(|s| s.eq_ignore_ascii_case(sign)) {
                Some(player) => marks.0[player] |= 1 << at,
                None if *sign == '.' => {}
                None => return Err(refuse()),
            }
        }
        // Crosses begin, and nobody goes on after the end.
        let [x, o] = marks.0.map(u16::count_ones);
        let ended = |p: usize| LINES.iter().any(|line| marks.0[p] & line == *line);
        if x < o || x > o + 1 || (ended(0) && x == o) || (ended(1) && x > o) {
            let accepts = text(
                "as many X as O, or one more; nobody moves after three in a row",
                "×と○は同数か×が1つ多い。三つ並んだ後は指せない",
            );
            return Err(Refusal::new("board", format!("\"{given}\""), accepts));
        }
        Ok(marks)
    }
    fn print(&self, s: &Marks) -> Option<String> {
        let row = |row: u8| (0..3).map(|col| s.sign(3 * row + col).unwrap_or('.')).collect::<String>();
        Some([row(2), row(1), row(0)].join("/"))
    }
    fn action(&self, _: &Marks, at: u8) -> Move {
        let id = square(at % 3, at / 3);
        Move { on: vec![format!("board/{id}")], ..Move::new(id.clone(), Text::same(id)) }
    }
    fn board(&self, s: &Marks, _: &Past<TicTacToe>, _: Viewer) -> Board {
        let sign = |at: u8| {
            let (shape, colour) = match s.sign(at)? {
                'X' => (Form::Cross, Tint::Blue),
                _ => (Form::Ring, Tint::Red),
            };
            let (id, token) = (square(at % 3, at / 3), Token { shape, colour, ..Token::default() });
            Some(Item::token(id.clone(), token).at(id))
        };
        let shape = Shape::Board(Squares { cols: 3, rows: 3, ..Squares::default() });
        Board::new(vec![Zone::new("board", shape, Text::default(), (0..9).filter_map(sign).collect())])
    }
    fn players(&self) -> Vec<Text> {
        vec![text("Crosses", "×"), text("Noughts", "○")]
    }
    fn why(&self, s: &Marks) -> Text {
        match s.winner() {
            Some(_) => text("three in a row", "3つ並んだ"),
            None => text("the board is full, and nobody has three in a row", "盤が埋まり、3つ並ばなかった"),
        }
    }
}

/// The registered game.
pub struct NineSquares;

static ABOUT: About = About {
    id: "tictactoe",
    name: text("Tic-tac-toe", "三目並べ"),
    summary: text("three in a row on nine squares: a draw", "9マスで先に三つ並べる：引き分け"),
    rules: Primer {
        goal: text(
            "Get three of your signs in a row, a column or a diagonal.",
            "自分の印を縦・横・斜めに三つ並べる。",
        ),
        play: text(
            "Players take turns to put their sign on an empty square, crosses first.",
            "×から交互に、空いたマスに自分の印を置く。",
        ),
        end: text(
            "Three in a line win at once; a full board is a draw.",
            "三つ並べれば勝ち。埋まれば引き分け。",
        ),
        values: RESULT,
    },
    notation: text(
        "three rows from the top, joined by /: X, O or . for each square",
        "上の段から / で区切った3段。各マスは X、O、.",
    ),
    example: "X.O/.X./..O",
    eval: text("position (the board)", "position（盤）"),
    question: r#"{"position":"X.O/.X./..O"}"#,
    players: 2,
};

impl Family for NineSquares {
    type Game = TicTacToe;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn game(&self, _: &Settings, _: u64) -> Result<TicTacToe, Refusal> {
        Ok(TicTacToe)
    }
}
