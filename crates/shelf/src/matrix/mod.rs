//! Matrix games (行列ゲーム): both choose at the same time, and a table says what the first player gets.

use crate::line::{Line, by_line};
use yomikiri_core::{Game, Hidden, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer};
use yomikiri_games::approach::Approach;
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Given, Sample, Variant};
use yomikiri_games::hidden::PartSeen;
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Item, Mark, Move, Shape, Squares, Token, Viewer, Zone, signed, square};

/// What the first player gets, row by row.
pub struct Matrix {
    payoffs: Vec<Vec<i32>>,
}

/// The row and the column that are chosen. The second player chooses after the first, without seeing the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    row: Option<u8>,
    col: Option<u8>,
}

impl Matrix {
    fn cols(&self) -> u8 {
        self.payoffs[0].len() as u8
    }
}

impl Game for Matrix {
    type State = Choice;
    /// A row or a column.
    type Action = u8;

    fn start(&self) -> Choice {
        Choice { row: None, col: None }
    }
    fn turn(&self, s: &Choice) -> Turn {
        match (s.row, s.col) {
            (None, _) => Turn::Player(0),
            (_, None) => Turn::Player(1),
            _ => Turn::Terminal,
        }
    }
    fn actions(&self, s: &Choice, out: &mut Vec<u8>) {
        out.extend(0..if s.row.is_none() { self.payoffs.len() as u8 } else { self.cols() });
    }
    fn apply(&self, s: &Choice, at: u8) -> Choice {
        if s.row.is_none() { Choice { row: Some(at), ..*s } } else { Choice { col: Some(at), ..*s } }
    }
    fn utility(&self, s: &Choice, player: u8) -> i32 {
        let [row, col] = [s.row, s.col].map(|at| usize::from(at.unwrap_or(0)));
        let first = self.payoffs[row][col];
        if player == 0 { first } else { -first }
    }
}

impl Hidden for Matrix {
    /// Nobody knows anything before both have chosen.
    type Info = ();
    fn info(&self, _: &Choice, _: u8) {}
}

impl Line for Matrix {
    fn line(&self, s: &Choice) -> Vec<u8> {
        [s.row, s.col].into_iter().flatten().collect()
    }
    fn sees(&self, s: &Choice, before: &Choice, _: u8, viewer: Viewer) -> bool {
        s.col.is_some() || viewer == Some(u8::from(before.row.is_some()))
    }
    fn word(&self, before: &Choice, at: u8, seen: bool) -> String {
        let sign = if before.row.is_none() { 'r' } else { 'c' };
        if seen { format!("{sign}{}", at + 1) } else { format!("{sign}?") }
    }
}

impl Describe for Matrix {
    by_line!(ABOUT.notation);
    fn action(&self, s: &Choice, at: u8) -> Move {
        let (id, n) = (self.word(s, at, true), at + 1);
        let (label, cells): (Text, Vec<String>) = match s.row {
            None => (
                Text::of(format!("row {n}"), format!("第{n}行")),
                (0..self.cols()).map(|col| square(col, at)).collect(),
            ),
            Some(_) => (
                Text::of(format!("column {n}"), format!("第{n}列")),
                (0..self.payoffs.len() as u8).map(|row| square(at, row)).collect(),
            ),
        };
        let mut places = cells.into_iter().map(|cell| format!("board/{cell}"));
        Move { on: places.next().into_iter().collect(), also: places.collect(), ..Move::new(id, label) }
    }
    fn board(&self, s: &Choice, _: &Past<Matrix>, _: Viewer) -> Board {
        let cell = |row: u8, col: u8| {
            let name = square(col, row);
            let payoff = self.payoffs[usize::from(row)][usize::from(col)].to_string().replace('-', "−");
            let item = Item::token(name.clone(), Token::letter(Text::same(payoff))).at(name);
            if (s.row, s.col) == (Some(row), Some(col)) { item.mark(Mark::Last) } else { item }
        };
        let rows = self.payoffs.len() as u8;
        let items = (0..rows).flat_map(|row| (0..self.cols()).map(move |col| cell(row, col))).collect();
        let squares = Squares { down: true, ..Squares::new(self.cols(), rows) };
        let label = text("What the first player gets", "先手の得点");
        Board::new(vec![Zone::new("board", Shape::Board(squares), label, items)])
    }
    fn players(&self) -> Vec<Text> {
        vec![text("Rows", "行"), text("Columns", "列")]
    }
    fn measure(&self) -> Measure {
        Measure::Points { name: text("points", "点") }
    }
    fn happened(&self, before: &Choice, at: u8, after: &Choice) -> Text {
        let Some(row) = before.row else { return text("a row is chosen", "行が選ばれた") };
        let (row, col) = (self.words(&self.start(), row), self.words(before, at));
        let gets = self.utility(after, 0);
        Text::of(format!("{} and {}: {gets}", row.en, col.en), format!("{}と{}：{gets}", row.ja, col.ja))
    }
    fn conceals(&self, before: &Choice, _: u8, viewer: Viewer) -> bool {
        before.row.is_none() && viewer != Some(0)
    }
    fn why(&self, s: &Choice) -> Text {
        let gets = self.utility(s, 0);
        let at = |at: Option<u8>| at.unwrap_or(0) + 1;
        Text::of(
            format!("row {} and column {} pay {}", at(s.row), at(s.col), signed(gets)),
            format!("{}行と{}列の利得は {}", at(s.row), at(s.col), signed(gets)),
        )
    }
}

