//! Dark Hex (ダークヘックス): Hex without seeing the other's stones, except those one has run into.

use crate::hex::{Hex, Stones};
use crate::line::{self, Line, by_line};
use yomikiri_core::{Game, Hidden, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer};
use yomikiri_games::approach::Approach;
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::hidden::PartSeen;
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Move, Viewer};

/// The rules of Hex, and whether a turn is lost on a cell that is taken.
pub struct DarkHex {
    hex: Hex,
    cells: u8,
    abrupt: bool,
}

/// A cell that a player has chosen, and whether the other's stone was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tried {
    player: u8,
    cell: u8,
    taken: bool,
}

/// What was chosen so far, in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Night(Vec<Tried>);

impl Night {
    /// The stones of a player, or the other's that it has run into, as a set of cells.
    fn cells(&self, player: u8, taken: bool) -> u64 {
        let those = self.0.iter().filter(|tried| (tried.player, tried.taken) == (player, taken));
        those.fold(0, |cells, tried| cells | 1 << tried.cell)
    }
}

impl DarkHex {
    fn mover(&self, s: &Night) -> u8 {
        let same = |last: &Tried| last.taken && !self.abrupt;
        s.0.last().map_or(0, |last| if same(last) { last.player } else { 1 - last.player })
    }
    fn tried(&self, s: &Night, cell: u8) -> Tried {
        let player = self.mover(s);
        Tried { player, cell, taken: s.cells(1 - player, false) >> cell & 1 == 1 }
    }
    fn won(&self, s: &Night) -> Option<u8> {
        [0, 1].into_iter().find(|player| self.hex.joins((*player).into(), s.cells(*player, false)))
    }
}

impl Game for DarkHex {
    type State = Night;
    /// A cell.
    type Action = u8;

    fn start(&self) -> Night {
        Night(vec![])
    }
    fn turn(&self, s: &Night) -> Turn {
        if self.won(s).is_some() { Turn::Terminal } else { Turn::Player(self.mover(s)) }
    }
    fn actions(&self, s: &Night, out: &mut Vec<u8>) {
        let player = self.mover(s);
        let known = s.cells(player, false) | s.cells(player, true);
        out.extend((0..self.cells).filter(|cell| known >> cell & 1 == 0));
    }
    fn apply(&self, s: &Night, cell: u8) -> Night {
        Night([s.0.as_slice(), &[self.tried(s, cell)]].concat())
    }
    fn utility(&self, s: &Night, player: u8) -> i32 {
        if self.won(s) == Some(player) { 1 } else { -1 }
    }
}

impl Hidden for DarkHex {
    /// The player's own choices with what came of them.
    type Info = Vec<Tried>;
    fn info(&self, s: &Night, player: u8) -> Vec<Tried> {
        s.0.iter().copied().filter(|tried| tried.player == player).collect()
    }
}

impl Line for DarkHex {
    fn line(&self, s: &Night) -> Vec<u8> {
        s.0.iter().map(|tried| tried.cell).collect()
    }
    fn sees(&self, s: &Night, before: &Night, _: u8, viewer: Viewer) -> bool {
        viewer == Some(self.mover(before)) || self.won(s).is_some()
    }
    fn word(&self, before: &Night, cell: u8, seen: bool) -> String {
        let Tried { player, taken, .. } = self.tried(before, cell);
        let sign = ['x', 'o'][usize::from(player)];
        match (seen, taken) {
            (true, _) => format!("{sign}{}{}", self.action(before, cell).id, if taken { "-" } else { "" }),
            // Nobody notices a choice after which the other chooses again.
            (false, true) if !self.abrupt => String::new(),
            (false, _) => format!("{sign}?"),
        }
    }
}

