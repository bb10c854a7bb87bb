//! Dodgem (ドッジェム): cars cross the board and leave it by the far side; whoever is rid of all first wins.

use crate::grid::{self, Grid, bits, owner, refused, set};
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer, RESULT};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::params::{Param, Settings};
use yomikiri_view::scene::{Board, Form, Move, Tint, Token, Viewer};

/// The rules with the size of the board.
pub struct Dodgem {
    grid: Grid,
}

/// The cars of each player, a bit for every square, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cars {
    own: [u64; 2],
    mover: u8,
}

/// The ways each player may go, forwards first.
const WAYS: [[(i8, i8); 3]; 2] = [[(1, 0), (0, 1), (0, -1)], [(0, 1), (-1, 0), (1, 0)]];

impl Dodgem {
    /// Where a move ends: a free square, or outside the board, which is forwards only.
    fn end(&self, s: &Cars, (from, way): (u8, u8)) -> Option<Option<u8>> {
        let (right, up) = WAYS[usize::from(s.mover)][usize::from(way)];
        match self.grid.step(from, right, up) {
            Some(to) if (s.own[0] | s.own[1]) >> to & 1 == 1 => None,
            None if way != 0 => None,
            to => Some(to),
        }
    }
    fn moves(&self, s: &Cars) -> impl Iterator<Item = (u8, u8)> {
        let cars = bits(s.own[usize::from(s.mover)]).flat_map(|from| (0..3).map(move |way| (from, way)));
        cars.filter(|a| self.end(s, *a).is_some())
    }
    fn winner(&self, s: &Cars) -> Option<u8> {
        match (0..2).find(|p| s.own[usize::from(*p)] == 0) {
            None if self.moves(s).next().is_none() => Some(s.mover),
            gone => gone,
        }
    }
}

impl Game for Dodgem {
    type State = Cars;
    /// The square of a car and the way it goes, forwards first.
    type Action = (u8, u8);

    fn start(&self) -> Cars {
        let n = self.grid.rows;
        let left = (1..n).fold(0, |cars, row| cars | 1 << (row * n));
        let below = (1..n).fold(0, |cars, col| cars | 1 << col);
        Cars { own: [left, below], mover: 0 }
    }
    fn turn(&self, s: &Cars) -> Turn {
        if self.winner(s).is_some() { Turn::Terminal } else { Turn::Player(s.mover) }
    }
    fn actions(&self, s: &Cars, out: &mut Vec<(u8, u8)>) {
        out.extend(self.moves(s));
    }
    fn apply(&self, s: &Cars, a: (u8, u8)) -> Cars {
        let mut own = s.own;
        let mine = &mut own[usize::from(s.mover)];
        *mine &= !(1 << a.0);
        if let Some(Some(to)) = self.end(s, a) {
            *mine |= 1 << to;
        }
        Cars { own, mover: 1 - s.mover }
    }
    fn utility(&self, s: &Cars, player: u8) -> i32 {
        if self.winner(s) == Some(player) { 1 } else { -1 }
    }
}

