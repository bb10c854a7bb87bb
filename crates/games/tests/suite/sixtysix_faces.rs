//! What Generalised 66 answers to good and bad input, and how it is played.

use serde_json::{Map, Value, json};
use yomikiri_core::{Error, Run};
use yomikiri_games::Entry;
use yomikiri_games::params::Settings;
use yomikiri_games::sixtysix::SIXTYSIX;
use yomikiri_games::sixtysix::rules::shuffled;
use yomikiri_games::sixtysix::table::Table;

fn ask(request: Value, exact: bool) -> Result<Value, Error> {
    let evaluator = SIXTYSIX.evaluator(exact);
    let request: Map<String, Value> = request.as_object().cloned().unwrap();
    Ok(serde_json::from_str(&evaluator.answer(&request, &Run::default())?).unwrap())
}

#[test]
fn law_eval_answers_as_documented() {
    for (request, answer) in [
        // Two scoring cards do not add up.
        (
            json!({"hand_a": [1, 4], "hand_b": [2, 3], "points": [0, 1, 1, 0], "tp": 1}),
            json!({"winner": "none", "difference": 0, "moves": {"1": 0, "4": 0}, "winners": {"1": "none", "4": "none"}, "method": "induction"}),
        ),
        (
            json!({"id": 7, "hand_a": [5, 1, 3], "hand_b": [6, 2, 4], "deck": [], "q": 5}),
            json!({"winner": "A", "difference": 1, "moves": {"1": 1, "3": -1, "5": -1}, "winners": {"1": "A", "3": "B", "5": "B"}, "method": "classifier"}),
        ),
        (
            json!({"hand_a": [1, 2], "hand_b": [3, 4], "deck": [6, 5, 7, 8], "g": 3, "leader": "B"}),
            json!({"a_can_acquire": false, "a_can_avoid": true}),
        ),
        // Both rules of passing a target.
        (
            json!({"hand_a": [2], "hand_b": [1], "points": [1, 1], "tp": 2, "rule": "exceeds"}),
            json!({"winner": "none", "difference": 2, "moves": {"2": 2}, "winners": {"2": "none"}, "method": "induction"}),
        ),
        (
            json!({"hand_a": [2], "hand_b": [1], "points": [1, 1], "tp": 2, "rule": "reaches"}),
            json!({"winner": "A", "difference": 2, "moves": {"2": 2}, "winners": {"2": "A"}, "method": "induction"}),
        ),
        // Held points count before the first trick, A's first.
        (
            json!({"hand_a": [2], "hand_b": [1], "points": [1, 1], "tp": 0, "pa": 0.5, "pb": 7}),
            json!({"winner": "A", "difference": 2, "moves": {"2": 2}, "winners": {}, "method": "induction"}),
        ),
        (
            json!({"hand_a": [2], "hand_b": [1], "points": [1, 1], "tp": 0, "pb": "1/9"}),
            json!({"winner": "B", "difference": 2, "moves": {"2": 2}, "winners": {}, "method": "induction"}),
        ),
        // Without a target only the difference is asked for; whist needs no points.
        (
            json!({"hand_a": [2], "hand_b": [1], "objective": "tricks"}),
            json!({"difference": 2, "moves": {"2": 2}, "method": "induction"}),
        ),
        (
            json!({"hand_a": [2], "hand_b": [1], "points": [0.1, "-1/4"]}),
            json!({"difference": -0.15, "moves": {"2": -0.15}, "method": "induction"}),
        ),
    ] {
        assert_eq!(ask(request.clone(), false).unwrap(), answer, "{request}");
    }
    let exact = ask(json!({"hand_a": [2], "hand_b": [1], "points": [0.1, "-1/4"]}), true).unwrap();
    assert_eq!(exact["difference"], "-3/20");
    // The scoring card may be anywhere.
    let deck = ask(json!({"hand_a": [1, 2], "hand_b": [3, 4], "deck": [5, 6], "q": 6}), false).unwrap();
    assert_eq!((&deck["winner"], &deck["method"]), (&json!("A"), &json!("induction")));
    // A huge hand is no trouble for the closed form.
    let odd: Vec<u32> = (0..10_000).map(|k| 2 * k + 1).collect();
    let even: Vec<u32> = (0..10_000).map(|k| 2 * k + 2).collect();
    let huge = ask(json!({"hand_a": odd, "hand_b": even, "q": 9999}), false).unwrap();
    assert_eq!(
        (&huge["winner"], &huge["method"], &huge["moves"]),
        (&json!("A"), &json!("classifier"), &json!({}))
    );
}

