//! Dots and Boxes (点と箱): players draw edges between dots; the fourth edge of a box takes it and brings another move.

mod edges;

use crate::grid::{self, bits, refused};
pub use edges::EdgeSets;
use std::sync::Arc;
use yomikiri_core::{Error, Game, Refusal, Run, Text, Turn, text};
use yomikiri_games::about::{About, Primer};
use yomikiri_games::analyse::{Analyse, Valued};
use yomikiri_games::approach::{AllSeen, Approach};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::params::{Param, Settings};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{
    Board, Edge, Form, Item, Move, Seat, Shape, Squares, Tiling, Tint, Token, Viewer, Zone, square,
};

/// The rules with the size of the board in boxes.
pub struct Dots {
    rows: u8,
    cols: u8,
}

/// The edges drawn, a bit each: those that lie, from the lowest line up, then those that stand. How many boxes the
/// first player is ahead, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Drawn {
    edges: u32,
    ahead: i8,
    mover: u8,
}

impl Dots {
    /// The rules for a board of so many rows and columns of boxes.
    pub fn new(rows: u8, cols: u8) -> Dots {
        Dots { rows, cols }
    }
    fn lying(&self) -> u8 {
        (self.rows + 1) * self.cols
    }
    /// The boxes of either player.
    fn taken(&self, s: &Drawn) -> [i8; 2] {
        [s.ahead, -s.ahead].map(|ahead| (self.complete(s.edges) + ahead) / 2)
    }
    fn count(&self) -> u8 {
        self.lying() + self.rows * (self.cols + 1)
    }
    fn full(&self) -> u32 {
        u32::MAX >> (32 - self.count())
    }
    /// The edges of every box.
    fn boxes(&self) -> impl Iterator<Item = u32> {
        let (cols, lying) = (self.cols, self.lying());
        let one = move |row: u8, col: u8| {
            let (low, left) = (row * cols + col, lying + row * (cols + 1) + col);
            [low, low + cols, left, left + 1].iter().fold(0, |all, edge| all | 1 << edge)
        };
        (0..self.rows).flat_map(move |row| (0..cols).map(move |col| one(row, col)))
    }
    fn complete(&self, edges: u32) -> i8 {
        self.boxes().filter(|b| edges & b == *b).count() as i8
    }
    /// The square beside an edge and the side of it that the edge is: the upper or right one where there is a choice.
    fn side(&self, edge: u8) -> (String, Edge) {
        let (upright, wide) = (edge >= self.lying(), self.cols + u8::from(edge >= self.lying()));
        let at = if upright { edge - self.lying() } else { edge };
        match (upright, at / wide, at % wide) {
            (false, 0, col) => (square(col, 0), Edge::Bottom),
            (false, line, col) => (square(col, line - 1), Edge::Top),
            (true, row, 0) => (square(0, row), Edge::Left),
            (true, row, line) => (square(line - 1, row), Edge::Right),
        }
    }
    fn name(&self, edge: u8) -> String {
        let (square, side) = self.side(edge);
        let sign = match side {
            Edge::Top => 't',
            Edge::Right => 'r',
            Edge::Bottom => 'b',
            Edge::Left => 'l',
        };
        format!("{square}{sign}")
    }
    /// The edges in the order in which they are written: line by line from the top, those that lie between rows of
    /// those that stand.
    fn lines(&self) -> Vec<Vec<u8>> {
        let (cols, lying) = (self.cols, self.lying());
        let flat = |line: u8| (0..cols).map(|col| line * cols + col).collect();
        let upright = |row: u8| (0..=cols).map(|col| lying + row * (cols + 1) + col).collect();
        let rows = (0..self.rows).rev().flat_map(|row| [upright(row), flat(row)]);
        std::iter::once(flat(self.rows)).chain(rows).collect()
    }
}

impl Game for Dots {
    type State = Drawn;
    /// An edge.
    type Action = u8;

    fn start(&self) -> Drawn {
        Drawn { edges: 0, ahead: 0, mover: 0 }
    }
    fn turn(&self, s: &Drawn) -> Turn {
        if s.edges == self.full() { Turn::Terminal } else { Turn::Player(s.mover) }
    }
    fn actions(&self, s: &Drawn, out: &mut Vec<u8>) {
        out.extend(bits(u64::from(!s.edges & self.full())));
    }
    fn apply(&self, s: &Drawn, edge: u8) -> Drawn {
        let edges = s.edges | 1 << edge;
        let made = self.complete(edges) - self.complete(s.edges);
        let ahead = s.ahead + if s.mover == 0 { made } else { -made };
        Drawn { edges, ahead, mover: if made > 0 { s.mover } else { 1 - s.mover } }
    }
    fn utility(&self, s: &Drawn, player: u8) -> i32 {
        i32::from(if player == 0 { s.ahead } else { -s.ahead })
    }
}

