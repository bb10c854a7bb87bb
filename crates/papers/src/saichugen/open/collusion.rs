//! Whether collusion pays: two who see each other's hands and add their payoffs, from the first turn or in the last
//! round only, against a third who plays as the paper's player does.

use super::{Mean, party};
use crate::paper::Study;
use crate::sweep::{Sweep, sweep, whole};
use serde_json::json;
use yomikiri_core::rows::Column;
use yomikiri_core::{Error, Run, text};
use yomikiri_games::params::{Param, Settings};
use yomikiri_games::saichugen::player::{House, TIES};
use yomikiri_games::saichugen::seats::Party;
use yomikiri_view::report::{Block, Cell, Outcome, Table, Tone, grouped};

static COLUMNS: [Column; 4] = [
    whole("game", text("number of the game under the seed", "ゲームの番号")),
    whole("apart", text("what two of the paper's players get together", "論文のプレイヤー2人の得点の和")),
    whole("late", text("what two get who collude in the last round", "最終ラウンドだけ結託する2人の和")),
    whole("team", text("what two get who collude from the start", "最初から結託する2人の和")),
];

/// The study.
pub const STUDY: Study = Study {
    name: "collusion",
    summary: text(
        "whether collusion pays: two who pool their hands, from the start and in the last round only",
        "結託は得か：手札を見せ合う2人（最初から、最終ラウンドだけ）",
    ),
    params: &[
        Param::int("games", 1, 10_000_000, "1000", text("games of each kind", "それぞれのゲーム数")),
        TIES,
    ],
    rows: &COLUMNS,
    run: study,
};

/// What two get together: apart, in the last round, from the start.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn collusion(games: u64, house: House, run: &Run<'_>) -> Result<[Mean; 3], Error> {
    let parties = || {
        ["search,search,search", "late-team,late-team,search", "team,team,search"]
            .map(|names| party(names, house))
    };
    let item = |parties: &mut [Party; 3], game: u64| {
        let mut row = vec![game.into()];
        for party in parties {
            run.check()?;
            let [first, second, _] = party.game(run.seed, game).table.payoffs();
            row.push(i64::from(first + second).into());
        }
        Ok(row)
    };
    let mut means = [Mean::default(); 3];
    let sheet = Sweep { what: text("games played", "対局"), columns: &COLUMNS, items: games, block: 10 };
    sweep(run, &sheet, parties, item, |_, row| {
        for (i, mean) in means.iter_mut().enumerate() {
            mean.add(row[i + 1].int() as f64);
        }
    })?;
    Ok(means)
}

fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let house = House::of(settings.word("ties"), "independent");
    let games = settings.int("games") as u64;
    let means = collusion(games, house, run)?;
    let mut table = Table::new(
        text("Against one of the paper's players", "論文のプレイヤー1人に対して"),
        &[text("two players", "2人"), text("together a game>", "2人の和（1ゲーム）>")],
    );
    let names = [
        text("search, each for itself", "各自で探索"),
        text("collude in the last round", "最終ラウンドだけ結託"),
        text("collude from the start", "最初から結託"),
    ];
    for (name, mean) in names.into_iter().zip(&means) {
        table.row([name.into(), Cell::from(mean.shown()).tone(Tone::Strong)]);
    }
    let note = Block::Paragraph(text(
        "Sampled; intervals are for 95 %. The two take the third for random; payoffs add up to 0, so what they win the third loses.",
        "標本推定、区間は 95 %。2人は相手を無作為とみなす。得点の和は0なので、2人の得は残り1人の損。",
    ));
    let facts = vec![(text("games of each kind", "それぞれのゲーム数"), grouped(games).into())];
    let json = json!({"game": "saichugen", "study": "collusion", "seed": run.seed, "kind": "sampled",
        "games": games, "apart": means[0].json(), "late": means[1].json(), "team": means[2].json()});
    Ok(Outcome { blocks: vec![note, Block::Facts(facts), Block::Table(table)], json, good: true })
}
