//! The one list of games. A new game is a folder and a line here.

use crate::entry::Entry;
use crate::erased::Erased;

/// All games.
pub static GAMES: &[&dyn Entry] = &[
    &crate::memory::MEMORY,
    &crate::geister::GEISTER,
    &crate::saichugen::SAICHUGEN,
    &crate::accordion::ACCORDION,
    &crate::sixtysix::SIXTYSIX,
    &Erased(&crate::nim::Heap),
    &Erased(&crate::tictactoe::NineSquares),
];

/// The game called by a word.
pub fn find(id: &str) -> Option<&'static dyn Entry> {
    GAMES.iter().copied().find(|game| game.about().id == id)
}
