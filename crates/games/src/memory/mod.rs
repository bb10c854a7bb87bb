//! Memory (神経衰弱): two players with perfect memory, solved completely.

pub mod advice;
pub mod answer;
mod arrays;
pub mod asked;
pub mod board;
mod describe;
pub mod forgetting;
pub mod levels;
pub mod lines;
pub mod notation;
mod on_disk;
mod opened;
pub mod party;
pub mod rules;
mod summary;
pub mod table;

use crate::about::{About, Claim, Evaluator, Primer};
use crate::analyse::Analyse;
use crate::approach::Approach;
use crate::describe::Describe;
use crate::entry::Entry;
use crate::erased::Erased;
use crate::family::{Family, Sample, Variant};
use crate::params::{Domain, Param, Settings};
use crate::strength::{Strength, strengths};
use crate::tables::Tables;
use advice::Solved;
use answer::Requests;
use forgetting::model::{self, Model};
use rules::{MAX_RANKS, Objective};
use table::{CardTable, Layout};
use yomikiri_core::{Error, Game, Refusal, Run, Text, text};
use yomikiri_view::report::{Certainty, Outcome};

/// The registered game as the faces see it.
pub static MEMORY: Erased<Pairs> = Erased(&Pairs);

/// Memory, played with cards in their places and solved by counts of ranks.
pub struct Pairs;

const NAME: Text = text("Memory", "神経衰弱");
const NOTATION: Text = text(
    "ranks by unknown and known cards with their number, the pair difference for the player to move, and whether the other has just passed; ranks not listed are gone",
    "（未知枚数・既知枚数）ごとのランク数、手番側のペア差、直前のパス。書かれないランクは取得済み",
);

static ABOUT: About = About {
    id: "memory",
    name: NAME,
    summary: text(
        "the value of every position: for two who remember everything, for three to five, and for two who forget",
        "全局面の値：完全記憶の2人、3～5人、忘れる2人",
    ),
    rules: Primer {
        goal: text("Take more pairs than the other player.", "相手より多くのペアを取る。"),
        play: text(
            "All cards lie face down, and both players remember every card they have seen. A move turns one card, then a second one. Two cards of equal rank leave as a pair, and the same player goes on; otherwise both lie face down again and the other is to move. Showing two known cards that do not match is a pass.",
            "札はすべて伏せてあり、双方が見た札を全部覚えている。1枚めくり、続けてもう1枚めくる。同じランクならペアとして取り、続けて打つ。違えば両方伏せて相手の番。既知の合わない2枚を見せるのはパス。",
        ),
        end: text(
            "The game is over when all cards are taken, or after two passes in a row. Most pairs win.",
            "すべて取るか、続けて2回パスすると終わり。ペアの多い方が勝ち。",
        ),
        values: text(
            "A value is the chance of the player to move to win, a draw counting half: 0.5 is even. If pairs are played for, it is the pairs ahead on average.",
            "値は手番側の勝率（引き分けは½）。0.5 で互角。ペア数を争う設定では、ペア差の期待値。",
        ),
    },
    notation: NOTATION,
    example: "9x40,2x31,22,11,d1",
    eval: text(
        "counts (ranks by pattern (4,0) (3,1) (2,2) (1,3) (0,4) (2,0) (1,1) (0,2) (0,0)), diff, prev_pass, copies, objective; with players, pass or tie also scores (in order of play) and passes; or position and parameters",
        "counts（パターン (4,0) (3,1) (2,2) (1,3) (0,4) (2,0) (1,1) (0,2) (0,0) のランク数）、diff、prev_pass、copies、objective。players、pass、tie では scores（手番順）と passes も可。または position とパラメータ",
    ),
    question: r#"{"counts":[2,0,0,0,0,0,0,0,0]}"#,
    players: 5,
};

