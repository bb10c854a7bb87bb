//! The questions that are asked of the game, the pieces each is about, and the names of their tables.

use super::board::Board;
use super::space::Material;
use yomikiri_core::{Refusal, Text, text};

/// The word for all analyses together.
pub const SUITE: &str = "suite";

/// The word for three pieces against two with all colours hidden, which has solvers of its own.
pub const BELIEF: &str = "bbr-belief";

/// A question asked of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Two against two, all hidden: payoff 0 by leaving, or by being able to take every enemy piece.
    Basic,
    /// The same, or by winning against either colouring once it is guessed.
    Extended,
    /// All colours known.
    Open,
    /// Own colours known to both, the enemy's hidden: a certain win.
    OpenWin,
    /// Own colours known to both, the enemy's hidden: payoff 0.
    OpenDraw,
    /// Red-red-blue, the red piece in front known: payoff 0.
    RrbThree,
    /// Two pieces against red-red-blue: payoff 0.
    RrbTwo,
    /// Red-blue-blue: payoff 1/3.
    BbrThreeThird,
    /// Two pieces against red-blue-blue: payoff −1/2.
    BbrTwoHalf,
    /// Two pieces against red-blue-blue: payoff −1/3 by taking one of three at random.
    BbrTwoThird,
    /// Two pieces against red-blue-blue, one enemy piece taken to be blue: payoff 0 if it is.
    BbrTwoGuess,
}

/// Colours of the pieces of a side, in the order sets of pieces are stored.
const BR: [u8; 3] = [1, 1, 0];
const BBR: [u8; 3] = [2, 1, 0];
const BRR: [u8; 3] = [1, 2, 0];
const PP: [u8; 3] = [0, 0, 2];
const PPP: [u8; 3] = [0, 0, 3];

impl Kind {
    /// All analyses, each after those it needs.
    pub const ALL: [Kind; 11] = [
        Kind::Open,
        Kind::Basic,
        Kind::Extended,
        Kind::OpenWin,
        Kind::OpenDraw,
        Kind::RrbThree,
        Kind::RrbTwo,
        Kind::BbrThreeThird,
        Kind::BbrTwoHalf,
        Kind::BbrTwoThird,
        Kind::BbrTwoGuess,
    ];

