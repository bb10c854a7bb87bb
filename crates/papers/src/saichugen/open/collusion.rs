//! Whether collusion pays: two who see each other's hands and add their payoffs, from the first turn or in the last
//! round only, against a third who plays as the paper's player does.

use super::{Mean, party};
use crate::paper::Study;
use crate::sweep::{Sweep, sweep, whole};
use serde_json::json;
use yomikiri_core::rows::Column;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::params::{Domain, Param, Settings};
use yomikiri_games::saichugen::player::{House, MODEL, TIES};
use yomikiri_games::saichugen::seats::Party;
use yomikiri_games::saichugen::team::{Goal, Way, partner};
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
        Param {
            name: "choice",
            domain: Domain::Choice(&[
                ("pairs", text("pairs of cards, one of each partner", "2人のカードの組")),
                (
                    "cards",
                    text(
                        "each one's cards, with the partner going on at random",
                        "各自のカード（味方はその後ランダムとする）",
                    ),
                ),
            ]),
            default: "pairs",
            help: text("what partners try in rounds 1 to 4", "1～4ラウンドで何を試すか"),
        },
        Param::int(
            "samples",
            1,
            10_000,
            "50",
            text("samples of each pair or card in rounds 1 to 4", "1～4ラウンドで組・カードごとの標本数"),
        ),
        Param {
            name: "goal",
            domain: Domain::Choice(&[
                ("both", text("the standing after round 4 and the end", "4ラウンド後の順位と最後の得点")),
                ("end", text("the end of the game", "最後の得点")),
                ("entering", text("the standing after round 4", "4ラウンド後の順位")),
            ]),
            default: "both",
            help: text("what counts in a sample", "標本で数えるもの"),
        },
        Param {
            name: "third",
            domain: Domain::Choice(&[
                ("search", text("the paper's player", "論文のプレイヤー")),
                ("random", text("plays any card to the end", "最後まで無作為に出す")),
            ]),
            default: "search",
            help: text("who plays against the two", "2人の相手"),
        },
        TIES,
        MODEL,
    ],
    rows: &COLUMNS,
    run: study,
};

/// What two get together against a third, `search` or `random`: apart, in the last round, and from the start, choosing in some
/// way.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn collusion(games: u64, house: House, way: Way, third: &str, run: &Run<'_>) -> Result<[Mean; 3], Error> {
    let parties = || {
        let [apart, late, team] = ["search,search", "late-team,late-team", "team,team"]
            .map(|two| party(&format!("{two},{third}"), house));
        [apart, late, team.with(0, partner(way)).with(1, partner(way))]
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
    let house = House::of(settings.word("ties"), settings.word("model"));
    let games = settings.int("games") as u64;
    let (third, choice, goal) = (settings.word("third"), settings.word("choice"), settings.word("goal"));
    let way = Way {
        samples: settings.int("samples") as u32,
        pairs: choice == "pairs",
        goal: match goal {
            "end" => Goal::End,
            "entering" => Goal::Entering,
            _ => Goal::Both,
        },
    };
    let means = collusion(games, house, way, third, run)?;
    let mut table = Table::new(
        if third == "random" {
            text("Against one who plays at random", "無作為に出す1人に対して")
        } else {
            text("Against one of the paper's players", "論文のプレイヤー1人に対して")
        },
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
    let samples = way.samples;
    let facts = vec![
        (text("games of each kind", "それぞれのゲーム数"), grouped(games).into()),
        (
            text("rounds 1–4, from the start", "1～4ラウンド（最初から結託）"),
            Text::of(
                format!("{choice}, {samples} samples each, {goal}"),
                format!("{choice}・各 {samples} 標本・{goal}"),
            )
            .into(),
        ),
    ];
    let json = json!({"game": "saichugen", "study": "collusion", "seed": run.seed, "kind": "sampled",
        "games": games, "choice": choice, "samples": samples, "goal": goal, "third": third, "apart": means[0].json(), "late": means[1].json(), "team": means[2].json()});
    Ok(Outcome { blocks: vec![note, Block::Facts(facts), Block::Table(table)], json, good: true })
}
