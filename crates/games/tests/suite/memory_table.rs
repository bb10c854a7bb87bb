//! Memory with cards on a table: the cards follow the counted rules, their values are the counted ones, and a game at the
//! table is what people are told it is.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use yomikiri_core::cache::Lru;
use yomikiri_core::random::Random;
use yomikiri_core::{Canonical, Game, Indexed, Number, Run, Turn};
use yomikiri_games::Entry;
use yomikiri_games::describe::Describe;
use yomikiri_games::memory::MEMORY;
use yomikiri_games::memory::advice::Advice;
use yomikiri_games::memory::answer::{Answer, answer, best};
use yomikiri_games::memory::levels::{Doubles, Factorials, Keep, Levels};
use yomikiri_games::memory::rules::{self, Memory, Objective};
use yomikiri_games::memory::table::{Act, Card, CardTable, Layout};
use yomikiri_games::params::Settings;
use yomikiri_games::play::Play;
use yomikiri_solve::solution::{Solution, Stored, actions, value_for};
use yomikiri_testkit::contract::Contract;

fn memory(ranks: usize, copies: usize, objective: Objective) -> Memory {
    Memory::new(ranks, copies, objective).unwrap()
}

fn table(ranks: usize, copies: usize, objective: Objective) -> CardTable {
    CardTable::new(memory(ranks, copies, objective))
}

fn solved(game: &Memory) -> Arc<Levels<Doubles>> {
    Arc::new(Levels::solve(game, Doubles, Keep::All, &Run::default()).unwrap())
}

fn settings((ranks, copies, objective): (usize, usize, Objective)) -> Settings {
    let objective = if objective == Objective::Win { "win" } else { "cards" };
    let given = [("ranks", &*ranks.to_string()), ("copies", &*copies.to_string()), ("objective", objective)];
    Settings::new(MEMORY.params(), given).unwrap()
}

/// A match as a person starts it.
fn sit_down(game: (usize, usize, Objective), position: Option<&str>, run: &Run<'_>) -> Box<dyn Play> {
    MEMORY.play(&settings(game), position, run).unwrap()
}

const SMALL: [(usize, usize, Objective); 10] = [
    (1, 2, Objective::Win),
    (4, 2, Objective::Win),
    (4, 2, Objective::Cards),
    (1, 4, Objective::Win),
    (3, 4, Objective::Win),
    (3, 4, Objective::Cards),
    (1, 6, Objective::Cards),
    (2, 6, Objective::Win),
    (3, 6, Objective::Win),
    (2, 6, Objective::Cards),
];

/// What whoever is to act may do; chance with its weights.
fn options(game: &CardTable, s: &Layout) -> Vec<(Act, u32)> {
    let mut options = Vec::new();
    match game.turn(s) {
        Turn::Player(_) => {
            let mut actions = Vec::new();
            game.actions(s, &mut actions);
            options.extend(actions.into_iter().map(|a| (a, 1)));
        }
        Turn::Chance => game.chance(s, &mut options),
        Turn::Terminal => {}
    }
    options
}

/// Looks at every state of random games.
fn playouts(game: &CardTable, games: u64, mut look: impl FnMut(&Layout)) {
    for seed in 0..games {
        let mut random = Random::new(seed);
        let mut s = game.start();
        loop {
            look(&s);
            let Some(a) = random.draw(&options(game, &s)) else { break };
            s = game.apply(&s, a);
        }
    }
}

#[test]
fn law_cards_follow_the_counted_rules() {
    for (ranks, copies, objective) in SMALL {
        let game = table(ranks, copies, objective);
        let memory = game.memory();
        assert_eq!(game.position(&game.start()), memory.start());
        playouts(&game, 60, |s| {
            let position = game.position(s);
            assert_eq!(game.turn(s), memory.turn(&position));
            for player in 0..2 {
                assert_eq!(game.utility(s, player), memory.utility(&position, player));
            }
            let mut counted = Vec::new();
            for (a, _) in options(&game, s) {
                let action = game.counted(s, a).unwrap();
                assert_eq!(game.position(&game.apply(s, a)), memory.apply(&position, action), "{s:?} {a:?}");
                counted.push(action);
            }
            counted.sort();
            counted.dedup();
            let mut legal = actions(memory, &position);
            legal.sort();
            assert_eq!(counted, legal, "{s:?}");
        });
    }
}

