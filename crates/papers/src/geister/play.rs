//! How play goes when three pieces move first against two: the colours each side draws, the first moves with what they
//! guarantee, and what becomes of games between both strategies.

use crate::reproduction::Piece;
use num_traits::ToPrimitive;
use serde_json::json;
use std::sync::Arc;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_games::geister::belief::both::{Both, FIRST, View, belief_words, fraction};
use yomikiri_games::geister::belief::plan::Plan;
use yomikiri_games::geister::belief::{duel, story};
use yomikiri_games::geister::{drawing, scene};
use yomikiri_view::report::{Bars, Block, Cell, List, Record, Tone};
use yomikiri_view::scene::Arrow;

/// The three move first: strategies that both bounds rest on, as they begin and against each other.
pub fn part(both: &Arc<Both>, run: &Run<'_>) -> Result<Piece, Error> {
    let rules = &both.open.rules;
    let board = &rules.board;
    let view = View::of(rules, both.open.starts[0]);
    let at = both.find(&view)?;
    let best = [0, 1].map(|holder| both.best(at, holder));
    let beliefs = [best[0].1, best[1].1];
    let [low, high] = [&best[0].0, &best[1].0].map(fraction);
    let [three, two] = [0, 1].map(|side| belief_words(board, &view, side, &beliefs[side]));
    let opening = Block::Paragraph(Text::of(
        format!(
            "The three are sure of {low} on average and the two keep them to {high} (grid {}). Each side first draws its colours: the three put {}, the two {}.",
            both.grid.id(),
            three.en,
            two.en
        ),
        format!(
            "3駒側は平均{low}を保証し、2駒側は{high}以下に抑える（刻み {}）。まず色を抽選する：3駒側は{}、2駒側は{}。",
            both.grid.id(),
            three.ja,
            two.ja
        ),
    ));
    let (_, after) = both.at(&view, &beliefs)?;
    let mut moves: Vec<_> = rules.steps(&view.public).into_iter().zip(after).collect();
    moves.sort_by(|a, b| (&b.1.lower, view.step(board, a.0)).cmp(&(&a.1.lower, view.step(board, b.0))));
    let most = moves.first().map(|m| m.1.lower.clone());
    let mut list = List::new(text(
        "first moves made whatever the colours are: what the three are then sure of, at these laws",
        "色によらず指す初手ごとの、3駒側の保証（上の抽選のもとで）",
    ));
    let position = view.position(board, [None; 2]);
    let mut picture = scene::picture(board, &position, [false; 2]);
    for (step, between) in &moves {
        let name = view.name(board, *step);
        let [at_least, at_most] = between.decimals();
        let written = Cell::from(scene::label(&name));
        let good = Some(&between.lower) == most.as_ref();
        let tone = if good { Tone::Strong } else { Tone::Plain };
        list.push(
            Record::new()
                .field("move", text("move", "手"), written.tone(tone), name)
                .field("lower", text("at least>", "以上>"), at_least.as_str(), between.lower.to_string())
                .field("upper", text("at most>", "以下>"), at_most.as_str(), between.upper.to_string()),
        );
        let step = view.step(board, *step);
        let [from, to] = [step.from, step.to].map(|square| format!("board/{}", board.name(square.into())));
        let value = between.lower.to_f64().unwrap_or_default();
        let text = Text::same(format!("{value:.2}").replace('-', "−"));
        picture.arrows.push(Arrow { from, to, text });
    }
    let picture = Block::Scene {
        caption: text(
            "The first moves of the three, each with what they are then sure of",
            "3駒側の初手と、その後の3駒側の保証",
        ),
        scenes: vec![picture],
        plain: Text::same(drawing::lines(board, &position, 0).join("\n")),
    };
    let plans = [Plan::new(both, at, 0, run)?, Plan::new(both, at, 1, run)?];
    let course = duel::course([&plans[0], &plans[1]], view, run)?;
    let (told, course) = story::told(both, &course);
    let blocks = [opening, colours(both, &view, &beliefs), picture, Block::Table(list.table)];
    let lower_holds = moves.iter().all(|(_, between)| between.lower <= between.upper);
    let mut piece = Piece::of(blocks.into_iter().chain(told));
    piece.faults += usize::from(!lower_holds);
    let law = |side: usize| json!({"whose": FIRST[side].0, "words": belief_words(board, &view, side, &beliefs[side]).en});
    Ok(piece
        .with("grid", both.grid.id())
        .with("bounds", json!([best[0].0.to_string(), best[1].0.to_string()]))
        .with("colours", json!([law(0), law(1)]))
        .with("moves", list.json)
        .with("course", course))
}

/// How likely each piece is drawn to be the red one, as bars.
fn colours(both: &Both, view: &View, beliefs: &[yomikiri_solve::belief::Belief; 2]) -> Block {
    let board = &both.open.rules.board;
    let mut bars = Vec::new();
    for side in 0..2 {
        let sum: i64 = beliefs[side].iter().sum();
        let mut squares: Vec<(u32, i64)> = view.squares(board, side).into_iter().zip(beliefs[side]).collect();
        squares.sort_unstable();
        for (square, weight) in squares {
            let (name, whose) = (board.name(square), &FIRST[side].1);
            let label = Text::of(format!("{name}, {}", whose.en), format!("{name}（{}）", whose.ja));
            bars.push((label, vec![weight as f64 / sum as f64]));
        }
    }
    Block::Bars(Bars {
        title: text("The draw of the red piece", "赤駒の抽選"),
        note: text(
            "exact shares of the laws both strategies begin with",
            "双方の戦略が最初に用いる確率（厳密）",
        ),
        x: text("piece", "駒"),
        y: text("probability of red", "赤の確率"),
        series: vec![text("red", "赤")],
        bars,
    })
}
