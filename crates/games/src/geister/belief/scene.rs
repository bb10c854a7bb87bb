//! The picture of three against two with all colours hidden: bounds on what every move brings.

use super::ask::{self, ID, Spot};
use super::both::{Between, Both, View};
use super::rules::Public;
use super::summary::{value_words, written};
use crate::geister::board::{Board, Position};
use crate::geister::notation;
use crate::geister::scene::{changes, first_scale, picture, step};
use crate::params::Settings;
use std::sync::Arc;
use yomikiri_core::number::approx;
use yomikiri_core::{Error, Run, Text, text};
use yomikiri_view::report::{Certainty, grouped};
use yomikiri_view::scene::{Move, Scene, Tone, Value, Worth, ranked};

/// The position that is asked about, and what both sides can be sure of.
fn found(
    settings: &Settings,
    position: Option<&str>,
    run: &Run<'_>,
) -> Result<(Arc<Both>, Option<Spot>, View), Error> {
    let grid = ask::grid(settings)?;
    let spot = position.map(ask::read).transpose()?;
    let board = match &spot {
        Some(spot) => spot.board.clone(),
        None => Board::new(settings.int("width") as u8, settings.int("height") as u8)?,
    };
    let both = Both::new(&board, grid, run)?;
    let public = spot.as_ref().map_or(both.open.starts[0], Spot::public);
    let view = View::of(&both.open.rules, public);
    both.find(&view)?;
    Ok((both, spot, view))
}

fn certainty(b: &Between) -> Certainty {
    if b.exact() { Certainty::Exact } else { Certainty::Bound }
}

/// The scene that is asked for: colours that are written are not shown, for the values do not depend on them.
pub fn asked(settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Scene, Error> {
    let (both, spot, view) = found(settings, position, run)?;
    let board = &both.open.rules.board;
    let beliefs = both.beliefs(&view, &spot.map_or([None; 2], |spot| spot.beliefs));
    let (here, after) = both.at(&view, &beliefs)?;
    let turn = view.public.turn;
    // What the mover can be sure of with a move, for itself.
    let sure = |b: &Between| if turn == 0 { b.lower.clone() } else { -b.upper.clone() };
    let top = after.iter().map(sure).max();
    let moves = both.open.rules.steps(&view.public).into_iter().zip(&after).map(|(at, b)| {
        let [low, high] = b.decimals();
        let (lower, upper) = (approx(&b.lower), approx(&b.upper));
        let x = if turn == 0 { lower } else { upper };
        let value = Value {
            x,
            text: Text::same(if b.exact() { low.clone() } else { format!("{low}…{high}") }),
            sub: Text::default(),
            tone: Tone::of(x, 0.0),
            cert: certainty(b),
            interval: (!b.exact()).then_some((lower, upper)),
            mark: None,
        };
        let m = Move {
            short: Text::same(if turn == 0 { low } else { high }),
            value: Some(value),
            ..step(&view.name(board, at))
        };
        (m, sure(b))
    });
    let mut scene = picture(board, &view.position(board, [None; 2]), [false; 2]);
    scene.moves = ranked(moves.collect(), approx, |b| Some(b) == top.as_ref());
    scene.scale = Some(first_scale());
    scene.value = Some(Worth {
        of: text("For player 1, both beliefs known", "プレイヤー1の値（信念は双方に既知）"),
        text: value_words(&here),
        note: Text::default(),
        cert: certainty(&here),
    });
    let positions = grouped(both.open.graph.positions.len() as u64);
    scene.trust = Text::of(
        format!(
            "Bounds proved by strategies of both sides over {positions} positions; after a move they hold if it is made whatever the mover's colours are."
        ),
        format!(
            "{positions}局面にわたる双方の戦略が保証する上下界。着手後の値は、色によらずその手を指す場合。"
        ),
    );
    scene.notation = written(board, &view, &beliefs);
    Ok(scene)
}

/// A position to be changed by hand.
pub fn edits(settings: &Settings, position: Option<&str>, run: &Run<'_>) -> Result<Scene, Error> {
    let (both, _, view) = found(settings, position, run)?;
    let board = &both.open.rules.board;
    let p = view.position(board, [None; 2]);
    let print = |board: &Board, p: &Position| {
        format!("{ID}_{}_{}", p.turn + 1, notation::board_text(board, &p.sides))
    };
    let reached = |p: &Position| {
        let public = Public { turn: p.turn, sides: p.sides.map(|side| side.all()) };
        both.find(&View::of(&both.open.rules, public)).is_ok()
    };
    let first = View::of(&both.open.rules, both.open.starts[0]).position(board, [None; 2]);
    let mut scene = picture(board, &p, [false; 2]);
    scene.notation = print(board, &p);
    Ok(scene.editing(&print(board, &first), changes(board, &p, &print, &reached)))
}
