//! Nim (ニム): heaps of stones; whoever takes the last one wins, or loses if that is agreed.

use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, DECIDED, Primer};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::scene::{Board, Item, Move, Shape, Tint, Token, Viewer, Zone};

/// The rules with the heaps they start from.
pub struct Nim {
    heaps: Vec<u8>,
    misere: bool,
}

/// The stones left, and who is to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Heaps {
    left: Vec<u8>,
    mover: u8,
}

impl Game for Nim {
    type State = Heaps;
    /// A heap, and how many stones are taken from it.
    type Action = (u8, u8);

    fn start(&self) -> Heaps {
        Heaps { left: self.heaps.clone(), mover: 0 }
    }
    fn turn(&self, s: &Heaps) -> Turn {
        if s.left.iter().all(|&n| n == 0) { Turn::Terminal } else { Turn::Player(s.mover) }
    }
    fn actions(&self, s: &Heaps, out: &mut Vec<(u8, u8)>) {
        out.extend((0..).zip(&s.left).flat_map(|(heap, &n)| (1..=n).map(move |take| (heap, take))));
    }
    fn apply(&self, s: &Heaps, (heap, take): (u8, u8)) -> Heaps {
        let mut left = s.left.clone();
        left[usize::from(heap)] -= take;
        Heaps { left, mover: 1 - s.mover }
    }
    fn utility(&self, s: &Heaps, player: u8) -> i32 {
        // Whoever is to move has not taken the last stone.
        if (player == s.mover) == self.misere { 1 } else { -1 }
    }
}

impl Describe for Nim {
    fn parse(&self, given: &str) -> Result<Heaps, Refusal> {
        let left = heaps(given)?;
        if left.len() != self.heaps.len() || left.iter().zip(&self.heaps).any(|(n, most)| n > most) {
            let most = self.heaps.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
            let accepts = Text::of(format!("heaps of at most {most}"), format!("各山が {most} 以下"));
            return Err(Refusal::new("heaps", format!("\"{given}\""), accepts));
        }
        Ok(Heaps { left, mover: 0 })
    }
    fn print(&self, s: &Heaps) -> Option<String> {
        Some(s.left.iter().map(u8::to_string).collect::<Vec<_>>().join(","))
    }
    fn action(&self, _: &Heaps, (heap, take): (u8, u8)) -> Move {
        let name = letter(heap);
        let label = Text::of(format!("{take} from heap {name}"), format!("山{name}から{take}個"));
        // A stone goes with those before it.
        let stones = |n: std::ops::RangeInclusive<u8>| n.map(|n| format!("{name}{n}")).collect();
        let (on, also) = (stones(take..=take), stones(1..=take - 1));
        Move { on, also, ..Move::new(format!("{name}{take}"), label) }
    }
    fn board(&self, s: &Heaps, _: &Past<Nim>, _: Viewer) -> Board {
        let black = Token { colour: Tint::Black, ..Token::default() };
        let zone = |(heap, n): (u8, &u8)| {
            let name = letter(heap);
            let stones = (1..=*n).map(|n| Item::token(format!("{name}{n}"), black.clone())).collect();
            Zone::new(name.clone(), Shape::Heap { per: 15 }, Text::same(name), stones)
        };
        Board::new((0..).zip(&s.left).map(zone).collect())
    }
    fn why(&self, _: &Heaps) -> Text {
        match self.misere {
            true => text("the other player had to take the last stone", "相手が最後の石を取った"),
            false => text("took the last stone", "最後の石を取った"),
        }
    }
}

/// Heaps as they are typed: numbers joined by commas.
fn heaps(given: &str) -> Result<Vec<u8>, Refusal> {
    let read: Option<Vec<u8>> = given.split(',').map(|n| n.trim().parse().ok()).collect();
    let few = |heaps: &Vec<u8>| heaps.iter().map(|n| f64::from(*n) + 1.0).product::<f64>() <= 1e6;
    read.filter(|heaps| heaps.len() <= 8 && few(heaps))
        .ok_or_else(|| Refusal::new("heaps", format!("\"{given}\""), HEAPS))
}

/// The name of a heap.
fn letter(heap: u8) -> String {
    char::from(b'A' + heap).to_string()
}

/// How heaps are written.
const HEAPS: Text =
    text("1 to 8 heaps, e.g. 3,4,5; at most a million positions", "1～8個の山、例：3,4,5（100万局面まで）");

/// The registered game.
pub struct Heap;

static ABOUT: About = About {
    id: "nim",
    name: text("Nim", "ニム"),
    summary: text(
        "take stones from one heap; the last one wins",
        "1つの山から石を取り、最後の石を取れば勝ち",
    ),
    rules: Primer {
        goal: text(
            "Take the last stone of all. Or, if that is agreed, make the other take it.",
            "最後の石を取る。取り決めによっては、相手に取らせる。",
        ),
        play: text(
            "Players take turns. A move takes one or more stones from one heap.",
            "交互に、1つの山から1個以上の石を取る。",
        ),
        end: text(
            "The game is over when no stone is left. There are no draws.",
            "石がなくなれば終わり。引き分けはない。",
        ),
        values: DECIDED,
    },
    notation: HEAPS,
    example: "1,4,5",
    eval: text("position (the heaps), heaps, last", "position（山）、heaps、last"),
    question: r#"{"position":"1,4,5"}"#,
    players: 2,
};

static PARAMS: [Param; 2] = [
    Param {
        name: "heaps",
        domain: Domain::Text { accepts: HEAPS, check: |given| heaps(given).map(drop) },
        default: "3,4,5",
        help: text("the heaps at the start", "最初の山"),
    },
    Param {
        name: "last",
        domain: Domain::Choice(&[
            ("wins", text("whoever takes the last stone wins", "最後の石を取れば勝ち")),
            ("loses", text("whoever takes the last stone loses", "最後の石を取れば負け")),
        ]),
        default: "wins",
        help: text("what the last stone brings", "最後の石の扱い"),
    },
];

impl Family for Heap {
    type Game = Nim;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Nim, Refusal> {
        Ok(Nim { heaps: heaps(settings.text("heaps"))?, misere: settings.word("last") == "loses" })
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("Three heaps", "山3つ"), settings: &[] },
            Variant {
                name: text("The last stone loses", "最後の石を取れば負け"),
                settings: &[("last", "loses")],
            },
            Variant { name: text("Four heaps", "山4つ"), settings: &[("heaps", "1,3,5,7")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[], position: None },
            Sample { settings: &[("heaps", "2,3"), ("last", "loses")], position: Some("1,3") },
        ]
    }
}
