//! The inspection game (査察ゲーム): few inspections for many periods, and somebody who would like to break the rules once.

use crate::line::{self, Line, by_line};
use yomikiri_core::{Game, Hidden, Refusal, Text, Turn, text};
use yomikiri_games::about::{About, Primer};
use yomikiri_games::approach::Approach;
use yomikiri_games::describe::{Describe, Past};
use yomikiri_games::family::{Family, Sample, Variant};
use yomikiri_games::hidden::PartSeen;
use yomikiri_games::params::{Param, Settings};
use yomikiri_view::analysis::Measure;
use yomikiri_view::scene::{Board, Form, Item, Move, Shape, Tint, Token, Viewer, Zone};

/// The rules: periods, and in how many of them there can be an inspection.
pub struct Inspection {
    periods: u8,
    inspections: u8,
}

/// What was done, the inspector before the other in each period: whether there was an inspection or a violation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Periods(Vec<bool>);

impl Periods {
    /// What the inspector has done.
    fn inspected(&self) -> impl Iterator<Item = bool> {
        self.0.iter().copied().step_by(2)
    }
    /// Whether the last period ended with a violation.
    fn violated(&self) -> bool {
        self.0.len().is_multiple_of(2) && self.0.last() == Some(&true)
    }
}

impl Game for Inspection {
    type State = Periods;
    /// Whether to inspect, or to break the rules.
    type Action = bool;

    fn start(&self) -> Periods {
        Periods(vec![])
    }
    fn turn(&self, s: &Periods) -> Turn {
        let over = s.violated() || s.0.len() == 2 * usize::from(self.periods);
        if over { Turn::Terminal } else { Turn::Player(s.0.len() as u8 % 2) }
    }
    fn actions(&self, s: &Periods, out: &mut Vec<bool>) {
        out.push(false);
        let used = s.inspected().filter(|done| *done).count();
        if s.0.len() % 2 == 1 || used < usize::from(self.inspections) {
            out.push(true);
        }
    }
    fn apply(&self, s: &Periods, a: bool) -> Periods {
        Periods([s.0.as_slice(), &[a]].concat())
    }
    fn utility(&self, s: &Periods, player: u8) -> i32 {
        let first = match (s.violated(), s.inspected().last()) {
            (true, Some(true)) => 1,
            (true, _) => -1,
            _ => 0,
        };
        if player == 0 { first } else { -first }
    }
}

impl Hidden for Inspection {
    /// Everything of the periods that are over.
    type Info = Vec<bool>;
    fn info(&self, s: &Periods, _: u8) -> Vec<bool> {
        s.0[..s.0.len() / 2 * 2].to_vec()
    }
}

impl Line for Inspection {
    fn line(&self, s: &Periods) -> Vec<bool> {
        s.0.clone()
    }
    fn sees(&self, s: &Periods, before: &Periods, _: bool, viewer: Viewer) -> bool {
        let player = before.0.len() % 2;
        s.0.len() >= before.0.len() + 2 - player || viewer.map(usize::from) == Some(player)
    }
    fn word(&self, before: &Periods, a: bool, seen: bool) -> String {
        match (seen, before.0.len() % 2) {
            (true, _) => self.action(before, a).id,
            (false, 0) => "i?".to_owned(),
            (false, _) => "v?".to_owned(),
        }
    }
}