/// The winner of a race is worked out with negative points as well, where leaving the lead may be right.
#[test]
fn law_eval_races_where_the_difference_does_not_decide() {
    // Low target: both could pass, who is first wins.
    let request = json!({"hand_a": [1, 4], "hand_b": [2, 3], "points": [1, 1, 1, 1], "tp": 1});
    let found = ask(request, false).unwrap();
    assert_eq!((&found["winner"], &found["method"]), (&json!("A"), &json!("search")));
    assert_eq!(found["winners"], json!({"1": "B", "4": "A"}));
    assert_eq!(found["difference"], 0);
}

#[test]
fn law_bad_requests_are_refused_by_the_field() {
    let base = json!({"hand_a": [1, 4], "hand_b": [2, 3], "points": [1, 1, 1, 1], "tp": 2});
    let with = |changes: Value| {
        let mut request = base.as_object().unwrap().clone();
        for (key, value) in changes.as_object().unwrap() {
            request.insert(key.clone(), value.clone());
        }
        request
    };
    assert!(ask(base.clone(), false).is_ok());
    let large: Vec<u32> = (1..=80).collect();
    for (changes, field) in [
        (json!({"hand_a": [1, 1]}), "hand_a"),
        (json!({"hand_b": [2, 4]}), "hand_b"),
        (json!({"hand_b": [2, 5]}), "hand_b"),
        (json!({"hand_a": [4, 9]}), "hand_a"),
        (json!({"deck": [5, 7]}), "deck"),
        (json!({"deck": [4, 5]}), "deck"),
        (json!({"hand_b": [2]}), "hand_b"),
        (json!({"hand_a": []}), "hand_a"),
        (json!({"hand_a": null}), "hand_a"),
        (json!({"hand_a": "1,4"}), "hand_a"),
        (json!({"hand_a": [1, 4.5]}), "hand_a"),
        (json!({"hand_a": [1, -4]}), "hand_a"),
        (json!({"hand_a": [0, 4]}), "hand_a"),
        (json!({"hand_a": [1, 4_294_967_297u64]}), "hand_a"),
        (json!({"deck": [5]}), "deck"),
        (json!({"deck": 5}), "deck"),
        (json!({"points": [1, 1, 1]}), "points"),
        (json!({"points": [1, 1, 1, 1, 1]}), "points"),
        (json!({"points": [1, 1, 1, "x"]}), "points"),
        (json!({"points": [1, 1, 1, null]}), "points"),
        (json!({"points": [1, 1, 1, "1/0"]}), "points"),
        (json!({"points": [1, 1, 1, 1e300]}), "points"),
        (json!({"points": [1, 1, 1, "1/12345678901234567"]}), "points"),
        (json!({"points": 4}), "points"),
        (json!({"points": null}), "points"),
        (json!({"leader": "C"}), "leader"),
        (json!({"leader": 1}), "leader"),
        (json!({"tp": "nine"}), "tp"),
        (json!({"tp": [9]}), "tp"),
        (json!({"tp": null, "objective": "target"}), "tp"),
        (json!({"pa": true}), "pa"),
        (json!({"pb": {}}), "pb"),
        (json!({"rule": "passes"}), "rule"),
        (json!({"objective": "win"}), "objective"),
        (json!({"objective": "tricks"}), "points"),
        (json!({"q": 5}), "q"),
        (json!({"q": 0}), "q"),
        (json!({"q": "4"}), "q"),
        (json!({"g": 1}), "g"),
        (json!({"extra": 1}), "extra"),
        (json!({"hand_a": large[..40], "hand_b": large[40..], "points": large}), "hand_a"),
    ] {
        match ask(Value::Object(with(changes.clone())), false) {
            Err(Error::Refused(refusal)) => assert_eq!(refusal.field, field, "{changes}: {refusal}"),
            other => panic!("{changes}: {other:?}"),
        }
    }
}

