//! Generalised 66 (一般化66): a trick-taking game of one suit with open cards, and the paper about it, refereed.

pub mod answer;
pub mod closed;
pub mod dense;
pub mod points;
pub mod rules;
pub mod scene;
pub mod search;
pub mod seat;
pub mod solver;
pub mod strategies;
pub mod summary;
pub mod table;

use crate::contract::Contract;
use crate::entry::{About, Entry, Evaluator, Headline};
use crate::params::{Kind, Param, Settings};
use crate::play::{Match, Play};
use crate::tables::Tables;
use answer::Requests;
use seat::Seated;
use strategies::{Reply, Strategy};
use table::{Advice, Table};
use yomikiri_core::{Error, Game, Run, Text, text};
use yomikiri_view::report::Outcome;
use yomikiri_view::scene::{Scene, Viewer};

/// The registered game.
pub static SIXTYSIX: SixtysixEntry = SixtysixEntry;

/// Generalised 66 as the faces see it.
pub struct SixtysixEntry;

static ABOUT: About = About {
    id: "sixtysix",
    name: text("Generalised 66", "一般化66"),
    summary: text(
        "open trick-taking for points: winner, exact difference, closed forms for one scoring card",
        "公開手札のトリックテイキング：勝者と厳密な得点差、得点札1枚の閉じた判定式",
    ),
    notation: text(
        "parts joined by _: hands A: and B:, deck D: (next card first), points Q: (card=points, one card alone, or all=points), leader L:, points held W:, target T: (exceed) or R: (reach)",
        "_ で区切る：手札 A: と B:、山札 D:（上から）、得点 Q:（札=点、札だけなら1点、all=点）、先手 L:、既得点 W:、目標 T:（超える）か R:（達する）",
    ),
    example: "A:1,4,6_B:2,3,5_D:7,8_Q:4=3,7=1/2_L:B",
    eval: text(
        "hand_a, hand_b, deck, points (worth of cards 1, 2, …), leader, pa, pb, tp, rule (exceeds, reaches); or q (the only scoring card); g (a card of the deck); objective (target, difference, tricks)",
        "hand_a、hand_b、deck、points（カード1, 2, …の得点）、leader、pa、pb、tp、rule（exceeds、reaches）。または q（唯一の得点札）、g（山札の札）、objective（target、difference、tricks）",
    ),
    question: r#"{"hand_a":[1,4,6],"hand_b":[2,3,5],"deck":[7,8],"points":[0,0,0,3,0,0,1,0],"leader":"B"}"#,
    players: 2,
};

static PARAMS: [Param; 8] = [
    Param {
        name: "hand",
        kind: Kind::Int { min: 1, max: 20 },
        default: "5",
        help: text("cards in each hand", "手札の枚数"),
    },
    Param {
        name: "deck",
        kind: Kind::Int { min: 0, max: 120 },
        default: "10",
        help: text("cards in the deck, an even number", "山札の枚数（偶数）"),
    },
    Param {
        name: "points",
        kind: Kind::Choice(&[
            ("random", text("0 to 10 for each card", "各カード0～10点")),
            ("signed", text("−10 to 10 for each card", "各カード−10～10点")),
            ("one", text("one card scores", "得点札1枚")),
            ("hearts", text("one card costs a point", "失点札1枚")),
        ]),
        default: "random",
        help: text("what cards are worth; the seed decides", "カードの得点（シードで決まる）"),
    },
    Param {
        name: "objective",
        kind: Kind::Choice(&[
            ("difference", text("as many points more as possible", "得点差の最大化")),
            ("target", text("to pass the target first", "先に目標を超える")),
            ("tricks", text("whist: every card is worth a point", "ホイスト：全カード1点")),
        ]),
        default: "difference",
        help: text("what the players want", "目的"),
    },
    Param {
        name: "target",
        kind: Kind::Int { min: -100_000, max: 100_000 },
        default: "0",
        help: text("the target, if given; half of all points otherwise", "目標点（省略時は全得点の半分）"),
    },
    Param {
        name: "rule",
        kind: Kind::Choice(&[
            ("exceeds", text("the target must be exceeded", "目標を超える")),
            ("reaches", text("the target must be reached", "目標に達する")),
        ]),
        default: "exceeds",
        help: text("what passing the target means", "目標の判定"),
    },
    Param {
        name: "leader",
        kind: Kind::Choice(&[("A", text("A leads", "A先手")), ("B", text("B leads", "B先手"))]),
        default: "A",
        help: text("who leads", "先手"),
    },
    Param {
        name: "opponent",
        kind: Kind::Choice(&[
            ("best", text("plays the best card", "最善手")),
            (
                "strategy",
                text(
                    "plays the paper's strategy (one scoring card, no deck)",
                    "論文のストラテジー（得点札1枚・山札なし）",
                ),
            ),
        ]),
        default: "best",
        help: text("how the machine plays", "機械の打ち方"),
    },
];

