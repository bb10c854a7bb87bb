//! King and rook against king (キングとルーク対キング), the oldest ending of chess, on a board of any size.

use crate::grid::{self, Grid, bits, refused, set};
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Given, Sample, Variant};
use yomikiri_games::params::{Param, Settings};
use yomikiri_view::scene::{Board, Form, Ground, Move, Squares, Tint, Token, Viewer};

/// The rules with the size of the board.
pub struct RookEnding {
    grid: Grid,
}

/// The squares of White's king and rook and of Black's king, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pieces {
    king: u8,
    rook: u8,
    other: u8,
    mover: u8,
}

/// The square of a rook that was taken.
const TAKEN: u8 = u8::MAX;
const WHITE: u8 = 0;
const STRAIGHT: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const AROUND: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

impl RookEnding {
    /// The rules for a board with so many squares on a side.
    pub fn new(size: u8) -> RookEnding {
        RookEnding { grid: Grid { rows: size, cols: size } }
    }
    /// A position by its squares, White's king and rook and Black's king, if it is legal.
    pub fn position(&self, king: u8, rook: u8, other: u8, mover: u8) -> Option<Pieces> {
        let s = Pieces { king, rook, other, mover };
        let apart =
            king != rook && king != other && rook != other && !self.beside(king).any(|at| at == other);
        (apart && (mover != WHITE || !self.attacks(&s, other))).then_some(s)
    }
    fn beside(&self, at: u8) -> impl Iterator<Item = u8> {
        AROUND.iter().filter_map(move |&(right, up)| self.grid.step(at, right, up))
    }
    /// Whether the rook attacks a square; only White's own king stands in its way.
    fn attacks(&self, s: &Pieces, square: u8) -> bool {
        s.rook != TAKEN && s.rook != square && self.rays(s.rook, 1 << s.king).any(|at| at == square)
    }
    /// The squares a rook can go to, up to and with the first of some that are taken.
    fn rays(&self, from: u8, taken: u64) -> impl Iterator<Item = u8> {
        let ray = move |&(right, up): &(i8, i8)| {
            let mut open = true;
            (1..).map_while(move |n| self.grid.step(from, n * right, n * up)).take_while(move |at| {
                let before = open;
                open = taken >> at & 1 == 0;
                before
            })
        };
        STRAIGHT.iter().flat_map(ray)
    }
    fn moves(&self, s: &Pieces, out: &mut Vec<(u8, u8)>) {
        if s.mover == WHITE {
            let free = |at: &u8| *at != s.rook && *at != s.other && !self.beside(*at).any(|at| at == s.other);
            out.extend(self.beside(s.king).filter(free).map(|to| (s.king, to)));
            let rays = self.rays(s.rook, 1 << s.king | 1 << s.other);
            out.extend(rays.filter(|to| *to != s.king && *to != s.other).map(|to| (s.rook, to)));
        } else {
            let safe =
                |at: &u8| *at != s.king && !self.beside(*at).any(|at| at == s.king) && !self.attacks(s, *at);
            out.extend(self.beside(s.other).filter(safe).map(|to| (s.other, to)));
        }
        out.sort_unstable();
    }
}

impl Game for RookEnding {
    type State = Pieces;
    /// From which square to which.
    type Action = (u8, u8);

    fn start(&self) -> Pieces {
        Pieces { king: 0, rook: 1, other: self.grid.squares() - 1, mover: WHITE }
    }
    fn turn(&self, s: &Pieces) -> Turn {
        let mut moves = Vec::new();
        if s.rook != TAKEN {
            self.moves(s, &mut moves);
        }
        if moves.is_empty() { Turn::Terminal } else { Turn::Player(s.mover) }
    }
    fn actions(&self, s: &Pieces, out: &mut Vec<(u8, u8)>) {
        self.moves(s, out);
    }
    fn apply(&self, s: &Pieces, (from, to): (u8, u8)) -> Pieces {
        let after = Pieces { mover: 1 - s.mover, ..*s };
        match s.mover {
            WHITE if from == s.king => Pieces { king: to, ..after },
            WHITE => Pieces { rook: to, ..after },
            _ => Pieces { other: to, rook: if to == s.rook { TAKEN } else { s.rook }, ..after },
        }
    }
    fn utility(&self, s: &Pieces, player: u8) -> i32 {
        let mate = s.mover != WHITE && self.attacks(s, s.other);
        i32::from(mate) * if player == WHITE { 1 } else { -1 }
    }
}

