//! The laws of games that are played: what a viewer sees at every step, with values and without, and what a person
//! may do.

use super::Contract;
use std::collections::BTreeSet;
use yomikiri_core::random::Random;
use yomikiri_core::{Error, Run, Text};
use yomikiri_games::entry::Entry;
use yomikiri_games::params::Settings;
use yomikiri_games::play::Play;
use yomikiri_view::scene::{Scene, Viewer};

/// Moves of a game that are looked at.
const MOVES: usize = 60;
/// Other ways to make a move that are tried at a step, of those a scene lists.
const TRIED: usize = 12;

/// What is shown in the order it is typed: the moves and their single items.
fn inputs(scene: &Scene) -> Vec<String> {
    let each = scene.moves.iter().flat_map(|m| m.each.iter().map(|each| each.id.clone()));
    let mut all: Vec<String> = scene.moves.iter().map(|m| m.id.clone()).chain(each).collect();
    let mut seen = BTreeSet::new();
    all.retain(|id| seen.insert(id.clone()));
    all
}

impl Contract {
    /// Random games of a variant, at every seat a person may take, and what everybody sees of them.
    pub fn plays(&mut self, entry: &dyn Entry, given: &[(&str, &str)], position: Option<&str>, games: u64) {
        let Ok(settings) = Settings::new(entry.params(), given.iter().copied()) else {
            self.check("games can be played", false, || format!("{given:?} is refused"));
            return;
        };
        let cache = self.cache.clone();
        for seed in 0..games {
            let run = Run { seed, cache: &*cache, ..Run::default() };
            let seats = match entry.play(&settings, position, &run) {
                Ok(play) => play.seats(),
                Err(e) => {
                    self.check("games can be played", false, || format!("{given:?} {position:?}: {e}"));
                    return;
                }
            };
            self.check("somebody may sit at the table", !seats.is_empty(), || format!("{given:?}"));
            for seat in seats {
                let told = format!("{} {given:?} {position:?}, seed {seed}, seat {seat:?}", entry.about().id);
                let done = entry.play(&settings, position, &run).and_then(|mut play| {
                    if let Some(seat) = seat {
                        play.sit(seat);
                    }
                    self.game(play.as_mut(), seat, &told, &run)
                });
                self.check("games can be played", done.is_ok(), || format!("{told}: {done:?}"));
            }
        }
    }

    fn game(&mut self, play: &mut dyn Play, seat: Viewer, told: &str, run: &Run<'_>) -> Result<(), Error> {
        let mut random = Random::stream(run.seed, 5);
        for moves in 0..MOVES {
            self.step(play, told, run)?;
            let Some(turn) = play.turn() else { break };
            let board = play.board(Some(turn));
            let all = inputs(&board);
            let before = board.places();
            let machine = all.is_empty() || (seat.is_some_and(|s| s != turn) && random.below(2) == 0);
            let strengths = play.strengths();
            let said = match machine {
                true if strengths.is_empty() => play.best(run)?,
                true => play.answer(strengths[random.below(strengths.len() as u64) as usize].id, run)?,
                false => play.input(&all[random.below(all.len() as u64) as usize])?,
            };
            self.check("a move is said", !said.en.is_empty() && !said.ja.is_empty(), || {
                format!("{told}, after {moves} moves: {said:?}")
            });
            let mut places = play.board(Some(turn)).places();
            places.extend(before);
            for viewer in viewers(play) {
                let made = play.made(viewer);
                let ends = made.iter().flat_map(|m| m.from.iter().chain(&m.to));
                let lost = ends.filter(|place| !places.contains(*place)).count();
                self.check("a move that was made can be shown", made.is_some() && lost == 0, || {
                    format!("{told}, after {moves} moves: {made:?}")
                });
            }
            for viewer in viewers(play) {
                let faults = play.moment(viewer).map(|moment| moment.faults()).unwrap_or_default();
                self.check("moments have pictures", faults.is_empty(), || format!("{told}: {faults:?}"));
            }
            for player in 0..play.players() as u8 {
                let mistakes = play.mistakes(player, run)?;
                let good = mistakes.iter().all(|m| m.at <= moves && m.lost > 0.0 && m.decision > 0);
                self.check("mistakes are moves that were made", good, || format!("{told}: {mistakes:?}"));
            }
        }
        if play.turn().is_none() {
            // Who plays alone is told what came of it; of several, somebody wants to know why.
            let result = play.result();
            let why =
                |t: &Text| play.players() == 1 || (t.en.contains([':', '(']) && t.ja.contains(['：', '（']));
            self.check("the end says why", result.as_ref().is_some_and(why), || {
                format!("{told}: {result:?}")
            });
        }
        let refused = play.answer("no such strength", run);
        let named = matches!(&refused, Err(Error::Refused(refusal)) if refusal.field == "strength");
        self.check("strengths are refused by their name", named, || format!("{told}: {refused:?}"));
        Ok(())
    }