impl Describe for Dodgem {
    fn parse(&self, given: &str) -> Result<Cars, Refusal> {
        let (board, mover) = grid::mover(given)?;
        let squares = self.grid.read(board, "XO.")?;
        let s = Cars { own: [set(&squares, 0), set(&squares, 1)], mover };
        let most = u32::from(self.grid.rows) - 1;
        // Nobody moves after the end, so whoever has no cars left has just moved.
        if s.own.iter().any(|own| own.count_ones() > most) || s.own[usize::from(mover)] == 0 {
            let accepts = Text::of(
                format!("at most {most} X and {most} O, and a car of the player to move"),
                format!("X も O も{most}台以下で、手番の車が残っていること"),
            );
            return Err(refused(given, accepts));
        }
        Ok(s)
    }
    fn print(&self, s: &Cars) -> Option<String> {
        let board = self.grid.write(|at| owner(&s.own, at).map_or('.', |p| ['X', 'O'][p]));
        Some(format!("{board}_{}", s.mover + 1))
    }
    fn action(&self, s: &Cars, a: (u8, u8)) -> Move {
        let from = self.grid.name(a.0);
        match self.end(s, a).flatten() {
            Some(to) => {
                let id = format!("{from}{}", self.grid.name(to));
                let (from, to) = (Some(self.grid.place(a.0)), Some(self.grid.place(to)));
                Move { from, to, ..Move::new(id.clone(), Text::same(id)) }
            }
            None => {
                let label = Text::of(format!("{from} leaves"), format!("{from} が出る"));
                Move { on: vec![self.grid.place(a.0)], ..Move::new(format!("{from}out"), label) }
            }
        }
    }
    fn board(&self, s: &Cars, _: &Past<Dodgem>, _: Viewer) -> Board {
        let token =
            |p: usize| Token::new(Form::Tile, [Tint::Black, Tint::White][p]).text(Text::same(["X", "O"][p]));
        self.grid.board(|at| owner(&s.own, at).map(token))
    }
    fn players(&self) -> Vec<Text> {
        vec![text("Rightwards (X)", "右へ進む側（X）"), text("Upwards (O)", "上へ進む側（O）")]
    }
    fn repetitions(&self) -> Option<usize> {
        Some(3)
    }
    fn why(&self, s: &Cars) -> Text {
        match s.own.contains(&0) {
            true => text("all its cars have left the board", "車がすべて盤から出た"),
            false => text(
                "the other player has blocked it, which is not allowed",
                "相手にふさがれた（ふさいだ側の負け）",
            ),
        }
    }
}

/// The registered game.
pub struct Crossing;

static ABOUT: About = About {
    id: "dodgem",
    name: text("Dodgem", "ドッジェム"),
    summary: text("drive all your cars off the far side first", "自分の車をすべて先に向こう側へ出す"),
    rules: Primer {
        goal: text("Drive all your cars off the far side first.", "自分の車をすべて先に向こう側へ出す。"),
        play: text(
            "The first player's cars stand in the left column, on all rows but the lowest, and go right, up or down; they leave over the right side. The second player's stand in the lowest row, in all columns but the left one, and go up, left or right; they leave over the top. A move is one step to an empty square, or off the board.",
            "先手の車は左の列（一番下以外）にあり、右・上・下に進み、右端から出る。後手の車は一番下の段（左端以外）にあり、上・左・右に進み、上端から出る。1手で空いた隣のマスへ進むか、盤の外に出る。",
        ),
        end: text(
            "Whoever has no car left wins; so does whoever has cars but no move, so do not block everything. Endless play is a draw.",
            "車がなくなれば勝ち。車が残っているのに動けない方も勝ち（ふさぎすぎた方の負け）。終わらなければ引き分け。",
        ),
        values: RESULT,
    },
    notation: text(
        "rows from the top, joined by /: X, O or . for each square; then _ and the player to move, 1 or 2",
        "上の段から / で区切る。各マスは X、O、.。最後に _ と手番（1か2）",
    ),
    example: "X../.X./.OO_2",
    eval: text("position (the board), size", "position（盤）、size"),
    question: r#"{"position":"X../.X./.OO_2"}"#,
    players: 2,
};

static PARAMS: [Param; 1] =
    [Param::int("size", 2, 6, "3", text("squares on a side of the board", "盤の一辺"))];

impl Family for Crossing {
    type Game = Dodgem;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Dodgem, Refusal> {
        let size = settings.int("size") as u8;
        Ok(Dodgem { grid: Grid { rows: size, cols: size } })
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("3 × 3", "3×3"), settings: &[] },
            Variant { name: text("2 × 2", "2×2"), settings: &[("size", "2")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[], position: None },
            Sample { settings: &[("size", "2")], position: Some("X./.O_2") },
        ]
    }
}