impl Describe for RookEnding {
    fn parse(&self, given: &str) -> Result<Pieces, Refusal> {
        let (board, mover) = grid::mover(given)?;
        // Signs in capitals or not are the same to the board, so the three pieces are K, R and B.
        let squares = self.grid.read(board, "KRB.")?;
        let mut at = [TAKEN; 3];
        for (sign, at) in (0..3).zip(&mut at) {
            let mut found = bits(set(&squares, sign));
            *at = match (found.next(), found.next()) {
                (Some(one), None) => one,
                (None, _) if sign == 1 && mover == WHITE => TAKEN,
                _ => {
                    let accepts = text(
                        "one K, one B and one R, or no R after Black has taken it",
                        "K と B が1つずつ、R が1つ（黒が取った直後はなし）",
                    );
                    return Err(refused(given, accepts));
                }
            };
        }
        let [king, rook, other] = at;
        self.position(king, rook, other, mover).ok_or_else(|| {
            let accepts = text(
                "kings that are not neighbours, and no check to the side that is not to move",
                "キング同士が隣り合わず、手番でない側が王手されていない局面",
            );
            refused(given, accepts)
        })
    }
    fn print(&self, s: &Pieces) -> Option<String> {
        let sign = |at: u8| match at {
            at if at == s.king => 'K',
            at if at == s.rook => 'R',
            at if at == s.other => 'B',
            _ => '.',
        };
        Some(format!("{}_{}", self.grid.write(sign), s.mover + 1))
    }
    fn action(&self, s: &Pieces, (from, to): (u8, u8)) -> Move {
        let piece = if from == s.rook { "R" } else { "K" };
        let [a, b] = [from, to].map(|at| self.grid.name(at));
        let (from, to) = (Some(self.grid.place(from)), Some(self.grid.place(to)));
        Move { from, to, ..Move::new(format!("{a}{b}"), Text::same(format!("{piece}{a}-{b}"))) }
    }
    fn board(&self, s: &Pieces, _: &Past<RookEnding>, _: Viewer) -> Board {
        let Grid { cols, rows } = self.grid;
        let mut squares = Squares::new(cols, rows);
        let dark = (0..self.grid.squares()).filter(|at| (at % cols + at / cols) % 2 == 0);
        squares.grounds = dark.map(|at| (self.grid.name(at), Ground::Dark)).collect();
        let token = |colour, letter| Some(Token::new(Form::Tile, colour).text(Text::same(letter)));
        self.grid.zone(squares, |at| match at {
            at if at == s.king => token(Tint::White, "K"),
            at if at == s.rook => token(Tint::White, "R"),
            at if at == s.other => token(Tint::Black, "B"),
            _ => None,
        })
    }
    fn players(&self) -> Vec<Text> {
        vec![text("White", "白"), text("Black", "黒")]
    }
    fn repetitions(&self) -> Option<usize> {
        Some(3)
    }
    fn why(&self, s: &Pieces) -> Text {
        match s {
            _ if s.rook == TAKEN => text("the rook is taken", "ルークを取られた"),
            _ if self.utility(s, WHITE) > 0 => text("the king is mated", "チェックメイト"),
            _ => text("stalemate: the king cannot move and is not attacked", "ステイルメイト"),
        }
    }
}

/// The registered game.
pub struct Ending;

static ABOUT: About = About {
    id: "rook",
    name: text("King and rook v king", "キングとルーク対キング"),
    summary: text("the ending of chess: mate in the fewest moves", "チェスの終盤：最短の詰み"),
    rules: Primer {
        goal: text(
            "White mates the black king. Black gets away: takes the rook, or cannot be mated.",
            "白は黒のキングを詰ます。黒は逃れる：ルークを取るか、詰まされない。",
        ),
        play: text(
            "White has a king and a rook, Black (B) a king alone. A king goes one step in any direction, a rook any distance along a row or column that is free. Kings never stand on neighbouring squares and never step into an attack; Black may take a rook that is not guarded.",
            "白はキングとルーク、黒（B）はキングだけ。キングは全方向に1マス、ルークは縦横に空いている限り進む。キング同士は隣り合えず、攻撃されているマスには入れない。黒は守られていないルークを取れる。",
        ),
        end: text(
            "Black to move in check without a move is mated and loses; without a move and without check it is a draw, and so is the rook's loss and endless play.",
            "黒が王手されて動けなければ詰みで負け。王手なしで動けない、ルークが取られる、終わらない、はいずれも引き分け。",
        ),
        values: text(
            "A move says win, draw or loss for whoever makes it, if both play their best from there, and in how many moves. The number counts the moves of both sides.",
            "手の値は、以後双方が最善を尽くしたときの、その手を指した側の勝ち・引き分け・負けと手数。手数は双方の手を数える。",
        ),
    },
    notation: text(
        "rows from the top, joined by /: K and R (White), B (Black's king) or . for each square; then _ and the player to move, 1 (White) or 2 (Black)",
        "上の段から / で区切る。各マスは K と R（白）、B（黒のキング）、.。最後に _ と手番、1（白）か2（黒）",
    ),
    example: "B.../..../.KR./...._1",
    eval: text("position (the board), size", "position（盤）、size"),
    question: r#"{"position":"B.../..../.KR./...._1"}"#,
    players: 2,
};

static PARAMS: [Param; 1] =
    [Param::int("size", 3, 8, "4", text("squares on a side of the board", "盤の一辺"))];

impl Family for Ending {
    type Game = RookEnding;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<RookEnding, Refusal> {
        Ok(RookEnding::new(settings.int("size") as u8))
    }
    fn puzzles(&self) -> Option<Given> {
        // The rook wins whatever it does, or nearly.
        None
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("Small: 4 × 4", "小：4×4"), settings: &[] },
            Variant {
                name: text("8 × 8, the board of chess", "8×8（チェスの盤）"),
                settings: &[("size", "8")],
            },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[], position: None },
            Sample { settings: &[("size", "3")], position: Some("B../..R/K.._2") },
        ]
    }
}
