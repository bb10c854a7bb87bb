//! Memory between players who forget: figures of an independent program, and the classes against the game of chances.

use serde_json::{Value, json};
use std::collections::HashSet;
use yomikiri_core::cache::Lru;
use yomikiri_core::{Error, Game, Number, Rational, Run, Turn};
use yomikiri_games::Entry;
use yomikiri_games::memory::MEMORY;
use yomikiri_games::memory::forgetting::advice::Values;
use yomikiri_games::memory::forgetting::alone::{Alone, exactly};
use yomikiri_games::memory::forgetting::cards::{Cards, Lying};
use yomikiri_games::memory::forgetting::classes::{Enclosed, Forgetful};
use yomikiri_games::memory::forgetting::model::Model;
use yomikiri_games::memory::forgetting::rules::Forgetting;
use yomikiri_games::memory::rules::{Memory, Objective};
use yomikiri_games::params::Settings;
use yomikiri_solve::Auto;
use yomikiri_solve::solution::{Solution, actions};

fn enclosed(ranks: usize, copies: usize, objective: Objective, model: &str) -> Enclosed {
    let model = Model::read(model).unwrap();
    let solved = Forgetful::solve(ranks, copies, objective, model, &Run::default()).unwrap();
    let found = solved.start().unwrap();
    assert!(found.high - found.low < 1e-12 && found.low <= found.high + 1e-14, "{found:?}");
    found
}

/// All states that can come up in a game.
fn reached<G: Game>(game: &G) -> Vec<G::State> {
    let mut seen = HashSet::from([game.start()]);
    let mut all = vec![game.start()];
    let mut at = 0;
    while at < all.len() {
        for a in actions(game, &all[at]) {
            let next = game.apply(&all[at], a);
            if seen.insert(next.clone()) {
                all.push(next);
            }
        }
        at += 1;
    }
    all
}

/// The models that are solved in fractions too.
const MODELS: [&str; 6] = ["forget:1/3", "forget:1", "slots:1", "slots:3", "last-turn", "asymmetric"];

#[test]
fn law_every_position_has_the_value_of_the_game_of_chances_in_fractions() {
    for (ranks, copies, objective) in
        [(2, 4, Objective::Win), (3, 2, Objective::Win), (3, 2, Objective::Cards)]
    {
        // One player who remembers has a test of fractions of their own.
        for model in MODELS.into_iter().filter(|model| *model != "asymmetric") {
            let model = Model::read(model).unwrap();
            let game = Forgetting::new(Memory::new(ranks, copies, objective).unwrap(), model);
            let exact = Auto::solve(&game, &Run::default()).unwrap();
            let found = Forgetful::solve(ranks, copies, objective, model, &Run::default()).unwrap();
            let all = reached(&game);
            assert!(all.len() > 20, "{ranks}x{copies} {model}: {} states", all.len());
            for s in all {
                let wanted = exact.value_of(&game, &s, 0).unwrap().approx();
                let value = found.worth(&game, &s, 0).unwrap();
                assert!((value - wanted).abs() < 1e-11, "{model} {s:?}: {value} and {wanted}");
            }
        }
    }
}

#[test]
fn law_values_of_cards_in_their_places_follow_from_each_other_by_the_rules() {
    for (ranks, copies, objective) in
        [(2, 2, Objective::Win), (2, 2, Objective::Cards), (3, 2, Objective::Win)]
    {
        for model in MODELS {
            let cards = Memory::new(ranks, copies, objective).unwrap();
            let game = Cards::new(cards, Model::read(model).unwrap());
            let values = Values::new(&game, &game.start(), &Run::default()).unwrap();
            let to_first = |s: &Lying| {
                let value = values.value(&game, s).unwrap();
                if game.turn(s) == Turn::Player(1) { -value } else { value }
            };
            let all = reached(&game);
            assert!(all.len() > 50, "{model}: {} states", all.len());
            // Every seventh of a larger game.
            for s in all.iter().step_by(if ranks > 2 { 7 } else { 1 }) {
                let after = |a| to_first(&game.apply(s, a));
                let wanted = match game.turn(s) {
                    Turn::Terminal => game.utility(s, 0).into(),
                    Turn::Chance => {
                        let mut outcomes = Vec::new();
                        game.chance(s, &mut outcomes);
                        let total: u32 = outcomes.iter().map(|o| o.1).sum();
                        outcomes.iter().map(|o| f64::from(o.1) * after(o.0)).sum::<f64>() / f64::from(total)
                    }
                    Turn::Player(player) => {
                        let moves = actions(&game, s).into_iter().map(after);
                        if player == 0 {
                            moves.fold(f64::NEG_INFINITY, f64::max)
                        } else {
                            moves.fold(f64::INFINITY, f64::min)
                        }
                    }
                };
                let value = to_first(s);
                assert!((value - wanted).abs() < 1e-11, "{model} {s:?}: {value} and {wanted}");
            }
        }
    }
}