const PAYOFFS: Text = text(
    "whole numbers up to a million joined by commas, rows joined by /, e.g. 2,-1/-1,1; up to 60 rows and 26 columns",
    "100万までの整数をカンマで、行を / で区切る。例：2,-1/-1,1。60行26列まで",
);

/// A table as it is typed.
fn payoffs(given: &str) -> Result<Vec<Vec<i32>>, Refusal> {
    let number = |n: &str| n.trim().parse().ok().filter(|n: &i32| n.abs() <= 1_000_000);
    let row = |row: &str| row.split(',').map(number).collect::<Option<Vec<i32>>>();
    let rows: Option<Vec<Vec<i32>>> = given.split('/').map(row).collect();
    let fits = |rows: &Vec<Vec<i32>>| {
        rows.len() <= 60 && rows[0].len() <= 26 && rows.iter().all(|row| row.len() == rows[0].len())
    };
    rows.filter(fits).ok_or_else(|| Refusal::new("payoffs", format!("\"{given}\""), PAYOFFS))
}

/// The registered game.
pub struct AtOnce;

static ABOUT: About = About {
    id: "matrix",
    name: text("Matrix game", "行列ゲーム"),
    summary: text("both choose at once; a table says who gets what", "同時に選び、表で得点が決まる"),
    rules: Primer {
        goal: text(
            "Choose so that the table pays you as much as possible, whatever the other chooses.",
            "相手が何を選んでも、表の得点がなるべく多くなるように選ぶ。",
        ),
        play: text(
            "One player chooses a row, the other a column, both at the same time. Rock-paper-scissors, matching pennies, Morra and Blotto are such games.",
            "一方が行、他方が列を同時に選ぶ。じゃんけん、硬貨合わせ、モラ、ブロットー大佐のゲームなどがこの形。",
        ),
        end: text(
            "The table says what the first player gets from the second.",
            "表の数だけ先手が後手から得る。",
        ),
        values: text(
            "A value is what the player to move gets on average, if both play by the strategies found here. Beside a move stands how often the strategy makes it.",
            "値は、双方がここで求めた戦略どおりに選ぶときの、手番側が得る点の期待値。手の横に、戦略がその手を選ぶ割合を示す。",
        ),
    },
    notation: text(
        "the row and the column, joined by a dot, e.g. r2.c1; r? for a row that is not known; start before the choice",
        "行と列をドットで区切る。例：r2.c1。知らない行は r?。選ぶ前は start",
    ),
    example: "r?",
    eval: text("position (what is chosen), payoffs", "position（選んだもの）、payoffs"),
    question: r#"{"position":"start","payoffs":"2,-1/-1,1"}"#,
    players: 2,
};

static PARAMS: [Param; 1] = [Param {
    name: "payoffs",
    domain: Domain::Text { accepts: PAYOFFS, check: |given| payoffs(given).map(drop) },
    default: "0,-1,1/1,0,-1/-1,1,0",
    help: text("what the first player gets, rows joined by /", "先手の得点。行を / で区切る"),
}];

impl Family for AtOnce {
    type Game = Matrix;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Matrix, Refusal> {
        Ok(Matrix { payoffs: payoffs(settings.text("payoffs"))? })
    }
    fn approach(&self) -> Option<&'static dyn Approach<Matrix>> {
        Some(&PartSeen)
    }
    fn puzzles(&self) -> Option<Given> {
        // Both choose at once, and mix.
        None
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("Rock-paper-scissors", "じゃんけん"), settings: &[] },
            Variant {
                name: text("Matching pennies", "硬貨合わせ"), settings: &[("payoffs", "1,-1/-1,1")]
            },
            Variant {
                name: text("Morra with two fingers", "2本指のモラ"),
                settings: &[("payoffs", "0,2,-3,0/-2,0,0,3/3,0,0,-4/0,-3,4,0")],
            },
            Variant {
                name: text("Colonel Blotto", "ブロットー大佐"),
                settings: &[("payoffs", "4,2,1,0/1,3,0,-1/-2,2,2,-2/-1,0,3,1/0,1,2,4")],
            },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[], position: None },
            Sample { settings: &[("payoffs", "2,-1/-1,1")], position: Some("r?") },
        ]
    }
}
