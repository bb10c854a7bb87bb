//! How to be second entering the last round: Monte Carlo in rounds 1 to 4 against players who play them at random, on
//! the same deals as random play.

use super::{Mean, party, searchers};
use crate::paper::Study;
use crate::stats::clopper_pearson;
use crate::sweep::{Sweep, sweep, whole};
use serde_json::json;
use yomikiri_core::rows::Column;
use yomikiri_core::{Error, Run, text};
use yomikiri_games::params::{Param, Settings};
use yomikiri_games::saichugen::player::{House, TIES};
use yomikiri_games::saichugen::rules::SEATS;
use yomikiri_games::saichugen::seats::{Party, ranks};
use yomikiri_view::report::{Block, Cell, List, Outcome, Record, Tone, grouped};

static COLUMNS: [Column; 7] = [
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
    params: &[
        Param::int("games", 1, 10_000_000, "2000", text("games of each kind", "それぞれのゲーム数")),
        TIES,
    ],
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
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn second(games: u64, house: House, run: &Run<'_>) -> Result<([Way; 2], Mean), Error> {
    let parties = || [party("sample,search,search", house), searchers(house)];
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
    let sheet = Sweep { what: text("games played", "対局"), columns: &COLUMNS, items: games, block: 100 };
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
    let mut list =
        List::new(text("Against two who play rounds 1–4 at random", "1～4ラウンドを無作為に出す2人に対して"));
    let mut by_rank =
        List::new(text("Payoff by rank entering the last round", "最終ラウンド開始時の順位と得点"));
    let percent = |p: f64| format!("{:.1} %", 100.0 * p);
    for (way, name) in ways.iter().zip([
        text("Monte Carlo, 200 samples a card", "モンテカルロ法（各カード200回）"),
        text("at random", "無作為"),
    ]) {
        let share = |rank: usize| percent(way.ranks[rank] as f64 / games as f64);
        let (low, high) = clopper_pearson(way.ranks[1], games);
        let interval = format!("{} – {}", percent(low), percent(high));
        let strong = |shown: String| Cell::from(shown).tone(Tone::Strong);
        let row = Record::new().show(text("rounds 1–4", "1～4ラウンド"), name);
        let heads = [text("first>", "1位>"), text("second>", "2位>"), text("third>", "3位>")];
        let ranks = way.by_rank.iter().zip(heads);
        by_rank.push(ranks.fold(row.clone(), |row, (mean, head)| row.show(head, mean.shown())));
        list.push(
            row.field("payoff", text("payoff>", "得点>"), strong(way.payoff.shown()), way.payoff.json())
                .show(text("enters second>", "2位で突入>"), strong(share(1)))
                .field("second_95", text("95 %>", "95 %>"), interval, [low, high])
                .show(text("first>", "1位>"), share(0))
                .show(text("third>", "3位>"), share(2))
                .field(
                    "points",
                    text("points>", "点数>"),
                    format!("{:.1}", way.points.mean()),
                    way.points.json(),
                )
                .data("ranks", way.ranks)
                .data("by_rank", way.by_rank.map(|m| m.json())),
        );
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
        "sample": list.json[0], "random": list.json[1], "gain": gain.json()});
    let blocks = vec![note, Block::Facts(facts), Block::Table(list.table), Block::Table(by_rank.table)];
    Ok(Outcome { blocks, json, good: true })
}
