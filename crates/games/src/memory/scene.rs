//! The picture of a table: the cards in their places, and every decision with its value.

use super::answer::{ranks_needed, shown, table_for};
use super::levels::{Doubles, Factorials, Levels, TOLERANCE};
use super::on_disk;
use super::rules::{Counts, MAX_RANKS, Memory, Objective, Pattern, State};
use super::summary;
use super::table::{Act, Advice, Card, CardTable, Layout, Stage};
use crate::entry::Headline;
use crate::params::Settings;
use crate::play::{Match, Past, Play, Tabletop};
use std::sync::Arc;
use yomikiri_core::cards::{RANKS, SUITS};
use yomikiri_core::{Error, Game, Notation, Rational, Run, Text, Turn, text};
use yomikiri_solve::solution::{Solution, value_for};
use yomikiri_view::report::Certainty;
use yomikiri_view::scene::{
    Each, Item, Legend, Line, LineStep, Mark, Move, Piece, Scale, Scene, Seat, Shape, Show, Tone, VERSION,
    Value, Viewer, Worth, Zone, ranked, signed,
};

/// Cards in a row, and where there is little room.
const ROW: (u16, u16) = (13, 10);

/// The name of a place: as people type it, from 1.
fn id(place: u16) -> String {
    format!("c{}", place + 1)
}

/// The face of the `nth` card of a rank. Suits do not matter in the game; they go to the cards in order.
pub fn face(game: &Memory, rank: u8, nth: usize) -> String {
    let rank = usize::from(rank);
    match (SUITS.get(nth), RANKS.get(rank)) {
        (Some(suit), Some(letter)) if game.ranks() <= RANKS.len() => format!("{suit}{letter}"),
        (None, Some(letter)) if game.ranks() <= RANKS.len() => {
            if *letter == '0' {
                "10".into()
            } else {
                letter.to_string()
            }
        }
        _ => (rank + 1).to_string(),
    }
}

/// The cards as they lie, without a word on moves.
pub fn picture(table: &CardTable, s: &Layout) -> Scene {
    let up = s.stage.face_up();
    pictured(table, s, s, &faces(table.memory(), [s]), &up.into_iter().collect::<Vec<_>>())
}

/// The face of every card that is or was known, as the states of a game show them one after another: a card keeps
/// its face. Suits do not matter in the game; they go to cards as these become known.
fn faces<'a>(game: &Memory, states: impl IntoIterator<Item = &'a Layout>) -> Vec<Option<String>> {
    let mut seen = vec![0; MAX_RANKS];
    let mut faces = Vec::new();
    for s in states {
        faces.resize(s.cards.len(), None);
        for (known, card) in faces.iter_mut().zip(&s.cards) {
            if let (None, Card::Known(rank) | Card::Gone { rank, .. }) = (&known, card) {
                let nth = seen[usize::from(*rank)];
                // Ranks begin with different suits, so that a table of single cards is not all spades.
                let suit = match game.copies() <= SUITS.len() {
                    true => (nth + usize::from(rank + rank / 4)) % SUITS.len(),
                    false => nth,
                };
                *known = Some(face(game, *rank, suit));
                seen[usize::from(*rank)] += 1;
            }
        }
    }
    faces
}

