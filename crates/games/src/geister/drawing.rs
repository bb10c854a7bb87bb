//! Boards and lines of play as text.

use super::analysis::{Rules, Solved, Test};
use super::board::{Board, Position, Set};
use super::notation::{self, letter};
use yomikiri_core::{Game, Text, text};

/// Boards beside each other.
const ACROSS: usize = 6;
/// Moves of a line at most.
const LONGEST: usize = 60;

/// The lines of a board, files below and ranks at the left; a dot at the right of the player to move.
pub fn lines(board: &Board, p: &Position, marks: Set) -> Vec<String> {
    let (width, height) = (u32::from(board.width), u32::from(board.height));
    let mut lines: Vec<String> = (0..height)
        .rev()
        .map(|rank| {
            let squares = (0..width).map(|file| {
                let square = rank * width + file;
                let mark = if marks >> square & 1 == 1 { '*' } else { '.' };
                format!(" {}", letter(&p.sides, square).unwrap_or(mark))
            });
            let to_move = rank == if p.turn == 0 { 0 } else { height - 1 };
            format!("{}{} {}", rank + 1, squares.collect::<String>(), if to_move { "•" } else { " " })
        })
        .collect();
    let files: String = (0..board.width).map(|file| format!(" {}", char::from(b'a' + file))).collect();
    lines.push(format!(" {files}  "));
    lines
}

/// A board on its own.
pub fn board(board: &Board, p: &Position, marks: Set) -> Text {
    Text::same(lines(board, p, marks).join("\n"))
}

/// How a line of play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A test decides it.
    Test(Test),
    /// A position comes again: it goes on for ever.
    Again,
    /// Nobody can move.
    Stuck,
}

/// A line of best play: the positions with the moves between them, and how it ends.
pub struct Line {
    /// Each position with the move played in it; the last has the deciding move, if any.
    pub steps: Vec<(Position, Option<String>)>,
    /// How it ends.
    pub end: End,
}

/// The line of best play from a position: the side that gets its way hurries, the other delays, both take
/// the first of their best moves.
pub fn line(solved: &Solved, from: &Position) -> Line {
    let rules: &Rules = &solved.rules;
    let mut steps: Vec<(Position, Option<String>)> = Vec::new();
    let mut now = *from;
    loop {
        if let Some(test) = rules.test(&now) {
            let decided = rules.acts(&now).into_iter().find(|(_, test)| test.is_some());
            steps.push((now, decided.map(|(act, _)| notation::act(&rules.board, act))));
            return Line { steps, end: End::Test(test) };
        }
        let again = steps.iter().any(|s| s.0 == now) || steps.len() >= LONGEST;
        let best = solved.best(&now);
        let Some(best) = best.filter(|_| !again) else {
            steps.push((now, None));
            return Line { steps, end: if best.is_some() { End::Again } else { End::Stuck } };
        };
        steps.push((now, Some(notation::step(&rules.board, best))));
        now = rules.apply(&now, best);
    }
}

impl Line {
    /// The boards of the line, several beside each other, each over the move played in it.
    pub fn draw(&self, board: &Board) -> Text {
        let wide = 2 * usize::from(board.width) + 4;
        let mut rows = Vec::new();
        for (row, group) in self.steps.chunks(ACROSS).enumerate() {
            let boards: Vec<Vec<String>> = group
                .iter()
                .enumerate()
                .map(|(i, (p, name))| {
                    let mut lines = lines(board, p, 0);
                    let number = row * ACROSS + i + 1;
                    lines.push(name.as_ref().map_or_else(String::new, |name| format!("{number}. {name}")));
                    lines
                })
                .collect();
            for i in 0..boards[0].len() {
                let line: String = boards.iter().map(|b| format!("{:<wide$}  ", b[i])).collect();
                rows.push(line.trim_end().to_owned());
            }
            rows.push(String::new());
        }
        rows.pop();
        Text::same(rows.join("\n"))
    }

    /// How it ends, in words.
    pub fn ending(&self) -> Text {
        match self.end {
            End::Test(test) => {
                let player = self.steps.last().map_or(1, |s| s.0.turn + 1);
                let word = test.word();
                Text::of(
                    format!("Player {player} {}.", word.en),
                    format!("プレイヤー{player}：{}。", word.ja),
                )
            }
            End::Again => text(
                "The last position has been there before: best play goes on for ever, payoff 0.",
                "最後の局面は既出：最善を尽くすと千日手（利得0）。",
            ),
            End::Stuck => text("No move is left: payoff 0.", "動かせる駒がない：利得0。"),
        }
    }
}
