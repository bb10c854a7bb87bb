//! Positions in words: `2v2-basic_1_.pp./..../..../.PP.`: the analysis, whose turn it is, and the board.
//!
//! Ranks come from the top and are separated by `/`. Upper case is player 1, lower case player 2; B, R and
//! P are blue, red and hidden. The board's size is that of the text. Parts are joined by `_` or a space and
//! may be left out where something else tells them.

use super::analysis::{Act, Kind, Step, distance, value};
use super::board::{Board, Colour, Position, SIDES, Side};
use super::kind::BELIEF;
use super::space::Material;
use yomikiri_core::{Refusal, Text, text};
use yomikiri_solve::retrograde::GameValue;

/// A position as written, with the board it stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The analysis, if it is named.
    pub kind: Option<Kind>,
    /// 0 or 1, if it is told.
    pub turn: Option<u8>,
    /// The board.
    pub board: Board,
    /// The pieces of both.
    pub sides: [Side; 2],
}

/// The names of all analyses.
pub fn names() -> Text {
    Text::same(Kind::ALL.map(Kind::id).join(", "))
}

/// Reads the name of an analysis.
///
/// # Errors
/// What is not accepted is refused by the name of the field.
pub fn kind(text: &str) -> Result<Kind, Refusal> {
    Kind::read(text).ok_or_else(|| Refusal::new("analysis", format!("\"{text}\""), names()))
}

/// Reads whose turn it is: 0 for `1`, 1 for `2`.
///
/// # Errors
/// What is not accepted is refused by the name of the field.
pub fn turn(text: &str) -> Result<u8, Refusal> {
    match text {
        "1" => Ok(0),
        "2" => Ok(1),
        _ => Err(Refusal::new("turn", text, yomikiri_core::text("1 or 2", "1 か 2"))),
    }
}

fn shape() -> Text {
    Text::of(
        format!(
            "{} to {} ranks of {} to {} squares from the top, joined by /: . B R P b r p, e.g. .pp./..../..../.PP.",
            SIDES.0, SIDES.1, SIDES.0, SIDES.1
        ),
        format!(
            "上の段から {}～{} 段、各段 {}～{} マス、/ 区切り：. B R P b r p（例 .pp./..../..../.PP.）",
            SIDES.0, SIDES.1, SIDES.0, SIDES.1
        ),
    )
}

/// Reads a board and what stands on it.
///
/// # Errors
/// What is not accepted is refused by the name of the field.
pub fn board(text: &str) -> Result<(Board, [Side; 2]), Refusal> {
    let refuse = |got: &dyn std::fmt::Display| Refusal::new("board", got, shape());
    // Nothing longer can be a board, and it need not be looked at.
    if text.len() > 4 * usize::from(SIDES.1) * usize::from(SIDES.1 + 1) {
        return Err(refuse(&format_args!("{} bytes", text.len())));
    }
    let ranks: Vec<Vec<char>> = text.split('/').map(|rank| rank.chars().collect()).collect();
    let (width, height) = (ranks[0].len(), ranks.len());
    let within = |side: usize| (usize::from(SIDES.0)..=usize::from(SIDES.1)).contains(&side);
    if !within(width) || !within(height) || ranks.iter().any(|rank| rank.len() != width) {
        let widths: Vec<String> = ranks.iter().map(|rank| rank.len().to_string()).collect();
        return Err(Refusal::of(
            "board",
            Text::of(
                format!("\"{text}\" ({height} ranks of {} squares)", widths.join(", ")),
                format!("\"{text}\"（{height}段、マス数 {}）", widths.join("、")),
            ),
            shape(),
        ));
    }
    let board = Board::new(width as u8, height as u8)?;
    let mut sides = [Side::default(); 2];
    for (i, rank) in ranks.iter().enumerate() {
        for (file, &c) in rank.iter().enumerate() {
            let square = ((height - 1 - i) * width + file) as u32;
            let colour = match c.to_ascii_uppercase() {
                '.' => continue,
                'B' => Colour::Blue,
                'R' => Colour::Red,
                'P' => Colour::Purple,
                _ => return Err(refuse(&format_args!("\"{c}\" on {}", board.name(square)))),
            };
            let player = usize::from(c.is_ascii_lowercase());
            sides[player] = sides[player].with(colour, square);
        }
    }
    Ok((board, sides))
}

/// The parts of a position as written, whichever analysis it belongs to.
pub struct Parts<'a> {
    /// The analysis, if it is named.
    pub id: Option<&'a str>,
    /// 0 or 1, if it is told.
    pub turn: Option<u8>,
    /// The board and the pieces on it.
    pub board: (Board, [Side; 2]),
    /// Beliefs, which one analysis has.
    pub beliefs: Vec<&'a str>,
}

/// The parts of a position, one after the other.
pub fn split(given: &str) -> impl Iterator<Item = &str> {
    given.split(['_', ' ']).filter(|part| !part.is_empty())
}