#[test]
fn law_chance_with_cards_is_the_counted_chance() {
    for (ranks, copies, objective) in SMALL {
        let game = table(ranks, copies, objective);
        playouts(&game, 60, |s| {
            let mut cards = Vec::new();
            game.chance(s, &mut cards);
            let mut summed: BTreeMap<rules::Action, u32> = BTreeMap::new();
            for (a, weight) in cards {
                *summed.entry(game.counted(s, a).unwrap()).or_default() += weight;
            }
            let mut counted = Vec::new();
            game.memory().chance(&game.position(s), &mut counted);
            assert_eq!(summed, counted.into_iter().collect());
            // As many unseen cards as there are places for them.
            let places = s.cards.iter().filter(|card| **card == Card::Unknown).count();
            let unseen: usize = game.unseen(s).iter().map(|&n| usize::from(n)).sum();
            assert_eq!(places, unseen);
        });
    }
}

#[test]
fn law_acts_that_are_not_legal_change_nothing() {
    let game = table(2, 4, Objective::Win);
    let every: Vec<Act> = (0..10u16)
        .flat_map(|p| {
            let rank = p as u8;
            let cards = [Act::Turn(p), Act::Same(p), Act::Different(p), Act::Unknown(p)];
            cards.into_iter().chain([Act::Take(rank), Act::Turned(rank), Act::Pass])
        })
        .collect();
    playouts(&game, 60, |s| {
        let options: Vec<Act> = options(&game, s).into_iter().map(|o| o.0).collect();
        for &a in &every {
            assert_eq!(game.apply(s, a) == *s, !options.contains(&a), "{s:?} {a:?}");
        }
    });
}

#[test]
fn law_the_table_is_a_game() {
    for (ranks, copies, objective) in SMALL {
        let mut contract = Contract::default();
        contract.rules(&table(ranks, copies, objective));
        assert!(contract.failures.is_empty(), "{:?}", contract.failures);
    }
}

#[test]
fn law_table_values_equal_counted_values() {
    for (ranks, copies, objective) in SMALL {
        let game = table(ranks, copies, objective);
        let inner = solved(game.memory());
        let advice = Advice(inner.clone());
        playouts(&game, 20, |s| {
            let position = game.position(s);
            assert_eq!(advice.value(&game, s), inner.value(game.memory(), &position));
            let moves = advice.moves(&game, s);
            assert!(moves.is_sorted_by(|a, b| a.0 < b.0));
            for (action, value) in inner.moves(game.memory(), &position) {
                let found = moves.iter().find(|(a, _)| game.counted(s, *a) == Some(action));
                assert_eq!(found.map(|m| m.1), Some(value));
            }
        });
    }
}

#[test]
fn law_alike_actions_have_equal_values() {
    for (ranks, copies, objective) in SMALL {
        let game = table(ranks, copies, objective);
        let advice = Advice(solved(game.memory()));
        playouts(&game, 20, |s| {
            let Turn::Player(p) = game.turn(s) else { return };
            let moves = advice.moves(&game, s);
            for (a, _) in options(&game, s) {
                let alike = game.alike(s, a);
                assert!(alike <= a && game.alike(s, alike) == alike);
                // The value of the very card, through what chance may do with it.
                let own = value_for(&game, &advice, &game.apply(s, a), p).unwrap();
                let listed = moves.iter().find(|m| m.0 == alike).and_then(|m| m.1).unwrap();
                assert!((own - listed).abs() < 1e-12, "{s:?} {a:?}: {own} is not {listed}");
            }
            assert!(moves.iter().all(|m| game.alike(s, m.0) == m.0));
        });
    }
}

/// The value for player 0 by plain recursion over cards, without any counting.
fn by_cards(game: &CardTable, s: &Layout, seen: &mut HashMap<Layout, f64>) -> f64 {
    if let Some(&value) = seen.get(s) {
        return value;
    }
    let mut values = Vec::new();
    for (a, weight) in options(game, s) {
        values.push((by_cards(game, &game.apply(s, a), seen), f64::from(weight)));
    }
    let value = match game.turn(s) {
        Turn::Terminal => f64::from(game.utility(s, 0)),
        Turn::Player(0) => values.iter().map(|v| v.0).fold(f64::NEG_INFINITY, f64::max),
        Turn::Player(_) => values.iter().map(|v| v.0).fold(f64::INFINITY, f64::min),
        Turn::Chance => {
            values.iter().map(|v| v.0 * v.1).sum::<f64>() / values.iter().map(|v| v.1).sum::<f64>()
        }
    };
    seen.insert(s.clone(), value);
    value
}

