//! The last two turns as a game, and whole rounds of small hands: play in which nobody can gain much, by CFR+ over all
//! hands, beside the paper's player and the best response to it.

use super::super::last_turn::Ending;
use super::super::last_turns::{Plans, Turns};
use super::{Mean, searchers, table_at};
use crate::paper::Study;
use crate::sweep::{Sweep, real, sweep, whole, words};
use serde_json::json;
use yomikiri_core::random::Random;
use yomikiri_core::rows::Column;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::params::{Param, Settings};
use yomikiri_games::saichugen::player::House;
use yomikiri_games::saichugen::rules::{Card, SEATS, TURNS};
use yomikiri_games::saichugen::seats::Party;
use yomikiri_solve::regret::Exploitability;
use yomikiri_view::report::{Block, Cell, Certainty, Outcome, Table, Tone, grouped};

/// An ending is solved when nobody can gain more than this by a best response.
const GAIN: f64 = 1e-3;
/// Bytes beside the weights.
const BESIDE: u64 = 64 << 20;

static COLUMNS: [Column; 11] = [
    whole("ending", text("number of the game under the seed", "ゲームの番号")),
    words("cards", text("the cards left", "残っているカード")),
    whole("rounds", text("rounds of CFR+", "CFR+ の反復回数")),
    real("gain", text("largest gain by a best response to the solution", "解に対する最適応答の利得（最大）")),
    real("value_1", text("what seat 1 gets in the solution", "解での席1の期待値")),
    real("value_2", text("seat 2", "席2")),
    real("value_3", text("seat 3", "席3")),
    real(
        "search_gain",
        text("largest gain against three of the paper's players", "論文のプレイヤー3人に対する利得（最大）"),
    ),
    real("search_mean", text("its mean over the seats", "その3席の平均")),
    real(
        "search_loss",
        text(
            "what the paper's player loses against two who play the solution, mean over the seats",
            "解どおりに打つ2人に対して論文のプレイヤーが失う期待値（3席の平均）",
        ),
    ),
    real(
        "respond_loss",
        text(
            "what the best response to two of the paper's players loses there, mean over the seats",
            "論文のプレイヤー2人への最適応答が、解どおりに打つ2人に対して失う期待値（3席の平均）",
        ),
    ),
];

/// The study.
pub const STUDY: Study = Study {
    name: "last-turns",
    summary: text(
        "the last two turns as a game of 450,450 deals, or whole rounds of smaller hands: an equilibrium by CFR+ with exact gains",
        "最後の2ターン（450,450通りの配札）や手札を減らしたラウンド全体を、CFR+ でゲームとして解く（利得は厳密）",
    ),
    params: &[
        Param::int("endings", 1, 1_000_000, "3", text("endings to solve", "解く終盤の数")),
        Param::int(
            "turns",
            1,
            3,
            "2",
            text("turns left; 3 is the whole last round", "残りターン数（3は最終ラウンド全体）"),
        ),
        Param::int(
            "left",
            0,
            2,
            "2",
            text(
                "cards left in a hand after the last turn: 2 is the real game, fewer is a smaller one",
                "最後に手札に残る枚数（2が本来のゲーム。少なくすると小さなゲームになる）",
            ),
        ),
        Param::int(
            "rounds",
            1,
            1_000_000,
            "600",
            text("most rounds of CFR+ for an ending", "1つの終盤での CFR+ の反復回数の上限"),
        ),
    ],
    rows: &COLUMNS,
    run: study,
};

/// What to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Turns left.
    pub turns: usize,
    /// Cards left in a hand after the last.
    pub left: usize,
    /// Most rounds of CFR+.
    pub rounds: u64,
}

/// A solved ending.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The ending.
    pub ending: Ending,
    /// Rounds of CFR+ it took.
    pub rounds: u64,
    /// The worth of the solution.
    pub solution: Exploitability,
    /// The worth of three of the paper's players.
    pub searchers: Exploitability,
    /// What the paper's player, and the best response to two of it, lose against two who play the solution, by seat.
    pub losses: [[f64; SEATS]; 2],
}

/// The ending of a game between three of the paper's players. Where hands are to be smaller than they are, as many of the cards
/// that are left as needed are drawn.
pub fn ending(searchers: &mut Party, shape: Shape, seed: u64, game: u64) -> Ending {
    let table = table_at(searchers, TURNS + 1 - shape.turns as u8, seed, game);
    let mut cards: Vec<Card> = table.hands[0].and(table.unknown(0)).iter().collect();
    // A stream of its own beside those of the game.
    Random::stream(!seed, game).shuffle(&mut cards);
    cards.truncate(SEATS * (shape.turns + shape.left) + 1);
    Ending { cards: cards.into_iter().collect(), scores: table.scores, round: table.round }
}

/// What each seat loses with its own of some plans against two who follow others, where it could have so much.
fn lost(turns: &Turns, own: &mut Plans, others: &mut Plans, most: &[f64]) -> [f64; SEATS] {
    std::array::from_fn(|seat| {
        std::mem::swap(&mut own[seat], &mut others[seat]);
        let value = turns.value(seat, others);
        std::mem::swap(&mut own[seat], &mut others[seat]);
        most[seat] - value
    })
}

/// Solves an ending.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn solve(ending: Ending, shape: Shape, run: &Run<'_>) -> Result<Solved, Error> {
    let mut turns = Turns::new(&ending, shape.turns);
    let (mut plans, solution) = turns.approach(GAIN, shape.rounds, run)?;
    let mut search = turns.searchers();
    let mut respond = std::array::from_fn(|seat| turns.response(seat, &search));
    let searchers = turns.worth(&search);
    run.check()?;
    let losses = [&mut search, &mut respond].map(|own| lost(&turns, own, &mut plans, &solution.responses));
    Ok(Solved { ending, rounds: turns.rounds(), solution, searchers, losses })
}

fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let shape = Shape {
        turns: settings.int("turns") as usize,
        left: settings.int("left") as usize,
        rounds: settings.int("rounds") as u64,
    };
    let endings = settings.int("endings") as u64;
    // Regrets and averages, the best average, the paper's players, those who respond to them, and random ones.
    let each = Turns::bytes(shape.turns + shape.left, shape.turns) * 3 + BESIDE;
    run.fits(each)?;
    let many = Run { threads: run.threads.min((run.memory / each) as usize).max(1), ..*run };
    let average = |of: &[f64]| of.iter().sum::<f64>() / SEATS as f64;
    let item = |party: &mut Party, game: u64| {
        let solved = solve(ending(party, shape, run.seed, game), shape, run)?;
        let mut row = vec![game.into(), solved.ending.cards.to_string().into(), solved.rounds.into()];
        row.push(solved.solution.gain().into());
        row.extend(solved.solution.values.iter().map(|&value| value.into()));
        row.push(solved.searchers.gain().into());
        row.push(average(&solved.searchers.gains()).into());
        row.extend(solved.losses.map(|losses| average(&losses).into()));
        Ok(row)
    };
    let (mut solved, mut worst, mut most_rounds) = (0, 0.0f64, 0);
    let [mut gain, mut rounds] = [Mean::default(); 2];
    let mut means = [Mean::default(); 4];
    let mut spread = [f64::INFINITY, f64::NEG_INFINITY];
    let sheet = Sweep { what: text("endings", "終盤"), columns: &COLUMNS, items: endings, block: 1 };
    sweep(
        &many,
        &sheet,
        || searchers(House::default()),
        item,
        |_, row| {
            let here = row[3].float();
            solved += u64::from(here <= GAIN);
            worst = worst.max(here);
            gain.add(here);
            most_rounds = most_rounds.max(row[2].int());
            rounds.add(row[2].int() as f64);
            for value in &row[4..7] {
                spread = [spread[0].min(value.float()), spread[1].max(value.float())];
            }
            for (mean, cell) in means.iter_mut().zip(&row[7..]) {
                mean.add(cell.float());
            }
        },
    )?;

    let hand = shape.turns + shape.left;
    let cards = SEATS * hand + 1;
    let all = solved == endings;
    let facts = vec![
        (text("endings", "終盤"), grouped(endings).into()),
        (
            text("cards in play, in a hand; turns", "残りのカード、手札；ターン数"),
            format!("{cards}, {hand}; {}", shape.turns).into(),
        ),
        (
            text("solved: nobody can gain more than 0.001", "解けた：誰も 0.001 を超えて得をできない"),
            Cell::from(grouped(solved)).tone(if all { Tone::Good } else { Tone::Warn }),
        ),
        (
            text(
                "gain left: mean, most (exact up to rounding)",
                "残る利得：平均、最大（丸め誤差を除き厳密）",
            ),
            format!("{:.1e}, {worst:.1e}", gain.mean()).into(),
        ),
        (
            text("rounds of CFR+: mean, most", "CFR+ の反復回数：平均、最大"),
            format!("{:.0}, {}", rounds.mean(), grouped(most_rounds as u64)).into(),
        ),
        (
            text("what a seat gets: least, most", "席の期待値：最小、最大"),
            format!("{:+.3}, {:+.3}", spread[0], spread[1]).into(),
        ),
    ];
    let mut table = Table::new(
        text(
            "What is left to gain or lost (sampled endings, each exact)",
            "残る利得と損失（終盤は標本、各終盤は厳密）",
        ),
        &[text("players", "プレイヤー"), text("a game>", "1ゲーム>")],
    );
    let names = [
        text(
            "three of the paper's players leave one of the seats",
            "論文のプレイヤー3人が残す利得：最大の席",
        ),
        text("and a seat on average", "その席の平均"),
        text(
            "the paper's player loses against two who play the solution",
            "解どおりの2人に対する論文のプレイヤーの損失",
        ),
        text(
            "the best response to two of the paper's players loses there",
            "同じく「論文のプレイヤー2人への最適応答」の損失",
        ),
    ];
    for (name, mean) in names.into_iter().zip(&means) {
        table.row([name.into(), Cell::from(mean.shown()).tone(Tone::Strong)]);
    }
    let small = if shape.left < 2 {
        text(
            " Hands are smaller than in the real game: the cards are drawn from those that were left.",
            "手札は本来より少なく、残っていたカードから抜き出したもの。",
        )
    } else {
        Text::default()
    };
    let note = Block::Paragraph(Text::of(
        format!(
            "Everybody knows the cards that are left, the scores and the round; all deals are equally likely, whatever was played \
             before. After every turn its three cards are seen. Endings come up in games of three of the paper's players.{}",
            small.en
        ),
        format!(
            "残りのカード・点数・ラウンドの得点は全員が知っており、それまでの着手によらず配札は等確率とする。各ターンの3枚は公開される。終盤は論文のプレイヤー3人の対戦から採る。{}",
            small.ja
        ),
    ));
    let json = json!({
        "game": "saichugen", "study": "last-turns", "seed": run.seed, "kind": Certainty::Sampled.word().en,
        "endings": endings, "turns": shape.turns, "hand": hand, "cards": cards, "solved": solved, "gain_limit": GAIN,
        "gain": gain.json(), "largest_gain": worst, "rounds": {"mean": rounds.mean(), "most": most_rounds},
        "search_gain": means[0].json(), "search_mean": means[1].json(), "search_loss": means[2].json(),
        "respond_loss": means[3].json(),
    });
    Ok(Outcome { blocks: vec![note, Block::Facts(facts), Block::Table(table)], json, good: all })
}
