//! Endings that come up between three of the paper's players, solved by CFR+: what an equilibrium leaves to gain, and
//! what the paper's player leaves.

use super::super::last_turn::{Ending, Solver};
use super::{Mean, party, searchers, table_at};
use crate::paper::Study;
use crate::sweep::{Sweep, real, sweep, whole, words};
use serde_json::json;
use yomikiri_core::rows::Column;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_games::saichugen::kernel::Kernel;
use yomikiri_games::saichugen::player::{House, MODEL, TIES};
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
    real(
        "gain",
        text(
            "largest gain by a best response to the solution; not a number if none was looked for",
            "解に対する最適応答の利得（最大）。解かなければ NaN",
        ),
    ),
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
    params: &[
        Param::int("endings", 1, 1_000_000, "50", text("endings to solve", "解く終盤の数")),
        Param {
            name: "play",
            domain: Domain::Choice(&[
                ("search", text("the paper's players", "論文のプレイヤー")),
                ("random", text("players who play any card", "無作為に出すプレイヤー")),
            ]),
            default: "search",
            help: text("whose games the endings come up in", "終盤を採る対戦"),
        },
        Param {
            name: "solve",
            domain: Domain::Choice(&[
                ("yes", text("find an equilibrium of each", "均衡を求める")),
                (
                    "no",
                    text(
                        "only measure what the paper's players leave",
                        "論文のプレイヤーが残す利得だけを測る",
                    ),
                ),
            ]),
            default: "yes",
            help: text("whether endings are solved", "終盤を解くか"),
        },
        TIES,
        MODEL,
    ],
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

/// The ending of a game.
pub fn ending(players: &mut Party, seed: u64, game: u64) -> Ending {
    let table = table_at(players, TURNS, seed, game);
    let cards = table.hands[0].and(table.unknown(0));
    Ending { cards, scores: table.scores, round: table.round }
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
    let ending = ending(searchers, run.seed, game);
    let mut solver = Solver::new(&ending);
    let (_, solution) = solver.approach(GAIN, MOST_ROUNDS, run)?;
    let searchers = solver.worth(&solver.searchers(&ending, kernel, house.ties));
    Ok(Solved { ending, rounds: solver.rounds(), solution, searchers })
}

fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let house = House::of(settings.word("ties"), settings.word("model"));
    let endings = settings.int("endings") as u64;
    let (play, solving) = (settings.word("play"), settings.word("solve") == "yes");
    let seats = || {
        let players = if play == "random" { party("random,random,random", house) } else { searchers(house) };
        (players, Kernel::new())
    };
    let item = |(players, kernel): &mut (Party, Kernel), game: u64| {
        let (ending, rounds, gain, left) = if solving {
            let solved = solve(players, kernel, house, game, run)?;
            (solved.ending, solved.rounds, solved.solution.gain(), solved.searchers)
        } else {
            let ending = ending(players, run.seed, game);
            let solver = Solver::new(&ending);
            (ending, 0, f64::NAN, solver.worth(&solver.searchers(&ending, kernel, house.ties)))
        };
        let mean = left.gains().iter().sum::<f64>() / SEATS as f64;
        let cards = ending.cards.to_string();
        Ok(vec![game.into(), cards.into(), rounds.into(), gain.into(), left.gain().into(), mean.into()])
    };
    let (mut solved, mut worst, mut most_rounds) = (0, 0.0f64, 0);
    let [mut rounds, mut search_gain, mut search_mean] = [Mean::default(); 3];
    let mut gains = Vec::new();
    let what = text("endings", "終盤");
    let sheet = Sweep { what, columns: &COLUMNS, items: endings, block: 4 };
    sweep(run, &sheet, seats, item, |_, row| {
        solved += u64::from(row[3].float() <= GAIN);
        worst = worst.max(row[3].float());
        most_rounds = most_rounds.max(row[2].int());
        rounds.add(row[2].int() as f64);
        search_gain.add(row[4].float());
        gains.push(row[4].float());
        search_mean.add(row[5].float());
    })?;
    gains.sort_unstable_by(f64::total_cmp);
    let quantiles = [50, 75, 90].map(|percent| gains[(gains.len() - 1) * percent / 100]);

    let (mut players, mut kernel) = seats();
    let first = solve(&mut players, &mut kernel, house, 0, run)?;
    let all = solved == endings || !solving;
    let mut facts = vec![(text("endings", "終盤"), grouped(endings).into())];
    if solving {
        facts.extend([
            (
                text("solved: nobody can gain more than 0.0001", "解けた：誰も 0.0001 を超えて得をできない"),
                Cell::from(grouped(solved)).tone(if all { Tone::Good } else { Tone::Warn }),
            ),
            (text("largest gain left (exact)", "残る利得の最大（厳密）"), format!("{worst:.1e}").into()),
            (
                text("rounds of CFR+: mean, most", "CFR+ の反復回数：平均、最大"),
                format!("{:.0}, {}", rounds.mean(), grouped(most_rounds as u64)).into(),
            ),
        ]);
    }
    facts.extend([
        (
            text(
                "the paper's players leave one of the seats (sampled)",
                "論文のプレイヤーが残す利得：最大の席（標本）",
            ),
            Cell::from(search_gain.shown()).tone(Tone::Strong),
        ),
        (
            text("the same: median, 75 %, 90 % of endings", "同：終盤の中央値、75 %点、90 %点"),
            quantiles.map(|gain| format!("{gain:.3}")).join(", ").into(),
        ),
        (text("and a seat on average (sampled)", "席の平均（標本）"), search_mean.shown().into()),
        (
            text("and all seats together (sampled)", "3席の合計（標本）"),
            search_mean.times(SEATS as f64).shown().into(),
        ),
    ]);
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
        "endings": endings, "play": play, "model": settings.word("model"), "solved": solved, "gain_limit": GAIN, "largest_gain": worst,
        "rounds": {"mean": rounds.mean(), "most": most_rounds},
        "search_gain": search_gain.json(), "search_mean": search_mean.json(),
        "search_gain_quantiles": quantiles, "search_sum": search_mean.times(SEATS as f64).json(),
        "first": {"cards": ending.cards.to_string(), "scores": ending.scores, "round": ending.round,
            "values": solution.values, "gains": solution.gains(),
            "search_values": searchers.values, "search_gains": searchers.gains()},
    });
    let (whose, whose_ja) = match play {
        "random" => ("three players who play any card", "無作為に出す3人"),
        _ => ("three of the paper's players", "論文のプレイヤー3人"),
    };
    let note = Block::Paragraph(Text::of(
        format!(
            "Everybody knows the ten cards that are left, the scores and the round; the deals are equally likely. Endings come up in games of {whose}."
        ),
        format!(
            "残り10枚・点数・ラウンドの得点は全員が知っており、配札は等確率とする。終盤は{whose_ja}の対戦から採る。"
        ),
    ));
    Ok(Outcome { blocks: vec![note, Block::Facts(facts), Block::Table(list.table)], json, good: all })
}