fn settings<'a>(given: impl IntoIterator<Item = (&'a str, &'a str)>) -> Settings {
    Settings::new(SIXTYSIX.params(), given).unwrap()
}

#[test]
fn law_the_same_seed_gives_the_same_deal_and_answer() {
    let solved = |seed, threads| {
        let run = Run { seed, threads, ..Run::default() };
        let mut json = SIXTYSIX.solve(&settings([("hand", "3"), ("deck", "6")]), &run).unwrap().json;
        json.as_object_mut().unwrap().remove("seconds");
        json.to_string()
    };
    assert_eq!(solved(1, 1), solved(1, 2));
    assert_ne!(solved(1, 1), solved(2, 1));
}

#[test]
fn law_every_pattern_of_points_and_objective_solves() {
    for points in ["random", "signed", "one", "hearts"] {
        for objective in ["difference", "target", "tricks"] {
            for rule in ["exceeds", "reaches"] {
                let given = [
                    ("hand", "3"),
                    ("deck", "2"),
                    ("points", points),
                    ("objective", objective),
                    ("rule", rule),
                    ("leader", "B"),
                ];
                let json = SIXTYSIX.solve(&settings(given), &Run::default()).unwrap().json;
                assert_eq!(json["winner"].is_string(), objective == "target", "{json}");
                assert!(json["difference"].is_number(), "{json}");
                // The line of best play is played out: every card once.
                let line = json["line"].as_array().unwrap();
                assert!(line.len() == 8 || objective == "target", "{json}");
            }
        }
    }
    let odd = SIXTYSIX.solve(&settings([("deck", "5")]), &Run::default()).unwrap_err();
    assert!(matches!(&odd, Error::Refused(r) if r.field == "deck"), "{odd}");
}

#[test]
fn law_notation_reads_as_documented() {
    for text in [
        "A:1,4,6_B:2,3,5_D:7,8_Q:4=3,7=1/2_L:B",
        "A:1,4_B:2,3_Q:all=1_R:3",
        "A:10,40_B:20,30_Q:20,30_W:1/2,-3_T:5/2",
        "A:1,3_B:2,4_Q:all=0",
    ] {
        let table = Table::read(text).unwrap();
        assert_eq!(table.notation(&yomikiri_core::Game::start(&table)).as_deref(), Some(text));
    }
    // Order, blanks and defaults.
    let loose = Table::read("L:A  b:3,2 a:4,1").unwrap();
    assert_eq!(loose.notation(&yomikiri_core::Game::start(&loose)).unwrap(), "A:1,4_B:2,3_Q:all=1");
    for bad in [
        "A:1,2",
        "A:1,2_B:3",
        "A:1,1_B:2,3",
        "A:1_B:2_D:3",
        "A:1_B:2_Q:7",
        "A:1_B:2_Q:1=x",
        "A:1_B:2_L:C",
        "A:1_B:2_W:3",
        "A:1_B:2_T:",
        "A:1_B:2_A:3",
        "A:1_B:2_T:1_R:2",
        "A:0_B:1",
        "A:129_B:1",
        "A1_B2",
        "A:1_B:2_X:3",
        "A:1_B:2_Q:1=1/3000000000",
        "A:-1_B:2",
        "A:_B:",
    ] {
        let refused = Table::read(bad);
        // A fraction of a single card is its own unit and fine.
        if bad.contains("3000000000") {
            assert!(refused.is_ok());
            continue;
        }
        let refusal = refused.expect_err(bad);
        assert!(refusal.field.contains("position"), "{bad}: {refusal}");
    }
}

