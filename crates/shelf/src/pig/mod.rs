//! Pig (ピッグ): roll and add as long as you dare; a 1 takes the turn and all it brought.

use crate::grid;
use yomikiri_core::{Game, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer, WIN_RATE};
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::params::{Param, Settings};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Item, Move, Seat, Shape, Token, Viewer, Zone};

/// The rules with the points that win.
pub struct Pig {
    target: u8,
}

/// What each player has banked, what the turn has brought, at most what is needed to win; who is to move, and whether
/// the die is in the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Points {
    banked: [u8; 2],
    turn: u8,
    mover: u8,
    rolling: bool,
}

/// What a player does; for the die it is its face.
const HOLD: u8 = 0;
const ROLL: u8 = 1;

impl Game for Pig {
    type State = Points;
    /// Hold or roll; for the die, what it shows.
    type Action = u8;

    fn start(&self) -> Points {
        Points { banked: [0, 0], turn: 0, mover: 0, rolling: false }
    }
    fn turn(&self, s: &Points) -> Turn {
        match s {
            _ if s.banked.iter().any(|n| *n >= self.target) => Turn::Terminal,
            Points { rolling: true, .. } => Turn::Chance,
            _ => Turn::Player(s.mover),
        }
    }
    fn actions(&self, s: &Points, out: &mut Vec<u8>) {
        out.extend((s.turn > 0).then_some(HOLD));
        out.push(ROLL);
    }
    fn chance(&self, _: &Points, out: &mut Vec<(u8, u32)>) {
        out.extend((1..=6).map(|face| (face, 1)));
    }
    fn apply(&self, s: &Points, a: u8) -> Points {
        let mut banked = s.banked;
        match (s.rolling, a) {
            (false, ROLL) => Points { rolling: true, ..*s },
            (false, _) => {
                banked[usize::from(s.mover)] += s.turn;
                Points { banked, turn: 0, mover: 1 - s.mover, rolling: false }
            }
            (true, 1) => Points { turn: 0, mover: 1 - s.mover, rolling: false, ..*s },
            (true, face) => {
                // More than is needed is not told apart.
                let enough = self.target - s.banked[usize::from(s.mover)];
                Points { turn: (s.turn + face).min(enough), rolling: false, ..*s }
            }
        }
    }
    fn utility(&self, s: &Points, player: u8) -> i32 {
        if s.banked[usize::from(player)] >= self.target { 1 } else { -1 }
    }
}

