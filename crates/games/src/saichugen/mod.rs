//! Saichugen (最中限): three players, fifteen turns, and the middle wins. Decisions of the last round are asked about as
//! one player sees them; what is played is the whole game.

mod analysis;
mod answer;
pub mod deal;
mod decision;
pub mod kernel;
pub mod lanes;
pub mod notation;
pub mod payoffs;
pub mod player;
pub mod respond;
pub mod rules;
mod sample;
pub mod scene;
pub mod seats;
pub mod team;
mod turn_13;
pub mod view;
pub mod whole;

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
use crate::told;
use analysis::{Analyst, Players};
use player::House;
use rules::{LAST_ROUND, Table};
use seats::{Lineup, Party, ranks};
use serde_json::json;
use view::{LastRound, Seen, Step, View};
use whole::{Midturn, Saichugen};
use yomikiri_core::{Error, Game, Refusal, Run, Text, text};
use yomikiri_view::report::{Block, Outcome};

/// Decisions of the last round as one player sees them.
pub struct Views;

/// Deals of the whole game, played by three.
pub struct Deals;

/// The registered game.
pub static SAICHUGEN: Erased<Views> = Erased(&Views);

/// The game that is played.
static PLAYED: Erased<Deals> = Erased(&Deals);

const EXAMPLE: &str = "D3_C5_S5_HT_CK/CA_H2_S2_C4_S6_D7_H8_S9_DT_SJ_HQ/8,11,5/0,0,0";

static ABOUT: About = About {
    id: "saichugen",
    name: text("Saichugen", "最中限"),
    summary: text(
        "three players, the middle wins: exact expectations in the last round, tournaments, the paper's tables",
        "3人で中位を争うカードゲーム：最終ラウンドの厳密な期待値、対戦、論文の表",
    ),
    rules: Primer {
        goal: text(
            "Be in the middle: with the card of a turn, with the points of a round, and with what you have kept in the end.",
            "真ん中を取る。出した札でも、ラウンドの点でも、最後に残した点でも。",
        ),
        play: text(
            "Three players hold 17 cards each. In a turn all put down a card face down and turn them up together; the card in the middle wins its own points, from 1 for an ace to 13 for a king. Of cards of equal rank spades are highest, then hearts, diamonds and clubs.",
            "3人が17枚ずつ持つ。毎ターン全員が伏せて1枚出し、同時に開く。真ん中の札がその点を得る（Aは1、Kは13）。同じランクはスペード、ハート、ダイヤ、クラブの順に強い。",
        ),
        end: text(
            "After three turns everybody whose total is the middle one keeps it, the others keep nothing. After five rounds the middle of what was kept wins. One winner gets +2 and the others −1; two get +1 each and the other −2; three get 0.",
            "3ターンの合計が真ん中の人はその点を残し、他は残せない。5ラウンド後、残した点が真ん中の人が勝ち。1人なら勝者 +2・敗者 −1、2人なら勝者各 +1・敗者 −2、3人とも同点なら 0。",
        ),
        values: text(
            "In the last round a card's value is what it pays on average, if both others play any card that you have not seen: exact. In the rounds before it is sampled, with its interval, as if everybody went on at random.",
            "最終ラウンドの札の値は、相手2人が未見の札を無作為に出すときの平均利得（厳密）。それより前のラウンドでは、以後は全員が無作為に出すものとして標本から推定し、区間を添える。",
        ),
    },
    notation: notation::VIEW,
    example: EXAMPLE,
    eval: text(
        "turn (13, 14, 15), hand, unknown (lists of cards), scores, round (points of me and both opponents); or position",
        "turn（13、14、15）、hand、unknown（カードのリスト）、scores、round（自分と相手2人の点数）。または position",
    ),
    question: r#"{"turn":13,"hand":["D3","C5","S5","HT","CK"],"unknown":["CA","H2","S2","C4","S6","D7","H8","S9","DT","SJ","HQ"],"scores":[8,11,5],"round":[0,0,0]}"#,
    players: 3,
};

