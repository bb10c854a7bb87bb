//! The whole last round between three who look for their best: bounds. Play of soft players is held against the exact best
//! response of every seat, and against two who do their worst together.

use super::super::guarantee::Guarantor;
use super::super::soft::{SoftResponder, Softness};
use super::{Mean, searchers, table_at};
use crate::paper::Study;
use crate::sweep::{Sweep, real, sweep, whole};
use serde_json::json;
use yomikiri_core::random::Random;
use yomikiri_core::rows::Column;
use yomikiri_core::run::Silent;
use yomikiri_core::{Error, Refusal, Run, Text, text};
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_games::saichugen::player::House;
use yomikiri_games::saichugen::rules::{Card, Cards, LAST_ROUND, SEATS, Table as Dealt};
use yomikiri_games::saichugen::view::{View, from_seat, hand_size};
use yomikiri_view::report::{Block, Cell, Certainty, Outcome, Table, Tone, grouped};

/// Deals of the two others that a player is held against for each of its hands.
const DEALS: usize = 20;
/// Random numbers of the hands, apart from those of games.
const STREAM: u64 = (1 << 62) + 2;
/// Softness up to here.
const SOFTEST: f64 = 1000.0;

static COLUMNS: [Column; 5] = [
    whole("hand", text("number of the sampled hand", "標本の手札の番号")),
    whole("seat", text("seat", "席")),
    real("value", text("what the hand gets in the profile", "この打ち方での手札の期待値")),
    real("response", text("what it gets by the best response", "最適応答での期待値")),
    real(
        "least",
        text(
            "what the seat gets at least, mean over some deals to two who do their worst together",
            "2人が手札を見せ合って最悪を尽くすときの期待値（数通りの配札の平均）",
        ),
    ),
];

const SOFT: Text = text(
    "three numbers from 0 to 1000 joined by commas, for turns 13, 14 and 15, e.g. 0.1,0.1,0.1",
    "0～1000 の3つの数（ターン13・14・15の順、コンマ区切り）、例：0.1,0.1,0.1",
);

/// The study.
pub const STUDY: Study = Study {
    name: "last-round",
    summary: text(
        "the whole last round: how much players who mix leave to the best response, and what a seat can guarantee itself",
        "最終ラウンド全体：手を混ぜる打ち方が最適応答に残す利得と、各席が保証できる期待値の上下界",
    ),
    params: &[
        Param::int("hands", 2, 1_000_000, "20", text("hands of every seat", "各席の手札の数")),
        Param::int("ending", 0, 999_999_999, "0", text("number of the game under the seed", "ゲームの番号")),
        Param {
            name: "softness",
            domain: Domain::Text { accepts: SOFT, check: |given| parse(given).map(drop) },
            default: "0.3,0.3,0.3",
            help: text(
                "how often worse cards are played, in turns 13, 14, 15: 0 is the paper's player, 1000 is play at random",
                "劣る札を混ぜる度合い（ターン13・14・15）。0 は論文のプレイヤー、1000 は無作為",
            ),
        },
    ],
    rows: &COLUMNS,
    run: study,
};

/// Reads the softness of three turns.
///
/// # Errors
/// Anything but three numbers within bounds is refused.
pub fn parse(given: &str) -> Result<Softness, Refusal> {
    let numbers: Option<Vec<f64>> = given.split(',').map(|word| word.trim().parse().ok()).collect();
    let three = numbers.and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
    let good = three.filter(|three| three.iter().all(|x| (0.0..=SOFTEST).contains(x)));
    good.map(Softness).ok_or_else(|| Refusal::new("softness", format!("\"{given}\""), SOFT))
}

/// What the hands of a seat give on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// In the profile.
    pub value: Mean,
    /// By the best response: no seat can guarantee itself more.
    pub response: Mean,
    /// The difference.
    pub gain: Mean,
    /// Against two who do their worst: a seat can guarantee itself as much.
    pub least: Mean,
}

/// The table when the last round of a game begins.
pub fn ending(seed: u64, game: u64) -> Dealt {
    table_at(&mut searchers(House::default()), LAST_ROUND, seed, game)
}

/// A view of a seat with a hand of the cards that are left, and two other hands.
fn drawn(table: &Dealt, seat: usize, cards: &mut [Card], random: &mut Random) -> (View, [Cards; 2]) {
    random.shuffle(cards);
    let size = hand_size(LAST_ROUND);
    let [hand, first, second] =
        [0, 1, 2].map(|i| cards[i * size..(i + 1) * size].iter().copied().collect::<Cards>());
    let unknown = cards.iter().copied().collect::<Cards>().minus(hand);
    let view = View {
        turn: LAST_ROUND,
        hand,
        unknown,
        scores: from_seat(table.scores, seat),
        round: from_seat(table.round, seat),
    };
    (view, [first, second])
}