/// The picture; gaps behind the last card of the first state of a game are not worth a row, but what is there then
/// keeps its place.
fn pictured(table: &CardTable, s: &Layout, first: &Layout, faces: &[Option<String>], last: &[u16]) -> Scene {
    let game = table.memory();
    let up = s.stage.face_up();
    let mut items = Vec::with_capacity(s.cards.len());
    for ((place, card), face) in (0..).zip(&s.cards).zip(faces) {
        let face = || face.clone().unwrap_or_default();
        let show = match card {
            Card::Unknown => Show::Down,
            Card::Known(_) if up == Some(place) => Show::Up(face()),
            Card::Known(_) => Show::Known(face()),
            Card::Gone { .. } => Show::Gone,
        };
        let item = Item::card(id(place), show);
        items.push(if last.contains(&place) { item.mark(Mark::Last) } else { item });
    }
    let behind = first.cards.iter().rev().take_while(|card| matches!(card, Card::Gone { .. })).count();
    let used = items.len() - behind;
    let row = usize::from(ROW.0);
    items.truncate(if used > row { items.len().min(used.div_ceil(row) * row) } else { used });
    let cols = (items.len() as u16).clamp(1, ROW.0);
    let legend = [
        (Show::Down, text("unknown", "未知")),
        (Show::Known("S7".into()), text("face down, seen before", "裏向き、既知")),
        (Show::Gone, text("taken", "取得済み")),
    ];
    let is = |wanted: &Show, item: &Item| match (&item.piece, wanted) {
        (Piece::Card(there), wanted) => std::mem::discriminant(there) == std::mem::discriminant(wanted),
        _ => false,
    };
    let legend = legend
        .into_iter()
        .filter(|(show, _)| items.iter().any(|item| is(show, item)))
        .map(|(show, text)| Legend { item: Some(Piece::Card(show)), text });
    let seats = [0u8, 1].map(|player| Seat {
        name: Text::of(format!("Player {}", player + 1), format!("プレイヤー{}", player + 1)),
        score: Text::same(s.pairs(player).to_string()),
        unit: text("pairs", "組"),
    });
    let objective = match game.objective() {
        Objective::Win => text("perfect memory", "完全記憶"),
        Objective::Cards => text("for pairs", "ペア数の差"),
    };
    Scene {
        v: VERSION,
        game: "memory".into(),
        title: text("Memory", "神経衰弱"),
        variant: Text::of(
            format!("{} ranks × {} cards, {}", game.ranks(), game.copies(), objective.en),
            format!("{}ランク×{}枚、{}", game.ranks(), game.copies(), objective.ja),
        ),
        seats: seats.into(),
        turn: match table.turn(s) {
            Turn::Player(player) => Some(player),
            _ => None,
        },
        say: table.turn_line(s),
        legend: legend.collect(),
        zones: vec![
            Zone::new("table", Shape::Grid { cols, narrow: cols.min(ROW.1) }, Text::default(), items)
                .wide(52),
        ],
        layout: vec![vec!["table".into()]],
        notation: game.print(&table.position(s)).unwrap_or_default(),
        ..Scene::default()
    }
}

/// The places an act is made with.
fn places(s: &Layout, a: Act) -> Vec<u16> {
    match a {
        Act::Take(rank) => CardTable::known_places(s, rank).take(2).collect(),
        Act::Turn(place) | Act::Same(place) | Act::Different(place) | Act::Unknown(place) => vec![place],
        Act::Pass | Act::Turned(_) => Vec::new(),
    }
}

/// Where an act begins, and ends if it takes a known pair.
pub fn ends(s: &Layout, a: Act) -> (Option<String>, Option<String>) {
    let mut places = places(s, a).into_iter().map(id);
    (places.next(), places.next())
}

/// The places of the turn that is going on or has just ended.
fn touched(past: &Past<CardTable>) -> Vec<u16> {
    let mut touched = Vec::new();
    for (s, a) in past.iter().rev() {
        touched.extend(places(s, *a));
        if s.stage == Stage::First {
            break;
        }
    }
    touched
}

/// The decisions without their values, in the game's order: acts that are alike are one move. With each the act
/// that stands for it, and how many there are.
fn choices(table: &CardTable, s: &Layout) -> Vec<(Act, usize, Move)> {
    let mut groups = table.alternatives(s);
    groups.sort_unstable();
    let choice = |all: Vec<Act>| {
        let &a = all.first()?;
        let each = |act: &Act| {
            // A pair may be clicked on either card.
            let on: Vec<u16> = match act {
                Act::Take(rank) => CardTable::known_places(s, *rank).collect(),
                other => places(s, *other),
            };
            let name = table.name(s, *act).0;
            on.into_iter().map(move |place| Each { on: id(place), id: name.clone() })
        };
        let on = match a {
            Act::Take(_) => places(s, a),
            _ => all.iter().flat_map(|a| places(s, *a)).collect(),
        };
        let m = Move {
            on: on.into_iter().map(id).collect(),
            each: all.iter().flat_map(each).collect(),
            ..Move::new(table.name(s, a).0, label(table, s, a))
        };
        Some((a, all.len(), m))
    };
    let choices = groups.into_iter().filter_map(choice).zip(0..);
    choices.map(|((a, n, m), order)| (a, n, Move { order, ..m })).collect()
}

fn label(table: &CardTable, s: &Layout, a: Act) -> Text {
    match a {
        Act::Take(rank) => {
            let name = table.label(rank);
            Text::of(format!("Take the pair of {name}"), format!("{name}のペアを取る"))
        }
        Act::Turn(_) => text("Flip an unknown card", "未知のカードをめくる"),
        Act::Pass => text("Pass", "パス"),
        other => table.name(s, other).1,
    }
}

/// A value as it is read: five digits.
fn written(objective: Objective, value: f64) -> String {
    match objective {
        Objective::Win => format!("{value:.5}"),
        Objective::Cards => signed(format!("{value:.5}")),
    }
}

