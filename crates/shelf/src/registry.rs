//! The one list of games. A new game is a folder and a line here.

use yomikiri_games::entry::Entry;
use yomikiri_games::erased::Erased;
use yomikiri_games::family::Visit;

/// The games in their order, and a way to go through them with their types.
macro_rules! registry {
    ($($family:path,)*) => {
        /// All games.
        pub static GAMES: &[&dyn Entry] = &[$(&Erased(&$family)),*];

        /// Looks at every game with its types.
        pub fn visit(visit: &mut impl Visit) {
            $(visit.game(&$family);)*
        }
    };
}

registry! {
    yomikiri_games::memory::Pairs,
    yomikiri_games::geister::Analyses,
    yomikiri_games::saichugen::Views,
    yomikiri_games::accordion::Deals,
    yomikiri_games::sixtysix::Deals,
    crate::nim::Heap,
    crate::tictactoe::NineSquares,
    crate::chomp::Chocolate,
    crate::connectfour::Columns,
    crate::dots::Boxes,
    crate::hex::Rhombus,
    crate::othello::Reversi,
    crate::domineering::Dominoes,
    crate::kalah::Sowing,
    crate::dodgem::Crossing,
    crate::dobutsu::LittleLions,
    crate::morris::ThreeMen,
    crate::mutorere::Star,
    crate::foxhounds::Hunt,
    crate::rook::Ending,
    crate::pig::Race,
    crate::einstein::Corners,
    crate::solitaire::Alone,
    crate::yahtzee::FiveDice,
    crate::kuhn::OneCard::<2>,
    crate::kuhn::OneCard::<3>,
    crate::leduc::TwoRounds,
    crate::vonneumann::OneBet,
    crate::liarsdice::UnderCups,
    crate::goofspiel::Prizes,
    crate::schnapsen::Talon,
    crate::darkhex::Blind,
    crate::inspection::Control,
    crate::matrix::AtOnce,
}

/// The game called by a word.
pub fn find(id: &str) -> Option<&'static dyn Entry> {
    GAMES.iter().copied().find(|game| game.about().id == id)
}
