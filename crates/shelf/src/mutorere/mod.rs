//! Mū tōrere (ムー・トレレ): four men each on a star of eight points and a centre; who cannot move loses.

use crate::grid::{self, Grid, bits, owner, refused};
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer, RESULT};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample};
use yomikiri_games::params::Settings;
use yomikiri_view::scene::{Board, Form, Move, Squares, Tiling, Tint, Token, Viewer};

/// The rules.
pub struct MuTorere;

/// The points of each player, a bit each: the ring from 0 to 7, then the centre; and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Men {
    own: [u64; 2],
    mover: u8,
}

const CENTRE: u8 = 8;
const GRID: Grid = Grid { cols: 3, rows: 3 };
/// Where the points are drawn: the ring from the lower left corner round the board, then the centre.
const DRAWN: [u8; 9] = [0, 3, 6, 7, 8, 5, 2, 1, 4];

impl Men {
    /// The point nobody stands on.
    fn empty(self) -> u8 {
        (!(self.own[0] | self.own[1])).trailing_zeros() as u8
    }
    fn moves(self) -> impl Iterator<Item = u8> {
        let (empty, other) = (self.empty(), self.own[usize::from(1 - self.mover)]);
        bits(self.own[usize::from(self.mover)]).filter(move |&from| {
            let beside = [(from + 1) % 8, (from + 7) % 8];
            match (from, empty) {
                (CENTRE, _) => true,
                (_, CENTRE) => beside.iter().any(|at| other >> at & 1 == 1),
                _ => beside.contains(&empty),
            }
        })
    }
}

impl Game for MuTorere {
    type State = Men;
    /// The point a man moves from; there is only one it can go to.
    type Action = u8;

    fn start(&self) -> Men {
        Men { own: [0x0F, 0xF0], mover: 0 }
    }
    fn turn(&self, s: &Men) -> Turn {
        if s.moves().next().is_some() { Turn::Player(s.mover) } else { Turn::Terminal }
    }
    fn actions(&self, s: &Men, out: &mut Vec<u8>) {
        out.extend(s.moves());
    }
    fn apply(&self, s: &Men, from: u8) -> Men {
        let mut own = s.own;
        own[usize::from(s.mover)] ^= 1 << from | 1 << s.empty();
        Men { own, mover: 1 - s.mover }
    }
    fn utility(&self, s: &Men, player: u8) -> i32 {
        if player == s.mover { -1 } else { 1 }
    }
}

impl Describe for MuTorere {
    fn parse(&self, given: &str) -> Result<Men, Refusal> {
        let (points, mover) = grid::mover(given)?;
        let count = |sign: char| points.chars().filter(|c| c.eq_ignore_ascii_case(&sign)).count();
        if points.chars().count() != 9 || count('X') != 4 || count('O') != 4 || count('.') != 1 {
            let accepts = text(
                "nine signs, four X, four O and a .: the ring, then the centre",
                "9文字（X が4つ、O が4つ、. が1つ）：環の8点、最後に中央",
            );
            return Err(refused(given, accepts));
        }
        let of = |sign: char| {
            let at = (0u8..).zip(points.chars()).filter(move |(_, c)| c.eq_ignore_ascii_case(&sign));
            at.fold(0, |set, (at, _)| set | 1 << at)
        };
        Ok(Men { own: [of('X'), of('O')], mover })
    }
    fn print(&self, s: &Men) -> Option<String> {
        let points: String = (0..9).map(|at| owner(&s.own, at).map_or('.', |p| ['X', 'O'][p])).collect();
        Some(format!("{points}_{}", s.mover + 1))
    }
    fn action(&self, s: &Men, from: u8) -> Move {
        let [from, to] = [from, s.empty()].map(|at| DRAWN[usize::from(at)]);
        let id = format!("{}{}", GRID.name(from), GRID.name(to));
        let (from, to) = (Some(GRID.place(from)), Some(GRID.place(to)));
        Move { from, to, ..Move::new(id.clone(), Text::same(id)) }
    }
    fn board(&self, s: &Men, _: &Past<MuTorere>, _: Viewer) -> Board {
        let token =
            |p: usize| Token::new(Form::Disc, [Tint::Black, Tint::White][p]).text(Text::same(["X", "O"][p]));
        let squares = Squares { tiling: Tiling::Points, ..Squares::new(3, 3) };
        let point = |at: u8| (0..9).find(|point| DRAWN[usize::from(*point)] == at);
        GRID.zone(squares, |at| owner(&s.own, point(at)?).map(token))
    }
    fn players(&self) -> Vec<Text> {
        vec![text("Black (X)", "黒（X）"), text("White (O)", "白（O）")]
    }
    fn repetitions(&self) -> Option<usize> {
        Some(3)
    }
    fn why(&self, _: &Men) -> Text {
        text("the other side cannot move", "相手が動けない")
    }
}

/// The registered game.
pub struct Star;

static ABOUT: About = About {
    id: "mutorere",
    name: text("Mu torere", "ムー・トレレ"),
    summary: text(
        "block the other on a star of eight points: a draw",
        "8つの点と中央の盤で相手を動けなくする：引き分け",
    ),
    rules: Primer {
        goal: text("Block the other, so that no man can move.", "相手の駒を動けなくする。"),
        play: text(
            "Eight points form a ring around a centre; each player has four men on neighbouring points of the ring. A move takes one man to the empty point: along the ring to the next point, out of the centre to any point, or from the ring into the centre, but only if a neighbour of the man on the ring is an enemy. On the picture the ring runs around the nine points.",
            "中央を囲む8点の環に、双方4つの駒が並ぶ。1手で駒を1つ空いた点に動かす：環の隣へ、中央から任意の点へ、または環から中央へ（環の隣に相手の駒がある場合だけ）。図では9点の外周が環。",
        ),
        end: text(
            "Who cannot move loses. Endless play is a draw.",
            "動けない方が負け。終わらなければ引き分け。",
        ),
        values: RESULT,
    },
    notation: text(
        "X, O or . for the eight points of the ring in order and the centre; then _ and the player to move, 1 or 2",
        "環の8点（順番に）と中央を X、O、. で。最後に _ と手番（1か2）",
    ),
    example: "XX.XXOOOO_2",
    eval: text("position (the points)", "position（点の並び）"),
    question: r#"{"position":"XX.XXOOOO_2"}"#,
    players: 2,
};

impl Family for Star {
    type Game = MuTorere;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn game(&self, _: &Settings, _: u64) -> Result<MuTorere, Refusal> {
        Ok(MuTorere)
    }
    fn samples(&self) -> &'static [Sample] {
        &[Sample { settings: &[], position: None }, Sample { settings: &[], position: Some("XX.XXOOOO_2") }]
    }
}