/// The picture of a running game with every decision, the last turn marked.
pub fn board(table: &CardTable, s: &Layout, past: &Past<CardTable>) -> Scene {
    let states = past.iter().map(|p| &p.0).chain([s]);
    let first = past.first().map_or(s, |p| &p.0);
    let mut scene = pictured(table, s, first, &faces(table.memory(), states), &touched(past));
    if let Turn::Player(_) = table.turn(s) {
        scene.moves = choices(table, s).into_iter().map(|c| c.2).collect();
    }
    scene
}

/// The picture with every decision and its value.
pub fn valued(table: &CardTable, s: &Layout, solution: &impl Solution<CardTable, Number = f64>) -> Scene {
    rated(table, s, board(table, s, &[]), solution)
}

/// A picture with the value of every decision added.
pub fn rated(
    table: &CardTable,
    s: &Layout,
    mut scene: Scene,
    solution: &impl Solution<CardTable, Number = f64>,
) -> Scene {
    let Turn::Player(mover) = table.turn(s) else { return scene };
    let objective = table.memory().objective();
    let mid = if objective == Objective::Win { 0.5 } else { 0.0 };
    let value = |a: Act| Some(shown(objective, &value_for(table, solution, &table.apply(s, a), mover)?));
    let found: Vec<(Act, usize, Move, f64)> =
        choices(table, s).into_iter().filter_map(|(a, all, m)| Some((a, all, m, value(a)?))).collect();
    let top = found.iter().map(|g| g.3).fold(f64::NEG_INFINITY, f64::max);
    let best = |x: &f64| *x >= top - 2.0 * TOLERANCE;
    let moves = found.into_iter().map(|(a, all, m, x)| {
        let note = match a {
            Act::Pass => text("show two known cards", "既知のカードを2枚見せる"),
            Act::Take(_) if all > 1 => {
                Text::of(format!("or another of {all} alike"), format!("同等のペアが{all}組"))
            }
            _ if all > 1 => Text::of(format!("any of {all}"), format!("{all}枚のどれでも")),
            _ => Text::default(),
        };
        let sub =
            if best(&x) { text("best", "最善") } else { Text::same(signed(format!("{:.5}", x - top))) };
        let value = Value {
            x,
            text: Text::same(written(objective, x)),
            sub,
            tone: Tone::of(x, mid),
            cert: Certainty::Exact,
            interval: None,
            mark: None,
        };
        (Move { note, value: Some(value), ..m }, x)
    });
    scene.moves = ranked(moves.collect(), |x| *x, best);
    scene.scale = Some(Scale::around(
        scene.moves.iter().filter_map(|m| Some(m.value.as_ref()?.x)),
        mid,
        match objective {
            Objective::Win => text("Win rate", "勝率"),
            Objective::Cards => text("Pairs", "ペア差"),
        },
    ));
    if top.is_finite() {
        scene.value = Some(Worth {
            of: match objective {
                Objective::Win => text("The player to move wins with", "手番側の勝率"),
                Objective::Cards => text("Pairs more for the player to move", "手番側のペア差"),
            },
            text: Text::same(written(objective, top)),
            note: match objective {
                Objective::Win => text("win + ½ draw", "勝ち＋½引き分け"),
                Objective::Cards => text("on average", "期待値"),
            },
            cert: Certainty::Exact,
        });
    }
    scene.line = flipped(table, s, solution, mover);
    scene.trust = text(
        "Exact: every position that can follow is in the table, by backward induction.",
        "厳密：後に続く全局面を後ろ向き帰納で求めた表による。",
    );
    scene
}