/// Bounds for every seat of an ending from so many hands.
///
/// # Errors
/// If the run is cancelled.
pub fn bounds(
    table: &Dealt,
    softness: Softness,
    hands: u64,
    run: &Run<'_>,
) -> Result<[Bounds; SEATS], Error> {
    let quiet = Run { observer: &Silent, threads: 1, ..*run };
    let cards: Vec<Card> = table.hands[0].and(table.unknown(0)).iter().collect();
    let workers = || (SoftResponder::new(softness, &quiet), Guarantor::new(softness));
    let item = |(responder, guarantor): &mut (SoftResponder<'_>, Guarantor), item: u64| {
        let seat = (item % SEATS as u64) as usize;
        let mut random = Random::stream(run.seed, STREAM + item);
        let mut cards = cards.clone();
        let (view, _) = drawn(table, seat, &mut cards, &mut random);
        let worth = responder.worth(&view)?;
        let mut least = 0.0;
        for _ in 0..DEALS {
            run.check()?;
            let (view, others) = drawn(table, seat, &mut cards, &mut random);
            least += guarantor.least(&view, others) / DEALS as f64;
        }
        let (hand, seat) = (item / SEATS as u64, seat as u64 + 1);
        Ok(vec![hand.into(), seat.into(), worth.value.into(), worth.response.into(), least.into()])
    };
    let mut found = [Bounds::default(); SEATS];
    let sheet =
        Sweep { what: text("hands", "手札"), columns: &COLUMNS, items: hands * SEATS as u64, block: 1 };
    sweep(run, &sheet, workers, item, |item, row| {
        let bounds = &mut found[(item % SEATS as u64) as usize];
        let [value, response, least] = [2, 3, 4].map(|i| row[i].float());
        bounds.value.add(value);
        bounds.response.add(response);
        bounds.gain.add(response - value);
        bounds.least.add(least);
    })?;
    Ok(found)
}

fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let softness = parse(settings.text("softness"))?;
    let (game, hands) = (settings.int("ending") as u64, settings.int("hands") as u64);
    let table = ending(run.seed, game);
    let found = bounds(&table, softness, hands, run)?;
    let cards = table.hands[0].and(table.unknown(0));
    let scores = table.scores.map(|score| score.to_string()).join(", ");
    let facts = vec![
        (text("cards left", "残りのカード"), cards.drawn().into()),
        (text("points before the round", "ラウンド前の点数"), scores.into()),
        (text("hands of every seat", "各席の手札"), grouped(hands).into()),
        (
            text("softness in turns 13, 14, 15", "混ぜる度合い（13・14・15）"),
            settings.text("softness").into(),
        ),
    ];
    let head = [
        text("seat>", "席>"),
        text("gets>", "期待値>"),
        text("best response>", "最適応答>"),
        text("gain>", "利得>"),
        text("guaranteed>", "保証>"),
    ];
    let title = text(
        "A game, by seat (hands sampled, each exact; 95 % intervals)",
        "席ごと、1ゲーム（手札は標本、各手札は厳密。95 % 区間）",
    );
    let mut rows = Table::new(title, &head);
    for (seat, bounds) in found.iter().enumerate() {
        rows.row([
            (seat + 1).to_string().into(),
            bounds.value.shown().into(),
            bounds.response.shown().into(),
            Cell::from(bounds.gain.shown()).tone(Tone::Strong),
            bounds.least.shown().into(),
        ]);
    }
    let note = Block::Paragraph(text(
        "All three play worse cards, too, the less often the more they lose against random opponents. Gain: what the exact best response to the two others adds, with all 2,772 ways their cards can lie and what their cards tell. Whatever the others do, also if they see each other's hands, a seat that plays like this gets what stands under guaranteed; no seat can guarantee itself more than its best response gets. Deals are taken to be equally likely before turn 13.",
        "3人とも、無作為な相手に対する損が大きい札ほど稀に出す。利得は、他の2人の配札2,772通りと着手から分かることをすべて用いた厳密な最適応答が上乗せする期待値。他の2人が手札を見せ合っても、この打ち方なら「保証」の値は得られ、どの席も最適応答の値より多くは保証できない。ターン13の前の配札は等確率とする。",
    ));
    let seats: Vec<_> = found
        .iter()
        .map(|bounds| {
            json!({"value": bounds.value.json(), "response": bounds.response.json(), "gain": bounds.gain.json(),
                "guaranteed": bounds.least.json()})
        })
        .collect();
    let json = json!({
        "game": "saichugen", "study": "last-round", "seed": run.seed, "kind": Certainty::Sampled.word().en,
        "ending": game, "cards": cards.to_string(), "scores": table.scores, "hands": hands, "deals": DEALS,
        "softness": softness.0, "seats": seats,
    });
    Ok(Outcome { blocks: vec![note, Block::Facts(facts), Block::Table(rows)], json, good: true })
}