#[test]
fn law_solving_the_cards_themselves_gives_the_counted_value() {
    for (ranks, copies, objective, win_rate) in [
        (2, 2, Objective::Win, Some(1.0 / 3.0)),
        (3, 2, Objective::Win, Some(7.0 / 15.0)),
        (3, 2, Objective::Cards, None),
        (1, 4, Objective::Win, Some(1.0)),
        (1, 4, Objective::Cards, None),
    ] {
        let game = table(ranks, copies, objective);
        let value = by_cards(&game, &game.start(), &mut HashMap::new());
        let counted = Advice(solved(game.memory())).value(&game, &game.start()).unwrap();
        assert!((value - counted).abs() < 1e-12, "{ranks}×{copies}: {value} is not {counted}");
        if let Some(rate) = win_rate {
            assert!((game.measure().score(&value, None).x - rate).abs() < 1e-12);
        }
    }
}

#[test]
fn law_advice_asks_about_counts_and_not_about_places() {
    /// Knows nothing, and counts how often it is asked.
    struct Asked(AtomicUsize);
    impl Solution<Memory> for Asked {
        type Number = f64;
        fn stored(&self, _: &Memory, _: &rules::State) -> Stored<f64> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Stored::Value(0.0)
        }
    }
    let game = table(100, 4, Objective::Win);
    let advice = Advice(Asked(AtomicUsize::new(0)));
    let mut random = Random::new(1);
    let mut s = game.start();
    for _ in 0..60 {
        let asked = advice.0.0.load(Ordering::Relaxed);
        let moves = advice.moves(&game, &s);
        assert!(moves.len() < 12);
        assert!(advice.0.0.load(Ordering::Relaxed) - asked < 500);
        let Some(a) = random.draw(&options(&game, &s)) else { break };
        s = game.apply(&s, a);
    }
}

#[test]
fn law_deal_and_position_are_inverse() {
    for (ranks, copies, objective) in SMALL {
        let game = table(ranks, copies, objective);
        playouts(&game, 100, |s| {
            let position = game.position(s);
            let dealt = game.deal(&position);
            assert_eq!(dealt.cards.len(), ranks * copies);
            assert_eq!(game.position(&dealt), position);
        });
    }
}

#[test]
fn law_play_goes_on_from_a_dealt_position() {
    let what = (3, 4, Objective::Win);
    let start = table(3, 4, Objective::Win).parse("40,22,11,d1,pass").unwrap();
    assert_eq!((start.pairs(0), start.pairs(1)), (1, 0));
    let ranks: Vec<Card> = start.cards[..3].to_vec();
    assert_eq!(ranks, [Card::Known(0), Card::Known(0), Card::Known(1)]);
    let run = Run::default();
    let mut play = sit_down(what, Some("40,22,11,d1,pass"), &run);
    assert!(play.table().en.ends_with("the second player has just passed; a pass ends it"));
    // Ahead after a pass, passing wins at once.
    assert_eq!(play.best(&run).unwrap().en, "passes too, and the game is over");
    let result = play.result().unwrap();
    assert_eq!(result.en, "the first player wins 1 to 0: both players passed, and 5 pairs are left lying");
    assert_eq!(play.score(0), Some(1.0));
}

#[test]
fn law_best_play_scores_the_exact_value() {
    let cache = Lru::new(1 << 30);
    let scores: Vec<f64> = (0..2000)
        .map(|seed| {
            let run = Run { seed, cache: &cache, ..Run::default() };
            let mut play = sit_down((3, 4, Objective::Win), None, &run);
            while play.turn().is_some() {
                play.best(&run).unwrap();
            }
            assert!((0..2).all(|seat| play.mistakes(seat, &run).unwrap().is_empty()));
            play.score(0).unwrap()
        })
        .collect();
    let games = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / games;
    let variance = scores.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (games - 1.0);
    let exact = 2899.0 / 5775.0;
    assert!((mean - exact).abs() < 5.0 * (variance / games).sqrt(), "{mean} is too far from {exact}");
}

