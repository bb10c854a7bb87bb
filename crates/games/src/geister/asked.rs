//! What settings and a written position ask about.

use super::analysis::Kind;
use super::board::{Board, Colour, Position, Side};
use super::notation::{self, Written};
use super::space::Material;
use super::strategy::truths;
use super::tables::Tables;
use crate::params::Settings;
use yomikiri_core::{Refusal, Text, text};

/// What the settings ask about.
pub struct Asked {
    /// The analysis, if one is named.
    pub kind: Option<Kind>,
    /// The tables of the board.
    pub tables: Tables,
    /// Pieces under the basic rule.
    pub pieces: (i64, i64),
    /// The position, if one is written; the board is then its own.
    pub written: Option<Written>,
}

/// The board that the settings ask for.
pub fn board(settings: &Settings) -> Result<Board, Refusal> {
    Board::new(settings.int("width") as u8, settings.int("height") as u8)
}

/// Reads settings and a position; the analyses that they name must agree.
pub fn asked(settings: &Settings, position: Option<&str>) -> Result<Asked, Refusal> {
    let board = board(settings)?;
    let written = position.map(notation::read).transpose()?;
    let (named, kind) = (written.as_ref().and_then(|w| w.kind), Kind::read(settings.word("analysis")));
    if let (Some(named), Some(kind)) = (named, kind)
        && named != kind
    {
        return Err(Refusal::new("analysis", named.id(), Text::same(kind.id())));
    }
    // The text tells its own size.
    let board = written.as_ref().map_or(board, |w| w.board.clone());
    Ok(Asked {
        kind: named.or(kind),
        tables: Tables::new(board, settings.word("mirror") == "on"),
        pieces: (settings.int("a"), settings.int("b")),
        written,
    })
}

/// A position as an analysis with these materials has it, and the colours of player 2 if it tells them where the
/// analysis hides them.
pub fn seen(kind: Kind, p: &Position, materials: &[Material]) -> Result<(Position, Option<Side>), Refusal> {
    let (hides, enemy) = (!matches!(kind, Kind::Open | Kind::BbrTwoGuess), p.sides[1]);
    let told = Some(enemy).filter(|_| hides && enemy.of(Colour::Purple) == 0);
    let seen = if told.is_some() { Side([0, 0, enemy.all()]) } else { enemy };
    let view = Position { turn: p.turn, sides: [p.sides[0], seen] };
    notation::check(kind, &view.sides, materials)?;
    if told.is_some_and(|told| !truths(kind, &view)[1].contains(&told)) {
        // Colours that the analysis does not allow.
        notation::check(kind, &p.sides, materials)?;
    }
    Ok((view, told))
}

/// No start position fits the board.
pub fn too_low(board: &Board) -> Refusal {
    let Board { width, height, .. } = *board;
    Refusal::of(
        "height",
        Text::of(format!("{width}x{height}"), format!("{width}×{height}")),
        text(
            "a board high enough for the start position, or a position",
            "初期配置が置ける高さ、または局面の指定",
        ),
    )
}