#[test]
fn contract_players_who_forget_obey_the_laws_of_games() {
    let mut contract = yomikiri_testkit::contract::Contract::default();
    for (ranks, copies, model) in
        [(2, 4, "forget:1/3"), (3, 2, "slots:2"), (3, 2, "last-turn"), (2, 4, "asymmetric")]
    {
        let game =
            Cards::new(Memory::new(ranks, copies, Objective::Win).unwrap(), Model::read(model).unwrap());
        contract.rules(&game);
        contract.names(&game);
    }
    assert!(contract.failures.is_empty(), "{:#?}", contract.failures);
}

#[test]
fn law_the_start_is_shown_and_asked_and_solved_with_one_value() {
    for model in MODELS {
        for objective in ["win", "margin"] {
            let given = [("ranks", "3"), ("memory-model", model), ("objective", objective)];
            let settings = Settings::new(MEMORY.params(), given).unwrap();
            let run = Run::default();
            let solved = MEMORY.solve(&settings, &run).unwrap().json["value"].as_f64().unwrap();
            let shown = MEMORY.show(&settings, None, &run).unwrap().json;
            let line = json!({"position": "3x40", "ranks": 3, "memory-model": model, "objective": objective});
            let asked = MEMORY.evaluator(false).answer(line.as_object().unwrap(), &run).unwrap();
            let asked: Value = serde_json::from_str(&asked).unwrap();
            for value in [&shown["value"], &asked["value"]] {
                let value = value.as_f64().unwrap();
                assert!((value - solved).abs() < 1e-11, "{model} {objective}: {value} and {solved}");
            }
            assert_eq!(shown["memory_model"], Model::read(model).unwrap().to_string());
            assert!(MEMORY.scene(&settings, None, None, &run).is_ok());
        }
    }
}

#[test]
fn law_a_game_of_players_who_forget_is_played_to_its_end() {
    for model in MODELS {
        let given = [("ranks", "3"), ("memory-model", model)];
        let settings = Settings::new(MEMORY.params(), given).unwrap();
        let run = Run { seed: 7, ..Run::default() };
        let mut play = MEMORY.play(&settings, None, &run).unwrap();
        let mut moves = 0;
        while play.turn().is_some() {
            play.best(&run).unwrap();
            play.board(None);
            moves += 1;
            assert!(moves < 500, "{model}");
        }
        assert!(play.mistakes(0, &run).unwrap().is_empty(), "{model}");
    }
}

#[test]
fn law_what_nobody_can_remember_is_refused() {
    let refused = |model: &str, position: &str| {
        let given = [("ranks", "3"), ("memory-model", model)];
        let settings = Settings::new(MEMORY.params(), given).unwrap();
        match MEMORY.show(&settings, Some(position), &Run::default()) {
            Err(Error::Refused(refusal)) => Some(refusal.field.to_string()),
            other => other.map(|_| None).unwrap(),
        }
    };
    for (model, position, wanted) in [
        ("slots:2", "22,11,20", Some("position")),
        ("slots:3", "22,11,20", None),
        ("last-turn", "22,2x20", Some("position")),
        ("last-turn", "31,11,20", None),
        ("asymmetric", "2x11,20,d1,pass", Some("position")),
        ("forget:0.1", "2x11,20,d1,pass", None),
    ] {
        assert_eq!(refused(model, position).as_deref(), wanted, "{model} {position}");
    }
}

/// The win rate of the first player as a fraction.
fn exact(ranks: usize, copies: usize, model: &str) -> Rational {
    let game =
        Forgetting::new(Memory::new(ranks, copies, Objective::Win).unwrap(), Model::read(model).unwrap());
    let solved = Auto::solve(&game, &Run::default()).unwrap();
    let value = solved.value_of(&game, &game.start(), 0).unwrap();
    (value + Rational::from_int(1)) / Rational::from_int(2)
}

