//! How to be second entering the last round: Monte Carlo in rounds 1 to 4 against players who play them at random, on
//! the same deals as random play.

use super::{Mean, count, party, whole};
use crate::paper::Study;
use crate::stats::clopper_pearson;
use crate::sweep::{Sweep, sweep};
use serde_json::json;
use yomikiri_core::rows::Column;
use yomikiri_core::{Error, Run, text};
use yomikiri_games::params::{Param, Settings};
use yomikiri_games::saichugen::player::{House, TIES};
use yomikiri_games::saichugen::rules::SEATS;
use yomikiri_games::saichugen::seats::{Party, ranks};
use yomikiri_view::report::{Block, Cell, Outcome, Table, Tone, grouped};

static PARAMS: [Param; 2] =
    [count("games", 10_000_000, "2000", text("games of each kind", "それぞれのゲーム数")), TIES];

/// The columns of the rows.
pub static COLUMNS: [Column; 7] = [
    whole("game", text("number of the game under the seed", "ゲームの番号")),
    whole(
        "rank",
        text("rank of the sampling player entering the last round", "最終ラウンド開始時の sample の順位"),
    ),
    whole("points", text("its points then", "そのときの点数")),
    whole("payoff", text("its payoff", "得点")),
    whole(
        "random_rank",
        text(
            "rank of the paper's player in the same seat on the same deal",
            "同じ配札・席での論文のプレイヤーの順位",
        ),
    ),
    whole("random_points", text("its points then", "そのときの点数")),
    whole("random_payoff", text("its payoff", "得点")),
];

/// The study.
pub const STUDY: Study = Study {
    name: "second",
    summary: text(
        "how to be second entering the last round: Monte Carlo in rounds 1–4 against random play",
        "最終ラウンド開始時に2位になる方法：1～4ラウンドのモンテカルロ法とランダムプレイの比較",
    ),
    params: &PARAMS,
    rows: &COLUMNS,
    run: study,
};

/// What one way to play rounds 1 to 4 gives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Way {
    /// How often it entered first, second, third.
    pub ranks: [u64; SEATS],
    /// Points entering.
    pub points: Mean,
    /// Payoffs.
    pub payoff: Mean,
    /// Payoffs by rank.
    pub by_rank: [Mean; SEATS],
}

impl Way {
    fn add(&mut self, rank: i64, points: i64, payoff: i64) {
        let rank = (rank.clamp(1, 3) - 1) as usize;
        self.ranks[rank] += 1;
        self.points.add(points as f64);
        self.payoff.add(payoff as f64);
        self.by_rank[rank].add(payoff as f64);
    }
}

/// Plays games 0, 1, … with the first seat sampling, and with the paper's player there; the difference, too.
pub fn second(games: u64, house: House, run: &Run<'_>) -> Result<([Way; 2], Mean), Error> {
    let parties = || [party(["sample", "search", "search"], house), party(["search"; SEATS], house)];
    let item = |parties: &mut [Party; 2], game: u64| {
        let mut row = vec![game.into()];
        for party in parties {
            let played = party.game(run.seed, game);
            row.push((ranks(played.entering)[0] as u64).into());
            row.push(u64::from(played.entering[0]).into());
            row.push(i64::from(played.table.payoffs()[0]).into());
        }
        Ok(row)
    };
    let (mut ways, mut gain) = ([Way::default(); 2], Mean::default());
    let sheet = Sweep { what: text("playing", "対戦"), columns: &COLUMNS, items: games, block: 100 };
    sweep(run, &sheet, parties, item, |_, row| {
        let cell = |i: usize| row[i].int();
        ways[0].add(cell(1), cell(2), cell(3));
        ways[1].add(cell(4), cell(5), cell(6));
        gain.add((cell(3) - cell(6)) as f64);
    })?;
    Ok((ways, gain))
}

fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let house = House::of(settings.word("ties"), "independent");
    let games = settings.int("games") as u64;
    let (ways, gain) = second(games, house, run)?;
    let heads = [
        text("rounds 1–4", "1～4ラウンド"),
        text("payoff>", "得点>"),
        text("enters second>", "2位で突入>"),
        text("95 %>", "95 %>"),
        text("first>", "1位>"),
        text("third>", "3位>"),
        text("points>", "点数>"),
    ];
    let mut table = Table::new(
        text("Against two who play rounds 1–4 at random", "1～4ラウンドを無作為に出す2人に対して"),
        &heads,
    );
    let mut by_rank = Table::new(
        text("Payoff by rank entering the last round", "最終ラウンド開始時の順位と得点"),
        &[heads[0].clone(), text("first>", "1位>"), text("second>", "2位>"), text("third>", "3位>")],
    );
    let percent = |p: f64| format!("{:.1} %", 100.0 * p);
    let mut json_ways = Vec::new();
    for (way, name) in ways.iter().zip([
        text("Monte Carlo, 200 samples a card", "モンテカルロ法（各カード200回）"),
        text("at random", "無作為"),
    ]) {
        let share = |rank: usize| way.ranks[rank] as f64 / games as f64;
        let (low, high) = clopper_pearson(way.ranks[1], games);
        table.row([
            name.clone().into(),
            Cell::from(way.payoff.shown()).tone(Tone::Strong),
            Cell::from(percent(share(1))).tone(Tone::Strong),
            format!("{} – {}", percent(low), percent(high)).into(),
            percent(share(0)).into(),
            percent(share(2)).into(),
            format!("{:.1}", way.points.mean()).into(),
        ]);
        let cells = way.by_rank.iter().map(|mean| Cell::from(mean.shown()));
        by_rank.row([Cell::from(name)].into_iter().chain(cells));
        json_ways.push(json!({"payoff": way.payoff.json(), "ranks": way.ranks, "second_95": [low, high],
            "points": way.points.json(), "by_rank": way.by_rank.map(|m| m.json())}));
    }
    let facts = vec![
        (text("games of each kind", "それぞれのゲーム数"), grouped(games).into()),
        (text("gain on the same deals", "同じ配札での差"), Cell::from(gain.shown()).tone(Tone::Strong)),
    ];
    let note = Block::Paragraph(text(
        "All three search in the last round. Sampled; intervals are for 95 %. Equals share the better rank.",
        "最終ラウンドは3人とも探索する。標本推定、区間は 95 %。同点は上の順位。",
    ));
    let json = json!({"game": "saichugen", "study": "second", "seed": run.seed, "kind": "sampled", "games": games,
        "sample": json_ways[0], "random": json_ways[1], "gain": gain.json()});
    Ok(Outcome {
        blocks: vec![note, Block::Facts(facts), Block::Table(table), Block::Table(by_rank)],
        json,
        good: true,
    })
}