/// Everything a face can see.
fn seen(play: &dyn Play, run: &Run<'_>) -> String {
    let mistakes = [0, 1].map(|seat| play.mistakes(seat, run).unwrap());
    let (moves, record) = (play.moves(run).unwrap(), play.record(run).unwrap());
    format!("{:?} {:?} {moves:?} {mistakes:?} {record}", play.table(), play.turn())
}

#[test]
fn law_undo_restores_cards_and_mistakes() {
    let cache = Lru::new(1 << 30);
    for what in SMALL {
        for seed in 0..5 {
            let run = Run { seed, cache: &cache, ..Run::default() };
            let mut random = Random::new(seed);
            let mut play = sit_down(what, None, &run);
            while let Some(seat) = play.turn() {
                let before = seen(play.as_ref(), &run);
                let moves = play.moves(&run).unwrap();
                let input = moves[random.below(moves.len() as u64) as usize].input.clone();
                play.input(&input).unwrap();
                let after = seen(play.as_ref(), &run);
                assert!(play.undo(seat));
                assert_eq!(seen(play.as_ref(), &run), before);
                play.input(&input).unwrap();
                assert_eq!(seen(play.as_ref(), &run), after);
            }
            while play.undo(0) {}
            assert_eq!(seen(play.as_ref(), &run), seen(sit_down(what, None, &run).as_ref(), &run));
        }
    }
}

#[test]
fn law_the_same_seed_gives_the_same_record() {
    let record = |seed| {
        let run = Run { seed, ..Run::default() };
        let mut play = sit_down((3, 4, Objective::Cards), None, &run);
        while play.turn().is_some() {
            play.best(&run).unwrap();
        }
        play.record(&run).unwrap().to_string()
    };
    assert_eq!(record(11), record(11));
    assert_ne!(record(11), record(12));
}

#[test]
fn law_a_mistake_is_recorded_whichever_card_it_was_made_with() {
    // One card of two is known; to turn it up is a pair, and any other second card a mistake.
    let run = Run { seed: 5, ..Run::default() };
    for (second, lost) in [("same", None), ("different", Some(4.0)), ("unknown", Some(4.0))] {
        let mut play = sit_down((2, 2, Objective::Cards), Some("2x11"), &run);
        // Not the lowest unknown card.
        play.input("4").unwrap();
        play.input(second).unwrap();
        let mistakes = play.mistakes(0, &run).unwrap();
        assert_eq!(mistakes.first().map(|m| m.lost), lost, "{second}");
        assert!(mistakes.iter().all(|m| m.decision == 2));
        assert!(play.mistakes(1, &run).unwrap().is_empty());
    }
}

#[test]
fn law_a_game_typed_by_hand_ends_with_a_result() {
    for words in [["unknown", "same", "different", "pass"], ["未知", "同じ", "別", "パス"]] {
        for seed in 0..10 {
            let run = Run { seed, ..Run::default() };
            let mut play = sit_down((3, 4, Objective::Win), None, &run);
            let mut typed = 0;
            while play.turn().is_some() {
                let pair = ["A", "2", "3"].iter().find(|r| play.input(&format!("take {r}")).is_ok());
                let order = if typed % 2 == 0 { [1, 2, 0, 3] } else { [1, 0, 2, 3] };
                let word = order.into_iter().find(|&i| pair.is_none() && play.input(words[i]).is_ok());
                assert!(pair.is_some() || word.is_some(), "{:?}", play.table());
                typed += 1;
            }
            assert!(play.result().is_some());
            assert_eq!(play.score(0).unwrap() + play.score(1).unwrap(), 1.0);
            assert!(play.moves(&run).unwrap().is_empty());
        }
    }
}

#[test]
fn law_what_can_be_typed_is_understood() {
    let game = table(13, 4, Objective::Win);
    let s = game.parse("10x40,31,2x22").unwrap();
    let first = [
        ("6", Act::Turn(5)),
        ("１０", Act::Turn(9)),
        ("unknown", Act::Turn(5)),
        ("take 3", Act::Take(2)),
        ("TAKE q", Act::Take(11)),
        ("取る　２", Act::Take(1)),
        ("2", Act::Take(1)),
        ("4", Act::Take(2)),
        ("PASS", Act::Pass),
        ("パス", Act::Pass),
    ];
    for (typed, act) in first {
        assert_eq!(game.understand(&s, typed), Some(act), "{typed}");
    }
    // Card 20 is turned and shows the 2 whose known cards are 2 and 3.
    let s = game.apply(&game.apply(&s, Act::Turn(19)), Act::Turned(1));
    let second = [
        ("2", Act::Same(1)),
        ("3", Act::Same(2)),
        ("same", Act::Same(1)),
        ("5", Act::Different(4)),
        ("different", Act::Different(0)),
        ("unknown", Act::Unknown(5)),
        ("52", Act::Unknown(51)),
    ];
    let mut actions = Vec::new();
    game.actions(&s, &mut actions);
    for (typed, act) in second {
        assert_eq!(game.understand(&s, typed), Some(act), "{typed}");
        assert!(actions.contains(&act));
    }
    // Every name is understood as the action it names.
    for a in actions {
        assert_eq!(game.understand(&s, &game.action(&s, a).id), Some(a));
    }
}

