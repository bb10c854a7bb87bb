//! Kalah (カラハ): counters are sown from pit to pit; most counters in the own store win.

use crate::grid::{self, refused};
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{
    Board, Form, Ground, Item, Move, Seat, Shape, Squares, Tint, Token, Viewer, Zone, square,
};

/// The rules with the pits of a side, the counters of a pit, and whether a capture needs something to take.
pub struct Kalah {
    pits: u8,
    seeds: u8,
    empty: bool,
}

/// The counters of each player's pits in the order of sowing, then those of the player's store; and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counters {
    own: [[u8; MOST + 1]; 2],
    mover: u8,
}

/// The most pits of a side.
const MOST: usize = 6;

impl Kalah {
    fn m(&self) -> usize {
        usize::from(self.pits)
    }
    fn bare(&self, own: &[u8; MOST + 1]) -> bool {
        own[..self.m()].iter().all(|n| *n == 0)
    }
}

impl Game for Kalah {
    type State = Counters;
    /// A pit, from 0 in the order of sowing.
    type Action = u8;

    fn start(&self) -> Counters {
        let mut own = [0; MOST + 1];
        own[..self.m()].fill(self.seeds);
        Counters { own: [own, own], mover: 0 }
    }
    fn turn(&self, s: &Counters) -> Turn {
        if s.own.iter().any(|own| self.bare(own)) { Turn::Terminal } else { Turn::Player(s.mover) }
    }
    fn actions(&self, s: &Counters, out: &mut Vec<u8>) {
        out.extend((0..self.pits).filter(|pit| s.own[usize::from(s.mover)][usize::from(*pit)] > 0));
    }
    fn apply(&self, s: &Counters, pit: u8) -> Counters {
        let (m, me) = (self.m(), usize::from(s.mover));
        let mut own = s.own;
        let mut left = std::mem::take(&mut own[me][usize::from(pit)]);
        // Round the board without the other's store.
        let (mut side, mut at) = (me, usize::from(pit));
        while left > 0 {
            (side, at) = match at + 1 {
                next if next < m || (next == m && side == me) => (side, next),
                _ => (1 - side, 0),
            };
            own[side][at] += 1;
            left -= 1;
        }
        let again = at == m;
        if side == me && !again && own[me][at] == 1 {
            let opposite = &mut own[1 - me][m - 1 - at];
            if *opposite > 0 || self.empty {
                let taken = std::mem::take(opposite) + 1;
                own[me][at] = 0;
                own[me][m] += taken;
            }
        }
        Counters { own, mover: if again { s.mover } else { 1 - s.mover } }
    }
    fn utility(&self, s: &Counters, player: u8) -> i32 {
        // What is left in the pits belongs to the side it lies on.
        let [first, second] = s.own.map(|own| own.iter().map(|n| i32::from(*n)).sum::<i32>());
        if player == 0 { first - second } else { second - first }
    }
}

impl Describe for Kalah {
    fn parse(&self, given: &str) -> Result<Counters, Refusal> {
        let (sides, mover) = grid::mover(given)?;
        let side = |side: &str| {
            let read: Option<Vec<u8>> = side.split(',').map(|n| n.trim().parse().ok()).collect();
            let read = read.filter(|read| read.len() == self.m() + 1)?;
            let mut own = [0; MOST + 1];
            own[..=self.m()].copy_from_slice(&read);
            Some(own)
        };
        let read: Option<Vec<[u8; MOST + 1]>> = sides.split('/').map(side).collect();
        let total = 2 * u32::from(self.pits) * u32::from(self.seeds);
        let fits =
            |own: &[[u8; MOST + 1]; 2]| own.iter().flatten().map(|n| u32::from(*n)).sum::<u32>() == total;
        let own = read.and_then(|read| read.try_into().ok()).filter(fits).ok_or_else(|| {
            let m = self.m();
            let accepts = Text::of(
                format!("two sides joined by /, each of {m} pits and the store joined by commas, {total} counters in all"),
                format!("/ で区切った2側。各側は{m}個の穴とゴールをカンマ区切り、合計{total}個"),
            );
            refused(given, accepts)
        })?;
        Ok(Counters { own, mover })
    }
    fn print(&self, s: &Counters) -> Option<String> {
        let side =
            |own: &[u8; MOST + 1]| own[..=self.m()].iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        Some(format!("{}/{}_{}", side(&s.own[0]), side(&s.own[1]), s.mover + 1))
    }
    fn action(&self, s: &Counters, pit: u8) -> Move {
        let id = (pit + 1).to_string();
        let label = Text::of(format!("pit {id}"), format!("穴{id}"));
        Move { on: vec![format!("{}-{id}", s.mover + 1)], ..Move::new(id, label) }
    }
    fn board(&self, s: &Counters, _: &Past<Kalah>, _: Viewer) -> Board {
        // The first player's pits run to the right along the bottom, the second's back along the top.
        let item = |(side, at): (u8, u8)| {
            let place = if side == 0 { square(at + 1, 0) } else { square(self.pits - at, 1) };
            let shape = if at == self.pits { Form::Tile } else { Form::Disc };
            let count = s.own[usize::from(side)][usize::from(at)].to_string();
            let token = Token::new(shape, Tint::White).text(Text::same(count));
            Item::token(format!("{}-{}", side + 1, at + 1), token).at(place)
        };
        let items = (0..2).flat_map(|side| (0..=self.pits).map(move |at| (side, at))).map(item).collect();
        let mut squares = Squares { bare: true, ..Squares::new(self.pits + 2, 2) };
        squares.grounds.insert(square(0, 0), Ground::Hole);
        squares.grounds.insert(square(self.pits + 1, 1), Ground::Hole);
        let store = |p: usize| Text::same(s.own[p][self.m()].to_string());
        let seat = |(p, name): (usize, Text)| Seat {
            score: store(p),
            unit: text("in store", "ゴール"),
            ..Seat::named(name)
        };
        let seats = self.players().into_iter().enumerate().map(seat).collect();
        Board { seats, ..Board::new(vec![Zone::new("board", Shape::Board(squares), Text::default(), items)]) }
    }
    fn players(&self) -> Vec<Text> {
        vec![text("Below", "下側"), text("Above", "上側")]
    }
    fn measure(&self) -> Measure {
        Measure::Points { name: text("counters", "石の差") }
    }
    fn why(&self, s: &Counters) -> Text {
        let [first, second] = s.own.map(|own| own.iter().map(|n| u32::from(*n)).sum::<u32>());
        Text::of(format!("{first} counters to {second}"), format!("石は{first}対{second}"))
    }
}

