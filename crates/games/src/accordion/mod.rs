//! Accordion (アコーディオン): a solitaire with a row of open cards, and the paper about looking ahead in it.

pub mod answer;
pub mod board;
mod known;
pub mod method;
pub mod notation;
pub mod rules;
pub mod scene;
pub mod sliced;
pub mod summary;

use crate::contract::Contract;
use crate::entry::{About, Entry, Evaluator, Headline};
use crate::params::{Kind, Param, Settings};
use crate::play::{Match, Play};
use crate::tables::Tables;
use board::Advice;
use rules::{Accordion, Rules, deal};
use yomikiri_core::{Error, Game, Run, Text, text};
use yomikiri_view::report::Outcome;
use yomikiri_view::scene::{Scene, Viewer};

/// The registered game.
pub static ACCORDION: AccordionEntry = AccordionEntry;

/// Accordion as the faces see it.
pub struct AccordionEntry;

static ABOUT: About = About {
    id: "accordion",
    name: text("Accordion", "アコーディオン"),
    summary: text(
        "solitaire with a row of open cards: winnable or not with proof, a replayed solution",
        "1列に並べた公開カードの一人遊び：成功可能か（証明つき）と再生して確かめた手順",
    ),
    notation: text(
        "the cards of the row from left to right, 1 to 52: suit S H D C, rank A 2–9 0 (or 10, T) J Q K; joined by blanks, commas or _",
        "列のカードを左から順に1～52枚：スート S H D C、ランク A 2–9 0（または 10、T）J Q K。空白・コンマ・_ で区切る",
    ),
    example: "S7_S4_S0_D3_S3_C9_S9_SA",
    eval: text(
        "row (the cards), count (true: also the number of rows that can be reached), distances, piles, grace",
        "row（カード）、count（true なら到達可能な状態数も）、distances、piles、grace",
    ),
    question: r#"{"row":"S7 S4 S0 D3 S3 C9 S9 SA"}"#,
    players: 1,
};

static PARAMS: [Param; 8] = [
    Param {
        name: "row",
        kind: Kind::Text { accepts: notation::ROW, check: notation::check_row },
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
        kind: Kind::Text {
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
        kind: Kind::Choice(&[
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

impl Entry for AccordionEntry {
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
    fn evaluator(&self, _: bool) -> Box<dyn Evaluator> {
        Box::new(answer::Requests)
    }
    fn play(
        &self,
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<Box<dyn Play>, Error> {
        let game = notation::game(settings, position, run)?;
        let start = game.start();
        let advice = Advice::new(&game, run)?;
        Ok(Box::new(Match::new(game, advice, start, run.seed, 0.0)))
    }
    fn tables(&self) -> Result<&'static dyn Tables, Text> {
        Err(text(
            "every deal is a game of its own; the rows of the study `solvable` keep many of them, solved",
            "配列ごとに別のゲームです。実験 solvable の行として多数の解を保存できます",
        ))
    }
    fn contract(&self, contract: &mut Contract) {
        contract.edits(self, &[("start", "12")], None);
        contract.edits(self, &[("grace", "yes")], Some("S7 S4 S0 D3 S3 C9"));
        contract.plays(self, &[("start", "12")], None, 4);
        contract.plays(self, &[("suits", "2"), ("ranks", "5"), ("grace", "yes")], None, 2);
        if let Ok(game) = Accordion::new(Rules::default(), deal(4, 13, 14, 1, 0)) {
            contract.scenes_of(self, &game, 6);
        }
        for (distances, piles, grace, start) in
            [(&[1, 3][..], 1, false, 52), (&[1, 3], 1, true, 18), (&[2, 4, 1], 3, false, 30)]
        {
            let game = Rules::new(distances, piles, grace)
                .and_then(|rules| Accordion::new(rules, deal(4, 13, start, 1, 0)));
            match game {
                Ok(game) => {
                    contract.rules(&game);
                    contract.keys(&game);
                    contract.notation(&game);
                }
                Err(refusal) => contract.failures.push(refusal.to_string()),
            }
        }
    }
}