impl Describe for Pig {
    fn parse(&self, given: &str) -> Result<Points, Refusal> {
        let (points, mover) = grid::mover(given)?;
        let read: Option<Vec<u8>> = points.split(',').map(|n| n.trim().parse().ok()).collect();
        let read = read.and_then(|read| <[u8; 3]>::try_from(read).ok());
        let fits = |&[first, second, turn]: &[u8; 3]| {
            let most = [first, second].map(|n| self.target.saturating_sub(n));
            match most {
                [0, 0] => false,
                // Whoever has just won is not to move.
                [0, _] => turn == 0 && mover == 1 && first == self.target,
                [_, 0] => turn == 0 && mover == 0 && second == self.target,
                most => {
                    turn != 1 && turn <= most[usize::from(mover)]
                        || turn == 1 && most[usize::from(mover)] == 1
                }
            }
        };
        let [first, second, turn] = read.filter(fits).ok_or_else(|| {
            let target = self.target;
            let accepts = Text::of(
                format!("the points of both and of the turn, joined by commas; at most {target} each, not more in the turn than is needed and never 1"),
                format!("両者の得点とこの番の得点をカンマ区切り。どれも{target}以下、この番は必要な点以下で1にはならない"),
            );
            Refusal::new("points", format!("\"{given}\""), accepts)
        })?;
        Ok(Points { banked: [first, second], turn, mover, rolling: false })
    }
    fn print(&self, s: &Points) -> Option<String> {
        let Points { banked: [first, second], turn, mover, rolling } = s;
        (!rolling).then(|| format!("{first},{second},{turn}_{}", mover + 1))
    }
    fn action(&self, s: &Points, a: u8) -> Move {
        match (s.rolling, a) {
            (true, face) => {
                Move::new(face.to_string(), Text::of(format!("a {face} is rolled"), format!("{face}の目")))
            }
            (false, HOLD) => {
                Move::new("hold", Text::of(format!("hold {}", s.turn), format!("{}点で止める", s.turn)))
            }
            (false, _) => Move { on: vec!["turn".into()], ..Move::new("roll", text("roll", "振る")) },
        }
    }
    fn board(&self, s: &Points, _: &Past<Pig>, _: Viewer) -> Board {
        let token = Token::num(s.turn.into(), None).named(text("points of this turn", "この番の得点"));
        let label = text("this turn", "この番");
        let zone = Zone::new("now", Shape::Hand, label, vec![Item::token("turn", token)]);
        let seat = |(p, name): (usize, Text)| Seat::scoring(name, s.banked[p], text("points", "点"));
        Board { seats: self.players().into_iter().enumerate().map(seat).collect(), ..Board::new(vec![zone]) }
    }
    fn measure(&self) -> Measure {
        Measure::WinRate
    }
    fn scores(&self, s: &Points) -> Option<Vec<i64>> {
        Some(s.banked.map(i64::from).into())
    }
    fn rescored(&self, s: &Points, scores: &[i64]) -> Option<String> {
        let &[first, second] = scores else { return None };
        let after = format!("{first},{second},{}_{}", s.turn, s.mover + 1);
        self.parse(&after).ok().map(|_| after)
    }
    fn edits(&self, s: &Points) -> Vec<Move> {
        let scores = (0..self.target)
            .flat_map(|n| [[n, s.banked[1]], [s.banked[0], n]])
            .map(|banked| Points { banked, turn: 0, ..*s });
        let turns = (0..=self.target).map(|turn| Points { turn, ..*s });
        let all = scores.chain(turns).chain([Points { turn: 0, mover: 1 - s.mover, ..*s }]);
        let fits = |s: Points| self.print(&s).filter(|id| self.parse(id).is_ok());
        all.filter_map(fits).map(|id| Move::new(id.clone(), Text::same(id))).collect()
    }
    fn why(&self, _: &Points) -> Text {
        Text::of(format!("{} points are reached", self.target), format!("{}点に達した", self.target))
    }
}

/// The registered game.
pub struct Race;

static ABOUT: About = About {
    id: "pig",
    name: text("Pig", "ピッグ"),
    summary: text(
        "roll on or bank the points; a 1 loses the turn",
        "振り続けるか止めるか。1の目でその番は無効",
    ),
    rules: Primer {
        goal: text("Be the first to bank the agreed number of points.", "先に目標点に達する。"),
        play: text(
            "A turn is one or more rolls of a die. A roll of 2 to 6 adds to the turn; a 1 ends it with nothing. After at least one roll the player may hold: the points of the turn are banked and the other player is to move.",
            "自分の番にさいころを1回以上振る。2～6の目はこの番の得点に加わり、1が出ると得点なしで番が終わる。1回以上振った後は止めてもよく、この番の得点が加算されて相手の番になる。",
        ),
        end: text("Whoever first banks enough points wins.", "先に目標点に達した方が勝ち。"),
        values: WIN_RATE,
    },
    notation: text(
        "the first player's points, the second's and those of the turn, joined by commas; then _ and the player to move, 1 or 2",
        "先手の得点、後手の得点、この番の得点をカンマ区切り。最後に _ と手番（1か2）",
    ),
    example: "4,2,3_1",
    eval: text("position (the points), target", "position（得点）、target"),
    question: r#"{"position":"4,2,3_1"}"#,
    players: 2,
};

static PARAMS: [Param; 1] = [Param::int("target", 2, 120, "10", text("points that win", "目標点"))];

impl Family for Race {
    type Game = Pig;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Pig, Refusal> {
        Ok(Pig { target: settings.int("target") as u8 })
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("To 10 points", "10点まで"), settings: &[] },
            Variant { name: text("To 30 points", "30点まで"), settings: &[("target", "30")] },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[("target", "6")], position: None },
            Sample { settings: &[("target", "8")], position: Some("3,5,2_2") },
        ]
    }
}