#[test]
fn law_wrong_input_is_refused_and_changes_nothing() {
    let run = Run { seed: 1, ..Run::default() };
    let mut play = sit_down((3, 4, Objective::Win), None, &run);
    let refused = |play: &mut dyn Play, bad: &[&str], accepts: &str| {
        let before = seen(play, &run);
        for bad in bad {
            let refusal = play.input(bad).unwrap_err();
            assert_eq!(refusal.field, "move");
            assert_eq!(refusal.accepts.en, accepts, "{bad}");
            assert_eq!(seen(play, &run), before);
        }
    };
    let never = ["", "0", "13", "-1", "99999999", "take", "take K", "take 3 3", "x", "1 2", "\u{0}"];
    refused(play.as_mut(), &never, "the number of an unknown card");
    refused(play.as_mut(), &["pass", "same", "different", "take A"], "the number of an unknown card");
    play.input("5").unwrap();
    refused(play.as_mut(), &never, "the number of another card, unknown");
    // The card that is face up is not another card.
    refused(play.as_mut(), &["5", "same", "pass"], "the number of another card, unknown");
}

#[test]
fn golden_the_table_as_people_see_it() {
    let game = table(13, 4, Objective::Win);
    let s = game.parse("9x40,2x31,22,11,d1").unwrap();
    assert_eq!(game.prompt(&s).en, "first card? (the number of an unknown card, take 3, pass)");
    let s = game.apply(&game.apply(&s, Act::Turn(16)), Act::Turned(9));
    let drawn = game.draw(&s, None);
    assert_eq!(drawn.en, GOLDEN_EN);
    assert_eq!(drawn.ja.lines().last(), Some("先手が2枚目を選ぶ番（17番は10）"));
    assert_eq!(game.prompt(&s).en, "second card? (the number of another card, different, unknown)");
}

const GOLDEN_EN: &str = "\
\x20 1:A   2:2   3:3   4:3   5:4   6:?   7:?   8:?   9:?  10:?  11:?  12:?  13:?
 14:?  15:?  16:? >17:10 18:?  19:?  20:?  21:?  22:?  23:?  24:?  25:?  26:?
 27:?  28:?  29:?  30:?  31:?  32:?  33:?  34:?  35:?  36:?  37:?  38:?  39:?
 40:?  41:?  42:?  43:?  44:?  45:?  46:?  47:?  48:?  49:?  50:?   –     –
unknown: A×3 2×3 3×2 4×1 5×4 6×4 7×4 8×4 9×4 10×3 J×4 Q×4 K×4
pairs: first 1, second 0
the first player to choose the second card (card 17 is a 10)";

#[test]
fn law_every_table_fits_its_columns() {
    for (ranks, copies) in [(1, 2), (3, 4), (13, 6), (14, 2), (20, 4), (100, 4), (200, 6)] {
        let game = table(ranks, copies, Objective::Win);
        playouts(&game, 1, |s| {
            let drawn = game.draw(s, None);
            let widest = drawn.en.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            assert!(widest <= 80, "{widest}:\n{drawn:?}");
        });
    }
}

