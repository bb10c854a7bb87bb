//! What playing by the seven lines wins against the best opponent there is; and the
//! positions in which passing alone is best, in closed form.

use super::experiments::{rate, solved};
use super::policies::{Follow, Normal};
use super::rules_of_thumb::{self, against_best};
use crate::golden::Computed;
use serde_json::json;
use std::collections::BTreeMap;
use yomikiri_core::{Error, Game, Indexed, Refusal, Run, Text, Turn, text};
use yomikiri_games::memory::answer::{answer, top};
use yomikiri_games::memory::levels::{Doubles, Levels, TOLERANCE};
use yomikiri_games::memory::lines::{REFINED, SEVEN, SHARP, Second, SevenLines};
use yomikiri_games::memory::rules::{Action, Memory, Pattern, State};
use yomikiri_games::params::{Param, Settings};
use yomikiri_view::report::{Block, Cell, Certainty, Draw, List, Outcome, Plot, Record, Series, Tone};

/// The lists that are measured: all lines, and some of them left out.
pub fn lists() -> [(&'static str, Text, SevenLines); 7] {
    [
        ("seven lines", text("all seven lines", "7行すべて"), SEVEN),
        (
            "never passing",
            text("without lines 1 and 3", "1と3なし"),
            SevenLines { answers: false, passes: false, ..SEVEN },
        ),
        (
            "never leaving",
            text("never leaving a pair", "ペアを残さない"),
            SevenLines { leaves: false, ..SEVEN },
        ),
        (
            "not early",
            text("without “n − 4 unseen”", "「未見 n − 4」なし"),
            SevenLines { second: Second::Odd { early: false }, ..SEVEN },
        ),
        (
            "any lead",
            text("without line 1 and the bound on the lead", "1とリードの上限なし"),
            SevenLines { answers: false, bounded: false, ..SEVEN },
        ),
        ("refined", text("with more cases in lines 3 and 7", "3と7の場合分けを増やす"), REFINED),
        ("sharp", text("with other lines 6 and 7 (--list sharp)", "6と7を替える（--list sharp）"), SHARP),
    ]
}

/// The positions in which passing is better than anything else and nobody has just passed, free pairs being taken first:
/// every one as it is written.
///
/// # Errors
/// If the run is cancelled.
pub fn passes(game: &Memory, table: &Levels<Doubles>, run: &Run<'_>) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    for tier in 0..game.tiers() {
        run.check()?;
        for at in 0..game.len(tier) {
            let Some(s) = game.state((tier, at)) else { continue };
            let free = |(p, &n): (&Pattern, &u8)| n > 0 && p.free_pair();
            if game.turn(&s) == Turn::Terminal || game.patterns().iter().zip(&s.counts).any(free) {
                continue;
            }
            // Only players who are not behind pass, and only where there are two ranks to show.
            if s.diff < 0 || game.known_ranks(&s.counts) < 2 {
                continue;
            }
            let Some(answer) = answer(game, table, &s) else { continue };
            let (passes, others): (Vec<_>, Vec<_>) =
                answer.moves.into_iter().partition(|m| m.0 == Action::Pass);
            if let (Some(pass), Some(other)) = (top(&passes), top(&others))
                && *pass > other + TOLERANCE
            {
                found.extend(game.print(&s));
            }
        }
    }
    Ok(found)
}

/// The cells of a golden table of passes, computed: by the cards the leads with which passing alone is best, and their number.
///
/// # Errors
/// If the run is cancelled.
pub fn computed(game: &Memory, table: &Levels<Doubles>, run: &Run<'_>) -> Result<Vec<Computed>, Error> {
    let all = passes(game, table, run)?;
    let mut by_cards: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for position in &all {
        // The lead is written last, and not at all where nobody leads.
        let (cards, lead) = match position.rsplit_once(",d") {
            Some((cards, lead)) => (cards, lead.parse().unwrap_or(i64::MIN)),
            None => (position.as_str(), 0),
        };
        by_cards.entry(cards.to_owned()).or_default().push(lead);
    }
    let mut cells = vec![Computed::count("positions", all.len() as u64)];
    for (cards, mut leads) in by_cards {
        leads.sort_unstable();
        let told = leads.iter().map(|d| format!("d{d}")).collect::<Vec<_>>().join(", ");
        cells.push(Computed::exact(cards, leads.len() as f64, told));
    }
    Ok(cells)
}