/// The registered game.
pub struct Sowing;

static ABOUT: About = About {
    id: "kalah",
    name: text("Kalah", "カラハ"),
    summary: text(
        "sow counters round the board; most in the own store win",
        "石を配って回り、自分のゴールに多く集める",
    ),
    rules: Primer {
        goal: text(
            "Have more counters in your store than the other in the end.",
            "最後に自分のゴールの石を相手より多くする。",
        ),
        play: text(
            "A move takes all counters of one of one's own pits and sows them one by one, counter-clockwise, into the next pits, one's own store included and the other's left out. If the last counter falls into one's own store one moves again. If it falls into a pit of one's own that was empty, it goes to one's own store together with the counters of the pit opposite, if there are any (or, as an option, even if there are none).",
            "自分の穴を1つ選び、石を全部取って反時計回りに1個ずつ配る（自分のゴールには入れ、相手のゴールは飛ばす）。最後の石が自分のゴールに入ればもう一度。空だった自分の穴に入れば、向かいの穴に石があれば（設定によっては無くても）両方を自分のゴールへ。",
        ),
        end: text(
            "As soon as all pits of one side are empty the game is over, and what is left belongs to the other side.",
            "片側の穴が全部空になったら終わりで、残りはその側の持ち主のもの。",
        ),
        values: text(
            "A value is the counters that the player to move will have more than the other in the end, if both play their best.",
            "値は、双方最善のときの手番側の最後の石の差（自分−相手）。",
        ),
    },
    notation: text(
        "the first player's pits and store joined by commas, /, the second's, each in the order of sowing; then _ and the player to move, 1 or 2",
        "先手の穴とゴールをカンマ区切り、/、後手の穴とゴール（配る順）。最後に _ と手番（1か2）",
    ),
    example: "3,0,4,1/4,3,3,0_1",
    eval: text(
        "position (pits and stores), pits, seeds, capture",
        "position（穴とゴール）、pits、seeds、capture",
    ),
    question: r#"{"position":"3,0,4,1/4,3,3,0_1"}"#,
    players: 2,
};

static PARAMS: [Param; 3] = [
    Param::int("pits", 1, MOST as i64, "3", text("pits of a side", "片側の穴の数")),
    Param::int("seeds", 1, 10, "3", text("counters of a pit at the start", "最初の穴の石の数")),
    Param {
        name: "capture",
        domain: Domain::Choice(&[
            ("opposite", text("only with counters in the pit opposite", "向かいに石があるときだけ")),
            ("empty", text("even if the pit opposite is empty", "向かいが空でも")),
        ]),
        default: "opposite",
        help: text(
            "when the last counter in an empty pit goes to the store",
            "空の穴に入った最後の石をゴールに移す条件",
        ),
    },
];

impl Family for Sowing {
    type Game = Kalah;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Kalah, Refusal> {
        let [pits, seeds] = ["pits", "seeds"].map(|name| settings.int(name) as u8);
        Ok(Kalah { pits, seeds, empty: settings.word("capture") == "empty" })
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("3 pits, 3 counters", "3穴3石"), settings: &[] },
            Variant { name: text("4 pits, 3 counters", "4穴3石"), settings: &[("pits", "4")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[("seeds", "2")], position: None },
            Sample { settings: &[("pits", "2"), ("capture", "empty")], position: Some("0,4,1/3,3,1_2") },
        ]
    }
}
