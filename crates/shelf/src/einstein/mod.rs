//! EinStein würfelt nicht (アインシュタインはサイコロを振らない): a die says which stone may go towards the far corner.

use crate::grid::{Grid, refused};
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer, WIN_RATE};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::params::{Param, Settings};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Form, Move, Tint, Token, Viewer};

/// The rules with the size of the board and the stones of a side.
pub struct EinStein {
    grid: Grid,
    stones: u8,
}

/// The square of each stone of each player, who is to move, and what the die shows, 0 while it has not been rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stones {
    at: [[u8; MOST]; 2],
    mover: u8,
    die: u8,
}

/// The most stones of a side.
const MOST: usize = 6;
/// The square of a stone that is gone.
const GONE: u8 = u8::MAX;
/// Where the first player's stones go: right, down, and both at once.
const WAYS: [(i8, i8); 3] = [(1, 0), (0, -1), (1, -1)];

impl EinStein {
    /// The corner a player's stones start from and, for the other player, go to. Squares are numbered from the lower left.
    fn corner(&self, player: u8) -> u8 {
        let Grid { cols, rows } = self.grid;
        if player == 0 { (rows - 1) * cols } else { cols - 1 }
    }
    fn to(&self, s: &Stones, (stone, way): (u8, u8)) -> Option<u8> {
        let (right, up) = WAYS[usize::from(way)];
        let sign = if s.mover == 0 { 1 } else { -1 };
        self.grid.step(s.at[usize::from(s.mover)][usize::from(stone)], sign * right, sign * up)
    }
    fn winner(&self, s: &Stones) -> Option<u8> {
        (0..2).find(|&p| {
            let [mine, others] = [p, 1 - p].map(|p| &s.at[usize::from(p)][..usize::from(self.stones)]);
            mine.contains(&self.corner(1 - p)) || others.iter().all(|at| *at == GONE)
        })
    }
    fn on(&self, s: &Stones, square: u8) -> Option<(usize, usize)> {
        (0..2).find_map(|p| s.at[p].iter().position(|at| *at == square).map(|stone| (p, stone)))
    }
    fn sign(player: usize, stone: usize) -> char {
        char::from([b'1', b'a'][player] + stone as u8)
    }
    fn signs(&self) -> String {
        let of =
            |player: usize| (0..usize::from(self.stones)).map(move |stone| EinStein::sign(player, stone));
        of(0).chain(of(1)).chain(['.']).collect()
    }
}

impl Game for EinStein {
    type State = Stones;
    /// A stone and the way it goes; for the die, what it shows.
    type Action = (u8, u8);

    fn start(&self) -> Stones {
        let n = self.grid.cols;
        // Diagonal by diagonal from the corner, each from the top.
        let places = (0..n).flat_map(|far| (0..=far).map(move |down| (n - 1 - down) * n + far - down));
        let mut at = [[GONE; MOST]; 2];
        for (stone, place) in places.take(usize::from(self.stones)).enumerate() {
            (at[0][stone], at[1][stone]) = (place, n * n - 1 - place);
        }
        Stones { at, mover: 0, die: 0 }
    }
    fn turn(&self, s: &Stones) -> Turn {
        match s.die {
            _ if self.winner(s).is_some() => Turn::Terminal,
            0 => Turn::Chance,
            _ => Turn::Player(s.mover),
        }
    }
    fn actions(&self, s: &Stones, out: &mut Vec<(u8, u8)>) {
        let there = |stone: &u8| s.at[usize::from(s.mover)][usize::from(*stone)] != GONE;
        let die = s.die - 1;
        let may: Vec<u8> = match there(&die) {
            true => vec![die],
            false => {
                (0..die).rev().find(there).into_iter().chain((die + 1..self.stones).find(there)).collect()
            }
        };
        let all = may.into_iter().flat_map(|stone| (0..3).map(move |way| (stone, way)));
        out.extend(all.filter(|a| self.to(s, *a).is_some()));
    }
    fn chance(&self, _: &Stones, out: &mut Vec<((u8, u8), u32)>) {
        out.extend((1..=self.stones).map(|die| ((die, 0), 1)));
    }
    fn apply(&self, s: &Stones, a: (u8, u8)) -> Stones {
        if s.die == 0 {
            return Stones { die: a.0, ..*s };
        }
        let mut at = s.at;
        let to = self.to(s, a).unwrap_or(GONE);
        // Whatever stands there is taken, own stones too.
        if let Some((player, stone)) = self.on(s, to) {
            at[player][stone] = GONE;
        }
        at[usize::from(s.mover)][usize::from(a.0)] = to;
        Stones { at, mover: 1 - s.mover, die: 0 }
    }
    fn utility(&self, s: &Stones, player: u8) -> i32 {
        if self.winner(s) == Some(player) { 1 } else { -1 }
    }
}