impl Describe for Inspection {
    by_line!(ABOUT.notation);
    fn action(&self, s: &Periods, a: bool) -> Move {
        let (id, label) = match (s.0.len() % 2, a) {
            (0, true) => ("inspect", text("inspect", "査察する")),
            (0, false) => ("wait", text("do not inspect", "査察しない")),
            (_, true) => ("violate", text("break the rules", "違反する")),
            (_, false) => ("comply", text("keep the rules", "守る")),
        };
        Move::new(id, label)
    }
    fn board(&self, s: &Periods, _: &Past<Inspection>, viewer: Viewer) -> Board {
        let (names, viewer) = (self.players(), line::eyes(self, s, viewer));
        let row = |player: usize| {
            let token = |(at, done): (usize, &bool)| {
                let seen = s.0.len() / 2 > at || viewer.map(usize::from) == Some(player);
                let sign = match (seen, done) {
                    (false, _) => "?",
                    (true, true) => "×",
                    (true, false) => "○",
                };
                let token = Token::new(Form::Tile, Tint::White).text(Text::same(sign));
                Item::token(format!("p{player}-{at}"), token)
            };
            let items = s.0.iter().skip(player).step_by(2).enumerate().map(token).collect();
            Zone::new(format!("p{player}"), Shape::Hand, names[player].clone(), items)
        };
        Board::new(vec![row(0), row(1)])
    }
    fn players(&self) -> Vec<Text> {
        vec![text("Inspector", "査察側"), text("Inspected", "被査察側")]
    }
    fn measure(&self) -> Measure {
        Measure::Points { name: text("points", "点") }
    }
    fn happened(&self, before: &Periods, a: bool, after: &Periods) -> Text {
        let Some(inspected) = before.inspected().last().filter(|_| before.0.len() % 2 == 1) else {
            return text("the inspector has decided", "査察側が決めた");
        };
        let [first, second] = [self.words(&self.start(), inspected), self.words(before, a)];
        let period = after.0.len() / 2;
        Text::of(
            format!("period {period}: {}; {}", first.en, second.en),
            format!("第{period}期：{}、{}", first.ja, second.ja),
        )
    }
    fn conceals(&self, before: &Periods, _: bool, viewer: Viewer) -> bool {
        before.0.len().is_multiple_of(2) && viewer != Some(0)
    }
    fn why(&self, s: &Periods) -> Text {
        match (s.violated(), s.inspected().last()) {
            (true, Some(true)) => text("the violation was seen", "違反が見つかった"),
            (true, _) => text("the violation was not seen", "違反は見つからなかった"),
            _ => text("there was no violation", "違反はなかった"),
        }
    }
}

/// The registered game.
pub struct Control;

static ABOUT: About = About {
    id: "inspection",
    name: text("Inspection game", "査察ゲーム"),
    summary: text("few inspections, and one violation at most", "限られた回数の査察で違反を見つける"),
    rules: Primer {
        goal: text(
            "The inspector catches a violation; the other breaks the rules unseen.",
            "査察側は違反を見つける。相手は見つからずに違反する。",
        ),
        play: text(
            "In each period the inspector inspects or not, and the other keeps the rules or breaks them, both at the same time; afterwards both know what was done. There are only so many inspections.",
            "毎期、査察側は査察するかどうか、相手は規則を守るか破るかを同時に選び、終わると互いに分かる。査察の回数は限られる。",
        ),
        end: text(
            "A violation ends the game: the inspector gets 1 if there was an inspection, loses 1 if not. Without a violation nobody gets anything.",
            "違反があれば終わりで、査察していれば査察側の +1、していなければ −1。違反がなければ 0。",
        ),
        values: text(
            "A value is what the player to move gets on average, from −1 to +1, if both play by the strategies found here. Beside a move stands how often the strategy makes it.",
            "値は、双方がここで求めた戦略どおりに打つときの、手番側が得る点の期待値（−1～+1）。手の横に、戦略がその手を選ぶ割合を示す。",
        ),
    },
    notation: text(
        "for every period inspect or wait, and comply or violate, joined by dots, e.g. wait.comply.inspect; i? for what the inspector has decided and nobody knows; start before the first period",
        "各期の inspect か wait と comply か violate をドットで区切る。例：wait.comply.inspect。知らない査察側の選択は i?。始まる前は start",
    ),
    example: "wait.comply.i?",
    eval: text("position (what was done), periods, inspections", "position（行動）、periods、inspections"),
    question: r#"{"position":"wait.comply.i?"}"#,
    players: 2,
};

static PARAMS: [Param; 2] = [
    Param::int("periods", 1, 16, "3", text("periods", "期の数")),
    Param::int("inspections", 0, 16, "1", text("inspections, at most", "査察の回数の上限")),
];

impl Family for Control {
    type Game = Inspection;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn game(&self, settings: &Settings, _: u64) -> Result<Inspection, Refusal> {
        let of = |name| settings.int(name) as u8;
        Ok(Inspection { periods: of("periods"), inspections: of("inspections") })
    }
    fn approach(&self) -> Option<&'static dyn Approach<Inspection>> {
        Some(&PartSeen)
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("3 periods, 1 inspection", "3期、査察1回"), settings: &[] },
            Variant {
                name: text("4 periods, 2 inspections", "4期、査察2回"),
                settings: &[("periods", "4"), ("inspections", "2")],
            },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[], position: None },
            Sample {
                settings: &[("periods", "4"), ("inspections", "2")],
                position: Some("inspect.comply.i?"),
            },
        ]
    }
}