#[test]
fn law_show_agrees_with_eval() {
    let shown = SIXTYSIX
        .show(&settings([]), Some("A:1,4_B:2,3_Q:2=1/2,4=3_T:2_W:1,0"), &Run::default())
        .unwrap()
        .json;
    let asked =
        ask(json!({"hand_a": [1, 4], "hand_b": [2, 3], "points": [0, 0.5, 0, 3], "tp": 2, "pa": 1}), false)
            .unwrap();
    for field in ["winner", "difference", "winners", "method"] {
        assert_eq!(shown[field], asked[field], "{field}");
    }
    // Moves are worth what the player to move plays for, here the race; their points stand beside it.
    assert_eq!(shown["differences"], asked["moves"]);
    assert_eq!((&shown["value"], &shown["moves"]), (&json!(1.0), &json!({"1": 1.0, "4": 1.0})));
}

/// Values are those of the player to move; differences stay A's minus B's. A position may be asked about as it is written.
#[test]
fn law_values_are_those_of_the_player_to_move() {
    let position = "A:1,4,6_B:2,3,5_D:7,8_Q:4=3,7=1/2_L:B";
    let asked = ask(json!({"position": position}), false).unwrap();
    let shown = SIXTYSIX.show(&settings([]), Some(position), &Run::default()).unwrap().json;
    let own =
        ask(json!({"hand_a": [1, 4, 6], "hand_b": [2, 3, 5], "deck": [7, 8], "points": [0, 0, 0, 3, 0, 0, 0.5, 0], "leader": "B"}), false)
            .unwrap();
    assert_eq!((&asked["value"], &asked["difference"]), (&json!(-2.5), &json!(2.5)));
    assert_eq!(asked["moves"], json!({"5": -2.5, "2": -3.5, "3": -3.5}));
    assert_eq!((&asked["best"], &asked["fraction"]), (&json!(["5"]), &json!("-5/2")));
    assert_eq!((&asked["differences"], &asked["method"]), (&own["moves"], &own["method"]));
    for field in ["value", "best", "moves", "fraction", "difference"] {
        assert_eq!(shown[field], asked[field], "{field}");
    }
    let exact = ask(json!({"position": position}), true).unwrap();
    assert_eq!((&exact["value"], &exact["moves"]["5"]), (&json!("-5/2"), &json!("-5/2")));
    // Played out, the result is in points, not in units of a half.
    let mut play = SIXTYSIX.play(&settings([]), Some(position), &Run::default()).unwrap();
    while play.turn().is_some() {
        play.best(&Run::default()).unwrap();
    }
    assert_eq!((play.score(0), play.score(1)), (Some(2.5), Some(-2.5)));
    let bad = ask(json!({"position": "A:1"}), false).unwrap_err();
    assert!(matches!(&bad, Error::Refused(r) if r.field.contains("position")), "{bad}");
}

/// Where the machine plays the strategy, hints and mistakes are those of the solution.
#[test]
fn law_hints_against_the_strategy_are_honest() {
    let run = Run::default();
    for position in ["A:1,3,5_B:2,4,6_Q:3_L:B", "A:1,2,5,8_B:3,4,6,7_Q:5"] {
        let strategy = settings([("opponent", "strategy")]);
        let (mut seated, mut best) = (
            SIXTYSIX.play(&strategy, Some(position), &run).unwrap(),
            SIXTYSIX.play(&settings([]), Some(position), &run).unwrap(),
        );
        while seated.turn().is_some() {
            assert_eq!(seated.scene(None, &run).unwrap(), best.scene(None, &run).unwrap());
            seated.best(&run).unwrap();
            let card = seated.made(None).unwrap().input.unwrap();
            best.input(&card).unwrap();
        }
        for seat in 0..2 {
            assert_eq!(seated.mistakes(seat, &run).unwrap(), best.mistakes(seat, &run).unwrap());
        }
    }
}