/// Tells the parts of a position apart.
///
/// # Errors
/// What is not accepted is refused by the name of the field.
pub fn parts(given: &str) -> Result<Parts<'_>, Refusal> {
    let (mut id, mut to_move, mut found, mut beliefs) = (None, None, None, Vec::new());
    for part in split(given) {
        if part.contains('/') {
            if found.replace(board(part)?).is_some() {
                let got = text("a second board", "2つ目の盤面");
                return Err(Refusal::of("board", got, text("one board", "盤面1つ")));
            }
        } else if part.contains(':') {
            beliefs.push(part);
        } else if part.chars().all(|c| c.is_ascii_digit()) {
            to_move = Some(turn(part)?);
        } else {
            id = Some(part);
        }
    }
    let missing = || Refusal::new("board", format!("\"{given}\""), shape());
    Ok(Parts { id, turn: to_move, board: found.ok_or_else(missing)?, beliefs })
}

/// Reads a position with the parts it has.
///
/// # Errors
/// What is not accepted is refused by the name of the field.
pub fn read(given: &str) -> Result<Written, Refusal> {
    let Parts { id, turn, board: (board, sides), beliefs } = parts(given)?;
    if let Some(belief) = beliefs.first() {
        let accepts = Text::of(format!("with the analysis {BELIEF} only"), format!("解析 {BELIEF} のみ"));
        return Err(Refusal::new("beliefs", format!("\"{belief}\""), accepts));
    }
    Ok(Written { kind: id.map(kind).transpose()?, turn, board, sides })
}

/// Checks that pieces are those of an analysis: its materials, or for the basic rule so many against so many.
///
/// # Errors
/// What is not accepted is refused by the name of the field.
pub fn check(kind: Kind, sides: &[Side; 2], materials: &[Material]) -> Result<(), Refusal> {
    let given = Material::of(&Position { turn: 0, sides: *sides });
    if materials.contains(&given) {
        return Ok(());
    }
    let accepted: Vec<String> = materials.iter().map(Material::name).collect();
    let accepted = accepted.join(", ");
    Err(Refusal::of(
        "board",
        Text::of(format!("pieces {}", given.name()), format!("駒 {}", given.name())),
        Text::of(format!("for {}: {accepted}", kind.id()), format!("{}では {accepted}", kind.id())),
    ))
}

/// The board as text, ranks from the top.
pub fn board_text(board: &Board, sides: &[Side; 2]) -> String {
    let (width, height) = (u32::from(board.width), u32::from(board.height));
    let ranks = (0..height).rev().map(|rank| {
        (0..width).map(|file| letter(sides, rank * width + file).unwrap_or('.')).collect::<String>()
    });
    ranks.collect::<Vec<_>>().join("/")
}

/// The letter of the piece on a square.
pub fn letter(sides: &[Side; 2], square: u32) -> Option<char> {
    (0..2).find_map(|player| Some(sides[usize::from(player)].at(square)?.letter(player)))
}

/// A position as people write it; `id` is the word for its analysis.
pub fn written(id: &str, board: &Board, p: &Position) -> String {
    format!("{id}_{}_{}", p.turn + 1, board_text(board, &p.sides))
}

/// A step as people write it: `b1b2`, or `a4exit` for leaving.
pub fn step(board: &Board, Step { from, to }: Step) -> String {
    let to = if from == to { "exit".to_owned() } else { board.name(u32::from(to)) };
    format!("{}{to}", board.name(u32::from(from)))
}

/// A move of an analysis as people write it: a step, or `guess`.
pub fn act(board: &Board, act: Act) -> String {
    act.step().map_or_else(|| "guess".to_owned(), |a| step(board, a))
}

/// Boards of one size: text for another is refused.
///
/// # Errors
/// What is not accepted is refused by the name of the field.
pub fn same_size(written: &Board, board: &Board) -> Result<(), Refusal> {
    let size = |board: &Board| format!("{}x{}", board.width, board.height);
    match size(written) == size(board) {
        true => Ok(()),
        false => Err(Refusal::new("board", size(written), Text::same(size(board)))),
    }
}

/// A fraction as people write it.
pub fn fraction(of: (i32, i32)) -> String {
    ratio(of).replace('-', "−")
}

/// A fraction as programs read it.
pub fn ratio((p, q): (i32, i32)) -> String {
    if q == 1 { p.to_string() } else { format!("{p}/{q}") }
}

/// A value with its sign.
pub fn signed(value: i8) -> String {
    match value {
        1 => "+1".into(),
        -1 => "−1".into(),
        _ => "0".into(),
    }
}

/// A verdict: the value, and the distance in brackets.
pub fn verdict_text(verdict: GameValue) -> String {
    match distance(verdict) {
        Some(moves) => format!("{} ({moves})", signed(value(verdict))),
        None => signed(0),
    }
}
