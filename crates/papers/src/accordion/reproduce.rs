//! The paper's tables and examples, computed again.

use super::experiment::{LIMIT, Line, Look, PAPER_DEALS, PaperLine, Side, besides, lookahead_table};
use super::lookahead::{line_json, preface, success_plot, success_table};
use super::published::{FIGURE_1, FIGURE_2, GOLDEN, figure_2_corrected};
use super::small::{decks, list as small_list, whole};
use crate::golden::{Beside, Computed, Erratum, compare};
use crate::reproduction::{Effort, Evidence, Lazy, Part, Piece, Question, Standing};
use serde_json::Value;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use yomikiri_core::cards::Card;
use yomikiri_core::{Error, Run, text};
use yomikiri_games::accordion::method::{Engines, Winnable};
use yomikiri_games::accordion::notation::cards;
use yomikiri_games::accordion::rules::{Rules, matching};
use yomikiri_view::report::{Block, Verdict};

/// The row of the example in section 2.1 after its move, as it is printed from the fourth card on.
const EXAMPLE: &str = "S9 SA C9 S9 CQ H3";

fn printed(row: &str) -> Vec<Card> {
    row.split_whitespace().filter_map(|word| Card::parse(word).ok()).collect()
}

fn different(row: &[Card]) -> u64 {
    row.iter().collect::<HashSet<_>>().len() as u64
}

/// The examples of section 2.
fn examples(run: &Run<'_>) -> Result<Vec<Computed>, Error> {
    let rules = Rules::default();
    let figure_1 = rules.row(cards(FIGURE_1)?);
    let pairs = [("S4", "S7", 1), ("S3", "D3", 1), ("SA", "S3", 3)];
    let place = |name: &str| figure_1.cards.iter().position(|c| c.to_string() == name);
    let fits = |&&(x, y, far): &&(&str, &str, usize)| {
        let (Some(x), Some(y)) = (place(x), place(y)) else { return false };
        x == y + far && matching(figure_1.cards[x], figure_1.cards[y])
    };
    let step = rules.steps(&figure_1).into_iter().find(|s| usize::from(s.x) == 7 && s.y == 4);
    let after = step.map(|step| rules.after(&figure_1, step).cards).unwrap_or_default();
    let right = printed(EXAMPLE).iter().zip(after.iter().skip(3)).filter(|(a, b)| a == b).count();
    let answer = Engines::new(&rules).solve(&figure_1, run)?;
    let moves = if let Winnable::Yes(steps) = answer.winnable { steps.len() } else { 0 };
    let corrected = rules.row(figure_2_corrected());
    Ok(vec![
        Computed::count("figure 1: different cards", different(&figure_1.cards)),
        Computed::count(
            "figure 1: pairs named in the text that match",
            pairs.iter().filter(fits).count() as u64,
        ),
        Computed::count("figure 1: moves of a winning line", moves as u64),
        Computed::count("section 2.1: cards of the row after the move that are right", right as u64),
        Computed::count("figure 2: different cards", different(&printed(FIGURE_2))),
        Computed::count("figure 2 corrected: different cards", different(&corrected.cards)),
        Computed::count("figure 2 corrected: legal moves", rules.steps(&corrected).len() as u64),
    ])
}

/// What is looked at in a quick and in a full reproduction: as many deals as the paper's wherever that takes seconds, and
/// fewer where the cards left make each of them long.
fn looks(effort: Effort) -> Vec<Look> {
    let look = |deals, rs: RangeInclusive<usize>| Look { deals, rs: rs.collect(), limit: LIMIT };
    match effort {
        Effort::Quick => {
            vec![look(PAPER_DEALS, 1..=16), look(1000, 17..=20), look(200, 21..=24), look(200, 52..=52)]
        }
        Effort::Full => vec![look(PAPER_DEALS, 1..=20), look(1000, 21..=52)],
    }
}

/// Cards of the decks that are gone through whole.
const fn whole_decks(effort: Effort) -> u8 {
    match effort {
        Effort::Quick => 10,
        Effort::Full => 12,
    }
}

/// What the parts share: the deals that were looked ahead on.
pub struct Results {
    effort: Effort,
    both: Lazy<Vec<(Line, PaperLine)>>,
}

impl Results {
    pub fn new(effort: Effort) -> Results {
        Results { effort, both: Lazy::default() }
    }

    /// Our deals beside the paper's figures, for every R.
    fn both(&self, run: &Run<'_>) -> Result<&[(Line, PaperLine)], Error> {
        let look = || {
            let mut lines = Vec::new();
            for look in looks(self.effort) {
                lines.extend(lookahead_table(&look, run)?);
            }
            Ok(besides(lines))
        };
        self.both.get(look).map(Vec::as_slice)
    }
}

