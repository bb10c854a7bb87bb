//! Endings that come up between three of the paper's players, solved by CFR+: what an equilibrium leaves to gain, and
//! what the paper's player leaves.

use super::super::last_turn::{Ending, Solver};
use super::{Mean, searchers, table_at};
use crate::paper::Study;
use crate::sweep::{Sweep, real, sweep, whole, words};
use serde_json::json;
use yomikiri_core::rows::Column;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::params::{Param, Settings};
use yomikiri_games::saichugen::kernel::Kernel;
use yomikiri_games::saichugen::player::{House, TIES};
use yomikiri_games::saichugen::rules::{SEATS, TURNS};
use yomikiri_games::saichugen::seats::Party;
use yomikiri_solve::regret::Exploitability;
use yomikiri_view::report::{Block, Cell, Certainty, List, Outcome, Record, Tone, grouped};

/// An ending is solved when nobody can gain more than this by a best response.
const GAIN: f64 = 1e-4;
/// Rounds of CFR+ after which an ending is given up.
const MOST_ROUNDS: u64 = 20_000;

static COLUMNS: [Column; 6] = [
    whole("ending", text("number of the game under the seed", "ゲームの番号")),
    words("cards", text("the cards left", "残っているカード")),
    whole("rounds", text("rounds of CFR+", "CFR+ の反復回数")),
    real("gain", text("largest gain by a best response to the solution", "解に対する最適応答の利得（最大）")),
    real("search_gain", text("the same against the paper's players", "論文のプレイヤーに対する同じ値")),
    real("search_mean", text("its mean over the seats", "その3席の平均")),
];

/// The study.
pub const STUDY: Study = Study {
    name: "last-turn",
    summary: text(
        "turn 15 as a game of 16,800 deals: an equilibrium by CFR+, and what the paper's player leaves to gain",
        "ターン15を16,800通りの配札のゲームとして CFR+ で解き、論文のプレイヤーと比べる",
    ),
    params: &[Param::int("endings", 1, 1_000_000, "50", text("endings to solve", "解く終盤の数")), TIES],
    rows: &COLUMNS,
    run: study,
};

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
}

/// Solves the ending of a game between three of the paper's players.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn solve(
    searchers: &mut Party,
    kernel: &mut Kernel,
    house: House,
    game: u64,
    run: &Run<'_>,
) -> Result<Solved, Error> {
    let table = table_at(searchers, TURNS, run.seed, game);
    let cards = table.hands[0].and(table.unknown(0));
    let ending = Ending { cards, scores: table.scores, round: table.round };
    let mut solver = Solver::new(&ending);
    let (_, solution) = solver.approach(GAIN, MOST_ROUNDS, run)?;
    let searchers = solver.worth(&solver.searchers(&ending, kernel, house.ties));
    Ok(Solved { ending, rounds: solver.rounds(), solution, searchers })
}

fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let house = House::of(settings.word("ties"), "independent");
    let endings = settings.int("endings") as u64;
    let seats = || (searchers(house), Kernel::new());
    let item = |(searchers, kernel): &mut (Party, Kernel), game: u64| {
        let solved = solve(searchers, kernel, house, game, run)?;
        let mean = solved.searchers.gains().iter().sum::<f64>() / SEATS as f64;
        Ok(vec![
            game.into(),
            solved.ending.cards.to_string().into(),
            solved.rounds.into(),
            solved.solution.gain().into(),
            solved.searchers.gain().into(),
            mean.into(),
        ])
    };
    let (mut solved, mut worst, mut most_rounds) = (0, 0.0f64, 0);
    let [mut rounds, mut search_gain, mut search_mean] = [Mean::default(); 3];
    let what = text("endings", "終盤");
    let sheet = Sweep { what, columns: &COLUMNS, items: endings, block: 4 };
    sweep(run, &sheet, seats, item, |_, row| {
        solved += u64::from(row[3].float() <= GAIN);
        worst = worst.max(row[3].float());
        most_rounds = most_rounds.max(row[2].int());
        rounds.add(row[2].int() as f64);
        search_gain.add(row[4].float());
        search_mean.add(row[5].float());
    })?;

    let (mut searchers, mut kernel) = seats();
    let first = solve(&mut searchers, &mut kernel, house, 0, run)?;
    let all = solved == endings;
    let facts = vec![
        (text("endings", "終盤"), grouped(endings).into()),
        (
            text("solved: nobody can gain more than 0.0001", "解けた：誰も 0.0001 を超えて得をできない"),
            Cell::from(grouped(solved)).tone(if all { Tone::Good } else { Tone::Warn }),
        ),
        (text("largest gain left (exact)", "残る利得の最大（厳密）"), format!("{worst:.1e}").into()),
        (
            text("rounds of CFR+: mean, most", "CFR+ の反復回数：平均、最大"),
            format!("{:.0}, {}", rounds.mean(), grouped(most_rounds as u64)).into(),
        ),
        (
            text(
                "the paper's players leave one of the seats (sampled)",
                "論文のプレイヤーが残す利得：最大の席（標本）",
            ),
            Cell::from(search_gain.shown()).tone(Tone::Strong),
        ),
        (text("and a seat on average (sampled)", "席の平均（標本）"), search_mean.shown().into()),
    ];
    let Solved { ending, solution, searchers, .. } = first;
    let mut list = List::new(Text::of(
        format!("The first ending: {} (exact)", ending.cards),
        format!("最初の終盤：{}（厳密）", ending.cards),
    ));
    for seat in 0..SEATS {
        let gain = || text("can gain>", "最適応答の利得>");
        list.push(
            Record::new()
                .show(text("seat>", "席>"), (seat + 1).to_string())
                .show(text("score>", "点数>"), ending.scores[seat].to_string())
                .show(text("round>", "ラウンド>"), ending.round[seat].to_string())
                .show(text("equilibrium>", "均衡>"), format!("{:+.4}", solution.values[seat]))
                .show(gain(), format!("{:.1e}", solution.gains()[seat]))
                .show(text("three searchers>", "探索3人>"), format!("{:+.4}", searchers.values[seat]))
                .show(gain(), format!("{:.4}", searchers.gains()[seat])),
        );
    }
    let json = json!({
        "game": "saichugen", "study": "last-turn", "seed": run.seed, "kind": Certainty::Sampled.word().en,
        "endings": endings, "solved": solved, "gain_limit": GAIN, "largest_gain": worst,
        "rounds": {"mean": rounds.mean(), "most": most_rounds},
        "search_gain": search_gain.json(), "search_mean": search_mean.json(),
        "first": {"cards": ending.cards.to_string(), "scores": ending.scores, "round": ending.round,
            "values": solution.values, "gains": solution.gains(),
            "search_values": searchers.values, "search_gains": searchers.gains()},
    });
    let note = Block::Paragraph(text(
        "Everybody knows the ten cards that are left, the scores and the round; the deals are equally likely. Endings come up in games of three of the paper's players.",
        "残り10枚・点数・ラウンドの得点は全員が知っており、配札は等確率とする。終盤は論文のプレイヤー3人の対戦から採る。",
    ));
    Ok(Outcome { blocks: vec![note, Block::Facts(facts), Block::Table(list.table)], json, good: all })
}