/// The closed form of those positions for 13 ranks, as it was found: a family each, and the rest one by one.
pub fn closed_form(game: &Memory, s: &State) -> bool {
    let (n, d) = (|u: u8, k: u8| i32::from(s.counts[usize::from(game.place(u, k))]), i32::from(s.diff));
    let pairs = game.remaining(&s.counts) as i32;
    let kinds = [n(4, 0), n(3, 1), n(2, 2), n(2, 0), n(1, 1)];
    let up_to = |most: i32| (0..=most).contains(&d) && (d - pairs) % 2 == 0;
    if n(1, 3) + n(0, 4) + n(0, 2) > 0 {
        return false;
    }
    match kinds {
        [0, 0, 0, 1, m] if m >= 3 => up_to(pairs - 2) && (m, d) != (3, 2),
        [1, 0, 0, 0, m] if m >= 6 => up_to(pairs - 2),
        [1, 0, 0, 0, m] => matches!((m, d), (5, 3 | 5) | (4, 2) | (3, 1)),
        [0, 0, 0, 3, m] if m >= 7 => up_to(pairs - 4),
        [0, 1, 0, 1, 1] => matches!(d, 0 | 2),
        [1, 0, 0, 1, 2] => d == 5,
        [1, 0, 0, 1, 3] => d == 6,
        [1, 1, 0, 0, 1] => d == 3,
        [1, 1, 0, 0, m] => (7..=11).contains(&m) && d == m,
        [2, 0, 0, 1, 2] => matches!(d, 1 | 3 | 5),
        [9, 0, 0, 2, 2] => matches!(d, 0 | 2 | 4),
        [11, 0, 0, 0, 2] => matches!(d, 0 | 2),
        _ => false,
    }
}

/// The parameters of the study of both lists by ranks.
pub static SIZES: [Param; 2] = [
    Param::int("from", 2, 20, "6", text("the smallest number of ranks", "ランク数の下限")),
    Param::int("to", 2, 20, "9", text("the largest number of ranks", "ランク数の上限")),
];

/// What both lists win against the best opponent, by ranks.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn by_ranks(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let (from, to) = (settings.int("from") as usize, settings.int("to") as usize);
    if from > to {
        let accepts = Text::of(format!("{from}–20: at least from"), format!("{from}～20（from以上）"));
        return Err(Refusal::new("to", to, accepts).into());
    }
    let mut list = List::new(text(
        "what the seven lines and the sharper ones win against the best opponent there is, in percent",
        "最強の相手に対する7行と改良した7行の勝率（%）",
    ));
    let mut losses = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    run.observer.begin(&text("ranks", "ランク数"), (to + 1 - from) as u64);
    for ranks in from..=to {
        let quiet = Run { observer: &yomikiri_core::run::Silent, ..*run };
        let (game, table) = solved(ranks, &quiet)?;
        let best = (1.0 + table.root(ranks).unwrap_or(f64::NAN)) / 2.0;
        let (seven, sharp) = (against_best(&game, &SEVEN, &quiet)?, against_best(&game, &SHARP, &quiet)?);
        let cell = |x: f64| format!("{:.3}", 100.0 * x);
        let lost = [best - seven.0, 1.0 - best - seven.1, best - sharp.0, 1.0 - best - sharp.1];
        losses.iter_mut().zip(lost).for_each(|(to, x)| to.push((ranks as f64, 100.0 * x)));
        list.push(
            Record::new()
                .count("ranks", text("ranks>", "ランク>"), ranks as u64)
                .field("optimal", text("optimal, first>", "最適、先手>"), cell(best), best)
                .field("seven_first", text("seven, first>", "7行、先手>"), cell(seven.0), seven.0)
                .field("seven_second", text("second>", "後手>"), cell(seven.1), seven.1)
                .field("sharp_first", text("sharp, first>", "改良、先手>"), cell(sharp.0), sharp.0)
                .field("sharp_second", text("second>", "後手>"), cell(sharp.1), sharp.1)
                .certainty(Certainty::Exact),
        );
        run.observer.done((ranks + 1 - from) as u64);
    }
    run.observer.end();
    let mut plot = Plot::new(
        text("what the lists lose", "指針の損"),
        text("ranks", "ランク数"),
        text("points lost against optimal play", "最適戦略との差（%）"),
    );
    let names = [
        text("seven, first", "7行、先手"),
        text("seven, second", "7行、後手"),
        text("sharp, first", "改良、先手"),
        text("sharp, second", "改良、後手"),
    ];
    plot.series =
        names.into_iter().zip(losses).map(|(name, points)| Series::new(name, Draw::Line, points)).collect();
    let json = json!({"game": "memory", "ranks": list.json});
    Ok(Outcome { blocks: vec![Block::Table(list.table), Block::Plot(plot)], json, good: true })
}

