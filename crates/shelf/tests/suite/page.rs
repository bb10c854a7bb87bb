//! What the page asks of games: everything solved once, the same bytes for any number of threads, and what each game
//! promises of its running scenes.

use crate::watched::Watched;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use yomikiri_core::cache::Lru;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Run};
use yomikiri_games::Entry;
use yomikiri_games::params::Settings;
use yomikiri_games::play::Play;
use yomikiri_shelf::GAMES;
use yomikiri_view::report::Certainty;
use yomikiri_view::scene::{Move, Piece, Scene, Show};

fn game(id: &str) -> &'static dyn Entry {
    *GAMES.iter().find(|g| g.about().id == id).unwrap()
}

fn settings(entry: &dyn Entry, given: &[(&str, &str)]) -> Settings {
    Settings::new(entry.params(), given.iter().copied()).unwrap()
}

/// Quick variants of games whose own are not.
const QUICK: [(&str, &[(&str, &str)]); 5] = [
    ("memory", &[("ranks", "4")]),
    ("geister", &[]),
    ("accordion", &[("start", "12")]),
    ("saichugen", &[]),
    ("sixtysix", &[("hand", "3"), ("deck", "4")]),
];

/// Every game in a quick variant.
fn quick() -> impl Iterator<Item = (&'static str, &'static [(&'static str, &'static str)])> {
    GAMES.iter().map(|game| {
        let id = game.about().id;
        (id, QUICK.iter().find(|quick| quick.0 == id).map_or(&[][..], |quick| quick.1))
    })
}

fn typed(play: &dyn Play, random: &mut Random) -> Option<String> {
    let moves = play.board(play.turn()).moves;
    let m = moves.get(random.below(moves.len().max(1) as u64) as usize)?;
    Some(m.id.clone())
}

/// A game of random moves, with everything that is shown on the way.
fn shown(entry: &dyn Entry, given: &[(&str, &str)], run: &Run<'_>) -> Vec<String> {
    let mut play = entry.play(&settings(entry, given), None, run).unwrap();
    let mut random = Random::new(3);
    let mut lines = Vec::new();
    for _ in 0..25 {
        if play.turn().is_none() {
            break;
        }
        let scene = play.scene(None, run).unwrap();
        lines.push(serde_json::to_string(&scene).unwrap());
        let said = match typed(play.as_ref(), &mut random) {
            Some(id) => play.input(&id).unwrap(),
            None => play.best(run).unwrap(),
        };
        lines.push(said.en.into_owned());
    }
    let mistakes = (0..play.players() as u8).map(|seat| play.mistakes(seat, run).unwrap());
    lines.push(format!("{:?}", mistakes.collect::<Vec<_>>()));
    lines
}

#[test]
fn law_what_is_solved_is_solved_once() {
    for (id, given) in quick() {
        let (entry, cache) = (game(id), Watched::new(Lru::new(1 << 30)));
        let run = Run { cache: &cache, ..Run::default() };
        let settings = settings(entry, given);
        let all = |run: &Run<'_>| {
            let scene = entry.scene(&settings, None, Some(0), run).unwrap();
            entry.show(&settings, None, run).unwrap();
            let play = shown(entry, given, run);
            let headline = entry.headline(run).unwrap();
            (scene, play, headline)
        };
        let once = all(&run);
        let made = cache.made();
        let names: BTreeSet<&String> = made.iter().collect();
        assert_eq!(names.len(), made.len(), "{id}: something was made twice: {made:?}");
        assert!(!made.is_empty(), "{id}: nothing is kept");
        assert_eq!(all(&run), once, "{id}");
        assert_eq!(cache.made(), made, "{id}: the second time nothing is to be solved");
        // With or without a cache, what is shown is the same.
        assert_eq!(all(&Run::default()), once, "{id}");
    }
}

#[test]
fn law_the_same_seed_shows_the_same_for_any_number_of_threads() {
    for (id, given) in quick() {
        let one = shown(game(id), given, &Run { seed: 5, ..Run::default() });
        let three = shown(game(id), given, &Run { seed: 5, threads: 3, ..Run::default() });
        assert_eq!(one, three, "{id}");
    }
}

