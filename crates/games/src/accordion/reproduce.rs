//! The paper's tables and examples, computed again.

use super::lookahead::{
    Beside, LIMIT, Line, Look, Paper, PaperLine, Side, line_json, lookahead_table, preface, success_plot,
    success_table,
};
use super::method::{Engines, Winnable};
use super::notation::cards;
use super::rules::{Rules, matching};
use super::small::{decks, table as small_table, whole};
use crate::golden::{Computed, Golden, compare};
use crate::reproduction::{Effort, Erratum, Lazy, Part, Piece, Question};
use std::collections::HashSet;
use yomikiri_core::cards::{Card, RANKS};
use yomikiri_core::{Error, Run, text};
use yomikiri_view::report::{Block, Verdict};

/// The published figures.
pub static GOLDEN: [Golden; 4] = [
    Golden { id: "examples", data: include_str!("golden/examples.toml") },
    Golden { id: "table1", data: include_str!("golden/table1.toml") },
    Golden { id: "table2", data: include_str!("golden/table2.toml") },
    Golden { id: "table3", data: include_str!("golden/table3.toml") },
];

/// The deal of figure 1.
pub const FIGURE_1: &str = "S7 S4 S0 D3 S3 C9 S9 SA CQ H3 SJ DA C3 H7 CK C4 C0 D7 H4 H5 H9 S6 D9 DJ D6 H2 \
    CJ S8 H0 C7 HQ C2 SQ C8 D2 DQ D4 C6 HJ D0 S2 H8 DK HK SK H6 S5 D8 HA CA D5 C5";
/// The row of figure 2 as it is printed: no deck has these cards.
pub const FIGURE_2: &str = "SA D3 H2 C4 S5 D7 H6 C8 S9 DJ H0 CQ SK DA H3 C2 S4 D5 H3 C6 S8 D9 HJ C0 SQ DK \
    HA C3 S2 D4 H5 C3 S6 D8 H9 CJ S0 DQ HK CA S3 D2 H4 C5 S3 D6 H8 C9 SJ D0 HQ CK";
/// The row of the example in section 2.1 after its move, as it is printed from the fourth card on.
const EXAMPLE: &str = "S9 SA C9 S9 CQ H3";

/// The row that figure 2 describes: suits S D H C and ranks A 3 2 4 5 7 6 8 9 J 0 Q K, each repeated.
pub fn figure_2_corrected() -> Vec<Card> {
    let suit = |i: usize| [0, 2, 1, 3][i % 4];
    let rank = |i: usize| {
        let letter = b"A32457689J0QK"[i % 13] as char;
        RANKS.iter().position(|&r| r == letter)
    };
    (0..52).filter_map(|i| Card::new(suit(i), rank(i)? as u8)).collect()
}

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

