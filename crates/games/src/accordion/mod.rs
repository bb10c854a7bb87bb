//! Accordion (アコーディオン): a solitaire with a row of open cards.

mod analysis;
mod answer;
mod board;
mod hints;
mod known;
pub mod method;
pub mod notation;
mod promise;
pub mod rules;
pub mod sliced;
mod summary;

use crate::about::{About, Claim, Evaluator, Primer};
use crate::analyse::Analyse;
use crate::approach::Approach;
use crate::describe::Describe;
use crate::erased::Erased;
use crate::family::{Family, Sample, Variant};
use crate::params::{Domain, Param, Settings};
use crate::tables::Tables;
use known::{Means, Rows};
use method::Winnable;
use rules::{Accordion, Row};
use yomikiri_core::{Error, Game, Refusal, Run, Text, text};
use yomikiri_view::report::Outcome;

/// The registered game.
pub static ACCORDION: Erased<Deals> = Erased(&Deals);

/// Deals of all variants.
pub struct Deals;

static ABOUT: About = About {
    id: "accordion",
    name: text("Accordion", "アコーディオン"),
    summary: text(
        "solitaire with a row of open cards: winnable or not with proof, a replayed solution",
        "1列に並べた公開カードの一人遊び：成功可能か（証明つき）と再生して確かめた手順",
    ),
    rules: Primer {
        goal: text("Turn the whole row into one pile.", "1列の札を1山にする。"),
        play: text(
            "All cards lie open in a row. A card may go onto the one before it or the third before it if suit or rank is the same. The card below is covered, and the gap closes.",
            "札を表にして1列に並べる。1つ前または3つ前の札とスートかランクが同じなら、その上に重ねる。下の札は隠れ、間を詰める。",
        ),
        end: text(
            "The game is won if one pile is left, and lost if no card can go onto another before.",
            "1山になれば成功。その前に重ねられる札がなくなれば失敗。",
        ),
        values: text(
            "A move says whether the game can still be won after it, and in how many moves. Where the search has met its limit it says that this is not known.",
            "手の値は、その後まだ成功できるかどうかと、その手数。探索の上限に達したときは不明と示す。",
        ),
    },
    notation: text(
        "the cards of the row from left to right, 1 to 52: suit S H D C, rank A 2–9 0 (or 10, T) J Q K; joined by blanks, commas or _",
        "列のカードを左から順に1～52枚：スート S H D C、ランク A 2–9 0（または 10、T）J Q K。空白・コンマ・_ で区切る",
    ),
    example: "S7_S4_S0_D3_S3_C9_S9_SA",
    eval: text(
        "row (the cards), count (true: also the number of rows that can be reached), distances, piles, grace; or position (a row) with parameters",
        "row（カード）、count（true なら到達可能な状態数も）、distances、piles、grace。または position（列）とパラメータ",
    ),
    question: r#"{"row":"S7 S4 S0 D3 S3 C9 S9 SA"}"#,
    players: 1,
};

static PARAMS: [Param; 8] = [
    Param {
        name: "row",
        domain: Domain::Text { accepts: notation::ROW, check: notation::check_row },
        default: "",
        help: text("the row, instead of a deal of the seed", "列を指定する（指定がなければシードで配る）"),
    },
    Param::int("suits", 1, 4, "4", text("suits of the deck", "スートの数")),
    Param::int("ranks", 1, 13, "13", text("ranks of the deck", "ランクの数")),
    Param::int(
        "start",
        0,
        52,
        "0",
        text(
            "cards laid out (late-binding solitaire: 17 or 18); 0 is the whole deck",
            "並べる枚数（レイトバインディングでは17か18）。0は全部",
        ),
    ),
    Param {
        name: "distances",
        domain: Domain::Text {
            accepts: text(
                "1 to 8 different distances from 1 to 51, e.g. 1,3",
                "1～51の異なる距離を1～8個、例：1,3",
            ),
            check: notation::check_distances,
        },
        default: "1,3",
        help: text(
            "how far to the left a card may go, in the order tried",
            "カードを重ねられる左への距離（試す順）",
        ),
    },
    Param::int("piles", 1, 52, "1", text("piles allowed at the end", "終わりに残ってよい山の数")),
    Param {
        name: "grace",
        domain: Domain::Choice(&[
            ("no", text("only matching cards", "合うカードだけ")),
            (
                "yes",
                text(
                    "once, any card may go onto the first pile",
                    "1回だけ任意のカードを先頭の山に重ねられる",
                ),
            ),
        ]),
        default: "no",
        help: text("the saving grace", "セービンググレース"),
    },
    Param::int("deals", 1, 1000, "1", text("deals of the seed to solve", "解く配札の数")),
];