#[test]
fn law_requests_share_tables_with_what_is_shown() {
    let (entry, cache) = (game("memory"), Watched::new(Lru::new(1 << 30)));
    let run = Run { cache: &cache, ..Run::default() };
    entry.scene(&settings(entry, &[("ranks", "5")]), None, None, &run).unwrap();
    let made = cache.made();
    let request: Map<String, Value> =
        serde_json::from_str(r#"{"counts":[5,0,0,0,0,0,0,0,0],"diff":0}"#).unwrap();
    for _ in 0..2 {
        let requests = entry.evaluator(false);
        requests.prepare(std::slice::from_ref(&request), &run).unwrap();
        requests.answer(&request, &run).unwrap();
    }
    assert_eq!(cache.made(), made);
}

#[test]
fn law_a_cancelled_hint_ends_soon() {
    let cancel = std::sync::atomic::AtomicBool::new(false);
    let run = Run { cancel: &cancel, ..Run::default() };
    for (id, given) in [("accordion", &[][..]), ("sixtysix", &[("hand", "5"), ("deck", "6")])] {
        let entry = game(id);
        let mut play = entry.play(&settings(entry, given), None, &run).unwrap();
        cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(matches!(play.scene(None, &run), Err(Error::Cancelled)), "{id}");
        // The table and moves need nobody's time.
        let board = play.board(None);
        assert_eq!(board.faults(), Vec::<String>::new());
        play.input(&board.moves[0].id).unwrap();
        assert!(matches!(play.mistakes(0, &run), Err(Error::Cancelled)), "{id}");
        cancel.store(false, std::sync::atomic::Ordering::Relaxed);
    }
}

/// The face of every item that has one, by its id.
fn faces(scene: &Scene) -> Vec<(String, String)> {
    let items = scene.zones.iter().flat_map(|zone| &zone.items);
    let face = items.filter_map(|item| match &item.piece {
        Piece::Card(Show::Up(face) | Show::Known(face)) => Some((item.id.clone(), face.clone())),
        _ => None,
    });
    face.collect()
}

#[test]
fn law_memory_a_card_keeps_its_face_and_a_click_turns_that_card() {
    let entry = game("memory");
    for seed in 0..6 {
        let run = Run { seed, ..Run::default() };
        let mut play = entry.play(&settings(entry, &[("ranks", "4")]), None, &run).unwrap();
        let mut random = Random::new(seed);
        let mut known: Vec<(String, String)> = Vec::new();
        while play.turn().is_some() {
            let board = play.board(None);
            for (id, face) in faces(&board) {
                match known.iter().find(|k| k.0 == id) {
                    Some((_, before)) => assert_eq!(*before, face, "card {id}"),
                    None => {
                        assert!(known.iter().all(|k| k.1 != face), "{face} lies twice");
                        known.push((id, face));
                    }
                }
            }
            let each: Vec<_> = board.moves.iter().flat_map(|m| &m.each).collect();
            // Every card that lies there unknown can be clicked on its own.
            let down = board.zones[0].items.iter().filter(|i| i.piece == Piece::Card(Show::Down));
            for item in down {
                let place = item.id.trim_start_matches('c');
                assert!(each.iter().any(|e| e.on == item.id && e.id == place), "{}", item.id);
            }
            let Some(choice) = each.get(random.below(each.len().max(1) as u64) as usize) else {
                play.input("pass").unwrap();
                continue;
            };
            let was_down =
                board.zones[0].items.iter().any(|i| i.id == choice.on && i.piece == Piece::Card(Show::Down));
            play.input(&choice.id).unwrap();
            let after = play.board(None);
            let item = after.zones[0].items.iter().find(|i| i.id == choice.on);
            if was_down {
                // Turned up, or taken with its pair.
                assert!(item.is_none_or(|i| i.piece != Piece::Card(Show::Down)), "{}", choice.on);
            }
        }
    }
}

#[test]
fn law_sixtysix_moves_are_worth_what_follows_and_leads_name_the_answer() {
    let entry = game("sixtysix");
    let run = Run::default();
    for seed in 0..5 {
        let run = Run { seed, ..run };
        let given = settings(entry, &[("hand", "3"), ("deck", "4"), ("points", "signed")]);
        let mut play = entry.play(&given, None, &run).unwrap();
        // The first position says the same as a search of its own.
        let asked = entry.scene(&given, None, None, &run).unwrap();
        let first = play.scene(None, &run).unwrap();
        let worth = |s: &Scene| -> Vec<(String, Option<u32>, f64)> {
            s.moves.iter().map(|m| (m.id.clone(), m.rank, m.value.as_ref().unwrap().x)).collect()
        };
        assert_eq!(worth(&asked), worth(&first), "seed {seed}");
        assert_eq!(asked.value, first.value);
        while play.turn().is_some() {
            let scene = play.scene(None, &run).unwrap();
            let best = &scene.moves[0];
            let leads = best.label.en.starts_with("Lead");
            assert_eq!(best.note.en.contains("answers"), leads, "{best:?}");
            let worth = best.value.as_ref().unwrap().x;
            play.input(&best.id).unwrap();
            if leads {
                let answer = play.scene(None, &run).unwrap();
                let named = &answer.moves.iter().find(|m| best.note.en.ends_with(&format!(" {}", m.id)));
                assert_eq!(named.unwrap().rank, Some(1), "{}", best.note.en);
                // What is good for one player is as bad for the other.
                let answered = answer.moves[0].value.as_ref().unwrap().x;
                assert_eq!(answered, -worth, "the lead is worth its answer");
            }
        }
    }
}

#[test]
fn law_saichugen_what_others_hold_and_put_down_is_nowhere() {
    let entry = game("saichugen");
    let example = entry.about().example;
    let settings = settings(entry, &[]);
    // The seed decides who holds which of the cards that seat 1 has not seen.
    let mut shown: BTreeSet<String> = BTreeSet::new();
    let mut dealt = BTreeSet::new();
    for seed in 0..12 {
        let run = Run { seed, ..Run::default() };
        let mut play = entry.play(&settings, Some(example), &run).unwrap();
        let mut seen = String::new();
        for _ in 0..3 {
            for scene in [play.scene(Some(0), &run).unwrap(), play.board(Some(0))] {
                seen += &serde_json::to_string(&scene).unwrap();
            }
            seen += &format!(
                "{:?} {:?} {:?}\n",
                play.made(Some(0)),
                play.turn(),
                play.mistakes(0, &run).unwrap()
            );
            if play.board(Some(0)).zones.iter().any(|zone| zone.id == "last") {
                break;
            }
            let hand: Vec<String> = play.board(None).moves.iter().map(|m| m.id.clone()).collect();
            let card = hand[0].clone();
            if play.turn() == Some(1) {
                dealt.insert(hand);
            }
            if play.turn() == Some(2) {
                break;
            }
            seen += &play.input(&card).unwrap().en;
        }
        shown.insert(seen);
    }
    assert_eq!(shown.len(), 1, "two tables look different to seat 1");
    assert!(dealt.len() > 5, "and yet they are");
    // A person at every seat sees the hand of the seat to move, and others do not.
    let play = entry.play(&settings, Some(example), &Run::default()).unwrap();
    assert!(!play.board(None).moves.is_empty() && play.board(Some(1)).moves.is_empty());
}

#[test]
fn law_rounds_that_are_sampled_say_so() {
    let entry = game("saichugen");
    let run = Run::default();
    let mut play = entry.play(&settings(entry, &[]), None, &run).unwrap();
    let scene = play.scene(None, &run).unwrap();
    let sampled = |m: &Move| m.value.as_ref().is_some_and(|value| value.cert == Certainty::Sampled);
    assert!(scene.moves.len() == 17 && scene.moves.iter().all(sampled), "{:?}", scene.moves);
    assert!(scene.trust.en.starts_with("Sampled:"), "{:?}", scene.trust);
    for _ in 0..36 {
        play.best(&run).unwrap();
    }
    let scene = play.scene(None, &run).unwrap();
    let exact = |m: &Move| m.value.as_ref().is_some_and(|value| value.cert == Certainty::Exact);
    assert!(scene.moves.len() == 5 && scene.moves.iter().all(exact), "round 5 is exact");
}

#[test]
fn golden_headlines_of_the_papers() {
    let run = Run::default();
    let said = |id: &str| game(id).headline(&run).unwrap();
    assert_eq!(said("memory").claim.big.en, "0.49895");
    assert_eq!(said("geister").claim.big.en, "13 moves");
    assert_eq!(said("geister").claim.big.ja, "13手");
}