pub static PARTS: [Part<Results>; 8] = [
    Part {
        id: "examples",
        title: text("Section 2: the examples, figures 1 and 2", "2節：例（図1、図2）"),
        run: |_, run| {
            let mut piece = Piece::from(compare(&GOLDEN[0], &examples(run)?));
            piece.blocks.extend(super::figures::blocks()?);
            Ok(piece)
        },
    },
    Part { id: "table-1", title: text("Table 1: successes by R", "表1：R と成功数"), run: table_1 },
    Part {
        id: "figure-3",
        title: text("Figure 3: success by R", "図3：R と成功可能性"),
        run: |shared, run| Ok(Piece::of([Block::Plot(success_plot(shared.both(run)?))])),
    },
    Part {
        id: "table-2",
        title: text("Table 2: states in case of success", "表2：成功の場合の状態数"),
        run: |shared, run| states(Side::Success, shared, run),
    },
    Part {
        id: "figure-4",
        title: text("Figure 4: states in case of success", "図4：成功の場合の状態数"),
        run: |shared, run| Ok(Piece::of([Block::Plot(Side::Success.plot(shared.both(run)?))])),
    },
    Part {
        id: "table-3",
        title: text("Table 3: states in case of failure", "表3：失敗の場合の状態数"),
        run: |shared, run| states(Side::Failure, shared, run),
    },
    Part {
        id: "figure-5",
        title: text("Figure 5: states in case of failure", "図5：失敗の場合の状態数"),
        run: |shared, run| Ok(Piece::of([Block::Plot(Side::Failure.plot(shared.both(run)?))])),
    },
    Part {
        id: "small",
        title: text("Small decks, every deal of them", "小さな山札の全配列"),
        run: |shared, run| {
            let counted = decks(4, whole_decks(shared.effort))
                .into_iter()
                .map(|(suits, ranks)| Ok((whole(suits, ranks, run)?, true)))
                .collect::<Result<Vec<_>, Error>>()?;
            let list = small_list(&counted);
            Ok(Piece::of([Block::Table(list.table)]).with("small", list.json))
        },
    },
];

pub static QUESTIONS: [Question; 3] = [
    Question {
        asked: text(
            "How should R and the search be chosen when R is large?",
            "R が大きいとき、先読みをどう選べばよいか。",
        ),
        known: text(
            "Search in the order of promise solved all of 10,000,000 random deals: at most 3.7 deals in ten million cannot be won (95 %; study accordion solvable). R no longer matters.",
            "有望な順に探索すると、ランダムな 10,000,000 配列が全て解けた。解けない配列は多くて一千万に 3.7（95 %。study accordion solvable）。R は不要になる。",
        ),
        standing: Standing::Answered,
        evidence: Evidence::Study("solvable"),
    },
    Question {
        asked: text("Which move should a person choose?", "人間はどの手を選べばよいか。"),
        known: text(
            "Make the move that leaves the most moves, but prefer to cover cards whose rank, and then whose suit, has become rare: one deal in 24 succeeds where greedy play wins one in 330 (study accordion advice; sampled).",
            "手の数が最も多く残る手を選び、残り少ないランク、次にスートの札を覆う：24回に1回成功する（力まかせ法は330回に1回。study accordion advice、標本）。",
        ),
        standing: Standing::Partly,
        evidence: Evidence::Study("advice"),
    },
    Question {
        asked: text(
            "Are there deals that cannot be won although they have moves?",
            "動かせるのに成功できない配列はあるか。",
        ),
        known: text(
            "Yes: one with 14 first moves and 2,300,786 rows that can be reached, none of one card; proved by going through all of them (study accordion unsolvable).",
            "ある。最初の手が14通り、到達できる列が2,300,786通りで1枚になるものがない配列を、全列挙で証明した（study accordion unsolvable）。",
        ),
        standing: Standing::Answered,
        evidence: Evidence::Study("unsolvable"),
    },
];

fn table_1(shared: &Results, run: &Run<'_>) -> Result<Piece, Error> {
    let both = shared.both(run)?;
    let golden = GOLDEN[1].read();
    let mut piece = Piece::default();
    for (line, beside) in both {
        let Some(verdict) = beside.success.as_ref().map(Beside::verdict) else { continue };
        piece.tally.take(verdict);
        let cell = golden.cells.iter().find(|c| c.cell == format!("R={}", line.r));
        if let (Verdict::Erratum, Some(cell)) = (verdict, cell) {
            let ours = format!("{:.1}", line.success().0 * PAPER_DEALS as f64);
            piece.errata.push(Erratum::of(cell, &text("Table 1", "表1"), &ours));
        }
    }
    piece.blocks = vec![Block::Paragraph(preface(LIMIT, both)), Block::Table(success_table(both))];
    let lines: Vec<Value> = both.iter().map(line_json).collect();
    Ok(piece.with("limit", LIMIT).with("lookahead", lines))
}

/// Table 2 or 3; only medians are firm enough to be tested.
fn states(side: Side, shared: &Results, run: &Run<'_>) -> Result<Piece, Error> {
    let both = shared.both(run)?;
    let mut piece = Piece::of([Block::Table(side.table(both))]);
    let figures = both.iter().flat_map(|b| side.of(b).2).flatten();
    figures.map(Beside::verdict).for_each(|verdict| piece.tally.take(verdict));
    Ok(piece)
}
