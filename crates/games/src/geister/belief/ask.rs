//! What is asked about three against two: the grid, and positions in words such as
//! `bbr-belief_1_.pp./..../.P../.PP._1:1:1_1:1`.
//!
//! The analysis, the turn and the board are written as everywhere. Then come the beliefs, first the one
//! about player 1, then the one about player 2: for each piece the whole weight of being the red one, pieces
//! in the order a1, b1, …. What is left out is even.

use super::Grid;
use super::rules::Public;
use crate::geister::board::{Board, Colour, Position, Side, squares};
use crate::geister::notation::Parts;
use crate::geister::space::Material;
use crate::geister::{kind, notation};
use crate::params::{Domain, Param, Settings};
use yomikiri_core::{Refusal, Text, text};
use yomikiri_solve::belief::Belief;

/// The word for it among the analyses.
pub const ID: &str = kind::BELIEF;

/// What it asks.
pub const QUESTION: Text = text(
    "red-blue-blue against two, all colours hidden: bounds on the value, with strategies that prove them",
    "赤青青 対 2駒（全て紫）：値の上下界と、それを保証する戦略",
);

/// The parameter that chooses the grid.
pub const GRID: Param = Param {
    name: "grid",
    domain: Domain::Choice(&[
        ("coarse", text("seconds", "数秒")),
        ("fine", text("minutes, and a GiB: closer bounds", "数分、約1GiB：より狭い上下界")),
        (
            "adaptive",
            text("minutes more: beliefs where they matter", "さらに数分：必要な局面の信念だけを細かくする"),
        ),
    ]),
    default: "coarse",
    help: text("how finely beliefs are cut (bbr-belief)", "信念の刻み（bbr-belief）"),
};

/// The largest weight of a belief: per cents can be written, and sums stay small.
pub const WEIGHT: i64 = 100;

/// Whether the settings or a position ask for it; the parts that it alone has are refused elsewhere.
///
/// # Errors
/// What is not accepted is refused by the name of the field.
pub fn asked(settings: &Settings, position: Option<&str>) -> Result<bool, Refusal> {
    let word = settings.word("analysis");
    let says = position.is_some_and(|p| notation::split(p).any(|part| part == ID));
    if says && word != ID && word != kind::SUITE {
        return Err(Refusal::new("analysis", ID, Text::same(word)));
    }
    if settings.given("grid") && !says && word != ID {
        return Err(Refusal::of(
            "grid",
            Text::same(settings.word("grid")),
            Text::of(format!("with the analysis {ID} only"), format!("解析 {ID} のみ")),
        ));
    }
    Ok(says || word == ID)
}

/// The grid that is asked for. Numbers of pieces belong to another analysis.
///
/// # Errors
/// What is not accepted is refused by the name of the field.
pub fn grid(settings: &Settings) -> Result<Grid, Refusal> {
    for field in ["a", "b"] {
        if settings.given(field) {
            return Err(Refusal::new(
                field,
                settings.int(field),
                Text::of(
                    format!("nothing: {ID} is three pieces against two"),
                    format!("指定なし（{ID} は3駒対2駒）"),
                ),
            ));
        }
    }
    Ok(match settings.word("grid") {
        "fine" => Grid::Fine,
        "adaptive" => Grid::Adaptive,
        _ => Grid::Coarse,
    })
}

/// A position as written, left and right as written too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The board.
    pub board: Board,
    /// Who is to move, if it is told.
    pub turn: Option<u8>,
    /// The squares of each side.
    pub sides: [u64; 2],
    /// The beliefs about each side.
    pub beliefs: [Option<Belief>; 2],
    /// The number of the red piece where colours are written.
    pub told: [Option<u8>; 2],
}

impl Spot {
    /// Where everything stands; player 1 moves unless it is told.
    pub fn public(&self) -> Public {
        Public { turn: self.turn.unwrap_or(0), sides: self.sides }
    }
}

/// Reads a position.
///
/// # Errors
/// What is not accepted is refused by the name of the field.
pub fn read(given: &str) -> Result<Spot, Refusal> {
    let Parts { id, turn, board: (board, sides), beliefs: weights } = notation::parts(given)?;
    if let Some(id) = id.filter(|id| *id != ID) {
        return Err(Refusal::new("analysis", format!("\"{id}\""), Text::same(ID)));
    }
    let told = pieces(&sides)?;
    if weights.len() > 2 {
        let got = Text::of(format!("{} beliefs", weights.len()), format!("信念{}個", weights.len()));
        let accepts = text("one about player 1, then one about player 2", "プレイヤー1、次にプレイヤー2");
        return Err(Refusal::of("beliefs", got, accepts));
    }
    let mut beliefs = [None; 2];
    for (player, part) in weights.iter().enumerate() {
        beliefs[player] = Some(belief(part, player, sides[player].all().count_ones() as usize)?);
    }
    Ok(Spot { board, turn, sides: sides.map(|s| s.all()), beliefs, told })
}

/// Checks that there are three or two pieces against two; the red ones, where colours are written.
fn pieces(sides: &[Side; 2]) -> Result<[Option<u8>; 2], Refusal> {
    let given = Material::of(&Position { turn: 0, sides: *sides });
    let refuse = || {
        Refusal::of(
            "board",
            Text::of(format!("pieces {}", given.name()), format!("駒 {}", given.name())),
            Text::of(
                format!(
                    "for {ID}: PPP v pp or PP v pp; to play, also with the colours of a side: BBR v pp, PPP v br"
                ),
                format!("{ID}では PPP v pp か PP v pp。対戦では一方の色も可：BBR v pp、PPP v br"),
            ),
        )
    };
    let mut told = [None; 2];
    for (player, side) in sides.iter().enumerate() {
        let count = side.all().count_ones();
        if !(count == 2 || (count == 3 && player == 0)) {
            return Err(refuse());
        }
        let [_, red, hidden] = Colour::ALL.map(|c| side.of(c).count_ones());
        if hidden != count {
            if hidden != 0 || red != 1 {
                return Err(refuse());
            }
            told[player] = squares(side.all()).position(|s| side.at(s) == Some(Colour::Red)).map(|n| n as u8);
        }
    }
    Ok(told)
}

fn belief(given: &str, player: usize, pieces: usize) -> Result<Belief, Refusal> {
    let refuse = || {
        let even = vec!["1"; pieces].join(":");
        Refusal::of(
            "beliefs",
            Text::same(Refusal::new("", format!("\"{given}\""), Text::same("")).got.en),
            Text::of(
                format!(
                    "{pieces} whole weights from 0 to {WEIGHT} for player {}, not all 0, e.g. {even}",
                    player + 1
                ),
                format!(
                    "プレイヤー{}の駒{pieces}個に0～{WEIGHT}の整数（全て0は不可、例 {even}）",
                    player + 1
                ),
            ),
        )
    };
    let mut weights = [0; 3];
    let mut count = 0;
    for word in given.split(':') {
        let plain = !word.is_empty() && word.len() <= 3 && word.chars().all(|c| c.is_ascii_digit());
        let weight = word.parse().ok().filter(|w| plain && (0..=WEIGHT).contains(w)).ok_or_else(refuse)?;
        *weights.get_mut(count).ok_or_else(refuse)? = weight;
        count += 1;
    }
    if count != pieces || weights.iter().sum::<i64>() == 0 {
        return Err(refuse());
    }
    Ok(weights)
}

/// A belief that knows nothing.
pub fn even(pieces: usize) -> Belief {
    let mut weights = [0; 3];
    weights[..pieces].fill(1);
    weights
}
