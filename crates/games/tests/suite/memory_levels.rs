//! What the induction needs and what it goes on from.

use serde_json::json;
use std::io::{self, Read, Write};
use yomikiri_core::{Run, Store};
use yomikiri_games::Entry;
use yomikiri_games::memory::MEMORY;
use yomikiri_games::memory::levels::{Doubles, Keep, Levels, Shape};
use yomikiri_games::memory::rules::{MAX_PATTERNS, Memory, Objective};
use yomikiri_games::params::Settings;

/// A store that has one thing under every name.
struct Given(Vec<u8>);

impl Store for Given {
    fn load(&self, _: &str) -> Option<Box<dyn Read>> {
        Some(Box::new(io::Cursor::new(self.0.clone())))
    }
    fn save(&self, _: &str, _: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        Ok(())
    }
    fn remove(&self, _: &str) {}
}

#[test]
fn regression_a_checkpoint_without_the_levels_it_goes_on_from_is_not_taken() {
    let game = Memory::new(2, 4, Objective::Win).unwrap();
    for keep in [Keep::All, Keep::Window] {
        let right = Levels::solve(&game, Doubles, keep, &Run::default()).unwrap().root(2);
        for levels in 0..=9u64 {
            // So many levels, nothing counted, all of them gone, no starting position.
            let tally = 3 + 3 * MAX_PATTERNS;
            let mut content = levels.to_le_bytes().to_vec();
            content.resize(8 * (2 + tally + levels as usize + 3), 0);
            let store = Given(content);
            let run = Run { store: &store, ..Run::default() };
            let solved = Levels::solve(&game, Doubles, keep, &run).unwrap();
            assert_eq!(solved.root(2), right, "{keep:?}, {levels} levels");
        }
    }
}

#[test]
fn regression_counts_that_no_game_has_are_not_taken_from_the_cache() {
    let settings = Settings::new(MEMORY.params(), [("ranks", "2")]).unwrap();
    let solved = |run: &Run<'_>| {
        let mut json = MEMORY.solve(&settings, run).unwrap().json;
        json.as_object_mut().unwrap().retain(|field, _| !field.contains("second"));
        json
    };
    let summary = |count: u64| {
        let (first, second) = ([count; 3], vec![[count; 3]; MAX_PATTERNS]);
        let kept =
            json!({"roots": [0.5, 0.5, 0.5], "first": first, "second": second, "values": 1, "seconds": 0.0});
        solved(&Run { store: &Given(kept.to_string().into_bytes()), ..Run::default() })
    };
    assert_eq!(summary(u64::MAX), solved(&Run::default()));
    // Others would be believed: they come with a digest.
    assert_ne!(summary(1), solved(&Run::default()));
}

#[test]
fn law_what_is_certainly_needed_is_no_more_than_what_is() {
    for objective in [Objective::Win, Objective::Cards] {
        for (copies, most) in [(2, 60), (4, 24), (6, 9)] {
            for ranks in 1..=most {
                let shape = Shape::new(&Memory::new(ranks, copies, objective).unwrap());
                for keep in [Keep::All, Keep::Window] {
                    let (least, need) = (shape.least(keep), shape.need(&Doubles, keep).1);
                    assert!(least <= need, "{ranks} ranks of {copies}: {least} of {need}");
                }
            }
        }
    }
}