const RANKS: Param = Param {
    name: "ranks",
    domain: Domain::Int { min: 1, max: MAX_RANKS as i64 },
    default: "13",
    help: text("how many ranks there are", "ランクの数"),
};
/// The number of cards of a rank.
pub const COPIES: Param = Param {
    name: "copies",
    domain: Domain::Choice(&[
        ("2", text("two cards a rank", "同ランク2枚")),
        ("4", text("four cards a rank, as in the paper", "同ランク4枚（論文）")),
        ("6", text("six cards a rank", "同ランク6枚")),
    ]),
    default: "4",
    help: text("cards of each rank", "同じランクの枚数"),
};
/// What the players maximise.
pub const OBJECTIVE: Param = Param {
    name: "objective",
    domain: Domain::Choice(&[
        ("win", text("win rate, a draw counts half", "勝率（引き分けは½）")),
        ("cards", text("expected pair difference", "ペア数の差の期待値")),
    ]),
    default: "win",
    help: text("what the players maximise", "最大化する量"),
};
/// What the players of the game maximise: more than the studies of the paper know.
const AIM: Param = Param {
    name: "objective",
    domain: Domain::Choice(&[
        ("win", text("win rate; equals share a win", "勝率（同数なら等分）")),
        ("pairs", text("own expected pairs", "自分のペア数の期待値")),
        ("margin", text("expected pairs more than the mean of the others", "他の平均とのペア差の期待値")),
        ("cards", text("the same as margin", "marginと同じ")),
    ]),
    default: "win",
    help: text("what the players maximise", "最大化する量"),
};
const PLAYERS: Param = Param::int("players", 2, 5, "2", text("how many play", "人数"));
const PASS: Param = Param {
    name: "pass",
    domain: Domain::Choice(&[
        ("end", text("everybody passing in a row ends the game", "全員が続けてパスすると終局")),
        ("must", text("after passes of all the others one must move", "他の全員がパスした後はパスできない")),
        ("none", text("nobody may pass", "パスなし")),
    ]),
    default: "end",
    help: text("what passes do", "パスの取り決め"),
};
const TIE: Param = Param {
    name: "tie",
    domain: Domain::Choice(&[
        ("lex", text("more own pairs, then the order of moves", "自分のペアが多い手、次に並び順")),
        ("order", text("the first in the order of moves", "手の並び順の最初")),
        ("last", text("the last in the order of moves", "手の並び順の最後")),
        ("friendly", text("the best for the next player", "次の人に有利な手")),
        ("hostile", text("the worst for the next player", "次の人に不利な手")),
        ("mix", text("all of them, with equal chances", "どれも等しい確率")),
    ]),
    default: "lex",
    help: text(
        "which of equally good moves is made; it matters to the others",
        "同じ値の手の選び方（他の人の値が変わる）",
    ),
};
const MODEL: Param = Param {
    name: "memory-model",
    domain: Domain::Text { accepts: model::ACCEPTS, check: |word| Model::read(word).map(|_| ()) },
    default: "perfect",
    help: text("what two players remember when the turn changes", "番が替わるとき2人が覚えていること"),
};
static PARAMS: [Param; 7] = [RANKS, COPIES, AIM, PLAYERS, PASS, TIE, MODEL];