    /// What everybody sees of one state.
    fn step(&mut self, play: &mut dyn Play, told: &str, run: &Run<'_>) -> Result<(), Error> {
        let turn = play.turn();
        let mut listed = Vec::new();
        for viewer in viewers(play) {
            let board = play.board(viewer);
            let scene = play.scene(viewer, run)?;
            let told = || format!("{told}, seen by {viewer:?} at {:?}", board.notation);
            for (what, scene) in [("without", &board), ("with", &scene)] {
                let faults = scene.faults();
                self.check("running games have pictures", faults.is_empty(), || {
                    format!("{}, {what} values: {faults:?}", told())
                });
            }
            let mut plain = scene.clone();
            plain.without_values();
            self.check("a scene without its values is the board", plain == board, || {
                format!("{}: {}", told(), difference(&plain, &board))
            });
            let orders: Vec<u32> = board.moves.iter().map(|m| m.order).collect();
            self.check(
                "moves stand in the game's order",
                orders == (0..orders.len() as u32).collect::<Vec<_>>(),
                || format!("{}: {orders:?}", told()),
            );
            let mut best = scene.clone();
            best.only_best();
            for m in &mut best.moves {
                (m.rank, m.pick) = (None, false);
            }
            self.check("only the best moves are told", best == board, || {
                format!("{}: {}", told(), difference(&best, &board))
            });
            let json = serde_json::to_value(&scene).unwrap_or_default();
            let back = serde_json::from_value::<Scene>(json.clone());
            self.check("pictures read back from JSON", back.is_ok_and(|back| back == scene), told);
            self.face_down(&json, told);
            self.check("seats are those of the game", play.players() == 1 || scene.turn == turn, told);
            match play.result() {
                Some(result) => {
                    self.check(
                        "the end says the result",
                        scene.say == result && scene.moves.is_empty(),
                        told,
                    );
                }
                None => self.check("a game that goes on has somebody to move", turn.is_some(), told),
            }
            if viewer.is_none() || viewer == turn {
                listed = inputs(&scene);
            } else {
                let others = inputs(&scene);
                self.check("others see all moves or none", others.is_empty() || others == listed, told);
            }
        }
        self.accepted(play, &listed, told, run)
    }

    /// What is listed is what is accepted.
    fn accepted(
        &mut self,
        play: &mut dyn Play,
        listed: &[String],
        told: &str,
        run: &Run<'_>,
    ) -> Result<(), Error> {
        let Some(turn) = play.turn() else { return Ok(()) };
        if listed.is_empty() {
            // Nobody but the machine can move here.
            let refused = play.input("1").is_err() && play.input("a1a2").is_err();
            self.check("what is not listed is refused", refused, || told.to_owned());
            return Ok(());
        }
        let moves = play.moves(run)?;
        for m in &moves {
            self.check("every move is listed", listed.contains(&m.input), || format!("{told}: {}", m.input));
        }
        // What the command line calls best is what the page calls best.
        let scene = play.scene(None, run)?;
        let on_page: BTreeSet<&str> =
            scene.moves.iter().filter(|m| m.rank == Some(1)).map(|m| m.id.as_str()).collect();
        let hinted: BTreeSet<&str> = moves.iter().filter(|m| m.best).map(|m| m.input.as_str()).collect();
        self.check("all faces call the same moves best", on_page == hinted, || {
            format!("{told}: {on_page:?} on the page and {hinted:?} as a hint")
        });
        let before = play.board(None);
        let step = listed.len().div_ceil(TRIED);
        for id in listed.iter().step_by(step) {
            let done = play.input(id);
            let back = play.undo(turn) && play.board(None) == before;
            self.check("what is listed is accepted", done.is_ok() && back, || {
                format!("{told}: {id} {done:?}")
            });
        }
        for id in ["", "?", "no such move", "\u{0}", "読み切り", "*", "-1", "999999999999"] {
            let refused = play.input(id).is_err_and(|r| r.field == "move");
            self.check("what is not listed is refused", refused && play.board(None) == before, || {
                format!("{told}: {id:?}")
            });
        }
        Ok(())
    }
}

/// Where two scenes differ, in few words.
fn difference(a: &Scene, b: &Scene) -> String {
    let [a, b] = [a, b].map(|scene| serde_json::to_value(scene).unwrap_or_default());
    let keys: BTreeSet<&String> =
        [&a, &b].into_iter().filter_map(|v| v.as_object()).flat_map(|o| o.keys()).collect();
    let differs = keys.into_iter().filter(|key| a[*key] != b[*key]);
    differs.map(|key| format!("{key}: {} and {}", a[key], b[key])).collect::<Vec<_>>().join("; ")
}

fn viewers(play: &dyn Play) -> Vec<Viewer> {
    std::iter::once(None).chain((0..play.players() as u8).map(Some)).collect()
}