impl Describe for EinStein {
    fn parse(&self, given: &str) -> Result<Stones, Refusal> {
        let refuse = |accepts: Text| refused(given, accepts);
        let parts: Vec<&str> = given.trim().split('_').collect();
        let (board, mover, die) = match parts[..] {
            [board, mover] => (board, mover, "0"),
            [board, mover, die] if die != "0" => (board, mover, die),
            _ => return Err(refuse(ABOUT.notation.clone())),
        };
        let squares = self.grid.read(board, &self.signs())?;
        let (Some(mover), Some(die)) = (
            ["1", "2"].iter().position(|p| *p == mover),
            die.parse::<u8>().ok().filter(|die| *die <= self.stones),
        ) else {
            return Err(refuse(ABOUT.notation.clone()));
        };
        let mut s = Stones { at: [[GONE; MOST]; 2], mover: mover as u8, die };
        for (square, sign) in (0..).zip(squares).filter(|(_, sign)| *sign < 2 * self.stones) {
            let place = &mut s.at[usize::from(sign / self.stones)][usize::from(sign % self.stones)];
            if std::mem::replace(place, square) != GONE {
                return Err(refuse(text("every stone at most once", "同じ石は1つまで")));
            }
        }
        let over = self.winner(&s);
        let none = s.at.iter().all(|at| at.iter().all(|at| *at == GONE));
        if none || over == Some(s.mover) || over.is_some() && die != 0 {
            let accepts = text("a position in which nobody moves after the end", "終局後に動かない局面");
            return Err(refuse(accepts));
        }
        Ok(s)
    }
    fn print(&self, s: &Stones) -> Option<String> {
        let sign = |at: u8| self.on(s, at).map_or('.', |(player, stone)| EinStein::sign(player, stone));
        let die = if s.die == 0 { String::new() } else { format!("_{}", s.die) };
        Some(format!("{}_{}{die}", self.grid.write(sign), s.mover + 1))
    }
    fn action(&self, s: &Stones, a: (u8, u8)) -> Move {
        if s.die == 0 {
            return Move::new(
                a.0.to_string(),
                Text::of(format!("a {} is rolled", a.0), format!("{}の目", a.0)),
            );
        }
        let from = s.at[usize::from(s.mover)][usize::from(a.0)];
        let to = self.to(s, a).unwrap_or(from);
        let id = format!("{}{}", self.grid.name(from), self.grid.name(to));
        let (from, to) = (Some(self.grid.place(from)), Some(self.grid.place(to)));
        Move { from, to, ..Move::new(id.clone(), Text::same(id)) }
    }
    fn board(&self, s: &Stones, _: &Past<EinStein>, _: Viewer) -> Board {
        let token = |(player, stone): (usize, usize)| {
            let sign = EinStein::sign(player, stone).to_string();
            Token::new(Form::Tile, [Tint::Black, Tint::White][player]).text(Text::same(sign))
        };
        self.grid.board(|at| self.on(s, at).map(token))
    }
    fn prompt(&self, s: &Stones) -> Text {
        if s.die == 0 {
            return text("The die is rolled.", "さいころを振ります。");
        }
        let (name, die) = (&self.players()[usize::from(s.mover)], s.die);
        Text::of(format!("{}: the die shows {die}", name.en), format!("{}：目は{die}", name.ja))
    }
    fn players(&self) -> Vec<Text> {
        vec![text("Numbers", "数字側"), text("Letters", "文字側")]
    }
    fn measure(&self) -> Measure {
        Measure::WinRate
    }
    fn why(&self, s: &Stones) -> Text {
        let gone = |stones: &[u8; MOST]| stones.iter().all(|at| *at == GONE);
        match s.at.iter().any(gone) {
            true => text("all stones of the other side are taken", "相手の石をすべて取った"),
            false => text("a stone has reached the far corner", "石が向かいの隅に着いた"),
        }
    }
}

