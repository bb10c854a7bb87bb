//! Positions as people type them, in every game with any settings.

use crate::Target;
use crate::bounded::within;
use crate::input::{Input, failed, settled, text};
use std::sync::LazyLock;
use yomikiri_core::cache::Lru;
use yomikiri_core::{Error, Game, Run, Turn};
use yomikiri_games::Entry;
use yomikiri_games::describe::Describe;
use yomikiri_games::family::{Family, Visit};
use yomikiri_games::params::Settings;
use yomikiri_shelf::GAMES;

/// The target.
pub const TARGET: Target = Target {
    name: "notation",
    about: "positions of every game: what is read is written as it is read; changes by hand are positions; refusals name a field",
    run,
    seeds,
};

/// Tables that rules look into.
static CACHE: LazyLock<Lru> = LazyLock::new(|| Lru::new(256 << 20));

/// Words of the notations.
const WORDS: [&str; 32] = [
    "2v2-basic",
    "2v2-extended",
    "open",
    "rrb-three",
    "rrb-two",
    "bbr-two-guess",
    "bbr-belief",
    "_1_",
    "_2_",
    ".pp.",
    "..../",
    ".PP.",
    ".br.",
    ".RB.",
    "P..P",
    "_1:1:1_1:1",
    "A:1,4",
    "_B:2,3",
    "_D:7,8",
    "_Q:all=1",
    "_W:3,1",
    "_R:4",
    "_L:B",
    "pass",
    "d-2",
    "2x",
    "9x40",
    "S7_",
    "H10 ",
    "/0,0,0",
    "神",
    "−1",
];

fn run(bytes: &[u8]) {
    let mut input = Input(bytes);
    let number = usize::from(input.byte()) % GAMES.len();
    let given = input.settings(GAMES[number].params());
    let typed = text(input.0, &WORDS);
    let Some(settings) = settled(GAMES[number].params(), &given) else { return };
    within(40, |cancel| {
        let run = Run { cancel, cache: &*CACHE, memory: 64 << 20, ..Run::default() };
        let mut reader = Reader { settings: &settings, typed: &typed, run, left: number };
        yomikiri_shelf::registry::visit(&mut reader);
        by_hand(GAMES[number], &settings, &typed, &run);
    });
}

/// Reads a position of the game with a number.
struct Reader<'a> {
    settings: &'a Settings,
    typed: &'a str,
    run: Run<'a>,
    left: usize,
}

impl Visit for Reader<'_> {
    fn game<F: Family>(&mut self, family: &'static F) {
        let before = self.left;
        self.left = self.left.wrapping_sub(1);
        if before != 0 {
            return;
        }
        let (settings, run) = (self.settings, &self.run);
        let (game, read) = match family.position(settings, Some(self.typed), run) {
            Ok(found) => found,
            Err(error) => return failed(&error),
        };
        let Some(written) = game.print(&read) else { return };
        let again = match family.position(settings, Some(&written), run) {
            Ok((_, again)) => again,
            Err(Error::Cancelled) => return,
            Err(error) => {
                panic!("{:?} is read and written as {written:?}, which is refused: {error}", self.typed)
            }
        };
        assert_eq!(game.print(&again).as_deref(), Some(written.as_str()), "{:?}", self.typed);
        assert_eq!(format!("{read:?}"), format!("{again:?}"), "{:?}", self.typed);
        // Whatever is read can be looked at and played.
        let mut actions = Vec::new();
        if let Turn::Player(_) = game.turn(&read) {
            game.actions(&read, &mut actions);
            assert!(!actions.is_empty(), "{written:?}: nothing to do");
        }
        for action in actions {
            assert!(!game.action(&read, action).id.is_empty(), "{written:?}");
            let _ = game.print(&game.apply(&read, action));
        }
    }
}

/// Changes by hand are positions again.
fn by_hand(game: &dyn Entry, settings: &Settings, typed: &str, run: &Run<'_>) {
    let scene = match game.edits(settings, Some(typed), run) {
        Ok(scene) => scene,
        Err(error) => return failed(&error),
    };
    for change in scene.moves.iter().take(6) {
        match game.edits(settings, Some(&change.id), run) {
            Ok(_) | Err(Error::Cancelled | Error::Memory { .. }) => {}
            Err(error) => panic!("{typed:?} may be changed to {:?}, which is refused: {error}", change.id),
        }
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let mut add = |number: usize, position: &str| {
        let mut bytes = vec![number as u8, 0];
        bytes.extend_from_slice(position.as_bytes());
        seeds.push(bytes);
    };
    for (number, game) in GAMES.iter().enumerate() {
        add(number, game.about().example);
    }
    for (number, position) in [
        (0, "9x40,2x31,22,11,d1"),
        (0, "31,22,2x20,d-2,pass"),
        (1, "bbr-belief_2_p..p/..../P..P/..P._1:1:1_1:1"),
        (1, "open_1_.br./..../..../.RB."),
        (1, "2v2-extended_2_.br./..../..../.PP."),
        (1, "rrb-two_2_p.p/p../.../P.P"),
        (2, "D3_C5_S5_HT_CK/CA_H2_S2_C4_S6_D7_H8_S9_DT_SJ_HQ/8,11,5/0,0,0"),
        (3, "S10 DT,H0"),
        (4, "A:1,4,6_B:2,3,5_D:7,8_Q:4=3,7=1/2_L:B"),
        (4, "A:1,4,9_B:2,3,5_D:7,8,12,6_Q:all=1_W:3,1_R:4"),
    ] {
        add(number, position);
    }
    seeds
}