impl Describe for Dots {
    fn parse(&self, given: &str) -> Result<Drawn, Refusal> {
        let parts =
            given.trim().rsplit_once('_').and_then(|(rest, ahead)| Some((rest, ahead.parse::<i8>().ok()?)));
        let (rest, ahead) = parts.ok_or_else(|| refused(given, ABOUT.notation.clone()))?;
        let (edges, mover) = grid::mover(rest)?;
        let (typed, lines): (Vec<&str>, _) = (edges.split('/').collect(), self.lines());
        let fits = |(typed, line): (&&str, &Vec<u8>)| {
            typed.chars().count() == line.len() && typed.chars().all(|c| matches!(c, 'x' | 'X' | '.'))
        };
        if typed.len() != lines.len() || !typed.iter().zip(&lines).all(fits) {
            let wide = lines.iter().map(|line| line.len().to_string()).collect::<Vec<_>>().join(", ");
            let accepts = Text::of(
                format!("lines of {wide} signs x or ., joined by /"),
                format!("{wide} 文字の行（x か .）を / でつないだもの"),
            );
            return Err(refused(given, accepts));
        }
        let signs = typed.iter().flat_map(|line| line.chars()).zip(lines.into_iter().flatten());
        let edges = signs.filter(|(sign, _)| *sign != '.').fold(0, |all, (_, edge)| all | 1 << edge);
        let made = self.complete(edges);
        if ahead.unsigned_abs() > made.unsigned_abs() || (made - ahead) % 2 != 0 {
            let accepts = Text::of(
                format!("what two players can be apart who have {made} boxes together"),
                format!("合わせて{made}箱のときにありうる差"),
            );
            return Err(Refusal::new("ahead", ahead, accepts));
        }
        Ok(Drawn { edges, ahead, mover })
    }
    fn print(&self, s: &Drawn) -> Option<String> {
        let sign = |edge: &u8| if s.edges >> edge & 1 == 1 { 'x' } else { '.' };
        let lines: Vec<String> = self.lines().iter().map(|line| line.iter().map(sign).collect()).collect();
        Some(format!("{}_{}_{}", lines.join("/"), s.mover + 1, s.ahead))
    }
    fn action(&self, _: &Drawn, edge: u8) -> Move {
        let id = self.name(edge);
        Move { on: vec![id.clone()], ..Move::new(id.clone(), Text::same(id)) }
    }
    fn board(&self, s: &Drawn, _: &Past<Dots>, _: Viewer) -> Board {
        let item = |edge: u8| {
            let (at, side) = self.side(edge);
            let shape = if edge < self.lying() { Form::Bar } else { Form::Post };
            let colour = if s.edges >> edge & 1 == 1 { Tint::Black } else { Tint::None };
            Item::token(self.name(edge), Token::new(shape, colour)).at(at).edge(side)
        };
        let squares = Squares { tiling: Tiling::Lattice, ..Squares::new(self.cols, self.rows) };
        let items = (0..self.count()).map(item).collect();
        let seats = self.players().into_iter().zip(self.taken(s));
        let seats = seats.map(|(name, boxes)| Seat::scoring(name, boxes, text("boxes", "箱"))).collect();
        Board { seats, ..Board::new(vec![Zone::new("board", Shape::Board(squares), Text::default(), items)]) }
    }
    fn draw(&self, s: &Drawn, _: Viewer) -> Text {
        let sign = |edge: u8, drawn: &str, not: &str| {
            if s.edges >> edge & 1 == 1 { drawn.to_owned() } else { not.to_owned() }
        };
        let line = |line: Vec<u8>| match line[0] < self.lying() {
            true => format!("+{}", line.iter().map(|e| sign(*e, "--", "  ") + "+").collect::<String>()),
            false => line.iter().map(|e| sign(*e, "|", " ")).collect::<Vec<_>>().join("  "),
        };
        Text::same(self.lines().into_iter().map(line).collect::<Vec<_>>().join("\n"))
    }
    fn scores(&self, s: &Drawn) -> Option<Vec<i64>> {
        Some(self.taken(s).map(i64::from).into())
    }
    fn rescored(&self, s: &Drawn, scores: &[i64]) -> Option<String> {
        let &[first, second] = scores else { return None };
        let fits =
            first >= 0 && second >= 0 && first.checked_add(second) == Some(self.complete(s.edges).into());
        let ahead = i8::try_from(first.checked_sub(second)?).ok().filter(|_| fits)?;
        self.print(&Drawn { ahead, ..*s })
    }
    fn measure(&self) -> Measure {
        Measure::Points { name: text("boxes", "箱の差") }
    }
    fn why(&self, s: &Drawn) -> Text {
        let [first, second] = self.taken(s);
        Text::of(format!("{first} boxes to {second}"), format!("箱は{first}対{second}"))
    }
}

