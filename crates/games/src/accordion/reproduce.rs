//! The paper's tables and examples, computed again.

use super::lookahead::{Beside, LIMIT, Line, Look, Paper, PaperLine, lookahead_table, report};
use super::method::{Engines, Winnable};
use super::notation::cards;
use super::rules::{Rules, matching};
use super::small::{decks, table as small_table, whole};
use crate::entry::Effort;
use crate::golden::{Computed, Golden, Status, compare};
use crate::report::{Block, Outcome};
use serde_json::json;
use std::collections::HashSet;
use yomikiri_core::cards::{Card, RANKS};
use yomikiri_core::{Error, Run, Text, text};

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

/// Recomputes the paper's figures: the examples exactly, the tables on deals of our own with intervals, for the paper's
/// deals are not published.
pub fn reproduce(effort: Effort, run: &Run<'_>) -> Result<Outcome, Error> {
    let found = compare(&GOLDEN[0], &examples(run)?);
    let look = look(effort);
    let paper = Paper::read();
    let beside = |line: Line| {
        let beside = paper.beside(&line);
        (line, beside)
    };
    let both: Vec<(Line, PaperLine)> = lookahead_table(&look, run)?.into_iter().map(beside).collect();
    let tables = report(&look, &both, run.seed);
    let counted = decks(4, whole_decks(effort))
        .into_iter()
        .map(|(suits, ranks)| Ok((whole(suits, ranks, run)?, true)))
        .collect::<Result<Vec<_>, Error>>()?;
    let (small, small_json) = small_table(&counted);
    let figures: Vec<&Beside> = both
        .iter()
        .flat_map(|(_, p)| [&p.success].into_iter().chain(&p.successes).chain(&p.failures).flatten())
        .filter(|b| b.firm && b.p.is_some() && b.status == Status::Match)
        .collect();
    let differing = found.differing + figures.iter().filter(|b| b.differs()).count();
    let compared = found.compared + figures.len();
    let mut blocks = vec![
        Block::Heading(text(
            "Accordion: T. Shintani, Some Consideration on Look Ahead in the Card Game \"Accordion\"",
            "アコーディオン：新谷敏朗「カードゲーム『アコーディオン』の先読みに関する考察」",
        )),
        Block::Table(found.table),
    ];
    blocks.extend(tables.blocks);
    blocks.push(Block::Table(small));
    blocks.push(Block::Paragraph(Text::of(
        format!(
            "Accordion: {compared} published figures compared, {differing} differ. The paper's deals are not published: tables are compared as samples of the same kind."
        ),
        format!(
            "アコーディオン：公表された数値{compared}個を照合、不一致{differing}個。論文の配札は公表されていないため、表は標本どうしとして比較。"
        ),
    )));
    Ok(Outcome {
        blocks,
        json: json!({"game": "accordion", "paper": "accordion-shintani", "tables": [found.json],
            "lookahead": tables.json, "small": small_json, "compared": compared, "differing": differing}),
        good: differing == 0,
    })
}