#[test]
fn golden_fractions_of_players_who_forget() {
    for (ranks, copies, model, wanted) in [
        (2, 2, "forget:1/10", "57453/152353"),
        (2, 2, "forget:0.5", "95/187"),
        (2, 2, "forget:1", "3/5"),
        (3, 2, "forget:1", "23/45"),
        (4, 2, "forget:1", "298/585"),
        (2, 4, "forget:1", "4813/8855"),
        (2, 4, "last-turn", "17/40"),
        (3, 2, "last-turn", "11/30"),
        (4, 2, "last-turn", "3629/7728"),
        (3, 2, "slots:2", "137/375"),
        (2, 4, "slots:2", "728998/1707615"),
        (2, 4, "forget:1/2", "771751395280679/1540183976506044"),
    ] {
        let fraction = exact(ranks, copies, model);
        assert_eq!(fraction.to_string(), wanted, "{ranks}x{copies} {model}");
        let found = enclosed(ranks, copies, Objective::Win, model).middle();
        assert!((found - fraction.approx()).abs() < 1e-12, "{ranks}x{copies} {model}: {found}");
    }
}

#[test]
fn golden_win_rates_of_players_who_forget() {
    for (ranks, copies, model, wanted) in [
        (3, 4, "forget:0.02", 0.501399304),
        (4, 4, "forget:0.05", 0.505832937),
        (4, 4, "forget:0.9", 0.510351479),
        (3, 4, "forget:1", 0.520854972),
        (6, 2, "forget:0.1", 0.501505235),
        (8, 2, "forget:0.5", 0.501479105),
        (4, 4, "slots:1", 0.499266551),
        (4, 4, "slots:4", 0.511818264),
        (4, 4, "slots:7", 0.503944056),
        (8, 2, "slots:5", 0.500547587),
        (14, 2, "slots:2", 0.498386902),
        (8, 4, "last-turn", 0.493869549),
        (13, 2, "last-turn", 0.497499972),
    ] {
        let found = enclosed(ranks, copies, Objective::Win, model).middle();
        assert!((found - wanted).abs() < 6e-10, "{ranks}x{copies} {model}: {found}");
    }
    for (ranks, copies, wanted) in [(3, 4, -0.279515342), (8, 4, -0.072422653), (13, 2, -0.026486415)] {
        let found = enclosed(ranks, copies, Objective::Cards, "last-turn").middle();
        assert!((found - wanted).abs() < 6e-10, "{ranks}x{copies}: {found}");
    }
}

#[test]
fn golden_one_player_remembers_and_the_other_does_not() {
    let rate = |value: f64| (1.0 + value) / 2.0;
    let two = Memory::new(2, 4, Objective::Win).unwrap();
    let half = |value: Rational| (value + Rational::from_int(1)) / Rational::from_int(2);
    let (first, second) = exactly(&two);
    assert_eq!(
        (half(first).to_string(), half(second).to_string()),
        ("259787/308700".into(), "191/245".into())
    );
    for (ranks, wanted) in [(3, (0.959181037, 0.943093106)), (5, (0.998696040, 0.998177054))] {
        let cards = Memory::new(ranks, 4, Objective::Win).unwrap();
        let (first, second) = Alone::<f64>::new(&cards).start();
        assert!((rate(first) - wanted.0).abs() < 6e-10 && (rate(second) - wanted.1).abs() < 6e-10, "{first}");
    }
    for (ranks, wanted) in [(3, (4.551311578, 4.225252727)), (6, (10.744385967, 10.599275668))] {
        let cards = Memory::new(ranks, 4, Objective::Cards).unwrap();
        let (first, second) = Alone::<f64>::new(&cards).start();
        assert!((first - wanted.0).abs() < 6e-10 && (second - wanted.1).abs() < 6e-10, "{first} {second}");
    }
}

#[test]
fn law_memory_that_holds_everything_is_the_game_of_the_paper() {
    use yomikiri_games::memory::levels::{Doubles, Keep, Levels};
    for objective in [Objective::Win, Objective::Cards] {
        let game = Memory::new(4, 4, objective).unwrap();
        let value = Levels::solve(&game, Doubles, Keep::Window, &Run::default()).unwrap().root(4).unwrap();
        let wanted = if objective == Objective::Win { (1.0 + value) / 2.0 } else { value };
        for model in ["slots:16", "perfect"] {
            let found = enclosed(4, 4, objective, model).middle();
            assert!((found - wanted).abs() < 1e-12, "{model}: {found} and {wanted}");
        }
    }
}