/// A position to be changed by hand: a card of a rank known or not, pairs taken and given back, pairs that change
/// hands, and whether the other player has just passed.
pub fn edits(settings: &Settings, position: Option<&str>) -> Result<Scene, Error> {
    let (game, s) = summary::position(settings, position)?;
    let (first, _) = summary::position(settings, None)?;
    let start = first.print(&first.start()).unwrap_or_default();
    let table = CardTable::new(game);
    let layout = table.deal(&s);
    let game = table.memory();
    let mut changes = Vec::new();
    let mut change = |counts: Counts, diff: i64, passed: bool, on: Vec<u16>, label: Text| {
        let Ok(Some(id)) = game.legal(counts, diff, passed).map(|after| game.print(&after)) else { return };
        let on: Vec<String> = on.into_iter().map(self::id).collect();
        let each = on.iter().map(|on| Each { on: on.clone(), id: id.clone() }).collect();
        changes.push(Move { on, each, ..Move::new(id, label) });
    };
    let lying = |is: &dyn Fn(Card) -> bool| -> Vec<u16> {
        (0..).zip(&layout.cards).filter(|(_, card)| is(**card)).map(|(place, _)| place).collect()
    };
    let (diff, passed) = (i64::from(s.diff), s.passed);
    let ranks = table.patterns(&layout);
    let copies = game.copies() as u8;
    for (at, &Pattern { unknown, known }) in game.patterns().iter().enumerate() {
        let alike = |card: u8| ranks[usize::from(card)] == Pattern { unknown, known };
        let Some(rank) = (0..ranks.len() as u8).find(|&r| alike(r)) else { continue };
        let name = table.label(rank);
        let known_on = lying(&|card| matches!(card, Card::Known(r) if alike(r)));
        let unknown_on = lying(&|card| card == Card::Unknown);
        let gone_on = lying(&|card| matches!(card, Card::Gone { rank, .. } if alike(rank)));
        let to = |unknown: u8, known: u8| {
            let mut counts = s.counts;
            counts[at] -= 1;
            counts[usize::from(game.place(unknown, known))] += 1;
            counts
        };
        let how = Text::of(
            format!("{name} ({unknown} unknown, {known} known)"),
            format!("{name}（未知{unknown}、既知{known}）"),
        );
        let said = |en: &str, ja: &str| Text::of(format!("{}: {en}", how.en), format!("{}：{ja}", how.ja));
        if unknown > 0 {
            let label = said("one card more is known", "1枚を既知にする");
            change(to(unknown - 1, known + 1), diff, passed, unknown_on.clone(), label);
        }
        if known > 0 {
            let label = said("one card less is known", "1枚を未知にする");
            change(to(unknown + 1, known - 1), diff, passed, known_on.clone(), label);
        }
        if unknown + known >= 2 {
            // Known cards go first.
            let left = (unknown - 2u8.saturating_sub(known), known.saturating_sub(2));
            let on = if known > 0 { known_on } else { unknown_on };
            let labels = [
                said("a pair to the player to move", "1ペアを手番側が取得"),
                said("a pair to the other player", "1ペアを相手が取得"),
            ];
            for (label, by) in labels.into_iter().zip([1, -1]) {
                change(to(left.0, left.1), diff + by, passed, on.clone(), label);
            }
        }
        if unknown + known < copies {
            let labels = [
                said("a pair back from the player to move", "手番側の1ペアを戻す"),
                said("a pair back from the other player", "相手の1ペアを戻す"),
            ];
            for (label, by) in labels.into_iter().zip([-1, 1]) {
                change(to(unknown + 2, known), diff + by, passed, gone_on.clone(), label);
            }
        }
    }
    let more =
        text("A pair more for the player to move, one less for the other", "手番側を1ペア増やし相手を減らす");
    let less =
        text("A pair less for the player to move, one more for the other", "手番側を1ペア減らし相手を増やす");
    change(s.counts, diff + 2, passed, Vec::new(), more);
    change(s.counts, diff - 2, passed, Vec::new(), less);
    let label = match passed {
        true => text("The other player has not passed", "相手の直前のパスをなくす"),
        false => text("The other player has just passed", "相手が直前にパスしたことにする"),
    };
    change(s.counts, diff, !passed, Vec::new(), label);
    let faces = faces(game, [&layout]);
    Ok(pictured(&table, &layout, &table.start(), &faces, &[]).editing(&start, changes))
}

/// The value of the paper's game, and a table somewhere in it.
pub fn headline(run: &Run<'_>) -> Result<Headline, Error> {
    let game = Memory::new(RANKS.len(), SUITS.len(), Objective::Win)?;
    let start = game.start();
    let levels = table_for(&game, &start, |_| Doubles, run)?;
    let value = shown(Objective::Win, &levels.root(game.ranks()).unwrap_or(f64::NAN));
    let table = CardTable::new(game);
    let layout = table.deal(&start);
    let mut play = Match::new(table, Advice(levels), layout, PICTURED.0, 2.0 * TOLERANCE);
    for _ in 0..PICTURED.1 {
        play.best(run)?;
    }
    Ok(Headline {
        big: Text::same(format!("{value:.5}")),
        text: Text::of(
            format!(
                "The first player's win rate, 13 ranks. Going first is {}.",
                if value < 0.5 { "a slight handicap" } else { "an advantage" }
            ),
            format!("先手の勝率（13ランク）。先手は{}。", if value < 0.5 { "わずかに不利" } else { "有利" }),
        ),
        cert: Certainty::Exact,
        scene: play.board(None).small(),
    })
}