impl Family for Pairs {
    type Game = CardTable;

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn params(&self) -> &'static [Param] {
        &PARAMS
    }

    fn game(&self, settings: &Settings, _: u64) -> Result<CardTable, Refusal> {
        Ok(CardTable::new(asked::game(settings)?))
    }

    fn position(
        &self,
        settings: &Settings,
        position: Option<&str>,
        _: &Run<'_>,
    ) -> Result<(CardTable, Layout), Error> {
        let (game, s) = asked::position(settings, position)?;
        let table = CardTable::new(game);
        let layout = table.deal(&s);
        Ok((table, layout))
    }

    /// More players, other passes and own pairs alone have a solver of their own, and so have players who forget.
    fn instead(&self, settings: &Settings, _: Option<&str>) -> Result<Option<&'static dyn Entry>, Refusal> {
        let many = party::asked::asked(settings);
        let word = settings.text(MODEL.name);
        match (Model::read(word)?, many) {
            (Model::Perfect, true) => Ok(Some(party::entry(settings.int("players")))),
            (Model::Perfect, false) => Ok(None),
            (_, false) => Ok(Some(forgetting::entry())),
            (_, true) => {
                let accepts = text(
                    "perfect: other memories are for two players with pass end who play for the win or the margin",
                    "perfect（他の記憶は2人・pass end・objective win か margin のみ）",
                );
                Err(Refusal::new(MODEL.name, word, accepts))
            }
        }
    }

    fn approach(&self) -> Option<&'static dyn Approach<CardTable>> {
        None
    }
    fn solver(
        &self,
        _: &Settings,
        game: &CardTable,
        s: &Layout,
        run: &Run<'_>,
    ) -> Result<Box<dyn Analyse<CardTable>>, Error> {
        Ok(Box::new(Solved::new(game.memory(), &game.position(s), run)?))
    }

    fn variant(&self, _: &Settings, game: &CardTable) -> Text {
        let game = game.memory();
        let objective = match game.objective() {
            Objective::Win => text("perfect memory", "完全記憶"),
            Objective::Cards => text("for pairs", "ペア数の差"),
        };
        Text::of(
            format!("{} ranks × {} cards, {}", game.ranks(), game.copies(), objective.en),
            format!("{}ランク×{}枚、{}", game.ranks(), game.copies(), objective.ja),
        )
    }

    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
        let game = self.game(settings, run.seed)?;
        let variant = self.variant(settings, &game);
        let heading = Text::of(format!("Memory, {}", variant.en), format!("神経衰弱　{}", variant.ja));
        summary::solve(settings, heading, run)
    }

    /// The value of the paper's game.
    fn headline(&self, run: &Run<'_>) -> Result<Claim, Error> {
        let settings = Settings::new(&PARAMS, [])?;
        let game = self.game(&settings, run.seed)?;
        let start = game.start();
        let analysis = self.solver(&settings, &game, &start, run)?.analyse(&game, &start, None, run)?;
        let value = analysis.known()?;
        let handicap = value.x < 0.5;
        Ok(Claim {
            big: value.text.clone(),
            text: Text::of(
                format!(
                    "The first player's win rate, 13 ranks. Going first is {}.",
                    if handicap { "a slight handicap" } else { "an advantage" }
                ),
                format!("先手の勝率（13ランク）。先手は{}。", if handicap { "わずかに不利" } else { "有利" }),
            ),
            cert: Certainty::Exact,
            settings,
            position: None,
        })
    }

    fn requests(&self, exact: bool) -> Option<Box<dyn Evaluator>> {
        let two: Box<dyn Evaluator> =
            if exact { Box::new(Requests::exact()) } else { Box::new(Requests::doubles()) };
        Some(Box::new(party::answer::Either::new(two, exact)))
    }

    fn tables(&self) -> Result<&'static dyn Tables, Text> {
        Ok(&on_disk::OnDisk)
    }

    fn advanced(&self) -> &'static [&'static str] {
        &["tie", "memory-model"]
    }

    fn strengths(&self, game: &CardTable) -> Vec<Strength> {
        let mut all = strengths(game.open());
        all.push(Strength {
            id: advice::NORMAL,
            name: text("As most people play", "ふつうの人"),
            note: text(
                "the paper's normal play: takes a known pair, or else turns unknown cards",
                "論文の通常戦略：既知のペアを取り、なければ未知の札をめくる",
            ),
        });
        all
    }

    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("Quick: 5 ranks", "小：5ランク"), settings: &[("ranks", "5")] },
            Variant { name: text("Whole deck: 13 ranks", "全部：13ランク"), settings: &[] },
            Variant {
                name: text("Two of each: 10 ranks", "2枚ずつ：10ランク"),
                settings: &[("ranks", "10"), ("copies", "2")],
            },
            Variant {
                name: text("For pairs, not for the win", "勝敗でなくペア差を争う"),
                settings: &[("ranks", "5"), ("objective", "cards")],
            },
            Variant {
                name: text("Forgetful: 5 ranks, every tenth card", "忘れっぽい2人：5ランク、1割を忘れる"),
                settings: &[("ranks", "5"), ("memory-model", "forget:0.1")],
            },
            Variant {
                name: text("Three players: 5 ranks", "3人：5ランク"),
                settings: &[("ranks", "5"), ("players", "3"), ("pass", "must")],
            },
            Variant {
                name: text("Four players: 6 ranks", "4人：6ランク"),
                settings: &[("ranks", "6"), ("players", "4"), ("pass", "must")],
            },
        ];
        ALL
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[("ranks", "3")], position: None },
            Sample { settings: &[("ranks", "5"), ("copies", "2"), ("objective", "cards")], position: None },
            Sample { settings: &[], position: Some("9x40,2x31,22,11,d1") },
            Sample { settings: &[("ranks", "2"), ("players", "3")], position: None },
            Sample {
                settings: &[("ranks", "5"), ("players", "3"), ("objective", "pairs")],
                position: Some("4x20,02,s1-0-2"),
            },
            Sample {
                settings: &[("ranks", "3"), ("players", "4"), ("pass", "must"), ("tie", "order")],
                position: Some("11,20,31,s1-0-0-0,pass,pass"),
            },
            Sample { settings: &[("ranks", "3"), ("pass", "none")], position: None },
            Sample { settings: &[("ranks", "2"), ("memory-model", "forget:1/3")], position: None },
            Sample { settings: &[("ranks", "3"), ("memory-model", "slots:2")], position: Some("2x31,40") },
            Sample {
                settings: &[("ranks", "4"), ("copies", "2"), ("memory-model", "last-turn")],
                position: Some("2x11,20,d1"),
            },
            Sample { settings: &[("ranks", "2"), ("memory-model", "asymmetric")], position: None },
        ]
    }
}
