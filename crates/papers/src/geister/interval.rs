//! The interval that the paper leaves open, beside the bounds that we have.

use crate::reproduction::Piece;
use serde_json::json;
use std::sync::Arc;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::geister::analysis::Kind;
use yomikiri_games::geister::belief::Grid;
use yomikiri_games::geister::belief::both::FIRST;
use yomikiri_games::geister::belief::both::{Between, Both, View, fraction, ratio};
use yomikiri_games::geister::belief::summary::{kind, kind_id, number};
use yomikiri_view::report::{Block, Cell, List, Record, Tone};

/// The interval that the paper leaves open, beside the bounds of a grid, which must lie within it.
pub fn part(both: &Arc<Both>, run: &Run<'_>) -> Result<Piece, Error> {
    let (grid, board) = (both.grid, &both.open.rules.board);
    // Where the two move first the coarse one is all that is needed.
    let coarse = if grid == Grid::Coarse { both.clone() } else { Both::new(board, Grid::Coarse, run)? };
    let target = |kind: Kind| ratio(kind.target().0, kind.target().1);
    let paper = Between { lower: target(Kind::BbrThreeThird), upper: -target(Kind::BbrTwoHalf) };
    let mut list = List::new(Text::of(
        format!("red-blue-blue against two: the paper's interval and ours ({} grid)", grid.id()),
        format!("赤青青 対 2駒：論文の区間と本計算（刻み {}）", grid.id()),
    ));
    let mut good = true;
    for (turn, (id, first)) in FIRST.iter().enumerate() {
        let at = both.find(&View::of(&both.open.rules, both.open.starts[turn]))?;
        let best = |holder| [both.best(at, holder).0, coarse.best(at, holder).0];
        let ([a, b], [c, d]) = (best(0), best(1));
        let ours = Between { lower: a.max(b), upper: c.min(d) };
        good &= paper.lower <= ours.lower && ours.lower <= ours.upper && ours.upper <= paper.upper;
        let strong = |bound| Cell::from(fraction(bound)).tone(Tone::Strong);
        list.push(
            Record::new()
                .field("first", text("first to move", "先手"), first.clone(), *id)
                .show(text("paper: at least>", "論文：以上>"), fraction(&paper.lower))
                .show(text("paper: at most>", "論文：以下>"), fraction(&paper.upper))
                .show(text("ours: at least>", "本計算：以上>"), strong(&ours.lower))
                .show(text("ours: at most>", "本計算：以下>"), strong(&ours.upper))
                .field("kind", text("kind", "確度"), kind(ours.exact()), kind_id(ours.exact()))
                .data("paper", json!([number(&paper.lower), number(&paper.upper)]))
                .data("ours", json!([number(&ours.lower), number(&ours.upper)])),
        );
    }
    let more = Block::Paragraph(text(
        "The analysis bbr-belief gives the strategies behind the bounds, and closer ones with the grids fine and adaptive; docs/geister-open-problem.md has the whole story.",
        "解析 bbr-belief で戦略を、刻み fine、adaptive でより狭い上下界を表示。詳細は docs/geister-open-problem.md。",
    ));
    let piece = Piece::of([Block::Table(list.table), more]).with("interval", list.json);
    Ok(Piece { faults: usize::from(!good), ..piece })
}
