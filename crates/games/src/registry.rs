//! The one list of games. A new game is a folder and a line here.

use crate::entry::Entry;
use crate::erased::Erased;
use crate::family::Visit;

/// The games in their order: a `family` has everything from its rules and names, an `entry` says it all itself.
macro_rules! registry {
    ($($kind:ident $game:path,)*) => {
        /// All games.
        pub static GAMES: &[&dyn Entry] = &[$(registry!(@entry $kind $game)),*];

        /// Looks at every game that is a family, with its types.
        pub fn visit(visit: &mut impl Visit) {
            $(registry!(@visit visit $kind $game);)*
        }
    };
    (@entry family $game:path) => { &Erased(&$game) };
    (@entry entry $game:path) => { &$game };
    (@visit $visit:ident family $game:path) => { $visit.game(&$game) };
    (@visit $visit:ident entry $game:path) => {};
}

registry! {
    family crate::memory::Pairs,
    family crate::geister::Analyses,
    family crate::saichugen::Views,
    family crate::accordion::Deals,
    family crate::sixtysix::Deals,
    family crate::nim::Heap,
    family crate::tictactoe::NineSquares,
}

/// The game called by a word.
pub fn find(id: &str) -> Option<&'static dyn Entry> {
    GAMES.iter().copied().find(|game| game.about().id == id)
}