/// The registered game.
pub struct Corners;

static ABOUT: About = About {
    id: "einstein",
    name: text("EinStein würfelt nicht", "アインシュタインはサイコロを振らない"),
    summary: text(
        "a die says which stone goes towards the far corner",
        "さいころで決まった石を対角の隅へ進める",
    ),
    rules: Primer {
        goal: text(
            "Reach the opposite corner, or remove all enemy stones.",
            "相手の隅に着くか、相手の石を全部取り除く。",
        ),
        play: text(
            "Each player has numbered stones in a corner: stone 1 in the corner itself, the next on the diagonals around it; the second player's (a, b, c …) stand opposite. In a turn the die is rolled, and the stone with that number moves; if it is gone, the next lower or the next higher one that is left, as its player likes. The first player's stones go right, down or diagonally down to the right, the second's the opposite ways. Whatever stone stands on the square is removed, one's own too.",
            "双方が隅に番号の付いた石を並べる（1は隅、続きは周りの対角線順。後手は a、b、c … で点対称）。さいころを振り、その番号の石を動かす。なければ残った石のうち次に小さいか次に大きい番号を選ぶ。先手は右・下・右下、後手はその逆に1マス進む。行き先の石は自分のものでも取り除く。",
        ),
        end: text(
            "Whoever reaches the opposite corner or has removed all enemy stones wins.",
            "相手の隅に着くか、相手の石を全部取り除けば勝ち。",
        ),
        values: WIN_RATE,
    },
    notation: text(
        "rows from the top, joined by /: 1, 2 … and a, b … or . for each square; then _ and the player to move, 1 or 2; then _ and the die, if it has been rolled",
        "上の段から / で区切る。各マスは 1、2…（先手）、a、b…（後手）、.。続けて _ と手番（1か2）、振った後は _ と目",
    ),
    example: "12./3.c/.ba_1_2",
    eval: text("position (the board), size, stones", "position（盤）、size、stones"),
    question: r#"{"position":"12./3.c/.ba_1_2"}"#,
    players: 2,
};

static PARAMS: [Param; 2] = [
    Param::int("size", 2, 5, "3", text("squares on a side of the board", "盤の一辺")),
    Param::int(
        "stones",
        1,
        MOST as i64,
        "3",
        text("stones of a side, as many as the die has faces", "片側の石の数（さいころの面の数）"),
    ),
];

impl Family for Corners {
    type Game = EinStein;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<EinStein, Refusal> {
        let [size, stones] = ["size", "stones"].map(|name| settings.int(name) as u8);
        // Both sides stand within half of the board.
        let most = (1..=size).rev().map(|n| n * (n + 1) / 2).find(|n| 2 * n <= size * size).unwrap_or(1);
        if stones > most {
            let accepts = Text::of(
                format!("at most {most} on a board of {size}"),
                format!("{size}×{size}の盤では{most}個まで"),
            );
            return Err(Refusal::new("stones", stones, accepts));
        }
        Ok(EinStein { grid: Grid { rows: size, cols: size }, stones })
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("3 × 3, three stones", "3×3、石3個"), settings: &[] },
            Variant { name: text("3 × 3, one stone", "3×3、石1個"), settings: &[("stones", "1")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[("stones", "2")], position: None },
            Sample { settings: &[], position: Some("1.2/3.c/.ba_2_1") },
        ]
    }
}