static PARAMS: [Param; 4] = [
    seats::SEATING,
    player::MODEL,
    player::TIES,
    Param {
        name: "deal",
        domain: Domain::Int { min: 0, max: 999_999_999 },
        default: "0",
        help: text("number of the deal under the seed", "シードのもとでの配札の番号"),
    },
];

/// Who sits at the table, and what they have agreed on.
fn party(settings: &Settings) -> Result<(Lineup, House), Refusal> {
    let house = House::of(settings.word("ties"), settings.word("model"));
    Ok((Lineup::parse(settings.text("seats"))?, house))
}

/// The table a deal of the settings leads to before the last round.
fn entering(settings: &Settings, seed: u64) -> Result<Table, Refusal> {
    let (lineup, house) = party(settings)?;
    Ok(Party::new(lineup, house).until(LAST_ROUND, seed, settings.int("deal") as u64).table)
}

impl Family for Views {
    type Game = LastRound;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    /// What seat 1 sees when the last round of a deal begins.
    fn game(&self, settings: &Settings, seed: u64) -> Result<LastRound, Refusal> {
        LastRound::new(View::of(&entering(settings, seed)?, 0))
    }
    /// A text is a game of its own.
    fn position(
        &self,
        settings: &Settings,
        position: Option<&str>,
        run: &Run<'_>,
    ) -> Result<(LastRound, Seen), Error> {
        let game = match position {
            Some(given) => LastRound::new(notation::read(given)?)?,
            None => self.game(settings, run.seed)?,
        };
        let start = game.start();
        Ok((game, start))
    }
    fn table(&self, _: &Settings) -> Option<&'static dyn Entry> {
        Some(&PLAYED)
    }
    fn approach(&self) -> Option<&'static dyn Approach<LastRound>> {
        None
    }
    fn solver(
        &self,
        _: &Settings,
        _: &LastRound,
        _: &Seen,
        _: &Run<'_>,
    ) -> Result<Box<dyn Analyse<LastRound>>, Error> {
        Ok(Box::new(Analyst::default()))
    }
    fn variant(&self, _: &Settings, game: &LastRound) -> Text {
        let turn = game.start().view.turn;
        Text::of(format!("turn {turn} of 15, round 5"), format!("第5ラウンド、{turn}ターン目"))
    }
    fn solve(&self, settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
        solve(settings, run)
    }
    /// The example, and what its best card is worth.
    fn headline(&self, run: &Run<'_>) -> Result<Claim, Error> {
        let settings = Settings::new(&PARAMS, [])?;
        let (game, s) = self.position(&settings, Some(EXAMPLE), run)?;
        let analysis = Analyst::default().analyse(&game, &s, None, run)?;
        let value = analysis.known()?;
        let card = |step: Step| format!("{{{}}}", game.action(&s, step).on.concat());
        let best = analysis.best().map(|m| card(m.action)).collect::<Vec<_>>().join(" ");
        Ok(Claim {
            big: value.text.clone(),
            text: Text::of(
                format!("expected with {best} three turns before the end, exactly {}.", value.sub.en),
                format!("残り3ターンで {best} を出すときの期待値（厳密に {}）。", value.sub.ja),
            ),
            cert: value.certainty,
            settings,
            position: Some(EXAMPLE.to_owned()),
        })
    }
    fn requests(&self, _: bool) -> Option<Box<dyn Evaluator>> {
        Some(Box::new(answer::Requests::default()))
    }
    fn tables(&self) -> Result<&'static dyn Tables, Text> {
        Err(text(
            "its positions are too many to keep; a decision of the last round is computed in a fraction of a millisecond",
            "局面が多すぎて保存できません。最終ラウンドの判断は1ミリ秒未満で計算できます",
        ))
    }
    fn variants(&self) -> &'static [Variant] {
        const ALL: &[Variant] = &[
            Variant { name: text("Three who search", "3人とも探索"), settings: &[] },
            Variant {
                name: text("Two at random", "相手は無作為"),
                settings: &[("seats", "search,random,random")],
            },
            Variant {
                name: text("Two who play together", "相手2人が組む"),
                settings: &[("seats", "search,team,team")],
            },
        ];
        ALL
    }
    fn advanced(&self) -> &'static [&'static str] {
        &["model", "ties", "deal"]
    }
    fn samples(&self) -> &'static [Sample] {
        &[
            Sample { settings: &[("seats", "search,random,search")], position: None },
            Sample { settings: &[], position: Some(EXAMPLE) },
            Sample {
                settings: &[("seats", "team,team,sample"), ("ties", "random")],
                position: Some("D3_C5_S5_HT/CA_H2_S2_C4_S6_D7_H8_S9_DT/8,11,5/0,7,0"),
            },
            Sample {
                settings: &[("model", "same-index"), ("ties", "highest")],
                position: Some("D3_CT_ST/HA_H3_S4_C8_D9_DJ_CQ/16,19,11/9,2,0"),
            },
        ]
    }
}

