//! The interval that the paper leaves open, beside the bounds that we have.

use serde_json::{Value, json};
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::geister::analysis::Kind;
use yomikiri_games::geister::belief::Grid;
use yomikiri_games::geister::belief::both::{Between, Both, View, fraction, ratio};
use yomikiri_games::geister::belief::summary::{FIRST, kind, kind_id, number};
use yomikiri_games::geister::board::Board;
use yomikiri_view::report::{Block, Cell, Table, Tone};

/// The interval that the paper leaves open, beside the bounds of a grid: a table, and the same for
/// programs. Whether the bounds lie within the interval comes last.
pub fn part(grid: Grid, run: &Run<'_>) -> Result<(Vec<Block>, Value, bool), Error> {
    let board = Board::new(4, 4)?;
    let both = Both::new(&board, grid, run)?;
    // Where the two move first the coarse one is all that is needed.
    let coarse = if grid == Grid::Coarse { both.clone() } else { Both::new(&board, Grid::Coarse, run)? };
    let target = |kind: Kind| ratio(kind.target().0, kind.target().1);
    let paper = Between { lower: target(Kind::BbrThreeThird), upper: -target(Kind::BbrTwoHalf) };
    let mut table = Table::new(
        Text::of(
            format!("red-blue-blue against two: the paper's interval and ours ({} grid)", grid.id()),
            format!("赤青青 対 2駒：論文の区間と本計算（刻み {}）", grid.id()),
        ),
        &[
            text("first to move", "先手"),
            text("paper: at least>", "論文：以上>"),
            text("paper: at most>", "論文：以下>"),
            text("ours: at least>", "本計算：以上>"),
            text("ours: at most>", "本計算：以下>"),
            text("kind", "確度"),
        ],
    );
    let (mut rows, mut good) = (Vec::new(), true);
    for (turn, (id, first)) in FIRST.iter().enumerate() {
        let at = both.find(&View::of(&both.open.rules, both.open.starts[turn]))?;
        let best = |holder| [both.best(at, holder).0, coarse.best(at, holder).0];
        let ([a, b], [c, d]) = (best(0), best(1));
        let ours = Between { lower: a.max(b), upper: c.min(d) };
        good &= paper.lower <= ours.lower && ours.lower <= ours.upper && ours.upper <= paper.upper;
        table.row([
            Cell::from(first.clone()),
            fraction(&paper.lower).into(),
            fraction(&paper.upper).into(),
            Cell::from(fraction(&ours.lower)).tone(Tone::Strong),
            Cell::from(fraction(&ours.upper)).tone(Tone::Strong),
            kind(ours.exact()),
        ]);
        rows.push(json!({"first": id, "paper": [number(&paper.lower), number(&paper.upper)],
            "ours": [number(&ours.lower), number(&ours.upper)], "kind": kind_id(ours.exact())}));
    }
    let more = Block::Paragraph(text(
        "The analysis bbr-belief gives the strategies behind the bounds, and closer ones with the grids fine and adaptive; docs/geister-open-problem.md has the whole story.",
        "解析 bbr-belief で戦略を、刻み fine、adaptive でより狭い上下界を表示。詳細は docs/geister-open-problem.md。",
    ));
    Ok((vec![Block::Table(table), more], json!(rows), good))
}
