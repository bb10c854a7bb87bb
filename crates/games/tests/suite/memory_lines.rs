//! The seven lines to keep in mind: which of them speaks, and that every face says so with what it costs.

use yomikiri_core::{Game, Indexed, Run};
use yomikiri_games::Entry;
use yomikiri_games::memory::MEMORY;
use yomikiri_games::memory::lines::{REFINED, SEVEN, SHARP};
use yomikiri_games::memory::rules::{Memory, Objective, Phase, State};
use yomikiri_games::params::Settings;
use yomikiri_solve::restrict::Policy;

/// In every position one line speaks, and what it says can be done; playing by a list is doing that.
#[test]
fn law_a_line_speaks_wherever_there_is_a_move() {
    let game = Memory::new(4, 4, Objective::Win).unwrap();
    let (mut spoken, mut cases) = ([0; 8], 0);
    for tier in 0..game.tiers() {
        for at in 0..game.len(tier) {
            let s = game.state((tier, at)).unwrap();
            let turned = |i: usize| State { phase: Phase::Second(i as u8), ..s.clone() };
            let seconds = (0..9).filter(|&i| s.counts[i] > 0 && game.patterns()[i].unknown > 0).map(turned);
            let passed = (game.known_ranks(&s.counts) > 1).then(|| State { passed: true, ..s.clone() });
            for s in seconds.chain(passed).chain([s.clone()]) {
                let mut legal = Vec::new();
                game.actions(&s, &mut legal);
                for list in [SEVEN, REFINED, SHARP] {
                    let (line, action) = list.says(&game, &s).unwrap();
                    assert!(legal.contains(&action), "{s:?}: line {line} says {action:?}");
                    let mut played = legal.clone();
                    list.restrict(&game, &s, &mut played);
                    assert_eq!(played, [action], "{s:?}");
                    spoken[line] += 1;
                    cases += 1;
                }
            }
        }
    }
    assert!(spoken[1..].iter().all(|n| *n > 0) && spoken[0] == 0 && cases > 10_000, "{spoken:?}");
}

/// Which line speaks, and what following it costs: to the last digit the difference between the best move and that one.
#[test]
fn law_every_face_tells_the_line_and_its_cost() {
    let (given, run) = (Settings::new(MEMORY.params(), []).unwrap(), Run::default());
    let cases = [
        ("20,4x11,d1,pass", 1, "pass", Some(0.0)),
        ("2x40,13,11,d1", 2, "take13", Some(0.0)),
        ("20,4x11,d1", 3, "pass", Some(0.0)),
        ("2x22", 4, "flip", Some(0.0)),
        ("31,20,11", 5, "flip", Some(0.05)),
        ("13x40", 5, "flip", Some(0.0)),
    ];
    for (position, line, action, loss) in cases {
        let shown = MEMORY.show(&given, Some(position), &run).unwrap().json;
        let advice = &shown["advice"];
        assert_eq!(
            (&advice["line"], &advice["move"]),
            (&line.into(), &action.into()),
            "{position}: {advice}"
        );
        let cost = advice["loss"].as_f64().unwrap();
        assert!(loss.is_none_or(|loss| (cost - loss).abs() < 1e-9), "{position}: {cost}");
        let words = advice["text"]["en"].as_str().unwrap();
        assert!(words.starts_with(&format!("Line {line}: ")), "{words}");
        let scene = MEMORY.scene(&given, Some(position), None, &run).unwrap();
        let told: Vec<_> = scene.moves.iter().filter(|m| m.note.en == words).collect();
        assert_eq!(told.len(), 1, "{position}: on the page it stands beside one move");
    }
    let others =
        [("copies", "2", "3x20,2x11"), ("objective", "cards", "4x20,2x11"), ("players", "3", "3x20,2x11")];
    for other in others {
        let given = Settings::new(MEMORY.params(), [(other.0, other.1)]).unwrap();
        let shown = MEMORY.show(&given, Some(other.2), &run).unwrap().json;
        assert!(
            shown.get("advice").is_none(),
            "the lines are for two, four cards a rank and the win: {other:?}"
        );
    }
}