/// The registered game.
pub struct Boxes;

static ABOUT: About = About {
    id: "dots",
    name: text("Dots and Boxes", "点と箱"),
    summary: text("draw edges; the fourth side of a box takes it", "辺を引き、箱の4辺目を引けばその箱を取る"),
    rules: Primer {
        goal: text("Take more boxes than the other player.", "相手より多くの箱を取る。"),
        play: text(
            "Players take turns to draw one edge between two neighbouring dots. Whoever draws the fourth edge of a box, or of two boxes at once, takes them and must draw another edge.",
            "交互に、隣り合う2点の間に辺を1本引く。箱の4辺目を引けば（同時に2箱でも）その箱を取り、もう1本引く。",
        ),
        end: text(
            "When all edges are drawn the game is over. Boxes are counted.",
            "すべて引けば終わり。箱の数を比べる。",
        ),
        values: text(
            "A value is the boxes that the player to move will have taken more than the other in the end, if both play their best.",
            "値は、双方最善のときの手番側の最後の箱の差（自分−相手）。",
        ),
    },
    notation: text(
        "edges line by line from the top, joined by /, lying and standing ones in turn: x drawn, . not; then _ and the player to move, _ and how many boxes the first player is ahead",
        "辺を上から1行ずつ / で区切り（横の行と縦の行が交互）、x は引いた辺、. は未。続けて _ と手番、_ と先手の箱のリード",
    ),
    example: "xx/x.x/.x/x../.._1_0",
    eval: text("position (the edges), rows, cols", "position（辺）、rows、cols"),
    question: r#"{"position":"xx/x.x/.x/x../.._1_0"}"#,
    players: 2,
};

static PARAMS: [Param; 2] = [
    Param::int("rows", 1, 10, "2", text("rows of boxes", "箱の段数")),
    Param::int("cols", 1, 10, "2", text("columns of boxes", "箱の列数")),
];

impl Family for Boxes {
    type Game = Dots;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Dots, Refusal> {
        let [rows, cols] = ["rows", "cols"].map(|name| settings.int(name) as u8);
        let game = Dots { rows, cols };
        if game.count() > EdgeSets::MOST {
            let (most, count) = (EdgeSets::MOST, game.count());
            let accepts = Text::of(
                format!("boards of at most {most} edges; this one has {count}"),
                format!("辺が{most}本までの盤（これは{count}本）"),
            );
            return Err(Refusal::new("cols", cols, accepts));
        }
        Ok(game)
    }
    fn solver(
        &self,
        settings: &Settings,
        game: &Dots,
        s: &Drawn,
        run: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Dots>>, Error> {
        if run.method.is_some() {
            return AllSeen.solver(&self.named(settings), game, s, run);
        }
        let solved: Arc<EdgeSets> = run.cached(&format!("dots {}x{}", game.rows, game.cols), || {
            let solved = EdgeSets::solve(game, run)?;
            let bytes = solved.bytes();
            Ok((solved, bytes))
        })?;
        Ok(Box::new(Valued(solved)))
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("2 × 2 boxes", "2×2箱"), settings: &[] },
            Variant { name: text("A row of 4 boxes", "1×4箱"), settings: &[("rows", "1"), ("cols", "4")] },
            Variant { name: text("3 × 3 boxes", "3×3箱"), settings: &[("rows", "3"), ("cols", "3")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[], position: None },
            Sample { settings: &[("rows", "1"), ("cols", "3")], position: Some("xx./x.../x.x_2_0") },
        ]
    }
}