#[test]
fn law_what_does_not_fit_or_is_stopped_says_so() {
    use std::sync::atomic::AtomicBool;
    let solve = |model: &str, run: &Run<'_>| {
        let given = [("ranks", "12"), ("memory-model", model)];
        MEMORY.solve(&Settings::new(MEMORY.params(), given).unwrap(), run).map(|_| ())
    };
    let (stop, small) = (AtomicBool::new(true), Run { memory: 1 << 20, ..Run::default() });
    let stopped = Run { cancel: &stop, ..Run::default() };
    for model in ["asymmetric", "slots:8", "forget:0.5"] {
        assert!(matches!(solve(model, &small), Err(Error::Memory { .. })), "{model}");
    }
    // Games that cannot even be listed are refused at once.
    let huge = Forgetful::solve(200, 4, Objective::Win, Model::read("forget:0.5").unwrap(), &Run::default());
    assert!(matches!(huge, Err(Error::Memory { .. })));
    for model in ["asymmetric", "slots:2", "last-turn"] {
        assert!(matches!(solve(model, &stopped), Err(Error::Cancelled)), "{model}");
    }
}

/// Whoever keeps what was solved asks again without the memory to solve it, and what is kept is counted.
#[test]
fn law_what_was_solved_is_not_solved_again() {
    for model in ["forget:0.1", "slots:2", "last-turn", "asymmetric"] {
        let cache = Lru::new(1 << 30);
        let run = Run { cache: &cache, ..Run::default() };
        let poor = Run { memory: 0, ..run };
        let memory = Memory::new(3, 4, Objective::Win).unwrap();
        let game = Cards::new(memory, Model::read(model).unwrap());
        assert!(matches!(Values::new(&game, &game.start(), &poor), Err(Error::Memory { .. })), "{model}");
        let found = Values::new(&game, &game.start(), &run).unwrap().value(&game, &game.start());
        let again = Values::new(&game, &game.start(), &poor).unwrap().value(&game, &game.start());
        assert!(found.is_some() && found == again, "{model}: {found:?} {again:?}");
        assert!(cache.bytes() > 0, "{model}");
    }
}

#[test]
fn law_models_are_read_or_refused_by_name() {
    assert_eq!(Model::read("forget:0.25"), Model::read("forget:1/4"));
    assert_eq!(Model::read("forget:0"), Ok(Model::Perfect));
    for word in
        ["", "forget", "forget:2", "forget:1/0", "forget:.", "forget:-1", "slots:0", "slots:x", "window"]
    {
        assert_eq!(Model::read(word).unwrap_err().field, "memory-model", "{word}");
    }
}

mod full {
    use super::*;

    /// Passing dies out first. The published numbers are over all leads, whether they can come up or not.
    #[test]
    fn golden_passes_of_players_who_forget() {
        for (p, wanted) in [("0.01", 51), ("0.05", 34), ("0.1", 10), ("0.2", 8), ("0.3", 0)] {
            let model = Model::read(&format!("forget:{p}")).unwrap();
            let run = Run { threads: 2, ..Run::default() };
            let solved = |pairs| Forgetful::with_handicap(7, 4, Objective::Win, model, pairs, &run).unwrap();
            let (even, odd) = (solved(0), solved(1));
            assert_eq!(even.positions + odd.positions, 136_564);
            assert!(even.start().is_some() && odd.start().is_none());
            assert_eq!(even.passes + odd.passes, wanted, "p = {p}");
        }
    }

    #[test]
    fn golden_large_games_of_players_who_forget() {
        for (ranks, copies, model, wanted) in [
            (7, 4, "forget:0.02", 0.502180743),
            (7, 4, "forget:1", 0.505592709),
            (12, 2, "forget:0.2", 0.501103974),
            (8, 4, "slots:10", 0.500458735),
            (13, 4, "slots:2", 0.497997887),
            (26, 4, "last-turn", 0.499142986),
            (26, 2, "last-turn", 0.499204563),
        ] {
            let found = enclosed(ranks, copies, Objective::Win, model).middle();
            assert!((found - wanted).abs() < 6e-10, "{ranks}x{copies} {model}: {found}");
        }
    }
}
