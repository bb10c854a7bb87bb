//! The one list of games. A new game is a folder and a line here.

use crate::entry::Entry;

/// All games.
pub static GAMES: &[&dyn Entry] = &[
    &crate::memory::MEMORY,
    &crate::sixtysix::SIXTYSIX,
    &crate::accordion::ACCORDION,
    &crate::saichugen::SAICHUGEN,
];

/// The game called by a word.
pub fn find(id: &str) -> Option<&'static dyn Entry> {
    GAMES.iter().copied().find(|game| game.about().id == id)
}