    /// The word it is called by.
    pub const fn id(self) -> &'static str {
        match self {
            Kind::Basic => "2v2-basic",
            Kind::Extended => "2v2-extended",
            Kind::Open => "open",
            Kind::OpenWin => "open-win",
            Kind::OpenDraw => "open-draw",
            Kind::RrbThree => "rrb-three",
            Kind::RrbTwo => "rrb-two",
            Kind::BbrThreeThird => "bbr-three-third",
            Kind::BbrTwoHalf => "bbr-two-half",
            Kind::BbrTwoThird => "bbr-two-third",
            Kind::BbrTwoGuess => "bbr-two-guess",
        }
    }

    /// The analysis of a word.
    pub fn read(id: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.id() == id)
    }

    /// What it asks.
    pub const fn question(self) -> Text {
        match self {
            Kind::Basic => text(
                "two hidden pieces each: payoff 0 by leaving, or by being able to take each enemy piece",
                "双方紫駒2個：脱出、または相手の駒を全て取れる形で平均利得0",
            ),
            Kind::Extended => text(
                "two hidden pieces each: payoff 0 by leaving, or by a guess that wins if it is right",
                "双方紫駒2個：脱出、または推測が当たれば勝てる形で平均利得0",
            ),
            Kind::Open => text("all colours known to both: who wins", "全ての色が既知：どちらが勝つか"),
            Kind::OpenWin => text(
                "own colours known to both, the enemy's hidden: a certain win",
                "自分の色は双方に既知、相手は紫：確実な勝ち",
            ),
            Kind::OpenDraw => text(
                "own colours known to both, the enemy's hidden: payoff 0",
                "自分の色は双方に既知、相手は紫：平均利得0",
            ),
            Kind::RrbThree => text(
                "red-red-blue with the front piece known to be red, against two: payoff 0",
                "赤赤青側（前の駒は赤と公開）：平均利得0",
            ),
            Kind::RrbTwo => {
                text("two pieces against red-red-blue: payoff 0", "赤赤青に対する2駒側：平均利得0")
            }
            Kind::BbrThreeThird => text("red-blue-blue against two: payoff 1/3", "赤青青側：平均利得1/3"),
            Kind::BbrTwoHalf => {
                text("two pieces against red-blue-blue: payoff −1/2", "赤青青に対する2駒側：平均利得−1/2")
            }
            Kind::BbrTwoThird => text(
                "two pieces against red-blue-blue: payoff −1/3 by taking one of three at random",
                "赤青青に対する2駒側：3駒から無作為に取り平均利得−1/3",
            ),
            Kind::BbrTwoGuess => text(
                "two pieces against red-blue-blue, one piece assumed blue: payoff 0 if it is, so −1/3",
                "赤青青に対する2駒側：1個を青と決め、当たれば平均利得0（全体で−1/3）",
            ),
        }
    }

    /// The payoff aimed at, as a fraction.
    pub const fn target(self) -> (i32, i32) {
        match self {
            Kind::Open | Kind::OpenWin => (1, 1),
            Kind::BbrThreeThird => (1, 3),
            Kind::BbrTwoHalf => (-1, 2),
            Kind::BbrTwoThird => (-1, 3),
            _ => (0, 1),
        }
    }

    /// The materials of its positions, those that takes lead to first.
    pub fn materials(self) -> Vec<Material> {
        let all: &[[[u8; 3]; 2]] = match self {
            Kind::Basic | Kind::Extended => &[[PP, PP]],
            Kind::Open => &[[BR, BR], [BBR, BR], [BRR, BR], [BR, BBR], [BR, BRR]],
            Kind::OpenWin | Kind::OpenDraw => &[[BR, PP], [BBR, PP], [BRR, PP]],
            Kind::RrbThree => &[[[0, 1, 2], PP]],
            Kind::RrbTwo | Kind::BbrTwoHalf | Kind::BbrTwoThird => &[[PP, PPP]],
            Kind::BbrThreeThird => &[[PPP, PP]],
            Kind::BbrTwoGuess => &[[PP, [1, 0, 2]]],
        };
        all.iter().map(|sides| Material(*sides)).collect()
    }

    /// The materials of the open game its guesses are looked up in.
    pub fn guessed(self) -> Vec<Material> {
        let all: &[[[u8; 3]; 2]] = match self {
            Kind::Extended => &[[BR, BR]],
            Kind::OpenDraw => &[[BR, BR], [BBR, BR], [BRR, BR]],
            Kind::RrbThree => &[[BR, BR], [BRR, BR]],
            Kind::BbrTwoGuess => &[[BR, BR], [BR, BBR]],
            _ => &[],
        };
        all.iter().map(|sides| Material(*sides)).collect()
    }

    /// Whether it looks up what is left after a take in the extended analysis.
    pub fn needs_extended(self) -> bool {
        matches!(
            self,
            Kind::RrbThree
                | Kind::RrbTwo
                | Kind::BbrThreeThird
                | Kind::BbrTwoHalf
                | Kind::BbrTwoThird
                | Kind::BbrTwoGuess
        )
    }

    /// The tables its rules look into, each with the materials that are looked up.
    pub fn needs(self) -> Vec<(Kind, Vec<Material>)> {
        let mut needs = vec![(Kind::Open, self.guessed())];
        if self.needs_extended() {
            needs.push((Kind::Extended, Kind::Extended.materials()));
        }
        if self == Kind::RrbThree {
            // What is left of red-red-blue after a hidden red piece is taken.
            needs.push((Kind::OpenWin, Kind::OpenWin.materials()[..1].to_vec()));
        }
        needs.retain(|(_, materials)| !materials.is_empty());
        needs
    }

    /// How many different pieces it must be able to take.
    pub fn pieces_to_take(self) -> u32 {
        match self {
            Kind::BbrTwoHalf => 2,
            Kind::BbrTwoThird => 3,
            _ => 1,
        }
    }
}

/// The materials of an analysis, or of the basic rule with other numbers of pieces.
///
/// # Errors
/// What is not accepted is refused by the name of the field.
pub fn materials(kind: Kind, a: i64, b: i64) -> Result<Vec<Material>, Refusal> {
    if kind == Kind::Basic {
        return Ok(vec![Material([[0, 0, a as u8], [0, 0, b as u8]])]);
    }
    if (a, b) != (2, 2) {
        let field = if a == 2 { "b" } else { "a" };
        return Err(Refusal::of(
            field,
            Text::same(if a == 2 { b } else { a }.to_string()),
            Text::of(
                format!("other numbers of pieces with the analysis {}", Kind::Basic.id()),
                format!("駒数の変更は解析 {} のみ", Kind::Basic.id()),
            ),
        ));
    }
    Ok(kind.materials())
}

/// The name a table is kept under, on the cache and if it is large in the store.
pub fn table_name(kind: Kind, board: &Board, materials: &[Material], mirror: bool) -> String {
    let materials: Vec<String> =
        materials.iter().map(|m| m.0.iter().flatten().map(u8::to_string).collect()).collect();
    let mirror = if mirror { "-mirror" } else { "" };
    let Board { width, height, .. } = board;
    format!("geister/{}-{width}x{height}-{}{mirror}", kind.id(), materials.join("-"))
}