/// What every face is told comes from one analysis, and the counted answers decide ties as it does.
#[test]
fn law_all_faces_call_the_same_moves_best() {
    for (ranks, copies, objective) in SMALL {
        let (game, settings) = (table(ranks, copies, objective), settings((ranks, copies, objective)));
        let cache = Lru::new(1 << 30);
        let run = Run { cache: &cache, ..Run::default() };
        let levels = solved(game.memory());
        playouts(&game, 4, |s| {
            let (Some(position), Turn::Player(_)) = (game.print(s), game.turn(s)) else { return };
            let s = game.parse(&position).unwrap();
            let counted = best(&answer(game.memory(), &levels, &game.position(&s)).unwrap().moves);
            let shown = MEMORY.show(&settings, Some(&position), &run).unwrap().json;
            let scene = MEMORY.scene(&settings, Some(&position), None, &run).unwrap();
            let play = sit_down((ranks, copies, objective), Some(&position), &run);
            let first: Vec<String> =
                scene.moves.iter().filter(|m| m.rank == Some(1)).map(|m| m.id.clone()).collect();
            assert_eq!(shown["best"], serde_json::json!(first), "{position}");
            let hints = play.moves(&run).unwrap().into_iter().filter(|m| m.best).map(|m| m.input);
            assert_eq!(hints.collect::<Vec<_>>(), first, "{position}");
            let mut named: Vec<rules::Action> = first
                .iter()
                .filter_map(|id| actions(&game, &s).into_iter().find(|&a| game.action(&s, a).id == *id))
                .filter_map(|a| game.counted(&s, a))
                .collect();
            named.sort();
            assert_eq!(named, counted, "{position}");
        });
    }
}

/// Doubles decide ties as fractions do, so whether fractions are at hand changes nothing.
#[test]
fn law_fractions_and_doubles_call_the_same_moves_best() {
    for (ranks, copies, objective) in SMALL {
        let game = table(ranks, copies, objective);
        let doubles = solved(game.memory());
        let cards = Factorials::new(ranks * copies);
        let exact = Levels::solve(game.memory(), cards, Keep::All, &Run::default()).unwrap();
        playouts(&game, 100, |s| {
            let position = game.position(s);
            let [a, b] = [
                answer(game.memory(), &doubles, &position).map(|found| (best(&found.moves), seconds(&found))),
                answer(game.memory(), &exact, &position).map(|found| (best(&found.moves), seconds(&found))),
            ];
            assert_eq!(a.unwrap(), b.unwrap(), "{s:?}");
        });
    }
}

fn seconds<N: Number>(found: &Answer<N>) -> Vec<Vec<rules::Action>> {
    found.second.iter().map(|c| best(&c.2)).collect()
}

#[test]
fn contract_the_counted_game_obeys_its_laws() {
    for (ranks, copies, objective) in
        [(4, 4, Objective::Win), (3, 4, Objective::Cards), (5, 2, Objective::Win), (2, 6, Objective::Win)]
    {
        let (game, mut contract) = (memory(ranks, copies, objective), Contract::default());
        contract.rules(&game);
        contract.keys(&game);
        for at in (0..game.tiers()).flat_map(|tier| (0..game.len(tier)).map(move |at| (tier, at))) {
            let s = game.state(at).unwrap();
            let text = game.print(&s).unwrap();
            assert_eq!(game.key(&game.parse(&text).unwrap()), game.key(&s), "{text}");
        }
        contract.index(&game);
        if (copies, objective) == (4, Objective::Win) {
            contract.scenes_of(&MEMORY, &CardTable::new(game), 12);
        }
        assert!(contract.failures.is_empty(), "{:#?}", contract.failures);
    }
}

#[test]
fn law_programs_are_told_what_show_says() {
    // With fractions and without, both aims, from the start of a game to its end.
    let mut told = 0;
    for kind in
        [(3, 4, Objective::Win), (7, 4, Objective::Win), (6, 4, Objective::Cards), (8, 2, Objective::Win)]
    {
        let (game, settings) = (table(kind.0, kind.1, kind.2), settings(kind));
        let cache = Lru::new(1 << 28);
        let run = Run { cache: &cache, ..Run::default() };
        for seed in 0..6 {
            let mut random = Random::stream(5, seed);
            let mut s = game.start();
            while game.turn(&s) != Turn::Terminal {
                if let (Turn::Player(_), Some(position)) = (game.turn(&s), game.print(&s)) {
                    let shown = MEMORY.show(&settings, Some(&position), &run).unwrap().json;
                    let programs = MEMORY.told(&settings, Some(&position), &run).unwrap();
                    assert_eq!(programs.to_string(), shown.to_string(), "{position}");
                    told += 1;
                }
                let all = actions(&game, &s);
                s = game.apply(&s, all[random.below(all.len() as u64) as usize]);
            }
        }
    }
    assert!(told > 300, "{told}");
}
