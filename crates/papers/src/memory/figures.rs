//! The paper's pictures of positions: the cards of every rank that is left, known ones with their faces, unknown ones
//! from the back.

use super::unusual::Oddity;
use yomikiri_core::{Text, text};
use yomikiri_games::memory::answer::{answer, best};
use yomikiri_games::memory::board::face;
use yomikiri_games::memory::levels::{Doubles, Levels};
use yomikiri_games::memory::notation::label;
use yomikiri_games::memory::rules::{Action, Memory, State};
use yomikiri_view::report::Block;
use yomikiri_view::scene::{Item, Legend, Piece, Scene, Shape, Show, VERSION, Zone};

/// A position by ranks. Which ranks the unknown cards have is known from counting; which of them lies where is not.
fn by_rank(game: &Memory, s: &State, letter: &str) -> Scene {
    let (mut zones, mut rank) = (Vec::new(), 0u8);
    let patterns = game.patterns().iter().zip(s.counts).filter(|(p, _)| p.pairs() > 0);
    for pattern in patterns.flat_map(|(p, n)| std::iter::repeat_n(*p, usize::from(n))) {
        let known = (0..usize::from(pattern.known)).map(|nth| Show::Known(face(game, rank, nth)));
        let unknown = std::iter::repeat_n(Show::Down, usize::from(pattern.unknown));
        let id = format!("r{}", rank + 1);
        let items = known.chain(unknown).enumerate();
        let items = items.map(|(i, show)| Item::card(format!("{id}c{}", i + 1), show)).collect();
        let name = face(game, rank, usize::MAX);
        let label = Text::of(
            format!("{name}: {} known, {} not", pattern.known, pattern.unknown),
            format!("{name}：既知{}・未知{}", pattern.known, pattern.unknown),
        );
        zones.push(Zone::new(id, Shape::Hand, label, items).wide(46));
        rank += 1;
    }
    let notation = game.print(s).unwrap_or_default();
    let diff = yomikiri_view::scene::signed(s.diff);
    Scene {
        v: VERSION,
        game: "memory".into(),
        title: Text::of(format!("Memory ({letter})"), format!("神経衰弱({letter})")),
        variant: Text::same(notation.clone()),
        layout: vec![zones.iter().map(|zone| zone.id.clone()).collect()],
        legend: vec![
            Legend { item: Some(Piece::Card(Show::Known("SA".into()))), text: text("known", "既知") },
            Legend {
                item: Some(Piece::Card(Show::Down)),
                text: text(
                    "unknown: of this rank, but nobody knows where",
                    "未知（このランクだが場所は不明）",
                ),
            },
        ],
        say: Text::of(
            format!("({letter})  {notation}, difference {diff}"),
            format!("({letter})  {notation}、ペア差{diff}"),
        ),
        zones,
        notation,
        ..Scene::default()
    }
}

/// What is best in a position, in words.
fn told(game: &Memory, table: &Levels<Doubles>, s: &State, oddity: Oddity) -> Option<Text> {
    let found = answer(game, table, s)?;
    // In figure 3 it is the second card that matters.
    let second = found.second.iter().find(|c| best(&c.2) == [Action::Different]);
    let (moves, when) = match (oddity, second) {
        (Oddity::Different, Some((p, _, moves))) => (
            moves,
            Text::of(
                format!("after a ({},{}) rank turned up: ", p.unknown, p.known),
                format!("({},{})が出た後：", p.unknown, p.known),
            ),
        ),
        _ => (&found.moves, Text::default()),
    };
    let mut sorted = moves.clone();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    let list = |lang: fn(&Text) -> &str| {
        let each = sorted.iter().map(|(a, value)| format!("{} {value:.5}", lang(&label(game, *a))));
        each.collect::<Vec<_>>().join(", ")
    };
    Some(Text::of(format!("{}{}", when.en, list(|t| &t.en)), format!("{}{}", when.ja, list(|t| &t.ja))))
}

/// The pictures of a figure: (A) as the text describes it, the others of its kind as found by search.
pub fn figure(
    number: u8,
    oddity: Oddity,
    positions: &[&str],
    game: &Memory,
    table: &Levels<Doubles>,
) -> Block {
    let mut scenes: Vec<Scene> = Vec::new();
    for notation in positions {
        let Ok(s) = game.parse(notation) else { continue };
        if scenes.len() < 3 && scenes.iter().all(|scene| scene.notation != *notation) {
            let letter = ["A", "B", "C"][scenes.len()];
            let mut scene = by_rank(game, &s, letter);
            scene.trust = told(game, table, &s, oddity).unwrap_or_default();
            if !scene.trust.is_empty() {
                scene.say = Text::of(
                    format!("{}: {}", scene.say.en, scene.trust.en),
                    format!("{}：{}", scene.say.ja, scene.trust.ja),
                );
            }
            scenes.push(scene);
        }
    }
    let what = match oddity {
        Oddity::Pass => text("passing is the only best move", "パスだけが最善"),
        Oddity::Different => {
            text("a known card of another rank is the only best second card", "2枚目に既知（異）だけが最善")
        }
        Oddity::Leave => text("leaving a known pair is the only best move", "既知ペアを残すことだけが最善"),
    };
    let caption = Text::of(
        format!(
            "Figure {number}: {}. (A) as the text describes it; (B) and (C) of its kind, found by search",
            what.en
        ),
        format!("図{number}：{}。(A)は本文の記述による。(B)(C)は探索で見つけた同種の局面", what.ja),
    );
    Block::pictures(caption, scenes)
}