impl Family for Deals {
    type Game = Saichugen;

    fn about(&self) -> &'static About {
        &ABOUT
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    /// At their best the players are those that are seated.
    fn strengths(&self, game: &Saichugen) -> Vec<Strength> {
        let mut all = strengths(game.open());
        if let Some(best) = all.first_mut() {
            best.name = text("As they are seated", "席の指定どおり");
            best.note = text(
                "the paper's players, or those that the variant names",
                "論文のプレイヤー、またはルール設定で選んだプレイヤー",
            );
        }
        all
    }
    fn game(&self, settings: &Settings, seed: u64) -> Result<Saichugen, Refusal> {
        let (lineup, house) = party(settings)?;
        Ok(Saichugen::new(lineup, house, seed, settings.int("deal") as u64))
    }
    fn approach(&self) -> Option<&'static dyn Approach<Saichugen>> {
        None
    }
    fn solver(
        &self,
        _: &Settings,
        game: &Saichugen,
        _: &Midturn,
        _: &Run<'_>,
    ) -> Result<Box<dyn Analyse<Saichugen>>, Error> {
        Ok(Box::new(Players::new(game)))
    }
}

/// A deal at the beginning of its last round, for all three seats.
fn solve(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let table = entering(settings, run.seed)?;
    let words = party(settings)?.1.words();
    let (deal, ranks, lineup) = (settings.int("deal"), ranks(table.scores), settings.text("seats"));
    let mut blocks = vec![
        Block::Heading(Text::of(
            format!("Saichugen, deal {deal} at the beginning of the last round"),
            format!("最中限　配札{deal}の最終ラウンド開始時"),
        )),
        Block::Paragraph(Text::of(
            format!(
                "Rounds 1–4 by the model ({}); {lineup}. Every player's expectation is exact if the two others play at random.",
                words.en,
            ),
            format!(
                "1～4ラウンドはモデル（{}）による。{lineup}。期待値は、他の2人が無作為に出す場合の厳密値。",
                words.ja,
            ),
        )),
    ];
    let analyst = Analyst::default();
    let mut seats = Vec::new();
    for (seat, rank) in ranks.iter().enumerate() {
        let game = LastRound::new(View::of(&table, seat))?;
        let s = game.start();
        let analysis = analyst.analyse(&game, &s, None, run)?;
        blocks.push(Block::Heading(Text::of(
            format!("Seat {}, rank {rank}", seat + 1),
            format!("席{}（{rank}位）", seat + 1),
        )));
        blocks.push(Block::Drawing(game.draw(&s, None)));
        blocks.push(Block::Facts(told::facts(&game, &s, &analysis)));
        blocks.extend(told::moves(&game, &s, &analysis));
        let mut object = told::json(&game, &s, &analysis, true);
        object.insert("position".into(), game.print(&s).into());
        seats.push(object);
    }
    let json = json!({"game": "saichugen", "kind": "exact", "seed": run.seed, "deal": deal,
        "scores": table.scores, "ranks": ranks, "seats": seats});
    Ok(Outcome { blocks, json, good: true })
}
