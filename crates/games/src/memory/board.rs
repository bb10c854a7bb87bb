//! The picture of a table: the cards in their places, and how a position is changed by hand.

use super::rules::{Counts, Memory, Pattern};
use super::table::{Act, Card, CardTable, Layout, Stage};
use crate::describe::Past;
use yomikiri_core::cards::{RANKS, SUITS};
use yomikiri_core::{Game, Text, text};
use yomikiri_view::scene::{Board, Each, Item, Legend, Mark, Move, Piece, Seat, Shape, Show, Zone};

/// Cards in a row, and where there is little room.
const ROW: (u16, u16) = (13, 10);

/// The item at a place: as people type it, from 1.
pub fn item(place: u16) -> String {
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

/// The face of every card that is or was known, as the states of a game show them one after another: a card keeps
/// its face until it is forgotten. Suits do not matter in the game; they go to cards as these become known.
fn faces<'a>(game: &Memory, states: impl IntoIterator<Item = &'a Layout>) -> Vec<Option<String>> {
    // By place: the rank of the card, and which of its cards it is.
    let mut seen: Vec<Option<(u8, usize)>> = Vec::new();
    for s in states {
        seen.resize(s.cards.len(), None);
        for (place, card) in s.cards.iter().enumerate() {
            match card {
                // Never known, or forgotten: what is turned there may be another card.
                Card::Unknown => seen[place] = None,
                Card::Known(rank) | Card::Gone { rank, .. } => {
                    if seen[place].is_none_or(|(other, _)| other != *rank) {
                        let mut used = vec![false; game.copies()];
                        for (_, nth) in seen.iter().flatten().filter(|(other, _)| other == rank) {
                            used[*nth] = true;
                        }
                        let nth = used.iter().position(|used| !used).unwrap_or(0);
                        seen[place] = Some((*rank, nth));
                    }
                }
            }
        }
    }
    let face = |(rank, nth): (u8, usize)| {
        // Ranks begin with different suits, so that a table of single cards is not all spades.
        let suit = match game.copies() <= SUITS.len() {
            true => (nth + usize::from(rank + rank / 4)) % SUITS.len(),
            false => nth,
        };
        face(game, rank, suit)
    };
    seen.into_iter().map(|card| card.map(face)).collect()
}

/// The picture with the cards of some places face up; gaps behind the last card of the first state of a game are not
/// worth a row, but what is there then keeps its place.
fn pictured(s: &Layout, first: &Layout, faces: &[Option<String>], up: &[u16], last: &[u16]) -> Board {
    let mut items = Vec::with_capacity(s.cards.len());
    for ((place, card), face) in (0..).zip(&s.cards).zip(faces) {
        let face = || face.clone().unwrap_or_default();
        let show = match card {
            Card::Unknown => Show::Down,
            Card::Known(_) if up.contains(&place) => Show::Up(face()),
            Card::Known(_) => Show::Known(face()),
            Card::Gone { .. } => Show::Gone,
        };
        let item = Item::card(item(place), show);
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
    let legend: Vec<Legend> = legend
        .into_iter()
        .filter(|(show, _)| items.iter().any(|item| is(show, item)))
        .map(|(show, text)| Legend { item: Some(Piece::Card(show)), text })
        .collect();
    let seats = [0u8, 1].map(|player| {
        let name = Text::of(format!("Player {}", player + 1), format!("プレイヤー{}", player + 1));
        Seat::scoring(name, s.pairs(player), text("pairs", "組"))
    });
    let shape = Shape::Grid { cols, narrow: cols.min(ROW.1) };
    let zones = vec![Zone::new("table", shape, Text::default(), items).wide(52)];
    Board { seats: seats.into(), legend, ..Board::new(zones) }
}

/// The places an act is made with.
pub fn places(s: &Layout, a: Act) -> Vec<u16> {
    match a {
        Act::Take(rank) => CardTable::known_places(s, rank).take(2).collect(),
        Act::Turn(place) | Act::Same(place) | Act::Different(place) | Act::Unknown(place) => vec![place],
        Act::Pass | Act::Turned(_) => Vec::new(),
    }
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

/// The cards of a running game, the last turn marked.
pub fn board(table: &CardTable, s: &Layout, past: &Past<CardTable>) -> Board {
    let states = past.iter().map(|p| &p.0).chain([s]);
    let first = past.first().map_or(s, |p| &p.0);
    pictured(s, first, &faces(table.memory(), states), s.stage.face_up().as_slice(), &touched(past))
}

/// Both cards of the turn that has just ended, face up, with what they came to: the pair that was taken, or two cards that
/// do not match. For a pass any two known cards will do.
pub fn moment(table: &CardTable, past: &Past<CardTable>) -> Option<Board> {
    let (before, act) = past.last()?;
    let mut lying = before.clone();
    let up = match (before.stage, *act) {
        (Stage::Pairing(first, second), Act::Turned(rank)) => {
            lying.cards[usize::from(second)] = Card::Known(rank);
            vec![first, second]
        }
        (Stage::Second(first), Act::Same(second) | Act::Different(second)) => vec![first, second],
        (Stage::First, Act::Take(rank)) => CardTable::known_places(before, rank).take(2).collect(),
        (Stage::First, Act::Pass) => {
            let rank = |place: u16| before.cards[usize::from(place)];
            let mut known = before.others().filter(|(_, card)| matches!(card, Card::Known(_))).map(|c| c.0);
            let first = known.next()?;
            vec![first, known.find(|second| rank(*second) != rank(first))?]
        }
        _ => return None,
    };
    let first = past.first().map_or(before, |p| &p.0);
    let faces = faces(table.memory(), past.iter().map(|p| &p.0).chain([&lying]));
    let same = |cards: &[u16]| {
        cards.windows(2).all(|c| lying.cards[usize::from(c[0])] == lying.cards[usize::from(c[1])])
    };
    let say = match act {
        Act::Pass => text("A pass: two known cards were shown.", "パス：既知の2枚を見せた。"),
        _ if same(&up) => text("A pair.", "ペア。"),
        _ => text("No pair: both lie face down again.", "ペアではない。2枚とも伏せる。"),
    };
    Some(Board { say, ..pictured(&lying, first, &faces, &up, &up) })
}

/// The cards with every gap, because a pair can be put back there.
pub fn whole(table: &CardTable, s: &Layout) -> Board {
    pictured(s, &table.start(), &faces(table.memory(), [s]), s.stage.face_up().as_slice(), &[])
}

/// Changes by hand: a card of a rank known or not, pairs taken and given back, pairs that change hands, and whether the
/// other player has just passed.
pub fn edits(table: &CardTable, layout: &Layout) -> Vec<Move> {
    let (game, s) = (table.memory(), table.position(layout));
    let mut changes = Vec::new();
    let mut change = |counts: Counts, diff: i64, passed: bool, on: Vec<u16>, label: Text| {
        let Ok(Some(id)) = game.legal(counts, diff, passed).map(|after| game.print(&after)) else { return };
        let on: Vec<String> = on.into_iter().map(item).collect();
        let each = on.iter().map(|on| Each { on: on.clone(), id: id.clone() }).collect();
        changes.push(Move { on, each, ..Move::new(id, label) });
    };
    let lying = |is: &dyn Fn(Card) -> bool| -> Vec<u16> {
        (0..).zip(&layout.cards).filter(|(_, card)| is(**card)).map(|(place, _)| place).collect()
    };
    let (diff, passed) = (i64::from(s.diff), s.passed);
    let ranks = table.patterns(layout);
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
    changes
}