impl Describe for DarkHex {
    by_line!(ABOUT.notation);
    fn action(&self, _: &Night, cell: u8) -> Move {
        self.hex.action(&self.hex.start(), cell)
    }
    fn board(&self, s: &Night, _: &Past<DarkHex>, viewer: Viewer) -> Board {
        let (over, viewer) = (self.won(s).is_some(), line::eyes(self, s, viewer));
        // Of the other's stones only those that one has run into.
        let known = |player: u8| match viewer == Some(player) || over {
            true => s.cells(player, false),
            false => viewer.map_or(0, |viewer| s.cells(viewer, true)),
        };
        self.hex.board(&Stones([known(0), known(1)]), &[], None)
    }
    fn players(&self) -> Vec<Text> {
        self.hex.players()
    }
    fn measure(&self) -> Measure {
        Measure::Points { name: text("wins less losses", "勝ち−負け") }
    }
    fn happened(&self, before: &Night, _: u8, _: &Night) -> Text {
        let name = &self.players()[usize::from(self.mover(before))];
        Text::of(format!("{} has chosen a hexagon", name.en), format!("{}がマスを選んだ", name.ja))
    }
    fn conceals(&self, before: &Night, _: u8, viewer: Viewer) -> bool {
        viewer != Some(self.mover(before))
    }
    fn why(&self, _: &Night) -> Text {
        text("its stones join its two sides", "石が向かい合う2辺をつないだ")
    }
}

/// The registered game.
pub struct Blind;

static ABOUT: About = About {
    id: "darkhex",
    name: text("Dark Hex", "ダークヘックス"),
    summary: text("Hex in the dark: the other's stones are not seen", "相手の石が見えないヘックス"),
    rules: Primer {
        goal: text(
            "Join your two sides of the board in the dark: Black the top and the bottom, White the left and the right.",
            "相手の石が見えないまま2辺をつなぐ。黒は上下の辺、白は左右の辺。",
        ),
        play: text(
            "Players take turns to put a stone on a hexagon, as in Hex; but nobody sees the other's stones. Whoever chooses a hexagon that is taken gets to know that stone, and chooses again (classic) or loses the turn (abrupt). The other is not told.",
            "ヘックスと同じく交互に石を置く。ただし相手の石は見えない。相手の石があるマスを選ぶとその石が分かり、classic では選び直し、abrupt では手番を失う。相手には知らされない。",
        ),
        end: text(
            "Whoever joins both sides by neighbouring stones wins. There are no draws.",
            "隣り合う石で両辺がつながれば勝ち。引き分けはない。",
        ),
        values: text(
            "A value is the wins less the losses of the player to move on average, from −1 to +1, if both play by the strategies found here. Beside a move stands how often the strategy makes it.",
            "値は、双方がここで求めた戦略どおりに打つときの、手番側の勝ちから負けを引いた期待値（−1～+1）。手の横に、戦略がその手を選ぶ割合を示す。",
        ),
    },
    notation: text(
        "what was chosen, joined by dots, e.g. xa1.ob2.xb2-.xa2: x for Black, o for White, - after a hexagon that was taken; x? or o? for what is not known; start before the first move",
        "選んだマスをドットで区切る。例：xa1.ob2.xb2-.xa2（x は黒、o は白、石があったマスは - を付ける）。知らない手は x? や o?。始まる前は start",
    ),
    example: "xa1.o?",
    eval: text(
        "position (what was chosen), rows, cols, collision",
        "position（選んだマス）、rows、cols、collision",
    ),
    question: r#"{"position":"xa1.o?"}"#,
    players: 2,
};

static PARAMS: [Param; 3] = [
    Param::int("rows", 1, 4, "2", text("rows of the board", "段の数")),
    Param::int("cols", 1, 4, "2", text("columns of the board", "列の数")),
    Param {
        name: "collision",
        domain: Domain::Choice(&[
            ("classic", text("one chooses again", "選び直す")),
            ("abrupt", text("the turn is lost", "手番を失う")),
        ]),
        default: "classic",
        help: text("what follows on a hexagon that is taken", "相手の石があったとき"),
    },
];

impl Family for Blind {
    type Game = DarkHex;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<DarkHex, Refusal> {
        let [rows, cols] = ["rows", "cols"].map(|name| settings.int(name) as u8);
        let abrupt = settings.word("collision") == "abrupt";
        Ok(DarkHex { hex: Hex::new(rows, cols), cells: rows * cols, abrupt })
    }
    fn approach(&self) -> Option<&'static dyn Approach<DarkHex>> {
        Some(&PartSeen)
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("One chooses again", "選び直す"), settings: &[] },
            Variant {
                name: text("The turn is lost", "手番を失う"), settings: &[("collision", "abrupt")]
            },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[], position: Some("xa1.o?") },
            Sample { settings: &[("collision", "abrupt")], position: None },
        ]
    }
}
