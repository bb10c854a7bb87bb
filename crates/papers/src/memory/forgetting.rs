//! How the value of moving first, and of passing, changes with what two players remember.

use crate::golden::{Computed, Golden};
use serde_json::json;
use yomikiri_core::{Error, Number, Rational, Run, Text, text};
use yomikiri_games::memory::COPIES;
use yomikiri_games::memory::answer::shown;
use yomikiri_games::memory::forgetting::alone::{Alone, exactly};
use yomikiri_games::memory::forgetting::classes::Forgetful;
use yomikiri_games::memory::forgetting::model::Model;
use yomikiri_games::memory::forgetting::summary::fraction;
use yomikiri_games::memory::rules::{Memory, Objective};
use yomikiri_games::params::{Param, Settings};
use yomikiri_view::report::{Block, Certainty, Draw, List, Outcome, Plot, Record, Series, grouped};

/// What is asked of a cell: `forget:0.05 4x4 win`, `asymmetric 3x4 cards second`.
struct Asked {
    model: Model,
    cards: Memory,
    second: bool,
}

impl Asked {
    fn read(cell: &str) -> Option<Asked> {
        let mut words = cell.split(' ');
        let model = Model::read(words.next()?).ok()?;
        let (ranks, copies) = words.next()?.split_once('x')?;
        let objective = if words.next()? == "win" { Objective::Win } else { Objective::Cards };
        let cards = Memory::new(ranks.parse().ok()?, copies.parse().ok()?, objective).ok()?;
        Some(Asked { model, cards, second: words.next() == Some("second") })
    }

    fn value(&self, run: &Run<'_>) -> Result<f64, Error> {
        let (ranks, copies, objective) = (self.cards.ranks(), self.cards.copies(), self.cards.objective());
        if self.model == Model::Asymmetric {
            let (first, second) = Alone::<f64>::new(&self.cards).start();
            return Ok(shown(objective, if self.second { &second } else { &first }));
        }
        let solved = Forgetful::solve(ranks, copies, objective, self.model, run)?;
        solved.start().map(|found| found.middle()).ok_or_else(missing)
    }

    fn fraction(&self, run: &Run<'_>) -> Result<Option<Rational>, Error> {
        if self.model == Model::Asymmetric {
            let (first, second) = exactly(&self.cards);
            return Ok(Some(shown(self.cards.objective(), if self.second { &second } else { &first })));
        }
        fraction(&self.cards, self.model, run)
    }
}

fn missing() -> Error {
    Error::Bug("the start has no value".into())
}

/// The cells of a golden table that `wanted` asks for by model, ranks and copies, computed.
///
/// # Errors
/// As solving fails.
pub fn computed(
    golden: &Golden,
    wanted: impl Fn(Model, usize, usize) -> bool,
    run: &Run<'_>,
) -> Result<Vec<Computed>, Error> {
    let mut cells = Vec::new();
    for cell in golden.read().cells {
        let Some(asked) = Asked::read(&cell.cell) else { continue };
        if !wanted(asked.model, asked.cards.ranks(), asked.cards.copies()) {
            continue;
        }
        let x = asked.value(run)?;
        let exact = if cell.exact.is_empty() { None } else { asked.fraction(run)? };
        let told = match exact {
            // Both ways of computing it must agree.
            Some(exact) if (exact.approx() - x).abs() < 1e-11 => exact.to_string(),
            _ => format!("{x:.12}"),
        };
        cells.push(Computed::exact(cell.cell, x, told));
    }
    Ok(cells)
}

/// The chances to forget that are looked at, in hundredths.
const CHANCES: [u32; 12] = [0, 1, 2, 5, 10, 20, 30, 40, 50, 70, 90, 100];
/// The memories that are looked at, in cards.
const SLOTS: [usize; 8] = [1, 2, 3, 4, 5, 6, 8, 10];

/// The parameters of the study.
pub static PARAMS: [Param; 2] =
    [Param::int("ranks", 2, 8, "4", text("how many ranks there are", "ランクの数")), COPIES];

/// Solves the game for many memories.
///
/// # Errors
/// As solving fails.
pub fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let (ranks, copies) = (settings.int("ranks") as usize, settings.word("copies").parse().unwrap_or(4));
    let mut list = List::new(text(
        "the first player, passes a game, and where passing alone is best, by what both remember",
        "双方の記憶ごとの先手の勝率、1局のパス回数、パスだけが最善の局面数",
    ));
    let (mut rates, mut passes, mut games, mut slots) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut words: Vec<String> = CHANCES.iter().map(|p| format!("forget:{p}/100")).collect();
    words.extend(SLOTS.iter().map(|m| format!("slots:{m}")));
    words.push("last-turn".into());
    for word in words {
        let model = Model::read(&word)?;
        let solved = Forgetful::solve(ranks, copies, Objective::Win, model, run)?;
        let found = solved.start().ok_or_else(missing)?;
        let value = found.middle();
        let often = solved.passes_a_game(run)?.ok_or_else(missing)?;
        if let Some((p, _)) = word.strip_prefix("forget:").and_then(|p| p.split_once('/')) {
            let p = p.parse::<f64>().unwrap_or(0.0) / 100.0;
            rates.push((p, value));
            passes.push((p, solved.passes as f64));
            games.push((p, often));
        } else if let Model::Slots(m) = model {
            slots.push((m as f64, value));
        }
        let name = if word == "forget:0/100" { "perfect".to_owned() } else { model.to_string() };
        list.push(
            Record::new()
                .field("model", text("memory", "記憶"), Text::same(name.clone()), name.clone())
                .field("value", text("first player>", "先手の勝率>"), format!("{value:.9}"), value)
                .field("interval", text("", ""), "", json!([found.low, found.high]))
                .field("passes_a_game", text("passes a game>", "1局のパス>"), format!("{often:.6}"), often)
                .field(
                    "passes",
                    text("passing alone is best>", "パスだけが最善>"),
                    grouped(solved.passes),
                    solved.passes,
                )
                .count("positions", text("positions>", "局面数>"), solved.positions)
                .certainty(Certainty::Bound),
        );
    }
    let plot = |title: Text, x: Text, y: Text, points: Vec<(f64, f64)>, middle: Option<f64>| {
        let mut plot = Plot::new(title, x, y.clone());
        plot.series = vec![Series::new(y, Draw::Line, points)];
        plot.reference = middle;
        Block::Plot(plot)
    };
    let rate = || text("win rate of the first player", "先手の勝率");
    let chance = || text("chance to forget a card when the turn changes", "手番の交代ごとに1枚を忘れる確率");
    let blocks = vec![
        Block::Table(list.table),
        plot(text("what forgetting does", "忘れる確率と勝率"), chance(), rate(), rates, Some(0.5)),
        plot(
            text("passes in a game of best play", "最善手どうしの1局のパス"),
            chance(),
            text("passes a game", "1局のパス回数"),
            games,
            None,
        ),
        plot(
            text("where passing alone is best", "パスだけが最善の局面"),
            chance(),
            text("positions", "局面数"),
            passes,
            None,
        ),
        plot(
            text("what a small memory does", "覚えられる枚数と勝率"),
            text("cards remembered", "覚えられる枚数"),
            rate(),
            slots,
            Some(0.5),
        ),
    ];
    let json = json!({"game": "memory", "ranks": ranks, "copies": copies, "models": list.json});
    Ok(Outcome { blocks, json, good: true })
}