#[test]
fn law_a_match_of_best_cards_ends_as_solved() {
    for (seed, objective) in
        [(1, "difference"), (2, "difference"), (3, "target"), (4, "tricks"), (5, "target")]
    {
        let run = Run { seed, ..Run::default() };
        let given = settings([("hand", "4"), ("deck", "4"), ("objective", objective)]);
        let solved = SIXTYSIX.solve(&given, &run).unwrap().json;
        let mut play = SIXTYSIX.play(&given, None, &run).unwrap();
        while let Some(seat) = play.turn() {
            let moves = play.moves(&Run::default()).unwrap();
            assert!(moves.iter().any(|m| m.best));
            play.best(&Run::default()).unwrap();
            assert!(play.mistakes(seat, &Run::default()).unwrap().is_empty());
        }
        let score = play.score(0).unwrap();
        match objective {
            "target" => {
                let winner = ["B", "none", "A"][(score + 1.0) as usize];
                assert_eq!(solved["winner"], winner);
            }
            _ => assert_eq!(Some(score), solved["difference"].as_f64()),
        }
        assert!(play.result().is_some() && play.undo(0));
    }
}

#[test]
fn law_the_strategies_can_be_seated() {
    let seated = settings([("opponent", "strategy")]);
    // B leads, A can win: the machine playing A by the strategy wins against every way B may play.
    let position = "A:1,3,5_B:2,4,6_Q:3_L:B";
    let mut games = 0;
    for choices in 0..27 {
        let mut play = SIXTYSIX.play(&seated, Some(position), &Run::default()).unwrap();
        let mut left = choices;
        while let Some(seat) = play.turn() {
            if seat == 0 {
                play.best(&Run::default()).unwrap();
            } else {
                let moves = play.moves(&Run::default()).unwrap();
                let card = moves[left % 3 % moves.len()].input.clone();
                left /= 3;
                play.input(&card).unwrap();
            }
        }
        games += 1;
        assert_eq!(play.score(0), Some(1.0), "{}", play.record(&Run::default()).unwrap());
    }
    assert_eq!(games, 27);
    let deck = SIXTYSIX.play(&seated, Some("A:1,3_B:2,4_D:5,6_Q:3"), &Run::default()).err().unwrap();
    assert!(matches!(&deck, Error::Refused(r) if r.field == "opponent"), "{deck}");
}

/// Whatever is sent, there is an answer or a refusal with a name.
#[test]
fn law_no_request_crashes() {
    let mut random = yomikiri_core::random::Random::new(3);
    let odd = [
        json!(null),
        json!(-1),
        json!(0),
        json!(3),
        json!(1.5),
        json!(1e308),
        json!("A"),
        json!("2/3"),
        json!([]),
        json!([1, 2]),
        json!([2, 1, 4, 3]),
        json!([[1]]),
        json!({}),
        json!(true),
        json!("exceeds"),
        json!("B"),
    ];
    let fields =
        ["hand_a", "hand_b", "deck", "points", "leader", "pa", "pb", "tp", "rule", "q", "g", "objective"];
    let (mut answered, mut refused) = (0, 0);
    for round in 0..20_000u64 {
        let hand = 1 + random.below(3) as usize;
        let deck = 2 * random.below(3) as usize;
        let deal = shuffled(hand, deck, 0, &mut random);
        let points: Vec<i64> = (0..2 * hand + deck).map(|_| random.below(9) as i64 - 3).collect();
        let mut request = json!({"hand_a": deal.hands[0], "hand_b": deal.hands[1], "deck": deal.deck, "points": points, "tp": 3});
        for _ in 0..round % 3 {
            let field = fields[random.below(fields.len() as u64) as usize];
            request[field] = odd[random.below(odd.len() as u64) as usize].clone();
        }
        match ask(request.clone(), round % 2 == 0) {
            Ok(answer) => {
                answered += 1;
                assert!(answer.is_object(), "{request}");
            }
            Err(Error::Refused(refusal)) => {
                refused += 1;
                assert!(
                    request.get(&refusal.field).is_some() || refusal.field == "points",
                    "{request}: {refusal}"
                );
            }
            Err(other) => panic!("{request}: {other}"),
        }
    }
    assert!(answered > 3000 && refused > 3000, "{answered} {refused}");
}