/// The seed and the number of moves of the game that the headline shows.
const PICTURED: (u64, usize) = (7, 40);

/// Cards a table may have for its values to be told as fractions too, and letters a fraction may have.
const FRACTIONS: (usize, usize) = (24, 18);

/// The same values as fractions, where they are short enough to be read.
pub fn exact_for(game: &Memory, s: &State, run: &Run<'_>) -> Result<Option<Arc<Levels<Factorials>>>, Error> {
    // A table on disk has no fractions, and nothing is solved beside one that stands alone.
    if on_disk::alone(run) || ranks_needed(game, s) * game.copies() > FRACTIONS.0 {
        return Ok(None);
    }
    match table_for(game, s, Factorials::new, run) {
        // They are an extra: without them the decimals are there.
        Err(Error::Refused(_) | Error::Memory { .. }) => Ok(None),
        found => found.map(Some),
    }
}

/// Writes fractions beside the decimals of a scene.
pub fn with_fractions(
    table: &CardTable,
    s: &Layout,
    scene: &mut Scene,
    exact: &impl Solution<CardTable, Number = Rational>,
) {
    let Turn::Player(mover) = table.turn(s) else { return };
    let objective = table.memory().objective();
    for (a, _, m) in choices(table, s) {
        let Some(value) = value_for(table, exact, &table.apply(s, a), mover) else { continue };
        let fraction = match objective {
            Objective::Win => shown(objective, &value).to_string(),
            Objective::Cards => signed(shown(objective, &value)),
        };
        let drawn = scene.moves.iter_mut().find(|drawn| drawn.id == m.id);
        let (Some(drawn), true) = (drawn, fraction.chars().count() <= FRACTIONS.1) else { continue };
        if let Some(value) = &mut drawn.value {
            value.sub = Text::same(fraction.clone());
        }
        if let (true, Some(verdict)) = (drawn.pick, &mut scene.value) {
            let Text { en, ja } = &verdict.note;
            verdict.note = Text::of(format!("{fraction}, {en}"), format!("{fraction}、{ja}"));
        }
    }
}

/// What the next card brings, by rank.
fn flipped(
    table: &CardTable,
    s: &Layout,
    solution: &impl Solution<CardTable, Number = f64>,
    mover: u8,
) -> Option<Line> {
    let mut actions = Vec::new();
    table.actions(s, &mut actions);
    let turning = actions.into_iter().find(|a| matches!(a, Act::Turn(_) | Act::Unknown(_)))?;
    let after = table.apply(s, turning);
    let mut outcomes = Vec::new();
    table.chance(&after, &mut outcomes);
    let total: u32 = outcomes.iter().map(|o| o.1).sum();
    let objective = table.memory().objective();
    // Ranks that are alike come to the same.
    let mut rows: Vec<(f64, u32, Vec<String>)> = Vec::new();
    for (a, weight) in outcomes {
        let Act::Turned(rank) = a else { continue };
        let value = shown(objective, &value_for(table, solution, &table.apply(&after, a), mover)?);
        match rows.iter_mut().find(|r| (r.0 - value).abs() <= 2.0 * TOLERANCE) {
            Some(row) => {
                row.1 += weight;
                row.2.push(table.label(rank));
            }
            None => rows.push((value, weight, vec![table.label(rank)])),
        }
    }
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let steps = rows.into_iter().map(|(value, weight, ranks)| {
        let more = if ranks.len() > 6 { " …" } else { "" };
        let ranks = ranks[..ranks.len().min(6)].join(" ");
        LineStep {
            text: Text::of(
                format!("{ranks}{more} ({weight} of {total})"),
                format!("{ranks}{more}（{total}枚中{weight}枚）"),
            ),
            sub: Text::same(written(objective, value)),
            seat: None,
        }
    });
    Some(Line {
        title: text("What turns up, and best play after it", "めくれたカードとその後の最善の値"),
        note: Text::default(),
        list: true,
        steps: steps.collect(),
    })
}

/// The scene that is asked for. Everybody sees the same.
pub fn asked(settings: &Settings, position: Option<&str>, _: Viewer, run: &Run<'_>) -> Result<Scene, Error> {
    let (game, s) = summary::position(settings, position)?;
    let levels = table_for(&game, &s, |_| Doubles, run)?;
    let exact = exact_for(&game, &s, run)?;
    let table = CardTable::new(game);
    let layout = table.deal(&s);
    let mut scene = valued(&table, &layout, &Advice(levels));
    if let Some(exact) = exact {
        with_fractions(&table, &layout, &mut scene, &Advice(exact));
    }
    Ok(scene)
}