/// The row that the headline shows: how it is dealt, and the seed.
const PICTURED: (&[(&str, &str)], u64) = (&[("start", "18")], 1);

impl Family for Deals {
    type Game = Accordion;

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn params(&self) -> &'static [Param] {
        &PARAMS
    }

    fn game(&self, settings: &Settings, seed: u64) -> Result<Accordion, Refusal> {
        let cards = match settings.given("row") {
            true => notation::cards(settings.text("row"))?,
            false => notation::dealt(settings, 0, seed)?,
        };
        Accordion::new(notation::rules(settings)?, cards)
    }

    /// Every row is the start of a game of its own.
    fn position(
        &self,
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<(Accordion, Row), Error> {
        let game = match position {
            Some(given) => {
                let rules = notation::rules(settings)?;
                let row = notation::row(&rules, given)?;
                Accordion::from_row(rules, row)?
            }
            None => self.game(settings, run.seed)?,
        };
        let row = game.start();
        Ok((game, row))
    }

    fn approach(&self) -> Option<&'static dyn Approach<Accordion>> {
        None
    }
    fn solver(
        &self,
        _: &Settings,
        game: &Accordion,
        _: &Row,
        run: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Accordion>>, Error> {
        Ok(Box::new(Rows::new(game.rules(), Means::All, run)?))
    }

    fn hints(
        &self,
        _: &Settings,
        game: &Accordion,
        _: &Row,
        run: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Accordion>>, Error> {
        Ok(Box::new(Rows::new(game.rules(), Means::Hint, run)?))
    }

    fn variant(&self, _: &Settings, game: &Accordion) -> Text {
        notation::variant(game.rules())
    }

    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
        match settings.int("deals") as u64 {
            deals if deals > 1 && !settings.given("row") => summary::many(settings, deals, run),
            _ => summary::one(&self.game(settings, run.seed)?, run),
        }
    }

    fn headline(&self, run: &Run<'_>) -> Result<Claim, Error> {
        let settings = Settings::new(self.params(), PICTURED.0.iter().copied())?;
        let game = self.game(&settings, PICTURED.1)?;
        let row = game.start();
        let answer = Rows::new(game.rules(), Means::Hint, run)?.answer(&row, run)?;
        let (score, cards) = (analysis::score(&answer), row.cards.len());
        let (big, text) = match &answer.winnable {
            Winnable::Yes(line) => (
                Text::of(format!("{} moves", line.len()), format!("{}手", line.len())),
                Text::of(
                    format!(
                        "turn these {cards} cards into one pile: found by search, replayed by the rules."
                    ),
                    format!("でこの{cards}枚が1山になる。探索で見つけ、規則で再生して確かめた。"),
                ),
            ),
            _ => (score.text, score.sub),
        };
        let settings = Settings::new(self.params(), [])?;
        Ok(Claim { big, text, cert: score.certainty, settings, position: game.print(&row) })
    }

    fn requests(&self, _: bool) -> Option<Box<dyn Evaluator>> {
        Some(Box::new(answer::Requests))
    }

    fn tables(&self) -> Result<&'static dyn Tables, Text> {
        Err(text(
            "every deal is a game of its own; the rows of the study `solvable` keep many of them, solved",
            "配列ごとに別のゲームです。実験 solvable の行として多数の解を保存できます",
        ))
    }

    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("Quick: 18 cards", "小：18枚"), settings: &[("start", "18")] },
            Variant { name: text("Whole deck", "全部：52枚"), settings: &[] },
            Variant {
                name: text("Two suits of five", "2スート5ランク"),
                settings: &[("suits", "2"), ("ranks", "5")],
            },
            Variant {
                name: text("With a saving grace", "セービンググレースあり"),
                settings: &[("start", "18"), ("grace", "yes")],
            },
        ];
        ALL
    }
    fn advanced(&self) -> &'static [&'static str] {
        &["deals"]
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[("start", "12")], position: None },
            Sample { settings: &[("suits", "2"), ("ranks", "5"), ("grace", "yes")], position: None },
            Sample { settings: &[("grace", "yes")], position: Some("S7 S4 S0 D3 S3 C9") },
            Sample { settings: &[("distances", "2,4,1"), ("piles", "3"), ("start", "10")], position: None },
        ]
    }
}