/// Measures a list, and what is left of the first one without some of its lines.
///
/// # Errors
/// If the memory of the run is too small, or it is cancelled.
pub fn study(settings: &Settings, run: &Run<'_>) -> Result<Outcome, Error> {
    let (game, table) = solved(settings.int("ranks") as usize, run)?;
    let list = if settings.word("list") == "sharp" { SHARP } else { SEVEN };
    let best = (1.0 + table.root(game.ranks()).unwrap_or(f64::NAN)) / 2.0;
    let mut lines = List::new(text("a rule set to keep in mind", "覚えやすい指針"));
    for (i, line) in list.lines().into_iter().enumerate() {
        lines.push(Record::new().show(text("", ""), Cell::from((i + 1).to_string()).tone(Tone::Dim)).words(
            "line",
            text("line", "指針"),
            line.clone(),
        ));
    }
    let mut costs = List::new(text(
        "what a way of playing wins against the best opponent there is",
        "最強の相手に対する勝率",
    ));
    let mut ways = vec![("optimal", text("optimally", "最適戦略"), (best, 1.0 - best))];
    for (id, name, list) in lists() {
        ways.push((id, name, against_best(&game, &list, run)?));
    }
    ways.push(("normal", text("normally", "通常戦略"), against_best(&game, &Normal, run)?));
    for (id, name, rates) in ways {
        costs.push(rules_of_thumb::costs(best, id, name, rates));
    }
    let follow = Follow(&table);
    let even = (rate(&game, &list, &follow, run)?, 1.0 - rate(&game, &follow, &list, run)?);
    let passing = passes(&game, &table, run)?;
    let outside =
        passing.iter().filter(|text| !game.parse(text).is_ok_and(|s| closed_form(&game, &s))).count();
    let facts = vec![
        (
            text("against the equilibrium player", "均衡戦略の相手に"),
            Cell::from(format!("{:.6} / {:.6}", even.0, even.1)),
        ),
        (
            text("positions where passing alone is best", "パスだけが最善の局面"),
            Cell::from(Text::of(
                format!("{}, {outside} of them outside the closed form", passing.len()),
                format!("{}（うち閉じた形の外 {outside}）", passing.len()),
            )),
        ),
    ];
    let json = json!({
        "game": "memory", "ranks": game.ranks(), "lines": lines.json, "against_best": costs.json,
        "against_equilibrium": {"first": even.0, "second": even.1},
        "passing_alone_is_best": {"positions": passing, "outside_the_closed_form": outside},
    });
    let blocks = vec![Block::Table(lines.table), Block::Table(costs.table), Block::Facts(facts)];
    Ok(Outcome { blocks, json, good: true })
}
