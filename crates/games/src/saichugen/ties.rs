//! temp
use super::rules::Cards;
/// Which of equally good cards is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The lowest.
    Lowest,
    /// The highest.
    Highest,
    /// Any.
    Random,
}
impl Ties {
    /// The cards that may be played, all equally likely.
    pub fn taken(self, best: Cards) -> Cards {
        match self {
            Ties::Lowest => best.iter().take(1).collect(),
            Ties::Highest => best.iter().last().into_iter().collect(),
            Ties::Random => best,
        }
    }
}