/// Deals for every R in a quick and in a full reproduction, and the R that are looked at.
fn look(effort: Effort) -> Look {
    match effort {
        Effort::Quick => Look { deals: 200, rs: (1..=24).chain([52]).collect(), limit: LIMIT },
        Effort::Full => Look { deals: 1000, rs: (1..=52).collect(), limit: LIMIT },
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
pub struct Shared {
    effort: Effort,
    both: Lazy<Vec<(Line, PaperLine)>>,
}

impl Shared {
    /// Nothing looked at yet.
    pub fn new(effort: Effort) -> Shared {
        Shared { effort, both: Lazy::default() }
    }

    /// Our deals beside the paper's figures, for every R. The paper's deals are not published: tables are compared as
    /// samples of the same kind.
    fn both(&self, run: &Run<'_>) -> Result<&[(Line, PaperLine)], Error> {
        let look = || {
            let paper = Paper::read();
            let lines = lookahead_table(&look(self.effort), run)?.into_iter();
            Ok(lines
                .map(|line| {
                    let beside = paper.beside(&line);
                    (line, beside)
                })
                .collect())
        };
        self.both.get(look).map(Vec::as_slice)
    }
}

/// The parts.
pub static PARTS: [Part<Shared>; 8] = [
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
        run: |shared, run| {
            let mut piece = Piece::default();
            piece.block(Block::Plot(success_plot(shared.both(run)?)));
            Ok(piece)
        },
    },
    Part {
        id: "table-2",
        title: text("Table 2: states in case of success", "表2：成功の場合の状態数"),
        run: |shared, run| states(Side::Success, shared, run),
    },
    Part {
        id: "figure-4",
        title: text("Figure 4: states in case of success", "図4：成功の場合の状態数"),
        run: |shared, run| {
            let mut piece = Piece::default();
            piece.block(Block::Plot(Side::Success.plot(shared.both(run)?)));
            Ok(piece)
        },
    },
    Part {
        id: "table-3",
        title: text("Table 3: states in case of failure", "表3：失敗の場合の状態数"),
        run: |shared, run| states(Side::Failure, shared, run),
    },
    Part {
        id: "figure-5",
        title: text("Figure 5: states in case of failure", "図5：失敗の場合の状態数"),
        run: |shared, run| {
            let mut piece = Piece::default();
            piece.block(Block::Plot(Side::Failure.plot(shared.both(run)?)));
            Ok(piece)
        },
    },
    Part {
        id: "small",
        title: text("Small decks, every deal of them", "小さな山札の全配列"),
        run: |shared, run| {
            let counted = decks(4, whole_decks(shared.effort))
                .into_iter()
                .map(|(suits, ranks)| Ok((whole(suits, ranks, run)?, true)))
                .collect::<Result<Vec<_>, Error>>()?;
            let (table, json) = small_table(&counted);
            let mut piece = Piece::default();
            piece.block(Block::Table(table));
            piece.data("small", json);
            Ok(piece)
        },
    },
];

/// The questions the paper leaves open.
pub static QUESTIONS: [Question; 3] = [
    Question {
        asked: text(
            "How should R and the search be chosen when R is large?",
            "R が大きいとき、先読みをどう選べばよいか。",
        ),
        known: text(
            "Search in the order of promise solved all of 1,000,000 random deals, with 2,558 states in the median: at most 3.7 deals in a million cannot be won (95 %; study accordion solvable). R no longer matters.",
            "有望な順に探索すると、ランダムな 1,000,000 配列が全て解けた（状態数の中央値 2,558）。解けない配列は多くて百万に 3.7（95 %。study accordion solvable）。R は不要になる。",
        ),
    },
    Question {
        asked: text("Which move should a person choose?", "人間はどの手を選べばよいか。"),
        known: text(
            "Make the move that leaves the most moves, but prefer to cover cards whose rank, and then whose suit, has become rare: one deal in 24 succeeds where greedy play wins one in 330 (study accordion advice; sampled).",
            "手の数が最も多く残る手を選び、残り少ないランク、次にスートの札を覆う：24回に1回成功する（力まかせ法は330回に1回。study accordion advice、標本）。",
        ),
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
    },
];

fn table_1(shared: &Shared, run: &Run<'_>) -> Result<Piece, Error> {
    let (both, look) = (shared.both(run)?, look(shared.effort));
    let golden = GOLDEN[1].read();
    let mut piece = Piece::default();
    for (line, beside) in both {
        let Some(verdict) = beside.success.as_ref().and_then(Beside::verdict) else { continue };
        piece.tally.take(verdict);
        let cell = golden.cells.iter().find(|c| c.cell == format!("R={}", line.r));
        if let (Verdict::Erratum, Some(cell)) = (verdict, cell) {
            let ours = format!("{:.1}", line.success().0 * super::lookahead::PAPER_DEALS as f64);
            piece.errata.push(Erratum::of(cell, &text("Table 1", "表1"), &ours));
        }
    }
    piece.block(Block::Paragraph(preface(&look, both)));
    piece.block(Block::Table(success_table(both)));
    piece.data("deals", look.deals);
    piece.data("limit", look.limit);
    piece.data("lookahead", both.iter().map(line_json).collect::<Vec<_>>());
    Ok(piece)
}

/// Table 2 or 3; only medians are firm enough to be compared.
fn states(side: Side, shared: &Shared, run: &Run<'_>) -> Result<Piece, Error> {
    let both = shared.both(run)?;
    let mut piece = Piece::default();
    for (_, beside) in both {
        let figures = if side == Side::Success { &beside.successes } else { &beside.failures };
        figures.iter().flatten().filter_map(Beside::verdict).for_each(|verdict| piece.tally.take(verdict));
    }
    piece.block(Block::Table(side.table(both)));
    Ok(piece)
}