impl Entry for SixtysixEntry {
    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
        summary::solve(settings, run)
    }
    fn show(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Outcome, Error> {
        summary::show(settings, position, run)
    }
    fn scene(
        &self,
        settings: &Settings,
        position: Option<&str>,
        viewer: Viewer,
        run: &Run<'_>,
    ) -> Result<Scene, Error> {
        scene::asked(settings, position, viewer, run)
    }
    fn edits(&self, settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Scene, Error> {
        scene::edits(settings, position, run)
    }
    fn headline(&self, run: &Run<'_>) -> Result<Headline, Error> {
        scene::headline(run)
    }
    fn evaluator(&self, exact: bool) -> Box<dyn Evaluator> {
        Box::new(Requests::new(exact))
    }
    fn play(
        &self,
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<Box<dyn Play>, Error> {
        let table = summary::table(settings, position, run)?;
        let start = table.start();
        let strategy = match settings.word("opponent") {
            "strategy" => Some(Strategy::of(table.game(), &start, Reply::Corrected)?),
            _ => None,
        };
        let advice = Advice::new(&table, &start, run)?;
        let play = Match::new(table, advice, start, run.seed, 0.0);
        Ok(match strategy {
            Some(strategy) => Box::new(Seated { play, strategy }),
            None => Box::new(play),
        })
    }
    fn tables(&self) -> Result<&'static dyn Tables, Text> {
        Err(text(
            "every deal is a game of its own, solved when it is asked for",
            "配牌ごとに別のゲームで、問われたときに解きます",
        ))
    }
    fn contract(&self, contract: &mut Contract) {
        contract.edits(self, &[("hand", "3"), ("deck", "4")], None);
        contract.edits(self, &[], Some("A:1,4,9_B:2,3,5_D:7,8,12,6_Q:4=3,7=-1/2,9=2/3_W:3,1_T:4"));
        contract.plays(self, &[("hand", "3"), ("deck", "6")], None, 3);
        contract.plays(
            self,
            &[("hand", "4"), ("deck", "2"), ("objective", "target"), ("leader", "B")],
            None,
            2,
        );
        let strategy = [("hand", "4"), ("deck", "0"), ("points", "one"), ("opponent", "strategy")];
        contract.plays(self, &strategy, None, 2);
        for position in [
            "A:1,4,6_B:2,3,5_D:7,8_Q:4=3,7=1/2_L:B",
            "A:1,4,9_B:2,3,5_D:7,8,12,6_Q:4=3,7=-1/2,9=2/3_W:3,1_T:4",
            "A:1,4_B:2,3_R:3",
            "A:1,5,7_B:2,3,9_Q:7",
        ] {
            match Table::read(position) {
                Ok(table) => {
                    contract.rules(&table);
                    contract.keys(&table);
                    contract.notation(&table);
                    contract.scenes_of(self, &table, 6);
                    contract.rules(table.game());
                }
                Err(refusal) => contract.failures.push(refusal.to_string()),
            }
        }
    }
}
